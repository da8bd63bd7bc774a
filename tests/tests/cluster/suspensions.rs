//! Suspensions of users who are connected to other nodes.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::chat::Room;
use quadrex_protocol::http::{AdminReason, AdminUserDetails, SuspendUser};
use quadrex_rules::{Color, Variant};
use quadrex_tests::Nodes;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::operator::{OPERATORS, add_operator};
use tokio::time::timeout;

/// The longest time until a suspension has reached all nodes, on a busy machine. On an idle one it
/// is a second.
const LIMIT: Duration = Duration::from_secs(5);

/// An operator at the first node suspends a player at the second one.
#[tokio::test]
async fn a_suspension_holds_at_all_nodes_at_once() -> Result<()> {
    let settings = |launch| without_rate_limits(launch).with_env(OPERATORS.0, OPERATORS.1);
    let nodes = Nodes::start_with(2, settings).await?;
    let olga = add_operator(&nodes.launch(0)?.location()?).await?;
    let operator = nodes.server(0)?.http().as_guest(&olga);
    let addresses = nodes.addresses();
    let mut contest = Contest::start_across(&[addresses[1]], &plain(Variant::Classic)).await?;
    let table = contest.table;
    let player = contest.player(Color::White)?;
    let white = player.guest()?.clone();
    let path = format!("/api/admin/users/{}", white.user.id);

    let request = SuspendUser { reason: "abusive chat".to_owned(), hours: None };
    operator.post(&format!("{path}/suspend"), &request).await?.json::<AdminUserDetails>(200)?;
    for node in [0, 1] {
        let http = nodes.server(node)?.http().as_guest(&white);
        let refused = http.post("/api/tables", &plain(Variant::Classic)).await?;
        ensure!(refused.refusal(403)? == RefusalCode::Suspended, "node {node}");
    }
    ensure!(timeout(LIMIT, player.close_code()).await.context("the end of the connection")?? == 4002);
    for address in addresses {
        player.reconnect(address).await?;
        player.watch(table).await?;
        let chat = player.chat(table, Room::Seated, "I am back");
        ensure!(player.refused(&chat).await? == RefusalCode::Suspended);
        player.cut().await?;
    }
    player.reconnect(nodes.server(1)?.address()).await?;

    let request = AdminReason { reason: "an apology".to_owned() };
    operator.post(&format!("{path}/restore"), &request).await?.json::<AdminUserDetails>(200)?;
    ensure!(timeout(LIMIT, player.close_code()).await.context("the end of the connection")?? == 4002);
    player.reconnect(nodes.server(0)?.address()).await?;
    player.watch(table).await?;
    let chat = player.chat(table, Room::Seated, "sorry");
    player.accepted(&chat).await?;
    Ok(())
}
