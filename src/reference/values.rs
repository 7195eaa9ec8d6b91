//! Values, the plainest that there are: nothing packed, nothing shared.

use std::collections::{BTreeMap, BTreeSet};

use crate::reference::GameEnd;
use crate::rules::{Local, LocalId, Value};

/// The indices of an element, the owner first.
pub(crate) type ElementKey = Vec<i64>;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Datum {
    None,
    /// A number; 0 or 1 for no or yes; the position of a member in its kind.
    Int(i64),
    Set(BTreeSet<i64>),
    List(Vec<i64>),
    /// Numbers from one to another, both included.
    Span(i64, i64),
    Text(TitledText),
    /// A pile itself: its variable and its indices.
    Pile(usize, ElementKey),
}

/// A text, and whether the first thing in it is the title of something.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TitledText {
    pub(crate) text: String,
    pub(crate) begins_with_title: bool,
}

/// Why the reference does not go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// An error in the rules, by the name that it has among the traps.
    Trap(&'static str),
    /// The game is over.
    End(GameEnd),
    /// The partner stopped.
    Left,
    /// One of the reference's own bounds, in words.
    Bound(&'static str),
}

/// What comes of running a part of the rules.
pub(super) type Run<T = ()> = Result<T, Halt>;

/// What comes of statements.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BlockEnd {
    On,
    Break,
    Continue,
    Return(Datum),
}

/// The names of a rule that is at work.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleFrame<'g> {
    pub(super) known: &'g [Local],
    pub(super) locals: BTreeMap<usize, Datum>,
    pub(super) arrays: BTreeMap<(usize, ElementKey), Datum>,
}

impl Datum {
    pub(super) fn from_value(value: &Value) -> Datum {
        match value {
            Value::Int(number) => Datum::Int(*number),
            Value::None => Datum::None,
            Value::Set(members) => Datum::Set(members.iter().copied().collect()),
            Value::List(elements) => Datum::List(elements.clone()),
            Value::Text(text) => {
                Datum::Text(TitledText { text: text.clone(), begins_with_title: false })
            }
        }
    }

    pub(super) fn yes(holds: bool) -> Datum {
        Datum::Int(i64::from(holds))
    }

    pub(super) fn to_int(&self) -> i64 {
        match self {
            Datum::Int(number) => *number,
            other => panic!("{other:?} stands where a number is wanted"),
        }
    }

    /// What is in it: a maybe is a set of at most one.
    pub(super) fn to_set(&self) -> BTreeSet<i64> {
        match self {
            Datum::None => BTreeSet::new(),
            Datum::Int(member) => [*member].into(),
            Datum::Set(members) => members.clone(),
            Datum::List(elements) => elements.iter().copied().collect(),
            Datum::Span(low, high) => (*low..=*high).collect(),
            other => panic!("{other:?} stands where a set is wanted"),
        }
    }

    pub(super) fn as_list(&self) -> &[i64] {
        match self {
            Datum::List(elements) => elements,
            other => panic!("{other:?} stands where a list is wanted"),
        }
    }

    pub(super) fn phrase(self) -> TitledText {
        match self {
            Datum::Text(phrase) => phrase,
            other => panic!("{other:?} stands where a text is wanted"),
        }
    }
}

impl RuleFrame<'_> {
    pub(super) fn new(known: &[Local]) -> RuleFrame<'_> {
        RuleFrame { known, ..RuleFrame::default() }
    }

    pub(super) fn set_local(&mut self, local: LocalId, value: Datum) {
        self.locals.insert(local.index(), value);
    }

    pub(super) fn get(&self, local: LocalId) -> Datum {
        self.locals.get(&local.index()).expect("a name is bound before it is read").clone()
    }
}

/// All combinations of some indices, the last running fastest.
pub(super) fn keys(dims: &[Vec<i64>]) -> Vec<ElementKey> {
    let mut keys = vec![ElementKey::new()];
    for members in dims {
        let longer = |key: &ElementKey| {
            let key = key.clone();
            members.iter().map(move |member| [key.as_slice(), &[*member]].concat())
        };
        keys = keys.iter().flat_map(longer).collect();
    }
    keys
}

/// A small count as a number of the language.
pub(super) fn to_number(count: usize) -> i64 {
    i64::try_from(count).expect("it is small")
}

pub(super) fn to_index(position: i64) -> usize {
    usize::try_from(position).expect("a position is never negative")
}
