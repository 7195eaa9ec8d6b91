//! What expressions come to.

use std::collections::BTreeSet;

use stacker::maybe_grow;

use crate::check::rules::{
    Ambient, Arith, Array, BinaryOp, Block, Domain, Expr, ExprKind, PLAYER, Pattern, SetOp,
    TableId, TextPart, Type, UnaryOp, VarForm,
};

use super::text::TextManner;
use super::values::{Datum, ElementKey, Halt, RuleFrame, TitledText, index, number};
use super::{Reference, knowledge::seats};

/// Bytes of stack that the statements between two expressions need, and how many are added at once.
const LEAST_STACK: usize = 1 << 18;
const MORE_STACK: usize = 1 << 22;

/// After how many expressions somebody is asked whether to go on.
const ASKED_EACH: u64 = 1 << 12;

impl<'g> Reference<'g> {
    pub(super) fn value(&mut self, frame: &mut RuleFrame<'g>, expr: &Expr) -> Result<Datum, Halt> {
        self.count_expression()?;
        // Rules that call themselves are walked as a tree.
        maybe_grow(LEAST_STACK, MORE_STACK, || self.value_of(frame, expr))
    }

    #[expect(clippy::too_many_lines, reason = "one arm per expression")]
    fn value_of(&mut self, frame: &mut RuleFrame<'g>, expr: &Expr) -> Result<Datum, Halt> {
        Ok(match &expr.kind {
            ExprKind::Value(value) => Datum::of(value),
            ExprKind::Local(local) => frame.get(*local),
            ExprKind::Option(option) => Datum::of(&self.setup.options[option.index()]),
            ExprKind::Constant(constant) => {
                self.constant(&self.rules.constants[constant.index()].value)?
            }
            ExprKind::Ambient(Ambient::Players) => Datum::Int(number(self.players())),
            ExprKind::Ambient(Ambient::LastPlayer) => Datum::Int(number(self.players()) - 1),
            ExprKind::Ambient(Ambient::Turn) => Datum::Int(self.state.turn),
            ExprKind::Ambient(Ambient::Past(history)) => {
                Datum::Int(self.state.times(self.rules, *history))
            }
            ExprKind::Ambient(Ambient::Moves) => panic!("`moves` stands only in what people type"),
            ExprKind::Whole(domain) => Datum::Set(self.members(*domain)?.into_iter().collect()),
            ExprKind::Element(Array::Var(var), indices)
                if matches!(self.rules.vars[var.index()].form, VarForm::Pile(_)) =>
            {
                let pile = (var.index(), self.key(frame, indices)?);
                let pile = self.state.piles.get(&pile).ok_or(Halt::Trap("NoSuchElement"))?;
                Datum::Set(pile.cards())
            }
            ExprKind::Element(Array::Var(_) | Array::Local(_), _) => {
                let at = self.place(frame, expr)?;
                self.read(frame, &at)
            }
            ExprKind::Column(kind, column, of) => match self.value(frame, of)? {
                Datum::None => Datum::None,
                member => {
                    let cells = &self.rules.kinds[kind.index()].columns[*column].cells;
                    Datum::of(&cells[index(member.int())])
                }
            },
            ExprKind::Element(Array::Table(table), indices) => {
                let mut key = Vec::new();
                for index in indices {
                    key.push(self.value(frame, index)?);
                }
                self.cell(*table, &key)?
            }
            ExprKind::Call(rule, args) => {
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.value(frame, arg)?);
                }
                self.call(*rule, values)?
            }
            ExprKind::Unary(op, of) => self.unary(frame, *op, of, &expr.ty)?,
            ExprKind::Binary(op, a, b) => self.binary(frame, *op, a, b)?,
            ExprKind::SetOf(members) => self.set_of(frame, members, &expr.ty)?,
            ExprKind::ListOf(items) => {
                let mut list = Vec::new();
                for item in items {
                    let element = self.value(frame, item)?;
                    self.append(&mut list, &element, &expr.ty)?;
                }
                Datum::List(list)
            }
            ExprKind::Interval(low, high) => {
                let (low, high) = (self.value(frame, low)?.int(), self.value(frame, high)?.int());
                if expr.ty == Type::Span {
                    Datum::Span(low, high)
                } else {
                    self.kept_set(Datum::Span(low, high).set(), &expr.ty)?
                }
            }
            ExprKind::Filter(_)
            | ExprKind::Image(..)
            | ExprKind::Fold { .. }
            | ExprKind::From(..)
            | ExprKind::Walk(_)
            | ExprKind::Backwards(_)
            | ExprKind::Subsets(_)
            | ExprKind::Lists(_)
            | ExprKind::Distinct(_) => self.fold_value(frame, expr)?,
            ExprKind::If(condition, then, otherwise) => {
                let branch = if self.holds(frame, condition)? { then } else { otherwise };
                self.value(frame, branch)?
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.value(frame, subject)?;
                let arm = arms.iter().find(|arm| fits(&arm.patterns, &subject));
                self.value(frame, &arm.expect("checked: every case is named").body)?
            }
            ExprKind::Text(parts) => Datum::Text(self.text(frame, parts)?),
            ExprKind::Suppose(block, value) => self.suppose(frame, block, value)?,
            ExprKind::Element(Array::Pile(var), indices) => {
                let key = self.key(frame, indices)?;
                if !self.state.piles.contains_key(&(var.index(), key.clone())) {
                    return Err(Halt::Trap("NoSuchElement"));
                }
                Datum::Pile(var.index(), key)
            }
            ExprKind::End(end) => self.pile_end(frame, end, None)?,
            ExprKind::Random(set) => self.random(frame, (set, expr), None)?,
            ExprKind::Roll(die) => {
                self.roll(frame, die)?;
                self.value(frame, die)?
            }
            ExprKind::Pick(pick) => self.pick(frame, pick)?,
        })
    }

    pub(super) fn count_expression(&mut self) -> Result<(), Halt> {
        self.expressions += 1;
        let is_enough = self.expressions > self.setup.most_expressions;
        if is_enough || self.expressions.is_multiple_of(ASKED_EACH) && !(self.setup.goes_on)() {
            return Err(Halt::Bound("it takes long"));
        }
        Ok(())
    }

    pub(super) fn holds(&mut self, frame: &mut RuleFrame<'g>, expr: &Expr) -> Result<bool, Halt> {
        Ok(self.value(frame, expr)?.int() != 0)
    }

    pub(super) fn key(
        &mut self,
        frame: &mut RuleFrame<'g>,
        indices: &[Expr],
    ) -> Result<ElementKey, Halt> {
        indices.iter().map(|index| Ok(self.value(frame, index)?.int())).collect()
    }

    /// A cell of a table; with `none` for an index, `none`.
    fn cell(&mut self, table: TableId, key: &[Datum]) -> Result<Datum, Halt> {
        let table = &self.rules.tables[table.index()];
        let mut cell = 0;
        for (domain, index) in table.dims.iter().zip(key) {
            let Datum::Int(index) = index else { return Ok(Datum::None) };
            let all = self.whole(*domain)?;
            let at = all.iter().position(|member| member == index);
            cell = cell * all.len() + at.ok_or(Halt::Trap("NoSuchElement"))?;
        }
        Ok(Datum::of(&table.cells[cell]))
    }

    /// The members of a finite type; a table over a subkind has a cell for each member of the whole kind.
    fn whole(&mut self, domain: Domain) -> Result<Vec<i64>, Halt> {
        match domain {
            Domain::Kind(kind) if kind != PLAYER => {
                Ok(seats(self.rules.kinds[kind.index()].members.len()))
            }
            domain => self.members(domain),
        }
    }

    fn unary(
        &mut self,
        frame: &mut RuleFrame<'g>,
        op: UnaryOp,
        of: &Expr,
        ty: &Type,
    ) -> Result<Datum, Halt> {
        if op == UnaryOp::ToSet {
            return self.set_of(frame, std::slice::from_ref(of), ty);
        }
        let (of, players) = (self.value(frame, of)?, number(self.players()));
        let end = |end: Option<&i64>| end.map_or(Datum::None, |it| Datum::Int(*it));
        Ok(match op {
            UnaryOp::ToSet => unreachable!("it is above"),
            UnaryOp::PileCards => {
                let Datum::Pile(var, key) = of else { panic!("{of:?} is no pile") };
                Datum::Set(self.state.piles[&(var, key)].cards())
            }
            UnaryOp::ToList => of,
            UnaryOp::Length => Datum::Int(number(of.list().len())),
            UnaryOp::FirstElement => end(of.list().first()),
            UnaryOp::LastElement => end(of.list().last()),
            UnaryOp::Negate | UnaryOp::Reverse => arith(Arith::Subtract, 0, of.int())?,
            UnaryOp::Not => Datum::yes(of.int() == 0),
            UnaryOp::Next => Datum::Int((of.int() + 1) % players),
            UnaryOp::Previous => Datum::Int((of.int() + players - 1) % players),
            UnaryOp::Others => Datum::Set((0..players).filter(|seat| *seat != of.int()).collect()),
            UnaryOp::Seat => Datum::Int(of.int() + 1),
            UnaryOp::Abs => Datum::Int(of.int().abs()),
        })
    }

    fn binary(
        &mut self,
        frame: &mut RuleFrame<'g>,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
    ) -> Result<Datum, Halt> {
        Ok(match op {
            BinaryOp::And => Datum::yes(self.holds(frame, a)? && self.holds(frame, b)?),
            BinaryOp::Or => Datum::yes(self.holds(frame, a)? || self.holds(frame, b)?),
            BinaryOp::Equal => Datum::yes(self.value(frame, a)? == self.value(frame, b)?),
            BinaryOp::Less => self.compare(frame, (a, b), |a, b| a < b)?,
            BinaryOp::LessEqual => self.compare(frame, (a, b), |a, b| a <= b)?,
            BinaryOp::In => self.is_in(frame, a, b)?,
            BinaryOp::Nth => {
                let (list, nth) = (self.value(frame, a)?, self.value(frame, b)?.int());
                let list = list.list();
                if nth < 1 || nth > number(list.len()) {
                    return Err(Halt::Trap("NoSuchPlace"));
                }
                Datum::Int(list[index(nth) - 1])
            }
            BinaryOp::Within => {
                let (a, b) = (self.value(frame, a)?.set(), self.value(frame, b)?.set());
                Datum::yes(a.is_subset(&b))
            }
            BinaryOp::Arith(op) => {
                let (a, b) = (self.value(frame, a)?.int(), self.value(frame, b)?.int());
                arith(op, a, b)?
            }
            BinaryOp::Set(op) => {
                let (a, b) = (self.value(frame, a)?.set(), self.value(frame, b)?.set());
                Datum::Set(match op {
                    SetOp::Union => a.union(&b).copied().collect(),
                    SetOp::Minus => a.difference(&b).copied().collect(),
                    SetOp::Common => a.intersection(&b).copied().collect(),
                })
            }
        })
    }

    /// Puts an element behind a list of a type that has room for so many; none adds nothing.
    pub(super) fn append(
        &mut self,
        list: &mut Vec<i64>,
        element: &Datum,
        ty: &Type,
    ) -> Result<(), Halt> {
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

    fn compare(
        &mut self,
        frame: &mut RuleFrame<'g>,
        (a, b): (&Expr, &Expr),
        holds: fn(i64, i64) -> bool,
    ) -> Result<Datum, Halt> {
        Ok(Datum::yes(match (self.value(frame, a)?, self.value(frame, b)?) {
            (Datum::Int(a), Datum::Int(b)) => holds(a, b),
            (Datum::List(a), Datum::List(b)) => {
                // The first place where they differ decides, else the longer one is more.
                let differ = a.iter().zip(&b).find(|(a, b)| a != b);
                match differ {
                    Some((a, b)) => holds(*a, *b),
                    None => holds(number(a.len()), number(b.len())),
                }
            }
            _ => false,
        }))
    }

    fn is_in(&mut self, frame: &mut RuleFrame<'g>, of: &Expr, set: &Expr) -> Result<Datum, Halt> {
        let (member, set) = (self.value(frame, of)?, self.value(frame, set)?);
        let Datum::Int(member) = member else { return Ok(Datum::yes(false)) };
        Ok(Datum::yes(match set {
            Datum::Span(low, high) => low <= member && member <= high,
            set => set.set().contains(&member),
        }))
    }

    fn set_of(
        &mut self,
        frame: &mut RuleFrame<'g>,
        members: &[Expr],
        ty: &Type,
    ) -> Result<Datum, Halt> {
        let mut all = BTreeSet::new();
        for member in members {
            all.extend(self.value(frame, member)?.set());
        }
        self.kept_set(all, ty)
    }

    /// A set of numbers has only numbers of its range.
    pub(super) fn kept_set(&mut self, members: BTreeSet<i64>, ty: &Type) -> Result<Datum, Halt> {
        if let Type::Set(Domain::Range(range)) = ty {
            let all = self.members(Domain::Range(*range))?;
            if members.iter().any(|member| !all.contains(member)) {
                return Err(Halt::Trap("OutOfRange"));
            }
        }
        Ok(Datum::Set(members))
    }

    fn text(&mut self, frame: &mut RuleFrame<'g>, parts: &[TextPart]) -> Result<TitledText, Halt> {
        let mut words = TitledText::default();
        for part in parts {
            words.add(&match part {
                TextPart::Words(text) => TitledText { text: text.clone(), titled: false },
                TextPart::Hole(hole) => match self.value(frame, hole)? {
                    Datum::Text(words) => words,
                    value => {
                        let text = self.print(&value, &hole.ty, TextManner::Said);
                        TitledText { text, titled: true }
                    }
                },
            });
        }
        Ok(words)
    }

    /// What would be: afterwards everything is as it was.
    fn suppose(
        &mut self,
        frame: &mut RuleFrame<'g>,
        block: &Block,
        value: &Expr,
    ) -> Result<Datum, Halt> {
        let before = self.state.clone();
        let mut inner = frame.clone();
        self.supposed += 1;
        let value = self.block(&mut inner, block).and_then(|_| self.value(&mut inner, value));
        // An error ends no game where an `always` or a measure meets it.
        self.supposed -= 1;
        self.state = before;
        value
    }
}

/// Whether a value is named by one of the patterns; no patterns name what is left.
pub(super) fn fits(patterns: &[Pattern], subject: &Datum) -> bool {
    let fits = |pattern: &Pattern| match (pattern, subject) {
        (Pattern::Value(value), subject) => Datum::of(value) == *subject,
        (Pattern::Range(low, high), Datum::Int(number)) => (low..=high).contains(&number),
        (Pattern::Range(..), _) => false,
    };
    patterns.is_empty() || patterns.iter().any(fits)
}

/// Computed with room to spare, so that only the result can be too large.
pub(super) fn arith(op: Arith, a: i64, b: i64) -> Result<Datum, Halt> {
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
