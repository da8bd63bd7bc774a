//! What a line sends. Whoever has something for the client writes it out here at once; only what the client's side does
//! not take waits, and a task for it.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Buf, Bytes};
use socket2::SockRef;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::table::Frame;

/// How long the client's side may take nothing, while something waits, before the line is given up.
const STALLED: Duration = Duration::from_secs(15);

/// How much may wait for a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Frames.
    pub(super) frames: usize,
    /// Bytes of all of them. One frame may be larger.
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
    waiting: Mutex<Waiting>,
    /// Told when sending has failed.
    failed: Notify,
    /// Told when nothing waits any more.
    drained: Notify,
}

/// What waits to be sent. While anything does, one task is at it.
#[derive(Debug)]
struct Waiting {
    frames: VecDeque<Bytes>,
    bytes: usize,
    /// Whether frames are still taken; the closing handshake always is.
    is_open: bool,
    failure: Option<Failure>,
}

impl Outbox {
    pub(super) fn new(half: OwnedWriteHalf, room: Room) -> Arc<Self> {
        let waiting = Waiting { frames: VecDeque::new(), bytes: 0, is_open: true, failure: None };
        let (failed, drained) = (Notify::new(), Notify::new());
        Arc::new(Self { half, room, waiting: Mutex::new(waiting), failed, drained })
    }

    /// Sends a frame, after all that were sent before. Never waits. Nothing is sent on a line that has failed or is
    /// being closed.
    pub(super) fn send(self: &Arc<Self>, frame: &Frame) {
        let mut waiting = self.lock();
        if waiting.is_open {
            self.put(&mut waiting, frame.wire());
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
                self.put(&mut waiting, Bytes::copy_from_slice(frames));
                Ok(())
            }
            Some(failure @ (Failure::Stalled | Failure::Broken)) => Err(failure),
        }
    }

    /// Sends no frames any more: the closing handshake comes now.
    pub(super) fn finish(&self) {
        self.lock().is_open = false;
    }

    /// Waits until all that was sent has been taken.
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

    /// Ends the connection as it stands.
    pub(super) fn end(&self) {
        self.fail(&mut self.lock(), Failure::Broken);
        // An error says that it has ended already.
        SockRef::from(self.half.as_ref()).shutdown(std::net::Shutdown::Both).ok();
    }

    fn put(self: &Arc<Self>, waiting: &mut Waiting, mut bytes: Bytes) {
        if waiting.frames.is_empty() {
            match self.write(&mut bytes) {
                Ok(()) if bytes.is_empty() => return,
                Ok(()) => {}
                Err(failure) => return self.fail(waiting, failure),
            }
            tokio::spawn(Arc::clone(self).drain());
        } else if waiting.is_open
            && (waiting.frames.len() >= self.room.frames || waiting.bytes + bytes.len() > self.room.bytes)
        {
            return self.fail(waiting, Failure::TooSlow);
        }
        waiting.bytes += bytes.len();
        waiting.frames.push_back(bytes);
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
            if waiting.frames.is_empty() {
                self.drained.notify_one();
                return;
            }
        }
    }

    fn write_waiting(&self, waiting: &mut Waiting) -> Result<(), Failure> {
        while let Some(bytes) = waiting.frames.front_mut() {
            let before = bytes.len();
            self.write(bytes)?;
            waiting.bytes -= before - bytes.len();
            if !bytes.is_empty() {
                return Ok(());
            }
            waiting.frames.pop_front();
        }
        Ok(())
    }

    /// Gives the line up. Of what waits, only a frame that has begun to go is kept, for a client that is closed in form.
    fn fail(&self, waiting: &mut Waiting, failure: Failure) {
        waiting.is_open = false;
        let kept = usize::from(failure == Failure::TooSlow);
        waiting.frames.truncate(kept);
        waiting.bytes = waiting.frames.iter().map(Bytes::len).sum();
        waiting.failure = Some(failure);
        self.failed.notify_one();
        self.drained.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line's sending side on a real connection, and the client's end of that.
#[cfg(test)]
pub(super) mod testing {
    use futures_util::StreamExt;
    use tokio::net::{TcpListener, TcpStream};
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::Role;

    use super::*;

    /// Nothing in these tests takes this long.
    const PATIENCE: Duration = Duration::from_secs(20);

    /// The client's end.
    pub(in super::super) struct Peer(WebSocketStream<TcpStream>);

    impl Peer {
        /// What the next frame says.
        pub(in super::super) async fn next(&mut self) -> String {
            let next = timeout(PATIENCE, self.0.next()).await.expect("it comes in time");
            match next {
                Some(Ok(Message::Text(text))) => text.as_str().to_owned(),
                other => panic!("{other:?} in the place of a text frame"),
            }
        }

        /// What all frames say until the connection ends.
        pub(in super::super) async fn rest(&mut self) -> Vec<String> {
            let mut rest = Vec::new();
            while let Some(Ok(Message::Text(text))) = self.0.next().await {
                rest.push(text.as_str().to_owned());
            }
            rest
        }
    }

    pub(in super::super) async fn line() -> (Arc<Outbox>, Peer) {
        with_room(Room { frames: 64, bytes: 1 << 20 }).await
    }

    /// One whose connection takes some kilobytes at most.
    pub(super) async fn with_room(room: Room) -> (Arc<Outbox>, Peer) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (client, accepted) =
            tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let (client, server) = (client.unwrap(), accepted.unwrap().0);
        SockRef::from(&client).set_recv_buffer_size(4 * 1024).unwrap();
        SockRef::from(&server).set_send_buffer_size(4 * 1024).unwrap();
        let (reading, writing) = server.into_split();
        // Until it is known that one can write, everything would wait.
        writing.writable().await.unwrap();
        // The reading half would only keep the connection open.
        drop(reading);
        (Outbox::new(writing, room), Peer(WebSocketStream::from_raw_socket(client, Role::Client, None).await))
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{line, with_room};
    use super::*;

    fn frame(number: usize) -> Frame {
        Frame::from(format!("{number} {}", "x".repeat(1_000)))
    }

    fn number(text: &str) -> usize {
        text.split(' ').next().unwrap().parse().unwrap()
    }

    fn waits(outbox: &Outbox) -> usize {
        outbox.lock().frames.len()
    }

    #[tokio::test]
    async fn what_the_connection_takes_goes_at_once() {
        let (outbox, mut peer) = line().await;
        outbox.send(&frame(1));
        assert_eq!(waits(&outbox), 0);
        assert_eq!(number(&peer.next().await), 1);
    }

    /// What waits goes by itself once the client reads, in order and whole.
    #[tokio::test]
    async fn what_the_connection_does_not_take_waits() {
        let (outbox, mut peer) = line().await;
        let mut sent = 0;
        while waits(&outbox) < 20 {
            outbox.send(&frame(sent));
            sent += 1;
        }
        let reading = async {
            for expected in 0..sent {
                assert_eq!(number(&peer.next().await), expected);
            }
        };
        let ((), ()) = tokio::join!(outbox.drained(), reading);
        assert_eq!((waits(&outbox), outbox.lock().bytes), (0, 0));
        outbox.send(&frame(sent));
        assert_eq!(number(&peer.next().await), sent);
    }

    /// Whoever reads too slowly loses its place: it still gets what has begun to go, and the word of why, and nothing else.
    #[tokio::test]
    async fn a_reader_that_is_too_slow_is_given_up_in_form() {
        for room in [Room { frames: 4, bytes: 1 << 20 }, Room { frames: 1_000, bytes: 4_000 }] {
            let (outbox, mut peer) = with_room(room).await;
            let mut sent = 0;
            while outbox.lock().failure.is_none() {
                assert!(waits(&outbox) <= 4, "{room:?}");
                outbox.send(&frame(sent));
                sent += 1;
            }
            assert_eq!(outbox.failed().await, Failure::TooSlow);
            outbox.send(&frame(sent));
            outbox.send_control(&Frame::from("closing".to_owned()).wire()).unwrap();
            let told = async {
                let mut told = vec![peer.next().await];
                while told.last().is_some_and(|last| last != "closing") {
                    told.push(peer.next().await);
                }
                told
            };
            let (told, ()) = tokio::join!(told, outbox.drained());
            let numbers: Vec<_> = told[..told.len() - 1].iter().map(|text| number(text)).collect();
            assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
            assert!(numbers.len() <= sent - 3, "{} of {sent} were not thrown away", numbers.len());
        }
    }

    #[tokio::test]
    async fn a_connection_that_broke_is_told() {
        let (outbox, peer) = line().await;
        drop(peer);
        while outbox.lock().failure.is_none() {
            outbox.send(&frame(1));
            tokio::task::yield_now().await;
        }
        assert_eq!(outbox.failed().await, Failure::Broken);
        assert_eq!(outbox.send_control(b"x"), Err(Failure::Broken));
    }

    /// Time that is paused goes on by itself when nothing else happens.
    #[tokio::test]
    async fn a_client_that_takes_nothing_is_given_up() {
        let (outbox, _peer) = line().await;
        while waits(&outbox) == 0 {
            outbox.send(&frame(1));
        }
        tokio::time::pause();
        assert_eq!(outbox.failed().await, Failure::Stalled);
        assert_eq!(waits(&outbox), 0);
    }

    #[tokio::test]
    async fn a_line_that_is_closed_in_form_sends_no_frames_any_more() {
        let (outbox, mut peer) = line().await;
        outbox.finish();
        outbox.send(&frame(1));
        outbox.send_control(&Frame::from("closing".to_owned()).wire()).unwrap();
        assert_eq!(peer.next().await, "closing");
    }
}
