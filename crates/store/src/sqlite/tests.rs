//! Tests of a SQLite file that need raw SQL. Tests of the behavior that both databases share are in
//! the package `quadrex-tests`.

use std::path::PathBuf;

use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::lot::Secret;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{Event, MatchId, TableId, UserId};
use quadrex_rules::Color;
use uuid::Uuid;

use quadrex_rules::Timestamp;
use sqlx::AssertSqlSafe;

use super::*;
use crate::{CommitGrouping, Handover, LotKey, NewTable, SecretHash, Store, StoreError, User};

fn started() -> Event {
    Event::Started { first_player: Color::Red, secret: Secret::new([1; 32]), seats: Default::default() }
}

/// An event of half a megabyte.
fn long() -> Event {
    let user = User {
        id: UserId(Uuid::from_u128(1)),
        name: "Quiet Otter".into(),
        created_at: Timestamp::from_millis(1),
        account: false,
        bot: None,
    };
    let message = ChatMessage::Text("x".repeat(512 * 1024));
    Event::MessageSent { user: user.view(), color: None, room: Room::Seated, message }
}

/// A temporary folder, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("quadrex-sqlite-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    async fn open(&self) -> Result<Opened, ConnectError> {
        let sqlite = Sqlite::connect(&self.0.join("quadrex.db"), 2).await?;
        let (writer, readers) = (sqlite.writer.clone(), sqlite.readers.clone());
        Ok(Opened { store: Store::with_sqlite(sqlite, CommitGrouping::default()), writer, readers })
    }
}

/// A store with its connections.
#[derive(Debug)]
struct Opened {
    store: Store,
    writer: SqlitePool,
    readers: SqlitePool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

const MATCH: MatchId = MatchId(Uuid::from_u128(3));

/// A match with three events.
async fn fill(database: &Opened) {
    let at = Timestamp::from_millis(1);
    let host = User {
        id: UserId(Uuid::from_u128(1)),
        name: "Quiet Otter".into(),
        created_at: at,
        account: false,
        bot: None,
    };
    database.store.add_user(&host).await.unwrap();
    let events = vec![started(); 3];
    let (table, privacy) = (TableId(Uuid::from_u128(2)), Privacy::Public);
    let (lot_key, holders) = (LotKey([1; 32]), Vec::new());
    let new = NewTable { table, match_id: MATCH, host: host.id, privacy, lot_key, at, events, holders };
    database.store.open_table(&new).await.unwrap();
}

async fn number(pool: &SqlitePool, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

/// An acknowledged row survives a power cut only with these settings (sqlite.org/pragma.html;
/// synchronous 2 is FULL).
#[tokio::test]
async fn commits_are_synced_and_readers_cannot_write() {
    let folder = Folder::new("settings");
    let database = folder.open().await.unwrap();
    let journal: String =
        sqlx::query_scalar("pragma journal_mode").fetch_one(&database.writer).await.unwrap();
    assert_eq!(journal, "wal");
    assert_eq!(number(&database.writer, "pragma synchronous").await, 2);
    assert_eq!(number(&database.writer, "pragma foreign_keys").await, 1);
    assert_eq!(number(&database.writer, "pragma busy_timeout").await, 5_000);
    let refused = sqlx::query("delete from users").execute(&database.readers).await.unwrap_err();
    assert!(refused.to_string().contains("readonly"), "{refused}");
}

/// On a full disk, only writes that need more space fail. SQLite may have rolled back the
/// transaction by itself, but the connection must still accept later writes. A page limit simulates
/// the full disk.
#[tokio::test]
async fn writes_succeed_again_when_a_full_disk_has_space_again() {
    let folder = Folder::new("full");
    let database = folder.open().await.unwrap();
    fill(&database).await;
    let pages = number(&database.writer, "pragma page_count").await;
    let limit_pages = async |pages: i64| {
        let sql = format!("pragma max_page_count = {pages}");
        sqlx::query(AssertSqlSafe(sql)).execute(&database.writer).await.unwrap();
    };

    let large = |id, events| NewTable {
        table: TableId(Uuid::from_u128(id)),
        match_id: MatchId(Uuid::from_u128(id)),
        host: UserId(Uuid::from_u128(1)),
        privacy: Privacy::Public,
        lot_key: LotKey([1; 32]),
        at: Timestamp::from_millis(1),
        events,
        holders: Vec::new(),
    };
    // On a full disk, SQLite undoes only the failed statement if it has many rows, but the whole
    // transaction if it has a single row.
    for (id, events) in [(10, vec![started(); 2_000]), (20, vec![long()])] {
        limit_pages(pages).await;
        let refused = database.store.open_table(&large(id, events.clone())).await.unwrap_err();
        assert!(crate::error_chain::chain(&refused).contains("full"), "{refused}");
        assert!(
            database.store.table(TableId(Uuid::from_u128(id))).await.unwrap().is_none(),
            "nothing of it was written"
        );
        limit_pages(1_000_000).await;
        database.store.open_table(&large(id + 1, events)).await.unwrap();
    }
    assert_eq!(database.store.events(MATCH, 0).await.unwrap().len(), 3, "the earlier events are there");
}

/// The result of a statement is valid only after its commit. If the COMMIT fails, the caller must
/// not get the result. Foreign keys that are checked at the commit simulate the failure.
#[tokio::test]
async fn a_result_is_returned_only_after_its_commit() {
    let folder = Folder::new("returned");
    let database = folder.open().await.unwrap();
    fill(&database).await;
    let secret = SecretHash([7; 32]);
    let (created_at, expires_at) = (Timestamp::from_millis(1), Timestamp::from_millis(9));
    let handover = Handover { secret, user: UserId(Uuid::from_u128(1)), created_at, expires_at };
    database.store.add_handover(&handover).await.unwrap();
    let run = async |sql: &'static str| sqlx::query(sql).execute(&database.writer).await.unwrap();
    run("create table parents (id integer primary key)").await;
    run("create table orphans (parent integer references parents (id) deferrable initially deferred)").await;
    run("create trigger claimed after update on matches begin insert into orphans values (1); end").await;
    run("create trigger used after delete on handovers begin insert into orphans values (1); end").await;

    let epoch = number(&database.writer, "select epoch from matches").await;
    let refused = database.store.claim(MATCH).await.unwrap_err();
    assert!(crate::error_chain::chain(&refused).contains("FOREIGN KEY"), "{refused}");
    assert_eq!(number(&database.writer, "select epoch from matches").await, epoch);
    let refused = database.store.use_handover(secret, created_at).await.unwrap_err();
    assert!(crate::error_chain::chain(&refused).contains("FOREIGN KEY"), "{refused}");

    run("drop trigger claimed").await;
    run("drop trigger used").await;
    assert_eq!(
        database.store.claim(MATCH).await.unwrap().map(|claimed| claimed.0),
        u64::try_from(epoch + 1).ok()
    );
    assert_eq!(database.store.use_handover(secret, created_at).await.unwrap(), Some(handover.user));
}

/// The database refuses a second row for an event or a command, and rows with invalid values.
#[tokio::test]
async fn the_schema_refuses_invalid_rows() {
    let folder = Folder::new("schema");
    let database = folder.open().await.unwrap();
    fill(&database).await;
    sqlx::query("update match_event set cmd = 'm-1' where seq = 3").execute(&database.writer).await.unwrap();
    let insert = async |sql: &'static str| {
        sqlx::query(sql).execute(&database.writer).await.map(drop).map_err(|error| error.to_string())
    };
    macro_rules! row {
        ($seq:literal, $by:literal, $command_id:literal, $event:literal) => {
            insert(concat!(
                "insert into match_event select match_id, ",
                $seq,
                ", epoch, at_ms, ",
                $by,
                ", ",
                $command_id,
                ", ",
                $event,
                " from match_event where seq = 3"
            ))
            .await
        };
    }
    let refused = |result: Result<(), String>, by: &str| {
        let error = result.expect_err("it was accepted");
        assert!(error.contains(by), "{error}");
    };
    refused(row!("3", "null", "null", "'{}'"), "UNIQUE");
    refused(row!("4", "by_user", "cmd", "'{}'"), "UNIQUE");
    refused(row!("4", "null", "'m-2'", "'{}'"), "CHECK");
    refused(row!("4", "by_user", "''", "'{}'"), "CHECK");
    refused(row!("0", "null", "null", "'{}'"), "CHECK");
    refused(row!("4", "null", "null", "'[]'"), "CHECK");
    refused(row!("4", "null", "null", "'{'"), "CHECK");
    refused(row!("4", "randomblob(16)", "null", "'{}'"), "FOREIGN KEY");
    refused(row!("'four'", "null", "null", "'{}'"), "cannot store TEXT");
    assert_eq!(row!("4", "by_user", "'m-2'", "'{}'"), Ok(()));
}

#[tokio::test]
async fn the_error_for_an_unreadable_log_contains_the_match_and_the_event() {
    let folder = Folder::new("unreadable");
    let location = Location::Sqlite(folder.0.join("quadrex.db"));
    let store = Store::connect(&location, 2).await.unwrap();
    let database = folder.open().await.unwrap();
    fill(&database).await;
    let change = async |sql: &'static str| sqlx::query(sql).execute(&database.writer).await.unwrap();

    change(r#"update match_event set event = '{"type": "unheard_of"}' where seq = 2"#).await;
    let fault = store.events(MATCH, 0).await.unwrap_err();
    assert_eq!(fault.to_string(), format!("event 2 of match {MATCH} cannot be read back"));
    let source = std::error::Error::source(&fault).expect("the chain says why").to_string();
    assert!(source.contains("unheard_of"), "{source}");

    change("delete from match_event where seq = 2").await;
    let fault = store.events(MATCH, 0).await.unwrap_err();
    assert!(matches!(fault, StoreError::MissingEvent { match_id: MATCH, seq: 2 }), "{fault}");
    assert_eq!(store.events(MATCH, 2).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_schema_of_another_program_is_refused() {
    let folder = Folder::new("newer");
    let file = folder.0.join("quadrex.db");
    let database = folder.open().await.unwrap();
    let add = "insert into _sqlx_migrations values (9999, 'later', '2030-01-01', true, x'', 0)";
    sqlx::query(add).execute(&database.writer).await.unwrap();
    let refusal = folder.open().await.unwrap_err().to_string();
    let expected = format!(
        "sqlite {} has schema 9999, this program knows schemas up to 49: use a newer quadrex",
        file.display()
    );
    assert_eq!(refusal, expected);

    let edit = "update _sqlx_migrations set checksum = x'00' where version = 1";
    sqlx::query("delete from _sqlx_migrations where version = 9999").execute(&database.writer).await.unwrap();
    sqlx::query(edit).execute(&database.writer).await.unwrap();
    let refusal = folder.open().await.unwrap_err().to_string();
    assert!(refusal.contains("its schema 1 came from another program"), "{refusal}");
}
