//! Nodes that die, stand still, or are stopped while matches run on them.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::http::CreateTable;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Answer, Nodes, PATIENCE, RawSql};
use tokio::time::{sleep, timeout};

use super::timed_contest::{MINUTES, contest_elsewhere, record};

/// The time between two requests for the archive.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// W6, W12: after the death of a node its matches go on at the other nodes. Nothing is lost, nobody
/// is charged for the outage, and nobody counts as absent.
#[tokio::test]
async fn matches_of_a_killed_node_go_on_at_the_others() -> Result<()> {
    let mut nodes = Nodes::start(3).await?;
    let (mut contest, moves) = contest_elsewhere(&nodes).await?;
    let (before, after) = moves.split_at(10);
    for mv in before {
        contest.play(*mv).await?;
    }
    nodes.kill(0).await?;
    for mv in after {
        contest.play(*mv).await?;
    }
    let (record, loss) = record(&nodes, 1, &contest).await?;
    ensure!(!record.contains("\"cause\":\"absence\""), "{record}");
    // All moves together are made at once, and the outage takes seconds.
    ensure!(loss < Duration::from_millis(1_500), "a player was charged {loss:?}");
    Ok(())
}

/// W13: the end of a match that the owner has acknowledged right before its death is in the archive
/// of the other nodes.
#[tokio::test]
async fn a_match_that_ended_right_before_a_death_is_archived_by_the_others() -> Result<()> {
    let mut nodes = Nodes::start(2).await?;
    let addresses = nodes.addresses();
    let mut contest = Contest::start_from(addresses[0], &addresses[1..], &plain(Variant::Classic)).await?;
    contest.play("e2e4".parse()?).await?;
    let table = contest.table;
    let loser = contest.player(Color::Black)?;
    let resign = loser.resign(table);
    loser.accepted(&resign).await?;
    nodes.kill(0).await?;
    let http = nodes.server(1)?.http();
    let archived = async {
        loop {
            let MatchList { matches, .. } = http.get("/api/matches").await?.json(200)?;
            let listed = matches.iter().find(|listed| listed.match_id == contest.match_id);
            if listed.is_some_and(|listed| listed.outcome.is_some()) {
                return anyhow::Ok(());
            }
            sleep(POLL_INTERVAL).await;
        }
    };
    timeout(PATIENCE, archived).await.context("waiting for the end in the archive")?
}

/// After the death of a node, clients and other nodes ask for its matches while the new owners are
/// about to read them. Each match is taken over once: no second actor writes to its log.
#[tokio::test]
async fn each_match_of_a_killed_node_is_taken_over_once() -> Result<()> {
    const MATCHES: usize = 60;
    let mut nodes = Nodes::start(3).await?;
    let addresses = nodes.addresses();
    let table = CreateTable { time: Some(MINUTES), ..plain(Variant::Classic) };
    let starting = (0..MATCHES).map(|_| Contest::start_from(addresses[0], &addresses[1..], &table));
    let mut contests = futures_util::future::try_join_all(starting).await?;
    nodes.kill(0).await?;
    let play = async |contest: &mut Contest, moves: [&str; 2]| {
        for mv in moves {
            contest.play(mv.parse()?).await?;
        }
        anyhow::Ok(())
    };
    let moves = contests.iter_mut().map(|contest| play(contest, ["e2e4", "e7e5"]));
    futures_util::future::try_join_all(moves).await?;
    for contest in &contests {
        let (record, _) = record(&nodes, 1, contest).await?;
        let interruptions = record.matches("\"interrupted\"").count();
        ensure!(interruptions <= 1, "{interruptions} interruptions: {record}");
    }
    for node in 1..3 {
        let log = nodes.log(node);
        ensure!(!log.contains("the log is read again"), "a second actor wrote to a log: {log}");
    }
    Ok(())
}

/// W15: a node that is asked to stop hands its matches over. The players at other nodes notice
/// nothing, and nobody is charged.
#[tokio::test]
async fn a_stopped_node_hands_its_matches_over() -> Result<()> {
    let mut nodes = Nodes::start(3).await?;
    let (mut contest, moves) = contest_elsewhere(&nodes).await?;
    let (before, after) = moves.split_at(10);
    for mv in before {
        contest.play(*mv).await?;
    }
    let mut stopped = nodes.take(0)?;
    stopped.terminate().await?;
    for mv in after {
        contest.play(*mv).await?;
    }
    let ended = stopped.ended().await?;
    ensure!(ended.status.success(), "{ended:?}");
    let (record, loss) = record(&nodes, 1, &contest).await?;
    ensure!(!record.contains("\"cause\":\"absence\""), "{record}");
    ensure!(loss < Duration::from_millis(1_500), "a player was charged {loss:?}");
    Ok(())
}

/// W3: a node that stood still answers nothing after others have taken its matches over.
#[tokio::test]
async fn a_node_that_stood_still_ends_without_an_answer() -> Result<()> {
    let mut nodes = Nodes::start(3).await?;
    let (mut contest, moves) = contest_elsewhere(&nodes).await?;
    contest.play(moves[0]).await?;
    let mut frozen = nodes.take(0)?;
    let mut bystander = frozen.connect_as_nobody().await?;
    bystander.watch(contest.table).await?;
    let thaw = frozen.freeze(Duration::from_secs(8));
    let play = async {
        for mv in &moves[1..12] {
            contest.play(*mv).await?;
        }
        anyhow::Ok(())
    };
    let (thawed, played) = tokio::join!(thaw, play);
    thawed?;
    played.context("the match goes on while the owner stands still")?;
    let ended = frozen.ended().await?;
    ensure!(ended.stderr.contains("declared this node dead"), "{}", ended.stderr);
    for mv in &moves[12..] {
        contest.play(*mv).await?;
    }
    Ok(())
}

/// The rows of the matches may be locked for a while when their owner dies, for example by the last
/// transaction of the owner itself. Requests that wait for the next owner then meet it late.
#[tokio::test]
async fn matches_of_a_killed_node_go_on_although_their_rows_are_locked() -> Result<()> {
    const MATCHES: usize = 20;
    let mut nodes = Nodes::start(3).await?;
    let addresses = nodes.addresses();
    let table = CreateTable { time: Some(MINUTES), ..plain(Variant::Classic) };
    let starting = (0..MATCHES).map(|_| Contest::start_from(addresses[0], &addresses[1..], &table));
    let mut contests = futures_util::future::try_join_all(starting).await?;
    let launch = nodes.launch(1)?.clone();
    let lock = "do $$ begin perform 1 from matches for update; perform pg_sleep(10); end $$";
    let runtime = tokio::runtime::Handle::current();
    let locked = tokio::task::spawn_blocking(move || runtime.block_on(RawSql::of(&launch)?.run(lock)));
    nodes.kill(0).await?;
    let play = async |contest: &mut Contest, moves: [&str; 4]| {
        for mv in moves {
            let table = contest.table;
            let mover = contest.mover()?;
            let command = mover.mv(table, mv.parse()?)?;
            let seq = loop {
                match mover.ask(&command).await.with_context(|| format!("{mv} at {table}"))? {
                    Answer::Ack(seq) => break seq,
                    // Clients repeat a command whose outcome is unknown.
                    Answer::Refused(RefusalCode::Internal, _) => sleep(POLL_INTERVAL).await,
                    refused => bail!("{refused:?}"),
                }
            };
            contest.until_seq(seq).await.with_context(|| format!("event {seq} of {table}"))?;
        }
        anyhow::Ok(())
    };
    let moves = contests.iter_mut().map(|contest| play(contest, ["e2e4", "e7e5", "g1f3", "b8c6"]));
    futures_util::future::try_join_all(moves).await?;
    locked.await??;
    Ok(())
}
