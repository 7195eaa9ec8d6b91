//! Pairs to tree: decisions.

use pest::iterators::Pair;

use crate::syntax::MAX_NESTING;
use crate::syntax::ast::{
    Choose, Clause, Decline, Expr, ExprKind, MoveGroup, MoveLine, MoveOption, Moves, Name, Text,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::{Builder, Built, Parts};

impl Builder {
    /// `choose_statement`: who decides, among what, and what happens otherwise.
    pub(super) fn choose(self, parts: &mut Parts<'_>) -> Built<Choose> {
        let each = parts.optional(Rule::choose_each);
        let each = each.map(|pair| self.binder(Parts::of(pair).one(Rule::binder))).transpose()?;
        let chooser = match &each {
            Some(each) => Expr { kind: ExprKind::Name(each.name.clone()), span: each.name.span },
            None => self.operand(parts.one(Rule::operand))?,
        };
        let order = parts.optional(Rule::in_order).is_some();
        let prompt = self.perhaps_text(parts)?;
        let options = self.move_lines(parts)?;
        let decline = parts.optional(Rule::decline);
        let decline = decline.map(|pair| self.decline(pair)).transpose()?;
        let otherwise = parts.optional(Rule::nothing_legal);
        let otherwise = otherwise.map(|pair| self.block(Parts::of(pair).any())).transpose()?;
        Ok(Choose { each, chooser, order, prompt, options, decline, otherwise })
    }

    /// `string`, if it is there.
    pub(super) fn perhaps_text(self, parts: &mut Parts<'_>) -> Built<Option<Text>> {
        parts.optional(Rule::string).map(|pair| self.string(pair)).transpose()
    }

    /// `moves_declaration`: a group of options.
    pub(super) fn moves(self, parts: &mut Parts<'_>) -> Built<Moves> {
        let name = self.small_name("the group", parts)?;
        let params = self.parameters(parts.one(Rule::parameters))?;
        Ok(Moves { name, params, options: self.move_lines(parts)? })
    }

    /// Options and groups of options, as long as there are any.
    fn move_lines(self, parts: &mut Parts<'_>) -> Built<Vec<MoveLine>> {
        let mut lines = Vec::new();
        loop {
            if let Some(pair) = parts.optional(Rule::move_option) {
                lines.push(MoveLine::Option(self.move_option(pair)?));
            } else if let Some(pair) = parts.optional(Rule::move_group) {
                lines.push(MoveLine::Group(self.move_group(pair)?));
            } else {
                return Ok(lines);
            }
        }
    }

    fn move_group(self, pair: Pair<'_, Rule>) -> Built<MoveGroup> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::name));
        let args = self.expressions(parts.one(Rule::arguments))?;
        Ok(MoveGroup { name, args, span })
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
        // Each clause stands inside of those before it.
        if clauses.len() > MAX_NESTING {
            return Err(SyntaxError::TooDeep { limit: MAX_NESTING, span: name.span });
        }
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
