//! The list of a user's sessions, and the end of sessions.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{NewSession, SessionClient, SessionList, SessionsEnded};
use quadrex_protocol::{ClientFrame, ServerFrame};
use quadrex_tests::browser::page;
use quadrex_tests::{Browser, Client, Database, Guest, Http, Launch, Server};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

async fn list(http: &Http) -> Result<SessionList> {
    http.get("/api/sessions").await?.json(200)
}

/// Lets a browser become the user of a program.
async fn browser_of(server: &Server, guest: &Guest) -> Result<Browser> {
    let secret = server.http().as_guest(guest).handover().await?.secret;
    let page = page(server.address()).with_header("user-agent", FIREFOX);
    let answer =
        page.post("/api/session", &NewSession { handover: Some(secret), ..NewSession::default() }).await?;
    Browser::given_by(server.address(), &answer)
}

/// Waits until the server answers a ping.
async fn answers(client: &mut Client) -> Result<()> {
    client.send(&ClientFrame::Ping {}).await?;
    client.find("an answer", |frame| matches!(frame, ServerFrame::Pong { .. }).then_some(())).await
}

async fn check_sessions(database: Database) -> Result<()> {
    let server = Launch::new(&database)?.start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let (ada_http, ben_http) = (server.http().as_guest(&ada), server.http().as_guest(&ben));
    let phone = browser_of(&server, &ada).await?;
    let laptop = browser_of(&server, &ada).await?;

    let SessionList { sessions } = list(&ada_http).await?;
    let kinds: Vec<_> = sessions.iter().map(|session| (session.client, session.name.as_deref())).collect();
    let firefox = (SessionClient::Browser, Some("Firefox, Linux"));
    ensure!(kinds == [firefox, firefox, (SessionClient::Program, None)], "{sessions:?}");
    let current: Vec<_> = sessions.iter().map(|session| session.is_current).collect();
    ensure!(current == [false, false, true], "{sessions:?}");
    ensure!(list(&phone.http()).await?.sessions[1].is_current, "the first browser is older");

    // A session of another user is as unknown as one that does not exist.
    let path = format!("/api/sessions/{}", sessions[1].id);
    for path in [path.as_str(), "/api/sessions/nothing"] {
        let answer = ben_http.request("DELETE", path, None).await?;
        ensure!(answer.refusal(404)? == RefusalCode::NotFound, "{answer:?}");
    }
    let anonymous = server.http().request("DELETE", &path, None).await?;
    ensure!(anonymous.refusal(401)? == RefusalCode::Unauthenticated);

    let (mut on_phone, mut on_laptop) = (phone.connect().await?, laptop.connect().await?);
    let ended = ada_http.request("DELETE", &path, None).await?;
    ensure!(ended.status == 204, "{ended:?}");
    ensure!(on_phone.close_code().await? == 4001);
    ensure!(phone.http().get("/api/me").await?.refusal(401)? == RefusalCode::Unauthenticated);
    answers(&mut on_laptop).await.context("the other sessions go on")?;

    // A browser signs itself out.
    let SessionList { sessions } = list(&laptop.http()).await?;
    let own = sessions.iter().find(|session| session.is_current).context("the own session")?;
    let signed_out = laptop.http().request("DELETE", &format!("/api/sessions/{}", own.id), None).await?;
    let cookie = signed_out.headers.iter().find(|(name, _)| name == "set-cookie");
    ensure!(cookie.is_some_and(|(_, value)| value.contains("Max-Age=0")), "{signed_out:?}");
    ensure!(on_laptop.close_code().await? == 4001);

    // A program ends all sessions but its own.
    let tablet = browser_of(&server, &ada).await?;
    let (mut on_tablet, mut program) = (tablet.connect().await?, server.connect(&ada).await?);
    let SessionsEnded { ended } = ada_http.request("DELETE", "/api/sessions", None).await?.json(200)?;
    ensure!(ended == 1);
    ensure!(on_tablet.close_code().await? == 4001);
    answers(&mut program).await?;
    ensure!(list(&ada_http).await?.sessions.len() == 1);
    ensure!(list(&ben_http).await?.sessions.len() == 1);
    Ok(())
}

#[tokio::test]
async fn sessions_are_listed_and_ended_on_sqlite() -> Result<()> {
    check_sessions(Database::Sqlite).await
}

#[tokio::test]
async fn sessions_are_listed_and_ended_on_postgres() -> Result<()> {
    check_sessions(Database::postgres().await?).await
}
