//! People at the terminal, or lines from a pipe.

use std::io::{self, IsTerminal};

use anstyle::Style;

use crate::cli::drawn::{BLANK, DrawnTable, SMALLEST, fits_screen, style_message, wrap_indented};
use crate::cli::{editor::Editor, hints::Hints, moves};
use crate::diagnostic::Diagnostics;
use crate::game::{Player, TableView};
use crate::host::drawing::line::{FAINT, PROMPT, StyledLine, text_width, wrap};
use crate::host::drawing::screen_moves::render_entries;
use crate::host::drawing::table_view::{Sheet, align, render_view};
use crate::host::{disk, gate, progress, saves, screen::Screen, tty, watch::WatchedFiles};
use crate::progress::Progress;
use crate::session::{Console, Hint, MoveList, Prompt, Reply, Showing};
use crate::snippet::HelpBlock;
use crate::source::Sources;

/// The lines that a decision takes beside the table and its moves: the question and the prompt.
const OTHER_LINES: usize = 2;

/// How many lines that were printed before the table should still be seen.
const MOST_PRINTED: usize = 3;

/// The fewest lines that a list of moves may take.
const FEWEST_LINES: usize = 4;

/// Who waits for so many milliseconds has perhaps looked away.
const LONG: u64 = 2_000;

/// What makes a terminal forget the line that it is in.
const ERASE: &str = "\r\x1b[K";

pub(super) struct Terminal<'a> {
    pub(super) screen: &'a mut Screen,
    /// Where lines are typed; none where they come from a pipe.
    editor: Option<Editor>,
    /// The files whose changes are shown at once.
    watched: Option<WatchedFiles>,
    /// How many lines the table took when it was last shown, with those printed before it.
    shown: usize,
    /// How many lines were printed since then.
    printed: usize,
    hints: Hints,
    /// For how many milliseconds people have just waited.
    waited: u64,
    /// Whether it was said that the window is too small for the whole table.
    is_small_said: bool,
    /// Whether everything is printed below each other, though people sit at a screen.
    is_scrolling: bool,
    /// What was typed in place of a look at the next page.
    leafed: Option<String>,
    /// How many lines the person before the next one typed ahead in vain.
    left: usize,
    /// What was told since the last line was typed.
    told: Vec<String>,
    /// Whether something stands on the screen that must not be wiped off before the next line.
    is_held: bool,
    /// What is drawn when its moves are listed.
    waiting: Option<TableView>,
}

impl<'a> Terminal<'a> {
    /// A terminal with the lines that were typed in this game before.
    pub(super) fn new(screen: &'a mut Screen, game: &str) -> io::Result<Terminal<'a>> {
        let lively = io::stdin().is_terminal() && io::stdout().is_terminal();
        let coloured = screen.is_coloured();
        let history = || saves::history_of(game);
        let editor = lively.then(|| Editor::new(history(), coloured)).transpose()?;
        let hints = Hints::load_from(if lively { saves::state_folder() } else { None });
        Ok(Terminal {
            screen,
            editor,
            watched: None,
            shown: 0,
            printed: 0,
            is_small_said: false,
            is_scrolling: Screen::is_dumb(),
            leafed: None,
            left: 0,
            told: Vec::new(),
            is_held: false,
            waiting: None,
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
    pub(super) fn watch(&mut self, watched: WatchedFiles) {
        if let Some(editor) = &mut self.editor {
            editor.announce_changes(watched.clone());
            self.watched = Some(watched);
        }
    }

    /// Whether each decision has the whole screen.
    fn is_full_screen(&self) -> bool {
        self.editor.is_some() && !self.is_scrolling && fits_screen()
    }

    /// Changes the decision that is drawn on the whole screen, if there is one.
    fn with_drawn(&self, change: impl FnOnce(&mut DrawnTable)) {
        if let Some(editor) = &self.editor {
            editor.screen.update_table(change);
        }
    }

    fn put_drawn(&self, drawn: Option<DrawnTable>) {
        if let Some(editor) = &self.editor {
            editor.screen.replace_table(drawn);
        }
    }

    /// Draws a view in place of what stands on the screen.
    fn redraw(&mut self, view: &TableView, numbered: bool) -> io::Result<()> {
        let mut drawn = DrawnTable::new(view.clone(), self.told.clone(), numbered);
        let lines = drawn.render_lines();
        let is_held = std::mem::take(&mut self.is_held);
        if !is_held {
            self.screen.steer(BLANK)?;
        }
        self.put_drawn(Some(drawn).filter(|_| !is_held));
        lines.iter().try_for_each(|line| self.screen.print_styled(line))
    }

    /// Draws the decision again where what was printed since has pushed it off the screen, with the answer
    /// to the last line below it: the question and the moves stay in sight. An answer that is too long
    /// for that stays as it is.
    fn refit(&mut self) -> io::Result<()> {
        let is_whole = self.is_full_screen();
        let mut lines = None;
        self.with_drawn(|drawn| {
            if is_whole && (drawn.is_off() || drawn.is_wanted) {
                lines = Some(drawn.render_lines());
            }
        });
        let Some(lines) = lines else { return Ok(()) };
        self.screen.steer(BLANK)?;
        lines.iter().try_for_each(|line| self.screen.print_styled(line))
    }

    /// Prints lines a screen at a time. What is typed before the next one, other than Enter, is the answer to the next
    /// question.
    fn leaf(&mut self, lines: &[StyledLine]) -> io::Result<()> {
        let height = Screen::height().saturating_sub(1).max(1);
        let (mut pages, mut has_left) = (lines.chunks(height).peekable(), false);
        while let Some(page) = pages.next() {
            page.iter().try_for_each(|line| self.screen.print_styled(line))?;
            self.screen.flush()?;
            let Some(editor) = self.editor.as_mut().filter(|_| pages.peek().is_some()) else {
                continue;
            };
            let question = "Enter shows more, q and Enter leaves ";
            editor.screen.put_page(Some(page.to_vec()));
            let reply = editor.ask_line(&Prompt::enter(question), (question, question));
            editor.screen.put_page(None);
            let Reply::Line(typed) = reply? else { break };
            let (first, rest) = typed.split_once('\n').unwrap_or((&typed, ""));
            let answer = if first.trim().is_empty() { rest } else { &typed };
            if !answer.trim().is_empty() {
                has_left = answer.trim() == "q";
                self.leafed = Some(answer.to_owned()).filter(|_| !has_left);
                break;
            }
        }
        self.noted_much();
        self.with_drawn(|drawn| drawn.is_wanted |= has_left);
        Ok(())
    }

    /// Prints a list of moves below what stands there.
    fn list_below(&mut self, list: &MoveList) -> io::Result<()> {
        let room = Screen::height().saturating_sub(self.shown + OTHER_LINES).max(FEWEST_LINES);
        let lines = (!list.whole).then_some(room);
        let longest = list.moves.iter().map(|(_, label)| text_width(label)).max().unwrap_or(0);
        if self.is_full_screen() && !list.numbered && longest <= Screen::screen_width() / 2 {
            let parts = list.moves.iter().map(|(_, label)| (String::new(), label.clone()));
            for line in render_entries("", &parts.collect::<Vec<_>>(), Screen::screen_width()) {
                self.note_below(&line.letters());
                self.screen.print_styled(&line)?;
            }
            return Ok(());
        }
        let lines = moves::format_moves(list, Screen::screen_width(), lines);
        if self.editor.is_some() && lines.len() >= Screen::height() {
            return self
                .leaf(&lines.iter().map(|line| StyledLine::from_text(line)).collect::<Vec<_>>());
        }
        for line in lines {
            self.note_below(&line);
            let numbered = list.numbered && line.starts_with(' ');
            let line = if numbered { faint_number(&line) } else { StyledLine::from_text(&line) };
            self.screen.print_styled(&line)?;
        }
        Ok(())
    }

    /// Notes what is printed below the decision that is drawn.
    fn note_below(&self, line: &str) {
        self.with_drawn(|drawn| drawn.add_answer(line));
    }

    fn noted_much(&self) {
        self.with_drawn(DrawnTable::noted_much);
    }

    /// Waits for a key after a question, and draws the decision again when the window changes; whether the rules
    /// changed instead.
    fn wait_for_key(&mut self, prompt: &Prompt) -> io::Result<bool> {
        loop {
            let Some(editor) = self.editor.as_ref() else { return Ok(false) };
            let screen = editor.screen.clone();
            let mut watched = self.watched.as_mut();
            if editor.has_begun() || watched.is_none() && !screen.is_there() {
                return Ok(false);
            }
            self.screen.styled_text(PROMPT, prompt.prompt)?;
            self.screen.flush()?;
            let mut is_new = false;
            let changed = tty::wait_for_change(|| {
                is_new = watched.as_mut().is_some_and(|watched| !watched.changed().is_empty());
                is_new || screen.is_wanted()
            })?;
            if is_new || !changed {
                return Ok(is_new);
            }
            self.screen.steer(BLANK)?;
            let lines = screen.redrawn_screen().unwrap_or_default();
            lines.iter().try_for_each(|line| self.screen.print_styled(line))?;
        }
    }

    /// Reads a line from a pipe, and shows it after the prompt as if it had been typed. A question
    /// that needs no answer is shown only with a line.
    fn read_piped(&mut self, prompt: &Prompt) -> io::Result<Reply> {
        if !prompt.idle {
            self.screen.print_text(prompt.prompt)?;
        }
        self.screen.flush()?;
        let Some(line) = disk::read_line()? else {
            if !prompt.idle {
                self.screen.print_line("")?;
            }
            return Ok(Reply::End);
        };
        if prompt.idle {
            self.screen.print_text(prompt.prompt)?;
        }
        if !io::stdin().is_terminal() {
            self.screen.print_line(&line)?;
        }
        Ok(Reply::Line(line))
    }
}

/// A line of a list with its number, which is faint where there are colours.
fn faint_number(line: &str) -> StyledLine {
    let digits = line.trim_start().chars().take_while(char::is_ascii_digit).count();
    let end = line.len() - line.trim_start().len() + digits;
    let mut shown = StyledLine::styled(&line[..end], FAINT);
    shown.push_text(&line[end..], Style::new());
    shown
}

impl Console for Terminal<'_> {
    fn is_lively(&self) -> bool {
        self.editor.is_some()
    }

    fn redraws(&self) -> bool {
        self.is_full_screen()
    }

    fn ask(&mut self, prompt: &Prompt) -> io::Result<Reply> {
        if let Some(line) = self.leafed.take() {
            self.echo(prompt.prompt, line.lines().next().unwrap_or_default())?;
            return Ok(Reply::Line(line));
        }
        let styled = self.screen.styled(PROMPT, prompt.prompt);
        (self.told, self.is_held) = (Vec::new(), false);
        self.refit()?;
        self.screen.flush()?;
        if self.editor.is_none() {
            return self.read_piped(prompt);
        }
        if self.wait_for_key(prompt)? {
            // As if Enter had been typed: the game goes on with the new rules.
            self.screen.clear_watched()?;
            return Ok(Reply::Line(String::new()));
        }
        let Some(editor) = &mut self.editor else { return Ok(Reply::End) };
        let reply = editor.ask_line(prompt, (&gate::sanitize_text(prompt.prompt), &styled))?;
        if let Reply::Line(line) = &reply {
            self.with_drawn(|drawn| {
                drawn.answered(prompt.prompt, line.lines().next().unwrap_or(""));
            });
        }
        Ok(reply)
    }

    fn echo(&mut self, question: &str, line: &str) -> io::Result<()> {
        (self.told, self.is_held) = (Vec::new(), false);
        self.with_drawn(|drawn| drawn.answered(question, line));
        self.screen.styled_text(PROMPT, question)?;
        self.screen.print_line(line)
    }

    fn withhold(&mut self, lines: usize) {
        self.left = lines;
    }

    fn hand_over(&mut self, name: &str) -> io::Result<Reply> {
        // The next person must not see what this one saw.
        self.put_drawn(None);
        (self.leafed, self.waiting) = (None, None);
        let Some(editor) = &mut self.editor else { return Ok(Reply::Line(String::new())) };
        self.screen.wipe()?;
        self.screen.flush()?;
        editor.discard_typed();
        let left = match std::mem::take(&mut self.left) {
            0 => String::new(),
            left => format!("Not played: lines typed ahead ({left}). "),
        };
        let words = format!("{left}Pass the screen to {name}. {name}, press Enter when ready");
        let mut lines = wrap(&gate::sanitize_text(&words), Screen::screen_width() - 1);
        let last = lines.pop().unwrap_or_default() + " ";
        lines.iter().try_for_each(|line| self.screen.print_line(line))?;
        self.screen.flush()?;
        let reply = editor.ask_line(&Prompt::enter(&words), (&last, &last))?;
        self.screen.wipe()?;
        Ok(reply)
    }

    fn begin_work(&mut self) -> io::Result<()> {
        if self.editor.is_some() {
            self.screen.flush()?;
            tty::hush();
            progress::begin_work();
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
        self.hints.mark_used(hint);
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
        Ok(progress::end_work())
    }

    fn news(&mut self, line: &str) -> io::Result<()> {
        if self.is_full_screen() { Ok(()) } else { self.tell(line) }
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.printed += 1;
        if self.is_full_screen() {
            self.told.push(line.to_owned());
        }
        let width = Screen::screen_width();
        let is_whole = self.editor.is_none() || text_width(line) <= width;
        let lines = if is_whole { vec![line.to_owned()] } else { wrap_indented(line, width) };
        for line in &lines {
            self.note_below(line);
            self.screen.print_styled(&style_message(line))?;
        }
        Ok(())
    }

    fn page(&mut self, text: &[HelpBlock]) -> io::Result<()> {
        if self.editor.is_none() {
            return self.tell_all(text);
        }
        let width = Screen::screen_width();
        let lines = text.iter().flat_map(|block| match block {
            HelpBlock::Line(line) => {
                wrap_indented(line, width).iter().map(|it| style_message(it)).collect()
            }
            HelpBlock::Grid(rows) => align(rows, width),
        });
        let lines: Vec<StyledLine> = lines.collect();
        self.leaf(&lines)
    }

    fn note(&mut self, line: &str) -> io::Result<()> {
        self.screen.flush()?;
        self.told.push(line.to_owned());
        self.note_below(line);
        self.screen.print_note(line)
    }

    fn show(&mut self, showing: &Showing) -> io::Result<()> {
        if self.is_full_screen() && !showing.whole {
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
            width: Screen::screen_width(),
            height: (!showing.whole).then(|| Screen::height().saturating_sub(others)),
            focus: showing.decides.map(Player::index),
        };
        self.noted_much();
        if self.editor.is_some() && !self.is_scrolling && !showing.whole {
            let table = showing.table.clone();
            if showing.moves == 0 {
                // Nobody decides any more: a window that changes its size shows this table.
                self.put_drawn(Some(DrawnTable::new(table, self.told.clone(), false)));
            } else {
                self.waiting = Some(table);
            }
        }
        let lines = render_view(&sheet);
        self.shown = lines.len() + std::mem::take(&mut self.printed).min(MOST_PRINTED);
        if showing.whole {
            self.leaf(&lines)
        } else {
            lines.iter().try_for_each(|line| self.screen.print_styled(line))
        }
    }

    fn list(&mut self, list: &MoveList) -> io::Result<()> {
        if let Some(view) = self.waiting.take().filter(|_| !list.whole) {
            if self.is_full_screen() {
                return self.redraw(&view, list.numbered);
            }
            self.list_below(list)?;
            if !std::mem::replace(&mut self.is_small_said, true) {
                let (width, height) = SMALLEST;
                self.tell(&format!(
                    "the window is too small to draw the table: it needs {width} columns and {height} lines"
                ))?;
            }
            // It is drawn once the window is large enough.
            self.put_drawn(Some(DrawnTable::new(view, self.told.clone(), list.numbered)));
            return Ok(());
        }
        self.list_below(list)
    }

    fn grid(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        self.noted_much();
        // Other programs find each row in a line of its own.
        let width = if self.editor.is_some() { Screen::screen_width() } else { usize::MAX };
        align(rows, width).iter().try_for_each(|line| self.screen.print_styled(line))
    }

    fn draw(&mut self, sources: &Sources, found: &Diagnostics, answer: bool) -> io::Result<()> {
        self.is_held |= !answer;
        self.noted_much();
        if answer {
            self.screen.print_first_findings(sources, found)
        } else {
            self.screen.report_findings(sources, found)
        }
    }
}
