//! Counts the turns of each player where the file reads `p.turns`.

use crate::check::file::FileContext;
use crate::check::typer::bags::number_expr;
use crate::rules::{
    Array, Block, ExprKind, Init, PLAYER, Range, Rules, Stmt, StmtKind, Type, Var, VarForm, VarId,
    typed,
};
use crate::source::Span;
use crate::syntax::ast::{Owner, Visibility};

impl FileContext<'_> {
    /// The variable behind `p.turns`, which the first that reads it declares.
    pub(crate) fn turns_of_players(&mut self, span: Span) -> VarId {
        if let Some(known) = self.rules.turns_had {
            return known;
        }
        let zero = || number_expr(0, span);
        let range = self.intern_range(Range { low: zero(), high: None, span });
        let id = VarId::at(self.rules.vars.len());
        self.rules.vars.push(Var {
            name: "turns".to_owned(),
            title: "turns".to_owned(),
            notes: Vec::new(),
            owner: Owner::Player,
            dims: Vec::new(),
            ty: Type::Number,
            range,
            form: VarForm::Plain,
            sight: Visibility::All,
            seers: None,
            undrawn: true,
            init: Init { binders: vec![None], locals: Vec::new(), value: zero() },
            span,
        });
        self.rules.turns_had = Some(id);
        id
    }
}

/// Lets each turn begin with one more turn of its player.
pub(crate) fn count_turns(rules: &mut Rules) {
    let Some(had) = rules.turns_had else { return };
    rules.rules.iter_mut().for_each(|rule| count_in(&mut rule.body, had));
}

fn count_in(block: &mut Block, had: VarId) {
    for stmt in block {
        stmt.blocks_mut().into_iter().for_each(|inner| count_in(inner, had));
        let span = stmt.span;
        if let StmtKind::Turns { local, body, .. } = &mut stmt.kind {
            let me = typed(ExprKind::Local(*local), Type::Kind(PLAYER), span);
            let kind = ExprKind::Element(Array::Var(had), vec![me]);
            let (place, value) = (typed(kind, Type::Number, span), number_expr(1, span));
            let kind = StmtKind::Change { place, add: true, value };
            body.insert(0, Stmt { kind, span });
        }
    }
}
