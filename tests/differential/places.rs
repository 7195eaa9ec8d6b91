//! Places: what can be assigned to, changed, paid from and set back.

use astragal::check::rules::{
    Arith, Array, Expr, ExprKind, LocalId, RangeId, ResetTarget, Type, VarForm,
};
use astragal::syntax::ast::CoinVerb;

use super::evaluator::Evaluator;
use super::expression::arith;
use super::value::{Datum, Frame, Key, Stop, keys};

/// Where something can be put.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Local(usize),
    Element(usize, Key),
    Var(usize, Key),
}

impl<'g> Evaluator<'g> {
    pub(super) fn place(&mut self, frame: &mut Frame<'g>, expr: &Expr) -> Result<Place, Stop> {
        let place = match &expr.kind {
            ExprKind::Local(local) => Place::Local(local.index()),
            ExprKind::Element(Array::Local(local), indices) => {
                Place::Element(local.index(), self.key(frame, indices)?)
            }
            ExprKind::Element(Array::Var(var), indices) => {
                Place::Var(var.index(), self.key(frame, indices)?)
            }
            other => panic!("{other:?} is no place"),
        };
        let is_there = match &place {
            Place::Local(_) => true,
            Place::Element(local, key) => frame.arrays.contains_key(&(*local, key.clone())),
            Place::Var(var, key) => self.table.elements.contains_key(&(*var, key.clone())),
        };
        if is_there { Ok(place) } else { Err(Stop::Trap("NoSuchElement")) }
    }

    pub(super) fn read(&self, frame: &Frame<'g>, place: &Place) -> Datum {
        match place {
            Place::Local(local) => frame.locals[local].clone(),
            Place::Element(local, key) => frame.arrays[&(*local, key.clone())].clone(),
            Place::Var(var, key) => self.table.elements[&(*var, key.clone())].clone(),
        }
    }

    pub(super) fn write(
        &mut self,
        frame: &mut Frame<'g>,
        place: &Place,
        value: Datum,
    ) -> Result<(), Stop> {
        let range = self.range_of(frame, place);
        self.check_range(range, &value)?;
        match place {
            Place::Local(local) => frame.locals.insert(*local, value),
            Place::Element(local, key) => frame.arrays.insert((*local, key.clone()), value),
            Place::Var(var, key) => self.table.elements.insert((*var, key.clone()), value),
        };
        Ok(())
    }

    fn range_of(&self, frame: &Frame<'g>, place: &Place) -> Option<RangeId> {
        match place {
            Place::Local(local) | Place::Element(local, _) => frame.known[*local].range,
            Place::Var(var, _) => self.rules.vars[*var].range,
        }
    }

    pub(super) fn let_array(
        &mut self,
        frame: &mut Frame<'g>,
        local: LocalId,
        binders: &[Option<LocalId>],
        value: &Expr,
    ) -> Result<(), Stop> {
        let mut dims = Vec::new();
        for domain in &frame.known[local.index()].dims {
            dims.push(self.members(*domain)?);
        }
        for key in keys(&dims) {
            for (binder, index) in binders.iter().zip(&key) {
                if let Some(binder) = binder {
                    frame.put(*binder, Datum::Int(*index));
                }
            }
            let value = self.value(frame, value)?;
            self.write(frame, &Place::Element(local.index(), key), value)?;
        }
        Ok(())
    }

    pub(super) fn change(
        &mut self,
        frame: &mut Frame<'g>,
        to: &Expr,
        add: bool,
        value: &Expr,
    ) -> Result<(), Stop> {
        let at = self.place(frame, to)?;
        let (old, value) = (self.read(frame, &at), self.value(frame, value)?);
        let new = match (&to.ty, add) {
            (Type::List(..), _) => {
                let mut list = old.list().to_vec();
                self.append(&mut list, &value, &to.ty)?;
                Datum::List(list)
            }
            (Type::Set(_), true) => Datum::Set(old.set().union(&value.set()).copied().collect()),
            (Type::Set(_), false) => {
                Datum::Set(old.set().difference(&value.set()).copied().collect())
            }
            (_, true) => arith(Arith::Add, old.int(), value.int())?,
            (_, false) => arith(Arith::Subtract, old.int(), value.int())?,
        };
        self.write(frame, &at, new)
    }

    pub(super) fn reset(
        &mut self,
        frame: &mut Frame<'g>,
        target: &ResetTarget,
    ) -> Result<(), Stop> {
        let first = self.key(frame, &target.indices)?;
        let (at, var) = (target.var.index(), &self.rules.vars[target.var.index()]);
        let keys = self.keys_of(var)?.into_iter().filter(|key| key.starts_with(&first));
        let keys: Vec<Key> = keys.collect();
        if keys.is_empty() {
            return Err(Stop::Trap("NoSuchElement"));
        }
        for key in keys {
            let value = self.first_value(var, &key)?;
            if let VarForm::Pile(_) = var.form {
                self.call_back(&(at, key), &value.set());
            } else {
                self.table.elements.insert((at, key), value);
            }
        }
        Ok(())
    }

    pub(super) fn coin(
        &mut self,
        frame: &mut Frame<'g>,
        coins: &Expr,
        verb: CoinVerb,
        of: &Expr,
    ) -> Result<(), Stop> {
        let at = self.place(frame, coins)?;
        let have = self.read(frame, &at).int();
        let cost = self.value(frame, of)?.int();
        amount(cost)?;
        let (low, high) = match self.range_of(frame, &at) {
            Some(range) => self.range(range)?,
            None => (0, None),
        };
        let new = match verb {
            CoinVerb::Gains | CoinVerb::GainsAtMost => {
                let more = arith(Arith::Add, have, cost)?.int();
                more.min(high.unwrap_or(i64::MAX))
            }
            CoinVerb::Loses => (have - cost).max(low),
            CoinVerb::Pays if cost > have - low => return Err(Stop::Trap("CannotPay")),
            CoinVerb::Pays => have - cost,
        };
        self.write(frame, &at, Datum::Int(new))
    }
}

/// How often, or how much: never less than nothing.
pub(super) fn amount(number: i64) -> Result<usize, Stop> {
    usize::try_from(number).map_err(|_| Stop::Trap("NegativeAmount"))
}
