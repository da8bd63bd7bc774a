//! A connection's subscribers to a table and to the lobby: they send events on to the client.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::MatchId;

use super::outbox::Outbox;
use crate::actor::InitialFrames;
use crate::bus::{Frame, Listener, Publication, PublicationKind};
use quadrex_store::SecretHash;
use quadrex_table::Viewer;

/// A connection's subscriber to a table.
#[derive(Debug)]
pub(super) struct TableSubscriber {
    viewer: Viewer,
    outbox: Arc<Outbox>,
    state: Mutex<SubscriberState>,
}

/// The refusals that a client receives when its right to a subscription is revoked.
#[derive(Debug, Default)]
pub(super) struct RevocationRefusals {
    /// Sent when the viewer no longer has a seat and is no longer the host.
    pub(super) on_leaving: Option<Frame>,
    /// Sent when the invite or watch link that granted access has ended.
    pub(super) link: Option<(SecretHash, Frame)>,
    /// Sent when the host has kicked the viewer.
    pub(super) kicked: Option<Frame>,
}

#[derive(Debug)]
enum SubscriberState {
    /// The client has not received the table yet; events are buffered.
    Buffering(Vec<Publication>),
    /// Events go to the client.
    Live {
        /// The match that the client sees.
        match_id: MatchId,
        /// The last event of this match that the client has.
        shown: u64,
        /// The refusals for the ways in which it can be revoked.
        revocations: RevocationRefusals,
    },
    /// The subscription has ended with a refusal.
    Revoked,
}

impl TableSubscriber {
    /// Creates a subscriber that buffers events until [`open`](Self::open).
    pub(super) fn new(viewer: Viewer, outbox: Arc<Outbox>) -> Arc<Self> {
        Arc::new(Self { viewer, outbox, state: Mutex::new(SubscriberState::Buffering(Vec::new())) })
    }

    /// Sends the first frames to the client, then the buffered events, and from then on every
    /// event.
    pub(super) fn open(&self, shown: &InitialFrames, revocations: RevocationRefusals) {
        let mut state = self.lock();
        for frame in &shown.frames {
            self.outbox.answer(frame);
        }
        let open = SubscriberState::Live { match_id: shown.match_id, shown: shown.head, revocations };
        if let SubscriberState::Buffering(buffered) = std::mem::replace(&mut *state, open) {
            for publication in &buffered {
                self.deliver(&mut state, publication);
            }
        }
    }

    /// Sends the viewer its version of a publication.
    fn deliver(&self, state: &mut SubscriberState, publication: &Publication) {
        let SubscriberState::Live { match_id, shown, revocations } = state else { return };
        match &publication.kind {
            PublicationKind::Event { .. } if publication.match_id != *match_id => return,
            PublicationKind::Event { seq, .. } if *seq <= *shown => return,
            PublicationKind::Event { .. } | PublicationKind::Presence { .. } => {}
            PublicationKind::Next { previous, .. } if previous == match_id => {
                (*match_id, *shown) = (publication.match_id, 0);
            }
            // The client is already at that match or a later one.
            PublicationKind::Next { .. } => return,
            PublicationKind::LinksEnded { links, members } => {
                if let Some((_, revocation)) = revocations.link.take_if(|(link, _)| links.contains(link)) {
                    if self.viewer.user().is_some_and(|user| members.contains(&user)) {
                        revocations.on_leaving = Some(revocation);
                    } else {
                        self.outbox.publish(&revocation);
                        *state = SubscriberState::Revoked;
                    }
                }
                return;
            }
            PublicationKind::LeftTable { users } | PublicationKind::Kicked { users } => {
                let is_kick = matches!(publication.kind, PublicationKind::Kicked { .. });
                let ending = if is_kick { &mut revocations.kicked } else { &mut revocations.on_leaving };
                let is_affected = self.viewer.user().is_some_and(|user| users.contains(&user));
                if let Some(revocation) = ending.take_if(|_| is_affected) {
                    self.outbox.publish(&revocation);
                    *state = SubscriberState::Revoked;
                }
                return;
            }
        }
        if let Some(frame) = publication.frame_of(self.viewer) {
            self.outbox.publish(frame);
        }
    }

    /// Returns whether the subscription has ended with a refusal.
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

/// A connection's subscriber to the lobby, or to the user's own tables.
#[derive(Debug)]
pub(super) struct LobbySubscriber {
    outbox: Arc<Outbox>,
    /// Changes that are buffered until the client has the list; `None` afterwards.
    buffered: Mutex<Option<Vec<Frame>>>,
}

impl LobbySubscriber {
    /// Creates a subscriber that buffers changes until [`open`](Self::open).
    pub(super) fn new(outbox: Arc<Outbox>) -> Arc<Self> {
        Arc::new(Self { outbox, buffered: Mutex::new(Some(Vec::new())) })
    }

    /// Sends the list to the client, then the buffered changes, and from then on every change.
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
    use quadrex_protocol::{TableId, UserId};
    use uuid::Uuid;

    const TABLE: TableId = TableId(Uuid::from_u128(1));

    const MATCH: MatchId = MatchId(Uuid::from_u128(2));

    fn frame(text: &str) -> Frame {
        Frame::from(text.to_owned())
    }

    fn frames(text: &str) -> Frames {
        Frames::general(frame(text))
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

    /// Returns the first frames of a table up to event `head`.
    fn shown(match_id: MatchId, head: u64) -> InitialFrames {
        InitialFrames { frames: vec![frame(&format!("snapshot {head}"))], match_id, head, sits: false }
    }

    /// Returns a viewer's subscriber and the client's end of its connection.
    async fn subscriber(viewer: Viewer) -> (Arc<TableSubscriber>, Peer) {
        let (outbox, peer) = outbox().await;
        (TableSubscriber::new(viewer, outbox), peer)
    }

    /// Subscribing before the snapshot is taken means that no event is sent twice and none is lost.
    #[tokio::test]
    async fn events_in_the_snapshot_are_not_sent_again() {
        let (subscriber, mut peer) = subscriber(Viewer::Anonymous).await;
        let bus = LocalBus::default();
        let _subscription = bus.subscribe(TABLE, subscriber.clone());
        publish(&bus, MATCH, [event(4), presence(), event(5), event(6)]);
        subscriber.open(&shown(MATCH, 5), RevocationRefusals::default());
        publish(&bus, MATCH, [event(7)]);
        assert_eq!(peer.next().await, "snapshot 5");
        assert_eq!(peer.next().await, "presence", "it has no number and is always sent");
        assert_eq!(peer.next().await, "event 6");
        assert_eq!(peer.next().await, "event 7");
    }

    /// A rematch restarts the numbers, and a late event of the previous match must not be sent after
    /// the rematch's snapshot. Match ids have no order.
    #[tokio::test]
    async fn a_rematch_is_sent_from_its_first_event() {
        let bus = LocalBus::default();
        let (next, last) = (MatchId(Uuid::from_u128(1)), MatchId(Uuid::from_u128(3)));
        let begun = |previous| PublicationKind::Next { previous, seq: 4, frames: frames("the next match") };
        for (head, expected) in [
            (shown(MATCH, 6), vec!["snapshot 6", "the next match", "event 5", "the next match", "event 5"]),
            (shown(next, 4), vec!["snapshot 4", "event 5", "the next match"]),
            (shown(last, 5), vec!["snapshot 5", "event 6"]),
        ] {
            let (subscriber, mut peer) = subscriber(Viewer::Anonymous).await;
            let _subscription = bus.subscribe(TABLE, subscriber.clone());
            publish(&bus, MATCH, [event(6)]);
            subscriber.open(&head, RevocationRefusals::default());
            publish(&bus, next, [begun(MATCH), event(5)]);
            publish(&bus, last, [begun(next), event(5), event(6)]);
            for expected in expected {
                assert_eq!(peer.next().await, expected, "shown up to {head:?}");
            }
        }
    }

    /// A watcher admitted as a player receives nothing more once the seat is lost. Another connection
    /// of the same user, with access of its own, goes on receiving.
    #[tokio::test]
    async fn a_subscription_ends_with_the_right_to_it() {
        let bus = LocalBus::default();
        let (kicked, other) = (UserId(Uuid::from_u128(7)), UserId(Uuid::from_u128(8)));
        for (user, is_player, expected) in [
            (kicked, true, vec!["event 1", "no more"]),
            (kicked, false, vec!["event 1", "event 2"]),
            (other, true, vec!["event 1", "event 2"]),
        ] {
            let (subscriber, mut peer) = subscriber(Viewer::User(user)).await;
            let subscription = bus.subscribe(TABLE, subscriber.clone());
            subscriber.open(
                &shown(MATCH, 0),
                RevocationRefusals {
                    on_leaving: is_player.then(|| frame("no more")),
                    ..RevocationRefusals::default()
                },
            );
            publish(
                &bus,
                MATCH,
                [event(1), PublicationKind::LeftTable { users: vec![kicked] }, event(2), presence()],
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
