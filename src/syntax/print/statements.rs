//! Blocks and statements to lines.

use crate::syntax::ast::Arm;
use crate::syntax::ast::AssignOp;
use crate::syntax::ast::Block;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Finish;
use crate::syntax::ast::Stmt;
use crate::syntax::ast::StmtKind;
use crate::syntax::print::BLOCK_WIDTH;
use crate::syntax::print::Printer;
use crate::syntax::print::cards::card_deed;
use crate::syntax::print::expressions::binder;
use crate::syntax::print::expressions::condition;
use crate::syntax::print::expressions::expression;
use crate::syntax::print::expressions::joined;
use crate::syntax::print::expressions::list;
use crate::syntax::print::expressions::operand;
use crate::syntax::print::expressions::patterns;
use crate::syntax::print::expressions::placed;
use crate::syntax::print::layout::ARM;
use crate::syntax::print::layout::ARMS;
use crate::syntax::print::layout::END;
use crate::syntax::print::layout::SOFT;
use crate::syntax::print::layout::flat;
use crate::syntax::print::layout::width;
use crate::syntax::print::types::dims;
use crate::syntax::print::types::of_type;
use crate::syntax::tightness::Tightness;

/// A block inside an expression; its comments stand with the lines around it.
pub(super) fn detached(block: &Block) -> String {
    let mut printer = Printer::detached();
    block.stmts.iter().for_each(|stmt| printer.statement(stmt));
    let lines: Vec<&str> = printer.out.lines().map(str::trim).collect();
    let mut text = String::from("{");
    for (at, line) in lines.iter().enumerate() {
        let opens = at == 0 || lines[at - 1].ends_with('{');
        text.push(match (opens, line.starts_with('}')) {
            (true, _) => ARMS,
            (_, true) => END,
            _ => ARM,
        });
        text.push_str(line);
    }
    text.push(if lines.is_empty() { ' ' } else { END });
    text.push('}');
    text
}

impl Printer<'_> {
    /// `head { … } tail`, on one line where that is short enough.
    pub(super) fn with_block(&mut self, start: u32, head: &str, block: &Block, tail: &str) {
        self.flush(start);
        if let Some(body) = self.inline(block) {
            let line = format!("{head} {body}{tail}");
            if self.indent + width(&line) <= BLOCK_WIDTH {
                return self.whole_line(start, block.span.end, &line);
            }
        }
        self.opening(start, &format!("{head} {{"));
        self.body(block);
        self.closing(block.span.end, &format!("}}{tail}"));
    }

    fn whole_line(&mut self, start: u32, end: u32, line: &str) {
        self.flush(start);
        self.write(&flat(line));
        self.skip_blanks(end);
    }

    /// The statements of a block, one step to the right.
    pub(super) fn body(&mut self, block: &Block) {
        self.indent += 2;
        for stmt in &block.stmts {
            self.statement(stmt);
        }
        self.indent -= 2;
    }

    /// A block of at most one simple statement and without comments, as it stands in a line.
    pub(super) fn inline(&mut self, block: &Block) -> Option<String> {
        if self.comment_before(block.span.end) {
            return None;
        }
        match block.stmts.as_slice() {
            [] => Some("{ }".to_owned()),
            [stmt] => simple(&stmt.kind).map(|text| format!("{{ {text} }}")),
            _ => None,
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        let start = stmt.span.start;
        if let Some(text) = simple(&stmt.kind) {
            return self.line(stmt.span, &text);
        }
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let head = format!("if {}", expression(condition));
                self.if_statement(start, &head, then, otherwise.as_ref());
            }
            StmtKind::Match { subject, arms } => {
                self.opening(start, &format!("match {} {{", expression(subject)));
                self.indent += 2;
                for arm in arms {
                    self.arm(arm);
                }
                self.indent -= 2;
                self.closing(stmt.span.end, "}");
            }
            StmtKind::Repeat { times, body, until } => {
                let times = times.as_ref();
                let head = times.map_or("repeat".to_owned(), |times| {
                    format!("repeat {} times", repeat_times(times))
                });
                let until = until.as_ref();
                let tail = until.map(|until| format!(" until {}", expression(until)));
                self.with_block(start, &head, body, &tail.unwrap_or_default());
            }
            StmtKind::Choose(choose) => self.choose(stmt.span, choose),
            kind => {
                let (head, body) = looping(kind);
                self.with_block(start, &head, body, "");
            }
        }
    }

    fn if_statement(&mut self, start: u32, head: &str, then: &Block, otherwise: Option<&Block>) {
        let Some(otherwise) = otherwise else { return self.with_block(start, head, then, "") };
        self.flush(start);
        if let Some(line) = self.short_if(head, then, otherwise) {
            return self.whole_line(start, otherwise.span.end, &line);
        }
        self.opening(start, &format!("{head} {{"));
        self.if_branches(then, Some(otherwise));
    }

    /// The branches of an `if` that takes several lines, behind its first `{`.
    fn if_branches(&mut self, then: &Block, otherwise: Option<&Block>) {
        self.body(then);
        let end = then.span.end;
        let Some(otherwise) = otherwise else { return self.closing(end, "}") };
        if let [Stmt { kind: StmtKind::If { condition, then, otherwise }, .. }] =
            otherwise.stmts.as_slice()
        {
            self.closing(end, &format!("}} else if {} {{", expression(condition)));
            self.opened = true;
            return self.if_branches(then, otherwise.as_ref());
        }
        self.closing(end, "} else {");
        self.opened = true;
        self.if_branches(otherwise, None);
    }

    /// `if P { a } else { b }` on one line.
    fn short_if(&mut self, head: &str, then: &Block, otherwise: &Block) -> Option<String> {
        let (then, otherwise) = (self.inline(then)?, self.inline(otherwise)?);
        let line = format!("{head} {then} else {otherwise}");
        (self.indent + width(&line) <= BLOCK_WIDTH).then_some(line)
    }

    pub(super) fn arm(&mut self, arm: &Arm<Block>) {
        let head = format!("{}:", patterns(&arm.patterns));
        self.flush(arm.span.start);
        let only = match arm.body.stmts.as_slice() {
            [stmt] if !self.comment_before(arm.body.span.end) => simple(&stmt.kind),
            _ => None,
        };
        match only {
            Some(text) => self.line(arm.span, &format!("{head} {text}")),
            None => self.with_block(arm.span.start, &head, &arm.body, ""),
        }
    }
}

/// The count of a `repeat`; a set in braces would be taken for its block.
fn repeat_times(times: &Expr) -> String {
    let text = expression(times);
    if text.starts_with('{') { format!("({text})") } else { text }
}

/// The head and the block of a loop.
fn looping(kind: &StmtKind) -> (String, &Block) {
    let open = |expr| placed(expr, Tightness::Open);
    match kind {
        StmtKind::For { binder, from, body } => {
            let set = open(&binder.set);
            let from = from.as_ref().map_or_else(String::new, |it| format!(" from {}", open(it)));
            (format!("for {} in {set}{from}{}", binder.name.text, condition(binder)), body)
        }
        StmtKind::While { condition, body } => (format!("while {}", expression(condition)), body),
        StmtKind::Turns { name, from, condition, body } => {
            let condition = condition.as_ref();
            let condition = condition.map(|it| format!("{SOFT}where {}", open(it)));
            let condition = condition.unwrap_or_default();
            (format!("turns {} from {}{condition}", name.text, open(from)), body)
        }
        kind => unreachable!("{kind:?} is printed elsewhere"),
    }
}

/// A statement without a block in it.
fn simple(kind: &StmtKind) -> Option<String> {
    Some(match kind {
        StmtKind::Let { name, value } => format!("let {} = {}", name.text, expression(value)),
        StmtKind::Var { name, dims: over, ty, value } => {
            let (over, ty) = (dims(over), of_type(ty.as_ref()));
            format!("var {}{over}{ty} = {}", name.text, expression(value))
        }
        StmtKind::Assign { place, op, value } => {
            let op = match op {
                AssignOp::Set => "=",
                AssignOp::Add => "+=",
                AssignOp::Subtract => "-=",
            };
            format!("{} {op} {}", operand(place), expression(value))
        }
        StmtKind::Cards(deed) => card_deed(deed),
        StmtKind::Swap(a, b) => format!("swap {} and {}", operand(a), operand(b)),
        StmtKind::Reset(places) => format!("reset {}", joined(places.iter().map(operand))),
        StmtKind::Show { places, to: None } => {
            format!("reveal {}", joined(places.iter().map(operand)))
        }
        StmtKind::Show { places, to: Some(to) } => {
            format!("show {} to {}", joined(places.iter().map(operand)), operand(to))
        }
        StmtKind::Coin { .. } => coin(kind),
        StmtKind::Roll { die, binder: over } => {
            let over = over.as_ref().map_or_else(String::new, |it| format!(" for {}", binder(it)));
            format!("roll {}{over}", operand(die))
        }
        StmtKind::Break => "break".to_owned(),
        StmtKind::Return(None) => "return".to_owned(),
        StmtKind::Return(Some(value)) => format!("return {}", expression(value)),
        StmtKind::Say { to, text } => say(to.as_ref(), text),
        StmtKind::Finish(finish) => finish_text(finish),
        StmtKind::Call(call) => operand(call),
        _ => return None,
    })
}

fn coin(kind: &StmtKind) -> String {
    let StmtKind::Coin { owner, verb, amount, coin, index } = kind else {
        unreachable!("only coins are printed here")
    };
    let (verb, behind) = (verb.word(), verb.behind());
    // What takes all that follows would take the coin, too.
    let amount = placed(amount, Tightness::Or);
    let index = if index.is_empty() { String::new() } else { format!("[{}]", list(index)) };
    format!("{} {verb} {amount} {}{index}{behind}", operand(owner), coin.text)
}

fn say(to: Option<&Expr>, text: &Expr) -> String {
    let bare = expression(text);
    let to = to.map_or_else(String::new, |to| format!("to {} ", operand(to)));
    format!("say {to}{bare}")
}

fn finish_text(finish: &Finish) -> String {
    match finish {
        Finish::Draw => "finish draw".to_owned(),
        Finish::Win(who) => format!("finish win {}", expression(who)),
        Finish::Ranking { name, keys } => format!("finish ranking {} by {}", name.text, list(keys)),
    }
}
