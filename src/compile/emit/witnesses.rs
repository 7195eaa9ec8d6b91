//! Who sees a place, and who still knows what it holds: a hidden variable has sets of the players who know each
//! element, and changing it empties them.

use crate::bytecode::{Op, Witness};
use crate::compile::emit::{Emitter, places::AssignTarget};
use crate::compile::plan::{expr_queries::var_element, state_layout::elements};
use crate::compile::scope::SlotRange;
use crate::rules::{Array, Expr, ExprKind, ResetTarget, VarId};
use crate::syntax::ast::Visibility;

/// Nobody knows any more what a place holds.
pub(super) fn forget_place(out: &mut Emitter, place: &Expr) {
    if let Some((var, indices)) = var_element(place) {
        forget_target(out, &ResetTarget { var, indices: indices.to_vec() });
    }
}

/// Nobody knows any more what the elements hold that are about to be set back.
pub(super) fn forget_target(out: &mut Emitter, target: &ResetTarget) {
    let mark = out.mark();
    change_knowers(out, target, &|out, set| out.code.emit(Op::Clear { set, width: 1 }));
    out.release(mark);
}

/// Changes the sets of those who know the elements of a target.
pub(super) fn change_knowers(
    out: &mut Emitter,
    target: &ResetTarget,
    change: &dyn Fn(&mut Emitter, u16),
) {
    let place = out.plan.var(target.var);
    let Some(known) = place.known else { return };
    let (dims, rest) = place.dims.split_at(target.indices.len());
    let rest = out.code.fit(elements(rest), "elements");
    let element = out.element(known, rest, dims, &target.indices);
    let sets = out.load_from(element, None);
    (0..rest).for_each(|nth| change(out, sets.at + nth));
    out.store(AssignTarget::Plain(element), sets);
}

/// Restricts the next draw to those who see `place`, where not all do.
pub(super) fn note_draw_seers(out: &mut Emitter, place: &Expr) {
    if let Some((var, indices)) = var_element(place)
        && out.plan.rules.vars[var.index()].sight != Visibility::All
    {
        out.code.seen_by = seers_of_var(out, var, indices);
    }
}

/// The seers of a pile, if not all see it.
pub(super) fn seers_of_pile(out: &mut Emitter, pile: &Expr) -> Option<Witness> {
    let ExprKind::Element(Array::Pile(var), indices) = &pile.kind else {
        return seers_by_pile_number(out, pile);
    };
    seers_of_var(out, *var, indices)
}

/// The seers of a pile by reference: a table from its number to a set of players.
fn seers_by_pile_number(out: &mut Emitter, pile: &Expr) -> Option<Witness> {
    let players = 0..out.plan.setting.players;
    let seers = out.plan.cards_info(&pile.ty).piles.iter().map(|info| {
        let see = players.clone().filter(|player| info.is_seen_by(*player));
        see.fold(0_i64, |all, player| all | 1 << player)
    });
    let seers: Vec<i64> = seers.collect();
    if seers.iter().all(|seers| *seers == (1 << out.plan.setting.players) - 1) {
        return None;
    }
    let (index, base) = (out.word(pile), out.code.constants(&seers));
    let (dst, count) = (out.allocate(1), out.code.fit(seers.len(), "piles"));
    out.load(dst, base, index, count);
    Some(Witness::Players(dst.at))
}

/// The seers of a move of cards: those who see either pile.
pub(super) fn seers_of_either_pile(out: &mut Emitter, from: &Expr, to: &Expr) -> Option<Witness> {
    match (seers_of_pile(out, from)?, seers_of_pile(out, to)?) {
        (Witness::Nobody, seen) | (seen, Witness::Nobody) => Some(seen),
        (from, to) => {
            let (a, b) = (seers_set(out, Some(from)), seers_set(out, Some(to)));
            let dst = out.allocate(1).at;
            out.code.emit(Op::Union { dst, a, b, width: 1 });
            Some(Witness::Players(dst))
        }
    }
}

/// Who sees an element of a variable, if not all do.
pub(super) fn seers_of_var(out: &mut Emitter, var: VarId, indices: &[Expr]) -> Option<Witness> {
    let seers = &out.plan.layout.seers[var.index()];
    let everybody = (1 << out.plan.setting.players) - 1;
    Some(match (out.plan.rules.vars[var.index()].sight, indices.first()) {
        (Visibility::All, _) => return None,
        (Visibility::Owner, Some(owner)) => Witness::Player(out.kept_word(owner)),
        (Visibility::Owner | Visibility::Nobody, _) => Witness::Nobody,
        (Visibility::Others | Visibility::Named, _)
            if seers.iter().all(|seers| *seers == everybody) =>
        {
            return None;
        }
        (Visibility::Others | Visibility::Named, _) if seers.len() == 1 => {
            Witness::Players(out.code.constant(seers[0]))
        }
        (Visibility::Others | Visibility::Named, owner) => {
            let owner = owner.expect("a variable of each player is indexed by its owner");
            let (index, base) = (out.kept_word(owner), out.code.constants(seers));
            let dst = out.allocate(1);
            out.load(dst, base, index, out.plan.players());
            Witness::Players(dst.at)
        }
    })
}

/// Emits a set of the players who see something, if it has no slot yet; returns its slot.
pub(super) fn seers_set(out: &mut Emitter, seen: Option<Witness>) -> u16 {
    match seen {
        None => out.all_players(),
        Some(Witness::Nobody) => out.code.constant(0),
        Some(Witness::Players(set)) => set,
        Some(Witness::Player(member)) => {
            let set = out.allocate(1);
            single_member_set(out, set, member)
        }
    }
}

pub(super) fn single_member_set(
    out: &mut Emitter,
    SlotRange { at: set, width }: SlotRange,
    member: u16,
) -> u16 {
    out.code.emit(Op::Clear { set, width });
    out.code.emit(Op::Insert { set, member, width });
    set
}
