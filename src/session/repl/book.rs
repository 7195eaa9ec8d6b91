//! The rulebook as people read it at the table: one part or all of it, without the signs of Markdown.

use crate::budget::Budget;
use crate::game::Game;
use crate::rulebook::{Edition, Rulebook, rulebook};
use crate::session::Session;
use crate::snippet::{HelpBlock, edition};
use crate::transcript::list_words;

/// The rulebook of this game as it is played here, or what stands below the heading that some words name; or the
/// sentence that there is none.
pub(super) fn find_chapter(
    game: &Game,
    variants: &[String],
    words: &str,
) -> Result<Vec<HelpBlock>, String> {
    let book = write_book(game, variants)?;
    if words.is_empty() {
        return Ok(render_markdown(&book.markdown()));
    }
    if let Some(part) = book.part(words) {
        return Ok(render_markdown(&part.markdown()));
    }
    let text = book.markdown();
    let lines: Vec<&str> = text.lines().collect();
    let named = words.to_lowercase();
    let heading = |line: &str| (level(line) > 1).then(|| unmarked(line).to_lowercase());
    let find = |fits: fn(&str, &str) -> bool| {
        lines.iter().position(|line| heading(line).is_some_and(|it| fits(it.trim(), &named)))
    };
    let Some(from) =
        find(|it, words| it.starts_with(words)).or_else(|| find(|it, words| it.contains(words)))
    else {
        let parts: Vec<&str> = book.parts.iter().map(|part| part.word).collect();
        return Err(format!(
            "the rulebook has no heading with `{words}`; its parts are {}",
            list_words(&parts)
        ));
    };
    let ends = |line: &&&str| (1..=level(lines[from])).contains(&level(line));
    let length = lines[from + 1..].iter().position(|line| ends(&line));
    let to = length.map_or(lines.len(), |length| from + 1 + length);
    Ok(render_markdown(lines[from..to].join("\n").trim_end()))
}

fn write_book(game: &Game, variants: &[String]) -> Result<Rulebook, String> {
    let edition = Edition { variants, ..edition(game) };
    rulebook(&edition, &Budget::default()).map_err(|finding| finding.to_string())
}

impl Session {
    /// The rulebook of this game as it is played here, or why there is none.
    pub(crate) fn rulebook(&self) -> Result<Rulebook, String> {
        write_book(self.position().game(), &[])
    }
}

/// How deep a heading is; 0 for other lines.
fn level(line: &str) -> usize {
    let signs = line.len() - line.trim_start_matches('#').len();
    if line[signs..].starts_with(' ') { signs } else { 0 }
}

/// Markdown in lines: headings with a line below, tables with columns.
fn render_markdown(markdown: &str) -> Vec<HelpBlock> {
    let (mut text, mut rows): (Vec<HelpBlock>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    for line in markdown.lines().chain([""]) {
        if let Some(row) = line.strip_prefix('|') {
            let row = row.trim_end().trim_end_matches('|').replace("\\|", "\u{1}");
            let cells =
                row.split('|').map(|cell| unmarked(&cell.replace('\u{1}', "|")).trim().to_owned());
            let mut cells: Vec<String> = cells.collect();
            if !cells.iter().all(|cell| cell == "---") {
                cells[0].insert_str(0, "  ");
                rows.push(cells);
            }
            continue;
        }
        if !rows.is_empty() {
            text.push(HelpBlock::Grid(std::mem::take(&mut rows)));
        }
        let line_text = unmarked(line);
        let width = line_text.trim().chars().count();
        let depth = level(line);
        text.push(HelpBlock::Line(if depth > 0 { line_text.trim().to_owned() } else { line_text }));
        if (1..3).contains(&depth) {
            text.push(HelpBlock::Line("─".repeat(width)));
        }
    }
    text.pop();
    text
}

/// A line without the signs of Markdown.
fn unmarked(line: &str) -> String {
    let mut signs = line[level(line)..].chars().peekable();
    let (mut text, mut in_code) = (String::with_capacity(line.len()), false);
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if !in_code && signs.peek().is_some_and(char::is_ascii_punctuation) => {
                text.extend(signs.next());
            }
            '`' => in_code = !in_code,
            '*' if !in_code => {}
            sign => text.push(sign),
        }
    }
    text
}
