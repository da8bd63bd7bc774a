//! A server in the process of the test, with real sockets and a clock that the test can move ahead.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::http::CreateTable;
use quadrex_server::app::Server;
use quadrex_server::config::{Config, Flags};
use quadrex_store::{Location, Store};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::contest::Contest;
use crate::http::{Guest, Http};
use crate::{Client, PATIENCE};

/// A server whose clock a test can move ahead. Real time passes too.
pub struct InProcessServer {
    address: SocketAddr,
    clock: Clock,
    running: Option<(oneshot::Sender<()>, JoinHandle<std::io::Result<()>>)>,
    folder: TempDir,
    /// The settings that differ from the defaults, in the form of environment variables.
    settings: Vec<(String, String)>,
}

impl InProcessServer {
    /// Starts a server with a new data folder.
    ///
    /// # Errors
    /// If it does not start.
    pub async fn start() -> Result<Self> {
        Self::start_with(&[]).await
    }

    /// Like [`start`](Self::start), with settings in the form of environment variables.
    ///
    /// # Errors
    /// If it does not start.
    pub async fn start_with(settings: &[(&str, &str)]) -> Result<Self> {
        Self::start_in(new_folder(None)?, settings).await
    }

    async fn start_in(folder: TempDir, settings: &[(&str, &str)]) -> Result<Self> {
        let clock = Clock::adjustable();
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let settings: Vec<_> = settings.collect();
        let (address, running) = run(&folder, &clock, &settings).await?;
        Ok(Self { address, clock, running: Some(running), folder, settings })
    }

    /// Like [`start`](Self::start), with a file of settings.
    ///
    /// # Errors
    /// If it does not start.
    pub async fn start_with_file(file: &str, settings: &[(&str, &str)]) -> Result<Self> {
        Self::start_in(new_folder(Some(file))?, settings).await
    }

    /// Returns the location of the database.
    ///
    /// # Errors
    /// Never, because the path is valid.
    pub fn location(&self) -> Result<Location> {
        Ok(Location::parse("", &self.folder.path().join("data"))?)
    }

    /// Opens the database.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub async fn store(&self) -> Result<Store> {
        Ok(Store::connect(&self.location()?, 1).await?)
    }

    /// Stops the server, moves the clock ahead, and starts a new server with the same data at
    /// another address.
    ///
    /// # Errors
    /// If it does not stop, or does not start.
    pub async fn simulate_outage(&mut self, for_time: Duration) -> Result<()> {
        if let Some((stop, served)) = self.running.take() {
            // An error means that the server has stopped by itself.
            stop.send(()).ok();
            timeout(PATIENCE, served).await.context("waiting for the server to stop")???;
        }
        self.skip(for_time);
        let (address, running) = run(&self.folder, &self.clock, &self.settings).await?;
        (self.address, self.running) = (address, Some(running));
        Ok(())
    }

    /// Moves the clock of the server ahead.
    pub fn skip(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Makes the server believe that its process stalled for this time.
    pub fn freeze(&self, for_time: Duration) {
        self.clock.stall(for_time);
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns an HTTP client without a user.
    pub fn http(&self) -> Http {
        Http::new(self.address)
    }

    /// Creates a guest.
    ///
    /// # Errors
    /// If no guest is created.
    pub async fn guest(&self, name: &str) -> Result<Guest> {
        self.http().guest(name).await
    }

    /// Opens a WebSocket connection as a guest.
    ///
    /// # Errors
    /// If there is no `welcome`.
    pub async fn connect(&self, guest: &Guest) -> Result<Client> {
        Client::open(self.address, Some(guest)).await
    }

    /// Starts a match with all its players.
    ///
    /// # Errors
    /// If the match does not start.
    pub async fn contest(&self, table: &CreateTable) -> Result<Contest> {
        Contest::start_at(self.address, table).await
    }
}

/// The name of the file of settings in the folder of a server that has one.
const SETTINGS_FILE: &str = "settings.toml";

fn new_folder(settings: Option<&str>) -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("quadrex-test-").tempdir()?;
    if let Some(settings) = settings {
        std::fs::write(folder.path().join(SETTINGS_FILE), settings)?;
    }
    Ok(folder)
}

type Served = (oneshot::Sender<()>, JoinHandle<std::io::Result<()>>);

async fn run(folder: &TempDir, clock: &Clock, settings: &[(String, String)]) -> Result<(SocketAddr, Served)> {
    let data = folder.path().join("data").to_str().context("the folder's name is text")?.to_owned();
    let flags = Flags { bind: Some("127.0.0.1:0".into()), data: Some(data) };
    let file = Some(folder.path().join(SETTINGS_FILE)).filter(|file| file.is_file());
    let config = Config::load(file.as_deref(), settings.iter().cloned(), &flags)?;
    let server = Server::start(config, clock.clone(), Entropy::system()).await?;
    let address = server.address();
    let (stop, stopped) = oneshot::channel();
    let served = tokio::spawn(server.run(async { stopped.await.unwrap_or_default() }));
    Ok((address, (stop, served)))
}
