//! Describes what has a name, for editors: its declaration as code, its title and its notes.

use crate::check::flow::deeds;
use crate::check::rules::{Effects, Faces, Kind, KindId, Shape, Type, Value, Var, VarForm};
use crate::check::symbols::{Symbol, SymbolIndex};
use crate::check::types::{range_code, type_code};
use crate::check::values::{Manner, value_words};
use crate::check::written::{dims_text, expression_text, head, ranged, typed_name};
use crate::source::Span;
use crate::syntax::ast::Owner;

/// How many members of a kind are named before `…`.
const MOST_NAMED: usize = 12;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    pub name: String,
    /// How it is written, with its type.
    pub code: String,
    /// More about it, in words: its title, what running it does, its cells.
    pub more: Vec<String>,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// The name where it is declared; empty if it is part of the language.
    pub span: Span,
}

impl SymbolIndex {
    pub fn describe(&self, symbol: Symbol) -> Description {
        let rules = &self.rules;
        match symbol {
            Symbol::Kind(kind) => self.kind(kind),
            Symbol::Member(kind, at) => self.member(kind, at),
            Symbol::Column(kind, at) => {
                let kind = &rules.kinds[kind.index()];
                let column = &kind.columns[at];
                let code = format!("{}.{}: {}", kind.name, column.name, self.type_text(&column.ty));
                describe(&column.name, code, &column.name, &[], column.span)
            }
            Symbol::Option(option) => {
                let option = &rules.options[option.index()];
                let ty = ranged(rules, &option.ty, option.range);
                let default = expression_text(rules, &[], &option.default);
                let code = format!("option {}: {ty} = {default} \"{}\"", option.name, option.title);
                describe(&option.name, code, &option.title, &option.notes, option.span)
            }
            Symbol::Constant(constant) => {
                let constant = &rules.constants[constant.index()];
                let ty = self.type_text(&constant.value.ty);
                let value = expression_text(rules, &[], &constant.value);
                let code = format!("let {}: {ty} = {value}", constant.name);
                describe(&constant.name, code, &constant.name, &[], constant.span)
            }
            Symbol::Table(table) => {
                let table = &rules.tables[table.index()];
                let (dims, ty) = (dims_text(rules, &table.dims), self.type_text(&table.ty));
                let code = format!("table {}{dims}: {ty}", table.name);
                describe(&table.name, code, &table.title, &table.notes, table.span)
            }
            Symbol::Var(var) => {
                let var = &rules.vars[var.index()];
                let owner =
                    if var.owner == Owner::Player { "each player has" } else { "the table has" };
                let code = format!("{owner} {}{}", self.stored(var), var.sight.suffix());
                describe(&var.name, code, &var.title, &var.notes, var.span)
            }
            Symbol::Rule(rule) => {
                let rule = &rules.rules[rule.index()];
                let code = format!("rule {}", head(rules, rule));
                let mut found = describe(&rule.name, code, &rule.title, &rule.notes, rule.span);
                if rule.effects != Effects::default() {
                    found.more.push(deeds(rule.effects));
                }
                found
            }
            Symbol::Moves(at) => {
                let group = &self.groups[at];
                let code = format!("moves {}", group.head);
                describe(&group.name, code, &group.name, &group.notes, group.span)
            }
            Symbol::Local(span) => {
                let Some(local) = self.locals.get(&span) else { return Description::default() };
                let word = if local.mutable { "var " } else { "" };
                let code = format!("{word}{}", typed_name(rules, local));
                describe(&local.name, code, &local.name, &[], span)
            }
        }
    }

    pub fn type_text(&self, ty: &Type) -> String {
        type_code(&self.rules, ty)
    }

    fn stored(&self, var: &Var) -> String {
        let rules = &self.rules;
        let (name, dims) = (&var.name, dims_text(rules, &var.dims));
        let ty = ranged(rules, &var.ty, var.range);
        let word = match &var.form {
            VarForm::Plain => "",
            VarForm::Pile(_) => "pile ",
            VarForm::Coin => "coin ",
            VarForm::Die(Faces::Range(range)) => {
                return format!("die {name}{dims} = {}", range_code(rules, *range));
            }
            VarForm::Die(Faces::List(faces)) => {
                let faces: Vec<String> =
                    faces.iter().map(|face| self.cell(face, &var.ty)).collect();
                return format!("die {name}{dims}: {ty} = {}", faces.join(" "));
            }
        };
        let first = expression_text(rules, &var.init.locals, &var.init.value);
        format!("{word}{name}{dims}: {ty} = {first}")
    }

    fn kind(&self, id: KindId) -> Description {
        let kind = &self.rules.kinds[id.index()];
        let own = kind.own();
        let named: Vec<&str> =
            own.iter().take(MOST_NAMED).map(|at| kind.members[*at].name.as_str()).collect();
        let rest = if own.len() > MOST_NAMED { ", …" } else { "" };
        let mut code = self.kind_head(kind);
        if !named.is_empty() {
            code = format!("{code} {{ {}{rest} }}", named.join(", "));
        }
        let mut found = describe(&kind.name, code, &kind.title, &kind.notes, kind.span);
        let columns: Vec<String> = kind
            .named_columns()
            .map(|column| format!("`{}: {}`", column.name, self.type_text(&column.ty)))
            .collect();
        if !columns.is_empty() {
            found.more.push(format!("columns: {}", columns.join(", ")));
        }
        found
    }

    fn kind_head(&self, kind: &Kind) -> String {
        let name = &kind.name;
        let name_of = |kind: KindId| &self.rules.kinds[kind.index()].name;
        match (&kind.shape, &kind.within) {
            (_, Some(part)) => format!("kind {name} within {}", name_of(part.of)),
            (Shape::Grid { columns, rows, .. }, _) => format!("board {name} {columns} by {rows}"),
            (Shape::Ring, _) => format!("board {name} ring {}", kind.members.len()),
            (Shape::Map, _) => format!("board {name}"),
            (Shape::Cards(face), _) => format!("cards {name} of {}", name_of(*face)),
            _ => format!("kind {name}"),
        }
    }

    fn member(&self, id: KindId, at: usize) -> Description {
        let kind = &self.rules.kinds[id.index()];
        let Some(member) = kind.members.get(at) else { return Description::default() };
        let code = format!("{}: {}", member.name, kind.name);
        let mut found = describe(&member.name, code, &member.title, &member.notes, member.span);
        let cells = kind.named_columns().filter_map(|it| Some((it, it.cells.get(at)?)));
        let cell = |column: &str, cell: String| format!("`{column} = {cell}`");
        found.more.extend(cells.map(|(it, value)| cell(&it.name, self.cell(value, &it.ty))));
        found
    }

    fn cell(&self, cell: &Value, ty: &Type) -> String {
        value_words(&self.rules, &[], (ty, cell), Manner::Code)
    }
}

/// A description, with the title if it says more than the name.
fn describe(name: &str, code: String, title: &str, notes: &[String], span: Span) -> Description {
    let says_more = title != name && title != name.replace('_', " ");
    let more = if says_more { vec![format!("“{title}”")] } else { Vec::new() };
    Description { name: name.to_owned(), code, more, notes: notes.to_vec(), span }
}
