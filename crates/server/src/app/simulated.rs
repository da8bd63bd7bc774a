//! The start of a server in a simulation.

use std::net::SocketAddr;

use quadrex_clock::{Clock, Entropy};
use quadrex_cluster::ChaosNetwork;
use quadrex_runtime::Listener;
use quadrex_runtime::simulation::SimulatedListener;
use quadrex_store::{NodeId, SimulatedDatabase};

use super::cluster::NodeNetwork;
use super::start::{ServerStart, StartClaim};
use super::{Server, StartError, node};
use crate::config::Config;
use crate::http::Listeners;
use quadrex_store::Location;

/// The world outside of a simulated server.
#[derive(Debug)]
pub struct SimulatedSurroundings {
    /// The place at which clients connect.
    pub listener: SimulatedListener,
    /// The address at which the server believes to be.
    pub address: SocketAddr,
    /// The database, as this server accesses it.
    pub database: SimulatedDatabase,
    /// The id of the node and the network of the cluster; `None` if the server uses the database alone.
    pub cluster: Option<(NodeId, ChaosNetwork)>,
}

impl Server {
    /// Starts a server like [`start`](Self::start), in a simulated world. The settings for the address,
    /// the database, and the network of the cluster have no effect.
    ///
    /// # Errors
    /// Returns [`StartError`] if the server cannot start.
    pub async fn start_simulated(
        config: Config,
        clock: Clock,
        entropy: Entropy,
        surroundings: SimulatedSurroundings,
    ) -> Result<Self, StartError> {
        let SimulatedSurroundings { listener, address, database, cluster } = surroundings;
        let location = Location::Simulated(database);
        let (claim, network) = match cluster {
            Some((node, network)) => (StartClaim::Node(node), NodeNetwork::Simulated(network)),
            None => {
                let lock = node::acquire(&location, &clock, &entropy).await?;
                (StartClaim::Lock(lock), NodeNetwork::Nats)
            }
        };
        let listener = Listener::Simulated(listener);
        let listeners = Listeners { listener, tls: None, redirect: None };
        let start = ServerStart { listeners, address, location, claim, network, metrics: None };
        start.start(config, clock, entropy).await
    }
}
