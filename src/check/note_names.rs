//! The words by which people may mean what code names.

use crate::check::note_gaps::{NOTHING, NotedCode};
use crate::rules::{
    Ambient, Array, Domain, Expr, ExprKind, KindId, PLAYER, Type, Value, VarForm, VarId,
};
use crate::syntax::number_words;

impl NotedCode<'_> {
    /// What an expression names by itself, for people: variables, rules, options.
    pub(super) fn names_of(&self, expr: &Expr) -> Vec<String> {
        let mut names = Vec::new();
        expr.visit_tree(&mut |part| {
            self.budget.charge(1);
            match &part.kind {
                ExprKind::Element(Array::Var(id) | Array::Pile(id), _) => {
                    names.push(self.rules.vars[id.index()].name.clone());
                }
                ExprKind::Call(id, _) => names.push(self.rules.rules[id.index()].name.clone()),
                ExprKind::Ambient(Ambient::Players) => names.push("players".to_owned()),
                ExprKind::Option(id) => names.push(self.rules.options[id.index()].name.clone()),
                ExprKind::Column(kind, at, _) => {
                    names.push(self.rules.kinds[kind.index()].columns[*at].name.clone());
                }
                _ => {}
            }
        });
        names.dedup();
        names
    }

    /// All words that an expression could be meant by.
    pub(super) fn words_of(&self, expr: &Expr) -> Vec<String> {
        let mut words = Vec::new();
        expr.visit_tree(&mut |part| {
            self.budget.charge(1);
            let ty = if let Type::Maybe(inner) = &part.ty { inner } else { &part.ty };
            let kind = match ty {
                Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
                _ => None,
            };
            if let Some(kind) = kind {
                words.extend(self.names_of_kind(kind));
            }
            match (&part.kind, &part.ty) {
                (ExprKind::Element(Array::Var(id) | Array::Pile(id), _), _) => {
                    words.extend(self.names_of_var(*id));
                }
                (ExprKind::Element(Array::Table(id), _), _) => {
                    let table = &self.rules.tables[id.index()];
                    words.extend([table.name.clone(), table.title.clone()]);
                }
                (ExprKind::Call(id, _), _) => {
                    let rule = &self.rules.rules[id.index()];
                    words.extend([rule.name.clone(), rule.title.clone()]);
                    words.extend(rule.notes.clone());
                }
                (ExprKind::Option(id), _) => {
                    let option = &self.rules.options[id.index()];
                    words.extend([option.name.clone(), option.title.clone(), "agreed".to_owned()]);
                }
                (ExprKind::Value(Value::None), _) => words.extend(NOTHING.map(str::to_owned)),
                (ExprKind::Constant(id), _) => {
                    words.push(self.rules.constants[id.index()].name.clone());
                }
                (ExprKind::Column(kind, at, _), _) => {
                    words.push(self.rules.kinds[kind.index()].columns[*at].name.clone());
                }
                (ExprKind::Value(Value::Int(number)), Type::Kind(kind)) => {
                    words.extend(self.words_of_member(*kind, *number));
                }
                (ExprKind::Value(Value::Int(number)), Type::Number) => {
                    words.extend(number_words(*number));
                }
                (ExprKind::Ambient(Ambient::Players), _) => words.push("players".to_owned()),
                (ExprKind::Local(local), _) => {
                    words.push(self.rule.locals[local.index()].name.clone());
                }
                _ => {}
            }
        });
        words
    }

    pub(super) fn names_of_kind(&self, kind: KindId) -> Vec<String> {
        if kind == PLAYER {
            let players = "player you your opponent everybody nobody other who whoever";
            return players.split(' ').map(str::to_owned).collect();
        }
        let of = &self.rules.kinds[kind.index()];
        let mut names = vec![of.name.clone(), of.title.clone()];
        if of.is_board() {
            names.extend(
                ["field", "cell", "square", "place", "space", "row", "column"].map(str::to_owned),
            );
        }
        names
    }

    pub(super) fn names_of_var(&self, id: VarId) -> Vec<String> {
        let var = &self.rules.vars[id.index()];
        let mut names = vec![var.name.clone(), var.title.clone()];
        match var.form {
            VarForm::Die(_) => names.extend(["die", "dice"].map(str::to_owned)),
            VarForm::Pile(_) => names.push("card".to_owned()),
            _ => {}
        }
        names
    }

    pub(super) fn words_of_member(&self, kind: KindId, at: i64) -> Vec<String> {
        let members = &self.rules.kinds[kind.index()].members;
        let member = usize::try_from(at).ok().and_then(|at| members.get(at));
        member.map_or_else(Vec::new, |it| vec![it.name.clone(), it.title.clone()])
    }
}
