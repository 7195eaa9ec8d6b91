//! Made-up decisions: one of some moves, one of a set, several players at once, an order.

use super::{Ty, Writer};
use crate::support::MakesUp;

impl Writer {
    pub(super) fn decision(&mut self, depth: usize) -> String {
        let player = self.expr(Ty::Player, 1);
        match self.below(6) {
            0 => {
                let (ty, name) = ([Ty::Items, Ty::Players][self.below(2)], self.name("k"));
                let (of, some) =
                    if ty == Ty::Items { (Ty::Item, "{pot}") } else { (Ty::Player, "Player") };
                let set = self.expr(ty, 1);
                self.scope.push((name.clone(), of, false));
                let take = self.name("take");
                format!("let {name} = choose {player} \"which?\" {take} from ({some} union {set})")
            }
            1 => {
                let name = self.name("p");
                let filter = self.within(&name, Ty::Player, |it| it.filter(1));
                let body = self.within(&name, Ty::Player, |it| it.options(depth));
                format!("choose each {name} in Player{filter} {body}")
            }
            2 => {
                let (ty, member) = ([Ty::Hues, Ty::Items][self.below(2)], self.name("x"));
                let (set, doing) = (self.expr(ty, 1), self.name("do"));
                let of = if ty == Ty::Hues { Ty::Hue } else { Ty::Item };
                let rest = self.name("rest");
                let (filter, body) = self.within(&member, of, |it| (it.filter(1), it.block(depth)));
                let (when, other) = (self.expr(Ty::Truth, 1), self.block(depth));
                format!(
                    "choose {player} order {{\n{doing}({member}) for {member} in {set}{filter} {body}\n{rest} when {when} {other}\n}}"
                )
            }
            _ => format!("choose {player} \"{{{player}}}, now\" {}", self.options(depth)),
        }
    }

    /// The options of a decision, and what else there is.
    fn options(&mut self, depth: usize) -> String {
        let count = 1 + self.below(2);
        let options: Vec<String> = (0..count).map(|_| self.option(depth)).collect();
        let text = format!("{{\n{}\n}}", options.join("\n"));
        let pass = self.name("pass");
        let body = self.block(depth);
        let rest = match self.below(5) {
            0 => format!("\nor {pass} when {} {body}\nelse {{ }}", self.expr(Ty::Truth, 1)),
            1 => format!("\nelse {body}"),
            2 => format!("\nor {pass} when nothing else {body}"),
            _ => format!("\nor {pass} {body}"),
        };
        text + &rest
    }

    fn option(&mut self, depth: usize) -> String {
        let (kept, name) = (self.scope.len(), self.name("go"));
        let (mut params, mut clauses) = (Vec::new(), vec![String::new()]);
        for _ in 0..self.below(3) {
            let (set, member) = self.set_with_member();
            let (over, x) = (self.expr(set, 1), self.name("x"));
            self.scope.push((x.clone(), member, false));
            let filter = self.filter(1);
            let maybe = member == Ty::Hue && self.once_in(2);
            if maybe {
                let at = self.scope.len() - 1;
                self.scope[at].1 = Ty::MaybeHue;
            }
            clauses.push(format!("{} {x} in {over}{filter}", if maybe { "maybe" } else { "for" }));
            params.push(x);
        }
        if self.once_in(4) {
            let x = self.name("z");
            let over = self.all_trails(&x);
            self.scope.push((x.clone(), Ty::Trail, false));
            clauses.push(format!("for {x} in {over}{}", self.filter(1)));
            params.push(x);
        }
        if self.once_in(5) {
            let (x, bag) = (self.name("b"), self.expr(Ty::Bag, 1));
            self.scope.push((x.clone(), Ty::Bag, false));
            clauses.push(format!("for {x} in bags of Hue up to 1 within {bag}{}", self.filter(1)));
            params.push(x);
        }
        if self.once_in(6) {
            let (x, value) = (self.name("u"), self.expr(Ty::Bag, 1));
            self.scope.push((x.clone(), Ty::Bag, false));
            clauses.push(format!("let {x} = {value}"));
        }
        if self.once_in(3) {
            let (x, value) = (self.name("y"), self.expr(Ty::Number, 1));
            self.scope.push((x.clone(), Ty::Number, false));
            clauses.push(format!("let {x} = {value}"));
        }
        if self.once_in(3) {
            clauses.push(format!("when {}", self.expr(Ty::Truth, 1)));
        }
        let body = self.block(depth);
        self.scope.truncate(kept);
        let params =
            if params.is_empty() { params.join("") } else { format!("({})", params.join(", ")) };
        format!("{name}{params}{} {body}", clauses.join(" "))
    }
}
