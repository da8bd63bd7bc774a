//! A handle to a table's actor, and the messages that the handle sends to the actor.

use std::sync::Arc;
use std::time::Duration;

use quadrex_cluster::message::{FollowHead, FollowState, MessageBody, SeatOrigin};
use quadrex_cluster::{Correlation, NodeId};
use quadrex_protocol::view::{Head, Phase};
use quadrex_protocol::{CommandId, Event, MatchId, RefusalCode, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::SecretHash;
use quadrex_table::{PlayerCommand, Rejection, TableCommand, TableState};
use tokio::sync::{mpsc, oneshot, watch};

use super::table_overview::TableOverview;
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
    /// A request to end the task that serves the table. The match is not changed, and another actor
    /// can claim it.
    Stop,
    /// A request to end the task that serves the table, so that the table gets another one: the actor
    /// of a table that another node takes over, or the proxy of a table that this node has claimed.
    HandOver,
}

/// A message to a table's actor.
#[derive(Debug)]
pub(super) enum ActorMessage {
    /// Handle a user's command.
    Command { request: CommandRequest, reply: oneshot::Sender<Answer> },
    /// Start a subscription. If the watcher has just lost the right to watch, the actor drops
    /// `reply` without an answer.
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
    /// Handle a message of another node about this table.
    FromNode(NodeMessage),
}

/// A message of another node about a table, or something that is known about another node.
#[derive(Clone, Debug)]
pub enum NodeMessage {
    /// A message about this table.
    Message {
        /// The sender.
        from: NodeId,
        /// The number of the request that the message is or answers.
        correlation: Correlation,
        /// The content.
        body: Box<MessageBody>,
    },
    /// An entry of the sender's heartbeat: the sender follows this table.
    Follows {
        /// The sender.
        from: NodeId,
        /// The state of the follow at the sender.
        state: FollowState,
    },
    /// An entry of the sender's heartbeat: this node follows the table there.
    Followed {
        /// The sender.
        from: NodeId,
        /// The state of the follow at the sender.
        head: FollowHead,
    },
    /// The node lists the table as one of its own.
    Lists {
        /// The node.
        node: NodeId,
    },
    /// This node reaches the other nodes again.
    Reconnected {
        /// The time for which it may not have reached them.
        unreached_for: Duration,
    },
    /// The node is dead, or does not receive messages.
    Gone {
        /// The node.
        node: NodeId,
        /// True if the node is dead.
        is_dead: bool,
    },
}

/// A user's command with the data that belongs to it. The connection creates this value, and it is
/// passed on unchanged until it is in the log.
#[derive(Clone, Debug)]
pub struct CommandRequest {
    /// The command with its author.
    pub command: PlayerCommand,
    /// The id that the client has chosen. When the client sends the command again, the id stays the
    /// same.
    pub command_id: CommandId,
    /// The match for which the client meant the command, if the client named a match. At any other
    /// match the command is refused.
    pub match_id: Option<MatchId>,
    /// The hash of the secret of the invite that the command uses up, if it uses up an invite.
    pub redeemed_invite: Option<SecretHash>,
    /// The origin of the command, if it takes a seat.
    pub origin: SeatOrigin,
}

/// A command that a table's actor commits.
#[derive(Debug)]
pub(super) enum ActorCommand {
    /// A command that a user sent.
    User(CommandRequest),
    /// A command that the actor itself creates, for example when a clock has run out.
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

    /// Returns the events of the command at `now`, or the reason for which the command is refused.
    pub(super) fn decide(&self, state: &TableState, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match self {
            Self::User(request) => state.decide_player_command(&request.command, now),
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
        /// The code of the refusal, for programs.
        code: RefusalCode,
        /// The reason for the refusal, for people.
        text: String,
    },
    /// The invite of the command has been used up by another command or has expired. Nothing
    /// changed.
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

/// The error of a request that no actor has answered. Either the actor panicked while it handled
/// the request, or the table's endpoint is gone. An endpoint is dropped when its table is closed
/// and nobody watches it any more, or when the server stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table's actor has ended")]
pub struct ActorGone;

/// A handle to a table. It stays valid when another actor takes the table over. Cheap to clone.
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
    /// The match that the frames show.
    pub match_id: MatchId,
    /// The number of the last event that the frames show. The listener must ignore every event up
    /// to this number.
    pub head: u64,
    /// True if the viewer has a seat at the table.
    pub is_seated: bool,
}

impl Answer {
    /// Returns the answer to a command that was refused for this reason.
    pub(super) fn refused(match_id: MatchId, rejection: &Rejection) -> Self {
        Self::Refused { match_id, code: rejection.code(), text: rejection.to_string() }
    }
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

    /// Returns the phase of the table's match.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.overview.borrow().phase()
    }

    /// Returns whether the table's endpoint is gone or accepts no more messages.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Sends a command and waits until it is durable or refused.
    ///
    /// # Errors
    /// Returns [`ActorGone`] if no actor has answered. Even then the command may be in the log.
    pub async fn send_command(&self, request: CommandRequest) -> Result<Answer, ActorGone> {
        let (reply, answer) = oneshot::channel();
        self.send(ActorMessage::Command { request, reply }).await?;
        answer.await.map_err(|_| ActorGone)
    }

    /// Makes the actor claim the match if it has only read it so far.
    ///
    /// # Errors
    /// Returns [`ActorGone`] if no actor has answered.
    pub async fn claim(&self) -> Result<(), ActorGone> {
        let (reply, answer) = oneshot::channel();
        self.send(ActorMessage::Claim { reply }).await?;
        answer.await.map_err(|_| ActorGone)
    }

    /// Starts a subscription.
    ///
    /// The listener is subscribed before the first frames are requested, so that it misses no
    /// event. It may therefore receive events that the first frames show too. These are the events
    /// with a number up to [`InitialFrames::head`].
    ///
    /// # Errors
    /// Returns [`ActorGone`] if no actor has answered, or if the watcher has just lost the right to
    /// watch.
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
    /// Returns [`ActorGone`] if the endpoint is gone. In that case nobody watches the table.
    pub async fn revoke_link(&self, link: SecretHash) -> Result<(), ActorGone> {
        self.send(ActorMessage::RevokeLink { link }).await
    }

    async fn send(&self, message: ActorMessage) -> Result<(), ActorGone> {
        self.mailbox.send(MailboxItem::Message(message)).await.map_err(|_| ActorGone)
    }

    /// Passes a message of another node on to the table. Never waits. If the mailbox is full, a new
    /// task waits until there is room in it.
    pub fn deliver(&self, message: NodeMessage) {
        send_later(&self.mailbox, MailboxItem::Message(ActorMessage::FromNode(message)));
    }

    /// Asks the task that serves the table to end after it has handled the messages that are in its
    /// mailbox, so that the table gets another task.
    pub fn hand_over(&self) {
        send_later(&self.mailbox, MailboxItem::HandOver);
    }

    /// Asks the actor to end its task after it has handled the messages that are in its mailbox.
    pub async fn stop(&self) {
        // An error means that the task has ended already.
        self.mailbox.send(MailboxItem::Stop).await.ok();
    }
}

impl WatchGuard {
    /// From now on publications reach this connection before the connections of spectators.
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
    /// Notifies the actor that the subscription has ended. Never waits.
    fn drop(&mut self) {
        let message = ActorMessage::Unwatch { watcher_id: self.watcher_id };
        send_later(&self.mailbox, MailboxItem::Message(message));
    }
}

/// Sends an item to a table's mailbox. If the mailbox is full, a new task waits until there is room
/// in it.
fn send_later(mailbox: &mpsc::Sender<MailboxItem>, item: MailboxItem) {
    if let Err(mpsc::error::TrySendError::Full(item)) = mailbox.try_send(item) {
        let mailbox = mailbox.clone();
        quadrex_runtime::spawn(async move { mailbox.send(item).await.ok() });
    }
}
