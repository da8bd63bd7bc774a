//! Where the data is.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use super::error::ConnectError;

/// The database file's name in the data folder.
const FILE: &str = "quadrex.db";

/// Where the data is: a file, or a Postgres server. `Display` and `Debug` show it to people and never the password.
#[derive(Clone)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A Postgres database.
    Postgres(Box<PgConnectOptions>),
}

impl Location {
    /// What `database.url` means: empty is the file `quadrex.db` in the data folder, `sqlite:PATH` another file,
    /// `postgres://...` a server.
    ///
    /// # Errors
    /// [`ConnectError::Url`] for anything else.
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
    use super::*;

    fn shown(url: &str) -> String {
        match Location::parse(url, Path::new("data")) {
            Ok(location) => location.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_empty_url_is_the_file_in_the_data_folder() {
        assert_eq!(shown(""), "sqlite data/quadrex.db");
        assert_eq!(shown("sqlite:else/where.db"), "sqlite else/where.db");
        assert_eq!(shown("sqlite:///var/lib/q.db"), "sqlite /var/lib/q.db");
    }

    #[test]
    fn a_password_is_never_shown() {
        let url = "postgres://somebody:hush@db.example:6000/quadrex";
        assert_eq!(shown(url), "postgres db.example:6000/quadrex");
        let debugged = format!("{:?}", Location::parse(url, Path::new("data")));
        assert_eq!(debugged, "Ok(Location(postgres db.example:6000/quadrex))");
        for wrong in
            ["postgres://somebody:hush@db.example:port/quadrex", "mysql://somebody:hush@db.example/quadrex"]
        {
            let text = shown(wrong);
            assert!(text.starts_with("database.url must begin with"), "{text}");
            assert!(!text.contains("hush") && !text.contains('\n'), "{text}");
        }
    }

    #[test]
    fn a_url_of_another_kind_is_refused() {
        assert!(shown("quadrex.db").contains("no scheme"));
        assert!(shown("sqlite:").contains("needs the path of a file"));
        assert!(shown("sqlite::memory:").contains("needs the path of a file"));
    }
}
