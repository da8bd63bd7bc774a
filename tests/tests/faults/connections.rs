//! Connections of players and watchers break in different ways.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_protocol::ServerFrame;
use quadrex_protocol::view::Presence;
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::proxy::Proxy;
use quadrex_tests::{Database, Launch, fault_injection};

use crate::{LINES, is_whole, plan};

#[tokio::test]
async fn connections_that_are_reset_at_any_byte_lose_no_command() -> Result<()> {
    let plan = plan(100, 400);
    let report = fault_injection::reset_connections(&Database::Sqlite, &plan).await?;
    ensure!(report.broken > 0, "{report:?}");
    is_whole(&report, &plan)
}

#[tokio::test]
async fn connections_that_stall_lose_no_command() -> Result<()> {
    let plan = plan(2, 200);
    let report =
        fault_injection::stalled_connections(&Database::Sqlite, &plan, Duration::from_millis(1_500)).await?;
    ensure!(report.broken == 0, "a short stall breaks no connection: {report:?}");
    is_whole(&report, &plan)
}

#[tokio::test]
async fn half_open_connections_lose_no_command_and_are_not_counted() -> Result<()> {
    let plan = plan(1, 300);
    let report = fault_injection::half_open_connections(&Database::Sqlite, &plan).await?;
    ensure!(report.broken == LINES, "every connection was left half open: {report:?}");
    is_whole(&report, &plan)
}

/// A player whose connection is half open and who does not reconnect is shown as disconnected.
#[tokio::test]
async fn a_player_with_a_half_open_connection_is_not_connected() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_LIMITS__PING_SECONDS", 1)
        .with_env("QUADREX_LIMITS__DEAD_SECONDS", 2);
    let server = launch.start().await?;
    let proxy = Proxy::start(server.address(), None, 1).await?;
    let contest = Contest::start_at(proxy.address(), &plain(Variant::Classic)).await?;
    let mut watcher = server.connect_as_nobody().await?;
    watcher.watch(contest.table).await?;
    let are_here = watcher.table(contest.table)?.view().players.clone();
    ensure!(are_here.iter().all(|player| player.presence == Presence::Connected), "{are_here:?}");
    proxy.abandon_all();
    watcher
        .find("both players away", |frame| match frame {
            ServerFrame::Presence { players, .. } => {
                players.iter().all(|player| player.presence == Presence::Reconnecting).then_some(())
            }
            _ => None,
        })
        .await
}
