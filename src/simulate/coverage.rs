//! Coverage: which rules, moves and `match` cases (often the effects of cards) playouts passed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::bytecode::program::{OptionInfo, SITE, Wait};
use crate::bytecode::{Op, Program, Role};
use crate::game::Game;
use crate::rules::visit::visit_stmts;
use crate::rules::{Block, ExprKind, Rule, RuleId, StmtKind, Type};
use crate::simulate::tally::Tally;
use crate::source::Span;

/// A place of the rules; in files of counts it is a list of three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, u32, u32)", into = "(String, u32, u32)")]
pub(crate) struct Point {
    /// What it is: `move raid`, `rule pay`, `case heal`.
    pub(crate) what: String,
    pub(crate) span: Span,
}

impl From<(String, u32, u32)> for Point {
    fn from((what, start, end): (String, u32, u32)) -> Point {
        Point { what, span: Span { start, end } }
    }
}

impl From<Point> for (String, u32, u32) {
    fn from(point: Point) -> (String, u32, u32) {
        (point.what, point.span.start, point.span.end)
    }
}

/// The points that no playout of a tally passed.
pub(crate) fn never_run<'a>(
    points: &'a [Point],
    tally: &'a Tally,
) -> impl Iterator<Item = &'a Point> {
    let passed = tally.passed.iter().copied().chain(std::iter::repeat(false));
    points.iter().zip(passed).filter(|(_, passed)| !passed).map(|(point, _)| point)
}

/// The places of a game, and how to tell that they were passed.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    /// All places, in the order of the file.
    pub(crate) points: Vec<Point>,
    /// Rules that play uses and that have no operations there: the setting rules them out, their
    /// values were computed before play, or they became a part of what uses them.
    pub(crate) folded: Vec<Point>,
    /// For each operation of the program, the places that it belongs to: a rule, and the cases
    /// around it.
    of_operation: Vec<Vec<usize>>,
    /// For each option of the program, its place.
    of_option: Vec<usize>,
    /// Where `gains` may be cut off, in the order of the file.
    pub(crate) gains: Vec<Span>,
}

impl Points {
    /// The places of a game under its setting. What this setting rules out is none.
    ///
    /// # Panics
    /// Never: every option of a program is a place.
    pub(crate) fn of_game(game: &Game) -> Points {
        let (program, rules) = (game.program(), game.rules());
        let calls: Vec<Calls> = rules.rules.iter().map(collect_calls).collect();
        let spoken = spoken_rules(&calls);
        let reachable = reachable(program);
        let spans = program.spans.iter().copied().enumerate();
        let reached: Vec<(usize, Span)> = spans.filter(|(at, _)| reachable[*at]).collect();
        let runs = |extent: Span| reached.iter().any(|(_, span)| span_is_within(*span, extent));
        let mut stretches: Vec<(Point, Span)> = Vec::new();
        let mut live = vec![false; rules.rules.len()];
        for (number, rule) in rules.rules.iter().enumerate() {
            let Some(extent) = block_span(&rule.body) else { continue };
            // That the limit is not reached is how it should be, and is counted apart.
            if spoken.contains(&RuleId::at(number)) || rule.name == "limit" {
                continue;
            }
            live[number] = runs(extent);
            stretches.push((point(rule), extent));
            collect_cases(game, &rule.body, &mut stretches);
        }
        // What no playout can come to was folded before play, or does not belong to it.
        stretches.retain(|(_, extent)| runs(*extent));
        let mut points = move_points(game);
        points.extend(stretches.iter().map(|(point, _)| point.clone()));
        points.sort_by_key(|point| (point.span, point.what.clone()));
        points.dedup();
        let find = |point: &Point| points.iter().position(|it| it == point);
        let mut of_operation = vec![Vec::new(); program.code.len()];
        for (at, span) in &reached {
            let around = stretches.iter().filter(|(_, extent)| span_is_within(*span, *extent));
            of_operation[*at].extend(around.filter_map(|(point, _)| find(point)));
        }
        for (number, rule) in rules.rules.iter().enumerate().filter(|(at, _)| live[*at]) {
            let Some(place) = find(&point(rule)) else { continue };
            for at in uses(game, &calls, &reached, RuleId::at(number)) {
                of_operation[at].push(place);
            }
        }
        let place = |point| find(point).expect("every option of the program is a place");
        let of_option: Vec<usize> = move_points(game).iter().map(place).collect();
        for (option, place) in program.options.iter().zip(&of_option) {
            // What happens by itself, since nothing else is legal, is nobody's decision.
            let body = usize::from(program.sites[usize::from(option.body)].to);
            if program.spans.get(body).is_some_and(|span| span_is_within(*span, option.span)) {
                of_operation[body].push(*place);
            }
        }
        let folded = folded_rules(game, &calls, &live, &spoken);
        let gains = cut_offs(game).into_keys().collect();
        Points { points, folded, of_operation, of_option, gains }
    }

    /// For each place that operations belong to, these.
    pub(super) fn operations(&self) -> Vec<Vec<usize>> {
        let mut operations = vec![Vec::new(); self.points.len()];
        for (at, places) in self.of_operation.iter().enumerate() {
            places.iter().for_each(|place| operations[*place].push(at));
        }
        operations.retain(|it| !it.is_empty());
        operations
    }

    /// The places that were passed, by the operations and the options that were.
    pub(crate) fn passed(&self, operations: &[bool], options: &[bool]) -> Vec<bool> {
        let mut passed = vec![false; self.points.len()];
        let ran = self.of_operation.iter().zip(operations).filter(|(_, passed)| **passed);
        let taken = self.of_option.iter().zip(options).filter(|(_, taken)| **taken);
        for place in ran.flat_map(|(places, _)| places).chain(taken.map(|(place, _)| place)) {
            passed[*place] = true;
        }
        passed
    }
}

/// Where `gains` may be cut off, with the operations that do so.
fn cut_offs(game: &Game) -> BTreeMap<Span, Vec<usize>> {
    let program = game.program();
    let mut places: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    for (at, (op, span)) in program.code.iter().zip(&program.spans).enumerate() {
        if matches!(op, Op::CutOff { .. }) {
            places.entry(*span).or_default().push(at);
        }
    }
    places
}

/// How often `gains` was cut off at each place, by how often each operation did so.
pub(super) fn count_cut_offs(game: &Game, operations: &[u64]) -> Vec<(Span, u64)> {
    let times = |at: Vec<usize>| at.into_iter().map(|at| operations[at]).sum();
    cut_offs(game).into_iter().map(|(span, at)| (span, times(at))).collect()
}

fn move_points(game: &Game) -> Vec<Point> {
    let point =
        |it: &OptionInfo| Point { what: format!("move {}", it.name), span: option_span(game, it) };
    game.program().options.iter().map(point).collect()
}

/// Where the name of an option stands: first in a move, after `or` where it declines, and before
/// `from` where one of a set is picked.
fn option_span(game: &Game, option: &OptionInfo) -> Span {
    let text = game.sources().find(option.span).map_or("", |source| source.slice(option.span));
    let name = option.name.as_str();
    let picked = || text.find(&format!("{name} from")).or_else(|| text.find(name));
    // An option without a text of its own is placed at its beginning.
    let at = if text.starts_with(name) { 0 } else { picked().unwrap_or(0) };
    let start = option.span.start as usize + at;
    Span::new(start, start + name.len())
}

fn point(rule: &Rule) -> Point {
    let what = match rule.name.as_str() {
        flow @ ("setup" | "play") => flow.to_owned(),
        name => format!("rule {name}"),
    };
    Point { what, span: rule.span }
}

/// The operations at which a rule that only computes is used. What it yields there may have been
/// computed before play, so that its own operations are elsewhere, or nowhere.
fn uses(game: &Game, calls: &[Calls], reached: &[(usize, Span)], rule: RuleId) -> BTreeSet<usize> {
    let rules = &game.rules().rules;
    let (mut uses, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![rule]);
    while let Some(rule) = waiting.pop() {
        if !seen.insert(rule) || !rules[rule.index()].effects.is_pure() {
            continue;
        }
        for (caller, Calls { done, .. }) in calls.iter().enumerate() {
            for (span, _) in done.iter().filter(|(_, to)| *to == rule) {
                let around = reached.iter().filter(|(_, at)| span_is_within(*span, *at));
                let nearest = around.clone().map(|(_, at)| at.len()).min();
                let before = uses.len();
                uses.extend(around.filter(|(_, at)| Some(at.len()) == nearest).map(|(at, _)| *at));
                if uses.len() == before {
                    // The caller is itself computed where it is used.
                    waiting.push(RuleId::at(caller));
                }
            }
        }
    }
    uses
}

/// The rules that others of play call, and that no playout can come to.
fn folded_rules(
    game: &Game,
    calls: &[Calls],
    live: &[bool],
    spoken: &BTreeSet<RuleId>,
) -> Vec<Point> {
    let rules = &game.rules().rules;
    let mut used: Vec<RuleId> = (0..rules.len()).filter(|at| live[*at]).map(RuleId::at).collect();
    let mut folded = BTreeSet::new();
    while let Some(rule) = used.pop() {
        for (_, to) in &calls[rule.index()].done {
            if !live[to.index()] && !spoken.contains(to) && folded.insert(*to) {
                used.push(*to);
            }
        }
    }
    folded.into_iter().map(|rule| point(&rules[rule.index()])).collect()
}

/// The cases of a block in which something is done, each with the stretch that its statements take.
fn collect_cases(game: &Game, block: &Block, stretches: &mut Vec<(Point, Span)>) {
    visit_stmts(block, &mut |stmt| {
        let StmtKind::Match { arms, .. } = &stmt.kind else { return };
        for arm in arms {
            let Some(extent) = block_span(&arm.body) else { continue };
            let head = Span { start: arm.span.start, end: extent.start };
            let text = game.sources().find(head).map_or("", |source| source.slice(head));
            let words = text.split(':').next().unwrap_or_default().trim_end();
            let start = head.start as usize;
            let span = Span::new(start, start + words.len());
            stretches.push((Point { what: format!("case {words}"), span }, extent));
        }
    });
}

fn block_span(block: &Block) -> Option<Span> {
    block.iter().map(|stmt| stmt.span).reduce(Span::to)
}

fn span_is_within(span: Span, extent: Span) -> bool {
    extent.start <= span.start && span.end <= extent.end && !span.is_empty()
}

/// For each operation whether the flow of the game leads to it: not to those of measures, invariants
/// and texts, which are computed aside.
fn reachable(program: &Program) -> Vec<bool> {
    let mut reached = vec![false; program.code.len()];
    let start = program.initial[SITE];
    let start = usize::try_from(start).expect("a program starts at one of its sites");
    let mut waiting = from_site(program, start);
    waiting.extend(from_site(program, program.limit.1.into()));
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let op = program.code[at];
        if op.falls_through() {
            waiting.push(at + 1);
        }
        waiting.extend(leads(program, op));
    }
    reached
}

/// The targets of an operation beside the next one.
fn leads(program: &Program, op: Op) -> Vec<usize> {
    let mut leads = Vec::new();
    for operand in op.operands() {
        let value = usize::from(operand.value);
        match operand.role {
            Role::To => leads.push(value),
            Role::Site => leads.extend(from_site(program, value)),
            Role::Choice => {
                let body = usize::from(program.options[value].body);
                leads.extend(from_site(program, body));
            }
            _ => {}
        }
    }
    leads
}

/// The operations at which a site continues.
fn from_site(program: &Program, site: usize) -> Vec<usize> {
    let site = &program.sites[site];
    let mut leads = vec![usize::from(site.to)];
    match &site.wait {
        Wait::Draw { then, .. } => leads.push(program.sites[usize::from(*then)].to.into()),
        Wait::Decision { otherwise, .. } => leads.extend(otherwise.map(usize::from)),
        Wait::Nothing => {}
    }
    leads
}

struct Calls {
    all: BTreeSet<RuleId>,
    /// Where rules are called outside of texts, and which.
    done: Vec<(Span, RuleId)>,
}

/// The rules that are called only in texts, or only by such rules. Bots hear nothing, so that
/// playouts never run these says nothing.
fn spoken_rules(calls: &[Calls]) -> BTreeSet<RuleId> {
    let called: BTreeSet<RuleId> = calls.iter().flat_map(|it| it.all.iter().copied()).collect();
    let mut spoken = BTreeSet::new();
    loop {
        let others = calls.iter().enumerate().filter(|(at, _)| !spoken.contains(&RuleId::at(*at)));
        let done: BTreeSet<RuleId> =
            others.flat_map(|(_, it)| it.done.iter().map(|(_, to)| *to)).collect();
        let more = &called - &done;
        if more.len() == spoken.len() {
            return spoken;
        }
        spoken = more;
    }
}

fn collect_calls(rule: &Rule) -> Calls {
    let (mut done, mut said) = (Vec::new(), BTreeSet::new());
    rule.visit_exprs(&mut |part| {
        if let ExprKind::Call(to, _) = &part.kind {
            done.push((part.span, *to));
        }
        if part.ty == Type::Text {
            part.visit_tree(&mut |inner| said.extend([inner.span]));
        }
    });
    // What stands in a `say`: its text, and who hears it.
    visit_stmts(&rule.body, &mut |stmt| {
        if matches!(stmt.kind, StmtKind::Say { .. }) {
            stmt.visit_exprs(&mut |part| said.extend([part.span]));
        }
    });
    let all = done.iter().map(|(_, to)| *to).collect();
    done.retain(|(span, _)| !said.contains(span));
    Calls { all, done }
}
