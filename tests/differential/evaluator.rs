//! The evaluator: checked rules, walked as a tree, with the plainest data that there is.

use std::collections::BTreeMap;

use astragal::check::rules::{
    Domain, Expr, Faces, HistoryId, KindId, PLAYER, RangeId, Rule, RuleId, Rules, Var, VarForm,
    VarId,
};
use astragal::compile::Specialisation;
use astragal::syntax::ast::Owner;

use super::heap::{Heap, Heaps};
use super::lockstep::Lockstep;
use super::value::{Datum, Ending, Flow, Frame, Key, Stop, keys, number};

/// How deep rules may call each other before that counts as a mistake.
const DEEPEST: usize = 5000;

/// Decisions of a game that says nothing of a limit.
const USUAL_LIMIT: i64 = 1_000_000;

/// What lies on the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Every element of every variable that is no pile.
    pub(super) elements: BTreeMap<(usize, Key), Datum>,
    pub(super) heaps: Heaps,
    /// For each history the positions that it remembers, as often as it does.
    pub(super) past: Vec<Vec<Vec<Datum>>>,
    pub(super) turn: i64,
}

impl Table {
    /// What the variables of a history hold.
    pub(super) fn position(&self, rules: &Rules, history: HistoryId) -> Vec<Datum> {
        let vars = &rules.histories[history.index()].vars;
        let of = |var: VarId| {
            let elements = self.elements.iter();
            elements.filter(move |((at, _), _)| *at == var.index()).map(|(_, value)| value.clone())
        };
        vars.iter().copied().flat_map(of).collect()
    }

    /// How often a history remembers what its variables hold.
    pub(super) fn times(&self, rules: &Rules, history: HistoryId) -> i64 {
        let now = self.position(rules, history);
        number(self.past[history.index()].iter().filter(|before| **before == now).count())
    }
}

/// One game, walked through beside the machine.
pub(super) struct Evaluator<'g> {
    pub(super) rules: &'g Rules,
    pub(super) setting: &'g Specialisation,
    pub(super) table: Table,
    /// How many loops over turns are at work.
    pub(super) rounds: usize,
    /// How many things are supposed.
    pub(super) supposed: usize,
    pub(super) decisions: i64,
    depth: usize,
    /// How many expressions were computed.
    pub(super) steps: usize,
    pub(super) machine: Lockstep<'g>,
}

impl<'g> Evaluator<'g> {
    pub(super) fn new(
        rules: &'g Rules,
        setting: &'g Specialisation,
        machine: Lockstep<'g>,
    ) -> Self {
        let table = Table::default();
        let (rounds, supposed, decisions, depth, steps) = (0, 0, 0, 0, 0);
        Evaluator { rules, setting, table, rounds, supposed, decisions, depth, steps, machine }
    }

    /// Plays one game; the machine must do the same. Returns how many expressions were computed.
    pub(super) fn play(mut self) -> Result<usize, String> {
        let stop = match self.flows() {
            Ok(()) => Stop::Trap("NoFinish"),
            Err(stop) => stop,
        };
        let done = match stop {
            Stop::Trap(name) => self.machine.traps(name),
            Stop::End(ending) => self.end(&ending),
            Stop::Differs(why) => Err(Stop::Differs(why)),
        };
        match done {
            Ok(()) => Ok(self.steps),
            Err(Stop::Differs(why)) => Err(self.machine.story(&why)),
            Err(stop) => Err(self.machine.story(&format!("{stop:?} at the end"))),
        }
    }

    fn flows(&mut self) -> Result<(), Stop> {
        self.lay_out()?;
        for flow in self.rules.setup.into_iter().chain([self.rules.play]) {
            let rule = &self.rules.rules[flow.index()];
            self.block(&mut Frame::new(&rule.locals), &rule.body)?;
        }
        Ok(())
    }

    fn end(&mut self, ending: &Ending) -> Result<(), Stop> {
        self.machine.ends(ending, self.rules, &self.table)?;
        let mut measured = Vec::new();
        for measure in &self.rules.measures {
            let players = if measure.rule.params == 1 { self.setting.players } else { 1 };
            let values = seats(players).into_iter().map(|player| {
                let args = if measure.rule.params == 1 { vec![Datum::Int(player)] } else { vec![] };
                Ok(self.run(&measure.rule, args)?.int())
            });
            measured.push(values.collect::<Result<Vec<i64>, Stop>>());
        }
        self.machine.measures(measured)
    }

    // Rules.

    pub(super) fn call(&mut self, rule: RuleId, args: Vec<Datum>) -> Result<Datum, Stop> {
        self.run(&self.rules.rules[rule.index()], args)
    }

    pub(super) fn run(&mut self, rule: &'g Rule, args: Vec<Datum>) -> Result<Datum, Stop> {
        let mut frame = Frame::new(&rule.locals);
        for (at, arg) in args.into_iter().enumerate() {
            self.check_range(rule.locals[at].range, &arg)?;
            frame.locals.insert(at, arg);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Stop::Trap("TooDeep"));
        }
        let flow = self.block(&mut frame, &rule.body);
        self.depth -= 1;
        match flow? {
            Flow::Return(value) => Ok(value),
            Flow::On => Ok(Datum::None),
            Flow::Break | Flow::Continue => panic!("these leave a loop, no rule"),
        }
    }

    /// What happens when there were as many decisions as there may be.
    pub(super) fn check_limit(&mut self) -> Result<(), Stop> {
        let Some(limit) = &self.rules.limit else {
            if self.decisions < USUAL_LIMIT {
                return Ok(());
            }
            let returns = vec![0; self.setting.players];
            return Err(Stop::End(Ending { returns, scores: None }));
        };
        if self.decisions < self.constant(&limit.decisions)?.int() {
            return Ok(());
        }
        self.call(limit.body, Vec::new())?;
        Err(Stop::Trap("NoFinish"))
    }

    // Finite types and ranges.

    pub(super) fn constant(&mut self, expr: &Expr) -> Result<Datum, Stop> {
        self.value(&mut Frame::default(), expr)
    }

    pub(super) fn members(&mut self, domain: Domain) -> Result<Vec<i64>, Stop> {
        Ok(match domain {
            Domain::Kind(PLAYER) => seats(self.setting.players),
            Domain::Kind(kind) => own(self.rules, kind),
            Domain::Range(range) => {
                let (low, high) = self.range(range)?;
                (low..=high.expect("a finite range has an end")).collect()
            }
        })
    }

    pub(super) fn range(&mut self, range: RangeId) -> Result<(i64, Option<i64>), Stop> {
        let range = &self.rules.ranges[range.index()];
        let low = self.constant(&range.low)?.int();
        let high = match &range.high {
            Some(high) => Some(self.constant(high)?.int()),
            None => None,
        };
        Ok((low, high))
    }

    pub(super) fn check_range(
        &mut self,
        range: Option<RangeId>,
        value: &Datum,
    ) -> Result<(), Stop> {
        let (Some(range), Datum::Int(number)) = (range, value) else { return Ok(()) };
        let (low, high) = self.range(range)?;
        if *number < low || high.is_some_and(|high| *number > high) {
            return Err(Stop::Trap("OutOfRange"));
        }
        Ok(())
    }

    // The beginning.

    fn lay_out(&mut self) -> Result<(), Stop> {
        self.table.past = vec![Vec::new(); self.rules.histories.len()];
        for (at, var) in self.rules.vars.iter().enumerate() {
            for key in self.keys_of(var)? {
                let value = self.first_value(var, &key)?;
                if let VarForm::Pile(pile) = var.form {
                    let heap = Heap::new(pile.cards, pile.ordered, value.set());
                    self.table.heaps.insert((at, key), heap);
                } else {
                    self.table.elements.insert((at, key), value);
                }
            }
        }
        Ok(())
    }

    pub(super) fn keys_of(&mut self, var: &Var) -> Result<Vec<Key>, Stop> {
        let mut dims = Vec::new();
        if var.owner == Owner::Player {
            dims.push(seats(self.setting.players));
        }
        for domain in &var.dims {
            dims.push(self.members(*domain)?);
        }
        Ok(keys(&dims))
    }

    pub(super) fn first_value(&mut self, var: &'g Var, key: &Key) -> Result<Datum, Stop> {
        if let VarForm::Die(faces) = &var.form {
            return Ok(match faces {
                Faces::Range(range) => Datum::Int(self.range(*range)?.0),
                Faces::List(faces) => Datum::of(&faces[0]),
            });
        }
        let mut frame = Frame::new(&var.init.locals);
        for (binder, index) in var.init.binders.iter().zip(key) {
            if let Some(local) = binder {
                frame.put(*local, Datum::Int(*index));
            }
        }
        self.value(&mut frame, &var.init.value)
    }
}

/// The positions of the members that a kind has of its own.
fn own(rules: &Rules, kind: KindId) -> Vec<i64> {
    let own = rules.kinds[kind.index()].own().into_iter();
    own.map(number).collect()
}

/// All seats, counted from 0.
pub(super) fn seats(players: usize) -> Vec<i64> {
    (0..number(players)).collect()
}
