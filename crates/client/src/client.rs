//! A client that keeps its state and reconnects by itself.

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

/// The interval of [`ClientState::tick`].
const TICK: Duration = Duration::from_secs(1);

/// The login of a client. Without one it can only watch public tables. It has no `Debug`, so that a
/// token does not get into a log.
#[derive(Clone, Default)]
pub struct Credentials {
    /// The bearer token.
    pub token: Option<String>,
}

/// A client that stays connected. `P` is the caller's tag of a command, returned with its result.
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

/// The current connection, or the progress towards the next one.
enum ConnectionState {
    Connected(Box<LiveConnection>),
    Waiting(Pin<Box<Sleep>>),
    Opening(BoxFuture<'static, Result<(Connection, Option<UserView>), ConnectionError>>),
    /// Given live, after a final error.
    Down,
}

struct LiveConnection {
    connection: Connection,
    pings: Interval,
    connected_at: Timestamp,
    last_frame_at: Timestamp,
    /// The wait before reconnecting that a stopping server has announced.
    retry_after: Option<Duration>,
}

/// An event of a client.
#[derive(Debug)]
pub enum ClientEvent<P> {
    /// The state has changed.
    Update(Update<P>),
    /// The connection has ended. Another one follows.
    Disconnected(ConnectionError),
    /// An attempt to reconnect has failed. Another one follows after this pause.
    ConnectFailed(ConnectionError, Duration),
    /// The client is connected again.
    Reconnected,
}

/// The reason why a client gave live.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Another connection would fail in the same way ([`ConnectionError::is_final`]).
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The server's frames contradict each other.
    #[error(transparent)]
    Sync(#[from] SyncError),
}

impl<P: PartialEq> Client<P> {
    /// Connects to a server. [`ClientState::me`] is then the user that the server reports.
    ///
    /// # Errors
    /// [`ConnectionError`] if the first attempt fails.
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

    /// Returns the state.
    #[must_use]
    pub fn state(&self) -> &ClientState<P> {
        &self.state
    }

    /// Returns the state mutably. Frames queued on it are sent by [`Self::next`].
    pub fn state_mut(&mut self) -> &mut ClientState<P> {
        &mut self.state
    }

    /// Returns true if there is a connection now.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        matches!(self.connection_state, ConnectionState::Connected(_))
    }

    /// Waits for the next event. It must be polled, since it also sends, pings and reconnects.
    /// Cancelling it loses nothing.
    ///
    /// # Errors
    /// [`ClientError`] if the client cannot continue.
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
                        self.connection_state = ConnectionState::Down;
                        return Err(error.into());
                    }
                    Err(error) => {
                        let pause = self.backoff.failed(&self.entropy);
                        self.connection_state = ConnectionState::Waiting(Box::pin(sleep(pause)));
                        return Ok(ClientEvent::ConnectFailed(error, pause));
                    }
                },
                ConnectionState::Down => pending().await,
            }
        }
    }

    /// Sends the queued frames and closes the connection; stops at the first error.
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

/// Sends the outgoing frames and waits for a frame or a timer. Returns the frame. Cancelling it loses
/// nothing.
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
            if let ServerFrame::Closing { retry_after_ms } = frame {
                live.retry_after = Some(Duration::from_millis(retry_after_ms));
            }
            return Ok(Some(frame));
        }
        _ = live.pings.tick() => live.connection.feed(&ClientFrame::Ping {}).await?,
        _ = ticks.tick() => state.tick(),
    }
    Ok(None)
}
