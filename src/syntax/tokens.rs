//! Cuts a file, which may be broken anywhere, into words, texts, comments, brackets, signs and
//! spaces: each byte of it is in one token.

/// Signs of two letters; all others have one.
const SIGNS: [&str; 8] = ["..", "==", "!=", "<=", ">=", "+=", "-=", "->"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Space,
    /// The end of a line.
    End,
    /// From `#` to the end of the line.
    Comment,
    /// A text in quotes, up to a hole or from one on.
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
    /// Whether it continues a text that began before: it stands in a hole or behind one.
    pub continues: bool,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bracket {
    pub letter: char,
    pub at: usize,
    /// Whether it opens a hole in a text.
    pub hole: bool,
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
            _ if tokens.in_text => (TokenKind::Text, tokens.words(rest)),
            '"' => (TokenKind::Text, 1 + tokens.words(&rest[1..])),
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
    fn words(&mut self, rest: &str) -> usize {
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
pub fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}
