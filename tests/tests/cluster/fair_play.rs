//! Fair play in rated matches of users who are connected to different nodes.

use anyhow::{Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{CreateTable, Me, QuickJoin};
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::{Color, Variant};
use quadrex_tests::Nodes;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};

const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 };

/// Two users of one address send quick joins to every pair of nodes, and are never seated together. A
/// third one is seated with the first.
#[tokio::test]
async fn users_of_one_network_are_not_paired_at_any_node() -> Result<()> {
    let nodes = Nodes::start_with(3, |launch| {
        without_rate_limits(launch).with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.0/8")
    })
    .await?;
    let wish = QuickJoin { time: Some(BLITZ), rated: true, ..QuickJoin::plain(Variant::Dilkel) };
    for (pair, (first, second)) in [(0, 1), (1, 2), (2, 0), (1, 1)].into_iter().enumerate() {
        let mut tables = Vec::new();
        for (node, who, address) in
            [(first, "Ada", "203.0.113.1"), (second, "Ben", "203.0.113.1"), (second, "Cem", "203.0.113.2")]
        {
            let http = nodes.server(node)?.http();
            let user = http.account(&format!("{who} {pair}")).await?;
            // Each pair has an address of its own.
            let address = format!("{address}{pair}");
            let http = http.as_guest(&user).with_header("X-Forwarded-For", &address);
            tables.push(http.quick_join(&wish).await?.table);
        }
        ensure!(tables[0] != tables[1], "nodes {first} and {second}: {tables:?}");
        ensure!(tables[..2].contains(&tables[2]) || pair > 0, "nodes {first} and {second}: {tables:?}");
    }
    Ok(())
}

/// A user leaves two matches at one node, and must wait at all nodes.
#[tokio::test]
async fn a_user_who_leaves_matches_waits_at_all_nodes() -> Result<()> {
    let nodes = Nodes::start_with(3, without_rate_limits).await?;
    let rated = CreateTable { time: Some(BLITZ), rated: Some(true), ..plain(Variant::Dilkel) };
    let mut contest = Contest::start_across(&nodes.addresses(), &rated).await?;
    let leaver = contest.player(Color::Blue)?.guest()?.clone();
    let others: Vec<_> = [Color::Red, Color::Yellow, Color::Green]
        .into_iter()
        .map(|color| anyhow::Ok(contest.player(color)?.guest()?.clone()))
        .collect::<Result<_>>()?;
    let table = contest.table;
    let resign = contest.player(Color::Blue)?.resign(table);
    contest.player(Color::Blue)?.accepted(&resign).await?;

    let second = nodes.server(1)?.http().as_guest(&others[0]).create(&rated).await?.table;
    for player in others.iter().chain([&leaver]) {
        let mut client = nodes.server(1)?.connect(player).await?;
        let sit = client.sit(second, None, None);
        client.accepted(&sit).await?;
        if player.user.id == leaver.user.id {
            let resign = client.resign(second);
            client.accepted(&resign).await?;
        }
    }
    let open = nodes.server(0)?.http().as_guest(&others[0]).create(&rated).await?.table;
    for node in 0..3 {
        let server = nodes.server(node)?;
        let http = server.http().as_guest(&leaver);
        // The leave is in the database when the owner of the match has archived it.
        let waits = async || {
            let me: Me = http.get("/api/me").await?.json(200)?;
            anyhow::Ok(me.rated_wait)
        };
        while waits().await?.is_none() {
            tokio::task::yield_now().await;
        }
        let mut client = server.connect(&leaver).await?;
        let sit = client.sit(open, None, None);
        ensure!(client.refused(&sit).await? == RefusalCode::RatedWait, "node {node}");
    }
    Ok(())
}
