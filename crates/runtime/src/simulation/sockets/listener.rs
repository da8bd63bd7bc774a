//! A listener in memory.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::sync::mpsc;

use super::SimulatedSocket;

/// The place at which a simulated server accepts connections. Dropping it refuses further ones.
#[derive(Debug)]
pub struct SimulatedListener {
    connections: mpsc::UnboundedReceiver<(SimulatedSocket, SocketAddr)>,
}

/// The other side of a [`SimulatedListener`], by which clients connect.
#[derive(Clone, Debug)]
pub struct Connector {
    connections: mpsc::UnboundedSender<(SimulatedSocket, SocketAddr)>,
}

/// Returns a listener and its connector.
#[must_use]
pub fn listen() -> (Connector, SimulatedListener) {
    let (sender, connections) = mpsc::unbounded_channel();
    (Connector { connections: sender }, SimulatedListener { connections })
}

impl SimulatedListener {
    pub(crate) async fn accept(&mut self) -> io::Result<(SimulatedSocket, SocketAddr)> {
        // Without a connector nobody can connect any more.
        match self.connections.recv().await {
            Some(accepted) => Ok(accepted),
            None => std::future::pending().await,
        }
    }
}

impl Connector {
    /// Passes one end of a connection to the server, with the address of the client.
    ///
    /// # Errors
    /// Returns `ConnectionRefused` if the server does not listen.
    pub fn connect(&self, socket: SimulatedSocket, peer: SocketAddr) -> io::Result<()> {
        self.connections.send((socket, peer)).map_err(|_| ErrorKind::ConnectionRefused.into())
    }
}
