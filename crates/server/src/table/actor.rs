//! The actor of a table: the one task that owns its match, and the only writer of the match's log.
//!
//! For each command: decide, append to the log, and only then take it in, tell the watchers, and answer. Whoever
//! gets an answer or an event may rely on its being durable.

use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::view::{Entry, StateView};
use quadrex_protocol::{Event, MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use tokio::sync::{mpsc, watch};

use super::changed::ChangedTables;
use super::closing::CloseAfter;
use super::command::TableCommand;
use super::deadlines::Deadline;
use super::downtime::Downtime;
use super::duty::{Bell, Steward};
use super::frames::{self, Place};
use super::handle::{Answer, From, Glance, MAILBOX, Message, Order, Shown, TableHandle};
use super::history::History;
use super::kept_away::KeptAway;
use super::presence::{Audience, LinkRight, Present, Visit, Visitor, seats_of};
use super::record::{LoadError, Record, Tell};
use super::state::{Stage, TableState};
use super::stuck::Stuck;
use super::view;
use crate::bus::{Frame, LocalBus, Viewer};
use crate::clock::{Clock, STILL};
use crate::entropy::Entropy;
use crate::fault::Fault;
use crate::lease::Lease;
use quadrex_store::Store;

/// How long changes of presence are gathered before they are told.
const PRESENCE_PAUSE: Duration = Duration::from_millis(100);

/// How long those without a seat may be shown the same snapshot.
const SNAPSHOT_LASTS: Duration = Duration::from_millis(100);

/// How long a table waits before it tries again what the store could not do.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// How long the actor of a closed table stays when nobody watches.
const LINGER: Duration = Duration::from_secs(30);

/// What a table's actor works with.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The log.
    pub store: Store,
    /// Where watchers listen.
    pub bus: LocalBus,
    /// The time.
    pub clock: Clock,
    /// Names for faults.
    pub entropy: Entropy,
    /// Told whenever a table looks otherwise than before.
    pub changed: Arc<ChangedTables>,
    /// How long tables stay that nobody is at.
    pub close_after: CloseAfter,
    /// The most events that a returning watcher is sent one by one; above that it gets a snapshot.
    pub resync_events: u64,
    /// How long clocks wait after a time in which nobody could move.
    pub grace: Duration,
    /// Runs the bots.
    pub steward: Arc<dyn Steward>,
    /// The right to answer and to act on time.
    pub lease: Lease,
}

/// A table and its match.
#[derive(Debug)]
pub struct Table {
    tools: Tools,
    record: Record,
    audience: Audience,
    /// Who was there when it was told last.
    told: Present,
    /// What was true after the event that was told last: what all who watch hold, but for the clocks.
    told_state: StateView,
    /// When presence is to be told.
    presence_due: Option<Timestamp>,
    /// When to try again what the store could not do.
    retry_at: Option<Timestamp>,
    /// Time to be given back before anything else is done.
    stuck: Stuck,
    /// What the store has of a reconnect bank that runs.
    away: KeptAway,
    /// Since when nobody is there, and no match runs.
    idle_since: Option<Timestamp>,
    /// The snapshot for those without a seat, and when it was made: good until anything changes, and not for long, since
    /// clocks stand in it.
    snapshot: Option<(Timestamp, Frame)>,
    glance: watch::Sender<Glance>,
    /// Calls its bots.
    bell: Bell,
}

impl Table {
    /// A table just made, its first events in the log under the first claim.
    #[must_use]
    pub fn opened(tools: Tools, history: History) -> Self {
        let record = Record::opened(tools.store.clone(), history);
        Self::new(tools, record)
    }

    /// Reads a match that has no actor, for somebody who looks: nothing is claimed before something is to be written.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn read(tools: Tools, table: TableId, match_id: MatchId) -> Result<Self, LoadError> {
        let record = Record::read(tools.store.clone(), table, match_id, tools.clock.now()).await?;
        Ok(Self::new(tools, record))
    }

    /// Claims an unfinished match after the server was away, and reads it. `None` if there is no such match.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn claim(
        tools: Tools,
        table: TableId,
        match_id: MatchId,
        downtime: Downtime,
    ) -> Result<Option<Self>, LoadError> {
        let record = Record::resume(tools.store.clone(), table, match_id, downtime).await?;
        Ok(record.map(|record| Self::new(tools, record)))
    }

    fn new(tools: Tools, record: Record) -> Self {
        let glance = watch::Sender::new(Glance::new(record.state(), 0, record.is_claimed()));
        let stuck = Stuck::new(&tools.clock);
        let told_state = view::state_view(record.state(), record.history().last_at());
        Self {
            tools,
            record,
            audience: Audience::default(),
            told: Present::default(),
            told_state,
            presence_due: None,
            retry_at: None,
            stuck,
            away: KeptAway::default(),
            idle_since: None,
            snapshot: None,
            glance,
            bell: Bell::default(),
        }
    }

    /// Which table.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.state().table()
    }

    /// The way to this table, and the task that answers there until the table goes away.
    pub fn start(self) -> (TableHandle, impl Future<Output = TableId> + Send) {
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let own = sender.downgrade();
        (self.handle(sender), self.run(mailbox, own))
    }

    fn handle(&self, sender: mpsc::Sender<Message>) -> TableHandle {
        TableHandle::new(self.state().table(), sender, self.glance.subscribe(), self.tools.bus.clone())
    }

    async fn run(mut self, mut mailbox: mpsc::Receiver<Message>, own: mpsc::WeakSender<Message>) -> TableId {
        let table = self.state().table();
        loop {
            let now = self.tools.clock.now();
            if self.bell.is_struck() {
                let duty = self.state().duty(!self.audience.is_empty(), now);
                let (steward, handle) =
                    (&self.tools.steward, own.upgrade().map(|sender| self.handle(sender)));
                self.bell.ring(duty, steward.as_ref(), handle);
            }
            self.note_idleness(now);
            if self.record.is_claimed() {
                self.away.keep(&self.tools.store, self.record.state(), now).await;
            }
            let wake = self.next_wake();
            let message = tokio::select! {
                biased;
                message = mailbox.recv() => message,
                () = self.stuck.or_due(&self.tools.clock, wake) => {
                    // Another server may run the match by now: it learns that before it acts.
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
                None | Some(Message::Stop) => return table,
                Some(message) => {
                    self.tools.lease.held().await;
                    let now = self.tools.clock.now();
                    // What was due before counts as done before, also when many messages keep the timer waiting.
                    self.keep_time(now).await;
                    self.receive(message, now).await;
                }
            }
        }
    }

    async fn receive(&mut self, message: Message, now: Timestamp) {
        match message {
            Message::Command { order, answer } => {
                let became = self.command(&order, now).await;
                // Whoever asked may be gone; the log has the answer for its return.
                answer.send(became).ok();
            }
            // The right was there when it was asked for; who asks again is told that it is gone.
            Message::Watch { visitor, .. } if !visitor.may_watch(self.state()) => {}
            Message::Watch { visit, visitor, from, answer } => {
                let viewer = visitor.viewer;
                self.enter(visit, visitor, now);
                answer.send(self.show(viewer, from, now)).ok();
            }
            Message::TakeUp { answer } => {
                self.take_up(now).await;
                answer.send(()).ok();
            }
            Message::EndLink { link } => self.end_links(|right| right.secret == link, now),
            Message::Unwatch { visit } => {
                self.audience.leave(visit);
                self.attention_changed(!self.audience.is_empty());
                self.presence_changed(now);
            }
            Message::Stop => unreachable!("the loop ends on it"),
        }
    }

    /// Does what time asks for.
    async fn wake(&mut self, now: Timestamp) {
        if self.presence_due.is_some_and(|due| due <= now) {
            self.tell_presence(now);
        }
        if self.retry_at.is_some_and(|retry| retry <= now) {
            self.retry_at = None;
        }
        self.keep_time(now).await;
        if self.is_idle(now) && !self.state().is_closed() {
            self.close(now).await;
        }
    }

    /// When [`wake`](Self::wake) is next needed.
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

    /// When the table has been without people for as long as it may: then it closes, and once closed its actor ends.
    fn idle_until(&self) -> Option<Timestamp> {
        let stays = self.state().closes_after(self.tools.close_after).unwrap_or(LINGER);
        self.idle_since.map(|since| since + stays)
    }

    fn is_idle(&self, now: Timestamp) -> bool {
        self.idle_until().is_some_and(|until| until <= now)
    }

    /// Closes the table. If the store cannot keep that, the table waits once more for people.
    async fn close(&mut self, now: Timestamp) {
        if let Err(fault) = self.carry_out(&TableCommand::Close, None, now).await {
            tracing::warn!(match.id = %self.state().match_id(), fault = %fault, "a table cannot close yet");
            self.idle_since = Some(now);
        }
    }

    /// Does what the match's deadlines ask for by now. If the store cannot keep it, it is tried again later.
    async fn keep_time(&mut self, now: Timestamp) {
        if self.audience.link_expiry().is_some_and(|expiry| expiry <= now) {
            self.end_links(|right| right.expires_at <= now, now);
        }
        if self.retry_at.is_some() {
            return;
        }
        if let Err(fault) = self.make_good(now).await {
            tracing::warn!(match.id = %self.state().match_id(), fault = %fault, "a pause of the server waits for the store");
            self.retry_at = Some(now + RETRY_PAUSE);
            return;
        }
        while let Some(Deadline { timer, .. }) = self.state().next_deadline().filter(|due| due.at <= now) {
            match self.carry_out(&TableCommand::Timer(timer), None, now).await {
                Ok(Answer::Done { .. }) => {}
                Ok(answer) => {
                    tracing::error!(match.id = %self.state().match_id(), ?timer, ?answer, "a deadline brought about nothing");
                    self.retry_at = Some(now + RETRY_PAUSE);
                    return;
                }
                Err(fault) => {
                    tracing::warn!(match.id = %self.state().match_id(), ?timer, fault = %fault, "a deadline waits for the store");
                    self.retry_at = Some(now + RETRY_PAUSE);
                    return;
                }
            }
        }
    }

    /// Gives the time back in which nobody could move, and with it a grace.
    async fn make_good(&mut self, now: Timestamp) -> Result<(), Fault> {
        let Some(since) = self.stuck.take() else { return Ok(()) };
        let alive = since.max(self.record.history().last_at());
        let resumes = now + self.tools.grace;
        let downtime = Downtime { alive: Some(alive), back: now, resumes };
        if let Err(fault) = self.carry_out(&TableCommand::MakeGood(downtime), None, now).await {
            self.stuck.begin(since);
            return Err(fault);
        }
        Ok(())
    }

    /// Carries out a person's command.
    async fn command(&mut self, order: &Order, now: Timestamp) -> Answer {
        let command =
            TableCommand::Person { by: order.by.clone(), seat: order.seat, action: order.action.clone() };
        let carried_out = match self.make_good(now).await {
            Ok(()) => self.carry_out(&command, Some(order), now).await,
            Err(fault) => Err(fault),
        };
        carried_out.unwrap_or_else(Answer::Fault)
    }

    /// Has a command carried out, and tells the watchers what is in the log by then. From `now` on nobody could move if
    /// that was in vain, or took too long.
    async fn carry_out(
        &mut self,
        command: &TableCommand,
        order: Option<&Order>,
        now: Timestamp,
    ) -> Result<Answer, Fault> {
        let party = self.state().party();
        let kicked = Arc::clone(&self.glance.borrow().kicked);
        let Self { tools, record, audience, told_state, .. } = self;
        let mut tell = Teller { bus: &tools.bus, audience, told_state, now, has_told: false };
        let became = record.carry_out(command, order, now, &mut tell).await;
        if tell.has_told {
            self.kick(&kicked);
            self.part(&party);
            self.looks_different(now);
        }
        self.show_claim();
        if became.is_err() || self.tools.clock.now().since(now) > STILL {
            self.stuck.begin(now);
        }
        became.map_err(|error| {
            let doing = format!("carry out a command in match {}", self.state().match_id());
            Fault::log(&self.tools.entropy, now, &doing, &error)
        })
    }

    /// Claims the match if it was only read so far.
    async fn take_up(&mut self, now: Timestamp) {
        let Self { tools, record, audience, told_state, .. } = self;
        let mut tell = Teller { bus: &tools.bus, audience, told_state, now, has_told: false };
        let taken = record.take_up(now, &mut tell).await;
        if tell.has_told {
            self.looks_different(now);
        }
        if let Err(error) = taken {
            Fault::log(&self.tools.entropy, now, "claim a match that was only read", &error);
        }
        self.show_claim();
    }

    fn show_claim(&self) {
        let is_claimed = self.record.is_claimed();
        self.glance
            .send_if_modified(|glance| std::mem::replace(&mut glance.is_claimed, is_claimed) != is_claimed);
    }

    /// Ends what users kicked just now watch.
    fn kick(&mut self, before: &[UserId]) {
        let kicked: Vec<_> = self.state().seating.kicked().filter(|user| !before.contains(user)).collect();
        if !kicked.is_empty() {
            self.audience.kick(&kicked);
            self.tools.bus.publish(frames::kicked(self.state(), kicked));
        }
    }

    /// Who was of the party and is no more ceases to watch, unless it may all the same.
    fn part(&mut self, before: &[UserId]) {
        let party = self.state().party();
        let parted: Vec<_> = before.iter().copied().filter(|user| !party.contains(user)).collect();
        if !parted.is_empty() {
            self.audience.part(&parted);
            self.attention_changed(!self.audience.is_empty());
            self.tools.bus.publish(frames::parted(self.state(), parted));
        }
    }

    /// Ends what is watched by links that are no more.
    fn end_links(&mut self, has_ended: impl Fn(&LinkRight) -> bool, now: Timestamp) {
        let party = self.state().party();
        let links = self.audience.end_links(has_ended, &party);
        if !links.is_empty() {
            self.attention_changed(!self.audience.is_empty());
            self.presence_changed(now);
            self.tools.bus.publish(frames::links_ended(self.state(), links, party));
        }
    }

    fn enter(&mut self, visit: Visit, visitor: Visitor, now: Timestamp) {
        self.attention_changed(!self.audience.is_empty());
        self.audience.enter(visit, visitor);
        self.presence_changed(now);
    }

    /// What a line is shown that begins to watch.
    fn show(&mut self, viewer: Viewer, from: From, now: Timestamp) -> Shown {
        let state = self.state();
        let (head, sits) = (state.head(), !seats_of(state, viewer).is_empty());
        let frames = match from {
            From::After(match_id, after)
                if match_id == state.match_id()
                    && after <= head
                    && head - after <= self.tools.resync_events =>
            {
                let mut frames = vec![frames::watching(state)];
                frames.extend(frames::missed(self.record.history(), after, viewer, now));
                frames
            }
            From::Nothing | From::After(..) => vec![self.snapshot(viewer, sits, now)],
        };
        Shown { frames, match_id: self.state().match_id(), head, sits }
    }

    /// The whole table. Those without a seat share one for a moment.
    fn snapshot(&mut self, viewer: Viewer, sits: bool, now: Timestamp) -> Frame {
        if sits {
            let present = self.audience.present(self.state(), now);
            return frames::snapshot(self.record.history(), &present, viewer, now);
        }
        let is_fresh = |made: Timestamp| now.since(made) < SNAPSHOT_LASTS;
        let shared = self.snapshot.take().filter(|(made, _)| is_fresh(*made)).unwrap_or_else(|| {
            let present = self.audience.present(self.state(), now);
            (now, frames::snapshot(self.record.history(), &present, viewer, now))
        });
        self.snapshot.insert(shared).1.clone()
    }

    /// Notifies the bots unless somebody else is there: what they have to do depends on whether anybody is.
    fn attention_changed(&mut self, others_are_there: bool) {
        if !others_are_there {
            self.bell.strike();
        }
    }

    /// Who watches, or who sits, may be others than before.
    fn presence_changed(&mut self, now: Timestamp) {
        let here = self.audience.players_here(self.state());
        self.record.notice(&here, now);
        self.presence_is_due(now);
    }

    fn presence_is_due(&mut self, now: Timestamp) {
        self.presence_due = self.presence_due.or(Some(now + PRESENCE_PAUSE));
    }

    fn tell_presence(&mut self, now: Timestamp) {
        self.presence_due = None;
        self.snapshot = None;
        let present = self.audience.present(self.state(), now);
        if present != self.told {
            self.tools.bus.publish(frames::presence(self.state(), &present));
            if present.spectators != self.told.spectators {
                self.glance.send_modify(|glance| glance.status.spectators = present.spectators);
                self.tools.changed.mark(self.id());
            }
            self.told = present;
        }
    }

    /// What was made for others to see is no longer right; who sits, and whose bank runs, may have changed too.
    fn looks_different(&mut self, now: Timestamp) {
        self.snapshot = None;
        let here = self.audience.players_here(self.state());
        self.record.notice(&here, now);
        // With all seats' players there, as all were told before, there is nothing to tell.
        let seats = self.state().seats().len();
        if here.len() < seats || self.told.connected() < seats {
            self.presence_is_due(now);
        }
        self.bell.strike();
        let state = self.record.state();
        self.glance.send_modify(|glance| glance.renew(state));
        self.tools.changed.mark(state.table());
    }

    fn state(&self) -> &TableState {
        self.record.state()
    }
}

/// Tells the watchers what the log has.
struct Teller<'a> {
    bus: &'a LocalBus,
    audience: &'a Audience,
    told_state: &'a mut StateView,
    now: Timestamp,
    has_told: bool,
}

impl Tell for Teller<'_> {
    fn event(&mut self, entry: &Entry, state: &TableState, place: Place) {
        self.has_told = true;
        note(entry);
        self.bus.publish(frames::event(entry, self.told_state, state, place, self.now));
    }

    fn next_match(&mut self, after: MatchId, history: &mut History) {
        self.has_told = true;
        history.notice(&self.audience.players_here(history.state()), self.now);
        *self.told_state = view::state_view(history.state(), self.now);
        let present = self.audience.present(history.state(), self.now);
        self.bus.publish(frames::next_match(history, after, &present, self.now));
    }
}

/// Logs what whoever runs the server may want to know of a match.
fn note(entry: &Entry) {
    match &entry.event {
        Event::Started { beginner, .. } => tracing::info!(seq = entry.seq, %beginner, "the match began"),
        Event::Interrupted { .. } => {
            tracing::info!(seq = entry.seq, "the match goes on after a pause of the server");
        }
        Event::Aborted { cause } => tracing::info!(seq = entry.seq, %cause, "the match was aborted"),
        Event::Closed {} => tracing::info!(seq = entry.seq, "the table closed"),
        Event::Ended { reason, .. } => tracing::info!(seq = entry.seq, %reason, "the match ended"),
        Event::Said { .. } => tracing::trace!(seq = entry.seq, "somebody said something"),
        event => tracing::trace!(seq = entry.seq, ?event),
    }
}
