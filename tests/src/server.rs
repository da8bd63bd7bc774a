//! The real server as a process: started, read, stopped, killed.

use std::fs::Permissions;
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_store::Location;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::database::Database;
use crate::http::{Guest, Http};
use crate::log::until_logged;
use crate::postgres::unprivileged;
use crate::{Client, PATIENCE, program, signal};

/// Text before the address in the first line of standard output.
const LISTENING_PREFIX: &str = "Quadrex listens on http://";

/// Configuration of a server process: its data and its settings. It can be started again and again.
#[derive(Clone)]
pub struct Launch {
    folder: Arc<Folder>,
    database: Database,
    bind: String,
    /// The core it has to keep to, as `taskset` names it.
    core: Option<String>,
    /// The most descriptors it may have open, as `prlimit` sets it.
    descriptors: Option<u32>,
    /// The user and group it runs as, if not the test's own.
    run_as: Option<(u32, u32)>,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Launch {
    /// On a data folder of its own and on any free port.
    ///
    /// # Errors
    /// If there is no room for the folder.
    pub fn new(database: &Database) -> Result<Self> {
        Ok(Self {
            folder: Arc::new(Folder::new()?),
            database: database.clone(),
            bind: "127.0.0.1:0".to_owned(),
            core: None,
            descriptors: None,
            run_as: None,
            arguments: Vec::new(),
            environment: Vec::new(),
        })
    }

    /// With one more setting in its environment.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: impl ToString) -> Self {
        self.environment.push((name.to_owned(), value.to_string()));
        self
    }

    /// With one more argument after `serve`.
    #[must_use]
    pub fn with_argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// At this address.
    #[must_use]
    pub fn bound_to(mut self, address: SocketAddr) -> Self {
        self.bind = address.to_string();
        self
    }

    /// On this core alone.
    #[must_use]
    pub fn on_core(mut self, core: &str) -> Self {
        self.core = Some(core.to_owned());
        self
    }

    /// With so many descriptors at most.
    #[must_use]
    pub fn with_descriptors(mut self, most: u32) -> Self {
        self.descriptors = Some(most);
        self
    }

    /// As somebody who may read its folder and not write there.
    ///
    /// # Errors
    /// If the folder's rights cannot be set.
    pub fn as_reader(mut self) -> Result<Self> {
        let folder = self.folder.0.path();
        std::fs::set_permissions(folder, Permissions::from_mode(0o555))?;
        // Rights do not bind root.
        self.run_as = if std::fs::metadata("/proc/self")?.uid() == 0 { Some(unprivileged()?) } else { None };
        Ok(self)
    }

    /// Returns the data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.0.path().join("data")
    }

    /// A file beside the data folder, for settings.
    pub fn sibling_path(&self, name: &str) -> PathBuf {
        self.folder.0.path().join(name)
    }

    /// Returns the location of its data, as the store expects it.
    ///
    /// # Errors
    /// If the URL of its database is none.
    pub fn location(&self) -> Result<Location> {
        Ok(Location::parse(&self.database.url().unwrap_or_default(), &self.data())?)
    }

    /// All that servers started so have logged.
    pub fn log(&self) -> String {
        self.folder.log()
    }

    /// Waits until they have logged something so often.
    ///
    /// # Errors
    /// If they do not.
    pub async fn until_logged(&self, what: &str, times: usize) -> Result<()> {
        until_logged(|| self.log(), what, times).await
    }

    /// The database it is started on.
    pub fn database(&self) -> &Database {
        &self.database
    }

    fn serve(&self) -> Result<Command> {
        let mut command = self.command(&["serve"])?;
        command.args(["--bind", &self.bind]).args(&self.arguments);
        Ok(command)
    }

    /// The program with one of its commands, on this data and with these settings.
    fn command(&self, words: &[&str]) -> Result<Command> {
        let program = program::path()?;
        let mut command = match (&self.core, self.descriptors) {
            // Both become the program, under the same process id.
            (_, Some(most)) => {
                let mut command = Command::new("prlimit");
                command.arg(format!("--nofile={most}:{most}")).arg(program);
                command
            }
            (Some(core), None) => {
                let mut command = Command::new("taskset");
                command.args(["-c", core]).arg(program);
                command
            }
            (None, None) => Command::new(program),
        };
        command.args(words).arg("--data").arg(self.data());
        command.current_dir(self.folder.0.path()).env_remove("DATABASE_URL").stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("QUADREX_") {
                command.env_remove(name);
            }
        }
        if let Some(url) = self.database.url() {
            command.env("DATABASE_URL", url);
        }
        if let Some((user, group)) = self.run_as {
            command.uid(user).gid(group);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value))).kill_on_drop(true);
        Ok(command)
    }

    /// Starts it and waits until it says that it listens.
    ///
    /// # Errors
    /// If it ends instead, or says nothing.
    pub async fn start(&self) -> Result<Server> {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(self.folder.log_path())?;
        let mut child =
            self.serve()?.stdout(Stdio::piped()).stderr(file).spawn().context("starting quadrex")?;
        let mut output = BufReader::new(child.stdout.take().context("standard output is a pipe")?);
        let lines =
            timeout(PATIENCE, start_lines(&mut output)).await.context("waiting for the start lines")?;
        let (address, data_line) = lines?;
        Ok(Server { child, output, address, data_line, folder: Arc::clone(&self.folder) })
    }

    /// Runs it to its end, which must come by itself.
    ///
    /// # Errors
    /// If it does not end.
    pub async fn run(&self) -> Result<Ended> {
        ended(self.serve()?).await
    }

    /// Copies its data into a file with `quadrex backup`, whether it runs or not.
    ///
    /// # Errors
    /// If that does not end.
    pub async fn back_up(&self, to: &Path) -> Result<Ended> {
        let mut backup = self.command(&["backup"])?;
        backup.arg("--to").arg(to);
        ended(backup).await
    }

    /// Grants a role what a server needs with `quadrex database grant` and these further arguments.
    ///
    /// # Errors
    /// If that does not end.
    pub async fn grant(&self, role: &str, arguments: &[&str]) -> Result<Ended> {
        let mut grant = self.command(&["database", "grant"])?;
        grant.args(["--role", role]).args(arguments);
        ended(grant).await
    }
}

/// Runs a command to its end.
async fn ended(mut command: Command) -> Result<Ended> {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("starting quadrex")?;
    let output = timeout(PATIENCE, child.wait_with_output()).await.context("waiting for it to end")??;
    Ok(Ended {
        status: output.status,
        stdout: String::from_utf8(output.stdout)?,
        stderr: String::from_utf8(output.stderr)?,
    })
}

/// Exit status and output of a server.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// All it wrote to standard output.
    pub stdout: String,
    /// All it wrote to standard error.
    pub stderr: String,
}

/// The two lines a server that starts well says: where it listens and where its data is.
async fn start_lines(output: &mut BufReader<ChildStdout>) -> Result<(SocketAddr, String)> {
    let mut first = String::new();
    output.read_line(&mut first).await?;
    let Some(address) = first.trim_end().strip_prefix(LISTENING_PREFIX) else {
        bail!("the first line is {first:?}, not where it listens");
    };
    let mut second = String::new();
    output.read_line(&mut second).await?;
    ensure!(second.starts_with("Data: "), "the second line is {second:?}, not where the data is");
    let address = address.parse().with_context(|| format!("{address:?} is no address"))?;
    Ok((address, second.trim_end().to_owned()))
}

/// A folder with a server's data and log. It is removed with its last user; a failing test prints
/// the log then.
struct Folder(TempDir);

impl Folder {
    fn new() -> Result<Self> {
        tempfile::Builder::new().prefix("quadrex-test-").tempdir().map(Self).context("making a data folder")
    }

    fn log_path(&self) -> PathBuf {
        self.0.path().join("server.log")
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Of tests that pass nobody sees it.
        eprintln!("--- log of the server ---\n{}", self.log());
    }
}

/// A running server. Dropped, it is killed.
pub struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    address: SocketAddr,
    data_line: String,
    folder: Arc<Folder>,
}

impl Server {
    /// Returns the address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the line about its data on standard output.
    pub fn data_line(&self) -> &str {
        &self.data_line
    }

    /// Its process id.
    ///
    /// # Errors
    /// If it has ended.
    pub fn process(&self) -> Result<u32> {
        self.child.id().context("the server has ended")
    }

    /// HTTP as nobody.
    pub fn http(&self) -> Http {
        Http::new(self.address)
    }

    /// A new guest for a program.
    ///
    /// # Errors
    /// If the server makes none.
    pub async fn guest(&self, name: &str) -> Result<Guest> {
        self.http().guest(name).await
    }

    /// A WebSocket connection as this guest, greeted.
    ///
    /// # Errors
    /// If there is no welcome.
    pub async fn connect(&self, guest: &Guest) -> Result<Client> {
        Client::open(self.address, Some(guest)).await
    }

    /// A WebSocket connection as nobody, greeted.
    ///
    /// # Errors
    /// If there is no welcome.
    pub async fn connect_as_nobody(&self) -> Result<Client> {
        Client::open(self.address, None).await
    }

    /// Ends it at once, with SIGKILL, and waits until it is gone.
    ///
    /// # Errors
    /// If it cannot be killed.
    pub async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("killing the server")
    }

    /// Asks it to end, with SIGTERM.
    ///
    /// # Errors
    /// If the signal cannot be sent.
    pub async fn terminate(&self) -> Result<()> {
        signal::send("TERM", &[self.process()?])
    }

    /// Lets it stand still for so long, with SIGSTOP and SIGCONT.
    ///
    /// # Errors
    /// If it has ended.
    pub async fn freeze(&self, for_time: Duration) -> Result<()> {
        let process = self.process()?;
        tokio::task::spawn_blocking(move || signal::freeze(&[process], for_time)).await?
    }

    /// Waits until it has ended by itself, and gives what else it wrote to standard output.
    ///
    /// # Errors
    /// If it does not end.
    pub async fn ended(&mut self) -> Result<Ended> {
        let status =
            timeout(PATIENCE, self.child.wait()).await.context("waiting for the server to end")??;
        let mut stdout = String::new();
        self.output.read_to_string(&mut stdout).await?;
        Ok(Ended { status, stdout, stderr: self.folder.log() })
    }
}
