//! What people type at the table: words, numbers and beginnings of moves; completion and hints.

use astragal::machinery::session::{Running, complete_line, hint, names_file};

use super::game;
use super::play::{Lines, play_at};

/// A game whose moves are printed so.
fn with_moves(moves: &[&str]) -> Running {
    let option =
        |(name, form): (&str, &&str)| format!("    {name} \"{form}\" {{ say \"Done.\" }}\n");
    let names = ["one", "two", "three", "four", "five", "six"];
    let options: String = names.into_iter().zip(moves).map(option).collect();
    Running::new(game(&format!(
        "game \"Typing\" {{ players 2 }}\n\nplay {{\n  let me = Player.first\n  choose me {{\n\
         {options}  }}\n  finish draw\n}}\n"
    )))
}

/// The move that Ann makes by typing something, or what she is told instead.
fn typed(moves: &[&str], line: &'static str) -> Result<String, Vec<String>> {
    typed_at(with_moves(moves), line)
}

fn typed_at(table: Running, line: &'static str) -> Result<String, Vec<String>> {
    typed_lines(table, &[line])
}

fn typed_lines(table: Running, lines: &[&'static str]) -> Result<String, Vec<String>> {
    let console = Lines { typed: lines.to_vec(), ..Lines::default() };
    let played = play_at(table, ["human", "human"], console, "");
    let made = played.kept.iter().find_map(|line| line.strip_prefix("Ann> "));
    let asked = played.told.iter().position(|told| told == "Ann> ").expect("she was asked");
    made.map(str::to_owned).ok_or_else(|| played.told[asked + 1..].to_vec())
}

fn in_steps(lines: &[&'static str]) -> Result<String, Vec<String>> {
    typed_lines(with_moves(&MOVES), lines)
}

#[test]
fn a_move_is_completed_by_the_next_line() {
    for lines in [["barter", "oak ash"], ["bar", "o a"], ["barter oak", "ash"], ["b o", "4"]] {
        assert_eq!(in_steps(&lines).as_deref(), Ok("barter oak ash"), "{lines:?}");
    }
    let told = in_steps(&["bar", "fly"]).expect_err("no move goes on so");
    let starts = told.iter().position(|line| line == "barter oak …").expect("it was begun");
    assert_eq!(told[starts + 1], "3 elm, 4 ash");
    assert_eq!(told[starts + 2], "Ann> barter oak ");
}

#[test]
fn a_move_that_was_begun_is_broken_off_or_given_up_for_another() {
    for line in ["", ":cancel", "cancel"] {
        let told = in_steps(&["barter", line, "ash"]).expect_err("nothing is begun any more");
        assert!(told.iter().any(|line| line == "nothing is done"), "{told:?}");
    }
    assert_eq!(in_steps(&["barter", "roll again"]).as_deref(), Ok("roll again"));
    assert_eq!(in_steps(&["barter", ":state", "ash"]).as_deref(), Ok("barter oak ash"));
    // The number of a move that begins otherwise was hardly meant.
    assert!(in_steps(&["barter", "6"]).is_err());
}

#[test]
fn in_steps_a_number_is_what_is_printed() {
    let bids = ["6 more", "6 less", "4", "pass"];
    assert_eq!(typed_lines(with_moves(&bids), &["6", "le"]).as_deref(), Ok("6 less"));
    assert!(typed_lines(with_moves(&bids), &["6", "4"]).is_ok_and(|made| made == "4"));
    assert!(typed_lines(with_moves(&bids), &["2"]).is_err());
}

/// A game whose moves name members with titles of several words.
fn with_titles() -> Running {
    Running::new(game(
        r#"game "Titles" { players 2 }

kind Hue {
         title
  red    "Deep Red"
  blue   "Deep Blue"
}

play {
  let me = Player.first
  choose me {
    paint(h, n) for h in Hue for n in 1..2 { say "Done." }
    wash(h) "rinse {h}" for h in Hue { say "Done." }
  }
  finish draw
}
"#,
    ))
}

#[test]
fn titles_and_typed_names_are_both_taken() {
    for (line, label) in [
        ("paint red 2", "paint red 2"),
        ("paint deep red 2", "paint red 2"),
        ("rinse deep blue", "rinse Deep Blue"),
        ("wash blue", "rinse Deep Blue"),
        ("wash deep b", "rinse Deep Blue"),
    ] {
        assert_eq!(typed_at(with_titles(), line).as_deref(), Ok(label), "{line}");
    }
    let lines = ["paint deep", "red", "1"];
    assert_eq!(typed_lines(with_titles(), &lines).as_deref(), Ok("paint red 1"));
}

const MOVES: [&str; 6] =
    ["take 1", "take 10", "barter oak elm", "barter oak ash", "roll", "roll again"];

fn means(line: &'static str) -> Result<String, Vec<String>> {
    typed(&MOVES, line)
}

#[track_caller]
fn tells(moves: &[&str], line: &'static str, sentence: &str) {
    let told = typed(moves, line).expect_err("it is no move");
    assert!(told.iter().any(|told| told == sentence), "{line}: {told:?}");
}

#[test]
fn words_numbers_and_beginnings_mean_moves() {
    for (line, label) in [
        ("barter  oak ash", "barter oak ash"),
        ("5", "roll"),
        ("bar O a", "barter oak ash"),
        ("r", "roll"),
        ("ro ag", "roll again"),
        ("t 1", "take 1"),
        ("t 10", "take 10"),
    ] {
        assert_eq!(means(line).as_deref(), Ok(label), "{line}");
    }
    for line in ["fly", "7", "0", "  "] {
        assert!(means(line).is_err(), "{line}");
    }
}

#[test]
fn what_could_mean_two_moves_means_none() {
    let oaks = ["barter oak elm", "barter oak elder"];
    let both = "that could mean `barter oak elm` and `barter oak elder`";
    tells(&oaks, "b o e", both);
    tells(&oaks, "b o el", both);
    assert_eq!(typed(&oaks, "b o eld").as_deref(), Ok("barter oak elder"));
}

#[test]
fn moves_that_are_refused_are_answered_with_those_like_them() {
    tells(&MOVES, "barter elm oak", "legal here are `barter oak elm` and `barter oak ash`");
    tells(&MOVES, "barter elm ash", "legal here are `barter oak ash` and `barter oak elm`");
}

#[test]
fn only_a_word_that_no_move_has_is_misspelt() {
    tells(&MOVES, "barter oek elm", "did you mean `barter oak elm`?");
    tells(&MOVES, "barter elm elm", "legal here are `barter oak elm` and `barter oak ash`");
}

#[test]
fn where_moves_are_not_numbered_a_number_is_a_printed_form() {
    let bids = ["6", "4 more", "pass"];
    for (line, label) in [("6", "6"), ("4 m", "4 more"), ("pa", "pass")] {
        assert_eq!(typed(&bids, line).as_deref(), Ok(label), "{line}");
    }
    for line in ["4", "2", "1"] {
        assert!(typed(&bids, line).is_err(), "{line}");
    }
}

fn moves() -> Vec<String> {
    ["barter wool oak", "barter wool oak birch", "barter salt oak", "pass"]
        .map(String::from)
        .to_vec()
}

fn go_on(line: &str) -> (usize, Vec<String>) {
    complete_line(line, &moves(), &["Cargo".to_owned(), "barter".to_owned()])
}

fn shown(line: &str) -> Option<(String, bool)> {
    hint(line, (&moves(), true), &["Cargo".to_owned()])
}

#[test]
fn moves_are_completed_word_by_word() {
    assert_eq!(go_on(""), (0, vec!["barter ".to_owned(), "pass".to_owned()]));
    assert_eq!(go_on("bar"), (0, vec!["barter ".to_owned()]));
    assert_eq!(go_on("bar "), (4, vec!["wool ".to_owned(), "salt ".to_owned()]));
    assert_eq!(go_on("bar wo "), (7, vec!["oak ".to_owned()]));
    assert_eq!(go_on("bar wo oak B"), (11, vec!["birch".to_owned()]));
    assert_eq!(go_on("fly "), (4, Vec::new()));
}

#[test]
fn commands_and_what_stands_behind_them_are_completed() {
    assert_eq!(go_on(":au"), (0, vec![":auto".to_owned()]));
    assert_eq!(go_on(":wh"), (0, vec![":why ".to_owned()]));
    assert_eq!(go_on(":why barter sa"), (12, vec!["salt ".to_owned()]));
    assert_eq!(go_on(":help C"), (6, vec!["Cargo".to_owned()]));
    assert_eq!(go_on(":eval C"), (6, vec!["Cargo".to_owned()]));
}

#[test]
fn hints_show_the_rest() {
    assert_eq!(shown("pa"), Some(("ss".to_owned(), true)));
    assert_eq!(shown("bar"), Some(("ter".to_owned(), true)));
    assert_eq!(shown("barter s"), Some(("alt oak".to_owned(), true)));
    assert_eq!(shown("barter wool oak"), None);
    assert_eq!(shown("  "), None);
    assert_eq!(shown("fly"), None);
}

#[test]
fn what_is_short_for_a_move_is_shown_whole() {
    assert_eq!(shown("b s o"), Some(("  barter salt oak".to_owned(), false)));
    assert_eq!(shown("b w"), Some(("  barter wool oak".to_owned(), false)));
    assert_eq!(shown("4"), Some(("  pass".to_owned(), false)));
    assert_eq!(hint("4", (&moves(), false), &[]), None);
}

#[test]
fn hints_say_what_a_command_needs() {
    assert_eq!(shown(":un"), Some(("do [N]".to_owned(), false)));
    assert_eq!(shown(":undo "), Some(("[N]".to_owned(), false)));
    assert_eq!(shown(":help Ca"), Some(("rgo".to_owned(), true)));
    assert_eq!(shown(":x"), None);
}

#[test]
fn names_are_completed_in_expressions_and_files_are_known() {
    let topics = ["stop", "total"].map(String::from);
    for line in ["? Ann.tot", ":eval 1 + tot", "set tot", ":set! tot"] {
        let start = line.len() - 3;
        assert_eq!(complete_line(line, &[], &topics), (start, vec!["total".to_owned()]), "{line}");
    }
    assert!([":load x", "save x", ":test! x"].into_iter().all(names_file));
    assert!(!["test x", ":eval x", ":load"].into_iter().any(names_file));
}
