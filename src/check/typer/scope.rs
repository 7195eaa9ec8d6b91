//! Lexical scope of a body: visible locals, and paths that are known not to be `none`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::check::typer::strategies::LineScope;
use crate::rules::{
    Array, ConstantId, Domain, Expr, ExprKind, KindId, Local, LocalId, OptionId, RuleId, Rules,
    TableId, Type, Value, player,
};
use crate::source::Span;
use crate::syntax::ast::Name;

/// The names that a body sees, and what is known of them.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) locals: Vec<Local>,
    pub(crate) visible: Visible,
    /// The bags among them: the local of each amount.
    pub(crate) bags: BTreeMap<LocalId, Vec<LocalId>>,
    /// In a rule that gives a bag: the good whose amount it gives.
    pub(crate) good: Option<LocalId>,
    /// How many of the visible ones were there before a snippet, which may hide them.
    pub(crate) hideable: usize,
    /// What is known not to be `none`.
    pub(crate) known: Rc<BTreeSet<Path>>,
    /// What was reported to be perhaps `none`, as it is written.
    pub(crate) blamed: BTreeSet<String>,
    /// The names that later clauses of the move bind.
    pub(crate) later: BTreeSet<String>,
    /// The line of a strategy that is being checked.
    pub(crate) line: Option<LineScope>,
    /// The place that is being changed, and the text that follows its owner: `.points += 1`.
    pub(crate) changed: Option<(Span, String)>,
    /// The rule that `base` calls: the one that this one replaces.
    pub(crate) base: Option<RuleId>,
}

impl Scope {
    /// A scope with these parameters, all visible.
    pub(crate) fn new(params: Vec<Local>) -> Scope {
        let mut visible = Visible::default();
        for (at, param) in params.iter().enumerate() {
            visible.push(LocalId::at(at), &param.name);
        }
        Scope { visible, locals: params, ..Scope::default() }
    }

    /// The visible names and known facts, to which `leave` returns.
    pub(crate) fn mark(&self) -> ScopeMark {
        (self.visible.order.len(), Rc::clone(&self.known))
    }

    /// Forgets the names and facts that came after a mark.
    pub(crate) fn leave(&mut self, (visible, known): ScopeMark) {
        self.visible.truncate(visible, &self.locals);
        self.known = known;
    }

    pub(crate) fn local_at(&self, local: LocalId) -> &Local {
        &self.locals[local.index()]
    }

    /// A local that may hide others: who writes a strategy does not know the names of the rules.
    pub(crate) fn add_name(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let local = self.add_local(Local::fixed(name, ty, span));
        self.visible.push(local, name);
        local
    }

    /// Adds a local that no name reaches.
    pub(crate) fn add_local(&mut self, local: Local) -> LocalId {
        self.locals.push(local);
        LocalId::at(self.locals.len() - 1)
    }

    pub(crate) fn path_of(&self, expr: &Expr) -> Option<Path> {
        Path::from_expr(expr, &|local| !self.local_at(local).mutable)
    }

    /// Whether a member is known to be in this part of its kind; it may be known to be in several,
    /// none of which is a part of the other.
    pub(crate) fn is_known_within(&self, expr: &Expr, part: KindId) -> bool {
        let Some(path) = self.path_of(expr) else { return false };
        self.known.contains(&Path::Within(Box::new(path), part))
    }

    /// Whether the expression is known not to be `none` here.
    pub(crate) fn is_known(&self, expr: &Expr) -> bool {
        self.path_of(expr).is_some_and(|path| self.known.contains(&path))
    }

    pub(crate) fn facts_of_equal(&self, a: &Expr, b: &Expr, holds: bool) -> BTreeSet<Path> {
        let (none, other) = match (is_none(a), is_none(b)) {
            (false, true) => (true, a),
            (true, false) => (true, b),
            _ => (false, a),
        };
        match (none, holds) {
            (true, false) => self.paths_present(other),
            (false, true) if !may_be_none(b) => self.paths_present(a),
            (false, true) if !may_be_none(a) => self.paths_present(b),
            _ => BTreeSet::new(),
        }
    }

    /// The paths that are not `none` if an expression is not: those before the dots of its columns too.
    pub(crate) fn paths_present(&self, expr: &Expr) -> BTreeSet<Path> {
        let mut facts = BTreeSet::new();
        let mut path = self.path_of(expr);
        while let Some(here) = path {
            path = match &here {
                Path::Column(_, _, of) => Some(of.as_ref().clone()),
                _ => None,
            };
            facts.insert(here);
        }
        facts
    }

    /// A new local that holds a good.
    pub(crate) fn add_good(&mut self, rules: &Rules, kind: KindId, span: Span) -> LocalId {
        let name = rules.index_name(Domain::Kind(kind));
        self.add_local(Local::fixed(&name, Type::Kind(kind), span))
    }

    /// A local for the amount of each good of a bag: `b[red]`.
    pub(crate) fn add_amounts(&mut self, rules: &Rules, name: &Name, kind: KindId) -> Vec<LocalId> {
        let of = rules.kind_at(kind);
        let names = of
            .own_members()
            .into_iter()
            .map(|at| format!("{}[{}]", name.text, of.members[at].name));
        names.map(|it| self.add_local(Local::fixed(&it, Type::Number, name.span))).collect()
    }

    /// The innermost name of a player that can be seen.
    pub(crate) fn somebody(&self) -> Option<&str> {
        let mut visible = self.visible.iter().rev().map(|local| self.local_at(local));
        visible.find(|local| local.ty == player()).map(|local| local.name.as_str())
    }
}

/// How many names could be seen, and what was known.
pub(crate) type ScopeMark = (usize, Rc<BTreeSet<Path>>);

/// The locals that can be seen, innermost last: all of them, and those of each name.
#[derive(Default)]
pub(crate) struct Visible {
    order: Vec<LocalId>,
    named: BTreeMap<String, Vec<LocalId>>,
}

impl Visible {
    pub(crate) fn push(&mut self, local: LocalId, name: &str) {
        self.order.push(local);
        self.named.entry(name.to_owned()).or_default().push(local);
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = LocalId> {
        self.order.iter().copied()
    }

    /// Whether a local can be seen; later ones have higher numbers.
    pub(crate) fn contains(&self, local: LocalId) -> bool {
        self.order.binary_search(&local).is_ok()
    }

    pub(crate) fn find_local(&self, name: &str) -> Option<LocalId> {
        self.named.get(name)?.last().copied()
    }

    fn truncate(&mut self, count: usize, locals: &[Local]) {
        for local in self.order.drain(count..) {
            if let Some(same) = self.named.get_mut(&locals[local.index()].name) {
                same.pop();
            }
        }
    }
}

/// Something that holds one value as long as it can be seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Path {
    Local(LocalId),
    Option(OptionId),
    Constant(ConstantId),
    Value(i64),
    Column(KindId, usize, Box<Path>),
    Table(TableId, Vec<Path>),
    /// That something is a member of a part of its kind.
    Within(Box<Path>, KindId),
}

impl Path {
    /// The path of an expression, if it is one that reads only such locals.
    fn from_expr(expr: &Expr, is_fixed: &dyn Fn(LocalId) -> bool) -> Option<Path> {
        match &expr.kind {
            ExprKind::Local(local) => is_fixed(*local).then_some(Path::Local(*local)),
            ExprKind::Option(option) => Some(Path::Option(*option)),
            ExprKind::Constant(constant) => Some(Path::Constant(*constant)),
            ExprKind::Value(Value::Int(number)) => Some(Path::Value(*number)),
            ExprKind::Column(kind, column, of) => {
                Some(Path::Column(*kind, *column, Box::new(Path::from_expr(of, is_fixed)?)))
            }
            ExprKind::Element(Array::Table(table), indices) => {
                let indices = indices.iter().map(|index| Path::from_expr(index, is_fixed));
                Some(Path::Table(*table, indices.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        }
    }
}

pub(crate) fn is_none(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Value(Value::None)) && expr.ty != Type::Unknown
}

pub(crate) fn may_be_none(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Maybe(_) | Type::None | Type::Unknown)
}
