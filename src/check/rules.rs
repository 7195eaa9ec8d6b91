//! The checked tree: names resolved to ids, a type on every expression; settings are not folded yet.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::check::adjacency::cell_set;
use crate::check::topology::Board;
use crate::source::Span;
use crate::syntax::ast::{CoinVerb, FoldWord, Owner, Visibility};

/// Makes a newtype index with a way to use it on a slice.
macro_rules! ids {
    ($($name:ident)*) => {$(
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }

            pub fn at(position: usize) -> $name {
                $name(u32::try_from(position).expect("a file has fewer than 2^32 things"))
            }
        }
    )*};
}

ids! { KindId RangeId OptionId ConstantId TableId VarId RuleId LocalId }

/// The kind of the players: always the first; its members are counted when the number of players
/// is known.
pub const PLAYER: KindId = KindId(0);

#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub title: String,
    pub notes: Vec<String>,
    pub players: (usize, usize),
    /// How many play unless another number is given.
    pub usual_players: usize,
    pub limit: Option<Limit>,
    /// Kinds; the first is [`PLAYER`], with no members here.
    pub kinds: Vec<Kind>,
    pub additions: Vec<Addition>,
    /// Ranges of numbers; equal ones are one.
    pub ranges: Vec<Range>,
    pub options: Vec<GameOption>,
    pub constants: Vec<Constant>,
    pub tables: Vec<Table>,
    pub vars: Vec<Var>,
    /// Rules in the order of the file, then `setup`, `play` and the body of `limit`.
    pub rules: Vec<Rule>,
    pub setup: Option<RuleId>,
    pub play: RuleId,
    /// Groups of moves, in the order of the file. Their options are in the decisions.
    pub groups: Vec<Group>,
    pub measures: Vec<Measure>,
    pub always: Vec<Always>,
    /// Whether anything reads `turn`, so that it must be counted.
    pub reads_turn: bool,
    /// Decisions where declining is asked for even if nothing else is legal, by the place of who
    /// decides: only that player knows whether anything is.
    pub asked_anyway: BTreeSet<Span>,
    /// Cards that are moved and sets that are drawn from, by their places, where not everybody can
    /// tell which cards they are.
    pub quiet: BTreeSet<Span>,
}

/// `limit N decisions { … }`
#[derive(Clone, Debug)]
pub struct Limit {
    /// After how many decisions; a constant expression.
    pub decisions: Expr,
    pub body: RuleId,
}

/// A finite, ordered type.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// Its name; that of an unnamed one is its text, `{draw, host_wins}`.
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    pub members: Vec<Member>,
    /// Its columns, in the order of the heading; behind them those that the checker computed.
    pub columns: Vec<Column>,
    pub shape: Shape,
    /// The kind that it is a part of. `members` are then all of that kind, so that a value, a set
    /// and an index mean the same for both.
    pub within: Option<Part>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    pub kind: KindId,
    pub first: usize,
    pub notes: Vec<String>,
}

/// What makes a kind a part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub of: KindId,
    /// The positions there of the members that are its own, ascending.
    pub members: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// In a row, like any members.
    #[default]
    Plain,
    /// The members are the cells of a board.
    Board(Board),
    /// The members are lines of a board; the first column holds the set of their cells.
    Lines(KindId),
    /// The members are the directions of all boards.
    Directions,
    /// The members are cards; the first column holds the face of each, of this kind.
    Cards(KindId),
}

impl Kind {
    /// The board whose cells the members are.
    pub fn board(&self) -> Option<Board> {
        match self.shape {
            Shape::Board(board) => Some(board),
            _ => None,
        }
    }

    pub fn is_board(&self) -> bool {
        self.board().is_some()
    }

    /// The positions of its own members: all, but for a part of another kind.
    pub fn own(&self) -> Vec<usize> {
        match &self.within {
            Some(part) => part.members.clone(),
            None => (0..self.members.len()).collect(),
        }
    }

    /// The columns that have a name of their own.
    pub fn named_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| !column.is_computed())
    }
}

#[derive(Clone, Debug)]
pub struct Member {
    /// Its name, as it is typed.
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub ty: Type,
    pub cells: Vec<Value>,
    pub span: Span,
}

impl Column {
    /// Whether the checker made it, so that no name reaches it.
    pub fn is_computed(&self) -> bool {
        self.name.contains('(')
    }
}

/// Numbers from `low` to `high`, both included; constant expressions.
#[derive(Clone, Debug)]
pub struct Range {
    pub low: Expr,
    /// The highest; absent: open above.
    pub high: Option<Expr>,
    pub span: Span,
}

/// A setting of the game.
#[derive(Clone, Debug)]
pub struct GameOption {
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    pub ty: Type,
    pub range: Option<RangeId>,
    /// Its value unless another is given; a constant expression.
    pub default: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub notes: Vec<String>,
    pub value: Expr,
    pub span: Span,
}

/// A constant over one or more finite types.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    pub dims: Vec<Domain>,
    pub ty: Type,
    /// Its cells, the last dimension running fastest.
    pub cells: Cells,
    pub span: Span,
}

/// The cells of a table, shared by all copies of the rules. Rays take much, and few games ask for
/// any: they are made when somebody first reads one.
#[derive(Clone)]
pub struct Cells {
    made: Arc<OnceLock<Vec<Value>>>,
    /// A board, and the directions.
    rays: Option<Arc<(Board, Vec<String>)>>,
}

impl From<Vec<Value>> for Cells {
    fn from(cells: Vec<Value>) -> Cells {
        Cells { made: Arc::new(OnceLock::from(cells)), rays: None }
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Deref for Cells {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.made.get_or_init(|| {
            let Some((board, directions)) = self.rays.as_deref() else { return Vec::new() };
            let mut rays = Vec::new();
            for direction in directions {
                rays.extend((0..board.cells()).map(|at| cell_set(board.ray(at, direction))));
            }
            rays
        })
    }
}

impl Table {
    pub(super) fn rays(board: Board, directions: Vec<String>) -> Cells {
        Cells { made: Arc::default(), rays: Some(Arc::new((board, directions))) }
    }

    pub fn is_computed(&self) -> bool {
        self.name.contains('(')
    }
}

/// A variable of the state.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    /// Who has it. One that each player has is indexed by the player first.
    pub owner: Owner,
    /// What it is an array over, without the player.
    pub dims: Vec<Domain>,
    pub ty: Type,
    pub range: Option<RangeId>,
    pub form: VarForm,
    pub sight: Visibility,
    pub init: Init,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum VarForm {
    Plain,
    /// Also gained, lost and paid.
    Coin,
    /// Rolled: the faces of a die, a range ([`Type::Number`]) or listed values.
    Die(Faces),
    /// A pile of cards; its type is the set of those that lie there.
    Pile(Pile),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile {
    pub cards: KindId,
    /// Whether anything asks for its top or bottom, so that its order is kept.
    pub ordered: bool,
}

#[derive(Clone, Debug)]
pub enum Faces {
    Range(RangeId),
    /// These values, each as likely as any other; with repetitions.
    List(Vec<Value>),
}

#[derive(Clone, Debug)]
pub struct Init {
    /// The owner (if a player has it) and each dimension: the local that holds the index in
    /// `value`, when the value reads it. Ids count in the locals below.
    pub binders: Vec<Option<LocalId>>,
    /// The locals of `value`: the binders, and those of folds inside it.
    pub locals: Vec<Local>,
    /// A constant expression, but for the binders.
    pub value: Expr,
}

/// A rule: a function that may also change the state, roll and ask.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name; `setup`, `play` and `limit` for the flows.
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// Its parameters, then every other local of its body.
    pub locals: Vec<Local>,
    pub returns: Type,
    /// What it does. A rule written with `=` is one `return`.
    pub body: Block,
    pub effects: Effects,
    pub span: Span,
}

/// `moves name(…) { … }`: the place of options that several decisions share.
#[derive(Clone, Debug)]
pub struct Group {
    pub name: String,
    pub notes: Vec<String>,
    /// The whole declaration: an option whose place lies in it is one of the group.
    pub span: Span,
}

/// `measure name = VALUE`
#[derive(Clone, Debug)]
pub struct Measure {
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    /// The number, or yes or no, as a pure rule: of a player if each player has one.
    pub rule: Rule,
}

/// `always CONDITION for x in S where P`
#[derive(Clone, Debug)]
pub struct Always {
    pub binder: Option<Binder>,
    pub condition: Expr,
    /// A pure rule: whether it holds; where there is a binder: the first member for
    /// which it does not.
    pub rule: Rule,
    pub span: Span,
}

/// What running a rule may do, the rules it calls included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four things that a rule may or may not do")]
pub struct Effects {
    pub changes: bool,
    pub says: bool,
    pub pauses: bool,
    pub finishes: bool,
}

impl Effects {
    /// Whether it does nothing but compute a value.
    pub fn is_pure(self) -> bool {
        self == Effects::default()
    }

    #[must_use]
    pub fn with(self, other: Effects) -> Effects {
        Effects {
            changes: self.changes || other.changes,
            says: self.says || other.says,
            pauses: self.pauses || other.pauses,
            finishes: self.finishes || other.finishes,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Type,
    /// What it is an array over; empty for a plain value.
    pub dims: Vec<Domain>,
    pub range: Option<RangeId>,
    pub mutable: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// A mistake was already reported; fits everywhere.
    Unknown,
    /// No value: what a rule without `->` returns.
    Nothing,
    Number,
    Bool,
    Text,
    Kind(KindId),
    Set(Domain),
    /// A value or `none`. Never nested.
    Maybe(Box<Type>),
    /// Numbers between two bounds, as in `for n in 1..k`: can be iterated and asked for members, not kept.
    Span,
    /// All subsets of a set, as in `for part in subsets of S`: can be iterated, not kept.
    Subsets(Domain),
    /// A pile of these cards, by reference: only parameters are of this type.
    Pile(KindId),
    /// The word `none` where nothing says of what.
    None,
    /// `{}` where nothing says of what.
    EmptySet,
}

/// A finite type: the members of sets, the indices of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    Kind(KindId),
    Range(RangeId),
}

impl Domain {
    /// The type of one of its members.
    pub fn member_type(self) -> Type {
        match self {
            Domain::Kind(kind) => Type::Kind(kind),
            Domain::Range(_) => Type::Number,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number; 0 or 1 for no or yes; the position of a member in its kind.
    Int(i64),
    None,
    /// The members of a set, ascending: positions in a kind, or numbers.
    Set(Vec<i64>),
    Text(String),
}

impl Value {
    /// How many members a set has, and a text bytes.
    pub fn size(&self) -> usize {
        match self {
            Value::Int(_) | Value::None => 0,
            Value::Set(members) => members.len(),
            Value::Text(words) => words.len(),
        }
    }
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// What a statement does. Places are expressions of the forms [`ExprKind::Local`] and
/// [`ExprKind::Element`]. Where a *value* is written the expression may
/// also pause: be `random`, `roll`, `choose … from`, or a call of a rule that pauses.
#[derive(Clone, Debug)]
pub enum StmtKind {
    // `let x = VALUE`, `var x = VALUE`
    Let(LocalId, Expr),
    // `var x[K] = E`: the first value of each element; `binders` as in [`Init`].
    LetArray { local: LocalId, binders: Vec<Option<LocalId>>, value: Expr },
    Assign(Expr, Expr),
    // `place += E` and `-=`: numbers are added, members are put into sets or taken out. The
    // operand of a set is a set.
    Change { place: Expr, add: bool, value: Expr },
    Swap(Expr, Expr),
    // `reset PLACE`: an element, or all elements where fewer indices are given than there are.
    Reset(Vec<ResetTarget>),
    // `me gains 2 bread`
    Coin { place: Expr, verb: CoinVerb, amount: Expr },
    // `roll die`, `roll die for c in S where P`: the die is indexed by the binder too.
    Roll { place: Expr, binder: Option<Binder> },
    If { condition: Expr, then: Block, otherwise: Block },
    // The cases in order; the last may have no patterns: `else`.
    Match { subject: Expr, arms: Vec<Arm<Block>> },
    // `for x in S from y where P { }`: the set is a *value*, `y` comes first, in cyclic order.
    For { binder: Binder, from: Option<Expr>, body: Block },
    Times(Expr, Block),
    // `repeat { }`, `repeat { } until P`; the condition sees the locals of the body.
    Repeat(Block, Option<Expr>),
    While(Expr, Block),
    // `turns me from FIRST where P { }`: `from` is a *value*, the condition reads the local.
    Turns { local: LocalId, from: Expr, condition: Option<Expr>, body: Block },
    Break,
    Return(Option<Expr>),
    // `reveal PLACE`, `show PLACE to p`: what it holds now, of all elements where fewer indices
    // are given than there are. Without `to` everybody sees it.
    Show { targets: Vec<ResetTarget>, to: Option<Expr> },
    // Without `to`, a player, everybody hears it.
    Say { to: Option<Expr>, text: Expr },
    // `move …`, `shuffle …`, `look at …`
    Cards(Box<CardDeed>),
    Choose(Box<Choose>),
    FinishDraw,
    // `finish win S`: a set of players.
    FinishWin(Expr),
    // The score first, then what breaks ties.
    FinishRanking { local: LocalId, keys: Vec<Expr> },
    // A call of a rule as a statement.
    Call(Expr),
}

#[derive(Clone, Debug)]
pub struct ResetTarget {
    pub var: VarId,
    /// The first indices (the owner first); all elements that begin with them are reset.
    pub indices: Vec<Expr>,
}

/// `x in S where P`
#[derive(Clone, Debug)]
pub struct Binder {
    pub local: LocalId,
    /// Where it is taken from: a set, a span, a maybe, or a `from` of a set.
    pub set: Box<Expr>,
    pub condition: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub struct Arm<T> {
    /// What it is for; empty: everything that is left.
    pub patterns: Vec<Pattern>,
    pub body: T,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// This value: a number, yes or no, a member, `none`.
    Value(Value),
    /// Numbers or members from the first to the last.
    Range(i64, i64),
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Choose {
    /// `each p in S where P`: all of them decide, unseen, before anything happens.
    pub each: Option<Binder>,
    /// Who decides; where several do, the local of `each`.
    pub chooser: Expr,
    /// For each option what is left of it, if all of it happens in the order that the player
    /// picks: a set of the members of its `for`, or, without a `for`, yes or no.
    pub order: Option<Vec<LocalId>>,
    pub prompt: Option<Expr>,
    pub options: Vec<MoveOption>,
    pub decline: Option<Decline>,
    pub otherwise: Option<Block>,
}

impl Choose {
    /// The decision without the statements that run once it is made.
    #[must_use]
    pub fn head(&self) -> Choose {
        let option = |it: &MoveOption| MoveOption {
            name: it.name.clone(),
            notes: it.notes.clone(),
            params: it.params.clone(),
            template: it.template.clone(),
            clauses: it.clauses.clone(),
            body: Vec::new(),
            span: it.span,
        };
        let decline = |it: &Decline| Decline {
            name: it.name.clone(),
            template: it.template.clone(),
            condition: it.condition.clone(),
            body: Vec::new(),
            span: it.span,
        };
        Choose {
            each: self.each.clone(),
            chooser: self.chooser.clone(),
            order: self.order.clone(),
            prompt: self.prompt.clone(),
            options: self.options.iter().map(option).collect(),
            decline: self.decline.as_ref().map(decline),
            otherwise: self.otherwise.as_ref().map(|_| Vec::new()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct MoveOption {
    pub name: String,
    pub notes: Vec<String>,
    /// What is printed behind the name, in order.
    pub params: Vec<LocalId>,
    pub template: Option<Expr>,
    pub clauses: Vec<Clause>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Clause {
    For(Binder),
    /// `maybe x in S where P`: the local is a maybe; the condition sees a member that is there.
    Maybe(Binder),
    Let(LocalId, Expr),
    When(Expr),
}

/// `or keep when P { … }`
#[derive(Clone, Debug)]
pub struct Decline {
    pub name: String,
    pub template: Option<Expr>,
    pub condition: Option<Expr>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant. `none` and members have their value here.
    Value(Value),
    Local(LocalId),
    Option(OptionId),
    Constant(ConstantId),
    Ambient(Ambient),
    /// A finite type as the set of all its members.
    Whole(Domain),
    /// One element of an array; of a state variable the owner first when a player has it.
    Element(Array, Vec<Expr>),
    /// A column of a member; of `none`: `none`.
    Column(KindId, usize, Box<Expr>),
    Call(RuleId, Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `{a, b}`: members and maybes.
    SetOf(Vec<Expr>),
    /// Numbers from one bound to the other ([`Type::Span`]), or members of a kind (a set).
    Interval(Box<Expr>, Box<Expr>),
    /// A set in cyclic order, beginning at a member; only where it is iterated.
    From(Box<Expr>, Box<Expr>),
    /// A set of cells in the order of a walk; only where it is iterated.
    Walk(Box<Walk>),
    /// `subsets of S`: all of them, each a set; only where they are iterated.
    Subsets(Box<Expr>),
    /// Of cards with one face that lie in one pile only the first; only where moves are listed.
    Distinct(Box<Expr>),
    /// `{c in S where P}`
    Filter(Binder),
    /// `{E for c in S where P}`
    Image(Box<Expr>, Binder),
    /// `any(c in S: P)` and the like: the body is the condition, value or keys. `count(c in S)` and
    /// `count(A)` have none.
    Fold {
        word: FoldWord,
        binder: Binder,
        body: Vec<Expr>,
    },
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Vec<Arm<Expr>>),
    Text(Vec<TextPart>),
    /// `suppose { … }: E`: what E would be after the statements, which change nothing.
    Suppose(Block, Box<Expr>),
    /// `top of PILE`: a card or none; `top n of PILE`: a set.
    End(Box<PileEnd>),
    /// `random S`: pauses.
    Random(Box<Expr>),
    /// `roll die` as a value: rolls the die and gives what it shows; pauses.
    Roll(Box<Expr>),
    /// `choose me discard from S`: pauses.
    Pick(Box<Pick>),
}

/// The cells in one direction from another, the nearest first.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The cells to iterate: all of them, or fewer.
    pub set: Expr,
    pub board: KindId,
    /// The cell that the walk begins at, itself not part of it.
    pub start: Expr,
    pub direction: Expr,
    /// From a direction and a cell to the next cell.
    pub step: TableId,
}

/// What lies on top of a pile, or below all of it.
#[derive(Clone, Debug)]
pub struct PileEnd {
    pub pile: Expr,
    /// How many cards; absent: the one card there.
    pub count: Option<Expr>,
    pub bottom: bool,
    /// Whether chance decides what is not known yet, which pauses; else that is a trap.
    pub draws: bool,
}

#[derive(Clone, Debug)]
pub enum CardDeed {
    // `move CARDS to PILE`
    Move { what: Cards, to: Expr, bottom: bool },
    Shuffle(Expr),
    // `look at CARDS for p`, `show CARDS to p`, `reveal CARDS`: without `by`, a set of players, all
    // see them.
    Learn { what: Cards, by: Option<Expr> },
}

#[derive(Clone, Debug)]
pub enum Cards {
    /// One; a maybe that is none is a trap.
    One(Expr),
    Set(Expr),
    Pile(Expr),
    End(PileEnd),
}

/// `choose me "question" discard from S`
#[derive(Clone, Debug)]
pub struct Pick {
    pub chooser: Expr,
    pub prompt: Option<Expr>,
    pub name: String,
    pub set: Expr,
}

#[derive(Clone, Debug)]
pub enum TextPart {
    Words(String),
    Hole(Expr),
}

/// What an expression reads from around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ambient {
    Players,
    /// `Player.last`, whose position is known with the number of players.
    LastPlayer,
    /// `turn`: the number of the turn, counted from 1 by the innermost `turns`.
    Turn,
    /// `moves`: how many moves are legal at this decision; only in what people type.
    Moves,
}

/// What has elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Array {
    Local(LocalId),
    Var(VarId),
    Table(TableId),
    /// A pile itself, not the cards in it ([`Type::Pile`]), with all its indices.
    Pile(VarId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Negate,
    Not,
    /// A member or a maybe where a set is wanted.
    ToSet,
    /// The set of the cards in a pile that is given by reference.
    PileCards,
    /// `next(p)`: the player on the left.
    Next,
    /// `previous(p)`: the player on the right.
    Previous,
    Others,
    /// `p.seat`: 1 for the first player.
    Seat,
    Abs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    And,
    Or,
    /// `a == b`; either may be a maybe; sets too.
    Equal,
    /// `a < b` of numbers or of members of one kind; no when either is `none`.
    Less,
    LessEqual,
    /// `x in S`; the element may be a maybe: `none` is in no set. The set may be a span.
    In,
    Within,
    Arith(Arith),
    /// `A union B` and the like; both are sets of the expression's type.
    Set(SetOp),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    Add,
    Subtract,
    Multiply,
    CeilDivide,
    FloorDivide,
    /// `mod`: the remainder, with the sign of the divisor.
    Modulo,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    Union,
    Minus,
    Common,
}

/// Names that a typed snippet may use beside those of the file.
#[derive(Clone, Debug, Default)]
pub struct SnippetScope {
    /// What the players are called; each is a member of the kind of players.
    pub players: Vec<String>,
    /// The locals that can be seen where the game waits, with their types.
    pub locals: Vec<Local>,
}
