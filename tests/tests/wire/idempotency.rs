//! Requests for tables with a `cmd`: a repeated request returns the same table.

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{CreateTable, QuickJoin, QuickJoined, TableCreated};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{Database, Guest, Http, Launch, PATIENCE, Server};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The number of concurrent copies of a request.
const TIMES: usize = 8;

fn named(name: &str, request: CreateTable) -> Result<CreateTable> {
    Ok(CreateTable { cmd: Some(name.parse()?), ..request })
}

fn wish(name: &str, time: Option<TimeSetting>) -> Result<QuickJoin> {
    Ok(QuickJoin { time, cmd: Some(name.parse()?), ..QuickJoin::plain(Variant::Dilkel) })
}

async fn as_guest(server: &Server, name: &str) -> Result<(Guest, Http)> {
    let guest = server.guest(name).await?;
    let http = server.http().as_guest(&guest);
    Ok((guest, http))
}

async fn tables(server: &Server) -> Result<usize> {
    Ok(server.http().public_tables().await?.len())
}

async fn check_repeated_requests(database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    let mut server = launch.start().await?;
    let (guest, ann) = as_guest(&server, "Ann").await?;
    let request = named("t-1", CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) })?;
    let made = try_join_all((0..TIMES).map(|_| ann.create(&request))).await?;
    ensure!(made.iter().all(|one| *one == made[0]), "{made:?}");
    ensure!(tables(&server).await? == 1);

    let other = CreateTable { privacy: Privacy::Private, ..request.clone() };
    let answer = ann.post("/api/tables", &other).await?;
    ensure!(answer.refusal(409)? == RefusalCode::CmdTaken);
    let (_, ben) = as_guest(&server, "Ben").await?;
    ensure!(ben.create(&request).await? != made[0], "ids of different users are independent");

    server.kill().await?;
    let server = launch.start().await?;
    let again: TableCreated = server.http().as_guest(&guest).create(&request).await?;
    ensure!(again == made[0], "{again:?}");
    ensure!(tables(&server).await? == 2);
    Ok(())
}

#[tokio::test]
async fn a_repeated_request_creates_one_table_on_sqlite() -> Result<()> {
    check_repeated_requests(&Database::Sqlite).await
}

#[tokio::test]
async fn a_repeated_request_creates_one_table_on_postgres() -> Result<()> {
    check_repeated_requests(&Database::postgres().await?).await
}

/// A repeated request does not count as another table.
#[tokio::test]
async fn a_repeated_request_counts_once_for_the_rate_limit() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_LIMITS__TABLES_PER_MINUTE", 1);
    let server = launch.with_env("QUADREX_LIMITS__TABLES_BURST", 1).start().await?;
    let (_, ann) = as_guest(&server, "Ann").await?;
    let request = named("t-1", plain(Variant::Classic))?;
    let first = ann.create(&request).await?;
    for _ in 0..3 {
        ensure!(ann.create(&request).await? == first);
    }
    let another = ann.post("/api/tables", &named("t-2", plain(Variant::Classic))?).await?;
    ensure!(another.refusal(429)? == RefusalCode::RateLimited);
    Ok(())
}

/// The connection breaks after the table is created and before the answer is read. The repeated
/// request returns that table.
#[tokio::test]
async fn a_request_can_be_repeated_after_a_lost_answer() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let (guest, ann) = as_guest(&server, "Ann").await?;
    for number in 1..=5 {
        let table = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
        let request = named(&format!("t-{number}"), table)?;
        let body = serde_json::to_string(&request)?;
        let mut line = TcpStream::connect(server.address()).await?;
        let head = format!(
            "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: \
             application/json\r\nContent-Length: {}\r\n\r\n{body}",
            guest.token,
            body.len()
        );
        line.write_all(head.as_bytes()).await?;
        let is_made = async {
            while tables(&server).await? < number {}
            anyhow::Ok(())
        };
        timeout(PATIENCE, is_made).await.context("the table was not created")??;
        drop(line);
        ann.create(&request).await?;
        ensure!(tables(&server).await? == number, "one table for each request");
    }
    Ok(())
}

/// A repeated quick join returns the same seat, at once and after a restart. The seat may be at an
/// existing table or at a new one.
#[tokio::test]
async fn a_repeated_quick_join_returns_the_same_seat() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let mut server = launch.start().await?;
    let (_, host) = as_guest(&server, "Host").await?;
    // There are enough tables for a second seat.
    for _ in 0..3 {
        host.create(&CreateTable { seat: Some(Color::Red), ..plain(Variant::Dilkel) }).await?;
    }
    let (guest, ann) = as_guest(&server, "Ann").await?;
    let blitz = Some(TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 });
    let (seated, made) = (wish("q-1", None)?, wish("q-2", blitz)?);
    let mut first = Vec::new();
    for wish in [&seated, &made] {
        let joined: Vec<QuickJoined> = try_join_all((0..TIMES).map(|_| ann.quick_join(wish))).await?;
        ensure!(joined.iter().all(|one| *one == joined[0]), "{joined:?}");
        first.push(joined[0].clone());
    }
    ensure!(first[0].table != first[1].table && tables(&server).await? == 4);

    for (name, time) in [("q-1", blitz), ("q-2", None)] {
        let answer = ann.post("/api/quick-join", &wish(name, time)?).await?;
        ensure!(answer.refusal(409)? == RefusalCode::CmdTaken, "{name}");
    }
    server.kill().await?;
    let server = launch.start().await?;
    let ann = server.http().as_guest(&guest);
    ensure!(ann.quick_join(&seated).await? == first[0] && ann.quick_join(&made).await? == first[1]);
    ensure!(tables(&server).await? == 4);
    Ok(())
}
