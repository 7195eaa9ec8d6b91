//! Wrong files and what is said of them: one mistake a file, the file named after the situation.

use std::collections::BTreeSet;
use std::fmt::Write;

use astragal::machinery::diagnostic::{Diagnostic, Diagnostics};
use astragal::machinery::game::{LegalMoves, State};
use astragal::machinery::pipeline::OpenedFile;
use astragal::machinery::snippet::{WaitingGame, explain};
use astragal::machinery::source::{Source, Sources, hidden_signs};

use crate::support::{
    below, checked, draw, files, first_game, name, playout, read, rules, snapshots,
};

/// The file and what is said of it, so that one can be judged by the other.
fn shown(text: &str, drawn: &str) -> String {
    format!("{}\n----- says -----\n{}", text.trim_end(), drawn.trim_end())
}

fn refused(folder: &str, pattern: &str) {
    let _guard = snapshots(folder);
    insta::glob!("", pattern, |path| {
        let text = read(path);
        let (checked, source) = checked(&name(path), &text);
        let drawn = draw(&source, &checked.diagnostics);
        assert!(!drawn.is_empty(), "nothing is wrong with {}", path.display());
        insta::assert_snapshot!("message", shown(&text, &drawn));
    });
}

#[test]
fn mistakes_of_form_are_explained() {
    refused("diagnostics/syntax", "diagnostics/syntax/*.game");
}

#[test]
fn mistakes_of_meaning_are_explained() {
    refused("diagnostics/check", "diagnostics/check/*.game");
}

#[test]
fn settings_that_cannot_be_are_explained() {
    refused("diagnostics/setting", "diagnostics/setting/*.game");
}

#[test]
fn mistakes_that_show_in_play_are_explained() {
    let _guard = snapshots("diagnostics/play");
    insta::glob!("", "diagnostics/play/*.game", |path| {
        let text = read(path);
        let source = Source::new(name(path), text.clone());
        let game = first_game(&rules(&source.name, &text));
        let mut found = Diagnostics::new();
        let mut look = |state: &State, turn: &LegalMoves, _| {
            let unkept = game.unkept(state).into_iter().find(|_| found.is_empty());
            let waiting = WaitingGame { game: &game, state, legal: turn };
            let explained = unkept.into_iter().filter_map(|it| explain(waiting, &it, &[]));
            explained.for_each(|it| found.extend(it));
        };
        let trap = (0..100).find_map(|seed| playout(&game, seed, &mut look).err());
        trap.into_iter().for_each(|trap| found.push(trap));
        if let Some(error) = game.num_distinct_actions().err().filter(|_| found.is_empty()) {
            error.diagnostics().iter().for_each(|it| found.push(it.clone()));
        }
        assert!(!found.is_empty(), "nothing goes wrong in {}", path.display());
        insta::assert_snapshot!("message", shown(&text, &draw(&source, &found)));
    });
}

#[test]
fn variants_that_do_not_fit_are_explained() {
    let _guard = snapshots("diagnostics/variant");
    insta::glob!("", "diagnostics/variant/*.game", |path| {
        let ran = crate::commands::astragal(&["check", &below(path)], "");
        assert_eq!(ran.exit, Some(1), "{} should be refused", path.display());
        insta::assert_snapshot!("message", shown(&read(path), &ran.errors));
    });
}

#[test]
fn failing_scripts_are_explained() {
    let _guard = snapshots("diagnostics/script");
    insta::glob!("", "diagnostics/script/*.script", |path| {
        let ran = crate::commands::astragal(&["run", "--quiet", &below(path)], "");
        assert_eq!(ran.exit, Some(1), "{} should fail: {}", path.display(), ran.errors);
        insta::assert_snapshot!("message", shown(&read(path), &ran.errors));
    });
}

#[test]
fn findings_come_in_the_order_of_the_text() {
    let text = "play { finish dawn }\nrule Tall() = 1\nset x\n";
    let found = astragal::machinery::pipeline::check(
        &mut Sources::default(),
        &OpenedFile::alone("three.game", text),
    )
    .diagnostics;
    let places: Vec<u32> = found.sorted().iter().map(|finding| finding.place().start).collect();
    assert_eq!(places.len(), 3);
    assert!(places.is_sorted());
}

/// What is left of a finding: its code, its words and where it stands.
fn traces(found: &Diagnostics) -> BTreeSet<(Option<String>, String, u32)> {
    let trace = |finding: &Diagnostic| {
        let code = finding.code.map(str::to_owned);
        (code, finding.to_string(), finding.place().start)
    };
    found.sorted().iter().map(trace).collect()
}

/// A text of which nothing is hidden.
fn seen(text: &str) -> String {
    let hidden = hidden_signs(text).next().is_some();
    if hidden { text.escape_unicode().to_string() } else { text.to_owned() }
}

/// Every fix is put into the text alone: the finding is gone then.
#[test]
fn fixes_mend_what_they_are_offered_for() {
    let _guard = snapshots("diagnostics");
    let (mut shown, mut broken, mut fixed) = (String::new(), String::new(), 0);
    for folder in ["check", "setting", "syntax", "variant"] {
        for path in files(&format!("tests/diagnostics/{folder}"), "game") {
            let (text, name) = (read(&path), below(&path));
            let (found, source) = checked(&name, &text);
            for finding in found.diagnostics.sorted() {
                let Some(fix) = &finding.fix else { continue };
                let (start, end) = (fix.span.start as usize, fix.span.end as usize);
                let (before, after) = (&text[..start], &text[end..]);
                let (mended, _) = checked(&name, &format!("{before}{}{after}", fix.text));
                let trace = traces(&Diagnostics::of(finding.clone()));
                fixed += 1;
                let mut line =
                    format!("{name}: `{}` -> `{}`\n", seen(source.slice(fix.span)), fix.text);
                let left = traces(&mended.diagnostics);
                let here = start..=start + fix.text.len();
                let wrong = left.iter().find(|(.., at)| here.contains(&(*at as usize)));
                if let Some((_, words, _)) = wrong {
                    writeln!(line, "  then: {words}").expect("a string takes every text");
                }
                if left.is_disjoint(&trace) { &mut shown } else { &mut broken }.push_str(&line);
            }
        }
    }
    println!("{fixed} fixes");
    assert!(broken.is_empty(), "these mend nothing:\n{broken}");
    assert!(fixed > 150, "only {fixed} findings have a fix");
    insta::assert_snapshot!("fixes", shown);
}
