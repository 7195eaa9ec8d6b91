//! Links code: slots get places, which functions never active together share; labels, operations.

mod changed_slots;
mod forwarding;
mod liveness;

use std::collections::BTreeSet;

use crate::bytecode::engine::CompiledCode;
use crate::bytecode::verify::verify;
use crate::bytecode::{
    Binds, HiddenDraw, HistoryInfo, KindNames, Op, Picks, Program, Role, Site, Wait,
};
use crate::compile::code::{CONSTANTS, CodeBuffer, Draft};
use crate::compile::compiled::{Compiled, PieceSlots, Storage};
use crate::compile::plan::{Plan, facts::Facts};
use crate::compile::{error, frames::Function, scope::CompiledBody};
use crate::components::Components;
use crate::diagnostic::Diagnostics;
use crate::eval::MAX_STEPS;
use crate::rules::{LocalId, PLAYER, VarId};
use crate::source::Span;
use changed_slots::changed_slots;

/// Turns the emitted code into a program: places slots, resolves labels.
pub(super) struct Linker<'p, 'a> {
    pub(super) plan: &'p Plan<'a>,
    pub(super) code: CodeBuffer,
    pub(super) functions: Vec<Function>,
    pub(super) histories: Vec<Vec<(LocalId, Storage)>>,
    pub(super) piece: PieceSlots,
}

/// How often a file without `limit` may ask before the game is called a draw.
const DEFAULT_LIMIT: i64 = 1_000_000;

struct Linked<'a> {
    code: &'a CodeBuffer,
    slots: Vec<u16>,
    words: u16,
    /// For each function, the first word of its locals and their number.
    frames: Vec<(u16, u16)>,
}

impl<'a> Linked<'a> {
    fn bind(&self, binds: &mut Binds) {
        let slots = binds.slots.iter_mut().map(|(slot, _)| slot);
        let factors = binds.factors.iter_mut().map(|factor| &mut factor.set);
        slots.chain(factors).for_each(|slot| *slot = self.slot(*slot));
    }

    fn new(
        code: &'a CodeBuffer,
        functions: &[Function],
        (frame, players): (usize, usize),
        bases: &[usize],
    ) -> Option<Linked<'a>> {
        let words = u16::try_from(frame).ok()?;
        let starts = starts(functions, words, bases)?;
        // Constants follow the last word, so no word may be added later.
        let room = rows_of_end(&code.ops).checked_mul(players)?;
        let mut words = words.checked_add(u16::try_from(room).ok()?)?;
        let mut slots: Vec<u16> = (0..code.slot_count()).collect();
        let mut frames = Vec::new();
        for (function, start) in functions.iter().zip(starts) {
            let result = function.result.map(|result| (result.at, result.width));
            let mut next = start;
            for (slot, width) in result.into_iter().chain(function.blocks.iter().copied()) {
                (0..width).for_each(|word| slots[usize::from(slot + word)] = next + word);
                next = next.checked_add(width)?;
            }
            words = words.max(next);
            // What a frame keeps for its result is not put aside when the function calls itself.
            let first = start + result.map_or(0, |(_, width)| width);
            frames.push((first, next - first));
        }
        let fits = code.ops.len() < usize::from(u16::MAX)
            && usize::from(words) + code.constants.len() < usize::from(u16::MAX);
        fits.then_some(Linked { code, slots, words, frames })
    }

    pub(super) fn slot(&self, slot: u16) -> u16 {
        match slot.checked_sub(CONSTANTS) {
            Some(constant) => self.words + constant,
            None => self.slots[usize::from(slot)],
        }
    }

    /// The target of a label; through a jump, the target of that.
    pub(super) fn label(&self, label: u16) -> u16 {
        let place =
            |label: u16| self.code.labels[usize::from(label)].expect("every label is placed");
        let mut at = place(label);
        // Jumps that lead nowhere but to each other are a loop without end; one round is enough.
        for _ in 0..self.code.ops.len() {
            let Some(Op::Jump { to }) = self.code.ops.get(at) else { break };
            at = place(*to);
        }
        u16::try_from(at).expect("the code was measured")
    }

    /// The operations with their spans. A jump to the end of a loop or of a rule becomes that end.
    pub(super) fn ops(&self) -> (Vec<Op>, Vec<Span>) {
        let (ops, spans) = (&self.code.ops, &self.code.spans);
        let linked = (0..ops.len()).map(|at| {
            let target = match ops[at] {
                Op::Jump { to } => usize::from(self.label(to)),
                _ => at,
            };
            let is_end = matches!(ops.get(target), Some(Op::Again { .. } | Op::Return { .. }));
            let at = if is_end { target } else { at };
            (self.op(ops[at]), spans[at])
        });
        linked.unzip()
    }

    fn op(&self, mut op: Op) -> Op {
        if let Op::Push { base, width } | Op::Pull { base, width } = &mut op {
            (*base, *width) = self.frames[usize::from(*base)];
            return op;
        }
        op.map(|role, value| match role {
            Role::To => self.label(value),
            role if role.is_slot() => self.slot(value),
            _ => value,
        });
        op
    }

    pub(super) fn site(&self, draft: &Draft, link: Option<u16>, live: Vec<u16>) -> Site {
        let mut wait = draft.wait.clone();
        match &mut wait {
            Wait::Nothing => {}
            Wait::Decision { player, question, otherwise } => {
                *player = self.slot(*player);
                question.iter_mut().chain(otherwise).for_each(|label| *label = self.label(*label));
            }
            Wait::Draw { dst, outcomes, low, event, outcome, .. } => {
                [dst, outcomes, low].into_iter().for_each(|slot| *slot = self.slot(*slot));
                [event, outcome].into_iter().for_each(|label| *label = self.label(*label));
            }
        }
        Site {
            to: self.label(draft.to),
            wait,
            live,
            link: link.map(|link| self.slot(link)),
            pulled: draft.pulled.map(|function| self.frames[function]),
            span: draft.span,
        }
    }
}

impl Linker<'_, '_> {
    /// Ends compiling. `bases` are the numbers of functions that were there before each piece.
    pub(super) fn link_program(mut self, bases: &[usize]) -> Result<Compiled, Diagnostics> {
        let (plan, body) = (self.plan, CompiledBody::default());
        let (limit, facts) = (plan.rules.limit.as_ref(), Facts { plan, body: &body });
        let decisions = limit.map_or(DEFAULT_LIMIT, |limit| facts.known_number(&limit.decisions));
        if let Some(limit) = limit.filter(|_| decisions < 1 && !plan.has_errors()) {
            let (setting, span) = (plan.setting_text(), limit.decisions.span);
            plan.report(error::no_decisions(decisions, setting, span));
        }
        let too_large = |what: String, span| error::too_large(what, plan.setting_text(), span);
        if let Some((what, span)) = self.code.excess {
            plan.report(too_large(format!("more {what} than fit"), span));
        }
        plan.budget.charge(2 * MAX_STEPS - plan.constant_steps.get() - plan.fold_steps.get());
        if let Some(finding) = plan.budget.finding() {
            return Err(Diagnostics::of(finding));
        }
        if plan.has_errors() {
            return Err(plan.take_errors());
        }
        let live = self.forward_copies();
        let frame = plan.layout.initial.len();
        let Some(linked) =
            Linked::new(&self.code, &self.functions, (frame, plan.players().into()), bases)
        else {
            let span = self.code.spans.last().copied().unwrap_or_default();
            let what = "more operations or locals than fit".to_owned();
            return Err(Diagnostics::of(too_large(what, span)));
        };
        let program = self.build_program(&linked, &live, (decisions, self.code.limit_site));
        if let Some(finding) = plan.budget.finding() {
            return Err(Diagnostics::of(finding));
        }
        if let Err(flaw) = verify(&program) {
            unreachable!("the compiler wrote a program that cannot be run: {flaw}");
        }
        let place = |(at, width): (u16, u16)| (linked.slots[usize::from(at)], width);
        let piece = PieceSlots {
            params: self.piece.params.iter().copied().map(place).collect(),
            result: self.piece.result.map(place),
        };
        Ok(Compiled {
            program,
            piece,
            slots: linked.slots,
            sites: self.code.sites.into_iter().map(|draft| draft.debug).collect(),
            barred: self.code.barred,
            ranges: plan.ranges.clone(),
            off: plan.prepared.off,
            fired: plan.fired.get(),
            histories: self.histories,
        })
    }

    fn build_program(&self, linked: &Linked, live: &[BTreeSet<u16>], limit: (i64, u16)) -> Program {
        let (code, spans) = linked.ops();
        let mut initial = self.plan.layout.initial.clone();
        let frame = initial.len();
        initial.resize(linked.words.into(), 0);
        let mut options = self.code.options.clone();
        for option in &mut options {
            linked.bind(&mut option.binds);
            let shown = option.shown.iter_mut().map(|shown| &mut shown.slot);
            let arguments = option.arguments.iter_mut().map(|argument| &mut argument.slot);
            shown.chain(arguments).for_each(|slot| *slot = linked.slot(*slot));
            option.template = option.template.map(|label| linked.label(label));
        }
        let mut proposals = self.code.proposals.clone();
        for proposal in &mut proposals {
            linked.bind(&mut proposal.binds);
            proposal.test = linked.label(proposal.test);
        }
        let mut picks = self.code.picks.clone();
        for Picks { deciders, rest, base, .. } in &mut picks {
            [deciders, rest, base].into_iter().for_each(|slot| *slot = linked.slot(*slot));
        }
        let unseen = self.code.unseen.values();
        let unseen =
            unseen.map(|it| HiddenDraw { by: it.by.map_slot(|slot| linked.slot(slot)), ..*it });
        let suppositions = self.changed_by_suppositions(linked, &code, frame);
        let (mut measures, mut always) = (self.code.measures.clone(), self.code.always.clone());
        let pieces = measures.iter_mut().map(|measure| &mut measure.piece);
        for piece in pieces.chain(always.iter_mut().map(|promise| &mut promise.piece)) {
            piece.to = linked.label(piece.to);
            (piece.player, piece.result) = (linked.slot(piece.player), linked.slot(piece.result));
        }
        Program {
            title: self.plan.rules.title.clone(),
            players: self.plan.setting.players,
            code,
            spans,
            constants: self.code.constants.clone(),
            slots: initial.len(),
            initial,
            frame,
            sites: self.link_sites(linked, live),
            options,
            proposals,
            picks,
            hidden_draws: unseen.collect(),
            texts: self.code.texts.clone(),
            formats: self.code.formats.clone(),
            cards: self.plan.layout.piles.clone(),
            kinds: self.kind_names(),
            vars: self.plan.layout.infos.clone(),
            histories: self.describe_histories(),
            suppositions,
            rays: self.code.rays.clone(),
            lines: self.code.lines.clone(),
            measures,
            always,
            limit,
            most_passes: self.plan.rules.limit.as_ref().map_or(i64::MAX, |_| limit.0),
            engine: CompiledCode::default(),
        }
    }

    /// The slots that each supposition may change and that are read after it.
    fn changed_by_suppositions(
        &self,
        linked: &Linked,
        code: &[Op],
        frame: usize,
    ) -> Vec<Vec<(u16, u16)>> {
        let slots = |(at, width): &(u16, u16)| *at..*at + *width;
        let in_use = |of: &Vec<(u16, u16)>| {
            of.iter().flat_map(slots).map(|slot| linked.slot(slot)).collect()
        };
        let in_use: Vec<BTreeSet<u16>> = self.code.suppositions.iter().map(in_use).collect();
        changed_slots(code, (frame, linked.words.into()), &in_use, self.plan.budget)
    }

    /// The words that each history remembers.
    fn describe_histories(&self) -> Vec<HistoryInfo> {
        let part = |var: &VarId| {
            let info = &self.plan.layout.infos[var.index()];
            let words = info.words(self.plan.setting.players);
            let words = u16::try_from(words).expect("a variable lies in the state");
            // Each element is in one of the sets: the last one follows from the others.
            let sets = info.kept.filter(|kept| !kept.flags && words == kept.sets * kept.width);
            (info.base, words - sets.map_or(0, |kept| kept.width))
        };
        let histories = self.plan.rules.histories.iter().map(|history| HistoryInfo {
            name: history.name.clone(),
            parts: history.vars.iter().map(part).collect(),
        });
        histories.collect()
    }

    /// The names of kinds; those of players, who come first, are supplied by the caller that plays.
    fn kind_names(&self) -> Vec<KindNames> {
        let names = self.plan.rules.kinds.iter().map(|kind| KindNames {
            name: kind.name.clone(),
            own: kind.own_members(),
            members: kind.members.iter().map(|it| (it.name.clone(), it.title.clone())).collect(),
        });
        let mut names: Vec<KindNames> = names.collect();
        let seats = (1..=self.plan.setting.players).map(|seat| format!("P{seat}"));
        let titles = std::mem::take(&mut names[PLAYER.index()].members).into_iter();
        let titles = titles.map(|(_, title)| title).chain(std::iter::repeat(String::new()));
        names[PLAYER.index()].members = seats.zip(titles).collect();
        names
    }

    fn link_sites(&self, linked: &Linked, live: &[BTreeSet<u16>]) -> Vec<Site> {
        let site = |(draft, live): (&Draft, &BTreeSet<u16>)| {
            let live = live.iter().map(|slot| linked.slot(*slot)).collect();
            linked.site(draft, self.functions[draft.function].link, live)
        };
        self.code.sites.iter().zip(live).map(site).collect()
    }
}

fn frame_size(function: &Function) -> u16 {
    let locals: u16 = function.blocks.iter().map(|(_, width)| width).sum();
    locals + function.result.map_or(0, |result| result.width)
}

/// For how many numbers of each player an end needs room where locals were: places, and teams.
fn rows_of_end(ops: &[Op]) -> usize {
    let has = |wanted: fn(&Op) -> bool| ops.iter().any(wanted);
    if has(|op| matches!(op, Op::FinishTeams { .. })) {
        2
    } else {
        usize::from(has(|op| matches!(op, Op::FinishRanking { .. })))
    }
}

/// The first slot of each function: behind all that call it. Circles of calls lie one after the other, an added piece
/// behind everything.
fn starts(functions: &[Function], first: u16, bases: &[usize]) -> Option<Vec<u16>> {
    let number = |callee: &usize| u32::try_from(*callee).expect("functions have 16 bits");
    let calls = |function: &Function| function.calls.iter().map(number).collect();
    let calls: Vec<Vec<u32>> = functions.iter().map(calls).collect();
    let circles = Components::of_graph(calls.len(), |at| &calls[at as usize]);
    let circles: Vec<BTreeSet<usize>> =
        circles.iter().map(|circle| circle.iter().map(|at| *at as usize).collect()).collect();
    let mut starts = vec![first; functions.len()];
    let mut from = 0;
    for to in bases.iter().copied().chain([functions.len()]) {
        let mut behind = first;
        for (function, start) in functions[..from].iter().zip(&starts) {
            behind = behind.max(start.checked_add(frame_size(function))?);
        }
        starts[from..to].fill(behind);
        // Callers come first.
        for circle in circles.iter().rev().filter(|it| it.iter().all(|at| (from..to).contains(at)))
        {
            let mut next = 0;
            for at in circle {
                starts[*at] = starts[*at].max(next);
                next = starts[*at].checked_add(frame_size(&functions[*at]))?;
            }
            let called = circle.iter().flat_map(|at| &functions[*at].calls);
            for callee in called.filter(|callee| **callee >= from && !circle.contains(callee)) {
                starts[*callee] = starts[*callee].max(next);
            }
        }
        from = to;
    }
    Some(starts)
}
