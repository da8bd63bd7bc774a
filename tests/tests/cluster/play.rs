//! Matches whose players are connected to different nodes.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::ServerFrame;
use quadrex_protocol::view::Presence;
use quadrex_rules::{Reason, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Nodes, Script};

/// Returns the content of a match's record.
async fn record(nodes: &Nodes, contest: &Contest) -> Result<String> {
    let path = format!("/api/matches/{}/record", contest.match_id);
    let record = nodes.server(0)?.http().get(&path).await?;
    ensure!(record.status == 200, "{record:?}");
    Ok(record.body)
}

/// W3, W4, W5: the players and watchers are at three nodes. Everybody receives every event, nobody
/// counts as absent, and the match is never interrupted.
#[tokio::test]
async fn players_at_three_nodes_play_a_match_to_a_win() -> Result<()> {
    let nodes = Nodes::start(3).await?;
    let mut contest = Contest::start_across(&nodes.addresses(), &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    let script = Script::read("dilkel")?;
    let first = contest.turn()?.context("the match runs")?;
    for index in 0..3 {
        let mut watcher = nodes.server(index)?.connect_as_nobody().await?;
        watcher.watch(table).await?;
        contest.watchers.push(watcher);
    }
    for (ply, mv) in script.begun_by(first).into_iter().enumerate() {
        contest.play(mv).await.with_context(|| format!("ply {}, {mv}", ply + 1))?;
    }
    for client in contest.everybody() {
        let outcome = client.table(table)?.state().outcome.as_ref().context("the match has not ended")?;
        ensure!(outcome.reason == Reason::Mate, "{outcome:?}");
    }
    let record = record(&nodes, &contest).await?;
    ensure!(!record.contains("\"interrupted\"") && !record.contains("\"cause\":\"absence\""), "{record}");
    Ok(())
}

/// Players and spectators at all nodes are present, and leave when they disconnect.
#[tokio::test]
async fn presence_counts_the_watchers_of_all_nodes() -> Result<()> {
    let nodes = Nodes::start(2).await?;
    let mut contest = Contest::start_across(&nodes.addresses(), &plain(Variant::Classic)).await?;
    let table = contest.table;
    let mut spectator = nodes.server(1)?.connect_as_nobody().await?;
    spectator.watch(table).await?;
    let mut colors = contest.players.keys().copied().collect::<Vec<_>>();
    colors.sort();
    let is_all_present = |frame: ServerFrame| match frame {
        ServerFrame::Presence { players, spectators: 1, .. } => {
            players.iter().all(|player| player.presence == Presence::Connected).then_some(())
        }
        _ => None,
    };
    spectator.find("the presence of all", is_all_present).await?;
    // The second player is at the other node.
    let (_, mut leaver) = contest.players.pop_last().context("a match has players")?;
    leaver.cut().await?;
    let is_one_absent = |frame: ServerFrame| match frame {
        ServerFrame::Presence { players, .. } => {
            (players.iter().filter(|player| player.presence != Presence::Connected).count() == 1)
                .then_some(())
        }
        _ => None,
    };
    spectator.find("the absence of a player", is_one_absent).await?;
    Ok(())
}
