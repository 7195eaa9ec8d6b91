//! The checked tree: names resolved to ids, a type on every expression; settings are not folded yet.

mod body;
mod build;
mod kinds;
pub(crate) mod call_graph;
pub(crate) mod changes;
pub(crate) mod ends;
pub(crate) mod print;
pub(crate) mod printed;
pub(crate) mod protect;
pub(crate) mod returned_values;
pub(crate) mod safety;
pub(crate) mod topology;
mod types;
mod values;
pub(crate) mod visit;
pub(crate) mod walks;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::topology::BoardTopology;
use crate::source::Span;
use crate::syntax::ast::{Direction, Owner, Visibility};

pub use body::*;
pub(crate) use build::*;
pub(crate) use types::*;
pub use values::*;
pub use words::value_text;
pub(crate) use words::*;

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

ids! { KindId RangeId OptionId ConstantId TableId VarId HistoryId RuleId LocalId }

/// The kind of the players: always the first; its members are counted when the number of players
/// is known.
pub(crate) const PLAYER: KindId = KindId(0);

/// The measure that tells who began a game, where a file has it.
pub(crate) const STARTER: &str = "starter";

#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    /// The fewest and the most that can play.
    pub(crate) players: (usize, usize),
    /// Numbers between these that cannot play.
    pub(crate) players_left_out: BTreeSet<usize>,
    /// How many play unless another number is given.
    pub(crate) usual_players: usize,
    pub(crate) limit: Option<Limit>,
    /// `example "SCRIPT"`: the play that the rulebook shows.
    pub(crate) example: Option<String>,
    /// `teams p by TEAM`: the rule that gives the team of a player.
    pub(crate) teams: Option<RuleId>,
    /// Kinds; the first is `PLAYER`, with no members here.
    pub kinds: Vec<Kind>,
    pub(crate) additions: Vec<Addition>,
    /// Ranges of numbers; equal ones are one.
    pub ranges: Vec<Range>,
    pub options: Vec<GameOption>,
    pub constants: Vec<Constant>,
    pub(crate) tables: Vec<Table>,
    pub vars: Vec<Var>,
    pub(crate) histories: Vec<History>,
    /// Rules in the order of the file, then `teams`, `setup`, `play` and the body of `limit`.
    pub rules: Vec<Rule>,
    pub(crate) setup: Option<RuleId>,
    pub(crate) play: RuleId,
    /// Groups of moves, in the order of the file. Their options are in the decisions.
    pub(crate) groups: Vec<Group>,
    pub measures: Vec<Measure>,
    pub always: Vec<Always>,
    pub(crate) strategies: Vec<Strategy>,
    /// Whether anything reads `turn`, so that it must be counted.
    pub(crate) reads_turn: bool,
    /// What counts the turns of each player, if anything reads `p.turns`.
    pub(crate) turns_had: Option<VarId>,
    /// Decisions that ask whether to decline even if nothing else is legal, by the place of who
    /// decides: only that player knows whether anything is.
    pub asked_anyway: BTreeSet<Span>,
    /// Decisions where not everybody may know how many moves are legal, by the place of who decides.
    pub(crate) secret_offers: BTreeSet<Span>,
    /// The notes inside of rules, by where what they are about begins: a statement, a `when`, the
    /// value of a `let` of a move, the set of its `for`, a decline.
    pub(crate) notes_inside: BTreeMap<u32, Vec<String>>,
    /// Cards that are moved and sets that are drawn or picked from, by their places, where not
    /// everybody can tell which cards they are; and where hidden arguments of moves come from.
    pub(crate) secret_sources: BTreeSet<Span>,
    /// Whether a secret decides that somebody learns something.
    pub(crate) teaches_unseen: bool,
    /// Arguments that reach a place that not all see.
    pub(crate) heard: Vec<ArgumentHearers>,
}

/// Who hears an argument of a move that reaches a place that not all see.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentHearers {
    /// `hide(n)`
    pub(crate) name: String,
    /// Where its values come from.
    pub(crate) span: Span,
    pub(crate) place: Span,
    /// Where everybody learns it; absent: they hear `?`.
    pub(crate) all: Option<Span>,
}

/// `strategy "Title" { … }`: lines from the best on.
#[derive(Clone, Debug)]
pub(crate) struct Strategy {
    pub(crate) title: String,
    pub(crate) lines: Vec<StrategyLine>,
    pub(crate) span: Span,
}

/// A line of a strategy: a move, and what it asks at each place that offers the move.
#[derive(Clone, Debug)]
pub(crate) struct StrategyLine {
    pub(crate) name: String,
    /// By the place of the option.
    pub(crate) tactics: BTreeMap<Span, Tactic>,
    pub(crate) span: Span,
}

/// What a line asks at an option: the locals are those of the rule that the decision is in.
#[derive(Clone, Debug)]
pub(crate) struct Tactic {
    /// Who decides.
    pub(crate) me: LocalId,
    /// The arguments that the line names.
    pub(crate) arguments: Vec<Option<LocalId>>,
    pub(crate) condition: Option<Expr>,
    /// What the best of several moves has most of, or least; later ones decide between equals.
    pub(crate) keys: Vec<(Direction, Expr)>,
}

impl Rules {
    /// How many can play, from the fewest on.
    pub fn player_counts(&self) -> impl Iterator<Item = usize> + '_ {
        let (fewest, most) = self.players;
        (fewest..=most).filter(|players| !self.players_left_out.contains(players))
    }

    /// Whether nobody but its player hears an argument of a move.
    pub(crate) fn is_hidden(&self, option: &MoveOption, param: LocalId) -> bool {
        option.clauses.iter().any(|clause| match clause {
            Clause::For(binder) | Clause::Maybe(binder) => {
                binder.local == param && self.secret_sources.contains(&binder.set.span)
            }
            Clause::Let(local, value) => {
                *local == param && self.secret_sources.contains(&value.span)
            }
            Clause::When(_) => false,
        })
    }

    /// What the strategies ask at an option.
    pub(crate) fn tactics(&self, option: Span) -> impl Iterator<Item = &Tactic> {
        let lines = self.strategies.iter().flat_map(|strategy| &strategy.lines);
        lines.filter_map(move |line| line.tactics.get(&option))
    }
}

impl Tactic {
    pub(crate) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.condition.iter().chain(self.keys.iter().map(|(_, key)| key))
    }
}

/// `limit N decisions { … }`
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    /// After how many decisions; a constant expression.
    pub(crate) decisions: Expr,
    pub(crate) body: RuleId,
}

/// A finite, ordered type.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// Its name; that of an unnamed one is its text, `{draw, host_wins}`.
    pub name: String,
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    pub members: Vec<Member>,
    /// Its columns, in the order of the heading; after them those that the checker computed.
    pub columns: Vec<Column>,
    pub shape: KindShape,
    /// The kind that it is a part of. `members` are then all of that kind, so that a value, a set
    /// and an index mean the same for both.
    pub(crate) within: Option<Subkind>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Addition {
    pub(crate) kind: KindId,
    pub(crate) first: usize,
    pub(crate) notes: Vec<String>,
}

/// What makes a kind a part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subkind {
    pub(crate) of: KindId,
    /// The positions there of the members that are its own, ascending.
    pub(crate) members: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KindShape {
    /// In a row, like any members.
    #[default]
    Plain,
    /// The members are the cells of a board.
    Board(BoardTopology),
    /// The members are lines of a board; the first column holds the set of their cells.
    Lines(KindId),
    /// The members are bags of the goods of a kind; a table holds the amounts.
    Bags(KindId),
    /// The members are the directions of all boards.
    Directions,
    /// The members are cards; the first column holds the face of each, of this kind.
    Cards(KindId),
}

impl Kind {
    /// The board whose cells the members are.
    pub(crate) fn as_board(&self) -> Option<BoardTopology> {
        match self.shape {
            KindShape::Board(board) => Some(board),
            _ => None,
        }
    }

    pub(crate) fn is_board(&self) -> bool {
        self.as_board().is_some()
    }

    /// The positions of its own members: all, but for a part of another kind.
    pub(crate) fn own_members(&self) -> Vec<usize> {
        match &self.within {
            Some(part) => part.members.clone(),
            None => (0..self.members.len()).collect(),
        }
    }

    pub(crate) fn named_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| !column.is_computed())
    }
}

#[derive(Clone, Debug)]
pub struct Member {
    /// Its name, as it is typed.
    pub(crate) name: String,
    pub title: String,
    pub(crate) notes: Vec<String>,
    pub(crate) look: Look,
    pub(crate) span: Span,
}

/// How a member looks on the table; no rule reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) colour: Option<Paint>,
    /// A text of one or two columns of the screen.
    pub(crate) glyph: Option<String>,
}

/// A colour that something is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Red,
    Orange,
    Brown,
    Yellow,
    Green,
    Cyan,
    Blue,
    Magenta,
    Pink,
    Grey,
    White,
    Black,
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

impl Paint {
    /// The colours that a file may name; others come from the names of members and from the palette.
    pub(crate) const NAMED: [(&'static str, Paint); 8] = [
        ("black", Paint::Black),
        ("red", Paint::Red),
        ("green", Paint::Green),
        ("yellow", Paint::Yellow),
        ("blue", Paint::Blue),
        ("magenta", Paint::Magenta),
        ("cyan", Paint::Cyan),
        ("white", Paint::White),
    ];
}

#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) cells: Vec<Value>,
    pub(crate) span: Span,
}

impl Column {
    /// Whether the checker made it, so that no name reaches it.
    pub(crate) fn is_computed(&self) -> bool {
        self.name.contains('(')
    }
}

/// Numbers from `low` to `high`, both included; constant expressions.
#[derive(Clone, Debug)]
pub struct Range {
    pub low: Expr,
    /// The highest; absent: open above.
    pub high: Option<Expr>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub struct GameOption {
    pub name: String,
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    pub ty: Type,
    pub(crate) range: Option<RangeId>,
    /// Its value unless another is given; a constant expression.
    pub(crate) default: Expr,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub(crate) name: String,
    pub(crate) notes: Vec<String>,
    pub value: Expr,
    pub(crate) span: Span,
}

/// A constant over one or more finite types.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    pub(crate) dims: Vec<Domain>,
    pub(crate) ty: Type,
    /// Its cells, the last dimension running fastest.
    pub(crate) cells: Cells,
    /// What computed them, the locals of the indices first; absent: they are written.
    pub(crate) formula: Option<Init>,
    pub(crate) span: Span,
}

impl Table {
    pub(crate) fn is_computed(&self) -> bool {
        self.name.contains('(')
    }

    /// Whether it leads from the parts to the members of this product.
    pub(crate) fn makes(&self, product: &Kind) -> bool {
        self.name.strip_suffix("()") == Some(&product.name)
    }

    /// The kind whose members this table finds by their numbers, and whether there may be none:
    /// `Field(row, column)`, `Field.at(row, column)`.
    pub(crate) fn numbered_kind(&self) -> Option<(&str, bool)> {
        let (of, _) = self.name.rsplit_once('(')?;
        matches!(self.dims.first(), Some(Domain::Range(_))).then_some(())?;
        Some(of.strip_suffix(".at").map_or((of, false), |kind| (kind, true)))
    }
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    /// Who has it. One that each player has is indexed by the player first.
    pub(crate) owner: Owner,
    /// What it is an array over, without the player.
    pub(crate) dims: Vec<Domain>,
    pub(crate) ty: Type,
    pub(crate) range: Option<RangeId>,
    pub form: VarForm,
    pub(crate) sight: Visibility,
    /// The players of `seen by PLAYERS`; the owner has a name there.
    pub(crate) seers: Option<Init>,
    /// Whether it is bookkeeping that people are not shown.
    pub(crate) undrawn: bool,
    pub init: Init,
    pub(crate) span: Span,
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
    pub(crate) cards: KindId,
    /// Whether anything asks for its top or bottom, so that its order is kept.
    pub ordered: bool,
}

#[derive(Clone, Debug)]
pub enum Faces {
    Range(RangeId),
    /// These values, each as likely as any other; with repetitions.
    List(Vec<Value>),
}

/// `history past of at, to_move`: remembers what these variables hold together. All see it.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    pub(crate) vars: Vec<VarId>,
    /// Whether the rulebook leaves it out.
    pub(crate) undrawn: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub struct Init {
    /// The owner (if a player has it) and each dimension: the local that holds the index in
    /// `value`, when the value reads it. Ids count in the locals below.
    pub(crate) binders: Vec<Option<LocalId>>,
    /// The locals of `value`: the binders, and those of folds inside it.
    pub(crate) locals: Vec<Local>,
    /// A constant expression, but for the binders.
    pub value: Expr,
}

/// A rule: a function that may also change the state, roll and ask.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    /// Its name; `setup`, `play` and `limit` for the flows, `teams` for that of the `game` block.
    pub name: String,
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// Its parameters, then every other local of its body.
    pub locals: Vec<Local>,
    pub returns: Type,
    /// It gives a bag of this kind: how much of the good that its last parameter names.
    pub(crate) bag: Option<KindId>,
    /// What it does. A rule written with `=` is one `return`.
    pub body: Block,
    pub effects: Effects,
    pub(crate) span: Span,
}

impl Rule {
    pub(crate) fn empty(name: &str, span: Span) -> Rule {
        let title = name.replace('_', " ");
        Rule { name: name.to_owned(), title, span, ..Rule::default() }
    }

    /// The rule, made to do nothing but return a value.
    pub(crate) fn returning(self, value: Expr) -> Rule {
        let (returns, span) = (value.ty.clone(), value.span);
        let body = vec![Stmt { kind: StmtKind::Return(Some(value)), span }];
        Rule { returns, body, ..self }
    }
}

/// `moves name(…) { … }`: the place of moves that several decisions share.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) notes: Vec<String>,
    /// The whole declaration: an option whose place lies in it is one of the group.
    pub(crate) span: Span,
}

/// `measure name = VALUE`
#[derive(Clone, Debug)]
pub struct Measure {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The number, or yes or no, as a pure rule: of a player if each player has one.
    pub rule: Rule,
}

/// `always CONDITION for x in S where P`
#[derive(Clone, Debug)]
pub struct Always {
    pub(crate) binder: Option<Binder>,
    pub(crate) condition: Expr,
    /// A pure rule: whether it holds; where there is a binder: the first member for
    /// which it does not.
    pub rule: Rule,
    pub(crate) span: Span,
}

/// What running a rule may do, the rules it calls included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four things that a rule may or may not do")]
pub struct Effects {
    pub changes: bool,
    pub(crate) says: bool,
    pub pauses: bool,
    pub(crate) finishes: bool,
}

impl Effects {
    /// Whether it does nothing but compute a value.
    pub fn is_pure(self) -> bool {
        self == Effects::default()
    }

    pub(crate) fn union_effects(self, other: Effects) -> Effects {
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
    /// The first amount of a bag that is a parameter: those of the other goods of the kind follow.
    pub bag: Option<KindId>,
    pub span: Span,
}

impl Local {
    /// A name for one value, which stays as it is.
    pub(crate) fn fixed(name: &str, ty: Type, span: Span) -> Local {
        let (dims, range, mutable, bag) = (Vec::new(), None, false, None);
        Local { name: name.to_owned(), ty, dims, range, mutable, bag, span }
    }
}

/// Names that a typed snippet may use beside those of the file.
#[derive(Clone, Debug, Default)]
pub struct SnippetScope {
    /// What the players are called; each is a member of the kind of players.
    pub players: Vec<String>,
    /// The locals that can be seen where the game waits, with their types.
    pub locals: Vec<Local>,
}
