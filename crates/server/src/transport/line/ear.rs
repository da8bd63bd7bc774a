//! What a line hears of a table or of the lobby's list, and sends on to its client.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::MatchId;

use super::outbox::Outbox;
use crate::table::{Frame, Listener, News, Published, Shown, Viewer};
use quadrex_store::SecretHash;

/// A line's ear at a table.
#[derive(Debug)]
pub(super) struct TableEar {
    viewer: Viewer,
    outbox: Arc<Outbox>,
    hearing: Mutex<Hearing>,
}

/// The refusals with which a subscription ends, where the right to it ends.
#[derive(Debug, Default)]
pub(super) struct LastWords {
    /// Once the viewer neither sits there nor is host.
    pub(super) parting: Option<Frame>,
    /// Once the link is no more that the right to watch rests on.
    pub(super) link: Option<(SecretHash, Frame)>,
    /// Once the host has kicked the viewer.
    pub(super) kicked: Option<Frame>,
}

#[derive(Debug)]
enum Hearing {
    /// The client has not been shown the table yet: what is told meanwhile.
    Holding(Vec<Published>),
    /// Everything goes to the client.
    Open {
        /// The match it is shown.
        match_id: MatchId,
        /// The last event of this match that was shown.
        shown: u64,
        /// How it may end.
        last_words: LastWords,
    },
    /// It was told the last word.
    Parted,
}

impl TableEar {
    /// One that holds back what it hears until [`open`](Self::open).
    pub(super) fn new(viewer: Viewer, outbox: Arc<Outbox>) -> Arc<Self> {
        Arc::new(Self { viewer, outbox, hearing: Mutex::new(Hearing::Holding(Vec::new())) })
    }

    /// Shows the client the table as it was when asked, and then what came after. `last_words`
    /// say how it may end.
    pub(super) fn open(&self, shown: &Shown, last_words: LastWords) {
        let mut hearing = self.lock();
        for frame in &shown.frames {
            self.outbox.answer(frame);
        }
        let open = Hearing::Open { match_id: shown.match_id, shown: shown.head, last_words };
        if let Hearing::Holding(held) = std::mem::replace(&mut *hearing, open) {
            for published in &held {
                self.take(&mut hearing, published);
            }
        }
    }

    /// Sends on what this viewer is told of it.
    fn take(&self, hearing: &mut Hearing, published: &Published) {
        let Hearing::Open { match_id, shown, last_words } = hearing else { return };
        match &published.news {
            News::Event { .. } if published.match_id != *match_id => return,
            News::Event { seq, .. } if *seq <= *shown => return,
            News::Event { .. } | News::Presence { .. } => {}
            News::Next { after, .. } if after == match_id => {
                (*match_id, *shown) = (published.match_id, 0);
            }
            // It was shown already, or one after it.
            News::Next { .. } => return,
            News::LinksEnded { links, party } => {
                if let Some((_, last_word)) = last_words.link.take_if(|(link, _)| links.contains(link)) {
                    if self.viewer.user().is_some_and(|user| party.contains(&user)) {
                        last_words.parting = Some(last_word);
                    } else {
                        self.outbox.tell(&last_word);
                        *hearing = Hearing::Parted;
                    }
                }
                return;
            }
            News::Parted { users } | News::Kicked { users } => {
                let is_kick = matches!(published.news, News::Kicked { .. });
                let ending = if is_kick { &mut last_words.kicked } else { &mut last_words.parting };
                let has_parted = self.viewer.user().is_some_and(|user| users.contains(&user));
                if let Some(last_word) = ending.take_if(|_| has_parted) {
                    self.outbox.tell(&last_word);
                    *hearing = Hearing::Parted;
                }
                return;
            }
        }
        if let Some(frame) = published.frame_of(self.viewer) {
            self.outbox.tell(frame);
        }
    }

    /// Returns whether the subscription has ended: the client was told so.
    pub(super) fn has_parted(&self) -> bool {
        matches!(*self.lock(), Hearing::Parted)
    }

    fn lock(&self) -> MutexGuard<'_, Hearing> {
        self.hearing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener<Published> for TableEar {
    fn hear(&self, published: &Published) {
        let mut hearing = self.lock();
        match &mut *hearing {
            Hearing::Holding(held) => held.push(published.clone()),
            Hearing::Open { .. } | Hearing::Parted => self.take(&mut hearing, published),
        }
    }
}

/// A line's ear for changes of the lobby's list.
#[derive(Debug)]
pub(super) struct ListEar {
    outbox: Arc<Outbox>,
    /// What was told before the client was shown the list; `None` from then on.
    held: Mutex<Option<Vec<Frame>>>,
}

impl ListEar {
    /// One that holds back what it hears until [`open`](Self::open).
    pub(super) fn new(outbox: Arc<Outbox>) -> Arc<Self> {
        Arc::new(Self { outbox, held: Mutex::new(Some(Vec::new())) })
    }

    /// Shows the client the list, and then what came after.
    pub(super) fn open(&self, list: &Frame) {
        let mut held = self.lock();
        self.outbox.answer(list);
        for frame in held.take().unwrap_or_default() {
            self.outbox.tell(&frame);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Frame>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener<Frame> for ListEar {
    fn hear(&self, change: &Frame) {
        match &mut *self.lock() {
            Some(held) => held.push(change.clone()),
            None => self.outbox.tell(change),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::outbox::testing::{Peer, line};
    use super::*;
    use crate::table::{Frames, LocalBus};
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

    fn event(seq: u64) -> News {
        News::Event { seq, to: frames(&format!("event {seq}")) }
    }

    fn presence() -> News {
        News::Presence { to: frames("presence") }
    }

    fn publish(bus: &LocalBus, match_id: MatchId, news: impl IntoIterator<Item = News>) {
        for news in news {
            bus.publish(Published { table: TABLE, match_id, news });
        }
    }

    /// Up to here the table was shown.
    fn shown(match_id: MatchId, head: u64) -> Shown {
        Shown { frames: vec![frame(&format!("snapshot {head}"))], match_id, head, sits: false }
    }

    /// The ear of a line that is somebody's, and the client's end of it.
    async fn ear(viewer: Viewer) -> (Arc<TableEar>, Peer) {
        let (outbox, peer) = line().await;
        (TableEar::new(viewer, outbox), peer)
    }

    /// Subscribed first, shown then: what was shown is not told again, and nothing in between is lost.
    #[tokio::test]
    async fn what_was_shown_is_not_told_again() {
        let (ear, mut peer) = ear(Viewer::Anonymous).await;
        let bus = LocalBus::default();
        let _subscription = bus.subscribe(TABLE, ear.clone());
        publish(&bus, MATCH, [event(4), presence(), event(5), event(6)]);
        ear.open(&shown(MATCH, 5), LastWords::default());
        publish(&bus, MATCH, [event(7)]);
        assert_eq!(peer.next().await, "snapshot 5");
        assert_eq!(peer.next().await, "presence", "it has no number and is always told");
        assert_eq!(peer.next().await, "event 6");
        assert_eq!(peer.next().await, "event 7");
    }

    /// The numbers of a rematch begin anew, and what is left of the match before it is known from its snapshot. Ids say
    /// nothing about which match came first.
    #[tokio::test]
    async fn a_rematch_is_told_from_its_first_event() {
        let bus = LocalBus::default();
        let (next, last) = (MatchId(Uuid::from_u128(1)), MatchId(Uuid::from_u128(3)));
        let begun = |after| News::Next { after, seq: 4, to: frames("the next match") };
        for (head, expected) in [
            (shown(MATCH, 6), vec!["snapshot 6", "the next match", "event 5", "the next match", "event 5"]),
            (shown(next, 4), vec!["snapshot 4", "event 5", "the next match"]),
            (shown(last, 5), vec!["snapshot 5", "event 6"]),
        ] {
            let (ear, mut peer) = ear(Viewer::Anonymous).await;
            let _subscription = bus.subscribe(TABLE, ear.clone());
            publish(&bus, MATCH, [event(6)]);
            ear.open(&head, LastWords::default());
            publish(&bus, next, [begun(MATCH), event(5)]);
            publish(&bus, last, [begun(next), event(5), event(6)]);
            for expected in expected {
                assert_eq!(peer.next().await, expected, "shown up to {head:?}");
            }
        }
    }

    /// Who watched as a player hears nothing more once the seat is gone; another line of the same user, with a right of
    /// its own, does.
    #[tokio::test]
    async fn who_parts_hears_no_more() {
        let bus = LocalBus::default();
        let (kicked, other) = (UserId(Uuid::from_u128(7)), UserId(Uuid::from_u128(8)));
        for (user, is_player, expected) in [
            (kicked, true, vec!["event 1", "no more"]),
            (kicked, false, vec!["event 1", "event 2"]),
            (other, true, vec!["event 1", "event 2"]),
        ] {
            let (ear, mut peer) = ear(Viewer::User(user)).await;
            let subscription = bus.subscribe(TABLE, ear.clone());
            ear.open(
                &shown(MATCH, 0),
                LastWords { parting: is_player.then(|| frame("no more")), ..LastWords::default() },
            );
            publish(&bus, MATCH, [event(1), News::Parted { users: vec![kicked] }, event(2), presence()]);
            drop((subscription, ear));
            assert_eq!(peer.next().await, "snapshot 0");
            let told = peer.rest().await;
            assert_eq!(told[..expected.len()], expected, "{told:?}");
            assert_eq!(told.len(), expected.len() + usize::from(expected[1] != "no more"), "{told:?}");
        }
    }

    #[tokio::test]
    async fn a_list_is_shown_before_its_changes() {
        let (outbox, mut peer) = line().await;
        let ear = ListEar::new(outbox);
        ear.hear(&frame("first"));
        ear.open(&frame("list"));
        ear.hear(&frame("second"));
        for expected in ["list", "first", "second"] {
            assert_eq!(peer.next().await, expected);
        }
    }
}
