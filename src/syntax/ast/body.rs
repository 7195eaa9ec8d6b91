//! Types, statements, moves and expressions as written.

use crate::source::Span;
use crate::syntax::ast::{Dim, MemberDecl, Name, Note};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Number,
    Bool,
    Text,
    Kind(Name),
    /// `Field.lines(4, orthogonal)`: a method of a board with its arguments.
    Of(Name, Name, Vec<Expr>),
    /// `{draw, host_wins}`: a kind without a name.
    Members(Vec<MemberDecl>),
    /// `1..6`, or `0..` open above.
    Range(Box<Expr>, Option<Box<Expr>>),
    /// `cards`, `cards of Card`
    Cards(Option<Name>),
    Set(Box<TypeExpr>),
    /// `list of Field up to 9`
    List(Box<TypeExpr>, Box<Expr>),
    /// `bag of Gem`, `bag of Gem up to 9`: an amount of each.
    Bag(Name, Option<Box<Expr>>),
    Maybe(Box<TypeExpr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    pub(crate) notes: Vec<Note>,
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `let x = VALUE`
    Let { name: Name, value: Expr },
    /// `var x: TYPE = VALUE`, `var harm[Player] = 0`
    Var { name: Name, dims: Vec<Dim>, ty: Option<TypeExpr>, value: Expr },
    /// `place = VALUE`, `place += E`, `place -= E`
    Assign { place: Expr, op: AssignOp, value: Expr },
    /// `swap A and B`
    Swap(Expr, Expr),
    /// `reset place, …`
    Reset(Vec<Expr>),
    /// `me gains 2 bread`, `me loses 1 fire[red]`, `me pays cost[c] gems to bank`
    Transfer {
        owner: Expr,
        verb: TransferVerb,
        amount: Expr,
        coin: Name,
        index: Vec<Expr>,
        /// Where it comes from, or goes to.
        other: Option<Expr>,
    },
    /// `roll die`, `roll die for c in S where P`
    Roll { die: Expr, binder: Option<Binder> },
    /// `if P { } else { }`; an `else if` is a block with one `if` in it.
    If { condition: Expr, then: Block, otherwise: Option<Block> },
    /// `match x { … }`
    Match { subject: Expr, arms: Vec<Arm<Block>> },
    /// `for x in S from y where P { }`; joined: behind another `for` whose whole body it is
    For { binder: Binder, from: Option<Expr>, body: Block, joined: bool },
    /// `repeat { } until P`, `repeat n times { }`, `repeat { }`
    Repeat { times: Option<Expr>, body: Block, until: Option<Expr> },
    /// `while P { }`
    While { condition: Expr, body: Block },
    /// `turns me from FIRST backwards where P { }`
    Turns { name: Name, from: Expr, backwards: bool, condition: Option<Expr>, body: Block },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`, `return VALUE`
    Return(Option<Expr>),
    /// `reveal place, …` to everybody, `show place, … to p`
    Show { places: Vec<Expr>, to: Option<Expr> },
    /// `say "…"`, `say to p "…"`
    Say { to: Option<Expr>, text: Expr },
    /// `move …`, `shuffle …`, `look at …`
    Cards(CardAction),
    /// `remember past`, `forget past`
    Past(PastVerb, Expr),
    /// `choose me { … }`
    Choose(Box<Choose>),
    /// `finish …`
    Finish(Finish),
    /// A call that stands alone.
    Call(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardAction {
    /// `move CARDS to PILE`, `move CARDS to bottom of PILE`
    Move { what: Expr, to: Expr, bottom: bool },
    /// `shuffle PILE`
    Shuffle(Expr),
    /// `look at CARDS for p`
    Look { what: Expr, by: Expr },
}

/// What happens to what a history holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastVerb {
    /// `remember`: the present values, once more.
    Remember,
    /// `forget`: everything.
    Forget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Add,
    Subtract,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferVerb {
    /// `gains`: cut off at the top of the range.
    Gains,
    /// `gains … or lose the rest`: cut off at the top, on purpose.
    GainsLosingRest,
    /// `loses`: stops at the bottom.
    Loses,
    /// `pays`: must be possible.
    Pays,
}

impl TransferVerb {
    pub(crate) fn word(self) -> &'static str {
        match self {
            TransferVerb::Gains | TransferVerb::GainsLosingRest => "gains",
            TransferVerb::Loses => "loses",
            TransferVerb::Pays => "pays",
        }
    }
}

/// `x in S where P`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    pub name: Name,
    pub set: Box<Expr>,
    pub condition: Option<Box<Expr>>,
}

/// A case of a `match`: `a, b: …`, `else: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm<T> {
    pub patterns: Vec<Pattern>,
    pub body: T,
    pub span: Span,
}

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
    /// What variants call it.
    pub(crate) label: Option<Text>,
    /// `each p in Player where P`: all of them decide, unseen.
    pub each: Option<Binder>,
    /// Who decides; where several do, the name that each of them has.
    pub chooser: Expr,
    pub(crate) order: bool,
    pub prompt: Option<Text>,
    pub options: Vec<MoveLine>,
    pub decline: Option<Decline>,
    pub otherwise: Option<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveLine {
    Option(MoveOption),
    /// `moves card_play(me)`: all options of a group.
    Group(MoveGroup),
}

impl MoveLine {
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
    pub(crate) name: Name,
    pub args: Vec<Expr>,
    pub(crate) span: Span,
}

/// One option of a decision: `raid(s, h) "…" for a in S where P let n = E maybe m in S when P { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOption {
    pub notes: Vec<Note>,
    pub name: Name,
    /// The names that are printed, in the order of printing.
    pub params: Vec<Name>,
    pub template: Option<Text>,
    /// What it ranges over and its conditions, in the order of the text.
    pub clauses: Vec<Clause>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub(crate) notes: Vec<Note>,
    pub kind: ClauseKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// `for x in S where P`
    For(Binder),
    /// `maybe x in S where P`
    Maybe(Binder),
    Let(Name, Expr),
    When(Expr),
}

/// `or keep when P { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline {
    pub(crate) notes: Vec<Note>,
    pub(crate) name: Name,
    pub template: Option<Text>,
    /// `when nothing else`: legal only if no move is.
    pub(crate) alone: bool,
    pub condition: Option<Expr>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// `finish draw`
    Draw,
    /// `finish win WHO`: a player or a set of players.
    Win(Expr),
    /// `finish win team SIDE`
    Team(Expr),
    /// `finish lose`, `finish together win`: everybody.
    All { win: bool },
    /// `finish together SCORE`
    Together(Expr),
    /// `finish ranking p by KEY, …`
    Ranking { name: Name, keys: Vec<Expr> },
}

/// Text with holes: `"{a} beats {b}"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub parts: Vec<TextPart>,
    pub span: Span,
}

/// `of size 3`, `of size up to 3`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubsetSize {
    pub(crate) up_to: bool,
    pub size: Box<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Words as they stand (escapes taken out).
    Words(String),
    Hole(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Number(i64),
    Bool(bool),
    None,
    Text(Text),
    /// `me`, `elm`, `Tree`
    Name(Name),
    /// `e.strength`, `Player.first`
    Field(Box<Expr>, Name),
    /// `hit[r, d]`
    Index(Box<Expr>, Vec<Expr>),
    /// `foe(me)`, `min(a, b)`, `count(A)`
    Call(Name, Vec<Expr>),
    /// `Field.lines(4)`: a call after a dot.
    Method(Box<Expr>, Name, Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `1..6`, `red_bonus..yellow_bonus`
    Range(Box<Expr>, Box<Expr>),
    /// `S from x`: a set in cyclic order.
    From(Box<Expr>, Box<Expr>),
    /// `S backwards`: the last member first.
    Backwards(Box<Expr>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `{c in S where P}`
    Filter(Binder),
    /// `{E for a in S for b in T where P}`: at least one binder.
    Image(Box<Expr>, Vec<Binder>),
    /// `any(c in S where Q: P)`, `highest(c in S by E, E2)`; the body of `count` may be empty.
    Fold {
        word: FoldWord,
        /// At least one: `sum(a in S for b in T: E)`.
        binders: Vec<Binder>,
        body: Vec<Expr>,
    },
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match x { a: E … }` as a value.
    Match(Box<Expr>, Vec<Arm<Expr>>),
    /// `suppose { … }: E`
    Suppose(Block, Box<Expr>),
    End(Box<PileEnd>),
    Random(Box<Expr>),
    Subsets(Box<Expr>, Option<SubsetSize>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{2 red, 1 blue}`, `{count(c in me.built: c.bonus == g) g for g in Gem}`
    Goods(Vec<(Expr, Name)>, Vec<Binder>),
    /// `bags of Gem up to 3 within me.gems`
    Bags(Box<BagsOf>),
    /// `lists of Field up to 9 by S`
    Lists(Box<ListsOf>),
    /// `p.points lowest`: a key of a ranking or of `highest(…)` that says which end is best.
    Directed(Box<Expr>, Direction),
    /// `roll die` as a value.
    Roll(Box<Expr>),
    /// `choose me discard from S`
    Pick {
        chooser: Box<Expr>,
        prompt: Option<Text>,
        name: Name,
        set: Box<Expr>,
    },
}

/// All bags with at most so many of each good, or those that another bag has room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagsOf {
    pub(crate) of: Name,
    pub(crate) most: Expr,
    pub within: Option<Expr>,
}

/// All lists that grow member by member, where they are iterated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListsOf {
    /// The list so far, as `next` calls it: what the binder around binds; absent where there is none.
    pub(crate) name: Option<Name>,
    pub(crate) of: TypeExpr,
    pub(crate) most: Expr,
    /// The members that may come next.
    pub next: Expr,
}

/// `top of deck`, `bottom 2 of deck`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PileEnd {
    pub(crate) bottom: bool,
    /// How many cards; absent: the one card there.
    pub count: Option<Expr>,
    pub pile: Expr,
}

/// Which of the values of a key is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Highest,
    Lowest,
}

impl Direction {
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Direction::Highest => "highest",
            Direction::Lowest => "lowest",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Negate,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Within,
    Union,
    Minus,
    Common,
    Add,
    Subtract,
    Multiply,
    /// `/`: only inside `ceil(…)` and `floor(…)`.
    Divide,
    Modulo,
}

/// The words that fold a set into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldWord {
    Any,
    All,
    Count,
    Sum,
    Min,
    Max,
    First,
    Last,
    Only,
    Highest,
    Lowest,
}

/// A fold: its word, and what it does, with its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) word: &'static str,
    pub(crate) means: FoldWord,
    pub(crate) help: &'static str,
}

/// The folds, in the order of `FoldWord`.
pub(crate) const FOLDS: [Fold; 11] = [
    new_fold("any", FoldWord::Any, "`any(x in S: P)`: whether P holds for one of them"),
    new_fold("all", FoldWord::All, "`all(x in S: P)`: whether P holds for each of them"),
    new_fold("count", FoldWord::Count, "`count(S)`, `count(x in S: P)`: how many"),
    new_fold("sum", FoldWord::Sum, "`sum(x in S: E)`: all of them together"),
    new_fold("min", FoldWord::Min, "`min(a, b)`, `min(x in S: E)`: the smallest number"),
    new_fold("max", FoldWord::Max, "`max(a, b)`, `max(x in S: E)`: the largest number"),
    new_fold(
        "first",
        FoldWord::First,
        "`first(x in S: P)`: the first member for which P holds, or none",
    ),
    new_fold(
        "last",
        FoldWord::Last,
        "`last(x in S: P)`: the last member for which P holds, or none",
    ),
    new_fold(
        "only",
        FoldWord::Only,
        "`only(S)`, `only(x in S: P)`: the only member for which P holds; an error if there is none, \
            or more than one",
    ),
    new_fold(
        "highest",
        FoldWord::Highest,
        "`highest(x in S by E, …)`: the set of those with the highest value; \
            behind a key, `E highest`: the highest counts",
    ),
    new_fold(
        "lowest",
        FoldWord::Lowest,
        "`lowest(x in S by E, …)`: the set of those with the lowest value; \
            behind a key, `E lowest`: the lowest counts",
    ),
];

const fn new_fold(word: &'static str, means: FoldWord, help: &'static str) -> Fold {
    Fold { word, means, help }
}

impl FoldWord {
    pub fn word(self) -> &'static str {
        FOLDS[self as usize].word
    }

    pub(crate) fn from_word(word: &str) -> Option<FoldWord> {
        FOLDS.iter().find(|fold| fold.word == word).map(|fold| fold.means)
    }

    /// What stands before the value or condition of each member.
    pub(crate) fn sign(self) -> &'static str {
        if matches!(self, FoldWord::Highest | FoldWord::Lowest) { " by" } else { ":" }
    }
}
