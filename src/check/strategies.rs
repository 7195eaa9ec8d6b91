//! Strategies: each of their lines is checked at every decision that offers its move.

use std::collections::BTreeMap;

use crate::check::context::Checker;
use crate::check::error;
use crate::diagnostic::Help;
use crate::rules::visit::move_names;
use crate::rules::{Expr, ExprKind, Local, LocalId, Strategy, StrategyLine, Tactic, Type, player};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub(crate) fn collect_strategy(&mut self, item: &ast::Item, strategy: &'a ast::StrategyDecl) {
        let title = self.file.title_or(Some(&strategy.title), String::new());
        let earlier = self.file.rules.strategies.iter().find(|earlier| earlier.title == title);
        if let Some(earlier) = earlier.map(|earlier| earlier.span) {
            self.file.report_error(error::strategy_twice(title, strategy.title.span, earlier));
            return;
        }
        let line = |line: &ast::StrategyLineDecl| StrategyLine {
            name: line.name.text.clone(),
            tactics: BTreeMap::new(),
        };
        self.file.rules.strategies.push(Strategy {
            title,
            notes: item.notes.clone(),
            lines: strategy.lines.iter().map(line).collect(),
            span: strategy.title.span,
        });
        self.file.tree.strategies.push(strategy);
    }

    /// Checks the lines that name an option, with the names that can be seen where it is offered.
    pub(crate) fn tactic(&mut self, name: &str, option: Span, types: &[Type], chooser: &Expr) {
        for (at, strategy) in self.file.tree.strategies.clone().into_iter().enumerate() {
            let lines = strategy.lines.iter().enumerate();
            for (number, line) in lines.filter(|(_, line)| line.name.text == name) {
                let tried = self.file.tried_lines.entry((at, number)).or_default();
                tried.count.get_or_insert(types.len());
                if line.arguments.as_ref().is_some_and(|names| names.len() != types.len()) {
                    continue;
                }
                // What a line reads may be known at one decision and not at another.
                let outer = std::mem::take(&mut self.file.diagnostics);
                let tactic = self.scoped(|checker| checker.check_line(line, types, chooser));
                let found = std::mem::replace(&mut self.file.diagnostics, outer);
                if !found.has_errors() {
                    self.file.rules.strategies[at].lines[number].tactics.insert(option, tactic);
                } else if let Some(tried) = self.file.tried_lines.get_mut(&(at, number)) {
                    tried.found.get_or_insert(found);
                }
            }
        }
    }

    fn check_line(
        &mut self,
        line: &ast::StrategyLineDecl,
        types: &[Type],
        chooser: &Expr,
    ) -> Tactic {
        // What the rules know of their own `me` stays known where they ask that player.
        let me = match chooser.kind {
            ExprKind::Local(local) if self.body.visible.find_local("me") == Some(local) => local,
            _ => self.add_name("me", player(), line.name.span),
        };
        let names = line.arguments.iter().flatten().zip(types);
        let arguments = names.map(|(name, ty)| {
            name.as_ref().map(|name| self.add_name(&name.text, ty.clone(), name.span))
        });
        let arguments = arguments.collect();
        let place = "a line of a strategy";
        let condition = line.condition.as_ref().map(|it| self.condition(it, place));
        if let Some(condition) = &condition {
            self.assume(condition, true);
        }
        let key = line.key.as_ref().map(|(direction, key)| {
            let key = self.in_condition(place, |checker| checker.expect(key, &Type::Number));
            (*direction, key)
        });
        Tactic { me, arguments, condition, key }
    }

    /// A local that may hide others: who writes a strategy does not know the names of the rules.
    fn add_name(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let local = self.add_local(Local::fixed(name, ty, span));
        self.body.visible.push(local, name);
        local
    }

    /// Reports the lines that fit no decision, and those that none is left for.
    pub(crate) fn check_strategies(&mut self) {
        for (at, strategy) in self.file.tree.strategies.clone().into_iter().enumerate() {
            for (number, line) in strategy.lines.iter().enumerate() {
                let tried = self.file.tried_lines.remove(&(at, number)).unwrap_or_default();
                let checked = &self.file.rules.strategies[at].lines;
                if !checked[number].tactics.is_empty() {
                    let earlier = (0..number).find(|&n| covers(&checked[n], &checked[number]));
                    if let Some(earlier) = earlier.map(|n| strategy.lines[n].span) {
                        let name = &line.name.text;
                        self.file.report_error(error::strategy_line(name, line.span, earlier));
                    }
                } else if let Some(found) = tried.found {
                    self.file.diagnostics.extend(found);
                } else {
                    self.report_misfit(line, tried.count);
                }
            }
        }
    }

    fn report_misfit(&mut self, line: &ast::StrategyLineDecl, count: Option<usize>) {
        let (name, span) = (line.name.text.clone(), line.name.span);
        let Some(count) = count else {
            let names = move_names(&self.file.rules.rules);
            let near = nearest(&name, names.iter().map(String::as_str));
            let help = near.map_or_else(
                || "name a move as it is offered in a `choose`".into(),
                Help::did_you_mean,
            );
            // With a broken decision in the file nobody knows its moves.
            if !self.file.diagnostics.has_errors() {
                self.file.report_error(error::strategy_move(name, help, span));
            }
            return;
        };
        let expected = match count {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            many => format!("{many} arguments"),
        };
        let found = line.arguments.as_ref().map_or(0, Vec::len);
        self.file.report_error(error::strategy_arguments(name, expected, found, line.span));
    }
}

/// Whether a line takes every move that a later one could take: it fits wherever that one does.
fn covers(earlier: &StrategyLine, later: &StrategyLine) -> bool {
    let takes = |tactic: &Tactic| tactic.condition.is_none();
    later.tactics.keys().all(|option| earlier.tactics.get(option).is_some_and(takes))
}
