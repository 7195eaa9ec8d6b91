//! The view of a seat, as plain data that any front draws.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize, Serializer};

use crate::game::view::Paint;

/// What one seat sees of a game where somebody decides, or where it is over; nothing that the rules
/// hide from that seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableView {
    pub(crate) head: ViewHead,
    /// The players, in the order of their seats.
    pub(crate) seats: Vec<SeatView>,
    pub boards: Vec<Board>,
    /// What lies on the table, in the order of the file.
    pub table: Vec<Thing>,
    /// What each player has, by seat.
    pub players: Vec<Vec<Thing>>,
    /// What is printed on the cards in sight, and what the file says of the members that moves name.
    pub(crate) cards: Vec<Card>,
    /// What happened since the last decision of the seat.
    pub(crate) log: Vec<LogEntry>,
    /// What is asked of the seat; none where it is not asked.
    pub(crate) question: Option<String>,
    /// The legal moves of the seat that is asked, by their names.
    pub(crate) actions: Vec<ActionGroup>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ViewHead {
    pub(crate) title: String,
    /// The options whose values are not those of the file.
    pub(crate) options: Vec<Setting>,
    /// The number of the turn, where the rules count turns.
    pub(crate) turn: Option<i64>,
    /// The seat that looks; none where everything is shown.
    pub(crate) viewer: Option<usize>,
    /// The number that chance follows from, where everybody may know it.
    pub(crate) seed: Option<u64>,
    /// How it ended, if it did.
    pub(crate) result: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) value: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SeatView {
    pub(crate) name: String,
    /// What the file calls the seat, if anything.
    pub(crate) title: Option<String>,
    #[cfg_attr(test, ts(as = "String"))]
    pub(crate) colour: Paint,
    pub(crate) glyph: Option<String>,
    pub(crate) status: Status,
    /// The place by all keys of the ranking, once a ranking has ended the game.
    pub(crate) place: Option<usize>,
    /// What the ranking is made of, or what winning asks for.
    pub(crate) standing: Vec<Standing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// It is asked now.
    Decides,
    Waits,
    /// It takes no turns any more, as far as the seat that looks can tell.
    Out,
    Won,
    Lost,
    Drew,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Standing {
    pub(crate) title: String,
    pub(crate) value: i64,
}

/// A member of a kind, a card, a cell or a player, with its looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tag {
    /// The kind in the file: `Player`, `Element`; of a place of an array over numbers these, after
    /// whose array it is: `Ann 1..5`.
    pub(crate) kind: String,
    /// The kind that its kind is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) within: Option<String>,
    /// How it is typed.
    pub(crate) name: String,
    pub title: String,
    /// What stands for it where there is little room: its glyph, or a letter or a few.
    pub short: String,
    /// A colour for each word of its title, or one for all.
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    pub colours: Vec<Paint>,
    /// How many equal ones there are.
    pub(crate) copies: usize,
}

/// A value as the seat sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct SeenValue {
    /// In words; `?` if the seat does not see it.
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<i64>,
    /// The member that it is, or those in the set; of a pile the cards that the seat knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub members: Vec<Tag>,
    /// How many cards lie in the pile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<usize>,
}

/// An element of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Element {
    /// Its indices, those of players aside.
    pub(crate) index: Vec<Tag>,
    pub(crate) value: SeenValue,
    /// Whether it is as it was when the game began.
    pub(crate) unchanged: bool,
}

/// What a variable is to people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ValueForm {
    #[default]
    Number,
    Coin,
    YesNo,
    Member,
    Set,
    List,
    Die,
    Pile,
    Text,
    /// Several variables over one type.
    Sheet,
}

/// Something that is shown: a variable with its value, or a drawing of several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Thing {
    pub title: String,
    /// Its value; of an array, each index with its value. Where it is drawn in rows and columns,
    /// what explains them.
    pub value: String,
    /// The colours of the words of the value, or one for all of them; none where colours say nothing.
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    pub(crate) inks: Vec<Paint>,
    /// Rows of cells, the first with the headings, each after a heading of its own; none where the
    /// value says all.
    pub grid: Vec<Vec<ViewCell>>,
    /// The variables that it shows, as the file calls them.
    pub(crate) variables: Vec<String>,
    pub(crate) form: ValueForm,
    /// The lowest and the highest number, where the file says them.
    pub(crate) range: Option<(i64, Option<i64>)>,
    /// Its elements, where it is one variable and lies on no board.
    pub(crate) elements: Vec<Element>,
    /// Whether it belongs on the table now: it is not as it was at the start, or counts for winning,
    /// or is a board, a pile, or a die that was rolled.
    pub(crate) drawn: bool,
    /// The board that it is drawn on.
    pub(crate) board: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct ViewCell {
    pub text: String,
    /// The colours of its words, or one for all of them; none where colours say nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub inks: Vec<Paint>,
    /// What stands for its words where there is little room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) glyph: Option<String>,
    /// The member that it is the heading of; of a number of a player the place in the array.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) tag: Option<Tag>,
    /// What the cells are whose heading it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) form: Option<ValueForm>,
}

/// A board with all that lies on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Board {
    /// Its kind in the file.
    pub(crate) name: String,
    pub(crate) title: String,
    /// The seat whose cells these are, where each player has some.
    pub(crate) owner: Option<usize>,
    /// The board between whose cells these lie, if they are its edges or corners.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) of: Option<WholeBoard>,
    pub(crate) layout: BoardLayout,
    /// What stands above the columns of a grid, and beside the rows; on a ring beside each cell; on a map above what
    /// is said of each place or link.
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<String>,
    pub cells: Vec<BoardCell>,
    pub layers: Vec<Layer>,
    /// What the grounds of its cells are.
    pub grounds: Vec<Tag>,
}

impl Board {
    /// The same board with nothing on it.
    pub(crate) fn emptied(mut self) -> Board {
        self.cells.iter_mut().for_each(|cell| cell.pieces.clear());
        self.layers.clear();
        self
    }
}

/// A board that has edges or corners.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WholeBoard {
    pub(crate) name: String,
    pub(crate) layout: BoardLayout,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum BoardLayout {
    #[default]
    Grid,
    Hex,
    Ring,
    /// Places anywhere, joined by links.
    Map,
    /// Between the cells of another board. These count `x` in quarters of a cell and `y` in sixths of a
    /// row, from the upper left corner of that board.
    Edges,
    Corners,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoardCell {
    /// How it is typed.
    pub(crate) name: String,
    pub(crate) title: String,
    /// From the left, in halves of a cell; on a map its place in the file.
    pub(crate) x: usize,
    /// The row, from the top.
    pub(crate) y: usize,
    /// What it is: the position in the grounds of its board.
    pub ground: Option<usize>,
    pub pieces: Vec<Piece>,
    /// The names of the cells that links join it to, on a map.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) beside: Vec<String>,
    /// What the file says of a place of a map or of a link, below the headings of its board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) facts: Vec<String>,
}

/// A variable that says something about the cells of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Layer {
    pub variable: String,
    pub(crate) title: String,
    pub(crate) form: LayerForm,
    /// All that can lie on a cell because of it, as far as these are members.
    pub pieces: Vec<Tag>,
    /// The longest number that can stand in a cell, in digits.
    pub(crate) digits: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum LayerForm {
    /// A member or a number in each cell.
    #[default]
    Piece,
    /// Cells that are marked: a set, or a yes/no in each.
    Mark,
    /// One piece, whose place the variable holds.
    Place,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Piece {
    /// The position of its layer on the board.
    pub layer: usize,
    /// The seat that it belongs to, if it belongs to one.
    pub(crate) owner: Option<usize>,
    pub value: SeenValue,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Card {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) title: String,
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    pub(crate) colours: Vec<Paint>,
    pub(crate) glyph: Option<String>,
    /// Its columns in the order of the file, with their values in words.
    pub(crate) columns: Vec<CardColumn>,
    pub(crate) notes: String,
}

/// What a column of the file says of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CardColumn {
    pub(crate) title: String,
    pub(crate) value: String,
    /// Whether it is a text that people read.
    pub(crate) is_text: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LogEntry {
    pub(crate) what: What,
    /// The seat that did it, if one did.
    pub(crate) seat: Option<usize>,
    /// In words, as far as the seat that looks may know it.
    pub(crate) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Move,
    /// Words of the rules.
    Said,
    /// Dice and cards that chance decided.
    Draw,
    /// A pass that was made because nothing else was legal.
    Pass,
    /// A move that was made because nothing else was legal.
    Forced,
    /// Cards that came to the seat that looks, or went from it.
    Cards,
    /// The position was changed by hand.
    Set,
}

/// The legal moves of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ActionGroup {
    pub(crate) name: String,
    /// The name as people read it.
    pub(crate) title: String,
    /// What the file says of it.
    pub(crate) notes: String,
    /// What a move names after its name, with the values left.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) actions: Vec<ActionView>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// Each value of which there is a legal move.
    pub(crate) values: Vec<MoveArgument>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ActionView {
    /// Its number in the list, from 1.
    pub(crate) number: usize,
    /// How it is typed.
    pub(crate) label: String,
    /// For each parameter the position of its value.
    pub(crate) arguments: Vec<usize>,
    /// Its number among all moves of the game; none where they have no numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) action: Option<ActionNumbers>,
}

/// The number of a move, the same in all positions; or those of its steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub(crate) enum ActionNumbers {
    Whole(u32),
    Steps(Vec<u32>),
}

impl From<Vec<u32>> for ActionNumbers {
    fn from(numbers: Vec<u32>) -> ActionNumbers {
        if let [number] = *numbers {
            ActionNumbers::Whole(number)
        } else {
            ActionNumbers::Steps(numbers)
        }
    }
}

impl ActionNumbers {
    pub(crate) fn as_slice(&self) -> &[u32] {
        match self {
            ActionNumbers::Whole(number) => std::slice::from_ref(number),
            ActionNumbers::Steps(numbers) => numbers,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveArgument {
    /// How it is typed.
    pub(crate) text: String,
    pub(crate) means: Means,
    /// The members, cells, cards or players that it names; of a number that is an index the place.
    pub(crate) members: Vec<Tag>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Means {
    #[default]
    Nothing,
    Number,
    YesNo,
    Seat,
    Cell,
    Card,
    Member,
}

impl Display for Paint {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Paint::Rgb(red, green, blue) => write!(formatter, "#{red:02x}{green:02x}{blue:02x}"),
            named => formatter.write_str(&format!("{named:?}").to_lowercase()),
        }
    }
}

impl Serialize for Paint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
