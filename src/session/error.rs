//! Errors of scripts that the game does not follow.

use crate::diagnostic::diagnostics;

diagnostics! {
    // A step of a script that cannot be made, or an expectation that is not met.

    script::unknown_player => (name, help; span),
        "no player is called `{name}`", span: "this name", help: help;
    script::wrong_player => (name, to_move; span),
        "it is the turn of {to_move}, not of {name}", span: "{to_move} decides here",
        help: "begin the line with `{to_move}>`";
    script::illegal_move => (words, reason, help; span, rule),
        "`{words}` is illegal here: {reason}", span(primary): "this move", rule: "because of this",
        help: help;
    script::unkept => (problem; span, rule),
        "after this step {problem}", span(primary): "after this step", rule: "this does not hold",
        help: "correct the rules, or the `always` condition";
    script::withheld => (; ),
        "this script does not replay as it is written",
        help: "`astragal run` without `--as` shows why, with everything that is hidden";
    script::legal_move => (words; span),
        "`{words}` is legal here", span: "must be illegal",
        help: "`!` says that a move must be illegal; remove the line or correct the rules";
    script::unknown_move => (words, reason, help; span),
        "`{words}` is not a move of this game: {reason}", span: "`!` needs a move that the game knows",
        help: help;
    script::other_reason => (expected, reason; span),
        "the reason does not contain `{expected}`", span: "not in the reason",
        help: "the reason is: {reason}";
    script::open_draw => (events, verb, help; span),
        "the script does not say how {events} {verb}", span: "this is drawn after this step", help: help;
    script::other_event => (event, help; span, step),
        "the chance event here is `{event}`, not this one",
        span(primary): "not what happens", step: "`{event}` happens after this",
        help: help;
    script::unknown_outcome => UnknownOutcome { event, outcome, outcomes; span },
        "`{outcome}` is not an outcome of `{event}`", span: "cannot happen",
        help: "the outcomes are {outcomes}";
    script::unused_event => (words; span),
        "`{words}` never happens", span: "not used",
        help: "no draw uses this line; remove it, or move it above the step that draws";
    script::output => (diff, bless; span),
        "the output is not what the script says", span: "expected here",
        help: "expected (-) and found (+):\n{diff}{bless}";
    script::assertion => (condition, values: Option<String>; span),
        "`{condition}` does not hold", span: "must hold", help: values;
    script::result => (found, expected; span),
        "the result is `{found}`, not `{expected}`", span: "`{found}`";
    script::known_failure => (; span),
        "this passes, although it is a known failure", span: "no longer true",
        help: "remove the line: from now on the script keeps the failure from coming back";
    script::not_over => (to_move; span),
        "the game is not over: {to_move} is to decide", span: "no result yet",
        help: "play on to the end, or remove the line; a script may stop anywhere";
    script::after_end => (result; span),
        "the game is over: {result}", span: "comes too late",
        help: "after the end only `?`, `=` and comments may follow";
    script::after_rule => (; span),
        "the rule that `do` ran has returned, and no decision waits", span: "no decision here",
        help: "after it only `set`, `?` and `do` may follow";
    script::no_seed => (; span),
        "bots need a seed", span: "bots are to play here", help: "add `seed 1` to the header";
    script::unknown_bot => (bot, known; span),
        "there is no bot `{bot}` that always plays the same", span: "not a bot",
        help: "the bots are {known}; time limits such as `200ms` differ between machines";
    script::stopped => (; span),
        "the game stopped after this step because of an error in its rules", span: "this step",
        severity: Advice;
}
