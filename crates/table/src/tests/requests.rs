//! Tests of requests: made, shown, answered, expired, and their effects.

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, RefusalCode, RequestAction};
use quadrex_rules::{AbortCause, Color, Reason, Request, Variant};

use super::{Bench, ORIGIN, draw, pause, plain, takeback, terms, terms_of};
use crate::{Action, History, state_view};

/// Returns the open requests: kind, author, and the colors that agreed.
fn open(bench: &Bench) -> Vec<(Request, Color, Vec<Color>)> {
    let requests = state_view(bench.state(), bench.now()).requests;
    requests.into_iter().map(|open| (open.request, open.by, open.agreed)).collect()
}

fn code(bench: &Bench, by: &str, action: Action) -> RefusalCode {
    bench.decide(by, action).unwrap_err().code()
}

/// G9: only one request of a kind is open at a time. Everybody sees who has agreed. All remaining
/// players must agree.
#[test]
fn all_remaining_players_must_agree() {
    let mut bench = Bench::started(&terms(Variant::Dilkel), 0);
    bench.ask("green", Action::Resign).unwrap();
    bench.ask("blue", draw(RequestAction::Ask)).unwrap();
    assert_eq!(code(&bench, "red", draw(RequestAction::Ask)), RefusalCode::RequestRefused);
    assert_eq!(code(&bench, "green", draw(RequestAction::Accept)), RefusalCode::Eliminated);
    bench.ask("yellow", draw(RequestAction::Accept)).unwrap();
    assert_eq!(code(&bench, "yellow", draw(RequestAction::Accept)), RefusalCode::NoOpenRequest);
    assert_eq!(open(&bench), [(Request::Draw, Color::Blue, vec![Color::Blue, Color::Yellow])]);
    let events = bench.ask("red", draw(RequestAction::Accept)).unwrap();
    let [Event::Agreed { color: Color::Red, .. }, Event::Ended { reason: Reason::Agreement, places }] =
        &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(places.values().copied().collect::<Vec<_>>(), [1, 1, 1, 4]);
    assert_eq!(open(&bench), []);
}

/// G9: a request lapses when a player declines, when its author's next turn comes, and when a
/// player is eliminated. A player may make one request of each kind per own turn.
#[test]
fn a_request_lapses() {
    let mut bench = Bench::started(&terms(Variant::Dilkel), 0);
    bench.ask("blue", draw(RequestAction::Ask)).unwrap();
    bench.ask("green", draw(RequestAction::Decline)).unwrap();
    assert_eq!(open(&bench), []);
    assert_eq!(code(&bench, "blue", draw(RequestAction::Ask)), RefusalCode::RequestRefused);

    bench.ask("yellow", draw(RequestAction::Ask)).unwrap();
    bench.play("red", "h2h4").unwrap();
    assert_eq!(open(&bench).len(), 1, "moving is not declining");
    bench.play("blue", "b7c7").unwrap();
    assert_eq!(open(&bench), [], "Yellow's turn has come");

    bench.ask("blue", draw(RequestAction::Ask)).unwrap();
    bench.ask("red", takeback(RequestAction::Ask)).unwrap();
    assert_eq!(open(&bench).iter().map(|one| one.0).collect::<Vec<_>>(), [Request::Draw, Request::Takeback]);
    bench.ask("green", Action::Resign).unwrap();
    assert_eq!(open(&bench), [], "Green went out");
}

/// S4: a takeback restores the board, the turn and the ply count to the point before its author's
/// last move. The log loses nothing, and its replay gives the same match.
#[test]
fn a_takeback_is_an_event_and_can_be_replayed() {
    let mut bench = Bench::started(&terms(Variant::Dilkel), 0);
    assert_eq!(code(&bench, "red", takeback(RequestAction::Ask)), RefusalCode::RequestRefused);
    bench.play("red", "h2h4").unwrap();
    let before = (bench.state().position().clone(), bench.state().plies());
    bench.play("blue", "b7c7").unwrap();
    bench.play("yellow", "g13g12").unwrap();
    let thought_of = bench.mv("m8l8");
    bench.ask("blue", takeback(RequestAction::Ask)).unwrap();
    bench.ask("red", takeback(RequestAction::Accept)).unwrap();
    bench.ask("green", takeback(RequestAction::Accept)).unwrap();
    let events = bench.ask("yellow", takeback(RequestAction::Accept)).unwrap();
    assert!(
        matches!(events[..], [Event::Agreed { .. }, Event::TakenBack { plies: 2, left_ms: None }]),
        "{events:?}"
    );
    assert_eq!((bench.state().position().clone(), bench.state().plies()), before);
    assert_eq!(bench.state().turn(), Some(Color::Blue));
    let squares = &bench.history.entries().last().unwrap().squares;
    assert_eq!(squares.len(), 4, "two pawns stand where they stood: {squares:?}");
    assert_eq!(code(&bench, "green", thought_of), RefusalCode::Stale, "it was thought of on another board");

    let again = History::replay(ORIGIN, bench.log.clone()).unwrap();
    assert_eq!(again.entries(), bench.history.entries());
    assert_eq!(state_view(again.state(), bench.now()), state_view(bench.state(), bench.now()));
    bench.play("blue", "b8c8").unwrap();
    assert_eq!(bench.state().plies(), 2);
}

/// S4: takebacks are for casual tables; draws can be agreed at all tables.
#[test]
fn takebacks_are_refused_at_rated_tables() {
    let rated = terms_of(CreateTable { rated: Some(true), ..plain(Variant::Classic) });
    let mut bench = Bench::started(&rated, 0);
    bench.play("white", "e2e4").unwrap();
    assert_eq!(code(&bench, "white", takeback(RequestAction::Ask)), RefusalCode::RequestRefused);
    bench.ask("white", draw(RequestAction::Ask)).unwrap();
}

/// A pause begins when the last remaining player agrees. Clocks stop and moves are refused, but
/// other requests are possible. Every remaining player can end it, after a countdown. The log can
/// be replayed during the pause.
#[test]
fn all_players_pause_a_match_and_any_player_resumes_it() {
    let clocks = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 };
    let mut bench =
        Bench::started(&terms_of(CreateTable { time: Some(clocks), ..plain(Variant::Classic) }), 0);
    bench.play("white", "e2e4").unwrap();
    bench.play("black", "e7e5").unwrap();
    bench.ask("black", pause(RequestAction::Ask)).unwrap();
    let events = bench.ask("white", pause(RequestAction::Accept)).unwrap();
    let paused = Event::Agreed { request: Request::Pause, color: Color::White };
    assert_eq!(events, [paused, Event::Paused {}]);
    assert_eq!(open(&bench), [], "it is given, and no longer asked for");
    let left = |bench: &Bench| state_view(bench.state(), bench.now()).clock.unwrap().left_ms[&Color::White];
    let before = left(&bench);
    bench.pass_ms(300_000);
    assert_eq!(left(&bench), before, "no clock runs");
    assert_eq!(code(&bench, "white", bench.mv("g1f3")), RefusalCode::Paused);
    assert_eq!(code(&bench, "white", pause(RequestAction::Ask)), RefusalCode::Paused);
    assert!(bench.decide("white", draw(RequestAction::Ask)).is_ok());

    bench.ask("white", takeback(RequestAction::Ask)).unwrap();
    bench.ask("black", takeback(RequestAction::Accept)).unwrap();
    assert_eq!((bench.state().turn(), bench.state().is_suspended()), (Some(Color::White), true));
    bench.pass_ms(100_000);
    assert_eq!(left(&bench), before, "also after a takeback");
    bench.history = History::replay(ORIGIN, bench.log.clone()).unwrap();
    assert_eq!((left(&bench), bench.state().is_suspended()), (before, true));

    bench.ask("black", Action::Resume).unwrap();
    bench.pass_ms(10_000);
    let events = bench.keep_time();
    assert_eq!(events, [Event::Resumed {}]);
    bench.pass_ms(5_000);
    assert_eq!(left(&bench), before - 5_000, "the clock goes on");
    bench.play("white", "d2d4").unwrap();
}

/// All players can agree to abort a match; then nobody has a place.
#[test]
fn all_players_agree_to_abort() {
    let abort = |action| Action::Request { request: Request::Abort, action };
    let mut bench = Bench::started(&terms(Variant::Dilkel), 0);
    bench.play("red", "h2h4").unwrap();
    bench.ask("yellow", abort(RequestAction::Ask)).unwrap();
    bench.ask("red", abort(RequestAction::Accept)).unwrap();
    bench.ask("blue", abort(RequestAction::Decline)).unwrap();
    assert_eq!(open(&bench), []);
    bench.ask("blue", abort(RequestAction::Ask)).unwrap();
    for by in ["yellow", "red"] {
        bench.ask(by, abort(RequestAction::Accept)).unwrap();
    }
    let events = bench.ask("green", abort(RequestAction::Accept)).unwrap();
    assert_eq!(events.last(), Some(&Event::Aborted { cause: AbortCause::Agreement }));
    let state = state_view(bench.state(), bench.now());
    assert_eq!(
        (state.phase, state.outcome, state.aborted),
        (Phase::Ended, None, Some(AbortCause::Agreement))
    );
    let again = History::replay(ORIGIN, bench.log.clone()).unwrap();
    assert_eq!(again.entries(), bench.history.entries());
}
