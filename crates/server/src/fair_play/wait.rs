//! The wait of users who have left rated matches.

use std::time::Duration;

use quadrex_protocol::http::RatedWaitView;
use quadrex_rules::Timestamp;
use quadrex_store::RatedConduct;

/// The time for which left and finished matches count.
pub(super) const REMEMBERED: Duration = Duration::from_secs(30 * 86_400);

/// The points for a left match. A finished match takes one point away.
const POINTS_OF_LEAVE: u32 = 3;

/// The time for which a user may not sit down at rated tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedWait {
    /// The end of the time.
    pub until: Timestamp,
    /// The number of rated matches that the user has left in the last 30 days.
    pub leaves: u32,
}

impl RatedWait {
    /// Returns the wait of a user at `now`, if there is any. `waits` has the wait after the first
    /// left match, after the second one, and so on. Three finished matches make up for a left one.
    /// The wait begins with the last left match.
    pub(super) fn of(conduct: &RatedConduct, waits: &[Duration], now: Timestamp) -> Option<Self> {
        let last = conduct.left.last()?;
        let mut points = 0_u32;
        let mut finished = conduct.finished.iter().peekable();
        for left in &conduct.left {
            while finished.next_if(|at| *at < left).is_some() {
                points = points.saturating_sub(1);
            }
            points += POINTS_OF_LEAVE;
        }
        let finished_since = u32::try_from(finished.count()).unwrap_or(u32::MAX);
        let level = points.saturating_sub(finished_since).div_ceil(POINTS_OF_LEAVE);
        let index = usize::try_from(level).ok()?.checked_sub(1)?;
        let until = *last + *waits.get(index).or(waits.last())?;
        let leaves = u32::try_from(conduct.left.len()).unwrap_or(u32::MAX);
        (until > now).then_some(Self { until, leaves })
    }

    /// Returns the time that is left at `now`, in milliseconds.
    #[must_use]
    pub fn left_ms(&self, now: Timestamp) -> u64 {
        self.until.as_millis().saturating_sub(now.as_millis())
    }

    /// Returns the wait as clients see it.
    #[must_use]
    pub fn view(&self) -> RatedWaitView {
        RatedWaitView { until_ms: self.until.as_millis(), leaves: self.leaves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    /// Returns the minutes that a user waits after these matches, which end one after the other, a
    /// minute apart: `l` is a left match, and `f` a finished one.
    fn wait_after(matches: &str) -> u64 {
        let waits = [0, 5, 15, 60].map(|minutes| Duration::from_secs(60 * minutes));
        let mut conduct = RatedConduct::default();
        for (index, outcome) in (1..).zip(matches.chars()) {
            let at = Timestamp::from_millis(index * MINUTE);
            if outcome == 'l' { conduct.left.push(at) } else { conduct.finished.push(at) }
        }
        let Some(last) = conduct.left.last() else { return 0 };
        let wait = RatedWait::of(&conduct, &waits, *last);
        wait.map_or(0, |wait| wait.until.since(*last).as_secs() / 60)
    }

    #[test]
    fn the_wait_grows_with_each_left_match_up_to_the_last_one() {
        let grown: Vec<u64> = ["f", "l", "ll", "lll", "llll", "lllll"].map(wait_after).to_vec();
        assert_eq!(grown, [0, 0, 5, 15, 60, 60]);
    }

    #[test]
    fn three_finished_matches_make_up_for_a_left_one() {
        assert_eq!(["llf", "llff", "llfff", "llffffff"].map(wait_after), [5, 5, 0, 0]);
        assert_eq!(["lfffl", "lffl", "lfflfll"].map(wait_after), [0, 5, 15]);
        assert_eq!(wait_after("fffffffl"), 0, "matches before the first left one save nothing");
        assert_eq!(wait_after("fffffffll"), 5, "matches before the first left one save nothing");
    }

    #[test]
    fn the_wait_ends_and_without_waits_there_is_none() {
        let at = Timestamp::from_millis(MINUTE);
        let conduct = RatedConduct { left: vec![at], finished: Vec::new() };
        let waits = [Duration::from_secs(60)];
        let wait = RatedWait::of(&conduct, &waits, at).unwrap();
        assert_eq!(wait, RatedWait { until: Timestamp::from_millis(2 * MINUTE), leaves: 1 });
        assert_eq!(RatedWait::of(&conduct, &waits, wait.until), None);
        assert_eq!(RatedWait::of(&conduct, &[], at), None);
    }
}
