//! A copy of a Postgres database, made with `pg_dump`.

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

/// The program that makes the copy, found in `PATH`.
const PROGRAM: &str = "pg_dump";

/// The time for which `pg_dump` waits for the lock of a table that is being altered.
const LOCK_TIMEOUT: &str = "10s";

impl Postgres {
    /// Copies all committed data into a file in the format that `pg_restore` reads. Commits that
    /// happen during the copy are not in it and are not delayed (PostgreSQL's manual, "pg_dump").
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
        // Privileges are left out because the server that restores the copy may have other roles.
        dump.args(["--format=custom", "--no-privileges", "--no-password"])
            .arg(format!("--lock-wait-timeout={LOCK_TIMEOUT}"));
        dump.arg("--file").arg(to).envs(environment(options));
        dump.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let output = match dump.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(BackupError::NoProgram(PROGRAM));
            }
            Err(error) => return Err(failed(format!("{PROGRAM}: {error}"))),
            Ok(child) => {
                child.wait_with_output().await.map_err(|error| failed(format!("{PROGRAM}: {error}")))?
            }
        };
        if output.status.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(failed(message.split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}

/// Returns the environment variables with the location of a database for Postgres' programs
/// (PostgreSQL's manual, "Environment Variables"). The command line is not used for this, because
/// all users of the machine could see the password there.
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

/// Returns the password. The options expose it only as a part of a URL.
fn password(options: &PgConnectOptions) -> Option<String> {
    let url = options.to_url_lossy();
    let mut bytes = Vec::new();
    let mut remaining_bytes = url.password()?.bytes();
    while let Some(byte) = remaining_bytes.next() {
        // A URL has two hexadecimal digits after each percent sign (RFC 3986, section 2.1).
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => {
                u8::try_from(digit(remaining_bytes.next())? * 16 + digit(remaining_bytes.next())?).ok()?
            }
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
    fn the_environment_variables_contain_the_location() {
        let url = "postgres://somebody:hu%25sh%2F%C3%A9!@db.example:6000/games?sslmode=require";
        let variable = |name| value(url, name).unwrap();
        assert_eq!(variable("PGHOST"), "db.example");
        assert_eq!(variable("PGPORT"), "6000");
        assert_eq!(variable("PGUSER"), "somebody");
        assert_eq!(variable("PGDATABASE"), "games");
        assert_eq!(variable("PGSSLMODE"), "require");
        assert_eq!(variable("PGPASSWORD"), "hu%sh/\u{e9}!");
        let url = "postgres:///games?host=/var/run/postgresql&user=somebody";
        assert_eq!(value(url, "PGHOST").unwrap(), "/var/run/postgresql");
    }
}
