//! People at the terminal, or lines from a pipe.

use std::io::{self, BufRead, IsTerminal};

use anstyle::Style;

use super::line::{FAINT, Line, PROMPT, STRONG, length, wrap};
use super::screen::{CLEAR, Screen};
use super::screen_moves::entries;
use super::table_screen::{self, Picture};
use super::table_view::{Sheet, align, draw};
use super::{editor::Editor, gate, hints::Hints, moves, progress, saves, tty, watch::Watched};
use crate::diagnostic::Diagnostics;
use crate::game::{Player, TableView};
use crate::progress::Progress;
use crate::session::{Console, Hint, MoveList, Prompt, Reply, Showing};
use crate::source::Sources;

/// The lines that a decision takes beside the table and its moves: the question and the prompt.
const OTHER_LINES: usize = 2;

/// How many lines that were printed before the table should still be seen.
const MOST_PRINTED: usize = 3;

/// The fewest lines that a list of moves may take.
const FEWEST_LINES: usize = 4;

/// Who waits for so many milliseconds has perhaps looked away.
const LONG: u64 = 2_000;

/// What makes a terminal forget what stands on the screen, not what was there before.
const BLANK: &str = "\x1b[H\x1b[J";

/// The smallest screen that is drawn as a whole.
const SMALLEST: (usize, usize) = (40, 14);

/// How many lines a decision has at least where it is drawn again above an answer.
const LEAST_DRAWN: usize = 10;

/// What makes a terminal forget the line that it is in.
const ERASE: &str = "\r\x1b[K";

pub(super) struct Terminal<'a> {
    pub(super) screen: &'a mut Screen,
    /// Where lines are typed; none where they come from a pipe.
    editor: Option<Editor>,
    /// The files whose changes are shown at once.
    watched: Option<Watched>,
    /// How many lines the table took when it was last shown, with those printed before it.
    shown: usize,
    /// How many lines were printed since then.
    printed: usize,
    hints: Hints,
    /// For how many milliseconds people have just waited.
    waited: u64,
    /// Whether everything is printed below each other, though people sit at a screen.
    is_scrolling: bool,
    /// What was told since the last line was typed.
    told: Vec<String>,
    /// Whether something stands on the screen that must not be wiped off before the next line.
    is_held: bool,
    /// What is drawn when its moves are listed.
    waiting: Option<TableView>,
    /// The decision that is drawn on the whole screen.
    drawn: Option<Drawn>,
}

/// A decision as it is drawn on the whole screen.
struct Drawn {
    view: TableView,
    notes: Vec<String>,
    numbered: bool,
    /// How many lines there are since its first one.
    rows: usize,
    /// What was printed before the first line was typed, and since the last line was.
    hints: Option<Vec<String>>,
    answer: Vec<String>,
    /// Whether more was printed since than can be printed again.
    is_much: bool,
    /// Whether it is to be drawn again in any case.
    is_wanted: bool,
}

impl Drawn {
    fn new(view: TableView, notes: Vec<String>, numbered: bool, rows: usize) -> Drawn {
        let (hints, answer) = (None, Vec::new());
        Drawn { view, notes, numbered, rows, hints, answer, is_much: false, is_wanted: false }
    }

    /// What belongs below it.
    fn below(&self, width: usize) -> Vec<Line> {
        let hints = self.hints.iter().flatten().chain(&self.answer);
        hints.flat_map(|line| folded(line, width)).map(|line| told(&line)).collect()
    }

    /// Notes that a line was typed after a prompt.
    fn answered(&mut self, prompt: &str, line: &str) {
        let answer = std::mem::take(&mut self.answer);
        self.hints.get_or_insert(answer);
        self.rows += 1;
        self.is_much = false;
        if line.trim().is_empty() {
            self.is_wanted = true;
        } else {
            self.answer.push(format!("{prompt}{line}"));
        }
    }
}

impl<'a> Terminal<'a> {
    pub(super) fn new(screen: &'a mut Screen) -> io::Result<Terminal<'a>> {
        let lively = io::stdin().is_terminal() && io::stdout().is_terminal();
        let coloured = screen.is_coloured();
        let history = || saves::state_folder().map(|folder| folder.join("history.txt"));
        let editor = lively.then(|| Editor::new(history(), coloured)).transpose()?;
        let hints = Hints::of(if lively { saves::state_folder() } else { None });
        Ok(Terminal {
            screen,
            editor,
            watched: None,
            shown: 0,
            printed: 0,
            is_scrolling: false,
            told: Vec::new(),
            is_held: false,
            waiting: None,
            drawn: None,
            hints,
            waited: 0,
        })
    }

    /// Prints everything below each other from now on.
    pub(super) fn scroll(&mut self) {
        self.is_scrolling = true;
    }

    /// Watches files from now on: before a line is begun a change ends it, so that the game is shown with
    /// the new rules; while a line is typed the change is reported above it.
    pub(super) fn watch(&mut self, watched: Watched) {
        if let Some(editor) = &mut self.editor {
            editor.announce(watched.clone());
            self.watched = Some(watched);
        }
    }

    /// Whether each decision has the whole screen.
    fn is_whole(&self) -> bool {
        let (width, height) = SMALLEST;
        let fits = Screen::width() >= width && Screen::height() >= height;
        self.editor.is_some() && !self.is_scrolling && fits
    }

    /// Draws a view in place of what stands on the screen.
    fn redraw(&mut self, view: &TableView, numbered: bool) -> io::Result<()> {
        let (width, height) = (Screen::width(), Screen::height() - 1);
        let notes = self.told.clone();
        let picture = Picture { view, notes: &notes, numbered, width, height };
        let lines = table_screen::draw(&picture);
        let rows = lines.len();
        self.drawn = None;
        if !std::mem::take(&mut self.is_held) {
            self.screen.steer(BLANK)?;
            self.drawn = Some(Drawn::new(view.clone(), notes, numbered, rows));
        }
        lines.iter().try_for_each(|line| self.screen.put(line))
    }

    /// Draws the decision again where what was printed since has pushed it off the screen, with the answer
    /// to the last line below it: the question and the moves stay in sight. An answer that is too long
    /// for that stays as it is.
    fn refit(&mut self) -> io::Result<()> {
        let (width, height) = (Screen::width(), Screen::height() - 1);
        let is_whole = self.is_whole();
        let Some(drawn) = self.drawn.as_mut().filter(|_| is_whole) else { return Ok(()) };
        let below = drawn.below(width);
        let room = height.saturating_sub(below.len());
        let is_off = drawn.rows > height && !drawn.is_much && room >= LEAST_DRAWN;
        if !is_off && !drawn.is_wanted {
            return Ok(());
        }
        let Drawn { view, notes, numbered, .. } = &*drawn;
        let picture = Picture { view, notes, numbered: *numbered, width, height: room };
        let lines = table_screen::draw(&picture);
        (drawn.rows, drawn.is_wanted) = (lines.len() + below.len(), false);
        self.screen.steer(BLANK)?;
        lines.iter().chain(&below).try_for_each(|line| self.screen.put(line))
    }

    /// Notes what is printed below the decision that is drawn.
    fn noted(&mut self, line: &str) {
        if let Some(drawn) = &mut self.drawn {
            drawn.rows += folded(line, Screen::width()).len();
            drawn.answer.push(line.to_owned());
        }
    }

    /// Notes that so much is printed below the decision that it is not printed again.
    fn noted_much(&mut self) {
        if let Some(drawn) = &mut self.drawn {
            drawn.answer.clear();
            (drawn.is_much, drawn.rows) = (true, usize::MAX / 2);
        }
    }

    /// Reads a line from a pipe, and shows it after the prompt as if it had been typed. A question
    /// that needs no answer is shown only with a line.
    fn read(&mut self, prompt: &Prompt) -> io::Result<Reply> {
        if !prompt.idle {
            self.screen.text(prompt.prompt)?;
        }
        self.screen.flush()?;
        let input = io::stdin();
        let mut bytes = Vec::new();
        if input.lock().read_until(b'\n', &mut bytes)? == 0 {
            if !prompt.idle {
                self.screen.line("")?;
            }
            return Ok(Reply::End);
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if prompt.idle {
            self.screen.text(prompt.prompt)?;
        }
        if !input.is_terminal() {
            self.screen.line(&line)?;
        }
        Ok(Reply::Line(line))
    }
}

/// A line in as many as it needs, all as far from the left as the first.
fn folded(line: &str, width: usize) -> Vec<String> {
    if length(line) <= width {
        return vec![line.to_owned()];
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let lines = wrap(line, width.saturating_sub(indent.len()).max(1));
    lines.iter().map(|line| format!("{indent}{line}")).collect()
}

/// A line that is told; how a game ended stands out.
fn told(line: &str) -> Line {
    if line.starts_with("= ") { Line::styled(line, STRONG) } else { Line::plain(line) }
}

/// A line of a list with its number, which is faint where there are colours.
fn faint_number(line: &str) -> Line {
    let digits = line.trim_start().chars().take_while(char::is_ascii_digit).count();
    let end = line.len() - line.trim_start().len() + digits;
    let mut shown = Line::styled(&line[..end], FAINT);
    shown.push(&line[end..], Style::new());
    shown
}

impl Console for Terminal<'_> {
    fn is_lively(&self) -> bool {
        self.editor.is_some()
    }

    fn redraws(&self) -> bool {
        self.is_whole()
    }

    fn ask(&mut self, prompt: &Prompt) -> io::Result<Reply> {
        let styled = self.screen.styled(PROMPT, prompt.prompt);
        (self.told, self.is_held) = (Vec::new(), false);
        self.refit()?;
        self.screen.flush()?;
        let Some(editor) = &mut self.editor else { return self.read(prompt) };
        if let Some(watched) = &mut self.watched {
            self.screen.styled_text(PROMPT, prompt.prompt)?;
            self.screen.flush()?;
            if tty::wait_for_change(|| !watched.changed().is_empty())? {
                // As if Enter had been typed: the game goes on with the new rules.
                self.screen.clear()?;
                return Ok(Reply::Line(String::new()));
            }
        }
        let reply = editor.ask(prompt, (&gate::plain(prompt.prompt), &styled))?;
        if let (Some(drawn), Reply::Line(line)) = (&mut self.drawn, &reply) {
            drawn.answered(prompt.prompt, line);
        }
        Ok(reply)
    }

    fn hand_over(&mut self, name: &str) -> io::Result<Reply> {
        // The next person must not see what this one saw.
        self.drawn = None;
        let Some(editor) = &mut self.editor else { return Ok(Reply::Line(String::new())) };
        self.screen.steer(CLEAR)?;
        self.screen.flush()?;
        let words = format!("Pass the screen to {name}. {name}, press Enter when ready ");
        let shown = gate::plain(&words);
        let reply = editor.ask(&Prompt::enter(&words), (&shown, &shown))?;
        self.screen.steer(CLEAR)?;
        Ok(reply)
    }

    fn begin_work(&mut self) -> io::Result<()> {
        if self.editor.is_some() {
            self.screen.flush()?;
            tty::hush();
            progress::begin();
        }
        Ok(())
    }

    fn think(&mut self, thinker: Option<&str>, work: &mut dyn FnMut()) -> io::Result<bool> {
        self.waited = 0;
        let Some(thinker) = thinker.filter(|_| self.editor.is_some()) else {
            work();
            return Ok(false);
        };
        self.begin_work()?;
        let words = format!("{thinker} thinks …");
        self.screen.styled_text(FAINT, &format!("{words} (Ctrl-C stops)"))?;
        self.screen.flush()?;
        self.waited = progress::ticking(&words, self.screen.is_coloured(), work);
        self.screen.steer(ERASE)?;
        self.waited()
    }

    fn waited_long(&self) -> Option<u64> {
        (self.waited > LONG).then_some(self.waited / 1000)
    }

    fn wants_hint(&mut self, hint: Hint) -> bool {
        self.hints.wants(hint)
    }

    fn used(&mut self, hint: Hint) {
        self.hints.used(hint);
    }

    fn progress(&self) -> &'static Progress {
        &progress::WORK
    }

    fn waited(&mut self) -> io::Result<bool> {
        if self.editor.is_none() {
            return Ok(false);
        }
        self.screen.flush()?;
        tty::forget_typed();
        tty::restore();
        Ok(progress::end())
    }

    fn news(&mut self, line: &str) -> io::Result<()> {
        if self.is_whole() { Ok(()) } else { self.tell(line) }
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.printed += 1;
        if self.is_whole() {
            self.told.push(line.to_owned());
        }
        let width = Screen::width();
        let is_whole = self.editor.is_none() || length(line) <= width;
        let lines = if is_whole { vec![line.to_owned()] } else { folded(line, width) };
        for line in &lines {
            self.noted(line);
            self.screen.put(&told(line))?;
        }
        Ok(())
    }

    fn note(&mut self, line: &str) -> io::Result<()> {
        self.screen.flush()?;
        self.told.push(line.to_owned());
        self.noted(line);
        self.screen.note(line)
    }

    fn show(&mut self, showing: &Showing) -> io::Result<()> {
        if self.is_whole() && !showing.whole {
            if showing.moves == 0 {
                return self.redraw(showing.table, false);
            }
            self.waiting = Some(showing.table.clone());
            return Ok(());
        }
        let others = OTHER_LINES + showing.moves.min(FEWEST_LINES) + self.printed.min(MOST_PRINTED);
        let sheet = Sheet {
            view: showing.table,
            names: showing.names,
            width: Screen::width(),
            height: (!showing.whole).then(|| Screen::height().saturating_sub(others)),
            focus: showing.decides.map(Player::index),
        };
        self.noted_much();
        let lines = draw(&sheet);
        self.shown = lines.len() + std::mem::take(&mut self.printed).min(MOST_PRINTED);
        lines.iter().try_for_each(|line| self.screen.put(line))
    }

    fn list(&mut self, list: &MoveList) -> io::Result<()> {
        if let Some(view) = self.waiting.take().filter(|_| !list.whole) {
            return self.redraw(&view, list.numbered);
        }
        let room = Screen::height().saturating_sub(self.shown + OTHER_LINES).max(FEWEST_LINES);
        let lines = (!list.whole).then_some(room);
        let longest = list.moves.iter().map(|(_, label)| length(label)).max().unwrap_or(0);
        if self.is_whole() && !list.numbered && longest <= Screen::width() / 2 {
            let parts = list.moves.iter().map(|(_, label)| (String::new(), label.clone()));
            for line in entries("", &parts.collect::<Vec<_>>(), Screen::width()) {
                self.noted(&line.letters());
                self.screen.put(&line)?;
            }
            return Ok(());
        }
        for line in moves::list(list, Screen::width(), lines) {
            self.noted(&line);
            let numbered = list.numbered && line.starts_with(' ');
            let line = if numbered { faint_number(&line) } else { Line::plain(&line) };
            self.screen.put(&line)?;
        }
        Ok(())
    }

    fn grid(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        self.noted_much();
        // Other programs find each row in a line of its own.
        let width = if self.editor.is_some() { Screen::width() } else { usize::MAX };
        align(rows, width).iter().try_for_each(|line| self.screen.put(line))
    }

    fn draw(&mut self, sources: &Sources, found: &Diagnostics, answer: bool) -> io::Result<()> {
        self.is_held |= !answer;
        self.noted_much();
        if answer { self.screen.show(sources, found) } else { self.screen.report(sources, found) }
    }
}
