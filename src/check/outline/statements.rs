//! Checked statements as indented lines.

use crate::check::outline::expressions::Printer;
use crate::check::outline::{line, ranged, typed_name};
use crate::check::rules::{
    Block, Choose, Clause, LocalId, MoveOption, ResetTarget, Stmt, StmtKind,
};

impl Printer<'_> {
    /// Statements, one a line.
    pub(super) fn block(self, block: &Block, depth: usize, out: &mut String) {
        for stmt in block {
            self.stmt(stmt, depth, out);
        }
    }

    fn stmt(self, stmt: &Stmt, depth: usize, out: &mut String) {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                line(out, depth, &format!("if {}", self.expr(condition)));
                self.block(then, depth + 1, out);
                if !otherwise.is_empty() {
                    line(out, depth, "else");
                    self.block(otherwise, depth + 1, out);
                }
            }
            StmtKind::Match { subject, arms } => {
                line(out, depth, &format!("match {}", self.expr(subject)));
                for arm in arms {
                    line(out, depth + 1, &format!("{}:", self.patterns(&arm.patterns, subject)));
                    self.block(&arm.body, depth + 2, out);
                }
            }
            StmtKind::Choose(choose) => self.choose(choose, depth, out),
            StmtKind::Repeat(body, until) => {
                line(out, depth, "repeat");
                self.block(body, depth + 1, out);
                if let Some(until) = until {
                    line(out, depth, &format!("until {}", self.expr(until)));
                }
            }
            StmtKind::For { body, .. }
            | StmtKind::Times(_, body)
            | StmtKind::While(_, body)
            | StmtKind::Turns { body, .. } => {
                line(out, depth, &self.loop_head(&stmt.kind));
                self.block(body, depth + 1, out);
            }
            simple => line(out, depth, &self.simple(simple)),
        }
    }

    fn loop_head(self, stmt: &StmtKind) -> String {
        match stmt {
            StmtKind::For { binder, from, .. } => match from {
                Some(from) => format!("for {} from {}", self.binder(binder), self.inner(from)),
                None => format!("for {}", self.binder(binder)),
            },
            StmtKind::Times(times, _) => format!("repeat {} times", self.expr(times)),
            StmtKind::While(condition, _) => format!("while {}", self.expr(condition)),
            StmtKind::Turns { local, from, condition, .. } => {
                let head = format!("turns {} from {}", self.local(*local), self.expr(from));
                match condition {
                    Some(condition) => format!("{head} where {}", self.expr(condition)),
                    None => head,
                }
            }
            _ => unreachable!("only loops come here"),
        }
    }

    /// A statement of one line.
    fn simple(self, stmt: &StmtKind) -> String {
        match stmt {
            StmtKind::Let(local, value) | StmtKind::LetArray { local, value, .. } => {
                self.let_line(*local, &self.expr(value))
            }
            StmtKind::Assign(place, value) => {
                format!("{} = {}", self.expr(place), self.expr(value))
            }
            StmtKind::Change { place, add, value } => {
                let word = if *add { "+=" } else { "-=" };
                format!("{} {word} {}", self.expr(place), self.expr(value))
            }
            StmtKind::Cards(deed) => self.card_deed(deed),
            StmtKind::Swap(a, b) => format!("swap {} and {}", self.expr(a), self.expr(b)),
            StmtKind::Reset(targets) => {
                let targets: Vec<String> =
                    targets.iter().map(|target| self.reset_target(target)).collect();
                format!("reset {}", targets.join(", "))
            }
            StmtKind::Show { targets, to } => {
                let targets: Vec<String> =
                    targets.iter().map(|target| self.reset_target(target)).collect();
                let (word, to) = match to {
                    Some(to) => ("show", format!(" to {}", self.expr(to))),
                    None => ("reveal", String::new()),
                };
                format!("{word} {}{to}", targets.join(", "))
            }
            StmtKind::Coin { place, verb, amount } => {
                let (verb, behind) = (verb.word(), verb.behind());
                format!("{} {verb} {}{behind}", self.expr(place), self.inner(amount))
            }
            StmtKind::Roll { place, binder } => match binder {
                Some(binder) => format!("roll {} for {}", self.expr(place), self.binder(binder)),
                None => format!("roll {}", self.expr(place)),
            },
            StmtKind::Break => "break".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {}", self.expr(value)),
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Say { to: Some(to), text } => {
                format!("say to {} {}", self.inner(to), self.expr(text))
            }
            StmtKind::Say { to: None, text } => format!("say {}", self.expr(text)),
            StmtKind::FinishDraw => "finish draw".to_owned(),
            StmtKind::FinishWin(winners) => format!("finish win {}", self.expr(winners)),
            StmtKind::FinishRanking { local, keys } => {
                format!("finish ranking {} by {}", self.local(*local), self.exprs(keys))
            }
            StmtKind::Call(call) => self.expr(call),
            _ => unreachable!("statements with blocks were printed before"),
        }
    }

    fn let_line(self, local: LocalId, value: &str) -> String {
        let Some(local) = self.locals.get(local.index()) else { return format!("let {value}") };
        let word = if local.mutable { "var" } else { "let" };
        format!("{word} {} = {value}", typed_name(self.rules, local))
    }

    fn reset_target(self, target: &ResetTarget) -> String {
        self.var(&self.rules.vars[target.var.index()], &target.indices)
    }

    fn choose(self, choose: &Choose, depth: usize, out: &mut String) {
        let prompt = choose.prompt.as_ref().map(|prompt| format!(" {}", self.expr(prompt)));
        let chooser = match &choose.each {
            Some(each) => format!("each {}", self.binder(each)),
            None => self.inner(&choose.chooser),
        };
        let order = if choose.order.is_some() { " order" } else { "" };
        line(out, depth, &format!("choose {chooser}{order}{}", prompt.unwrap_or_default()));
        for option in &choose.options {
            line(out, depth + 1, &self.option_head(option));
            for clause in &option.clauses {
                line(out, depth + 2, &self.clause(clause));
            }
            line(out, depth + 2, "do");
            self.block(&option.body, depth + 3, out);
        }
        if let Some(decline) = &choose.decline {
            let when = decline.condition.as_ref().map(|p| format!(" when {}", self.expr(p)));
            line(out, depth, &format!("or {}{}", decline.name, when.unwrap_or_default()));
            self.block(&decline.body, depth + 1, out);
        }
        if let Some(otherwise) = &choose.otherwise {
            line(out, depth, "else");
            self.block(otherwise, depth + 1, out);
        }
    }

    fn option_head(self, option: &MoveOption) -> String {
        let params: Vec<String> = option
            .params
            .iter()
            .map(|param| match self.locals.get(param.index()) {
                Some(local) => {
                    format!("{}: {}", local.name, ranged(self.rules, &local.ty, local.range))
                }
                None => self.local(*param),
            })
            .collect();
        let template = option.template.as_ref().map(|template| format!(" {}", self.expr(template)));
        format!("{}({}){}", option.name, params.join(", "), template.unwrap_or_default())
    }

    fn clause(self, clause: &Clause) -> String {
        match clause {
            Clause::For(binder) => format!("for {}", self.binder(binder)),
            Clause::Maybe(binder) => format!("maybe {}", self.binder(binder)),
            Clause::Let(local, value) => self.let_line(*local, &self.expr(value)),
            Clause::When(condition) => format!("when {}", self.expr(condition)),
        }
    }
}
