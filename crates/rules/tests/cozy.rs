//! A comparison on 8 x 8 with the crate `cozy-chess`, which shares no code with ours.

use cozy_chess::{Board, Piece};
use quadrex_rules::{AnyPosition, Setup, Variant};

/// Well-known positions: those of the chess programming wiki, "Perft results", and others that test
/// one rule each.
const POSITIONS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "8/8/8/1k1pP3/8/8/8/4K3 w - d6 0 1",
    "4k3/1P4P1/8/8/8/8/1p4p1/4K3 b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "1k1r4/8/8/8/8/8/3R4/3K4 b - - 0 1",
    "k7/8/8/3q4/8/4n3/3P4/3K4 w - - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

fn perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            nodes += if depth == 1 {
                1
            } else {
                let mut next = board.clone();
                next.play_unchecked(mv);
                perft(&next, depth - 1)
            };
        }
        false
    });
    nodes
}

/// The moves as text; the other crate writes castling as the king capturing its own rook.
fn list(board: &Board) -> Vec<String> {
    let mut list = Vec::new();
    board.generate_moves(|moves| {
        for mv in moves {
            let own = board.colors(board.side_to_move()) & board.pieces(Piece::Rook);
            let castles = moves.piece == Piece::King && own.has(mv.to);
            let text = mv.to_string();
            list.push(match (castles, mv.to.file() > mv.from.file()) {
                (false, _) => text,
                (true, true) => format!("{}g{}", mv.from, &text[3..4]),
                (true, false) => format!("{}c{}", mv.from, &text[3..4]),
            });
        }
        false
    });
    list.sort();
    list
}

#[test]
fn counts_agree_at_well_known_positions() {
    for text in POSITIONS {
        let board: Board = text.parse().expect(text);
        let setup = Setup::parse(Variant::Classic, text).expect("we read it");
        let position = AnyPosition::new(&setup).expect("it is a position");
        for depth in 1..=4 {
            assert_eq!(position.perft(depth), perft(&board, depth), "depth {depth} of {text}");
        }
    }
}

#[test]
fn lists_agree_along_random_games() {
    let mut state: u64 = 0x0123_4567_89ab_cdef;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % bound
    };
    let mut plies = 0;
    for text in POSITIONS.into_iter().cycle().take(420) {
        let mut board: Board = text.parse().expect(text);
        let setup = Setup::parse(Variant::Classic, text).expect("we read it");
        let mut position = AnyPosition::new(&setup).expect("it is a position");
        for _ in 0..200 {
            let mut ours: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
            ours.sort();
            assert_eq!(ours, list(&board), "{board}");
            // The other crate reads no count beyond 100.
            if ours.is_empty() || position.halfmove_clock() == 100 {
                break;
            }
            let mv = ours[below(ours.len())].parse().expect("we wrote it");
            let setup = position.setup();
            position.play(mv);
            board =
                format!("{}", position.setup()).parse().unwrap_or_else(|_| panic!("after {mv} in {setup}"));
            plies += 1;
        }
    }
    assert!(plies > 20_000, "only {plies} plies");
}
