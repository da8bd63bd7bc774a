//! The effect of evaluation weights, from games between players with random weights.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Result, ensure};
use quadrex_arena::statistics::Mean;
use quadrex_arena::{BuiltInPlayer, Player, opening, play};
use quadrex_engine::tuning::{self, Weights};
use quadrex_engine::{Level, Rng};
use quadrex_rules::Variant;

use crate::common::{Common, percent};
use crate::figures::Figures;

/// The effect of each group of evaluation weights. In each game, every group of every player is
/// enlarged or reduced at random. The effect of a group is a difference: the mean share of the
/// first place of the players with the larger weights, minus the mean share of the players with the
/// smaller weights. All groups are measured in the same games.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// Number of games
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Variant
    #[arg(long, default_value_t = Variant::Dilkel)]
    variant: Variant,
    /// Node limit for a move
    #[arg(long, default_value_t = 1_500)]
    nodes: u64,
    /// Factor of the weights; for material its fourth root
    #[arg(long, default_value_t = 1.5)]
    by: f64,
    #[command(flatten)]
    common: Common,
}

/// Weights that are enlarged or reduced together.
struct Group {
    name: &'static str,
    terms: Range<usize>,
}

/// Returns the groups of a variant whose weights are not all zero.
fn groups(variant: Variant) -> Vec<Group> {
    let weights = tuning::weights(variant);
    let groups = tuning::groups(variant).into_iter().map(|(name, terms)| Group { name, terms });
    groups.filter(|group| weights[group.terms.clone()].iter().any(|weight| *weight != [0, 0])).collect()
}

/// The result of a game.
struct Sample {
    /// For each seat, whether each group was enlarged, and the share of the first place.
    seats: Vec<(Vec<bool>, f64)>,
    plies: usize,
}

/// Plays the games and prints a line for each group, in ascending order of effect.
///
/// # Errors
/// Returns an error if no game is requested, the factor has no effect, or a player finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    ensure!(args.games > 0, "--games 0: expected at least one game");
    ensure!(args.by > 1.0 && args.by.is_finite(), "--by {}: expected a number above 1", args.by);
    let groups = groups(args.variant);
    println!(
        "\ntune, {}: {} nodes a move, weights times or divided by {}",
        args.variant, args.nodes, args.by
    );
    let games = play_games(args, &groups)?;
    let plies = Mean::of(&games.iter().map(|game| game.plies as f64).collect::<Vec<_>>());
    println!("{} games of {:.0} plies", games.len(), plies.value);
    let mut rows: Vec<_> =
        groups.iter().enumerate().map(|(index, group)| (effect(&games, index), group)).collect();
    rows.sort_by(|(one, _), (other, _)| one.value.total_cmp(&other.value));
    println!("share of the first place with the larger weights, minus that with the smaller");
    for (Mean { value, error }, group) in rows {
        println!("{:<24} {} +- {}", group.name, percent(value), percent(error));
        figures.add(format!("{}, {}", args.variant, group.name), 100.0 * value, "%");
        figures.add(format!("{}, {}, half interval", args.variant, group.name), 100.0 * error, "%");
    }
    Ok(())
}

/// Returns the effect of a group: the mean share with the larger weights, minus the mean share with
/// the smaller weights.
fn effect(games: &[Sample], group: usize) -> Mean {
    let [larger, smaller] = [true, false].map(|is_larger| {
        let seats = games.iter().flat_map(|game| &game.seats);
        let shares: Vec<f64> =
            seats.filter(|(larger, _)| larger[group] == is_larger).map(|&(_, share)| share).collect();
        Mean::of(&shares)
    });
    Mean { value: larger.value - smaller.value, error: larger.error.hypot(smaller.error) }
}

/// Plays all games, several at the same time.
fn play_games(args: &Args, groups: &[Group]) -> Result<Vec<Sample>> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..args.common.concurrency() {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let player = || BuiltInPlayer::with_nodes(Level::FULL, args.nodes);
                let mut players: Vec<BuiltInPlayer> =
                    args.variant.colors().iter().map(|_| player()).collect();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.games
                        || sender.send(play_game(args, groups, number, &mut players)).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut games = Vec::new();
        for game in receiver {
            games.push(game.inspect_err(|_| next.store(args.games, Ordering::Relaxed))?);
            if games.len().is_multiple_of(GAMES_BETWEEN_LINES) {
                eprintln!("{} games", games.len());
            }
        }
        Ok(games)
    })
}

/// The number of games between two lines about the progress.
const GAMES_BETWEEN_LINES: usize = 100;

/// Plays a game with random weights.
fn play_game(args: &Args, groups: &[Group], number: u64, players: &mut [BuiltInPlayer]) -> Result<Sample> {
    let seed = args.common.seed;
    let mut rng = Rng::from_path(&[seed, number, players.len() as u64]);
    let mut larger = Vec::new();
    for player in &mut *players {
        let (mut weights, mut of_player) = (Weights::of(args.variant), Vec::new());
        for group in groups {
            let is_larger = rng.below(2) == 0;
            let by = if group.name.starts_with("MATERIAL") { args.by.powf(0.25) } else { args.by };
            weights.scale(group.terms.clone(), if is_larger { by } else { by.recip() });
            of_player.push(is_larger);
        }
        player.set_weights(weights);
        player.begin(args.variant, rng.next_u64())?;
        larger.push(of_player);
    }
    let opening = opening::random(args.variant, Rng::from_path(&[seed, number]));
    let mut seated: Vec<&mut dyn Player> = Vec::new();
    for player in players {
        seated.push(player);
    }
    let max_plies = args.common.max_plies(args.variant);
    let result = play(args.variant, &opening, &mut seated, |_| true, max_plies)?;
    Ok(Sample { seats: larger.into_iter().zip(result.shares).collect(), plies: result.plies })
}
