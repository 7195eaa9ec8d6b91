//! Prints checked rules as code again: what messages quote and editors show.

use crate::rules::words::{PrintManner, domain_code, range_code, type_code, value_words};
use crate::rules::{
    Ambient, Arith, Arm, Array, BinaryOp, Binder, Domain, Expr, ExprKind, Local, LocalId, Pattern,
    PileEnd, RangeId, Rule, Rules, SetOp, SubsetBound, Table, TextPart, Type, UnaryOp, Value,
    VarId,
};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Code, Owner};
use crate::syntax::print_expression;

/// Returns an expression as it is written in a file.
pub fn expression_text(rules: &Rules, locals: &[Local], expr: &Expr) -> String {
    print_expression(&ExprWriter { rules, locals }.expr(expr))
}

pub(crate) fn rule_head(rules: &Rules, rule: &Rule) -> String {
    let params: Vec<String> =
        written_params(rules, rule).iter().map(|param| typed_name(rules, param)).collect();
    let returns = match (rule.bag, &rule.returns) {
        (Some(kind), _) => format!(" -> {}", type_code(rules, &Type::Bag(kind))),
        (None, Type::Nothing | Type::Unknown) => String::new(),
        (None, ty) => format!(" -> {}", type_code(rules, ty)),
    };
    format!("{}({}){returns}", rule.name, params.join(", "))
}

/// The parameters of a rule as they are written.
pub(crate) fn written_params(rules: &Rules, rule: &Rule) -> Vec<Local> {
    let own = rule.params - usize::from(rule.bag.is_some());
    as_written(rules, &rule.locals[..own])
}

/// Parameters as they are written: a bag is one, not an amount of each good.
pub(crate) fn as_written(rules: &Rules, params: &[Local]) -> Vec<Local> {
    let (mut written, mut at) = (Vec::new(), 0);
    while let Some(param) = params.get(at) {
        at += param.bag.map_or(1, |kind| rules.kind_at(kind).own_members().len());
        written.push(match (param.bag, param.name.split_once('[')) {
            (Some(kind), Some((name, _))) => {
                Local { name: name.to_owned(), ty: Type::Bag(kind), ..param.clone() }
            }
            _ => param.clone(),
        });
    }
    written
}

/// Returns a local with its indices and its type: `n: number`.
pub fn typed_name(rules: &Rules, local: &Local) -> String {
    let dims = dims_text(rules, &local.dims);
    format!("{}{dims}: {}", local.name, ranged(rules, &local.ty, local.range))
}

/// A type, with the range of its numbers in place of `number`.
pub(crate) fn ranged(rules: &Rules, ty: &Type, range: Option<RangeId>) -> String {
    match (range, ty) {
        (Some(range), Type::Number) => range_code(rules, range),
        (Some(range), Type::Bag(_)) => match rules.ranges[range.index()].high.as_ref() {
            Some(high) => {
                format!("{} up to {}", type_code(rules, ty), expression_text(rules, &[], high))
            }
            None => type_code(rules, ty),
        },
        (Some(range), Type::Maybe(_)) => format!("maybe {}", range_code(rules, range)),
        _ => type_code(rules, ty),
    }
}

/// `[Harbour, 1..4]`, or nothing.
pub(crate) fn dims_text(rules: &Rules, dims: &[Domain]) -> String {
    let codes: Vec<String> = dims.iter().map(|dim| domain_code(rules, *dim)).collect();
    if codes.is_empty() { String::new() } else { format!("[{}]", codes.join(", ")) }
}

/// Turns the expressions of one body into trees as they are written.
#[derive(Clone, Copy)]
struct ExprWriter<'r> {
    rules: &'r Rules,
    locals: &'r [Local],
}

impl ExprWriter<'_> {
    fn subsets(self, set: &Expr, size: Option<&SubsetBound>) -> ast::Expr {
        let size = size.map(|SubsetBound { up_to, size }| ast::SubsetSize {
            up_to: *up_to,
            size: self.boxed(size),
        });
        bare_expr(Code::Subsets(self.boxed(set), size))
    }

    fn expr(self, expr: &Expr) -> ast::Expr {
        let rules = self.rules;
        match &expr.kind {
            ExprKind::Value(value) => self.write_value(value, &expr.ty),
            ExprKind::Local(local) => make_word(self.local_name(*local)),
            ExprKind::Option(id) => make_word(&rules.options[id.index()].name),
            ExprKind::Constant(id) => make_word(&rules.constants[id.index()].name),
            ExprKind::Whole(domain) => make_word(domain_code(rules, *domain)),
            ExprKind::Ambient(Ambient::Players) => make_word("players"),
            ExprKind::Ambient(Ambient::LastPlayer) => make_word("Player.last"),
            ExprKind::Ambient(Ambient::Turn) => make_word("turn"),
            ExprKind::Ambient(Ambient::Moves) => make_word("moves"),
            ExprKind::Ambient(Ambient::Past(id)) => {
                let history = make_word(&rules.histories[id.index()].name);
                bare_expr(Code::Field(Box::new(history), make_name("times")))
            }
            ExprKind::Element(array, of) => match array {
                Array::Local(local) => self.write_element(make_word(self.local_name(*local)), of),
                Array::Var(id) | Array::Pile(id) => self.write_var(*id, of),
                Array::Table(id) => self.write_cell(&rules.tables[id.index()], of),
            },
            ExprKind::Column(kind, at, of) => {
                self.write_column(of, &rules.kinds[kind.index()].columns[*at].name)
            }
            ExprKind::Call(id, args) => make_call(&rules.rules[id.index()].name, self.exprs(args)),
            ExprKind::Unary(op, of) => self.write_unary(*op, of),
            ExprKind::Binary(op, a, b) => self.write_binary(*op, a, b),
            ExprKind::Subsets(set, size) => self.subsets(set, size.as_ref()),
            ExprKind::ListOf(items) => bare_expr(Code::List(self.exprs(items))),
            ExprKind::Lists(next) => self.lists(next, &expr.ty),
            ExprKind::Walk(walk) => self.expr(&walk.set),
            ExprKind::Filter(binder) => bare_expr(Code::Filter(self.write_binder(binder))),
            ExprKind::Image(of, binder) => self.image(of, binder),
            ExprKind::Fold { word, binder, body } => self.write_fold(*word, binder, body),
            ExprKind::SetOf(items) => bare_expr(Code::Set(self.exprs(items))),
            ExprKind::If(condition, then, otherwise) => {
                bare_expr(Code::If(self.boxed(condition), self.boxed(then), self.boxed(otherwise)))
            }
            ExprKind::Match(subject, arms) => {
                let arms = arms.iter().map(|arm| self.arm(arm, &subject.ty)).collect();
                bare_expr(Code::Match(self.boxed(subject), arms))
            }
            ExprKind::Text(parts) => self.write_text(parts),
            ExprKind::Suppose(_, value) => {
                let block = ast::Block { stmts: Vec::new(), span: Span::default() };
                bare_expr(Code::Suppose(block, self.boxed(value)))
            }
            ExprKind::Random(set) => bare_expr(Code::Random(self.boxed(set))),
            ExprKind::Distinct(pile) => self.expr(pile),
            ExprKind::End(end) => self.write_end(end),
            ExprKind::Roll(die) => bare_expr(Code::Roll(self.boxed(die))),
            ExprKind::Pick(pick) => bare_expr(Code::Pick {
                chooser: self.boxed(&pick.chooser),
                prompt: None,
                name: make_name(&pick.name),
                set: self.boxed(&pick.set),
            }),
            ExprKind::Interval(a, b) => bare_expr(Code::Range(self.boxed(a), self.boxed(b))),
            ExprKind::From(a, b) => bare_expr(Code::From(self.boxed(a), self.boxed(b))),
            ExprKind::Backwards(set) => bare_expr(Code::Backwards(self.boxed(set))),
        }
    }

    /// `{E for a in S for b in T}`, which is an image in an image.
    fn image(self, of: &Expr, binder: &Binder) -> ast::Expr {
        let (mut value, mut binders) = (of, vec![self.write_binder(binder)]);
        while let ExprKind::Image(of, binder) = &value.kind {
            binders.push(self.write_binder(binder));
            value = of;
        }
        bare_expr(Code::Image(self.boxed(value), binders))
    }

    fn lists(self, next: &Expr, ty: &Type) -> ast::Expr {
        let Type::Lists(domain, most) = ty else { return self.expr(next) };
        let kind = ast::TypeKind::Kind(make_name(domain_code(self.rules, *domain)));
        bare_expr(Code::Lists(Box::new(ast::ListsOf {
            name: None,
            of: ast::TypeExpr { kind, span: Span::default() },
            most: bare_expr(Code::Number((*most).into())),
            next: self.expr(next),
        })))
    }

    fn write_fold(self, word: ast::FoldWord, binder: &Binder, body: &[Expr]) -> ast::Expr {
        let body = body.iter().map(|part| self.write_key(word, part)).collect();
        bare_expr(Code::Fold { word, binders: vec![self.write_binder(binder)], body })
    }

    /// A key of a fold: of `lowest(…)` those that are turned round are the highest.
    fn write_key(self, word: ast::FoldWord, key: &Expr) -> ast::Expr {
        match &key.kind {
            ExprKind::Unary(UnaryOp::Reverse, of) if word == ast::FoldWord::Lowest => {
                bare_expr(Code::Directed(self.boxed(of), ast::Direction::Highest))
            }
            _ => self.expr(key),
        }
    }

    fn write_unary(self, op: UnaryOp, of: &Expr) -> ast::Expr {
        let name = match op {
            UnaryOp::Reverse => {
                return bare_expr(Code::Directed(self.boxed(of), ast::Direction::Lowest));
            }
            UnaryOp::Negate => return bare_expr(Code::Unary(ast::UnaryOp::Negate, self.boxed(of))),
            UnaryOp::Not => return self.not(of),
            UnaryOp::PileCards | UnaryOp::ToList | UnaryOp::Amount => return self.expr(of),
            UnaryOp::FirstElement => {
                return bare_expr(Code::Field(self.boxed(of), make_name("first")));
            }
            UnaryOp::LastElement => {
                return bare_expr(Code::Field(self.boxed(of), make_name("last")));
            }
            UnaryOp::Length => "count",
            UnaryOp::ToSet if matches!(of.ty, Type::List(..)) => return self.expr(of),
            UnaryOp::ToSet => return bare_expr(Code::Set(vec![self.expr(of)])),
            UnaryOp::Seat => return bare_expr(Code::Field(self.boxed(of), make_name("seat"))),
            UnaryOp::Next => "next",
            UnaryOp::Previous => "previous",
            UnaryOp::Others => "others",
            UnaryOp::Abs => "abs",
        };
        make_call(name, vec![self.expr(of)])
    }

    fn write_binary(self, op: BinaryOp, a: &Expr, b: &Expr) -> ast::Expr {
        let divided = || self.operator(ast::BinaryOp::Divide, a, b);
        let both = || vec![self.expr(a), self.expr(b)];
        let op = match op {
            BinaryOp::And => ast::BinaryOp::And,
            BinaryOp::Or => ast::BinaryOp::Or,
            BinaryOp::Equal => ast::BinaryOp::Equal,
            BinaryOp::Less => ast::BinaryOp::Less,
            BinaryOp::LessEqual => ast::BinaryOp::LessEqual,
            BinaryOp::In => ast::BinaryOp::In,
            BinaryOp::Within => ast::BinaryOp::Within,
            BinaryOp::Nth => return bare_expr(Code::Index(self.boxed(a), vec![self.expr(b)])),
            BinaryOp::Set(SetOp::Union) => ast::BinaryOp::Union,
            BinaryOp::Set(SetOp::Minus) => ast::BinaryOp::Minus,
            BinaryOp::Set(SetOp::Common) => ast::BinaryOp::Common,
            BinaryOp::Arith(Arith::Add) => ast::BinaryOp::Add,
            BinaryOp::Arith(Arith::Subtract) => ast::BinaryOp::Subtract,
            BinaryOp::Arith(Arith::Multiply) => ast::BinaryOp::Multiply,
            BinaryOp::Arith(Arith::Modulo) => ast::BinaryOp::Modulo,
            BinaryOp::Arith(Arith::CeilDivide) => return make_call("ceil", vec![divided()]),
            BinaryOp::Arith(Arith::FloorDivide) => return make_call("floor", vec![divided()]),
            BinaryOp::Arith(Arith::Min) => return make_call("min", both()),
            BinaryOp::Arith(Arith::Max) => return make_call("max", both()),
        };
        self.operator(op, a, b)
    }

    fn boxed(self, expr: &Expr) -> Box<ast::Expr> {
        Box::new(self.expr(expr))
    }

    fn exprs(self, exprs: &[Expr]) -> Vec<ast::Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// The name of a local; outside of any body there is none.
    fn local_name(&self, local: LocalId) -> &str {
        self.locals.get(local.index()).map_or("it", |local| &local.name)
    }

    fn write_value(self, value: &Value, ty: &Type) -> ast::Expr {
        match value {
            Value::Int(number) if *number < 0 => bare_expr(Code::Number(*number)),
            value => make_word(value_words(self.rules, &[], (ty, value), PrintManner::Code)),
        }
    }

    fn operator(self, op: ast::BinaryOp, a: &Expr, b: &Expr) -> ast::Expr {
        bare_expr(Code::Binary(op, self.boxed(a), self.boxed(b)))
    }

    fn not(self, of: &Expr) -> ast::Expr {
        match &of.kind {
            ExprKind::Binary(BinaryOp::Equal, a, b) => self.operator(ast::BinaryOp::NotEqual, a, b),
            ExprKind::Binary(BinaryOp::In, a, b) => self.operator(ast::BinaryOp::NotIn, a, b),
            _ => bare_expr(Code::Unary(ast::UnaryOp::Not, self.boxed(of))),
        }
    }

    /// A column; one that the checker made is named like the call that reads it.
    fn write_column(self, of: &Expr, name: &str) -> ast::Expr {
        match name.split_once('(') {
            None => bare_expr(Code::Field(self.boxed(of), make_name(name))),
            Some((called, ")")) => make_call(called, vec![self.expr(of)]),
            Some((called, ways)) => {
                let ways = make_word(format!("{{{}}}", ways.trim_end_matches(')')));
                make_call(called, vec![self.expr(of), ways])
            }
        }
    }

    /// A cell of a table, likewise.
    fn write_cell(self, table: &Table, indices: &[Expr]) -> ast::Expr {
        match table.numbered_kind() {
            Some((kind, true)) => {
                let numbers = indices.iter().map(|index| self.expr(unclamped(index))).collect();
                return bare_expr(Code::Method(
                    Box::new(make_word(kind)),
                    make_name("at"),
                    numbers,
                ));
            }
            Some((kind, false)) => return self.write_element(make_word(kind), indices),
            None => {}
        }
        match (table.name.split_once('('), indices) {
            (Some((called, ")")), parts) => make_call(called, self.exprs(parts)),
            (Some((called, _)), [way, cell]) => {
                make_call(called, vec![self.expr(cell), self.expr(way)])
            }
            _ => self.write_element(make_word(&table.name), indices),
        }
    }

    fn write_element(self, whole: ast::Expr, indices: &[Expr]) -> ast::Expr {
        if indices.is_empty() {
            return whole;
        }
        bare_expr(Code::Index(Box::new(whole), self.exprs(indices)))
    }

    fn write_var(self, id: VarId, indices: &[Expr]) -> ast::Expr {
        let var = &self.rules.vars[id.index()];
        match (var.owner, indices.split_first()) {
            (Owner::Player, Some((owner, rest))) => {
                let field = Code::Field(self.boxed(owner), make_name(&var.name));
                self.write_element(bare_expr(field), rest)
            }
            _ => self.write_element(make_word(&var.name), indices),
        }
    }

    fn write_end(self, end: &PileEnd) -> ast::Expr {
        bare_expr(Code::End(Box::new(ast::PileEnd {
            bottom: end.bottom,
            count: end.count.as_ref().map(|count| self.expr(count)),
            pile: self.expr(&end.pile),
        })))
    }

    fn write_binder(self, binder: &Binder) -> ast::Binder {
        ast::Binder {
            name: make_name(self.local_name(binder.local)),
            set: self.boxed(&binder.set),
            condition: binder.condition.as_ref().map(|it| self.boxed(it)),
        }
    }

    fn arm(self, arm: &Arm<Expr>, ty: &Type) -> ast::Arm<ast::Expr> {
        let number = |number: i64| self.write_value(&Value::Int(number), ty);
        let pattern = |pattern: &Pattern| match pattern {
            Pattern::Value(value) => ast::Pattern::Value(self.write_value(value, ty)),
            Pattern::Range(low, high) => ast::Pattern::Range(number(*low), number(*high)),
        };
        let patterns = arm.patterns.iter().map(pattern).collect();
        ast::Arm { patterns, body: self.expr(&arm.body), span: arm.span }
    }

    fn write_text(self, parts: &[TextPart]) -> ast::Expr {
        let part = |part: &TextPart| match part {
            TextPart::Words(words) => ast::TextPart::Words(words.clone()),
            TextPart::Hole(hole) => ast::TextPart::Hole(self.expr(hole)),
        };
        let parts = parts.iter().map(part).collect();
        bare_expr(Code::Text(ast::Text { parts, span: Span::default() }))
    }
}

fn bare_expr(kind: Code) -> ast::Expr {
    ast::Expr { kind, span: Span::default() }
}

/// The number that `Field.at(…)` brings between two bounds.
pub(crate) fn unclamped(number: &Expr) -> &Expr {
    match &number.kind {
        ExprKind::Binary(_, inner, _) => match &inner.kind {
            ExprKind::Binary(_, number, _) => number,
            _ => number,
        },
        _ => number,
    }
}

fn make_name(text: impl Into<String>) -> ast::Name {
    ast::Name { text: text.into(), span: Span::default() }
}

fn make_word(text: impl Into<String>) -> ast::Expr {
    bare_expr(Code::Name(make_name(text)))
}

fn make_call(name: &str, args: Vec<ast::Expr>) -> ast::Expr {
    bare_expr(Code::Call(make_name(name), args))
}
