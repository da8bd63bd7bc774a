//! The location of the database.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use super::error::ConnectError;
#[cfg(feature = "simulation")]
use super::simulated::SimulatedDatabase;

/// The database file's name in the data folder.
const FILE: &str = "quadrex.db";

/// The location of the database: a SQLite file or a Postgres server. `Display` and `Debug` never
/// show the password.
#[derive(Clone)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A Postgres database.
    Postgres(Box<PgConnectOptions>),
    /// The database of a simulation.
    #[cfg(feature = "simulation")]
    Simulated(SimulatedDatabase),
}

impl Location {
    /// Parses the setting `database.url`. An empty text stands for the file `quadrex.db` in the
    /// data folder, `sqlite:PATH` for another file, and `postgres://...` for a server.
    ///
    /// # Errors
    /// Returns [`ConnectError::Url`] if `url` has another form.
    pub fn parse(url: &str, data: &Path) -> Result<Self, ConnectError> {
        if url.is_empty() {
            return Ok(Self::Sqlite(data.join(FILE)));
        }
        if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return match path {
                "" | ":memory:" => {
                    Err(ConnectError::Url { reason: "sqlite: needs the path of a file".into() })
                }
                path => Ok(Self::Sqlite(PathBuf::from(path))),
            };
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return PgConnectOptions::from_str(url)
                .map(|options| Self::Postgres(Box::new(options.application_name("quadrex"))))
                .map_err(|error| ConnectError::Url { reason: error.to_string() });
        }
        let scheme = url.split_once(':').map_or("no scheme", |(scheme, _)| scheme);
        Err(ConnectError::Url { reason: format!("it begins with {scheme:?}") })
    }

    /// Sets the password for a Postgres server to the content of a file, without the line break at
    /// its end. If the path is empty, nothing changes.
    ///
    /// # Errors
    /// Returns [`ConnectError::PasswordFile`] if the file cannot be read or is empty, or if the
    /// location is not a Postgres server.
    pub fn with_password_file(self, file: &Path) -> Result<Self, ConnectError> {
        if file.as_os_str().is_empty() {
            return Ok(self);
        }
        let refuse = |reason: String| Err(ConnectError::PasswordFile { file: file.to_owned(), reason });
        let Self::Postgres(options) = self else {
            return refuse("only a Postgres server has a password".into());
        };
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => return refuse(error.to_string()),
        };
        match text.lines().next().filter(|password| !password.is_empty()) {
            Some(password) if text.lines().count() == 1 => {
                Ok(Self::Postgres(Box::new(options.password(password))))
            }
            _ => refuse("it must hold the password on one line, and nothing else".into()),
        }
    }
}

impl Location {
    /// Returns the path of the database file, if the database is a SQLite file.
    #[must_use]
    pub fn sqlite_file(&self) -> Option<&Path> {
        match self {
            Self::Sqlite(path) => Some(path),
            Self::Postgres(_) => None,
            #[cfg(feature = "simulation")]
            Self::Simulated(_) => None,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite {}", path.display()),
            Self::Postgres(options) => {
                let database = options.get_database().unwrap_or(options.get_username());
                match options.get_socket() {
                    Some(socket) => write!(f, "postgres {}/{database}", socket.display()),
                    None => write!(f, "postgres {}:{}/{database}", options.get_host(), options.get_port()),
                }
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(database) => write!(f, "simulated database {database}"),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions;

    use super::*;

    fn display(url: &str) -> String {
        match Location::parse(url, Path::new("data")) {
            Ok(location) => location.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_empty_url_is_the_file_in_the_data_folder() {
        assert_eq!(display(""), "sqlite data/quadrex.db");
        assert_eq!(display("sqlite:else/where.db"), "sqlite else/where.db");
        assert_eq!(display("sqlite:///var/lib/q.db"), "sqlite /var/lib/q.db");
    }

    #[test]
    fn a_password_is_never_displayed() {
        let url = "postgres://somebody:hush@db.example:6000/quadrex";
        assert_eq!(display(url), "postgres db.example:6000/quadrex");
        let debugged = format!("{:?}", Location::parse(url, Path::new("data")));
        assert_eq!(debugged, "Ok(Location(postgres db.example:6000/quadrex))");
        for wrong in
            ["postgres://somebody:hush@db.example:port/quadrex", "mysql://somebody:hush@db.example/quadrex"]
        {
            let text = display(wrong);
            assert!(text.starts_with("database.url must begin with"), "{text}");
            assert!(!text.contains("hush") && !text.contains('\n'), "{text}");
        }
    }

    /// A file that exists as long as this value.
    struct Secret(PathBuf);

    impl Secret {
        fn new(name: &str, text: &[u8]) -> Self {
            let file = std::env::temp_dir().join(format!("quadrex-secret-{}-{name}", std::process::id()));
            std::fs::write(&file, text).unwrap();
            Self(file)
        }
    }

    impl Drop for Secret {
        fn drop(&mut self) {
            std::fs::remove_file(&self.0).ok();
        }
    }

    fn with_password(url: &str, file: &Path) -> Result<Location, ConnectError> {
        Location::parse(url, Path::new("data")).unwrap().with_password_file(file)
    }

    #[test]
    fn the_password_comes_from_a_file() {
        for (name, text) in [("plain", "h u:s/h@"), ("line", "h u:s/h@\n"), ("windows", "h u:s/h@\r\n")] {
            let secret = Secret::new(name, text.as_bytes());
            for url in ["postgres://quadrex@db/quadrex", "postgres://quadrex:other@db/quadrex"] {
                let Ok(Location::Postgres(options)) = with_password(url, &secret.0) else { panic!("{name}") };
                assert_eq!(options.to_url_lossy().password(), Some("h%20u%3As%2Fh%40"), "{name}");
            }
        }
        let Ok(Location::Postgres(options)) =
            with_password("postgres://quadrex:own@db/quadrex", Path::new(""))
        else {
            panic!("no file is none");
        };
        assert_eq!(options.to_url_lossy().password(), Some("own"));
    }

    #[test]
    fn the_error_for_a_file_without_a_password_contains_its_path() {
        let url = "postgres://quadrex@db/quadrex";
        let cases: [(&str, &[u8]); 4] =
            [("empty", b""), ("blank", b"\n"), ("two", b"hush\nhush\n"), ("binary", b"hush\xff")];
        for (name, text) in cases {
            let secret = Secret::new(name, text);
            let refusal = with_password(url, &secret.0).unwrap_err().to_string();
            assert!(
                refusal.starts_with(&format!("database.password_file: {}: ", secret.0.display())),
                "{refusal}"
            );
            assert!(!refusal.contains("hush") && !refusal.contains('\n'), "{refusal}");
        }
        let missing = with_password(url, Path::new("/nowhere/password")).unwrap_err().to_string();
        assert!(missing.starts_with("database.password_file: /nowhere/password: "), "{missing}");
        let secret = Secret::new("sqlite", b"hush");
        let refusal = with_password("", &secret.0).unwrap_err().to_string();
        assert!(refusal.ends_with("only a Postgres server has a password"), "{refusal}");
    }

    #[test]
    fn a_url_of_another_kind_is_refused() {
        assert!(display("quadrex.db").contains("no scheme"));
        assert!(display("sqlite:").contains("needs the path of a file"));
        assert!(display("sqlite::memory:").contains("needs the path of a file"));
    }
}
