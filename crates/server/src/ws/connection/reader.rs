//! The reading half of a connection: receives frames one after the other, dispatches them, and
//! answers.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::{CommandId, RefusalCode, ServerFrame, TableId};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::closing;
use super::outbox::{Failure, Outbox};
use super::rtt_meter::RttMeter;
use super::subscriber::TableSubscriber;
use super::wire::{self, Wire};
use crate::actor::{TableHandle, WatchGuard};
use crate::auth::{Identity, Key};
use crate::bus::{Frame, Subscription};
use crate::http::{AppState, Refusal};
use crate::lobby::OnlineGuard;
use crate::ws::incoming::{self, MalformedFrame};
use crate::ws::rate_limit::RateLimit;
use quadrex_table::frames::encode;

/// The time that a client has to answer the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The longest time between the opening of a connection and its `hello`.
const HELLO_DEADLINE: Duration = Duration::from_secs(10);

/// The times after which clients reconnect to a server that stopped: each at another moment, so
/// that they do not all come at once.
const RETRY_AFTER_MS: std::ops::RangeInclusive<u64> = 1_000..=10_000;

/// A connection's WebSocket.
pub(super) type Socket = WebSocketStream<Wire>;

/// The way in which a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The client closed it, or it broke.
    ByClient,
    /// The server closed it with this code.
    ByUs(u16),
    /// Nothing can be sent any more.
    Unwritable,
}

/// The reason to end a connection.
enum EndReason {
    /// The client closes it, or it broke.
    ByClient,
    /// The server closes it.
    Close(CloseFrame),
    /// Sending has failed.
    Failed(Failure),
}

/// The client of a connection according to its handshake.
pub(super) struct ClientInfo {
    pub(super) identity: Identity,
    /// Set if the identity comes from a bearer token, as that of a program.
    pub(super) is_program: bool,
    pub(super) address: IpAddr,
}

/// A table that a connection watches.
pub(super) struct Watched {
    pub(super) watching: WatchGuard,
    /// The right that the link shown for it gives.
    pub(super) key: Key,
    pub(super) subscriber: Arc<TableSubscriber>,
}

/// The reading half of a connection.
pub(super) struct Reader {
    pub(super) state: AppState,
    pub(super) identity: Identity,
    /// Set if the identity comes from a bearer token, as that of a program.
    pub(super) is_program: bool,
    pub(super) address: IpAddr,
    pub(super) greeted: bool,
    pub(super) rtt_meter: RttMeter,
    /// Set if a ping is sent now to measure the connection, before the next regular one.
    pub(super) ping_is_due: bool,
    pub(super) outbox: Arc<Outbox>,
    pub(super) handles: HashMap<TableId, TableHandle>,
    /// The tables that it watches.
    pub(super) watching: HashMap<TableId, Watched>,
    /// Its subscription to the lobby, if it watches that.
    pub(super) lobby: Option<Subscription<Frame>>,
    /// Its subscription to the user's own tables, if it follows them.
    pub(super) own_tables: Option<Subscription<Frame>>,
    /// The presence of its user, from `hello` on.
    pub(super) online: Option<OnlineGuard>,
    pub(super) rate_limit: RateLimit,
    /// The number of malformed frames in a row.
    malformed_frames: u32,
}

impl Reader {
    pub(super) fn new(state: AppState, client: ClientInfo, outbox: Arc<Outbox>) -> Self {
        let rate_limit = RateLimit::new(&state.limits);
        let ClientInfo { identity, is_program, address } = client;
        Self {
            state,
            identity,
            is_program,
            address,
            greeted: false,
            rtt_meter: RttMeter::new(),
            ping_is_due: false,
            outbox,
            handles: HashMap::new(),
            watching: HashMap::new(),
            lobby: None,
            own_tables: None,
            online: None,
            rate_limit,
            malformed_frames: 0,
        }
    }

    /// Reads until the connection ends.
    pub(super) async fn run(mut self, socket: &mut Socket) -> Ending {
        let reason = self.read(socket).await;
        // Boxed, like all that happens once: an idle connection keeps no memory for it.
        Box::pin(self.end(reason, socket)).await
    }

    /// Reads until there is a reason to end the connection.
    async fn read(&mut self, socket: &mut Socket) -> EndReason {
        let (ping, dead) = (self.state.limits.ping, self.state.limits.dead);
        let outbox = Arc::clone(&self.outbox);
        let mut stop = self.state.closing.clone();
        let mut fenced = self.state.lease.fenced();
        let mut ping_due = pin!(tokio::time::sleep(ping));
        let mut timeout = pin!(tokio::time::sleep(HELLO_DEADLINE));
        loop {
            let message = tokio::select! {
                biased;
                failure = outbox.failed() => return EndReason::Failed(failure),
                () = becomes_true(&mut stop) => {
                    // A server without a lease sends nothing else.
                    if self.state.lease.holds() {
                        self.outbox.answer(&self.closing_frame());
                    } else {
                        self.outbox.fence(&self.closing_frame());
                    }
                    return EndReason::Close(closing::restart());
                }
                () = becomes_true(&mut fenced) => return self.fence(),
                // A client that does not read its answers can send no more requests.
                message = async { outbox.drained().await; socket.next().await } => message,
                () = &mut ping_due => {
                    self.ping(socket).await;
                    ping_due.set(tokio::time::sleep(ping));
                    continue;
                }
                () = &mut timeout => {
                    let reason = if self.greeted { closing::timed_out() } else { closing::no_hello() };
                    return EndReason::Close(reason);
                }
            };
            let closing = match message {
                None | Some(Ok(Message::Close(_))) => return EndReason::ByClient,
                Some(Err(error)) => return end_reason(&error),
                Some(Ok(Message::Pong(payload))) => {
                    self.rtt_meter.pong(&payload, self.state.now());
                    None
                }
                Some(Ok(Message::Ping(_) | Message::Frame(_))) => None,
                Some(Ok(Message::Binary(_))) => {
                    let refusal =
                        Refusal::new(RefusalCode::Malformed, "frames are text, this one was binary");
                    self.malformed(MalformedFrame { refusal, cmd: None, table: None })
                }
                Some(Ok(Message::Text(text))) => tokio::select! {
                    biased;
                    closing = self.handle_text(&text) => closing,
                    // A table without a lease answers nothing: the client sends the command again
                    // elsewhere.
                    () = becomes_true(&mut fenced) => return self.fence(),
                },
            };
            if let Some(frame) = closing {
                return EndReason::Close(frame);
            }
            // Before hello, no frame extends the time.
            if self.greeted {
                timeout.set(tokio::time::sleep(dead));
            }
            if std::mem::take(&mut self.ping_is_due) {
                self.ping(socket).await;
            }
        }
    }

    /// Ends the connection of a server that has lost its lease.
    fn fence(&self) -> EndReason {
        self.outbox.fence(&self.closing_frame());
        EndReason::Close(closing::restart())
    }

    /// Returns the last frame of a server that stops.
    fn closing_frame(&self) -> Frame {
        let span = RETRY_AFTER_MS.end() - RETRY_AFTER_MS.start() + 1;
        let drawn = u64::from_le_bytes(self.state.entropy.bytes()) % span;
        encode(&ServerFrame::Closing { retry_after_ms: RETRY_AFTER_MS.start() + drawn })
    }

    /// Sends a ping, and measures the time until its pong.
    async fn ping(&mut self, socket: &mut Socket) {
        let nonce = self.state.entropy.bytes();
        self.rtt_meter.ping(nonce, self.state.now());
        // An error means that the connection broke, which the outbox reports as well.
        socket.send(Message::Ping(nonce.to_vec().into())).await.ok();
    }

    /// Ends the connection, with a closing handshake if possible. Its subscriptions end before.
    async fn end(self, reason: EndReason, socket: &mut Socket) -> Ending {
        let Self { outbox, .. } = self;
        let frame = match reason {
            EndReason::ByClient => {
                outbox.finish();
                drain(socket).await;
                return Ending::ByClient;
            }
            EndReason::Close(frame) => frame,
            EndReason::Failed(Failure::TooSlow) => {
                tracing::info!("closed: the client reads too slowly");
                closing::too_slow()
            }
            EndReason::Failed(failure @ (Failure::Stalled | Failure::Broken)) => {
                if failure == Failure::Stalled {
                    tracing::info!("closed: the client reads nothing");
                }
                return Ending::Unwritable;
            }
        };
        outbox.finish();
        let code = frame.code.into();
        if socket.close(Some(frame)).await.is_err() {
            return Ending::Unwritable;
        }
        drain(socket).await;
        Ending::ByUs(code)
    }

    fn refuse(&self, refusal: Refusal, cmd: Option<CommandId>, table: Option<TableId>) {
        self.outbox.answer(&encode(&refusal.frame(cmd, table)));
    }

    /// Handles a text frame; returns the close frame if the connection must end.
    async fn handle_text(&mut self, text: &str) -> Option<CloseFrame> {
        let limits = &self.state.limits;
        if text.len() > limits.frame_close_bytes {
            return Some(closing::too_large());
        }
        if text.len() > limits.frame_bytes {
            let message =
                format!("a frame may have {} bytes, this one has {}", limits.frame_bytes, text.len());
            let (cmd, table) = incoming::ids_in(text);
            let refusal = Refusal::new(RefusalCode::TooLarge, message);
            return self.malformed(MalformedFrame { refusal, cmd, table });
        }
        let frame = match incoming::parse(text) {
            Ok(frame) => frame,
            Err(malformed) => return self.malformed(malformed),
        };
        self.malformed_frames = 0;
        let (cmd, table) = (frame.command_id().cloned(), frame.table());
        let dispatched = match self.rate_limit.check() {
            // Boxed: an idle connection keeps no memory for all that a frame may cause.
            Ok(()) => Box::pin(self.dispatch(frame)).await,
            Err(refusal) => Err(refusal),
        };
        match dispatched {
            Ok(Some(answer)) => self.outbox.answer(&answer),
            Ok(None) => {}
            Err(refusal) => self.refuse(refusal, cmd, table),
        }
        None
    }

    fn malformed(&mut self, malformed: MalformedFrame) -> Option<CloseFrame> {
        let MalformedFrame { refusal, cmd, table } = malformed;
        self.refuse(refusal, cmd, table);
        self.malformed_frames += 1;
        (self.malformed_frames >= self.state.limits.malformed_in_a_row).then(closing::malformed_frames)
    }
}

/// Returns the reason to end a connection whose stream has failed.
fn end_reason(error: &Error) -> EndReason {
    match error {
        Error::Capacity(_) => EndReason::Close(closing::too_large()),
        Error::Utf8(_) => EndReason::Close(closing::not_utf8()),
        Error::Io(error) if wire::is_flood(error) => EndReason::Close(closing::too_many_frames()),
        Error::Protocol(_) => EndReason::Close(closing::invalid_frame()),
        _ => EndReason::ByClient,
    }
}

/// Waits until the server is about to stop, or has lost its lease.
async fn becomes_true(closing: &mut watch::Receiver<bool>) {
    // An error means that it has stopped already.
    closing.wait_for(|closing| *closing).await.ok();
}

/// Reads on to the end of the closing handshake, so that the last frames are not lost with the
/// connection.
async fn drain(socket: &mut Socket) {
    let to_the_end = async {
        while let Some(Ok(_)) = socket.next().await {}
        if socket.get_ref().is_flooded() {
            socket.get_mut().discard().await;
        }
    };
    // After the timeout the connection is cut.
    tokio::time::timeout(CLOSE_TIMEOUT, to_the_end).await.ok();
}
