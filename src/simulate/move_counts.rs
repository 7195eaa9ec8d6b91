//! Counts which moves, and which members as their arguments, players were offered and took.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::Program;
use crate::bytecode::program::ValueShape;
use crate::game::{Game, Outcome};
use crate::rules::PLAYER;
use crate::simulate::ends::EndKind;
use crate::simulate::statistics::Moments;
use crate::simulate::tally::{MoveUse, SeatWins, Tally};
use crate::vm::Offers;

/// What is counted of all options of a program. A thing is a move, or a move with some member as
/// one of its arguments; options of one name are the same move.
#[derive(Debug, Default)]
pub(super) struct MoveCounter {
    options: Vec<OptionThings>,
    things: Vec<MoveThing>,
    used: Vec<MoveUse>,
    /// The decision at which a thing was last met, so that it counts once there.
    met: Vec<u64>,
    decision: u64,
    /// When each thing was first legal in this game, if it was, and the things that were.
    chances: Vec<Option<FirstChance>>,
    legal: Vec<usize>,
    player: usize,
    /// Whether each option was ever taken.
    taken: Vec<bool>,
}

/// The first decision of a game at which something was legal beside something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FirstChance {
    decision: u64,
    seat: usize,
    /// Which of the groups of its seat the decision belongs to.
    group: usize,
    taken: bool,
}

/// Decisions of a seat are compared with those that offer about as many moves: somebody who picks at random takes
/// each of few more often, and how many there are may depend on who is ahead.
const GROUPS: usize = 14;

/// 2, 3 and 4 moves are a group each, then so many and fewer as these numbers.
fn group_of(moves: usize) -> usize {
    const UP_TO: [usize; GROUPS - 1] = [2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64, 90, 128];
    UP_TO.iter().position(|most| moves <= *most).unwrap_or(GROUPS - 1)
}

#[derive(Debug)]
struct OptionThings {
    /// The thing that is the move itself.
    itself: usize,
    arguments: Vec<KindArgument>,
}

/// An argument over a kind: its slot, and the thing of each member.
#[derive(Debug)]
struct KindArgument {
    slot: u16,
    members: Vec<usize>,
}

/// A move; with the position of an argument and a member there.
type MoveThing = (String, Option<(usize, String)>);

impl MoveCounter {
    pub(super) fn for_game(game: &Game) -> MoveCounter {
        let program = game.program();
        let mut choices = MoveCounter::default();
        let mut known = BTreeMap::new();
        for option in &program.options {
            let name = || option.name.clone();
            let itself = choices.intern_thing(&mut known, (name(), None));
            let mut arguments = Vec::new();
            for (position, shown) in option.shown.iter().enumerate() {
                let is_bound = option.binds.slots.contains(&(shown.slot, 1));
                let shape = &program.formats[usize::from(shown.format)].shape;
                let Some(kind) = shape_kind(shape).filter(|_| is_bound) else { continue };
                let members = program.kinds[kind].members.iter().map(|(member, title)| {
                    // Cards of one face have one name.
                    let label = if title.is_empty() { member } else { title };
                    choices.intern_thing(&mut known, (name(), Some((position, label.clone()))))
                });
                arguments.push(KindArgument { slot: shown.slot, members: members.collect() });
            }
            choices.options.push(OptionThings { itself, arguments });
        }
        let count = choices.things.len();
        let parts = vec![SeatWins::default(); program.players * GROUPS];
        let unused = MoveUse { takers: parts.clone(), others: parts, ..MoveUse::default() };
        choices.used = vec![unused; count];
        choices.met = vec![0; count];
        choices.chances = vec![None; count];
        choices.taken = vec![false; choices.options.len()];
        choices
    }

    fn intern_thing(&mut self, known: &mut BTreeMap<MoveThing, usize>, thing: MoveThing) -> usize {
        *known.entry(thing).or_insert_with_key(|thing| {
            self.things.push(thing.clone());
            self.things.len() - 1
        })
    }

    pub(super) fn begin_game(&mut self) {
        self.legal.drain(..).for_each(|thing| self.chances[thing] = None);
    }

    /// Counts what a player may do at a decision.
    pub(super) fn offer(&mut self, program: &Program, offers: &Offers) {
        self.decision += 1;
        self.player = offers.player().into();
        let moves = offers.count();
        offers.each_value(program, |option, value| {
            let Some(thing) = self.find_thing(option, value) else { return };
            if self.met[thing] != self.decision {
                self.met[thing] = self.decision;
                self.used[thing].offered += 1;
                if self.chances[thing].is_none() && moves > 1 {
                    let (decision, seat, group) = (self.decision, self.player, group_of(moves));
                    self.chances[thing] = Some(FirstChance { decision, seat, group, taken: false });
                    self.legal.push(thing);
                }
            }
        });
    }

    /// Counts what the player did there.
    pub(super) fn count_move(&mut self, program: &Program, offers: &Offers, index: usize) {
        let option = offers.option(index);
        self.taken[usize::from(option)] = true;
        self.count_taken(option, None);
        if !self.options[usize::from(option)].arguments.is_empty() {
            offers.bind(program, index, |slot, word| self.count_taken(option, Some((slot, word))));
        }
    }

    fn count_taken(&mut self, option: u16, value: Option<(u16, i64)>) {
        if let Some(thing) = self.find_thing(option, value) {
            self.used[thing].taken += 1;
            let now = self.decision;
            let first = self.chances[thing].as_mut().filter(|first| first.decision == now);
            first.into_iter().for_each(|first| first.taken = true);
        }
    }

    fn find_thing(&self, option: u16, value: Option<(u16, i64)>) -> Option<usize> {
        let things = &self.options[usize::from(option)];
        let Some((slot, word)) = value else { return Some(things.itself) };
        let argument = things.arguments.iter().find(|argument| argument.slot == slot)?;
        argument.members.get(usize::try_from(word).ok()?).copied()
    }

    /// Counts how a game ended for those who took things at the first chance, and for those who did not.
    pub(super) fn count_end(&mut self, outcome: &Outcome, end: EndKind) {
        // Who shares a win has won as well; who comes to a score alone, or with all others, is not beaten.
        let won = |seat: usize| match (end, outcome.returns[seat]) {
            (EndKind::Scored, _) | (EndKind::Shared, 0) => true,
            (_, value) => value == 1,
        };
        let scores = outcome.scores.as_ref().filter(|_| end == EndKind::Scored);
        for thing in &self.legal {
            let Some(FirstChance { decision, seat, group, taken }) = self.chances[*thing] else {
                continue;
            };
            let used = &mut self.used[*thing];
            let is_last = u64::from(decision == self.decision);
            let (parts, ended) = if taken {
                (&mut used.takers, &mut used.ended)
            } else {
                (&mut used.others, &mut used.others_ended)
            };
            *ended += is_last;
            let part = seat * GROUPS + group;
            parts[part].add_game(won(seat));
            if let Some(scores) = scores {
                let of_scores = &mut used.scores[usize::from(!taken)];
                of_scores.resize(parts.len(), Moments::default());
                of_scores[part].add_number(scores[seat]);
            }
        }
    }

    /// Hands out the counts, and says which options were ever taken.
    pub(super) fn into_tally(self, tally: &mut Tally) -> Vec<bool> {
        for ((name, argument), used) in self.things.into_iter().zip(self.used) {
            let Some((position, member)) = argument else {
                tally.moves.entry(name).or_default().merge(&used);
                continue;
            };
            if used.offered == 0 {
                continue;
            }
            let arguments = tally.choices.entry(name).or_default();
            arguments.resize(arguments.len().max(position + 1), BTreeMap::new());
            arguments[position].entry(member).or_default().merge(&used);
        }
        self.taken
    }
}

/// The arguments of moves that are members of a kind: the name of the move, the position, and the kind.
pub(crate) fn arguments(game: &Game) -> BTreeSet<(String, usize, usize)> {
    let program = game.program();
    let options = program.options.iter().flat_map(|option| {
        option.shown.iter().enumerate().filter_map(|(position, shown)| {
            let shape = &program.formats[usize::from(shown.format)].shape;
            let kind = shape_kind(shape)?;
            Some((option.name.clone(), position, kind))
        })
    });
    options.collect()
}

/// The kind whose members a shape prints; players are no choice of the rules.
fn shape_kind(shape: &ValueShape) -> Option<usize> {
    match shape {
        ValueShape::Member(kind) => Some(usize::from(*kind)).filter(|kind| *kind != PLAYER.index()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::group_of;

    #[test]
    fn decisions_with_about_as_many_moves_are_one_group() {
        let groups = [2, 3, 4, 5, 6, 8, 16, 17, 64, 65, 1 << 20].map(group_of);
        assert_eq!(groups, [0, 1, 2, 3, 3, 4, 6, 7, 10, 11, 13]);
    }
}
