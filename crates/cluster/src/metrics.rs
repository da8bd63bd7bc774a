//! The metrics of all cluster connections of this process.

use std::sync::LazyLock;

use quadrex_metrics::{Counter, CounterBy, Define, Part};

use crate::message::MessageBody;

/// The metrics.
pub(crate) static METRICS: LazyLock<Part<ClusterMetrics>> =
    LazyLock::new(|| Part::new("quadrex_cluster", ClusterMetrics::new));

/// The counts of messages.
#[derive(Debug)]
pub(crate) struct ClusterMetrics {
    /// The messages that were queued to be sent, by kind.
    pub(crate) sent: CounterBy,
    /// The messages that were received, by kind.
    pub(crate) received: CounterBy,
    /// The messages that were dropped instead of sent, by reason.
    pub(crate) dropped: CounterBy,
    /// The messages of kinds that this node does not know.
    pub(crate) unknown: Counter,
    /// The received messages that could not be decoded, or whose signature is wrong.
    pub(crate) malformed: Counter,
    /// The messages to nodes that do not receive any.
    pub(crate) undeliverable: Counter,
    /// The times at which messages were dropped because this node received them too slowly.
    pub(crate) slow_consumer: Counter,
    /// The publications of other nodes that did not arrive and were requested again.
    pub(crate) gaps: Counter,
}

impl ClusterMetrics {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            sent: define.counter_by(
                "messages_sent",
                "Messages to other nodes, by kind",
                "kind",
                MessageBody::KINDS,
            ),
            received: define.counter_by(
                "messages_received",
                "Messages of other nodes, by kind",
                "kind",
                MessageBody::KINDS,
            ),
            dropped: define.counter_by(
                "messages_dropped",
                "Messages to other nodes that were dropped instead of sent, by reason",
                "reason",
                &["too_large", "queue_full", "ended"],
            ),
            unknown: define
                .counter("messages_unknown", "Messages of other nodes of kinds that this node does not know"),
            malformed: define
                .counter("messages_malformed", "Messages of other nodes that are malformed or not signed"),
            undeliverable: define
                .counter("messages_undeliverable", "Messages to nodes that received none, because they are gone"),
            slow_consumer: define.counter(
                "slow_consumer",
                "Times at which messages were dropped because this node received them too slowly",
            ),
            gaps: define.counter(
                "publication_gaps",
                "Gaps in the publications of other nodes that were not filled in time, so that they were requested again",
            ),
        }
    }
}

/// Appends the metrics to a text, in the format of Prometheus.
pub fn write_metrics(text: &mut String) {
    METRICS.write(text);
}
