//! Bodies of checked rules: statements, decisions and expressions.

use crate::rules::{
    ConstantId, Domain, HistoryId, KindId, LocalId, OptionId, RuleId, TableId, Type, Value, VarId,
    ascending,
};
use crate::source::Span;
use crate::syntax::ast::{FoldWord, PastVerb, TransferVerb};

pub(crate) type Block = Vec<Stmt>;

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
    Transfer { place: Expr, verb: TransferVerb, amount: Expr },
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
    // `turns me from FIRST backwards where P { }`: `from` is a *value*, the condition reads the local.
    Turns { local: LocalId, from: Expr, backwards: bool, condition: Option<Expr>, body: Block },
    Break,
    // On to the next round of the loop around, past its `until`.
    Continue,
    Return(Option<Expr>),
    // `reveal PLACE`, `show PLACE to p`: what it holds now, of all elements where fewer indices
    // are given than there are. Without `to` everybody sees it.
    Show { targets: Vec<ResetTarget>, to: Option<Expr> },
    // Without `to`, a player, everybody hears it.
    Say { to: Option<Expr>, text: Expr },
    // `move …`, `shuffle …`, `look at …`
    Cards(Box<CardAction>),
    // `remember past`, `forget past`
    Past(PastVerb, HistoryId),
    Choose(Box<Choose>),
    FinishDraw,
    // `finish win S`: a set of players.
    FinishWin(Expr),
    // The score first, then what breaks ties.
    FinishRanking { local: LocalId, keys: Vec<Expr> },
    // `finish lose`, `finish together win`: everybody.
    FinishAll { win: bool },
    // `finish together SCORE`
    FinishTogether(Expr),
    // What `end` gives to one, the whole team gets: the team of each player, or none.
    FinishTeams { local: LocalId, team: Expr, end: Block },
    // A call of a rule as a statement.
    Call(Expr),
}

#[derive(Clone, Debug)]
pub struct ResetTarget {
    pub(crate) var: VarId,
    /// The first indices (the owner first); all elements that begin with them are reset.
    pub(crate) indices: Vec<Expr>,
}

/// `x in S where P`
#[derive(Clone, Debug)]
pub struct Binder {
    pub(crate) local: LocalId,
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

impl<T> Arm<T> {
    /// Whether a known value falls into the case.
    pub(crate) fn takes(&self, subject: &Value) -> bool {
        let fits = |pattern: &Pattern| match (pattern, subject) {
            (Pattern::Value(value), subject) => value == subject,
            (Pattern::Range(low, high), Value::Int(number)) => (low..=high).contains(&number),
            (Pattern::Range(..), _) => false,
        };
        self.patterns.is_empty() || self.patterns.iter().any(fits)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// This value: a number, yes or no, a member, `none`.
    Value(Value),
    /// Numbers or members from the first to the last.
    Range(i64, i64),
}

#[derive(Clone, Debug)]
pub struct Choose {
    /// `each p in S where P`: all of them decide, unseen, before anything happens.
    pub each: Option<Binder>,
    /// Who decides; where several do, the local of `each`.
    pub chooser: Expr,
    /// For each option what is left of it, if all of it happens in the order that the player
    /// picks: a set of the members of its `for`, or, without a `for`, yes or no.
    pub(crate) order: Option<Vec<LocalId>>,
    pub prompt: Option<Expr>,
    pub options: Vec<MoveOption>,
    pub decline: Option<Decline>,
    pub otherwise: Option<Block>,
}

impl Choose {
    /// The decision without the statements that run once it is made.
    pub(crate) fn without_bodies(&self) -> Choose {
        let mut head = self.clone();
        head.options.iter_mut().for_each(|option| option.body.clear());
        head.decline.iter_mut().for_each(|decline| decline.body.clear());
        head.otherwise.iter_mut().for_each(Block::clear);
        head
    }
}

#[derive(Clone, Debug)]
pub struct MoveOption {
    pub name: String,
    pub notes: Vec<String>,
    /// What is printed after the name, in order.
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
    pub(crate) name: String,
    pub template: Option<Expr>,
    /// `when nothing else`: legal only if no move is.
    pub(crate) alone: bool,
    pub condition: Option<Expr>,
    pub body: Block,
    pub span: Span,
}

/// `of size 3`, `of size up to 3`
#[derive(Clone, Debug)]
pub struct SubsetBound {
    pub(crate) up_to: bool,
    pub(crate) size: Box<Expr>,
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
    Walk(Box<BoardWalk>),
    /// A set, a span, a walk or a `from` in reverse; only where it is iterated. With `from` it
    /// begins at the same member.
    Backwards(Box<Expr>),
    /// `subsets of S`: all of them, each a set; only where they are iterated.
    /// `subsets of S`, `subsets of S of size n`
    Subsets(Box<Expr>, Option<SubsetBound>),
    /// `[a, b]`: members and maybes, in this order.
    ListOf(Vec<Expr>),
    /// `lists of T up to n by S`: the empty list, and each list with one more member of S. S is computed for each
    /// list, which the local of the binder around holds.
    Lists(Box<Expr>),
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

impl ExprKind {
    pub(crate) fn new_unary(op: UnaryOp, of: Expr) -> ExprKind {
        ExprKind::Unary(op, Box::new(of))
    }

    pub(crate) fn new_binary(op: BinaryOp, a: Expr, b: Expr) -> ExprKind {
        ExprKind::Binary(op, Box::new(a), Box::new(b))
    }

    pub(crate) fn new_column(kind: KindId, at: usize, of: Expr) -> ExprKind {
        ExprKind::Column(kind, at, Box::new(of))
    }
}

impl Expr {
    /// Whether its members come in an order of their own.
    pub(crate) fn is_ordered(&self) -> bool {
        matches!(self.kind, ExprKind::From(..) | ExprKind::Walk(_) | ExprKind::Backwards(_))
    }

    /// What is iterated, without the order in which that is done.
    pub(crate) fn in_any_order(&self) -> &Expr {
        match &self.kind {
            ExprKind::From(set, _) | ExprKind::Backwards(set) => set.in_any_order(),
            ExprKind::Walk(walk) => &walk.set,
            _ => self,
        }
    }
}

/// The cells in one direction from another, the nearest first.
#[derive(Clone, Debug)]
pub struct BoardWalk {
    /// The cells to iterate: all of them, or fewer.
    pub(crate) set: Expr,
    pub(crate) board: KindId,
    /// The cell that the walk begins at, itself not part of it.
    pub(crate) start: Expr,
    pub(crate) direction: Expr,
    /// From a direction and a cell to the next cell.
    pub(crate) step: TableId,
}

/// What lies on top of a pile, or below all of it.
#[derive(Clone, Debug)]
pub struct PileEnd {
    pub pile: Expr,
    /// How many cards; absent: the one card there.
    pub count: Option<Expr>,
    pub(crate) bottom: bool,
    /// Whether chance decides what is not known yet, which pauses; else that is a trap.
    pub draws: bool,
}

#[derive(Clone, Debug)]
pub enum CardAction {
    // `move CARDS to PILE`
    Move { what: CardSource, to: Expr, bottom: bool },
    Shuffle(Expr),
    // `look at CARDS for p`, `show CARDS to p`, `reveal CARDS`: without `by`, a set of players, all
    // see them.
    Learn { what: CardSource, by: Option<Expr> },
}

#[derive(Clone, Debug)]
pub enum CardSource {
    /// One; a maybe that is none is a trap.
    One(Expr),
    Set(Expr),
    Pile(Expr),
    End(PileEnd),
}

/// `choose me "question" discard from S`
#[derive(Clone, Debug)]
pub struct Pick {
    pub(crate) chooser: Expr,
    pub(crate) prompt: Option<Expr>,
    pub(crate) name: String,
    pub(crate) set: Expr,
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
    /// `past.times`: how often a history holds the present values.
    Past(HistoryId),
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
    /// A number that is how much there is of something: an error below 0.
    Amount,
    /// `list.first` and `list.last`: a maybe.
    FirstElement,
    LastElement,
    /// `count(list)`
    Length,
    /// A list where one is wanted that may be longer.
    ToList,
    /// A key of which the lowest is best among those of which the highest is, or the other way
    /// round: its negative.
    Reverse,
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
    /// `list[n]`: the n-th element, counted from 1.
    Nth,
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

impl Arith {
    /// Whether it is an error with a 0 on the right side.
    pub(crate) fn divides(self) -> bool {
        matches!(self, Arith::CeilDivide | Arith::FloorDivide | Arith::Modulo)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    Union,
    Minus,
    Common,
}

impl SetOp {
    pub(crate) fn combine_members(self, a: &[i64], b: &[i64]) -> Vec<i64> {
        let a = a.iter().copied();
        ascending(match self {
            SetOp::Union => a.chain(b.iter().copied()).collect(),
            SetOp::Minus => a.filter(|member| !b.contains(member)).collect(),
            SetOp::Common => a.filter(|member| b.contains(member)).collect(),
        })
    }
}
