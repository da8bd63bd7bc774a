//! The actor of a table: the one task that owns its match, and the only writer of the match's log.
//!
//! For each command: decide, append to the log, and only then take it in, tell the watchers, and answer. Whoever
//! gets an answer or an event may rely on its being durable.

use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::view::Head;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Timestamp;
use tokio::sync::{Notify, mpsc, watch};

use super::command::TableCommand;
use super::frames::{self, Place};
use super::handle::{Answer, From, Glance, MAILBOX, Message, Order, Shown, TableHandle};
use super::history::{Fact, History, Unreadable};
use super::presence::{Audience, Present, Visit, seat_of};
use super::state::Stage;
use super::view;
use crate::bus::{Frame, LocalBus, Viewer};
use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::fault::Fault;
use crate::store::{Append, AppendError, Author, Epoch, Logged, Store, StoreError};

/// How long changes of presence are gathered before they are told.
const PRESENCE_PAUSE: Duration = Duration::from_millis(100);

/// How long a table waits before it tries again what the store could not do.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// How long the table of an ended match stays when nobody watches.
const LINGER: Duration = Duration::from_secs(30);

/// How often a command is tried before it is a fault that the log keeps moving under it.
const TRIES: u32 = 3;

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
    pub changed: Arc<Notify>,
    /// The most events that a returning watcher is sent one by one; above that it gets a snapshot.
    pub resync_events: u64,
}

/// Why a match could not be read from the store.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store could not say.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its log makes no sense.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// Whether the log may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// With this claim.
    Claimed(Epoch),
    /// The claim is lost, or its log may have gone on: to be claimed and read again before anything else.
    Lost,
    /// The match is over; nothing is written any more.
    Reading,
}

/// A table and its match.
#[derive(Debug)]
pub struct Table {
    tools: Tools,
    history: History,
    hold: Hold,
    /// Since when the clock runs, if later than the last event: the time the server was down is not charged.
    resumed_at: Timestamp,
    audience: Audience,
    /// Who was there when it was told last.
    told: Present,
    /// When presence is to be told.
    presence_due: Option<Timestamp>,
    /// When to try again what the store could not do.
    retry_at: Option<Timestamp>,
    /// When the table goes away, if nobody comes.
    idle_since: Option<Timestamp>,
    /// The snapshot for those without a seat, until anything changes.
    snapshot: Option<Frame>,
    glance: watch::Sender<Glance>,
}

impl Table {
    /// A table just made, its first events in the log under the first claim.
    #[must_use]
    pub fn opened(tools: Tools, history: History) -> Self {
        let opened_at = history.last_at();
        Self::new(tools, history, Hold::Claimed(Epoch::FIRST), opened_at)
    }

    /// Reads a match that is over: nothing is claimed.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn read(tools: Tools, table: TableId, match_id: MatchId) -> Result<Self, LoadError> {
        let history = replay(&tools.store, table, match_id).await?;
        let ended_at = history.last_at();
        Ok(Self::new(tools, history, Hold::Reading, ended_at))
    }

    /// Claims an unfinished match and reads it; the running clock counts from `resume_at` on. `None` if there is
    /// no such match.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn claim(
        tools: Tools,
        table: TableId,
        match_id: MatchId,
        resume_at: Timestamp,
    ) -> Result<Option<Self>, LoadError> {
        let Some(epoch) = tools.store.claim(match_id).await? else { return Ok(None) };
        let mut history = replay(&tools.store, table, match_id).await?;
        history.restart_clock(resume_at);
        Ok(Some(Self::new(tools, history, Hold::Claimed(epoch), resume_at)))
    }

    fn new(tools: Tools, history: History, hold: Hold, resumed_at: Timestamp) -> Self {
        let glance = watch::Sender::new(glance(&history));
        Self {
            tools,
            history,
            hold,
            resumed_at,
            audience: Audience::default(),
            told: Present::default(),
            presence_due: None,
            retry_at: None,
            idle_since: None,
            snapshot: None,
            glance,
        }
    }

    /// Which table.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.history.state().table()
    }

    /// The way to this table, and the task that answers there until the table goes away.
    pub fn start(self) -> (TableHandle, impl Future<Output = TableId> + Send) {
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let table = self.history.state().table();
        let handle = TableHandle::new(table, sender, self.glance.subscribe(), self.tools.bus.clone());
        (handle, self.run(mailbox))
    }

    async fn run(mut self, mut mailbox: mpsc::Receiver<Message>) -> TableId {
        let table = self.history.state().table();
        loop {
            let now = self.tools.clock.now();
            self.note_idleness(now);
            let message = match self.next_wake() {
                None => mailbox.recv().await,
                Some(wake) => tokio::select! {
                    biased;
                    message = mailbox.recv() => message,
                    () = tokio::time::sleep(wake.since(now)) => {
                        let now = self.tools.clock.now();
                        self.wake(now).await;
                        if self.is_idle(now) {
                            mailbox.close();
                        }
                        continue;
                    }
                },
            };
            match message {
                None | Some(Message::Stop) => return table,
                Some(message) => {
                    let now = self.tools.clock.now();
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
            Message::Watch { visit, viewer, from, answer } => {
                self.enter(visit, viewer, now);
                answer.send(self.show(viewer, from, now)).ok();
            }
            Message::Unwatch { visit } => {
                self.audience.leave(visit);
                self.presence_changed(now);
            }
            Message::Stop => unreachable!("the loop ends on it"),
        }
    }

    /// Does what time asks for.
    async fn wake(&mut self, now: Timestamp) {
        if self.presence_due.is_some_and(|due| due <= now) {
            self.tell_presence();
        }
        if self.retry_at.is_some_and(|retry| retry <= now) {
            self.retry_at = None;
        }
        if self.retry_at.is_none() {
            self.fall(now).await;
        }
    }

    /// When [`wake`](Self::wake) is next needed.
    fn next_wake(&self) -> Option<Timestamp> {
        let flag = match self.retry_at {
            Some(retry) => Some(retry),
            None => self.history.state().deadline(),
        };
        let gone = self.idle_since.map(|since| since + LINGER);
        [flag, gone, self.presence_due].into_iter().flatten().min()
    }

    fn note_idleness(&mut self, now: Timestamp) {
        let idle = self.audience.is_empty() && matches!(self.history.state().stage(), Stage::Ended(_));
        self.idle_since = if idle { self.idle_since.or(Some(now)) } else { None };
    }

    fn is_idle(&self, now: Timestamp) -> bool {
        self.idle_since.is_some_and(|since| since + LINGER <= now)
    }

    /// Puts out a player whose time is up (RULES G12). If the store cannot keep that, it is tried again later.
    async fn fall(&mut self, now: Timestamp) {
        if self.history.state().deadline().is_none_or(|deadline| now < deadline) {
            return;
        }
        if let Err(fault) = self.carry_out(&TableCommand::Flag, None, now).await {
            tracing::warn!(match.id = %self.history.state().match_id(), fault = %fault, "a flag waits for the store");
            self.retry_at = Some(now + RETRY_PAUSE);
        }
    }

    /// Carries out a person's command.
    async fn command(&mut self, order: &Order, now: Timestamp) -> Answer {
        if self.retry_at.is_none() {
            self.fall(now).await;
        }
        let command = TableCommand::Person { by: order.by.clone(), action: order.action.clone() };
        match self.carry_out(&command, Some(order), now).await {
            Ok(answer) => answer,
            Err(fault) => Answer::Fault(fault),
        }
    }

    /// Decides a command, has it kept, and takes it in. Nobody hears of it before it is durable.
    async fn carry_out(
        &mut self,
        command: &TableCommand,
        order: Option<&Order>,
        now: Timestamp,
    ) -> Result<Answer, Fault> {
        for _ in 0..TRIES {
            self.hold_again(now).await?;
            let events = match self.history.state().decide(command, now) {
                Ok(events) => events,
                Err(rejection) => {
                    let before = self.answered_before(order).await;
                    let before = before.map_err(|error| self.fault(now, "look a command up", &error))?;
                    return Ok(before.unwrap_or(Answer::Refused(rejection)));
                }
            };
            let Hold::Claimed(epoch) = self.hold else {
                unreachable!("a match that is over refuses all commands")
            };
            match self.tools.store.append(&self.entry_for_log(epoch, &events, order, now)).await {
                Ok(seq) => {
                    self.take_in(events, now);
                    return Ok(Answer::Done { seq });
                }
                Err(AppendError::Duplicate { seq }) => return Ok(Answer::Done { seq }),
                Err(AppendError::LinkUsed) => return Ok(Answer::InviteUsed),
                Err(error @ (AppendError::Fenced | AppendError::Unknown(_))) => {
                    tracing::warn!(
                        match.id = %self.history.state().match_id(),
                        "the log is read again: {}", crate::fault::chain(&error)
                    );
                    self.hold = Hold::Lost;
                }
                Err(AppendError::Fault(error)) => return Err(self.fault(now, "keep a command", &error)),
            }
        }
        Err(self.fault(now, "keep a command", &AppendError::Fenced))
    }

    fn entry_for_log(&self, epoch: Epoch, events: &[Event], order: Option<&Order>, now: Timestamp) -> Append {
        let author =
            |order: &Order| Author { user: order.by.id, cmd: order.cmd.clone(), redeem: order.redeem };
        Append {
            match_id: self.history.state().match_id(),
            epoch,
            head_seq: self.history.state().head(),
            at: now,
            events: events.to_vec(),
            by: order.map(author),
        }
    }

    /// What a command that is refused now was answered when it was carried out before.
    async fn answered_before(&self, order: Option<&Order>) -> Result<Option<Answer>, StoreError> {
        let Some(order) = order else { return Ok(None) };
        let match_id = self.history.state().match_id();
        let seq = self.tools.store.command_answer(match_id, order.by.id, &order.cmd).await?;
        Ok(seq.map(|seq| Answer::Done { seq }))
    }

    /// Claims and reads the match again if the claim was lost; tells what the log has that nobody was told.
    async fn hold_again(&mut self, now: Timestamp) -> Result<(), Fault> {
        if self.hold != Hold::Lost {
            return Ok(());
        }
        let state = self.history.state();
        let (table, match_id, known) = (state.table(), state.match_id(), state.head());
        let resumed_at = self.resumed_at;
        let claimed = Self::claim(self.tools.clone(), table, match_id, resumed_at).await;
        let again = claimed.map_err(|error| self.fault(now, "claim a match again", &error))?;
        let again = again.expect("a match that was there is never removed");
        self.hold = again.hold;
        self.history = again.history;
        let unheard: Vec<_> =
            self.history.entries().iter().filter(|entry| entry.seq > known).cloned().collect();
        for entry in unheard {
            let last = entry.seq == self.history.state().head();
            let place = if last { Place::Last } else { Place::Inner };
            self.tools.bus.publish(frames::event(&entry, self.history.state(), place, now));
        }
        self.looks_different();
        Ok(())
    }

    /// Takes in what is durable now, and tells the watchers.
    fn take_in(&mut self, events: Vec<Event>, now: Timestamp) {
        let count = events.len();
        for (index, event) in events.into_iter().enumerate() {
            let place = if index + 1 == count { Place::Last } else { Place::Inner };
            let entry = self.history.push(event, now).clone();
            self.tools.bus.publish(frames::event(&entry, self.history.state(), place, now));
        }
        if let Stage::Ended(_) = self.history.state().stage() {
            self.hold = Hold::Reading;
        }
        self.presence_changed(now);
        self.looks_different();
    }

    fn enter(&mut self, visit: Visit, viewer: Viewer, now: Timestamp) {
        self.audience.enter(visit, viewer);
        self.presence_changed(now);
    }

    /// What a line is shown that begins to watch.
    fn show(&mut self, viewer: Viewer, from: From, now: Timestamp) -> Shown {
        let state = self.history.state();
        let (head, you) = (state.head(), seat_of(state, viewer));
        let frames = match from {
            From::After(match_id, after)
                if match_id == state.match_id()
                    && after <= head
                    && head - after <= self.tools.resync_events =>
            {
                frames::missed(&self.history, after, viewer, now)
            }
            From::Nothing | From::After(..) => vec![self.snapshot(you, now)],
        };
        Shown { frames, head, you }
    }

    /// The whole table. Those without a seat share one, as old as the last change or presence frame at most.
    fn snapshot(&mut self, you: Option<quadrex_rules::Color>, now: Timestamp) -> Frame {
        if you.is_some() {
            let present = self.audience.present(self.history.state());
            return frames::snapshot(&self.history, &present, you, now);
        }
        let shared = self.snapshot.take().unwrap_or_else(|| {
            let present = self.audience.present(self.history.state());
            frames::snapshot(&self.history, &present, None, now)
        });
        self.snapshot.insert(shared).clone()
    }

    fn presence_changed(&mut self, now: Timestamp) {
        self.presence_due = self.presence_due.or(Some(now + PRESENCE_PAUSE));
    }

    fn tell_presence(&mut self) {
        self.presence_due = None;
        self.snapshot = None;
        let present = self.audience.present(self.history.state());
        if present != self.told {
            self.tools.bus.publish(frames::presence(self.history.state(), &present));
            self.told = present;
        }
    }

    /// What was made for others to see is no longer right.
    fn looks_different(&mut self) {
        self.snapshot = None;
        self.glance.send_replace(glance(&self.history));
        self.tools.changed.notify_one();
    }

    fn fault(&self, now: Timestamp, doing: &str, error: &dyn std::error::Error) -> Fault {
        let doing = format!("{doing} in match {}", self.history.state().match_id());
        Fault::log(&self.tools.entropy, now, &doing, error)
    }
}

fn glance(history: &History) -> Glance {
    let state = history.state();
    Glance { head: Head { match_id: state.match_id(), seq: state.head() }, summary: view::summary(state) }
}

async fn replay(store: &Store, table: TableId, match_id: MatchId) -> Result<History, LoadError> {
    let log = store.events(match_id, 0).await?;
    let facts = log.into_iter().map(|Logged { seq, at, event, .. }| Fact { seq, at, event }).collect();
    Ok(History::replay(table, match_id, facts)?)
}
