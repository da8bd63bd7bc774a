//! A standby server is not ready, and takes over when the first server is killed, terminated or
//! stalled.

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::ServerFrame;
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::{Database, Launch, Received, Server, signal, swarm};

/// The end of the first server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstServerFault {
    Kill,
    Terminate,
    Stop,
}

async fn check_not_ready(standby: &Server) -> Result<()> {
    let http = standby.http();
    ensure!(http.get("/healthz").await?.status == 200);
    for path in ["/readyz", "/api/tables", "/ws"] {
        let answer = http.get(path).await?;
        ensure!(answer.status == 503 && answer.header("retry-after").is_some(), "{path}: {answer:?}");
    }
    Ok(())
}

async fn check_takeover(database: &Database, fault: FirstServerFault) -> Result<()> {
    let launch = without_rate_limits(Launch::new(database)?);
    let mut server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    contest.play("e2e4".parse()?).await?;
    let standby = launch.clone().with_argument("--standby").start().await?;
    check_not_ready(&standby).await?;
    let mut observer = server.connect_as_nobody().await?;

    let since = swarm::now();
    match fault {
        FirstServerFault::Kill => server.kill().await?,
        FirstServerFault::Terminate => server.terminate().await?,
        FirstServerFault::Stop => signal::send("STOP", &[server.process()?])?,
    }
    standby.http().until_status("/readyz", 200).await.context("taking over")?;
    eprintln!("{fault:?}: took over in {} ms", since.elapsed().as_millis());
    for client in contest.everybody() {
        if fault == FirstServerFault::Stop {
            // A stalled server does not close its connections.
            client.cut().await?;
        }
        client.reconnect(standby.address()).await?;
    }
    contest.play("e7e5".parse()?).await?;

    match fault {
        FirstServerFault::Kill => {}
        FirstServerFault::Terminate => ensure!(server.ended().await?.status.success()),
        FirstServerFault::Stop => {
            // The old server must not answer this request, because its data may be stale.
            let watch = serde_json::json!({ "t": "watch", "table": contest.table });
            observer.send_text(watch.to_string()).await?;
            signal::send("CONT", &[server.process()?])?;
            loop {
                match observer.receive().await? {
                    Received::Frame(frame) if matches!(*frame, ServerFrame::Closing { .. }) => {}
                    Received::Closed(1012) => break,
                    other => bail!("a fenced server sent {other:?}"),
                }
            }
            let ended = server.ended().await?;
            ensure!(ended.status.code() == Some(1), "{ended:?}");
            ensure!(ended.stderr.contains("another server has taken over"), "{ended:?}");
        }
    }
    contest.play("g1f3".parse()?).await?;
    let path = format!("/api/matches/{}/record", contest.match_id);
    let record = standby.http().get(&path).await?;
    ensure!(record.status == 200 && record.body.contains("g1f3"), "{}", record.body);
    for end in [r#""type":"ended""#, r#""type":"aborted""#, r#""type":"eliminated""#] {
        ensure!(!record.body.contains(end), "{}", record.body);
    }
    Ok(())
}

#[tokio::test]
async fn a_standby_on_sqlite_takes_over_from_a_killed_server() -> Result<()> {
    check_takeover(&Database::Sqlite, FirstServerFault::Kill).await
}

#[tokio::test]
async fn a_standby_on_postgres_takes_over_from_a_killed_server() -> Result<()> {
    check_takeover(&Database::postgres().await?, FirstServerFault::Kill).await
}

#[tokio::test]
async fn a_standby_on_sqlite_takes_over_from_a_terminated_server() -> Result<()> {
    check_takeover(&Database::Sqlite, FirstServerFault::Terminate).await
}

#[tokio::test]
async fn a_standby_on_postgres_takes_over_from_a_terminated_server() -> Result<()> {
    check_takeover(&Database::postgres().await?, FirstServerFault::Terminate).await
}

#[tokio::test]
async fn a_standby_on_sqlite_takes_over_from_a_stalled_server_and_fences_it() -> Result<()> {
    check_takeover(&Database::Sqlite, FirstServerFault::Stop).await
}

#[tokio::test]
async fn a_standby_on_postgres_takes_over_from_a_stalled_server_and_fences_it() -> Result<()> {
    check_takeover(&Database::postgres().await?, FirstServerFault::Stop).await
}

#[tokio::test]
async fn a_terminated_standby_exits_immediately() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let server = launch.start().await?;
    let mut standby = launch.clone().with_argument("--standby").start().await?;
    standby.terminate().await?;
    ensure!(standby.ended().await?.status.success());
    ensure!(server.http().get("/readyz").await?.status == 200);
    Ok(())
}
