//! Sessions that show what is said of inputs nobody wants to store: recipes write their files.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::commands::{astragal_wide, state, words};
use crate::support::{empty_folder, name, read, snapshots};

/// How long a game that goes on may take until its journal is there.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sessions in an empty folder. `$ write FILE` has the text of a file below it, behind `< `; a line of it
/// that ends with ` … 3 times` stands there three times, with `{n}` for 1, 2 and 3, and `{n+1}` for one
/// more. So may `$ write part-{n}.game … 3 times`. What stands below other commands is typed, and
/// a command that ends with ` &` goes on until the session is over.
#[test]
fn what_nobody_stores_is_explained() {
    let _guard = snapshots("diagnostics/session");
    insta::glob!("", "diagnostics/session/*.session", |path| {
        let folder = empty_folder(&format!("recipes/{}", name(path)));
        let text = read(path);
        let lines: Vec<&str> = text.lines().collect();
        let mut session = Session { folder, shown: String::new(), others: Vec::new() };
        for (number, line) in lines.iter().enumerate() {
            let input = lines[number + 1..].iter().map_while(|line| line.strip_prefix("< "));
            match line.strip_prefix("$ ") {
                Some(command) => session.type_in(command, &input.collect::<Vec<_>>()),
                None if line.starts_with("< ") => {}
                None => session.show([line, "\n"]),
            }
        }
        insta::assert_snapshot!("session", session.end());
    });
}

/// Some commands in a row, with what they gave.
struct Session {
    folder: PathBuf,
    shown: String,
    /// Programs that go on.
    others: Vec<Child>,
}

impl Session {
    fn show<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) {
        self.shown.extend(parts);
    }

    fn type_in(&mut self, command: &str, input: &[&str]) {
        writeln!(self.shown, "$ {command}").expect("a text takes every line");
        for line in input {
            writeln!(self.shown, "< {line}").expect("a text takes every line");
        }
        if let Some(file) = command.strip_prefix("write ") {
            return self.write(file, input);
        }
        let typed = words(command);
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        let input: String = input.iter().flat_map(|line| [line, "\n"]).collect();
        match typed.as_slice() {
            ["astragal", words @ .., "&"] => self.begin(words, &input),
            ["astragal", words @ ..] => self.run("80", words, &input),
            // A long path must not break the lines of a message.
            ["COLUMNS=300", "astragal", words @ ..] => self.run("300", words, &input),
            ["cat", file] => {
                let text = std::fs::read_to_string(self.folder.join(file));
                self.show([text.expect("the session wrote it").as_str()]);
            }
            _ => panic!("a session runs `astragal`, `write` or `cat`, not `{command}`"),
        }
    }

    fn write(&self, file: &str, lines: &[&str]) {
        let text: String =
            lines.iter().flat_map(|line| [expanded(line), "\n".to_owned()]).collect();
        // A file that was broken off ends in the middle of a line.
        let text = text.strip_suffix("…\n").unwrap_or(&text);
        for (number, file) in expanded(file).lines().enumerate() {
            let path = self.folder.join(file);
            std::fs::create_dir_all(path.parent().expect("it lies in the folder"))
                .expect("the folder of tests can be written");
            let text = numbered(text, number + 1);
            std::fs::write(path, text).expect("the folder of tests can be written");
        }
    }

    fn run(&mut self, columns: &str, words: &[&str], input: &str) {
        let ran = astragal_wide((&self.folder, columns), words, input);
        let place = format!("{}/", self.folder.display()).replace('\\', "/");
        let place = |text: &str| text.replace('\\', "/").replace(&place, "");
        self.show([place(&ran.output).as_str()]);
        for line in place(&ran.errors).lines() {
            self.show([format!("! {line}").trim_end(), "\n"]);
        }
        if ran.exit != Some(0) {
            let exit = ran.exit.map_or("by a signal".to_owned(), |exit| exit.to_string());
            self.show(["(ends with ", &exit, ")\n"]);
        }
    }

    /// Begins a game that is not left: somebody still sits before it.
    fn begin(&mut self, words: &[&str], input: &str) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        command.args(words).current_dir(&self.folder).env("XDG_STATE_HOME", state(&self.folder));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program can be started");
        let pipe = child.stdin.as_mut().expect("it was piped");
        pipe.write_all(input.as_bytes()).expect("the program listens");
        self.others.push(child);
        let journals = state(&self.folder).join("astragal").join("games");
        let start = Instant::now();
        let is_kept = || {
            let entries = journals.read_dir().into_iter().flatten().flatten();
            entries.map(|it| it.path()).any(|it| it.extension().is_some_and(|it| it == "script"))
        };
        while !is_kept() {
            assert!(start.elapsed() < PATIENCE, "{words:?} keeps no game");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn end(mut self) -> String {
        for child in &mut self.others {
            child.kill().expect("it runs until somebody leaves");
            child.wait().expect("it was ended");
        }
        let lines: Vec<&str> = self.shown.lines().map(str::trim_end).collect();
        lines.join("\n")
    }
}

/// A line as often as it says, each time with its number.
fn expanded(line: &str) -> String {
    let times = line.strip_suffix(" times").and_then(|line| line.rsplit_once(" … "));
    let Some((line, times)) = times else { return line.to_owned() };
    let times: usize = times.replace(',', "").parse().expect("a number stands before `times`");
    let lines: Vec<String> = (1..=times).map(|number| numbered(line, number)).collect();
    lines.join("\n")
}

fn numbered(text: &str, number: usize) -> String {
    text.replace("{n}", &number.to_string()).replace("{n+1}", &(number + 1).to_string())
}
