//! Connections that are there and do nothing.

use std::net::SocketAddr;

use anyhow::{Result, ensure};
use futures_util::{StreamExt, TryStreamExt};

use super::line::{self, Socket};

/// Connections that are being opened at the same time.
const OPENING: usize = 64;

/// Open connections, greeted and silent. Dropped, they close.
pub struct Idle(Vec<Socket>);

impl Idle {
    /// Opens so many, as nobody.
    ///
    /// # Errors
    /// When one is not taken or greeted.
    pub async fn connect(address: SocketAddr, count: usize) -> Result<Self> {
        let opening = futures_util::stream::iter((0..count).map(|_| line::greeted(address, None)));
        let sockets: Vec<Socket> = opening.buffer_unordered(OPENING).try_collect().await?;
        ensure!(sockets.len() == count, "{} of {count} are open", sockets.len());
        Ok(Self(sockets))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
