//! Every example in the documentation runs, and every path that it names exists.
//!
//! Fenced blocks are told apart by the words behind their three backticks:
//!
//! * `game` is a whole file, and plays to its end. A name behind it, `game pig.game`, makes it known
//!   to the scripts of the same page, and to the files there that are variants of it.
//! * `game shared rules.game` is a file that others on the page use, and so is `csv cells.csv`.
//! * `game fragment` is a piece of a file: declarations. A `game` block and `play { finish draw }`
//!   are added where they are missing.
//! * `game from PATH` quotes a file; `…` on a line of its own stands for what is left out.
//! * `game wrong CODE` is a file or a fragment that is refused with this code.
//! * `game in NAME` quotes a game of the same page in the same way.
//! * `game break CODE` is a line of the last named game above and what becomes of it, which is refused with this code.
//! * `message` stands below a `game wrong` or `game break` block and is all that `astragal check` prints of it.
//! * `script` passes; `script transcript` also prints itself.
//! * `python` runs in the tests of `bindings/python`.
//! * `view GAME MOVE…` is a part of the view of a bundled game after these moves, as JSON.
//! * `console` holds commands behind `$ `; what stands below one is what it prints.

mod constructs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use astragal::machinery::pipeline::{Folder, NamedText};
use astragal::machinery::session::{Running, run};
use astragal::machinery::source::Source;
use astragal::machinery::transcript::parse;
use serde_json::Value;

use crate::commands::{astragal, astragal_in, words};
use crate::scripts::game_with;
use crate::support::{
    below, checked_in, draw, empty_folder, files, games, name, playout, read, root, rules, rules_in,
};

/// A fenced block.
struct Block {
    /// The words behind the backticks.
    tags: Vec<String>,
    text: String,
    /// The page and the line.
    place: String,
}

impl Block {
    fn is(&self, tags: &[&str]) -> bool {
        self.tags.len() >= tags.len() && self.tags.iter().zip(tags).all(|(a, b)| a == b)
    }

    fn second(&self) -> &str {
        self.tags.get(1).map_or("", String::as_str)
    }
}

/// The blocks of each page; those of docs/errors.md run in the tests of errors.
fn pages() -> Vec<Vec<Block>> {
    let mut pages = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    pages.extend(files("docs", "md"));
    pages.retain(|path| name(path) != "errors.md");
    pages.iter().map(|path| blocks(&page_name(path), &read(path))).collect()
}

/// A page of the manual by its path below docs/.
fn page_name(path: &Path) -> String {
    let path = below(path);
    path.strip_prefix("docs/").unwrap_or(&path).to_owned()
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(tags) if !inside => {
                let tags = tags.split_whitespace().map(str::to_owned).collect();
                let place = format!("{page}:{}", number + 1);
                blocks.push(Block { tags, text: String::new(), place });
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => {
                let block = blocks.last_mut().expect("a block is open");
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!inside, "{page}: the last block is not closed");
    blocks
}

fn all(tags: &[&str]) -> Vec<Block> {
    let blocks: Vec<Block> = pages().into_iter().flatten().filter(|b| b.is(tags)).collect();
    assert!(!blocks.is_empty(), "no page has a block `{}`", tags.join(" "));
    blocks
}

/// The second words of blocks that are no whole game.
const PARTS: [&str; 6] = ["fragment", "wrong", "shared", "from", "in", "break"];

/// Whether a block with a game is one that can be played.
fn is_whole(block: &Block) -> bool {
    !PARTS.contains(&block.second())
}

/// The games and fragments of the pages that stand alone, each with its page.
pub(crate) fn examples() -> Vec<(String, String)> {
    let stands_alone = |block: &Block| is_whole(block) || block.second() == "fragment";
    let games = all(&["game"]).into_iter().filter(stands_alone);
    let needs_files = |line: &str| line.starts_with("variant ") || line.contains(" from \"");
    let is_variant = |block: &Block| block.text.lines().any(needs_files);
    let games = games.filter(|block| !is_variant(block));
    let page = |block: &Block| block.place.split(':').next().unwrap_or_default().to_owned();
    games.map(|block| (page(&block), whole(&block.text))).collect()
}

/// The named files of a page, as a folder.
struct OfPage<'a>(&'a str);

impl Folder for OfPage<'_> {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let page = self.0.rsplit_once(':').map_or(self.0, |(page, _)| page);
        let on_page = |block: &Block| block.place.starts_with(&format!("{page}:"));
        let is_file = |block: &Block| is_whole(block) || block.second() == "shared";
        let is_named = |block: &Block| block.tags.last().is_some_and(|it| it == path);
        let is_kept = |block: &Block| block.is(&["csv"]) || block.is(&["game"]) && is_file(block);
        let named = |block: &Block| is_kept(block) && is_named(block);
        let found = pages().into_iter().flatten().find(|block| on_page(block) && named(block));
        let text = found.ok_or("it is not on this page")?.text;
        Ok(NamedText { name: path.to_owned(), text })
    }
}

/// A piece of a file made whole.
fn whole(fragment: &str) -> String {
    let begins = |word: &str| fragment.lines().any(|line| line.starts_with(word));
    if begins("variant ") {
        return fragment.to_owned();
    }
    let head = if begins("game ") { "" } else { "game \"Example\" { players 2..4 }\n" };
    let tail = if begins("play {") { "" } else { "play { finish draw }\n" };
    format!("{head}{fragment}{tail}")
}

#[test]
fn every_block_has_known_tags() {
    let known = ["game", "message", "script", "console", "text", "rust", "python", "view", "csv"];
    for block in pages().into_iter().flatten() {
        let tag = block.tags.first().map_or("", String::as_str);
        assert!(known.contains(&tag), "{}: a block is one of {known:?}, not `{tag}`", block.place);
    }
}

#[test]
fn whole_games_play_to_their_end() {
    for block in all(&["game"]) {
        if !is_whole(&block) {
            continue;
        }
        let rules = rules_in(&OfPage(&block.place), &block.place, &block.text);
        for (setting, game) in games(&rules).take(50) {
            let played = playout(&game, 1, &mut |_, _, _| {});
            assert!(played.is_ok(), "{}, {setting}: {:?}", block.place, played.err());
        }
    }
}

#[test]
fn fragments_are_right() {
    for block in all(&["game", "fragment"]) {
        rules(&block.place, &whole(&block.text));
    }
}

/// A reader of the page does not see the words behind the backticks.
#[test]
fn wrong_examples_are_announced() {
    for block in all(&["game", "wrong"]) {
        let (page, line) = block.place.rsplit_once(':').expect("a place has a line");
        let text = read(&root().join("docs").join(page));
        let line: usize = line.parse().expect("a line is a number");
        let above: Vec<&str> = text.lines().take(line - 1).collect();
        let lead = above.rsplit(|line| line.is_empty()).find(|lead| !lead.is_empty());
        let lead = lead.map_or("", |lead| lead[0]);
        let said = ["**Wrong**", "**A common mistake.**"].iter().any(|word| lead.starts_with(word));
        assert!(said, "{}: write `**Wrong**: …` above the example", block.place);
    }
}

/// The chapters of the language have an example of each construct that the tree of a file knows.
#[test]
fn every_construct_has_an_example() {
    let tree = ["src/syntax/ast.rs", "src/syntax/ast/body.rs"]
        .map(|it| read(&root().join(it)))
        .concat()
        .replace("pub(crate) ", "pub ");
    let mut seen = BTreeSet::new();
    let chapters = pages().into_iter().flatten();
    for block in chapters.filter(|block| block.place.starts_with("language/")) {
        if block.is(&["game"]) && !block.is(&["game", "wrong"]) {
            let source = Source::new(&block.place, block.text.clone());
            let printed = format!("{:?}", astragal::machinery::syntax::parse(&source).0);
            let rest = constructs::note(&tree, "Ast", &printed, &mut seen);
            assert_eq!(rest, "", "{}: the tree is printed otherwise", block.place);
        }
    }
    let all = constructs::all(&tree);
    let missing: Vec<&String> = all.iter().filter(|it| !seen.contains(*it)).collect();
    assert!(missing.is_empty(), "docs/language/ has no example of {missing:?}");
    assert!(all.len() > 130, "only {} constructs were found", all.len());
}

#[test]
fn quotations_stand_in_their_files() {
    for block in all(&["game", "from"]).into_iter().chain(all(&["game", "in"])) {
        let from_page = || OfPage(&block.place).read(&block.tags[2]).expect("it is above").text;
        let is_file = block.second() == "from";
        let file = if is_file { read(&root().join(&block.tags[2])) } else { from_page() };
        let mut rest = file.as_str();
        for piece in block.text.split("…\n").filter(|piece| !piece.is_empty()) {
            let found = rest.find(piece);
            let at = found.unwrap_or_else(|| panic!("{}: not there:\n{piece}", block.place));
            rest = &rest[at + piece.len()..];
        }
    }
}

/// The pages, in the order of the book, each once; a link leads to a page and a heading that exist.
#[test]
fn the_book_has_every_page() {
    let summary = read(&root().join("docs/SUMMARY.md"));
    let listed: Vec<&str> =
        summary.split("](").skip(1).filter_map(|link| link.split(')').next()).collect();
    let mut pages: Vec<String> = files("docs", "md").iter().map(|path| page_name(path)).collect();
    // Other folders have pages of their own, for those who look into them.
    pages.retain(|page| !page.contains('/') || page.starts_with("language/"));
    for page in pages.iter().filter(|page| *page != "SUMMARY.md") {
        let times = listed.iter().filter(|it| *it == page).count();
        assert_eq!(times, 1, "docs/SUMMARY.md lists {page} {times} times");
    }
    for page in &listed {
        assert!(pages.iter().any(|it| it == page), "docs/SUMMARY.md lists {page}");
    }
}

#[test]
fn links_lead_to_headings() {
    let mut pages = files("docs", "md");
    pages.push(root().join("README.md"));
    for page in pages {
        let text = read(&page);
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap_or_default();
            let Some((file, heading)) = target.split_once('#') else { continue };
            if target.contains("://") {
                continue;
            }
            let folder = page.parent().expect("a page lies in a folder");
            let place = if file.is_empty() { page.clone() } else { folder.join(file) };
            let found = headings(&read(&place)).iter().any(|it| it == heading);
            assert!(found, "{} links to {target}", page.display());
        }
    }
}

/// A project that moves changes its address in all places: this finds one that was left.
#[test]
fn every_address_is_that_of_the_manifest() {
    let manifest = read(&root().join("Cargo.toml"));
    let value = |key: &str| manifest.split_once(key)?.1.split('"').nth(1);
    let repository = value("\nrepository = ").expect("the manifest has an address");
    let owner = repository.split('/').nth(3).expect("somebody owns the project");
    let site = value("\nhomepage = ").expect("the manifest has a page");
    assert_eq!(site, format!("https://{owner}.github.io/astragal"));
    let mut paths =
        vec![root().join("bindings/python/pyproject.toml"), root().join("docs/book.toml")];
    let top = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff"];
    paths.extend(top.iter().map(|name| root().join(name)));
    let kinds = [("docs", "md"), (".github", "yml"), (".ci", "sh"), (".ci", "ps1")];
    paths.extend(kinds.iter().flat_map(|(folder, kind)| files(folder, kind)));
    let mut count = 0;
    for path in paths {
        let text = read(&path);
        for link in text.split("github.com/").skip(1).filter(|it| it.contains("/astragal")) {
            let (found, rest) = link.split_once('/').unwrap_or_default();
            let is_ours = rest.starts_with("astragal") && !found.contains([' ', '\n']);
            assert!(!is_ours || found == owner, "{} names {found}", path.display());
            count += usize::from(is_ours);
        }
        for before in
            text.split(".github.io/astragal").collect::<Vec<_>>().split_last().expect("a text").1
        {
            assert!(before.ends_with(owner), "{} names another page", path.display());
        }
    }
    assert!(count > 10, "only {count} addresses were found");
}

/// The headings of a page as links name them.
fn headings(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in page.lines() {
        inside ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if !inside && heading.len() < line.len() && heading.starts_with(' ') {
            let letter = |letter: char| match letter {
                ' ' => Some('-'),
                '-' | '_' => Some(letter),
                letter => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
            };
            found.push(heading.trim().chars().filter_map(letter).collect());
        }
    }
    found
}

/// The glossary is in the order of the alphabet, each word once.
#[test]
fn the_glossary_is_in_order() {
    let page = read(&root().join("docs/glossary.md"));
    let word = |line: &str| {
        let word = line.strip_prefix("* **")?.split("**").next()?;
        Some(word.trim_matches('`').to_lowercase())
    };
    let words: Vec<String> = page.lines().filter_map(word).collect();
    assert!(words.len() > 50, "the glossary has only {} words", words.len());
    for pair in words.windows(2) {
        assert!(pair[0] < pair[1], "`{}` stands before `{}`", pair[0], pair[1]);
    }
}

#[test]
fn wrong_examples_are_refused_as_they_say() {
    for block in all(&["game", "wrong"]) {
        let folder = OfPage(&block.place);
        let (checked, source) = checked_in(&folder, &block.place, &whole(&block.text));
        let found = checked.diagnostics.sorted();
        let codes: Vec<String> =
            found.iter().filter_map(|finding| finding.code.map(str::to_owned)).collect();
        let drawn = draw(&source, &checked.diagnostics);
        assert_eq!(codes, block.tags[2..], "{}:\n{drawn}", block.place);
    }
}

/// The messages that the pages show are those that people see.
#[test]
fn messages_are_what_check_prints() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let mut count = 0;
    for page in pages() {
        let mut named = None;
        for pair in page.windows(2) {
            let [.., name] = pair[0].tags.as_slice() else { continue };
            let is_game = pair[0].is(&["game"]) && is_whole(&pair[0]);
            named = is_game.then_some((name, &pair[0].text)).or(named);
            if !pair[1].is(&["message"]) {
                continue;
            }
            let (mut file, mut text) = ("pig.game", pair[0].text.clone());
            if pair[0].is(&["game", "break"]) {
                let (name, whole) = named.expect("a game stands above");
                let (old, new) = text.trim_end().split_once('\n').expect("two lines");
                assert_eq!(whole.matches(old).count(), 1, "{}", pair[0].place);
                (file, text) = (name, whole.replace(old, new));
            }
            std::fs::write(folder.path().join(file), &text).expect("it is written");
            let mut check = Command::new(env!("CARGO_BIN_EXE_astragal"));
            let ran = check.args(["check", file]).current_dir(&folder).output();
            let printed = String::from_utf8(ran.expect("it runs").stderr).expect("it is text");
            assert_eq!(printed, pair[1].text, "{}", pair[1].place);
            let code = pair[0].tags.last().expect("a block has tags");
            assert!(printed.starts_with(code.as_str()), "{}: not {code}", pair[0].place);
            count += 1;
        }
    }
    assert!(count > 0, "no page shows a message");
}

#[test]
fn scripts_pass() {
    let mut count = 0;
    for page in pages() {
        let named: BTreeMap<&str, &Block> = page
            .iter()
            .filter(|block| block.is(&["game"]) && is_whole(block))
            .filter_map(|block| Some((block.tags.get(1)?.as_str(), block)))
            .collect();
        for block in page.iter().filter(|block| block.is(&["script"])) {
            script_passes(block, &named);
            count += 1;
        }
    }
    assert!(count > 0, "no page has a script");
}

fn script_passes(block: &Block, named: &BTreeMap<&str, &Block>) {
    let source = Source::new(&block.place, block.text.clone());
    let script = parse(&source)
        .unwrap_or_else(|found| panic!("{}:\n{}", block.place, draw(&source, &found)));
    let game = script.game().expect("a script names its game");
    let bundled = || {
        let file = format!("{}.game", game.text);
        let places = [root().join("games").join(&game.text), root().join("examples")];
        let paths = places.map(|folder| folder.join(&file));
        paths.iter().find(|path| path.is_file()).map(|path| read(path))
    };
    let text = named.get(game.text.as_str()).map(|block| block.text.clone()).or_else(bundled);
    let text = text.unwrap_or_else(|| panic!("{}: no game `{}`", block.place, game.text));
    let rules = rules_in(&OfPage(&block.place), &game.text, &text);
    let mut ran = None;
    for (_, case) in script.cases() {
        let game = game_with(&case, &game.text, &rules);
        let played = run(&case, &source, Running::new(game));
        let left = played.verdict(&case);
        assert!(left.is_empty(), "{}:\n{}", block.place, draw(&source, &left));
        ran = Some(played);
    }
    let ran = ran.expect("a script has a case");
    if block.is(&["script", "transcript"]) {
        assert_eq!(ran.transcript, block.text, "{} prints something else", block.place);
    }
}

/// An output is what is shown; `…` on a line of its own stands for what is left out.
#[track_caller]
fn shows(output: &str, expected: &str, place: &str) {
    if !expected.contains("…\n") && !expected.is_empty() {
        assert_eq!(output, expected, "{place}");
    }
    let mut rest = output;
    for piece in expected.split("…\n").filter(|piece| !piece.is_empty()) {
        let at = rest.find(piece).unwrap_or_else(|| panic!("{place}: not in\n{output}:\n{piece}"));
        rest = &rest[at + piece.len()..];
    }
}

#[test]
fn commands_do_what_they_show() {
    let ci = read(&root().join(".ci/run"));
    let aside = empty_folder("shown");
    for block in all(&["console"]) {
        for command in block.text.split("$ ").skip(1) {
            let (line, expected) = command.split_once('\n').expect("a line ends");
            let line = line.replace("cargo run --release --", "astragal");
            let words = words(&line);
            match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["astragal", words @ ..] => {
                    // Files that commands leave behind have a folder of their own, as have games of the page.
                    let of_page = words.iter().filter(|word| word.strip_suffix(".game").is_some());
                    let of_page = of_page.filter_map(|it| OfPage(&block.place).read(it).ok());
                    let of_page: Vec<NamedText> = of_page.collect();
                    for file in &of_page {
                        std::fs::write(aside.join(&file.name), &file.text).expect("it is written");
                    }
                    let writes = block.text.contains(" --out ") || !of_page.is_empty();
                    let ran = astragal_in(if writes { &aside } else { root() }, words, "");
                    assert_eq!(ran.exit, Some(0), "{}: `{line}`: {}", block.place, ran.errors);
                    shows(&ran.output, expected, &format!("{}: `{line}`", block.place));
                }
                ["cargo", ..] => {
                    assert!(
                        ci.lines().any(|it| it == line),
                        "{}: `.ci/run` does not run `{line}`",
                        block.place
                    );
                }
                _ => panic!("{}: `{line}` is no known command", block.place),
            }
        }
    }
}

#[test]
fn named_files_exist() {
    let mut pages = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    pages.extend(files("docs", "md"));
    for page in pages {
        let text = read(&page);
        let folder = page.parent().expect("a page lies in a folder");
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(folder.join(target).exists(), "{} links to {target}", page.display());
        }
        for word in text.split('`').skip(1).step_by(2) {
            let path = ["src/", "tests/", "docs/", "grammar/", "games/", "examples/", ".ci/"]
                .iter()
                .any(|folder| word.starts_with(folder));
            if path && !word.contains(['*', ' ', '{', 'N']) {
                assert!(root().join(word).exists(), "{} names `{word}`", page.display());
            }
        }
    }
}

/// Whether a value has all that a part of it says.
fn has(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| has(whole, part)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len()
                && whole.iter().zip(part).all(|(whole, part)| has(whole, part))
        }
        _ => whole == part,
    }
}

#[test]
fn views_are_as_printed() {
    for block in all(&["view"]) {
        let (game, moves) = (block.tags[1].as_str(), block.tags[2..].join("\n") + "\n");
        let words = ["play", game, "--names", "Ann,Ben", "--seed", "1", "--format", "json"];
        let ran = astragal(&words, &moves);
        let last = ran.output.lines().last().expect("there is a view");
        let view: Value = serde_json::from_str(last).expect("a line is JSON");
        let part: Value = serde_json::from_str(&block.text).expect("the block is JSON");
        assert!(has(&view, &part), "{}: the view is\n{last}", block.place);
    }
}
