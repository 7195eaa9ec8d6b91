//! The prompt on a screen, as a line editor: lines typed ahead, keys, sizes, what comes back.

use std::process::Child;

use crate::commands::state;
use crate::support::terminal::{Terminal, at_terminal, at_terminal_called};
use crate::support::{empty_folder, root};

const TICE: [&str; 6] = ["play", "tice", "--names", "Ann,Ben", "--seed", "11"];

/// The program at its first question.
fn play(words: &[&str], question: &str) -> (Child, Terminal) {
    let kept = state(root());
    let (child, mut terminal) = at_terminal(root(), words, &kept);
    terminal.show(question);
    (child, terminal)
}

fn leave((mut child, _): (Child, Terminal)) {
    child.kill().and_then(|()| child.wait()).expect("it was started");
}

#[test]
fn lines_typed_ahead_are_played_in_order() {
    for ahead in [
        "attack Ann\rcast\rcast\rspell\r",
        "\x1b[200~attack Ann\rcast\rcast\rspell\x1b[201~\r",
        "attack Ann; cast; cast; spell\r",
        "Ben> attack Ann; Ben> cast; Ann> cast; Ann> spell\r",
    ] {
        let (child, mut terminal) = play(&TICE, "Ben> ");
        terminal.press(format!("{ahead}:history\r"));
        let screen = terminal.show("4  Ann> spell");
        assert!(screen.contains("1  Ben> attack Ann"), "{screen}");
        leave((child, terminal));
    }
}

#[test]
fn a_line_that_cannot_be_played_stops_those_after_it() {
    let (child, mut terminal) = play(&TICE, "Ben> ");
    terminal.press("attack Ann\rfly\rcast\rcast\r");
    let screen = terminal.show("not played: `cast`, `cast`");
    assert!(screen.contains("there is no move `fly`"), "{screen}");
    leave((child, terminal));
}

#[test]
fn nobody_reads_or_plays_what_another_person_typed_ahead() {
    let words = ["play", "tests/games/secret_code.game", "--names", "Ann,Ben"];
    let (child, mut terminal) = play(&words, "press Enter");
    terminal.press("\r");
    terminal.show("Ann> ");
    terminal.press("hide 7\rguess 7; guess 8; guess 9\rgue");
    let screen = terminal.show("Pass the screen to Ben");
    assert!(screen.contains("Not played: lines typed ahead (3)"), "{screen}");
    assert!(!screen.contains("guess 7"), "{screen}");
    terminal.press("\r");
    let screen = terminal.show("Ben> ");
    assert!(!screen.contains("Ben> gue"), "{screen}");
    leave((child, terminal));
}

#[test]
fn a_pasted_transcript_is_played_with_its_draws() {
    let (child, mut terminal) = play(&TICE, "Ben> ");
    let lines = [
        "game tice",
        "players Ann, Ben",
        "* random Player: Ben",
        "Ben> attack Ann",
        "* roll tice: 1",
        "* roll tice: 1",
        "  Ben spins 1: fire.",
        "Ben> cast",
        "# forced",
        "? Ben.water == 5",
        "Ann> cast",
        "? Ann.water == 4",
    ];
    terminal.press(format!("\x1b[200~{}\x1b[201~\r:history\r", lines.join("\n")));
    let screen = terminal.show("3  Ann> cast");
    assert!(!screen.contains("not played"), "{screen}");
    leave((child, terminal));
}

#[test]
fn what_is_typed_at_a_page_is_the_next_line() {
    let (child, mut terminal) = play(&TICE, "Ben> ");
    terminal.press(":rules\r");
    let first = terminal.show("leaves ");
    assert!(first.contains("In the box") && !first.contains("How the game ends"), "{first}");
    terminal.press("attack Ann\rcast\r");
    terminal.press(":history\r");
    let screen = terminal.show("2  Ben> cast");
    assert!(screen.contains("1  Ben> attack Ann"), "{screen}");
    leave((child, terminal));
}

#[test]
fn who_learns_something_by_the_own_move_sees_it_before_the_screen_goes_on() {
    let file = empty_folder("peek").join("peek.game");
    let text = "game \"Peek\" { players 2 }\n\
                each player has { die secret = 1..6 seen by owner }\n\
                play { turns me from Player.first { choose me { peek { roll me.secret } ; wait { } }\n\
                if turn == 6 { finish draw } } }\n";
    std::fs::write(&file, text).expect("the folder of tests can be written");
    let file = file.display().to_string();
    let words = ["play", &file, "--names", "Ann,Ben", "--seed", "1"];
    let (child, mut terminal) = play(&words, "press Enter");
    terminal.press("\r");
    terminal.show("Ann> ");
    terminal.press("peek\r");
    let screen = terminal.show("Press Enter to end your turn");
    assert!(!screen.contains("Pass the screen"), "{screen}");
    terminal.press("\r");
    terminal.show("Pass the screen to");
    leave((child, terminal));
}

#[test]
fn what_is_no_text_ends_nothing() {
    let (child, mut terminal) = play(&TICE, "Ben> ");
    terminal.press([0xff, 0xfe, b'\r']);
    terminal.show("there is no move");
    terminal.press("attack Ann\r:history\r");
    terminal.show("1  Ben> attack Ann");
    leave((child, terminal));
}

#[test]
fn a_terminal_that_follows_no_sequences_is_wiped_by_lines() {
    let words = ["play", "tests/games/secret_code.game", "--names", "Ann,Ben"];
    let (child, mut terminal) = at_terminal_called("dumb", root(), &words, &state(root()));
    terminal.show("press Enter");
    terminal.press("\r");
    terminal.show("Ann> ");
    terminal.press("hide 7\r");
    let screen = terminal.show("Pass the screen to Ben");
    assert!(!screen.contains("hide 7") && !screen.contains('\x1b'), "{screen}");
    leave((child, terminal));
}

#[test]
fn an_interrupt_clears_the_line_and_two_of_them_leave() {
    let (mut child, mut terminal) = play(&TICE, "Ben> ");
    terminal.press("atta");
    terminal.show("Ben> atta");
    terminal.press("\x03spe");
    terminal.show("Ben> spe");
    terminal.press("\x03\x03");
    terminal.show("Ctrl-C again leaves");
    terminal.press("\x03");
    terminal.show("the same game again: astragal play tice");
    assert_eq!(child.wait().expect("it was started").code(), Some(130));
}

#[test]
fn the_screen_is_drawn_again_by_a_key_and_in_another_window() {
    let (child, mut terminal) = play(&TICE, "Ben> ");
    terminal.press("atta\x0c");
    let screen = terminal.show("Ben> atta");
    assert!(screen.contains("What do you do, Ben?"), "{screen}");
    // A window is looked at before a line is begun, and with each key.
    terminal.press("\x03\r");
    terminal.show("\nBen> ");
    for (columns, rows) in [(40, 12), (100, 32)] {
        terminal.resize(columns, rows);
        // A prompt may still come from the window as it was; the moves come from this one alone.
        let screen = terminal.show("1 attack Ann   2 spell");
        assert!(screen.contains("Tice  "), "{screen}");
        terminal.show("Ben>");
    }
    terminal.resize(39, 14);
    terminal.press("attack Ann\r");
    terminal.show("the window is too small to draw");
    terminal.resize(60, 20);
    let screen = terminal.show("1 cast");
    assert!(screen.contains("Tice  "), "{screen}");
    leave((child, terminal));
}

#[test]
fn a_larger_window_shows_the_end_that_a_small_one_told() {
    let words = ["play", "tic-tac-toe", "--names", "Ann,Ben", "--seed", "1"];
    let (child, mut terminal) = play(&words, "> ");
    terminal.resize(60, 10);
    for mark in ["a1", "b1", "a2", "b2", "a3"] {
        terminal.press(format!("mark {mark}\r"));
    }
    terminal.show("wins");
    terminal.resize(80, 24);
    let screen = terminal.show("Tic-tac-toe");
    assert!(!screen.contains("Which cell do you mark"), "{screen}");
    leave((child, terminal));
}

#[test]
fn a_failed_line_is_answered_in_a_line() {
    let (child, mut terminal) = play(&TICE, "Ben> ");
    for (typed, answer) in [
        ("? Ann.water == 9", "`Ann.water == 9` does not hold: `Ann.water` is 5"),
        ("! attack Ann", "`attack Ann` is legal here"),
        (":set Ann.water = 99", "`Ann.water = 99`: 99 is outside 0..5"),
    ] {
        terminal.press(format!("{typed}\r"));
        let screen = terminal.show(answer);
        assert!(!screen.contains("help:"), "{screen}");
    }
    leave((child, terminal));
}

#[test]
fn what_stops_a_script_is_shown_below_the_game_where_it_stopped() {
    let script = empty_folder("stopped").join("stopped.script");
    let lines = "game tice\nplayers Ann, Ben\n* random Player: Ann\nAnn> attack Ben\n* roll tice: 1\n* roll tice: \
                 1\nAnn> cast\nBen> cats\n";
    std::fs::write(&script, lines).expect("the folder of tests can be written");
    let (child, mut terminal) = play(&TICE, "Ben> ");
    terminal.press(format!("attack Ann; :load {}\r", script.display()));
    let screen = terminal.show("the game continues after the 2 steps before this");
    assert!(screen.contains("the earlier game is kept; `:undo"), "{screen}");
    assert!(screen.contains("did you mean `cast`?"), "{screen}");
    assert!(screen.contains("1 cast"), "no move is made past it:\n{screen}");
    leave((child, terminal));
}

#[test]
fn arrows_look_for_lines_that_begin_so_in_the_same_game() {
    let kept = state(root());
    let (mut child, mut terminal) = at_terminal(root(), &TICE, &kept);
    terminal.show("Ben> ");
    terminal.press(":eval 12\r:moves\r:quit\r");
    child.wait().expect("it was started");
    for (keys, line) in [(":e\x1b[A", ":eval 12"), ("\x1b[A\x1b[A", ":moves")] {
        let (child, mut terminal) = at_terminal(root(), &TICE, &kept);
        terminal.show("Ben> ");
        terminal.press(keys);
        terminal.show(&format!("Ben> {line}"));
        leave((child, terminal));
    }
    let (child, mut terminal) = at_terminal(root(), &["play", "nim"], &kept);
    terminal.show("> ");
    terminal.press("\x1b[A:history\r");
    terminal.show("nothing was decided yet");
    leave((child, terminal));
}

#[test]
fn a_line_of_play_that_was_left_can_be_gone_to() {
    let words = ["play", "nim", "--names", "Ann,Ben", "--seed", "1"];
    let (child, mut terminal) = play(&words, "> ");
    terminal.press("take 1 left; :mark fork; take 1 right; undo; take 2 right; :tree\r");
    let screen = terminal.show("other lines of play");
    assert!(screen.contains("fork  after 1  here, or earlier on this line"), "{screen}");
    assert!(screen.contains("take 1 right"), "{screen}");
    terminal.press(":tree 2; :history\r");
    let screen = terminal.show("2  ");
    assert!(screen.contains("take 1 right"), "{screen}");
    terminal.press(":tree fork; :tree\r");
    terminal.show("take 2 right");
    leave((child, terminal));
}
