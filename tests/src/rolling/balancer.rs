//! A load balancer for the nodes of a cluster.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::Http;

/// The time between two health checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// The time after which a health check without an answer counts as failed.
const CHECK_LIMIT: Duration = Duration::from_secs(1);

/// A load balancer on a loopback port. A connection goes to the node with the fewest connections among
/// those whose `/readyz` answers 200, and stays there until either side closes it.
pub struct Balancer {
    address: SocketAddr,
    /// The tasks that accept connections and check the nodes. They end with this value.
    _tasks: JoinSet<()>,
}

/// The nodes that are ready, with the numbers of their connections.
type Ready = Arc<Mutex<BTreeMap<SocketAddr, usize>>>;

impl Balancer {
    /// Starts a load balancer, and waits until all nodes have passed a health check.
    ///
    /// # Errors
    /// If no port is free.
    pub async fn start(nodes: &[SocketAddr]) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.context("listening for a load balancer")?;
        let address = listener.local_addr()?;
        let ready = Ready::default();
        let mut tasks = JoinSet::new();
        for node in nodes.iter().copied() {
            check(node, &ready).await;
            let ready = Arc::clone(&ready);
            tasks.spawn(async move {
                loop {
                    tokio::time::sleep(CHECK_INTERVAL).await;
                    check(node, &ready).await;
                }
            });
        }
        tasks.spawn(async move {
            let mut relays = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                relays.spawn(relay(client, Arc::clone(&ready)));
                while relays.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, _tasks: tasks })
    }

    /// Returns the address on which the load balancer listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Updates whether a node is ready.
async fn check(node: SocketAddr, ready: &Ready) {
    let http = Http::new(node);
    let answer = tokio::time::timeout(CHECK_LIMIT, http.get("/readyz")).await;
    let is_ready = matches!(answer, Ok(Ok(answer)) if answer.status == 200);
    let mut ready = ready.lock().unwrap_or_else(PoisonError::into_inner);
    if is_ready {
        ready.entry(node).or_default();
    } else {
        ready.remove(&node);
    }
}

/// Relays a connection to a node. Without a ready node, the connection ends at once.
async fn relay(mut client: TcpStream, ready: Ready) {
    let Some(node) = pick(&ready) else { return };
    if let Ok(mut server) = TcpStream::connect(node).await {
        client.set_nodelay(true).ok();
        server.set_nodelay(true).ok();
        // An error means that a side has closed the connection.
        tokio::io::copy_bidirectional(&mut client, &mut server).await.ok();
    }
    if let Some(count) = ready.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&node) {
        *count = count.saturating_sub(1);
    }
}

/// Returns the node for the next connection, and counts the connection.
fn pick(ready: &Ready) -> Option<SocketAddr> {
    let mut ready = ready.lock().unwrap_or_else(PoisonError::into_inner);
    let (node, count) = ready.iter_mut().min_by_key(|(_, count)| **count)?;
    *count += 1;
    Some(*node)
}
