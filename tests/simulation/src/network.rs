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
            chance.pick(&state.connections)?.clone()
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
