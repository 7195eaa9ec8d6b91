//! Kinds without a name are found before anything else, so that their members are known everywhere.

use crate::check::context::Checker;
use crate::syntax::ast;

impl Checker<'_> {
    /// Makes every kind that is written as a list of members in the item.
    pub(super) fn find_unnamed_kinds(&mut self, item: &ast::ItemKind) {
        match item {
            ast::ItemKind::Game(game) => self.find_in_game(game),
            ast::ItemKind::Option(option) => self.find_in_types(&option.ty),
            ast::ItemKind::Let(_)
            | ast::ItemKind::Cards(_)
            | ast::ItemKind::Variant(_)
            | ast::ItemKind::Use(_)
            | ast::ItemKind::Replace(_)
            | ast::ItemKind::MoreMoves(_)
            | ast::ItemKind::MoreBranches(_)
            | ast::ItemKind::Measure(_)
            | ast::ItemKind::Always(_) => {}
            ast::ItemKind::Kind(kind) | ast::ItemKind::Extend(kind) => {
                if let ast::KindBody::Drawn(drawn) = &kind.body {
                    self.find_in_heads(drawn);
                }
            }
            ast::ItemKind::Board(board) => {
                self.find_in_types(board.attributes.iter().filter_map(|it| it.ty.as_ref()));
            }
            ast::ItemKind::Table(table) => {
                self.find_in_types(&table.dims);
                if let ast::TableBody::Drawn(drawn) = &table.body {
                    self.find_in_heads(drawn);
                }
            }
            ast::ItemKind::Has(has) => {
                for var in &has.vars {
                    self.find_in_types(var.dims.iter().map(|dim| &dim.ty).chain(&var.ty));
                }
            }
            ast::ItemKind::Rule(rule) => {
                let params = rule.params.iter().map(|param| &param.ty);
                self.find_in_types(params.chain(&rule.returns));
                if let ast::RuleBody::Block(block) = &rule.body {
                    self.find_in_block(block);
                }
            }
            ast::ItemKind::Moves(moves) => {
                self.find_in_types(moves.params.iter().map(|param| &param.ty));
                self.find_in_options(&moves.options);
            }
            ast::ItemKind::Flow(flow) => self.find_in_block(&flow.body),
        }
    }

    fn find_in_game(&mut self, game: &ast::Game) {
        for clause in &game.clauses {
            if let ast::GameClause::Limit { body, .. } = clause {
                self.find_in_block(body);
            }
        }
    }

    fn find_in_heads(&mut self, drawn: &ast::Drawn) {
        self.find_in_types(drawn.heads.iter().filter_map(|head| head.ty.as_ref()));
    }

    fn find_in_types<'t>(&mut self, types: impl IntoIterator<Item = &'t ast::TypeExpr>) {
        for ty in types {
            match &ty.kind {
                ast::TypeKind::Members(members) => {
                    self.unnamed_kind(members, ty.span);
                }
                ast::TypeKind::Set(of) | ast::TypeKind::Maybe(of) => {
                    self.find_in_types(std::iter::once(of.as_ref()));
                }
                _ => {}
            }
        }
    }

    fn find_in_options(&mut self, lines: &[ast::MoveLine]) {
        for line in lines {
            if let ast::MoveLine::Option(option) = line {
                self.find_in_block(&option.body);
            }
        }
    }

    fn find_in_block(&mut self, block: &ast::Block) {
        for stmt in &block.stmts {
            self.find_in_stmt(&stmt.kind);
        }
    }

    fn find_in_stmt(&mut self, stmt: &ast::StmtKind) {
        match stmt {
            ast::StmtKind::Var { dims, ty, .. } => {
                self.find_in_types(dims.iter().map(|dim| &dim.ty).chain(ty));
            }
            ast::StmtKind::If { then, otherwise, .. } => {
                self.find_in_block(then);
                otherwise.iter().for_each(|block| self.find_in_block(block));
            }
            ast::StmtKind::Match { arms, .. } => {
                arms.iter().for_each(|arm| self.find_in_block(&arm.body));
            }
            ast::StmtKind::For { body, .. }
            | ast::StmtKind::Repeat { body, .. }
            | ast::StmtKind::While { body, .. }
            | ast::StmtKind::Turns { body, .. } => self.find_in_block(body),
            ast::StmtKind::Choose(choose) => {
                self.find_in_options(&choose.options);
                choose.decline.iter().for_each(|decline| self.find_in_block(&decline.body));
                choose.otherwise.iter().for_each(|block| self.find_in_block(block));
            }
            _ => {}
        }
    }
}
