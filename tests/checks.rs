//! Small pieces of rules and what the checker says of each: many cases in one file, set in one game.

use std::fmt::Write;

use astragal::machinery::budget::Budget;
use astragal::machinery::check::check_rules;
use astragal::machinery::source::Source;
use astragal::machinery::syntax::parse;

use crate::support::{read, snapshots};

/// The codes and messages of the checker alone, in order of place; `fine` if there are none.
fn findings(text: &str) -> String {
    let (ast, unreadable) = parse(&Source::new("case.game", text));
    assert!(unreadable.is_empty(), "the text can be read: {text}");
    let checked = check_rules(&ast, Budget::default());
    let found = checked.diagnostics;
    assert_eq!(checked.rules.is_none(), found.has_errors(), "rules come out when nothing is wrong");
    let code = |finding: &astragal::machinery::diagnostic::Diagnostic| {
        let code = finding.code.expect("each finding has a code");
        format!("=> {code}: {finding}\n")
    };
    let all: String = found.sorted().iter().map(code).collect();
    if all.is_empty() { "=> fine\n".to_owned() } else { all }
}

/// A file begins with a game. The cases follow, each behind a line of three dashes that may say what
/// they are about; each is checked in the place of the `@` of the game.
#[test]
fn the_checker_judges_each_case() {
    let _guard = snapshots("checks");
    insta::glob!("", "checks/*.cases", |path| {
        let text = read(path);
        let (game, cases) = text.split_once("\n---").expect("cases follow the game");
        let mut shown = format!("{game}\n");
        for case in cases.split("\n---") {
            let (title, case) = case.split_once('\n').expect("a case has text");
            let case = case.trim_end();
            let found = findings(&format!("{}\n", game.replacen('@', case, 1)));
            write!(shown, "---{title}\n{case}\n{found}").expect("a string takes every text");
        }
        insta::assert_snapshot!("findings", shown);
    });
}
