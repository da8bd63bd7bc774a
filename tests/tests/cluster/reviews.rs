//! Reviews of matches: each is made by one node, whichever node is asked for it.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::MatchId;
use quadrex_protocol::review::ReviewStatus;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::{Http, Launch, Nodes, PATIENCE};
use tokio::time::{sleep, timeout};

/// The time between two requests for a review.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Returns settings with which a review of this many nodes a position is made on request.
fn with_reviews(nodes: u32) -> impl Fn(Launch) -> Launch {
    move |launch| {
        let launch = without_rate_limits(launch).with_env("QUADREX_REVIEWS__NODES", nodes);
        let launch = launch.with_env("QUADREX_REVIEWS__AUTOMATIC", "false");
        launch.with_env("QUADREX_LOG__FILTER", "info,quadrex_server::reviews=debug")
    }
}

/// Plays a short match at the nodes to its end.
async fn ended_match(nodes: &Nodes) -> Result<MatchId> {
    let mut contest = Contest::start_across(&nodes.addresses(), &plain(Variant::Classic)).await?;
    for mv in ["e2e4", "e7e5"] {
        contest.play(mv.parse()?).await?;
    }
    let table = contest.table;
    let loser = contest.player(Color::Black)?;
    let resign = loser.resign(table);
    loser.accepted(&resign).await?;
    Ok(contest.match_id)
}

fn path(match_id: MatchId) -> String {
    format!("/api/matches/{match_id}/review")
}

async fn until(http: &Http, match_id: MatchId, is_so: impl Fn(&ReviewStatus) -> bool) -> Result<()> {
    let reached = async {
        loop {
            let status: ReviewStatus = http.get(&path(match_id)).await?.json(200)?;
            if is_so(&status) {
                return anyhow::Ok(());
            }
            sleep(POLL_INTERVAL).await;
        }
    };
    timeout(PATIENCE, reached).await.context("waiting for a review")?
}

/// Returns the nodes that have begun to make the review.
fn makers(nodes: &Nodes, match_id: MatchId) -> Vec<usize> {
    let line = format!("makes a review match.id={match_id}");
    (0..3).filter(|node| nodes.log(*node).contains(&line)).collect()
}

#[tokio::test]
async fn a_review_is_made_by_one_node_and_all_nodes_show_it() -> Result<()> {
    const MATCHES: usize = 6;
    let nodes = Nodes::start_with(3, with_reviews(2_000)).await?;
    let mut matches = Vec::new();
    for _ in 0..MATCHES {
        matches.push(ended_match(&nodes).await?);
    }
    for (index, match_id) in matches.iter().enumerate() {
        let server = nodes.server(index % 3)?;
        let http = server.http().as_guest(&server.guest("Eve").await?);
        until_archived(&http, *match_id).await?;
        http.request("POST", &path(*match_id), None).await?.json::<ReviewStatus>(202)?;
    }
    for match_id in matches {
        for node in 0..3 {
            let http = nodes.server(node)?.http();
            until(&http, match_id, |status| matches!(status, ReviewStatus::Done { .. })).await?;
        }
        let makers = makers(&nodes, match_id);
        ensure!(makers.len() == 1, "the nodes {makers:?} have made one review");
    }
    Ok(())
}

/// All nodes show the progress of a review. When the node that makes it dies, another one makes it.
#[tokio::test]
async fn a_review_whose_maker_dies_is_made_by_another_node() -> Result<()> {
    let mut nodes = Nodes::start_with(3, with_reviews(1_000_000_000)).await?;
    let match_id = ended_match(&nodes).await?;
    let server = nodes.server(0)?;
    let http = server.http().as_guest(&server.guest("Eve").await?);
    until_archived(&http, match_id).await?;
    http.request("POST", &path(match_id), None).await?.json::<ReviewStatus>(202)?;
    let is_running = |status: &ReviewStatus| matches!(status, ReviewStatus::Running { .. });
    for node in 0..3 {
        until(&nodes.server(node)?.http(), match_id, is_running).await?;
    }
    let makers_before = makers(&nodes, match_id);
    let [maker] = makers_before[..] else { anyhow::bail!("the nodes {makers_before:?} make one review") };
    nodes.kill(maker).await?;
    for node in (0..3).filter(|node| *node != maker) {
        until(&nodes.server(node)?.http(), match_id, is_running).await?;
    }
    let makers = makers(&nodes, match_id);
    ensure!(makers.len() == 2, "after the death of {maker} the nodes {makers:?} make the review");
    Ok(())
}

async fn until_archived(http: &Http, match_id: MatchId) -> Result<()> {
    until(http, match_id, |status| *status == ReviewStatus::None {}).await
}
