//! Types groups of moves: options that decisions include, checked anew for each place that includes them.

use std::rc::Rc;

use crate::check::block::{BlockTyper, Returning};
use crate::check::error;
use crate::check::file::group_head;
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::typer::bags::Bag;
use crate::check::typer::scope::Visible;
use crate::check::words::quote_path;
use crate::diagnostic::Help;
use crate::rules::print::as_written;
use crate::rules::{Clause, LocalId, MoveOption, format_count};
use crate::syntax::ast;

/// The lines that lead to an option, outermost first, each with the position of its group.
pub(crate) type InclusionChain<'c> = [(&'c ast::MoveGroup, usize)];

/// How often groups may be included in groups, all decisions together.
const MAX_INCLUSIONS: usize = 2_000;

impl BlockTyper<'_, '_, '_> {
    /// The options of some lines, those of the groups that they include among them.
    pub(crate) fn resolve_options(
        &mut self,
        lines: &[ast::MoveLine],
        chain: &InclusionChain,
    ) -> Vec<MoveOption> {
        let options = lines.iter().flat_map(|line| match line {
            ast::MoveLine::Option(option) => vec![self.resolve_option(option, chain)],
            ast::MoveLine::Group(group) => self.include(group, chain).unwrap_or_default(),
        });
        options.collect()
    }

    /// The options of the group that a line names, if it may be included here.
    fn include(
        &mut self,
        line: &ast::MoveGroup,
        chain: &InclusionChain,
    ) -> Option<Vec<MoveOption>> {
        let at = self.named_group(line)?;
        if self.typer.file.including.contains(&at) {
            return self.circle(line, at);
        }
        if !chain.is_empty() {
            self.typer.file.inclusions += 1;
            if self.typer.file.inclusions == MAX_INCLUSIONS + 1 {
                self.typer.file.report_error(error::too_many_groups(MAX_INCLUSIONS, line.span));
            }
            if self.typer.file.inclusions > MAX_INCLUSIONS {
                return None;
            }
        }
        let chain = [chain, &[(line, at)]].concat();
        let item = self.typer.file.groups[at].item;
        self.typer.file.including.push(at);
        // A group without options still needs arguments that make sense.
        self.scoped_to_groups(&chain, |_, _| ());
        let options = self.resolve_options(&item.options, &chain);
        self.typer.file.including.pop();
        Some(options)
    }

    /// The group that a line names, if there is one and the arguments are as many as it needs.
    fn named_group(&mut self, line: &ast::MoveGroup) -> Option<usize> {
        self.typer.file.recorder.see(&line.name.text, CompletionContext::Moves);
        let Some(at) = self.typer.file.names.groups.get(&line.name.text).copied() else {
            self.unknown_group(&line.name);
            line.args.iter().for_each(|arg| drop(self.typer.infer(arg, None)));
            return None;
        };
        self.typer.file.recorder.note_use(line.name.span, Symbol::Moves(at));
        self.typer.file.groups[at].named = true;
        let group = &self.typer.file.groups[at];
        let params = as_written(&self.typer.file.rules, &group.params);
        if params.len() == line.args.len() {
            return Some(at);
        }
        let group = &self.typer.file.groups[at];
        self.typer.file.report_error(error::WrongArgumentCount {
            name: &line.name.text,
            expected: format_count(params.len(), "argument"),
            found: line.args.len(),
            head: format!("moves {}", group_head(&self.typer.file.rules, group)),
            span: line.span,
            declared: Some(group.item.name.span),
        });
        line.args.iter().for_each(|arg| drop(self.typer.infer(arg, None)));
        None
    }

    fn unknown_group(&mut self, name: &ast::Name) {
        let help = match self
            .typer
            .file
            .guesses
            .nearest(&name.text, self.typer.file.names.groups.keys().map(String::as_str))
        {
            Some(near) => {
                // That nothing includes the group that is meant need not be said too.
                self.typer.file.groups[self.typer.file.names.groups[near]].named = true;
                Help::did_you_mean(near)
            }
            None => format!("declare it: `moves {}(…) {{ … }}`", name.text).into(),
        };
        self.typer.file.report_error(error::unknown_moves(&name.text, help, name.span));
    }

    /// Reports a line that includes a group which is being included, at once or by way of others.
    fn circle<T>(&mut self, line: &ast::MoveGroup, at: usize) -> Option<T> {
        let first = self.typer.file.including.iter().position(|group| *group == at);
        let first = first.expect("the group is being included");
        let name = |group: &usize| &self.typer.file.groups[*group].item.name.text;
        let names: Vec<&String> =
            self.typer.file.including[first..].iter().chain([&at]).map(name).collect();
        let path = quote_path(&names, "includes");
        self.typer.file.refuse_with(error::moves_circle(&line.name.text, path, line.span))
    }

    /// Declares the parameters of the groups that lead to an option, and hides everything else.
    /// Gives what could be seen before.
    fn declare_params(&mut self, chain: &InclusionChain) -> (Vec<Clause>, Option<Visible>) {
        let mut outermost = None;
        let mut clauses = Vec::new();
        for (line, at) in chain {
            let all = self.typer.file.groups[*at].params.clone();
            let params = as_written(&self.typer.file.rules, &all);
            let mut args = Vec::new();
            for (arg, param) in line.args.iter().zip(&params) {
                let what = "what a group of moves is given";
                args.push(self.in_condition(what, |steps| steps.typer.infer_as(arg, &param.ty)));
            }
            outermost.get_or_insert(std::mem::take(&mut self.typer.scope.visible));
            self.typer.scope.known = Rc::default();
            for (param, arg) in params.into_iter().zip(args) {
                match Bag::from_expr(arg) {
                    Ok(bag) => {
                        let name = ast::Name { text: param.name, span: param.span };
                        let values = bag.all_amounts(&self.typer.file.rules);
                        let (_, amounts) = self.typer.declare_bag(&name, bag.kind, None);
                        let lets = amounts.into_iter().zip(values);
                        clauses.extend(lets.map(|(local, value)| Clause::Let(local, value)));
                    }
                    Err(arg) => clauses.push(Clause::Let(self.typer.declare_local(param), arg)),
                }
            }
        }
        (clauses, outermost)
    }

    pub(crate) fn given_names(&self, clauses: &[Clause]) -> Vec<(String, LocalId)> {
        let locals = clauses.iter().filter_map(|clause| match clause {
            Clause::Let(local, _) if self.typer.scope.visible.contains(*local) => Some(*local),
            _ => None,
        });
        locals.map(|local| (self.typer.scope.local_at(local).name.clone(), local)).collect()
    }

    /// Checks something in a scope where only the parameters of the groups that lead to it are
    /// seen; without groups, everything is.
    pub(crate) fn scoped_to_groups<T>(
        &mut self,
        chain: &InclusionChain,
        check: impl FnOnce(&mut BlockTyper, Vec<Clause>) -> T,
    ) -> T {
        self.scoped(|steps| {
            let (given, outermost) = steps.declare_params(chain);
            let result = check(steps, given);
            if let Some(outermost) = outermost {
                steps.typer.scope.visible = outermost;
            }
            result
        })
    }

    /// Checks something that must not leave the group of moves that it stands in.
    pub(crate) fn in_group<T>(
        &mut self,
        chain: &InclusionChain,
        check: impl FnOnce(&mut BlockTyper) -> T,
    ) -> T {
        let Some((line, _)) = chain.last() else { return check(self) };
        let group = Returning::Group(line.name.text.clone());
        let returning = std::mem::replace(&mut self.state.returning, group);
        let loops = std::mem::take(&mut self.state.loops);
        let result = check(self);
        self.state.returning = returning;
        self.state.loops = loops;
        result
    }
}
