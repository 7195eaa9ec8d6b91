//! Small helpers of all tests: files, loading, drawing, playing.

mod made_up;
mod play;
#[cfg(all(unix, feature = "cli"))]
pub(crate) mod terminal;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use astragal::machinery::compile::{Specialisation, compile};
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::game::{Game, GameInfo};
use astragal::machinery::pipeline::{
    Checked, Folder, NamedText, OpenedFile, Ruleset, check, every,
};
use astragal::machinery::source::{Source, Sources};
use astragal::machinery::syntax::{TokenKind, tokenize};
use miette::{GraphicalReportHandler, GraphicalTheme, NamedSource};

pub(crate) use made_up::MakesUp;
pub(crate) use play::{Event, Playout, playout, transcript};

/// The folder of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Makes an empty folder for what a test writes.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    folder
}

/// What the comments and notes of a text say, in order.
pub(crate) fn comments(text: &str) -> Vec<&str> {
    let comments = tokenize(text).all.into_iter().filter(|token| token.kind == TokenKind::Comment);
    comments.map(|token| token.text.trim_start_matches('#').trim()).collect()
}

/// The words that cannot be names, by the grammar.
pub(crate) fn reserved_words() -> Vec<String> {
    let text = read(&root().join("grammar/tokens.pest"));
    let rule = text.split("reserved = ").nth(1).expect("a rule for reserved words");
    let list = rule.split('~').next().expect("its words");
    let mut words: Vec<String> = list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    words.sort();
    words
}

/// All files with an extension in and below a folder of the project, in the order of their names.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(&root().join(folder), extension, &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries {
        let path = entry.expect("a folder can be listed").path();
        // What `npm` puts beside the extension for editors is not ours.
        if path.is_dir() && !path.ends_with("node_modules") {
            walk(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// How many times as much as usual is tried of what has no end, such as random games: `ASTRAGAL_EFFORT`.
pub(crate) fn effort() -> usize {
    number("ASTRAGAL_EFFORT").unwrap_or(1)
}

/// How much is tried: the number in `variable` where it is set, else the usual one by the effort.
pub(crate) fn amount(variable: &str, usual: usize) -> usize {
    number(variable).unwrap_or_else(|| usual * effort())
}

fn number(variable: &str) -> Option<usize> {
    let number = std::env::var(variable).ok()?;
    Some(number.parse().unwrap_or_else(|_| panic!("{variable} is a number")))
}

/// The last part of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().expect("a file has a name").to_string_lossy().into_owned()
}

/// The text of a file.
#[track_caller]
pub(crate) fn read(path: &Path) -> String {
    match std::fs::read_to_string(path) {
        Ok(text) => text.replace("\r\n", "\n"),
        Err(error) => panic!("cannot read {}: {error}", path.display()),
    }
}

/// The files of some folders that are games, without those that are only used by others.
pub(crate) fn game_files(folders: &[&str]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = folders.iter().flat_map(|folder| files(folder, "game")).collect();
    found.retain(|path| !path.parent().is_some_and(|folder| folder.ends_with("lib")));
    found
}

/// Whether a file is a variant, which stands beside the game that its folder is called after.
pub(crate) fn is_variant(path: &Path) -> bool {
    let folder = path.parent().expect("a file lies in a folder");
    folder.parent().is_some_and(|above| above.ends_with("games"))
        && folder.file_name() != path.file_stem()
}

/// A path as seen from the folder of the project.
pub(crate) fn below(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string().replace('\\', "/")
}

/// The folder of a file whose path is seen from the folder of the project.
pub(crate) struct Beside<'a>(pub(crate) &'a str);

impl Folder for Beside<'_> {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let folder = self.0.rsplit_once('/').map_or("", |(folder, _)| folder);
        let file = root().join(folder).join(path);
        let text = std::fs::read_to_string(file).map_err(|_| "it is not there".to_owned())?;
        Ok(NamedText { name: path.to_owned(), text: text.replace("\r\n", "\n") })
    }
}

/// Checks a text; its name may be its path, and then it may name the files beside it.
pub(crate) fn checked(name: &str, text: &str) -> (Checked, Source) {
    checked_in(&Beside(name), name, text)
}

/// Checks a text that may name the files of a folder.
pub(crate) fn checked_in(folder: &dyn Folder, name: &str, text: &str) -> (Checked, Source) {
    let checked = check(&mut Sources::default(), &OpenedFile { name, text, folder });
    (checked, Source::new(name, text))
}

/// The codes of what is right and still looks like a mistake: examples show one thing, and leave
/// others unused.
pub(crate) const ADVICE: [&str; 8] = [
    "check::idle_option",
    "check::swallowed",
    "check::taken_twice",
    "check::uncalled_rule",
    "check::unread_column",
    "check::unshuffled",
    "check::unused_name",
    "setting::never_legal",
];

/// Findings but for advice.
pub(crate) fn without_advice(found: Diagnostics) -> Diagnostics {
    let mut others = Diagnostics::new();
    for finding in found {
        let code = finding.code.map(str::to_owned).unwrap_or_default();
        if !ADVICE.contains(&code.as_str()) {
            others.push(finding);
        }
    }
    others
}

/// Rules by the name and the text of their file: the scripts of a game share them, for checking
/// compiles every setting.
static CHECKED: Mutex<BTreeMap<(String, String), Ruleset>> = Mutex::new(BTreeMap::new());

/// The rules of a text that nothing may be wrong with.
#[track_caller]
pub(crate) fn rules(name: &str, text: &str) -> Ruleset {
    rules_in(&Beside(name), name, text)
}

/// The rules of a text that nothing may be wrong with, and that may name the files of a folder.
#[track_caller]
pub(crate) fn rules_in(folder: &dyn Folder, name: &str, text: &str) -> Ruleset {
    let key = (name.to_owned(), text.to_owned());
    if let Some(known) = CHECKED.lock().expect("nobody panics with it").get(&key) {
        return known.clone();
    }
    let (checked, source) = checked_in(folder, name, text);
    let found = draw(&source, &without_advice(checked.diagnostics));
    assert!(found.is_empty(), "{name} should be right:\n{found}");
    let rules = checked.rules.expect("a file without findings has rules");
    CHECKED.lock().expect("nobody panics with it").insert(key, rules.clone());
    rules
}

/// A game for each setting of some rules, with the setting in words; each is made when it is asked
/// for.
pub(crate) fn games(rules: &Ruleset) -> impl ExactSizeIterator<Item = (String, Game)> {
    every(&rules.rules).into_iter().map(|setting| set(rules, setting))
}

/// A game, with its setting in words.
fn set(rules: &Ruleset, setting: Specialisation) -> (String, Game) {
    let game = game(rules, setting);
    let GameInfo { players, options, .. } = game.info();
    let options = options.iter().map(|(name, value)| format!(", {name} {value}"));
    (format!("{players} at the table{}", options.collect::<String>()), game)
}

/// Some of the settings of a game, spread over all of them.
pub(crate) fn some_games(rules: &Ruleset, most: usize) -> Vec<(String, Game)> {
    let all = every(&rules.rules);
    let step = all.len().div_ceil(most);
    all.into_iter().step_by(step).map(|setting| set(rules, setting)).collect()
}

/// The game with as few players as may be, and the first value of each option.
#[track_caller]
pub(crate) fn first_game(rules: &Ruleset) -> Game {
    games(rules).next().expect("every game has a setting").1
}

#[track_caller]
fn game(rules: &Ruleset, setting: Specialisation) -> Game {
    let Ruleset { rules, sources } = rules;
    let compiled = compile(rules, &setting, sources).expect("checking compiles every setting");
    Game::new(rules.clone(), sources.clone(), setting, compiled)
}

/// Findings as people see them, in one theme and width.
pub(crate) fn draw(source: &Source, found: &Diagnostics) -> String {
    let theme = GraphicalTheme::unicode_nocolor();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(80).with_links(false);
    let mut drawn = String::new();
    for finding in found.sorted() {
        let text = NamedSource::new(&source.name, source.text.clone());
        let report = miette::Report::new(finding).with_source_code(text);
        handler.render_report(&mut drawn, report.as_ref()).expect("a string takes every text");
        drawn.push('\n');
    }
    let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// FNV-1a: the same on every machine and with every compiler.
pub(crate) fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Keeps snapshots beside their inputs; the name of the input stands in the name of the snapshot.
pub(crate) fn snapshots(folder: &str) -> insta::internals::SettingsBindDropGuard {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests").join(folder).join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind_to_scope()
}
