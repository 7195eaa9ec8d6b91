//! Games at the table: whatever was saved can be taken up again, whatever was decided can be taken
//! back and made again. Everything is typed, so it goes the way that people go.

use std::io;

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::game::{Game, Outcome, State};
use astragal::machinery::session::{
    Console, Files, GameRecord, Io, LoadedScript, Prompt, Reply, Running, Seat, Session, SessionEnd,
};
use astragal::machinery::source::Sources;
use astragal::machinery::transcript;

/// How many decisions of a game are looked at without leaving any out. Loading a game plays it
/// again, so behind them every second, then every third and so on is taken; what is taken back step
/// by step is looked at everywhere.
const ALL_OF_THE_FIRST: usize = 60;

/// Games are broken off here.
const MOST_DECISIONS: usize = 1_000;

/// Plays one game by typing random moves; saves and loads on the way, takes all of it back at the
/// end, and makes it again.
#[track_caller]
pub(super) fn keeps_games(game: &Game, name: &str, seed: u64, place: &str) {
    let mut desk = Io { console: Typist::default(), files: Folder::new(game, name) };
    let start = Running::new(game.clone());
    let mut session = Session::begin(start, people(game), (Seed(seed), 0), &mut desk)
        .expect("the typist is there");
    session.ask_all();
    let mut picks = Seed(seed).stream(u64::MAX);
    let mut history = vec![Seen::now(&session)];
    while session.position().count_moves() > 0 && history.len() <= MOST_DECISIONS {
        let decisions = history.len() - 1;
        let place = format!("{place}, after {decisions} decisions");
        if decisions.is_multiple_of(1 + decisions / ALL_OF_THE_FIRST) {
            is_saved_and_loaded(&session, &desk, &place);
        }
        let moves = u32::try_from(session.position().count_moves()).expect("there are few moves");
        let label = session.position().label_move(picks.below(moves) as usize);
        type_line(&mut session, &mut desk, &label, &place);
        history.push(Seen::now(&session));
    }
    is_saved_and_loaded(&session, &desk, &format!("{place}, at the end"));
    is_taken_back(&mut session, &mut desk, &history, place);
}

/// What people meet where a game stands.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    state: State,
    question: Option<String>,
    moves: Vec<String>,
    result: Option<Outcome>,
}

impl Seen {
    fn now(session: &Session) -> Seen {
        let position = session.position();
        let (state, result) = (position.state().clone(), position.final_outcome());
        let question = position.decision_question().filter(|_| result.is_none());
        let moves = (0..position.count_moves()).map(|index| position.label_move(index)).collect();
        Seen { state, question, moves, result }
    }
}

/// A saved game, loaded at another table and at its own, stands where it stood, and is saved as the
/// same text again.
#[track_caller]
fn is_saved_and_loaded(session: &Session, desk: &Io<Typist, Folder>, place: &str) {
    // A copy is saved, so that the game itself goes on as if nobody had looked.
    let (mut session, mut desk) = (session.clone(), desk.clone());
    let here = Seen::now(&session);
    type_line(&mut session, &mut desk, ":save a.script", place);
    let saved = desk.files.saved.clone();
    let loaded = desk.files.load("a.script").expect("what was saved is a script");
    let (seats, seed) = (people(&desk.files.game), Seed(0));
    let mut other_desk = desk.clone();
    other_desk.files.kept.clear();
    let other = Session::go_on(loaded, seats, seed, &mut other_desk).expect("the typist is there");
    let mut other = other.unwrap_or_else(|| panic!("{place}: nothing of this loads:\n{saved}"));
    other.ask_all();
    type_line(&mut session, &mut desk, ":load a.script", place);
    for (session, desk) in [(&mut session, &mut desk), (&mut other, &mut other_desk)] {
        assert_eq!(Seen::now(session), here, "{place}: it is loaded differently:\n{saved}");
        type_line(session, desk, ":save a.script", place);
        assert_eq!(below_seed(&desk.files.saved), below_seed(&saved), "{place}: saved differently");
    }
}

/// The lines of a saved game without its seed, which belongs to the table.
fn below_seed(saved: &str) -> Vec<&str> {
    saved.lines().filter(|line| !line.starts_with("seed ")).collect()
}

/// Step by step back to the beginning and forward again, then at one stroke.
#[track_caller]
fn is_taken_back(session: &mut Session, desk: &mut Io<Typist, Folder>, seen: &[Seen], place: &str) {
    let last = seen.len() - 1;
    let mut typed = |line: &str, at: usize| {
        let place = format!("{place}, {at} of {last} decisions, behind `{line}`");
        type_line(session, desk, line, &place);
        assert_eq!(Seen::now(session), seen[at], "{place}: something else lies on the table");
    };
    (0..last).rev().for_each(|at| typed(":undo!", at));
    (1..=last).for_each(|at| typed(":redo", at));
    if last > 0 {
        typed(&format!(":undo! {last}"), 0);
        typed(&format!(":redo {last}"), last);
        typed(&format!(":undo! {}", last - last / 2), last / 2);
        typed(&format!(":redo {last}"), last);
    }
}

/// A person in every seat.
fn people(game: &Game) -> Vec<Seat> {
    game.names().iter().map(|_| Seat::Human).collect()
}

/// Has the table answer one line.
#[track_caller]
fn type_line(session: &mut Session, desk: &mut Io<Typist, Folder>, line: &str, place: &str) {
    desk.console.line = Some(line.to_owned());
    let ending = session.play(desk).expect("the typist is there");
    assert!(matches!(ending, SessionEnd::Left | SessionEnd::Over), "{place}: `{line}`: {ending:?}");
    assert_eq!(desk.console.line, None, "{place}: nobody asked for `{line}`");
    assert_eq!(desk.console.complaints, "", "{place}: `{line}` is answered with findings");
}

/// A person who types one line, then leaves; findings are remembered.
#[derive(Clone, Debug, Default)]
struct Typist {
    line: Option<String>,
    complaints: String,
}

impl Console for Typist {
    fn is_lively(&self) -> bool {
        true
    }

    fn ask(&mut self, _asking: &Prompt) -> io::Result<Reply> {
        Ok(self.line.take().map_or(Reply::End, Reply::Line))
    }

    fn draw(&mut self, _: &Sources, found: &Diagnostics, _answer: bool) -> io::Result<()> {
        self.complaints.extend(found.sorted().iter().map(|finding| format!("{finding}\n")));
        Ok(())
    }
}

/// A folder with one file in it, and a journal.
#[derive(Clone, Debug)]
struct Folder {
    game: Game,
    name: String,
    saved: String,
    kept: Vec<String>,
}

impl Folder {
    fn new(game: &Game, name: &str) -> Folder {
        let (saved, kept) = (String::new(), Vec::new());
        Folder { game: game.clone(), name: name.to_owned(), saved, kept }
    }
}

impl Files for Folder {
    /// A journal only adds lines behind those that are said to be unchanged, so they must be.
    fn keep(&mut self, record: &GameRecord, unchanged: usize) -> Option<String> {
        assert_eq!(self.kept.get(..unchanged), record.lines.get(..unchanged), "the journal breaks");
        self.kept.truncate(unchanged);
        self.kept.extend_from_slice(&record.lines[unchanged..]);
        None
    }

    fn save(&mut self, _file: &str, _: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        self.saved = record.script(&self.name);
        Ok(())
    }

    fn load(&mut self, file: &str) -> Result<LoadedScript, (Sources, Diagnostics)> {
        let mut sources = Sources::default();
        let source = sources.add(file, self.saved.clone()).clone();
        match transcript::parse(&source) {
            Ok(script) => {
                Ok(LoadedScript { start: Running::new(self.game.clone()), script, source, sources })
            }
            Err(found) => Err((sources, found)),
        }
    }

    fn reload(&mut self, _record: &GameRecord) -> Result<LoadedScript, (Sources, Diagnostics)> {
        self.load("the game so far")
    }
}
