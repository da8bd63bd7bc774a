//! Perft: counts of legal move sequences, each with the source of its numbers.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

#[path = "perft/epd.rs"]
mod epd;

use epd::{Entry, read};
use quadrex_rules::{AnyPosition, Classic, Color, Dilkel, Piece, Position, Setup, Square, Variant};

fn assert_perft(variant: Variant, text: &str, counts: &[u64]) {
    let setup = Setup::parse(variant, text).expect("the set-up can be read");
    let position = AnyPosition::new(&setup).expect("the set-up is a position");
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(position.perft(depth), count, "depth {depth} of {text}");
    }
}

/// C1: the start position. Counts from the chess programming wiki, "Perft results".
#[test]
fn classic_start() {
    let start = Setup::start(Variant::Classic).to_string();
    assert_perft(Variant::Classic, &start, &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]);
}

/// Counts from the chess programming wiki, "Perft results", position 2 ("kiwipete").
#[test]
fn classic_kiwipete() {
    let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    assert_perft(Variant::Classic, text, &[48, 2_039, 97_862, 4_085_603, 193_690_690]);
}

/// Counts from the chess programming wiki, "Perft results", positions 3 to 6, and "Promotion",
/// n1n5.
#[test]
fn classic_wiki_positions() {
    for (text, counts) in [
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2_812, 43_238, 674_624]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            [6, 264, 9_467, 422_333, 15_833_292],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            [44, 1_486, 62_379, 2_103_487, 89_941_194],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            [46, 2_079, 89_890, 3_894_594, 164_075_551],
        ),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", [24, 496, 9_483, 182_838, 3_605_103]),
    ] {
        assert_perft(Variant::Classic, text, &counts);
    }
}

/// D1, D3: Dilkel's own set-up. Counts from the project's rule page; with en passant between
/// neighbors the last would be 3,452,310.
#[test]
fn dilkel_start() {
    let start = Setup::start(Variant::Dilkel).to_string();
    assert_perft(Variant::Dilkel, &start, &[20, 395, 7_800, 152_050, 3_450_730]);
}

const SITES: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,yN,yB,yK,yQ,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bK,bP,10,gP,gQ/bQ,bP,10,gP,gK/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/14/3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rQ,rK,rB,rN,rR,3";

/// D7: the sites' set-up with kings on h1, a8, g14 and n7. Counts of two public engines of
/// four-player chess, as far as their en passant between neighbors does not matter.
#[test]
fn dilkel_from_the_set_up_of_the_sites() {
    assert_perft(Variant::Dilkel, SITES, &[20, 399, 7_960, 158_402]);
}

/// S5: counts from the project's rule page.
#[test]
fn dilkel_compact_start() {
    let start = Setup::start(Variant::DilkelCompact).to_string();
    assert_perft(Variant::DilkelCompact, &start, &[22, 472, 10_120, 211_312]);
}

/// Making every move of the last ply gives the same count as counting in sets.
#[test]
fn counting_by_making_agrees() {
    let classic = Position::<Classic>::start();
    assert_eq!(classic.perft_by_making(5), 4_865_609);
    let dilkel = Position::<Dilkel>::start();
    assert_eq!(dilkel.perft_by_making(4), 152_050);
}

/// The suite of ROCE Chess; its head names the source.
const ROCE: &str = include_str!("perft/roce.epd");

/// Positions that test one rule each; the head names the sources.
const EDGES: &str = include_str!("perft/edges.epd");

/// Counts up to this limit are checked in every run; all of them if the environment has
/// `PERFT_ALL`, which takes minutes.
const EVERY_RUN: u64 = 5_000_000;

/// Checks a suite of `all` counts, of which `every_run` are small.
fn assert_suite(suite: &str, all: usize, every_run: usize) {
    let entries = read(suite).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(entries.len(), all);
    let (most, expected) =
        if std::env::var_os("PERFT_ALL").is_some() { (u64::MAX, all) } else { (EVERY_RUN, every_run) };
    let mut checked = 0;
    for Entry { fen, depth, count } in entries.into_iter().filter(|entry| entry.count <= most) {
        let setup = Setup::parse(Variant::Classic, fen).expect("the FEN can be read");
        let position = AnyPosition::new(&setup).expect("the FEN is a position");
        assert_eq!(position.perft(depth), count, "depth {depth} of {fen}");
        checked += 1;
    }
    assert_eq!(checked, expected);
}

/// G1-G8, C2-C4: 126 positions of the suite of ROCE Chess, each to depth 6.
#[test]
fn classic_suite_of_roce() {
    assert_suite(ROCE, 756, 702);
}

/// G3, G5-G8, C2-C4: positions of Martin Sedlak and Peter Ellis Jones that reveal common bugs of
/// generators.
#[test]
fn classic_edges() {
    assert_suite(EDGES, 39, 39);
}

/// A suite with an unreadable line is refused: no line may be skipped silently.
#[test]
fn a_malformed_line_of_a_suite_is_refused() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let fine = format!("# a remark\n{fen} ;D1 15 ;D3 1197\n");
    let entries = [Entry { fen, depth: 1, count: 15 }, Entry { fen, depth: 3, count: 1_197 }];
    assert_eq!(read(&fine), Ok(entries.to_vec()));
    for malformed in [
        "",
        fen,
        "4k3/8/8/8/8/8/8/4K2R w K - ;D1 15",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D2 66 ;D1 15",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 +15",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 66",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ; D1 15",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1;D1 15",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;15",
    ] {
        let error = read(&format!("{fine}{malformed}\n{fine}")).expect_err(malformed);
        assert!(error.starts_with("line 3: "), "{error}");
    }
}

/// A quarter turn on: Red's side becomes Blue's.
fn turned(setup: &Setup) -> Setup {
    let next = |color: Color| {
        let colors = setup.variant.colors();
        colors[(color.index() + 1) % colors.len()]
    };
    let turn = |square: Square| Square::new(square.rank(), 13 - square.file()).unwrap();
    let pieces = setup.pieces.iter().map(|(&square, piece)| {
        let piece = Piece { color: next(piece.color), ..*piece };
        (turn(square), piece)
    });
    Setup {
        pieces: pieces.collect(),
        turn: next(setup.turn),
        eliminated: setup.eliminated.iter().map(|&(color, cause)| (next(color), cause)).collect(),
        ..setup.clone()
    }
}

/// D8, D10: a move that checkmates the last opponent ends the game, and no sequence continues from
/// it, however the board is turned.
#[test]
fn no_sequence_goes_on_with_one_player() {
    let fen4 =
        "B-0,0,1,1-0,0,0,0-0,0,0,0-0,0,0,0-1-14/14/14/14/14/14/14/1,bK,12/14/14/5,bR,8/14/3,bR,10/7,rK,6";
    let mut setup = Setup::parse(Variant::Dilkel, fen4).unwrap();
    for turns in 0..4 {
        let position = AnyPosition::new(&setup).unwrap();
        let counts: Vec<u64> = position
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                next.play(mv);
                assert_eq!(next.perft(0), 1);
                next.perft(1)
            })
            .collect();
        assert_eq!((position.perft(2), counts.iter().sum()), (142, 142), "{turns} turns");
        assert_eq!(counts.iter().filter(|&&count| count == 0).count(), 1, "{turns} turns");
        setup = turned(&setup);
    }
}
