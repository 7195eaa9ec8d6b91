//! One of two games beside each other, and what the seat receives of it.

use std::collections::BTreeSet;

use crate::chance::{Chance, Seeded};
use crate::game::{Game, LegalMoves, Outcome, Player, Said, State, Step, Trap};
use crate::source::Span;

#[derive(Clone)]
pub(super) struct World<'g> {
    game: &'g Game,
    seat: Player,
    pub(super) state: State,
    legal: LegalMoves,
    /// What the seat heard up to here.
    pub(super) said: Vec<Said>,
    /// How many outcomes the draw has that waits.
    count: u32,
    pub(super) stop: WorldMoment,
}

/// Where a game stands.
#[derive(Clone)]
pub(super) enum WorldMoment {
    Decide(Player),
    Draw(WorldDraw),
    End,
    /// A mistake of the rules that stops the game, which everybody notices.
    Error(Trap),
    /// One that `check` does not prove away, or a limit of the engine.
    Fault(Trap),
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct WorldDraw {
    event: String,
    pub(super) is_seen: bool,
}

impl<'g> World<'g> {
    pub(super) fn new(game: &'g Game, seat: Player) -> World<'g> {
        let (state, legal) = (game.initial_state(), LegalMoves::new());
        World { game, seat, state, legal, said: Vec::new(), count: 0, stop: WorldMoment::End }
    }

    /// Runs on to the next stop.
    pub(super) fn run_to_stop(&mut self) {
        let World { game, seat, state, legal, .. } = self;
        let step = game.advance(state, legal);
        self.said.clear();
        let is_heard = |said: &&Said| said.to.is_none_or(|to| to == *seat);
        self.said.extend(legal.said.iter().filter(is_heard).cloned());
        self.stop = match step {
            Ok(Step::Decide { player }) => WorldMoment::Decide(player),
            Ok(Step::Draw { outcomes }) => {
                self.count = outcomes;
                let (event, is_seen) = (game.event(state), game.sees_draw(state, *seat));
                WorldMoment::Draw(WorldDraw { event, is_seen })
            }
            Ok(Step::End) => WorldMoment::End,
            Err(trap) if is_excluded(&trap) => WorldMoment::Error(trap),
            Err(trap) => WorldMoment::Fault(trap),
        };
    }

    /// What the seat reads of the stop.
    pub(super) fn stopped(&self) -> String {
        match &self.stop {
            WorldMoment::Decide(player) => {
                format!("{} is asked", self.game.names()[player.index()])
            }
            WorldMoment::Draw(draw) => draw.event.clone(),
            WorldMoment::End => "the game ends".to_owned(),
            WorldMoment::Error(trap) | WorldMoment::Fault(trap) => format!("an error: {trap}"),
        }
    }

    pub(super) fn stop_span(&self) -> Span {
        match &self.stop {
            WorldMoment::Error(trap) | WorldMoment::Fault(trap) => trap.span(),
            _ => self.game.program().sites[self.state.site_number()].span,
        }
    }

    /// The game behind the draw of a card at which it stands, if it stands at one.
    pub(super) fn past_a_card(&self) -> World<'g> {
        let mut world = self.clone();
        // What else is drawn is named as it is written: `random 1..6`, `roll die`.
        if matches!(&world.stop, WorldMoment::Draw(draw) if draw.event.starts_with("draw ")) {
            world.answer_stop(0);
            world.run_to_stop();
        }
        world
    }

    /// The outcomes of the draw that waits, in words.
    pub(super) fn outcomes(&self) -> Vec<String> {
        (0..self.count).map(|index| self.game.outcome(&self.state, index)).collect()
    }

    /// The number of legal moves or outcomes.
    pub(super) fn answer_count(&self) -> usize {
        match self.stop {
            WorldMoment::Draw(_) => self.count as usize,
            _ => self.legal.count(),
        }
    }

    /// Answers a draw or a decision, by its number.
    pub(super) fn answer_stop(&mut self, index: usize) {
        if matches!(self.stop, WorldMoment::Draw(_)) {
            let index = u32::try_from(index).expect("there are few outcomes");
            self.game.draw(&mut self.state, index);
        } else {
            self.game.choose(&mut self.state, &self.legal, index);
        }
    }

    /// Two outcomes that differ, and the events.
    pub(super) fn draws_apart(&self, random: &mut Seeded) -> Option<([usize; 2], [String; 2])> {
        let outcomes = self.outcomes();
        let first = random.random_index(outcomes.len());
        let second = one_of(random, outcomes.len(), |at| outcomes[at] != outcomes[first])?;
        let event = self.stopped();
        Some(([first, second], [first, second].map(|at| format!("{event}: {}", outcomes[at]))))
    }

    /// Two moves that differ and are heard alike, and how they read.
    pub(super) fn moves_apart(&self, random: &mut Seeded) -> Option<([usize; 2], [String; 2])> {
        let options = &self.game.program().options;
        if !self
            .legal
            .offers()
            .options()
            .any(|it| !options[usize::from(it)].hidden_arguments.is_empty())
        {
            return None;
        }
        let (labels, heard) = (self.move_labels(), self.heard_labels());
        let first = random.random_index(labels.len());
        let is_other = |at: usize| heard[at] == heard[first] && labels[at] != labels[first];
        let second = one_of(random, labels.len(), is_other)?;
        let who = self.stopped();
        Some(([first, second], [first, second].map(|at| format!("{who}: {}", labels[at]))))
    }

    /// The table as it is sent to the seat, with what it is asked.
    pub(super) fn print_table(&self) -> String {
        let World { game, seat, state, legal, .. } = self;
        let mut table = game.table_since(state, Some(*seat), &BTreeSet::new(), false);
        game.add_question(state, legal, &mut table);
        format!("{table:#?}")
    }

    /// The table of the seat once the current move is carried out.
    pub(super) fn table_after(&self) -> String {
        let mut after = self.clone();
        after.run_to_stop();
        after.print_table()
    }

    pub(super) fn game_outcome(&self) -> Option<Outcome> {
        self.game.final_outcome(&self.state)
    }

    pub(super) fn asked_question(&self) -> Option<String> {
        self.game.question(&self.state)
    }

    pub(super) fn move_labels(&self) -> Vec<String> {
        self.game.label_moves(&self.state, &self.legal).collect()
    }

    /// How others hear the legal moves.
    pub(super) fn heard_labels(&self) -> Vec<String> {
        let moves = 0..self.legal.count();
        moves.map(|at| self.game.heard_label(&self.state, &self.legal, at)).collect()
    }

    /// The option of a legal move and the arguments that others hear, whatever its printed form.
    pub(super) fn heard_arguments(&self, index: usize) -> Vec<String> {
        self.game.heard_arguments(&self.state, &self.legal, index)
    }

    /// Makes a move; what the seat hears of it.
    pub(super) fn make_move(&mut self, index: usize) -> String {
        let World { game, seat, state, legal, .. } = self;
        let heard = game.mask_move(state, legal, index);
        game.choose(state, legal, index);
        let seat = *seat;
        let mut after = self.clone();
        after.run_to_stop();
        // While others decide at the same time, nobody hears anything.
        match after.game.picked_unseen(&after.state) {
            0 => after.game.label_for(&heard, &after.state, seat),
            _ => String::new(),
        }
    }
}

/// Whether `check` refuses rules that may fail so because of a secret.
fn is_excluded(trap: &Trap) -> bool {
    matches!(
        trap,
        Trap::DivisionByZero { .. }
            | Trap::NoSuchElement { .. }
            | Trap::EmptyDraw { .. }
            | Trap::NoSuchPlace { .. }
            | Trap::NothingToCompare { .. }
            | Trap::NotOne { .. }
    )
}

/// One of the places below `count` that fit, if one does.
pub(super) fn one_of(
    random: &mut Seeded,
    count: usize,
    fits: impl Fn(usize) -> bool,
) -> Option<usize> {
    let fitting: Vec<usize> = (0..count).filter(|at| fits(*at)).collect();
    (!fitting.is_empty()).then(|| fitting[random.random_index(fitting.len())])
}
