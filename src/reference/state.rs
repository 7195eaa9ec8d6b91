//! State: variables, coins, and the positions that a game remembers.

use std::collections::{BTreeMap, BTreeSet};

use crate::reference::expressions::compute_arith;
use crate::reference::knowledge::{Knowledge, all_seats};
use crate::reference::piles::{CardPile, PileStore};
use crate::reference::values::{
    Datum, ElementKey, Halt, RuleFrame, Run, keys, to_index, to_number,
};
use crate::reference::{Reference, Setup};
use crate::rules::{
    Arith, Array, Expr, ExprKind, Faces, HistoryId, Init, LocalId, RangeId, ResetTarget, Rules,
    Type, UnaryOp, Var, VarForm, VarId,
};
use crate::syntax::ast::{Owner, TransferVerb};

/// What lies on the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableState {
    /// The elements of all variables but piles, by the number of the variable and the indices, its owner first.
    pub(crate) elements: BTreeMap<(usize, ElementKey), Datum>,
    pub(crate) piles: PileStore,
    /// For each history the positions that it remembers, as often as it does.
    pub(crate) past: Vec<Vec<Vec<Datum>>>,
    pub(crate) turn: i64,
    pub(crate) knowledge: Knowledge,
}

impl TableState {
    /// What the variables of a history hold.
    pub(super) fn history_values(&self, rules: &Rules, history: HistoryId) -> Vec<Datum> {
        let vars = &rules.histories[history.index()].vars;
        let of = |var: VarId| {
            let elements = self.elements.range((var.index(), ElementKey::new())..);
            elements
                .take_while(move |((at, _), _)| *at == var.index())
                .map(|(_, value)| value.clone())
        };
        vars.iter().copied().flat_map(of).collect()
    }

    /// "`past.times` is how often the present position was remembered."
    pub(crate) fn count_repeats(&self, rules: &Rules, history: HistoryId) -> i64 {
        let now = self.history_values(rules, history);
        to_number(self.past[history.index()].iter().filter(|before| **before == now).count())
    }
}

/// What a game is played with, and what lies on its table now.
pub(super) struct Tabletop<'g> {
    pub(super) setup: Setup<'g>,
    pub(super) state: TableState,
    /// Those whom `seen by PLAYERS` names, by the number of the variable and its owner, if it has one.
    pub(super) seers: BTreeMap<(usize, Option<i64>), BTreeSet<i64>>,
}

/// Where a value can be put.
#[derive(Clone, Debug)]
pub(super) enum Lvalue {
    Local(usize),
    Element(usize, ElementKey),
    Var(usize, ElementKey),
}

impl<'g> Tabletop<'g> {
    fn set_element(&mut self, element: (usize, ElementKey), value: Datum) {
        self.forget_element(&element);
        self.state.elements.insert(element, value);
    }

    pub(super) fn player_count(&self) -> usize {
        self.setup.names.len()
    }

    pub(super) fn player_name(&self, player: i64) -> &'g str {
        &self.setup.names[to_index(player)]
    }
}

impl Tabletop<'_> {
    /// Nobody has had a turn yet; gives how many they had in the `turns` around.
    pub(super) fn begin_counting_turns(&mut self) -> Vec<((usize, ElementKey), Datum)> {
        let Some(had) = self.setup.rules.turns_had else { return Vec::new() };
        let counts = (had.index(), ElementKey::new())..(had.index() + 1, ElementKey::new());
        let elements = self.state.elements.range_mut(counts);
        elements.map(|(at, count)| (at.clone(), std::mem::replace(count, Datum::Int(0)))).collect()
    }
}

impl<'g> Reference<'g> {
    /// Puts everything where it starts.
    pub(super) fn set_up(&mut self) -> Run {
        self.table.state.past = vec![Vec::new(); self.rules.histories.len()];
        for (at, var) in self.rules.vars.iter().enumerate() {
            self.find_seers(at, var)?;
            for key in self.keys_of(var)? {
                let value = self.first_value(var, &key)?;
                if let VarForm::Pile(pile) = var.form {
                    let pile = CardPile::new(pile.cards, pile.ordered, value.to_set());
                    self.table.state.piles.insert((at, key), pile);
                } else {
                    self.table.state.elements.insert((at, key), value);
                }
            }
        }
        self.table.know_first_cards();
        Ok(())
    }

    pub(super) fn keys_of(&mut self, var: &Var) -> Run<Vec<ElementKey>> {
        let mut dims = Vec::new();
        if var.owner == Owner::Player {
            dims.push(all_seats(self.table.player_count()));
        }
        for domain in &var.dims {
            dims.push(self.domain_members(*domain)?);
        }
        Ok(keys(&dims))
    }

    /// "The initial value of an array may read the index"; a die shows its first face before it is rolled.
    fn first_value(&mut self, var: &'g Var, key: &ElementKey) -> Run<Datum> {
        if let VarForm::Die(faces) = &var.form {
            return Ok(match faces {
                Faces::Range(range) => Datum::Int(self.range_bounds(*range)?.0),
                Faces::List(faces) => Datum::from_value(&faces[0]),
            });
        }
        self.eval_init(&var.init, key)
    }

    fn eval_init(&mut self, init: &'g Init, key: &[i64]) -> Run<Datum> {
        let mut frame = RuleFrame::new(&init.locals);
        for (binder, index) in init.binders.iter().zip(key) {
            if let Some(local) = binder {
                frame.set_local(*local, Datum::Int(*index));
            }
        }
        self.within(frame, |it| it.eval(&init.value))
    }

    /// "`seen by PLAYERS` names them; there `owner` is the player who has the variable."
    fn find_seers(&mut self, at: usize, var: &'g Var) -> Run {
        let Some(seers) = &var.seers else { return Ok(()) };
        let owners = match var.owner {
            Owner::Player => all_seats(self.table.player_count()).into_iter().map(Some).collect(),
            Owner::Table => vec![None],
        };
        for owner in owners {
            let found = self.eval_init(seers, owner.as_slice())?.to_set();
            self.table.seers.insert((at, owner), found);
        }
        Ok(())
    }

    /// The place that an expression names; an index that is no member is an error.
    pub(super) fn resolve_lvalue(&mut self, expr: &Expr) -> Run<Lvalue> {
        let place = match &expr.kind {
            ExprKind::Local(local) => Lvalue::Local(local.index()),
            ExprKind::Element(Array::Local(local), indices) => {
                Lvalue::Element(local.index(), self.eval_key(indices)?)
            }
            ExprKind::Element(Array::Var(var), indices) => {
                Lvalue::Var(var.index(), self.eval_key(indices)?)
            }
            other => panic!("{other:?} is no place"),
        };
        let is_there = match &place {
            Lvalue::Local(_) => true,
            Lvalue::Element(local, key) => self.frame.arrays.contains_key(&(*local, key.clone())),
            Lvalue::Var(var, key) => self.table.state.elements.contains_key(&(*var, key.clone())),
        };
        if is_there { Ok(place) } else { Err(Halt::Trap("NoSuchElement")) }
    }

    pub(super) fn read_lvalue(&self, place: &Lvalue) -> Datum {
        match place {
            Lvalue::Local(local) => self.frame.locals[local].clone(),
            Lvalue::Element(local, key) => self.frame.arrays[&(*local, key.clone())].clone(),
            Lvalue::Var(var, key) => self.table.state.elements[&(*var, key.clone())].clone(),
        }
    }

    /// Sets a place; nobody knows any more what a variable holds.
    pub(super) fn write_lvalue(&mut self, place: &Lvalue, value: Datum) -> Run {
        let range = self.range_of(place);
        self.check_range(range, &value)?;
        match place {
            Lvalue::Local(local) => {
                self.frame.locals.insert(*local, value);
            }
            Lvalue::Element(local, key) => {
                self.frame.arrays.insert((*local, key.clone()), value);
            }
            Lvalue::Var(var, key) => self.table.set_element((*var, key.clone()), value),
        }
        Ok(())
    }

    fn range_of(&self, place: &Lvalue) -> Option<RangeId> {
        match place {
            Lvalue::Local(local) | Lvalue::Element(local, _) => self.frame.known[*local].range,
            Lvalue::Var(var, _) => self.rules.vars[*var].range,
        }
    }

    /// `var x[K] = E`
    pub(super) fn let_array(
        &mut self,
        local: LocalId,
        binders: &[Option<LocalId>],
        value: &Expr,
    ) -> Run {
        let mut dims = Vec::new();
        let known = self.frame.known;
        for domain in &known[local.index()].dims {
            dims.push(self.domain_members(*domain)?);
        }
        for key in keys(&dims) {
            for (binder, index) in binders.iter().zip(&key) {
                if let Some(binder) = binder {
                    self.frame.set_local(*binder, Datum::Int(*index));
                }
            }
            let value = self.eval(value)?;
            self.write_lvalue(&Lvalue::Element(local.index(), key), value)?;
        }
        Ok(())
    }

    /// `x += E`, `x -= E`: of numbers, sets and lists.
    pub(super) fn run_change(&mut self, to: &Expr, add: bool, value: &Expr) -> Run {
        let at = self.resolve_lvalue(to)?;
        // Only adding others is an error: what is taken out alone need not be one that the set may have.
        let value = if add { value } else { only_member(value) };
        let (old, value) = (self.read_lvalue(&at), self.eval(value)?);
        let new = match (&to.ty, add) {
            (Type::List(..), _) => {
                let mut list = old.as_list().to_vec();
                self.append_element(&mut list, &value, &to.ty)?;
                Datum::List(list)
            }
            (Type::Set(_), true) => {
                Datum::Set(old.to_set().union(&value.to_set()).copied().collect())
            }
            (Type::Set(_), false) => {
                Datum::Set(old.to_set().difference(&value.to_set()).copied().collect())
            }
            (_, true) => compute_arith(Arith::Add, old.to_int(), value.to_int())?,
            (_, false) => compute_arith(Arith::Subtract, old.to_int(), value.to_int())?,
        };
        self.write_lvalue(&at, new)
    }

    /// `reset PLACE`: an element, or all that begin with the indices that are given.
    pub(super) fn reset(&mut self, target: &ResetTarget) -> Run {
        let (at, var) = (target.var.index(), &self.rules.vars[target.var.index()]);
        for key in self.keys_below(target)? {
            let value = self.first_value(var, &key)?;
            if let VarForm::Pile(_) = var.form {
                self.table.call_back(&(at, key), &value.to_set());
            } else {
                self.table.set_element((at, key), value);
            }
        }
        Ok(())
    }

    /// `show PLACE to p`, `reveal PLACE`: who sees it knows what it holds now.
    pub(super) fn run_show(&mut self, targets: &[ResetTarget], to: Option<&Expr>) -> Run {
        let reader = self.number_if_any(to)?;
        let to = reader.map_or_else(|| self.table.everybody(), |reader| [reader].into());
        for target in targets {
            let (var, keys) = (target.var.index(), self.keys_below(target)?);
            // `reveal` says every element: leaving out what all know would tell who had been shown it.
            let knows = |key: &ElementKey| match reader {
                Some(reader) => self.table.knows_element((var, key), reader),
                None => self.table.seers((var, key)) == to,
            };
            let news: Vec<ElementKey> = keys.iter().filter(|key| !knows(key)).cloned().collect();
            if !news.is_empty() {
                let text = self.table.shown_values((var, target.indices.len()), &news, reader);
                self.tell_player(reader, text, false);
            }
            keys.into_iter().for_each(|key| self.table.show_element((var, key), &to));
        }
        Ok(())
    }

    fn keys_below(&mut self, target: &ResetTarget) -> Run<Vec<ElementKey>> {
        let first = self.eval_key(&target.indices)?;
        let keys = self.keys_of(&self.rules.vars[target.var.index()])?;
        let keys: Vec<ElementKey> =
            keys.into_iter().filter(|key| key.starts_with(&first)).collect();
        if keys.is_empty() { Err(Halt::Trap("NoSuchElement")) } else { Ok(keys) }
    }

    /// "`gains` stops at the top of the range, `loses` at the bottom; `pays` fails if the coin has too little."
    pub(super) fn run_transfer(&mut self, coins: &Expr, verb: TransferVerb, of: &Expr) -> Run {
        let at = self.resolve_lvalue(coins)?;
        let have = self.read_lvalue(&at).to_int();
        let cost = self.eval(of)?.to_int();
        to_amount(cost)?;
        let (low, high) = match self.range_of(&at) {
            Some(range) => self.range_bounds(range)?,
            None => (0, None),
        };
        let new = match verb {
            TransferVerb::Gains | TransferVerb::GainsLosingRest => {
                let more = compute_arith(Arith::Add, have, cost)?.to_int();
                more.min(high.unwrap_or(i64::MAX))
            }
            TransferVerb::Loses => compute_arith(Arith::Subtract, have, cost)?.to_int().max(low),
            TransferVerb::Pays if cost > have.saturating_sub(low) => {
                return Err(Halt::Trap("CannotPay"));
            }
            TransferVerb::Pays => have - cost,
        };
        self.write_lvalue(&at, Datum::Int(new))
    }
}

/// The member of a set that is written as one: `{a}`, `a`.
fn only_member(set: &Expr) -> &Expr {
    match &set.kind {
        ExprKind::SetOf(members) if members.len() == 1 => &members[0],
        ExprKind::Unary(UnaryOp::ToSet, member) => member,
        _ => set,
    }
}

/// How often, or how much: never below 0.
pub(super) fn to_amount(number: i64) -> Run<usize> {
    usize::try_from(number).map_err(|_| Halt::Trap("NegativeAmount"))
}
