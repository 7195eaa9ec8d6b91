//! Decisions: their options, what an option ranges over, and when it may be taken.

use std::rc::Rc;

use crate::check::context::{Checker, player};
use crate::check::error::{FlowError, NameError};
use crate::check::narrow::Path;
use crate::check::rules::{
    Binder, Choose, Clause, Decline, Domain, Expr, LocalId, MoveOption, PLAYER, Type,
};
use crate::check::scope::Meaning;
use crate::check::subsets::PERHAPS;
use crate::check::types::{maybe, plain};
use crate::syntax::ast;

impl Checker<'_> {
    /// `choose me { … }`
    pub(super) fn choose(&mut self, choose: &ast::Choose) -> Choose {
        self.body.effects.pauses = true;
        self.scoped(|checker| {
            let each = choose.each.as_ref().map(|each| checker.deciders(each));
            let chooser = checker.expect(&choose.chooser, &player());
            checker.decision(each, chooser, choose)
        })
    }

    /// `each p in S where P`
    fn deciders(&mut self, each: &ast::Binder) -> Binder {
        let set = self.expect(&each.set, &Type::Set(Domain::Kind(PLAYER)));
        self.bind(each, set, player())
    }

    fn decision(&mut self, each: Option<Binder>, chooser: Expr, choose: &ast::Choose) -> Choose {
        let prompt = choose.prompt.as_ref().map(|prompt| self.text(prompt));
        let outer = std::mem::replace(&mut self.body.in_order, choose.order);
        let mut options = self.options(&choose.options);
        self.body.in_order = outer;
        let order = choose.order.then(|| self.put_in_order(choose, &mut options));
        let choose = Choose {
            each,
            chooser,
            order,
            prompt,
            options,
            decline: choose.decline.as_ref().map(|decline| self.decline(decline)),
            otherwise: choose.otherwise.as_ref().map(|block| self.block(block)),
        };
        self.check_labels(&choose);
        choose
    }

    pub(super) fn option(
        &mut self,
        option: &ast::MoveOption,
        chain: &[(&ast::MoveGroup, usize)],
    ) -> MoveOption {
        self.check_case(&option.name, "a move", false);
        self.below(chain, |checker, mut clauses| {
            let mut bound = checker.given_names(&clauses);
            checker.body.later = option.clauses.iter().filter_map(bound_name).collect();
            clauses.extend(option.clauses.iter().map(|clause| checker.clause(clause, &mut bound)));
            let params = checker.params(option, &bound);
            let template = option.template.as_ref().map(|template| checker.text(template));
            checker.forget_lets(&clauses);
            let body = checker.in_group(chain, |checker| checker.block(&option.body));
            MoveOption {
                name: option.name.text.clone(),
                notes: option.notes.clone(),
                params,
                template,
                clauses,
                body,
                span: option.span,
            }
        })
    }

    fn clause(&mut self, clause: &ast::Clause, bound: &mut Vec<(String, LocalId)>) -> Clause {
        let (name, local, clause) = match clause {
            ast::Clause::For(binder) => {
                let checked = self.in_condition("what a move ranges over", |checker| {
                    checker.binder(binder, None)
                });
                (&binder.name, checked.local, Clause::For(checked))
            }
            ast::Clause::Maybe(binder) => {
                let checked = self.maybe_clause(binder);
                (&binder.name, checked.local, Clause::Maybe(checked))
            }
            ast::Clause::Let(name, value) => {
                let (local, value) = self.let_clause(name, value);
                (name, local, Clause::Let(local, value))
            }
            ast::Clause::When(condition) => {
                let condition = self.condition(condition, "`when`");
                self.assume(&condition, true);
                return Clause::When(condition);
            }
        };
        self.body.later.remove(&name.text);
        bound.push((name.text.clone(), local));
        clause
    }

    /// `maybe x in S where P`: the condition sees a member that is there, what follows does not.
    fn maybe_clause(&mut self, binder: &ast::Binder) -> Binder {
        let (set, member) = self.in_condition("what a move ranges over", |checker| {
            checker.go_over_members(&binder.set, None, PERHAPS)
        });
        let local = self.declare(&binder.name, maybe(member));
        let known = Rc::clone(&self.body.known);
        self.learn([Path::Local(local)]);
        let condition = binder
            .condition
            .as_ref()
            .map(|condition| Box::new(self.condition(condition, "`where`")));
        self.body.known = known;
        Binder { local, set: Box::new(set), condition }
    }

    fn let_clause(&mut self, name: &ast::Name, value: &ast::Expr) -> (LocalId, Expr) {
        let value = self.in_condition("the head of a move", |checker| checker.infer(value, None));
        let value = self.keep(value);
        let ty = match value.ty {
            Type::None | Type::EmptySet | Type::Span => {
                self.needs_type(name, &value.ty, value.span);
                Type::Unknown
            }
            ref ty => ty.clone(),
        };
        self.note_kept(name);
        (self.declare(name, ty), value)
    }

    fn params(&mut self, option: &ast::MoveOption, bound: &[(String, LocalId)]) -> Vec<LocalId> {
        let mut params = Vec::new();
        for param in &option.params {
            match bound.iter().find(|(name, _)| *name == param.text) {
                Some((_, local)) => {
                    self.note_local(param.span, *local);
                    self.check_param(param, *local);
                    params.push(*local);
                }
                None => self.unbound(option, param),
            }
        }
        params
    }

    fn unbound(&mut self, option: &ast::MoveOption, param: &ast::Name) {
        let (name, option) = (param.text.clone(), option.name.text.clone());
        let meaning = self.meaning(&name);
        let help = match meaning {
            Some(Meaning::Kind(_)) => {
                let one = name[..1].to_ascii_lowercase();
                format!("a name for each member stands here: `{option}({one}) for {one} in {name}`")
            }
            _ => {
                format!("add a clause: `for {name} in …`, `maybe {name} in …` or `let {name} = …`")
            }
        };
        self.report(NameError::UnboundParameter { name, option, help, span: param.span });
        // The body may use it: a name without a type fits everywhere, and nothing is said twice.
        if matches!(meaning, None | Some(Meaning::Kind(_))) {
            self.declare(param, Type::Unknown);
        }
    }

    fn check_param(&mut self, param: &ast::Name, local: LocalId) {
        let ty = self.local(local).ty.clone();
        if matches!(
            plain(&ty),
            Type::Number | Type::Bool | Type::Kind(_) | Type::Set(_) | Type::Unknown
        ) {
            return;
        }
        let (name, found) = (param.text.clone(), self.name_of(&ty));
        self.report(FlowError::ParameterType { name, found, span: param.span });
    }

    fn decline(&mut self, decline: &ast::Decline) -> Decline {
        self.check_case(&decline.name, "a move", false);
        let template = decline.template.as_ref().map(|template| self.text(template));
        let condition =
            decline.condition.as_ref().map(|condition| self.condition(condition, "`when`"));
        let body = self.scoped(|checker| {
            if let Some(condition) = &condition {
                checker.assume(condition, true);
            }
            checker.stmts(&decline.body)
        });
        let name = decline.name.text.clone();
        Decline { name, template, condition, body, span: decline.span }
    }
}

fn bound_name(clause: &ast::Clause) -> Option<String> {
    match clause {
        ast::Clause::For(binder) | ast::Clause::Maybe(binder) => Some(binder.name.text.clone()),
        ast::Clause::Let(name, _) => Some(name.text.clone()),
        ast::Clause::When(_) => None,
    }
}
