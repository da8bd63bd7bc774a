//! Privileges of roles in a Postgres database. The role of a server gets the privileges that a
//! server needs. The role must not have a privilege with which it could change or remove events of
//! the log.

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::{Postgres, bring_up_to_date, cannot_open};
use crate::error::{ConnectError, GrantError};
use crate::error_chain::reason;
use crate::location::Location;
use crate::schema::Schema;

/// The privilege to read the applied migrations.
const READ_MIGRATIONS: (&str, &[&str]) = ("_sqlx_migrations", &["select"]);

/// All tables, each with the privileges that a server needs there. A server cannot change or remove
/// events, and cannot remove users.
const PRIVILEGES: &[(&str, &[&str])] = &[
    READ_MIGRATIONS,
    ("account_names", &["select", "insert", "update"]),
    ("accounts", &["select", "insert", "update", "delete"]),
    ("archive_queue", &["select", "insert", "update", "delete"]),
    ("archived_matches", &["select", "insert", "update"]),
    ("archived_names", &["select", "insert", "delete"]),
    ("archived_seats", &["select", "insert", "update"]),
    ("cluster_key", &["select", "insert"]),
    ("conditional_moves", &["select", "insert", "update", "delete"]),
    ("group_members", &["select", "insert", "update", "delete"]),
    ("group_tables", &["select", "insert", "delete"]),
    ("handovers", &["select", "insert", "delete"]),
    ("invitations", &["select", "insert", "update", "delete"]),
    ("links", &["select", "insert", "update", "delete"]),
    ("mail_addresses", &["select", "insert", "update", "delete"]),
    ("mail_links", &["select", "insert", "update", "delete"]),
    ("match_event", &["select", "insert"]),
    ("match_leaves", &["select", "insert", "delete"]),
    ("match_pairs", &["select", "insert", "delete"]),
    ("match_shares", &["select", "insert", "update", "delete"]),
    ("matches", &["select", "insert", "update"]),
    ("nodes", &["select", "insert", "update", "delete"]),
    ("notification_choices", &["select", "insert", "update", "delete"]),
    ("notifications", &["select", "insert", "update", "delete"]),
    ("outages", &["select", "insert"]),
    ("provider_identities", &["select", "insert", "delete"]),
    ("provider_sign_ins", &["select", "insert", "delete"]),
    ("provider_sign_ups", &["select", "insert", "delete"]),
    ("push_key", &["select", "insert"]),
    ("push_subscriptions", &["select", "insert", "update", "delete"]),
    ("rating_changes", &["select", "insert", "update"]),
    ("rating_order", &["select", "insert", "update"]),
    ("ratings", &["select", "insert", "update", "delete"]),
    ("recovery_keys", &["select", "insert", "update", "delete"]),
    ("reports", &["select", "insert", "update", "delete"]),
    ("retention_runs", &["select", "insert", "update"]),
    ("reviews", &["select", "insert", "update", "delete"]),
    ("revocations", &["select", "insert", "delete"]),
    ("seat_holders", &["select", "insert", "update", "delete"]),
    ("seat_networks", &["select", "insert", "update", "delete"]),
    ("server_life", &["select", "insert", "update"]),
    ("sessions", &["select", "insert", "update", "delete"]),
    ("table_requests", &["select", "insert", "delete"]),
    ("tables", &["select", "insert"]),
    ("turn_absences", &["select", "insert", "update"]),
    ("user_groups", &["select", "insert", "update", "delete"]),
    ("user_relations", &["select", "insert", "delete"]),
    ("user_suspensions", &["select", "insert", "update", "delete"]),
    ("user_warnings", &["select", "insert", "update", "delete"]),
    ("users", &["select", "insert", "update"]),
    ("vacations", &["select", "insert", "update", "delete"]),
    ("webhooks", &["select", "insert", "update", "delete"]),
];

/// The maximum length of a role's name in bytes; Postgres truncates a longer name (PostgreSQL's
/// manual, "Identifiers and Key Words").
const MAX_NAME: usize = 63;

/// A query that returns true if the current role may apply migrations, which create tables and
/// alter existing tables.
const MAY_MIGRATE: &str = "
    select coalesce(has_schema_privilege(current_schema(), 'create'), false)
       and not exists (
           select from pg_class
           where relnamespace = (select oid from pg_namespace where nspname = current_schema())
             and relname = any($1) and not pg_has_role(relowner, 'usage'))";

/// A query for the first of the given privileges that a role lacks, and for the table of this
/// privilege.
const FIRST_MISSING_PRIVILEGE: &str = "
    select wanted.privilege || ' in ' || wanted.name
    from unnest($2::text[], $3::text[]) with ordinality as wanted (name, privilege, number)
    where has_table_privilege($1::name, to_regclass(wanted.name), wanted.privilege) is not true
    order by wanted.number limit 1";

/// A query for a right with which a role could change or remove events of the log. A role also has
/// the rights of the roles that it can become. The query returns one right. A right of the
/// role itself comes before a right of a role that it can become.
const RIGHTS_OVER_LOG: &str = "
    select reachable.rolname = $1::name, reachable.rolname::text, power.name
    from pg_roles as reachable
    join pg_class as log on log.oid = to_regclass('match_event')
    join pg_namespace as home on home.oid = log.relnamespace
    join pg_database as whole on whole.datname = current_database()
    cross join lateral (select case
        when reachable.rolsuper then 'is a superuser'
        when reachable.oid = log.relowner then 'owns the table match_event'
        when reachable.oid = home.nspowner then 'owns the schema of match_event'
        when reachable.oid = whole.datdba then 'owns the database'
        when reachable.rolcreaterole then 'may take on other roles (createrole)'
        when reachable.rolname in ('pg_execute_server_program', 'pg_write_server_files')
            then 'may write files of the database server'
        when has_any_column_privilege(reachable.oid, log.oid, 'update') then 'may update match_event'
        when has_table_privilege(reachable.oid, log.oid, 'delete') then 'may delete from match_event'
        when has_table_privilege(reachable.oid, log.oid, 'truncate') then 'may truncate match_event'
        when has_table_privilege(reachable.oid, log.oid, 'trigger') then 'may add triggers to match_event'
    end) as power (name)
    where pg_has_role($1::name, reachable.oid, 'member') and power.name is not null
    order by reachable.rolname = $1::name desc, reachable.rolname limit 1";

/// A query for a right with which a role could create tables, functions or schemas in addition to
/// those of this program.
const RIGHTS_TO_CREATE: &str = "
    select reachable.rolname = $1::name, reachable.rolname::text, power.name
    from pg_roles as reachable
    join pg_class as log on log.oid = to_regclass('match_event')
    cross join lateral (select case
        when has_schema_privilege(reachable.oid, log.relnamespace, 'create')
            then 'may create in schema ' || log.relnamespace::regnamespace || ', itself or as public'
        when has_database_privilege(reachable.oid, current_database(), 'create')
            then 'may create schemas, itself or as public'
    end) as power (name)
    where pg_has_role($1::name, reachable.oid, 'member') and power.name is not null
    order by reachable.rolname = $1::name desc, reachable.rolname limit 1";

/// A query for the statements that grant a role access to the database and to the schema of the
/// tables. Access that the role already has, perhaps through PUBLIC, is left out.
const GRANT_ACCESS: &str = "
    select format('grant connect on database %I to %I', current_database(), $1::text)
    where not has_database_privilege($1::name, current_database(), 'connect')
    union all
    select format('grant usage on schema %s to %I', relnamespace::regnamespace, $1::text)
    from pg_class
    where oid = to_regclass('match_event') and not has_schema_privilege($1::name, relnamespace, 'usage')";

impl Postgres {
    /// Migrates the schema and grants a role exactly the privileges that a server needs. If a
    /// password is given, the role gets this password and is created if it does not exist. After an
    /// error the role is unchanged, but the schema may have been migrated.
    pub(crate) async fn grant(
        options: &PgConnectOptions,
        role: &str,
        password: Option<&str>,
    ) -> Result<(), GrantError> {
        let location = Location::Postgres(Box::new(options.clone()));
        if role.is_empty() || role.len() > MAX_NAME {
            let reason = format!("its name has not 1 to {MAX_NAME} bytes");
            return Err(GrantError::Refused { location, role: role.to_owned(), reason });
        }
        let mut connection = bring_up_to_date(options, &location).await?;
        let refused =
            |reason| GrantError::Refused { location: location.clone(), role: role.to_owned(), reason };
        let failed = |error: sqlx::Error| refused(reason(&error));
        let mut transaction = connection.begin().await.map_err(failed)?;
        if !create_or_set_password(&mut transaction, role, password).await.map_err(failed)? {
            return Err(GrantError::NoRole { location, role: role.to_owned() });
        }
        grant_all(&mut transaction, role).await.map_err(failed)?;
        for rights in [RIGHTS_OVER_LOG, RIGHTS_TO_CREATE] {
            if let Some(excessive_right) =
                excessive_right(&mut transaction, rights, role).await.map_err(failed)?
            {
                return Err(refused(format!("it {excessive_right}")));
            }
        }
        if let Some(missing_privilege) =
            missing_privilege(&mut transaction, role, PRIVILEGES).await.map_err(failed)?
        {
            return Err(refused(format!("whoever grants it may not grant {missing_privilege}")));
        }
        transaction.commit().await.map_err(failed)?;
        connection.close().await.ok();
        Ok(())
    }
}

/// Creates the role or sets its password, if a password is given. Returns true if the role exists
/// afterwards.
async fn create_or_set_password(
    connection: &mut PgConnection,
    role: &str,
    password: Option<&str>,
) -> Result<bool, sqlx::Error> {
    let is_there: bool = sqlx::query_scalar("select exists (select from pg_roles where rolname = $1)")
        .bind(role)
        .fetch_one(&mut *connection)
        .await?;
    let Some(password) = password else { return Ok(is_there) };
    // Statements that create or alter a role cannot have parameters. So the database quotes the
    // values.
    let statement: String =
        sqlx::query_scalar("select format($1 || ' role %I login password %L', $2::text, $3::text)")
            .bind(if is_there { "alter" } else { "create" })
            .bind(role)
            .bind(password)
            .fetch_one(&mut *connection)
            .await?;
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await?;
    Ok(true)
}

/// Revokes all privileges of a role in the tables, and grants those of [`PRIVILEGES`].
async fn grant_all(connection: &mut PgConnection, role: &str) -> Result<(), sqlx::Error> {
    let quoted: String =
        sqlx::query_scalar("select format('%I', $1::text)").bind(role).fetch_one(&mut *connection).await?;
    for (table, privileges) in PRIVILEGES {
        let privileges = privileges.join(", ");
        let statements = format!(
            "revoke all on table {table} from {quoted}; grant {privileges} on table {table} to {quoted}"
        );
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut *connection).await?;
    }
    let statements: Vec<String> =
        sqlx::query_scalar(GRANT_ACCESS).bind(role).fetch_all(&mut *connection).await?;
    for statement in statements {
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Runs the query `rights` and describes the right that the query returns, if there is one. The
/// description continues a sentence that begins with "the role", for example "is a superuser".
async fn excessive_right(
    connection: &mut PgConnection,
    rights: &'static str,
    role: &str,
) -> Result<Option<String>, sqlx::Error> {
    let found: Option<(bool, String, String)> =
        sqlx::query_as(rights).bind(role).fetch_optional(connection).await?;
    Ok(found.map(|(is_own, holder, excessive_right)| match is_own {
        true => excessive_right,
        false => format!("belongs to role {holder}, which {excessive_right}"),
    }))
}

/// Returns the first privilege of `wanted` that a role lacks, and the table of this privilege, as
/// one text.
async fn missing_privilege(
    connection: &mut PgConnection,
    role: &str,
    wanted: &[(&str, &[&str])],
) -> Result<Option<String>, sqlx::Error> {
    let (tables, privileges): (Vec<&str>, Vec<&str>) = wanted
        .iter()
        .flat_map(|(table, privileges)| privileges.iter().map(|privilege| (*table, *privilege)))
        .unzip();
    sqlx::query_scalar(FIRST_MISSING_PRIVILEGE)
        .bind(role)
        .bind(tables)
        .bind(privileges)
        .fetch_optional(connection)
        .await
}

/// Returns the name of the current role.
async fn current(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    sqlx::query_scalar("select current_user::text").fetch_one(connection).await
}

/// Refuses a role that may not read the applied migrations.
pub(super) async fn check_migrations_readable(
    connection: &mut PgConnection,
    location: &Location,
) -> Result<(), ConnectError> {
    check_granted(connection, location, &[READ_MIGRATIONS]).await
}

/// Refuses a role that may not apply the pending migrations.
pub(super) async fn check_migrations(
    connection: &mut PgConnection,
    location: &Location,
    schema: &Schema,
) -> Result<(), ConnectError> {
    if schema.pending.is_empty() {
        return Ok(());
    }
    let failed = |error: sqlx::Error| cannot_open(location, reason(&error));
    let tables: Vec<&str> = PRIVILEGES.iter().map(|(table, _)| *table).collect();
    let may: bool =
        sqlx::query_scalar(MAY_MIGRATE).bind(tables).fetch_one(&mut *connection).await.map_err(failed)?;
    if may {
        return Ok(());
    }
    let missing_privilege = format!("bring its schema from {} to {}", schema.found, schema.known);
    Err(ConnectError::Role {
        location: location.clone(),
        role: current(connection).await.map_err(failed)?,
        missing_privilege,
    })
}

/// Refuses a role that lacks a privilege which a server needs.
pub(super) async fn check_privileges(
    connection: &mut PgConnection,
    location: &Location,
) -> Result<(), ConnectError> {
    check_granted(connection, location, PRIVILEGES).await
}

async fn check_granted(
    connection: &mut PgConnection,
    location: &Location,
    wanted: &[(&str, &[&str])],
) -> Result<(), ConnectError> {
    let failed = |error: sqlx::Error| cannot_open(location, reason(&error));
    let role = current(connection).await.map_err(failed)?;
    match missing_privilege(connection, &role, wanted).await.map_err(failed)? {
        Some(missing_privilege) => {
            Err(ConnectError::Role { location: location.clone(), role, missing_privilege })
        }
        None => Ok(()),
    }
}

/// Logs a warning if the current role could change or remove events of the log.
pub(super) async fn warn_of_rights_over_log(
    connection: &mut PgConnection,
    location: &Location,
) -> Result<(), ConnectError> {
    let failed = |error: sqlx::Error| cannot_open(location, reason(&error));
    let role = current(connection).await.map_err(failed)?;
    if let Some(excessive_right) =
        excessive_right(connection, RIGHTS_OVER_LOG, &role).await.map_err(failed)?
    {
        tracing::warn!(
            "role {role} at {location} {excessive_right}, so this server could change the log of past moves: run `quadrex \
             database grant --role NAME` as {role}, then serve as role NAME"
        );
    }
    Ok(())
}
