//! Blocks and mutes: who may sit with whom, and the lists of users.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use futures_util::future::try_join;
use quadrex_protocol::bot::{BotChoice, BotSeat};
use quadrex_protocol::chat::Room;
use quadrex_protocol::http::{
    CreateTable, NewInvite, PersonalData, QuickJoin, RelatedUsers, TableSummary, Uses,
};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, Event, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::client::Answer;
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Guest, InProcessServer};

async fn change(server: &InProcessServer, by: &Guest, method: &str, list: &str, of: &UserView) -> Result<()> {
    let path = format!("/api/me/{list}/{}", of.id);
    let answer = server.http().as_guest(by).request(method, &path, None).await?;
    ensure!(answer.status == 204, "{method} {path}: {answer:?}");
    Ok(())
}

async fn block(server: &InProcessServer, by: &Guest, of: &Guest) -> Result<()> {
    change(server, by, "PUT", "blocks", &of.user).await
}

async fn listed(server: &InProcessServer, by: &Guest, list: &str) -> Result<Vec<UserView>> {
    let list: RelatedUsers = server.http().as_guest(by).get(&format!("/api/me/{list}")).await?.json(200)?;
    Ok(list.users.into_iter().map(|related| related.user).collect())
}

/// Sends `sit` as a user. Returns the answer.
async fn sit(
    server: &InProcessServer,
    user: &Guest,
    table: TableId,
    invite: Option<&str>,
) -> Result<(Client, Answer)> {
    let mut client = server.connect(user).await?;
    let frame = client.sit(table, None, invite);
    let answer = client.ask(&frame).await?;
    Ok((client, answer))
}

fn is_refused(answer: &Answer, code: RefusalCode, text: &str) -> Result<()> {
    let expected = Answer::Refused(code, text.to_owned());
    ensure!(*answer == expected, "{answer:?}");
    Ok(())
}

const CANNOT_JOIN: &str = "you cannot join this table";
const HAS_BLOCKED: &str = "you have blocked somebody at this table";

#[tokio::test]
async fn users_do_not_sit_with_users_whom_they_block_or_who_block_them() -> Result<()> {
    let server = InProcessServer::start().await?;
    let [host, player, blocked] =
        [server.guest("Host").await?, server.guest("Player").await?, server.guest("Blocked").await?];
    let http = server.http().as_guest(&host);
    for blocker in [&host, &player] {
        for privacy in [Privacy::Public, Privacy::Private] {
            let request = CreateTable { privacy, ..plain(Variant::Dilkel) };
            let table = http.create(&request).await?.table;
            let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Open }).await?.secret;
            let (_, seated) = sit(&server, &player, table, Some(&invite)).await?;
            ensure!(matches!(seated, Answer::Ack(_)), "{seated:?}");

            block(&server, blocker, &blocked).await?;
            let (_, answer) = sit(&server, &blocked, table, Some(&invite)).await?;
            is_refused(&answer, RefusalCode::Forbidden, CANNOT_JOIN)?;
            if privacy == Privacy::Private {
                let (_, answer) = sit(&server, &blocked, table, None).await?;
                ensure!(matches!(answer, Answer::Refused(RefusalCode::NotFound, _)), "{answer:?}");
            }
            block(&server, &blocked, blocker).await?;
            let (_, answer) = sit(&server, &blocked, table, Some(&invite)).await?;
            is_refused(&answer, RefusalCode::PlayerBlocked, HAS_BLOCKED)?;
            change(&server, blocker, "DELETE", "blocks", &blocked.user).await?;
            let (_, answer) = sit(&server, &blocked, table, Some(&invite)).await?;
            is_refused(&answer, RefusalCode::PlayerBlocked, HAS_BLOCKED)?;
            change(&server, &blocked, "DELETE", "blocks", &blocker.user).await?;
            let (_, answer) = sit(&server, &blocked, table, Some(&invite)).await?;
            ensure!(matches!(answer, Answer::Ack(_)), "{answer:?}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn of_two_users_who_sit_down_at_the_same_time_despite_a_block_one_gets_a_seat() -> Result<()> {
    let server = InProcessServer::start().await?;
    let [host, ada, ben] =
        [server.guest("Host").await?, server.guest("Ada").await?, server.guest("Ben").await?];
    block(&server, &ada, &ben).await?;
    for _ in 0..10 {
        let table = server.http().as_guest(&host).create(&plain(Variant::Dilkel)).await?.table;
        let (ada, ben) = try_join(sit(&server, &ada, table, None), sit(&server, &ben, table, None)).await?;
        match (ada.1, ben.1) {
            (Answer::Ack(_), refused) => is_refused(&refused, RefusalCode::Forbidden, CANNOT_JOIN)?,
            (refused, Answer::Ack(_)) => is_refused(&refused, RefusalCode::PlayerBlocked, HAS_BLOCKED)?,
            neither => bail!("{neither:?}"),
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_quick_join_never_pairs_users_across_a_block() -> Result<()> {
    let server = InProcessServer::start().await?;
    let [ada, ben, cleo] =
        [server.guest("Ada").await?, server.guest("Ben").await?, server.guest("Cleo").await?];
    block(&server, &ada, &ben).await?;
    let join =
        async |guest| server.http().as_guest(guest).quick_join(&QuickJoin::plain(Variant::Dilkel)).await;
    // People who wait are connected.
    let mut connections = Vec::new();
    for guest in [&ada, &ben, &cleo] {
        let mut client = server.connect(guest).await?;
        client.send(&ClientFrame::WatchOwnTables {}).await?;
        client
            .find("own tables", |frame| matches!(frame, ServerFrame::OwnTables { .. }).then_some(()))
            .await?;
        connections.push(client);
    }
    let with_ada = join(&ada).await?.table;
    let with_ben = join(&ben).await?.table;
    ensure!(with_ben != with_ada, "Ada has blocked Ben");
    let with_cleo = join(&cleo).await?.table;
    ensure!(with_cleo == with_ada, "it is the oldest table");
    let summary = server.http().public_tables().await?;
    ensure!(summary.len() == 2 && summary.iter().all(|table| table.phase == Phase::Open), "{summary:?}");

    // The other direction: the user who joins has blocked the one who waits.
    let [dora, emil] = [server.guest("Dora").await?, server.guest("Emil").await?];
    for guest in [&ada, &ben, &cleo] {
        block(&server, &dora, guest).await?;
    }
    let with_dora = join(&dora).await?.table;
    ensure!(with_dora != with_ada && with_dora != with_ben);
    ensure!(join(&emil).await?.table == with_ada, "Emil has not blocked anybody");
    Ok(())
}

#[tokio::test]
async fn a_block_takes_no_seat_away_and_stops_no_messages() -> Result<()> {
    let server = InProcessServer::start().await?;
    let [ada, ben] = [server.guest("Ada").await?, server.guest("Ben").await?];
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let table = server.http().as_guest(&ada).create(&request).await?.table;
    let (mut of_ben, seated) = sit(&server, &ben, table, None).await?;
    ensure!(matches!(seated, Answer::Ack(_)), "{seated:?}");
    let mut of_ada = server.connect(&ada).await?;
    of_ada.watch(table).await?;
    block(&server, &ada, &ben).await?;
    change(&server, &ada, "PUT", "mutes", &ben.user).await?;
    let chat = of_ben.chat(table, Room::Seated, "good luck");
    let seq = of_ben.accepted(&chat).await?;
    let mirror = of_ada.until_seq(table, seq).await?;
    ensure!(mirror.view().seats.iter().all(|seat| seat.user.is_some()), "both keep their seats");
    let entries = &mirror.view().history;
    ensure!(entries.iter().any(|entry| matches!(entry.event, Event::MessageSent { .. })), "{entries:?}");
    Ok(())
}

#[tokio::test]
async fn blocked_and_muted_users_are_listed_until_they_are_removed() -> Result<()> {
    let server = InProcessServer::start().await?;
    let [ada, ben, cleo] =
        [server.guest("Ada").await?, server.guest("Ben").await?, server.guest("Cleo").await?];
    for list in ["blocks", "mutes"] {
        ensure!(listed(&server, &ada, list).await?.is_empty());
        for other in [&ben, &cleo, &ben] {
            change(&server, &ada, "PUT", list, &other.user).await?;
            server.skip(Duration::from_secs(1));
        }
        ensure!(listed(&server, &ada, list).await? == [cleo.user.clone(), ben.user.clone()]);
        ensure!(listed(&server, &ben, list).await?.is_empty(), "the others learn nothing");
        change(&server, &ada, "DELETE", list, &cleo.user).await?;
        change(&server, &ada, "DELETE", list, &cleo.user).await?;
        ensure!(listed(&server, &ada, list).await? == std::slice::from_ref(&ben.user));
    }
    let ada = server.http().sign_up(ada, "Ada Account").await?;
    ensure!(
        listed(&server, &ada, "blocks").await? == std::slice::from_ref(&ben.user),
        "the account keeps the block"
    );
    let data: PersonalData = server.http().as_guest(&ada).get("/api/me/export").await?.json(200)?;
    let exported: Vec<_> = data.blocks.iter().chain(&data.mutes).map(|related| related.user.id).collect();
    ensure!(exported == [ben.user.id, ben.user.id], "{exported:?}");
    Ok(())
}

#[tokio::test]
async fn only_other_people_can_be_blocked_or_muted() -> Result<()> {
    let server = InProcessServer::start().await?;
    let ada = server.guest("Ada").await?;
    let http = server.http().as_guest(&ada);
    let bot = BotChoice::BuiltIn { level: 1.try_into()? };
    let request = CreateTable { bots: vec![BotSeat { seat: None, bot }], ..plain(Variant::Dilkel) };
    let table = http.create(&request).await?.table;
    let summary: TableSummary = http.get(&format!("/api/tables/{table}")).await?.json(200)?;
    let mut seated = summary.seats.into_iter().filter_map(|seat| seat.user);
    let bot = seated.find(UserView::is_server_bot).context("a bot is seated")?.id.to_string();
    let own = ada.user.id.to_string();
    for list in ["blocks", "mutes"] {
        for (user, status, code) in [
            (own.as_str(), 403, RefusalCode::Forbidden),
            (bot.as_str(), 403, RefusalCode::Forbidden),
            ("01890000-0000-7000-8000-000000000000", 404, RefusalCode::NotFound),
            ("nobody", 404, RefusalCode::NotFound),
        ] {
            let answer = http.request("PUT", &format!("/api/me/{list}/{user}"), None).await?;
            ensure!(answer.refusal(status)? == code, "{list}/{user}: {answer:?}");
        }
    }
    Ok(())
}
