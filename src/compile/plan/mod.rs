//! The plan: everything decided before code is written (ranges, layout of the state, constants).

pub(super) mod factors;
pub(super) mod facts;
pub(super) mod forms;
pub(super) mod inline;
mod layout;
pub(super) mod move_options;
pub(super) mod expr_queries;
pub(super) mod planner;
pub(super) mod rule_analysis;
pub(super) mod ray_loops;
mod set_predicates;
pub(super) mod state_layout;
pub(super) mod tabulation;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::budget::Budget;
use crate::bytecode::{CardsInfo, NONE, PileInfo, ValueShape, lists};
use crate::compile::passes::{Pass, Passes};
use crate::compile::scope::{BoundLocals, NumberBounds};
use crate::compile::{code::CodeBuffer, error, value_text};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::eval::{Constants, MAX_STEPS, MOST_MEMBERS, Specialisation, domain_of, held, set_words};
use crate::rules::{
    Domain, Expr, KindId, Local, LocalId, PLAYER, RangeId, RuleId, Rules, Type, Value, VarId,
};
use crate::source::{Sources, Span};
use expr_queries::var_element;
use rule_analysis::RuleAnalysis;
use state_layout::{Packing, StateLayout, VarLayout, cards_of};

/// What is decided before any code is written. Afterwards only counts, caches and errors change.
pub(super) struct Plan<'a> {
    pub(super) prepared: &'a RuleAnalysis,
    /// The rules with calls inlined.
    pub(super) rules: &'a Rules,
    pub(super) setting: &'a Specialisation,
    pub(super) sources: &'a Sources,
    pub(super) budget: &'a Budget,
    pub(super) ranges: Vec<(i64, Option<i64>)>,
    pub(super) layout: StateLayout,
    pub(super) call_counts: BTreeMap<RuleId, usize>,
    pub(super) constants: Constants,
    /// How many more steps may be taken to compute what must be known before play.
    pub(super) constant_steps: Cell<usize>,
    /// How many more may be taken to find out whether something else is known.
    pub(super) fold_steps: Cell<usize>,
    /// Tables by what tells them apart; nothing for those that could not be computed.
    pub(super) tables: RefCell<BTreeMap<String, Option<Rc<[Value]>>>>,
    pub(super) fired: Cell<Passes>,
    errors: RefCell<Diagnostics>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        prepared: &'a RuleAnalysis,
        budget: &'a Budget,
        setting: &'a Specialisation,
        sources: &'a Sources,
    ) -> Plan<'a> {
        Plan {
            prepared,
            rules: &prepared.written.rules,
            setting,
            sources,
            budget,
            ranges: Vec::new(),
            layout: StateLayout::default(),
            call_counts: BTreeMap::new(),
            constants: Constants::default(),
            constant_steps: Cell::new(MAX_STEPS),
            fold_steps: Cell::new(MAX_STEPS),
            tables: RefCell::default(),
            fired: Cell::new(prepared.written.passes),
            errors: RefCell::default(),
        }
    }

    pub(super) fn report(&self, finding: impl Into<Diagnostic>) {
        self.errors.borrow_mut().push(finding);
    }

    /// The errors so far; none are left.
    pub(super) fn take_errors(&self) -> Diagnostics {
        self.errors.take()
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.borrow().is_empty()
    }

    pub(super) fn no_value(&self, reason: String, span: Span) {
        let setting = self.setting_text();
        self.report(error::no_value(reason, setting, span));
    }

    /// The setting in words, for messages; empty if there is only one.
    pub(super) fn setting_text(&self) -> String {
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

    pub(super) fn players(&self) -> u16 {
        u16::try_from(self.setting.players).expect("at most 20 can play")
    }

    pub(super) fn tries(&self, pass: Pass) -> bool {
        !self.prepared.off.has(pass)
    }

    /// Notes that a pass did something.
    pub(super) fn fires(&self, pass: Pass) {
        self.fired.set(self.fired.get().with(pass));
    }

    /// Runs `find` if a pass is on, and records that it fired.
    pub(super) fn found_by<T>(&self, pass: Pass, find: impl FnOnce() -> Option<T>) -> Option<T> {
        let found = self.tries(pass).then(find).flatten();
        found.is_some().then(|| self.fires(pass));
        found
    }

    /// The first member of a finite type, and how many there are.
    pub(super) fn domain(&self, domain: Domain, span: Span) -> (i64, usize) {
        self.known_domain(domain).unwrap_or_else(|| {
            let setting = self.setting_text();
            let most = i64::try_from(MOST_MEMBERS).expect("a few thousand");
            self.report(error::long_range(most, setting, span));
            (0, 1)
        })
    }

    /// The first member and size of a finite type; none, unreported, if it is too long.
    pub(super) fn known_domain(&self, domain: Domain) -> Option<(i64, usize)> {
        domain_of(self.rules, self.setting, &self.ranges, domain)
    }

    pub(super) fn all_members(&self, domain: Domain) -> Option<Vec<i64>> {
        let (low, size) = self.known_domain(domain)?;
        Some((low..).take(size).collect())
    }

    fn last_domain(&self, var: VarId) -> Domain {
        let var = &self.rules.vars[var.index()];
        var.dims.last().copied().unwrap_or(Domain::Kind(PLAYER))
    }

    /// Whether the sets of a type have room for members that are not its own: it is a part of a kind.
    pub(super) fn is_part(&self, domain: Domain) -> bool {
        matches!(domain, Domain::Kind(kind) if self.rules.kinds[kind.index()].within.is_some())
    }

    /// The member that the first bit of a set stands for.
    pub(super) fn low(&self, set: &Expr) -> i64 {
        held(&set.ty).map_or(0, |domain| self.domain(domain, set.span).0)
    }

    pub(super) fn ends(&self, range: RangeId) -> Option<NumberBounds> {
        let (low, high) = *self.ranges.get(range.index())?;
        Some((low, high.unwrap_or(i64::MAX)))
    }

    /// The ranges of the parameters that are not assigned to: what is handed over is checked.
    pub(super) fn bounds_of_params(&self, rule: RuleId) -> BoundLocals {
        let rule = &self.rules.rules[rule.index()];
        let params = (0..).zip(&rule.locals[..rule.params]).filter(|(_, local)| !local.mutable);
        let ends = |(at, local): (usize, &Local)| Some((LocalId::at(at), self.ends(local.range?)?));
        params.filter_map(ends).collect()
    }

    pub(super) fn width(&self, ty: &Type, span: Span) -> u16 {
        if let Some(packing) = self.packing(ty, span) {
            return packing.width;
        }
        let Type::Set(domain) = ty else { return 1 };
        let (_, size) = self.domain(*domain, span);
        let width = u16::try_from(size.div_ceil(64));
        width.expect("a finite type has few members").max(1)
    }

    /// The packing of a list type.
    fn packing(&self, ty: &Type, span: Span) -> Option<Packing> {
        let (Type::List(domain, most) | Type::Lists(domain, most)) = ty else { return None };
        let (low, size) = self.domain(*domain, span);
        let bits = lists::element_bits(size);
        Some(Packing { width: lists::width((*most).into(), bits), bits, most: *most, low })
    }

    pub(super) fn packed(&self, list: &Expr) -> Packing {
        self.packing(&list.ty, list.span).expect("checked: this is a list")
    }

    pub(super) fn encode_value(
        &self,
        value: &Value,
        ty: &Type,
        span: Span,
        code: &mut CodeBuffer,
    ) -> Vec<i64> {
        if let Type::Set(domain) = ty {
            let (low, size) = self.domain(*domain, span);
            return set_words(low, size, value);
        }
        if let (Type::List(domain, most), Value::List(elements)) = (ty, value) {
            return self.list_words((*domain, *most), elements, span);
        }
        vec![match value {
            Value::Int(number) => *number,
            Value::None | Value::Set(_) | Value::List(_) => NONE,
            Value::Text(text) => code.text(text).into(),
        }]
    }

    /// The words of a list that is known before play.
    fn list_words(&self, (domain, most): (Domain, u16), elements: &[i64], span: Span) -> Vec<i64> {
        let (low, size) = self.domain(domain, span);
        lists::words(most.into(), size, elements.iter().map(|element| element - low))
    }

    pub(super) fn shape(&self, ty: &Type, span: Span) -> ValueShape {
        match ty {
            Type::Bool => ValueShape::Bool,
            Type::Text => ValueShape::Text,
            Type::Kind(kind) => ValueShape::Member(kind_number(*kind)),
            Type::Set(Domain::Kind(kind)) => ValueShape::Members(kind_number(*kind)),
            Type::Set(domain) => ValueShape::Numbers(self.domain(*domain, span).0),
            Type::List(domain, _) => self.list_shape(*domain, span),
            Type::EmptySet => ValueShape::Numbers(0),
            Type::Maybe(inner) => self.shape(inner, span),
            _ => ValueShape::Number,
        }
    }

    fn list_shape(&self, domain: Domain, span: Span) -> ValueShape {
        let (low, size) = self.domain(domain, span);
        let bits = lists::element_bits(size);
        match domain {
            Domain::Kind(kind) => ValueShape::MemberList(kind_number(kind), bits),
            Domain::Range(_) => ValueShape::NumberList(low, bits),
        }
    }

    pub(super) fn var(&self, var: VarId) -> &VarLayout {
        &self.layout.vars[var.index()]
    }

    /// Whether an expression is an element of an array that is kept as sets.
    pub(super) fn is_kept(&self, expr: &Expr) -> bool {
        var_element(expr).is_some_and(|(var, _)| self.var(var).sets.is_some())
    }

    /// Whether a condition of a move calls a rule in the file.
    fn is_calling(&self, condition: &Expr) -> bool {
        self.prepared.written.calling.contains(&condition.span)
    }

    /// The number of the first pile of a variable.
    pub(super) fn first_pile(&self, var: VarId) -> u16 {
        let is_its = |pile: &PileInfo| usize::from(pile.var) == var.index();
        let first = self.layout.piles.iter().find_map(|info| info.piles.iter().position(is_its));
        // Where there are more piles than fit, that was reported.
        first.and_then(|first| u16::try_from(first).ok()).unwrap_or(0)
    }

    /// The kind of cards that a type is about, by its position in the program.
    pub(super) fn cards_at(&self, ty: &Type) -> Option<usize> {
        let kind = match ty {
            Type::Kind(kind) | Type::Pile(kind) | Type::Set(Domain::Kind(kind)) => kind.index(),
            Type::Maybe(inner) => return self.cards_at(inner),
            _ => return None,
        };
        self.layout.piles.iter().position(|info| usize::from(info.kind) == kind)
    }

    pub(super) fn cards_info(&self, ty: &Type) -> &CardsInfo {
        &self.layout.piles[self.cards_at(ty).expect("every kind of cards has its piles")]
    }

    /// The operand that names the cards that a type is about, and the top of a pile.
    pub(super) fn cards_in(&self, ty: &Type) -> u16 {
        cards_of(self.cards_at(ty).expect("checked: these are cards"))
    }
}

/// The number of a kind in a program.
pub(super) fn kind_number(kind: KindId) -> u16 {
    u16::try_from(kind.index()).expect("a file has few kinds")
}
