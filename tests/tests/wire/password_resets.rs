//! A forgotten password: a link that is sent by mail sets a new one.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{ChangePassword, Me, NewSession, Session};
use quadrex_tests::http::{PASSWORD, Response};
use quadrex_tests::raw_sql::RawSql;
use quadrex_tests::smtp::SmtpServer;
use quadrex_tests::{Client, Database, Http, InProcessServer, Launch};
use serde_json::json;
use tokio::time::timeout;

use crate::accounts::sign_in;
use crate::mail::{add_address, start};

const NEW_PASSWORD: &str = "a new and better one";

async fn request(http: &Http, name: &str) -> Result<Response> {
    http.post("/api/password-resets", &json!({"name": name, "language": "en"})).await
}

async fn set(http: &Http, secret: &str, password: &str) -> Result<Response> {
    http.post("/api/password-resets/confirm", &json!({"secret": secret, "password": password})).await
}

async fn expect_bad_link(server: &InProcessServer, secret: &str) -> Result<()> {
    let refused = set(&server.http(), secret, NEW_PASSWORD).await?;
    ensure!(refused.refusal(410)? == RefusalCode::BadMailLink);
    Ok(())
}

/// Returns the launch of a server that sends mails to a local SMTP server.
async fn launch(database: &Database) -> Result<(Launch, SmtpServer)> {
    let smtp = SmtpServer::start().await?;
    let mut launch = Launch::new(database)?.with_env("QUADREX_LOG__FILTER", "debug");
    for (name, value) in smtp.settings() {
        launch = launch.with_env(name, value);
    }
    Ok((launch, smtp))
}

async fn check_reset(database: Database) -> Result<()> {
    let (launch, smtp) = launch(&database).await?;
    let server = launch.start().await?;
    let ada = server.http().account("Ada").await?;
    let http = server.http().as_guest(&ada);
    add_address(&http, &smtp, "ada@mail.example", 1).await?;
    let mut client = Client::open(server.address(), Some(&ada)).await?;
    let token = json!({"name": "a program", "scopes": ["play"]});
    ensure!(http.post("/api/tokens", &token).await?.status == 201);
    let handover = http.handover().await?.secret;
    // The name is typed in another way.
    ensure!(request(&server.http(), "ADA").await?.status == 204);
    let mail = smtp.until_received(2).await?;
    ensure!(mail.to == "ada@mail.example" && mail.body.starts_with("Hello Ada!"), "{mail:?}");
    let secret = mail.secret("/password-reset")?;
    ensure!(http.get("/api/me").await?.json::<Me>(200)?.user.id == ada.user.id, "nothing has changed yet");
    ensure!(set(&server.http(), &secret, NEW_PASSWORD).await?.status == 204);
    client.close_code().await.context("the connections of the account are closed")?;
    ensure!(http.get("/api/me").await?.refusal(401)? == RefusalCode::BadToken);
    let handover = NewSession { handover: Some(handover), ..NewSession::default() };
    let used = server.http().post("/api/session", &handover).await?;
    ensure!(used.refusal(403)? == RefusalCode::BadHandover, "the session would come back");
    let old = sign_in(&server.http(), "Ada", PASSWORD).await?;
    ensure!(old.refusal(403)? == RefusalCode::WrongCredentials);
    let new: Session = sign_in(&server.http(), "Ada", NEW_PASSWORD).await?.json(200)?;
    ensure!(new.user.id == ada.user.id);
    let again = set(&server.http(), &secret, "yet another one").await?;
    ensure!(again.refusal(410)? == RefusalCode::BadMailLink, "the link works once");
    let log = launch.log();
    let audited = log.lines().find(|line| line.contains("password_reset")).context("no audit record")?;
    ensure!(audited.contains(&ada.user.id.to_string()) && audited.contains("count=2"), "{audited}");
    for hidden in ["mail.example", secret.as_str(), NEW_PASSWORD] {
        ensure!(!log.contains(hidden), "the log contains {hidden}");
    }
    Ok(())
}

#[tokio::test]
async fn a_link_sets_a_new_password_and_ends_all_sessions_on_sqlite() -> Result<()> {
    check_reset(Database::Sqlite).await
}

#[tokio::test]
async fn a_link_sets_a_new_password_and_ends_all_sessions_on_postgres() -> Result<()> {
    check_reset(Database::postgres().await?).await
}

/// Strangers do not learn which accounts exist and have a mail address. The answer does not wait for the
/// database, so its time says nothing either.
#[tokio::test]
async fn the_answer_does_not_depend_on_the_account() -> Result<()> {
    let (launch, smtp) = launch(&Database::Sqlite).await?;
    let server = launch.start().await?;
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    server.http().account("Ben").await?;
    add_address(&ada, &smtp, "ada@mail.example", 1).await?;
    let blocked = RawSql::of(&launch)?.block_writers().await?;
    let http = server.http();
    let answers = async {
        let mut answers = Vec::new();
        for name in ["Ada", "Ben", "Nobody", "", "!!"] {
            answers.push(request(&http, name).await?);
        }
        anyhow::Ok(answers)
    };
    let answers =
        timeout(Duration::from_secs(3), answers).await.context("the answers wait for the database")??;
    ensure!(answers.iter().all(|answer| answer.status == 204 && answer.body.is_empty()), "{answers:?}");
    drop(blocked);
    ensure!(smtp.until_received(2).await?.to == "ada@mail.example");
    Ok(())
}

#[tokio::test]
async fn a_link_works_for_an_hour_and_until_the_password_changes() -> Result<()> {
    let (server, smtp) = start().await?;
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    add_address(&ada, &smtp, "ada@mail.example", 1).await?;
    let mut secrets = Vec::new();
    for count in 2..=3 {
        request(&server.http(), "Ada").await?;
        secrets.push(smtp.until_received(count).await?.secret("/password-reset")?);
    }
    expect_bad_link(&server, &secrets[0]).await.context("a newer link replaces it")?;
    let weak = set(&server.http(), &secrets[1], "short").await?;
    ensure!(weak.refusal(400)? == RefusalCode::InvalidPassword, "it does not use the link up");
    let change =
        ChangePassword { current: Some(PASSWORD.to_owned()), new: "chosen in the settings".to_owned() };
    let changed = ada.request("PUT", "/api/account/password", Some(&serde_json::to_string(&change)?)).await?;
    ensure!(changed.status == 200, "{changed:?}");
    expect_bad_link(&server, &secrets[1]).await.context("the password has changed")?;
    request(&server.http(), "Ada").await?;
    let secret = smtp.until_received(4).await?.secret("/password-reset")?;
    server.skip(Duration::from_secs(3_601));
    expect_bad_link(&server, &secret).await.context("it has expired")?;
    // A link of the other kind sets no password, and the other way round.
    ensure!(crate::mail::choose(&ada, "ada@other.example").await?.status == 204);
    let secret = smtp.until_received(5).await?.secret("/mail/confirm")?;
    expect_bad_link(&server, &secret).await.context("it confirms an address")?;
    request(&server.http(), "Ada").await?;
    let secret = smtp.until_received(6).await?.secret("/password-reset")?;
    let refused = server.http().post("/api/mail/confirm", &json!({"secret": secret})).await?;
    ensure!(refused.refusal(410)? == RefusalCode::BadMailLink);
    ada.request("DELETE", "/api/me/mail", None).await?;
    expect_bad_link(&server, &secret).await.context("the address was removed")?;
    Ok(())
}

#[tokio::test]
async fn requests_are_limited_per_name_whether_or_not_there_is_such_an_account() -> Result<()> {
    let (server, smtp) = start().await?;
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    add_address(&ada, &smtp, "ada@mail.example", 1).await?;
    for name in ["Ada", "Nobody"] {
        for number in 0..6 {
            ensure!(request(&server.http(), name).await?.status == 204, "{name} {number}");
        }
        ensure!(request(&server.http(), name).await?.refusal(429)? == RefusalCode::RateLimited, "{name}");
    }
    ensure!(request(&server.http(), "Ben").await?.status == 204, "another name has its own limit");
    let evil = server.http().with_header("Origin", "http://evil.example");
    ensure!(request(&evil, "Cleo").await?.refusal(403)? == RefusalCode::BadOrigin);
    let off = InProcessServer::start().await?;
    ensure!(request(&off.http(), "Ada").await?.refusal(403)? == RefusalCode::Forbidden);
    Ok(())
}
