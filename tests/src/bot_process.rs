//! `quadrex play` as a process: an engine that plays on a server.

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

/// Stockfish, where `STOCKFISH` says or where Debian puts it.
///
/// # Errors
/// If it is not there.
pub fn stockfish() -> Result<PathBuf> {
    let program = std::env::var_os("STOCKFISH").map_or_else(|| "/usr/games/stockfish".into(), PathBuf::from);
    if program.is_file() {
        Ok(program)
    } else {
        bail!("{} is not there: install Debian's stockfish", program.display())
    }
}

/// A running one. Dropped, it is killed.
pub struct BotProcess {
    child: Child,
    folder: TempDir,
}

/// Options to start the process with.
pub struct BotLaunch {
    command: Command,
    folder: TempDir,
}

impl BotLaunch {
    /// With this engine, its output kept in a folder of its own.
    ///
    /// # Errors
    /// If the program or a folder is missing.
    pub fn new(engine: impl AsRef<OsStr>) -> Result<Self> {
        let mut command = Command::new(program::path()?);
        command.arg("play").arg("--engine").arg(engine).env_remove("QUADREX_TOKEN");
        let folder = tempfile::Builder::new().prefix("quadrex-test-").tempdir()?;
        Ok(Self { command, folder })
    }

    /// With further arguments.
    #[must_use]
    pub fn with<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// With one more variable in its environment.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(mut self) -> Result<BotProcess> {
        let file = |name| fs::File::create(self.folder.path().join(name));
        self.command.stdin(Stdio::null()).stdout(file("output")?).stderr(file("log")?).kill_on_drop(true);
        let child = self.command.spawn().context("starting quadrex play")?;
        Ok(BotProcess { child, folder: self.folder })
    }

    /// Runs it to its end, which must come by itself and be no success; gives what it says.
    ///
    /// # Errors
    /// If it does not end, or ends well.
    pub async fn fails(self) -> Result<String> {
        let mut player = self.start()?;
        let status = player.ended().await?;
        if status.success() { bail!("it ends well: {}", player.log()) } else { Ok(player.log()) }
    }
}

impl BotProcess {
    /// All it wrote to standard error.
    pub fn log(&self) -> String {
        self.read("log")
    }

    /// All it wrote to standard output.
    pub fn output(&self) -> String {
        self.read("output")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// A folder that goes with it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Waits until its log says something so often.
    ///
    /// # Errors
    /// If it does not.
    pub async fn until_logged(&self, what: &str, times: usize) -> Result<()> {
        until_logged(|| self.log(), what, times).await
    }

    /// Sends it a signal, named without its SIG.
    ///
    /// # Errors
    /// If it has ended.
    pub fn signal(&self, name: &str) -> Result<()> {
        signal::send(name, &[self.child.id().context("it has ended")?])
    }

    /// Ends it at once, with SIGKILL.
    ///
    /// # Errors
    /// If it cannot be killed.
    pub async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("killing quadrex play")
    }

    /// Waits until it has ended by itself.
    ///
    /// # Errors
    /// If it does not end.
    pub async fn ended(&mut self) -> Result<ExitStatus> {
        let ended = timeout(4 * PATIENCE, self.child.wait()).await;
        Ok(ended.with_context(|| format!("waiting for it to end:\n{}", self.log()))??)
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        // Of tests that pass nobody sees it.
        eprintln!("--- log of quadrex play ---\n{}", self.log());
    }
}
