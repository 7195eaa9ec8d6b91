//! The tree as indented lines, for people who want to see how a text was read.

mod boards;
mod cards;
mod expressions;
mod statements;

use crate::syntax::ast::Arms;
use crate::syntax::ast::Ast;
use crate::syntax::ast::CellKind;
use crate::syntax::ast::Drawn;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Faces;
use crate::syntax::ast::GameClause;
use crate::syntax::ast::Has;
use crate::syntax::ast::Head;
use crate::syntax::ast::Item;
use crate::syntax::ast::ItemKind;
use crate::syntax::ast::Kind;
use crate::syntax::ast::KindBody;
use crate::syntax::ast::MoreBranches;
use crate::syntax::ast::Moves;
use crate::syntax::ast::Owner;
use crate::syntax::ast::Phase;
use crate::syntax::ast::Rule;
use crate::syntax::ast::RuleBody;
use crate::syntax::ast::Table;
use crate::syntax::ast::TableBody;
use crate::syntax::ast::VarForm;
use crate::syntax::outline::cards::cards;
use crate::syntax::outline::expressions::binder;
use crate::syntax::outline::expressions::expression;
use crate::syntax::outline::expressions::patterns;
use crate::syntax::outline::expressions::text;
use crate::syntax::outline::expressions::typed;
use crate::syntax::outline::expressions::written_dims;

/// Draws the tree of a file: a line for each declaration, statement and move, expressions with a
/// parenthesis for each operation.
pub fn outline(ast: &Ast) -> String {
    let mut outline = Outline::default();
    for item in &ast.items {
        outline.item(item);
    }
    outline.out
}

/// Lines, and how far the next one is indented.
#[derive(Debug, Default)]
struct Outline {
    out: String,
    indent: usize,
}

impl Outline {
    fn line(&mut self, line: &str) {
        self.out.push_str(&"  ".repeat(self.indent));
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn inside(&mut self, lines: impl FnOnce(&mut Outline)) {
        self.indent += 1;
        lines(self);
        self.indent -= 1;
    }

    fn notes(&mut self, notes: &[String]) {
        for note in notes {
            self.line(&format!("note {note:?}"));
        }
    }

    fn item(&mut self, item: &Item) {
        self.notes(&item.notes);
        self.declaration(&item.kind);
    }

    fn declaration(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Variant(it) => {
                self.line(&format!("variant {} of {}", text(&it.title), text(&it.base)));
            }
            ItemKind::Use(path) => self.line(&format!("use {}", text(path))),
            ItemKind::Replace(kind) => {
                self.line("replace");
                self.inside(|it| it.declaration(kind));
            }
            ItemKind::MoreMoves(moves) => self.moves("extend moves", moves),
            ItemKind::MoreBranches(more) => self.more_branches(more),
            ItemKind::Game(game) => {
                let title = game.title.as_ref().map(text).unwrap_or_default();
                self.line(&format!("game {title}"));
                self.inside(|it| game.clauses.iter().for_each(|clause| it.game_clause(clause)));
            }
            ItemKind::Option(option) => {
                let title = option.title.as_ref().map(text).unwrap_or_default();
                let (ty, default) = (typed(option.ty.as_ref()), expression(&option.default));
                self.line(&format!("option {}{ty} = {default} {title}", option.name.text));
            }
            ItemKind::Let(constant) => {
                self.line(&format!("let {} = {}", constant.name.text, expression(&constant.value)));
            }
            ItemKind::Kind(kind) => self.kind("kind", kind),
            ItemKind::Extend(kind) => self.kind("extend kind", kind),
            ItemKind::Cards(of) => self.line(&cards(of)),
            ItemKind::Board(board) => self.board(board),
            ItemKind::Table(table) => self.table(table),
            ItemKind::Has(has) => self.has(has),
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Measure(measure) => {
                let title = measure.title.as_ref().map(text).unwrap_or_default();
                let each = if measure.each.is_some() { " for each player" } else { "" };
                let (name, value) = (&measure.name.text, expression(&measure.value));
                self.line(&format!("measure {name}{each} = {value} {title}"));
            }
            ItemKind::Always(always) => {
                let over = always.binder.as_ref().map(|over| format!(" for {}", binder(over)));
                let condition = expression(&always.condition);
                self.line(&format!("always {condition}{}", over.unwrap_or_default()));
            }
            ItemKind::Moves(moves) => self.moves("moves", moves),
            ItemKind::Flow(flow) => {
                self.line(match flow.phase {
                    Phase::Setup => "setup",
                    Phase::Play => "play",
                });
                self.inside(|it| it.block(&flow.body));
            }
        }
    }

    fn moves(&mut self, word: &str, moves: &Moves) {
        self.line(&format!("{word} {}", moves.name.text));
        self.inside(|it| {
            for param in &moves.params {
                it.line(&format!("parameter {}{}", param.name.text, typed(Some(&param.ty))));
            }
            it.move_lines(&moves.options);
        });
    }

    fn more_branches(&mut self, more: &MoreBranches) {
        self.line(&format!("extend rule {}", more.name.text));
        self.inside(|it| match &more.arms {
            Arms::Statements(arms) => arms.iter().for_each(|arm| it.case(arm)),
            Arms::Values(arms) => {
                for arm in arms {
                    it.line(&format!("case {} = {}", patterns(arm), expression(&arm.body)));
                }
            }
        });
    }

    fn game_clause(&mut self, clause: &GameClause) {
        match clause {
            GameClause::Players { low, high, usual, .. } => {
                let part = |word: &str, part: &Option<Expr>| match part {
                    Some(part) => format!(" {word} {}", expression(part)),
                    None => String::new(),
                };
                let (high, usual) = (part("to", high), part("usually", usual));
                self.line(&format!("players {}{high}{usual}", expression(low)));
            }
            GameClause::Edition { number, .. } => self.line(&format!("edition {number}")),
            GameClause::Limit { notes, decisions, body, .. } => {
                self.notes(notes);
                self.line(&format!("limit {}", expression(decisions)));
                self.inside(|it| it.block(body));
            }
        }
    }

    fn kind(&mut self, word: &str, kind: &Kind) {
        let title = kind.title.as_ref().map(text).unwrap_or_default();
        let within = kind.within.as_ref().map(|of| format!("within {} ", of.text));
        self.line(&format!("{word} {} {}{title}", kind.name.text, within.unwrap_or_default()));
        self.inside(|it| match &kind.body {
            KindBody::Members(members) => {
                for member in members {
                    let title = member.title.as_ref().map(text).unwrap_or_default();
                    it.line(&format!("member {} {title}", member.name.text));
                }
            }
            KindBody::Product(factors) => {
                factors.iter().for_each(|factor| it.line(&format!("factor {}", factor.text)));
            }
            KindBody::Drawn(drawn) => it.drawn(drawn),
        });
    }

    fn table(&mut self, table: &Table) {
        let dims: Vec<_> = table.dims.iter().map(expressions::written_type).collect();
        let title = table.title.as_ref().map(text).unwrap_or_default();
        self.line(&format!("table {} [{}] {title}", table.name.text, dims.join(", ")));
        self.inside(|it| match &table.body {
            TableBody::Row(row) => {
                let cells: Vec<_> = row.iter().map(|it| cell(&it.kind)).collect();
                it.line(&format!("cells {}", cells.join(" ")));
            }
            TableBody::Drawn(drawn) => it.drawn(drawn),
        });
    }

    fn drawn(&mut self, drawn: &Drawn) {
        let head = |head: &Head| {
            let default = head.default.as_ref().map(|it| format!("={}", cell(&it.kind)));
            let label = cell(&head.label.kind);
            format!("{label}{}{}", typed(head.ty.as_ref()), default.unwrap_or_default())
        };
        let heads: Vec<_> = drawn.heads.iter().map(head).collect();
        self.line(&format!("heads {}", heads.join(" ")));
        for row in &drawn.rows {
            self.notes(&row.notes);
            let cells: Vec<_> = row.cells.iter().map(|it| cell(&it.kind)).collect();
            self.line(&format!("row {}: {}", cell(&row.label.kind), cells.join(" ")));
        }
    }

    fn has(&mut self, has: &Has) {
        self.line(match has.owner {
            Owner::Player => "each player has",
            Owner::Table => "the table has",
        });
        self.indent += 1;
        for var in &has.vars {
            self.notes(&var.notes);
            let form = match &var.form {
                VarForm::Plain => "variable",
                VarForm::Coin => "coin",
                VarForm::Pile => "pile",
                VarForm::Die(_) => "die",
            };
            let (dims, ty) = (written_dims(&var.dims), typed(var.ty.as_ref()));
            let title = var.title.as_ref().map(text).unwrap_or_default();
            let init = var.init.as_ref().map(|init| format!(" = {}", expression(init)));
            let first = init.unwrap_or_else(|| faces(&var.form));
            let sight = var.sight.suffix();
            self.line(&format!("{form} {}{dims}{ty}{first}{sight} {title}", var.name.text));
        }
        self.indent -= 1;
    }

    fn rule(&mut self, rule: &Rule) {
        let title = rule.title.as_ref().map(text).unwrap_or_default();
        self.line(&format!("rule {} {title}", rule.name.text));
        self.indent += 1;
        for param in &rule.params {
            self.line(&format!("parameter {}{}", param.name.text, typed(Some(&param.ty))));
        }
        if let Some(returns) = &rule.returns {
            self.line(&format!("returns {}", expressions::written_type(returns)));
        }
        match &rule.body {
            RuleBody::Value(value) => self.line(&format!("value {}", expression(value))),
            RuleBody::Block(block) => self.block(block),
        }
        self.indent -= 1;
    }
}

fn faces(form: &VarForm) -> String {
    match form {
        VarForm::Die(Faces::Range(low, high)) => {
            format!(" = (.. {} {})", expression(low), expression(high))
        }
        VarForm::Die(Faces::List(row)) => {
            let cells: Vec<_> = row.iter().map(|it| cell(&it.kind)).collect();
            format!(" = {}", cells.join(" "))
        }
        VarForm::Plain | VarForm::Coin | VarForm::Pile => String::new(),
    }
}

fn cell(cell: &CellKind) -> String {
    match cell {
        CellKind::None => "none".to_owned(),
        CellKind::Number(number) => number.to_string(),
        CellKind::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        CellKind::Text(words) => format!("{words:?}"),
        CellKind::Name(name) => name.clone(),
        CellKind::Set(names) => {
            let names: Vec<_> = names.iter().map(|name| name.text.as_str()).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}
