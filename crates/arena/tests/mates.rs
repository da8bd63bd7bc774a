//! The suite of mates and defences: its solutions are right, and the engine finds them.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use quadrex_arena::mates::{Budget, Kind, Problem, endangers, forces, forcing};
use quadrex_engine::{Engine, Limits, SearchRequest, Untimed};
use quadrex_rules::{Move, Variant};

/// A budget of tried moves that is enough for every problem.
const BUDGET: u64 = 5_000_000;

/// Returns the problems of some kinds.
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

/// The solutions force the mate, no other move forces it, and no move forces it faster.
#[test]
fn mates_are_forced_by_the_solutions_alone() {
    for problem in problems(|kind| kind != Kind::Defence) {
        let Kind::Mate(own_moves) = problem.kind else { continue };
        let found = forcing(&problem.position, own_moves, &mut Budget(BUDGET)).unwrap();
        assert_eq!(found, problem.solutions, "{}", problem.position.setup());
        for &mv in found.iter().filter(|_| own_moves > 1) {
            let is_faster = forces(&problem.position, mv, own_moves - 1, &mut Budget(BUDGET)).unwrap();
            assert!(!is_faster, "{mv} in {}", problem.position.setup());
        }
    }
}

/// After a solution, not even all opponents together can mate before the player's next turn. After
/// any other move they can.
#[test]
fn all_but_the_solutions_of_a_defence_are_mated() {
    for problem in problems(|kind| kind == Kind::Defence) {
        let is_safe = |mv: &Move| !endangers(&problem.position, *mv, &mut Budget(BUDGET)).unwrap();
        let safe: Vec<Move> = problem.position.legal_moves().into_iter().filter(is_safe).collect();
        assert_eq!(safe, problem.solutions, "{}", problem.position.setup());
    }
}

/// Returns the engine's move with a node limit.
fn answer(problem: &Problem, nodes: u64) -> Move {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Engine::new(8).search(&SearchRequest::new(&problem.position, limits), &Untimed, &mut |_| ()).best.unwrap()
}

/// Returns the problems that the engine does not solve with 100,000 nodes, as text.
fn unsolved(problems: &[Problem]) -> Vec<String> {
    let is_unsolved = |problem: &&Problem| !problem.solutions.contains(&answer(problem, 100_000));
    let text =
        |problem: &Problem| format!("{} | {} | {}", problem.variant, problem.kind, problem.position.setup());
    problems.iter().filter(is_unsolved).map(text).collect()
}

/// The engine solves at least three quarters, because the mate of one of three opponents is not
/// always the best move. `cargo xtask bench engine -- mates` prints the rate of each kind.
#[test]
fn the_engine_solves_most_of_the_suite() {
    let all = problems(|_| true);
    let unsolved = unsolved(&all);
    assert!(unsolved.len() * 4 <= all.len(), "{} of {}: {unsolved:#?}", unsolved.len(), all.len());
}

/// With two players, the engine mates in two even if it finds a longer mate first, or can win much
/// material.
#[test]
fn the_engine_finds_every_mate_in_two_and_every_defence_with_two_players() {
    let mut all = problems(|kind| matches!(kind, Kind::Mate(2) | Kind::Defence));
    all.retain(|problem| problem.variant == Variant::Classic);
    assert_eq!(unsolved(&all), Vec::<String>::new());
}

/// A search with a mate limit finds every mate of the suite between the last two players.
#[test]
fn a_search_for_a_mate_finds_every_mate_of_the_last_opponent() {
    for problem in problems(|kind| kind != Kind::Defence) {
        let Kind::Mate(own_moves) = problem.kind else { continue };
        // With several opponents, the mated opponent need not be the last one.
        if problem.position.active_players().count() > 2 {
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
