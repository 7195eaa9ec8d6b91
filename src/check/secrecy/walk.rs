//! Goes through a rule in its order, with what the conditions around each statement tell.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::error::SecretError;
use crate::check::rules::{
    Binder, Block, CardDeed, Cards, Expr, ExprKind, LocalId, Rule, RuleId, Stmt, StmtKind, Type,
};
use crate::check::secrecy::Known;
use crate::check::secrecy::taint::{Sees, Taint};
use crate::source::Span;

/// A walk through one rule.
pub(super) struct Walk<'a> {
    pub(super) known: &'a Known<'a>,
    rule: RuleId,
    /// What each local tells.
    pub(super) locals: BTreeMap<LocalId, Taint>,
    /// Locals that are another name for a player.
    pub(super) same_as: BTreeMap<LocalId, Sees>,
    /// Locals that were there when somebody was asked, and where that was.
    pub(super) crossed: BTreeMap<LocalId, Span>,
    /// What the conditions around the statement tell.
    pub(super) around: Taint,
    /// What it tells that the rule, or the loop around, was not left.
    left: Taint,
    broken: Taint,
    /// What the value of the rule tells.
    pub(super) returned: Taint,
    /// What the rules that are called are given: rule, parameter, what it tells.
    pub(super) given: Vec<(RuleId, usize, Taint)>,
    /// The findings; the same may be there several times.
    pub(super) errors: Vec<SecretError>,
    pub(super) asked_anyway: BTreeSet<Span>,
    /// Cards that are moved and sets that are drawn from where not everybody can tell which.
    pub(super) quiet: BTreeSet<Span>,
    /// Arguments of moves that only their player knows.
    pub(super) untold: BTreeSet<LocalId>,
    /// Locals that hold what lay at the end of a pile: everybody can tell which card that was.
    ends: BTreeSet<LocalId>,
    reported: BTreeSet<(Span, usize)>,
}

impl<'a> Walk<'a> {
    /// A walk with what the rule is given, or without.
    pub(super) fn new(known: &'a Known<'a>, rule: RuleId, given: bool) -> Walk<'a> {
        let params = known.params[rule.index()].iter().filter(|_| given);
        Walk {
            known,
            rule,
            locals: params.map(|(at, taint)| (LocalId::at(*at), taint.clone())).collect(),
            same_as: BTreeMap::new(),
            crossed: BTreeMap::new(),
            around: Taint::default(),
            left: Taint::default(),
            broken: Taint::default(),
            returned: Taint::default(),
            given: Vec::new(),
            errors: Vec::new(),
            asked_anyway: BTreeSet::new(),
            quiet: BTreeSet::new(),
            untold: BTreeSet::new(),
            ends: BTreeSet::new(),
            reported: BTreeSet::new(),
        }
    }

    pub(super) fn rule_of(&self) -> &'a Rule {
        &self.known.rules.rules[self.rule.index()]
    }

    /// Walks through the whole rule.
    pub(super) fn rule(&mut self) {
        self.block(&self.rule_of().body);
    }

    pub(super) fn block(&mut self, block: &Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// What it tells that a statement here is reached.
    pub(super) fn reached(&self) -> Taint {
        self.around.clone().with(&self.left).with(&self.broken)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(local, value) | StmtKind::LetArray { local, value, .. } => {
                self.bind(*local, value);
            }
            StmtKind::Assign(place, value) | StmtKind::Change { place, value, .. } => {
                self.assign(place, value);
            }
            StmtKind::Swap(a, b) => {
                self.assign(a, b);
                self.assign(b, a);
            }
            StmtKind::If { condition, then, otherwise } => {
                let tells = self.tells(condition);
                self.branches(&tells, &[then, otherwise]);
            }
            StmtKind::Match { subject, arms } => {
                let tells = self.tells(subject);
                self.branches(&tells, &arms.iter().map(|arm| &arm.body).collect::<Vec<_>>());
            }
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Cards(deed) => {
                stmt.visit(&mut |part| self.read(part));
                self.card_deed(deed);
            }
            StmtKind::Return(value) => self.give_back(value.as_ref()),
            StmtKind::Break => {
                let reached = self.reached();
                self.broken.join(&reached);
            }
            StmtKind::Call(call) => self.value(call),
            _ => self.looping(stmt),
        }
    }

    fn looping(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For { binder, from, body } => {
                self.value(&binder.set);
                let mut tells = self.binder(binder);
                from.iter().for_each(|from| tells.join(&self.tells(from)));
                self.locals.insert(binder.local, tells.clone());
                self.note_end(binder.local, &binder.set);
                self.again(&tells, body);
            }
            StmtKind::Times(times, body) => {
                let tells = self.tells(times);
                self.again(&tells, body);
            }
            StmtKind::While(condition, body) => {
                let tells = self.tells(condition);
                self.again(&tells, body);
            }
            StmtKind::Repeat(body, until) => {
                let tells = until.as_ref().map(|until| self.tells(until)).unwrap_or_default();
                self.again(&tells, body);
            }
            StmtKind::Turns { local, from, condition, body } => {
                self.value(from);
                let mut tells = self.tells(from);
                condition.iter().for_each(|it| tells.join(&self.tells(it)));
                self.locals.insert(*local, tells.clone());
                self.again(&tells, body);
            }
            // What is said is said on purpose; what changes a variable is as visible as that.
            _ => stmt.visit(&mut |part| self.read(part)),
        }
    }

    /// What going over a binder tells.
    pub(super) fn binder(&mut self, binder: &Binder) -> Taint {
        let tells = self.tells(&binder.set);
        let Some(condition) = &binder.condition else { return tells };
        let condition = self.tells(condition);
        tells.with(&condition.renamed(|sees| match sees {
            Sees::Local(local) if local == binder.local => Sees::Somebody,
            sees => sees,
        }))
    }

    /// A body that runs several times: what stands later in it is before its beginning too.
    fn again(&mut self, tells: &Taint, body: &Block) {
        let outer = std::mem::take(&mut self.broken);
        let around = self.around.clone();
        self.around.join(tells);
        self.around.join(&outer);
        self.block(body);
        self.block(body);
        self.around = around;
        self.broken = outer;
    }

    fn branches(&mut self, tells: &Taint, blocks: &[&Block]) {
        let around = self.around.clone();
        self.around.join(tells);
        let before = self.crossed.clone();
        let mut after = BTreeMap::new();
        for block in blocks {
            self.crossed.clone_from(&before);
            self.block(block);
            after.append(&mut self.crossed);
        }
        self.crossed = after;
        self.around = around;
    }

    fn bind(&mut self, local: LocalId, value: &Expr) {
        self.value(value);
        let tells = self.tells(value).with(&self.reached());
        self.locals.insert(local, tells);
        self.crossed.remove(&local);
        self.same(local, value);
        self.note_end(local, value);
        if let ExprKind::Random(set) = &value.kind
            && !self.tells(set).is_empty()
        {
            self.quiet.insert(set.span);
        }
    }

    fn note_end(&mut self, local: LocalId, value: &Expr) {
        if matches!(value.kind, ExprKind::End(_)) {
            self.ends.insert(local);
        }
    }

    /// Notes cards that are moved although not everybody can tell which they are.
    fn card_deed(&mut self, deed: &CardDeed) {
        let CardDeed::Move { what: Cards::One(cards) | Cards::Set(cards), .. } = deed else {
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
            self.quiet.insert(cards.span);
        }
    }

    /// Notes that a local is another name for a player.
    pub(super) fn same(&mut self, local: LocalId, value: &Expr) {
        let is_player = value.ty == Type::Kind(crate::check::rules::PLAYER);
        let mutable = self.rule_of().locals[local.index()].mutable;
        match self.who(value) {
            sees @ (Sees::Local(_) | Sees::Seat(_)) if is_player && !mutable => {
                self.same_as.insert(local, sees);
            }
            _ => {}
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr) {
        self.value(value);
        let local = match &place.kind {
            ExprKind::Local(local) => {
                self.crossed.remove(local);
                *local
            }
            ExprKind::LocalElement(local, _) => *local,
            _ => {
                return [place, value].into_iter().for_each(|it| it.visit(&mut |it| self.read(it)));
            }
        };
        let tells = self.tells(value).with(&self.tells(place)).with(&self.reached());
        // A loop may have gone on to another player since.
        let params = self.rule_of().params;
        let tells = tells.renamed(|sees| match sees {
            Sees::Local(of) if of.index() >= params => Sees::Somebody,
            sees => sees,
        });
        self.locals.entry(local).or_default().join(&tells);
    }

    fn give_back(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            self.value(value);
            let tells = self.tells(value).with(&self.reached());
            self.returned.join(&tells);
        }
        let reached = self.reached();
        self.left.join(&reached);
    }

    /// Looks at calls and questions in a whole right side.
    fn value(&mut self, value: &Expr) {
        if let ExprKind::Pick(pick) = &value.kind {
            return self.pick(pick, value.span);
        }
        let mut calls = Vec::new();
        value.visit(&mut |part| {
            if let ExprKind::Call(rule, args) = &part.kind {
                calls.push((*rule, args.clone(), part.span));
            }
        });
        for (rule, args, span) in calls {
            self.call(rule, &args, span);
        }
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
                self.given.push((rule, at, tells));
            }
        }
        if self.known.asks[rule.index()] {
            let name = self.known.rules.rules[rule.index()].name.clone();
            self.asks_at(span, &format!("`{name}` asks somebody here"));
        }
    }

    /// Somebody is asked: whether this happens is seen by all.
    pub(super) fn asks_at(&mut self, span: Span, place: &str) {
        let reached = self.reached();
        if let Some((var, path)) = reached.unseen_by(None) {
            let name = self.known.rules.vars[var.index()].name.clone();
            let what =
                format!("whether somebody is asked here depends on `{name}`, which not all see");
            let help =
                "ask in any case, or keep what may be known in a variable of the table that \
                        all see: who is asked, and when, is seen by all"
                    .to_owned();
            self.leak((span, place), path.clone(), (what, help));
        }
        let all = (0..self.rule_of().locals.len()).map(LocalId::at);
        self.crossed.extend(all.map(|local| (local, span)));
    }

    /// Reports a leak, once for each place and way.
    pub(super) fn leak(
        &mut self,
        (span, place): (Span, &str),
        path: Vec<(Span, String)>,
        (what, help): (String, String),
    ) {
        if self.reported.insert((span, 0)) {
            let path = labels((span, place.to_owned()), path);
            self.errors.push(SecretError::Leak { what, help, path });
        }
    }

    /// Reports a local that holds a secret while somebody is asked.
    pub(super) fn kept(&mut self, local: LocalId, taint: &Taint, asked: Span, read: Span) {
        let Some((_, path)) = taint.first() else { return };
        let declared = &self.rule_of().locals[local.index()];
        if self.reported.insert((declared.span, 1)) {
            let name = declared.name.clone();
            let mut path = path.clone();
            path.push((asked, "somebody is asked here".to_owned()));
            path.push((read, format!("and `{name}` is used again")));
            let first = (declared.span, "holds a secret".to_owned());
            self.errors.push(SecretError::SecretKept { name, path: labels(first, path) });
        }
    }
}

fn labels(first: (Span, String), path: Vec<(Span, String)>) -> Vec<miette::LabeledSpan> {
    let all = std::iter::once(first).chain(path);
    let label = |(span, text): (Span, String)| {
        let start = span.start as usize;
        miette::LabeledSpan::new(Some(text), start, span.end as usize - start)
    };
    all.map(label).collect()
}
