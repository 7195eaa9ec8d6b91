//! The checked tree: every name resolved to an id, a type on every expression.
//!
//! Only the checker makes one. What depends on the number of players or on options is still an
//! expression here; the compiler folds it for each setting.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::check::adjacency::cell_set;
use crate::check::geometry::Geometry;
use crate::source::Span;
use crate::syntax::ast::{CoinVerb, FoldWord, Owner, Visibility};

/// Makes a newtype index with a way to use it on a slice.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a position in a list.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a position in a list.
            pub fn at(position: usize) -> $name {
                $name(u32::try_from(position).expect("a file has fewer than 2^32 things"))
            }
        }
    )*};
}

ids! {
    /// A kind in [`Rules::kinds`].
    KindId
    /// A range in [`Rules::ranges`].
    RangeId
    /// An option in [`Rules::options`].
    OptionId
    /// A constant in [`Rules::constants`].
    ConstantId
    /// A table in [`Rules::tables`].
    TableId
    /// A state variable in [`Rules::vars`].
    VarId
    /// A rule in [`Rules::rules`].
    RuleId
    /// A local in [`Rule::locals`].
    LocalId
}

/// The kind of the players: always the first; its members are counted when the number of players
/// is known.
pub const PLAYER: KindId = KindId(0);

/// A checked file.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The title of the game.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// The fewest and the most players.
    pub players: (usize, usize),
    /// How many play unless another number is given.
    pub usual_players: usize,
    /// What ends a game that runs for ever.
    pub limit: Option<Limit>,
    /// Kinds; the first is [`PLAYER`], with no members here.
    pub kinds: Vec<Kind>,
    /// What is said of members that were added to kinds.
    pub additions: Vec<Addition>,
    /// Ranges of numbers; equal ones are one.
    pub ranges: Vec<Range>,
    /// Options, in the order of the file.
    pub options: Vec<GameOption>,
    /// Constants, in the order of the file.
    pub constants: Vec<Constant>,
    /// Tables, in the order of the file.
    pub tables: Vec<Table>,
    /// State variables, in the order of the file.
    pub vars: Vec<Var>,
    /// Rules in the order of the file, then `setup`, `play` and the body of `limit`.
    pub rules: Vec<Rule>,
    /// `setup`, when there is one.
    pub setup: Option<RuleId>,
    /// `play`.
    pub play: RuleId,
    /// Groups of moves, in the order of the file. Their options stand in the decisions.
    pub groups: Vec<Group>,
    /// What is measured when a game is over, in the order of the file.
    pub measures: Vec<Measure>,
    /// What must hold at every decision, in the order of the file.
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
    /// What happens then.
    pub body: RuleId,
}

/// A finite, ordered type.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name; that of an unnamed one is its text, `{draw, host_wins}`.
    pub name: String,
    /// What people see.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// Its members, in order.
    pub members: Vec<Member>,
    /// Its columns, in the order of the heading; behind them those that the checker computed.
    pub columns: Vec<Column>,
    /// How its members lie.
    pub shape: Shape,
    /// The kind that it is a part of. `members` are then all of that kind, so that a value, a set
    /// and an index mean the same for both.
    pub within: Option<Part>,
    /// Where it is declared.
    pub span: Span,
}

/// What an `extend kind` with a note says of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The kind that has them.
    pub kind: KindId,
    /// The position of the first of them.
    pub first: usize,
    /// The `##` lines above the declaration.
    pub notes: Vec<String>,
}

/// What makes a kind a part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The kind that has all members.
    pub of: KindId,
    /// The positions there of the members that are its own, ascending.
    pub members: Vec<usize>,
}

/// How the members of a kind lie beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// In a row, like any members.
    Plain,
    /// On a board of rows and columns: row by row from the top, each from the left.
    Grid {
        /// How many columns there are.
        columns: usize,
        /// How many rows there are.
        rows: usize,
        /// Whether the numbers of the rows begin at the bottom.
        from_bottom: bool,
    },
    /// On a board that goes round.
    Ring,
    /// On a board of places that are linked.
    Map,
    /// The members are lines of a board; the first column holds the set of their cells.
    Lines(KindId),
    /// The members are the directions of all boards.
    Directions,
    /// The members are cards; the first column holds the face of each, of this kind.
    Cards(KindId),
}

impl Kind {
    /// Whether the members are the cells of a board.
    pub fn is_board(&self) -> bool {
        matches!(self.shape, Shape::Grid { .. } | Shape::Ring | Shape::Map)
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

/// A member of a kind.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name, as it is typed.
    pub name: String,
    /// What people see.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A column of a drawn kind.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its cells.
    pub ty: Type,
    /// A cell for each member, in order.
    pub cells: Vec<Value>,
    /// Where its heading stands.
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
    /// The lowest.
    pub low: Expr,
    /// The highest; absent: open above.
    pub high: Option<Expr>,
    /// Where it is first written.
    pub span: Span,
}

/// A setting of the game.
#[derive(Clone, Debug)]
pub struct GameOption {
    /// Its name.
    pub name: String,
    /// What it means, for people.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// Its type: yes/no, a kind, a number, or a maybe of these.
    pub ty: Type,
    /// The range of a number.
    pub range: Option<RangeId>,
    /// Its value unless another is given; a constant expression.
    pub default: Expr,
    /// Where it is declared.
    pub span: Span,
}

/// A named constant expression.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// Its value.
    pub value: Expr,
    /// Where it is declared.
    pub span: Span,
}

/// A constant over one or more finite types.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// What people see.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// What it is over.
    pub dims: Vec<Domain>,
    /// The type of its cells.
    pub ty: Type,
    /// Its cells, the last dimension running fastest.
    pub cells: Cells,
    /// Where it is declared.
    pub span: Span,
}

/// The cells of a table, shared by all copies of the rules. Rays take much, and few games ask for
/// any: they are made when somebody first reads one.
#[derive(Clone)]
pub struct Cells {
    made: Arc<OnceLock<Vec<Value>>>,
    /// The shape of a board, how many cells it has, and the directions.
    rays: Option<Arc<(Shape, usize, Vec<String>)>>,
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
            let Some((shape, cells, directions)) = self.rays.as_deref() else { return Vec::new() };
            let board = Geometry { shape, cells: *cells };
            let mut rays = Vec::new();
            for direction in directions {
                rays.extend((0..*cells).map(|at| cell_set(board.ray(at, direction))));
            }
            rays
        })
    }
}

impl Table {
    /// The cells of the rays of a board, in these directions.
    pub(super) fn rays(shape: Shape, cells: usize, directions: Vec<String>) -> Cells {
        Cells { made: Arc::default(), rays: Some(Arc::new((shape, cells, directions))) }
    }

    /// Whether the checker made it, so that no name reaches it.
    pub fn is_computed(&self) -> bool {
        self.name.contains('(')
    }
}

/// A variable of the state.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// What people see.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// Who has it. One that each player has is indexed by the player first.
    pub owner: Owner,
    /// What it is an array over, without the player.
    pub dims: Vec<Domain>,
    /// The type of one element.
    pub ty: Type,
    /// The range that is enforced on a number.
    pub range: Option<RangeId>,
    /// What kind of variable it is.
    pub form: VarForm,
    /// Who sees what it holds.
    pub sight: Visibility,
    /// The first value of each element.
    pub init: Init,
    /// Where it is declared.
    pub span: Span,
}

/// Plain variables, coins and dice.
#[derive(Clone, Debug)]
pub enum VarForm {
    /// Assigned to.
    Plain,
    /// Also gained, lost and paid.
    Coin,
    /// Rolled: the faces of a die, a range ([`Type::Number`]) or listed values.
    Die(Faces),
    /// A pile of cards; its type is the set of those that lie there.
    Pile(Pile),
}

/// What a pile is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile {
    /// The kind of its cards.
    pub cards: KindId,
    /// Whether anything asks for its top or bottom, so that its order is kept.
    pub ordered: bool,
}

/// The faces of a die.
#[derive(Clone, Debug)]
pub enum Faces {
    /// All numbers of a closed range.
    Range(RangeId),
    /// These values, each as likely as any other; equal ones may stand several times.
    List(Vec<Value>),
}

/// The first value of the elements of a variable.
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
    /// What people see.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// Its parameters, then every other local of its body.
    pub locals: Vec<Local>,
    /// The type of its value; [`Type::Nothing`] if it has none.
    pub returns: Type,
    /// What it does. A rule written with `=` is one `return`.
    pub body: Block,
    /// What running it may do.
    pub effects: Effects,
    /// Where its name is declared.
    pub span: Span,
}

/// `moves name(…) { … }`: the place of options that several decisions share.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// The whole declaration: an option whose place lies in it is one of the group.
    pub span: Span,
}

/// `measure name = VALUE`
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// What people see.
    pub title: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// The number, or yes or no, as a pure rule: of a player if each player has one.
    pub rule: Rule,
}

/// `always CONDITION for x in S where P`
#[derive(Clone, Debug)]
pub struct Always {
    /// For which members.
    pub binder: Option<Binder>,
    /// What holds.
    pub condition: Expr,
    /// A pure rule that tells whether it holds; where there is a binder: the first member for
    /// which it does not.
    pub rule: Rule,
    /// The whole line.
    pub span: Span,
}

/// What running a rule may do, the rules it calls included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four things that a rule may or may not do")]
pub struct Effects {
    /// It changes the state.
    pub changes: bool,
    /// It says something.
    pub says: bool,
    /// It asks a player or chance, so it may pause.
    pub pauses: bool,
    /// It may end the game.
    pub finishes: bool,
}

impl Effects {
    /// Whether it does nothing but compute a value.
    pub fn is_pure(self) -> bool {
        self == Effects::default()
    }

    /// The effects of doing both.
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

/// A name inside a rule.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// The type of its value, or of one element.
    pub ty: Type,
    /// What it is an array over; empty for a plain value.
    pub dims: Vec<Domain>,
    /// The range that is enforced on a number.
    pub range: Option<RangeId>,
    /// Whether it may be assigned to (`var`).
    pub mutable: bool,
    /// Where it is declared.
    pub span: Span,
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// A mistake was already reported; fits everywhere.
    Unknown,
    /// No value: what a rule without `->` returns.
    Nothing,
    /// A whole number of 64 bits.
    Number,
    /// Yes or no.
    Bool,
    /// Text.
    Text,
    /// A member of a kind.
    Kind(KindId),
    /// A set over a finite type.
    Set(Domain),
    /// A value or `none`. Never nested.
    Maybe(Box<Type>),
    /// Numbers between two bounds, as in `for n in 1..k`: can be gone over and looked into, not kept.
    Span,
    /// All subsets of a set, as in `for part in subsets of S`: can be gone over, not kept.
    Subsets(Domain),
    /// A pile of these cards, by reference: only parameters are of this type.
    Pile(KindId),
    /// The word `none` where nothing says of what.
    None,
    /// `{}` where nothing says of what.
    EmptySet,
}

/// A finite type: what sets are over, arrays are indexed by, `for` goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    /// The members of a kind.
    Kind(KindId),
    /// The numbers of a closed range.
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

/// A constant value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number; 0 or 1 for no or yes; the position of a member in its kind.
    Int(i64),
    /// `none`
    None,
    /// The members of a set, ascending: positions in a kind, or numbers.
    Set(Vec<i64>),
    /// Text without holes.
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

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// What a statement does. Places are expressions of the forms [`ExprKind::Local`],
/// [`ExprKind::LocalElement`] and [`ExprKind::Var`]. Where a *value* is written the expression may
/// also pause: be `random`, `roll`, `choose … from`, or a call of a rule that pauses.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let x = VALUE`, `var x = VALUE`
    Let(LocalId, Expr),
    /// `var x[K] = E`: the first value of each element; `binders` as in [`Init`].
    LetArray {
        /// The array.
        local: LocalId,
        /// For each dimension, the local that holds the index.
        binders: Vec<Option<LocalId>>,
        /// The value of an element.
        value: Expr,
    },
    /// `place = VALUE`
    Assign(Expr, Expr),
    /// `place += E` and `-=`: numbers are added, members are put into sets or taken out. The
    /// operand of a set is a set.
    Change {
        /// What changes.
        place: Expr,
        /// Whether it is `+=`.
        add: bool,
        /// By what.
        value: Expr,
    },
    /// `swap A and B`
    Swap(Expr, Expr),
    /// `reset PLACE`: an element, or all elements where fewer indices are given than there are.
    Reset(Vec<ResetTarget>),
    /// `me gains 2 bread`
    Coin {
        /// The coins.
        place: Expr,
        /// Gains, loses or pays.
        verb: CoinVerb,
        /// How many.
        amount: Expr,
    },
    /// `roll die`, `roll die for c in S where P`
    Roll {
        /// The die, indexed (by the binder too).
        place: Expr,
        /// Rolled for each of these; absent: once.
        binder: Option<Binder>,
    },
    /// `if P { } else { }`
    If {
        /// The condition.
        condition: Expr,
        /// When it holds.
        then: Block,
        /// When it does not.
        otherwise: Block,
    },
    /// `match x { … }`
    Match {
        /// What is looked at.
        subject: Expr,
        /// The cases in order; the last may have no patterns: `else`.
        arms: Vec<Arm<Block>>,
    },
    /// `for x in S from y where P { }`
    For {
        /// The name, the set (a *value*), the filter.
        binder: Binder,
        /// The member that comes first, in cyclic order.
        from: Option<Expr>,
        /// What happens for each.
        body: Block,
    },
    /// `repeat n times { }`
    Times(Expr, Block),
    /// `repeat { }`, `repeat { } until P`; the condition sees the locals of the body.
    Repeat(Block, Option<Expr>),
    /// `while P { }`
    While(Expr, Block),
    /// `turns me from FIRST where P { }`
    Turns {
        /// The player.
        local: LocalId,
        /// Who begins; a *value*.
        from: Expr,
        /// Who takes part; reads the local.
        condition: Option<Expr>,
        /// A turn.
        body: Block,
    },
    /// `break`
    Break,
    /// `return`, `return VALUE`
    Return(Option<Expr>),
    /// `reveal PLACE`, `show PLACE to p`: what it holds now, of all elements where fewer indices
    /// are given than there are.
    Show {
        /// What is shown.
        targets: Vec<ResetTarget>,
        /// Who sees it; absent: everybody.
        to: Option<Expr>,
    },
    /// `say "…"`, `say to p "…"`
    Say {
        /// Who hears it: a player; absent: everybody.
        to: Option<Expr>,
        /// What is said.
        text: Expr,
    },
    /// `move …`, `shuffle …`, `look at …`
    Cards(Box<CardDeed>),
    /// `choose me { … }`
    Choose(Box<Choose>),
    /// `finish draw`
    FinishDraw,
    /// `finish win S`: a set of players.
    FinishWin(Expr),
    /// `finish ranking p by KEY, …`
    FinishRanking {
        /// The player in the keys.
        local: LocalId,
        /// The score first, then what breaks ties.
        keys: Vec<Expr>,
    },
    /// A call of a rule that stands alone.
    Call(Expr),
}

/// What `reset` sets back.
#[derive(Clone, Debug)]
pub struct ResetTarget {
    /// The variable.
    pub var: VarId,
    /// The first indices (the owner first); all elements that begin with them are reset.
    pub indices: Vec<Expr>,
}

/// `x in S where P`
#[derive(Clone, Debug)]
pub struct Binder {
    /// The member.
    pub local: LocalId,
    /// Where it is taken from: a set, a span, a maybe, or a `from` of a set.
    pub set: Box<Expr>,
    /// Which of them.
    pub condition: Option<Box<Expr>>,
}

/// A case of a `match`.
#[derive(Clone, Debug)]
pub struct Arm<T> {
    /// What it is for; empty: everything that is left.
    pub patterns: Vec<Pattern>,
    /// What happens, or the value.
    pub body: T,
    /// The whole case.
    pub span: Span,
}

/// One pattern of a case.
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
    /// picks: a set of what its `for` goes over, or, without a `for`, yes or no.
    pub order: Option<Vec<LocalId>>,
    /// The question: a text.
    pub prompt: Option<Expr>,
    /// What may be chosen.
    pub options: Vec<MoveOption>,
    /// Choosing none of it.
    pub decline: Option<Decline>,
    /// When nothing is legal.
    pub otherwise: Option<Block>,
}

impl Choose {
    /// The decision without what happens behind it.
    #[must_use]
    pub fn head(&self) -> Choose {
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
            options: self.options.iter().map(MoveOption::head).collect(),
            decline: self.decline.as_ref().map(decline),
            otherwise: self.otherwise.as_ref().map(|_| Vec::new()),
        }
    }
}

impl MoveOption {
    /// The option without its body.
    #[must_use]
    pub fn head(&self) -> MoveOption {
        MoveOption {
            name: self.name.clone(),
            notes: self.notes.clone(),
            params: self.params.clone(),
            template: self.template.clone(),
            clauses: self.clauses.clone(),
            body: Vec::new(),
            span: self.span,
        }
    }
}

/// One option of a decision.
#[derive(Clone, Debug)]
pub struct MoveOption {
    /// Its name.
    pub name: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// What is printed behind the name, in order.
    pub params: Vec<LocalId>,
    /// Another printed form: a text.
    pub template: Option<Expr>,
    /// What it ranges over and its conditions, in order.
    pub clauses: Vec<Clause>,
    /// What happens.
    pub body: Block,
    /// The whole option.
    pub span: Span,
}

/// A part of an option's header.
#[derive(Clone, Debug)]
pub enum Clause {
    /// `for x in S where P`
    For(Binder),
    /// `maybe x in S where P`: the local is a maybe; the condition sees a member that is there.
    Maybe(Binder),
    /// `let x = E`
    Let(LocalId, Expr),
    /// `when P`
    When(Expr),
}

/// `or keep when P { … }`
#[derive(Clone, Debug)]
pub struct Decline {
    /// Its name.
    pub name: String,
    /// Another printed form: a text.
    pub template: Option<Expr>,
    /// When it is offered.
    pub condition: Option<Expr>,
    /// What happens.
    pub body: Block,
    /// The whole branch.
    pub span: Span,
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant. `none` and members have their value here.
    Value(Value),
    /// A local (not an array).
    Local(LocalId),
    /// One element of a local array.
    LocalElement(LocalId, Vec<Expr>),
    /// The value of an option.
    Option(OptionId),
    /// The value of a constant.
    Constant(ConstantId),
    /// `players`: how many play.
    Players,
    /// `Player.last`, whose position is known with the number of players.
    LastPlayer,
    /// `turn`: the number of the turn, counted from 1 by the innermost `turns`.
    LegalMoves,
    /// `moves`: how many moves are legal at this decision; only in what people type.
    Moves,
    /// A finite type as the set of all its members.
    Whole(Domain),
    /// One element of a state variable: the owner first when a player has it, then the indices.
    Var(VarId, Vec<Expr>),
    /// A column of a member; of `none`: `none`.
    Column(KindId, usize, Box<Expr>),
    /// A cell of a table.
    Table(TableId, Vec<Expr>),
    /// A call of a rule.
    Call(RuleId, Vec<Expr>),
    /// `next(p)`, `p.seat` and the like.
    Builtin(Builtin, Box<Expr>),
    /// Arithmetic on numbers.
    Arith(Arith, Box<Expr>, Box<Expr>),
    /// `-x`
    Negate(Box<Expr>),
    /// `not p`
    Not(Box<Expr>),
    /// `p and q`
    And(Box<Expr>, Box<Expr>),
    /// `p or q`
    Or(Box<Expr>, Box<Expr>),
    /// `a == b`; either may be a maybe; sets too.
    Equal(Box<Expr>, Box<Expr>),
    /// `a < b` of numbers or of members of one kind; no when either is `none`.
    Less(Box<Expr>, Box<Expr>),
    /// `a <= b`, likewise.
    LessEqual(Box<Expr>, Box<Expr>),
    /// `x in S`; the element may be a maybe: `none` is in no set. The set may be a span.
    In(Box<Expr>, Box<Expr>),
    /// `A within B`
    Within(Box<Expr>, Box<Expr>),
    /// `A union B` and the like; both are sets of the expression's type.
    SetOp(SetOp, Box<Expr>, Box<Expr>),
    /// `{a, b}`: members and maybes.
    SetOf(Vec<Expr>),
    /// A member or a maybe where a set is wanted.
    ToSet(Box<Expr>),
    /// Numbers from one bound to the other ([`Type::Span`]), or members of a kind (a set).
    Interval(Box<Expr>, Box<Expr>),
    /// A set in cyclic order, beginning at a member; only where something goes over it.
    From(Box<Expr>, Box<Expr>),
    /// A set of cells in the order of a walk; only where something goes over it.
    Walk(Box<Walk>),
    /// `subsets of S`: all of them, each a set; only where something goes over them.
    Subsets(Box<Expr>),
    /// Of cards with one face that lie in one pile only the first; only where moves are listed.
    Distinct(Box<Expr>),
    /// `{c in S where P}`
    Filter(Binder),
    /// `{E for c in S where P}`
    Image(Box<Expr>, Binder),
    /// `any(c in S: P)` and the like.
    Fold {
        /// Which of the folds.
        word: FoldWord,
        /// What it goes over.
        binder: Binder,
        /// The condition, value or keys. `count(c in S)` and `count(A)` have none.
        body: Vec<Expr>,
    },
    /// `if P then A else B`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match x { … }` as a value.
    Match(Box<Expr>, Vec<Arm<Expr>>),
    /// Text with holes: parts that are printed one after another.
    Text(Vec<TextPart>),
    /// `suppose { … }: E`: what E would be after the statements, which change nothing.
    Suppose(Block, Box<Expr>),
    /// A pile itself, not the cards in it ([`Type::Pile`]): a variable with all its indices.
    Pile(VarId, Vec<Expr>),
    /// The set of the cards in a pile that is given by reference.
    PileCards(Box<Expr>),
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
    /// Which of the cells are gone over: all of them, or fewer.
    pub set: Expr,
    /// The board.
    pub board: KindId,
    /// The cell that the walk begins at and that is not gone over.
    pub start: Expr,
    /// The direction.
    pub direction: Expr,
    /// From a direction and a cell to the next cell.
    pub step: TableId,
}

/// What lies on top of a pile, or below all of it.
#[derive(Clone, Debug)]
pub struct PileEnd {
    /// The pile, by reference.
    pub pile: Expr,
    /// How many cards; absent: the one card there.
    pub count: Option<Expr>,
    /// Whether it is the bottom.
    pub bottom: bool,
    /// Whether chance decides what nobody knows yet, which pauses; else that is a trap.
    pub draws: bool,
}

/// What is done with cards.
#[derive(Clone, Debug)]
pub enum CardDeed {
    /// `move CARDS to PILE`
    Move {
        /// The cards.
        what: Cards,
        /// The pile, by reference.
        to: Expr,
        /// Whether they go below everything else.
        bottom: bool,
    },
    /// `shuffle PILE`
    Shuffle(Expr),
    /// `look at CARDS for p`, `show CARDS to p`, `reveal CARDS`
    Learn {
        /// The cards.
        what: Cards,
        /// A set of players; absent: all.
        by: Option<Expr>,
    },
}

/// Cards that something is done with.
#[derive(Clone, Debug)]
pub enum Cards {
    /// One; a maybe that is none is a trap.
    One(Expr),
    /// A set.
    Set(Expr),
    /// All of a pile, by reference, in their order.
    Pile(Expr),
    /// The top or bottom of a pile, one after the other.
    End(PileEnd),
}

/// `choose me "question" discard from S`
#[derive(Clone, Debug)]
pub struct Pick {
    /// Who decides.
    pub chooser: Expr,
    /// The question: a text.
    pub prompt: Option<Expr>,
    /// What the move is called.
    pub name: String,
    /// What may be picked: a set or a span.
    pub set: Expr,
}

/// A part of a text.
#[derive(Clone, Debug)]
pub enum TextPart {
    /// Words as they stand.
    Words(String),
    /// A value, printed by its type.
    Hole(Expr),
}

/// Functions that are there without being declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `next(p)`: the player on the left.
    Next,
    /// `previous(p)`: the player on the right.
    Previous,
    /// `others(p)`: the set of all others.
    Others,
    /// `p.seat`: 1 for the first player.
    Seat,
    /// `abs(n)`
    Abs,
}

/// Arithmetic of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `ceil(a / b)`
    CeilDivide,
    /// `floor(a / b)`
    FloorDivide,
    /// `mod`: the remainder, with the sign of the divisor.
    Modulo,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

/// Operations of two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    /// `union`
    Union,
    /// `minus`
    Minus,
    /// `common`
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
