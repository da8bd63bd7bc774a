//! Tests of absent players: reconnect banks, absence policies and suspensions.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Absence, TimeSetting};
use quadrex_protocol::view::{PlayerView, Presence, SuspensionKind, SuspensionView};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};

use super::{Bench, plain, terms, terms_of};
use crate::{Action, History, Rejection, Timer, state_view};

const ALL: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

/// A time control of ten minutes for each player, with a reconnect bank of one minute.
pub(super) const TEN_MINUTES: TimeSetting = TimeSetting::Fischer { base_ms: 600_000, increment_ms: 0 };

/// Returns a four-player match in which every player has moved once and is connected.
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

/// Pauses the match by agreement of all remaining players.
fn pause(bench: &mut Bench) {
    bench.state().check_may_pause().unwrap();
    bench.take_in(&[Event::Paused {}]);
}

/// A player's bank runs only on the player's own turns. Several absences add up, and the log
/// records the time spent.
#[test]
fn a_bank_runs_only_on_its_players_turns() {
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

/// A player who returns before the bank is empty loses nothing but that time.
#[test]
fn a_player_who_returns_in_time_plays_on() {
    let mut bench = under_way(TEN_MINUTES, Absence::Eliminate);
    bench.only_here(&[Color::Blue]);
    bench.pass_ms(59_999);
    assert_eq!(bench.keep_time(), []);
    bench.only_here(&[Color::Red]);
    bench.pass_ms(60_000);
    assert_eq!(bench.keep_time(), []);
    assert!(bench.play("red", "g2g4").is_ok());
}

/// With the policy `eliminate`, an empty bank eliminates the player, and the turn passes to the
/// next.
#[test]
fn an_empty_bank_eliminates_the_player() {
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

/// RULES C6, D11: with two players, an empty bank ends the match.
#[test]
fn an_empty_bank_ends_a_match_of_two_players() {
    let mut bench = Bench::started(&terms(Variant::Classic), 0);
    bench.play("white", "e2e4").unwrap();
    bench.play("black", "e7e5").unwrap();
    bench.only_here(&[Color::Black]);
    assert_eq!(due(&bench), Some((Duration::from_secs(180), Timer::BankEmpty)), "without clocks");
    bench.pass_ms(180_000);
    let events = bench.keep_time();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Absence, .. }]), "{events:?}");
}

/// Before a player's first move, an empty bank aborts the match. With clocks, the limit for the
/// first move is 30 seconds, and no bank runs during that time.
#[test]
fn an_absence_before_the_first_move_aborts_the_match() {
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

/// Correspondence matches have no bank: an absent player is shown as gone and keeps the days of the
/// turn.
#[test]
fn correspondence_matches_have_no_bank() {
    let mut bench = under_way(TimeSetting::Correspondence { days: 1 }, Absence::Eliminate);
    bench.only_here(&[Color::Blue]);
    assert_eq!(presence(&bench, Color::Red), "gone");
    assert_eq!(due(&bench), Some((Duration::from_secs(86_400), Timer::Flag)));
}

/// With the policy `wait`, the match is suspended until the player returns, and then continues from
/// the same state.
#[test]
fn the_match_waits_for_an_absent_player() {
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

#[test]
fn waiting_for_a_day_aborts_the_match() {
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
fn resigning_ends_the_wait_for_a_player() {
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

/// A pause stops clocks and banks. Every remaining player can end it, after a countdown of ten
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

/// All pauses of a match together last ten minutes at most, countdowns excluded. The countdown then
/// begins by itself, and no further pause is allowed.
#[test]
fn all_pauses_together_last_ten_minutes_at_most() {
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

/// A log is corrupt if it has a move during a suspension, or the end of a suspension that never
/// began.
#[test]
fn an_impossible_suspension_makes_a_log_corrupt() {
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

/// At a public table without clocks, each move has a limit: five minutes from the start of the
/// turn, suspensions excluded. Then the absence policy applies, to connected players too.
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

#[test]
fn an_idle_player_without_a_first_move_aborts_the_match() {
    let mut bench = Bench::started(&terms(Variant::Dilkel), 0);
    bench.play("red", "h2h4").unwrap();
    bench.pass_ms(299_999);
    assert_eq!(bench.keep_time(), []);
    bench.pass_ms(1);
    assert_eq!(bench.keep_time(), [Event::Aborted { cause: AbortCause::FirstMove }]);
}

/// Moves have no separate limit at tables with clocks, or at private tables without a configured
/// limit.
#[test]
fn a_table_with_clocks_has_no_move_limit() {
    for (time, limit_ms) in [(TEN_MINUTES, None), (TimeSetting::None, Some(300_000))] {
        let bench = under_way(time, Absence::Eliminate);
        assert_eq!(state_view(bench.state(), bench.now()).move_left_ms, limit_ms);
    }
    let waiting = under_way(TimeSetting::None, Absence::Wait);
    assert_eq!((state_view(waiting.state(), waiting.now()).move_left_ms, due(&waiting)), (None, None));
}
