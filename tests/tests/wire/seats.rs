//! Seats and hosts: kicks, changes of the host, the right to watch, and tables that close by
//! themselves.

use anyhow::{Result, ensure};
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::http::{CreateTable, LinkKind, NewInvite, TableSummary, Uses};
use quadrex_protocol::settings::{Privacy, Watchers};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::client::Client;
use quadrex_tests::contest::plain;
use quadrex_tests::database::Database;
use quadrex_tests::server::{Launch, Server};

async fn server() -> Result<Server> {
    Launch::new(&Database::Sqlite)?.start().await
}

/// Kills the server and starts it again.
async fn restarted(launch: &Launch, mut server: Server) -> Result<Server> {
    server.kill().await?;
    launch.start().await
}

fn kick(client: &mut Client, table: TableId, color: Color) -> ClientFrame {
    ClientFrame::Kick { table, cmd: client.next_command_id(), color, match_id: None }
}

/// The host kicks a player, leaves, and then has no rights. The next seated user becomes host, and
/// stays host after a restart.
#[tokio::test]
async fn the_host_kicks_players_and_passes_the_host_role_on() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let server = launch.start().await?;
    let [ann, ben, cat] =
        [server.guest("Ann").await?, server.guest("Ben").await?, server.guest("Cat").await?];
    let request = CreateTable { seat: Some(Color::Yellow), ..plain(Variant::Dilkel) };
    let table = server.http().as_guest(&ann).create(&request).await?.table;
    let mut clients = Vec::new();
    for guest in [&ann, &ben, &cat] {
        let mut client = server.connect(guest).await?;
        client.watch(table).await?;
        clients.push(client);
    }
    let [a, b, c] = &mut clients[..] else { unreachable!("three came in") };
    let sit = b.sit(table, Some(Color::Red), None);
    b.accepted(&sit).await?;
    let sit = c.sit(table, Some(Color::Blue), None);
    c.accepted(&sit).await?;

    let by_guest = kick(b, table, Color::Blue);
    ensure!(b.refused(&by_guest).await? == RefusalCode::Forbidden);
    let by_host = kick(a, table, Color::Blue);
    let seq = a.accepted(&by_host).await?;
    let again = c.sit(table, Some(Color::Green), None);
    ensure!(c.refused(&again).await? == RefusalCode::Kicked);
    let seats = &c.until_seq(table, seq).await?.view().seats;
    ensure!(seats.iter().all(|seat| seat.color != Color::Blue || seat.user.is_none()), "{seats:?}");

    let leave = ClientFrame::Leave { table, cmd: a.next_command_id(), seat: None, match_id: None };
    let seq = a.accepted(&leave).await?;
    ensure!(
        b.until_seq(table, seq).await?.view().host == ben.user,
        "Red is the next seated user after Yellow"
    );
    let summary: TableSummary =
        server.http().as_guest(&ben).get(&format!("/api/tables/{table}")).await?.json(200)?;
    ensure!(summary.host == ben.user);
    let by_old_host = kick(a, table, Color::Red);
    ensure!(a.refused(&by_old_host).await? == RefusalCode::Forbidden);

    let server = restarted(&launch, server).await?;
    let mut b = server.connect(&ben).await?;
    ensure!(b.watch(table).await?.view().host == ben.user, "the log contains the host");
    let mut c = server.connect(&cat).await?;
    let again = ClientFrame::Sit {
        table,
        cmd: "again".parse()?,
        seat: None,
        invite: None,
        nonce: None,
        match_id: None,
    };
    ensure!(c.refused(&again).await? == RefusalCode::Kicked, "the log contains the kick");
    Ok(())
}

/// Nobody may watch this public table. Its seated users receive its events, and all others are
/// refused, even with a link.
#[tokio::test]
async fn the_settings_determine_who_may_watch() -> Result<()> {
    let server = server().await?;
    let [ann, ben] = [server.guest("Ann").await?, server.guest("Ben").await?];
    let http = server.http().as_guest(&ann);
    let watch =
        |table, secret| ClientFrame::Watch { table, match_id: None, after: None, secret, preview: false };
    let code = |frame| match frame {
        ServerFrame::Refused { code, .. } => Some(code),
        _ => None,
    };
    for (watchers, with_link) in [(Watchers::Link, None), (Watchers::Nobody, Some(RefusalCode::Forbidden))] {
        let request = CreateTable { watchers: Some(watchers), ..plain(Variant::Classic) };
        let table = http.create(&request).await?.table;
        let secret = http.watch_link(table).await?.secret;
        let mut b = server.connect(&ben).await?;
        b.send(&watch(table, None)).await?;
        ensure!(b.find("the refusal", code).await? == RefusalCode::Forbidden, "{watchers:?}");
        match with_link {
            None => drop(b.watch_with(table, Some(secret)).await?),
            Some(expected) => {
                b.send(&watch(table, Some(secret))).await?;
                ensure!(b.find("the refusal", code).await? == expected);
            }
        }
        let sit = b.sit(table, None, None);
        b.accepted(&sit).await?;
        b.watch(table).await?;
    }
    Ok(())
}

/// Waits until a connection loses the right to watch a table.
async fn until_watch_is_refused(client: &mut Client, table: TableId, code: RefusalCode) -> Result<()> {
    client.until("being shown out", |client| client.unseen(table).is_some()).await?;
    ensure!(client.unseen(table) == Some(code), "{:?}", client.unseen(table));
    Ok(())
}

/// Checks that a connection without the right to watch receives nothing more of a table, and may
/// not chat there.
async fn check_watch_is_refused(
    client: &mut Client,
    host: &mut Client,
    table: TableId,
    code: RefusalCode,
) -> Result<()> {
    let before = client.table(table)?.seq();
    let sit = host.sit(table, Some(Color::Blue), None);
    host.accepted(&sit).await?;
    let leave = ClientFrame::Leave { table, cmd: host.next_command_id(), seat: None, match_id: None };
    host.accepted(&leave).await?;
    let message = ChatMessage::Text("hello".to_owned());
    let room = Room::Bystanders;
    let say =
        ClientFrame::Chat { table, cmd: client.next_command_id(), room, message, seat: None, match_id: None };
    ensure!(client.refused(&say).await? == code);
    client.send(&ClientFrame::Ping {}).await?;
    let heads = client.find("the pong", |frame| match frame {
        ServerFrame::Pong { heads } => Some(heads),
        _ => None,
    });
    ensure!(!heads.await?.contains_key(&table), "its head is published");
    ensure!(client.table(table)?.seq() == before, "it receives events");
    Ok(())
}

/// If watching is not open to everybody, a user who is kicked or leaves stops watching at once, on
/// all connections. Otherwise the user goes on watching.
#[tokio::test]
async fn a_user_who_loses_the_seat_of_a_private_table_stops_watching() -> Result<()> {
    let server = server().await?;
    let [ann, ben] = [server.guest("Ann").await?, server.guest("Ben").await?];
    let http = server.http().as_guest(&ann);
    for watchers in [Watchers::Nobody, Watchers::Everybody] {
        let request =
            CreateTable { watchers: Some(watchers), seat: Some(Color::Red), ..plain(Variant::Dilkel) };
        let table = http.create(&request).await?.table;
        let mut host = server.connect(&ann).await?;
        let leave = ClientFrame::Leave { table, cmd: "leave".parse()?, seat: None, match_id: None };
        host.accepted(&leave).await?;
        host.watch(table).await?;
        let (mut first, mut second) = (server.connect(&ben).await?, server.connect(&ben).await?);
        // Both connections belong to one user, so their command ids must differ.
        for _ in 0..100 {
            second.next_command_id();
        }
        for is_kicked in [false, true] {
            let sit = first.sit(table, Some(Color::Yellow), None);
            first.accepted(&sit).await?;
            first.watch(table).await?;
            second.watch(table).await?;
            let seq = if is_kicked {
                let kick = kick(&mut host, table, Color::Yellow);
                host.accepted(&kick).await?
            } else {
                let leave =
                    ClientFrame::Leave { table, cmd: first.next_command_id(), seat: None, match_id: None };
                first.accepted(&leave).await?
            };
            let code = if is_kicked { RefusalCode::Kicked } else { RefusalCode::Forbidden };
            for client in [&mut first, &mut second] {
                client.until_seq(table, seq).await?;
                if watchers == Watchers::Everybody {
                    continue;
                }
                until_watch_is_refused(client, table, code).await?;
                check_watch_is_refused(client, &mut host, table, code).await?;
            }
            let sit = host.sit(table, Some(Color::Red), None);
            let seq = host.accepted(&sit).await?;
            host.until_seq(table, seq).await?;
            if watchers == Watchers::Everybody {
                first.until_seq(table, seq).await?;
            }
            let leave = ClientFrame::Leave { table, cmd: host.next_command_id(), seat: None, match_id: None };
            let seq = host.accepted(&leave).await?;
            host.until_seq(table, seq).await?;
        }
    }
    Ok(())
}

/// A kick at a private table ends the subscription that an invite granted, and no link readmits the
/// user.
#[tokio::test]
async fn a_kicked_user_can_no_longer_watch_a_private_table() -> Result<()> {
    let server = server().await?;
    let [ann, ben] = [server.guest("Ann").await?, server.guest("Ben").await?];
    let http = server.http().as_guest(&ann);
    let request = CreateTable { privacy: Privacy::Private, seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let table = http.create(&request).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Open }).await?.secret;
    let link = http.watch_link(table).await?.secret;
    let (mut host, mut first, mut second) =
        (server.connect(&ann).await?, server.connect(&ben).await?, server.connect(&ben).await?);
    let sit = first.sit(table, Some(Color::Yellow), Some(&invite));
    first.accepted(&sit).await?;
    first.watch_with(table, Some(invite.clone())).await?;
    second.watch_with(table, Some(link.clone())).await?;
    let kick = kick(&mut host, table, Color::Yellow);
    host.accepted(&kick).await?;
    for client in [&mut first, &mut second] {
        client.until("the end of the subscription", |client| client.unseen(table).is_some()).await?;
        ensure!(client.unseen(table) == Some(RefusalCode::Kicked), "{:?}", client.unseen(table));
    }
    for key in [invite, link] {
        let watch =
            ClientFrame::Watch { table, match_id: None, after: None, secret: Some(key), preview: false };
        first.send(&watch).await?;
        let code = |frame| match frame {
            ServerFrame::Refused { code, .. } => Some(code),
            _ => None,
        };
        ensure!(first.find("the refusal", code).await? == RefusalCode::NotFound);
    }
    Ok(())
}

/// Revoking a link ends the subscriptions by it at once and for good. A seated user goes on
/// watching while seated.
#[tokio::test]
async fn revoking_a_watch_link_ends_its_subscriptions() -> Result<()> {
    let server = server().await?;
    let [ann, ben, cat, dan] = [
        server.guest("Ann").await?,
        server.guest("Ben").await?,
        server.guest("Cat").await?,
        server.guest("Dan").await?,
    ];
    let http = server.http().as_guest(&ann);
    let request = CreateTable { privacy: Privacy::Private, seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let table = http.create(&request).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Open }).await?.secret;
    let other = http.watch_link(table).await?.secret;
    let link = http.watch_link(table).await?.secret;
    let (mut host, mut player, mut watcher, mut bystander) = (
        server.connect(&ann).await?,
        server.connect(&ben).await?,
        server.connect(&cat).await?,
        server.connect(&dan).await?,
    );
    player.watch_with(table, Some(invite.clone())).await?;
    let sit = player.sit(table, Some(Color::Yellow), Some(&invite));
    player.accepted(&sit).await?;
    watcher.watch_with(table, Some(link.clone())).await?;
    bystander.watch_with(table, Some(other.clone())).await?;

    let links = http.links(table).await?;
    let kinds: Vec<_> = links.iter().map(|link| (link.kind, link.used)).collect();
    ensure!(
        kinds == [(LinkKind::Invite, true), (LinkKind::Watch, false), (LinkKind::Watch, false)],
        "{kinds:?}"
    );
    let stranger = server.http().as_guest(&cat);
    ensure!(
        stranger.revoke(table, &links[2].id).await?.refusal(404)? == RefusalCode::NotFound,
        "it is private"
    );
    let seated = server.http().as_guest(&ben);
    ensure!(seated.revoke(table, &links[2].id).await?.refusal(403)? == RefusalCode::Forbidden);
    for link in [&links[0], &links[2]] {
        ensure!(http.revoke(table, &link.id).await?.status == 204);
        ensure!(http.revoke(table, &link.id).await?.refusal(404)? == RefusalCode::NotFound, "it is gone");
    }
    ensure!(http.links(table).await?.len() == 1);

    until_watch_is_refused(&mut watcher, table, RefusalCode::BadInvite).await?;
    let code = |frame| match frame {
        ServerFrame::Refused { code, .. } => Some(code),
        _ => None,
    };
    watcher
        .send(&ClientFrame::Watch { table, match_id: None, after: None, secret: Some(link), preview: false })
        .await?;
    ensure!(watcher.find("the refusal", code).await? == RefusalCode::NotFound);
    let sit = watcher.sit(table, Some(Color::Blue), Some(&invite));
    ensure!(watcher.refused(&sit).await? == RefusalCode::NotFound);

    host.watch(table).await?;
    let say = ClientFrame::Chat {
        table,
        cmd: host.next_command_id(),
        room: Room::Seated,
        message: ChatMessage::Text("hello".to_owned()),
        match_id: None,
        seat: None,
    };
    let seq = host.accepted(&say).await?;
    player.until_seq(table, seq).await?;
    bystander.until_seq(table, seq).await?;
    ensure!(player.unseen(table).is_none() && bystander.unseen(table).is_none());
    let leave = ClientFrame::Leave { table, cmd: player.next_command_id(), match_id: None, seat: None };
    player.accepted(&leave).await?;
    until_watch_is_refused(&mut player, table, RefusalCode::BadInvite).await
}

/// The number of links of a table is limited, and a revoked link does not count.
#[tokio::test]
async fn the_number_of_links_of_a_table_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_LIMITS__LINKS_PER_TABLE", 2);
    let server = launch.start().await?;
    let http = server.http().as_guest(&server.guest("Ann").await?);
    let table = http.create(&plain(Variant::Dilkel)).await?.table;
    let invite = NewInvite { seat: None, uses: Uses::Open };
    http.invite(table, &invite).await?;
    http.watch_link(table).await?;
    for link in ["invites", "watch-links"] {
        let answer = http.post(&format!("/api/tables/{table}/{link}"), &invite).await?;
        ensure!(answer.refusal(409)? == RefusalCode::TooManyLinks, "{link}");
    }
    ensure!(http.revoke(table, &http.links(table).await?[0].id).await?.status == 204);
    http.invite(table, &invite).await?;
    Ok(())
}

/// A host who leaves a private table stops watching it.
#[tokio::test]
async fn a_former_host_without_a_seat_stops_watching_a_private_table() -> Result<()> {
    let server = server().await?;
    let [ann, ben] = [server.guest("Ann").await?, server.guest("Ben").await?];
    let request =
        CreateTable { watchers: Some(Watchers::Nobody), seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let table = server.http().as_guest(&ann).create(&request).await?.table;
    let (mut a, mut b) = (server.connect(&ann).await?, server.connect(&ben).await?);
    let sit = b.sit(table, Some(Color::Yellow), None);
    b.accepted(&sit).await?;
    a.watch(table).await?;
    b.watch(table).await?;
    let leave = ClientFrame::Leave { table, cmd: a.next_command_id(), seat: None, match_id: None };
    let seq = a.accepted(&leave).await?;
    a.until_seq(table, seq).await?;
    until_watch_is_refused(&mut a, table, RefusalCode::Forbidden).await?;
    let leave = ClientFrame::Leave { table, cmd: b.next_command_id(), seat: None, match_id: None };
    b.accepted(&leave).await?;
    check_watch_is_refused(&mut a, &mut b, table, RefusalCode::Forbidden).await
}

/// An abandoned table with open seats closes: the lobby removes it, its log records it, and it
/// stays closed.
#[tokio::test]
async fn an_abandoned_table_closes() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_TABLES__CLOSE_OPEN_SECONDS", 0);
    let mut server = launch.start().await?;
    let [ann, ben] = [server.guest("Ann").await?, server.guest("Ben").await?];
    let mut lobby = server.connect(&ben).await?;
    lobby.send(&ClientFrame::WatchLobby {}).await?;
    let table = server.http().as_guest(&ann).create(&plain(Variant::Dilkel)).await?.table;
    let gone =
        |frame| matches!(frame, ServerFrame::LobbyRemoved { table: gone } if gone == table).then_some(());
    // The table may close before it is listed; then it is never removed from the list.
    let is_listed = |frame: &ServerFrame| match frame {
        ServerFrame::Lobby { tables, .. } => tables.iter().any(|summary| summary.table == table),
        ServerFrame::LobbyTable { table: summary } => summary.table == table,
        _ => false,
    };
    if is_listed(&lobby.next().await?) {
        lobby.find("the table leaving the list", gone).await?;
    }
    for round in 0..2 {
        let mut client = server.connect(&ben).await?;
        let watched = client.watch(table).await?;
        if watched.state().closed {
            ensure!(watched.state().phase == Phase::Ended && watched.seq() == 2, "{:?}", watched.view());
        } else {
            // The watcher came before the timer, so the table closes after the watcher has left.
            ensure!(round == 0, "it was closed before the restart");
            client.cut().await?;
            lobby.find("the table leaving the list", gone).await?;
            client = server.connect(&ben).await?;
            ensure!(client.watch(table).await?.state().closed);
        }
        let sit = client.sit(table, None, None);
        ensure!(client.refused(&sit).await? == RefusalCode::Ended);
        if round == 0 {
            server = restarted(&launch, server).await?;
        }
    }
    Ok(())
}

/// The ended match of a table is only read after a restart, so closing the table claims the match
/// first.
#[tokio::test]
async fn an_abandoned_table_with_an_ended_match_closes_even_after_a_restart() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_TABLES__CLOSE_ENDED_SECONDS", 0);
    let server = launch.start().await?;
    let mut contest = quadrex_tests::contest::Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let white = contest.players.get_mut(&Color::White).expect("White plays");
    let resign = white.resign(table);
    let ended = white.accepted(&resign).await?;
    let server = restarted(&launch, server).await?;

    let mut reader = server.connect_as_nobody().await?;
    let watched = reader.watch(table).await?;
    // The table closes after the reader has left, or has closed already, because nobody was there
    // after the restart.
    ensure!(watched.seq() == ended + u64::from(watched.state().closed), "{:?}", watched.state());
    reader.cut().await?;
    let closed = async {
        loop {
            let mut reader = server.connect_as_nobody().await?;
            let watched = reader.watch(table).await?;
            if watched.state().closed {
                return Ok::<_, anyhow::Error>((watched.seq(), watched.state().outcome.is_some()));
            }
            reader.cut().await?;
        }
    };
    let closed = tokio::time::timeout(quadrex_tests::PATIENCE, closed).await??;
    ensure!(closed == (ended + 1, true), "{closed:?}");
    Ok(())
}

#[tokio::test]
async fn the_rate_of_new_tables_of_a_user_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_LIMITS__TABLES_PER_MINUTE", 1)
        .with_env("QUADREX_LIMITS__TABLES_BURST", 2);
    let server = launch.start().await?;
    let [ann, ben] = [server.guest("Ann").await?, server.guest("Ben").await?];
    let http = server.http().as_guest(&ann);
    for _ in 0..2 {
        http.create(&plain(Variant::Classic)).await?;
    }
    let refused = http.post("/api/tables", &plain(Variant::Classic)).await?;
    ensure!(refused.refusal(429)? == RefusalCode::RateLimited);
    server.http().as_guest(&ben).create(&plain(Variant::Classic)).await?;
    Ok(())
}

/// Everybody sees the settings of a table. Incompatible settings are refused with the reason.
#[tokio::test]
async fn a_table_shows_its_settings() -> Result<()> {
    let server = server().await?;
    let ann = server.guest("Ann").await?;
    let http = server.http().as_guest(&ann);
    let request =
        CreateTable { hotseat: Some(true), ..CreateTable::plain(Variant::Dilkel, Privacy::Private) };
    let table = http.create(&request).await?.table;
    let summary: TableSummary = http.get(&format!("/api/tables/{table}")).await?.json(200)?;
    let mut client = server.connect(&ann).await?;
    let settings = client.watch(table).await?.view().settings.clone();
    ensure!(summary.settings == settings && settings.hotseat && settings.watchers == Watchers::Link);
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?;
    ensure!(!invite.secret.is_empty());
    let public = CreateTable { hotseat: Some(true), ..plain(Variant::Dilkel) };
    let refused = http.post("/api/tables", &public).await?;
    ensure!(
        refused.refusal(400)? == RefusalCode::BadSetting && refused.body.contains("hotseat"),
        "{}",
        refused.body
    );
    Ok(())
}
