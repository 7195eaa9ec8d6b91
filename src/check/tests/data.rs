//! Drawn data, options, constants, state.

use super::{codes, declared};

#[test]
fn columns_find_their_types() {
    declared("kind T {\n    a  b\n x  1  yes\n y  2  3\n}", &["check::mixed_cells"]);
    declared("kind T {\n    a\n x  blue\n}", &["check::ambiguous_cells"]);
    declared("kind T {\n    a: Gem\n x  blue\n}", &[]);
    declared("kind T {\n    a\n x  pink\n}", &["check::unknown_cell"]);
    declared("kind T {\n    a\n x  -\n}", &["check::needs_type"]);
    declared("kind T {\n    a: Gem\n x  red\n}", &["check::unknown_member"]);
    declared("kind T {\n    a: Gem\n x  3\n}", &["check::wrong_cell"]);
    declared("kind T {\n    a: 1..3\n x  4\n}", &["check::wrong_cell"]);
}

#[test]
fn rows_have_a_cell_for_each_heading() {
    declared("kind T {\n    a  b\n x  1\n}", &["check::row_length"]);
    declared("kind T {\n    a  b=2\n x  1\n y  1  3\n}", &[]);
    declared("table t[Colour] = 1 2", &["check::row_length"]);
    declared("table t[1..3] = 1 2 3", &[]);
    declared("table t[Player] = 1 2 3 4", &[]);
}

#[test]
fn drawn_tables_are_complete() {
    let table = |rows: &str| format!("table t[Gem, 1..2] {{\n       2 1\n{rows}\n}}");
    declared(&table(" ruby  1 2\n blue 3 4"), &[]);
    declared(&table(" ruby  1 2"), &["check::missing_row"]);
    declared(&table(" ruby  1 2\n ruby 3 4\n blue 1 2"), &["check::duplicate_row"]);
    declared(&table(" ruby  1 2\n pink 3 4"), &["check::unknown_member"]);
    declared("table t[Gem, Colour] = 1 2", &["check::table_shape"]);
}

#[test]
fn a_column_headed_title_gives_titles() {
    let text = super::with("kind T {\n    title\n x  \"The X\"\n}");
    let rules = super::checked(&text).0.expect("the game is fine");
    let kind = rules.kinds.iter().find(|kind| kind.name == "T").expect("it is declared");
    assert!(kind.columns.is_empty());
    assert_eq!(kind.members[0].title, "The X");
}

#[test]
fn kinds_are_neither_empty_nor_endless() {
    declared("kind T { }", &["check::empty_kind"]);
    declared("the table has { seen[1..100000] = no }", &["check::too_many_members"]);
}

#[test]
fn constants_need_only_constants() {
    declared("let a = round", &["check::not_constant"]);
    declared("let a = plain(1)", &["check::not_constant"]);
    declared("let a = count(c in Colour: worth[c] != none) + players", &[]);
    declared("let a = b + 1\nlet b = a", &["check::constant_cycle"]);
    declared("option a: 1..b = 1\noption b: 1..a = 1", &["check::constant_cycle"]);
}

#[test]
fn options_can_be_set_by_people() {
    declared("option a = \"text\"", &["check::option_type"]);
    declared("option a = {red}", &["check::option_type"]);
    declared("option a: {short, long} = short", &[]);
}

#[test]
fn types_are_checked_where_they_stand() {
    declared("the table has { a: set of number = {} }", &["check::not_finite"]);
    declared("the table has { a: set of 0.. = {} }", &["check::not_finite"]);
    declared("the table has { a[number] = 0 }", &["check::not_finite"]);
    declared("rule f(a: maybe set of Colour) = 1", &["check::nested_type"]);
    declared("the table has { die d = 6..1 }", &["check::empty_range"]);
    declared("the table has { e = \"text\" }", &["check::not_storable"]);
    declared("the table has { die d = blue blue }", &["check::ambiguous_cells"]);
    declared("the table has { die d = blue red }", &[]);
}

#[test]
fn equal_ranges_and_unnamed_kinds_are_one() {
    let text = super::with(
        "option a: {up, down} = up\noption b: {up, down} = down\n\
         the table has { s: set of 1..6 = {} \n t: set of 1..6 = {} }\n\
         rule f() { if a == b { s = t } }",
    );
    assert_eq!(codes(&text), [""; 0]);
}

#[test]
fn first_values_read_their_indices() {
    declared("each player has { hit[c in Colour] = worth[c] == none }", &[]);
    declared("each player has { hit[c in Colour, c in Gem] = no }", &["check::duplicate"]);
}

#[test]
fn titles_have_no_holes() {
    declared("option a = no \"{size}\"", &["check::holes_in_title"]);
}
