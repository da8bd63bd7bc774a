//! A client that keeps its state up to date and reconnects by itself.

use std::future::pending;
use std::pin::Pin;
use std::time::Duration;

use futures_util::future::BoxFuture;
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{ClientFrame, ServerFrame};
use quadrex_rules::Timestamp;
use tokio::time::{Interval, MissedTickBehavior, Sleep, interval, sleep};

use crate::address::Address;
use crate::backoff::{Backoff, MAX_PAUSE};
use crate::connection::{Connection, ConnectionError, MAX_SILENCE, PING_INTERVAL};
use crate::state::{ClientState, SyncError, Update};

/// The interval at which [`ClientState::tick`] is called.
const TICK: Duration = Duration::from_secs(1);

/// The credentials of a client. Without a token it can only watch public tables. The type does not
/// implement `Debug`, so that a token does not get into a log.
#[derive(Clone, Default)]
pub struct Credentials {
    /// The bearer token of an account.
    pub token: Option<String>,
}

/// A client that stays connected. The caller gives each command a purpose of type `P`. The answer
/// to the command contains this purpose.
pub struct Client<P> {
    address: Address,
    credentials: Credentials,
    clock: Clock,
    entropy: Entropy,
    state: ClientState<P>,
    connection_state: ConnectionState,
    backoff: Backoff,
    ticks: Interval,
}

/// The state of the connection to the server.
enum ConnectionState {
    Connected(Box<LiveConnection>),
    /// The client waits before its next attempt to connect.
    Waiting(Pin<Box<Sleep>>),
    Opening(BoxFuture<'static, Result<(Connection, Option<UserView>), ConnectionError>>),
    /// The client has stopped connecting, because another attempt would fail with the same error.
    Failed,
}

/// An open connection with its timers.
struct LiveConnection {
    connection: Connection,
    pings: Interval,
    connected_at: Timestamp,
    last_frame_at: Timestamp,
    /// The pause before the next attempt to connect, if the server has requested a pause because
    /// the server is about to stop.
    retry_after: Option<Duration>,
}

/// An event of a client.
#[derive(Debug)]
pub enum ClientEvent<P> {
    /// The state has changed.
    Update(Update<P>),
    /// The connection has ended. The client connects again.
    Disconnected(ConnectionError),
    /// An attempt to connect again has failed. The next attempt follows after this pause.
    ConnectFailed(ConnectionError, Duration),
    /// The client is connected again.
    Reconnected,
}

/// The reason why a client cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// A further connection would fail in the same way ([`ConnectionError::is_final`]).
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The server's frames contradict each other or the rules.
    #[error(transparent)]
    Sync(#[from] SyncError),
}

impl<P: PartialEq> Client<P> {
    /// Connects to a server. [`ClientState::me`] returns the user that the server reports.
    ///
    /// # Errors
    /// Returns [`ConnectionError`] if the first attempt fails.
    pub async fn connect(
        address: Address,
        credentials: Credentials,
        clock: Clock,
        entropy: Entropy,
    ) -> Result<Self, ConnectionError> {
        let (connection, user) = Connection::open(&address, credentials.token.as_deref()).await?;
        let state = ClientState::new(user.map(|user| user.id), clock.clone(), entropy.clone());
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let connection_state =
            ConnectionState::Connected(Box::new(LiveConnection::new(connection, clock.now())));
        let backoff = Backoff::default();
        Ok(Self { address, credentials, clock, entropy, state, connection_state, backoff, ticks })
    }

    /// Returns the client's state.
    #[must_use]
    pub fn state(&self) -> &ClientState<P> {
        &self.state
    }

    /// Returns the client's state for changes. [`Self::next`] sends the frames that such changes
    /// put into the outbox.
    pub fn state_mut(&mut self) -> &mut ClientState<P> {
        &mut self.state
    }

    /// Returns true if the client is connected now.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        matches!(self.connection_state, ConnectionState::Connected(_))
    }

    /// Waits for the next event. The future must be polled all the time, because it also sends
    /// frames and pings, and reconnects. Nothing is lost if the future is dropped.
    ///
    /// # Errors
    /// Returns [`ClientError`] if the client cannot continue.
    pub async fn next(&mut self) -> Result<ClientEvent<P>, ClientError> {
        loop {
            match &mut self.connection_state {
                ConnectionState::Connected(live) => {
                    match exchange(live, &mut self.state, &mut self.ticks, &self.clock).await {
                        Ok(Some(frame)) => {
                            if let Some(update) = self.state.handle_frame(frame)? {
                                return Ok(ClientEvent::Update(update));
                            }
                        }
                        Ok(None) => {}
                        Err(error) => {
                            let lasted = self.clock.now().since(live.connected_at);
                            let retry_after = live.retry_after.unwrap_or_default().min(MAX_PAUSE);
                            let pause = retry_after + self.backoff.disconnected(lasted, &self.entropy);
                            self.connection_state = ConnectionState::Waiting(Box::pin(sleep(pause)));
                            return Ok(ClientEvent::Disconnected(error));
                        }
                    }
                }
                ConnectionState::Waiting(pause) => {
                    pause.await;
                    let (address, credentials) = (self.address.clone(), self.credentials.clone());
                    self.connection_state = ConnectionState::Opening(Box::pin(async move {
                        Connection::open(&address, credentials.token.as_deref()).await
                    }));
                }
                ConnectionState::Opening(opening) => match opening.await {
                    Ok((connection, _)) => {
                        self.connection_state = ConnectionState::Connected(Box::new(LiveConnection::new(
                            connection,
                            self.clock.now(),
                        )));
                        self.state.connected();
                        return Ok(ClientEvent::Reconnected);
                    }
                    Err(error) if error.is_final() => {
                        self.connection_state = ConnectionState::Failed;
                        return Err(error.into());
                    }
                    Err(error) => {
                        let pause = self.backoff.failed(&self.entropy);
                        self.connection_state = ConnectionState::Waiting(Box::pin(sleep(pause)));
                        return Ok(ClientEvent::ConnectFailed(error, pause));
                    }
                },
                ConnectionState::Failed => pending().await,
            }
        }
    }

    /// Sends the queued frames and closes the connection. Stops at the first error.
    pub async fn close(mut self) {
        if let ConnectionState::Connected(mut live) = self.connection_state {
            while let Some(frame) = self.state.pop_outgoing() {
                if live.connection.send(&frame).await.is_err() {
                    return;
                }
            }
            live.connection.close().await;
        }
    }
}

impl LiveConnection {
    fn new(connection: Connection, now: Timestamp) -> Self {
        let pings = interval(PING_INTERVAL);
        Self { connection, pings, connected_at: now, last_frame_at: now, retry_after: None }
    }
}

/// Sends the queued frames, and then waits for a frame or a timer. Returns the frame, if one has
/// arrived. Nothing is lost if the future is dropped.
async fn exchange<P: PartialEq>(
    live: &mut LiveConnection,
    state: &mut ClientState<P>,
    ticks: &mut Interval,
    clock: &Clock,
) -> Result<Option<ServerFrame>, ConnectionError> {
    if clock.now().since(live.last_frame_at) > MAX_SILENCE {
        return Err(ConnectionError::Silent);
    }
    while let Some(frame) = state.peek_outgoing() {
        live.connection.feed(frame).await?;
        state.pop_outgoing();
    }
    live.connection.flush().await?;
    tokio::select! {
        frame = live.connection.next() => {
            let frame = frame?;
            live.last_frame_at = clock.now();
            if let ServerFrame::Closing { retry_after_ms, .. } = frame {
                live.retry_after = Some(Duration::from_millis(retry_after_ms));
            }
            return Ok(Some(frame));
        }
        _ = live.pings.tick() => live.connection.feed(&ClientFrame::Ping {}).await?,
        _ = ticks.tick() => state.tick(),
    }
    Ok(None)
}
