//! A position that waits, with its legal moves.

use astragal::machinery::game::Trap;
use astragal::{Game, LegalMoves, State, Step};

#[derive(Clone)]
pub struct Node {
    pub state: State,
    pub legal: LegalMoves,
    pub step: Step,
}

impl Node {
    /// The beginning of a game, run to its first decision or draw.
    pub fn start(game: &Game) -> Result<Node, Trap> {
        let (mut state, mut legal) = (game.initial_state(), LegalMoves::new());
        let step = game.advance(&mut state, &mut legal)?;
        Ok(Node { state, legal, step })
    }

    /// How many answers there are.
    pub fn answers(&self) -> usize {
        match self.step {
            Step::Decide { .. } => self.legal.count(),
            Step::Draw { outcomes } => outcomes as usize,
            Step::End => 0,
        }
    }

    /// Answers the decision or draw, by position, and runs to the next one.
    pub fn answer(&mut self, game: &Game, index: u32) -> Result<(), Trap> {
        match self.step {
            Step::Decide { .. } => game.choose(&mut self.state, &self.legal, index as usize),
            Step::Draw { .. } => game.draw(&mut self.state, index),
            Step::End => return Ok(()),
        }
        self.step = game.advance(&mut self.state, &mut self.legal)?;
        Ok(())
    }

    /// The legal moves in words.
    pub fn labels(&self, game: &Game) -> Result<Vec<String>, Trap> {
        if !matches!(self.step, Step::Decide { .. }) {
            return Ok(Vec::new());
        }
        match game.wrong_words(&self.state, &self.legal) {
            Some(trap) => Err(trap),
            None => Ok(game.label_moves(&self.state, &self.legal).collect()),
        }
    }
}
