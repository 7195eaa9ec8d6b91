//! A compiled program with what is known of its sites, and the pieces that can be added to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::Program;
use crate::compile::passes::Passes;
use crate::rules::{Choose, LocalId, Rule, RuleId, Value};
use crate::source::Span;

/// Where a local is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// In this many slots from the first on, numbered as the compiler gave them out.
    Slots(u16, u16),
    /// Nowhere: it is this constant.
    Known(Value),
    /// In an array: first slot, the low end and size of each dimension, slots of one element.
    Array(u16, Vec<(i64, usize)>, u16),
}

impl Storage {
    /// The first of its slots, and how many there are.
    pub(super) fn slots(&self) -> Option<(u16, u16)> {
        match self {
            Storage::Slots(at, width) => Some((*at, *width)),
            Storage::Known(_) => None,
            Storage::Array(at, dims, width) => {
                let elements: usize = dims.iter().map(|(_, size)| size).product();
                Some((*at, u16::try_from(elements).ok()?.checked_mul(*width)?))
            }
        }
    }
}

/// What is known of a site beyond the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteDebug {
    pub(crate) rule: Option<RuleId>,
    /// The number of the body that waits, and how many of its locals were kept before.
    pub(super) history: (usize, usize),
    /// The decision without its bodies, when one is waited for.
    pub(crate) choose: Option<Choose>,
}

/// A program, and what is known of its sites.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub program: Program,
    /// For each site, what people may see and ask there.
    pub(crate) sites: Vec<SiteDebug>,
    /// Moves that cannot be legal under this setting, by their places.
    pub(crate) barred: BTreeMap<Span, String>,
    pub(crate) ranges: Vec<(i64, Option<i64>)>,
    /// The passes that were switched off, and those that did something.
    pub(crate) off: Passes,
    pub fired: Passes,
    /// The slots of the piece that was added last.
    pub(crate) piece: PieceSlots,
    /// Where the slots that the compiler gave out lie in the state.
    pub(super) slots: Vec<u16>,
    /// For each body, where its locals were kept, in this order.
    pub(super) histories: Vec<Vec<(LocalId, Storage)>>,
}

impl Compiled {
    /// Where a slot that [`Storage`] names lies in the state; slots of other programs lie nowhere.
    pub(crate) fn slot(&self, given: u16) -> u16 {
        self.slots.get(usize::from(given)).copied().unwrap_or(0)
    }

    /// The locals in scope at a site, and where they are kept while the game waits.
    pub(crate) fn in_sight(&self, site: usize) -> BTreeMap<LocalId, Storage> {
        let live: BTreeSet<u16> = self.program.sites[site].live.iter().copied().collect();
        let (history, seen) = self.sites[site].history;
        let mut kept: BTreeMap<LocalId, Storage> =
            self.histories[history][..seen].iter().cloned().collect();
        kept.retain(|_, kept| match kept {
            Storage::Known(_) => true,
            Storage::Slots(at, width) => {
                (*at..*at + *width).all(|slot| live.contains(&self.slot(slot)))
            }
            Storage::Array(at, ..) => live.contains(&self.slot(*at)),
        });
        kept
    }
}

/// A piece that somebody typed, to be run against a state of a game.
#[derive(Clone, Debug)]
pub struct Snippet {
    /// The piece as a rule of its own; its body is run once.
    pub(crate) rule: Rule,
    /// Where its locals are found, those of the waiting rule among them.
    pub(crate) locals: Vec<(LocalId, Storage)>,
    /// What `moves` stands for.
    pub(crate) moves: i64,
    /// Locals that the caller fills in before each run.
    pub(crate) params: Vec<LocalId>,
    /// Whether its value is to be put into words; else it is run as a statement.
    pub(crate) printed: bool,
}

/// Where a piece takes its parameters from and leaves its value: first slot and number of slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct PieceSlots {
    /// One for each of [`Snippet::params`].
    pub(crate) params: Vec<(u16, u16)>,
    /// The value, if it has one that is not put into words.
    pub(crate) result: Option<(u16, u16)>,
}
