//! Tests whether a judgement of running games foretells how random games end.

use crate::bots::random::RandomDriver;
use crate::chance::{Seed, Seeded};
use crate::game::{Game, State};
use crate::vm::{Offers, VmStep, run};

/// How many random games are compared.
const GAMES: u64 = 64;

/// How many decisions are made for it, at most.
const DECISIONS: u64 = 60_000;

/// Fewer games that somebody won prove nothing.
const FEWEST: u64 = 16;

/// Which judgements may stand for the end of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Foretold {
    /// The standing as it is.
    pub(super) now: bool,
    /// The standing with what lies ahead.
    pub(super) ahead: bool,
}

type Judgement<'a> = &'a dyn Fn(&State) -> Vec<i64>;

/// How often the player who led after three quarters of a game won it.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    right: u64,
    games: u64,
}

/// Compares two judgements after three quarters of random games with the ends of these games. Both
/// are believed where hardly any game has a winner: games played on at random would say even less.
pub(super) fn foretold(game: &Game, judgements: [Judgement; 2]) -> Foretold {
    let mut scores = [Score::default(); 2];
    let (mut left, mut won) = (DECISIONS, 0);
    for number in 0..GAMES {
        // The same games for all bots, so that they play alike everywhere.
        let stream = Seed(1).stream(number);
        let (state, made) = played(game, &mut stream.clone(), left);
        left -= made;
        let outcome = game.final_outcome(&state).filter(|_| state.has_ended());
        let winner = outcome.and_then(|it| it.returns.iter().position(|value| *value == 1));
        if let Some(winner) = winner {
            won += 1;
            let (late, _) = played(game, &mut stream.clone(), made - made / 4);
            for (score, judge) in scores.iter_mut().zip(judgements) {
                score.score_prediction(&judge(&late), winner);
            }
        }
        if left == 0 {
            break;
        }
    }
    let players = game.info().players as u64;
    let [now, ahead] = scores.map(|score| won < FEWEST || score.is_clear(players));
    Foretold { now, ahead: ahead && (won < FEWEST || scores[1].right >= scores[0].right) }
}

/// Plays `decisions` random decisions; returns the state and how many were made: fewer only if the game ended.
fn played(game: &Game, chance: &mut Seeded, decisions: u64) -> (State, u64) {
    let mut state = game.initial_state();
    let mut driver = RandomDriver { chance, left: decisions };
    let step = run(game.program(), &mut state, &mut Offers::new(), game.names(), &mut driver);
    let made = decisions - driver.left;
    // A mistake in the rules tells nothing.
    let made = if matches!(step, Ok(VmStep::End)) { made } else { decisions };
    (state, made)
}

impl Score {
    /// Counts a position whose values have a single leader, and whether that seat won.
    fn score_prediction(&mut self, judged: &[i64], winner: usize) {
        let most = judged.iter().max().copied().unwrap_or(0);
        let mut leaders = (0..judged.len()).filter(|seat| judged[*seat] == most);
        if let (Some(leader), None) = (leaders.next(), leaders.next()) {
            self.games += 1;
            self.right += u64::from(leader == winner);
        }
    }

    /// Whether it is right clearly more often than a guess: two standard deviations for two players.
    fn is_clear(self, players: u64) -> bool {
        let above = (self.right * players).saturating_sub(self.games);
        above * above >= players * players * self.games.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn a_guess_is_told_from_knowledge() {
        let clear = |right, games, players| Score { right, games }.is_clear(players);
        assert!(clear(40, 64, 2) && !clear(39, 64, 2));
        assert!(clear(24, 64, 4) && !clear(23, 64, 4));
        assert!(!clear(10, 64, 2) && !clear(0, 0, 2));
    }
}
