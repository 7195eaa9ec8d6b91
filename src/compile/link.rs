//! Written code to program: every slot gets its place in the state, every label its operation.
//!
//! Locals of rules that are never at work together share their places: a rule begins behind all
//! rules that may call it.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::bytecode::program::{KindNames, MeasureInfo, Picks, Piece, Promise, Site, Unseen, Wait};
use crate::bytecode::verify::verify;
use crate::bytecode::{Op, Program, Role};
use crate::check::rules::{Expr, PLAYER};
use crate::compile::code::{CONSTANTS, Code, Draft};
use crate::compile::functions::Function;
use crate::compile::liveness::{Liveness, Places};
use crate::compile::{CompileError, Compiled, Compiler, MAX_STEPS, PieceSlots, SiteDebug};
use crate::components::Components;
use crate::source::Span;

/// How often a file without `limit` may ask before the game is called a draw.
const DEFAULT_LIMIT: i64 = 1_000_000;

/// Where the slots and labels of written code lie.
struct Linked<'a> {
    code: &'a Code,
    budget: &'a Budget,
    functions: &'a [Function],
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

    /// Ends compiling. `bases` are the numbers of functions that were there before each piece.
    pub(super) fn finish(mut self, bases: &[usize]) -> Result<Compiled, Vec<CompileError>> {
        let decisions = match &self.rules.limit {
            Some(limit) => self.most_decisions(&limit.decisions),
            None => DEFAULT_LIMIT,
        };
        let limit = (decisions, self.limit_site);
        let excess = self.code.excess.map(|(what, span)| CompileError::TooLarge {
            what: format!("more {what} than fit"),
            setting: self.setting_text(),
            span,
        });
        self.errors.extend(excess);
        let taken = 2 * MAX_STEPS - self.steps.get() - self.tries.get();
        self.budget.charge(taken);
        if let Some(finding) = self.budget.finding() {
            return Err(vec![finding.into()]);
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let frame = self.layout.initial.len();
        let debugs = self.code.sites.iter_mut().map(|draft| std::mem::take(&mut draft.debug));
        let debugs: Vec<SiteDebug> = debugs.collect();
        let linked = Linked::new((&self.code, self.budget), &self.functions, frame, bases)
            .ok_or_else(|| vec![self.too_many_operations()])?;
        let program = self.program(&linked, limit);
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
        let (barred, ranges) = (self.barred, self.ranges);
        let (slots, histories) = (linked.slots, self.histories);
        Ok(Compiled { sites: debugs, barred, ranges, piece, slots, histories, program })
    }

    fn too_many_operations(&self) -> CompileError {
        let span = self.code.spans.last().copied().unwrap_or_default();
        let what = "more operations or locals than fit".to_owned();
        CompileError::TooLarge { what, setting: self.setting_text(), span }
    }

    fn program(&self, linked: &Linked, limit: (i64, u16)) -> Program {
        let (code, spans) = linked.ops();
        let mut initial = self.layout.initial.clone();
        let frame = initial.len();
        initial.resize(linked.words.into(), 0);
        Program {
            title: self.rules.title.clone(),
            players: self.setting.players,
            code,
            spans,
            constants: self.code.constants.clone(),
            slots: linked.words.into(),
            initial,
            frame,
            sites: linked.sites(),
            options: linked.options(),
            picks: linked.picks(),
            unseen: linked.unseen(),
            texts: self.code.texts.clone(),
            formats: self.code.formats.clone(),
            cards: self.layout.piles.iter().map(|group| group.info.clone()).collect(),
            kinds: self.kind_names(),
            vars: self.layout.infos.clone(),
            measures: linked.measures(&self.measures),
            always: linked.always(&self.always),
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
}

impl<'a> Linked<'a> {
    fn new(
        (code, budget): (&'a Code, &'a Budget),
        functions: &'a [Function],
        frame: usize,
        bases: &[usize],
    ) -> Option<Linked<'a>> {
        let frames = frames(functions, u16::try_from(frame).ok()?, bases)?;
        let mut slots: Vec<u16> = (0..code.slot_count()).collect();
        let mut words = u16::try_from(frame).ok()?;
        for (function, (start, size)) in functions.iter().zip(&frames) {
            let mut next = start.checked_add(result_width(function))?;
            if let Some(result) = function.result {
                (0..result.width).for_each(|word| {
                    slots[usize::from(result.at + word)] = start + word;
                });
            }
            for (slot, width) in &function.blocks {
                (0..*width).for_each(|word| slots[usize::from(slot + word)] = next + word);
                next = next.checked_add(*width)?;
            }
            words = words.max(start.checked_add(*size)?);
        }
        let fits = code.ops.len() < usize::from(u16::MAX)
            && usize::from(words) + code.constants.len() < usize::from(u16::MAX);
        // What the frames of functions keep for results is not put aside when they call themselves.
        let frames = functions.iter().zip(&frames).map(|(function, (start, size))| {
            let result = result_width(function);
            (start + result, size - result)
        });
        fits.then(|| Linked { code, budget, functions, slots, words, frames: frames.collect() })
    }

    fn slot(&self, slot: u16) -> u16 {
        if slot >= CONSTANTS {
            self.words + (slot - CONSTANTS)
        } else {
            self.slots[usize::from(slot)]
        }
    }

    /// Where a label leads: not to a jump, but to where that goes.
    fn label(&self, label: u16) -> u16 {
        let mut at = self.place(label);
        // Jumps that lead nowhere but to each other are a loop without end; one round is enough.
        for _ in 0..self.code.ops.len() {
            let Some(Op::Jump { to }) = self.code.ops.get(at) else { break };
            at = self.place(*to);
        }
        u16::try_from(at).expect("the code was measured")
    }

    fn place(&self, label: u16) -> usize {
        self.code.labels[usize::from(label)].expect("every label is placed")
    }

    /// The operations with their spans. What goes on at the end of a loop or of a rule does it
    /// there and then.
    fn ops(&self) -> (Vec<Op>, Vec<Span>) {
        let written = self.code.ops.iter().zip(&self.code.spans);
        let linked = written.map(|(op, span)| {
            let there = match op {
                Op::Jump { to } => Some(usize::from(self.label(*to))),
                _ => None,
            };
            let end = there.filter(|at| {
                matches!(self.code.ops.get(*at), Some(Op::Again { .. } | Op::Return { .. }))
            });
            match end {
                Some(at) => (self.op(self.code.ops[at]), self.code.spans[at]),
                None => (self.op(*op), *span),
            }
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

    fn sites(&self) -> Vec<Site> {
        let places = Places::of(self.code, self.functions);
        let mut known: BTreeMap<usize, Liveness> = BTreeMap::new();
        let sites = self.code.sites.iter();
        sites
            .map(|draft| {
                let number = draft.function;
                let function = (number, &self.functions[number]);
                let liveness = known
                    .entry(number)
                    .or_insert_with(|| Liveness::new(self.code, function, &places, self.budget));
                self.site(draft, liveness)
            })
            .collect()
    }

    fn site(&self, draft: &Draft, liveness: &Liveness) -> Site {
        let function = &self.functions[draft.function];
        let wait = match &draft.wait {
            Wait::Nothing => Wait::Nothing,
            Wait::Decision { player, question, otherwise } => Wait::Decision {
                player: self.slot(*player),
                question: question.map(|label| self.label(label)),
                otherwise: otherwise.map(|label| self.label(label)),
            },
            Wait::Draw { dst, outcomes, low, then, event, outcome } => Wait::Draw {
                dst: self.slot(*dst),
                outcomes: self.slot(*outcomes),
                low: self.slot(*low),
                then: *then,
                event: self.label(*event),
                outcome: self.label(*outcome),
            },
        };
        let live = liveness.after(draft).into_iter().map(|slot| self.slot(slot));
        Site {
            to: self.label(draft.to),
            wait,
            live: live.collect(),
            link: function.link.map(|link| self.slot(link)),
            pulled: draft.pulled.map(|function| self.frames[function]),
            span: draft.span,
        }
    }

    fn options(&self) -> Vec<crate::bytecode::program::OptionInfo> {
        let mut options = self.code.options.clone();
        for option in &mut options {
            let bound = option.bindings.iter_mut().map(|(slot, _)| slot);
            for slot in bound.chain(option.shown.iter_mut().map(|shown| &mut shown.slot)) {
                *slot = self.slot(*slot);
            }
            for factor in &mut option.factors {
                factor.set = self.slot(factor.set);
            }
            option.template = option.template.map(|label| self.label(label));
        }
        options
    }

    fn unseen(&self) -> Vec<Unseen> {
        let unseen = self.code.unseen.values();
        unseen.map(|it| Unseen { by: it.by.moved(|slot| self.slot(slot)), ..*it }).collect()
    }

    fn picks(&self) -> Vec<Picks> {
        let mut picks = self.code.picks.clone();
        for Picks { asked, rest, base, .. } in &mut picks {
            [asked, rest, base].into_iter().for_each(|slot| *slot = self.slot(*slot));
        }
        picks
    }

    fn measures(&self, measures: &[MeasureInfo]) -> Vec<MeasureInfo> {
        let linked = |measure: &MeasureInfo| {
            let piece = self.piece(measure.piece);
            MeasureInfo { piece, ..measure.clone() }
        };
        measures.iter().map(linked).collect()
    }

    fn always(&self, always: &[Promise]) -> Vec<Promise> {
        let linked = |promise: &Promise| Promise { piece: self.piece(promise.piece), ..*promise };
        always.iter().map(linked).collect()
    }

    fn piece(&self, piece: Piece) -> Piece {
        Piece {
            to: self.label(piece.to),
            player: self.slot(piece.player),
            result: self.slot(piece.result),
        }
    }
}

fn result_width(function: &Function) -> u16 {
    function.result.map_or(0, |result| result.width)
}

fn size(function: &Function) -> u16 {
    let locals: u16 = function.blocks.iter().map(|(_, width)| width).sum();
    locals + result_width(function)
}

/// Where the words of each function begin, and how many it has. Functions that call each other in
/// a circle lie one behind the other; those of an added piece lie behind everything before it.
fn frames(functions: &[Function], first: u16, bases: &[usize]) -> Option<Vec<(u16, u16)>> {
    let mut starts = vec![first; functions.len()];
    let mut from = 0;
    for to in bases.iter().copied().chain([functions.len()]) {
        let behind = ends(&functions[..from], &starts)?.max(first);
        starts[from..to].fill(behind);
        settle(&functions[..to], &mut starts, from)?;
        from = to;
    }
    Some(functions.iter().zip(starts).map(|(function, start)| (start, size(function))).collect())
}

fn ends(functions: &[Function], starts: &[u16]) -> Option<u16> {
    let mut end = 0;
    for (function, start) in functions.iter().zip(starts) {
        end = end.max(start.checked_add(size(function))?);
    }
    Some(end)
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
        let number =
            |group: usize| u32::try_from(group).expect("functions are numbered with 16 bits");
        let group_of = |callee: usize| number(self.of[callee - self.from]);
        let leads = |group| self.called(functions, group).map(group_of).collect();
        let leads: Vec<Vec<u32>> = (0..self.members.len()).map(leads).collect();
        let groups = Components::of(leads.len(), |group| &leads[group as usize]);
        let mut order: Vec<usize> = groups.iter().flatten().map(|group| *group as usize).collect();
        order.reverse();
        order
    }
}
