//! The time used in the present turn when the server is killed. It is neither refunded nor charged
//! twice.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::view::Presence;
use quadrex_protocol::{Event, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Database, Launch, Server};

/// White's remaining time, of the reconnect bank and of the move limit, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Left {
    bank: u64,
    limit: u64,
}

/// The remaining time at the start of a match without clocks.
const FULL: Left = Left { bank: 180_000, limit: 300_000 };

async fn left(watcher: &mut Client, table: TableId) -> Result<Left> {
    let seen = watcher.watch(table).await?;
    let white = seen.view().players.iter().find(|player| player.color == Color::White);
    let white = white.context("White has a seat")?;
    let bank = match white.presence {
        Presence::Connected => FULL.bank,
        Presence::Reconnecting => white.bank_left_ms.context("some of the bank is left")?,
        Presence::Gone => anyhow::bail!("White is gone"),
    };
    Ok(Left { bank, limit: seen.state().move_left_ms.context("there is a limit")? })
}

/// Waits until at most `bank` milliseconds of White's reconnect bank are left.
async fn wait_until_bank_left(watcher: &mut Client, table: TableId, bank: u64) -> Result<Left> {
    loop {
        let left = left(watcher, table).await?;
        if left.bank <= bank {
            return Ok(left);
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
}

async fn restart(launch: &Launch, server: &mut Server) -> Result<Client> {
    server.kill().await?;
    *server = launch.start().await?;
    server.connect_as_nobody().await
}

async fn check_time_after_kills(database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    let mut server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    contest.play("e2e4".parse()?).await?;
    contest.play("e7e5".parse()?).await?;
    contest.player(Color::White)?.cut().await?;
    let mut watcher = server.connect_as_nobody().await?;
    // A second kill must not charge the time before the first kill again. The server writes a
    // heartbeat every two seconds.
    let mut full = FULL;
    for _ in 0..2 {
        let seen = wait_until_bank_left(&mut watcher, table, full.bank - 7_000).await?;
        watcher = restart(&launch, &mut server).await?;
        let after = left(&mut watcher, table).await?;
        ensure!(after.bank <= full.bank - 3_000, "time was refunded: {full:?}, {seen:?}, {after:?}");
        ensure!(after.limit <= full.limit - 3_000, "time was refunded: {full:?}, {seen:?}, {after:?}");
        ensure!(after.bank + 3_000 >= seen.bank, "the outage was charged: {seen:?}, {after:?}");
        full = after;
    }
    let away = |event: &Event| match event {
        Event::Interrupted { away_ms, .. } => Some(*away_ms),
        _ => None,
    };
    let seen = watcher.watch(table).await?;
    let charged: Vec<u64> = seen.view().history.iter().filter_map(|entry| away(&entry.event)).collect();
    ensure!(charged.len() == 2 && charged.iter().all(|away| *away >= 3_000), "{charged:?}");
    Ok(())
}

#[tokio::test]
async fn a_kill_does_not_refund_time_on_sqlite() -> Result<()> {
    check_time_after_kills(&Database::Sqlite).await
}

#[tokio::test]
async fn a_kill_does_not_refund_time_on_postgres() -> Result<()> {
    check_time_after_kills(&Database::postgres().await?).await
}
