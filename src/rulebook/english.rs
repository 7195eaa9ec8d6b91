//! Small pieces of English and of Markdown.

pub(super) fn paragraph(notes: &[String]) -> String {
    let lines = notes.iter().map(|line| line.trim()).collect::<Vec<_>>();
    authored(lines.join(" ").trim())
}

/// A text of the author of a game, in one line of Markdown that shows it as it is written: it makes no link, no
/// tag, no heading. Words between two backticks stay code, in which nothing is markup.
pub fn authored(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some(sign) = rest.chars().next() {
        let taken = code_span(rest).unwrap_or(&rest[..sign.len_utf8()]);
        rest = &rest[taken.len()..];
        if taken.len() == sign.len_utf8() && is_markup(sign, &out, rest) {
            out.push('\\');
        }
        out.push_str(taken);
    }
    out
}

/// The code between two backticks that a text begins with.
fn code_span(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('`')?;
    let length = inside.find('`').filter(|length| *length > 0)?;
    (!inside[length + 1..].starts_with('`')).then(|| &text[..length + 2])
}

/// Whether Markdown could read a sign between these texts as markup. Other words may follow.
fn is_markup(sign: char, before: &str, behind: &str) -> bool {
    let (last, next) = (before.chars().next_back(), behind.chars().next());
    let is_first = before.trim().is_empty();
    let ends = next.is_none_or(char::is_whitespace);
    match sign {
        '*' | '`' | '~' => true,
        // No link without it, and no name of one.
        ']' => next.is_none_or(|it| "([:".contains(it)),
        '\\' => next.is_none_or(|it| it.is_ascii_punctuation()),
        '_' => ![last, next].iter().all(|it| it.is_some_and(char::is_alphanumeric)),
        '<' => next.is_none_or(|it| it.is_alphabetic() || "/!?".contains(it)),
        '&' => next.is_none_or(|it| it.is_ascii_alphabetic() || it == '#'),
        // Headings end with such signs, too.
        '#' => is_first || behind.trim_matches('#').trim().is_empty(),
        '>' => is_first,
        '-' | '+' => is_first && (ends || next == Some('-')),
        '.' | ')' => ends && !is_first && before.trim().chars().all(|it| it.is_ascii_digit()),
        _ => false,
    }
}

/// What [`authored`] was made of, for a block of code.
pub(super) fn in_code(markdown: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(markdown.len()), markdown);
    while let Some(sign) = rest.chars().next() {
        let escaped = rest.strip_prefix('\\');
        let escaped = escaped.filter(|it| it.starts_with(|it: char| it.is_ascii_punctuation()));
        let taken = match escaped {
            Some(behind) => {
                rest = behind;
                &rest[..1]
            }
            None => code_span(rest).unwrap_or(&rest[..sign.len_utf8()]),
        };
        out.push_str(taken);
        rest = &rest[taken.len()..];
    }
    out
}

/// A piece of a file as code, whatever backticks are in it.
pub(super) fn code(text: &str) -> String {
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let (fence, space) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
    format!("{fence}{space}{text}{space}{fence}")
}

/// Words as a list: `a, b and c`.
pub(super) fn list(words: impl IntoIterator<Item = String>, last: &str) -> String {
    let mut words: Vec<String> = words.into_iter().collect();
    match words.pop() {
        Some(end) if !words.is_empty() => format!("{} {last} {end}", words.join(", ")),
        only => only.unwrap_or_default(),
    }
}

pub(super) fn joined(words: impl IntoIterator<Item = String>, between: &str) -> String {
    words.into_iter().collect::<Vec<_>>().join(between)
}

/// Notes as a paragraph behind other words; nothing without notes.
pub(super) fn noted(before: &str, notes: &[String]) -> String {
    let note = paragraph(notes);
    if note.is_empty() { note } else { format!("{before}{note}") }
}

/// A part of the book below a heading and its notes.
pub(super) fn headed(heading: &str, notes: &[String], text: &str) -> String {
    let note = paragraph(notes);
    let between = if note.is_empty() { "" } else { "\n\n" };
    format!("### {}\n\n{note}{between}{text}", capitalised(heading)).trim_end().to_owned()
}

/// The subject with the verb that goes with it: `you are`, `*p* is`.
pub(super) fn is(who: &str) -> String {
    format!("{who} {}", if who == "you" { "are" } else { "is" })
}

/// `you choose`, `*p* chooses`
pub(super) fn does(who: &str, verb: &str) -> String {
    format!("{who} {verb}{}", if who == "you" { "" } else { "s" })
}

pub(super) fn sentence(text: &str) -> String {
    let text = capitalised(text.trim());
    if text.ends_with(['.', ':', '!', '?']) { text } else { format!("{text}.") }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A sentence as a part of another: without its capital letter and its full stop.
pub(super) fn embedded(text: &str) -> String {
    let text = lowered(text);
    text.strip_suffix('.').map(str::to_owned).unwrap_or(text)
}

pub(super) fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

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
    use super::{authored, code, embedded, in_code, list, one, plural, sentence, spaced, table};

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
        assert_eq!(list(words, "or"), "a, b or c");
    }

    #[test]
    fn markdown_shows_what_an_author_wrote() {
        for (text, shown) in [
            ("[x](javascript:alert(1))", r"[x\](javascript:alert(1))"),
            ("![x](http://a.b/c.png)", r"![x\](http://a.b/c.png)"),
            ("<javascript:x> < 3 <b", r"\<javascript:x> < 3 \<b"),
            ("&lt;script&gt; &#60; R&D & more", r"\&lt;script\&gt; \&#60; R\&D & more"),
            ("[a] [b][c] [d]: [e]", r"[a] [b\][c] [d\]: [e\]"),
            ("*a* _b_ ~~c~~ snake_case", r"\*a\* \_b\_ \~\~c\~\~ snake_case"),
            ("# A #2 C# #", r"\# A #2 C\# \#"),
            ("- a - b", r"\- a - b"),
            ("--- x", r"\--- x"),
            ("> a > b", r"\> a > b"),
            ("12. May", r"12\. May"),
            ("-1 for 3.", "-1 for 3."),
            (r"a\b \* \", r"a\b \\\* \\"),
            ("`a[*]` and ` alone", r"`a[*]` and \` alone"),
            ("``` x", r"\`\`\` x"),
            ("a\n# b", "a # b"),
            ("end <", r"end \<"),
        ] {
            assert_eq!(authored(text), shown);
            assert_eq!(in_code(shown), text.replace('\n', " "));
        }
        assert_eq!(code("a < b"), "`a < b`");
        assert_eq!(code("say \"`x`\""), "`` say \"`x`\" ``");
    }

    #[test]
    fn tables_have_a_heading() {
        let rows = [vec!["a".to_owned(), "b|c".to_owned()], vec!["1".to_owned(), "2".to_owned()]];
        assert_eq!(table(&rows), "| a | b\\|c |\n|---|---|\n| 1 | 2 |\n");
    }
}
