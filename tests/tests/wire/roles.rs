//! A server whose Postgres role can add to the log and not change it, as created by `quadrex
//! database grant`.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::MatchId;
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::http::{CreateTable, NewInvite, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_rules::Variant;
use quadrex_store::LoggedEvent;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::{Database, Launch, Postgres, Script, checker};

/// The server's role.
const ROLE: &str = "chess_server";

/// The end of the warning about a server that could change the log. Role and database come before
/// it.
const WARNING: &str =
    "so this server could change the log of past moves: run `quadrex database grant --role NAME` as";

/// Creates the role as the owner would. Returns the launch configuration of servers with that role.
async fn with_server_role(postgres: &Arc<Postgres>) -> Result<Launch> {
    let owner = Launch::new(&Database::Postgres(Arc::clone(postgres)))?;
    let missing = owner.grant(ROLE, &[]).await?;
    ensure!(missing.status.code() == Some(1) && missing.stdout.is_empty(), "{missing:?}");
    ensure!(missing.stderr.contains(&format!("has no role {ROLE}: create it")), "{missing:?}");

    let file = owner.sibling_path("password");
    let file_name = file.to_str().context("the path is UTF-8")?;
    for wrong in ["", "\n", "two\nlines\n"] {
        std::fs::write(&file, wrong)?;
        let refused = owner.grant(ROLE, &["--password-file", file_name]).await?;
        ensure!(refused.stderr.contains("password has no password"), "{refused:?}");
    }
    std::fs::write(&file, "hush\n")?;
    // The grant is repeated after each update, so it must be repeatable.
    for _ in 0..2 {
        let done = owner.grant(ROLE, &["--password-file", file_name]).await?;
        ensure!(done.status.success() && done.stderr.is_empty(), "{done:?}");
        let said = format!(
            "{}: role {ROLE} may serve; it can add to the log and cannot change it\n",
            owner.location()?
        );
        ensure!(done.stdout == said, "{done:?}");
    }
    Ok(without_rate_limits(Launch::new(&Database::At(postgres.role_url(ROLE, "postgres")))?))
}

/// Returns the log of a match, read with the server's role while no server runs.
async fn log_of(launch: &Launch, match_id: MatchId) -> Result<Vec<LoggedEvent>> {
    let store = checker::open(launch).await?;
    let log = store.events(match_id, 0).await?;
    store.close().await;
    Ok(log)
}

#[tokio::test]
async fn a_server_with_the_minimal_role_plays_archives_and_recovers() -> Result<()> {
    let postgres = Arc::new(Postgres::start()?);
    let others = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{others}", postgres.programs().display());
    let launch = with_server_role(&postgres).await?.with_env("PATH", path);
    let checked = launch.clone().with_argument("--check").run().await?;
    ensure!(
        checked.status.success() && checked.stdout.ends_with("unfinished matches: 0, all can be read\nok\n")
    );

    let mut server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let moves = Script::read("dilkel")?.begun_by(contest.turn()?.context("the match runs")?);
    let (first, rest) = moves.split_at(moves.len() / 2);
    for mv in first {
        contest.play(*mv).await?;
    }
    server.kill().await?;
    let mut server = launch.start().await?;
    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
    }
    for mv in rest {
        contest.play(*mv).await?;
    }
    let listed: MatchList = server.http().get("/api/matches").await?.json(200)?;
    let [over] = &listed.matches[..] else { anyhow::bail!("one match was played: {listed:?}") };
    ensure!(over.match_id == contest.match_id && over.outcome.is_some(), "{over:?}");

    // Other data is written too: a private table, an invite that is used, and a handover that is
    // used.
    let (host, friend) = (server.guest("Host").await?, server.guest("Friend").await?);
    let http = server.http().as_guest(&host);
    let private = CreateTable { privacy: Privacy::Private, ..plain(Variant::Classic) };
    let table = http.create(&private).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let mut client = server.connect(&friend).await?;
    client.watch_with(table, Some(invite.clone())).await?;
    let sit = client.sit(table, None, Some(&invite));
    client.accepted(&sit).await?;
    http.handover().await?;

    let backup = launch.sibling_path("backup");
    let copied = launch.back_up(&backup).await?;
    ensure!(copied.status.success() && copied.stderr.is_empty(), "{copied:?}");
    server.kill().await?;
    let log = log_of(&launch, contest.match_id).await?;
    ensure!(log.len() > moves.len(), "{} events for {} moves", log.len(), moves.len());
    ensure!(!launch.log().contains(WARNING) && !launch.log().contains("ERROR"), "{}", launch.log());

    // The backup is restored to another Postgres server, which does not have the role.
    let elsewhere = Arc::new(Postgres::start()?);
    elsewhere.restore("postgres", &backup)?;
    let restored = with_server_role(&elsewhere).await?;
    ensure!(log_of(&restored, contest.match_id).await? == log, "the copy has another log");
    restored.start().await?;
    Ok(())
}

#[tokio::test]
async fn a_server_with_an_excessive_role_logs_one_warning() -> Result<()> {
    let postgres = Arc::new(Postgres::start()?);
    let launch = Launch::new(&Database::Postgres(Arc::clone(&postgres)))?;
    let mut server = launch.start().await?;
    Contest::start(&server, &plain(Variant::Classic)).await?.play("e2e4".parse()?).await?;
    server.kill().await?;
    let log = launch.log();
    ensure!(log.matches(WARNING).count() == 1, "{log}");
    ensure!(
        log.contains("role quadrex at postgres 127.0.0.1") && log.contains("is a superuser, so"),
        "{log}"
    );

    // The owner of a database is usually not a superuser.
    postgres.sql("postgres", "create role landlord login")?;
    postgres.sql("postgres", "create database house owner landlord")?;
    let launch = Launch::new(&Database::At(postgres.role_url("landlord", "house")))?;
    launch.start().await?.kill().await?;
    let log = launch.log();
    ensure!(log.matches(WARNING).count() == 1 && log.contains("owns the table match_event, so"), "{log}");

    // The role has a single excess privilege.
    let owner = launch.grant(ROLE, &[]).await?;
    ensure!(owner.stderr.contains("has no role"), "{owner:?}");
    postgres.sql("house", &format!("create role {ROLE} login"))?;
    ensure!(launch.grant(ROLE, &[]).await?.status.success());
    let launch = Launch::new(&Database::At(postgres.role_url(ROLE, "house")))?;
    launch.start().await?.kill().await?;
    ensure!(!launch.log().contains(WARNING), "{}", launch.log());
    postgres.sql("house", &format!("grant update (at) on match_event to {ROLE}"))?;
    launch.start().await?.kill().await?;
    ensure!(launch.log().contains(&format!("role {ROLE} at")), "{}", launch.log());
    ensure!(launch.log().contains("may update match_event, so this server"), "{}", launch.log());
    Ok(())
}

/// A new version of the program is started before the owner has run the migrations.
#[tokio::test]
async fn a_start_with_pending_migrations_names_the_command_for_the_owner() -> Result<()> {
    let postgres = Arc::new(Postgres::start()?);
    let launch = with_server_role(&postgres).await?;
    postgres.sql("postgres", "create table later as select * from _sqlx_migrations where version > 6")?;
    postgres.sql("postgres", "delete from _sqlx_migrations where version > 6")?;
    for launch in [launch.clone(), launch.clone().with_argument("--check")] {
        let ended = launch.run().await?;
        ensure!(ended.status.code() == Some(1) && ended.stdout.is_empty(), "{ended:?}");
        ensure!(ended.stderr.lines().count() == 1, "not one line: {}", ended.stderr);
        ensure!(ended.stderr.contains("bring its schema from 6 to"), "{ended:?}");
        ensure!(ended.stderr.contains(&format!("run `quadrex database grant --role {ROLE}`")), "{ended:?}");
    }
    postgres.sql("postgres", "insert into _sqlx_migrations select * from later")?;
    let granted = Launch::new(&Database::Postgres(Arc::clone(&postgres)))?.grant(ROLE, &[]).await?;
    ensure!(granted.status.success(), "{granted:?}");
    launch.start().await?;

    let file = Launch::new(&Database::Sqlite)?.grant(ROLE, &[]).await?;
    ensure!(file.status.code() == Some(1) && file.stderr.contains("quadrex.db has no roles"), "{file:?}");
    Ok(())
}
