//! Links written code to a program: every slot gets its place in the state, every label its operation.
//!
//! Locals of rules that are never active together share their places: a rule begins behind all
//! rules that may call it.

use std::collections::BTreeMap;

use crate::bytecode::program::{KindNames, Picks, Piece, Program, Site, Unseen, Wait};
use crate::bytecode::verify::verify;
use crate::bytecode::{Op, Role};
use crate::check::rules::{Expr, PLAYER};
use crate::compile::code::{CONSTANTS, Code, Draft};
use crate::compile::functions::Function;
use crate::compile::liveness::{Liveness, Places};
use crate::compile::{CompileError, Compiled, Compiler, MAX_STEPS, PieceSlots};
use crate::components::Components;
use crate::source::Span;

/// How often a file without `limit` may ask before the game is called a draw.
const DEFAULT_LIMIT: i64 = 1_000_000;

/// Where the slots and labels of written code lie.
struct Linked<'a> {
    code: &'a Code,
    /// The place of each slot that was given out.
    slots: Vec<u16>,
    /// How many words the state has.
    words: u16,
    /// For each function, the first word of its locals and their number.
    frames: Vec<(u16, u16)>,
}

impl Compiler<'_> {
    /// How often a game may ask: at least once.
    fn most_decisions(&mut self, decisions: &Expr) -> i64 {
        let limit = self.number(decisions);
        if limit < 1 && self.errors.is_empty() {
            let (setting, span) = (self.setting_text(), decisions.span);
            self.errors.push(CompileError::NoDecisions { limit, setting, span });
        }
        limit
    }

    fn too_large(&self, what: String, span: Span) -> CompileError {
        CompileError::TooLarge { what, setting: self.setting_text(), span }
    }

    /// Ends compiling. `bases` are the numbers of functions that were there before each piece.
    pub(super) fn finish(mut self, bases: &[usize]) -> Result<Compiled, Vec<CompileError>> {
        let decisions = match &self.rules.limit {
            Some(limit) => self.most_decisions(&limit.decisions),
            None => DEFAULT_LIMIT,
        };
        if let Some((what, span)) = self.code.excess {
            self.errors.push(self.too_large(format!("more {what} than fit"), span));
        }
        self.budget.charge(2 * MAX_STEPS - self.steps.get() - self.tries.get());
        if let Some(finding) = self.budget.finding() {
            return Err(vec![finding.into()]);
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let frame = self.layout.initial.len();
        let Some(linked) = Linked::new(&self.code, &self.functions, frame, bases) else {
            let span = self.code.spans.last().copied().unwrap_or_default();
            return Err(vec![
                self.too_large("more operations or locals than fit".to_owned(), span),
            ]);
        };
        let program = self.program(&linked, (decisions, self.limit_site));
        if let Some(finding) = self.budget.finding() {
            return Err(vec![finding.into()]);
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
            barred: self.barred,
            ranges: self.ranges,
            histories: self.histories,
        })
    }

    fn program(&self, linked: &Linked, limit: (i64, u16)) -> Program {
        let (code, spans) = linked.ops();
        let mut initial = self.layout.initial.clone();
        let frame = initial.len();
        initial.resize(linked.words.into(), 0);
        let mut options = self.code.options.clone();
        for option in &mut options {
            let bound = option.bindings.iter_mut().map(|(slot, _)| slot);
            let shown = option.shown.iter_mut().map(|shown| &mut shown.slot);
            let factors = option.factors.iter_mut().map(|factor| &mut factor.set);
            bound.chain(shown).chain(factors).for_each(|slot| *slot = linked.slot(*slot));
            option.template = option.template.map(|label| linked.label(label));
        }
        let mut picks = self.code.picks.clone();
        for Picks { asked, rest, base, .. } in &mut picks {
            [asked, rest, base].into_iter().for_each(|slot| *slot = linked.slot(*slot));
        }
        let unseen = self.code.unseen.values();
        let unseen = unseen.map(|it| Unseen { by: it.by.moved(|slot| linked.slot(slot)), ..*it });
        let (mut measures, mut always) = (self.measures.clone(), self.always.clone());
        measures.iter_mut().for_each(|measure| linked.place(&mut measure.piece));
        always.iter_mut().for_each(|promise| linked.place(&mut promise.piece));
        Program {
            title: self.rules.title.clone(),
            players: self.setting.players,
            code,
            spans,
            constants: self.code.constants.clone(),
            slots: linked.words.into(),
            initial,
            frame,
            sites: self.sites(linked),
            options,
            picks,
            unseen: unseen.collect(),
            texts: self.code.texts.clone(),
            formats: self.code.formats.clone(),
            cards: self.layout.piles.iter().map(|group| group.info.clone()).collect(),
            kinds: self.kind_names(),
            vars: self.layout.infos.clone(),
            measures,
            always,
            limit,
        }
    }

    fn kind_names(&self) -> Vec<KindNames> {
        let kinds = self.rules.kinds.iter().enumerate();
        kinds
            .map(|(at, kind)| KindNames {
                name: kind.name.clone(),
                own: kind.own(),
                members: if at == PLAYER.index() {
                    let seats = 1..=self.setting.players;
                    seats.map(|seat| (format!("P{seat}"), format!("P{seat}"))).collect()
                } else {
                    let names = kind.members.iter();
                    names.map(|member| (member.name.clone(), member.title.clone())).collect()
                },
            })
            .collect()
    }

    fn sites(&self, linked: &Linked) -> Vec<Site> {
        let places = Places::of(&self.code, &self.functions);
        let mut known: BTreeMap<usize, Liveness> = BTreeMap::new();
        let sites = self.code.sites.iter();
        sites
            .map(|draft| {
                let number = draft.function;
                let function = &self.functions[number];
                let liveness = known.entry(number).or_insert_with(|| {
                    Liveness::new(&self.code, number, function, &places, self.budget)
                });
                let live = liveness.after(draft).into_iter().map(|slot| linked.slot(slot));
                linked.site(draft, function.link, live.collect())
            })
            .collect()
    }
}

impl<'a> Linked<'a> {
    fn new(
        code: &'a Code,
        functions: &[Function],
        frame: usize,
        bases: &[usize],
    ) -> Option<Linked<'a>> {
        let mut words = u16::try_from(frame).ok()?;
        let starts = starts(functions, words, bases)?;
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

    fn slot(&self, slot: u16) -> u16 {
        match slot.checked_sub(CONSTANTS) {
            Some(constant) => self.words + constant,
            None => self.slots[usize::from(slot)],
        }
    }

    /// Where a label leads: not to a jump, but to the target of that.
    fn label(&self, label: u16) -> u16 {
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

    /// The operations with their spans. A jump to the end of a loop or of a rule is replaced by
    /// that end.
    fn ops(&self) -> (Vec<Op>, Vec<Span>) {
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

    fn site(&self, draft: &Draft, link: Option<u16>, live: Vec<u16>) -> Site {
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

    fn place(&self, Piece { to, player, result }: &mut Piece) {
        *to = self.label(*to);
        [player, result].into_iter().for_each(|slot| *slot = self.slot(*slot));
    }
}

fn size(function: &Function) -> u16 {
    let locals: u16 = function.blocks.iter().map(|(_, width)| width).sum();
    locals + function.result.map_or(0, |result| result.width)
}

/// Where the words of each function begin. Functions that call each other in a circle lie one behind
/// the other; those of an added piece lie behind everything before it.
fn starts(functions: &[Function], first: u16, bases: &[usize]) -> Option<Vec<u16>> {
    let mut starts = vec![first; functions.len()];
    let mut from = 0;
    for to in bases.iter().copied().chain([functions.len()]) {
        let mut behind = first;
        for (function, start) in functions[..from].iter().zip(&starts) {
            behind = behind.max(start.checked_add(size(function))?);
        }
        starts[from..to].fill(behind);
        settle(&functions[..to], &mut starts, from)?;
        from = to;
    }
    Some(starts)
}

/// Moves functions from `from` on back until each lies behind all that call it: those first that
/// nobody calls. Functions that call each other in a circle lie one behind the other.
fn settle(functions: &[Function], starts: &mut [u16], from: usize) -> Option<()> {
    let groups = Groups::of(functions, from);
    for group in groups.callers_first(functions) {
        let (mut end, mut next) = (0, 0);
        for at in &groups.members[group] {
            starts[*at] = starts[*at].max(next);
            next = starts[*at].checked_add(size(&functions[*at]))?;
            end = end.max(next);
        }
        for callee in groups.called(functions, group) {
            starts[callee] = starts[callee].max(end);
        }
    }
    Some(())
}

/// Functions that call each other in a circle together, each other one alone.
struct Groups {
    from: usize,
    members: Vec<Vec<usize>>,
    /// The group of each function from `from` on.
    of: Vec<usize>,
}

impl Groups {
    fn of(functions: &[Function], from: usize) -> Groups {
        let mut groups = Groups { from, members: Vec::new(), of: Vec::new() };
        let mut circles = BTreeMap::new();
        for (at, function) in functions.iter().enumerate().skip(from) {
            let new = groups.members.len();
            let group = function.circle.map_or(new, |circle| *circles.entry(circle).or_insert(new));
            if group == new {
                groups.members.push(Vec::new());
            }
            groups.members[group].push(at);
            groups.of.push(group);
        }
        groups
    }

    /// The functions of other groups that a group calls.
    fn called(&self, functions: &[Function], group: usize) -> impl Iterator<Item = usize> {
        let calls = self.members[group].iter().flat_map(|at| &functions[*at].calls).copied();
        calls.filter(move |callee| *callee >= self.from && self.of[callee - self.from] != group)
    }

    fn callers_first(&self, functions: &[Function]) -> Vec<usize> {
        let group_of = |callee: usize| {
            u32::try_from(self.of[callee - self.from]).expect("functions have 16 bits")
        };
        let leads = |group| self.called(functions, group).map(group_of).collect();
        let leads: Vec<Vec<u32>> = (0..self.members.len()).map(leads).collect();
        let groups = Components::of(leads.len(), |group| &leads[group as usize]);
        let mut order: Vec<usize> = groups.iter().flatten().map(|group| *group as usize).collect();
        order.reverse();
        order
    }
}
