//! Metrics of a process: counts and durations, in the text format of Prometheus.
//!
//! Each crate that counts something has one static [`Part`] with its metrics. Recording a value
//! changes atomics, or a few numbers behind a lock that is held for nanoseconds. A label has a
//! `&'static str` as its value, so that ids and names of users, tables and matches cannot get into
//! metrics, and the number of time series is bounded.

mod define;
mod durations;
mod stopwatch;

use std::fmt;
use std::ops::Deref;

use prometheus_client::encoding::prometheus_text;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

pub use define::Define;
pub use durations::{Durations, DurationsBy, LONG, SHORT};
pub use prometheus_client::metrics::counter::Counter;
pub use prometheus_client::metrics::gauge::Gauge;
pub use stopwatch::Stopwatch;

/// The media type of the text (Prometheus, "Exposition formats").
pub const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The label of a time series: its name and its value.
pub type Label = (&'static str, &'static str);

/// The metrics of a part of the process.
pub struct Part<M> {
    metrics: M,
    registry: Registry,
}

impl<M> Part<M> {
    /// Defines metrics. All names begin with this prefix and an underscore, if it is not empty.
    pub fn new(prefix: &'static str, metrics: impl FnOnce(&mut Define<'_>) -> M) -> Self {
        let mut registry =
            if prefix.is_empty() { Registry::default() } else { Registry::with_prefix(prefix) };
        let metrics = metrics(&mut Define::new(&mut registry));
        Self { metrics, registry }
    }

    /// Appends all metrics with their values to a text.
    pub fn write(&self, text: &mut String) {
        prometheus_text::encode(text, &self.registry).expect("a String accepts every text");
    }
}

impl<M> Deref for Part<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.metrics
    }
}

impl<M: fmt::Debug> fmt::Debug for Part<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.metrics.fmt(f)
    }
}

/// Counters that differ by a label.
#[derive(Clone, Debug)]
pub struct CounterBy {
    label: &'static str,
    counters: Family<[Label; 1], Counter>,
}

impl CounterBy {
    /// Counts one with this value of the label.
    pub fn inc(&self, value: &'static str) {
        self.inc_by(value, 1);
    }

    /// Counts several with this value of the label.
    pub fn inc_by(&self, value: &'static str, count: u64) {
        self.counters.get_or_create(&[(self.label, value)]).inc_by(count);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn text<M>(part: &Part<M>) -> String {
        let mut text = String::new();
        part.write(&mut text);
        text
    }

    #[test]
    fn counters_are_written_with_their_names_and_labels() {
        let part = Part::new("chess", |define| {
            let plain = define.counter("moves", "Moves that were made");
            (plain, define.counter_by("closed", "Closed connections", "reason", &["client", "server"]))
        });
        part.0.inc();
        part.1.inc("client");
        part.1.inc_by("client", 2);
        part.1.inc("broken");
        let text = text(&part);
        for line in [
            "# TYPE chess_moves_total counter",
            "# HELP chess_moves_total Moves that were made.",
            "chess_moves_total 1",
            "chess_closed_total{reason=\"client\"} 3",
            "chess_closed_total{reason=\"broken\"} 1",
            "chess_closed_total{reason=\"server\"} 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
    }

    #[test]
    fn durations_are_written_in_seconds() {
        let part = Part::new("", |define| {
            let all = define.durations("commit", "Commits", SHORT);
            (all, define.durations_by("command", "Commands", "outcome", &["refused"], LONG))
        });
        part.0.observe(Duration::from_millis(3));
        part.1.observe("accepted", Duration::from_secs(2));
        let text = text(&part);
        for line in [
            "# TYPE commit_seconds histogram",
            "commit_seconds_sum 0.003",
            "commit_seconds_count 1",
            "commit_seconds_bucket{le=\"0.002\"} 0",
            "commit_seconds_bucket{le=\"0.005\"} 1",
            "command_seconds_sum{outcome=\"accepted\"} 2.0",
            "command_seconds_count{outcome=\"refused\"} 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
    }

    #[test]
    fn gauges_have_the_values_of_their_definition() {
        let part = Part::new("chess", |define| {
            define.gauge("tables", "Tables", 7);
            define.seconds("uptime", "Time since the start", Duration::from_millis(1_500));
            define.gauge_by("matches", "Matches", "state", &[("open", 2), ("running", 3)]);
            define.counter_value("stalls", "Stalls", 4);
            define.info("build", "The program", &[("version", "0.1.0".to_owned())]);
        });
        let text = text(&part);
        for line in [
            "# TYPE chess_tables gauge",
            "chess_tables 7",
            "chess_uptime_seconds 1.5",
            "chess_matches{state=\"running\"} 3",
            "chess_stalls_total 4",
            "chess_build_info{version=\"0.1.0\"} 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
    }
}
