//! The picture in the README shows what the program draws, and each bundled game has one in docs/gallery.
//! `ASTRAGAL_PICTURE=1` draws them anew.

use std::path::PathBuf;

use crate::commands::astragal;
use crate::support::{files, read, root};

#[test]
fn the_picture_of_the_readme_is_what_the_program_draws() {
    let play = ["play", "elemento", "--seed", "1", "--names", "Ann,Ben", "--color", "always"];
    let ran = astragal(&play, "place light fire c1\nplace dark water a4\nplace light fire c1\n");
    // The last line is the prompt at which the input ends.
    let lines: Vec<&str> = ran.output.lines().collect();
    let from = lines.iter().rposition(|line| line.contains("upper")).expect("the table is drawn");
    let screen = lines[from..lines.len() - 1].join("\n");
    let drawn = anstyle_svg::Term::new().render_svg(&screen);
    let path = root().join("docs/picture.svg");
    if std::env::var_os("ASTRAGAL_PICTURE").is_some() {
        std::fs::write(&path, drawn).expect("the picture can be written");
    } else {
        assert_eq!(drawn, read(&path), "ASTRAGAL_PICTURE=1 draws it anew");
    }
}

/// How many moves of a bot come before the picture; fewer where the game is over by then.
const MOVES: [usize; 4] = [12, 5, 2, 0];

/// The table of a game after some random moves, without the header and the prompt.
fn table(name: &str) -> String {
    let folder = tempfile::tempdir().expect("there is room for a script");
    let script = folder.path().join("moves.script");
    let path = script.to_str().expect("a path is text");
    for moves in MOVES {
        let text =
            format!("game {name}\nseed 1\n{}", format!("bot {moves}\n").repeat(moves.min(1)));
        std::fs::write(&script, text).expect("it is written");
        let ran = astragal(&["play", "--load", path, "--color", "always", "--plain"], "");
        let lines: Vec<&str> = ran.output.lines().collect();
        if ran.exit == Some(0) && ran.errors.contains("left before its end") {
            return lines[1..lines.len() - 1].join("\n");
        }
    }
    panic!("{name} is over too soon")
}

#[test]
fn each_bundled_game_has_a_picture() {
    let mut games: Vec<PathBuf> = files("examples", "game");
    games.extend(files("games", "game"));
    // A game has the name of its folder; the files beside it are variants and parts.
    games.retain(|path| {
        let folder = path.parent().expect("it is in a folder");
        folder.ends_with("examples") || folder.file_name() == path.file_stem()
    });
    let page = read(&root().join("docs/gallery.md"));
    for name in games.iter().filter_map(|path| path.file_stem()?.to_str()) {
        let picture = format!("gallery/{name}.svg");
        let path = root().join("docs").join(&picture);
        if std::env::var_os("ASTRAGAL_PICTURE").is_some() {
            let drawn = anstyle_svg::Term::new().render_svg(&table(name));
            std::fs::write(&path, drawn).expect("the picture can be written");
        }
        assert!(page.contains(&picture) && path.is_file(), "docs/gallery.md shows no {picture}");
    }
}
