//! Rules that change while the program runs: at the table, and under `check --watch`.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::support::{read, root};

/// How long a line may take to come. Longer than ever needed, for machines with much else to do.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program that runs in a folder of its own, beside a file that is being written.
struct Running {
    child: Child,
    typed: Option<ChildStdin>,
    lines: Receiver<String>,
    folder: PathBuf,
}

impl Running {
    fn start(name: &str, words: &[&str]) -> Running {
        let folder = std::env::temp_dir().join(format!("astragal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder of temporary files can be written");
        std::fs::copy(root().join("examples/nim.game"), folder.join("nim.game"))
            .expect("the file can be copied");
        let script = "game nim.game\nplayers Ann, Ben\nAnn> take 1 left\n";
        std::fs::write(folder.join("nim.script"), script).expect("the file can be written");
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(words)
            .current_dir(&folder)
            .env("XDG_STATE_HOME", &folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = channel();
        let output = child.stdout.take().expect("it was piped");
        let errors = child.stderr.take().expect("it was piped");
        for stream in [Box::new(output) as Box<dyn Read + Send>, Box::new(errors)] {
            let sender = sender.clone();
            thread::spawn(move || {
                let lines = BufReader::new(stream).lines().map_while(Result::ok);
                lines.for_each(|line| drop(sender.send(line)));
            });
        }
        Running { typed: child.stdin.take(), child, lines, folder }
    }

    fn change(&self, from: &str, to: &str) {
        let path: &Path = &self.folder.join("nim.game");
        let text = read(path);
        assert!(text.contains(from), "there is no `{from}` to change");
        std::fs::write(path, text.replacen(from, to, 1)).expect("the file can be written");
    }

    fn say(&mut self, line: &str) {
        let typed = self.typed.as_mut().expect("the program listens");
        writeln!(typed, "{line}").and_then(|()| typed.flush()).expect("the program listens");
    }

    /// Waits for a line with these words.
    #[track_caller]
    fn hear(&self, words: &str) {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.contains(words) => return,
                Ok(line) => heard.push(line),
                Err(error) => panic!("`{words}`: {error}, only\n{}", heard.join("\n")),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_changed_file_is_offered_and_played_on() {
    let mut game = Running::start("offered", &["play", "nim.game", "--seed", "1"]);
    game.say("take 1 left");
    game.hear("P1> take 1 left");
    game.change("game \"Nim\"", "game \"Min\"");
    game.say(":history");
    game.hear("`nim.game` has changed; `:reload` plays on with it");
    game.hear("1  P1> take 1 left");
    game.change("take(n, h)", "pick(n, h)");
    game.say(":reload");
    game.hear("the moves so far, on the rules as they are now");
    game.hear("`take 1 left` is illegal here");
    game.hear("the game continues from its beginning");
    game.say("pick 1 left");
    game.hear("P1> pick 1 left");
    game.say(":undo 2");
    game.hear("taken back");
    game.say("take 2 left");
    game.hear("P2> take 2 left");
}

#[test]
fn a_watched_file_is_played_on_at_once() {
    let mut game = Running::start("watched", &["play", "nim.game", "--seed", "1", "--watch"]);
    game.say("take 1 left");
    game.hear("P1> take 1 left");
    game.change("play {", "play { oops");
    game.say("");
    game.hear("syntax::");
    game.hear("the game continues with the old rules");
    game.change("play { oops", "play { say \"Again.\"\n");
    game.say("take 1 left");
    game.hear("P2> take 1 left");
    game.hear("the moves so far, on the rules as they are now");
    game.say(":history");
    game.hear("2  P2> take 1 left");
}

#[test]
fn a_watched_file_is_checked_again() {
    let game = Running::start("checked", &["check", "nim.game", "--watch"]);
    game.hear("nim.game: no errors");
    game.change("play {", "play { oops");
    game.hear("nim.game has changed");
    game.hear("syntax::");
    game.change("play { oops", "play {");
    game.hear("nim.game: no errors");
}

#[test]
fn scripts_of_a_watched_file_are_run_again() {
    let game = Running::start("run", &["run", "--watch", "--quiet"]);
    game.hear("nim.script: passed");
    game.change("take(n, h)", "pick(n, h)");
    game.hear("nim.script: failed");
    game.change("pick(n, h)", "take(n, h)");
    game.hear("nim.script: passed");
}
