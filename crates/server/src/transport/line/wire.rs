//! The connection as the WebSocket's own machinery sees it: it reads from the socket, and what it writes (pongs, the
//! closing handshake) goes by the outbox like everything else.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;

use super::outbox::Outbox;

/// A connection whose writing half is an outbox.
#[derive(Debug)]
pub(super) struct Wire {
    half: OwnedReadHalf,
    outbox: Arc<Outbox>,
}

impl Wire {
    pub(super) fn new(half: OwnedReadHalf, outbox: Arc<Outbox>) -> Self {
        Self { half, outbox }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.half).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = self.outbox.send_control(bytes);
        Poll::Ready(sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into()))
    }

    /// What waits in the outbox goes by itself.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The connection ends with its line.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
