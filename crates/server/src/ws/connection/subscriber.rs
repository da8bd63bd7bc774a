//! The subscribers of a connection. Each receives the publications of a table or of the lobby and
//! sends the frames for its client to the connection's outbox.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::{MatchId, UserId};

use super::outbox::Outbox;
use crate::actor::InitialFrames;
use crate::bus::{Frame, Listener, Publication, PublicationKind};
use quadrex_store::SecretHash;
use quadrex_table::Viewer;

/// The subscriber of one connection to one table.
#[derive(Debug)]
pub(super) struct TableSubscriber {
    viewer: Viewer,
    outbox: Arc<Outbox>,
    state: Mutex<SubscriberState>,
}

/// The refusals by which a client learns that its subscription was revoked. Each field stands for
/// one way in which the subscription can end. It is `None` if this subscription cannot end in that
/// way.
#[derive(Debug, Default)]
pub(super) struct RevocationRefusals {
    /// Sent when the viewer has lost its seat or the role of the host, and with it the right to
    /// watch.
    pub(super) on_leaving_table: Option<Frame>,
    /// Sent when an invite or watch link ends. The hash of the link's secret identifies the link.
    pub(super) on_link_end: Option<(SecretHash, Frame)>,
    /// Sent when the host has kicked the viewer.
    pub(super) on_kick: Option<Frame>,
}

/// The state of a subscription.
#[derive(Debug)]
enum SubscriberState {
    /// The client has not received the first frames yet. Publications are buffered until then.
    Buffering(Vec<Publication>),
    /// Publications go to the client.
    Live {
        /// The match that the client sees.
        match_id: MatchId,
        /// The number of the last event of this match that the client's first frames contained.
        last_initial_seq: u64,
        /// The refusals for the ways in which the subscription can end.
        refusals: RevocationRefusals,
    },
    /// The subscription was revoked, and the client has received the refusal.
    Revoked,
}

impl TableSubscriber {
    /// Creates a subscriber that buffers publications until [`open`](Self::open).
    pub(super) fn new(viewer: Viewer, outbox: Arc<Outbox>) -> Arc<Self> {
        Arc::new(Self { viewer, outbox, state: Mutex::new(SubscriberState::Buffering(Vec::new())) })
    }

    /// Sends the first frames to the client and then the buffered publications. From then on every
    /// publication goes to the client at once.
    pub(super) fn open(&self, initial: &InitialFrames, refusals: RevocationRefusals) {
        let mut state = self.lock();
        for frame in &initial.frames {
            self.outbox.answer(frame);
        }
        let live =
            SubscriberState::Live { match_id: initial.match_id, last_initial_seq: initial.head, refusals };
        if let SubscriberState::Buffering(buffered) = std::mem::replace(&mut *state, live) {
            for publication in &buffered {
                self.deliver(&mut state, publication);
            }
        }
    }

    /// Sends the viewer's frame of a publication, unless the client has the event already. Ends the
    /// subscription if the publication ends the viewer's right to watch.
    fn deliver(&self, state: &mut SubscriberState, publication: &Publication) {
        let SubscriberState::Live { match_id, last_initial_seq, refusals } = state else { return };
        match &publication.kind {
            PublicationKind::Event { .. } if publication.match_id != *match_id => return,
            PublicationKind::Event { seq, .. } if *seq <= *last_initial_seq => return,
            PublicationKind::Event { .. } | PublicationKind::Presence { .. } => {}
            PublicationKind::NextMatch { previous, .. } if previous == match_id => {
                (*match_id, *last_initial_seq) = (publication.match_id, 0);
            }
            // The client sees the next match, or a later match, already.
            PublicationKind::NextMatch { .. } => return,
            PublicationKind::Snapshot { seq, .. }
                if publication.match_id == *match_id && *seq <= *last_initial_seq =>
            {
                return;
            }
            PublicationKind::Snapshot { seq, .. } => {
                (*match_id, *last_initial_seq) = (publication.match_id, *seq);
            }
            PublicationKind::LinksEnded { links, members } => {
                let Some((_, refusal)) = refusals.on_link_end.take_if(|(link, _)| links.contains(link))
                else {
                    return;
                };
                if self.is_viewer_among(members) {
                    // A member keeps the right to watch until it leaves the table.
                    refusals.on_leaving_table = Some(refusal);
                } else {
                    self.outbox.publish(&refusal);
                    *state = SubscriberState::Revoked;
                }
                return;
            }
            PublicationKind::LeftTable { users } | PublicationKind::Kicked { users } => {
                let is_kick = matches!(publication.kind, PublicationKind::Kicked { .. });
                let refusal = if is_kick { &mut refusals.on_kick } else { &mut refusals.on_leaving_table };
                if let Some(refusal) = refusal.take_if(|_| self.is_viewer_among(users)) {
                    self.outbox.publish(&refusal);
                    *state = SubscriberState::Revoked;
                }
                return;
            }
        }
        if let Some(frame) = publication.frame_of(self.viewer) {
            self.outbox.publish(frame);
        }
    }

    fn is_viewer_among(&self, users: &[UserId]) -> bool {
        self.viewer.user().is_some_and(|user| users.contains(&user))
    }

    /// Returns whether the subscription was revoked.
    pub(super) fn is_revoked(&self) -> bool {
        matches!(*self.lock(), SubscriberState::Revoked)
    }

    fn lock(&self) -> MutexGuard<'_, SubscriberState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener<Publication> for TableSubscriber {
    fn notify(&self, publication: &Publication) {
        let mut state = self.lock();
        match &mut *state {
            SubscriberState::Buffering(buffered) => buffered.push(publication.clone()),
            SubscriberState::Live { .. } | SubscriberState::Revoked => self.deliver(&mut state, publication),
        }
    }
}

/// The subscriber of one connection to the lobby, or to the list of the user's own tables.
#[derive(Debug)]
pub(super) struct LobbySubscriber {
    outbox: Arc<Outbox>,
    /// The changes that happened before the client received the list of tables. `None` once the
    /// client has the list.
    buffered: Mutex<Option<Vec<Frame>>>,
}

impl LobbySubscriber {
    /// Creates a subscriber that buffers changes until [`open`](Self::open).
    pub(super) fn new(outbox: Arc<Outbox>) -> Arc<Self> {
        Arc::new(Self { outbox, buffered: Mutex::new(Some(Vec::new())) })
    }

    /// Sends the list of tables to the client and then the buffered changes. From then on every
    /// change goes to the client at once.
    pub(super) fn open(&self, list: &Frame) {
        let mut buffered = self.lock();
        self.outbox.answer(list);
        for frame in buffered.take().unwrap_or_default() {
            self.outbox.publish(&frame);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Frame>>> {
        self.buffered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener<Frame> for LobbySubscriber {
    fn notify(&self, change: &Frame) {
        match &mut *self.lock() {
            Some(buffered) => buffered.push(change.clone()),
            None => self.outbox.publish(change),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::outbox::testing::{Peer, outbox};
    use super::*;
    use crate::bus::{Frames, LocalBus};
    use quadrex_protocol::TableId;
    use uuid::Uuid;

    const TABLE: TableId = TableId(Uuid::from_u128(1));

    const MATCH: MatchId = MatchId(Uuid::from_u128(2));

    fn frame(text: &str) -> Frame {
        Frame::from(text.to_owned())
    }

    fn frames(text: &str) -> Frames {
        Frames::same_for_all(frame(text))
    }

    fn event(seq: u64) -> PublicationKind {
        PublicationKind::Event { seq, frames: frames(&format!("event {seq}")) }
    }

    fn presence() -> PublicationKind {
        PublicationKind::Presence { frames: frames("presence") }
    }

    fn publish(bus: &LocalBus, match_id: MatchId, kind: impl IntoIterator<Item = PublicationKind>) {
        for kind in kind {
            bus.publish(Publication { table: TABLE, match_id, kind });
        }
    }

    /// Returns the first frames of a match up to event `head`.
    fn initial(match_id: MatchId, head: u64) -> InitialFrames {
        InitialFrames { frames: vec![frame(&format!("snapshot {head}"))], match_id, head, is_seated: false }
    }

    /// Returns a viewer's subscriber, and the client's end of its connection.
    async fn subscriber(viewer: Viewer) -> (Arc<TableSubscriber>, Peer) {
        let (outbox, peer) = outbox().await;
        (TableSubscriber::new(viewer, outbox), peer)
    }

    /// The subscriber is on the bus before the snapshot is made. Every event is sent exactly once.
    #[tokio::test]
    async fn events_in_the_snapshot_are_not_sent_again() {
        let (subscriber, mut peer) = subscriber(Viewer::Anonymous).await;
        let bus = LocalBus::default();
        let _subscription = bus.subscribe(TABLE, subscriber.clone());
        publish(&bus, MATCH, [event(4), presence(), event(5), event(6)]);
        subscriber.open(&initial(MATCH, 5), RevocationRefusals::default());
        publish(&bus, MATCH, [event(7)]);
        assert_eq!(peer.next().await, "snapshot 5");
        assert_eq!(peer.next().await, "presence", "it has no number and is always sent");
        assert_eq!(peer.next().await, "event 6");
        assert_eq!(peer.next().await, "event 7");
    }

    /// A rematch numbers its events from 1 again. A late event of the previous match must not
    /// follow the snapshot of the rematch. The match ids in this test do not increase, because ids
    /// have no order.
    #[tokio::test]
    async fn a_rematch_is_sent_from_its_first_event() {
        let bus = LocalBus::default();
        let (next, last) = (MatchId(Uuid::from_u128(1)), MatchId(Uuid::from_u128(3)));
        let next_match_after =
            |previous| PublicationKind::NextMatch { previous, seq: 4, frames: frames("the next match") };
        for (initial, expected) in [
            (initial(MATCH, 6), vec!["snapshot 6", "the next match", "event 5", "the next match", "event 5"]),
            (initial(next, 4), vec!["snapshot 4", "event 5", "the next match"]),
            (initial(last, 5), vec!["snapshot 5", "event 6"]),
        ] {
            let (subscriber, mut peer) = subscriber(Viewer::Anonymous).await;
            let _subscription = bus.subscribe(TABLE, subscriber.clone());
            publish(&bus, MATCH, [event(6)]);
            subscriber.open(&initial, RevocationRefusals::default());
            publish(&bus, next, [next_match_after(MATCH), event(5)]);
            publish(&bus, last, [next_match_after(next), event(5), event(6)]);
            for expected in expected {
                assert_eq!(peer.next().await, expected, "first frames: {initial:?}");
            }
        }
    }

    /// A snapshot for all watchers replaces what the client has, unless the client's own snapshot is
    /// as new.
    #[tokio::test]
    async fn a_snapshot_is_sent_unless_the_client_has_it() {
        let bus = LocalBus::default();
        let next = MatchId(Uuid::from_u128(3));
        let snapshot = |seq| PublicationKind::Snapshot { seq, frames: frames(&format!("all {seq}")) };
        let (subscriber, mut peer) = subscriber(Viewer::Anonymous).await;
        let _subscription = bus.subscribe(TABLE, subscriber.clone());
        subscriber.open(&initial(MATCH, 6), RevocationRefusals::default());
        publish(&bus, MATCH, [snapshot(6), event(6), snapshot(9), event(9), event(10)]);
        publish(&bus, next, [snapshot(2), event(2), event(3)]);
        for expected in ["snapshot 6", "all 9", "event 10", "all 2", "event 3"] {
            assert_eq!(peer.next().await, expected);
        }
    }

    /// A connection that may watch only as a player receives nothing more once the seat is lost.
    /// Another connection of the same user with another right receives all events.
    #[tokio::test]
    async fn a_subscription_ends_with_the_right_to_it() {
        let bus = LocalBus::default();
        let (leaver, other) = (UserId(Uuid::from_u128(7)), UserId(Uuid::from_u128(8)));
        for (user, is_player, expected) in [
            (leaver, true, vec!["event 1", "no more"]),
            (leaver, false, vec!["event 1", "event 2"]),
            (other, true, vec!["event 1", "event 2"]),
        ] {
            let (subscriber, mut peer) = subscriber(Viewer::User(user)).await;
            let subscription = bus.subscribe(TABLE, subscriber.clone());
            subscriber.open(
                &initial(MATCH, 0),
                RevocationRefusals {
                    on_leaving_table: is_player.then(|| frame("no more")),
                    ..RevocationRefusals::default()
                },
            );
            publish(
                &bus,
                MATCH,
                [event(1), PublicationKind::LeftTable { users: vec![leaver] }, event(2), presence()],
            );
            drop((subscription, subscriber));
            assert_eq!(peer.next().await, "snapshot 0");
            let received = peer.rest().await;
            assert_eq!(received[..expected.len()], expected, "{received:?}");
            assert_eq!(
                received.len(),
                expected.len() + usize::from(expected[1] != "no more"),
                "{received:?}"
            );
        }
    }

    #[tokio::test]
    async fn the_lobby_is_sent_before_its_changes() {
        let (outbox, mut peer) = outbox().await;
        let subscriber = LobbySubscriber::new(outbox);
        subscriber.notify(&frame("first"));
        subscriber.open(&frame("list"));
        subscriber.notify(&frame("second"));
        for expected in ["list", "first", "second"] {
            assert_eq!(peer.next().await, expected);
        }
    }
}
