//! A client that keeps its state up to date and reconnects by itself.

use std::future::pending;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::ServerFrame;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::address::Address;
use crate::backoff::{Backoff, MAX_PAUSE};
use crate::connection::{Connection, ConnectionError};
use crate::live_connection::LiveConnection;
use crate::state::{ClientState, SyncError, Update};
use crate::successor::{Opened, Replaced, Successor};

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
    Connected(Box<Connected>),
    /// The client is about to connect.
    Connecting(Successor),
    /// The client has stopped connecting, because another attempt would fail with the same error.
    Failed,
}

/// An open connection, with those before and after it.
struct Connected {
    live: LiveConnection,
    /// The connection that will replace this one, because the server is about to stop.
    successor: Option<Successor>,
    /// The connection that this one has replaced.
    replaced: Option<Replaced>,
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
    /// Another connection has replaced the former one, without a gap.
    Moved,
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
        let connection_state = ConnectionState::connected(connection, &clock);
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
                ConnectionState::Connected(connected) => {
                    let Connected { live, successor, replaced } = &mut **connected;
                    let event = tokio::select! {
                        exchanged = live.exchange(&mut self.state, &mut self.ticks, &self.clock) => {
                            self.handle_exchange(exchanged)?
                        }
                        opened = opened(successor, &self.address, &self.credentials) => {
                            self.replace_connection(opened)?
                        }
                        () = expired(replaced) => {
                            connected.close_replaced();
                            None
                        }
                    };
                    if let Some(event) = event {
                        return Ok(event);
                    }
                }
                ConnectionState::Connecting(successor) => {
                    match successor.opened(&self.address, &self.credentials).await {
                        Ok((connection, _)) => {
                            self.connection_state = ConnectionState::connected(connection, &self.clock);
                            self.state.connected();
                            return Ok(ClientEvent::Reconnected);
                        }
                        Err(error) if error.is_final() => {
                            self.connection_state = ConnectionState::Failed;
                            return Err(error.into());
                        }
                        Err(error) => {
                            let pause = self.backoff.failed(&self.entropy);
                            *successor = Successor::after(pause);
                            return Ok(ClientEvent::ConnectFailed(error, pause));
                        }
                    }
                }
                ConnectionState::Failed => pending().await,
            }
        }
    }

    /// Handles a frame of the open connection, or its end.
    fn handle_exchange(
        &mut self,
        exchanged: Result<Option<ServerFrame>, ConnectionError>,
    ) -> Result<Option<ClientEvent<P>>, ClientError> {
        let ConnectionState::Connected(connected) = &mut self.connection_state else { return Ok(None) };
        match exchanged {
            Ok(Some(frame)) => {
                connected.observe(&frame);
                Ok(self.state.handle_frame(frame)?.map(ClientEvent::Update))
            }
            Ok(None) => Ok(None),
            Err(error) => {
                let lasted = self.clock.now().since(connected.live.connected_at);
                let retry_after = connected.live.retry_after.unwrap_or_default().min(MAX_PAUSE);
                let pause = retry_after + self.backoff.disconnected(lasted, &self.entropy);
                let next = connected.successor.take().unwrap_or_else(|| Successor::after(pause));
                self.connection_state = ConnectionState::Connecting(next);
                Ok(Some(ClientEvent::Disconnected(error)))
            }
        }
    }

    /// Continues on a connection that was opened while the former one is still open. Tries again if
    /// it was not opened.
    fn replace_connection(
        &mut self,
        opened: Result<Opened, ConnectionError>,
    ) -> Result<Option<ClientEvent<P>>, ClientError> {
        let ConnectionState::Connected(connected) = &mut self.connection_state else { return Ok(None) };
        match opened {
            Ok((connection, _)) => {
                let live = LiveConnection::new(connection, self.clock.now());
                let former = std::mem::replace(&mut connected.live, live);
                connected.successor = None;
                connected.close_replaced();
                connected.replaced = Some(Replaced::new(former.connection));
                self.state.connected();
                Ok(Some(ClientEvent::Moved))
            }
            Err(error) if error.is_final() => {
                self.connection_state = ConnectionState::Failed;
                Err(error.into())
            }
            Err(error) => {
                let pause = self.backoff.failed(&self.entropy);
                connected.successor = Some(Successor::after(pause));
                Ok(Some(ClientEvent::ConnectFailed(error, pause)))
            }
        }
    }

    /// Sends the queued frames and closes the connection. Stops at the first error.
    pub async fn close(mut self) {
        if let ConnectionState::Connected(connected) = self.connection_state {
            let Connected { mut live, replaced, .. } = *connected;
            if let Some(replaced) = replaced {
                replaced.close();
            }
            while let Some(frame) = self.state.pop_outgoing() {
                if live.connection.send(&frame).await.is_err() {
                    return;
                }
            }
            live.connection.close().await;
        }
    }
}

impl ConnectionState {
    fn connected(connection: Connection, clock: &Clock) -> Self {
        let live = LiveConnection::new(connection, clock.now());
        Self::Connected(Box::new(Connected { live, successor: None, replaced: None }))
    }
}

impl Connected {
    /// Handles what a frame says about connections.
    fn observe(&mut self, frame: &ServerFrame) {
        match *frame {
            ServerFrame::Closing { retry_after_ms, open_for_ms } => {
                let retry_after = Duration::from_millis(retry_after_ms);
                if open_for_ms.is_some_and(|time| time > 0) {
                    self.successor.get_or_insert_with(|| Successor::after(retry_after));
                } else {
                    self.live.retry_after = Some(retry_after);
                }
            }
            // The first ping on a connection follows after the subscriptions and the unanswered
            // commands. So the server has answered all of them.
            ServerFrame::Pong { .. } => self.close_replaced(),
            _ => {}
        }
    }

    fn close_replaced(&mut self) {
        if let Some(replaced) = self.replaced.take() {
            replaced.close();
        }
    }
}

/// Waits until the successor is open, or has failed. Waits without end if there is none.
async fn opened(
    successor: &mut Option<Successor>,
    address: &Address,
    credentials: &Credentials,
) -> Result<Opened, ConnectionError> {
    match successor {
        Some(successor) => successor.opened(address, credentials).await,
        None => pending().await,
    }
}

/// Waits until the replaced connection shall be closed. Waits without end if there is none.
async fn expired(replaced: &mut Option<Replaced>) {
    match replaced {
        Some(replaced) => replaced.expired().await,
        None => pending().await,
    }
}
