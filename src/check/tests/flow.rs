//! What happens when: pausing, returning, ending.

use super::{becomes, codes, declared, says};

#[test]
fn what_pauses_stands_alone() {
    says("let a = random 1..6", &[]);
    says("let a = 1 + random 1..6", &["check::must_stand_alone"]);
    says("let a = plain(roll cube)", &["check::must_stand_alone"]);
    says("let a = ask(me)", &[]);
    says("let a = {ask(me)}", &["check::must_stand_alone"]);
    says("turns p from random Player { break }", &[]);
}

#[test]
fn a_value_that_becomes_a_set_is_kept_first() {
    becomes("me.owned = ask(me)", "let it: Colour = ask(me)");
    becomes("for c in random Colour { }", "let it: Colour = random Colour");
}

#[test]
fn conditions_do_nothing() {
    says("if ask(me) == red { }", &["check::condition_not_pure"]);
    says("while random 1..2 == 1 { }", &["check::condition_not_pure"]);
    says("while roll cube == 1 { }", &["check::condition_not_pure"]);
    says("let a = any(c in Colour: ask(me) == c)", &["check::condition_not_pure"]);
    says("say \"{ask(me)}\"", &["check::condition_not_pure"]);
    says("if plain(2) == 3 { }", &[]);
}

#[test]
fn effects_go_through_calls() {
    let rules = "rule a() = b()\nrule b() -> Colour { return c() }\nrule c() = ask(Player.first)\n";
    declared(&format!("{rules}rule d() {{ if a() == red {{ }} }}"), &["check::condition_not_pure"]);
}

#[test]
fn calls_alone_do_something() {
    says("plain(1)", &["check::pure_call"]);
    says("deed(1)\nask(me)", &[]);
    says("let a = deed(1)", &["check::type_mismatch"]);
}

#[test]
fn rules_keep_what_they_promise() {
    declared("rule f(n: number) -> number { if n > 1 { return 2 } }", &["check::missing_return"]);
    declared("rule f(n: number) -> number { if n > 1 { return 2 } else { return 3 } }", &[]);
    declared("rule f(n: number) -> number { match n { 1: return 1\n else: return 2 } }", &[]);
    declared("rule f(n: number) -> number { repeat { if n > 2 { return 1 } } }", &[]);
    declared("rule f() -> number { return }", &["check::return_misfit"]);
    declared("rule f() { return 3 }", &["check::return_misfit"]);
    declared("setup { return 3 }", &["check::return_misfit"]);
}

#[test]
fn types_of_rules_are_found_on_demand() {
    declared("rule f() = g() + 1\nrule g() = 2", &[]);
    declared("rule f(n: number) = if n == 0 then 0 else f(n - 1)", &["check::rule_type_cycle"]);
    declared("rule f(n: number) -> number = if n == 0 then 0 else f(n - 1)", &[]);
    declared("rule f() = none", &["check::needs_type"]);
}

#[test]
fn loops_are_left_from_inside() {
    says("break", &["check::break_outside_loop"]);
    says("repeat { break }", &[]);
    says("while yes { choose me { stop { break } } }", &[]);
}

#[test]
fn what_never_runs_is_pointed_at() {
    says("return\ndeed(1)", &["check::unreachable"]);
    says("repeat { deed(1) }\ndeed(2)", &["check::unreachable"]);
    says("if n > 1 { return } else { finish draw }\ndeed(2)", &["check::unreachable"]);
}

#[test]
fn options_bind_what_they_print() {
    says("choose me { go(a) { } }", &["check::unbound_parameter"]);
    says("choose me { go(a) let a = \"red\" { } }", &["check::parameter_type"]);
    says("choose me { go(a) let a = Colour { } }", &[]);
    says("choose n { go { } }", &["check::type_mismatch"]);
    says("choose me { go(a, b) for a in Colour maybe b in Gem let c = a when c == red { } }", &[]);
    says("choose me { go { } } or stay when ask(me) == red { }", &["check::condition_not_pure"]);
}

#[test]
fn a_game_is_whole() {
    assert_eq!(codes("play { finish draw }"), ["check::no_game"]);
    assert_eq!(codes("game \"T\" { players 2 }"), ["check::no_play"]);
    assert_eq!(codes("game \"T\" { players 2 }\nplay { }"), ["check::never_finishes"]);
    let two = "game \"T\" { players 2 }\nplay { finish draw }\nplay { finish draw }";
    assert_eq!(codes(two), ["check::several"]);
    let limit = "game \"T\" {\n players 2\n limit 9 decisions { }\n}\nplay { finish draw }";
    assert_eq!(codes(limit), ["check::limit_goes_on"]);
}

#[test]
fn players_are_counted() {
    for players in ["0", "3..2", "2..21"] {
        let text = format!("game \"T\" {{ players {players} }}\nplay {{ finish draw }}");
        assert_eq!(codes(&text), ["check::players_range"], "{players}");
    }
}

#[test]
fn a_turn_is_counted_where_it_is_read() {
    let game = |play: &str| {
        let head = "game \"T\" { players 2 }\nthe table has { n = 0 }\n";
        codes(&format!("{head}rule late() = turn > 3\nplay {{\n{play}\nfinish draw\n}}"))
    };
    let none = [""; 0];
    assert_eq!(game("turns p from Player.first { if late() { break } }"), none);
    assert_eq!(game("turns p from Player.first { break }\nif late() { n = 1 }"), none);
    assert_eq!(game("turns p from Player.first where late() { n = turn }"), none);
    assert_eq!(
        game("repeat 3 times { if late() { n = 1 }\nturns p from Player.first { break } }"),
        none
    );
    assert_eq!(game("if late() { n = 1 }"), ["check::no_turn"]);
    assert_eq!(game("for p in Player { n += turn }"), ["check::no_turn", "check::no_turn"]);
    let before = "n = turn\nturns p from Player.first { if late() { break } }";
    assert_eq!(game(before), ["check::no_turn"]);
}
