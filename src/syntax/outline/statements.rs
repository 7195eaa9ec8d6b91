//! Statements and moves, a line each.

use crate::syntax::ast::Arm;
use crate::syntax::ast::AssignOp;
use crate::syntax::ast::Block;
use crate::syntax::ast::Choose;
use crate::syntax::ast::Clause;
use crate::syntax::ast::Finish;
use crate::syntax::ast::MoveLine;
use crate::syntax::ast::MoveOption;
use crate::syntax::ast::Stmt;
use crate::syntax::ast::StmtKind;
use crate::syntax::outline::Outline;
use crate::syntax::outline::cards::card_deed;
use crate::syntax::outline::expressions::binder;
use crate::syntax::outline::expressions::expression;
use crate::syntax::outline::expressions::list;
use crate::syntax::outline::expressions::patterns;
use crate::syntax::outline::expressions::text;
use crate::syntax::outline::expressions::typed;
use crate::syntax::outline::expressions::written_dims;

/// A statement as part of an expression.
pub(super) fn inline(stmt: &Stmt) -> String {
    let mut outline = Outline::default();
    outline.statement(stmt);
    outline.out.lines().map(str::trim).collect::<Vec<_>>().join(" / ")
}

impl Outline {
    /// The statements of a block.
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.statement(stmt);
        }
    }

    /// A case of a `match`.
    pub(super) fn case(&mut self, arm: &Arm<Block>) {
        self.branch(&format!("case {}", patterns(arm)), &arm.body);
    }

    fn branch(&mut self, line: &str, block: &Block) {
        self.line(line);
        self.inside(|it| it.block(block));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                self.branch(&format!("if {}", expression(condition)), then);
                if let Some(otherwise) = otherwise {
                    self.branch("else", otherwise);
                }
            }
            StmtKind::Match { subject, arms } => {
                self.line(&format!("match {}", expression(subject)));
                self.indent += 1;
                arms.iter().for_each(|arm| self.case(arm));
                self.indent -= 1;
            }
            StmtKind::For { binder: it, from, body } => {
                let from = from.as_ref().map(|from| format!(" from {}", expression(from)));
                self.branch(&format!("for {}{}", binder(it), from.unwrap_or_default()), body);
            }
            StmtKind::Repeat { times, body, until } => {
                let times = times.as_ref().map(|times| format!(" times {}", expression(times)));
                self.branch(&format!("repeat{}", times.unwrap_or_default()), body);
                if let Some(until) = until {
                    self.line(&format!("until {}", expression(until)));
                }
            }
            StmtKind::While { condition, body } => {
                self.branch(&format!("while {}", expression(condition)), body);
            }
            StmtKind::Turns { name, from, condition, body } => {
                let condition = condition.as_ref().map(|it| format!(" where {}", expression(it)));
                let condition = condition.unwrap_or_default();
                let line = format!("turns {} from {}{condition}", name.text, expression(from));
                self.branch(&line, body);
            }
            StmtKind::Choose(choose) => self.choose(choose),
            kind => self.line(&simple(kind)),
        }
    }

    fn choose(&mut self, choose: &Choose) {
        let prompt = choose.prompt.as_ref().map(text).unwrap_or_default();
        let chooser = match &choose.each {
            Some(each) => format!("each {}", binder(each)),
            None => expression(&choose.chooser),
        };
        let order = if choose.order { " order" } else { "" };
        self.line(&format!("choose{order} {chooser} {prompt}"));
        self.indent += 1;
        self.move_lines(&choose.options);
        if let Some(decline) = &choose.decline {
            let template = decline.template.as_ref().map(text).unwrap_or_default();
            let condition = decline.condition.as_ref();
            let condition = condition.map(|it| format!(" when {}", expression(it)));
            let condition = condition.unwrap_or_default();
            let line = format!("or {} {template}{condition}", decline.name.text);
            self.branch(&line, &decline.body);
        }
        if let Some(otherwise) = &choose.otherwise {
            self.branch("else", otherwise);
        }
        self.indent -= 1;
    }

    /// Options, and the groups that are included.
    pub(super) fn move_lines(&mut self, lines: &[MoveLine]) {
        for line in lines {
            match line {
                MoveLine::Option(option) => self.option(option),
                MoveLine::Group(group) => {
                    self.line(&format!("moves {}{}", group.name.text, list(&group.args)));
                }
            }
        }
    }

    fn option(&mut self, option: &MoveOption) {
        self.notes(&option.notes);
        let names: Vec<_> = option.params.iter().map(|name| name.text.as_str()).collect();
        let template = option.template.as_ref().map(text).unwrap_or_default();
        self.line(&format!("move {} ({}) {template}", option.name.text, names.join(", ")));
        self.indent += 1;
        for clause in &option.clauses {
            let line = match clause {
                Clause::For(it) => format!("for {}", binder(it)),
                Clause::Maybe(it) => format!("maybe {}", binder(it)),
                Clause::Let(name, value) => format!("let {} = {}", name.text, expression(value)),
                Clause::When(condition) => format!("when {}", expression(condition)),
            };
            self.line(&line);
        }
        self.branch("does", &option.body);
        self.indent -= 1;
    }
}

fn simple(kind: &StmtKind) -> String {
    match kind {
        StmtKind::Let { name, value } => format!("let {} = {}", name.text, expression(value)),
        StmtKind::Var { name, dims, ty, value } => {
            let (dims, ty) = (written_dims(dims), typed(ty.as_ref()));
            format!("var {}{dims}{ty} = {}", name.text, expression(value))
        }
        StmtKind::Assign { place, op, value } => {
            let op = match op {
                AssignOp::Set => "set",
                AssignOp::Add => "add",
                AssignOp::Subtract => "subtract",
            };
            format!("{op} {} {}", expression(place), expression(value))
        }
        StmtKind::Cards(deed) => card_deed(deed),
        StmtKind::Swap(a, b) => format!("swap {} {}", expression(a), expression(b)),
        StmtKind::Show { places, to } => {
            let to = to.as_ref().map_or_else(|| "all".to_owned(), expression);
            format!("show to {to}{}", list(places))
        }
        StmtKind::Reset(places) => format!("reset{}", list(places)),
        StmtKind::Coin { owner, verb, amount, coin, index } => {
            let (verb, behind) = (verb.word(), verb.behind());
            let (owner, amount) = (expression(owner), expression(amount));
            format!("{verb} {owner} {amount} {}{}{behind}", coin.text, list(index))
        }
        StmtKind::Roll { die, binder: over } => {
            let over = over.as_ref().map(|it| format!(" for {}", binder(it)));
            format!("roll {}{}", expression(die), over.unwrap_or_default())
        }
        StmtKind::Break => "break".to_owned(),
        StmtKind::Return(value) => format!(
            "return{}",
            value.as_ref().map_or_else(String::new, |it| format!(" {}", expression(it)))
        ),
        StmtKind::Say { to, text } => {
            let to = to.as_ref().map(|to| format!(" to {}", expression(to)));
            format!("say{} {}", to.unwrap_or_default(), expression(text))
        }
        StmtKind::Finish(Finish::Draw) => "finish draw".to_owned(),
        StmtKind::Finish(Finish::Win(who)) => format!("finish win {}", expression(who)),
        StmtKind::Finish(Finish::Ranking { name, keys }) => {
            format!("finish ranking {}{}", name.text, list(keys))
        }
        StmtKind::Call(call) => format!("do {}", expression(call)),
        kind => unreachable!("{kind:?} has a block and is drawn elsewhere"),
    }
}
