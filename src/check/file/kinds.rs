//! Finds kinds by name, and adds kinds, columns and computed tables.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::file::members::SeenNames;
use crate::check::typer::bags::goods_text;
use crate::check::words::quote_list;
use crate::rules::{
    Cells, Column, Domain, Kind, KindId, KindShape, Table, TableId, Type, Value, to_int,
};
use crate::source::Span;
use crate::syntax::ast;

/// How many bytes a cell of a column takes, in the rules and in the copy that is compiled.
pub(crate) const BYTES_OF_A_CELL: usize = 96;

impl FileContext<'_> {
    /// Adds a kind that no declaration makes; its members come later.
    pub(crate) fn add_kind(
        &mut self,
        name: &str,
        shape: KindShape,
        columns: Vec<Column>,
        span: Span,
    ) -> KindId {
        let (name, title) = (name.to_owned(), name.to_owned());
        self.rules.kinds.push(Kind { name, title, columns, shape, span, ..Kind::default() });
        KindId::at(self.rules.kinds.len() - 1)
    }

    /// Adds a column; of one of bags a table has the amounts, and the column how they are printed.
    pub(crate) fn add_column(&mut self, id: KindId, mut column: Column) -> usize {
        if let Type::Bag(goods) = column.ty {
            let own = self.rules.kind_at(goods).own_members();
            let empty = || vec![0; own.len()];
            let amounts = |cell: &Value| match cell {
                Value::List(amounts) => amounts.clone(),
                _ => empty(),
            };
            let bags: Vec<Vec<i64>> = column.cells.iter().map(amounts).collect();
            let members = &self.rules.kind_at(goods).members;
            let titles: Vec<&str> = own.iter().map(|at| members[*at].title.as_str()).collect();
            column.cells = bags.iter().map(|bag| Value::Text(goods_text(bag, &titles))).collect();
            self.add_amounts(id, goods, &column.name, &bags, column.span);
        }
        let bytes = |cell: &Value| BYTES_OF_A_CELL + 8 * cell.item_count();
        self.budget.charge(column.cells.len());
        self.budget.hold_memory(column.cells.iter().map(bytes).sum());
        let columns = &mut self.rules.kinds[id.index()].columns;
        columns.push(column);
        columns.len() - 1
    }

    pub(crate) fn is_kind_of_cards(&self, kind: KindId) -> bool {
        self.tree.cards.iter().any(|(id, _)| *id == kind)
            || matches!(self.rules.kind_at(kind).shape, KindShape::Cards(_))
    }

    /// The kind that `cards` means, perhaps with `of` a kind after it.
    pub(crate) fn cards_kind(&mut self, of: Option<&ast::Name>, span: Span) -> Option<KindId> {
        let kinds = self.rules.kinds.iter().enumerate().map(|(at, _)| KindId::at(at));
        let all: Vec<KindId> = kinds.filter(|kind| self.is_kind_of_cards(*kind)).collect();
        let (problem, help) = match (of, all.as_slice()) {
            (Some(name), _) => {
                let kind = self.kind_named(name)?;
                if all.contains(&kind) {
                    return Some(kind);
                }
                let help = format!("declare it: `cards {} of …`", name.text);
                (format!("`{}` is no kind of cards", name.text), help)
            }
            (None, [only]) => return Some(*only),
            (None, []) => {
                let help = "declare them: `cards Card of Face`".to_owned();
                ("the file has no cards".to_owned(), help)
            }
            (None, several) => {
                let name = |kind: &KindId| format!("cards of {}", self.rules.kind_at(*kind).name);
                let names: Vec<String> = several.iter().map(name).collect();
                let help = format!("say which: {}", quote_list(&names));
                ("the file has several kinds of cards".to_owned(), help)
            }
        };
        self.refuse_with(error::no_cards(problem, help, span))
    }

    /// Whether all these members are of a part; of none at all nothing is known.
    pub(crate) fn has_all(&self, part: KindId, members: &[i64]) -> bool {
        let within = self.rules.kind_at(part).within.as_ref().map(|part| &part.members);
        let is_own = |member: &i64| {
            within.is_none_or(|own| own.binary_search_by(|at| to_int(*at).cmp(member)).is_ok())
        };
        self.budget.charge(members.len());
        !members.is_empty() && members.iter().all(is_own)
    }

    /// The kind of a name; nothing if there is none, which is reported.
    pub(crate) fn kind_named(&mut self, name: &ast::Name) -> Option<KindId> {
        self.note_kind(name);
        let found = self.names.kinds.get(&name.text).copied();
        if found.is_none() {
            self.unknown_kind(name);
        }
        found
    }

    /// The kind of a list of members; equal lists are one kind.
    pub(crate) fn unnamed_kind(&mut self, members: &[ast::MemberDecl], span: Span) -> Type {
        let words: Vec<&str> = members.iter().map(|member| member.name.text.as_str()).collect();
        if let [set] = words[..]
            && set.starts_with(char::is_uppercase)
        {
            // A type is looked at when kinds are found, and where it is used.
            if self.reported_names.insert(format!("{{{set}}} at {}", span.start)) {
                let better = format!("set of {set}");
                let (what, wanted) = ("a member", "small");
                self.report_error(error::Naming { what, name: set, wanted, better, span });
            }
            return Type::Unknown;
        }
        let name = format!("{{{}}}", words.join(", "));
        if let Some(kind) = self.names.kinds.get(&name).copied() {
            self.note_members(kind, members);
            return Type::Kind(kind);
        }
        if self.seats.is_some() {
            self.new_type(span);
            return Type::Unknown;
        }
        let kind = KindId::at(self.rules.kinds.len());
        self.names.kinds.insert(name.clone(), kind);
        let all = self.listed_members(members, &mut SeenNames::new());
        let title = name.clone();
        self.rules.kinds.push(Kind { name, title, members: all, span, ..Kind::default() });
        self.names.add_members(&self.rules, kind);
        self.note_members(kind, members);
        Type::Kind(kind)
    }

    /// Adds a table that no declaration makes.
    pub(crate) fn add_computed(
        &mut self,
        name: String,
        dims: Vec<Domain>,
        ty: Type,
        cells: Cells,
        span: Span,
    ) {
        let id = TableId::at(self.rules.tables.len());
        self.names.computed.entry(name.clone()).or_insert(id);
        let (title, notes) = (name.clone(), Vec::new());
        let formula = None;
        self.rules.tables.push(Table { name, title, notes, dims, ty, cells, formula, span });
    }
}
