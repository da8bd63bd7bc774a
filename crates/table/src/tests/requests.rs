//! Tests of requests: made, shown, answered, expired, and their effects.

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, RefusalCode, RequestAction};
use quadrex_rules::{AbortCause, Color, Reason, Request, Variant};

use super::{FISCHER, Fixture, IDENTITY, draw, pause, plain, takeback, terms, terms_of};
use crate::{Action, History, state_view};

/// Returns the open requests: kind, author, and the colors that agreed.
fn open(fixture: &Fixture) -> Vec<(Request, Color, Vec<Color>)> {
    let requests = state_view(fixture.state(), fixture.now()).requests;
    requests.into_iter().map(|open| (open.request, open.by, open.agreed)).collect()
}

fn code(fixture: &Fixture, by: &str, action: Action) -> RefusalCode {
    fixture.decide(by, action).unwrap_err().code()
}

/// G9: only one request of a kind is open at a time. Everybody sees who has agreed. All remaining
/// players must agree.
#[test]
fn all_remaining_players_must_agree() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("green", Action::Resign).unwrap();
    fixture.execute("blue", draw(RequestAction::Ask)).unwrap();
    assert_eq!(code(&fixture, "red", draw(RequestAction::Ask)), RefusalCode::RequestRefused);
    assert_eq!(code(&fixture, "green", draw(RequestAction::Accept)), RefusalCode::Eliminated);
    fixture.execute("yellow", draw(RequestAction::Accept)).unwrap();
    assert_eq!(code(&fixture, "yellow", draw(RequestAction::Accept)), RefusalCode::NoOpenRequest);
    assert_eq!(open(&fixture), [(Request::Draw, Color::Blue, vec![Color::Blue, Color::Yellow])]);
    let events = fixture.execute("red", draw(RequestAction::Accept)).unwrap();
    let [Event::Agreed { color: Color::Red, .. }, Event::Ended { reason: Reason::Agreement, places }] =
        &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(places.values().copied().collect::<Vec<_>>(), [1, 1, 1, 4]);
    assert_eq!(open(&fixture), []);
}

/// G9: a request lapses when a player declines, when its author's next turn comes, and when a
/// player is eliminated. A player may make one request of each kind per own turn.
#[test]
fn a_request_lapses() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("blue", draw(RequestAction::Ask)).unwrap();
    fixture.execute("green", draw(RequestAction::Decline)).unwrap();
    assert_eq!(open(&fixture), []);
    assert_eq!(code(&fixture, "blue", draw(RequestAction::Ask)), RefusalCode::RequestRefused);

    fixture.execute("yellow", draw(RequestAction::Ask)).unwrap();
    fixture.play("red", "h2h4").unwrap();
    assert_eq!(open(&fixture).len(), 1, "a move does not decline");
    fixture.play("blue", "b7c7").unwrap();
    assert_eq!(open(&fixture), [], "it is Yellow's turn");

    fixture.execute("blue", draw(RequestAction::Ask)).unwrap();
    fixture.execute("red", takeback(RequestAction::Ask)).unwrap();
    assert_eq!(
        open(&fixture).iter().map(|one| one.0).collect::<Vec<_>>(),
        [Request::Draw, Request::Takeback]
    );
    fixture.execute("green", Action::Resign).unwrap();
    assert_eq!(open(&fixture), [], "Green was eliminated");
}

/// S4: a takeback restores the board, the turn and the ply count to the point before its author's
/// last move. The log loses nothing, and its replay gives the same match.
#[test]
fn a_takeback_is_an_event_and_can_be_replayed() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    assert_eq!(code(&fixture, "red", takeback(RequestAction::Ask)), RefusalCode::RequestRefused);
    fixture.play("red", "h2h4").unwrap();
    let before = (fixture.state().position().clone(), fixture.state().plies());
    fixture.play("blue", "b7c7").unwrap();
    fixture.play("yellow", "g13g12").unwrap();
    let thought_of = fixture.mv("m8l8");
    fixture.execute("blue", takeback(RequestAction::Ask)).unwrap();
    fixture.execute("red", takeback(RequestAction::Accept)).unwrap();
    fixture.execute("green", takeback(RequestAction::Accept)).unwrap();
    let events = fixture.execute("yellow", takeback(RequestAction::Accept)).unwrap();
    assert!(
        matches!(
            events[..],
            [Event::Agreed { .. }, Event::TakenBack { plies: 2, left_ms: None, away_ms: 0 }]
        ),
        "{events:?}"
    );
    assert_eq!((fixture.state().position().clone(), fixture.state().plies()), before);
    assert_eq!(fixture.state().turn(), Some(Color::Blue));
    let squares = &fixture.history.entries().last().unwrap().squares;
    assert_eq!(squares.len(), 4, "two pawns are on their old squares: {squares:?}");
    assert_eq!(code(&fixture, "green", thought_of), RefusalCode::Stale, "the move was for another board");

    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!(again.entries(), fixture.history.entries());
    assert_eq!(state_view(again.state(), fixture.now()), state_view(fixture.state(), fixture.now()));
    fixture.play("blue", "b8c8").unwrap();
    assert_eq!(fixture.state().plies(), 2);
}

/// S4: takebacks are for casual tables, like pauses; draws can be agreed at all tables.
#[test]
fn takebacks_and_pauses_are_refused_at_rated_tables() {
    let rated = terms_of(CreateTable { rated: Some(true), time: Some(FISCHER), ..plain(Variant::Classic) });
    let mut fixture = Fixture::started(&rated, 0);
    fixture.play("white", "e2e4").unwrap();
    assert_eq!(code(&fixture, "white", takeback(RequestAction::Ask)), RefusalCode::RequestRefused);
    assert_eq!(code(&fixture, "white", pause(RequestAction::Ask)), RefusalCode::RequestRefused);
    fixture.execute("white", draw(RequestAction::Ask)).unwrap();
}

/// A pause begins when the last remaining player agrees. Clocks stop and moves are refused, but
/// other requests are possible. Every remaining player can end it, after a countdown. The log can
/// be replayed during the pause.
#[test]
fn all_players_pause_a_match_and_any_player_resumes_it() {
    let clocks = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 };
    let mut fixture =
        Fixture::started(&terms_of(CreateTable { time: Some(clocks), ..plain(Variant::Classic) }), 0);
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    fixture.execute("black", pause(RequestAction::Ask)).unwrap();
    let events = fixture.execute("white", pause(RequestAction::Accept)).unwrap();
    let paused = Event::Agreed { request: Request::Pause, color: Color::White };
    assert_eq!(events, [paused, Event::Paused {}]);
    assert_eq!(open(&fixture), [], "the draw was agreed, so no request is open");
    let left =
        |fixture: &Fixture| state_view(fixture.state(), fixture.now()).clock.unwrap().left_ms[&Color::White];
    let before = left(&fixture);
    fixture.advance_ms(300_000);
    assert_eq!(left(&fixture), before, "no clock runs");
    assert_eq!(code(&fixture, "white", fixture.mv("g1f3")), RefusalCode::Paused);
    assert_eq!(code(&fixture, "white", pause(RequestAction::Ask)), RefusalCode::Paused);
    assert!(fixture.decide("white", draw(RequestAction::Ask)).is_ok());

    fixture.execute("white", takeback(RequestAction::Ask)).unwrap();
    fixture.execute("black", takeback(RequestAction::Accept)).unwrap();
    assert_eq!((fixture.state().turn(), fixture.state().is_suspended()), (Some(Color::White), true));
    fixture.advance_ms(100_000);
    assert_eq!(left(&fixture), before, "also after a takeback");
    fixture.history = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!((left(&fixture), fixture.state().is_suspended()), (before, true));

    fixture.execute("black", Action::Resume).unwrap();
    fixture.advance_ms(10_000);
    let events = fixture.expire_deadlines();
    assert_eq!(events, [Event::Resumed {}]);
    fixture.advance_ms(5_000);
    assert_eq!(left(&fixture), before - 5_000, "the clock continues");
    fixture.play("white", "d2d4").unwrap();
}

/// All players can agree to abort a match; then nobody has a place.
#[test]
fn all_players_agree_to_abort() {
    let abort = |action| Action::Request { request: Request::Abort, action };
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.play("red", "h2h4").unwrap();
    fixture.execute("yellow", abort(RequestAction::Ask)).unwrap();
    fixture.execute("red", abort(RequestAction::Accept)).unwrap();
    fixture.execute("blue", abort(RequestAction::Decline)).unwrap();
    assert_eq!(open(&fixture), []);
    fixture.execute("blue", abort(RequestAction::Ask)).unwrap();
    for by in ["yellow", "red"] {
        fixture.execute(by, abort(RequestAction::Accept)).unwrap();
    }
    let events = fixture.execute("green", abort(RequestAction::Accept)).unwrap();
    assert_eq!(events.last(), Some(&Event::Aborted { cause: AbortCause::Agreement }));
    let state = state_view(fixture.state(), fixture.now());
    assert_eq!(
        (state.phase, state.outcome, state.aborted),
        (Phase::Ended, None, Some(AbortCause::Agreement))
    );
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!(again.entries(), fixture.history.entries());
}
