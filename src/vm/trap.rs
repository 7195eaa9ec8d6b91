//! Why a run had to stop: mistakes in the rules that only show in play.

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, diagnostics};
use crate::source::Span;

diagnostics! {
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Trap;

    play::overflow => Overflow { span: Span },
        "the result is too large for a number", span: "this grows without end",
        help: "numbers have 64 bits; keep the amounts smaller";
    play::division_by_zero => DivisionByZero { span: Span },
        "division by 0", span: "the divisor is 0 here", help: "test the divisor before dividing";
    play::out_of_range => OutOfRange { value: String, range: String, span: Span },
        "{value} is outside {range}", span: "this would be {value}",
        help: "widen the range where the variable is declared, or keep the value in it, as \
            `min(9, x + 1)` does; where players have the coin, `gains` and `loses` stop at its bounds";
    play::no_such_element => NoSuchElement { value: i64, range: String, span: Span },
        "there is no element {value}: the indices are {range}", span: "this index is outside",
        help: "test the index before using it";
    play::cannot_pay => CannotPay { have: String, cost: String, span: Span },
        "{cost} cannot be paid: only {have} can", span: "this asks for more than there is",
        help: "offer the move only `when` it can be paid, or use `loses`";
    play::negative_amount => NegativeAmount { value: String, span: Span },
        "{value} is no amount", span: "this is below 0 here", help: "an amount is 0 or more";
    play::nothing_legal => NothingLegal { is_any: Option<String>, span: Span },
        "nothing is legal at this decision", span: "every move is ruled out here",
        help: (match is_any {
            Some(is_any) => format!(
                "ask only if there is something to choose: put this and what depends on it into \
                 `if {is_any} {{ … }}`"
            ),
            None => "say what happens then, after the `}` of the options: `else { }`, or \
                     `or pass { }`, which tells everybody that the player passes".to_owned(),
        });
    play::too_many_moves => TooManyMoves { most: usize, span: Span },
        "more than {most} moves are legal at this decision", span: "too many to choose from",
        help: "ask in steps: let one decision pick the first part of a move, and the next one the \
            rest";
    play::empty_draw => EmptyDraw { span: Span },
        "there is nothing to draw from", span: "this is empty here",
        help: "draw only when the set is not empty";
    play::no_card => NoCard { span: Span },
        "there is no card to move", span: "this is `none` here",
        help: "ask first: `if c != none {{ … }}`; of a pile that may be empty move `top 1 of` it";
    play::order_unknown => OrderUnknown { span: Span },
        "nobody knows yet which card lies there", span: "the order of these cards is not known",
        help: "let chance decide: keep it first, `let c = top of deck`, or move it; only what was \
            put there card by card is known";
    play::too_many_subsets => TooManySubsets { members: usize, span: Span },
        "a set of {members} members has too many subsets", span: "{members} members here",
        help: "there may be 65536 subsets, as of 16 members: give them a size, `subsets of S of size 3`, or narrow \
            `S`, `subsets of {{x in S where …}}`";
    play::list_full => ListFull { most: usize, span: Span },
        "this list holds at most {most} elements", span: "one more is added here",
        help: "give the list a longer `up to`, or test its `count` first";
    play::no_such_place => NoSuchPlace { index: i64, length: usize, span: Span },
        "there is no element {index} in a list of {length}", span: "this index is outside",
        help: "elements are numbered from 1 to `count` of the list; `.first` and `.last` are \
            `none` where it is empty";
    play::nothing_to_compare => NothingToCompare { span: Span },
        "there is nothing to compare", span: "the set is empty here",
        help: "`min` and `max` need at least one member; test the set first";
    play::not_one => NotOne { span: Span },
        "the set does not have exactly one member", span: "there is none here, or more than one",
        help: "test `count` of it first; `first(x in S: P)` takes the first of several, and is \
            `none` if there is none";
    play::no_finish => NoFinish { span: Span },
        "`play` ended without `finish`", span: "nothing follows",
        help: "say how the game ends: `finish win …`, `finish draw` or `finish ranking …`";
    play::nobody_wins => NobodyWins { span: Span },
        "`finish win` names nobody", span: "this set is empty here",
        help: "if nobody wins, write `finish draw`";
    play::same_words => SameWords { words: String, span: Span },
        "two different moves read `{words}`", span: "these arguments give both",
        help: "print what distinguishes them: put its name into the parentheses of the move; where cards of several \
            piles read the same, write a move for each pile";
    play::unreadable_move => UnreadableMove { words: String, why: String, span: Span },
        "a move reads `{words}` and cannot be read back: {why}", span: "printed like this",
        help: "print words that can be seen and typed";
    play::endless => Endless { span: Span, steps: u64 },
        "this never ends", span: "still here after {steps} rounds without a decision",
        help: "let the loop end, or ask a player inside it; draws of chance do not count";
    play::too_much_said => TooMuchSaid { limit: usize, span: Span },
        "more than {limit} bytes are said between two decisions",
        span: "reached here",
        help: "say less, or ask a player in between";
    play::too_much_remembered => TooMuchRemembered { most: usize, span: Span },
        "the histories of this game take more than {most} words", span: "one position too many",
        help: "remember only what can come back: `forget` what was before a capture or another move \
            that cannot be undone; name fewer variables";
    play::bot_memory => BotMemory { bot: String, memory: String, span: Span },
        "`{bot}` needs more than {memory} of memory for one decision", span: "it was to decide here",
        help: "let it play fewer games in its head: a smaller number after `mcts:`";
    play::too_deep => TooDeep { most: usize, span: Span },
        "rules that wait for each other need more than {most} words of memory", span: "one call too many",
        help: "a rule that calls itself must stop at some point; where it stops late, a `while` or a `for` does \
            the same without waiting";
}

impl Trap {
    /// Replaces numbers that may be secrets.
    #[must_use]
    pub(crate) fn masked(self) -> Trap {
        let value = "a number".to_owned();
        match self {
            Trap::OutOfRange { range, span, .. } => Trap::OutOfRange { value, range, span },
            Trap::NegativeAmount { span, .. } => Trap::NegativeAmount { value, span },
            Trap::CannotPay { span, .. } => {
                Trap::CannotPay { have: "less".to_owned(), cost: value, span }
            }
            trap => trap,
        }
    }

    pub fn span(&self) -> Span {
        Diagnostic::from(self).place()
    }
}
