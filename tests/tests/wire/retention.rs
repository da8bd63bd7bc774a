//! The removal of old data.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::archive::UserPage;
use quadrex_protocol::http::Me;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{InProcessServer, PATIENCE};
use tokio::time::timeout;

const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test]
async fn a_guest_who_does_not_come_back_is_removed_and_the_matches_stay() -> Result<()> {
    let server = InProcessServer::start_with(&[("QUADREX_RETENTION__GUESTS_DAYS", "30")]).await?;
    let stays = server.guest("Stays").await?;
    let mut contest = server.contest(&plain(Variant::Classic)).await?;
    let (table, match_id) = (contest.table, contest.match_id);
    let white = contest.player(Color::White)?;
    let resign = white.resign(table);
    white.accepted(&resign).await?;
    let gone = white.guest()?.clone();
    drop(contest);

    server.skip(20 * DAY);
    server.http().as_guest(&stays).get("/api/me").await?.json::<Me>(200)?;
    server.skip(15 * DAY);
    // A request of the guest would count as a use of the session.
    let path = format!("/api/users/{}", gone.user.id);
    let removed = async {
        while server.http().get(&path).await?.json::<UserPage>(200)?.user.name != "Guest" {
            // The server looks for old data every ten minutes.
            server.skip(Duration::from_secs(600));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::Ok(())
    };
    timeout(PATIENCE, removed).await.context("the removal of the guest")??;
    let refused = server.http().as_guest(&gone).get("/api/me").await?;
    ensure!(refused.refusal(401)? == RefusalCode::BadToken);
    let record = server.http().get(&format!("/api/matches/{match_id}")).await?;
    ensure!(record.status == 200 && record.body.contains(&gone.user.name), "{record:?}");
    let kept: Me = server.http().as_guest(&stays).get("/api/me").await?.json(200)?;
    ensure!(kept.user == stays.user, "{kept:?}");
    Ok(())
}

#[tokio::test]
async fn a_table_whose_match_never_starts_closes_even_if_somebody_is_present() -> Result<()> {
    let server = InProcessServer::start_with(&[("QUADREX_RETENTION__OPEN_TABLES_DAYS", "7")]).await?;
    let host = server.guest("Host").await?;
    let table = server.http().as_guest(&host).create(&plain(Variant::Classic)).await?.table;
    let mut client = server.connect(&host).await?;
    client.watch(table).await?;
    server.skip(6 * DAY);
    let me: Me = server.http().as_guest(&host).get("/api/me").await?.json(200)?;
    ensure!(me.tables.len() == 1, "{me:?}");
    server.skip(DAY);
    let is_closed =
        |client: &quadrex_tests::Client| client.table(table).is_ok_and(|mirror| mirror.view().state.closed);
    client.until("the end of the table", is_closed).await?;
    Ok(())
}
