//! The connection that replaces another one while that one is still open.

use std::pin::Pin;
use std::time::Duration;

use futures_util::future::BoxFuture;
use quadrex_protocol::user::UserView;
use tokio::time::{Sleep, sleep};

use crate::address::Address;
use crate::client::Credentials;
use crate::connection::{Connection, ConnectionError};

/// The maximum time for which a replaced connection stays open. Until then, the server has usually
/// answered on the new one.
const OVERLAP_LIMIT: Duration = Duration::from_secs(10);

/// A connection with the user that the server has reported.
pub(crate) type Opened = (Connection, Option<UserView>);

/// A connection that is about to be opened.
pub(crate) enum Successor {
    /// The client waits before its next attempt to connect.
    Waiting(Pin<Box<Sleep>>),
    Opening(BoxFuture<'static, Result<Opened, ConnectionError>>),
}

impl Successor {
    /// Returns a connection that is opened after this time.
    pub(crate) fn after(pause: Duration) -> Self {
        Self::Waiting(Box::pin(sleep(pause)))
    }

    /// Waits until the connection is open, or has failed. Nothing is lost if the future is dropped.
    pub(crate) async fn opened(
        &mut self,
        address: &Address,
        credentials: &Credentials,
    ) -> Result<Opened, ConnectionError> {
        loop {
            match self {
                Self::Waiting(pause) => {
                    pause.await;
                    let (address, credentials) = (address.clone(), credentials.clone());
                    *self = Self::Opening(Box::pin(async move {
                        Connection::open(&address, credentials.token.as_deref()).await
                    }));
                }
                Self::Opening(opening) => return opening.await,
            }
        }
    }
}

/// A replaced connection. It stays open, so that the user counts as present, until the server has
/// answered on the new one. Its frames are not read.
pub(crate) struct Replaced {
    connection: Connection,
    limit: Pin<Box<Sleep>>,
}

impl Replaced {
    pub(crate) fn new(connection: Connection) -> Self {
        Self { connection, limit: Box::pin(sleep(OVERLAP_LIMIT)) }
    }

    /// Waits until the connection shall be closed in any case.
    pub(crate) async fn expired(&mut self) {
        self.limit.as_mut().await;
    }

    /// Closes the connection, without waiting for the server.
    pub(crate) fn close(self) {
        tokio::spawn(self.connection.close());
    }
}
