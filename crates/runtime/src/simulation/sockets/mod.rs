//! Sockets in memory.

mod listener;
mod pipe;

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

pub use listener::{Connector, SimulatedListener, listen};
use pipe::{Pipe, Reader};

/// The decision about bytes that are sent.
pub trait Delivery: Send + Sync {
    /// Returns the time that some bytes take to the other side. Bytes never overtake each other.
    fn delay(&self, bytes: usize) -> Duration;
}

/// A socket whose other end is in the same process.
#[derive(Debug)]
pub struct SimulatedSocket {
    read: SimulatedReadHalf,
    write: SimulatedWriteHalf,
}

/// The half that receives.
#[derive(Debug)]
pub struct SimulatedReadHalf(Reader);

/// The half that sends.
#[derive(Debug)]
pub struct SimulatedWriteHalf {
    outgoing: Arc<Pipe>,
    incoming: Arc<Pipe>,
}

/// A connection between two sockets, from outside. It can be broken in the ways in which networks
/// break connections.
#[derive(Clone, Debug)]
pub struct PipeControl {
    /// The directions: from the first socket to the second, and back.
    directions: [Arc<Pipe>; 2],
}

/// Connects two sockets. Each delivery decides about the bytes that the socket with this number sends.
#[must_use]
pub fn pipe(deliveries: [Arc<dyn Delivery>; 2]) -> ([SimulatedSocket; 2], PipeControl) {
    let directions = deliveries.map(Pipe::new);
    let [there, back] = directions.clone();
    let first = SimulatedSocket::new(Arc::clone(&there), Arc::clone(&back));
    let second = SimulatedSocket::new(back, there);
    ([first, second], PipeControl { directions })
}

impl PipeControl {
    /// Resets the connection: both sides get an error at once, and bytes that are on their way are
    /// lost.
    pub fn reset(&self) {
        self.directions.iter().for_each(|pipe| pipe.reset());
    }

    /// Resets the connection after this number of further bytes has been delivered in a direction
    /// (0: from the first socket to the second).
    pub fn reset_after(&self, direction: usize, bytes: usize) {
        self.directions[direction].reset_after(bytes, &self.directions[1 - direction]);
    }

    /// Loses all bytes from now on, in both directions. Neither side gets an error. Bytes that have been
    /// sent are never delivered.
    pub fn silence(&self) {
        self.directions.iter().for_each(|pipe| pipe.silence());
    }

    /// Limits the number of bytes that may be on their way in a direction, like a receiver that reads
    /// slowly.
    pub fn limit(&self, direction: usize, bytes: usize) {
        self.directions[direction].set_capacity(bytes);
    }

    /// Returns whether the connection has ended or has been reset in both directions.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.directions.iter().all(|pipe| pipe.is_over())
    }
}

impl SimulatedSocket {
    fn new(outgoing: Arc<Pipe>, incoming: Arc<Pipe>) -> Self {
        let read = SimulatedReadHalf(Reader::new(Arc::clone(&incoming)));
        Self { read, write: SimulatedWriteHalf { outgoing, incoming } }
    }

    /// Returns the moment at which the first byte that was read since the last call had been sent. Returns
    /// `None` if no byte was read since.
    pub fn take_sent_at(&mut self) -> Option<Instant> {
        self.read.0.take_sent_at()
    }

    pub(crate) fn set_send_buffer_size(&self, size: usize) {
        self.write.outgoing.set_capacity(size);
    }

    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.write.try_write(bytes)
    }

    pub(crate) fn into_split(self) -> (SimulatedReadHalf, SimulatedWriteHalf) {
        (self.read, self.write)
    }
}

impl SimulatedWriteHalf {
    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.outgoing.try_write(bytes)
    }

    pub(crate) async fn writable(&self) {
        std::future::poll_fn(|context| self.outgoing.poll_writable(context)).await;
    }

    /// Ends both directions. The own reader reads to the end.
    pub(crate) fn shut_down(&self) {
        self.outgoing.finish();
        self.incoming.abandon();
    }
}

impl Drop for SimulatedWriteHalf {
    fn drop(&mut self) {
        self.outgoing.finish();
    }
}

impl AsyncRead for SimulatedReadHalf {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.poll_read(context, buffer)
    }
}

impl AsyncRead for SimulatedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.read).poll_read(context, buffer)
    }
}

impl AsyncWrite for SimulatedSocket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            match self.write.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.write.outgoing.poll_writable(context));
                }
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write.outgoing.finish();
        Poll::Ready(Ok(()))
    }
}
