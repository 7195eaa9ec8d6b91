//! The paths of the server: the page, and the socket of the table. Nothing else of this machine can be
//! reached.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request as Asked, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

use crate::serve::limits::{
    HEAD, MOST_BYTES, MOST_CONNECTIONS, MOST_HEAD, MOST_STRANGERS, REQUEST,
};
use crate::serve::links::SharedLinks;
use crate::serve::page::attend;
use crate::serve::table::Request;

/// What is sent with the page: no other site may show it in a frame or learn its address.
const HEADERS: [(header::HeaderName, &str); 5] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// What every connection of a browser needs.
struct WebServer {
    page: String,
    links: SharedLinks,
    table: mpsc::Sender<Request>,
    strangers: Arc<Semaphore>,
}

/// Serves browsers until the program ends.
pub(super) async fn serve_browsers(
    listener: std::net::TcpListener,
    page: String,
    links: SharedLinks,
    table: mpsc::Sender<Request>,
) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let strangers = Arc::new(Semaphore::new(MOST_STRANGERS));
    let house = Arc::new(WebServer { page, links, table, strangers });
    let router = Router::new()
        .route("/", get(serve_page))
        .route("/table", get(socket))
        .layer(from_fn_with_state(Arc::clone(&house), check_host))
        .with_state(house);
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The system has no more sockets: some will be free again.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        match Arc::clone(&connections).try_acquire_owned() {
            Ok(permit) => {
                let router = router.clone();
                tokio::spawn(async move {
                    connection(stream, router).await;
                    drop(permit);
                });
            }
            Err(_) => turn_away(&stream),
        }
    }
}

/// Reads one request and answers it. A socket leaves this function when its page opens it.
async fn connection(stream: TcpStream, router: Router) {
    let _ = stream.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(MOST_HEAD)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let _ = timeout(REQUEST, served).await;
}

fn turn_away(stream: &TcpStream) {
    let body = "too many connections; try again in a moment\n";
    let head = "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: text/plain";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    // A browser that cannot take this at once gets nothing.
    let _ = stream.try_write(answer.as_bytes());
}

/// Refuses requests for other names: a page elsewhere may have a name that leads here.
async fn check_host(State(house): State<Arc<WebServer>>, asked: Asked, next: Next) -> Response {
    let host = asked.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if host.is_some_and(|host| house.links.lock().knows_host(host)) {
        return next.run(asked).await;
    }
    let reason = "this server has another name; `--host` adds names\n";
    (StatusCode::MISDIRECTED_REQUEST, reason).into_response()
}

async fn serve_page(State(house): State<Arc<WebServer>>) -> Response {
    (HEADERS, house.page.clone()).into_response()
}

async fn socket(
    State(house): State<Arc<WebServer>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_own_page(&headers) {
        let reason = "only the page of this server may open its table\n";
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    let Ok(stranger) = Arc::clone(&house.strangers).try_acquire_owned() else {
        let reason = "too many pages are being opened; try again in a moment\n";
        return (StatusCode::SERVICE_UNAVAILABLE, reason).into_response();
    };
    let upgrade = upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES);
    upgrade.on_upgrade(async move |socket| {
        attend(socket, &house.links, house.table.clone(), stranger).await;
    })
}

/// Whether a page of this server asks, or no page at all. Browsers say where a page came from.
fn is_own_page(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let own = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    origin.is_some_and(|(way, origin)| {
        matches!(way, "http" | "https") && own.is_some_and(|own| own.eq_ignore_ascii_case(origin))
    })
}
