//! Tests of a table's clocks and deadlines.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{ClockView, Phase};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};

use super::{Fixture, plain, terms, terms_of};
use crate::{Action, Deadline, Timer, state_view};

const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 10_000, increment_ms: 0 };

fn timed(variant: Variant, time: TimeSetting) -> Fixture {
    Fixture::started(&terms_of(CreateTable { time: Some(time), ..plain(variant) }), 0)
}

/// Returns a four-player match with ten seconds each in which every player has moved once, after a
/// second each.
fn four_player_match_in_progress() -> Fixture {
    let mut fixture = timed(Variant::Dilkel, BLITZ);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11"), ("green", "m8l8")] {
        fixture.play(by, mv).unwrap();
    }
    fixture
}

fn left(fixture: &Fixture) -> Option<Duration> {
    fixture.state().next_deadline().map(|due| due.at.since(fixture.now()))
}

fn clock(fixture: &Fixture) -> ClockView {
    state_view(fixture.state(), fixture.now()).clock.unwrap()
}

/// G12: a flag falls exactly when the time is up. Down time of the server is not charged.
#[test]
fn a_flag_falls_on_time_and_down_time_is_not_charged() {
    let mut fixture = timed(Variant::Classic, BLITZ);
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    assert!(fixture.advance_and_flag(9_999).is_err(), "White has a millisecond left");
    let due = fixture.now() + Duration::from_millis(1);
    assert_eq!(fixture.state().next_deadline(), Some(Deadline { at: due, timer: Timer::Flag }));
    fixture.advance_ms(1_000_000);
    let resumed = fixture.now() + Duration::from_secs(3_600);
    let until_ms = fixture.now().as_millis() - 1_009_999 + 4_000;
    fixture.apply_events(&[Event::Interrupted { until_ms, resumes_ms: resumed.as_millis(), away_ms: 0 }]);
    assert_eq!(fixture.state().next_deadline().map(|due| due.at), Some(resumed + Duration::from_secs(6)));
    assert!(fixture.advance_and_flag(3_600_000).is_err());
    let events = fixture.advance_and_flag(6_000).unwrap();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Time, .. }]), "{events:?}");
    assert_eq!(fixture.state().next_deadline(), None);
}

/// G12, D11: two flags fall in succession, each at its own time. The next player's clock starts
/// when the previous flag falls.
#[test]
fn successive_flags_fall_each_on_time() {
    let mut fixture = four_player_match_in_progress();
    for color in [Color::Red, Color::Blue] {
        assert_eq!(left(&fixture), Some(Duration::from_secs(10)));
        let events = fixture.advance_and_flag(10_000).unwrap();
        let [Event::Eliminated { color: out, cause: Cause::Time, .. }] = events[..] else {
            panic!("{events:?}")
        };
        assert_eq!(out, color);
    }
    assert_eq!(
        clock(&fixture).left_ms,
        [(Color::Red, 0), (Color::Blue, 0), (Color::Yellow, 10_000), (Color::Green, 10_000)].into()
    );
}

/// G12: a move or a claim at the same instant as the flag is too late.
#[test]
fn a_move_at_the_instant_of_the_flag_is_too_late() {
    let mut fixture = four_player_match_in_progress();
    let mv = fixture.mv("g2g4");
    assert!(fixture.advance_and_flag(9_999).is_err());
    assert!(fixture.decide("red", mv.clone()).is_ok());
    assert!(fixture.advance_and_flag(1).is_ok(), "the flag falls first");
    assert_eq!(fixture.decide("red", mv).unwrap_err().to_string(), "red is eliminated");
}

/// A first move that is not made within 30 seconds aborts the match, even if all other players have
/// moved.
#[test]
fn a_missing_first_move_aborts_the_match() {
    let mut fixture = timed(Variant::Dilkel, BLITZ);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11")] {
        fixture.play(by, mv).unwrap();
    }
    let shown = clock(&fixture);
    assert!(shown.first_move);
    assert_eq!(
        (shown.running, shown.left_ms[&Color::Green], shown.delay_left_ms),
        (Some(Color::Green), 10_000, 30_000)
    );
    assert!(fixture.advance_and_flag(29_999).is_err());
    assert_eq!(fixture.advance_and_flag(1).unwrap(), [Event::Aborted { cause: AbortCause::FirstMove }]);
    let view = state_view(fixture.state(), fixture.now());
    assert_eq!((view.phase, view.turn, view.outcome), (Phase::Ended, None, None));
    assert_eq!(view.aborted, Some(AbortCause::FirstMove));
    assert_eq!(fixture.decide("red", Action::Resign).unwrap_err().to_string(), "the match is over");
}

/// A correspondence match has a number of days for each turn.
#[test]
fn correspondence_turns_last_days() {
    let day = Duration::from_secs(86_400);
    let mut fixture = timed(Variant::Classic, TimeSetting::Correspondence { days: 2 });
    assert_eq!(left(&fixture), Some(2 * day));
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    assert!(fixture.advance_and_flag(86_400_000).is_err());
    assert_eq!(
        (left(&fixture), clock(&fixture).left_ms[&Color::White], clock(&fixture).delay_left_ms),
        (Some(day), 86_400_000, 0)
    );
    let events = fixture.advance_and_flag(86_400_000).unwrap();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Time, .. }]), "{events:?}");
}

#[test]
fn views_have_the_present_clock_times() {
    let delay = TimeSetting::Delay { base_ms: 60_000, delay_ms: 5_000 };
    let mut fixture = timed(Variant::Classic, delay);
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    let shown = |after_ms| {
        let clock =
            state_view(fixture.state(), fixture.now() + Duration::from_millis(after_ms)).clock.unwrap();
        assert_eq!((clock.running, clock.first_move), (Some(Color::White), false));
        (clock.left_ms[&Color::White], clock.left_ms[&Color::Black], clock.delay_left_ms)
    };
    assert_eq!(shown(0), (60_000, 60_000, 5_000));
    assert_eq!(shown(2_000), (60_000, 60_000, 3_000));
    assert_eq!(shown(7_000), (58_000, 60_000, 0));
    assert_eq!(shown(99_000), (0, 60_000, 0));
    let unclocked = Fixture::started(&terms(Variant::Classic), 0);
    assert!(state_view(unclocked.state(), unclocked.now()).clock.is_none());
}
