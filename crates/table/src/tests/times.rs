//! Tests of a table's clocks and deadlines.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{ClockView, Phase};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};

use super::{Bench, plain, terms, terms_of};
use crate::{Action, Deadline, Timer, state_view};

const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 10_000, increment_ms: 0 };

fn timed(variant: Variant, time: TimeSetting) -> Bench {
    Bench::started(&terms_of(CreateTable { time: Some(time), ..plain(variant) }), 0)
}

/// Returns a four-player match with ten seconds each in which every player has moved once, after a
/// second each.
fn four_under_way() -> Bench {
    let mut bench = timed(Variant::Dilkel, BLITZ);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11"), ("green", "m8l8")] {
        bench.play(by, mv).unwrap();
    }
    bench
}

fn left(bench: &Bench) -> Option<Duration> {
    bench.state().next_deadline().map(|due| due.at.since(bench.now()))
}

fn clock(bench: &Bench) -> ClockView {
    state_view(bench.state(), bench.now()).clock.unwrap()
}

/// G12: a flag falls exactly when the time is up. Down time of the server is not charged.
#[test]
fn a_flag_falls_on_time_and_down_time_is_not_charged() {
    let mut bench = timed(Variant::Classic, BLITZ);
    bench.play("white", "e2e4").unwrap();
    bench.play("black", "e7e5").unwrap();
    assert!(bench.wait_ms(9_999).is_err(), "White has a millisecond left");
    let due = bench.now() + Duration::from_millis(1);
    assert_eq!(bench.state().next_deadline(), Some(Deadline { at: due, timer: Timer::Flag }));
    bench.pass_ms(1_000_000);
    let resumed = bench.now() + Duration::from_secs(3_600);
    let until_ms = bench.now().as_millis() - 1_009_999 + 4_000;
    bench.take_in(&[Event::Interrupted { until_ms, resumes_ms: resumed.as_millis(), away_ms: 0 }]);
    assert_eq!(bench.state().next_deadline().map(|due| due.at), Some(resumed + Duration::from_secs(6)));
    assert!(bench.wait_ms(3_600_000).is_err());
    let events = bench.wait_ms(6_000).unwrap();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Time, .. }]), "{events:?}");
    assert_eq!(bench.state().next_deadline(), None);
}

/// G12, D11: two flags fall in succession, each at its own time. The next player's clock starts
/// when the previous flag falls.
#[test]
fn successive_flags_fall_each_on_time() {
    let mut bench = four_under_way();
    for color in [Color::Red, Color::Blue] {
        assert_eq!(left(&bench), Some(Duration::from_secs(10)));
        let events = bench.wait_ms(10_000).unwrap();
        let [Event::Eliminated { color: out, cause: Cause::Time, .. }] = events[..] else {
            panic!("{events:?}")
        };
        assert_eq!(out, color);
    }
    assert_eq!(
        clock(&bench).left_ms,
        [(Color::Red, 0), (Color::Blue, 0), (Color::Yellow, 10_000), (Color::Green, 10_000)].into()
    );
}

/// G12: a move or a claim at the same instant as the flag is too late.
#[test]
fn a_move_at_the_instant_of_the_flag_is_too_late() {
    let mut bench = four_under_way();
    let mv = bench.mv("g2g4");
    assert!(bench.wait_ms(9_999).is_err());
    assert!(bench.decide("red", mv.clone()).is_ok());
    assert!(bench.wait_ms(1).is_ok(), "the flag is first");
    assert_eq!(bench.decide("red", mv).unwrap_err().to_string(), "red is eliminated");
}

/// A first move that is not made within 30 seconds aborts the match, even if all other players have
/// moved.
#[test]
fn a_missing_first_move_aborts_the_match() {
    let mut bench = timed(Variant::Dilkel, BLITZ);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11")] {
        bench.play(by, mv).unwrap();
    }
    let shown = clock(&bench);
    assert!(shown.first_move);
    assert_eq!(
        (shown.running, shown.left_ms[&Color::Green], shown.delay_left_ms),
        (Some(Color::Green), 10_000, 30_000)
    );
    assert!(bench.wait_ms(29_999).is_err());
    assert_eq!(bench.wait_ms(1).unwrap(), [Event::Aborted { cause: AbortCause::FirstMove }]);
    let view = state_view(bench.state(), bench.now());
    assert_eq!((view.phase, view.turn, view.outcome), (Phase::Ended, None, None));
    assert_eq!(view.aborted, Some(AbortCause::FirstMove));
    assert_eq!(bench.decide("red", Action::Resign).unwrap_err().to_string(), "the match is over");
}

/// A correspondence match has a number of days for each turn.
#[test]
fn correspondence_turns_last_days() {
    let day = Duration::from_secs(86_400);
    let mut bench = timed(Variant::Classic, TimeSetting::Correspondence { days: 2 });
    assert_eq!(left(&bench), Some(2 * day));
    bench.play("white", "e2e4").unwrap();
    bench.play("black", "e7e5").unwrap();
    assert!(bench.wait_ms(86_400_000).is_err());
    assert_eq!(
        (left(&bench), clock(&bench).left_ms[&Color::White], clock(&bench).delay_left_ms),
        (Some(day), 86_400_000, 0)
    );
    let events = bench.wait_ms(86_400_000).unwrap();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Time, .. }]), "{events:?}");
}

#[test]
fn views_have_the_present_clock_times() {
    let delay = TimeSetting::Delay { base_ms: 60_000, delay_ms: 5_000 };
    let mut bench = timed(Variant::Classic, delay);
    bench.play("white", "e2e4").unwrap();
    bench.play("black", "e7e5").unwrap();
    let shown = |after_ms| {
        let clock = state_view(bench.state(), bench.now() + Duration::from_millis(after_ms)).clock.unwrap();
        assert_eq!((clock.running, clock.first_move), (Some(Color::White), false));
        (clock.left_ms[&Color::White], clock.left_ms[&Color::Black], clock.delay_left_ms)
    };
    assert_eq!(shown(0), (60_000, 60_000, 5_000));
    assert_eq!(shown(2_000), (60_000, 60_000, 3_000));
    assert_eq!(shown(7_000), (58_000, 60_000, 0));
    assert_eq!(shown(99_000), (0, 60_000, 0));
    let unclocked = Bench::started(&terms(Variant::Classic), 0);
    assert!(state_view(unclocked.state(), unclocked.now()).clock.is_none());
}
