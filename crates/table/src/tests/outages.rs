//! Tests of the time charged for a turn after the server was killed or stalled.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::settings::{Absence, TimeSetting};
use quadrex_rules::{Color, Timestamp};

use super::away::{TEN_MINUTES, due, match_in_progress, presence};
use super::{Fixture, IDENTITY};
use crate::{History, Outage, StoredReconnectBank, TableCommand, Timer};
use quadrex_protocol::TurnAbsence;

const SECOND: u64 = 1_000;

/// Stalls the match for `for_ms`, beginning `before_ms` before the present time. Play continues at
/// once.
pub(super) fn stall(fixture: &mut Fixture, before_ms: u64, for_ms: u64) {
    let alive = Timestamp::from_millis(fixture.now().as_millis() - before_ms);
    fixture.advance_ms(for_ms);
    let outage = Outage { last_alive: Some(alive), back: fixture.now(), resumes: fixture.now() };
    let events = fixture.state().decide(&TableCommand::Compensate(outage), fixture.now()).unwrap();
    fixture.apply_events(&events);
}

/// Kills the server at its last heartbeat and restarts it after a minute. Only the log and the
/// stored absence are left, and nobody is connected.
fn kill(fixture: &mut Fixture, kept: Option<TurnAbsence>) {
    let alive = fixture.now();
    fixture.advance_ms(60 * SECOND);
    let mut history = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    let last = history.last_at();
    let outage = Outage { last_alive: Some(alive), back: fixture.now(), resumes: fixture.now() };
    if let Some(kept) = kept {
        history.restore_absence(&kept, outage.last_alive(last));
    }
    fixture.history = history;
    let interrupted = fixture.state().interruption(outage, last);
    fixture.apply_events(interrupted.as_slice());
    fixture.set_connected(&[]);
}

/// Returns the absence to be stored beside the log, if that is due.
fn pending_absence(fixture: &Fixture) -> Option<TurnAbsence> {
    StoredReconnectBank::default().pending(fixture.state(), fixture.now())
}

#[test]
fn the_move_limit_continues_after_an_outage() {
    let left = |fixture: &Fixture| {
        due(fixture).filter(|(_, timer)| *timer == Timer::MoveLimit).map(|(left, _)| left)
    };
    let mut fixture = match_in_progress(TimeSetting::None, Absence::Wait);
    fixture.advance_ms(100 * SECOND);
    kill(&mut fixture, None);
    assert_eq!(left(&fixture), None, "a match with the policy wait has no move limit");

    let mut fixture = match_in_progress(TimeSetting::None, Absence::Eliminate);
    let all = [Color::Red, Color::Blue, Color::Yellow, Color::Green];
    fixture.advance_ms(100 * SECOND);
    for spent in [100, 100, 130] {
        fixture.set_connected(&all);
        fixture.advance_ms((spent - 100) * SECOND);
        kill(&mut fixture, None);
        fixture.set_connected(&all);
        assert_eq!(left(&fixture), Some(Duration::from_secs(300 - spent)));
    }
    fixture.advance_ms(20 * SECOND);
    stall(&mut fixture, 5 * SECOND, 3_600 * SECOND);
    assert_eq!(left(&fixture), Some(Duration::from_secs(155)));
    fixture.advance_ms(155 * SECOND);
    assert_eq!(fixture.expire_deadlines().len(), 1, "the move limit expires");
}

#[test]
fn a_reconnect_bank_continues_after_a_kill() {
    for time in [TEN_MINUTES, TimeSetting::Delay { base_ms: 600_000, delay_ms: 0 }] {
        let mut fixture = match_in_progress(time, Absence::Eliminate);
        fixture.set_connected(&[Color::Blue]);
        fixture.advance_ms(1_999);
        assert_eq!(pending_absence(&fixture), None, "a short absence is not stored");
        fixture.advance_ms(18_001);
        let stored = pending_absence(&fixture);
        kill(&mut fixture, stored);
        assert_eq!(presence(&fixture, Color::Red), "reconnecting 40000 bank_running");
        kill(&mut fixture, stored);
        assert_eq!(
            presence(&fixture, Color::Red),
            "reconnecting 40000 bank_running",
            "what is in the log counts once"
        );
        fixture.advance_ms(10 * SECOND);
        let stored = pending_absence(&fixture);
        kill(&mut fixture, stored);
        assert_eq!(presence(&fixture, Color::Red), "reconnecting 30000 bank_running");
        fixture.set_connected(&[Color::Red]);
        let moved = fixture.play("red", "g2g4").unwrap();
        assert!(
            matches!(moved[0], Event::Moved { away_ms: 0, .. }),
            "the time is already in the log: {moved:?}"
        );
        assert_eq!(pending_absence(&fixture), None);
        kill(&mut fixture, stored);
        assert_eq!(presence(&fixture, Color::Red), "reconnecting 30000", "the next turn is not charged");
    }
}

/// A player who returned before the server was killed is charged for the absence only.
#[test]
fn a_player_who_returned_before_a_kill_is_not_charged_for_it() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    fixture.set_connected(&[]);
    fixture.advance_ms(20 * SECOND);
    fixture.set_connected(&[Color::Red]);
    fixture.advance_ms(30 * SECOND);
    let stored = pending_absence(&fixture);
    kill(&mut fixture, stored);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 40000 bank_running");
}

/// A pause preserves the time spent before it, even if the server is killed. The kill adds no event
/// to the log during a pause.
#[test]
fn a_bank_survives_a_kill_during_a_pause() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    fixture.set_connected(&[]);
    fixture.advance_ms(20 * SECOND);
    fixture.apply_events(&[Event::Paused {}]);
    let (stored, rows) = (pending_absence(&fixture), fixture.log.len());
    kill(&mut fixture, stored);
    assert_eq!(fixture.log.len(), rows);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 40000");
    assert_eq!(pending_absence(&fixture), stored);
}

#[test]
fn a_reconnect_bank_continues_after_a_stall() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    fixture.set_connected(&[]);
    fixture.advance_ms(20 * SECOND);
    stall(&mut fixture, 5 * SECOND, 3_600 * SECOND);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 45000 bank_running");
    fixture.advance_ms(10 * SECOND);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 35000 bank_running");
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    fixture.history = again;
    assert_eq!(
        fixture.state().presence(Color::Red, fixture.now()).bank_left_ms,
        None,
        "nobody is known to be away"
    );
    fixture.set_connected(&[]);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 45000 bank_running", "the time is in the log");
}

/// During the grace period after an interruption no bank runs, whoever connects or disconnects.
#[test]
fn no_bank_runs_during_the_grace_period() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    let (until_ms, resumes_ms) = (fixture.now().as_millis(), fixture.now().as_millis() + 3 * SECOND);
    fixture.apply_events(&[Event::Interrupted { until_ms, resumes_ms, away_ms: 0 }]);
    fixture.set_connected(&[Color::Red]);
    fixture.advance_ms(SECOND);
    fixture.set_connected(&[]);
    fixture.advance_ms(SECOND);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 60000 bank_running");
    fixture.advance_ms(2 * SECOND);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 59000 bank_running");
}

/// A match that was only read runs with the same clock, move limit and bank as after the
/// interruption is in its log.
#[test]
fn an_anticipated_interruption_equals_the_logged_one() {
    let fischer = TimeSetting::Fischer { base_ms: 300 * SECOND, increment_ms: 0 };
    for time in [fischer, TimeSetting::None] {
        for here in [vec![], vec![Color::Red], vec![Color::Blue]] {
            let mut fixture = match_in_progress(time, Absence::Eliminate);
            fixture.set_connected(&here);
            fixture.advance_ms(20 * SECOND);
            let last = fixture.history.last_at();
            let outage = Outage { last_alive: None, back: fixture.now(), resumes: fixture.now() };
            let event = fixture.state().interruption(outage, last).expect("time was used");
            let mut read = fixture.history.clone();
            read.anticipate(&event, fixture.now());
            fixture.apply_events(&[event]);
            assert_eq!(read.state().head() + 1, fixture.state().head());
            assert_eq!(read.state().next_deadline(), fixture.state().next_deadline(), "{time:?} {here:?}");
            assert_eq!(read.state().turn_absence(), fixture.state().turn_absence(), "{time:?} {here:?}");
            assert_eq!(read.state().connected(), fixture.state().connected());
        }
    }
}
