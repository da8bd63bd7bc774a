//! The Python packages of the tests, in a virtual environment: `target/tools/python`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::tools;
use crate::{process, workspace};

/// The packages, with versions and hashes.
const REQUIREMENTS: &str = "tests/python/requirements.txt";

/// Returns the Python of a virtual environment with all packages. Creates the environment if it
/// does not exist.
///
/// # Errors
/// Returns an error if the environment cannot be created: on Debian that needs the package
/// `python3-venv`, and packages come from the network.
pub(crate) fn with_packages(python: &Path) -> Result<PathBuf> {
    let requirements = workspace::root().join(REQUIREMENTS);
    let wanted = fs::read_to_string(&requirements).with_context(|| format!("reading {REQUIREMENTS}"))?;
    let folder = tools::folder().join("python");
    let own = folder.join("bin/python3");
    let installed = folder.join("requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) && own.is_file() {
        return Ok(own);
    }
    println!("installing {REQUIREMENTS} into {}", folder.display());
    process::run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut install = Command::new(&own);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    process::run(install.arg("--require-hashes").arg("--requirement").arg(&requirements))?;
    fs::write(&installed, wanted).with_context(|| format!("writing {}", installed.display()))?;
    Ok(own)
}
