//! A node: a server process whose log is printed with its number.

use std::io::{Write, stderr};
use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use quadrex_tests::{program, signal};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The maximum time for a node to start or to stop.
const PATIENCE: Duration = Duration::from_secs(90);

/// The text before the address in the first line of standard output.
const LISTENING_PREFIX: &str = "Quadrex listens on http://";

/// The URLs of what all nodes use.
pub(crate) struct Services {
    pub(crate) database: String,
    pub(crate) nats: String,
}

/// A running node. It is killed when this value is dropped.
pub(crate) struct Node {
    number: u16,
    address: SocketAddr,
    child: Child,
    _data: TempDir,
}

impl Node {
    /// Starts a node on a loopback port, and waits until it listens.
    pub(crate) async fn start(number: u16, port: u16, services: &Services) -> Result<Self> {
        let data = tempfile::Builder::new().prefix("quadrex-node-").tempdir()?;
        let mut command = Command::new(program::path()?);
        program::remove_settings(command.as_std_mut());
        command.args(["serve", "--bind", &format!("127.0.0.1:{port}"), "--data"]).arg(data.path());
        command.env("DATABASE_URL", &services.database).env("QUADREX_CLUSTER__NATS", &services.nats);
        command.env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.1");
        // HAProxy notices within two seconds that a node is about to stop.
        command.env("QUADREX_SERVER__LEAVE_SECONDS", "2");
        // A few clients do not need the usual time to move to other nodes.
        command.env("QUADREX_CLUSTER__MOVE_SECONDS", "3");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C in the terminal does not reach the node, which is stopped before its database.
        let mut child = command.process_group(0).kill_on_drop(true).spawn().context("starting quadrex")?;
        let log = child.stderr.take().context("standard error is a pipe")?;
        tokio::spawn(print_lines(number, log));
        let mut output = BufReader::new(child.stdout.take().context("standard output is a pipe")?);
        let mut first = String::new();
        timeout(PATIENCE, output.read_line(&mut first)).await.context("waiting for the start line")??;
        let Some(address) = first.trim_end().strip_prefix(LISTENING_PREFIX) else {
            bail!("the first line is {first:?}, not the address");
        };
        let address = address.parse().with_context(|| format!("{address:?} is no address"))?;
        tokio::spawn(print_lines(number, output.into_inner()));
        Ok(Self { number, address, child, _data: data })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns a line with the address and the process.
    pub(crate) fn line(&self) -> Result<String> {
        let process = self.child.id().context("the node has ended")?;
        Ok(format!("Node {}: http://{} (process {process})\n", self.number, self.address))
    }

    /// Waits until the node ends by itself, and prints its status.
    pub(crate) async fn ended(&mut self) {
        if let Ok(status) = self.child.wait().await {
            writeln!(stderr(), "{} | node {} has ended: {status}", self.number, self.number).ok();
        }
    }

    /// Starts the node again on its port after it has ended.
    pub(crate) async fn restart(&mut self, services: &Services) -> Result<()> {
        *self = Self::start(self.number, self.address.port(), services).await?;
        Ok(())
    }

    /// Asks the node to stop, unless it has ended.
    pub(crate) fn terminate(&self) -> Result<()> {
        self.child.id().map_or(Ok(()), |process| signal::send("TERM", &[process]))
    }

    /// Waits until the node has stopped.
    pub(crate) async fn wait(&mut self) -> Result<()> {
        let number = self.number;
        timeout(PATIENCE, self.child.wait())
            .await
            .with_context(|| format!("waiting for node {number}"))??;
        Ok(())
    }
}

/// Prints the lines of a node with its number.
async fn print_lines(number: u16, output: impl AsyncRead + Unpin) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        writeln!(stderr(), "{number} | {line}").ok();
    }
}
