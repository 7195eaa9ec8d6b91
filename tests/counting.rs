//! Commands that follow everything that can happen: they end, soon or when they are told to.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use astragal::machinery::session::{Count, Misfit, Pin};

use crate::commands::{Ran, astragal, words};
use crate::support::{below, files, first_game, root, rules};

/// How long a command may take in the sweep over all games.
const PATIENCE: Duration = Duration::from_mins(1);

/// The lines behind `Example:` in the help of a command.
fn examples(command: &str) -> Vec<String> {
    let help = astragal(&[command, "--help"], "").output;
    let behind = help.lines().skip_while(|line| *line != "Example:").skip(1);
    behind.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn examples_of_the_help_work_as_pasted_and_soon() {
    for command in ["perft", "solve"] {
        let lines = examples(command);
        assert!(!lines.is_empty(), "`{command} --help` has no example");
        for line in lines {
            let words = words(&line);
            let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            let start = Instant::now();
            let Ran { exit, errors, .. } = astragal(&words, "");
            assert_eq!(exit, Some(0), "{line}\n{errors}");
            // Two seconds for people; a machine that builds without optimising has more.
            assert!(start.elapsed() < Duration::from_secs(20), "{line}: {:?}", start.elapsed());
        }
    }
}

fn start(words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.args(words).current_dir(root()).stdin(Stdio::null());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Waits for the end of a program; none if it takes too long.
fn end(mut child: Child, patience: Duration) -> Option<Ran> {
    let start = Instant::now();
    while child.try_wait().expect("the program can be waited for").is_none() {
        if start.elapsed() > patience {
            child.kill().expect("it runs");
            child.wait().expect("it was ended");
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("the program has ended");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(Ran {
        exit: output.status.code(),
        output: text(&output.stdout),
        errors: text(&output.stderr),
    })
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_long_counts_with_what_is_known() {
    let long = [
        ("perft connect-four --depth 42", "stopped: more can follow than was counted"),
        ("perft connect-four --playouts", "stopped: more can follow than was counted"),
        ("solve connect-four --max-states 4000000000 --max-memory 16GB", "stopped after "),
    ];
    for (line, said) in long {
        let words: Vec<&str> = line.split(' ').collect();
        let child = start(&words);
        std::thread::sleep(Duration::from_secs(3));
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.is_ok_and(|status| status.success()), "a signal can be sent");
        let ran = end(child, PATIENCE).expect("it ends when it is interrupted");
        assert_eq!(ran.exit, Some(130), "{line}: {}", ran.errors);
        assert!(ran.errors.contains(said), "{line}: {}", ran.errors);
        if line.starts_with("perft") {
            let one = "    1                     7 ";
            assert!(ran.output.contains(one), "{line}: {}", ran.output);
        }
    }
}

/// Two dice of each player that are rolled after so many decisions that nobody knows their events.
const LATE: &str = r#"game "Late" { players 2 }

kind Colour { red, blue }

each player has { die cube[Colour, 1..2] = 1..6 }

play {
  roll Player.first.cube[blue, 1]
  repeat 500 times { choose Player.first { wait { } } }
  for p in Player { for c in Colour { roll p.cube[c, 2] } }
  finish draw
}
"#;

#[test]
fn an_event_is_known_by_the_words_that_stay() {
    let game = first_game(&rules("late.game", LATE));
    let check = |words: &str| Pin::new(words).check(&game);
    assert_eq!(Pin::new("* roll  die : 3").words, "roll die: 3");
    for words in
        ["roll P1.cube[blue, 1]: 3", "roll P2.cube[red, 2]: 3", "* roll P2.cube[red, 2] : 3"]
    {
        assert_eq!(check(words), Ok(()), "{words}");
    }
    let others = [
        "roll P2.cube[pink, 2]: 3",
        "roll P2.coin[red, 2]: 3",
        "draw P2.cube[red, 2]: 3",
        "random Player: P1",
    ];
    for words in others {
        assert!(matches!(check(words), Err(Misfit::Event { .. })), "{words}: {:?}", check(words));
    }
}

/// Each bundled game, variants too.
fn games() -> Vec<String> {
    let listed = astragal(&["games"], "").output;
    listed.lines().filter_map(|line| line.split(' ').next().map(str::to_owned)).collect()
}

/// In every game `perft` and `simulate` answer, and `solve` answers or says what else to do. With
/// `ASTRAGAL_SWEEP=1` as people type them, each within a minute; the folder in
/// `ASTRAGAL_SWEEP_ALSO` has more games. Else with small bounds, which any machine keeps.
#[test]
fn every_game_is_counted_simulated_and_solved_or_refused() {
    let whole = std::env::var("ASTRAGAL_SWEEP").is_ok();
    let mut names = games();
    assert!(names.len() > 20, "{names:?}");
    names.retain(|name| whole || !name.contains('/'));
    if let Ok(folder) = std::env::var("ASTRAGAL_SWEEP_ALSO") {
        names.extend(files(&folder, "game").iter().map(|path| below(path)));
    }
    let mut wrong = Vec::new();
    for name in &names {
        for (command, bound) in [
            ("perft GAME --depth 1", " --max-states 300"),
            ("solve GAME", " --max-states 300"),
            ("simulate GAME -n 50 --seed 1", " --threads 1"),
        ] {
            let bound = if whole { "" } else { bound };
            let line = format!("{command}{bound}").replace("GAME", name);
            let line = if whole { line } else { line.replace("-n 50", "-n 2") };
            let begun = Instant::now();
            let ran = end(start(&line.split(' ').collect::<Vec<_>>()), PATIENCE);
            let verdict = ran.as_ref().map_or_else(|| "no end".to_owned(), verdict);
            if whole {
                println!("{line}\t{:.1} s\t{verdict}", begun.elapsed().as_secs_f32());
            }
            let may_refuse = command.starts_with("solve") && verdict.starts_with("refused");
            if verdict != "answer" && !may_refuse {
                wrong.push(format!("{line}: {verdict}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How a command ended.
fn verdict(ran: &Ran) -> String {
    match ran.exit {
        Some(0) => "answer".to_owned(),
        Some(1) if ran.errors.contains("cli::unsolved") && ran.errors.contains("help: ") => {
            let reason = ran.errors.lines().find_map(|line| line.trim().strip_prefix("× "));
            format!("refused: {}", reason.unwrap_or_default())
        }
        other => format!("exit {other:?}: {}", ran.errors),
    }
}

#[test]
fn what_a_playout_cannot_come_to_is_not_said_to_have_never_run() {
    let file = Path::new("tests/games/folded_before_play.game").display().to_string();
    let words = ["simulate", &file, "-n", "200", "--seed", "1", "--format", "json"];
    let ran = astragal(&words, "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
    assert_eq!(value["never_run"], serde_json::json!([]));
    let folded = value["folded"].as_array().expect("a list");
    let names: Vec<&str> = folded.iter().filter_map(|it| it["what"].as_str()).collect();
    assert_eq!(names, ["rule stumble"]);
    // An option that is off rules one out; the other is part of the rules that use it.
    let words = ["simulate", "elemento", "-n", "20", "--seed", "1", "--format", "json"];
    let ran = astragal(&words, "");
    let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
    let has = |key: &str, what: &str| {
        value[key].as_array().expect("a list").iter().any(|it| it["what"] == what)
    };
    assert!(has("folded", "rule dice_stay") && !has("never_run", "rule near"), "{value}");
}

#[test]
fn wins_by_the_order_of_turns_show_what_wins_by_seat_hide() {
    let words = ["simulate", "tests/games/roll_off.game", "-n", "400", "--seed", "1"];
    let ran = astragal(&[&words[..], &["--seats", "first", "--format", "json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
    let by_seat = value["win_rate"][0]["rate"].as_f64().expect("a number");
    assert!((0.4..0.6).contains(&by_seat), "{by_seat}");
    let first = &value["by_turn_order"][0];
    assert_eq!((&first["games"], &first["wins"]), (&400.into(), &400.into()));
    // To whom the game does not come in turn wins nothing in it.
    let second = &value["by_turn_order"][1];
    assert_eq!((&second["games"], &second["wins"]), (&400.into(), &0.into()));
    let table = astragal(&[&words[..], &["--seats", "first"]].concat(), "").output;
    let row = table.lines().find(|line| line.starts_with("begins"));
    assert!(row.is_some_and(|row| row.contains(" 100.0 % ")), "{table}");
    // Where the seats decide in their order there is nothing more to say.
    let nim = astragal(&["simulate", "nim", "-n", "10", "--seed", "1"], "").output;
    assert!(!nim.contains("\nbegins"), "{nim}");
}

#[test]
fn counts_grow_past_every_word() {
    let mut factorial = Count::from(1);
    for number in 2..=40 {
        let before = factorial.clone();
        factorial = Count::default();
        factorial.add_times(&before, number);
    }
    assert_eq!(factorial.to_string(), "815915283247897734345611269596115894272000000000");
    let mut twice = factorial.clone();
    twice.add_count(&factorial);
    assert_eq!(twice.to_string(), "1631830566495795468691222539192231788544000000000");
    assert_eq!(format!("{:>5}", Count::from(7)), "    7");
    assert!(Count::default().is_zero() && !twice.is_zero());
}
