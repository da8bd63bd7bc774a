//! Handles to a table's actor.

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

use super::presence::{WatchId, WatcherInfo};
use crate::bus::{Frame, Listener, LocalBus, Publication, TableSubscription};
use crate::fault::Fault;

/// The capacity of a table's mailbox.
pub(super) const MAILBOX: usize = 64;

/// An item of the mailbox.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every item is a message, and a box would cost an allocation"
)]
#[derive(Debug)]
pub(super) enum Mail {
    /// Handle a message.
    Message(ActorMessage),
    /// End the task and leave the match as it is, so that another actor may claim it.
    Stop,
}

/// A message to a table's actor.
#[derive(Debug)]
pub(super) enum ActorMessage {
    /// Handle a command.
    Command { request: CommandRequest, answer: oneshot::Sender<Answer> },
    /// Start a subscription. There is no answer if the right to watch has just been lost.
    Watch {
        watch_id: WatchId,
        watcher: WatcherInfo,
        from: ResumeFrom,
        answer: oneshot::Sender<InitialFrames>,
    },
    /// Claim the match if it has only been read so far.
    Claim { answer: oneshot::Sender<()> },
    /// Revoke the subscriptions that rest on a link.
    EndLink { link: SecretHash },
    /// End a subscription.
    Unwatch { watch_id: WatchId },
}

/// A command of a user, from the frame to the log.
#[derive(Clone, Debug)]
pub struct CommandRequest {
    /// The command.
    pub command: PlayerCommand,
    /// The id, chosen by the client.
    pub cmd: CommandId,
    /// The match it is for, if the client named one; another match refuses it.
    pub match_id: Option<MatchId>,
    /// The invite it redeems.
    pub redeem: Option<SecretHash>,
}

/// A command that the actor commits.
#[derive(Debug)]
pub(super) enum Command {
    /// A user's.
    Player(CommandRequest),
    /// The table's own.
    Own(TableCommand),
}

impl Command {
    /// Returns the request, if it is a user's.
    pub(super) fn request(&self) -> Option<&CommandRequest> {
        match self {
            Self::Player(request) => Some(request),
            Self::Own(_) => None,
        }
    }

    /// Returns the events of the command at `now`.
    pub(super) fn decide(&self, state: &TableState, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match self {
            Self::Player(request) => state.decide_player(&request.command, now),
            Self::Own(command) => state.decide(command, now),
        }
    }
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was committed, now or before, and is durable.
    Done {
        /// The match whose log has it.
        match_id: MatchId,
        /// The number of its last event.
        seq: u64,
    },
    /// It was refused; nothing changed.
    Refused {
        /// The present match of the table.
        match_id: MatchId,
        /// The reason.
        rejection: Rejection,
    },
    /// Its invite has been used or has expired; nothing changed.
    InviteUsed,
    /// The server failed; the same command may be sent again.
    Fault(Fault),
}

/// The point from which a subscription resumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeFrom {
    /// The client knows nothing yet.
    Nothing,
    /// The client has all events of this match up to this one.
    After(MatchId, u64),
}

/// The public state of a table, readable at any time without a message to its actor. Cheap to
/// clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOverview {
    /// The match and its last event.
    pub head: Head,
    /// The lobby's summary. Its `status` is that of the last change of anything else.
    outline: Arc<TableSummary>,
    /// The part that changes during a match.
    pub status: TableStatus,
    /// The players left in the running match.
    pub playing: Arc<[UserId]>,
    /// True if the actor has claimed the match.
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

    /// Updates it from the state; unchanged parts are not copied again.
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

    /// Returns the lobby's summary.
    #[must_use]
    pub fn summary(&self) -> TableSummary {
        let TableStatus { turn, plies, spectators, .. } = self.status;
        TableSummary { turn, plies, spectators, ..(*self.outline).clone() }
    }

    /// Returns the summary as of the last change of anything but the status.
    #[must_use]
    pub fn outline(&self) -> &TableSummary {
        &self.outline
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &TableSettings {
        &self.outline.settings
    }

    /// Returns the host.
    #[must_use]
    pub fn host(&self) -> &UserView {
        &self.outline.host
    }

    /// Returns the phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.outline.phase
    }

    /// Returns the seats in turn order.
    #[must_use]
    pub fn seats(&self) -> &[SeatView] {
        &self.outline.seats
    }

    /// Returns whether the two differ in the status at most.
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

/// The error of a table whose actor has ended: the match is over and nobody watched, or the server
/// stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table's actor has ended")]
pub struct Gone;

/// A handle to a table's actor. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TableHandle {
    table: TableId,
    mailbox: mpsc::Sender<Mail>,
    overview: watch::Receiver<TableOverview>,
    bus: LocalBus,
}

/// A subscription of a connection to a table; dropping it ends the subscription.
#[derive(Debug)]
pub struct WatchGuard {
    watch_id: WatchId,
    mailbox: mpsc::Sender<Mail>,
    overview: watch::Receiver<TableOverview>,
    subscription: TableSubscription,
}

/// The first frames of a subscription.
#[derive(Debug)]
pub struct InitialFrames {
    /// The frames.
    pub frames: Vec<Frame>,
    /// The match they belong to.
    pub match_id: MatchId,
    /// The last event in them; the listener ignores events up to this one.
    pub head: u64,
    /// True if the viewer holds a seat.
    pub sits: bool,
}

impl TableHandle {
    pub(super) fn new(
        table: TableId,
        mailbox: mpsc::Sender<Mail>,
        overview: watch::Receiver<TableOverview>,
        bus: LocalBus,
    ) -> Self {
        Self { table, mailbox, overview, bus }
    }

    /// Returns the id of the table.
    #[must_use]
    pub fn table(&self) -> TableId {
        self.table
    }

    /// Returns the public state.
    #[must_use]
    pub fn overview(&self) -> TableOverview {
        self.overview.borrow().clone()
    }

    /// Returns the variant of the running match in which a user still plays, if any.
    #[must_use]
    pub fn played_by(&self, user: UserId) -> Option<Variant> {
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
    /// [`Gone`] if the actor has ended; the command was not handled, or is in the log unanswered.
    pub async fn command(&self, request: CommandRequest) -> Result<Answer, Gone> {
        let (answer, wait) = oneshot::channel();
        self.send(ActorMessage::Command { request, answer }).await?;
        wait.await.map_err(|_| Gone)
    }

    /// Claims the match if it has only been read so far.
    ///
    /// # Errors
    /// [`Gone`]
    pub async fn claim(&self) -> Result<(), Gone> {
        let (answer, wait) = oneshot::channel();
        self.send(ActorMessage::Claim { answer }).await?;
        wait.await.map_err(|_| Gone)
    }

    /// Starts a subscription: subscribes the listener first and then requests the first frames, to
    /// be merged by `seq`.
    ///
    /// # Errors
    /// [`Gone`] if the actor has ended, or the right to watch has just been lost.
    pub async fn watch(
        &self,
        watcher: WatcherInfo,
        from: ResumeFrom,
        listener: Arc<dyn Listener<Publication>>,
    ) -> Result<(WatchGuard, InitialFrames), Gone> {
        let subscription = self.bus.subscribe(self.table, listener);
        let watch_id = WatchId::new();
        let (answer, wait) = oneshot::channel();
        self.send(ActorMessage::Watch { watch_id, watcher, from, answer }).await?;
        let (mailbox, overview) = (self.mailbox.clone(), self.overview.clone());
        let watching = WatchGuard { watch_id, mailbox, overview, subscription };
        let initial = wait.await.map_err(|_| Gone)?;
        if initial.sits {
            watching.prioritize();
        }
        Ok((watching, initial))
    }

    /// Revokes the subscriptions that rest on a revoked link.
    ///
    /// # Errors
    /// [`Gone`]: nobody watches then.
    pub async fn end_link(&self, link: SecretHash) -> Result<(), Gone> {
        self.send(ActorMessage::EndLink { link }).await
    }

    async fn send(&self, message: ActorMessage) -> Result<(), Gone> {
        self.mailbox.send(Mail::Message(message)).await.map_err(|_| Gone)
    }

    /// Asks the actor to end its task, after the messages already in its mailbox.
    pub async fn stop(&self) {
        // An error means that it has ended already.
        self.mailbox.send(Mail::Stop).await.ok();
    }
}

impl WatchGuard {
    /// Sends to this connection before those of spectators, from now on.
    pub fn prioritize(&self) {
        self.subscription.prioritize();
    }

    /// Returns the public state.
    #[must_use]
    pub fn overview(&self) -> TableOverview {
        self.overview.borrow().clone()
    }

    /// Returns the present match and its last event.
    #[must_use]
    pub fn head(&self) -> Head {
        self.overview.borrow().head
    }
}

impl Drop for WatchGuard {
    /// Notifies the actor, even when its mailbox is full just now.
    fn drop(&mut self) {
        let message = Mail::Message(ActorMessage::Unwatch { watch_id: self.watch_id });
        if let Err(mpsc::error::TrySendError::Full(message)) = self.mailbox.try_send(message) {
            let mailbox = self.mailbox.clone();
            tokio::spawn(async move { mailbox.send(message).await.ok() });
        }
    }
}
