//! The kinds of changes, and one change of a text.

mod conditions;
mod donors;
mod helpers;
mod loops;
mod same;
mod slips;
mod storage;
mod widen;

use astragal::machinery::rules::{Domain, Type};
use astragal::machinery::source::Span;

use super::dice::Dice;
use super::draft::{Draft, Edit, open};
use super::outline::{ExprSite, Outline, Role};

/// A text whose places are listed.
pub struct Page<'a> {
    pub draft: &'a Draft,
    pub outline: Outline<'a>,
}

/// Something that an author might do to a file.
pub struct Change {
    pub name: &'static str,
    /// Whether the game stays the same, move for move.
    pub keeps: bool,
    make: fn(&Page, &mut Dice) -> Option<Vec<Edit>>,
}

const fn keeps(name: &'static str, make: fn(&Page, &mut Dice) -> Option<Vec<Edit>>) -> Change {
    Change { name, keeps: true, make }
}

const fn alters(name: &'static str, make: fn(&Page, &mut Dice) -> Option<Vec<Edit>>) -> Change {
    Change { name, keeps: false, make }
}

pub const CHANGES: &[Change] = &[
    keeps("pass a value through a rule", helpers::pass_on),
    keeps("make a set in a rule", helpers::make_set),
    keeps("pass numbers beside a set that another rule makes", helpers::hand_over),
    keeps("make an expression a rule", helpers::extract),
    keeps("make a statement a rule", helpers::extract_statement),
    keeps("write a rule out where it is called", helpers::inline),
    keeps("name a value", helpers::name),
    keeps("write a value in another way", same::rewrite),
    keeps("filter a set by what holds", same::filter),
    keeps("move a condition between clauses", conditions::move_in_option),
    keeps("move a condition into or out of a set", conditions::move_in_set),
    keeps("split or join conditions", conditions::split),
    keeps("put a statement into a loop of one round", loops::once),
    keeps("make a variable an array", storage::array),
    keeps("go over a kind by a set of its members", loops::gather),
    alters("exchange two values", donors::exchange),
    alters("put one value in the place of another", donors::copy),
    alters("compute a value anew", donors::compute),
    alters("put a value into an array or a set", donors::store),
    alters("offer another move", donors::offer),
    alters("copy a statement", donors::copy_statement),
    alters("suppose something", donors::suppose),
    alters("repeat a statement", loops::repeat),
    alters("widen a kind", widen::kind),
    alters("widen a board", widen::board),
    alters("widen a range", widen::range),
    alters("slip", slips::slip),
    alters("drop or exchange statements", slips::statements),
];

/// How often a change is tried at other places before another one is tried.
const TRIES: usize = 4;

/// How long a text may become.
const LONGEST: usize = 60_000;

/// A text after one change of a kind, and its edits; nothing where no such change was found that the
/// checker takes.
pub fn changed(draft: &Draft, change: &Change, dice: &mut Dice) -> Option<(Draft, Vec<Edit>)> {
    let page = Page { draft, outline: Outline::of(&draft.ast) };
    (0..TRIES).find_map(|_| {
        let edits = (change.make)(&page, dice)?;
        let text = draft.edited(&edits).filter(|it| *it != draft.text && it.len() < LONGEST)?;
        Some((open(&draft.seed, text)?, edits))
    })
}

/// One of the changes after which sets take more words.
pub fn pick_widening(dice: &mut Dice) -> usize {
    let wide = CHANGES.iter().enumerate().filter(|(_, it)| it.name.starts_with("widen"));
    let wide: Vec<usize> = wide.map(|(at, _)| at).collect();
    dice.pick(&wide).copied().unwrap_or(0)
}

/// One of the changes, those that keep the game the same or the others.
pub fn pick(keeps: bool, dice: &mut Dice) -> usize {
    loop {
        let at = dice.below(CHANGES.len());
        if CHANGES[at].keeps == keeps {
            return at;
        }
    }
}

impl<'a> Page<'a> {
    pub fn slice(&self, span: Span) -> &'a str {
        self.draft.slice(span)
    }

    pub fn ty(&self, span: Span) -> Option<&'a Type> {
        self.draft.ty(span)
    }

    /// The expressions that may be replaced by others of their type, as they are computed anywhere.
    pub fn values(&self) -> Vec<&ExprSite<'a>> {
        let moves = |it: &&ExprSite| {
            let known = self.draft.known(it.expr.span);
            it.role != Role::Constant && known.is_some_and(|known| !known.bound_to_place)
        };
        self.outline.exprs.iter().filter(moves).collect()
    }

    pub fn values_of(&self, fits: impl Fn(&Type) -> bool) -> Vec<&ExprSite<'a>> {
        let mut values = self.values();
        values.retain(|it| self.ty(it.expr.span).is_some_and(&fits));
        values
    }

    /// Appends declarations to the file.
    pub fn append(&self, text: &str) -> Edit {
        super::draft::insert(self.draft.text.len(), format!("\n{text}\n"))
    }

    /// A finite type of the file, as it is written.
    pub fn some_domain(&self, dice: &mut Dice) -> Option<String> {
        let rules = self.draft.rules();
        let kinds = (0..rules.kinds.len())
            .map(|at| Domain::Kind(astragal::machinery::rules::KindId::at(at)));
        let plain = kinds.filter(|kind| {
            let Domain::Kind(kind) = kind else { return false };
            let kind = &rules.kinds[kind.index()];
            !matches!(kind.shape, astragal::machinery::rules::KindShape::Cards(_))
                && kind.name != "Direction"
        });
        let domain = *dice.pick(&plain.collect::<Vec<_>>())?;
        self.draft.domain(domain)
    }
}
