//! A line: one client's WebSocket, from the handshake to the last frame.
//!
//! One task a line: a reader that takes one frame after the other and waits for its answer, and beside it a writer
//! that sends answers and what tables tell. The writer never waits for the reader. What a table tells is
//! encoded before it comes here and shared with all other lines.

mod lag;
mod reader;
mod writer;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::response::Response;
use futures_util::StreamExt;
use quadrex_protocol::{RefusalCode, SUBPROTOCOL};
use tokio::sync::mpsc;
use tracing::Instrument;

use super::app::{App, Peer};
use super::refuse::Refusal;
use crate::auth::Identity;
use reader::Reader;
use writer::Writer;

/// Bytes of a line's read buffer and of its write buffer, each. axum's own are 128 KiB for each idle line.
const BUFFER: usize = 4 * 1024;

/// How many times a frame may exceed the limit and still be read to its end, so that the closing handshake is
/// clean. What is larger ends the connection where it stands.
const READ_TO_END: usize = 4;

/// How many answers may wait for the writer. When they are many the reader waits: a client that does not read its
/// answers can ask no more.
const ANSWERS: usize = 16;

/// The subprotocol's own code for a reader that is too slow (WebSocket codes 4000 to 4999 are for applications).
const TOO_SLOW: u16 = 4008;

/// Opens a line: `GET /ws`.
pub(super) async fn open(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| {
        Refusal::new(RefusalCode::Malformed, format_args!("this is for WebSockets: {rejection}"))
    })?;
    let upgrade = upgrade.protocols([SUBPROTOCOL]);
    if upgrade.selected_protocol().is_none() {
        let message = format_args!("ask for the WebSocket subprotocol {SUBPROTOCOL}");
        return Err(Refusal::new(RefusalCode::Malformed, message));
    }
    if *app.closing.borrow() {
        return Err(Refusal::closing());
    }
    let identity = app.identify_line(&headers).await?;
    let is_program = headers.contains_key(AUTHORIZATION);
    let largest = READ_TO_END * app.limits.frame_close_bytes;
    let upgrade = upgrade
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_message_size(largest)
        .max_frame_size(largest);
    let address = app.visitors.address(peer.0, &headers);
    let span = tracing::info_span!("line", peer = %address);
    Ok(upgrade.on_upgrade(move |socket| run(app, socket, identity, is_program).instrument(span)))
}

/// Carries a line to its end.
async fn run(app: App, socket: WebSocket, identity: Identity, is_program: bool) {
    tracing::debug!("opened");
    let (sink, mut stream) = socket.split();
    let (answers, inbox) = mpsc::channel(ANSWERS);
    let writer = Writer::new(sink, inbox);
    let reading = async {
        let ending = Reader::new(app, identity, is_program, answers).run(&mut stream).await;
        reader::drain(&mut stream).await;
        ending
    };
    let (ending, ()) = tokio::join!(reading, writer.run());
    tracing::debug!(?ending, "closed");
}

/// Why a line is closed by the server, as the client is told.
fn close_frame(code: u16, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: reason.into() }
}
