//! Rate limits and quick joins, which one node counts or decides for all.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::QuickJoin;
use quadrex_rules::Variant;
use quadrex_tests::Nodes;

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
                let wish = QuickJoin { variant, time: None, nonce: None, cmd: None };
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
