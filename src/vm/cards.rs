//! Operations on cards, for both engines: moving and drawing them, and who learns what.

use crate::bytecode::{CardsInfo, NONE, Op, sets, to_word};
use crate::vm::lists::{OpEffect, SubsetRoom, carry_out, with_subset_room};
use crate::vm::memory::{WordMemory, index_at};
use crate::vm::order::{CardSet, MOST_WORDS};
use crate::vm::piles::Piles;

/// The cards of a program, and whether anybody asks who knows them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardTable<'a> {
    pub(crate) cards: &'a [CardsInfo],
    pub(crate) players: usize,
    pub(crate) is_observed: bool,
}

impl<'a> CardTable<'a> {
    /// The piles that an operand names, and whether it means their bottom.
    fn piles<'m>(&self, mem: &'m mut [i64], cards: u16) -> (Piles<'m>, bool)
    where
        'a: 'm,
    {
        let info = &self.cards[usize::from(cards / 2)];
        let known = info.known.filter(|_| self.is_observed);
        (Piles { info, words: mem, players: self.players, known }, cards % 2 == 1)
    }

    /// Carries out an operation on cards, or on lists and bits. It fails where there is no card, or
    /// where it is not decided which cards lie at the end of a pile.
    ///
    /// # Panics
    /// If a word is no card or pile where it has to be one.
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    pub(super) fn carry_out(&self, op: Op, mem: &mut [i64]) -> OpEffect {
        match op {
            Op::MoveCard { card, to, announced, cards } => {
                let (card, to) = (mem.word(card), index_at(mem, to));
                if card == NONE {
                    return OpEffect::Fails;
                }
                let (mut piles, bottom) = self.piles(mem, cards);
                if piles.known.is_none() {
                    piles.carry(usize::try_from(card).expect("it is a card"), to, bottom);
                    return OpEffect::Next;
                }
                let mut set = [0; MOST_WORDS];
                sets::insert(&mut set, card);
                piles.gather(&set, to, bottom, announced != 0);
            }
            Op::MoveCards { set, to, width, announced, cards } => {
                let (set, to) = (cards_in(mem, set, width), index_at(mem, to));
                let (mut piles, bottom) = self.piles(mem, cards);
                piles.gather(&set, to, bottom, announced != 0);
            }
            Op::MovePile { pile, to, cards } => {
                let (from, to) = (index_at(mem, pile), index_at(mem, to));
                let (mut piles, bottom) = self.piles(mem, cards);
                piles.stack(from, to, bottom);
            }
            Op::Shuffle { pile, cards } => {
                let pile = index_at(mem, pile);
                self.piles(mem, cards).0.shuffle(pile);
            }
            Op::Choices { dst, pile, depth, cards } => {
                let (pile, depth) = (index_at(mem, pile), amount(mem, depth));
                let (piles, bottom) = self.piles(mem, cards);
                let group = piles.order(pile).and_then(|order| order.group(depth, bottom));
                mem.put(dst, group.map_or(0, |(low, high)| to_word(high - low + 1)));
            }
            Op::Candidate { dst, pile, depth, index, cards } => {
                let (pile, depth) = (index_at(mem, pile), amount(mem, depth));
                let index = index_at(mem, index);
                let (piles, bottom) = self.piles(mem, cards);
                let faces = &piles.info.faces;
                let card = piles.order(pile).and_then(|order| {
                    let (low, high) = order.group(depth, bottom)?;
                    let at = (low + index <= high).then_some(low + index)?;
                    Some(order.card(order.first_alike((low, at), faces)))
                });
                mem.put(dst, card.map_or(NONE, to_word));
            }
            Op::Settle { pile, depth, card, seen, cards } => {
                let (pile, depth) = (index_at(mem, pile), amount(mem, depth));
                let (card, seen) = (index_at(mem, card), mem.word(seen));
                let (mut piles, bottom) = self.piles(mem, cards);
                let keeps = piles.known.is_some();
                let Some(order) = piles.order(pile) else { return OpEffect::Next };
                let alike = keeps.then(|| order.alike(depth, bottom));
                piles.change_order(pile, |order| order.reveal_card(depth, bottom, card));
                alike.iter().for_each(|alike| piles.lose_sight(pile, alike, seen));
            }
            Op::LoseSight { pile, depth, seen, cards } => {
                if !self.is_observed {
                    return OpEffect::Next;
                }
                let (pile, depth) = (index_at(mem, pile), amount(mem, depth));
                let seen = mem.word(seen);
                let (mut piles, bottom) = self.piles(mem, cards);
                let alike = piles.order(pile).map(|order| order.alike(depth, bottom));
                alike.iter().for_each(|alike| piles.lose_sight(pile, alike, seen));
            }
            Op::EndCard { dst, pile, cards } => {
                let pile = index_at(mem, pile);
                let (piles, bottom) = self.piles(mem, cards);
                let order = piles.order(pile);
                let card = match order.and_then(|it| Some((it.group(0, bottom)?, it))) {
                    None => NONE,
                    Some(((low, high), order)) if low == high => to_word(order.card(low)),
                    Some(_) => return OpEffect::Fails,
                };
                mem.put(dst, card);
            }
            Op::EndCards { dst, pile, count, width, cards } => {
                let (pile, count) = (index_at(mem, pile), amount(mem, count));
                let (piles, bottom) = self.piles(mem, cards);
                let order = piles.order(pile);
                let found = order.map_or(Some([0; MOST_WORDS]), |order| order.end(count, bottom));
                let Some(found) = found else { return OpEffect::Fails };
                mem.bits_mut(dst, width).copy_from_slice(&found[..width.into()]);
            }
            // Machine code hands it over; the interpreter calls `distinct` itself.
            Op::Distinct { dst, set, width, together, cards } => {
                self.distinct(mem, [dst, set, width], together != 0, cards);
            }
            Op::FirstAlike { card, set, width, cards } => {
                let (set, drawn) = (cards_in(mem, set, width), mem.word(card));
                let first = self.piles(mem, cards).0.first_alike(drawn, &set);
                mem.put(card, first);
            }
            Op::Learn { set, players, width, cards } => {
                if !self.is_observed {
                    return OpEffect::Next;
                }
                let (set, players) = (cards_in(mem, set, width), [mem.word(players)]);
                let (mut piles, _) = self.piles(mem, cards);
                sets::members(&players).for_each(|player| piles.learn(player, &set));
            }
            Op::NextAlike { set, of, width, sizes, cards } => {
                let found = with_subset_room(mem, (of, width), |mem, room| {
                    self.find_alikes(mem, [of, width, cards], room);
                    let firsts = &room.firsts;
                    let last = |at: usize| (0..at).rev().find(|other| firsts[*other] == firsts[at]);
                    room.before.extend((0..firsts.len()).map(last));
                    room.resume_search(mem, [set, width, sizes]);
                    room.find_next(mem, [set, width, 0])
                });
                if let OpEffect::Jumps(_) = found {
                    mem.bits_mut(set, width).fill(0);
                }
            }
            other => return carry_out(other, mem),
        }
        OpEffect::Next
    }

    /// For each card the first of the set that has its face and lies in its pile.
    pub(super) fn find_alikes(
        &self,
        mem: &mut [i64],
        [set, width, cards]: [u16; 3],
        room: &mut SubsetRoom,
    ) {
        let set = cards_in(mem, set, width);
        let piles = self.piles(mem, cards).0;
        room.firsts.clear();
        room.firsts.extend(room.members.iter().map(|card| piles.first_alike(to_word(*card), &set)));
    }

    /// Of cards with one face only the first in each pile; where they lie `together` there is one.
    #[inline(never)]
    pub(super) fn distinct(
        &self,
        mem: &mut [i64],
        [dst, set, width]: [u16; 3],
        together: bool,
        cards: u16,
    ) {
        let piles = self.piles(mem, cards).0;
        match width {
            1 => {
                let kept = piles.distinct::<1>(set, together);
                mem.bits_mut(dst, 1).copy_from_slice(&kept);
            }
            2 => {
                let kept = piles.distinct::<2>(set, together);
                mem.bits_mut(dst, 2).copy_from_slice(&kept);
            }
            _ => {
                let kept = piles.distinct::<MOST_WORDS>(set, together);
                mem.bits_mut(dst, width).copy_from_slice(&kept[..width.into()]);
            }
        }
    }

    /// Moves cards from the top of a pile to an end of another as long as there are any and `draw` answers at once, unless
    /// somebody asks who knows them.
    pub(super) fn deal(
        &self,
        mem: &mut [i64],
        [pile, to, left]: [u16; 3],
        cards: u16,
        draw: &mut impl FnMut(u32) -> Option<u32>,
    ) {
        if self.is_observed {
            return;
        }
        let (pile, to, mut count) = (index_at(mem, pile), index_at(mem, to), mem.word(left));
        let (mut piles, bottom) = self.piles(mem, cards);
        while count > 0 {
            let Some(card) = piles.draw_top(pile, draw) else { break };
            piles.put_card(card, to, bottom);
            count -= 1;
        }
        mem.put(left, count);
    }
}

/// A number of cards; below 0, none.
fn amount(mem: &[i64], slot: u16) -> usize {
    usize::try_from(mem.word(slot).max(0)).expect("it is not negative")
}

fn cards_in(mem: &[i64], set: u16, width: u16) -> CardSet {
    let mut cards = [0; MOST_WORDS];
    cards[..width.into()].copy_from_slice(mem.bits(set, width));
    cards
}
