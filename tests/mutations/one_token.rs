//! Games with one token lost, doubled, swapped with the next or replaced by one beside it: what is said of them.
//!
//! `ASTRAGAL_ONE_TOKEN=500 cargo test one_token -- --nocapture` prints the first 500 that are refused, with all
//! that is said of them, for people to read and judge; `500:7` prints others, by the seed 7.

use std::fmt::Write;
use std::path::PathBuf;

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::diagnostic::Diagnostic;
use astragal::machinery::pipeline::{Folder, NamedText, OpenedFile, check_without_compiling};
use astragal::machinery::source::{Place, Source, Sources};
use astragal::machinery::syntax::{TokenKind, parse, tokenize};

use crate::support::{Beside, below, game_files, is_variant, read, root, snapshots};

/// How many changes are tried unless more are printed, and by which seed.
const FEW: usize = 200;
const USUAL_SEED: u64 = 1910;

/// A game that was changed in one place.
struct Mistyped {
    name: String,
    what: String,
    line: usize,
    text: String,
}

/// How many are printed, and by which seed they are chosen.
fn printed_and_seed() -> (usize, Seed) {
    let asked = std::env::var("ASTRAGAL_ONE_TOKEN").unwrap_or_default();
    let mut numbers = asked.split(':').map(|it| it.parse::<u64>().ok());
    let printed = numbers.next().flatten().unwrap_or(0);
    let seed = numbers.next().flatten().unwrap_or(USUAL_SEED);
    (usize::try_from(printed).expect("not so many"), Seed(seed))
}

/// The change of this number.
fn mistype(corpus: &[(String, String)], seed: Seed, number: u64) -> Option<Mistyped> {
    let mut chance = seed.stream(number);
    let mut pick = |count: usize| chance.below(u32::try_from(count).expect("not so many")) as usize;
    let (name, text) = &corpus[pick(corpus.len())];
    let tokens = tokenize(text).all;
    let is_blank = |kind| matches!(kind, TokenKind::Space | TokenKind::End | TokenKind::Comment);
    let tokens: Vec<_> = tokens.iter().filter(|token| !is_blank(token.kind)).collect();
    let at = pick(tokens.len() - 2);
    let (token, next) = (tokens[at], tokens[at + 1]);
    let (from, to, nexts) =
        (token.start, token.start + token.text.len(), next.start + next.text.len());
    let (how, end, instead) = match pick(4) {
        0 => ("lost", to, String::new()),
        1 => ("doubled", to, format!("{0} {0}", token.text)),
        2 => ("swapped", nexts, format!("{}{}{}", next.text, &text[to..next.start], token.text)),
        _ => ("replaced", to, tokens[(at + 1 + pick(2)) % tokens.len()].text.to_owned()),
    };
    let line = text[..from].matches('\n').count() + 1;
    let changed = [&text[..from], &instead, &text[end..]].concat();
    let what = format!("{name}:{line}: `{}` {how} (`{instead}`)", token.text);
    (changed != *text).then_some(Mistyped { name: name.clone(), what, line, text: changed })
}

/// The files of the corpus, one of which was changed.
struct Changed<'a> {
    corpus: &'a [(String, String)],
    name: &'a str,
    text: &'a str,
}

impl Folder for Changed<'_> {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        if self.name.rsplit('/').next() == Some(path) {
            return Ok(NamedText { name: path.to_owned(), text: self.text.to_owned() });
        }
        Beside(self.name).read(path)
    }
}

impl Changed<'_> {
    /// What is said of the file, opened through the game that uses it; with its line and column.
    fn findings(&self) -> Vec<(Place, Diagnostic)> {
        let (folder, own) = self.name.rsplit_once('/').expect("a file lies in a folder");
        let clause = format!("use \"{own}\"");
        let uses =
            |(name, text): &&(String, String)| name.starts_with(folder) && text.contains(&clause);
        let by = self.corpus.iter().find(uses);
        let (name, text) = by.map_or((self.name, self.text), |(name, text)| (name, text));
        let mut sources = Sources::default();
        let opened = OpenedFile { name, text, folder: self };
        let found = check_without_compiling(&mut sources, &opened).diagnostics.sorted();
        let placed = found.into_iter().map(|it| {
            let source = sources.find(it.place()).expect("a finding is about a text");
            (source.place(it.place().start), it)
        });
        placed.collect()
    }

    /// What is said of its form alone.
    fn mistakes_of_form(&self) -> Vec<(Place, Diagnostic)> {
        let source = Source::new("game", self.text);
        let found = parse(&source).1.sorted().into_iter();
        found.map(|it| (source.place(it.place().start), it)).collect()
    }
}

/// Words that help with no mistake, because they fit each.
fn says_nothing(finding: &Diagnostic) -> bool {
    let help = finding.help.as_deref().unwrap_or_default();
    help.is_empty() || help.contains("what is expected")
}

#[test]
fn one_token_is_answered() {
    let files = game_files(&["games", "examples", "../shared/strangers"]);
    let is_whole = |path: &&PathBuf| !is_variant(path) && !below(path).contains("/variants/");
    let files = files.iter().filter(is_whole);
    let corpus: Vec<_> = files.map(|path| (below(path), read(path))).collect();
    let (printed, seed) = printed_and_seed();
    let (mut shown, mut silent, mut refused) = (String::new(), String::new(), 0);
    for number in 0u64.. {
        if refused == printed.max(FEW) {
            break;
        }
        let Some(mistyped) = mistype(&corpus, seed, number) else { continue };
        let changed = Changed { corpus: &corpus, name: &mistyped.name, text: &mistyped.text };
        let found = if printed == 0 { changed.mistakes_of_form() } else { changed.findings() };
        if found.is_empty() {
            continue;
        }
        refused += 1;
        let mut said = format!("#{number} {}\n", mistyped.what);
        let _ = writeln!(
            said,
            "    {}",
            mistyped.text.lines().nth(mistyped.line - 1).unwrap_or_default().trim()
        );
        for (at, finding) in &found {
            let code = finding.code.expect("each finding has a code");
            let _ = writeln!(said, "  {}:{} {code}: {finding}", at.line, at.column);
            let _ = finding.help.iter().try_for_each(|help| writeln!(said, "    help: {help}"));
        }
        // Two mistakes where one token was changed: one of them is none.
        let form = found
            .iter()
            .map(|(_, it)| it)
            .filter(|it| it.code.is_some_and(|code| code.starts_with("syntax::")));
        if form.clone().count() > 1 || form.clone().any(says_nothing) {
            silent.push_str(&said);
        }
        shown.push_str(&said);
    }
    if printed > 0 {
        println!("{shown}");
    }
    assert!(silent.is_empty(), "these are told nothing, or too much:\n{silent}");
}

/// Slips in games of the examples, each with all that is said of it.
#[test]
fn one_slip_is_mended() {
    let _guard = snapshots("mutations");
    let slips = read(&root().join("tests/mutations/slips.txt"));
    let answers = slips.lines().map(|slip| {
        let (name, slip) = slip.split_once(": ").expect("a file");
        let (from, to) = slip.split_once(" >> ").expect("what was, and what is");
        let (from, to) = (from.replace("\\n", "\n"), to.replace("\\n", "\n"));
        let text = read(&root().join(name));
        assert!(text.contains(&from), "{name} has no {from}");
        let text = text.replacen(&from, &to, 1);
        let found = Changed { corpus: &[], name, text: &text }.findings();
        let said = found.iter().map(|(at, it)| {
            let help = it.help.as_deref().unwrap_or_default();
            format!("  {}:{} {it}\n    help: {help}\n", at.line, at.column)
        });
        format!("{name}: {slip}\n{}", said.collect::<String>())
    });
    insta::assert_snapshot!("slips", answers.collect::<String>());
}
