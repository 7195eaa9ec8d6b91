//! The tree of a file: one type per construct, a span on each, nothing resolved.
//!
//! Not every tree is a sensible game: names may be unknown and types may clash. Only the checker
//! turns a tree into rules.

mod body;

use crate::source::Span;

pub use body::*;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ast {
    pub items: Vec<Item>,
    /// Where the files that it was put together of begin, the opened one first: each knows nothing of
    /// those before it.
    pub(crate) files: Vec<u32>,
}

/// A word that names something, `snake_case` or `PascalCase`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// What follows the name of a rule that another one replaced and calls: nobody can write it.
pub(crate) const OF_BASE: &str = " in the base game";

/// A `##` line, without its `##` and the spaces around it.
pub(crate) type Note = String;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub notes: Vec<Note>,
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Game(GameDecl),
    Variant(Variant),
    /// `use "lib/dice.game"`: the declarations of another file.
    Use(Text),
    /// `replace DECLARATION`: in the place of the one of the base.
    Replace(Box<ItemKind>),
    Option(OptionItem),
    Let(ConstantDecl),
    Kind(KindDecl),
    Cards(CardsDecl),
    /// `extend kind Name { … }`: more members of a kind.
    Extend(KindDecl),
    /// What is put into a declaration that is there already.
    More(Extension),
    Remove(Removal),
    Board(BoardDecl),
    Table(TableDecl),
    Has(Has),
    Rule(RuleDecl),
    Moves(MovesDecl),
    Measure(MeasureDecl),
    Always(AlwaysDecl),
    Strategy(StrategyDecl),
    Flow(FlowDecl),
}

impl ItemKind {
    /// The drawn data in it that may lie in a file.
    pub(crate) fn drawn_mut(&mut self) -> Vec<&mut Drawn> {
        match self {
            ItemKind::Replace(kind) => kind.drawn_mut(),
            ItemKind::Kind(kind) | ItemKind::Extend(kind) => {
                let columns = kind.columns.iter_mut().map(|column| &mut column.drawn);
                let members = match &mut kind.body {
                    KindBody::Drawn(drawn) => Some(drawn),
                    KindBody::Members(_) | KindBody::Product(_) => None,
                };
                members.into_iter().chain(columns).collect()
            }
            ItemKind::Table(TableDecl { body: TableBody::Drawn(drawn), .. })
            | ItemKind::More(Extension::Rows(_, TableBody::Drawn(drawn))) => vec![drawn],
            _ => Vec::new(),
        }
    }
}

/// `game "Title" { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameDecl {
    /// The name that people see; only what replaces the game of a base may have none.
    pub(crate) title: Option<Text>,
    pub clauses: Vec<GameClause>,
}

/// `variant "Title" of "base.game" with "frost.game", "teams.game"`; `mixin of "base.game"` has no title, for it is a part of
/// variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    pub(crate) title: Option<Text>,
    pub(crate) base: Text,
    /// The variants of the same base that lie over it, lowest first.
    pub(crate) with: Vec<Text>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extension {
    /// `extend moves name(…) { … }`: more options of a group.
    Moves(MovesDecl),
    /// `extend rule name { … }`: more cases of a `match`.
    Cases(Name, Arms),
    /// `extend rule name before { … }`, `extend setup after { … }`: what is done besides.
    Around { name: Name, is_before: bool, body: Block },
    /// `extend choose name { … } or … else …`: more options of the decision that a rule makes, or that has this name.
    Choice {
        name: Name,
        options: Vec<MoveLine>,
        decline: Option<Box<Decline>>,
        otherwise: Option<Block>,
    },
    /// `extend table name { … }`: more rows.
    Rows(Name, TableBody),
    /// `replace table name[row, column] = …`: one cell, or a row of them.
    Cells { name: Name, indices: Vec<Cell>, cells: Vec<Cell> },
    /// `extend let name { … }`: more members of a set.
    Members(Name, Vec<Expr>),
}

impl Extension {
    /// The declaration that is changed: its first word and its name.
    pub(crate) fn target(&self) -> (&'static str, &Name) {
        match self {
            Extension::Moves(MovesDecl { name, .. }) => ("moves", name),
            Extension::Cases(name, _) | Extension::Around { name, .. } => ("rule", name),
            Extension::Choice { name, .. } => ("choose", name),
            Extension::Rows(name, _) | Extension::Cells { name, .. } => ("table", name),
            Extension::Members(name, _) => ("let", name),
        }
    }
}

/// `remove kind Element { air }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    Always(AlwaysDecl),
    /// The words before the name, the name, and the parts to remove; without parts all of it.
    Named {
        words: String,
        name: Option<Name>,
        parts: Vec<Name>,
    },
}

/// Cases that do something, or have a value each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arms {
    Statements(Vec<Arm<Block>>),
    Values(Vec<Arm<Expr>>),
}

/// A number of players, or a range of them: `2..5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayersPart {
    pub(crate) low: Expr,
    pub(crate) high: Option<Expr>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameClause {
    /// `players 2`, `players 2..5`, `players 2, 4` or `players 1..4 = 2`. Without `usual` the fewest
    /// play unless another number is given. `seats` names the seats in order.
    Players { counts: Vec<PlayersPart>, usual: Option<Expr>, seats: Option<KindBody>, span: Span },
    /// `limit 1000 decisions { finish draw }`
    Limit { notes: Vec<Note>, decisions: Expr, body: Block, span: Span },
    /// `teams p by p.side`
    Teams { player: Name, team: Expr, span: Span },
    /// `example "first-turns.script"`
    Example { script: Text, span: Span },
    /// `edition 1`
    Edition { number: u32, span: Span },
}

/// `option name: TYPE = DEFAULT "title"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionItem {
    pub name: Name,
    pub ty: Option<TypeExpr>,
    pub default: Expr,
    pub(crate) title: Option<Text>,
}

/// `let name = VALUE` at the top: a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantDecl {
    pub name: Name,
    pub value: Expr,
}

/// `kind Name "title" { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindDecl {
    pub name: Name,
    pub(crate) title: Option<Text>,
    /// `within Realm`: the kind that it is a part of.
    pub(crate) within: Option<Name>,
    pub body: KindBody,
    /// `"{rank} of {suit}"`: how the members of a product print.
    pub form: Option<Text>,
    /// `{ glyph { … } }`: what the members of a product have by their parts.
    pub(crate) columns: Vec<PartColumn>,
}

/// `name: TYPE { … }`: a row for each member of the first kind of a product, a column for each of the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartColumn {
    pub(crate) name: Name,
    pub(crate) ty: Option<TypeExpr>,
    pub(crate) drawn: Drawn,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindBody {
    /// `{ elm, oak "Tall oak" }`
    Members(Vec<MemberDecl>),
    Drawn(Drawn),
    /// `= Colour, Element`: a member for each combination.
    Product(Vec<Name>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDecl {
    pub name: Name,
    pub title: Option<Text>,
}

/// A drawn table: headings, and rows with a label each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// `from "wonders.csv"`: what is in this file, until it is read.
    pub(crate) file: Option<Text>,
    pub(crate) heads: Vec<DrawnHead>,
    pub rows: Vec<DrawnRow>,
}

/// A heading: `cost`, `ability: Ability`, `times=1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DrawnHead {
    pub(crate) label: Cell,
    pub(crate) ty: Option<TypeExpr>,
    pub(crate) default: Option<Cell>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnRow {
    pub(crate) notes: Vec<Note>,
    pub label: Cell,
    pub(crate) cells: Vec<Cell>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub kind: CellKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellKind {
    None,
    Number(i64),
    Bool(bool),
    Text(String),
    Name(String),
    /// `{elm, oak}`
    Set(Vec<Name>),
    /// `{1, 3, 5}`
    Numbers(Vec<i64>),
    /// `{2 red, 1 blue}`
    Goods(Vec<(i64, Name)>),
}

/// `cards Name "title" of Face copies …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardsDecl {
    pub name: Name,
    pub(crate) title: Option<Text>,
    pub(crate) face: Name,
    pub(crate) copies: Copies,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    One,
    /// `copies { coin: 10 }`: so many of these, one of all others.
    Listed(Vec<(Name, i64)>),
    /// `copies number`, `copies if face.rank == zero then 1 else 2`: a number for each face.
    Computed(Expr),
}

/// `board Name "title" SHAPE { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDecl {
    pub name: Name,
    pub(crate) title: Option<Text>,
    pub shape: BoardShape,
    /// Its columns, drawn as the cells lie; a map has none.
    pub attributes: Vec<Attribute>,
    pub(crate) joints: Vec<JointDecl>,
}

/// `edges Road "roads"`: a board of what lies between the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JointDecl {
    pub(crate) word: Name,
    pub(crate) name: Name,
    pub(crate) title: Option<Text>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardShape {
    /// `4 by 4`, `4 by 4 from bottom`, `4 by 4 wrap`
    Grid { columns: Expr, rows: Expr, from_bottom: bool, wraps: bool },
    /// `ring 12`, `hex 7 by 6 wrap`: the word of a shape, one size or two, and the place of `wrap`.
    Shaped { word: String, sizes: Vec<Expr>, wrap: Option<Span> },
    /// `{ harbour - market - castle … }`: chains of places, each linked to the next; what each link has, where
    /// that is drawn, by the names of its places: `harbour-market`.
    Map(Vec<Chain>, Option<KindBody>),
}

/// A chain of links on a map: `ash - dor - elm` is two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    pub(crate) places: Vec<MemberDecl>,
    pub(crate) span: Span,
}

/// `name: TYPE { rows of cells }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub(crate) name: Name,
    pub(crate) ty: Option<TypeExpr>,
    pub(crate) rows: Vec<CellRow>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellRow {
    pub(crate) cells: Vec<Cell>,
    pub(crate) span: Span,
}

/// `table name[TYPE, …] "title": TYPE = …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDecl {
    pub name: Name,
    pub dims: Vec<Dim>,
    pub(crate) title: Option<Text>,
    /// The type of its cells; absent: that of what they hold.
    pub(crate) ty: Option<TypeExpr>,
    pub body: TableBody,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableBody {
    /// `= 5 4 3 2`
    Row(Vec<Cell>),
    /// `{ … }` with a heading row.
    Drawn(Drawn),
    /// `= EXPRESSION`, where an index has a name: computed once for each member.
    Formula(Expr),
}

/// `each player has { … }` or `the table has { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Has {
    pub owner: Owner,
    pub vars: Vec<VarDecl>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    Player,
    Table,
}

impl Owner {
    /// The words before the variables of this owner.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Owner::Player => "each player has",
            Owner::Table => "the table has",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    pub(crate) notes: Vec<Note>,
    pub form: VarForm,
    pub name: Name,
    pub(crate) title: Option<Text>,
    /// What it is an array over: `stock[h in Harbour, c in Cargo]`, and the `for Colour` of dice.
    pub dims: Vec<Dim>,
    /// Its type; absent: that of the first value.
    pub ty: Option<TypeExpr>,
    /// Its first value; dice and histories have none.
    pub init: Option<Expr>,
    pub(crate) sight: Visibility,
    /// The players of `seen by PLAYERS`, as they are written.
    pub(crate) seers: Option<Expr>,
    /// `undrawn`: neither the table nor the rulebook shows it.
    pub(crate) undrawn: bool,
    pub span: Span,
}

/// Who sees what a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visibility {
    All,
    /// `seen by owner`
    Owner,
    /// `seen by others`: all but the owner.
    Others,
    /// `seen by PLAYERS`: those whom an expression names.
    Named,
    /// `hidden`: nobody.
    Nobody,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarForm {
    /// `score = 0`
    Plain,
    /// `coin bread: 0..5 = 3`
    Coin,
    /// `die cube = 1..20`, `dice die for Colour = 1..6`
    Die(FacesDecl),
    /// `deck: cards hidden = Card`
    Pile,
    /// `history past of at, to_move`: remembers values of these variables together.
    History(Vec<Name>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FacesDecl {
    Range(Expr, Expr),
    List(Vec<Cell>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// `h in Harbour`: what the first value, or the formula of a table, calls the index.
    pub binder: Option<Name>,
    pub ty: TypeExpr,
}

/// `rule name "title" (p: Type, …) -> Type …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDecl {
    pub name: Name,
    pub(crate) title: Option<Text>,
    pub params: Vec<Param>,
    pub returns: Option<TypeExpr>,
    pub body: RuleBody,
    /// If it calls `base`: the name of the rule that it replaces, empty where it replaces none.
    pub(crate) base: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: Name,
    pub ty: TypeExpr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleBody {
    Value(Expr),
    Block(Block),
}

/// `moves name(p: Type, …) { options }`: options that decisions include.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesDecl {
    pub name: Name,
    pub params: Vec<Param>,
    pub options: Vec<MoveLine>,
}

/// `measure name "title" for each player = VALUE`: a number that is taken when a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureDecl {
    pub name: Name,
    pub(crate) title: Option<Text>,
    pub each: Option<Span>,
    pub value: Expr,
}

/// `always CONDITION for x in S where P`: what holds at every decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlwaysDecl {
    pub condition: Expr,
    pub binder: Option<Binder>,
    /// All of it as it is written, without what separates: what removes it says it again.
    pub(crate) written: String,
}

/// `strategy "Title" { lines }`: a way to play that tests the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyDecl {
    pub(crate) title: Text,
    pub(crate) lines: Vec<StrategyLineDecl>,
}

/// `attack(_, target) when P by highest KEY`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StrategyLineDecl {
    pub(crate) notes: Vec<Note>,
    pub(crate) name: Name,
    /// What the line calls the arguments; none for any number of them, and none for `_`.
    pub(crate) arguments: Option<Vec<Option<Name>>>,
    pub(crate) condition: Option<Expr>,
    pub(crate) keys: Vec<(Direction, Expr)>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowDecl {
    pub phase: Phase,
    pub body: Block,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Setup,
    Play,
}
