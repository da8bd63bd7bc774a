//! The texts of moves in a position: SAN and the long form of PGN4.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use quadrex_rules::notation::long::{self, LongMoveError};
use quadrex_rules::notation::move_text;
use quadrex_rules::notation::san::{self, SanError};
use quadrex_rules::{AnyPosition, Color, Setup, Variant};

fn classic(fen: &str) -> AnyPosition {
    AnyPosition::new(&Setup::parse(Variant::Classic, fen).unwrap()).unwrap()
}

/// A Dilkel position with Red to move, and all four players in the match unless `dead` says
/// otherwise.
fn dilkel(dead: &str, options: &str, ranks: [&str; 14]) -> AnyPosition {
    let text = format!("R-{dead}-0,0,0,0-0,0,0,0-0,0,0,0-0-{options}{}", ranks.join("/"));
    AnyPosition::new(&Setup::parse(Variant::Dilkel, &text).unwrap()).unwrap()
}

fn dilkel_start() -> AnyPosition {
    AnyPosition::new(&Setup::start(Variant::Dilkel)).unwrap()
}

const KNIGHTS: &str = "4k3/8/8/1N3N2/8/8/8/1N2K3 w - - 0 1";
const QUEENS: &str = "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1";
const PAWN: &str = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn san_has_no_more_than_needed() {
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
        (KNIGHTS, "b5d4", "Nbd4"),
        (KNIGHTS, "f5d4", "Nfd4"),
        (KNIGHTS, "b1c3", "N1c3"),
        (KNIGHTS, "b5c3", "N5c3"),
        (QUEENS, "h4e1", "Qh4e1"),
        (QUEENS, "e4e1", "Qee1"),
        (QUEENS, "h1e1", "Q1e1"),
        (PAWN, "e7e8q", "e8=Q+"),
        (PAWN, "e7e8n", "e8=N"),
        (PAWN, "e7d8r", "exd8=R+"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        // Only one of two knights may move: the other is pinned, so the move needs no origin.
        ("4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ("4k3/8/8/8/4r3/8/4N3/2N1K3 w - - 0 1", "c1d3", "Nd3"),
    ];
    for (fen, mv, text) in cases {
        let position = classic(fen);
        let mv = mv.parse().unwrap();
        assert_eq!(move_text(&position, mv), text, "{fen}");
        assert_eq!(san::parse_strict(&position, text), Ok(mv), "{fen}");
    }
}

#[test]
fn san_is_read_in_many_spellings() {
    let knights = classic(KNIGHTS);
    for text in ["Nbd4", "Nbd4+", "Nbd4!?", "Nb5d4", "Nb5-d4", "b5d4", "b5-d4"] {
        assert_eq!(san::parse(&knights, text).map(|mv| mv.to_string()), Ok("b5d4".to_owned()), "{text}");
    }
    let pawn = classic(PAWN);
    for text in ["exd8=Q+", "exd8=Q", "exd8=q", "exd8=q+", "exd8Q", "ed8=Q", "e7xd8=Q", "e7d8q", "exd8=Q#"] {
        assert_eq!(san::parse(&pawn, text).map(|mv| mv.to_string()), Ok("e7d8q".to_owned()), "{text}");
    }
    let castling = classic("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for text in ["O-O-O", "0-0-0", "e1c1", "O-O-O+"] {
        assert_eq!(san::parse(&castling, text).map(|mv| mv.to_string()), Ok("e1c1".to_owned()), "{text}");
    }
}

#[test]
fn what_is_no_move_of_the_position_is_refused() {
    let cases = [
        (KNIGHTS, "Nd4", SanError::Ambiguous),
        (KNIGHTS, "Nd3", SanError::Illegal),
        (KNIGHTS, "O-O", SanError::Illegal),
        (KNIGHTS, "d4", SanError::Illegal),
        (PAWN, "e8", SanError::Illegal),
        (PAWN, "e8=K", SanError::Illegal),
        (KNIGHTS, "", SanError::Malformed),
        (KNIGHTS, "N", SanError::Malformed),
        (KNIGHTS, "Nd9", SanError::Malformed),
        (KNIGHTS, "Ni4", SanError::Malformed),
        (KNIGHTS, "Nxxd4", SanError::Malformed),
        (KNIGHTS, "é4", SanError::Malformed),
    ];
    for (fen, text, error) in cases {
        assert_eq!(san::parse(&classic(fen), text), Err(error), "{text:?}");
    }
    for text in ["Nb5d4", "Nbd4+", "b5d4"] {
        assert_eq!(san::parse_strict(&classic(KNIGHTS), text), Err(SanError::Spelling), "{text}");
    }
}

#[test]
fn long_moves_name_pieces_and_squares() {
    let start = dilkel_start();
    for (mv, text) in [("h2h4", "h2-h4"), ("e1f3", "Ne1-f3")] {
        let mv = mv.parse().unwrap();
        assert_eq!(move_text(&start, mv), text);
        assert_eq!(long::parse(&start, text), Ok(mv));
    }
}

/// D4, D5: a pawn on b10 captures a rook on Blue's baseline and becomes the knight from the
/// reserve.
#[test]
fn long_moves_name_captures_and_promotions() {
    let ranks = [
        "7,yK,6", "14", "14", "bR,13", "1,rP,12", "14", "14", "14", "14", "13,gK", "14", "10,bK,3", "6,rQ,7",
        "6,rK,7",
    ];
    let position = dilkel("0,0,0,0", "{'reserve':('N','','','')}-", ranks);
    let cases = [
        ("b10a11n", "b10xRa11=N"),
        ("b10a11q", "b10xRa11=Q"),
        ("b10b11", "b10-b11"),
        ("g2g13", "Qg2-g13+"),
        ("g2k2", "Qg2-k2+"),
    ];
    for (mv, text) in cases {
        let mv = mv.parse().unwrap();
        assert_eq!(move_text(&position, mv), text);
        assert_eq!(long::parse(&position, text), Ok(mv));
    }
    for (text, mv) in [("b10xRa11=D", "b10a11q"), ("b10xRa11=q", "b10a11q"), ("b10xRa11=d+", "b10a11q")] {
        assert_eq!(long::parse(&position, text).map(|mv| mv.to_string()), Ok(mv.to_owned()), "{text}");
    }
}

/// G7, D8: a `+` for each king, a `#` for each player without escape on the present board.
#[test]
fn long_moves_forecast_checks_and_mates_of_several_players() {
    // On h8 the rook attacks Blue's king, which has no free square, and Yellow's, which has some.
    let ranks = [
        "7,yK,6",
        "14",
        "14",
        "14",
        "14",
        "5,rR,8",
        "bK,6,gN,6",
        "5,rR,8",
        "14",
        "13,gK",
        "14",
        "14",
        "14",
        "6,rK,rR,6",
    ];
    let position = dilkel("0,0,0,0", "", ranks);
    assert_eq!(move_text(&position, "h1h8".parse().unwrap()), "Rh1xNh8++#");
    assert_eq!(move_text(&position, "f7f8".parse().unwrap()), "Rf7-f8+");
}

/// Blue's king is in check already, by Yellow; Red takes its last squares without attacking it.
#[test]
fn a_mate_may_be_finished_without_a_check() {
    let ranks = [
        "7,yK,6",
        "14",
        "14",
        "14",
        "14",
        "5,rR,8",
        "bK,6,yR,6",
        "14",
        "14",
        "13,gK",
        "14",
        "14",
        "14",
        "5,rR,rK,7",
    ];
    let position = dilkel("0,0,0,0", "", ranks);
    assert_eq!(move_text(&position, "f1f7".parse().unwrap()), "Rf1-f7#");
    // A king that is in check may be put in check again, by another player.
    assert_eq!(move_text(&position, "f9a9".parse().unwrap()), "Rf9-a9+");
}

/// D7: two squares of space to the rook is the short side, three the long one, on each player's own
/// baseline.
#[test]
fn castling_is_written_by_its_wing_on_every_side() {
    let text = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,3,yK,2,yR,3/6,yP,7/14/bR,12,gR/14/14/bK,11,gP,1/1,bP,11,gK/14/14/\
                bR,12,gR/14/7,rP,6/3,rR,2,rK,3,rR,3";
    let setup = Setup::parse(Variant::Dilkel, text).unwrap();
    let cases = [
        (Color::Red, ["g1e1", "g1i1"]),
        (Color::Blue, ["a8a10", "a8a6"]),
        (Color::Yellow, ["h14j14", "h14f14"]),
        (Color::Green, ["n7n5", "n7n9"]),
    ];
    for (color, moves) in cases {
        let position = AnyPosition::new(&setup.clone().with_turn(color)).unwrap();
        for (mv, text) in moves.into_iter().zip(["O-O", "O-O-O"]) {
            let mv = mv.parse().unwrap();
            assert_eq!(move_text(&position, mv), text, "{color}");
            assert_eq!(long::parse(&position, text), Ok(mv), "{color}");
        }
    }
}

#[test]
fn long_moves_must_fit_the_board() {
    let start = dilkel_start();
    let piece = |square: &str| LongMoveError::OtherPiece { square: square.parse().unwrap() };
    let capture = |square: &str| LongMoveError::OtherCapture { square: square.parse().unwrap() };
    let cases = [
        ("", LongMoveError::Malformed),
        ("h2", LongMoveError::Malformed),
        ("h2h4", LongMoveError::Malformed),
        ("h2-h04", LongMoveError::Malformed),
        ("h2-h4=", LongMoveError::Malformed),
        ("h2-h4=P", LongMoveError::Malformed),
        ("h2-o4", LongMoveError::Malformed),
        ("δh2-h4", LongMoveError::Malformed),
        ("O-O-", LongMoveError::Malformed),
        ("Nh2-h4", piece("h2")),
        ("h5-h6", piece("h5")),
        ("b7-c7", piece("b7")),
        ("h2xh4", capture("h4")),
        ("h2-h5", LongMoveError::Illegal),
        ("h2-h4=Q", LongMoveError::Illegal),
        ("O-O", LongMoveError::Illegal),
    ];
    for (text, error) in cases {
        assert_eq!(long::parse(&start, text), Err(error), "{text:?}");
    }
}
