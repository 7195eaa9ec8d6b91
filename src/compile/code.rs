//! Code while it is written: labels for jumps, slots and constants that `link` places later.

use std::collections::BTreeMap;

use crate::bytecode::{
    Format, HiddenDraw, Lines, MeasureInfo, MoveProposal, Op, OptionInfo, Picks, Promise, Rays,
    Wait, Witness,
};
use crate::compile::compiled::SiteDebug;
use crate::source::Span;

/// The first number of a constant, as long as code is being written.
pub(super) const CONSTANTS: u16 = 0x8000;

/// A place in code that may not be written yet.
pub(super) type CodeLabel = u16;

/// A site while code is being written: its place is a label.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) to: CodeLabel,
    /// `question`, `otherwise`, `event` and `outcome` are labels.
    pub(super) wait: Wait,
    pub(super) function: usize,
    /// The rule whose words are popped from the stack after the return to this site.
    pub(super) pulled: Option<usize>,
    pub(super) options: Vec<u16>,
    /// The slots that strategies read here: first and number.
    pub(super) kept: Vec<(u16, u16)>,
    /// What people may see and ask here.
    pub(super) debug: SiteDebug,
    pub(super) span: Span,
}

#[derive(Default)]
pub(super) struct CodeBuffer {
    pub(super) ops: Vec<Op>,
    pub(super) spans: Vec<Span>,
    /// Where each label lies, once it is placed.
    pub(super) labels: Vec<Option<usize>>,
    pub(super) constants: Vec<i64>,
    pub(super) sites: Vec<Draft>,
    /// Options; `template` is a label.
    pub(super) options: Vec<OptionInfo>,
    /// Where their tests begin is a label.
    pub(super) proposals: Vec<MoveProposal>,
    pub(super) picks: Vec<Picks>,
    /// For each supposition the locals that are in use before it: first slot and number.
    pub(super) suppositions: Vec<Vec<(u16, u16)>>,
    /// The draws that not everybody sees, by the site after each.
    pub(super) unseen: BTreeMap<u16, HiddenDraw>,
    /// Who sees the draw that comes next, if not all do.
    pub(super) seen_by: Option<Witness>,
    pub(super) rays: Vec<Rays>,
    pub(super) lines: Vec<Lines>,
    pub(super) texts: Vec<String>,
    pub(super) formats: Vec<Format>,
    /// Measures and promises; where they begin is a label.
    pub(super) measures: Vec<MeasureInfo>,
    pub(super) always: Vec<Promise>,
    /// Where the code of the limit begins.
    pub(super) limit_site: u16,
    /// Moves that cannot be legal, by their places.
    pub(super) barred: BTreeMap<Span, String>,
    /// Where cells of the rules are kept as constants, by where they lie.
    pub(super) known_cells: BTreeMap<(usize, usize), u16>,
    /// The place of what is being written.
    pub(super) span: Span,
    /// What there is too much of.
    pub(super) excess: Option<(&'static str, Span)>,
    next_slot: u16,
    /// The labels that are placed, with their places, in this order.
    placed: Vec<(usize, CodeLabel)>,
    known_words: BTreeMap<Vec<i64>, u16>,
    known_texts: BTreeMap<String, usize>,
    known_formats: BTreeMap<Format, usize>,
}

impl CodeBuffer {
    pub(super) fn emit(&mut self, op: Op) {
        self.ops.push(op);
        self.spans.push(self.span);
    }

    /// Appends a jump that is taken if its condition holds, or if it does not.
    pub(super) fn branch(&mut self, jump: Op, when: bool) {
        self.emit(if when { jump } else { jump.opposite() });
    }

    /// A label that is not placed yet.
    pub(super) fn label(&mut self) -> CodeLabel {
        self.labels.push(None);
        self.fit(self.labels.len() - 1, "jumps")
    }

    pub(super) fn labels<const N: usize>(&mut self) -> [CodeLabel; N] {
        std::array::from_fn(|_| self.label())
    }

    /// Places a label here. A jump to what follows anyway is removed.
    pub(super) fn place(&mut self, label: CodeLabel) {
        let end = self.ops.len();
        if self.ops.last() == Some(&(Op::Jump { to: label })) {
            self.ops.pop();
            self.spans.pop();
            for (at, label) in self.placed.iter_mut().rev().take_while(|(at, _)| *at == end) {
                *at = end - 1;
                self.labels[usize::from(*label)] = Some(end - 1);
            }
        }
        self.labels[usize::from(label)] = Some(self.ops.len());
        self.placed.push((self.ops.len(), label));
    }

    pub(super) fn here(&mut self) -> CodeLabel {
        let label = self.label();
        self.place(label);
        label
    }

    /// Takes the operations out for which this is yes; no label leads to them. Returns for each operation, and
    /// for the end, where it lies now.
    pub(super) fn take_out(&mut self, removed: &[bool]) -> Vec<usize> {
        let mut places = vec![0];
        places.extend(removed.iter().scan(0, |next, removed| {
            *next += usize::from(!removed);
            Some(*next)
        }));
        self.labels.iter_mut().flatten().for_each(|at| *at = places[*at]);
        let mut stays = removed.iter().map(|removed| !removed);
        self.ops.retain(|_| stays.next() == Some(true));
        let mut stays = removed.iter().map(|removed| !removed);
        self.spans.retain(|_| stays.next() == Some(true));
        places
    }

    pub(super) fn slots(&mut self, width: u16) -> u16 {
        let slot = self.next_slot;
        match slot.checked_add(width).filter(|next| *next < CONSTANTS) {
            Some(next) => self.next_slot = next,
            None => self.exceed("words in the state"),
        }
        slot
    }

    pub(super) fn slot_count(&self) -> u16 {
        self.next_slot
    }

    pub(super) fn constant(&mut self, word: i64) -> u16 {
        self.constants(&[word])
    }

    pub(super) fn constants(&mut self, words: &[i64]) -> u16 {
        if let Some(known) = self.known_words.get(words) {
            return *known;
        }
        let end = self.fit(self.constants.len() + words.len(), "constants");
        let at = end - self.fit(words.len(), "constants");
        if at >= CONSTANTS - 1 {
            self.exceed("constants");
            return CONSTANTS;
        }
        self.constants.extend_from_slice(words);
        self.known_words.insert(words.to_vec(), CONSTANTS + at);
        CONSTANTS + at
    }

    /// The word of a slot, if it is that of a constant.
    pub(super) fn constant_at(&self, slot: u16) -> Option<i64> {
        self.constants.get(usize::from(slot.checked_sub(CONSTANTS)?)).copied()
    }

    pub(super) fn text(&mut self, words: &str) -> u16 {
        let at = intern(&mut self.texts, &mut self.known_texts, words.to_owned());
        self.fit(at, "texts")
    }

    pub(super) fn format(&mut self, format: Format) -> u16 {
        let at = intern(&mut self.formats, &mut self.known_formats, format);
        self.fit(at, "formats")
    }

    pub(super) fn site(&mut self, draft: Draft) -> u16 {
        self.sites.push(draft);
        self.fit(self.sites.len() - 1, "places to wait")
    }

    pub(super) fn add_option(&mut self, option: OptionInfo) -> u16 {
        self.options.push(option);
        self.fit(self.options.len() - 1, "options")
    }

    /// Notes that there is too much of something; what is written from here on will not be run.
    pub(super) fn exceed(&mut self, what: &'static str) {
        self.excess.get_or_insert((what, self.span));
    }

    /// A number as an operand; one that is too large is an error, and then 0.
    pub(super) fn fit(&mut self, number: usize, what: &'static str) -> u16 {
        u16::try_from(number).unwrap_or_else(|_| {
            self.exceed(what);
            0
        })
    }
}

/// The position of an item in a list, pushed if it is new.
pub(super) fn position_or_push<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// The position of an item in a list that holds each once.
fn intern<T: Clone + Ord>(list: &mut Vec<T>, known: &mut BTreeMap<T, usize>, item: T) -> usize {
    *known.entry(item).or_insert_with_key(|item| {
        list.push(item.clone());
        list.len() - 1
    })
}
