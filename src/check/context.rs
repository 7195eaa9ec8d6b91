//! What the checker holds while it works: the rules so far, the body it is in, its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::budget::Budget;
use crate::check::groups::Group;
use crate::check::narrow::Path;
use crate::check::rules::{
    Effects, Expr, ExprKind, Kind, KindId, Local, LocalId, PLAYER, RuleId, Rules, Stmt, Type,
    Value, VarId,
};
use crate::check::scope::Names;
use crate::check::symbols::SymbolRecorder;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::suggest::Guesses;
use crate::syntax::ast;

/// What looking at a statement or an expression takes, compared with a step of a plain loop.
const STEPS_OF_A_PART: usize = 16;

/// How many bytes are made of a statement or an expression, in the tree and in the rules.
const BYTES_OF_A_PART: usize = 400;

/// The state of one check.
pub(super) struct Checker<'a> {
    /// The rules as far as they are known.
    pub(super) rules: Rules,
    /// What the names of the file mean.
    pub(super) names: Names,
    /// The declarations that `rules` is made from.
    pub(super) tree: Tree<'a>,
    /// The body that is being checked.
    pub(super) body: Body,
    /// What was found.
    pub(super) diagnostics: Diagnostics,
    /// What may still be done.
    pub(super) budget: Budget,
    /// The boards whose rays the file asks for.
    pub(super) has_rays: BTreeSet<KindId>,
    /// Guesses at what was meant.
    pub(super) guesses: Guesses,
    /// How often a group was included in another one.
    pub(super) inclusions: usize,
    /// How many members all kinds have together.
    pub(super) all_members: usize,
    /// What calls must be, once effects are known.
    pub(super) requirements: Vec<Requirement>,
    /// Which rules each rule calls.
    pub(super) calls: Vec<Vec<RuleId>>,
    /// The options, constants and rules whose types are being looked for, outermost first.
    pub(super) searching: Vec<String>,
    /// The groups of moves, in the order of the file.
    pub(super) groups: Vec<Group<'a>>,
    /// The groups whose options are being checked, outermost first.
    pub(super) including: Vec<usize>,
    /// The names without a meaning that were reported, since one declaration may be missing.
    pub(super) strangers: BTreeSet<String>,
    /// Rules whose bodies have errors: nobody knows what they would do.
    pub(super) broken_rules: BTreeSet<RuleId>,
    /// What the file asks of its piles.
    pub(super) piles: Piles,
    /// What is kept for editors; absent where nobody asks.
    pub(super) notebook: Option<SymbolRecorder>,
    /// What the players are called; absent outside of snippets.
    pub(super) seats: Option<Vec<String>>,
}

/// What a file asks of its piles.
#[derive(Default)]
pub(super) struct Piles {
    /// Those whose top or bottom is asked for.
    pub(super) asked: BTreeSet<VarId>,
    /// Those that are given to rules and groups of moves.
    pub(super) given: BTreeSet<VarId>,
    /// Whether the top or bottom of a pile is asked for that was given.
    pub(super) by_reference: bool,
}

/// The declarations of a file by sort, in its order.
#[derive(Default)]
pub(super) struct Tree<'a> {
    /// `game` blocks.
    pub(super) games: Vec<Entry<'a, ast::Game>>,
    /// Kinds; those at the ids 1 and up.
    pub(super) kinds: Vec<Entry<'a, ast::Kind>>,
    /// Cards, with the ids of their kinds.
    pub(super) cards: Vec<(KindId, &'a ast::Cards)>,
    /// More members of kinds.
    pub(super) extensions: Vec<Entry<'a, ast::Kind>>,
    /// Boards, with the ids of their kinds.
    pub(super) boards: Vec<(KindId, &'a ast::Board)>,
    /// Options by id.
    pub(super) options: Vec<Entry<'a, ast::OptionItem>>,
    /// Constants by id.
    pub(super) constants: Vec<Entry<'a, ast::Constant>>,
    /// Tables by id.
    pub(super) tables: Vec<Entry<'a, ast::Table>>,
    /// Variables by id.
    pub(super) vars: Vec<(ast::Owner, &'a ast::Var)>,
    /// Rules by id.
    pub(super) rules: Vec<Entry<'a, ast::Rule>>,
    /// Measures.
    pub(super) measures: Vec<Entry<'a, ast::Measure>>,
    /// What must always hold.
    pub(super) always: Vec<Entry<'a, ast::Always>>,
    /// `setup` and `play`.
    pub(super) flows: Vec<Entry<'a, ast::Flow>>,
}

/// A declaration and how far its check is.
pub(super) struct Entry<'a, T> {
    /// The `##` lines above it.
    pub(super) notes: &'a [ast::Note],
    /// The declaration.
    pub(super) item: &'a T,
    /// Its place.
    pub(super) span: Span,
    /// How far it is.
    pub(super) progress: Progress,
}

/// How far the check of a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Not begun.
    Waiting,
    /// Begun: needing it now is a cycle.
    Running,
    /// Done.
    Done,
}

/// What a call must be.
pub(super) struct Requirement {
    /// The rule that is called.
    pub(super) rule: RuleId,
    /// What is asked of it.
    pub(super) need: Need,
    /// The call.
    pub(super) span: Span,
}

/// What may be asked of a call.
#[derive(Clone, Copy)]
pub(super) enum Need {
    /// It does nothing, since it stands inside something larger.
    Inside,
    /// It does nothing, since it stands in a condition.
    Condition(&'static str),
    /// It neither pauses nor ends the game, since it is only supposed.
    Supposed,
    /// It does something, since nobody uses its value.
    Effect,
}

/// What may stand in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Only what is known before play.
    Constant,
    /// Everything.
    Rule,
}

/// What `return` gives.
#[derive(Clone, Debug)]
pub(super) enum Returning {
    /// A value of this type.
    Value(Type),
    /// Nothing; the name of the rule or flow.
    Nothing(String),
    /// It is wrong: the body belongs to a group of moves of this name.
    Group(String),
    /// It is wrong: the statements are only supposed.
    Supposed,
}

/// The rule or constant expression that is being checked.
#[expect(clippy::struct_excessive_bools, reason = "each says where in a rule the checker is")]
pub(super) struct Body {
    /// All its locals so far.
    pub(super) locals: Vec<Local>,
    /// Those that can be seen.
    pub(super) visible: Visible,
    /// How many of the visible ones were there before a snippet, which may hide them.
    pub(super) hideable: usize,
    /// What is known not to be `none`.
    pub(super) known: Rc<BTreeSet<Path>>,
    /// What was said to be perhaps `none`, as it is written.
    pub(super) blamed: BTreeSet<String>,
    /// What may stand in it.
    pub(super) mode: Mode,
    /// Whether the next expression is a whole right side, and may pause.
    pub(super) alone: bool,
    /// The condition that is being checked, as messages call it.
    pub(super) condition: Option<&'static str>,
    /// Statements that come before the one that is being checked.
    pub(super) before: Vec<Stmt>,
    /// Whether it stands in what is only supposed.
    pub(super) supposing: bool,
    /// Whether the options that are being checked stand in an order.
    pub(super) in_order: bool,
    /// The names that later clauses of the move bind.
    pub(super) later: BTreeSet<String>,
    /// How many loops stand around.
    pub(super) loops: usize,
    /// What `return` gives.
    pub(super) returning: Returning,
    /// The place that is being changed, and how what it belongs to is followed: `.points += 1`.
    pub(super) deed: Option<(Span, String)>,
    /// Whether it belongs to a rule of the file, not to a flow.
    pub(super) in_rule: bool,
    /// What it does itself.
    pub(super) effects: Effects,
    /// The rules it calls.
    pub(super) calls: Vec<RuleId>,
}

impl Body {
    /// A body with these parameters, all visible.
    pub(super) fn new(params: Vec<Local>, mode: Mode) -> Body {
        let mut visible = Visible::default();
        for (at, param) in params.iter().enumerate() {
            visible.push(LocalId::at(at), &param.name);
        }
        Body {
            visible,
            locals: params,
            hideable: 0,
            known: Rc::default(),
            blamed: BTreeSet::new(),
            mode,
            alone: false,
            condition: None,
            before: Vec::new(),
            supposing: false,
            in_order: false,
            later: BTreeSet::new(),
            loops: 0,
            returning: Returning::Nothing(String::new()),
            deed: None,
            in_rule: false,
            effects: Effects::default(),
            calls: Vec::new(),
        }
    }
}

/// Where a scope began: what is forgotten when it ends.
pub(super) struct Mark {
    visible: usize,
    known: Rc<BTreeSet<Path>>,
}

/// The locals that can be seen.
#[derive(Default)]
pub(super) struct Visible {
    /// All of them, innermost last.
    order: Vec<LocalId>,
    /// Those of each name, innermost last.
    named: BTreeMap<String, Vec<LocalId>>,
}

impl Visible {
    /// Makes one more local seen.
    pub(super) fn push(&mut self, local: LocalId, name: &str) {
        self.order.push(local);
        self.named.entry(name.to_owned()).or_default().push(local);
    }

    /// All of them, innermost last.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = LocalId> {
        self.order.iter().copied()
    }

    /// Whether a local can be seen; later ones have higher numbers.
    pub(super) fn contains(&self, local: LocalId) -> bool {
        self.order.binary_search(&local).is_ok()
    }

    /// The innermost of a name.
    pub(super) fn named(&self, name: &str) -> Option<LocalId> {
        self.named.get(name)?.last().copied()
    }

    /// Leaves only so many of them, the outermost.
    fn truncate(&mut self, count: usize, locals: &[Local]) {
        while self.order.len() > count {
            let last = self.order.pop().map(|local| &locals[local.index()].name);
            if let Some(same) = last.and_then(|name| self.named.get_mut(name)) {
                same.pop();
            }
        }
    }
}

impl<'a> Checker<'a> {
    /// A checker that builds on these rules.
    pub(super) fn new(rules: Rules) -> Checker<'a> {
        Checker {
            names: Names::of(&rules),
            calls: vec![Vec::new(); rules.rules.len()],
            rules,
            tree: Tree::default(),
            body: Body::new(Vec::new(), Mode::Constant),
            has_rays: BTreeSet::new(),
            guesses: Guesses::default(),
            inclusions: 0,
            all_members: 0,
            diagnostics: Diagnostics::new(),
            budget: Budget::default(),
            requirements: Vec::new(),
            searching: Vec::new(),
            groups: Vec::new(),
            including: Vec::new(),
            strangers: BTreeSet::new(),
            broken_rules: BTreeSet::new(),
            piles: Piles::default(),
            notebook: None,
            seats: None,
        }
    }

    /// Charges for one more part of the file; whether there is anything left for it.
    pub(super) fn may_go_on(&self) -> bool {
        self.budget.charge(STEPS_OF_A_PART);
        self.budget.keep(BYTES_OF_A_PART);
        !self.budget.is_spent()
    }

    /// Where too much was asked for, that is all there is to say: what was not looked at seems to be
    /// wrong.
    pub(super) fn settle_account(&mut self) {
        if let Some(finding) = self.budget.finding() {
            self.diagnostics = Diagnostics::new();
            self.diagnostics.push(finding);
        }
    }

    /// Adds a finding.
    pub(super) fn report(&mut self, error: impl Into<Diagnostic>) {
        self.diagnostics.push(error);
    }

    /// Adds a finding and gives what stands for the broken expression.
    pub(super) fn broken(&mut self, error: impl Into<Diagnostic>, span: Span) -> Expr {
        self.report(error);
        unknown(span)
    }

    /// Checks something in a body of its own and gives that body back.
    pub(super) fn in_body<T>(
        &mut self,
        body: Body,
        check: impl FnOnce(&mut Self) -> T,
    ) -> (T, Body) {
        let outer = std::mem::replace(&mut self.body, body);
        let result = check(self);
        (result, std::mem::replace(&mut self.body, outer))
    }

    /// Checks something as part of a condition, which must not do anything.
    pub(super) fn in_condition<T>(
        &mut self,
        what: &'static str,
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.body.condition.replace(what);
        let result = check(self);
        self.body.condition = outer;
        result
    }

    /// Checks something in a scope of its own: its names and what it knows are forgotten after it.
    pub(super) fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.mark();
        let result = check(self);
        self.back_to(mark);
        result
    }

    /// Remembers what can be seen and is known now.
    pub(super) fn mark(&self) -> Mark {
        Mark { visible: self.body.visible.order.len(), known: self.body.known.clone() }
    }

    /// Forgets what came after a mark.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.body.visible.truncate(mark.visible, &self.body.locals);
        self.body.known = mark.known;
    }

    /// A kind.
    pub(super) fn kind(&self, kind: KindId) -> &Kind {
        &self.rules.kinds[kind.index()]
    }

    /// A local of the body.
    pub(super) fn local(&self, local: LocalId) -> &Local {
        &self.body.locals[local.index()]
    }
}

/// An expression.
pub(super) fn typed(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// What stands for an expression with a mistake in it: it fits everywhere.
pub(super) fn unknown(span: Span) -> Expr {
    typed(ExprKind::Value(Value::None), Type::Unknown, span)
}

/// A member of a kind as a value.
pub(super) fn member(kind: KindId, position: usize, span: Span) -> Expr {
    let position = i64::try_from(position).expect("a kind has fewer than 2^63 members");
    typed(ExprKind::Value(Value::Int(position)), Type::Kind(kind), span)
}

/// The type of a player.
pub(super) fn player() -> Type {
    Type::Kind(PLAYER)
}
