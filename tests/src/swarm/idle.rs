//! Connections that are there and do nothing.

use std::net::SocketAddr;

use anyhow::{Result, ensure};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::{ClientFrame, TableId};
use tokio::net::TcpSocket;

use super::connection;
use crate::socket::Socket;

/// Bytes the system keeps for a connection that reads nothing: it takes little from the server.
const RECEIVE_BUFFER: u32 = 16 * 1024;

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
    /// If one is not taken or greeted.
    pub async fn connect(address: SocketAddr, count: usize) -> Result<Self> {
        Self::open(count, || connection::greeted(address, None)).await
    }

    /// Opens so many that ask to watch a table, and then read nothing.
    ///
    /// # Errors
    /// If one is not taken or greeted.
    pub async fn deaf(address: SocketAddr, count: usize, table: TableId) -> Result<Self> {
        let watch = ClientFrame::Watch { table, match_id: None, after: None, secret: None, preview: false };
        let deaf = || async {
            let socket = TcpSocket::new_v4()?;
            socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
            let mut socket = connection::greeted_on(socket.connect(address).await?, None).await?;
            connection::send(&mut socket, &watch).await?;
            Ok(socket)
        };
        Self::open(count, deaf).await
    }

    async fn open<F: Future<Output = Result<Socket>>>(count: usize, one: impl Fn() -> F) -> Result<Self> {
        let opening = futures_util::stream::iter((0..count).map(|_| one()));
        let open: Vec<Socket> = opening.buffer_unordered(OPENING).try_collect().await?;
        ensure!(open.len() == count, "{} of {count} are open", open.len());
        Ok(Self { _open: open })
    }
}
