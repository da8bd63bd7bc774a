//! The membership of a server in a cluster: it joins, owns its share of the matches, answers the
//! other nodes, and leaves.

mod dispatcher;
mod driver;
mod revocations;

use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy, TimeSample};
use quadrex_cluster::membership::{Action, Membership, NodeSettings};
#[cfg(feature = "simulation")]
use quadrex_cluster::{ChaosNetwork, LinkEvent};
use quadrex_cluster::{
    ClusterKey, ClusterMessenger, Credentials, Inbox, NatsMessenger, NatsOptions, TlsOptions,
};
use quadrex_store::error_chain::chain;
use quadrex_store::{Location, NodeId, NodeSession, Outcome, Store};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::StartError;
use crate::archive::Archive;
use crate::auth::Sessions;
use crate::cluster::{ClusterLink, LinkParts, OwnershipRequest};
use crate::config::{ClusterConfig, Config};
use crate::lease::Lease;
use crate::limits::RateLimits;
use crate::lobby::Lobby;
use crate::reviews::Reviews;

use dispatcher::Dispatcher;
use driver::Driver;

/// The largest time that a node waits for the other nodes to take its matches over, after load
/// balancers have noticed that it stops.
const DRAIN_LIMIT: Duration = Duration::from_secs(60);

/// The time for which a node that leaves waits until its row is removed.
const LEAVE_LIMIT: Duration = Duration::from_secs(5);

/// The time between two polls of a node that is about to join.
const JOIN_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The time after which a node that is about to join gives a statement without an answer up.
const JOIN_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The services of a server that the other nodes use.
#[derive(Clone, Debug)]
pub(super) struct NodeServices {
    pub(super) lobby: Lobby,
    pub(super) archive: Archive,
    pub(super) rate_limits: Arc<RateLimits>,
    pub(super) reviews: Reviews,
    pub(super) sessions: Sessions,
}

/// A node that has joined its cluster, and does not claim matches yet.
#[derive(Debug)]
pub(super) struct JoinedNode {
    pub(super) link: ClusterLink,
    /// The clock, which follows the time of the database.
    pub(super) clock: Clock,
    membership: Membership,
    session: Arc<NodeSession>,
    inbox: Inbox,
    requests: mpsc::UnboundedReceiver<OwnershipRequest>,
    requester: mpsc::UnboundedSender<OwnershipRequest>,
    lease: Lease,
    store: Store,
    /// The last session that had ended before the node joined.
    last_revocation: u64,
}

/// The state of a node, as its tasks publish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeStatus {
    /// The node owns matches.
    Serving,
    /// The other nodes have taken all matches over.
    Drained,
    /// The node has left the cluster.
    Left,
    /// Other nodes have declared this node dead.
    Dead,
}

/// A node of a cluster. Dropping it ends its tasks.
#[derive(Debug)]
pub(super) struct ClusterNode {
    status: watch::Receiver<NodeStatus>,
    /// The sender of the wanted state.
    wish: watch::Sender<Wish>,
    tasks: Vec<JoinHandle<()>>,
}

/// The wanted state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// Own matches.
    Serve,
    /// Give all matches to other nodes, and pass the requests of clients on to them.
    Drain,
    /// Leave the cluster.
    Leave,
}

/// The network over which the nodes of a cluster exchange messages.
pub(super) enum NodeNetwork {
    /// The NATS server in the settings.
    Nats,
    /// The network of a simulation.
    #[cfg(feature = "simulation")]
    Simulated(ChaosNetwork),
}

impl NodeNetwork {
    /// Connects a node to the other nodes. `key` is the secret of the cluster.
    async fn connect(
        self,
        config: &ClusterConfig,
        id: NodeId,
        key: ClusterKey,
    ) -> Result<(Arc<dyn ClusterMessenger>, Inbox), StartError> {
        match self {
            Self::Nats => {
                let options = nats_options(config).await?;
                let (messenger, inbox) = NatsMessenger::connect(options, id, key).await?;
                Ok((Arc::new(messenger), inbox))
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(network) => {
                let (messenger, inbox) = network.join(id);
                network.report(id, LinkEvent::Connected);
                Ok((Arc::new(messenger), inbox))
            }
        }
    }
}

/// A node that is about to join its cluster.
pub(super) struct NodeJoining<'a> {
    pub(super) config: &'a Config,
    pub(super) location: &'a Location,
    pub(super) store: Store,
    pub(super) id: NodeId,
    pub(super) clock: Clock,
}

impl NodeJoining<'_> {
    /// Joins the cluster. Waits until the node holds its lease.
    ///
    /// # Errors
    /// Returns [`StartError`] if the settings cannot be used, or if a server without a cluster uses
    /// the database.
    pub(super) async fn join(
        self,
        network: NodeNetwork,
        entropy: &Entropy,
    ) -> Result<JoinedNode, StartError> {
        let Self { config, location, store, id, clock } = self;
        let fresh = entropy.bytes();
        let key = store.cluster_key(fresh).await;
        let key = key.map_err(|error| super::database_error(location.clone(), &error))?;
        let last_revocation = store.last_revocation().await;
        let last_revocation =
            last_revocation.map_err(|error| super::database_error(location.clone(), &error))?;
        let (messenger, inbox) = network.connect(&config.cluster, id, ClusterKey::new(key)).await?;
        let session = NodeSession::new(location, &store)?;
        let settings = NodeSettings {
            name: quadrex_runtime::process_name(),
            engines: config.engines.keys().cloned().collect(),
            leave_wait: config.server.leave,
        };
        let lease = Lease::new();
        let mut membership = Membership::new(id, settings, lease.elapsed());
        membership.set_has_clients(true);
        let clock = register(&mut membership, &session, &lease, clock, location).await?;
        let (requester, requests) = mpsc::unbounded_channel();
        let link = ClusterLink::new(LinkParts { messenger, requests: requester.clone() });
        link.set_nodes(membership.nodes());
        let session = Arc::new(session);
        Ok(JoinedNode {
            link,
            clock,
            membership,
            session,
            inbox,
            requests,
            requester,
            lease,
            store,
            last_revocation,
        })
    }
}

impl JoinedNode {
    pub(super) fn lease(&self) -> Lease {
        self.lease.clone()
    }

    /// Starts to claim matches, and to answer the other nodes.
    pub(super) fn start(self, services: NodeServices) -> ClusterNode {
        let Self {
            link,
            clock,
            membership,
            session,
            inbox,
            requests,
            requester,
            lease,
            store,
            last_revocation,
        } = self;
        let (status_sender, status) = watch::channel(NodeStatus::Serving);
        let (wish, wishes) = watch::channel(Wish::Serve);
        let fenced_lease = lease.clone();
        let NodeServices { lobby, archive, sessions, .. } = services.clone();
        let dispatcher = Dispatcher::new(link.clone(), services, inbox, requester, lease.clone());
        let revocations = revocations::follow(store.clone(), sessions, last_revocation);
        let driver = Driver::new(driver::Parts {
            link,
            lobby,
            archive,
            clock,
            membership,
            session,
            requests,
            lease,
            store,
            status: status_sender,
            wishes,
        });
        let tasks = vec![
            quadrex_runtime::spawn(driver.run()),
            quadrex_runtime::spawn(dispatcher.run()),
            quadrex_runtime::spawn(revocations),
            quadrex_runtime::spawn(async move { fenced_lease.update_fenced().await }),
        ];
        ClusterNode { status, wish, tasks }
    }
}

impl ClusterNode {
    /// Waits until other nodes have declared this node dead.
    pub(super) async fn lost(&self) {
        let mut status = self.status.clone();
        if status.wait_for(|status| *status == NodeStatus::Dead).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Returns whether other nodes have declared this node dead.
    pub(super) fn is_lost(&self) -> bool {
        *self.status.borrow() == NodeStatus::Dead
    }

    /// Gives all matches to other nodes, as far as there are any. The node stays in the cluster.
    /// `leave` is the time until load balancers have noticed that it stops.
    pub(super) async fn drain(&self, leave: Duration) {
        self.wish.send_replace(Wish::Drain);
        self.wait_until(|status| status != NodeStatus::Serving, leave + DRAIN_LIMIT).await;
    }

    /// Leaves the cluster. Must be called after all other writes.
    pub(super) async fn leave(&self) {
        self.wish.send_replace(Wish::Leave);
        self.wait_until(|status| status == NodeStatus::Left, LEAVE_LIMIT).await;
    }

    async fn wait_until(&self, is_reached: impl Fn(NodeStatus) -> bool, limit: Duration) {
        let mut status = self.status.clone();
        let reached = status.wait_for(|status| is_reached(*status) || *status == NodeStatus::Dead);
        if tokio::time::timeout(limit, reached).await.is_err() {
            tracing::warn!("the node did not leave the cluster in time");
        }
    }
}

impl Drop for ClusterNode {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// Registers a node and acquires its lease. Returns the clock, which follows the time of the
/// database.
async fn register(
    membership: &mut Membership,
    session: &NodeSession,
    lease: &Lease,
    clock: Clock,
    location: &Location,
) -> Result<Clock, StartError> {
    let mut sample = None;
    loop {
        for action in membership.poll(lease.elapsed()) {
            match action {
                Action::Execute { number, statement } => {
                    let sent = clock.elapsed();
                    let answer = tokio::time::timeout(JOIN_ANSWER_TIMEOUT, session.execute(&statement));
                    let outcome = match answer.await {
                        Ok(Ok(outcome)) => Some(outcome),
                        Ok(Err(error)) => {
                            tracing::warn!("the node cannot join the cluster yet: {}", chain(&error));
                            None
                        }
                        Err(_) => {
                            tracing::warn!("the node cannot join the cluster yet: the database is silent");
                            session.reset();
                            None
                        }
                    };
                    if let Some(Outcome::Renewed { at }) = outcome {
                        sample = Some(TimeSample { sent, received: clock.elapsed(), time: at });
                    }
                    membership.handle_outcome(number, outcome, lease.elapsed());
                }
                Action::ReportRefusal => {
                    let holder = " without a cluster".to_owned();
                    return Err(StartError::Taken { holder, location: location.clone() });
                }
                Action::ResetSession => session.reset(),
                _ => {}
            }
        }
        if let Some(sample) = sample
            && membership.is_serving()
            && !membership.nodes().is_empty()
        {
            set_lease(lease, membership);
            return Ok(clock.follow(sample));
        }
        tokio::time::sleep(JOIN_POLL_INTERVAL).await;
    }
}

/// Passes the node's lease on to the tasks that need it.
fn set_lease(lease: &Lease, membership: &Membership) {
    if let Some(until) = membership.lease().until() {
        lease.set(until.saturating_sub(quadrex_cluster::membership::FENCE), until);
    }
}

async fn nats_options(config: &ClusterConfig) -> Result<NatsOptions, StartError> {
    let ClusterConfig {
        nats, name, user, password_file, ca_file, certificate_file, key_file, insecure, ..
    } = config;
    let path = |path: &std::path::PathBuf| (!path.as_os_str().is_empty()).then(|| path.clone());
    let secret = match path(password_file) {
        Some(file) => {
            let text = tokio::fs::read_to_string(&file).await;
            let text = text.map_err(|source| StartError::ClusterSecret { file, source })?;
            Some(text.trim_end_matches(['\r', '\n']).to_owned())
        }
        None => None,
    };
    let credentials = match secret {
        None => Credentials::None,
        Some(token) if user.is_empty() => Credentials::Token(token),
        Some(password) => Credentials::UserAndPassword { user: user.clone(), password },
    };
    Ok(NatsOptions {
        servers: nats.clone(),
        cluster: name.clone(),
        credentials,
        tls: TlsOptions { authorities: path(ca_file), identity: path(certificate_file).zip(path(key_file)) },
        allow_unencrypted: *insecure,
    })
}
