//! Tests of closing: tables without people close, and their logs record it.

use std::time::Duration;

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, RequestAction};
use quadrex_rules::{AbortCause, Color, Variant};

use super::{Fixture, IDENTITY, nonce, pause, plain, sit, terms, terms_of};
use crate::{Action, Attention, CloseAfter, History, Rejection, TableCommand, built_in, state_view};

const AFTER: CloseAfter = CloseAfter {
    open: Duration::from_secs(600),
    ended: Duration::from_secs(120),
    asleep: Duration::from_secs(60),
    never_started: Some(Duration::from_secs(3_600)),
};

fn close(fixture: &mut Fixture) -> Result<Vec<Event>, Rejection> {
    let events = fixture.state().decide(&TableCommand::Close, fixture.now())?;
    fixture.apply_events(&events);
    Ok(events)
}

#[test]
fn a_table_closes_before_its_match_has_begun() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    fixture.execute("ann", sit(None, None)).unwrap();
    assert_eq!(fixture.state().closes_after(AFTER), Some(AFTER.open));
    let unstarted = fixture.state().opened_at() + Duration::from_secs(3_600);
    assert_eq!(fixture.state().closes_unstarted_at(AFTER), Some(unstarted));
    let for_ever = CloseAfter { never_started: None, ..AFTER };
    assert_eq!(fixture.state().closes_unstarted_at(for_ever), None);
    assert_eq!(close(&mut fixture), Ok(vec![Event::Closed { reason: None }]));
    let view = state_view(fixture.state(), fixture.now());
    assert_eq!((view.phase, view.closed, view.turn, view.outcome), (Phase::Ended, true, None, None));
    assert_eq!(fixture.state().closes_after(AFTER), None);
    assert_eq!(fixture.state().closes_unstarted_at(AFTER), None);
}

#[test]
fn a_table_closes_after_its_match_and_keeps_the_result() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    assert_eq!(close(&mut fixture), Err(Rejection::AlreadyStarted));
    assert_eq!(fixture.state().closes_after(AFTER), None, "a running match is never closed");
    assert_eq!(fixture.state().closes_unstarted_at(AFTER), None);
    fixture.execute("white", Action::Resign).unwrap();
    assert_eq!(fixture.state().closes_after(AFTER), Some(AFTER.ended));
    close(&mut fixture).unwrap();
    let view = state_view(fixture.state(), fixture.now());
    assert_eq!((view.phase, view.closed), (Phase::Ended, true));
    assert!(view.outcome.is_some());
}

/// A match of bots without clocks sleeps while nobody watches: it has no task and no deadline. It
/// is aborted if nobody comes.
#[test]
fn a_match_of_bots_sleeps_and_is_aborted_if_nobody_comes() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    let bot = built_in(8.try_into().unwrap());
    for _ in 0..2 {
        fixture
            .execute("host", Action::AddBot { seat: None, bot: bot.clone(), nonce: nonce("bot") })
            .unwrap();
    }
    let attention =
        |fixture: &Fixture, is_watched| Some(fixture.state().bot_task(is_watched, fixture.now())?.attention);
    assert_eq!(attention(&fixture, true), Some(Attention::Spectators));
    assert_eq!(attention(&fixture, false), None);
    fixture.advance_ms(3_600_000);
    assert_eq!(fixture.expire_deadlines(), [], "no deadline is pending");
    assert_eq!(fixture.state().closes_after(AFTER), Some(AFTER.asleep));
    let aborted = Event::Aborted { cause: AbortCause::Absence };
    assert_eq!(close(&mut fixture), Ok(vec![aborted, Event::Closed { reason: None }]));
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!(again.entries(), fixture.history.entries());
}

/// A match with clocks ends by itself, and a seated person may return for the result.
#[test]
fn an_unwatched_match_with_clocks_or_a_person_continues() {
    let attention =
        |fixture: &Fixture, is_watched| Some(fixture.state().bot_task(is_watched, fixture.now())?.attention);
    let bot = || built_in(8.try_into().unwrap());
    let add = || Action::AddBot { seat: None, bot: bot(), nonce: nonce("bot") };
    let time = Some(TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 });
    let mut clocks = Fixture::open(&terms_of(CreateTable { time, ..plain(Variant::Classic) }));
    clocks.execute("host", add()).unwrap();
    clocks.execute("host", add()).unwrap();
    let mut person = Fixture::open(&terms(Variant::Classic));
    person.execute("ann", sit(Some(Color::Black), None)).unwrap();
    person.execute("host", add()).unwrap();
    for (fixture, watched) in [(&clocks, Attention::Spectators), (&person, Attention::Player)] {
        assert_eq!(attention(fixture, true), Some(watched));
        assert_eq!(attention(fixture, false), Some(Attention::Nobody));
        assert_eq!(fixture.state().closes_after(AFTER), None);
    }
}

/// An operator needs no seat, and closes a table at any time.
#[test]
fn an_operator_closes_a_table_and_aborts_its_match() {
    let close = || Action::Close { reason: "spam".to_owned() };
    let closed = Event::Closed { reason: Some("spam".to_owned()) };
    let aborted = Event::Aborted { cause: AbortCause::Operator };
    let open = Fixture::open(&terms(Variant::Classic));
    let running = Fixture::started(&terms(Variant::Dilkel), 0);
    let mut paused = Fixture::started(&terms(Variant::Classic), 0);
    paused.execute("white", pause(RequestAction::Ask)).unwrap();
    paused.execute("black", pause(RequestAction::Accept)).unwrap();
    let mut over = Fixture::started(&terms(Variant::Classic), 0);
    over.execute("white", Action::Resign).unwrap();
    for (mut fixture, expected) in [
        (open, vec![closed.clone()]),
        (running, vec![aborted.clone(), closed.clone()]),
        (paused, vec![aborted, closed.clone()]),
        (over, vec![closed]),
    ] {
        assert_eq!(fixture.execute("olga", close()), Ok(expected));
        let view = state_view(fixture.state(), fixture.now());
        assert_eq!((view.phase, view.closed), (Phase::Ended, true));
        assert_eq!(fixture.state().next_deadline(), None);
        assert_eq!(fixture.execute("olga", close()), Err(Rejection::Closed));
        let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
        assert_eq!(again.entries(), fixture.history.entries());
    }
}

#[test]
fn a_closed_table_refuses_all_commands() {
    let mut open = Fixture::open(&terms(Variant::Classic));
    open.execute("white", sit(None, None)).unwrap();
    let mut over = Fixture::started(&terms(Variant::Classic), 0);
    over.execute("white", Action::Resign).unwrap();
    for mut fixture in [open, over] {
        close(&mut fixture).unwrap();
        let asked = [sit(None, None), Action::Leave, Action::Kick { color: Color::White }, Action::Resign];
        for action in asked {
            for by in ["host", "white", "stranger"] {
                assert_eq!(fixture.decide(by, action.clone()), Err(Rejection::Closed), "{by}: {action:?}");
            }
        }
        assert_eq!(close(&mut fixture), Err(Rejection::Closed), "a table closes only once");
        assert_eq!(Rejection::Closed.to_string(), "the table is closed");
    }
}
