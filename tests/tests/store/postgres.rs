//! Tests of the store on a Postgres server.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;
use quadrex_protocol::{CommandId, MatchId};
use quadrex_store::{Append, AppendError, CommitGrouping, Epoch, Location, LoggedEvent, Store, StoreError};
use quadrex_tests::Postgres;
use sqlx::{Connection, PgConnection};
use tokio::sync::mpsc;

use crate::reply_cutter::ReplyCutter;
use crate::run_conformance_tests;
use crate::test_store::{TestStore, TestTable, assert_duplicate, command_id, moved, numbers};

fn location(url: &str) -> Location {
    Location::parse(url, Path::new("unused")).unwrap()
}

async fn refusal(url: &str) -> String {
    let refusal = Store::connect(&location(url), 2).await.expect_err("it opened").to_string();
    assert!(!refusal.contains('\n') && !refusal.contains("hush"), "{refusal}");
    refusal
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_passes_the_conformance_tests() {
    let postgres = Postgres::start().unwrap();
    run_conformance_tests(async |number| {
        let url = postgres.create_database(&format!("conformance_{number}")).unwrap();
        TestStore::open(location(&url)).await
    })
    .await;
}

/// Returns whether a process has created a segment of shared memory that exists.
fn has_shared_memory(creator: u32) -> bool {
    let segments = fs::read_to_string("/proc/sysvipc/shm").unwrap();
    segments.lines().any(|segment| segment.split_whitespace().nth(4) == Some(&creator.to_string()))
}

#[test]
fn a_test_s_postgres_server_leaves_no_shared_memory() {
    let postgres = Postgres::start().unwrap();
    let server = postgres.processes()[0];
    assert!(has_shared_memory(server));
    drop(postgres);
    assert!(!has_shared_memory(server));
}

#[tokio::test]
async fn an_unsafe_or_unreachable_postgres_server_is_refused() {
    let mut postgres = Postgres::start().unwrap();
    let url = postgres.url();
    let name = format!("postgres 127.0.0.1:{}", postgres.port());
    Store::connect(&location(&url), 2).await.unwrap().close().await;

    for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
        postgres.set(setting, "off").unwrap();
        let expected = format!("{name}/postgres may not hold matches: {setting} is off, it must be on");
        assert_eq!(refusal(&url).await, expected);
        postgres.set(setting, "on").unwrap();
    }
    let other = refusal(&postgres.database_url("nowhere")).await;
    assert_eq!(other, format!("{name}/nowhere cannot be opened: database \"nowhere\" does not exist"));

    postgres
        .sql("postgres", "insert into _sqlx_migrations select 9999, 'later', now(), true, '', 0")
        .unwrap();
    let newer = refusal(&url).await;
    assert!(
        newer.starts_with(&format!("{name}/postgres has schema 9999, this program knows schemas up to 49")),
        "{newer}"
    );
    postgres.sql("postgres", "delete from _sqlx_migrations where version = 9999").unwrap();
    postgres.sql("postgres", r"update _sqlx_migrations set checksum = '\x00' where version = 1").unwrap();
    let edited = refusal(&url).await;
    assert!(edited.contains("its schema 1 came from another program"), "{edited}");

    postgres.stop().unwrap();
    let down = refusal(&url.replace("quadrex@", "quadrex:hush@")).await;
    assert!(down.starts_with(&format!("{name}/postgres cannot be opened: ")), "{down}");
    assert!(down.contains("refused"), "{down}");

    fs::write(postgres.data().join("standby.signal"), "").unwrap();
    postgres.restart().unwrap();
    let standby = refusal(&url).await;
    assert!(standby.contains("is true (a standby), it must be false"), "{standby}");
}

/// While a migration waits for a table, all later queries of that table wait too. The migration
/// therefore gives up after a short time.
#[tokio::test]
async fn a_migration_that_cannot_lock_a_table_fails_and_can_be_repeated() {
    let postgres = Postgres::start().unwrap();
    let url = postgres.url();
    Store::connect(&location(&url), 2).await.unwrap().close().await;
    let older = "drop table handovers; delete from _sqlx_migrations where version = 4";
    postgres.sql("postgres", older).unwrap();
    let mut writer = PgConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("begin; lock table users in row exclusive mode").execute(&mut writer).await.unwrap();
    let waited = refusal(&url).await;
    assert!(waited.contains("cannot be brought to this program's schema"), "{waited}");
    assert!(waited.contains("lock timeout"), "{waited}");
    writer.close().await.unwrap();
    Store::connect(&location(&url), 2).await.unwrap().close().await;
}

/// A server may stop answering after it was connected. A program that starts must not wait for ever.
#[tokio::test]
async fn a_postgres_server_that_stops_answering_is_refused() {
    let postgres = Postgres::start().unwrap();
    let url = postgres.url();
    Store::connect(&location(&url), 2).await.unwrap().close().await;
    let mut other = PgConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("begin; lock table _sqlx_migrations").execute(&mut other).await.unwrap();
    let silent = refusal(&url).await;
    assert!(silent.ends_with("cannot be opened: no answer within 10 s"), "{silent}");
    other.close().await.unwrap();
    Store::connect(&location(&url), 2).await.unwrap().close().await;
}

/// Creating an index concurrently waits for all running statements, including those of programs
/// that wait for the migration lock.
#[tokio::test(flavor = "multi_thread")]
async fn several_programs_can_migrate_a_database_at_the_same_time() {
    let postgres = Postgres::start().unwrap();
    let url = postgres.url();
    let stores = join_all((0..6).map(|_| async { Store::connect(&location(&url), 2).await })).await;
    for store in stores {
        store.expect("the others wait for the program that migrates").close().await;
    }
    let invalid = "do $$ begin if exists (select 1 from pg_index where not indisvalid) then
                   raise 'an index is invalid'; end if; end $$";
    postgres.sql("postgres", invalid).unwrap();
}

/// The connection breaks either after the statement was committed or while it was being prepared.
/// The client cannot distinguish the two cases, but the log shows the outcome.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_shows_the_outcome_of_an_append_without_an_answer() {
    let postgres = Postgres::start().unwrap();
    let direct = TestStore::open(location(&postgres.url())).await;
    for (last_words, committed) in [("the-lost-command", true), ("insert into match_event", false)] {
        let test_table = direct.table().await;
        let line = ReplyCutter::to(postgres.port()).await;
        let behind = postgres.url().replace(&format!(":{}/", postgres.port()), &format!(":{}/", line.port));
        let store = Store::connect(&location(&behind), 1).await.unwrap();
        line.cut_after(last_words);
        let append = test_table.command(&test_table.host, "the-lost-command");
        let lost = store.append(&append).await;
        assert!(matches!(lost, Err(AppendError::Unknown(_))), "{lost:?}");

        // An owner then claims the match, which waits for a running transaction, and reads the log.
        let epoch = direct.store.claim(test_table.match_id).await.unwrap().unwrap();
        let answer = direct
            .store
            .command_seq(test_table.match_id, test_table.host.id, &command_id("the-lost-command"))
            .await;
        assert_eq!(answer.unwrap(), committed.then_some(3));
        let head = numbers(&direct.store, test_table.match_id).await.len() as u64;
        let again = direct.store.append(&Append { epoch, head_seq: head, ..append }).await;
        if committed {
            assert_duplicate(again, 3);
        } else {
            assert_eq!(again.unwrap(), 3);
        }
        assert_eq!(numbers(&direct.store, test_table.match_id).await, [1, 2, 3]);
    }
}

/// The same for a batch: one commit contains appends of many matches, and all their outcomes are
/// unknown.
#[tokio::test]
async fn the_log_shows_the_outcome_of_each_append_of_a_batch_without_an_answer() {
    let postgres = Postgres::start().unwrap();
    let direct = TestStore::open(location(&postgres.url())).await;
    for (last_words, committed) in [("the-lost-command", true), ("unnest($1::uuid[]", false)] {
        let test_tables = direct.tables(20).await;
        let line = ReplyCutter::to(postgres.port()).await;
        let behind = postgres.url().replace(&format!(":{}/", postgres.port()), &format!(":{}/", line.port));
        let one = CommitGrouping { connections: 1, ..CommitGrouping::default() };
        let store = Store::connect_with(&location(&behind), 1, one).await.unwrap();
        line.cut_after(last_words);
        // On this single-threaded runtime, all appends are requested before the writer runs, so
        // they form one batch.
        let appends: Vec<_> = test_tables
            .iter()
            .map(|test_table| test_table.command(&test_table.host, "the-lost-command"))
            .collect();
        let outcomes = join_all(appends.iter().map(|append| store.append(append))).await;
        for (test_table, (append, outcome)) in test_tables.iter().zip(appends.into_iter().zip(outcomes)) {
            assert!(matches!(outcome, Err(AppendError::Unknown(_))), "{outcome:?}");
            let epoch = direct.store.claim(test_table.match_id).await.unwrap().unwrap();
            let head_seq = numbers(&direct.store, test_table.match_id).await.len() as u64;
            assert_eq!(head_seq, if committed { 3 } else { 2 });
            let again = direct.store.append(&Append { epoch, head_seq, ..append }).await;
            if committed {
                assert_duplicate(again, 3);
            } else {
                assert_eq!(again.unwrap(), 3);
            }
            assert_eq!(numbers(&direct.store, test_table.match_id).await, [1, 2, 3]);
        }
    }
}

/// Kills the server repeatedly while many owners follow the store's documentation. At the end each
/// log contains exactly the acknowledged appends of its owner, once and in order.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_postgres_server_loses_no_acknowledged_append() {
    let mut postgres = Postgres::start().unwrap();
    let test = TestStore::open(location(&postgres.url())).await;
    let stop = Arc::new(AtomicBool::new(false));
    let (progress, mut written) = mpsc::unbounded_channel();
    let mut owners = Vec::new();
    for test_table in test.tables(32).await {
        owners.push(tokio::spawn(append_until_stopped(
            test.store.clone(),
            test_table,
            stop.clone(),
            progress.clone(),
        )));
    }
    for round in 1..=3 {
        for _ in 0..800 * round {
            written.recv().await.unwrap();
        }
        postgres.sigkill().unwrap();
        postgres.restart().unwrap();
    }
    stop.store(true, Ordering::SeqCst);
    for owner in owners {
        let (match_id, acknowledged) = owner.await.unwrap();
        let log = test.store.events(match_id, 2).await.unwrap();
        let logged: Vec<_> = log.into_iter().map(|logged| (logged.seq, logged.command_id.unwrap())).collect();
        assert_eq!(logged, acknowledged);
    }
}

/// Appends one command after another until it is stopped. Returns the acknowledged ones.
async fn append_until_stopped(
    store: Store,
    mut test_table: TestTable,
    stop: Arc<AtomicBool>,
    progress: mpsc::UnboundedSender<()>,
) -> (MatchId, Vec<(u64, CommandId)>) {
    let mut acknowledged = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let name = format!("m-{}", acknowledged.len());
        match store.append(&test_table.command(&test_table.host, &name)).await {
            Ok(head) => {
                acknowledged.push((head, command_id(&name)));
                test_table.head = head;
                progress.send(()).ok();
            }
            // Nothing was written, so the same command is sent again.
            Err(AppendError::Fault(_)) => {}
            Err(AppendError::Unknown(_)) => {
                let (epoch, log) = claim_and_read(&store, test_table.match_id).await;
                test_table.epoch = epoch;
                let last = log.last().unwrap();
                if last.command_id == Some(command_id(&name)) {
                    acknowledged.push((last.seq, command_id(&name)));
                }
                test_table.head = last.seq;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    (test_table.match_id, acknowledged)
}

/// Claims a match and reads its log, and repeats this until it succeeds.
async fn claim_and_read(store: &Store, match_id: MatchId) -> (Epoch, Vec<LoggedEvent>) {
    loop {
        let Ok(Some(epoch)) = store.claim(match_id).await else { continue };
        if let Ok(log) = store.events(match_id, 0).await {
            return (epoch, log);
        }
    }
}

/// The database refuses a second row for an event or a command, and rows with invalid values.
#[tokio::test]
async fn the_schema_refuses_invalid_rows() {
    let postgres = Postgres::start().unwrap();
    let test = TestStore::open(location(&postgres.url())).await;
    let test_table = test.table().await;
    test.store.append(&test_table.command(&test_table.host, "m-1")).await.unwrap();
    let insert = |seq: u64, command_id: &str, by: &str, event: &str| {
        let sql = format!(
            "insert into match_event select match_id, {seq}, epoch, at, {by}, {command_id}, '{event}' \
             from match_event where seq = 3"
        );
        postgres.sql("postgres", &sql).map_err(|error| error.to_string())
    };
    let refused = |result: Result<String, String>, by: &str| {
        let error = result.expect_err("it was taken");
        assert!(error.contains(by), "{error}");
    };
    refused(insert(3, "null", "null", "{}"), "match_event_pkey");
    refused(insert(4, "cmd", "by_user", "{}"), "match_event_cmd");
    refused(insert(4, "'m-2'", "null", "{}"), "check constraint");
    refused(insert(4, "''", "by_user", "{}"), "check constraint");
    refused(insert(0, "null", "null", "{}"), "check constraint");
    refused(insert(4, "null", "null", "[]"), "check constraint");
    refused(insert(4, "null", "gen_random_uuid()", "{}"), "foreign key");
    insert(4, "'m-2'", "by_user", "{}").unwrap();
}

#[tokio::test]
async fn the_error_for_an_unreadable_log_contains_the_match_and_the_event() {
    let postgres = Postgres::start().unwrap();
    let test = TestStore::open(location(&postgres.url())).await;
    let test_table = test.table().await;
    test.store.append(&test_table.append(vec![moved(); 3])).await.unwrap();

    postgres
        .sql("postgres", "update match_event set event = '{\"type\": \"unheard_of\"}' where seq = 4")
        .unwrap();
    let fault = test.store.events(test_table.match_id, 0).await.unwrap_err();
    assert_eq!(fault.to_string(), format!("event 4 of match {} cannot be read back", test_table.match_id));
    let source = std::error::Error::source(&fault).expect("the chain contains the reason").to_string();
    assert!(source.contains("unheard_of"), "{source}");

    postgres.sql("postgres", "delete from match_event where seq = 4").unwrap();
    let fault = test.store.events(test_table.match_id, 0).await.unwrap_err();
    assert!(
        matches!(fault, StoreError::MissingEvent { match_id, seq: 4 } if match_id == test_table.match_id),
        "{fault}"
    );
    assert!(test.store.events(test_table.match_id, 4).await.is_ok());
}
