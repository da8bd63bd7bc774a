//! A simulated server, which can crash, stall and start again.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_clock::{Clock, Entropy, SimulatedHardware};
use quadrex_rules::Timestamp;
use quadrex_runtime::simulation::{Process, listen};
use quadrex_server::app::{Server, SimulatedSurroundings};
use quadrex_server::config::{Config, Flags};
use quadrex_store::{NodeId, SimulatedDatabase};
use tokio::sync::oneshot;

use crate::auditor::Auditor;
use crate::chance::Chance;
use crate::cluster::Cluster;
use crate::network::Network;
use crate::server_time::ProcessNumber;
use crate::trace::{BEGIN, Trace};

/// A server of the simulation. Clones are the same server.
#[derive(Clone, Debug)]
pub(crate) struct SimulatedServer(Arc<Shared>);

struct Shared {
    number: usize,
    name: String,
    chance: Chance,
    hardware: SimulatedHardware,
    parts: ServerParts,
    state: Mutex<State>,
}

/// The parts of the world that all servers use.
#[derive(Clone)]
pub(crate) struct ServerParts {
    pub(crate) trace: Trace,
    pub(crate) auditor: Auditor,
    pub(crate) network: Network,
    pub(crate) database: SimulatedDatabase,
    /// The cluster; `None` if a server uses the database alone.
    pub(crate) cluster: Option<Cluster>,
}

struct State {
    /// The process that runs now, and the sender that ends it in an orderly way.
    running: Option<(Process, Option<oneshot::Sender<()>>)>,
    starts: u64,
    /// True if the process has become ready.
    is_ready: bool,
    /// The process that has become ready; `None` in a cluster, and after its end.
    process_number: Option<ProcessNumber>,
    /// The id of the last process in the cluster.
    node: Option<NodeId>,
    /// The time since which the server has not worked; `None` while it works.
    down_since: Option<Timestamp>,
}

/// Returns the name of the server with this number.
pub(crate) fn server_name(number: usize) -> String {
    format!("server {}", number + 1)
}

impl SimulatedServer {
    /// Creates a server that has not been started yet. The first one has the number 0.
    pub(crate) fn new(number: usize, chance: Chance, parts: &ServerParts) -> Self {
        let name = server_name(number);
        let database = parts.database.for_server(&name);
        let parts = ServerParts { database, ..parts.clone() };
        let hardware = SimulatedHardware::new(BEGIN);
        let state = State {
            running: None,
            starts: 0,
            is_ready: false,
            process_number: None,
            node: None,
            down_since: None,
        };
        Self(Arc::new(Shared { number, name, chance, hardware, parts, state: Mutex::new(state) }))
    }

    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn hardware(&self) -> &SimulatedHardware {
        &self.0.hardware
    }

    /// Returns the id of the last process in the cluster.
    pub(crate) fn node(&self) -> Option<NodeId> {
        self.lock().node
    }

    /// Returns whether the process that runs has become ready.
    pub(crate) fn is_up(&self) -> bool {
        let state = self.lock();
        state.running.is_some() && state.is_ready
    }

    /// Returns whether a process runs, or is stopped.
    pub(crate) fn is_running(&self) -> bool {
        self.lock().running.is_some()
    }

    /// Starts the server.
    pub(crate) fn start(&self) {
        self.0.parts.trace.add(&self.0.name, "starts");
        let (stop, stopped) = oneshot::channel();
        let process = {
            let mut state = self.lock();
            state.starts += 1;
            state.is_ready = false;
            let process = Process::new(&format!("{} (start {})", self.0.name, state.starts));
            state.running = Some((process.clone(), Some(stop)));
            process
        };
        let this = self.clone();
        process.spawn(async move {
            let ending = this.run(stopped).await;
            this.0.parts.network.set_server(this.0.number, None);
            this.0.parts.trace.add(&this.0.name, format_args!("ends: {ending}"));
            this.lock().running = None;
            this.record_end();
        });
    }

    /// Runs the server until it ends. Returns how it ended.
    async fn run(&self, stopped: oneshot::Receiver<()>) -> String {
        let clock = Clock::simulated(&self.0.hardware);
        let entropy = Entropy::seeded(self.0.chance.number());
        let node = NodeId(entropy.uuid(clock.now()));
        self.lock().node = Some(node);
        self.0.parts.auditor.add_node(node, &self.0.name);
        let (connector, listener) = listen();
        let number = u8::try_from(self.0.number).unwrap_or(u8::MAX);
        let surroundings = SimulatedSurroundings {
            listener,
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 255, 0, number)), 80),
            database: self.0.parts.database.clone(),
            cluster: self.0.parts.cluster.as_ref().map(|cluster| (node, cluster.network())),
        };
        let server = match Server::start_simulated(config(), clock, entropy, surroundings).await {
            Ok(server) => server,
            Err(error) => return format!("it cannot start: {error}"),
        };
        self.0.parts.network.set_server(self.0.number, Some(connector));
        self.0.parts.trace.add(&self.0.name, "is ready");
        self.lock().is_ready = true;
        if self.0.parts.cluster.is_none() {
            let number = self.0.parts.auditor.add_start(server.clock().now(), self.0.hardware.drift());
            self.lock().process_number = Some(number);
        }
        self.record_up();
        let stop = async {
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        match server.run(stop).await {
            Ok(()) => "it was asked to".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    /// Kills the process.
    pub(crate) fn kill(&self) {
        let running = self.lock().running.take();
        if let Some((process, _)) = running {
            self.0.parts.trace.add(&self.0.name, "is killed");
            self.0.parts.network.set_server(self.0.number, None);
            process.kill();
            self.record_end();
            // The database notices that the connection is broken.
            self.0.parts.database.end_sessions();
        }
    }

    /// Asks the process to end in an orderly way.
    pub(crate) fn ask_to_end(&self) {
        let mut state = self.lock();
        if let Some((_, stop)) = &mut state.running
            && let Some(stop) = stop.take()
        {
            self.0.parts.trace.add(&self.0.name, "is asked to end");
            if let Some(node) = state.node {
                self.0.parts.auditor.set_leaving(node);
            }
            stop.send(()).ok();
        }
    }

    /// Takes the processor time away from the process.
    pub(crate) fn stop(&self) {
        if let Some(process) = self.process() {
            self.0.parts.trace.add(&self.0.name, "is stopped");
            process.stop();
            self.record_down();
        }
    }

    /// Gives the process processor time again.
    pub(crate) fn resume(&self) {
        if let Some(process) = self.process() {
            self.0.parts.trace.add(&self.0.name, "goes on");
            process.resume();
            // A process that still starts does not work yet.
            if self.is_up() {
                self.record_up();
            }
        }
    }

    /// Returns the process that runs, or is stopped.
    fn process(&self) -> Option<Process> {
        self.lock().running.as_ref().map(|(process, _)| process.clone())
    }

    /// Records that the process has ended.
    fn record_end(&self) {
        let number = self.lock().process_number.take();
        if let Some(number) = number {
            self.0.parts.auditor.add_end(number);
        }
        self.record_down();
    }

    /// Records that the server does not work from now on.
    fn record_down(&self) {
        let now = self.0.parts.trace.time_of_day();
        let node = {
            let mut state = self.lock();
            state.down_since.get_or_insert(now);
            state.node
        };
        if let Some(node) = node {
            self.0.parts.auditor.set_works(node, false);
        }
    }

    /// Records that the server works again.
    fn record_up(&self) {
        let (since, node) = {
            let mut state = self.lock();
            (state.down_since.take(), state.node)
        };
        if let Some(node) = node {
            self.0.parts.auditor.set_works(node, true);
        }
        if let Some(since) = since {
            self.0.parts.auditor.add_outage(since, self.0.parts.trace.time_of_day());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SimulatedServer").field(&self.name).finish()
    }
}

/// Returns the settings of a simulated server.
fn config() -> Config {
    let setting = |name: &str, value: &str| (format!("QUADREX_{name}"), value.to_owned());
    let settings = [
        setting("BOTS__THREADS", "1"),
        setting("ACCOUNTS__ITERATIONS", "1"),
        setting("REVIEWS__AUTOMATIC", "false"),
        setting("LIMITS__GUESTS_PER_MINUTE", "100000"),
        setting("LIMITS__GUESTS_BURST", "100000"),
        setting("LIMITS__TABLES_PER_MINUTE", "100000"),
        setting("LIMITS__TABLES_BURST", "100000"),
    ];
    let loaded = Config::load(None, settings, &Flags::default());
    let mut config = loaded.expect("the settings of the simulation are valid");
    // Far less than a server accepts, because each start of a server hashes a password.
    config.accounts.memory_kib = 64;
    config
}
