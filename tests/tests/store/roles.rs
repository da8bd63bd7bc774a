//! Tests of the Postgres role of a server. The role suffices for the store, and cannot change the
//! log.

use std::path::Path;

use quadrex_store::{GrantError, Location, Store, grant};
use quadrex_tests::Postgres;

use crate::run_conformance_tests;
use crate::test_store::TestStore;

/// The server's role.
const ROLE: &str = "chess_server";

/// Parts of Postgres' messages when it refuses a statement of a role.
const REFUSALS: [&str; 3] = ["permission denied", "must be owner of", "must be superuser"];

fn location(url: &str) -> Location {
    Location::parse(url, Path::new("unused")).unwrap()
}

/// Starts Postgres with a role that has no privileges.
fn postgres_with_role() -> Postgres {
    let postgres = Postgres::start().unwrap();
    postgres.sql("postgres", &format!("create role {ROLE} login")).unwrap();
    postgres
}

/// Creates a database, and grants the server's role its privileges.
async fn store_with_role(postgres: &Postgres, database: &str) -> TestStore {
    let owner = location(&postgres.create_database(database).unwrap());
    grant(&owner, ROLE, None).await.unwrap();
    TestStore::owned_by(location(&postgres.role_url(ROLE, database)), owner).await
}

async fn refusal(url: &str) -> String {
    let connected = Store::connect(&location(url), 2).await.expect_err("it opened").to_string();
    let looked = Store::open_read_only(&location(url)).await.expect_err("it opened").to_string();
    assert_eq!(connected, looked, "a check reports the same as a start");
    assert!(!connected.contains('\n'), "{connected}");
    connected
}

/// Returns the reason why a role is refused as a server's role.
async fn grant_refusal(owner: &Location, role: &str) -> String {
    let error = grant(owner, role, None).await.expect_err("it was granted");
    assert!(matches!(error, GrantError::Refused { .. }), "{error:?}");
    let text = error.to_string();
    let (place, reason) = text.split_once(&format!("cannot have {role} as a server's role: ")).unwrap();
    assert_eq!(place.trim_end(), owner.to_string());
    reason.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_passes_the_conformance_tests_with_the_server_s_role() {
    let postgres = postgres_with_role();
    run_conformance_tests(async |number| store_with_role(&postgres, &format!("conformance_{number}")).await)
        .await;
}

/// Statements that would change a log or its tables.
const ATTACKS: &[&str] = &[
    "update match_event set event = '{}'",
    "update match_event set epoch = epoch where false",
    "delete from match_event",
    "delete from match_event where false",
    "truncate match_event",
    "truncate matches cascade",
    "merge into match_event as log using matches on matches.id = log.match_id when matched then delete",
    "insert into match_event select * from match_event on conflict (match_id, seq) do update set event = '{}'",
    "with gone as (delete from match_event returning 1) select count(*) from gone",
    "select * from match_event for update",
    "alter table match_event add column note text",
    "alter table match_event drop column event",
    "alter table match_event disable trigger all",
    "alter table match_event drop constraint match_event_pkey",
    "alter table match_event rename to old_event",
    "alter table match_event owner to chess_server",
    "create trigger change before insert on match_event execute function suppress_redundant_updates_trigger()",
    "create rule change as on insert to match_event do instead nothing",
    "create index change on match_event (epoch)",
    "drop table match_event",
    "drop table match_event cascade",
    "delete from matches",
    "delete from users",
    "update _sqlx_migrations set checksum = ''",
    "insert into _sqlx_migrations select * from _sqlx_migrations",
    "create table mine (id integer)",
    "create table mine as select * from match_event",
    "create view mine as select 1",
    "create function mine() returns integer language sql as 'select 1'",
    "create schema mine",
    "drop schema public cascade",
    "alter schema public owner to chess_server",
    "set role quadrex",
    "set session_replication_role = replica",
    "copy match_event to program 'true'",
    "alter role chess_server superuser",
    "create role other",
];

#[tokio::test]
async fn a_server_s_role_can_only_add_to_the_log() {
    let postgres = postgres_with_role();
    let test = store_with_role(&postgres, "games").await;
    let place = test.table().await;
    test.store.append(&place.command(&place.host, "m-1")).await.unwrap();
    test.store.close().await;
    let before = dump_without_keys(&postgres);
    let refused = |sql: &str| {
        let error = postgres.sql_as(ROLE, "games", sql).expect_err(sql).to_string();
        assert!(REFUSALS.iter().any(|refusal| error.contains(refusal)), "{sql}: {error}");
    };
    for attack in ATTACKS {
        refused(attack);
    }
    // Granting a privilege that the role does not have is not an error in Postgres, but has no
    // effect.
    postgres.sql_as(ROLE, "games", &format!("grant all on match_event, matches to {ROLE}")).unwrap();
    refused(ATTACKS[0]);
    let query = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace";
    let tables = postgres.sql("games", query).unwrap();
    assert!(tables.lines().count() >= 12, "{tables}");
    for table in tables.lines() {
        refused(&format!("drop table {table} cascade"));
        refused(&format!("alter table {table} add column note text"));
        refused(&format!("truncate {table} cascade"));
    }
    assert_eq!(dump_without_keys(&postgres), before, "the database was changed");

    let add = "insert into match_event (match_id, seq, epoch, at, event) \
               select match_id, seq + 1, epoch, at, event from match_event order by seq desc limit 1";
    postgres.sql_as(ROLE, "games", add).unwrap();
    assert_eq!(postgres.sql_as(ROLE, "games", "select count(*) from match_event").unwrap(), "4");
}

/// Returns the whole content of the database. Every dump has a random key, which is removed.
fn dump_without_keys(postgres: &Postgres) -> Vec<String> {
    let dump = postgres.dump("games").unwrap();
    let keys = ["\\restrict", "\\unrestrict"];
    dump.lines().filter(|line| !keys.iter().any(|key| line.starts_with(key))).map(str::to_owned).collect()
}

/// Returns all privileges of a role in all tables and columns, as `psql` prints them.
fn privileges(postgres: &Postgres) -> String {
    let query = format!(
        "select relname, privilege_type from pg_class, aclexplode(relacl) where grantee = '{ROLE}'::regrole \
         union all select attrelid::regclass::name, attname || privilege_type from pg_attribute, aclexplode(attacl) \
         where grantee = '{ROLE}'::regrole order by 1, 2"
    );
    postgres.sql("games", &query).unwrap()
}

#[tokio::test]
async fn a_grant_revokes_excess_privileges_and_can_be_repeated() {
    let postgres = postgres_with_role();
    store_with_role(&postgres, "games").await.store.close().await;
    let owner = location(&postgres.database_url("games"));
    let once = privileges(&postgres);
    let log: Vec<&str> = once.lines().filter(|line| line.starts_with("match_event|")).collect();
    assert_eq!(log, ["match_event|INSERT", "match_event|SELECT"]);
    grant(&owner, ROLE, None).await.unwrap();
    assert_eq!(privileges(&postgres), once);

    postgres.sql("games", &format!("grant all on all tables in schema public to {ROLE}")).unwrap();
    postgres.sql("games", &format!("grant update (event) on match_event to {ROLE}")).unwrap();
    assert_ne!(privileges(&postgres), once);
    grant(&owner, ROLE, None).await.unwrap();
    assert_eq!(privileges(&postgres), once);

    postgres.sql("games", &format!("revoke insert on links from {ROLE}")).unwrap();
    let lacks = refusal(&postgres.role_url(ROLE, "games")).await;
    assert_eq!(
        lacks,
        format!(
            "postgres 127.0.0.1:{}/games does not let role {ROLE} insert in links: run `quadrex database grant \
             --role {ROLE}` with the database owner's DATABASE_URL",
            postgres.port()
        )
    );
    grant(&owner, ROLE, None).await.unwrap();
    Store::connect(&location(&postgres.role_url(ROLE, "games")), 2).await.unwrap().close().await;
}

/// The grant also works if `public` has no privileges in the database and the schema.
#[tokio::test]
async fn a_grant_gives_access_to_the_database_and_the_schema() {
    let postgres = postgres_with_role();
    postgres.create_database("games").unwrap();
    postgres.sql("games", "revoke all on database games from public").unwrap();
    postgres.sql("games", "revoke all on schema public from public").unwrap();
    grant(&location(&postgres.database_url("games")), ROLE, None).await.unwrap();
    Store::connect(&location(&postgres.role_url(ROLE, "games")), 2).await.unwrap().close().await;
}

#[tokio::test]
async fn a_role_that_could_change_the_log_is_granted_nothing() {
    let postgres = postgres_with_role();
    let owner = location(&postgres.create_database("games").unwrap());
    Store::connect(&owner, 2).await.unwrap().close().await;
    let sql = |sql: &str| postgres.sql("games", sql).unwrap();
    assert_eq!(grant_refusal(&owner, "quadrex").await, "it is a superuser");

    sql("create role keeper; grant update (event) on match_event to keeper; create role helper noinherit");
    sql(&format!("grant keeper to helper; grant helper to {ROLE}"));
    let through = "it belongs to role keeper, which may update match_event";
    assert_eq!(grant_refusal(&owner, ROLE).await, through);
    assert_eq!(privileges(&postgres), "", "a refusal grants nothing");
    sql("drop owned by keeper");

    for (give, take, reason) in [
        (
            "alter role ROLE createrole",
            "alter role ROLE nocreaterole",
            "may take on other roles (createrole)",
        ),
        (
            "grant delete on match_event to public",
            "revoke delete on match_event from public",
            "may delete from",
        ),
        (
            "grant trigger on match_event to public",
            "revoke trigger on match_event from public",
            "may add triggers",
        ),
        ("grant truncate on match_event to keeper", "drop owned by keeper", "keeper, which may truncate"),
        (
            "grant pg_write_all_data to ROLE",
            "revoke pg_write_all_data from ROLE",
            "it may update match_event",
        ),
        ("grant pg_write_server_files to ROLE", "revoke pg_write_server_files from ROLE", "may write files"),
        (
            "alter table match_event owner to keeper",
            "alter table match_event owner to quadrex",
            "owns the table",
        ),
        ("alter schema public owner to keeper", "alter schema public owner to quadrex", "owns the schema"),
        ("alter database games owner to ROLE", "alter database games owner to quadrex", "owns the database"),
        (
            "grant create on schema public to public",
            "revoke create on schema public from public",
            "create in schema",
        ),
        (
            "grant create on database games to ROLE",
            "revoke create on database games from ROLE",
            "create schemas",
        ),
        (
            "grant quadrex to helper",
            "revoke quadrex from helper",
            "belongs to role quadrex, which is a superuser",
        ),
    ] {
        sql(&give.replace("ROLE", ROLE));
        let found = grant_refusal(&owner, ROLE).await;
        assert!(found.contains(reason), "{give}: {found}");
        sql(&take.replace("ROLE", ROLE));
    }
    grant(&owner, ROLE, None).await.unwrap();
}

#[tokio::test]
async fn a_missing_role_is_created_if_a_password_is_given() {
    let postgres = Postgres::start().unwrap();
    let owner = location(&postgres.create_database("games").unwrap());
    let role = "o'Neil \"the\" server";
    let missing = grant(&owner, role, None).await.unwrap_err();
    assert!(matches!(missing, GrantError::NoRole { .. }), "{missing:?}");
    let is_there =
        "select count(*), bool_and(rolcanlogin and not rolsuper) from pg_roles where rolname like 'o''N%'";
    assert_eq!(postgres.sql("games", is_there).unwrap(), "0|");
    let password =
        || postgres.sql("games", "select rolpassword from pg_authid where rolname like 'o''N%'").unwrap();
    grant(&owner, role, Some("it's \\ hush")).await.unwrap();
    assert_eq!(postgres.sql("games", is_there).unwrap(), "1|t");
    let first = password();
    assert!(first.starts_with("SCRAM-SHA-256$"), "{first}");
    grant(&owner, role, None).await.unwrap();
    assert_eq!(password(), first, "kept");
    grant(&owner, role, Some("another")).await.unwrap();
    assert_ne!(password(), first, "changed");
    assert_eq!(grant_refusal(&owner, &"x".repeat(64)).await, "its name has not 1 to 63 bytes");
    assert_eq!(grant_refusal(&owner, "").await, "its name has not 1 to 63 bytes");

    let file = Location::Sqlite("quadrex.db".into());
    assert_eq!(
        grant(&file, ROLE, None).await.unwrap_err().to_string(),
        "sqlite quadrex.db has no roles: anyone who can write the file can change all of it"
    );
}

#[tokio::test]
async fn a_server_role_cannot_migrate_and_the_start_reports_it() {
    let postgres = postgres_with_role();
    let owner = location(&postgres.create_database("games").unwrap());
    let url = postgres.role_url(ROLE, "games");
    let says = |what: &str| {
        format!(
            "postgres 127.0.0.1:{}/games does not let role {ROLE} {what}: run `quadrex database grant --role {ROLE}` \
             with the database owner's DATABASE_URL",
            postgres.port()
        )
    };
    let newest =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations/postgres")).unwrap().count();
    assert_eq!(refusal(&url).await, says(&format!("bring its schema from 0 to {newest}")));
    grant(&owner, ROLE, None).await.unwrap();
    Store::connect(&location(&url), 2).await.unwrap().close().await;

    postgres.sql("games", "create table later as select * from _sqlx_migrations where version > 6").unwrap();
    postgres.sql("games", "delete from _sqlx_migrations where version > 6").unwrap();
    let pending = says(&format!("bring its schema from 6 to {newest}"));
    assert_eq!(refusal(&url).await, pending);
    // The privilege to create tables is not enough, because the migration alters a table.
    postgres.sql("games", &format!("grant create on schema public to {ROLE}")).unwrap();
    assert_eq!(refusal(&url).await, pending);
    postgres.sql("games", &format!("revoke create on schema public from {ROLE}")).unwrap();
    postgres.sql("games", "insert into _sqlx_migrations select * from later").unwrap();
    postgres.sql("games", &format!("revoke all on _sqlx_migrations from {ROLE}")).unwrap();
    assert_eq!(refusal(&url).await, says("select in _sqlx_migrations"));
    grant(&owner, ROLE, None).await.unwrap();
    Store::connect(&location(&url), 2).await.unwrap().close().await;
}
