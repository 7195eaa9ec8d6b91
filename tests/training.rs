//! Bots that learn: the number of games alone says what they learn, and what they learned is of use.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::commands::{Ran, astragal_in};

/// Two players take turns to add a digit; a file with a strategy, and with a score for each.
const GAME: &str = r#"game "Heaps" {
  players 2
}

kind Heap { small, middle, large }

each player has {
  points: 0..99 = 0
}
the table has {
  left[Heap]: 0..9 = 6
}

strategy "Greedy one" {
  take(h) by highest left[h]
}

play {
  turns me from Player.first {
    choose me {
      take(h) for h in Heap where left[h] > 0 {
        me.points += left[h]
        left[h] -= 1
      }
    }
    if all(h in Heap: left[h] == 0) { break }
  }
  finish ranking p by p.points
}
"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is a folder for such files");
    fs::write(folder.path().join("heaps.game"), GAME).expect("the folder is new");
    folder
}

fn ran(folder: &Path, words: &[&str]) -> Ran {
    astragal_in(folder, words, "")
}

/// What is learned from so many games, written into a file of this name.
fn trained(folder: &Path, file: &str, words: &[&str]) -> String {
    let Ran { exit, errors, .. } =
        ran(folder, &[&["train", "heaps.game", "--out", file][..], words].concat());
    assert_eq!(exit, Some(0), "{errors}");
    fs::read_to_string(folder.join(file)).expect("it was written")
}

#[test]
fn the_number_of_games_alone_says_what_is_learned() {
    let folder = folder();
    let whole = trained(folder.path(), "one.bot", &["--games", "160", "--threads", "1"]);
    for (file, threads) in [("two.bot", "2"), ("three.bot", "3")] {
        trained(folder.path(), file, &["--games", "64", "--threads", threads]);
        let more = trained(folder.path(), file, &["--games", "150", "--threads", threads]);
        assert!(more == whole, "with {threads} threads in two parts");
    }
    let other = trained(folder.path(), "other.bot", &["--games", "160", "--seed", "2"]);
    assert!(other != whole);
    let by_time = trained(folder.path(), "time.bot", &["--time", "1ms"]);
    assert!(by_time == trained(folder.path(), "few.bot", &["--games", "32"]));
}

#[test]
fn what_was_learned_is_known_to_bots_by_its_file() {
    let folder = folder();
    trained(folder.path(), "heaps.bot", &["--games", "192"]);
    for bot in ["learned", "learned@heaps.bot", "mcts:50@", "mcts:50@heaps.bot"] {
        let words = ["simulate", "heaps.game", "-n", "40", "--seed", "1", "--format", "json"];
        let skill = format!("--skill=random,{bot}");
        let Ran { exit, output, errors } = ran(folder.path(), &[&words[..], &[&skill]].concat());
        assert_eq!(exit, Some(0), "{errors}");
        let value: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
        assert!(output.contains(bot), "{output}");
        let won = value["steps"][0]["wins"].as_u64().expect("it is counted");
        assert!(won >= 32, "{bot} wins {won} of 40");
    }
    let guided = ["simulate", "heaps.game", "--skill=random,mcts:20+Greedy one", "-n", "4"];
    assert_eq!(ran(folder.path(), &[&guided[..], &["--seed", "1"]].concat()).exit, Some(0));
}

#[test]
fn what_was_never_compared_with_a_strategy_searches_with_it() {
    let folder = folder();
    // In as many games teachers play, and the pupil does not.
    trained(folder.path(), "heaps.bot", &["--games", "96"]);
    let [learned, guided] = ["mcts:20@,mcts:50", "mcts:20+Greedy one,mcts:50"].map(|seats| {
        let words = ["simulate", "heaps.game", "-n", "20", "--seed", "1", "--format", "json"];
        let Ran { exit, output, errors } =
            ran(folder.path(), &[&words[..], &["--seats", seats]].concat());
        assert_eq!(exit, Some(0), "{errors}");
        let report: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
        [report["choices"].clone(), report["scores"].clone()]
    });
    assert_eq!(learned, guided);
}

#[test]
fn what_is_damaged_or_of_other_rules_is_refused() {
    let folder = folder();
    let path = folder.path().join("heaps.bot");
    let text = trained(folder.path(), "heaps.bot", &["--games", "32"]);
    let play = ["simulate", "heaps.game", "-n", "2", "--seed", "1", "--seats", "learned"];
    let mut damaged: Vec<String> = (0..text.lines().count())
        .step_by(7)
        .skip(1)
        .map(|line| {
            let rest = text.lines().enumerate().filter(|(at, _)| *at != line);
            rest.map(|(_, line)| line).collect::<Vec<_>>().join("\n") + "\n"
        })
        .collect();
    damaged.push(text.replace("unit", "unit 1"));
    damaged.push(text[..text.len() / 2].to_owned());
    for text in damaged {
        fs::write(&path, text).expect("it can be written");
        let Ran { exit, errors, .. } = ran(folder.path(), &play);
        assert_eq!(exit, Some(1));
        assert!(errors.contains("cli::damaged_bot"), "{errors}");
    }
    fs::write(&path, text).expect("it can be written");
    fs::write(folder.path().join("heaps.game"), GAME.replace("= 6", "= 5")).expect("it can be");
    let Ran { exit, errors, .. } = ran(folder.path(), &play);
    assert_eq!(exit, Some(1));
    assert!(errors.contains("cli::stale_bot"), "{errors}");
    let Ran { errors, .. } = ran(folder.path(), &["train", "heaps.game", "--games", "32"]);
    assert!(errors.contains("cli::stale_bot"), "{errors}");
    let again = ["train", "heaps.game", "--games", "32", "--force"];
    assert_eq!(ran(folder.path(), &again).exit, Some(0));
}

/// All play for one score, which a single mistake loses.
const TOGETHER: &str = r#"game "Wires" {
  players 2
}

kind Wire { red, green, blue }

the table has {
  live: maybe Wire = none
  blown = no
  parts: 0..8 = 0
}

strategy "Careful" {
  cut(w) when w != live
}

measure points = score()

rule score() = if blown then 0 else parts

play {
  turns me from Player.first {
    live = random Wire
    choose me {
      cut(w) for w in Wire {
        if w == live { blown = yes }
        parts += 1
      }
    }
    if blown or parts == 8 { break }
  }
  finish ranking p by score()
}
"#;

#[test]
fn searches_that_strategies_guide_teach_games_with_one_score() {
    let folder = folder();
    fs::write(folder.path().join("heaps.game"), TOGETHER).expect("it can be written");
    let whole = trained(folder.path(), "heaps.bot", &["--games", "64", "--threads", "1"]);
    assert!(whole == trained(folder.path(), "two.bot", &["--games", "64", "--threads", "2"]));
    // Chance, a search, the strategy, and a search that it guides: what each won, and how often it played.
    let teachers = whole.lines().find_map(|line| line.strip_prefix("teachers ")).expect("so");
    assert_eq!(teachers.split(' ').count(), 8, "{teachers}");
    let play = ["simulate", "heaps.game", "-n", "10", "--seed", "1", "--seats", "learned,learned"];
    let Ran { exit, output, errors } = ran(folder.path(), &play);
    assert_eq!(exit, Some(0), "{errors}");
    assert!(output.contains("`points` is 8"), "{output}");
}

/// A player alone, whose scores are too large to be added up.
const HUGE: &str = r#"game "Huge" {
  players 1
}

let huge = 1000000000000000000

each player has {
  score: number = 0
  left: 0..3 = 3
}

play {
  turns me from Player.first {
    choose me {
      many { me.score += huge }
      most { me.score += huge + 2 }
      more { me.score += huge + 1 }
    }
    me.left -= 1
    if me.left == 0 { finish ranking p by p.score }
  }
}
"#;

#[test]
fn scores_that_are_too_large_to_be_added_up_are_searched_and_learned() {
    let folder = folder();
    fs::write(folder.path().join("huge.game"), HUGE).expect("the folder is new");
    for words in [
        &["simulate", "huge.game", "--seats", "mcts:200", "-n", "2", "--seed", "1"][..],
        &["train", "huge.game", "--games", "128"],
    ] {
        let Ran { exit, errors, .. } = ran(folder.path(), words);
        assert_eq!(exit, Some(0), "{words:?}: {errors}");
    }
}

/// Who digs at first has less for 50 decisions, and more at the end.
const WELLS: &str = r#"game "Wells" {
  players 2
}

each player has {
  points: 0..99 = 5
  turn: 0..40 = 0
  has_dug = no
}

strategy "Idle" {
  wait
}

play {
  turns me from Player.first {
    choose me {
      dig when me.turn == 0 { me.points -= 5; me.has_dug = yes }
      wait { }
      rest { }
    }
    me.turn += 1
    if me.turn == 25 and me.has_dug { me.points += 20 }
    if all(p in Player: p.turn == 40) { finish ranking p by p.points }
  }
}
"#;

#[test]
fn what_a_strategy_plays_for_a_search_shows_what_pays_late() {
    let folder = folder();
    fs::write(folder.path().join("wells.game"), WELLS).expect("the folder is new");
    let seats = ["--seats", "mcts:20+Idle,Idle", "-n", "2", "--seed", "1"];
    let words = [&["simulate", "wells.game", "--format", "json"][..], &seats].concat();
    let Ran { exit, output, errors } = ran(folder.path(), &words);
    assert_eq!(exit, Some(0), "{errors}");
    let report: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
    assert_eq!(report["moves"]["dig"]["taken"], 2, "{output}");
}
