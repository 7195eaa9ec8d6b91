//! The table in words and drawings, for whoever shows it.

mod boards;
mod cell;
mod colour;
mod grouping;
mod look;
mod series;
mod tracks;

pub use cell::Cell;
pub use colour::Paint;
pub(super) use look::Look;
pub(super) use tracks::{Track, tracks};

use crate::bytecode::vars::VarInfo;
use grouping::Plan;

/// Something that is shown: a variable with its value, or a drawing of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thing {
    pub title: String,
    /// Its value; of an array, each index with its value. Where it is drawn in rows and columns,
    /// what explains them.
    pub value: String,
    /// The colours of the words of the value, or one for all of them; none where colours say nothing.
    pub inks: Vec<Paint>,
    /// Rows of cells, the first with the headings, each behind a heading of its own; none where the
    /// value says all.
    pub grid: Vec<Vec<Cell>>,
}

/// Everything that can be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableView {
    pub table: Vec<Thing>,
    pub players: Vec<Vec<Thing>>,
}

/// Puts a state into words: what a player sees of it, if it is a player who looks.
pub(super) fn view(look: Look) -> TableView {
    let plan = Plan::new(look);
    let mut table = plan.things(false, 0);
    table.extend(plan.of_players_alone());
    let players = (0..look.program.players).map(|seat| plan.things(true, seat)).collect();
    TableView { table, players }
}

impl Look<'_> {
    /// A variable that is drawn or told alone.
    fn thing(self, var: &VarInfo, seat: usize) -> Thing {
        let title = var.title.clone();
        if let Some((grid, value)) = boards::alone(self, var, seat) {
            return Thing { title, value, inks: Vec::new(), grid };
        }
        if !var.dims.is_empty() {
            return Thing { title, value: self.elements(var, seat), ..Thing::default() };
        }
        let (value, _) = self.element(var, (seat, 0));
        let words = self.words(var, (seat, 0)).unwrap_or_default();
        let inks = self.inks(&var.format, &words, &value);
        Thing { title, value, inks, grid: Vec::new() }
    }
}
