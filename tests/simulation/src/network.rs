//! The network between clients and servers.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quadrex_runtime::simulation::{Connector, Delivery, PipeControl, SimulatedSocket, pipe};

use tokio::time::Instant;

use crate::chance::Chance;
use crate::trace::virtual_now;

/// The longest usual time that bytes take from one side to the other.
const USUAL_DELAY: Duration = Duration::from_millis(60);

/// The longest time that bytes take in bad moments.
const BAD_DELAY: Duration = Duration::from_secs(4);

/// The network between clients and servers. Clones are the same network.
#[derive(Clone, Debug)]
pub(crate) struct Network(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    chance: Chance,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The server behind each address; `None` while it does not listen.
    servers: Vec<Option<Connector>>,
    /// The open connections, with the names of the clients.
    connections: Vec<(String, PipeControl)>,
    /// The connections with faults.
    broken: Vec<PipeControl>,
    /// The share of deliveries that are slow, in percent.
    slow_percent: u64,
    next_port: u16,
    /// The last time at which a connection of a client became silent.
    silenced: BTreeMap<String, Instant>,
}

impl Network {
    pub(crate) fn new(chance: Chance, servers: usize) -> Self {
        let state = State {
            servers: (0..servers).map(|_| None).collect(),
            connections: Vec::new(),
            broken: Vec::new(),
            slow_percent: 0,
            next_port: 1_024,
            silenced: BTreeMap::new(),
        };
        Self(Arc::new(Shared { chance, state: Mutex::new(state) }))
    }

    /// Lets a server accept connections, or no longer.
    pub(crate) fn set_server(&self, server: usize, connector: Option<Connector>) {
        self.lock().servers[server] = connector;
    }

    /// Sets the share of deliveries that are slow.
    pub(crate) fn set_slow_percent(&self, percent: u64) {
        self.lock().slow_percent = percent;
    }

    /// Connects a client to a server.
    ///
    /// # Errors
    /// Returns `ConnectionRefused` if the server does not listen.
    pub(crate) fn connect(&self, client: &str, number: u16, server: usize) -> io::Result<SimulatedSocket> {
        let delivery: Arc<dyn Delivery> = Arc::new(self.clone());
        let ([ours, theirs], control) = pipe([Arc::clone(&delivery), delivery]);
        let (connector, port) = {
            let mut state = self.lock();
            state.next_port = state.next_port.checked_add(1).unwrap_or(1_024);
            (state.servers[server].clone(), state.next_port)
        };
        let [high, low] = number.to_be_bytes();
        let peer = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, high, low)), port);
        // A socket that is refused is dropped, which asks this network for the delay of its last bytes.
        connector.ok_or(io::ErrorKind::ConnectionRefused)?.connect(theirs, peer)?;
        let mut state = self.lock();
        state.connections.retain(|(_, control)| !control.is_over());
        state.connections.push((client.to_owned(), control));
        Ok(ours)
    }

    /// Returns whether a connection of a client has become silent since a moment.
    pub(crate) fn was_silenced(&self, client: &str, since: Instant) -> bool {
        self.lock().silenced.get(client).is_some_and(|at| *at >= since)
    }

    /// Breaks a random connection in a random way. Returns what happened, for the trace.
    pub(crate) fn break_one(&self) -> Option<String> {
        let chance = &self.0.chance;
        let (client, control) = {
            let mut state = self.lock();
            state.connections.retain(|(_, control)| !control.is_over());
            let (client, control) = chance.pick(&state.connections)?.clone();
            state.broken.push(control.clone());
            (client, control)
        };
        Some(match chance.below(6) {
            0 => {
                control.reset();
                format!("resets a connection of {client}")
            }
            1 => {
                control.silence();
                self.lock().silenced.insert(client.clone(), virtual_now());
                format!("loses all bytes of a connection of {client} from now on")
            }
            2 | 3 => {
                let bytes = 20 + chance.below(20) * chance.below(20);
                control.limit(1, usize::try_from(bytes).unwrap_or(usize::MAX));
                format!("passes on at most {bytes} bytes at a time to {client}")
            }
            direction => {
                let (bytes, direction) = (chance.below(400) as usize, usize::from(direction == 5));
                control.reset_after(direction, bytes);
                format!("resets a connection of {client} after {bytes} bytes of direction {direction}")
            }
        })
    }

    /// Ends all faults of connections: no delivery is slow any more, and broken connections are reset.
    pub(crate) fn heal(&self) {
        self.set_slow_percent(0);
        let broken = std::mem::take(&mut self.lock().broken);
        broken.iter().for_each(PipeControl::reset);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Delivery for Network {
    fn delay(&self, _bytes: usize) -> Duration {
        let slow_percent = self.lock().slow_percent;
        let chance = &self.0.chance;
        let most = if chance.percent(slow_percent) { BAD_DELAY } else { USUAL_DELAY };
        chance.time(Duration::ZERO, most)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quadrex_runtime::simulation::{SimulatedListener, listen};
    use quadrex_runtime::{Listener, Socket};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Returns a network with two servers, of which the second one listens.
    fn network(seed: u64) -> (Network, SimulatedListener) {
        let network = Network::new(Chance::new(seed), 2);
        let (connector, listener) = listen();
        network.set_server(1, Some(connector));
        (network, listener)
    }

    /// Returns the server's end of the next connection.
    async fn accept(listener: SimulatedListener) -> Socket {
        Listener::Simulated(listener).accept().await.unwrap().0
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_does_not_listen_refuses_connections() {
        let (network, listener) = network(7);
        let refused = |server| network.connect("Ann", 1, server).map(drop).map_err(|error| error.kind());
        assert_eq!(refused(0), Err(io::ErrorKind::ConnectionRefused));
        assert_eq!(refused(1), Ok(()));
        drop(listener);
        assert_eq!(refused(1), Err(io::ErrorKind::ConnectionRefused), "the process is dead");
        let (connector, _listener) = listen();
        network.set_server(1, Some(connector));
        assert_eq!(refused(1), Ok(()));
        network.set_server(1, None);
        assert_eq!(refused(1), Err(io::ErrorKind::ConnectionRefused));
    }

    /// Returns the time that a byte takes, for many bytes.
    fn delays(network: &Network) -> Vec<Duration> {
        (0..1_000).map(|_| network.delay(1)).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_take_a_while_and_in_bad_moments_longer() {
        let (network, _listener) = network(7);
        assert!(delays(&network).iter().all(|delay| *delay <= USUAL_DELAY));
        network.set_slow_percent(50);
        let slow = delays(&network).iter().filter(|delay| **delay > USUAL_DELAY).count();
        assert!((300..550).contains(&slow), "{slow} of 1,000 deliveries are slow");
        network.set_slow_percent(0);
        assert!(delays(&network).iter().all(|delay| *delay <= USUAL_DELAY));
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_arrive_in_their_order_and_in_virtual_time() {
        let (network, listener) = network(7);
        network.set_slow_percent(30);
        let mut socket = network.connect("Ann", 1, 1).unwrap();
        let (began, sent): (_, Vec<u8>) = (virtual_now(), (0..100).collect());
        for byte in &sent {
            socket.write_all(&[*byte]).await.unwrap();
        }
        let mut theirs = accept(listener).await;
        let mut received = vec![0; sent.len()];
        theirs.read_exact(&mut received).await.unwrap();
        assert_eq!(received, sent);
        assert!(virtual_now() > began);
    }

    #[tokio::test(start_paused = true)]
    async fn only_an_open_connection_can_be_broken() {
        let (network, listener) = network(7);
        assert_eq!(network.break_one(), None);
        let mut socket = network.connect("Ann", 1, 1).unwrap();
        let _theirs = accept(listener).await;
        let mut broken = Vec::new();
        for _ in 0..100 {
            broken.extend(network.break_one());
        }
        assert!(broken.iter().all(|what| what.contains("Ann")), "{broken:?}");
        assert_eq!(broken.last().map(String::as_str), Some("resets a connection of Ann"));
        assert_eq!(network.break_one(), None, "it is over");
        assert!(socket.write_all(b"x").await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn connections_break_in_all_ways() {
        let mut ways = BTreeSet::new();
        for seed in 0..40 {
            let (network, _listener) = network(seed);
            let _socket = network.connect("Ann", 1, 1).unwrap();
            let what = network.break_one().unwrap();
            ways.insert(what.replace(|letter: char| letter.is_ascii_digit(), "").len());
            assert!(what.contains("Ann"), "{what}");
        }
        assert_eq!(ways.len(), 4, "a reset, a silence, a narrow connection, and a reset after some bytes");
    }
}
