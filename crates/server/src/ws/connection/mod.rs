//! A connection with one client over a WebSocket, from the handshake to the last frame.
//!
//! Each connection has one task, the reader, which handles one frame of the client after the other.
//! Frames to the client go through the connection's outbox. The reader puts its answers into the
//! outbox, and tables put their events into it directly, without waking a task of the connection.
//! Each published frame is encoded once, and all connections share its bytes.

mod closing;
mod commands;
mod frame_counter;
mod handshake;
mod outbox;
mod reader;
mod rtt_meter;
mod subscriber;
mod subscriptions;
mod wire;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::response::Response;
use quadrex_protocol::RefusalCode;
use quadrex_runtime::Socket;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tracing::Instrument;

use crate::http::Refusal;
use crate::http::{AppState, Peer};
use crate::limits::Permit;
use crate::stop::StopStage;
use crate::telemetry::metrics::METRICS;
use handshake::{Handshake, upgraded};
use outbox::{Outbox, QueueSize};
use reader::{ClientInfo, Reader};
use wire::Wire;

/// The size of a connection's read buffer, in bytes. The size is small, because each idle
/// connection has such a buffer. Most frames of clients fit into it.
const READ_BUFFER: usize = 512;

/// The size of the operating system's send buffer for a connection, in bytes. A client that reads
/// nothing costs at most twice this memory. The buffer is much larger than a frame, so that it is
/// never full for a client that reads.
const SEND_BUFFER: usize = 32 * 1024;

/// The factor by which a frame may exceed the size limit and is still read to its end. After such a
/// frame the server can close the connection with a closing handshake. A larger frame ends the
/// connection at once.
const OVERSIZE_FACTOR: usize = 4;

/// Opens a connection: `GET /ws`.
pub(super) async fn open(
    State(state): State<AppState>,
    peer: Peer,
    request: Request,
) -> Result<Response, Refusal> {
    let headers = request.headers().clone();
    let Handshake { response, upgrade } = Handshake::new(request)?;
    if *state.stop_stage.borrow() == StopStage::Closing {
        return Err(Refusal::closing());
    }
    // The guard is created first, so that no end of the session is missed.
    let session = AppState::presented_session(&headers).map(|session| state.sessions.open(session));
    let identity = state.identify_websocket(&headers).await?;
    let is_program = headers.contains_key(AUTHORIZATION);
    let address = state.proxies.client_addr(peer.0, &headers)?;
    // The connection limit applies to client addresses. If the client is behind a trusted proxy,
    // its address becomes known only here, so it was not counted when the connection was accepted.
    let proxied_permit = if state.proxies.contains(peer.0.ip().to_canonical()) {
        let too_many = || {
            METRICS.connections.refused.inc("address_limit");
            Refusal::new(RefusalCode::RateLimited, "too many connections are open from your address")
        };
        Some(state.admission.admit(address).ok_or_else(too_many)?)
    } else {
        None
    };
    let open = state.connections.enter();
    let span = tracing::info_span!("connection", peer = %address);
    let opening = async move {
        if let Some((stream, already_read)) = upgraded(upgrade).await {
            let (stream, permit) = stream.into_parts();
            let permit = permit.or(proxied_permit);
            let client = ClientInfo { identity, session, is_program, address };
            let connection = run(state, stream, already_read, client, permit);
            let counted = async move {
                connection.await;
                drop(open);
            };
            quadrex_runtime::spawn(counted.in_current_span());
        }
    };
    quadrex_runtime::spawn(opening.instrument(span));
    Ok(response)
}

/// Runs a connection to its end.
async fn run(
    state: AppState,
    stream: Socket,
    already_read: Vec<u8>,
    client: ClientInfo,
    permit: Option<Permit>,
) {
    METRICS.connections.opened.inc();
    tracing::debug!("opened");
    let limits = &state.limits;
    let largest = OVERSIZE_FACTOR * limits.frame_close_bytes;
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_message_size(Some(largest))
        .max_frame_size(Some(largest));
    if let Err(error) = stream.set_send_buffer_size(SEND_BUFFER) {
        tracing::debug!("the send buffer keeps the system's size: {error}");
    }
    let (reading, writing) = stream.into_split();
    let capacity = QueueSize { frames: limits.queue_frames, bytes: limits.queue_bytes };
    let outbox = Outbox::new(writing, capacity, state.lease.clone());
    let wire = Wire::new(reading, Arc::clone(&outbox), &already_read, limits);
    let mut socket =
        WebSocketStream::from_partially_read(wire, already_read, Role::Server, Some(config)).await;
    let ending = Reader::new(state, client, Arc::clone(&outbox)).run(&mut socket).await;
    outbox.end();
    drop(permit);
    tracing::debug!(?ending, "closed");
}
