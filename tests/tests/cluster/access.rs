//! Private tables, links, chat and kicks work at every node.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::chat::Room;
use quadrex_protocol::http::{CreateTable, NewInvite, TableCreated, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, Event, RefusalCode, ServerFrame};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{Answer, Client, Launch, Nodes};

/// W2, W8: requests about a table at another node change nothing: the match is not interrupted, and
/// an open table does not close while its host watches it.
#[tokio::test]
async fn looking_at_a_table_from_another_node_changes_nothing() -> Result<()> {
    let settings = |launch: Launch| launch.with_env("QUADREX_TABLES__CLOSE_OPEN_SECONDS", 1);
    let nodes = Nodes::start_with(2, settings).await?;
    let (owner, other) = (nodes.server(0)?, nodes.server(1)?);
    let host = owner.guest("host").await?;
    let table = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let TableCreated { table, match_id } = owner.http().as_guest(&host).create(&table).await?;
    let mut host = owner.connect(&host).await?;
    host.watch(table).await?;
    for path in [format!("/api/tables/{table}"), "/api/matches".to_owned(), "/api/tables".to_owned()] {
        let answer = other.http().get(&path).await?;
        ensure!(answer.status == 200, "{path}: {answer:?}");
    }
    let mut viewer = other.connect_as_nobody().await?;
    viewer.watch(table).await?;
    viewer.send(&ClientFrame::Unwatch { table }).await?;
    let guest = other.guest("guest").await?;
    let mut guest = other.connect(&guest).await?;
    guest.watch(table).await?;
    // More than the time after which a table closes that nobody watches.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let sit = guest.sit(table, Some(Color::Black), None);
    guest.accepted(&sit).await?;
    host.until("the start of the match", |host| {
        host.table(table).is_ok_and(|mirror| mirror.state().phase == Phase::Running)
    })
    .await?;
    let mv = host.mv(table, "e2e4".parse()?)?;
    host.accepted(&mv).await?;
    let record = other.http().get(&format!("/api/matches/{match_id}/record")).await?;
    ensure!(record.status == 200 && !record.body.contains("\"interrupted\""), "{}", record.body);
    Ok(())
}

/// A private table is hidden at every node, and open to users with a link at every node. A revoked
/// link ends the access at every node.
#[tokio::test]
async fn links_open_and_close_a_private_table_at_every_node() -> Result<()> {
    let nodes = Nodes::start(2).await?;
    let (owner, other) = (nodes.server(0)?, nodes.server(1)?);
    let host = owner.guest("host").await?;
    let table = CreateTable { privacy: Privacy::Private, seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let http = owner.http().as_guest(&host);
    let TableCreated { table, .. } = http.create(&table).await?;
    let stranger = other.guest("stranger").await?;
    let seen = other.http().as_guest(&stranger).get(&format!("/api/tables/{table}")).await?;
    ensure!(seen.refusal(404)? == RefusalCode::NotFound, "{seen:?}");
    let link = http.watch_link(table).await?;
    let mut watcher = other.connect(&stranger).await?;
    watcher.watch_with(table, Some(link.secret)).await?;
    let links = http.links(table).await?;
    let link = links.first().context("the table has a link")?;
    ensure!(http.revoke(table, &link.id.to_string()).await?.status == 204);
    watcher.until("the end of the link", |watcher| watcher.unseen(table).is_some()).await?;
    // The host revokes from the other node as well.
    let http = other.http().as_guest(&host);
    let link = http.watch_link(table).await?;
    let mut watcher = owner.connect(&stranger).await?;
    watcher.watch_with(table, Some(link.secret)).await?;
    let links = http.links(table).await?;
    let link = links.first().context("the table has a link")?;
    ensure!(http.revoke(table, &link.id.to_string()).await?.status == 204);
    watcher.until("the end of the link", |watcher| watcher.unseen(table).is_some()).await?;
    Ok(())
}

/// The text of the next chat message, or a skipped number in its place.
async fn next_message(client: &mut Client) -> Result<Option<String>> {
    let pick = |frame| match frame {
        ServerFrame::Event { entry, .. } => match entry.event {
            Event::MessageSent { message, .. } => Some(Some(format!("{message:?}"))),
            _ => None,
        },
        ServerFrame::Skip { .. } => Some(None),
        _ => None,
    };
    client.find("a chat message", pick).await
}

/// The chat of spectators is hidden from players, and the host can kick, at every node.
#[tokio::test]
async fn chat_rooms_and_kicks_work_across_nodes() -> Result<()> {
    let nodes = Nodes::start(2).await?;
    let (owner, other) = (nodes.server(0)?, nodes.server(1)?);
    let host = owner.guest("host").await?;
    let invite_only = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let TableCreated { table, .. } = owner.http().as_guest(&host).create(&invite_only).await?;
    let mut host = owner.connect(&host).await?;
    host.watch(table).await?;
    let rival = other.guest("rival").await?;
    let mut rival = other.connect(&rival).await?;
    rival.watch(table).await?;
    let sit = rival.sit(table, Some(Color::Black), None);
    rival.accepted(&sit).await?;
    let mut spectators = Vec::new();
    for server in [owner, other] {
        let spectator = server.guest("spectator").await?;
        let mut spectator = server.connect(&spectator).await?;
        spectator.watch(table).await?;
        spectators.push(spectator);
    }
    for index in 0..2 {
        let text = format!("from {index}");
        let chat = spectators[index].chat(table, Room::Bystanders, &text);
        spectators[index].accepted(&chat).await?;
        // The sender has received its message before the answer.
        for spectator in
            spectators.iter_mut().enumerate().filter(|(other, _)| *other != index).map(|(_, s)| s)
        {
            let message = next_message(spectator).await?.context("spectators read it")?;
            ensure!(message.contains(&text), "{message}");
        }
        for player in [&mut host, &mut rival] {
            ensure!(next_message(player).await?.is_none(), "players do not read it");
        }
    }
    Ok(())
}

/// An invite to one seat, created at one node, seats its visitor at another node.
#[tokio::test]
async fn an_invite_seats_at_another_node() -> Result<()> {
    let nodes = Nodes::start(2).await?;
    let (owner, other) = (nodes.server(0)?, nodes.server(1)?);
    let host = owner.guest("host").await?;
    let private =
        CreateTable { privacy: Privacy::Private, seat: Some(Color::White), ..plain(Variant::Classic) };
    let http = other.http().as_guest(&host);
    let TableCreated { table, .. } = owner.http().as_guest(&host).create(&private).await?;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?;
    let mut seated = 0;
    for name in ["first", "second"] {
        let guest = other.guest(name).await?;
        let mut guest = other.connect(&guest).await?;
        let sit = guest.sit(table, None, Some(&invite.secret));
        seated += u32::from(matches!(guest.ask(&sit).await?, Answer::Ack(_)));
    }
    ensure!(seated == 1, "an invite for one seats one visitor, not {seated}");
    Ok(())
}
