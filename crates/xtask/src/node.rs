//! Node and npm, and the installation of npm dependencies.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

/// The oldest Node.js that the web client's tools support (`engines` in its package.json), as
/// (major, minor).
const OLDEST: (u32, u32) = (20, 19);

/// Returns an npm command in a folder.
pub(crate) fn npm(folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder);
    command
}

/// Checks that Node is installed and new enough, and npm with it.
///
/// # Errors
/// Returns an error if something is missing or too old. The error says what is needed and where to
/// get it.
pub(crate) fn check() -> Result<()> {
    let Ok(version) = process::stdout_of(Command::new("node").arg("--version")) else {
        bail!("node is not on the PATH: {}", advice());
    };
    judge(version.trim())?;
    if process::stdout_of(Command::new("npm").arg("--version")).is_err() {
        bail!(
            "npm is not on the PATH: it comes with Node.js (https://nodejs.org), or as Debian's package npm"
        );
    }
    Ok(())
}

fn judge(version: &str) -> Result<()> {
    let mut numbers = version.trim_start_matches('v').split('.').map(|number| number.parse().unwrap_or(0));
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < OLDEST {
        bail!("node {version} is too old: {}", advice());
    }
    Ok(())
}

fn advice() -> String {
    format!("install Node.js {}.{} or newer (https://nodejs.org)", OLDEST.0, OLDEST.1)
}

/// Installs a package's dependencies if they are missing or older than its lock file.
///
/// # Errors
/// Returns an error if Node is missing or too old, or `npm ci` fails.
pub(crate) fn install(package: &Path) -> Result<()> {
    check()?;
    if !installed(package) {
        process::run(npm(package).args(["ci", "--no-audit", "--no-fund"]))?;
    }
    Ok(())
}

/// Returns the time of the last installation. npm writes `node_modules/.package-lock.json` last.
fn installed(package: &Path) -> bool {
    let written = |path: &str| package.join(path).metadata().and_then(|meta| meta.modified()).ok();
    match (written("node_modules/.package-lock.json"), written("package-lock.json")) {
        (Some(installed), Some(locked)) => installed >= locked,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn an_old_version_of_node_is_refused() {
        assert!(judge("v20.20.2").is_ok());
        assert!(judge("v26.0.0").is_ok());
        let error = judge("v20.18.3").unwrap_err().to_string();
        assert!(error.starts_with("node v20.18.3 is too old: install Node.js 20.19"), "{error}");
        assert!(judge("nonsense").is_err());
    }

    #[test]
    fn a_newer_lock_file_requires_an_installation() {
        let package = Scratch::new("node-install");
        package.write("package-lock.json", "{}");
        assert!(!installed(package.path()), "nothing is installed yet");
        package.write("node_modules/.package-lock.json", "{}");
        assert!(installed(package.path()));
        package.age("node_modules/.package-lock.json");
        assert!(!installed(package.path()), "the lock file is newer");
    }
}
