//! People before a terminal: what one of them typed in secret comes back to nobody, and a bot can be
//! stopped.

use std::path::Path;
use std::process::Child;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::commands::{astragal, state};
use crate::support::terminal::{Terminal, at_terminal};
use crate::support::{read, root};

/// What the keys send that recall lines, look for lines, and bring back what was cut out.
const UP: &str = "\x1b[A";
const CTRL_R: &str = "\x12";
const CTRL_G: &str = "\x07";
const CTRL_U: &str = "\x15";
const CTRL_Y: &str = "\x19";

#[test]
fn nobody_recalls_at_the_terminal_what_another_person_typed() {
    let kept = state(root());
    let words = ["play", "tests/games/secret_code.game", "--names", "Ann,Ben"];
    let (mut child, mut terminal) = at_terminal(root(), &words, &kept);
    terminal.read_to("press Enter");
    terminal.press("\r");
    terminal.read_to("Ann> ");
    terminal.press(format!("hide 7{CTRL_U}hide 7\r"));
    terminal.read_to("press Enter");
    terminal.press("\r");
    terminal.read_to("Ben> ");
    terminal.press(format!("{UP}{CTRL_Y}{CTRL_R}hide{CTRL_G}{CTRL_U}:quit\r"));
    let shown = terminal.read_to("to continue");
    assert!(!shown.contains("hide 7"), "{shown:?}");
    child.wait().expect("it was started");
    let history =
        std::fs::read_to_string(kept.join("astragal/history-secret-code.txt")).unwrap_or_default();
    assert!(!history.contains("hide"), "{history}");
}

#[test]
fn who_is_asked_to_pass_the_screen_may_leave() {
    let kept = state(root());
    let words = ["play", "tests/games/secret_code.game", "--names", "Ann,Ben"];
    let (mut child, mut terminal) = at_terminal(root(), &words, &kept);
    terminal.read_to("press Enter");
    terminal.press("hide 7\r");
    terminal.read_to("press Enter");
    terminal.press("quit\r");
    terminal.read_to("the game was left before its end");
    child.wait().expect("it was started");
}

/// Each in turn is handed the screen, and makes a move.
fn pass_round(terminal: &mut Terminal, names: &[&str], made: &str) {
    for name in names {
        terminal.read_to(&format!("Pass the screen to {name}"));
        terminal.press("\r");
        terminal.read_to(&format!("{name}> "));
        terminal.press(format!("{made}\r"));
    }
}

#[test]
fn the_screen_is_handed_over_to_all_or_to_nobody() {
    let kept = state(root());
    // Only one of them could do anything else, and nobody may learn who that is.
    let words = ["play", "tests/games/night_watch.game", "--names", "Ann,Ben,Cem", "--seed", "1"];
    let (mut child, mut terminal) = at_terminal(root(), &words, &kept);
    pass_round(&mut terminal, &["Ann", "Ben", "Cem", "Ann"], "sleep");
    terminal.read_to("press Enter");
    terminal.press("quit\r");
    child.wait().expect("it was started");
    // Each sees the hats of the others, and nobody their own.
    let folder = tempfile::tempdir().expect("a folder");
    let hats = "game \"Hats\" { players 3; limit 9 decisions { finish draw } }\nkind Hat { red, blue }\neach player has { \
                hat: Hat = red seen by others }\nsetup { for p in Player { p.hat = random Hat } }\nplay {\n  for p in \
                Player {\n    choose p {\n      greet(q) for q in others(p) where q.hat == blue { }\n      nod { }\n    \
                }\n  }\n  finish draw\n}\n";
    std::fs::write(folder.path().join("hats.game"), hats).expect("it can be written");
    for seed in 1..4 {
        let words = ["play", "hats.game", "--names", "Ann,Ben,Cem", "--seed", &seed.to_string()];
        let (mut child, mut terminal) = at_terminal(folder.path(), &words, &kept);
        pass_round(&mut terminal, &["Ann", "Ben", "Cem"], "nod");
        terminal.read_to("`:quit` leaves");
        terminal.press("quit\r");
        child.wait().expect("it was started");
    }
    // Here nobody holds anything.
    let words = ["play", "tests/games/open_bag.game", "--names", "Ann,Ben", "--seed", "1"];
    let (mut child, mut terminal) = at_terminal(root(), &words, &kept);
    let mut seen = String::new();
    for name in ["Ann", "Ben", "Ann"] {
        seen += &terminal.read_to(&format!("{name}> "));
        terminal.press("draw\r");
    }
    seen += &terminal.read_to("Ben> ");
    terminal.press("quit\r");
    seen += &terminal.read_to("the game was left before its end");
    assert!(!seen.contains("Pass the screen"), "{seen:?}");
    child.wait().expect("it was started");
}

/// Ctrl-C, as the terminal of a person sends it.
fn interrupt(child: &Child) {
    let process = i32::try_from(child.id()).expect("numbers of processes are small");
    kill(Pid::from_raw(process), Signal::SIGINT).expect("it runs");
}

#[test]
fn a_thinking_bot_shows_how_long_is_stopped_and_nothing_typed_meanwhile_is_a_move() {
    let words = ["play", "nim", "--names", "Ann,Ben", "--seat", "Ben=mcts:300s", "--seed", "1"];
    let (mut child, mut terminal) = at_terminal(root(), &words, &state(root()));
    terminal.read_to("Ann> ");
    terminal.press("take 1 left\r");
    terminal.read_to("Ben thinks …");
    terminal.press("take 1 middle\r");
    terminal.read_to("games tried");
    terminal.read_to("3 s");
    interrupt(&child);
    terminal.read_to("Ben stops thinking");
    terminal.read_to("thought for");
    terminal.read_to("Ann> ");
    terminal.press(":history\r");
    terminal.read_to("1  Ann> take 1 left");
    let after = terminal.read_to("Ann> ");
    assert!(after.contains("2  Ben> ") && !after.contains("3  "), "{after}");
    terminal.press("quit\r");
    terminal.read_to("to continue");
    child.wait().expect("it was started");
}

#[test]
fn a_hint_vanishes_once_it_was_used() {
    let kept = state(root());
    let words = ["play", "nim", "--names", "Ann,Ben", "--seed", "1"];
    let hint = "type a move, beginnings of its words";
    let shown = |lines: &[&str]| {
        let (mut child, mut terminal) = at_terminal(root(), &words, &kept);
        let before = terminal.read_to("Ann> ");
        for line in lines {
            terminal.press(line);
            terminal.read_to(if line.contains("quit") { "the same game again" } else { "Ben> " });
        }
        child.wait().expect("it was started");
        before.contains(hint)
    };
    assert!(shown(&[":quit\r"]));
    assert!(shown(&["take 1 left\r", "quit\r"]), "it was only shown, not used");
    assert!(!shown(&[":quit\r"]));
    let used = std::fs::read_to_string(kept.join("astragal/hints.txt")).expect("it is kept");
    assert_eq!(used, "moves\n");
}

#[test]
fn a_watched_game_is_drawn_anew_without_enter() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watched_screen");
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    let write = |title: &str| {
        let text = read(&root().join("examples/nim.game")).replace("\"Nim\"", title);
        std::fs::write(folder.join("nim.game"), text).expect("the folder of tests can be written");
    };
    write("\"Nim\"");
    let words = ["play", "nim.game", "--watch", "--seed", "1"];
    let (mut child, mut terminal) = at_terminal(&folder, &words, &state(root()));
    terminal.read_to("P1> ");
    terminal.press("take 1 left\r");
    terminal.read_to("P2> ");
    write("\"Nim\" oops");
    terminal.read_to("syntax::");
    terminal.read_to("P2> ");
    write("\"Nim again\"");
    terminal.read_to("the moves so far, on the rules as they are now");
    terminal.read_to("P2> ");
    terminal.press(":quit\r");
    terminal.read_to("to continue");
    child.wait().expect("it was started");
}

/// From its seed anybody can deal a game again and see what is hidden.
#[test]
fn the_seed_of_a_game_with_secrets_is_told_at_its_end() {
    let told = |words: &[&str], input: &str| {
        let ran = astragal(&[&["play"], words].concat(), input);
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
        (ran.output.contains("seed "), ran.errors.contains("--seed "))
    };
    let secrets = ["tests/games/secret_code.game"];
    assert_eq!(told(&secrets, "hide 7\n:restart\n:quit\n"), (false, false));
    assert_eq!(told(&secrets, "hide 7\nguess 7\n"), (false, true));
    assert_eq!(told(&[secrets[0], "--seed", "4"], "hide 7\n"), (true, true));
    assert_eq!(told(&["pig"], "roll\n"), (true, true));
}
