//! Visitors of checked expressions and statements, generated from one table of children.

use std::collections::BTreeSet;

use crate::rules::{
    Arm, Array, Binder, Block, BoardWalk, CardAction, CardSource, Choose, Clause, Decline, Expr,
    ExprKind, LocalId, MoveOption, Pick, PileEnd, ResetTarget, Rule, Stmt, StmtKind, SubsetBound,
    TextPart,
};

/// What holds expressions: gives those right inside, in order, without theirs.
trait Children {
    fn each(&self, see: &mut dyn FnMut(&Expr));
    fn each_mut(&mut self, change: &mut dyn FnMut(&mut Expr));
}

impl Children for Expr {
    fn each(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
    }

    fn each_mut(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        change(self);
    }
}

impl<T: Children> Children for Box<T> {
    fn each(&self, see: &mut dyn FnMut(&Expr)) {
        self.as_ref().each(see);
    }

    fn each_mut(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        self.as_mut().each_mut(change);
    }
}

/// Containers of one type: their items, one after another.
macro_rules! containers {
    ($($of:ident)*) => {$(
        impl<T: Children> Children for $of<T> {
            fn each(&self, see: &mut dyn FnMut(&Expr)) {
                self.iter().for_each(|item| item.each(see));
            }

            fn each_mut(&mut self, change: &mut dyn FnMut(&mut Expr)) {
                self.iter_mut().for_each(|item| item.each_mut(change));
            }
        }
    )*};
}

containers! { Vec Option }

/// The table: for each type its patterns, and which parts of each hold expressions.
macro_rules! children {
    ($($ty:ty { $($pattern:pat => $($part:ident)*;)* })*) => {$(
        impl Children for $ty {
            fn each(&self, see: &mut dyn FnMut(&Expr)) {
                match self {
                    $($pattern => { $($part.each(see);)* })*
                }
            }

            fn each_mut(&mut self, change: &mut dyn FnMut(&mut Expr)) {
                match self {
                    $($pattern => { $($part.each_mut(change);)* })*
                }
            }
        }
    )*};
}

children! {
    Stmt { Stmt { kind, .. } => kind; }
    StmtKind {
        StmtKind::Let(_, a)
        | StmtKind::LetArray { value: a, .. }
        | StmtKind::FinishWin(a)
        | StmtKind::FinishTogether(a)
        | StmtKind::Call(a) => a;
        StmtKind::Assign(a, b)
        | StmtKind::Swap(a, b)
        | StmtKind::Change { place: a, value: b, .. }
        | StmtKind::Transfer { place: a, amount: b, .. } => a b;
        StmtKind::Reset(targets) => targets;
        StmtKind::Show { targets, to } => targets to;
        StmtKind::Roll { place, binder } => place binder;
        StmtKind::If { condition, then, otherwise } => condition then otherwise;
        StmtKind::Match { subject, arms } => subject arms;
        StmtKind::For { binder, from, body } => binder from body;
        StmtKind::Times(a, body) | StmtKind::While(a, body) => a body;
        StmtKind::Repeat(body, until) => body until;
        StmtKind::Turns { from, condition, body, .. } => from condition body;
        StmtKind::Return(value) => value;
        StmtKind::Say { to, text } => to text;
        StmtKind::Cards(action) => action;
        StmtKind::Choose(choose) => choose;
        StmtKind::FinishRanking { keys, .. } => keys;
        StmtKind::FinishTeams { team, end, .. } => team end;
        StmtKind::Break
        | StmtKind::Continue
        | StmtKind::FinishDraw
        | StmtKind::FinishAll { .. }
        | StmtKind::Past(..) => ;
    }
    ResetTarget { ResetTarget { indices, .. } => indices; }
    Arm<Block> { Arm { body, .. } => body; }
    Arm<Expr> { Arm { body, .. } => body; }
    CardAction {
        CardAction::Move { what, to, .. } => what to;
        CardAction::Shuffle(pile) => pile;
        CardAction::Learn { what, by } => what by;
    }
    CardSource {
        CardSource::One(a) | CardSource::Set(a) | CardSource::Pile(a) => a;
        CardSource::End(end) => end;
    }
    PileEnd { PileEnd { pile, count, .. } => pile count; }
    Choose {
        Choose { each, chooser, prompt, options, decline, otherwise, .. } =>
            each chooser prompt options decline otherwise;
    }
    MoveOption { MoveOption { template, clauses, body, .. } => template clauses body; }
    Decline { Decline { template, condition, body, .. } => template condition body; }
    Clause {
        Clause::For(binder) | Clause::Maybe(binder) => binder;
        Clause::Let(_, a) | Clause::When(a) => a;
    }
    Binder { Binder { set, condition, .. } => set condition; }
    TextPart { TextPart::Words(_) => ; TextPart::Hole(a) => a; }
    SubsetBound { SubsetBound { size, .. } => size; }
    BoardWalk { BoardWalk { set, start, direction, .. } => set start direction; }
    Pick { Pick { chooser, set, prompt, .. } => chooser set prompt; }
    ExprKind {
        ExprKind::Element(_, all)
        | ExprKind::Call(_, all)
        | ExprKind::SetOf(all)
        | ExprKind::ListOf(all) => all;
        ExprKind::Column(_, _, a)
        | ExprKind::Unary(_, a)
        | ExprKind::Distinct(a)
        | ExprKind::Backwards(a)
        | ExprKind::Lists(a)
        | ExprKind::Random(a)
        | ExprKind::Roll(a) => a;
        ExprKind::Binary(_, a, b) | ExprKind::Interval(a, b) | ExprKind::From(a, b) => a b;
        ExprKind::Subsets(a, size) => a size;
        ExprKind::If(a, b, c) => a b c;
        ExprKind::Walk(walk) => walk;
        ExprKind::End(end) => end;
        ExprKind::Filter(binder) => binder;
        ExprKind::Image(body, binder) => binder body;
        ExprKind::Fold { binder, body, .. } => binder body;
        ExprKind::Match(subject, arms) => subject arms;
        ExprKind::Text(parts) => parts;
        ExprKind::Suppose(block, a) => block a;
        ExprKind::Pick(pick) => pick;
        ExprKind::Value(_)
        | ExprKind::Local(_)
        | ExprKind::Option(_)
        | ExprKind::Constant(_)
        | ExprKind::Ambient(_)
        | ExprKind::Whole(_) => ;
    }
}

impl Rule {
    /// Calls `see` with every expression of the body, each before its parts.
    pub fn visit_exprs(&self, see: &mut dyn FnMut(&Expr)) {
        visit_block(&self.body, see);
    }

    /// Calls `change` with every expression of the body, each after its parts.
    pub(crate) fn change_exprs(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        self.body.each_mut(&mut |part| part.change_tree(change));
    }
}

/// Calls `see` with every expression of a block, each before its parts.
pub(crate) fn visit_block(block: &Block, see: &mut dyn FnMut(&Expr)) {
    block.each(&mut |part| part.visit_tree(see));
}

impl Stmt {
    /// Calls `see` with every expression of the statement, each before its parts.
    pub(crate) fn visit_exprs(&self, see: &mut dyn FnMut(&Expr)) {
        self.each(&mut |part| part.visit_tree(see));
    }

    /// Calls `see` with the expressions of the statement, not with their parts.
    pub(crate) fn visit_parts(&self, see: &mut dyn FnMut(&Expr)) {
        self.each(see);
    }

    /// The places that the statement gives new values; those that it resets have their first values again.
    pub(crate) fn changed_places(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign(place, _)
            | StmtKind::Change { place, .. }
            | StmtKind::Transfer { place, .. }
            | StmtKind::Roll { place, .. } => vec![place],
            StmtKind::Swap(a, b) => vec![a, b],
            StmtKind::Let(..)
            | StmtKind::LetArray { .. }
            | StmtKind::Reset(_)
            | StmtKind::Show { .. }
            | StmtKind::Say { .. }
            | StmtKind::Call(_)
            | StmtKind::If { .. }
            | StmtKind::Match { .. }
            | StmtKind::Choose(_)
            | StmtKind::For { .. }
            | StmtKind::Times(..)
            | StmtKind::Repeat(..)
            | StmtKind::While(..)
            | StmtKind::Turns { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::FinishDraw
            | StmtKind::FinishWin(_)
            | StmtKind::FinishRanking { .. }
            | StmtKind::FinishAll { .. }
            | StmtKind::FinishTogether(_)
            | StmtKind::FinishTeams { .. }
            | StmtKind::Cards(_)
            | StmtKind::Past(..) => Vec::new(),
        }
    }

    /// The blocks right inside the statement, in the order of the file.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Match { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
            StmtKind::For { body, .. }
            | StmtKind::Times(_, body)
            | StmtKind::Repeat(body, _)
            | StmtKind::While(_, body)
            | StmtKind::Turns { body, .. }
            | StmtKind::FinishTeams { end: body, .. } => vec![body],
            StmtKind::Choose(choose) => choose.blocks().collect(),
            _ => Vec::new(),
        }
    }
}

impl Stmt {
    /// The blocks right inside the statement, to change them.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Match { arms, .. } => arms.iter_mut().map(|arm| &mut arm.body).collect(),
            StmtKind::For { body, .. }
            | StmtKind::Times(_, body)
            | StmtKind::Repeat(body, _)
            | StmtKind::While(_, body)
            | StmtKind::Turns { body, .. }
            | StmtKind::FinishTeams { end: body, .. } => vec![body],
            StmtKind::Choose(choose) => {
                let options = choose.options.iter_mut().map(|option| &mut option.body);
                let decline = choose.decline.iter_mut().map(|decline| &mut decline.body);
                options.chain(decline).chain(&mut choose.otherwise).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Choose {
    /// What runs once the decision is made, one block for each way.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let options = self.options.iter().map(|option| &option.body);
        options.chain(self.decline.iter().map(|decline| &decline.body)).chain(&self.otherwise)
    }
}

impl Clause {
    /// Calls `see` with every expression of the clause, each before its parts.
    pub(crate) fn visit_exprs(&self, see: &mut dyn FnMut(&Expr)) {
        self.each(&mut |part| part.visit_tree(see));
    }
}

impl Expr {
    /// Calls `see` with the expression, then with its parts.
    pub fn visit_tree(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
        self.visit_parts(&mut |part| part.visit_tree(see));
    }

    /// Calls `see` with the parts of the expression, not with theirs.
    pub(crate) fn visit_parts(&self, see: &mut dyn FnMut(&Expr)) {
        self.kind.each(see);
    }

    /// Calls `change` with the parts of the expression, then with the expression.
    pub(crate) fn change_tree(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        self.kind.each_mut(&mut |part| part.change_tree(change));
        change(self);
    }

    /// Whether something holds for the expression or for a part of it.
    pub fn any(&self, holds: impl Fn(&Expr) -> bool) -> bool {
        let mut any = false;
        self.visit_tree(&mut |part| any |= holds(part));
        any
    }

    /// The local that the expression itself reads, whole or an element of it.
    pub(crate) fn as_local(&self) -> Option<LocalId> {
        match &self.kind {
            ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) => Some(*local),
            _ => None,
        }
    }

    /// The locals that the expression and its parts read, those that it binds itself among them.
    pub(crate) fn locals(&self) -> BTreeSet<LocalId> {
        let mut locals = BTreeSet::new();
        self.visit_tree(&mut |part| locals.extend(part.as_local()));
        locals
    }

    pub(crate) fn is_local(&self, local: LocalId) -> bool {
        matches!(self.kind, ExprKind::Local(read) if read == local)
    }

    pub(crate) fn reads_local(&self, local: LocalId) -> bool {
        self.any(|part| part.is_local(local))
    }
}

/// Whether something holds for one of the statements or for one inside them.
pub(crate) fn any_stmt(block: &[Stmt], holds: impl Fn(&Stmt) -> bool) -> bool {
    let mut any = false;
    visit_stmts(block, &mut |stmt| any |= holds(stmt));
    any
}

/// The value of a name that is declared by `let`.
pub(crate) fn let_of(block: &Block, wanted: LocalId) -> Option<&Expr> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Let(local, value) if *local == wanted => Some(value),
        _ => stmt.blocks().into_iter().find_map(|inner| let_of(inner, wanted)),
    })
}

pub(crate) fn visit_choices(block: &Block, see: &mut dyn FnMut(&Choose)) {
    visit_stmts(block, &mut |stmt| {
        if let StmtKind::Choose(choose) = &stmt.kind {
            see(choose);
        }
    });
}

/// What the moves of all decisions of some rules are called, each as often as it is offered.
pub(crate) fn move_names(rules: &[Rule]) -> Vec<String> {
    let mut names = Vec::new();
    for rule in rules {
        visit_choices(&rule.body, &mut |choose| {
            names.extend(choose.options.iter().map(|option| option.name.clone()));
            names.extend(choose.decline.iter().map(|decline| decline.name.clone()));
        });
        rule.visit_exprs(&mut |expr| {
            if let ExprKind::Pick(pick) = &expr.kind {
                names.push(pick.name.clone());
            }
        });
    }
    names
}

/// Calls `see` with every statement of a block, each before those inside it.
pub fn visit_stmts(block: &[Stmt], see: &mut dyn FnMut(&Stmt)) {
    for stmt in block {
        see(stmt);
        stmt.blocks().into_iter().for_each(|inner| visit_stmts(inner, see));
    }
}

/// Calls `see` with every condition that picks members, and with the name of the member: the conditions of a
/// binder, and each `when` that follows a `for` in a move.
pub(crate) fn visit_member_tests(rule: &Rule, see: &mut dyn FnMut(LocalId, &Expr)) {
    let own = |binder: &Binder, see: &mut dyn FnMut(LocalId, &Expr)| {
        binder.condition.iter().for_each(|test| see(binder.local, test));
    };
    rule.visit_exprs(&mut |expr| match &expr.kind {
        ExprKind::Filter(binder) | ExprKind::Image(_, binder) => own(binder, see),
        ExprKind::Fold { binder, body, .. } => {
            own(binder, see);
            body.iter().for_each(|part| see(binder.local, part));
        }
        _ => {}
    });
    visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
        StmtKind::For { binder, .. } | StmtKind::Roll { binder: Some(binder), .. } => {
            own(binder, see);
        }
        StmtKind::Choose(choose) => {
            for option in &choose.options {
                let mut member = None;
                for clause in &option.clauses {
                    match clause {
                        Clause::For(binder) | Clause::Maybe(binder) => {
                            own(binder, see);
                            member = Some(binder.local);
                        }
                        Clause::When(test) => member.iter().for_each(|member| see(*member, test)),
                        Clause::Let(..) => member = None,
                    }
                }
            }
        }
        _ => {}
    });
}
