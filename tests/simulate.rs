//! Simulations: the same numbers on any number of threads, in any parts, for whoever reads them.

use std::path::Path;

use crate::commands::{Ran, astragal, astragal_in};
use crate::support::read;

/// The JSON of a simulation without the one number that depends on the machine.
fn json(words: &[&str]) -> serde_json::Value {
    let Ran { exit, output, errors } = astragal(words, "");
    assert_eq!(exit, Some(0), "{errors}");
    let mut value: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
    let object = value.as_object_mut().expect("it is an object");
    assert!(object.remove("playouts_per_second").is_some());
    value
}

#[test]
fn any_number_of_threads_gives_the_same_numbers() {
    for (game, seats) in
        [("elemental-clash", "random"), ("tice", "random"), ("nim", "mcts:20,greedy")]
    {
        let count = if seats == "random" { "300" } else { "30" };
        let ran = |threads| {
            let words = ["simulate", game, "-n", count, "--seed", "5", "--seats", seats];
            json(&[&words[..], &["--threads", threads, "--format", "json"]].concat())
        };
        let alone = ran("1");
        for threads in ["2", "5"] {
            assert_eq!(ran(threads), alone, "{game} with {threads} threads");
        }
    }
}

#[test]
fn json_has_the_keys_that_scripts_read() {
    let value =
        json(&["simulate", "elemental-clash", "-n", "100", "--seed", "1", "--format", "json"]);
    let keys: Vec<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "branching",
        "by_turn_order",
        "cut_off",
        "decisions",
        "draws_of_chance",
        "finished",
        "folded",
        "game",
        "limit_reached",
        "measures",
        "moves",
        "never_run",
        "options",
        "players",
        "playouts",
        "scores",
        "seats",
        "seed",
        "shared",
        "win_rate",
        "wins",
    ];
    assert_eq!(keys, expected);
    let sum: u64 = value["wins"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(serde_json::Value::as_u64)
        .sum();
    assert_eq!(sum + value["shared"].as_u64().expect("a number"), 100);
    for key in ["mean", "min", "p5", "p50", "p95", "max"] {
        assert!(value["decisions"][key].is_number(), "{key}");
    }
    let rate = &value["win_rate"][0];
    assert!(
        rate["low"].as_f64() < rate["rate"].as_f64()
            && rate["rate"].as_f64() < rate["high"].as_f64()
    );
    assert!(
        value["moves"]["attack"]["offered"].as_u64() >= value["moves"]["attack"]["taken"].as_u64()
    );
}

#[test]
fn random_seats_play_as_random_bots_at_a_table() {
    let simulated = json(&["simulate", "nim", "-n", "1", "--seed", "9", "--format", "json"]);
    let played = astragal(&["play", "nim", "--seed", "9", "--seat", "all=random"], "").output;
    let decisions = played.lines().filter(|line| line.contains("> ")).count();
    assert_eq!(simulated["decisions"]["max"], decisions);
    let winner = usize::from(simulated["wins"][0] != 1) + 1;
    assert!(played.contains(&format!("= P{winner} wins")), "{played}");
}

#[test]
fn a_comparison_subtracts_game_by_game() {
    let words = ["simulate", "nim", "-n", "200", "--seed", "2", "--vary", "misere=no,yes"];
    let ran = astragal(&[&words[..], &["--format", "json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
    let wins = |run: usize| value["runs"][run]["wins"][0].as_f64().expect("a number");
    let difference = &value["differences"][0]["win_rate"][0];
    let expected = (wins(1) - wins(0)) / 200.0;
    assert!((difference["difference"].as_f64().expect("a number") - expected).abs() < 1e-4);
    // The same moves lose where they won: no game is the same under both, so the difference is
    // surer than that of two simulations.
    assert!(difference["low"].as_f64() <= difference["difference"].as_f64());
    assert_eq!(value["differences"][0]["decisions"]["difference"], 0);
}

#[test]
fn what_the_file_measures_is_told() {
    let game = "tests/games/leaky_boats.game";
    let value =
        json(&["simulate", game, "--players", "3", "-n", "60", "--seed", "1", "--format", "json"]);
    let turns = &value["measures"]["turns"];
    assert!(turns["min"].as_i64() > Some(0) && turns["mean"].is_number(), "{turns}");
    let players = value["players"].as_u64().and_then(|players| usize::try_from(players).ok());
    assert_eq!(value["measures"]["bailed"].as_array().map(Vec::len), players);
}

#[test]
fn a_page_stands_alone() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("the folder can be written");
    let words =
        ["simulate", "pig", "-n", "100", "--seed", "1", "--seats", "first", "--report", "a.html"];
    let ran = astragal_in(&folder, &words, "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let page = read(&folder.join("a.html"));
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("<svg") && page.contains("viewport"));
    assert!(
        page.contains("<mark title=\"move hold never ran\">hold</mark> when pot")
            && page.contains("viewport")
    );
    for outside in ["<script", "<link", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

/// Whatever one run would have printed, the drawing of what never ran with it, and nothing that the
/// machine decides.
#[test]
fn parts_that_are_added_up_say_what_one_run_says() {
    for game in ["elemental-clash", "card-dice"] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("merging").join(game);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
        let run = |words: &[&str]| {
            let ran = astragal_in(&folder, words, "");
            assert_eq!(ran.exit, Some(0), "{}", ran.errors);
            ran.output
        };
        let page = || read(&folder.join("page.html"));
        let whole = ["simulate", game, "-n", "2", "--seed", "2", "--report", "page.html"];
        for (part, file) in [("1/2", "one.json"), ("2/2", "two.json")] {
            run(&[&whole[..6], &["--shard", part, "--out", file]].concat());
        }
        for format in ["table", "csv"] {
            let told = run(&[&whole[..], &["--format", format]].concat());
            assert_eq!(format == "table", told.contains("never ran"), "{told}");
            let drawn = page();
            let merge = ["merge", "two.json", "one.json", "--report", "page.html"];
            assert_eq!(run(&[&merge[..], &["--format", format]].concat()), told);
            assert_eq!(page(), drawn);
        }
    }
}
