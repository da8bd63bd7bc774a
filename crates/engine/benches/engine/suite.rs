//! Mates and defences: how many are found, and finding more of them.

#[path = "../../tests/mates/suite.rs"]
pub(crate) mod problems;
#[path = "../../tests/mates/solver.rs"]
pub(crate) mod solver;

use anyhow::{Context, Result, anyhow};
use quadrex_engine::{Engine, Level, Limits, Score, SearchRequest, Untimed};
use quadrex_rules::{AnyPosition, Game, Move, Variant};

use super::common::percent;
use super::figures::Figures;
use super::game::Player;
use super::in_process::InProcess;
use super::opening;
use super::random::Random;
use problems::{Kind, Problem};
use solver::{Effort, endangers, forcing};

/// How many positions of the suite are solved: mates of any opponent, and defences where nearly every move is mated.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Positions that may be looked at for each
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    nodes: Vec<u64>,
    /// Print those that are not solved with the most nodes
    #[arg(long)]
    unsolved: bool,
    /// In place of all that, look through so many games of weak players for positions like these, and print them
    #[arg(long)]
    find: Option<u64>,
    /// Look for defences alone, which are rare
    #[arg(long)]
    defences: bool,
    /// Where to look
    #[arg(long, default_value = "dilkel")]
    variant: Variant,
    /// Which games are looked through
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Solves, prints a table and keeps the figures.
///
/// # Errors
/// When the suite cannot be read.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    if let Some(games) = args.find {
        return find(games, args);
    }
    let problems = Problem::all().map_err(|error| anyhow!("the suite: {error}"))?;
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
        println!("{}", written(problem));
    }
    Ok(())
}

fn is_solved(problem: &Problem, nodes: u64) -> bool {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let found = Engine::new(8).search(&SearchRequest::new(&problem.position, limits), &Untimed, &mut |_| ());
    found.best.is_some_and(|mv| problem.solutions.contains(&mv))
}

fn written(problem: &Problem) -> String {
    let solutions: Vec<String> = problem.solutions.iter().map(ToString::to_string).collect();
    let Problem { variant, kind, position, .. } = problem;
    format!("{variant} | {kind} | {} | {}", position.setup(), solutions.join(" "))
}

/// Moves that may be tried out to judge one position.
const EFFORT: u64 = 150_000;

/// The fewest moves that are none, so that there is something to look for.
const FEWEST_OTHERS: usize = 4;

/// The most solutions.
const MOST_SOLUTIONS: usize = 2;

/// Prints at most one position of each kind from every game.
fn find(games: u64, args: &Args) -> Result<()> {
    for number in 0..games {
        let mut playback = opening::start(args.variant);
        for mv in opening::random(args.variant, Random::of(&[args.seed, number])) {
            playback.play(mv, None).context("an opening")?;
        }
        let mut player = InProcess::with_nodes(Level::LOWEST, 200);
        player.begin(args.variant, Random::of(&[args.seed, number]).next())?;
        let mut told = Vec::new();
        while !playback.game().is_over() && playback.plies().count() < 600 {
            if let Some(problem) =
                problem(playback.game(), args.defences).filter(|problem| !told.contains(&problem.kind))
            {
                println!("{}", written(&problem));
                told.push(problem.kind);
            }
            let plies: Vec<_> = playback.plies().map(|(_, mv)| mv).collect();
            let mv = player.choose(playback.game(), &plies)?;
            playback.play(mv, None).context("the engine's move")?;
        }
    }
    Ok(())
}

/// What a position is a problem of, if it is one that can be judged with little effort.
fn problem(game: &Game, defences_alone: bool) -> Option<Problem> {
    let position = game.position();
    let variant = position.variant();
    let deepest = match variant {
        _ if defences_alone => 0,
        Variant::Classic => 3,
        Variant::Dilkel | Variant::DilkelCompact => 2,
    };
    if position.legal_moves().len() <= FEWEST_OTHERS {
        return None;
    }
    let defence = defence(position).map(|solutions| (Kind::Defence, solutions));
    let (kind, solutions) = defence.or_else(|| mate(position, deepest))?;
    let is_hidden = solutions.len() + FEWEST_OTHERS <= position.legal_moves().len();
    is_hidden.then(|| Problem { variant, kind, position: position.clone(), solutions })
}

/// The fastest mate within so many own moves, if few moves lead to it.
fn mate(position: &AnyPosition, deepest: u32) -> Option<(Kind, Vec<Move>)> {
    for own_moves in 1..=deepest {
        let solutions = forcing(position, own_moves, &mut Effort(EFFORT)).ok()?;
        if !solutions.is_empty() {
            return (solutions.len() <= MOST_SOLUTIONS).then_some((Kind::Mate(own_moves), solutions));
        }
    }
    None
}

/// The safe moves of a position, if there are few and all others are mated.
fn defence(position: &AnyPosition) -> Option<Vec<Move>> {
    if !seems_pressed(position) {
        return None;
    }
    let mut effort = Effort(EFFORT);
    let mut safe = Vec::new();
    for mv in position.legal_moves() {
        if !endangers(position, mv, &mut effort).ok()? {
            safe.push(mv);
        }
        if safe.len() > MOST_SOLUTIONS {
            return None;
        }
    }
    (!safe.is_empty()).then_some(safe)
}

/// Whether the engine, asked for a few moves more than there may be solutions, sees itself mated after the last of them.
/// Nearly all positions are left out by it, quickly.
fn seems_pressed(position: &AnyPosition) -> bool {
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let task = SearchRequest { lines: MOST_SOLUTIONS + 1, ..SearchRequest::new(position, limits) };
    let report = Engine::new(1).search(&task, &Untimed, &mut |_| ()).report;
    report
        .lines
        .get(MOST_SOLUTIONS)
        .is_some_and(|line| matches!(line.score, Score::Mate(moves) if moves <= 0))
}
