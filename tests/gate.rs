//! What leaves the program: no sign of a file steers a terminal, a page or a spreadsheet.

use std::path::{Path, PathBuf};

use crate::commands::{Ran, astragal_in};
use crate::errors::codes_in;
use crate::support::{empty_folder, read};

/// Signs that steer a terminal, turn the order of letters, or cannot be seen.
const SIGNS: [char; 20] = [
    '\u{7}',
    '\u{8}',
    '\u{1b}',
    '\u{7f}',
    '\u{9b}',
    '\u{9d}',
    '\u{ad}',
    '\u{61c}',
    '\u{200b}',
    '\u{200e}',
    '\u{202a}',
    '\u{202e}',
    '\u{2060}',
    '\u{2066}',
    '\u{2069}',
    '\u{feff}',
    '\u{fff9}',
    '\u{e0001}',
    '\u{e0041}',
    '\u{2028}',
];

/// The sequences of signs that do harm.
const HARM: &str =
    "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}back\u{202c}\u{200b}\u{e0041}\u{2066}";

/// The same without what no text of a game may hold.
const UNSEEN: &str = "a\u{202e}b\u{202c}\u{200b}\u{e0041}\u{2066}\u{feff}";

/// A folder of this test's own.
fn folder(test: &str) -> PathBuf {
    empty_folder(&format!("gate/{test}"))
}

fn write(folder: &Path, file: &str, text: &str) {
    std::fs::write(folder.join(file), text).expect("the folder of tests can be written");
}

#[track_caller]
fn clean(text: &str, place: &str) {
    let bad = text.chars().find(|letter| {
        SIGNS.contains(letter) || letter.is_control() && !matches!(letter, '\n' | '\t')
    });
    assert_eq!(bad, None, "{place} lets it through:\n{text:?}");
}

/// Text in colours, without the colours.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|letter: char| !letter.is_ascii_digit() && letter != ';');
        match end {
            Some(end) if piece[end..].starts_with('m') => plain.push_str(&piece[end + 1..]),
            _ => plain.extend(["\u{1b}[", piece]),
        }
    }
    plain
}

/// A game full of signs that nobody sees, in all places where texts may stand. Words of moves are none
/// of them: the checker refuses those.
fn game() -> String {
    let text = format!(
        "# {HARM}\n## A note {UNSEEN}\ngame \"Title {UNSEEN}\" {{ players 2 }}\n\
         option target = 5 \"how {UNSEEN}\"\n\
         ## Of a kind {UNSEEN}\nkind Side {{ light \"L{UNSEEN}\", dark }}\n\
         the table has {{ n \"N{UNSEEN}\": 0..9 = 0; s: Side = light }}\n\
         play {{\n  choose Player.first \"What {UNSEEN}?\" {{\n    \
         ## Note of a move {UNSEEN}\n    go \"go on\" {{ n += 1 }}\n    stay \"stay\" {{ }}\n  }}\n  \
         say \"Said {UNSEEN}\"\n  finish draw\n}}\nmeasure steps \"M{UNSEEN}\" = n\n"
    );
    text
}

/// Writes files full of such signs; one has a name of them.
fn harmful(here: &Path) -> String {
    write(here, "it.game", &game());
    // A mistake on a line with a comment; the comment is drawn with it.
    write(
        here,
        "bad.game",
        &format!("game \"G\" {{ players 2 }}\nplay {{ finish drawn }} # {HARM}\n"),
    );
    let name = format!("n{}ame.game", HARM.replace('/', ""));
    write(here, &name, "game \"G\" { players }\n");
    let script =
        format!("game it.game\nplayers A{UNSEEN}, B\nseed 1\n# {HARM}\nA{UNSEEN}> go {UNSEEN}\n");
    write(here, "it.script", &script);
    write(here, "bad.script", &format!("{script}nonsense {HARM}\n"));
    name
}

/// Everything that prints a text of a file, once for each way of printing.
#[test]
fn no_sign_of_a_file_steers_a_terminal() {
    let here = folder("signs");
    let name = harmful(&here);
    let players = format!("A{HARM},B").replace(':', "");
    for color in ["never", "always", "auto"] {
        for words in [
            &["check", "it.game"][..],
            &["check", "bad.game"],
            &["check", &name],
            &["check", &format!("lost{HARM}.game")],
            &["check", "it.game", "--format", "json"],
            &["check", "bad.game", "--format", "json"],
            &["check", &name, "--format", "json"],
            &["check", "it.game", "--emit", "ast"],
            &["check", "it.game", "--emit", "rules"],
            &["check", "it.game", "--emit", "bytecode"],
            &["check", "it.game", "--play", "3"],
            &["fmt", "--diff", "it.game"],
            &["fmt", "--check", &name],
            &["play", "it.game", "--seed", "1"],
            &["play", "it.game", "--seed", "1", "--names", &players],
            &["play", &format!("lost{HARM}")],
            &["run", "it.script"],
            &["run", "bad.script"],
            &["run", "it.script", "--as", &format!("A{HARM}")],
            &["simulate", "it.game", "-n", "4", "--seed", "1"],
            &["simulate", "it.game", "-n", "4", "--seed", "1", "--format", "json"],
            &["simulate", "it.game", "-n", "4", "--seed", "1", "--format", "csv"],
            &["simulate", "it.game", "-n", "4", "--seed", "1", "--seats", HARM],
            &["solve", "it.game"],
            &["perft", "it.game", "--depth", "1", "--divide"],
            &["rules", "it.game"],
            &["rules", "it.game", "moves"],
            &["explain", HARM],
            &[HARM],
            &["play", "nim", "--seat", &format!("{HARM}=human")],
            &["play", "nim", HARM, HARM],
        ] {
            let words: Vec<&str> = [&["--color", color], words].concat();
            let input = format!(
                ":moves\n:state\n:rules\n:help Side\n:why go {UNSEEN}\n:history\n:eval \"{HARM}\"\n{HARM}\n1\n"
            );
            let Ran { output, errors, .. } = astragal_in(&here, &words, &input);
            let plain = |text: &str| match color {
                "always" => without_colours(text),
                _ => text.to_owned(),
            };
            clean(&plain(&output), &format!("the output of {words:?}"));
            clean(&plain(&errors), &format!("the messages of {words:?}"));
        }
    }
}

#[test]
fn signs_in_json_are_written_as_numbers() {
    let here = folder("json");
    write(&here, "it.game", &game());
    let ran = astragal_in(
        &here,
        &["simulate", "it.game", "-n", "1", "--seed", "1", "--format", "json"],
        "",
    );
    assert!(
        ran.output.contains(r"Title a\u202eb\u202c\u200b\udb40\udc41\u2066\ufeff"),
        "{}",
        ran.output
    );
    let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
    assert_eq!(value["game"], format!("Title {UNSEEN}"));
}

#[test]
fn a_page_has_no_sign_of_a_file_either() {
    let here = folder("page");
    let title = format!("<script>alert(1)</script> & \\\" ' {UNSEEN}");
    write(&here, "it.game", &game().replace(&format!("Title {UNSEEN}"), &title));
    let words = ["simulate", "it.game", "-n", "4", "--seed", "1", "--report", "page.html"];
    let ran = astragal_in(&here, &words, "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let page = read(&here.join("page.html"));
    clean(&page, "the page");
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"), "{page}");
}

#[test]
fn the_rulebook_has_no_tags_and_no_lines_of_a_title() {
    let here = folder("rulebook");
    let evil = "X<img src=x onerror=alert(1)>\\n# Fake\\n<script>";
    let text = game().replace(UNSEEN, evil).replace(&format!("# {HARM}\n"), "");
    let text = text.replace(&format!("## A note {evil}"), "## A <b>note</b> <!-- hidden");
    write(&here, "it.game", &text);
    let ran = astragal_in(&here, &["rules", "it.game"], "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let tag = |at: usize| {
        let next = ran.output[at + 1..].chars().next().unwrap_or(' ');
        !ran.output[..at].ends_with('\\') && (next.is_alphabetic() || "/!?".contains(next))
    };
    let tags: Vec<usize> = ran.output.match_indices('<').map(|(at, _)| at).collect();
    assert!(!tags.is_empty(), "{}", ran.output);
    assert!(!tags.into_iter().any(tag), "{}", ran.output);
    assert!(!ran.output.lines().any(|line| line.starts_with("# Fake")), "{}", ran.output);
}

/// What an author writes is no markup of the book, wherever it stands: in a title, a note, a text, a cell.
#[test]
fn the_rulebook_shows_texts_as_they_are_written() {
    let here = folder("markdown");
    let evil =
        "[go](javascript:alert(1)) ![i](//x.y/z.png) &lt;b&gt; &#60; <b> *s* _t_ ~~u~~ | ` \\\\[";
    let text = game().replace(UNSEEN, evil).replace(&format!("# {HARM}\n"), "");
    write(&here, "it.game", &text);
    let ran = astragal_in(&here, &["rules", "it.game"], "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let bare = |sign: &str| {
        let signs = ran.output.match_indices(sign).map(|(at, _)| &ran.output[..at]);
        // A sign behind an odd number of backslashes is no markup.
        signs.filter(|before| (before.len() - before.trim_end_matches('\\').len()) % 2 == 0).count()
    };
    assert!(ran.output.contains(r"[go\](javascript:alert(1))"), "{}", ran.output);
    for sign in ["](", "&lt;", "&#60;", "<b", "_t", "~", "*s* "] {
        assert_eq!(bare(sign), 0, "{sign} in\n{}", ran.output);
    }
}

#[test]
fn no_cell_of_a_table_is_a_formula() {
    let here = folder("csv");
    for title in ["=1+1", "+1+1", "-1+1", "@SUM(1)", "\\n=1", "a,\\\"b"] {
        let text = format!("game \"{title}\" {{ players 2 }}\nplay {{ finish draw }}\n");
        write(&here, "it.game", &text);
        let words = ["simulate", "it.game", "-n", "1", "--seed", "1", "--format", "csv"];
        let ran = astragal_in(&here, &words, "");
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
        let line = ran.output.lines().find(|line| line.starts_with(",game,"));
        let cell = line.and_then(|line| line.strip_prefix(",game,,")).expect("the title is told");
        let begin = cell.trim_start_matches('"');
        assert!(!begin.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
    }
}

#[test]
fn hidden_signs_are_warned_of() {
    let here = folder("warned");
    write(
        &here,
        "it.game",
        "game \"G\" { players 2 }\n# Nothing\u{202e} here.\nplay { finish draw }\n",
    );
    let ran = astragal_in(&here, &["check", "it.game"], "");
    assert_eq!(
        (ran.exit, codes_in(&ran.errors)),
        (Some(0), vec!["syntax::hidden_sign".to_owned()])
    );
    assert!(ran.errors.contains("U+202E"), "{}", ran.errors);
    assert!(ran.errors.contains("`# Nothing here.`"), "{}", ran.errors);
    // A script is read by people, too.
    write(&here, "it.script", "game nim\n# Nothing\u{202e} here.\nP1> take 3 left\n");
    for words in
        [&["run", "it.script"][..], &["play", "--load", "it.script", "--seat", "all=random"]]
    {
        let ran = astragal_in(&here, words, "");
        assert_eq!(
            (ran.exit, codes_in(&ran.errors)),
            (Some(0), vec!["syntax::hidden_sign".to_owned()]),
            "{words:?}: {}",
            ran.errors
        );
        assert!(ran.errors.contains("it.script:2:"), "{words:?}: {}", ran.errors);
        assert!(ran.errors.contains("`# Nothing here.`"), "{words:?}: {}", ran.errors);
    }
    // The mark of the byte order is no sign of the text; joiners behind letters that need them, and
    // what picks the form of a picture, do their work.
    write(
        &here,
        "it.game",
        "\u{feff}game \"\u{645}\u{6cc}\u{200c}\u{62e} \u{2694}\u{fe0f}\" { players 2 }\nplay { finish draw }\n",
    );
    let ran = astragal_in(&here, &["check", "it.game"], "");
    assert_eq!((ran.exit, ran.errors.as_str()), (Some(0), ""));
}
