//! Small pieces of English and of Markdown.

pub(crate) fn paragraph(notes: &[String]) -> String {
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
pub fn in_code(markdown: &str) -> String {
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
pub fn quote_code(text: &str) -> String {
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let (fence, space) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
    format!("{fence}{space}{text}{space}{fence}")
}

/// Words as a list: `a, b and c`.
pub fn join_list(words: impl IntoIterator<Item = String>, last: &str) -> String {
    let mut words: Vec<String> = words.into_iter().collect();
    match words.pop() {
        Some(end) if !words.is_empty() => format!("{} {last} {end}", words.join(", ")),
        only => only.unwrap_or_default(),
    }
}

pub(crate) fn join_words(words: impl IntoIterator<Item = String>, between: &str) -> String {
    words.into_iter().collect::<Vec<_>>().join(between)
}

/// Notes as a paragraph after other words; nothing without notes.
pub(crate) fn append_note(before: &str, notes: &[String]) -> String {
    let note = paragraph(notes);
    if note.is_empty() { note } else { format!("{before}{note}") }
}

/// A part of the book below a heading and its notes.
pub(crate) fn headed(heading: &str, notes: &[String], text: &str) -> String {
    let note = paragraph(notes);
    let between = if note.is_empty() { "" } else { "\n\n" };
    format!("### {}\n\n{note}{between}{text}", capitalised(heading)).trim_end().to_owned()
}

/// The subject with the verb that goes with it: `you are`, `your points are`, `*p* is`.
pub(crate) fn is(who: &str) -> String {
    format!("{who} {}", if who == "you" || is_many(who) { "are" } else { "is" })
}

/// Whether a thing is several by its name: `your points`, `the dice of *p*`.
pub(crate) fn is_many(thing: &str) -> bool {
    if thing.starts_with("those ") {
        return true;
    }
    let bare = ["your ", "the "].iter().find_map(|article| thing.strip_prefix(article));
    let ends = [" of ", " for ", " on ", " in ", " at ", " between ", ","];
    let head =
        bare.map(|bare| ends.iter().fold(bare, |it, end| it.split(end).next().unwrap_or(it)));
    let is_many = |word: &str| {
        let singular = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
        word.ends_with('s') && !singular || IRREGULAR.iter().any(|(_, many)| *many == word)
    };
    let Some(head) = head else { return false };
    let mut words = head.split(' ').map(|word| word.trim_matches(['*', '`'])).rev();
    // `the news pile` is one, `the cards left` and `the discs turned up` are several.
    let behind = |word: &&str| word.ends_with("ed") || BEHIND.contains(word);
    words.find(|word| !behind(word)).is_some_and(is_many)
}

/// Words that follow the noun of a name, as in `cards left`.
const BEHIND: [&str; 17] = [
    "left", "laid", "won", "lost", "taken", "drawn", "sold", "bought", "here", "there", "face",
    "up", "down", "in", "out", "off", "home",
];

/// How names of what is true or not begin: the verb, with `you`, and denied.
const AUXILIARIES: [(&str, &str, &str); 5] = [
    ("is", "are", "not"),
    ("has", "have", "not"),
    ("can", "can", "cannot"),
    ("may", "may", "not"),
    ("must", "must", "need not"),
];

/// What is true or not by its name, said of somebody: `is_over` is `it is *over*`, `can_go` is
/// `you cannot *go*`. Nothing if the name is no such word with others behind it.
pub fn predicate(name: &str, who: &str, yes: bool) -> Option<String> {
    let (first, rest) = name.split_once(' ')?;
    let (is, are, denied) = AUXILIARIES.iter().find(|(is, ..)| *is == first)?;
    let verb = if who == "you" { are } else { is };
    let verb = match *denied {
        _ if yes => (*verb).to_owned(),
        "not" => format!("{verb} not"),
        denied => denied.to_owned(),
    };
    Some(format!("{who} {verb} *{rest}*"))
}

/// The term in such a name: `over` in `is over`.
pub(crate) fn term(name: &str) -> &str {
    let is_verb = |word: &str| AUXILIARIES.iter().any(|(is, ..)| *is == word);
    name.split_once(' ').filter(|(first, _)| is_verb(first)).map_or(name, |(_, rest)| rest)
}

/// Whether a name is a thing, unlike `in play`, which can only be quoted.
pub(crate) fn is_noun(name: &str) -> bool {
    !["in ", "on ", "at ", "to ", "from "].iter().any(|it| name.starts_with(it))
}

/// Whether a word is a title of somebody, unlike `last`, which only points at them.
pub(crate) fn is_title(name: &str) -> bool {
    !["last", "first", "next", "other", "current"].contains(&name)
}

/// Whether a title is one that a player holds: a superlative and a noun, `highest tower`.
pub(crate) fn is_superlative(title: &str) -> bool {
    let word = title.split(' ').next().unwrap_or_default();
    title.contains(' ') && word.len() > 5 && word.ends_with("est")
}

/// `you choose`, `*p* chooses`
pub(crate) fn does(who: &str, verb: &str) -> String {
    match (who, verb) {
        ("you", verb) => format!("you {verb}"),
        (who, "have") => format!("{who} has"),
        (who, "do") => format!("{who} does"),
        (who, verb) => format!("{who} {verb}s"),
    }
}

pub fn sentence(text: &str) -> String {
    let text = capitalised(text.trim());
    if text.trim_end_matches(['”', ')']).ends_with(['.', ':', '!', '?']) {
        text
    } else {
        format!("{text}.")
    }
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A sentence as a part of another: without its capital letter and its full stop.
pub fn embedded(text: &str) -> String {
    let text = lowered(text);
    text.strip_suffix('.').map(str::to_owned).unwrap_or(text)
}

pub(crate) fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

const IRREGULAR: [(&str, &str); 5] = [
    ("die", "dice"),
    ("man", "men"),
    ("person", "people"),
    ("child", "children"),
    ("foot", "feet"),
];

pub fn plural(noun: &str) -> String {
    if let Some((_, many)) = IRREGULAR.iter().find(|(one, _)| *one == noun) {
        return (*many).to_owned();
    }
    if let Some((before, last)) = noun.rsplit_once(' ') {
        return format!("{before} {}", plural(last));
    }
    let before_y = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    if let Some(stem) = before_y {
        return format!("{stem}ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    if hisses { format!("{noun}es") } else { format!("{noun}s") }
}

/// The name of one of several things: `drops of oil` is `drop of oil`.
pub fn singular(nouns: &str) -> String {
    let (head, of) = nouns.split_at(nouns.find(" of ").unwrap_or(nouns.len()));
    let kept = ["ss", "us", "is"].iter().any(|end| head.ends_with(end));
    let one = match (head.strip_suffix("ies"), head.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y"),
        (_, Some(stem)) if !kept => stem.to_owned(),
        _ => head.to_owned(),
    };
    one + of
}

pub fn one(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A name with spaces: `HarbourBell` and `harbour_bell` are `harbour bell`.
pub fn space_words(name: &str) -> String {
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
pub fn format_table(rows: &[Vec<String>]) -> String {
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
