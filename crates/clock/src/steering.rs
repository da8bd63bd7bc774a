//! The time of a server that several processes share, computed from the monotonic clock.

use std::collections::VecDeque;
use std::time::Duration;

use quadrex_rules::Timestamp;

/// The number of samples that are remembered. The one with the shortest round trip counts.
const SAMPLES: usize = 16;

/// The maximum correction: this part of the time that has passed. Players' clocks are therefore at
/// most 0.5 percent fast or slow while a correction lasts.
const MAX_CORRECTION: i128 = 200;

/// A reading of the server's time. The moments are those of the monotonic clock of this process,
/// from the same beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSample {
    /// The moment at which the time was requested.
    pub sent: Duration,
    /// The moment at which the answer arrived.
    pub received: Duration,
    /// The time of the server.
    pub time: Timestamp,
}

impl TimeSample {
    fn round_trip(&self) -> Duration {
        self.received.saturating_sub(self.sent)
    }

    /// Returns the difference between the server's time and the monotonic clock, in microseconds.
    /// The server has read its clock in the middle of the round trip, or at most half a round trip
    /// before or after.
    fn offset(&self) -> i128 {
        let middle = self.sent + self.round_trip() / 2;
        i128::from(self.time.as_millis()) * 1_000 - micros(middle)
    }
}

/// A clock that follows the time of a server. It never goes back and never jumps: a difference is
/// corrected slowly.
///
/// ```
/// use std::time::Duration;
///
/// use quadrex_clock::{SteeredTime, TimeSample};
/// use quadrex_rules::Timestamp;
///
/// let moment = Duration::from_secs(10);
/// let sample = TimeSample { sent: moment, received: moment, time: Timestamp::from_millis(5_000) };
/// let time = SteeredTime::new(sample);
/// assert_eq!(time.at(moment + Duration::from_secs(1)), Timestamp::from_millis(6_000));
/// ```
#[derive(Clone, Debug)]
pub struct SteeredTime {
    samples: VecDeque<TimeSample>,
    /// The moment of the last correction.
    since: Duration,
    /// The difference between this clock and the monotonic clock at that moment, in microseconds.
    offset: i128,
}

impl SteeredTime {
    /// Returns a clock that starts with the time of a sample.
    #[must_use]
    pub fn new(sample: TimeSample) -> Self {
        Self { samples: [sample].into(), since: sample.received, offset: sample.offset() }
    }

    /// Corrects the clock with a sample.
    pub fn record(&mut self, sample: TimeSample) {
        self.offset = self.offset_at(sample.received);
        self.since = self.since.max(sample.received);
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// Returns the time at a moment of the monotonic clock.
    #[must_use]
    pub fn at(&self, moment: Duration) -> Timestamp {
        let micros = micros(moment) + self.offset_at(moment);
        Timestamp::from_millis(u64::try_from(micros / 1_000).unwrap_or(0))
    }

    /// Returns whether the clock is within this distance of the server's time, as far as it is
    /// known.
    #[must_use]
    pub fn is_within(&self, distance: Duration, moment: Duration) -> bool {
        (self.target() - self.offset_at(moment)).abs() <= micros(distance)
    }

    fn target(&self) -> i128 {
        let best = self.samples.iter().min_by_key(|sample| sample.round_trip());
        best.expect("a clock starts with a sample").offset()
    }

    fn offset_at(&self, moment: Duration) -> i128 {
        let limit = micros(moment.saturating_sub(self.since)) / MAX_CORRECTION;
        self.offset + (self.target() - self.offset).clamp(-limit, limit)
    }
}

fn micros(duration: Duration) -> i128 {
    i128::try_from(duration.as_micros()).unwrap_or(i128::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The server's time at the monotonic moment zero, in milliseconds.
    const BEGIN: u64 = 1_790_000_000_000;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Returns a sample of a server whose clock is `ahead_ms` ahead. `part` is the part of the
    /// round trip, in percent, after which the server has read its clock.
    fn sample(sent: u64, round_trip: u64, part: u64, ahead_ms: u64) -> TimeSample {
        let time = Timestamp::from_millis(BEGIN + ahead_ms + sent + round_trip * part / 100);
        TimeSample { sent: ms(sent), received: ms(sent + round_trip), time }
    }

    proptest! {
        /// The clock never goes back, whatever the server says, and its speed is nearly right.
        #[test]
        fn the_clock_never_goes_back_and_never_jumps(
            steps in prop::collection::vec((1_u64..2_000, 0_u64..500, 0_u64..=100, 0_u64..100_000), 1..60)
        ) {
            let mut time = SteeredTime::new(sample(0, 10, 50, 50_000));
            let (mut moment, mut last) = (20, time.at(ms(20)));
            for (pause, round_trip, part, ahead) in steps {
                let read = sample(moment + pause, round_trip, part, ahead);
                time.record(read);
                for next in [moment + pause + round_trip, moment + pause + round_trip + 1] {
                    let (now, passed) = (time.at(ms(next)), next - moment);
                    prop_assert!(now >= last, "{now:?} after {last:?}");
                    let error = now.since(last).as_millis().abs_diff(u128::from(passed));
                    prop_assert!(error <= u128::from(passed) / 200 + 2, "{error} ms in {passed} ms");
                    (moment, last) = (next, now);
                }
            }
        }

        /// With any latencies, the clock comes as near to the server's time as half the shortest of
        /// the last round trips.
        #[test]
        fn the_clock_finds_the_server_s_time(
            ahead in 0_u64..2_000,
            round_trips in prop::collection::vec((2_u64..300, 0_u64..=100), 16..40),
        ) {
            let mut time = SteeredTime::new(sample(0, 10, 50, 1_000));
            let mut moment = 100;
            for (round_trip, part) in &round_trips {
                time.record(sample(moment, *round_trip, *part, ahead));
                moment += 500;
            }
            let shortest = round_trips.iter().rev().take(16).map(|(round_trip, _)| *round_trip).min().unwrap();
            // The greatest correction, at 0.5 percent: the second by which the clock is wrong at first,
            // and half of the longest round trip, by which a sample may be wrong.
            let later = moment + (1_000 + 150) * 200;
            let error = time.at(ms(later)).as_millis().abs_diff(BEGIN + ahead + later);
            prop_assert!(error <= shortest / 2 + 2, "{error} ms, the shortest round trip has {shortest} ms");
            prop_assert!(time.is_within(ms(1), ms(later)));
        }
    }

    #[test]
    fn the_shortest_round_trip_of_the_last_sixteen_counts() {
        let mut time = SteeredTime::new(sample(0, 10, 50, 0));
        time.record(sample(1_000, 400, 100, 0));
        assert!(time.is_within(ms(0), ms(2_000)), "the first sample is better");
        for number in 0..16 {
            time.record(sample(2_000 + number * 500, 20, 50, 40));
        }
        let moment = ms(2_000 + 16 * 500);
        assert!(!time.is_within(ms(1), moment), "a correction takes time");
        assert!(time.is_within(ms(1), moment + ms(10_000)));
    }
}
