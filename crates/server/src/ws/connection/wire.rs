//! The stream from which the WebSocket library reads and to which it writes. The stream reads from
//! the socket. The bytes that the library writes, such as pongs and the closing handshake, go
//! through the outbox like all other frames.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use quadrex_runtime::ReadHalf;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

use super::frame_counter::{Flood, FrameCounter};
use super::outbox::Outbox;
use crate::config::LimitsConfig;

/// A stream whose writing half is an outbox.
#[derive(Debug)]
pub(super) struct Wire {
    socket: ReadHalf,
    outbox: Arc<Outbox>,
    counter: FrameCounter,
    /// True if the client has sent too many pings, pongs or fragments.
    is_flooded: bool,
}

impl Wire {
    /// Creates a stream. The bytes `already_read` were received with the handshake.
    pub(super) fn new(
        socket: ReadHalf,
        outbox: Arc<Outbox>,
        already_read: &[u8],
        limits: &LimitsConfig,
    ) -> Self {
        let mut counter = FrameCounter::new(limits);
        let is_flooded = counter.count(already_read).is_err();
        Self { socket, outbox, counter, is_flooded }
    }

    /// Returns whether the client has sent too many pings, pongs or fragments.
    pub(super) fn is_flooded(&self) -> bool {
        self.is_flooded
    }

    /// Reads and drops all bytes until the client closes the connection. If there were unread
    /// bytes, the operating system would reset the connection before the client has read the close
    /// frame.
    pub(super) async fn discard(&mut self) {
        let mut bytes = [0; 512];
        while self.socket.read(&mut bytes).await.is_ok_and(|read| read > 0) {}
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_flooded {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut self.socket).poll_read(context, buffer))?;
            self.is_flooded = self.counter.count(&buffer.filled()[before..]).is_err();
        }
        Poll::Ready(if self.is_flooded { Err(io::Error::other(Flood)) } else { Ok(()) })
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let send_result = self.outbox.send_control(bytes);
        Poll::Ready(send_result.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into()))
    }

    /// Does nothing, because the outbox sends by itself.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Does nothing, because the outbox closes the socket.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Returns whether a read has failed because of too many pings, pongs or fragments.
pub(super) fn is_flood(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<Flood>())
}
