//! Types decisions: options with their clauses, orders, and the words of moves.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::check::block::BlockTyper;
use crate::check::block::groups::InclusionChain;
use crate::check::error;
use crate::check::names::Meaning;
use crate::check::typer::bags::Bag;
use crate::check::typer::scope::Path;
use crate::check::typer::sets::AFTER_MAYBE;
use crate::check::typer::strategies::tactic;
use crate::rules::{
    Binder, Choose, Clause, Decline, Expr, ExprKind, Local, LocalId, MoveOption, TextPart, Type,
    Value, maybe_if_any, player, players_type, typed, unwrap_maybe,
};
use crate::source::{Span, fault};
use crate::syntax::ast;

impl BlockTyper<'_, '_, '_> {
    /// `choose me { … }`
    pub(crate) fn check_choose(&mut self, choose: &ast::Choose) -> Choose {
        self.typer.effects.pauses = true;
        self.scoped(|steps| {
            let each = choose.each.as_ref().map(|each| {
                let set = steps.typer.infer_as(&each.set, &players_type());
                steps.typer.bind_member(each, set, player())
            });
            let chooser = steps.typer.chooser(&choose.chooser);
            steps.check_decision(each, chooser, choose)
        })
    }

    fn check_decision(
        &mut self,
        each: Option<Binder>,
        chooser: Expr,
        choose: &ast::Choose,
    ) -> Choose {
        let prompt = choose.prompt.as_ref().map(|prompt| self.typer.infer_text(prompt));
        let outer = std::mem::replace(&mut self.state.in_order, choose.order);
        let mut options = self.resolve_options(&choose.options, &[]);
        self.state.in_order = outer;
        let order = choose.order.then(|| self.put_in_order(choose, &mut options));
        let decline = choose.decline.as_ref().map(|decline| self.check_decline(decline));
        let otherwise = choose.otherwise.as_ref().map(|block| self.check_block(block));
        if let (Some(ast::Decline { alone: true, name, .. }), Some(otherwise)) =
            (&choose.decline, &choose.otherwise)
        {
            self.typer.file.report_error(error::else_beside_alone(&name.text, otherwise.span));
        }
        let choose = Choose { each, chooser, order, prompt, options, decline, otherwise };
        self.check_labels(&choose);
        self.check_tactics(&choose);
        choose
    }

    /// One option, in the groups that the chain of lines includes.
    pub(crate) fn resolve_option(
        &mut self,
        option: &ast::MoveOption,
        chain: &InclusionChain,
    ) -> MoveOption {
        self.typer.file.check_case(&option.name, "a move", false);
        self.scoped_to_groups(chain, |steps, mut clauses| {
            let mut bound = steps.given_names(&clauses);
            steps.typer.scope.later = option.clauses.iter().filter_map(bound_name).collect();
            for clause in &option.clauses {
                clauses.extend(steps.check_clause(clause, &mut bound));
            }
            let params = steps.check_params(option, &bound);
            let template =
                option.template.as_ref().map(|template| steps.typer.infer_text(template));
            let template = template.or_else(|| steps.bags_apart(option, &params));
            steps.forget_lets(&clauses);
            let body = steps.in_group(chain, |steps| steps.check_block(&option.body));
            let (name, notes) = (option.name.text.clone(), option.notes.clone());
            MoveOption { name, notes, params, template, clauses, body, span: option.span }
        })
    }

    /// The options of a decision as strategies know them.
    fn check_tactics(&mut self, choose: &Choose) {
        if self.typer.file.tree.strategies.is_empty() {
            return;
        }
        for option in &choose.options {
            let named = (option.name.as_str(), option.span);
            let locals = option.params.iter().map(|param| self.typer.scope.local_at(*param));
            let arguments: Vec<_> = locals.map(|it| (it.name.clone(), it.ty.clone())).collect();
            tactic(self.typer, named, &arguments, &choose.chooser);
        }
        if let Some(decline) = &choose.decline {
            tactic(self.typer, (&decline.name, decline.span), &[], &choose.chooser);
        }
    }

    /// Also adds the name that the clause binds to `bound`. A `let` of a bag is one for each good.
    fn check_clause(
        &mut self,
        clause: &ast::Clause,
        bound: &mut Vec<(String, LocalId)>,
    ) -> Vec<Clause> {
        let of = match &clause.kind {
            ast::ClauseKind::For(it) | ast::ClauseKind::Maybe(it) => &it.set,
            ast::ClauseKind::Let(_, value) | ast::ClauseKind::When(value) => value,
        };
        self.typer.file.keep_notes(&clause.notes, of.span);
        let (name, local, clause) = match &clause.kind {
            ast::ClauseKind::For(binder) => {
                let checked = self.in_condition("what a move ranges over", |steps| {
                    steps.typer.check_binder(binder, None)
                });
                (&binder.name, checked.local, Clause::For(checked))
            }
            ast::ClauseKind::Maybe(binder) => {
                let checked = self.check_maybe_clause(binder);
                (&binder.name, checked.local, Clause::Maybe(checked))
            }
            ast::ClauseKind::Let(name, value) => {
                let value = match Bag::from_expr(self.clause_value(value)) {
                    Ok(bag) => return self.let_of_goods(name, &bag, bound),
                    Err(value) => value,
                };
                let (local, value) = self.check_let_clause(name, value);
                (name, local, Clause::Let(local, value))
            }
            ast::ClauseKind::When(condition) => {
                let condition = self.typer.condition(condition, "`when`");
                self.typer.assume(&condition, true);
                return vec![Clause::When(condition)];
            }
        };
        self.typer.scope.later.remove(&name.text);
        bound.push((name.text.clone(), local));
        vec![clause]
    }

    fn let_of_goods(
        &mut self,
        name: &ast::Name,
        bag: &Bag,
        bound: &mut Vec<(String, LocalId)>,
    ) -> Vec<Clause> {
        self.typer.scope.later.remove(&name.text);
        self.typer.file.recorder.note_kept(name);
        let values = bag.all_amounts(&self.typer.file.rules);
        let (local, amounts) = self.typer.declare_bag(name, bag.kind, None);
        bound.push((name.text.clone(), local));
        amounts.into_iter().zip(values).map(|(local, value)| Clause::Let(local, value)).collect()
    }

    /// `maybe x in S where P`: the condition sees a member that is there, what follows does not.
    fn check_maybe_clause(&mut self, binder: &ast::Binder) -> Binder {
        let (set, member) = self.in_condition("what a move ranges over", |steps| {
            steps.typer.iterated_members(&binder.set, None, AFTER_MAYBE)
        });
        let local = self.typer.declare(&binder.name, maybe_if_any(member));
        let known = Rc::clone(&self.typer.scope.known);
        self.typer.add_facts([Path::Local(local)]);
        let condition =
            binder.condition.as_ref().map(|it| Box::new(self.typer.condition(it, "`where`")));
        self.typer.scope.known = known;
        Binder { local, set: Box::new(set), condition }
    }

    fn clause_value(&mut self, value: &ast::Expr) -> Expr {
        self.in_condition("the head of a move", |steps| steps.typer.infer(value, None))
    }

    fn check_let_clause(&mut self, name: &ast::Name, value: Expr) -> (LocalId, Expr) {
        let value = self.typer.file.keep_range(value);
        let mut ty = value.ty.clone();
        if let Type::None | Type::EmptySet | Type::Span = ty {
            self.typer.file.report_untyped(name, &ty, value.span);
            ty = Type::Unknown;
        }
        self.typer.file.recorder.note_kept(name);
        (self.typer.declare(name, ty), value)
    }

    /// The locals of the printed arguments. Reports names that no clause binds, and types that are no argument.
    fn check_params(
        &mut self,
        option: &ast::MoveOption,
        bound: &[(String, LocalId)],
    ) -> Vec<LocalId> {
        let mut params = Vec::new();
        for param in &option.params {
            let Some((_, local)) = bound.iter().find(|(name, _)| *name == param.text) else {
                self.report_unbound(option, param);
                continue;
            };
            let noted = &self.typer.scope.locals[local.index()];
            self.typer.file.recorder.note_local(param.span, noted);
            let ty = &self.typer.scope.local_at(*local).ty;
            if !matches!(
                unwrap_maybe(ty),
                Type::Number
                    | Type::Bool
                    | Type::Kind(_)
                    | Type::Set(_)
                    | Type::List(..)
                    | Type::Unknown
            ) {
                let found = self.typer.file.rules.describe_type(ty);
                self.typer.file.report_error(error::parameter_type(&param.text, found, param.span));
            }
            params.push(*local);
        }
        params
    }

    /// The printed form of a move with two bags beside each other: a comma keeps them apart.
    fn bags_apart(&self, option: &ast::MoveOption, params: &[LocalId]) -> Option<Expr> {
        let is_bag = |local: &LocalId| {
            self.typer.file.rules.bag_of(&self.typer.scope.local_at(*local).ty).is_some()
        };
        if !params.windows(2).any(|pair| pair.iter().all(is_bag)) {
            return None;
        }
        let mut parts = vec![TextPart::Words(option.name.text.clone())];
        for (at, local) in params.iter().enumerate() {
            let comma = at > 0 && is_bag(&params[at - 1]) && is_bag(local);
            parts.push(TextPart::Words(if comma { ", " } else { " " }.to_owned()));
            let ty = self.typer.scope.local_at(*local).ty.clone();
            parts.push(TextPart::Hole(typed(ExprKind::Local(*local), ty, option.name.span)));
        }
        Some(typed(ExprKind::Text(parts), Type::Text, option.name.span))
    }

    fn report_unbound(&mut self, option: &ast::MoveOption, param: &ast::Name) {
        let (name, option) = (&param.text, &option.name.text);
        let meaning = self.typer.look().meaning(name);
        let help = match meaning {
            Some(Meaning::Kind(_)) => {
                let one = name[..1].to_ascii_lowercase();
                format!("write a name for each member: `{option}({one}) for {one} in {name}`")
            }
            _ => {
                format!("add a clause: `for {name} in …`, `maybe {name} in …` or `let {name} = …`")
            }
        };
        self.typer.file.report_error(error::unbound_parameter(name, option, help, param.span));
        // The body may use it: a name without a type fits everywhere and is not reported again.
        if matches!(meaning, None | Some(Meaning::Kind(_))) {
            self.typer.declare(param, Type::Unknown);
        }
    }

    fn check_decline(&mut self, decline: &ast::Decline) -> Decline {
        self.typer.file.check_case(&decline.name, "a move", false);
        self.typer.file.keep_notes(&decline.notes, decline.span);
        let template = decline.template.as_ref().map(|template| self.typer.infer_text(template));
        let condition = decline.condition.as_ref().map(|it| match &it.kind {
            ast::ExprKind::Name(word) if word.text == "nothing" => {
                let help =
                    format!("where no move is legal: `or {} when nothing else`", decline.name.text);
                let (expected, found) = ("yes or no", "an empty bag");
                let error = error::type_mismatch(expected, found, help, it.span);
                self.typer.file.report_as_expr(error)
            }
            _ => self.typer.condition(it, "`when`"),
        });
        let body = self.scoped(|steps| {
            condition.iter().for_each(|condition| steps.typer.assume(condition, true));
            steps.stmts(&decline.body)
        });
        let name = decline.name.text.clone();
        let alone = decline.alone;
        Decline { name, template, alone, condition, body, span: decline.span }
    }

    /// Checks that the options can be put in order; gives the locals that keep what is left.
    fn put_in_order(&mut self, choose: &ast::Choose, options: &mut [MoveOption]) -> Vec<LocalId> {
        if let Some(decline) = &choose.decline {
            let problem = "an order cannot be declined";
            let help = "remove the branch, or ask with another `choose` before";
            self.typer.file.report_error(error::order_form(problem, help, decline.name.span));
        }
        if let Some(otherwise) = &choose.otherwise {
            let problem = "an order has no `else`";
            let help =
                "where nothing is legal, the game continues after the order; remove the branch";
            self.typer.file.report_error(error::order_form(problem, help, otherwise.span));
        }
        options.iter_mut().map(|option| self.left_of(option)).collect()
    }

    /// The local that keeps what is left of an option.
    fn left_of(&mut self, option: &mut MoveOption) -> LocalId {
        let mut ty = None;
        for clause in &mut option.clauses {
            let (problem, span) = match clause {
                Clause::Maybe(binder) => ("an option of an order has no `maybe`", binder.set.span),
                Clause::For(binder) if ty.is_some() => {
                    ("an option of an order iterates over one set at most", binder.set.span)
                }
                Clause::For(binder) => {
                    let set = self.typer.file.keep_range(binder.set.in_any_order().clone());
                    *binder.set = self.typer.look().set_of_maybe(set);
                    if matches!(binder.set.ty, Type::Set(_) | Type::Unknown) {
                        ty = Some(binder.set.ty.clone());
                        continue;
                    }
                    ty = Some(Type::Unknown);
                    let problem =
                        "an order iterates over a set, or over numbers with written bounds";
                    (problem, binder.set.span)
                }
                Clause::Let(..) | Clause::When(_) => continue,
            };
            let help =
                "write `for x in S where P`, where S is a set or numbers between written bounds";
            self.typer.file.report_error(error::order_form(problem, help, span));
        }
        // No name that can be typed: only the order itself reads it.
        let ty = ty.unwrap_or(Type::Bool);
        self.typer.scope.add_local(Local::fixed("left of the order", ty, option.span))
    }

    /// In an order the bodies run one after the other: what a `let` is may have changed since its
    /// option was found to be legal.
    fn forget_lets(&mut self, clauses: &[Clause]) {
        if !std::mem::take(&mut self.state.in_order) {
            return;
        }
        let is_let = |path: &Path| {
            clauses.iter().any(|clause| match clause {
                Clause::Let(local, _) => is_about(path, *local),
                _ => false,
            })
        };
        Rc::make_mut(&mut self.typer.scope.known).retain(|path| !is_let(path));
    }

    /// Checks the words of a decision as far as they are known before play: players type them and
    /// transcripts hold them, so each move must be readable from its words, and no two may have the
    /// same.
    fn check_labels(&mut self, choose: &Choose) {
        let mut known: BTreeMap<String, Span> = BTreeMap::new();
        let options = choose.options.iter().map(|option| {
            let name = option.params.is_empty().then_some(option.name.as_str());
            let asks = |clause: &Clause| !matches!(clause, Clause::Let(..));
            (name, &option.template, option.span, option.clauses.iter().any(asks))
        });
        let decline = choose.decline.iter().map(|decline| {
            let name = Some(decline.name.as_str());
            (name, &decline.template, decline.span, decline.alone || decline.condition.is_some())
        });
        for (name, template, span, sometimes) in options.chain(decline) {
            if let Some((why, span)) = template.as_ref().and_then(template_fault) {
                self.typer.file.report_error(error::unreadable_move(why, span));
                continue;
            }
            let words = match template.as_ref().map(|template| &template.kind) {
                None => name,
                Some(ExprKind::Value(Value::Text(words))) => Some(words.as_str()),
                Some(_) => None,
            };
            // A condition may see to it that only one of two is offered.
            let Some(words) = words.filter(|_| !sometimes) else { continue };
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            if let Some(first) = known.get(&words).copied() {
                self.typer.file.report_error(error::same_words(words, first, span));
            } else {
                known.insert(words, span);
            }
        }
    }
}

/// Why a printed form cannot be read back, whatever its holes print.
fn template_fault(template: &Expr) -> Option<(&'static str, Span)> {
    let why = match &template.kind {
        ExprKind::Value(Value::Text(words)) => fault(words),
        ExprKind::Text(parts) => {
            let words = |part: &TextPart| match part {
                // Play checks what holes print.
                TextPart::Hole(_) => "…".to_owned(),
                TextPart::Words(words) => words.clone(),
            };
            fault(&parts.iter().map(words).collect::<String>())
        }
        _ => None,
    };
    Some((why?, template.span))
}

fn bound_name(clause: &ast::Clause) -> Option<String> {
    match &clause.kind {
        ast::ClauseKind::For(binder) | ast::ClauseKind::Maybe(binder) => {
            Some(binder.name.text.clone())
        }
        ast::ClauseKind::Let(name, _) => Some(name.text.clone()),
        ast::ClauseKind::When(_) => None,
    }
}

fn is_about(path: &Path, local: LocalId) -> bool {
    match path {
        Path::Local(other) => *other == local,
        Path::Column(_, _, of) | Path::Within(of, _) => is_about(of, local),
        Path::Table(_, indices) => indices.iter().any(|index| is_about(index, local)),
        Path::Option(_) | Path::Constant(_) | Path::Value(_) => false,
    }
}
