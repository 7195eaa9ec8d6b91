//! Playing with people made of lines.

use std::io;

use super::{Ending, Session};
use crate::chance::Seed;
use crate::game::TableView;
use crate::session::console::Console;
use crate::session::fake::Fake;
use crate::session::script::run;
use crate::session::seat::Seat;
use crate::source::Source;
use crate::transcript::parse;

/// A person who types these lines, in front of a screen that is kept.
struct Lines {
    typed: Vec<&'static str>,
    told: Vec<String>,
    kept: Vec<String>,
}

impl Console for Lines {
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.told.push(prompt.to_owned());
        let line = (!self.typed.is_empty()).then(|| self.typed.remove(0).to_owned());
        Ok(line)
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.told.push(line.to_owned());
        Ok(())
    }

    fn show(&mut self, table: &TableView, _names: &[String]) -> io::Result<()> {
        let thing = &table.table[0];
        self.told.push(format!("[{} {}]", thing.title, thing.value));
        Ok(())
    }

    fn keep(&mut self, line: &str) -> io::Result<()> {
        self.kept.push(line.to_owned());
        Ok(())
    }
}

fn play(seats: [&str; 2], typed: &[&'static str]) -> (Ending, Lines) {
    let seed = Seed(1);
    let seat = |(word, number)| Seat::named(word, seed, 2, number).unwrap();
    let seats = seats.into_iter().zip(0..).map(seat).collect();
    let chance = seed.table(0, 2);
    let mut session = Session { position: Fake::new(), seats, chance };
    let mut lines = Lines { typed: typed.to_vec(), told: Vec::new(), kept: Vec::new() };
    let ending = session.play(&mut lines).unwrap();
    (ending, lines)
}

#[test]
fn people_play_by_words_numbers_and_beginnings() {
    let (ending, lines) = play(["human", "human"], &["ro tw", "2", "stop"]);
    assert_eq!(ending, Ending::Over);
    let decisions: Vec<&String> = lines.kept.iter().filter(|line| line.contains("> ")).collect();
    assert_eq!(decisions.len(), 3);
    assert!(lines.told.last().unwrap().starts_with("= "));
}

#[test]
fn a_refused_move_is_explained_and_asked_again() {
    let (_, lines) = play(["human", "human"], &["fly", "stopp", "stop"]);
    assert!(lines.told.contains(&"no move is called `fly`".to_owned()));
    assert!(lines.told.contains(&"type `:moves`".to_owned()));
    assert!(lines.told.contains(&"did you mean `stop`?".to_owned()));
}

#[test]
fn leaving_is_polite() {
    assert_eq!(play(["human", "human"], &["pass"]).0, Ending::Left);
    assert_eq!(play(["human", "human"], &[":quit", "stop"]).0, Ending::Left);
}

#[test]
fn what_is_kept_is_a_script_that_plays_again() {
    let (ending, lines) = play(["random", "random"], &[]);
    assert_eq!(ending, Ending::Over);
    let text = format!("game rolling\nplayers Ann, Ben\n{}\n", lines.kept.join("\n"));
    let source = Source::new("kept.script", text.as_str());
    let run = run(&parse(&source).unwrap(), &source, Fake::new());
    assert!(run.diagnostics.is_empty());
    assert_eq!(run.transcript, text);
}

#[test]
fn what_is_said_to_a_program_is_not_told() {
    let told_to_ben = |seats| {
        let (_, lines) = play(seats, &["whisper card #3", "whisper card #3", "stop"]);
        lines.told.iter().any(|line| line.contains("(to Ben) psst"))
    };
    assert!(told_to_ben(["human", "human"]));
    assert!(!told_to_ben(["human", "random"]));
}
