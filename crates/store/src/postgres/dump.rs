//! A copy of a Postgres database, made by Postgres' own `pg_dump`.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{ConnectOptions, Connection};
use tokio::process::Command;

use super::{Postgres, open, schema_of};
use crate::error::BackupError;
use crate::location::Location;

/// The program that makes the copy; looked for in `PATH`.
const PROGRAM: &str = "pg_dump";

/// How long it waits for a table that somebody alters.
const LOCK_PATIENCE: &str = "10s";

impl Postgres {
    /// Has all that is committed now written into a file, in the form that `pg_restore` reads. What is committed
    /// meanwhile is not in it, and waits for nothing (PostgreSQL's manual, "pg_dump").
    pub(crate) async fn dump(options: &PgConnectOptions, to: &Path) -> Result<(), BackupError> {
        let location = Location::Postgres(Box::new(options.clone()));
        let mut connection = open(options, &location).await?;
        let schema = schema_of(&mut connection, &location).await?;
        connection.close().await.ok();
        if schema.found == 0 {
            return Err(BackupError::Nothing { location });
        }
        let failed = |reason: String| BackupError::Copy { location: location.clone(), reason };
        let mut dump = Command::new(PROGRAM);
        // Where it is restored the roles may be others.
        dump.args(["--format=custom", "--no-privileges", "--no-password"])
            .arg(format!("--lock-wait-timeout={LOCK_PATIENCE}"));
        dump.arg("--file").arg(to).envs(environment(options));
        dump.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let ended = match dump.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(BackupError::NoProgram(PROGRAM));
            }
            Err(error) => return Err(failed(format!("{PROGRAM}: {error}"))),
            Ok(child) => {
                child.wait_with_output().await.map_err(|error| failed(format!("{PROGRAM}: {error}")))?
            }
        };
        if ended.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        Err(failed(said.split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}

/// How Postgres' own programs are told where a database is (PostgreSQL's manual, "Environment Variables"): a command line
/// would show the password to everybody on the machine.
fn environment(options: &PgConnectOptions) -> Vec<(&'static str, OsString)> {
    let host = options.get_socket().map_or_else(|| options.get_host().into(), |socket| socket.into());
    let mode = match options.get_ssl_mode() {
        PgSslMode::Disable => "disable",
        PgSslMode::Allow => "allow",
        PgSslMode::Prefer => "prefer",
        PgSslMode::Require => "require",
        PgSslMode::VerifyCa => "verify-ca",
        PgSslMode::VerifyFull => "verify-full",
    };
    let mut variables = vec![
        ("PGHOST", host),
        ("PGPORT", options.get_port().to_string().into()),
        ("PGUSER", options.get_username().into()),
        ("PGDATABASE", options.get_database().unwrap_or(options.get_username()).into()),
        ("PGSSLMODE", mode.into()),
        ("PGAPPNAME", "quadrex backup".into()),
    ];
    variables.extend(password(options).map(|password| ("PGPASSWORD", password.into())));
    variables
}

/// The password, which these options give back only within a URL.
fn password(options: &PgConnectOptions) -> Option<String> {
    let url = options.to_url_lossy();
    let mut bytes = Vec::new();
    let mut rest = url.password()?.bytes();
    while let Some(byte) = rest.next() {
        // Whoever writes a URL writes two hexadecimal digits after each percent sign (RFC 3986, section 2.1).
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(url: &str) -> Vec<(&'static str, String)> {
        let options: PgConnectOptions = url.parse().unwrap();
        environment(&options).into_iter().map(|(name, value)| (name, value.into_string().unwrap())).collect()
    }

    fn value(url: &str, name: &str) -> Option<String> {
        variables(url).into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    #[test]
    fn postgres_own_programs_are_told_the_same_place() {
        let url = "postgres://somebody:hu%25sh%2F%C3%A9!@db.example:6000/games?sslmode=require";
        let told = |name| value(url, name).unwrap();
        assert_eq!(told("PGHOST"), "db.example");
        assert_eq!(told("PGPORT"), "6000");
        assert_eq!(told("PGUSER"), "somebody");
        assert_eq!(told("PGDATABASE"), "games");
        assert_eq!(told("PGSSLMODE"), "require");
        assert_eq!(told("PGPASSWORD"), "hu%sh/\u{e9}!");
        let url = "postgres:///games?host=/var/run/postgresql&user=somebody";
        assert_eq!(value(url, "PGHOST").unwrap(), "/var/run/postgresql");
    }
}
