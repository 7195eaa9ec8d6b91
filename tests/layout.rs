//! What `fmt` makes of files: other lines never, other rules never, and nothing the second time.

use std::path::Path;

use astragal::source::Source;
use astragal::syntax::{parse, print, tidy};

use crate::support::{files, read, snapshots};

/// All games that are to be read by people.
fn game_files() -> Vec<std::path::PathBuf> {
    ["games", "examples", "tests/games"].iter().flat_map(|folder| files(folder, "game")).collect()
}

fn tidied(text: &str) -> String {
    let source = Source::new("tidy", text);
    let (ast, _) = parse(&source);
    tidy(&source, &ast)
}

fn printed(path: &Path, text: &str) -> String {
    let (ast, diagnostics) = parse(&Source::new(path.display().to_string(), text));
    assert!(!diagnostics.has_errors(), "{} cannot be read:\n{text}", path.display());
    print(&ast)
}

#[test]
fn layout_changes_no_rules() {
    for path in game_files() {
        let text = read(&path);
        let tidied = tidied(&text);
        let (before, after) = (printed(&path, &text), printed(&path, &tidied));
        assert_eq!(before, after, "{} has other rules now", path.display());
        assert_eq!(self::tidied(&tidied), tidied, "{} changes again", path.display());
    }
}

#[test]
fn bundled_games_are_laid_out() {
    for path in game_files() {
        let text = read(&path);
        assert_eq!(tidied(&text), text, "run `astragal fmt {}`", path.display());
    }
}

#[test]
fn files_are_laid_out_like_this() {
    let _guard = snapshots("layout");
    insta::glob!("", "layout/*.game", |path| {
        let text = read(path);
        insta::assert_snapshot!("tidy", format!("{text}\n----- laid out -----\n{}", tidied(&text)));
    });
}
