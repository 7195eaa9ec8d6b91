//! What players see: observations, states that agree with them, who saw which draw.

use crate::chance::Chance;
use crate::game::table;
use crate::game::{Game, Observation, Player, State, TableView, Trap};
use crate::vm;

impl Game {
    /// Whether there is anything in the game that not everybody sees.
    pub fn has_secrets(&self) -> bool {
        let program = self.program();
        !program.picks.is_empty() || program.vars.iter().any(|var| var.secret.is_some())
    }

    /// What a player sees of a state where somebody decides, or of one that has ended.
    pub fn observe(&self, state: &State, player: Player) -> Observation {
        vm::observe(self.program(), state, player.0)
    }

    /// A state that the player of an observation could be in: what was seen is as it was, and
    /// everything else is drawn at random from what it could be.
    ///
    /// # Errors
    /// A mistake in the rules that showed when it was looked for what others could have picked.
    pub fn sample(
        &self,
        observation: &Observation,
        chance: &mut impl Chance,
    ) -> Result<State, Trap> {
        vm::sample(self.program(), observation, chance)
    }

    /// What lies on the table for the player of an observation; what is not seen is `?`.
    pub fn seen_table(&self, observation: &Observation) -> TableView {
        let player = Some(observation.player());
        table::view(self.program(), self.names(), observation.seen(), player)
    }

    /// Whether a player sees what comes of the draw that waits.
    pub fn sees_draw(&self, state: &State, player: Player) -> bool {
        let program = self.program();
        let site = state.site_number();
        let unseen = program.unseen.iter().find(|unseen| usize::from(unseen.site) == site);
        unseen.is_none_or(|unseen| {
            unseen.by.is_some_and(|by| {
                let slot = usize::from(by);
                let known = slot.checked_sub(program.slots).map(|at| program.constants[at]);
                known.unwrap_or_else(|| state.word(slot)) == i64::from(player.0)
            })
        })
    }
}
