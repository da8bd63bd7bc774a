//! Connections that are open and send nothing.

use std::net::SocketAddr;

use anyhow::{Result, ensure};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::{ClientFrame, TableId};
use tokio::net::TcpSocket;

use super::connection;
use crate::socket::Socket;

/// The size of the socket's receive buffer in bytes. It is small, so that a connection that does
/// not read soon accepts no more data.
const RECEIVE_BUFFER: u32 = 16 * 1024;

/// The number of connections that are opened at the same time.
const OPENING: usize = 64;

/// Open connections after `hello`. They are closed when this value is dropped.
pub struct Idle {
    _open: Vec<Socket>,
}

impl Idle {
    /// Opens this number of connections without a user.
    ///
    /// # Errors
    /// If a connection is not accepted or gets no `welcome`.
    pub async fn connect(address: SocketAddr, count: usize) -> Result<Self> {
        Self::open(count, || connection::greeted(address, None)).await
    }

    /// Opens this number of connections that watch a table and then read nothing.
    ///
    /// # Errors
    /// If a connection is not accepted or gets no `welcome`.
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
