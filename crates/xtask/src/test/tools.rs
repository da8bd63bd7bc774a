//! Cargo subcommands for the tests. Missing ones are built once in `target/tools`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::{process, workspace};

/// A cargo subcommand from a separate crate.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    /// The name of the crate and of the program.
    name: &'static str,
    /// The version to install. An installed version of any number is used instead.
    version: &'static str,
    /// Additional arguments for the installation.
    features: &'static [&'static str],
}

/// The test runner, which runs each test in its own process.
pub(crate) const NEXTEST: Tool = Tool {
    name: "cargo-nextest",
    version: "0.9.143",
    features: &["--no-default-features", "--features", "default-no-update"],
};

/// The checker of dependencies.
pub(crate) const DENY: Tool = Tool { name: "cargo-deny", version: "0.20.2", features: &[] };

/// The builder of fuzz targets.
pub(crate) const FUZZ: Tool = Tool { name: "cargo-fuzz", version: "0.13.2", features: &[] };

impl Tool {
    /// Installs the subcommand unless it is in `PATH` or `target/tools`. It is built without optimization:
    /// the build of a tool takes much longer than its work.
    ///
    /// # Errors
    /// Returns an error if the tool cannot be built.
    pub(crate) fn ensure(self) -> Result<()> {
        let mut question = Command::new(self.name);
        question.env("PATH", path()?).arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        if question.status().is_ok_and(|status| status.success()) {
            return Ok(());
        }
        println!(
            "installing {} {} into {} (some minutes, once)",
            self.name,
            self.version,
            folder().display()
        );
        let mut install = workspace::cargo();
        install
            .args(["install", "--quiet", "--locked", "--debug", self.name, "--version", self.version])
            .args(self.features);
        let build = folder().join("build");
        process::run(
            install
                .arg("--root")
                .arg(folder())
                .env("CARGO_TARGET_DIR", &build)
                .env("CARGO_PROFILE_DEV_DEBUG", "0"),
        )?;
        std::fs::remove_dir_all(&build).with_context(|| format!("removing {}", build.display()))
    }
}

/// Returns the folder of the tools.
pub(super) fn folder() -> PathBuf {
    workspace::target().join("tools")
}

/// Returns PATH with the folder of the tools at the end, so that installed programs have priority.
///
/// # Errors
/// Returns an error if the repository's path cannot be part of PATH.
pub(crate) fn path() -> Result<OsString> {
    let machine = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(std::env::split_paths(&machine).chain([folder().join("bin")]))?)
}
