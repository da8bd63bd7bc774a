//! `quadrex play` as a process: a UCI engine that plays on a server as a bot.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::log::until_logged;
use crate::{PATIENCE, program, signal};

/// Returns the path of Stockfish: the value of `STOCKFISH`, or Debian's path.
///
/// # Errors
/// If the file does not exist.
pub fn stockfish() -> Result<PathBuf> {
    let program = std::env::var_os("STOCKFISH").map_or_else(|| "/usr/games/stockfish".into(), PathBuf::from);
    if program.is_file() {
        Ok(program)
    } else {
        bail!("{} is not there: install Debian's stockfish", program.display())
    }
}

/// A running `quadrex play` process. It is killed when this value is dropped.
pub struct BotProcess {
    child: Child,
    folder: TempDir,
}

/// The command line and environment of a `quadrex play` process.
pub struct BotLaunch {
    command: Command,
    folder: TempDir,
}

impl BotLaunch {
    /// Returns a launch with this engine. The output goes to files in a temporary folder.
    ///
    /// # Errors
    /// If the program is missing or the folder cannot be created.
    pub fn new(engine: impl AsRef<OsStr>) -> Result<Self> {
        let mut command = Command::new(program::path()?);
        command.arg("play").arg("--engine").arg(engine).env_remove("QUADREX_TOKEN");
        let folder = tempfile::Builder::new().prefix("quadrex-test-").tempdir()?;
        Ok(Self { command, folder })
    }

    /// Adds arguments.
    #[must_use]
    pub fn with<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Adds an environment variable.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts the process.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(mut self) -> Result<BotProcess> {
        let file = |name| fs::File::create(self.folder.path().join(name));
        self.command.stdin(Stdio::null()).stdout(file("output")?).stderr(file("log")?).kill_on_drop(true);
        let child = self.command.spawn().context("starting quadrex play")?;
        Ok(BotProcess { child, folder: self.folder })
    }

    /// Runs the process until it exits, which it must do with a failure. Returns its output.
    ///
    /// # Errors
    /// If the process does not exit, or exits without a failure.
    pub async fn fails(self) -> Result<String> {
        let mut player = self.start()?;
        let status = player.ended().await?;
        if status.success() {
            bail!("it exited without a failure: {}", player.log())
        } else {
            Ok(player.log())
        }
    }
}

impl BotProcess {
    /// Returns all that the process has written to standard error.
    pub fn log(&self) -> String {
        self.read("log")
    }

    /// Returns all that the process has written to standard output.
    pub fn output(&self) -> String {
        self.read("output")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// Returns the temporary folder of the process.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Waits until the log contains `what` at least `times` times.
    ///
    /// # Errors
    /// If the log does not contain it in time.
    pub async fn until_logged(&self, what: &str, times: usize) -> Result<()> {
        until_logged(|| self.log(), what, times).await
    }

    /// Sends the process a signal, which is named without SIG.
    ///
    /// # Errors
    /// If the process has exited.
    pub fn signal(&self, name: &str) -> Result<()> {
        signal::send(name, &[self.child.id().context("it has ended")?])
    }

    /// Kills the process with SIGKILL.
    ///
    /// # Errors
    /// If the process cannot be killed.
    pub async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("killing quadrex play")
    }

    /// Waits until the process exits by itself.
    ///
    /// # Errors
    /// If the process does not exit.
    pub async fn ended(&mut self) -> Result<ExitStatus> {
        let ended = timeout(4 * PATIENCE, self.child.wait()).await;
        Ok(ended.with_context(|| format!("waiting for it to end:\n{}", self.log()))??)
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        // The test runner hides the output of tests that pass.
        eprintln!("--- log of quadrex play ---\n{}", self.log());
    }
}
