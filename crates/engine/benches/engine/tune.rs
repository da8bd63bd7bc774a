//! What tells in games between players who differ by chance in what counts for them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Result, ensure};
use quadrex_engine::Level;
use quadrex_engine::tuning::{self, Weights};
use quadrex_rules::Variant;

use super::common::{Common, percent};
use super::figures::Figures;
use super::game::{self, Player};
use super::in_process::InProcess;
use super::opening;
use super::random::Random;
use super::statistics::Mean;

/// For each player of each game every group of weights is larger or smaller, by lot. What a group tells is by how much more of
/// the first places those have for whom it is larger: all groups are found out in the same games, and what players of one kind
/// have in common when they win does not count.
#[derive(Clone, Debug, clap::Parser)]
pub(crate) struct Args {
    /// How many games are played
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Which game
    #[arg(long, default_value_t = Variant::Dilkel)]
    variant: Variant,
    /// Positions a player may look at for a move
    #[arg(long, default_value_t = 1_500)]
    nodes: u64,
    /// What weights are multiplied by or divided by; those of material by its fourth root
    #[arg(long, default_value_t = 1.5)]
    by: f64,
    #[command(flatten)]
    common: Common,
}

/// Weights that are larger or smaller together.
struct Group {
    name: &'static str,
    terms: Range<usize>,
}

/// The groups of a variant that weigh anything.
fn groups(variant: Variant) -> Vec<Group> {
    let weights = tuning::weights(variant);
    let groups = tuning::groups(variant).into_iter().map(|(name, terms)| Group { name, terms });
    groups.filter(|group| weights[group.terms.clone()].iter().any(|weight| *weight != [0, 0])).collect()
}

/// A game: which groups were larger for each seat, and its part of the first place.
struct Played {
    seats: Vec<(Vec<bool>, f64)>,
    plies: usize,
}

/// Plays, prints a line for each group, those that tell most against being larger first, and keeps the figures.
///
/// # Errors
/// When no game is asked for, nothing would differ, or a player finds no move.
pub(crate) fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    ensure!(args.games > 0, "--games 0: no game was asked for");
    ensure!(args.by > 1.0 && args.by.is_finite(), "--by {}: expected a number above 1", args.by);
    let groups = groups(args.variant);
    println!(
        "\ntune, {}: {} nodes a move, weights times or divided by {}",
        args.variant, args.nodes, args.by
    );
    let games = play(args, &groups)?;
    let plies = Mean::of(&games.iter().map(|game| game.plies as f64).collect::<Vec<_>>());
    println!("{} games of {:.0} plies", games.len(), plies.value);
    let mut rows: Vec<_> =
        groups.iter().enumerate().map(|(index, group)| (told(&games, index), group)).collect();
    rows.sort_by(|(one, _), (other, _)| one.value.total_cmp(&other.value));
    println!("first places of those for whom it is larger, less those for whom it is smaller");
    for (Mean { value, error }, group) in rows {
        println!("{:<24} {} +- {}", group.name, percent(value), percent(error));
        figures.add(format!("{}, {}", args.variant, group.name), 100.0 * value, "%");
        figures.add(format!("{}, {}, half interval", args.variant, group.name), 100.0 * error, "%");
    }
    Ok(())
}

/// What a group tells: the mean part of the first place with more of it, less that with less of it.
fn told(games: &[Played], group: usize) -> Mean {
    let [more, less] = [true, false].map(|is_larger| {
        let seats = games.iter().flat_map(|game| &game.seats);
        let parts: Vec<f64> =
            seats.filter(|(larger, _)| larger[group] == is_larger).map(|&(_, part)| part).collect();
        Mean::of(&parts)
    });
    Mean { value: more.value - less.value, error: more.error.hypot(less.error) }
}

fn play(args: &Args, groups: &[Group]) -> Result<Vec<Played>> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..args.common.concurrency() {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let player = || InProcess::with_nodes(Level::FULL, args.nodes);
                let mut players: Vec<InProcess> = args.variant.colors().iter().map(|_| player()).collect();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.games || sender.send(one(args, groups, number, &mut players)).is_err() {
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

/// How many games go by between two words of how far it has come.
const GAMES_BETWEEN_LINES: usize = 100;

fn one(args: &Args, groups: &[Group], number: u64, players: &mut [InProcess]) -> Result<Played> {
    let seed = args.common.seed;
    let mut lot = Random::of(&[seed, number, players.len() as u64]);
    let mut larger = Vec::new();
    for player in &mut *players {
        let (mut weights, mut of_player) = (Weights::of(args.variant), Vec::new());
        for group in groups {
            let is_larger = lot.pick(&[true, false]);
            let by = if group.name.starts_with("MATERIAL") { args.by.powf(0.25) } else { args.by };
            weights.scale(group.terms.clone(), if is_larger { by } else { by.recip() });
            of_player.push(is_larger);
        }
        player.use_weights(weights);
        player.begin(args.variant, lot.next())?;
        larger.push(of_player);
    }
    let opening = opening::random(args.variant, Random::of(&[seed, number]));
    let mut seated: Vec<&mut dyn Player> = Vec::new();
    for player in players {
        seated.push(player);
    }
    let longest = args.common.longest(args.variant);
    let finished = game::play(args.variant, &opening, &mut seated, |_| true, longest)?;
    Ok(Played { seats: larger.into_iter().zip(finished.shares).collect(), plies: finished.plies })
}
