//! Rules and the finite types that their parameters have.

use crate::reference::Reference;
use crate::reference::knowledge::all_seats;
use crate::reference::values::{BlockEnd, Datum, Halt, RuleFrame, Run, to_number};
use crate::rules::{Domain, Expr, PLAYER, RangeId, Rule, RuleId};

/// Rules that call each other so deep are not compared any more.
const DEEPEST: usize = 2_000;

impl<'g> Reference<'g> {
    pub(super) fn call_rule(&mut self, rule: RuleId, args: Vec<Datum>) -> Run<Datum> {
        self.run_rule(&self.rules.rules[rule.index()], args)
    }

    /// Runs a rule; its value is `none` where nothing is returned. A parameter with a range checks its argument.
    pub(super) fn run_rule(&mut self, rule: &'g Rule, args: Vec<Datum>) -> Run<Datum> {
        let mut frame = RuleFrame::new(&rule.locals);
        for (at, arg) in args.into_iter().enumerate() {
            self.check_range(rule.locals[at].range, &arg)?;
            frame.locals.insert(at, arg);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Halt::Bound("rules call each other too deep"));
        }
        let flow = self.within(frame, |it| it.run_block(&rule.body));
        self.depth -= 1;
        match flow? {
            BlockEnd::Return(value) => Ok(value),
            BlockEnd::On => Ok(Datum::None),
            BlockEnd::Break | BlockEnd::Continue => panic!("these leave a loop, no rule"),
        }
    }

    pub(super) fn eval_constant(&mut self, expr: &Expr) -> Run<Datum> {
        self.within(RuleFrame::default(), |it| it.eval(expr))
    }

    /// Runs `run` in `frame`, then restores the outer frame, also after an error.
    pub(super) fn within<T>(
        &mut self,
        frame: RuleFrame<'g>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.frame, frame);
        let result = run(self);
        self.frame = outer;
        result
    }

    /// The members of a finite type, in order.
    pub(super) fn domain_members(&mut self, domain: Domain) -> Run<Vec<i64>> {
        Ok(match domain {
            Domain::Kind(PLAYER) => all_seats(self.table.player_count()),
            Domain::Kind(kind) => {
                let own = self.rules.kinds[kind.index()].own_members().into_iter();
                own.map(to_number).collect()
            }
            Domain::Range(range) => {
                let (low, high) = self.range_bounds(range)?;
                (low..=high.expect("a finite range has an end")).collect()
            }
        })
    }

    pub(super) fn range_bounds(&mut self, range: RangeId) -> Run<(i64, Option<i64>)> {
        let range = &self.rules.ranges[range.index()];
        let low = self.eval_constant(&range.low)?.to_int();
        let high = range.high.as_ref().map(|high| self.eval_constant(high)).transpose()?;
        Ok((low, high.map(|high| high.to_int())))
    }

    /// "A number must stay in its range."
    pub(super) fn check_range(&mut self, range: Option<RangeId>, value: &Datum) -> Run {
        let (Some(range), Datum::Int(number)) = (range, value) else { return Ok(()) };
        let (low, high) = self.range_bounds(range)?;
        if *number < low || high.is_some_and(|high| *number > high) {
            return Err(Halt::Trap("OutOfRange"));
        }
        Ok(())
    }
}
