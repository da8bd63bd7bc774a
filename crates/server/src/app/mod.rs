//! A whole server. It is created from its settings and runs until it is stopped.

mod check;
mod clients;
mod cluster;
mod metrics;
mod node;
mod process_metrics;
mod reconciler;
mod retention;
#[cfg(feature = "simulation")]
mod simulated;
mod start;
mod waker;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};

use crate::actor::OutageRecord;
use crate::bots::Unfit;
use crate::cluster::ClusterLink;
use crate::config::{Config, RetentionConfig};
use crate::http::{self, AppDeps, Listeners, Tls};
use crate::lease::Lease;
use crate::lobby::Lobby;
use crate::mail::MailConfigError;
use crate::providers::ProviderSecretError;
use crate::stop::{MovePlan, OpenConnections, StopStage};
use crate::ws;
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::archive::MatchSummary;
use quadrex_store::{ConnectError, Location, NodeId, Store, StoreError};

use clients::{Clients, MOVE_LIMIT};
use cluster::{ClusterNode, NodeNetwork};
use metrics::{MetricsServer, MetricsSource};
use node::Node;
use start::{ServerStart, StartClaim};

pub use crate::http::TlsError;
pub use check::{CheckResult, CheckedCertificate, DatabaseContent};
pub use reconciler::{Count, Reconciler};
use retention::Retention;
#[cfg(feature = "simulation")]
pub use simulated::SimulatedSurroundings;
pub use waker::Waker;

/// The time within which all connections have to end when the server stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

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
    /// The certificate or the key cannot be used.
    #[error("tls: {0}")]
    Tls(#[from] TlsError),
    /// A standby server cannot have TLS, because a proxy routes to the servers by health checks.
    #[error("tls.certificate, acme.enabled: a standby server needs a proxy, which does TLS")]
    StandbyTls,
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
    /// The secret of a provider cannot be read.
    #[error(transparent)]
    ProviderSecret(#[from] ProviderSecretError),
    /// The settings of mail cannot be used.
    #[error(transparent)]
    Mail(#[from] MailConfigError),
    /// The database failed, or its unfinished matches cannot be read.
    #[error("{location}: {reason}")]
    Database {
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
    listeners: Listeners,
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
    retention: RetentionConfig,
    metrics: Option<MetricsServer>,
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

/// A standby server. It listens on its address, and waits until no other server runs on its
/// database.
#[derive(Debug)]
pub struct Standby {
    listener: TcpListener,
    address: SocketAddr,
    location: Location,
    config: Config,
    metrics: Option<MetricsServer>,
}

impl Standby {
    /// Starts to listen on the address in the settings.
    ///
    /// # Errors
    /// Returns [`StartError`] if the address is in use, or the settings name no database.
    pub async fn bind(config: Config) -> Result<Self, StartError> {
        if config.has_tls() {
            return Err(StartError::StandbyTls);
        }
        let location = config.location()?;
        let (listener, address) = listen(config.server.bind).await?;
        let metrics = MetricsServer::start(config.metrics.address).await?;
        Ok(Self { listener, address, location, config, metrics })
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
        let Self { listener, address, location, config, metrics } = self;
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
        let listeners = Listeners { listener: listener.into(), tls: None, redirect: None };
        let (claim, network) = (StartClaim::Lock(lock), NodeNetwork::Nats);
        let start = ServerStart { listeners, address, location, claim, network, metrics };
        start.start(config, clock, entropy).await
    }
}

async fn listen(bind: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let listen_error = |source| StartError::Listen { address: bind, source };
    let listener = TcpListener::bind(bind).await.map_err(listen_error)?;
    let address = listener.local_addr().map_err(listen_error)?;
    Ok((listener, address))
}

/// Listens on the address on which plain HTTP is redirected, if the settings have one.
async fn redirect(config: &Config) -> Result<Option<(TcpListener, String)>, StartError> {
    let (Some(address), Some(public_url)) = (config.tls.redirect, &config.server.public_url) else {
        return Ok(None);
    };
    let (listener, address) = listen(address).await?;
    tracing::info!("http://{address} is redirected to {public_url}");
    Ok(Some((listener, public_url.origin().to_owned())))
}

/// Keeps the certificate current, if there is one.
async fn keep_certificate(tls: Option<&Tls>, clock: &Clock) -> Infallible {
    match tls {
        Some(tls) => tls.keep_current(clock).await,
        None => std::future::pending().await,
    }
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
        let tls = Tls::load(&config)?;
        let (listener, address) = listen(config.server.bind).await?;
        let redirect = redirect(&config).await?;
        let listeners = Listeners { listener: listener.into(), tls, redirect };
        let location = config.location()?;
        let claim = if config.cluster.is_enabled() {
            StartClaim::Node(NodeId(entropy.uuid(clock.now())))
        } else {
            StartClaim::Lock(node::acquire(&location, &clock, &entropy).await?)
        };
        let metrics = MetricsServer::start(config.metrics.address).await?;
        let network = NodeNetwork::Nats;
        let start = ServerStart { listeners, address, location, claim, network, metrics };
        start.start(config, clock, entropy).await
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

    /// Returns the clock by which the server measures the time of players.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.deps.clock
    }

    /// Returns whether the server itself has TLS.
    #[must_use]
    pub fn has_tls(&self) -> bool {
        self.listeners.tls.is_some()
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
            listeners,
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
            retention,
            metrics,
            ..
        } = self;
        let tls = listeners.tls.clone();
        let clock = deps.clock.clone();
        let owner = link.as_ref().map(ClusterLink::node);
        let waker = Waker::new(lobby.clone(), store.clone(), clock.clone(), owner);
        let connections = OpenConnections::default();
        if let Some(metrics) = &metrics {
            metrics.set_source(MetricsSource {
                lobby: lobby.clone(),
                bots: deps.bots.clone(),
                notifications: deps.notifications.clone(),
                lease: lease.clone(),
                connections: connections.clone(),
                link: link.clone(),
                tls: tls.clone(),
            });
        }
        let clients =
            link.clone().map(|link| Clients { link, clock: clock.clone(), connections: connections.clone() });
        let reconciler = Reconciler::new(lobby.clone(), store.clone()).in_cluster(link);
        let retention =
            Retention { config: retention, store: store.clone(), clock: clock.clone(), lease: lease.clone() };
        let (archive, reviews) = (deps.archive.clone(), deps.reviews.clone());
        let (notifications, mail) = (deps.notifications.clone(), deps.mail.clone());
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
            never = retention.run() => match never {},
            never = reviews.run(ended_matches) => match never {},
            never = notifications.run() => match never {},
            never = mail.run() => match never {},
            never = keep_certificate(tls.as_ref(), &clock) => match never {},
            served = http::serve(listeners, deps, ws::routes(), stages, connections) => served,
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

fn database_error(location: Location, error: &StoreError) -> StartError {
    StartError::Database { location, reason: quadrex_store::error_chain::chain(error) }
}
