//! The endpoint of a table: all that the table's handles, watchers and listeners are connected to.
//!
//! The endpoint outlives the task that serves it. While it is served, it belongs to that task. When
//! the task ends, it gives the endpoint back to the lobby in a [`Served`]. The lobby starts another
//! task on the endpoint or drops it. Handles and subscriptions stay valid until it is dropped, and
//! messages that wait in the mailbox are handled by the next task.

use std::ops::ControlFlow;
use std::time::Duration;

use quadrex_cluster::TableFollowers;
use quadrex_protocol::view::StateView;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_table::{PresenceView, TableState, state_view};
use tokio::sync::{mpsc, watch};

use super::handle::{ActorMessage, MAILBOX_CAPACITY, MailboxItem, TableHandle};
use super::table_overview::TableOverview;
use super::watcher_list::Watchers;
use crate::bus::{LocalBus, Publication};
use crate::cluster::ClusterLink;

/// The part of a table that outlives the tasks that serve it.
#[derive(Debug)]
pub struct TableEndpoint {
    /// A handle to this endpoint.
    handle: TableHandle,
    mailbox: mpsc::Receiver<MailboxItem>,
    bus: LocalBus,
    /// A summary of the table, which every handle can read without a message.
    pub(super) overview: watch::Sender<TableOverview>,
    /// The subscriptions of this process.
    pub(super) watchers: Watchers,
    /// The link to the other nodes, if the server belongs to a cluster.
    pub(super) cluster: Option<ClusterLink>,
    /// The nodes that follow the table, if this node owns it.
    pub(super) followers: TableFollowers,
    /// The overview that the following nodes have.
    pub(super) followed_overview: Option<TableOverview>,
    /// True if the heartbeats of this node name the table to following nodes.
    pub(super) has_heads: bool,
    /// The time from which the presence at the other nodes is known, if this node has taken the table over
    /// without learning it from the former owner.
    pub(super) presence_known_at: Option<Timestamp>,
    pub(super) published: Published,
    pub(super) panics: Panics,
    /// True if an actor of this endpoint had claimed the match.
    pub(super) was_claimed: bool,
}

/// The content of the last publications. Every watcher has received it.
#[derive(Debug)]
pub(super) struct Published {
    /// The match of the last published event.
    pub(super) match_id: MatchId,
    /// The number of the last published event.
    pub(super) seq: u64,
    /// The state after the last published event. Only its clock values are out of date, because the
    /// clocks keep running.
    pub(super) state: StateView,
    /// The presence that was published last, if this node has published it.
    pub(super) presence: Option<PresenceView>,
}

impl Published {
    fn new(state: &TableState, at: Timestamp) -> Self {
        Self { match_id: state.match_id(), seq: state.head(), state: state_view(state, at), presence: None }
    }

    /// Records that this match has been published with all its events.
    pub(super) fn set_match(&mut self, state: &TableState, now: Timestamp) {
        let presence = self.presence.take();
        *self = Self { presence, ..Self::new(state, now) };
    }
}

/// An endpoint that its task has given back, with the reason.
#[derive(Debug)]
pub struct Served {
    /// The endpoint.
    pub endpoint: TableEndpoint,
    /// The reason for which the task has ended.
    pub end: ServeEnd,
}

/// The reason for which a task no longer serves an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServeEnd {
    /// Nobody needs the table any more: it is closed, and nobody watches it. The mailbox accepts no
    /// more messages and is empty.
    Closed,
    /// Nobody watches the table, and its match hibernates. The mailbox accepts no more messages.
    /// Messages that are still in it get no answer.
    Hibernating,
    /// The task was asked to stop.
    Stopped,
    /// The task was asked to leave the table to another task, or another node owns the match.
    HandedOver,
    /// The match can no longer be read.
    Unreadable,
    /// The task panicked with this message.
    Panicked(String),
}

/// The recent panics of the tasks that served an endpoint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Panics {
    /// The number of panics, each of which followed the one before within [`PANIC_MEMORY`].
    count: u32,
    last: Option<Timestamp>,
}

/// A task that has run for this long has overcome the cause of an earlier panic.
const PANIC_MEMORY: Duration = Duration::from_secs(120);

/// The longest pause before another task is started after a panic.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl Panics {
    /// Records a panic at `now`. Returns the pause before the next task starts. There is no pause
    /// after a single panic. If the next task panics soon too, there is a pause of a second, which
    /// doubles with each further panic.
    pub(super) fn record(&mut self, now: Timestamp) -> Duration {
        let is_recent = self.last.replace(now).is_some_and(|last| now.since(last) < PANIC_MEMORY);
        self.count = if is_recent { self.count.saturating_add(1) } else { 1 };
        match self.count {
            1 => Duration::ZERO,
            count => doubled(Duration::from_secs(1), count - 2),
        }
    }
}

/// Returns a pause that has been doubled this many times. It never exceeds the longest pause.
pub(super) fn doubled(pause: Duration, times: u32) -> Duration {
    pause.saturating_mul(2_u32.saturating_pow(times)).min(LONGEST_PAUSE)
}

impl TableEndpoint {
    /// Creates the endpoint of a table in this state. `at` is the time of the last event.
    pub(super) fn new(
        bus: LocalBus,
        cluster: Option<ClusterLink>,
        state: &TableState,
        at: Timestamp,
        is_claimed: bool,
    ) -> Self {
        let (sender, mailbox) = mpsc::channel(MAILBOX_CAPACITY);
        let overview = watch::Sender::new(TableOverview::new(state, 0, is_claimed));
        let handle = TableHandle::new(state.table(), sender, overview.subscribe(), bus.clone());
        Self {
            handle,
            mailbox,
            bus,
            overview,
            watchers: Watchers::default(),
            cluster,
            followers: TableFollowers::new(state.table()),
            followed_overview: None,
            has_heads: false,
            presence_known_at: None,
            published: Published::new(state, at),
            panics: Panics::default(),
            was_claimed: is_claimed,
        }
    }

    /// Returns the id of the table.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.handle.table()
    }

    /// Returns a handle to the table.
    #[must_use]
    pub fn handle(&self) -> TableHandle {
        self.handle.clone()
    }

    /// Returns the match whose events the watchers have received last.
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        self.published.match_id
    }

    /// Returns whether the mailbox accepts no more messages.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Waits for the next item of the mailbox. Returns `None` if the mailbox is closed and empty.
    pub(super) async fn receive(&mut self) -> Option<MailboxItem> {
        self.mailbox.recv().await
    }

    /// Returns whether the mailbox has items.
    pub(super) fn has_messages(&self) -> bool {
        !self.mailbox.is_empty()
    }

    /// Closes the mailbox. Messages that are in it already can still be received.
    pub(super) fn close(&mut self) {
        self.mailbox.close();
    }

    /// Publishes to the listeners that the table has in this process.
    pub(super) fn publish_here(&self, publication: Publication) {
        self.bus.publish(publication);
    }

    /// Records that the table has no actor any more that could write to its log.
    pub(super) fn record_lost_actor(&mut self) {
        self.was_claimed |= self.overview.borrow().is_claimed;
        self.overview.send_modify(|overview| overview.is_claimed = false);
    }

    /// Waits, and leaves every request without an answer meanwhile. Returns `Break` if the mailbox
    /// has a request to end the task.
    pub(super) async fn refuse_for(&mut self, pause: Duration) -> ControlFlow<ServeEnd> {
        if pause.is_zero() {
            return ControlFlow::Continue(());
        }
        let pause = tokio::time::sleep(pause);
        tokio::pin!(pause);
        loop {
            let item = tokio::select! {
                biased;
                () = &mut pause => return ControlFlow::Continue(()),
                item = self.mailbox.recv() => item,
            };
            match item {
                None | Some(MailboxItem::Stop) => return ControlFlow::Break(ServeEnd::Stopped),
                Some(MailboxItem::HandOver) => return ControlFlow::Break(ServeEnd::HandedOver),
                Some(MailboxItem::Message(ActorMessage::Unwatch { watcher_id })) => {
                    self.watchers.remove(watcher_id);
                }
                // The sender of the reply is dropped.
                Some(MailboxItem::Message(_)) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_with_panics_in_quick_succession() {
        let mut panics = Panics::default();
        let mut now = Timestamp::from_millis(1_000_000);
        let mut pause_after = |quiet: Duration| {
            now = now + quiet;
            panics.record(now).as_secs()
        };
        assert_eq!(pause_after(Duration::ZERO), 0);
        let pauses: Vec<_> = (0..8).map(|_| pause_after(Duration::from_secs(1))).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pause_after(PANIC_MEMORY), 0);
        assert_eq!(pause_after(Duration::from_secs(1)), 1);
    }
}
