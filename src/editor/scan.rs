//! Finds words, texts, comments and brackets in a file that may be broken anywhere.

/// What a piece of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceSort {
    /// A name or a word of the language.
    Word,
    /// A number.
    Number,
    /// A text in quotes, up to a hole or from one on.
    Text,
    /// From `#` to the end of the line.
    Comment,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// A comma.
    Comma,
}

/// A piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) sort: PieceSort,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A bracket that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bracket {
    pub(super) letter: char,
    pub(super) at: usize,
    /// Whether it opens a hole in a text.
    pub(super) hole: bool,
}

/// The pieces of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    pub(super) pieces: Vec<Piece>,
    /// The offsets of opening brackets and those that close them.
    pub(super) pairs: Vec<(usize, usize)>,
    /// The brackets that are open at the end, outermost first.
    pub(super) open: Vec<Bracket>,
    /// Whether the text ends inside of quotes.
    pub(super) in_text: bool,
}

/// Takes a text to pieces.
pub(super) fn scan(text: &str) -> Scan {
    let mut scan = Scan::default();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let (sort, length) = match letter {
            '\n' => {
                scan.end_line();
                (None, 1)
            }
            _ if scan.in_text => (Some(PieceSort::Text), scan.words(rest)),
            '"' => (Some(PieceSort::Text), 1 + scan.words(&rest[1..])),
            '#' => (Some(PieceSort::Comment), rest.find('\n').unwrap_or(rest.len())),
            '(' | '[' | '{' => (Some(scan.opens(letter, at)), 1),
            ')' | ']' | '}' => (Some(scan.closes(letter, at)), 1),
            ',' => (Some(PieceSort::Comma), 1),
            _ if is_part(letter) => {
                let word = rest.find(|it: char| !is_part(it)).unwrap_or(rest.len());
                let number = letter.is_ascii_digit();
                (Some(if number { PieceSort::Number } else { PieceSort::Word }), word)
            }
            _ => (None, letter.len_utf8()),
        };
        let end = at + length;
        let pieces = sort.filter(|_| length > 0).map(|sort| Piece { sort, start: at, end });
        scan.pieces.extend(pieces);
        at = end;
        // A text goes up to its hole.
        if scan.in_text && text[at..].starts_with('{') {
            scan.in_text = false;
            scan.open.push(Bracket { letter: '{', at, hole: true });
            scan.pieces.push(Piece { sort: PieceSort::Open, start: at, end: at + 1 });
            at += 1;
        }
    }
    scan
}

impl Scan {
    /// Texts and their holes end with their line.
    fn end_line(&mut self) {
        self.in_text = false;
        let hole = self.open.iter().position(|bracket| bracket.hole);
        self.open.truncate(hole.unwrap_or(self.open.len()));
    }

    /// How long the words of a text are, with the quote that ends them.
    fn words(&mut self, rest: &str) -> usize {
        let mut letters = rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' if !rest[at + 1..].starts_with('\n') => drop(letters.next()),
                '"' => {
                    self.in_text = false;
                    return at + 1;
                }
                '{' | '\n' => {
                    self.in_text = true;
                    return at;
                }
                _ => {}
            }
        }
        self.in_text = true;
        rest.len()
    }

    fn opens(&mut self, letter: char, at: usize) -> PieceSort {
        self.open.push(Bracket { letter, at, hole: false });
        PieceSort::Open
    }

    fn closes(&mut self, letter: char, at: usize) -> PieceSort {
        if let Some(bracket) = self.open.pop() {
            self.in_text = bracket.hole && letter == '}';
            self.pairs.push((bracket.at, at));
        }
        PieceSort::Close
    }
}

/// Whether words have this letter.
pub(super) fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::{PieceSort, scan};

    #[test]
    fn texts_have_holes_and_end_with_their_line() {
        let text = "say \"a {f(x)} b\" # \"c\nlet n = 3, \"open {y\nz";
        let found = scan(text);
        let of = |sort| {
            let pieces = found.pieces.iter().filter(|piece| piece.sort == sort);
            pieces.map(|piece| &text[piece.start..piece.end]).collect::<Vec<&str>>()
        };
        assert_eq!(of(PieceSort::Word), ["say", "f", "x", "let", "n", "y", "z"]);
        assert_eq!(of(PieceSort::Text), ["\"a ", " b\"", "\"open "]);
        assert_eq!(of(PieceSort::Comment), ["# \"c"]);
        assert_eq!(of(PieceSort::Number), ["3"]);
        assert!(found.open.is_empty() && !found.in_text);
        assert_eq!(found.pairs.len(), 2);
    }

    #[test]
    fn brackets_that_are_open_are_known() {
        let found = scan("rule f() { if any(x in \"{a[1");
        let open: String = found.open.iter().map(|bracket| bracket.letter).collect();
        assert_eq!(open, "{({[");
        assert!(scan("say \"a \\\" b").in_text);
    }
}
