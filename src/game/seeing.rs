//! What players see: observations, states that agree with them, who saw which draw.

use crate::chance::Chance;
use crate::game::table;
use crate::game::{Game, Observation, Player, State, TableView, Trap, Turn};
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
        table::view(self.shown(), observation.seen(), player)
    }

    /// A legal move in the words that another player hears: `?` stands for what only the player who
    /// makes it sees.
    pub fn heard_label(&self, state: &State, turn: &Turn, index: usize) -> String {
        let program = self.program();
        let mut words = state.clone();
        let option = super::bind(program, &mut words, turn, index);
        let info = &program.options[usize::from(option)];
        if info.unseen.is_empty() {
            return self.label(state, turn, index);
        }
        let mut label = info.name.clone();
        for (at, shown) in info.shown.iter().enumerate() {
            label.push(' ');
            if info.unseen.contains(&at) {
                label.push('?');
            } else {
                label.push_str(self.argument(&words, *shown).as_deref().unwrap_or("none"));
            }
        }
        label
    }

    /// How many have decided already where several decide together and one is asked: nobody knows
    /// yet what they picked.
    pub fn picked_unseen(&self, state: &State) -> usize {
        vm::picked_unseen(self.program(), state)
    }

    /// How often somebody knows a secret of which they would know nothing otherwise: it grows when
    /// something is shown.
    pub fn shown_secrets(&self, state: &State) -> usize {
        let program = self.program();
        let secrets = program.vars.iter().filter_map(|var| Some((var, var.secret.as_ref()?)));
        let words = secrets.map(|(var, secret)| {
            let seats = if var.of_player { program.players } else { 1 };
            let elements: usize = var.dims.iter().map(|dim| dim.size).product();
            let count = seats * elements * usize::from(secret.known_width);
            let known = state.slice(secret.known.into(), count).iter();
            known.map(|word| word.count_ones() as usize).sum::<usize>()
        });
        words.sum()
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
