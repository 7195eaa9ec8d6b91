//! Collects strategies and reports lines that fit no decision.

use std::collections::BTreeMap;

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::typer::strategies::covers;
use crate::diagnostic::Help;
use crate::rules::visit::move_names;
use crate::rules::{Strategy, StrategyLine};
use crate::suggest::nearest;
use crate::syntax::ast;

pub(crate) fn collect_strategy<'a>(file: &mut FileContext<'a>, strategy: &'a ast::StrategyDecl) {
    let title = file.title_or(Some(&strategy.title), String::new());
    let earlier = file.rules.strategies.iter().find(|earlier| earlier.title == title);
    if let Some(earlier) = earlier.map(|earlier| earlier.span) {
        file.report_error(error::strategy_twice(title, strategy.title.span, earlier));
        return;
    }
    let line = |line: &ast::StrategyLineDecl| StrategyLine {
        name: line.name.text.clone(),
        tactics: BTreeMap::new(),
        span: line.span,
    };
    file.rules.strategies.push(Strategy {
        title,
        lines: strategy.lines.iter().map(line).collect(),
        span: strategy.title.span,
    });
    file.tree.strategies.push(strategy);
}

/// Reports the lines that fit no decision, and those that none is left for.
pub(crate) fn check_strategies(file: &mut FileContext) {
    for (at, strategy) in file.tree.strategies.clone().into_iter().enumerate() {
        for (number, line) in strategy.lines.iter().enumerate() {
            let tried = file.tried_lines.remove(&(at, number)).unwrap_or_default();
            let checked = &file.rules.strategies[at].lines;
            if !checked[number].tactics.is_empty() {
                let earlier = (0..number).find(|&n| covers(&checked[n], &checked[number]));
                if let Some(earlier) = earlier.map(|n| strategy.lines[n].span) {
                    let name = &line.name.text;
                    file.report_error(error::strategy_line(name, line.span, earlier));
                }
            } else if let Some(found) = tried.found {
                file.diagnostics.extend(found);
            } else {
                report_misfit(file, line, tried.count);
            }
        }
    }
}

fn report_misfit(file: &mut FileContext, line: &ast::StrategyLineDecl, count: Option<usize>) {
    let (name, span) = (line.name.text.clone(), line.name.span);
    let Some(count) = count else {
        let names = move_names(&file.rules.rules);
        let near = nearest(&name, names.iter().map(String::as_str));
        let help = near.map_or_else(
            || "name a move as it is offered in a `choose`".into(),
            Help::did_you_mean,
        );
        // With a broken decision in the file nobody knows its moves.
        if !file.diagnostics.has_errors() {
            file.report_error(error::strategy_move(name, help, span));
        }
        return;
    };
    let expected = match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        many => format!("{many} arguments"),
    };
    let found = line.arguments.as_ref().map_or(0, Vec::len);
    file.report_error(error::StrategyArguments { name, expected, found, span: line.span });
}
