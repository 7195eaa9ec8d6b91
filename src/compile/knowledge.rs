//! Who knows what a variable holds that not all see, and who sees what is done with cards.
//!
//! Behind the values of a variable are sets of the players who know each of its elements. Showing
//! puts players into the set. Whatever changes the value empties it, for what was seen is not there
//! any more.

use crate::bytecode::Op;
use crate::bytecode::program::{NONE, Shape, Shown};
use crate::bytecode::vars::{Secret, Values};
use crate::check::rules::{
    Array, Cards, Domain, Expr, ExprKind, Faces, PLAYER, PileEnd, ResetTarget, Stmt, StmtKind,
    Type, Value, Var, VarForm, VarId,
};
use crate::compile::code::SeenBy;
use crate::compile::layout::{Place, elements};
use crate::compile::piles::cards_of;
use crate::compile::{Compiler, Slots};
use crate::syntax::ast::{Owner, Visibility};

impl Compiler<'_> {
    /// Gives a variable that not all see room for who knows it.
    pub(super) fn lay_out_knowledge(&mut self, var: &Var, place: &mut Place) {
        if var.sight == Visibility::All {
            return;
        }
        // At most 20 can play: a set of players is one word.
        let words = self.code.fit(place.count(), "words in the state");
        place.known = Some(self.code.slots(words));
        self.layout.initial.extend(vec![0; words.into()]);
    }

    /// What a program tells of a variable that not all see.
    pub(super) fn secret(&mut self, var: &Var, place: &Place) -> Option<Secret> {
        Some(Secret {
            owner_sees: var.sight == Visibility::Owner && var.owner == Owner::Player,
            known: place.known?,
            known_width: 1,
            values: self.values(var),
        })
    }

    /// The values that a variable may hold.
    fn values(&mut self, var: &Var) -> Values {
        if let VarForm::Die(Faces::List(faces)) = &var.form {
            let faces = faces.iter().flat_map(|face| self.words_of(face, &var.ty, var.span));
            return Values::Faces(faces.collect());
        }
        let (ty, or_none) = match &var.ty {
            Type::Maybe(inner) => (inner.as_ref(), true),
            ty => (ty, false),
        };
        match (ty, var.range) {
            (Type::Set(domain), _) => Values::Subsets(self.positions(*domain, var)),
            (Type::Number, Some(range)) => {
                let (low, high) = self.ranges[range.index()];
                let high = high.expect("checked: hidden numbers have a last");
                Values::Between { low, high, or_none }
            }
            (Type::Kind(kind), _) => {
                let members = self.positions(Domain::Kind(*kind), var).into_iter();
                let members = members.map(|at| i64::try_from(at).expect("a kind has few members"));
                Values::Faces(or_none.then_some(NONE).into_iter().chain(members).collect())
            }
            _ => Values::Between { low: 0, high: 1, or_none },
        }
    }

    /// The positions of the members of a finite type, counted from its first.
    fn positions(&mut self, domain: Domain, var: &Var) -> Vec<usize> {
        match domain {
            Domain::Kind(kind) if kind != PLAYER => self.rules.kinds[kind.index()].own(),
            domain => (0..self.domain(domain, var.span).1).collect(),
        }
    }

    /// `reveal PLACE, …`, `show PLACE, … to p`
    pub(super) fn show(&mut self, targets: &[ResetTarget], to: Option<&Expr>) {
        let to = to.map(|to| self.word(to));
        for target in targets {
            let mark = self.mark();
            self.learn(target, &|compiler, set| match to {
                Some(member) => compiler.code.emit(Op::Insert { set, member, width: 1 }),
                None => {
                    let at = compiler.everybody();
                    compiler.copy(set, Slots { at, width: 1 });
                }
            });
            self.release(mark);
        }
    }

    /// Nobody knows any more what a statement is about to change.
    pub(super) fn forget_changed(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, _)
            | StmtKind::Change { place, .. }
            | StmtKind::Coin { place, .. } => self.forget(place),
            StmtKind::Swap(a, b) => [a, b].into_iter().for_each(|place| self.forget(place)),
            StmtKind::Reset(targets) => targets.iter().for_each(|target| self.unlearn(target)),
            _ => {}
        }
    }

    /// Nobody knows any more what a place holds.
    pub(super) fn forget(&mut self, place: &Expr) {
        if let ExprKind::Element(Array::Var(var), indices) = &place.kind {
            self.unlearn(&ResetTarget { var: *var, indices: indices.clone() });
        }
    }

    fn unlearn(&mut self, target: &ResetTarget) {
        if self.var(target.var).known.is_none() {
            return;
        }
        let mark = self.mark();
        // What an index reads may be changed by the statement itself: then all is forgotten.
        let plain = |index: &Expr| matches!(index.kind, ExprKind::Value(_) | ExprKind::Local(_));
        let sure = target.indices.iter().all(plain);
        let indices = if sure { target.indices.clone() } else { Vec::new() };
        let target = ResetTarget { var: target.var, indices };
        self.learn(&target, &|compiler, set| compiler.code.emit(Op::Clear { set, width: 1 }));
        self.release(mark);
    }

    /// Changes the sets of those who know the elements of a target.
    fn learn(&mut self, target: &ResetTarget, change: &dyn Fn(&mut Self, u16)) {
        let Place { known, ref dims, .. } = *self.var(target.var);
        let (Some(known), dims) = (known, dims.clone()) else { return };
        let (dims, rest) = dims.split_at(target.indices.len());
        let rest = self.code.fit(elements(rest), "elements");
        let element = self.element(known, rest, dims, &target.indices);
        let sets = self.read(element, None);
        (0..rest).for_each(|nth| change(self, sets.at + nth));
        self.store(element, sets);
    }

    /// Whether only some see the next draw, since it goes into a place that only they see.
    pub(super) fn draw_into(&mut self, place: &Expr) {
        if let ExprKind::Element(Array::Var(var), indices) = &place.kind
            && self.rules.vars[var.index()].sight != Visibility::All
        {
            self.code.seen_by = self.sees(*var, indices);
        }
    }

    /// Who sees what comes to a pile.
    pub(super) fn seen_in(&mut self, pile: &Expr) -> SeenBy {
        let ExprKind::Element(Array::Pile(var), indices) = &pile.kind else {
            return SeenBy::Nobody;
        };
        self.sees(*var, indices)
    }

    /// Who sees an element of a variable.
    fn sees(&mut self, var: VarId, indices: &[Expr]) -> SeenBy {
        match (self.rules.vars[var.index()].sight, indices.first()) {
            (Visibility::All, _) => SeenBy::All,
            (Visibility::Owner, Some(owner)) => SeenBy::Player(self.kept_word(owner)),
            (Visibility::Owner | Visibility::Nobody, _) => SeenBy::Nobody,
        }
    }

    /// The slot of a set of players: those who see something.
    pub(super) fn seers(&mut self, seen: SeenBy) -> u16 {
        match seen {
            SeenBy::All => self.everybody(),
            SeenBy::Nobody => self.code.constant(0),
            SeenBy::Players(set) => set,
            SeenBy::Player(member) => {
                let set = self.take(1);
                self.only(set, member)
            }
        }
    }

    fn everybody(&mut self) -> u16 {
        self.code.constant((1 << self.setting.players) - 1)
    }

    /// Whether all can tell which cards are moved, if they know what lies in their pile.
    pub(super) fn is_announced(&self, cards: &Expr) -> u16 {
        u16::from(!self.rules.quiet.contains(&cards.span))
    }

    /// A move is told to all with its cards, but for those that it hides: now they know them.
    pub(super) fn announce(&mut self, option: u16) {
        let info = &self.code.options[usize::from(option)];
        let told = info.shown.iter().enumerate().filter(|(at, _)| !info.unseen.contains(at));
        let told: Vec<Shown> = told.map(|(_, shown)| *shown).collect();
        for Shown { slot, format, .. } in told {
            let (kind, several) = match self.code.formats[usize::from(format)].shape {
                Shape::Member(kind) => (kind, false),
                Shape::Members(kind) => (kind, true),
                _ => continue,
            };
            let mut infos = self.layout.piles.iter().map(|group| &group.info);
            let found = infos.position(|info| info.kind == kind && info.known.is_some());
            let Some(group) = found else { continue };
            let width = self.layout.piles[group].info.width;
            let (mut set, players) = (slot, self.everybody());
            if !several {
                let one = self.take(width);
                set = self.only(one, slot);
            }
            self.code.emit(Op::Learn { set, players, width, cards: cards_of(group) });
        }
    }

    /// A set of one member.
    fn only(&mut self, Slots { at: set, width }: Slots, member: u16) -> u16 {
        self.code.emit(Op::Clear { set, width });
        self.code.emit(Op::Insert { set, member, width });
        set
    }

    /// `show …`, `reveal …`, `look at …`: some, or all, know cards from here on.
    pub(super) fn learn_cards(&mut self, what: &Cards, by: Option<&Expr>) {
        let by = match by {
            Some(by) => self.word(by),
            None => self.everybody(),
        };
        let (Cards::Set(of)
        | Cards::One(of)
        | Cards::Pile(of)
        | Cards::End(PileEnd { pile: of, .. })) = what;
        let (width, cards) = (self.set_width(&of.ty), self.cards_in(&of.ty));
        let set = match what {
            Cards::Set(set) => self.word(set),
            Cards::One(card) => {
                let (set, member) = (self.take(width), self.word(card));
                self.only(set, member)
            }
            Cards::Pile(pile) => {
                let set = self.take(width);
                self.pile_cards(pile, set);
                set.at
            }
            Cards::End(end) => {
                let set = self.take(width);
                let (kind, span) = (ExprKind::Value(Value::Int(1)), end.pile.span);
                let one = Expr { kind, ty: Type::Number, span };
                let count = Some(end.count.clone().unwrap_or(one));
                let seen = match self.seen_in(&end.pile) {
                    SeenBy::All => SeenBy::All,
                    _ => SeenBy::Players(by),
                };
                self.pile_end(&PileEnd { count, ..end.clone() }, set, seen);
                set.at
            }
        };
        self.code.emit(Op::Learn { set, players: by, width, cards });
    }
}
