//! Types: what fits where.

use super::{becomes, declared, says};

#[test]
fn what_does_not_fit_is_refused() {
    says("round = yes", &["check::type_mismatch"]);
    says("if n { }", &["check::type_mismatch"]);
    says("let a = n + yes", &["check::type_mismatch"]);
    says("me.best = 3", &["check::type_mismatch"]);
    says("let a = plain(red)", &["check::type_mismatch"]);
    says("finish win n", &["check::type_mismatch"]);
}

#[test]
fn unrelated_values_are_not_compared() {
    says("if n == red { }", &["check::not_comparable"]);
    says("if me.owned < me.owned { }", &["check::not_comparable"]);
    says("if n == none { }", &["check::not_comparable"]);
}

#[test]
fn a_member_stands_for_a_set_of_it() {
    becomes("me.owned += red", "{red}");
    becomes("me.owned -= hue", "{hue}");
    becomes("finish win me", "{me}");
    becomes("let a = me.owned union blue", "let a: set of Colour = me.owned union {blue}");
}

#[test]
fn a_set_of_numbers_needs_a_range() {
    says("let a = {n, 2}", &["check::needs_type"]);
    becomes("let a = {3, 1}", "let a: set of 1..3 = {3, 1}");
    becomes("me.lucky += {1, 2}", "{1, 2}");
    becomes("me.lucky = 2..4", "2..4");
    becomes("let a = 2..4", "let a: set of 2..4 = 2..4");
    becomes("let a = n in {1, round}", "let a: yes/no = n == 1 or n == round");
    says("let a = round + 1 in {1, n}", &[]);
    becomes("let a = n in {1, 4}", "let a: yes/no = match n { 1, 4: yes; else: no }");
}

#[test]
fn values_that_do_not_tell_their_type() {
    says("let a = none", &["check::needs_type"]);
    says("var a = {}", &["check::needs_type"]);
    says("var a: set of Colour = {}", &[]);
    declared("option o = none", &["check::needs_type"]);
    declared("the table has { v = {} }", &["check::needs_type"]);
}

#[test]
fn indices_are_counted() {
    says("let a = worth", &["check::wrong_index_count"]);
    says("let a = on[red, blue]", &["check::wrong_index_count"]);
    says("let a = n[1]", &["check::wrong_index_count"]);
    says("let a = (n + 1)[1]", &["check::not_indexable"]);
    says("let a = pool[3]", &["check::type_mismatch"]);
}

#[test]
fn arguments_are_counted() {
    says("let a = plain()", &["check::wrong_argument_count"]);
    says("let a = next(me, me)", &["check::wrong_argument_count"]);
}

#[test]
fn only_variables_change() {
    says("n = 3", &["check::not_assignable"]);
    says("size = 3", &["check::not_assignable"]);
    says("fast = yes", &["check::not_assignable"]);
    says("worth[red] = 3", &["check::not_assignable"]);
    says("for c in Card { c.cost = 3 }", &["check::not_assignable"]);
    says("turns p from me { p = me }", &["check::not_assignable"]);
    says("reset n", &["check::not_assignable"]);
    says("var a = 1\na = 2", &[]);
}

#[test]
fn dice_and_coins() {
    says("roll round", &["check::not_a_die"]);
    says("roll pool", &["check::wrong_index_count"]);
    becomes("roll pool for c in Colour where c != red", "pool[c]");
    becomes("let a = roll cube", "let a: number = roll cube");
    says("me gains 1 score", &["check::not_a_coin"]);
    becomes("me pays n gold", "me.gold");
    declared("each player has { coin c = yes }", &["check::coin_type"]);
}

#[test]
fn divisions_round() {
    says("let a = n / 2", &["check::division_rounds"]);
    says("let a = ceil(n)", &["check::needs_division"]);
    becomes("let a = floor((n + 1) / 2)", "let a: number = floor((n + 1) / 2)");
}

#[test]
fn only_sets_are_gone_over() {
    says("for a in 3 { }", &["check::not_a_set"]);
    says("let a = count(yes)", &["check::not_a_set"]);
    says("let a = Player from me", &["check::order_lost"]);
    says("for p in Player from me { }", &[]);
    becomes("for a in 1..n { }", "1..n");
}

#[test]
fn a_match_has_each_case_once() {
    says("match n { 1: deed(1) }", &["check::not_exhaustive"]);
    says("match fast { yes: deed(1) }", &["check::not_exhaustive"]);
    says("match hue { red, blue, green: deed(1) }", &["check::not_exhaustive"]);
    says("match hue { red, blue, green: deed(1)\n none: deed(2) }", &[]);
    says("match n { 1..3: deed(1)\n 3: deed(2)\n else: deed(3) }", &["check::duplicate_pattern"]);
    says("match fast { yes, no: deed(1)\n else: deed(2) }", &["check::unreachable"]);
    says("match n { round: deed(1)\n else: deed(2) }", &["check::pattern_not_constant"]);
    says("match n { -2..-1: deed(1)\n 3..2: deed(1)\n else: deed(2) }", &["check::empty_range"]);
}

#[test]
fn branches_of_a_value_agree() {
    becomes(
        "let a = if fast then red else none",
        "let a: maybe Colour = if fast then red else none",
    );
    becomes(
        "let a = match n { 1: red\n else: hue }",
        "let a: maybe Colour = match n { 1: red; else: hue }",
    );
    says("let a = if fast then 1 else red", &["check::type_mismatch"]);
}

#[test]
fn folds_have_types() {
    becomes(
        "let a = highest(c in Card by c.cost)",
        "let a: set of Card = highest(c in Card by c.cost)",
    );
    becomes(
        "let a = first(c in Card: c.cost > 1)",
        "let a: maybe Card = first(c in Card: 1 < c.cost)",
    );
    becomes("let a = {c.gem for c in Card}", "let a: set of Gem = {c.gem for c in Card}");
    becomes("let a = count(me.owned)", "let a: number = count(it in me.owned)");
    says("let a = {c.cost for c in Card}", &["check::needs_type"]);
    says("let a = sum(c in Card: c.gem)", &["check::type_mismatch"]);
}

#[test]
fn a_card_is_in_a_set_of_faces_when_its_face_is() {
    let cards = "kind Suit { hearts, clubs }\nkind Rank { two, three }\nkind Face = Rank, Suit\n\
                 cards Paper of Face\nthe table has { heap: cards hidden = Paper }\n";
    let fine = |condition: &str| {
        declared(&format!("{cards}rule f(c: Paper, m: maybe Paper, d: Paper) = {condition}"), &[]);
    };
    fine("c in {Face(two, hearts), Face(three, clubs)}");
    fine("c not in {Face(two, hearts)} and m in {Face(two, hearts)}");
    fine("c in {f in Face where f.rank == two} and m in {f in Face where f.rank == two}");
    fine("c in {d} and m in {c, d}");
    let wrong = "rule f(c: Paper) = c in {red}";
    declared(&format!("{cards}{wrong}"), &["check::type_mismatch"]);
}
