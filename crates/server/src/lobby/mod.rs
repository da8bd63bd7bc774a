//! The lobby. It finds and creates tables, and lists the public tables.
//!
//! The lobby runs the actors of all unfinished tables whose matches do not hibernate, and of other
//! tables that somebody watches. A table is read from the store in the task of the caller, so that
//! the lobby's own task never waits for the store.

mod activity;
mod actor;
mod attendance;
mod cluster_lists;
mod conditional_moves;
mod endpoints;
mod hand_overs;
mod hibernating;
mod idempotent_requests;
mod index;
mod invitations;
mod location;
mod online_users;
mod own_tables;
mod quick_join;
mod starts;
mod table_draft;
mod tables_of;
mod window;

use std::sync::Arc;

use futures_util::StreamExt;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::record::RecordedEvent;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{CommandId, Event, MatchId, MatchRecord, TableId, UserId};
use quadrex_rules::{Color, Timestamp, Variant};
use tokio::sync::{Mutex, mpsc, oneshot};

use activity::{Online, day_before};
use actor::{MAILBOX, Message};
use endpoints::{Endpoints, TableServer};
use invitations::InvitationQueue;
use starts::Starts;
use table_draft::TableDraft;

pub use activity::OnlineGuard;
pub use endpoints::TableCounts;
pub use hand_overs::HandedOver;
pub use idempotent_requests::OpenedTable;
pub use index::TablePage;
pub use quick_join::Joiner;
pub use table_draft::OpenError;

use crate::actor::{LoadError, TableActor, TableDeps, TableHandle, random_nonce, read_log};
use crate::bus::{Frame, Listener, Subscription};
use crate::fault::Fault;
use crate::telemetry::metrics::METRICS;
use quadrex_store::error_chain::chain;
use quadrex_store::{LotKey, StoreError, TableRow};
use quadrex_table::{NumberedEvent, Outage, TableIdentity, hide_names_in_log};

/// The number of matches that are read at the same time when the server starts.
const READ_AT_ONCE: usize = 8;

/// The number of locks for quick joins with a `cmd`, which is an idempotency key: a request
/// that is sent again carries the same `cmd`.
const REQUEST_LOCKS: usize = 32;

/// A handle to the lobby. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lobby {
    mailbox: mpsc::Sender<Message>,
    /// The dependencies of the tables' actors, which the lobby uses too.
    deps: TableDeps,
    /// The lock of a quick join that may have to create a table. Because of it, two quick joins at
    /// the same time do not create two tables.
    creation_lock: Arc<Mutex<()>>,
    /// The locks of quick joins with a `cmd`. The lock depends on the user's id, so a request that
    /// is sent again waits until the first request is answered.
    request_locks: Arc<[Mutex<()>; REQUEST_LOCKS]>,
    online: Arc<Online>,
    endpoints: Endpoints,
    /// The actors of claimed matches that are being started.
    starts: Starts,
    /// The users whose invitations are published next.
    invitation_queue: InvitationQueue,
}

/// The error of a request to a lobby that has stopped, because the server is shutting down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the lobby has stopped")]
pub struct Stopped;

/// The error of a search for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// The server is shutting down.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The store failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Lobby {
    /// Starts the lobby's task without any table. [`stop`](Self::stop) ends the task.
    #[must_use]
    pub fn start(deps: TableDeps) -> Self {
        let (mailbox, messages) = mpsc::channel(MAILBOX);
        let online = Arc::<Online>::default();
        let endpoints = Endpoints::default();
        quadrex_runtime::spawn(
            actor::Lobby::new(deps.clone(), Arc::clone(&online), endpoints.clone()).run(messages),
        );
        let (creation_lock, request_locks) = (Arc::default(), Arc::default());
        let starts = Starts::default();
        let invitation_queue = InvitationQueue::default();
        Self { mailbox, deps, creation_lock, request_locks, online, endpoints, starts, invitation_queue }
    }

    /// Reads the numbers of public matches that have begun within a day. Must be called once, when the
    /// server starts, unless [`recover`](Self::recover) is called.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn load_past_starts(&self) -> Result<(), StoreError> {
        let match_starts = self.deps.store.public_match_starts(day_before(self.deps.clock.now())).await?;
        // An error means that the server is shutting down again.
        self.mailbox.send(Message::AddPastStarts { starts: match_starts }).await.ok();
        Ok(())
    }

    /// Resumes all unfinished matches that do not hibernate, and returns their number. Must be
    /// called once, when the server starts.
    ///
    /// Players are charged for the time up to `last_alive`, the server's last heartbeat. Their
    /// clocks run again after `grace`. A match that cannot be replayed is logged, and the other
    /// matches are resumed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database itself fails.
    pub async fn recover(
        &self,
        last_alive: Option<Timestamp>,
        grace: std::time::Duration,
    ) -> Result<usize, StoreError> {
        let back = self.deps.clock.now();
        self.load_past_starts().await?;
        self.remove_outdated_seat_holders();
        let outage = Outage { last_alive, back, resumes: back + grace };
        self.deps.outages.record(outage).await?;
        let tables = self.deps.store.listed_hibernations(None).await?;
        self.mailbox.send(Message::AddHibernating { tables }).await.ok();
        let rows = self.deps.store.awake().await?;
        let claims = rows.into_iter().map(|row| {
            let deps = self.deps.clone();
            async move { (row.match_id, TableActor::resume(deps, row.table, row.match_id, outage).await) }
        });
        let mut claims = futures_util::stream::iter(claims).buffer_unordered(READ_AT_ONCE);
        let mut recovered = 0;
        while let Some((match_id, claimed)) = claims.next().await {
            match claimed {
                Ok(Some(table)) => {
                    self.spawn_actor(table, false).await.ok();
                    recovered += 1;
                }
                Ok(None) => {}
                Err(LoadError::Store(error @ StoreError::Database { .. })) => return Err(error),
                Err(error) => {
                    METRICS.matches.unreadable.inc();
                    tracing::error!(match.id = %match_id, "a match cannot be replayed: {}", chain(&error));
                }
            }
        }
        Ok(recovered)
    }

    /// Removes the seat holders of ended matches in the background. Their number grows with that of
    /// all unfinished matches, and no other part of the start needs the result.
    fn remove_outdated_seat_holders(&self) {
        let store = self.deps.store.clone();
        quadrex_runtime::spawn(async move {
            if let Err(error) = store.remove_outdated_seat_holders().await {
                tracing::debug!("outdated seat holders stay until the next start: {}", chain(&error));
            }
        });
    }

    /// Returns a handle to a table, or `None` if there is no such table. If the table has no actor,
    /// reads the table from the store and starts an actor. Does not claim the match, that is,
    /// does not make this server the only writer of its log, because the caller may only want to
    /// read it.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn find(&self, table: TableId) -> Result<Option<TableHandle>, FindError> {
        let handle = self.request(|answer| Message::Find { table, answer }).await?;
        if handle.is_some() {
            return Ok(handle);
        }
        // A server without the lease must not answer.
        if !self.deps.lease.is_held_after_wait().await {
            return Err(Stopped.into());
        }
        if let Some(cluster) = &self.deps.cluster {
            return self.find_in_cluster(cluster, table).await;
        }
        match self.load(table).await.map_err(|error| self.fault("read a table", &error))? {
            Some(table) => Ok(Some(self.spawn_actor(table, false).await?)),
            None => Ok(None),
        }
    }

    /// Returns a handle to a table if it has an actor. Reads nothing from the store and claims
    /// nothing.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the server is shutting down.
    pub async fn running(&self, table: TableId) -> Result<Option<TableHandle>, Stopped> {
        self.request(|answer| Message::Find { table, answer }).await
    }

    /// Returns whether a table has an actor that has claimed its match.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the server is shutting down.
    pub async fn is_claimed(&self, table: TableId) -> Result<bool, Stopped> {
        Ok(self.running(table).await?.is_some_and(|table| table.overview().is_claimed))
    }

    /// Claims the match of a table. If the table has no actor, starts an actor first.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn resume(&self, table: TableId) -> Result<(), FindError> {
        if let Some(handle) = self.find(table).await? {
            handle.claim().await.map_err(|_| Stopped)?;
        }
        Ok(())
    }

    /// Creates a table with these bots. A bot gets the given seat, or the first open seat if none
    /// is given. When this returns, the first events of the table are durable.
    ///
    /// # Errors
    /// Returns [`OpenError`] if the request is invalid, or if the store failed.
    pub async fn open(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<TableHandle, OpenError> {
        self.create(self.prepare(request, host, bots)?).await
    }

    /// Stores a prepared table and starts its actor.
    async fn create(&self, draft: TableDraft) -> Result<TableHandle, OpenError> {
        let opened = self.deps.store.open_table(&draft.row()).await;
        opened.map_err(|error| self.fault("create a table", &error))?;
        Ok(self.spawn_actor(TableActor::opened(self.deps.clone(), draft.history()), true).await?)
    }

    /// Validates the request of a host, and decides the first events of the table.
    fn prepare(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<TableDraft, OpenError> {
        let TableDeps { clock, entropy, .. } = &self.deps;
        let now = clock.now();
        let identity = TableIdentity {
            table: TableId(entropy.uuid(now)),
            match_id: MatchId(entropy.uuid(now)),
            lot_key: LotKey(entropy.bytes()),
        };
        let mut draft = TableDraft::new(request, host, identity, random_nonce(entropy), now)?;
        for (seat, bot) in bots {
            draft.add_bot(seat, bot, random_nonce(entropy))?;
        }
        Ok(draft)
    }

    /// Returns whether a user is still in a running match of this variant, at any server of the
    /// database.
    ///
    /// # Errors
    /// Returns [`Fault`] if the store failed.
    pub async fn plays(&self, user: UserId, variant: Variant) -> Result<bool, Fault> {
        let plays = self.deps.store.plays(user, variant).await;
        plays.map_err(|error| self.fault("look up the matches of a user", &error))
    }

    /// Returns the frame with the public tables that the lobby shows, and subscribes a listener to
    /// changes.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the server is shutting down.
    pub async fn watch(
        &self,
        listener: Arc<dyn Listener<Frame>>,
    ) -> Result<(Frame, Subscription<Frame>), Stopped> {
        self.request(|answer| Message::Watch { listener, answer }).await
    }

    /// Returns the frame with the unfinished tables of a user, and subscribes a listener to their
    /// changes. The listener receives the invitations of the user soon, and whenever they change.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn watch_own(
        &self,
        user: UserId,
        listener: Arc<dyn Listener<Frame>>,
    ) -> Result<(Frame, Subscription<Frame>), FindError> {
        let hibernating = self.hibernating_tables_of(user).await?;
        let watched = self.request(|answer| Message::WatchOwn { user, hibernating, listener, answer });
        let watched = watched.await?;
        self.publish_invitations(user);
        Ok(watched)
    }

    /// Counts a connection of a person as online until the guard is dropped.
    #[must_use]
    pub fn enter(&self, user: UserId) -> OnlineGuard {
        self.online.enter(user)
    }

    /// Returns the number of people with an open connection.
    #[must_use]
    pub fn online_count(&self) -> u32 {
        self.online.count()
    }

    /// Returns the numbers of tables in the memory of this server.
    #[must_use]
    pub fn table_counts(&self) -> TableCounts {
        self.endpoints.counts()
    }

    /// Returns the number of subscriptions of clients to tables.
    #[must_use]
    pub fn subscription_count(&self) -> usize {
        self.deps.bus.subscription_count()
    }

    /// Returns the table of a match, or `None` if there is no such match.
    ///
    /// # Errors
    /// Returns [`Fault`] if the store failed.
    pub async fn table_of(&self, match_id: MatchId) -> Result<Option<TableId>, Fault> {
        let table = self.deps.store.table_of(match_id).await;
        table.map_err(|error| self.fault("look up a match", &error))
    }

    /// Returns a match as a record, without its chat, and without names while they are hidden.
    ///
    /// # Errors
    /// Returns [`Fault`] if the store failed, or if it has no such match.
    pub async fn record(&self, match_id: MatchId) -> Result<MatchRecord, Fault> {
        let log = self.deps.store.events(match_id, 0).await;
        let mut log = log.map_err(|error| self.fault("read a match", &error))?;
        if let Some(table) = self.table_of(match_id).await? {
            hide_names_in_log(log.iter_mut().map(|logged| &mut logged.event).collect(), table);
        }
        let events = log
            .into_iter()
            .filter(|logged| !matches!(logged.event, Event::MessageSent { .. }))
            .map(|logged| RecordedEvent { at_ms: Some(logged.at.as_millis()), event: logged.event })
            .collect();
        MatchRecord::from_match_log(match_id, events).map_err(|error| self.fault("export a record", &error))
    }

    /// Returns the logged events from which a match is replayed.
    ///
    /// # Errors
    /// Returns [`Fault`] if the store failed.
    pub async fn read_log(
        &self,
        table: TableId,
        match_id: MatchId,
    ) -> Result<(TableIdentity, Vec<NumberedEvent>), Fault> {
        let read = read_log(&self.deps.store, table, match_id).await;
        read.map_err(|error| self.fault("read a match", &error))
    }

    /// Stops all tables and then the lobby. Each table first finishes the commands that it has
    /// received.
    pub async fn stop(&self) {
        // An error means that the lobby has stopped already.
        self.request(|answer| Message::Stop { answer }).await.ok();
    }

    /// Returns the answer to an earlier command of this user in this match, if the command was
    /// committed. The answer is the number of the command's last event.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn earlier_answer(
        &self,
        match_id: MatchId,
        user: UserId,
        command_id: &CommandId,
    ) -> Result<Option<u64>, StoreError> {
        self.deps.store.command_seq(match_id, user, command_id).await
    }

    async fn load(&self, table: TableId) -> Result<Option<TableActor>, LoadError> {
        let Some(TableRow { match_id, .. }) = self.deps.store.table(table).await? else {
            return Ok(None);
        };
        TableActor::read(self.deps.clone(), table, match_id).await.map(Some)
    }

    async fn spawn_actor(&self, table: TableActor, is_new: bool) -> Result<TableHandle, Stopped> {
        self.spawn(TableServer::Actor(Box::new(table)), is_new).await
    }

    async fn spawn(&self, server: TableServer, is_new: bool) -> Result<TableHandle, Stopped> {
        self.request(|answer| Message::Spawn { server, is_new, answer }).await
    }

    async fn request<T>(&self, message: impl FnOnce(oneshot::Sender<T>) -> Message) -> Result<T, Stopped> {
        let (reply, answer) = oneshot::channel();
        self.mailbox.send(message(reply)).await.map_err(|_| Stopped)?;
        answer.await.map_err(|_| Stopped)
    }

    fn fault(&self, doing: &str, error: &dyn std::error::Error) -> Fault {
        Fault::log(&self.deps.entropy, self.deps.clock.now(), doing, error)
    }
}
