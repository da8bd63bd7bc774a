//! The actor of a table: the one task that owns its match, and the only writer of the match's log.
//!
//! For each command: decide, append to the log, and only then apply it, publish its events and
//! answer. Every answer and every published event is durable.

use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy, STALL_LIMIT};
use quadrex_protocol::view::{Entry, StateView};
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_store::{AppendError, Store};
use quadrex_table::frames::BatchPosition;
use quadrex_table::{
    CloseAfter, Deadline, History, Outage, PresenceView, Stage, StoredAbsence, TableCommand, TableState,
    state_view,
};
use tokio::sync::{mpsc, watch};

use super::bot_notifier::{BotNotifier, BotRunner};
use super::changed_tables::ChangedTables;
use super::handle::{
    ActorMessage, Answer, Command, CommandRequest, MAILBOX, Mail, TableHandle, TableOverview,
};
use super::load::LoadError;
use super::presence::Audience;
use super::publications;
use super::record::{CommitError, Committed, Record};
use super::stall::StallTracker;
use crate::bus::{Frame, LocalBus};
use crate::fault::Fault;
use crate::lease::Lease;

/// The number of attempts at a command if another server appends to the log first.
const TRIES: u32 = 3;

/// The pause before a failed store operation is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The time for which the actor of a closed table lingers once nobody watches it.
const LINGER: Duration = Duration::from_secs(30);

/// The dependencies of a table's actor.
#[derive(Clone, Debug)]
pub struct TableDeps {
    /// The store of logs.
    pub store: Store,
    /// The bus on which the table's events are published.
    pub bus: LocalBus,
    /// The clock.
    pub clock: Clock,
    /// The source of fault ids.
    pub entropy: Entropy,
    /// Collects the tables whose entries in the lobby have changed.
    pub changed: Arc<ChangedTables>,
    /// The times for which an empty table stays open.
    pub close_after: CloseAfter,
    /// The maximum number of events replayed to a returning watcher; beyond it, the watcher gets a
    /// snapshot.
    pub resync_events: u64,
    /// The grace period after an interruption, before the clocks run again.
    pub grace: Duration,
    /// The runner of bots.
    pub runner: Arc<dyn BotRunner>,
    /// The lease that allows the server to answer and to run timers.
    pub lease: Lease,
}

/// A table and its match.
#[derive(Debug)]
pub struct TableActor {
    pub(super) deps: TableDeps,
    pub(super) record: Record,
    pub(super) audience: Audience,
    /// The most recently published presence.
    pub(super) published: PresenceView,
    /// The state as of the last published event: what every watcher has, clocks aside.
    published_state: StateView,
    /// The time at which presence is published next.
    pub(super) presence_due: Option<Timestamp>,
    /// The time at which a failed store operation is retried.
    retry_at: Option<Timestamp>,
    /// The stalls, whose time is credited to the players before anything else happens.
    stall: StallTracker,
    /// The store's knowledge of the running reconnect bank.
    absence: StoredAbsence,
    /// The time at which the table became idle: nobody present and no match running.
    idle_since: Option<Timestamp>,
    /// The snapshot for spectators and its time. Any change invalidates it, and it expires quickly,
    /// because it contains clocks.
    pub(super) spectator_frame: Option<(Timestamp, Frame)>,
    pub(super) overview: watch::Sender<TableOverview>,
    /// Notifies the table's bots of new tasks.
    pub(super) bots: BotNotifier,
}

impl TableActor {
    /// Creates the actor of a new table, whose first events are already in the log.
    #[must_use]
    pub fn opened(deps: TableDeps, history: History) -> Self {
        let record = Record::opened(deps.store.clone(), history);
        Self::new(deps, record)
    }

    /// Reads a match that has no actor, for a viewer. It is claimed only when something has to be
    /// written.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn read(deps: TableDeps, table: TableId, match_id: MatchId) -> Result<Self, LoadError> {
        let record = Record::read(deps.store.clone(), table, match_id, deps.clock.now()).await?;
        Ok(Self::new(deps, record))
    }

    /// Claims and reads an unfinished match after an outage. `None` if there is no such match.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn resume(
        deps: TableDeps,
        table: TableId,
        match_id: MatchId,
        outage: Outage,
    ) -> Result<Option<Self>, LoadError> {
        let record = Record::resume(deps.store.clone(), table, match_id, outage).await?;
        Ok(record.map(|record| Self::new(deps, record)))
    }

    fn new(deps: TableDeps, record: Record) -> Self {
        let overview = watch::Sender::new(TableOverview::new(record.state(), 0, record.is_claimed()));
        let stall = StallTracker::new(&deps.clock);
        let published_state = state_view(record.state(), record.history().last_at());
        Self {
            deps,
            record,
            audience: Audience::default(),
            published: PresenceView::default(),
            published_state,
            presence_due: None,
            retry_at: None,
            stall,
            absence: StoredAbsence::default(),
            idle_since: None,
            spectator_frame: None,
            overview,
            bots: BotNotifier::default(),
        }
    }

    /// Returns the table's id.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.state().table()
    }

    /// Returns a handle to this table, and the task that serves it until the table is gone.
    pub fn start(self) -> (TableHandle, impl Future<Output = TableId> + Send) {
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let own = sender.downgrade();
        (self.handle(sender), self.run(mailbox, own))
    }

    fn handle(&self, sender: mpsc::Sender<Mail>) -> TableHandle {
        TableHandle::new(self.state().table(), sender, self.overview.subscribe(), self.deps.bus.clone())
    }

    async fn run(mut self, mut mailbox: mpsc::Receiver<Mail>, own: mpsc::WeakSender<Mail>) -> TableId {
        let table = self.state().table();
        loop {
            let now = self.deps.clock.now();
            if self.bots.has_news() {
                let task = self.state().task(!self.audience.is_empty(), now);
                let (runner, handle) = (&self.deps.runner, own.upgrade().map(|sender| self.handle(sender)));
                self.bots.flush(task, runner.as_ref(), handle);
            }
            self.update_idle_time(now);
            self.store_absence(now).await;
            let wake = self.next_wake();
            let message = tokio::select! {
                biased;
                message = mailbox.recv() => message,
                () = self.stall.sleep_until(&self.deps.clock, wake) => {
                    // Another server may own the match by now: nothing is done without the lease.
                    self.deps.lease.held().await;
                    let now = self.deps.clock.now();
                    self.wake(now).await;
                    if self.is_idle(now) && self.state().is_closed() {
                        mailbox.close();
                    }
                    continue;
                }
            };
            match message {
                None | Some(Mail::Stop) => return table,
                Some(Mail::Message(message)) => {
                    self.deps.lease.held().await;
                    let now = self.deps.clock.now();
                    // Timers that were due before the message run first, even if many messages have
                    // delayed them.
                    self.keep_time(now).await;
                    self.handle_message(message, now).await;
                }
            }
        }
    }

    async fn handle_message(&mut self, message: ActorMessage, now: Timestamp) {
        match message {
            ActorMessage::Command { request, answer } => {
                let answer_now = self.handle_command(request, now).await;
                // The client may be gone; it finds the answer in the log when it reconnects.
                answer.send(answer_now).ok();
            }
            // The watcher has lost access since it was checked; its next request is refused.
            ActorMessage::Watch { watcher, .. } if !watcher.may_watch(self.state()) => {}
            ActorMessage::Watch { watch_id, watcher, from, answer } => {
                let viewer = watcher.viewer;
                self.enter(watch_id, watcher, now);
                answer.send(self.initial_frames(viewer, from, now)).ok();
            }
            ActorMessage::Claim { answer } => {
                self.claim(now).await;
                answer.send(()).ok();
            }
            ActorMessage::EndLink { link } => self.end_links(|right| right.secret == link, now),
            ActorMessage::Unwatch { watch_id } => self.leave(watch_id, now),
        }
    }

    /// Runs what is due.
    async fn wake(&mut self, now: Timestamp) {
        if self.presence_due.is_some_and(|due| due <= now) {
            self.publish_presence(now);
        }
        if self.retry_at.is_some_and(|retry| retry <= now) {
            self.retry_at = None;
        }
        self.keep_time(now).await;
        if self.is_idle(now) && !self.state().is_closed() {
            self.close(now).await;
        }
    }

    /// Returns the time of the next [`wake`](Self::wake).
    fn next_wake(&self) -> Option<Timestamp> {
        let due = self.retry_at.or_else(|| Some(self.state().next_deadline()?.at));
        let away = self.absence.due(self.state()).filter(|_| self.record.is_claimed());
        let links = self.audience.link_expiry();
        [due, self.idle_until(), self.presence_due, away, links].into_iter().flatten().min()
    }

    fn update_idle_time(&mut self, now: Timestamp) {
        let goes_on = matches!(self.state().stage(), Stage::Running(_)) && !self.state().pauses_unwatched();
        let idle = self.audience.is_empty() && !goes_on;
        self.idle_since = if idle { self.idle_since.or(Some(now)) } else { None };
    }

    /// Returns the time at which the table will have been idle long enough to close or, if it is
    /// closed, for its actor to end.
    fn idle_until(&self) -> Option<Timestamp> {
        let stays = self.state().closes_after(self.deps.close_after).unwrap_or(LINGER);
        self.idle_since.map(|since| since + stays)
    }

    fn is_idle(&self, now: Timestamp) -> bool {
        self.idle_until().is_some_and(|until| until <= now)
    }

    /// Closes the table. If the store fails, the idle time starts over.
    async fn close(&mut self, now: Timestamp) {
        if let Err(fault) = self.commit(&Command::Own(TableCommand::Close), now).await {
            tracing::warn!(match.id = %self.state().match_id(), fault = %fault, "a table cannot close yet");
            self.idle_since = Some(now);
        }
    }

    /// Runs the timers that are due. If the store fails, they are retried later.
    async fn keep_time(&mut self, now: Timestamp) {
        if self.audience.link_expiry().is_some_and(|expiry| expiry <= now) {
            self.end_links(|right| right.expires_at <= now, now);
        }
        if self.retry_at.is_some() {
            return;
        }
        if let Err(fault) = self.compensate(now).await {
            tracing::warn!(match.id = %self.state().match_id(), fault = %fault, "an interruption waits for the store");
            self.retry_at = Some(now + RETRY_PAUSE);
            return;
        }
        while let Some(Deadline { timer, .. }) = self.state().next_deadline().filter(|due| due.at <= now) {
            match self.commit(&Command::Own(TableCommand::Timer(timer)), now).await {
                Ok(Answer::Done { .. }) => {}
                Ok(answer) => {
                    tracing::error!(match.id = %self.state().match_id(), ?timer, ?answer, "a timer had no effect");
                    self.retry_at = Some(now + RETRY_PAUSE);
                    return;
                }
                Err(fault) => {
                    tracing::warn!(match.id = %self.state().match_id(), ?timer, fault = %fault, "a timer waits for the store");
                    self.retry_at = Some(now + RETRY_PAUSE);
                    return;
                }
            }
        }
    }

    /// Credits the players with the time in which nobody could move, and starts a grace period.
    async fn compensate(&mut self, now: Timestamp) -> Result<(), Fault> {
        let Some(since) = self.stall.end() else { return Ok(()) };
        let alive = since.max(self.record.history().last_at());
        let resumes = now + self.deps.grace;
        let outage = Outage { alive: Some(alive), back: now, resumes };
        if let Err(fault) = self.commit(&Command::Own(TableCommand::Compensate(outage)), now).await {
            self.stall.begin(since);
            return Err(fault);
        }
        Ok(())
    }

    /// Handles a player's command.
    async fn handle_command(&mut self, request: CommandRequest, now: Timestamp) -> Answer {
        let committed = match self.compensate(now).await {
            Ok(()) => self.commit(&Command::Player(request), now).await,
            Err(fault) => Err(fault),
        };
        committed.unwrap_or_else(Answer::Fault)
    }

    /// Commits a command and publishes every event that reached the log, even if the commit fails.
    /// If that fails or takes too long, the time from `now` on is not charged to the players.
    async fn commit(&mut self, command: &Command, now: Timestamp) -> Result<Answer, Fault> {
        let members = self.state().members();
        let kicked = Arc::clone(&self.overview.borrow().kicked);
        let head = self.head();
        let committed = self.commit_and_publish(command, now).await;
        if self.head() != head {
            self.kick(&kicked);
            self.revoke_lost_rights(&members);
            self.state_changed(now);
        }
        self.publish_claim();
        if committed.is_err() || self.deps.clock.now().since(now) > STALL_LIMIT {
            self.stall.begin(now);
        }
        committed.map_err(|error| {
            let doing = format!("commit a command in match {}", self.state().match_id());
            Fault::log(&self.deps.entropy, now, &doing, &error)
        })
    }

    /// Decides a command, appends its events to the log, and then applies and publishes them, one
    /// after the other.
    async fn commit_and_publish(&mut self, command: &Command, now: Timestamp) -> Result<Answer, CommitError> {
        let mut last_error = AppendError::Fenced;
        for _ in 0..TRIES {
            if self.record.is_lost() {
                self.reacquire(now).await?;
            }
            match self.record.commit(command, now).await? {
                Committed::Appended { answer, events, at, next } => {
                    let head = self.state().head() + events.len() as u64;
                    for event in events {
                        self.record.apply(event, at);
                        self.publish_last_event(head, now);
                    }
                    if let Some(next) = next {
                        self.begin_next(*next, now);
                    }
                    return Ok(answer);
                }
                Committed::Unchanged(answer) => return Ok(answer),
                Committed::ReadOnly => self.reacquire(now).await?,
                Committed::Outdated(error) => last_error = error,
            }
        }
        Err(last_error.into())
    }

    /// Claims and reloads the match if necessary, then publishes the logged events that watchers
    /// have not received.
    async fn reacquire(&mut self, now: Timestamp) -> Result<(), LoadError> {
        let known = self.state().head();
        self.record.reacquire(now).await?;
        if self.state().head() > known {
            let Self { deps, record, published_state, .. } = self;
            let last = record.history().last_for_all();
            record.history().replay_from(known, |entry, state| {
                publish_event(&deps.bus, entry, published_state, state, last, now);
            });
        }
        while let Some(next) = self.record.claim_next().await? {
            self.begin_next(next, now);
        }
        Ok(())
    }

    /// Publishes the event that was applied last. `head` is the number of its command's last event.
    fn publish_last_event(&mut self, head: u64, now: Timestamp) {
        let Self { deps, record, published_state, .. } = self;
        let entry = record.history().entries().last().expect("an event was just applied");
        publish_event(&deps.bus, entry, published_state, record.state(), head, now);
    }

    /// Replaces the match with the table's next one and publishes it.
    fn begin_next(&mut self, next: Record, now: Timestamp) {
        let previous = self.state().match_id();
        self.record = next;
        let connected = self.audience.connected_players(self.state());
        self.record.set_connected(&connected, now);
        self.published_state = state_view(self.state(), now);
        let presence = self.audience.presence(self.state(), now);
        self.deps.bus.publish(publications::next_match(self.record.history(), previous, &presence, now));
    }

    /// Claims the match if it has only been read so far.
    async fn claim(&mut self, now: Timestamp) {
        let head = self.head();
        let claimed = self.reacquire(now).await;
        if self.head() != head {
            self.state_changed(now);
        }
        if let Err(error) = claimed {
            Fault::log(&self.deps.entropy, now, "claim a match that was read for a viewer", &error);
        }
        self.publish_claim();
    }

    /// Saves the running reconnect bank beside the log when that is due. A failed write is retried
    /// later.
    async fn store_absence(&mut self, now: Timestamp) {
        let state = self.record.state();
        let Some(away) = self.absence.pending(state, now).filter(|_| self.record.is_claimed()) else {
            return;
        };
        match self.deps.store.set_turn_absence(state.match_id(), &away).await {
            Ok(()) => self.absence.confirm(state.match_id(), away),
            Err(error) => {
                tracing::debug!(match.id = %state.match_id(), "an absence is not stored yet: {}", chain(&error));
                self.absence.postpone(now + RETRY_PAUSE);
            }
        }
    }

    fn publish_claim(&self) {
        let is_claimed = self.record.is_claimed();
        self.overview.send_if_modified(|overview| {
            std::mem::replace(&mut overview.is_claimed, is_claimed) != is_claimed
        });
    }

    /// Updates everything that is derived from the state after it has changed.
    fn state_changed(&mut self, now: Timestamp) {
        self.spectator_frame = None;
        let connected = self.audience.connected_players(self.state());
        self.record.set_connected(&connected, now);
        // Presence cannot have changed if every player is connected and was last published so.
        let seats = self.state().seats().len();
        if connected.len() < seats || self.published.connected_count() < seats {
            self.schedule_presence(now);
        }
        self.bots.mark();
        let state = self.record.state();
        self.overview.send_modify(|overview| {
            overview.update(state);
            overview.set_connected(state, &connected);
        });
        self.deps.changed.mark(state.table());
    }

    pub(super) fn state(&self) -> &TableState {
        self.record.state()
    }

    fn head(&self) -> (MatchId, u64) {
        (self.state().match_id(), self.state().head())
    }
}

/// Logs and publishes an event that led to `state`. `last` is the number of the last event of the
/// batch.
fn publish_event(
    bus: &LocalBus,
    entry: &Entry,
    published: &mut StateView,
    state: &TableState,
    last: u64,
    now: Timestamp,
) {
    log_event(entry);
    let position = if entry.seq == last { BatchPosition::Last } else { BatchPosition::Inner };
    bus.publish(publications::event(entry, published, state, position, now));
}

/// Logs an event of a match.
fn log_event(entry: &Entry) {
    match &entry.event {
        Event::Started { first_player, .. } => {
            tracing::info!(seq = entry.seq, %first_player, "the match began");
        }
        Event::Interrupted { .. } => {
            tracing::info!(seq = entry.seq, "the match was resumed after an interruption");
        }
        Event::Aborted { cause } => tracing::info!(seq = entry.seq, %cause, "the match was aborted"),
        Event::Closed {} => tracing::info!(seq = entry.seq, "the table closed"),
        Event::Ended { reason, .. } => tracing::info!(seq = entry.seq, %reason, "the match ended"),
        Event::MessageSent { .. } => tracing::trace!(seq = entry.seq, "a chat message"),
        event => tracing::trace!(seq = entry.seq, ?event),
    }
}
