//! `quadrex serve --check` reports the state of the data, refuses the same data as a server, and
//! changes nothing.

use anyhow::{Context, Result, bail, ensure};
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::server::Ended;
use quadrex_tests::{Database, Launch, RawSql, Server};

/// The newest schema of this program.
const NEWEST: &str = "49";

/// Returns the statements that revert the schema to the version before the last migration.
fn revert(database: &Database) -> String {
    let column = match database {
        Database::Sqlite => "unowned_since_ms",
        Database::Postgres(_) | Database::At(_) => "unowned_since",
    };
    format!("alter table matches drop column {column}; delete from _sqlx_migrations where version = 49")
}

/// Returns a statement that records an unknown migration with this name.
fn unknown(name: &str) -> String {
    format!(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
         values (9999, '{name}', true, '', 0)"
    )
}

/// The maximum number of checks. A running server renews its lease every second, so the data may
/// change during a check. A check that writes would change it every time.
const TRIES: u32 = 20;

/// Runs a check, and makes sure that it changes nothing.
async fn check(launch: &Launch) -> Result<Ended> {
    let raw = RawSql::of(launch)?;
    let mut changed = None;
    for _ in 0..TRIES {
        let before = raw.image()?;
        let ended = launch.clone().with_argument("--check").run().await?;
        let after = raw.image()?;
        if before == after {
            return Ok(ended);
        }
        changed = Some((before.into_keys().collect::<Vec<_>>(), after.into_keys().collect::<Vec<_>>()));
    }
    bail!("the check changed something each time: {changed:?}")
}

async fn check_passes(launch: &Launch, lines: &[&str]) -> Result<()> {
    let ended = check(launch).await?;
    ensure!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    let report: Vec<&str> = ended.stdout.lines().collect();
    ensure!(report.first().is_some_and(|line| line.starts_with("database: ")), "{report:?}");
    ensure!(report[1..] == *lines, "{report:?} and not {lines:?}");
    Ok(())
}

async fn check_fails(launch: &Launch, words: &[&str]) -> Result<()> {
    let ended = check(launch).await?;
    ensure!(ended.status.code() == Some(1) && ended.stdout.is_empty(), "{ended:?}");
    ensure!(ended.stderr.lines().count() == 1, "not one line: {}", ended.stderr);
    for word in words {
        ensure!(ended.stderr.contains(word), "{word:?} is not in {:?}", ended.stderr);
    }
    Ok(())
}

async fn stop(mut server: Server) -> Result<()> {
    server.terminate().await?;
    ensure!(server.ended().await?.status.success());
    Ok(())
}

async fn reports_and_changes_nothing(database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    let raw = RawSql::of(&launch)?;
    let as_known = format!("schema: {NEWEST}, as this program knows it");
    let one = "unfinished matches: 1, all can be read";

    // The check runs beside a server, after a kill, and after a clean shutdown.
    let mut server = launch.start().await?;
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    check_passes(&launch, &[&as_known, one, "ok"]).await.context("beside a running server")?;
    server.kill().await?;
    check_passes(&launch, &[&as_known, one, "ok"]).await.context("after a kill")?;
    stop(launch.start().await?).await?;
    check_passes(&launch, &[&as_known, one, "ok"]).await.context("after a shutdown")?;

    raw.run(&unknown("later")).await?;
    let newer = format!("has schema 9999, this program knows schemas up to {NEWEST}: use a newer quadrex");
    check_fails(&launch, &[&newer]).await?;
    raw.run("update _sqlx_migrations set description = 'add later' where version = 9999").await?;
    let by_additions = format!("schema: 9999, newer than this program's {NEWEST} by additions alone");
    check_passes(&launch, &[&by_additions, one, "ok"]).await?;
    raw.run("delete from _sqlx_migrations where version = 9999").await?;

    raw.run("update matches set hibernated_epoch = epoch").await?;
    let (none, asleep) = (
        "unfinished matches: 0, all can be read",
        "hibernating matches: 1, read when somebody requests them",
    );
    check_passes(&launch, &[&as_known, none, asleep, "ok"]).await?;
    raw.run("update matches set hibernated_epoch = null").await?;

    raw.run(&revert(database)).await?;
    let older = format!("schema: 48, a start brings it to {NEWEST}: 0049_add_begin_of_times_without_owner");
    check_passes(&launch, &[&older, "unfinished matches: not checked, the schema comes first", "ok"]).await?;
    stop(launch.start().await?).await.context("the start that the check has announced")?;
    check_passes(&launch, &[&as_known, one, "ok"]).await?;

    raw.run("delete from match_event where seq = 2").await?;
    let match_id = contest.match_id.to_string();
    check_fails(&launch, &["the unfinished matches cannot be read", &match_id, "lacks event 2"]).await
}

#[tokio::test]
async fn a_check_of_a_file_reports_its_content_and_changes_nothing() -> Result<()> {
    reports_and_changes_nothing(&Database::Sqlite).await
}

#[tokio::test]
async fn a_check_of_postgres_reports_its_content_and_changes_nothing() -> Result<()> {
    reports_and_changes_nothing(&Database::postgres().await?).await
}

#[tokio::test]
async fn a_check_of_an_empty_postgres_lists_the_pending_migrations() -> Result<()> {
    let launch = Launch::new(&Database::postgres().await?)?;
    let empty = format!(
        "schema: 0, a start brings it to {NEWEST}: 0001_first, 0002_lot, 0003_server_life, 0004_handovers, \
         0005_add_archive, 0006_add_archived_names, 0007_add_bots, \
         0008_add_turn_absences, 0009_break_nodes, 0010_add_table_requests, \
         0011_add_links_of_tables, 0012_add_expiry_of_links, 0013_add_reviews, \
         0014_add_match_shares, 0015_add_automatic_reviews, 0016_add_seat_holders, \
         0017_add_owners_of_matches, 0018_add_states_of_nodes, 0019_add_index_of_owners, \
         0020_add_archive_queue, 0021_add_hibernation, 0022_add_index_of_awake_matches, \
         0023_add_index_of_wake_times, 0024_add_index_of_listed_hibernations, \
         0025_add_times_without_owner, 0026_add_details_of_sessions, \
         0027_add_index_of_sessions, 0028_add_accounts, 0029_add_recovery_keys, \
         0030_add_scopes_of_sessions, 0031_add_ratings, 0032_add_user_suspensions, \
         0033_add_index_of_user_names, 0034_add_user_relations, 0035_add_reports, \
         0036_add_user_warnings, 0037_add_deletion_of_users, 0038_add_removal_of_guests, \
         0039_add_retention_runs, 0040_add_invitations, 0041_add_notifications, \
         0042_add_fair_play, 0043_add_groups, 0044_add_match_pairs, \
         0045_add_provider_sign_ins, 0046_add_conditional_moves, 0047_add_mail_addresses, \
         0048_add_vacations, 0049_add_begin_of_times_without_owner"
    );
    check_passes(&launch, &[&empty, "unfinished matches: not checked, the schema comes first", "ok"]).await
}

#[tokio::test]
async fn a_check_creates_no_file_and_no_folder() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let ended = launch.clone().with_argument("--check").run().await?;
    ensure!(ended.status.success(), "{ended:?}");
    let file = launch.data().join("quadrex.db");
    let expected = format!("database: sqlite {}, not there yet: a start makes it\nok\n", file.display());
    ensure!(ended.stdout == expected, "{ended:?}");
    ensure!(!launch.data().exists(), "the folder was created");
    Ok(())
}

/// The program runs as a user who can read everything and write nothing.
#[tokio::test]
async fn a_check_reports_data_that_cannot_be_written() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.as_reader()?;
    let ended = launch.clone().with_argument("--check").run().await?;
    ensure!(ended.status.code() == Some(1), "{ended:?}");
    ensure!(ended.stderr.contains("the folder for sqlite") && ended.stderr.contains("denied"), "{ended:?}");
    Ok(())
}
