//! What a script expects and the game does not do.

use crate::diagnostic::diagnostics;
use crate::source::Span;

diagnostics! {
    /// A step of a script that cannot be made, or an expectation that is not met.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum RunError;

    script::unknown_player => UnknownPlayer { name: String, help: String, span: Span },
        "no player is called `{name}`", span: "this name", help: help;
    script::wrong_player => WrongPlayer { name: String, to_move: String, span: Span },
        "it is the turn of {to_move}, not of {name}", span: "{to_move} decides here",
        help: "begin the line with `{to_move}>`";
    script::illegal_move => IllegalMove {
        words: String, reason: String, help: Option<String>, span: Span, rule: Option<Span>,
    },
        "`{words}` is illegal here: {reason}", span(primary): "this move", rule: "because of this",
        help: help;
    script::unkept => Unkept { problem: String, span: Span, rule: Option<Span> },
        "after this step {problem}", span(primary): "after this step", rule: "this does not hold",
        help: "correct the rules, or the `always` condition";
    script::withheld => Withheld,
        "this script does not replay as it is written",
        help: "`astragal run` without `--as` shows why, with everything that is hidden";
    script::legal_move => LegalMove { words: String, span: Span },
        "`{words}` is legal here", span: "must be illegal",
        help: "`!` says that a move must be illegal; remove the line or correct the rules";
    script::unknown_move => UnknownMove { words: String, reason: String, help: String, span: Span },
        "`{words}` is not a move of this game: {reason}", span: "`!` needs a move that the game knows",
        help: help;
    script::other_reason => OtherReason { expected: String, reason: String, span: Span },
        "the reason does not contain `{expected}`", span: "not in the reason",
        help: "the reason is: {reason}";
    script::open_draw => OpenDraw { events: String, verb: &'static str, help: String, span: Span },
        "the script does not say how {events} {verb}", span: "this is drawn after this step", help: help;
    script::other_event => OtherEvent { help: String, event: String, span: Span, step: Span },
        "the chance event here is `{event}`, not this one",
        span(primary): "not what happens", step: "`{event}` happens after this",
        help: help;
    script::unknown_outcome => UnknownOutcome {
        event: String, outcome: String, outcomes: String, span: Span,
    },
        "`{outcome}` is not an outcome of `{event}`", span: "cannot happen",
        help: "the outcomes are {outcomes}";
    script::unused_event => UnusedEvent { words: String, span: Span },
        "`{words}` never happens", span: "not used",
        help: "no draw uses this line; remove it, or move it above the step that draws";
    script::output => Output { diff: String, bless: &'static str, span: Span },
        "the output is not what the script says", span: "expected here",
        help: "expected (-) and found (+):\n{diff}{bless}";
    script::assertion => Assertion { condition: String, values: Option<String>, span: Span },
        "`{condition}` does not hold", span: "must hold", help: values;
    script::result => Result {
        bless: Option<&'static str>, found: String, expected: String, span: Span,
    },
        "the result is `{found}`, not `{expected}`", span: "`{found}`", help: bless;
    script::not_over => NotOver { to_move: String, span: Span },
        "the game is not over: {to_move} is to decide", span: "no result yet",
        help: "play on to the end, or remove the line; a script may stop anywhere";
    script::after_end => AfterEnd { result: String, span: Span },
        "the game is over: {result}", span: "comes too late",
        help: "after the end only `?`, `=` and comments may follow";
    script::after_rule => AfterRule { span: Span },
        "the rule that `do` ran has returned, and no decision waits", span: "no decision here",
        help: "after it only `set`, `?` and `do` may follow";
    script::no_seed => NoSeed { span: Span },
        "bots need a seed", span: "bots are to play here", help: "add `seed 1` to the header";
    script::unknown_bot => UnknownBot { bot: String, known: String, span: Span },
        "there is no bot `{bot}` that always plays the same", span: "not a bot",
        help: "the bots are {known}; time limits such as `200ms` differ between machines";
    script::stopped => Stopped { span: Span },
        "the game stopped after this step because of an error in its rules", span: "this step",
        severity: Advice;
}
