//! The value of each form of expression.

use std::cmp::Ordering;

use crate::bytecode::arith::{ceil_divide, floor_divide, modulo};
use crate::bytecode::program::NONE;
use crate::eval::{Env, Evaluated, Evaluator, MOST_CALLS, MOST_MEMBERS, NoValue, held};
use crate::rules::safety::is_safe;
use crate::rules::{
    Ambient, Arith, Array, BinaryOp, ConstantId, Domain, Expr, ExprKind, KindId, LocalId,
    PrintManner, RangeId, RuleId, StmtKind, TextPart, Type, UnaryOp, Value, VarId, ascending,
    value_words,
};
use crate::source::Span;

impl Evaluator<'_> {
    /// Returns the value of an expression.
    pub(crate) fn value(&mut self, expr: &Expr) -> Evaluated {
        let found = self.eval_inner(expr)?;
        // A set takes as much as it has members.
        self.left.set(self.left.get().saturating_sub(1 + found.item_count()));
        Ok(found)
    }

    fn eval_inner(&mut self, expr: &Expr) -> Evaluated {
        match &expr.kind {
            ExprKind::Value(value) => Ok(value.clone()),
            ExprKind::Local(local) => self.lookup_local(*local),
            ExprKind::Option(option) => {
                let value = self.setting.and_then(|setting| setting.options.get(option.index()));
                value.cloned().ok_or(NoValue::Unknown)
            }
            ExprKind::Constant(constant) => self.eval_constant(*constant),
            ExprKind::Ambient(ambient) => self.ambient(*ambient),
            ExprKind::Whole(domain) => self.domain_members(*domain, expr.span).map(Value::Set),
            ExprKind::Element(array, indices) => self.eval_element(*array, indices),
            ExprKind::Column(kind, column, of) => self.eval_column(*kind, *column, of),
            ExprKind::Call(rule, args) => self.eval_call(expr, *rule, args),
            ExprKind::Unary(op, of) => self.eval_unary(*op, of, expr),
            ExprKind::Binary(op, a, b) => self.eval_binary(*op, a, b, expr.span),
            ExprKind::SetOf(members) => {
                let set = self.union_sets(members)?;
                self.in_range(set, expr)
            }
            ExprKind::ListOf(items) => self.build_list(items, expr),
            ExprKind::Interval(low, high) => {
                let (low, high) = (self.eval_int(low)?, self.eval_int(high)?);
                // Computing a long one here would take longer than the machine.
                match high.checked_sub(low).map(usize::try_from) {
                    None => Err(NoValue::Unknown),
                    Some(Ok(more)) if more >= MOST_MEMBERS => Err(NoValue::Unknown),
                    Some(_) => self.in_range((low..=high).collect(), expr),
                }
            }
            ExprKind::Filter(binder) => self.gather_set(binder, |_, member| Ok(member)),
            ExprKind::Image(body, binder) => {
                let image = self.gather_set(binder, |evaluator, _| evaluator.value(body))?;
                match image {
                    Value::Set(members) => self.in_range(members, expr),
                    other => Ok(other),
                }
            }
            ExprKind::Fold { word, binder, body } => self.eval_fold(*word, binder, body, expr.span),
            ExprKind::If(condition, then, otherwise) => {
                let branch = if self.eval_int(condition)? != 0 { then } else { otherwise };
                self.value(branch)
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.value(subject)?;
                let arm = arms.iter().find(|arm| arm.takes(&subject)).ok_or(NoValue::Unknown)?;
                self.value(&arm.body)
            }
            ExprKind::Text(parts) => self.eval_text(parts).map(Value::Text),
            ExprKind::Suppose(..) | ExprKind::End(_) | ExprKind::Distinct(_) => {
                self.run_on_machine(expr)
            }
            ExprKind::From(..)
            | ExprKind::Walk(_)
            | ExprKind::Backwards(_)
            | ExprKind::Subsets(..)
            | ExprKind::Lists(_)
            | ExprKind::Random(_)
            | ExprKind::Roll(_)
            | ExprKind::Pick(_) => Err(NoValue::Unknown),
        }
    }

    /// Returns a value in words; unknown where the players have no names yet.
    pub(crate) fn eval_words(
        &mut self,
        expr: &Expr,
        manner: PrintManner,
    ) -> Result<String, NoValue> {
        let names = self.env.seat_names().ok_or(NoValue::Unknown)?;
        if let Some((low, high)) = self.eval_span(expr)? {
            return Ok(format!("{low}..{high}"));
        }
        let value = self.value(expr)?;
        Ok(value_words(self.rules, names, (&expr.ty, &value), manner))
    }

    fn eval_text(&mut self, parts: &[TextPart]) -> Result<String, NoValue> {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Words(words) => text.push_str(words),
                TextPart::Hole(hole) => text.push_str(&self.eval_words(hole, PrintManner::Said)?),
            }
        }
        Ok(text)
    }

    fn eval_var(&mut self, var: VarId, indices: &[Expr]) -> Evaluated {
        let indices = self.ints(indices)?;
        self.env.var_value(var, &indices).ok_or(NoValue::Unknown)
    }

    /// The value of a constant, which is computed once.
    fn eval_constant(&mut self, constant: ConstantId) -> Evaluated {
        let known = self.constants.borrow().get(&constant).cloned();
        if let Some(value) = known {
            return Ok(value);
        }
        let value = self.value(&self.rules.constants[constant.index()].value)?;
        self.constants.borrow_mut().insert(constant, value.clone());
        Ok(value)
    }

    pub(super) fn eval_int(&mut self, expr: &Expr) -> Result<i64, NoValue> {
        match self.value(expr)? {
            Value::Int(number) => Ok(number),
            _ => Err(NoValue::Fault(expr.span, "this is none".to_owned())),
        }
    }

    pub(super) fn ints(&mut self, exprs: &[Expr]) -> Result<Vec<i64>, NoValue> {
        exprs.iter().map(|expr| self.eval_int(expr)).collect()
    }

    /// The members of a set, or of a list without its order.
    pub(super) fn eval_set(&mut self, expr: &Expr) -> Result<Vec<i64>, NoValue> {
        match self.value(expr)? {
            Value::List(elements) => Ok(ascending(elements)),
            value => value.into_set().ok_or(NoValue::Unknown),
        }
    }

    pub(super) fn eval_list(&mut self, expr: &Expr) -> Result<Vec<i64>, NoValue> {
        match self.value(expr)? {
            Value::List(elements) => Ok(elements),
            _ => Err(NoValue::Unknown),
        }
    }

    fn build_list(&mut self, items: &[Expr], expr: &Expr) -> Evaluated {
        let mut elements = Vec::new();
        for item in items {
            if let Value::Int(element) = self.value(item)? {
                elements.push(element);
            }
        }
        if let Some(domain @ Domain::Range(_)) = held(&expr.ty) {
            self.check_in_domain(&elements, domain, expr.span)?;
        }
        Ok(Value::List(elements))
    }

    fn lookup_local(&self, local: LocalId) -> Evaluated {
        let bound = self.bound.iter().rev().find(|(bound, _)| *bound == local);
        match bound {
            Some((_, value)) => Ok(value.clone()),
            None => self.outside(|env| env.local(local)),
        }
    }

    /// Reads from the environment; inside a call its locals are out of scope.
    fn outside(&self, read: impl FnOnce(&dyn Env) -> Option<Value>) -> Evaluated {
        let value = if self.calls.is_empty() { read(self.env) } else { None };
        value.ok_or(NoValue::Unknown)
    }

    /// A rule that is one expression is evaluated here, any other one on the machine.
    fn eval_call(&mut self, expr: &Expr, rule: RuleId, args: &[Expr]) -> Evaluated {
        if !self.env.can_call() {
            return Err(NoValue::Unknown);
        }
        let called = &self.rules.rules[rule.index()];
        if args.iter().any(|arg| matches!(arg.ty, Type::Pile(_))) {
            return self.run_on_machine(expr);
        }
        let mut locals = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let value = self.value(arg)?;
            self.check_in_range(called.locals[at].range, &value, arg.span)?;
            locals.push((LocalId::at(at), value));
        }
        let [only] = called.body.as_slice() else {
            return self.call_on_machine(rule, &locals, expr);
        };
        match &only.kind {
            StmtKind::Return(Some(value)) if self.calls.len() < MOST_CALLS => {
                let bound = std::mem::replace(&mut self.bound, locals);
                self.calls.push(rule);
                let value = self.value(value);
                self.calls.pop();
                self.bound = bound;
                value
            }
            _ => self.call_on_machine(rule, &locals, expr),
        }
    }

    fn call_on_machine(&self, rule: RuleId, locals: &[(LocalId, Value)], expr: &Expr) -> Evaluated {
        let param = |at: usize| {
            let local = &self.rules.rules[rule.index()].locals[at];
            Expr { kind: ExprKind::Local(LocalId::at(at)), ty: local.ty.clone(), span: expr.span }
        };
        let args = (0..locals.len()).map(param).collect();
        let span = self.rules.rules[rule.index()].span;
        let call = Expr { kind: ExprKind::Call(rule, args), ty: expr.ty.clone(), span };
        self.env.run_expression(&call, Some(rule), locals)
    }

    fn run_on_machine(&self, expr: &Expr) -> Evaluated {
        self.env.run_expression(expr, self.calls.last().copied(), &self.bound)
    }

    fn check_in_range(
        &self,
        range: Option<RangeId>,
        value: &Value,
        span: Span,
    ) -> Result<(), NoValue> {
        let range = range.and_then(|range| self.ranges.get(range.index()));
        let (Some((low, high)), Value::Int(number)) = (range, value) else { return Ok(()) };
        if number < low || high.is_some_and(|high| *number > high) {
            return Err(NoValue::Fault(span, format!("{number} is out of range")));
        }
        Ok(())
    }

    /// A set of numbers has only numbers of its range.
    fn in_range(&self, members: Vec<i64>, expr: &Expr) -> Evaluated {
        if let Type::Set(domain @ Domain::Range(_)) = expr.ty {
            self.check_in_domain(&members, domain, expr.span)?;
        }
        Ok(Value::Set(members))
    }

    fn check_in_domain(&self, numbers: &[i64], domain: Domain, span: Span) -> Result<(), NoValue> {
        let Some((low, size)) = self.domain(domain) else { return Ok(()) };
        let high = last_of(low, size);
        match numbers.iter().find(|number| !(low..=high).contains(number)) {
            Some(outside) => {
                Err(NoValue::Fault(span, format!("{outside} is outside {low}..{high}")))
            }
            None => Ok(()),
        }
    }

    /// The members of a finite type: positions of a kind, or numbers.
    fn domain_members(&self, domain: Domain, span: Span) -> Result<Vec<i64>, NoValue> {
        if let Domain::Kind(kind) = domain
            && let Some(part) = &self.rules.kinds[kind.index()].within
            && !part.members.is_empty()
        {
            let position = |at: &usize| i64::try_from(*at).expect("kinds have few members");
            return Ok(part.members.iter().map(position).collect());
        }
        match self.domain(domain) {
            // While the rules are checked, a kind may still get its members, and no range is known.
            None | Some((_, 0)) if self.setting.is_none() => Err(NoValue::Unknown),
            None => Err(NoValue::Fault(span, "the range is too long".to_owned())),
            Some((low, size)) => Ok((low..).take(size).collect()),
        }
    }

    fn eval_column(&mut self, kind: KindId, column: usize, of: &Expr) -> Evaluated {
        match self.value(of)? {
            Value::Int(member) => {
                let cells = &self.rules.kinds[kind.index()].columns[column].cells;
                let cell = usize::try_from(member).ok().and_then(|member| cells.get(member));
                cell.cloned().ok_or(NoValue::Unknown)
            }
            _ => Ok(Value::None),
        }
    }

    fn eval_cell(&mut self, dims: &[Domain], cells: &[Value], indices: &[Expr]) -> Evaluated {
        let mut place = 0;
        for (domain, index) in dims.iter().zip(indices) {
            let number = match self.value(index)? {
                Value::None if matches!(index.ty, Type::Maybe(_)) => return Ok(Value::None),
                Value::Int(number) => number,
                _ => return Err(NoValue::Fault(index.span, "this is none".to_owned())),
            };
            let (low, size) = self.domain(*domain).ok_or(NoValue::Unknown)?;
            let position =
                number.checked_sub(low).and_then(|position| usize::try_from(position).ok());
            let position = position.filter(|position| *position < size).ok_or_else(|| {
                let high = last_of(low, size);
                NoValue::Fault(index.span, format!("{number} is outside {low}..{high}"))
            })?;
            place = place * size + position;
        }
        cells.get(place).cloned().ok_or(NoValue::Unknown)
    }

    fn ambient(&self, ambient: Ambient) -> Evaluated {
        let known = match ambient {
            Ambient::Players => return self.players().map(Value::Int),
            Ambient::LastPlayer => return Ok(Value::Int(self.players()? - 1)),
            Ambient::Turn => self.env.turn_player(),
            Ambient::Past(history) => self.env.count_past(history),
            Ambient::Moves => self.env.legal_count(),
        };
        known.map(Value::Int).ok_or(NoValue::Unknown)
    }

    fn players(&self) -> Result<i64, NoValue> {
        let setting = self.setting.ok_or(NoValue::Unknown)?;
        Ok(i64::try_from(setting.players).expect("few people play"))
    }

    fn eval_element(&mut self, array: Array, indices: &[Expr]) -> Evaluated {
        match array {
            Array::Local(local) => {
                let indices = self.ints(indices)?;
                self.outside(|env| env.element_value(local, &indices))
            }
            Array::Var(var) => self.eval_var(var, indices),
            Array::Table(table) => {
                let table = &self.rules.tables[table.index()];
                self.eval_cell(&table.dims, &table.cells, indices)
            }
            Array::Pile(_) => Err(NoValue::Unknown),
        }
    }

    fn eval_unary(&mut self, op: UnaryOp, of: &Expr, expr: &Expr) -> Evaluated {
        match op {
            UnaryOp::PileCards => {
                return match &of.kind {
                    ExprKind::Element(Array::Pile(var), indices) => self.eval_var(*var, indices),
                    _ => self.run_on_machine(expr),
                };
            }
            UnaryOp::ToList => return self.value(of),
            UnaryOp::Length => return Ok(count_value(self.eval_list(of)?.len())),
            UnaryOp::FirstElement | UnaryOp::LastElement => {
                let list = self.eval_list(of)?;
                let end = if op == UnaryOp::FirstElement { list.first() } else { list.last() };
                return Ok(end.map_or(Value::None, |element| Value::Int(*element)));
            }
            UnaryOp::ToSet => {
                let set = self.union_sets(std::slice::from_ref(of))?;
                return self.in_range(set, expr);
            }
            _ => {}
        }
        let number = self.eval_int(of)?;
        Ok(match op {
            UnaryOp::Not => boolean(number == 0),
            UnaryOp::Next => Value::Int((number + 1) % self.players()?),
            UnaryOp::Previous => {
                let players = self.players()?;
                Value::Int((number + players - 1) % players)
            }
            UnaryOp::Seat => Value::Int(number + 1),
            UnaryOp::Others => {
                Value::Set((0..self.players()?).filter(|seat| *seat != number).collect())
            }
            UnaryOp::Amount if number < 0 => {
                return Err(NoValue::Fault(of.span, format!("{number} is no amount")));
            }
            UnaryOp::Amount => Value::Int(number),
            UnaryOp::Abs => Value::Int(number.checked_abs().ok_or_else(|| too_large(of.span))?),
            _ => Value::Int(number.checked_neg().ok_or_else(|| too_large(expr.span))?),
        })
    }

    fn eval_binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Evaluated {
        match op {
            BinaryOp::Arith(op) => self.eval_arith(op, a, b, span),
            BinaryOp::And => self.both(a, b, 0),
            BinaryOp::Or => self.both(a, b, 1),
            BinaryOp::Equal => Ok(boolean(self.value(a)? == self.value(b)?)),
            BinaryOp::Less => self.eval_compare(a, b, Ordering::is_lt),
            BinaryOp::LessEqual => self.eval_compare(a, b, Ordering::is_le),
            BinaryOp::In => self.eval_contains(a, b),
            BinaryOp::Nth => self.eval_nth(a, b),
            BinaryOp::Within => {
                let (a, b) = (self.eval_set(a)?, self.eval_set(b)?);
                Ok(boolean(a.iter().all(|member| b.contains(member))))
            }
            BinaryOp::Set(op) => {
                Ok(Value::Set(op.combine_members(&self.eval_set(a)?, &self.eval_set(b)?)))
            }
        }
    }

    fn eval_arith(&mut self, op: Arith, a: &Expr, b: &Expr, span: Span) -> Evaluated {
        let (a, b) = (self.eval_int(a)?, self.eval_int(b)?);
        if op.divides() && b == 0 {
            return Err(NoValue::Fault(span, "division by 0".to_owned()));
        }
        checked_arith(op, a, b).map(Value::Int).ok_or_else(|| too_large(span))
    }

    /// `and` (decided by 0) and `or` (decided by 1): one side may decide alone, the second only if the first, which
    /// comes before it, cannot trap.
    fn both(&mut self, first: &Expr, second: &Expr, decided: i64) -> Evaluated {
        match self.eval_int(first) {
            Ok(a) if a == decided => return Ok(Value::Int(decided)),
            Err(NoValue::Unknown) if is_safe(first) && self.eval_int(second) == Ok(decided) => {
                return Ok(Value::Int(decided));
            }
            a => a?,
        };
        self.eval_int(second).map(Value::Int)
    }

    fn eval_compare(&mut self, a: &Expr, b: &Expr, holds: fn(Ordering) -> bool) -> Evaluated {
        let (a, b) = (self.value(a)?, self.value(b)?);
        Ok(boolean(match (a, b) {
            (Value::Int(a), Value::Int(b)) => holds(a.cmp(&b)),
            (Value::List(a), Value::List(b)) => holds(a.cmp(&b)),
            _ => false,
        }))
    }

    fn eval_contains(&mut self, member: &Expr, set: &Expr) -> Evaluated {
        if let Some((low, high)) = self.eval_span(set)? {
            let member = self.value(member)?;
            let is_in = matches!(member, Value::Int(number) if (low..=high).contains(&number));
            return Ok(boolean(is_in));
        }
        let set = self.value(set)?;
        // Nothing is in no set, if it can be computed.
        if (set == Value::Set(Vec::new()) || set == Value::None) && is_safe(member) {
            return Ok(boolean(false));
        }
        let member = self.value(member)?;
        Ok(boolean(match (member, set) {
            (Value::Int(member), Value::Set(set) | Value::List(set)) => set.contains(&member),
            (Value::Int(member), Value::Int(only)) => member == only,
            _ => false,
        }))
    }

    fn eval_nth(&mut self, list: &Expr, index: &Expr) -> Evaluated {
        let (elements, number) = (self.eval_list(list)?, self.eval_int(index)?);
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        at.and_then(|at| elements.get(at)).map(|element| Value::Int(*element)).ok_or_else(|| {
            let reason = format!("there is no element {number} in a list of {}", elements.len());
            NoValue::Fault(index.span, reason)
        })
    }

    fn union_sets(&mut self, members: &[Expr]) -> Result<Vec<i64>, NoValue> {
        let mut set = Vec::new();
        for member in members {
            set.extend(self.eval_set(member)?);
        }
        Ok(ascending(set))
    }
}

pub(super) fn boolean(holds: bool) -> Value {
    Value::Int(i64::from(holds))
}

pub(super) fn count_value(number: usize) -> Value {
    Value::Int(i64::try_from(number).expect("nothing has 2^63 members"))
}

/// The last of so many numbers from the first on.
fn last_of(low: i64, size: usize) -> i64 {
    low + (i64::try_from(size).expect("a finite type has few members") - 1)
}

/// Returns the result; nothing if it does not fit, or of a division by 0. No result is the word of
/// `none`.
fn checked_arith(op: Arith, a: i64, b: i64) -> Option<i64> {
    let result = match op {
        Arith::CeilDivide => ceil_divide(a, b),
        Arith::FloorDivide => floor_divide(a, b),
        Arith::Modulo => modulo(a, b),
        Arith::Add => a.checked_add(b),
        Arith::Subtract => a.checked_sub(b),
        Arith::Multiply => a.checked_mul(b),
        Arith::Min => Some(a.min(b)),
        Arith::Max => Some(a.max(b)),
    };
    result.filter(|result| *result != NONE)
}

pub(super) fn too_large(span: Span) -> NoValue {
    NoValue::Fault(span, "the result is too large, or there is nothing to compare".to_owned())
}
