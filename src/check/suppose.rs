//! `suppose { statements }: value`, the value after statements that are not carried out.

use crate::check::context::{Checker, Mode, Returning, typed};
use crate::check::error::{FlowError, MovesError};
use crate::check::flow::deeds;
use crate::check::rules::{Block, Effects, Expr, ExprKind, RuleId, Type};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// `suppose { statements }: value`
    pub(super) fn suppose(
        &mut self,
        block: &ast::Block,
        value: &ast::Expr,
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        if self.body.mode == Mode::Constant {
            let what = "what is supposed".to_owned();
            return self.broken(FlowError::NotConstant { what, span }, span);
        }
        let (block, value) = self.scoped(|checker| {
            let block = checker.supposed(block);
            let value =
                checker.in_condition("what is supposed", |checker| checker.infer(value, hint));
            (block, checker.keep(value))
        });
        let ty = value.ty.clone();
        typed(ExprKind::Suppose(block, Box::new(value)), ty, span)
    }

    /// The statements; what they do leaves no trace in the body around.
    fn supposed(&mut self, block: &ast::Block) -> Block {
        let effects = self.body.effects;
        let condition = self.body.condition.take();
        let loops = std::mem::take(&mut self.body.loops);
        let returning = std::mem::replace(&mut self.body.returning, Returning::Supposed);
        let outer = std::mem::replace(&mut self.body.supposing, true);
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            self.body.effects = Effects::default();
            stmts.extend(self.stmt_with_values(stmt));
            let Effects { pauses, finishes, .. } = self.body.effects;
            if pauses || finishes {
                let lasting = Effects { pauses, finishes, ..Effects::default() };
                let what = format!("this {}", deeds(lasting));
                self.report(MovesError::SupposePauses { what, span: stmt.span });
            }
        }
        self.body.supposing = outer;
        self.body.returning = returning;
        self.body.loops = loops;
        self.body.condition = condition;
        self.body.effects = effects;
        stmts
    }

    pub(super) fn leaves_suppose(&mut self, word: &'static str, span: Span) -> bool {
        let leaves = matches!(self.body.returning, Returning::Supposed);
        if leaves {
            self.report(MovesError::LeavesSuppose { word, span });
        }
        leaves
    }

    pub(super) fn not_supposed(&mut self, rule: RuleId, span: Span) {
        let mut path = vec![rule];
        while let Some(next) = self.lasting_callee(&path) {
            path.push(next);
        }
        let Effects { pauses, finishes, .. } = self.rule(rule).effects;
        let does = deeds(Effects { pauses, finishes, ..Effects::default() });
        let names: Vec<String> =
            path.iter().map(|rule| format!("`{}`", self.rule(*rule).name)).collect();
        let what = match names.as_slice() {
            [only] => format!("{only} {does}"),
            _ => format!("{}, which {does}", names.join(" calls ")),
        };
        self.report(MovesError::SupposePauses { what, span });
    }

    /// A rule that the last one calls and that pauses or ends the game too.
    fn lasting_callee(&self, path: &[RuleId]) -> Option<RuleId> {
        let calls = &self.calls[path.last()?.index()];
        let lasting = |rule: &&RuleId| {
            let effects = self.rule(**rule).effects;
            (effects.pauses || effects.finishes) && !path.contains(rule)
        };
        calls.iter().find(lasting).copied()
    }
}
