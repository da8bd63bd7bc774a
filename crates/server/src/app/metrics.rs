//! The metrics of a server for Prometheus: those that its parts count, and those that are read when
//! somebody requests the metrics.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use quadrex_metrics::{Define, Part};
use quadrex_store::NodeState;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::{StartError, listen, process_metrics};
use crate::bots::Bots;
use crate::cluster::ClusterLink;
use crate::http::{self, Tls};
use crate::lease::Lease;
use crate::lobby::{Lobby, TableCounts};
use crate::notifications::Notifications;
use crate::stop::OpenConnections;
use crate::telemetry::metrics::METRICS;

/// The longest wait for the numbers of a cluster, which come from the task of the membership.
const CLUSTER_PATIENCE: Duration = Duration::from_secs(1);

/// The parts of a server whose values are read for each request.
#[derive(Clone, Debug)]
pub(super) struct MetricsSource {
    pub(super) lobby: Lobby,
    pub(super) bots: Bots,
    pub(super) notifications: Notifications,
    pub(super) lease: Lease,
    pub(super) connections: OpenConnections,
    pub(super) link: Option<ClusterLink>,
    pub(super) tls: Option<Tls>,
}

/// The task that serves the metrics. It ends when this value is dropped.
#[derive(Debug)]
pub(super) struct MetricsServer {
    source: watch::Sender<Option<MetricsSource>>,
    task: JoinHandle<()>,
}

impl MetricsServer {
    /// Starts to serve the metrics of a server that has not started yet. Does nothing without an
    /// address.
    ///
    /// # Errors
    /// Returns [`StartError`] if the address is in use.
    pub(super) async fn start(address: Option<SocketAddr>) -> Result<Option<Self>, StartError> {
        let Some(address) = address else { return Ok(None) };
        let (listener, address) = listen(address).await?;
        tracing::info!("metrics are at http://{address}/metrics");
        let (source, sources) = watch::channel(None);
        let text = move || {
            let source = sources.borrow().clone();
            async move { text(source.as_ref()).await }.boxed()
        };
        let task = quadrex_runtime::spawn(http::serve_metrics(listener, Arc::new(text)));
        Ok(Some(Self { source, task }))
    }

    /// Serves also the metrics of this server, which has started.
    pub(super) fn set_source(&self, source: MetricsSource) {
        self.source.send_replace(Some(source));
    }
}

impl Drop for MetricsServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns the metrics as text.
async fn text(source: Option<&MetricsSource>) -> String {
    let mut text = String::with_capacity(32 * 1024);
    METRICS.write(&mut text);
    quadrex_store::write_metrics(&mut text);
    quadrex_cluster::write_metrics(&mut text);
    Part::new("quadrex", define_process).write(&mut text);
    Part::new("process", process_metrics::define).write(&mut text);
    if let Some(source) = source {
        let owned = source.owned_matches().await;
        let waiting = source.waiting_notifications().await;
        Part::new("quadrex", |define| source.define(owned, &waiting, define)).write(&mut text);
    }
    text
}

fn define_process(define: &mut Define<'_>) {
    define.info("build", "The program", &[("version", env!("CARGO_PKG_VERSION").to_owned())]);
    let tasks = Handle::current().metrics().num_alive_tasks();
    define.gauge("runtime_tasks", "Tasks of the runtime", tasks);
}

impl MetricsSource {
    /// Returns the number of matches that this node owns; `None` without a cluster.
    async fn owned_matches(&self) -> Option<usize> {
        let owned = self.link.as_ref()?.owned();
        // The task of the membership has ended if the node has left the cluster.
        tokio::time::timeout(CLUSTER_PATIENCE, owned).await.ok().map(|owned| owned.len())
    }

    /// Returns the numbers of notifications that wait, by channel. Returns none if the database does
    /// not answer.
    async fn waiting_notifications(&self) -> Vec<(&'static str, usize)> {
        let waiting = tokio::time::timeout(CLUSTER_PATIENCE, self.notifications.waiting()).await;
        waiting.unwrap_or_default()
    }

    fn define(&self, owned: Option<usize>, notifications: &[(&'static str, usize)], define: &mut Define<'_>) {
        let Self { lobby, bots, lease, connections, link, tls, .. } = self;
        let is_ready = lease.unready_reason().is_none();
        define.gauge("ready", "1 if the server is ready, as at /readyz", usize::from(is_ready));
        define.seconds("lease_age", "Time since the last renewal of the lease on the database", lease.age());
        define.gauge("connections", "Open WebSockets", connections.count());
        define.gauge("online_users", "People with an open connection", lobby.online_count() as usize);
        define.gauge("table_subscriptions", "Subscriptions of clients to tables", lobby.subscription_count());
        let TableCounts { proxies, open, running, ended } = lobby.table_counts();
        define.gauge_by(
            "tables",
            "Tables in the memory of this server, by the state of their match; those of other nodes are proxies",
            "state",
            &[("open", open), ("running", running), ("ended", ended), ("proxy", proxies)],
        );
        let waiting = bots.waiting_searches();
        define.gauge_by(
            "searches_waiting",
            "Searches that wait for a thread, by urgency",
            "urgency",
            &waiting,
        );
        define.gauge_by(
            "notifications_waiting",
            "Notifications in the queue that all servers share, by channel",
            "channel",
            notifications,
        );
        if let Some(expiry) = tls.as_ref().and_then(Tls::valid_until) {
            let expiry = Duration::from_millis(expiry.as_millis());
            define.seconds(
                "certificate_expiry_timestamp",
                "Expiry of the server's certificate since the Unix epoch",
                expiry,
            );
        }
        if let Some(link) = link {
            define_cluster(link, owned, define);
        }
    }
}

fn define_cluster(link: &ClusterLink, owned: Option<usize>, define: &mut Define<'_>) {
    let nodes = link.nodes();
    let count = |state| nodes.iter().filter(|node| node.state == state).count();
    define.gauge_by(
        "cluster_nodes",
        "Nodes of the cluster as this one sees them, by state",
        "state",
        &[
            ("serving", count(NodeState::Serving)),
            ("draining", count(NodeState::Draining)),
            ("dead", count(NodeState::Dead)),
        ],
    );
    let is_connected = usize::from(link.is_connected());
    define.gauge("cluster_nats_connected", "1 if the node is connected to the NATS server", is_connected);
    if let Some(owned) = owned {
        define.gauge("cluster_owned_matches", "Unfinished matches that this node owns", owned);
    }
}
