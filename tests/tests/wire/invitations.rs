//! Invitations of users to tables, and invitations of the players of an ended match to another one.

use std::time::Duration;

use anyhow::{Result, ensure};
use quadrex_protocol::bot::{BotChoice, BotLevel, BotSeat};
use quadrex_protocol::http::{
    AdminReason, CreateTable, DeleteUser, InvitationList, InvitationView, InviteAgain, InvitedAgain,
    LinkCreated, NewInvitation, NewInvite, PersonalData, SentInvitation, SentInvitations, TableSummary, Uses,
};
use quadrex_protocol::settings::{Privacy, Seating};
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RefusalCode, ServerFrame, TableId, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::http::Response;
use quadrex_tests::operator::{OPERATORS, add_operator};
use quadrex_tests::{Client, Guest, InProcessServer};

/// Adds a relation of a user to another one.
async fn relate(server: &InProcessServer, by: &Guest, list: &str, of: &Guest) -> Result<()> {
    let path = format!("/api/me/{list}/{}", of.user.id);
    let answer = server.http().as_guest(by).request("PUT", &path, None).await?;
    ensure!(answer.status == 204, "{path}: {answer:?}");
    Ok(())
}

async fn invite(
    server: &InProcessServer,
    host: &Guest,
    table: TableId,
    user: UserId,
    seat: Option<Color>,
) -> Result<Response> {
    let path = format!("/api/tables/{table}/invitations");
    server.http().as_guest(host).post(&path, &NewInvitation { user, seat }).await
}

/// Invites a user to any seat, which must succeed.
async fn invited(server: &InProcessServer, host: &Guest, table: TableId, user: &Guest) -> Result<()> {
    let answer = invite(server, host, table, user.user.id, None).await?;
    ensure!(answer.status == 204 && answer.body.is_empty(), "{answer:?}");
    Ok(())
}

async fn private_table(server: &InProcessServer, host: &Guest) -> Result<TableId> {
    let request =
        CreateTable { seat: Some(Color::White), ..CreateTable::plain(Variant::Classic, Privacy::Private) };
    Ok(server.http().as_guest(host).create(&request).await?.table)
}

async fn list(server: &InProcessServer, user: &Guest) -> Result<Vec<InvitationView>> {
    let list: InvitationList = server.http().as_guest(user).get("/api/me/invitations").await?.json(200)?;
    Ok(list.invitations)
}

async fn sent(server: &InProcessServer, host: &Guest, table: TableId) -> Result<Vec<SentInvitation>> {
    let path = format!("/api/tables/{table}/invitations");
    let sent: SentInvitations = server.http().as_guest(host).get(&path).await?.json(200)?;
    Ok(sent.invitations)
}

async fn accept(server: &InProcessServer, user: &Guest, table: TableId) -> Result<Response> {
    let path = format!("/api/me/invitations/{table}/accept");
    server.http().as_guest(user).request("POST", &path, None).await
}

/// Opens a page of a user, which subscribes to the own tables.
async fn page(server: &InProcessServer, user: &Guest) -> Result<Client> {
    let mut client = server.connect(user).await?;
    client.send(&ClientFrame::WatchOwnTables {}).await?;
    Ok(client)
}

async fn pushed(client: &mut Client) -> Result<Vec<InvitationView>> {
    let pick = |frame| match frame {
        ServerFrame::Invitations { invitations } => Some(invitations),
        _ => None,
    };
    client.find("the invitations", pick).await
}

/// Sits down with the secret of an accepted invitation.
async fn sit(client: &mut Client, table: TableId, accepted: Response) -> Result<()> {
    let link: LinkCreated = accepted.json(201)?;
    let sit = client.sit(table, None, Some(&link.secret));
    client.accepted(&sit).await.map(drop)
}

/// Plays a match at a table of the host, until all others have resigned, and with bots the host too.
/// Returns the match.
async fn play(
    server: &InProcessServer,
    host: &Guest,
    others: &[&Guest],
    request: &CreateTable,
) -> Result<MatchId> {
    let http = server.http().as_guest(host);
    let created = http.create(&CreateTable { seat: Some(first_seat(request)), ..request.clone() }).await?;
    let mut clients = Vec::new();
    for other in others {
        let invite = http.invite(created.table, &NewInvite { seat: None, uses: Uses::Single }).await?;
        let mut client = server.connect(other).await?;
        let sit = client.sit(created.table, None, Some(&invite.secret));
        client.accepted(&sit).await?;
        clients.push(client);
    }
    if !request.bots.is_empty() {
        // The bots go on without the last person.
        clients.push(server.connect(host).await?);
    }
    for mut client in clients {
        let resign = client.resign(created.table);
        client.accepted(&resign).await?;
    }
    Ok(created.match_id)
}

fn first_seat(request: &CreateTable) -> Color {
    request.variant.colors()[0]
}

#[tokio::test]
async fn an_invited_user_is_notified_at_once_and_takes_the_seat() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.http().account("Ben").await?);
    relate(&server, &ada, "follows", &ben).await?;
    let mut bens = page(&server, &ben).await?;
    ensure!(pushed(&mut bens).await?.is_empty());

    let table = private_table(&server, &ada).await?;
    let absent = invite(&server, &ben, table, ada.user.id, None).await?;
    ensure!(absent.refusal(404)? == RefusalCode::NotFound, "the table is hidden from Ben");
    ensure!(invite(&server, &ada, table, ben.user.id, Some(Color::Black)).await?.status == 204);
    let invitations = pushed(&mut bens).await?;
    ensure!(invitations == list(&server, &ben).await?, "{invitations:?}");
    let [invitation] = invitations.as_slice() else { anyhow::bail!("{invitations:?}") };
    let path = format!("/api/tables/{table}");
    let summary: TableSummary = server.http().as_guest(&ada).get(&path).await?.json(200)?;
    ensure!(invitation.table == summary && invitation.from == ada.user, "{invitation:?}");
    ensure!(invitation.seat == Some(Color::Black), "{invitation:?}");
    ensure!(invitation.expires_at_ms - invitation.invited_at_ms == 24 * 3_600_000, "{invitation:?}");
    let hidden = server.http().as_guest(&ben).get(&path).await?;
    ensure!(hidden.status == 404, "only an accepted invitation opens the table: {hidden:?}");

    let [pending] = sent(&server, &ada, table).await?.try_into().expect("one is sent");
    ensure!(pending.user == ben.user && pending.seat == Some(Color::Black) && !pending.declined);
    let first: LinkCreated = accept(&server, &ben, table).await?.json(201)?;
    ensure!(pushed(&mut bens).await?.is_empty() && list(&server, &ben).await?.is_empty());
    ensure!(sent(&server, &ada, table).await?.is_empty());
    let again = accept(&server, &ben, table).await?;
    let void = bens.sit(table, None, Some(&first.secret));
    ensure!(bens.refused(&void).await? == RefusalCode::NotFound, "the earlier secret is void");
    sit(&mut bens, table, again).await?;
    let links = server.http().as_guest(&ada).links(table).await?;
    ensure!(links.len() == 1 && links[0].used && links[0].seat == Some(Color::Black), "{links:?}");
    Ok(())
}

#[tokio::test]
async fn only_followed_users_followers_and_recent_opponents_are_invited() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let ada = http.account("Ada").await?;
    let [ben, cleo, dora] =
        [http.account("Ben").await?, http.guest("Cleo").await?, http.guest("Dora").await?];
    let table = private_table(&server, &ada).await?;
    let refusal = async |user: UserId| {
        let answer = invite(&server, &ada, table, user, None).await?;
        anyhow::Ok((answer.status, serde_json::from_str::<serde_json::Value>(&answer.body)?["code"].clone()))
    };
    for user in [&ben, &cleo, &dora, &ada] {
        ensure!(refusal(user.user.id).await? == (403, "forbidden".into()), "{}", user.user.name);
    }
    relate(&server, &cleo, "follows", &ada).await?;
    invited(&server, &ada, table, &cleo).await?;
    relate(&server, &ada, "follows", &ben).await?;
    invited(&server, &ada, table, &ben).await?;

    play(&server, &ada, &[&dora], &plain(Variant::Classic)).await?;
    invited(&server, &ada, table, &dora).await?;
    ensure!(refusal(ada.user.id).await? == (403, "forbidden".into()), "nobody invites oneself");
    ensure!(sent(&server, &ada, table).await?.len() == 3);
    let nobody = UserId(uuid::Uuid::from_u128(7));
    ensure!(refusal(nobody).await? == (404, "not_found".into()));
    let answer = invite(&server, &ada, table, ben.user.id, Some(Color::Red)).await?;
    ensure!(answer.refusal(400)? == RefusalCode::NoSuchSeat);
    Ok(())
}

/// At a table that hides the names, the answer must not show who plays there.
#[tokio::test]
async fn seated_and_removed_users_are_not_invited() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.http().account("Ben").await?);
    relate(&server, &ada, "follows", &ben).await?;
    for is_anonymous in [false, true] {
        let request = CreateTable {
            seat: Some(Color::Red),
            anonymous: is_anonymous.then_some(true),
            ..plain(Variant::Dilkel)
        };
        let table = server.http().as_guest(&ada).create(&request).await?.table;
        let mut bens = server.connect(&ben).await?;
        let sit = bens.sit(table, Some(Color::Blue), None);
        let seq = bens.accepted(&sit).await?;
        let answer = invite(&server, &ada, table, ben.user.id, None).await?;
        if is_anonymous {
            ensure!(answer.status == 204, "the names are hidden: {answer:?}");
            continue;
        }
        ensure!(answer.refusal(409)? == RefusalCode::AlreadySeated);
        let mut adas = server.connect(&ada).await?;
        adas.watch(table).await?;
        adas.until_seq(table, seq).await?;
        let cmd = adas.next_command_id();
        let kick = ClientFrame::Kick { table, cmd, color: Color::Blue, match_id: None };
        adas.accepted(&kick).await?;
        let answer = invite(&server, &ada, table, ben.user.id, None).await?;
        ensure!(answer.refusal(403)? == RefusalCode::Kicked);
    }
    Ok(())
}

/// A user who is blocked cannot learn of the block by an invitation, and the blocking user never sees
/// the invitation.
#[tokio::test]
async fn an_invitation_of_a_user_who_is_blocked_is_answered_as_if_it_was_sent() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    play(&server, &ada, &[&ben], &plain(Variant::Classic)).await?;
    relate(&server, &ben, "blocks", &ada).await?;
    let mut bens = page(&server, &ben).await?;
    ensure!(pushed(&mut bens).await?.is_empty());
    let table = private_table(&server, &ada).await?;
    invited(&server, &ada, table, &ben).await?;
    let [pending] = sent(&server, &ada, table).await?.try_into().expect("one is sent");
    ensure!(pending.user == ben.user && !pending.declined, "{pending:?}");
    ensure!(pushed(&mut bens).await?.is_empty() && list(&server, &ben).await?.is_empty());
    ensure!(accept(&server, &ben, table).await?.refusal(404)? == RefusalCode::NotFound);

    relate(&server, &ada, "blocks", &ben).await?;
    let answer = invite(&server, &ada, table, ben.user.id, None).await?;
    ensure!(answer.refusal(409)? == RefusalCode::PlayerBlocked, "Ada has blocked Ben");
    Ok(())
}

#[tokio::test]
async fn a_user_who_has_declined_is_not_invited_to_the_table_again() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.http().account("Ben").await?);
    relate(&server, &ada, "follows", &ben).await?;
    let mut bens = page(&server, &ben).await?;
    ensure!(pushed(&mut bens).await?.is_empty());
    let table = private_table(&server, &ada).await?;
    invited(&server, &ada, table, &ben).await?;
    ensure!(pushed(&mut bens).await?.len() == 1);
    let path = format!("/api/me/invitations/{table}");
    for _ in 0..2 {
        let declined = server.http().as_guest(&ben).request("DELETE", &path, None).await?;
        ensure!(declined.status == 204, "{declined:?}");
    }
    ensure!(pushed(&mut bens).await?.is_empty());
    invited(&server, &ada, table, &ben).await?;
    let [declined] = sent(&server, &ada, table).await?.try_into().expect("one is sent");
    ensure!(declined.declined && list(&server, &ben).await?.is_empty(), "{declined:?}");
    ensure!(accept(&server, &ben, table).await?.refusal(404)? == RefusalCode::NotFound);

    let other = private_table(&server, &ada).await?;
    invited(&server, &ada, other, &ben).await?;
    ensure!(pushed(&mut bens).await?.len() == 1, "another table is another invitation");
    Ok(())
}

/// The page of an invited user learns that the match has started, that the host has withdrawn the
/// invitation, and that the table was closed.
#[tokio::test]
async fn an_invitation_ends_with_the_start_the_withdrawal_and_the_end_of_the_table() -> Result<()> {
    let server = InProcessServer::start_with(&[OPERATORS]).await?;
    let operator = add_operator(&server.location()?).await?;
    let http = server.http();
    let (ada, ben) = (server.guest("Ada").await?, http.account("Ben").await?);
    relate(&server, &ada, "follows", &ben).await?;
    let mut bens = page(&server, &ben).await?;
    ensure!(pushed(&mut bens).await?.is_empty());
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let [started, withdrawn, closed] = [(); 3].map(|()| http.as_guest(&ada));
    let [started, withdrawn, closed] = [
        started.create(&request).await?.table,
        withdrawn.create(&request).await?.table,
        closed.create(&request).await?.table,
    ];
    for (count, table) in [started, withdrawn, closed].into_iter().enumerate() {
        invited(&server, &ada, table, &ben).await?;
        ensure!(pushed(&mut bens).await?.len() == count + 1);
    }
    let invited_to = |list: &[InvitationView]| list.iter().map(|it| it.table.table).collect::<Vec<_>>();
    let cleo = server.guest("Cleo").await?;
    let mut client = server.connect(&cleo).await?;
    let sit = client.sit(started, None, None);
    client.accepted(&sit).await?;
    ensure!(invited_to(&pushed(&mut bens).await?) == [closed, withdrawn], "the match has started");
    let answer = invite(&server, &ada, started, ben.user.id, None).await?;
    ensure!(answer.refusal(409)? == RefusalCode::AlreadyStarted);

    let path = format!("/api/tables/{withdrawn}/invitations/{}", ben.user.id);
    for _ in 0..2 {
        let answer = http.as_guest(&ada).request("DELETE", &path, None).await?;
        ensure!(answer.status == 204, "{answer:?}");
    }
    ensure!(invited_to(&pushed(&mut bens).await?) == [closed], "the invitation was withdrawn");

    let reason = AdminReason { reason: "abuse".to_owned() };
    let path = format!("/api/admin/tables/{closed}/close");
    let answer = http.as_guest(&operator).post(&path, &reason).await?;
    ensure!((200..300).contains(&answer.status), "{answer:?}");
    ensure!(pushed(&mut bens).await?.is_empty() && list(&server, &ben).await?.is_empty());
    ensure!(accept(&server, &ben, closed).await?.refusal(404)? == RefusalCode::NotFound);
    Ok(())
}

#[tokio::test]
async fn an_invitation_expires_after_a_day_and_is_removed_with_its_users() -> Result<()> {
    // The tables stay open although nobody is there.
    let stay_open = ("QUADREX_TABLES__CLOSE_OPEN_SECONDS", "200000");
    let server = InProcessServer::start_with(&[stay_open]).await?;
    let (ada, ben) = (server.guest("Ada").await?, server.http().account("Ben").await?);
    let cleo = server.guest("Cleo").await?;
    relate(&server, &ada, "follows", &ben).await?;
    relate(&server, &cleo, "follows", &ben).await?;
    let [of_ada, of_cleo] = [private_table(&server, &ada).await?, private_table(&server, &cleo).await?];
    invited(&server, &ada, of_ada, &ben).await?;
    server.skip(Duration::from_secs(3600));
    invited(&server, &cleo, of_cleo, &ben).await?;
    let http = server.http().as_guest(&ben);
    let data: PersonalData = http.get("/api/me/export").await?.json(200)?;
    ensure!(data.invitations.len() == 2 && data.invitations[0].from == cleo.user, "{data:?}");
    server.skip(Duration::from_secs(23 * 3600));
    ensure!(accept(&server, &ben, of_ada).await?.refusal(404)? == RefusalCode::NotFound);
    let [left] = list(&server, &ben).await?.try_into().expect("one is left");
    ensure!(left.from == cleo.user && sent(&server, &ada, of_ada).await?.is_empty());

    let deleted = server.http().as_guest(&cleo).post("/api/me/delete", &DeleteUser::default()).await?;
    ensure!(deleted.status == 204, "{deleted:?}");
    ensure!(list(&server, &ben).await?.is_empty(), "its sender was deleted");
    Ok(())
}

#[tokio::test]
async fn a_table_has_at_most_twenty_invitations_that_wait_for_an_answer() -> Result<()> {
    let server = InProcessServer::start().await?;
    let ada = server.http().account("Ada").await?;
    let table = private_table(&server, &ada).await?;
    let mut users = Vec::new();
    for number in 0..21 {
        let user = server.guest(&format!("User {number}")).await?;
        relate(&server, &user, "follows", &ada).await?;
        users.push(user);
    }
    for user in &users[..20] {
        invited(&server, &ada, table, user).await?;
    }
    let answer = invite(&server, &ada, table, users[20].user.id, None).await?;
    ensure!(answer.refusal(409)? == RefusalCode::ListFull);
    let path = format!("/api/me/invitations/{table}");
    ensure!(server.http().as_guest(&users[0]).request("DELETE", &path, None).await?.status == 204);
    invited(&server, &ada, table, &users[20]).await
}

/// A table for the same people has the settings of the match, the host and the bots on their former
/// seats, and invitations for the others.
#[tokio::test]
async fn a_player_of_an_ended_match_invites_the_others_again() -> Result<()> {
    let server = InProcessServer::start().await?;
    let [ada, ben] = [server.guest("Ada").await?, server.guest("Ben").await?];
    let [cleo, dora] = [server.guest("Cleo").await?, server.guest("Dora").await?];
    let bot = BotSeat { seat: Some(Color::Green), bot: BotChoice::BuiltIn { level: BotLevel::try_from(1)? } };
    let request = CreateTable {
        bots: vec![bot.clone()],
        seating: Some(Seating::Chosen),
        move_limit_ms: Some(60_000),
        ..CreateTable::plain(Variant::Dilkel, Privacy::Private)
    };
    let played = play(&server, &ada, &[&ben, &cleo], &request).await?;
    let http = server.http().as_guest(&ben);
    let path = format!("/api/matches/{played}/invite-again");
    let stranger = server.http().as_guest(&dora).post(&path, &InviteAgain::default()).await?;
    ensure!(stranger.refusal(404)? == RefusalCode::NotFound);

    relate(&server, &ben, "blocks", &cleo).await?;
    let cmd: CommandId = "again".parse()?;
    let wish = InviteAgain { seat: None, cmd: Some(cmd) };
    let again: InvitedAgain = http.post(&path, &wish).await?.json(201)?;
    ensure!(again.invited == [ada.user.clone()], "Ben has blocked Cleo: {again:?}");
    ensure!(http.post(&path, &wish).await?.json::<InvitedAgain>(201)? == again, "it is the same request");
    let [invitation] = list(&server, &ada).await?.try_into().expect("Ada is invited");
    ensure!(invitation.from == ben.user && list(&server, &cleo).await?.is_empty());
    let table = invitation.table;
    ensure!(table.table == again.table && table.host == ben.user, "{table:?}");
    ensure!(table.settings.move_limit_ms == Some(60_000), "{table:?}");
    ensure!(table.settings.privacy == Privacy::Private && table.settings.variant == Variant::Dilkel);
    let holders = table.seats.iter().map(|seat| (seat.color, seat.user.as_ref().map(|user| &user.name)));
    let held: Vec<_> = holders.filter_map(|(color, name)| Some((color, name?.clone()))).collect();
    let bens = Variant::Dilkel.colors()[1];
    ensure!(held.contains(&(bens, "Ben".to_owned())) && held.len() == 2, "{held:?}");
    ensure!(held.iter().any(|(color, _)| *color == Color::Green), "{held:?}");
    Ok(())
}

#[tokio::test]
async fn nobody_is_invited_again_before_the_match_is_over() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let created = server.http().as_guest(&ada).create(&request).await?;
    let mut client = server.connect(&ben).await?;
    let sit = client.sit(created.table, None, None);
    client.accepted(&sit).await?;
    let path = format!("/api/matches/{}/invite-again", created.match_id);
    let http = server.http().as_guest(&ben);
    let early = http.post(&path, &InviteAgain::default()).await?;
    ensure!(early.refusal(409)? == RefusalCode::AlreadyStarted);
    let resign = client.resign(created.table);
    client.accepted(&resign).await?;
    let wish = InviteAgain { seat: Some(Color::White), cmd: None };
    let again: InvitedAgain = http.post(&path, &wish).await?.json(201)?;
    ensure!(again.invited == [ada.user.clone()] && list(&server, &ada).await?.len() == 1);
    let spectator = server.guest("Cleo").await?;
    let answer = server.http().as_guest(&spectator).post(&path, &InviteAgain::default()).await?;
    ensure!(answer.refusal(409)? == RefusalCode::NotSeated);
    Ok(())
}
