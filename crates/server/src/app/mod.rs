//! A whole server. It is created from its settings and runs until it is stopped.

mod check;
mod clients;
mod cluster;
mod node;
mod reconciler;
mod waker;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};

use crate::actor::{OutageRecord, TableDeps};
use crate::archive::Archive;
use crate::auth::{Guests, Handovers, Links, Sessions, Shares};
use crate::bots::{Bots, Unfit};
use crate::bus::LocalBus;
use crate::cluster::ClusterLink;
use crate::config::Config;
use crate::http::{self, AppDeps};
use crate::lease::Lease;
use crate::limits::RateLimits;
use crate::lobby::Lobby;
use crate::reviews::{Reviews, ReviewsDeps};
use crate::stop::{MovePlan, OpenConnections, StopStage};
use crate::ws;
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::archive::MatchSummary;
use quadrex_rules::Timestamp;
use quadrex_store::{CommitGrouping, ConnectError, Location, NodeId, ServerLock, Store, StoreError};
use quadrex_table::CloseAfter;

use clients::{Clients, MOVE_LIMIT};
use cluster::{ClusterNode, JoinedNode, NodeServices};
use node::Node;

pub use check::{CheckResult, DatabaseContent};
pub use reconciler::{Count, Reconciler};
pub use waker::Waker;

/// The time within which all connections have to end when the server stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of ended matches that wait to be queued for a review. Further matches are
/// reviewed only on request.
const ENDED_MATCHES: usize = 1_024;

/// The reason for which a server could not start. Its text is one line for people.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The server cannot listen on its address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address in the settings.
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another server runs on the database.
    #[error("another server{holder} runs on this database: {location}")]
    Taken {
        /// The name of the other server, with the time of its start. Empty if it has just started.
        holder: String,
        /// The location of the database.
        location: Location,
    },
    /// The connection to the NATS server cannot be started.
    #[error("cluster.nats: {0}")]
    Cluster(#[from] quadrex_cluster::ConnectError),
    /// The password for the NATS server cannot be read.
    #[error("cluster.password_file: {}: {source}", file.display())]
    ClusterSecret {
        /// The path of the file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The unfinished matches could not be read.
    #[error("{location}: the unfinished matches cannot be read: {reason}")]
    Recover {
        /// The location of the database.
        location: Location,
        /// The error with all its causes.
        reason: String,
    },
    /// Some engines in the settings cannot play. The error lists each with its command and the
    /// reason.
    #[error("{}", .0.iter().map(|(engine, why)| format!("{engine}: {why}")).collect::<Vec<_>>().join("; "))]
    Engines(Vec<(String, Unfit)>),
}

/// A server that listens and has resumed its matches.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    location: Location,
    store: Store,
    lobby: Lobby,
    deps: AppDeps,
    outages: Arc<OutageRecord>,
    /// The matches that have ended. They may be reviewed.
    ended_matches: mpsc::Receiver<MatchSummary>,
    presence: Presence,
    link: Option<ClusterLink>,
    lease: Lease,
    /// The time for which a server that is about to stop still accepts connections, although it no
    /// longer counts as ready.
    leave: Duration,
    /// The time over which the moves of a node's clients to other nodes spread.
    move_spread: Duration,
}

/// The right of the server to use its database.
#[derive(Debug)]
enum Presence {
    /// The server uses the database alone.
    Alone(Node),
    /// The server shares the database with the other nodes of its cluster.
    Member(ClusterNode),
}

impl Presence {
    /// Waits until the server has lost its right.
    async fn lost(&self) {
        match self {
            Self::Alone(node) => node.lost().await,
            Self::Member(node) => node.lost().await,
        }
    }

    fn is_lost(&self) -> bool {
        match self {
            Self::Alone(node) => node.is_lost(),
            Self::Member(node) => node.is_lost(),
        }
    }

    /// Prepares the stop of the server: waits until load balancers have noticed it, and until other
    /// nodes have taken the matches over.
    async fn drain(&self, leave: Duration) {
        match self {
            Self::Alone(_) => tokio::time::sleep(leave).await,
            Self::Member(node) => node.drain(leave).await,
        }
    }

    /// Gives the right up. Must be called after all other writes.
    async fn leave(&self) {
        match self {
            Self::Alone(node) => node.leave().await,
            Self::Member(node) => node.leave().await,
        }
    }
}

/// The claim with which a server starts.
enum StartClaim {
    /// The lock of the database.
    Lock(ServerLock),
    /// The id of a node of a cluster.
    Node(NodeId),
}

impl StartClaim {
    fn node(&self) -> NodeId {
        match self {
            Self::Lock(lock) => lock.node(),
            Self::Node(node) => *node,
        }
    }
}

/// A standby server. It listens on its address, and waits until no other server runs on its
/// database.
#[derive(Debug)]
pub struct Standby {
    listener: TcpListener,
    address: SocketAddr,
    location: Location,
    config: Config,
}

impl Standby {
    /// Starts to listen on the address in the settings.
    ///
    /// # Errors
    /// Returns [`StartError`] if the address is in use, or the settings name no database.
    pub async fn bind(config: Config) -> Result<Self, StartError> {
        let location = Location::parse(&config.database.url, &config.server.data)?;
        let (listener, address) = listen(config.server.bind).await?;
        Ok(Self { listener, address, location, config })
    }

    /// Returns the address on which the server listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the location of the server's data.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Waits until no other server runs on the database, and then takes the database over. Clients
    /// that were refused before can reach the server at the same address.
    ///
    /// # Errors
    /// Returns [`StartError`] if the server cannot start.
    pub async fn take_over(self, clock: Clock, entropy: Entropy) -> Result<Server, StartError> {
        let Self { listener, address, location, config } = self;
        let listen_error = |source| StartError::Listen { address, source };
        let listener = listener.into_std().map_err(listen_error)?;
        let refusing =
            TcpListener::from_std(listener.try_clone().map_err(listen_error)?).map_err(listen_error)?;
        let lock = tokio::select! {
            lock = node::acquire_when_free(&location, &clock, &entropy) => lock,
            ended = http::stand_by(refusing) => {
                let source = ended.err().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into());
                return Err(listen_error(source));
            }
        };
        tracing::info!("takes over");
        let listener = TcpListener::from_std(listener).map_err(listen_error)?;
        Server::start_with(listener, address, StartClaim::Lock(lock), config, clock, entropy).await
    }
}

async fn listen(bind: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let listen_error = |source| StartError::Listen { address: bind, source };
    let listener = TcpListener::bind(bind).await.map_err(listen_error)?;
    let address = listener.local_addr().map_err(listen_error)?;
    Ok((listener, address))
}

impl Server {
    /// Opens the database, listens, and resumes the unfinished matches. No request is answered
    /// before [`run`](Self::run) is called.
    ///
    /// The lock on the database is acquired before the migrations. If another server runs on the
    /// same database, this function fails and has changed nothing.
    ///
    /// # Errors
    /// Returns [`StartError`] if the server cannot start.
    pub async fn start(config: Config, clock: Clock, entropy: Entropy) -> Result<Self, StartError> {
        let (listener, address) = listen(config.server.bind).await?;
        let location = Location::parse(&config.database.url, &config.server.data)?;
        let claim = if config.cluster.is_enabled() {
            StartClaim::Node(NodeId(entropy.uuid(clock.now())))
        } else {
            StartClaim::Lock(node::acquire(&location, &clock, &entropy).await?)
        };
        Self::start_with(listener, address, claim, config, clock, entropy).await
    }

    /// Continues the start after the lock on the database was acquired.
    async fn start_with(
        listener: TcpListener,
        address: SocketAddr,
        claim: StartClaim,
        config: Config,
        clock: Clock,
        entropy: Entropy,
    ) -> Result<Self, StartError> {
        let (location, store) = connect(&config).await?;
        let store = store.owned_by(claim.node());
        let failed = |error: StoreError| recover_error(location.clone(), &error);
        let joining = match claim {
            StartClaim::Lock(lock) => {
                let clock = clock_after_heartbeat(clock, &store).await.map_err(failed)?;
                // The first renewal of the lease overwrites the last heartbeat, so the heartbeat is
                // read here.
                let last_alive = store.last_heartbeat().await.map_err(failed)?;
                let lease = Lease::new();
                let node = Node::start(lock, store.clone(), clock.clone(), lease.clone()).await;
                Joining::Alone { node: node.map_err(failed)?, clock, lease, last_alive }
            }
            StartClaim::Node(id) => {
                let node = JoinedNode::join(&config, &location, store.clone(), id, clock, &entropy).await?;
                Joining::Member(Box::new(node))
            }
        };
        let (clock, lease, link) = match &joining {
            Joining::Alone { clock, lease, .. } => (clock.clone(), lease.clone(), None),
            Joining::Member(node) => (node.clock.clone(), node.lease(), Some(node.link.clone())),
        };
        let bots = Bots::start(
            config.bots,
            config.analysis,
            config.engines,
            store.clone(),
            clock.clone(),
            entropy.clone(),
        );
        bots.register_built_in().await.map_err(|error| recover_error(location.clone(), &error))?;
        let grace = config.clocks.recovery_grace;
        let owner = link.as_ref().map(ClusterLink::node);
        let outages = Arc::new(OutageRecord::new(store.clone(), clock.clone(), grace, owner));
        let table_deps = TableDeps {
            store: store.clone(),
            bus: LocalBus::default(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            changed_tables: Arc::default(),
            close_after: CloseAfter {
                open: config.tables.close_open,
                ended: config.tables.close_ended,
                asleep: config.tables.close_asleep,
            },
            max_resync_events: config.limits.resync_events,
            grace,
            hibernate_after: config.tables.hibernate,
            outages: Arc::clone(&outages),
            bot_runner: Arc::new(bots.clone()),
            cluster: link.clone(),
            lease: lease.clone(),
        };
        let lobby = Lobby::start(table_deps);
        let (announced, ended_matches) = mpsc::channel(ENDED_MATCHES);
        let archive = Archive::new(store.clone()).announcing(announced);
        let rate_limits = Arc::new(RateLimits::new(&config.limits, link.clone()));
        let reviews = Reviews::new(ReviewsDeps {
            config: config.reviews,
            store: store.clone(),
            lobby: lobby.clone(),
            bots: bots.clone(),
            clock: clock.clone(),
            lease: lease.clone(),
            cluster: link.clone(),
        });
        let sessions = Sessions::new(store.clone(), link.clone());
        let presence = match joining {
            Joining::Alone { node, last_alive, .. } => {
                let recovered = lobby.recover(last_alive, grace).await;
                let matches = recovered.map_err(failed)?;
                tracing::info!(matches, "resumed the unfinished matches");
                Presence::Alone(node)
            }
            Joining::Member(node) => {
                lobby.load_past_starts().await.map_err(failed)?;
                tracing::info!(node = %node.link.node(), "joined the cluster");
                let services = NodeServices {
                    lobby: lobby.clone(),
                    archive: archive.clone(),
                    rate_limits: Arc::clone(&rate_limits),
                    reviews: reviews.clone(),
                    sessions: sessions.clone(),
                };
                Presence::Member(node.start(services))
            }
        };
        bots.check_engines();
        let deps = AppDeps {
            lobby: lobby.clone(),
            bots,
            reviews,
            archive,
            sessions,
            guests: Guests::new(store.clone(), entropy.clone(), config.sessions.cookie_lifetime),
            handovers: Handovers::new(store.clone(), entropy.clone()),
            links: Links::new(
                store.clone(),
                entropy.clone(),
                config.links.lifetime,
                config.limits.links_per_table.get(),
            ),
            shares: Shares::new(store.clone(), entropy.clone()),
            clock,
            entropy,
            limits: config.limits,
            rate_limits,
            cookie_lifetime: config.sessions.cookie_lifetime,
            public_url: config.server.public_url,
            trusted_proxies: config.server.trusted_proxies,
            address,
            lease: lease.clone(),
            hosts: config.server.hosts,
        };
        let (leave, move_spread) = (config.server.leave, config.cluster.move_spread);
        Ok(Self {
            listener,
            address,
            location,
            store,
            lobby,
            deps,
            outages,
            ended_matches,
            presence,
            link,
            lease,
            leave,
            move_spread,
        })
    }

    /// Checks whether a server could start with these settings. Changes nothing. It must be
    /// possible to open the database safely. The schema must be current, or a migration must be
    /// possible. All unfinished matches that do not hibernate must be readable, and all engines in
    /// the settings must be able to play.
    ///
    /// # Errors
    /// Returns [`StartError`] if a server could not start. A single match that cannot be read, or a
    /// single engine that cannot play, is an error here. A starting server would only log it.
    pub async fn check(config: &Config) -> Result<CheckResult, StartError> {
        check::check(config).await
    }

    /// Returns the address on which the server listens. If the port in the settings is 0, this
    /// address has the port that the operating system has chosen.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the location of the server's data.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Serves clients until `stop` completes.
    ///
    /// When `stop` completes, the server no longer counts as ready. After the time
    /// `server.leave_seconds`, a node of a cluster serves its clients until they have connected to
    /// other nodes. Then the server accepts no more connections. It finishes the commands that it
    /// has received, sends `closing` to all clients, and closes the database. If another server
    /// takes the database over, this server also ends, and writes nothing more.
    ///
    /// # Errors
    /// Returns an error if the listener fails, or if another server has taken the database over.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> io::Result<()> {
        let Self {
            listener,
            store,
            lobby,
            deps,
            outages,
            ended_matches,
            presence,
            link,
            lease,
            leave,
            move_spread,
            ..
        } = self;
        let clock = deps.clock.clone();
        let owner = link.as_ref().map(ClusterLink::node);
        let waker = Waker::new(lobby.clone(), store.clone(), clock.clone(), owner);
        let connections = OpenConnections::default();
        let clients =
            link.clone().map(|link| Clients { link, clock: clock.clone(), connections: connections.clone() });
        let reconciler = Reconciler::new(lobby.clone(), store.clone()).in_cluster(link);
        let (archive, reviews) = (deps.archive.clone(), deps.reviews.clone());
        let (stop_stage, stages) = watch::channel(StopStage::Serving);
        let stopping = async {
            let stopping = async {
                stop.await;
                tracing::info!("stopping");
                lease.record_shutdown();
                let closes_at = clock.elapsed() + leave + MOVE_LIMIT;
                presence.drain(leave).await;
                if let Some(clients) = clients {
                    clients.move_away(MovePlan { spread: move_spread, closes_at }, &stop_stage).await;
                }
            };
            tokio::select! {
                () = presence.lost() => {}
                () = stopping => {}
            }
            stop_stage.send_replace(StopStage::Closing);
            tokio::time::sleep(DRAIN_TIMEOUT).await;
        };
        let served = tokio::select! {
            never = clock.detect_stalls() => match never {},
            never = reconciler.run() => match never {},
            never = outages.run() => match never {},
            never = waker.run() => match never {},
            never = archive.run() => match never {},
            never = reviews.run(ended_matches) => match never {},
            served = http::serve(listener, deps, ws::routes(), stages, connections) => served,
            () = stopping => {
                tracing::warn!("some connections did not end in time and are cut");
                Ok(())
            }
        };
        if presence.is_lost() {
            return Err(io::Error::other("another server has taken over this database"));
        }
        // Without the lease nothing may be written, and tables that stop would wait for the lease.
        if !lease.is_held() || tokio::time::timeout(DRAIN_TIMEOUT, lobby.stop()).await.is_err() {
            tracing::warn!("stopped while the database stored nothing");
            return served;
        }
        if let Err(error) = outages.record_stall().await {
            tracing::debug!("a stall was not recorded: {}", quadrex_store::error_chain::chain(&error));
        }
        if let Err(error) = store.record_heartbeat(clock.now()).await {
            tracing::debug!(
                "the last heartbeat was not stored: {}",
                quadrex_store::error_chain::chain(&error)
            );
        }
        presence.leave().await;
        store.close().await;
        drop(presence);
        tracing::info!("stopped");
        served
    }
}

/// A server that has acquired the right to use its database, and has no lobby yet.
enum Joining {
    Alone { node: Node, clock: Clock, lease: Lease, last_alive: Option<Timestamp> },
    Member(Box<JoinedNode>),
}

/// Returns a clock that is not earlier than the last heartbeat in the store, even if the system's
/// time was set back. No logged event is therefore later than the time of the clock.
async fn clock_after_heartbeat(clock: Clock, store: &Store) -> Result<Clock, StoreError> {
    let Some(last) = store.last_heartbeat().await? else { return Ok(clock) };
    let behind = last.since(clock.now());
    if !behind.is_zero() {
        tracing::warn!(
            ?behind,
            "the system's time was set back: the server's continues from the last heartbeat"
        );
    }
    Ok(clock.not_before(last))
}

async fn connect(config: &Config) -> Result<(Location, Store), StartError> {
    let location = Location::parse(&config.database.url, &config.server.data)?;
    let location = location.with_password_file(&config.database.password_file)?;
    let grouping =
        CommitGrouping { connections: config.database.append_connections, ..CommitGrouping::default() };
    let store = Store::connect_with(&location, config.database.max_connections, grouping).await?;
    Ok((location, store))
}

fn recover_error(location: Location, error: &StoreError) -> StartError {
    StartError::Recover { location, reason: quadrex_store::error_chain::chain(error) }
}
