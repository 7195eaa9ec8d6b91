//! Who sees what is done with cards.

use crate::bytecode::Op;
use crate::bytecode::program;
use crate::check::rules::{Cards, Expr, ExprKind, PileEnd, Type, Value};
use crate::compile::code::SeenBy;
use crate::compile::{Compiler, Slots};
use crate::syntax::ast::Visibility;

impl Compiler<'_> {
    /// Who sees what comes to a pile.
    pub(super) fn seen_in(&mut self, pile: &Expr) -> SeenBy {
        let ExprKind::Pile(var, indices) = &pile.kind else { return SeenBy::Nobody };
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
                let set = self.take(1).at;
                self.code.emit(Op::Clear { set, width: 1 });
                self.code.emit(Op::Insert { set, member, width: 1 });
                set
            }
        }
    }

    fn everybody(&mut self) -> u16 {
        self.code.constant((1 << self.setting.players) - 1)
    }

    /// Whether all can tell which cards are moved, if they know what lies in their pile.
    pub(super) fn is_told(&self, cards: &Expr) -> u16 {
        u16::from(!self.rules.quiet.contains(&cards.span))
    }

    /// A move is told to all with its cards, but for those that it hides: now they know them.
    pub(super) fn announce(&mut self, option: u16) {
        let info = &self.code.options[usize::from(option)];
        let told = info.shown.iter().enumerate().filter(|(at, _)| !info.unseen.contains(at));
        let told: Vec<program::Shown> = told.map(|(_, shown)| *shown).collect();
        for program::Shown { slot, format, .. } in told {
            let (kind, several) = match self.code.formats[usize::from(format)].shape {
                program::Shape::Member(kind) => (kind, false),
                program::Shape::Members(kind) => (kind, true),
                _ => continue,
            };
            let hidden = |info: &crate::bytecode::cards::CardsInfo| {
                info.kind == kind && info.known.is_some()
            };
            let found = self.layout.piles.iter().position(|group| hidden(&group.info));
            let Some(group) = found else { continue };
            let width = self.layout.piles[group].info.width;
            let cards = u16::try_from(2 * group).unwrap_or(0);
            let (mut set, players) = (slot, self.everybody());
            if !several {
                set = self.take(width).at;
                self.code.emit(Op::Clear { set, width });
                self.code.emit(Op::Insert { set, member: slot, width });
            }
            self.code.emit(Op::Learn { set, players, width, cards });
        }
    }

    /// `show …`, `reveal …`, `look at …`: some, or all, know cards from here on.
    pub(super) fn learn_cards(&mut self, what: &Cards, by: Option<&Expr>) {
        let by = match by {
            Some(by) => self.operand(by),
            None => Slots { at: self.everybody(), width: 1 },
        };
        let (Slots { at: set, width }, cards) = match what {
            Cards::Set(set) => (self.operand(set), self.cards_in(&set.ty)),
            Cards::One(card) => {
                let width = self.set_width(&card.ty);
                let (set, member) = (self.take(width), self.word(card));
                self.code.emit(Op::Clear { set: set.at, width });
                self.code.emit(Op::Insert { set: set.at, member, width });
                (set, self.cards_in(&card.ty))
            }
            Cards::Pile(pile) => {
                let width = self.set_width(&pile.ty);
                let set = self.take(width);
                self.pile_cards(pile, set);
                (set, self.cards_in(&pile.ty))
            }
            Cards::End(end) => {
                let width = self.set_width(&end.pile.ty);
                let set = self.take(width);
                let one = Expr {
                    kind: ExprKind::Value(Value::Int(1)),
                    ty: Type::Number,
                    span: end.pile.span,
                };
                let count = Some(end.count.clone().unwrap_or(one));
                let seen = match self.seen_in(&end.pile) {
                    SeenBy::All => SeenBy::All,
                    _ => SeenBy::Players(by.at),
                };
                self.pile_end_seen(&PileEnd { count, ..end.clone() }, set, seen);
                (set, self.cards_in(&end.pile.ty))
            }
        };
        self.code.emit(Op::Learn { set, players: by.at, width, cards });
    }
}
