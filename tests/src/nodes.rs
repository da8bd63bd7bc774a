//! Several servers (nodes) that form a cluster on one Postgres database, with a NATS server.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use quadrex_store::{Location, Store};

use crate::contest::without_rate_limits;
use crate::database::Database;
use crate::nats::Nats;
use crate::postgres::Postgres;
use crate::proxy::{Cut, Proxy};
use crate::server::{Launch, Server};

/// The interval between two checks of a node.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The nodes of a cluster. They are killed when this value is dropped.
pub struct Nodes {
    /// The NATS server.
    pub nats: Nats,
    /// The database that the nodes share.
    pub database: Database,
    nodes: Vec<Node>,
}

struct Node {
    launch: Launch,
    server: Option<Server>,
    links: Option<Links>,
}

/// The connections of a node to Postgres and to NATS, through a proxy each.
pub struct Links {
    /// The proxy to Postgres.
    pub postgres: Proxy,
    /// The proxy to NATS.
    pub nats: Proxy,
}

impl Links {
    async fn start(nodes: &Nodes) -> Result<Self> {
        let postgres = SocketAddr::from(([127, 0, 0, 1], nodes.postgres()?.port()));
        let (postgres, nats) =
            (Proxy::start(postgres, None, 1).await?, Proxy::start(nodes.nats.address(), None, 1).await?);
        Ok(Self { postgres, nats })
    }

    /// Relays no data in any direction.
    pub fn cut_both(&self) {
        self.postgres.cut(Cut::Both);
        self.nats.cut(Cut::Both);
    }

    /// Ends all cuts.
    pub fn heal(&self) {
        self.postgres.cut(Cut::None);
        self.nats.cut(Cut::None);
    }
}

/// The way in which nodes are connected to Postgres and NATS.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wiring {
    Direct,
    ThroughProxies,
}

impl Nodes {
    /// Starts this number of nodes, and waits until they are ready and know each other.
    ///
    /// # Errors
    /// If Postgres or NATS is not installed, or a node does not start.
    pub async fn start(count: usize) -> Result<Self> {
        Self::start_with(count, without_rate_limits).await
    }

    /// Starts nodes like [`start`](Self::start), with these settings.
    ///
    /// # Errors
    /// See [`start`](Self::start).
    pub async fn start_with(count: usize, settings: impl Fn(Launch) -> Launch) -> Result<Self> {
        Self::start_wired(count, Wiring::Direct, settings).await
    }

    /// Starts nodes like [`start_with`](Self::start_with), each with [`Links`] that can be cut.
    ///
    /// # Errors
    /// See [`start`](Self::start).
    pub async fn start_with_links(count: usize, settings: impl Fn(Launch) -> Launch) -> Result<Self> {
        Self::start_wired(count, Wiring::ThroughProxies, settings).await
    }

    async fn start_wired(count: usize, wiring: Wiring, settings: impl Fn(Launch) -> Launch) -> Result<Self> {
        let nats = tokio::task::spawn_blocking(Nats::start).await.context("starting NATS")??;
        let database = Database::postgres().await?;
        let mut nodes = Self { nats, database, nodes: Vec::new() };
        for _ in 0..count {
            let (database, nats, links) = match wiring {
                Wiring::Direct => (nodes.database.clone(), nodes.nats.url(), None),
                Wiring::ThroughProxies => {
                    let links = Links::start(&nodes).await?;
                    let url = nodes.postgres()?.url_through(links.postgres.address());
                    (Database::At(url), format!("nats://{}", links.nats.address()), Some(links))
                }
            };
            let launch = Launch::new(&database)?.with_env("QUADREX_CLUSTER__NATS", nats);
            nodes.nodes.push(Node { launch: settings(launch), server: None, links });
            nodes.start_node(nodes.nodes.len() - 1).await?;
        }
        for node in &nodes.nodes {
            node.launch.until_logged(&format!("nodes={count}"), 1).await?;
        }
        Ok(nodes)
    }

    /// Returns the configuration of a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn launch(&self, index: usize) -> Result<&Launch> {
        self.nodes.get(index).map(|node| &node.launch).context("no such node")
    }

    /// Changes the configuration with which a node starts the next time.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn change(&mut self, index: usize, change: impl FnOnce(Launch) -> Launch) -> Result<()> {
        let node = self.nodes.get_mut(index).context("no such node")?;
        node.launch = change(node.launch.clone());
        Ok(())
    }

    /// Starts a node that was stopped, and waits until it is ready.
    ///
    /// # Errors
    /// If the node does not start.
    pub async fn start_node(&mut self, index: usize) -> Result<()> {
        let node = self.nodes.get_mut(index).context("no such node")?;
        let server = node.launch.start().await?;
        // A node that starts again has the same address, for load balancers.
        node.launch = node.launch.clone().bound_to(server.address());
        server.http().until_status("/readyz", 200).await.context("waiting until the node is ready")?;
        node.server = Some(server);
        Ok(())
    }

    /// Returns the connections of a node, which was started with
    /// [`start_with_links`](Self::start_with_links).
    ///
    /// # Errors
    /// If the node is connected directly.
    pub fn links(&self, index: usize) -> Result<&Links> {
        let node = self.nodes.get(index).context("no such node")?;
        node.links.as_ref().context("the node is connected directly")
    }

    /// Returns the Postgres server of the nodes.
    ///
    /// # Errors
    /// Never, because nodes use Postgres.
    pub fn postgres(&self) -> Result<&Postgres> {
        match &self.database {
            Database::Postgres(postgres) => Ok(postgres),
            Database::Sqlite | Database::At(_) => bail!("nodes use Postgres"),
        }
    }

    /// Opens the database of the nodes, for reading.
    ///
    /// # Errors
    /// If the database cannot be opened.
    pub async fn store(&self) -> Result<Store> {
        let location = Location::parse(&self.postgres()?.url(), Path::new(""))?;
        let opened = Store::open_read_only(&location).await.context("opening the database")?;
        Ok(opened.context("the database is empty")?.0)
    }

    /// Returns a running node.
    ///
    /// # Errors
    /// If the node does not run.
    pub fn server(&self, index: usize) -> Result<&Server> {
        let node = self.nodes.get(index).context("no such node")?;
        node.server.as_ref().with_context(|| format!("node {index} does not run"))
    }

    /// Returns a node and stops managing it.
    ///
    /// # Errors
    /// If the node does not run.
    pub fn take(&mut self, index: usize) -> Result<Server> {
        let node = self.nodes.get_mut(index).context("no such node")?;
        node.server.take().with_context(|| format!("node {index} does not run"))
    }

    /// Manages a node again that was taken.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn put_back(&mut self, index: usize, server: Server) -> Result<()> {
        self.nodes.get_mut(index).context("no such node")?.server = Some(server);
        Ok(())
    }

    /// Waits until a node is ready, or starts it again when its process has ended.
    ///
    /// # Errors
    /// If the node does not start.
    pub async fn revive(&mut self, index: usize) -> Result<()> {
        let node = self.nodes.get_mut(index).context("no such node")?;
        while let Some(server) = &mut node.server
            && server.is_running()
        {
            if server.http().get("/readyz").await.is_ok_and(|answer| answer.status == 200) {
                return Ok(());
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        node.server = None;
        self.start_node(index).await
    }

    /// Kills a node with SIGKILL.
    ///
    /// # Errors
    /// If the node does not run.
    pub async fn kill(&mut self, index: usize) -> Result<()> {
        self.take(index)?.kill().await
    }

    /// Returns the addresses of all running nodes.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().filter_map(|node| node.server.as_ref()).map(Server::address).collect()
    }

    /// Returns the log of a node.
    pub fn log(&self, index: usize) -> String {
        self.nodes.get(index).map(|node| node.launch.log()).unwrap_or_default()
    }
}
