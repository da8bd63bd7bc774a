//! The writing half of a line.

use std::collections::HashMap;
use std::pin::Pin;
use std::time::Duration;

use axum::Error;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{AbortHandle, Abortable, SelectAll, SplitSink};
use futures_util::{SinkExt, Stream, StreamExt};
use quadrex_protocol::{MatchId, TableId};
use tokio::sync::{broadcast, mpsc};
use tokio::time;

use super::lag::Nonce;
use super::{TOO_SLOW, close_frame};
use crate::lobby::ListFeed;
use crate::table::{Delivery, Feed, Frame, Published, Subscription, Viewer};

/// How long one frame may take to be taken by the client's side before the line is given up.
const STALLED: Duration = Duration::from_secs(15);

/// What the reader has the writer do.
#[derive(Debug)]
pub(super) enum Order {
    /// To send an answer.
    Send(Frame),
    /// To show a table and tell what happens there, in the place of what was told of it before.
    Show { table: TableId, viewer: Viewer, feed: Box<Feed> },
    /// To tell no more of a table.
    Hide(TableId),
    /// To show the lobby's list, and tell its changes.
    ShowList(ListFeed),
    /// To tell no more of the list.
    HideList,
    /// To send a ping with this payload.
    Ping(Nonce),
    /// To close the line.
    Close(CloseFrame),
}

/// What a watched table tells: frames for this line's viewer.
type Telling = Pin<Box<dyn Stream<Item = Told> + Send>>;

/// One thing told to this line.
#[derive(Debug)]
enum Told {
    Frame(Frame),
    /// Some were lost because the line is too slow.
    Lost,
}

/// What there is to do next.
enum Next {
    Order(Option<Order>),
    Told(Told),
    Flush,
}

/// Why writing ended before its time.
#[derive(Debug)]
enum Failure {
    /// The line is broken.
    Broken,
    /// The client takes nothing.
    Stalled,
}

/// The writing half of a line.
pub(super) struct Writer {
    sink: SplitSink<WebSocket, Message>,
    inbox: mpsc::Receiver<Order>,
    tables: SelectAll<Abortable<Telling>>,
    aborts: HashMap<TableId, AbortHandle>,
    list: Option<broadcast::Receiver<Frame>>,
    /// Whether frames wait in the buffer.
    unflushed: bool,
}

impl Writer {
    pub(super) fn new(sink: SplitSink<WebSocket, Message>, inbox: mpsc::Receiver<Order>) -> Self {
        Self { sink, inbox, tables: SelectAll::new(), aborts: HashMap::new(), list: None, unflushed: false }
    }

    /// Writes until the reader has gone, the line is closed, or it is broken.
    pub(super) async fn run(mut self) {
        let ended = self.write().await;
        match ended {
            Ok(Some(frame)) => {
                self.send(Message::Close(Some(frame))).await.ok();
                self.flush().await.ok();
            }
            Ok(None) => {
                self.flush().await.ok();
            }
            Err(Failure::Stalled) => {
                tracing::info!("shed: it takes nothing");
            }
            Err(Failure::Broken) => {}
        }
    }

    /// Gives back the code to close with, if the server closes.
    async fn write(&mut self) -> Result<Option<CloseFrame>, Failure> {
        loop {
            match self.next().await {
                Next::Order(None) => return Ok(None),
                Next::Order(Some(Order::Close(frame))) => return Ok(Some(frame)),
                Next::Order(Some(order)) => self.carry_out(order).await?,
                Next::Told(Told::Frame(frame)) => self.send_frame(frame).await?,
                Next::Told(Told::Lost) => {
                    tracing::info!("shed: it reads too slowly");
                    return Ok(Some(close_frame(TOO_SLOW, "you read too slowly; come back with after")));
                }
                Next::Flush => self.flush().await?,
            }
        }
    }

    /// Answers come before what tables tell; the buffer is flushed when nothing else is to be done.
    async fn next(&mut self) -> Next {
        let list = async {
            match &mut self.list {
                Some(list) => list.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            order = self.inbox.recv() => Next::Order(order),
            Some(told) = self.tables.next() => Next::Told(told),
            change = list => Next::Told(change.map_or(Told::Lost, Told::Frame)),
            () = std::future::ready(()), if self.unflushed => Next::Flush,
        }
    }

    async fn carry_out(&mut self, order: Order) -> Result<(), Failure> {
        match order {
            Order::Send(frame) => self.send_frame(frame).await?,
            Order::Show { table, viewer, feed } => {
                let Feed { frames, match_id, head, subscription, .. } = *feed;
                self.hide(table);
                for frame in frames {
                    self.send_frame(frame).await?;
                }
                let (telling, abort) =
                    futures_util::stream::abortable(telling(subscription, viewer, (match_id, head)));
                self.tables.push(telling);
                self.aborts.insert(table, abort);
            }
            Order::Hide(table) => self.hide(table),
            Order::ShowList(ListFeed { list, changes }) => {
                self.list = Some(changes);
                self.send_frame(list).await?;
            }
            Order::HideList => self.list = None,
            Order::Ping(nonce) => self.send(Message::Ping(nonce.to_vec().into())).await?,
            Order::Close(_) => unreachable!("the loop ends on it"),
        }
        Ok(())
    }

    fn hide(&mut self, table: TableId) {
        if let Some(abort) = self.aborts.remove(&table) {
            abort.abort();
        }
    }

    async fn send_frame(&mut self, frame: Frame) -> Result<(), Failure> {
        let text = Utf8Bytes::try_from(frame.bytes()).expect("a frame is UTF-8");
        self.send(Message::Text(text)).await
    }

    /// Puts a message into the buffer, and as much of the buffer onto the line as it must.
    async fn send(&mut self, message: Message) -> Result<(), Failure> {
        self.unflushed = true;
        within_time(self.sink.feed(message)).await
    }

    async fn flush(&mut self) -> Result<(), Failure> {
        self.unflushed = false;
        within_time(self.sink.flush()).await
    }
}

async fn within_time(writing: impl Future<Output = Result<(), Error>>) -> Result<(), Failure> {
    match time::timeout(STALLED, writing).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Failure::Broken),
        Err(_) => Err(Failure::Stalled),
    }
}

/// What a table tells this viewer after an event of a match: the frames up to it were sent already.
fn telling(subscription: Subscription, viewer: Viewer, shown: (MatchId, u64)) -> Telling {
    let stream = futures_util::stream::unfold(subscription, move |mut subscription| async move {
        loop {
            match subscription.next().await {
                Delivery::Lagged(_) => return Some((Told::Lost, subscription)),
                Delivery::Published(published) if is_known(&published, shown) => {}
                Delivery::Published(published) => {
                    return Some((Told::Frame(published.to.of(viewer).clone()), subscription));
                }
            }
        }
    });
    Box::pin(stream)
}

/// A later match of the table begins its numbers anew. Ids of matches sort by the moment they were made, and the id of
/// a rematch is made after the match before it.
fn is_known(published: &Published, (match_id, head): (MatchId, u64)) -> bool {
    let is_older = published.match_id < match_id;
    is_older || (published.match_id == match_id && published.seq.is_some_and(|seq| seq <= head))
}

/// The codes the reader closes with (RFC 6455, section 7.4.1).
pub(super) mod closing {
    use super::{CloseFrame, close_code, close_frame};

    /// A frame over the larger limit.
    pub(in crate::transport::line) fn too_large() -> CloseFrame {
        close_frame(close_code::SIZE, "the frame is too large")
    }

    /// Too many frames in a row that could not be read.
    pub(in crate::transport::line) fn rubbish() -> CloseFrame {
        close_frame(close_code::POLICY, "too many malformed or unknown frames in a row")
    }

    /// The server stops.
    pub(in crate::transport::line) fn restart() -> CloseFrame {
        close_frame(close_code::RESTART, "the server stops")
    }

    /// Nothing was heard for too long.
    pub(in crate::transport::line) fn silent() -> CloseFrame {
        close_frame(close_code::AWAY, "nothing was heard for too long")
    }

    /// A frame that is not a WebSocket's.
    pub(in crate::transport::line) fn broken() -> CloseFrame {
        close_frame(close_code::PROTOCOL, "not a WebSocket frame")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Frames, LocalBus};
    use uuid::Uuid;

    const TABLE: TableId = TableId(Uuid::from_u128(1));

    const MATCH: MatchId = MatchId(Uuid::from_u128(2));

    fn publish(bus: &LocalBus, seq: Option<u64>) {
        publish_of(bus, MATCH, seq);
    }

    fn publish_of(bus: &LocalBus, match_id: MatchId, seq: Option<u64>) {
        let to = Frames::general(Frame::from(format!("{seq:?}")));
        bus.publish(Published { table: TABLE, match_id, seq, to });
    }

    async fn told(telling: &mut Telling) -> String {
        match telling.next().await.expect("a table tells without end") {
            Told::Frame(frame) => String::from_utf8(frame.bytes().to_vec()).unwrap(),
            Told::Lost => "lost".to_owned(),
        }
    }

    /// Subscribed first, read then: what was read already is not told again, and nothing in between is lost.
    #[tokio::test]
    async fn what_was_shown_is_not_told_again() {
        let bus = LocalBus::new(16);
        let subscription = bus.subscribe(TABLE);
        for seq in [Some(4), None, Some(5), Some(6)] {
            publish(&bus, seq);
        }
        let mut telling = telling(subscription, Viewer::Anonymous, (MATCH, 5));
        assert_eq!(told(&mut telling).await, "None", "presence has no number and is always told");
        assert_eq!(told(&mut telling).await, "Some(6)");
    }

    /// The numbers of a rematch begin anew, and what is left of the match before it is known from its snapshot.
    #[tokio::test]
    async fn a_rematch_is_told_from_its_first_event() {
        let bus = LocalBus::new(16);
        let (first, second) = (bus.subscribe(TABLE), bus.subscribe(TABLE));
        let next = MatchId(Uuid::from_u128(3));
        for (match_id, seq) in [(MATCH, 6), (next, 4), (next, 5)] {
            publish_of(&bus, match_id, Some(seq));
        }
        let mut from_the_old = telling(first, Viewer::Anonymous, (MATCH, 6));
        assert_eq!(told(&mut from_the_old).await, "Some(4)");
        let mut from_the_new = telling(second, Viewer::Anonymous, (next, 4));
        assert_eq!(told(&mut from_the_new).await, "Some(5)");
    }

    /// A line that is further behind than the queue is long is told so, and closed with 4008.
    #[tokio::test]
    async fn a_line_that_reads_too_slowly_loses_its_place() {
        let bus = LocalBus::new(8);
        let subscription = bus.subscribe(TABLE);
        for seq in 1..=9 {
            publish(&bus, Some(seq));
        }
        assert_eq!(told(&mut telling(subscription, Viewer::Anonymous, (MATCH, 0))).await, "lost");
    }
}
