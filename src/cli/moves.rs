//! The list of legal moves, in as few lines as it needs.

use super::table::{length, pad, wrap};
use crate::session::MoveList;
use crate::transcript::list as in_words;

/// As many moves stand below each other.
const MOST_BELOW: usize = 12;

/// The space between two columns.
const GAP: usize = 3;

/// Lists moves, with their numbers where these can be typed: below each other if they are few, else
/// in columns, else those that differ in their last word in one line, and only counted by their first
/// words where not even that fits into `lines`; `None` lists all.
pub(super) fn list(list: &MoveList, width: usize, lines: Option<usize>) -> Vec<String> {
    let MoveList { moves, numbered, .. } = *list;
    let numbers: Vec<String> = moves.iter().map(|(number, _)| number.to_string()).collect();
    let margin = margin(&numbers, numbered);
    let entry = |(number, (_, label)): (&String, &(usize, String))| margin(number) + label;
    let entries: Vec<String> = numbers.iter().zip(moves).map(entry).collect();
    if lines.is_none() && entries.iter().any(|entry| length(entry) > width) {
        return entries.iter().flat_map(|entry| folded(entry, width)).collect();
    }
    let room = lines.unwrap_or(usize::MAX);
    if entries.len() <= MOST_BELOW.min(room) {
        return entries;
    }
    let columns = in_columns(&entries, width);
    if columns.len() <= room {
        return columns;
    }
    let grouped = grouped(moves, numbered, width);
    if grouped.len() <= room { grouped } else { wrap(&counted(moves), width) }
}

/// What stands before a move: its number, in a column as wide as the longest, or a margin alone.
fn margin(numbers: &[String], numbered: bool) -> impl Fn(&str) -> String {
    let digits = numbers.iter().map(String::len).max().unwrap_or(0);
    move |number| if numbered { format!("  {number:>digits$}  ") } else { "  ".to_owned() }
}

/// Moves that differ in their last word alone share a line: `  4-6  plant oak  north south west`.
fn grouped(moves: &[(usize, String)], numbered: bool, width: usize) -> Vec<String> {
    let split = |label: &'_ str| label.rsplit_once(' ').map(|(head, _)| head.to_owned());
    let alike = |a: &(usize, String), b: &(usize, String)| {
        let (first, second) = (split(&a.1), split(&b.1));
        first.is_some() && first == second && a.0 + 1 == b.0
    };
    let groups: Vec<&[(usize, String)]> = moves.chunk_by(alike).collect();
    let numbers = |group: &&[(usize, String)]| match group {
        [(number, _)] => number.to_string(),
        [(first, _), .., (last, _)] => format!("{first}-{last}"),
        [] => String::new(),
    };
    let numbers: Vec<String> = groups.iter().map(numbers).collect();
    let margin = margin(&numbers, numbered);
    let lines = numbers.iter().zip(&groups).flat_map(|(number, group)| {
        let (_, label) = &group[0];
        let last = |(_, label): &(usize, String)| label.rsplit(' ').next().map(str::to_owned);
        let words = match (split(label), group.len()) {
            (Some(head), 2..) => {
                let last: Vec<String> = group.iter().filter_map(last).collect();
                format!("{head}: {}", last.join(" "))
            }
            _ => label.clone(),
        };
        let before = margin(number);
        let indent = before.len();
        let mut lines = wrap(&words, width.saturating_sub(indent).max(1)).into_iter();
        let first = before + &lines.next().unwrap_or_default();
        [first]
            .into_iter()
            .chain(lines.map(move |line| format!("{}{line}", " ".repeat(indent + 2))))
    });
    lines.collect()
}

/// A move that is longer than the screen is wide: what there is to know about it goes on below its
/// beginning, if that leaves room.
fn folded(entry: &str, width: usize) -> Vec<String> {
    let words = entry.rfind("  ").map_or(0, |gap| gap + 2);
    let (lead, rest) = entry.split_at(words);
    let column = length(lead);
    if column * 2 > width {
        return wrap(entry, width);
    }
    let lines = wrap(rest, width - column).into_iter().enumerate();
    let begin = |at: usize| if at == 0 { lead.to_owned() } else { " ".repeat(column) };
    lines.map(|(at, line)| begin(at) + &line).collect()
}

fn in_columns(entries: &[String], width: usize) -> Vec<String> {
    let widest = entries.iter().map(|entry| length(entry)).max().unwrap_or(0);
    let columns = ((width + GAP) / (widest + GAP)).max(1);
    let rows = entries.len().div_ceil(columns);
    let row = |at: usize| {
        let cells = entries.iter().skip(at).step_by(rows);
        let cells: Vec<String> = cells.map(|entry| pad(entry, widest)).collect();
        cells.join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..rows).map(row).collect()
}

/// ``35 moves: barter (30), rest (5), such as `barter ash oak`; :moves lists them``
fn counted(moves: &[(usize, String)]) -> String {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for (_, label) in moves {
        let name = label.split_whitespace().next().unwrap_or_default();
        match groups.iter_mut().find(|(group, _)| *group == name) {
            Some((_, count)) => *count += 1,
            None => groups.push((name, 1)),
        }
    }
    let all = moves.len();
    if groups.len() > MOST_BELOW {
        return format!("{all} moves; :moves lists them, :moves WORD those that begin so");
    }
    let words: Vec<String> =
        groups.iter().map(|(name, count)| format!("{name} ({count})")).collect();
    let (_, first) = &moves[0];
    format!("{all} moves: {}, such as `{first}`; :moves lists them", in_words(&words))
}

#[cfg(test)]
mod tests {
    use crate::session::MoveList;

    fn list(moves: &[(usize, String)], width: usize, lines: Option<usize>) -> Vec<String> {
        super::list(&MoveList { moves, numbered: true, whole: false }, width, lines)
    }

    fn moves(count: usize) -> Vec<(usize, String)> {
        (1..=count)
            .map(|number| {
                let word = if number % 5 == 0 { "pass" } else { "take" };
                (number, format!("{word} {number}"))
            })
            .collect()
    }

    #[test]
    fn few_moves_stand_below_each_other() {
        assert_eq!(list(&moves(2), 40, Some(5)), ["  1  take 1", "  2  take 2"]);
    }

    #[test]
    fn numbers_that_cannot_be_typed_are_not_shown() {
        let houses = ["1", "3", "6"].map(String::from);
        let moves: Vec<(usize, String)> = (1..).zip(houses).collect();
        let list = |lines| {
            super::list(&MoveList { moves: &moves, numbered: false, whole: false }, 20, lines)
        };
        assert_eq!(list(None), ["  1", "  3", "  6"]);
        assert_eq!(list(Some(1)), ["  1     3     6"]);
    }

    #[test]
    fn long_moves_go_on_in_their_column() {
        let moves =
            [(1, "bid rope 7  Load seven more of it now".to_owned()), (2, "rest".to_owned())];
        assert_eq!(
            list(&moves, 34, None),
            ["  1  bid rope 7  Load seven more", "                 of it now", "  2  rest"]
        );
    }

    #[test]
    fn many_moves_stand_in_columns_read_downwards() {
        let listed = list(&moves(13), 40, Some(9));
        assert_eq!(listed.len(), 7);
        assert_eq!(listed[0], "   1  take 1       8  take 8");
        let listed = list(&moves(4), 80, Some(3));
        assert_eq!(listed, ["  1  take 1     2  take 2     3  take 3     4  take 4"]);
    }

    #[test]
    fn moves_that_differ_in_their_last_word_share_a_line() {
        let places = ["oak a1", "oak b1", "oak c1", "elm a1", "elm c1"];
        let moves: Vec<(usize, String)> =
            (1..).zip(places.map(|place| format!("plant {place}"))).collect();
        assert_eq!(
            list(&moves, 30, Some(2)),
            ["  1-3  plant oak: a1 b1 c1", "  4-5  plant elm: a1 c1"]
        );
    }

    #[test]
    fn too_many_moves_are_counted() {
        let short = list(&moves(40), 20, Some(7));
        assert_eq!(
            short.join(" "),
            "40 moves: take (32) and pass (8), such as `take 1`; :moves lists them"
        );
        assert!(short.iter().all(|line| line.len() <= 20));
        assert_eq!(list(&moves(40), 20, None).len(), 40);
    }

    #[test]
    fn moves_that_all_begin_differently_are_only_counted() {
        let moves: Vec<(usize, String)> = (1..40).map(|n| (n, format!("m{n}"))).collect();
        let text = list(&moves, 10, Some(3)).join(" ");
        assert_eq!(text, "39 moves; :moves lists them, :moves WORD those that begin so");
    }
}
