//! Values that the checker knows before there is a setting: of numbers and sets that are written out.

use crate::check::context::Checker;
use crate::check::members::MOST_MEMBERS;
use crate::rules::{
    Array, BinaryOp, Domain, Expr, ExprKind, TableId, UnaryOp, Value, ascending, flat_index,
};

impl Checker<'_> {
    /// A number that depends on nothing.
    pub(crate) fn known_number(&self, number: &Expr) -> Option<i64> {
        self.fold_constant(number, &[]).and_then(|value| value.as_number())
    }

    /// The members of a set that depends on nothing.
    pub(crate) fn known_set(&self, set: &Expr) -> Option<Vec<i64>> {
        self.fold_constant(set, &[]).and_then(Value::into_set)
    }

    /// The value of an expression whose first locals have these values; nothing if it needs more.
    pub(crate) fn fold_constant(&self, expr: &Expr, bound: &[Value]) -> Option<Value> {
        self.budget.charge(1);
        let of = |expr: &Expr| self.fold_constant(expr, bound);
        let int = |expr: &Expr| of(expr).and_then(|value| value.as_number());
        let set = |expr: &Expr| of(expr).and_then(Value::into_set);
        let truth = |holds: bool| Some(Value::Int(holds.into()));
        match &expr.kind {
            ExprKind::Value(value) => Some(value.clone()),
            ExprKind::Local(local) => bound.get(local.index()).cloned(),
            ExprKind::Constant(constant) => {
                self.fold_constant(&self.rules.constants[constant.index()].value, &[])
            }
            ExprKind::Whole(Domain::Kind(kind)) => {
                Some(Value::Set((0..).take(self.rules.kind_at(*kind).members.len()).collect()))
            }
            ExprKind::Column(kind, column, member) => match of(member)? {
                Value::Int(at) => {
                    let cells = &self.rules.kind_at(*kind).columns[*column].cells;
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
                Some(Value::Set(ascending(sets?.concat())))
            }
            ExprKind::Interval(low, high) => self.numbers_from(int(low)?, int(high)?),
            ExprKind::Unary(UnaryOp::ToSet, member) => set(member).map(Value::Set),
            ExprKind::Unary(UnaryOp::Not, holds) => truth(int(holds)? == 0),
            ExprKind::Unary(UnaryOp::Negate, number) => int(number)?.checked_neg().map(Value::Int),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::And => truth(int(a)? != 0 && int(b)? != 0),
                BinaryOp::Or => truth(int(a)? != 0 || int(b)? != 0),
                BinaryOp::Equal => truth(of(a)? == of(b)?),
                BinaryOp::Less | BinaryOp::LessEqual => match (of(a)?, of(b)?) {
                    (Value::Int(a), Value::Int(b)) if *op == BinaryOp::Less => truth(a < b),
                    (Value::Int(a), Value::Int(b)) => truth(a <= b),
                    _ => truth(false),
                },
                BinaryOp::In => {
                    let (member, members) = (set(a)?, set(b)?);
                    truth(member.iter().any(|member| members.contains(member)))
                }
                BinaryOp::Arith(op) => op.fold_literals(int(a)?, int(b)?).map(Value::Int),
                BinaryOp::Set(op) => Some(Value::Set(op.combine_members(&set(a)?, &set(b)?))),
                BinaryOp::Nth | BinaryOp::Within => None,
            },
            ExprKind::If(condition, then, otherwise) => {
                of(if int(condition)? != 0 { then } else { otherwise })
            }
            ExprKind::Match(subject, arms) => {
                let subject = of(subject)?;
                of(&arms.iter().find(|arm| arm.takes(&subject))?.body)
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
        let dims: Option<Vec<(i64, usize)>> = (table.dims.iter())
            .map(|dim| match dim {
                Domain::Kind(kind) => Some((0, self.rules.kind_at(*kind).members.len())),
                Domain::Range(_) => None,
            })
            .collect();
        table.cells.get(flat_index(dims?, members)?).cloned()
    }
}
