//! The metrics of all stores of this process.

use std::sync::LazyLock;

use quadrex_metrics::{Counter, CounterBy, Define, DurationsBy, Part, SHORT};

use crate::AppendError;

/// The metrics.
pub(crate) static METRICS: LazyLock<Part<StoreMetrics>> =
    LazyLock::new(|| Part::new("quadrex", StoreMetrics::new));

/// The counts and durations of statements.
#[derive(Debug)]
pub(crate) struct StoreMetrics {
    /// The durations of transactions that append to logs, by their outcome.
    pub(crate) commit_duration: DurationsBy,
    /// The appends to logs by their outcome. Several of them share a transaction.
    pub(crate) appends: CounterBy,
    /// The errors of the database.
    pub(crate) errors: Counter,
}

impl StoreMetrics {
    fn new(define: &mut Define<'_>) -> Self {
        Self {
            commit_duration: define.durations_by(
                "commit_duration",
                "Duration of transactions that append events of matches, by outcome",
                "outcome",
                &["committed", "failed"],
                SHORT,
            ),
            appends: define.counter_by(
                "appends",
                "Appends to the logs of matches, by outcome",
                "outcome",
                &["written", "duplicate", "fenced", "link_used", "unknown", "fault"],
            ),
            errors: define.counter("store_errors", "Errors of the database, of all kinds of statements"),
        }
    }
}

/// Returns the outcome of an append as the value of a label.
pub(crate) fn outcome(outcome: &Result<u64, AppendError>) -> &'static str {
    match outcome {
        Ok(_) => "written",
        Err(AppendError::Duplicate { .. }) => "duplicate",
        Err(AppendError::Fenced) => "fenced",
        Err(AppendError::LinkUsed) => "link_used",
        Err(AppendError::Unknown(_)) => "unknown",
        Err(AppendError::Fault(_)) => "fault",
    }
}

/// Appends the metrics of all stores of this process to a text, in the format of Prometheus.
pub fn write_metrics(text: &mut String) {
    METRICS.write(text);
}
