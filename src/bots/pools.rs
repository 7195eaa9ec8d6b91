//! Finds pools of equal dice whose order no rule can tell, and sorts the dice of a position.
//!
//! While `roll pool for i in 1..n` waits for one die, those before it may trade places: what follows
//! has the same probabilities. The reason: two positions that differ by a permutation of the pool differ
//! so for ever, whatever is drawn or chosen, if the rules keep to [`Symmetry`]:
//!
//! * Dice are only taken from sets of dice, used as indices of the pool, and put into sets of dice.
//!   What is computed from all dice of a set does not depend on their order, and neither does a loop
//!   over dice that only adds to something it does not read. Sums are taken to fit in any order.
//! * `first(i in highest(i in S by pool[i]))` picks among dice that show the same. If nothing but S
//!   names dice then, the position stays the same when two of these trade places. So what is picked
//!   in the two positions differs by a permutation too.
//! * Where the pool is rolled nothing names dice, so nothing else changes when they trade places.
//!
//! If the rules do anything else with a die, its pool is an array like any other.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::Wait;
use crate::compile::{Foreknown, MAX_STEPS, Storage};
use crate::game::{Game, State};
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Array, BinaryOp, Binder, Block, Expr, ExprKind, LocalId, Rule, Rules, Stmt, StmtKind, Type,
    UnaryOp, Value, VarForm, VarId,
};
use crate::syntax::ast::{FoldWord, Owner, Visibility};

/// The sites where such pools are rolled: the variable, the number of the first die, and the slot of
/// the number of the next one.
#[derive(Debug, Default)]
pub(super) struct Pools(BTreeMap<usize, (VarId, i64, usize)>);

impl Pools {
    /// The pools of a game where an expression may be computed at the end.
    pub(super) fn find_pools(game: &Game, asked: Option<&Rule>) -> Pools {
        let (rules, mut pools) = (game.rules(), Pools::default());
        let known = Foreknown::new(rules, game.setting().clone(), MAX_STEPS);
        let vars = (0..).map(VarId::at).zip(&rules.vars).filter(|(var, it)| {
            let is_die = matches!(it.form, VarForm::Die(_)) && it.dims.len() == 1;
            let is_open = it.owner == Owner::Table && it.sight == Visibility::All;
            is_die && is_open && !rules.histories.iter().any(|past| past.vars.contains(var))
        });
        // Pieces that people typed are not known here.
        for (pool, declared) in vars.filter(|_| game.snippets().is_empty()) {
            let mut rolls = Vec::new();
            let mut see = |stmt: &Stmt| {
                rolls.extend(roll_of(stmt, pool).map(|(roll, it)| (roll.span, it.clone())));
            };
            rules.rules.iter().for_each(|rule| visit_stmts(&rule.body, &mut see));
            let dice = rolls.iter().find_map(|(_, binder)| known.value(&binder.set)?.into_set());
            let is_run = |dice: &Vec<i64>| dice.windows(2).all(|two| two[0] + 1 == two[1]);
            let Some(dice) = dice.filter(|dice| is_run(dice) && !dice.is_empty()) else { continue };
            let (ty, known) = (Type::Set(declared.dims[0]), &known);
            let (locals, named) = (BTreeMap::new(), Vec::new());
            let mut symmetry = Symmetry { rules, known, pool, ty, dice, locals, named };
            let measures = rules.measures.iter().map(|measure| &measure.rule);
            if !rules.rules.iter().chain(measures).chain(asked).all(|rule| symmetry.keeps(rule)) {
                continue;
            }
            for (at, site) in game.program().sites.iter().enumerate() {
                let roll = rolls.iter().find(|(span, _)| *span == site.span);
                let roll = roll.filter(|(_, binder)| symmetry.takes_all_dice(binder));
                let next = roll.and_then(|(_, it)| game.compiled().in_sight(at).remove(&it.local));
                if let (Wait::Draw { .. }, Some(Storage::Slots(next, _))) = (&site.wait, next) {
                    let next = game.compiled().slot(next).into();
                    pools.0.insert(at, (pool, symmetry.dice[0], next));
                }
            }
        }
        pools
    }

    /// Sorts the dice that were rolled so far, where a pool is being rolled.
    pub(super) fn sort(&self, game: &Game, state: &mut State) {
        let Some((pool, first, next)) = self.0.get(&state.site_number()) else { return };
        let info = &game.program().vars[pool.index()];
        let place = |number: i64| usize::try_from(number - info.dims[0].low).unwrap_or(0);
        let rolled = place(*first)..place(state.word(*next));
        let shown = |die| info.element(0, die, |slot| state.word(slot))[0];
        let mut faces: Vec<i64> = rolled.clone().map(shown).collect();
        faces.sort_unstable();
        for (die, face) in rolled.zip(faces) {
            let Some(kept) = info.kept else {
                state.set_word(usize::from(info.base) + die, face);
                continue;
            };
            for set in 0..kept.sets {
                let slot = usize::from(info.base + set * kept.width) + die / 64;
                let rest = state.word(slot) & !(1 << (die % 64));
                let is_shown = i64::from(kept.set_of(face) == Some(set));
                state.set_word(slot, rest | is_shown << (die % 64));
            }
        }
    }
}

/// True for `pool[local]`.
fn is_die(expr: &Expr, pool: VarId, local: LocalId) -> bool {
    match &expr.kind {
        ExprKind::Element(Array::Var(var), at) => *var == pool && at[0].is_local(local),
        _ => false,
    }
}

/// Whether an expression is `{local}`.
fn is_set_of(expr: &Expr, local: LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Unary(UnaryOp::ToSet, of) if of.is_local(local))
}

/// The roll of dice of a pool one after the other, and the binder of the dice.
fn roll_of(stmt: &Stmt, pool: VarId) -> Option<(&Stmt, &Binder)> {
    let (roll, binder) = match &stmt.kind {
        StmtKind::Roll { binder: Some(binder), .. } => (stmt, binder),
        StmtKind::For { binder, from: None, body } if body.len() == 1 => (&body[0], binder),
        _ => return None,
    };
    let StmtKind::Roll { place, .. } = &roll.kind else { return None };
    is_die(place, pool, binder.local).then_some((roll, binder))
}

/// How permuting the dice changes a value; none if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Same,
    /// The number of a die, which becomes that of another.
    Die,
    /// A set of such numbers.
    Dice,
    /// All dice or none, so it stays the same.
    All,
}

/// What rules keep to if they cannot tell in which order the dice of a pool lie.
struct Symmetry<'a> {
    rules: &'a Rules,
    known: &'a Foreknown<'a>,
    pool: VarId,
    /// The type of sets of dice.
    ty: Type,
    dice: Vec<i64>,
    /// Locals of a rule; those that are not here stay the same.
    locals: BTreeMap<LocalId, Class>,
    /// Locals in scope that name dice.
    named: Vec<LocalId>,
}

impl Symmetry<'_> {
    fn keeps(&mut self, rule: &Rule) -> bool {
        self.locals.clear();
        self.check_block(rule, &rule.body)
    }

    fn check_block(&mut self, rule: &Rule, block: &Block) -> bool {
        let mark = self.named.len();
        let keeps = block.iter().all(|stmt| self.check_stmt(rule, stmt));
        self.named.truncate(mark);
        keeps
    }

    fn check_stmt(&mut self, rule: &Rule, stmt: &Stmt) -> bool {
        match &stmt.kind {
            _ if roll_of(stmt, self.pool)
                .is_some_and(|(_, binder)| self.takes_all_dice(binder)) =>
            {
                self.named.is_empty()
            }
            // Nobody hears it.
            StmtKind::Say { .. } => true,
            StmtKind::Reset(targets) | StmtKind::Show { targets, .. } => {
                targets.iter().all(|target| target.var != self.pool) && self.check_parts(rule, stmt)
            }
            StmtKind::Let(local, value) => {
                let class = if self.picks(value) { Some(Class::Die) } else { self.class(value) };
                let class = class.map(|it| if it == Class::All { Class::Dice } else { it });
                if class != Some(Class::Same) {
                    self.named.push(*local);
                }
                class.is_some_and(|class| {
                    self.locals.insert(*local, class).is_none_or(|it| it == class)
                })
            }
            StmtKind::Assign(place, value) | StmtKind::Change { place, value, .. }
                if matches!(place.kind, ExprKind::Local(_)) =>
            {
                match (self.class(place), self.class(value)) {
                    (Some(Class::Dice), Some(Class::All)) => true,
                    (old, new) => old.is_some() && old == new,
                }
            }
            StmtKind::For { binder, from: None, body } if self.takes_dice(binder, stmt) => {
                self.bound(binder, &[]).is_some() && self.adds(rule, binder, body)
            }
            _ => self.check_parts(rule, stmt),
        }
    }

    /// True if the blocks of a statement are symmetric in the dice, and what it computes itself stays the same.
    fn check_parts(&mut self, rule: &Rule, stmt: &Stmt) -> bool {
        let (blocks, mut inner) = (stmt.blocks(), BTreeSet::new());
        let mut keeps = blocks.iter().all(|block| self.check_block(rule, block));
        for stmt in blocks.into_iter().flatten() {
            stmt.visit_parts(&mut |part| inner.extend([std::ptr::from_ref(part)]));
        }
        stmt.visit_parts(&mut |part| {
            keeps &= inner.contains(&std::ptr::from_ref(part)) || self.yields_same(part);
        });
        keeps
    }

    /// True if the local of a loop stands for a die.
    fn takes_dice(&mut self, binder: &Binder, stmt: &Stmt) -> bool {
        let (mut reads, local) = (false, binder.local);
        stmt.visit_exprs(&mut |part| {
            reads |= is_die(part, self.pool, local) || is_set_of(part, local);
        });
        let class = self.class(&binder.set);
        class == Some(Class::Dice) || class == Some(Class::All) && reads
    }

    /// Whether a body that runs for each die only adds to what it does not read.
    fn adds(&mut self, rule: &Rule, binder: &Binder, body: &Block) -> bool {
        let [Stmt { kind: StmtKind::Change { place, value, .. }, .. }] = &body[..] else {
            return false;
        };
        let range = match &place.kind {
            ExprKind::Local(local) => rule.locals[local.index()].range,
            ExprKind::Element(Array::Var(var), _) => self.rules.vars[var.index()].range,
            _ => return false,
        };
        let reads = |part: &Expr| match (&part.kind, &place.kind) {
            (ExprKind::Local(local), _) => place.is_local(*local),
            (ExprKind::Element(read, _), ExprKind::Element(changed, _)) => read == changed,
            (kind, _) => matches!(kind, ExprKind::Call(..)),
        };
        let mut read = binder.condition.as_deref().into_iter().chain([value]);
        !read.any(|expr| expr.any(reads))
            && match self.class(place) {
                Some(Class::Dice) => is_set_of(value, binder.local),
                Some(Class::Same) if place.ty == Type::Number && range.is_none() => {
                    self.yields_same(value)
                }
                _ => false,
            }
    }

    fn yields_same(&mut self, expr: &Expr) -> bool {
        matches!(self.class(expr), Some(Class::Same | Class::All))
    }

    /// Whether all dice are taken, in their order.
    fn takes_all_dice(&mut self, binder: &Binder) -> bool {
        binder.condition.is_none() && self.class(&binder.set) == Some(Class::All)
    }

    /// Whether a value is any one of the dice that show most or least.
    fn picks(&mut self, value: &Expr) -> bool {
        let ExprKind::Fold { word: FoldWord::First | FoldWord::Last, binder, body } = &value.kind
        else {
            return false;
        };
        let ExprKind::Fold { binder: from, body: keys, .. } = &binder.set.kind else {
            return false;
        };
        let others = self.named.iter().any(|named| !from.set.is_local(*named));
        let shown = keys.iter().any(|key| is_die(key, self.pool, from.local));
        let any = body.is_empty() && binder.condition.is_none();
        any && shown && !others && self.class(&binder.set) == Some(Class::Dice)
    }

    /// The class of a set under its binder, if what is computed for each member stays the same.
    fn bound(&mut self, binder: &Binder, body: &[Expr]) -> Option<Class> {
        let mut each = binder.condition.as_deref().into_iter().chain(body);
        let pool = self.pool;
        let reads = |expr: &Expr| expr.any(|part| is_die(part, pool, binder.local));
        let (class, member) = match self.class(&binder.set)? {
            Class::Dice => (Class::Dice, Class::Die),
            Class::All if each.clone().any(reads) => (Class::Dice, Class::Die),
            Class::All | Class::Same => (Class::Same, Class::Same),
            Class::Die => return None,
        };
        self.locals.insert(binder.local, member);
        each.all(|expr| self.yields_same(expr)).then_some(class)
    }

    /// How permuting the dice changes a value; none if unknown.
    fn class(&mut self, expr: &Expr) -> Option<Class> {
        // Suppositions may change dice. A rule that pauses could roll the pool.
        let is_unknown = |part: &Expr| match &part.kind {
            ExprKind::Suppose(..) => true,
            ExprKind::Call(rule, _) if !self.named.is_empty() => {
                self.rules.rules[rule.index()].effects.pauses
            }
            _ => false,
        };
        let moves = |part: &Expr| match &part.kind {
            ExprKind::Element(Array::Var(var), _) => *var == self.pool,
            ExprKind::Local(local) => !matches!(self.locals.get(local), None | Some(Class::Same)),
            _ => false,
        };
        if expr.any(is_unknown) {
            return None;
        }
        if !expr.any(moves) {
            let may_be = (expr.ty == self.ty || expr.ty == Type::Span) && !expr.is_ordered();
            let set =
                Some(expr).filter(|_| may_be).and_then(|expr| self.known.value(expr)?.into_set());
            let is_all = set.is_some_and(|set| set.is_empty() || set == self.dice);
            return Some(if is_all { Class::All } else { Class::Same });
        }
        match &expr.kind {
            ExprKind::Local(local) => self.locals.get(local).copied(),
            ExprKind::Element(Array::Var(var), at) if *var == self.pool => {
                (self.class(&at[0])? == Class::Die).then_some(Class::Same)
            }
            ExprKind::Unary(UnaryOp::ToSet, of) => match self.class(of)? {
                Class::Die => Some(Class::Dice),
                class => Some(class),
            },
            ExprKind::Binary(BinaryOp::Equal, a, b) => match (self.class(a)?, self.class(b)?) {
                (Class::Same, Class::Same) | (Class::Dice, Class::All) => Some(Class::Same),
                _ => matches!(b.kind, ExprKind::Value(Value::None)).then_some(Class::Same),
            },
            ExprKind::Filter(binder) => self.bound(binder, &[]),
            ExprKind::Image(body, binder) => {
                self.bound(binder, std::slice::from_ref(body)).map(|_| Class::Same)
            }
            ExprKind::Fold { word, binder, body } => match (word, self.bound(binder, body)?) {
                (FoldWord::Highest | FoldWord::Lowest, class) => Some(class),
                (FoldWord::First | FoldWord::Last | FoldWord::Only, Class::Dice) => None,
                _ => Some(Class::Same),
            },
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::If(..) | ExprKind::Call(..) => {
                let mut same = true;
                expr.visit_parts(&mut |part| same &= self.yields_same(part));
                same.then_some(Class::Same)
            }
            _ => None,
        }
    }
}
