//! Who can play, what can be agreed on beforehand, and which variants there are.

use crate::check::rules::{GameOption, Type, Value};
use crate::rulebook::book::Book;
use crate::rulebook::english::{authored, list, paragraph, sentence, table};

pub(super) fn players(book: &Book) -> String {
    let rules = book.rules;
    if book.fixed {
        let count = book.settings[0].players;
        let s = if count == 1 { "" } else { "s" };
        return format!("This book is for {count} player{s}.");
    }
    let (fewest, most) = rules.players;
    let players = match (fewest, most) {
        (1, 1) => "1 player.".to_owned(),
        (fewest, most) if fewest == most => format!("{fewest} players."),
        (fewest, most) => format!("{fewest} to {most} players."),
    };
    match rules.usual_players {
        usual if usual == fewest => players,
        usual => format!("{players} It is mostly played by {usual}."),
    }
}

pub(super) fn options(book: &Book) -> String {
    if book.rules.options.is_empty() {
        return String::new();
    }
    let last = if book.fixed { "In this book" } else { "Unless agreed otherwise" };
    let heading = ["Option", "What it means", "It can be", last].map(str::to_owned).to_vec();
    let rows = book.rules.options.iter().enumerate().map(|(at, option)| row(book, at, option));
    let rows: Vec<Vec<String>> = [heading].into_iter().chain(rows).collect();
    format!("Before the game you may agree on these.\n\n{}", table(&rows))
}

fn row(book: &Book, at: usize, option: &GameOption) -> Vec<String> {
    let value = if book.fixed {
        book.value(&book.settings[0].options[at], &option.ty)
    } else {
        book.amount(&option.default).unwrap_or_default()
    };
    let value = value.replace(" (options may change this)", "");
    let meaning = format!("{} {}", sentence(&authored(&option.title)), paragraph(&option.notes));
    let allowed = allowed(book, option, &option.ty);
    vec![option.name.replace('_', " "), meaning.trim_end().to_owned(), allowed, value]
}

fn allowed(book: &Book, option: &GameOption, ty: &Type) -> String {
    match ty {
        Type::Bool => "yes or no".to_owned(),
        Type::Maybe(inner) => format!("{} or none", allowed(book, option, inner)),
        Type::Kind(kind) => {
            let own = book.kind(*kind).own().into_iter();
            let value = |at: usize| book.value(&Value::Int(i64::try_from(at).unwrap_or(0)), ty);
            list(&own.map(value).collect::<Vec<_>>(), "or")
        }
        _ => match option.range.and_then(|range| book.ends(range)) {
            Some((low, Some(high))) => format!("{low} to {high}"),
            Some((low, None)) => format!("{low} or more"),
            None => "a number".to_owned(),
        },
    }
}

pub(super) fn variants(lines: &[String]) -> String {
    lines.iter().flat_map(|line| ["- ", line, "\n"]).collect()
}
