//! Name resolution: names of the file, locals of a body, members of kinds.

use crate::check::context::Checker;
use crate::check::error;
use crate::check::names::{Global, Meaning};
use crate::rules::topology::DIRECTION_SETS;
use crate::rules::{Cells, Domain, KindId, Local, LocalId, PLAYER, Table, TableId, Type};
use crate::source::Span;
use crate::syntax::ast::Name;

impl Checker<'_> {
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
        self.rules.tables.push(Table { name, title, notes, dims, ty, cells, span });
    }

    pub(crate) fn declare(&mut self, name: &Name, ty: Type) -> LocalId {
        self.declare_local(Local::fixed(&name.text, ty, name.span))
    }

    pub(crate) fn declare_local(&mut self, local: Local) -> LocalId {
        self.refuse_shadowing(&local);
        let (name, span) = (local.name.clone(), local.span);
        let id = self.add_local(local);
        self.body.visible.push(id, &name);
        self.note_local(span, id);
        id
    }

    /// Adds a local that no name reaches.
    pub(crate) fn add_local(&mut self, local: Local) -> LocalId {
        self.body.locals.push(local);
        LocalId::at(self.body.locals.len() - 1)
    }

    fn refuse_shadowing(&mut self, new: &Local) {
        let Some(meaning) = self.meaning(&new.name) else { return };
        let (what, earlier, changes) = match meaning {
            Meaning::Local(local) if local.index() < self.body.hideable => return,
            Meaning::Local(local) => {
                let local = self.local_at(local);
                ("a name that can be seen here", Some(local.span), local.mutable)
            }
            // The author of a base does not know the names of its variants.
            Meaning::Global(global)
                if self.file_at(self.declaration(global)) < self.file_at(new.span) =>
            {
                return;
            }
            Meaning::Global(global) => {
                let what = match global {
                    Global::Var(_) => "a variable of the table",
                    Global::Option(_) => "an option",
                    Global::Constant(_) => "a constant",
                    Global::Table(_) => "a table",
                    Global::History(_) => "a history",
                };
                (what, Some(self.declaration(global)), matches!(global, Global::Var(_)))
            }
            Meaning::Players => ("the number of players", None, false),
            Meaning::Turn => ("the number of the turn", None, false),
            Meaning::Directions(_) => ("a set of directions", None, false),
            Meaning::Kind(_) => return,
        };
        let help = if changes {
            format!("take another name; to change the earlier one write `{} = …` alone", new.name)
        } else {
            "take another name, so that each name means one thing".to_owned()
        };
        self.report_error(error::shadowed(help, &new.name, what, new.span, earlier));
    }

    /// The number of the file in which something stands.
    fn file_at(&self, span: Span) -> usize {
        self.tree.files.partition_point(|begin| *begin <= span.start)
    }

    pub(crate) fn declaration(&self, global: Global) -> Span {
        match global {
            Global::Var(var) => self.rules.var_at(var).span,
            Global::Option(option) => self.rules.options[option.index()].span,
            Global::Constant(constant) => self.rules.constants[constant.index()].span,
            Global::Table(table) => self.rules.tables[table.index()].span,
            Global::History(history) => self.rules.histories[history.index()].span,
        }
    }

    /// What a bare name means, members aside.
    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(local) = self.body.visible.find_local(name) {
            return Some(Meaning::Local(local));
        }
        if let Some(global) = self.names.globals.get(name) {
            return Some(Meaning::Global(*global));
        }
        match name {
            "players" => Some(Meaning::Players),
            "turn" => Some(Meaning::Turn),
            "orthogonal" | "diagonal" if self.direction_set(name).is_some() => {
                let known = DIRECTION_SETS.iter().find(|(word, _)| *word == name);
                known.map(|(word, _)| Meaning::Directions(word))
            }
            _ => self.names.kinds.get(name).map(|kind| Meaning::Kind(*kind)),
        }
    }

    /// The position of a member in a kind; in snippets players are members by their names, too.
    pub(crate) fn member_of(&self, kind: KindId, name: &str) -> Option<usize> {
        if kind == PLAYER {
            let seat = || self.find_seat(name, true);
            return self
                .find_seat(name, false)
                .or_else(|| self.rules.listed_seat(name))
                .or_else(seat);
        }
        if let Some(part) = &self.rules.kind_at(kind).within {
            return self.member_of(part.of, name).filter(|at| part.members.contains(at));
        }
        let found = self.names.members.get(name)?;
        found.iter().find(|(of, _)| *of == kind).map(|(_, position)| *position)
    }

    /// The player of a name; capital letters matter unless `loosely`.
    pub(crate) fn find_seat(&self, name: &str, loosely: bool) -> Option<usize> {
        let seats = self.seats.as_ref()?;
        let exact = seats.iter().position(|seat| seat == name);
        exact.or_else(|| {
            let same = |seat: &String| loosely && seat.eq_ignore_ascii_case(name);
            seats.iter().position(same)
        })
    }

    pub(crate) fn owners(&self, name: &str) -> &[(KindId, usize)] {
        self.names.members.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn member_names(&self, kind: KindId) -> Vec<String> {
        if kind == PLAYER {
            let listed = self.rules.kind_at(PLAYER).members.iter().map(|seat| seat.name.clone());
            return self.seats.iter().flatten().cloned().chain(listed).collect();
        }
        let of = self.rules.kind_at(kind);
        of.own_members().into_iter().map(|at| of.members[at].name.clone()).collect()
    }
}
