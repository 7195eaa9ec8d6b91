//! Outcomes of a draw that are alike: the same face, or cards of one face.

use crate::bytecode::{CardsInfo, Op, Program, Wait, sets};
use crate::vm::State;
use crate::vm::order::Order;

/// The outcomes of the draw that waits and how many that are alike each stands for, where that is known without
/// drawing them.
pub(crate) fn merged_outcomes(program: &Program, state: &State) -> Option<Vec<(u32, u32)>> {
    let Wait::Draw { dst, outcomes, low, then, distinct, .. } = state.site(program).wait else {
        return None;
    };
    let outcomes = u32::try_from(state.word(outcomes.into())).ok()?;
    if distinct {
        return Some((0..outcomes).map(|index| (index, 1)).collect());
    }
    let first = program.sites[usize::from(then)].to;
    match *program.code.get(usize::from(first))? {
        Op::Candidate { pile, depth, index, cards, .. } if index == dst => {
            let info = &program.cards[usize::from(cards / 2)];
            let pile = usize::try_from(state.word(pile.into())).ok()?;
            let depth = usize::try_from(state.word(depth.into())).ok()?;
            let order = order_in(info, state, pile)?;
            let (from, to) = order.group(depth, cards % 2 == 1)?;
            // Where each card has a face of its own, no two are alike.
            if sets::count(&info.runs.first) == info.faces.len() {
                let last = u32::try_from(to - from).ok()?;
                return Some((0..outcomes.min(last + 1)).map(|index| (index, 1)).collect());
            }
            // Cards of one face stand beside each other.
            let faces = (from..=to).map(|at| info.faces[order.card(at)]);
            Some(merge(faces.take(outcomes as usize), true))
        }
        Op::Load { base, index, count, .. } if index == dst && u32::from(count) == outcomes => {
            let is_constant = usize::from(base) >= program.slots && state.word(low.into()) == 0;
            let faces = state.slice(base.into(), count.into()).iter().copied();
            is_constant.then(|| merge(faces, false))
        }
        _ => None,
    }
}

fn order_in<'a>(info: &CardsInfo, state: &'a State, pile: usize) -> Option<Order<'a>> {
    let slot = usize::from(info.piles.get(pile)?.order?);
    let set = state.slice(info.set_of(pile), info.width.into());
    Some(Order::of_pile(set, state.slice(slot, info.order_words()).split_at(info.lane_words())))
}

/// The cards of a pile that keeps its order, the top one first; none where all lie in no known order.
pub(crate) fn cards_from_top(info: &CardsInfo, state: &State, pile: usize) -> Option<Vec<usize>> {
    order_in(info, state, pile)?.top_down()
}

/// Equal values as one, with the place of the first; `beside` if they all stand beside each other.
fn merge<T: PartialEq + Copy>(values: impl Iterator<Item = T>, beside: bool) -> Vec<(u32, u32)> {
    let mut merged: Vec<(u32, u32)> = Vec::new();
    let mut known: Vec<T> = Vec::new();
    for (index, value) in (0..).zip(values) {
        let same = if beside {
            known.last().is_some_and(|last| *last == value).then(|| known.len() - 1)
        } else {
            known.iter().position(|other| *other == value)
        };
        if let Some(at) = same {
            merged[at].1 += 1;
        } else {
            known.push(value);
            merged.push((index, 1));
        }
    }
    merged
}
