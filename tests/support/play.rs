//! Random playouts that remember everything, and their transcripts.

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::game::{Game, LegalMoves, Outcome, Said, State, Step, Trap};
use astragal::machinery::transcript as text;

/// One thing that happened, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Said(Said),
    /// Index, event and outcome in words.
    Drew(u32, String, String),
    /// Index, who, and the move in words.
    Decided(usize, String, String),
}

/// A whole game by players who pick at random.
#[derive(Clone, Debug)]
pub(crate) struct Playout {
    pub(crate) events: Vec<Event>,
    /// The last state.
    pub(crate) state: State,
    pub(crate) outcome: Outcome,
}

/// Plays one game to its end; `look` sees every state where something waits.
pub(crate) fn playout(
    game: &Game,
    seed: u64,
    look: &mut dyn FnMut(&State, &LegalMoves, Step),
) -> Result<Playout, Trap> {
    let mut chance = Seed(seed).stream(0);
    let mut state = game.initial_state();
    let mut turn = LegalMoves::new();
    let mut events = Vec::new();
    loop {
        let step = game.advance(&mut state, &mut turn)?;
        events.extend(turn.said.iter().cloned().map(Event::Said));
        look(&state, &turn, step);
        match step {
            Step::Decide { player } => {
                let count = u32::try_from(turn.count()).expect("there are few moves");
                let index = chance.below(count) as usize;
                let name = game.names()[player.index()].clone();
                events.push(Event::Decided(index, name, game.label_move(&state, &turn, index)));
                game.choose(&mut state, &turn, index);
            }
            Step::Draw { outcomes } => {
                let index = chance.below(outcomes);
                events.push(Event::Drew(index, game.event(&state), game.outcome(&state, index)));
                game.draw(&mut state, index);
            }
            Step::End => {
                let outcome =
                    game.final_outcome(&state).expect("a game that is over has an outcome");
                return Ok(Playout { events, state, outcome });
            }
        }
    }
}

/// The transcript of a playout.
pub(crate) fn transcript(game: &Game, name: &str, playout: &Playout) -> String {
    let mut lines = text::opening(name, game.names(), &game.info().options);
    for event in &playout.events {
        match event {
            Event::Said(said) => lines.extend(text::format_said(said, game.names())),
            Event::Drew(_, event, outcome) => lines.push(text::chance(event, outcome)),
            Event::Decided(_, name, label) => lines.push(text::format_decision(name, label)),
        }
    }
    lines.push(format!("= {}", text::format_result(&playout.outcome, game.names())));
    lines.join("\n") + "\n"
}
