//! A long run of the server: people play, leave, return and lose their connections in several
//! rounds. After each round everybody leaves, and the server must hold no more than before.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::Variant;
use quadrex_store::Store;
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::proxy::Proxy;
use quadrex_tests::stuck_matches::stuck_matches;
use quadrex_tests::swarm::{self, Pace, Plan, Swarm};
use quadrex_tests::{Crowd, Database, Launch, Server};
use tokio::time::sleep;

use crate::figures::Figures;

/// The size of the run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Minutes of play, shared by all rounds; each round takes some more until the server is idle
    #[arg(long, default_value_t = 30)]
    minutes: u64,
    /// Rounds to compare, after a first round that warms the server up
    #[arg(long, default_value_t = 2)]
    rounds: u64,
    /// Tables of four players and two watchers, whose connections are reset repeatedly
    #[arg(long, default_value_t = 32)]
    tables: usize,
    /// Visitors, each with another purpose at every visit
    #[arg(long, default_value_t = 8)]
    visitors: usize,
    /// Use Postgres instead of SQLite
    #[arg(long)]
    postgres: bool,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The interval between two checks.
const PAUSE: Duration = Duration::from_secs(5);

/// The time control at the tables. It is enough for a match between programs, and short enough to
/// end an abandoned match soon.
const TIME: TimeSetting = TimeSetting::Fischer { base_ms: 20_000, increment_ms: 0 };

/// The maximum time until a round has left nothing behind. Three of four clocks run down one after
/// another, the task of a closed table lives for 30 s, and the server logs its counts every 30 s.
const DRAIN: Duration = Duration::from_secs(300);

/// The range of the number of bytes after which a connection is reset.
const LASTS: std::ops::Range<usize> = 1_000..400_000;

/// The allowed growth of memory from the end of the first round to the end of the last: a fraction
/// of the former, and KiB. All rounds are about equal, so a leak grows with the number of rounds,
/// but memory retained by an allocator does not.
const GROWTH: (f64, f64) = (0.15, 8.0 * 1024.0);

/// The resources of a process (proc(5)).
#[derive(Clone, Copy, Debug)]
struct ProcessUsage {
    resident_kib: u64,
    threads: u64,
    descriptors: usize,
}

impl ProcessUsage {
    fn by(process: u32) -> Result<Self> {
        let path = format!("/proc/{process}/status");
        let status = std::fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let word = line.and_then(|line| line.split_whitespace().next());
            word.and_then(|word| word.parse().ok()).with_context(|| format!("{path} has no {name}"))
        };
        let folder = format!("/proc/{process}/fd");
        let descriptors = std::fs::read_dir(&folder).with_context(|| format!("reading {folder}"))?.count();
        Ok(Self { resident_kib: number("VmRSS:")?, threads: number("Threads:")?, descriptors })
    }

    fn add(self, other: Self) -> Self {
        Self {
            resident_kib: self.resident_kib.max(other.resident_kib),
            threads: self.threads.max(other.threads),
            descriptors: self.descriptors.max(other.descriptors),
        }
    }
}

/// The latest counts that the server has logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted {
    times: usize,
    tasks: u64,
    unfinished: u64,
    unowned: u64,
}

impl Counted {
    fn in_log(log: &str) -> Result<Self> {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("reconciler: alive")).collect();
        let Some(last) = lines.last() else { return Ok(Self::default()) };
        let number = |name: &str| {
            let word = last.split_whitespace().find_map(|word| word.strip_prefix(name));
            word.and_then(|word| word.parse().ok()).with_context(|| format!("no {name} in {last}"))
        };
        Ok(Self {
            times: lines.len(),
            tasks: number("tasks=")?,
            unfinished: number("unfinished=")?,
            unowned: number("unowned=")?,
        })
    }
}

/// A server under test.
struct Soak<'a> {
    args: &'a Args,
    launch: Launch,
    server: Server,
    store: Store,
    /// The number of the server's tasks before the first visitor.
    tasks: u64,
}

/// Runs all rounds.
///
/// # Errors
/// If the server keeps resources, grows, or leaves a match unattended.
pub(crate) async fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let database = if args.postgres { Database::postgres().await? } else { Database::Sqlite };
    let soak = Soak::begin(args, &database).await?;
    let before = ProcessUsage::by(soak.server.process()?)?;
    let each = Duration::from_secs(args.minutes * 60).div_f64((args.rounds + 1) as f64);
    println!("{} rounds of {each:?}, and one before to get warm", args.rounds);
    report("before", before, figures);
    let warm = soak.round(0, each, figures).await?;
    let mut last = warm;
    for round in 1..=args.rounds {
        last = soak.round(round, each, figures).await?;
        ensure!(last.descriptors <= before.descriptors, "{last:?} and not {before:?}");
        ensure!(last.threads <= warm.threads, "{last:?} and not {warm:?}");
    }
    let growth = last.resident_kib as f64 / warm.resident_kib as f64 - 1.0;
    figures.add("memory after the last round, more than after the first", growth * 100.0, "%");
    let most = warm.resident_kib as f64 * (1.0 + GROWTH.0) + GROWTH.1;
    ensure!(last.resident_kib as f64 <= most, "{last:?} after {warm:?}, more than {most:.0} KiB");
    let log = soak.launch.log();
    let faults: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    ensure!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    println!("nothing was left, nothing stood still, and memory grew by {:.1} %", growth * 100.0);
    Ok(())
}

impl<'a> Soak<'a> {
    async fn begin(args: &'a Args, database: &Database) -> Result<Self> {
        let launch = without_rate_limits(Launch::new(database)?)
            .with_env("QUADREX_TABLES__CLOSE_OPEN_SECONDS", 2)
            .with_env("QUADREX_TABLES__CLOSE_ENDED_SECONDS", 2)
            // The server opens all its database connections at the start, so that descriptors can
            // be compared.
            .with_env("QUADREX_DATABASE__MAX_CONNECTIONS", 1)
            .with_env("QUADREX_DATABASE__APPEND_CONNECTIONS", 1)
            .with_env("QUADREX_LOG__FILTER", "warn,quadrex_server::app::reconciler=debug");
        let server = launch.start().await?;
        let (store, _) =
            Store::open_read_only(&launch.location()?).await?.context("the database is there")?;
        while Counted::in_log(&launch.log())?.times == 0 {
            sleep(PAUSE).await;
        }
        let tasks = Counted::in_log(&launch.log())?.tasks;
        Ok(Self { args, launch, server, store, tasks })
    }

    /// Runs one round. Returns the server's resources once everybody has left.
    async fn round(&self, number: u64, lasts: Duration, figures: &mut Figures) -> Result<ProcessUsage> {
        let Args { tables, visitors, seed, .. } = *self.args;
        let address = self.server.address();
        let proxy = Proxy::start(address, Some(LASTS), seed + number).await?;
        let plan = Plan {
            address,
            connections: proxy.address(),
            tables,
            variant: Variant::Dilkel,
            time: Some(TIME),
            watchers: 2,
            pace: Pace::ClosedLoop,
            ledger: None,
            resigns: None,
            seed: seed + number,
        };
        let swarm = Swarm::start(&plan).await?;
        let crowd = Crowd::start(address, visitors);
        let process = self.server.process()?;
        let (mut most, mut tasks) = (ProcessUsage::by(process)?, 0);
        let since = swarm::now();
        while since.elapsed() < lasts {
            sleep(PAUSE).await;
            most = most.add(ProcessUsage::by(process)?);
            let counted = Counted::in_log(&self.launch.log())?;
            tasks = tasks.max(counted.tasks);
            ensure!(counted.unowned == 0, "{} matches have no actor", counted.unowned);
            let stuck_matches = stuck_matches(&self.store).await?;
            ensure!(stuck_matches.is_empty(), "no deadline would end {stuck_matches:?}");
        }
        let (done, broken) = (swarm.tally().done(), swarm.tally().broken());
        let visits = crowd.finish().await?;
        let played = swarm.finish().await?;
        let wrong: Vec<&String> = played.iter().flat_map(|table| &table.wrong).collect();
        ensure!(wrong.is_empty(), "{wrong:?}");
        drop(proxy);
        let name = format!("round {number}");
        figures.add(&format!("{name}: commands"), done as f64, "");
        figures.add(&format!("{name}: lines broken"), broken as f64, "");
        figures.add(&format!("{name}: visits"), visits as f64, "");
        figures.add(&format!("{name}: most tasks counted"), tasks as f64, "");
        report(&format!("{name}, most"), most, figures);
        let since = swarm::now();
        let left = self.drain().await.with_context(|| name.clone())?;
        figures.add(&format!("{name}: until all was quiet"), since.elapsed().as_secs_f64(), "s");
        report(&format!("{name}, after it"), left, figures);
        Ok(left)
    }

    /// Waits until the server counts no match and no more tasks than before the first visitor.
    async fn drain(&self) -> Result<ProcessUsage> {
        let before = Counted::in_log(&self.launch.log())?;
        let since = swarm::now();
        loop {
            sleep(PAUSE).await;
            let counted = Counted::in_log(&self.launch.log())?;
            let is_quiet = counted.unfinished == 0 && counted.tasks <= self.tasks;
            if counted.times > before.times && is_quiet && self.store.unfinished().await?.is_empty() {
                return ProcessUsage::by(self.server.process()?);
            }
            if since.elapsed() > DRAIN {
                bail!("not quiet after {DRAIN:?}: {counted:?}, {} tasks before", self.tasks);
            }
        }
    }
}

fn report(name: &str, held: ProcessUsage, figures: &mut Figures) {
    figures.add(&format!("{name}: resident"), held.resident_kib as f64 / 1024.0, "MiB");
    figures.add(&format!("{name}: descriptors"), held.descriptors as f64, "");
    figures.add(&format!("{name}: threads"), held.threads as f64, "");
}
