//! S4: takebacks.

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::{Color, GameCommand, GameEvent, Rejection, Setup, Timestamp, Variant};

use crate::play::{Play, fischer};

fn request(color: Color) -> GameCommand {
    GameCommand::RequestTakeback { color }
}

fn agree(color: Color) -> GameCommand {
    GameCommand::AcceptTakeback { color }
}

/// S4 (decided): a takeback goes back to the requester's last move, once everyone still in agrees.
#[test]
fn a_takeback_goes_back_to_the_requesters_last_move() {
    let mut play = Play::start(Variant::Dilkel);
    play.moves("h2h4");
    let before = play.game.setup();
    play.moves("b7c7 g13g12");
    play.accept(&request(Blue));
    assert_eq!(play.refuse(&request(Red)), Rejection::TakebackOpen { by: Blue });
    assert_eq!(play.refuse(&agree(Blue)), Rejection::AlreadyAgreed { color: Blue });
    play.accept(&agree(Red));
    play.accept(&agree(Green));
    let events = play.accept(&agree(Yellow));
    assert_eq!(events[1], GameEvent::TakenBack { plies: 2, left_ms: None });
    assert_eq!(play.game.setup(), before);
    assert_eq!((play.game.position().turn(), play.game.moves().len()), (Blue, 1));
}

/// S4 (decided): rights, reserves, counters and repetition are restored.
#[test]
fn a_takeback_restores_everything() {
    let mut play = Play::start(Variant::Classic);
    play.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    let before = play.game.clone();
    play.moves("f6g8 e2e4");
    play.accept(&request(Black));
    play.accept(&agree(White));
    assert_eq!(play.game.position(), before.position());
    assert_eq!(play.game.setup(), before.setup());
    play.moves("f6g8");
    assert_eq!((play.game.repetition(), play.game.halfmove_clock()), (3, 8));
}

/// S4 (decided): it never reaches past a going-out or the start.
#[test]
fn a_takeback_stops_at_the_start_and_at_goings_out() {
    let mut play = Play::start(Variant::Dilkel);
    assert_eq!(play.refuse(&request(Red)), Rejection::NothingToTakeBack { color: Red });
    play.moves("h2h4 b7c7");
    assert_eq!(play.refuse(&request(Yellow)), Rejection::NothingToTakeBack { color: Yellow });
    play.resign(Green);
    assert_eq!(play.refuse(&request(Red)), Rejection::NothingToTakeBack { color: Red });
    play.moves("g13g12 h4h5 c7d7");
    play.accept(&request(Yellow));
    play.accept(&agree(Red));
    let events = play.accept(&agree(Blue));
    assert_eq!(events[1], GameEvent::TakenBack { plies: 3, left_ms: None });
    assert_eq!(play.game.position().turn(), Yellow);
}

/// S4 (decided): spent time stays spent.
#[test]
fn a_takeback_gives_no_time_back() {
    let setup = Setup::start(Variant::Classic);
    let mut play = Play::with(setup, quadrex_rules::DrawPolicy::Claim, fischer(60, 0));
    play.now = 10_000;
    play.moves("e2e4");
    play.now = 25_000;
    play.accept(&request(White));
    let events = play.accept(&agree(Black));
    assert_eq!(events[1], GameEvent::TakenBack { plies: 1, left_ms: Some(45_000) });
    let left = |color| play.game.clock().remaining(color, Timestamp::from_millis(26_000));
    assert_eq!(left(Black).map(|left| left.as_secs()), Some(45));
    assert_eq!(left(White).map(|left| left.as_secs()), Some(49));
}

/// S4 (decided): anyone may refuse; the request ends also with a going-out and when the requester moves on.
#[test]
fn a_takeback_request_may_be_refused() {
    let mut play = Play::start(Variant::Dilkel);
    play.moves("h2h4");
    play.accept(&request(Red));
    play.accept(&GameCommand::DeclineTakeback { color: Green });
    assert_eq!(play.refuse(&agree(Blue)), Rejection::NoTakeback);
    play.accept(&request(Red));
    play.moves("b7c7 g13g12 m8l8");
    assert!(play.game.takeback_request().is_some());
    play.moves("h4h5");
    assert_eq!(play.game.takeback_request(), None);
    play.accept(&request(Green));
    play.resign(Yellow);
    assert_eq!(play.game.takeback_request(), None);
}
