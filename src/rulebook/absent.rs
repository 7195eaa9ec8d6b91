//! Notes of a file speak of all that may be agreed. In the book of one agreement, a sentence that sends to a rule which
//! is not there goes.

use crate::rulebook::english::join_words;
use crate::rulebook::naming::rule_heading;
use crate::rulebook::{Book, Chapter};

/// The chapters without the sentences that name, as `(Fall back)`, a rule that the book does not have.
pub(super) fn without_absent_rules(book: &Book, chapters: Vec<Chapter>) -> Vec<Chapter> {
    let has_section = |heading: &str| {
        let line = format!("### {heading}");
        chapters.iter().any(|it| it.text.lines().any(|other| other == line))
    };
    let steps = book.rules.rules.iter().filter(|rule| !rule.effects.is_pure());
    let absent = steps.map(|rule| rule_heading(book, rule)).filter(|it| !has_section(it));
    let absent: Vec<String> = absent.map(|heading| format!("({heading})")).collect();
    let names_absent = |text: &str| absent.iter().any(|it| text.contains(it));
    let without = |line: &str| {
        // What stands in parentheses of its own is a sentence, too.
        let broken = line.replace(".) ", ".) \n").replace(". ", ". \n");
        let left = broken.split('\n').filter(|sentence| !names_absent(sentence));
        let left = join_words(left.map(str::to_owned), "").trim_end().to_owned();
        // A line of nothing else stays: what lies below it belongs to it.
        if left.chars().any(char::is_alphabetic) { left } else { line.to_owned() }
    };
    let clean = |line: &str| if names_absent(line) { without(line) } else { line.to_owned() };
    let mut chapters = chapters;
    for chapter in chapters.iter_mut().filter(|it| names_absent(&it.text)) {
        let lines = chapter.text.split('\n').map(clean);
        chapter.text = join_words(lines, "\n");
    }
    chapters
}
