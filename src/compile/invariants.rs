//! Measures, and what must always hold: pieces of code that are run beside the game.

use crate::bytecode::Op;
use crate::bytecode::program::{MeasureInfo, NONE, Piece, Promise};
use crate::check::rules::{Always, LocalId, Rule, StmtKind, Value};
use crate::compile::{Compiler, Returning, Storage};

impl Compiler<'_> {
    /// Compiles all measures and promises. What is known to hold needs no code.
    pub(super) fn promises(&mut self) {
        for measure in &self.rules.measures {
            let piece = self.piece(&measure.rule);
            self.measures.push(MeasureInfo {
                name: measure.name.clone(),
                title: measure.title.clone(),
                of_player: measure.rule.params > 0,
                piece,
            });
        }
        for (number, always) in (0..).zip(&self.rules.always) {
            self.enter(None, Returning::Back);
            let kept = if always.binder.is_some() { NONE } else { 1 };
            if !self.surely_holds(always) {
                let piece = self.piece(&always.rule);
                self.always.push(Promise { number, piece, kept });
            }
        }
        self.snippet = None;
    }

    fn surely_holds(&self, always: &Always) -> bool {
        let kept = if always.binder.is_some() { Value::None } else { Value::Int(1) };
        let StmtKind::Return(Some(test)) = &always.rule.body[0].kind else { return false };
        self.fold(test) == Some(kept)
    }

    /// A rule without effects as code of its own; its only parameter is a player.
    fn piece(&mut self, rule: &Rule) -> Piece {
        self.code.span = rule.span;
        let to = self.code.label();
        self.begin(to);
        let end = self.code.label();
        let (player, result) = (self.take(1).at, self.take(1));
        self.enter(None, Returning::To(end, Some(result)));
        self.snippet = Some(rule.clone());
        if rule.params > 0 {
            self.keep_local(LocalId::at(0), Storage::Slots(player, 1));
        }
        self.block(&rule.body);
        self.code.place(end);
        self.code.emit(Op::Stop {});
        self.end();
        Piece { to, player, result: result.at }
    }
}
