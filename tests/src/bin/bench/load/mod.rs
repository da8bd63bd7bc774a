//! Load tests. The server runs on one core and all clients on another.

mod bare;
mod bots;
mod hibernation;
mod logins;
pub(crate) mod process;

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::swarm::{self, Idle, LatencySummary, Pace, Plan, Swarm};
use quadrex_tests::{Database, Launch, Server};

pub(crate) use bare::serve as serve_bare;

use crate::figures::Figures;
pub(crate) use process::Usage;

/// The size of the run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seconds for which each shape is measured
    #[arg(long, default_value_t = 15)]
    seconds: u64,
    /// Tables of four players and eight watchers that move as fast as they can
    #[arg(long, default_value_t = 200)]
    tables: usize,
    /// Connections that do nothing
    #[arg(long, default_value_t = 10_000)]
    idle: usize,
    /// Connections that watch and never read
    #[arg(long, default_value_t = 1_000)]
    deaf: usize,
    /// Matches that move at an even pace, each with one watcher
    #[arg(long, default_value_t = 2_000)]
    matches: usize,
    /// Moves per second of all these matches together
    #[arg(long, default_value_t = 400)]
    plies_per_second: u32,
    /// Tables of four people that move twice a second, measured beside bots
    #[arg(long, default_value_t = 50)]
    people: usize,
    /// Tables of four bots that search beside them
    #[arg(long, default_value_t = 20)]
    bots: usize,
    /// Search threads of the bots, on the server's core
    #[arg(long, default_value_t = 1)]
    bot_threads: usize,
    /// Matches that hibernate
    #[arg(long, default_value_t = 100_000)]
    hibernating: usize,
    /// Only these shapes
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Shape>,
    /// Watchers at one table
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 5_000])]
    watchers: Vec<usize>,
}

/// The shapes of load.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Shape {
    /// Tables that move as fast as they can
    Tables,
    /// Connections that do nothing
    Idle,
    /// Connections that never read
    Deaf,
    /// One table with many watchers
    Watchers,
    /// Matches that move at an even pace
    Matches,
    /// Tables of people beside tables of bots
    Bots,
    /// Matches that hibernate
    Hibernation,
    /// Tables that move as fast as they can, beside people who sign in
    Logins,
}

/// The core that only the server uses. Everything else runs on the other core.
const SERVER_CORE: &str = "0";

/// The players and watchers of each table that moves as fast as it can.
const PLAYERS: usize = 4;
const WATCHERS: usize = 8;

/// The time for which a load runs before it is measured.
const WARM_UP: Duration = Duration::from_secs(3);

/// The interval between two samples of a process.
const SAMPLE: Duration = Duration::from_millis(50);

/// The number of files that the database may open during the measurement.
const DATABASE_FILES: usize = 16;

/// The maximum time until clients that never read are disconnected.
const GIVEN_UP: Duration = Duration::from_secs(120);

/// Runs all shapes.
///
/// # Errors
/// If a shape does not finish. Slowness is not an error.
pub(crate) async fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let window = Duration::from_secs(args.seconds);
    let is_wanted = |shape| args.only.is_empty() || args.only.contains(&shape);
    if is_wanted(Shape::Tables) {
        println!("{} tables of 4 players and 8 watchers, as fast as they can, {window:?} each", args.tables);
        let bare = bare::measure(args.tables, window).await?;
        figures.add(BARE, bare, "deliveries per CPU-second");
        closed_loop(&Database::Sqlite, "SQLite", args.tables, window, bare, figures).await?;
        let database = Database::postgres().await?;
        closed_loop(&database, "Postgres", args.tables, window, bare, figures).await?;
    }
    if is_wanted(Shape::Idle) {
        println!("{} connections that do nothing", args.idle);
        idle(args.idle, figures).await?;
    }
    if is_wanted(Shape::Deaf) {
        println!("{} connections that watch one table and never read", args.deaf);
        deaf(args.deaf, figures).await?;
    }
    if is_wanted(Shape::Watchers) {
        for &watchers in &args.watchers {
            println!("one table with {watchers} watchers, a move a second");
            one_table(&Database::postgres().await?, watchers, window, figures).await?;
        }
    }
    if is_wanted(Shape::Matches) {
        println!("{} matches with a watcher each, {} moves a second", args.matches, args.plies_per_second);
        even_pace(&Database::postgres().await?, args, window, figures).await?;
    }
    if is_wanted(Shape::Bots) {
        println!("{} tables of people beside {} of bots, on one core", args.people, args.bots);
        let shape = bots::Shape { people: args.people, bots: args.bots, threads: args.bot_threads, window };
        bots::measure(&Database::Sqlite, &shape, figures).await?;
    }
    if is_wanted(Shape::Hibernation) {
        println!("{} hibernating matches", args.hibernating);
        hibernation::measure(args.hibernating, figures).await?;
    }
    if is_wanted(Shape::Logins) {
        println!("{} tables as fast as they can, without logins and with two a second by turns", args.tables);
        logins::measure(args.tables, window, figures).await?;
    }
    Ok(())
}

const BARE: &str = "bare axum broadcast";

/// Returns the configuration of a server on its own core. It makes no automatic reviews, because
/// they would use what is left of the core, and their processor time would count as that of the
/// deliveries.
fn launch(database: &Database) -> Result<Launch> {
    Ok(without_rate_limits(Launch::new(database)?)
        .on_core(SERVER_CORE)
        .with_env("QUADREX_LOG__FILTER", "warn")
        .with_env("QUADREX_REVIEWS__AUTOMATIC", false))
}

async fn start(database: &Database) -> Result<(Launch, Server)> {
    let launch = launch(database)?;
    let server = launch.start().await?;
    Ok((launch, server))
}

/// Returns the plan of a swarm with this number of tables.
pub(crate) fn plan(server: &Server, tables: usize, watchers: usize, pace: Pace) -> Plan {
    let address = server.address();
    Plan {
        address,
        connections: address,
        tables,
        variant: Variant::Dilkel,
        time: None,
        watchers,
        pace,
        ledger: None,
        resigns: None,
        seed: 1,
    }
}

async fn closed_loop(
    database: &Database,
    name: &str,
    tables: usize,
    window: Duration,
    bare: f64,
    figures: &mut Figures,
) -> Result<()> {
    let (_launch, server) = start(database).await?;
    let process = server.process()?;
    let swarm = Swarm::start(&plan(&server, tables, WATCHERS, Pace::ClosedLoop)).await?;
    swarm.tally().until_up((tables * (PLAYERS + WATCHERS)) as u64).await;
    tokio::time::sleep(WARM_UP).await;
    swarm.tally().forget_times();
    let (done, received) = (swarm.tally().done(), swarm.tally().received());
    let (since, usage) = (swarm::now(), Usage::of(process)?);
    let others = database.processes().iter().map(|&id| Usage::of(id)).collect::<Result<Vec<_>>>()?;
    tokio::time::sleep(window).await;
    let (seconds, used) = (since.elapsed().as_secs_f64(), Usage::of(process)?.cpu_since(&usage));
    let done = (swarm.tally().done() - done) as f64;
    let received = (swarm.tally().received() - received) as f64;
    figures.add(&format!("{name}: moves"), done / seconds, "a second");
    let per_second = received / used;
    figures.add_beside(&format!("{name}: delivered"), per_second, "deliveries per CPU-second", (BARE, bare));
    figures.add(&format!("{name}: server"), used / seconds, "cores");
    if !others.is_empty() {
        // Postgres starts and stops processes with connections; only processes that ran all the
        // time count.
        let now = database.processes();
        let used: f64 = others
            .iter()
            .filter(|usage| now.contains(&usage.process()))
            .filter_map(Usage::cpu_until_now)
            .sum();
        figures.add(&format!("{name}: database"), used / seconds, "cores");
    }
    add_latencies(&format!("{name}: move to last player"), swarm.tally().to_players(), figures);
    swarm.finish().await?;
    Ok(())
}

async fn idle(count: usize, figures: &mut Figures) -> Result<()> {
    let (_launch, server) = start(&Database::Sqlite).await?;
    let process = server.process()?;
    let before = Usage::of(process)?.resident_kib;
    let since = swarm::now();
    let idle = Idle::connect(server.address(), count).await?;
    let seconds = since.elapsed().as_secs_f64();
    let after = Usage::of(process)?.resident_kib;
    figures.add("idle: connections opened and greeted", count as f64 / seconds, "a second");
    figures.add("idle: resident", (after - before) as f64 / count as f64, "KiB a connection");
    drop(idle);
    Ok(())
}

/// Measures a table that moves as fast as it can and whose watchers never read, until the server
/// has disconnected them all.
async fn deaf(count: usize, figures: &mut Figures) -> Result<()> {
    let (_launch, server) = start(&Database::Sqlite).await?;
    let process = server.process()?;
    let swarm = Swarm::start(&plan(&server, 1, 0, Pace::ClosedLoop)).await?;
    swarm.tally().until_up(4).await;
    let (before, buffers) = (Usage::of(process)?, process::socket_buffers_kib()?);
    let deaf = Idle::deaf(server.address(), count, swarm.tables()[0]).await?;
    let (since, mut most, mut most_buffers) = (swarm::now(), 0, 0);
    let mut now = Usage::of(process)?;
    while now.descriptors > before.descriptors + DATABASE_FILES {
        ensure!(since.elapsed() < GIVEN_UP, "{} descriptors are open still", now.descriptors);
        most = most.max(now.resident_kib.saturating_sub(before.resident_kib));
        most_buffers = most_buffers.max(process::socket_buffers_kib()?.saturating_sub(buffers));
        tokio::time::sleep(SAMPLE).await;
        now = Usage::of(process)?;
    }
    figures.add("deaf: all let go", since.elapsed().as_secs_f64(), "s");
    figures.add("deaf: resident at most", most as f64 / 1024.0, "MiB");
    figures.add("deaf: buffers of all sockets of this machine at most", most_buffers as f64 / 1024.0, "MiB");
    drop(deaf);
    swarm.finish().await?;
    Ok(())
}

async fn one_table(
    database: &Database,
    watchers: usize,
    window: Duration,
    figures: &mut Figures,
) -> Result<()> {
    let (_launch, server) = start(database).await?;
    let swarm = Swarm::start(&plan(&server, 1, watchers, Pace::Every(Duration::from_secs(1)))).await?;
    swarm.tally().until_up(watchers as u64 + 4).await;
    tokio::time::sleep(WARM_UP).await;
    swarm.tally().forget_times();
    tokio::time::sleep(window).await;
    add_latencies(&format!("{watchers} watchers: move to last player"), swarm.tally().to_players(), figures);
    add_latencies(
        &format!("{watchers} watchers: move to last watcher"),
        swarm.tally().to_watchers(),
        figures,
    );
    swarm.finish().await?;
    Ok(())
}

async fn even_pace(database: &Database, args: &Args, window: Duration, figures: &mut Figures) -> Result<()> {
    let (launch, mut server) = start(database).await?;
    let process = server.process()?;
    let pause = Duration::from_secs_f64(args.matches as f64 / f64::from(args.plies_per_second));
    let swarm = Swarm::start(&plan(&server, args.matches, 1, Pace::Every(pause))).await?;
    let lines = args.matches as u64 * 5;
    swarm.tally().until_up(lines).await;
    tokio::time::sleep(WARM_UP).await;
    swarm.tally().forget_times();
    let (done, since, usage) = (swarm.tally().done(), swarm::now(), Usage::of(process)?);
    tokio::time::sleep(window).await;
    let seconds = since.elapsed().as_secs_f64();
    let (name, moved) = (format!("{} matches", args.matches), (swarm.tally().done() - done) as f64);
    figures.add(&format!("{name}: moves"), moved / seconds, "a second");
    figures.add(&format!("{name}: server"), Usage::of(process)?.cpu_since(&usage) / seconds, "cores");
    figures.add(&format!("{name}: resident"), Usage::of(process)?.resident_kib as f64 / 1024.0, "MiB");
    add_latencies(&format!("{name}: move to last player"), swarm.tally().to_players(), figures);
    add_latencies(&format!("{name}: move to watcher"), swarm.tally().to_watchers(), figures);

    let since = swarm::now();
    server.kill().await?;
    let launch = launch.bound_to(server.address());
    server = launch.start().await.context("starting after the kill")?;
    figures.add(&format!("{name}: killed and started"), since.elapsed().as_secs_f64(), "s");
    let since = swarm::now();
    swarm.tally().until_up(lines).await;
    figures.add(&format!("{name}: {lines} lines back"), since.elapsed().as_secs_f64(), "s after that");
    swarm.finish().await?;
    drop(server);
    Ok(())
}

fn add_latencies(name: &str, spread: LatencySummary, figures: &mut Figures) {
    let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
    figures.add(&format!("{name}, p50"), millis(spread.p50), "ms");
    figures.add(&format!("{name}, p99"), millis(spread.p99), "ms");
    figures.add(&format!("{name}, p99.9"), millis(spread.p999), "ms");
}
