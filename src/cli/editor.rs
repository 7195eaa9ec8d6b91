//! The line editor of a terminal: keys, recall, completion, grey hints, lines that were typed ahead.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{borrow::Cow, fs, path::PathBuf, thread};

use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::hint::{Hint, Hinter};
use rustyline::{
    Cmd, ConditionalEventHandler, Context, Event, EventContext, EventHandler, ExternalPrinter,
    Helper, KeyCode, KeyEvent, Modifiers, Movement, RepeatCount, completion::Completer,
    completion::FilenameCompleter, error::ReadlineError, highlight::Highlighter,
    history::FileHistory, validate::Validator,
};

use crate::cli::drawn::{BLANK, OnScreen};
use crate::host::drawing::line::{FAINT, StyledLine, text_width};
use crate::host::{gate, progress, screen::Screen, tty, watch::WatchedFiles};
use crate::session::{Prompt, Reply, complete_line, hint, names_file};

const MOST_RECALLED: usize = 1_000;

/// A line that ends so many milliseconds after its last letter was hardly typed: more may be waiting.
const BURST: u64 = 100;

/// So many lines are read ahead at most.
const MOST_AHEAD: usize = 10_000;

type Typing = rustyline::Editor<Guide, FileHistory>;

pub(super) struct Editor {
    typing: Typing,
    history: Option<PathBuf>,
    coloured: bool,
    pub(super) screen: OnScreen,
    line: Arc<Typed>,
    /// The beginning of a line that was typed ahead.
    begun: String,
    /// Whether the end of the input was typed ahead.
    has_ended: bool,
    in_line: Arc<AtomicBool>,
    /// Whether others print while a line is typed: then nothing can be read ahead.
    is_announced: bool,
}

/// The line that is being typed.
#[derive(Debug, Default)]
struct Typed {
    text: Mutex<String>,
    /// When it changed last.
    at: AtomicU64,
    /// Whether the program was stopped and is about to come back.
    was_stopped: AtomicBool,
    /// The line that the arrow keys brought back without looking for its beginning.
    recalled: Mutex<Recalled>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Recalled {
    #[default]
    Nothing,
    /// What comes next.
    Next,
    Line(String),
}

impl Typed {
    fn record_line(&self, line: &str) {
        line.clone_into(&mut self.text.lock().unwrap_or_else(PoisonError::into_inner));
        self.at.store(progress::milliseconds(), Ordering::Relaxed);
        let mut recalled = self.recalled.lock().unwrap_or_else(PoisonError::into_inner);
        if *recalled == Recalled::Next {
            *recalled = Recalled::Line(line.to_owned());
        }
    }

    /// Whether the line came too fast to be typed by hand.
    fn is_burst(&self) -> bool {
        progress::milliseconds().saturating_sub(self.at.load(Ordering::Relaxed)) < BURST
    }

    fn take_text(&self) -> String {
        std::mem::take(&mut self.text.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A key that does something of ours.
#[derive(Clone, Copy, Debug)]
enum EditorKey {
    Interrupt,
    Redraw,
    Stop,
    Back,
    Forth,
}

struct Pressed(EditorKey, OnScreen, Arc<Typed>);

impl ConditionalEventHandler for Pressed {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let Pressed(key, screen, typed) = self;
        let line = context.line();
        let recall = |search| {
            let mut recalled = typed.recalled.lock().unwrap_or_else(PoisonError::into_inner);
            if line.is_empty() || *recalled == Recalled::Line(line.to_owned()) {
                *recalled = Recalled::Next;
                return None;
            }
            Some(search)
        };
        match key {
            EditorKey::Interrupt => (!line.is_empty()).then_some(Cmd::Kill(Movement::WholeBuffer)),
            EditorKey::Redraw => screen.want().then_some(Cmd::Repaint),
            EditorKey::Stop => {
                typed.was_stopped.store(true, Ordering::Relaxed);
                None
            }
            EditorKey::Back => recall(Cmd::HistorySearchBackward),
            EditorKey::Forth => recall(Cmd::HistorySearchForward),
        }
    }
}

impl Editor {
    /// An editor whose history is kept in a file, where there is a place for it.
    pub(super) fn new(history: Option<PathBuf>, coloured: bool) -> io::Result<Editor> {
        // Before the editor changes what the terminal does, and before other threads hear of signals.
        tty::restore_on_signals();
        let (screen, line) = (OnScreen::default(), Arc::default());
        let mut editor = typing(coloured, &screen, &line)?;
        if let Some(file) = &history {
            // A history that is not there yet, or cannot be read, is an empty one.
            let _ = editor.load_history(file);
        }
        Ok(Editor {
            typing: editor,
            history,
            coloured,
            screen,
            line,
            begun: String::new(),
            has_ended: false,
            in_line: Arc::default(),
            is_announced: false,
        })
    }

    /// Reports above a line that is typed when files change. Where the terminal cannot do that, the change
    /// shows with the next line.
    pub(super) fn announce_changes(&mut self, mut watched: WatchedFiles) {
        let Ok(mut printer) = self.typing.create_external_printer() else { return };
        self.is_announced = true;
        let in_line = Arc::clone(&self.in_line);
        // It ends with the program.
        thread::spawn(move || {
            loop {
                let file = watched.wait_for_one();
                if !in_line.load(Ordering::Relaxed) {
                    continue;
                }
                let file = gate::sanitize_text(&file);
                let line = format!("{file} has changed; press Enter to play on with it\n");
                if printer.print(line).is_err() {
                    return;
                }
            }
        });
    }

    pub(super) fn ask_line(&mut self, prompt: &Prompt, shown: (&str, &str)) -> io::Result<Reply> {
        // An editor remembers lines, and what was cut out of them. What must not come back is typed
        // into one that is thrown away.
        let secret = || typing(self.coloured, &self.screen, &self.line);
        let mut secret = (!prompt.recalled).then(secret).transpose()?;
        if std::mem::take(&mut self.has_ended) {
            return Ok(Reply::End);
        }
        let editor = secret.as_mut().unwrap_or(&mut self.typing);
        let plain = |words: &[String]| -> Vec<String> {
            words.iter().map(|word| gate::sanitize_text(word).into_owned()).collect()
        };
        editor.set_helper(Some(Guide {
            moves: plain(prompt.moves),
            numbered: prompt.numbered,
            topics: plain(prompt.topics),
            coloured: self.coloured,
            screen: self.screen.clone(),
            line: Arc::clone(&self.line),
            prompt: shown.1.to_owned(),
        }));
        // Nobody else's beginning of a line is offered.
        let begun = Some(std::mem::take(&mut self.begun)).filter(|_| prompt.recalled);
        self.in_line.store(true, Ordering::Relaxed);
        let read = editor.readline_with_initial(&shown, (&begun.unwrap_or_default(), ""));
        self.in_line.store(false, Ordering::Relaxed);
        match read {
            Ok(mut line) => {
                let is_ahead = self.line.is_burst() && !self.is_announced;
                let ahead = is_ahead.then(|| typed_ahead(editor, &self.line)).flatten();
                if let Some(Ahead { lines, begun, has_ended }) = ahead {
                    lines.iter().for_each(|more| line.extend(["\n", more]));
                    (self.begun, self.has_ended) = (begun, has_ended);
                }
                if prompt.recalled {
                    line.lines().for_each(|line| self.recall(line));
                }
                Ok(Reply::Line(line))
            }
            // Signs that are no text: they name no move, and are answered so.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Ok(Reply::Line(char::REPLACEMENT_CHARACTER.to_string()))
            }
            Err(ReadlineError::Eof) => Ok(Reply::End),
            Err(ReadlineError::Interrupted) => Ok(Reply::Interrupt),
            Err(error) => Err(into_io(error)),
        }
    }

    /// Whether the beginning of a line is there already.
    pub(super) fn has_begun(&self) -> bool {
        !self.begun.is_empty() || self.has_ended
    }

    /// Forgets what was typed ahead: somebody else sits down.
    pub(super) fn discard_typed(&mut self) {
        self.begun.clear();
        tty::forget_typed();
    }

    /// Keeps a line for later. Where that cannot be done the game goes on without it.
    fn recall(&mut self, line: &str) {
        let new = self.typing.add_history_entry(line).unwrap_or(false);
        let Some(file) = self.history.as_ref().filter(|_| new) else { return };
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        if folder.is_err() || self.typing.append_history(file).is_err() {
            self.history = None;
        }
    }
}

/// What was typed while nobody read it.
struct Ahead {
    lines: Vec<String>,
    begun: String,
    has_ended: bool,
}

/// Reads the lines that are there already, and takes them off the screen: each is shown when it is played.
fn typed_ahead(editor: &mut Typing, typed: &Typed) -> Option<Ahead> {
    let (mut lines, mut has_ended, mut rows) = (Vec::new(), false, 0);
    let begun = tty::without_waiting(|| {
        loop {
            typed.take_text();
            let read =
                if lines.len() < MOST_AHEAD { editor.readline("") } else { Ok(String::new()) };
            let shown = read.as_ref().map_or_else(|_| typed.take_text(), Clone::clone);
            rows += shown
                .split('\n')
                .map(|it| 1 + text_width(it) / Screen::screen_width())
                .sum::<usize>();
            match read {
                Ok(_) if lines.len() == MOST_AHEAD => return String::new(),
                Ok(line) => lines.push(line),
                Err(ReadlineError::Interrupted) => {
                    lines.clear();
                    return String::new();
                }
                Err(error) => {
                    has_ended = matches!(error, ReadlineError::Eof);
                    return shown;
                }
            }
        }
    })?;
    let mut out = io::stdout();
    let _ = write!(out, "\x1b[{rows}A\r\x1b[J").and_then(|()| out.flush());
    Some(Ahead { lines, begun, has_ended })
}

fn typing(coloured: bool, screen: &OnScreen, line: &Arc<Typed>) -> io::Result<Typing> {
    let mode = if coloured { ColorMode::Enabled } else { ColorMode::Disabled };
    let config = Config::builder()
        .max_history_size(MOST_RECALLED)
        .map_err(into_io)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .color_mode(mode)
        .build();
    let mut editor: Typing = rustyline::Editor::with_config(config).map_err(into_io)?;
    for (event, key) in [
        (KeyEvent::ctrl('C'), EditorKey::Interrupt),
        (KeyEvent::ctrl('L'), EditorKey::Redraw),
        (KeyEvent::ctrl('Z'), EditorKey::Stop),
        (KeyEvent(KeyCode::Up, Modifiers::NONE), EditorKey::Back),
        (KeyEvent(KeyCode::Down, Modifiers::NONE), EditorKey::Forth),
    ] {
        let pressed = Pressed(key, screen.clone(), Arc::clone(line));
        editor.bind_sequence(event, EventHandler::Conditional(Box::new(pressed)));
    }
    Ok(editor)
}

fn into_io(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

struct Guide {
    moves: Vec<String>,
    numbered: bool,
    topics: Vec<String>,
    coloured: bool,
    screen: OnScreen,
    line: Arc<Typed>,
    prompt: String,
}

impl Guide {
    /// Draws the decision again above the line, where it must be; whether it did.
    fn redrawn(&self, line: &str) -> bool {
        if self.line.was_stopped.swap(false, Ordering::Relaxed) {
            self.screen.want();
        }
        let Some(lines) = self.screen.redrawn_screen() else { return false };
        let shown = |it: &StyledLine| if self.coloured { it.coloured() } else { it.letters() };
        let text: String = lines.iter().map(|it| shown(it) + "\n").collect();
        let mut out = io::stdout();
        let drawn = write!(out, "{BLANK}{text}{}{line}", self.prompt);
        drawn.and_then(|()| out.flush()).is_ok()
    }
}

/// A text shown after the line.
struct Rest {
    shown: String,
    /// Whether it can be taken over as it is.
    fits: bool,
}

impl Hint for Rest {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.fits.then_some(&self.shown)
    }
}

impl Helper for Guide {}

impl Validator for Guide {}

impl Completer for Guide {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        if names_file(&line[..pos]) {
            let (start, files) = FilenameCompleter::new().complete_path(line, pos)?;
            return Ok((start, files.into_iter().map(|file| file.replacement).collect()));
        }
        Ok(complete_line(&line[..pos], &self.moves, &self.topics))
    }
}

impl Hinter for Guide {
    type Hint = Rest;

    fn hint(&self, line: &str, pos: usize, _context: &Context<'_>) -> Option<Rest> {
        let at_end = pos == line.len();
        self.line.record_line(line);
        if self.redrawn(line) {
            // With a hint the editor shows all of the line.
            return Some(Rest { shown: " ".to_owned(), fits: false });
        }
        let (shown, fits) =
            hint(line, (&self.moves, self.numbered), &self.topics).filter(|_| at_end)?;
        Some(Rest { shown, fits })
    }
}

impl Highlighter for Guide {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if !self.coloured {
            return Cow::Borrowed(hint);
        }
        Cow::Owned(format!("{FAINT}{hint}{FAINT:#}"))
    }
}
