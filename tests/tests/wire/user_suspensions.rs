//! Users whom an operator has suspended: they may read, but change nothing.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::chat::Room;
use quadrex_protocol::http::{
    AdminReason, AdminUserDetails, ErrorBody, Me, RenameUser, SessionList, SessionsEnded, SuspendUser,
};
use quadrex_protocol::view::Presence;
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::http::Response;
use quadrex_tests::operator::{OPERATORS, add_operator};
use quadrex_tests::{Client, Database, Http, InProcessServer};

use crate::absence::until_presence;
use crate::operators::{launch, suspend};

async fn restore(operator: &Http, user: UserId) -> Result<Response> {
    let reason = AdminReason { reason: "an apology".to_owned() };
    operator.post(&format!("/api/admin/users/{user}/restore"), &reason).await
}

/// A suspended player reads and watches, but every command and every writing request is refused, and
/// the match goes on as if the player were absent.
async fn check_suspension(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let operator = server.http().as_guest(&olga);
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let mut player = contest.players.remove(&Color::White).context("white plays")?;
    let white = player.guest()?.clone();
    let chat = player.chat(table, Room::Seated, "hello");
    let seq = player.accepted(&chat).await?;

    let details: AdminUserDetails = suspend(&operator, white.user.id, None).await?.json(200)?;
    ensure!(details.suspended_by == Some(olga.user.id), "{details:?}");
    ensure!(player.close_code().await? == 4002);
    player.reconnect(server.address()).await?;
    player.watch(table).await?;
    let black = contest.player(Color::Black)?;
    until_presence(black, table, Color::White, Presence::Reconnecting).await?;

    let next = player.chat(table, Room::Seated, "I am back");
    ensure!(player.refused(&next).await? == RefusalCode::Suspended);
    let resign = player.resign(table);
    ensure!(player.refused(&resign).await? == RefusalCode::Suspended);
    ensure!(player.accepted(&chat).await? == seq, "it was committed before the suspension");
    let black_says = black.chat(table, Room::Seated, "anybody there?");
    let seq = black.accepted(&black_says).await?;
    player.until_seq(table, seq).await?;

    let http = server.http().as_guest(&white);
    let refused = http.post("/api/tables", &plain(Variant::Classic)).await?;
    ensure!(refused.refusal(403)? == RefusalCode::Suspended && refused.body.contains("abusive chat"));
    let rename = serde_json::to_string(&RenameUser { name: "Eva".to_owned() })?;
    for (method, path, body) in [
        ("PATCH", "/api/me", Some(rename.as_str())),
        ("POST", "/api/quick-join", Some(r#"{"variant": "classic"}"#)),
        ("POST", "/api/recovery-key", None),
        ("POST", "/api/tokens", Some(r#"{"name": "a", "scopes": ["play"]}"#)),
    ] {
        let refused = http.request(method, path, body).await?;
        ensure!(refused.refusal(403)? == RefusalCode::Suspended, "{method} {path}");
    }
    let me: Me = http.get("/api/me").await?.json(200)?;
    ensure!(me.suspension.is_some_and(|suspension| suspension.reason == "abusive chat"));
    ensure!(http.get(&format!("/api/tables/{table}")).await?.status == 200);
    http.get("/api/sessions").await?.json::<SessionList>(200)?;
    http.request("DELETE", "/api/sessions", None).await?.json::<SessionsEnded>(200)?;

    restore(&operator, white.user.id).await?.json::<AdminUserDetails>(200)?;
    ensure!(player.close_code().await? == 4002);
    player.reconnect(server.address()).await?;
    player.watch(table).await?;
    until_presence(contest.player(Color::Black)?, table, Color::White, Presence::Connected).await?;
    let again = player.chat(table, Room::Seated, "sorry");
    player.accepted(&again).await?;
    ensure!(http.post("/api/tables", &plain(Variant::Classic)).await?.status == 201);
    ensure!(restore(&operator, white.user.id).await?.refusal(404)? == RefusalCode::NotFound);
    ensure!(launch.log().contains("user_restored"));
    Ok(())
}

#[tokio::test]
async fn a_suspended_user_may_only_read_on_sqlite() -> Result<()> {
    check_suspension(Database::Sqlite).await
}

#[tokio::test]
async fn a_suspended_user_may_only_read_on_postgres() -> Result<()> {
    check_suspension(Database::postgres().await?).await
}

#[tokio::test]
async fn a_suspension_ends_at_its_time() -> Result<()> {
    let server = InProcessServer::start_with(&[OPERATORS]).await?;
    let olga = add_operator(&server.location()?).await?;
    let operator = server.http().as_guest(&olga);
    let ben = server.guest("Ben").await?;
    let mut connection = server.connect(&ben).await?;
    suspend(&operator, ben.user.id, Some(1)).await?.json::<AdminUserDetails>(200)?;
    ensure!(connection.close_code().await? == 4002);
    let http = server.http().as_guest(&ben);
    let refused = http.post("/api/tables", &plain(Variant::Classic)).await?;
    let ErrorBody { code, message } = refused.json(403)?;
    ensure!(code == RefusalCode::Suspended && message.contains(" UTC: abusive chat"), "{message}");
    let seconds: u64 = refused.header("retry-after").context("the time to wait")?.parse()?;
    ensure!((3_500..=3_600).contains(&seconds), "{seconds}");

    let mut connection = server.connect(&ben).await?;
    server.skip(Duration::from_secs(3_600));
    // The connection notices it at once, or with its next frame.
    connection.send_text(r#"{"t": "ping"}"#).await?;
    ensure!(connection.close_code().await? == 4002);
    let table = http.create(&plain(Variant::Classic)).await?.table;
    let mut connection = server.connect(&ben).await?;
    connection.watch(table).await?;
    let sit = connection.sit(table, None, None);
    connection.accepted(&sit).await?;
    Ok(())
}

#[tokio::test]
async fn operators_and_bots_of_the_server_cannot_be_suspended() -> Result<()> {
    let server = InProcessServer::start_with(&[OPERATORS]).await?;
    let olga = add_operator(&server.location()?).await?;
    let operator = server.http().as_guest(&olga);
    ensure!(suspend(&operator, olga.user.id, None).await?.refusal(403)? == RefusalCode::Forbidden);
    let ben = server.guest("Ben").await?;
    for hours in [0, 87_601] {
        let refused = suspend(&operator, ben.user.id, Some(hours)).await?;
        ensure!(refused.refusal(400)? == RefusalCode::BadSetting, "{hours}");
    }
    for reason in ["", " ", "two\nlines", &"a".repeat(501)] {
        let request = SuspendUser { reason: reason.to_owned(), hours: None };
        let path = format!("/api/admin/users/{}/suspend", ben.user.id);
        ensure!(operator.post(&path, &request).await?.refusal(400)? == RefusalCode::BadSetting, "{reason}");
    }
    Ok(())
}

/// A connection that is identified by `hello` is suspended like one with a header.
#[tokio::test]
async fn a_connection_is_suspended_from_its_hello_on() -> Result<()> {
    let server = InProcessServer::start_with(&[OPERATORS]).await?;
    let olga = add_operator(&server.location()?).await?;
    let ben = server.guest("Ben").await?;
    let table = server.http().as_guest(&ben).create(&plain(Variant::Classic)).await?.table;
    suspend(&server.http().as_guest(&olga), ben.user.id, None).await?.json::<AdminUserDetails>(200)?;
    let mut connection = Client::open(server.address(), Some(&ben)).await?;
    connection.watch(table).await?;
    let sit = connection.sit(table, None, None);
    ensure!(connection.refused(&sit).await? == RefusalCode::Suspended);
    Ok(())
}
