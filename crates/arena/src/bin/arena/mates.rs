//! The suite of mates and defences: the rate of solved problems, and the search for new ones.

use anyhow::{Context, Result};
use quadrex_arena::mates::{Budget, Kind, Problem, endangers, forcing};
use quadrex_arena::{BuiltInPlayer, Player, opening};
use quadrex_engine::{Engine, Level, Limits, Rng, Score, SearchRequest, Untimed};
use quadrex_rules::{AnyPosition, Game, Move, Variant};

use crate::common::percent;
use crate::figures::Figures;

/// The rate of solved problems of the suite. The problems are mates of any opponent, and defences
/// in positions where nearly every other move allows a mate.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Node limits for each problem
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    nodes: Vec<u64>,
    /// Print the problems that are not solved with the most nodes
    #[arg(long)]
    unsolved: bool,
    /// Instead, search so many games of weak players for new problems and print them
    #[arg(long)]
    find: Option<u64>,
    /// Search for defences only, which are rare
    #[arg(long)]
    defences: bool,
    /// Variant of the searched games
    #[arg(long, default_value = "dilkel")]
    variant: Variant,
    /// Seed of the searched games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Solves the problems and prints a table.
///
/// # Errors
/// Returns an error if the suite is malformed.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    if let Some(games) = args.find {
        return find(games, args);
    }
    let problems = Problem::all().context("reading the suite")?;
    let mut groups: Vec<(Variant, Kind)> = Vec::new();
    for problem in &problems {
        if !groups.contains(&(problem.variant, problem.kind)) {
            groups.push((problem.variant, problem.kind));
        }
    }
    let columns: String =
        args.nodes.iter().map(|nodes| format!("{:>16}", format!("{nodes} nodes"))).collect();
    println!("\nmates and defences, solved\ngame      kind        count{columns}");
    for (variant, kind) in groups {
        let of_group: Vec<&Problem> =
            problems.iter().filter(|problem| (problem.variant, problem.kind) == (variant, kind)).collect();
        let mut line = format!("{variant:<9} {:<11} {:>5}", kind.to_string(), of_group.len());
        for &nodes in &args.nodes {
            let is_solved = |problem: &&&Problem| is_solved(problem, nodes);
            let part = of_group.iter().filter(is_solved).count() as f64 / of_group.len() as f64;
            line += &format!("{:>16}", percent(part));
            figures.add(format!("{variant}, {kind}, solved with {nodes} nodes"), 100.0 * part, "%");
        }
        println!("{line}");
    }
    let most = args.nodes.iter().max().filter(|_| args.unsolved);
    for problem in problems.iter().filter(|problem| most.is_some_and(|nodes| !is_solved(problem, *nodes))) {
        println!("{problem}");
    }
    Ok(())
}

fn is_solved(problem: &Problem, nodes: u64) -> bool {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let result = Engine::new(8).search(&SearchRequest::new(&problem.position, limits), &Untimed, &mut |_| ());
    result.best.is_some_and(|mv| problem.solutions.contains(&mv))
}

/// The number of moves that the solver may try in one position.
const BUDGET: u64 = 150_000;

/// The minimum number of legal moves in a problem that are not solutions.
const MIN_OTHER_MOVES: usize = 4;

/// The maximum number of solutions.
const MAX_SOLUTIONS: usize = 2;

/// Prints at most one problem of each kind from every game.
fn find(games: u64, args: &Args) -> Result<()> {
    for number in 0..games {
        let mut playback = opening::start(args.variant);
        for mv in opening::random(args.variant, Rng::from_path(&[args.seed, number])) {
            playback.play(mv, None).context("playing an opening")?;
        }
        let mut player = BuiltInPlayer::with_nodes(Level::LOWEST, 200);
        player.begin(args.variant, Rng::from_path(&[args.seed, number]).next_u64())?;
        let mut printed = Vec::new();
        while !playback.game().is_over() && playback.plies().count() < 600 {
            if let Some(problem) =
                problem(playback.game(), args.defences).filter(|problem| !printed.contains(&problem.kind))
            {
                println!("{problem}");
                printed.push(problem.kind);
            }
            let mv = player.choose(playback.game(), playback.plies().count())?;
            playback.play(mv, None).context("playing the engine's move")?;
        }
    }
    Ok(())
}

/// Returns the problem of a position, if it has one that the solver can verify within its budget.
fn problem(game: &Game, only_defences: bool) -> Option<Problem> {
    let position = game.position();
    let variant = position.variant();
    let max_moves = match variant.player_count() {
        _ if only_defences => 0,
        2 => 3,
        _ => 2,
    };
    if position.legal_moves().len() <= MIN_OTHER_MOVES {
        return None;
    }
    let defence = defence(position).map(|solutions| (Kind::Defence, solutions));
    let (kind, solutions) = defence.or_else(|| mate(position, max_moves))?;
    let is_hidden = solutions.len() + MIN_OTHER_MOVES <= position.legal_moves().len();
    is_hidden.then(|| Problem { variant, kind, position: position.clone(), solutions })
}

/// Returns the fastest mate within `max_moves` own moves, if only few moves lead to it.
fn mate(position: &AnyPosition, max_moves: u32) -> Option<(Kind, Vec<Move>)> {
    for own_moves in 1..=max_moves {
        let solutions = forcing(position, own_moves, &mut Budget(BUDGET)).ok()?;
        if !solutions.is_empty() {
            return (solutions.len() <= MAX_SOLUTIONS).then_some((Kind::Mate(own_moves), solutions));
        }
    }
    None
}

/// Returns the safe moves of a position, if there are few and a mate follows all other moves.
fn defence(position: &AnyPosition) -> Option<Vec<Move>> {
    if !seems_in_danger(position) {
        return None;
    }
    let mut budget = Budget(BUDGET);
    let mut safe = Vec::new();
    for mv in position.legal_moves() {
        if !endangers(position, mv, &mut budget).ok()? {
            safe.push(mv);
        }
        if safe.len() > MAX_SOLUTIONS {
            return None;
        }
    }
    (!safe.is_empty()).then_some(safe)
}

/// Returns true if a mate follows the last of the engine's best moves. Their number is one more
/// than a problem may have solutions. This test quickly excludes nearly all positions.
fn seems_in_danger(position: &AnyPosition) -> bool {
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let request = SearchRequest { lines: MAX_SOLUTIONS + 1, ..SearchRequest::new(position, limits) };
    let report = Engine::new(1).search(&request, &Untimed, &mut |_| ()).report;
    report.lines.get(MAX_SOLUTIONS).is_some_and(|line| matches!(line.score, Score::Mate(moves) if moves <= 0))
}
