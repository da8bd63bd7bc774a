//! What a line sends. Whoever has something for the client writes it out here at once; only what the client's side does
//! not take waits, and a task for it.

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

use crate::lease::Lease;
use crate::table::Frame;

/// How long the client's side may take nothing, while something waits, before the line is given up.
const STALLED: Duration = Duration::from_secs(15);

/// Time between two looks for a lease that ran out, while something waits.
const HELD: Duration = Duration::from_millis(20);

/// How much of what a client is told may wait for it. Answers are not counted: who does not take them can ask no more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Frames.
    pub(super) frames: usize,
    /// Bytes of all of them.
    pub(super) bytes: usize,
}

/// Why nothing more is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// More would wait than there is room for.
    TooSlow,
    /// The client's side takes nothing.
    Stalled,
    /// The connection is broken.
    Broken,
}

/// What a line sends.
#[derive(Debug)]
pub(super) struct Outbox {
    half: OwnedWriteHalf,
    room: Room,
    /// The right to send anything.
    lease: Lease,
    waiting: Mutex<Waiting>,
    /// Told when sending has failed.
    failed: Notify,
    /// Told when nothing waits any more.
    drained: Notify,
}

/// What waits to be sent. While anything does, one task is at it.
#[derive(Debug)]
struct Waiting {
    pieces: VecDeque<Piece>,
    /// How much of it the client is told unasked.
    told: Room,
    /// Whether frames are still taken; the closing handshake always is.
    is_open: bool,
    /// Set when the line ends because the server has no lease: only that is sent.
    is_fenced: bool,
    failure: Option<Failure>,
}

/// A frame that waits, or what is left of it.
#[derive(Debug)]
struct Piece {
    bytes: Bytes,
    kind: Kind,
    /// Set when a part of it has gone: then the rest must follow.
    has_begun: bool,
}

/// Why something is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The client asked for it.
    Answer,
    /// It is told what happened.
    Told,
    /// The WebSocket's own.
    Control,
}

impl Waiting {
    /// Drops all but a frame that has begun to go.
    fn drop_unsent(&mut self) {
        self.pieces.retain(|piece| piece.has_begun);
        self.told = Room { frames: 0, bytes: 0 };
        for piece in &mut self.pieces {
            piece.kind = Kind::Control;
        }
    }
}

impl Outbox {
    pub(super) fn new(half: OwnedWriteHalf, room: Room, lease: Lease) -> Arc<Self> {
        let told = Room { frames: 0, bytes: 0 };
        let pieces = VecDeque::new();
        let waiting = Waiting { pieces, told, is_open: true, is_fenced: false, failure: None };
        let (failed, drained) = (Notify::new(), Notify::new());
        Arc::new(Self { half, room, lease, waiting: Mutex::new(waiting), failed, drained })
    }

    /// Sends a frame that the client asked for, after all that were sent before. Never waits. Nothing is sent on a line
    /// that has failed or is being closed.
    pub(super) fn answer(self: &Arc<Self>, frame: &Frame) {
        self.send(frame, Kind::Answer);
    }

    /// As [`answer`](Self::answer), a frame that tells what happened. When too many of those wait, the line has failed.
    pub(super) fn tell(self: &Arc<Self>, frame: &Frame) {
        self.send(frame, Kind::Told);
    }

    fn send(self: &Arc<Self>, frame: &Frame, kind: Kind) {
        let mut waiting = self.lock();
        if waiting.is_open {
            self.put(&mut waiting, Piece { bytes: frame.wire(), kind, has_begun: false });
        }
    }

    /// Sends what the WebSocket has to say itself: pings, pongs, and the closing handshake. Whole frames.
    ///
    /// # Errors
    /// [`Failure`] if the line is beyond that.
    pub(super) fn send_control(self: &Arc<Self>, frames: &[u8]) -> Result<(), Failure> {
        let mut waiting = self.lock();
        match waiting.failure {
            None | Some(Failure::TooSlow) => {
                let bytes = Bytes::copy_from_slice(frames);
                self.put(&mut waiting, Piece { bytes, kind: Kind::Control, has_begun: false });
                Ok(())
            }
            Some(failure @ (Failure::Stalled | Failure::Broken)) => Err(failure),
        }
    }

    /// Sends no frames any more: the closing handshake comes now.
    pub(super) fn finish(&self) {
        self.lock().is_open = false;
    }

    /// Ends a line of a server without a lease with this frame. What waited is dropped, since it may be wrong by now.
    pub(super) fn fence(self: &Arc<Self>, frame: &Frame) {
        let mut waiting = self.lock();
        waiting.is_open = false;
        waiting.is_fenced = true;
        waiting.drop_unsent();
        if waiting.failure.is_none() {
            self.put(&mut waiting, Piece { bytes: frame.wire(), kind: Kind::Control, has_begun: false });
        }
    }

    /// Waits until all that was sent has been taken.
    pub(super) async fn drained(&self) {
        while !self.lock().pieces.is_empty() {
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

    /// Ends the connection as it stands.
    pub(super) fn end(&self) {
        self.fail(&mut self.lock(), Failure::Broken);
        // An error says that it has ended already.
        SockRef::from(self.half.as_ref()).shutdown(std::net::Shutdown::Both).ok();
    }

    fn put(self: &Arc<Self>, waiting: &mut Waiting, mut piece: Piece) {
        if waiting.pieces.is_empty() {
            if self.may_send(waiting) {
                let whole = piece.bytes.len();
                match self.write(&mut piece.bytes) {
                    Ok(()) if piece.bytes.is_empty() => return,
                    Ok(()) => piece.has_begun = piece.bytes.len() < whole,
                    Err(failure) => return self.fail(waiting, failure),
                }
            }
            tokio::spawn(Arc::clone(self).drain());
        }
        if piece.kind == Kind::Told {
            waiting.told.frames += 1;
            waiting.told.bytes += piece.bytes.len();
        }
        waiting.pieces.push_back(piece);
        if waiting.told.frames > self.room.frames || waiting.told.bytes > self.room.bytes {
            self.fail(waiting, Failure::TooSlow);
        }
    }

    /// Returns whether a frame may begin to go.
    fn may_send(&self, waiting: &Waiting) -> bool {
        waiting.is_fenced || self.lease.holds()
    }

    /// Waits until what waits first may go.
    async fn allowed(&self) {
        let is_allowed = |waiting: &Waiting| {
            self.may_send(waiting)
                || waiting.failure.is_some()
                || waiting.pieces.front().is_none_or(|piece| piece.has_begun)
        };
        while !is_allowed(&self.lock()) {
            tokio::time::sleep(HELD).await;
        }
    }

    /// Writes as much as the connection takes now.
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

    /// Writes what waits until nothing does.
    async fn drain(self: Arc<Self>) {
        loop {
            self.allowed().await;
            let writable = timeout(STALLED, self.half.writable()).await;
            let mut waiting = self.lock();
            match writable {
                Err(_) => return self.fail(&mut waiting, Failure::Stalled),
                Ok(Err(_)) => return self.fail(&mut waiting, Failure::Broken),
                Ok(Ok(())) => {}
            }
            if let Err(failure) = self.write_waiting(&mut waiting) {
                return self.fail(&mut waiting, failure);
            }
            if waiting.pieces.is_empty() {
                self.drained.notify_one();
                return;
            }
        }
    }

    fn write_waiting(&self, waiting: &mut Waiting) -> Result<(), Failure> {
        let is_fenced = waiting.is_fenced;
        while let Some(piece) = waiting.pieces.front_mut() {
            if !(piece.has_begun || is_fenced || self.lease.holds()) {
                return Ok(());
            }
            let before = piece.bytes.len();
            self.write(&mut piece.bytes)?;
            piece.has_begun |= piece.bytes.len() < before;
            if piece.kind == Kind::Told {
                waiting.told.bytes -= before - piece.bytes.len();
                waiting.told.frames -= usize::from(piece.bytes.is_empty());
            }
            if !piece.bytes.is_empty() {
                return Ok(());
            }
            waiting.pieces.pop_front();
        }
        Ok(())
    }

    /// Gives the line up. Of what waits, only a frame that has begun to go is kept, for a client that is closed in form.
    fn fail(&self, waiting: &mut Waiting, failure: Failure) {
        waiting.is_open = false;
        if failure == Failure::TooSlow {
            waiting.drop_unsent();
        } else {
            waiting.pieces.clear();
            waiting.told = Room { frames: 0, bytes: 0 };
        }
        waiting.failure = Some(failure);
        self.failed.notify_one();
        self.drained.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
