//! Declarations to lines.

use crate::source::Span;
use crate::syntax::ast::Arms;
use crate::syntax::ast::BoardShape;
use crate::syntax::ast::Game;
use crate::syntax::ast::GameClause;
use crate::syntax::ast::Item;
use crate::syntax::ast::ItemKind;
use crate::syntax::ast::KindBody;
use crate::syntax::ast::MoreBranches;
use crate::syntax::ast::Phase;
use crate::syntax::ast::Rule;
use crate::syntax::ast::RuleBody;
use crate::syntax::ast::TableBody;
use crate::syntax::print::Printer;
use crate::syntax::print::cards::cards;
use crate::syntax::print::expressions::binder;
use crate::syntax::print::expressions::expression;
use crate::syntax::print::expressions::joined;
use crate::syntax::print::expressions::patterns;
use crate::syntax::print::expressions::placed;
use crate::syntax::print::expressions::text;
use crate::syntax::print::types::of_type;
use crate::syntax::print::types::param;
use crate::syntax::print::types::title;
use crate::syntax::print::types::written_type;
use crate::syntax::tightness::Tightness;

impl Printer<'_> {
    /// All declarations; tall ones have blank lines around them.
    pub(super) fn items(&mut self, items: &[Item]) {
        let mut after_tall = false;
        for item in items {
            let tall = is_tall(&item.kind);
            self.trailing_comment(item.span.start);
            self.blank_due |= after_tall || tall || !item.notes.is_empty();
            self.notes(item.span.start, &item.notes);
            self.item(item);
            after_tall = tall;
        }
    }

    /// Puts a comment back behind the last declaration before a blank line separates them.
    fn trailing_comment(&mut self, place: u32) {
        let behind = self.comments.peek().is_some_and(|it| !it.alone && it.span.start < place);
        if behind {
            self.comment();
        }
    }

    pub(super) fn item(&mut self, item: &Item) {
        self.declaration(item.span, &item.kind);
    }

    fn declaration(&mut self, span: Span, kind: &ItemKind) {
        match kind {
            ItemKind::Game(game) => self.game(span, game),
            ItemKind::Variant(it) => {
                self.line(span, &format!("variant {} of {}", text(&it.title), text(&it.base)));
            }
            ItemKind::Use(path) => self.line(span, &format!("use {}", text(path))),
            ItemKind::Replace(kind) => {
                self.flush(span.start);
                self.before = "replace ";
                self.declaration(span, kind);
            }
            ItemKind::Option(it) => {
                let (ty, default) = (of_type(it.ty.as_ref()), expression(&it.default));
                let title = title(it.title.as_ref());
                self.line(span, &format!("option {}{ty} = {default}{title}", it.name.text));
            }
            ItemKind::Let(it) => {
                let value = expression(&it.value);
                self.line(span, &format!("let {} = {value}", it.name.text));
            }
            ItemKind::Kind(it) => self.kind(span, "kind", it),
            ItemKind::Extend(it) => self.kind(span, "extend kind", it),
            ItemKind::Cards(it) => self.line(span, &cards(it)),
            ItemKind::Board(it) => self.board(span, it),
            ItemKind::Table(it) => self.table(span, it),
            ItemKind::Has(it) => self.has(span, it),
            ItemKind::Rule(it) => self.rule(span, it),
            ItemKind::Measure(it) => {
                let each = if it.each.is_some() { " for each player" } else { "" };
                let (name, title) = (&it.name.text, title(it.title.as_ref()));
                let value = expression(&it.value);
                self.line(span, &format!("measure {name}{title}{each} = {value}"));
            }
            ItemKind::Always(it) => {
                let over = it.binder.as_ref().map(|over| format!(" for {}", binder(over)));
                let condition = expression(&it.condition);
                self.line(span, &format!("always {condition}{}", over.unwrap_or_default()));
            }
            ItemKind::Moves(it) => self.moves(span, it),
            ItemKind::MoreMoves(it) => {
                self.flush(span.start);
                self.before = "extend ";
                self.moves(span, it);
            }
            ItemKind::MoreBranches(it) => self.more_branches(span, it),
            ItemKind::Flow(it) => {
                let head = match it.phase {
                    Phase::Setup => "setup",
                    Phase::Play => "play",
                };
                self.with_block(span.start, head, &it.body, "");
            }
        }
    }

    fn game(&mut self, span: Span, game: &Game) {
        let title = title(game.title.as_ref());
        self.opening(span.start, &format!("game{title} {{"));
        self.indent += 2;
        for clause in &game.clauses {
            match clause {
                GameClause::Players { low, high, usual, span } => {
                    let bound = |expr| placed(expr, Tightness::Sum);
                    let high = high.as_ref().map(|high| format!("..{}", bound(high)));
                    let usual = usual.as_ref().map(|usual| format!(" = {}", bound(usual)));
                    let (high, usual) = (high.unwrap_or_default(), usual.unwrap_or_default());
                    self.line(*span, &format!("players {}{high}{usual}", bound(low)));
                }
                GameClause::Edition { number, span } => {
                    self.line(*span, &format!("edition {number}"));
                }
                GameClause::Limit { notes, decisions, body, span } => {
                    self.notes(span.start, notes);
                    let decisions = placed(decisions, Tightness::Or);
                    let head = format!("limit {decisions} decisions");
                    self.with_block(span.start, &head, body, "");
                }
            }
        }
        self.indent -= 2;
        self.closing(span.end, "}");
    }

    fn more_branches(&mut self, span: Span, more: &MoreBranches) {
        self.opening(span.start, &format!("extend rule {} {{", more.name.text));
        self.indent += 2;
        match &more.arms {
            Arms::Statements(arms) => arms.iter().for_each(|arm| self.arm(arm)),
            Arms::Values(arms) => {
                for arm in arms {
                    let (patterns, value) = (patterns(&arm.patterns), expression(&arm.body));
                    self.line(arm.span, &format!("{patterns}: {value}"));
                }
            }
        }
        self.indent -= 2;
        self.closing(span.end, "}");
    }

    fn rule(&mut self, span: Span, rule: &Rule) {
        let params = joined(rule.params.iter().map(param));
        let name = &rule.name.text;
        // A space keeps the title apart from the parameters.
        let title = rule.title.as_ref().map(|it| format!(" {} ", text(it))).unwrap_or_default();
        let returns = rule.returns.as_ref().map(|it| format!(" -> {}", written_type(it)));
        let head = format!("rule {name}{title}({params}){}", returns.unwrap_or_default());
        match &rule.body {
            RuleBody::Value(value) => {
                self.line(span, &format!("{head} = {}", expression(value)));
            }
            RuleBody::Block(block) => self.with_block(span.start, &head, block, ""),
        }
    }
}

fn is_tall(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Game(_)
        | ItemKind::Has(_)
        | ItemKind::Moves(_)
        | ItemKind::MoreMoves(_)
        | ItemKind::MoreBranches(_)
        | ItemKind::Flow(_) => true,
        ItemKind::Replace(kind) => is_tall(kind),
        ItemKind::Option(_)
        | ItemKind::Let(_)
        | ItemKind::Variant(_)
        | ItemKind::Use(_)
        | ItemKind::Cards(_)
        | ItemKind::Measure(_)
        | ItemKind::Always(_) => false,
        ItemKind::Kind(kind) | ItemKind::Extend(kind) => matches!(kind.body, KindBody::Drawn(_)),
        ItemKind::Board(board) => {
            !board.attributes.is_empty() || matches!(board.shape, BoardShape::Map(_))
        }
        ItemKind::Table(table) => matches!(table.body, TableBody::Drawn(_)),
        ItemKind::Rule(rule) => matches!(rule.body, RuleBody::Block(_)),
    }
}
