//! Observations of players, states that agree with them, and seers of draws.

use std::collections::BTreeSet;

use crate::bytecode::Program;
use crate::bytecode::cards::PileInfo;
use crate::bytecode::program::{Manner, ValueShape, Witness};
use crate::chance::Chance;
use crate::game::wording::bind_move;
use crate::game::{Game, LegalMoves, Observation, Player, State, TableView, Trap, view};
use crate::rules::visit::any_stmt;
use crate::rules::{CardAction, Rule, StmtKind};
use crate::syntax::ast::Visibility;
use crate::vm;

/// A move in words, each with what only some may know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedMove(Vec<(String, Option<SecretCards>)>);

/// What only some know: perhaps cards.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SecretCards(Option<MeantCards>);

/// Cards that an argument means, and what was known of each before the move.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MeantCards {
    kind: u16,
    cards: Vec<(i64, CardBefore)>,
    /// The other cards of the piles that they lay in.
    others: Vec<(i64, CardBefore)>,
}

/// Where a card lay before a move, and who knew that.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CardBefore {
    pile: Option<usize>,
    known_by: Vec<bool>,
}

impl CardBefore {
    fn new(program: &Program, state: &State, card: (u16, i64)) -> CardBefore {
        let knows = |player| vm::knows_card(program, state, player, card);
        let known_by = (0..).take(program.players).map(knows).collect();
        CardBefore { pile: vm::pile_of_card(program, state, card), known_by }
    }
}

impl MeantCards {
    fn new(program: &Program, state: &State, (kind, cards): (u16, Vec<i64>)) -> MeantCards {
        let before = |card: i64| (card, CardBefore::new(program, state, (kind, card)));
        let piles = cards.iter().filter_map(|it| vm::pile_of_card(program, state, (kind, *it)));
        let piles: BTreeSet<usize> = piles.collect();
        let others = piles.into_iter().flat_map(|it| vm::cards_of_pile(program, state, (kind, it)));
        let others = others.filter(|card| !cards.contains(card)).map(before).collect();
        MeantCards { kind, cards: cards.into_iter().map(before).collect(), others }
    }

    /// Whether a player sees from the table alone which cards were meant.
    fn are_shown(&self, program: &Program, after: &State, player: Player) -> bool {
        let pile = |card: i64| vm::pile_of_card(program, after, (self.kind, card));
        let knows = |card: i64| vm::knows_card(program, after, player.0, (self.kind, card));
        let is_news = |(card, before): &(i64, CardBefore)| {
            knows(*card) && !(before.known_by[player.index()] && before.pile == pile(*card))
        };
        let stays = |(card, before): &(i64, CardBefore)| before.pile == pile(*card);
        let some_stay = self.cards.iter().any(stays);
        let is_alike = |other: &(i64, CardBefore)| {
            is_news(other) || some_stay && stays(other) && knows(other.0)
        };
        !self.cards.is_empty()
            && self.cards.iter().all(is_news)
            && !self.others.iter().any(is_alike)
    }
}

impl MaskedMove {
    /// The words for those who know nothing of it.
    pub(crate) fn hidden(&self) -> String {
        self.format_label(|_| false)
    }

    /// The words, and `?` for what is not known.
    fn format_label(&self, knows: impl Fn(&SecretCards) -> bool) -> String {
        let words = self.0.iter().map(|(text, secret)| match secret {
            Some(secret) if !knows(secret) => "?",
            _ => text.as_str(),
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

impl Game {
    /// Whether there is anything in the game that not everybody sees.
    #[doc(hidden)]
    pub fn has_secrets(&self) -> bool {
        vm::hides(self.program())
    }

    /// Whether one player may know what another does not: what is hidden from all is told to nobody.
    pub(crate) fn tells_players_apart(&self) -> bool {
        let (rules, program) = (self.rules(), self.program());
        let is_told = |rule: &Rule| {
            any_stmt(&rule.body, |stmt| match &stmt.kind {
                StmtKind::Say { to, .. } | StmtKind::Show { to, .. } => to.is_some(),
                StmtKind::Cards(action) => {
                    matches!(**action, CardAction::Learn { by: Some(_), .. })
                }
                _ => false,
            })
        };
        self.has_secrets()
            && (rules
                .vars
                .iter()
                .any(|var| !matches!(var.sight, Visibility::All | Visibility::Nobody))
                || !program.picks.is_empty()
                || program.options.iter().any(|option| !option.hidden_arguments.is_empty())
                || rules.rules.iter().any(is_told))
    }

    /// Whether everybody may know how many moves are legal where a state waits for a decision.
    pub(crate) fn counts_openly(&self, state: &State) -> bool {
        let choose = &self.compiled().sites[state.site_number()].choose;
        choose.as_ref().is_none_or(|it| !self.rules().secret_offers.contains(&it.chooser.span))
    }

    /// What a player sees of a state where somebody decides, or of one that has ended.
    pub fn observe(&self, state: &State, player: Player) -> Observation {
        vm::observe(self.program(), state, player.0)
    }

    /// A state that the player of an observation could be in: what was seen is as it was, and
    /// everything else is drawn at random from what it could be.
    /// # Errors
    /// A mistake in the rules that showed while finding out what others could have picked.
    #[doc(hidden)]
    pub fn sample(
        &self,
        observation: &Observation,
        chance: &mut impl Chance,
    ) -> Result<State, Trap> {
        let mut state = observation.seen().clone();
        vm::Sampler::new(self.program(), observation).sample(chance, &mut state).map(|()| state)
    }

    /// What lies on the table for the player of an observation; what is not seen is `?`.
    #[doc(hidden)]
    pub fn seen_table(&self, observation: &Observation) -> TableView {
        let player = Some(observation.player());
        view::build_view(self.view(observation.seen(), player))
    }

    /// A legal move in the words that another player hears: `?` stands for what only the player who
    /// makes it sees.
    #[doc(hidden)]
    pub fn heard_label(&self, state: &State, legal: &LegalMoves, index: usize) -> String {
        self.mask_move(state, legal, index).hidden()
    }

    /// A legal move as others hear it; what of it they learn depends on what comes of it.
    #[doc(hidden)]
    pub fn mask_move(&self, state: &State, legal: &LegalMoves, index: usize) -> MaskedMove {
        let program = self.program();
        let mut words = state.clone();
        let option = bind_move(program, &mut words, legal, index);
        let info = &program.options[usize::from(option)];
        if info.hidden_arguments.is_empty() {
            return MaskedMove(vec![(self.label_move(state, legal, index), None)]);
        }
        let mut heard = vec![(info.name.clone(), None)];
        for (at, shown) in info.shown.iter().enumerate() {
            let text = self.wording().argument(&words, *shown, Manner::Argument);
            let text = text.unwrap_or_else(|| "none".to_owned());
            let cards: Option<(u16, Vec<i64>)> =
                match program.formats[usize::from(shown.format)].shape {
                    ValueShape::Member(kind) => Some((kind, vec![words.word(shown.slot.into())])),
                    ValueShape::Members(kind) => {
                        let set = words.slice(shown.slot.into(), shown.width.into());
                        Some((kind, vm::members(set).collect()))
                    }
                    _ => None,
                };
            let cards = cards.map(|(kind, cards)| MeantCards::new(program, state, (kind, cards)));
            heard.push((text, info.hidden_arguments.contains(&at).then_some(SecretCards(cards))));
        }
        MaskedMove(heard)
    }

    /// The option of a legal move and the arguments that others hear of it, whatever form they are printed in.
    pub(crate) fn heard_arguments(
        &self,
        state: &State,
        legal: &LegalMoves,
        index: usize,
    ) -> Vec<String> {
        let mut words = state.clone();
        let option = bind_move(self.program(), &mut words, legal, index);
        let info = &self.program().options[usize::from(option)];
        let shown =
            info.shown.iter().enumerate().filter(|(at, _)| !info.hidden_arguments.contains(at));
        let arguments = shown.map(|(_, shown)| {
            self.wording().argument(&words, *shown, Manner::Argument).unwrap_or_default()
        });
        std::iter::once(info.name.clone()).chain(arguments).collect()
    }

    /// A move in the words that a player hears when it has been made, and the game stands like this. A hidden
    /// argument is heard by a player who sees from the table alone which cards were meant: they, and no others of
    /// their piles, went elsewhere, or came into sight where no other card is known.
    #[doc(hidden)]
    pub fn label_for(&self, heard: &MaskedMove, after: &State, player: Player) -> String {
        let program = self.program();
        heard.format_label(|SecretCards(cards)| {
            cards.as_ref().is_some_and(|cards| cards.are_shown(program, after, player))
        })
    }

    /// How many have decided already where several decide together and one is asked: nobody knows
    /// yet what they picked.
    pub(crate) fn picked_unseen(&self, state: &State) -> usize {
        vm::picked_unseen(self.program(), state)
    }

    /// Whether a player sees an element of a variable, counted with the owner first, or knows all
    /// cards of a pile.
    pub(crate) fn sees(
        &self,
        state: &State,
        player: Player,
        (var, place, words): (usize, usize, &[i64]),
    ) -> bool {
        let program = self.program();
        let is_it = |pile: &PileInfo| usize::from(pile.var) == var;
        if let Some(info) = program.cards.iter().find(|info| info.piles.iter().any(is_it)) {
            let knows = |card| vm::knows_card(program, state, player.0, (info.kind, card));
            return vm::members(words).all(knows);
        }
        let info = &program.vars[var];
        let at = (place / info.count(), place % info.count());
        vm::sees(state, info, at, player.0)
    }

    /// Whether a player sees what comes of the draw that waits.
    #[doc(hidden)]
    pub fn sees_draw(&self, state: &State, player: Player) -> bool {
        let program = self.program();
        let site = state.site_number();
        let unseen = program.hidden_draws.iter().find(|unseen| usize::from(unseen.site) == site);
        unseen.is_none_or(|unseen| {
            let word = |slot: u16| state.word(slot.into());
            match unseen.by {
                Witness::Player(slot) => word(slot) == i64::from(player.0),
                Witness::Players(slot) => word(slot) >> player.0 & 1 == 1,
                Witness::Nobody => false,
            }
        })
    }
}
