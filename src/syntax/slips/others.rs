//! What other languages say: loops, names, values and cases, each with its form here.

use super::pattern::{Phrase, Place, mend, mend_rest, say, say_in};

/// Slips of people who know other languages.
pub(super) const OTHERS: &[Phrase] = &[
    say_in(Place::Hole, "^…", ":", "a hole holds a value and nothing else: `{{1}}`"),
    mend(
        "^print|println|echo|puts|printf|log|write|show|tell|announce",
        "\"",
        "a text is said to all:",
        "say {rest}",
    ),
    // Loops
    say(
        "^turns _ from …",
        "backwards|backward|reversed|anticlockwise|counterclockwise",
        "`turns` goes to the next seat only; the other way round is a loop: `var {1} = {2}`, then \
         `repeat { …; {1} = previous({1}) }`",
    ),
    say(
        "^for _ in …",
        "backwards|backward|reversed|descending",
        "`for` goes upwards only; from the last number down: `var {1} = LAST`, then \
         `while {1} >= FIRST { …; {1} -= 1 }`",
    ),
    mend(
        "sum|count|any|all|min|max ( _ in …",
        "for _ in …",
        "a fold has one name, so put one into the other:",
        "{1}({2} in {3}: {1}({4} in {5}))",
    ),
    say(
        "^for _ in …",
        "for _ in …",
        "each name has a loop of its own: `for {1} in {2} { for {3} in {4} { … } }`",
    ),
    say(
        "^… for _ in …",
        "for _ in …",
        "a set has one `for`; collect the members in two loops: `var found: set of KIND = {}`, then \
         `for {2} in {3} { for {4} in {5} { found += {1} } }`",
    ),
    say(
        "^board _ hex|hexagon|hexagonal|hexes",
        "#",
        "there is no hex board: in `board {1} {found} by {found}` a cell has six neighbours if two directions are \
         left out, `neighbours(c, {north, north_east, east, south, south_west, west})`",
    ),
    say("for each|all|every", "player|players", "`for` alone means each: `for p in Player { … }`"),
    say("for each|all|every", "_", "`for` alone means each: `for {rest} { … }`"),
    say_in(
        Place::End,
        "^each",
        "player|players",
        "a loop is written `for p in Player { … }`, with `p.` before what one of them has",
    ),
    say("if|and|or|not|while every|each|all", "_", "whether all do is asked with `all(x in S: …)`"),
    mend(
        "for _ in _",
        "starting|beginning with|at|from …",
        "write",
        "for {1} in {2} from {5} { … }",
    ),
    say(
        "^for _",
        ", _ in …",
        "each name has a loop of its own: `for {1} in {3} { for {2} in {3} { … } }`",
    ),
    say("for _", ", _ in …", "each name has a `for` of its own: `for {1} in {3} for {2} in {3}`"),
    say("^for _", ", …", "each name has a loop of its own: `for {1} in S { for {2} { … } }`"),
    say("for _", ", …", "each name has a `for` of its own: `for a in S for b in S`"),
    mend("for _", "from … to …", "a range has two dots:", "for {1} in {2}..{3}"),
    mend("for _", "= … to …", "a range has two dots:", "for {1} in {2}..{3}"),
    say("for _", "=|from", "numbers are a range with two dots: `for {1} in 1..3`"),
    mend("for … in …", "do|then", "what is done stands in braces:", "{tail} { … }"),
    mend("while …", "do|then", "what is done stands in braces:", "{tail} { … }"),
    say(
        "^loop|forever|do",
        "{",
        "a loop without an end is `repeat { … }`, which `break` leaves; `repeat { … } until P` ends by itself",
    ),
    say("^repeat …", "{", "say `times`: `repeat {1} times { … }`"),
    say("^repeat", "until …", "the condition stands behind the block: `repeat { … } until {1}`"),
    mend("^repeat", "while …", "write", "while {1} { … }"),
    // Conditions and cases
    mend("^unless", "*", "write", "if not ({rest}) { … }"),
    say("^switch|select|case", "*", "cases stand in a `match`: `match {rest} { 1: …; else: … }`"),
    mend("^…", "{|->", "a colon follows a case:", "{tail}: { … }").in_place(Place::Case),
    say(
        "^_ :",
        "for|repeat|while",
        "a case that gives a value is one expression, without a loop: `sum(n in 1..6 where P: E)` goes \
         over a set",
    ),
    say_in(Place::Case, "^case", "*", "a case has no word of its own: `{rest}: …`"),
    mend("_ =|+=|-= …", "if …", "the condition comes first:", "if {4} { {1} {2} {3} }")
        .in_place(Place::End),
    say("if|while|and|or|not … == _", ", …", "one of several is `in` a set: `{2} in {{3}, {4}}`"),
    // Names
    say(
        "^function|def|func|fn|procedure",
        "_",
        "rules are declared outside of all others: `rule {rest} { … }`",
    ),
    say("^const|constant|local", "_", "write `let {rest}`, or `var {rest}` if it changes"),
    say(
        "^int|integer|num|number|bool|boolean|float|string",
        "_",
        "write `let {rest}`, or `var {rest}` if it changes",
    ),
    say_in(
        Place::End,
        "^_",
        ": …",
        "a name in a rule begins with `let`, or with `var` if it changes: `var {1}: {2}`",
    ),
    say("let _ = next", "player", "write `next(me)`"),
    say("^let …", ", …", "each name has a `let` of its own: `{tail}; let {2}`"),
    say("^var …", ", …", "each name has a `var` of its own: `{tail}; var {2}`"),
    mend("^var|let _", "\\n", "write its first value too:", "{1} {2} = 0"),
    // Values
    say_in(
        Place::Variable,
        "^_ =",
        "[ ]",
        "say what it holds, in braces: `{1}: set of Colour = {}`",
    ),
    mend_rest("in|=|+=|-=|==|!=", "[ ]", "the empty set is", "{}"),
    mend_rest("in|=|+=|-=|==|!=", "[ … ]", "a set stands in braces:", "{{2}}"),
    mend("#", "to …", "a range has two dots:", "{1}..{2}"),
    say("#", "( …", "`*` multiplies: `{1} * {rest}`"),
    say("_ not", "within …", "`not` stands in front: `not ({1} within {2})`"),
    mend(
        "_",
        "contains|includes|has …",
        "whether something is in a set is asked from its side:",
        "{3} in {1}",
    ),
    mend("_", "between … and …", "write", "{1} in {2}..{3}"),
    mend(
        "any|all|count|sum|min|max|first|last ( … in …",
        ", …",
        "a colon stands before what is asked of each:",
        "{1}({2} in {3}: {4})",
    ),
    say(
        "any|all|count ( …",
        "where …",
        "each member needs a name, and `x.` before what it has: `{1}(x in {2}: …)`",
    ),
    say(
        "sum|min|max ( …",
        "where …",
        "each member needs a name, and `x.` before what it has: `{1}(x in {2} where …: …)`",
    ),
    say(
        "highest|lowest ( … by …",
        "where …",
        "`where` stands behind the set: `{1}({2} where {4} by {3})`",
    ),
    mend("highest|lowest ( _", "by _", "each member needs a name:", "{1}(p in {2} by p.{3})"),
    say("^say …", ", …", "values stand in holes of the text: `say \"… {{2}}\"`"),
    mend("_ ( _", ": _", "a call has values, without their types:", "{1}({2})"),
];
