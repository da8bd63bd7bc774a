//! A handle to a table's actor, and the messages that it sends.

use std::sync::Arc;

use quadrex_protocol::http::{TableStatus, TableSummary};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Head, Phase, SeatView};
use quadrex_protocol::{CommandId, Event, MatchId, TableId, TableSettings, UserId};
use quadrex_rules::{Timestamp, Variant};
use quadrex_store::SecretHash;
use quadrex_table::{
    self as view, ConnectedPlayer, OpenTurn, PlayerCommand, Rejection, TableCommand, TableState,
};
use tokio::sync::{mpsc, oneshot, watch};

use super::watcher_list::{Watcher, WatcherId};
use crate::bus::{Frame, Listener, LocalBus, Publication, TableSubscription};
use crate::fault::Fault;

/// The capacity of a table's mailbox, in items. A sender waits while the mailbox is full.
pub(super) const MAILBOX_CAPACITY: usize = 64;

/// An item of a table's mailbox.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every item is a message, and a box would cost an allocation"
)]
#[derive(Debug)]
pub(super) enum MailboxItem {
    /// A message for the actor to handle.
    Message(ActorMessage),
    /// The request to end the task. The match stays as it is, so that another actor can claim it.
    Stop,
}

/// A message to a table's actor.
#[derive(Debug)]
pub(super) enum ActorMessage {
    /// Handle a user's command.
    Command { request: CommandRequest, reply: oneshot::Sender<Answer> },
    /// Start a subscription. The reply is dropped if the watcher has just lost the right to watch.
    Watch {
        watcher_id: WatcherId,
        watcher: Watcher,
        resume_from: ResumeFrom,
        reply: oneshot::Sender<InitialFrames>,
    },
    /// Claim the match if the actor has only read it so far.
    Claim { reply: oneshot::Sender<()> },
    /// Revoke the access of the watchers that use this link.
    RevokeLink { link: SecretHash },
    /// End a subscription.
    Unwatch { watcher_id: WatcherId },
}

/// A user's command, in the form in which it goes from the connection to the log.
#[derive(Clone, Debug)]
pub struct CommandRequest {
    /// The command with its author.
    pub command: PlayerCommand,
    /// The id that the client has chosen. A command that is sent again has the same id.
    pub command_id: CommandId,
    /// The match that the client named, if it named one. Another match refuses the command.
    pub match_id: Option<MatchId>,
    /// The hash of the secret of the invite that the command uses up.
    pub redeemed_invite: Option<SecretHash>,
}

/// A command that a table's actor commits.
#[derive(Debug)]
pub(super) enum ActorCommand {
    /// A command that a user sent.
    User(CommandRequest),
    /// A command that the actor gives itself, for example when a clock has run out.
    Internal(TableCommand),
}

impl ActorCommand {
    /// Returns the user's request, if a user sent the command.
    pub(super) fn request(&self) -> Option<&CommandRequest> {
        match self {
            Self::User(request) => Some(request),
            Self::Internal(_) => None,
        }
    }

    /// Returns the events of the command at `now`, or the reason against it.
    pub(super) fn decide(&self, state: &TableState, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match self {
            Self::User(request) => state.decide_player(&request.command, now),
            Self::Internal(command) => state.decide(command, now),
        }
    }
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The command was committed, now or earlier. It is durable.
    Done {
        /// The match whose log has the command's events.
        match_id: MatchId,
        /// The number of the command's last event.
        seq: u64,
    },
    /// The command was refused. Nothing changed.
    Refused {
        /// The table's current match.
        match_id: MatchId,
        /// The reason for the refusal.
        rejection: Rejection,
    },
    /// The invite that the command uses has been used up or has expired. Nothing changed.
    InviteUsed,
    /// The server failed; the same command may be sent again.
    Fault(Fault),
}

/// The point from which a subscription resumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeFrom {
    /// The client has no event yet.
    Nothing,
    /// The client has all events of this match up to the event with this number.
    After(MatchId, u64),
}

/// The public state of a table. Handles can read it without sending a message to the actor. Cheap
/// to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOverview {
    /// The current match and the number of its last event.
    pub head: Head,
    /// The summary that the lobby lists. It is replaced only when something other than the status
    /// changes, so the fields that `status` has too may be old.
    outline: Arc<TableSummary>,
    /// The part of the summary that changes with every move.
    pub status: TableStatus,
    /// The players who are still in the running match.
    pub playing: Arc<[UserId]>,
    /// True if the actor has claimed the match's log.
    pub is_claimed: bool,
    /// The users that the host has kicked.
    pub kicked: Arc<[UserId]>,
    /// The seated users with a connection that watches the table.
    pub connected: Arc<[UserId]>,
    /// The seated users who have been connected since they took their seats.
    pub arrived: Arc<[UserId]>,
    /// The turn of the player who may move now.
    pub open_turn: Option<OpenTurn>,
}

impl TableOverview {
    pub(super) fn new(state: &TableState, spectators: u32, is_claimed: bool) -> Self {
        Self {
            head: Head { match_id: state.match_id(), seq: state.head() },
            outline: Arc::new(view::summary(state)),
            status: view::status(state, spectators),
            playing: view::playing(state).collect(),
            is_claimed,
            kicked: state.kicked().collect(),
            connected: Arc::default(),
            arrived: Arc::default(),
            open_turn: state.open_turn(),
        }
    }

    /// Updates the overview from the state. Copies only the parts that have changed.
    pub(super) fn update(&mut self, state: &TableState) {
        self.head = Head { match_id: state.match_id(), seq: state.head() };
        self.status = view::status(state, self.status.spectators);
        if !view::is_outline_of(&self.outline, state) {
            self.outline = Arc::new(view::summary(state));
        }
        if !view::playing(state).eq(self.playing.iter().copied()) {
            self.playing = view::playing(state).collect();
        }
        if !state.kicked().eq(self.kicked.iter().copied()) {
            self.kicked = state.kicked().collect();
        }
        self.open_turn = state.open_turn();
    }

    /// Updates the connected players and what depends on them; returns whether anything changed.
    pub(super) fn set_connected(&mut self, state: &TableState, players: &[ConnectedPlayer]) -> bool {
        let holder = |player: &ConnectedPlayer| {
            let seat = state.seats().iter().find(|seat| seat.color == player.color)?;
            seat.holder.as_ref().map(|holder| holder.id)
        };
        let connected: Vec<UserId> = players.iter().filter_map(holder).collect();
        let holders = state.seats().iter().filter_map(|seat| seat.holder.as_ref()).map(|holder| holder.id);
        let has_arrived = |user: &UserId| connected.contains(user) || self.arrived.contains(user);
        let arrived: Vec<UserId> = holders.filter(has_arrived).collect();
        let open_turn = state.open_turn();
        let is_same =
            *self.connected == *connected && *self.arrived == *arrived && self.open_turn == open_turn;
        if !is_same {
            (self.connected, self.arrived) = (connected.into(), arrived.into());
            self.open_turn = open_turn;
        }
        !is_same
    }

    /// Returns the up-to-date summary that the lobby lists.
    #[must_use]
    pub fn summary(&self) -> TableSummary {
        let TableStatus { turn, plies, spectators, .. } = self.status;
        TableSummary { turn, plies, spectators, ..(*self.outline).clone() }
    }

    /// Returns the summary without a copy. Its status may be old; see the field
    /// [`status`](Self::status).
    #[must_use]
    pub fn outline(&self) -> &TableSummary {
        &self.outline
    }

    /// Returns the table's settings.
    #[must_use]
    pub fn settings(&self) -> &TableSettings {
        &self.outline.settings
    }

    /// Returns the user who decides about the table.
    #[must_use]
    pub fn host(&self) -> &UserView {
        &self.outline.host
    }

    /// Returns the phase of the match: open, running or ended.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.outline.phase
    }

    /// Returns the seats in turn order.
    #[must_use]
    pub fn seats(&self) -> &[SeatView] {
        &self.outline.seats
    }

    /// Returns whether two overviews of a table are the same apart from the status.
    #[must_use]
    pub fn has_outline_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outline, &other.outline)
    }

    /// Returns the users who hold seats.
    pub fn seated(&self) -> impl Iterator<Item = UserId> + '_ {
        self.seats().iter().filter_map(|seat| seat.user.as_ref()).map(|user| user.id)
    }

    /// Returns the people who hold seats: all but the server's own bots.
    pub fn people(&self) -> impl Iterator<Item = UserId> + '_ {
        let users = self.seats().iter().filter_map(|seat| seat.user.as_ref());
        users.filter(|user| !user.is_server_bot()).map(|user| user.id)
    }
}

/// The error of a request to an actor that has ended. An actor ends when its table is closed and
/// nobody watches it any more, or when the server stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table's actor has ended")]
pub struct ActorGone;

/// A handle to a table's actor. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TableHandle {
    table: TableId,
    mailbox: mpsc::Sender<MailboxItem>,
    overview: watch::Receiver<TableOverview>,
    bus: LocalBus,
}

/// A connection's subscription to a table. Dropping the guard ends the subscription.
#[derive(Debug)]
pub struct WatchGuard {
    watcher_id: WatcherId,
    mailbox: mpsc::Sender<MailboxItem>,
    overview: watch::Receiver<TableOverview>,
    subscription: TableSubscription,
}

/// The first frames of a subscription.
#[derive(Debug)]
pub struct InitialFrames {
    /// The frames, in the order in which they are sent.
    pub frames: Vec<Frame>,
    /// The match that they show.
    pub match_id: MatchId,
    /// The number of the last event that they show. The listener must ignore events up to this one.
    pub head: u64,
    /// True if the viewer has a seat at the table.
    pub is_seated: bool,
}

impl TableHandle {
    pub(super) fn new(
        table: TableId,
        mailbox: mpsc::Sender<MailboxItem>,
        overview: watch::Receiver<TableOverview>,
        bus: LocalBus,
    ) -> Self {
        Self { table, mailbox, overview, bus }
    }

    /// Returns the table's id.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.table
    }

    /// Returns the table's public state.
    #[must_use]
    pub fn overview(&self) -> TableOverview {
        self.overview.borrow().clone()
    }

    /// Returns the variant of the running match, if the user is still in this match.
    #[must_use]
    pub fn variant_played_by(&self, user: UserId) -> Option<Variant> {
        let overview = self.overview.borrow();
        overview.playing.contains(&user).then_some(overview.settings().variant)
    }

    /// Returns whether the actor has ended or accepts no more messages.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Sends a command and waits until it is durable or refused.
    ///
    /// # Errors
    /// [`ActorGone`] if the actor has ended. The command may be in the log all the same.
    pub async fn send_command(&self, request: CommandRequest) -> Result<Answer, ActorGone> {
        let (reply, answer) = oneshot::channel();
        self.send(ActorMessage::Command { request, reply }).await?;
        answer.await.map_err(|_| ActorGone)
    }

    /// Makes the actor claim the match if it has only read it so far.
    ///
    /// # Errors
    /// [`ActorGone`]
    pub async fn claim(&self) -> Result<(), ActorGone> {
        let (reply, answer) = oneshot::channel();
        self.send(ActorMessage::Claim { reply }).await?;
        answer.await.map_err(|_| ActorGone)
    }

    /// Starts a subscription.
    ///
    /// The listener is subscribed before the first frames are requested, so that it misses no
    /// event. It may receive events that the first frames show too; their numbers say which.
    ///
    /// # Errors
    /// [`ActorGone`] if the actor has ended, or if the watcher has just lost the right to watch.
    pub async fn watch(
        &self,
        watcher: Watcher,
        resume_from: ResumeFrom,
        listener: Arc<dyn Listener<Publication>>,
    ) -> Result<(WatchGuard, InitialFrames), ActorGone> {
        let subscription = self.bus.subscribe(self.table, listener);
        let watcher_id = WatcherId::new();
        let (reply, answer) = oneshot::channel();
        self.send(ActorMessage::Watch { watcher_id, watcher, resume_from, reply }).await?;
        let (mailbox, overview) = (self.mailbox.clone(), self.overview.clone());
        let guard = WatchGuard { watcher_id, mailbox, overview, subscription };
        let initial = answer.await.map_err(|_| ActorGone)?;
        if initial.is_seated {
            guard.prioritize();
        }
        Ok((guard, initial))
    }

    /// Revokes the access of the watchers that use this link.
    ///
    /// # Errors
    /// [`ActorGone`] if the actor has ended. Nobody watches the table then.
    pub async fn revoke_link(&self, link: SecretHash) -> Result<(), ActorGone> {
        self.send(ActorMessage::RevokeLink { link }).await
    }

    async fn send(&self, message: ActorMessage) -> Result<(), ActorGone> {
        self.mailbox.send(MailboxItem::Message(message)).await.map_err(|_| ActorGone)
    }

    /// Asks the actor to end its task after it has handled the messages that are in its mailbox.
    pub async fn stop(&self) {
        // An error means that the task has ended already.
        self.mailbox.send(MailboxItem::Stop).await.ok();
    }
}

impl WatchGuard {
    /// Serves this connection before those of spectators from now on.
    pub fn prioritize(&self) {
        self.subscription.prioritize();
    }

    /// Returns the table's public state.
    #[must_use]
    pub fn overview(&self) -> TableOverview {
        self.overview.borrow().clone()
    }

    /// Returns the current match and the number of its last event.
    #[must_use]
    pub fn head(&self) -> Head {
        self.overview.borrow().head
    }
}

impl Drop for WatchGuard {
    /// Notifies the actor that the subscription has ended. If the mailbox is full, a task waits for
    /// room.
    fn drop(&mut self) {
        let message = MailboxItem::Message(ActorMessage::Unwatch { watcher_id: self.watcher_id });
        if let Err(mpsc::error::TrySendError::Full(message)) = self.mailbox.try_send(message) {
            let mailbox = self.mailbox.clone();
            tokio::spawn(async move { mailbox.send(message).await.ok() });
        }
    }
}
