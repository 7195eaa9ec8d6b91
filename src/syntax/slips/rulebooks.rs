//! What rulebooks say: ends, turns, decisions, moves and dice, each with its form here.

use super::pattern::{Phrase, Place, mend, say, say_in};

const ENDS: &str =
    "a game ends with `finish win me`, `finish draw` or `finish ranking p by p.points`";
const GOES_ON: &str = "nothing has to be said: where the statements of a turn end, `turns` goes on \
                       to the next player; a loop inside of the turn is left with `break`";
const AT_ONCE: &str = "all of them decide at once with `choose each p in Player { … }`";

/// Slips of people who know rulebooks.
pub(super) const RULEBOOKS: &[Phrase] = &[
    // Games
    say_in(Place::Game, "^game", "_", "a title stands in quotes: `game \"{found}\" { players 2 }`"),
    mend("players", ": …", "take out the colon:", "players {1}").in_place(Place::Game),
    // Ends
    mend("^win|wins|winner|victory", "_|{", "a game ends with", "finish win {rest}"),
    mend("^_", "wins|won", "a game ends with", "finish win {1}"),
    mend("^finish win", "\\n", "say who wins:", "finish win me"),
    mend(
        "^finish win highest|most|lowest",
        "_",
        "write",
        "finish win highest(p in Player by p.{found})",
    ),
    say(
        "^finish win _",
        "with|who|whose|that",
        "who has the most wins with `finish win highest(p in Player by p.points)`",
    ),
    mend("^finish", "highest|most|lowest _", "write", "finish win {1}(p in Player by p.{2})"),
    mend("^finish ranking _", "in … by …", "all players are ranked:", "finish ranking {1} by {3}"),
    mend(
        "^finish ranking …",
        "then|and …",
        "a comma stands between the keys:",
        "finish ranking {1}, {3}",
    ),
    say("^end|game", "draw|in|as", "a game ends with `finish draw` if nobody wins"),
    say("^end|pass|next", "turn|player|seat|round|phase", GOES_ON),
    say("^end|game|stop", "_", ENDS),
    // Cards
    say(
        "^move all|every|each",
        "*",
        "which cards are moved stands in braces: `move {c in me.hand where c.face == ace} to discard`",
    ),
    // Changes
    mend("^add|put|insert", "… to|into|in …", "write", "{4} += {2}"),
    mend("^remove|take|delete|subtract", "… from …", "write", "{3} -= {2}"),
    mend("^increase|raise", "… by …", "write", "{2} += {3}"),
    mend("^decrease|reduce|lower", "… by …", "write", "{2} -= {3}"),
    mend("^set", "… to|= …", "write", "{1} = {3}"),
    say("the", "_", "leave out `the`: `{rest}`"),
    mend("count", "players", "how many play is", "players"),
    mend("number|amount", "of players", "how many play is", "players"),
    mend("number|amount", "of …", "how many there are is", "count({2})"),
    // Decisions
    mend("choose _", "from …", "name what is picked:", "choose {1} pick from {2}"),
    say("choose _", "#", "name what is picked, and say `from`: `choose {1} pick from {rest}`"),
    say("choose _ _", "#", "say `from`: `choose {1} {2} from {rest}`"),
    say("choose each|all|every player|players", "*", AT_ONCE),
    say("choose player _", "{|\"", "who is asked stands behind `choose` alone: `choose {1} { … }`"),
    say("choose _ [ …", "{", "moves stand in braces: `choose {1} { {2} { … } }`"),
    say(
        "^_",
        "chooses|picks|decides|selects",
        "who decides stands behind `choose`: `choose {1} { … }`",
    ),
    mend("^ask|prompt", "_", "write", "choose {rest} { … }"),
    // Moves
    mend("", "for … in …", "a move begins with its name:", "pick({1}) for {1} in {2} { … }")
        .in_place(Place::Move),
    say_in(
        Place::Move,
        "",
        "if …",
        "a move begins with its name, and `when` says when it is legal: `act when {1} { … }`",
    ),
    mend("", "\"", "a move begins with its name, and its text follows:", "act {rest} { … }")
        .in_place(Place::Move),
    say_in(
        Place::Head,
        "^_",
        "_ <|<=|>|>=|==|!= …",
        "`when` says when a move is legal: `{1} when {rest} { … }`",
    ),
    say_in(Place::Head, "^…", "if …", "`when` says when a move is legal: `{1} when {2} { … }`"),
    say_in(
        Place::Head,
        "^…",
        "unless …",
        "`when` says when a move is legal: `{1} when not ({2}) { … }`",
    ),
    mend("^_", ": …|:", "what happens stands in braces:", "{1} { … }").in_place(Place::Head),
    mend("^…", ":|->|=", "what happens stands in braces:", "{1} { … }").in_place(Place::Head),
    say_in(
        Place::Names,
        "_ ( …",
        ": _",
        "only names stand here, and `for` follows: `{1}({last}) for {last} in {3}`",
    ),
    say_in(
        Place::Names,
        "_ ( …",
        ":",
        "only names stand here, and `for` says what they can be: `{1}({last}) for {last} in S`",
    ),
    say_in(
        Place::Names,
        "_ ( …",
        "in …",
        "only names stand here, and `for` follows: `{1}({last}) for {last} in {3}`",
    ),
    // Dice
    say_in(
        Place::Variable,
        "^dice _",
        "= …",
        "`die {1} = {2}` is one die, `dice {1} for Colour = {2}` one for each member",
    ),
    mend("^dice _", "[ # ] …", "write", "die {1}[1..{2}] {3}").in_place(Place::Variable),
    mend("^dice _", "[ … ] …", "write", "die {1}[{2}] {3}").in_place(Place::Variable),
    say_in(
        Place::Variable,
        "^die _ [ #",
        "]",
        "in `[ ]` stands what there is one for each of: `die {1}[1..{2}]`",
    ),
    say_in(
        Place::Variable,
        "^_ [ #",
        "]",
        "in `[ ]` stands what there is one for each of: `{1}[1..{2}]`",
    ),
    mend("^die|dice _", "#", "a sign is missing:", "die {2} = {rest}").in_place(Place::Variable),
    // Boards, kinds and variables
    mend("^board _ #", "x|X|× #", "a board has columns and rows:", "board {1} {2} by {4}"),
    say(
        "^kind _ =",
        "#",
        "members are names, `kind {1} { two, three, jack }`; numbers alone need no kind: write the \
         range, `1..4`, in its place",
    ),
    say_in(
        Place::Variable,
        "^_",
        "\\n",
        "write its first value: `{1} = 0`, `{1} = no` or `{1}: maybe Player = none`",
    ),
];
