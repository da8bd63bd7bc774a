//! Rate limits and quick joins, which one node counts or decides for all.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::http::QuickJoin;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::Presence;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::Variant;
use quadrex_tests::{Client, Guest, Nodes};

/// W10: users who join at the same time at different nodes sit at one table.
#[tokio::test]
async fn quick_joins_at_all_nodes_meet_at_one_table() -> Result<()> {
    let nodes = Nodes::start(3).await?;
    for variant in [Variant::Classic, Variant::Dilkel] {
        let mut joins = Vec::new();
        for index in 0..variant.player_count() {
            let http = nodes.server(index % 3)?.http();
            let guest = http.guest(&format!("guest {index}")).await?;
            joins.push(async move {
                let wish = QuickJoin::plain(variant);
                http.as_guest(&guest).quick_join(&wish).await
            });
        }
        let joined = try_join_all(joins).await?;
        let tables: BTreeSet<_> = joined.iter().map(|joined| joined.table).collect();
        let seats: BTreeSet<_> = joined.iter().map(|joined| joined.seat).collect();
        ensure!(tables.len() == 1 && seats.len() == variant.player_count(), "{joined:?}");
    }
    Ok(())
}

/// W14: a user may create as many handovers at all nodes together as at one.
#[tokio::test]
async fn a_rate_limit_counts_the_requests_at_all_nodes() -> Result<()> {
    let settings = |launch: quadrex_tests::Launch| {
        let burst = launch.with_env("QUADREX_LIMITS__TABLES_BURST", 6);
        burst.with_env("QUADREX_LIMITS__TABLES_PER_MINUTE", 1)
    };
    let nodes = Nodes::start_with(3, settings).await?;
    for user in 0..4 {
        let guest = nodes.server(0)?.guest(&format!("user {user}")).await?;
        let mut granted = 0;
        for request in 0..12 {
            let http = nodes.server(request % 3)?.http().as_guest(&guest);
            let answer = http.request("POST", "/api/handovers", None).await?;
            if answer.status == 201 {
                granted += 1;
            } else {
                ensure!(answer.refusal(429)? == RefusalCode::RateLimited, "{answer:?}");
            }
        }
        ensure!(granted == 6, "user {user} got {granted} handovers instead of 6");
    }
    Ok(())
}

/// A quick join skips a table whose host has left. The table counts again when the host has a
/// connection to any node that would notice the start of the match.
#[tokio::test]
async fn a_quick_join_knows_the_people_who_are_connected_to_other_nodes() -> Result<()> {
    let nodes = Nodes::start(3).await?;
    let mut online = Vec::new();
    for elsewhere in 0..3 {
        let http = nodes.server(0)?.http();
        let (host, early, late) =
            (http.guest("host").await?, http.guest("early").await?, http.guest("late").await?);
        let join = async |guest: &Guest| {
            let time =
                Some(TimeSetting::Fischer { base_ms: 60_000 * (1 + elsewhere as u64), increment_ms: 0 });
            let wish = QuickJoin { time, ..QuickJoin::plain(Variant::Dilkel) };
            anyhow::Ok(http.as_guest(guest).quick_join(&wish).await?.table)
        };
        let table = join(&host).await?;
        leave_after_arrival(&nodes, &host, table).await?;
        ensure!(join(&early).await? != table, "a user is seated with an absent player");

        let mut connection = nodes.server(elsewhere)?.connect(&host).await?;
        connection.send(&ClientFrame::WatchOwnTables {}).await?;
        let is_list = |frame| matches!(frame, ServerFrame::OwnTables { .. }).then_some(());
        connection.find("the own tables", is_list).await?;
        // The heartbeat that counts this guest also says that the host would notice a start.
        let counted = nodes.server(elsewhere)?.connect(&early).await?;
        online.extend([connection, counted]);
        until_online(&nodes, online.len()).await?;
        let joined = join(&late).await?;
        ensure!(joined == table, "the host is connected to node {elsewhere}, but a user sits at {joined}");
    }
    Ok(())
}

/// Watches a table as its host, and leaves it. Returns when the host counts as gone.
async fn leave_after_arrival(nodes: &Nodes, host: &Guest, table: TableId) -> Result<()> {
    let mut spectator = nodes.server(1)?.connect_as_nobody().await?;
    spectator.watch(table).await?;
    let mut connection = nodes.server(2)?.connect(host).await?;
    connection.watch(table).await?;
    until_host_is(&mut spectator, Presence::Connected).await?;
    drop(connection);
    until_host_is(&mut spectator, Presence::Gone).await
}

async fn until_host_is(spectator: &mut Client, expected: Presence) -> Result<()> {
    let is_so = |frame| match frame {
        ServerFrame::Presence { players, .. } => (players.first()?.presence == expected).then_some(()),
        _ => None,
    };
    spectator.find("the presence of the host", is_so).await
}

/// Waits until all nodes count this number of people as online.
async fn until_online(nodes: &Nodes, count: usize) -> Result<()> {
    for index in 0..3 {
        let mut lobby = nodes.server(index)?.connect_as_nobody().await?;
        lobby.send(&ClientFrame::WatchLobby {}).await?;
        let is_so = |frame| match frame {
            ServerFrame::Lobby { activity, .. }
            | ServerFrame::LobbyPreview { activity: Some(activity), .. } => {
                (activity.online as usize == count).then_some(())
            }
            _ => None,
        };
        lobby.find("all people", is_so).await?;
    }
    Ok(())
}
