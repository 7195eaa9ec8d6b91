//! Kinds and tables whose cells lie in a file beside the game.

use std::fs;
use std::path::PathBuf;

use crate::commands::astragal_in;
use crate::support::{empty_folder, root};

/// The game of all these tests, with what its file of fruit holds.
const GAME: &str = "game \"Orchard\" { players 2 }
kind Season { spring, autumn }
kind Fruit from \"fruit.csv\"
table yield[Fruit, Season] from \"data/yield.csv\"
each player has { basket: set of Fruit = {} }
play {
  for p in Player {
    choose p { pick(f) for f in Fruit where f.ripe == autumn { p.basket += f; say \"{f}: {f.text}\" } }
  }
  finish ranking p by sum(f in p.basket: f.price * yield[f, autumn])
}
";

const FRUIT: &str = "name,title,price=2,ripe: maybe Season,text\nfig,Green fig,3,autumn,\"Sweet, soft\"\nplum,,,autumn,\
                     \"Say \"\"plum\"\".\"\nmelon,Melon,5,,\n";

fn folder(test: &str, fruit: &str) -> PathBuf {
    let folder = empty_folder(&format!("csv/{test}"));
    fs::create_dir_all(folder.join("data")).expect("the folder of tests can be written");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("so is a file");
    write("orchard.game", GAME);
    write("fruit.csv", fruit);
    write("data/yield.csv", "fruit;spring;autumn\r\nfig;1;2\r\nplum;0;4\r\nmelon;-1;1\r\n");
    folder
}

/// What `check` says of a file of fruit, without its pictures.
fn said(test: &str, fruit: &str) -> String {
    let ran = astragal_in(&folder(test, fruit), &["check", "orchard.game"], "");
    assert_eq!(ran.exit, Some(1), "{}", ran.output);
    let says = |line: &&str| ["  × ", "╭─[", "  help: "].iter().any(|part| line.contains(part));
    let lines = ran.errors.lines().filter(says).map(str::trim);
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn cells_of_a_file_are_played() {
    let here = folder("played", FRUIT);
    fs::write(
        here.join("play.script"),
        "game orchard.game\nplayers Ann, Ben\n\n? count(Fruit) == 3 and melon.ripe == none and plum.price == 2\n\
         Ann> pick fig\n  Green fig: Sweet, soft\nBen> pick plum\n  Plum: Say \"plum\".\n= Ann 6, Ben 8\n",
    )
    .expect("the folder can be written");
    let ran = astragal_in(&here, &["run", "play.script"], "");
    assert_eq!(ran.exit, Some(0), "{}{}", ran.output, ran.errors);
}

#[test]
fn the_layout_leaves_the_file_alone() {
    let here = folder("laid_out", FRUIT);
    let ran = astragal_in(&here, &["fmt", "orchard.game"], "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let kept = |name: &str| fs::read_to_string(here.join(name)).unwrap_or_default();
    assert_eq!((kept("orchard.game").as_str(), kept("fruit.csv").as_str()), (GAME, FRUIT));
}

fn assert_shown(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/csv/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn mistakes_are_shown_in_the_file() {
    let shown = [
        ("half_a_number", FRUIT.replace("5,,", "5.5,,")),
        ("an_open_quote", FRUIT.replace("soft\"", "soft")),
        ("a_name_of_two_words", FRUIT.replace("plum,", "red plum,")),
        ("a_heading_of_two_words", FRUIT.replace("price=2", "the price")),
        ("an_unknown_season", FRUIT.replace("3,autumn", "3,winter")),
        ("a_cell_too_many", FRUIT.replace("5,,", "5,,,sweet")),
        ("nothing", String::new()),
    ];
    let shown = shown.map(|(name, fruit)| format!("{name}\n{}\n", said(name, &fruit)));
    assert_shown("mistakes", &shown.join("\n"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let here = folder("missing", FRUIT);
    let check = |file: &str| {
        fs::write(here.join("orchard.game"), GAME.replace("fruit.csv", file)).expect("a file");
        let ran = astragal_in(&here, &["check", "orchard.game"], "");
        ran.errors.lines().find(|line| line.contains('×')).unwrap_or_default().trim().to_owned()
    };
    let found = ["nuts.csv", "../fruit.csv", "fruit.txt"].map(check);
    assert_shown("found", &found.join("\n"));
}
