//! The start of a server.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::cluster::{JoinedNode, NodeJoining, NodeNetwork, NodeServices};
use super::metrics::MetricsServer;
use super::node::Node;
use super::{Presence, Server, StartError, database_error};
use crate::actor::{OutageRecord, StartedTurns, TableDeps};
use crate::archive::Archive;
use crate::auth::{
    AccessTokens, Accounts, Guests, Handovers, Invitations, Links, Operators, RecoveryKeys, Sessions, Shares,
    UserSearch,
};
use crate::bots::Bots;
use crate::bus::LocalBus;
use crate::cluster::ClusterLink;
use crate::config::Config;
use crate::fair_play::FairPlay;
use crate::http::{AppDeps, Listeners};
use crate::lease::Lease;
use crate::limits::RateLimits;
use crate::lobby::Lobby;
use crate::mail::{Mail, MailDeps, Mailer};
use crate::moderation::{Reports, Warnings};
use crate::notifications::{Notifications, NotificationsDeps};
use crate::outgoing::OutgoingHttp;
use crate::people::{Groups, Relations, Vacations};
use crate::providers::Providers;
use crate::reviews::{Reviews, ReviewsDeps};
use quadrex_clock::{Clock, Entropy};
use quadrex_rules::Timestamp;
use quadrex_store::{CommitGrouping, Location, NodeId, ServerLock, Store, StoreError};
use quadrex_table::CloseAfter;

/// The maximum number of ended matches that wait to be queued for a review. Further matches are
/// reviewed only on request.
const ENDED_MATCHES: usize = 1_024;

/// The claim with which a server starts.
pub(super) enum StartClaim {
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

/// A server that listens and has acquired the right to use its database.
pub(super) struct ServerStart {
    pub(super) listeners: Listeners,
    pub(super) address: SocketAddr,
    pub(super) location: Location,
    pub(super) claim: StartClaim,
    pub(super) network: NodeNetwork,
    pub(super) metrics: Option<MetricsServer>,
}

impl ServerStart {
    /// Opens the database, and resumes the unfinished matches.
    ///
    /// # Errors
    /// Returns [`StartError`] if the server cannot start.
    pub(super) async fn start(
        self,
        config: Config,
        clock: Clock,
        entropy: Entropy,
    ) -> Result<Server, StartError> {
        let Self { listeners, address, location, claim, network, metrics } = self;
        let store = connect(&config, &location).await?;
        let store = store.owned_by(claim.node());
        let failed = |error: StoreError| database_error(location.clone(), &error);
        let joining = match claim {
            StartClaim::Lock(lock) => {
                let clock = clock_after_heartbeat(clock, &store).await.map_err(failed)?;
                // The first renewal of the lease overwrites the last heartbeat, so the heartbeat is
                // read here.
                let last_alive = store.last_heartbeat().await.map_err(failed)?;
                let lease = Lease::new();
                let node = Node::start(lock, store.clone(), clock.clone(), lease.clone()).await;
                Joining::Alone { node: Box::new(node.map_err(failed)?), clock, lease, last_alive }
            }
            StartClaim::Node(id) => {
                let joining =
                    NodeJoining { config: &config, location: &location, store: store.clone(), id, clock };
                Joining::Member(Box::new(joining.join(network, &entropy).await?))
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
        bots.register_built_in().await.map_err(|error| database_error(location.clone(), &error))?;
        let grace = config.clocks.recovery_grace;
        let owner = link.as_ref().map(ClusterLink::node);
        let outages = Arc::new(OutageRecord::new(store.clone(), clock.clone(), grace, owner));
        let started_turns = Arc::<StartedTurns>::default();
        let fair_play = FairPlay::new(store.clone(), config.fair_play);
        let table_deps = TableDeps {
            store: store.clone(),
            bus: LocalBus::default(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            changed_tables: Arc::default(),
            started_turns: Arc::clone(&started_turns),
            close_after: CloseAfter {
                open: config.tables.close_open,
                ended: config.tables.close_ended,
                asleep: config.tables.close_asleep,
                never_started: Some(config.retention.open_tables).filter(|time| !time.is_zero()),
            },
            max_resync_events: config.limits.resync_events,
            grace,
            hibernate_after: config.tables.hibernate,
            outages: Arc::clone(&outages),
            fair_play: fair_play.clone(),
            bot_runner: Arc::new(bots.clone()),
            cluster: link.clone(),
            lease: lease.clone(),
        };
        let lobby = Lobby::start(table_deps);
        let (announced, ended_matches) = mpsc::channel(ENDED_MATCHES);
        let archive = Archive::new(store.clone())
            .announcing(announced)
            .notifying(clock.clone(), config.notifications.delay);
        let http = OutgoingHttp::new(&config.outgoing);
        let providers = Providers::new(&config.providers, store.clone(), entropy.clone(), http.clone())?;
        let mail = Mail::new(MailDeps {
            mailer: Mailer::new(&config.mail, config.server.public_url.as_ref())?,
            store: store.clone(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            lease: lease.clone(),
        });
        let notifications = Notifications::new(NotificationsDeps {
            config: config.notifications,
            public_url: config.server.public_url.clone(),
            store: store.clone(),
            lobby: lobby.clone(),
            http,
            mail: mail.clone(),
            mail_delay: config.mail.delay,
            clock: clock.clone(),
            entropy: entropy.clone(),
            lease: lease.clone(),
            started_turns,
        });
        let notifications = notifications.await.map_err(failed)?;
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
                let last_alive = last_alive.filter(|_| !quadrex_runtime::has_planted!(RefundOnRestart));
                let recovered = lobby.recover(last_alive, grace).await;
                let matches = recovered.map_err(failed)?;
                tracing::info!(matches, "resumed the unfinished matches");
                Presence::Alone(*node)
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
        let operators = Operators::new(&config.operators.accounts);
        let accounts = Accounts::new(store.clone(), entropy.clone(), operators.clone(), &config.accounts);
        accounts.warn_of_missing(&config.operators.accounts).await.map_err(failed)?;
        let links = Links::new(
            store.clone(),
            entropy.clone(),
            config.links.lifetime,
            config.limits.links_per_table.get(),
        );
        let deps = AppDeps {
            lobby: lobby.clone(),
            bots,
            reviews,
            archive,
            sessions,
            guests: Guests::new(store.clone(), entropy.clone(), config.sessions.cookie_lifetime),
            handovers: Handovers::new(store.clone(), entropy.clone()),
            accounts,
            accounts_config: config.accounts,
            providers,
            operators,
            user_search: UserSearch::new(store.clone()),
            reports: Reports::new(store.clone()),
            warnings: Warnings::new(store.clone()),
            access_tokens: AccessTokens::new(store.clone(), entropy.clone()),
            recovery_keys: RecoveryKeys::new(store.clone(), entropy.clone()),
            relations: Relations::new(store.clone()),
            fair_play,
            vacations: Vacations::new(store.clone(), config.correspondence.vacation_days_per_year),
            groups: Groups::new(store.clone()),
            invitations: Invitations::new(store.clone(), links.clone()),
            notifications,
            mail,
            links,
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
        let retention = config.retention;
        Ok(Server {
            listeners,
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
            retention,
            metrics,
        })
    }
}

/// A server that has acquired the right to use its database, and has no lobby yet.
enum Joining {
    Alone { node: Box<Node>, clock: Clock, lease: Lease, last_alive: Option<Timestamp> },
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

async fn connect(config: &Config, location: &Location) -> Result<Store, StartError> {
    let grouping =
        CommitGrouping { connections: config.database.append_connections, ..CommitGrouping::default() };
    Ok(Store::connect_with(location, config.database.max_connections, grouping).await?)
}
