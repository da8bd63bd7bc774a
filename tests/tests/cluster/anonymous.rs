//! Anonymous matches whose players and watchers use different nodes.

use anyhow::{Result, ensure};
use quadrex_protocol::http::{CreateTable, TableSummary};
use quadrex_protocol::view::SeatView;
use quadrex_rules::{Color, Variant};
use quadrex_tests::Nodes;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};

fn is_hidden(seat: &SeatView) -> bool {
    seat.user.as_ref().is_some_and(|user| user.anonymous)
}

/// The players and a watcher use two nodes. None of them sees another one's name before the end, and
/// all see the names after it.
#[tokio::test]
async fn names_are_hidden_at_all_nodes_until_the_match_is_over() -> Result<()> {
    let nodes = Nodes::start_with(2, without_rate_limits).await?;
    let addresses = [nodes.server(0)?.address(), nodes.server(1)?.address()];
    let request = CreateTable { anonymous: Some(true), ..plain(Variant::Dilkel) };
    let mut contest = Contest::start_across(&addresses, &request).await?;
    let table = contest.table;
    let guest = nodes.server(1)?.http().guest("watcher").await?;
    let mut watcher = nodes.server(1)?.connect(&guest).await?;
    ensure!(watcher.watch(table).await?.view().seats.iter().all(is_hidden));
    for client in contest.everybody() {
        let view = client.table(table)?.view();
        let hidden = view.seats.iter().filter(|seat| is_hidden(seat)).count();
        ensure!(hidden == 3, "only the own name is shown: {:?}", view.seats);
    }
    for server in [nodes.server(0)?, nodes.server(1)?] {
        let shown: TableSummary = server.http().get(&format!("/api/tables/{table}")).await?.json(200)?;
        ensure!(shown.host.anonymous && shown.seats.iter().all(is_hidden), "{shown:?}");
    }
    for color in [Color::Red, Color::Blue, Color::Yellow] {
        let player = contest.player(color)?;
        let resign = player.resign(table);
        player.accepted(&resign).await?;
    }
    for client in contest.everybody().chain([&mut watcher]) {
        let has_names = |client: &quadrex_tests::Client| {
            client.table(table).is_ok_and(|known| !known.view().seats.iter().any(is_hidden))
        };
        client.until("the names of the players", has_names).await?;
    }
    Ok(())
}
