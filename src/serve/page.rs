//! One page, at a seat or in the room: its first message says where, all others go to the table.

use std::pin::pin;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::future::{Either, select};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{Sink, SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::timeout;

use crate::host::progress::milliseconds;
use crate::serve::limits::{GUESS, MOST_BYTES, MOST_WAITING, PING, Rate, SEND, SILENCE, SIT};
use crate::serve::links::SharedLinks;
use crate::serve::table::{Place, Request};

/// The first message of a page: `{"ask": "sit", "token": "…"}`, `{"ask": "enter", "word": "…"}` for the room, or
/// `{"ask": "watch", "word": "…"}`.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Greeting {
    Sit { token: String },
    Enter { word: String },
    Watch { word: String },
}

/// Why a page is sent away: a code, and a reason. A page that reads code 4001 does not come back by itself.
type PageRefusal = (u16, &'static str);

const NO_SEAT: PageRefusal = (4001, "this link opens no seat at this table");
const NO_ROOM: PageRefusal = (4001, "this word opens no table");
const SLOW_TO_SIT: PageRefusal =
    (close_code::POLICY, "the first message must say which link was opened");
const FULL: PageRefusal = (close_code::AGAIN, "too many pages are open at this seat");
const FLOOD: PageRefusal = (close_code::POLICY, "too many messages in a short time");
const NO_TEXT: PageRefusal = (close_code::UNSUPPORTED, "a message is a text in JSON");
const UNREADABLE: PageRefusal =
    (close_code::SIZE, "a message is a frame of text with at most 65536 bytes");
const SLOW: PageRefusal = (close_code::AGAIN, "the page reads too slowly");
const SILENT: PageRefusal = (close_code::AWAY, "the page does not answer");

const _: () = assert!(MOST_BYTES == 65_536, "the reason says so");

/// Speaks with a page until it goes or is sent away.
pub(super) async fn attend(
    mut socket: WebSocket,
    links: &SharedLinks,
    table: mpsc::Sender<Request>,
    stranger: OwnedSemaphorePermit,
) {
    let place = match receive_place(&mut socket, links).await {
        Ok(place) => place,
        Err(refusal) => return refuse_page(socket, refusal).await,
    };
    let (outbox, news) = mpsc::channel(MOST_WAITING);
    let (welcome, welcomed) = oneshot::channel();
    if table.send(Request::Come { place, outbox, welcome }).await.is_err() {
        return;
    }
    let Ok(page) = welcomed.await else { return refuse_page(socket, FULL).await };
    drop(stranger);
    let (sink, stream) = socket.split();
    let (farewell, refused) = oneshot::channel();
    let writing = pin!(send_news(sink, news, refused));
    match select(pin!(forward_messages(stream, page, &table)), writing).await {
        Either::Left((refusal, writing)) => {
            match refusal {
                Some(refusal) => drop(farewell.send(refusal)),
                None => drop(farewell),
            }
            // The table drops the outbox, which ends the writing.
            let _ = table.send(Request::Leave { page }).await;
            writing.await;
        }
        Either::Right(((), _)) => drop(table.send(Request::Leave { page }).await),
    }
}

/// Waits for the link of a page and returns the place that it opens.
async fn receive_place(socket: &mut WebSocket, links: &SharedLinks) -> Result<Place, PageRefusal> {
    let first = timeout(SIT, socket.recv()).await.map_err(|_| SLOW_TO_SIT)?;
    let Some(Ok(Message::Text(text))) = first else { return Err(UNREADABLE) };
    match serde_json::from_str(&text) {
        Ok(Greeting::Sit { token }) => {
            links.lock().find_seat(&token).map(Place::Seat).ok_or(NO_SEAT)
        }
        Ok(Greeting::Enter { word }) if links.lock().is_word(&word) => Ok(Place::Room),
        Ok(Greeting::Watch { word }) if links.lock().is_word(&word) => Ok(Place::Watching),
        Ok(Greeting::Enter { .. } | Greeting::Watch { .. }) => {
            // A word is short: who guesses has to wait each time.
            tokio::time::sleep(GUESS).await;
            Err(NO_ROOM)
        }
        Err(_) => Err(SLOW_TO_SIT),
    }
}

/// Hands on what a page says; returns why it is sent away, if it is.
async fn forward_messages(
    mut stream: SplitStream<WebSocket>,
    page: u64,
    table: &mpsc::Sender<Request>,
) -> Option<PageRefusal> {
    let mut rate = Rate::new();
    loop {
        let Ok(said) = timeout(SILENCE, stream.next()).await else { return Some(SILENT) };
        let Ok(message) = said? else { return Some(UNREADABLE) };
        if !rate.allows_one() {
            return Some(FLOOD);
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return Some(NO_TEXT),
            Message::Close(_) => return None,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        // While the table is busy, no more is read, and no page can keep the others from being heard.
        table.send(Request::Say { page, text }).await.ok()?;
    }
}

/// Sends what the table says, and looks now and then whether the page is still there.
async fn send_news(
    mut sink: SplitSink<WebSocket, Message>,
    mut news: mpsc::Receiver<Utf8Bytes>,
    mut refused: oneshot::Receiver<PageRefusal>,
) {
    let mut asked = milliseconds();
    loop {
        // A page that is told much and says nothing is asked, too.
        let rest = PING.saturating_sub(Duration::from_millis(milliseconds() - asked));
        let message = match timeout(rest, news.recv()).await {
            Ok(Some(text)) => Message::Text(text),
            Ok(None) => break,
            Err(_) => {
                asked = milliseconds();
                Message::Ping(axum::body::Bytes::new())
            }
        };
        // Who does not read is not waited for.
        if !matches!(timeout(SEND, sink.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
    let refusal = match refused.try_recv() {
        Ok(refusal) => refusal,
        // The table sent it away, and nobody else did.
        Err(oneshot::error::TryRecvError::Empty) => SLOW,
        Err(oneshot::error::TryRecvError::Closed) => return,
    };
    refuse_page(sink, refusal).await;
}

/// Sends the reason in the form of an answer, and closes the socket.
async fn refuse_page(mut sink: impl Sink<Message> + Unpin, (code, reason): PageRefusal) {
    let error = Message::Text(json!({ "error": reason }).to_string().into());
    let _ = timeout(SEND, sink.send(error)).await;
    let frame = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    let _ = timeout(SEND, sink.send(frame)).await;
}
