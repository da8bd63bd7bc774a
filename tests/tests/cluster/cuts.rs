//! Nodes that lose their connection to Postgres or to NATS, in one direction or in both, or that stand
//! still, while matches run on them.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::{ClientFrame, RefusalCode};
use quadrex_rules::{Move, Variant};
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::nodes::Links;
use quadrex_tests::proxy::Cut;
use quadrex_tests::{Answer, Client, Nodes, Received};

use super::timed_contest::{MINUTES, contest_elsewhere, record};

/// The largest time that a player may lose on the clock by all moves of a match. They are made at
/// once, and an outage takes seconds.
const CHARGE_LIMIT: Duration = Duration::from_millis(1_500);

/// The number of nodes.
const COUNT: usize = 3;

/// The state of a node after a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The other nodes have declared the node dead, and its process has ended.
    Ended,
    /// The node serves again.
    Serves,
}

/// A cluster with a match of node 0, whose players are connected to the other nodes.
struct Scene {
    nodes: Nodes,
    contest: Contest,
    moves: Vec<Move>,
}

impl Scene {
    async fn start() -> Result<Self> {
        let nodes = Nodes::start_with_links(COUNT, without_rate_limits).await?;
        let (contest, moves) = contest_elsewhere(&nodes).await?;
        Ok(Self { nodes, contest, moves })
    }

    /// Plays the next moves. Each must be accepted, and all players must receive it.
    async fn play(&mut self, count: usize) -> Result<()> {
        for mv in self.moves.drain(..count) {
            self.contest.play(mv).await?;
        }
        Ok(())
    }

    /// Plays the next moves during a fault, for which no player may be charged.
    async fn play_uncharged(&mut self, count: usize) -> Result<()> {
        self.play(count).await.context("the match goes on during the fault")?;
        let (record, loss) = record(&self.nodes, 1, &self.contest).await?;
        ensure!(loss < CHARGE_LIMIT, "a player was charged {loss:?}: {record}");
        Ok(())
    }

    /// Checks the state of node 0 after the fault, and plays on.
    async fn finish(mut self, fate: Fate) -> Result<()> {
        match fate {
            Fate::Ended => {
                let ended = self.nodes.take(0)?.ended().await?;
                ensure!(ended.stderr.contains("declared this node dead"), "{}", ended.stderr);
            }
            Fate::Serves => {
                let http = self.nodes.server(0)?.http();
                http.until_status("/readyz", 200).await.context("waiting until the node is ready again")?;
            }
        }
        self.play(5).await?;
        let (record, _) = record(&self.nodes, 1, &self.contest).await?;
        ensure!(!record.contains("\"cause\":\"absence\""), "{record}");
        Ok(())
    }
}

/// Cuts connections of the owner of a match. The match goes on during the cut, and after it.
async fn cut_owner(cut: impl Fn(&Links), fate: Fate) -> Result<()> {
    let mut scene = Scene::start().await?;
    scene.play(5).await?;
    cut(scene.nodes.links(0)?);
    scene.play_uncharged(10).await?;
    scene.nodes.links(0)?.heal();
    scene.finish(fate).await
}

#[tokio::test]
async fn a_match_goes_on_if_its_owner_is_cut_off_from_postgres() -> Result<()> {
    cut_owner(|links| links.postgres.cut(Cut::Both), Fate::Ended).await
}

/// The statements of the owner arrive, but not their answers.
#[tokio::test]
async fn a_match_goes_on_if_its_owner_receives_nothing_from_postgres() -> Result<()> {
    cut_owner(|links| links.postgres.cut(Cut::ToClients), Fate::Ended).await
}

/// The statements of the owner arrive after the cut, when another node owns the match.
#[tokio::test]
async fn a_match_goes_on_if_nothing_from_its_owner_reaches_postgres() -> Result<()> {
    cut_owner(|links| links.postgres.cut(Cut::ToServer), Fate::Ended).await
}

#[tokio::test]
async fn a_match_goes_on_if_its_owner_is_cut_off_from_postgres_and_nats() -> Result<()> {
    cut_owner(Links::cut_both, Fate::Ended).await
}

/// Cuts the owner of a match off from NATS. It hands the match over, and serves again afterwards.
async fn cut_owner_off_from_nats(cut: Cut) -> Result<()> {
    let mut scene = Scene::start().await?;
    scene.play(5).await?;
    let mut here = scene.nodes.server(0)?.connect_as_nobody().await?;
    here.watch(scene.contest.table).await?;
    scene.nodes.links(0)?.nats.cut(cut);
    let mv = scene.moves.remove(0);
    let table = scene.contest.table;
    let command = scene.contest.mover()?.mv(table, mv)?;
    let seq = until_accepted(scene.contest.mover()?, &command).await?;
    scene.contest.until_seq(seq).await?;
    let unready = scene.nodes.server(0)?.http().get("/readyz").await?;
    ensure!(unready.status == 503, "{unready:?}");
    while let Received::Frame(_) = here.receive().await.context("waiting until the node closes")? {}
    scene.play_uncharged(5).await?;
    scene.nodes.links(0)?.heal();
    scene.finish(Fate::Serves).await
}

/// Sends a command until it is accepted. Returns the number of its last event. A refusal must be one
/// after which clients send the command again.
async fn until_accepted(client: &mut Client, command: &ClientFrame) -> Result<u64> {
    loop {
        match client.ask(command).await? {
            Answer::Ack(seq) => return Ok(seq),
            Answer::Refused(code, message) => ensure!(code == RefusalCode::Internal, "{code:?}: {message}"),
        }
    }
}

#[tokio::test]
async fn an_owner_that_is_cut_off_from_nats_hands_its_matches_over() -> Result<()> {
    cut_owner_off_from_nats(Cut::Both).await
}

#[tokio::test]
async fn an_owner_that_receives_nothing_from_nats_hands_its_matches_over() -> Result<()> {
    cut_owner_off_from_nats(Cut::ToClients).await
}

#[tokio::test]
async fn an_owner_whose_messages_do_not_reach_nats_hands_its_matches_over() -> Result<()> {
    cut_owner_off_from_nats(Cut::ToServer).await
}

/// Nobody gives matches to other nodes while NATS is away, because no node is better connected.
#[tokio::test]
async fn matches_go_on_after_a_restart_of_nats() -> Result<()> {
    let mut scene = Scene::start().await?;
    scene.play(5).await?;
    for _ in 0..3 {
        scene.nodes.nats.restart()?;
        scene.play(3).await?;
    }
    let (record, _) = record(&scene.nodes, 1, &scene.contest).await?;
    ensure!(!record.contains("\"interrupted\""), "the match has changed its owner: {record}");
    scene.finish(Fate::Serves).await
}

/// While NATS is away, a match goes on if its players are connected to its owner. Elsewhere, moves are
/// refused so that clients try again, and the same move is accepted when NATS is back.
#[tokio::test]
async fn without_nats_matches_go_on_at_their_owner() -> Result<()> {
    let mut scene = Scene::start().await?;
    let owner = scene.nodes.server(0)?.address();
    let table = CreateTable { time: Some(MINUTES), ..plain(Variant::Classic) };
    let mut at_owner = Contest::start_at(owner, &table).await?;
    scene.play(5).await?;
    scene.nodes.nats.sigkill()?;
    let mv = scene.moves.remove(0);
    let table = scene.contest.table;
    let mover = scene.contest.mover()?;
    let command = mover.mv(table, mv)?;
    let code = mover.refused(&command).await?;
    ensure!(code == RefusalCode::Internal, "{code:?}");
    for mv in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        at_owner.play(mv.parse()?).await.context("a move at the owner")?;
    }
    scene.nodes.nats.restart()?;
    let seq = until_accepted(scene.contest.mover()?, &command).await?;
    scene.contest.until_seq(seq).await?;
    scene.play_uncharged(5).await?;
    let (record, _) = record(&scene.nodes, 1, &at_owner).await?;
    ensure!(!record.contains("\"interrupted\""), "the match has changed its owner: {record}");
    scene.finish(Fate::Serves).await
}

/// Stops the owner of a match for this time. The match goes on while it stands still, or right after.
async fn freeze_owner(time: Duration, fate: Fate) -> Result<()> {
    let mut scene = Scene::start().await?;
    scene.play(5).await?;
    let frozen = scene.nodes.take(0)?;
    let (thawed, played) = tokio::join!(frozen.freeze(time), scene.play_uncharged(10));
    thawed?;
    played?;
    scene.nodes.put_back(0, frozen)?;
    scene.finish(fate).await
}

/// A short pause is not a death: the node keeps its matches.
#[tokio::test]
async fn a_node_that_stood_still_for_three_seconds_serves_on() -> Result<()> {
    freeze_owner(Duration::from_secs(3), Fate::Serves).await
}

#[tokio::test]
async fn a_node_that_stood_still_for_twenty_seconds_ends() -> Result<()> {
    freeze_owner(Duration::from_secs(20), Fate::Ended).await
}
