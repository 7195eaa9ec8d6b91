//! A terminal that nobody sits at, in which the program runs.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use vt100::Parser;

/// How long the program may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Somebody before a terminal in which the program runs.
pub(crate) struct Terminal {
    keys: File,
    size: Winsize,
    plug: File,
    seen: Arc<Mutex<String>>,
    /// How much of it was looked at.
    looked: usize,
}

impl Terminal {
    pub(crate) fn press(&mut self, keys: impl AsRef<[u8]>) {
        self.keys.write_all(keys.as_ref()).expect("the terminal is there");
    }

    /// What comes to the screen up to some words.
    pub(crate) fn read_to(&mut self, words: &str) -> String {
        let start = Instant::now();
        loop {
            let seen = self.seen.lock().expect("nobody panics with it")[self.looked..].to_owned();
            if let Some(at) = seen.find(words) {
                self.looked += at + words.len();
                return seen[..at].to_owned();
            }
            assert!(start.elapsed() < PATIENCE, "`{words}` never came:\n{seen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the screen shows these words, and returns it.
    #[track_caller]
    pub(crate) fn show(&mut self, words: &str) -> String {
        let start = Instant::now();
        loop {
            let size = [self.size.ws_row, self.size.ws_col];
            let [rows, columns] = size.map(|it| NonZeroU16::new(it).expect("it has a size"));
            let mut parser = Parser::new(rows, columns, 0);
            parser.process(self.seen.lock().expect("nobody panics with it").as_bytes());
            let screen = parser.screen().contents();
            if screen.contains(words) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "`{words}` never came:\n{screen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Gives the window another size, and forgets what was on it.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        (self.size.ws_col, self.size.ws_row) = (columns, rows);
        self.seen.lock().expect("nobody panics with it").clear();
        self.looked = 0;
        let words = ["cols".to_owned(), columns.to_string(), "rows".to_owned(), rows.to_string()];
        let plug = self.plug.try_clone().expect("it is open");
        let resized = Command::new("stty").args(words).stdin(plug).status();
        assert!(resized.is_ok_and(|it| it.success()), "`stty` changes the size");
    }
}

/// Starts the program in a terminal.
pub(crate) fn at_terminal(folder: &Path, words: &[&str], kept: &Path) -> (Child, Terminal) {
    at_terminal_called("xterm", folder, words, kept)
}

/// Starts the program in a terminal of this sort.
pub(crate) fn at_terminal_called(
    term: &str,
    folder: &Path,
    words: &[&str],
    kept: &Path,
) -> (Child, Terminal) {
    let size = Winsize { ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let ends = openpty(&size, None).expect("the system has terminals");
    let seen = Arc::new(Mutex::new(String::new()));
    let (mut screen, all) =
        (File::from(ends.master.try_clone().expect("it is open")), seen.clone());
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut bytes) {
            let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
            all.lock().expect("nobody panics with it").push_str(&text);
        }
    });
    let plug = || Stdio::from(ends.slave.try_clone().expect("it is open"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.args(words).current_dir(folder).env("XDG_STATE_HOME", kept).env("TERM", term);
    let command = command.stdin(plug()).stdout(plug()).stderr(plug());
    let child = command.spawn().expect("the program can be started");
    let (keys, plug) =
        (File::from(ends.master), File::from(ends.slave.try_clone().expect("it is open")));
    (child, Terminal { keys, size, plug, seen, looked: 0 })
}
