//! Measurements of several servers that form a cluster. All processes run on this machine, and
//! share its processors with the clients.

mod checked;
mod crowd;
mod cuts;
mod hop;
mod lists;
mod load;
mod played;
mod rolling;
mod soak;
mod take_over;

use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::Variant;
use quadrex_tests::Nodes;
use quadrex_tests::contest::{plain, without_rate_limits};

use crate::figures::Figures;
use take_over::Loss;

/// The size of the run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Moves at the owner and at another node
    #[arg(long, default_value_t = 500)]
    moves: usize,
    /// Running matches of a node that is lost
    #[arg(long, default_value_t = 100)]
    matches: usize,
    /// Milliseconds between two moves of each of these matches
    #[arg(long, default_value_t = 1_000)]
    pause_ms: u64,
    /// Times that a node is killed, and times that a node is stopped
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Times that each cut is made
    #[arg(long, default_value_t = 20)]
    cut_rounds: usize,
    /// Matches at each place while a cut is made
    #[arg(long, default_value_t = 10)]
    cut_matches: usize,
    /// Only these cuts
    #[arg(long, value_enum, value_delimiter = ',')]
    cuts: Vec<cuts::Fault>,
    /// Watchers of one table at all nodes
    #[arg(long, default_value_t = 15_000)]
    watchers: usize,
    /// Moves at this table
    #[arg(long, default_value_t = 30)]
    watched_moves: usize,
    /// Tables that are played while the lists are measured
    #[arg(long, default_value_t = 1_000)]
    tables: usize,
    /// Milliseconds between two moves of each of these tables
    #[arg(long, default_value_t = 10_000)]
    table_pause_ms: u64,
    /// Minutes of random faults
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Seed of the random faults
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these parts
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
}

/// The parts of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Latency of moves of players who are connected to the owner, and to another node
    Hop,
    /// Matches whose owner is killed
    Death,
    /// Matches whose owner is stopped
    Drain,
    /// Matches while a node is cut off, stands still, or is lost with its machine
    Cuts,
    /// One table with many watchers at all nodes
    Crowd,
    /// The lists of tables while many matches are played
    Lists,
    /// A random fault each minute, and the growth of the nodes
    Soak,
    /// Matches that are played while all nodes are restarted, one after the other
    Rolling,
}

/// The number of nodes.
const NODES: usize = 3;

/// The node that owns the matches.
const OWNER: usize = 0;

/// The time of each player, which is longer than a run.
const BASE: Duration = Duration::from_secs(3_600);

/// The time in which load balancers notice that a node stops.
const LEAVE_SECONDS: u64 = 2;

/// The filter of the nodes' logs, in which the start of a cluster is recognized.
const LOG_FILTER: &str = "warn,quadrex_server::app::cluster=info";

/// Runs all parts.
///
/// # Errors
/// If a part cannot be run. Slow moves, and faults that are counted, are not errors.
pub(crate) async fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let is_wanted = |part| args.only.is_empty() || args.only.contains(&part);
    let settings = |launch| without_rate_limits(launch).with_env("QUADREX_LOG__FILTER", LOG_FILTER);
    if is_wanted(Part::Cuts) || is_wanted(Part::Soak) {
        let mut nodes = Nodes::start_with_links(NODES, settings).await.context("starting the cluster")?;
        let plan = cuts::Plan {
            matches: args.cut_matches,
            pause: Duration::from_millis(args.pause_ms),
            rounds: args.cut_rounds,
        };
        if is_wanted(Part::Cuts) {
            let all = cuts::Fault::value_variants();
            let faults = if args.cuts.is_empty() { all } else { &args.cuts };
            cuts::measure(&mut nodes, plan, faults, figures).await?;
        }
        if is_wanted(Part::Soak) {
            soak::measure(&mut nodes, plan, args.minutes, args.seed, figures).await?;
        }
    }
    if is_wanted(Part::Rolling) {
        let pause = Duration::from_millis(args.pause_ms);
        println!("{} matches, a move every {pause:?} each, restarts of all nodes", args.matches);
        let leaving = |launch| settings(launch).with_env("QUADREX_SERVER__LEAVE_SECONDS", LEAVE_SECONDS);
        let mut nodes = Nodes::start_with(NODES, leaving).await.context("starting the cluster")?;
        let plan = quadrex_tests::rolling::Plan { matches: args.matches, pause };
        rolling::measure(&mut nodes, plan, figures).await?;
    }
    if ![Part::Hop, Part::Death, Part::Drain, Part::Crowd, Part::Lists].into_iter().any(is_wanted) {
        return Ok(());
    }
    let mut nodes = Nodes::start_with(NODES, settings).await.context("starting the cluster")?;
    if is_wanted(Part::Hop) {
        println!("{} moves at the owner and at another node, in turn", args.moves);
        hop::measure(&nodes, args.moves, figures).await?;
    }
    let plan = take_over::Plan { matches: args.matches, pause: Duration::from_millis(args.pause_ms) };
    for (part, loss) in [(Part::Death, Loss::Killed), (Part::Drain, Loss::Stopped)] {
        if !is_wanted(part) {
            continue;
        }
        for round in 1..=args.rounds {
            println!("{} matches, a move every {:?} each, round {round} of {loss}", plan.matches, plan.pause);
            let name = if args.rounds == 1 { loss.to_string() } else { format!("{loss} {round}") };
            take_over::measure(&mut nodes, &plan, loss, &name, figures).await?;
            nodes.start_node(OWNER).await?;
        }
    }
    if is_wanted(Part::Crowd) {
        println!("{} watchers of one table at {NODES} nodes", args.watchers);
        crowd::measure(&nodes, args.watchers, args.watched_moves, figures).await?;
    }
    if is_wanted(Part::Lists) {
        println!("lists of {} tables, a move every {} ms each", args.tables, args.table_pause_ms);
        lists::measure(&nodes, args.tables, Duration::from_millis(args.table_pause_ms), figures).await?;
    }
    Ok(())
}

/// Returns the request for a table with clocks.
fn table() -> CreateTable {
    let base_ms = u64::try_from(BASE.as_millis()).expect("an hour is short");
    let time = TimeSetting::Fischer { base_ms, increment_ms: 0 };
    CreateTable { time: Some(time), ..plain(Variant::Classic) }
}

/// Times in ascending order.
struct Times(Vec<Duration>);

impl Times {
    fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// Returns the time below which this share of the times is, in milliseconds.
    fn quantile_ms(&self, share: f64) -> f64 {
        let rank = (self.0.len() as f64 * share).ceil() as usize;
        self.0.get(rank.max(1) - 1).map_or(f64::NAN, |time| time.as_secs_f64() * 1_000.0)
    }

    fn report(&self, name: &str, figures: &mut Figures) {
        figures.add(&format!("{name}, p50"), self.quantile_ms(0.5), "ms");
        figures.add(&format!("{name}, p99"), self.quantile_ms(0.99), "ms");
        figures.add(&format!("{name}, max"), self.quantile_ms(1.0), "ms");
    }
}
