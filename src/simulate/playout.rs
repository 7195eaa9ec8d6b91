//! One game by uniformly random players, start to end, as fast as the machine goes.

use super::coverage::cut_off;
use crate::chance::{Chance, Seed, Seeded};
use crate::game::{Game, State, Trap};
use crate::source::Span;
use crate::vm::{Driver, Offers, run};

/// How many decisions and draws of chance a playout had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    pub decisions: u64,
    pub draws: u64,
}

/// A table for one playout after the other: everything that a playout needs is kept, so that none
/// allocates, unless it meets a longer list of moves than any before it.
#[derive(Debug)]
pub struct Playouts<'a> {
    game: &'a Game,
    start: State,
    state: State,
    offers: Offers,
    seats: Vec<Seeded>,
    /// How often each operation cut off what somebody gained, in all games.
    cut_off: Vec<u64>,
}

impl<'a> Playouts<'a> {
    pub fn new(game: &'a Game) -> Playouts<'a> {
        let start = game.initial_state();
        let state = start.clone();
        let seats = Vec::with_capacity(game.info().players);
        let cut_off = vec![0; game.program().code.len()];
        Playouts { game, start, state, offers: Offers::new(), seats, cut_off }
    }

    /// Plays one game with random moves. The same seed and number give the same game as a table
    /// with random seats that is played step by step.
    ///
    /// # Errors
    /// A mistake in the rules that showed in play.
    pub fn play(&mut self, seed: Seed, number: u64) -> Result<Played, Trap> {
        let players = self.game.info().players;
        self.state.clone_from(&self.start);
        self.seats.clear();
        self.seats.extend(seats(self.game).map(|seat| seed.seat(number, players, seat)));
        let mut random = Random {
            table: seed.table(number, players),
            seats: &mut self.seats,
            cut_off: &mut self.cut_off,
            played: Played::default(),
        };
        let (program, names) = (self.game.program(), self.game.names());
        run(program, &mut self.state, &mut self.offers, names, &mut random)?;
        Ok(random.played)
    }

    /// What is measured at the end of the last game.
    ///
    /// # Errors
    /// A mistake in the rules that shows while a value is computed.
    pub fn measure(&self) -> Result<(), Trap> {
        self.game.measure_values(&self.state).map(|_| ())
    }

    /// Where `gains` was cut off at the top of a range in any of the games, and how often.
    pub fn cut_off(&self) -> Vec<(Span, u64)> {
        cut_off(self.game, &self.cut_off).into_iter().filter(|(_, times)| *times > 0).collect()
    }

    /// The end of the last game. Nobody was to look at it, so it does not say who knows which cards.
    pub fn state(&self) -> &State {
        &self.state
    }
}

/// The seats of a game.
pub(super) fn seats(game: &Game) -> std::ops::Range<u8> {
    0..u8::try_from(game.info().players).expect("at most 20 can play")
}

/// A driver that answers everything at random, each seat and the table from a stream of its own.
struct Random<'a> {
    table: Seeded,
    seats: &'a mut [Seeded],
    cut_off: &'a mut [u64],
    played: Played,
}

impl Driver for Random<'_> {
    fn wants_speech(&self) -> bool {
        false
    }

    fn tracks_knowledge(&self) -> bool {
        false
    }

    fn cuts_off(&mut self, operation: usize) {
        self.cut_off[operation] += 1;
    }

    fn hear(&mut self, _to: Option<u8>, _text: &str) {}

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        self.played.decisions += 1;
        let moves = u32::try_from(offers.count()).expect("a decision has fewer than 2^32 moves");
        let index = self.seats[usize::from(offers.player())].below(moves);
        usize::try_from(index).ok()
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        self.played.draws += 1;
        Some(self.table.below(outcomes))
    }
}
