//! Declarations to lines.

use crate::syntax::ast::BoardShape;
use crate::syntax::ast::Game;
use crate::syntax::ast::GameClause;
use crate::syntax::ast::Item;
use crate::syntax::ast::ItemKind;
use crate::syntax::ast::KindBody;
use crate::syntax::ast::Phase;
use crate::syntax::ast::Rule;
use crate::syntax::ast::RuleBody;
use crate::syntax::ast::TableBody;
use crate::syntax::print::Printer;
use crate::syntax::print::cards::cards;
use crate::syntax::print::expressions::Tightness;
use crate::syntax::print::expressions::binder;
use crate::syntax::print::expressions::expression;
use crate::syntax::print::expressions::joined;
use crate::syntax::print::expressions::placed;
use crate::syntax::print::expressions::text;
use crate::syntax::print::types::of_type;
use crate::syntax::print::types::param;
use crate::syntax::print::types::title;
use crate::syntax::print::types::written_type;

impl Printer<'_> {
    /// All declarations; tall ones have blank lines around them.
    pub(super) fn items(&mut self, items: &[Item]) {
        let mut after_tall = false;
        for item in items {
            let tall = is_tall(item);
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
        let start = item.span.start;
        match &item.kind {
            ItemKind::Game(game) => self.game(item, game),
            ItemKind::Option(it) => {
                let (ty, default) = (of_type(it.ty.as_ref()), expression(&it.default));
                let title = title(it.title.as_ref());
                self.line(item.span, &format!("option {}{ty} = {default}{title}", it.name.text));
            }
            ItemKind::Let(it) => {
                let value = expression(&it.value);
                self.line(item.span, &format!("let {} = {value}", it.name.text));
            }
            ItemKind::Kind(it) => self.kind(item.span, "kind", it),
            ItemKind::Extend(it) => self.kind(item.span, "extend kind", it),
            ItemKind::Cards(it) => self.line(item.span, &cards(it)),
            ItemKind::Board(it) => self.board(item.span, it),
            ItemKind::Table(it) => self.table(item.span, it),
            ItemKind::Has(it) => self.has(item.span, it),
            ItemKind::Rule(it) => self.rule(item, it),
            ItemKind::Measure(it) => {
                let each = if it.each.is_some() { " for each player" } else { "" };
                let (name, title) = (&it.name.text, title(it.title.as_ref()));
                let value = expression(&it.value);
                self.line(item.span, &format!("measure {name}{title}{each} = {value}"));
            }
            ItemKind::Always(it) => {
                let over = it.binder.as_ref().map(|over| format!(" for {}", binder(over)));
                let condition = expression(&it.condition);
                self.line(item.span, &format!("always {condition}{}", over.unwrap_or_default()));
            }
            ItemKind::Moves(it) => self.moves(item.span, it),
            ItemKind::Flow(it) => {
                let head = match it.phase {
                    Phase::Setup => "setup",
                    Phase::Play => "play",
                };
                self.with_block(start, head, &it.body, "");
            }
        }
    }

    fn game(&mut self, item: &Item, game: &Game) {
        self.opening(item.span.start, &format!("game {} {{", text(&game.title)));
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
                GameClause::Limit { decisions, body, span } => {
                    let decisions = placed(decisions, Tightness::Or);
                    let head = format!("limit {decisions} decisions");
                    self.with_block(span.start, &head, body, "");
                }
            }
        }
        self.indent -= 2;
        self.closing(item.span.end, "}");
    }

    fn rule(&mut self, item: &Item, rule: &Rule) {
        let params = joined(rule.params.iter().map(param));
        let name = &rule.name.text;
        // A space keeps the title apart from the parameters.
        let title = rule.title.as_ref().map(|it| format!(" {} ", text(it))).unwrap_or_default();
        let returns = rule.returns.as_ref().map(|it| format!(" -> {}", written_type(it)));
        let head = format!("rule {name}{title}({params}){}", returns.unwrap_or_default());
        match &rule.body {
            RuleBody::Value(value) => {
                self.line(item.span, &format!("{head} = {}", expression(value)));
            }
            RuleBody::Block(block) => self.with_block(item.span.start, &head, block, ""),
        }
    }
}

fn is_tall(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Game(_) | ItemKind::Has(_) | ItemKind::Moves(_) | ItemKind::Flow(_) => true,
        ItemKind::Option(_)
        | ItemKind::Let(_)
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
