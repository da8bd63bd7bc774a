//! The hours in which a user is not notified.

use std::time::Duration;

use quadrex_rules::Timestamp;
use quadrex_store::QuietHours;

const MINUTE_MS: i64 = 60_000;
const DAY_MINUTES: i64 = 24 * 60;

/// Returns the end of the quiet hours if `now` is within them.
pub(super) fn end_of(quiet: QuietHours, now: Timestamp) -> Option<Timestamp> {
    let (from, to) = (i64::from(quiet.from_minute), i64::from(quiet.to_minute));
    let now_ms = i64::try_from(now.as_millis()).unwrap_or(0);
    let minute = now_ms / MINUTE_MS + i64::from(quiet.utc_offset_minutes);
    let length = (to - from).rem_euclid(DAY_MINUTES);
    let passed = (minute - from).rem_euclid(DAY_MINUTES);
    (passed < length).then(|| {
        let left_ms = (length - passed) * MINUTE_MS - now_ms % MINUTE_MS;
        now + Duration::from_millis(u64::try_from(left_ms).unwrap_or(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-27 00:00 UTC.
    const DAY: u64 = 1_795_737_600_000;

    fn at(hour: u64, minute: u64) -> Timestamp {
        Timestamp::from_millis(DAY + (hour * 60 + minute) * 60_000 + 1_500)
    }

    fn end(from: (u16, u16), to: (u16, u16), offset: i16, now: Timestamp) -> Option<u64> {
        let quiet = QuietHours {
            from_minute: from.0 * 60 + from.1,
            to_minute: to.0 * 60 + to.1,
            utc_offset_minutes: offset,
        };
        end_of(quiet, now).map(|end| (end.as_millis() - DAY) / 60_000)
    }

    #[test]
    fn quiet_hours_within_a_day_end_on_that_day() {
        assert_eq!(DAY % (24 * 3_600_000), 0);
        assert_eq!(end((9, 0), (17, 30), 0, at(8, 59)), None);
        assert_eq!(end((9, 0), (17, 30), 0, at(9, 0)), Some(17 * 60 + 30));
        assert_eq!(end((9, 0), (17, 30), 0, at(17, 29)), Some(17 * 60 + 30));
        assert_eq!(end((9, 0), (17, 30), 0, at(17, 30)), None);
    }

    #[test]
    fn quiet_hours_over_midnight_end_on_the_next_day() {
        assert_eq!(end((22, 0), (7, 0), 0, at(21, 59)), None);
        assert_eq!(end((22, 0), (7, 0), 0, at(23, 0)), Some((24 + 7) * 60));
        assert_eq!(end((22, 0), (7, 0), 0, at(6, 59)), Some(7 * 60));
        assert_eq!(end((22, 0), (7, 0), 0, at(7, 0)), None);
    }

    #[test]
    fn quiet_hours_are_in_the_time_of_the_user() {
        assert_eq!(end((22, 0), (7, 0), 60, at(20, 59)), None);
        assert_eq!(end((22, 0), (7, 0), 60, at(21, 0)), Some((24 + 6) * 60));
        assert_eq!(end((22, 0), (7, 0), -300, at(2, 59)), None);
        assert_eq!(end((22, 0), (7, 0), -300, at(3, 0)), Some(12 * 60));
    }

    #[test]
    fn hours_that_begin_and_end_at_the_same_minute_are_none() {
        assert_eq!(end((7, 0), (7, 0), 0, at(7, 0)), None);
        assert_eq!(end((7, 0), (7, 0), 0, at(23, 0)), None);
    }
}
