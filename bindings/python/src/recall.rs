//! What each player remembers of a game: own moves, heard moves, draws and texts, and what was seen.

use astragal::machinery::bytecode::program::Wait;
use astragal::{Error, Game, Player, Position, Step};

/// The memories of all players after some answers of a game.
#[derive(Clone)]
pub struct Recall {
    position: Position,
    done: usize,
    /// For each player, a line for each thing noticed.
    noticed: Vec<String>,
    /// For each player, what was last seen.
    seen: Vec<Vec<u8>>,
}

impl Recall {
    pub fn start(game: &Game) -> Result<Recall, Error> {
        let position = game.start_position()?;
        let players = game.info().players;
        let noticed = game.names().iter().map(|name| format!("{name} sees\n")).collect();
        let mut recall = Recall { position, done: 0, noticed, seen: vec![Vec::new(); players] };
        recall.look(game);
        Ok(recall)
    }

    /// Remembers the answers that came since.
    pub fn follow(&mut self, game: &Game, history: &[u32]) -> Result<(), Error> {
        for number in &history[self.done..] {
            self.answer(game, *number)?;
            self.done += 1;
        }
        Ok(())
    }

    pub fn of(&self, player: Player) -> &str {
        &self.noticed[player.index()]
    }

    fn answer(&mut self, game: &Game, number: u32) -> Result<(), Error> {
        let before = self.position.clone();
        let made = match before.step() {
            Step::Decide { .. } => game.find_number(&before, number)?,
            _ => None,
        };
        answer(game, &mut self.position, number)?;
        for player in (0..).map(Player).take(self.noticed.len()) {
            let line = match (before.step(), made) {
                (Step::Decide { player: who }, Some(index)) => {
                    self.heard(game, &before, (who, index), player)
                }
                (Step::Draw { .. }, _) => drawn(game, &before, number, player),
                _ => None,
            };
            let noticed = &mut self.noticed[player.index()];
            noticed.extend(line);
            let said = self.position.said().iter();
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
        before: &Position,
        (who, index): (Player, usize),
        player: Player,
    ) -> Option<String> {
        let name = &game.names()[who.index()];
        let label = if who == player {
            game.label_move(before.state(), before.legal(), index)
        } else if is_together(game, before) {
            return None;
        } else {
            let heard = game.mask_move(before.state(), before.legal(), index);
            game.label_for(&heard, self.position.state(), player)
        };
        Some(format!("{name}> {label}\n"))
    }

    /// Notes what players see now, where that is another thing than before. Between decisions nobody looks.
    fn look(&mut self, game: &Game) {
        if matches!(self.position.step(), Step::Draw { .. }) {
            return;
        }
        for player in (0..).map(Player).take(self.noticed.len()) {
            let key = game.observe(self.position.state(), player).to_key();
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

/// Makes a move or answers a draw, by number.
pub fn answer(game: &Game, position: &mut Position, number: u32) -> Result<(), Error> {
    match position.step() {
        Step::Draw { .. } => game.draw_number(position, number),
        _ => game.apply_number(position, number),
    }
}

/// A draw that a player sees.
fn drawn(game: &Game, before: &Position, index: u32, player: Player) -> Option<String> {
    let state = before.state();
    let line = || format!("* {}: {}\n", game.event(state), game.outcome(state, index));
    game.sees_draw(state, player).then(line)
}

/// Whether several players decide here without seeing what the others pick.
fn is_together(game: &Game, position: &Position) -> bool {
    let program = game.program();
    let site = position.state().site_number();
    matches!(program.sites[site].wait, Wait::Decision { .. })
        && program.picks.iter().any(|picks| usize::from(picks.site) == site)
}

/// The hash FNV-1a with 64 bits (Fowler, Noll, Vo).
fn digest(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
