//! Tests of lag compensation. Every command advances the table's clock by a second.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::{Color, Reason, Variant};

use super::{Fixture, plain, terms_of};
use crate::{ConnectedPlayer, Timer};

const TEN_SECONDS: TimeSetting = TimeSetting::Fischer { base_ms: 10_000, increment_ms: 0 };

/// Returns a match of two players who have moved once and have these round-trip times in
/// milliseconds.
fn match_in_progress(time: TimeSetting, round_trip_ms: u64) -> Fixture {
    let mut fixture =
        Fixture::started(&terms_of(CreateTable { time: Some(time), ..plain(Variant::Classic) }), 0);
    measured(&mut fixture, round_trip_ms);
    let moved = fixture.play("white", "g1f3").unwrap();
    assert!(matches!(moved[..], [Event::Moved { lag_ms: 0, .. }]), "a first move costs nothing: {moved:?}");
    fixture.play("black", "g8f6").unwrap();
    fixture
}

fn measured(fixture: &mut Fixture, round_trip_ms: u64) {
    let round_trip = Duration::from_millis(round_trip_ms);
    let now = fixture.now();
    fixture
        .history
        .set_connected(&[Color::White, Color::Black].map(|color| ConnectedPlayer { color, round_trip }), now);
}

/// Makes a move, and returns its credit and the player's remaining time, in milliseconds.
fn credited(fixture: &mut Fixture, by: &str, mv: &str) -> (u64, Option<u64>) {
    let events = fixture.play(by, mv).unwrap();
    let Event::Moved { lag_ms, left_ms, .. } = events[0] else { panic!("{events:?}") };
    (lag_ms, left_ms)
}

/// A move is credited its round-trip time, at most 300 ms. The next player's clock starts when the
/// move is applied.
#[test]
fn a_move_is_credited_its_round_trip_time() {
    for (round_trip, lag) in [(0, 0), (80, 80), (300, 300), (5_000, 300)] {
        let mut fixture = match_in_progress(TEN_SECONDS, round_trip);
        assert_eq!(credited(&mut fixture, "white", "b1c3"), (lag, Some(9_000 + lag)), "{round_trip} ms");
        assert_eq!(credited(&mut fixture, "black", "b8c6"), (lag, Some(9_000 + lag)), "{round_trip} ms");
    }
}

/// The bank starts with a second and gains 100 ms with each of the player's moves, so a constant
/// lag is finally credited 100 ms per move.
#[test]
fn the_credit_comes_from_a_limited_bank() {
    let mut fixture = match_in_progress(TEN_SECONDS, 300);
    let moves = ["b1c3", "c3b1", "b1c3", "c3b1", "b1c3", "c3b1", "b1c3"];
    let replies = ["b8c6", "c6b8", "b8c6", "c6b8", "b8c6", "c6b8"];
    let mut credits = Vec::new();
    for (number, mv) in moves.into_iter().enumerate() {
        credits.push(credited(&mut fixture, "white", mv).0);
        if let Some(reply) = replies.get(number) {
            fixture.play("black", reply).unwrap();
        }
    }
    assert_eq!(credits, [300, 300, 300, 300, 300, 100, 100]);
}

/// The flag waits for a move that may still be in transit, and such a move counts as made in time.
#[test]
fn the_flag_waits_for_the_possible_credit() {
    let mut fixture = match_in_progress(TEN_SECONDS, 200);
    let due = fixture.state().next_deadline().unwrap();
    assert_eq!((due.at.since(fixture.now()), due.timer), (Duration::from_millis(10_200), Timer::Flag));
    fixture.advance_ms(10_199 - 1_000);
    assert_eq!(fixture.expire_deadlines(), []);
    assert_eq!(credited(&mut fixture, "white", "b1c3"), (200, Some(1)));
    fixture.advance_ms(10_200);
    let events = fixture.expire_deadlines();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Time, .. }]), "{events:?}");
}

/// Only time that the turn has used up is credited: none from a delay, and none in correspondence.
#[test]
fn only_used_time_is_credited() {
    let delay = TimeSetting::Delay { base_ms: 10_000, delay_ms: 900 };
    let mut fixture = match_in_progress(delay, 300);
    assert_eq!(
        credited(&mut fixture, "white", "b1c3"),
        (100, Some(10_000)),
        "the turn used a tenth of a second"
    );
    let mut fixture = match_in_progress(TimeSetting::Correspondence { days: 1 }, 300);
    assert_eq!(credited(&mut fixture, "white", "b1c3"), (0, None));
    let mut fixture = match_in_progress(TimeSetting::None, 300);
    assert_eq!(credited(&mut fixture, "white", "b1c3"), (0, None));
}
