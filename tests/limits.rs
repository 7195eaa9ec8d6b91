//! What files of strangers may cost: docs/limits.md says it, and the constants of the program are
//! what it says.

use astragal::machinery::bots;
use astragal::machinery::budget::{MAX_MEMORY, MAX_WORK};
use astragal::machinery::bytecode::program::MOST_SUBSETS;
use astragal::machinery::compile::MAX_STEPS;
use astragal::machinery::diagnostic::MOST_FINDINGS;
use astragal::machinery::editor::Document;
use astragal::machinery::game::MAX_SAID;
use astragal::machinery::load::{MAX_DECLARATIONS, MAX_FILES, OpenedFile};
use astragal::machinery::pipeline::{MAX_COMBINATIONS, MAX_COMPILED, check};
use astragal::machinery::source::Sources;
use astragal::machinery::syntax::{MAX_BYTES, MAX_NAME, MAX_NESTING};
use astragal::machinery::transcript::MAX_LINES;
use astragal::machinery::vm::{FUEL, MAX_ASIDE, MAX_STACK};

use crate::commands::astragal_in;
use crate::support::{read, root};

/// What the page calls each limit, and how much it is.
fn limits() -> Vec<(&'static str, u64)> {
    let number = |number: usize| u64::try_from(number).expect("limits are small");
    vec![
        ("syntax::MAX_BYTES", number(MAX_BYTES)),
        ("syntax::MAX_NESTING", number(MAX_NESTING)),
        ("load::MAX_DECLARATIONS", number(MAX_DECLARATIONS)),
        ("load::MAX_FILES", number(MAX_FILES)),
        ("compile::MAX_STEPS", number(MAX_STEPS)),
        ("pipeline::MAX_COMBINATIONS", number(MAX_COMBINATIONS)),
        ("pipeline::MAX_COMPILED", MAX_COMPILED),
        ("budget::MAX_WORK", MAX_WORK),
        ("budget::MAX_MEMORY", MAX_MEMORY),
        ("syntax::MAX_NAME", number(MAX_NAME)),
        ("program::MOST_SUBSETS", number(MOST_SUBSETS)),
        ("vm::FUEL", FUEL),
        ("vm::MAX_STACK", number(MAX_STACK)),
        ("vm::MAX_ASIDE", number(MAX_ASIDE)),
        ("bots::MAX_MEMORY", number(bots::MAX_MEMORY)),
        ("diagnostic::MOST_FINDINGS", number(MOST_FINDINGS)),
        ("game::MAX_SAID", number(MAX_SAID)),
        ("transcript::MAX_LINES", number(MAX_LINES)),
    ]
}

#[test]
fn the_page_of_limits_is_true() {
    let page = read(&root().join("docs/limits.md"));
    let rows: Vec<Vec<&str>> = page.lines().map(cells).filter(|cells| cells.len() == 4).collect();
    for (name, value) in limits() {
        let row = rows.iter().find(|cells| cells[2].contains(&format!("`{name}`")));
        let row = row.unwrap_or_else(|| panic!("docs/limits.md does not name `{name}`"));
        let told: String = row[1].chars().filter(char::is_ascii_digit).collect();
        assert_eq!(told, value.to_string(), "docs/limits.md tells something else of `{name}`");
    }
}

#[test]
fn private_limits_are_what_the_page_says() {
    let page = read(&root().join("docs/limits.md"));
    for cells in page.lines().map(cells).filter(|cells| cells.len() == 4) {
        let Some((file, name)) = cells[2].trim_matches('`').split_once(": ") else { continue };
        let source = read(&root().join("src").join(file));
        let line = source.lines().find(|line| line.contains(&format!("const {name}:")));
        let line = line.unwrap_or_else(|| panic!("src/{file} has no constant `{name}`"));
        let (_, value) = line.split_once(" = ").expect("a constant has a value");
        let told: String = cells[1].chars().filter(char::is_ascii_digit).collect();
        assert_eq!(
            told,
            product(value).to_string(),
            "docs/limits.md tells something else of {name}"
        );
    }
}

#[test]
fn each_code_of_the_page_is_explained() {
    let (page, errors) = ("docs/limits.md", read(&root().join("docs/errors.md")));
    for cells in read(&root().join(page)).lines().map(cells).filter(|cells| cells.len() == 4) {
        for code in cells[3].split('`').filter(|word| word.contains("::")) {
            assert!(errors.contains(&format!("\n## {code}\n")), "{page} names `{code}`");
        }
    }
}

/// The cells of a row of a table.
fn cells(line: &str) -> Vec<&str> {
    let row = line.strip_prefix('|').and_then(|row| row.strip_suffix('|'));
    row.map(|row| row.split('|').map(str::trim).collect()).unwrap_or_default()
}

/// The value of a constant as it is written: `16 << 20`, `4 * 1024`, `1_000`.
fn product(written: &str) -> u64 {
    let number = |text: &str| -> u64 {
        text.trim().trim_end_matches(';').replace('_', "").parse().expect("it is a number")
    };
    match written.split_once("<<") {
        Some((number_of, bits)) => number(number_of) << number(bits),
        None => written.split('*').map(number).product(),
    }
}

#[test]
fn what_is_found_too_often_is_counted_in_every_front() {
    let names: Vec<String> = (0..5_000).map(|at| format!("x{at}")).collect();
    let text = format!(
        "game \"G\" {{ players 2 }}\nlet all = {{{}}}\nplay {{ finish draw }}\n",
        names.join(", ")
    );
    let opened = OpenedFile::alone("many.game", &text);
    let fronts = [
        check(&mut Sources::default(), &opened).diagnostics,
        Document::read(&opened).diagnostics(),
    ];
    for found in fronts {
        let shown = found.sorted();
        assert_eq!(shown.len(), MOST_FINDINGS + 1);
        let last = shown.last().expect("there are some");
        assert_eq!(last.code, Some("check::more_findings"));
        assert!(last.message.starts_with("4900 more findings"), "{}", last.message);
    }
}

#[test]
fn editors_ask_in_thousands_of_open_brackets() {
    let text = format!("game \"G\" {{ players 2 }}\nplay {{ x = f{}", "(".repeat(389_000));
    let document = Document::read(&OpenedFile::alone("open.game", &text));
    assert_eq!(document.call(text.len()), None);
    assert!(document.complete(text.len()).1.len() < 1_000);
}

#[test]
fn what_is_far_on_a_long_line_is_no_excerpt() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("far");
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    let comment = "c".repeat(100_000);
    for text in [
        format!("game \"G\" {{ players 2 }}\nplay {{ finish draw # {comment} }}\n"),
        format!("game \"G\" {{ players 2 }}\nplay {{\n  # {comment}\n  finish draw\n"),
        format!("let n = 1\nlet m = \"{comment}\"; let n = 2\n"),
        format!("let n = \"{}\"\n", "\u{202e}\u{200b}".repeat(60_000)),
    ] {
        std::fs::write(folder.join("far.game"), text).expect("the folder can be written");
        let ran = astragal_in(&folder, &["check", "far.game"], "");
        assert_eq!(ran.exit, Some(1), "{}", ran.errors);
        assert!(ran.errors.len() < 10_000, "{}", ran.errors.len());
    }
}

#[test]
fn searches_say_how_far_their_memory_went() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory");
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    let text = "game \"G\" { players 2; limit 20 decisions { finish draw } }\n\
                the table has { die d[1..500] = 1..4096 }\n\
                play { turns me from Player.first { roll d for i in 1..500\n choose me { go { }; stop { finish draw } } } }\n";
    std::fs::write(folder.join("dice.game"), text).expect("the folder can be written");
    for words in [&["solve", "--uniform"][..], &["perft", "--depth", "2"]] {
        let ran =
            astragal_in(&folder, &[words, &["--max-memory", "20MB", "dice.game"]].concat(), "");
        assert_eq!(ran.exit, Some(1), "{}{}", ran.output, ran.errors);
        assert!(ran.errors.contains("20 MB of memory"), "{}", ran.errors);
        assert!(ran.errors.contains("--max-memory"), "{}", ran.errors);
    }
}
