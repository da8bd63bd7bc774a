//! Tests of absent players: reconnect banks, absence policies and suspensions.

use std::time::Duration;

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Absence, TimeSetting};
use quadrex_protocol::view::{PlayerView, Presence, SuspensionKind, SuspensionView};
use quadrex_protocol::{Event, RequestAction};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};

use super::{Fixture, plain, takeback, terms, terms_of};
use crate::{Action, History, Rejection, Timer, state_view};

const ALL: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

/// A time control of ten minutes for each player, with a reconnect bank of one minute.
pub(super) const TEN_MINUTES: TimeSetting = TimeSetting::Fischer { base_ms: 600_000, increment_ms: 0 };

/// Returns a four-player match in which every player has moved once and is connected.
pub(super) fn match_in_progress(time: TimeSetting, absence: Absence) -> Fixture {
    let mut terms = terms_of(CreateTable { time: Some(time), ..plain(Variant::Dilkel) });
    terms.settings.absence = absence;
    let mut fixture = Fixture::started(&terms, 0);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11"), ("green", "m8l8")] {
        fixture.play(by, mv).unwrap();
    }
    fixture
}

/// Formats the presence of a player: `connected`, `reconnecting 41000`, `reconnecting 41000
/// bank_running` or `gone`.
pub(super) fn presence(fixture: &Fixture, color: Color) -> String {
    let PlayerView { presence, bank_left_ms: left_ms, bank_running, .. } =
        fixture.state().presence(color, fixture.now());
    match (presence, left_ms) {
        (Presence::Connected, None) => "connected".to_owned(),
        (Presence::Reconnecting, Some(left)) if bank_running => format!("reconnecting {left} bank_running"),
        (Presence::Reconnecting, Some(left)) => format!("reconnecting {left}"),
        (Presence::Gone, None) => "gone".to_owned(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn due(fixture: &Fixture) -> Option<(Duration, Timer)> {
    fixture.state().next_deadline().map(|due| (due.at.since(fixture.now()), due.timer))
}

fn frozen(fixture: &Fixture) -> Option<(SuspensionKind, Option<Color>, u64)> {
    let view = state_view(fixture.state(), fixture.now()).suspension;
    view.map(|SuspensionView { kind, color, left_ms }| (kind, color, left_ms))
}

/// Pauses the match by agreement of all remaining players.
fn pause(fixture: &mut Fixture) {
    fixture.state().check_may_pause().unwrap();
    fixture.apply_events(&[Event::Paused {}]);
}

/// A player's bank runs only on the player's own turns. Several absences add up, and the log
/// records the time spent.
#[test]
fn a_bank_runs_only_on_its_players_turns() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    assert_eq!(presence(&fixture, Color::Red), "connected");
    fixture.set_connected(&[Color::Blue, Color::Yellow]);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 60000 bank_running");
    assert_eq!(presence(&fixture, Color::Green), "reconnecting 60000");
    fixture.advance_ms(20_000);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 40000 bank_running");
    assert_eq!(presence(&fixture, Color::Green), "reconnecting 60000");
    fixture.set_connected(&ALL);
    assert_eq!(presence(&fixture, Color::Red), "connected");
    fixture.advance_ms(30_000);
    fixture.set_connected(&[Color::Blue]);
    fixture.advance_ms(2_000);
    let moved = fixture.play("red", "g2g4").unwrap();
    let Event::Moved { away_ms, left_ms, .. } = moved[0] else { panic!("{moved:?}") };
    assert_eq!((away_ms, left_ms), (23_000, Some(547_000)), "of the turn's 53 seconds");
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 37000");
    fixture.advance_ms(100_000);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 37000", "it is Blue's turn");
    let again = History::replay(super::IDENTITY, fixture.log.clone()).unwrap();
    fixture.history = again;
    fixture.set_connected(&[]);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 37000", "a restart refunds nothing");
}

/// A takeback ends the turn of the player to move without a move. The log records the time of the absence
/// nevertheless.
#[test]
fn a_takeback_refunds_no_time_of_the_player_to_move() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    fixture.set_connected(&[Color::Blue]);
    fixture.advance_ms(20_000);
    fixture.set_connected(&ALL);
    fixture.execute("green", takeback(RequestAction::Ask)).unwrap();
    fixture.execute("blue", takeback(RequestAction::Accept)).unwrap();
    fixture.execute("yellow", takeback(RequestAction::Accept)).unwrap();
    let events = fixture.execute("red", takeback(RequestAction::Accept)).unwrap();
    assert!(matches!(events[1], Event::TakenBack { plies: 1, away_ms: 20_000, .. }), "{events:?}");
    let again = History::replay(super::IDENTITY, fixture.log.clone()).unwrap();
    for history in [fixture.history.clone(), again] {
        fixture.history = history;
        fixture.set_connected(&[]);
        assert_eq!(presence(&fixture, Color::Red), "reconnecting 40000");
        assert_eq!(presence(&fixture, Color::Green), "reconnecting 60000 bank_running");
    }
    fixture.set_connected(&ALL);
    fixture.play("green", "m8l8").unwrap();
    let moved = fixture.play("red", "g2g4").unwrap();
    assert!(matches!(moved[0], Event::Moved { away_ms: 0, .. }), "it is recorded once: {moved:?}");
}

/// A player who returns before the bank is empty loses nothing but that time.
#[test]
fn a_player_who_returns_in_time_plays_on() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    fixture.set_connected(&[Color::Blue]);
    fixture.advance_ms(59_999);
    assert_eq!(fixture.expire_deadlines(), []);
    fixture.set_connected(&[Color::Red]);
    fixture.advance_ms(60_000);
    assert_eq!(fixture.expire_deadlines(), []);
    assert!(fixture.play("red", "g2g4").is_ok());
}

/// With the policy `eliminate`, an empty bank eliminates the player, and the turn passes to the
/// next.
#[test]
fn an_empty_bank_eliminates_the_player() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    fixture.set_connected(&[Color::Yellow]);
    assert_eq!(due(&fixture), Some((Duration::from_secs(60), Timer::BankEmpty)));
    fixture.advance_ms(60_000);
    let events = fixture.expire_deadlines();
    let out = Event::Eliminated { color: Color::Red, cause: Cause::Absence, by: vec![] };
    assert_eq!(events, [out]);
    assert_eq!(presence(&fixture, Color::Red), "gone");
    assert_eq!(presence(&fixture, Color::Blue), "reconnecting 60000 bank_running", "now it is Blue's turn");
    fixture.advance_ms(60_000);
    assert_eq!(fixture.expire_deadlines().len(), 1);
    assert_eq!(fixture.state().turn(), Some(Color::Yellow));
    assert_eq!(due(&fixture), Some((Duration::from_secs(600), Timer::Flag)));
}

/// RULES C6, D11: with two players, an empty bank ends the match.
#[test]
fn an_empty_bank_ends_a_match_of_two_players() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    fixture.set_connected(&[Color::Black]);
    assert_eq!(due(&fixture), Some((Duration::from_secs(180), Timer::BankEmpty)), "without clocks");
    fixture.advance_ms(180_000);
    let events = fixture.expire_deadlines();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Absence, .. }]), "{events:?}");
}

/// Before a player's first move, an empty bank aborts the match. With clocks, the limit for the
/// first move is 30 seconds, and no bank runs during that time.
#[test]
fn an_absence_before_the_first_move_aborts_the_match() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.play("red", "h2h4").unwrap();
    fixture.set_connected(&[Color::Red]);
    fixture.advance_ms(180_000);
    assert_eq!(fixture.expire_deadlines(), [Event::Aborted { cause: AbortCause::FirstMove }]);

    let mut fixture =
        Fixture::started(&terms_of(CreateTable { time: Some(TEN_MINUTES), ..plain(Variant::Dilkel) }), 0);
    fixture.set_connected(&[]);
    fixture.advance_ms(20_000);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 60000");
    assert_eq!(due(&fixture), Some((Duration::from_secs(10), Timer::Flag)));
}

/// Correspondence matches have no bank: an absent player is shown as gone and keeps the days of the
/// turn.
#[test]
fn correspondence_matches_have_no_bank() {
    let mut fixture = match_in_progress(TimeSetting::Correspondence { days: 1 }, Absence::Eliminate);
    fixture.set_connected(&[Color::Blue]);
    assert_eq!(presence(&fixture, Color::Red), "gone");
    assert_eq!(due(&fixture), Some((Duration::from_secs(86_400), Timer::Flag)));
}

/// With the policy `wait`, the match is suspended until the player returns, and then continues from
/// the same state.
#[test]
fn the_match_waits_for_an_absent_player() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Wait);
    fixture.set_connected(&[Color::Blue]);
    fixture.advance_ms(60_000);
    assert_eq!(fixture.expire_deadlines(), [Event::Waiting { color: Color::Red }]);
    assert_eq!(frozen(&fixture), Some((SuspensionKind::Waiting, Some(Color::Red), 86_400_000)));
    assert_eq!(presence(&fixture, Color::Red), "gone");
    assert_eq!(fixture.decide("red", fixture.mv("g2g4")), Err(Rejection::Waiting { color: Color::Red }));
    fixture.advance_ms(3_600_000);
    assert_eq!(
        (fixture.expire_deadlines(), state_view(fixture.state(), fixture.now()).clock.unwrap().running),
        (vec![], None)
    );
    fixture.set_connected(&[Color::Red]);
    assert_eq!(fixture.expire_deadlines(), [Event::Resumed {}]);
    assert_eq!((frozen(&fixture), due(&fixture)), (None, Some((Duration::from_secs(540), Timer::Flag))));
    fixture.set_connected(&[]);
    assert_eq!(
        fixture.expire_deadlines(),
        [Event::Waiting { color: Color::Red }],
        "nothing is left of the bank"
    );
    fixture.set_connected(&[Color::Red]);
    fixture.expire_deadlines();
    assert!(fixture.play("red", "g2g4").is_ok());
}

#[test]
fn waiting_for_a_day_aborts_the_match() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Wait);
    fixture.set_connected(&[]);
    fixture.advance_ms(60_000);
    fixture.expire_deadlines();
    fixture.advance_ms(86_399_999);
    assert_eq!(fixture.expire_deadlines(), []);
    fixture.advance_ms(1);
    assert_eq!(fixture.expire_deadlines(), [Event::Aborted { cause: AbortCause::Absence }]);
    assert_eq!((frozen(&fixture), due(&fixture)), (None, None));
}

/// The match resumes at once if the awaited player resigns.
#[test]
fn resigning_ends_the_wait_for_a_player() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Wait);
    fixture.set_connected(&[Color::Blue]);
    fixture.advance_ms(60_000);
    fixture.expire_deadlines();
    assert_eq!(fixture.execute("green", Action::Resign).unwrap().len(), 1, "the match is still suspended");
    let events = fixture.execute("red", Action::Resign).unwrap();
    assert!(
        matches!(events[..], [Event::Eliminated { color: Color::Red, .. }, Event::Resumed {}]),
        "{events:?}"
    );
    assert_eq!(frozen(&fixture), None);
    assert_eq!(due(&fixture), Some((Duration::from_secs(600), Timer::Flag)), "Blue's clock runs");
    let again = History::replay(super::IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!(again.entries(), fixture.history.entries());
}

/// A pause stops clocks and banks. Every remaining player can end it, after a countdown of ten
/// seconds.
#[test]
fn a_pause_ends_with_a_countdown() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    fixture.set_connected(&[Color::Blue]);
    fixture.advance_ms(10_000);
    pause(&mut fixture);
    assert_eq!(frozen(&fixture), Some((SuspensionKind::Paused, None, 600_000)));
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 50000");
    fixture.advance_ms(300_000);
    assert_eq!(fixture.expire_deadlines(), []);
    assert_eq!(fixture.decide("red", fixture.mv("g2g4")), Err(Rejection::Paused));
    assert_eq!(fixture.decide("stranger", Action::Resume), Err(Rejection::NotSeated));
    assert_eq!(
        fixture.execute("green", Action::Resign).unwrap().len(),
        1,
        "resigning is possible during a pause"
    );
    assert!(
        matches!(fixture.decide("green", Action::Resume), Err(Rejection::Rules(_))),
        "an eliminated player ends no pause"
    );
    let until_ms = fixture.now().as_millis() + 1_000 + 10_000;
    let events = fixture.execute("yellow", Action::Resume).unwrap();
    assert_eq!(events, [Event::Resuming { color: Some(Color::Yellow), until_ms }]);
    assert_eq!(frozen(&fixture), Some((SuspensionKind::Resuming, Some(Color::Yellow), 10_000)));
    assert_eq!(fixture.decide("yellow", Action::Resume), Err(Rejection::NotPaused));
    assert_eq!(fixture.decide("red", fixture.mv("g2g4")), Err(Rejection::Paused));
    fixture.advance_ms(10_000);
    assert_eq!(fixture.expire_deadlines(), [Event::Resumed {}]);
    assert_eq!(presence(&fixture, Color::Red), "reconnecting 50000 bank_running");
    assert_eq!(state_view(fixture.state(), fixture.now()).clock.unwrap().left_ms[&Color::Red], 590_000);
    assert_eq!(fixture.decide("red", Action::Resume), Err(Rejection::NotPaused));
    assert!(fixture.play("red", "g2g4").is_ok());
}

/// All pauses of a match together last ten minutes at most, countdowns excluded. The countdown then
/// begins by itself, and no further pause is allowed.
#[test]
fn all_pauses_together_last_ten_minutes_at_most() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Eliminate);
    pause(&mut fixture);
    fixture.advance_ms(240_000 - 1_000);
    fixture.execute("red", Action::Resume).unwrap();
    fixture.advance_ms(10_000);
    fixture.expire_deadlines();
    pause(&mut fixture);
    assert_eq!(fixture.state().check_may_pause(), Err(Rejection::Paused), "it is paused already");
    assert_eq!(due(&fixture), Some((Duration::from_secs(360), Timer::PauseEnds)));
    fixture.advance_ms(360_000);
    let until_ms = fixture.now().as_millis() + 10_000;
    assert_eq!(fixture.expire_deadlines(), [Event::Resuming { color: None, until_ms }]);
    fixture.advance_ms(10_000);
    assert_eq!(fixture.expire_deadlines(), [Event::Resumed {}]);
    assert_eq!(fixture.state().check_may_pause(), Err(Rejection::PauseTimeSpent));
}

/// A log is corrupt if it has a move during a suspension, or the end of a suspension that never
/// began.
#[test]
fn an_impossible_suspension_makes_a_log_corrupt() {
    let mut fixture = match_in_progress(TEN_MINUTES, Absence::Wait);
    let fits = |fixture: &Fixture, event: &Event| fixture.state().check_event(event).is_ok();
    let moved = Event::Moved {
        color: Color::Red,
        mv: "g2g4".parse().unwrap(),
        left_ms: Some(1),
        away_ms: 0,
        lag_ms: 0,
    };
    let resuming = Event::Resuming { color: None, until_ms: 5 };
    assert!(
        fits(&fixture, &moved)
            && fits(&fixture, &Event::Paused {})
            && fits(&fixture, &Event::Waiting { color: Color::Red })
    );
    assert!(
        !fits(&fixture, &Event::Resumed {})
            && !fits(&fixture, &resuming)
            && !fits(&fixture, &Event::Waiting { color: Color::Blue })
    );
    pause(&mut fixture);
    assert!(fits(&fixture, &resuming));
    assert!(
        !fits(&fixture, &moved) && !fits(&fixture, &Event::Paused {}) && !fits(&fixture, &Event::Resumed {})
    );
    fixture.apply_events(std::slice::from_ref(&resuming));
    assert!(fits(&fixture, &Event::Resumed {}) && !fits(&fixture, &resuming));
}

/// At a public table without clocks, each move has a limit: five minutes from the start of the
/// turn, suspensions excluded. Then the absence policy applies, to connected players too.
#[test]
fn a_move_that_takes_too_long_counts_as_absence() {
    let mut fixture = match_in_progress(TimeSetting::None, Absence::Eliminate);
    let limit = |fixture: &Fixture| state_view(fixture.state(), fixture.now()).move_left_ms;
    assert_eq!(
        (limit(&fixture), due(&fixture)),
        (Some(300_000), Some((Duration::from_secs(300), Timer::MoveLimit)))
    );
    fixture.advance_ms(100_000);
    fixture.execute("green", Action::Resign).unwrap();
    assert_eq!(limit(&fixture), Some(199_000), "it is still Red's turn");
    pause(&mut fixture);
    fixture.advance_ms(99_000);
    assert_eq!(limit(&fixture), Some(199_000));
    fixture.execute("blue", Action::Resume).unwrap();
    fixture.advance_ms(10_000);
    fixture.expire_deadlines();
    fixture.advance_ms(198_999);
    assert_eq!((fixture.expire_deadlines(), limit(&fixture)), (vec![], Some(1)));
    fixture.advance_ms(1);
    let out = Event::Eliminated { color: Color::Red, cause: Cause::Absence, by: vec![] };
    assert_eq!(fixture.expire_deadlines(), [out]);
    assert_eq!(due(&fixture), Some((Duration::from_secs(300), Timer::MoveLimit)), "now it is Blue's turn");
    fixture.advance_ms(1_000);
    super::outages::stall(&mut fixture, 0, 60_000);
    assert_eq!(due(&fixture), Some((Duration::from_secs(299), Timer::MoveLimit)), "the stall is not charged");
}

#[test]
fn an_idle_player_without_a_first_move_aborts_the_match() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.play("red", "h2h4").unwrap();
    fixture.advance_ms(299_999);
    assert_eq!(fixture.expire_deadlines(), []);
    fixture.advance_ms(1);
    assert_eq!(fixture.expire_deadlines(), [Event::Aborted { cause: AbortCause::FirstMove }]);
}

/// Moves have no separate limit at tables with clocks, or at private tables without a configured
/// limit.
#[test]
fn a_table_with_clocks_has_no_move_limit() {
    for (time, limit_ms) in [(TEN_MINUTES, None), (TimeSetting::None, Some(300_000))] {
        let fixture = match_in_progress(time, Absence::Eliminate);
        assert_eq!(state_view(fixture.state(), fixture.now()).move_left_ms, limit_ms);
    }
    let waiting = match_in_progress(TimeSetting::None, Absence::Wait);
    assert_eq!((state_view(waiting.state(), waiting.now()).move_left_ms, due(&waiting)), (None, None));
}
