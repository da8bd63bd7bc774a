//! The actor of a table: the one task that owns its match, and the only writer of the match's log.
//!
//! The actor handles one message after the other. For a command it decides the events, appends them
//! to the log, applies and publishes them, and answers. Every answer and every published event is
//! therefore durable. The module `commits` implements this sequence, `timers` runs the work that is
//! due at a certain time, and `watching` manages the subscriptions.

use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::view::StateView;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::Store;
use quadrex_table::{CloseAfter, History, Outage, PresenceView, StoredReconnectBank, TableState, state_view};
use tokio::sync::{mpsc, watch};

use super::bot_notifier::{BotNotifier, BotRunner};
use super::changed_tables::ChangedTables;
use super::handle::{ActorMessage, MAILBOX_CAPACITY, MailboxItem, TableHandle};
use super::load::LoadError;
use super::match_log::MatchLog;
use super::stall::StallTracker;
use super::table_overview::TableOverview;
use super::watcher_list::Watchers;
use crate::bus::{Frame, LocalBus};
use crate::lease::Lease;

/// The dependencies of a table's actor.
#[derive(Clone, Debug)]
pub struct TableDeps {
    /// The store with the logs.
    pub store: Store,
    /// The bus on which the actor publishes the table's events.
    pub bus: LocalBus,
    /// The clock that the match is played by.
    pub clock: Clock,
    /// The source of randomness, for the ids under which internal errors are logged.
    pub entropy: Entropy,
    /// The tables whose entries in the lobby have changed; the lobby reads and empties this set.
    pub changed_tables: Arc<ChangedTables>,
    /// The times after which an empty table closes.
    pub close_after: CloseAfter,
    /// The maximum number of events that a returning watcher receives one by one. A watcher that
    /// missed more receives a snapshot.
    pub max_resync_events: u64,
    /// The grace period after an interruption, before the players' clocks run again.
    pub grace: Duration,
    /// The runner of the table's bots.
    pub bot_runner: Arc<dyn BotRunner>,
    /// The server's lease on the database, without which the actor answers nothing and runs no
    /// timer.
    pub lease: Lease,
}

/// The owner of a table and its match.
#[derive(Debug)]
pub struct TableActor {
    pub(super) deps: TableDeps,
    /// The match: its log and the state that follows from it.
    pub(super) log: MatchLog,
    pub(super) watchers: Watchers,
    /// The presence that was published last.
    pub(super) published_presence: PresenceView,
    /// The state after the last published event. Every watcher has received this state. Only its
    /// clock values are out of date, because the clocks keep running.
    pub(super) published_state: StateView,
    /// The time at which presence is published next.
    pub(super) presence_due: Option<Timestamp>,
    /// The time at which a failed store operation is retried.
    pub(super) retry_at: Option<Timestamp>,
    /// The time during which nobody could move and for which the players have not been compensated
    /// yet.
    pub(super) stall: StallTracker,
    /// The reconnect bank (the time that a player may still be absent) of the player to move, as it
    /// was last written to the store.
    pub(super) stored_reconnect_bank: StoredReconnectBank,
    /// The time since which nobody has been present and no match has run.
    pub(super) idle_since: Option<Timestamp>,
    /// The snapshot that spectators share, and the time at which it was made. Every change discards
    /// it. It also expires quickly, because it contains clocks.
    pub(super) spectator_snapshot: Option<(Timestamp, Frame)>,
    /// A summary of the table, which every handle can read without a message to the actor.
    pub(super) overview: watch::Sender<TableOverview>,
    pub(super) bot_notifier: BotNotifier,
}

impl TableActor {
    /// Creates the actor of a new table, whose first events are already in the log.
    #[must_use]
    pub fn opened(deps: TableDeps, history: History) -> Self {
        let log = MatchLog::opened(deps.store.clone(), history);
        Self::new(deps, log)
    }

    /// Loads a match for somebody who wants to view it, when no actor runs it yet. The actor claims
    /// the match as soon as it has to write to the log.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read.
    pub async fn read(deps: TableDeps, table: TableId, match_id: MatchId) -> Result<Self, LoadError> {
        let log = MatchLog::read(deps.store.clone(), table, match_id, deps.clock.now()).await?;
        Ok(Self::new(deps, log))
    }

    /// Claims and reads an unfinished match after an outage. Returns `None` if there is no such
    /// match.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read.
    pub async fn resume(
        deps: TableDeps,
        table: TableId,
        match_id: MatchId,
        outage: Outage,
    ) -> Result<Option<Self>, LoadError> {
        let log = MatchLog::resume(deps.store.clone(), table, match_id, outage).await?;
        Ok(log.map(|log| Self::new(deps, log)))
    }

    fn new(deps: TableDeps, log: MatchLog) -> Self {
        let overview = watch::Sender::new(TableOverview::new(log.state(), 0, log.is_claimed()));
        let stall = StallTracker::new(&deps.clock);
        let published_state = state_view(log.state(), log.history().last_at());
        Self {
            deps,
            log,
            watchers: Watchers::default(),
            published_presence: PresenceView::default(),
            published_state,
            presence_due: None,
            retry_at: None,
            stall,
            stored_reconnect_bank: StoredReconnectBank::default(),
            idle_since: None,
            spectator_snapshot: None,
            overview,
            bot_notifier: BotNotifier::default(),
        }
    }

    /// Returns the table's id.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.state().table()
    }

    /// Returns a handle to this table and the actor's task. The task returns the table's id. It
    /// ends when the actor is stopped, or when the table is closed and nobody watches it any more.
    pub fn start(self) -> (TableHandle, impl Future<Output = TableId> + Send) {
        let (sender, mailbox) = mpsc::channel(MAILBOX_CAPACITY);
        let weak_sender = sender.downgrade();
        (self.handle(sender), self.run(mailbox, weak_sender))
    }

    fn handle(&self, sender: mpsc::Sender<MailboxItem>) -> TableHandle {
        TableHandle::new(self.state().table(), sender, self.overview.subscribe(), self.deps.bus.clone())
    }

    async fn run(
        mut self,
        mut mailbox: mpsc::Receiver<MailboxItem>,
        weak_sender: mpsc::WeakSender<MailboxItem>,
    ) -> TableId {
        let table = self.state().table();
        loop {
            let now = self.deps.clock.now();
            if self.bot_notifier.is_task_outdated() {
                let task = self.state().bot_task(!self.watchers.is_empty(), now);
                let handle = weak_sender.upgrade().map(|sender| self.handle(sender));
                self.bot_notifier.send_task(task, self.deps.bot_runner.as_ref(), handle);
            }
            self.update_idle_time(now);
            self.store_reconnect_bank(now).await;
            let wake_time = self.next_wake_time();
            let item = tokio::select! {
                biased;
                item = mailbox.recv() => item,
                () = self.stall.sleep_until(&self.deps.clock, wake_time) => {
                    // Without the lease another server may own the match, so no timer runs.
                    self.deps.lease.wait_until_held().await;
                    let now = self.deps.clock.now();
                    self.wake(now).await;
                    if self.is_idle(now) && self.state().is_closed() {
                        mailbox.close();
                    }
                    continue;
                }
            };
            match item {
                None | Some(MailboxItem::Stop) => return table,
                Some(MailboxItem::Message(message)) => {
                    self.deps.lease.wait_until_held().await;
                    let now = self.deps.clock.now();
                    // First run the timers that were due before this message arrived. Earlier
                    // messages may have delayed them.
                    self.run_due_timers(now).await;
                    self.handle_message(message, now).await;
                }
            }
        }
    }

    async fn handle_message(&mut self, message: ActorMessage, now: Timestamp) {
        match message {
            ActorMessage::Command { request, reply } => {
                let answer = self.handle_command(request, now).await;
                // The client may have disconnected. When it reconnects and sends the command again,
                // it gets the answer from the log.
                reply.send(answer).ok();
            }
            // The watcher lost the right to watch after the connection had checked that right. This
            // request gets no answer, and the next request of the connection is refused.
            ActorMessage::Watch { watcher, .. } if !watcher.may_watch(self.state()) => {}
            ActorMessage::Watch { watcher_id, watcher, resume_from, reply } => {
                let viewer = watcher.viewer;
                self.add_watcher(watcher_id, watcher, now);
                reply.send(self.initial_frames(viewer, resume_from, now)).ok();
            }
            ActorMessage::Claim { reply } => {
                self.handle_claim(now).await;
                reply.send(()).ok();
            }
            ActorMessage::RevokeLink { link } => self.revoke_links(|access| access.secret_hash == link, now),
            ActorMessage::Unwatch { watcher_id } => self.remove_watcher(watcher_id, now),
        }
    }

    pub(super) fn state(&self) -> &TableState {
        self.log.state()
    }
}
