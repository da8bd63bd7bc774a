//! Databases and records of version 0.1 (`tests/fixtures/0.1`) are still read.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::{MatchList, MatchView};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, MatchId, MatchRecord, TableId, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::{Client, Database, Guest, Launch, RawSql, Server, program};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::process::Command;

/// The running matches: variant, table, match, and the player to move.
const RUNNING: [(Variant, &str, &str, Color); 2] = [
    (
        Variant::Classic,
        "01a21494-fd58-7d37-80bd-f6b04b2b01ee",
        "01a21494-fd58-7221-9e24-08ecf0386f9c",
        Color::White,
    ),
    (
        Variant::Dilkel,
        "01a21494-cb91-705f-9962-4acd64d03234",
        "01a21494-cb91-7c2d-970c-f95ba342d315",
        Color::Blue,
    ),
];

fn fixture(name: &str) -> PathBuf {
    program::root().join("tests/fixtures/0.1").join(name)
}

fn records() -> Result<Vec<String>> {
    let text = fs::read_to_string(fixture("records.jsonl"))?;
    Ok(text.lines().map(str::to_owned).collect())
}

#[tokio::test]
async fn records_are_verified_as_before() -> Result<()> {
    let file = fixture("records.jsonl");
    let verified = Command::new(program::path()?).arg("verify").arg(&file).output().await?;
    ensure!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    let before = fs::read_to_string(fixture("verified.txt"))?;
    assert_eq!(String::from_utf8(verified.stdout)?, before);
    Ok(())
}

#[tokio::test]
async fn a_sqlite_database_is_read_and_its_matches_go_on() -> Result<()> {
    let launch = without_rate_limits(Launch::new(&Database::Sqlite)?);
    fs::create_dir_all(launch.data())?;
    fs::write(launch.data().join("quadrex.db"), "")?;
    RawSql::of(&launch)?.run(&fs::read_to_string(fixture("sqlite.sql"))?).await?;
    check_database(&launch).await
}

#[tokio::test]
async fn a_postgres_database_is_read_and_its_matches_go_on() -> Result<()> {
    let database = Database::postgres().await?;
    let launch = without_rate_limits(Launch::new(&database)?);
    let mut empty = launch.start().await?;
    empty.terminate().await?;
    ensure!(empty.ended().await?.status.success());
    let mut connection = PgConnection::connect(&database.url().context("it has one")?).await?;
    let rows = AssertSqlSafe(fs::read_to_string(fixture("postgres.sql"))?);
    sqlx::raw_sql(rows).execute(&mut connection).await?;
    connection.close().await?;
    check_database(&launch).await
}

async fn check_database(launch: &Launch) -> Result<()> {
    let server = &launch.start().await?;
    let old = records()?;
    check_ended_matches(server, &old).await?;
    check_match_list(server).await?;
    for (variant, table, match_id, turn) in RUNNING {
        check_player_continues(server, variant, table.parse()?, match_id.parse()?, turn)
            .await
            .with_context(|| format!("the match of {variant}"))?;
    }
    let log = launch.log();
    ensure!(!log.contains("ERROR"), "{log}");
    Ok(())
}

/// Every exported record has the same events as in version 0.1, and its match is shown as it ended.
async fn check_ended_matches(server: &Server, old: &[String]) -> Result<()> {
    let mut shown = 0;
    for text in old {
        let record: MatchRecord = serde_json::from_str(text)?;
        let Some(match_id) = record.match_id else { continue };
        let now: MatchRecord =
            server.http().get(&format!("/api/matches/{match_id}/record")).await?.json(200)?;
        ensure!(now.events == record.events && now.players == record.players, "{match_id}: {now:?}");
        let view: MatchView = server.http().get(&format!("/api/matches/{match_id}")).await?.json(200)?;
        ensure!(view.view.state.phase == Phase::Ended, "{match_id}: {view:?}");
        shown += 1;
    }
    ensure!(shown == 16, "{shown} matches are shown");
    Ok(())
}

async fn check_match_list(server: &Server) -> Result<()> {
    let listed: MatchList = server.http().get("/api/matches?limit=50").await?.json(200)?;
    let variants = listed.matches.iter().fold(BTreeMap::new(), |mut count, entry| {
        *count.entry(entry.variant.to_string()).or_insert(0) += 1;
        count
    });
    // Of the 22 matches that started, one was aborted before its first move and is therefore not
    // listed.
    ensure!(variants.len() == 3 && listed.matches.len() == 21, "{variants:?}");
    // The archive had some of the summaries already.
    let substitutes =
        listed.matches.iter().flat_map(|entry| &entry.seats).filter(|seat| seat.substitute.is_some());
    ensure!(substitutes.clone().count() == 1, "{} bots play for players", substitutes.count());
    Ok(())
}

/// The player to move uses the old token, sees the whole match, and makes a move.
async fn check_player_continues(
    server: &Server,
    variant: Variant,
    table: TableId,
    match_id: MatchId,
    turn: Color,
) -> Result<()> {
    let token = format!("fixture-{variant}-{turn}");
    let me: quadrex_protocol::http::Me = {
        let authorization = format!("Bearer {token}");
        server.http().with_header("authorization", &authorization).get("/api/me").await?.json(200)?
    };
    let user: UserId = me.user.id;
    ensure!(me.tables.iter().any(|mine| mine.table == table), "{user} sits at {table}: {me:?}");
    let mut player = Client::open(server.address(), Some(&Guest { user: me.user, token })).await?;
    let watched = player.watch(table).await?;
    ensure!(watched.match_id() == match_id && watched.view().state.turn == Some(turn), "{watched:?}");
    let legal = watched.view().legal_moves.clone().context("it is this player's turn")?;
    let history = watched.view().history.len() as u64;
    ensure!(history >= 4, "{history} events");
    let mv = *legal.first().context("there is a legal move")?;
    let mut command = player.mv(table, mv)?;
    if let ClientFrame::Move { cmd, .. } = &mut command {
        // This id differs from those that the old client used.
        *cmd = "after-the-update".parse()?;
    }
    let seq = player.accepted(&command).await?;
    ensure!(seq > history, "{seq} after {history}");
    Ok(())
}
