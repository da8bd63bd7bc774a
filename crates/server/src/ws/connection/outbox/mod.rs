//! The outbox of a connection. The sender of a frame writes it to the socket directly, so that no
//! task has to be woken. If the socket cannot accept the frame now, the frame is queued, and a task
//! writes it later.

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Buf, Bytes};
use quadrex_runtime::WriteHalf;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::bus::Frame;
use crate::lease::Lease;
use crate::telemetry::metrics::METRICS;

/// The time after which a connection counts as failed if frames are queued and its socket accepts
/// nothing.
const STALL_TIMEOUT: Duration = Duration::from_secs(15);

/// The interval at which a task with queued frames checks whether the server holds the lease again.
const LEASE_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// An amount of queued frames. Only published frames count. Answers need no limit, because the next
/// request of a client is not read before its answers have been sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueSize {
    /// The number of frames.
    pub(super) frames: usize,
    /// The total size of the frames, in bytes.
    pub(super) bytes: usize,
}

/// The reason for which an outbox sends no more frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The queue is full, because the client reads too slowly.
    TooSlow,
    /// The socket has accepted nothing for too long.
    Stalled,
    /// The connection is broken.
    Broken,
}

/// The sender of frames to one client, with a bounded queue.
#[derive(Debug)]
pub(super) struct Outbox {
    socket: WriteHalf,
    /// The largest amount of published frames that the queue may contain.
    capacity: QueueSize,
    /// The server's lease, without which nothing may be sent.
    lease: Lease,
    queue: Mutex<Queue>,
    /// Notified when sending has failed.
    failed: Notify,
    /// Notified when the queue has become empty.
    drained: Notify,
}

/// The queued frames. While the queue is not empty, one task writes its frames to the socket.
#[derive(Debug)]
struct Queue {
    frames: VecDeque<QueuedFrame>,
    /// The amount of published frames in the queue.
    published: QueueSize,
    /// True while new frames are accepted. Frames of the closing handshake are always accepted.
    is_open: bool,
    /// True if the connection ends because the server has lost its lease. The last frames, which
    /// inform the client of this, may be sent without the lease.
    is_fenced: bool,
    failure: Option<Failure>,
}

/// A queued frame.
#[derive(Debug)]
struct QueuedFrame {
    /// The bytes that have not been sent yet.
    bytes: Bytes,
    kind: FrameKind,
    /// True if a part of the frame has been sent. In this case the rest must be sent too, even
    /// without the lease.
    is_partly_sent: bool,
}

/// The kind of a frame. It decides whether the frame counts towards the capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKind {
    /// The answer to a frame of the client.
    Answer,
    /// A frame that a table or the lobby publishes.
    Published,
    /// A frame of the WebSocket protocol itself: a ping, a pong, or a part of the closing
    /// handshake.
    Control,
}

impl Queue {
    /// Drops all frames except the frame of which a part has been sent, if there is such a frame.
    fn drop_unsent(&mut self) {
        let before = self.frames.len();
        self.frames.retain(|frame| frame.is_partly_sent);
        self.published = QueueSize { frames: 0, bytes: 0 };
        for frame in &mut self.frames {
            frame.kind = FrameKind::Control;
        }
        METRICS.connections.frames_dropped.inc_by((before - self.frames.len()) as u64);
    }
}

impl Outbox {
    pub(super) fn new(socket: WriteHalf, capacity: QueueSize, lease: Lease) -> Arc<Self> {
        let published = QueueSize { frames: 0, bytes: 0 };
        let frames = VecDeque::new();
        let queue = Queue { frames, published, is_open: true, is_fenced: false, failure: None };
        let (failed, drained) = (Notify::new(), Notify::new());
        Arc::new(Self { socket, capacity, lease, queue: Mutex::new(queue), failed, drained })
    }

    /// Sends an answer. It follows all frames that were sent before. Never waits. Does nothing if
    /// the connection has failed or is being closed.
    pub(super) fn answer(self: &Arc<Self>, frame: &Frame) {
        self.send(frame, FrameKind::Answer);
    }

    /// Sends a published frame like [`answer`](Self::answer). If too many published frames are
    /// queued, the connection fails.
    pub(super) fn publish(self: &Arc<Self>, frame: &Frame) {
        self.send(frame, FrameKind::Published);
    }

    fn send(self: &Arc<Self>, frame: &Frame, kind: FrameKind) {
        let mut queue = self.lock();
        if queue.is_open {
            self.enqueue(&mut queue, QueuedFrame { bytes: frame.bytes(), kind, is_partly_sent: false });
        }
    }

    /// Sends frames of the WebSocket protocol itself: pings, pongs, and the closing handshake.
    /// `frames` has whole frames with their headers.
    ///
    /// # Errors
    /// Returns [`Failure`] if the connection is stalled or broken.
    pub(super) fn send_control(self: &Arc<Self>, frames: &[u8]) -> Result<(), Failure> {
        let mut queue = self.lock();
        match queue.failure {
            None | Some(Failure::TooSlow) => {
                let bytes = Bytes::copy_from_slice(frames);
                self.enqueue(
                    &mut queue,
                    QueuedFrame { bytes, kind: FrameKind::Control, is_partly_sent: false },
                );
                Ok(())
            }
            Some(failure @ (Failure::Stalled | Failure::Broken)) => Err(failure),
        }
    }

    /// Accepts no more frames from now on, except for those of the closing handshake.
    pub(super) fn finish(&self) {
        self.lock().is_open = false;
    }

    /// Sends this frame as the last frame before the closing handshake, because the server has lost
    /// its lease. Drops the queued frames, because they may be wrong now that another server may
    /// have taken over.
    pub(super) fn fence(self: &Arc<Self>, frame: &Frame) {
        let mut queue = self.lock();
        queue.is_open = false;
        queue.is_fenced = true;
        queue.drop_unsent();
        if queue.failure.is_none() {
            self.enqueue(
                &mut queue,
                QueuedFrame { bytes: frame.bytes(), kind: FrameKind::Control, is_partly_sent: false },
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

    /// Shuts the socket down.
    pub(super) fn end(&self) {
        self.fail(&mut self.lock(), Failure::Broken);
        self.socket.shut_down();
    }

    /// Writes as much of the frame to the socket as the socket accepts now, and queues the rest.
    fn enqueue(self: &Arc<Self>, queue: &mut Queue, mut frame: QueuedFrame) {
        if quadrex_runtime::has_planted!(QueuedFramesLost) && !queue.frames.is_empty() {
            return;
        }
        if queue.frames.is_empty() {
            if self.may_send(queue) {
                let length = frame.bytes.len();
                match self.write(&mut frame.bytes) {
                    Ok(()) if frame.bytes.is_empty() => return,
                    Ok(()) => frame.is_partly_sent = frame.bytes.len() < length,
                    Err(failure) => return self.fail(queue, failure),
                }
            }
            quadrex_runtime::spawn(Arc::clone(self).write_until_empty());
        }
        if frame.kind == FrameKind::Published {
            queue.published.frames += 1;
            queue.published.bytes += frame.bytes.len();
        }
        METRICS.connections.frames_queued.inc();
        queue.frames.push_back(frame);
        if queue.published.frames > self.capacity.frames || queue.published.bytes > self.capacity.bytes {
            self.fail(queue, Failure::TooSlow);
        }
    }

    /// Returns whether a frame may be sent if no part of it has been sent yet.
    fn may_send(&self, queue: &Queue) -> bool {
        queue.is_fenced || self.lease.is_held()
    }

    /// Waits until the first frame of the queue may be sent.
    async fn wait_until_first_may_be_sent(&self) {
        let is_allowed = |queue: &Queue| {
            self.may_send(queue)
                || queue.failure.is_some()
                || queue.frames.front().is_none_or(|frame| frame.is_partly_sent)
        };
        while !is_allowed(&self.lock()) {
            tokio::time::sleep(LEASE_CHECK_INTERVAL).await;
        }
    }

    /// Writes as many bytes as the socket accepts now, and removes them from `bytes`.
    fn write(&self, bytes: &mut Bytes) -> Result<(), Failure> {
        while !bytes.is_empty() {
            match self.socket.try_write(bytes) {
                Ok(written) => bytes.advance(written),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(_) => return Err(Failure::Broken),
            }
        }
        Ok(())
    }

    /// Writes the queued frames to the socket until the queue is empty.
    async fn write_until_empty(self: Arc<Self>) {
        loop {
            self.wait_until_first_may_be_sent().await;
            let writable = timeout(STALL_TIMEOUT, self.socket.writable()).await;
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

    /// Writes as many queued frames as the socket accepts now.
    fn write_queue(&self, queue: &mut Queue) -> Result<(), Failure> {
        let is_fenced = queue.is_fenced;
        while let Some(frame) = queue.frames.front_mut() {
            if !(frame.is_partly_sent || is_fenced || self.lease.is_held()) {
                return Ok(());
            }
            let length_before = frame.bytes.len();
            self.write(&mut frame.bytes)?;
            frame.is_partly_sent |= frame.bytes.len() < length_before;
            if frame.kind == FrameKind::Published {
                queue.published.bytes -= length_before - frame.bytes.len();
                queue.published.frames -= usize::from(frame.bytes.is_empty());
            }
            if !frame.bytes.is_empty() {
                return Ok(());
            }
            queue.frames.pop_front();
        }
        Ok(())
    }

    /// Marks the connection as failed. If the client is too slow, the connection ends with a
    /// closing handshake. A frame of which a part has been sent therefore stays in the queue.
    fn fail(&self, queue: &mut Queue, failure: Failure) {
        queue.is_open = false;
        if failure == Failure::TooSlow {
            queue.drop_unsent();
        } else {
            METRICS.connections.frames_dropped.inc_by(queue.frames.len() as u64);
            queue.frames.clear();
            queue.published = QueueSize { frames: 0, bytes: 0 };
        }
        queue.failure = Some(failure);
        self.failed.notify_one();
        self.drained.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
