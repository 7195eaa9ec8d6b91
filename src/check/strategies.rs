//! Strategies: each of their lines is checked at every decision that offers its move.

use crate::check::context::Checker;
use crate::rules::{Expr, ExprKind, StrategyLine, Tactic, Type, player};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'_, 'a> {
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
            ExprKind::Local(local) if self.body.scope.visible.find_local("me") == Some(local) => {
                local
            }
            _ => self.body.scope.add_name("me", player(), line.name.span),
        };
        let names = line.arguments.iter().flatten().zip(types);
        let arguments = names.map(|(name, ty)| {
            name.as_ref().map(|name| self.body.scope.add_name(&name.text, ty.clone(), name.span))
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
}

/// Whether a line takes every move that a later one could take: it fits wherever that one does.
pub(crate) fn covers(earlier: &StrategyLine, later: &StrategyLine) -> bool {
    let takes = |tactic: &Tactic| tactic.condition.is_none();
    later.tactics.keys().all(|option| earlier.tactics.get(option).is_some_and(takes))
}
