//! The real server as a process, which tests start, stop, kill and read.

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

/// The texts before the address in the first line of standard output.
const LISTENING_PREFIXES: [&str; 2] = ["Quadrex listens on http://", "Quadrex listens on https://"];

/// The configuration of a server process: its data and settings. It can be started several times.
#[derive(Clone)]
pub struct Launch {
    folder: Arc<Folder>,
    database: Database,
    bind: String,
    /// The processor core to run on, in the notation of `taskset`.
    core: Option<String>,
    /// The maximum number of open file descriptors.
    descriptors: Option<u32>,
    /// The user and group to run as, if not the test's own.
    run_as: Option<(u32, u32)>,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Launch {
    /// Returns a configuration with a new data folder and any free port.
    ///
    /// # Errors
    /// If the folder cannot be created.
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

    /// Adds a setting as an environment variable.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: impl ToString) -> Self {
        self.environment.push((name.to_owned(), value.to_string()));
        self
    }

    /// Adds an argument after `serve`.
    #[must_use]
    pub fn with_argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets the address to listen on.
    #[must_use]
    pub fn bound_to(mut self, address: SocketAddr) -> Self {
        self.bind = address.to_string();
        self
    }

    /// Sets the only processor core to run on.
    #[must_use]
    pub fn on_core(mut self, core: &str) -> Self {
        self.core = Some(core.to_owned());
        self
    }

    /// Sets the maximum number of open file descriptors.
    #[must_use]
    pub fn with_descriptors(mut self, most: u32) -> Self {
        self.descriptors = Some(most);
        self
    }

    /// Runs the server as a user who may read the data folder but not write to it.
    ///
    /// # Errors
    /// If the permissions of the folder cannot be set.
    pub fn as_reader(mut self) -> Result<Self> {
        let folder = self.folder.0.path();
        std::fs::set_permissions(folder, Permissions::from_mode(0o555))?;
        // Permissions do not restrict root.
        self.run_as = if std::fs::metadata("/proc/self")?.uid() == 0 { Some(unprivileged()?) } else { None };
        Ok(self)
    }

    /// Returns the data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.0.path().join("data")
    }

    /// Returns the path of a file beside the data folder.
    pub fn sibling_path(&self, name: &str) -> PathBuf {
        self.folder.0.path().join(name)
    }

    /// Returns the location of the database.
    ///
    /// # Errors
    /// If the URL of the database is invalid.
    pub fn location(&self) -> Result<Location> {
        Ok(Location::parse(&self.database.url().unwrap_or_default(), &self.data())?)
    }

    /// Returns the log of all servers that were started with this configuration.
    pub fn log(&self) -> String {
        self.folder.log()
    }

    /// Waits until the log contains `what` at least `times` times.
    ///
    /// # Errors
    /// If the log does not contain it in time.
    pub async fn until_logged(&self, what: &str, times: usize) -> Result<()> {
        until_logged(|| self.log(), what, times).await
    }

    /// Returns the database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    fn serve(&self) -> Result<Command> {
        let mut command = self.command(&["serve"])?;
        command.args(["--bind", &self.bind]).args(&self.arguments);
        Ok(command)
    }

    /// Returns a command of the program with this data and these settings.
    fn command(&self, words: &[&str]) -> Result<Command> {
        let program = program::path()?;
        let mut command = match (&self.core, self.descriptors) {
            // Both programs replace themselves by the server, which therefore has their process id.
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
        command.current_dir(self.folder.0.path()).stdin(Stdio::null());
        program::remove_settings(command.as_std_mut());
        if let Some(url) = self.database.url() {
            command.env("DATABASE_URL", url);
        }
        if let Some((user, group)) = self.run_as {
            command.uid(user).gid(group);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value))).kill_on_drop(true);
        Ok(command)
    }

    /// Starts the server and waits until it listens.
    ///
    /// # Errors
    /// If the server exits or does not listen in time.
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

    /// Runs the server until it exits by itself.
    ///
    /// # Errors
    /// If it does not end.
    pub async fn run(&self) -> Result<Ended> {
        ended(self.serve()?).await
    }

    /// Copies the data into a file with `quadrex backup`.
    ///
    /// # Errors
    /// If the command does not exit.
    pub async fn back_up(&self, to: &Path) -> Result<Ended> {
        let mut backup = self.command(&["backup"])?;
        backup.arg("--to").arg(to);
        ended(backup).await
    }

    /// Grants a role the privileges of a server with `quadrex database grant` and further
    /// arguments.
    ///
    /// # Errors
    /// If the command does not exit.
    pub async fn grant(&self, role: &str, arguments: &[&str]) -> Result<Ended> {
        let mut grant = self.command(&["database", "grant"])?;
        grant.args(["--role", role]).args(arguments);
        ended(grant).await
    }

    /// Runs a command of `quadrex database`.
    ///
    /// # Errors
    /// If the command does not exit.
    pub async fn database_command(&self, arguments: &[&str]) -> Result<Ended> {
        let (name, arguments) = arguments.split_first().context("a command has a name")?;
        let mut command = self.command(&["database", name])?;
        command.args(arguments);
        ended(command).await
    }
}

/// Runs a command until it exits.
async fn ended(mut command: Command) -> Result<Ended> {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("starting quadrex")?;
    let output = timeout(PATIENCE, child.wait_with_output()).await.context("waiting for it to end")??;
    Ok(Ended {
        status: output.status,
        stdout: String::from_utf8(output.stdout)?,
        stderr: String::from_utf8(output.stderr)?,
    })
}

/// The exit status and the output of a process.
#[derive(Debug)]
pub struct Ended {
    /// The exit status.
    pub status: ExitStatus,
    /// The content of standard output.
    pub stdout: String,
    /// The content of standard error.
    pub stderr: String,
}

/// Reads the lines that a server prints when it starts: its address, perhaps the addresses for
/// others, and the location of its data.
async fn start_lines(output: &mut BufReader<ChildStdout>) -> Result<(SocketAddr, String)> {
    let mut first = String::new();
    output.read_line(&mut first).await?;
    let address = LISTENING_PREFIXES.iter().find_map(|prefix| first.trim_end().strip_prefix(prefix));
    let Some(address) = address else {
        bail!("the first line is {first:?}, not the address");
    };
    let mut data = String::new();
    output.read_line(&mut data).await?;
    if data.starts_with("For others: ") {
        data.clear();
        output.read_line(&mut data).await?;
    }
    ensure!(data.starts_with("Data: "), "the line is {data:?}, not the location of the data");
    let address = address.parse().with_context(|| format!("{address:?} is no address"))?;
    Ok((address, data.trim_end().to_owned()))
}

/// A folder with the data and the log of a server. It is removed with its last user. If the test
/// fails, the log is printed then.
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
        // The output of tests that pass is not shown.
        eprintln!("--- log of the server ---\n{}", self.log());
    }
}

/// A running server. It is killed when this value is dropped.
pub struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    address: SocketAddr,
    data_line: String,
    folder: Arc<Folder>,
}

impl Server {
    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the line about the location of the data on standard output.
    pub fn data_line(&self) -> &str {
        &self.data_line
    }

    /// Returns the process id.
    ///
    /// # Errors
    /// If the server has exited.
    pub fn process(&self) -> Result<u32> {
        self.child.id().context("the server has ended")
    }

    /// Returns whether the process is running.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Returns an HTTP client without a user.
    pub fn http(&self) -> Http {
        Http::new(self.address)
    }

    /// Creates a guest for a program.
    ///
    /// # Errors
    /// If no guest is created.
    pub async fn guest(&self, name: &str) -> Result<Guest> {
        self.http().guest(name).await
    }

    /// Opens a WebSocket connection as this guest and says hello.
    ///
    /// # Errors
    /// If there is no `welcome`.
    pub async fn connect(&self, guest: &Guest) -> Result<Client> {
        Client::open(self.address, Some(guest)).await
    }

    /// Opens a WebSocket connection without a user and says hello.
    ///
    /// # Errors
    /// If there is no `welcome`.
    pub async fn connect_as_nobody(&self) -> Result<Client> {
        Client::open(self.address, None).await
    }

    /// Kills the server with SIGKILL and waits until the process has ended.
    ///
    /// # Errors
    /// If it cannot be killed.
    pub async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("killing the server")
    }

    /// Asks the server to stop, with SIGTERM.
    ///
    /// # Errors
    /// If the signal cannot be sent.
    pub async fn terminate(&self) -> Result<()> {
        signal::send("TERM", &[self.process()?])
    }

    /// Stalls the server for this time, with SIGSTOP and SIGCONT.
    ///
    /// # Errors
    /// If the server has exited.
    pub async fn freeze(&self, for_time: Duration) -> Result<()> {
        let process = self.process()?;
        tokio::task::spawn_blocking(move || signal::freeze(&[process], for_time)).await?
    }

    /// Waits until the server has exited by itself. Returns the rest of its standard output.
    ///
    /// # Errors
    /// If the server does not exit.
    pub async fn ended(&mut self) -> Result<Ended> {
        self.ended_within(PATIENCE).await
    }

    /// Waits like [`ended`](Self::ended), for at most this time.
    ///
    /// # Errors
    /// If the server does not exit.
    pub async fn ended_within(&mut self, limit: Duration) -> Result<Ended> {
        let status = timeout(limit, self.child.wait()).await.context("waiting for the server to end")??;
        let mut stdout = String::new();
        self.output.read_to_string(&mut stdout).await?;
        Ok(Ended { status, stdout, stderr: self.folder.log() })
    }
}
