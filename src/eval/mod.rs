//! Evaluates pure checked expressions: in the checker without a setting, before play with one, in play with a state
//! as well.
//!
//! An [`Env`] supplies whatever is not constant. Statements run on the machine alone: an environment
//! that knows a state carries out rules with statements and `suppose` there.

mod expressions;
mod loops;
mod state;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

pub(crate) use state::{from_words, set_words, to_words};

use crate::rules::{
    ConstantId, Domain, Expr, HistoryId, LocalId, PLAYER, RuleId, Rules, Type, Value, VarId,
};
use crate::source::Span;

/// One number of players and one value for each option: what a program is specialised for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Specialisation {
    pub players: usize,
    /// The value of each option, in the order of the file.
    pub options: Vec<Value>,
}

/// The longest set that is computed before play.
pub(crate) const MOST_MEMBERS: usize = 4096;

/// How many steps may be taken to compute what is known before play, for one setting.
pub const MAX_STEPS: usize = 4_000_000;

/// How many rules may be evaluated inside each other; the machine runs what is deeper.
const MOST_CALLS: usize = 12;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// The environment does not know what it reads.
    Unknown,
    /// It cannot be computed: the place, and the reason in words.
    Fault(Span, String),
}

pub(crate) type Evaluated = Result<Value, NoValue>;

/// The values of constants, as they become known.
pub(crate) type Constants = RefCell<BTreeMap<ConstantId, Value>>;

/// What expressions read beside the setting. Nothing of it is known before play.
pub(crate) trait Env {
    /// Returns the value of a local of the rule at the outside.
    fn local(&self, _local: LocalId) -> Option<Value> {
        None
    }

    /// Returns an element of an array that is a local.
    fn element_value(&self, _local: LocalId, _indices: &[i64]) -> Option<Value> {
        None
    }

    /// Returns an element of a variable, the owner first; of a pile its cards.
    fn var_value(&self, _var: VarId, _indices: &[i64]) -> Option<Value> {
        None
    }

    /// Returns how many cards lie in a pile, where more is known of it than its cards.
    fn count_cards(&self, _pile: VarId, _indices: &[i64]) -> Option<i64> {
        None
    }

    fn turn_player(&self) -> Option<i64> {
        None
    }

    /// Returns how often a history holds the present values.
    fn count_past(&self, _history: HistoryId) -> Option<i64> {
        None
    }

    fn legal_count(&self) -> Option<i64> {
        None
    }

    fn seat_names(&self) -> Option<&[String]> {
        None
    }

    /// Computes an expression of a rule (`None`: of the one at the outside) on the machine,
    /// if there is a state to run it on.
    fn run_expression(
        &self,
        _expr: &Expr,
        _of: Option<RuleId>,
        _locals: &[(LocalId, Value)],
    ) -> Evaluated {
        Err(NoValue::Unknown)
    }

    /// Returns whether rules may be called: whether there is a state.
    fn can_call(&self) -> bool {
        false
    }
}

/// Nothing but the rules and the setting is known.
impl Env for () {}

/// Computes expressions for one setting in one environment.
pub(crate) struct Evaluator<'a> {
    pub(crate) rules: &'a Rules,
    /// Absent while the rules are checked.
    pub(crate) setting: Option<&'a Specialisation>,
    /// The first and last number of each range, as far as they are known.
    pub(crate) ranges: &'a [(i64, Option<i64>)],
    pub(crate) env: &'a dyn Env,
    /// Locals that loops and calls have bound, the innermost last.
    pub(crate) bound: Vec<(LocalId, Value)>,
    /// How many more steps may be taken.
    pub(crate) left: &'a Cell<usize>,
    /// The constants that have a value already.
    pub(crate) constants: &'a Constants,
    /// The rules that are evaluated inside each other; the innermost last.
    pub(crate) calls: Vec<RuleId>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator outside of all loops and calls.
    pub(crate) fn new(
        rules: &'a Rules,
        setting: &'a Specialisation,
        ranges: &'a [(i64, Option<i64>)],
        env: &'a dyn Env,
        left: &'a Cell<usize>,
        constants: &'a Constants,
    ) -> Evaluator<'a> {
        let bound = Vec::new();
        let evaluator = Evaluator::without_setting(rules, bound, left, constants);
        Evaluator { setting: Some(setting), ranges, env, ..evaluator }
    }

    /// An evaluator of what is known in every setting; these locals have values.
    pub(crate) fn without_setting(
        rules: &'a Rules,
        bound: Vec<(LocalId, Value)>,
        left: &'a Cell<usize>,
        constants: &'a Constants,
    ) -> Evaluator<'a> {
        let calls = Vec::new();
        Evaluator { rules, setting: None, ranges: &[], env: &(), bound, left, constants, calls }
    }

    /// Returns the first member and the number of members of a finite type that is not too long.
    pub(crate) fn domain(&self, domain: Domain) -> Option<(i64, usize)> {
        domain_for(self.rules, self.setting, self.ranges, domain)
    }
}

/// Returns the first member and the number of members of a finite type that is not too long.
pub(crate) fn domain_of(
    rules: &Rules,
    setting: &Specialisation,
    ranges: &[(i64, Option<i64>)],
    domain: Domain,
) -> Option<(i64, usize)> {
    domain_for(rules, Some(setting), ranges, domain)
}

fn domain_for(
    rules: &Rules,
    setting: Option<&Specialisation>,
    ranges: &[(i64, Option<i64>)],
    domain: Domain,
) -> Option<(i64, usize)> {
    match domain {
        Domain::Kind(PLAYER) => Some((0, setting?.players)),
        Domain::Kind(kind) => Some((0, rules.kinds[kind.index()].members.len())),
        Domain::Range(range) => {
            let (low, high) = *ranges.get(range.index())?;
            let size = usize::try_from(high?.checked_sub(low)?.checked_add(1)?).ok()?;
            (size <= MOST_MEMBERS).then_some((low, size))
        }
    }
}

/// Returns the finite type of the members of a set or a list.
pub(crate) fn held(ty: &Type) -> Option<Domain> {
    match ty {
        Type::List(domain, _) | Type::Lists(domain, _) => Some(*domain),
        ty => finite(ty),
    }
}

pub(crate) fn finite(ty: &Type) -> Option<Domain> {
    match ty {
        Type::Set(domain) => Some(*domain),
        _ => None,
    }
}
