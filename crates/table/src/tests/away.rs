//! Absent players: banks, policies and suspensions, with time as an argument.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Absence, TimeSetting};
use quadrex_protocol::view::{PlayerView, Presence, SuspensionKind, SuspensionView};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};

use super::{Bench, plain, terms, terms_of};
use crate::{Action, History, Rejection, Timer, state_view};

const ALL: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

/// Ten minutes for each player, with a reconnect bank of a minute.
pub(super) const TEN_MINUTES: TimeSetting = TimeSetting::Fischer { base_ms: 600_000, increment_ms: 0 };

/// Returns a four-player match in which everybody has moved once and is connected.
pub(super) fn under_way(time: TimeSetting, absence: Absence) -> Bench {
    let mut terms = terms_of(CreateTable { time: Some(time), ..plain(Variant::Dilkel) });
    terms.settings.absence = absence;
    let mut bench = Bench::started(&terms, 0);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11"), ("green", "m8l8")] {
        bench.play(by, mv).unwrap();
    }
    bench
}

/// Formats the presence of a player: `connected`, `reconnecting 41000`, `reconnecting 41000
/// bank_running` or `gone`.
pub(super) fn presence(bench: &Bench, color: Color) -> String {
    let PlayerView { presence, bank_left_ms: left_ms, bank_running, .. } =
        bench.state().presence(color, bench.now());
    match (presence, left_ms) {
        (Presence::Connected, None) => "connected".to_owned(),
        (Presence::Reconnecting, Some(left)) if bank_running => format!("reconnecting {left} bank_running"),
        (Presence::Reconnecting, Some(left)) => format!("reconnecting {left}"),
        (Presence::Gone, None) => "gone".to_owned(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn due(bench: &Bench) -> Option<(Duration, Timer)> {
    bench.state().next_deadline().map(|due| (due.at.since(bench.now()), due.timer))
}

fn frozen(bench: &Bench) -> Option<(SuspensionKind, Option<Color>, u64)> {
    let view = state_view(bench.state(), bench.now()).suspension;
    view.map(|SuspensionView { kind, color, left_ms }| (kind, color, left_ms))
}

/// Lets all remaining players agree to a pause.
fn pause(bench: &mut Bench) {
    bench.state().check_may_pause().unwrap();
    bench.take_in(&[Event::Paused {}]);
}

/// A bank runs down only on the player's own turn, over several absences; the log has the time
/// spent.
#[test]
fn a_bank_runs_down_on_its_own_players_turn_alone() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    assert_eq!(presence(&bench, Color::Red), "connected");
    bench.only_here(&[Color::Blue, Color::Yellow]);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 60000 bank_running");
    assert_eq!(presence(&bench, Color::Green), "reconnecting 60000");
    bench.pass_ms(20_000);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 40000 bank_running");
    assert_eq!(presence(&bench, Color::Green), "reconnecting 60000");
    bench.only_here(&ALL);
    assert_eq!(presence(&bench, Color::Red), "connected");
    bench.pass_ms(30_000);
    bench.only_here(&[Color::Blue]);
    bench.pass_ms(2_000);
    let moved = bench.play("red", "g2g4").unwrap();
    let Event::Moved { away_ms, left_ms, .. } = moved[0] else { panic!("{moved:?}") };
    assert_eq!((away_ms, left_ms), (23_000, Some(547_000)), "of the turn's 53 seconds");
    assert_eq!(presence(&bench, Color::Red), "reconnecting 37000");
    bench.pass_ms(100_000);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 37000", "it is Blue's turn");
    let again = History::replay(super::ORIGIN, bench.log.clone()).unwrap();
    bench.history = again;
    bench.only_here(&[]);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 37000", "a restart gives nothing back");
}

/// A player who returns before the bank is empty has lost only the time.
#[test]
fn who_comes_back_in_time_plays_on() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    bench.only_here(&[Color::Blue]);
    bench.pass_ms(59_999);
    assert_eq!(bench.keep_time(), []);
    bench.only_here(&[Color::Red]);
    bench.pass_ms(60_000);
    assert_eq!(bench.keep_time(), []);
    assert!(bench.play("red", "g2g4").is_ok());
}

/// `eliminate`: an empty bank eliminates the player, and the turn passes on.
#[test]
fn an_empty_bank_eliminates() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    bench.only_here(&[Color::Yellow]);
    assert_eq!(due(&bench), Some((Duration::from_secs(60), Timer::BankEmpty)));
    bench.pass_ms(60_000);
    let events = bench.keep_time();
    let out = Event::Eliminated { color: Color::Red, cause: Cause::Absence, by: vec![] };
    assert_eq!(events, [out]);
    assert_eq!(presence(&bench, Color::Red), "gone");
    assert_eq!(presence(&bench, Color::Blue), "reconnecting 60000 bank_running", "now it is Blue's turn");
    bench.pass_ms(60_000);
    assert_eq!(bench.keep_time().len(), 1);
    assert_eq!(bench.state().turn(), Some(Color::Yellow));
    assert_eq!(due(&bench), Some((Duration::from_secs(600), Timer::Flag)));
}

/// RULES C6, D11: with two players an empty bank ends the match.
#[test]
fn an_empty_bank_ends_a_match_of_two() {
    let mut bench = Bench::started(&terms(Variant::Classic), 0);
    bench.play("white", "e2e4").unwrap();
    bench.play("black", "e7e5").unwrap();
    bench.only_here(&[Color::Black]);
    assert_eq!(due(&bench), Some((Duration::from_secs(180), Timer::BankEmpty)), "without clocks");
    bench.pass_ms(180_000);
    let events = bench.keep_time();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Absence, .. }]), "{events:?}");
}

/// Before a player's first move an empty bank aborts the match; where clocks run, the limit is 30
/// seconds, and no bank runs in them.
#[test]
fn who_is_away_before_the_first_move_aborts_the_match() {
    let mut bench = Bench::started(&terms(Variant::Dilkel), 0);
    bench.play("red", "h2h4").unwrap();
    bench.only_here(&[Color::Red]);
    bench.pass_ms(180_000);
    assert_eq!(bench.keep_time(), [Event::Aborted { cause: AbortCause::FirstMove }]);

    let mut bench =
        Bench::started(&terms_of(CreateTable { time: Some(TEN_MINUTES), ..plain(Variant::Dilkel) }), 0);
    bench.only_here(&[]);
    bench.pass_ms(20_000);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 60000");
    assert_eq!(due(&bench), Some((Duration::from_secs(10), Timer::Flag)));
}

/// In correspondence there is no bank: an absent player is gone, and has the days of the turn.
#[test]
fn correspondence_has_no_bank() {
    let mut bench = under_way(TimeSetting::Correspondence { days: 1 }, Absence::Eliminate);
    bench.only_here(&[Color::Blue]);
    assert_eq!(presence(&bench, Color::Red), "gone");
    assert_eq!(due(&bench), Some((Duration::from_secs(86_400), Timer::Flag)));
}

/// `wait`: the match is suspended until the player returns, and then resumes where it was.
#[test]
fn the_match_waits_for_who_is_gone() {
    let mut bench = under_way(TEN_MINUTES, Absence::Wait);
    bench.only_here(&[Color::Blue]);
    bench.pass_ms(60_000);
    assert_eq!(bench.keep_time(), [Event::Waiting { color: Color::Red }]);
    assert_eq!(frozen(&bench), Some((SuspensionKind::Waiting, Some(Color::Red), 86_400_000)));
    assert_eq!(presence(&bench, Color::Red), "gone");
    assert_eq!(bench.decide("red", bench.mv("g2g4")), Err(Rejection::Waiting { color: Color::Red }));
    bench.pass_ms(3_600_000);
    assert_eq!(
        (bench.keep_time(), state_view(bench.state(), bench.now()).clock.unwrap().running),
        (vec![], None)
    );
    bench.only_here(&[Color::Red]);
    assert_eq!(bench.keep_time(), [Event::Resumed {}]);
    assert_eq!((frozen(&bench), due(&bench)), (None, Some((Duration::from_secs(540), Timer::Flag))));
    bench.only_here(&[]);
    assert_eq!(bench.keep_time(), [Event::Waiting { color: Color::Red }], "nothing is left of the bank");
    bench.only_here(&[Color::Red]);
    bench.keep_time();
    assert!(bench.play("red", "g2g4").is_ok());
}

/// A day of waiting aborts the match.
#[test]
fn a_day_of_waiting_aborts_the_match() {
    let mut bench = under_way(TEN_MINUTES, Absence::Wait);
    bench.only_here(&[]);
    bench.pass_ms(60_000);
    bench.keep_time();
    bench.pass_ms(86_399_999);
    assert_eq!(bench.keep_time(), []);
    bench.pass_ms(1);
    assert_eq!(bench.keep_time(), [Event::Aborted { cause: AbortCause::Absence }]);
    assert_eq!((frozen(&bench), due(&bench)), (None, None));
}

/// The match resumes at once if the awaited player resigns.
#[test]
fn nobody_is_waited_for_who_is_out() {
    let mut bench = under_way(TEN_MINUTES, Absence::Wait);
    bench.only_here(&[Color::Blue]);
    bench.pass_ms(60_000);
    bench.keep_time();
    assert_eq!(bench.ask("green", Action::Resign).unwrap().len(), 1, "the match still waits");
    let events = bench.ask("red", Action::Resign).unwrap();
    assert!(
        matches!(events[..], [Event::Eliminated { color: Color::Red, .. }, Event::Resumed {}]),
        "{events:?}"
    );
    assert_eq!(frozen(&bench), None);
    assert_eq!(due(&bench), Some((Duration::from_secs(600), Timer::Flag)), "Blue's clock runs");
    let again = History::replay(super::ORIGIN, bench.log.clone()).unwrap();
    assert_eq!(again.entries(), bench.history.entries());
}

/// A pause stops clocks and banks; every remaining player can end it, with a countdown of ten
/// seconds.
#[test]
fn a_pause_ends_with_a_countdown() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    bench.only_here(&[Color::Blue]);
    bench.pass_ms(10_000);
    pause(&mut bench);
    assert_eq!(frozen(&bench), Some((SuspensionKind::Paused, None, 600_000)));
    assert_eq!(presence(&bench, Color::Red), "reconnecting 50000");
    bench.pass_ms(300_000);
    assert_eq!(bench.keep_time(), []);
    assert_eq!(bench.decide("red", bench.mv("g2g4")), Err(Rejection::Paused));
    assert_eq!(bench.decide("stranger", Action::Resume), Err(Rejection::NotSeated));
    assert_eq!(bench.ask("green", Action::Resign).unwrap().len(), 1, "one may resign meanwhile");
    assert!(
        matches!(bench.decide("green", Action::Resume), Err(Rejection::Rules(_))),
        "an eliminated player ends no pause"
    );
    let until_ms = bench.now().as_millis() + 1_000 + 10_000;
    let events = bench.ask("yellow", Action::Resume).unwrap();
    assert_eq!(events, [Event::Resuming { color: Some(Color::Yellow), until_ms }]);
    assert_eq!(frozen(&bench), Some((SuspensionKind::Resuming, Some(Color::Yellow), 10_000)));
    assert_eq!(bench.decide("yellow", Action::Resume), Err(Rejection::NotPaused));
    assert_eq!(bench.decide("red", bench.mv("g2g4")), Err(Rejection::Paused));
    bench.pass_ms(10_000);
    assert_eq!(bench.keep_time(), [Event::Resumed {}]);
    assert_eq!(presence(&bench, Color::Red), "reconnecting 50000 bank_running");
    assert_eq!(state_view(bench.state(), bench.now()).clock.unwrap().left_ms[&Color::Red], 590_000);
    assert_eq!(bench.decide("red", Action::Resume), Err(Rejection::NotPaused));
    assert!(bench.play("red", "g2g4").is_ok());
}

/// A match may be paused for ten minutes in all, without the countdowns; then the countdown begins
/// by itself, and no further pause is possible.
#[test]
fn a_match_is_paused_for_ten_minutes_at_most() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    pause(&mut bench);
    bench.pass_ms(240_000 - 1_000);
    bench.ask("red", Action::Resume).unwrap();
    bench.pass_ms(10_000);
    bench.keep_time();
    pause(&mut bench);
    assert_eq!(bench.state().check_may_pause(), Err(Rejection::Paused), "it is paused already");
    assert_eq!(due(&bench), Some((Duration::from_secs(360), Timer::PauseEnds)));
    bench.pass_ms(360_000);
    let until_ms = bench.now().as_millis() + 10_000;
    assert_eq!(bench.keep_time(), [Event::Resuming { color: None, until_ms }]);
    bench.pass_ms(10_000);
    assert_eq!(bench.keep_time(), [Event::Resumed {}]);
    assert_eq!(bench.state().check_may_pause(), Err(Rejection::PauseTimeSpent));
}

/// A log with a move during a suspension, or the end of a suspension that does not exist, is
/// corrupt.
#[test]
fn a_suspension_that_cannot_occur_makes_a_log_corrupt() {
    let mut bench = under_way(TEN_MINUTES, Absence::Wait);
    let fits = |bench: &Bench, event: &Event| bench.state().check_event(event).is_ok();
    let moved = Event::Moved {
        color: Color::Red,
        mv: "g2g4".parse().unwrap(),
        left_ms: Some(1),
        away_ms: 0,
        lag_ms: 0,
    };
    let resuming = Event::Resuming { color: None, until_ms: 5 };
    assert!(
        fits(&bench, &moved)
            && fits(&bench, &Event::Paused {})
            && fits(&bench, &Event::Waiting { color: Color::Red })
    );
    assert!(
        !fits(&bench, &Event::Resumed {})
            && !fits(&bench, &resuming)
            && !fits(&bench, &Event::Waiting { color: Color::Blue })
    );
    pause(&mut bench);
    assert!(fits(&bench, &resuming));
    assert!(!fits(&bench, &moved) && !fits(&bench, &Event::Paused {}) && !fits(&bench, &Event::Resumed {}));
    bench.take_in(std::slice::from_ref(&resuming));
    assert!(fits(&bench, &Event::Resumed {}) && !fits(&bench, &resuming));
}

/// Without clocks each move has a limit at a public table: five minutes from the beginning of the
/// turn, without suspensions; then the absence policy acts, also on a connected player.
#[test]
fn a_move_that_takes_too_long_counts_as_absence() {
    let mut bench = under_way(TimeSetting::None, Absence::Eliminate);
    let limit = |bench: &Bench| state_view(bench.state(), bench.now()).move_left_ms;
    assert_eq!(
        (limit(&bench), due(&bench)),
        (Some(300_000), Some((Duration::from_secs(300), Timer::MoveLimit)))
    );
    bench.pass_ms(100_000);
    bench.ask("green", Action::Resign).unwrap();
    assert_eq!(limit(&bench), Some(199_000), "it is still Red's turn");
    pause(&mut bench);
    bench.pass_ms(99_000);
    assert_eq!(limit(&bench), Some(199_000));
    bench.ask("blue", Action::Resume).unwrap();
    bench.pass_ms(10_000);
    bench.keep_time();
    bench.pass_ms(198_999);
    assert_eq!((bench.keep_time(), limit(&bench)), (vec![], Some(1)));
    bench.pass_ms(1);
    let out = Event::Eliminated { color: Color::Red, cause: Cause::Absence, by: vec![] };
    assert_eq!(bench.keep_time(), [out]);
    assert_eq!(due(&bench), Some((Duration::from_secs(300), Timer::MoveLimit)), "now it is Blue's turn");
    bench.pass_ms(1_000);
    super::outages::stall(&mut bench, 0, 60_000);
    assert_eq!(due(&bench), Some((Duration::from_secs(299), Timer::MoveLimit)), "the server was away");
}

/// A connected player who never makes a first move aborts the match.
#[test]
fn an_idle_player_who_never_moved_aborts_the_match() {
    let mut bench = Bench::started(&terms(Variant::Dilkel), 0);
    bench.play("red", "h2h4").unwrap();
    bench.pass_ms(299_999);
    assert_eq!(bench.keep_time(), []);
    bench.pass_ms(1);
    assert_eq!(bench.keep_time(), [Event::Aborted { cause: AbortCause::FirstMove }]);
}

/// With clocks, and at a private table without a limit, a move has no other limit.
#[test]
fn a_table_with_clocks_has_no_limit_for_a_move() {
    for (time, limit_ms) in [(TEN_MINUTES, None), (TimeSetting::None, Some(300_000))] {
        let bench = under_way(time, Absence::Eliminate);
        assert_eq!(state_view(bench.state(), bench.now()).move_left_ms, limit_ms);
    }
    let waiting = under_way(TimeSetting::None, Absence::Wait);
    assert_eq!((state_view(waiting.state(), waiting.now()).move_left_ms, due(&waiting)), (None, None));
}
