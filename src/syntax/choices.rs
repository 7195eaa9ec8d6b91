//! Pairs to tree: decisions.

use pest::iterators::Pair;

use crate::syntax::ast::Choose;
use crate::syntax::ast::Clause;
use crate::syntax::ast::Decline;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::MoveOption;
use crate::syntax::ast::Name;
use crate::syntax::ast::Text;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::Builder;
use crate::syntax::tree::Built;
use crate::syntax::tree::Parts;

impl Builder {
    /// `choose_statement`: who decides, among what, and what happens otherwise.
    pub(super) fn choose(self, parts: &mut Parts<'_>) -> Built<Choose> {
        let each = parts.optional(Rule::choose_each);
        let each = each.map(|pair| self.binder(Parts::of(pair).one(Rule::binder))).transpose()?;
        let chooser = match &each {
            Some(each) => Expr { kind: ExprKind::Name(each.name.clone()), span: each.name.span },
            None => self.operand(parts.one(Rule::operand))?,
        };
        let prompt = self.perhaps_text(parts)?;
        let options = Self::each(parts, Rule::move_option, |pair| self.move_option(pair))?;
        let decline = parts.optional(Rule::decline);
        let decline = decline.map(|pair| self.decline(pair)).transpose()?;
        let otherwise = parts.optional(Rule::nothing_legal);
        let otherwise = otherwise.map(|pair| self.block(Parts::of(pair).any())).transpose()?;
        Ok(Choose { each, chooser, prompt, options, decline, otherwise })
    }

    /// `string`, if it is there.
    pub(super) fn perhaps_text(self, parts: &mut Parts<'_>) -> Built<Option<Text>> {
        parts.optional(Rule::string).map(|pair| self.string(pair)).transpose()
    }

    fn move_option(self, pair: Pair<'_, Rule>) -> Built<MoveOption> {
        let mut span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let notes = Self::notes(&mut parts);
        let name = self.name(&parts.one(Rule::name));
        span.start = name.span.start;
        let params = parts.optional(Rule::move_names);
        let params = params.map_or_else(Vec::new, |pair| self.names(pair));
        let template = self.perhaps_text(&mut parts)?;
        let clauses = Self::each(&mut parts, Rule::clause, |pair| self.clause(pair))?;
        let body = self.block(parts.one(Rule::block))?;
        Ok(MoveOption { notes, name, params, template, clauses, body, span })
    }

    /// The names in a pair that holds nothing else.
    pub(super) fn names(self, pair: Pair<'_, Rule>) -> Vec<Name> {
        let names = pair.into_inner().filter(|pair| pair.as_rule() == Rule::name);
        names.map(|pair| self.name(&pair)).collect()
    }

    fn clause(self, pair: Pair<'_, Rule>) -> Built<Clause> {
        let pair = Parts::of(pair).any();
        Ok(match pair.as_rule() {
            Rule::for_clause => Clause::For(self.binder(Parts::of(pair).any())?),
            Rule::maybe_clause => Clause::Maybe(self.binder(Parts::of(pair).any())?),
            Rule::when_clause => Clause::When(self.when_clause(pair)?),
            _ => {
                let mut parts = Parts::of(pair);
                let name = self.name(&parts.one(Rule::name));
                Clause::Let(name, self.expression(parts.one(Rule::expression))?)
            }
        })
    }

    fn when_clause(self, pair: Pair<'_, Rule>) -> Built<Expr> {
        self.expression(Parts::of(pair).one(Rule::expression))
    }

    fn decline(self, pair: Pair<'_, Rule>) -> Built<Decline> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::name));
        let template = self.perhaps_text(&mut parts)?;
        let condition = parts.optional(Rule::when_clause);
        let condition = condition.map(|pair| self.when_clause(pair)).transpose()?;
        let body = self.block(parts.one(Rule::block))?;
        Ok(Decline { name, template, condition, body, span })
    }
}
