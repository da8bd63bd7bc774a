//! The way to a table's actor.

use std::sync::Arc;

use quadrex_protocol::http::{TableStatus, TableSummary};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Head, Phase, SeatView};
use quadrex_protocol::{CmdId, MatchId, TableId, TableSettings, UserId};
use quadrex_rules::{Color, Variant};
use tokio::sync::{mpsc, oneshot, watch};

use super::command::{Action, Rejection};
use super::presence::{Visit, Visitor};
use super::state::TableState;
use super::view;
use crate::bus::{Frame, Listener, LocalBus, Published, Subscription};
use crate::fault::Fault;
use quadrex_store::SecretHash;

/// How many messages may wait for a table.
pub(super) const MAILBOX: usize = 64;

/// What a table is asked.
#[derive(Debug)]
pub(super) enum Message {
    /// To carry out a command.
    Command { order: Order, answer: oneshot::Sender<Answer> },
    /// To show itself to a line from now on; no answer comes if it has just lost the right to it.
    Watch { visit: Visit, visitor: Visitor, from: From, answer: oneshot::Sender<Shown> },
    /// To claim its match if that was only read so far.
    TakeUp { answer: oneshot::Sender<()> },
    /// To end the rights that rest on a link.
    EndLink { link: SecretHash },
    /// To forget a line.
    Unwatch { visit: Visit },
    /// To end its task, the match as it is: another one may claim it.
    Stop,
}

/// A command with its name.
#[derive(Clone, Debug)]
pub struct Order {
    /// Who gives it.
    pub by: UserView,
    /// For which of the person's seats, if that was said.
    pub seat: Option<Color>,
    /// What is wanted.
    pub action: Action,
    /// The command's name.
    pub cmd: CmdId,
    /// The match it is for, if that was said: no other one takes it.
    pub match_id: Option<MatchId>,
    /// The invite it uses.
    pub redeem: Option<SecretHash>,
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was carried out, now or before, and is durable.
    Done {
        /// The match in whose log it is.
        match_id: MatchId,
        /// The number of its last event.
        seq: u64,
    },
    /// It was refused; nothing changed.
    Refused {
        /// The match the table is at.
        match_id: MatchId,
        /// Why.
        rejection: Rejection,
    },
    /// The invite it came with has been used or has expired; nothing changed.
    InviteUsed,
    /// The server could not carry it out; the same command may be sent again.
    Fault(Fault),
}

/// Where a line wants to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// It knows nothing yet.
    Nothing,
    /// It has all events of this match up to this one.
    After(MatchId, u64),
}

/// What can be seen of a table at any time, without asking it. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// How far its match is.
    pub head: Head,
    /// As the lobby shows it, but for the `status`: that of the summary is of the time when anything else changed.
    outline: Arc<TableSummary>,
    /// What changes in the course of a match.
    pub status: TableStatus,
    /// Who plays in its match and is not out; nobody unless it runs.
    pub playing: Arc<[UserId]>,
    /// Whether its actor has claimed its match; one that was only looked at has not.
    pub is_claimed: bool,
    /// The users that the host has kicked.
    pub kicked: Arc<[UserId]>,
}

impl Glance {
    pub(super) fn new(state: &TableState, spectators: u32, is_claimed: bool) -> Self {
        Self {
            head: Head { match_id: state.match_id(), seq: state.head() },
            outline: Arc::new(view::summary(state)),
            status: view::status(state, spectators),
            playing: view::playing(state).collect(),
            is_claimed,
            kicked: state.seating.kicked().collect(),
        }
    }

    /// Takes in how the table now looks; what has not changed is not made again.
    pub(super) fn renew(&mut self, state: &TableState) {
        self.head = Head { match_id: state.match_id(), seq: state.head() };
        self.status = view::status(state, self.status.spectators);
        if !view::is_outline_of(&self.outline, state) {
            self.outline = Arc::new(view::summary(state));
        }
        if !view::playing(state).eq(self.playing.iter().copied()) {
            self.playing = view::playing(state).collect();
        }
        if !state.seating.kicked().eq(self.kicked.iter().copied()) {
            self.kicked = state.seating.kicked().collect();
        }
    }

    /// The table as the lobby shows it.
    #[must_use]
    pub fn summary(&self) -> TableSummary {
        let TableStatus { turn, plies, spectators, .. } = self.status;
        TableSummary { turn, plies, spectators, ..(*self.outline).clone() }
    }

    /// The summary as it was when anything but the status changed last.
    #[must_use]
    pub fn outline(&self) -> &TableSummary {
        &self.outline
    }

    /// What it was opened with.
    #[must_use]
    pub fn settings(&self) -> &TableSettings {
        &self.outline.settings
    }

    /// Who is host.
    #[must_use]
    pub fn host(&self) -> &UserView {
        &self.outline.host
    }

    /// Open, running or ended.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.outline.phase
    }

    /// The seats in turn order.
    #[must_use]
    pub fn seats(&self) -> &[SeatView] {
        &self.outline.seats
    }

    /// Whether nothing but the status can differ.
    #[must_use]
    pub fn has_outline_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outline, &other.outline)
    }

    /// Who holds seats.
    pub fn seated(&self) -> impl Iterator<Item = UserId> + '_ {
        self.seats().iter().filter_map(|seat| seat.user.as_ref()).map(|user| user.id)
    }
}

/// The table's actor has ended: the match is over and nobody watched, or the server stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table's actor has ended")]
pub struct Gone;

/// The way to a table's actor. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TableHandle {
    table: TableId,
    mailbox: mpsc::Sender<Message>,
    glance: watch::Receiver<Glance>,
    bus: LocalBus,
}

/// A line's place at a table; leaving is dropping it.
#[derive(Debug)]
pub struct Watching {
    visit: Visit,
    mailbox: mpsc::Sender<Message>,
    glance: watch::Receiver<Glance>,
    subscription: Subscription,
}

/// What a line is shown that begins to watch.
#[derive(Debug)]
pub struct Shown {
    /// The frames.
    pub frames: Vec<Frame>,
    /// The match they are of.
    pub match_id: MatchId,
    /// The last event in them: what the listener hears up to this one is known already.
    pub head: u64,
    /// Whether the viewer holds a seat.
    pub sits: bool,
}

impl TableHandle {
    pub(super) fn new(
        table: TableId,
        mailbox: mpsc::Sender<Message>,
        glance: watch::Receiver<Glance>,
        bus: LocalBus,
    ) -> Self {
        Self { table, mailbox, glance, bus }
    }

    /// Which table.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.table
    }

    /// How it looks now.
    #[must_use]
    pub fn glance(&self) -> Glance {
        self.glance.borrow().clone()
    }

    /// The variant of the running match that a user plays there, if any, without being out.
    #[must_use]
    pub fn played_by(&self, user: UserId) -> Option<Variant> {
        let glance = self.glance.borrow();
        glance.playing.contains(&user).then_some(glance.settings().variant)
    }

    /// Whether the actor has ended, or takes no more messages.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Has a command carried out, and waits until it is durable or refused.
    ///
    /// # Errors
    /// [`Gone`] if there is no actor any more; nothing was done then, or an unanswered command is in the log.
    pub async fn command(&self, order: Order) -> Result<Answer, Gone> {
        let (answer, wait) = oneshot::channel();
        self.mailbox.send(Message::Command { order, answer }).await.map_err(|_| Gone)?;
        wait.await.map_err(|_| Gone)
    }

    /// Has the match claimed if it was only read so far.
    ///
    /// # Errors
    /// [`Gone`]
    pub async fn take_up(&self) -> Result<(), Gone> {
        let (answer, wait) = oneshot::channel();
        self.mailbox.send(Message::TakeUp { answer }).await.map_err(|_| Gone)?;
        wait.await.map_err(|_| Gone)
    }

    /// Begins to watch for a line: has its listener subscribed first, then asks for what is there, to be merged by
    /// `seq`.
    ///
    /// # Errors
    /// [`Gone`] if there is no actor any more, or the right to watch is just lost.
    pub async fn watch(
        &self,
        visitor: Visitor,
        from: From,
        listener: Arc<dyn Listener<Published>>,
    ) -> Result<(Watching, Shown), Gone> {
        let subscription = self.bus.subscribe(self.table, listener);
        let visit = Visit::new();
        let (answer, wait) = oneshot::channel();
        self.mailbox.send(Message::Watch { visit, visitor, from, answer }).await.map_err(|_| Gone)?;
        let (mailbox, glance) = (self.mailbox.clone(), self.glance.clone());
        let watching = Watching { visit, mailbox, glance, subscription };
        let shown = wait.await.map_err(|_| Gone)?;
        if shown.sits {
            watching.come_first();
        }
        Ok((watching, shown))
    }

    /// Ends what is watched by a link that was revoked.
    ///
    /// # Errors
    /// [`Gone`]: nobody watches then.
    pub async fn end_link(&self, link: SecretHash) -> Result<(), Gone> {
        self.mailbox.send(Message::EndLink { link }).await.map_err(|_| Gone)
    }

    /// Asks the actor to end its task. What waits in its mailbox before this is still done.
    pub async fn stop(&self) {
        // An error says that it has ended already.
        self.mailbox.send(Message::Stop).await.ok();
    }
}

impl Watching {
    /// From now on the line is told before those who only watch.
    pub fn come_first(&self) {
        self.subscription.come_first();
    }

    /// How the table looks now.
    #[must_use]
    pub fn glance(&self) -> Glance {
        self.glance.borrow().clone()
    }

    /// How far the table is.
    #[must_use]
    pub fn head(&self) -> Head {
        self.glance.borrow().head
    }
}

impl Drop for Watching {
    /// The table is told even when its mailbox is full just now.
    fn drop(&mut self) {
        let message = Message::Unwatch { visit: self.visit };
        if let Err(mpsc::error::TrySendError::Full(message)) = self.mailbox.try_send(message) {
            let mailbox = self.mailbox.clone();
            tokio::spawn(async move { mailbox.send(message).await.ok() });
        }
    }
}
