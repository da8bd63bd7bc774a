//! Matches whose players are connected to different nodes.

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::analysis::Analyse;
use quadrex_protocol::bot::{BotChoice, BotLevel, BotSeat};
use quadrex_protocol::explore::ExploreSetup;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::view::Presence;
use quadrex_protocol::{RefusalCode, ServerFrame};
use quadrex_rules::{Color, Reason, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Nodes, Script};

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

/// A user who watches an open table at one node takes a seat over a connection to another node. Both
/// connections receive what the player is shown, such as the legal moves.
#[tokio::test]
async fn a_spectator_who_sits_through_another_node_receives_a_player_s_frames() -> Result<()> {
    let nodes = Nodes::start(3).await?;
    let http = nodes.server(0)?.http();
    let (host, guest) = (http.guest("host").await?, http.guest("guest").await?);
    for _ in 0..20 {
        let settings = CreateTable { seat: Some(Color::Black), ..plain(Variant::Classic) };
        let TableCreated { table, .. } = http.as_guest(&host).create(&settings).await?;
        let mut watching = nodes.server(1)?.connect(&guest).await?;
        watching.watch(table).await?;
        let mut sitting = nodes.server(2)?.connect(&guest).await?;
        sitting.watch(table).await?;
        let sit = sitting.sit(table, Some(Color::White), None);
        let seq = sitting.accepted(&sit).await?;
        // The seats may be drawn by lot. The first move is to be the guest's.
        if sitting.until_seq(table, seq).await?.view().your_seats != [Color::White] {
            continue;
        }
        watching.until_seq(table, seq).await?;
        for client in [&mut watching, &mut sitting] {
            let legal = client.table(table)?.view().legal_moves.as_ref();
            ensure!(legal.is_some_and(|legal| legal.len() == 20), "{legal:?}");
        }
        return Ok(());
    }
    bail!("the guest never plays White")
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

/// W9: a player gets no help from the engine of a node that does not run the match.
#[tokio::test]
async fn no_node_analyses_for_a_player_of_a_running_match() -> Result<()> {
    let nodes = Nodes::start(2).await?;
    let contest = Contest::start_across(&nodes.addresses()[..1], &plain(Variant::Classic)).await?;
    let (_, player) = contest.players.first_key_value().context("a match has players")?;
    let setup = ExploreSetup::Start { variant: Variant::Classic };
    let request = Analyse { setup, moves: Vec::new(), lines: None, nodes: Some(500) };
    for index in 0..2 {
        let http = nodes.server(index)?.http().as_guest(player.guest()?);
        let answer = http.post("/api/analyse", &request).await?;
        ensure!(answer.refusal(403)? == RefusalCode::Playing, "node {index}: {answer:?}");
    }
    let spectator = nodes.server(1)?.guest("spectator").await?;
    let answer = nodes.server(1)?.http().as_guest(&spectator).post("/api/analyse", &request).await?;
    ensure!(answer.status == 200, "{answer:?}");
    Ok(())
}

/// W11: bots play at the node that owns the table, for a person at another node.
#[tokio::test]
async fn a_person_plays_with_bots_of_another_node() -> Result<()> {
    let nodes = Nodes::start(2).await?;
    let (owner, other) = (nodes.server(0)?, nodes.server(1)?);
    let host = owner.guest("host").await?;
    let bot = BotChoice::BuiltIn { level: BotLevel::try_from(1)? };
    let bots = vec![BotSeat { seat: None, bot }; 3];
    let table = CreateTable { seat: Some(Color::Red), bots, ..plain(Variant::Dilkel) };
    let TableCreated { table, .. } = owner.http().as_guest(&host).create(&table).await?;
    let mut person = other.connect(&host).await?;
    person.watch(table).await?;
    let mut played = 0;
    while played < 3 {
        let is_my_turn = |client: &Client| {
            client.table(table).is_ok_and(|mirror| {
                mirror.state().turn == Some(Color::Red) && mirror.view().legal_moves.is_some()
            })
        };
        person.until("the person's turn", is_my_turn).await?;
        let legal = person.table(table)?.view().legal_moves.clone().unwrap_or_default();
        let mv = person.mv(table, *legal.first().context("there is a legal move")?)?;
        person.accepted(&mv).await?;
        played += 1;
    }
    let record = other.http().get(&format!("/api/tables/{table}")).await?;
    ensure!(record.status == 200, "{record:?}");
    Ok(())
}
