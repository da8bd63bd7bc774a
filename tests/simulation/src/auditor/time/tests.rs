use quadrex_protocol::TableSettings;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_rules::{Color, Request};

use super::super::Service;
use super::super::samples::{
    ANN, BEN, BLACK, CAT, Log, WHITE, auditor, ended, match_id, moved, seated, settings, started,
};
use super::super::stored::Stored;
use super::*;
use crate::trace::{BEGIN, story_time};

/// The time at which the match of [`timed`] starts, after the beginning.
const STARTS: u64 = 3_000;

/// Returns the log of a match with a minute for each player, which has started.
fn timed() -> Log {
    let time = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 };
    let log = Log::opened_with(TableSettings { time, ..settings(Privacy::Public) }, None);
    log.after_ms(0, seated(WHITE, ANN)).after_ms(0, seated(BLACK, BEN)).after_ms(STARTS - 1_000, started())
}

/// Returns the time of the last event of a log, and this many seconds.
fn seconds_after(log: &Log, seconds: u64) -> Timestamp {
    log.0.last().unwrap().at + Duration::from_secs(seconds)
}

/// Adds a move some seconds after the last event.
fn plays(log: Log, seconds: u64, color: Color, mv: &str) -> Log {
    log.played(1_000 * seconds, color, mv)
}

/// Returns a match in which both players have moved, and Black's move was the last one. White has 50
/// seconds left.
fn played() -> Log {
    let log = plays(plays(timed(), 5, WHITE, "e2e4"), 5, BLACK, "e7e5");
    plays(plays(log, 10, WHITE, "d2d4"), 10, BLACK, "d7d5")
}

/// Adds the compensation of an outage from `since` to `until`, in milliseconds after the last event.
fn interrupted(log: Log, since: u64, until: u64) -> Log {
    let last = log.0.last().unwrap().at.as_millis();
    let (until_ms, resumes_ms) = (last + since, last + until);
    log.after_ms(until, Event::Interrupted { until_ms, resumes_ms, away_ms: 0 })
}

/// Returns outages between these times, in milliseconds after the last event of [`played`].
fn outages(certain: &[(u64, u64)], uncertain: &[(u64, u64)]) -> Outages {
    let last = played().0.last().unwrap().at;
    let after = |ms: u64| last + Duration::from_millis(ms);
    let mut outages = Outages::default();
    certain.iter().for_each(|(since, until)| outages.add(after(*since), after(*until)));
    uncertain.iter().for_each(|(since, until)| outages.add_uncertainty(after(*since), after(*until)));
    outages
}

fn check(outages: &Outages, log: &Log) -> Vec<String> {
    outages.check(&log.0)
}

#[test]
fn a_match_without_outages_is_right() {
    let log = played().decided(50_000, &GameCommand::Flag);
    assert!(matches!(log.0.last().map(|row| &row.event), Some(Event::Ended { .. })));
    assert!(check(&Outages::default(), &log).is_empty());
}

#[test]
fn a_refund_is_not_longer_than_the_outage() {
    let log = interrupted(played(), 10_000, 30_000);
    let at = story_time(seconds_after(&played(), 10));
    let refunded = |seconds| format!("20s from {at} on are refunded for an outage of {seconds:?}");
    assert_eq!(check(&Outages::default(), &log), [refunded(Duration::ZERO)]);
    assert!(check(&outages(&[(10_000, 30_000)], &[]), &log).is_empty());
    assert!(check(&outages(&[], &[(0, 40_000)]), &log).is_empty(), "it may have been an outage");
    assert!(check(&outages(&[], &[(14_000, 30_000)]), &log).is_empty(), "a start takes time");
    let short = outages(&[], &[(14_001, 30_000)]);
    assert_eq!(check(&short, &log), [refunded(Duration::from_millis(15_999))]);
    let parts = outages(&[], &[(0, 14_000), (26_000, 90_000), (12_000, 13_000), (27_000, 28_000)]);
    assert_eq!(check(&parts, &log), [refunded(Duration::from_secs(8))], "no part counts twice");
}

/// Returns the violation by an outage that is not compensated.
fn uncompensated(since: u64, until: u64) -> String {
    let at = story_time(seconds_after(&played(), 0) + Duration::from_millis(since));
    let lasted = Duration::from_millis(until - since);
    format!("the outage of {lasted:?} from {at} on is not compensated")
}

#[test]
fn an_outage_during_the_match_is_compensated() {
    let log = |log: Log| plays(log, 35, WHITE, "d4e5");
    let (plain, twenty) = (log(played()), outages(&[(10_000, 30_000)], &[]));
    assert_eq!(check(&twenty, &log(played()).then(ended())), [uncompensated(10_000, 30_000)]);
    let compensated = interrupted(played(), 10_000, 30_000).after_ms(5_000, ended());
    assert!(check(&twenty, &compensated).is_empty());
    let late = interrupted(played(), 11_500, 30_000).after_ms(5_000, ended());
    assert!(check(&twenty, &late).is_empty(), "the server records rarely that it works");
    let too_late = interrupted(played(), 11_501, 30_000).after_ms(5_000, ended());
    assert_eq!(check(&twenty, &too_late), [uncompensated(10_000, 30_000)]);
    let early = interrupted(played(), 10_000, 28_500).after_ms(5_000, ended());
    assert!(check(&twenty, &early).is_empty());
    let too_early = interrupted(played(), 10_000, 28_499).after_ms(5_000, ended());
    assert_eq!(check(&twenty, &too_early), [uncompensated(10_000, 30_000)]);
    assert!(check(&outages(&[(10_000, 14_000)], &[]), &plain.then(ended())).is_empty(), "it is short");
}

#[test]
fn an_outage_that_charges_nobody_needs_no_compensation() {
    let end = |log: Log| log.after_ms(40_000, ended());
    let twenty = outages(&[(10_000, 30_000)], &[]);
    for uncertain in [(9_000, 11_000), (29_000, 31_000)] {
        assert!(check(&outages(&[(10_000, 30_000)], &[uncertain]), &end(played())).is_empty());
    }
    assert_eq!(check(&outages(&[(10_000, 30_000)], &[(12_000, 15_000)]), &end(played())).len(), 1);
    let paused = played().after_ms(9_000, Event::Paused {}).after_ms(20_500, Event::Resumed {});
    assert_eq!(check(&twenty, &end(paused)), [""; 0], "the match is paused at the beginning");
    let paused =
        played().after_ms(11_000, Event::Waiting { color: WHITE }).after_ms(20_000, Event::Resumed {});
    assert_eq!(check(&twenty, &end(paused)), [""; 0], "the match waits");
    let paused = played().after_ms(1_000, Event::Paused {}).after_ms(1_000, Event::Resumed {});
    assert_eq!(check(&twenty, &end(paused)), [uncompensated(10_000, 30_000)]);
    assert!(check(&twenty, &played()).is_empty(), "the match does not go on");
    assert!(check(&twenty, &played().after_ms(9_000, ended())).is_empty(), "the match is over");
    let aborted = played().after_ms(9_000, Event::Aborted { cause: quadrex_rules::AbortCause::Agreement });
    assert!(check(&twenty, &aborted).is_empty());
    let without_clocks = Log::started().then(moved(WHITE, "e2e4")).after_ms(90_000, ended());
    assert!(check(&twenty, &without_clocks).is_empty());
}

/// Returns the violation by a clock that ran out before the last event of a log.
fn overdue(log: &Log) -> String {
    format!("a clock ran out more than 10s before event {}", log.0.len())
}

#[test]
fn a_deadline_takes_effect_in_time() {
    let chat = |seconds: u64| played().after_ms(1_000 * seconds, seated(WHITE, CAT));
    assert!(check(&Outages::default(), &chat(59)).is_empty());
    let late = chat(60);
    assert_eq!(check(&Outages::default(), &late), [overdue(&late)]);
    let flag = played().decided(61_000, &GameCommand::Flag);
    assert_eq!(check(&Outages::default(), &flag), [overdue(&flag)]);
    for outage in [(2_000, 3_000), (60_000, 90_000)] {
        assert!(check(&outages(&[], &[outage]), &flag).is_empty(), "the server could not know it");
    }
    let later_flag = played().decided(80_000, &GameCommand::Flag);
    let outages = outages(&[], &[(0, 10_000), (80_000, 90_000)]);
    assert_eq!(check(&outages, &later_flag), [overdue(&later_flag)]);
}

/// Adds a pause to which both players agree, one second after the last event.
fn paused(log: Log) -> Log {
    let log = log.decided(1_000, &GameCommand::Ask { request: Request::Pause, color: WHITE });
    let log = log.decided(0, &GameCommand::Agree { request: Request::Pause, color: BLACK });
    log.after_ms(0, Event::Paused {})
}

#[test]
fn a_clock_that_does_not_run_has_no_deadline() {
    let waiting = played().after_ms(1_000, Event::Waiting { color: WHITE });
    for suspended in [paused(played()), waiting] {
        let resumed = suspended.after_ms(100_000, Event::Resumed {});
        assert!(check(&Outages::default(), &resumed).is_empty());
        let in_time = resumed.clone().after_ms(58_000, Event::Waiting { color: WHITE });
        assert!(check(&Outages::default(), &in_time).is_empty());
        let late = resumed.after_ms(59_000, Event::Waiting { color: WHITE });
        assert_eq!(check(&Outages::default(), &late), [overdue(&late)], "49 seconds were left");
    }
    let over = played().decided(1_000, &GameCommand::Resign { color: WHITE });
    assert!(check(&Outages::default(), &over.after_ms(100_000, Event::Closed { reason: None })).is_empty());
    let not_begun = Log::opened().after_ms(100_000, seated(WHITE, ANN));
    assert!(check(&Outages::default(), &not_begun).is_empty());
}

#[tokio::test(start_paused = true)]
async fn times_are_compared_only_if_they_are_comparable() {
    let log = played().decided(61_000, &GameCommand::Flag);
    let stored = Stored::with(&log).await;
    let auditor = auditor();
    auditor.compare(&stored.store, &[match_id(1)], None).await.unwrap();
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
    auditor.compare(&stored.store, &[match_id(1)], Some(Service::OneServer)).await.unwrap();
    assert_eq!(auditor.violations(), [format!("the log: {}: {}", match_id(1), overdue(&log))]);
}

#[tokio::test(start_paused = true)]
async fn the_outages_that_were_recorded_count() {
    let (log, at) = (interrupted(played(), 10_000, 30_000), seconds_after(&played(), 0));
    let log = log.then(ended());
    let stored = Stored::with(&log).await;
    let after = |seconds| at + Duration::from_secs(seconds);
    for is_certain in [true, false] {
        let auditor = auditor();
        match is_certain {
            true => auditor.add_outage(after(10), after(30)),
            false => auditor.add_uncertainty(after(10), after(30)),
        }
        auditor.compare(&stored.store, &[match_id(1)], Some(Service::OneServer)).await.unwrap();
        assert!(!auditor.violations().iter().any(|text| text.contains("refunded")), "{is_certain}");
    }
}

#[tokio::test(start_paused = true)]
async fn outages_are_compared_by_the_time_of_the_server() {
    let (log, at) = (interrupted(played(), 10_000, 30_000), seconds_after(&played(), 0));
    let stored = Stored::with(&log.then(ended())).await;
    let hour = Duration::from_hours(1);
    let after = |seconds| at + hour + Duration::from_secs(seconds);
    let behind = Timestamp::from_millis(BEGIN.as_millis() - 3_600_000);
    for (shown, violations) in [(behind, 0), (BEGIN, 1)] {
        let auditor = auditor();
        auditor.add_start(shown, 0);
        auditor.add_outage(after(10), after(30));
        auditor.compare(&stored.store, &[match_id(1)], Some(Service::OneServer)).await.unwrap();
        let refunded = auditor.violations().into_iter().filter(|text| text.contains("refunded"));
        assert_eq!(refunded.count(), violations, "{shown:?}");
    }
}
