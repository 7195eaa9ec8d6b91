//! Monte Carlo bots: flat rollouts, and tree search with several players, chance and secrets.

use std::collections::BTreeMap;

use super::budget::{BotBudget, Control};
use super::heuristic::Analysis;
use super::payoff::final_worth;
use super::random::{RandomDriver, stream_of_decision};
use super::tree::{Backup, MAX_TREE, NodeId, SearchTree, TreeMoves};
use super::{Bot, Dealer, View};
use crate::chance::{Chance, Seeded};
use crate::game::{Game, LegalMoves, Player, ShownWords, State, Step, fnv};
use crate::vm::{self, Offers, Sampler, run};

/// After how many decisions a random game is called a draw.
const LONGEST: u64 = 20_000;

/// After how many decisions the heuristic evaluates a playout, in place of playing on: what comes
/// after them at random has little to do with the move that they began with.
const HORIZON: u64 = 20;

/// How many decisions a way down the tree has at most: positions may lead back to themselves.
const DEEPEST: usize = 500;

/// How many moves have keys that are kept; more are put together again.
const MOST_KNOWN: usize = 100_000;

/// A place for random games, one after the other.
#[derive(Clone, Debug)]
struct PlayoutRunner {
    /// What says how much games that run are worth.
    analysis: Analysis,
    offers: Offers,
}

impl PlayoutRunner {
    fn new(analysis: &Analysis) -> PlayoutRunner {
        PlayoutRunner { analysis: analysis.clone(), offers: Offers::new() }
    }

    /// Plays on at random, and says what comes of it: what the game is worth when it is over, or
    /// who leads after [`HORIZON`] decisions, where anybody can tell. A mistake in the rules is
    /// worth nothing to anybody: a player who plays on will meet it.
    fn play_out(&mut self, game: &Game, state: &mut State, chance: &mut Seeded) -> Vec<i64> {
        let left = if self.analysis.judges() { HORIZON } else { LONGEST };
        let mut driver = RandomDriver { chance, left };
        match run(game.program(), state, &mut self.offers, game.names(), &mut driver) {
            Ok(vm::VmStep::End) => final_worth(game, state),
            Ok(_) if self.analysis.judges() => self.analysis.running(state),
            Ok(_) | Err(_) => vec![0; game.info().players],
        }
    }
}

/// Takes the move after which random games end best.
#[derive(Clone, Debug)]
pub(super) struct Rollout {
    budget: BotBudget,
    control: Control,
    games: PlayoutRunner,
}

impl Rollout {
    pub(super) fn new(analysis: &Analysis, budget: BotBudget, control: Control) -> Rollout {
        Rollout { budget, control, games: PlayoutRunner::new(analysis) }
    }
}

impl Bot for Rollout {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut chance = stream_of_decision(chance);
        let mut totals = vec![(0_i64, 0_i64); view.count_moves()];
        let mut legal = LegalMoves::new();
        if view.count_moves() == 1 {
            return 0;
        }
        // Each move has the same number of games, but for the last round.
        for (index, _) in (0..view.count_moves()).cycle().zip(self.budget.iterations(self.control))
        {
            let Some(mut state) = view.imagine(&mut chance, &mut legal) else { continue };
            view.game.choose(&mut state, &legal, index);
            let worth = self.games.play_out(view.game, &mut state, &mut chance);
            totals[index].0 += worth[view.player.index()];
            totals[index].1 += 1;
        }
        best_mean(&totals)
    }
}

/// The place with the highest mean; the first of equals.
fn best_mean(totals: &[(i64, i64)]) -> usize {
    let mut best = 0;
    for (index, (sum, count)) in totals.iter().enumerate() {
        let (best_sum, best_count) = totals[best];
        // Means are compared by cross-multiplication; what was never tried is not chosen.
        let better =
            i128::from(*sum) * i128::from(best_count) > i128::from(best_sum) * i128::from(*count);
        if *count > 0 && (best_count == 0 || better) {
            best = index;
        }
    }
    best
}

/// Searches a tree of what may follow, and takes the move that it came back to most often.
#[derive(Clone, Debug)]
pub(super) struct Mcts {
    budget: BotBudget,
    control: Control,
    games: PlayoutRunner,
    ran_out: bool,
}

impl Mcts {
    pub(super) fn new(analysis: &Analysis, budget: BotBudget, control: Control) -> Mcts {
        let games = PlayoutRunner::new(analysis);
        Mcts { budget, control, games, ran_out: false }
    }
}

impl Bot for Mcts {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let chance = stream_of_decision(chance);
        if view.count_moves() == 1 {
            return 0;
        }
        let looks_ahead = self.games.analysis.looks_ahead();
        let mut search = TreeSearch {
            view,
            looks_ahead,
            chance,
            state: view.seen.seen().clone(),
            sampler: Sampler::new(view.game.program(), view.seen),
            words: MoveKeys {
                hides: view.game.has_secrets(),
                copy: view.seen.seen().clone(),
                known: BTreeMap::new(),
                shown: ShownWords::default(),
            },
            tree: SearchTree::new(
                if looks_ahead { Backup::Best } else { Backup::Mean },
                view.game.info().players,
                !view.game.has_secrets(),
            ),
            legal: LegalMoves::new(),
            games: &mut self.games,
            path: Vec::new(),
        };
        let mut iterations = self.budget.iterations(self.control);
        self.ran_out = iterations.any(|_| {
            search.iterate();
            search.tree.used_bytes() > MAX_TREE
        });
        search.most_visited()
    }

    fn ran_out(&self) -> bool {
        self.ran_out
    }
}

struct TreeSearch<'a> {
    view: &'a View<'a>,
    /// Whether leaves are judged, and not played on at random.
    looks_ahead: bool,
    chance: Seeded,
    /// Where each iteration plays.
    state: State,
    sampler: Sampler<'a>,
    words: MoveKeys,
    tree: SearchTree,
    legal: LegalMoves,
    games: &'a mut PlayoutRunner,
    /// The decisions on the way of one iteration: node, way, who decided.
    path: Vec<(NodeId, u64, Player)>,
}

impl TreeSearch<'_> {
    /// One state that could be, one way down the tree, and what comes of where it ends.
    fn iterate(&mut self) {
        if !self.sample_position() {
            return;
        }
        self.path.clear();
        let mut worth = self.descend();
        self.tree.has_seen(&worth);
        for (node, key, player) in self.path.iter().rev() {
            self.tree.add_result(*node, *key, player.index(), &mut worth);
        }
    }

    /// Makes the state one that could be; whether there is one.
    fn sample_position(&mut self) -> bool {
        let TreeSearch { view, sampler, state, chance, legal, .. } = self;
        view.imagine_in(sampler, state, chance, legal)
    }

    fn descend(&mut self) -> Vec<i64> {
        let (game, state) = (self.view.game, &mut self.state);
        let (mut node, mut is_new) = (0, false);
        while self.path.len() < DEEPEST {
            match game.advance_with(state, &mut self.legal, &mut Dealer(&mut self.chance)) {
                Ok(Step::End) => return final_worth(game, state),
                Ok(Step::Draw { .. }) => unreachable!("the driver answers draws"),
                Err(_) => return vec![0; game.info().players],
                Ok(Step::Decide { player }) => {
                    if !self.words.hides {
                        state.canonicalise(game.program());
                        (node, is_new) = self.tree.ensure_node(state);
                    }
                    if is_new {
                        break;
                    }
                    let keys = self.words.keys(game, state, &self.legal);
                    let moves = match &keys {
                        Some(keys) => TreeMoves::Keyed(keys),
                        None => TreeMoves::Numbered(self.legal.count()),
                    };
                    let pick = |count| self.chance.random_index(count);
                    let index = self.tree.select(node, player.index(), moves, pick);
                    game.choose(state, &self.legal, index);
                    let key = keys.map_or(index as u64, |keys| keys[index]);
                    self.path.push((node, key, player));
                    if self.words.hides {
                        (node, is_new) = self.tree.child(node, key);
                    }
                }
            }
        }
        if self.looks_ahead {
            return self.games.analysis.ahead(state);
        }
        self.games.play_out(game, state, &mut self.chance)
    }

    /// The move that was searched most, as the root lists it.
    fn most_visited(&mut self) -> usize {
        if !self.sample_position() {
            return 0;
        }
        let favourite = self.tree.most_visited_key(self.view.player.index());
        // Where nothing could be searched, any move will do.
        let place = match self.words.keys(self.view.game, &self.state, &self.legal) {
            Some(keys) => keys.iter().position(|key| Some(*key) == favourite),
            None => favourite.map(|key| usize::try_from(key).expect("the number of a move")),
        };
        place.filter(|place| *place < self.legal.count()).unwrap_or(0)
    }
}

/// Tells moves apart: by their numbers, or where players see different things by their words, since other moves
/// are legal in other states that could be.
struct MoveKeys {
    /// Whether players see different things. The tree is then one of decisions, with all that was
    /// drawn or is unseen folded together; else it is one of positions.
    hides: bool,
    /// Where words are put together.
    copy: State,
    /// The keys of moves whose words follow from their option and what it shows.
    known: BTreeMap<Vec<i64>, u64>,
    shown: ShownWords,
}

impl MoveKeys {
    /// The keys of the legal moves; none where their numbers tell them apart.
    fn keys(&mut self, game: &Game, state: &State, legal: &LegalMoves) -> Option<Vec<u64>> {
        let keys = |words: &mut MoveKeys| {
            (0..legal.count()).map(|index| words.find_key(game, state, legal, index)).collect()
        };
        self.hides.then(|| keys(self))
    }

    fn find_key(&mut self, game: &Game, state: &State, legal: &LegalMoves, index: usize) -> u64 {
        let MoveKeys { copy, known, shown, .. } = self;
        let follows = game.load_shown(state, (legal, index), shown).template.is_none();
        if let Some(key) = known.get(&shown.words).filter(|_| follows) {
            return *key;
        }
        copy.set_to(state);
        let key = fnv(game.label_on(copy, state, legal, index).as_bytes());
        if follows {
            if known.len() == MOST_KNOWN {
                known.clear();
            }
            known.insert(shown.words.clone(), key);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::best_mean;

    #[test]
    fn the_highest_mean_is_best_and_the_first_of_equals() {
        assert_eq!(best_mean(&[(1, 2), (2, 3), (4, 6)]), 1);
        assert_eq!(best_mean(&[(0, 0), (-3, 4), (-1, 4)]), 2);
        assert_eq!(best_mean(&[(0, 0)]), 0);
    }
}
