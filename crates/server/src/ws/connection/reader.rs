//! The reading half of a line: takes frames one after the other, has them carried out, answers.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::{CmdId, RefusalCode, ServerFrame, TableId};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::closing;
use super::outbox::{Failure, Outbox};
use super::rtt_meter::Gauge;
use super::subscriber::TableSubscriber;
use super::wire::{self, Wire};
use crate::auth::{Identity, Key};
use crate::http::App;
use crate::http::Refusal;
use crate::table::{Frame, Place, TableHandle, WatchGuard, encode};
use crate::ws::incoming::{self, Unreadable};
use crate::ws::rate_limit::Pace;

/// How long a client has to answer the closing handshake.
const FAREWELL: Duration = Duration::from_secs(2);

/// The longest time between the opening of a line and its `hello`.
const HELLO_DEADLINE: Duration = Duration::from_secs(10);

/// When clients are to come again after the server has stopped: each at another moment, so that they do not come at once.
const RETRY_AFTER_MS: std::ops::RangeInclusive<u64> = 1_000..=10_000;

/// A line's WebSocket.
pub(super) type Socket = WebSocketStream<Wire>;

/// Why a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The client closed it, or it broke.
    ByClient,
    /// We closed it with this code.
    ByUs(u16),
    /// Nothing can be sent any more.
    Unwritable,
}

/// Why a line is to end.
enum Farewell {
    /// The client closes it, or it broke.
    ByClient,
    /// We close it.
    Close(CloseFrame),
    /// Sending has failed.
    Failed(Failure),
}

/// The client of a line, as its handshake says.
pub(super) struct Visitor {
    pub(super) identity: Identity,
    /// Whether a bearer token says who this is, as programs do.
    pub(super) is_program: bool,
    pub(super) address: IpAddr,
}

/// A table that a line watches.
pub(super) struct Watched {
    pub(super) watching: WatchGuard,
    /// What the secret shown for it was worth.
    pub(super) key: Key,
    pub(super) ear: Arc<TableSubscriber>,
}

/// The reading half of a line.
pub(super) struct Reader {
    pub(super) app: App,
    pub(super) identity: Identity,
    /// Whether a bearer token says who this is, as programs do.
    pub(super) is_program: bool,
    pub(super) address: IpAddr,
    pub(super) greeted: bool,
    pub(super) gauge: Gauge,
    /// Whether the line is to be measured now, before the next ping would come.
    pub(super) ping_is_due: bool,
    pub(super) outbox: Arc<Outbox>,
    pub(super) handles: HashMap<TableId, TableHandle>,
    /// The tables it watches.
    pub(super) watching: HashMap<TableId, Watched>,
    /// Its place at the lobby's list, if it watches that.
    pub(super) list: Option<Place<Frame>>,
    pub(super) pace: Pace,
    /// How many frames in a row could not be read.
    rubbish: u32,
}

impl Reader {
    pub(super) fn new(app: App, visitor: Visitor, outbox: Arc<Outbox>) -> Self {
        let pace = Pace::new(&app.limits);
        let Visitor { identity, is_program, address } = visitor;
        Self {
            app,
            identity,
            is_program,
            address,
            greeted: false,
            gauge: Gauge::new(),
            ping_is_due: false,
            outbox,
            handles: HashMap::new(),
            watching: HashMap::new(),
            list: None,
            pace,
            rubbish: 0,
        }
    }

    /// Reads until the line ends, one way or the other.
    pub(super) async fn run(mut self, socket: &mut Socket) -> Ending {
        let farewell = self.read(socket).await;
        // In a box, like all that comes once: an idle line keeps no room for it.
        Box::pin(self.end(farewell, socket)).await
    }

    /// Reads until there is a reason to end the line.
    async fn read(&mut self, socket: &mut Socket) -> Farewell {
        let (ping, dead) = (self.app.limits.ping, self.app.limits.dead);
        let outbox = Arc::clone(&self.outbox);
        let mut stop = self.app.closing.clone();
        let mut fenced = self.app.lease.fenced();
        let mut ping_due = pin!(tokio::time::sleep(ping));
        let mut silence = pin!(tokio::time::sleep(HELLO_DEADLINE));
        loop {
            let message = tokio::select! {
                biased;
                failure = outbox.failed() => return Farewell::Failed(failure),
                () = server_stops(&mut stop) => {
                    // A server whose lease is gone has nothing else to say.
                    if self.app.lease.holds() {
                        self.outbox.answer(&self.goodbye());
                    } else {
                        self.outbox.fence(&self.goodbye());
                    }
                    return Farewell::Close(closing::restart());
                }
                () = server_stops(&mut fenced) => return self.fence(),
                // Who does not read its answers can ask no more.
                message = async { outbox.drained().await; socket.next().await } => message,
                () = &mut ping_due => {
                    self.ping(socket).await;
                    ping_due.set(tokio::time::sleep(ping));
                    continue;
                }
                () = &mut silence => {
                    let reason = if self.greeted { closing::silent() } else { closing::no_hello() };
                    return Farewell::Close(reason);
                }
            };
            let one_too_many = match message {
                None | Some(Ok(Message::Close(_))) => return Farewell::ByClient,
                Some(Err(error)) => return broken(&error),
                Some(Ok(Message::Pong(payload))) => {
                    self.gauge.pong(&payload, self.app.now());
                    None
                }
                Some(Ok(Message::Ping(_) | Message::Frame(_))) => None,
                Some(Ok(Message::Binary(_))) => {
                    let refusal =
                        Refusal::new(RefusalCode::Malformed, "frames are text, this one was binary");
                    self.unreadable(Unreadable { refusal, cmd: None, table: None })
                }
                Some(Ok(Message::Text(text))) => tokio::select! {
                    biased;
                    taken = self.take(&text) => taken,
                    // A table without a lease answers nothing: what was asked is asked again elsewhere.
                    () = server_stops(&mut fenced) => return self.fence(),
                },
            };
            if let Some(frame) = one_too_many {
                return Farewell::Close(frame);
            }
            // Until it has said hello, nothing gives a line more time.
            if self.greeted {
                silence.set(tokio::time::sleep(dead));
            }
            if std::mem::take(&mut self.ping_is_due) {
                self.ping(socket).await;
            }
        }
    }

    /// Ends the line of a server that has no lease any more.
    fn fence(&self) -> Farewell {
        self.outbox.fence(&self.goodbye());
        Farewell::Close(closing::restart())
    }

    /// The last frame of a server that stops.
    fn goodbye(&self) -> Frame {
        let span = RETRY_AFTER_MS.end() - RETRY_AFTER_MS.start() + 1;
        let drawn = u64::from_le_bytes(self.app.entropy.bytes()) % span;
        encode(&ServerFrame::Closing { retry_after_ms: RETRY_AFTER_MS.start() + drawn })
    }

    /// Asks the client's side for a sign of life, and measures how long that takes.
    async fn ping(&mut self, socket: &mut Socket) {
        let nonce = self.app.entropy.bytes();
        self.gauge.ping(nonce, self.app.now());
        // An error says that the line has broken, which the outbox tells as well.
        socket.send(Message::Ping(nonce.to_vec().into())).await.ok();
    }

    /// Ends the line, in form where that is possible. All it watched is left before.
    async fn end(self, farewell: Farewell, socket: &mut Socket) -> Ending {
        let Self { outbox, .. } = self;
        let frame = match farewell {
            Farewell::ByClient => {
                outbox.finish();
                drain(socket).await;
                return Ending::ByClient;
            }
            Farewell::Close(frame) => frame,
            Farewell::Failed(Failure::TooSlow) => {
                tracing::info!("shed: it reads too slowly");
                closing::too_slow()
            }
            Farewell::Failed(failure @ (Failure::Stalled | Failure::Broken)) => {
                if failure == Failure::Stalled {
                    tracing::info!("shed: it takes nothing");
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

    fn refuse(&self, refusal: Refusal, cmd: Option<CmdId>, table: Option<TableId>) {
        self.outbox.answer(&encode(&refusal.frame(cmd, table)));
    }

    /// Takes one text frame; gives back how to close, if it was one too many.
    async fn take(&mut self, text: &str) -> Option<CloseFrame> {
        let limits = &self.app.limits;
        if text.len() > limits.frame_close_bytes {
            return Some(closing::too_large());
        }
        if text.len() > limits.frame_bytes {
            let message =
                format!("a frame may have {} bytes, this one has {}", limits.frame_bytes, text.len());
            let (cmd, table) = incoming::names_in(text);
            let refusal = Refusal::new(RefusalCode::TooLarge, message);
            return self.unreadable(Unreadable { refusal, cmd, table });
        }
        let frame = match incoming::read(text) {
            Ok(frame) => frame,
            Err(unreadable) => return self.unreadable(unreadable),
        };
        self.rubbish = 0;
        let (cmd, table) = (frame.cmd().cloned(), frame.table());
        let carried_out = match self.pace.step() {
            // In a box: an idle line keeps no room for all that a frame may bring about.
            Ok(()) => Box::pin(self.carry_out(frame)).await,
            Err(refusal) => Err(refusal),
        };
        match carried_out {
            Ok(Some(answer)) => self.outbox.answer(&answer),
            Ok(None) => {}
            Err(refusal) => self.refuse(refusal, cmd, table),
        }
        None
    }

    fn unreadable(&mut self, unreadable: Unreadable) -> Option<CloseFrame> {
        let Unreadable { refusal, cmd, table } = unreadable;
        self.refuse(refusal, cmd, table);
        self.rubbish += 1;
        (self.rubbish >= self.app.limits.malformed_in_a_row).then(closing::rubbish)
    }
}

/// How a line ends whose stream has failed.
fn broken(error: &Error) -> Farewell {
    match error {
        Error::Capacity(_) => Farewell::Close(closing::too_large()),
        Error::Utf8(_) => Farewell::Close(closing::not_utf8()),
        Error::Io(error) if wire::is_flood(error) => Farewell::Close(closing::too_many_frames()),
        Error::Protocol(_) => Farewell::Close(closing::broken()),
        _ => Farewell::ByClient,
    }
}

/// Waits until the server is about to stop.
async fn server_stops(closing: &mut watch::Receiver<bool>) {
    // An error says that it has stopped without saying so first.
    closing.wait_for(|closing| *closing).await.ok();
}

/// Reads on to the end of the closing handshake, so that what was written last is not lost with the connection.
async fn drain(socket: &mut Socket) {
    let to_the_end = async {
        while let Some(Ok(_)) = socket.next().await {}
        if socket.get_ref().is_flooded() {
            socket.get_mut().discard().await;
        }
    };
    // When it takes too long the connection is ended as it is.
    tokio::time::timeout(FAREWELL, to_the_end).await.ok();
}
