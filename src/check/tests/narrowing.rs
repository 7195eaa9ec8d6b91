//! What is known not to be `none`.

use super::says;

const NEEDS_CHECK: &[&str] = &["check::may_be_none"];

#[test]
fn a_maybe_is_checked_before_it_is_used() {
    says("let a = worth[hue]", NEEDS_CHECK);
    says("if hue != none { let a = worth[hue] }", &[]);
    says("if hue == none { return }\nlet a = worth[hue]", &[]);
    says("if hue == none { deed(1) }\nlet a = worth[hue]", NEEDS_CHECK);
    says("if hue != none { deed(1) } else { let a = worth[hue] }", NEEDS_CHECK);
}

#[test]
fn other_conditions_tell_too() {
    says("if hue in me.owned { let a = worth[hue] }", &[]);
    says("if hue == red { let a = worth[hue] }", &[]);
    says("if hue != red { let a = worth[hue] }", NEEDS_CHECK);
    says("if hue == none or n > 2 { return }\nlet a = worth[hue]", &[]);
    says("if hue == none and n > 2 { return }\nlet a = worth[hue]", NEEDS_CHECK);
    says("if not (hue == none) and worth[hue] == 1 { }", &[]);
    says("if hue == none or worth[hue] == 1 { }", &[]);
    says("if hue != none or worth[hue] == 1 { }", NEEDS_CHECK);
    says("let a = if hue != none then worth[hue] else none", &[]);
}

#[test]
fn columns_and_cells_are_known_too() {
    says("for c in Card where c.gem != none { let a = {c.gem}\nvar g = ruby\ng = c.gem }", &[]);
    says("for c in Card { var g = ruby\ng = c.gem }", NEEDS_CHECK);
    says("if worth[red] != none { let a = worth[red] + 1 }", &[]);
    says("if worth[red] != none { let a = worth[blue] + 1 }", NEEDS_CHECK);
    says("if cap != none { let a = cap + 1 }", &[]);
}

#[test]
fn what_may_change_is_not_known() {
    says("if me.best != none { let a = worth[me.best] }", NEEDS_CHECK);
    says("var a = hue\nif a != none { let b = worth[a] }", NEEDS_CHECK);
    says("let a = me.best\nif a != none { let b = worth[a] }", &[]);
}

#[test]
fn loops_and_cases_tell() {
    says("while hue == none { deed(1) }\nlet a = worth[hue]", &[]);
    says("while hue == none { break }\nlet a = worth[hue]", NEEDS_CHECK);
    says("match hue { none: return\n else: round = plain(if worth[hue] == 1 then 1 else 2) }", &[]);
    says("match hue { red: round = plain(if worth[hue] == 1 then 1 else 2)\n else: return }", &[]);
}

#[test]
fn clauses_of_a_move_tell_those_behind_them() {
    says("choose me { go when hue != none let a = worth[hue] { let b = worth[hue] } }", &[]);
    says("choose me { go(c) maybe c in Colour where worth[c] == 1 { } }", &[]);
    says("choose me { go(c) maybe c in Colour { let a = worth[c] } }", NEEDS_CHECK);
    says("choose me { go { } } or stay when hue != none { let a = worth[hue] }", &[]);
}

#[test]
fn none_may_be_asked_of_twice() {
    says("if hue != none { if hue != none { deed(1) } }", &[]);
}
