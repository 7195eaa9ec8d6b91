//! Checked expressions as text, close to how they are written.

use crate::check::rules::{
    Arith, Arm, Binder, Builtin, Domain, Expr, ExprKind, Local, LocalId, Pattern, Rules, SetOp,
    TextPart, Type, Value, Var,
};
use crate::check::types::domain_code;
use crate::syntax::ast::{FoldWord, Owner};

/// An expression over these locals.
pub(in crate::check) fn expression_text(rules: &Rules, locals: &[Local], expr: &Expr) -> String {
    Printer { rules, locals }.expr(expr)
}

/// A constant of a type.
pub(in crate::check) fn value_text(rules: &Rules, value: &Value, ty: &Type) -> String {
    match (value, ty) {
        (Value::None, _) => "none".to_owned(),
        (value, Type::Maybe(inner)) => value_text(rules, value, inner),
        (Value::Text(text), _) => format!("\"{text}\""),
        (Value::Int(number), Type::Bool) => (if *number == 0 { "no" } else { "yes" }).to_owned(),
        (Value::Int(number), Type::Kind(kind)) => member_text(rules, Domain::Kind(*kind), *number),
        (Value::Int(number), _) => number.to_string(),
        (Value::Set(members), Type::Set(domain)) => {
            let members: Vec<String> =
                members.iter().map(|member| member_text(rules, *domain, *member)).collect();
            format!("{{{}}}", members.join(", "))
        }
        (Value::Set(members), _) => format!("{members:?}"),
    }
}

fn member_text(rules: &Rules, domain: Domain, value: i64) -> String {
    let Domain::Kind(kind) = domain else { return value.to_string() };
    let at = usize::try_from(value).expect("positions count from 0");
    match rules.kinds[kind.index()].members.get(at) {
        Some(member) => member.name.clone(),
        None => format!("Player.{}", at + 1),
    }
}

/// Prints what belongs to one body.
#[derive(Clone, Copy)]
pub(super) struct Printer<'r> {
    /// The rules.
    pub(super) rules: &'r Rules,
    /// The locals of the body.
    pub(super) locals: &'r [Local],
}

impl Printer<'_> {
    /// The name of a local.
    pub(super) fn local(self, local: LocalId) -> String {
        self.locals.get(local.index()).map_or("it".to_owned(), |local| local.name.clone())
    }

    /// Expressions with commas between.
    pub(super) fn exprs(self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    /// An expression.
    pub(super) fn expr(self, expr: &Expr) -> String {
        let rules = self.rules;
        match &expr.kind {
            ExprKind::Value(value) => value_text(rules, value, &expr.ty),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::LocalElement(local, of) => self.indexed(&self.local(*local), of),
            ExprKind::Option(id) => rules.options[id.index()].name.clone(),
            ExprKind::Constant(id) => rules.constants[id.index()].name.clone(),
            ExprKind::Players => "players".to_owned(),
            ExprKind::LastPlayer => "Player.last".to_owned(),
            ExprKind::Turn => "turn".to_owned(),
            ExprKind::Moves => "moves".to_owned(),
            ExprKind::Whole(domain) => domain_code(rules, *domain),
            ExprKind::Var(id, of) => self.var(&rules.vars[id.index()], of),
            ExprKind::Column(kind, at, of) => {
                self.column(of, &rules.kinds[kind.index()].columns[*at].name)
            }
            ExprKind::Table(id, of) => self.cell(&rules.tables[id.index()].name, of),
            ExprKind::Call(id, args) => {
                format!("{}({})", rules.rules[id.index()].name, self.exprs(args))
            }
            ExprKind::Builtin(builtin, of) => self.builtin(*builtin, of),
            ExprKind::Negate(of) => format!("-{}", self.inner(of)),
            ExprKind::Not(of) => self.not(of),
            ExprKind::Subsets(set) => format!("subsets of {}", self.inner(set)),
            ExprKind::Walk(walk) => format!("walk {}", self.expr(&walk.set)),
            ExprKind::Filter(binder) => format!("{{{}}}", self.binder(binder)),
            ExprKind::Image(of, binder) => {
                format!("{{{} for {}}}", self.expr(of), self.binder(binder))
            }
            ExprKind::Fold { word, binder, body } => self.fold(*word, binder, body),
            ExprKind::SetOf(items) => format!("{{{}}}", self.exprs(items)),
            ExprKind::ToSet(of) => format!("{{{}}}", self.expr(of)),
            ExprKind::If(condition, then, otherwise) => format!(
                "if {} then {} else {}",
                self.expr(condition),
                self.expr(then),
                self.expr(otherwise)
            ),
            ExprKind::Match(subject, arms) => self.match_value(subject, arms),
            ExprKind::Text(parts) => self.text(parts),
            ExprKind::Suppose(block, value) => {
                let mut lines = String::new();
                self.block(block, 0, &mut lines);
                let lines: Vec<&str> = lines.lines().map(str::trim).collect();
                format!("suppose {{ {} }}: {}", lines.join("; "), self.expr(value))
            }
            ExprKind::Random(set) => format!("random {}", self.inner(set)),
            ExprKind::Pile(var, indices) => self.var(&self.rules.vars[var.index()], indices),
            ExprKind::PileCards(pile) | ExprKind::Distinct(pile) => self.expr(pile),
            ExprKind::End(end) => self.pile_end(end),
            ExprKind::Roll(die) => format!("roll {}", self.expr(die)),
            ExprKind::Pick(pick) => format!(
                "choose {} {} from {}",
                self.inner(&pick.chooser),
                pick.name,
                self.expr(&pick.set)
            ),
            _ => self.binary(expr),
        }
    }

    /// An expression of two sides.
    fn binary(self, expr: &Expr) -> String {
        let (word, a, b) = match &expr.kind {
            ExprKind::Arith(op, a, b) => match op {
                Arith::Add => ("+", a, b),
                Arith::Subtract => ("-", a, b),
                Arith::Multiply => ("*", a, b),
                Arith::Modulo => ("mod", a, b),
                Arith::CeilDivide => return self.called("ceil", "/", a, b),
                Arith::FloorDivide => return self.called("floor", "/", a, b),
                Arith::Min => return format!("min({}, {})", self.expr(a), self.expr(b)),
                Arith::Max => return format!("max({}, {})", self.expr(a), self.expr(b)),
            },
            ExprKind::And(a, b) => ("and", a, b),
            ExprKind::Or(a, b) => ("or", a, b),
            ExprKind::Equal(a, b) => ("==", a, b),
            ExprKind::Less(a, b) => ("<", a, b),
            ExprKind::LessEqual(a, b) => ("<=", a, b),
            ExprKind::In(a, b) => ("in", a, b),
            ExprKind::Within(a, b) => ("within", a, b),
            ExprKind::SetOp(SetOp::Union, a, b) => ("union", a, b),
            ExprKind::SetOp(SetOp::Minus, a, b) => ("minus", a, b),
            ExprKind::SetOp(SetOp::Common, a, b) => ("common", a, b),
            ExprKind::Interval(a, b) => return format!("{}..{}", self.inner(a), self.inner(b)),
            ExprKind::From(a, b) => ("from", a, b),
            _ => unreachable!("all other forms were printed before"),
        };
        format!("{} {word} {}", self.inner(a), self.inner(b))
    }

    fn called(self, name: &str, word: &str, a: &Expr, b: &Expr) -> String {
        format!("{name}({} {word} {})", self.inner(a), self.inner(b))
    }

    /// An expression as part of a larger one, in brackets if need be.
    pub(super) fn inner(self, expr: &Expr) -> String {
        let text = self.expr(expr);
        let is_open = match &expr.kind {
            ExprKind::Arith(op, ..) => {
                matches!(op, Arith::Add | Arith::Subtract | Arith::Multiply | Arith::Modulo)
            }
            ExprKind::And(..)
            | ExprKind::End(_)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::Equal(..)
            | ExprKind::Less(..)
            | ExprKind::LessEqual(..)
            | ExprKind::In(..)
            | ExprKind::Within(..)
            | ExprKind::SetOp(..)
            | ExprKind::From(..)
            | ExprKind::Subsets(_)
            | ExprKind::Interval(..)
            | ExprKind::If(..) => true,
            _ => false,
        };
        if is_open { format!("({text})") } else { text }
    }

    fn not(self, of: &Expr) -> String {
        match &of.kind {
            ExprKind::Equal(a, b) => format!("{} != {}", self.inner(a), self.inner(b)),
            ExprKind::In(a, b) => format!("{} not in {}", self.inner(a), self.inner(b)),
            _ => format!("not {}", self.inner(of)),
        }
    }

    /// A column; one that the checker made is named like the call that reads it.
    fn column(self, of: &Expr, name: &str) -> String {
        match name.split_once('(') {
            None => format!("{}.{name}", self.inner(of)),
            Some((word, ")")) => format!("{word}({})", self.expr(of)),
            Some((word, ways)) => {
                let ways = ways.trim_end_matches(')');
                format!("{word}({}, {{{ways}}})", self.expr(of))
            }
        }
    }

    /// A cell of a table, likewise.
    fn cell(self, name: &str, indices: &[Expr]) -> String {
        match (name.split_once('('), indices) {
            (Some((word, ")")), parts) => format!("{word}({})", self.exprs(parts)),
            (Some((word, _)), [way, cell]) => {
                format!("{word}({}, {})", self.expr(cell), self.expr(way))
            }
            _ => self.indexed(name, indices),
        }
    }

    fn indexed(self, name: &str, indices: &[Expr]) -> String {
        if indices.is_empty() {
            return name.to_owned();
        }
        format!("{name}[{}]", self.exprs(indices))
    }

    /// A variable, with whose it is in front.
    pub(super) fn var(self, var: &Var, indices: &[Expr]) -> String {
        match (var.owner, indices.split_first()) {
            (Owner::Player, Some((owner, rest))) => {
                format!("{}.{}", self.inner(owner), self.indexed(&var.name, rest))
            }
            _ => self.indexed(&var.name, indices),
        }
    }

    fn builtin(self, builtin: Builtin, of: &Expr) -> String {
        let name = match builtin {
            Builtin::Next => "next",
            Builtin::Previous => "previous",
            Builtin::Others => "others",
            Builtin::Abs => "abs",
            Builtin::Seat => return format!("{}.seat", self.inner(of)),
        };
        format!("{name}({})", self.expr(of))
    }

    /// `x in S where P`
    pub(super) fn binder(self, binder: &Binder) -> String {
        let of = format!("{} in {}", self.local(binder.local), self.expr(&binder.set));
        match &binder.condition {
            Some(condition) => format!("{of} where {}", self.expr(condition)),
            None => of,
        }
    }

    fn fold(self, word: FoldWord, binder: &Binder, body: &[Expr]) -> String {
        let (name, sign) = (word.word(), word.sign());
        let body =
            if body.is_empty() { String::new() } else { format!("{sign} {}", self.exprs(body)) };
        format!("{name}({}{body})", self.binder(binder))
    }

    fn match_value(self, subject: &Expr, arms: &[Arm<Expr>]) -> String {
        let arms: Vec<String> = arms
            .iter()
            .map(|arm| {
                format!("{}: {}", self.patterns(&arm.patterns, subject), self.expr(&arm.body))
            })
            .collect();
        format!("match {} {{ {} }}", self.expr(subject), arms.join("; "))
    }

    /// The patterns of a case.
    pub(super) fn patterns(self, patterns: &[Pattern], subject: &Expr) -> String {
        if patterns.is_empty() {
            return "else".to_owned();
        }
        let value = |number: i64| value_text(self.rules, &Value::Int(number), &subject.ty);
        let patterns: Vec<String> = patterns
            .iter()
            .map(|pattern| match pattern {
                Pattern::Value(value) => value_text(self.rules, value, &subject.ty),
                Pattern::Range(low, high) => format!("{}..{}", value(*low), value(*high)),
            })
            .collect();
        patterns.join(", ")
    }

    fn text(self, parts: &[TextPart]) -> String {
        let parts = parts.iter().map(|part| match part {
            TextPart::Words(words) => words.clone(),
            TextPart::Hole(hole) => format!("{{{}}}", self.expr(hole)),
        });
        format!("\"{}\"", parts.collect::<String>())
    }
}
