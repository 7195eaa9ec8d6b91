//! The views of a game: for everybody, for one seat, and of members and cards alone.

use std::collections::BTreeSet;

use crate::game::view::{Card, TableView, Tag, ViewContext, build_view, own_piles, printed};
use crate::game::{Game, Observation, Player, State};

impl Game {
    #[doc(hidden)]
    pub fn table(&self, state: &State) -> TableView {
        build_view(self.view(state, None))
    }

    /// Returns the names of the options whose values are not those of the file.
    pub(crate) fn changed_options(&self) -> Vec<String> {
        let table = self.table_since(&self.initial_state(), None, &BTreeSet::new(), false);
        table.head.options.into_iter().map(|option| option.name).collect()
    }

    /// The table as `player` may see it, or everything without one. Dice are empty unless `rolled`, a set of event
    /// names such as `cube` and `die[red]`. The `whole` table includes what the file leaves undrawn.
    #[doc(hidden)]
    pub fn table_since(
        &self,
        state: &State,
        player: Option<Player>,
        rolled: &BTreeSet<String>,
        whole: bool,
    ) -> TableView {
        let rolled = Some(rolled);
        let seen = player.map(|player| self.observe(state, player));
        let state = seen.as_ref().map_or(state, Observation::seen);
        build_view(ViewContext { rolled, whole, ..self.view(state, player.map(|player| player.0)) })
    }

    /// What all players see: what a screen in the middle of the table may show.
    #[doc(hidden)]
    pub fn open_table(&self, state: &State, rolled: &BTreeSet<String>) -> TableView {
        let players = self.info().players;
        let mut seen = state.clone();
        for player in (0..).map(Player).take(players) {
            seen.clone_from(self.observe(&seen, player).seen());
        }
        let (eyes, rolled) = (u64::MAX >> (64 - players), Some(rolled));
        build_view(ViewContext { eyes, rolled, ..self.view(&seen, None) })
    }

    /// The cards in the piles of a player, as far as that player sees them, by the titles of the piles.
    pub(crate) fn own_piles(&self, state: &State, player: Player) -> Vec<(String, Vec<Tag>)> {
        let seen = self.observe(state, player);
        own_piles(self.view(seen.seen(), Some(player.0)), player.index())
    }

    /// Every card as it is printed, each face once with how many there are.
    pub(crate) fn printed_cards(&self) -> Vec<(Card, usize)> {
        printed(self.view(&self.initial_state(), None))
    }

    /// How a member of a kind looks on the table.
    pub(crate) fn member_tag(&self, kind: usize, at: usize) -> Tag {
        self.view(&self.initial_state(), None).tag(kind, at)
    }

    pub(in crate::game) fn view<'a>(
        &'a self,
        state: &'a State,
        player: Option<u8>,
    ) -> ViewContext<'a> {
        let (loaded, rules, program) = (self.loaded.as_ref(), self.rules(), self.program());
        let (names, rolled, whole) = (self.names(), None, false);
        let eyes = player.map_or(0, |player| 1 << player);
        ViewContext { loaded, rules, program, names, state, player, eyes, rolled, whole }
    }
}
