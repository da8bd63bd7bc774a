//! A line: one client's WebSocket, from the handshake to the last frame.
//!
//! One task a line, the reader: it takes one frame after the other and waits for its answer. What is to be sent goes into
//! the line's outbox, by the reader and by whoever has something to tell: a table writes its events out to all who watch,
//! without waking their tasks. Frames are encoded before they come here, and shared with all other lines.

mod closing;
mod commands;
mod frame_counter;
mod handshake;

mod outbox;
mod reader;
mod rtt_meter;
mod subscriber;
mod wire;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::response::Response;
use quadrex_protocol::RefusalCode;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tracing::Instrument;

use crate::http::Refusal;
use crate::http::{App, Peer};
use crate::limits::Permit;
use handshake::{Handshake, upgraded};
use outbox::{Outbox, Room};
use reader::{Reader, Visitor};
use wire::Wire;

/// Bytes that are read at once. Each idle line keeps as many; most frames of clients are smaller.
const READ_BUFFER: usize = 512;

/// Bytes the system may keep for a client that has not taken them: a line that takes nothing costs no more than this twice.
/// Much more than a frame, so that those who read never wait for it.
const SEND_BUFFER: usize = 32 * 1024;

/// How many times a frame may exceed the limit and still be read to its end, so that the closing handshake is
/// clean. What is larger ends the connection where it stands.
const READ_TO_END: usize = 4;

/// Opens a line: `GET /ws`.
pub(super) async fn open(State(app): State<App>, peer: Peer, request: Request) -> Result<Response, Refusal> {
    let headers = request.headers().clone();
    let Handshake { response, upgrade } = Handshake::new(request)?;
    if *app.closing.borrow() {
        return Err(Refusal::closing());
    }
    let identity = app.identify_line(&headers).await?;
    let is_program = headers.contains_key(AUTHORIZATION);
    let address = app.visitors.address(peer.0, &headers)?;
    // Whoever comes through a proxy of ours was not counted when the connection was accepted.
    let counted = if app.visitors.is_proxy(peer.0.ip().to_canonical()) {
        let too_many =
            || Refusal::new(RefusalCode::RateLimited, "too many connections are open from your address");
        Some(app.connections.admit(address).ok_or_else(too_many)?)
    } else {
        None
    };
    let span = tracing::info_span!("line", peer = %address);
    let opening = async move {
        if let Some((stream, sent)) = upgraded(upgrade).await {
            let (stream, permit) = stream.into_parts();
            let permit = permit.or(counted);
            let visitor = Visitor { identity, is_program, address };
            tokio::spawn(run(app, stream, sent, visitor, permit).in_current_span());
        }
    };
    tokio::spawn(opening.instrument(span));
    Ok(response)
}

/// Carries a line to its end.
async fn run(app: App, stream: TcpStream, sent: Vec<u8>, visitor: Visitor, permit: Option<Permit>) {
    tracing::debug!("opened");
    let limits = &app.limits;
    let largest = READ_TO_END * limits.frame_close_bytes;
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_message_size(Some(largest))
        .max_frame_size(Some(largest));
    if let Err(error) = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER) {
        tracing::debug!("a line with a send buffer of the system's choice: {error}");
    }
    let (reading, writing) = stream.into_split();
    let room = Room { frames: limits.queue_frames, bytes: limits.queue_bytes };
    let outbox = Outbox::new(writing, room, app.lease.clone());
    let wire = Wire::new(reading, Arc::clone(&outbox), &sent, limits);
    let mut socket = WebSocketStream::from_partially_read(wire, sent, Role::Server, Some(config)).await;
    let ending = Reader::new(app, visitor, Arc::clone(&outbox)).run(&mut socket).await;
    outbox.end();
    drop(permit);
    tracing::debug!(?ending, "closed");
}
