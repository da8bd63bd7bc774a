//! The programs and libraries that the tests need: they are found, installed, or reported as
//! missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::debian;
use crate::process;

/// A program or library that the tests use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requirement {
    /// PostgreSQL 15 or newer, for temporary database servers.
    Postgres,
    /// Chromium, for the browser tests.
    Chromium,
    /// Python 3.9 or newer, for the Python client and for python-chess.
    Python,
    /// A C++ compiler for the fuzzing engine.
    Cxx,
    /// Stockfish, which the server runs as a UCI engine.
    Stockfish,
    /// nats-server, for temporary message servers between nodes.
    Nats,
    /// HAProxy, for tests of the settings of the proxy.
    Haproxy,
    /// Pebble, the test server of Let's Encrypt, which issues certificates.
    Pebble,
    /// systemd-analyze, which checks the units of systemd.
    Systemd,
    /// libfaketime, which makes a process see another time than the system's.
    Faketime,
}

/// The oldest PostgreSQL that the server supports.
const OLDEST_POSTGRES: u32 = 15;
/// The oldest Python that both clients support, as (major, minor).
const OLDEST_PYTHON: (u32, u32) = (3, 9);

impl Requirement {
    /// Returns the environment variable with the path for the tests.
    pub(crate) fn variable(self) -> &'static str {
        match self {
            Self::Postgres => "PG_BIN",
            Self::Chromium => "CHROMIUM",
            Self::Python => "PYTHON",
            Self::Cxx => "CXX",
            Self::Stockfish => "STOCKFISH",
            Self::Nats => "NATS_SERVER",
            Self::Haproxy => "HAPROXY",
            Self::Pebble => "PEBBLE",
            Self::Systemd => "SYSTEMD_ANALYZE",
            Self::Faketime => "LIBFAKETIME",
        }
    }

    /// Returns the name of the Debian package.
    pub(crate) fn package(self) -> &'static str {
        match self {
            Self::Postgres => "postgresql",
            Self::Chromium => "chromium",
            Self::Python => "python3-venv",
            Self::Cxx => "g++",
            Self::Stockfish => "stockfish",
            Self::Nats => "nats-server",
            Self::Haproxy => "haproxy",
            Self::Pebble => "pebble",
            Self::Systemd => "systemd",
            Self::Faketime => "faketime",
        }
    }

    fn description(self) -> String {
        match self {
            Self::Postgres => {
                format!("PostgreSQL {OLDEST_POSTGRES} or newer (postgres, initdb and pg_ctl in one folder)")
            }
            Self::Chromium => "Chromium or Google Chrome".to_owned(),
            Self::Python => format!("Python {}.{} or newer (python3)", OLDEST_PYTHON.0, OLDEST_PYTHON.1),
            Self::Cxx => "a C++ compiler (c++, g++ or clang++)".to_owned(),
            Self::Stockfish => "Stockfish (stockfish)".to_owned(),
            Self::Nats => "the NATS server (nats-server)".to_owned(),
            Self::Haproxy => "HAProxy (haproxy)".to_owned(),
            Self::Pebble => "Pebble (pebble)".to_owned(),
            Self::Systemd => "systemd (systemd-analyze)".to_owned(),
            Self::Faketime => "libfaketime (libfaketimeMT.so.1)".to_owned(),
        }
    }

    /// Returns the path: a folder of programs for PostgreSQL, a file for all others.
    ///
    /// # Errors
    /// Returns an error if the variable is set to an unusable path, which the user must correct.
    fn find(self) -> Result<Option<PathBuf>> {
        if let Some(chosen) = std::env::var_os(self.variable()).map(PathBuf::from) {
            if !self.is_good(&chosen) {
                bail!("{} is {}, which is not {}", self.variable(), chosen.display(), self.description());
            }
            return Ok(Some(chosen));
        }
        Ok(self.usual_places().into_iter().find(|path| self.is_good(path)))
    }

    fn usual_places(self) -> Vec<PathBuf> {
        match self {
            Self::Postgres => {
                let on_path = on_path("postgres").filter_map(|program| program.canonicalize().ok());
                let folders = on_path.filter_map(|program| program.parent().map(Path::to_owned));
                folders.chain(debian_postgres(Path::new("/usr/lib/postgresql"))).collect()
            }
            Self::Chromium => {
                let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
                names.into_iter().flat_map(on_path).collect()
            }
            Self::Python => on_path("python3").collect(),
            Self::Cxx => ["c++", "g++", "clang++"].into_iter().flat_map(on_path).collect(),
            Self::Stockfish => on_path("stockfish").chain([PathBuf::from("/usr/games/stockfish")]).collect(),
            Self::Nats => on_path("nats-server").chain([PathBuf::from("/usr/sbin/nats-server")]).collect(),
            Self::Haproxy => on_path("haproxy").chain([PathBuf::from("/usr/sbin/haproxy")]).collect(),
            Self::Pebble => on_path("pebble").collect(),
            Self::Systemd => on_path("systemd-analyze").collect(),
            Self::Faketime => faketime(Path::new("/usr/lib")),
        }
    }

    fn is_good(self, path: &Path) -> bool {
        match self {
            Self::Postgres => {
                let complete = ["postgres", "initdb", "pg_ctl"].iter().all(|name| path.join(name).is_file());
                complete && version(&path.join("postgres")).is_some_and(|(major, _)| major >= OLDEST_POSTGRES)
            }
            Self::Chromium
            | Self::Cxx
            | Self::Stockfish
            | Self::Nats
            | Self::Haproxy
            | Self::Pebble
            | Self::Systemd
            | Self::Faketime => path.is_file(),
            Self::Python => version(path).is_some_and(|found| found >= OLDEST_PYTHON),
        }
    }
}

/// Finds all requirements, and installs missing ones on Debian as root. Returns each requirement
/// with its environment variable.
///
/// # Errors
/// Returns an error if something is missing. The error names everything that is missing, and what
/// to install.
pub(crate) fn provide(requirements: &[Requirement]) -> Result<Found> {
    let (mut found, mut missing) = find_all(requirements)?;
    if !missing.is_empty() && debian::may_install() {
        debian::install(&missing)?;
        (found, missing) = find_all(requirements)?;
    }
    if !missing.is_empty() {
        bail!(missing_message(&missing));
    }
    Ok(found)
}

type Found = Vec<(&'static str, PathBuf)>;

fn find_all(requirements: &[Requirement]) -> Result<(Found, Vec<Requirement>)> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for requirement in requirements {
        match requirement.find()? {
            Some(path) => found.push((requirement.variable(), path)),
            None => missing.push(*requirement),
        }
    }
    Ok((found, missing))
}

fn missing_message(missing: &[Requirement]) -> String {
    let lines = missing.iter().map(|requirement| {
        format!(
            "  {}: not on the PATH nor where it usually is; set {} if it is elsewhere",
            requirement.description(),
            requirement.variable()
        )
    });
    let packages: Vec<&str> = missing.iter().map(|requirement| requirement.package()).collect();
    format!(
        "the tests require what this system does not have:\n{}\non Debian or Ubuntu, as root: apt-get install {}",
        lines.collect::<Vec<_>>().join("\n"),
        packages.join(" "),
    )
}

/// Returns all files with this name in the folders of PATH.
fn on_path(name: &str) -> impl Iterator<Item = PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let candidates: Vec<PathBuf> = std::env::split_paths(&folders).map(|folder| folder.join(name)).collect();
    candidates.into_iter().filter(|path| path.is_file())
}

/// Returns the folders of Debian's PostgreSQL programs, newest first. There is one folder for each
/// major version, and PATH contains none of them.
fn debian_postgres(parent: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut versions: Vec<u32> =
        listing.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions.into_iter().map(|version| parent.join(version.to_string()).join("bin")).collect()
}

/// Returns the paths of the library in Debian's folders for all architectures.
fn faketime(parent: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(parent).into_iter().flatten().flatten();
    listing.map(|entry| entry.path().join("faketime/libfaketimeMT.so.1")).collect()
}

fn version(program: &Path) -> Option<(u32, u32)> {
    version_in(&process::stdout_of(Command::new(program).arg("--version")).ok()?)
}

/// Returns the first number in the version output of a program, and the number after its dot, if
/// any.
fn version_in(text: &str) -> Option<(u32, u32)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let mut numbers = text[start..].split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next().and_then(|minor| minor.parse().ok()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn versions_are_parsed_from_the_output_of_programs() {
        assert_eq!(version_in("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)"), Some((15, 14)));
        assert_eq!(version_in("postgres (PostgreSQL) 18beta1"), Some((18, 0)));
        assert_eq!(version_in("Python 3.11.7"), Some((3, 11)));
        assert_eq!(version_in("no number"), None);
    }

    #[test]
    fn the_newest_postgres_of_debian_comes_first() {
        let parent = Scratch::new("system-postgres");
        for path in ["9/bin/postgres", "15/bin/postgres", "17/bin/postgres", "common/bin/x"] {
            parent.write(path, "");
        }
        let expected = ["17/bin", "15/bin", "9/bin"].map(|path| parent.path().join(path));
        assert_eq!(debian_postgres(parent.path()), expected);
    }

    #[test]
    fn libfaketime_is_found_on_every_architecture() {
        let parent = Scratch::new("system-faketime");
        let library = "x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
        parent.write(library, "");
        parent.write("ssl/other", "");
        let good: Vec<PathBuf> =
            faketime(parent.path()).into_iter().filter(|path| Requirement::Faketime.is_good(path)).collect();
        assert_eq!(good, [parent.path().join(library)]);
    }

    #[test]
    fn a_postgres_folder_must_contain_all_programs() {
        let folder = Scratch::new("system-incomplete");
        folder.write("postgres", "");
        folder.write("pg_ctl", "");
        assert!(!Requirement::Postgres.is_good(folder.path()));
    }

    #[test]
    fn the_error_for_a_missing_program_says_what_to_install() {
        let missing_message = missing_message(&[Requirement::Postgres, Requirement::Chromium]);
        assert!(missing_message.contains("PostgreSQL 15 or newer"), "{missing_message}");
        assert!(missing_message.contains("set CHROMIUM if"), "{missing_message}");
        assert!(
            missing_message.ends_with("as root: apt-get install postgresql chromium"),
            "{missing_message}"
        );
    }
}
