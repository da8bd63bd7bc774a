//! One direction of a connection in memory.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::ReadBuf;
use tokio::time::{Instant, Sleep, sleep_until};

use super::Delivery;

/// The number of bytes that may be on their way, if the sender does not set it.
const CAPACITY: usize = 64 * 1024;

/// One direction of a connection.
pub(super) struct Pipe {
    delivery: Arc<dyn Delivery>,
    state: Mutex<State>,
}

/// Bytes on their way.
struct Chunk {
    sent: Instant,
    arrives: Instant,
    bytes: Vec<u8>,
}

struct State {
    chunks: VecDeque<Chunk>,
    /// The number of these bytes, and of lost bytes, which the sender counts too.
    in_flight: usize,
    capacity: usize,
    /// The time at which the last bytes arrive.
    last: Option<Instant>,
    end: End,
    /// True if all bytes are lost.
    is_silent: bool,
    /// The number of bytes after which the connection is reset, with the other direction.
    reset_after: Option<(usize, Arc<Pipe>)>,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

/// The end of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Open,
    /// The sender has ended it. The reader reads the rest.
    Finished,
    /// The reader is gone, or reads no more.
    Abandoned,
    /// The connection has been reset.
    Reset,
}

impl Pipe {
    pub(super) fn new(delivery: Arc<dyn Delivery>) -> Arc<Self> {
        let state = State {
            chunks: VecDeque::new(),
            in_flight: 0,
            capacity: CAPACITY,
            last: None,
            end: End::Open,
            is_silent: false,
            reset_after: None,
            reader: None,
            writer: None,
        };
        Arc::new(Self { delivery, state: Mutex::new(state) })
    }

    pub(super) fn set_capacity(&self, capacity: usize) {
        self.lock().capacity = capacity;
    }

    /// Sends as many of the bytes as there is room for.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.lock();
        if state.end != End::Open {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let room = state.capacity.saturating_sub(state.in_flight);
        let length = bytes.len().min(room);
        if length == 0 && !bytes.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        state.in_flight += length;
        if !state.is_silent && length > 0 {
            state.push(bytes[..length].to_vec(), self.delivery.delay(length));
            state.wake_reader();
        }
        Ok(length)
    }

    pub(super) fn poll_writable(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.end != End::Open || state.in_flight < state.capacity {
            return Poll::Ready(());
        }
        state.writer = Some(context.waker().clone());
        Poll::Pending
    }

    /// Ends the direction after the bytes that are on their way.
    pub(super) fn finish(&self) {
        self.end(End::Finished);
    }

    /// Ends the direction at the reader: bytes that arrive are lost.
    pub(super) fn abandon(&self) {
        self.end(End::Abandoned);
    }

    pub(super) fn reset(&self) {
        self.end(End::Reset);
    }

    fn end(&self, end: End) {
        let mut state = self.lock();
        let is_final = state.end == End::Reset || (state.end == End::Abandoned && end == End::Finished);
        if !is_final {
            state.end = end;
        }
        if end == End::Finished && !state.is_silent {
            // The end arrives like bytes, after all others.
            state.push(Vec::new(), self.delivery.delay(0));
        }
        state.wake_reader();
        state.wake_writer();
    }

    pub(super) fn silence(&self) {
        let mut state = self.lock();
        state.is_silent = true;
        state.chunks.clear();
    }

    pub(super) fn reset_after(&self, bytes: usize, other: &Arc<Self>) {
        self.lock().reset_after = Some((bytes, Arc::clone(other)));
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().end != End::Open
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("Pipe").field("in_flight", &state.in_flight).field("end", &state.end).finish()
    }
}

impl State {
    /// Sends bytes that take this time, and arrive after all earlier bytes.
    fn push(&mut self, bytes: Vec<u8>, delay: Duration) {
        let sent = now();
        let arrives = self.last.map_or(sent + delay, |last| last.max(sent + delay));
        self.last = Some(arrives);
        self.chunks.push_back(Chunk { sent, arrives, bytes });
    }

    fn wake_reader(&mut self) {
        if let Some(waker) = self.reader.take() {
            waker.wake();
        }
    }

    fn wake_writer(&mut self) {
        if let Some(waker) = self.writer.take() {
            waker.wake();
        }
    }
}

/// The end of a [`Pipe`] that receives.
#[derive(Debug)]
pub(super) struct Reader {
    pipe: Arc<Pipe>,
    /// The timer until the next bytes arrive.
    timer: Option<Pin<Box<Sleep>>>,
    is_at_end: bool,
    /// The moment at which the first byte that was read since this was last taken had been sent.
    sent_at: Option<Instant>,
}

impl Reader {
    pub(super) fn new(pipe: Arc<Pipe>) -> Self {
        Self { pipe, timer: None, is_at_end: false, sent_at: None }
    }

    pub(super) fn take_sent_at(&mut self) -> Option<Instant> {
        self.sent_at.take()
    }

    pub(super) fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_at_end {
            return Poll::Ready(Ok(()));
        }
        let mut to_reset = None;
        let polled = loop {
            let mut state = self.pipe.lock();
            match state.end {
                End::Reset => break Poll::Ready(Err(ErrorKind::ConnectionReset.into())),
                End::Abandoned => {
                    self.is_at_end = true;
                    break Poll::Ready(Ok(()));
                }
                End::Open | End::Finished => {}
            }
            let Some(arrives) = state.chunks.front().map(|chunk| chunk.arrives) else {
                state.reader = Some(context.waker().clone());
                break Poll::Pending;
            };
            if arrives > now() {
                state.reader = Some(context.waker().clone());
                drop(state);
                let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(arrives)));
                if timer.deadline() != arrives {
                    timer.as_mut().reset(arrives);
                }
                if timer.as_mut().poll(context).is_pending() {
                    break Poll::Pending;
                }
                self.timer = None;
                continue;
            }
            let Some(Chunk { sent, mut bytes, .. }) = state.chunks.pop_front() else { continue };
            if bytes.is_empty() {
                self.is_at_end = true;
                break Poll::Ready(Ok(()));
            }
            let mut length = bytes.len().min(buffer.remaining());
            if let Some((left, other)) = &mut state.reset_after {
                length = length.min(*left);
                *left -= length;
                if *left == 0 {
                    to_reset = Some(Arc::clone(other));
                }
            }
            buffer.put_slice(&bytes[..length]);
            self.sent_at.get_or_insert(sent);
            if length < bytes.len() {
                bytes.drain(..length);
                state.chunks.push_front(Chunk { sent, arrives, bytes });
            }
            state.in_flight -= length;
            state.wake_writer();
            break if length == 0 && to_reset.is_some() {
                Poll::Ready(Err(ErrorKind::ConnectionReset.into()))
            } else {
                Poll::Ready(Ok(()))
            };
        };
        if let Some(other) = to_reset {
            self.pipe.reset();
            other.reset();
        }
        polled
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.pipe.abandon();
    }
}

/// Returns the virtual time.
#[expect(clippy::disallowed_methods, reason = "the time of the simulated network")]
fn now() -> Instant {
    Instant::now()
}
