//! Histograms of durations.

use std::time::Duration;

use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::histogram::Histogram;

use crate::Label;

/// Bounds for operations that take milliseconds, in seconds.
pub const SHORT: &[f64] =
    &[0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Bounds for waits that take seconds, in seconds.
pub const LONG: &[f64] = &[0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 20.0, 60.0];

/// A histogram of durations.
#[derive(Clone, Debug)]
pub struct Durations {
    histogram: Histogram,
}

impl Durations {
    pub(crate) fn new(bounds: &'static [f64]) -> Self {
        Self { histogram: Histogram::new(bounds.iter().copied()) }
    }

    pub(crate) fn histogram(&self) -> Histogram {
        self.histogram.clone()
    }

    /// Records a duration.
    pub fn observe(&self, duration: Duration) {
        self.histogram.observe(duration.as_secs_f64());
    }
}

/// Histograms of durations that differ by a label.
#[derive(Clone, Debug)]
pub struct DurationsBy {
    label: &'static str,
    histograms: Family<[Label; 1], Histogram, Bounds>,
}

/// The upper bounds of the buckets of new histograms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds(&'static [f64]);

impl MetricConstructor<Histogram> for Bounds {
    fn new_metric(&self) -> Histogram {
        Histogram::new(self.0.iter().copied())
    }
}

impl DurationsBy {
    pub(crate) fn new(label: &'static str, values: &[&'static str], bounds: &'static [f64]) -> Self {
        let histograms = Family::new_with_constructor(Bounds(bounds));
        for value in values {
            drop(histograms.get_or_create(&[(label, *value)]));
        }
        Self { label, histograms }
    }

    pub(crate) fn family(&self) -> Family<[Label; 1], Histogram, Bounds> {
        self.histograms.clone()
    }

    /// Records a duration with this value of the label.
    pub fn observe(&self, value: &'static str, duration: Duration) {
        self.histograms.get_or_create(&[(self.label, value)]).observe(duration.as_secs_f64());
    }
}
