//! A journal that was broken off anywhere: the game in it goes on behind its last whole step, or it is
//! said that there is none. It is never another game.

use std::io;

use astragal::machinery::chance::Seed;
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::game::{Game, Player, State};
use astragal::machinery::pipeline::{GameOptions, load};
use astragal::machinery::session::{
    Console, Files, GameRecord, Io, LoadedScript, Prompt, Reply, Running, Seat, Session,
    seats_kept, whole_lines,
};
use astragal::machinery::source::Sources;
use astragal::machinery::transcript;

use crate::support::{read, root, rules};

/// The games that are broken off: dice and decisions, secrets, and all deciding together.
const GAMES: [&str; 3] = ["pig", "kuhn-poker", "rock-paper-scissors"];

/// How many moves are made before a game is broken off.
const MOVES: usize = 8;

#[test]
fn a_journal_broken_off_at_any_byte_is_the_same_game() {
    for name in GAMES {
        let path = root().join("examples").join(format!("{name}.game"));
        let rules = rules(name, &read(&path));
        let game = load(&rules, &GameOptions::default()).expect("it has the usual setting");
        let (whole, states) = played(&game, name);
        let mut lengths = Vec::new();
        for end in 0..=whole.len() {
            let Some(text) = whole_lines(&whole.as_bytes()[..end]) else { continue };
            let (kept, state) = taken_up(&game, &text, name);
            let place = format!("{name}, broken off at byte {end}:\n{text}");
            assert!(whole.starts_with(&kept), "{place}\nit goes on as another game:\n{kept}");
            assert!(kept.starts_with(&text), "{place}\nsomething was lost:\n{kept}");
            let at = states.iter().position(|known| *known == state);
            lengths.push(at.unwrap_or_else(|| panic!("{place}\nthe game never stood like this")));
        }
        assert!(lengths.is_sorted(), "{name}: more of the journal is less of the game");
        assert_eq!(lengths.first(), Some(&0), "{name}: the head alone is the beginning");
        assert_eq!(lengths.last(), Some(&(states.len() - 1)), "{name}: the whole is the end");
    }
}

#[test]
fn a_journal_without_its_head_is_no_game() {
    let game = "game pig\nplayers Ann, Ben\noption goal = 10\nseed 7\n";
    for end in 0..=game.len() {
        assert_eq!(whole_lines(&game.as_bytes()[..end]), None);
    }
}

#[test]
fn steps_that_are_kept_no_more_are_counted() {
    let path = root().join("examples/tic-tac-toe.game");
    let rules = rules("tic-tac-toe", &read(&path));
    let game = load(&rules, &GameOptions::default()).expect("it has the usual setting");
    let begun = |keeps| {
        let seats = vec![Seat::Human; 2];
        Session::steered(Running::new(game.clone()), seats, Seed(1), keeps).0
    };
    let (mut all, mut some) = (begun(usize::MAX), begun(3));
    for _ in 0..6 {
        for session in [&mut all, &mut some] {
            session.act(0);
        }
        for player in [Player(0), Player(1)] {
            assert_eq!(some.decisions_of(player), all.decisions_of(player));
        }
        assert_eq!(some.steps(), all.steps());
    }
    let undone = |session: &mut Session| (0..9).filter(|_| session.undo_one()).count();
    assert_eq!((undone(&mut all), undone(&mut some)), (6, 2), "only what is kept is taken back");
}

/// A journal of some moves by programs, and where the game stood at the start and behind each.
fn played(game: &Game, name: &str) -> (String, Vec<State>) {
    let mut desk = Io { console: Nobody(None), files: Kept::new(name) };
    let start = Running::new(game.clone());
    let people = game.names().iter().map(|_| Seat::Human).collect();
    let mut session =
        Session::begin(start, people, (Seed(7), 0), &mut desk).expect("nobody leaves");
    session.ask_all();
    let mut states = vec![session.position().state().clone()];
    while states.len() <= MOVES && session.position().count_moves() > 0 {
        let last = session.position().count_moves() - 1;
        desk.console.0 = Some(session.position().label_move(last.min(states.len() % 2)));
        session.play(&mut desk).expect("nobody leaves");
        states.push(session.position().state().clone());
    }
    session.play(&mut desk).expect("nobody leaves");
    (desk.files.text, states)
}

/// The journal and the state of a game that is taken up and left again.
fn taken_up(game: &Game, text: &str, name: &str) -> (String, State) {
    let mut sources = Sources::default();
    let source = sources.add("a.script", text).clone();
    let script = transcript::parse(&source).expect("whole lines are a script");
    let seats = script.lines.iter().find_map(|line| seats_kept(&line.text));
    let seed = Seed(script.seed().expect("the head is whole"));
    let seat = |word: &String| Seat::from_word(word, game, || 0).expect("somebody sat there");
    let seats = seats.expect("the head is whole").iter().map(seat).collect();
    let loaded = LoadedScript { start: Running::new(game.clone()), script, source, sources };
    let mut desk = Io { console: Nobody(None), files: Kept::new(name) };
    let session = Session::go_on(loaded, seats, seed, &mut desk).expect("nobody leaves");
    let mut session = session.expect("the game can begin");
    session.ask_all();
    session.play(&mut desk).expect("nobody leaves");
    (desk.files.text, session.position().state().clone())
}

/// Nobody, who types one line at most, and then leaves.
struct Nobody(Option<String>);

impl Console for Nobody {
    fn is_lively(&self) -> bool {
        false
    }

    fn ask(&mut self, _: &Prompt) -> io::Result<Reply> {
        Ok(self.0.take().map_or(Reply::End, Reply::Line))
    }

    fn draw(&mut self, _: &Sources, found: &Diagnostics, _: bool) -> io::Result<()> {
        let found: Vec<String> = found.sorted().iter().map(ToString::to_string).collect();
        panic!("there is something to complain about: {found:?}");
    }
}

/// The newest text of a journal.
struct Kept {
    name: String,
    text: String,
}

impl Kept {
    fn new(name: &str) -> Kept {
        Kept { name: name.to_owned(), text: String::new() }
    }
}

impl Files for Kept {
    fn keep(&mut self, record: &GameRecord, _: usize) -> Option<String> {
        self.text = record.script(&self.name);
        None
    }
}

#[test]
fn what_was_broken_off_is_left_out() {
    let text = |bytes: &[u8]| whole_lines(bytes);
    assert_eq!(text(b"game a\nseed 1\n"), None);
    assert_eq!(text(b"game a\n# seats: human"), None);
    let whole = "game a\n# seats: human\nAnn> go\n";
    assert_eq!(text(whole.as_bytes()).as_deref(), Some(whole));
    assert_eq!(text(format!("{whole}Ann> st").as_bytes()).as_deref(), Some(whole));
    assert_eq!(text(b"game a\n# seats: human\n\xc3").as_deref(), Some("game a\n# seats: human\n"));
}

#[test]
fn seats_are_read_back() {
    let words = ["human", "random"].map(String::from).to_vec();
    assert_eq!(seats_kept("# seats: human, random"), Some(words));
    assert_eq!(seats_kept("# a note"), None);
}
