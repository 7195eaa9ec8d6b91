//! Evaluates expressions.

use std::collections::BTreeSet;

use stacker::maybe_grow;

use crate::rules::{
    Ambient, Arith, Array, BinaryOp, Block, Domain, Expr, ExprKind, PLAYER, Pattern, SetOp,
    TableId, TextPart, Type, UnaryOp, VarForm,
};

use crate::reference::Reference;
use crate::reference::knowledge::all_seats;
use crate::reference::state::to_amount;
use crate::reference::text::TextManner;
use crate::reference::values::{Datum, ElementKey, Halt, Run, TitledText, to_index, to_number};

/// Bytes of stack that the statements between two expressions need, and how many are added at once.
const LEAST_STACK: usize = 1 << 18;
const MORE_STACK: usize = 1 << 22;

/// After how many expressions somebody is asked whether to go on.
const ASKED_EACH: u64 = 1 << 12;

impl Reference<'_> {
    pub(super) fn eval(&mut self, expr: &Expr) -> Run<Datum> {
        self.count_expression()?;
        // Rules that call themselves are walked as a tree.
        maybe_grow(LEAST_STACK, MORE_STACK, || self.eval_inner(expr))
    }

    #[expect(clippy::too_many_lines, reason = "one arm per expression")]
    fn eval_inner(&mut self, expr: &Expr) -> Run<Datum> {
        Ok(match &expr.kind {
            ExprKind::Value(value) => Datum::from_value(value),
            ExprKind::Local(local) => self.frame.get(*local),
            ExprKind::Option(option) => {
                Datum::from_value(&self.table.setup.options[option.index()])
            }
            ExprKind::Constant(constant) => {
                self.eval_constant(&self.rules.constants[constant.index()].value)?
            }
            ExprKind::Ambient(Ambient::Players) => Datum::Int(to_number(self.table.player_count())),
            ExprKind::Ambient(Ambient::LastPlayer) => {
                Datum::Int(to_number(self.table.player_count()) - 1)
            }
            ExprKind::Ambient(Ambient::Turn) => Datum::Int(self.table.state.turn),
            ExprKind::Ambient(Ambient::Past(history)) => {
                Datum::Int(self.table.state.count_repeats(self.rules, *history))
            }
            ExprKind::Ambient(Ambient::Moves) => panic!("`moves` stands only in what people type"),
            ExprKind::Whole(domain) => {
                Datum::Set(self.domain_members(*domain)?.into_iter().collect())
            }
            ExprKind::Element(Array::Var(var), indices)
                if matches!(self.rules.vars[var.index()].form, VarForm::Pile(_)) =>
            {
                let pile = (var.index(), self.eval_key(indices)?);
                let pile = self.table.state.piles.get(&pile).ok_or(Halt::Trap("NoSuchElement"))?;
                Datum::Set(pile.cards())
            }
            ExprKind::Element(Array::Var(_) | Array::Local(_), _) => {
                let at = self.resolve_lvalue(expr)?;
                self.read_lvalue(&at)
            }
            ExprKind::Column(kind, column, of) => match self.eval(of)? {
                Datum::None => Datum::None,
                member => {
                    let cells = &self.rules.kinds[kind.index()].columns[*column].cells;
                    Datum::from_value(&cells[to_index(member.to_int())])
                }
            },
            ExprKind::Element(Array::Table(table), indices) => {
                let key = indices.iter().map(|index| self.eval(index)).collect::<Run<Vec<_>>>()?;
                self.table_cell(*table, &key)?
            }
            ExprKind::Call(rule, args) => {
                let values = args.iter().map(|arg| self.eval(arg)).collect::<Run<_>>()?;
                self.call_rule(*rule, values)?
            }
            ExprKind::Unary(op, of) => self.eval_unary(*op, of, &expr.ty)?,
            ExprKind::Binary(op, a, b) => self.eval_binary(*op, a, b)?,
            ExprKind::SetOf(members) => self.eval_set(members, &expr.ty)?,
            ExprKind::ListOf(items) => {
                let mut list = Vec::new();
                for item in items {
                    let element = self.eval(item)?;
                    self.append_element(&mut list, &element, &expr.ty)?;
                }
                Datum::List(list)
            }
            ExprKind::Interval(low, high) => {
                let (low, high) = (self.eval(low)?.to_int(), self.eval(high)?.to_int());
                if expr.ty == Type::Span {
                    Datum::Span(low, high)
                } else {
                    self.kept_set(Datum::Span(low, high).to_set(), &expr.ty)?
                }
            }
            ExprKind::Filter(binder) => {
                Datum::Set(self.all_fitting(binder)?.iter().map(Datum::to_int).collect())
            }
            ExprKind::Image(body, binder) => {
                let mut all = BTreeSet::new();
                self.visit_fitting(binder, &mut |it, _| {
                    let members = it.eval(body)?.to_set();
                    all.extend(it.kept_set(members, &expr.ty)?.to_set());
                    Ok(true)
                })?;
                Datum::Set(all)
            }
            ExprKind::Fold { word, binder, body } => self.eval_fold(*word, binder, body)?,
            ExprKind::From(..)
            | ExprKind::Walk(_)
            | ExprKind::Backwards(_)
            | ExprKind::Subsets(..)
            | ExprKind::Lists(_)
            | ExprKind::Distinct(_) => panic!("{expr:?} is iterated, never a value"),
            ExprKind::If(condition, then, otherwise) => {
                let branch = if self.eval_condition(condition)? { then } else { otherwise };
                self.eval(branch)?
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.eval(subject)?;
                let arm = arms.iter().find(|arm| matches_any(&arm.patterns, &subject));
                self.eval(&arm.expect("checked: every case is named").body)?
            }
            ExprKind::Text(parts) => Datum::Text(self.eval_text(parts)?),
            ExprKind::Suppose(block, value) => self.suppose(block, value)?,
            ExprKind::Element(Array::Pile(var), indices) => {
                let key = self.eval_key(indices)?;
                if !self.table.state.piles.contains_key(&(var.index(), key.clone())) {
                    return Err(Halt::Trap("NoSuchElement"));
                }
                Datum::Pile(var.index(), key)
            }
            ExprKind::End(end) => self.pile_end(end, None)?,
            ExprKind::Random(set) => self.random((set, expr), None)?,
            ExprKind::Roll(die) => {
                self.roll_die(die)?;
                self.eval(die)?
            }
            ExprKind::Pick(pick) => self.eval_pick(pick)?,
        })
    }

    pub(super) fn count_expression(&mut self) -> Run {
        self.expressions += 1;
        let is_enough = self.expressions > self.table.setup.most_expressions;
        if is_enough || self.expressions.is_multiple_of(ASKED_EACH) && !(self.table.setup.goes_on)()
        {
            return Err(Halt::Bound("it takes long"));
        }
        Ok(())
    }

    pub(super) fn eval_condition(&mut self, expr: &Expr) -> Run<bool> {
        Ok(self.eval(expr)?.to_int() != 0)
    }

    /// Whether a condition holds; one that is left out does.
    pub(super) fn holds_if_any(&mut self, condition: Option<&Expr>) -> Run<bool> {
        condition.map_or(Ok(true), |condition| self.eval_condition(condition))
    }

    /// A number that may be left out.
    pub(super) fn number_if_any(&mut self, expr: Option<&Expr>) -> Run<Option<i64>> {
        expr.map(|expr| Ok(self.eval(expr)?.to_int())).transpose()
    }

    pub(super) fn eval_key(&mut self, indices: &[Expr]) -> Run<ElementKey> {
        indices.iter().map(|index| Ok(self.eval(index)?.to_int())).collect()
    }

    /// A cell of a table; with `none` for an index, `none`.
    fn table_cell(&mut self, table: TableId, key: &[Datum]) -> Run<Datum> {
        let table = &self.rules.tables[table.index()];
        let mut cell = 0;
        for (domain, index) in table.dims.iter().zip(key) {
            let Datum::Int(index) = index else { return Ok(Datum::None) };
            let all = self.whole_domain(*domain)?;
            let at = all.iter().position(|member| member == index);
            cell = cell * all.len() + at.ok_or(Halt::Trap("NoSuchElement"))?;
        }
        Ok(Datum::from_value(&table.cells[cell]))
    }

    /// The members of a finite type; a table over a subkind has a cell for each member of the whole kind.
    fn whole_domain(&mut self, domain: Domain) -> Run<Vec<i64>> {
        match domain {
            Domain::Kind(kind) if kind != PLAYER => {
                Ok(all_seats(self.rules.kinds[kind.index()].members.len()))
            }
            domain => self.domain_members(domain),
        }
    }

    fn eval_unary(&mut self, op: UnaryOp, of: &Expr, ty: &Type) -> Run<Datum> {
        if op == UnaryOp::ToSet {
            return self.eval_set(std::slice::from_ref(of), ty);
        }
        let (of, players) = (self.eval(of)?, to_number(self.table.player_count()));
        let end = |end: Option<&i64>| end.map_or(Datum::None, |it| Datum::Int(*it));
        Ok(match op {
            UnaryOp::ToSet => unreachable!("it is above"),
            UnaryOp::PileCards => {
                let Datum::Pile(var, key) = of else { panic!("{of:?} is no pile") };
                Datum::Set(self.table.state.piles[&(var, key)].cards())
            }
            UnaryOp::ToList => of,
            UnaryOp::Length => Datum::Int(to_number(of.as_list().len())),
            UnaryOp::FirstElement => end(of.as_list().first()),
            UnaryOp::LastElement => end(of.as_list().last()),
            UnaryOp::Negate | UnaryOp::Reverse => compute_arith(Arith::Subtract, 0, of.to_int())?,
            UnaryOp::Not => Datum::yes(of.to_int() == 0),
            UnaryOp::Next => Datum::Int((of.to_int() + 1) % players),
            UnaryOp::Previous => Datum::Int((of.to_int() + players - 1) % players),
            UnaryOp::Others => {
                Datum::Set((0..players).filter(|seat| *seat != of.to_int()).collect())
            }
            UnaryOp::Seat => Datum::Int(of.to_int() + 1),
            UnaryOp::Amount => {
                to_amount(of.to_int())?;
                of
            }
            UnaryOp::Abs => Datum::Int(of.to_int().abs()),
        })
    }

    fn eval_binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Run<Datum> {
        Ok(match op {
            BinaryOp::And => Datum::yes(self.eval_condition(a)? && self.eval_condition(b)?),
            BinaryOp::Or => Datum::yes(self.eval_condition(a)? || self.eval_condition(b)?),
            BinaryOp::Equal => Datum::yes(self.eval(a)? == self.eval(b)?),
            BinaryOp::Less => self.compare_values((a, b), |a, b| a < b)?,
            BinaryOp::LessEqual => self.compare_values((a, b), |a, b| a <= b)?,
            BinaryOp::In => self.eval_in(a, b)?,
            BinaryOp::Nth => {
                let (list, nth) = (self.eval(a)?, self.eval(b)?.to_int());
                let list = list.as_list();
                if nth < 1 || nth > to_number(list.len()) {
                    return Err(Halt::Trap("NoSuchPlace"));
                }
                Datum::Int(list[to_index(nth) - 1])
            }
            BinaryOp::Within => {
                let (a, b) = (self.eval(a)?.to_set(), self.eval(b)?.to_set());
                Datum::yes(a.is_subset(&b))
            }
            BinaryOp::Arith(op) => {
                let (a, b) = (self.eval(a)?.to_int(), self.eval(b)?.to_int());
                compute_arith(op, a, b)?
            }
            BinaryOp::Set(op) => {
                let (a, b) = (self.eval(a)?.to_set(), self.eval(b)?.to_set());
                Datum::Set(match op {
                    SetOp::Union => a.union(&b).copied().collect(),
                    SetOp::Minus => a.difference(&b).copied().collect(),
                    SetOp::Common => a.intersection(&b).copied().collect(),
                })
            }
        })
    }

    /// Puts an element behind a list of a type that has room for so many; none adds nothing.
    pub(super) fn append_element(
        &mut self,
        list: &mut Vec<i64>,
        element: &Datum,
        ty: &Type,
    ) -> Run {
        let (Type::List(domain, most), Datum::Int(element)) = (ty, element) else { return Ok(()) };
        if let Domain::Range(range) = domain {
            self.check_range(Some(*range), &Datum::Int(*element))?;
        }
        if list.len() == usize::from(*most) {
            return Err(Halt::Trap("ListFull"));
        }
        list.push(*element);
        Ok(())
    }

    fn compare_values(
        &mut self,
        (a, b): (&Expr, &Expr),
        holds: fn(i64, i64) -> bool,
    ) -> Run<Datum> {
        Ok(Datum::yes(match (self.eval(a)?, self.eval(b)?) {
            (Datum::Int(a), Datum::Int(b)) => holds(a, b),
            (Datum::List(a), Datum::List(b)) => {
                // The first place where they differ decides, else the longer one is more.
                let differ = a.iter().zip(&b).find(|(a, b)| a != b);
                match differ {
                    Some((a, b)) => holds(*a, *b),
                    None => holds(to_number(a.len()), to_number(b.len())),
                }
            }
            _ => false,
        }))
    }

    fn eval_in(&mut self, of: &Expr, set: &Expr) -> Run<Datum> {
        let (member, set) = (self.eval(of)?, self.eval(set)?);
        let Datum::Int(member) = member else { return Ok(Datum::yes(false)) };
        Ok(Datum::yes(match set {
            Datum::Span(low, high) => low <= member && member <= high,
            set => set.to_set().contains(&member),
        }))
    }

    fn eval_set(&mut self, members: &[Expr], ty: &Type) -> Run<Datum> {
        let mut all = BTreeSet::new();
        for member in members {
            let members = self.eval(member)?.to_set();
            all.extend(self.kept_set(members, ty)?.to_set());
        }
        Ok(Datum::Set(all))
    }

    /// A set of numbers has only numbers of its range, and each is tested when it is put in.
    pub(super) fn kept_set(&mut self, members: BTreeSet<i64>, ty: &Type) -> Run<Datum> {
        if let Type::Set(Domain::Range(range)) = ty {
            let (low, high) = self.range_bounds(*range)?;
            if members.iter().any(|it| *it < low || high.is_some_and(|high| *it > high)) {
                return Err(Halt::Trap("OutOfRange"));
            }
        }
        Ok(Datum::Set(members))
    }

    fn eval_text(&mut self, parts: &[TextPart]) -> Run<TitledText> {
        let mut words = TitledText::default();
        for part in parts {
            words.append_text(&match part {
                TextPart::Words(text) => {
                    TitledText { text: text.clone(), begins_with_title: false }
                }
                TextPart::Hole(hole) => match self.eval(hole)? {
                    Datum::Text(words) => words,
                    value => {
                        let text = self.table.format_value(&value, &hole.ty, TextManner::Said);
                        TitledText { text, begins_with_title: true }
                    }
                },
            });
        }
        Ok(words)
    }

    /// What would be: afterwards everything is as it was.
    fn suppose(&mut self, block: &Block, value: &Expr) -> Run<Datum> {
        let before = self.table.state.clone();
        let names = self.frame.clone();
        self.supposed += 1;
        let value = self.run_block(block).and_then(|_| self.eval(value));
        // An error ends no game where an `always` or a measure meets it.
        self.supposed -= 1;
        self.table.state = before;
        self.frame = names;
        value
    }
}

/// Whether a value is named by one of the patterns; no patterns name what is left.
pub(super) fn matches_any(patterns: &[Pattern], subject: &Datum) -> bool {
    let fits = |pattern: &Pattern| match (pattern, subject) {
        (Pattern::Value(value), subject) => Datum::from_value(value) == *subject,
        (Pattern::Range(low, high), Datum::Int(number)) => (low..=high).contains(&number),
        (Pattern::Range(..), _) => false,
    };
    patterns.is_empty() || patterns.iter().any(fits)
}

/// Computed with room to spare, so that only the result can be too large.
pub(super) fn compute_arith(op: Arith, a: i64, b: i64) -> Run<Datum> {
    let (a, b) = (i128::from(a), i128::from(b));
    let divides = matches!(op, Arith::CeilDivide | Arith::FloorDivide | Arith::Modulo);
    if divides && b == 0 {
        return Err(Halt::Trap("DivisionByZero"));
    }
    // Rounded towards nothing, then put right by what is left over.
    let floor = || a / b - i128::from(a % b != 0 && (a < 0) != (b < 0));
    let result = match op {
        Arith::Add => a + b,
        Arith::Subtract => a - b,
        Arith::Multiply => a * b,
        Arith::FloorDivide => floor(),
        Arith::CeilDivide => floor() + i128::from(a % b != 0),
        Arith::Modulo => a - floor() * b,
        Arith::Min => a.min(b),
        Arith::Max => a.max(b),
    };
    let number = i64::try_from(result).ok().filter(|number| *number != i64::MIN);
    number.map(Datum::Int).ok_or(Halt::Trap("Overflow"))
}
