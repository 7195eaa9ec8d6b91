//! Made-up statements: changes, loops, decisions, draws.

use super::{Ty, Writer};
use crate::support::MakesUp;

impl Writer {
    /// Some statements in braces; the names in them end with them.
    pub(super) fn block(&mut self, depth: usize) -> String {
        let kept = self.scope.len();
        let count = 1 + self.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        self.scope.truncate(kept);
        format!("{{\n{}\n}}", statements.join("\n"))
    }

    pub(super) fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.change(1);
        }
        match self.below(24) {
            7 | 8 => self.named(),
            9 | 10 => {
                let (condition, then) = (self.expr(Ty::Truth, 2), self.block(depth - 1));
                let otherwise = if self.once_in(2) {
                    format!(" else {}", self.block(depth - 1))
                } else {
                    String::new()
                };
                format!("if {condition} {then}{otherwise}")
            }
            11 => {
                let subject = self.expr(Ty::Hue, 1);
                let [a, b] = [(); 2].map(|()| self.block(depth - 1));
                format!("match {subject} {{\nred, grey: {a}\ngreen..blue: {b}\n}}")
            }
            12..=14 => self.looped(depth - 1),
            15 => self.left(),
            16 => self.said(),
            17 | 18 if self.pauses => self.drawn(),
            19..=22 if self.pauses => self.decision(depth - 1),
            _ => self.change(2),
        }
    }

    /// A statement that changes something and does nothing else.
    pub(super) fn change(&mut self, depth: usize) -> String {
        let player = self.player(1);
        match self.below(16) {
            14 => {
                let verb = if self.once_in(5) { "forget" } else { "remember" };
                format!("{verb} {}", self.pick(&["past", "tosses"]))
            }
            0 | 1 => format!("{player}.score = {} mod 89", self.expr(Ty::Number, depth)),
            2 if self.once_in(3) => {
                let (bag, other) = (self.expr(Ty::Bag, depth), self.player(1));
                match self.below(4) {
                    0 => format!("{player}.tally = {{2 red}} common {bag}"),
                    1 => format!("{player}.tally += {bag} common {{1 grey, 1 green}}"),
                    2 => format!("swap {player}.tally and {other}.tally"),
                    _ => format!("if {bag} within {player}.tally {{ {player}.tally -= {bag} }}"),
                }
            }
            2 => {
                let (hue, number) = (self.expr(Ty::Hue, 1), self.expr(Ty::Number, depth));
                let op = self.pick(&["+=", "-=", "="]);
                format!("{player}.tally[{hue}] {op} {number} mod 9")
            }
            3 => {
                let verb = self.pick(&["gains", "loses"]);
                let rest = if verb == "gains" { self.pick(&["", " or lose the rest"]) } else { "" };
                format!("{player} {verb} abs({}) mod 4 gold{rest}", self.expr(Ty::Number, depth))
            }
            4 if self.once_in(8) => {
                format!("{player}.gold = {} mod 12", self.expr(Ty::Number, depth))
            }
            4 => format!("if {player}.gold > 1 {{ {player} pays 2 gold }}"),
            5 => format!("{player}.on = {}", self.expr(Ty::Truth, depth)),
            6 => format!("{player}.pet = {}", self.expr(Ty::MaybeHue, depth)),
            7 => {
                let op = self.pick(&["+=", "-=", "="]);
                format!("{player}.bag {op} {}", self.expr(Ty::Items, depth))
            }
            8 if self.once_in(2) => {
                format!("pool += {} mod 9 + 1", self.expr(Ty::Number, depth))
            }
            8 => format!("pool {} {}", self.pick(&["+=", "-=", "="]), self.expr(Ty::Pool, depth)),
            9 => format!("mood = {}", self.expr(Ty::Hue, depth)),
            10 => {
                let (item, at) = (self.expr(Ty::Item, 1), self.expr(Ty::Number, 1));
                let number = self.expr(Ty::Number, depth);
                format!("heap[{item}, {at} mod 3 + 1] = {number} mod 50")
            }
            11 => {
                let [a, b] = [(); 2].map(|()| self.expr(Ty::Hue, 1));
                let other = self.player(1);
                format!("swap {player}.tally[{a}] and {other}.tally[{b}]")
            }
            12 => {
                let places = ["pool", "heap", "heap[pot]", "mood"];
                format!("reset {}, {player}.tally", self.pick(&places))
            }
            13 => self.assigned(depth),
            _ => self.moved(depth),
        }
    }

    /// A `var` that is in sight is changed.
    fn assigned(&mut self, depth: usize) -> String {
        let vars = self.scope.iter().filter(|(.., var)| *var);
        let vars: Vec<(String, Ty)> = vars.map(|(name, ty, _)| (name.clone(), *ty)).collect();
        if vars.is_empty() {
            return self.moved(depth);
        }
        let (name, ty) = vars[self.below(vars.len())].clone();
        match ty {
            Ty::Array => {
                let (hue, number) = (self.expr(Ty::Hue, 1), self.expr(Ty::Number, depth));
                format!("{name}[{hue}] {} {number} mod 30", self.pick(&["=", "+=", "-="]))
            }
            Ty::Trail => {
                let (hue, start) = (self.expr(Ty::Hue, 1), self.expr(Ty::Trail, 1));
                let full = if self.once_in(9) { "5" } else { "4" };
                format!(
                    "if count({name}) < {full} {{ {name} += {hue} }} else {{ {name} = {start} }}"
                )
            }
            Ty::Number => format!("{name} += {} mod 11", self.expr(Ty::Number, depth)),
            Ty::Hues | Ty::Items => {
                format!("{name} {} {}", self.pick(&["+=", "-=", "="]), self.expr(ty, depth))
            }
            _ => format!("{name} = {}", self.expr(ty, depth)),
        }
    }

    fn moved(&mut self, depth: usize) -> String {
        let hand = format!("{}.hand", self.player(1));
        let to = [hand.as_str(), "deck", "thrown", "bottom of deck"];
        let to = self.pick(&to).to_owned();
        match self.below(5) {
            0 => format!("move {} to {to}", self.expr(Ty::Cards, depth)),
            1 => format!("move thrown to {to}"),
            2 => "shuffle deck".to_owned(),
            3 if self.once_in(4) => "reset deck".to_owned(),
            3 if self.pauses => format!("move top {} of deck to {hand}", self.pick(&["1", "2"])),
            _ => format!("move {hand} to {to}"),
        }
    }

    /// `let` and `var`.
    fn named(&mut self) -> String {
        if self.once_in(6) {
            let (name, value) = (self.name("a"), self.expr(Ty::Number, 2));
            self.scope.push((name.clone(), Ty::Array, true));
            return format!("var {name}[Hue] = {value}");
        }
        if self.once_in(9) {
            let (name, value) = (self.name("b"), self.expr(Ty::Bag, 2));
            self.scope.push((name.clone(), Ty::Bag, false));
            return format!("let {name} = {value}");
        }
        let types = [
            Ty::Number,
            Ty::Truth,
            Ty::Hue,
            Ty::Item,
            Ty::Player,
            Ty::Hues,
            Ty::Items,
            Ty::MaybeHue,
            Ty::Trail,
        ];
        let ty = types[self.below(types.len())];
        let (name, value) = (self.name("v"), self.expr(ty, 2));
        let var = ty != Ty::MaybeHue && self.once_in(2);
        self.scope.push((name.clone(), ty, var));
        match ty {
            _ if !var => format!("let {name} = {value}"),
            Ty::Hues => format!("var {name}: set of Hue = {value}"),
            Ty::Items => format!("var {name}: set of Item = {value}"),
            Ty::Hue => format!("var {name}: Hue = {value}"),
            Ty::Trail => format!("var {name}: list of Hue up to 4 = {value}"),
            _ => format!("var {name} = {value}"),
        }
    }

    fn looped(&mut self, depth: usize) -> String {
        match self.below(8) {
            7 => {
                let name = self.name("x");
                let (over, ty) = if self.once_in(2) {
                    (self.all_trails(&name), Ty::Trail)
                } else {
                    let back = self.pick(&["", " backwards"]);
                    (format!("{}{back}", self.expr(Ty::Trail, 1)), Ty::Hue)
                };
                let (filter, body) = self.in_loop(|it| {
                    it.within(&name, ty, |it| (it.filter(1), it.block(depth.min(1))))
                });
                format!("for {name} in {over}{filter} {body}")
            }
            0 | 1 => {
                let (set, member) = self.set_with_member();
                let (over, name) = (self.expr(set, 2), self.name("x"));
                self.loops += 1;
                let (filter, body) =
                    self.within(&name, member, |it| (it.filter(1), it.block(depth)));
                self.loops -= 1;
                let back = self.pick(&["", "", " backwards"]);
                format!("for {name} in {over}{back}{filter} {body}")
            }
            2 => {
                let (start, name) = (self.expr(Ty::Player, 1), self.name("p"));
                let body = self.in_loop(|it| it.within(&name, Ty::Player, |it| it.block(depth)));
                let back = self.pick(&["", " backwards"]);
                format!("for {name} in Player from {start}{back} {body}")
            }
            3 => {
                let (number, name) = (self.expr(Ty::Number, 1), self.name("n"));
                let (filter, body) = self.in_loop(|it| {
                    it.within(&name, Ty::Number, |it| (it.filter(1), it.block(depth)))
                });
                let back = self.pick(&["", " backwards"]);
                format!("for {name} in 1..{number} mod 4{back}{filter} {body}")
            }
            4 => {
                let number = self.expr(Ty::Number, 1);
                let body = self.in_loop(|it| it.block(depth));
                format!("repeat {number} mod 3 times {body}")
            }
            5 => {
                let (start, name) = (self.expr(Ty::Player, 1), self.name("t"));
                let body = self.in_loop(|it| it.within(&name, Ty::Player, |it| it.block(depth)));
                let back = self.pick(&["", " backwards"]);
                format!(
                    "turns {name} from {start}{back} {{\nif turn > 2 {{ break }}\nif yes {body}\n}}"
                )
            }
            _ => self.guarded(depth),
        }
    }

    /// A loop that looks at a condition, and at how often it went round.
    fn guarded(&mut self, depth: usize) -> String {
        let (count, condition) = (self.name("w"), self.expr(Ty::Truth, 1));
        let body = self.in_loop(|it| it.block(depth));
        let begin = format!("var {count} = 0");
        if self.once_in(2) {
            format!(
                "{begin}\nwhile {count} < 3 and {condition} {{\n{count} += 1\nif yes {body}\n}}"
            )
        } else {
            format!(
                "{begin}\nrepeat {{\n{count} += 1\nif yes {body}\n}} until {count} > 2 or {condition}"
            )
        }
    }

    fn in_loop<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.loops += 1;
        let written = write(self);
        self.loops -= 1;
        written
    }

    /// `break`, `continue` or `return` behind a condition.
    fn left(&mut self) -> String {
        let condition = self.expr(Ty::Truth, 1);
        let returns = self.loops == 0 || self.once_in(2);
        match self.returns {
            Some(ty) if returns => {
                format!("if {condition} {{ return {} }}", self.expr(ty, 1))
            }
            _ if self.loops > 0 => {
                format!("if {condition} {{ {} }}", self.pick(&["break", "continue"]))
            }
            _ => self.change(1),
        }
    }

    fn said(&mut self) -> String {
        let types = [
            Ty::Number,
            Ty::Truth,
            Ty::Hue,
            Ty::Item,
            Ty::Player,
            Ty::Hues,
            Ty::MaybeHue,
            Ty::Trail,
        ];
        let ty = types[self.below(types.len())];
        let (hole, other) = (self.expr(ty, 1), self.expr(Ty::Player, 1));
        match self.below(4) {
            0 => format!("say \"{{{hole}}} it is, {{{other}}}\""),
            1 => {
                let number = self.expr(Ty::Number, 1);
                format!("say \"{{words({number})}} and {{{hole}}}\"\nloudly(\"so be it\")")
            }
            2 => format!("say to {other} \"only {{{hole}}}\""),
            _ => format!("say \"now {{{hole}}} and {{if flag then \"a\" else \"b\"}}\""),
        }
    }

    fn drawn(&mut self) -> String {
        let name = self.name("r");
        let (ty, draw) = match self.below(9) {
            0 => return "roll cube".to_owned(),
            1 => {
                let x = self.name("x");
                let filter = self.within(&x, Ty::Hue, |it| it.filter(1));
                return format!("roll dots for {x} in Hue{filter}");
            }
            2 => (Ty::Number, format!("random 1..{}", self.pick(&["2", "4", "pace"]))),
            3 => (Ty::Hue, format!("random ({{red}} union {})", self.expr(Ty::Hues, 1))),
            4 => (Ty::Player, "random Player".to_owned()),
            5 => {
                let hand = format!("{}.hand", self.player(1));
                return format!(
                    "if deck != {{}} {{ let {name} = random deck; move {name} to {hand} }}"
                );
            }
            6 => (
                Ty::Cards,
                format!("{} {} of deck", self.pick(&["top", "bottom"]), self.pick(&["1", "2"])),
            ),
            7 => {
                let player = self.player(1);
                let what = self.pick(&["top 2 of deck", "bottom 1 of deck"]);
                return format!("look at {what} for {player}");
            }
            _ => (Ty::Number, "roll cube".to_owned()),
        };
        self.scope.push((name.clone(), ty, false));
        format!("let {name} = {draw}")
    }
}
