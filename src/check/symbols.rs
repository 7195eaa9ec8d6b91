//! Symbol index for editors: what each name means where it stands, and descriptions of what has a name.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::check::advice::Advice;
use crate::check::file::{FileContext, group_head};
use crate::check::names::Global;
use crate::check::recorder::{CompletionContext, Symbol, SymbolRecorder, SymbolUse};
use crate::check::stages::{check_tree, on_large_stack};
use crate::diagnostic::Diagnostics;
use crate::rules::print::{dims_text, expression_text, ranged, rule_head, typed_name};
use crate::rules::topology::BoardTopology;
use crate::rules::{
    Effects, Faces, Kind, KindId, KindShape, Local, PrintManner, Rules, Type, Value, Var, VarForm,
    effects_text, range_code, type_code, value_words,
};
use crate::source::Span;
use crate::syntax::ast::{Ast, Visibility};

/// What a check found out of a file, be it right or wrong.
#[derive(Clone, Debug)]
pub(crate) struct SymbolIndex {
    /// The rules, as far as they could be understood: where the file is wrong they only hold names
    /// and types, and cannot be compiled.
    pub(crate) rules: Rules,
    /// The names and what they mean, in the order of their places.
    pub(crate) uses: Vec<SymbolUse>,
    /// The locals of all bodies, by the places where they are declared.
    pub(crate) locals: BTreeMap<Span, Local>,
    pub(crate) groups: Vec<MovesSymbol>,
    /// What can stand at the requested place.
    pub(crate) context: Option<CompletionContext>,
    pub(crate) diagnostics: Diagnostics,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovesSymbol {
    pub(crate) name: String,
    /// Its head, as it is written: `card_play(me: Player)`.
    pub(crate) head: String,
    pub(crate) notes: Vec<String>,
    pub(crate) span: Span,
}

/// Checks a file as [`check_rules`](crate::check::check_rules) does and keeps what its names mean. Where a name
/// is called `probe` it is found out what could stand there.
pub(crate) fn index_symbols(ast: &Ast, probe: Option<&str>) -> SymbolIndex {
    on_large_stack(|| {
        let file = check_tree(ast, Budget::default(), probe, false);
        let (groups, advice) = (collect_moves(&file), Advice { file: &file }.advice());
        let FileContext { rules, mut diagnostics, recorder, .. } = file;
        let SymbolRecorder { mut uses, mut locals, context, .. } = recorder;
        uses.sort_unstable();
        uses.dedup_by_key(|it| it.span);
        let of_rules = rules.rules.iter().flat_map(|rule| &rule.locals);
        // A local that no name reaches has the place of a value, which is not as long as its name.
        for local in of_rules.filter(|local| local.span.len() == local.name.len()) {
            locals.entry(local.span).or_insert_with(|| local.clone());
        }
        diagnostics.extend(advice);
        SymbolIndex { rules, uses, locals, groups, context, diagnostics }
    })
}

/// The groups of moves in the order of the file, with the notes above them.
fn collect_moves(file: &FileContext) -> Vec<MovesSymbol> {
    let groups = file.rules.groups.iter().zip(&file.groups).map(|(of, group)| MovesSymbol {
        name: of.name.clone(),
        head: group_head(&file.rules, group),
        notes: of.notes.clone(),
        span: group.item.name.span,
    });
    groups.collect()
}

/// How many members of a kind are named before `…`.
const MOST_NAMED: usize = 12;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Description {
    pub(crate) name: String,
    /// How it is written, with its type.
    pub(crate) code: String,
    /// More about it, in words: its title, what running it does, its cells.
    pub(crate) more: Vec<String>,
    /// The `##` lines above it.
    pub(crate) notes: Vec<String>,
    /// The name where it is declared; empty if it is part of the language.
    pub(crate) span: Span,
}

impl SymbolIndex {
    pub(crate) fn describe(&self, symbol: Symbol) -> Description {
        let rules = &self.rules;
        match symbol {
            Symbol::Kind(kind) => self.describe_kind(kind),
            Symbol::Member(kind, at) => self.describe_member(kind, at),
            Symbol::Column(kind, at) => {
                let kind = &rules.kinds[kind.index()];
                let column = &kind.columns[at];
                let code = format!("{}.{}: {}", kind.name, column.name, self.type_text(&column.ty));
                describe(&column.name, code, &column.name, &[], column.span)
            }
            Symbol::Global(Global::Option(option)) => {
                let option = &rules.options[option.index()];
                let ty = ranged(rules, &option.ty, option.range);
                let default = expression_text(rules, &[], &option.default);
                let code = format!("option {}: {ty} = {default} \"{}\"", option.name, option.title);
                describe(&option.name, code, &option.title, &option.notes, option.span)
            }
            Symbol::Global(Global::Constant(constant)) => {
                let constant = &rules.constants[constant.index()];
                let ty = self.type_text(&constant.value.ty);
                let value = expression_text(rules, &[], &constant.value);
                let code = format!("let {}: {ty} = {value}", constant.name);
                describe(&constant.name, code, &constant.name, &[], constant.span)
            }
            Symbol::Global(Global::Table(table)) => {
                let table = &rules.tables[table.index()];
                let (dims, ty) = (dims_text(rules, &table.dims), self.type_text(&table.ty));
                let code = format!("table {}{dims}: {ty}", table.name);
                describe(&table.name, code, &table.title, &table.notes, table.span)
            }
            Symbol::Global(Global::Var(var)) => self.describe_var(&rules.vars[var.index()]),
            Symbol::Global(Global::History(history)) => {
                let history = &rules.histories[history.index()];
                let vars = history.vars.iter().map(|it| rules.vars[it.index()].name.as_str());
                let of = vars.collect::<Vec<_>>().join(", ");
                let code = format!("the table has history {} of {of}", history.name);
                describe(&history.name, code, &history.title, &history.notes, history.span)
            }
            Symbol::Rule(rule) => {
                let rule = &rules.rules[rule.index()];
                let code = format!("rule {}", rule_head(rules, rule));
                let mut found = describe(&rule.name, code, &rule.title, &rule.notes, rule.span);
                if rule.effects != Effects::default() {
                    found.more.push(effects_text(rule.effects));
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

    fn describe_var(&self, var: &Var) -> Description {
        let owner = var.owner.as_str();
        let undrawn = if var.undrawn { "undrawn " } else { "" };
        let (stored, sight) = (self.stored(var), self.sight(var));
        let code = format!("{owner} {undrawn}{stored}{sight}");
        describe(&var.name, code, &var.title, &var.notes, var.span)
    }

    /// Who sees a variable, as it is written after it, with the space before it.
    fn sight(&self, var: &Var) -> String {
        match (var.sight, &var.seers) {
            (Visibility::All, _) => String::new(),
            (Visibility::Owner, _) => " seen by owner".to_owned(),
            (Visibility::Others, _) => " seen by others".to_owned(),
            (Visibility::Named, Some(by)) => {
                format!(" seen by {}", expression_text(&self.rules, &by.locals, &by.value))
            }
            (Visibility::Named | Visibility::Nobody, _) => " hidden".to_owned(),
        }
    }

    pub(crate) fn type_text(&self, ty: &Type) -> String {
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
                    faces.iter().map(|face| self.format_cell(face, &var.ty)).collect();
                return format!("die {name}{dims}: {ty} = {}", faces.join(" "));
            }
        };
        let first = expression_text(rules, &var.init.locals, &var.init.value);
        format!("{word}{name}{dims}: {ty} = {first}")
    }

    fn describe_kind(&self, id: KindId) -> Description {
        let kind = &self.rules.kinds[id.index()];
        let own = kind.own_members();
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
            (KindShape::Board(BoardTopology::Joints(joints)), _) => {
                format!("{} {name}", joints.part.word())
            }
            (KindShape::Board(board), _) => format!("board {name}{}", board.shape_code()),
            (KindShape::Cards(face), _) => format!("cards {name} of {}", name_of(*face)),
            _ => format!("kind {name}"),
        }
    }

    fn describe_member(&self, id: KindId, at: usize) -> Description {
        let kind = &self.rules.kinds[id.index()];
        let Some(member) = kind.members.get(at) else { return Description::default() };
        let code = format!("{}: {}", member.name, kind.name);
        let mut found = describe(&member.name, code, &member.title, &member.notes, member.span);
        let cells = kind.named_columns().filter_map(|it| Some((it, it.cells.get(at)?)));
        let cell = |column: &str, cell: String| format!("`{column} = {cell}`");
        found.more.extend(cells.map(|(it, value)| cell(&it.name, self.format_cell(value, &it.ty))));
        found
    }

    fn format_cell(&self, cell: &Value, ty: &Type) -> String {
        value_words(&self.rules, &[], (ty, cell), PrintManner::Code)
    }
}

/// A description, with the title if it says more than the name.
fn describe(name: &str, code: String, title: &str, notes: &[String], span: Span) -> Description {
    let says_more = title != name && title != name.replace('_', " ");
    let more = if says_more { vec![format!("“{title}”")] } else { Vec::new() };
    Description { name: name.to_owned(), code, more, notes: notes.to_vec(), span }
}
