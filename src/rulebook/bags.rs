//! Bags in words: what the rules do good by good is said of all goods at once.

use crate::rulebook::words::Phraser;
use crate::rules::{
    Arith, Arm, Array, BinaryOp, Binder, Block, Domain, Expr, ExprKind, KindId, KindShape, LocalId,
    StmtKind, Table, TextPart, Type, UnaryOp, Value, literal,
};
use crate::source::Span;
use crate::syntax::Tightness;
use crate::syntax::ast::{FoldWord, TransferVerb};

use crate::rulebook::english::{does, is, is_many};

/// The kind of the goods that a binder goes through, all of them, where something is said of a bag. What the file
/// itself goes through has a set of its own, beside what is said of its members.
fn goods_of(binder: &Binder, said: Span) -> Option<KindId> {
    let span = binder.set.span;
    let is_written = said.start < span.start || span.end < said.end;
    match (&binder.set.kind, &binder.condition) {
        (ExprKind::Whole(Domain::Kind(kind)), None) if !is_written => Some(*kind),
        _ => None,
    }
}

impl Phraser<'_> {
    /// `your goods hold all of {2 red}`: a comparison that is made for each good.
    pub(super) fn compared_bags(self, binder: &Binder, body: &[Expr], yes: bool) -> Option<String> {
        let [Expr { kind: ExprKind::Binary(op, a, b), span, .. }] = body else { return None };
        goods_of(binder, *span)?;
        let [a, b] = [a, b].map(|it| self.goods(it, binder.local));
        let (a, b) = (a?, b?);
        let not = if yes { "" } else { " not" };
        match op {
            BinaryOp::LessEqual if yes && (is_many(&b) || b.contains(" and ")) => {
                Some(format!("{b} cover {a}"))
            }
            BinaryOp::LessEqual if yes => Some(format!("{} {a}", does(&b, "cover"))),
            BinaryOp::LessEqual => Some(format!("{} not cover {a}", does(&b, "do"))),
            BinaryOp::Equal if b == "nothing" => Some(format!("{}{not} empty", is(&a))),
            BinaryOp::Equal => Some(format!("{}{not} the same as {b}", is(&a))),
            _ => None,
        }
    }

    /// How many goods a bag holds.
    pub(super) fn counted_goods(self, binder: &Binder, body: &[Expr]) -> Option<String> {
        let [amount] = body else { return None };
        let nouns = self.book.nouns(Domain::Kind(goods_of(binder, amount.span)?));
        self.goods(amount, binder.local).map(|goods| format!("the number of {nouns} in {goods}"))
    }

    /// What is done with whole bags, good by good.
    pub(super) fn moved_goods(self, binder: &Binder, body: &Block) -> Option<String> {
        goods_of(binder, body.first()?.span)?;
        let good = binder.local;
        let goods = |expr: &Expr| self.goods(expr, good);
        let kinds: Vec<&StmtKind> = body.iter().map(|stmt| &stmt.kind).collect();
        match kinds[..] {
            [StmtKind::Assign(place, value)] => {
                Some(format!("set {} to {}", goods(place)?, goods(value)?))
            }
            [StmtKind::Change { place, add, value }] => {
                let (verb, to) = if *add { ("add", "to") } else { ("take", "from") };
                Some(format!("{verb} {} {to} {}", goods(value)?, goods(place)?))
            }
            [StmtKind::Swap(a, b)] => Some(format!("swap {} and {}", goods(a)?, goods(b)?)),
            [StmtKind::Transfer { place, verb, amount }] => {
                let verb = match verb {
                    TransferVerb::Gains | TransferVerb::GainsLosingRest => "add",
                    TransferVerb::Loses => "remove",
                    TransferVerb::Pays => "pay",
                };
                let to = if verb == "add" { "to" } else { "from" };
                Some(format!("{verb} {} {to} {}", goods(amount)?, goods(place)?))
            }
            [
                StmtKind::Let(_, amount),
                StmtKind::Transfer { place: from, .. },
                StmtKind::Change { place: to, .. },
            ] => {
                let amount = goods(amount)?;
                Some(format!("move {amount} from {} to {}", goods(from)?, goods(to)?))
            }
            _ => None,
        }
    }

    /// What the text of a bag prints.
    pub(super) fn text_of_bag(self, parts: &[TextPart]) -> Option<String> {
        let [.., TextPart::Hole(last)] = parts else { return None };
        let ExprKind::If(condition, _, otherwise) = &last.kind else { return None };
        let (ExprKind::Binary(BinaryOp::Less, _, all), ExprKind::Value(Value::Text(words))) =
            (&condition.kind, &otherwise.kind)
        else {
            return None;
        };
        let ExprKind::Fold { word: FoldWord::Sum, binder, body } = &all.kind else { return None };
        let amount = body.first()?;
        goods_of(binder, amount.span).filter(|_| words == "nothing")?;
        self.goods(amount, binder.local)
    }

    /// `bags of Gem up to 2 within b`: what a member is.
    pub(super) fn one_bag(self, set: &Expr) -> Option<String> {
        let (whole, within) = match &set.kind {
            ExprKind::Filter(Binder { set, condition: Some(fits), .. }) => {
                (set.as_ref(), Some(fits))
            }
            _ => (set, None),
        };
        let ExprKind::Whole(Domain::Kind(kind)) = whole.kind else { return None };
        let KindShape::Bags(goods) = self.book.lookup_kind(kind).shape else { return None };
        let (of, nouns) = (self.book.lookup_kind(kind), self.book.nouns(Domain::Kind(goods)));
        let most = of.name.rsplit_once(' ').map_or("", |(_, most)| most);
        let all = format!("some {nouns}, at most {most} of each");
        let Some(fits) = within else { return Some(all) };
        let ExprKind::Fold { binder, body, .. } = &fits.kind else { return None };
        let [Expr { kind: ExprKind::Binary(_, _, room), .. }] = body.as_slice() else {
            return None;
        };
        Some(format!("{all}, out of {}", self.goods(room, binder.local)?))
    }

    /// A bag as a thing, where its amounts are those of a good.
    pub(super) fn goods(self, amount: &Expr, good: LocalId) -> Option<String> {
        let is_good = |expr: &Expr| expr.is_local(good);
        match &amount.kind {
            ExprKind::Element(array, indices) => {
                let (last, of) = indices.split_last()?;
                is_good(last).then_some(())?;
                Some(match array {
                    Array::Var(var) => self.phrase_var(*var, of),
                    Array::Local(local) => self.phrase_local(*local),
                    Array::Table(table) => match &self.book.rules.tables[table.index()] {
                        table if table.is_computed() => return self.column_of_goods(table, of),
                        table => format!("*{}* for {}", table.title, self.phrase_arguments(of)),
                    },
                    Array::Pile(_) => return None,
                })
            }
            ExprKind::Match(subject, arms) if is_good(subject) => self.listed_goods(subject, arms),
            ExprKind::Value(Value::Int(0)) => Some("nothing".to_owned()),
            ExprKind::Call(rule, args) if args.last().is_some_and(is_good) => {
                let args = args[..args.len() - 1].to_vec();
                let call = Expr { kind: ExprKind::Call(*rule, args), ..amount.clone() };
                Some(self.phrase_value(&call))
            }
            ExprKind::Unary(UnaryOp::Amount, of) => self.goods(of, good),
            ExprKind::If(condition, then, otherwise) => {
                if let ExprKind::Binary(BinaryOp::Equal, own, other) = &condition.kind
                    && is_good(own)
                    && literal(otherwise) == Some(0)
                {
                    let (amount, good) =
                        (self.placed(then, Tightness::Sum), self.phrase_value(other));
                    let of = if ["the ", "that "].iter().any(|it| good.starts_with(it)) {
                        " of"
                    } else {
                        ""
                    };
                    return Some(format!("{amount}{of} {good}"));
                }
                let (then, otherwise) = (self.goods(then, good)?, self.goods(otherwise, good)?);
                let condition = self.phrase_condition(condition);
                Some(format!("({then} if {condition}, otherwise {otherwise})"))
            }
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => self.joined_goods(*op, a, b, good),
            _ => None,
        }
    }

    /// A bag of `bags of`, or one that a column holds.
    fn column_of_goods(self, table: &Table, of: &[Expr]) -> Option<String> {
        let ([member], Some((column, _))) = (of, table.name.split_once('(')) else { return None };
        let is_bag = self.book.rules.bag_of(&member.ty).is_some();
        let thing = self.phrase_operand(member);
        Some(if is_bag { thing } else { format!("the {} of {thing}", column.replace('_', " ")) })
    }

    /// `2 red, 1 blue`, or a name for a bag.
    fn listed_goods(self, subject: &Expr, arms: &[Arm<Expr>]) -> Option<String> {
        if let Some(ExprKind::Local(local)) = arms.first().map(|arm| &arm.body.kind)
            && let Some((name, _)) = self.locals.get(local.index())?.name.split_once('[')
        {
            return Some(format!("*{}*", name.replace('_', " ")));
        }
        let Type::Kind(kind) = subject.ty else { return None };
        let kind = self.book.lookup_kind(kind);
        let mut words = Vec::new();
        for (at, member) in kind.members.iter().enumerate() {
            let value = Value::Int(i64::try_from(at).ok()?);
            let arm = arms.iter().find(|arm| arm.takes(&value))?;
            if literal(&arm.body) != Some(0) {
                let amount = self.placed(&arm.body, Tightness::Sum);
                words.push(format!("{amount} {}", member.title));
            }
        }
        Some(if words.is_empty() { "nothing".to_owned() } else { words.join(", ") })
    }

    fn joined_goods(self, op: Arith, a: &Expr, b: &Expr, good: LocalId) -> Option<String> {
        if op == Arith::Max
            && literal(a) == Some(0)
            && let ExprKind::Binary(BinaryOp::Arith(Arith::Subtract), a, b) = &b.kind
        {
            let (a, b) = (self.goods(a, good)?, self.goods(b, good)?);
            return Some(format!("what is left of {a} without {b}"));
        }
        let (a, b) = (self.goods(a, good)?, self.goods(b, good)?);
        Some(match op {
            Arith::Add => format!("{a} and {b}"),
            Arith::Subtract => format!("{a} less {b}"),
            Arith::Min => format!("what {a} and {b} share"),
            Arith::Max => format!("the larger of {a} and {b}"),
            _ => return None,
        })
    }
}
