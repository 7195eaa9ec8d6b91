//! What a script expects and the game does not do.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// A step of a script that cannot be made, or an expectation that is not met.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum RunError {
    /// The line names somebody who does not play.
    #[error("nobody here is called `{name}`")]
    #[diagnostic(code(script::unknown_player))]
    UnknownPlayer {
        /// The name.
        name: String,
        /// Who plays, or whom it resembles.
        #[help]
        help: String,
        /// The name's place.
        #[label("this name")]
        span: Span,
    },
    /// Another player is to decide.
    #[error("it is the turn of {to_move}, not of {name}")]
    #[diagnostic(code(script::wrong_player), help("begin the line with `{to_move}>`"))]
    WrongPlayer {
        /// Who is named.
        name: String,
        /// Who is to decide.
        to_move: String,
        /// The name's place.
        #[label("{to_move} decides here")]
        span: Span,
    },
    /// The move is not legal.
    #[error("`{words}` is illegal here: {reason}")]
    #[diagnostic(code(script::illegal_move))]
    IllegalMove {
        /// The move as it was written.
        words: String,
        /// Why it is illegal.
        reason: String,
        /// The nearest legal move, or what else helps.
        #[help]
        help: Option<String>,
        /// The move's place.
        #[label(primary, "this move")]
        span: Span,
        /// The condition that failed.
        #[label("because of this")]
        rule: Option<Span>,
    },
    /// Something that must always hold does not.
    #[error("after this step {problem}")]
    #[diagnostic(code(script::unkept), help("repair the rules, or let them promise less"))]
    Unkept {
        /// What does not hold, with its values.
        problem: String,
        /// The step that led there.
        #[label(primary, "behind this step")]
        span: Span,
        /// What was promised.
        #[label("this does not hold")]
        rule: Option<Span>,
    },
    /// Something is wrong with a script of which a player may see only a part.
    #[error("this script does not go as it is written")]
    #[diagnostic(
        code(script::withheld),
        help("`astragal run` without `--as` says why, to whoever may see everything")
    )]
    Withheld {},
    /// A move that must be illegal is legal.
    #[error("`{words}` is legal here")]
    #[diagnostic(
        code(script::legal_move),
        help("`!` says that a move must be illegal; remove the line or repair the rules")
    )]
    LegalMove {
        /// The move.
        words: String,
        /// Its place.
        #[label("must be illegal")]
        span: Span,
    },
    /// A move that must be illegal is none that the game knows.
    #[error("`{words}` is no move of this game: {reason}")]
    #[diagnostic(code(script::unknown_move))]
    UnknownMove {
        /// The move as it was written.
        words: String,
        /// What is wrong with its words.
        reason: String,
        /// What was meant.
        #[help]
        help: String,
        /// The move's place.
        #[label("`!` needs a move that the game knows")]
        span: Span,
    },
    /// A move is illegal for another reason.
    #[error("the reason does not contain `{expected}`")]
    #[diagnostic(code(script::other_reason), help("the reason is: {reason}"))]
    OtherReason {
        /// What it must contain.
        expected: String,
        /// The reason.
        reason: String,
        /// The place of what it must contain.
        #[label("not in the reason")]
        span: Span,
    },
    /// Neither a line nor a seed says how a draw ends.
    #[error("nothing says how {events} {verb}")]
    #[diagnostic(code(script::open_draw))]
    OpenDraw {
        /// The event, or those of all dice that are rolled together.
        events: String,
        /// Whether one `ends` or several `end`.
        verb: &'static str,
        /// The lines to add.
        #[help]
        help: String,
        /// The step that made it due.
        #[label("this is drawn after this step")]
        span: Span,
    },
    /// The next line of chance names another event.
    #[error("the chance event here is `{event}`, not this one")]
    #[diagnostic(code(script::other_event))]
    OtherEvent {
        /// What to write.
        #[help]
        help: String,
        /// The event that happens.
        event: String,
        /// The line that names another.
        #[label(primary, "not what happens")]
        span: Span,
        /// The step that made the event due.
        #[label("`{event}` happens after this")]
        step: Span,
    },
    /// The line of chance names no outcome of its event.
    #[error("`{outcome}` is no outcome of `{event}`")]
    #[diagnostic(code(script::unknown_outcome), help("the outcomes are {outcomes}"))]
    UnknownOutcome {
        /// The event.
        event: String,
        /// What was asked for.
        outcome: String,
        /// Its outcomes.
        outcomes: String,
        /// The line.
        #[label("cannot happen")]
        span: Span,
    },
    /// A line of chance that nothing asked for.
    #[error("`{words}` never happens")]
    #[diagnostic(
        code(script::unused_event),
        help("no draw was left for this line; remove it, or move it above the step that draws")
    )]
    UnusedEvent {
        /// The event and its outcome.
        words: String,
        /// Their place.
        #[label("not used")]
        span: Span,
    },
    /// What was said differs from what the script says.
    #[error("the output is not what the script says")]
    #[diagnostic(code(script::output), help("expected (-) and found (+):\n{diff}{bless}"))]
    Output {
        /// The lines of both, marked.
        diff: String,
        /// What `--bless` could do about it.
        bless: &'static str,
        /// The expected lines.
        #[label("expected here")]
        span: Span,
    },
    /// A condition does not hold.
    #[error("`{condition}` does not hold")]
    #[diagnostic(code(script::assertion))]
    Assertion {
        /// The condition.
        condition: String,
        /// Its parts with their values.
        #[help]
        values: Option<String>,
        /// Its place.
        #[label("must hold")]
        span: Span,
    },
    /// The result differs.
    #[error("the result is `{found}`, not `{expected}`")]
    #[diagnostic(code(script::result))]
    Result {
        /// What `--bless` could do about it.
        #[help]
        bless: Option<&'static str>,
        /// The result of the game.
        found: String,
        /// What the script says.
        expected: String,
        /// Its place.
        #[label("`{found}`")]
        span: Span,
    },
    /// A result is given before the end.
    #[error("the game is not over: {to_move} is to decide")]
    #[diagnostic(
        code(script::not_over),
        help("play on to the end, or remove the line; a script may stop anywhere")
    )]
    NotOver {
        /// Who is to decide.
        to_move: String,
        /// The place of the result.
        #[label("no result yet")]
        span: Span,
    },
    /// A step stands below the end of the game.
    #[error("the game is over: {result}")]
    #[diagnostic(
        code(script::after_end),
        help("after the end only `?`, `=` and comments may follow")
    )]
    AfterEnd {
        /// The result.
        result: String,
        /// The step.
        #[label("comes too late")]
        span: Span,
    },
    /// A step stands below a rule that was run by `do` and has returned.
    #[error("the rule that `do` ran has returned, and no decision waits")]
    #[diagnostic(code(script::after_rule), help("after it only `set`, `?` and `do` may follow"))]
    AfterRule {
        /// The step.
        #[label("no decision here")]
        span: Span,
    },
    /// Bots are to play, but the script has no seed.
    #[error("bots need a seed")]
    #[diagnostic(code(script::no_seed), help("add `seed 1` to the header"))]
    NoSeed {
        /// The line.
        #[label("bots are to play here")]
        span: Span,
    },
    /// Says which step of the script made the rules stop.
    #[error("the rules could not go on after this step of the script")]
    #[diagnostic(code(script::stopped), severity(Advice))]
    Stopped {
        /// The step.
        #[label("this step")]
        span: Span,
    },
}

/// A move that a person typed and a condition of the rules forbids.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
#[error("{message}")]
pub(super) struct Refused {
    /// Why it is illegal.
    pub(super) message: String,
    /// The nearest legal move, or what else helps.
    #[help]
    pub(super) help: Option<String>,
    /// The condition.
    #[label("because of this")]
    pub(super) span: Span,
}

impl RunError {
    /// Whether writing what was found into the script repairs it.
    pub(super) fn can_be_blessed(&self) -> bool {
        matches!(self, RunError::Output { .. } | RunError::Result { .. })
    }

    /// The same, told to somebody who can have what was found written into the script.
    pub(super) fn with_a_blessing(mut self) -> RunError {
        match &mut self {
            RunError::Output { bless, .. } => {
                *bless = "\nif what was found is right, `run --bless` writes it into the script";
            }
            RunError::Result { bless, .. } => {
                *bless = Some("if that is right, `run --bless` writes it into the script");
            }
            _ => {}
        }
        self
    }
}
