//! Makes the kinds that types list, `{draw, host_wins}`, so that their members are known everywhere.

use crate::check::context::Checker;
use crate::syntax::ast::{
    Block, Drawn, GameClause, ItemKind, KindBody, MoveLine, RuleBody, StmtKind, TableBody,
    TypeExpr, TypeKind,
};

impl Checker<'_> {
    /// Makes every kind that is written as a list of members in the item.
    pub(super) fn find_unnamed_kinds(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Game(game) => {
                for clause in &game.clauses {
                    if let GameClause::Limit { body, .. } = clause {
                        self.find_in_block(body);
                    }
                }
            }
            ItemKind::Option(option) => self.find_in_types(&option.ty),
            ItemKind::Kind(kind) | ItemKind::Extend(kind) => {
                if let KindBody::Drawn(drawn) = &kind.body {
                    self.find_in_heads(drawn);
                }
            }
            ItemKind::Board(board) => {
                self.find_in_types(board.attributes.iter().filter_map(|it| it.ty.as_ref()));
            }
            ItemKind::Table(table) => {
                self.find_in_types(&table.dims);
                if let TableBody::Drawn(drawn) = &table.body {
                    self.find_in_heads(drawn);
                }
            }
            ItemKind::Has(has) => {
                for var in &has.vars {
                    self.find_in_types(var.dims.iter().map(|dim| &dim.ty).chain(&var.ty));
                }
            }
            ItemKind::Rule(rule) => {
                let params = rule.params.iter().map(|param| &param.ty);
                self.find_in_types(params.chain(&rule.returns));
                if let RuleBody::Block(block) = &rule.body {
                    self.find_in_block(block);
                }
            }
            ItemKind::Moves(moves) => {
                self.find_in_types(moves.params.iter().map(|param| &param.ty));
                self.find_in_options(&moves.options);
            }
            ItemKind::Flow(flow) => self.find_in_block(&flow.body),
            ItemKind::Let(_)
            | ItemKind::Cards(_)
            | ItemKind::Variant(_)
            | ItemKind::Use(_)
            | ItemKind::Replace(_)
            | ItemKind::MoreMoves(_)
            | ItemKind::MoreBranches(_)
            | ItemKind::Measure(_)
            | ItemKind::Always(_) => {}
        }
    }

    fn find_in_heads(&mut self, drawn: &Drawn) {
        self.find_in_types(drawn.heads.iter().filter_map(|head| head.ty.as_ref()));
    }

    fn find_in_types<'t>(&mut self, types: impl IntoIterator<Item = &'t TypeExpr>) {
        for ty in types {
            let mut inner = ty;
            while let TypeKind::Set(of) | TypeKind::Maybe(of) = &inner.kind {
                inner = of;
            }
            if let TypeKind::Members(members) = &inner.kind {
                self.unnamed_kind(members, inner.span);
            }
        }
    }

    fn find_in_options(&mut self, lines: &[MoveLine]) {
        for line in lines {
            if let MoveLine::Option(option) = line {
                self.find_in_block(&option.body);
            }
        }
    }

    fn find_in_block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Var { dims, ty, .. } => {
                    self.find_in_types(dims.iter().map(|dim| &dim.ty).chain(ty));
                }
                StmtKind::If { then, otherwise, .. } => {
                    self.find_in_block(then);
                    otherwise.iter().for_each(|block| self.find_in_block(block));
                }
                StmtKind::Match { arms, .. } => {
                    arms.iter().for_each(|arm| self.find_in_block(&arm.body));
                }
                StmtKind::For { body, .. }
                | StmtKind::Repeat { body, .. }
                | StmtKind::While { body, .. }
                | StmtKind::Turns { body, .. } => self.find_in_block(body),
                StmtKind::Choose(choose) => {
                    self.find_in_options(&choose.options);
                    choose.decline.iter().for_each(|decline| self.find_in_block(&decline.body));
                    choose.otherwise.iter().for_each(|block| self.find_in_block(block));
                }
                _ => {}
            }
        }
    }
}
