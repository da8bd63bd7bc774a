//! The actor of a table: the one task that owns its match, and the only writer of the match's log.
//!
//! For each command: decide, append to the log, and only then apply it, publish its events and
//! answer. Every answer and every published event is durable.

use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy, STALL_LIMIT};
use quadrex_protocol::view::{Entry, StateView};
use quadrex_protocol::{Event, MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use tokio::sync::{mpsc, watch};

use super::bot_task::{BotNotifier, BotRunner};
use super::changed::ChangedTables;
use super::closing::CloseAfter;
use super::command::TableCommand;
use super::deadlines::Deadline;
use super::frames::{self, Place};
use super::handle::{
    ActorMessage, Answer, CommandRequest, InitialFrames, MAILBOX, ResumeFrom, TableHandle, TableOverview,
};
use super::history::History;
use super::kept_away::KeptAway;
use super::outage::Outage;
use super::presence::{Audience, LinkRight, Present, WatchId, WatcherInfo, seats_of};
use super::record::{LoadError, Publish, Record};
use super::stall::StallTracker;
use super::state::{Stage, TableState};
use super::view;
use crate::bus::{Frame, LocalBus, Viewer};
use crate::fault::Fault;
use crate::lease::Lease;
use quadrex_store::Store;

/// The time for which changes of presence are collected before they are published.
const PRESENCE_PAUSE: Duration = Duration::from_millis(100);

/// The time for which spectators share a snapshot.
const SNAPSHOT_LASTS: Duration = Duration::from_millis(100);

/// The pause before a failed store operation is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The time for which the actor of a closed table stays without watchers.
const LINGER: Duration = Duration::from_secs(30);

/// The dependencies of a table's actor.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The store of logs.
    pub store: Store,
    /// The channel of the table's events.
    pub bus: LocalBus,
    /// The clock.
    pub clock: Clock,
    /// The source of fault ids.
    pub entropy: Entropy,
    /// The tables that look different from before, for the lobby.
    pub changed: Arc<ChangedTables>,
    /// The times after which tables without people close.
    pub close_after: CloseAfter,
    /// The most events that a returning watcher is sent one by one; beyond it, the watcher gets a
    /// snapshot.
    pub resync_events: u64,
    /// The grace after an interruption, before the clocks run again.
    pub grace: Duration,
    /// The runner of bots.
    pub runner: Arc<dyn BotRunner>,
    /// The lease that allows the server to answer and to run timers.
    pub lease: Lease,
}

/// A table and its match.
#[derive(Debug)]
pub struct Table {
    tools: Tools,
    record: Record,
    audience: Audience,
    /// The presence as it was published last.
    published: Present,
    /// The state after the last published event, which all watchers have, apart from the clocks.
    published_state: StateView,
    /// The time at which presence is published next.
    presence_due: Option<Timestamp>,
    /// The time at which a failed store operation is retried.
    retry_at: Option<Timestamp>,
    /// Time to give back to the players before anything else is done.
    stall: StallTracker,
    /// The stored state of a running reconnect bank.
    away: KeptAway,
    /// The time since which nobody has been present and no match has run.
    idle_since: Option<Timestamp>,
    /// The snapshot for spectators and its time. It is valid until anything changes, and briefly,
    /// since it has clocks.
    spectator_frame: Option<(Timestamp, Frame)>,
    overview: watch::Sender<TableOverview>,
    /// The notifier of its bots.
    bots: BotNotifier,
}

impl Table {
    /// Creates a table whose first events are in the log under the first claim.
    #[must_use]
    pub fn opened(tools: Tools, history: History) -> Self {
        let record = Record::opened(tools.store.clone(), history);
        Self::new(tools, record)
    }

    /// Reads a match that has no actor, for a viewer. It is claimed only when something has to be
    /// written.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn read(tools: Tools, table: TableId, match_id: MatchId) -> Result<Self, LoadError> {
        let record = Record::read(tools.store.clone(), table, match_id, tools.clock.now()).await?;
        Ok(Self::new(tools, record))
    }

    /// Claims and reads an unfinished match after an outage. `None` if there is no such match.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn claim(
        tools: Tools,
        table: TableId,
        match_id: MatchId,
        outage: Outage,
    ) -> Result<Option<Self>, LoadError> {
        let record = Record::resume(tools.store.clone(), table, match_id, outage).await?;
        Ok(record.map(|record| Self::new(tools, record)))
    }

    fn new(tools: Tools, record: Record) -> Self {
        let overview = watch::Sender::new(TableOverview::new(record.state(), 0, record.is_claimed()));
        let stall = StallTracker::new(&tools.clock);
        let published_state = view::state_view(record.state(), record.history().last_at());
        Self {
            tools,
            record,
            audience: Audience::default(),
            published: Present::default(),
            published_state,
            presence_due: None,
            retry_at: None,
            stall,
            away: KeptAway::default(),
            idle_since: None,
            spectator_frame: None,
            overview,
            bots: BotNotifier::default(),
        }
    }

    /// Returns its id.
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

    fn handle(&self, sender: mpsc::Sender<ActorMessage>) -> TableHandle {
        TableHandle::new(self.state().table(), sender, self.overview.subscribe(), self.tools.bus.clone())
    }

    async fn run(
        mut self,
        mut mailbox: mpsc::Receiver<ActorMessage>,
        own: mpsc::WeakSender<ActorMessage>,
    ) -> TableId {
        let table = self.state().table();
        loop {
            let now = self.tools.clock.now();
            if self.bots.has_news() {
                let task = self.state().task(!self.audience.is_empty(), now);
                let (runner, handle) = (&self.tools.runner, own.upgrade().map(|sender| self.handle(sender)));
                self.bots.flush(task, runner.as_ref(), handle);
            }
            self.note_idleness(now);
            if self.record.is_claimed() {
                self.away.keep(&self.tools.store, self.record.state(), now).await;
            }
            let wake = self.next_wake();
            let message = tokio::select! {
                biased;
                message = mailbox.recv() => message,
                () = self.stall.sleep_until(&self.tools.clock, wake) => {
                    // Another server may own the match by now; the lease shows that before anything
                    // is done.
                    self.tools.lease.held().await;
                    let now = self.tools.clock.now();
                    self.wake(now).await;
                    if self.is_idle(now) && self.state().is_closed() {
                        mailbox.close();
                    }
                    continue;
                }
            };
            match message {
                None | Some(ActorMessage::Stop) => return table,
                Some(message) => {
                    self.tools.lease.held().await;
                    let now = self.tools.clock.now();
                    // Timers due before the message run before it, also when many messages delay
                    // the timer.
                    self.keep_time(now).await;
                    self.receive(message, now).await;
                }
            }
        }
    }

    async fn receive(&mut self, message: ActorMessage, now: Timestamp) {
        match message {
            ActorMessage::Command { request, answer } => {
                let answer_now = self.handle_command(&request, now).await;
                // The client may be gone; the log has the answer for its return.
                answer.send(answer_now).ok();
            }
            // The right was checked before and is lost by now; a new request gets the refusal.
            ActorMessage::Watch { watcher, .. } if !watcher.may_watch(self.state()) => {}
            ActorMessage::Watch { watch_id, watcher, from, answer } => {
                let viewer = watcher.viewer;
                self.enter(watch_id, watcher, now);
                answer.send(self.show(viewer, from, now)).ok();
            }
            ActorMessage::TakeUp { answer } => {
                self.take_up(now).await;
                answer.send(()).ok();
            }
            ActorMessage::EndLink { link } => self.end_links(|right| right.secret == link, now),
            ActorMessage::Unwatch { watch_id } => {
                self.audience.leave(watch_id);
                self.attention_changed(!self.audience.is_empty());
                self.presence_changed(now);
            }
            ActorMessage::Stop => unreachable!("the loop ends on it"),
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
        let away = self.away.due(self.state()).filter(|_| self.record.is_claimed());
        let links = self.audience.link_expiry();
        [due, self.idle_until(), self.presence_due, away, links].into_iter().flatten().min()
    }

    fn note_idleness(&mut self, now: Timestamp) {
        let goes_on = matches!(self.state().stage(), Stage::Running(_)) && !self.state().sleeps_unwatched();
        let idle = self.audience.is_empty() && !goes_on;
        self.idle_since = if idle { self.idle_since.or(Some(now)) } else { None };
    }

    /// Returns the time at which the table has been without people for long enough to close, or,
    /// once closed, to end.
    fn idle_until(&self) -> Option<Timestamp> {
        let stays = self.state().closes_after(self.tools.close_after).unwrap_or(LINGER);
        self.idle_since.map(|since| since + stays)
    }

    fn is_idle(&self, now: Timestamp) -> bool {
        self.idle_until().is_some_and(|until| until <= now)
    }

    /// Closes the table. If the store cannot record that, the table waits for people once more.
    async fn close(&mut self, now: Timestamp) {
        if let Err(fault) = self.commit(&TableCommand::Close, None, now).await {
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
        if let Err(fault) = self.make_good(now).await {
            tracing::warn!(match.id = %self.state().match_id(), fault = %fault, "an interruption waits for the store");
            self.retry_at = Some(now + RETRY_PAUSE);
            return;
        }
        while let Some(Deadline { timer, .. }) = self.state().next_deadline().filter(|due| due.at <= now) {
            match self.commit(&TableCommand::Timer(timer), None, now).await {
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

    /// Gives back the time in which nobody could move, with a grace period.
    async fn make_good(&mut self, now: Timestamp) -> Result<(), Fault> {
        let Some(since) = self.stall.end() else { return Ok(()) };
        let alive = since.max(self.record.history().last_at());
        let resumes = now + self.tools.grace;
        let outage = Outage { alive: Some(alive), back: now, resumes };
        if let Err(fault) = self.commit(&TableCommand::MakeGood(outage), None, now).await {
            self.stall.begin(since);
            return Err(fault);
        }
        Ok(())
    }

    /// Handles a player's command.
    async fn handle_command(&mut self, request: &CommandRequest, now: Timestamp) -> Answer {
        let command = TableCommand::Person {
            by: request.by.clone(),
            seat: request.seat,
            action: request.action.clone(),
        };
        let committed = match self.make_good(now).await {
            Ok(()) => self.commit(&command, Some(request), now).await,
            Err(fault) => Err(fault),
        };
        committed.unwrap_or_else(Answer::Fault)
    }

    /// Commits a command and publishes the events that are in the log by then. If that fails or
    /// takes too long, the time from `now` on is given back to the players.
    async fn commit(
        &mut self,
        command: &TableCommand,
        request: Option<&CommandRequest>,
        now: Timestamp,
    ) -> Result<Answer, Fault> {
        let party = self.state().party();
        let kicked = Arc::clone(&self.overview.borrow().kicked);
        let Self { tools, record, audience, published_state, .. } = self;
        let mut publisher =
            Publisher { bus: &tools.bus, audience, published_state, now, has_published: false };
        let committed = record.commit(command, request, now, &mut publisher).await;
        if publisher.has_published {
            self.kick(&kicked);
            self.revoke_lost_rights(&party);
            self.state_changed(now);
        }
        self.publish_claim();
        if committed.is_err() || self.tools.clock.now().since(now) > STALL_LIMIT {
            self.stall.begin(now);
        }
        committed.map_err(|error| {
            let doing = format!("commit a command in match {}", self.state().match_id());
            Fault::log(&self.tools.entropy, now, &doing, &error)
        })
    }

    /// Claims the match if it has only been read so far.
    async fn take_up(&mut self, now: Timestamp) {
        let Self { tools, record, audience, published_state, .. } = self;
        let mut publisher =
            Publisher { bus: &tools.bus, audience, published_state, now, has_published: false };
        let taken = record.take_up(now, &mut publisher).await;
        if publisher.has_published {
            self.state_changed(now);
        }
        if let Err(error) = taken {
            Fault::log(&self.tools.entropy, now, "claim a match that was read for a viewer", &error);
        }
        self.publish_claim();
    }

    fn publish_claim(&self) {
        let is_claimed = self.record.is_claimed();
        self.overview.send_if_modified(|overview| {
            std::mem::replace(&mut overview.is_claimed, is_claimed) != is_claimed
        });
    }

    /// Revokes the subscriptions of users who were just kicked.
    fn kick(&mut self, before: &[UserId]) {
        let kicked: Vec<_> = self.state().seating.kicked().filter(|user| !before.contains(user)).collect();
        if !kicked.is_empty() {
            self.audience.kick(&kicked);
            self.tools.bus.publish(frames::kicked(self.state(), kicked));
        }
    }

    /// Revokes the subscriptions of users who just lost their seat or host role, unless they may
    /// watch anyway.
    fn revoke_lost_rights(&mut self, before: &[UserId]) {
        let party = self.state().party();
        let parted: Vec<_> = before.iter().copied().filter(|user| !party.contains(user)).collect();
        if !parted.is_empty() {
            self.audience.part(&parted);
            self.attention_changed(!self.audience.is_empty());
            self.tools.bus.publish(frames::parted(self.state(), parted));
        }
    }

    /// Revokes the subscriptions that rest on ended links.
    fn end_links(&mut self, has_ended: impl Fn(&LinkRight) -> bool, now: Timestamp) {
        let party = self.state().party();
        let links = self.audience.end_links(has_ended, &party);
        if !links.is_empty() {
            self.attention_changed(!self.audience.is_empty());
            self.presence_changed(now);
            self.tools.bus.publish(frames::links_ended(self.state(), links, party));
        }
    }

    fn enter(&mut self, watch_id: WatchId, watcher: WatcherInfo, now: Timestamp) {
        self.attention_changed(!self.audience.is_empty());
        self.audience.enter(watch_id, watcher);
        self.presence_changed(now);
    }

    /// Returns the first frames of a new subscription.
    fn show(&mut self, viewer: Viewer, from: ResumeFrom, now: Timestamp) -> InitialFrames {
        let state = self.state();
        let (head, sits) = (state.head(), !seats_of(state, viewer).is_empty());
        let frames = match from {
            ResumeFrom::After(match_id, after)
                if match_id == state.match_id()
                    && after <= head
                    && head - after <= self.tools.resync_events =>
            {
                let mut frames = vec![frames::watching(state)];
                frames.extend(frames::missed(self.record.history(), after, viewer, now));
                frames
            }
            ResumeFrom::Nothing | ResumeFrom::After(..) => vec![self.snapshot_frame(viewer, sits, now)],
        };
        InitialFrames { frames, match_id: self.state().match_id(), head, sits }
    }

    /// Returns the snapshot of the table. Spectators share one for a moment.
    fn snapshot_frame(&mut self, viewer: Viewer, sits: bool, now: Timestamp) -> Frame {
        if sits {
            let present = self.audience.present(self.state(), now);
            return frames::snapshot(self.record.history(), &present, viewer, now);
        }
        let is_fresh = |made: Timestamp| now.since(made) < SNAPSHOT_LASTS;
        let shared = self.spectator_frame.take().filter(|(made, _)| is_fresh(*made)).unwrap_or_else(|| {
            let present = self.audience.present(self.state(), now);
            (now, frames::snapshot(self.record.history(), &present, viewer, now))
        });
        self.spectator_frame.insert(shared).1.clone()
    }

    /// Notifies the bots unless somebody else is present, since their tasks depend on whether
    /// anybody is.
    fn attention_changed(&mut self, others_are_there: bool) {
        if !others_are_there {
            self.bots.mark();
        }
    }

    /// Updates presence after a change of watchers or seats.
    fn presence_changed(&mut self, now: Timestamp) {
        let here = self.audience.players_here(self.state());
        self.record.notice(&here, now);
        self.presence_is_due(now);
    }

    fn presence_is_due(&mut self, now: Timestamp) {
        self.presence_due = self.presence_due.or(Some(now + PRESENCE_PAUSE));
    }

    fn publish_presence(&mut self, now: Timestamp) {
        self.presence_due = None;
        self.spectator_frame = None;
        let present = self.audience.present(self.state(), now);
        if present != self.published {
            self.tools.bus.publish(frames::presence(self.state(), &present));
            if present.spectators != self.published.spectators {
                self.overview.send_modify(|overview| overview.status.spectators = present.spectators);
                self.tools.changed.mark(self.id());
            }
            self.published = present;
        }
    }

    /// Updates everything that is derived from the state after it has changed.
    fn state_changed(&mut self, now: Timestamp) {
        self.spectator_frame = None;
        let here = self.audience.players_here(self.state());
        self.record.notice(&here, now);
        // Nothing changes while all players are present and were published as present.
        let seats = self.state().seats().len();
        if here.len() < seats || self.published.connected() < seats {
            self.presence_is_due(now);
        }
        self.bots.mark();
        let state = self.record.state();
        self.overview.send_modify(|overview| overview.renew(state));
        self.tools.changed.mark(state.table());
    }

    fn state(&self) -> &TableState {
        self.record.state()
    }
}

/// The publisher of committed events.
struct Publisher<'a> {
    bus: &'a LocalBus,
    audience: &'a Audience,
    published_state: &'a mut StateView,
    now: Timestamp,
    has_published: bool,
}

impl Publish for Publisher<'_> {
    fn event(&mut self, entry: &Entry, state: &TableState, place: Place) {
        self.has_published = true;
        log_event(entry);
        self.bus.publish(frames::event(entry, self.published_state, state, place, self.now));
    }

    fn next_match(&mut self, after: MatchId, history: &mut History) {
        self.has_published = true;
        history.notice(&self.audience.players_here(history.state()), self.now);
        *self.published_state = view::state_view(history.state(), self.now);
        let present = self.audience.present(history.state(), self.now);
        self.bus.publish(frames::next_match(history, after, &present, self.now));
    }
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
