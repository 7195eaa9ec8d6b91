//! Helpers of reports: aligned columns, counts in words, numbers as JSON.

use serde_json::{Value, json};

use crate::host::drawing::line::text_width;
use crate::simulate::{Millionths, Share};
use crate::source::padded;

pub(crate) fn to_row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// Rows in columns: words at the left, numbers at the right.
pub(crate) fn align_columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| text_width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let is_worded = |column: usize| {
        column == 0
            || rows.iter().skip(1).all(|row| {
                row.get(column).is_none_or(|cell| {
                    cell.starts_with(|it: char| it.is_alphabetic()) || cell.is_empty()
                })
            })
    };
    let worded: Vec<bool> = (0..count).map(is_worded).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            let spaces = padded("", width.saturating_sub(text_width(cell)));
            if worded[column] { format!("{cell}{spaces}") } else { format!("{spaces}{cell}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

pub(crate) fn share_to_json(share: Share) -> Value {
    json!({ "rate": number_to_json(share.rate), "low": number_to_json(share.low), "high": number_to_json(share.high) })
}

pub(crate) fn number_to_json(number: Millionths) -> Value {
    serde_json::from_str(&number.to_string()).expect("a decimal number is JSON")
}

pub(crate) fn many(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
