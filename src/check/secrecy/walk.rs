//! Follows secrets through a rule, in its order: what each local may tell, and whether a question
//! came since it was read.
//!
//! Loops are solved together: a pass walks through every body once, with all that earlier passes
//! brought to the beginning of its loop. Passes continue until none brings anything new; the last
//! one reports.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::error;
use crate::check::rules::{
    Binder, Block, CardAction, Cards, Expr, ExprKind, LocalId, PLAYER, Rule, RuleId, Stmt,
    StmtKind, Type,
};
use crate::check::secrecy::taint::{Moment, Path, Secret, Sees, Taint};
use crate::check::secrecy::{Found, Known};
use crate::diagnostic::Label;
use crate::source::Span;

pub(super) struct Walk<'a> {
    pub(super) known: &'a Known<'a>,
    rule: RuleId,
    /// What is known here.
    pub(super) now: Moment,
    /// What is known where the loop around was left by `break`.
    exit: Moment,
    /// What is known where a round of the loop around was ended by `continue`.
    round_end: Moment,
    /// What is known at the beginning of each loop, in the order of the walk.
    loops: Vec<Moment>,
    next_loop: usize,
    /// Whether this pass brought more to the beginning of a loop.
    grew: bool,
    /// Locals that are another name for a player.
    pub(super) same_as: BTreeMap<LocalId, Sees>,
    /// What the conditions around the statement tell.
    pub(super) around: Taint,
    pub(super) out: Out,
    /// Arguments of moves that only their player knows.
    pub(super) untold: BTreeSet<LocalId>,
    /// Locals that hold what lay at the end of a pile: everybody can tell which card that was.
    ends: BTreeSet<LocalId>,
    /// Where a leak was reported (`true`), or a local that keeps a secret.
    reported: BTreeSet<(Span, bool)>,
}

#[derive(Default)]
pub(super) struct Out {
    /// What the value of the rule tells.
    pub(super) returned: Taint,
    /// What it tells whether the set that the rule returns has members.
    pub(super) returned_some: Taint,
    /// What the rules that are called are given: rule, parameter, what it tells.
    pub(super) given: Vec<(RuleId, usize, Taint)>,
    pub(super) found: Found,
}

impl<'a> Walk<'a> {
    /// What a rule tells: with what it is given, or without.
    pub(super) fn through(known: &'a Known<'a>, rule: RuleId, given: bool) -> Out {
        let mut walk = Walk {
            known,
            rule,
            now: Moment::default(),
            exit: Moment::never(),
            round_end: Moment::never(),
            loops: Vec::new(),
            next_loop: 0,
            grew: false,
            same_as: BTreeMap::new(),
            around: Taint::default(),
            out: Out::default(),
            untold: BTreeSet::new(),
            ends: BTreeSet::new(),
            reported: BTreeSet::new(),
        };
        walk.pass(given);
        while std::mem::take(&mut walk.grew) && !known.budget.is_spent() {
            walk.pass(given);
        }
        walk.out
    }

    fn pass(&mut self, given: bool) {
        self.now = Moment::default();
        for (at, taint) in self.known.params[self.rule.index()].iter().filter(|_| given) {
            self.now.hold(LocalId::at(*at), taint.clone());
        }
        self.next_loop = 0;
        self.out = Out::default();
        self.untold.clear();
        self.reported.clear();
        self.block(&self.rule_of().body);
    }

    pub(super) fn rule_of(&self) -> &'a Rule {
        &self.known.rules.rules[self.rule.index()]
    }

    pub(super) fn block(&mut self, block: &Block) {
        for stmt in block {
            let known = self.now.size() + self.around.size();
            self.known.budget.charge(4 * (1 + known));
            if self.known.budget.is_spent() {
                return;
            }
            self.stmt(stmt);
        }
    }

    /// What it tells that a statement here is reached.
    pub(super) fn reached(&self) -> Taint {
        let now = &self.now;
        self.around.clone().with(&now.left).with(&now.broken).with(&now.skipped)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(local, value) | StmtKind::LetArray { local, value, .. } => {
                self.bind(*local, value);
            }
            StmtKind::Assign(place, value) => self.assign(place, value, true),
            StmtKind::Change { place, value, .. } => self.assign(place, value, false),
            StmtKind::Swap(a, b) => {
                self.assign(a, b, false);
                self.assign(b, a, false);
            }
            StmtKind::If { condition: subject, .. } | StmtKind::Match { subject, .. } => {
                let tells = self.tells(subject);
                let around = self.around.clone();
                self.around.join(&tells);
                self.one_of(&stmt.blocks());
                self.around = around;
            }
            StmtKind::Choose(choose) => self.choose(choose, &stmt.blocks()),
            StmtKind::Cards(action) => {
                stmt.visit(&mut |part| self.read(part));
                self.moved_cards(action);
            }
            StmtKind::Return(value) => self.give_back(value.as_ref()),
            StmtKind::Break => self.end_round(true),
            StmtKind::Continue => self.end_round(false),
            StmtKind::Call(call) => drop(self.value(call)),
            StmtKind::FinishDraw | StmtKind::FinishWin(_) | StmtKind::FinishRanking { .. } => {
                stmt.visit(&mut |part| self.read(part));
                self.now.over = true;
            }
            StmtKind::For { binder, from, body } => {
                let mut tells = self.value(&binder.set).with(&self.binder(binder));
                tells.join(&from.as_ref().map(|from| self.tells(from)).unwrap_or_default());
                self.now.hold(binder.local, tells.clone());
                self.note_end(binder.local, &binder.set);
                self.again(&tells, None, body);
            }
            StmtKind::Times(times, body) => {
                let tells = self.tells(times);
                self.again(&tells, None, body);
            }
            StmtKind::While(condition, body) => {
                self.again(&Taint::default(), Some(condition), body);
            }
            StmtKind::Repeat(body, until) => self.repeat(body, until.as_ref()),
            StmtKind::Turns { local, from, condition, body, .. } => {
                let tells = self.value(from);
                self.now.hold(*local, tells.clone());
                self.again(&tells, condition.as_ref(), body);
            }
            // What is said is said on purpose; what changes a variable is as visible as that.
            StmtKind::Reset(_)
            | StmtKind::Past(..)
            | StmtKind::Coin { .. }
            | StmtKind::Roll { .. }
            | StmtKind::Show { .. }
            | StmtKind::Say { .. } => stmt.visit(&mut |part| self.read(part)),
        }
    }

    /// `break` leaves the loop around, `continue` only the round.
    fn end_round(&mut self, leaves: bool) {
        let reached = self.reached();
        if leaves {
            self.now.broken.join(&reached);
            self.exit.join(&self.now);
        } else {
            self.now.skipped.join(&reached);
            self.round_end.join(&self.now);
        }
        self.now.over = true;
    }

    /// What the members of a binder tell.
    pub(super) fn binder(&mut self, binder: &Binder) -> Taint {
        self.now.forget(binder.local);
        let tells = self.tells(&binder.set);
        let Some(condition) = &binder.condition else { return tells };
        let condition = self.tells(condition);
        tells.with(&condition.renamed(|sees| sees.without(|local| local == binder.local)))
    }

    /// A loop that tells this when it begins, and reads a condition before each round.
    fn again(&mut self, tells: &Taint, condition: Option<&Expr>, body: &Block) {
        let at = self.leaving(tells, |walk| {
            walk.several(|walk| {
                let tells = condition.map(|it| walk.tells(it)).unwrap_or_default();
                walk.around.join(&tells);
                walk.round(body);
            })
        });
        self.now.join(&self.loops[at]);
    }

    /// A loop that only its end, or a `break`, leaves.
    fn repeat(&mut self, body: &Block, until: Option<&Expr>) {
        self.leaving(&Taint::default(), |walk| {
            let at = walk.several(|walk| {
                walk.round(body);
                let tells = until.map(|it| walk.tells(it)).unwrap_or_default();
                if !tells.is_empty() {
                    let tells = tells.with(&walk.reached());
                    walk.now.broken.join(&tells);
                }
            });
            if until.is_some() {
                walk.exit.join(&walk.now);
            }
            at
        });
    }

    /// Walks through the body of a loop once, to where `continue` leads too.
    fn round(&mut self, body: &Block) {
        let skipped = std::mem::take(&mut self.now.skipped);
        let around = self.around.clone();
        self.around.join(&skipped);
        let round_end = std::mem::replace(&mut self.round_end, Moment::never());
        self.block(body);
        let ended = std::mem::replace(&mut self.round_end, round_end);
        self.now.join(&ended);
        self.now.skipped = skipped;
        self.around = around;
    }

    /// Walks through a loop, and on from where `break` leaves it.
    fn leaving(&mut self, tells: &Taint, walk: impl FnOnce(&mut Self) -> usize) -> usize {
        let broken = std::mem::take(&mut self.now.broken);
        let around = self.around.clone();
        self.around.join(tells);
        self.around.join(&broken);
        let exit = std::mem::replace(&mut self.exit, Moment::never());
        let at = walk(self);
        self.now = std::mem::replace(&mut self.exit, exit);
        self.now.broken = broken;
        self.around = around;
        at
    }

    /// Walks through what may run several times: what its end knows, its beginning knows too.
    /// Gives the number of the loop.
    pub(super) fn several(&mut self, walk: impl FnOnce(&mut Self)) -> usize {
        let at = self.next_loop;
        self.next_loop += 1;
        if at == self.loops.len() {
            self.loops.push(Moment::never());
        }
        self.loops[at].join(&self.now);
        self.now.clone_from(&self.loops[at]);
        walk(self);
        self.grew |= self.loops[at].join(&self.now);
        at
    }

    /// Blocks of which one runs.
    pub(super) fn one_of(&mut self, blocks: &[&Block]) {
        let mut after = Moment::never();
        let before = self.now.clone();
        for block in blocks {
            self.now.clone_from(&before);
            self.block(block);
            after.join(&self.now);
        }
        self.now = after;
    }

    fn bind(&mut self, local: LocalId, value: &Expr) {
        let tells = self.value(value).with(&self.reached());
        self.now.hold(local, tells);
        self.same(local, value);
        self.note_end(local, value);
        if let ExprKind::Random(set) = &value.kind
            && !self.tells(set).is_empty()
        {
            self.out.found.quiet.insert(set.span);
        }
    }

    fn note_end(&mut self, local: LocalId, value: &Expr) {
        if matches!(value.kind, ExprKind::End(_)) {
            self.ends.insert(local);
        }
    }

    /// Notes cards that are moved although not everybody can tell which they are.
    fn moved_cards(&mut self, action: &CardAction) {
        let CardAction::Move { what: Cards::One(cards) | Cards::Set(cards), .. } = action else {
            return;
        };
        let from_end = match &cards.kind {
            ExprKind::Local(local) => self.ends.contains(local),
            kind => matches!(kind, ExprKind::End(_)),
        };
        let mut untold = false;
        cards.visit(&mut |part| {
            untold |= matches!(&part.kind, ExprKind::Local(local) if self.untold.contains(local));
        });
        if untold || !from_end && !self.tells(cards).is_empty() {
            self.out.found.quiet.insert(cards.span);
        }
    }

    /// Notes that a local is another name for a player.
    pub(super) fn same(&mut self, local: LocalId, value: &Expr) {
        let mutable = self.rule_of().locals[local.index()].mutable;
        if value.ty == Type::Kind(PLAYER)
            && !mutable
            && let sees @ (Sees::Local(_) | Sees::Seat(_)) = self.who(value)
        {
            self.same_as.insert(local, sees);
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr, replaces: bool) {
        let tells = self.value(value);
        let Some(local) = place.local() else { return place.visit(&mut |it| self.read(it)) };
        let replaces = replaces && matches!(place.kind, ExprKind::Local(_));
        let kept = if replaces { Taint::default() } else { self.tells(place) };
        let tells = tells.with(&kept).with(&self.reached());
        // A loop may have gone on to another player since.
        let params = self.rule_of().params;
        let tells = tells.renamed(|sees| sees.without(|of| of.index() >= params));
        self.now.hold(local, tells);
    }

    fn give_back(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            let some = self.tells_some(value);
            let tells = self.value(value).with(&self.reached());
            self.out.returned.join(&tells);
            self.out.returned_some.join(&some.with(&self.reached()));
        }
        let reached = self.reached();
        self.now.left.join(&reached);
        self.now.over = true;
    }

    /// What a whole right side tells; looks at the calls and questions in it.
    fn value(&mut self, value: &Expr) -> Taint {
        if let ExprKind::Pick(pick) = &value.kind {
            self.pick(pick, value.span);
            return Taint::default();
        }
        let tells = self.tells(value);
        value.visit(&mut |part| {
            if let ExprKind::Call(rule, args) = &part.kind {
                self.call(*rule, args, part.span);
            }
        });
        tells
    }

    fn call(&mut self, rule: RuleId, args: &[Expr], span: Span) {
        for (at, arg) in args.iter().enumerate() {
            let tells = self.tells(arg);
            let tells = tells.renamed(|sees| {
                let same = args.iter().position(|other| self.who(other) == sees);
                match (sees, same) {
                    (Sees::Local(_) | Sees::Seat(_), Some(at)) => Sees::Local(LocalId::at(at)),
                    (Sees::Local(_), None) => Sees::Somebody,
                    (sees, _) => sees,
                }
            });
            if !tells.is_empty() {
                self.out.given.push((rule, at, tells));
            }
        }
        if self.known.asks.contains(&rule) {
            let name = self.known.rules.rules[rule.index()].name.clone();
            self.asks_at(span, &format!("`{name}` asks somebody here"));
        }
    }

    /// Somebody is asked: whether this happens is seen by all.
    pub(super) fn asks_at(&mut self, span: Span, place: &str) {
        let reached = self.reached();
        let what = "whether somebody is asked here depends on {}, which some players do not see";
        let help = "ask in any case, with the condition after `when` and `or pass { }`; or keep what \
                    everybody may know in a variable that all see";
        self.leak(reached.unseen_by(None), span, place, what, help);
        self.now.asks(span);
    }

    /// Reports a secret, if there is one; its name stands for the `{}` of what is wrong.
    pub(super) fn leak(
        &mut self,
        secret: Option<Secret>,
        span: Span,
        place: &str,
        what: &str,
        help: &str,
    ) {
        let Some((var, path)) = secret else { return };
        if self.reported.insert((span, true)) {
            let name = &self.known.rules.vars[var.index()].name;
            let what = what.replace("{}", &format!("`{name}`"));
            let path = labels(span, place, path.clone());
            self.out.found.errors.push(error::leak(what, help, path));
        }
    }

    /// Reports a local that holds a secret while somebody is asked.
    pub(super) fn kept(&mut self, local: LocalId, taint: &Taint, asked: Span, read: Span) {
        let Some((_, path)) = taint.first() else { return };
        let declared = &self.rule_of().locals[local.index()];
        if self.reported.insert((declared.span, false)) {
            let (name, mut path) = (&declared.name, path.clone());
            path.push((asked, "somebody is asked here".to_owned()));
            path.push((read, format!("and `{name}` is used again")));
            let path = labels(declared.span, "holds a secret", path);
            self.out.found.errors.push(error::secret_kept(name, path));
        }
    }
}

fn labels(span: Span, place: &str, path: Path) -> Vec<Label> {
    let all = std::iter::once((span, place.to_owned())).chain(path);
    all.map(|(span, text)| Label::new(span, text)).collect()
}
