//! How much is looked at in a second, how deep that goes, and how soon a search ends when it is told to.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_engine::{Engine, Level, Limits, SearchControl, SearchRequest};
use quadrex_rules::{Game, Variant};

use super::figures::Figures;
use super::game::Player;
use super::in_process::InProcess;
use super::opening;
use super::random::Random;
use super::stopwatch::{Stoppable, Stopwatch};

/// Positions a second, the depth reached in a second, and the time from `stop` to the answer.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Threads that search
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Time for each position, in milliseconds
    #[arg(long, default_value_t = 1_000)]
    movetime: u64,
    /// How often a search is stopped, in each game
    #[arg(long, default_value_t = 100)]
    stops: usize,
}

/// The table of a search, in MiB.
const TABLE_MIB: usize = 64;

/// Positions from games, beside the start.
const FROM_GAMES: u64 = 4;

/// How many moves each player makes before such a position.
const MOVES_EACH: usize = 12;

/// The longest a stopped search may go on.
const SOON: Duration = Duration::from_millis(10);

/// Measures both games, prints a table and keeps the figures.
///
/// # Errors
/// When a search finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    println!("\nspeed: {} ms for each position, threads: {}", args.movetime, args.threads);
    println!("game      position    nodes/s   depth   selective");
    let variants = [Variant::Classic, Variant::Dilkel];
    for variant in variants {
        let (mut nodes_per_s, mut depths) = (Vec::new(), Vec::new());
        for (name, game) in positions(variant)? {
            let limits = Limits { hard: Some(Duration::from_millis(args.movetime)), ..Limits::default() };
            let task = SearchRequest { threads: args.threads, ..SearchRequest::of_game(&game, limits) };
            let stopwatch = Stopwatch::start();
            let report = Engine::new(TABLE_MIB).search(&task, &stopwatch, &mut |_| ()).report;
            let rate = report.nodes as f64 / stopwatch.elapsed().as_secs_f64();
            println!(
                "{variant:<9} {name:<9} {rate:>9.0}   {:>5}   {:>9}",
                report.depth, report.selective_depth
            );
            nodes_per_s.push(rate);
            depths.push(f64::from(report.depth));
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        println!("{variant:<9} {:<9} {:>9.0}   {:>5.1}", "mean", mean(&nodes_per_s), mean(&depths));
        figures.add(format!("{variant}, nodes"), mean(&nodes_per_s), "1/s");
        figures.add(format!("{variant}, depth in {} ms", args.movetime), mean(&depths), "plies");
    }
    println!("\nfrom stop to the answer, {} searches stopped after 5 to 54 ms", args.stops);
    println!("game          median       99 %    longest");
    for variant in variants {
        let mut late = stop_often(variant, args)?;
        late.sort();
        let at = |part: f64| late[((late.len() - 1) as f64 * part) as usize];
        let [median, most, longest] = [0.5, 0.99, 1.0].map(|part| 1e3 * at(part).as_secs_f64());
        let met = if longest <= 1e3 * SOON.as_secs_f64() { "met" } else { "not met" };
        println!("{variant:<9} {median:>7.2} ms {most:>7.2} ms {longest:>7.2} ms   asked <= 10 ms: {met}");
        figures.add(format!("{variant}, from stop to the answer, median"), median, "ms");
        figures.add(format!("{variant}, from stop to the answer, longest"), longest, "ms");
    }
    Ok(())
}

/// The start, and what games of the engine have come to.
fn positions(variant: Variant) -> Result<Vec<(String, Game)>> {
    let mut positions = vec![("start".to_owned(), opening::start(variant).game().clone())];
    for number in 1..=FROM_GAMES {
        let mut playback = opening::start(variant);
        for mv in opening::random(variant, Random::of(&[number])) {
            playback.play(mv, None).context("an opening")?;
        }
        let mut player = InProcess::with_nodes(Level::FULL, 1_000);
        player.begin(variant, number)?;
        while playback.plies().count() < MOVES_EACH * variant.player_count() {
            ensure!(!playback.game().is_over(), "{variant}: game {number} is over too soon");
            let mv = player.choose(playback.game(), &[])?;
            playback.play(mv, None).context("the engine's move")?;
        }
        positions.push((format!("game {number}"), playback.game().clone()));
    }
    Ok(positions)
}

/// How long searches went on after they were told to end.
fn stop_often(variant: Variant, args: &Args) -> Result<Vec<Duration>> {
    let positions = positions(variant)?;
    let mut engine = Engine::new(TABLE_MIB);
    let each = (0..args.stops.max(1)).zip(positions.iter().cycle());
    each.map(|(number, (_, game))| {
        let task = SearchRequest { threads: args.threads, ..SearchRequest::of_game(game, Limits::default()) };
        let watch = Stoppable::default();
        thread::scope(|scope| {
            let search = scope.spawn(|| {
                let found = engine.search(&task, &watch, &mut |_| ());
                (found.best.is_some(), watch.stopped_for())
            });
            // Searches are stopped at all kinds of moments.
            thread::sleep(Duration::from_millis(5 + number as u64 % 50));
            watch.stop();
            let (has_move, late) = search.join().expect("a search does not panic");
            ensure!(has_move, "a stopped search found no move");
            Ok(late)
        })
    })
    .collect()
}
