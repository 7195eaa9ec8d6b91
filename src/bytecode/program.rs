//! Compiled programs.

use std::ops::Range;

use crate::bytecode::engine::CompiledCode;
use crate::bytecode::{CardsInfo, Lines, Op, Rays, VarInfo};
use crate::source::Span;

/// What stands in a word that is `none`. It is below every member and every number that arithmetic
/// gives without a trap.
pub const NONE: i64 = i64::MIN;

/// The slot that holds the site at which the state waits.
pub(crate) const SITE: usize = 0;
/// The slot that holds the [`GameEnding`], 0 as long as the game runs.
pub(crate) const ENDING: usize = 1;
/// The first of as many slots as there are players: 1 who won, -1 who lost, 0 who drew.
pub(crate) const RETURNS: usize = 2;

/// How a game ended, as it stands in the slot [`ENDING`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameEnding {
    /// `finish draw` or `finish win`.
    Returns = 1,
    /// `finish ranking`: there are scores too.
    Scores = 2,
    /// A rule that was run on its own has returned.
    Stopped = 3,
    /// `finish ranking` whose first key is `lowest`.
    LowScores = 4,
    // The same with teams.
    TeamReturns = 5,
    TeamScores = 6,
    TeamLowScores = 7,
    /// `finish together SCORE`: nobody wins.
    Together = 8,
}

impl GameEnding {
    /// What stands in the slot [`ENDING`] when a game is over.
    pub(crate) fn from_word(word: i64) -> Option<GameEnding> {
        use GameEnding as Ending;
        let all = [Ending::Returns, Ending::Scores, Ending::Stopped, Ending::LowScores];
        let teams =
            [Ending::TeamReturns, Ending::TeamScores, Ending::TeamLowScores, Ending::Together];
        all.into_iter().chain(teams).find(|ending| *ending as i64 == word)
    }

    pub(crate) fn is_lowest(self) -> bool {
        matches!(self, GameEnding::LowScores | GameEnding::TeamLowScores)
    }

    /// Whether there are scores.
    pub(crate) fn ranks(self) -> bool {
        self.is_lowest()
            || matches!(self, GameEnding::Scores | GameEnding::TeamScores | GameEnding::Together)
    }

    pub(crate) fn has_teams(self) -> bool {
        self as i64 >= GameEnding::TeamReturns as i64
    }
}

/// Rules specialised for one number of players and one setting of the options: code, constants,
/// the layout of the state, names for printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub(crate) title: String,
    pub(crate) players: usize,
    pub code: Vec<Op>,
    /// For each operation, its place in the rules.
    pub(crate) spans: Vec<Span>,
    /// The constants; constant `i` is slot `slots + i`.
    pub(crate) constants: Vec<i64>,
    /// How many words a state has, its stack aside.
    pub slots: usize,
    pub(crate) initial: Vec<i64>,
    /// The first slot of locals; everything below is there for the whole game.
    pub(crate) frame: usize,
    /// Where a state can wait or go on; the first is the beginning.
    pub sites: Vec<Site>,
    pub(crate) options: Vec<OptionInfo>,
    pub(crate) proposals: Vec<MoveProposal>,
    pub picks: Vec<Picks>,
    pub(crate) hidden_draws: Vec<HiddenDraw>,
    pub(crate) texts: Vec<String>,
    pub(crate) formats: Vec<Format>,
    /// The kinds of cards, and the piles that they lie in.
    pub cards: Vec<CardsInfo>,
    /// The names of kinds and their members; the first is that of the players.
    pub(crate) kinds: Vec<KindNames>,
    /// What lies in the slots below `frame`, for people.
    pub vars: Vec<VarInfo>,
    pub(crate) histories: Vec<HistoryInfo>,
    /// For each supposition the slots that it may change and that are read after it: first slot and number.
    pub(crate) suppositions: Vec<Vec<(u16, u16)>>,
    pub(crate) rays: Vec<Rays>,
    /// Sets that are tested together.
    pub(crate) lines: Vec<Lines>,
    pub measures: Vec<MeasureInfo>,
    pub(crate) always: Vec<Promise>,
    /// After how many decisions the code at a site is run instead.
    pub limit: (i64, u16),
    /// After how many decisions and automatic passes it is run; only a limit of the file counts passes.
    pub(crate) most_passes: i64,
    pub engine: CompiledCode,
}

impl Program {
    pub(crate) fn scores(&self) -> usize {
        RETURNS + self.players
    }

    /// Where the places of the players are once `finish ranking` has ended the game: nobody reads locals any more.
    pub(crate) fn places(&self) -> Range<usize> {
        self.frame..self.frame + self.players
    }

    /// Where the team of each player is, by its first member, once a game with teams has ended.
    pub(crate) fn teams(&self) -> Range<usize> {
        self.frame + self.players..self.frame + 2 * self.players
    }

    /// The first slot after the header that every program has.
    pub(crate) fn header(players: usize) -> usize {
        RETURNS + 2 * players
    }
}

/// What a history remembers: the words of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HistoryInfo {
    pub(crate) name: String,
    /// The slots of its variables: first slot and number.
    pub(crate) parts: Vec<(u16, u16)>,
}

impl HistoryInfo {
    pub(crate) fn width(&self) -> usize {
        self.parts.iter().map(|(_, width)| usize::from(*width)).sum()
    }

    /// The words of the position in a state, part by part.
    pub(crate) fn parts_of<'a>(&'a self, words: &'a [i64]) -> impl Iterator<Item = &'a [i64]> {
        let part = |(base, width): &(u16, u16)| &words[usize::from(*base)..][..usize::from(*width)];
        self.parts.iter().map(part)
    }
}

/// A place in the code where a state can wait, or go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub(crate) to: u16,
    pub wait: Wait,
    /// The slots of locals that are still read after this site, in the rule that waits.
    pub(crate) live: Vec<u16>,
    /// The slot where the rule that waits keeps its link, if it was called.
    pub(crate) link: Option<u16>,
    /// The words that are taken back from the stack after this return: first slot and number.
    pub(crate) pulled: Option<(u16, u16)>,
    pub(crate) span: Span,
}

/// What a state waits for at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    Nothing,
    /// A decision; `to` is where the listing begins.
    Decision {
        player: u16,
        /// Where the question is put together.
        question: Option<u16>,
        otherwise: Option<u16>,
    },
    /// A draw; `to` is the draw itself.
    Draw {
        dst: u16,
        /// The slot that holds how many outcomes there are.
        outcomes: u16,
        /// How many there are at most, where that is known.
        most: Option<u32>,
        /// Whether no two outcomes are the same value: faces and cards may be alike.
        distinct: bool,
        low: u16,
        /// The site after the draw.
        then: u16,
        /// Where the event is put into words.
        event: u16,
        /// Where an outcome that is in `dst` is put into words.
        outcome: u16,
    },
}

/// A decision that several players make together, one after the other, unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picks {
    /// The site where each of them decides.
    pub site: u16,
    /// The site where the first of `rest` decides.
    pub(crate) begin: u16,
    /// The first slot of the set of all who decide.
    pub(crate) deciders: u16,
    /// The first slot of the set of those who come after the one who decides.
    pub(crate) rest: u16,
    /// How many slots these sets have.
    pub(crate) width: u16,
    /// The first slot of what was picked: columns of as many words as there are players.
    pub(crate) base: u16,
    pub(crate) columns: u16,
}

/// A draw that not everybody sees, by the site where it is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HiddenDraw {
    pub(crate) site: u16,
    pub(crate) by: Witness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Witness {
    /// The player in this slot.
    Player(u16),
    /// The players of the set in this slot.
    Players(u16),
    Nobody,
}

impl Witness {
    pub(crate) fn slot(self) -> Option<u16> {
        match self {
            Witness::Player(slot) | Witness::Players(slot) => Some(slot),
            Witness::Nobody => None,
        }
    }

    #[must_use]
    pub(crate) fn map_slot(self, to: impl FnOnce(u16) -> u16) -> Witness {
        match self {
            Witness::Player(slot) => Witness::Player(to(slot)),
            Witness::Players(slot) => Witness::Players(to(slot)),
            Witness::Nobody => Witness::Nobody,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OptionInfo {
    pub(crate) name: String,
    /// The `##` lines above it.
    pub(crate) notes: Vec<String>,
    pub(crate) binds: Binds,
    /// What is printed after the name. Trailing ones that are none are left out.
    pub(crate) shown: Vec<Shown>,
    /// Which of these only the player who chooses sees.
    pub(crate) hidden_arguments: Vec<usize>,
    /// What tells its moves apart: what is printed, then the rest of what they range over.
    pub(crate) arguments: Vec<ArgumentInfo>,
    /// Where another printed form is put together.
    pub(crate) template: Option<u16>,
    pub(crate) body: u16,
    /// Of `choose … from S`: when there is anything to choose, as a file says it.
    pub(crate) is_any: Option<String>,
    pub(crate) span: Span,
}

/// The first of some slots, and how many there are.
pub(crate) type Slots = (u16, u16);

/// What a choice binds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Binds {
    /// The slots that it fills, in the order in which an offer lists them; those that are
    /// taken from factors stand last, in their order.
    pub(crate) slots: Vec<Slots>,
    /// The sets that the last slots are taken from, each independent of the others: an offer stands
    /// for all combinations, the first factor counting most.
    pub(crate) factors: Vec<Factor>,
}

impl Binds {
    /// The slots that are no factors, and those that are taken from factors.
    pub(crate) fn split(&self) -> (&[Slots], &[Slots]) {
        self.slots.split_at(self.slots.len() - self.factors.len())
    }

    /// The slots that an offer copies: those that are no factors, then the sets of the factors.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Slots> {
        let factors = self.factors.iter().map(|factor| (factor.set, factor.width));
        self.split().0.iter().copied().chain(factors)
    }
}

/// Moves of an option that are listed before they are tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveProposal {
    /// What the test begins with. Each factor takes one member.
    pub(crate) binds: Binds,
    /// Where the test begins, which offers the option where it is legal, and ends with `Tested`. It reads
    /// nothing of the listing but what is bound and what was computed before all of that.
    pub(crate) test: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) slot: u16,
    pub(crate) width: u16,
    pub(crate) format: u16,
}

/// A value of a move, and what it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgumentInfo {
    pub(crate) name: String,
    pub(crate) slot: u16,
    pub(crate) width: u16,
    pub(crate) shape: ValueShape,
    /// Of numbers, also of those in a set or a list, the lowest and the highest, where both are known.
    pub(crate) ends: Option<(i64, i64)>,
    pub(crate) or_none: bool,
    /// For each member a number that those share which read alike in the printed form of the move; empty where all
    /// read differently.
    pub(crate) alike: Vec<u32>,
}

/// A set that a binding is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factor {
    pub(crate) set: u16,
    pub(crate) width: u16,
    /// How many members it has at most.
    pub(crate) most: u16,
    /// What the first bit stands for.
    pub(crate) low: i64,
    /// Whether none comes before the members.
    pub(crate) or_none: bool,
    /// How many members are taken, as a set of one word; absent: one, as its number.
    pub(crate) taken: Option<u16>,
}

/// Code that computes one word and then stops; it writes nothing but locals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodePiece {
    pub(crate) to: u16,
    /// The slot of the player that it is about.
    pub(crate) player: u16,
    pub(crate) result: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureInfo {
    pub name: String,
    pub(crate) title: String,
    /// Whether each player has one.
    pub of_player: bool,
    pub(crate) piece: CodePiece,
}

/// What must hold at every decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    /// Its position among those of the rules.
    pub(crate) number: u16,
    pub(crate) piece: CodePiece,
    /// What the code gives where it is kept: 1, or none if it looks for members that break it.
    pub(crate) kept: i64,
    /// Whether it holds exactly if it holds of each card alone, and reads nothing that a player does not see.
    pub(crate) is_of_single_cards: bool,
}

/// The subsets of a set are iterated if it has so many members at most.
pub(crate) const MOST_IN_SUBSETS: usize = 16;

/// As many subsets as such a set has may be made of any set.
pub const MOST_SUBSETS: usize = 1 << MOST_IN_SUBSETS;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Format {
    pub(crate) shape: ValueShape,
    pub(crate) manner: Manner,
}

/// For whom a value is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manner {
    /// For people: members by their titles.
    Said,
    /// As it is written in a condition: members by their names, sets in braces.
    Typed,
    /// As an argument of a move: the same, but of a set only the members, with spaces between.
    Argument,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueShape {
    Number,
    Bool,
    /// A text of the program.
    Text,
    Member(u16),
    /// A set of members of a kind.
    Members(u16),
    /// A set of numbers; the first bit is this one.
    Numbers(i64),
    /// A list of members of a kind, with the bits of each.
    MemberList(u16, u16),
    /// A list of numbers from this one on, with the bits of each.
    NumberList(i64, u16),
}

impl ValueShape {
    /// Whether it is a set or a list, whose words are never none.
    pub(crate) fn is_set(&self) -> bool {
        matches!(
            self,
            ValueShape::Members(_)
                | ValueShape::Numbers(_)
                | ValueShape::MemberList(..)
                | ValueShape::NumberList(..)
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindNames {
    pub(crate) name: String,
    /// Name and title of each member. The caller that plays supplies the names of players; their
    /// titles are those of their seats, or empty.
    pub(crate) members: Vec<(String, String)>,
    /// The positions of those that belong to it: of a part of another kind not all.
    pub(crate) own: Vec<usize>,
}
