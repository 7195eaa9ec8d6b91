//! Pieces in the box: pawns, those of a stock, and those that lie on a board.

use crate::check::note_names::split_words;
use crate::rulebook::boxed::{MOST_COUNTED, members_of};
use crate::rulebook::english::{
    append_note, authored, capitalised, is_superlative, join_list, plural,
};
use crate::rulebook::{Book, has_own_title, title_or_name};
use crate::rules::{Domain, ExprKind, KindId, PLAYER, Table, Type, Value, Var, VarForm};
use crate::syntax::ast::Owner;

/// What says where on a board each player is, or a piece of nobody's; or who has a title.
fn pawn_of(book: &Book, var: &Var) -> Option<String> {
    if !var.dims.is_empty() || !matches!(var.form, VarForm::Plain) {
        return None;
    }
    let (name, note) = (title_or_name(&var.title, &var.name), append_note(". ", &var.notes));
    let is_title = is_superlative(&name);
    if let (Type::Maybe(inner), Owner::Table, true) = (&var.ty, var.owner, is_title)
        && **inner == Type::Kind(PLAYER)
    {
        return Some(format!("- a card or a token for the player who has the **{name}**{note}\n"));
    }
    let Type::Kind(kind) = var.ty else { return None };
    let board = Some(book.lookup_kind(kind)).filter(|it| it.is_board())?;
    let on = title_or_name(&board.title, &board.name);
    Some(match var.owner {
        Owner::Player => format!("- for each player, a pawn for the board **{on}**{note}\n"),
        Owner::Table => format!("- a piece for the board **{on}**: the **{name}**{note}\n"),
    })
}

/// A board that is no kind, but a table of which the note says that it is laid out.
pub(super) fn list_drawn_tables(book: &Book) -> String {
    let is_board = |notes: &[String]| {
        let words: Vec<String> = notes.iter().flat_map(|note| split_words(note)).collect();
        words.iter().any(|it| it == "board") && words.iter().any(|it| it == "paper")
    };
    let tables = book.rules.tables.iter().filter(|it| is_board(&it.notes));
    let name = |table: &Table| capitalised(&title_or_name(&table.title, &table.name));
    let lines =
        tables.map(|it| format!("- a board, or paper to draw it on (see *{}*)\n", name(it)));
    lines.collect::<Vec<_>>().concat()
}

/// Pieces of a kind: those of a stock, those that lie on a board, and those that each player begins with.
pub(super) fn pieces_of(book: &Book, var: &Var) -> Option<String> {
    if let Some(pawn) = pawn_of(book, var) {
        return Some(pawn);
    }
    if let (Owner::Player, [], ExprKind::Whole(Domain::Kind(kind))) =
        (var.owner, var.dims.as_slice(), &var.init.value.kind)
    {
        let count = book.lookup_kind(*kind).own_members().len();
        let note = append_note(". ", &var.notes);
        let members = members_of(book, *kind);
        return Some(format!("- for each player, {count} pieces: {members}{note}\n"));
    }
    let [dim] = var.dims[..] else { return None };
    if !matches!(var.form, VarForm::Plain) || var.owner == Owner::Player {
        return None;
    }
    let Domain::Kind(over) = dim else { return None };
    let board = book.lookup_kind(over);
    if board.is_board() {
        let held = if let Type::Maybe(held) = &var.ty { held } else { &var.ty };
        let on = title_or_name(&board.title, &board.name);
        return match *held_kind(held)? {
            PLAYER => Some(format!(
                "- for each player, pieces in a colour of their own for the board **{on}**\n"
            )),
            kind if has_stocks(book, kind) => None,
            kind => Some(format!("- pieces for the board **{on}**: {}\n", members_of(book, kind))),
        };
    }
    let Some(Value::Int(each)) = stock_of(book, var) else { return None };
    let (kind, (count, name)) = (book.lookup_kind(over), stocked_pieces(book, var)?);
    let made = book.rules.tables.iter().find(|table| table.makes(kind));
    let of = match made {
        Some(table) => {
            join_list(table.dims.iter().map(|dim| format!("each {}", book.noun(*dim))), "and")
        }
        None if kind.own_members().len() > 1 => format!("each of {}", members_of(book, over)),
        None => members_of(book, over),
    };
    let note = append_note(". ", &var.notes);
    Some(format!("- {count} **{name}**: {each} for {of}{note}\n"))
}

/// How many pieces a stock has in all, and what they are called.
pub(super) fn stocked_pieces(book: &Book, var: &Var) -> Option<(i64, String)> {
    let (Some(Value::Int(each)), [Domain::Kind(over)]) = (stock_of(book, var), var.dims.as_slice())
    else {
        return None;
    };
    let kind = book.lookup_kind(*over);
    let count = i64::try_from(kind.own_members().len()).ok()?.checked_mul(each)?;
    let own = has_own_title(&var.title, &var.name).then(|| authored(&var.title));
    Some((count, own.unwrap_or_else(|| plural(&title_or_name(&kind.title, &kind.name)))))
}

fn held_kind(ty: &Type) -> Option<&KindId> {
    if let Type::Kind(kind) = ty { Some(kind) } else { None }
}

/// How many pieces there are of each member, if a variable counts them.
pub(super) fn stock_of(book: &Book, var: &Var) -> Option<Value> {
    let [Domain::Kind(kind)] = var.dims[..] else { return None };
    let is_piece = kind != PLAYER && !book.lookup_kind(kind).is_board() && var.ty == Type::Number;
    let first =
        book.known_value(&var.init.value).filter(|it| matches!(it, Value::Int(1..=MOST_COUNTED)));
    first.filter(|count| {
        is_piece
            && var.owner == Owner::Table
            && matches!(var.form, VarForm::Plain | VarForm::Coin)
            && runs_out(book, var, count)
    })
}

/// Whether a number can become none, and never more than at first unless the file sets no limit: a price is no stock.
fn runs_out(book: &Book, var: &Var, first: &Value) -> bool {
    let ends = var.range.and_then(|range| book.range_ends(range));
    ends.is_none_or(|(low, high)| low <= 0 && high.is_none_or(|it| *first == Value::Int(it)))
}

pub(super) fn has_stocks(book: &Book, kind: KindId) -> bool {
    let stocks = book.rules.vars.iter().filter(|var| var.dims[..] == [Domain::Kind(kind)]);
    stocks.into_iter().any(|var| stock_of(book, var).is_some())
}
