//! Lists the places of a file that a change can take: expressions, statements, options and clauses.

use std::rc::Rc;

use astragal::machinery::source::Span;
use astragal::machinery::syntax::ast::{
    Arm, Arms, Ast, BinaryOp, Binder, Block, CardAction, Choose, Clause, ClauseKind, Expr,
    ExprKind, Extension, Finish, GameClause, ItemKind, MoveLine, MoveOption, Name, Param, PileEnd,
    RuleBody, Stmt, StmtKind, TableBody, TableDecl, Text, TextPart, TypeExpr,
};

/// A name of a rule: what it is called, and where it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub name: String,
    pub declared: Span,
}

pub type Scope = Rc<Vec<Binding>>;

/// How the place around an expression takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Any value.
    Value,
    /// What is iterated: `from`, `subsets of` and rays have a meaning of their own here.
    Iterated,
    /// The whole value of a `let`, an assignment or a `return`: it may draw or ask.
    Whole,
    /// Fixed before a game begins.
    Constant,
}

#[derive(Clone, Debug)]
pub struct ExprSite<'a> {
    pub expr: &'a Expr,
    pub role: Role,
    pub scope: Scope,
    /// Where a `let` may stand that computes it first, and does nothing else otherwise.
    pub hoist: Option<Hoist>,
}

/// What a name is put in front of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hoist {
    Stmt(Span),
    /// Of an option; the place is inside the clause, right after its keyword.
    Clause(Span),
}

#[derive(Clone, Debug)]
pub struct StmtSite<'a> {
    pub stmt: &'a Stmt,
    /// Which block it is in, and at which place there.
    pub block: usize,
    pub scope: Scope,
}

#[derive(Clone, Debug)]
pub struct OptionSite {
    /// The decision or the group that it is in.
    pub decision: usize,
    /// The names before its clauses.
    pub before: Scope,
}

#[derive(Clone, Debug)]
pub struct ClauseSite<'a> {
    pub clause: &'a Clause,
    /// The clause before it.
    pub before: Option<&'a Clause>,
}

/// A use of a name that a rule declares.
#[derive(Clone, Debug)]
pub struct Use {
    pub name: String,
    pub span: Span,
    pub declared: Span,
}

/// What iterates: a statement, a fold, a filter or a clause.
#[derive(Clone, Copy, Debug)]
pub struct BinderSite<'a> {
    pub binder: &'a Binder,
    pub of: BinderOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinderOf {
    Stmt,
    Value,
    Clause,
}

#[derive(Default)]
pub struct Outline<'a> {
    pub exprs: Vec<ExprSite<'a>>,
    /// Expressions and places.
    pub all: Vec<&'a Expr>,
    pub stmts: Vec<StmtSite<'a>>,
    pub blocks: Vec<&'a Block>,
    pub options: Vec<OptionSite>,
    /// The decisions by the lines they offer.
    pub decisions: Vec<&'a [MoveLine]>,
    pub clauses: Vec<ClauseSite<'a>>,
    pub binders: Vec<BinderSite<'a>>,
    pub types: Vec<&'a TypeExpr>,
    pub uses: Vec<Use>,
    scope: Scope,
    hoist: Option<Hoist>,
}

impl<'a> Outline<'a> {
    pub fn of(ast: &'a Ast) -> Outline<'a> {
        let mut outline = Outline::default();
        ast.items.iter().for_each(|item| outline.item(&item.kind));
        outline
    }

    fn item(&mut self, item: &'a ItemKind) {
        match item {
            ItemKind::Replace(inner) => self.item(inner),
            ItemKind::Game(game) => {
                for clause in &game.clauses {
                    match clause {
                        GameClause::Limit { body, .. } => self.inside(|it| it.block(body)),
                        GameClause::Teams { player, team, .. } => self.inside(|it| {
                            it.bind(player);
                            it.hoist = None;
                            it.expr(team, Role::Value);
                        }),
                        GameClause::Players { .. }
                        | GameClause::Example { .. }
                        | GameClause::Edition { .. } => {}
                    }
                }
            }
            ItemKind::Option(option) => {
                self.types.extend(&option.ty);
                self.constant(&option.default);
            }
            ItemKind::Let(constant) => self.constant(&constant.value),
            ItemKind::Table(TableDecl { dims, body: TableBody::Formula(formula), .. }) => {
                self.inside(|it| {
                    it.types.extend(dims.iter().map(|dim| &dim.ty));
                    dims.iter()
                        .filter_map(|dim| dim.binder.as_ref())
                        .for_each(|name| it.bind(name));
                    it.constant(formula);
                });
            }
            ItemKind::Has(has) => {
                for var in &has.vars {
                    self.types.extend(&var.ty);
                    self.types.extend(var.dims.iter().map(|dim| &dim.ty));
                    var.init.iter().for_each(|init| self.constant(init));
                }
            }
            ItemKind::Rule(rule) => self.inside(|it| {
                it.params(&rule.params);
                it.types.extend(&rule.returns);
                match &rule.body {
                    RuleBody::Value(value) => it.expr(value, Role::Value),
                    RuleBody::Block(block) => it.block(block),
                }
            }),
            ItemKind::Moves(moves) | ItemKind::More(Extension::Moves(moves)) => self.inside(|it| {
                it.params(&moves.params);
                it.lines(&moves.options);
            }),
            ItemKind::Measure(measure) => self.inside(|it| {
                if let Some(each) = measure.each {
                    it.bind(&Name { text: "p".to_owned(), span: each });
                }
                it.expr(&measure.value, Role::Value);
            }),
            ItemKind::Always(always) => self.inside(|it| {
                always.binder.iter().for_each(|binder| it.binder(binder, BinderOf::Value));
                it.expr(&always.condition, Role::Value);
            }),
            ItemKind::Flow(flow) => self.inside(|it| it.block(&flow.body)),
            ItemKind::More(extension) => self.inside(|it| it.extension(extension)),
            _ => {}
        }
    }

    /// What is put into a declaration, whose own names are not known here.
    fn extension(&mut self, extension: &'a Extension) {
        match extension {
            Extension::Cases(_, Arms::Statements(arms)) => {
                arms.iter().for_each(|arm| self.block(&arm.body));
            }
            Extension::Cases(_, Arms::Values(arms)) => {
                arms.iter().for_each(|arm| self.expr(&arm.body, Role::Value));
            }
            Extension::Around { body, .. } => self.block(body),
            Extension::Choice { options, decline, otherwise, .. } => {
                self.lines(options);
                decline.iter().for_each(|decline| self.block(&decline.body));
                otherwise.iter().for_each(|block| self.block(block));
            }
            Extension::Members(_, members) => members.iter().for_each(|it| self.constant(it)),
            Extension::Moves(_) | Extension::Rows(..) | Extension::Cells { .. } => {}
        }
    }

    /// Walks through something whose names end with it.
    fn inside(&mut self, walk: impl FnOnce(&mut Self)) {
        let (scope, hoist) = (Rc::clone(&self.scope), self.hoist);
        walk(self);
        (self.scope, self.hoist) = (scope, hoist);
    }

    /// Walks through what may be computed never, or often.
    fn sometimes(&mut self, walk: impl FnOnce(&mut Self)) {
        self.inside(|it| {
            it.hoist = None;
            walk(it);
        });
    }

    fn bind(&mut self, name: &Name) {
        let binding = Binding { name: name.text.clone(), declared: name.span };
        Rc::make_mut(&mut self.scope).push(binding);
    }

    fn uses(&mut self, name: &str, span: Span) {
        if let Some(binding) = self.scope.iter().rev().find(|it| it.name == name) {
            let declared = binding.declared;
            self.uses.push(Use { name: name.to_owned(), span, declared });
        }
    }

    fn params(&mut self, params: &'a [Param]) {
        for param in params {
            self.types.push(&param.ty);
            self.bind(&param.name);
        }
    }

    // Statements.

    fn block(&mut self, block: &'a Block) {
        let at = self.blocks.len();
        self.blocks.push(block);
        self.inside(|it| {
            for stmt in &block.stmts {
                let scope = Rc::clone(&it.scope);
                it.stmts.push(StmtSite { stmt, block: at, scope });
                it.hoist = Some(Hoist::Stmt(stmt.span));
                it.stmt(stmt);
            }
        });
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Let { name, value } => {
                self.expr(value, Role::Whole);
                self.bind(name);
            }
            StmtKind::Var { name, dims, ty, value } => {
                self.types.extend(ty);
                self.types.extend(dims.iter().map(|dim| &dim.ty));
                self.expr(value, if dims.is_empty() { Role::Whole } else { Role::Value });
                self.bind(name);
            }
            StmtKind::Assign { place, value, .. } => {
                self.place(place);
                self.expr(value, Role::Whole);
            }
            StmtKind::Swap(a, b) => [a, b].into_iter().for_each(|it| self.place(it)),
            StmtKind::Reset(places) => places.iter().for_each(|it| self.place(it)),
            StmtKind::Transfer { owner, amount, index, other, .. } => {
                self.expr(owner, Role::Value);
                self.expr(amount, Role::Value);
                index.iter().for_each(|it| self.expr(it, Role::Value));
                other.iter().for_each(|it| self.place(it));
            }
            StmtKind::Roll { die, binder } => self.inside(|it| {
                it.hoist = None;
                binder.iter().for_each(|binder| it.binder(binder, BinderOf::Stmt));
                it.place(die);
            }),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition, Role::Value);
                [Some(then), otherwise.as_ref()]
                    .into_iter()
                    .flatten()
                    .for_each(|it| self.block(it));
            }
            StmtKind::Match { subject, arms } => {
                self.expr(subject, Role::Value);
                arms.iter().for_each(|arm| self.block(&arm.body));
            }
            StmtKind::For { binder, from, body, .. } => self.inside(|it| {
                from.iter().for_each(|from| it.sometimes(|it| it.expr(from, Role::Value)));
                it.binder(binder, BinderOf::Stmt);
                it.block(body);
            }),
            StmtKind::Repeat { times, body, until } => {
                times.iter().for_each(|times| self.expr(times, Role::Value));
                self.block(body);
                self.sometimes(|it| {
                    it.block_names(body);
                    until.iter().for_each(|until| it.expr(until, Role::Value));
                });
            }
            StmtKind::While { condition, body } => {
                self.sometimes(|it| it.expr(condition, Role::Value));
                self.block(body);
            }
            StmtKind::Turns { name, from, condition, body, .. } => self.inside(|it| {
                it.expr(from, Role::Value);
                it.bind(name);
                it.hoist = None;
                condition.iter().for_each(|condition| it.expr(condition, Role::Value));
                it.block(body);
            }),
            StmtKind::Return(value) => value.iter().for_each(|it| self.expr(it, Role::Whole)),
            StmtKind::Show { places, to } => {
                places.iter().for_each(|it| self.place(it));
                to.iter().for_each(|it| self.expr(it, Role::Value));
            }
            StmtKind::Say { to, text } => {
                to.iter().for_each(|it| self.expr(it, Role::Value));
                self.expr(text, Role::Value);
            }
            StmtKind::Cards(action) => self.cards(action),
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Finish(Finish::Win(who) | Finish::Team(who) | Finish::Together(who)) => {
                self.expr(who, Role::Value);
            }
            StmtKind::Finish(Finish::Ranking { name, keys }) => self.inside(|it| {
                it.bind(name);
                it.hoist = None;
                keys.iter().for_each(|key| it.expr(key, Role::Value));
            }),
            StmtKind::Call(call) => self.parts(call),
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Past(..)
            | StmtKind::Finish(Finish::Draw | Finish::All { .. }) => {}
        }
    }

    /// The names that a block declares, which its `until` may read.
    fn block_names(&mut self, block: &'a Block) {
        for stmt in &block.stmts {
            if let StmtKind::Let { name, .. } | StmtKind::Var { name, .. } = &stmt.kind {
                self.bind(name);
            }
        }
    }

    /// What a statement changes or shows is no value; its indices are.
    fn place(&mut self, place: &'a Expr) {
        self.all.push(place);
        match &place.kind {
            ExprKind::Index(base, index) => {
                self.place(base);
                index.iter().for_each(|it| self.expr(it, Role::Value));
            }
            ExprKind::Field(base, _) => self.expr(base, Role::Value),
            ExprKind::Name(name) => self.uses(&name.text, place.span),
            _ => self.expr(place, Role::Value),
        }
    }

    fn cards(&mut self, action: &'a CardAction) {
        let (what, other) = match action {
            CardAction::Move { what, to, .. } => (what, Some(to)),
            CardAction::Shuffle(pile) => (pile, None),
            CardAction::Look { what, by } => {
                self.expr(by, Role::Value);
                (what, None)
            }
        };
        [Some(what), other].into_iter().flatten().for_each(|it| self.place(it));
    }

    fn choose(&mut self, choose: &'a Choose) {
        self.inside(|it| {
            match &choose.each {
                Some(binder) => it.binder(binder, BinderOf::Stmt),
                None => it.sometimes(|it| it.expr(&choose.chooser, Role::Value)),
            }
            it.hoist = None;
            choose.prompt.iter().for_each(|prompt| it.text(prompt));
            it.lines(&choose.options);
            if let Some(decline) = &choose.decline {
                decline.template.iter().for_each(|text| it.text(text));
                decline.condition.iter().for_each(|condition| it.expr(condition, Role::Value));
                it.block(&decline.body);
            }
            choose.otherwise.iter().for_each(|block| it.block(block));
        });
    }

    fn lines(&mut self, lines: &'a [MoveLine]) {
        let decision = self.decisions.len();
        self.decisions.push(lines);
        for line in lines {
            self.inside(|it| match line {
                MoveLine::Group(group) => it.sometimes(|it| {
                    group.args.iter().for_each(|arg| it.expr(arg, Role::Value));
                }),
                MoveLine::Option(option) => it.option(decision, option),
            });
        }
    }

    fn option(&mut self, decision: usize, option: &'a MoveOption) {
        let before = Rc::clone(&self.scope);
        let mut last = None;
        for clause in &option.clauses {
            self.clauses.push(ClauseSite { clause, before: last });
            match &clause.kind {
                ClauseKind::For(binder) | ClauseKind::Maybe(binder) => {
                    self.hoist = Some(Hoist::Clause(binder.name.span));
                    self.binder(binder, BinderOf::Clause);
                }
                ClauseKind::Let(name, value) => {
                    self.hoist = Some(Hoist::Clause(name.span));
                    self.expr(value, Role::Value);
                    self.bind(name);
                }
                ClauseKind::When(condition) => {
                    self.hoist = Some(Hoist::Clause(condition.span));
                    self.expr(condition, Role::Value);
                }
            }
            last = Some(clause);
        }
        self.hoist = None;
        option.params.iter().for_each(|param| self.uses(&param.text, param.span));
        option.template.iter().for_each(|text| self.text(text));
        self.options.push(OptionSite { decision, before });
        self.block(&option.body);
    }

    // Expressions.

    fn constant(&mut self, expr: &'a Expr) {
        self.sometimes(|it| it.expr(expr, Role::Constant));
    }

    fn expr(&mut self, expr: &'a Expr, role: Role) {
        self.all.push(expr);
        let (scope, hoist) = (Rc::clone(&self.scope), self.hoist);
        self.exprs.push(ExprSite { expr, role, scope, hoist });
        self.parts(expr);
    }

    /// The set comes first, then its name is known to the condition and to what follows.
    fn binder(&mut self, binder: &'a Binder, of: BinderOf) {
        self.binders.push(BinderSite { binder, of });
        if let ExprKind::Lists(_) = binder.set.kind {
            self.bind(&binder.name);
            self.sometimes(|it| it.expr(&binder.set, Role::Iterated));
        } else {
            self.expr(&binder.set, Role::Iterated);
            self.bind(&binder.name);
        }
        self.hoist = None;
        binder.condition.iter().for_each(|condition| self.expr(condition, Role::Value));
    }

    fn parts(&mut self, expr: &'a Expr) {
        let value = Role::Value;
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::None => {}
            ExprKind::Name(name) => self.uses(&name.text, expr.span),
            ExprKind::Text(text) => self.text(text),
            ExprKind::Field(base, _) => self.expr(base, value),
            ExprKind::Method(base, _, all) => {
                self.expr(base, value);
                all.iter().for_each(|it| self.expr(it, value));
            }
            ExprKind::Index(base, all) => {
                // The name of an array is no value.
                self.place(base);
                all.iter().for_each(|it| self.expr(it, value));
            }
            ExprKind::Call(_, all) | ExprKind::Set(all) | ExprKind::List(all) => {
                all.iter().for_each(|it| self.expr(it, value));
            }
            ExprKind::Unary(_, inner) | ExprKind::Directed(inner, _) => self.expr(inner, value),
            ExprKind::Binary(op, a, b) => {
                self.expr(a, value);
                if matches!(op, BinaryOp::And | BinaryOp::Or) {
                    self.sometimes(|it| it.expr(b, value));
                } else {
                    self.expr(b, value);
                }
            }
            ExprKind::Range(a, b) => [a, b].into_iter().for_each(|it| self.expr(it, value)),
            ExprKind::From(set, from) => {
                self.expr(set, Role::Iterated);
                self.expr(from, value);
            }
            ExprKind::Backwards(set) => self.expr(set, Role::Iterated),
            ExprKind::Subsets(set, size) => {
                self.expr(set, Role::Iterated);
                if let Some(size) = size {
                    self.expr(&size.size, Role::Value);
                }
            }
            ExprKind::Random(set) => self.expr(set, value),
            ExprKind::Filter(binder) => self.inside(|it| it.binder(binder, BinderOf::Value)),
            ExprKind::Image(body, binders) => self.inside(|it| {
                binders.iter().for_each(|binder| it.binder(binder, BinderOf::Value));
                it.sometimes(|it| it.expr(body, value));
            }),
            ExprKind::Fold { binders, body, .. } => self.inside(|it| {
                binders.iter().for_each(|binder| it.binder(binder, BinderOf::Value));
                it.hoist = None;
                body.iter().for_each(|body| it.expr(body, value));
            }),
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition, value);
                self.sometimes(|it| {
                    it.expr(then, value);
                    it.expr(otherwise, value);
                });
            }
            ExprKind::Match(subject, arms) => {
                self.expr(subject, value);
                self.sometimes(|it| {
                    arms.iter().for_each(|arm: &Arm<Expr>| it.expr(&arm.body, value))
                });
            }
            ExprKind::Suppose(block, inner) => self.sometimes(|it| {
                it.block(block);
                it.expr(inner, value);
            }),
            ExprKind::End(end) => {
                let PileEnd { count, pile, .. } = end.as_ref();
                count.iter().for_each(|it| self.expr(it, value));
                self.place(pile);
            }
            ExprKind::Goods(goods, binders) => self.inside(|it| {
                binders.iter().for_each(|binder| it.binder(binder, BinderOf::Value));
                it.sometimes(|it| goods.iter().for_each(|(amount, _)| it.expr(amount, value)));
            }),
            ExprKind::Bags(bags) => {
                bags.within.iter().for_each(|it| self.sometimes(|own| own.expr(it, value)));
            }
            ExprKind::Lists(lists) => self.sometimes(|it| it.expr(&lists.next, value)),
            ExprKind::Roll(die) => self.place(die),
            ExprKind::Pick { chooser, prompt, set, .. } => {
                self.sometimes(|it| it.expr(chooser, value));
                prompt.iter().for_each(|prompt| self.text(prompt));
                self.sometimes(|it| it.expr(set, Role::Iterated));
            }
        }
    }

    fn text(&mut self, text: &'a Text) {
        self.sometimes(|it| {
            for part in &text.parts {
                if let TextPart::Hole(hole) = part {
                    it.expr(hole, Role::Value);
                }
            }
        });
    }
}
