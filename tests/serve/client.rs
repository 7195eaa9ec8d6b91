//! A server as a process of its own, and a browser that speaks HTTP and WebSocket with it as plainly as
//! can be, so that it can also speak wrongly.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// What the tests take for the page.
pub(super) const PAGE: &str = "<!doctype html><title>a seat</title>";

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_mins(1);

/// A folder for the files of one test, empty at its start.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    folder
}

pub(super) fn astragal(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    std::fs::write(folder.join("page.html"), PAGE).expect("the folder can be written");
    command.arg("serve").args(words).args(["--page", "page.html"]);
    command.current_dir(folder).env("XDG_STATE_HOME", folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running server, which is killed when the test is done with it.
pub(super) struct Server {
    child: Child,
    /// The link of each person.
    pub(super) links: Vec<String>,
    /// The link of everybody else.
    everybody: String,
}

impl Server {
    /// A server for so many people.
    pub(super) fn start(folder: &Path, people: usize, words: &[&str]) -> Server {
        let mut child = astragal(folder, words).spawn().expect("the program can be started");
        let out = child.stdout.take().expect("it is piped");
        let printed = BufReader::new(out).lines().take(people + 1);
        let link = |line: std::io::Result<String>| {
            line.expect("it prints text").split_once(": ").expect("a name and a link").1.to_owned()
        };
        let mut links: Vec<String> = printed.map(link).collect();
        let everybody = links.pop().unwrap_or_default();
        if links.len() < people {
            let ended = child.wait_with_output().expect("it has ended");
            panic!("{words:?}: {}", String::from_utf8_lossy(&ended.stderr));
        }
        Server { child, links, everybody }
    }

    /// Where it listens: `127.0.0.1:7117`.
    pub(super) fn host(&self) -> &str {
        let (_, rest) = self.links[0].split_once("://").expect("it is a link");
        rest.split('/').next().expect("a host stands before the path")
    }

    pub(super) fn token(&self, person: usize) -> &str {
        self.links[person].split_once("#seat=").expect("it has a token").1
    }

    /// Sits down as this person.
    pub(super) fn sit(&self, person: usize) -> Socket {
        let mut socket = Socket::open(self.host());
        socket.say(&json!({ "ask": "sit", "token": self.token(person) }));
        socket
    }

    /// Comes into the room without a seat.
    pub(super) fn enter(&self) -> Socket {
        let mut socket = Socket::open(self.host());
        socket.say(&json!({ "ask": "enter", "word": self.word() }));
        socket
    }

    /// Watches without a seat.
    pub(super) fn watch(&self) -> Socket {
        let mut socket = Socket::open(self.host());
        socket.say(&json!({ "ask": "watch", "word": self.word() }));
        socket
    }

    pub(super) fn word(&self) -> &str {
        self.everybody.split_once("#table=").expect("it has a word").1
    }

    /// Sits down with a key that was given in the room.
    pub(super) fn sit_with(&self, token: &Value) -> Socket {
        let mut socket = Socket::open(self.host());
        socket.say(&json!({ "ask": "sit", "token": token }));
        socket
    }

    /// How much memory it has, in kB; nothing where the system does not tell.
    pub(super) fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let Ok(status) = std::fs::read_to_string(path) else { return 0 };
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.expect("it has some").parse().expect("it is a number")
    }

    /// Ends it as a power cut would, with `SIGKILL`.
    pub(super) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn connect(host: &str) -> TcpStream {
    let stream = TcpStream::connect(host).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time can be set");
    stream.set_nodelay(true).expect("small messages can go at once");
    stream
}

/// The whole answer to a request in these words.
pub(super) fn request(host: &str, words: &str) -> String {
    let mut stream = connect(host);
    stream.write_all(words.as_bytes()).expect("the server reads");
    let mut answer = Vec::new();
    // Who is refused may be cut off.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The answer to `GET` under a name.
pub(super) fn get(host: &str, path: &str, name: &str) -> String {
    request(host, &format!("GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n"))
}

/// The head of a request for the socket of a table.
pub(super) fn upgrade(host: &str, origin: &str) -> String {
    format!(
        "GET /table HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

/// What a server sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Text(String),
    /// The code and the reason.
    Close(u16, String),
    /// The connection is gone.
    Gone,
}

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

const MOST_PINGS: usize = 3;

pub(super) struct Socket(BufReader<TcpStream>);

impl Socket {
    pub(super) fn open(host: &str) -> Socket {
        Socket::try_open(host).unwrap_or_else(|answer| panic!("no socket: {answer}"))
    }

    /// A socket, or the first line of the answer that refuses it.
    pub(super) fn try_open(host: &str) -> Result<Socket, String> {
        let mut stream = connect(host);
        // Whoever is refused may be cut off.
        let _ = stream.write_all(upgrade(host, &format!("http://{host}")).as_bytes());
        let mut socket = BufReader::new(stream);
        let mut first = String::new();
        let _ = socket.read_line(&mut first);
        if !first.starts_with("HTTP/1.1 101 ") {
            return Err(first.trim().to_owned());
        }
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            socket.read_line(&mut line).expect("a head is whole");
        }
        Ok(Socket(socket))
    }

    pub(super) fn say(&mut self, message: &Value) {
        self.frame(TEXT, message.to_string().as_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.frame(TEXT, text.as_bytes());
    }

    /// Sends a whole frame of any kind. A mask of zeroes leaves the bytes as they are.
    pub(super) fn frame(&mut self, kind: u8, bytes: &[u8]) {
        let mut frame = vec![0x80 | kind];
        match bytes.len() {
            short @ 0..126 => frame.push(0x80 | u8::try_from(short).expect("it is short")),
            long => {
                frame.push(0x80 | 127);
                frame.extend((long as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(bytes);
        self.bytes(&frame);
    }

    /// Sends anything; a server that has gone does not read it.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        let _ = self.0.get_mut().write_all(bytes);
    }

    /// The next frame, but for those that ask whether somebody is there.
    pub(super) fn next(&mut self) -> Frame {
        // A server that only asks whether somebody is there has nothing to say.
        for _ in 0..MOST_PINGS {
            match self.read() {
                Ok((TEXT, bytes)) => {
                    return Frame::Text(String::from_utf8(bytes).expect("texts are UTF-8"));
                }
                Ok((CLOSE, bytes)) if bytes.len() >= 2 => {
                    let code = u16::from_be_bytes([bytes[0], bytes[1]]);
                    return Frame::Close(code, String::from_utf8_lossy(&bytes[2..]).into_owned());
                }
                Ok((PING, bytes)) => self.frame(PONG, &bytes),
                Ok((CLOSE, _)) => return Frame::Gone,
                Ok((kind, _)) => panic!("the server sends a frame of the kind {kind}"),
                Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("nothing comes"),
                Err(_) => return Frame::Gone,
            }
        }
        panic!("nothing comes but pings")
    }

    fn read(&mut self) -> std::io::Result<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head)?;
        let length = match head[1] {
            126 => {
                let mut bytes = [0; 2];
                self.0.read_exact(&mut bytes)?;
                u16::from_be_bytes(bytes).into()
            }
            127 => {
                let mut bytes = [0; 8];
                self.0.read_exact(&mut bytes)?;
                usize::try_from(u64::from_be_bytes(bytes)).expect("it fits in here")
            }
            short => short.into(),
        };
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes)?;
        Ok((head[0] & 0x0f, bytes))
    }

    pub(super) fn next_text(&mut self) -> String {
        match self.next() {
            Frame::Text(text) => text,
            other => panic!("{other:?}"),
        }
    }

    /// What the seat is told next, whatever else comes before.
    pub(super) fn news(&mut self) -> Value {
        self.awaited("news")
    }

    /// What everybody is told of the room next, whatever else comes before.
    pub(super) fn room(&mut self) -> Value {
        self.awaited("room")
    }

    /// The time that the seats have left, and whose runs.
    pub(super) fn clock(&mut self) -> Value {
        self.awaited("clock")
    }

    /// The answer to a message.
    pub(super) fn ask(&mut self, message: &Value) -> Value {
        self.say(message);
        loop {
            let answer: Value = serde_json::from_str(&self.next_text()).expect("JSON");
            if answer.get("ok").is_some() || answer.get("error").is_some() {
                return answer;
            }
        }
    }

    fn awaited(&mut self, key: &str) -> Value {
        loop {
            let mut message: Value = serde_json::from_str(&self.next_text()).expect("JSON");
            if message.get(key).is_some() {
                return message[key].take();
            }
        }
    }

    /// Why the server sends this one away: the error that it says, and the code that it closes with.
    pub(super) fn refusal(&mut self) -> (String, u16) {
        let mut reason = String::new();
        loop {
            match self.next() {
                Frame::Text(text) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    if let Some(error) = message["error"].as_str() {
                        error.clone_into(&mut reason);
                    }
                }
                Frame::Close(code, words) => {
                    assert_eq!(words, reason, "the reason is given twice");
                    return (reason, code);
                }
                Frame::Gone => return (reason, 0),
            }
        }
    }
}
