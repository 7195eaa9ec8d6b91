//! Monte Carlo bots: flat rollouts, and tree search with several players, chance and secrets.

use std::collections::BTreeMap;

use crate::bots::budget::{BotBudget, Control};
use crate::bots::heuristic::Analysis;
use crate::bots::playout::{Counsel, PlayoutRunner};
use crate::bots::random::stream_of_decision;
use crate::bots::tree::{Backup, MAX_TREE, NodeId, SearchTree, TreeMoves};
use crate::bots::{Bot, Dealer, View};
use crate::chance::{Chance, Seeded};
use crate::game::{Game, LegalMoves, Player, ShownWords, State, Step, fnv};
use crate::vm::Sampler;

/// How many decisions a way down the tree has at most: positions may lead back to themselves.
const DEEPEST: usize = 500;

/// How many moves have keys that are kept; more are put together again.
const MOST_KNOWN: usize = 100_000;

/// Takes the move after which random games end best.
#[derive(Clone, Debug)]
pub(super) struct Rollout {
    budget: BotBudget,
    control: Control,
    games: PlayoutRunner,
}

impl Rollout {
    pub(super) fn new(analysis: &Analysis, budget: BotBudget, control: Control) -> Rollout {
        Rollout { budget, control, games: PlayoutRunner::new(analysis, Counsel::Chance) }
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
            let worth = self.games.play_out(view.game, (&mut state, None), &mut chance);
            totals[index].0 += worth[view.player.index()];
            totals[index].1 += 1;
        }
        // Were it the first of equals, the order of the rules would look like a preference.
        let best = best_means(&totals);
        best[chance.random_index(best.len())]
    }
}

/// The places with the highest mean; all, where nothing was tried.
fn best_means(totals: &[(i64, i64)]) -> Vec<usize> {
    // Means are compared by cross-multiplication; what was never tried is not chosen.
    let order = |at: &usize, other: &usize| {
        let ((sum, count), (other_sum, other_count)) = (totals[*at], totals[*other]);
        (i128::from(sum) * i128::from(other_count))
            .cmp(&(i128::from(other_sum) * i128::from(count)))
    };
    let tried = (0..totals.len()).filter(|at| totals[*at].1 > 0);
    let Some(best) = tried.clone().max_by(order) else { return (0..totals.len()).collect() };
    tried.filter(|at| order(at, &best).is_eq()).collect()
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
    pub(super) fn new(
        analysis: &Analysis,
        counsel: Counsel,
        budget: BotBudget,
        control: Control,
    ) -> Mcts {
        let games = PlayoutRunner::new(analysis, counsel);
        Mcts { budget, control, games, ran_out: false }
    }
}

/// What a search found at a decision.
pub(super) struct Searched {
    /// How good it holds each move, in shares of 2^16.
    pub(super) shares: Vec<u32>,
    /// What it expects for each player, in parts of a win.
    pub(super) expected: Vec<i64>,
    /// The move that it went with most.
    best: usize,
}

impl Mcts {
    /// Searches with numbers from a stream of this decision alone.
    pub(super) fn search(&mut self, view: &View, chance: &mut Seeded) -> Searched {
        let is_guided = self.games.is_guided();
        let looks_ahead = !is_guided && self.games.analysis().looks_ahead();
        let hides = view.game.has_secrets();
        let mut search = TreeSearch {
            view,
            is_guided,
            looks_ahead,
            chance: chance.clone(),
            state: view.seen.seen().clone(),
            sampler: Sampler::new(view.game.program(), view.seen),
            words: MoveKeys {
                hides,
                copy: view.seen.seen().clone(),
                known: BTreeMap::new(),
                shown: ShownWords::default(),
            },
            tree: SearchTree::new(
                if looks_ahead { Backup::Best } else { Backup::Mean },
                view.game.info().players,
                is_guided || !hides,
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
        search.found()
    }
}

impl Bot for Mcts {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut chance = stream_of_decision(chance);
        if view.count_moves() == 1 {
            return 0;
        }
        self.search(view, &mut chance).best
    }

    fn ran_out(&self) -> bool {
        self.ran_out
    }
}

struct TreeSearch<'a> {
    view: &'a View<'a>,
    /// Whether somebody says which moves are likely to be good.
    is_guided: bool,
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
        self.tree.record_payoffs(&worth);
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
        let game = self.view.game;
        let (mut node, mut is_new, mut mover) = (0, false, None);
        let mut behind = None;
        while self.path.len() < DEEPEST {
            let state = &mut self.state;
            let mut dealer = Dealer { chance: &mut self.chance, is_watched: self.words.hides };
            match game.advance_with(state, &mut self.legal, &mut dealer) {
                Ok(Step::End) => return self.games.analysis().ended(state, self.games.payoff()),
                Ok(Step::Draw { .. }) => unreachable!("the driver answers draws"),
                Err(_) => return vec![0; game.info().players],
                Ok(Step::Decide { player }) => {
                    mover = Some(player);
                    state.canonicalise(game.program());
                    if !self.words.hides {
                        (node, is_new) = self.tree.ensure_node(state);
                    } else if let Some((from, key)) = behind {
                        let see = || game.observe(state, self.view.player).seen().fingerprint();
                        (node, is_new) = self.tree.child(from, key, see);
                    }
                    if is_new {
                        break;
                    }
                    let (index, key) = self.select(node, player);
                    game.choose(&mut self.state, &self.legal, index);
                    self.path.push((node, key, player));
                    behind = Some((node, key));
                }
            }
        }
        if self.looks_ahead {
            return self.games.analysis().ahead(&self.state);
        }
        self.games.play_out(game, (&mut self.state, mover), &mut self.chance)
    }

    /// The move that is tried next where the state waits, and its key.
    fn select(&mut self, node: NodeId, player: Player) -> (usize, u64) {
        let (game, state, legal) = (self.view.game, &self.state, &self.legal);
        let keys = self.words.keys(game, state, legal);
        if !self.is_guided {
            let moves = match &keys {
                Some(keys) => TreeMoves::Keyed(keys),
                None => TreeMoves::Numbered(legal.count()),
            };
            let pick = |count| self.chance.random_index(count);
            let index = self.tree.select(node, player.index(), moves, pick);
            return (index, keys.map_or(index as u64, |keys| keys[index]));
        }
        let keys = keys.unwrap_or_else(|| (0..legal.count() as u64).collect());
        if !self.tree.knows_priors(node, &keys) {
            self.tree.set_priors(node, &keys, &self.games.priors(state, legal, player));
        }
        let index = self.tree.select_guided(node, player.index(), &keys);
        (index, keys[index])
    }

    /// The results of the search, in the order of the root.
    fn found(&mut self) -> Searched {
        let player = self.view.player.index();
        let count = self.view.count_moves();
        // Where nothing could be searched, any move will do.
        let keys = if self.sample_position() {
            self.words
                .keys(self.view.game, &self.state, &self.legal)
                .unwrap_or_else(|| (0..count as u64).collect())
        } else {
            Vec::new()
        };
        let favourites = self.tree.favourites(player);
        let is_best = |at: &usize| favourites.contains(&keys[*at]);
        let best: Vec<usize> = (0..keys.len()).filter(is_best).collect();
        // Were it the first of equals, the order of the rules would look like a preference.
        let best = match best.len() {
            0 => 0,
            count => best[self.chance.random_index(count)],
        };
        let mut shares = self.tree.improved_policy(player, &keys);
        shares.resize(count, 0);
        Searched { shares, expected: self.tree.expected(), best }
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
    use super::best_means;

    #[test]
    fn all_with_the_highest_mean_are_best() {
        assert_eq!(best_means(&[(1, 2), (2, 3), (4, 6)]), [1, 2]);
        assert_eq!(best_means(&[(0, 0), (-3, 4), (-1, 4)]), [2]);
        assert_eq!(best_means(&[(0, 0), (0, 0)]), [0, 1]);
    }
}
