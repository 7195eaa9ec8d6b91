//! Rules as functions: the flows, measures and promises.

use crate::bytecode::{CodePiece, ENDING, GameEnding, MeasureInfo, NONE, Op, Promise};
use crate::compile::compiled::{PieceSlots, Snippet, Storage};
use crate::compile::emit::{Emitter, calls::return_back};
use crate::compile::plan::expr_queries::is_of_single_cards;
use crate::compile::scope::ReturnPath;
use crate::rules::returned_values::returned;
use crate::rules::{LocalId, Rule, Type, Value};

impl<'a> Emitter<'_, 'a> {
    pub(in crate::compile) fn emit_game(&mut self) {
        self.begin_function();
        self.start_site(self.frames.current);
        let rules = self.plan.rules;
        for flow in rules.setup.into_iter().chain([rules.play]) {
            let end = self.code.label();
            self.enter_body(Some(flow), ReturnPath::To(end, None));
            self.block(&rules.rules[flow.index()].body);
            self.code.place(end);
        }
        self.code.span = rules.rules[rules.play.index()].span;
        self.code.emit(Op::NoFinish {});
        self.end_function();
        self.emit_limit();
        self.emit_invariants();
        self.emit_pending(0);
    }

    /// Compiles the functions from a position on; each may add more.
    fn emit_pending(&mut self, from: usize) {
        for at in from.. {
            let Some(function) = self.frames.functions.get(at) else { break };
            if function.range != (0, 0) {
                continue;
            }
            let id = function.rule.expect("every function without code is a rule");
            let (rule, params) = (&self.plan.rules.rules[id.index()], function.params.clone());
            self.resume_function(at);
            self.enter_body(Some(id), ReturnPath::Back);
            for (local, slots) in params.iter().enumerate() {
                self.keep_local(LocalId::at(local), Storage::Slots(slots.at, slots.width));
            }
            self.block(&rule.body);
            self.code.span = rule.span;
            return_back(self);
            self.end_function();
        }
    }

    /// The code that runs when the limit of decisions is reached.
    fn emit_limit(&mut self) {
        self.begin_function();
        self.code.limit_site = self.start_site(self.frames.current);
        let Some(limit) = &self.plan.rules.limit else {
            // A file that says nothing of a limit has one all the same.
            self.code.emit(Op::FinishDraw {});
            return self.end_function();
        };
        self.enter_body(Some(limit.body), ReturnPath::Back);
        let rule = &self.plan.rules.rules[limit.body.index()];
        self.block(&rule.body);
        self.code.span = rule.span;
        self.code.emit(Op::NoFinish {});
        self.end_function();
    }

    /// Compiles measures, and what must always hold. What is known to hold needs no code.
    fn emit_invariants(&mut self) {
        let rules = self.plan.rules;
        for measure in &rules.measures {
            let piece = self.emit_computed(&measure.rule);
            self.code.measures.push(MeasureInfo {
                name: measure.name.clone(),
                title: measure.title.clone(),
                of_player: measure.rule.params > 0,
                piece,
            });
        }
        for (number, always) in (0..).zip(&rules.always) {
            self.enter_body(None, ReturnPath::Back);
            let holds = if always.binder.is_some() { Value::None } else { Value::Int(1) };
            let test = always.rule.body.first().and_then(returned);
            if test.is_none_or(|test| self.facts().fold(test) != Some(holds)) {
                let kept = if always.binder.is_some() { NONE } else { 1 };
                let piece = self.emit_computed(&always.rule);
                let is_of_single_cards = is_of_single_cards(rules, always);
                self.code.always.push(Promise { number, piece, kept, is_of_single_cards });
            }
        }
    }

    /// Compiles a typed piece as a function after all others, and the site where it begins.
    pub(in crate::compile) fn emit_snippet(&mut self, snippet: &'a Snippet) {
        let first = self.frames.functions.len();
        self.begin_function();
        let (end, rule) = (self.code.label(), &snippet.rule);
        let returns = !snippet.printed && rule.returns != Type::Nothing;
        let result = returns.then(|| self.take_for(&rule.returns, rule.span));
        self.enter_body(None, ReturnPath::To(end, result));
        self.moves = snippet.moves;
        self.body.declared = &rule.locals;
        self.body.locals = snippet.locals.iter().cloned().collect();
        let mut params = Vec::new();
        for param in &snippet.params {
            let local = &rule.locals[param.index()];
            let slots = self.take_for(&local.ty, local.span);
            self.keep_local(*param, Storage::Slots(slots.at, slots.width));
            params.push((slots.at, slots.width));
        }
        self.piece = PieceSlots { params, result: result.map(|it| (it.at, it.width)) };
        if snippet.printed {
            for stmt in &rule.body {
                self.code.span = stmt.span;
                returned(stmt).into_iter().for_each(|value| self.print_typed(value));
            }
            self.code.emit(Op::Stop {});
        } else {
            self.block(&rule.body);
        }
        self.code.place(end);
        let src = self.code.constant(GameEnding::Stopped as i64);
        let dst = u16::try_from(ENDING).expect("one of the first slots");
        self.code.emit(Op::Move { dst, src });
        self.code.emit(Op::Stop {});
        self.end_function();
        self.emit_pending(first);
        self.start_site(first);
    }

    /// A rule without effects as code of its own; its only parameter is a player.
    fn emit_computed(&mut self, rule: &'a Rule) -> CodePiece {
        self.code.span = rule.span;
        let (to, end) = (self.begin_function(), self.code.label());
        let (player, result) = (self.allocate(1).at, self.allocate(1));
        self.enter_body(None, ReturnPath::To(end, Some(result)));
        self.body.declared = &rule.locals;
        if rule.params > 0 {
            self.keep_local(LocalId::at(0), Storage::Slots(player, 1));
        }
        self.block(&rule.body);
        self.code.place(end);
        self.code.emit(Op::Stop {});
        self.end_function();
        CodePiece { to, player, result: result.at }
    }
}
