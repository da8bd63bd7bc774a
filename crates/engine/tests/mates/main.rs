//! The suite of mates and defences: what it says is so, and the engine finds it.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod solver;
mod suite;

use quadrex_engine::{Engine, Limits, SearchRequest, Untimed};
use quadrex_rules::{Move, Variant};

use solver::{Effort, endangers, forces, forcing};
use suite::{Kind, Problem};

/// More than any problem takes.
const EFFORT: u64 = 5_000_000;

fn problems(of_kind: impl Fn(Kind) -> bool) -> Vec<Problem> {
    let problems = Problem::all().unwrap();
    problems.into_iter().filter(|problem| of_kind(problem.kind)).collect()
}

#[test]
fn the_suite_has_problems_of_every_kind() {
    let count = |variant, kind| {
        let all = Problem::all().unwrap();
        all.iter().filter(|problem| (problem.variant, problem.kind) == (variant, kind)).count()
    };
    for (variant, kind) in [
        (Variant::Dilkel, Kind::Mate(1)),
        (Variant::Dilkel, Kind::Mate(2)),
        (Variant::Dilkel, Kind::Defence),
        (Variant::Classic, Kind::Mate(2)),
        (Variant::Classic, Kind::Mate(3)),
        (Variant::Classic, Kind::Defence),
    ] {
        assert!(count(variant, kind) >= 8, "{variant}, {kind}: {}", count(variant, kind));
    }
}

/// The solutions mate by force, nothing else does, and nothing does so faster.
#[test]
fn mates_are_forced_by_the_solutions_alone() {
    for problem in problems(|kind| kind != Kind::Defence) {
        let Kind::Mate(own_moves) = problem.kind else { continue };
        let found = forcing(&problem.position, own_moves, &mut Effort(EFFORT)).unwrap();
        assert_eq!(found, problem.solutions, "{}", problem.position.setup());
        for &mv in found.iter().filter(|_| own_moves > 1) {
            let is_faster = forces(&problem.position, mv, own_moves - 1, &mut Effort(EFFORT)).unwrap();
            assert!(!is_faster, "{mv} in {}", problem.position.setup());
        }
    }
}

/// After a solution not even all opponents together can mate before the next own turn; after any other move they can.
#[test]
fn all_but_the_solutions_of_a_defence_are_mated() {
    for problem in problems(|kind| kind == Kind::Defence) {
        let is_safe = |mv: &Move| !endangers(&problem.position, *mv, &mut Effort(EFFORT)).unwrap();
        let safe: Vec<Move> = problem.position.legal_moves().into_iter().filter(is_safe).collect();
        assert_eq!(safe, problem.solutions, "{}", problem.position.setup());
    }
}

/// The engine's move after looking at so many positions.
fn answer(problem: &Problem, nodes: u64) -> Move {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Engine::new(8).search(&SearchRequest::new(&problem.position, limits), &Untimed, &mut |_| ()).best.unwrap()
}

/// Those of these problems that the engine does not solve, written, when it looks at 100,000 positions.
fn unsolved(problems: &[Problem]) -> Vec<String> {
    let is_unsolved = |problem: &&Problem| !problem.solutions.contains(&answer(problem, 100_000));
    let written =
        |problem: &Problem| format!("{} | {} | {}", problem.variant, problem.kind, problem.position.setup());
    problems.iter().filter(is_unsolved).map(written).collect()
}

/// At least three quarters of the suite: what is a mate of one among four need not be the best move there. `cargo xtask bench
/// engine -- mates` tells how many of each kind.
#[test]
fn the_engine_solves_most_of_the_suite() {
    let all = problems(|_| true);
    let unsolved = unsolved(&all);
    assert!(unsolved.len() * 4 <= all.len(), "{} of {}: {unsolved:#?}", unsolved.len(), all.len());
}

/// Of two, whoever can mate in two does so, though a longer mate is found earlier, or there is much to win.
#[test]
fn the_engine_finds_every_mate_in_two_of_two_players_and_every_defence() {
    let mut all = problems(|kind| matches!(kind, Kind::Mate(2) | Kind::Defence));
    all.retain(|problem| problem.variant == Variant::Classic);
    assert_eq!(unsolved(&all), Vec::<String>::new());
}

/// Asked for a mate, the engine finds each that there is between two, and of four each that ends the game.
#[test]
fn a_search_for_a_mate_finds_every_one_that_is_there() {
    for problem in problems(|kind| kind != Kind::Defence) {
        let Kind::Mate(own_moves) = problem.kind else { continue };
        // With more opponents than one, who is mated need not be the last.
        if problem.position.players_in().count() > 2 {
            continue;
        }
        let limits = Limits { mate: Some(own_moves), ..Limits::default() };
        let found =
            Engine::new(8).search(&SearchRequest::new(&problem.position, limits), &Untimed, &mut |_| ());
        let best = found.best.unwrap();
        assert!(problem.solutions.contains(&best), "{best} in {}", problem.position.setup());
        let shorter = Limits { mate: Some(own_moves - 1), ..Limits::default() };
        let found =
            Engine::new(8).search(&SearchRequest::new(&problem.position, shorter), &Untimed, &mut |_| ());
        assert!(found.best.is_some(), "{}", problem.position.setup());
    }
}
