//! Several servers (nodes) that form a cluster on one Postgres database, with a NATS server.

use std::net::SocketAddr;

use anyhow::{Context, Result};

use crate::contest::without_rate_limits;
use crate::database::Database;
use crate::nats::Nats;
use crate::server::{Launch, Server};

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
        let nats = tokio::task::spawn_blocking(Nats::start).await.context("starting NATS")??;
        let database = Database::postgres().await?;
        let mut nodes = Self { nats, database, nodes: Vec::new() };
        for _ in 0..count {
            let launch = Launch::new(&nodes.database)?.with_env("QUADREX_CLUSTER__NATS", nodes.nats.url());
            nodes.nodes.push(Node { launch: settings(launch), server: None });
            nodes.start_node(nodes.nodes.len() - 1).await?;
        }
        for node in &nodes.nodes {
            node.launch.until_logged(&format!("nodes={count}"), 1).await?;
        }
        Ok(nodes)
    }

    /// Starts a node that was stopped, and waits until it is ready.
    ///
    /// # Errors
    /// If the node does not start.
    pub async fn start_node(&mut self, index: usize) -> Result<()> {
        let node = self.nodes.get_mut(index).context("no such node")?;
        let server = node.launch.start().await?;
        server.http().until_status("/readyz", 200).await.context("waiting until the node is ready")?;
        node.server = Some(server);
        Ok(())
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
