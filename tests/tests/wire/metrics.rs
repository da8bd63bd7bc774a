//! The metrics show what happens to players. They are served on a port of their own.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{ClientFrame, RefusalCode};
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Database, Http, Launch};

#[tokio::test]
async fn commands_moves_connections_and_refusals_are_counted() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_metrics();
    let server = launch.start().await?;
    let metrics = launch.metrics().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let before = metrics.scrape().await?;
    contest.play("e2e4".parse()?).await?;
    let table = contest.table;
    let mover = contest.mover()?;
    let illegal = mover.mv(table, "e7e2".parse()?)?;
    ensure!(mover.refused(&illegal).await? == RefusalCode::IllegalMove, "it is illegal");
    let found = server.http().get("/api/tables/00000000-0000-7000-8000-000000000000").await?;
    ensure!(found.status == 404, "{}", found.status);
    let after = metrics.scrape().await?;
    let increase =
        |series: &str| after.get(series).unwrap_or_default() - before.get(series).unwrap_or_default();
    for (series, expected) in [
        ("quadrex_moves_total", 1.0),
        ("quadrex_command_duration_seconds_count{outcome=\"accepted\"}", 1.0),
        ("quadrex_command_duration_seconds_count{outcome=\"refused\"}", 1.0),
        ("quadrex_command_duration_seconds_count{outcome=\"fault\"}", 0.0),
        ("quadrex_commit_duration_seconds_count{outcome=\"committed\"}", 1.0),
        ("quadrex_appends_total{outcome=\"written\"}", 1.0),
        ("quadrex_refusals_total{code=\"illegal_move\"}", 1.0),
        ("quadrex_refusals_total{code=\"not_found\"}", 1.0),
        ("quadrex_http_request_duration_seconds_count{status=\"4xx\"}", 1.0),
        ("quadrex_faults_total", 0.0),
        ("quadrex_store_errors_total", 0.0),
    ] {
        ensure!(increase(series) == expected, "{series} grew by {}", increase(series));
    }
    for (series, expected) in [
        ("quadrex_ready", 1.0),
        ("quadrex_connections", 2.0),
        ("quadrex_online_users", 2.0),
        ("quadrex_table_subscriptions", 2.0),
        ("quadrex_tables{state=\"running\"}", 1.0),
        ("quadrex_matches_started_total", 1.0),
        ("quadrex_connections_opened_total", 2.0),
    ] {
        ensure!(after.get(series) == Some(expected), "{series} is {:?}", after.get(series));
    }
    ensure!(after.get("quadrex_lease_age_seconds").context("it is there")? < 30.0, "the lease is old");
    drop(contest);
    let closed = metrics.until("quadrex_connections_closed_total{reason=\"client\"}", 2.0).await?;
    ensure!(closed.get("quadrex_connections_opened_total") == Some(2.0), "{}", closed.text);
    Ok(())
}

#[tokio::test]
async fn requests_that_exceed_a_limit_are_counted_by_limit() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_metrics()
        .with_env("QUADREX_LIMITS__CONNECTIONS_PER_ADDRESS", 1)
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.1")
        .with_env("QUADREX_LIMITS__GUESTS_PER_MINUTE", 1)
        .with_env("QUADREX_LIMITS__GUESTS_BURST", 1)
        .with_env("QUADREX_LIMITS__WATCHER_PER_SECOND", 1)
        .with_env("QUADREX_LIMITS__WATCHER_BURST", 1);
    let server = launch.start().await?;
    let metrics = launch.metrics().await?;
    let stranger = server.http().with_header("X-Forwarded-For", "192.0.2.7");
    stranger.guest("Ada").await?;
    ensure!(stranger.guest("Bob").await.is_err(), "the limit is one guest");
    let mut client = Client::open(server.address(), None).await?;
    for _ in 0..3 {
        client.send(&ClientFrame::Ping {}).await?;
    }
    metrics.until("quadrex_requests_limited_total{limit=\"frames\"}", 1.0).await?;
    metrics.until("quadrex_refusals_total{code=\"rate_limited\"}", 2.0).await?;
    let scrape = metrics.until("quadrex_requests_limited_total{limit=\"guests\"}", 1.0).await?;
    ensure!(scrape.get("quadrex_requests_limited_total{limit=\"tables\"}") == Some(0.0), "tables");
    Ok(())
}

#[tokio::test]
async fn the_metrics_have_a_port_of_their_own() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_metrics();
    let server = launch.start().await?;
    let metrics = launch.metrics().await?;
    ensure!(metrics.http().get("/healthz").await?.status == 200, "it is a health check too");
    for path in ["/", "/api/tables", "/ws", "/readyz"] {
        ensure!(metrics.http().get(path).await?.status == 404, "{path}");
    }
    let public = server.http().get("/metrics").await?;
    ensure!(!public.body.contains("quadrex_ready"), "{}", public.body);

    // Without the setting, there are none.
    let launch = Launch::new(&Database::Sqlite)?;
    let server = launch.start().await?;
    let public = Http::new(server.address()).get("/metrics").await?;
    ensure!(!public.body.contains("quadrex_ready"), "{}", public.body);
    ensure!(!launch.log().contains("metrics are at"), "{}", launch.log());
    Ok(())
}
