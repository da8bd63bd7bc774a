//! The actor of the lobby. It runs the actors of tables, and publishes changes of the public tables
//! to the connections that watch the lobby.

mod hibernation;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use quadrex_cluster::NodeId;
use quadrex_cluster::message::MessageBody;
use quadrex_protocol::http::{Activity, InvitationView};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, ServerFrame, TableId, UserId};
use quadrex_rules::Timestamp;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{self, JoinSet};
use tracing::Instrument;

use super::activity::Online;
use super::cluster_lists::ClusterLists;
use super::endpoints::{Endpoints, Role, TableServer};
use super::hand_overs::{HandOvers, HandedOver};
use super::index::{Index, ListedTables, TablePage};
use super::own_tables::{OwnTables, own_table};
use super::quick_join::{Wish, fitting};
use super::window::Window;
use crate::actor::{
    NodeMessage, ProxyServer, ServeEnd, Served, TableActor, TableDeps, TableEndpoint, TableHandle,
    TableOverview,
};
use crate::bus::{Channel, Frame, Listener, Subscription};
use crate::telemetry::metrics::METRICS;
use quadrex_store::ListedHibernation;
use quadrex_table::frames::encode;

use hibernation::Preview;

/// The capacity of the lobby's mailbox, in messages.
pub(super) const MAILBOX: usize = 256;

/// The time between the change of a table and its publication. Further changes within this time are
/// published together with the first one.
const TABLES_DELAY: Duration = Duration::from_millis(200);

/// The shortest time between two previews. Without this limit, each move at a table would cause a
/// preview.
const PREVIEW_INTERVAL: Duration = Duration::from_secs(1);

/// The largest number of people at tables with open seats that this node names to the other nodes.
const MAX_REACHABLE: usize = 1_000;

/// The largest number of tables in the first frame of a subscription to a user's own tables.
pub(super) const MAX_OWN_TABLES: usize = 100;

/// A request to the lobby.
#[derive(Debug)]
pub(super) enum Message {
    /// Returns a handle to a table that has an actor.
    Find { table: TableId, answer: oneshot::Sender<Option<TableHandle>> },
    /// Starts the actor or the proxy of a table, unless the table has one. An actor replaces a proxy.
    /// `is_new` is true if the table was just created.
    Spawn { server: TableServer, is_new: bool, answer: oneshot::Sender<TableHandle> },
    /// Ends the actors of these matches, which other nodes will take over. Returns the ended ones
    /// once they have ended.
    HandOver { matches: HashSet<MatchId>, answer: oneshot::Sender<Vec<HandedOver>> },
    /// Handles a message of another node about the tables of the nodes.
    FromNode { from: NodeId, body: Box<MessageBody> },
    /// Handles the death of a node.
    NodeDied { node: NodeId },
    /// Returns a page of the public tables.
    List { page: TablePage, answer: oneshot::Sender<ListedTables> },
    /// Returns the tables that fit a quick join, best first.
    Fitting { wish: Wish, answer: oneshot::Sender<Vec<TableId>> },
    /// Returns the overviews of these tables, in the same order. A table without an actor has none.
    Overviews { tables: Vec<TableId>, answer: oneshot::Sender<Vec<Option<TableOverview>>> },
    /// Returns the frame with the public tables that the lobby shows, and subscribes a listener to
    /// changes.
    Watch { listener: Arc<dyn Listener<Frame>>, answer: oneshot::Sender<(Frame, Subscription<Frame>)> },
    /// Returns the frame with the tables of a user, and subscribes a listener to their changes.
    /// `hibernating` are those of the tables that had no actor.
    WatchOwn {
        user: UserId,
        hibernating: Vec<TableOverview>,
        listener: Arc<dyn Listener<Frame>>,
        answer: oneshot::Sender<(Frame, Subscription<Frame>)>,
    },
    /// Publishes the invitations of users to their connections.
    PublishInvitations { lists: Vec<(UserId, Vec<InvitationView>)> },
    /// Adds the numbers of public matches that began before the server started, by the hour.
    AddPastStarts { starts: Vec<(Timestamp, u32)> },
    /// Adds hibernating tables that the lobby lists.
    AddHibernating { tables: Vec<ListedHibernation> },
    /// Stops all tables, and then the lobby.
    Stop { answer: oneshot::Sender<()> },
}

/// The state of the lobby.
#[derive(Debug)]
pub(super) struct Lobby {
    deps: TableDeps,
    online: Arc<Online>,
    endpoints: Endpoints,
    /// The actors that replace the proxies of their tables as soon as the proxies have ended.
    successors: HashMap<TableId, Box<TableActor>>,
    /// The requests to hand tables over that are not answered yet.
    hand_overs: HandOvers,
    /// The tables of all nodes, if the server belongs to a cluster.
    lists: Option<ClusterLists>,
    index: Index,
    own_tables: OwnTables,
    /// The tasks that serve the endpoints of tables. A task gives its endpoint back when it ends.
    servers: JoinSet<Served>,
    /// The table of each task.
    tasks: HashMap<task::Id, TableId>,
    window: Window,
    /// The tasks that read the overviews of hibernating tables for the window.
    previews: JoinSet<Preview>,
    /// The channel on which changes of the public tables are published.
    changes: Channel<Frame>,
    /// The time at which changed tables are published next; `None` if nothing has changed.
    tables_due: Option<Timestamp>,
    /// The time at which a preview is published next; `None` if nothing has changed.
    preview_due: Option<Timestamp>,
    /// The time of the last preview.
    last_preview: Option<Timestamp>,
}

impl Lobby {
    pub(super) fn new(deps: TableDeps, online: Arc<Online>, endpoints: Endpoints) -> Self {
        let now = deps.clock.now();
        let lists = deps.cluster.clone().map(|cluster| ClusterLists::new(cluster, now));
        Self {
            deps,
            online,
            endpoints,
            successors: HashMap::new(),
            hand_overs: HandOvers::default(),
            lists,
            index: Index::default(),
            own_tables: OwnTables::default(),
            servers: JoinSet::new(),
            tasks: HashMap::new(),
            window: Window::default(),
            previews: JoinSet::new(),
            changes: Channel::default(),
            tables_due: None,
            preview_due: None,
            last_preview: None,
        }
    }

    pub(super) async fn run(mut self, mut mailbox: mpsc::Receiver<Message>) {
        let (changed_tables, clock) = (self.deps.changed_tables.clone(), self.deps.clock.clone());
        let online = Arc::clone(&self.online);
        loop {
            let lists_due = self.lists.as_ref().map(ClusterLists::next_deadline);
            let due = [self.tables_due, self.preview_due, lists_due].into_iter().flatten().min();
            let wait = async {
                match due {
                    Some(due) => clock.sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                message = mailbox.recv() => match message {
                    None => return,
                    Some(message) => if let ControlFlow::Break(stopped) = self.handle(message) {
                        self.stop().await;
                        stopped.send(()).ok();
                        return;
                    }
                },
                Some(ended) = self.servers.join_next_with_id() => self.take_back(ended),
                Some(read) = self.previews.join_next() => self.add_preview(read),
                // While a publication is scheduled, further changes need not wake the lobby.
                () = changed_tables.wait_for_change(), if self.tables_due.is_none() => self.schedule_tables(),
                () = online.changed() => self.schedule_preview(),
                () = wait => self.publish_due(),
            }
        }
    }

    /// Handles a message. Returns `Break` with the sender of the answer if the message asks the
    /// lobby to stop.
    fn handle(&mut self, message: Message) -> ControlFlow<oneshot::Sender<()>> {
        // The requester may not wait for the answer any more, so errors of the sender are ignored.
        match message {
            Message::Find { table, answer } => {
                answer.send(self.running(table)).ok();
            }
            Message::Spawn { server, is_new, answer } => {
                answer.send(self.spawn(server, is_new)).ok();
            }
            Message::HandOver { matches, answer } => self.hand_over(&matches, answer),
            Message::FromNode { from, body } => {
                self.update_lists(|lists, now| lists.handle(from, *body, now));
            }
            Message::NodeDied { node } => {
                self.update_lists(|lists, now| lists.node_died(node, now));
            }
            Message::List { page, answer } => {
                self.refresh_changed();
                answer.send(self.index.public(page)).ok();
            }
            Message::Fitting { wish, answer } => {
                self.refresh_changed();
                let follows = |user| {
                    self.own_tables.is_followed(user)
                        || self.lists.as_ref().is_some_and(|lists| lists.is_reachable(user))
                };
                let attended = self.index.attended(self.deps.clock.now(), follows);
                answer.send(fitting(attended, &wish)).ok();
            }
            Message::Overviews { tables, answer } => {
                self.refresh_changed();
                answer.send(tables.iter().map(|table| self.index.overview(*table).cloned()).collect()).ok();
            }
            Message::Watch { listener, answer } => {
                self.refresh_changed();
                if self.changes.is_empty() {
                    let activity = self.activity();
                    self.window.reset(&self.index, activity);
                    self.read_previews();
                } else {
                    self.publish_tables();
                }
                answer.send((self.window.frame(), self.changes.subscribe(listener))).ok();
            }
            Message::WatchOwn { user, hibernating, listener, answer } => {
                self.refresh_changed();
                answer.send(self.watch_own(user, &hibernating, listener)).ok();
            }
            Message::PublishInvitations { lists } => {
                self.refresh_changed();
                for (user, mut invitations) in lists {
                    // A match may have started since the list was read.
                    invitations.retain(|invitation| self.may_be_open(invitation.table.table));
                    self.own_tables.publish_invitations(user, invitations);
                }
            }
            Message::AddPastStarts { starts } => {
                for (at, count) in starts {
                    self.index.add_starts(at, count);
                }
                self.schedule_preview();
            }
            Message::AddHibernating { tables } => self.add_hibernating(tables),
            Message::Stop { answer } => return ControlFlow::Break(answer),
        }
        ControlFlow::Continue(())
    }

    /// Returns a handle to a table whose endpoint still accepts messages.
    fn running(&self, table: TableId) -> Option<TableHandle> {
        self.endpoints.handle(table).filter(|handle| !handle.is_gone())
    }

    /// Returns false if the match of a table is known to have started or ended.
    fn may_be_open(&self, table: TableId) -> bool {
        self.index.overview(table).is_none_or(|overview| overview.phase() == Phase::Open)
    }

    /// Returns the frame with the tables of a user, and subscribes a listener to their changes.
    fn watch_own(
        &mut self,
        user: UserId,
        hibernating: &[TableOverview],
        listener: Arc<dyn Listener<Frame>>,
    ) -> (Frame, Subscription<Frame>) {
        let now = self.deps.clock.now();
        let is_asleep = |table: TableId| self.index.overview(table).is_none();
        let hibernating = hibernating.iter().filter(|table| is_asleep(table.outline().table));
        let tables = self.index.own(user).chain(hibernating);
        let mut tables: Vec<_> = tables.map(|table| own_table(table, user, now)).collect();
        tables.sort_unstable_by_key(|table| Reverse(table.summary.table));
        tables.truncate(MAX_OWN_TABLES);
        let subscription = self.own_tables.subscribe(user, listener);
        for table in tables.iter().map(|table| table.summary.table).filter(|table| is_asleep(*table)) {
            self.own_tables.add_asleep(user, table);
        }
        (encode(&ServerFrame::OwnTables { tables }), subscription)
    }

    /// Updates the lists of the other nodes, and publishes what has changed.
    fn update_lists(&mut self, update: impl FnOnce(&mut ClusterLists, Timestamp) -> BTreeSet<TableId>) {
        let now = self.deps.clock.now();
        let Some(lists) = &mut self.lists else { return };
        let online = lists.online();
        let changed = update(lists, now);
        if lists.online() != online {
            self.schedule_preview();
        }
        self.refresh_others(changed);
    }

    fn activity(&mut self) -> Activity {
        let matches_today = self.index.starts(self.deps.clock.now());
        let elsewhere = self.lists.as_ref().map_or(0, ClusterLists::online);
        Activity { online: self.online.count().saturating_add(elsewhere), matches_today }
    }

    fn spawn(&mut self, server: TableServer, is_new: bool) -> TableHandle {
        let table = server.table();
        if let Some(known) = self.running(table) {
            if let (TableServer::Actor(actor), Some(Role::Proxy)) = (server, self.endpoints.role(table)) {
                self.endpoints.set(known.clone(), Role::NextOwner);
                self.successors.insert(table, actor);
                known.hand_over();
            }
            return known;
        }
        let handle = server.handle();
        match server {
            TableServer::Actor(actor) => {
                self.endpoints.set(handle.clone(), Role::Owner);
                self.serve(table, actor.serve());
                self.list_own(handle.overview(), is_new);
            }
            TableServer::Proxy(proxy) => {
                self.endpoints.set(handle.clone(), Role::Proxy);
                self.serve(table, proxy.serve());
            }
        }
        handle
    }

    /// Lists a table that this node owns now.
    fn list_own(&mut self, overview: TableOverview, is_new: bool) {
        if let Some(lists) = &mut self.lists {
            lists.set_own(&overview);
        }
        self.list(overview, is_new);
    }

    /// Adds a table to the index, or updates it.
    fn list(&mut self, overview: TableOverview, is_new: bool) {
        let now = self.deps.clock.now();
        if self.index.overview(overview.status.table).is_none() {
            self.own_tables.publish(None, Some(&overview), now);
            self.index.add(overview, is_new, now);
            self.schedule_tables();
        } else if let Some(change) = self.index.update(overview, now) {
            self.own_tables.publish(Some(&change.before), Some(&change.after), now);
            if change.before.phase() == Phase::Open && change.after.phase() != Phase::Open {
                self.own_tables.remove_invitations_to(change.after.status.table);
            }
            if change.affects_list() {
                self.schedule_tables();
            }
        }
        self.schedule_preview();
    }

    /// Removes a table from the index.
    fn unlist(&mut self, table: TableId) {
        let overview = self.index.remove(table);
        self.own_tables.publish(overview.as_ref(), None, self.deps.clock.now());
        self.schedule_tables();
    }

    /// Updates the tables of other nodes that have changed.
    fn refresh_others(&mut self, changed: BTreeSet<TableId>) {
        for table in changed {
            let Some(lists) = &self.lists else { return };
            if self.endpoints.role(table) == Some(Role::Owner) {
                continue;
            }
            if let (Some(handle), Some(node)) = (self.endpoints.handle(table), lists.owner(table)) {
                handle.deliver(NodeMessage::Lists { node });
            }
            match lists.other(table, self.index.overview(table)) {
                Some(overview) if lists.hibernating(table).is_none() => self.list(overview, false),
                _ if let Some(players) = lists.hibernating(table) => self.list_hibernating(table, players),
                _ if lists.is_handed_over(table) => {}
                _ => self.unlist_elsewhere(table),
            }
        }
    }

    /// Asks the actors of these matches to end.
    fn hand_over(&mut self, matches: &HashSet<MatchId>, answer: oneshot::Sender<Vec<HandedOver>>) {
        let handles = self.endpoints.own_handles();
        let mut open = HashSet::new();
        for handle in handles.iter().filter(|handle| matches.contains(&handle.overview().head.match_id)) {
            open.insert(handle.table());
            handle.hand_over();
        }
        self.hand_overs.add(open, answer);
    }

    /// Starts a task that serves the endpoint of a table.
    fn serve(&mut self, table: TableId, server: impl Future<Output = Served> + Send + 'static) {
        let span = tracing::info_span!("table", table.id = %table);
        let task = quadrex_runtime::spawn_in(&mut self.servers, server.instrument(span));
        self.tasks.insert(task.id(), table);
    }

    /// Takes an endpoint back from a task that has ended. After a panic of an actor, starts another
    /// actor on the endpoint. If the table is handed over, starts a proxy or the actor of this node.
    /// Otherwise drops the endpoint; the next request for the table reads it from the store again. A
    /// table whose match hibernates stays in all lists.
    fn take_back(&mut self, task_end: Result<(task::Id, Served), task::JoinError>) {
        let task = match &task_end {
            Ok((task, _)) => *task,
            Err(error) => error.id(),
        };
        let Some(table) = self.tasks.remove(&task) else { return };
        let is_owner = self.endpoints.role(table) == Some(Role::Owner);
        match task_end {
            Ok((_, Served { endpoint, end: ServeEnd::Panicked(message) })) => {
                METRICS.matches.actor_panics.inc();
                tracing::error!(table.id = %table, "the table's task panicked: {message}");
                if is_owner && !endpoint.is_closed() {
                    return self.serve(table, TableActor::restart(self.deps.clone(), endpoint));
                }
            }
            Ok((_, Served { endpoint, end: ServeEnd::HandedOver })) if !endpoint.is_closed() => {
                return self.continue_elsewhere(table, endpoint);
            }
            Ok((_, Served { end: ServeEnd::Hibernating, .. })) => return self.hibernate(table),
            Ok((_, Served { mut endpoint, .. })) => endpoint.stop_following(None),
            // Tasks are cancelled only when the process ends.
            Err(error) if error.is_cancelled() => {}
            Err(error) => tracing::error!(table.id = %table, "the table's task has failed: {error}"),
        }
        // The table may have another endpoint already.
        if self.running(table).is_none() {
            self.endpoints.remove(table);
            // The proxy may have ended just before it was asked to leave the table to the actor.
            if let Some(actor) = self.successors.remove(&table) {
                self.spawn(TableServer::Actor(actor), false);
            } else if is_owner {
                if let Some(lists) = &mut self.lists {
                    lists.remove_own(table);
                }
                self.unlist(table);
            }
        }
        self.hand_overs.record_end(table, None);
    }

    /// Starts the next task on an endpoint: the actor of this node if there is one, otherwise a proxy.
    fn continue_elsewhere(&mut self, table: TableId, endpoint: TableEndpoint) {
        if let Some(actor) = self.successors.remove(&table) {
            self.endpoints.set(endpoint.handle(), Role::Owner);
            let handle = endpoint.handle();
            self.serve(table, actor.serve_on(endpoint));
            return self.list_own(handle.overview(), false);
        }
        let now = self.deps.clock.now();
        let match_id = endpoint.match_id();
        let followers = endpoint.to_take_over();
        self.endpoints.set(endpoint.handle(), Role::Proxy);
        let owner = self.deps.cluster.as_ref().and_then(|cluster| cluster.successor(match_id));
        self.serve(table, ProxyServer::on(self.deps.clone(), endpoint, owner).serve());
        if let Some(lists) = &mut self.lists {
            lists.hand_over(table, now);
        }
        self.hand_overs.record_end(table, Some(HandedOver { table, match_id, followers }));
    }

    async fn stop(mut self) {
        for handle in self.endpoints.all() {
            handle.stop().await;
        }
        while self.servers.join_next().await.is_some() {}
    }

    /// Reads the overviews of the tables that have changed.
    fn refresh_changed(&mut self) {
        for table in self.deps.changed_tables.take() {
            // The overviews of other nodes' tables come with their lists.
            if self.endpoints.role(table) == Some(Role::Owner)
                && let Some(handle) = self.endpoints.handle(table)
            {
                self.list_own(handle.overview(), false);
            }
        }
    }

    fn schedule_tables(&mut self) {
        if quadrex_runtime::has_planted!(LostLobbyWakeUp) {
            self.refresh_changed();
        }
        let now = self.deps.clock.now();
        self.tables_due = self.tables_due.or(Some(now + TABLES_DELAY));
        self.schedule_preview();
    }

    fn schedule_preview(&mut self) {
        let now = self.deps.clock.now();
        let next = self.last_preview.map_or(now, |last| (last + PREVIEW_INTERVAL).max(now));
        self.preview_due = self.preview_due.or(Some(next.max(self.tables_due.unwrap_or(now))));
    }

    /// Publishes the changed tables and the preview, if they are due.
    fn publish_due(&mut self) {
        let now = self.deps.clock.now();
        let is_due = |due: Option<Timestamp>| due.is_some_and(|due| due <= now);
        let (are_tables_due, is_preview_due) = (is_due(self.tables_due), is_due(self.preview_due));
        if !quadrex_runtime::has_planted!(LostLobbyWakeUp) {
            self.refresh_changed();
        }
        let people = || {
            let seated = self.index.waiting_people().filter(|user| self.own_tables.is_followed(*user));
            let seated: BTreeSet<UserId> = seated.take(MAX_REACHABLE).collect();
            (self.online.count(), seated.into_iter().collect())
        };
        let changed = self.lists.as_mut().map(|lists| lists.tick(people, now));
        self.refresh_others(changed.unwrap_or_default());
        if is_preview_due {
            self.index.rank();
        }
        if are_tables_due || is_preview_due {
            self.publish_tables();
        }
        if is_preview_due {
            (self.preview_due, self.last_preview) = (None, Some(now));
            if !self.changes.is_empty()
                && let activity = self.activity()
                && let Some(preview) = self.window.update_status(&self.index, activity)
            {
                self.changes.publish(encode(&preview));
            }
        }
    }

    fn publish_tables(&mut self) {
        self.tables_due = None;
        if self.changes.is_empty() {
            return;
        }
        for change in self.window.update_tables(&self.index) {
            self.changes.publish(encode(&change));
        }
        if self.previews.is_empty() {
            self.read_previews();
        }
    }
}
