//! Compiles checked rules for one number of players and one setting of the options.
//!
//! It fails only where a setting makes a constant impossible or the game too large.

mod calls;
mod chance;
mod choices;
mod code;
mod columns;
mod compound_choices;
mod disclosures;
mod error;
mod expressions;
mod factors;
mod filters;
mod forwarding;
mod forms;
mod functions;
mod inline;
mod layout;
mod link;
mod lists;
mod liveness;
mod loops;
mod move_options;
mod passes;
mod piles;
mod places;
mod set_predicates;
mod sets;
mod spans;
mod statements;
mod sums;
mod suppositions;
mod sweeps;
mod tabulation;
mod text;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use crate::eval::{MAX_STEPS, Specialisation};
pub use crate::rules::value_text;

use crate::budget::Budget;
use crate::bytecode::Program;
use crate::diagnostic::Diagnostics;
use crate::eval::{Constants, Env, Evaluator, MOST_MEMBERS, NoValue, domain_of, held};
use crate::rules::call_graph::{call_graph, inner_turns};
use crate::rules::{Choose, Domain, Expr, Local, LocalId, Rule, RuleId, Rules, Type, Value, VarId};
use crate::source::{Sources, Span};
use code::{CodeBuffer, CodeLabel};
use functions::Function;
use inline::InlinedRules;
use layout::StateLayout;
pub use passes::{Pass, Passes};

/// Where a local is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In this many slots from the first on, numbered as the compiler gave them out.
    Slots(u16, u16),
    /// Nowhere: it is this constant.
    Known(Value),
    /// In an array: first slot, the low end and size of each dimension, slots of one element.
    Array(u16, Vec<(i64, usize)>, u16),
}

impl Storage {
    /// The first of its slots, and how many there are.
    fn slots(&self) -> Option<(u16, u16)> {
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
pub struct SiteDebug {
    pub rule: Option<RuleId>,
    /// The number of the body that waits, and how many of its locals were kept before.
    history: (usize, usize),
    /// The decision without its bodies, when one is waited for.
    pub choose: Option<Choose>,
}

/// A program, and what is known of its sites.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub program: Program,
    /// For each site, what people may see and ask there.
    pub sites: Vec<SiteDebug>,
    /// Moves that cannot be legal under this setting, by their places.
    pub barred: BTreeMap<Span, String>,
    pub ranges: Vec<(i64, Option<i64>)>,
    /// The passes that were switched off, and those that did something.
    pub off: Passes,
    pub fired: Passes,
    /// The slots of the piece that was added last.
    pub piece: PieceSlots,
    /// Where the slots that the compiler gave out lie in the state.
    slots: Vec<u16>,
    /// For each body, where its locals were kept, in this order.
    histories: Vec<Vec<(LocalId, Storage)>>,
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

/// What is known of rules whatever the setting: found once for all settings.
pub(crate) struct Prepared {
    /// The rules with calls inlined, and the decisions as the file has them.
    written: InlinedRules,
    /// The passes that are switched off.
    off: Passes,
    /// The variables that the file picks members by.
    filtered_vars: BTreeSet<VarId>,
    /// For each rule, the group of rules that call each other in a circle.
    circles: Vec<Option<usize>>,
    /// For each rule how many parts it has, if it is compiled wherever it is called.
    short: Vec<Option<usize>>,
    /// The places of the `turns` that may run inside of others.
    inner_turns: BTreeSet<Span>,
}

impl Prepared {
    pub(crate) fn new(rules: &Rules) -> Prepared {
        Prepared::without(rules, Passes::default())
    }

    /// The same, to be compiled without some passes.
    fn without(rules: &Rules, off: Passes) -> Prepared {
        let written = inline::written_out(rules, !off.has(Pass::Inline));
        let (order, circles) = call_graph(&written.rules);
        Prepared {
            filtered_vars: places::filtered(&written.rules),
            short: calls::short_rules(&written.rules, (&order, &circles)),
            circles,
            inner_turns: inner_turns(&written.rules),
            off,
            written,
        }
    }

    /// Makes the program of a game.
    ///
    /// # Errors
    /// All constants that have no value under this setting, or what makes the game too large.
    pub(crate) fn compile(
        &self,
        setting: &Specialisation,
        sources: &Sources,
        budget: &Budget,
    ) -> Result<Compiled, Diagnostics> {
        let mut compiler = Compiler::new(self, budget, setting, sources);
        compiler.game();
        compiler.finish(&[])
    }
}

/// Makes the program of a game under one setting.
///
/// # Errors
/// All constants that have no value under this setting, or what makes the game too large.
pub fn compile(
    rules: &Rules,
    setting: &Specialisation,
    sources: &Sources,
) -> Result<Compiled, Diagnostics> {
    compile_without(rules, setting, sources, Passes::default())
}

/// The same game, compiled without some passes.
///
/// # Errors
/// As [`compile`]: what the passes make shorter may be too large without them.
pub(crate) fn compile_without(
    rules: &Rules,
    setting: &Specialisation,
    sources: &Sources,
    off: Passes,
) -> Result<Compiled, Diagnostics> {
    Prepared::without(rules, off).compile(setting, sources, &Budget::default())
}

/// A piece that somebody typed, to be run against a state of a game.
#[derive(Clone, Debug)]
pub struct Snippet {
    /// The piece as a rule of its own; its body is run once.
    pub rule: Rule,
    /// Where its locals are found, those of the waiting rule among them.
    pub locals: Vec<(LocalId, Storage)>,
    /// What `moves` stands for.
    pub moves: i64,
    /// Locals that the caller fills in before each run.
    pub params: Vec<LocalId>,
    /// Whether its value is to be put into words; else it is run as a statement.
    pub printed: bool,
}

/// Where a piece takes its parameters from and leaves its value: first slot and number of slots.
#[derive(Clone, Debug, Default)]
pub struct PieceSlots {
    /// One for each of [`Snippet::params`].
    pub params: Vec<(u16, u16)>,
    /// The value, if it has one that is not put into words.
    pub result: Option<(u16, u16)>,
}

/// Makes the program of a game with pieces added, each after everything before it: states of the
/// game, or of the game with the first pieces, are states of it once they are grown. The last site
/// is where the last piece begins. The passes that are off must be those of the game.
///
/// # Errors
/// As [`compile`].
pub(crate) fn extend(
    rules: &Rules,
    setting: &Specialisation,
    sources: &Sources,
    pieces: &[Snippet],
    off: Passes,
) -> Result<Compiled, Diagnostics> {
    let prepared = Prepared::without(rules, off);
    let budget = Budget::default();
    let mut compiler = Compiler::new(&prepared, &budget, setting, sources);
    compiler.game();
    let mut bases = Vec::new();
    for piece in pieces {
        bases.push(compiler.functions.len());
        compiler.snippet(piece);
    }
    compiler.finish(&bases)
}

/// Where the value of an expression can be read: the first slot and the number of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SlotRange {
    at: u16,
    width: u16,
}

#[derive(Clone, Copy, Debug, Default)]
enum ReturnPath {
    /// It goes on at a label; a value is put into the slots.
    To(CodeLabel, Option<SlotRange>),
    /// It returns to its caller.
    #[default]
    Back,
}

/// Where a loop ends, and where a round of it.
#[derive(Clone, Copy, Debug)]
struct LoopEnds {
    exit: CodeLabel,
    round: CodeLabel,
}

/// The body that is being compiled.
#[derive(Clone, Debug, Default)]
struct CompiledBody {
    rule: Option<RuleId>,
    locals: BTreeMap<LocalId, Storage>,
    /// Between which ends numbers lie that are never assigned to.
    bounds: move_options::BoundLocals,
    /// The number of what was kept where, in its order.
    history: usize,
    returning: ReturnPath,
    /// Where `break` and `continue` go, for each loop around.
    loops: Vec<LoopEnds>,
    /// Where the counts of outer `turns` are kept, innermost last.
    counts: Vec<u16>,
    /// How many rules are compiled into each other.
    depth: usize,
}

/// Before play only locals that are constant are known.
impl Env for CompiledBody {
    fn local(&self, local: LocalId) -> Option<Value> {
        match self.locals.get(&local) {
            Some(Storage::Known(value)) => Some(value.clone()),
            _ => None,
        }
    }
}

/// Nothing but the setting is known.
struct NoState;

impl Env for NoState {}

/// What compiling a statement or an expression takes, compared with a step of a plain loop.
const STEPS_OF_A_PART: usize = 16;

/// The program while it is written, and everything that is known meanwhile.
struct Compiler<'a> {
    prepared: &'a Prepared,
    /// The rules with calls inlined.
    rules: &'a Rules,
    setting: &'a Specialisation,
    sources: &'a Sources,
    ranges: Vec<(i64, Option<i64>)>,
    layout: StateLayout,
    code: CodeBuffer,
    functions: Vec<Function>,
    by_rule: BTreeMap<RuleId, usize>,
    call_counts: BTreeMap<RuleId, usize>,
    current: usize,
    body: CompiledBody,
    moves: i64,
    /// Whether indices are to be counted from 0, as nothing may lie before what is read.
    counts_from_zero: bool,
    /// The piece that is added, if one is, and its slots as they were given out.
    snippet: Option<&'a Rule>,
    piece: PieceSlots,
    histories: Vec<Vec<(LocalId, Storage)>>,
    budget: &'a Budget,
    errors: Diagnostics,
    /// How many more steps may be taken to compute what must be known before play.
    steps: Cell<usize>,
    /// How many more may be taken to find out whether something else is known.
    tries: Cell<usize>,
    /// Tables by what tells them apart; nothing for those that could not be computed.
    tables: RefCell<BTreeMap<String, Option<Rc<[Value]>>>>,
    /// How many expressions of rules were compiled where the rules are called.
    written: usize,
    /// How many parts of short rules were compiled so.
    copied: usize,
    /// The passes that did something.
    fired: Cell<Passes>,
    constants: Constants,
}

impl<'a> Compiler<'a> {
    fn new(
        prepared: &'a Prepared,
        budget: &'a Budget,
        setting: &'a Specialisation,
        sources: &'a Sources,
    ) -> Compiler<'a> {
        let mut compiler = Compiler {
            prepared,
            rules: &prepared.written.rules,
            setting,
            sources,
            ranges: Vec::new(),
            layout: StateLayout::default(),
            code: CodeBuffer::default(),
            functions: Vec::new(),
            by_rule: BTreeMap::new(),
            call_counts: BTreeMap::new(),
            current: 0,
            body: CompiledBody::default(),
            moves: 0,
            counts_from_zero: false,
            snippet: None,
            piece: PieceSlots::default(),
            histories: vec![Vec::new()],
            budget,
            errors: Diagnostics::new(),
            steps: Cell::new(MAX_STEPS),
            tries: Cell::new(MAX_STEPS),
            tables: RefCell::default(),
            written: 0,
            copied: 0,
            fired: Cell::new(prepared.written.passes),
            constants: Constants::default(),
        };
        compiler.compute_ranges();
        // Every constant must have a value under every setting, used or not.
        for constant in &compiler.rules.constants {
            compiler.constant_value(&constant.value);
        }
        compiler.lay_out();
        compiler.call_counts = compiler.count_calls();
        compiler
    }

    /// Charges for one more part of the rules; whether it makes sense to continue with it.
    fn may_go_on(&self) -> bool {
        self.budget.charge(STEPS_OF_A_PART);
        self.code.excess.is_none() && !self.budget.is_spent()
    }

    fn compute_ranges(&mut self) {
        for range in &self.rules.ranges {
            let low = self.number(&range.low);
            let high = range.high.as_ref().map(|high| self.number(high));
            if let Some(high) = high.filter(|high| *high < low) {
                let (setting, span) = (self.setting_text(), range.span);
                self.errors.push(error::empty_range(low, high, setting, span));
            }
            self.ranges.push((low, high));
        }
    }

    /// The value of an expression, if it is known before play.
    fn fold(&self, expr: &Expr) -> Option<Value> {
        self.evaluator(&self.tries).value(expr).ok()
    }

    /// Whether a condition is known to hold, or not to.
    fn known(&self, condition: &Expr) -> Option<bool> {
        self.fold(condition).map(|value| value != Value::Int(0))
    }

    /// Evaluates before play, with so many steps left.
    fn evaluator<'b>(&'b self, left: &'b Cell<usize>) -> Evaluator<'b> {
        let (ranges, constants) = (&self.ranges, &self.constants);
        Evaluator::new(self.rules, self.setting, ranges, &self.body, left, constants)
    }

    /// The value of an expression that the checker found constant.
    fn constant_value(&mut self, expr: &Expr) -> Value {
        self.evaluator(&self.steps).value(expr).unwrap_or_else(|stop| {
            let (span, reason) = match stop {
                NoValue::Fault(span, reason) => (span, reason),
                NoValue::Unknown => (expr.span, "it depends on the game".to_owned()),
            };
            self.no_value(reason, span);
            Value::Int(0)
        })
    }

    fn no_value(&mut self, reason: String, span: Span) {
        let setting = self.setting_text();
        self.errors.push(error::no_value(reason, setting, span));
    }

    fn number(&mut self, expr: &Expr) -> i64 {
        match self.constant_value(expr) {
            Value::Int(number) => number,
            other => unreachable!("checked: the ends of a range are numbers, not {other:?}"),
        }
    }

    /// The first member of a finite type, and how many there are.
    fn domain(&mut self, domain: Domain, span: Span) -> (i64, usize) {
        self.known_domain(domain).unwrap_or_else(|| {
            let setting = self.setting_text();
            let most = i64::try_from(MOST_MEMBERS).expect("a few thousand");
            self.errors.push(error::long_range(most, setting, span));
            (0, 1)
        })
    }

    /// The same, for what is reported elsewhere.
    fn known_domain(&self, domain: Domain) -> Option<(i64, usize)> {
        domain_of(self.rules, self.setting, &self.ranges, domain)
    }

    /// The member that the first bit of a set stands for.
    fn low(&mut self, set: &Expr) -> i64 {
        held(&set.ty).map_or(0, |domain| self.domain(domain, set.span).0)
    }

    fn width(&mut self, ty: &Type, span: Span) -> u16 {
        if let Some(packing) = self.packing(ty, span) {
            return packing.width;
        }
        let Type::Set(domain) = ty else { return 1 };
        let (_, size) = self.domain(*domain, span);
        self.code.fit(size.div_ceil(64), "members").max(1)
    }

    fn players(&self) -> u16 {
        u16::try_from(self.setting.players).expect("at most 20 can play")
    }

    fn local_info(&self, local: LocalId) -> &'a Local {
        &self.locals()[local.index()]
    }

    /// Whether a local is never assigned to; not known of those that only the compiler has.
    pub(super) fn is_immutable(&self, local: LocalId) -> bool {
        self.locals().get(local.index()).is_some_and(|local| !local.mutable)
    }

    fn locals(&self) -> &'a [Local] {
        match self.body.rule {
            Some(rule) => &self.rules.rules[rule.index()].locals,
            None => &self.snippet.expect("what is no rule is a piece").locals,
        }
    }

    /// The setting in words, for messages; empty if there is only one.
    fn setting_text(&self) -> String {
        let (fewest, most) = self.rules.players;
        let mut parts = Vec::new();
        if fewest != most {
            parts.push(format!("{} players", self.setting.players));
        }
        for (option, value) in self.rules.options.iter().zip(&self.setting.options) {
            parts.push(format!("{} = {}", option.name, value_text(self.rules, &option.ty, value)));
        }
        if parts.is_empty() { String::new() } else { format!(" with {}", parts.join(", ")) }
    }
}

/// The value of a constant expression, if it has one. The setting may lack options that come later.
pub(crate) fn constant(rules: &Rules, setting: &Specialisation, expr: &Expr) -> Option<Value> {
    Foreknown::new(rules, setting.clone(), MAX_STEPS).value(expr)
}

/// What is known before play under one setting, computed in so many steps altogether.
pub(crate) struct Foreknown<'a> {
    rules: &'a Rules,
    setting: Specialisation,
    ranges: Vec<(i64, Option<i64>)>,
    constants: Constants,
    left: Cell<usize>,
}

impl<'a> Foreknown<'a> {
    pub(crate) fn new(rules: &'a Rules, setting: Specialisation, steps: usize) -> Foreknown<'a> {
        let left = Cell::new(steps.saturating_sub(setting.options.len()));
        let constants = Constants::default();
        let mut known = Foreknown { rules, setting, ranges: Vec::new(), constants, left };
        for range in &rules.ranges {
            let ends = (known.value(&range.low), range.high.as_ref().map(|high| known.value(high)));
            known.ranges.push(match ends {
                (Some(Value::Int(low)), None) => (low, None),
                (Some(Value::Int(low)), Some(Some(Value::Int(high)))) => (low, Some(high)),
                _ => UNKNOWN_RANGE,
            });
        }
        known
    }

    pub(crate) fn left(&self) -> usize {
        self.left.get()
    }

    pub(crate) fn value(&self, expr: &Expr) -> Option<Value> {
        let (ranges, constants) = (&self.ranges, &self.constants);
        Evaluator::new(self.rules, &self.setting, ranges, &NoState, &self.left, constants)
            .value(expr)
            .ok()
    }
}

/// A range whose ends are not known yet: too long to have members.
const UNKNOWN_RANGE: (i64, Option<i64>) = (i64::MIN, Some(i64::MAX));
