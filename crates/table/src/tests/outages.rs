//! Tests of the time charged for a turn after the server was killed or stalled.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::settings::{Absence, TimeSetting};
use quadrex_rules::{Color, Timestamp};

use super::away::{TEN_MINUTES, due, presence, under_way};
use super::{Bench, ORIGIN};
use crate::{History, Outage, StoredReconnectBank, TableCommand, Timer};
use quadrex_protocol::TurnAbsence;

const SECOND: u64 = 1_000;

/// Stalls the match for `for_ms`, beginning `before_ms` before the present time. Play continues at
/// once.
pub(super) fn stall(bench: &mut Bench, before_ms: u64, for_ms: u64) {
    let alive = Timestamp::from_millis(bench.now().as_millis() - before_ms);
    bench.pass_ms(for_ms);
    let outage = Outage { last_alive: Some(alive), back: bench.now(), resumes: bench.now() };
    let events = bench.state().decide(&TableCommand::Compensate(outage), bench.now()).unwrap();
    bench.take_in(&events);
}

/// Kills the server at its last heartbeat and restarts it after a minute. Only the log and the
/// stored absence are left, and nobody is connected.
fn kill(bench: &mut Bench, kept: Option<TurnAbsence>) {
    let alive = bench.now();
    bench.pass_ms(60 * SECOND);
    let mut history = History::replay(ORIGIN, bench.log.clone()).unwrap();
    let last = history.last_at();
    let outage = Outage { last_alive: Some(alive), back: bench.now(), resumes: bench.now() };
    if let Some(kept) = kept {
        history.restore_absence(&kept, outage.last_alive(last));
    }
    bench.history = history;
    let interrupted = bench.state().interruption(outage, last);
    bench.take_in(interrupted.as_slice());
    bench.only_here(&[]);
}

/// Returns the absence to be stored beside the log, if that is due.
fn kept(bench: &Bench) -> Option<TurnAbsence> {
    StoredReconnectBank::default().pending(bench.state(), bench.now())
}

#[test]
fn the_move_limit_continues_after_an_outage() {
    let left =
        |bench: &Bench| due(bench).filter(|(_, timer)| *timer == Timer::MoveLimit).map(|(left, _)| left);
    let mut bench = under_way(TimeSetting::None, Absence::Wait);
    bench.pass_ms(100 * SECOND);
    kill(&mut bench, None);
    assert_eq!(left(&bench), None, "a match that waits for people has no limit");

    let mut bench = under_way(TimeSetting::None, Absence::Eliminate);
    let all = [Color::Red, Color::Blue, Color::Yellow, Color::Green];
    bench.pass_ms(100 * SECOND);
    for spent in [100, 100, 130] {
        bench.only_here(&all);
        bench.pass_ms((spent - 100) * SECOND);
        kill(&mut bench, None);
        bench.only_here(&all);
        assert_eq!(left(&bench), Some(Duration::from_secs(300 - spent)));
    }
    bench.pass_ms(20 * SECOND);
    stall(&mut bench, 5 * SECOND, 3_600 * SECOND);
    assert_eq!(left(&bench), Some(Duration::from_secs(155)));
    bench.pass_ms(155 * SECOND);
    assert_eq!(bench.keep_time().len(), 1, "and ends when it is over");
}

#[test]
fn a_reconnect_bank_continues_after_a_kill() {
    for time in [TEN_MINUTES, TimeSetting::Delay { base_ms: 600_000, delay_ms: 0 }] {
        let mut bench = under_way(time, Absence::Eliminate);
        bench.only_here(&[Color::Blue]);
        bench.pass_ms(1_999);
        assert_eq!(kept(&bench), None, "a short absence is not kept");
        bench.pass_ms(18_001);
        let beside = kept(&bench);
        kill(&mut bench, beside);
        assert_eq!(presence(&bench, Color::Red), "reconnecting 40000 bank_running");
        kill(&mut bench, beside);
        assert_eq!(
            presence(&bench, Color::Red),
            "reconnecting 40000 bank_running",
            "what is in the log counts once"
        );
        bench.pass_ms(10 * SECOND);
        let beside = kept(&bench);
        kill(&mut bench, beside);
        assert_eq!(presence(&bench, Color::Red), "reconnecting 30000 bank_running");
        bench.only_here(&[Color::Red]);
        let moved = bench.play("red", "g2g4").unwrap();
        assert!(matches!(moved[0], Event::Moved { away_ms: 0, .. }), "the log has it already: {moved:?}");
        assert_eq!(kept(&bench), None);
        kill(&mut bench, beside);
        assert_eq!(presence(&bench, Color::Red), "reconnecting 30000", "another turn");
    }
}

/// A player who returned before the server was killed is charged for the absence only.
#[test]
fn a_player_who_returned_before_a_kill_is_not_charged_for_it() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    bench.only_here(&[]);
    bench.pass_ms(20 * SECOND);
    bench.only_here(&[Color::Red]);
    bench.pass_ms(30 * SECOND);
    let beside = kept(&bench);
    kill(&mut bench, beside);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 40000 bank_running");
}

/// A pause preserves the time spent before it, even if the server is killed. The kill adds no event
/// to the log during a pause.
#[test]
fn a_bank_survives_a_kill_during_a_pause() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    bench.only_here(&[]);
    bench.pass_ms(20 * SECOND);
    bench.take_in(&[Event::Paused {}]);
    let (beside, rows) = (kept(&bench), bench.log.len());
    kill(&mut bench, beside);
    assert_eq!(bench.log.len(), rows);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 40000");
    assert_eq!(kept(&bench), beside);
}

#[test]
fn a_reconnect_bank_continues_after_a_stall() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    bench.only_here(&[]);
    bench.pass_ms(20 * SECOND);
    stall(&mut bench, 5 * SECOND, 3_600 * SECOND);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 45000 bank_running");
    bench.pass_ms(10 * SECOND);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 35000 bank_running");
    let again = History::replay(ORIGIN, bench.log.clone()).unwrap();
    bench.history = again;
    assert_eq!(
        bench.state().presence(Color::Red, bench.now()).bank_left_ms,
        None,
        "nobody is known to be away"
    );
    bench.only_here(&[]);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 45000 bank_running", "the log has it");
}

/// During the grace period after an interruption no bank runs, whoever connects or disconnects.
#[test]
fn no_bank_runs_during_the_grace_period() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    let (until_ms, resumes_ms) = (bench.now().as_millis(), bench.now().as_millis() + 3 * SECOND);
    bench.take_in(&[Event::Interrupted { until_ms, resumes_ms, away_ms: 0 }]);
    bench.only_here(&[Color::Red]);
    bench.pass_ms(SECOND);
    bench.only_here(&[]);
    bench.pass_ms(SECOND);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 60000 bank_running");
    bench.pass_ms(2 * SECOND);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 59000 bank_running");
}

/// A match that was only read runs with the same clock, move limit and bank as after the
/// interruption is in its log.
#[test]
fn an_anticipated_interruption_equals_the_logged_one() {
    let fischer = TimeSetting::Fischer { base_ms: 300 * SECOND, increment_ms: 0 };
    for time in [fischer, TimeSetting::None] {
        for here in [vec![], vec![Color::Red], vec![Color::Blue]] {
            let mut bench = under_way(time, Absence::Eliminate);
            bench.only_here(&here);
            bench.pass_ms(20 * SECOND);
            let last = bench.history.last_at();
            let outage = Outage { last_alive: None, back: bench.now(), resumes: bench.now() };
            let event = bench.state().interruption(outage, last).expect("something is counted");
            let mut read = bench.history.clone();
            read.anticipate(&event, bench.now());
            bench.take_in(&[event]);
            assert_eq!(read.state().head() + 1, bench.state().head());
            assert_eq!(read.state().next_deadline(), bench.state().next_deadline(), "{time:?} {here:?}");
            assert_eq!(read.state().turn_absence(), bench.state().turn_absence(), "{time:?} {here:?}");
            assert_eq!(read.state().connected(), bench.state().connected());
        }
    }
}
