//! G10, G11, D14: repetition and move counts.

use quadrex_rules::Color::{Black, Blue, Green, Red, White};
use quadrex_rules::{DrawPolicy, GameCommand, Reason, Rejection, Reserve, Setup, TimeControl, Variant};

use crate::play::{Play, dilkel, fen, position};

const ROUND_TRIP: &str = "g1f3 g8f6 f3g1 f6g8";

/// G10 (O, M, F): the start counts as the first occurrence, and the same pieces on the same squares
/// as another.
#[test]
fn a_position_occurs_again_when_all_is_as_it_was() {
    let mut play = Play::start(Variant::Classic);
    assert_eq!(play.game.repetition(), 1);
    play.moves(ROUND_TRIP);
    assert_eq!(play.game.repetition(), 2);
    play.moves("e2e4");
    assert_eq!(play.game.repetition(), 1);
}

/// G10 (O, M, F): castling rights are part of the position.
#[test]
fn a_lost_castling_right_makes_another_position() {
    let mut play = Play::new(fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"));
    play.moves("a1b1 e8e7 b1a1 e7e8");
    assert_eq!(play.game.repetition(), 1);
}

/// G10 (F): an en passant right makes another position only if the capture is legal.
#[test]
fn only_a_possible_en_passant_makes_another_position() {
    let mut possible = Play::new(fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"));
    possible.moves("e2e4 e8d8 e1d1 d8e8 d1e1");
    assert_eq!(possible.game.repetition(), 1);
    let mut pinned = Play::new(fen("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1"));
    pinned.moves("e2e4 d8e8 e1f1 e8d8 f1e1");
    assert_eq!(pinned.game.repetition(), 2);
}

/// G10 (decided): for a later turn of another player, a right counts as soon as a pawn is in place.
#[test]
fn a_pawn_that_stands_ready_counts_before_its_turn() {
    let after = |extra: &str| {
        let mut play = Play::new(dilkel(Red, &format!("rKg1 bKa8 yKh14 gKn7 rPe2 {extra}")));
        play.moves("e2e4");
        let stepped = play.game.position().clone();
        let mut setup = play.game.setup();
        setup.double_steps[Red] = None;
        (stepped, position(&setup))
    };
    let (stepped, without) = after("yPf4");
    assert!(stepped != without && stepped.hash() != without.hash());
    let (stepped, without) = after("yPg4");
    assert!(stepped == without && stepped.hash() == without.hash());
}

/// G10 (decided): the players still in the match, the turn and the reserves are part of a `dilkel`
/// position.
#[test]
fn reserves_turn_and_players_make_another_position() {
    let setup = dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rRd4");
    let mut reserve = setup.clone();
    reserve.reserves[Blue] = Reserve { knights: 1, ..Reserve::EMPTY };
    let fewer = dilkel(Red, "rKg1 bKa8 yKh14 rRd4");
    let others = [reserve, fewer, setup.clone().with_turn(Blue)];
    for other in others {
        assert!(position(&setup) != position(&other), "{other}");
        assert_ne!(position(&setup).hash(), position(&other).hash(), "{other}");
    }
    let mut counted = setup.clone();
    counted.halfmove_clock = 7;
    assert_eq!(position(&setup), position(&counted));
}

/// G11 (O): from the third occurrence on the player to move may claim a draw before moving.
#[test]
fn the_third_occurrence_may_be_claimed() {
    let mut play = Play::start(Variant::Classic);
    play.moves(ROUND_TRIP);
    let refusal = play.refuse(&GameCommand::ClaimDraw { color: White });
    assert_eq!(refusal, Rejection::NothingToClaim { occurrences: 2, plies: 4 });
    play.moves(ROUND_TRIP);
    assert_eq!(play.refuse(&GameCommand::ClaimDraw { color: Black }), Rejection::NotYourTurn { turn: White });
    play.accept(&GameCommand::ClaimDraw { color: White });
    assert_eq!((play.reason(), play.places()), (Some(Reason::Repetition), vec![1, 1]));
}

/// G11 (O: "before or after"): a claim may come with the move that brings the occurrence about; a
/// wrong one is refused together with the move.
#[test]
fn a_claim_may_come_with_the_move_and_is_refused_with_it() {
    let mut play = Play::start(Variant::Classic);
    play.moves(ROUND_TRIP);
    play.moves("g1f3 g8f6 f3g1");
    let before = play.game.clone();
    let wrong = play.refuse(&play.command("h7h6", true));
    assert_eq!(wrong, Rejection::NothingToClaim { occurrences: 1, plies: 0 });
    assert_eq!(play.game, before);
    let events = play.accept(&play.command("f6g8", true));
    assert_eq!((events.len(), play.reason()), (2, Some(Reason::Repetition)));
}

/// G11 (decided): the order of adjudication comes before a claim.
#[test]
fn mate_comes_before_a_claim() {
    let mut play = Play::new(fen("6k1/5ppp/8/8/8/8/5PPP/4Q1K1 w - - 99 80"));
    play.accept(&play.command("e1e8", true));
    assert_eq!((play.reason(), play.places()), (Some(Reason::Mate), vec![1, 2]));
}

/// G11 (F): the fifth occurrence ends the game without a claim.
#[test]
fn the_fifth_occurrence_ends_the_game() {
    let mut play = Play::start(Variant::Classic);
    for _ in 0..3 {
        play.moves(ROUND_TRIP);
    }
    assert_eq!((play.game.repetition(), play.reason()), (4, None));
    play.moves(ROUND_TRIP);
    assert_eq!(play.reason(), Some(Reason::Repetition));
}

/// G11 (M): with the automatic policy the third occurrence ends the game.
#[test]
fn the_automatic_policy_ends_at_the_third_occurrence() {
    let mut play = Play::with(Setup::start(Variant::Classic), DrawPolicy::Automatic, TimeControl::None);
    play.moves(ROUND_TRIP);
    assert_eq!(play.reason(), None);
    play.moves(ROUND_TRIP);
    assert_eq!(play.reason(), Some(Reason::Repetition));
}

/// G11 (O, F): after 50 moves each the player to move may claim, after 75 the game is drawn;
/// automatically after 50.
#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_end_the_game() {
    let counted = |clock: u32| fen(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90"));
    let mut play = Play::new(counted(98));
    play.moves("a1a2");
    assert!(matches!(
        play.refuse(&GameCommand::ClaimDraw { color: Black }),
        Rejection::NothingToClaim { .. }
    ));
    play.moves("e8e7");
    play.accept(&GameCommand::ClaimDraw { color: White });
    assert_eq!(play.reason(), Some(Reason::Moves));

    let mut play = Play::new(counted(148));
    play.moves("a1a2");
    assert_eq!(play.reason(), None);
    play.moves("e8e7");
    assert_eq!(play.reason(), Some(Reason::Moves));

    let mut play = Play::with(counted(98), DrawPolicy::Automatic, TimeControl::None);
    play.moves("a1a2 e8e7");
    assert_eq!(play.reason(), Some(Reason::Moves));
}

/// G11 (decided): checkmate on the last move of the 75 is checkmate.
#[test]
fn mate_on_the_last_counted_move_is_mate() {
    let mut play = Play::new(fen("6k1/5ppp/8/8/8/8/5PPP/4Q1K1 w - - 149 99"));
    play.moves("e1e8");
    assert_eq!(play.reason(), Some(Reason::Mate));
}

/// D14 (O, decided): moves "each" are counted in plies: moves times the number of players still in
/// the match.
#[test]
fn moves_are_counted_for_each_player_still_in() {
    for (words, players) in
        [("rKg1 bKa8 yKh14 gKn7 rRd4", 4), ("rKg1 bKa8 yKh14 rRd4", 3), ("rKg1 bKa8 rRd4", 2)]
    {
        let mut setup = dilkel(Red, words);
        setup.halfmove_clock = 50 * players - 1;
        let play = Play::new(setup.clone());
        assert!(matches!(
            play.refuse(&GameCommand::ClaimDraw { color: Red }),
            Rejection::NothingToClaim { .. }
        ));
        let mut play = Play::new(setup.clone());
        play.accept(&play.command("d4d5", true));
        assert_eq!(play.reason(), Some(Reason::Moves), "{players} players");
        setup.halfmove_clock = 75 * players - 1;
        let mut play = Play::new(setup);
        play.moves("d4d5");
        assert_eq!(play.reason(), Some(Reason::Moves), "{players} players");
    }
}

/// D14 (O, decided): pawn moves, captures and eliminations reset the count to zero and restart the
/// history.
#[test]
fn pawn_moves_captures_and_goings_out_start_the_count_anew() {
    let words = "rKg1 bKa8 yKh14 gKn7 rRd4 rPe4 bRa4";
    let clock = |moves: &str| {
        let mut setup = dilkel(Red, words);
        setup.halfmove_clock = 30;
        let mut play = Play::new(setup);
        play.moves(moves);
        play.game.halfmove_clock()
    };
    assert_eq!((clock("d4d5"), clock("e4e5"), clock("d4a4")), (31, 0, 0));

    let mut play = Play::new(dilkel(Red, words));
    play.moves("g1g2 a8a9 h14h13 n7n8 g2g1 a9a8 h13h14 n8n7");
    assert_eq!((play.game.repetition(), play.game.halfmove_clock()), (2, 8));
    play.resign(Green);
    assert_eq!((play.game.repetition(), play.game.halfmove_clock()), (1, 0));
    play.moves("g1g2 a8a9 h14h13 g2g1 a9a8 h13h14");
    assert_eq!(play.game.repetition(), 2);
    assert_eq!(play.game.position().turn(), Red);
}
