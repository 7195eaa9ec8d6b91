//! The table of operations of a register machine.
//!
//! A slot names a word of the state, or a constant, from
//! [`Program::slots`](crate::bytecode::Program::slots) on. A set is `width` words, a bit for each member.

/// What an operand is, and whether the operation reads or writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A slot that is read.
    Read,
    /// A slot that is written.
    Write,
    /// A slot that is read and written.
    Change,
    /// The first of `width` slots that are read.
    ReadSet,
    /// The first of the slots of a set that has room for `count` members; they are written.
    WriteMarks,
    /// The first of the slots of a set that has room for `count` members; they are read.
    ReadMarks,
    /// The first of two slots that are read.
    ReadPair,
    /// The first of `count` times `width` slots, and of `count` slots behind them, that are read.
    ReadMoves,
    /// The first of `width` slots that are written.
    WriteSet,
    /// The first of `width` slots that are read and written.
    ChangeSet,
    /// The first of `count` times `width` slots, some of which are read.
    ReadBlock,
    /// The first of `count` times `width` slots, some of which are written: the last role of slots.
    ChangeBlock,
    /// A number that stands for itself.
    Number,
    /// How many members, elements or sets the slots beside it are for.
    Count,
    /// How many slots a set or an element has.
    Width,
    /// The operation to continue at.
    To,
    Site,
    Text,
    Format,
    Choice,
    Proposal,
    /// A kind of cards of the program: twice its number, and 1 more where the bottom of a pile is meant.
    Cards,
    History,
    Supposition,
    Rays,
    /// Sets of the program that are tested together.
    Lines,
}

/// An operand, with the name and the role that the table below gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) value: u16,
    /// How many slots it covers, if it is one.
    pub(crate) words: usize,
}

/// How many operands an operation has at most.
const MOST_OPERANDS: usize = 6;

macro_rules! operations {
    ($( $(#[doc = $doc:literal])+ $op:ident { $($field:ident: $role:ident),* $(,)? } )*) => {
        /// An operation. All operands are 16 bits wide.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Op {
            $( $(#[doc = $doc])+ $op { $(
                #[doc = concat!("`", stringify!($role), "`")]
                $field: u16
            ),* } ),*
        }

        const _: () = { $(
            let operands: &[&str] = &[$( stringify!($field) ),*];
            assert!(operands.len() <= MOST_OPERANDS, "an operation has too many operands");
        )* };
        const _: () = assert!(size_of::<Op>() <= 12, "code should stay small");

        impl Op {
            pub(crate) fn name(&self) -> &'static str {
                match self { $( Op::$op { .. } => stringify!($op) ),* }
            }

            /// Its operands, in the order of the table.
            pub(crate) fn operands(&self) -> Operands {
                match *self { $( Op::$op { $($field),* } => {
                    const FIELDS: &[Field] =
                        &[$( Field { name: stringify!($field), role: Role::$role } ),*];
                    let mut values = [0; MOST_OPERANDS];
                    values[..FIELDS.len()].copy_from_slice(&[$($field),*]);
                    Operands { fields: FIELDS, values, at: 0 }
                } ),* }
            }

            /// Replaces each operand by what `change` makes of it.
            pub(crate) fn map(&mut self, mut change: impl FnMut(Role, u16) -> u16) {
                let _ = &mut change;
                match self { $( Op::$op { $($field),* } => {
                    $( *$field = change(Role::$role, *$field); )*
                } ),* }
            }
        }
    };
}

/// What an operation says of an operand.
#[derive(Clone, Copy, Debug)]
struct Field {
    name: &'static str,
    role: Role,
}

/// The operands of an operation. They are asked for often, and are not built before.
#[derive(Clone, Debug)]
pub(crate) struct Operands {
    fields: &'static [Field],
    values: [u16; MOST_OPERANDS],
    at: usize,
}

impl Operands {
    /// The operand with a role, or 1.
    fn with(&self, role: Role) -> usize {
        let at = self.fields.iter().position(|field| field.role == role);
        at.map_or(1, |at| self.values[at].into())
    }
}

impl Iterator for Operands {
    type Item = Operand;

    fn next(&mut self) -> Option<Operand> {
        let Field { name, role } = *self.fields.get(self.at)?;
        let value = self.values[self.at];
        self.at += 1;
        let words = match role {
            Role::ReadSet | Role::WriteSet | Role::ChangeSet => self.with(Role::Width),
            Role::ReadBlock | Role::ChangeBlock => self.with(Role::Count) * self.with(Role::Width),
            Role::WriteMarks | Role::ReadMarks => self.with(Role::Count).div_ceil(64),
            Role::ReadPair => 2,
            Role::ReadMoves => self.with(Role::Count) * (self.with(Role::Width) + 1),
            _ => 1,
        };
        Some(Operand { name, role, value, words })
    }
}

operations! {
    // Jumps.

    /// Continues at `to`.
    Jump { to: To }
    /// Jumps back to `to`; burns fuel.
    Again { to: To }
    /// Continues at `to` if `a` is not 0.
    JumpIf { a: Read, to: To }
    /// Continues at `to` if `a` is 0.
    JumpIfNot { a: Read, to: To }
    /// Continues at `to` if `a == b`.
    JumpEqual { a: Read, b: Read, to: To }
    /// Continues at `to` if `a != b`.
    JumpDifferent { a: Read, b: Read, to: To }
    /// Continues at `to` if `a < b`.
    JumpLess { a: Read, b: Read, to: To }
    /// Continues at `to` if `a <= b`.
    JumpAtMost { a: Read, b: Read, to: To }
    /// Continues at `to` if `member` is in `set`; what is no member at all is in no set.
    JumpHas { set: ReadSet, member: Read, width: Width, to: To }
    /// Continues at `to` if `member` is not in `set`.
    JumpLacks { set: ReadSet, member: Read, width: Width, to: To }
    /// Continues at `to` if `member` is in the set `base[index]`.
    JumpHasAt { base: ReadBlock, index: Read, count: Count, member: Read, to: To }
    /// Continues at `to` if `member` is not in the set `base[index]`.
    JumpLacksAt { base: ReadBlock, index: Read, count: Count, member: Read, to: To }
    /// Continues at `to` if `base[index]` is not 0: not no, not empty.
    JumpIfAt { base: ReadBlock, index: Read, count: Count, to: To }
    /// Continues at `to` if `base[index]` is 0: no, or empty.
    JumpIfNotAt { base: ReadBlock, index: Read, count: Count, to: To }
    /// Continues at `to` if `set` is empty.
    JumpEmpty { set: ReadSet, width: Width, to: To }
    /// Continues at `to` if `set` is not empty.
    JumpSome { set: ReadSet, width: Width, to: To }
    /// Continues at `to` if all of `a` is in `b`.
    JumpWithin { a: ReadSet, b: ReadSet, width: Width, to: To }
    /// Continues at `to` if not all of `a` is in `b`.
    JumpNotWithin { a: ReadSet, b: ReadSet, width: Width, to: To }
    /// Continues at `to` if the sets are the same.
    JumpSame { a: ReadSet, b: ReadSet, width: Width, to: To }
    /// Continues at `to` if the sets are not the same.
    JumpNotSame { a: ReadSet, b: ReadSet, width: Width, to: To }
    /// Continues at `to` if all of one of the `count` sets from `base` on is in `set`.
    JumpAnyWithin { base: ReadBlock, count: Count, set: ReadSet, width: Width, to: To }
    /// Continues at `to` if all of one of the sets of `lines` is in `set`.
    JumpAnyLine { lines: Lines, set: ReadSet, width: Width, to: To }
    /// Continues at `to` if each of the sets of `lines` has a member that is not in `set`.
    JumpNoLine { lines: Lines, set: ReadSet, width: Width, to: To }
    /// Continues at `to` if each of the `count` sets from `base` on has a member that is not in `set`.
    JumpNoneWithin { base: ReadBlock, count: Count, set: ReadSet, width: Width, to: To }

    // Numbers.

    /// Copies a word.
    Move { dst: Write, src: Read }
    /// Copies `width` words.
    Copy { dst: WriteSet, src: ReadSet, width: Width }
    /// `dst = a + b`; too large a result is a trap.
    Add { dst: Write, a: Read, b: Read }
    /// `dst = a - b`; too large a result is a trap.
    Subtract { dst: Write, a: Read, b: Read }
    /// `dst = a * b`; too large a result is a trap.
    Multiply { dst: Write, a: Read, b: Read }
    /// `dst = a / b`, rounded up; a trap if `b` is 0.
    CeilDivide { dst: Write, a: Read, b: Read }
    /// `dst = a / b`, rounded down; a trap if `b` is 0.
    FloorDivide { dst: Write, a: Read, b: Read }
    /// `dst = a mod b`, with the sign of `b`; a trap if `b` is 0.
    Modulo { dst: Write, a: Read, b: Read }
    /// The smaller of two.
    Least { dst: Write, a: Read, b: Read }
    /// `a = min(a, high)`; the driver sees it where that cuts something off.
    CutOff { a: Change, high: Read }
    /// The larger of two.
    Greatest { dst: Write, a: Read, b: Read }
    /// `dst = a - low`, wrapping: the position of a number in a range; `none` lands outside.
    Position { dst: Write, a: Read, low: Read }
    /// A trap unless `low <= a <= high`; a `high` of none is open.
    CheckRange { a: Read, low: Read, high: Read }
    /// `dst = a - low`: the position of an index; a trap if it is not below `count`.
    Index { dst: Write, a: Read, low: Read, count: Count }
    /// A trap if `a` is below 0: an amount of coins, or how often to repeat.
    CheckAmount { a: Read }
    /// A trap unless `cost <= have - low`: coins that are paid.
    CheckPay { have: Read, cost: Read, low: Read }
    /// A trap if `a` is none: the smallest or largest of nothing.
    CheckSome { a: Read }
    /// A trap unless `a` is 1: the number of members where there must be only one.
    CheckOne { a: Read }
    /// `dst = a * size + b`: the index of an element of a table over several types.
    Scale { dst: Write, a: Read, size: Number, b: Read }
    /// `dst = a * size + (b - low)`; a trap unless `b - low` is below `size`.
    ScaleFrom { dst: Write, a: Read, size: Number, b: Read, low: Read }
    /// `dst = base[index]`.
    Load { dst: Write, base: ReadBlock, index: Read, count: Count }
    /// `base[index] = src`.
    Store { base: ChangeBlock, index: Read, src: Read, count: Count }
    /// `base[index] += b`; a trap unless the sum lies in `range`: the lowest and, after it, the
    /// highest, where none is open.
    AddAt { base: ChangeBlock, index: Read, count: Count, b: Read, range: ReadPair }
    /// `dst = base[index]`, elements of `width` words.
    LoadSet { dst: WriteSet, base: ReadBlock, index: Read, count: Count, width: Width }
    /// `base[index] = src`, elements of `width` words.
    StoreSet { base: ChangeBlock, index: Read, src: ReadSet, count: Count, width: Width }
    /// Puts a member into the set `base[index]`.
    InsertAt { base: ChangeBlock, index: Read, count: Count, member: Read, width: Width }
    /// Takes a member out of the set `base[index]`.
    RemoveAt { base: ChangeBlock, index: Read, count: Count, member: Read, width: Width }
    /// The value of an element of an array that is kept as one set per value: the position of the
    /// set that has the member, or none.
    LoadValue { dst: Write, base: ReadBlock, member: Read, count: Count, width: Width }
    /// The members whose value is `a`, of an array that is kept as one set per value; the last set is that of
    /// whatever is no position, of none.
    SetOf { dst: WriteSet, base: ReadBlock, a: Read, count: Count, width: Width }
    /// Changes an element of an array that is kept as one set per value; the last set is that of
    /// whatever is no position, of none.
    StoreValue { base: ChangeBlock, member: Read, src: Read, count: Count, width: Width }
    /// The player after `a`, of `count`.
    NextPlayer { dst: Write, a: Read, count: Count }
    /// The player before `a`, of `count`.
    PreviousPlayer { dst: Write, a: Read, count: Count }

    /// `a += 1`; continues at `to` instead if `a` is not below `last`.
    CountUp { a: Change, last: Read, to: To }
    /// `a -= 1`; continues at `to` instead if `a` is not above `last`.
    CountDown { a: Change, last: Read, to: To }
    /// `at = base[row + at]`; continues at `to` if that is none.
    WalkOn { at: Change, base: ReadBlock, row: Read, count: Count, to: To }

    // Sets.

    /// Takes all members out.
    Clear { set: WriteSet, width: Width }
    /// Takes all members out but one, which is put in; `none` leaves nothing.
    Single { set: WriteSet, member: Read, width: Width }
    /// Puts a member in; `none` adds nothing.
    Insert { set: ChangeSet, member: Read, width: Width }
    /// Takes a member out.
    Remove { set: ChangeSet, member: Read, width: Width }
    /// All that is in `a` or `b`.
    Union { dst: WriteSet, a: ReadSet, b: ReadSet, width: Width }
    /// All that is in `a` and not in `b`.
    Minus { dst: WriteSet, a: ReadSet, b: ReadSet, width: Width }
    /// All that is in `a` and in `b`.
    Common { dst: WriteSet, a: ReadSet, b: ReadSet, width: Width }
    /// The members from `low` to `high`.
    Interval { dst: WriteSet, low: Read, high: Read, width: Width }
    /// The positions of the words from `base` on that are equal to `a`.
    WhereEqual { dst: WriteMarks, base: ReadBlock, count: Count, a: Read }
    /// The positions of the words from `base` on that are below `a`.
    WhereBelow { dst: WriteMarks, base: ReadBlock, count: Count, a: Read }
    /// The positions of the words from `base` on that are members of `set`.
    WhereIn { dst: WriteMarks, base: ReadBlock, count: Count, set: Read }
    /// All that is in one of the sets from `base` on, of those whose positions are in `of`.
    UnionOf { dst: WriteSet, base: ReadBlock, count: Count, of: ReadMarks, width: Width }
    /// The members of `of`, moved: those that are also in the first of the sets from `base` on by the first of
    /// the `count` numbers behind the sets, and so on.
    UnionMoved { dst: WriteSet, base: ReadMoves, count: Count, of: ReadSet, width: Width }
    /// The cells of the rays from the cell `from`, each up to and with its first in `stop`.
    Sweep { dst: WriteSet, rays: Rays, from: Read, stop: ReadSet, width: Width }
    /// The positions of the sets from `base` on that are within `set`.
    SelectWithin { dst: WriteMarks, base: ReadBlock, count: Count, set: ReadSet, width: Width }
    /// The positions of the sets from `base` on that have a member of `set`.
    SelectMeeting { dst: WriteMarks, base: ReadBlock, count: Count, set: ReadSet, width: Width }
    /// The sum of the words from `base` on whose positions are in `set`; it is known to be a number.
    SumOf { dst: Write, base: ReadBlock, count: Count, set: ReadSet }
    /// How many members there are.
    Count { dst: Write, set: ReadSet, width: Width }
    /// The first member, or none.
    First { dst: Write, set: ReadSet, width: Width }
    /// The last member, or none.
    Last { dst: Write, set: ReadSet, width: Width }
    /// The member with `index` others before it.
    Nth { dst: Write, set: ReadSet, index: Read, width: Width }
    /// Takes the first member out; continues at `to` if there is none.
    Pop { dst: Write, set: ChangeSet, width: Width, to: To }
    /// Takes out the first member from `start` on, in cyclic order; continues at `to` if there is none.
    PopFrom { dst: Write, set: ChangeSet, start: Read, width: Width, to: To }
    /// Takes out the last member up to `start`, in cyclic order; continues at `to` if there is none.
    PopBack { dst: Write, set: ChangeSet, start: Read, width: Width, to: To }

    /// A trap if the set has too many members to iterate all its subsets.
    CheckSubsets { set: ReadSet, width: Width }
    /// Makes of a subset of `of` the next one, in the order in which one counts; continues at `to` if
    /// it was all of it.
    NextSubset { set: ChangeSet, of: ReadSet, width: Width, to: To }
    /// A trap if the set has too many subsets whose sizes lie between the two numbers of `sizes`.
    CheckSized { set: ReadSet, width: Width, sizes: ReadPair }
    /// The first subset of `of` of these sizes; continues at `to` if there is none.
    FirstSized { set: WriteSet, of: ReadSet, width: Width, sizes: ReadPair, to: To }
    /// Makes of a subset the next one of these sizes; continues at `to` if it was the last.
    NextSized { set: ChangeSet, of: ReadSet, width: Width, sizes: ReadPair, to: To }
    /// As `CheckSized`, where of cards with one face in one pile the first ones are taken.
    CheckAlike { set: ReadSet, width: Width, sizes: ReadPair, cards: Cards }
    /// Makes of a subset the next one of these sizes, where of cards with one face in one pile the first ones are taken;
    /// the empty set if it was the last.
    NextAlike { set: ChangeSet, of: ReadSet, width: Width, sizes: ReadPair, cards: Cards }

    // Lists: elements of `bits` bits, the first at the top of the words.

    /// Puts an element behind the last; `none` adds nothing. A trap if there are `most` already.
    Append { list: ChangeSet, member: Read, width: Width, bits: Number, most: Number }
    /// Takes the last element out; continues at `to` if there is none.
    TakeLast { dst: Write, list: ChangeSet, width: Width, bits: Number, to: To }
    /// The element with this number, from 1; a trap if there is none.
    Element { dst: Write, list: ReadSet, index: Read, width: Width, bits: Number }
    /// The element with `index` others before it, or none.
    ElementOrNone { dst: Write, list: ReadSet, index: Read, width: Width, bits: Number }
    /// The last element, or none.
    LastElement { dst: Write, list: ReadSet, width: Width, bits: Number }
    /// How many elements there are.
    Length { dst: Write, list: ReadSet, width: Width, bits: Number }
    /// The number of an element, from 1; 0 if it is not there.
    Find { dst: Write, list: ReadSet, member: Read, width: Width, bits: Number }
    /// The first member of a set after this one, or of all after none; continues at `to` if there is none.
    MemberAfter { member: Change, set: ReadSet, width: Width, to: To }
    /// Continues at `to` if list `a` comes before list `b`.
    JumpBefore { a: ReadSet, b: ReadSet, width: Width, to: To }
    /// Continues at `to` if list `a` does not come after list `b`.
    JumpNotAfter { a: ReadSet, b: ReadSet, width: Width, to: To }

    // Rules.

    /// Continues at `to`, leaving in `link` the site to come back to.
    Call { to: To, link: Write, site: Site }
    /// Continues at the site in `link`.
    Return { link: Read }
    /// Puts the words of a waiting rule aside, before the rule runs again inside itself.
    Push { base: ReadSet, width: Width }
    /// Takes them back.
    Pull { base: WriteSet, width: Width }

    /// Puts the words aside that a supposition may change; they are taken back at `to`. Nothing is said
    /// from here on.
    Suppose { to: To, of: Supposition }
    /// Takes back the words that were put aside last. `dst`, where the value was computed, is not among them:
    /// it was not in use before.
    Unsuppose { dst: WriteSet, width: Width, of: Supposition }

    // Cards. A pile is a number: its place among the piles of its kind.

    /// Moves a card to a pile; a trap if there is none. If `announced` is not 0 all players learn which
    /// one of its pile goes, also those who see neither pile.
    MoveCard { card: Read, to: Read, announced: Number, cards: Cards }
    /// Moves cards to a pile, in no known order.
    MoveCards { set: ReadSet, to: Read, width: Width, announced: Number, cards: Cards }
    /// Moves the first `left` cards of a pile to another, one after the other, as long as chance answers at once and
    /// nobody asks who knows cards. Continues at `exit` once none are left to move.
    Deal { pile: Read, to: Read, left: Change, cards: Cards, exit: To }
    /// Moves all of a pile to another, in its order.
    MovePile { pile: Read, to: Read, cards: Cards }
    /// Nobody knows the order of a pile any more.
    Shuffle { pile: Read, cards: Cards }
    /// How many cards could be the one with `depth` others before it; 0 if there is none.
    Choices { dst: Write, pile: Read, depth: Read, cards: Cards }
    /// One of those cards.
    Candidate { dst: Write, pile: Read, depth: Read, index: Read, cards: Cards }
    /// From here on that card is this one. The players of `seen`, a bit for each, see it; others
    /// do not know any more which of the cards that it could have been lie where.
    Settle { pile: Read, depth: Read, card: Read, seen: Read, cards: Cards }
    /// As `Settle` for a card that leaves the pile at once: its order stays open.
    LoseSight { pile: Read, depth: Read, seen: Read, cards: Cards }
    /// The card at the end of a pile, or none; a trap if that is not decided.
    EndCard { dst: Write, pile: Read, cards: Cards }
    /// The first cards from the end of a pile; a trap if it is not decided which they are.
    EndCards { dst: WriteSet, pile: Read, count: Read, width: Width, cards: Cards }
    /// Of cards with the same face that lie in one pile only the first. If `together` is not 0, all of them lie
    /// in one pile.
    Distinct { dst: WriteSet, set: ReadSet, width: Width, together: Number, cards: Cards }
    /// In place of a card of a set the first of the set that has its face and lies in its pile.
    FirstAlike { card: Change, set: ReadSet, width: Width, cards: Cards }
    /// These players know these cards from here on.
    Learn { set: ReadSet, players: Read, width: Width, cards: Cards }

    // Histories.

    /// Remembers the present values once more.
    Remember { history: History }
    /// Forgets everything.
    Forget { history: History }
    /// How often the present values were remembered.
    Times { dst: Write, history: History }

    // Players and chance.

    /// A loop of turns begins with this seat.
    BeginTurns { seat: Read }
    /// Offers an option with the values that its bindings have, once for each combination of
    /// members of its factors.
    Offer { option: Choice }
    /// Continues at `to` if all moves are tested when they are listed.
    TestNow { to: To }
    /// Offers what a proposal binds, once for each member of its factor; whether that is legal is not tested yet.
    Propose { proposal: Proposal }
    /// The end of the test of a move.
    Tested {}
    /// Offers to decline.
    OfferDecline { option: Choice }
    /// Offers to decline, even if nothing else is legal: only who decides knows whether it is.
    OfferDeclineAnyway { option: Choice }
    /// Offers to decline if nothing else is legal.
    OfferDeclineAlone { option: Choice }
    /// Waits for a decision among what was offered.
    Decide { site: Site }
    /// Waits for one of `outcomes` equally likely outcomes, counted from `low`.
    Draw { dst: Write, outcomes: Read, low: Read, site: Site }

    // Text.

    /// Continues at `to` if nobody listens.
    Quiet { to: To }
    /// Words as they stand.
    Words { text: Text }
    /// A value.
    Print { a: Read, format: Format }
    /// A set.
    PrintSet { set: ReadSet, width: Width, format: Format }
    /// The name of a pile.
    PrintPile { pile: Read, cards: Cards }
    /// Says what was put together, to a player or (none) to all.
    Tell { to_whom: Read }

    // The end.

    /// Nobody wins.
    FinishDraw {}
    /// These players win.
    FinishWin { set: ReadSet, width: Width }
    /// The players in the order of `count` keys; key k of player p is at `base + k * players + p`.
    /// Where `lowest` is 1, the lowest score wins and the first keys are their negatives.
    FinishRanking { base: ReadBlock, count: Count, lowest: Number, width: Width }
    /// The teams in the order of their best keys, laid out like those of a ranking behind the team of each player: a
    /// number, or none for a player alone. `ending` is the [`GameEnding`]; where it has no scores the first key is the set
    /// of winners, and without it everybody loses.
    FinishTeams { base: ReadBlock, count: Count, ending: Number, width: Width }
    /// The end of a rule that was run on its own, or of a text.
    Stop {}
    /// A trap: play has come to its end without `finish`.
    NoFinish {}
}

impl Op {
    /// Whether the operation after it can follow.
    pub(crate) fn falls_through(self) -> bool {
        !matches!(
            self,
            Op::Jump { .. }
                | Op::Again { .. }
                | Op::Return { .. }
                | Op::Stop {}
                | Op::NoFinish {}
                | Op::FinishDraw {}
                | Op::FinishWin { .. }
                | Op::FinishRanking { .. }
                | Op::FinishTeams { .. }
                | Op::Decide { .. }
        )
    }

    /// Whether it computes each word of its result from the words at the same place, and reads them first.
    pub(crate) fn is_by_words(self) -> bool {
        matches!(self, Op::Union { .. } | Op::Common { .. } | Op::Minus { .. })
    }

    /// Whether its result is one word, written after all is read.
    pub(crate) fn is_of_one(self) -> bool {
        matches!(
            self,
            Op::Move { .. }
                | Op::Add { .. }
                | Op::Subtract { .. }
                | Op::Multiply { .. }
                | Op::Least { .. }
                | Op::Greatest { .. }
                | Op::NextPlayer { .. }
                | Op::PreviousPlayer { .. }
                | Op::Load { .. }
        )
    }

    /// The jump that is taken where this one is not.
    ///
    /// # Panics
    /// If it is not a jump with a condition.
    #[must_use]
    pub(crate) fn opposite(self) -> Op {
        match self {
            Op::JumpIf { a, to } => Op::JumpIfNot { a, to },
            Op::JumpEqual { a, b, to } => Op::JumpDifferent { a, b, to },
            Op::JumpLess { a, b, to } => Op::JumpAtMost { a: b, b: a, to },
            Op::JumpAtMost { a, b, to } => Op::JumpLess { a: b, b: a, to },
            Op::JumpHas { set, member, width, to } => Op::JumpLacks { set, member, width, to },
            Op::JumpHasAt { base, index, count, member, to } => {
                Op::JumpLacksAt { base, index, count, member, to }
            }
            Op::JumpIfAt { base, index, count, to } => Op::JumpIfNotAt { base, index, count, to },
            Op::JumpEmpty { set, width, to } => Op::JumpSome { set, width, to },
            Op::JumpSome { set, width, to } => Op::JumpEmpty { set, width, to },
            Op::JumpWithin { a, b, width, to } => Op::JumpNotWithin { a, b, width, to },
            Op::JumpSame { a, b, width, to } => Op::JumpNotSame { a, b, width, to },
            Op::JumpBefore { a, b, width, to } => Op::JumpNotAfter { a: b, b: a, width, to },
            Op::JumpNotAfter { a, b, width, to } => Op::JumpBefore { a: b, b: a, width, to },
            Op::JumpAnyWithin { base, count, set, width, to } => {
                Op::JumpNoneWithin { base, count, set, width, to }
            }
            Op::JumpAnyLine { lines, set, width, to } => Op::JumpNoLine { lines, set, width, to },
            other => panic!("`{}` is no jump with an opposite", other.name()),
        }
    }
}

impl Role {
    pub(crate) fn is_slot(self) -> bool {
        self <= Role::ChangeBlock
    }

    /// Whether all that its slots held is overwritten.
    pub(crate) fn kills(self) -> bool {
        matches!(self, Role::Write | Role::WriteSet | Role::WriteMarks)
    }

    /// Whether what its slots hold may change.
    pub(crate) fn changes(self) -> bool {
        self.kills() || matches!(self, Role::Change | Role::ChangeSet | Role::ChangeBlock)
    }

    /// Whether what its slots hold is read.
    pub(crate) fn reads(self) -> bool {
        self.is_slot() && !self.kills() && self != Role::ChangeBlock
    }
}
