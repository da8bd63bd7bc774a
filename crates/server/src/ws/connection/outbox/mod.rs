//! The outbox of a connection. A frame is written to the socket at once by its sender; only frames
//! that the client's side does not accept are queued, and a task sends them later.

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Buf, Bytes};
use socket2::SockRef;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::bus::Frame;
use crate::lease::Lease;

/// The time for which the client's side may accept nothing, while frames wait, before the
/// connection is closed.
const STALL_TIMEOUT: Duration = Duration::from_secs(15);

/// The time between two checks for an expired lease, while frames wait.
const LEASE_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The amount of published frames that may wait. Answers are not counted: a client that does not
/// read them can send no more requests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capacity {
    /// The number of frames.
    pub(super) frames: usize,
    /// The bytes of all of them.
    pub(super) bytes: usize,
}

/// The reason why nothing more is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The client reads too slowly: the queue is full.
    TooSlow,
    /// The client's side has accepted nothing for too long.
    Stalled,
    /// The connection is broken.
    Broken,
}

/// A bounded queue of frames for one connection.
#[derive(Debug)]
pub(super) struct Outbox {
    half: OwnedWriteHalf,
    capacity: Capacity,
    /// The right to send anything.
    lease: Lease,
    queue: Mutex<Queue>,
    /// Notified when sending has failed.
    failed: Notify,
    /// Notified when the queue is empty.
    drained: Notify,
}

/// The frames that wait. While there are any, one task sends them.
#[derive(Debug)]
struct Queue {
    frames: VecDeque<QueuedFrame>,
    /// The amount of published frames among them.
    published: Capacity,
    /// Set while frames are still accepted; the closing handshake always is.
    is_open: bool,
    /// Set when the connection ends because the server has no lease: only that is sent.
    is_fenced: bool,
    failure: Option<Failure>,
}

/// A frame that waits, or the rest of it.
#[derive(Debug)]
struct QueuedFrame {
    bytes: Bytes,
    kind: FrameKind,
    /// Set when a part of it has been sent: then the rest must follow.
    is_begun: bool,
}

/// The kind of a frame, which decides whether it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKind {
    /// The answer to a frame of the client.
    Answer,
    /// A published event.
    Published,
    /// A frame of the WebSocket itself.
    Control,
}

impl Queue {
    /// Drops all but a frame of which a part has been sent.
    fn drop_unbegun(&mut self) {
        self.frames.retain(|frame| frame.is_begun);
        self.published = Capacity { frames: 0, bytes: 0 };
        for frame in &mut self.frames {
            frame.kind = FrameKind::Control;
        }
    }
}

impl Outbox {
    pub(super) fn new(half: OwnedWriteHalf, capacity: Capacity, lease: Lease) -> Arc<Self> {
        let published = Capacity { frames: 0, bytes: 0 };
        let frames = VecDeque::new();
        let queue = Queue { frames, published, is_open: true, is_fenced: false, failure: None };
        let (failed, drained) = (Notify::new(), Notify::new());
        Arc::new(Self { half, capacity, lease, queue: Mutex::new(queue), failed, drained })
    }

    /// Sends an answer, after all earlier frames. Never waits. Nothing is sent on a connection that
    /// has failed or is being closed.
    pub(super) fn answer(self: &Arc<Self>, frame: &Frame) {
        self.send(frame, FrameKind::Answer);
    }

    /// Sends a published frame, like [`answer`](Self::answer). When too many of those wait, the
    /// connection has failed.
    pub(super) fn publish(self: &Arc<Self>, frame: &Frame) {
        self.send(frame, FrameKind::Published);
    }

    fn send(self: &Arc<Self>, frame: &Frame, kind: FrameKind) {
        let mut queue = self.lock();
        if queue.is_open {
            self.enqueue(&mut queue, QueuedFrame { bytes: frame.wire(), kind, is_begun: false });
        }
    }

    /// Sends frames of the WebSocket itself: pings, pongs, and the closing handshake. Whole frames.
    ///
    /// # Errors
    /// [`Failure`] if the connection is stalled or broken.
    pub(super) fn send_control(self: &Arc<Self>, frames: &[u8]) -> Result<(), Failure> {
        let mut queue = self.lock();
        match queue.failure {
            None | Some(Failure::TooSlow) => {
                let bytes = Bytes::copy_from_slice(frames);
                self.enqueue(&mut queue, QueuedFrame { bytes, kind: FrameKind::Control, is_begun: false });
                Ok(())
            }
            Some(failure @ (Failure::Stalled | Failure::Broken)) => Err(failure),
        }
    }

    /// Accepts no more frames: the closing handshake follows.
    pub(super) fn finish(&self) {
        self.lock().is_open = false;
    }

    /// Ends the connection of a server without a lease with this frame. Queue frames are dropped,
    /// since they may be wrong by now.
    pub(super) fn fence(self: &Arc<Self>, frame: &Frame) {
        let mut queue = self.lock();
        queue.is_open = false;
        queue.is_fenced = true;
        queue.drop_unbegun();
        if queue.failure.is_none() {
            self.enqueue(
                &mut queue,
                QueuedFrame { bytes: frame.wire(), kind: FrameKind::Control, is_begun: false },
            );
        }
    }

    /// Waits until the queue is empty.
    pub(super) async fn drained(&self) {
        while !self.lock().frames.is_empty() {
            self.drained.notified().await;
        }
    }

    /// Waits until sending has failed.
    pub(super) async fn failed(&self) -> Failure {
        loop {
            if let Some(failure) = self.lock().failure {
                return failure;
            }
            self.failed.notified().await;
        }
    }

    /// Shuts the connection down.
    pub(super) fn end(&self) {
        self.fail(&mut self.lock(), Failure::Broken);
        // An error means that it has ended already.
        SockRef::from(self.half.as_ref()).shutdown(std::net::Shutdown::Both).ok();
    }

    fn enqueue(self: &Arc<Self>, queue: &mut Queue, mut frame: QueuedFrame) {
        if queue.frames.is_empty() {
            if self.may_send(queue) {
                let whole = frame.bytes.len();
                match self.write(&mut frame.bytes) {
                    Ok(()) if frame.bytes.is_empty() => return,
                    Ok(()) => frame.is_begun = frame.bytes.len() < whole,
                    Err(failure) => return self.fail(queue, failure),
                }
            }
            tokio::spawn(Arc::clone(self).drain());
        }
        if frame.kind == FrameKind::Published {
            queue.published.frames += 1;
            queue.published.bytes += frame.bytes.len();
        }
        queue.frames.push_back(frame);
        if queue.published.frames > self.capacity.frames || queue.published.bytes > self.capacity.bytes {
            self.fail(queue, Failure::TooSlow);
        }
    }

    /// Returns whether a new frame may be sent.
    fn may_send(&self, queue: &Queue) -> bool {
        queue.is_fenced || self.lease.holds()
    }

    /// Waits until the first frame in the queue may be sent.
    async fn may_send_first(&self) {
        let is_allowed = |queue: &Queue| {
            self.may_send(queue)
                || queue.failure.is_some()
                || queue.frames.front().is_none_or(|frame| frame.is_begun)
        };
        while !is_allowed(&self.lock()) {
            tokio::time::sleep(LEASE_CHECK_INTERVAL).await;
        }
    }

    /// Writes as much as the socket accepts now.
    fn write(&self, bytes: &mut Bytes) -> Result<(), Failure> {
        while !bytes.is_empty() {
            match self.half.try_write(bytes) {
                Ok(written) => bytes.advance(written),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(_) => return Err(Failure::Broken),
            }
        }
        Ok(())
    }

    /// Writes the queue until it is empty.
    async fn drain(self: Arc<Self>) {
        loop {
            self.may_send_first().await;
            let writable = timeout(STALL_TIMEOUT, self.half.writable()).await;
            let mut queue = self.lock();
            match writable {
                Err(_) => return self.fail(&mut queue, Failure::Stalled),
                Ok(Err(_)) => return self.fail(&mut queue, Failure::Broken),
                Ok(Ok(())) => {}
            }
            if let Err(failure) = self.write_queue(&mut queue) {
                return self.fail(&mut queue, failure);
            }
            if queue.frames.is_empty() {
                self.drained.notify_one();
                return;
            }
        }
    }

    fn write_queue(&self, queue: &mut Queue) -> Result<(), Failure> {
        let is_fenced = queue.is_fenced;
        while let Some(frame) = queue.frames.front_mut() {
            if !(frame.is_begun || is_fenced || self.lease.holds()) {
                return Ok(());
            }
            let before = frame.bytes.len();
            self.write(&mut frame.bytes)?;
            frame.is_begun |= frame.bytes.len() < before;
            if frame.kind == FrameKind::Published {
                queue.published.bytes -= before - frame.bytes.len();
                queue.published.frames -= usize::from(frame.bytes.is_empty());
            }
            if !frame.bytes.is_empty() {
                return Ok(());
            }
            queue.frames.pop_front();
        }
        Ok(())
    }

    /// Marks the connection as failed. For a client that is closed in order, a frame of which a
    /// part has been sent is kept.
    fn fail(&self, queue: &mut Queue, failure: Failure) {
        queue.is_open = false;
        if failure == Failure::TooSlow {
            queue.drop_unbegun();
        } else {
            queue.frames.clear();
            queue.published = Capacity { frames: 0, bytes: 0 };
        }
        queue.failure = Some(failure);
        self.failed.notify_one();
        self.drained.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
