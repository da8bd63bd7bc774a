//! Properties of every search.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use quadrex_engine::{
    Engine, Level, Limits, Report, Score, SearchControl, SearchRequest, SearchResult, Strategy, Untimed,
};
use quadrex_rules::{AnyPosition, Move, Setup, Variant};

/// Returns positions of every variant: starts, a sharp middle game, an end game, and two players
/// left on the cross.
fn positions() -> Vec<AnyPosition> {
    let starts = Variant::ALL.map(Setup::start);
    let sharp = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let late = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let written = [sharp, late].map(|text| Setup::parse(Variant::Classic, text).unwrap());
    let mut positions: Vec<AnyPosition> =
        starts.iter().chain(&written).map(|setup| AnyPosition::new(setup).unwrap()).collect();
    let mut cross = AnyPosition::new(&Setup::start(Variant::Dilkel)).unwrap();
    for index in [3, 11, 5, 17, 2, 9, 14, 1, 8, 4, 6, 12] {
        let moves = cross.legal_moves();
        cross.play(moves[index % moves.len()]);
    }
    positions.push(cross);
    positions
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn search(request: &SearchRequest<'_>) -> (SearchResult, Vec<Report>) {
    let mut reports = Vec::new();
    let result = Engine::new(2).search(request, &Untimed, &mut |report| reports.push(report.clone()));
    (result, reports)
}

#[test]
fn one_thread_and_a_node_limit_give_the_same_result_every_time() {
    for position in &positions() {
        for level in Level::all() {
            let request = SearchRequest { level, seed: 5, ..SearchRequest::new(position, nodes(3_000)) };
            assert_eq!(search(&request), search(&request), "level {}", level.number());
        }
    }
}

#[test]
fn a_cleared_engine_searches_like_a_new_one() {
    for position in &positions() {
        let request = SearchRequest::new(position, nodes(3_000));
        let mut engine = Engine::new(2);
        let first = engine.search(&request, &Untimed, &mut |_| ());
        engine.search(&SearchRequest::new(position, nodes(9_000)), &Untimed, &mut |_| ());
        engine.clear();
        assert_eq!(engine.search(&request, &Untimed, &mut |_| ()), first);
    }
}

#[test]
fn a_search_visits_exactly_the_permitted_nodes() {
    for position in &positions() {
        let (result, _) = search(&SearchRequest::new(position, nodes(2_345)));
        assert_eq!(result.report.nodes, 2_345);
    }
}

#[test]
fn every_reported_line_is_legal() {
    for position in &positions() {
        for strategy in [Strategy::Paranoid, Strategy::BestReply, Strategy::MaxN] {
            for level in [Level::LOWEST, Level::FULL] {
                let request =
                    SearchRequest { lines: 3, strategy, level, ..SearchRequest::new(position, nodes(4_000)) };
                let (result, reports) = search(&request);
                assert!(!reports.is_empty());
                for line in reports.iter().flat_map(|report| &report.lines) {
                    let mut after = position.clone();
                    for &mv in &line.moves {
                        assert!(after.is_legal(mv), "{mv} of {line:?}");
                        after.play(mv);
                    }
                    assert_eq!(line.seats.is_empty(), position.variant() == Variant::Classic);
                }
                assert_eq!(result.best, Some(result.report.lines[0].moves[0]));
            }
        }
    }
}

#[test]
fn only_the_given_moves_are_searched() {
    for position in &positions() {
        let moves: Vec<Move> = position.legal_moves().into_iter().rev().take(2).collect();
        let request =
            SearchRequest { root_moves: &moves, lines: 5, ..SearchRequest::new(position, nodes(2_000)) };
        let (result, reports) = search(&request);
        assert!(moves.contains(&result.best.unwrap()));
        let mut first_moves = reports.iter().flat_map(|report| &report.lines).map(|line| line.moves[0]);
        assert!(first_moves.all(|mv| moves.contains(&mv)), "{reports:?}");
    }
}

#[test]
fn lines_are_distinct_and_in_order_of_their_scores() {
    let position = &positions()[3];
    let request = SearchRequest { lines: 4, ..SearchRequest::new(position, depth(5)) };
    let (result, _) = search(&request);
    let lines = &result.report.lines;
    let points: Vec<i32> = lines
        .iter()
        .map(|line| match line.score {
            Score::Centipawns(points) => points,
            Score::Mate(_) => panic!("there is no mate here"),
        })
        .collect();
    assert!(points.is_sorted_by(|a, b| a >= b), "{points:?}");
    let mut firsts: Vec<Move> = lines.iter().map(|line| line.moves[0]).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

/// A control whose time advances each time it is read.
struct Ticking {
    readings: AtomicU64,
    stops_at: u64,
}

impl SearchControl for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.readings.fetch_add(1, Relaxed))
    }

    fn is_stopped(&self) -> bool {
        self.readings.fetch_add(1, Relaxed) >= self.stops_at
    }
}

#[test]
fn a_search_ends_when_it_is_stopped_or_its_time_is_up() {
    for position in &positions() {
        let stopped = Ticking { readings: AtomicU64::new(0), stops_at: 20 };
        let result =
            Engine::new(1).search(&SearchRequest::new(position, Limits::default()), &stopped, &mut |_| ());
        assert!(result.best.is_some() && result.report.nodes < 60_000, "{}", result.report.nodes);
        for limits in [
            Limits { soft: Some(Duration::from_millis(30)), ..Limits::default() },
            Limits { hard: Some(Duration::from_millis(30)), ..Limits::default() },
        ] {
            let control = Ticking { readings: AtomicU64::new(0), stops_at: u64::MAX };
            let result = Engine::new(1).search(&SearchRequest::new(position, limits), &control, &mut |_| ());
            assert!(result.best.is_some() && control.readings.load(Relaxed) < 2_000);
        }
    }
}

/// A search that is stopped before its start still searches every move once.
#[test]
fn a_search_that_is_stopped_at_once_has_a_best_move() {
    let stopped = Ticking { readings: AtomicU64::new(0), stops_at: 0 };
    let position =
        AnyPosition::new(&Setup::parse(Variant::Classic, "6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1").unwrap())
            .unwrap();
    let result =
        Engine::new(1).search(&SearchRequest::new(&position, Limits::default()), &stopped, &mut |_| ());
    assert_eq!(result.best.unwrap().to_string(), "d1d8");
}

#[test]
fn several_threads_find_the_same_mate() {
    let position =
        AnyPosition::new(&Setup::parse(Variant::Classic, "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1").unwrap())
            .unwrap();
    let request = SearchRequest { threads: 3, ..SearchRequest::new(&position, depth(8)) };
    let (result, _) = search(&request);
    assert_eq!(result.report.lines[0].score, Score::Mate(2));
}

#[test]
fn a_search_for_a_mate_ends_with_it() {
    let text = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let (result, _) = search(&SearchRequest::new(&position, limits));
    assert_eq!(result.report.lines[0].score, Score::Mate(2));
}

/// Without another limit, a search for a mate that does not exist ends when that is proven, and has
/// a best move.
#[test]
fn a_search_for_a_mate_that_does_not_exist_ends() {
    let classic = |text| AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let own = |variant| AnyPosition::new(&Setup::start(variant)).unwrap();
    for (position, mate) in [
        (own(Variant::Classic), 1),
        (own(Variant::Classic), 2),
        (own(Variant::Classic), 0),
        (own(Variant::Dilkel), 1),
        (own(Variant::DilkelCompact), 1),
        // A mate in two is not a mate in one; a stalemate is not a mate.
        (classic("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1"), 1),
        (classic("7k/8/6K1/8/8/8/8/6Q1 b - - 0 1"), 3),
        // The side to move is mated.
        (classic("7k/8/8/8/8/8/R7/1R2K3 b - - 0 1"), 2),
    ] {
        for threads in [1, 2] {
            let limits = Limits { mate: Some(mate), ..Limits::default() };
            let (result, _) = search(&SearchRequest { threads, ..SearchRequest::new(&position, limits) });
            let best = result.best.unwrap();
            assert!(position.is_legal(best), "{best} within {mate} of {}", position.setup());
            let score = result.report.lines[0].score;
            let is_mate = matches!(score, Score::Mate(moves) if moves > 0 && moves as u32 <= mate);
            assert!(!is_mate, "{score:?} within {mate} of {}", position.setup());
        }
    }
}

/// G10: a position that has occurred before scores as a draw, even with an extra queen.
#[test]
fn a_repeated_position_scores_as_a_draw() {
    let text = "7k/8/8/8/8/8/8/KQ6 w - - 10 40";
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let moves: Vec<Move> = vec!["b1b2".parse().unwrap()];
    let mut after = position.clone();
    after.play(moves[0]);
    let earlier = [after.hash(), position.hash()];
    let earlier: Vec<u64> = earlier.iter().cycle().take(8).copied().collect();
    let value = |earlier: &[u64]| {
        let request =
            SearchRequest { root_moves: &moves, earlier, ..SearchRequest::new(&position, depth(4)) };
        search(&request).0.report.lines[0].score
    };
    assert_eq!(value(&earlier), Score::Centipawns(0));
    assert_ne!(value(&[]), Score::Centipawns(0));
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mated = Setup::parse(Variant::Classic, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
    let position = AnyPosition::new(&mated).unwrap();
    let (result, reports) = search(&SearchRequest::new(&position, depth(3)));
    assert_eq!((result, reports), (SearchResult::default(), Vec::new()));
}

/// Returns the percentage of searches in which a level chooses a move, from four hundred seeds.
fn percent(level: u8, setup: &str, wanted: &str) -> usize {
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, setup).unwrap()).unwrap();
    let level = Level::try_from(level).unwrap();
    let makes = |&seed: &u64| {
        let request = SearchRequest { level, seed, ..SearchRequest::new(&position, Limits::default()) };
        search(&request).0.best.unwrap().to_string() == wanted
    };
    (0..400).filter(makes).count() / 4
}

/// Lower levels blunder more often: the lowest sometimes ignores a hanging knight.
#[test]
fn lower_levels_make_more_mistakes() {
    let hanging = "r1bqkbnr/pppppppp/8/4n3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1";
    let [lowest, middle] = [1, 5].map(|level| percent(level, hanging, "d4e5"));
    assert!((30..80).contains(&lowest), "{lowest}");
    assert!(middle > 85, "{middle}");
}

/// The transposition table separates the scores of levels with less knowledge.
#[test]
fn a_change_of_level_does_not_change_the_scores() {
    let mut engine = Engine::new(16);
    let mut lines = |position: &AnyPosition, level: u8| {
        let level = Level::try_from(level).unwrap();
        let request = SearchRequest { level, ..SearchRequest::new(position, depth(5)) };
        engine.search(&request, &Untimed, &mut |_| ()).report.lines
    };
    for position in positions().iter().filter(|position| position.variant() != Variant::Classic) {
        lines(position, 7);
        let after = lines(position, 8);
        let alone = Engine::new(16)
            .search(&SearchRequest::new(position, depth(5)), &Untimed, &mut |_| ())
            .report
            .lines;
        assert_eq!(after, alone, "{}", position.setup());
    }
}

/// Levels blunder less with few pieces left.
#[test]
fn the_lowest_level_rarely_blunders_on_an_empty_board() {
    let hanging = "8/8/2k5/8/5n2/4P3/4K3/8 w - - 0 1";
    assert!(percent(1, hanging, "e3f4") > 95);
}

/// A level searches more nodes with fewer pieces left.
#[test]
fn levels_search_deeper_on_an_empty_board() {
    let max_nodes = |setup: &Setup| {
        let position = AnyPosition::new(setup).unwrap();
        let level = Level::try_from(4).unwrap();
        let counts = (0..5).map(|seed| {
            let request = SearchRequest { level, seed, ..SearchRequest::new(&position, Limits::default()) };
            search(&request).0.report.nodes
        });
        counts.max().unwrap()
    };
    let full = max_nodes(&Setup::start(Variant::Classic));
    let empty = max_nodes(&Setup::parse(Variant::Classic, "8/8/2k5/8/8/4P3/4K3/8 w - - 0 1").unwrap());
    assert!(empty > 3 * full, "{empty} {full}");
}

/// In a search against all others as one side, a line ends badly for the player to move. If the
/// lines are scored with max^n, all players are about equal after two rounds.
#[test]
fn max_n_scores_of_lines_are_balanced() {
    let spread = |line: &quadrex_engine::Line, position: &AnyPosition| {
        let probabilities = line.win_probabilities(position);
        let values = || probabilities.iter().map(|(_, probability)| *probability);
        values().max().unwrap() - values().min().unwrap()
    };
    let (mut before, mut after) = (0, 0);
    let openings = 12_u32;
    for opening in 0..openings {
        let mut position = AnyPosition::new(&Setup::start(Variant::Dilkel)).unwrap();
        for ply in 0..8 {
            let moves = position.legal_moves();
            position.play(moves[(84 * ply + 12 + 31 * opening as usize) % moves.len()]);
        }
        let request = SearchRequest::new(&position, Limits { nodes: Some(20_000), ..Limits::default() });
        let mut engine = Engine::new(4);
        let result = engine.search(&request, &Untimed, &mut |_| ());
        let mut lines = result.report.lines.clone();
        engine.score_lines_max_n(&position, &mut lines, Engine::LINE_NODES, &Untimed);
        assert_eq!(
            (lines[0].score, &lines[0].moves),
            (result.report.lines[0].score, &result.report.lines[0].moves)
        );
        let scores: Vec<i32> = lines[0].seats.iter().map(|(_, score)| *score).collect();
        assert_eq!(scores.len(), 4);
        // In the first opening no material is lost, so all scores are near 0.
        assert!(opening > 0 || scores.iter().all(|score| score.abs() < 200), "{scores:?}");
        before += spread(&result.report.lines[0], &position);
        after += spread(&lines[0], &position);
    }
    assert!(after < 150 * openings && 3 * after < 2 * before, "{before} {after} of {openings} openings");
}
