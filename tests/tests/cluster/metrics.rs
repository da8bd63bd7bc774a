//! The metrics of nodes.

use anyhow::{Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::Nodes;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};

#[tokio::test]
async fn the_metrics_of_a_node_show_messages_proxies_and_what_it_takes_over() -> Result<()> {
    let mut nodes = Nodes::start_with(2, |launch| without_rate_limits(launch).with_metrics()).await?;
    let metrics = nodes.launch(1)?.metrics().await?;
    metrics.until("quadrex_cluster_nodes{state=\"serving\"}", 2.0).await?;
    metrics.until("quadrex_cluster_nats_connected", 1.0).await?;
    let addresses = nodes.addresses();
    let mut contest = Contest::start_from(addresses[0], &addresses, &plain(Variant::Classic)).await?;
    contest.play("e2e4".parse()?).await?;
    let before = metrics.until("quadrex_cluster_messages_received_total{kind=\"published\"}", 1.0).await?;
    for (series, expected) in [
        ("quadrex_tables{state=\"proxy\"}", 1.0),
        ("quadrex_tables{state=\"running\"}", 0.0),
        ("quadrex_cluster_owned_matches", 0.0),
        ("quadrex_cluster_nodes_lost_total", 0.0),
        ("quadrex_cluster_takeover_pause_seconds_count", 0.0),
        ("quadrex_cluster_messages_dropped_total{reason=\"queue_full\"}", 0.0),
        ("quadrex_cluster_messages_malformed_total", 0.0),
    ] {
        ensure!(before.get(series) == Some(expected), "{series} is {:?}", before.get(series));
    }
    let sent = before.get("quadrex_cluster_messages_sent_total{kind=\"follow\"}");
    ensure!(sent >= Some(1.0), "it follows the table: {sent:?}");

    nodes.kill(0).await?;
    for series in [
        "quadrex_cluster_nodes_lost_total",
        "quadrex_cluster_claims_total{outcome=\"claimed\"}",
        "quadrex_cluster_takeover_pause_seconds_count",
        "quadrex_cluster_takeover_pause_seconds_bucket{le=\"60\"}",
        "quadrex_cluster_owned_matches",
        "quadrex_tables{state=\"running\"}",
    ] {
        metrics.until(series, 1.0).await?;
    }
    let after = metrics.scrape().await?;
    ensure!(after.get("quadrex_cluster_nodes{state=\"serving\"}") == Some(1.0), "{}", after.text);
    ensure!(after.get("quadrex_tables{state=\"proxy\"}") == Some(0.0), "{}", after.text);
    Ok(())
}
