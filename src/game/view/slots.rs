//! Numbers that are places: where a move names the index of an array, as the place of a card in a hand.

use std::collections::BTreeSet;

use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::game::view::ViewContext;
use crate::game::view::model::Tag;
use crate::rules::{Array, Expr, ExprKind, MoveOption, RuleId, Rules, VarId, is_same_expr};
use crate::syntax::ast::Owner;

/// What is known of a value in the words of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum IndexMeaning {
    /// The player who chooses.
    Chooser,
    /// What the move prints at this position.
    Argument(usize),
    Other,
}

/// Whose array has places that a number of a move names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotOwner {
    Table,
    Chooser,
    /// The player that the move prints at this position.
    Argument(usize),
}

/// The dimension of an array whose places a number of a move names.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedPlaces {
    pub(super) owner: SlotOwner,
    var: VarId,
    dim: usize,
}

impl IndexedPlaces {
    /// The place that a number names, as the view draws it; none where the array has no such place.
    pub(super) fn tag(self, view: ViewContext, seat: Option<usize>, number: i64) -> Option<Tag> {
        let var = &view.program.vars[self.var.index()];
        let dim = &var.dims[self.dim];
        let at = usize::try_from(number.checked_sub(dim.low)?).ok().filter(|at| *at < dim.size)?;
        Some(view.index_tag((var, self.dim), at, seat))
    }
}

impl ViewContext<'_> {
    /// What the numbers of a dimension are places of. Rows over the same numbers, of one owner, lie beside each other;
    /// where an array has several dimensions, its places are its own.
    pub(super) fn slots_kind(self, (var, at): (&VarInfo, usize), seat: Option<usize>) -> String {
        let owner = seat.map(|seat| format!("{} ", self.names[seat])).unwrap_or_default();
        if var.dims.len() > 1 {
            return format!("{owner}{} {}", var.name, at + 1);
        }
        let DimInfo { low, size, .. } = var.dims[at];
        let last = low + i64::try_from(size).expect("a dimension fits into the state") - 1;
        format!("{owner}{low}..{last}")
    }
}

/// For each thing that a move prints the places that it names, if the rules use it as an index.
pub(super) fn slots_of(
    rules: &Rules,
    chooser: &Expr,
    option: &MoveOption,
) -> Vec<Option<IndexedPlaces>> {
    let found = vec![None; option.params.len()];
    let mut search = SlotSearch { rules, found, called: BTreeSet::new() };
    let meaning = |expr: &Expr| match expr.kind {
        _ if is_same_expr(expr, chooser) => IndexMeaning::Chooser,
        ExprKind::Local(local) => option
            .params
            .iter()
            .position(|it| *it == local)
            .map_or(IndexMeaning::Other, IndexMeaning::Argument),
        _ => IndexMeaning::Other,
    };
    let mut see = |expr: &Expr| search.search(expr, &meaning);
    option.clauses.iter().for_each(|clause| clause.visit_exprs(&mut see));
    option.body.iter().for_each(|stmt| stmt.visit_exprs(&mut see));
    search.found
}

struct SlotSearch<'a> {
    rules: &'a Rules,
    found: Vec<Option<IndexedPlaces>>,
    /// The rules that were read, with what they were told.
    called: BTreeSet<(RuleId, Vec<IndexMeaning>)>,
}

impl SlotSearch<'_> {
    fn search(&mut self, expr: &Expr, meaning: &dyn Fn(&Expr) -> IndexMeaning) {
        match &expr.kind {
            ExprKind::Element(Array::Var(var) | Array::Pile(var), indices) => {
                self.note(*var, &indices.iter().map(meaning).collect::<Vec<_>>());
            }
            ExprKind::Call(rule, told) => {
                let told: Vec<IndexMeaning> = told.iter().map(meaning).collect();
                let names_any = told.iter().any(|it| matches!(it, IndexMeaning::Argument(_)));
                if names_any && self.called.insert((*rule, told.clone())) {
                    let body = &self.rules.rules[rule.index()].body;
                    let inner = |expr: &Expr| match expr.kind {
                        ExprKind::Local(local) => {
                            told.get(local.index()).copied().unwrap_or(IndexMeaning::Other)
                        }
                        _ => IndexMeaning::Other,
                    };
                    let mut see = |expr: &Expr| self.search(expr, &inner);
                    body.iter().for_each(|stmt| stmt.visit_exprs(&mut see));
                }
            }
            _ => {}
        }
    }

    /// Keeps the first array that each number is an index of.
    fn note(&mut self, var: VarId, indices: &[IndexMeaning]) {
        let is_owned = self.rules.vars[var.index()].owner == Owner::Player;
        let (owner, places) = indices.split_at(usize::from(is_owned).min(indices.len()));
        let owner = match owner {
            [] => SlotOwner::Table,
            [IndexMeaning::Chooser] => SlotOwner::Chooser,
            [IndexMeaning::Argument(at)] => SlotOwner::Argument(*at),
            _ => return,
        };
        for (dim, place) in places.iter().enumerate() {
            if let IndexMeaning::Argument(at) = place {
                self.found[*at].get_or_insert(IndexedPlaces { owner, var, dim });
            }
        }
    }
}
