//! A game in play, as scripts and people deal with it.

use std::collections::BTreeSet;

use crate::bots::{Analysis, Control, Kind, Refusal, Solution, Solve, View, observe, solve};
use crate::chance::Seeded;
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Heard, LegalMoves, Outcome, Player, Said, State, Step, TableView, Unkept};
use crate::snippet::{self, Reason, Verdict};
use crate::source::Source;

/// A game in play: what waits, what can be done, what may be asked. The loops of this folder know
/// games by this alone, so they can be tested with rules made up for a test.
pub trait Playable: Clone {
    /// Returns what the players are called, by seat.
    fn names(&self) -> &[String];
    /// Runs on until somebody must decide, chance must draw, or the game is over.
    ///
    /// # Errors
    ///
    /// A mistake in the rules that only showed in play.
    fn advance(&mut self) -> Result<Step, Diagnostics>;
    /// Returns what was said by the last `advance`.
    fn said(&self) -> &[Said];
    /// Returns how many moves are legal.
    fn moves(&self) -> usize;
    /// Returns a legal move in words.
    fn label(&self, index: usize) -> String;
    /// Returns whether a number can be meant as a move in words: moves are then not known by their
    /// numbers in the list.
    fn prints_numbers(&self) -> bool {
        let number = |at| self.label(at).starts_with(|first: char| first.is_ascii_digit());
        (0..self.moves()).any(number)
    }
    /// Returns what there is to know about a legal move beside its words.
    fn remark(&self, _index: usize) -> Option<String> {
        None
    }
    /// Makes a move.
    fn choose(&mut self, index: usize);
    /// Returns the question at the decision.
    fn question(&self) -> Option<String>;
    /// Returns the waiting chance event in words.
    fn event(&self) -> String;
    /// Returns an outcome of the waiting chance event in words.
    fn outcome(&self, index: u32) -> String;
    /// Answers the waiting chance event.
    fn draw(&mut self, index: u32);
    /// Returns how the game ended, when it has.
    fn result(&self) -> Option<Outcome>;
    /// Returns what lies on the table, as far as a player may see it, if one looks. Dice that were not
    /// `rolled` yet, and whose values nothing else changed, are empty.
    fn table(&self, player: Option<Player>, rolled: &BTreeSet<String>) -> TableView;
    /// Tests a condition of a script.
    ///
    /// # Errors
    ///
    /// What is wrong with its text.
    fn verdict(&self, source: &Source) -> Result<Verdict, Diagnostics>;
    /// Carries out a statement of a script.
    ///
    /// # Errors
    ///
    /// What is wrong with its text, or why it stopped.
    fn apply(&mut self, source: &Source) -> Result<(), Diagnostics>;
    /// Leaves the flow and runs a rule instead.
    ///
    /// # Errors
    ///
    /// What is wrong with its text.
    fn start(&mut self, source: &Source) -> Result<(), Diagnostics>;
    /// Returns what must always hold and does not: its position in the rules, and what there is to
    /// say about it to some players together; to nobody, that is all.
    fn unkept(&self, _eyes: &[Player]) -> Vec<(usize, Diagnostics)> {
        Vec::new()
    }
    /// Says why a move is illegal.
    fn why_not(&self, words: &str) -> Reason;
    /// Computes an expression and puts its value into words.
    ///
    /// # Errors
    ///
    /// What is wrong with its text.
    fn value(&self, source: &Source) -> Result<String, Diagnostics>;
    /// Returns a legal move in the words that others hear.
    fn heard(&self, index: usize) -> String {
        self.label(index)
    }
    /// Returns a legal move as others hear it, who may know more of it when it has been made.
    fn told(&self, index: usize) -> Heard {
        Heard::open(self.heard(index))
    }
    /// Returns a move that has been made in the words that a player hears.
    fn hears(&self, told: &Heard, _player: Player) -> String {
        told.hidden()
    }
    /// Returns whether a player sees what comes of the draw that waits.
    fn sees_draw(&self, _player: Player) -> bool {
        true
    }
    /// Returns whether there is anything that not everybody sees.
    fn has_secrets(&self) -> bool {
        false
    }
    /// Returns how many have decided unseen, where several decide together.
    fn picked_unseen(&self) -> usize {
        0
    }
    /// Returns a number that grows when a secret is shown.
    fn shown_secrets(&self) -> usize {
        0
    }
    /// Returns the move that a bot would make; the stream is that of its seat.
    fn consult(&self, player: Player, bot: (Kind, Control), stream: &mut Seeded) -> usize;
    /// Solves the game from here on.
    ///
    /// # Errors
    ///
    /// Why it cannot be solved.
    fn solved(&self, wanted: Solve<'_>) -> Result<Solution, Refusal>;
    /// Returns the loaded game; none where the rules were made up for a test.
    fn game(&self) -> Option<&Game>;
}

/// A loaded game with its state and the buffer of its legal moves.
#[derive(Clone, Debug)]
pub struct Running {
    game: Game,
    study: Analysis,
    state: State,
    turn: LegalMoves,
}

impl Running {
    /// Returns the game at its start, before setup.
    pub fn new(game: Game) -> Running {
        let state = game.initial_state();
        let study = Analysis::new(game.clone());
        Running { game, study, state, turn: LegalMoves::new() }
    }

    /// Returns the state.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Playable for Running {
    fn names(&self) -> &[String] {
        self.game.names()
    }

    fn advance(&mut self) -> Result<Step, Diagnostics> {
        let step = self.game.advance(&mut self.state, &mut self.turn);
        let sound = step
            .and_then(|step| self.game.wrong_words(&self.state, &self.turn).map_or(Ok(step), Err));
        sound.map_err(|trap| {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(trap);
            diagnostics
        })
    }

    fn said(&self) -> &[Said] {
        &self.turn.said
    }

    fn moves(&self) -> usize {
        self.turn.count()
    }

    fn label(&self, index: usize) -> String {
        self.game.label(&self.state, &self.turn, index)
    }

    fn prints_numbers(&self) -> bool {
        self.game.prints_numbers(&self.state, &self.turn)
    }

    fn remark(&self, index: usize) -> Option<String> {
        self.game.remark(&self.state, &self.turn, index)
    }

    fn choose(&mut self, index: usize) {
        self.game.choose(&mut self.state, &self.turn, index);
    }

    fn question(&self) -> Option<String> {
        self.game.question(&self.state, &self.turn)
    }

    fn event(&self) -> String {
        self.game.event(&self.state)
    }

    fn outcome(&self, index: u32) -> String {
        self.game.outcome(&self.state, index)
    }

    fn draw(&mut self, index: u32) {
        self.game.draw(&mut self.state, index);
    }

    fn result(&self) -> Option<Outcome> {
        self.game.result(&self.state)
    }

    fn table(&self, player: Option<Player>, rolled: &BTreeSet<String>) -> TableView {
        self.game.table_since(&self.state, player, rolled)
    }

    fn verdict(&self, source: &Source) -> Result<Verdict, Diagnostics> {
        snippet::verdict(&self.game, &self.state, &self.turn, source)
    }

    fn apply(&mut self, source: &Source) -> Result<(), Diagnostics> {
        snippet::apply(&self.game, &mut self.state, source)
    }

    fn start(&mut self, source: &Source) -> Result<(), Diagnostics> {
        self.game = snippet::start(&self.game, &mut self.state, source)?;
        self.study = Analysis::new(self.game.clone());
        Ok(())
    }

    fn unkept(&self, eyes: &[Player]) -> Vec<(usize, Diagnostics)> {
        let unkept = self.game.unkept(&self.state).into_iter();
        let told = |it: &Unkept| snippet::explain(&self.game, &self.state, &self.turn, (it, eyes));
        unkept.map(|it| (it.number, told(&it))).collect()
    }

    fn why_not(&self, words: &str) -> Reason {
        snippet::why_not(&self.game, &self.state, &self.turn, words)
    }

    fn value(&self, source: &Source) -> Result<String, Diagnostics> {
        snippet::evaluate(&self.game, &self.state, &self.turn, source)
    }

    fn heard(&self, index: usize) -> String {
        self.game.heard_label(&self.state, &self.turn, index)
    }

    fn told(&self, index: usize) -> Heard {
        self.game.heard(&self.state, &self.turn, index)
    }

    fn hears(&self, told: &Heard, player: Player) -> String {
        self.game.told(told, &self.state, player)
    }

    fn sees_draw(&self, player: Player) -> bool {
        self.game.sees_draw(&self.state, player)
    }

    fn has_secrets(&self) -> bool {
        self.game.has_secrets()
    }

    fn picked_unseen(&self) -> usize {
        self.game.picked_unseen(&self.state)
    }

    fn shown_secrets(&self) -> usize {
        self.game.shown_secrets(&self.state)
    }

    fn consult(
        &self,
        player: Player,
        (kind, control): (Kind, Control),
        stream: &mut Seeded,
    ) -> usize {
        let seen = observe(&self.game, &self.state, player);
        let moves = self.turn.count();
        let view = View { game: &self.game, seen: &seen, player, moves };
        kind.bot(&self.study, control).choose(&view, stream)
    }

    fn solved(&self, wanted: Solve<'_>) -> Result<Solution, Refusal> {
        solve(&self.game, &self.state, wanted)
    }

    fn game(&self) -> Option<&Game> {
        Some(&self.game)
    }
}
