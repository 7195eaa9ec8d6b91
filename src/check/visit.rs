//! Walks over the expressions of checked rules.

use crate::check::rules::{
    Binder, Block, CardDeed, Cards, Choose, Clause, Expr, ExprKind, PileEnd, Rule, Stmt, StmtKind,
    TextPart,
};

impl Rule {
    /// Calls `see` with every expression of the body, each before its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        visit_block(&self.body, see);
    }

    /// Calls `change` with every expression of the body, each behind its parts.
    pub fn change(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        change_block(&mut self.body, &mut |part| part.change(change));
    }
}

/// Calls `see` with every expression of a block, each before its parts.
pub fn visit_block(block: &Block, see: &mut dyn FnMut(&Expr)) {
    see_block(block, &mut |part| part.visit(see));
}

impl Stmt {
    /// Calls `see` with every expression of the statement, each before its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        self.parts(&mut |part| part.visit(see));
    }

    /// Gives the blocks right inside the statement, in the order of the file.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Match { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
            StmtKind::For { body, .. }
            | StmtKind::Times(_, body)
            | StmtKind::Repeat(body, _)
            | StmtKind::While(_, body)
            | StmtKind::Turns { body, .. } => vec![body],
            StmtKind::Choose(choose) => {
                let bodies = choose.options.iter().map(|option| &option.body);
                let bodies = bodies.chain(choose.decline.iter().map(|decline| &decline.body));
                bodies.chain(&choose.otherwise).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Clause {
    /// Calls `see` with every expression of the clause, each before its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        self.parts(&mut |part| part.visit(see));
    }
}

impl Expr {
    /// Calls `see` with the expression, then with its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
        self.parts(&mut |part| part.visit(see));
    }

    /// Calls `see` with the parts of the expression, not with theirs.
    pub fn visit_parts(&self, see: &mut dyn FnMut(&Expr)) {
        self.parts(see);
    }

    /// Calls `change` with the parts of the expression, then with the expression.
    pub fn change(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        self.change_parts(&mut |part| part.change(change));
        change(self);
    }
}

/// The expressions right below a statement or an expression, once to look at and once to change.
macro_rules! parts {
    ($block:ident $parts:ident $($mut:tt)?) => {
        fn $block(block: &$($mut)? Block, see: &mut dyn FnMut(&$($mut)? Expr)) {
            for stmt in block {
                stmt.$parts(see);
            }
        }

        impl Stmt {
            #[expect(clippy::too_many_lines, reason = "one arm per statement")]
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                match &$($mut)? self.kind {
                    StmtKind::Let(_, value)
                    | StmtKind::LetArray { value, .. }
                    | StmtKind::FinishWin(value)
                    | StmtKind::Call(value) => see(value),
                    StmtKind::Assign(a, b)
                    | StmtKind::Swap(a, b)
                    | StmtKind::Change { place: a, value: b, .. }
                    | StmtKind::Coin { place: a, amount: b, .. } => {
                        see(a);
                        see(b);
                    }
                    StmtKind::Reset(targets) => {
                        for target in targets {
                            for part in &$($mut)? target.indices {
                                see(part);
                            }
                        }
                    }
                    StmtKind::Show { targets, to } => {
                        for target in targets {
                            for part in &$($mut)? target.indices {
                                see(part);
                            }
                        }
                        if let Some(part) = to {
                            see(part);
                        }
                    }
                    StmtKind::Roll { place, binder } => {
                        see(place);
                        if let Some(binder) = binder {
                            binder.$parts(see);
                        }
                    }
                    StmtKind::If { condition, then, otherwise } => {
                        see(condition);
                        $block(then, see);
                        $block(otherwise, see);
                    }
                    StmtKind::Match { subject, arms } => {
                        see(subject);
                        for arm in arms {
                            $block(&$($mut)? arm.body, see);
                        }
                    }
                    StmtKind::For { binder, from, body } => {
                        binder.$parts(see);
                        if let Some(part) = from {
                            see(part);
                        }
                        $block(body, see);
                    }
                    StmtKind::Times(value, body) | StmtKind::While(value, body) => {
                        see(value);
                        $block(body, see);
                    }
                    StmtKind::Repeat(body, until) => {
                        $block(body, see);
                        if let Some(part) = until {
                            see(part);
                        }
                    }
                    StmtKind::Turns { from, condition, body, .. } => {
                        see(from);
                        if let Some(part) = condition {
                            see(part);
                        }
                        $block(body, see);
                    }
                    StmtKind::Return(value) => {
                        if let Some(part) = value {
                            see(part);
                        }
                    }
                    StmtKind::Say { to, text } => {
                        if let Some(part) = to {
                            see(part);
                        }
                        see(text);
                    }
                    StmtKind::Cards(deed) => deed.$parts(see),
                    StmtKind::Choose(choose) => choose.$parts(see),
                    StmtKind::FinishRanking { keys, .. } => {
                        for part in keys {
                            see(part);
                        }
                    }
                    StmtKind::Break | StmtKind::FinishDraw => {}
                }
            }
        }

        impl CardDeed {
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                match self {
                    CardDeed::Move { what, to, .. } => {
                        what.$parts(see);
                        see(to);
                    }
                    CardDeed::Shuffle(pile) => see(pile),
                    CardDeed::Learn { what, by } => {
                        what.$parts(see);
                        if let Some(part) = by {
                            see(part);
                        }
                    }
                }
            }
        }

        impl Cards {
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                match self {
                    Cards::One(expr) | Cards::Set(expr) | Cards::Pile(expr) => see(expr),
                    Cards::End(end) => end.$parts(see),
                }
            }
        }

        impl PileEnd {
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                see(&$($mut)? self.pile);
                if let Some(part) = &$($mut)? self.count {
                    see(part);
                }
            }
        }

        impl Choose {
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                if let Some(each) = &$($mut)? self.each {
                    each.$parts(see);
                }
                see(&$($mut)? self.chooser);
                if let Some(part) = &$($mut)? self.prompt {
                    see(part);
                }
                for option in &$($mut)? self.options {
                    if let Some(part) = &$($mut)? option.template {
                        see(part);
                    }
                    for clause in &$($mut)? option.clauses {
                        clause.$parts(see);
                    }
                    $block(&$($mut)? option.body, see);
                }
                if let Some(decline) = &$($mut)? self.decline {
                    if let Some(part) = &$($mut)? decline.template {
                        see(part);
                    }
                    if let Some(part) = &$($mut)? decline.condition {
                        see(part);
                    }
                    $block(&$($mut)? decline.body, see);
                }
                if let Some(block) = &$($mut)? self.otherwise {
                    $block(block, see);
                }
            }
        }

        impl Clause {
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                match self {
                    Clause::For(binder) | Clause::Maybe(binder) => binder.$parts(see),
                    Clause::Let(_, value) | Clause::When(value) => see(value),
                }
            }
        }

        impl Binder {
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                see(&$($mut)? self.set);
                if let Some(condition) = &$($mut)? self.condition {
                    see(condition);
                }
            }
        }

        impl Expr {
            #[expect(clippy::too_many_lines, reason = "one arm per expression")]
            fn $parts(&$($mut)? self, see: &mut dyn FnMut(&$($mut)? Expr)) {
                match &$($mut)? self.kind {
                    ExprKind::LocalElement(_, parts)
                    | ExprKind::Var(_, parts)
                    | ExprKind::Table(_, parts)
                    | ExprKind::Call(_, parts)
                    | ExprKind::Pile(_, parts)
                    | ExprKind::SetOf(parts) => {
                        for part in parts {
                            see(part);
                        }
                    }
                    ExprKind::Column(_, _, part)
                    | ExprKind::Builtin(_, part)
                    | ExprKind::Negate(part)
                    | ExprKind::Not(part)
                    | ExprKind::ToSet(part)
                    | ExprKind::PileCards(part)
                    | ExprKind::Distinct(part)
                    | ExprKind::Subsets(part)
                    | ExprKind::Random(part)
                    | ExprKind::Roll(part) => see(part),
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
                    | ExprKind::From(a, b) => {
                        see(a);
                        see(b);
                    }
                    ExprKind::Walk(walk) => {
                        see(&$($mut)? walk.set);
                        see(&$($mut)? walk.start);
                        see(&$($mut)? walk.direction);
                    }
                    ExprKind::End(end) => end.$parts(see),
                    ExprKind::Filter(binder) => binder.$parts(see),
                    ExprKind::Image(body, binder) => {
                        binder.$parts(see);
                        see(body);
                    }
                    ExprKind::Fold { binder, body, .. } => {
                        binder.$parts(see);
                        for part in body {
                            see(part);
                        }
                    }
                    ExprKind::If(a, b, c) => {
                        see(a);
                        see(b);
                        see(c);
                    }
                    ExprKind::Match(subject, arms) => {
                        see(subject);
                        for arm in arms {
                            see(&$($mut)? arm.body);
                        }
                    }
                    ExprKind::Text(parts) => {
                        for part in parts {
                            if let TextPart::Hole(hole) = part {
                                see(hole);
                            }
                        }
                    }
                    ExprKind::Suppose(block, value) => {
                        $block(block, see);
                        see(value);
                    }
                    ExprKind::Pick(pick) => {
                        see(&$($mut)? pick.chooser);
                        see(&$($mut)? pick.set);
                        if let Some(part) = &$($mut)? pick.prompt {
                            see(part);
                        }
                    }
                    ExprKind::Value(_)
                    | ExprKind::Local(_)
                    | ExprKind::Option(_)
                    | ExprKind::Constant(_)
                    | ExprKind::Players
                    | ExprKind::LastPlayer
                    | ExprKind::LegalMoves
                    | ExprKind::Moves
                    | ExprKind::Whole(_) => {}
                }
            }
        }
    };
}

parts!(see_block parts);
parts!(change_block change_parts mut);

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
        stmt.blocks().into_iter().for_each(|inner| visit_stmts(inner, see));
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
