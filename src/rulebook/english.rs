//! Small pieces of English and of Markdown.

/// Lines of a note as one paragraph.
pub(super) fn paragraph(notes: &[String]) -> String {
    notes.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// A text of the rules in one line: what stands in a title begins no heading.
pub(super) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A page without tags: a `<` that would begin one is only a sign.
pub(super) fn without_tags(text: &str) -> String {
    let mut pieces = text.split('<');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let begins = |letter: char| letter.is_alphabetic() || "/!?".contains(letter);
        out.push_str(if piece.starts_with(begins) { "\\<" } else { "<" });
        out.push_str(piece);
    }
    out
}

/// Words as a list: `a, b and c`.
pub(super) fn list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// A text with a capital letter at its beginning and a full stop at its end.
pub(super) fn sentence(text: &str) -> String {
    let text = capitalised(one_line(text).trim());
    if text.ends_with(['.', ':', '!', '?']) { text } else { format!("{text}.") }
}

/// A text with a capital letter at its beginning.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A sentence as a part of another: without its capital letter and its full stop.
pub(super) fn embedded(text: &str) -> String {
    let mut letters = text.chars();
    let text = letters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect::<String>());
    text.strip_suffix('.').map(str::to_owned).unwrap_or(text)
}

/// What several of a thing are called.
pub(super) fn plural(noun: &str) -> String {
    let irregular =
        [("die", "dice"), ("person", "people"), ("child", "children"), ("foot", "feet")];
    if let Some((_, many)) = irregular.iter().find(|(one, _)| *one == noun) {
        return (*many).to_owned();
    }
    let before_y = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    if let Some(stem) = before_y {
        return format!("{stem}ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    if hisses { format!("{noun}es") } else { format!("{noun}s") }
}

/// `a` or `an` before a noun.
pub(super) fn one(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A name with spaces: `HarbourBell` and `harbour_bell` are `harbour bell`.
pub(super) fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(if letter == '_' { ' ' } else { letter }.to_lowercase());
    }
    words
}

/// Rows of cells as a table of Markdown; the first row is the heading.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let Some(heading) = rows.first() else { return String::new() };
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = line(heading);
    text.extend([format!("|{}\n", "---|".repeat(heading.len()))]);
    text.extend(rows[1..].iter().map(|row| line(row)));
    text
}

#[cfg(test)]
mod tests {
    use super::{embedded, list, one, plural, sentence, spaced, table};

    #[test]
    fn words_take_their_forms() {
        assert_eq!(plural("city"), "cities");
        assert_eq!(plural("day"), "days");
        assert_eq!(plural("torch"), "torches");
        assert_eq!(plural("die"), "dice");
        assert_eq!(one("oak"), "an oak");
        assert_eq!(spaced("HarbourBell"), "harbour bell");
        assert_eq!(sentence("you pay 2"), "You pay 2.");
        assert_eq!(embedded("You pay 2."), "you pay 2");
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&words, "or"), "a, b or c");
    }

    #[test]
    fn tables_have_a_heading() {
        let rows = [vec!["a".to_owned(), "b|c".to_owned()], vec!["1".to_owned(), "2".to_owned()]];
        assert_eq!(table(&rows), "| a | b\\|c |\n|---|---|\n| 1 | 2 |\n");
    }
}
