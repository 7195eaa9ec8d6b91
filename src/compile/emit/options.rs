//! Lists the options of a decision: clauses as nested loops, offers, proposals.

use crate::bytecode::{Binds, Factor, MoveProposal, Op, OptionInfo, Shown, ValueShape, Wait};
use crate::compile::emit::arguments::{arguments_of, shown_argument};
use crate::compile::emit::{
    Emitter,
    deferred_texts::DeferredText,
    filters::emit_filtered,
    rounds::{emit_at, refuse_large, subset_sizes},
    witnesses::single_member_set,
};
use crate::compile::plan::move_options::{is_long_test, tested_last, tested_within};
use crate::compile::plan::{
    Plan, expr_queries::bound_by, factors::FactorSource, forms::conditions_of,
    state_layout::cards_of,
};
use crate::compile::scope::{CompiledBody, SlotRange};
use crate::compile::{code::CodeLabel, compiled::Storage, passes::Pass};
use crate::rules::{
    Block, Choose, Clause, Decline, Expr, ExprKind, LocalId, MoveOption, SubsetBound, Type,
};
use crate::source::Span;

/// A decision while it is being compiled.
pub(super) struct Asking {
    pub(super) site: u16,
    pub(super) player: u16,
    pub(super) mark: usize,
    pub(super) end: CodeLabel,
}

/// The options that are offered, with what follows each.
pub(super) type OfferedOptions<'c> = Vec<(u16, &'c Block)>;

/// Lists what is legal, and waits; also where to continue if nothing is.
pub(super) fn list_options<'c>(
    out: &mut Emitter,
    asking: &Asking,
    choose: &'c Choose,
    span: Span,
) -> (OfferedOptions<'c>, Option<(CodeLabel, &'c Block)>) {
    let mut offered = OfferedOptions::new();
    for option in &choose.options {
        note_barred(out, option);
        if !out.facts().never_legal(option) {
            offered.push((list_option(out, option), &option.body));
        }
    }
    if let Some(decline) = &choose.decline {
        offered.extend(list_decline(out, choose, decline).map(|at| (at, &decline.body)));
    }
    let options = offered.iter().map(|(option, _)| *option).collect();
    let otherwise = choose.otherwise.as_ref().map(|body| (out.code.label(), body));
    let typed = out.facts().typed_choice(choose, span);
    emit_decide(out, asking, choose.prompt.as_ref(), otherwise.map(|it| it.0), options, typed);
    (offered, otherwise)
}

/// Begins to list: a new buffer, and who decides.
pub(super) fn begin_asking(out: &mut Emitter, chooser: &Expr, span: Span) -> Asking {
    out.code.span = span;
    let mark = out.mark();
    let list = out.code.here();
    let wait = Wait::Decision { player: 0, question: None, otherwise: None };
    let site = out.waiting_site(list, wait);
    let player = out.word(chooser);
    Asking { site, player, mark, end: out.code.label() }
}

pub(super) fn emit_decide(
    out: &mut Emitter,
    asking: &Asking,
    prompt: Option<&Expr>,
    otherwise: Option<CodeLabel>,
    options: Vec<u16>,
    typed: Choose,
) {
    let question = text_later(out, prompt);
    let declined = typed.decline.iter().map(|decline| decline.span);
    let places = typed.options.iter().map(|option| option.span).chain(declined);
    let kept = places.flat_map(|place| out.facts().read_by_strategies(place)).collect();
    let site = &mut out.code.sites[usize::from(asking.site)];
    site.wait = Wait::Decision { player: asking.player, question, otherwise };
    site.options = options;
    site.kept = kept;
    site.debug.choose = Some(typed);
    out.code.emit(Op::Decide { site: asking.site });
}

/// After the bodies.
pub(super) fn end_asking(out: &mut Emitter, asking: &Asking) {
    out.code.place(asking.end);
    out.release(asking.mark);
}

fn text_later(out: &mut Emitter, text: Option<&Expr>) -> Option<CodeLabel> {
    text.map(|text| {
        let label = out.code.label();
        out.note_text(label, DeferredText::Text(text.clone()));
        label
    })
}

pub(super) fn body_label(out: &Emitter, option: u16) -> CodeLabel {
    let site = out.code.options[usize::from(option)].body;
    out.code.sites[usize::from(site)].to
}

pub(super) fn begin_body(out: &mut Emitter, option: u16) {
    out.code.place(body_label(out, option));
    emit_announcement(out, option);
}

/// Lists the instances of an option.
pub(super) fn list_option(out: &mut Emitter, option: &MoveOption) -> u16 {
    let outer = std::mem::replace(&mut out.code.span, option.span);
    let at = new_option(out, &option.name, &option.notes, option.span);
    let clauses = out.facts().told_apart(out.facts().schedule_clauses(&option.clauses));
    reserve_slots(out, &clauses, &option.params);
    let within = out.plan.tries(Pass::Predicates);
    let clauses = tested_last(if within { tested_within(clauses) } else { clauses });
    nest_clauses(out, &clauses, &mut |out, rest| {
        let bound = &clauses[..clauses.len() - rest.len()];
        if !out.plan.tries(Pass::Untested) {
            return try_offer_rest(out, rest, option, at);
        }
        // A loop gives many moves: each one with a long test is a proposal of its own.
        let alone = || {
            let is_one_of_many = bound.iter().any(|clause| matches!(clause, Clause::For(_)));
            (is_one_of_many && is_long_test(rest)).then_some((Vec::new(), rest))
        };
        if let Some((sources, test)) = out.facts().proposed_sets(rest).or_else(alone) {
            list_tested(out, bound, &sources, test, (option, at));
            return true;
        }
        try_offer_rest(out, rest, option, at)
    });
    complete_option(out, at, option);
    out.code.span = outer;
    at
}

/// Offers the combinations of what is left of an option, if they are independent.
#[must_use]
fn try_offer_rest(out: &mut Emitter, clauses: &[Clause], option: &MoveOption, at: u16) -> bool {
    if clauses.is_empty() {
        out.code.span = option.span;
        out.code.emit(Op::Offer { option: at });
        return true;
    }
    let factors = out.facts().factors(clauses);
    factors.map(|factors| offer_factors(out, &factors, at)).is_some()
}

/// Lists a move that a test may refuse, or one for each combination of members of sets, which are proposed
/// together: a random player need not have every move tested.
fn list_tested(
    out: &mut Emitter,
    bound: &[Clause],
    sources: &[FactorSource],
    test: &[Clause],
    of: (&MoveOption, u16),
) {
    let mark = out.mark();
    let [all, begin, next] = out.code.labels();
    let factors = factors_of(out, sources);
    let members = sources.iter().map(|source| out.body.local_slots(source.binder.local).at);
    let members: Vec<(u16, Factor)> = members.zip(factors.iter().copied()).collect();
    let mut slots = slots_bound_by(&out.body, bound);
    slots.extend(members.iter().map(|(member, _)| (*member, 1)));
    emit_propose(out, MoveProposal { binds: Binds { slots, factors }, test: begin }, all, next);
    each_combination(out, &members, next, &mut |out| {
        // `emit_propose` has emitted `TestNow` for a single move.
        if !sources.is_empty() {
            out.code.emit(Op::TestNow { to: begin });
        }
        out.code.place(begin);
        test_proposed(out, test, of);
    });
    out.code.place(next);
    out.release(mark);
}

/// Nested loops over the members of some sets, each of which goes into a slot.
fn each_combination(
    out: &mut Emitter,
    sets: &[(u16, Factor)],
    exit: CodeLabel,
    inner: &mut dyn FnMut(&mut Emitter),
) {
    let Some(((member, Factor { set, width, low, .. }), behind)) = sets.split_first() else {
        return inner(out);
    };
    let rest = out.allocate(*width);
    out.emit_copy(rest.at, SlotRange { at: *set, width: *width });
    let round = out.code.here();
    out.code.emit(Op::Pop { dst: *member, set: rest.at, width: *width, to: exit });
    out.add_low(*member, *low);
    let next = out.code.label();
    each_combination(out, behind, next, inner);
    out.code.place(next);
    out.code.emit(Op::Again { to: round });
}

/// Proposes moves, and goes on with what comes next; `all` is where tests begin if all moves are tested now.
fn emit_propose(out: &mut Emitter, proposal: MoveProposal, all: CodeLabel, next: CodeLabel) {
    out.plan.fires(Pass::Untested);
    out.code.proposals.push(proposal);
    let proposal = out.code.fit(out.code.proposals.len() - 1, "moves");
    out.code.emit(Op::TestNow { to: all });
    out.code.emit(Op::Propose { proposal });
    out.code.emit(Op::Jump { to: next });
    out.code.place(all);
}

fn test_proposed(out: &mut Emitter, test: &[Clause], (option, at): (&MoveOption, u16)) {
    nest_clauses(out, test, &mut |out, rest| try_offer_rest(out, rest, option, at));
    out.code.emit(Op::Tested {});
}

fn list_decline(out: &mut Emitter, choose: &Choose, decline: &Decline) -> Option<u16> {
    let skip = out.code.label();
    if let Some(condition) = &decline.condition {
        if out.facts().known(condition) == Some(false) {
            return None;
        }
        out.condition(condition, false, skip);
    }
    let option = new_option(out, &decline.name, &[], decline.span);
    out.code.emit(if decline.alone {
        Op::OfferDeclineAlone { option }
    } else if out.plan.rules.asked_anyway.contains(&choose.chooser.span) {
        Op::OfferDeclineAnyway { option }
    } else {
        Op::OfferDecline { option }
    });
    out.code.place(skip);
    let template = text_later(out, decline.template.as_ref());
    out.code.options[usize::from(option)].template = template;
    Some(option)
}

fn new_option(out: &mut Emitter, name: &str, notes: &[String], span: Span) -> u16 {
    let to = out.code.label();
    let body = out.code.site(out.draft_site(to, Wait::Nothing));
    out.code.add_option(OptionInfo {
        name: name.to_owned(),
        notes: notes.to_vec(),
        body,
        span,
        ..OptionInfo::default()
    })
}

/// Slots for everything that the clauses bind; they stay in use until the decision is over. A name
/// for a local that never changes shares its slots, unless a choice shows it.
pub(super) fn reserve_slots(out: &mut Emitter, clauses: &[Clause], shown: &[LocalId]) {
    for clause in clauses {
        let (local, width) = match clause {
            Clause::For(binder) | Clause::Maybe(binder) => {
                (binder.local, out.width_of_member(&binder.set))
            }
            Clause::Let(local, value) => {
                if let Some(value) = out.facts().fold(value) {
                    out.keep_local(*local, Storage::Known(value));
                    continue;
                }
                if let ExprKind::Local(same) = value.kind
                    && !shown.contains(local)
                    && out.facts().is_immutable(same)
                {
                    let same = out.body.local_slots(same);
                    out.keep_local(*local, Storage::Slots(same.at, same.width));
                    continue;
                }
                (*local, out.plan.width(&value.ty, value.span))
            }
            Clause::When(_) => continue,
        };
        let slots = out.allocate(width);
        out.keep_local(local, Storage::Slots(slots.at, width));
    }
}

/// Nested loops over the clauses. At each level `inner` may do the rest itself: then it is yes.
pub(super) fn nest_clauses(
    out: &mut Emitter,
    clauses: &[Clause],
    inner: &mut dyn FnMut(&mut Emitter, &[Clause]) -> bool,
) {
    if inner(out, clauses) {
        return;
    }
    let Some((clause, rest)) = clauses.split_first() else { return };
    // What follows a clause is compared with all that it binds.
    out.plan.budget.charge(clauses.len() * clauses.len());
    if !out.may_go_on() {
        return;
    }
    let mark = out.mark();
    match clause {
        Clause::When(condition) => {
            let skip = out.code.label();
            out.condition(condition, false, skip);
            nest_clauses(out, rest, inner);
            out.code.place(skip);
        }
        Clause::Let(local, value) => {
            compute_let(out, *local, value);
            nest_clauses(out, rest, inner);
        }
        Clause::For(binder) => {
            let dst = out.body.local_slots(binder.local).at;
            out.emit_loop_into(binder, dst, None, |out| nest_clauses(out, rest, inner));
        }
        // First without, then with each member.
        Clause::Maybe(binder) => {
            let dst = out.body.local_slots(binder.local).at;
            let (none, first) = (out.none(), out.code.label());
            out.code.emit(Op::Move { dst, src: none });
            out.emit_loop_into(binder, dst, Some(first), |out| nest_clauses(out, rest, inner));
        }
    }
    out.release(mark);
}

/// Computes what a `let` binds, unless it is known.
pub(super) fn compute_let(out: &mut Emitter, local: LocalId, value: &Expr) {
    if let Some(Storage::Slots(at, width)) = out.body.locals.get(&local).cloned() {
        out.compute(value, SlotRange { at, width });
    }
}

/// Completes the info of an option, once the listing has shown where its locals are.
fn complete_option(out: &mut Emitter, at: u16, option: &MoveOption) {
    let bindings = slots_bound_by(&out.body, &option.clauses);
    let shown = option.params.iter().map(|param| shown_argument(out, *param, option)).collect();
    let params = option.params.iter().enumerate();
    let unseen = params.filter(|(_, param)| out.plan.rules.is_hidden(option, **param));
    let unseen = unseen.map(|(at, _)| at).collect();
    let template = text_later(out, option.template.as_ref());
    let arguments = arguments_of(out, option);
    let info = &mut out.code.options[usize::from(at)];
    info.arguments = arguments;
    info.binds.slots = bindings;
    info.shown = shown;
    info.hidden_arguments = unseen;
    info.template = template;
}

/// Offers all combinations of sets that do not depend on each other.
fn offer_factors(out: &mut Emitter, sources: &[FactorSource], option: u16) {
    let mark = out.mark();
    let factors = factors_of(out, sources);
    out.code.options[usize::from(option)].binds.factors = factors;
    out.code.emit(Op::Offer { option });
    out.release(mark);
}

/// Computes sets that do not depend on each other.
fn factors_of(out: &mut Emitter, sources: &[FactorSource]) -> Vec<Factor> {
    let mut factors = Vec::new();
    for FactorSource { binder, or_none, taken } in sources {
        out.plan.fires(Pass::Factors);
        let kept = out.body.locals.get(&binder.local).cloned();
        let SlotRange { at: set, width } = match &binder.set.kind {
            ExprKind::Subsets(of, size) => taken_from(out, of, size.as_ref()),
            _ => {
                let conditions = conditions_of(binder, &[]);
                emit_filtered(out, &binder.set, binder.local, &conditions)
            }
        };
        // Testing members one by one used the name; it belongs to the choice again.
        out.body.locals.extend(kept.map(|kept| (binder.local, kept)));
        let low = if taken.is_some() { 0 } else { out.plan.low(&binder.set) };
        let most = most_members(out.plan, &binder.set, width);
        factors.push(Factor { set, width, most, low, or_none: *or_none, taken: *taken });
    }
    factors
}

/// How many members a set of so many words has at most.
fn most_members(plan: &Plan, set: &Expr, width: u16) -> u16 {
    let most = width.saturating_mul(64);
    let (Type::Set(domain) | Type::Subsets(domain)) = set.ty else { return most };
    let size = plan.known_domain(domain).and_then(|(_, size)| u16::try_from(size).ok());
    size.map_or(most, |size| size.min(most))
}

/// The set whose subsets are offered.
fn taken_from(out: &mut Emitter, set: &Expr, size: Option<&SubsetBound>) -> SlotRange {
    let slots = out.operand(set);
    let SlotRange { at, width } = slots;
    if size.is_none() {
        refuse_large(out, set);
        emit_at(out, set.span, Op::CheckSubsets { set: at, width });
    } else {
        let sizes = subset_sizes(out, size, width);
        emit_at(out, set.span, Op::CheckSized { set: at, width, sizes });
    }
    slots
}

/// Keeps that an option cannot be legal, if that is so.
pub(super) fn note_barred(out: &mut Emitter, option: &MoveOption) {
    if out.facts().never_legal(option) || out.facts().is_barred(option) {
        out.code.barred.insert(option.span, option.name.clone());
    }
}

/// A move is announced to all with its cards, but for those that it hides: now they know them.
pub(super) fn emit_announcement(out: &mut Emitter, option: u16) {
    let info = &out.code.options[usize::from(option)];
    let shown = info.shown.iter().enumerate().filter(|(at, _)| !info.hidden_arguments.contains(at));
    let shown: Vec<Shown> = shown.map(|(_, shown)| *shown).collect();
    for Shown { slot, format, .. } in shown {
        let (kind, several) = match out.code.formats[usize::from(format)].shape {
            ValueShape::Member(kind) => (kind, false),
            ValueShape::Members(kind) => (kind, true),
            _ => continue,
        };
        let mut piles = out.plan.layout.piles.iter();
        let found = piles.position(|info| info.kind == kind && info.known.is_some());
        let Some(group) = found else { continue };
        let width = out.plan.layout.piles[group].width;
        let (mut set, players) = (slot, out.all_players());
        if !several {
            let one = out.allocate(width);
            set = single_member_set(out, one, slot);
        }
        out.code.emit(Op::Learn { set, players, width, cards: cards_of(group) });
    }
}

/// Whether a clause binds a name to where something lies that has another name.
fn is_other_name(body: &CompiledBody, clause: &Clause) -> bool {
    let Clause::Let(local, Expr { kind: ExprKind::Local(same), .. }) = clause else {
        return false;
    };
    body.locals.get(local) == body.locals.get(same)
}

fn slots_bound_by(body: &CompiledBody, clauses: &[Clause]) -> Vec<(u16, u16)> {
    let own = clauses.iter().filter(|clause| !is_other_name(body, clause));
    let bound = own.filter_map(bound_by);
    let slots = bound.filter_map(|local| match body.locals.get(&local) {
        Some(Storage::Slots(slot, width)) => Some((*slot, *width)),
        _ => None,
    });
    slots.collect()
}
