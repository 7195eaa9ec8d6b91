//! Names: looking up, declaring twice, shadowing.

use super::{becomes, codes, declared, rule, says, with};

#[test]
fn an_unknown_name_is_reported_without_an_echo() {
    says("let a = unknwn\nlet b = a + 1\nif a { }", &["check::unknown_name"]);
}

#[test]
fn a_missing_declaration_is_reported_once() {
    says("me.silver += 1\nme.silver += 2", &["check::unknown_field"]);
}

#[test]
fn every_slip_is_reported() {
    says("me.scor += 1\nme.scor += 2", &["check::unknown_field", "check::unknown_field"]);
}

#[test]
fn a_mistake_hides_no_other() {
    let text = with("let a = oops\nlet b = 1 + yes\nkind Bad { x, x }");
    assert_eq!(codes(&text), ["check::unknown_name", "check::type_mismatch", "check::duplicate"]);
}

#[test]
fn two_declarations_of_one_name_are_refused() {
    declared("option size = no", &["check::duplicate"]);
    declared("rule plain() = 3", &["check::duplicate"]);
    declared("kind Gem { a }", &["check::duplicate"]);
    declared("the table has { worth = 1 }", &["check::duplicate"]);
}

#[test]
fn players_and_the_table_may_share_a_name() {
    declared("the table has { gold = 1 }", &[]);
}

#[test]
fn words_of_the_language_are_not_declared() {
    declared("rule next(p: Player) = p", &["check::built_in"]);
    declared("kind Player { a }", &["check::built_in"]);
    declared("let turn = 1", &["check::built_in"]);
}

#[test]
fn shadowing_is_refused() {
    says("let n = 1", &["check::shadowed"]);
    says("for round in Colour { }", &["check::shadowed"]);
    says("if n > 1 { let a = 1 } else { let a = 2 }", &[]);
}

#[test]
fn a_member_is_found_by_what_is_expected() {
    becomes("me.best = blue", "blue");
    becomes("let a = any(c in Colour: c == blue)", "let a: yes/no = any(c in Colour: c == blue)");
    becomes("let a = any(c in Colour: blue == c)", "let a: yes/no = any(c in Colour: blue == c)");
    says("let a = blue", &["check::ambiguous_member"]);
    becomes("let a = Gem.blue", "let a: Gem = blue");
    becomes("let a = {red, blue}", "let a: set of Colour = {red, blue}");
}

#[test]
fn an_unknown_member_of_a_named_kind() {
    says("let a = Colour.pink", &["check::unknown_member"]);
    says("let a = Paint.red", &["check::unknown_name"]);
}

#[test]
fn unknown_kinds_rules_and_columns() {
    declared("rule f(p: Paint) = 1", &["check::unknown_kind"]);
    says("let a = fly(1)", &["check::unknown_rule"]);
    says("for c in Card { let a = c.prize }", &["check::unknown_field"]);
}

#[test]
fn declarations_stand_in_any_order() {
    let text = "play { f() }\nrule f() { finish win g() }\nrule g() = Player.last\n\
                let a = b\nlet b = 2\ngame \"T\" { players a_few }";
    assert_eq!(codes(text), ["check::players_range"]);
}

#[test]
fn a_rule_and_a_value_may_share_a_name() {
    assert_eq!(codes(&rule("let plain = plain(2)")), [""; 0]);
}
