//! Servers of two versions on one database. A server that does not know an additive migration
//! continues to run, and can be restarted.

use anyhow::{Result, ensure};
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::http::{NewInvite, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::swarm::{Pace, Plan, Swarm};
use quadrex_tests::{Database, Launch, Ledger, RawSql, Server, checker};
use quadrex_tests::{later_schema, ledger};

/// The number of commands between two steps of the test.
const SOME: u64 = 60;

/// Exercises everything that a server writes and reads besides moves.
async fn exercise_server(server: &Server) -> Result<()> {
    let private =
        quadrex_protocol::http::CreateTable { privacy: Privacy::Private, ..plain(Variant::Classic) };
    let mut contest = Contest::start(server, &plain(Variant::Classic)).await?;
    contest.play("e2e4".parse()?).await?;
    let (host, friend) = (server.guest("Host").await?, server.guest("Friend").await?);
    let http = server.http().as_guest(&host);
    http.handover().await?;
    let listed: MatchList = http.get("/api/matches?limit=1").await?.json(200)?;
    ensure!(listed.matches.iter().any(|listed| listed.match_id == contest.match_id), "{listed:?}");
    let table = http.create(&private).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?;
    let key = Some(invite.secret);
    let mut client = server.connect(&friend).await?;
    client.watch_with(table, key.clone()).await?;
    let sit = client.sit(table, None, key.as_deref());
    client.accepted(&sit).await?;
    Ok(())
}

async fn check_rolling_upgrade(database: &Database) -> Result<()> {
    let launch = without_rate_limits(Launch::new(database)?);
    let mut server = launch.start().await?;
    let launch = launch.bound_to(server.address());
    let path = launch.sibling_path("ledger");
    let (ledger, writing) = Ledger::create(&path)?;
    let plan = Plan {
        address: server.address(),
        connections: server.address(),
        tables: 4,
        variant: Variant::Dilkel,
        time: None,
        watchers: 1,
        pace: Pace::ClosedLoop,
        ledger: Some(ledger),
        resigns: None,
        seed: 1,
    };
    let swarm = Swarm::start(&plan).await?;
    swarm.tally().until_done(SOME).await;
    let raw = RawSql::of(&launch)?;
    for addition in later_schema::additions(database) {
        raw.run(&addition).await?;
    }
    let done = swarm.tally().done();
    swarm.tally().until_done(done + SOME).await;
    exercise_server(&server).await?;
    let refused = swarm.tally().refused();
    ensure!(!refused.contains_key("Internal"), "while it played: {refused:?}");

    server.kill().await?;
    server = launch.start().await?;
    let done = swarm.tally().done();
    swarm.tally().until_done(done + SOME).await;
    exercise_server(&server).await?;

    let played = swarm.finish().await?;
    drop(plan);
    writing.end()?;
    server.kill().await?;
    let checked = checker::check_all(&launch, &ledger::read(&path)?, &played).await?;
    ensure!(checked.acknowledged >= 3 * SOME, "{checked:?}");

    raw.run("update _sqlx_migrations set description = 'break later' where version = 9999").await?;
    let ended = launch.run().await?;
    ensure!(ended.status.code() == Some(1), "{ended:?}");
    ensure!(ended.stderr.contains("has schema 9999, this program knows schemas up to"), "{ended:?}");
    Ok(())
}

#[tokio::test]
async fn a_server_on_sqlite_keeps_working_during_an_additive_migration() -> Result<()> {
    check_rolling_upgrade(&Database::Sqlite).await
}

#[tokio::test]
async fn a_server_on_postgres_keeps_working_during_an_additive_migration() -> Result<()> {
    check_rolling_upgrade(&Database::postgres().await?).await
}
