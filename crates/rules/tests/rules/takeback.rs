//! S4: takebacks.

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::Request::{Draw, Takeback};
use quadrex_rules::{Color, GameCommand, GameEvent, Rejection, Setup, Timestamp, Variant};

use crate::play::{Play, fischer};

fn request(color: Color) -> GameCommand {
    GameCommand::Ask { request: Takeback, color }
}

fn agree(color: Color) -> GameCommand {
    GameCommand::Agree { request: Takeback, color }
}

/// S4 (decided): a takeback returns to before the requester's last move, once every player still in
/// the match agrees.
#[test]
fn a_takeback_goes_back_to_the_requesters_last_move() {
    let mut play = Play::start(Variant::Dilkel);
    play.moves("h2h4");
    let before = play.game.setup();
    play.moves("b7c7 g13g12");
    play.accept(&request(Blue));
    assert_eq!(play.refuse(&request(Red)), Rejection::RequestOpen { request: Takeback, by: Blue });
    assert_eq!(play.refuse(&agree(Blue)), Rejection::AlreadyAgreed { request: Takeback, color: Blue });
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

/// S4 (decided): it never reaches past an elimination or the start.
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
    play.moves("e2e4 e7e5");
    play.now = 10_000;
    play.moves("d2d4");
    play.now = 25_000;
    play.accept(&request(White));
    let events = play.accept(&agree(Black));
    assert_eq!(events[1], GameEvent::TakenBack { plies: 1, left_ms: Some(45_000) });
    let left = |color| play.game.clock().remaining(color, Timestamp::from_millis(26_000));
    assert_eq!(left(Black).map(|left| left.as_secs()), Some(45));
    assert_eq!(left(White).map(|left| left.as_secs()), Some(49));
}

/// S4, G9 (decided): any player may decline; a player may request once per own turn.
#[test]
fn a_takeback_request_may_be_declined() {
    let mut play = Play::start(Variant::Dilkel);
    play.moves("h2h4");
    play.accept(&request(Red));
    play.accept(&GameCommand::Decline { request: Takeback, color: Green });
    assert_eq!(play.refuse(&agree(Blue)), Rejection::NoRequest { request: Takeback });
    assert_eq!(
        play.refuse(&request(Red)),
        Rejection::AlreadyRequestedThisTurn { request: Takeback, color: Red }
    );
    play.moves("b7c7 g13g12 m8l8");
    play.accept(&request(Red));
}

/// S4, G9 (decided): the request lapses with the requester's next turn, with the requester's next
/// move, and with any elimination.
#[test]
fn a_takeback_request_lapses() {
    let mut play = Play::start(Variant::Dilkel);
    play.moves("h2h4");
    play.accept(&request(Red));
    play.moves("b7c7 g13g12");
    assert!(play.game.request(Takeback).is_some(), "moving is not declining");
    play.moves("m8l8");
    assert_eq!(play.game.request(Takeback), None, "Red's turn has come");
    play.accept(&request(Red));
    play.moves("h4h5");
    assert_eq!(play.game.request(Takeback), None, "Red has moved on");
    play.accept(&request(Green));
    play.resign(Yellow);
    assert_eq!(play.game.request(Takeback), None, "Yellow went out");
}

/// S4, G9 (decided): a draw and a takeback may be requested at once; a takeback ends the draw
/// offered after it, a declined draw leaves the takeback open.
#[test]
fn one_request_of_each_kind_may_be_open() {
    let mut play = Play::start(Variant::Dilkel);
    play.moves("h2h4");
    play.accept(&request(Red));
    play.accept(&GameCommand::Ask { request: Draw, color: Yellow });
    assert_eq!(play.game.request(Draw).map(|open| open.by), Some(Yellow));
    play.accept(&GameCommand::Decline { request: Draw, color: Blue });
    assert_eq!(play.game.request(Takeback).map(|open| open.by), Some(Red));
    play.accept(&GameCommand::Ask { request: Draw, color: Green });
    for color in [Blue, Yellow, Green] {
        play.accept(&agree(color));
    }
    assert_eq!((play.game.request(Draw), play.game.request(Takeback)), (None, None));
}
