//! Monte Carlo tree search, with several players, chance and hidden information.

use super::analysis::{Analysis, over};
use super::budget::{Budget, Control};
use super::random::{pick, stream_of_decision};
use super::rollout::Games;
use super::tree::{Backup, NodeId, Tree};
use super::view::imagine;
use super::{Bot, View};
use crate::chance::{Chance, Seeded};
use crate::game::{Game, LegalMoves, Player, State, Step};

/// How many decisions a way down the tree has at most: positions may lead back to themselves.
const LONGEST: usize = 500;

/// Searches a tree of what may follow, and takes the move that it came back to most often.
#[derive(Clone, Debug)]
pub(super) struct Mcts {
    budget: Budget,
    control: Control,
    games: Games,
}

impl Mcts {
    pub(super) fn new(analysis: &Analysis, budget: Budget, control: Control) -> Mcts {
        Mcts { budget, control, games: Games::new(analysis) }
    }
}

impl Bot for Mcts {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let stream = stream_of_decision(chance);
        if view.moves == 1 {
            return 0;
        }
        let mut search = Search::new(view, stream, &mut self.games);
        let mut spending = self.budget.spend(self.control);
        while spending.goes_on() {
            search.iterate();
        }
        search.favourite()
    }
}

/// A search from one decision.
struct Search<'a> {
    view: &'a View<'a>,
    /// Whether players see different things. The tree is then one of decisions, with all that was
    /// drawn or is unseen folded together; else it is one of positions.
    hides: bool,
    chance: Seeded,
    tree: Tree,
    legal: LegalMoves,
    games: &'a mut Games,
    /// The decisions on the way of one iteration: node, way, who decided.
    path: Vec<(NodeId, u64, Player)>,
}

impl<'a> Search<'a> {
    fn new(view: &'a View<'a>, chance: Seeded, games: &'a mut Games) -> Search<'a> {
        let backup = if games.analysis.looks_ahead() { Backup::Best } else { Backup::Mean };
        Search {
            view,
            hides: view.game.has_secrets(),
            chance,
            tree: Tree::new(backup),
            legal: LegalMoves::new(),
            games,
            path: Vec::new(),
        }
    }

    /// One state that could be, one way down the tree, and what comes of where it ends.
    fn iterate(&mut self) {
        let Some(mut state) = imagine(self.view, &mut self.chance, &mut self.legal) else { return };
        self.path.clear();
        let mut worth = self.descend(&mut state);
        self.tree.has_seen(&worth);
        for (node, key, player) in self.path.iter().rev() {
            self.tree.add(*node, *key, player.index(), &mut worth);
        }
    }

    fn descend(&mut self, state: &mut State) -> Vec<i64> {
        let game = self.view.game;
        let mut node = (0, false);
        while self.path.len() < LONGEST {
            match game.advance(state, &mut self.legal) {
                Ok(Step::End) => return over(game, state),
                Err(_) => return vec![0; game.info().players],
                Ok(Step::Draw { outcomes }) => game.draw(state, self.chance.below(outcomes)),
                Ok(Step::Decide { player }) => {
                    if !self.hides {
                        node = self.tree.at(state);
                    }
                    if node.1 {
                        break;
                    }
                    node = self.decide(node.0, player, state);
                }
            }
        }
        self.leaf(state)
    }

    /// What is behind the tree: a judgement where what lies ahead is known, else a random game.
    fn leaf(&mut self, state: &mut State) -> Vec<i64> {
        if self.games.analysis.looks_ahead() {
            return self.games.analysis.ahead(state);
        }
        self.games.play(self.view.game, state, &mut self.chance)
    }

    /// Decides as the tree says; the node behind the decision, where the tree is one of decisions.
    fn decide(&mut self, node: NodeId, player: Player, state: &mut State) -> (NodeId, bool) {
        let keys = keys(self.view.game, state, &self.legal, self.hides);
        let chance = &mut self.chance;
        let index = self.tree.select((node, player.index()), &keys, |count| pick(chance, count));
        self.view.game.choose(state, &self.legal, index);
        self.path.push((node, keys[index], player));
        if self.hides { self.tree.child(node, keys[index]) } else { (node, false) }
    }

    /// The move that was searched most, as the root lists it.
    fn favourite(&mut self) -> usize {
        let Some(state) = imagine(self.view, &mut self.chance, &mut self.legal) else { return 0 };
        let keys = keys(self.view.game, &state, &self.legal, self.hides);
        let favourite = self.tree.favourite(self.view.player.index());
        keys.iter().position(|key| Some(*key) == favourite).unwrap_or(0)
    }
}

/// What tells the legal moves apart: their numbers; where players see different things, their
/// words, since other moves are legal in other states that could be.
fn keys(game: &Game, state: &State, legal: &LegalMoves, hides: bool) -> Vec<u64> {
    if !hides {
        return (0..).take(legal.count()).collect();
    }
    game.labels(state, legal).map(|label| hash(&label)).collect()
}

/// A number for a text (FNV-1a).
fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}
