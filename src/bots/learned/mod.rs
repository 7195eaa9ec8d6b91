//! The learned evaluation of positions, and priors of moves, trained by self-play.

mod features;
mod file;
mod network;
mod selfplay;
mod words;

pub(crate) use file::{BotFileFault, FORM};
pub(crate) use selfplay::Trainer;

use crate::bots::fixed_point::ONE;
use crate::bots::heuristic::Analysis;
use crate::bots::payoff::{Payoff, WIN};
use crate::bots::playout::WHOLE;
use crate::game::{LegalMoves, Player, State};
use features::{Eyes, FeatureLayout, SeenStanding};
use network::{FeatureList, Network};
use words::MoveRows;

/// What was learned of a game in one setting.
#[derive(Clone, Debug)]
pub(crate) struct Learned {
    layout: FeatureLayout,
    words: MoveRows,
    network: Network,
    /// What is worth [`ONE`], in parts of a win.
    unit: i64,
    /// How many games it was learned from.
    games: u64,
    seed: u64,
    /// Points and games of each first teacher: see [`Trainer`].
    teachers: Vec<(i64, i64)>,
    /// Points and games of the learned player, and of the best teacher; older ones fade.
    matches: [(i64, i64); 2],
}

impl Learned {
    fn new(analysis: &Analysis, seed: u64) -> Learned {
        let layout = FeatureLayout::new(analysis, None);
        let network = Network::new(layout.count());
        let words = MoveRows::new(analysis.game());
        let unit = if analysis.payoff() == Payoff::Common { 0 } else { WIN };
        Learned {
            layout,
            words,
            network,
            unit,
            games: 0,
            seed,
            teachers: Vec::new(),
            matches: Default::default(),
        }
    }

    /// From how many games it learned.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// What a state is worth to each player, in parts of a win.
    pub(super) fn worth(
        &self,
        analysis: &Analysis,
        state: &State,
        mover: Option<Player>,
    ) -> Vec<i64> {
        let game = analysis.game();
        let standing = self.layout.standing(analysis, state);
        let worth_to = |seat: usize| {
            let list = self.see(analysis, (state, &standing), seat, mover);
            self.network.worth(&self.network.hidden(&list))
        };
        let mut worth: Vec<i64> = (0..game.info().players).map(worth_to).collect();
        if let ([one, other], true) = (worth.as_mut_slice(), analysis.payoff() != Payoff::Common) {
            // What one of two wins, the other loses.
            let half = (*one - *other) / 2;
            (*one, *other) = (half, -half);
        }
        let in_parts = |worth: i64| {
            let parts = i128::from(worth) * i128::from(self.unit) / i128::from(ONE);
            i64::try_from(parts).expect("it is less than the unit")
        };
        worth.into_iter().map(in_parts).collect()
    }

    fn see(
        &self,
        analysis: &Analysis,
        seen: (&State, &SeenStanding),
        seat: usize,
        mover: Option<Player>,
    ) -> FeatureList {
        let mover = mover.map(Player::index);
        self.layout.list_features(analysis.game().program(), seen, Eyes { seat, mover })
    }

    /// How likely each legal move is to be good, in parts of [`WHOLE`]; nothing is ruled out.
    pub(super) fn priors(
        &self,
        analysis: &Analysis,
        (state, legal): (&State, &LegalMoves),
        player: Player,
    ) -> Vec<u32> {
        let standing = self.layout.standing(analysis, state);
        let list = self.see(analysis, (state, &standing), player.index(), Some(player));
        let hidden = self.network.hidden(&list);
        let words = self.words.list_rows(analysis.game(), (state, legal), player);
        let count = u32::try_from(legal.count()).expect("a list of moves is short").max(1);
        let likely = self.network.likely(&hidden, &words);
        likely.into_iter().map(|share| share - share / 8 + WHOLE / 8 / count).collect()
    }
}
