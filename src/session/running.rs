//! A game in play: the loaded game, its state, and its legal moves.

use crate::bots::{Analysis, BotKind, Control, View};
use crate::budget::Budget;
use crate::chance::Seeded;
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LegalMoves, MaskedMove, Outcome, Player, Said, State, Step, Trap};
use crate::rulebook::Phrases;
use crate::snippet::{self, LineError, Reason, WaitingGame};
use crate::source::Source;

/// What a bot would do at a decision.
#[derive(Default)]
pub(super) struct Advice {
    /// Its move.
    pub(super) index: usize,
    /// The error where its memory did not suffice for a better one.
    pub(super) ran_out: Option<Trap>,
    pub(super) line_errors: Vec<LineError>,
}

/// A loaded game with its state and the buffer of its legal moves.
#[derive(Clone, Debug)]
pub struct Running {
    pub(super) game: Game,
    analysis: Analysis,
    pub(super) state: State,
    pub(super) legal: LegalMoves,
    /// What `set` said since play stopped.
    pub(super) said: Vec<Said>,
}

impl Running {
    /// Returns the game at its start, before setup.
    pub fn new(game: Game) -> Running {
        let (state, analysis) = (game.initial_state(), Analysis::new(game.clone()));
        Running { game, analysis, state, legal: LegalMoves::new(), said: Vec::new() }
    }

    /// Takes files of what bots learned of the game.
    pub(crate) fn equip(&mut self, game: Game) {
        self.analysis = Analysis::new(game.clone());
        self.game = game;
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn names(&self) -> &[String] {
        self.game.names()
    }

    /// Runs on until somebody must decide, chance must draw, or the game is over.
    /// # Errors
    /// A mistake in the rules that only showed in play.
    pub fn advance_position(&mut self) -> Result<Step, Diagnostics> {
        let step = self.game.advance(&mut self.state, &mut self.legal);
        let sound = step
            .and_then(|step| self.game.wrong_words(&self.state, &self.legal).map_or(Ok(step), Err));
        sound.map_err(|trap| Diagnostics::of(self.masked(trap)))
    }

    pub fn count_moves(&self) -> usize {
        self.legal.count()
    }

    pub fn label_move(&self, index: usize) -> String {
        self.game.label_move(&self.state, &self.legal, index)
    }

    /// The legal move with these numbers, by index.
    pub(crate) fn find_numbers(&self, numbers: &[u32]) -> Option<usize> {
        self.game.find_numbers(&self.state, &self.legal, numbers)
    }

    pub(super) fn legal_labels(&self) -> Vec<String> {
        self.game.label_moves(&self.state, &self.legal).collect()
    }

    pub fn make_move(&mut self, index: usize) {
        self.game.choose(&mut self.state, &self.legal, index);
    }

    pub fn decision_question(&self) -> Option<String> {
        self.game.question(&self.state)
    }

    pub(super) fn event(&self) -> String {
        self.game.event(&self.state)
    }

    pub fn outcome(&self, index: u32) -> String {
        self.game.outcome(&self.state, index)
    }

    pub fn answer_draw(&mut self, index: u32) {
        self.game.draw(&mut self.state, index);
    }

    pub fn final_outcome(&self) -> Option<Outcome> {
        self.game.final_outcome(&self.state)
    }

    /// Returns what the rulebook says of the `finish` that ended the game.
    pub(super) fn ended_because(&self) -> Option<String> {
        let at = self.legal.ended_at?;
        Phrases::new(&snippet::edition(&self.game), &Budget::default()).ending(at)
    }

    /// Returns the game where it waits, with its legal moves.
    pub(super) fn waiting(&self) -> WaitingGame<'_> {
        WaitingGame { game: &self.game, state: &self.state, legal: &self.legal }
    }

    pub(super) fn apply_statements(&mut self, source: &Source) -> Result<(), Diagnostics> {
        self.said.extend(snippet::apply_statements(&self.game, &mut self.state, source)?);
        Ok(())
    }

    /// Leaves the flow and runs a rule instead.
    pub(super) fn start_rule(&mut self, source: &Source) -> Result<(), Diagnostics> {
        self.game = snippet::start_rule(&self.game, &mut self.state, source)?;
        self.analysis = Analysis::new(self.game.clone());
        Ok(())
    }

    /// Returns the promises that do not hold: their numbers in the rules, and a diagnostic for some
    /// players together; with no player named, it says everything. What depends on values that they
    /// may not see is left out: that it does not hold would tell of them.
    pub(super) fn unkept(&self, eyes: &[Player]) -> Vec<(usize, Diagnostics)> {
        let explain = |it: &_, eyes| snippet::explain(self.waiting(), it, eyes);
        let unkept = self.game.unkept(&self.state).into_iter();
        let told = unkept.map(|it| (it.number, explain(&it, eyes), explain(&it, &[])));
        let seen = told.filter(|(_, told, all)| told == all);
        seen.filter_map(|(number, told, _)| Some((number, told?))).collect()
    }

    /// Returns why words are no legal move; words of people may be `short`.
    pub(super) fn why_not(&self, words: &str, short: bool) -> Reason {
        snippet::why_not(self.waiting(), words, short)
    }

    /// Returns a legal move as others hear it, who may know more of it when it has been made.
    pub(super) fn mask_move(&self, index: usize) -> MaskedMove {
        self.game.mask_move(&self.state, &self.legal, index)
    }

    pub(super) fn has_secrets(&self) -> bool {
        self.game.has_secrets()
    }

    /// Returns whether everybody may know how many moves are legal.
    pub(super) fn counts_openly(&self) -> bool {
        self.game.counts_openly(&self.state)
    }

    /// Returns how many have decided unseen, where several decide together.
    pub(super) fn picked_unseen(&self) -> usize {
        self.game.picked_unseen(&self.state)
    }

    /// Returns what a bot would do; the stream is that of its seat.
    pub(super) fn consult(
        &self,
        player: Player,
        kind: BotKind,
        control: Control,
        stream: &mut Seeded,
    ) -> Advice {
        let seen = self.game.observe(&self.state, player);
        let view = View { game: &self.game, seen: &seen, player, offers: self.legal.offers() };
        let mut bot = kind.bot(&self.analysis, control);
        let index = bot.choose(&view, stream);
        let ran_out = bot.ran_out().then(|| kind.out_of_memory(&self.game, &self.state));
        Advice { index, ran_out, line_errors: bot.line_errors().to_vec() }
    }

    /// Returns the warning of an error that a line of a strategy met, as everybody may read it.
    pub(super) fn warn_of_line(&self, error: &LineError) -> Diagnostics {
        let trap = self.masked(error.trap.clone());
        Diagnostics::of(LineError { trap, ..error.clone() }.describe(""))
    }

    /// Everybody reads of an error, and not everybody may know its numbers.
    fn masked(&self, trap: Trap) -> Trap {
        if self.game.has_secrets() { trap.masked() } else { trap }
    }
}
