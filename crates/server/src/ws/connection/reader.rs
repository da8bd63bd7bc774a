//! The reading half of a connection. It receives one frame of the client after the other, passes
//! the frame to its handler, and sends the answer.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use quadrex_metrics::Stopwatch;
use quadrex_protocol::{CommandId, RefusalCode, ServerFrame, TableId};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::closing;
use super::outbox::{Failure, Outbox};
use super::rtt_meter::RttMeter;
use super::subscriber::TableSubscriber;
use super::wire::{self, Wire};
use crate::actor::{TableHandle, WatchGuard};
use crate::auth::{Identity, Key, SessionChange, SessionGuard};
use crate::bus::{Frame, Subscription};
use crate::http::{AppState, Refusal};
use crate::lobby::OnlineGuard;
use crate::stop::{self, ConnectionMove, MovePlan, StopStage};
use crate::telemetry::metrics::METRICS;
use crate::ws::incoming::{self, MalformedFrame};
use crate::ws::rate_limit::RateLimit;
use quadrex_table::frames::encode;

/// The time that a client has to answer the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The longest time between the opening of a connection and its `hello`.
const HELLO_DEADLINE: Duration = Duration::from_secs(10);

/// The range of times after which clients shall reconnect when the server stops, in milliseconds.
/// Each client gets a random time in this range, so that not all clients reconnect at once.
const RETRY_AFTER_MS: std::ops::RangeInclusive<u64> = 1_000..=10_000;

/// A connection's WebSocket.
pub(super) type Socket = WebSocketStream<Wire>;

/// The way in which a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The client closed the connection, or the connection broke.
    ByClient,
    /// The server closed the connection with this code.
    ByServer(u16),
    /// The connection ended without a closing handshake, because nothing could be sent any more.
    Unwritable,
}

/// The reason to end a connection.
enum EndReason {
    /// The client has closed the connection, or the connection broke.
    ByClient,
    /// The server closes the connection with this frame.
    Close(CloseFrame),
    /// The outbox could not send.
    SendFailed(Failure),
}

impl EndReason {
    /// Returns the name in metrics.
    fn label(&self) -> &'static str {
        match self {
            Self::ByClient => "client",
            Self::Close(frame) => closing::label(frame.code),
            Self::SendFailed(Failure::TooSlow) => "too_slow",
            Self::SendFailed(Failure::Stalled) => "stalled",
            Self::SendFailed(Failure::Broken) => "broken",
        }
    }
}

/// The data about a client that are known after the handshake.
pub(super) struct ClientInfo {
    pub(super) identity: Identity,
    /// The guard of the session by which the client identified itself.
    pub(super) session: Option<SessionGuard>,
    /// True if the client identified itself by a bearer token. Programs do this, and browsers do
    /// not.
    pub(super) is_program: bool,
    pub(super) address: IpAddr,
}

/// A table that a connection watches.
pub(super) struct Watched {
    /// The guard of the subscription. Dropping it ends the subscription.
    pub(super) guard: WatchGuard,
    /// The right that the presented link gives to the client.
    pub(super) key: Key,
    pub(super) subscriber: Arc<TableSubscriber>,
}

/// The reading half of a connection.
pub(super) struct Reader {
    pub(super) state: AppState,
    pub(super) identity: Identity,
    /// The guard of the session by which the client identified itself. It changes with `hello`.
    pub(super) session: Option<SessionGuard>,
    /// True if the client identified itself by a bearer token. Programs do this, and browsers do
    /// not.
    pub(super) is_program: bool,
    pub(super) address: IpAddr,
    /// True once the client has sent `hello`.
    pub(super) has_greeted: bool,
    pub(super) rtt_meter: RttMeter,
    /// True if a ping must be sent at once, to measure the round-trip time for the first time.
    /// Other pings are sent at regular intervals.
    pub(super) ping_is_due: bool,
    pub(super) outbox: Arc<Outbox>,
    /// The handles of tables to which the client has sent frames.
    pub(super) handles: HashMap<TableId, TableHandle>,
    /// The tables that the client watches.
    pub(super) watching: HashMap<TableId, Watched>,
    /// The client's subscription to the lobby.
    pub(super) lobby: Option<Subscription<Frame>>,
    /// The client's subscription to the tables of its user.
    pub(super) own_tables: Option<Subscription<Frame>>,
    /// The guard that counts the user as online, from `hello` on.
    pub(super) online: Option<OnlineGuard>,
    pub(super) rate_limit: RateLimit,
    /// True once the client was asked to open its next connection, because the server is about to
    /// stop.
    is_asked_to_move: bool,
    /// The number of malformed frames in a row.
    malformed_frames: u32,
}

impl Reader {
    pub(super) fn new(state: AppState, client: ClientInfo, outbox: Arc<Outbox>) -> Self {
        let rate_limit = RateLimit::new(&state.limits);
        let ClientInfo { identity, session, is_program, address } = client;
        Self {
            state,
            identity,
            session,
            is_program,
            address,
            has_greeted: false,
            rtt_meter: RttMeter::new(),
            ping_is_due: false,
            outbox,
            handles: HashMap::new(),
            watching: HashMap::new(),
            lobby: None,
            own_tables: None,
            online: None,
            rate_limit,
            is_asked_to_move: false,
            malformed_frames: 0,
        }
    }

    /// Reads and answers frames until the connection ends.
    pub(super) async fn run(mut self, socket: &mut Socket) -> Ending {
        let reason = self.read(socket).await;
        METRICS.connections.closed.inc(reason.label());
        // The future is boxed, so that an idle connection does not need memory for it.
        Box::pin(self.end(reason, socket)).await
    }

    /// Reads and answers frames until there is a reason to end the connection.
    async fn read(&mut self, socket: &mut Socket) -> EndReason {
        let (ping_interval, silence_limit) = (self.state.limits.ping, self.state.limits.dead);
        let outbox = Arc::clone(&self.outbox);
        let mut stop_stage = self.state.stop_stage.clone();
        let mut is_fenced = self.state.lease.subscribe_fenced();
        let mut next_ping = pin!(tokio::time::sleep(ping_interval));
        let mut timeout = pin!(tokio::time::sleep(HELLO_DEADLINE));
        loop {
            // The identity changes with `hello`.
            let until = self.identity.suspension().and_then(|suspension| suspension.until);
            let suspended_for = until.map(|until| until.since(self.state.now()));
            let expires_in = self.identity.expires_at().map(|at| at.since(self.state.now()));
            let message = tokio::select! {
                biased;
                failure = outbox.failed() => return EndReason::SendFailed(failure),
                stage = stop::next_stage(&mut stop_stage, self.is_asked_to_move || !self.has_greeted) => {
                    if let StopStage::Moving(plan) = stage {
                        self.ask_to_move(plan);
                        continue;
                    }
                    // Without the lease, all other frames that are not sent yet must be discarded.
                    if self.state.lease.is_held() {
                        self.outbox.answer(&self.closing_frame());
                    } else {
                        self.outbox.fence(&self.closing_frame());
                    }
                    return EndReason::Close(closing::restart());
                }
                () = becomes_true(&mut is_fenced) => return self.fence(),
                change = session_changed(&mut self.session) => return EndReason::Close(match change {
                    SessionChange::Ended => closing::session_ended(),
                    SessionChange::Rights => closing::rights_changed(),
                }),
                () = wait_for(expires_in) => return EndReason::Close(closing::session_ended()),
                () = wait_for(suspended_for) => return EndReason::Close(closing::rights_changed()),
                // The next frame is read only when all queued frames to the client have been sent.
                message = async { outbox.drained().await; socket.next().await } => message,
                () = &mut next_ping => {
                    self.ping(socket).await;
                    next_ping.set(tokio::time::sleep(ping_interval));
                    continue;
                }
                () = &mut timeout => {
                    let reason = if self.has_greeted { closing::timed_out() } else { closing::no_hello() };
                    return EndReason::Close(reason);
                }
            };
            let close_frame = match message {
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
                    self.refuse_malformed(MalformedFrame { refusal, command_id: None, table: None })
                }
                Some(Ok(Message::Text(text))) => tokio::select! {
                    biased;
                    close_frame = self.handle_text(&text) => close_frame,
                    // Without the lease, no table answers. The client will send its command again
                    // to another server.
                    () = becomes_true(&mut is_fenced) => return self.fence(),
                },
            };
            if let Some(close_frame) = close_frame {
                return EndReason::Close(close_frame);
            }
            // The deadline for `hello` is fixed. After `hello`, every frame of the client extends
            // the timeout.
            if self.has_greeted {
                timeout.set(tokio::time::sleep(silence_limit));
            }
            if std::mem::take(&mut self.ping_is_due) {
                self.ping(socket).await;
            }
        }
    }

    /// Discards the frames that are not sent yet, because the server has lost its lease. Returns
    /// the reason to end the connection.
    fn fence(&self) -> EndReason {
        self.outbox.fence(&self.closing_frame());
        EndReason::Close(closing::restart())
    }

    /// Asks the client to open its next connection, while this one stays open.
    fn ask_to_move(&mut self, plan: MovePlan) {
        self.is_asked_to_move = true;
        let random = u64::from_le_bytes(self.state.entropy.bytes());
        let planned = plan.for_connection(self.state.clock.elapsed(), random);
        if let Some(ConnectionMove { retry_after, open_for }) = planned {
            let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let (retry_after_ms, open_for_ms) = (millis(retry_after), Some(millis(open_for)));
            self.outbox.answer(&encode(&ServerFrame::Closing { retry_after_ms, open_for_ms }));
        }
    }

    /// Returns the frame by which a server announces that it stops.
    fn closing_frame(&self) -> Frame {
        let range_length = RETRY_AFTER_MS.end() - RETRY_AFTER_MS.start() + 1;
        let random_ms = u64::from_le_bytes(self.state.entropy.bytes()) % range_length;
        let retry_after_ms = RETRY_AFTER_MS.start() + random_ms;
        encode(&ServerFrame::Closing { retry_after_ms, open_for_ms: None })
    }

    /// Sends a ping. The time until its pong is measured.
    async fn ping(&mut self, socket: &mut Socket) {
        let nonce = self.state.entropy.bytes();
        self.rtt_meter.ping(nonce, self.state.now());
        // An error means that the connection broke. The outbox reports it too.
        socket.send(Message::Ping(nonce.to_vec().into())).await.ok();
    }

    /// Ends the subscriptions and then the connection, with a closing handshake if possible.
    async fn end(self, reason: EndReason, socket: &mut Socket) -> Ending {
        let Self { outbox, .. } = self;
        let frame = match reason {
            EndReason::ByClient => {
                outbox.finish();
                drain(socket).await;
                return Ending::ByClient;
            }
            EndReason::Close(frame) => frame,
            EndReason::SendFailed(Failure::TooSlow) => {
                tracing::info!("closed: the client reads too slowly");
                closing::too_slow()
            }
            EndReason::SendFailed(failure @ (Failure::Stalled | Failure::Broken)) => {
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
        Ending::ByServer(code)
    }

    fn refuse(&self, refusal: Refusal, command_id: Option<CommandId>, table: Option<TableId>) {
        METRICS.commands.refusals.inc(refusal.code.name());
        self.outbox.answer(&encode(&refusal.frame(command_id, table)));
    }

    /// Handles a text frame. Returns a close frame if the connection must end.
    async fn handle_text(&mut self, text: &str) -> Option<CloseFrame> {
        let limits = &self.state.limits;
        if text.len() > limits.frame_close_bytes {
            return Some(closing::too_large());
        }
        if text.len() > limits.frame_bytes {
            let message =
                format!("a frame may have {} bytes, this one has {}", limits.frame_bytes, text.len());
            let (command_id, table) = incoming::ids_in(text);
            let refusal = Refusal::new(RefusalCode::TooLarge, message);
            return self.refuse_malformed(MalformedFrame { refusal, command_id, table });
        }
        let frame = match incoming::parse(text) {
            Ok(frame) => frame,
            Err(malformed) => return self.refuse_malformed(malformed),
        };
        self.malformed_frames = 0;
        let (command_id, table) = (frame.command_id().cloned(), frame.table());
        let duration = Stopwatch::start();
        let dispatched = match self.rate_limit.check() {
            // The future is boxed, so that an idle connection does not need memory for the
            // handlers.
            Ok(()) => Box::pin(self.dispatch(frame)).await,
            Err(refusal) => Err(refusal),
        };
        if command_id.is_some() {
            METRICS.commands.duration.observe(outcome(&dispatched), duration.elapsed());
        }
        match dispatched {
            Ok(Some(answer)) => self.outbox.answer(&answer),
            Ok(None) => {}
            Err(refusal) => self.refuse(refusal, command_id, table),
        }
        None
    }

    /// Refuses a malformed frame. Returns a close frame if the client has sent too many in a row.
    fn refuse_malformed(&mut self, malformed: MalformedFrame) -> Option<CloseFrame> {
        let MalformedFrame { refusal, command_id, table } = malformed;
        self.refuse(refusal, command_id, table);
        self.malformed_frames += 1;
        (self.malformed_frames >= self.state.limits.malformed_in_a_row).then(closing::malformed_frames)
    }
}

/// Returns the outcome of a command as the value of a label.
fn outcome<T>(dispatched: &Result<T, Refusal>) -> &'static str {
    match dispatched {
        Ok(_) => "accepted",
        Err(Refusal { code: RefusalCode::Internal, .. }) => "fault",
        Err(_) => "refused",
    }
}

/// Returns the reason to end a connection from which no frame could be read.
fn end_reason(error: &Error) -> EndReason {
    match error {
        Error::Capacity(_) => EndReason::Close(closing::too_large()),
        Error::Utf8(_) => EndReason::Close(closing::not_utf8()),
        Error::Io(error) if wire::is_flood(error) => EndReason::Close(closing::too_many_frames()),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => EndReason::ByClient,
        Error::Protocol(_) => EndReason::Close(closing::invalid_frame()),
        _ => EndReason::ByClient,
    }
}

/// Waits until the value of the receiver is true.
async fn becomes_true(value: &mut watch::Receiver<bool>) {
    // An error means that the server has stopped already, so the wait ends too.
    value.wait_for(|value| *value).await.ok();
}

/// Waits for a change of the session of a connection.
async fn session_changed(session: &mut Option<SessionGuard>) -> SessionChange {
    match session {
        Some(session) => session.changed().await,
        None => std::future::pending().await,
    }
}

/// Waits for a time, or for ever.
async fn wait_for(time: Option<Duration>) {
    match time {
        // The future is boxed, because almost no connection needs it.
        Some(time) => Box::pin(tokio::time::sleep(time)).await,
        None => std::future::pending().await,
    }
}

/// Reads until the end of the closing handshake. If a connection is closed while there is unread
/// data, the last frames to the client can be lost.
async fn drain(socket: &mut Socket) {
    let read_to_the_end = async {
        while let Some(Ok(_)) = socket.next().await {}
        if socket.get_ref().is_flooded() {
            socket.get_mut().discard().await;
        }
    };
    // After the timeout the connection is closed without the handshake.
    tokio::time::timeout(CLOSE_TIMEOUT, read_to_the_end).await.ok();
}
