//! What each player remembers of a game: own moves, heard moves, draws and texts, and what was seen.

use astragal::machinery::bytecode::program::Wait;
use astragal::machinery::game::Trap;
use astragal::{Game, Player, Step};

use crate::node::Node;

/// The memories of all players after some answers of a game.
#[derive(Clone)]
pub struct Recall {
    node: Node,
    done: usize,
    /// For each player, a line for each thing noticed.
    noticed: Vec<String>,
    /// For each player, what was last seen.
    seen: Vec<Vec<u8>>,
}

impl Recall {
    pub fn start(game: &Game) -> Result<Recall, Trap> {
        let node = Node::start(game)?;
        let players = game.info().players;
        let noticed = game.names().iter().map(|name| format!("{name} sees\n")).collect();
        let mut recall = Recall { node, done: 0, noticed, seen: vec![Vec::new(); players] };
        recall.look(game);
        Ok(recall)
    }

    /// Remembers the answers that came since.
    pub fn follow(&mut self, game: &Game, answers: &[u32]) -> Result<(), Trap> {
        for index in &answers[self.done..] {
            self.answer(game, *index)?;
            self.done += 1;
        }
        Ok(())
    }

    pub fn of(&self, player: Player) -> &str {
        &self.noticed[player.index()]
    }

    fn answer(&mut self, game: &Game, index: u32) -> Result<(), Trap> {
        let before = self.node.clone();
        self.node.answer(game, index)?;
        for player in (0..).map(Player).take(self.noticed.len()) {
            let line = match before.step {
                Step::Decide { player: who } => self.heard(game, &before, (who, index), player),
                Step::Draw { .. } => drawn(game, &before, index, player),
                Step::End => None,
            };
            let noticed = &mut self.noticed[player.index()];
            noticed.extend(line);
            let said = self.node.legal.said.iter();
            for said in said.filter(|said| said.to.is_none_or(|to| to == player)) {
                noticed.extend(["  ", &said.text, "\n"]);
            }
        }
        self.look(game);
        Ok(())
    }

    /// A move in the words that a player hears; nothing while others decide at the same time.
    fn heard(
        &self,
        game: &Game,
        before: &Node,
        (who, index): (Player, u32),
        player: Player,
    ) -> Option<String> {
        let name = &game.names()[who.index()];
        let label = if who == player {
            game.label_move(&before.state, &before.legal, index as usize)
        } else if is_together(game, before) {
            return None;
        } else {
            let heard = game.mask_move(&before.state, &before.legal, index as usize);
            game.label_for(&heard, &self.node.state, player)
        };
        Some(format!("{name}> {label}\n"))
    }

    /// Notes what players see now, where that is another thing than before. Between decisions nobody looks.
    fn look(&mut self, game: &Game) {
        if matches!(self.node.step, Step::Draw { .. }) {
            return;
        }
        for player in (0..).map(Player).take(self.noticed.len()) {
            let key = game.observe(&self.node.state, player).to_key();
            if key != self.seen[player.index()] {
                self.noticed[player.index()].extend([
                    "  ",
                    &format!("{:016x}", digest(&key)),
                    "\n",
                ]);
                self.seen[player.index()] = key;
            }
        }
    }
}

/// A draw that a player sees.
fn drawn(game: &Game, before: &Node, index: u32, player: Player) -> Option<String> {
    let state = &before.state;
    let line = || format!("* {}: {}\n", game.event(state), game.outcome(state, index));
    game.sees_draw(state, player).then(line)
}

/// Whether several players decide here without seeing what the others pick.
fn is_together(game: &Game, node: &Node) -> bool {
    let program = game.program();
    let site = node.state.site_number();
    matches!(program.sites[site].wait, Wait::Decision { .. })
        && program.picks.iter().any(|picks| usize::from(picks.site) == site)
}

/// The hash FNV-1a with 64 bits (Fowler, Noll, Vo).
fn digest(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
