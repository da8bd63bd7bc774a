//! A signature of the search: one number that stays the same as long as a change to the code does
//! not change the search.

use quadrex_engine::{Engine, Level, Limits, Line, Score, SearchRequest, Strategy, Untimed};
use quadrex_rules::{AnyPosition, Setup, Variant};

/// Positions that each search visits.
const NODES: u64 = 6_000;

/// Plies between the positions of a game.
const PLIES_APART: usize = 24;

const POSITIONS: usize = 5;

/// A hash of every answer in a game that the engine plays with itself (FNV-1a).
struct Signature(u64);

impl Signature {
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_lines(&mut self, lines: &[Line]) {
        for Line { score, seats, moves } in lines {
            let score = match score {
                Score::Centipawns(points) => points.to_string(),
                Score::Mate(moves) => format!("mate {moves}"),
            };
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            self.add(&format!("{score} {seats:?} {moves:?}"));
        }
    }
}

/// Returns the signature of searches from five positions of one game with this strategy and level,
/// and of the max^n scores of their lines.
fn signature(variant: Variant, strategy: Strategy, level: Level) -> u64 {
    let mut signature = Signature(0xcbf2_9ce4_8422_2325);
    let mut engine = Engine::new(1);
    let mut position = AnyPosition::new(&Setup::start(variant)).expect("the start is a position");
    for number in 0..POSITIONS {
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let task = SearchRequest {
            strategy,
            level,
            lines: 1 + number % 2,
            seed: 17,
            ..SearchRequest::new(&position, limits)
        };
        let found = engine.search(&task, &Untimed, &mut |_| ());
        let report = found.report;
        signature.add(&format!(
            "{:?} {} {}",
            found.best.map(|mv| mv.to_string()),
            report.nodes,
            report.depth
        ));
        signature.add_lines(&report.lines);
        let mut lines = report.lines;
        engine.score_lines_max_n(&position, &mut lines, Engine::LINE_NODES, &Untimed);
        signature.add_lines(&lines);
        for _ in 0..PLIES_APART {
            let limits = Limits { nodes: Some(200), ..Limits::default() };
            let quick = engine.search(
                &SearchRequest { strategy, ..SearchRequest::new(&position, limits) },
                &Untimed,
                &mut |_| (),
            );
            let Some(mv) = quick.best else { break };
            position.play(mv);
        }
    }
    signature.0
}

#[test]
fn the_search_looks_at_what_it_looked_at_before() {
    let full = Level::FULL;
    let fifth = Level::try_from(5).unwrap();
    let signatures = [
        signature(Variant::Classic, Strategy::Paranoid, full),
        signature(Variant::Classic, Strategy::Paranoid, fifth),
        signature(Variant::Dilkel, Strategy::Paranoid, full),
        signature(Variant::Dilkel, Strategy::Paranoid, fifth),
        signature(Variant::Dilkel, Strategy::BestReply, full),
        signature(Variant::Dilkel, Strategy::MaxN, full),
        signature(Variant::DilkelCompact, Strategy::Paranoid, full),
    ];
    let expected: [u64; 7] = [
        0x5821_f472_711f_84ae,
        0xfe45_de27_5b9f_eb2a,
        0xa250_98a4_9eba_010e,
        0x20c4_5b21_9ffc_ed8f,
        0xfee6_8737_a45b_1ba5,
        0xf4bb_f3d0_dcae_34d9,
        0x2db7_4250_4c31_291d,
    ];
    assert_eq!(signatures, expected, "{signatures:#x?}");
}
