//! The machine beside the evaluator: at each step it must stand where the evaluator stands.

use astragal::chance::{Chance, Seed, Seeded};
use astragal::check::rules::Rules;
use astragal::game::{Game, LegalMoves, Player, Said, State, Step};
use astragal::source::Span;

use super::compare::difference;
use super::evaluator::Table;
use super::value::{Ending, Stop};

/// How many of the last events are told when the two part.
const TOLD: usize = 30;

/// The machine, and what has happened.
pub(super) struct Lockstep<'g> {
    game: &'g Game,
    state: State,
    turn: LegalMoves,
    said: Vec<Said>,
    chance: Seeded,
    events: Vec<String>,
}

impl<'g> Lockstep<'g> {
    pub(super) fn new(game: &'g Game, seed: u64) -> Lockstep<'g> {
        let (state, turn) = (game.initial_state(), LegalMoves::new());
        let chance = Seed(seed).stream(0);
        Lockstep { game, state, turn, said: Vec::new(), chance, events: Vec::new() }
    }

    pub(super) fn names(&self) -> &'g [String] {
        self.game.names()
    }

    /// A place of the rules as it is written there.
    pub(super) fn written(&self, span: Span) -> String {
        let text = self.game.sources().find(span).map_or("", |source| source.slice(span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What happened, and why the two part.
    pub(super) fn story(&self, why: &str) -> String {
        let from = self.events.len().saturating_sub(TOLD);
        format!("…\n{}\n{why}", self.events[from..].join("\n"))
    }

    /// The evaluator says something.
    pub(super) fn says(&mut self, to: Option<i64>, text: String) {
        let to = to.map(|seat| Player(u8::try_from(seat).expect("a seat is a small number")));
        self.events.push(format!("  {text}"));
        self.said.push(Said { to, text, declines: false });
    }

    /// Somebody declines who can do nothing else.
    pub(super) fn declines(&mut self, text: String) {
        self.says(None, text);
        self.said.last_mut().expect("it was just said").declines = true;
    }

    /// The evaluator asks a player: so does the machine.
    pub(super) fn asks(
        &mut self,
        player: i64,
        question: Option<&str>,
        labels: &[&str],
    ) -> Result<(), Stop> {
        let player = Player(u8::try_from(player).expect("a seat is a small number"));
        self.goes_on(Step::Decide { player })?;
        let count = self.turn.count();
        let words = (0..count).map(|index| self.game.label(&self.state, &self.turn, index));
        same("the moves", &words.collect::<Vec<_>>(), &labels)?;
        same("the question", &self.game.question(&self.state).as_deref(), &question)
    }

    /// All that lies on the table is the same.
    pub(super) fn stands(&self, rules: &Rules, table: &Table) -> Result<(), Stop> {
        match difference(self.game, rules, &self.state, table) {
            Some(found) => Err(Stop::Differs(found)),
            None => Ok(()),
        }
    }

    /// Somebody picks a move.
    pub(super) fn picks(&mut self, labels: &[&str], unkept: &[usize]) -> Result<usize, Stop> {
        let found = self.game.unkept(&self.state).into_iter().map(|it| it.number);
        same("what must always hold", &found.collect::<Vec<_>>().as_slice(), &unkept)?;
        let count = u32::try_from(labels.len()).expect("there are few moves");
        let index = self.chance.below(count) as usize;
        self.events.push(format!("> {}", labels[index]));
        self.game.choose(&mut self.state, &self.turn, index);
        Ok(index)
    }

    /// The evaluator draws: so does the machine, with the same outcomes.
    pub(super) fn draws(
        &mut self,
        event: &str,
        outcomes: &[String],
        rules: &Rules,
        table: &Table,
    ) -> Result<usize, Stop> {
        let count = u32::try_from(outcomes.len()).expect("there are few outcomes");
        self.goes_on(Step::Draw { outcomes: count })?;
        same("the event", &self.game.event(&self.state).as_str(), &event)?;
        let words = (0..count).map(|index| self.game.outcome(&self.state, index));
        same("the outcomes", &words.collect::<Vec<_>>().as_slice(), &outcomes)?;
        self.stands(rules, table)?;
        let index = self.chance.below(count);
        self.game.draw(&mut self.state, index);
        let index = index as usize;
        self.events.push(format!("* {event}: {}", outcomes[index]));
        Ok(index)
    }

    /// The evaluator has come to the end.
    pub(super) fn ends(
        &mut self,
        ending: &Ending,
        rules: &Rules,
        table: &Table,
    ) -> Result<(), Stop> {
        self.goes_on(Step::End)?;
        let result = self.game.result(&self.state).expect("a game that is over has a result");
        same("the returns", &result.returns, &ending.returns)?;
        same("the scores", &result.scores, &ending.scores)?;
        self.stands(rules, table)
    }

    /// What the evaluator measures at the end.
    pub(super) fn measures(&self, values: Vec<Result<Vec<i64>, Stop>>) -> Result<(), Stop> {
        let measured: Result<Vec<Vec<i64>>, Stop> = values.into_iter().collect();
        same("the measures", &self.game.measure_values(&self.state).ok(), &measured.ok())
    }

    /// The evaluator found a mistake in the rules: so does the machine.
    pub(super) fn traps(&mut self, name: &str) -> Result<(), Stop> {
        match self.game.advance(&mut self.state, &mut self.turn) {
            Err(trap) => {
                let trap = format!("{trap:?}");
                let found = trap.split([' ', '{']).next().unwrap_or_default();
                same("the mistake", &found, &name)
            }
            Ok(step) => {
                Err(Stop::Differs(format!("the machine: {step:?}, the evaluator: trap {name}")))
            }
        }
    }

    /// Runs the machine to where it waits, and compares what was said on the way.
    fn goes_on(&mut self, expected: Step) -> Result<(), Stop> {
        let found = self.game.advance(&mut self.state, &mut self.turn);
        let found = found.map_err(|trap| Stop::Differs(format!("the machine stops: {trap:?}")))?;
        same("what was said", &self.turn.said, &self.said)?;
        self.said.clear();
        let words = (0..self.turn.count()).map(|at| self.game.label(&self.state, &self.turn, at));
        let found = format!("{found:?}, moves {:?}", words.collect::<Vec<_>>());
        if found.starts_with(&format!("{expected:?}, ")) {
            return Ok(());
        }
        same("what is waited for", &found, &format!("{expected:?}"))
    }
}

/// Nothing, or how the two differ.
fn same<A: PartialEq<B> + std::fmt::Debug, B: std::fmt::Debug>(
    what: &str,
    machine: &A,
    evaluator: &B,
) -> Result<(), Stop> {
    if machine == evaluator {
        return Ok(());
    }
    Err(Stop::Differs(format!("{what}\n  machine:   {machine:?}\n  evaluator: {evaluator:?}")))
}
