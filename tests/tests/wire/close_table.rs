//! Operators close tables. Everybody at the table sees the reason, and a running match is aborted.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::MatchView;
use quadrex_protocol::http::{AdminReason, CreateTable, Me, TableClosed, TokenScope};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, RefusalCode, TableId};
use quadrex_rules::{AbortCause, Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::http::Response;
use quadrex_tests::operator::add_operator;
use quadrex_tests::{Database, Http, PATIENCE};
use tokio::time::timeout;
use uuid::Uuid;

use crate::operators::{admin, launch, token_with};

async fn close(operator: &Http, table: TableId, reason: &str) -> Result<Response> {
    let request = AdminReason { reason: reason.to_owned() };
    operator.post(&format!("/api/admin/tables/{table}/close"), &request).await
}

async fn check_closing(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let operator = server.http().as_guest(&olga);
    let rated = CreateTable {
        rated: Some(true),
        time: Some(TimeSetting::Fischer { base_ms: 600_000, increment_ms: 0 }),
        ..plain(Variant::Classic)
    };
    let mut contest = Contest::start(&server, &rated).await?;
    let (table, match_id) = (contest.table, contest.match_id);
    for (color, mv) in [(Color::White, "e2e4"), (Color::Black, "e7e5")] {
        let player = contest.player(color)?;
        let mv = player.mv(table, mv.parse()?)?;
        let seq = player.accepted(&mv).await?;
        contest.until_seq(seq).await?;
    }
    for wrong in ["", "two\nlines", &"x".repeat(501)] {
        ensure!(close(&operator, table, wrong).await?.refusal(400)? == RefusalCode::BadSetting, "{wrong:?}");
    }
    let closed: TableClosed = close(&operator, table, "insults").await?.json(200)?;
    ensure!(closed == TableClosed { table, match_id }, "{closed:?}");
    for player in contest.players.values_mut() {
        let is_closed = |player: &quadrex_tests::Client| {
            player.table(table).is_ok_and(|mirror| mirror.view().state.closed)
        };
        player.until("the end of the table", is_closed).await?;
        let view = player.table(table)?.view();
        ensure!(view.state.phase == Phase::Ended && view.state.aborted == Some(AbortCause::Operator));
        let last: Vec<_> = view.history.iter().rev().take(2).map(|entry| &entry.event).collect();
        let reason = Event::Closed { reason: Some("insults".to_owned()) };
        ensure!(last == [&reason, &Event::Aborted { cause: AbortCause::Operator }], "{last:?}");
        let me: Me = server.http().as_guest(player.guest()?).get("/api/me").await?.json(200)?;
        ensure!(me.tables.is_empty(), "{me:?}");
    }
    // The command has an id, so the same operator gets the same answer again.
    ensure!(close(&operator, table, "insults").await?.json::<TableClosed>(200)? == closed);

    let host = server.guest("Host").await?;
    let open = server.http().as_guest(&host).create(&plain(Variant::Classic)).await?;
    ensure!(close(&operator, open.table, "spam").await?.status == 200);
    ensure!(server.http().public_tables().await?.is_empty());
    for absent in [TableId(Uuid::from_u128(7)), TableId(match_id.0)] {
        ensure!(close(&operator, absent, "spam").await?.refusal(404)? == RefusalCode::NotFound);
    }
    // An aborted match is archived, and changes no ratings.
    let archived = async {
        loop {
            let view: MatchView = server.http().get(&format!("/api/matches/{match_id}")).await?.json(200)?;
            let listed = server.http().get("/api/matches").await?.body;
            if view.view.state.aborted.is_some() && listed.contains("\"aborted\":\"operator\"") {
                return anyhow::Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, archived).await.context("the archive")??;
    let white = contest.player(Color::White)?.guest()?.user.id;
    let page = server.http().get(&format!("/api/users/{white}")).await?.body;
    ensure!(!page.contains("ratings"), "{page}");
    let log = launch.log();
    let entry = |line: &str| line.contains("table_closed_by_operator") && line.contains("insults");
    ensure!(log.lines().any(|line| entry(line) && line.contains(&table.to_string())), "{log}");
    Ok(())
}

#[tokio::test]
async fn operators_close_tables_on_sqlite() -> Result<()> {
    check_closing(Database::Sqlite).await
}

#[tokio::test]
async fn operators_close_tables_on_postgres() -> Result<()> {
    check_closing(Database::postgres().await?).await
}

#[tokio::test]
async fn operators_close_tables_from_the_command_line() -> Result<()> {
    let launch = launch(&Database::Sqlite)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let url = format!("http://{}", server.address());
    let token = token_with(&server.http(), &olga, &[TokenScope::Admin]).await?.token;
    let host = server.guest("Host").await?;
    let table = server.http().as_guest(&host).create(&plain(Variant::Classic)).await?.table.to_string();
    let arguments = ["close-table", &table, "--reason", "spam"];
    let (is_done, text) = admin(&url, &token, &arguments).await?;
    ensure!(is_done && text.starts_with(&format!("closed {table}")), "{text}");
    ensure!(server.http().public_tables().await?.is_empty());
    Ok(())
}
