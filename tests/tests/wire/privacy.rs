//! A private table is hidden from strangers and open to users with a link.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, LinkKind, NewInvite, TableCreated, TableList, TableSummary, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, RefusalCode, RequestAction, ServerFrame, TableId};
use quadrex_rules::{Color, Request, Variant};
use quadrex_tests::client::Answer;
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Database, Guest, Launch, Server};

struct PrivateTable {
    server: Server,
    host: Guest,
    table: TableId,
}

/// Starts a server with a private dilkel table whose host has the red seat.
async fn private_table() -> Result<PrivateTable> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let host = server.guest("host").await?;
    let table = CreateTable { privacy: Privacy::Private, seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let TableCreated { table, .. } = server.http().as_guest(&host).create(&table).await?;
    Ok(PrivateTable { server, host, table })
}

/// Returns a well-formed id of a table that does not exist.
fn unknown() -> Result<TableId> {
    Ok("01890000-0000-7000-8000-000000000000".parse()?)
}

#[tokio::test]
async fn a_private_table_is_not_listed() -> Result<()> {
    let PrivateTable { server, host, table } = private_table().await?;
    let stranger = server.guest("stranger").await?;
    for http in [server.http(), server.http().as_guest(&stranger), server.http().as_guest(&host)] {
        let list: TableList = http.get("/api/tables").await?.json(200)?;
        ensure!(list.tables.is_empty(), "{list:?}");
    }
    let mut watcher = server.connect(&stranger).await?;
    watcher.send(&ClientFrame::WatchLobby {}).await?;
    let listed = watcher.find("the lobby", |frame| match frame {
        ServerFrame::Lobby { tables, .. } => Some(tables),
        _ => None,
    });
    ensure!(listed.await?.is_empty());
    // An event at the private table is followed by a new public table. Only the public table is
    // announced.
    let mut sitting = server.connect(&host).await?;
    sitting.watch(table).await?;
    let leave = ClientFrame::Leave { table, cmd: sitting.next_command_id(), seat: None, match_id: None };
    sitting.accepted(&leave).await?;
    let seated = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let TableCreated { table: public, .. } = server.http().as_guest(&host).create(&seated).await?;
    let listed = watcher.find("the public table", |frame| match frame {
        ServerFrame::LobbyTable { table } => Some(table.table),
        ServerFrame::LobbyRemoved { table } => Some(table),
        _ => None,
    });
    ensure!(listed.await? == public);
    Ok(())
}

#[tokio::test]
async fn a_private_table_and_a_missing_table_get_the_same_answer() -> Result<()> {
    let PrivateTable { server, host, table } = private_table().await?;
    let seen: TableSummary =
        server.http().as_guest(&host).get(&format!("/api/tables/{table}")).await?.json(200)?;
    ensure!(seen.table == table && seen.settings.privacy == Privacy::Private);
    let stranger = server.guest("stranger").await?;
    let somebody = server.http().as_guest(&stranger);
    for http in [server.http(), somebody.clone()] {
        let hidden = http.get(&format!("/api/tables/{table}")).await?;
        let missing = http.get(&format!("/api/tables/{}", unknown()?)).await?;
        ensure!(hidden.refusal(404)? == RefusalCode::NotFound);
        ensure!(hidden.status == missing.status && hidden.body == missing.body, "{hidden:?} and {missing:?}");
    }
    let invite = NewInvite { seat: None, uses: Uses::Open };
    for link in ["invites", "watch-links"] {
        let hidden = somebody.post(&format!("/api/tables/{table}/{link}"), &invite).await?;
        let missing = somebody.post(&format!("/api/tables/{}/{link}", unknown()?), &invite).await?;
        ensure!(hidden.refusal(404)? == RefusalCode::NotFound);
        ensure!(hidden.body == missing.body, "{hidden:?} and {missing:?}");
    }
    let mut client = server.connect(&stranger).await?;
    for kind in 0..8 {
        let hidden = answer(&mut client, table, kind).await?;
        let missing = answer(&mut client, unknown()?, kind).await?;
        ensure!(hidden == missing, "{hidden:?} and {missing:?}");
        if kind > 1 {
            ensure!(matches!(hidden, Answer::Refused(RefusalCode::NotFound, _)), "{hidden:?}");
        }
    }
    // The rate limit of the first connection is used up.
    let mut client = server.connect(&stranger).await?;
    for key in [None, Some("nonsense".to_owned())] {
        let hidden = watch_refused(&mut client, table, key.clone()).await?;
        let missing = watch_refused(&mut client, unknown()?, key).await?;
        ensure!(hidden == missing && hidden.0 == RefusalCode::NotFound, "{hidden:?} and {missing:?}");
    }
    Ok(())
}

/// Returns the answer to a stranger's command for a table.
async fn answer(client: &mut Client, table: TableId, kind: usize) -> Result<Answer> {
    let cmd = client.next_command_id();
    let command = match kind {
        0 => ClientFrame::Sit {
            table,
            cmd,
            seat: None,
            invite: Some("nonsense".to_owned()),
            nonce: None,
            match_id: None,
        },
        1 => ClientFrame::Sit {
            table,
            cmd,
            seat: Some(Color::Blue),
            invite: Some("A".repeat(22)),
            nonce: None,
            match_id: None,
        },
        2 => ClientFrame::Sit { table, cmd, seat: None, invite: None, nonce: None, match_id: None },
        3 => ClientFrame::Leave { table, cmd, seat: None, match_id: None },
        4 => ClientFrame::Move {
            table,
            cmd,
            after: 1,
            mv: "g2g3".parse()?,
            claim_draw: false,
            seat: None,
            match_id: None,
        },
        5 => ClientFrame::Resign { table, cmd, seat: None, match_id: None },
        6 => ClientFrame::ClaimDraw { table, cmd, seat: None, match_id: None },
        _ => ClientFrame::Request {
            table,
            cmd,
            request: Request::Draw,
            action: RequestAction::Ask,
            seat: None,
            match_id: None,
        },
    };
    client.ask(&command).await
}

async fn watch_refused(
    client: &mut Client,
    table: TableId,
    secret: Option<String>,
) -> Result<(RefusalCode, String)> {
    client.send(&ClientFrame::Watch { table, match_id: None, after: None, secret, preview: false }).await?;
    let refusal = client.find("the refusal", |frame| match frame {
        ServerFrame::Refused { code, message, .. } => Some((code, message)),
        _ => None,
    });
    refusal.await
}

#[tokio::test]
async fn an_invite_grants_only_its_seat() -> Result<()> {
    let PrivateTable { server, host, table } = private_table().await?;
    let http = server.http().as_guest(&host);
    let single = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let for_green =
        http.invite(table, &NewInvite { seat: Some(Color::Green), uses: Uses::Open }).await?.secret;
    let for_white = NewInvite { seat: Some(Color::White), uses: Uses::Open };
    let answer = http.post(&format!("/api/tables/{table}/invites"), &for_white).await?;
    ensure!(answer.refusal(400)? == RefusalCode::NoSuchSeat);

    let mut first = server.connect(&server.guest("first").await?).await?;
    let sit = first.sit(table, Some(Color::Yellow), Some("wrong"));
    ensure!(matches!(first.refused(&sit).await?, RefusalCode::BadInvite | RefusalCode::NotFound));
    let sit = first.sit(table, Some(Color::Yellow), Some(&for_green));
    ensure!(first.refused(&sit).await? == RefusalCode::BadInvite, "it is for another seat");
    let sit = first.sit(table, Some(Color::Red), Some(&single));
    ensure!(
        first.refused(&sit).await? == RefusalCode::SeatTaken,
        "a refused command does not use the invite"
    );
    let sit = first.sit(table, Some(Color::Yellow), Some(&single));
    let seq = first.accepted(&sit).await?;
    ensure!(first.accepted(&sit).await? == seq, "a repeated command gets the same answer");

    let mut second = server.connect(&server.guest("second").await?).await?;
    let sit = second.sit(table, Some(Color::Blue), Some(&single));
    ensure!(second.refused(&sit).await? == RefusalCode::BadInvite, "it is used");
    let sit = second.sit(table, None, Some(&for_green));
    second.accepted(&sit).await?;
    second.watch(table).await?;
    ensure!(second.table(table)?.view().your_seats == [Color::Green], "the invite chose the seat");

    // The open invite can be used again once the seat is free, and it also grants watching.
    let leave = ClientFrame::Leave { table, cmd: second.next_command_id(), seat: None, match_id: None };
    second.accepted(&leave).await?;
    let mut third = server.connect(&server.guest("third").await?).await?;
    third.watch_with(table, Some(for_green.clone())).await?;
    let sit = third.sit(table, None, Some(&for_green));
    third.accepted(&sit).await?;
    let me = server.http().as_guest(third.guest()?).get(&format!("/api/tables/{table}")).await?;
    ensure!(me.status == 200, "seated users see the table");
    Ok(())
}

#[tokio::test]
async fn a_watch_link_grants_watching_but_no_seat() -> Result<()> {
    let PrivateTable { server, host, table } = private_table().await?;
    let key = server.http().as_guest(&host).watch_link(table).await?.secret;
    let mut nobody = server.connect_as_nobody().await?;
    nobody.watch_with(table, Some(key.clone())).await?;
    ensure!(nobody.table(table)?.view().your_seats.is_empty());
    let mut guest = server.connect(&server.guest("guest").await?).await?;
    guest.watch_with(table, Some(key.clone())).await?;
    let sit = guest.sit(table, None, Some(&key));
    let code = guest.refused(&sit).await?;
    ensure!(matches!(code, RefusalCode::BadInvite | RefusalCode::NotFound), "{code:?}");
    let sit = guest.sit(table, None, None);
    let code = guest.refused(&sit).await?;
    ensure!(
        matches!(code, RefusalCode::BadInvite | RefusalCode::NotFound | RefusalCode::Forbidden),
        "{code:?}"
    );
    // Both watchers receive the next event.
    let mut sitting = server.connect(&host).await?;
    let leave = ClientFrame::Leave { table, cmd: sitting.next_command_id(), seat: None, match_id: None };
    let seq = sitting.accepted(&leave).await?;
    for watcher in [&mut nobody, &mut guest] {
        watcher.until_seq(table, seq).await.context("a watcher by link gets events")?;
    }
    Ok(())
}

/// Only the host sees the users of a link, at once and in a snapshot.
#[tokio::test]
async fn the_host_sees_who_has_opened_a_link() -> Result<()> {
    let PrivateTable { server, host, table } = private_table().await?;
    let http = server.http().as_guest(&host);
    let any = http.invite(table, &NewInvite { seat: None, uses: Uses::Open }).await?.secret;
    let for_green =
        http.invite(table, &NewInvite { seat: Some(Color::Green), uses: Uses::Single }).await?.secret;
    let mut hosting = server.connect(&host).await?;
    hosting.watch_with(table, Some(any.clone())).await?;
    let ben = server.guest("Ben").await?;
    let mut preview = server.connect(&server.guest("Eve").await?).await?;
    let secret = Some(any.clone());
    preview.send(&ClientFrame::Watch { table, match_id: None, after: None, secret, preview: true }).await?;
    let mut visiting = server.connect(&ben).await?;
    ensure!(visiting.watch_with(table, Some(any)).await?.view().link_visitors.is_empty());
    let visitors = |frame| match frame {
        ServerFrame::Presence { link_visitors, .. } if !link_visitors.is_empty() => Some(link_visitors),
        _ => None,
    };
    let first = hosting.find("the visitor", visitors).await?;
    ensure!(first.len() == 1 && first[0].user == ben.user, "neither the host nor a preview: {first:?}");
    ensure!(first[0].kind == LinkKind::Invite && first[0].seat.is_none() && first[0].opened_at_ms > 0);

    let mut green = server.connect(&server.guest("Cat").await?).await?;
    green.watch_with(table, Some(for_green)).await?;
    let both =
        hosting.find("the second visitor", |frame| visitors(frame).filter(|all| all.len() == 2)).await?;
    ensure!(both[0] == first[0] && both[1].seat == Some(Color::Green), "{both:?}");
    let mut again = server.connect(&host).await?;
    ensure!(again.watch(table).await?.view().link_visitors == both, "a snapshot contains them");
    let presence = visiting.find("presence", |frame| match frame {
        ServerFrame::Presence { link_visitors, spectators: 2, .. } => Some(link_visitors),
        _ => None,
    });
    ensure!(presence.await?.is_empty(), "a visitor sees no other visitors");
    Ok(())
}

/// A host resumes on a new connection while the earlier connection still counts as open. The
/// presence does not change, but the host may have missed that somebody has opened a link, and
/// learns it at once.
#[tokio::test]
async fn a_host_who_resumes_sees_who_has_opened_a_link() -> Result<()> {
    let PrivateTable { server, host, table } = private_table().await?;
    let invite = NewInvite { seat: None, uses: Uses::Open };
    let secret = server.http().as_guest(&host).invite(table, &invite).await?.secret;
    let mut hosting = server.connect(&host).await?;
    hosting.watch(table).await?;
    let ben = server.guest("Ben").await?;
    let mut visiting = server.connect(&ben).await?;
    visiting.watch_with(table, Some(secret.clone())).await?;
    let visitors = |frame| match frame {
        ServerFrame::Presence { link_visitors, .. } => Some(link_visitors),
        _ => None,
    };
    let seen = hosting.find("the visitor", |frame| visitors(frame).filter(|all| !all.is_empty())).await?;
    let watched = hosting.table(table)?;
    let (match_id, after) = (Some(watched.match_id()), Some(watched.seq()));
    let resume = |secret| ClientFrame::Watch { table, match_id, after, secret, preview: false };
    let mut again = server.connect(&host).await?;
    again.watch(table).await?;
    again.send(&resume(None)).await?;
    ensure!(again.find("presence", visitors).await? == seen && seen[0].user == ben.user);
    let mut other = server.connect(&ben).await?;
    other.watch_with(table, Some(secret.clone())).await?;
    other.send(&resume(Some(secret))).await?;
    ensure!(other.find("presence", visitors).await?.is_empty(), "a visitor sees no other");
    Ok(())
}

/// Every snapshot tells a kicked user who may still watch about the kick.
#[tokio::test]
async fn the_view_of_a_kicked_user_says_so() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let [host, ben] = [server.guest("host").await?, server.guest("Ben").await?];
    let request = CreateTable { seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let TableCreated { table, .. } = server.http().as_guest(&host).create(&request).await?;
    let mut other = server.connect(&ben).await?;
    ensure!(!other.watch(table).await?.view().kicked);
    let sit = other.sit(table, Some(Color::Blue), None);
    other.accepted(&sit).await?;
    let mut hosting = server.connect(&host).await?;
    hosting.watch(table).await?;
    let cmd = hosting.next_command_id();
    hosting.accepted(&ClientFrame::Kick { table, cmd, color: Color::Blue, match_id: None }).await?;
    ensure!(server.connect(&ben).await?.watch(table).await?.view().kicked);
    ensure!(!server.connect(&host).await?.watch(table).await?.view().kicked);
    ensure!(!server.connect_as_nobody().await?.watch(table).await?.view().kicked);
    Ok(())
}

/// A host creates a burst of links, and then gets the time of the next attempt.
#[tokio::test]
async fn the_rate_of_new_links_of_a_host_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_LIMITS__LINKS_BURST", 3);
    let server = launch.with_env("QUADREX_LIMITS__LINKS_PER_MINUTE", 1).start().await?;
    let host = server.http().as_guest(&server.guest("host").await?);
    let TableCreated { table, .. } = host.create(&plain(Variant::Classic)).await?;
    for _ in 0..2 {
        host.invite(table, &NewInvite { seat: None, uses: Uses::Open }).await?;
    }
    host.watch_link(table).await?;
    for link in ["invites", "watch-links"] {
        let path = format!("/api/tables/{table}/{link}");
        let answer = host.post(&path, &NewInvite { seat: None, uses: Uses::Open }).await?;
        ensure!(answer.header("retry-after").is_some_and(|wait| wait != "0"), "{link}");
        ensure!(answer.refusal(429)? == RefusalCode::RateLimited, "{link}");
    }
    let other = server.http().as_guest(&server.guest("other").await?);
    let TableCreated { table, .. } = other.create(&plain(Variant::Classic)).await?;
    other.watch_link(table).await?;
    Ok(())
}

/// Only the host creates links. Other users who see the table get that reason.
#[tokio::test]
async fn only_the_host_of_a_public_table_creates_links() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let host = server.guest("host").await?;
    let TableCreated { table, .. } = server.http().as_guest(&host).create(&plain(Variant::Classic)).await?;
    let other = server.http().as_guest(&server.guest("other").await?);
    for link in ["invites", "watch-links"] {
        let path = format!("/api/tables/{table}/{link}");
        let invite = NewInvite { seat: None, uses: Uses::Open };
        ensure!(other.post(&path, &invite).await?.refusal(403)? == RefusalCode::Forbidden);
        ensure!(server.http().post(&path, &invite).await?.refusal(401)? == RefusalCode::Unauthenticated);
    }
    Ok(())
}
