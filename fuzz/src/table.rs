//! A saved game, and people who play on.

use std::collections::VecDeque;
use std::io;

use astragal::machinery::chance::Seed;
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::game::State;
use astragal::machinery::session::{
    Console, Files, GameRecord, Io, LoadedScript, Prompt, Reply, Running, Seat, Session,
};
use astragal::machinery::source::Sources;
use astragal::machinery::transcript::LineKind;

use crate::scripts::{game_of, read};

/// Most lines that are typed.
const TYPED: usize = 12;

/// Loads a saved game and types its lines that begin with `:`, and those without a meaning in a
/// file. What is kept then can be loaded again, and is the same game.
pub fn play_on(text: &str) {
    let (typed, saved): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with(':'));
    let saved = saved.join("\n") + "\n";
    let Some(first) = table(&saved, &typed) else { return };
    let Some(kept) = first.kept else { return };
    let again = table(&kept, &[]).unwrap_or_else(|| panic!("what was kept does not load:\n{kept}"));
    assert!(again.whole, "what was kept does not load whole:\n{kept}");
    assert!(again.state == first.state, "what was kept is another game:\n{kept}");
}

/// What came of sitting at a table.
struct Sat {
    state: State,
    kept: Option<String>,
    /// Whether nothing was said that begins with an error.
    whole: bool,
}

fn table(saved: &str, typed: &[&str]) -> Option<Sat> {
    let loaded = loaded(saved)?;
    let players = loaded.start.game().info().players;
    let word = saved.lines().find_map(|line| line.strip_prefix("game "))?.trim().to_owned();
    let typed = typed.iter().filter(|line| is_harmless(line)).take(TYPED);
    let typed = typed.map(|line| (*line).to_owned()).collect();
    let console = Lines { typed, broken: false };
    let files = Shelf { word, saved: saved.to_owned(), kept: None };
    let mut desk = Io { console, files };
    let seed = Seed(loaded.script.seed().unwrap_or(1));
    let seats = vec![Seat::Human; players];
    let mut session = Session::go_on(loaded, seats, seed, &mut desk).expect("lines listen")?;
    session.play(&mut desk).expect("lines listen");
    let state = session.position().state().clone();
    Some(Sat { state, kept: desk.files.kept, whole: !desk.console.broken })
}

/// Long thinking is not what is tried here.
fn is_harmless(line: &str) -> bool {
    !["advice", "solve", "mcts", "rollout", "hint", "seat"].iter().any(|word| line.contains(word))
}

fn loaded(text: &str) -> Option<LoadedScript> {
    let (script, _) = read(text)?;
    // The command line refuses these with a message.
    if script.lines.iter().any(|line| matches!(line.kind, LineKind::Do(_))) {
        return None;
    }
    let start = Running::new(game_of(&script)?);
    let mut sources = Sources::default();
    let source = sources.add("it.script", text).clone();
    Some(LoadedScript { start, script, source, sources })
}

/// A person who types these lines.
struct Lines {
    typed: VecDeque<String>,
    broken: bool,
}

impl Console for Lines {
    fn is_lively(&self) -> bool {
        true
    }

    fn ask(&mut self, _: &Prompt) -> io::Result<Reply> {
        Ok(self.typed.pop_front().map_or(Reply::End, Reply::Line))
    }

    fn draw(&mut self, _: &Sources, found: &Diagnostics, answer: bool) -> io::Result<()> {
        self.broken |= !answer && found.has_errors();
        Ok(())
    }
}

/// A folder with one saved game.
struct Shelf {
    word: String,
    saved: String,
    kept: Option<String>,
}

impl Files for Shelf {
    fn keep(&mut self, record: &GameRecord, _: usize) -> Option<String> {
        self.kept = Some(record.script(&self.word));
        None
    }

    fn save(&mut self, _: &str, _: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        self.saved = record.script(&self.word);
        Ok(())
    }

    fn load(&mut self, _: &str) -> Result<LoadedScript, (Sources, Diagnostics)> {
        loaded(&self.saved).ok_or_else(|| (Sources::default(), Diagnostics::new()))
    }

    fn reload(&mut self, record: &GameRecord) -> Result<LoadedScript, (Sources, Diagnostics)> {
        let text = record.script(&self.word);
        loaded(&text).ok_or_else(|| (Sources::default(), Diagnostics::new()))
    }
}
