//! Mistakes about drawn data and declarations.

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable, Help};
use crate::source::Span;

/// A declaration or a drawn table that does not add up.
#[derive(Debug, Error, Diagnostic)]
pub enum DataError {
    /// A row with too few or too many cells.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(check::row_length))]
    RowLength {
        /// How many cells are needed.
        expected: String,
        /// How many there are.
        found: usize,
        /// What to do.
        #[help]
        help: String,
        /// The row.
        #[label("{found} here")]
        span: Span,
    },
    /// A member without a row or a column.
    #[error("the table `{table}` has no {line} for {missing}")]
    #[diagnostic(
        code(check::missing_row),
        help("add a {line} for each; `-` is a cell that holds `none`")
    )]
    MissingRow {
        /// The table.
        table: String,
        /// `row` or `column`.
        line: String,
        /// Whose it is.
        missing: String,
        /// The table's name.
        #[label("incomplete")]
        span: Span,
    },
    /// Members of a kind that is drawn in several tables without a cell in a column.
    #[error("the column `{name}` has no cell for {missing}")]
    #[diagnostic(
        code(check::missing_cell),
        help("draw the column for them too, or give it a default in a heading: `{name}=0`")
    )]
    MissingCell {
        /// The column.
        name: String,
        /// Whose cell it is.
        missing: String,
        /// Its heading.
        #[label("not drawn for all members")]
        span: Span,
    },
    /// A kind that has no list of members to which more could be added.
    #[error("`{name}` cannot be extended")]
    #[diagnostic(
        code(check::not_extensible),
        help("only kinds whose members are listed or drawn can have more of them")
    )]
    NotExtensible {
        /// The kind.
        name: String,
        /// Its name.
        #[label("not a kind of listed members")]
        span: Span,
    },
    /// A part of a kind that cannot be made.
    #[error("{problem}")]
    #[diagnostic(code(check::part))]
    Part {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: String,
        /// The place.
        #[label("here")]
        span: Span,
    },
    /// A product of kinds that cannot be made.
    #[error("{problem}")]
    #[diagnostic(code(check::product))]
    Product {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: String,
        /// The part of the product.
        #[label("here")]
        span: Span,
    },
    /// A member with two rows or two columns.
    #[error("`{name}` stands here twice")]
    #[diagnostic(code(check::duplicate_row), help("take one of the two out"))]
    DuplicateRow {
        /// Whose it is.
        name: String,
        /// The later one.
        #[label("again")]
        span: Span,
        /// The earlier one.
        #[label("first here")]
        earlier: Span,
    },
    /// Cells of several types in one column or table.
    #[error("the cells of `{name}` are not of one type: {one} and {other}")]
    #[diagnostic(
        code(check::mixed_cells),
        help(
            "a column holds numbers, yes/no, members of one kind, sets `{{a, b}}` of one kind, or texts; `-` where there is none"
        )
    )]
    MixedCells {
        /// The column or table.
        name: String,
        /// What the first cell is.
        one: String,
        /// What this cell is.
        other: String,
        /// The cell that does not fit.
        #[label("this is {other}")]
        span: Span,
        /// The first cell.
        #[label("this is {one}")]
        first: Span,
    },
    /// Cells that fit several kinds.
    #[error("the cells of `{name}` could belong to several kinds: {kinds}")]
    #[diagnostic(
        code(check::ambiguous_cells),
        help("say which in the heading: `{name}: {example}`")
    )]
    AmbiguousCells {
        /// The column or table.
        name: String,
        /// The kinds.
        kinds: String,
        /// A heading that would do.
        example: String,
        /// The heading.
        #[label("which kind?")]
        span: Span,
    },
    /// A word in a cell that no kind has.
    #[error("no kind has a member `{name}`")]
    #[diagnostic(code(check::unknown_cell))]
    UnknownCell {
        /// The word.
        name: String,
        /// What to do.
        #[help]
        help: Help,
        /// The cell.
        #[label("not a member of one kind with the other cells")]
        span: Span,
    },
    /// A cell that does not fit the type of its column.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(check::wrong_cell), help("change the cell, or the type that is written"))]
    WrongCell {
        /// What is needed.
        expected: String,
        /// What is there.
        found: String,
        /// The cell.
        #[label("this is {found}")]
        span: Span,
    },
    /// A label that is no name.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(
        code(check::wrong_label),
        help("labels and headings name what their cells belong to")
    )]
    WrongLabel {
        /// What is needed.
        expected: String,
        /// What is there.
        found: String,
        /// The label.
        #[label("this is {found}")]
        span: Span,
    },
    /// A table that is not drawn as its types ask for.
    #[error("{problem}")]
    #[diagnostic(code(check::table_shape))]
    TableShape {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: String,
        /// The place.
        #[label("here")]
        span: Span,
    },
    /// A title with something to compute in it.
    #[error("a title has no holes")]
    #[diagnostic(code(check::holes_in_title), help("write the words as they are to be shown"))]
    HolesInTitle {
        /// The title.
        #[label("a title is shown as it stands")]
        span: Span,
    },
    /// A number of players that cannot be.
    #[error("{problem}")]
    #[diagnostic(
        code(check::players_range),
        help(
            "write `players 2`, `players 2..5`, or `players 1..4 = 2`, with numbers from 1 to 20"
        )
    )]
    PlayersRange {
        /// What is wrong.
        problem: String,
        /// The line.
        #[label("here")]
        span: Span,
    },
    /// A kind without members.
    #[error("the kind `{name}` has no members")]
    #[diagnostic(code(check::empty_kind), help("a kind has at least one member"))]
    EmptyKind {
        /// The kind.
        name: String,
        /// Its name.
        #[label("empty")]
        span: Span,
    },
    /// A kind or a range with too many members.
    #[error("{name} has {found} members, and the most is {most}")]
    #[diagnostic(
        code(check::too_many_members),
        help("sets and arrays are over short types; keep large numbers as numbers")
    )]
    TooManyMembers {
        /// The kind or range.
        name: String,
        /// How many it has.
        found: usize,
        /// How many there may be.
        most: usize,
        /// Its name.
        #[label("too long")]
        span: Span,
    },
    /// A kind with more columns than anybody draws.
    #[error("`{name}` has {found} columns; the most is {most}")]
    #[diagnostic(
        code(check::too_many_columns),
        help("keep what belongs together in a table of its own: `table t[Kind, Other] …`")
    )]
    TooManyColumns {
        /// The kind.
        name: String,
        /// How many it has.
        found: usize,
        /// How many there may be.
        most: usize,
        /// The first beyond.
        #[label("one too many")]
        span: Span,
    },
    /// A title that nobody reads.
    #[error("a title of {found} bytes is too long; the most is {most}")]
    #[diagnostic(
        code(check::long_title),
        help("write what there is to say in a note above it: `## …`")
    )]
    LongTitle {
        /// How long it is.
        found: usize,
        /// How long it may be.
        most: usize,
        /// The title.
        #[label("too long")]
        span: Span,
    },
    /// An option that nobody could set.
    #[error("an option cannot be {found}")]
    #[diagnostic(
        code(check::option_type),
        help("an option is yes/no, a number, a member of a kind, or a `maybe` of these")
    )]
    OptionType {
        /// What it is.
        found: String,
        /// Its name.
        #[label("this option")]
        span: Span,
    },
    /// A coin that is not counted.
    #[error("a coin is a number, found {found}")]
    #[diagnostic(code(check::coin_type), help("give it a range: `coin {name}: 0..5 = 0`"))]
    CoinType {
        /// The coin.
        name: String,
        /// What it is.
        found: String,
        /// Its place.
        #[label("this coin")]
        span: Span,
    },
    /// A range whose ends are the wrong way round.
    #[error("the range {low}..{high} holds nothing")]
    #[diagnostic(code(check::empty_range), help("write the lower end first"))]
    EmptyRange {
        /// The lower end.
        low: i64,
        /// The upper end.
        high: i64,
        /// The range.
        #[label("ends before it begins")]
        span: Span,
    },
    /// A state that cannot hold something.
    #[error("a variable cannot hold {found}")]
    #[diagnostic(
        code(check::not_storable),
        help(
            "variables hold numbers, yes/no, members, sets, and `maybe` of a number, yes/no or member"
        )
    )]
    NotStorable {
        /// What it is.
        found: String,
        /// Its place.
        #[label("this cannot be kept")]
        span: Span,
    },
    /// A type that only a file may introduce.
    #[error("a new type cannot be written here")]
    #[diagnostic(code(check::new_type), help("use a type that the game has already"))]
    NewType {
        /// The type.
        #[label("not a type of the game")]
        span: Span,
    },
}

impl Fixable for DataError {
    fn fix(&self) -> Option<Fix> {
        match self {
            Self::UnknownCell { help, span, .. } => help.fix(*span),
            _ => None,
        }
    }
}
