//! The places of the rules that a playout can pass: rules, moves, branches.

use crate::bytecode::Program;
use crate::bytecode::program::OptionInfo;
use crate::check::rules::{Block, Rule};
use crate::game::Game;
use crate::source::Span;

/// A place of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// What it is: `move raid`, `rule pay`.
    pub what: String,
    /// Where it stands.
    pub span: Span,
}

/// The places of a game, and how to tell that they were passed.
#[derive(Clone, Debug)]
pub struct Points {
    /// All places, in the order of the file.
    pub points: Vec<Point>,
    /// For each operation of the program, the rule that it belongs to, as a place.
    of_operation: Vec<Option<usize>>,
    /// For each option of the program, its place.
    of_option: Vec<usize>,
}

impl Points {
    /// The places of a game under its setting. What this setting rules out is none.
    ///
    /// # Panics
    /// Never: every option of a program is a place.
    pub fn of(game: &Game) -> Points {
        let program = game.program();
        let mut points = moves(program);
        let rules = game.rules().rules.iter().filter_map(|rule| Some((rule, extent(rule)?)));
        // That the limit is not reached is how it should be, and is counted apart.
        let rules: Vec<(&Rule, Span)> = rules.filter(|(rule, _)| rule.name != "limit").collect();
        for (rule, extent) in &rules {
            // A rule without an operation was computed before play, or is not called here.
            if program.spans.iter().any(|span| within(*span, *extent)) {
                points.push(Point { what: named(rule), span: rule.span });
            }
        }
        points.sort_by_key(|point| (point.span, point.what.clone()));
        points.dedup();
        let find = |what: &str, span| {
            points.iter().position(|point| point.what == what && point.span == span)
        };
        let of_operation = program.spans.iter().map(|span| {
            let (rule, _) = rules.iter().find(|(_, extent)| within(*span, *extent))?;
            find(&named(rule), rule.span)
        });
        let of_operation = of_operation.collect();
        let of_option = program.options.iter().map(|option| {
            find(&format!("move {}", option.name), head(option))
                .expect("every option of the program is a place")
        });
        let of_option = of_option.collect();
        Points { points, of_operation, of_option }
    }

    /// The places that were passed, by the operations and the options that were.
    pub fn passed(&self, operations: &[bool], options: &[bool]) -> Vec<bool> {
        let mut passed = vec![false; self.points.len()];
        for (place, _) in self.of_operation.iter().zip(operations).filter(|(_, passed)| **passed) {
            place.iter().for_each(|place| passed[*place] = true);
        }
        for (place, _) in self.of_option.iter().zip(options).filter(|(_, taken)| **taken) {
            passed[*place] = true;
        }
        passed
    }
}

fn moves(program: &Program) -> Vec<Point> {
    let options = program.options.iter();
    options
        .map(|option| Point { what: format!("move {}", option.name), span: head(option) })
        .collect()
}

/// The beginning of an option: enough to be shown.
fn head(option: &OptionInfo) -> Span {
    let start = option.span.start as usize;
    Span::new(start, start + option.name.len())
}

fn named(rule: &Rule) -> String {
    match rule.name.as_str() {
        flow @ ("setup" | "play") => flow.to_owned(),
        name => format!("rule {name}"),
    }
}

/// The stretch of text that a rule's statements take.
fn extent(rule: &Rule) -> Option<Span> {
    fn whole(block: &Block) -> Option<Span> {
        block.iter().map(|stmt| stmt.span).reduce(Span::to)
    }
    whole(&rule.body)
}

fn within(span: Span, extent: Span) -> bool {
    extent.start <= span.start && span.end <= extent.end && !span.is_empty()
}
