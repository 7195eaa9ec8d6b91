//! What is told of a thing that has a name: how it is written, its title and its notes.

use crate::check::flow::deeds;
use crate::check::rules::{
    Effects, Faces, GameOption, Kind, KindId, Shape, Type, Value, Var, VarForm,
};
use crate::check::symbols::{Symbol, SymbolIndex};
use crate::check::types::{range_code, type_code};
use crate::check::values::{Manner, value_words};
use crate::check::written::{dims_text, expression_text, head, ranged, typed_name};
use crate::source::Span;
use crate::syntax::ast::Owner;

/// How many members of a kind are named before `…`.
const MOST_NAMED: usize = 12;

/// What is told of a thing that has a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Its name.
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
    /// What is told of a thing.
    pub fn describe(&self, thing: Symbol) -> Description {
        match thing {
            Symbol::Kind(kind) => self.kind(kind),
            Symbol::Member(kind, at) => self.member(kind, at),
            Symbol::Column(kind, at) => self.column(kind, at),
            Symbol::Option(option) => {
                let option = &self.rules.options[option.index()];
                let code = self.option(option);
                describe(&option.name, code, &option.title, &option.notes, option.span)
            }
            Symbol::Constant(constant) => {
                let constant = &self.rules.constants[constant.index()];
                let ty = type_code(&self.rules, &constant.value.ty);
                let value = expression_text(&self.rules, &[], &constant.value);
                let code = format!("let {}: {ty} = {value}", constant.name);
                describe(&constant.name, code, &constant.name, &[], constant.span)
            }
            Symbol::Table(table) => {
                let table = &self.rules.tables[table.index()];
                let (dims, ty) =
                    (dims_text(&self.rules, &table.dims), type_code(&self.rules, &table.ty));
                let code = format!("table {}{dims}: {ty}", table.name);
                describe(&table.name, code, &table.title, &table.notes, table.span)
            }
            Symbol::Var(var) => {
                let var = &self.rules.vars[var.index()];
                let owner =
                    if var.owner == Owner::Player { "each player has" } else { "the table has" };
                let code = format!("{owner} {}{}", self.stored(var), var.sight.suffix());
                describe(&var.name, code, &var.title, &var.notes, var.span)
            }
            Symbol::Rule(rule) => self.rule(rule.index()),
            Symbol::Moves(at) => {
                let group = &self.groups[at];
                let code = format!("moves {}", group.head);
                describe(&group.name, code, &group.name, &group.notes, group.span)
            }
            Symbol::Local(span) => self.local(span),
        }
    }

    /// How a type is written.
    pub fn type_text(&self, ty: &Type) -> String {
        type_code(&self.rules, ty)
    }

    fn option(&self, option: &GameOption) -> String {
        let ty = ranged(&self.rules, &option.ty, option.range);
        let default = expression_text(&self.rules, &[], &option.default);
        format!("option {}: {ty} = {default} \"{}\"", option.name, option.title)
    }

    fn stored(&self, var: &Var) -> String {
        let rules = &self.rules;
        let dims = dims_text(rules, &var.dims);
        let ty = ranged(rules, &var.ty, var.range);
        let first = expression_text(rules, &var.init.locals, &var.init.value);
        let word = match &var.form {
            VarForm::Plain => "",
            VarForm::Pile(_) => "pile ",
            VarForm::Coin => "coin ",
            VarForm::Die(Faces::Range(range)) => {
                return format!("die {}{dims} = {}", var.name, range_code(rules, *range));
            }
            VarForm::Die(Faces::List(faces)) => {
                let faces: Vec<String> =
                    faces.iter().map(|face| self.cell(face, &var.ty)).collect();
                return format!("die {}{dims}: {ty} = {}", var.name, faces.join(" "));
            }
        };
        format!("{word}{}{dims}: {ty} = {first}", var.name)
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
        let mut told = describe(&kind.name, code, &kind.title, &kind.notes, kind.span);
        let columns: Vec<String> = kind
            .named_columns()
            .map(|column| format!("`{}: {}`", column.name, self.type_text(&column.ty)))
            .collect();
        if !columns.is_empty() {
            told.more.push(format!("columns: {}", columns.join(", ")));
        }
        told
    }

    fn kind_head(&self, kind: &Kind) -> String {
        let name = &kind.name;
        match (&kind.shape, &kind.within) {
            (_, Some(part)) => {
                format!("kind {name} within {}", self.rules.kinds[part.of.index()].name)
            }
            (Shape::Grid { columns, rows, .. }, _) => format!("board {name} {columns} by {rows}"),
            (Shape::Ring, _) => format!("board {name} ring {}", kind.members.len()),
            (Shape::Map, _) => format!("board {name}"),
            (Shape::Cards(face), _) => {
                format!("cards {name} of {}", self.rules.kinds[face.index()].name)
            }
            _ => format!("kind {name}"),
        }
    }

    fn member(&self, id: KindId, at: usize) -> Description {
        let kind = &self.rules.kinds[id.index()];
        let Some(member) = kind.members.get(at) else { return Description::default() };
        let code = format!("{}: {}", member.name, kind.name);
        let mut told = describe(&member.name, code, &member.title, &member.notes, member.span);
        for column in kind.named_columns() {
            if let Some(cell) = column.cells.get(at) {
                let cell = self.cell(cell, &column.ty);
                told.more.push(format!("`{} = {cell}`", column.name));
            }
        }
        told
    }

    fn cell(&self, cell: &Value, ty: &Type) -> String {
        value_words(&self.rules, &[], (ty, cell), Manner::Code)
    }

    fn column(&self, id: KindId, at: usize) -> Description {
        let kind = &self.rules.kinds[id.index()];
        let column = &kind.columns[at];
        let code = format!("{}.{}: {}", kind.name, column.name, self.type_text(&column.ty));
        describe(&column.name, code, &column.name, &[], column.span)
    }

    fn rule(&self, at: usize) -> Description {
        let rule = &self.rules.rules[at];
        let code = format!("rule {}", head(&self.rules, rule));
        let mut told = describe(&rule.name, code, &rule.title, &rule.notes, rule.span);
        if rule.effects != Effects::default() {
            told.more.push(deeds(rule.effects));
        }
        told
    }

    fn local(&self, span: Span) -> Description {
        let Some(local) = self.locals.get(&span) else { return Description::default() };
        let word = if local.mutable { "var " } else { "" };
        let code = format!("{word}{}", typed_name(&self.rules, local));
        describe(&local.name, code, &local.name, &[], span)
    }
}

/// A title is told only if it says more than the name.
fn describe(name: &str, code: String, title: &str, notes: &[String], span: Span) -> Description {
    let spaced = name.replace('_', " ");
    let says_more = title != name && title != spaced;
    let more = if says_more { vec![format!("“{title}”")] } else { Vec::new() };
    Description { name: name.to_owned(), code, more, notes: notes.to_vec(), span }
}
