//! What can be wrong with the form of a text.

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable, Help};
use crate::source::Span;

/// A mistake in the form of a file, a statement or an expression.
#[derive(Clone, Debug, Error, Diagnostic)]
pub enum SyntaxError {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(syntax::unexpected))]
    Unexpected {
        /// What may stand here, in words.
        expected: String,
        /// What stands here, in words.
        found: String,
        /// A way out, where there is a likely one.
        #[help]
        help: Option<Help>,
        /// Where.
        #[label("not this")]
        span: Span,
    },

    /// A bracket that nothing closes.
    #[error("this `{bracket}` is never closed")]
    #[diagnostic(code(syntax::unclosed_bracket), help("add the `{closer}`"))]
    UnclosedBracket {
        /// The bracket.
        bracket: char,
        /// What would close it.
        closer: char,
        /// The words before it, which say what it belongs to.
        owner: String,
        /// Where it stands.
        #[label("it belongs to `{owner}`")]
        span: Span,
        /// What stands before the place where it should be closed.
        #[label("the `{closer}` is missing behind this")]
        missing: Span,
    },

    /// A closing bracket without an opening one.
    #[error("nothing is open here that this `{bracket}` could close")]
    #[diagnostic(
        code(syntax::stray_bracket),
        help("remove it, or add the opening bracket that it belongs to")
    )]
    StrayBracket {
        /// The bracket.
        bracket: char,
        /// Where it stands.
        #[label("closes nothing")]
        span: Span,
    },

    /// A text without its closing quote.
    #[error("this text has no closing quote")]
    #[diagnostic(code(syntax::unclosed_text))]
    UnclosedText {
        /// What to do.
        #[help]
        help: Help,
        /// From its quote to the end of the line.
        #[label("a text ends on the line where it begins")]
        span: Span,
    },

    /// A character that no word, number or sign is made of.
    #[error("`{found}` means nothing here")]
    #[diagnostic(code(syntax::stray_character))]
    StrayCharacter {
        /// The character.
        found: String,
        /// What to do.
        #[help]
        help: Help,
        /// Where it stands.
        #[label("outside a text and a comment")]
        span: Span,
    },

    /// A sign of another language.
    #[error("`{found}` is not a sign of this language")]
    #[diagnostic(code(syntax::foreign_sign))]
    ForeignSign {
        /// The sign.
        found: String,
        /// What to write.
        #[help]
        help: Help,
        /// Where it stands.
        #[label("not known here")]
        span: Span,
    },

    /// Brackets in brackets in brackets, or an endless chain of operators.
    #[error("this is nested more than {limit} levels deep")]
    #[diagnostic(
        code(syntax::too_deep),
        help("move a part of it into a rule or a `let` of its own")
    )]
    TooDeep {
        /// How deep it may be.
        limit: usize,
        /// Where the limit is passed.
        #[label("too deep")]
        span: Span,
    },

    /// A name that nobody types.
    #[error("a name of {found} letters is too long")]
    #[diagnostic(
        code(syntax::long_name),
        help("a name has at most {most} letters; a title may say more")
    )]
    LongName {
        /// How long it is.
        found: usize,
        /// How long it may be.
        most: usize,
        /// The name.
        #[label("too long")]
        span: Span,
    },

    /// A file that nobody wrote by hand.
    #[error("the file is {length} bytes long; the limit is {limit}")]
    #[diagnostic(code(syntax::too_long), help("split what it holds into several games"))]
    TooLong {
        /// Its length.
        length: usize,
        /// The limit.
        limit: usize,
        /// Its beginning.
        #[label("this file")]
        span: Span,
    },

    /// A file without a declaration.
    #[error("expected a declaration, found an empty file")]
    #[diagnostic(
        code(syntax::empty),
        help("a game begins with `game \"Title\" {{ players 2 }}` and has a `play {{ … }}`")
    )]
    Empty {
        /// Its beginning.
        #[label("nothing is declared")]
        span: Span,
    },

    /// A line at the top that begins with no declaration word.
    #[error("expected a declaration, found `{found}`")]
    #[diagnostic(code(syntax::unknown_declaration))]
    UnknownDeclaration {
        /// The word.
        found: String,
        /// The word that was meant, or all that are known.
        #[help]
        help: Help,
        /// Where it stands.
        #[label("begins no declaration")]
        span: Span,
    },

    /// A name that the language needs for itself.
    #[error("`{word}` is a word of the language and cannot be a name")]
    #[diagnostic(code(syntax::reserved_word), help("choose another name, such as `{word}_`"))]
    ReservedWord {
        /// The word.
        word: String,
        /// Where it stands.
        #[label("expected {expected}")]
        span: Span,
        /// What was expected.
        expected: String,
    },

    /// A `##` line above nothing.
    #[error("this note belongs to nothing")]
    #[diagnostic(
        code(syntax::stray_note),
        help(
            "a `##` line stands above a declaration, a variable, a drawn row or a move; \
             write `#` for a comment"
        )
    )]
    StrayNote {
        /// The note.
        #[label("no declaration follows")]
        span: Span,
    },

    /// `pass` where `pass { … }` should stand.
    #[error("the move `{name}` has no body")]
    #[diagnostic(
        code(syntax::move_without_body),
        help("say what happens behind it, `{name} {{ … }}`; `{{ }}` if nothing does")
    )]
    MoveWithoutBody {
        /// The name of the move.
        name: String,
        /// The name's place.
        #[label("this move")]
        span: Span,
    },

    /// `if a = b`.
    #[error("`=` gives a value; `==` compares")]
    #[diagnostic(code(syntax::assignment_in_condition), help("write `==`"))]
    AssignmentInCondition {
        /// The sign.
        #[label("a comparison is expected here")]
        span: Span,
    },

    /// A value that nothing is done with.
    #[error("this does nothing")]
    #[diagnostic(code(syntax::idle_statement))]
    IdleStatement {
        /// What to do.
        #[help]
        help: Help,
        /// The value.
        #[label("a value alone is no statement")]
        span: Span,
    },

    /// `elseif`, `elif`.
    #[error("`{found}` is not a word of the language")]
    #[diagnostic(code(syntax::else_if), help("write `else if`"))]
    ElseIf {
        /// The word.
        found: String,
        /// Where it stands.
        #[label("two words: `else if`")]
        span: Span,
    },

    /// `true`, `false`.
    #[error("`{found}` is written `{instead}` here")]
    #[diagnostic(code(syntax::foreign_truth), help("write `{instead}`"))]
    ForeignTruth {
        /// The word.
        found: String,
        /// The word of this language.
        instead: String,
        /// Where it stands.
        #[label("write `{instead}`")]
        span: Span,
    },

    /// `if x` and then no `{`.
    #[error("expected `{{`, found {found}")]
    #[diagnostic(
        code(syntax::missing_brace),
        help("what belongs together stands in braces, and the `{{` stands on this line")
    )]
    MissingBrace {
        /// What stands here, in words.
        found: String,
        /// Where.
        #[label("the `{{` is missing before this")]
        span: Span,
    },

    /// `rule f(x: number) number`.
    #[error("the type of a rule's value stands behind `->`")]
    #[diagnostic(code(syntax::missing_arrow), help("write `-> {found}`"))]
    MissingArrow {
        /// The type.
        found: String,
        /// Where it stands.
        #[label("the `->` is missing before this")]
        span: Span,
    },

    /// `a < b < c`.
    #[error("comparisons cannot be chained")]
    #[diagnostic(
        code(syntax::chained_comparison),
        help("join two comparisons with `and`: `a < b and b < c`")
    )]
    ChainedComparison {
        /// The second of them.
        #[label("a second comparison")]
        span: Span,
        /// The first.
        #[label("the first one")]
        first: Span,
    },

    /// `a..b..c`.
    #[error("a range has two ends")]
    #[diagnostic(code(syntax::chained_range), help("write `a..b`"))]
    ChainedRange {
        /// The second `..`.
        #[label("a second `..`")]
        span: Span,
    },

    /// `edition 7`.
    #[error("there is no edition `{found}` of the language, as far as this program knows")]
    #[diagnostic(
        code(syntax::unknown_edition),
        help("it knows the editions up to {newest}; a newer program may know this one")
    )]
    UnknownEdition {
        /// What stands there.
        found: String,
        /// The newest one.
        newest: u32,
        /// Where.
        #[label("not known")]
        span: Span,
    },

    /// A number that does not fit.
    #[error("the number `{found}` is too large")]
    #[diagnostic(code(syntax::number_too_large), help("numbers have 64 bits: up to {}", i64::MAX))]
    NumberTooLarge {
        /// Its digits.
        found: String,
        /// Where it stands.
        #[label("does not fit")]
        span: Span,
    },

    /// `1.5`.
    #[error("`{found}` is not a whole number")]
    #[diagnostic(
        code(syntax::decimal),
        help("all numbers are whole: count in halves or hundredths; a range has two dots: `1..5`")
    )]
    Decimal {
        /// What stands there.
        found: String,
        /// Where.
        #[label("numbers are whole")]
        span: Span,
    },

    /// `\q` in a text.
    #[error("`\\{found}` means nothing in a text")]
    #[diagnostic(
        code(syntax::unknown_escape),
        help("a backslash stands before `{{`, `}}`, `\"`, `\\`, or `n` for a new line")
    )]
    UnknownEscape {
        /// The character behind the backslash.
        found: char,
        /// Where.
        #[label("not known")]
        span: Span,
    },

    /// A hole in a text that is a drawn cell.
    #[error("a drawn cell holds plain words")]
    #[diagnostic(
        code(syntax::hole_in_cell),
        help("write the words as they are to be shown; `\\{{` is the brace itself")
    )]
    HoleInCell {
        /// The hole.
        #[label("this is a hole")]
        span: Span,
    },

    /// `kind element`.
    #[error("the kind `{found}` should be called `{instead}`")]
    #[diagnostic(
        code(syntax::kind_name),
        help("kinds begin with a capital letter, all other names with a small one")
    )]
    KindName {
        /// The name.
        found: String,
        /// The name in the other writing.
        instead: String,
        /// Where it stands.
        #[label("write `{instead}`")]
        span: Span,
    },

    /// `rule Foe()`.
    #[error("{what} `{found}` should be called `{instead}`")]
    #[diagnostic(
        code(syntax::small_name),
        help("kinds begin with a capital letter, all other names with a small one")
    )]
    SmallName {
        /// The rule, the table, …
        what: &'static str,
        /// The name.
        found: String,
        /// The name in the other writing.
        instead: String,
        /// Where it stands.
        #[label("write `{instead}`")]
        span: Span,
    },

    /// Members below each other without commas.
    #[error("the members of a kind are separated by commas")]
    #[diagnostic(
        code(syntax::missing_comma),
        help(
            "write `{form}`; without commas the first line is read as a heading, and no member has \
             cells below it"
        )
    )]
    MissingComma {
        /// The first of them, with commas.
        form: String,
        /// The first two of them.
        #[label("no comma follows this")]
        span: Span,
    },

    /// `{a + b where P}`.
    #[error("expected `NAME in SET` before `where`")]
    #[diagnostic(
        code(syntax::filter_without_name),
        help("write `{{c in S where P}}`, with a name for each member in turn")
    )]
    FilterWithoutName {
        /// What stands there instead.
        #[label("not a name and a set")]
        span: Span,
    },
}

impl Fixable for SyntaxError {
    fn fix(&self) -> Option<Fix> {
        let write = |text: &str, span| Some(Fix { span, text: text.to_owned() });
        match self {
            Self::UnclosedText { help, span }
            | Self::UnknownDeclaration { help, span, .. }
            | Self::ForeignSign { help, span, .. }
            | Self::StrayCharacter { help, span, .. }
            | Self::IdleStatement { help, span, .. } => help.fix(*span),
            Self::Unexpected { help, span, .. } => help.as_ref()?.fix(*span),
            Self::UnclosedBracket { closer, missing, .. } => {
                let end = missing.end as usize;
                write(&closer.to_string(), Span::new(end, end))
            }
            Self::StrayNote { span } => {
                write("#", Span::new(span.start as usize, span.start as usize + 2))
            }
            Self::AssignmentInCondition { span } => write("==", *span),
            Self::ElseIf { span, .. } => write("else if", *span),
            Self::MissingArrow { found, span } => write(&format!("-> {found}"), *span),
            Self::ForeignTruth { instead, span, .. }
            | Self::KindName { instead, span, .. }
            | Self::SmallName { instead, span, .. } => write(instead, *span),
            Self::ReservedWord { word, span, .. } => write(&format!("{word}_"), *span),
            _ => None,
        }
    }
}
