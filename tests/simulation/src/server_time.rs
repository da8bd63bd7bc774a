//! The time of a server without a cluster, whose clocks may be wrong.

use quadrex_rules::Timestamp;

use crate::owner_record::Interval;

/// One million, the unit of a drift.
const MILLION: i128 = 1_000_000;

/// The times that the processes of a server have shown, one after the other. A process reads the time of
/// day when it starts, and follows the monotonic clock of its machine from then on. So the time of the
/// server may jump from one process to the next, and only then.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerTime(Vec<Run>);

/// The number of a process in the order of their starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessNumber(usize);

/// A process from the moment at which it was ready.
#[derive(Clone, Copy, Debug)]
struct Run {
    since: Timestamp,
    /// The moment at which the process ended; `None` while it runs.
    end: Option<Timestamp>,
    /// The time that the process showed when it was ready.
    shown: Timestamp,
    /// The number of microseconds by which its clock gains in a second.
    drift: i32,
}

impl ServerTime {
    /// Records that a process is ready at a moment after the last one, and which time it shows.
    pub(crate) fn add_start(&mut self, at: Timestamp, shown: Timestamp, drift: i32) -> ProcessNumber {
        self.0.push(Run { since: at, end: None, shown, drift });
        ProcessNumber(self.0.len() - 1)
    }

    /// Records that a process ends.
    pub(crate) fn add_end(&mut self, process: ProcessNumber, at: Timestamp) {
        self.0[process.0].end = Some(at);
    }

    /// Returns the time that the server showed at a moment. Before the first process, it is the real time.
    ///
    /// After the end of a process, it is the time that the process would have shown, but not after that of
    /// the next start: if the clock was set back, the next process shows these times again.
    pub(crate) fn at(&self, moment: Timestamp) -> Timestamp {
        let later = self.0.partition_point(|run| run.since <= moment);
        let Some(run) = later.checked_sub(1).and_then(|index| self.0.get(index)) else { return moment };
        match (run.end, self.0.get(later)) {
            (Some(end), Some(next)) if end < moment => run.at(moment).min(run.at(end).max(next.shown)),
            _ => run.at(moment),
        }
    }

    /// Returns intervals by the time of the server.
    pub(crate) fn intervals(&self, intervals: &[Interval]) -> Vec<Interval> {
        intervals.iter().map(|(since, until)| (self.at(*since), self.at(*until))).collect()
    }
}

impl Run {
    /// Returns the time that the process shows at a moment.
    fn at(&self, moment: Timestamp) -> Timestamp {
        let passed = i128::from(moment.as_millis() - self.since.as_millis());
        let passed = passed + passed * i128::from(self.drift) / MILLION;
        Timestamp::from_millis(self.shown.as_millis().saturating_add_signed(passed.try_into().unwrap_or(0)))
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
    fn while_no_process_runs_the_time_does_not_pass_the_next_start() {
        // A process shows 1,000 at 0 and ends at 40. The next one is ready at 100.
        for (next, shown) in [
            (1_500, [1_039, 1_040, 1_041, 1_099, 1_500]),
            (1_060, [1_039, 1_040, 1_041, 1_060, 1_060]),
            (50, [1_039, 1_040, 1_040, 1_040, 50]),
        ] {
            let mut time = ServerTime::default();
            let process = time.add_start(ms(0), ms(1_000), 0);
            time.add_end(process, ms(40));
            time.add_start(ms(100), ms(next), 0);
            assert_eq!([39, 40, 41, 99, 100].map(|at| time.at(ms(at))), shown.map(ms), "{next}");
        }
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
