//! What people see at a terminal, decision by decision, at two sizes of the screen.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use vt100::Parser;

use crate::commands::{state, words};
use crate::support::{read, root, snapshots};

/// How long the program may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long nothing comes to a screen that is complete.
const QUIET: Duration = Duration::from_millis(150);

/// The sizes of the screens: lines and columns.
const SIZES: [(u16, u16); 2] = [(24, 80), (40, 120)];

/// A folder for the state of the program, of a person who needs no hints any more.
fn practised() -> PathBuf {
    let folder = state(root());
    let own = folder.join("astragal");
    fs::create_dir_all(&own).expect("the folder of the tests can be written to");
    let hints = own.join("hints.txt");
    fs::write(hints, "moves\nsteps\nundo\nwhy\n").expect("a file can be written");
    folder
}

/// A screen that the program draws on, and the keys before it.
struct Table {
    child: Child,
    keys: File,
    bytes: Receiver<Vec<u8>>,
    screen: Parser,
    /// Whether the program has answered nothing yet to what was typed.
    is_unheard: bool,
}

impl Table {
    fn open(line: &str, (rows, columns): (u16, u16)) -> Table {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let ends = openpty(&size, None).expect("the system has terminals");
        let mut output = File::from(ends.master.try_clone().expect("it is open"));
        let (send, bytes) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let plug = || Stdio::from(ends.slave.try_clone().expect("it is open"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        command.arg("play").args(words(line)).current_dir(root()).env("TERM", "xterm");
        command.env("XDG_STATE_HOME", practised()).env_remove("LINES").env_remove("COLUMNS");
        let command = command.stdin(plug()).stdout(plug()).stderr(plug());
        let child = command.spawn().expect("the program can be started");
        let [high, wide] = [rows, columns].map(|it| NonZero::new(it).expect("a screen has a size"));
        let screen = Parser::new(high, wide, 0);
        Table { child, keys: File::from(ends.master), bytes, screen, is_unheard: true }
    }

    fn type_line(&mut self, line: &str) {
        self.keys.write_all(format!("{line}\r").as_bytes()).expect("the terminal is there");
        self.is_unheard = true;
    }

    /// What stands on the screen when a prompt waits in its last line that has letters.
    fn shown(&mut self) -> String {
        self.shown_when(|text| text.lines().next_back().is_some_and(|line| line.ends_with('>')))
    }

    /// What stands on the screen when nothing more comes and it is as wanted.
    fn shown_when(&mut self, is_wanted: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            match self.bytes.recv_timeout(QUIET) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.is_unheard = false;
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return self.text(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let text = self.text();
            if !self.is_unheard && is_wanted(&text) {
                return text;
            }
            assert!(start.elapsed() < PATIENCE, "nothing more comes:\n{text}");
        }
    }

    fn text(&self) -> String {
        let contents = self.screen.screen().contents();
        let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file of a screen: a heading, the command behind `$ `, then a line behind `< ` for each decision.
/// A `<` alone shows the screen.
#[test]
fn screens_are_as_they_were() {
    let _guard = snapshots("table_screens");
    insta::glob!("", "table_screens/*.screen", |path| {
        let text = read(path);
        let command = text.lines().find_map(|line| line.strip_prefix("$ play "));
        let command = command.expect("a screen has a command");
        let mut shown = format!("{}\n$ play {command}\n", text.lines().next().unwrap_or_default());
        for size in SIZES {
            let mut table = Table::open(command, size);
            let mut last = table.shown();
            for line in text.lines().filter_map(|line| line.strip_prefix('<')) {
                if line.is_empty() {
                    let (rows, columns) = size;
                    writeln!(shown, "\n== {columns} by {rows}: {} lines", last.lines().count())
                        .expect("a string takes every text");
                    shown.push_str(&last);
                    shown.push('\n');
                } else {
                    table.type_line(line.trim());
                    last = table.shown();
                }
            }
        }
        insta::assert_snapshot!("screen", shown);
    });
}

/// The highest screen at 80 columns on the way through some moves, each the first of its list.
fn highest(command: &str, moves: usize) -> usize {
    let mut table = Table::open(command, SIZES[0]);
    let mut shown = table.shown();
    let mut most = shown.lines().count();
    for _ in 0..moves {
        table.type_line("1");
        shown = table.shown();
        most = most.max(shown.lines().count());
    }
    most
}

#[test]
fn the_page_shows_a_screen_as_it_is() {
    let page = read(&root().join("docs/table.md"));
    let (_, after) =
        page.split_once("has the whole screen:\n\n```text\n").expect("the page shows one");
    let (shown, _) = after.split_once("```").expect("the block ends");
    let screens = read(&root().join("tests/table_screens/snapshots/screen@tice.screen.snap"));
    assert!(screens.contains(shown), "docs/table.md shows no screen of the snapshot:\n{shown}");
}

#[test]
fn a_table_takes_few_lines() {
    let four = highest("tice --players 4 --seed 4", 9);
    assert!(four <= 12, "{four} lines");
    let cards = highest("--load tests/table_screens/tenth_turn.script --seat 2=random", 0);
    assert!(cards <= 20, "{cards} lines");
}

/// Lines that are no moves, and a part of what the program answers.
const MISTAKES: [(&str, &str); 6] = [
    ("nope", "there is no move `nope`"),
    ("99", "numbered from 1 to"),
    ("hydra red", "The blue die or the white one"),
    ("time warp", "is no move at this decision"),
    (":why", "`:why` needs an argument"),
    ("undo 0", "takes a number of decisions"),
];

#[test]
fn a_small_screen_keeps_what_the_decision_needs() {
    for (command, typed, kept) in [
        ("elemento --players 3 --seed 3", "xx", ["4  g", "Which stone", "there is no move"]),
        (
            "dice-realms --names Ann,Ben --seed 5 --seat Ann=random",
            "go on",
            ["pool    x", "Which die", "dragon  red"],
        ),
        ("tice --names Ann,Ben --seed 11", "attack Ann; 77", ["▶ Ben", "numbered", "spin again"]),
    ] {
        let mut table = Table::open(command, (12, 40));
        table.shown();
        table.type_line(typed);
        table.shown_when(|text| kept.iter().all(|it| text.contains(it)));
    }
}

#[test]
fn mistakes_push_nothing_off_the_screen() {
    for size in [SIZES[0], (16, 60)] {
        let mut table = Table::open("dice-realms --names Ann,Ben --seed 4", size);
        table.shown();
        table.type_line("2");
        let is_whole = |text: &str| {
            let asks = text.contains("Which die do you use, Ben?");
            text.starts_with("Dice Realms") && asks && text.contains("dragon  1 red d3 head")
        };
        table.shown_when(is_whole);
        for (line, answer) in MISTAKES {
            table.type_line(line);
            table.shown_when(|text| is_whole(text) && text.contains(answer));
        }
        // What is too long for that stays until the next line.
        table.type_line("help");
        let is_page = |text: &str| text.trim_end().ends_with("q and Enter leaves");
        let is_read = |text: &str| text.contains(":help commands");
        while !is_read(&table.shown_when(|text| is_page(text) || is_read(text))) {
            table.type_line("");
        }
        table.type_line("");
        table.shown_when(|text| is_whole(text) && !text.contains(":help commands"));
    }
}

#[test]
fn who_waits_sees_what_the_own_move_changed() {
    let line = "connect-four --names Ann,Ben --seat Ben=mcts:100000000 --seed 4";
    let mut table = Table::open(line, SIZES[0]);
    table.shown();
    table.type_line("4");
    let shown = table.shown_when(|text| text.contains("Ben thinks"));
    assert!(shown.contains("1  · · · A · · ·"), "{shown}");
}

#[test]
fn a_pipe_and_plain_scroll() {
    let mut table = Table::open("connect-four --plain --seed 4", SIZES[0]);
    let first = table.shown();
    assert!(first.contains(":help"), "{first}");
    table.type_line("4");
    let second = table.shown();
    assert!(second.contains("P1> 4") && second.contains("P2>"), "{second}");
}
