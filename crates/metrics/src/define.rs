//! The definition of metrics.

use std::time::Duration;

use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::{CounterBy, Durations, DurationsBy, Label};

/// The definition of the metrics of a [`Part`](crate::Part). Names are without the prefix and
/// without the suffixes `_total` and `_seconds`, which are added.
#[derive(Debug)]
pub struct Define<'a> {
    registry: &'a mut Registry,
}

impl<'a> Define<'a> {
    pub(crate) fn new(registry: &'a mut Registry) -> Self {
        Self { registry }
    }

    /// Defines a counter.
    pub fn counter(&mut self, name: &str, help: &str) -> Counter {
        let counter = Counter::default();
        self.registry.register(name, help, counter.clone());
        counter
    }

    /// Defines a counter that has this value, which is known from elsewhere.
    pub fn counter_value(&mut self, name: &str, help: &str, value: u64) {
        self.registry.register(name, help, ConstCounter::new(value));
    }

    /// Defines a counter of seconds that has this value.
    pub fn counter_of_seconds(&mut self, name: &str, help: &str, value: Duration) {
        self.registry.register_with_unit(name, help, Unit::Seconds, ConstCounter::new(value.as_secs_f64()));
    }

    /// Defines counters that differ by a label. Those with the given values of the label exist from
    /// the beginning, so that their first increase is seen.
    pub fn counter_by(
        &mut self,
        name: &str,
        help: &str,
        label: &'static str,
        values: &[&'static str],
    ) -> CounterBy {
        let counters = Family::<[Label; 1], Counter>::default();
        self.registry.register(name, help, counters.clone());
        let counters = CounterBy { label, counters };
        for value in values {
            counters.inc_by(value, 0);
        }
        counters
    }

    /// Defines a histogram of durations with these upper bounds of its buckets, in seconds.
    pub fn durations(&mut self, name: &str, help: &str, bounds: &'static [f64]) -> Durations {
        let durations = Durations::new(bounds);
        self.registry.register_with_unit(name, help, Unit::Seconds, durations.histogram());
        durations
    }

    /// Defines histograms of durations that differ by a label. Those with the given values of the
    /// label exist from the beginning.
    pub fn durations_by(
        &mut self,
        name: &str,
        help: &str,
        label: &'static str,
        values: &[&'static str],
        bounds: &'static [f64],
    ) -> DurationsBy {
        let durations = DurationsBy::new(label, values, bounds);
        self.registry.register_with_unit(name, help, Unit::Seconds, durations.family());
        durations
    }

    /// Defines a gauge whose value is set now and then.
    pub fn updated_gauge(&mut self, name: &str, help: &str) -> Gauge {
        let gauge = Gauge::default();
        self.registry.register(name, help, gauge.clone());
        gauge
    }

    /// Defines a gauge with this value.
    pub fn gauge(&mut self, name: &str, help: &str, value: usize) {
        self.registry.register(name, help, ConstGauge::new(count(value)));
    }

    /// Defines a gauge of seconds with this value.
    pub fn seconds(&mut self, name: &str, help: &str, value: Duration) {
        self.registry.register_with_unit(name, help, Unit::Seconds, ConstGauge::new(value.as_secs_f64()));
    }

    /// Defines a gauge of bytes with this value.
    pub fn bytes(&mut self, name: &str, help: &str, value: u64) {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        self.registry.register_with_unit(name, help, Unit::Bytes, ConstGauge::new(value));
    }

    /// Defines gauges that differ by a label, with these values.
    pub fn gauge_by(
        &mut self,
        name: &str,
        help: &str,
        label: &'static str,
        values: &[(&'static str, usize)],
    ) {
        let gauges = Family::<[Label; 1], Gauge>::default();
        for (value, number) in values {
            gauges.get_or_create(&[(label, *value)]).set(count(*number));
        }
        self.registry.register(name, help, gauges);
    }

    /// Defines a gauge with the value 1, whose labels are facts.
    pub fn info(&mut self, name: &str, help: &str, facts: &[(&'static str, String)]) {
        self.registry.register(name, help, Info::new(facts.to_vec()));
    }
}

fn count(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
