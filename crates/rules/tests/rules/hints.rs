//! The facts that explain the rules to the players: G6, D3, D8, D9.

use quadrex_rules::Color::{Blue, Green, Red, Yellow};
use quadrex_rules::{Cause, Color, Move, Reason, Square};

use crate::play::{Play, at, dilkel, fen, mv, position};

/// G6 (D): a piece that alone keeps another from checking its king is pinned, whatever its kind and
/// whoever the attacker; two on the line are not.
#[test]
fn the_pinned_pieces_of_the_player_to_move_are_named() {
    let pinned = |turn, words: &str| position(&dilkel(turn, words)).pinned();
    let kings = "rKg1 bKa8 yKh14 gKn7";
    assert_eq!(pinned(Red, &format!("{kings} rNg4 bRg8")), [at("g4")]);
    assert_eq!(pinned(Red, &format!("{kings} rNg4 bRg8 rBh2 yQj4")), [at("h2"), at("g4")]);
    assert_eq!(pinned(Red, &format!("{kings} rNg4 rPg5 bRg8")), [] as [Square; 0]);
    assert_eq!(pinned(Blue, &format!("{kings} rNg4 bRg8")), [] as [Square; 0], "it is not Red's turn");
}

/// D8 (D): a player who would be mated if its turn came now is named before, and no longer once
/// another has helped or the turn has come.
#[test]
fn a_mate_is_seen_before_its_turn() {
    let mut play = Play::new(dilkel(Blue, "rKg1 bKa8 yKh14 gKn7 bRd2 bRk4 yNj3"));
    let facing = |play: &Play| -> Vec<Color> { play.game.position().facing_mate() };
    assert_eq!(facing(&play), []);
    play.moves("k4k1");
    assert_eq!(facing(&play), [Red]);
    let mut helped = Play::new(play.game.config().setup.clone());
    helped.moves("k4k1 j3k1");
    assert_eq!(facing(&helped), []);
    play.moves("h14h13");
    assert_eq!(facing(&play), [Red]);
    play.moves("n7n8");
    assert_eq!(facing(&play), []);
    assert_eq!(play.game.eliminated().first().map(|out| (out.color, out.cause)), Some((Red, Cause::Mate)));
}

/// D8 (D): a check that the player can answer is no mate.
#[test]
fn a_check_with_an_answer_is_no_mate_to_come() {
    let mut play = Play::new(dilkel(Blue, "rKg1 bKa8 yKh14 gKn7 bRk4"));
    play.moves("k4k1");
    assert_eq!((play.checks(), play.game.position().facing_mate()), (vec![Red], vec![]));
}

fn stalemating(play: &Play) -> Vec<Move> {
    let position = play.game.position();
    position.stalemating_moves(&position.legal_moves())
}

/// D9 (D): the moves after which the next player cannot move and is not in check are named, and
/// each draws the match for all.
#[test]
fn moves_that_stalemate_the_next_player_are_named() {
    let play = Play::new(dilkel(Green, "rKd1 bKa8 yKh14 gKn7 bQf2 gPm4"));
    let named = stalemating(&play);
    assert!(!named.is_empty() && named.len() <= play.game.position().legal_moves().len());
    for mv in play.game.position().legal_moves() {
        let mut after = Play::new(play.game.config().setup.clone());
        after.moves(&mv.to_string());
        assert_eq!(after.reason() == Some(Reason::Stalemate), named.contains(&mv), "{mv}");
    }
    let play = Play::new(fen("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"));
    assert_eq!(stalemating(&play), [mv("g1g6")]);
}

/// D9 (D): a stalemate behind a mate counts: the mated player goes out first. The check may come
/// from the moved piece or be discovered, and the mated player may have many mobile pieces.
#[test]
fn a_stalemate_after_a_mate_is_named() {
    let pawns = "rPe6 rPf6 rPg6 rPh6 rPi6 rPj6";
    let stalemate_of_blue = "rKg1 bKa8 yKh14 gKn8 gRd2 yQc7 yRc9";
    for mating_pieces in [
        "gRk4".to_owned(),
        format!("gRk4 {pawns}"),
        format!("gRk1 gNj1 {pawns}"),
        format!("gNk3 rRf1 rRh1 {pawns}"),
    ] {
        let play = Play::new(dilkel(Green, &format!("{stalemate_of_blue} {mating_pieces}")));
        let named = stalemating(&play);
        let mut ends = 0;
        for mv in play.game.position().legal_moves() {
            let mut after = Play::new(play.game.config().setup.clone());
            after.moves(&mv.to_string());
            let is_drawn = after.reason() == Some(Reason::Stalemate);
            assert_eq!(is_drawn, named.contains(&mv), "{mv} with {mating_pieces}");
            ends += usize::from(is_drawn && !after.game.eliminated().is_empty());
        }
        assert!(ends > 0, "a move mates Red and stalemates Blue with {mating_pieces}");
    }
}

/// D9 (D): a player whose many pieces are all pinned has no move but those of the king.
#[test]
fn pinned_pieces_do_not_prevent_a_stalemate() {
    let pinned = "rKh7 rNh8 rNg7 rNi7 rNh6 rNi8";
    let pinning = "yRh12 bRc7 gRm7 bRh2 yBl11";
    let play = Play::new(dilkel(Green, &format!("{pinned} {pinning} bRc8 bRc6 gRm5 bKa9 yKj14 gKn10")));
    assert_eq!(stalemating(&play), [mv("m5i5"), mv("m5m6")]);
}

/// D3 (D): the capture of a neighbor's pawn in passing is named while the pawn has just passed, and
/// is not legal; that of the opposite's is legal and is not named.
#[test]
fn en_passant_against_a_neighbor_is_named_and_not_legal() {
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rPe2 bPd2 bPd4 yPf4"));
    assert_eq!(play.game.position().neighbor_en_passant(), []);
    play.moves("e2e4");
    assert_eq!(play.game.position().turn(), Blue);
    assert_eq!(play.game.position().neighbor_en_passant(), [mv("d2e3"), mv("d4e3")]);
    assert!(!play.game.position().is_legal(mv("d2e3")));
    play.moves("a8a9");
    assert_eq!(play.game.position().turn(), Yellow);
    assert_eq!(play.game.position().neighbor_en_passant(), []);
    assert!(play.game.position().is_legal(mv("f4e3")));
    play.moves("h14h13");
    assert_eq!((play.game.position().turn(), play.game.position().neighbor_en_passant()), (Green, vec![]));
}
