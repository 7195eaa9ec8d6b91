//! The list of legal moves, in as few lines as it needs.

use crate::host::drawing::line::{pad, text_width, widest, wrap};
use crate::session::MoveList;
use crate::transcript::list_words as in_words;

/// As many moves stand below each other.
const MOST_BELOW: usize = 12;

const GAP: usize = 3;

/// Lists moves, with their numbers where these can be typed: below each other if they are few, else
/// in columns, else those that differ in their last word in one line, and only counted by their first
/// words where not even that fits into `lines`; `None` lists all.
pub(super) fn format_moves(list: &MoveList, width: usize, lines: Option<usize>) -> Vec<String> {
    let MoveList { moves, numbered, .. } = *list;
    let numbers: Vec<String> = moves.iter().map(|(number, _)| number.to_string()).collect();
    let margin = number_margin(&numbers, numbered);
    let entries = numbers.iter().zip(moves).map(|(number, (_, label))| margin(number) + label);
    let entries: Vec<String> = entries.collect();
    let widest = widest(entries.iter().map(String::as_str));
    if lines.is_none() && widest > width {
        let indent = margin("").len();
        return entries.iter().flat_map(|entry| wrap_move(entry, indent, width)).collect();
    }
    let room = lines.unwrap_or(usize::MAX);
    if entries.len() <= MOST_BELOW.min(room) {
        return entries;
    }
    let columns = ((width + GAP) / (widest + GAP)).max(1);
    let rows = entries.len().div_ceil(columns);
    if rows <= room {
        let row = |at: usize| {
            let cells = entries.iter().skip(at).step_by(rows).map(|entry| pad(entry, widest + GAP));
            cells.collect::<String>().trim_end().to_owned()
        };
        return (0..rows).map(row).collect();
    }
    let grouped = grouped(moves, numbered, width);
    if grouped.len() <= room { grouped } else { wrap(&summarize_moves(moves), width) }
}

/// What stands before a move: its number, in a column as wide as the longest, or a margin alone.
fn number_margin(numbers: &[String], numbered: bool) -> impl Fn(&str) -> String {
    let digits = numbers.iter().map(String::len).max().unwrap_or(0);
    move |number| if numbered { format!("  {number:>digits$}  ") } else { "  ".to_owned() }
}

/// A move among some that are longer than the screen is wide: what there is to know about it continues below its
/// beginning, if that leaves room, else stands below the move, whose words begin at `indent`.
fn wrap_move(entry: &str, indent: usize, width: usize) -> Vec<String> {
    let (lead, rest) = entry.split_at(entry.rfind("  ").map_or(0, |gap| gap + 2));
    let column = text_width(lead);
    if column * 2 > width {
        let (begin, label) = lead.split_at(indent);
        let room = width.saturating_sub(indent + 2).max(1);
        let below = wrap(rest, room).into_iter().map(|line| format!("  {line}"));
        return hanging(
            begin,
            wrap(label.trim_end(), room).into_iter().chain(below).collect(),
            indent,
        );
    }
    hanging(lead, wrap(rest, width - column), column)
}

/// Lines after the beginning of the first, the others below each other at a column.
fn hanging(begin: &str, lines: Vec<String>, column: usize) -> Vec<String> {
    let (mut begin, indent) = (begin.to_owned(), " ".repeat(column));
    let line = |line: String| std::mem::replace(&mut begin, indent.clone()) + &line;
    lines.into_iter().map(line).collect()
}

/// Moves that differ in their last word alone share a line: `  4-6  plant oak: north south west`.
fn grouped(moves: &[(usize, String)], numbered: bool, width: usize) -> Vec<String> {
    type Move = (usize, String);
    fn label_head((_, label): &Move) -> Option<&str> {
        label.rsplit_once(' ').map(|(head, _)| head)
    }
    let alike = |a: &Move, b: &Move| {
        label_head(a).is_some() && label_head(a) == label_head(b) && a.0 + 1 == b.0
    };
    let groups: Vec<&[Move]> = moves.chunk_by(alike).collect();
    let numbers = groups.iter().map(|group| match (group[0].0, group[group.len() - 1].0) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    });
    let numbers: Vec<String> = numbers.collect();
    let margin = number_margin(&numbers, numbered);
    let lines = numbers.iter().zip(&groups).flat_map(|(number, group)| {
        let words = match (label_head(&group[0]), group.len()) {
            (Some(head), 2..) => {
                let last = group.iter().map(|(_, label)| &label[head.len() + 1..]);
                format!("{head}: {}", last.collect::<Vec<_>>().join(" "))
            }
            _ => group[0].1.clone(),
        };
        let begin = margin(number);
        let lines = wrap(&words, width.saturating_sub(begin.len()).max(1));
        hanging(&begin, lines, begin.len() + 2)
    });
    lines.collect()
}

/// ``35 moves: barter (30), rest (5), such as `barter ash oak`; :moves lists them``
fn summarize_moves(moves: &[(usize, String)]) -> String {
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
    use super::summarize_moves;

    #[test]
    fn moves_that_all_begin_differently_are_only_counted() {
        let moves: Vec<(usize, String)> = (1..40).map(|n| (n, format!("m{n}"))).collect();
        let text = "39 moves; :moves lists them, :moves WORD those that begin so";
        assert_eq!(summarize_moves(&moves), text);
    }
}
