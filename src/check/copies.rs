//! How many cards there are of each face: listed, in a column, or computed from the face.

use std::collections::BTreeMap;

use crate::check::adjacency::int;
use crate::check::cards::MOST_CARDS;
use crate::check::context::Checker;
use crate::check::error::CardError;
use crate::check::kinds::MOST_MEMBERS;
use crate::check::rules::{
    Arm, Array, BinaryOp, Column, Domain, Expr, ExprKind, KindId, Local, Pattern, TableId, Type,
    UnaryOp, Value,
};
use crate::check::scope::list;
use crate::check::symbols::Symbol;
use crate::source::Span;
use crate::syntax::{ast, in_snake_case, print_expression, tokenize};

/// What a number of copies may read.
const BY_FACE: &str = "use the face, its columns and numbers: `if face.cost > 3 then 1 else 2`";

impl Checker<'_> {
    /// How many cards there are of each face.
    pub(super) fn copies(&mut self, face: KindId, copies: &ast::Copies) -> Vec<usize> {
        let mut counts = vec![1; self.kind(face).members.len()];
        match copies {
            ast::Copies::One => {}
            ast::Copies::Computed(ast::Expr { kind: ast::ExprKind::Name(name), .. }) => {
                counts = self.copies_in_column(face, name);
            }
            ast::Copies::Computed(number) => counts = self.computed_copies(face, number),
            ast::Copies::Listed(listed) => {
                let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
                for (name, count) in listed {
                    if let Some(earlier) = seen.insert(&name.text, name.span) {
                        self.duplicate(name, earlier);
                    }
                    match self.member_of(face, &name.text) {
                        Some(at) => {
                            self.note(name.span, Symbol::Member(face, at));
                            counts[at] = usize::try_from(*count).unwrap_or(MOST_CARDS + 1);
                        }
                        None => self.no_member(face, name),
                    }
                }
            }
        }
        counts
    }

    fn copies_in_column(&mut self, face: KindId, name: &ast::Name) -> Vec<usize> {
        let at = self.kind(face).columns.iter().position(|column| column.name == name.text);
        at.into_iter().for_each(|at| self.note(name.span, Symbol::Column(face, at)));
        let kind = self.kind(face);
        let counts: Option<Vec<usize>> = at.and_then(|at| {
            let column = &kind.columns[at];
            let count = |cell: &Value| match cell {
                Value::Int(count) if column.ty == Type::Number => usize::try_from(*count).ok(),
                _ => None,
            };
            column.cells.iter().map(count).collect()
        });
        if let Some(counts) = counts {
            return counts;
        }
        let numbers = kind.named_columns().filter(|column| column.ty == Type::Number);
        let names: Vec<&str> = numbers.map(|column| column.name.as_str()).collect();
        let help = if names.is_empty() {
            format!("give `{}` a column of numbers: how often there is each face", kind.name)
        } else {
            format!("its columns of numbers are {}", list(&names))
        };
        let problem =
            format!("`{}` is no column of `{}` with a number of copies", name.text, kind.name);
        let ones = vec![1; kind.members.len()];
        self.report(CardError::Copies { problem, help, span: name.span });
        ones
    }

    /// A number for each face, from the face and its columns alone: how many cards there are is the
    /// same in every setting, and known before all other names have values.
    fn computed_copies(&mut self, face: KindId, number: &ast::Expr) -> Vec<usize> {
        let kind = self.kind(face);
        let faces = kind.members.len();
        let local = |name: String, ty: Type, span| {
            let (dims, range, mutable) = (Vec::new(), None, false);
            Local { name, ty, dims, range, mutable, span }
        };
        let name = in_snake_case(&kind.name);
        let mut locals = vec![local(name.clone(), Type::Kind(face), kind.span)];
        let columns: Vec<&Column> = kind.named_columns().filter(|it| it.name != name).collect();
        locals.extend(columns.iter().map(|it| local(it.name.clone(), it.ty.clone(), it.span)));
        let cells: Vec<Vec<Value>> = columns.iter().map(|column| column.cells.clone()).collect();
        if let Some(name) = self.outside_of_face(number, &locals) {
            let problem = format!("`{name}` is no part of `{}`", self.kind(face).name);
            let help = BY_FACE.to_owned();
            self.report(CardError::Copies { problem, help, span: number.span });
            return vec![1; faces];
        }
        let before = self.diagnostics.count();
        let (number, _) = self.constant_with(number, Some(&Type::Number), locals);
        self.note_columns(face);
        let mut counts = vec![1; faces];
        if self.diagnostics.count() > before {
            return counts;
        }
        for (at, count) in counts.iter_mut().enumerate() {
            self.budget.charge(8);
            let cells = cells.iter().map(|cells| cells.get(at).cloned().unwrap_or(Value::None));
            let bound: Vec<Value> = std::iter::once(Value::Int(int(at))).chain(cells).collect();
            match self.of_face(&number, &bound) {
                Some(Value::Int(known @ 0..)) => {
                    *count = usize::try_from(known).unwrap_or(MOST_CARDS + 1);
                }
                found => {
                    let face = &self.kind(face).members[at].name;
                    let (problem, help) = match found {
                        Some(_) => (
                            format!("there are fewer than 0 copies of `{face}`"),
                            "a number of copies is 0 or more",
                        ),
                        None => (
                            format!(
                                "how many copies of `{face}` there are does not follow from the face"
                            ),
                            BY_FACE,
                        ),
                    };
                    let help = help.to_owned();
                    self.report(CardError::Copies { problem, help, span: number.span });
                    return counts;
                }
            }
        }
        counts
    }

    /// A name that means something of the game which is not known this early.
    fn outside_of_face(&self, number: &ast::Expr, locals: &[Local]) -> Option<String> {
        let text = print_expression(number);
        let tokens = tokenize(&text).all;
        let mut before = "";
        tokens.iter().find_map(|token| {
            let is_field = before == ".";
            before = token.text;
            let known = self.names.globals.contains_key(token.text)
                || self.names.rules.contains_key(token.text);
            let is_local = locals.iter().any(|local| local.name == token.text);
            (known && !is_local && !is_field).then(|| token.text.to_owned())
        })
    }

    /// The names in a number of copies mean the kind of the face and its columns.
    fn note_columns(&mut self, face: KindId) {
        let kind = &self.rules.kinds[face.index()];
        let Some(recorder) = &mut self.recorder else { return };
        for it in &mut recorder.uses {
            let Symbol::Local(span) = it.means else { continue };
            if span == kind.span {
                it.means = Symbol::Kind(face);
            } else if let Some(at) = kind.columns.iter().position(|it| it.span == span) {
                it.means = Symbol::Column(face, at);
            }
        }
    }

    /// The value of an expression for one face; nothing if it does not follow from the face.
    fn of_face(&self, expr: &Expr, bound: &[Value]) -> Option<Value> {
        self.budget.charge(1);
        let of = |expr: &Expr| self.of_face(expr, bound);
        let int = |expr: &Expr| match of(expr)? {
            Value::Int(number) => Some(number),
            _ => None,
        };
        let set = |expr: &Expr| match of(expr)? {
            Value::Set(members) => Some(members),
            Value::Int(member) => Some(vec![member]),
            Value::None => Some(Vec::new()),
            Value::List(_) | Value::Text(_) => None,
        };
        let truth = |holds: bool| Some(Value::Int(holds.into()));
        match &expr.kind {
            ExprKind::Value(value) => Some(value.clone()),
            ExprKind::Local(local) => bound.get(local.index()).cloned(),
            ExprKind::Whole(Domain::Kind(_)) => self.known_set(expr).map(Value::Set),
            ExprKind::Column(kind, column, member) => match of(member)? {
                Value::Int(at) => {
                    let cells = &self.kind(*kind).columns[*column].cells;
                    cells.get(usize::try_from(at).ok()?).cloned()
                }
                _ => Some(Value::None),
            },
            ExprKind::Element(Array::Table(table), parts) => {
                let parts: Option<Vec<i64>> = parts.iter().map(int).collect();
                self.cell_of_members(*table, &parts?)
            }
            ExprKind::SetOf(members) => {
                let sets: Option<Vec<Vec<i64>>> = members.iter().map(set).collect();
                Some(Value::Set(sets?.concat()))
            }
            ExprKind::Interval(low, high) => self.numbers_from(int(low)?, int(high)?),
            ExprKind::Unary(UnaryOp::ToSet, member) => set(member).map(Value::Set),
            ExprKind::Unary(UnaryOp::Not, holds) => truth(int(holds)? == 0),
            ExprKind::Unary(UnaryOp::Negate, number) => int(number)?.checked_neg().map(Value::Int),
            ExprKind::Binary(BinaryOp::And, a, b) => truth(int(a)? != 0 && int(b)? != 0),
            ExprKind::Binary(BinaryOp::Or, a, b) => truth(int(a)? != 0 || int(b)? != 0),
            ExprKind::Binary(BinaryOp::Equal, a, b) => truth(of(a)? == of(b)?),
            ExprKind::Binary(op @ (BinaryOp::Less | BinaryOp::LessEqual), a, b) => {
                let (Value::Int(a), Value::Int(b)) = (of(a)?, of(b)?) else { return truth(false) };
                truth(if *op == BinaryOp::Less { a < b } else { a <= b })
            }
            ExprKind::Binary(BinaryOp::In, member, of) => {
                let (member, members) = (set(member)?, set(of)?);
                truth(member.iter().any(|member| members.contains(member)))
            }
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => {
                op.written(int(a)?, int(b)?).map(Value::Int)
            }
            ExprKind::If(condition, then, otherwise) => {
                of(if int(condition)? != 0 { then } else { otherwise })
            }
            ExprKind::Match(subject, arms) => {
                let subject = of(subject)?;
                of(&arms.iter().find(|arm| takes(arm, &subject))?.body)
            }
            _ => None,
        }
    }

    /// The numbers of a range that is as short as those of sets are.
    fn numbers_from(&self, low: i64, high: i64) -> Option<Value> {
        let count = usize::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(0);
        self.budget.charge(count.min(MOST_MEMBERS));
        (count <= MOST_MEMBERS).then(|| Value::Set((low..=high).collect()))
    }

    /// A cell of a table over kinds.
    fn cell_of_members(&self, table: TableId, members: &[i64]) -> Option<Value> {
        let table = &self.rules.tables[table.index()];
        let mut place = 0;
        for (dim, member) in table.dims.iter().zip(members) {
            let Domain::Kind(kind) = dim else { return None };
            place = place * self.kind(*kind).members.len() + usize::try_from(*member).ok()?;
        }
        table.cells.get(place).cloned()
    }
}

fn takes(arm: &Arm<Expr>, subject: &Value) -> bool {
    let fits = |pattern: &Pattern| match (pattern, subject) {
        (Pattern::Value(value), subject) => value == subject,
        (Pattern::Range(low, high), Value::Int(number)) => (low..=high).contains(&number),
        (Pattern::Range(..), _) => false,
    };
    arm.patterns.is_empty() || arm.patterns.iter().any(fits)
}
