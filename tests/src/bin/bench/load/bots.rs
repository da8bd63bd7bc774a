//! Tables of people beside tables of bots, on one core. The searches of bots must not slow people
//! down.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_protocol::bot::{BotChoice, BotSeat};
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::{TableId, bot::BotLevel};
use quadrex_rules::{DrawPolicy, Variant};
use quadrex_tests::contest::{plain, without_rate_limits};
use quadrex_tests::swarm::{self, Pace, Swarm};
use quadrex_tests::{Database, Launch, Server};

use super::process::Usage;
use super::{SERVER_CORE, WARM_UP, plan};
use crate::figures::Figures;

/// The time between two moves at a table of people. With many tables, some move is always in
/// progress.
const PAUSE: Duration = Duration::from_millis(500);

/// Size of the measurement.
pub(super) struct Shape {
    /// The number of tables of four people and a watcher.
    pub(super) people: usize,
    /// The number of tables of four bots at the highest level, which move as soon as their search
    /// ends.
    pub(super) bots: usize,
    /// The number of search threads.
    pub(super) threads: usize,
    pub(super) window: Duration,
}

/// Measures the time until all players have received a move, without and with bots.
///
/// # Errors
/// If the run does not finish, or the bots do not move. Slowness is not an error.
pub(super) async fn measure(database: &Database, shape: &Shape, figures: &mut Figures) -> Result<()> {
    let Shape { people, bots, threads, window } = *shape;
    let settings = [("MIN_DELAY_MS", 0), ("MAX_DELAY_MS", 0), ("THREADS", threads)];
    let launch = without_rate_limits(Launch::new(database)?)
        .on_core(SERVER_CORE)
        .with_env("QUADREX_LOG__FILTER", "warn");
    let launch = settings
        .into_iter()
        .fold(launch, |launch, (key, value)| launch.with_env(&format!("QUADREX_BOTS__{key}"), value));
    let server = launch.start().await?;
    let process = server.process()?;
    let swarm = Swarm::start(&plan(&server, people, 1, Pace::Every(PAUSE))).await?;
    swarm.tally().until_up(people as u64 * 5).await;

    let observe = async || {
        tokio::time::sleep(WARM_UP).await;
        swarm.tally().forget_times();
        let (since, usage) = (swarm::now(), Usage::of(process)?);
        tokio::time::sleep(window).await;
        let used = Usage::of(process)?.cpu_since(&usage) / since.elapsed().as_secs_f64();
        anyhow::Ok((swarm.tally().to_players(), used))
    };
    let (alone, used_alone) = observe().await?;
    let tables = seat_bots(&server, bots).await?;
    let before = plies(&server, &tables).await?;
    let (sibling_path, used_beside) = observe().await?;
    let moves = plies(&server, &tables).await? - before;
    ensure!(moves > 0, "the bots did not move");
    swarm.finish().await?;

    figures.add("people alone: server", used_alone, "cores");
    figures.add("people beside bots: server and bots", used_beside, "cores");
    figures.add("bots: moves", moves as f64 / (WARM_UP + window).as_secs_f64(), "a second");
    let parts = [
        ("p50", alone.p50, sibling_path.p50),
        ("p99", alone.p99, sibling_path.p99),
        ("p99.9", alone.p999, sibling_path.p999),
    ];
    let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
    for (part, alone, sibling_path) in parts {
        let name = format!("people alone: move to last player, {part}");
        figures.add(&name, millis(alone), "ms");
        let beside_name = format!("people beside bots: move to last player, {part}");
        figures.add_beside(&beside_name, millis(sibling_path), "ms", (&name, millis(alone)));
    }
    Ok(())
}

/// Creates this number of tables with bots on all seats.
async fn seat_bots(server: &Server, count: usize) -> Result<Vec<TableId>> {
    let host = server.guest("Host").await?;
    let level = BotLevel::all().last().expect("there are levels");
    let bot = BotChoice::BuiltIn { level };
    let colors = Variant::Dilkel.colors();
    let bots: Vec<_> = colors.iter().map(|&seat| BotSeat { seat: Some(seat), bot: bot.clone() }).collect();
    let table = CreateTable { draws: Some(DrawPolicy::Automatic), bots, ..plain(Variant::Dilkel) };
    let mut tables = Vec::new();
    for _ in 0..count {
        let TableCreated { table, .. } = server.http().as_guest(&host).create(&table).await?;
        tables.push(table);
    }
    Ok(tables)
}

/// Returns the number of moves made at these tables so far.
async fn plies(server: &Server, of: &[TableId]) -> Result<u64> {
    let tables = server.http().public_tables().await?;
    Ok(tables.iter().filter(|table| of.contains(&table.table)).map(|table| u64::from(table.plies)).sum())
}
