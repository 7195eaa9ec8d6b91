//! Made-up expressions of a type that is wanted, everything in parentheses.

use super::{Ty, Writer};
use crate::support::MakesUp;

/// Numbers that need no expression.
const NUMBERS: [&str; 13] = [
    "players",
    "pace",
    "bonus",
    "cube",
    "turn",
    "Player.last.turns",
    "past.times",
    "tosses.times",
    "0",
    "1",
    "2",
    "3",
    "7",
];

impl Writer {
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if self.once_in(4)
            && let Some(known) = self.known(ty)
        {
            return known;
        }
        if depth > 0 && self.once_in(9) {
            let (condition, a, b) = self.three(Ty::Truth, ty, depth - 1);
            return format!("(if {condition} then {a} else {b})");
        }
        if depth > 0 && self.once_in(25) {
            return self.matched(ty, depth - 1);
        }
        match ty {
            Ty::Number => self.number(depth),
            Ty::Truth => self.truth(depth),
            Ty::Hue => self.hue(depth),
            Ty::Item => self.item(depth),
            Ty::Player => self.player(depth),
            Ty::Hues | Ty::Items | Ty::Players | Ty::Pool | Ty::Cards => self.set(ty, depth),
            Ty::MaybeHue => self.maybe_hue(depth),
            Ty::Trail => self.trail(depth),
            Ty::Bag => self.bag(depth),
            Ty::Array => unreachable!("an array has no value"),
            Ty::Card => self.known(Ty::Card).expect("cards are asked for where one is in sight"),
        }
    }

    pub(super) fn three(&mut self, first: Ty, then: Ty, depth: usize) -> (String, String, String) {
        (self.expr(first, depth), self.expr(then, depth), self.expr(then, depth))
    }

    pub(super) fn two(&mut self, ty: Ty, depth: usize) -> (String, String) {
        (self.expr(ty, depth), self.expr(ty, depth))
    }

    /// `match` as a value.
    fn matched(&mut self, ty: Ty, depth: usize) -> String {
        let (a, b, c) = self.three(ty, ty, depth);
        if self.once_in(2) {
            let subject = self.expr(Ty::Hue, depth);
            // Cases that name all of a part would tell that the name is one of it.
            format!("(match {subject} {{ red, grey: {a}; green..blue: {b} }})")
        } else {
            let subject = self.expr(Ty::Number, depth);
            format!("(match {subject} {{ 0..2: {a}; 3, 5: {b}; else: {c} }})")
        }
    }

    /// Goods are hues.
    fn bag(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => format!("{}.tally", self.player(0)),
                1 => "{2 red, 1 blue}".to_owned(),
                _ => format!("{{{} green}}", self.pick(&["0", "1", "3"])),
            };
        }
        let depth = depth - 1;
        match self.below(8) {
            0 => format!("{}.tally", self.expr(Ty::Player, depth)),
            1 | 2 => {
                let (n, hue) = (self.expr(Ty::Number, depth), self.name("h"));
                let amount = self.within(&hue, Ty::Hue, |it| it.expr(Ty::Number, depth));
                let set = self.expr(Ty::Hues, 1);
                if self.once_in(2) {
                    format!("{{abs({n}) mod 4 red, 1 grey}}")
                } else {
                    format!("{{abs({amount}) mod 4 {hue} for {hue} in {set}}}")
                }
            }
            3 if self.once_in(6) => {
                let (a, b) = self.two(Ty::Bag, depth);
                format!("({a} - {b})")
            }
            4 => {
                let (condition, a, b) = self.three(Ty::Truth, Ty::Bag, depth);
                format!("(if {condition} then {a} else {b})")
            }
            _ => {
                let ((a, b), op) =
                    (self.two(Ty::Bag, depth), self.pick(&["+", "minus", "union", "common"]));
                format!("({a} {op} {b})")
            }
        }
    }

    /// A question about bags.
    fn bags_compared(&mut self, depth: usize) -> String {
        let ((a, b), op) = (self.two(Ty::Bag, depth), self.pick(&["within", "==", "!="]));
        format!("({a} {op} {b})")
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            let player = self.player(0);
            return match self.below(4) {
                0 => format!("{player}.score"),
                1 => format!("{player}.{}", self.pick(&["gold", "luck"])),
                _ => self.pick(&NUMBERS).to_owned(),
            };
        }
        let depth = depth - 1;
        if self.once_in(6)
            && let Some(array) = self.known(Ty::Array)
        {
            return format!("{array}[{}]", self.expr(Ty::Hue, depth));
        }
        match self.below(22) {
            0..=3 => {
                let ((a, b), op) = (self.two(Ty::Number, depth), self.pick(&["+", "-", "*"]));
                // Nothing grows without end.
                if op == "*" {
                    format!("({a} mod 9 * ({b} mod 7))")
                } else {
                    format!("({a} {op} {b})")
                }
            }
            4 | 5 => {
                let ((a, b), word) = (self.two(Ty::Number, depth), self.pick(&["min", "max"]));
                format!("{word}({a}, {b})")
            }
            6 => {
                let (a, by) = (self.expr(Ty::Number, depth), self.pick(&["2", "3", "-3", "5"]));
                let word = self.pick(&["floor", "ceil"]);
                format!("{word}({a} / {by})")
            }
            7 => {
                let (a, by) = (self.expr(Ty::Number, depth), self.pick(&["2", "4", "-3", "10"]));
                format!("({a} mod {by})")
            }
            8 if self.once_in(3) => format!("count({})", self.expr(Ty::Bag, depth)),
            8 if self.once_in(2) => {
                let (bag, hue) = (self.expr(Ty::Bag, depth), self.expr(Ty::Hue, 1));
                format!("({bag})[{hue}]")
            }
            8 => format!("abs({})", self.expr(Ty::Number, depth)),
            9 => format!("(-{})", self.expr(Ty::Number, depth)),
            10 if self.once_in(4) => {
                let trail = self.expr(Ty::Trail, depth);
                format!("count({trail})")
            }
            10 | 11 => {
                let set = self.any_set();
                format!("count({})", self.expr(set, depth))
            }
            12..=14 => self.folded(depth),
            15..=19 => self.looked_up(depth),
            20 => self.supposed(depth),
            _ => self.called(Ty::Number, depth),
        }
    }

    /// A number that stands somewhere.
    fn looked_up(&mut self, depth: usize) -> String {
        match self.below(5) {
            0 => {
                let (p, h) = (self.expr(Ty::Player, depth), self.expr(Ty::Hue, depth));
                format!("{p}.tally[{h}]")
            }
            1 => format!("{}.size", self.expr(Ty::Item, depth)),
            2 if self.once_in(8) => self.risky(depth),
            2 if self.once_in(4) => {
                let (hue, n) = (self.expr(Ty::Hue, depth), self.expr(Ty::Number, depth));
                format!("count(fond[{hue}, {n} mod 3 + 1])")
            }
            2 => format!("row[{} mod 4 + 1]", self.expr(Ty::Number, depth)),
            3 if self.once_in(2) => {
                let at_most = if self.once_in(9) { 14 } else { 10 };
                format!("near({} mod {at_most})", self.expr(Ty::Number, depth))
            }
            3 => format!("dots[{}]", self.expr(Ty::Hue, depth)),
            _ => {
                let (i, n) = (self.expr(Ty::Item, depth), self.expr(Ty::Number, depth));
                format!("heap[{i}, {n} mod 3 + 1]")
            }
        }
    }

    /// A number that there may not be.
    fn risky(&mut self, depth: usize) -> String {
        let (a, b) = self.two(Ty::Number, depth);
        match self.below(3) {
            0 => format!("row[{a} mod 6]"),
            1 => format!("floor({a} / ({b} mod 3))"),
            _ => {
                let (over, name) = (self.expr(Ty::Items, depth), self.name("x"));
                format!("max({name} in {over}: {name}.size)")
            }
        }
    }

    /// A number that comes of many.
    fn folded(&mut self, depth: usize) -> String {
        if self.once_in(4) {
            let (word, name) = (self.pick(&["min", "max"]), self.name("x"));
            let all = [("Hue", Ty::Hue), ("Player", Ty::Player)];
            let (all, of) = all[self.below(2)];
            let value = self.within(&name, of, |it| it.expr(Ty::Number, depth));
            return format!("{word}({name} in {all}: {value})");
        }
        if self.once_in(6) {
            return self.parts(depth);
        }
        if self.once_in(8) {
            return self.grown(depth);
        }
        let (set, member) = self.set_with_member();
        let over = self.expr(set, depth);
        let name = self.name("x");
        if self.once_in(4) {
            return self.folded_twice((&name, member), &over, depth);
        }
        self.within(&name.clone(), member, |it| {
            let filter = it.filter(depth);
            let value = it.expr(Ty::Number, depth);
            match it.below(3) {
                0 => format!("count({name} in {over}{filter}: {})", it.expr(Ty::Truth, depth)),
                _ => format!("sum({name} in {over}{filter}: {value})"),
            }
        })
    }

    /// A number that comes of two sets.
    fn folded_twice(&mut self, (name, member): (&str, Ty), over: &str, depth: usize) -> String {
        self.within(name, member, |it| {
            let (filter, back) = (it.filter(1), it.pick(&["", " backwards"]));
            let (inner, end) = (it.name("y"), it.expr(Ty::Number, 1));
            it.within(&inner, Ty::Number, |it| {
                let condition = it.filter(1);
                let binders = format!(
                    "{name} in {over}{back}{filter} for {inner} in 1..{end} mod 4{condition}"
                );
                match it.below(3) {
                    0 => format!("count({binders}: {})", it.expr(Ty::Truth, depth)),
                    _ => format!("sum({binders}: {})", it.expr(Ty::Number, depth)),
                }
            })
        })
    }

    /// How many parts of a set there are of some sort.
    fn parts(&mut self, depth: usize) -> String {
        let (ty, name) = ([Ty::Hues, Ty::Items][self.below(2)], self.name("x"));
        let over = self.expr(ty, depth);
        let holds = self.within(&name, ty, |it| it.expr(Ty::Truth, depth));
        let size = [" of size 2", " of size up to 1", "", ""][self.below(4)];
        format!("count({name} in subsets of {over}{size}: {holds})")
    }

    /// `{hue, hue}` in order; `none` adds nothing.
    fn trail(&mut self, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        let count = self.below(4);
        let hues: Vec<String> = (0..count)
            .map(|_| if self.once_in(4) { self.maybe_hue(0) } else { self.expr(Ty::Hue, depth) })
            .collect();
        format!("trail([{}])", hues.join(", "))
    }

    /// All lists that can grow, as something to go over.
    pub(super) fn all_trails(&mut self, name: &str) -> String {
        let (set, most) = (self.expr(Ty::Hues, 1), self.pick(&["1", "2", "3"]));
        let next = match self.below(3) {
            0 => format!("({set}) minus {name}"),
            1 => format!("{{it in {set} where count({name}) < 2}}"),
            _ => format!("if count({name}) == 0 then {set} else {{{}}}", self.expr(Ty::Hue, 0)),
        };
        format!("lists of Hue up to {most} by {next}")
    }

    /// How many lists of some sort there are.
    fn grown(&mut self, depth: usize) -> String {
        let (word, name) = (self.pick(&["count", "sum"]), self.name("x"));
        let over = self.all_trails(&name);
        let ty = if word == "sum" { Ty::Number } else { Ty::Truth };
        let value = self.within(&name, Ty::Trail, |it| it.expr(ty, depth.min(1)));
        format!("{word}({name} in {over}: {value})")
    }

    fn plain_truth(&mut self) -> String {
        let player = self.player(0);
        match self.below(4) {
            0 => "flag".to_owned(),
            1 => format!("({player}.gold > 2)"),
            2 => format!("({player}.pet == none)"),
            _ => format!("{player}.on"),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return self.plain_truth() };
        match self.below(15) {
            14 => self.compared_trails(depth),
            0..=2 => {
                let (a, b) = self.two(Ty::Number, depth);
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({a} {op} {b})")
            }
            3 if self.once_in(2) => self.bags_compared(depth),
            3 => {
                let (a, b) = self.two(Ty::Hue, depth);
                let op = self.pick(&["<", "<=", "==", "!="]);
                format!("({a} {op} {b})")
            }
            4 => {
                let (a, b) = (self.expr(Ty::MaybeHue, depth), self.expr(Ty::Hue, depth));
                let op = self.pick(&["<", ">=", "==", "!="]);
                format!("({a} {op} {b})")
            }
            5 => format!("({} {} none)", self.expr(Ty::MaybeHue, depth), self.pick(&["==", "!="])),
            6 => {
                let (set, member) = self.set_with_member();
                let b = self.expr(set, depth);
                if member == Ty::Card && self.known(Ty::Card).is_none() {
                    return format!("({b} == {{}})");
                }
                format!("({} {} {b})", self.expr(member, depth), self.pick(&["in", "not in"]))
            }
            7 => {
                let set = self.any_set();
                let (a, b) = self.two(set, depth);
                format!("({a} {} {b})", self.pick(&["within", "==", "!="]))
            }
            8 | 9 => {
                let (a, b) = self.two(Ty::Truth, depth);
                format!("({a} {} {b})", self.pick(&["and", "or"]))
            }
            10 if self.once_in(2) => {
                // A test for a part would tell more of a name than what is made up knows.
                let (name, hue) = (self.name("x"), self.expr(Ty::Hue, depth));
                format!("any({name} in Warm: {name} == {hue})")
            }
            10 => format!("(not {})", self.expr(Ty::Truth, depth)),
            11 => self.called(Ty::Truth, depth),
            _ => {
                let (set, member) = self.set_with_member();
                let (over, name) = (self.expr(set, depth), self.name("x"));
                self.within(&name.clone(), member, |it| {
                    let (filter, holds) = (it.filter(depth), it.expr(Ty::Truth, depth));
                    format!("{}({name} in {over}{filter}: {holds})", it.pick(&["any", "all"]))
                })
            }
        }
    }

    fn compared_trails(&mut self, depth: usize) -> String {
        let (a, b) = self.two(Ty::Trail, depth);
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(3) {
            0 => format!("({} in {a})", self.expr(Ty::Hue, depth)),
            _ => format!("({a} {op} {b})"),
        }
    }

    fn hue(&mut self, depth: usize) -> String {
        match self.below(4) {
            0 if depth > 0 => format!("{}.likes", self.expr(Ty::Item, depth - 1)),
            1 => "mood".to_owned(),
            2 if depth > 0 && self.once_in(9) => {
                let (trail, n) = (self.expr(Ty::Trail, 0), self.expr(Ty::Number, 0));
                format!("{trail}[{n} mod 3 + 1]")
            }
            2 if depth > 0 => {
                format!("Hue[1 + abs({}) mod count(Hue)]", self.expr(Ty::Number, depth - 1))
            }
            _ => self.pick(&["red", "green", "blue", "grey", "Hue.first", "Hue.last"]).to_owned(),
        }
    }

    fn item(&mut self, _depth: usize) -> String {
        self.pick(&["nut", "pot", "key", "Item.last"]).to_owned()
    }

    pub(super) fn player(&mut self, depth: usize) -> String {
        match self.below(3) {
            0 if depth > 0 => {
                let of = self.expr(Ty::Player, depth - 1);
                format!("{}({of})", self.pick(&["next", "previous"]))
            }
            _ => match self.known(Ty::Player) {
                Some(known) => known,
                None => self.pick(&["Player.first", "Player.last", "north", "south"]).to_owned(),
            },
        }
    }

    /// What would be after some statements.
    fn supposed(&mut self, depth: usize) -> String {
        let pauses = std::mem::replace(&mut self.pauses, false);
        let (kept, loops) = (self.scope.len(), std::mem::take(&mut self.loops));
        let returns = self.returns.take();
        let statement = self.change(depth);
        let value = self.expr(Ty::Number, depth);
        self.scope.truncate(kept);
        (self.pauses, self.loops, self.returns) = (pauses, loops, returns);
        format!("(suppose {{ {statement} }}: {value})")
    }
}
