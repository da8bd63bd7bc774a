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
use crate::table::{Delivery, Feed, Frame, News, Published, Subscription, Viewer};

/// How long one frame may take to be taken by the client's side before the line is given up.
const STALLED: Duration = Duration::from_secs(15);

/// What the reader has the writer do.
#[derive(Debug)]
pub(super) enum Order {
    /// To send an answer.
    Send(Frame),
    /// To show a table and tell what happens there, in the place of what was told of it before. `parting` is the last
    /// word if the viewer ceases to sit there, for one who may not watch otherwise.
    Show { table: TableId, viewer: Viewer, parting: Option<Frame>, feed: Box<Feed> },
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
            Order::Show { table, viewer, parting, feed } => {
                let Feed { frames, match_id, head, subscription, .. } = *feed;
                self.hide(table);
                for frame in frames {
                    self.send_frame(frame).await?;
                }
                let ear = Ear { viewer, parting, match_id, shown: head };
                let (telling, abort) = futures_util::stream::abortable(telling(subscription, ear));
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

/// Who hears what a table tells, and from where on: the frames up to there were sent already.
struct Ear {
    viewer: Viewer,
    /// The last word to a viewer who ceases to sit there, if it may not watch otherwise.
    parting: Option<Frame>,
    match_id: MatchId,
    /// The last event of this match that was shown.
    shown: u64,
}

impl Ear {
    /// What this one is told; `Err` is the last word.
    fn hear(&mut self, published: &Published) -> Option<Result<Frame, Frame>> {
        match &published.news {
            News::Event { .. } if published.match_id != self.match_id => return None,
            News::Event { seq, .. } if *seq <= self.shown => return None,
            News::Event { .. } | News::Presence { .. } => {}
            News::Next { after, .. } if *after == self.match_id => {
                (self.match_id, self.shown) = (published.match_id, 0);
            }
            // It was shown already, or one after it.
            News::Next { .. } => return None,
            News::Parted { users } => {
                let has_parted = self.viewer.user().is_some_and(|user| users.contains(&user));
                return self.parting.clone().filter(|_| has_parted).map(Err);
            }
        }
        published.frame_of(self.viewer).cloned().map(Ok)
    }
}

/// What a table tells this ear.
fn telling(subscription: Subscription, ear: Ear) -> Telling {
    let stream = futures_util::stream::unfold(Some((subscription, ear)), move |state| async move {
        let (mut subscription, mut ear) = state?;
        loop {
            match subscription.next().await {
                Delivery::Lagged(_) => return Some((Told::Lost, Some((subscription, ear)))),
                Delivery::Published(published) => match ear.hear(&published) {
                    None => {}
                    Some(Ok(frame)) => return Some((Told::Frame(frame), Some((subscription, ear)))),
                    Some(Err(last)) => return Some((Told::Frame(last), None)),
                },
            }
        }
    });
    Box::pin(stream)
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
    use quadrex_protocol::UserId;
    use uuid::Uuid;

    const TABLE: TableId = TableId(Uuid::from_u128(1));

    const MATCH: MatchId = MatchId(Uuid::from_u128(2));

    fn frames(text: &str) -> Frames {
        Frames::general(Frame::from(text.to_owned()))
    }

    fn event(seq: u64) -> News {
        News::Event { seq, to: frames(&format!("event {seq}")) }
    }

    fn presence() -> News {
        News::Presence { to: frames("presence") }
    }

    fn publish(bus: &LocalBus, news: impl IntoIterator<Item = News>) {
        publish_of(bus, MATCH, news);
    }

    fn publish_of(bus: &LocalBus, match_id: MatchId, news: impl IntoIterator<Item = News>) {
        for news in news {
            bus.publish(Published { table: TABLE, match_id, news });
        }
    }

    fn ear(match_id: MatchId, shown: u64) -> Ear {
        Ear { viewer: Viewer::Anonymous, parting: None, match_id, shown }
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
        publish(&bus, [event(4), presence(), event(5), event(6)]);
        let mut telling = telling(subscription, ear(MATCH, 5));
        assert_eq!(told(&mut telling).await, "presence", "it has no number and is always told");
        assert_eq!(told(&mut telling).await, "event 6");
    }

    /// The numbers of a rematch begin anew, and what is left of the match before it is known from its snapshot. Ids say
    /// nothing about which match came first.
    #[tokio::test]
    async fn a_rematch_is_told_from_its_first_event() {
        let bus = LocalBus::new(16);
        let (first, second, third) = (bus.subscribe(TABLE), bus.subscribe(TABLE), bus.subscribe(TABLE));
        let (next, last) = (MatchId(Uuid::from_u128(1)), MatchId(Uuid::from_u128(3)));
        let begun = |after| News::Next { after, seq: 4, to: frames("the next match") };
        publish_of(&bus, MATCH, [event(6)]);
        publish_of(&bus, next, [begun(MATCH), event(5)]);
        publish_of(&bus, last, [begun(next), event(5), event(6)]);
        let mut from_the_old = telling(first, ear(MATCH, 6));
        for expected in ["the next match", "event 5", "the next match", "event 5"] {
            assert_eq!(told(&mut from_the_old).await, expected);
        }
        let mut from_the_next = telling(second, ear(next, 4));
        for expected in ["event 5", "the next match"] {
            assert_eq!(told(&mut from_the_next).await, expected);
        }
        assert_eq!(told(&mut telling(third, ear(last, 5))).await, "event 6");
    }

    /// Who watched as a player hears nothing more once the seat is gone; another line of the same user, with a right of
    /// its own, does.
    #[tokio::test]
    async fn who_parts_hears_no_more() {
        let bus = LocalBus::new(16);
        let (kicked, other) = (UserId(Uuid::from_u128(7)), UserId(Uuid::from_u128(8)));
        let ears = [(kicked, true), (kicked, false), (other, true)].map(|(user, is_player)| {
            let parting = is_player.then(|| Frame::from("no more".to_owned()));
            telling(bus.subscribe(TABLE), Ear { viewer: Viewer::User(user), parting, ..ear(MATCH, 0) })
        });
        publish(&bus, [event(1), News::Parted { users: vec![kicked] }, event(2)]);
        let [mut player, mut by_link, mut stays] = ears;
        assert_eq!(told(&mut player).await, "event 1");
        assert_eq!(told(&mut player).await, "no more");
        assert!(player.next().await.is_none());
        for listener in [&mut by_link, &mut stays] {
            assert_eq!(told(listener).await, "event 1");
            assert_eq!(told(listener).await, "event 2");
        }
    }

    /// A line that is further behind than the queue is long is told so, and closed with 4008.
    #[tokio::test]
    async fn a_line_that_reads_too_slowly_loses_its_place() {
        let bus = LocalBus::new(8);
        let subscription = bus.subscribe(TABLE);
        publish(&bus, (1..=9).map(event));
        assert_eq!(told(&mut telling(subscription, ear(MATCH, 0))).await, "lost");
    }
}
