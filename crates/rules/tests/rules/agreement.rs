//! G9: draws by agreement.

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::Request::Draw;
use quadrex_rules::{AbortCause, Color, GameCommand, GameEvent, Reason, Rejection, Request, Variant};

use crate::play::Play;

fn offer(color: Color) -> GameCommand {
    GameCommand::Ask { request: Draw, color }
}

fn accept(color: Color) -> GameCommand {
    GameCommand::Agree { request: Draw, color }
}

fn decline(color: Color) -> GameCommand {
    GameCommand::Decline { request: Draw, color }
}

const ROUND: [&str; 4] = ["h2h3", "b7c7", "g13g12", "m8l8"];

/// G9 (O): a draw needs every player still in the match to accept the same open offer.
#[test]
fn a_draw_needs_everyone_still_in() {
    let mut play = Play::start(Variant::Dilkel);
    play.accept(&offer(Blue));
    play.accept(&accept(Green));
    assert_eq!(play.accept(&accept(Red)), [GameEvent::Agreed { request: Draw, color: Red }]);
    assert_eq!(play.reason(), None);
    assert_eq!(play.refuse(&accept(Red)), Rejection::AlreadyAgreed { request: Draw, color: Red });
    assert_eq!(play.refuse(&accept(Blue)), Rejection::AlreadyAgreed { request: Draw, color: Blue });
    assert_eq!(play.accept(&accept(Yellow)).len(), 2);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Agreement), vec![1, 1, 1, 1]));
}

/// G9 (O): with two players the same holds.
#[test]
fn two_players_agree_on_a_draw() {
    let mut play = Play::start(Variant::Classic);
    assert_eq!(play.refuse(&accept(Black)), Rejection::NoRequest { request: Draw });
    play.accept(&offer(White));
    play.accept(&accept(Black));
    assert_eq!((play.reason(), play.places()), (Some(Reason::Agreement), vec![1, 1]));
}

/// G9 (decided): eliminated players are not asked, and cannot answer.
#[test]
fn eliminated_players_are_not_asked() {
    let mut play = Play::start(Variant::Dilkel);
    play.resign(Green);
    play.accept(&offer(Red));
    assert_eq!(play.refuse(&accept(Green)), Rejection::Eliminated { color: Green });
    play.accept(&accept(Blue));
    play.accept(&accept(Yellow));
    assert_eq!(play.reason(), Some(Reason::Agreement));
}

/// G9 (decided): one offer per player per own turn, and one open at a time.
#[test]
fn one_offer_for_each_own_turn() {
    let mut play = Play::start(Variant::Dilkel);
    play.accept(&offer(Yellow));
    assert_eq!(play.refuse(&offer(Red)), Rejection::RequestOpen { request: Draw, by: Yellow });
    play.accept(&decline(Red));
    assert_eq!(
        play.refuse(&offer(Yellow)),
        Rejection::AlreadyRequestedThisTurn { request: Draw, color: Yellow }
    );
    play.accept(&offer(Red));
    play.accept(&decline(Red));
    play.moves(&ROUND[..2].join(" "));
    play.accept(&offer(Yellow));
}

/// G9 (decided): an offer lapses when anyone declines it.
#[test]
fn an_offer_lapses_when_declined() {
    let mut play = Play::start(Variant::Dilkel);
    play.accept(&offer(Red));
    play.accept(&accept(Blue));
    play.accept(&decline(Yellow));
    assert_eq!(play.game.request(Draw), None);
    assert_eq!(play.refuse(&accept(Green)), Rejection::NoRequest { request: Draw });
    assert_eq!(play.refuse(&decline(Green)), Rejection::NoRequest { request: Draw });
}

/// G9 (decided): a move does not decline the offer; it stays open until the offering player's next
/// turn.
#[test]
fn an_offer_lapses_when_the_offerers_turn_comes() {
    let mut play = Play::start(Variant::Dilkel);
    play.accept(&offer(Red));
    play.moves(&ROUND[..3].join(" "));
    assert_eq!(play.game.request(Draw).map(|offer| offer.by), Some(Red));
    play.moves(ROUND[3]);
    assert_eq!(play.game.request(Draw), None);
    play.accept(&offer(Red));
}

/// G9 (decided): an offer lapses with any elimination; an elimination never completes it.
#[test]
fn an_elimination_never_completes_an_offer() {
    let mut play = Play::start(Variant::Dilkel);
    play.accept(&offer(Red));
    play.accept(&accept(Blue));
    play.accept(&accept(Yellow));
    play.resign(Green);
    assert_eq!((play.reason(), play.game.request(Draw)), (None, None));
}

/// G9: pauses and aborts are requested like draws. The rules only count consent to a pause; an
/// abort ends the match without a result.
#[test]
fn pauses_and_aborts_need_everyone_too() {
    let mut play = Play::start(Variant::Classic);
    play.accept(&GameCommand::Ask { request: Request::Pause, color: White });
    let agreed = play.accept(&GameCommand::Agree { request: Request::Pause, color: Black });
    assert_eq!(agreed, [GameEvent::Agreed { request: Request::Pause, color: Black }]);
    assert_eq!(play.game.request(Request::Pause), None, "it is given");
    play.accept(&GameCommand::Ask { request: Request::Abort, color: Black });
    let agreed = play.accept(&GameCommand::Agree { request: Request::Abort, color: White });
    assert_eq!(agreed.last(), Some(&GameEvent::Aborted { cause: AbortCause::Agreement }));
    assert_eq!((play.reason(), play.refuse(&offer(White))), (None, Rejection::MatchOver));
}
