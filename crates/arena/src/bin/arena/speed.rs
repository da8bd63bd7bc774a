//! The speed of the search, the depth it reaches, and its delay after `stop`.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_arena::{BuiltInPlayer, Player, StopSwitch, Stopwatch, opening};
use quadrex_engine::{Engine, Level, Limits, Rng, SearchControl, SearchRequest};
use quadrex_rules::{Game, Variant};

use crate::figures::Figures;

/// Nodes per second, the depth reached in a second, and the time from `stop` to the answer.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Search threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Time for each position in milliseconds
    #[arg(long, default_value_t = 1_000)]
    movetime: u64,
    /// Number of stopped searches in each variant
    #[arg(long, default_value_t = 100)]
    stops: usize,
}

/// The size of the transposition table in MiB.
const HASH_MIB: usize = 64;

/// The number of positions from games, in addition to the start position.
const GAMES: u64 = 4;

/// The number of moves that each player makes before such a position.
const MOVES_EACH: usize = 12;

/// The required maximum delay of a stopped search.
const MAX_DELAY: Duration = Duration::from_millis(10);

/// Measures the variants and prints two tables.
///
/// # Errors
/// Returns an error if a search finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    println!("\nspeed: {} ms for each position, threads: {}", args.movetime, args.threads);
    println!("game      position    nodes/s   depth   selective");
    let variants = [Variant::Classic, Variant::Dilkel];
    for variant in variants {
        let (mut nodes_per_s, mut depths) = (Vec::new(), Vec::new());
        for (name, game) in positions(variant)? {
            let limits = Limits { hard: Some(Duration::from_millis(args.movetime)), ..Limits::default() };
            let request = SearchRequest { threads: args.threads, ..SearchRequest::of_game(&game, limits) };
            let stopwatch = Stopwatch::start();
            let report = Engine::new(HASH_MIB).search(&request, &stopwatch, &mut |_| ()).report;
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
        let mut delays = stop_delays(variant, args)?;
        delays.sort();
        let quantile = |part: f64| delays[((delays.len() - 1) as f64 * part) as usize];
        let [median, p99, longest] = [0.5, 0.99, 1.0].map(|part| 1e3 * quantile(part).as_secs_f64());
        let met = if longest <= 1e3 * MAX_DELAY.as_secs_f64() { "met" } else { "not met" };
        println!("{variant:<9} {median:>7.2} ms {p99:>7.2} ms {longest:>7.2} ms   required <= 10 ms: {met}");
        figures.add(format!("{variant}, from stop to the answer, median"), median, "ms");
        figures.add(format!("{variant}, from stop to the answer, longest"), longest, "ms");
    }
    Ok(())
}

/// Returns the start position and positions from games of the engine.
fn positions(variant: Variant) -> Result<Vec<(String, Game)>> {
    let mut positions = vec![("start".to_owned(), opening::start(variant).game().clone())];
    for number in 1..=GAMES {
        let mut playback = opening::start(variant);
        for mv in opening::random(variant, Rng::from_path(&[number])) {
            playback.play(mv, None).context("playing an opening")?;
        }
        let mut player = BuiltInPlayer::with_nodes(Level::FULL, 1_000);
        player.begin(variant, number)?;
        while playback.plies().count() < MOVES_EACH * variant.player_count() {
            ensure!(!playback.game().is_over(), "{variant}: game {number} is over too early");
            let mv = player.choose(playback.game(), 0)?;
            playback.play(mv, None).context("playing the engine's move")?;
        }
        positions.push((format!("game {number}"), playback.game().clone()));
    }
    Ok(positions)
}

/// Returns the delays of searches after `stop`.
fn stop_delays(variant: Variant, args: &Args) -> Result<Vec<Duration>> {
    let positions = positions(variant)?;
    let mut engine = Engine::new(HASH_MIB);
    let each = (0..args.stops.max(1)).zip(positions.iter().cycle());
    each.map(|(number, (_, game))| {
        let request =
            SearchRequest { threads: args.threads, ..SearchRequest::of_game(game, Limits::default()) };
        let switch = StopSwitch::default();
        thread::scope(|scope| {
            let search = scope.spawn(|| {
                let result = engine.search(&request, &switch, &mut |_| ());
                (result.best.is_some(), switch.time_since_stop())
            });
            // Searches are stopped after various times.
            thread::sleep(Duration::from_millis(5 + number as u64 % 50));
            switch.stop();
            let (has_move, delay) = search.join().expect("a search does not panic");
            ensure!(has_move, "a stopped search found no move");
            Ok(delay)
        })
    })
    .collect()
}
