//! Made-up sets, and what may be there or not.

use super::{DIRECTIONS, Ty, Writer};
use crate::support::MakesUp;

impl Writer {
    pub(super) fn maybe_hue(&mut self, depth: usize) -> String {
        if depth == 0 || self.once_in(3) {
            return format!("{}.pet", self.player(0));
        }
        let depth = depth - 1;
        if self.once_in(5) {
            let trail = self.expr(Ty::Trail, depth);
            return format!("{trail}.{}", self.pick(&["first", "last"]));
        }
        if self.once_in(4) {
            return format!("Hue.at({})", self.expr(Ty::Number, depth));
        }
        if self.once_in(3) {
            return format!("{}.twin", self.expr(Ty::Item, depth));
        }
        let (over, name) = (self.expr(Ty::Hues, depth), self.name("x"));
        let word = self.pick(&["first", "last"]);
        let holds = self.within(&name, Ty::Hue, |it| it.expr(Ty::Truth, depth));
        format!("{word}({name} in {over}: {holds})")
    }

    pub(super) fn set(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return self.plain_set(ty);
        }
        let depth = depth - 1;
        match self.below(7) {
            0 | 1 => {
                let (a, b) = self.two(ty, depth);
                format!("({a} {} {b})", self.pick(&["union", "minus", "common"]))
            }
            2 | 3 => {
                let (over, name) = (self.expr(ty, depth), self.name("x"));
                let holds = self.within(&name, member(ty), |it| it.expr(Ty::Truth, depth));
                format!("{{{name} in {over} where {holds}}}")
            }
            4 => {
                let (over, name) = (self.expr(ty, depth), self.name("x"));
                let keys = self.within(&name, member(ty), |it| it.two(Ty::Number, depth));
                let word = self.pick(&["highest", "lowest"]);
                let (first, second) = (self.pick(&DIRECTIONS), self.pick(&DIRECTIONS));
                format!("{word}({name} in {over} by {}{first}, {}{second})", keys.0, keys.1)
            }
            5 if ty == Ty::Hues => {
                let (over, name) = (self.expr(Ty::Items, depth), self.name("x"));
                let column = self.pick(&["likes", "twin"]);
                format!("{{{name}.{column} for {name} in {over}}}")
            }
            5 if matches!(ty, Ty::Hues | Ty::Items | Ty::Players) => {
                let (a, b) = self.two(member(ty), depth);
                format!("{{{a}, {b}}}")
            }
            5 => {
                let (set, trail) = (self.plain_set(ty), self.expr(Ty::Trail, depth));
                if ty == Ty::Hues { format!("({set} minus {trail})") } else { set }
            }
            6 if ty == Ty::Hues && self.once_in(3) => {
                let (over, name) = (self.expr(Ty::Hues, depth), self.name("x"));
                let key = self.within(&name, Ty::Hue, |it| it.expr(Ty::Trail, depth));
                format!("highest({name} in {over} by {key})")
            }
            6 if ty == Ty::Hues => {
                let (a, b) = self.two(Ty::Hue, depth);
                format!("({a}..{b})")
            }
            _ => self.plain_set(ty),
        }
    }

    fn plain_set(&mut self, ty: Ty) -> String {
        let player = self.player(0);
        let words = match ty {
            Ty::Hues => vec!["Hue", "(red..blue)", "{green, grey}"],
            Ty::Items => vec!["Item", "{nut, key}"],
            Ty::Players => vec!["Player"],
            Ty::Pool => vec!["pool", "spare"],
            _ => vec!["deck", "thrown"],
        };
        match ty {
            Ty::Players if self.once_in(2) => format!("others({player})"),
            Ty::Items if self.once_in(2) => format!("{player}.bag"),
            Ty::Cards if self.once_in(2) => format!("{player}.hand"),
            _ => self.pick(&words).to_owned(),
        }
    }

    /// `where …`, sometimes.
    pub(super) fn filter(&mut self, depth: usize) -> String {
        if self.once_in(3) {
            format!(" where {}", self.expr(Ty::Truth, depth))
        } else {
            String::new()
        }
    }

    pub(super) fn any_set(&mut self) -> Ty {
        self.set_with_member().0
    }

    /// A type of sets, and of what they hold.
    pub(super) fn set_with_member(&mut self) -> (Ty, Ty) {
        let sets = [Ty::Hues, Ty::Items, Ty::Players, Ty::Pool, Ty::Cards];
        let set = sets[self.below(4 + usize::from(!self.scope.is_empty()))];
        (set, member(set))
    }
}

/// The type of the members of a set.
fn member(set: Ty) -> Ty {
    match set {
        Ty::Hues => Ty::Hue,
        Ty::Items => Ty::Item,
        Ty::Players => Ty::Player,
        Ty::Cards => Ty::Card,
        _ => Ty::Number,
    }
}
