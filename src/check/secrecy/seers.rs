//! Resolves who sees a secret, and which players are known to differ.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::check::secrecy::RuleKnowledge;
use crate::check::secrecy::taint::{SecretSource, SeerRole, Sees, Taint};
use crate::eval::{Constants, Evaluator, Specialisation};
use crate::rules::{
    Ambient, BinaryOp, Binder, Domain, Expr, ExprKind, Init, LocalId, PLAYER, Rule, Rules, SetOp,
    Stmt, StmtKind, Type, UnaryOp, Value, Var,
};
use crate::syntax::ast::{Owner, Visibility};

/// Limits evaluation for one variable and player.
const MOST_STEPS: usize = 10_000;

/// The seers of a variable, for each number of players and each owner (one for the table); none if options decide it.
pub(super) type SeerSets = Option<Vec<(usize, Vec<Vec<i64>>)>>;

pub(super) fn find_seers(rules: &Rules) -> Vec<SeerSets> {
    rules.vars.iter().map(|var| seers_of(rules, var)).collect()
}

fn seers_of(rules: &Rules, var: &Var) -> SeerSets {
    let (low, high) = rules.players;
    let seen = |players: usize| {
        let seats = || 0..i64::try_from(players).expect("few can play");
        let owners = if var.owner == Owner::Player { players } else { 1 };
        let of = |owner: i64| match (var.sight, &var.seers) {
            (Visibility::All, _) => Some(seats().collect()),
            (Visibility::Owner, _) => Some(vec![owner]),
            (Visibility::Others, _) => Some(seats().filter(|seat| *seat != owner).collect()),
            (Visibility::Named, Some(Init { value, .. })) => {
                eval_with(rules, players, value, LocalId::at(0), owner)?.into_set()
            }
            (Visibility::Named | Visibility::Nobody, _) => Some(Vec::new()),
        };
        let all: Option<Vec<Vec<i64>>> = seats().take(owners).map(of).collect();
        Some((players, all?))
    };
    (low..=high).map(seen).collect()
}

/// Evaluates `expr` with `local` bound to a player; none if options or steps forbid it.
fn eval_with(
    rules: &Rules,
    players: usize,
    expr: &Expr,
    local: LocalId,
    player: i64,
) -> Option<Value> {
    let setting = Specialisation { players, options: Vec::new() };
    let (left, constants) = (Cell::new(MOST_STEPS), Constants::default());
    let mut evaluator = Evaluator::new(rules, &setting, &[], &(), &left, &constants);
    evaluator.bound.push((local, Value::Int(player)));
    evaluator.value(expr).ok()
}

/// The seer of a variable of `owner`, and whether that is the owner; `who` resolves the player of an expression.
pub(super) fn who_sees(
    rules: &Rules,
    seers: &SeerSets,
    owner: Option<&Expr>,
    who: impl Fn(&Expr) -> Sees,
) -> (Sees, SeerRole) {
    if let Some(owner) = owner
        && let player @ (Sees::Local(_) | Sees::Seat(_)) = who(owner)
        && seers.as_ref().is_some_and(|settings| is_seen_by_owner(settings))
    {
        return (player, SeerRole::Owner);
    }
    (who_else_sees(rules, seers, owner, who), SeerRole::Unknown)
}

fn is_seen_by_owner(settings: &[(usize, Vec<Vec<i64>>)]) -> bool {
    let mut owners = settings.iter().flat_map(|(_, sets)| sets.iter().enumerate());
    owners.all(|(owner, set)| has_seat(set, owner))
}

fn has_seat(seats: &[i64], number: usize) -> bool {
    seats.iter().any(|it| usize::try_from(*it) == Ok(number))
}

/// As `who_sees`, where the owner is not known to see it.
fn who_else_sees(
    rules: &Rules,
    seers: &SeerSets,
    owner: Option<&Expr>,
    who: impl Fn(&Expr) -> Sees,
) -> Sees {
    let Some(settings) = seers else { return Sees::Somebody };
    let all = |see: &dyn Fn(usize, usize, &[i64]) -> bool| {
        settings.iter().all(|(players, sets)| {
            sets.iter().enumerate().all(|(owner, set)| see(*players, owner, set))
        })
    };
    if all(&|_, _, set| set.is_empty()) {
        return Sees::Nobody;
    }
    let Some(owner) = owner else {
        let first = settings.iter().flat_map(|(_, sets)| sets).flatten();
        let first = first.copied().min().unwrap_or_default();
        return if all(&|_, _, set| set.contains(&first)) {
            Sees::Seat(first)
        } else {
            Sees::Somebody
        };
    };
    if let player @ (Sees::Local(_) | Sees::Seat(_)) = who(owner) {
        let is_seen_by_others = |players, owner, set: &[i64]| {
            (0..players).all(|seat| seat == owner || has_seat(set, seat))
        };
        if all(&is_seen_by_others) {
            return player.others();
        }
    }
    // `next(me)`: `me` sees that for each player?
    let Some(owner) = beside(rules, owner) else { return Sees::Somebody };
    let local = counted_from(&owner);
    let ExprKind::Local(id) = local.kind else { return Sees::Somebody };
    let is_seer = |players: usize, sets: &[Vec<i64>], seat: usize| {
        let seat_number = i64::try_from(seat).ok()?;
        let of = eval_with(rules, players, &owner, id, seat_number)?.as_number()?;
        sets.get(usize::try_from(of).ok()?).map(|set| has_seat(set, seat))
    };
    let always = settings.iter().all(|(players, sets)| {
        (0..*players).all(|seat| is_seer(*players, sets, seat) == Some(true))
    });
    if always { who(local) } else { Sees::Somebody }
}

/// Expands a player beside one in a local, without calls: `next(next(p))` for `partner(p)`.
fn beside(rules: &Rules, expr: &Expr) -> Option<Expr> {
    match &expr.kind {
        ExprKind::Local(_) if expr.ty == Type::Kind(PLAYER) => Some(expr.clone()),
        ExprKind::Unary(op @ (UnaryOp::Next | UnaryOp::Previous), of) => {
            let kind = ExprKind::Unary(*op, Box::new(beside(rules, of)?));
            Some(Expr { kind, ..expr.clone() })
        }
        ExprKind::Call(rule, args) => {
            let [arg] = args.as_slice() else { return None };
            let rule = &rules.rules[rule.index()];
            let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = rule.body.as_slice() else {
                return None;
            };
            beside_of(value, beside(rules, arg)?)
        }
        _ => None,
    }
}

/// `beside` for the returned value of a rule, whose argument is `arg`.
fn beside_of(value: &Expr, arg: Expr) -> Option<Expr> {
    match &value.kind {
        ExprKind::Local(_) if value.ty == Type::Kind(PLAYER) => Some(arg),
        ExprKind::Unary(op @ (UnaryOp::Next | UnaryOp::Previous), of) => {
            let kind = ExprKind::Unary(*op, Box::new(beside_of(of, arg)?));
            Some(Expr { kind, ..value.clone() })
        }
        _ => None,
    }
}

/// The local that `beside` starts from.
fn counted_from(beside: &Expr) -> &Expr {
    match &beside.kind {
        ExprKind::Unary(_, of) => counted_from(of),
        _ => beside,
    }
}

/// What is known of the players that locals of a rule hold.
pub(super) struct KnownPlayers<'a> {
    known: &'a RuleKnowledge<'a>,
    rule: &'a Rule,
    aliases: BTreeMap<LocalId, Sees>,
    /// Locals that hold a player beside the one of another local.
    beside: BTreeMap<LocalId, Expr>,
    /// Locals that differ from a player.
    apart: BTreeSet<(LocalId, Sees)>,
}

impl<'a> KnownPlayers<'a> {
    pub(super) fn new(known: &'a RuleKnowledge<'a>, rule: &'a Rule) -> KnownPlayers<'a> {
        let (aliases, beside, apart) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        KnownPlayers { known, rule, aliases, beside, apart }
    }

    /// Renames a seer to the parameter of a called rule that means the same player.
    pub(super) fn seer_at_callee(&self, sees: Sees, args: &[Expr]) -> Sees {
        let param = |sees: Sees| {
            let at = args.iter().position(|arg| self.seer_of(arg) == sees);
            at.map(|at| Sees::Local(LocalId::at(at)))
        };
        match sees {
            Sees::Local(_) | Sees::Seat(_) => {
                param(sees).unwrap_or(if let Sees::Seat(_) = sees { sees } else { Sees::Somebody })
            }
            Sees::AllButSeat(seat) => param(Sees::Seat(seat)).map_or(sees, Sees::others),
            Sees::AllBut(local) => {
                let others = self.apart.iter().filter(|(of, _)| *of == local);
                let mut known = others.filter_map(|(_, other)| param(*other));
                param(Sees::Local(local))
                    .map(Sees::others)
                    .or_else(|| known.next())
                    .unwrap_or(Sees::Somebody)
            }
            Sees::Somebody | Sees::Nobody => sees,
        }
    }

    /// The player whom an expression means, if known.
    pub(super) fn seer_of(&self, expr: &Expr) -> Sees {
        let ExprKind::Local(local) = &expr.kind else { return literal_seat(expr) };
        match self.aliases.get(local) {
            Some(sees) => *sees,
            None if self.rule.locals[local.index()].mutable => Sees::Somebody,
            None => Sees::Local(*local),
        }
    }

    pub(super) fn are_apart_indices(&self, a: &Expr, b: &Expr) -> bool {
        match (&a.kind, &b.kind) {
            (ExprKind::Value(a), ExprKind::Value(b)) => a != b,
            _ => self.are_apart(self.seer_of(a), self.seer_of(b)),
        }
    }

    /// Records players that a member differs from: `q in others(me)`, `q in Player where q != me`.
    pub(super) fn note_apart(&mut self, binder: &Binder) {
        if binder.set.ty == Type::Set(Domain::Kind(PLAYER)) {
            let mut apart = Vec::new();
            self.apart_in(&binder.set, &mut apart);
            if let Some(condition) = &binder.condition {
                self.apart_by(binder.local, condition, &mut apart);
            }
            self.apart.extend(apart.into_iter().map(|other| (binder.local, other)));
        }
    }

    /// Records a local that holds a player beside another.
    fn note_beside(&mut self, local: LocalId, value: &Expr) {
        if let Some(player) = beside(self.known.rules, value)
            && player.as_local().is_none()
        {
            self.beside.insert(local, player);
        }
    }

    /// Records players that a local differs from: it holds the last player, or one beside another.
    fn note_other(&mut self, local: LocalId, value: &Expr) {
        let several = self.known.rules.players.0 > 1 && !self.rule.locals[local.index()].mutable;
        match &value.kind {
            ExprKind::Ambient(Ambient::LastPlayer) if several => {
                self.apart.insert((local, Sees::Seat(0)));
            }
            ExprKind::Unary(UnaryOp::Next | UnaryOp::Previous, of) if several => {
                let of = self.seer_of(of);
                self.apart.insert((local, of));
            }
            _ => {}
        }
    }

    fn apart_in(&self, set: &Expr, apart: &mut Vec<Sees>) {
        match &set.kind {
            ExprKind::Unary(UnaryOp::Others, of) => apart.push(self.seer_of(of)),
            ExprKind::Filter(binder) => {
                self.apart_in(&binder.set, apart);
                if let Some(condition) = &binder.condition {
                    self.apart_by(binder.local, condition, apart);
                }
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), from, out) => {
                self.apart_in(from, apart);
                if let ExprKind::SetOf(members) = &out.kind {
                    apart.extend(members.iter().map(|member| self.seer_of(member)));
                }
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Common), a, b) => {
                self.apart_in(a, apart);
                self.apart_in(b, apart);
            }
            _ => {}
        }
    }

    /// `q != me and …`
    fn apart_by(&self, local: LocalId, condition: &Expr, apart: &mut Vec<Sees>) {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.apart_by(local, a, apart);
                self.apart_by(local, b, apart);
            }
            ExprKind::Unary(UnaryOp::Not, of) => match &of.kind {
                ExprKind::Binary(BinaryOp::Equal, a, b) if a.is_local(local) => {
                    apart.push(self.seer_of(b));
                }
                ExprKind::Binary(BinaryOp::Equal, a, b) if b.is_local(local) => {
                    apart.push(self.seer_of(a));
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// True if two players are known to differ.
    fn are_apart(&self, a: Sees, b: Sees) -> bool {
        let noted =
            |a: Sees, b: Sees| matches!(a, Sees::Local(local) if self.apart.contains(&(local, b)));
        let seats = matches!((a, b), (Sees::Seat(one), Sees::Seat(other)) if one != other);
        let named = |sees: Sees| matches!(sees, Sees::Local(_) | Sees::Seat(_));
        seats || named(a) && named(b) && (noted(a, b) || noted(b, a))
    }

    /// The part of a taint that a player does not see; all of it without a player.
    pub(super) fn unseen_by(&self, taint: &Taint, player: Option<Sees>) -> Taint {
        taint.without_seen(|source, sees| match (player, sees.left_out()) {
            (None, _) => false,
            (Some(player), Some(other)) => self.are_apart(player, other),
            (Some(player), None) => {
                player == sees && matches!(sees, Sees::Local(_) | Sees::Seat(_))
                    || self.sees_beside(player, source, sees)
            }
        })
    }

    /// True if a player sees what belongs to a player beside them, who sees it too.
    fn sees_beside(&self, player: Sees, source: SecretSource, sees: Sees) -> bool {
        let (SecretSource::Var(var, SeerRole::Owner), Sees::Local(owner)) = (source, sees) else {
            return false;
        };
        let Some(owner) = self.beside.get(&owner) else { return false };
        let owners = &self.known.seers[var.index()];
        who_sees(self.known.rules, owners, Some(owner), |it| self.seer_of(it)).0 == player
    }

    /// Renames seers whose locals go out of scope (`unknown`); all but such a player is somebody known to differ.
    pub(super) fn forget_seers_in(
        &self,
        taint: &Taint,
        unknown: impl Fn(LocalId) -> bool,
    ) -> Taint {
        taint.map_seers(|sees| self.without_locals(sees, &unknown))
    }

    fn without_locals(&self, sees: Sees, unknown: &dyn Fn(LocalId) -> bool) -> Sees {
        match sees {
            Sees::Local(local) if unknown(local) => Sees::Somebody,
            Sees::AllBut(local) if unknown(local) => {
                let other =
                    self.apart.iter().filter(|(of, _)| *of == local).map(|(_, other)| *other);
                let mut known = other.filter(|other| match other {
                    Sees::Local(other) => !unknown(*other),
                    other => matches!(other, Sees::Seat(_)),
                });
                known.next().unwrap_or(Sees::Somebody)
            }
            sees => sees,
        }
    }

    /// Records a fixed local that is an alias of a player.
    pub(super) fn note_alias(&mut self, local: LocalId, value: &Expr) {
        let mutable = self.rule.locals[local.index()].mutable;
        if value.ty == Type::Kind(PLAYER)
            && !mutable
            && let sees @ (Sees::Local(_) | Sees::Seat(_)) = self.seer_of(value)
        {
            self.aliases.insert(local, sees);
        }
        if !mutable {
            self.note_beside(local, value);
        }
        self.note_other(local, value);
    }
}

/// The seat of a literal player.
pub(super) fn literal_seat(expr: &Expr) -> Sees {
    match &expr.kind {
        ExprKind::Value(Value::Int(seat)) if expr.ty == Type::Kind(PLAYER) => Sees::Seat(*seat),
        _ => Sees::Somebody,
    }
}
