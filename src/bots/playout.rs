//! Evaluates positions for a search: playouts to the end, and priors of moves.

use std::sync::Arc;

use crate::bots::Dealer;
use crate::bots::deals::STRIDE;
use crate::bots::heuristic::Analysis;
use crate::bots::learned::Learned;
use crate::bots::payoff::Payoff;
use crate::bots::random::RandomDriver;
use crate::chance::{Chance as _, Seeded};
use crate::game::{Game, LegalMoves, Player, State, Step};
use crate::snippet::{WaitingGame, picked};
use crate::vm::{self, Offers, run};

/// The decision after which a random game is a draw.
const LONGEST: u64 = 20_000;

/// The decision after which the heuristic evaluates a playout: random moves after that have little to do with the
/// first.
const HORIZON: u64 = 20;

/// The horizon of a strategy, whose later moves make more sense: what costs points at first may pay much later.
const HORIZON_OF_STRATEGY: u64 = 100;

/// The decision after which a game of a strategy is a draw.
const LONGEST_OF_STRATEGY: u64 = 1_000;

/// The sum of what a guide says of the legal moves.
pub(super) const WHOLE: u32 = 1 << 16;

/// Whom a search asks how games go on.
#[derive(Clone, Debug)]
pub(super) enum Counsel {
    /// Chance, and only wins count: the search as it was before others guided it.
    Chance,
    /// Chance, and results count as they are meant.
    Margins,
    /// The strategy of the rules that has this number.
    Strategy(usize),
    /// What was learned of the game.
    Learned(Arc<Learned>),
}

/// A place for games that are played on, one after the other.
#[derive(Clone, Debug)]
pub(super) struct PlayoutRunner {
    /// What says how much games that run are worth.
    analysis: Analysis,
    counsel: Counsel,
    payoff: Payoff,
    offers: Offers,
    legal: LegalMoves,
}

impl PlayoutRunner {
    pub(super) fn new(analysis: &Analysis, counsel: Counsel) -> PlayoutRunner {
        let payoff = match counsel {
            Counsel::Chance => Payoff::Wins,
            _ => analysis.payoff(),
        };
        let (analysis, offers, legal) = (analysis.clone(), Offers::new(), LegalMoves::new());
        PlayoutRunner { analysis, counsel, payoff, offers, legal }
    }

    pub(super) fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    pub(super) fn payoff(&self) -> Payoff {
        self.payoff
    }

    /// Whether it can say which moves are likely to be good.
    pub(super) fn is_guided(&self) -> bool {
        matches!(self.counsel, Counsel::Strategy(_) | Counsel::Learned(_))
    }

    /// Plays on, and says what comes of it: what the game is worth when it is over, or who leads
    /// after [`HORIZON`] decisions, where anybody can tell. A mistake in the rules is worth nothing
    /// to anybody: a player who plays on will meet it.
    pub(super) fn play_out(
        &mut self,
        game: &Game,
        (state, mover): (&mut State, Option<Player>),
        chance: &mut Seeded,
    ) -> Vec<i64> {
        match &self.counsel {
            Counsel::Chance | Counsel::Margins => self.play_at_random(game, state, chance),
            Counsel::Strategy(strategy) => self.follow_strategy(*strategy, game, state, chance),
            // What was learned errs in a way of its own, and games played on in another: half of each errs less.
            // Where all have one score, random games spoil it, and a strategy plays if one is known to be good.
            Counsel::Learned(learned) => {
                let is_common = self.payoff == Payoff::Common;
                let strategy = learned.best_strategy(&self.analysis).filter(|_| is_common);
                let learned = learned.worth(&self.analysis, state, mover);
                let played = match strategy {
                    Some(number) => self.follow_strategy(number, game, state, chance),
                    None => self.play_at_random(game, state, chance),
                };
                let half = |(learned, played): (i64, i64)| learned / 2 + played / 2;
                learned.into_iter().zip(played).map(half).collect()
            }
        }
    }

    fn play_at_random(&mut self, game: &Game, state: &mut State, chance: &mut Seeded) -> Vec<i64> {
        let judges = self.analysis.standing_predicts_end();
        if judges
            && self.payoff != Payoff::Wins
            && let Some(length) = self.analysis.deal_length()
        {
            return self.play_deal(4 * length, game, state, chance);
        }
        let left = if judges { HORIZON } else { LONGEST };
        let mut driver = RandomDriver { chance, left };
        match run(game.program(), state, &mut self.offers, game.names(), &mut driver) {
            Ok(vm::VmStep::End) => self.analysis.ended(state, self.payoff),
            Ok(_) if judges => self.analysis.running(state, self.payoff),
            Ok(_) | Err(_) => vec![0; game.info().players],
        }
    }

    /// Plays at random until the standing changes: a deal is over, and the rest of a match has little to do
    /// with it.
    fn play_deal(
        &mut self,
        most: u64,
        game: &Game,
        state: &mut State,
        chance: &mut Seeded,
    ) -> Vec<i64> {
        let scores = |state: &State| self.analysis.lead_measure()?.scores(state);
        let before = scores(state);
        for _ in 0..most / STRIDE {
            let mut driver = RandomDriver { chance, left: STRIDE };
            match run(game.program(), state, &mut self.offers, game.names(), &mut driver) {
                Ok(vm::VmStep::End) => return self.analysis.ended(state, self.payoff),
                Ok(_) if scores(state) == before => {}
                Ok(_) => break,
                Err(_) => return vec![0; game.info().players],
            }
        }
        self.analysis.running(state, self.payoff)
    }

    /// Plays on by a strategy for all. Where all have one score, only the end tells what it is.
    fn follow_strategy(
        &mut self,
        strategy: usize,
        game: &Game,
        state: &mut State,
        chance: &mut Seeded,
    ) -> Vec<i64> {
        let judges = self.analysis.standing_predicts_end();
        let is_cut = judges && self.payoff != Payoff::Common;
        let most = if is_cut { HORIZON_OF_STRATEGY } else { LONGEST_OF_STRATEGY };
        for _ in 0..most {
            match game.advance_with(state, &mut self.legal, &mut Dealer::unwatched(chance)) {
                Ok(Step::End) => return self.analysis.ended(state, self.payoff),
                Ok(Step::Draw { .. }) => unreachable!("the driver answers draws"),
                Err(_) => return vec![0; game.info().players],
                Ok(Step::Decide { player }) => {
                    let moves = moves_of(strategy, game, (state, &self.legal), player);
                    let index = match moves.as_slice() {
                        [] => chance.random_index(self.legal.count()),
                        moves => moves[chance.random_index(moves.len())],
                    };
                    game.choose(state, &self.legal, index);
                }
            }
        }
        if judges {
            self.analysis.running(state, self.payoff)
        } else {
            vec![0; game.info().players]
        }
    }

    /// How likely each legal move is to be good, in parts of [`WHOLE`]: of a strategy, those that it
    /// would make share three quarters.
    pub(super) fn priors(&self, state: &State, legal: &LegalMoves, player: Player) -> Vec<u32> {
        if let Counsel::Learned(learned) = &self.counsel {
            return learned.priors(&self.analysis, (state, legal), player);
        }
        let count = u32::try_from(legal.count()).expect("a list of moves is short").max(1);
        let picked = match self.counsel {
            Counsel::Strategy(strategy) => {
                moves_of(strategy, self.analysis.game(), (state, legal), player)
            }
            _ => Vec::new(),
        };
        let likely = u32::try_from(picked.len()).expect("a list of moves is short");
        let (rest, each) = match likely {
            0 => (WHOLE / count, 0),
            likely => (WHOLE / 4 / count, WHOLE * 3 / 4 / likely),
        };
        let mut priors = vec![rest; legal.count()];
        picked.into_iter().for_each(|index| priors[index] += each);
        priors
    }
}

/// The moves that a strategy would make, if only one is legal that one.
pub(super) fn moves_of(
    strategy: usize,
    game: &Game,
    (state, legal): (&State, &LegalMoves),
    player: Player,
) -> Vec<usize> {
    if legal.count() == 1 {
        return vec![0];
    }
    picked(WaitingGame { game, state, legal }, player, strategy, None)
}
