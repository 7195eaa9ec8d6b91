//! The types of expressions, and the values that they have before a game begins.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use crate::rules::build::cell_set;
use crate::rules::topology::BoardTopology;
use crate::rules::{KindId, RangeId};

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// A mistake was already reported; fits everywhere.
    #[default]
    Unknown,
    /// No value: what a rule without `->` returns.
    Nothing,
    Number,
    Bool,
    Text,
    Kind(KindId),
    Set(Domain),
    /// A value or `none`. Never nested.
    Maybe(Box<Type>),
    /// Numbers between two bounds, as in `for n in 1..k`: can be iterated and tested for members, not stored.
    Span,
    /// All subsets of a set, as in `for part in subsets of S`: can be iterated, not kept.
    Subsets(Domain),
    /// Members one after another, so many at most; lists compare as words in a dictionary.
    List(Domain, u16),
    /// All lists that grow member by member, as in `for path in lists of …`: can be iterated, not kept.
    Lists(Domain, u16),
    /// An amount of each member, as expressions give it: what keeps one has a number for each.
    Bag(KindId),
    /// A pile of these cards, by reference: only parameters are of this type.
    Pile(KindId),
    /// The word `none` where nothing says of what.
    None,
    /// `{}` where nothing says of what.
    EmptySet,
}

impl Type {
    /// The type of what is iterated, one after the other.
    #[must_use]
    pub fn iterated(&self) -> Type {
        match self {
            Type::Set(domain) | Type::List(domain, _) => domain.member_type(),
            Type::Subsets(domain) => Type::Set(*domain),
            Type::Lists(domain, most) => Type::List(*domain, *most),
            Type::Maybe(inner) => inner.as_ref().clone(),
            Type::Span => Type::Number,
            other => other.clone(),
        }
    }
}

/// A finite type: the members of sets, the indices of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    Kind(KindId),
    Range(RangeId),
}

impl Domain {
    pub fn member_type(self) -> Type {
        match self {
            Domain::Kind(kind) => Type::Kind(kind),
            Domain::Range(_) => Type::Number,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number; 0 or 1 for no or yes; the position of a member in its kind.
    Int(i64),
    None,
    /// The members of a set, ascending: positions in a kind, or numbers.
    Set(Vec<i64>),
    /// The elements of a list, in order: positions in a kind, or numbers.
    List(Vec<i64>),
    Text(String),
}

/// The place of an element among all of an array, the last index running fastest: each dimension has its
/// first index and how many there are. Nothing where an index lies outside of its dimension.
pub(crate) fn flat_index(
    dims: impl IntoIterator<Item = (i64, usize)>,
    indices: &[i64],
) -> Option<usize> {
    dims.into_iter().zip(indices).try_fold(0, |place, ((low, size), index)| {
        let at = usize::try_from(index.checked_sub(low)?).ok().filter(|at| *at < size)?;
        Some(place * size + at)
    })
}

/// The members of a set in its order, each once.
pub(crate) fn ascending(mut members: Vec<i64>) -> Vec<i64> {
    members.sort_unstable();
    members.dedup();
    members
}

impl Value {
    /// The members of a set; those of a maybe, or of a single member.
    pub(crate) fn into_set(self) -> Option<Vec<i64>> {
        match self {
            Value::Set(members) => Some(members),
            Value::Int(member) => Some(vec![member]),
            Value::None => Some(Vec::new()),
            Value::List(_) | Value::Text(_) => None,
        }
    }

    pub(crate) fn as_number(&self) -> Option<i64> {
        if let Value::Int(number) = self { Some(*number) } else { None }
    }

    /// The position of a member of a kind; a number that is none is no position.
    pub(crate) fn member(&self) -> Option<usize> {
        self.as_number().and_then(|it| usize::try_from(it).ok())
    }

    /// The members of a set or a list; a single value is the only one.
    pub(crate) fn as_members(&self) -> &[i64] {
        match self {
            Value::Set(members) | Value::List(members) => members,
            Value::Int(member) => std::slice::from_ref(member),
            Value::None | Value::Text(_) => &[],
        }
    }

    /// How many members a set has, and a text bytes.
    pub(crate) fn item_count(&self) -> usize {
        match self {
            Value::Int(_) => 0,
            Value::Text(words) => words.len(),
            set => set.as_members().len(),
        }
    }
}

/// The cells of a table, shared by all copies of the rules. Rays take much, and few games ask for
/// any: they are made when somebody first reads one.
#[derive(Clone)]
pub(crate) struct Cells(Arc<LazyCells>);

type LazyCells = LazyLock<Vec<Value>, Box<dyn FnOnce() -> Vec<Value> + Send>>;

impl From<Vec<Value>> for Cells {
    fn from(cells: Vec<Value>) -> Cells {
        Cells(Arc::new(LazyLock::new(Box::new(|| cells))))
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Deref for Cells {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl Cells {
    /// What can be seen from each cell of a board in each direction.
    pub(crate) fn rays(board: BoardTopology, directions: Vec<String>) -> Cells {
        let of_all = move |direction: &String| {
            (0..board.cell_count()).map(|at| cell_set(board.ray(at, direction))).collect::<Vec<_>>()
        };
        let rays = move || directions.iter().flat_map(of_all).collect();
        Cells(Arc::new(LazyLock::new(Box::new(rays))))
    }
}
