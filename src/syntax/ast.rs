//! The tree of a file: one type per construct, a span on each, nothing resolved.
//!
//! Not every tree is a sensible game: names may be unknown and types may clash. Only the checker
//! turns a tree into rules.

use crate::source::Span;

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ast {
    /// The declarations, in the order of the text.
    pub items: Vec<Item>,
}

/// A word that names something, `snake_case` or `PascalCase`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A `##` line, without its `##` and the spaces around it.
pub type Note = String;

/// A declaration with the notes above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The `##` lines above it.
    pub notes: Vec<Note>,
    /// What is declared.
    pub kind: ItemKind,
    /// The declaration without its notes.
    pub span: Span,
}

/// The declarations of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `game "Title" { players 2..4 … }`
    Game(Game),
    /// `variant "Title" of "base.game"`
    Variant(Variant),
    /// `use "lib/dice.game"`: the declarations of another file.
    Use(Text),
    /// `replace DECLARATION`: in the place of the one of the base.
    Replace(Box<ItemKind>),
    /// `option name: TYPE = DEFAULT "title"`
    Option(OptionItem),
    /// `let name = VALUE`
    Let(Constant),
    /// `kind Name { … }`
    Kind(Kind),
    /// `cards Name of Face copies { … }`
    Cards(Cards),
    /// `extend kind Name { … }`: more members of a kind.
    Extend(Kind),
    /// `extend moves name(…) { … }`: more options of a group.
    MoreMoves(Moves),
    /// `extend rule name { … }`: more cases of a rule that is one `match`.
    MoreBranches(MoreBranches),
    /// `board Name 4 by 4 { … }`
    Board(Board),
    /// `table name[TYPE, …] = …`
    Table(Table),
    /// `each player has { … }` or `the table has { … }`
    Has(Has),
    /// `rule name(…) …`
    Rule(Rule),
    /// `moves name(…) { … }`
    Moves(Moves),
    /// `measure name = VALUE`
    Measure(Measure),
    /// `always CONDITION`
    Always(Always),
    /// `setup { … }` or `play { … }`
    Flow(Flow),
}

/// `game "Title" { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The name that people see; only what replaces the game of a base may have none.
    pub title: Option<Text>,
    /// What stands in the braces.
    pub clauses: Vec<GameClause>,
}

/// `variant "Title" of "base.game"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What sets it apart, for people.
    pub title: Text,
    /// The file of the game that it is a variant of.
    pub base: Text,
}

/// `extend rule name { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoreBranches {
    /// The rule.
    pub name: Name,
    /// The cases.
    pub arms: Arms,
}

/// Cases that do something, or have a value each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arms {
    /// Of a `match` that is a statement.
    Statements(Vec<Arm<Block>>),
    /// Of a `match` that is a value.
    Values(Vec<Arm<Expr>>),
}

/// A line of the `game` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameClause {
    /// `players 2`, `players 2..5` or `players 1..4 = 2`
    Players {
        /// The fewest.
        low: Expr,
        /// The most; absent: exactly `low`.
        high: Option<Expr>,
        /// How many unless another number is given; absent: `low`.
        usual: Option<Expr>,
        /// The whole line.
        span: Span,
    },
    /// `limit 1000 decisions { finish draw }`
    Limit {
        /// The `##` lines above it.
        notes: Vec<Note>,
        /// After how many decisions.
        decisions: Expr,
        /// What happens then.
        body: Block,
        /// The whole clause.
        span: Span,
    },
    /// `edition 1`
    Edition {
        /// Which one.
        number: u32,
        /// The whole line.
        span: Span,
    },
}

/// `option name: TYPE = DEFAULT "title"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionItem {
    /// Its name.
    pub name: Name,
    /// Its type; absent: that of the default.
    pub ty: Option<TypeExpr>,
    /// Its value unless another is given.
    pub default: Expr,
    /// What it means, for people.
    pub title: Option<Text>,
}

/// `let name = VALUE` at the top: a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// `kind Name "title" { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: Name,
    /// What people see.
    pub title: Option<Text>,
    /// `within Realm`: the kind that it is a part of.
    pub within: Option<Name>,
    /// Its members.
    pub body: KindBody,
}

/// The members of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindBody {
    /// `{ elm, oak "Tall oak" }`
    Members(Vec<Member>),
    /// A heading row and a row for each member.
    Drawn(Drawn),
    /// `= Colour, Element`: a member for each combination.
    Product(Vec<Name>),
}

/// A member of a kind that is written between commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: Name,
    /// What people see.
    pub title: Option<Text>,
}

/// A drawn table: headings, and rows with a label each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The heading row.
    pub heads: Vec<Head>,
    /// The rows below it.
    pub rows: Vec<Row>,
}

/// A heading: `cost`, `ability: Ability`, `times=1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The word or number that stands there.
    pub label: Cell,
    /// The type of its cells, when it is written.
    pub ty: Option<TypeExpr>,
    /// What cells that are left out at the end of a row hold.
    pub default: Option<Cell>,
    /// The whole heading.
    pub span: Span,
}

/// A row: its label, then its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The `##` lines above it.
    pub notes: Vec<Note>,
    /// The member or number that the row belongs to.
    pub label: Cell,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The whole row.
    pub span: Span,
}

/// One cell of drawn data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it holds.
    pub kind: CellKind,
    /// Its place.
    pub span: Span,
}

/// What a cell may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// `-` or `none`
    None,
    /// `3`, `-1`
    Number(i64),
    /// `yes` or `no`
    Bool(bool),
    /// `"any text"`
    Text(String),
    /// A member.
    Name(String),
    /// `{elm, oak}`
    Set(Vec<Name>),
}

/// `cards Name "title" of Face copies …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cards {
    /// Its name.
    pub name: Name,
    /// What people see.
    pub title: Option<Text>,
    /// The kind of the faces.
    pub face: Name,
    /// How many cards of each face there are.
    pub copies: Copies,
}

/// How many cards of each face there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copies {
    /// One.
    One,
    /// `copies number`: what stands in a column of the faces.
    Column(Name),
    /// `copies { coin: 10 }`: so many of these, one of all others.
    Listed(Vec<(Name, i64)>),
}

/// `board Name "title" SHAPE { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its name.
    pub name: Name,
    /// What people see.
    pub title: Option<Text>,
    /// How its cells lie.
    pub shape: BoardShape,
    /// Its columns, drawn as the cells lie; a map has none.
    pub attributes: Vec<Attribute>,
}

/// How the cells of a board lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardShape {
    /// `4 by 4`, `4 by 4 from bottom`
    Grid {
        /// How many columns: a number or the name of one.
        columns: Expr,
        /// How many rows, likewise.
        rows: Expr,
        /// Whether the rows are counted from the lowest.
        from_bottom: bool,
    },
    /// `ring 12`
    Ring(Expr),
    /// `{ harbour - market - castle … }`: chains of places, each linked to the next.
    Map(Vec<Chain>),
}

/// A line of a map: neighbours beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The places.
    pub places: Vec<Member>,
    /// The whole line.
    pub span: Span,
}

/// `name: TYPE { rows of cells }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: Name,
    /// Its type; absent: that of the cells.
    pub ty: Option<TypeExpr>,
    /// The rows as they are drawn.
    pub rows: Vec<CellRow>,
    /// From the name to `}`.
    pub span: Span,
}

/// A row of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellRow {
    /// The cells.
    pub cells: Vec<Cell>,
    /// The whole row.
    pub span: Span,
}

/// `table name[TYPE, …] "title" = …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: Name,
    /// What it is over.
    pub dims: Vec<TypeExpr>,
    /// What people see.
    pub title: Option<Text>,
    /// Its cells.
    pub body: TableBody,
}

/// The cells of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableBody {
    /// `= 5 4 3 2`
    Row(Vec<Cell>),
    /// `{ … }` with a heading row.
    Drawn(Drawn),
}

/// `each player has { … }` or `the table has { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Has {
    /// Who has it.
    pub owner: Owner,
    /// What they have.
    pub vars: Vec<Var>,
}

/// Who has a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// Each player has one.
    Player,
    /// The table has one.
    Table,
}

/// A variable of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// The `##` lines above it.
    pub notes: Vec<Note>,
    /// What kind of variable it is.
    pub form: VarForm,
    /// Its name.
    pub name: Name,
    /// What people see.
    pub title: Option<Text>,
    /// What it is an array over: `stock[h in Harbour, c in Cargo]`, and the `for Colour` of dice.
    pub dims: Vec<Dim>,
    /// Its type; absent: that of the first value.
    pub ty: Option<TypeExpr>,
    /// Its first value; dice have none.
    pub init: Option<Expr>,
    /// Who sees it.
    pub sight: Visibility,
    /// The whole line.
    pub span: Span,
}

/// Who sees what a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    /// Everybody.
    All,
    /// `seen by owner`
    Owner,
    /// `hidden`: nobody.
    Nobody,
}

impl Visibility {
    /// How it is written behind a variable, with the space before it.
    pub fn suffix(self) -> &'static str {
        match self {
            Visibility::All => "",
            Visibility::Owner => " seen by owner",
            Visibility::Nobody => " hidden",
        }
    }
}

/// Plain variables, coins and dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarForm {
    /// `score = 0`
    Plain,
    /// `coin bread: 0..5 = 3`
    Coin,
    /// `die cube = 1..20`, `dice die for Colour = 1..6`
    Die(Faces),
    /// `deck: cards hidden = Card`
    Pile,
}

/// The faces of a die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// `1..6`
    Range(Expr, Expr),
    /// `blue blue orange`
    List(Vec<Cell>),
}

/// One dimension of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// `h in Harbour`: what the first value calls the index.
    pub binder: Option<Name>,
    /// The finite type.
    pub ty: TypeExpr,
}

/// `rule name "title" (p: Type, …) -> Type …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: Name,
    /// What people see.
    pub title: Option<Text>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type of its value, when it is written.
    pub returns: Option<TypeExpr>,
    /// What it does.
    pub body: RuleBody,
}

/// A parameter of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
}

/// What a rule does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleBody {
    /// `= EXPR`
    Value(Expr),
    /// `{ … }`
    Block(Block),
}

/// `moves name(p: Type, …) { options }`: options that decisions include.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its options, and other groups.
    pub options: Vec<MoveLine>,
}

/// `measure name "title" for each player = VALUE`: a number that is taken when a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its name.
    pub name: Name,
    /// What people see.
    pub title: Option<Text>,
    /// The place of `for each player`, if each player has one.
    pub each: Option<Span>,
    /// The number.
    pub value: Expr,
}

/// `always CONDITION for x in S where P`: what holds at every decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Always {
    /// What holds.
    pub condition: Expr,
    /// For which members.
    pub binder: Option<Binder>,
}

/// `setup { … }` or `play { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Which of the two.
    pub phase: Phase,
    /// What happens.
    pub body: Block,
}

/// The two flows of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before play.
    Setup,
    /// The game itself.
    Play,
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    /// What is written.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// The types that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `number`
    Number,
    /// `yes/no`
    Bool,
    /// `text`
    Text,
    /// `Tree`
    Kind(Name),
    /// `Field.lines(4, orthogonal)`: what a board is asked for, and with what.
    Of(Name, Name, Vec<Expr>),
    /// `{draw, host_wins}`: a kind without a name.
    Members(Vec<Member>),
    /// `1..6`, or `0..` open above.
    Range(Box<Expr>, Option<Box<Expr>>),
    /// `cards`, `cards of Card`
    Cards(Option<Name>),
    /// `set of Tree`
    Set(Box<TypeExpr>),
    /// `maybe Player`
    Maybe(Box<TypeExpr>),
}

/// Statements in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The statements, in order.
    pub stmts: Vec<Stmt>,
    /// From `{` to `}`.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// The statements of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `let x = VALUE`
    Let {
        /// The new name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `var x: TYPE = VALUE`, `var harm[Player] = 0`
    Var {
        /// The new name.
        name: Name,
        /// What it is an array over.
        dims: Vec<Dim>,
        /// Its type; absent: that of the value.
        ty: Option<TypeExpr>,
        /// Its first value.
        value: Expr,
    },
    /// `place = VALUE`, `place += E`, `place -= E`
    Assign {
        /// What changes.
        place: Expr,
        /// How it changes.
        op: AssignOp,
        /// By what.
        value: Expr,
    },
    /// `swap A and B`
    Swap(Expr, Expr),
    /// `reset place, …`
    Reset(Vec<Expr>),
    /// `me gains 2 bread`
    Coin {
        /// Whose coins.
        owner: Expr,
        /// Gains, loses or pays.
        verb: CoinVerb,
        /// How many.
        amount: Expr,
        /// Which coin.
        coin: Name,
        /// `[red]` behind the coin.
        index: Vec<Expr>,
    },
    /// `roll die`, `roll die for c in S where P`
    Roll {
        /// The die or the dice.
        die: Expr,
        /// Which of the dice.
        binder: Option<Binder>,
    },
    /// `if P { } else { }`; an `else if` is a block with one `if` in it.
    If {
        /// The condition.
        condition: Expr,
        /// When it holds.
        then: Block,
        /// When it does not.
        otherwise: Option<Block>,
    },
    /// `match x { … }`
    Match {
        /// What is looked at.
        subject: Expr,
        /// The cases.
        arms: Vec<Arm<Block>>,
    },
    /// `for x in S from y where P { }`
    For {
        /// The name and the set.
        binder: Binder,
        /// The member that comes first, in cyclic order.
        from: Option<Expr>,
        /// What happens for each.
        body: Block,
    },
    /// `repeat { } until P`, `repeat n times { }`, `repeat { }`
    Repeat {
        /// How many times.
        times: Option<Expr>,
        /// What happens.
        body: Block,
        /// When it ends.
        until: Option<Expr>,
    },
    /// `while P { }`
    While {
        /// The condition.
        condition: Expr,
        /// What happens.
        body: Block,
    },
    /// `turns me from FIRST where P { }`
    Turns {
        /// What the player is called.
        name: Name,
        /// Who begins.
        from: Expr,
        /// Who takes part.
        condition: Option<Expr>,
        /// A turn.
        body: Block,
    },
    /// `break`
    Break,
    /// `return`, `return VALUE`
    Return(Option<Expr>),
    /// `reveal place, …`, `show place, … to p`
    Show {
        /// What is shown.
        places: Vec<Expr>,
        /// Who sees it; absent: everybody.
        to: Option<Expr>,
    },
    /// `say "…"`, `say to p "…"`
    Say {
        /// Who hears it; absent: everybody.
        to: Option<Expr>,
        /// What is said.
        text: Expr,
    },
    /// `move …`, `shuffle …`, `look at …`
    Cards(CardDeed),
    /// `choose me { … }`
    Choose(Choose),
    /// `finish …`
    Finish(Finish),
    /// A call that stands alone.
    Call(Expr),
}

/// What is done with cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardDeed {
    /// `move CARDS to PILE`, `move CARDS to bottom of PILE`
    Move {
        /// A card, a set of cards, a pile, or the top of one.
        what: Expr,
        /// The pile.
        to: Expr,
        /// Whether they go below everything else.
        bottom: bool,
    },
    /// `shuffle PILE`
    Shuffle(Expr),
    /// `look at CARDS for p`
    Look {
        /// The cards.
        what: Expr,
        /// Who sees them.
        by: Expr,
    },
}

/// How an assignment changes a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// What a player does with coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoinVerb {
    /// `gains`: stops at the top.
    Gains,
    /// `gains … or lose the rest`: stops at the top, and that is meant.
    GainsAtMost,
    /// `loses`: stops at the bottom.
    Loses,
    /// `pays`: must be possible.
    Pays,
}

impl CoinVerb {
    /// Returns the word.
    pub fn word(self) -> &'static str {
        match self {
            CoinVerb::Gains | CoinVerb::GainsAtMost => "gains",
            CoinVerb::Loses => "loses",
            CoinVerb::Pays => "pays",
        }
    }

    /// Returns what stands behind the coin.
    pub fn behind(self) -> &'static str {
        if self == CoinVerb::GainsAtMost { " or lose the rest" } else { "" }
    }
}

/// `x in S where P`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The name of the member.
    pub name: Name,
    /// Where it is taken from.
    pub set: Box<Expr>,
    /// Which of them.
    pub condition: Option<Box<Expr>>,
}

/// A case of a `match`: `a, b: …`, `else: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm<T> {
    /// What it is for; empty: `else`.
    pub patterns: Vec<Pattern>,
    /// What happens, or the value.
    pub body: T,
    /// The whole case.
    pub span: Span,
}

/// One pattern of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One value: a member, a number, `yes`, `no`, `none`.
    Value(Expr),
    /// `a..b`, both included.
    Range(Expr, Expr),
}

/// `choose me "question" { options } or decline when P { } else { }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choose {
    /// `each p in Player where P`: all of them decide, unseen.
    pub each: Option<Binder>,
    /// Who decides; where several do, the name that each of them has.
    pub chooser: Expr,
    /// Whether all of it happens, in the order that the player picks.
    pub order: bool,
    /// The question.
    pub prompt: Option<Text>,
    /// What may be chosen.
    pub options: Vec<MoveLine>,
    /// Choosing none of it.
    pub decline: Option<Decline>,
    /// When nothing is legal.
    pub otherwise: Option<Block>,
}

/// What stands on a line of a decision or of a group of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveLine {
    /// An option.
    Option(MoveOption),
    /// `moves card_play(me)`: all options of a group.
    Group(MoveGroup),
}

impl MoveLine {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            MoveLine::Option(option) => option.span,
            MoveLine::Group(group) => group.span,
        }
    }
}

/// `moves card_play(me)` inside a decision or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGroup {
    /// The group.
    pub name: Name,
    /// What its parameters are.
    pub args: Vec<Expr>,
    /// The whole line.
    pub span: Span,
}

/// One option of a decision: `raid(s, h) "…" for a in S where P let n = E maybe m in S when P { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOption {
    /// The `##` lines above it.
    pub notes: Vec<Note>,
    /// Its name.
    pub name: Name,
    /// The names that are printed, in the order of printing.
    pub params: Vec<Name>,
    /// Another printed form.
    pub template: Option<Text>,
    /// What it ranges over and its conditions, in the order of the text.
    pub clauses: Vec<Clause>,
    /// What happens.
    pub body: Block,
    /// The whole option.
    pub span: Span,
}

/// A part of an option's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `for x in S where P`
    For(Binder),
    /// `maybe x in S where P`
    Maybe(Binder),
    /// `let x = E`
    Let(Name, Expr),
    /// `when P`
    When(Expr),
}

/// `or keep when P { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline {
    /// Its name.
    pub name: Name,
    /// Another printed form.
    pub template: Option<Text>,
    /// When it is offered.
    pub condition: Option<Expr>,
    /// What happens.
    pub body: Block,
    /// The whole branch.
    pub span: Span,
}

/// `finish …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// `finish draw`
    Draw,
    /// `finish win WHO`: a player or a set of players.
    Win(Expr),
    /// `finish ranking p by KEY, …`
    Ranking {
        /// What each player is called in the keys.
        name: Name,
        /// The score first, then what breaks ties.
        keys: Vec<Expr>,
    },
}

/// Text with holes: `"{a} beats {b}"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// What it is made of.
    pub parts: Vec<TextPart>,
    /// With its quotes.
    pub span: Span,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Words as they stand (escapes taken out).
    Words(String),
    /// `{expr}`
    Hole(Expr),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// The expressions of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `42`
    Number(i64),
    /// `yes`, `no`
    Bool(bool),
    /// `none`
    None,
    /// `"…"`
    Text(Text),
    /// `me`, `elm`, `Tree`
    Name(Name),
    /// `e.strength`, `Player.first`
    Field(Box<Expr>, Name),
    /// `hit[r, d]`
    Index(Box<Expr>, Vec<Expr>),
    /// `foe(me)`, `min(a, b)`, `count(A)`
    Call(Name, Vec<Expr>),
    /// `Field.lines(4)`: a call behind a dot.
    Method(Box<Expr>, Name, Vec<Expr>),
    /// `-x`, `not p`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `1..6`, `red_bonus..yellow_bonus`
    Range(Box<Expr>, Box<Expr>),
    /// `S from x`: a set in cyclic order.
    From(Box<Expr>, Box<Expr>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `{c in S where P}`
    Filter(Binder),
    /// `{E for c in S where P}`
    Image(Box<Expr>, Binder),
    /// `any(c in S where Q: P)`, `highest(c in S by E, E2)`
    Fold {
        /// Which of the folds.
        word: FoldWord,
        /// What it goes over.
        binder: Binder,
        /// What stands behind `:` (one) or `by` (one or more); `count` may have none.
        body: Vec<Expr>,
    },
    /// `if P then A else B`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match x { a: E … }` as a value.
    Match(Box<Expr>, Vec<Arm<Expr>>),
    /// `suppose { … }: E`
    Suppose(Block, Box<Expr>),
    /// `top of deck`, `bottom 2 of deck`
    End(Box<PileEnd>),
    /// `random S`
    Random(Box<Expr>),
    /// `subsets of S`
    Subsets(Box<Expr>),
    /// `roll die` as a value.
    Roll(Box<Expr>),
    /// `choose me discard from S`
    Pick {
        /// Who decides.
        chooser: Box<Expr>,
        /// The question.
        prompt: Option<Text>,
        /// What the move is called.
        name: Name,
        /// What may be picked.
        set: Box<Expr>,
    },
}

/// `top of deck`, `bottom 2 of deck`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PileEnd {
    /// Whether it is the bottom.
    pub bottom: bool,
    /// How many cards; absent: the one card there.
    pub count: Option<Expr>,
    /// The pile.
    pub pile: Expr,
}

/// Operators before an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `not`
    Not,
}

/// Operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `within`
    Within,
    /// `union`
    Union,
    /// `minus`
    Minus,
    /// `common`
    Common,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: only inside `ceil(…)` and `floor(…)`.
    Divide,
    /// `mod`
    Modulo,
}

/// The words that fold a set into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldWord {
    /// `any(c in S: P)`
    Any,
    /// `all(c in S: P)`
    All,
    /// `count(c in S: P)`
    Count,
    /// `sum(c in S: E)`
    Sum,
    /// `min(c in S: E)`
    Min,
    /// `max(c in S: E)`
    Max,
    /// `first(c in S: P)`
    First,
    /// `last(c in S: P)`
    Last,
    /// `highest(c in S by E)`
    Highest,
    /// `lowest(c in S by E)`
    Lowest,
}

impl FoldWord {
    /// The word as it is typed.
    pub fn word(self) -> &'static str {
        match self {
            FoldWord::Any => "any",
            FoldWord::All => "all",
            FoldWord::Count => "count",
            FoldWord::Sum => "sum",
            FoldWord::Min => "min",
            FoldWord::Max => "max",
            FoldWord::First => "first",
            FoldWord::Last => "last",
            FoldWord::Highest => "highest",
            FoldWord::Lowest => "lowest",
        }
    }

    /// What stands before that which is asked of each member.
    pub fn sign(self) -> &'static str {
        match self {
            FoldWord::Highest | FoldWord::Lowest => " by",
            _ => ":",
        }
    }
}
