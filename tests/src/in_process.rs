//! A server in the test's own process, over real sockets: its clock can be made to jump ahead.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::http::CreateTable;
use quadrex_server::app::Server;
use quadrex_server::config::{Config, Flags};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::contest::Contest;
use crate::http::{Guest, Http};
use crate::{Client, PATIENCE};

/// A server whose time a test moves on. Real time goes by too.
pub struct InProcessServer {
    address: SocketAddr,
    clock: Clock,
    running: Option<(oneshot::Sender<()>, JoinHandle<std::io::Result<()>>)>,
    folder: TempDir,
}

impl InProcessServer {
    /// On a data folder of its own.
    ///
    /// # Errors
    /// If it does not start.
    pub async fn start() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("quadrex-test-").tempdir()?;
        let clock = Clock::skipping();
        let (address, running) = run(&folder, &clock).await?;
        Ok(Self { address, clock, running: Some(running), folder })
    }

    /// Stops it, lets time go by, and starts it again on the same data, at another address.
    ///
    /// # Errors
    /// If it does not stop, or does not start.
    pub async fn simulate_outage(&mut self, for_time: Duration) -> Result<()> {
        if let Some((stop, served)) = self.running.take() {
            // An error says that it has stopped by itself.
            stop.send(()).ok();
            timeout(PATIENCE, served).await.context("waiting for the server to stop")???;
        }
        self.skip(for_time);
        let (address, running) = run(&self.folder, &self.clock).await?;
        (self.address, self.running) = (address, Some(running));
        Ok(())
    }

    /// Lets time jump ahead, for the server.
    pub fn skip(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Lets the server's process stand still for so long, as it believes.
    pub fn stand_still(&self, for_time: Duration) {
        self.clock.stall(for_time);
    }

    /// Returns the address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
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

    /// A table with all its players.
    ///
    /// # Errors
    /// If the match does not start.
    pub async fn contest(&self, table: &CreateTable) -> Result<Contest> {
        Contest::start_at(self.address, table).await
    }
}

type Served = (oneshot::Sender<()>, JoinHandle<std::io::Result<()>>);

async fn run(folder: &TempDir, clock: &Clock) -> Result<(SocketAddr, Served)> {
    let data = folder.path().join("data").to_str().context("the folder's name is text")?.to_owned();
    let config = Config::load(None, [], &Flags { bind: Some("127.0.0.1:0".into()), data: Some(data) })?;
    let server = Server::start(config, clock.clone(), Entropy::system()).await?;
    let address = server.address();
    let (stop, stopped) = oneshot::channel();
    let served = tokio::spawn(server.run(async { stopped.await.unwrap_or_default() }));
    Ok((address, (stop, served)))
}
