//! Messages of an editor over standard input and output. What is no message is answered with an error
//! and harms no other; nothing is set aside for what a header only says.

use std::io::{self, BufRead, Read, Write};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, from_slice, from_value, json, to_value};

use crate::cli::lsp::RequestError;
use crate::host::gate;

/// How many bytes a message may have: a long file, and all that stands around it.
const MOST_BYTES: u64 = 64 << 20;

/// How many bytes a line above a message may have.
const LONGEST_LINE: u64 = 8 << 10;

/// A connection over standard input and output, and the threads that read and write.
pub(super) fn connect() -> (Connection, [JoinHandle<io::Result<()>>; 2]) {
    let (ours, theirs) = Connection::memory();
    let Connection { sender, receiver } = theirs;
    let writer = thread::spawn(move || {
        receiver.into_iter().try_for_each(|message| write_message(to_value(message)?))
    });
    let reader = thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(body) = body(&mut input)? {
            let message = match body.and_then(|bytes| message(&bytes)) {
                Ok(message) => message,
                Err((error, message)) => {
                    // What is no request has no number.
                    let error = json!({ "code": error as i32, "message": message });
                    write_message(json!({ "id": null, "error": error }))?;
                    continue;
                }
            };
            let is_exit = matches!(&message, Message::Notification(it) if it.method == "exit");
            if sender.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    });
    (ours, [reader, writer])
}

/// The bytes of the next message; none where there is no more.
fn body(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, RequestError>>> {
    let mut length: Option<Option<u64>> = None;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            // Where the next message begins nobody can tell.
            return Err(io::Error::other("a line above a message does not end"));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = Some(value.trim().parse().ok());
        }
    }
    let Some(length) = length.flatten() else {
        let why = "a message begins with `Content-Length`, a number and an empty line";
        return Ok(Some(Err((ErrorCode::ParseError, why.to_owned()))));
    };
    let mut rest = input.take(length);
    if length > MOST_BYTES {
        let too_long =
            (ErrorCode::InvalidRequest, format!("a message has at most {MOST_BYTES} bytes"));
        io::copy(&mut rest, &mut io::sink())?;
        return Ok(Some(Err(too_long)));
    }
    let mut bytes = Vec::new();
    rest.read_to_end(&mut bytes)?;
    Ok(Some(Ok(bytes)))
}

fn message(bytes: &[u8]) -> Result<Message, RequestError> {
    let value: Value =
        from_slice(bytes).map_err(|error| (ErrorCode::ParseError, error.to_string()))?;
    from_value(value).map_err(|error| (ErrorCode::InvalidRequest, error.to_string()))
}

fn write_message(mut message: Value) -> io::Result<()> {
    message["jsonrpc"] = "2.0".into();
    let text = message.to_string();
    let text = gate::escape_json(&text);
    let mut output = io::stdout().lock();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}
