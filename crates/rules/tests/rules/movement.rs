//! G1-G8, D7: how pieces move, check and castle, on either board.

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::{CastlingRights, Color, Setup, Variant};

use crate::play::{Play, at, dilkel, fen, mv, position, targets};

/// G1 (all sheets): sliding pieces stop at the first piece and where the board ends, also at a
/// cut-out corner.
#[test]
fn nothing_slides_across_a_cut_out_corner() {
    let setup = dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rRc4 rBc5 bPc6 rPe4");
    let position = position(&setup);
    assert_eq!(targets(&position, "c4"), ["a4", "b4", "d4"]);
    let bishop = ["a7", "b4", "b6", "d4", "d6", "e3", "e7", "f2", "f8", "g9", "h10", "i11", "j12", "k13"];
    assert_eq!(targets(&position, "c5"), bishop);
}

/// G1 (all sheets): the first enemy piece in line is captured, none behind it.
#[test]
fn a_line_ends_with_the_first_piece_captured() {
    let position = position(&fen("7k/8/8/1p1p4/8/3Q2n1/8/K7 w - - 0 1"));
    assert!(position.is_legal(mv("d3d5")) && position.is_legal(mv("d3g3")) && position.is_legal(mv("d3b5")));
    assert!(
        !position.is_legal(mv("d3d6")) && !position.is_legal(mv("d3h3")) && !position.is_legal(mv("d3a6"))
    );
}

/// G2 (all sheets; the corner decided): a knight leaps over anything, also over squares that are
/// not there.
#[test]
fn a_knight_leaps_over_a_cut_out_corner() {
    let setup = dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rNc4 rPd4 rPd5 rPc5");
    assert_eq!(targets(&position(&setup), "c4"), ["a5", "b6", "d2", "d6", "e3", "e5"]);
}

/// G3 (all sheets): a king keeps off squares that any opponent attacks, including those behind
/// itself in line.
#[test]
fn a_king_steps_only_where_nobody_attacks() {
    let setup = dilkel(Red, "rKg6 bKa8 yKh14 gKn7 bRe5 yBi4 gRk6");
    assert_eq!(targets(&position(&setup), "g6"), ["g7", "h7"]);
}

/// G4 (all sheets): one step, two from the second row, captures diagonally forward only.
#[test]
fn a_pawn_steps_straight_and_captures_aslant() {
    let position = position(&fen("4k3/8/8/8/8/1p1p1p2/P1P1P1P1/4K3 w - - 0 1"));
    assert_eq!(targets(&position, "c2"), ["b3", "c3", "c4", "d3"]);
    assert_eq!(targets(&position, "a2"), ["a3", "a4", "b3"]);
    let blocked = self::position(&fen("4k3/8/8/8/2p5/4p3/2P1P3/4K3 w - - 0 1"));
    assert_eq!(targets(&blocked, "c2"), ["c3"]);
    assert!(targets(&blocked, "e2").is_empty());
}

/// G4 (D): the pawns of each side step away from it.
#[test]
fn pawns_of_the_four_sides_step_inward() {
    let start = Setup::start(Variant::Dilkel);
    for (color, from, to) in [
        (Red, "d2", ["d3", "d4"]),
        (Blue, "b4", ["c4", "d4"]),
        (Yellow, "k13", ["k11", "k12"]),
        (Green, "m11", ["k11", "l11"]),
    ] {
        assert_eq!(targets(&position(&start.clone().with_turn(color)), from), to);
    }
}

/// G5 (D, N): no move lands on a king, not even when its owner left it in check.
#[test]
fn a_king_is_never_captured() {
    let setup = dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rRe8 rPb7 yPd13");
    let position = position(&setup);
    assert!(position.checks().any(|color| color == Blue));
    assert!(position.is_legal(mv("e8b8")));
    assert!(
        !position.is_legal(mv("e8a8")) && !position.is_legal(mv("b7a8q")) && !position.is_legal(mv("b7a8"))
    );
    assert!(position.legal_moves().iter().all(|mv| mv.to != at("a8")));
}

/// G6 (D, O): a piece that shields its king from any opponent may not leave the line.
#[test]
fn a_pinned_piece_keeps_to_its_line() {
    let setup = dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rRg4 yQg9 rNh2 gBk5");
    let position = position(&setup);
    assert_eq!(targets(&position, "g4"), ["g2", "g3", "g5", "g6", "g7", "g8", "g9"]);
    assert!(targets(&position, "h2").is_empty());
}

/// G6 (D, O): a pinned piece still gives check, and keeps the king off its squares.
#[test]
fn a_pinned_piece_still_gives_check() {
    let pinned = position(&fen("4r3/8/3k4/8/4N3/8/8/4K3 b - - 0 1"));
    assert_eq!(pinned.checks().collect::<Vec<_>>(), [Black]);
    assert!(pinned.is_legal(mv("d6d5")) && !pinned.is_legal(mv("d6c5")));
}

/// G6 (D, O): a move may expose any other king, or block the line to it.
#[test]
fn anyone_may_expose_anothers_king() {
    let mut play = Play::new(dilkel(Blue, "rKg1 bKa8 bNh8 yKh14 gKn7 gRh4"));
    play.moves("h8g10");
    assert_eq!(play.checks(), [Yellow]);
    play.moves("h14i13 n7n8 g1g2");
    let mut play = Play::new(dilkel(Blue, "rKg1 bKa8 bNg10 yKh14 gKn7 gRh4"));
    assert_eq!(play.checks(), [Yellow]);
    play.moves("g10h8");
    assert!(play.checks().is_empty());
}

/// G7 (D, H, N): check is a fact about every king, after every move and every elimination.
#[test]
fn check_is_known_for_every_king_and_ends_with_its_giver() {
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rQh7 gPk4 yPe13"));
    play.moves("h7h8");
    assert_eq!(play.checks(), [Blue, Yellow]);
    play.moves("a8a9");
    assert_eq!(play.checks(), [Yellow]);
    play.resign(Red);
    assert!(play.checks().is_empty());
    assert_eq!(play.reason(), None);
}

/// G7 (D, H, N): which pieces attack which kings is a fact about the board too, pinned pieces and
/// double checks included.
#[test]
fn every_attack_on_a_king_is_named_by_its_squares() {
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rQh7 gPk4 yPe13"));
    assert_eq!(play.game.position().attacks_on_kings(), [(at("h7"), at("h14")), (at("h7"), at("n7"))]);
    play.moves("h7h8");
    assert_eq!(play.game.position().attacks_on_kings(), [(at("h8"), at("a8")), (at("h8"), at("h14"))]);
    let double = position(&fen("4r1k1/8/8/8/8/3n4/8/4K3 w - - 0 1"));
    assert_eq!(double.attacks_on_kings(), [(at("d3"), at("e1")), (at("e8"), at("e1"))]);
    let pinned = position(&fen("4r3/8/3k4/8/4N3/8/8/4K3 b - - 0 1"));
    assert_eq!(pinned.attacks_on_kings(), [(at("e4"), at("d6"))]);
}

/// G8 (all sheets): king and rook move together over empty squares the king may safely pass.
#[test]
fn castling_needs_a_free_and_safe_way_for_the_king() {
    let both = position(&fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    assert!(both.is_legal(mv("e1g1")) && both.is_legal(mv("e1c1")));
    for (text, legal) in [
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", ["e1c1"].as_slice()),
        ("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", &["e1c1"]),
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", &[]),
        ("4k3/8/8/8/8/7r/8/R3K2R w KQ - 0 1", &["e1g1", "e1c1"]),
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["e1g1", "e1c1"]),
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", &[]),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", &["e1c1"]),
    ] {
        let position = position(&fen(text));
        for castling in ["e1g1", "e1c1"] {
            assert_eq!(position.is_legal(mv(castling)), legal.contains(&castling), "{castling} in {text}");
        }
    }
}

/// G8 (all sheets): the right is lost for good once king or rook has moved or the rook was
/// captured.
#[test]
fn a_king_or_rook_that_has_moved_castles_no_more() {
    let mut play = Play::new(fen("r3k2r/8/8/8/8/8/6b1/R3K2R w KQkq - 0 1"));
    play.moves("a1b1 e8e7 b1a1 e7e8 a1b1 g2h1");
    assert_eq!(play.game.setup().castling[White], CastlingRights::default());
    assert_eq!(play.game.setup().castling[Black], CastlingRights::default());
}

/// G8, D7 (D): each player castles on its own baseline, two squares toward the rook.
#[test]
fn all_four_sides_castle_both_ways() {
    let bare = "rKg1 rRd1 rRk1 bKa8 bRa11 bRa4 yKh14 yRk14 yRd14 gKn7 gRn4 gRn11";
    for (castling, king, rook) in [("g1e1", "e1", "f1"), ("g1i1", "i1", "h1")] {
        check_castling(bare, Red, castling, king, rook);
    }
    for (castling, king, rook) in [("a8a10", "a10", "a9"), ("a8a6", "a6", "a7")] {
        check_castling(bare, Blue, castling, king, rook);
    }
    for (castling, king, rook) in [("h14j14", "j14", "i14"), ("h14f14", "f14", "g14")] {
        check_castling(bare, Yellow, castling, king, rook);
    }
    for (castling, king, rook) in [("n7n5", "n5", "n6"), ("n7n9", "n9", "n8")] {
        check_castling(bare, Green, castling, king, rook);
    }
}

fn check_castling(words: &str, color: Color, castling: &str, king: &str, rook: &str) {
    // Shields keep the rooks across the board from each other's files and ranks.
    let mut setup = dilkel(
        color,
        &format!("{words} rNe2 rNi2 rNf2 rNh2 rNg2 rNd2 rNk2 bNb4 bNb11 bNb5 bNb6 bNb7 bNb8 bNb9 bNb10"),
    );
    setup.castling[color] = both_ways();
    let mut play = Play::new(setup);
    play.moves(castling);
    let position = play.game.position();
    let role = |square| position.piece_at(at(square)).map(|piece| (piece.color, piece.role.letter()));
    assert_eq!((role(king), role(rook)), (Some((color, 'K')), Some((color, 'R'))), "{castling}");
    assert_eq!(play.game.setup().castling[color], CastlingRights::default());
}

fn both_ways() -> CastlingRights {
    CastlingRights { short: true, long: true, short_rook: None }
}

/// D7 (decided): in any set-up a right needs the king on its baseline and a rook two or three
/// squares of space away; so the set-ups of the sites castle too, short on the other side.
#[test]
fn the_set_ups_of_the_sites_castle_too() {
    let mut setup = dilkel(Red, "rKh1 rRk1 rRd1 bKa8 yKg14 gKn7");
    setup.castling[Red] = both_ways();
    assert!(position(&setup).is_legal(mv("h1j1")) && position(&setup).is_legal(mv("h1f1")));
    let mut wrong = dilkel(Red, "rKh2 rRk1 bKa8 yKg14 gKn7");
    wrong.castling[Red].short = true;
    let error = quadrex_rules::AnyPosition::new(&wrong).expect_err("the king is not at home");
    assert_eq!(error.to_string(), "castling: red has no king and rook in place to castle short");
}

/// G6, D7 (decided): a king may not castle if only the castling rook shields its target from an
/// attacker.
#[test]
fn castling_may_not_uncover_the_king() {
    let mut setup = dilkel(Red, "rKj1 rRg1 bKa8 yKh14 gKn7 bRe1");
    setup.castling[Red].short = true;
    assert!(!position(&setup).is_legal(mv("j1h1")));
    assert!(!position(&setup).legal_moves().contains(&mv("j1h1")));
}

/// D7 (decided): with a rook at the right distance on both sides, the one at the end of the row
/// castles.
#[test]
fn the_rook_at_the_end_of_the_row_has_the_right() {
    let mut setup = dilkel(Red, "rKh1 rRk1 rRe1 bKa8 yKh14 gKn7");
    setup.castling[Red].short = true;
    let position = position(&setup);
    assert!(position.is_legal(mv("h1j1")) && !position.is_legal(mv("h1f1")));
}

/// D7, G8 (decided): the right belongs to the rook that has not moved, even if another moves to the
/// end of the row; then the written position names it, and reads back as the same.
#[test]
fn the_right_of_the_inner_rook_stays_its_own() {
    for (turn, words, outer, others, castling, named) in [
        (Red, "rKg1 rRj1 rRd4 bKa8 yKh14 gKn7", "d4d1", "a8a9 h14i14 n7n8", "g1i1", "('j1','','','')"),
        (Blue, "rKg1 bKa8 bRa5 bRd11 yKh14 gKn7", "d11a11", "h14i14 n7n8 g1f1", "a8a6", "('','a5','','')"),
        (Yellow, "rKg1 bKa8 yKh14 yRe14 yRk9 gKn7", "k9k14", "n7n8 g1f1 a8a9", "h14f14", "('','','e14','')"),
        (Green, "rKg1 bKa8 yKh14 gKn7 gRn10 gRj4", "j4n4", "g1f1 a8a9 h14i14", "n7n9", "('','','','n10')"),
    ] {
        let mut setup = dilkel(turn, words);
        setup.castling[turn].short = true;
        let mut play = Play::new(setup);
        assert_eq!(play.game.setup().castling[turn].short_rook, None, "there is no other rook yet: {words}");
        play.moves(&format!("{outer} {others}"));
        let text = play.game.setup().to_string();
        assert!(text.contains(&format!("{{'shortRook':{named}}}")), "{text}");
        let read = Setup::parse(Variant::Dilkel, &text).expect("what is written can be read");
        assert_eq!(read, play.game.setup());
        let read = position(&read);
        assert_eq!(&read, play.game.position(), "{text}");
        let shorts = read.legal_moves().into_iter().filter(|mv| mv.to_string() == castling).count();
        assert_eq!(shorts, 1, "{castling} in {text}");
        play.moves(castling);
        assert!(!play.game.setup().to_string().contains("shortRook"), "the right is gone: {text}");
    }
}

/// D7 (decided): a named rook must stand where the right can mean it, and there must be a right.
#[test]
fn a_rook_is_named_only_for_a_right_it_can_have() {
    let error = |words: &str, short: bool, rook: &str| {
        let mut setup = dilkel(Red, words);
        setup.castling[Red] = CastlingRights { short, long: false, short_rook: Some(at(rook)) };
        quadrex_rules::AnyPosition::new(&setup).err().map(|error| error.to_string())
    };
    let two = "rKg1 rRj1 rRd1 bKa8 yKh14 gKn7";
    assert_eq!((error(two, true, "j1"), error(two, true, "d1")), (None, None));
    for (words, short, rook) in [
        (two, false, "j1"),
        (two, true, "k1"),
        (two, true, "h1"),
        ("rKg1 rRj1 rRd1 rRk1 bKa8 yKh14 gKn7", true, "k1"),
        ("rKg1 bRj1 rRd1 bKa8 yKh14 gKn7", true, "j1"),
    ] {
        let expected =
            format!("castling: red has no king and rook in place to castle short with the rook on {rook}");
        assert_eq!(error(words, short, rook), Some(expected), "{words}");
    }
    let mut classic = fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    classic.castling[White].short_rook = Some(at("b1"));
    assert!(quadrex_rules::AnyPosition::new(&classic).is_err());
}
