//! Slips and what is said of them.

use super::{Slip, help, known};

fn said(before: &str, found: &str, rest: &str) -> String {
    let slip = Slip {
        base: 0,
        start: before.len(),
        before,
        found,
        rest,
        in_move: false,
        wants_move: false,
        in_names: false,
        in_case: false,
        may_end: true,
        wants_value: true,
    };
    known(&slip).or_else(|| help(&slip)).unwrap_or_default().to_string()
}

#[track_caller]
fn tells(before: &str, found: &str, rest: &str, piece: &str) {
    let said = said(before, found, rest);
    assert!(said.contains(piece), "{before}{rest}: {said}");
}

#[test]
fn lists_are_written_as_the_language_does() {
    tells("kind Colour = ", "{", "{ red }", "`kind Colour { … }`");
    tells("kind Card { slow = 1", ",", ", fast = 2", "slow  1");
    tells("kind Rank { 2", ",", ", 3", "`2..10`");
    tells("kind Gem { ruby red", ",", ", sapphire", "`ruby \"ruby red\"`");
    tells("table points[1..3] = ", "[", "[1, 2]", "`= 5 4 3`");
    tells("game \"A\" {\n  limit 500", "\n", "", "`limit 500 decisions");
    tells("each player ", "{", "{ score = 0 }", "`each player has { … }`");
    tells("the table has { a = 1", ",", ", b = 2 }", "behind `;`");
}

#[test]
fn variables_have_first_values() {
    tells("the table has {\n  face: 1..6", "\n", "", "`face: 1..6 = 1`");
    tells("the table has { who: maybe Player ", "}", "}", "`who: maybe Player = none`");
    tells("rule f() {\n  var last: Pit", "\n", "", "`var last: Pit = Pit.first`");
    tells("the table has { at[Field]: Player ", "or", "or none = none", "`maybe Player`");
    tells("the table has { market: list ", "of", "of Gem = {}", "`set of Gem`");
}

#[test]
fn heads_have_parentheses_and_types() {
    tells("rule take_turn(me", ")", ") {", "`me: Player`");
    tells("rule refill ", "{", "{", "`rule refill()`");
}

#[test]
fn phrases_of_others_are_put_in_words_of_the_language() {
    tells("play {\n  foreach ", "p", "p in Player {", "`for x in S { … }`");
    tells("play {\n  turns me ", "starting", "starting with", "turns me from Player.first");
    tells("play {\n  total += sum(dice[d] ", "for", "for d in left)", "`sum(x in S: E)`");
    tells("play {\n  finish ", "winner", "winner me }", "`finish win me`");
    tells("play {\n  finish ranking by ", "tricks", "tricks", "p by p.tricks");
    tells("play {\n  if stock not ", "empty", "empty {", "`stock != {}`");
    tells("rule f() {\n  a.rank ", ">", "> b.rank }", "`return a.rank > b.rank`");
    tells("play {\n  leader = owner ", "of", "of best", "`best.owner`");
    tells("play {\n  x = score ", "p", "p", "`score(p)`");
}

#[test]
fn what_is_not_known_is_left_to_others() {
    assert_eq!(said("play {\n  let n = 3 ", "4", "4"), "");
    assert_eq!(said("kind A { a, b ", "c", "c }"), "");
}
