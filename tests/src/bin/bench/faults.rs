//! The faults of `tests/faults` in a long run.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::Variant;
use quadrex_tests::Database;
use quadrex_tests::fault_injection::{self, FaultPlan, FaultReport};

use crate::figures::Figures;

/// The size of the run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Kills of the server, on each database
    #[arg(long, default_value_t = 200)]
    kills: u64,
    /// Only kills of the server
    #[arg(long)]
    only_kills: bool,
    /// Acknowledged commands while the server is killed, on each database
    #[arg(long, default_value_t = 100_000)]
    commands: u64,
    /// Kills of Postgres
    #[arg(long, default_value_t = 50)]
    postgres_kills: u64,
    /// Clean restarts of Postgres
    #[arg(long, default_value_t = 50)]
    postgres_restarts: u64,
    /// Stalls of 20 s while clocks run, first of the server, then of Postgres
    #[arg(long, default_value_t = 5)]
    standstills: u64,
    /// Steps of the server's time by an hour forwards or backwards, each with a kill and a start
    #[arg(long, default_value_t = 20)]
    steps: u64,
    /// Full disks under SQLite; needs root to mount a small file system
    #[arg(long, default_value_t = 20)]
    full_disks: u64,
    /// Times that all connections to Postgres wait 15 s for a lock
    #[arg(long, default_value_t = 5)]
    exhaustions: u64,
    /// Times that all connections are left half open
    #[arg(long, default_value_t = 20)]
    losses: u64,
    /// Connections to Postgres that break at a commit
    #[arg(long, default_value_t = 1_000)]
    cuts: u64,
    /// Connections of clients that are reset
    #[arg(long, default_value_t = 5_000)]
    resets: u64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs all faults, one after another.
///
/// # Errors
/// If a check finds a violation; later faults are not tried.
pub(crate) async fn run(args: &Args, figures: &mut Figures) -> Result<()> {
    let plan = FaultPlan {
        tables: 16,
        variant: Variant::Dilkel,
        time: None,
        watchers: 2,
        injections: args.kills,
        commands: args.commands,
        seed: args.seed,
    };
    let killed = fault_injection::killed_server(&Database::Sqlite, &plan).await;
    report_figures("the server killed, on SQLite", &killed.context("the server killed, on SQLite")?, figures);
    let killed = fault_injection::killed_server(&Database::postgres().await?, &plan).await;
    report_figures(
        "the server killed, on Postgres",
        &killed.context("the server killed, on Postgres")?,
        figures,
    );
    if args.only_kills {
        return Ok(());
    }
    let fewer = FaultPlan { injections: args.postgres_kills, commands: args.commands / 10, ..plan };
    let killed = fault_injection::killed_postgres(&fewer).await;
    report_figures("Postgres killed", &killed.context("Postgres killed")?, figures);
    let restarted =
        fault_injection::restarted_postgres(&FaultPlan { injections: args.postgres_restarts, ..fewer }).await;
    report_figures("Postgres restarted", &restarted.context("Postgres restarted")?, figures);
    let clocks = TimeSetting::Delay { base_ms: 5_000, delay_ms: 5_000 };
    let timed = FaultPlan { injections: args.standstills, time: Some(clocks), ..fewer };
    let stall = Duration::from_secs(20);
    let stopped = fault_injection::stalled_server(&Database::Sqlite, &timed, stall).await;
    report_unflagged("the server still for 20 s", &stopped.context("the server still")?, figures)?;
    let stopped = fault_injection::stalled_postgres(&timed, stall).await;
    report_unflagged("Postgres still for 20 s", &stopped.context("Postgres still")?, figures)?;
    let minutes = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 2_000 };
    let timed = FaultPlan { injections: args.steps, time: Some(minutes), ..fewer };
    let stepped = fault_injection::stepped_clock(&Database::Sqlite, &timed).await;
    report_unflagged("the time an hour away", &stepped.context("the time an hour away")?, figures)?;
    let full = fault_injection::full_disk(&FaultPlan { injections: args.full_disks, ..fewer }).await;
    report_figures("a full disk", &full.context("a full disk")?, figures);
    let longer = Duration::from_secs(15);
    let exhausted =
        fault_injection::exhausted_pool(&FaultPlan { injections: args.exhaustions, ..fewer }, longer).await;
    report_figures(
        "all connections held up for 15 s",
        &exhausted.context("all connections held up")?,
        figures,
    );
    let half_open = fault_injection::half_open_connections(
        &Database::Sqlite,
        &FaultPlan { injections: args.losses, ..fewer },
    )
    .await;
    report_figures("lines half open", &half_open.context("lines half open")?, figures);
    let cut = fault_injection::cut_commits(&FaultPlan { injections: args.cuts, ..fewer }).await;
    let (cut, cuts) = cut.context("commits of unknown outcome")?;
    report_figures("commits of unknown outcome", &cut, figures);
    figures.add("commits of unknown outcome: not done", cuts.before_commit as f64, "");
    figures.add("commits of unknown outcome: done", cuts.after_commit as f64, "");
    let reset = fault_injection::reset_connections(
        &Database::Sqlite,
        &FaultPlan { injections: args.resets, ..fewer },
    )
    .await;
    report_figures("lines reset at any byte", &reset.context("lines reset at any byte")?, figures);
    let silence = Duration::from_secs(10);
    let silent = fault_injection::stalled_connections(
        &Database::Sqlite,
        &FaultPlan { injections: 5, ..fewer },
        silence,
    )
    .await;
    report_figures("lines silent for 10 s", &silent.context("lines silent for 10 s")?, figures);
    Ok(())
}

/// Reports a run in which no flag may fall. The figures are those of [`report_figures`].
fn report_unflagged(name: &str, report: &FaultReport, figures: &mut Figures) -> Result<()> {
    ensure!(report.checked.flags == 0, "{name}: somebody was flagged who could not move: {report:?}");
    report_figures(name, report, figures);
    Ok(())
}

fn report_figures(name: &str, report: &FaultReport, figures: &mut Figures) {
    let FaultReport { injections, checked, broken, took } = report;
    println!("{name}: nothing lost, doubled, reordered, or received otherwise");
    let mut add = |what: &str, value: u64, unit: &str| {
        figures.add(&format!("{name}: {what}"), value as f64, unit);
    };
    add("times", *injections, "");
    add("commands acknowledged and found", checked.acknowledged, "");
    add("commands refused and not found", checked.refused, "");
    add("reported faults whose commands are found", checked.faulted_but_logged, "");
    add("events received and found", checked.received, "");
    add("events superseded by a rematch", checked.superseded, "");
    add("events in the logs", checked.events, "");
    add("matches", checked.matches, "");
    add("lines broken", *broken, "");
    figures.add(&format!("{name}: time each"), took.as_secs_f64() / (*injections).max(1) as f64, "s");
}
