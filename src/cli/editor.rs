//! The line editor of a terminal: recall, completion, grey hints.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{borrow::Cow, fs, io, path::PathBuf, sync::Arc, thread};

use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::hint::{Hint, Hinter};
use rustyline::{
    Context, ExternalPrinter, Helper, completion::Completer, error::ReadlineError,
    highlight::Highlighter, history::FileHistory, validate::Validator,
};

use super::{gate, line::FAINT, tty, watch::Watched};
use crate::session::{Prompt, Reply, complete, hint};

const MOST_RECALLED: usize = 1_000;

type Typing = rustyline::Editor<Guide, FileHistory>;

pub(super) struct Editor {
    typing: Typing,
    history: Option<PathBuf>,
    coloured: bool,
    in_line: Arc<AtomicBool>,
}

impl Editor {
    /// An editor whose history is kept in a file, where there is a place for it.
    pub(super) fn new(history: Option<PathBuf>, coloured: bool) -> io::Result<Editor> {
        // Before the editor changes what the terminal does, and before other threads hear of signals.
        tty::restore_on_signals();
        let mut editor = typing(coloured)?;
        if let Some(file) = &history {
            // A history that is not there yet, or cannot be read, is an empty one.
            let _ = editor.load_history(file);
        }
        Ok(Editor { typing: editor, history, coloured, in_line: Arc::default() })
    }

    /// Reports above a line that is typed when files change. Where the terminal cannot do that, the change
    /// shows with the next line.
    pub(super) fn announce(&mut self, mut watched: Watched) {
        let Ok(mut printer) = self.typing.create_external_printer() else { return };
        let in_line = Arc::clone(&self.in_line);
        // It ends with the program.
        thread::spawn(move || {
            loop {
                let file = watched.wait_for_one();
                if !in_line.load(Ordering::Relaxed) {
                    continue;
                }
                let file = gate::plain(&file);
                let line = format!("{file} has changed; press Enter to play on with it\n");
                if printer.print(line).is_err() {
                    return;
                }
            }
        });
    }

    pub(super) fn ask(&mut self, prompt: &Prompt, shown: (&str, &str)) -> io::Result<Reply> {
        // An editor remembers lines, and what was cut out of them. What must not come back is typed
        // into one that is thrown away.
        let mut secret = if prompt.recalled { None } else { Some(typing(self.coloured)?) };
        let editor = secret.as_mut().unwrap_or(&mut self.typing);
        let plain = |words: &[String]| -> Vec<String> {
            words.iter().map(|word| gate::plain(word).into_owned()).collect()
        };
        editor.set_helper(Some(Guide {
            moves: plain(prompt.moves),
            numbered: prompt.numbered,
            topics: plain(prompt.topics),
            coloured: self.coloured,
        }));
        self.in_line.store(true, Ordering::Relaxed);
        let read = editor.readline(&shown);
        self.in_line.store(false, Ordering::Relaxed);
        match read {
            Ok(line) => {
                if prompt.recalled {
                    self.recall(&line);
                }
                Ok(Reply::Line(line))
            }
            Err(ReadlineError::Eof) => Ok(Reply::End),
            Err(ReadlineError::Interrupted) => Ok(Reply::Interrupt),
            Err(error) => Err(into_io(error)),
        }
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

fn typing(coloured: bool) -> io::Result<Typing> {
    let mode = if coloured { ColorMode::Enabled } else { ColorMode::Disabled };
    let config = Config::builder()
        .max_history_size(MOST_RECALLED)
        .map_err(into_io)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .color_mode(mode)
        .build();
    rustyline::Editor::with_config(config).map_err(into_io)
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
        Ok(complete(&line[..pos], &self.moves, &self.topics))
    }
}

impl Hinter for Guide {
    type Hint = Rest;

    fn hint(&self, line: &str, pos: usize, _context: &Context<'_>) -> Option<Rest> {
        let at_end = pos == line.len();
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
