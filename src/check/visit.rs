//! Walks over the expressions of checked rules.

use crate::check::rules::{
    Arm, Binder, Block, CardDeed, Cards, Choose, Clause, Expr, ExprKind, PileEnd, Rule, Stmt,
    StmtKind, TextPart,
};

impl Rule {
    /// Calls `see` with every expression of the body, each before its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        visit_block(&self.body, see);
    }
}

/// Calls `see` with every expression of a block, each before its parts.
pub fn visit_block(block: &Block, see: &mut dyn FnMut(&Expr)) {
    block.iter().for_each(|stmt| stmt.visit(see));
}

impl Stmt {
    /// Calls `see` with every expression of the statement, each before its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        match &self.kind {
            StmtKind::Let(_, value)
            | StmtKind::LetArray { value, .. }
            | StmtKind::FinishWin(value)
            | StmtKind::Call(value) => value.visit(see),
            StmtKind::Assign(a, b) | StmtKind::Swap(a, b) => visit_all([a, b], see),
            StmtKind::Change { place, value, .. } => visit_all([place, value], see),
            StmtKind::Reset(targets) => {
                targets.iter().for_each(|target| visit_all(&target.indices, see));
            }
            StmtKind::Show { targets, to } => {
                targets.iter().for_each(|target| visit_all(&target.indices, see));
                visit_all(to, see);
            }
            StmtKind::Coin { place, amount, .. } => visit_all([place, amount], see),
            StmtKind::Roll { place, binder } => {
                place.visit(see);
                binder.iter().for_each(|binder| binder.visit(see));
            }
            StmtKind::If { condition, then, otherwise } => {
                condition.visit(see);
                visit_block(then, see);
                visit_block(otherwise, see);
            }
            StmtKind::Match { subject, arms } => {
                subject.visit(see);
                arms.iter().for_each(|arm| visit_block(&arm.body, see));
            }
            StmtKind::For { binder, from, body } => {
                binder.visit(see);
                visit_all(from, see);
                visit_block(body, see);
            }
            StmtKind::Times(value, body) | StmtKind::While(value, body) => {
                value.visit(see);
                visit_block(body, see);
            }
            StmtKind::Repeat(body, until) => {
                visit_block(body, see);
                visit_all(until, see);
            }
            StmtKind::Turns { from, condition, body, .. } => {
                from.visit(see);
                visit_all(condition, see);
                visit_block(body, see);
            }
            StmtKind::Return(value) => visit_all(value, see),
            StmtKind::Say { to, text } => {
                visit_all(to, see);
                text.visit(see);
            }
            StmtKind::Cards(deed) => deed.visit(see),
            StmtKind::Choose(choose) => choose.visit(see),
            StmtKind::FinishRanking { keys, .. } => visit_all(keys, see),
            StmtKind::Break | StmtKind::FinishDraw => {}
        }
    }
}

impl CardDeed {
    fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        match self {
            CardDeed::Move { what, to, .. } => {
                what.visit(see);
                to.visit(see);
            }
            CardDeed::Shuffle(pile) => pile.visit(see),
            CardDeed::Learn { what, by } => {
                what.visit(see);
                visit_all(by, see);
            }
        }
    }
}

impl Cards {
    fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        match self {
            Cards::One(expr) | Cards::Set(expr) | Cards::Pile(expr) => expr.visit(see),
            Cards::End(end) => end.visit(see),
        }
    }
}

impl PileEnd {
    fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        self.pile.visit(see);
        visit_all(&self.count, see);
    }
}

impl Choose {
    fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        self.each.iter().for_each(|each| each.visit(see));
        self.chooser.visit(see);
        visit_all(&self.prompt, see);
        for option in &self.options {
            visit_all(&option.template, see);
            option.clauses.iter().for_each(|clause| clause.visit(see));
            visit_block(&option.body, see);
        }
        if let Some(decline) = &self.decline {
            visit_all(&decline.template, see);
            visit_all(&decline.condition, see);
            visit_block(&decline.body, see);
        }
        self.otherwise.iter().for_each(|block| visit_block(block, see));
    }
}

impl Clause {
    /// Calls `see` with every expression of the clause, each before its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        match self {
            Clause::For(binder) | Clause::Maybe(binder) => binder.visit(see),
            Clause::Let(_, value) | Clause::When(value) => value.visit(see),
        }
    }
}

impl Binder {
    fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        self.set.visit(see);
        self.condition.iter().for_each(|condition| condition.visit(see));
    }
}

impl Expr {
    /// Calls `see` with the expression, then with its parts.
    #[expect(clippy::too_many_lines, reason = "one arm per expression")]
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
        match &self.kind {
            ExprKind::LocalElement(_, parts)
            | ExprKind::Var(_, parts)
            | ExprKind::Table(_, parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Pile(_, parts)
            | ExprKind::SetOf(parts) => visit_all(parts, see),
            ExprKind::Column(_, _, part)
            | ExprKind::Builtin(_, part)
            | ExprKind::Negate(part)
            | ExprKind::Not(part)
            | ExprKind::ToSet(part)
            | ExprKind::PileCards(part)
            | ExprKind::Distinct(part)
            | ExprKind::Subsets(part)
            | ExprKind::Random(part)
            | ExprKind::Roll(part) => part.visit(see),
            ExprKind::Arith(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Equal(a, b)
            | ExprKind::Less(a, b)
            | ExprKind::LessEqual(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Within(a, b)
            | ExprKind::SetOp(_, a, b)
            | ExprKind::Interval(a, b)
            | ExprKind::From(a, b) => visit_all([a.as_ref(), b.as_ref()], see),
            ExprKind::Walk(walk) => visit_all([&walk.set, &walk.start, &walk.direction], see),
            ExprKind::End(end) => end.visit(see),
            ExprKind::Filter(binder) => binder.visit(see),
            ExprKind::Image(body, binder) => {
                binder.visit(see);
                body.visit(see);
            }
            ExprKind::Fold { binder, body, .. } => {
                binder.visit(see);
                visit_all(body, see);
            }
            ExprKind::If(a, b, c) => visit_all([a.as_ref(), b.as_ref(), c.as_ref()], see),
            ExprKind::Match(subject, arms) => {
                subject.visit(see);
                arms.iter().for_each(|arm: &Arm<Expr>| arm.body.visit(see));
            }
            ExprKind::Text(parts) => parts.iter().for_each(|part| match part {
                TextPart::Words(_) => {}
                TextPart::Hole(hole) => hole.visit(see),
            }),
            ExprKind::Suppose(block, value) => {
                visit_block(block, see);
                value.visit(see);
            }
            ExprKind::Pick(pick) => {
                visit_all([&pick.chooser, &pick.set], see);
                visit_all(&pick.prompt, see);
            }
            ExprKind::Value(_)
            | ExprKind::Local(_)
            | ExprKind::Option(_)
            | ExprKind::Constant(_)
            | ExprKind::Players
            | ExprKind::LastPlayer
            | ExprKind::Turn
            | ExprKind::Moves
            | ExprKind::Whole(_) => {}
        }
    }
}

fn visit_all<'a>(exprs: impl IntoIterator<Item = &'a Expr>, see: &mut dyn FnMut(&Expr)) {
    exprs.into_iter().for_each(|expr| expr.visit(see));
}

/// Calls `see` with every decision of a block.
pub fn visit_choices(block: &Block, see: &mut dyn FnMut(&Choose)) {
    visit_stmts(block, &mut |stmt| {
        if let StmtKind::Choose(choose) = &stmt.kind {
            see(choose);
        }
    });
}

/// Calls `see` with every statement of a block, each before those inside it.
pub fn visit_stmts(block: &[Stmt], see: &mut dyn FnMut(&Stmt)) {
    for stmt in block {
        see(stmt);
        match &stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                visit_stmts(then, see);
                visit_stmts(otherwise, see);
            }
            StmtKind::Match { arms, .. } => {
                arms.iter().for_each(|arm| visit_stmts(&arm.body, see));
            }
            StmtKind::For { body, .. }
            | StmtKind::Times(_, body)
            | StmtKind::Repeat(body, _)
            | StmtKind::While(_, body)
            | StmtKind::Turns { body, .. } => visit_stmts(body, see),
            StmtKind::Choose(choose) => {
                let bodies = choose.options.iter().map(|option| &option.body);
                let bodies = bodies.chain(choose.decline.iter().map(|decline| &decline.body));
                bodies.chain(&choose.otherwise).for_each(|body| visit_stmts(body, see));
            }
            _ => {}
        }
    }
}

/// Calls `see` with every binder of a rule that picks members by a condition, and with the
/// conditions: its own, and those that stand behind it.
pub fn visit_filters(rule: &Rule, see: &mut dyn FnMut(&Binder, &[Expr])) {
    rule.visit(&mut |expr| match &expr.kind {
        ExprKind::Filter(binder) | ExprKind::Image(_, binder) => see(binder, &[]),
        ExprKind::Fold { binder, body, .. } => see(binder, body),
        _ => {}
    });
    visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
        StmtKind::For { binder, .. } | StmtKind::Roll { binder: Some(binder), .. } => {
            see(binder, &[]);
        }
        StmtKind::Choose(choose) => {
            for clause in choose.options.iter().flat_map(|option| &option.clauses) {
                if let Clause::For(binder) | Clause::Maybe(binder) = clause {
                    see(binder, &[]);
                }
            }
        }
        _ => {}
    });
}
