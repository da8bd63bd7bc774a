//! The chat over the wire. During a match, players receive no messages of bystanders (RULES D15).

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::chat::Room;
use quadrex_protocol::{ClientFrame, Event, RefusalCode, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::client::Client;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::database::Database;
use quadrex_tests::http::Guest;
use quadrex_tests::server::{Launch, Server};
use serde_json::Value;

const SECRET: &str = "beware of the rook on d11";

/// Reads raw messages until one has this number, and fails if any contains the secret. Returns the
/// numbers of the received events.
async fn read_until(client: &mut Client, seq: u64) -> Result<Vec<u64>> {
    let mut numbers = Vec::new();
    while numbers.last() != Some(&seq) {
        let Ok(text) = client.receive_text().await? else { bail!("the connection ended") };
        ensure!(!text.contains(SECRET), "a player receives a bystander's message: {text}");
        let frame: Value = serde_json::from_str(&text)?;
        if ["event", "skip", "snapshot"].iter().any(|kind| frame["t"] == *kind) {
            numbers.push(frame["seq"].as_u64().context("it has a number")?);
        }
    }
    Ok(numbers)
}

/// Opens another connection of a user and requests to watch, without reading the answer.
async fn new_connection(server: &Server, guest: &Guest, watch: ClientFrame) -> Result<Client> {
    let mut client = server.connect(guest).await?;
    client.send(&watch).await?;
    Ok(client)
}

fn messages_seen(client: &Client, table: TableId) -> Result<Vec<&Event>> {
    let history = &client.table(table)?.view().history;
    Ok(history
        .iter()
        .map(|entry| &entry.event)
        .filter(|event| matches!(event, Event::MessageSent { .. }))
        .collect())
}

async fn resign(contest: &mut Contest, color: Color) -> Result<u64> {
    let table = contest.table;
    let player = contest.player(color)?;
    let resign = player.resign(table);
    let seq = player.accepted(&resign).await?;
    contest.until_seq(seq).await?;
    Ok(seq)
}

/// D15: players receive no message of a spectator or an eliminated player: not live, not after a
/// reconnect, and not in a snapshot. Bystanders receive each other's messages. After the end
/// everybody can read them.
#[tokio::test]
async fn seated_players_receive_no_bystander_messages_during_a_match() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let mut server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let (table, match_id) = (contest.table, contest.match_id);
    let mut nobody = server.connect_as_nobody().await?;
    nobody.watch(table).await?;
    let mut stranger = server.connect(&server.guest("stranger").await?).await?;
    stranger.watch(table).await?;
    contest.watchers.push(nobody);
    let start = resign(&mut contest, Color::Blue).await?;

    let red = contest.player(Color::Red)?.guest()?.clone();
    let whole = ClientFrame::Watch { table, match_id: None, after: None, secret: None, preview: false };
    let mut tab = new_connection(&server, &red, whole.clone()).await?;
    let chat = stranger.chat(table, Room::Bystanders, SECRET);
    stranger.accepted(&chat).await?;
    let blue = contest.player(Color::Blue)?;
    let chat = blue.chat(table, Room::Bystanders, &format!("oh, {SECRET}!"));
    let seq = blue.accepted(&chat).await?;
    ensure!(seq == start + 2);
    read_until(&mut tab, seq).await?;

    let after = Some(start - 1);
    let missed = ClientFrame::Watch { table, match_id: Some(match_id), after, secret: None, preview: false };
    let mut back = new_connection(&server, &red, missed).await?;
    ensure!(read_until(&mut back, seq).await? == [start, start + 1, start + 2], "no number is missing");
    let mut fresh = new_connection(&server, &red, whole).await?;
    ensure!(read_until(&mut fresh, seq).await? == [seq], "one snapshot");

    contest.until_seq(seq).await?;
    for color in [Color::Red, Color::Yellow, Color::Green] {
        ensure!(messages_seen(contest.player(color)?, table)?.is_empty(), "{color} received something");
    }
    ensure!(
        messages_seen(contest.player(Color::Blue)?, table)?.len() == 2,
        "an eliminated player receives the messages of bystanders"
    );
    let nobody = contest.watchers.first().context("somebody watches")?;
    ensure!(messages_seen(nobody, table)?.len() == 2, "spectators receive it too");

    let yellow = contest.player(Color::Yellow)?;
    let wrong = yellow.chat(table, Room::Bystanders, "hello out there");
    ensure!(yellow.refused(&wrong).await? == RefusalCode::WrongRoom);
    let chat = yellow.chat(table, Room::Seated, "good luck to all");
    let seq = yellow.accepted(&chat).await?;
    contest.until_seq(seq).await?;
    ensure!(messages_seen(contest.player(Color::Red)?, table)?.len() == 1);
    ensure!(messages_seen(contest.watchers.first().context("somebody watches")?, table)?.len() == 3);

    resign(&mut contest, Color::Yellow).await?;
    resign(&mut contest, Color::Green).await?;
    let player = contest.player(Color::Red)?;
    player.watch(table).await?;
    ensure!(messages_seen(player, table)?.len() == 3, "everybody may read the chat after the end");

    // The ended match was only read after the restart, so the next command claims it first.
    server.kill().await?;
    let server = launch.start().await?;
    let player = contest.player(Color::Red)?;
    player.reconnect(server.address()).await?;
    let chat = player.chat(table, Room::Seated, "good game");
    let seq = player.accepted(&chat).await?;
    player.until_seq(table, seq).await?;
    ensure!(messages_seen(player, table)?.len() == 4);
    Ok(())
}

/// Only users who watch or sit may send messages. The chat of a private table is hidden from all
/// others.
#[tokio::test]
async fn only_spectators_and_players_may_send_messages() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let mut nobody = server.connect_as_nobody().await?;
    nobody.watch(table).await?;
    let chat = nobody.chat(table, Room::Bystanders, "hello");
    ensure!(nobody.refused(&chat).await? == RefusalCode::Unauthenticated);
    let mut stranger = server.connect(&server.guest("stranger").await?).await?;
    let chat = stranger.chat(table, Room::Bystanders, "hello");
    ensure!(stranger.refused(&chat).await? == RefusalCode::Forbidden);
    stranger.watch(table).await?;
    for _ in 0..5 {
        let chat = stranger.chat(table, Room::Bystanders, "hello");
        stranger.accepted(&chat).await?;
    }
    let chat = stranger.chat(table, Room::Bystanders, "hello");
    ensure!(stranger.refused(&chat).await? == RefusalCode::RateLimited);
    Ok(())
}
