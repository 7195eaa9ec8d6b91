//! Decisions to lines.

use crate::source::Span;
use crate::syntax::ast::Choose;
use crate::syntax::ast::Clause;
use crate::syntax::ast::Decline;
use crate::syntax::ast::MoveLine;
use crate::syntax::ast::MoveOption;
use crate::syntax::ast::Moves;
use crate::syntax::print::BLOCK_WIDTH;
use crate::syntax::print::Printer;
use crate::syntax::print::expressions::binder;
use crate::syntax::print::expressions::expression;
use crate::syntax::print::expressions::joined;
use crate::syntax::print::expressions::operand;
use crate::syntax::print::layout::width;
use crate::syntax::print::types::param;
use crate::syntax::print::types::title;

/// How many clauses may stand on the line of a move's name.
const CLAUSES_ON_A_LINE: usize = 2;

impl Printer<'_> {
    /// `choose me { … }` with what follows it.
    pub(super) fn choose(&mut self, span: Span, choose: &Choose) {
        let chooser = match &choose.each {
            Some(each) => format!("each {}", binder(each)),
            None => operand(&choose.chooser),
        };
        let order = if choose.order { " order" } else { "" };
        let head = format!("choose {chooser}{order}{}", title(choose.prompt.as_ref()));
        self.opening(span.start, &format!("{head} {{"));
        self.indent += 2;
        self.move_lines(&choose.options);
        self.indent -= 2;
        self.closing(end_of_options(span, choose), "}");
        if let Some(decline) = &choose.decline {
            self.decline(decline);
        }
        if let Some(otherwise) = &choose.otherwise {
            self.with_block(otherwise.span.start, "else", otherwise, "");
        }
    }

    /// `moves card_play(me: Player) { … }`
    pub(super) fn moves(&mut self, span: Span, moves: &Moves) {
        let params = joined(moves.params.iter().map(param));
        self.opening(span.start, &format!("moves {}({params}) {{", moves.name.text));
        self.indent += 2;
        self.move_lines(&moves.options);
        self.indent -= 2;
        self.closing(span.end, "}");
    }

    fn move_lines(&mut self, lines: &[MoveLine]) {
        for line in lines {
            match line {
                MoveLine::Option(option) => self.move_option(option),
                MoveLine::Group(group) => {
                    let args = joined(group.args.iter().map(expression));
                    self.line(group.span, &format!("moves {}({args})", group.name.text));
                }
            }
        }
    }

    fn move_option(&mut self, option: &MoveOption) {
        self.notes(option.span.start, &option.notes);
        let names = joined(option.params.iter().map(|name| name.text.clone()));
        let names = if names.is_empty() { names } else { format!("({names})") };
        let head = format!("{}{names}{}", option.name.text, title(option.template.as_ref()));
        let clauses: Vec<_> = option.clauses.iter().map(clause).collect();
        let line = format!("{head} {}", clauses.join(" "));
        let short = clauses.len() <= CLAUSES_ON_A_LINE
            && self.indent + width(&line) + 2 <= BLOCK_WIDTH
            && !self.comment_before(option.body.span.start);
        if short {
            return self.with_block(option.span.start, line.trim_end(), &option.body, "");
        }
        self.opening(option.span.start, &head);
        self.opened = false;
        self.indent += 2;
        for (clause, text) in option.clauses.iter().zip(&clauses) {
            self.line(clause_span(clause), text);
        }
        self.indent -= 2;
        self.lone_block(option);
    }

    /// A block on lines of its own, below the clauses of its move.
    fn lone_block(&mut self, option: &MoveOption) {
        let span = option.body.span;
        self.flush(span.start);
        if let Some(body) = self.inline(&option.body)
            && self.indent + width(&body) <= BLOCK_WIDTH
        {
            return self.line(span, &body);
        }
        self.opening(span.start, "{");
        self.body(&option.body);
        self.closing(span.end, "}");
    }

    fn decline(&mut self, decline: &Decline) {
        let condition = decline.condition.as_ref();
        let condition = condition.map(|it| format!(" when {}", expression(it)));
        let condition = condition.unwrap_or_default();
        let template = title(decline.template.as_ref());
        let head = format!("or {}{template}{condition}", decline.name.text);
        self.with_block(decline.span.start, &head, &decline.body, "");
    }
}

/// Before what comments still belong into the braces: the tree does not say where they end.
fn end_of_options(span: Span, choose: &Choose) -> u32 {
    let last = choose.options.last().map_or(span.start, |line| line.span().end);
    match (&choose.decline, &choose.otherwise) {
        (None, None) => span.end,
        _ => last,
    }
}

fn clause(clause: &Clause) -> String {
    match clause {
        Clause::For(it) => format!("for {}", binder(it)),
        Clause::Maybe(it) => format!("maybe {}", binder(it)),
        Clause::Let(name, value) => format!("let {} = {}", name.text, expression(value)),
        Clause::When(condition) => format!("when {}", expression(condition)),
    }
}

fn clause_span(clause: &Clause) -> Span {
    match clause {
        Clause::For(it) | Clause::Maybe(it) => {
            let last = it.condition.as_ref().unwrap_or(&it.set);
            it.name.span.to(last.span)
        }
        Clause::Let(name, value) => name.span.to(value.span),
        Clause::When(condition) => condition.span,
    }
}
