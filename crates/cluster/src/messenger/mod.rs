//! Sending messages to other nodes, and receiving theirs.

mod chaos;
mod nats;

use std::fmt;
use std::time::Duration;

use tokio::sync::mpsc;

pub use chaos::{Chaos, ChaosMessenger, ChaosNetwork};
pub use nats::{ConnectError, Credentials, NatsMessenger, NatsOptions, TlsOptions};

use crate::message::{ClusterMessage, MessageBody};
use crate::{Correlation, NodeId};

/// The largest number of received messages that wait in an inbox.
const INBOX_CAPACITY: usize = 4_096;

/// The largest number of events of the connection that wait in an inbox. Later ones are dropped.
const LINK_EVENTS: usize = 64;

/// A node's connection to all other nodes.
///
/// Messages are hints: each of them may be lost, doubled, late, or overtaken by another one.
/// Sending never waits, so that an actor can send messages. Each messenger is created together with
/// its [`Inbox`].
pub trait ClusterMessenger: fmt::Debug + Send + Sync {
    /// Returns this node.
    fn node(&self) -> NodeId;

    /// Sends a message to one other node. If the node is gone, the inbox may receive
    /// [`InboxEvent::NodeGone`].
    ///
    /// # Errors
    /// Returns [`SendError`] if the message is dropped at once.
    fn send(&self, to: NodeId, correlation: Correlation, body: MessageBody) -> Result<(), SendError>;

    /// Sends a message to all other nodes.
    ///
    /// # Errors
    /// Returns [`SendError`] if the message is dropped at once.
    fn send_all(&self, body: MessageBody) -> Result<(), SendError>;
}

/// The reason for which a message was dropped instead of sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The message is larger than the message server accepts.
    #[error("a {kind} of {length} bytes is larger than {limit} bytes")]
    TooLarge {
        /// The kind of the message.
        kind: &'static str,
        /// The length of the message, in bytes.
        length: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// Too many messages wait to be sent, because the connection is slow or interrupted.
    #[error("too many messages wait to be sent")]
    QueueFull,
    /// The messenger has ended.
    #[error("the messenger has ended")]
    Ended,
}

impl SendError {
    /// Returns the reason as the value of a label.
    const fn label(self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::QueueFull => "queue_full",
            Self::Ended => "ended",
        }
    }
}

/// An item of a node's inbox.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every item is a message")]
pub enum InboxEvent {
    /// A message whose signature is right.
    Message(ClusterMessage),
    /// Nobody received a message to this node: its process has ended, or it is cut off from the
    /// message server.
    NodeGone {
        /// The node.
        node: NodeId,
        /// The number of the message.
        correlation: Correlation,
    },
    /// A change of the connection to the message server.
    Link(LinkEvent),
}

/// A change of the connection to the message server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEvent {
    /// The connection is established, for the first time or again. Messages may have been lost.
    Connected,
    /// The connection is interrupted. The messenger connects again by itself.
    Disconnected {
        /// The time for which the message server may not have answered before.
        silent_for: Duration,
    },
    /// Messages were dropped, because this node does not receive them fast enough.
    SlowConsumer,
    /// The message server reports a fault, or cannot be reached.
    Fault(String),
}

/// The received messages of a node, in the order in which they arrived.
#[derive(Debug)]
pub struct Inbox {
    messages: mpsc::Receiver<InboxEvent>,
    link: mpsc::Receiver<LinkEvent>,
}

impl Inbox {
    /// Returns the next item. Returns `None` when the messenger has ended. Cancel-safe.
    pub async fn next(&mut self) -> Option<InboxEvent> {
        tokio::select! {
            biased;
            Some(event) = self.link.recv() => Some(InboxEvent::Link(event)),
            event = self.messages.recv() => event,
        }
    }

    /// Returns the next item if there is one already.
    pub fn try_next(&mut self) -> Option<InboxEvent> {
        self.link.try_recv().map(InboxEvent::Link).or_else(|_| self.messages.try_recv()).ok()
    }
}

/// The sending side of an [`Inbox`].
#[derive(Clone, Debug)]
struct InboxSender {
    messages: mpsc::Sender<InboxEvent>,
    link: mpsc::Sender<LinkEvent>,
}

impl InboxSender {
    fn new(capacity: usize) -> (Self, Inbox) {
        let (messages, received_messages) = mpsc::channel(capacity);
        let (link, received_events) = mpsc::channel(LINK_EVENTS);
        (Self { messages, link }, Inbox { messages: received_messages, link: received_events })
    }

    /// Returns whether the node still receives messages.
    fn is_open(&self) -> bool {
        !self.messages.is_closed()
    }

    /// Adds an event of the connection. If many events wait already, drops it.
    fn report(&self, event: LinkEvent) {
        self.link.try_send(event).ok();
    }
}
