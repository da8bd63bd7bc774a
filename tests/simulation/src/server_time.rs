//! The time of a server without a cluster, whose clocks may be wrong.

use quadrex_rules::Timestamp;

use crate::owner_record::Interval;

/// One million, the unit of a drift.
const MILLION: i128 = 1_000_000;

/// The times that the processes of a server have shown, one after the other. A process reads the time of
/// day when it starts, and follows the monotonic clock of its machine from then on. So the time of the
/// server may jump from one process to the next, and only then.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerTime(Vec<Start>);

/// The moment at which a process was ready.
#[derive(Clone, Copy, Debug)]
struct Start {
    at: Timestamp,
    /// The time that the process showed.
    shown: Timestamp,
    /// The number of microseconds by which its clock gains in a second.
    drift: i32,
}

impl ServerTime {
    /// Records that a process is ready at a moment after the last one, and which time it shows.
    pub(crate) fn add_start(&mut self, at: Timestamp, shown: Timestamp, drift: i32) {
        self.0.push(Start { at, shown, drift });
    }

    /// Returns the time that the server showed at a moment. While no process was ready, it is the time that
    /// the last one would have shown. Before the first one, it is the real time.
    pub(crate) fn at(&self, moment: Timestamp) -> Timestamp {
        let later = self.0.partition_point(|start| start.at <= moment);
        let Some(start) = later.checked_sub(1).and_then(|index| self.0.get(index)) else { return moment };
        let passed = i128::from(moment.as_millis() - start.at.as_millis());
        let passed = passed + passed * i128::from(start.drift) / MILLION;
        Timestamp::from_millis(start.shown.as_millis().saturating_add_signed(passed.try_into().unwrap_or(0)))
    }

    /// Returns intervals by the time of the server.
    pub(crate) fn intervals(&self, intervals: &[Interval]) -> Vec<Interval> {
        intervals.iter().map(|(since, until)| (self.at(*since), self.at(*until))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn a_server_shows_the_real_time_before_it_has_started() {
        let mut time = ServerTime::default();
        assert_eq!(time.at(ms(7)), ms(7));
        time.add_start(ms(10), ms(5_010), 0);
        assert_eq!([9, 10, 11].map(|at| time.at(ms(at))), [9, 5_010, 5_011].map(ms));
    }

    #[test]
    fn the_time_jumps_when_a_process_starts() {
        let mut time = ServerTime::default();
        time.add_start(ms(0), ms(1_000), 0);
        time.add_start(ms(100), ms(50), 0);
        assert_eq!([99, 100, 200].map(|at| time.at(ms(at))), [1_099, 50, 150].map(ms));
    }

    #[test]
    fn a_clock_that_drifts_gains_or_loses() {
        for (drift, shown) in [(200, 1_000_200), (0, 1_000_000), (-200, 999_800)] {
            let mut time = ServerTime::default();
            time.add_start(ms(5), ms(0), drift);
            assert_eq!(time.at(ms(1_000_005)), ms(shown));
        }
    }
}
