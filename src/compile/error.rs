//! Errors of a setting whose rules are sound.

use crate::diagnostic::diagnostics;

diagnostics! {
    // A mistake that shows when the rules are specialised for a number of players and options.

    setting::no_value => (reason, setting; span),
        "this has no value{setting}: {reason}", span: "computed here",
        help: "give it a value for every number of players and every option that the file allows";
    setting::no_home => NoHome { card, cards, setting; span },
        "the card `{card}` is in no pile at the beginning{setting}",
        span: "every card must be in a pile",
        help: "let a pile start with all cards: `deck: cards hidden = {cards}`";
    setting::two_homes => (card, setting; span),
        "the card `{card}` is in several piles at the beginning{setting}",
        span: "every card must be in one pile",
        help: "let each card start in one pile; a pile that each player has is several piles";
    setting::empty_range => EmptyRange { low, high, setting; span },
        "the range {low}..{high} is empty{setting}", span: "empty range",
        help: "keep the lower end below the upper one in every setting, for example with `max(…)`";
    setting::long_range => (most, setting; span),
        "this range is too long for a finite type{setting}", span: "used as a finite type",
        help: "an index, a set or a die needs a range of at most {most} numbers, closed above";
    setting::too_many_subsets => TooManySubsets { members, setting; span },
        "a set of {members} members has too many subsets{setting}", span: "{members} members",
        help: "there may be 65536 subsets, as of 16 members: give them a size, `subsets of S of size 3`, or narrow \
            `S`, `subsets of {{x in S where …}}`";
    setting::first_value => FirstValue { value, range, setting; span },
        "the first value {value} is outside {range}{setting}", span: "this gives {value}",
        help: "change the value or widen the range";
    setting::no_member => NoMember { number, range, setting; span },
        "a set of {range} cannot have {number}{setting}", span: "outside of {range}",
        help: "widen the range where the set is declared, or leave the number out";
    setting::no_decisions => (limit, setting; span),
        "the game is over before the first decision{setting}: its limit is {limit}",
        span: "{limit} decisions",
        help: "allow at least one, `limit 1 decisions`; `finish` in `play` ends a game without any";
    setting::too_large => (what, setting; span),
        "the game is too large{setting}: {what}", span: "reached here",
        help: "make kinds, arrays and tables smaller, or divide long rules: a state has at most 32767 \
            numbers, a program 65534 operations";
}
