//! The list of legal moves, in as few lines as it needs.

use super::table::{length, pad, wrap};
use crate::transcript::list as in_words;

/// As many moves stand below each other.
const MOST_BELOW: usize = 12;

/// The space between two columns.
const GAP: usize = 3;

/// Lists moves with their numbers: below each other if they are few, else in columns, and only
/// counted by their first words where not even that fits into `lines`; `None` lists all.
pub(super) fn list(moves: &[(usize, String)], width: usize, lines: Option<usize>) -> Vec<String> {
    let digits = moves.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or(0);
    let entry = |(number, label): &(usize, String)| format!("  {number:>digits$}  {label}");
    let entries: Vec<String> = moves.iter().map(entry).collect();
    let room = lines.unwrap_or(usize::MAX);
    if entries.len() <= MOST_BELOW.min(room) {
        return entries;
    }
    let columns = in_columns(&entries, width);
    if columns.len() <= room { columns } else { wrap(&counted(moves), width) }
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

/// ``35 moves: attack (30), revive (5), such as `attack ash oak`; :moves lists them``
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
    use super::list;

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
    fn many_moves_stand_in_columns_read_downwards() {
        let listed = list(&moves(13), 40, Some(9));
        assert_eq!(listed.len(), 7);
        assert_eq!(listed[0], "   1  take 1       8  take 8");
        let listed = list(&moves(4), 80, Some(3));
        assert_eq!(listed, ["  1  take 1     2  take 2     3  take 3     4  take 4"]);
    }

    #[test]
    fn too_many_moves_are_counted() {
        let short = list(&moves(40), 20, Some(9));
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
