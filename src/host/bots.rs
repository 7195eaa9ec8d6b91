//! Finds the files of what bots learned, as words name them, and reads them for a game.

use std::path::{Path, PathBuf};

use crate::bots::{Analysis, BOT_FORM, BotFileFault, BotKind, Learned, Trainer};
use crate::game::{BotFile, Game};
use crate::host::embed::{EmbedRefusal, GameFiles};
use crate::host::error::HostError;
use crate::host::game_files::FoundText;
use crate::host::writing::FileForm;
use crate::host::{disk, exit::Failure, progress, screen::Screen};
use crate::progress::Progress;

/// From how many games `learned` learns where there is no file.
const GAMES: u64 = 256;

/// What such files are called.
pub(crate) const BOT: FileForm =
    FileForm { called: "a bot that learned", is: |text| text.lines().next() == Some(BOT_FORM) };

/// The file that belongs to a game: beside its text, or in this folder if it is bundled.
pub(crate) fn path_beside(found: &FoundText) -> PathBuf {
    let word = Path::new(&found.word);
    match &found.path {
        Some(path) => path.with_extension("bot"),
        None if word.extension().is_some_and(|it| it == "game") => word.with_extension("bot"),
        None => PathBuf::from(format!("{}.bot", found.word.replace('/', "-"))),
    }
}

/// Reads a file for a game.
pub(crate) fn read_bot(path: &Path, analysis: &Analysis) -> Result<(String, Learned), HostError> {
    let shown = || path.display().to_string();
    if !path.exists() {
        return Err(HostError::NoBot { path: shown(), is_text: false });
    }
    let text = disk::read_text(path)?;
    let learned = Learned::from_text(&text, analysis).map_err(|fault| match fault {
        BotFileFault::Other => HostError::NoBot { path: shown(), is_text: true },
        BotFileFault::Damaged => HostError::DamagedBot { path: shown() },
        BotFileFault::Stale => HostError::StaleBot { path: shown() },
    })?;
    Ok((text, learned))
}

/// The game with the files that words of bots name. Only `learned` needs none: it learns first.
pub(crate) fn load_bot_files<'a>(
    game: &Game,
    found: &FoundText,
    words: impl IntoIterator<Item = &'a String>,
    screen: &mut Screen,
) -> Result<Game, Failure> {
    let is_title =
        |word: &&String| game.rules().strategies.iter().any(|strategy| strategy.title == **word);
    let words = words.into_iter().filter(|word| !is_title(word));
    let mut files: Vec<BotFile> = game.bots().to_vec();
    for (word, name) in words.filter_map(|word| BotKind::learned_file(word.trim())) {
        if files.iter().any(|file| file.name == name) {
            continue;
        }
        let path = if name.is_empty() { path_beside(found) } else { PathBuf::from(name) };
        let analysis = Analysis::new(game.clone());
        let text = if word == "learned" && name.is_empty() && !path.exists() {
            learn_first(&analysis, screen)?
        } else {
            read_bot(&path, &analysis)?.0
        };
        files.push(BotFile { name: name.to_owned(), text });
    }
    Ok(game.with_bots(files))
}

/// The bot that a word means at a game, whose files lie where the word says, and what it plays with; for programs
/// around the library.
///
/// # Errors
/// If no bot is called so, or its file cannot be used.
pub fn find_bot(
    word: &str,
    game: &Game,
    files: &GameFiles,
) -> Result<(BotKind, Analysis), EmbedRefusal> {
    let equipped = || -> Result<(BotKind, Analysis), Failure> {
        let mut screen = Screen::captured(None);
        let words = [word.to_owned()];
        let game = load_bot_files(game, &files.to_found_text(), &words, &mut screen)?;
        let known = || HostError::Bot { bot: word.to_owned(), known: BotKind::words(&game) };
        let kind = BotKind::from_word(word, &game).ok_or_else(known)?;
        Ok((kind, Analysis::new(game)))
    };
    equipped().map_err(EmbedRefusal::from_failure)
}

fn learn_first(analysis: &Analysis, screen: &mut Screen) -> Result<String, Failure> {
    screen.print_note(&format!(
        "`learned` learns from {GAMES} games first; `astragal train` keeps that in a file"
    ))?;
    let (progress, mut trainer) = (Progress::new(), Trainer::new(analysis, 1));
    let line = || format!("learning: {} of {GAMES} games", progress.done());
    progress::begin_work();
    progress::watch_work(&progress, None, line, || {
        while trainer.learned().games() < GAMES && trainer.learn_batch(GAMES, threads(), &progress)
        {
        }
    });
    Ok(trainer.learned().to_text(analysis))
}

/// As many threads as there are cores.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
