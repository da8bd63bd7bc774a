//! Vacations of users: days, clocks, and what the opponents see.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, PersonalData, VacationStatus};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::{Event, RefusalCode};
use quadrex_rules::{Color, Variant};
use quadrex_store::LoggedEvent;
use quadrex_tests::contest::Contest;
use quadrex_tests::http::Http;
use quadrex_tests::in_process::InProcessServer;

const DAY: Duration = Duration::from_secs(24 * 3_600);
const HOUR: Duration = Duration::from_secs(3_600);

fn correspondence() -> CreateTable {
    CreateTable {
        time: Some(TimeSetting::Correspondence { days: 1 }),
        ..CreateTable::plain(Variant::Classic, Privacy::Public)
    }
}

fn http_of(server: &InProcessServer, contest: &mut Contest, color: Color) -> Result<Http> {
    Ok(server.http().as_guest(contest.player(color)?.guest()?))
}

async fn begin(http: &Http, body: &str) -> Result<VacationStatus> {
    http.request("PUT", "/api/me/vacation", Some(body)).await?.json(200)
}

async fn end(http: &Http) -> Result<VacationStatus> {
    http.request("DELETE", "/api/me/vacation", None).await?.json(200)
}

/// Waits until a player sees whether White is on vacation.
async fn until_white_is_on_vacation(contest: &mut Contest, is_on: bool) -> Result<()> {
    let table = contest.table;
    for color in [Color::White, Color::Black] {
        let client = contest.player(color)?;
        client
            .until("the change of the vacation", |client| {
                client.table(table).is_ok_and(|mirror| {
                    mirror.state().vacations.iter().any(|vacation| vacation.color == Color::White) == is_on
                })
            })
            .await?;
    }
    Ok(())
}

fn left(contest: &mut Contest) -> Result<Duration> {
    let table = contest.table;
    let clock = contest.player(Color::Black)?.table(table)?.state().clock.as_ref().context("a clock")?;
    Ok(Duration::from_millis(clock.left_ms[&Color::White]))
}

fn vacation_events(log: &[LoggedEvent]) -> Vec<&Event> {
    let is_wanted = |event: &&Event| {
        matches!(event, Event::VacationStarted { .. } | Event::VacationEnded { .. } | Event::Ended { .. })
    };
    log.iter().map(|logged| &logged.event).filter(is_wanted).collect()
}

/// The clock of a user on vacation stands still in all correspondence matches, and runs again after
/// the vacation. The opponents see the vacation.
#[tokio::test]
async fn the_clocks_of_a_user_on_vacation_stand_still() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence()).await?;
    contest.play("e2e4".parse()?).await?;
    contest.play("e7e5".parse()?).await?;
    let white = http_of(&server, &mut contest, Color::White)?;
    let status = begin(&white, r#"{"days": 3}"#).await?;
    ensure!(status.days_left == 27 && status.current.is_some(), "{status:?}");
    until_white_is_on_vacation(&mut contest, true).await?;
    server.skip(2 * DAY);
    let other = white.request("PUT", "/api/me/vacation", Some("{}")).await?;
    ensure!(other.refusal(409)? == RefusalCode::RequestRefused, "the user is on vacation already");
    let status = end(&white).await?;
    ensure!(status.current.is_none() && (27..=28).contains(&status.days_left), "{status:?}");
    until_white_is_on_vacation(&mut contest, false).await?;
    let left = left(&mut contest)?;
    ensure!(left > DAY - HOUR && left <= DAY, "two days of vacation cost nothing: {left:?}");
    contest.play("g1f3".parse()?).await?;
    Ok(())
}

/// The vacation ends by itself, and then the time of the turn runs out.
#[tokio::test]
async fn a_vacation_ends_by_itself() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence()).await?;
    contest.play("e2e4".parse()?).await?;
    contest.play("e7e5".parse()?).await?;
    let white = http_of(&server, &mut contest, Color::White)?;
    begin(&white, r#"{"days": 1}"#).await?;
    until_white_is_on_vacation(&mut contest, true).await?;
    server.skip(DAY + HOUR);
    until_white_is_on_vacation(&mut contest, false).await?;
    server.skip(DAY);
    let table = contest.table;
    let black = contest.player(Color::Black)?;
    black
        .until("the end", |client| client.table(table).is_ok_and(|mirror| mirror.state().outcome.is_some()))
        .await?;
    let store = server.store().await?;
    let log = store.events(contest.match_id, 0).await?;
    let events = vacation_events(&log);
    let [Event::VacationStarted { .. }, Event::VacationEnded { color: Color::White }, Event::Ended { .. }] =
        events[..]
    else {
        anyhow::bail!("{events:?}")
    };
    Ok(())
}

/// A match that has not received the beginning of a vacation, because the server died just then, looks
/// it up before the time of a player runs out.
#[tokio::test]
async fn a_match_looks_up_vacations_before_time_runs_out() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence()).await?;
    contest.play("e2e4".parse()?).await?;
    contest.play("e7e5".parse()?).await?;
    let store = server.store().await?;
    let log = store.events(contest.match_id, 0).await?;
    let since = log.last().context("there are events")?.at + HOUR;
    let user = contest.player(Color::White)?.guest()?.user.id;
    let vacation =
        quadrex_store::StoredVacation { user, since, until: since + 3 * DAY, year: 1970, used_days: 3 };
    ensure!(store.replace_vacation(None, &vacation).await?);
    server.skip(2 * DAY);
    until_white_is_on_vacation(&mut contest, true).await?;
    let left = left(&mut contest)?;
    ensure!(left > 22 * HOUR && left <= 23 * HOUR, "an hour has run before the vacation: {left:?}");
    Ok(())
}

/// The days of a year are limited, and each vacation has at least a day.
#[tokio::test]
async fn vacation_days_are_limited() -> Result<()> {
    let settings = [("QUADREX_CORRESPONDENCE__VACATION_DAYS_PER_YEAR", "5")];
    let server = InProcessServer::start_with(&settings).await?;
    let http = server.http();
    let ada = http.as_guest(&http.guest("Ada").await?);
    let refused = async |body: &str| {
        let answer = ada.request("PUT", "/api/me/vacation", Some(body)).await?;
        answer.refusal(400)
    };
    ensure!(refused(r#"{"days": 0}"#).await? == RefusalCode::BadSetting);
    ensure!(refused(r#"{"days": 6}"#).await? == RefusalCode::BadSetting);
    ensure!(begin(&ada, r#"{"days": 2}"#).await?.days_left == 3);
    ensure!(end(&ada).await?.days_left == 4, "a day that has begun counts");
    ensure!(end(&ada).await?.days_left == 4, "there is no vacation any more");
    ensure!(begin(&ada, "{}").await?.days_left == 0, "all days that are left");
    ensure!(end(&ada).await?.days_left == 3);
    let exported: PersonalData = ada.get("/api/me/export").await?.json(200)?;
    ensure!(exported.vacation.days_left == 3, "{:?}", exported.vacation);
    server.skip(366 * DAY);
    let status: VacationStatus = ada.get("/api/me/vacation").await?.json(200)?;
    ensure!(status.days_left == 5, "each year has its own days: {status:?}");
    let off = InProcessServer::start_with(&[("QUADREX_CORRESPONDENCE__VACATION_DAYS_PER_YEAR", "0")]).await?;
    let ben = off.http().as_guest(&off.http().guest("Ben").await?);
    ensure!(
        ben.request("PUT", "/api/me/vacation", Some("{}")).await?.refusal(400)? == RefusalCode::BadSetting
    );
    Ok(())
}

/// A user who goes on vacation before a match begins is on vacation there too.
#[tokio::test]
async fn a_match_that_begins_in_a_vacation_knows_it() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let (ada, ben) = (http.guest("Ada").await?, http.guest("Ben").await?);
    begin(&http.as_guest(&ada), "{}").await?;
    let request = CreateTable { seat: Some(Color::White), ..correspondence() };
    let created = http.as_guest(&ada).create(&request).await?;
    let mut client = server.connect(&ben).await?;
    client.watch(created.table).await?;
    let sit = client.sit(created.table, None, None);
    client.accepted(&sit).await?;
    client
        .until("Ada's vacation", |client| {
            client.table(created.table).is_ok_and(|mirror| mirror.state().vacations.len() == 1)
        })
        .await
}
