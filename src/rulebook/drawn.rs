//! Kinds and tables drawn as tables of Markdown, and boards as they lie.

use std::collections::{BTreeMap, BTreeSet};

use crate::rulebook::english::{
    append_note, capitalised, format_table, headed, in_code, join_list, join_words, one, paragraph,
    sentence, space_words,
};
use crate::rulebook::pieces::has_stocks;
use crate::rulebook::setup::describe_formula;
use crate::rulebook::words::Phraser;
use crate::rulebook::{Book, PICTURE, has_own_title, title_or_name};
use crate::rules::printed::{copies_of, printed_columns};
use crate::rules::topology::{BoardTopology, CellLayout};
use crate::rules::visit::visit_choices;
use crate::rules::{
    Column, Constant, ConstantId, Domain, Kind, KindId, KindShape, Member, PLAYER, Table, TableId,
    Type, Value,
};
use crate::source::padded;

/// Longer rows of cells are drawn from the top down.
const MOST_IN_ROW: usize = 12;

/// All kinds, boards, tables and numbers that the file gives a name.
pub(super) fn draw_components(book: &Book) -> Vec<Drawing> {
    let mut parts = Vec::new();
    let overview = Overview::from_book(book);
    let seats = book.lookup_kind(PLAYER);
    if !overview.is_bare(PLAYER, seats) {
        let text = headed("Seats", &[], &render_members(&overview, PLAYER, seats));
        parts.push((Subject::Kind(PLAYER), text));
    }
    for (at, kind) in book.rules.kinds.iter().enumerate().skip(1) {
        let id = KindId::at(at);
        parts.extend(render_kind(&overview, id, kind).map(|text| (Subject::Kind(id), text)));
    }
    for (at, table) in book.rules.tables.iter().enumerate().filter(|(_, it)| !it.is_computed()) {
        parts.extend(of_table(book, table).map(|text| (Subject::Table(TableId::at(at)), text)));
    }
    for (at, constant) in book.rules.constants.iter().enumerate() {
        let line = render_constant(book, constant);
        parts.extend(line.map(|text| (Subject::Constant(ConstantId::at(at)), text)));
    }
    parts
}

fn is_extended(book: &Book, id: KindId) -> bool {
    book.rules.additions.iter().any(|added| added.kind == id)
}

/// What is drawn, and the drawing below its heading.
pub(super) type Drawing = (Subject, String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    Kind(KindId),
    Table(TableId),
    Constant(ConstantId),
}

/// Whether a board is laid out before play.
fn is_laid(board: BoardTopology) -> bool {
    let is_joint = matches!(board, BoardTopology::Joints(_));
    // What lies between places lies where these are.
    !is_joint && !matches!(board.cell_layout(), CellLayout::Between(..) | CellLayout::Circle)
}

/// The boards as they are laid out.
pub(super) fn draw_boards(book: &Book) -> String {
    let boards = book.rules.kinds.iter().filter_map(|kind| {
        book.budget.turn_to(kind.span);
        let board = kind.as_board().filter(|board| is_laid(*board))?;
        let text = match board.cell_layout() {
            CellLayout::Links => map(book, kind),
            layout => render_grid(book, kind, layout),
        };
        Some(headed(&title_or_name(&kind.title, &kind.name), &kind.notes, &text))
    });
    join_words(boards, "\n\n")
}

fn render_kind(overview: &Overview, id: KindId, kind: &Kind) -> Option<String> {
    let book = overview.book;
    book.budget.turn_to(kind.span);
    let is_named = kind.name.starts_with(char::is_alphabetic);
    let text = match kind.shape {
        _ if !is_named => return None,
        KindShape::Board(board) if is_laid(board) => return None,
        KindShape::Lines(_) | KindShape::Bags(_) | KindShape::Directions | KindShape::Cards(_) => {
            return None;
        }
        KindShape::Board(board) => match board.cell_layout() {
            CellLayout::Circle => render_members(overview, id, kind),
            CellLayout::Links if !overview.shown_columns(id, kind).is_empty() => {
                render_members(overview, id, kind)
            }
            _ => return None,
        },
        KindShape::Plain if overview.is_bare(id, kind) && !overview.met.contains(&id) => {
            return None;
        }
        KindShape::Plain
            if overview.is_bare(id, kind) && kind.notes.is_empty() && !is_extended(book, id) =>
        {
            let board = kind.within.as_ref().and_then(|part| book.lookup_kind(part.of).as_board());
            if board.is_some_and(is_laid) {
                return None;
            }
            let own = kind.own_members().into_iter().map(|at| &kind.members[at]);
            let names: Vec<String> = own.map(|it| title_or_name(&it.title, &it.name)).collect();
            let noun = book.noun(Domain::Kind(id));
            // `level 1` is a level by its name.
            let is_plain = names.iter().all(|it| it.starts_with(&format!("{noun} ")));
            return (!is_plain).then(|| format!("- *{noun}*: {}.", join_list(names, "or")));
        }
        KindShape::Plain if overview.is_bare(id, kind) => {
            in_parts(book, id, &kind.own_members(), &|own| {
                let own = own.iter().map(|at| &kind.members[*at]);
                format!("{}.", join_words(own.map(|it| title_or_name(&it.title, &it.name)), ", "))
            })
        }
        KindShape::Plain => match factors(overview, id, kind) {
            Some(text) if text.is_empty() && kind.notes.is_empty() => return None,
            Some(text) => text,
            None => render_members(overview, id, kind),
        },
    };
    Some(headed(&title_or_name(&kind.title, &kind.name), &kind.notes, &text))
}

/// What the members of a product are, if they differ in nothing but their parts.
fn factors(overview: &Overview, id: KindId, kind: &Kind) -> Option<String> {
    let table = overview.book.rules.tables.iter().find(|it| it.makes(kind))?;
    let copies = overview.copies(id).unwrap_or_else(|| vec![1]);
    let even = copies.iter().all(|count| *count == copies[0]);
    if !even || kind.named_columns().count() > table.dims.len() {
        return None;
    }
    let parts = table.dims.iter().map(|dim| format!("each {}", overview.book.noun(*dim)));
    let (first, last) = (kind.members.first()?, kind.members.last()?);
    let [first, last] = [first, last].map(|it| title_or_name(&it.title, &it.name));
    if has_stocks(overview.book, id) {
        // The box says how many there are of what.
        return Some(String::new());
    }
    let count = if copies[0] == 1 { "One".to_owned() } else { copies[0].to_string() };
    Some(format!("{count} for {}: {first} to {last}.", join_list(parts, "and")))
}

struct Overview<'a> {
    book: &'a Book<'a>,
    /// The kinds that people meet: on the table, in an option, in a drawn table or in a move. What only
    /// rules ask for among themselves is no part of the game as it is played.
    met: BTreeSet<KindId>,
    /// The columns that people need, by kind.
    printed: Vec<Vec<usize>>,
}

impl<'a> Overview<'a> {
    fn from_book(book: &'a Book<'a>) -> Overview<'a> {
        let rules = book.rules;
        let overview = Overview { book, met: BTreeSet::new(), printed: printed_columns(rules) };
        let vars = rules
            .vars
            .iter()
            .flat_map(|var| of_type(&var.ty).into_iter().chain(kinds_of_dims(&var.dims)));
        let mut met: BTreeSet<KindId> = vars.collect();
        met.extend(rules.options.iter().filter_map(|option| of_type(&option.ty)));
        for table in &rules.tables {
            met.extend(of_type(&table.ty).into_iter().chain(kinds_of_dims(&table.dims)));
        }
        for (id, kind) in (0..).map(KindId::at).zip(&rules.kinds) {
            met.extend((!kind.notes.is_empty()).then_some(id));
            met.extend(kind.within.as_ref().map(|part| part.of));
            let columns = overview.shown_columns(id, kind);
            met.extend(columns.into_iter().filter_map(|column| of_type(&column.ty)));
        }
        for rule in &rules.rules {
            visit_choices(&rule.body, &mut |choose| {
                let params = choose.options.iter().flat_map(|option| &option.params);
                met.extend(params.filter_map(|local| of_type(&rule.locals[local.index()].ty)));
            });
        }
        Overview { met, ..overview }
    }

    fn shown_columns<'k>(&self, id: KindId, kind: &'k Kind) -> Vec<&'k Column> {
        self.printed[id.index()].iter().map(|at| &kind.columns[*at]).collect()
    }

    /// Whether there is nothing to say of the members but what they are called.
    fn is_bare(&self, id: KindId, kind: &Kind) -> bool {
        let noted = kind.members.iter().any(|member| !member.notes.is_empty());
        self.printed[id.index()].is_empty() && self.copies(id).is_none() && !noted
    }

    /// How many cards there are of each face.
    fn copies(&self, face: KindId) -> Option<Vec<usize>> {
        copies_of(self.book.rules, face.index())
    }
}

/// The kind whose members, or sets of them, a type holds.
fn of_type(ty: &Type) -> Option<KindId> {
    match ty {
        Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
        Type::Maybe(inner) => of_type(inner),
        _ => None,
    }
}

/// The kinds that something is over.
fn kinds_of_dims(dims: &[Domain]) -> impl Iterator<Item = KindId> {
    dims.iter().filter_map(|dim| match dim {
        Domain::Kind(kind) => Some(*kind),
        Domain::Range(_) => None,
    })
}

fn render_members(overview: &Overview, id: KindId, kind: &Kind) -> String {
    let book = overview.book;
    let columns = overview.shown_columns(id, kind);
    let copies = overview.copies(id);
    let own = kind.own_members();
    let has_notes = own.iter().any(|at| !kind.members[*at].notes.is_empty());
    let mut heading = vec![String::new()];
    let head = |column: &&Column| match column.name.as_str() {
        "text" => "what it does".to_owned(),
        name => title_or_name("", name),
    };
    heading.extend(columns.iter().map(head));
    heading.extend(copies.iter().map(|_| "cards".to_owned()));
    heading.extend(has_notes.then(String::new));
    let row = |at: usize| {
        let member = &kind.members[at];
        let mut row = vec![title_or_name(&member.title, &member.name)];
        row.extend(columns.iter().map(|column| render_cell(book, &column.cells[at], &column.ty)));
        row.extend(copies.iter().map(|copies| copies[at].to_string()));
        row.extend(has_notes.then(|| paragraph(&member.notes)));
        row
    };
    in_parts(book, id, &own, &|own| {
        let rows = own.iter().map(|at| row(*at));
        format_table(&[heading.clone()].into_iter().chain(rows).collect::<Vec<_>>())
    })
}

/// Members, with what is said of those that an `extend kind` adds above them.
fn in_parts(book: &Book, id: KindId, own: &[usize], drawn: &dyn Fn(&[usize]) -> String) -> String {
    let starts: Vec<_> = book.rules.additions.iter().filter(|it| it.kind == id).collect();
    let end = |at: usize| starts.get(at).map_or(own.len(), |next| next.first);
    let mut parts = Vec::new();
    if end(0) > 0 {
        parts.push(drawn(&own[..end(0).min(own.len())]));
    }
    for (at, added) in starts.iter().enumerate() {
        let members = drawn(&own[added.first..end(at + 1)]);
        parts.push(format!("{}\n\n{members}", paragraph(&added.notes)));
    }
    join_words(parts.iter().map(|part| part.trim_end().to_owned()), "\n\n")
}

fn render_grid(book: &Book, kind: &Kind, layout: CellLayout) -> String {
    let mut own =
        kind.named_columns().filter(|it| !matches!(it.name.as_str(), "row" | "column")).peekable();
    if own.peek().is_none() {
        let (sorts, legend) = sorts_of_cells(book, kind);
        let name = |cell: &Member| match sorts.get(cell.name.as_str()) {
            Some(sort) => format!("{} {sort}", cell.name),
            None if sorts.is_empty() => cell.name.clone(),
            // Where others are, this is no cell of the game.
            None => String::new(),
        };
        let names: Vec<String> = kind.members.iter().map(name).collect();
        return format!("{}{}```{legend}", fence(kind), align_cells(book, &names, layout));
    }
    let draw = |column: &Column| {
        let cells = column.cells.iter().zip(&kind.members).map(|(value, member)| {
            format!("{} {}", member.name, in_code(&render_cell(book, value, &column.ty)))
        });
        let drawn = align_cells(book, &cells.collect::<Vec<_>>(), layout);
        format!("{}:\n\n{}{drawn}```", capitalised(&title_or_name("", &column.name)), fence(kind))
    };
    join_words(own.map(draw), "\n\n")
}

/// What sort each cell of a board is of, by its name, if there are sorts; and what their letters mean.
fn sorts_of_cells<'a>(book: &Book<'a>, board: &Kind) -> (BTreeMap<&'a str, String>, String) {
    let is_sort = |it: &&Kind| {
        it.within.as_ref().is_some_and(|part| book.lookup_kind(part.of).span == board.span)
    };
    let sorts: Vec<&Kind> = book.rules.kinds.iter().filter(is_sort).collect();
    let nouns: Vec<String> = sorts.iter().map(|sort| space_words(&sort.name)).collect();
    let letters: BTreeSet<Option<char>> = nouns.iter().map(|noun| noun.chars().next()).collect();
    let length = if letters.len() == nouns.len() { 1 } else { usize::MAX };
    let mark = |noun: &str| noun.chars().take(length).collect::<String>();
    let mut marks = BTreeMap::new();
    for (sort, noun) in sorts.iter().zip(&nouns) {
        let own = sort.own_members().into_iter().map(|at| sort.members[at].name.as_str());
        marks.extend(own.map(|cell| (cell, mark(noun))));
    }
    let legend =
        join_list(nouns.iter().map(|noun| format!("{} is {}", mark(noun), one(noun))), "and");
    (marks, if legend.is_empty() { legend } else { format!("\n\n{}.", capitalised(&legend)) })
}

/// What stands before a board in letters.
fn fence(kind: &Kind) -> String {
    format!("```{PICTURE}{}\n", kind.name)
}

fn align_cells(book: &Book, cells: &[String], layout: CellLayout) -> String {
    let longest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let CellLayout::Slanted(hex) = layout else {
        let row = |row: &[String]| in_row(row, longest, 0);
        let columns = layout.column_count().unwrap_or(1).max(1);
        let has_room = book.has_room(longest * cells.len());
        return if has_room { cells.chunks(columns).map(row).collect() } else { String::new() };
    };
    // Half a cell is a number of letters.
    let width = longest + longest % 2;
    // One long cell makes all others as wide.
    if !book.has_room(width * (cells.len() + hex.row_count() * hex.row_count())) {
        return String::new();
    }
    let mut rest = cells;
    let row = |at: usize| {
        let (row, after) = rest.split_at(hex.row_length(at));
        rest = after;
        in_row(row, width, hex.indent(at) * (width + 2) / 2)
    };
    (0..hex.row_count()).map(row).collect()
}

fn in_row(cells: &[String], width: usize, indent: usize) -> String {
    let cells = join_words(cells.iter().map(|cell| padded(cell, width)), "  ");
    format!("{}{}\n", " ".repeat(indent), cells.trim_end())
}

fn map(book: &Book, kind: &Kind) -> String {
    let links = kind.columns.iter().find(|column| column.name.starts_with("neighbours("));
    let name = |member: &Member| title_or_name(&member.title, &member.name);
    let place = |at: &i64| kind.members.get(usize::try_from(*at).ok()?).map(name);
    let line = |(at, member): (usize, &Member)| {
        let beside: &[i64] = match links.and_then(|links| links.cells.get(at)) {
            Some(Value::Set(members)) => members,
            _ => &[],
        };
        let places = beside.iter().filter_map(place).map(|place| book.write_piece(|| place));
        let to = if beside.is_empty() { "no other place".into() } else { join_words(places, ", ") };
        format!("- {}: beside {to}\n", name(member))
    };
    kind.members.iter().enumerate().map(line).collect()
}

fn of_table(book: &Book, of: &Table) -> Option<String> {
    book.budget.turn_to(of.span);
    let title = title_or_name(&of.title, &of.name);
    if let Some(formula) = &of.formula {
        let words = describe_formula(Phraser::for_locals(book, &formula.locals), formula);
        return Some(headed(&title, &of.notes, &sentence(&words)));
    }
    let (last, first) = of.dims.split_last()?;
    let across = member_places(book, *last)?;
    let stride = dim_size(book, *last)?;
    let mut down = vec![(String::new(), 0)];
    for dim in first {
        let (labels, size) = (member_places(book, *dim)?, dim_size(book, *dim)?);
        let pairs = down.iter().flat_map(|left| labels.iter().map(move |right| (left, right)));
        let join = |((left, at), (right, place)): (&(String, usize), &(String, usize))| {
            let label = book.write_piece(|| format!("{left} {right}").trim().to_owned());
            (label, at * size + place)
        };
        down = pairs.map(join).collect();
    }
    let mut heading = vec![String::new()];
    if first.is_empty() {
        let (fewest, most) = book.rules.players;
        let is_players = |range| {
            let range: (i64, Option<i64>) = book.range_ends(range)?;
            let ends = (usize::try_from(range.0).ok()?, usize::try_from(range.1?).ok()?);
            (fewest > 1 && ends == (fewest, most)).then(|| "players".to_owned())
        };
        let players = if let Domain::Range(range) = *last { is_players(range) } else { None };
        heading[0] = players.unwrap_or_else(|| book.noun(*last));
        // What is looked up is no news below its heading.
        down[0].0 = match &of.ty {
            Type::Kind(kind) if *kind != PLAYER && has_own_title(&of.title, &of.name) => {
                book.noun(Domain::Kind(*kind))
            }
            _ => title.clone(),
        };
    }
    heading.extend(across.iter().map(|(label, _)| label.clone()));
    let rows = down.iter().map(|(label, at)| {
        let mut row = vec![label.clone()];
        let cells = across.iter().map(|(_, place)| &of.cells[at * stride + place]);
        row.extend(cells.map(|value| render_cell(book, value, &of.ty)));
        row
    });
    let mut rows: Vec<Vec<String>> = [heading].into_iter().chain(rows).collect();
    if rows.len() == 2 && across.len() > MOST_IN_ROW {
        let turned = transpose_rows(&rows);
        rows = if matches!(last, Domain::Range(_)) { joined_rows(&turned) } else { turned };
    }
    Some(headed(&title, &of.notes, &format_table(&rows)))
}

/// The members of a dimension in words, with their places in it, if it is known how many there are; a part of a kind
/// has only its own.
fn member_places(book: &Book, dim: Domain) -> Option<Vec<(String, usize)>> {
    match dim {
        Domain::Kind(PLAYER) => None,
        Domain::Kind(kind) => {
            let member = |at: usize| book.member_title(kind, i64::try_from(at).unwrap_or(0));
            let own = book.lookup_kind(kind).own_members().into_iter();
            Some(own.map(|at| (book.write_piece(|| member(at)), at)).collect())
        }
        Domain::Range(range) => {
            let (low, high) = book.range_ends(range)?;
            let numbers = low..=high?;
            Some(numbers.map(|number| book.write_piece(|| number.to_string())).zip(0..).collect())
        }
    }
}

fn dim_size(book: &Book, dim: Domain) -> Option<usize> {
    match dim {
        Domain::Kind(kind) => Some(book.lookup_kind(kind).members.len()),
        Domain::Range(_) => book.count_members(dim),
    }
}

fn transpose_rows(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|at| rows.iter().map(|row| row[at].clone()).collect()).collect()
}

/// Rows that follow each other with the same value as one: `21 to 24`.
fn joined_rows(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let alike = rows.chunk_by(|one, other| one.get(1) == other.get(1));
    let join = |rows: &[Vec<String>]| match rows {
        [first, .., last] => vec![format!("{} to {}", first[0], last[0]), first[1].clone()],
        rows => rows.concat(),
    };
    alike.map(join).collect()
}

fn render_cell(book: &Book, value: &Value, ty: &Type) -> String {
    match value {
        Value::None => "–".to_owned(),
        Value::Set(members) if members.is_empty() => "–".to_owned(),
        value => book.describe_value(value, ty),
    }
}

/// A number that is not the same in every game, or that there is something to say about.
fn render_constant(book: &Book, constant: &Constant) -> Option<String> {
    book.budget.turn_to(constant.span);
    let note = append_note(". ", &constant.notes);
    if note.is_empty() && book.known_value(&constant.value).is_some() {
        return None;
    }
    let value = book.describe_amount(&constant.value)?;
    Some(format!("- *{}*: {value}{note}", title_or_name("", &constant.name)))
}
