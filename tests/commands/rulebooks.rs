//! What holds for the rulebook of every game; what they read like stands in `tests/commands`.

use astragal::rulebook::{Edition, Rulebook, rulebook};

use crate::support::{below, game_files, read, root, rules};

fn book(text: &str, path: &str) -> Rulebook {
    let rules = rules(path, text);
    let (rules, sources) = (&rules.rules, &rules.sources);
    rulebook(&Edition { rules, sources, setting: None, variants: &[] })
}

/// Whatever a file holds, there is a book of it, and nothing in it is left over from making it.
#[test]
fn every_game_has_a_whole_book() {
    for path in game_files(&["games", "examples", "tests/games"]) {
        let book = book(&read(&path), &below(&path));
        let text = book.markdown();
        for part in ["players", "play", "end"] {
            assert!(book.part(part).is_some(), "{}: no part `{part}`", path.display());
        }
        for wrong in ["  to all", "****", "of of", "..\n", "the the", ": .", " ."] {
            assert!(!text.contains(wrong), "{}: `{wrong}` in\n{text}", path.display());
        }
    }
}

/// What the language's page quotes from a book is what the book says.
#[test]
fn the_page_quotes_the_book() {
    let page = read(&root().join("docs/language.md"));
    let below = |from: &str, text: &str| {
        let start = text.find(from).expect("the page has this block") + from.len();
        let end = start + text[start..].find("\n```").expect("the block ends");
        (text[start..end].trim_start().to_owned(), text[end..].to_owned())
    };
    let (game, rest) = below("```game lamps.game", &page);
    let (quoted, _) = below("```text", &rest);
    let text = book(&format!("{game}\n"), "lamps.game").markdown();
    assert!(text.contains(&quoted), "{quoted}\nis not in\n{text}");
}
