//! Warnings: the warned user sees the text until the user has acknowledged it.

use anyhow::{Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{AdminUserDetails, Me, PersonalData, TokenScope, WarnUser};
use quadrex_tests::operator::add_operator;
use quadrex_tests::{Database, Guest, Server};

use crate::operators::{admin, launch, suspend, token_with};

const TEXT: &str = "Please stop insulting others.";

async fn me(server: &Server, user: &Guest) -> Result<Me> {
    server.http().as_guest(user).get("/api/me").await?.json(200)
}

async fn check_warnings(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let operator = server.http().as_guest(&olga);
    let (rude, other) = (server.guest("Rude Guest").await?, server.guest("Other").await?);
    let mut connections = [server.connect(&rude).await?, server.connect(&other).await?];
    let path = format!("/api/admin/users/{}/warn", rude.user.id);
    let warn = async |text: &str| operator.post(&path, &WarnUser { text: text.to_owned() }).await;
    for wrong in ["", " ", &"x".repeat(501), "two\nlines"] {
        ensure!(warn(wrong).await?.refusal(400)? == RefusalCode::BadSetting, "{wrong:?}");
    }
    let bot = format!("/api/admin/users/{}/warn", olga.user.id);
    let refused = operator.post(&bot, &WarnUser { text: TEXT.to_owned() }).await?;
    ensure!(refused.refusal(403)? == RefusalCode::Forbidden, "an operator is not warned");

    let details: AdminUserDetails = warn(TEXT).await?.json(200)?;
    let [warning] = details.warnings.as_slice() else { anyhow::bail!("{details:?}") };
    ensure!(warning.text == TEXT && warning.by == olga.user.id && warning.acknowledged_at_ms.is_none());
    ensure!(connections[0].close_code().await? == 4002, "open pages load the warning");
    let seen = me(&server, &rude).await?.warnings;
    ensure!(seen.len() == 1 && seen[0].number == warning.number && seen[0].text == TEXT, "{seen:?}");
    ensure!(me(&server, &other).await?.warnings.is_empty());

    let path = format!("/api/me/warnings/{}/acknowledge", warning.number);
    let acknowledge =
        async |user: &Guest, path: &str| server.http().as_guest(user).request("POST", path, None).await;
    ensure!(acknowledge(&other, &path).await?.refusal(404)? == RefusalCode::NotFound);
    for absent in ["0", "x", "99"] {
        let path = format!("/api/me/warnings/{absent}/acknowledge");
        ensure!(acknowledge(&rude, &path).await?.refusal(404)? == RefusalCode::NotFound, "{absent}");
    }
    let token = token_with(&server.http(), &rude, &[TokenScope::Play]).await?;
    ensure!(acknowledge(&token, &path).await?.refusal(403)? == RefusalCode::Forbidden);
    ensure!(me(&server, &rude).await?.warnings.len() == 1, "it is not acknowledged");
    // A suspended user, too, acknowledges a warning.
    suspend(&operator, rude.user.id, Some(1)).await?.json::<AdminUserDetails>(200)?;
    for _ in 0..2 {
        ensure!(acknowledge(&rude, &path).await?.status == 204);
    }
    ensure!(me(&server, &rude).await?.warnings.is_empty());
    let user = format!("/api/admin/users/{}", rude.user.id);
    let details: AdminUserDetails = operator.get(&user).await?.json(200)?;
    ensure!(details.warnings[0].acknowledged_at_ms.is_some(), "{details:?}");
    let data: PersonalData = server.http().as_guest(&rude).get("/api/me/export").await?.json(200)?;
    ensure!(data.warnings.len() == 1 && data.warnings[0].acknowledged_at_ms.is_some(), "{data:?}");
    let log = launch.log();
    let entry = |line: &str| line.contains("user_warned") && line.contains(&olga.user.id.to_string());
    ensure!(log.lines().any(|line| entry(line) && line.contains(TEXT)), "{log}");
    Ok(())
}

#[tokio::test]
async fn a_warned_user_sees_the_warning_until_it_is_acknowledged_on_sqlite() -> Result<()> {
    check_warnings(Database::Sqlite).await
}

#[tokio::test]
async fn a_warned_user_sees_the_warning_until_it_is_acknowledged_on_postgres() -> Result<()> {
    check_warnings(Database::postgres().await?).await
}

#[tokio::test]
async fn operators_warn_users_from_the_command_line() -> Result<()> {
    let launch = launch(&Database::Sqlite)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let url = format!("http://{}", server.address());
    let token = token_with(&server.http(), &olga, &[TokenScope::Admin]).await?.token;
    let rude = server.guest("Rude Guest").await?;
    let (is_done, details) = admin(&url, &token, &["warn", "rude guest", "--text", TEXT]).await?;
    ensure!(is_done && details.contains("warned") && details.contains(TEXT), "{details}");
    ensure!(me(&server, &rude).await?.warnings.len() == 1);
    Ok(())
}
