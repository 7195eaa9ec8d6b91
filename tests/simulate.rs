//! Simulations: the same numbers on any number of threads, in any parts, for whoever reads them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::commands::{Ran, astragal, astragal_in};
use crate::support::{below, empty_folder, files, name, read, root};

/// The JSON of a simulation without the one number that depends on the machine.
fn json(words: &[&str]) -> serde_json::Value {
    let Ran { exit, output, errors } = astragal(words, "");
    assert_eq!(exit, Some(0), "{errors}");
    let mut value: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
    let object = value.as_object_mut().expect("it is an object");
    // What `--skill` prints has no such number.
    let has_rate = object.remove("playouts_per_second").is_some();
    assert!(has_rate || object.contains_key("steps") || object.contains_key("runs"));
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

/// Adds the keys of an object and what is below; of what the rules name, only what it holds.
fn add_keys(value: &serde_json::Value, keys: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Array(list) => list.iter().for_each(|it| add_keys(it, keys)),
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                keys.insert(key.clone());
                match (key.as_str(), value) {
                    ("options", _) => {}
                    ("measures" | "moves", serde_json::Value::Object(named)) => {
                        named.values().for_each(|it| add_keys(it, keys));
                    }
                    _ => add_keys(value, keys),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn the_docs_describe_the_fields_of_the_json() {
    let docs = read(&root().join("docs/simulate.md"));
    let (_, section) = docs.split_once("## The fields of").expect("the section is there");
    let is_name = |part: &&str| part.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let names = |text: &str| -> BTreeSet<String> {
        text.split('`').skip(1).step_by(2).filter(is_name).map(str::to_owned).collect()
    };
    let described = names(section);
    let first_cells: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split('|').nth(1))
        .collect();
    let listed = names(&first_cells.concat());
    let mut printed = BTreeSet::new();
    let folder = empty_folder("fields");
    let game = |path: &str| root().join(path).display().to_string();
    let [whist, storm, sides, chests, blackjack] = [
        "examples/short-whist.game",
        "examples/storm-watch.game",
        "tests/games/taken_sides.game",
        "tests/games/full_chests.game",
        "tests/games/blackjack.game",
    ]
    .map(game);
    for words in [
        &["tice", "-n", "60"][..],
        &[&whist, "-n", "20"],
        &[&storm, "-n", "60"],
        &[&sides, "-n", "60"],
        &[&chests, "-n", "60"],
        &["pig", "--vary", "target=30,50", "-n", "40"],
        &["pig", "--out", "old.json", "-n", "40"],
        &["pig", "--baseline", "old.json", "--option", "target=50", "-n", "40"],
        &[&storm, "--skill=first,random", "-n", "10"],
        &[&blackjack, "--skill=first,random", "-n", "10"],
    ] {
        let all = [&["simulate"], words, &["--seed", "1", "--format", "json"]].concat();
        let ran = astragal_in(&folder, &all, "");
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
        add_keys(&serde_json::from_str(&ran.output).expect("it is JSON"), &mut printed);
    }
    let unknown: Vec<&String> = printed.difference(&described).collect();
    assert!(unknown.is_empty(), "docs/simulate.md does not describe {unknown:?}");
    let missing: Vec<&String> = listed.difference(&printed).collect();
    assert!(missing.is_empty(), "no simulation prints {missing:?}");
}

#[test]
fn json_has_the_keys_that_scripts_read() {
    let value =
        json(&["simulate", "elemental-clash", "-n", "100", "--seed", "1", "--format", "json"]);
    let keys: Vec<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "answers",
        "branching",
        "by_turn_order",
        "choices",
        "cut_off",
        "decisions",
        "draws",
        "draws_of_chance",
        "finished",
        "folded",
        "game",
        "limit_reached",
        "measures",
        "moves",
        "names",
        "never_run",
        "options",
        "players",
        "playouts",
        "sampled_games",
        "scores",
        "seats",
        "seed",
        "shared",
        "shared_wins",
        "starter",
        "stopped",
        "strategy_errors",
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
fn a_way_out_that_is_taken_because_nothing_is_legal_ran() {
    let game = "tests/simulate/way_out_of_nothing_legal.game";
    let ran =
        astragal(&["simulate", game, "-n", "20", "--seed", "1", "--seats", "Go on,Go on"], "");
    // Both are left with nothing to do once, so the way out is a place that ran, though nobody chose it.
    assert!(ran.output.contains("skip       80      0       0.0 %"), "{}", ran.output);
    assert!(ran.output.contains("3 of 3 rules, moves and cases ran"), "{}", ran.output);
}

/// The sets of both decisions have other numbers for their first members.
#[test]
fn one_line_of_a_strategy_plays_at_several_decisions() {
    let game = "tests/simulate/one_line_for_two_decisions.game";
    let words = ["simulate", game, "-n", "3", "--seed", "1", "--seats", "Near,Near"];
    let value = json(&[&words[..], &["--format", "json"]].concat());
    for seat in 0..2 {
        assert_eq!(value["measures"]["low"][seat]["mean"], 6.0);
        assert_eq!(value["measures"]["high"][seat]["mean"], 12.0);
    }
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
    assert!(page.contains("<mark title=\"move hold never ran\">hold</mark>"));
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
        let folder = empty_folder(&format!("merging/{game}"));
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

/// A game in a folder of its own, simulated: the result, and the folder.
fn simulated(name: &str, text: &str, words: &[&str]) -> (Ran, std::path::PathBuf) {
    let folder = empty_folder(&format!("answers/{name}"));
    std::fs::write(folder.join("it.game"), text).expect("the folder of tests can be written");
    let command = ["simulate", "it.game", "--seed", "1"];
    (astragal_in(&folder, &[&command[..], words].concat(), ""), folder)
}

fn first_answer(name: &str, text: &str) -> String {
    let (ran, _) = simulated(name, text, &["-n", "400", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
    value["answers"][0].as_str().expect("there is an answer").to_owned()
}

#[test]
fn the_first_sentence_says_what_matters_most() {
    let starter = "game \"Start\" { players 2 }\nplay {\n  turns me from random Player {\n    \
        choose me { take { finish win me }; rest { finish draw } }\n  }\n}\n";
    let answer = first_answer("starter", starter);
    let begin = "Not fair: the player who begins always wins, in all ";
    assert!(answer.starts_with(begin), "{answer}");

    let endless = "game \"Round\" { players 2; limit 50 decisions { finish draw } }\n\
        the table has { lit = no }\nplay {\n  turns me from Player.first {\n    \
        choose me { flip { lit = not lit }; keep { } }\n    if turn == 1000 { finish win me }\n  \
        }\n}\n";
    let answer = first_answer("endless", endless);
    assert_eq!(answer, "No game ends: the limit of decisions stopped all 400.");

    let luck = "game \"Toss\" { players 2 }\nthe table has { die coin = 1..2 }\nplay {\n  \
        choose Player.first { toss { roll coin } }\n  \
        finish win (if coin == 1 then Player.first else Player.last)\n}\n";
    let answer = first_answer("luck", luck);
    let expected = "Luck alone decides: nobody had two moves to choose from in 400 games.";
    assert_eq!(answer, expected);

    let fair = "game \"Guess\" { players 2 }\nkind Side { left, right }\n\
        each player has { side: Side = left }\nplay {\n  \
        choose each p in Player { show(s) for s in Side { p.side = s } }\n  \
        finish win (if Player.first.side == Player.last.side then Player.first else Player.last)\n}\n";
    let answer = first_answer("fair", fair);
    let begin =
        "No verdict on fairness: nobody is known to begin (no `turns`, no `measure starter`). P";
    assert!(answer.starts_with(begin) && answer.ends_with("; parity is 50.0 %."), "{answer}");

    let [coin, more] = ["coin == 1", "coin < 4"].map(|won| {
        format!(
            "game \"Coin\" {{ players 2 }}\nthe table has {{ die coin = 1..{} }}\nplay {{\n  turns me from \
             Player.first {{\n    choose me {{ toss {{ roll coin }} }}\n    if {won} {{ finish win me }} else {{ \
             finish win others(me) }}\n  }}\n}}\n",
            if won == "coin < 4" { 5 } else { 2 }
        )
    });
    let second = |name: &str, text: &str, words: &[&str]| {
        let (ran, _) = simulated(name, text, &[words, &["--format", "json"]].concat());
        let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
        value["answers"][1].as_str().expect("there is an answer").to_owned()
    };
    // Not enough games; enough for two points, and not for one; and a game of which 60 of 100 are won.
    let answer = second("coin", &coin, &["-n", "2000"]);
    assert!(answer.starts_with("Cannot tell yet whether it is fair: P"), "{answer}");
    assert!(answer.ends_with(" more games would tell."), "{answer}");
    let answer = second("coin", &coin, &["-n", "10000"]);
    assert!(answer.starts_with("Fair between these bots, within 2 points: P"), "{answer}");
    let answer = second("coin", &coin, &["-n", "10000", "--margin", "1%"]);
    assert!(answer.starts_with("Cannot tell yet "), "{answer}");
    let answer = second("more", &more, &["-n", "2000"]);
    assert!(answer.starts_with("Not fair: P1, who begins, wins "), "{answer}");
    assert!(answer.ends_with("in fewer than one of a million simulations."), "{answer}");
}

#[test]
fn a_card_that_wins_whenever_it_is_taken_is_too_strong() {
    let joker = "game \"Joker\" { players 2 }\nkind Card { joker, ace, king, queen }\n\
        the table has { left: set of Card = Card }\neach player has { hand: set of Card = {} }\n\
        play {\n  turns me from Player.first {\n    \
        choose me { take(c) for c in left { left -= c; me.hand += c } }\n    \
        if left == {} { break }\n  }\n  \
        finish win {p in Player where joker in p.hand}\n}\n";
    let (ran, folder) = simulated("joker", joker, &["-n", "1000", "--games", "games.csv"]);
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let begin = "`take joker` is too strong: who takes it at the first chance wins all ";
    assert!(ran.output.lines().any(|line| line.starts_with(begin)), "{}", ran.output);
    let rows = read(&folder.join("games.csv"));
    let mut rows = rows.lines();
    let heads = "setting,playout,seed,order,winner,decisions,draws,stopped";
    assert_eq!(rows.next(), Some(heads));
    let rows: Vec<&str> = rows.collect();
    assert!(rows.len() == 1000 && rows[0].starts_with(",0,1,P1 P2,P"), "{}", rows[0]);
    let won = rows.iter().filter(|row| row.split(',').nth(4) == Some("P1")).count();
    let share = format!("{}.{} %", won / 10, won % 10);
    assert!(ran.output.contains(&share), "{share} is not in {}", ran.output);
}

#[test]
fn the_counts_stop_when_they_say_enough_on_any_number_of_threads() {
    let playouts = |threads| {
        let words = ["simulate", "nim", "--seed", "1", "--until", "2%", "--threads", threads];
        json(&[&words[..], &["--format", "json"]].concat())["playouts"].clone()
    };
    // Half of the interval is 1.96 · 0.5 / √n: below 0.02 from 2401 games on, looked at each 1000.
    assert_eq!((playouts("1"), playouts("3")), (3000.into(), 3000.into()));
}

#[test]
fn what_must_always_hold_is_looked_at() {
    let text = "game \"Drift\" { players 2 }\nthe table has { sum = 0 }\nalways sum < 3\n\
        play {\n  turns me from Player.first {\n    choose me { add { sum += 1 }; stay { } }\n    \
        if turn == 6 { finish win me }\n  }\n}\n";
    let (ran, _) = simulated("drift", text, &["-n", "50", "--check"]);
    assert_eq!(ran.exit, Some(1), "{}", ran.errors);
    assert!(ran.errors.contains("this does not always hold: not in "), "{}", ran.errors);
    let (unlooked, _) = simulated("drift", text, &["-n", "50"]);
    assert_eq!(unlooked.exit, Some(0), "{}", unlooked.errors);
}

/// A cluster asks a program to end before it kills it.
#[cfg(unix)]
#[test]
fn a_simulation_that_is_asked_to_end_keeps_its_games() {
    use nix::sys::signal::{Signal, kill};
    use std::process::{Command, Stdio};
    let folder = empty_folder("asked_to_end");
    let words = ["simulate", "nim", "-n", "1000000000", "--out", "counts.json", "--seed", "1"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.args(words).current_dir(&folder).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program can be started");
    let counts = folder.join("counts.json");
    let begun = std::time::Instant::now();
    let pause = |milliseconds| std::thread::sleep(std::time::Duration::from_millis(milliseconds));
    while !counts.exists() && begun.elapsed().as_secs() < 60 {
        pause(20);
    }
    // Its first counts are of no games.
    pause(1_000);
    let process = i32::try_from(child.id()).expect("numbers of processes are small");
    kill(nix::unistd::Pid::from_raw(process), Signal::SIGTERM).expect("it runs");
    let ran = child.wait_with_output().expect("it was started");
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(130), "{errors}");
    assert!(errors.contains("--resume"), "{errors}");
    let output = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(output.starts_with("Nim · ") && !output.starts_with("Nim · 0 playouts"), "{output}");
    let kept: serde_json::Value =
        serde_json::from_str(&read(&counts)).expect("the counts are JSON");
    let kept = kept["tallies"][0]["playouts"].as_u64().expect("games are counted");
    assert!(output.starts_with(&format!("Nim · {kept} playouts")), "{kept}: {output}");
}

#[test]
fn what_differs_from_earlier_counts_comes_first() {
    let folder = empty_folder("baseline");
    let pig = ["simulate", "pig", "-n", "300", "--seed", "1"];
    let run = |words: &[&str]| {
        let ran = astragal_in(&folder, &[&pig[..], words].concat(), "");
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
        ran.output
    };
    let of = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("it is JSON");
    let before = of(&run(&["--out", "old.json", "--format", "json"]));
    let after = ["--option", "target=50", "--baseline", "old.json"];
    let text = run(&after);
    let first = text.lines().nth(2).expect("there are sentences");
    assert!(
        first.starts_with("A game takes ") && first.ends_with("less than in old.json"),
        "{text}"
    );
    let now = of(&run(&[&after[..], &["--format", "json"]].concat()));
    let differences = now["baseline"]["differences"].as_array().expect("a list");
    let mean = |value: &serde_json::Value| value["decisions"]["mean"].as_f64().expect("a number");
    let found = differences.iter().find(|it| it["what"] == "A game takes").expect("it is there");
    let number = |key: &str| found[key].as_f64().expect("a number");
    assert!((number("difference") - (mean(&now) - mean(&before))).abs() < 1e-3, "{found}");
    assert!(number("low") < number("difference") && number("difference") < number("high"));
    // The same games again differ in nothing.
    let same = run(&["--baseline", "old.json"]);
    let line = "No clear difference (of 2 judged together) from old.json: wins of P1 (random) (0.0 ± 7.9 points more often), ";
    assert!(same.lines().nth(2).is_some_and(|it| it.starts_with(line)), "{same}");
}

#[test]
fn several_options_make_a_table() {
    let words = ["simulate", "elemental-clash", "-n", "60", "--seed", "1"];
    let grid = ["--vary", "gale_on_defense=no,yes", "--vary", "surge_anytime=no,yes"];
    let ran = astragal(&[&words[..], &grid].concat(), "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let row = |head: &str| {
        let row = ran.output.lines().find(|line| line.starts_with(head));
        row.unwrap_or_else(|| panic!("{head} is not in {}", ran.output)).to_owned()
    };
    let heads = row("wins of the player who begins");
    assert!(heads.contains("surge_anytime = no ") && heads.contains("surge_anytime = yes"));
    for (value, run) in [("no", 0), ("yes", 2)] {
        let row = row(&format!("gale_on_defense = {value} "));
        let value: serde_json::Value = serde_json::from_str(
            &astragal(&[&words[..], &grid, &["--format", "json"]].concat(), "").output,
        )
        .expect("it is JSON");
        for run in [run, run + 1] {
            let wins = value["runs"][run]["by_turn_order"][0]["wins"].as_f64().expect("a number");
            let cell = format!(" {:.1} % (", wins / 60.0 * 100.0);
            assert!(row.contains(&cell), "{cell} is not in {row}");
        }
    }
    // The sentences compare the settings that differ from the first one in one option, by turn order.
    for option in ["gale_on_defense", "surge_anytime"] {
        let between = format!(
            "No clear difference (of 12 judged together) between {option} = no and {option} = yes (where "
        );
        assert!(ran.output.contains(&between), "{}", ran.output);
    }
    let clear = " decisions more with surge_anytime = yes than with surge_anytime = no (where gale_on_defense = no)\n";
    assert!(ran.output.contains(clear), "{}", ran.output);
}

#[test]
fn skill_shows_where_it_matters() {
    let words = ["simulate", "nim", "--skill=random,mcts:60", "-n", "40", "--seed", "1"];
    let ran = astragal(&words, "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let sentence = ran.output.lines().nth(2).expect("there is an answer");
    assert!(sentence.starts_with("Skill matters: mcts:60 wins "), "{}", ran.output);
    let value =
        astragal(&[&words[..], &["--format", "json", "--threads", "3"]].concat(), "").output;
    let value: serde_json::Value = serde_json::from_str(&value).expect("it is JSON");
    let step = &value["steps"][0];
    assert_eq!((&step["games"], &step["won_by_any"]), (&40.into(), &40.into()));
    assert!(step["wins"].as_u64() > Some(34), "{step}");

    // A move that changes nothing: whoever thinks wins no more often.
    let luck = "game \"Toss\" { players 2 }\nthe table has { die coin = 1..2 }\nplay {\n  \
        choose Player.first { left { roll coin }; right { roll coin } }\n  \
        finish win (if coin == 1 then Player.first else Player.last)\n}\n";
    let (ran, _) = simulated("tossed", luck, &["--skill=random,greedy,mcts:20", "-n", "60"]);
    let answers: Vec<&str> = ran.output.lines().skip(2).take(3).collect();
    assert!(answers[0].starts_with("Skill does not show: mcts:20 wins "), "{}", ran.output);
    assert!(answers[1..].iter().all(|it| it.starts_with("No clear step: ")), "{}", ran.output);
    // Parity may lie outside the interval of 95 %, which one of 20 simulations of equals shows.
    let equals = ["simulate", "nim", "--skill=random,random", "-n", "100", "--seed", "9"];
    let unclear = "Not clear yet whether skill matters: random wins 60.0 % (50.2-69.1) against random; parity is 50.0 %.";
    assert_eq!(astragal(&equals, "").output.lines().nth(2), Some(unclear));
    let (ran, _) = simulated("tossed", luck, &["--skill=random,cat"]);
    assert_eq!(ran.exit, Some(2), "{}", ran.output);
    // Who play together win or lose together: all seats have one bot, and then the other.
    let text = "game \"Lamps\" { players 2 }\n\
        the table has { good: 0..9 = 0 }\n\
        play { turns me from Player.first where turn < 5 { let want = random 1..2\n\
        choose me { pick(n) for n in 1..2 { if n == want { good += 1 } } } }\n\
        if good > 3 { finish together win }; finish lose }\n";
    let (ran, _) = simulated("lamps", text, &["-n", "40", "--skill=random,mcts:20"]);
    let told = "Skill matters: mcts:20 on all seats wins 100.0 %";
    assert!(ran.output.contains(told), "{}", ran.output);
    let (ran, _) = simulated("lamps", text, &["-n", "40", "--seats=random,mcts:20"]);
    assert!(ran.output.contains("Everybody wins together in "), "{}", ran.output);
}

#[test]
fn a_player_alone_is_told_the_score_and_what_never_changes() {
    let text = "game \"Heap\" { players 1 }\nmeasure rounds = 3\n\
        each player has { points: 0..99 = 0 }\nplay {\n  repeat 3 times {\n    \
        choose Player.first { add(n) for n in 1..5 { Player.first.points += n } }\n  }\n  \
        finish ranking p by p.points\n}\n";
    let (ran, _) = simulated("heap", text, &["-n", "300"]);
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    assert!(ran.output.contains("\nThe score is 9."), "{}", ran.output);
    assert!(ran.output.contains("\nAlways in 300 games: `rounds` is 3.\n"), "{}", ran.output);
    let (ran, _) = simulated("heap", text, &["-n", "40", "--skill=random,mcts:60"]);
    assert!(ran.output.contains("Skill matters: mcts:60 scores 1"), "{}", ran.output);
}

/// Bars count all games: where nobody wins, an equal share of them is nothing.
#[test]
fn parity_is_drawn_among_the_games_that_were_won() {
    let text =
        "game \"Even\" { players 2 }\nplay {\n  choose Player.first { go { } }\n  finish draw\n}\n";
    let (ran, folder) = simulated("even", text, &["-n", "20", "--report", "even.html"]);
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let page = read(&folder.join("even.html"));
    let at = |class: &str| {
        let (_, line) = page.split_once(&format!("class=\"{class}\" x1=\"")).expect("it is drawn");
        line.split('"').next().expect("a number").to_owned()
    };
    assert_eq!(at("parity"), at("axis"), "the first line of the axis is at 0 %");
}

/// Every part has its section, the command plays the same games again, and nothing repeats.
#[test]
fn a_page_of_a_comparison_has_each_part_once() {
    let folder = empty_folder("pages");
    let words = ["simulate", "tice", "-n", "40", "--seed", "1", "--players", "4"];
    let vary = ["--vary", "zero_water=eliminated,stays", "--report", "a.html"];
    let ran = astragal_in(&folder, &[&words[..], &vary].concat(), "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let page = read(&folder.join("a.html"));
    for id in ["changes", "answers", "wins", "spreads", "choices", "never"] {
        assert_eq!(page.matches(&format!("<section id=\"{id}\">")).count(), 1, "{id}");
        assert_eq!(page.matches(&format!("href=\"#{id}\"")).count(), 1, "{id}");
    }
    let command = "<pre>astragal simulate tice -n 40 --seed 1 --seats random --players 4 --vary \
                   zero_water=eliminated,stays</pre>";
    assert!(page.contains(command), "{page}");
    // Each setting has its colour everywhere, and each bar a number beside it.
    assert!(page.contains("class=\"n0\"") && page.contains("class=\"n1\""));
    for outside in ["<script", "<link", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn the_player_who_begins_is_judged_however_the_rules_choose_one() {
    let mut told = String::new();
    for path in files("tests/simulate/starters", "game") {
        let file = below(&path);
        let value = json(&["simulate", &file, "-n", "40000", "--seed", "1", "--format", "json"]);
        let answers = value["answers"].as_array().into_iter().flatten();
        let fair = answers.filter_map(|it| it.as_str()).find(|it| it.contains("parity"));
        told.extend([format!("{}: {}\n", name(&path), fair.unwrap_or_default())]);
    }
    insta::assert_snapshot!(told, @r"
    after_a_decision.game: Not fair: P1, who begins, wins 80.0 % (79.5-80.4) of the 33274 games with one winner; parity is 50.0 %. Chance alone shows as much in fewer than one of a million simulations.
    by_lot.game: Not fair: the player who begins wins 76.9 % (76.5-77.4) of the 34272 games with one winner; parity is 50.0 %. Chance alone shows as much in fewer than one of a million simulations.
    five_seats.game: Fair between these bots, within 2 points: the player who decides third wins 20.3 % (99 %: 19.6-20.9); parity is 20.0 %.
    measured.game: Not fair: the player who begins wins 81.1 % (80.6-81.5) of the 35570 games with one winner; parity is 50.0 %. Chance alone shows as much in fewer than one of a million simulations.
    the_loser_begins.game: Not fair: the player who begins wins 76.6 % (76.1-77.0) of the 31316 games with one winner; parity is 50.0 %. Chance alone shows as much in fewer than one of a million simulations.
    three_seats.game: Not fair: P3 wins, alone or with others, 74.4 % (73.9-74.8) of the 37812 games that somebody won; parity is 39.2 %. Chance alone shows as much in fewer than one of a million simulations.
    ");
}

#[test]
fn names_in_any_letters_are_compared() {
    let words = ["simulate", "nim", "-n", "40", "--seed", "1", "--names", "Éva,Ödön"];
    let ran = astragal(&[&words[..], &["--vary", "misere=no,yes"]].concat(), "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    assert!(ran.output.contains(": wins of Éva (random) ("), "{}", ran.output);
}

/// Small games of which is known what is true of them. The first line of each says how it is simulated.
#[test]
fn sentences_of_the_lab_are_true() {
    let mut told = String::new();
    for path in files("tests/simulate/verdicts", "game") {
        let text = read(&path);
        let words = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let words: Vec<&str> = words.expect("the first line says how").split(' ').collect();
        let seed = if words.contains(&"--seed") { &[][..] } else { &["--seed", "1"] };
        let file = below(&path);
        let value = json(&[&["simulate", &file, "--format", "json"], &words[..], seed].concat());
        let compared = [&value["differences"][0]["sentences"], &value["runs"][0]["answers"]];
        let answers = compared.into_iter().chain([&value["answers"], &value["runs"][1]["answers"]]);
        let answers = answers.filter_map(|it| it.as_array()).flatten();
        let answers: Vec<&str> = answers.filter_map(|it| it.as_str()).collect();
        told.extend([format!("{}: {}\n", name(&path), answers.join("\n    "))]);
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/simulate/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("verdicts", told));
}

/// What a table of such a game says about moves, and at its top about the bots.
#[test]
fn tables_of_the_lab_say_things_once_and_with_parity() {
    let table = |game: &str, words: &[&str], from: &str, lines: usize| {
        let file = format!("tests/simulate/verdicts/{game}.game");
        let ran = astragal(&[&["simulate", &file, "--seed", "1"], words].concat(), "");
        let mut told = ran.output.lines().skip_while(|line| !line.starts_with(from));
        told.by_ref().take(lines).flat_map(|line| [line, "\n"]).collect::<String>()
    };
    let choices = "at the first chance";
    let told = [
        table("a-rope-saves-some", &["-n", "1000"], choices, 3),
        table("fewer-strokes-are-better", &["-n", "1000"], choices, 3),
        table("straws-that-luck-draws", &["-n", "400", "--seats", "mcts:5"], "Played", 1),
        table("who-takes-the-last-stick-loses", &["-n", "400", "--seats", "mcts:5"], "Played", 1),
        table("a-score-of-one-alone", &["-n", "500"], "     ", 3),
        table("a-rope-never-hurts", &["-n", "30", "--skill=Bare,Roped"], "bot", 2),
    ];
    insta::assert_snapshot!(told.join("\n"), @r"
    at the first chance  takes it, is not beaten       95 %  games  leaves it, is not beaten       95 %  games
    take                                  79.0 %  75.3-82.3    514                    70.2 %  66.0-74.1    486  clear


    at the first chance  takes it, scores            95 %  games  leaves it, scores           95 %  games
    putt                            -10.2  -10.4 to -10.1    514               -9.8  -10.0 to -9.7    486  clear


    Played by mcts:5, which wins against random in 40.0 % (26.3-55.4) of 40 games, not clearly more than parity; parity is 25.0 %.

    Played by mcts:5, which wins against random in 70.0 % (54.6-81.9) of 40 games, not clearly more than parity; parity is 50.0 %.

                       wins        95 %   score  nine of ten
    P1      random  100.0 %  99.2-100.0  -10.38    -13 to -8
    shared            0.0 %     0.0-0.8

    bot    against  games  not beaten  of the other  mean score  of the other
    Roped  Bare        30      73.3 %        53.3 %       10.45         14.00
    ");
}
