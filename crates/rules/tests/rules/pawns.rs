//! C2, C3, D3-D6: en passant and promotion.

use quadrex_rules::Color::{Blue, Green, Red, Yellow};
use quadrex_rules::{AnyPosition, GameEvent, Move, Reserve, Role};

use crate::play::{Play, at, dilkel, fen, mv, position};

/// C2 (H, M, N, O): on the very next turn a pawn that stepped twice may be captured on the square
/// it passed.
#[test]
fn en_passant_is_for_the_very_next_turn() {
    let mut play = Play::new(fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"));
    play.moves("e2e4");
    let mut later = Play::new(fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"));
    later.moves("e2e4 e8e7 e1e2");
    assert!(!later.game.position().is_legal(mv("d4e3")));
    assert!(!play.game.position().is_legal(mv("d4e3q")));
    play.moves("d4e3");
    assert_eq!(play.game.position().piece_at(at("e4")), None);
}

/// C2, G6: a capture en passant may not expose the own king along the row that both pawns leave.
#[test]
fn en_passant_may_not_uncover_the_king() {
    let mut play = Play::new(fen("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"));
    play.moves("e2e4");
    assert!(!play.game.position().is_legal(mv("d4e3")));
}

/// C3 (N, H, M, O): a pawn on the last rank becomes a queen, rook, bishop or knight, and must.
#[test]
fn a_pawn_on_the_last_rank_becomes_any_of_four() {
    let position = position(&fen("1n2k3/P7/8/8/8/8/8/QQQQK3 w - - 0 1"));
    for promotion in ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q", "a7b8r", "a7b8b", "a7b8n"] {
        assert!(position.is_legal(mv(promotion)), "{promotion}");
    }
    assert!(!position.is_legal(mv("a7a8")) && !position.is_legal(mv("a1a2q")));
}

const KINGS: &str = "rKg1 bKa8 yKh14 gKn7";

fn stepped(extra: &str, moves: &str) -> Play {
    let mut play = Play::new(dilkel(Red, &format!("{KINGS} rPe2 {extra}")));
    play.moves(moves);
    play
}

/// D3 (D): the opposite captures en passant on its own next turn, after the player in between has
/// moved.
#[test]
fn the_opposite_may_capture_in_passing_a_turn_later() {
    let mut play = stepped("yPf4", "e2e4 a8a9");
    assert_eq!(play.game.position().turn(), Yellow);
    play.moves("f4e3");
    assert_eq!(play.game.position().piece_at(at("e4")), None);
}

/// D3 (D): only the opposite; and only on its next turn.
#[test]
fn nobody_else_and_no_later_turn_captures_in_passing() {
    let neighbor = stepped("bPd2", "e2e4");
    assert!(!neighbor.game.position().is_legal(mv("d2e3")));
    let later = stepped("yPf4", "e2e4 a8a9 h14h13 n7n8 g1g2 a9a8");
    assert_eq!(later.game.position().turn(), Yellow);
    assert!(!later.game.position().is_legal(mv("f4e3")));
}

/// D3 (decided): the right is gone if the pawn that stepped was captured in between.
#[test]
fn the_right_is_gone_with_the_pawn() {
    let play = stepped("yPf4 bRa4", "e2e4 a4e4");
    assert!(!play.game.position().is_legal(mv("f4e3")));
    assert_eq!(play.game.setup().double_steps[Red], None);
}

/// D3 (decided): a piece on the passed square ends the right; a capture of that piece does not
/// capture the pawn.
#[test]
fn a_piece_on_the_passed_square_is_taken_instead() {
    let mut play = stepped("yPf4 bNd5", "e2e4 d5e3 f4e3");
    assert_eq!(play.game.position().piece_at(at("e4")).map(|piece| piece.color), Some(Red));
    assert_eq!(play.game.position().reserve(Blue).knights, 1);
    assert_eq!(play.game.halfmove_clock(), 0);
    play.moves("n7n8");
}

/// D3 (decided): a lost right stays lost, even if the piece on the passed square leaves the board.
#[test]
fn a_right_once_gone_stays_gone() {
    let mut play = stepped("yPf4 bNd5", "e2e4 d5e3");
    play.resign(Blue);
    assert_eq!(play.game.position().piece_at(at("e3")), None);
    assert!(!play.game.position().is_legal(mv("f4e3")));
}

/// D3 (decided): the elimination of the player in between does not end the right; that of either of
/// the two does.
#[test]
fn the_seat_between_may_go_out_and_the_right_stands() {
    let mut play = stepped("yPf4", "e2e4");
    play.resign(Blue);
    assert_eq!(play.game.position().turn(), Yellow);
    assert!(play.game.position().is_legal(mv("f4e3")));
    for gone in [Red, Yellow] {
        let mut play = stepped("yPf4", "e2e4");
        play.resign(gone);
        assert_eq!(play.game.setup().double_steps[Red], None, "{gone} is out");
    }
}

/// D3 (decided): no right arises against a player whose opposite is already eliminated.
#[test]
fn no_right_arises_without_an_opposite() {
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 gKn7 rPe2"));
    play.moves("e2e4");
    assert_eq!(play.game.setup().double_steps[Red], None);
}

/// D3 (D): two rights, one of each pair, can be pending at once.
#[test]
fn both_pairs_may_have_a_right_pending() {
    let mut play = stepped("bPb5 yPf4 gPd6", "e2e4 b5d5");
    let steps = play.game.setup().double_steps;
    assert!(steps[Red].is_some() && steps[Blue].is_some());
    assert!(play.game.position().is_legal(mv("f4e3")));
    play.moves("h14h13");
    assert_eq!(play.game.setup().double_steps[Red], None);
    play.moves("d6c5");
    assert_eq!(play.game.position().piece_at(at("d5")), None);
}

/// D4 (D, decided): a pawn promotes on the baseline of any other player, eliminated or not.
#[test]
fn pawns_are_promoted_on_all_three_other_baselines() {
    let position = position(&dilkel(Red, "rKg1 yKh14 gKn7 rPd13 rPb8 rPm4 yNe14 yNa9 gNn5"));
    for promotion in ["d13d14q", "d13e14q", "b8a9q", "m4n5q"] {
        let promotion = mv(promotion);
        assert!(position.is_legal(promotion), "{promotion}");
        assert!(!position.is_legal(Move { promotion: None, ..promotion }), "{promotion}");
    }
    assert!(position.is_legal(mv("b8b9")) && !position.is_legal(mv("b8b9q")));
}

fn with_reserve(reserve: Reserve) -> AnyPosition {
    let mut setup = dilkel(Red, &format!("{KINGS} rPd13"));
    setup.reserves[Red] = reserve;
    position(&setup)
}

/// D5 (D): a queen is always available, a rook, bishop or knight only from the player's own
/// reserve.
#[test]
fn a_pawn_becomes_a_queen_or_what_the_reserve_holds() {
    let none = with_reserve(Reserve::EMPTY);
    assert!(none.is_legal(mv("d13d14q")));
    for promotion in ["d13d14r", "d13d14b", "d13d14n", "d13d14"] {
        assert!(!none.is_legal(mv(promotion)), "{promotion}");
    }
    let some = with_reserve(Reserve { knights: 1, bishops: 0, rooks: 2 });
    let offered: Vec<_> = some.legal_moves().into_iter().filter_map(|mv| mv.promotion).collect();
    assert_eq!(offered, [Role::Queen, Role::Rook, Role::Knight]);
}

/// D5 (D): a captured piece enters its owner's reserve as what it was, and a promotion removes one.
#[test]
fn captures_fill_the_reserve_and_promotions_empty_it() {
    let mut play = Play::new(dilkel(Green, &format!("{KINGS} rPd12 rRk4 rNj5 gRl4 gNl6")));
    play.moves("l4k4 g1g2 a8a9 h14h13 l6j5");
    assert_eq!(play.game.position().reserve(Red), Reserve { knights: 1, bishops: 0, rooks: 1 });
    play.moves("d12d13 a9a8 h13h12 n7n8 d13d14r");
    assert_eq!(play.game.position().reserve(Red), Reserve { knights: 1, bishops: 0, rooks: 0 });
}

/// D5 (D): a promoted rook that is captured enters the reserve as a rook; a queen or pawn is not
/// counted.
#[test]
fn a_promoted_rook_is_captured_as_a_rook() {
    let mut setup = dilkel(Red, &format!("{KINGS} rPd13 yQd10 rQd4"));
    setup.reserves[Red].rooks = 1;
    let mut play = Play::new(setup);
    play.moves("d13d14r");
    assert_eq!(play.game.position().reserve(Red), Reserve::EMPTY);
    play.moves("a8a9 d10d14");
    assert_eq!(play.game.position().reserve(Red).rooks, 1);
    play.moves("n7n8 g1g2 a9a8 d14d4");
    assert_eq!(play.game.position().reserve(Red), Reserve { knights: 0, bishops: 0, rooks: 1 });
}

/// D6 (D, geometry): a pawn at the end of an arm without a baseline is stuck there, but may still
/// capture.
#[test]
fn a_pawn_at_the_end_of_a_wing_stays_a_pawn() {
    let mut play = Play::new(dilkel(Red, &format!("{KINGS} rPb10")));
    play.moves("b10b11 a8a9 h14h13 n7n8");
    let position = play.game.position();
    assert_eq!(position.piece_at(at("b11")).map(|piece| piece.role), Some(Role::Pawn));
    assert!(position.moves_from(at("b11")).is_empty());
}

/// D6: a capture may still leave the end of an arm, if there is a square.
#[test]
fn a_pawn_at_a_wings_end_may_still_capture() {
    let setup = dilkel(Red, &format!("{KINGS} rPc11 yNd12 yNb12"));
    assert!(AnyPosition::new(&setup).is_err(), "b12 is cut out");
    let position = position(&dilkel(Red, &format!("{KINGS} rPc11 yNd12")));
    assert_eq!(position.moves_from(at("c11")), [mv("c11d12")]);
}

/// D3 (D): a capture en passant is an ordinary move in the record.
#[test]
fn a_capture_in_passing_is_recorded_as_its_move() {
    let mut play = stepped("yPf4", "e2e4 a8a9");
    let events = play.moves("f4e3");
    let expected = GameEvent::Moved { color: Yellow, mv: mv("f4e3"), left_ms: None };
    assert_eq!(events, [expected]);
    assert_eq!(play.game.position().turn(), Green);
}
