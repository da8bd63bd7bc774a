//! The actor of a table: the one task that owns its match, and the only writer of the match's log.
//!
//! The actor handles one message after the other. For a command it decides the events, appends them
//! to the log, applies and publishes them, and answers. Every answer and every published event is
//! therefore durable. The module `commits` implements this sequence, `timers` runs the work that is
//! due at a certain time, and `watching` manages the subscriptions.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use quadrex_clock::{Clock, Entropy};
use quadrex_cluster::TableFollowers;
use quadrex_cluster::message::TakenFollower;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::{ClaimedMatch, Store};
use quadrex_table::{CloseAfter, History, Outage, StoredReconnectBank, TableState};

use super::bot_notifier::{BotNotifier, BotRunner};
use super::changed_tables::ChangedTables;
use super::claims::Claims;
use super::endpoint::{ServeEnd, Served, TableEndpoint};
use super::handle::{ActorMessage, MailboxItem, TableHandle};
use super::load::LoadError;
use super::match_log::MatchLog;
use super::outages::OutageRecord;
use super::restart::panic_message;
use super::stall::StallTracker;
use super::started_turns::{StartedTurn, StartedTurns};
use super::watching::TAKE_OVER_DELAY;
use crate::bus::{Frame, LocalBus};
use crate::cluster::ClusterLink;
use crate::fair_play::FairPlay;
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
    /// The turns of which players may be notified.
    pub started_turns: Arc<StartedTurns>,
    /// The times after which an empty table closes.
    pub close_after: CloseAfter,
    /// The maximum number of events that a returning watcher receives one by one. A watcher that
    /// missed more receives a snapshot.
    pub max_resync_events: u64,
    /// The grace period after an interruption, before the players' clocks run again.
    pub grace: Duration,
    /// The time after which a match that nobody watches, and in which nothing happens, hibernates:
    /// its actor ends.
    pub hibernate_after: Duration,
    /// The outages for which the players of hibernating matches must be compensated.
    pub outages: Arc<OutageRecord>,
    /// The rules of fair play in rated matches.
    pub fair_play: FairPlay,
    /// The runner of the table's bots.
    pub bot_runner: Arc<dyn BotRunner>,
    /// The link to the other nodes, if the server belongs to a cluster.
    pub cluster: Option<ClusterLink>,
    /// The server's lease on the database, without which the actor answers nothing and runs no
    /// timer.
    pub lease: Lease,
}

impl TableDeps {
    /// Returns the access to the logs of matches.
    pub(super) fn claims(&self) -> Claims {
        Claims::new(self)
    }
}

/// The owner of a table and its match.
#[derive(Debug)]
pub struct TableActor {
    pub(super) deps: TableDeps,
    /// The match: its log and the state that follows from it.
    pub(super) log: MatchLog,
    /// The mailbox, the watchers, and what they have received. It outlives this actor.
    pub(super) endpoint: TableEndpoint,
    /// The time at which presence is published next.
    pub(super) presence_due: Option<Timestamp>,
    /// The time at which a failed store operation is retried.
    pub(super) retry_at: Option<Timestamp>,
    /// The time at which the log is read again, because the store may have events that are not known.
    pub(super) reads_again_at: Option<Timestamp>,
    /// The time during which nobody could move and for which the players have not been compensated
    /// yet.
    pub(super) stall: StallTracker,
    /// The reconnect bank (the time that a player may still be absent) of the player to move, as it
    /// was last written to the store.
    pub(super) stored_reconnect_bank: StoredReconnectBank,
    /// The time since which nobody has been present and no match has run.
    pub(super) idle_since: Option<Timestamp>,
    /// The time before which the table is not closed again, because the store has failed.
    pub(super) close_again_at: Option<Timestamp>,
    /// The time since which nobody has watched the table and nothing has happened in the match.
    pub(super) quiet_since: Option<Timestamp>,
    /// The snapshot that spectators share, and the time at which it was made. Every change discards
    /// it. It also expires quickly, because it contains clocks.
    pub(super) spectator_snapshot: Option<(Timestamp, Frame)>,
    pub(super) bot_notifier: BotNotifier,
    /// The turn that was added last to the started turns.
    pub(super) reported_turn: Option<StartedTurn>,
    /// The match and the number of the last event for which it is known that no conditional move is
    /// due.
    pub(super) conditional_checked_at: Option<(MatchId, u64)>,
}

impl TableActor {
    /// Creates the actor of a new table, whose first events are already in the log.
    #[must_use]
    pub fn opened(deps: TableDeps, history: History) -> Self {
        let log = MatchLog::opened(deps.claims(), history);
        Self::new(deps, log)
    }

    /// Loads a match for somebody who wants to view it, when no actor runs it yet, perhaps because
    /// it hibernates. The actor claims the match as soon as it has to write to the log.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read.
    pub async fn read(deps: TableDeps, table: TableId, match_id: MatchId) -> Result<Self, LoadError> {
        // The actor notices a stall that happens while the match is read.
        let stall = StallTracker::new(&deps.clock);
        let log = MatchLog::read(deps.claims(), table, match_id, deps.clock.now()).await?;
        Ok(Self { stall, ..Self::new(deps, log) })
    }

    /// Loads a hibernating match of this node. Returns `None` if it does not hibernate any more.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read.
    pub async fn read_hibernating(
        deps: TableDeps,
        table: TableId,
        match_id: MatchId,
    ) -> Result<Option<Self>, LoadError> {
        let actor = Self::read(deps, table, match_id).await?;
        Ok(Some(actor).filter(|actor| actor.log.is_hibernating()))
    }

    /// Claims and reads an unfinished match after an outage. Returns `None` if there is no such
    /// match, or if another node owns it.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read.
    pub async fn resume(
        deps: TableDeps,
        table: TableId,
        match_id: MatchId,
        outage: Outage,
    ) -> Result<Option<Self>, LoadError> {
        let log = MatchLog::resume(deps.claims(), table, match_id, outage).await?;
        Ok(log.map(|log| Self::new(deps, log)))
    }

    /// Reads a match that this node has just claimed, after an outage. `followers` are the nodes that
    /// followed the table at its former owner.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the match cannot be read.
    pub async fn resume_claimed(
        deps: TableDeps,
        table: TableId,
        claimed: ClaimedMatch,
        outage: Outage,
        followers: &[TakenFollower],
    ) -> Result<Self, LoadError> {
        let log = MatchLog::resume_claimed(deps.claims(), table, claimed, outage).await?;
        let now = deps.clock.now();
        let mut actor = Self::new(deps, log);
        actor.endpoint.followers = TableFollowers::taken_over(table, followers, now);
        // A former owner that has handed the table over is among its followers.
        if followers.is_empty() {
            actor.endpoint.presence_known_at = Some(now + TAKE_OVER_DELAY);
        }
        actor.schedule_first_presence(now);
        Ok(actor)
    }

    fn new(deps: TableDeps, log: MatchLog) -> Self {
        let (bus, cluster) = (deps.bus.clone(), deps.cluster.clone());
        let last_at = log.history().last_at();
        let endpoint = TableEndpoint::new(bus, cluster, log.state(), last_at, log.is_claimed());
        Self::on(endpoint, deps, log)
    }

    /// Returns an actor for an existing endpoint.
    pub(super) fn on(endpoint: TableEndpoint, deps: TableDeps, log: MatchLog) -> Self {
        let stall = StallTracker::new(&deps.clock);
        Self {
            deps,
            log,
            endpoint,
            presence_due: None,
            retry_at: None,
            reads_again_at: None,
            stall,
            stored_reconnect_bank: StoredReconnectBank::default(),
            idle_since: None,
            close_again_at: None,
            quiet_since: None,
            spectator_snapshot: None,
            bot_notifier: BotNotifier::default(),
            reported_turn: None,
            conditional_checked_at: None,
        }
    }

    /// Returns the table's id.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.state().table()
    }

    /// Returns a handle to the table.
    #[must_use]
    pub fn handle(&self) -> TableHandle {
        self.endpoint.handle()
    }

    /// Serves the table's endpoint. Ends when the actor is stopped, when it panics, when the match
    /// hibernates, or when the table is closed and nobody watches it any more.
    pub async fn serve(self) -> Served {
        self.serve_after(None).await
    }

    /// Serves the table's endpoint. If this actor follows another one, `next_matches` are the later
    /// matches at the table, and the watchers are brought up to date first.
    pub(super) async fn serve_after(mut self, next_matches: Option<Vec<MatchLog>>) -> Served {
        let run = async {
            if let Some(next_matches) = next_matches {
                self.take_over(next_matches);
            }
            self.state_is_followed();
            self.report_turn();
            self.run().await
        };
        let end = AssertUnwindSafe(run).catch_unwind().await;
        let end = end.unwrap_or_else(|panic| ServeEnd::Panicked(panic_message(&*panic)));
        Served { endpoint: self.endpoint, end }
    }

    async fn run(&mut self) -> ServeEnd {
        loop {
            let now = self.deps.clock.now();
            if self.bot_notifier.is_task_outdated() {
                let task = self.state().bot_task(!self.endpoint.is_unwatched(), now);
                self.bot_notifier.send_task(task, self.deps.bot_runner.as_ref(), &self.endpoint);
            }
            self.update_idle_time(now);
            self.update_quiet_time(now);
            self.schedule_reading(now);
            self.store_reconnect_bank(now).await;
            self.endpoint.publish_heads();
            if self.log.is_elsewhere() {
                return ServeEnd::HandedOver;
            }
            let wake_time = self.next_wake_time();
            let item = tokio::select! {
                biased;
                item = self.endpoint.receive() => item,
                () = self.stall.sleep_until(&self.deps.clock, wake_time) => {
                    // Without the lease another server may own the match, so no timer runs.
                    self.deps.lease.wait_until_held().await;
                    let now = self.deps.clock.now();
                    self.wake(now).await;
                    if self.is_idle(now) && self.state().is_closed() {
                        self.endpoint.close();
                        self.log.record_closed();
                    }
                    if self.hibernation_due().is_some_and(|due| due <= now) && self.hibernate(now).await {
                        return ServeEnd::Hibernating;
                    }
                    continue;
                }
            };
            match item {
                None => return ServeEnd::Closed,
                Some(MailboxItem::Stop) => return ServeEnd::Stopped,
                Some(MailboxItem::HandOver) => return ServeEnd::HandedOver,
                Some(MailboxItem::Message(message)) => {
                    self.deps.lease.wait_until_held().await;
                    let now = self.deps.clock.now();
                    // First run the timers that were due before this message arrived. Earlier
                    // messages may have delayed them.
                    self.run_due_timers(now).await;
                    self.handle_message(message, now).await;
                    self.quiet_since = None;
                    self.update_quiet_time(now);
                }
            }
        }
    }

    async fn handle_message(&mut self, message: ActorMessage, now: Timestamp) {
        match message {
            ActorMessage::Command { request, reply } => {
                let answer = self.handle_command(request, now).await;
                // If another node owns the match, the command is sent again to that node. The client
                // may have disconnected. When it reconnects and sends the command again, it gets the
                // answer from the log.
                if !self.log.is_elsewhere() {
                    reply.send(answer).ok();
                }
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
            ActorMessage::RevokeLink { link } => self.revoke_link(link, now),
            ActorMessage::Unwatch { watcher_id } => self.remove_watcher(watcher_id, now),
            ActorMessage::FromNode(message) => self.handle_node_message(message, now).await,
        }
    }

    pub(super) fn state(&self) -> &TableState {
        self.log.state()
    }

    /// Adds the current turn to the started turns, once for each turn. The owner of the match does
    /// this again after a restart, because a turn may have started just before the server died. A turn
    /// for which a conditional move may be due is added later.
    pub(super) fn report_turn(&mut self) {
        if !self.log.is_claimed() || self.must_check_conditional_moves() {
            return;
        }
        let turn = StartedTurn::of(self.log.state());
        let is_new = turn.map(|turn| (turn.match_id, turn.ply, turn.player))
            != self.reported_turn.map(|turn| (turn.match_id, turn.ply, turn.player));
        if let Some(turn) = turn.filter(|_| is_new) {
            self.deps.started_turns.add(turn);
        }
        self.reported_turn = turn;
    }
}
