//! Finds, counts and pays for the members of kinds and the seats.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::recorder::Symbol;
use crate::check::words::{quote_list, to_spaced};
use crate::diagnostic::Help;
use crate::rules::{Expr, KindId, Look, Member, PLAYER, member_expr, unknown_expr};
use crate::source::Span;
use crate::syntax::ast::{self, Cell, CellKind, Name};

pub(crate) const MOST_MEMBERS: usize = 4096;

/// The names so far, with their places.
pub(crate) type SeenNames = BTreeMap<String, Span>;

/// The most members that all kinds may have together.
pub(crate) const MOST_IN_ALL: usize = 65_536;

/// How many bytes a member takes beside its name and its title.
const BYTES_OF_A_MEMBER: usize = 300;

impl FileContext<'_> {
    pub(crate) fn take_members(&mut self, id: KindId, mut members: Vec<Member>) {
        let span = self.rules.kind_at(id).span;
        if !self.reserve_members(members.len(), span) {
            members.clear();
        }
        self.pay_for_members(&members);
        if members.len() > MOST_MEMBERS {
            let name = format!("the kind `{}`", self.rules.kind_at(id).name);
            self.report_error(error::TooManyMembers {
                name,
                found: members.len(),
                most: MOST_MEMBERS,
                span,
            });
        }
        self.rules.kinds[id.index()].members = members;
        self.names.add_members(&self.rules, id);
    }

    /// Charges for the names and titles of a kind, which are kept in several places.
    pub(crate) fn pay_for_members(&self, members: &[Member]) {
        let bytes =
            |member: &Member| BYTES_OF_A_MEMBER + 4 * (member.name.len() + member.title.len());
        self.budget.charge(members.len());
        self.budget.hold_memory(members.iter().map(bytes).sum());
    }

    /// Counts `more` members of all kinds together; reports the first excess. Returns whether they fit.
    pub(crate) fn reserve_members(&mut self, more: usize, span: Span) -> bool {
        let was_full = self.is_full();
        self.all_members = self.all_members.saturating_add(more);
        if self.is_full() && !was_full {
            let name = "this game";
            self.report_error(error::TooManyMembers {
                name,
                found: self.all_members,
                most: MOST_IN_ALL,
                span,
            });
        }
        !self.is_full()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.all_members > MOST_IN_ALL
    }

    /// Members that are written between commas.
    pub(crate) fn listed_members(
        &mut self,
        written: &[ast::MemberDecl],
        seen: &mut SeenNames,
    ) -> Vec<Member> {
        let mut members = Vec::new();
        for ast::MemberDecl { name, title, .. } in written {
            let title = self.title_or(title.as_ref(), to_spaced(&name.text));
            if self.claim_member(seen, name) {
                members.push(plain_member(name.text.clone(), title, name.span));
            }
        }
        members
    }

    /// Reports a name that its kind has already; a new one is remembered. Returns whether it is new.
    pub(crate) fn claim_member(&mut self, seen: &mut SeenNames, name: &ast::Name) -> bool {
        self.check_case(name, "a member", false);
        if let Some(earlier) = seen.get(&name.text) {
            self.duplicate(name, *earlier);
            return false;
        }
        seen.insert(name.text.clone(), name.span);
        true
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
        let of_name = |name: &str| {
            let found = self.names.members.get(name)?;
            found.iter().find(|(of, _)| *of == kind).map(|(_, position)| *position)
        };
        of_name(name).or_else(|| of_name(&turned_link(name)?))
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

    pub(crate) fn member_names(&self, kind: KindId) -> Vec<String> {
        if kind == PLAYER {
            let listed = self.rules.kind_at(PLAYER).members.iter().map(|seat| seat.name.clone());
            return self.seats.iter().flatten().cloned().chain(listed).collect();
        }
        let of = self.rules.kind_at(kind);
        of.own_members().into_iter().map(|at| of.members[at].name.clone()).collect()
    }

    /// A member of a kind that is named somewhere, as a value.
    pub(crate) fn member_value(
        &mut self,
        kind: KindId,
        position: usize,
        name: &ast::Name,
        span: Span,
    ) -> Expr {
        self.recorder.note_use(name.span, Symbol::Member(kind, position));
        if kind == PLAYER && !self.check_seat_taken(position, span) {
            return unknown_expr(span);
        }
        member_expr(kind, position, span)
    }

    /// Reports a seat that is empty with the fewest players (in snippets: with the present number); true if it is not.
    pub(crate) fn check_seat_taken(&mut self, position: usize, span: Span) -> bool {
        let fewest = self.seats.as_ref().map_or(self.rules.players.0, Vec::len);
        // Without a number of players nothing is known, which was reported.
        if position < fewest || fewest == 0 {
            return true;
        }
        let name = &self.rules.kind_at(PLAYER).members[position].name;
        self.report_error(error::missing_seat(name, fewest, span));
        false
    }

    /// The one kind that has all of these names.
    pub(crate) fn kind_of_names<'e>(
        &self,
        items: impl IntoIterator<Item = &'e ast::Expr>,
    ) -> Option<KindId> {
        let mut names = items.into_iter().filter_map(|item| match &item.kind {
            ast::ExprKind::Name(name) => Some(&name.text),
            _ => None,
        });
        let first = names.next()?;
        let names: Vec<&String> = names.collect();
        let owners = self.names.owners(first).iter().map(|(kind, _)| *kind);
        let mut kinds = owners
            .chain(self.find_seat(first, true).map(|_| PLAYER))
            .collect::<BTreeSet<KindId>>()
            .into_iter()
            .filter(|kind| names.iter().all(|name| self.member_of(*kind, name).is_some()));
        let kind = kinds.next()?;
        kinds.next().is_none().then_some(kind)
    }

    pub(crate) fn no_member(&mut self, kind: KindId, word: &Name) {
        let guess = self.guesses.are_left();
        let members = if guess { self.member_names(kind) } else { Vec::new() };
        let help = match self.guesses.nearest(&word.text, members.iter().map(String::as_str)) {
            Some(near) => Help::did_you_mean(near),
            None if !guess => "name one of its members".into(),
            None if members.is_empty() => "write `Player.first`, `next(p)` and the like".into(),
            None if members.len() > 12 => "name one of its members".into(),
            None => format!("its members are {}", quote_list(&members)).into(),
        };
        let kind = &self.rules.kind_at(kind).name;
        self.report_error(error::unknown_member(kind, &word.text, help, word.span));
    }
}

pub(crate) fn plain_member(name: String, title: String, span: Span) -> Member {
    Member { name, title, notes: Vec::new(), look: Look::default(), span }
}

/// The word of a label; empty if it is none, which is reported where the row is read.
pub(crate) fn cell_word(label: &ast::Cell) -> String {
    match &label.kind {
        ast::CellKind::Name(word) => word.clone(),
        _ => String::new(),
    }
}

/// What a cell holds, in messages.
pub(crate) fn describe_cell(cell: &Cell) -> String {
    match &cell.kind {
        CellKind::None => "`-`".to_owned(),
        CellKind::Number(_) => "a number".to_owned(),
        CellKind::Bool(_) => "yes or no".to_owned(),
        CellKind::Text(_) => "a text".to_owned(),
        CellKind::Name(name) => format!("the name `{name}`"),
        CellKind::Set(_) => "a set".to_owned(),
        CellKind::Numbers(_) => "a set of numbers".to_owned(),
        CellKind::Goods(_) => "a bag".to_owned(),
    }
}

/// The name of a link from its other end: `dor-red-2` for `red-dor-2`.
fn turned_link(name: &str) -> Option<String> {
    let (from, rest) = name.split_once('-')?;
    Some(match rest.split_once('-') {
        Some((to, number)) => format!("{to}-{from}-{number}"),
        None => format!("{rest}-{from}"),
    })
}
