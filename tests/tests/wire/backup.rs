//! `quadrex backup`: a copy made under load is complete, and a server can continue from it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::ledger::{self, RecordedAnswer};
use quadrex_tests::swarm::{Pace, Plan, Played, Swarm};
use quadrex_tests::{Database, Launch, Ledger, checker};

/// The number of commands between two steps of the test.
const SOME: u64 = 100;

/// Restores a backup as the operations guide describes. Returns the launch configuration of a
/// server on it.
fn restore(database: &Database, file: &Path) -> Result<Launch> {
    match database {
        Database::Sqlite => {
            let launch = without_rate_limits(Launch::new(&Database::Sqlite)?);
            std::fs::create_dir_all(launch.data())?;
            std::fs::copy(file, launch.data().join("quadrex.db"))?;
            Ok(launch)
        }
        Database::Postgres(postgres) => {
            let url = postgres.create_database("restored")?;
            postgres.restore("restored", file)?;
            Ok(without_rate_limits(Launch::new(&Database::At(url))?))
        }
        Database::At(_) => unreachable!("a database of the test's own"),
    }
}

/// Puts the folder of Postgres' programs first in `PATH`.
fn with_programs(launch: Launch) -> Launch {
    let Database::Postgres(postgres) = launch.database() else { return launch };
    let others = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{others}", postgres.programs().display());
    launch.with_env("PATH", path)
}

async fn check_backup_under_load(database: &Database) -> Result<()> {
    let launch = with_programs(without_rate_limits(Launch::new(database)?));
    let mut server = launch.start().await?;
    // This match makes no moves while the others continue.
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    for mv in ["e2e4", "e7e5"] {
        contest.play(mv.parse()?).await?;
    }
    let path = launch.sibling_path("ledger");
    let (ledger, writing) = Ledger::create(&path)?;
    let plan = Plan {
        address: server.address(),
        connections: server.address(),
        tables: 6,
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

    let promised = ledger::read(&path)?;
    let file = launch.sibling_path("backup");
    let made = launch.back_up(&file).await?;
    ensure!(made.status.success() && made.stderr.is_empty(), "{made:?}");
    let bytes = std::fs::metadata(&file)?;
    ensure!(made.stdout.contains(&format!("{} bytes in {}", bytes.len(), file.display())), "{made:?}");
    ensure!(bytes.permissions().mode() & 0o777 == 0o600, "{:o}", bytes.permissions().mode());
    let since = swarm.tally().done();
    swarm.tally().until_done(since + SOME).await;

    let kept = std::fs::read(&file)?;
    let again = launch.back_up(&file).await?;
    ensure!(again.status.code() == Some(1) && again.stderr.contains("already exists"), "{again:?}");
    ensure!(std::fs::read(&file)? == kept, "the backup was overwritten");

    let played = swarm.finish().await?;
    drop(plan);
    writing.end()?;
    server.kill().await?;
    checker::check_all(&launch, &ledger::read(&path)?, &played).await?;

    let restored = restore(database, &file)?;
    let unfinished = check_logs(&launch, &restored, &promised, &played).await?;
    let checked = restored.clone().with_argument("--check").run().await?;
    ensure!(
        checked.stdout.contains(&format!("unfinished matches: {unfinished}, all can be read")),
        "{checked:?}"
    );
    let server = restored.start().await?;
    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
    }
    contest.play("g1f3".parse()?).await.context("a match goes on")?;
    Ok(())
}

/// Every log of the backup is a prefix of the original log, and has everything that was
/// acknowledged before the backup. Returns the number of unfinished matches.
async fn check_logs(
    original: &Launch,
    restored: &Launch,
    promised: &[ledger::LedgerEntry],
    played: &[Played],
) -> Result<usize> {
    let (original, copy) = (checker::open(original).await?, checker::open(restored).await?);
    let (mut whole, mut grown) = (0, 0);
    for received in played.iter().flat_map(|table| &table.matches) {
        let (log, copied) =
            (original.events(received.match_id, 0).await?, copy.events(received.match_id, 0).await?);
        ensure!(log.starts_with(&copied), "{}: the copy's log is another", received.match_id);
        whole += copied.len();
        grown += log.len() - copied.len();
    }
    ensure!(whole > 0 && grown > 0, "{whole} events in the copy, {grown} after it");
    let mut kept = 0;
    for noted in promised {
        let RecordedAnswer::Done { seq, .. } = noted.answer else { continue };
        let row = copy.events(noted.match_id, seq - 1).await?.into_iter().next();
        let is_it = row.is_some_and(|row| {
            row.by == Some(noted.by) && row.command_id.as_ref() == Some(&noted.command_id)
        });
        ensure!(is_it, "{} of {} is not in the copy as {seq}", noted.command_id, noted.match_id);
        kept += 1;
    }
    ensure!(kept >= SOME, "only {kept} had been acknowledged");
    let unfinished = copy.unfinished().await?.len();
    copy.close().await;
    original.close().await;
    ensure!(unfinished > 1, "{unfinished} matches are to go on");
    Ok(unfinished)
}

#[tokio::test]
async fn a_server_on_sqlite_continues_from_a_backup_made_under_load() -> Result<()> {
    check_backup_under_load(&Database::Sqlite).await
}

#[tokio::test]
async fn a_server_on_postgres_continues_from_a_backup_made_under_load() -> Result<()> {
    check_backup_under_load(&Database::postgres().await?).await
}

/// A failed backup leaves no files behind.
async fn check_failed_backup(launch: &Launch, words: &[&str]) -> Result<()> {
    let file = launch.sibling_path("backup");
    let names = || -> Result<Vec<_>> {
        let folder = file.parent().context("it is in a folder")?;
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
    };
    let before = names()?;
    let ended = launch.back_up(&file).await?;
    ensure!(ended.status.code() == Some(1) && ended.stdout.is_empty(), "{ended:?}");
    ensure!(ended.stderr.lines().count() == 1, "not one line: {}", ended.stderr);
    for word in words {
        ensure!(ended.stderr.contains(word), "{word:?} is not in {:?}", ended.stderr);
    }
    ensure!(names()? == before, "{:?} became {:?}", before, names()?);
    Ok(())
}

#[tokio::test]
async fn a_backup_of_an_empty_database_or_to_an_invalid_path_fails() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    check_failed_backup(&launch, &["quadrex.db holds nothing yet"]).await?;
    ensure!(!launch.data().exists(), "the folder was created");
    launch.start().await?.kill().await?;
    let nowhere = launch.sibling_path("nowhere/backup");
    let ended = launch.back_up(&nowhere).await?;
    ensure!(ended.status.code() == Some(1) && ended.stderr.contains("creating a file in"), "{ended:?}");
    Ok(())
}

/// The password is not among the arguments, which other users could see. The report of a failure
/// does not contain it.
#[tokio::test]
async fn pg_dump_gets_the_password_secretly_and_its_failure_is_reported() -> Result<()> {
    let database = Database::postgres().await?;
    let url = database.url().context("it has one")?;
    check_failed_backup(&Launch::new(&database)?, &["holds nothing yet"]).await?;
    let url = url.replace("quadrex@", "quadrex:hush@");
    let launch = Launch::new(&Database::At(url))?;
    launch.start().await?.kill().await?;

    let programs = launch.sibling_path("programs");
    std::fs::create_dir(&programs)?;
    let launch = launch.with_env("PATH", programs.display());
    check_failed_backup(&launch, &["pg_dump is not in PATH", "postgresql-client"]).await?;

    let (script, seen) = (programs.join("pg_dump"), programs.join("seen"));
    let text = format!(
        "#!/bin/sh\necho \"$@\" >{0}\necho \"$PGPASSWORD\" >>{0}\necho 'server version mismatch' >&2\nexit 1\n",
        seen.display()
    );
    std::fs::write(&script, text)?;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))?;
    check_failed_backup(&launch, &["cannot be copied: server version mismatch"]).await?;
    let seen = std::fs::read_to_string(&seen)?;
    let (arguments, password) = seen.trim_end().rsplit_once('\n').context("two lines")?;
    ensure!(!arguments.contains("hush") && password == "hush", "{seen}");
    Ok(())
}
