//! What a search keeps to, whatever it finds.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use quadrex_engine::{
    Engine, Level, Limits, Report, Score, SearchControl, SearchRequest, SearchResult, Strategy, Untimed,
};
use quadrex_rules::{AnyPosition, Move, Setup, Variant};

/// Positions of every variant: starts, a sharp middle game, an end game, and two players left on the cross.
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

fn search(task: &SearchRequest<'_>) -> (SearchResult, Vec<Report>) {
    let mut reports = Vec::new();
    let found = Engine::new(2).search(task, &Untimed, &mut |report| reports.push(report.clone()));
    (found, reports)
}

#[test]
fn one_thread_and_a_limit_of_nodes_give_the_same_answer_every_time() {
    for position in &positions() {
        for level in Level::all() {
            let task = SearchRequest { level, seed: 5, ..SearchRequest::new(position, nodes(3_000)) };
            assert_eq!(search(&task), search(&task), "level {}", level.number());
        }
    }
}

#[test]
fn a_cleared_engine_is_as_a_new_one() {
    for position in &positions() {
        let task = SearchRequest::new(position, nodes(3_000));
        let mut engine = Engine::new(2);
        let first = engine.search(&task, &Untimed, &mut |_| ());
        engine.search(&SearchRequest::new(position, nodes(9_000)), &Untimed, &mut |_| ());
        engine.clear();
        assert_eq!(engine.search(&task, &Untimed, &mut |_| ()), first);
    }
}

#[test]
fn no_more_nodes_are_looked_at_than_allowed() {
    for position in &positions() {
        let (found, _) = search(&SearchRequest::new(position, nodes(2_345)));
        assert_eq!(found.report.nodes, 2_345);
    }
}

#[test]
fn every_line_told_can_be_played() {
    for position in &positions() {
        for strategy in [Strategy::Paranoid, Strategy::BestReply, Strategy::MaxN] {
            for level in [Level::LOWEST, Level::FULL] {
                let task =
                    SearchRequest { lines: 3, strategy, level, ..SearchRequest::new(position, nodes(4_000)) };
                let (found, reports) = search(&task);
                assert!(!reports.is_empty());
                for line in reports.iter().flat_map(|report| &report.lines) {
                    let mut after = position.clone();
                    for &mv in &line.moves {
                        assert!(after.is_legal(mv), "{mv} of {line:?}");
                        after.play(mv);
                    }
                    assert_eq!(line.seats.is_empty(), position.variant() == Variant::Classic);
                }
                assert_eq!(found.best, Some(found.report.lines[0].moves[0]));
            }
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_chosen_among() {
    for position in &positions() {
        let moves: Vec<Move> = position.legal_moves().into_iter().rev().take(2).collect();
        let task = SearchRequest { moves: &moves, lines: 5, ..SearchRequest::new(position, nodes(2_000)) };
        let (found, reports) = search(&task);
        assert!(moves.contains(&found.best.unwrap()));
        let told = reports.iter().flat_map(|report| &report.lines).map(|line| line.moves[0]);
        told.for_each(|mv| assert!(moves.contains(&mv), "{mv}"));
    }
}

#[test]
fn lines_are_told_best_first_and_each_once() {
    let position = &positions()[3];
    let task = SearchRequest { lines: 4, ..SearchRequest::new(position, depth(5)) };
    let (found, _) = search(&task);
    let lines = &found.report.lines;
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

/// Time that passes with each look at it.
struct Ticking {
    looks: AtomicU64,
    stops_at: u64,
}

impl SearchControl for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.looks.fetch_add(1, Relaxed))
    }

    fn is_stopped(&self) -> bool {
        self.looks.fetch_add(1, Relaxed) >= self.stops_at
    }
}

#[test]
fn it_ends_when_stopped_and_when_time_is_up() {
    for position in &positions() {
        let stopped = Ticking { looks: AtomicU64::new(0), stops_at: 20 };
        let found =
            Engine::new(1).search(&SearchRequest::new(position, Limits::default()), &stopped, &mut |_| ());
        assert!(found.best.is_some() && found.report.nodes < 60_000, "{}", found.report.nodes);
        for limits in [
            Limits { soft: Some(Duration::from_millis(30)), ..Limits::default() },
            Limits { hard: Some(Duration::from_millis(30)), ..Limits::default() },
        ] {
            let watch = Ticking { looks: AtomicU64::new(0), stops_at: u64::MAX };
            let found = Engine::new(1).search(&SearchRequest::new(position, limits), &watch, &mut |_| ());
            assert!(found.best.is_some() && watch.looks.load(Relaxed) < 2_000);
        }
    }
}

/// Even stopped before it begins it has looked at every move once.
#[test]
fn it_has_an_answer_even_if_it_is_stopped_at_once() {
    let stopped = Ticking { looks: AtomicU64::new(0), stops_at: 0 };
    let position =
        AnyPosition::new(&Setup::parse(Variant::Classic, "6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1").unwrap())
            .unwrap();
    let found =
        Engine::new(1).search(&SearchRequest::new(&position, Limits::default()), &stopped, &mut |_| ());
    assert_eq!(found.best.unwrap().to_string(), "d1d8");
}

#[test]
fn several_threads_find_what_one_finds() {
    let position =
        AnyPosition::new(&Setup::parse(Variant::Classic, "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1").unwrap())
            .unwrap();
    let task = SearchRequest { threads: 3, ..SearchRequest::new(&position, depth(8)) };
    let (found, _) = search(&task);
    assert_eq!(found.report.lines[0].score, Score::Mate(2));
}

#[test]
fn a_search_for_a_mate_ends_with_it() {
    let text = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let (found, _) = search(&SearchRequest::new(&position, limits));
    assert_eq!(found.report.lines[0].score, Score::Mate(2));
}

/// Without any other limit, a search for a mate that is not there ends when that is known, and has a move.
#[test]
fn a_search_for_a_mate_that_is_not_there_ends() {
    let classic = |text| AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let own = |variant| AnyPosition::new(&Setup::start(variant)).unwrap();
    for (position, mate) in [
        (own(Variant::Classic), 1),
        (own(Variant::Classic), 2),
        (own(Variant::Classic), 0),
        (own(Variant::Dilkel), 1),
        (own(Variant::DilkelCompact), 1),
        // A mate in two is none in one; a stalemate is none.
        (classic("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1"), 1),
        (classic("7k/8/6K1/8/8/8/8/6Q1 b - - 0 1"), 3),
        // The side to move is the one that is mated.
        (classic("7k/8/8/8/8/8/R7/1R2K3 b - - 0 1"), 2),
    ] {
        for threads in [1, 2] {
            let limits = Limits { mate: Some(mate), ..Limits::default() };
            let (found, _) = search(&SearchRequest { threads, ..SearchRequest::new(&position, limits) });
            let best = found.best.unwrap();
            assert!(position.is_legal(best), "{best} within {mate} of {}", position.setup());
            let score = found.report.lines[0].score;
            let is_mate = matches!(score, Score::Mate(moves) if moves > 0 && moves as u32 <= mate);
            assert!(!is_mate, "{score:?} within {mate} of {}", position.setup());
        }
    }
}

/// G10: a queen up, White does not go back to where it has been.
#[test]
fn what_has_occurred_before_is_taken_for_a_draw() {
    let text = "7k/8/8/8/8/8/8/KQ6 w - - 10 40";
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let moves: Vec<Move> = vec!["b1b2".parse().unwrap()];
    let mut after = position.clone();
    after.play(moves[0]);
    let earlier = [after.hash(), position.hash()];
    let earlier: Vec<u64> = earlier.iter().cycle().take(8).copied().collect();
    let value = |earlier: &[u64]| {
        let task = SearchRequest { moves: &moves, earlier, ..SearchRequest::new(&position, depth(4)) };
        search(&task).0.report.lines[0].score
    };
    assert_eq!(value(&earlier), Score::Centipawns(0));
    assert_ne!(value(&[]), Score::Centipawns(0));
}

#[test]
fn a_finished_game_has_no_answer() {
    let mated = Setup::parse(Variant::Classic, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
    let position = AnyPosition::new(&mated).unwrap();
    let (found, reports) = search(&SearchRequest::new(&position, depth(3)));
    assert_eq!((found, reports), (SearchResult::default(), Vec::new()));
}

/// In how many of a hundred games a level makes a move, by four hundred of them.
fn percent(level: u8, setup: &str, wanted: &str) -> usize {
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, setup).unwrap()).unwrap();
    let level = Level::try_from(level).unwrap();
    let makes = |&seed: &u64| {
        let task = SearchRequest { level, seed, ..SearchRequest::new(&position, Limits::default()) };
        search(&task).0.best.unwrap().to_string() == wanted
    };
    (0..400).filter(makes).count() / 4
}

/// The lower the level, the more of its moves are made on a whim: a knight for nothing is left alone by the lowest now
/// and then.
#[test]
fn lower_levels_make_more_mistakes() {
    let hanging = "r1bqkbnr/pppppppp/8/4n3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1";
    let [lowest, middle] = [1, 5].map(|level| percent(level, hanging, "d4e5"));
    assert!((30..80).contains(&lowest), "{lowest}");
    assert!(middle > 85, "{middle}");
}

/// What a level found out does not hold for one that knows more.
#[test]
fn a_change_of_level_does_not_change_what_is_found() {
    let mut engine = Engine::new(16);
    let mut look = |position: &AnyPosition, level: u8| {
        let level = Level::try_from(level).unwrap();
        let task = SearchRequest { level, ..SearchRequest::new(position, depth(5)) };
        engine.search(&task, &Untimed, &mut |_| ()).report.lines
    };
    for position in positions().iter().filter(|position| position.variant() != Variant::Classic) {
        look(position, 7);
        let after = look(position, 8);
        let alone = Engine::new(16)
            .search(&SearchRequest::new(position, depth(5)), &Untimed, &mut |_| ())
            .report
            .lines;
        assert_eq!(after, alone, "{}", position.setup());
    }
}

/// With few pieces left there is little to misjudge.
#[test]
fn the_lowest_level_makes_hardly_a_mistake_on_an_empty_board() {
    let hanging = "8/8/2k5/8/5n2/4P3/4K3/8 w - - 0 1";
    assert!(percent(1, hanging, "e3f4") > 95);
}

/// The fewer pieces are left, the more positions a level looks at.
#[test]
fn levels_look_farther_on_an_empty_board() {
    let looked_at = |setup: &Setup| {
        let position = AnyPosition::new(setup).unwrap();
        let level = Level::try_from(4).unwrap();
        let counts = (0..5).map(|seed| {
            let task = SearchRequest { level, seed, ..SearchRequest::new(&position, Limits::default()) };
            search(&task).0.report.nodes
        });
        counts.max().unwrap()
    };
    let full = looked_at(&Setup::start(Variant::Classic));
    let empty = looked_at(&Setup::parse(Variant::Classic, "8/8/2k5/8/8/4P3/4K3/8 w - - 0 1").unwrap());
    assert!(empty > 3 * full, "{empty} {full}");
}

/// Where all play against the one who asks, its line ends badly for it; weighed, all are about as well off after two rounds.
#[test]
fn weighed_lines_tell_what_comes_of_everybody_playing_for_itself() {
    let spread = |line: &quadrex_engine::Line, position: &AnyPosition| {
        let chances = line.win_probabilities(position);
        let parts = || chances.iter().map(|(_, chance)| *chance);
        parts().max().unwrap() - parts().min().unwrap()
    };
    let (mut before, mut after) = (0, 0);
    let openings = 12_u32;
    for opening in 0..openings {
        let mut position = AnyPosition::new(&Setup::start(Variant::Dilkel)).unwrap();
        for ply in 0..8 {
            let moves = position.legal_moves();
            position.play(moves[(84 * ply + 12 + 31 * opening as usize) % moves.len()]);
        }
        let task = SearchRequest::new(&position, Limits { nodes: Some(20_000), ..Limits::default() });
        let mut engine = Engine::new(4);
        let found = engine.search(&task, &Untimed, &mut |_| ());
        let mut lines = found.report.lines.clone();
        engine.score_lines_max_n(&position, &mut lines, &Untimed);
        assert_eq!(
            (lines[0].score, &lines[0].moves),
            (found.report.lines[0].score, &found.report.lines[0].moves)
        );
        let stands: Vec<i32> = lines[0].seats.iter().map(|(_, stands)| *stands).collect();
        assert_eq!(stands.len(), 4);
        // In the first nobody has lost anything; 0 if all stood alike.
        assert!(opening > 0 || stands.iter().all(|stands| stands.abs() < 200), "{stands:?}");
        before += spread(&found.report.lines[0], &position);
        after += spread(&lines[0], &position);
    }
    assert!(after < 150 * openings && 3 * after < 2 * before, "{before} {after} of {openings} openings");
}
