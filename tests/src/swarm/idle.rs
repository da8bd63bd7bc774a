//! Connections that are there and do nothing.

use std::net::SocketAddr;

use anyhow::{Result, ensure};
use futures_util::{StreamExt, TryStreamExt};

use super::line;
use crate::socket::Socket;

/// Connections that are being opened at the same time.
const OPENING: usize = 64;

/// Open connections, greeted and silent. Dropped, they close.
pub struct Idle {
    _open: Vec<Socket>,
}

impl Idle {
    /// Opens so many, as nobody.
    ///
    /// # Errors
    /// When one is not taken or greeted.
    pub async fn connect(address: SocketAddr, count: usize) -> Result<Self> {
        let opening = futures_util::stream::iter((0..count).map(|_| line::greeted(address, None)));
        let open: Vec<Socket> = opening.buffer_unordered(OPENING).try_collect().await?;
        ensure!(open.len() == count, "{} of {count} are open", open.len());
        Ok(Self { _open: open })
    }
}
