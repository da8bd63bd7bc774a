//! A messenger that uses a NATS server.
//!
//! Each node subscribes to `qx.CLUSTER.NODE.*` and `qx.CLUSTER.all`. The last part of a node's
//! subject is the number of the message and, in the reply subject of a message, also its receiver:
//! if nobody receives the message, the NATS server reports this to the reply subject.

mod options;
mod probes;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, Event, StatusCode, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

pub use options::{ConnectError, Credentials, NatsOptions, TlsOptions};

use probes::Probes;

use super::{ClusterMessenger, INBOX_CAPACITY, Inbox, InboxEvent, InboxSender, LinkEvent, SendError};
use crate::codec::{DecodeError, decode, encode};
use crate::message::{ClusterMessage, MessageBody};
use crate::metrics::METRICS;
use crate::{ClusterKey, Correlation, NodeId, UnknownKinds};

/// The largest number of messages that wait to be sent.
const QUEUE_CAPACITY: usize = 8_192;

/// The largest message, in bytes. It is the default limit of NATS servers.
const MAX_MESSAGE_LENGTH: usize = 1 << 20;

/// The largest number of received messages that wait between the connection and the inbox. The
/// client drops further ones, and reports a slow consumer.
const SUBSCRIPTION_CAPACITY: usize = 16_384;

/// The interval between pings. After two pings without an answer, the client connects again.
const PING_INTERVAL: Duration = Duration::from_secs(2);

/// The longest pause before the client tries to connect again.
const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// A messenger that uses a NATS server. It connects in the background, and again after each
/// interruption. Dropping it ends the connection.
pub struct NatsMessenger {
    node: NodeId,
    key: ClusterKey,
    /// The subjects of the cluster.
    subjects: Subjects,
    queue: mpsc::Sender<Outgoing>,
    client: Client,
    /// The tasks that send, receive, and probe the connection.
    tasks: [JoinHandle<()>; 3],
}

/// A message in the queue.
#[derive(Debug)]
struct Outgoing {
    subject: String,
    reply: Option<String>,
    payload: Bytes,
}

impl NatsMessenger {
    /// Starts to connect to the NATS server. Must be called in a tokio runtime. Does not wait for
    /// the connection: the inbox receives [`LinkEvent::Connected`].
    ///
    /// # Errors
    /// Returns [`ConnectError`] if the options are not allowed, or if a file that they name cannot
    /// be used.
    pub async fn connect(
        options: NatsOptions,
        node: NodeId,
        key: ClusterKey,
    ) -> Result<(Self, Inbox), ConnectError> {
        let subjects = Subjects { prefix: format!("qx.{}", options.cluster) };
        let (inbox_sender, inbox) = InboxSender::new(INBOX_CAPACITY);
        let probes = Arc::new(Probes::default());
        let (events, known_probes) = (inbox_sender.clone(), Arc::clone(&probes));
        let connect = options.to_client_options()?;
        let client = connect
            .name(format!("quadrex {node}"))
            .subscription_capacity(SUBSCRIPTION_CAPACITY)
            .ping_interval(PING_INTERVAL)
            .reconnect_delay_callback(reconnect_delay)
            .retry_on_initial_connect()
            .event_callback(move |event| {
                report(&events, &known_probes, event);
                std::future::ready(())
            })
            .connect(options.servers.as_slice())
            .await?;
        let direct = client.subscribe(subjects.of_node(node, "*")).await?;
        let for_all = client.subscribe(subjects.of_all()).await?;
        let (queue, queued) = mpsc::channel(QUEUE_CAPACITY);
        let receiver = Receiver {
            node,
            key: key.clone(),
            subjects: subjects.clone(),
            inbox: inbox_sender.clone(),
            queue: queue.clone(),
            probes: Arc::clone(&probes),
            unknown_kinds: UnknownKinds::default(),
        };
        let probe_subject = subjects.of_probes(node);
        let tasks = [
            quadrex_runtime::spawn(send_queued(client.clone(), queued)),
            quadrex_runtime::spawn(receiver.run(direct, for_all)),
            quadrex_runtime::spawn(probes::run(client.clone(), probe_subject, probes, inbox_sender)),
        ];
        Ok((Self { node, key, subjects, queue, client, tasks }, inbox))
    }

    /// Returns whether the connection is established now.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    fn enqueue(
        &self,
        subject: String,
        reply: Option<String>,
        message: &ClusterMessage,
    ) -> Result<(), SendError> {
        let kind = message.body.kind();
        let payload = encode(message, &self.key);
        let queued = if payload.len() > MAX_MESSAGE_LENGTH {
            Err(SendError::TooLarge { kind, length: payload.len(), limit: MAX_MESSAGE_LENGTH })
        } else {
            self.queue.try_send(Outgoing { subject, reply, payload }).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => SendError::QueueFull,
                mpsc::error::TrySendError::Closed(_) => SendError::Ended,
            })
        };
        match queued {
            Ok(()) => METRICS.sent.inc(kind),
            Err(error) => METRICS.dropped.inc(error.label()),
        }
        queued
    }
}

impl ClusterMessenger for NatsMessenger {
    fn node(&self) -> NodeId {
        self.node
    }

    fn send(&self, to: NodeId, correlation: Correlation, body: MessageBody) -> Result<(), SendError> {
        let subject = self.subjects.of_node(to, &correlation.0.to_string());
        let reply = self.subjects.reply(self.node, to, correlation);
        let message = ClusterMessage { from: self.node, to: Some(to), correlation, body };
        #[cfg(feature = "faults")]
        if crate::later_version::is_enabled() && matches!(message.body, MessageBody::Heartbeat(_)) {
            let payload = crate::codec::encode_later_notice(&message, &self.key);
            let (subject, reply) = (subject.clone(), Some(reply.clone()));
            self.queue.try_send(Outgoing { subject, reply, payload }).ok();
        }
        self.enqueue(subject, Some(reply), &message)
    }

    fn send_all(&self, body: MessageBody) -> Result<(), SendError> {
        let message = ClusterMessage { from: self.node, to: None, correlation: Correlation::default(), body };
        self.enqueue(self.subjects.of_all(), None, &message)
    }
}

impl Drop for NatsMessenger {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl fmt::Debug for NatsMessenger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsMessenger").field("node", &self.node).finish_non_exhaustive()
    }
}

/// The subjects of a cluster.
#[derive(Clone, Debug)]
struct Subjects {
    /// The first parts of all subjects.
    prefix: String,
}

impl Subjects {
    fn of_all(&self) -> String {
        format!("{}.all", self.prefix)
    }

    /// Returns the subject of the messages by which a node probes its own connection.
    fn of_probes(&self, node: NodeId) -> String {
        self.of_node(node, "probe")
    }

    fn of_node(&self, node: NodeId, last: &str) -> String {
        format!("{}.{node}.{last}", self.prefix)
    }

    /// Returns the reply subject of a message.
    fn reply(&self, from: NodeId, to: NodeId, correlation: Correlation) -> String {
        self.of_node(from, &format!("{}-{to}", correlation.0))
    }

    /// Returns the receiver and the number of the message with this reply subject.
    fn parse_reply(subject: &str) -> Option<(NodeId, Correlation)> {
        let (correlation, to) = subject.rsplit_once('.')?.1.split_once('-')?;
        Some((to.parse().ok()?, Correlation(correlation.parse().ok()?)))
    }
}

/// Sends the messages of the queue in order. Ends when the messenger is dropped.
async fn send_queued(client: Client, mut queued: mpsc::Receiver<Outgoing>) {
    while let Some(Outgoing { subject, reply, payload }) = queued.recv().await {
        let sent = match reply {
            Some(reply) => client.publish_with_reply(subject, reply, payload).await,
            None => client.publish(subject, payload).await,
        };
        if let Err(error) = sent {
            tracing::warn!("cannot send a message to another node: {error}");
        }
    }
}

/// The receiving side of a [`NatsMessenger`].
struct Receiver {
    node: NodeId,
    key: ClusterKey,
    subjects: Subjects,
    inbox: InboxSender,
    queue: mpsc::Sender<Outgoing>,
    probes: Arc<Probes>,
    unknown_kinds: UnknownKinds,
}

impl Receiver {
    async fn run(self, mut direct: Subscriber, mut for_all: Subscriber) {
        let probe_subject = self.subjects.of_probes(self.node);
        loop {
            let received = tokio::select! {
                Some(received) = direct.next() => received,
                Some(received) = for_all.next() => received,
                else => return,
            };
            if *received.subject == *probe_subject {
                self.receive_probe(&received.payload);
            } else if let Some(event) = self.event(&received)
                && self.inbox.messages.send(event).await.is_err()
            {
                return;
            }
        }
    }

    /// Returns the event of a received message. Answers a message that cannot be decoded.
    fn event(&self, received: &async_nats::Message) -> Option<InboxEvent> {
        if received.status == Some(StatusCode::NO_RESPONDERS) {
            METRICS.undeliverable.inc();
            let (node, correlation) = Subjects::parse_reply(&received.subject)?;
            return Some(InboxEvent::NodeGone { node, correlation });
        }
        match decode(&received.payload, &self.key, self.node) {
            Ok(message) => {
                METRICS.received.inc(message.body.kind());
                return Some(InboxEvent::Message(message));
            }
            // NATS also returns this node's own messages to all.
            Err(DecodeError::OtherNode { from, .. }) if from == self.node => {}
            #[cfg(feature = "faults")]
            Err(DecodeError::Content { kind, .. })
                if crate::later_version::is_enabled() && kind == crate::later_version::LATER_KIND => {}
            Err(DecodeError::Content { from, version, kind, answer, source: None }) => {
                METRICS.unknown.inc();
                if let Some(count) = self.unknown_kinds.record() {
                    tracing::info!(%from, version, kind, count, "a message of a kind that this node does not know");
                }
                if let Some(answer) = answer {
                    self.answer(from, &answer);
                }
            }
            Err(error) => {
                METRICS.malformed.inc();
                tracing::warn!("a message from another node is ignored: {error}");
                if let DecodeError::Content { from, answer: Some(answer), .. } = error {
                    self.answer(from, &answer);
                }
            }
        }
        None
    }

    fn receive_probe(&self, payload: &[u8]) {
        if self.probes.receive(payload) {
            self.inbox.report(LinkEvent::Connected);
        }
    }

    fn answer(&self, to: NodeId, answer: &ClusterMessage) {
        let subject = self.subjects.of_node(to, &answer.correlation.0.to_string());
        let payload = encode(answer, &self.key);
        // If the queue is full, the answer is lost like any other message.
        self.queue.try_send(Outgoing { subject, reply: None, payload }).ok();
    }
}

/// Reports an event of the client.
fn report(inbox: &InboxSender, probes: &Probes, event: Event) {
    match event {
        Event::Connected => inbox.report(LinkEvent::Connected),
        Event::Disconnected => inbox.report(LinkEvent::Disconnected { silent_for: probes.silence() }),
        Event::SlowConsumer(_) => {
            METRICS.slow_consumer.inc();
            tracing::warn!("messages from other nodes were dropped: this node receives them too slowly");
            inbox.report(LinkEvent::SlowConsumer);
        }
        Event::ServerError(error) => inbox.report(LinkEvent::Fault(error.to_string())),
        Event::ClientError(error) => inbox.report(LinkEvent::Fault(error.to_string())),
        Event::LameDuckMode | Event::Draining | Event::Closed => tracing::info!("NATS: {event}"),
    }
}

/// Returns the pause before an attempt to connect. Attempts count from 1.
fn reconnect_delay(attempt: usize) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(1)).unwrap_or(u32::MAX).min(10);
    (Duration::from_millis(10) * 2_u32.pow(doublings)).min(MAX_RECONNECT_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_reply_subject_names_the_receiver_and_the_number() {
        let subjects = Subjects { prefix: "qx.home".to_owned() };
        let (from, to) = (NodeId(Uuid::from_u128(1)), NodeId(Uuid::from_u128(2)));
        let reply = subjects.reply(from, to, Correlation(77));
        assert!(reply.starts_with(&subjects.of_node(from, "")), "{reply}");
        assert_eq!(Subjects::parse_reply(&reply), Some((to, Correlation(77))));
        for other in
            ["", "qx.home.1", "qx.home.1.2-", "qx.home.1.-2", "qx.home.1.x-00000000000000000000000000000002"]
        {
            assert_eq!(Subjects::parse_reply(other), None, "{other}");
        }
    }

    #[test]
    fn the_pause_before_an_attempt_grows_up_to_a_second() {
        assert_eq!(
            [1, 2, 3, 8, 1_000].map(reconnect_delay),
            [10, 20, 40, 1_000, 1_000].map(Duration::from_millis)
        );
    }
}
