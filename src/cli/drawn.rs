//! A decision as it is drawn on the whole screen: drawn again after an answer, when the window changes, and when a
//! key asks for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::game::TableView;
use crate::host::drawing::line::{STRONG, StyledLine, text_width, wrap};
use crate::host::drawing::table_screen;
use crate::host::screen::Screen;

/// What makes a terminal forget what stands on the screen, not what was there before.
pub(super) const BLANK: &str = "\x1b[H\x1b[J";

/// The smallest screen that is drawn as a whole.
pub(super) const SMALLEST: (usize, usize) = (40, 12);

/// How many lines a decision has at least where it is drawn again above an answer.
const LEAST_DRAWN: usize = 6;

#[derive(Debug)]
pub(super) struct DrawnTable {
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
    pub(super) is_wanted: bool,
}

impl DrawnTable {
    pub(super) fn new(view: TableView, notes: Vec<String>, numbered: bool) -> DrawnTable {
        let (hints, answer, is_much) = (None, Vec::new(), false);
        DrawnTable { view, notes, numbered, rows: 0, hints, answer, is_much, is_wanted: false }
    }

    /// The whole screen but its last line, with the answer to the last line that was typed.
    pub(super) fn render_lines(&mut self) -> Vec<StyledLine> {
        let (width, height) = (Screen::screen_width(), Screen::height() - 1);
        let hints = self.hints.iter().flatten().chain(&self.answer);
        let mut below: Vec<StyledLine> = Vec::new();
        for line in hints {
            let lines = wrap_indented(line, width);
            if below.len() + lines.len() + LEAST_DRAWN > height {
                break;
            }
            below.extend(lines.iter().map(|line| style_message(line)));
        }
        let height = height - below.len();
        let mut lines =
            table_screen::render_screen(&self.view, &self.notes, self.numbered, (width, height));
        lines.extend(below);
        (self.rows, self.is_wanted) = (lines.len(), false);
        lines
    }

    /// Whether the decision has left the screen, and can be drawn again with the answer below it.
    pub(super) fn is_off(&self) -> bool {
        let (width, height) = (Screen::screen_width(), Screen::height() - 1);
        let below = self.hints.iter().flatten().chain(&self.answer);
        let below: usize = below.map(|line| wrap_indented(line, width).len()).sum();
        self.rows > height && !self.is_much && height.saturating_sub(below) >= LEAST_DRAWN
    }

    /// Notes a line that is printed below it.
    pub(super) fn add_answer(&mut self, line: &str) {
        self.rows += wrap_indented(line, Screen::screen_width()).len();
        self.answer.push(line.to_owned());
    }

    /// Notes that so much is printed below it that it is not printed again.
    pub(super) fn noted_much(&mut self) {
        self.answer.clear();
        (self.is_much, self.rows) = (true, usize::MAX / 2);
    }

    /// Notes that a line was typed after a prompt.
    pub(super) fn answered(&mut self, prompt: &str, line: &str) {
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

/// Whether the screen is large enough for a whole decision.
pub(super) fn fits_screen() -> bool {
    Screen::screen_width() >= SMALLEST.0 && Screen::height() >= SMALLEST.1
}

/// A line in as many as it needs, all as far from the left as the first.
pub(super) fn wrap_indented(line: &str, width: usize) -> Vec<String> {
    if text_width(line) <= width {
        return vec![line.to_owned()];
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let lines = wrap(line, width.saturating_sub(indent.len()).max(1));
    lines.iter().map(|line| format!("{indent}{line}")).collect()
}

/// A line that is told; how a game ended stands out.
pub(super) fn style_message(line: &str) -> StyledLine {
    if line.starts_with("= ") {
        StyledLine::styled(line, STRONG)
    } else {
        StyledLine::from_text(line)
    }
}

/// The decision on the screen, as the line editor shares it with the table.
#[derive(Clone, Debug, Default)]
pub(super) struct OnScreen(Arc<Mutex<ScreenState>>);

#[derive(Debug, Default)]
struct ScreenState {
    drawn: Option<DrawnTable>,
    /// The page of a longer text that stands in its place.
    page: Option<Vec<StyledLine>>,
    /// The window that it was drawn in.
    size: (usize, usize),
}

impl ScreenState {
    fn is_shown(&self) -> bool {
        self.page.is_some() || self.drawn.is_some()
    }
}

impl OnScreen {
    fn lock_state(&self) -> MutexGuard<'_, ScreenState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn replace_table(&self, drawn: Option<DrawnTable>) {
        *self.lock_state() = ScreenState { drawn, page: None, size: screen_size() };
    }

    /// Puts a page in the place of the decision, or takes it away.
    pub(super) fn put_page(&self, page: Option<Vec<StyledLine>>) {
        self.lock_state().page = page;
    }

    pub(super) fn update_table(&self, change: impl FnOnce(&mut DrawnTable)) {
        self.lock_state().drawn.as_mut().map(change);
    }

    /// Has the decision drawn again with the next change of the line; whether there is one.
    pub(super) fn want(&self) -> bool {
        let mut state = self.lock_state();
        state.size = (0, 0);
        state.is_shown() && fits_screen()
    }

    /// Whether there is a decision that must be drawn again, in another window.
    pub(super) fn is_wanted(&self) -> bool {
        let state = self.lock_state();
        state.is_shown() && state.size != screen_size() && fits_screen()
    }

    pub(super) fn is_there(&self) -> bool {
        self.lock_state().drawn.is_some()
    }

    /// The whole screen, where it must be drawn again.
    pub(super) fn redrawn_screen(&self) -> Option<Vec<StyledLine>> {
        if !self.is_wanted() {
            return None;
        }
        let mut state = self.lock_state();
        state.size = screen_size();
        state.page.clone().or_else(|| state.drawn.as_mut().map(DrawnTable::render_lines))
    }
}

fn screen_size() -> (usize, usize) {
    (Screen::screen_width(), Screen::height())
}
