//! Cuts a file, which may be broken anywhere, into tokens: each byte of it is in one. Names the words
//! that begin declarations, continue lines, or cannot be names.

/// Signs of two letters; all others have one.
const SIGNS: [&str; 8] = ["..", "==", "!=", "<=", ">=", "+=", "-=", "->"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Space,
    /// The end of a line.
    End,
    /// From `#` to the end of the line.
    Comment,
    /// A text in quotes, or the part of one before, between or behind its holes.
    Text,
    Word,
    Number,
    Open,
    Close,
    Comma,
    /// Any other sign.
    Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub start: usize,
    /// Whether it continues a text that began before: it stands in a hole or after one.
    pub(crate) continues: bool,
}

impl Token<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bracket {
    pub letter: char,
    pub(crate) at: usize,
    /// Whether it opens a hole in a text.
    pub(crate) hole: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Tokens<'a> {
    pub all: Vec<Token<'a>>,
    /// The offsets of opening brackets and those that close them.
    pub pairs: Vec<(usize, usize)>,
    /// The brackets that are open at the end, outermost first.
    pub open: Vec<Bracket>,
    /// Whether the file ends inside of quotes.
    pub in_text: bool,
    /// How many open brackets are holes.
    holes: usize,
}

pub fn tokenize(text: &str) -> Tokens<'_> {
    let mut tokens = Tokens::default();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let continues = tokens.in_text || tokens.holes > 0;
        let until = |end: fn(char) -> bool| rest.find(end).unwrap_or(rest.len());
        let (kind, length) = match letter {
            '\n' => (TokenKind::End, 1),
            '{' if tokens.in_text => (TokenKind::Open, 1),
            _ if tokens.in_text => (TokenKind::Text, tokens.text_length(rest)),
            '"' => (TokenKind::Text, 1 + tokens.text_length(&rest[1..])),
            '#' => (TokenKind::Comment, until(|letter| letter == '\n')),
            '(' | '[' | '{' => (TokenKind::Open, 1),
            ')' | ']' | '}' => (TokenKind::Close, 1),
            ',' => (TokenKind::Comma, 1),
            _ if letter.is_whitespace() => {
                (TokenKind::Space, until(|letter| letter == '\n' || !letter.is_whitespace()))
            }
            _ if letter.is_ascii_digit() => (TokenKind::Number, until(|it| !is_part(it))),
            _ if is_part(letter) => (TokenKind::Word, until(|it| !is_part(it))),
            _ => (TokenKind::Sign, leading_sign(rest).map_or(letter.len_utf8(), str::len)),
        };
        match kind {
            TokenKind::End => tokens.end_line(),
            TokenKind::Open => tokens.opens(letter, at),
            TokenKind::Close => tokens.closes(letter, at),
            _ => {}
        }
        let continues = continues && kind != TokenKind::End;
        tokens.all.push(Token { kind, text: &rest[..length], start: at, continues });
        at += length;
    }
    tokens
}

impl Tokens<'_> {
    /// Texts and their holes end with their line.
    fn end_line(&mut self) {
        self.in_text = false;
        if std::mem::take(&mut self.holes) > 0 {
            let hole = self.open.iter().position(|bracket| bracket.hole);
            self.open.truncate(hole.unwrap_or(self.open.len()));
        }
    }

    /// How long the words of a text are, with the quote that ends them.
    fn text_length(&mut self, rest: &str) -> usize {
        let mut letters = rest.char_indices();
        self.in_text = true;
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' if !rest[at + 1..].starts_with('\n') => drop(letters.next()),
                '"' => {
                    self.in_text = false;
                    return at + 1;
                }
                '{' | '\n' => return at,
                _ => {}
            }
        }
        rest.len()
    }

    fn opens(&mut self, letter: char, at: usize) {
        self.open.push(Bracket { letter, at, hole: self.in_text });
        self.holes += usize::from(self.in_text);
        self.in_text = false;
    }

    fn closes(&mut self, letter: char, at: usize) {
        // In a hole, brackets that do not fit are mistakes: only `}` leads back into its text.
        while self.holes > 0 && letter == '}' && self.open.last().is_some_and(|it| it.letter != '{')
        {
            self.open.pop();
        }
        if letter != '}' && self.open.last().is_some_and(|bracket| bracket.hole) {
            return;
        }
        if let Some(bracket) = self.open.pop() {
            self.holes -= usize::from(bracket.hole);
            self.in_text = bracket.hole;
            self.pairs.push((bracket.at, at));
        }
    }
}

/// The sign of two letters that a text begins with.
pub(super) fn leading_sign(text: &str) -> Option<&'static str> {
    SIGNS.into_iter().find(|sign| text.starts_with(sign))
}

/// Whether words have this letter.
pub(crate) fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The words that begin a declaration.
pub const DECLARATIONS: &[&str] = &[
    "game", "variant", "mixin", "use", "option", "let", "kind", "extend", "replace", "remove",
    "cards", "board", "table", "each", "the", "rule", "moves", "measure", "always", "strategy",
    "setup", "play",
];

/// Whether a declaration that begins so holds drawn data.
pub(super) fn is_drawn(text: &str) -> bool {
    let drawn = |word: &str| matches!(word, "kind" | "board" | "table");
    match first_word(text) {
        ("extend" | "replace", rest) => drawn(leading_word(rest)),
        (word, _) => drawn(word),
    }
}

/// The word that `text` begins with; empty when it begins with something else.
pub(super) fn leading_word(text: &str) -> &str {
    &text[..text.find(|letter| !is_part(letter)).unwrap_or(text.len())]
}

/// The word that `text` begins with, and what follows it on its line.
fn first_word(text: &str) -> (&str, &str) {
    let word = leading_word(text);
    (word, text[word.len()..].trim_start_matches([' ', '\t']))
}

/// Whether a line that begins so goes on with the line before it.
pub(super) fn continues_before(line: &str) -> bool {
    // Nothing else begins with these; a `-` may be an empty cell.
    if line.starts_with(['+', '*', '/']) {
        return true;
    }
    match first_word(line) {
        ("and" | "or" | "union" | "minus" | "common" | "where" | "then" | "until", _) => true,
        ("else", rest) => !rest.starts_with(':'),
        _ => false,
    }
}

/// Whether a line that ends with this word goes on.
pub(super) fn continues_after(word: &str) -> bool {
    matches!(
        word,
        "and" | "or" | "not" | "in" | "union" | "minus" | "common" | "within" | "mod" | "where"
    )
}

/// Whether this word puts what follows one level deeper into the tree.
pub(super) fn counts_as_depth(word: &str) -> bool {
    (continues_after(word) && word != "where")
        || matches!(
            word,
            "if" | "else" | "of" | "maybe" | "roll" | "random" | "choose" | "match" | "suppose"
        )
}

/// Whether a line outside all brackets begins a declaration.
pub(super) fn begins_declaration(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let next = rest.chars().next();
    // What must always hold may begin with anything that a condition begins with.
    let promise = word == "always" && next.is_some_and(|next| "(-".contains(next));
    promise
        || DECLARATIONS.contains(&word) && !next.is_some_and(|next| "=+-*/,.([)<>!:".contains(next))
}

/// Whether a line at the margin begins a declaration although brackets are open: only what can be
/// no statement, row or move. The open bracket belongs to `owner`.
pub(super) fn surely_begins_declaration(line: &str, owner: &str) -> bool {
    let (word, rest) = first_word(line);
    let (name, after) = first_word(rest);
    match word {
        "game" | "variant" | "use" | "strategy" => rest.starts_with('"'),
        "option" => !name.is_empty() && after.starts_with(['=', ':']),
        "kind" if !name.is_empty() => {
            after.starts_with(['{', '"', '=']) || leading_word(after) == "within"
        }
        "mixin" => name == "of",
        "extend" => {
            matches!(
                name,
                "kind" | "moves" | "rule" | "choose" | "table" | "let" | "setup" | "play"
            )
        }
        "replace" | "remove" => DECLARATIONS.contains(&name),
        "cards" => name.starts_with(char::is_uppercase) && after.starts_with(['o', '"']),
        "board" => name.starts_with(char::is_uppercase) && !after.is_empty(),
        "table" => !name.is_empty() && after.starts_with('['),
        "moves" => !name.is_empty() && after.starts_with('(') && rest.trim_end().ends_with('{'),
        "rule" => !name.is_empty() && after.starts_with(['(', '"']),
        "each" => name == "player",
        "the" => name == "table",
        // Moves may be called so.
        "setup" | "play" => rest.starts_with('{') && owner != "choose",
        _ => false,
    }
}

/// The words that are no names, as the rule `reserved` of the grammar lists them.
pub const RESERVED: &[&str] = &[
    "and", "or", "not", "in", "if", "then", "else", "for", "where", "when", "while", "repeat",
    "until", "match", "choose", "let", "var", "return", "break", "yes", "none", "no", "union",
    "minus", "common", "within", "mod",
];

/// `tall_oak` as `TallOak`.
pub fn in_pascal_case(name: &str) -> String {
    let capital = |part: &str| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    name.split('_').map(capital).collect()
}

/// `TallOak` as `tall_oak`.
pub fn in_snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut last_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && last_small {
            snake.push('_');
        }
        last_small = !letter.is_ascii_uppercase() && letter != '_';
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
