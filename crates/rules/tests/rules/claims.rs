//! G9-G11, D14, S4: claims, repetition, offers and takebacks with four players.

use std::time::Duration;

use quadrex_rules::Color::{Blue, Green, Red, White, Yellow};
use quadrex_rules::{
    DrawPolicy, GameCommand, GameEvent, Reason, Rejection, Request, Setup, TimeControl, Timestamp, Variant,
};

use crate::play::{Play, dilkel, fen, gone, position};

const KINGS: &str = "rKg1 rRd4 bKa8 yKh14 gKn7";

/// All four kings back and forth, Red to move at the end: eight plies.
const ROUND_TRIP: &str = "g1g2 a8a9 h14h13 n7n8 g2g1 a9a8 h13h14 n8n7";

/// G10, G11 (O): with four players too the third occurrence may be claimed, by the player to move
/// alone.
#[test]
fn four_players_may_claim_the_third_occurrence() {
    let mut play = Play::new(dilkel(Red, KINGS));
    play.moves(ROUND_TRIP);
    let refusal = play.refuse(&GameCommand::ClaimDraw { color: Red });
    assert_eq!(refusal, Rejection::NothingToClaim { occurrences: 2, plies: 8 });
    play.moves(ROUND_TRIP);
    assert_eq!(play.refuse(&GameCommand::ClaimDraw { color: Green }), Rejection::NotYourTurn { turn: Red });
    play.accept(&GameCommand::ClaimDraw { color: Red });
    assert_eq!((play.reason(), play.places()), (Some(Reason::Repetition), vec![1, 1, 1, 1]));
}

/// G11 (O: "before or after"): the player whose move brings the third occurrence about may claim
/// with it.
#[test]
fn the_player_who_repeats_may_claim_with_the_move() {
    let mut play = Play::new(dilkel(Red, KINGS));
    play.moves(ROUND_TRIP);
    play.moves(ROUND_TRIP.strip_suffix(" n8n7").expect("the last move"));
    play.accept(&play.command("n8n7", true));
    assert_eq!(play.reason(), Some(Reason::Repetition));
}

/// G11 (F, M): without a claim the fifth occurrence ends the game, with the automatic policy the
/// third.
#[test]
fn repetition_ends_the_game_of_four_by_itself() {
    for (policy, trips) in [(DrawPolicy::Claim, 4), (DrawPolicy::Automatic, 2)] {
        let mut play = Play::with(dilkel(Red, KINGS), policy, TimeControl::None);
        for _ in 1..trips {
            play.moves(ROUND_TRIP);
        }
        assert_eq!((play.game.repetition(), play.reason()), (trips, None));
        play.moves(ROUND_TRIP);
        assert_eq!(play.reason(), Some(Reason::Repetition), "{policy:?}");
    }
}

/// G11 (decided; "What is judged when the turn passes"): if both apply, repetition comes before the
/// move count.
#[test]
fn repetition_comes_before_the_count() {
    let mut play = Play::new(fen("4k3/8/8/8/8/8/8/R3K3 w - - 92 90"));
    for _ in 0..2 {
        play.moves("a1a2 e8e7 a2a1 e7e8");
    }
    assert_eq!((play.game.repetition(), play.game.halfmove_clock()), (3, 100));
    play.accept(&GameCommand::ClaimDraw { color: White });
    assert_eq!(play.reason(), Some(Reason::Repetition));
}

/// G11, D14 (decided): the order of adjudication comes first: a checkmating move resets the count
/// to zero, so that a claim made with it is refused together with the move, and the automatic
/// policy does not apply.
#[test]
fn a_mate_within_the_move_leaves_nothing_to_claim() {
    let mut setup = dilkel(Green, "rKg1 bKa8 bRd2 bRk1 yKh14 gKn7");
    setup.halfmove_clock = 199;
    let mut play = Play::new(setup.clone());
    let refusal = play.refuse(&play.command("n7n8", true));
    assert_eq!(refusal, Rejection::NothingToClaim { occurrences: 1, plies: 0 });
    assert_eq!(gone(&play.moves("n7n8")), ["red=mate"]);
    let mut play = Play::with(setup, DrawPolicy::Automatic, TimeControl::None);
    assert_eq!(gone(&play.moves("n7n8")), ["red=mate"]);
    assert_eq!((play.reason(), play.game.halfmove_clock()), (None, 0));
}

/// S1, G11 (M): a loaded count may be claimed at once, and ends the game at once with the automatic
/// policy.
#[test]
fn a_loaded_count_counts() {
    let setup = || fen("4k3/8/8/8/8/8/8/R3K3 w - - 100 90");
    let mut play = Play::new(setup());
    play.accept(&GameCommand::ClaimDraw { color: White });
    assert_eq!(play.reason(), Some(Reason::Moves));
    let play = Play::with(setup(), DrawPolicy::Automatic, TimeControl::None);
    assert_eq!(play.reason(), Some(Reason::Moves));
}

/// G11 (O): a claim is possible while the time of the player to move runs, and while the match
/// does.
#[test]
fn a_claim_is_offered_as_long_as_it_can_be_made() {
    let clocks = TimeControl::Correspondence { per_turn: Duration::from_secs(60) };
    let mut play = Play::with(dilkel(Red, KINGS), DrawPolicy::Claim, clocks);
    let at = Timestamp::from_millis;
    play.moves(ROUND_TRIP);
    assert!(!play.game.may_claim_draw(at(play.now)));
    play.moves(ROUND_TRIP);
    assert!(play.game.may_claim_draw(at(play.now)));
    assert!(!play.game.may_claim_draw(at(play.now + 60_000)));
    play.accept(&GameCommand::ClaimDraw { color: Red });
    assert!(!play.game.may_claim_draw(at(play.now)));
}

/// G10 (decided): a right that a pawn is in place to use counts until its turn comes, and then only
/// if the capture is legal.
#[test]
fn a_pinned_pawn_that_stands_ready_counts_until_its_turn() {
    let mut play = Play::new(dilkel(Red, "rKg1 rPe2 bRa4 bKa8 yPf4 yKj4 gKn7"));
    let counts = |play: &Play| {
        let mut without = play.game.setup();
        assert!(without.double_steps[Red].take().is_some());
        let (with, without) = (play.game.position(), position(&without));
        assert_eq!(*with == without, with.hash() == without.hash());
        *with != without
    };
    play.moves("e2e4");
    assert!(counts(&play));
    play.moves("a8a9");
    assert!(!counts(&play));
}

/// G9 (decided): an offer lapses also with a checkmate; its player may not make another on the same
/// turn.
#[test]
fn an_offer_lapses_with_a_mate_and_stays_spent() {
    let mut play = Play::new(dilkel(Green, "rKg1 bKa8 bRd2 bRk1 yKh14 gKn7"));
    play.accept(&GameCommand::Ask { request: Request::Draw, color: Yellow });
    play.accept(&GameCommand::Agree { request: Request::Draw, color: Blue });
    play.accept(&GameCommand::Agree { request: Request::Draw, color: Green });
    assert_eq!(gone(&play.moves("n7n8")), ["red=mate"]);
    assert_eq!((play.reason(), play.game.request(Request::Draw)), (None, None));
    let again = GameCommand::Ask { request: Request::Draw, color: Yellow };
    assert_eq!(
        play.refuse(&again),
        Rejection::AlreadyRequestedThisTurn { request: Request::Draw, color: Yellow }
    );
    play.moves("a8a9");
    play.accept(&again);
}

/// S4 (decided): a takeback restores en passant rights, castling rights and reserves.
#[test]
fn a_takeback_restores_rights_and_reserves() {
    let mut setup = dilkel(Red, "rKg1 rRd1 rPe2 rRk2 bKa8 yKh14 yPf4 gKn7 gRk4");
    setup.castling[Red].short = true;
    let mut play = Play::new(setup);
    play.moves("e2e4 a8a9");
    let before = play.game.setup();
    assert!(before.double_steps[Red].is_some() && before.castling[Red].short);
    play.moves("f4e3 k4k2 g1e1");
    let after = play.game.setup();
    assert!(after.double_steps[Red].is_none() && !after.castling[Red].short);
    assert_eq!(after.reserves[Red].rooks, 1);
    play.accept(&GameCommand::Ask { request: Request::Takeback, color: Yellow });
    for color in [Red, Blue, Green] {
        play.accept(&GameCommand::Agree { request: Request::Takeback, color });
    }
    assert_eq!((play.game.setup(), play.game.position().turn()), (before, Yellow));
}

/// S4 (decided): the range of a takeback is measured when all have agreed; an open draw offer
/// lapses with it.
#[test]
fn a_takeback_goes_back_from_where_the_game_is_by_then() {
    let mut play = Play::new(Setup::start(Variant::Dilkel));
    play.moves("h2h4 b7c7");
    play.accept(&GameCommand::Ask { request: Request::Takeback, color: Blue });
    play.moves("g13g12 m8l8");
    play.accept(&GameCommand::Ask { request: Request::Draw, color: Red });
    play.accept(&GameCommand::Agree { request: Request::Takeback, color: Red });
    play.accept(&GameCommand::Agree { request: Request::Takeback, color: Green });
    let events = play.accept(&GameCommand::Agree { request: Request::Takeback, color: Yellow });
    assert_eq!(events[1], GameEvent::TakenBack { plies: 3, left_ms: None });
    assert_eq!((play.game.position().turn(), play.game.moves().len()), (Blue, 1));
    assert_eq!((play.game.request(Request::Draw), play.game.request(Request::Takeback)), (None, None));
}

/// G9 (decided): the elimination of another player is no new turn of the player to move, who has
/// made its offer already.
#[test]
fn the_elimination_of_another_gives_no_second_offer() {
    let mut play = Play::new(Setup::start(Variant::Dilkel));
    play.accept(&GameCommand::Ask { request: Request::Draw, color: Red });
    play.resign(Blue);
    assert_eq!(play.game.request(Request::Draw), None);
    let again = GameCommand::Ask { request: Request::Draw, color: Red };
    assert_eq!(
        play.refuse(&again),
        Rejection::AlreadyRequestedThisTurn { request: Request::Draw, color: Red }
    );
}
