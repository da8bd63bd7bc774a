//! Users who follow others at different nodes.

use anyhow::{Result, ensure};
use quadrex_protocol::http::{CreateTable, FollowedUsers, Opponents};
use quadrex_rules::{Color, Variant};
use quadrex_tests::Nodes;
use quadrex_tests::contest::{plain, without_rate_limits};

/// A player is connected to the second node, at a table of the first one. A follower sees it at all
/// nodes.
#[tokio::test]
async fn followed_users_are_online_at_all_nodes() -> Result<()> {
    let nodes = Nodes::start_with(3, without_rate_limits).await?;
    let http = nodes.server(0)?.http();
    let (ada, ben) = (http.guest("Ada").await?, http.account("Ben").await?);
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let table = http.as_guest(&ada).create(&request).await?.table;
    let path = format!("/api/me/follows/{}", ben.user.id);
    let followed = nodes.server(2)?.http().as_guest(&ada).request("PUT", &path, None).await?;
    ensure!(followed.status == 204, "{followed:?}");
    for is_playing in [false, true] {
        let mut client = nodes.server(1)?.connect(&ben).await?;
        if is_playing {
            let sit = client.sit(table, None, None);
            client.accepted(&sit).await?;
        }
        for node in 0..3 {
            let http = nodes.server(node)?.http().as_guest(&ada);
            let FollowedUsers { users } = http.get("/api/me/follows").await?.json(200)?;
            ensure!(users.len() == 1 && users[0].online, "node {node}: {users:?}");
            ensure!(users[0].table == is_playing.then_some(table), "node {node}: {users:?}");
        }
        if is_playing {
            let resign = client.resign(table);
            client.accepted(&resign).await?;
        }
    }
    let Opponents { opponents } = http.as_guest(&ada).get("/api/me/opponents").await?.json(200)?;
    ensure!(opponents.len() == 1 && opponents[0].user == ben.user, "{opponents:?}");
    ensure!(opponents[0].relation.follows && opponents[0].matches == 1, "{opponents:?}");
    Ok(())
}
