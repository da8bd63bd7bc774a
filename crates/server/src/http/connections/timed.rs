//! Connections on which a write fails when the client stops reading.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use quadrex_runtime::Socket;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::limits::Permit;

/// The longest time for which a client may read nothing while data for the client waits.
const STALL_TIMEOUT: Duration = Duration::from_secs(15);

/// A connection on which a write fails if the client has read nothing for too long.
#[derive(Debug)]
pub(crate) struct TimedStream {
    stream: Socket,
    permit: Option<Permit>,
    /// The timeout of the current write; `None` if no write waits for the client.
    stall_timer: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    pub(crate) fn new(stream: Socket, permit: Option<Permit>) -> Self {
        Self { stream, permit, stall_timer: None }
    }

    /// Returns the connection without the timeout, and its permit.
    pub(crate) fn into_parts(self) -> (Socket, Option<Permit>) {
        (self.stream, self.permit)
    }

    fn limit<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stall_timer = None;
            return written;
        }
        let stall_timer = self.stall_timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(STALL_TIMEOUT)));
        ready!(stall_timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let write_result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit(context, write_result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write_result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limit(context, write_result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.limit(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    #[tokio::test]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut timed = TimedStream::new(stream.into(), None);
        tokio::time::pause();
        let writing = async {
            loop {
                timed.write_all(&[0; 64 * 1024]).await?;
            }
        };
        let ended: io::Result<()> = tokio::time::timeout(4 * STALL_TIMEOUT, writing).await.unwrap();
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
