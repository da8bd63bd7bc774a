//! The lobby: finds and creates tables, and lists the public ones.
//!
//! It runs the actors of all unfinished tables, and of ended ones that are watched. The
//! caller's task reads from the store, not the lobby's own, so that no request waits for another
//! one's table.

mod activity;
mod actor;
mod attendance;
mod index;
mod once;
mod opening;
mod own_tables;
mod quick;
mod window;

use std::sync::Arc;

use futures_util::StreamExt;
use quadrex_protocol::http::{CreateTable, TableList, TableSummary};
use quadrex_protocol::record::RecordedEvent;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{CommandId, Event, MatchId, MatchRecord, TableId, UserId};
use quadrex_rules::{Color, Timestamp, Variant};
use tokio::sync::{Mutex, mpsc, oneshot};

use activity::{Online, day_before};
use actor::{MAILBOX, Message};
use opening::Opening;

pub use activity::OnlineGuard;
pub use index::TablePage;
pub use once::OpenedTable;
pub use opening::OpenError;

use crate::actor::{LoadError, TableActor, TableDeps, TableHandle, facts, make_nonce};
use crate::bus::{Frame, Listener, Subscription};
use crate::fault::Fault;
use quadrex_store::error_chain::chain;
use quadrex_store::{LotKey, StoreError, TableRow};
use quadrex_table::{Fact, Origin, Outage};

/// The number of matches that are read at the same time when the server starts.
const READ_AT_ONCE: usize = 8;

/// The number of locks for quick joins with a `cmd`.
const CMD_LOCKS: usize = 32;

/// A handle to the lobby. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lobby {
    mailbox: mpsc::Sender<Message>,
    tools: TableDeps,
    /// Locked by a quick join that may be about to create a table; it guards no data.
    quick_join_lock: Arc<Mutex<()>>,
    /// Locked, by user, by a quick join with a `cmd`: the same one sent again waits. They guard no
    /// data.
    cmd_locks: Arc<[Mutex<()>; CMD_LOCKS]>,
    online: Arc<Online>,
}

/// The lobby has stopped: the server is shutting down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the lobby has stopped")]
pub struct Stopped;

/// The failure to find a table.
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
    /// Starts the lobby's task, without any table. It ends with [`stop`](Self::stop).
    #[must_use]
    pub fn start(tools: TableDeps) -> Self {
        let (mailbox, messages) = mpsc::channel(MAILBOX);
        let online = Arc::<Online>::default();
        tokio::spawn(actor::Lobby::new(tools.clone(), Arc::clone(&online)).run(messages));
        Self { mailbox, tools, quick_join_lock: Arc::default(), cmd_locks: Arc::default(), online }
    }

    /// Resumes all unfinished matches once at the start; returns their number. Running clocks are
    /// charged up to `alive`, the server's last heartbeat, and continue `grace` from now. A match
    /// that cannot be replayed is logged, and does not block the others.
    ///
    /// # Errors
    /// [`StoreError`] if the database itself fails.
    pub async fn recover(
        &self,
        alive: Option<Timestamp>,
        grace: std::time::Duration,
    ) -> Result<usize, StoreError> {
        let back = self.tools.clock.now();
        let starts = self.tools.store.public_starts(day_before(back)).await?;
        // The lobby can only have stopped if the server is shutting down.
        self.mailbox.send(Message::AddStarts { starts }).await.ok();
        let rows = self.tools.store.unfinished().await?;
        let outage = Outage { alive, back, resumes: back + grace };
        let claims = rows.into_iter().map(|row| {
            let tools = self.tools.clone();
            async move { (row.match_id, TableActor::resume(tools, row.table, row.match_id, outage).await) }
        });
        let mut claims = futures_util::stream::iter(claims).buffer_unordered(READ_AT_ONCE);
        let mut recovered = 0;
        while let Some((match_id, claimed)) = claims.next().await {
            match claimed {
                Ok(Some(table)) => {
                    self.spawn(table, false).await.ok();
                    recovered += 1;
                }
                Ok(None) => {}
                Err(LoadError::Store(error @ StoreError::Database { .. })) => return Err(error),
                Err(error) => {
                    tracing::error!(match.id = %match_id, "a match cannot be replayed: {}", chain(&error));
                }
            }
        }
        Ok(recovered)
    }

    /// Returns a handle to a table; `None` if there is no such table. A table without an actor is
    /// read from the store; nothing is claimed, since the caller may only read.
    ///
    /// # Errors
    /// [`FindError`] if the store failed, or the server is shutting down.
    pub async fn find(&self, table: TableId) -> Result<Option<TableHandle>, FindError> {
        let known = self.request(|answer| Message::Find { table, answer }).await?;
        if known.is_some() {
            return Ok(known);
        }
        // A server without a lease answers nothing.
        if !self.tools.lease.is_regained().await {
            return Err(Stopped.into());
        }
        match self.load(table).await.map_err(|error| self.fault("read a table", &error))? {
            Some(table) => Ok(Some(self.spawn(table, false).await?)),
            None => Ok(None),
        }
    }

    /// Returns a handle to a table that has an actor; `None` for any other. Reads and claims
    /// nothing.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn running(&self, table: TableId) -> Result<Option<TableHandle>, Stopped> {
        self.request(|answer| Message::Find { table, answer }).await
    }

    /// Returns whether a table has an actor that has claimed its match.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn runs(&self, table: TableId) -> Result<bool, Stopped> {
        Ok(self.running(table).await?.is_some_and(|table| table.overview().is_claimed))
    }

    /// Claims a table's match, also if the table has no actor, or one that only read it.
    ///
    /// # Errors
    /// [`FindError`] if the store failed, or the server is shutting down.
    pub async fn resume(&self, table: TableId) -> Result<(), FindError> {
        if let Some(handle) = self.find(table).await? {
            handle.claim().await.map_err(|_| Stopped)?;
        }
        Ok(())
    }

    /// Creates a table, with bots in these seats or in the first open ones: its first events are
    /// durable when this returns.
    ///
    /// # Errors
    /// [`OpenError`] if the request is invalid, or the store failed.
    pub async fn open(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<TableHandle, OpenError> {
        self.create(self.prepare(request, host, bots)?).await
    }

    /// Stores a prepared table, and starts its actor.
    async fn create(&self, opening: Opening) -> Result<TableHandle, OpenError> {
        let opened = self.tools.store.open_table(&opening.row()).await;
        opened.map_err(|error| self.fault("create a table", &error))?;
        Ok(self.spawn(TableActor::opened(self.tools.clone(), opening.history()), true).await?)
    }

    /// Validates the request of a host, and decides the first events of the table.
    fn prepare(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<Opening, OpenError> {
        let TableDeps { clock, entropy, .. } = &self.tools;
        let now = clock.now();
        let origin = Origin {
            table: TableId(entropy.uuid(now)),
            match_id: MatchId(entropy.uuid(now)),
            lot_key: LotKey(entropy.bytes()),
        };
        let mut opening = Opening::new(request, host, origin, make_nonce(entropy), now)?;
        for (seat, bot) in bots {
            opening.add_bot(seat, bot, make_nonce(entropy))?;
        }
        Ok(opening)
    }

    /// Returns the public tables that are open or running, newest first.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn list(&self, page: TablePage) -> Result<TableList, Stopped> {
        self.request(|answer| Message::List { page, answer }).await
    }

    /// Returns the unfinished tables where a user is seated or host, newest first, and the one to
    /// continue after if there are more.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn mine(
        &self,
        user: UserId,
        page: TablePage,
    ) -> Result<(Vec<TableSummary>, Option<TableId>), Stopped> {
        self.request(|answer| Message::Mine { user, page, answer }).await
    }

    /// Returns whether a user plays a running match of this variant and is not eliminated in it.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn plays(&self, user: UserId, variant: Variant) -> Result<bool, Stopped> {
        self.request(|answer| Message::Plays { user, variant, answer }).await
    }

    /// Returns the window of the public tables, and subscribes a listener to its changes.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn watch(
        &self,
        listener: Arc<dyn Listener<Frame>>,
    ) -> Result<(Frame, Subscription<Frame>), Stopped> {
        self.request(|answer| Message::Watch { listener, answer }).await
    }

    /// Returns a user's own unfinished tables, and subscribes a listener to their changes.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn watch_own(
        &self,
        user: UserId,
        listener: Arc<dyn Listener<Frame>>,
    ) -> Result<(Frame, Subscription<Frame>), Stopped> {
        self.request(|answer| Message::WatchOwn { user, listener, answer }).await
    }

    /// Counts a connection of a person until the guard is dropped.
    #[must_use]
    pub fn enter(&self, user: UserId) -> OnlineGuard {
        self.online.enter(user)
    }

    /// Returns the table of a match; `None` if there is no such match.
    ///
    /// # Errors
    /// [`Fault`] if the store failed.
    pub async fn table_of(&self, match_id: MatchId) -> Result<Option<TableId>, Fault> {
        let table = self.tools.store.table_of(match_id).await;
        table.map_err(|error| self.fault("look up a match", &error))
    }

    /// Returns the record of a match, without its chat.
    ///
    /// # Errors
    /// [`Fault`] if the store failed, or has no such match.
    pub async fn record(&self, match_id: MatchId) -> Result<MatchRecord, Fault> {
        let log = self.tools.store.events(match_id, 0).await;
        let log = log.map_err(|error| self.fault("read a match", &error))?;
        let events = log
            .into_iter()
            .filter(|logged| !matches!(logged.event, Event::MessageSent { .. }))
            .map(|logged| RecordedEvent { at_ms: Some(logged.at.as_millis()), event: logged.event })
            .collect();
        MatchRecord::from_match_log(match_id, events).map_err(|error| self.fault("export a record", &error))
    }

    /// Returns the facts from which a match is replayed.
    ///
    /// # Errors
    /// [`Fault`] if the store failed.
    pub async fn facts(&self, table: TableId, match_id: MatchId) -> Result<(Origin, Vec<Fact>), Fault> {
        let read = facts(&self.tools.store, table, match_id).await;
        read.map_err(|error| self.fault("read a match", &error))
    }

    /// Stops all tables, each after its current command, and then the lobby.
    pub async fn stop(&self) {
        // An error means that it has stopped already.
        self.request(|answer| Message::Stop { answer }).await.ok();
    }

    /// Returns the answer to a command of this user that was committed in this match: the number of
    /// its last event.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub async fn answered_before(
        &self,
        match_id: MatchId,
        user: UserId,
        cmd: &CommandId,
    ) -> Result<Option<u64>, StoreError> {
        self.tools.store.command_seq(match_id, user, cmd).await
    }

    async fn load(&self, table: TableId) -> Result<Option<TableActor>, LoadError> {
        let Some(TableRow { match_id, .. }) = self.tools.store.table(table).await? else {
            return Ok(None);
        };
        TableActor::read(self.tools.clone(), table, match_id).await.map(Some)
    }

    async fn spawn(&self, table: TableActor, is_new: bool) -> Result<TableHandle, Stopped> {
        let table = Box::new(table);
        self.request(|answer| Message::Spawn { table, is_new, answer }).await
    }

    async fn request<T>(&self, message: impl FnOnce(oneshot::Sender<T>) -> Message) -> Result<T, Stopped> {
        let (answer, wait) = oneshot::channel();
        self.mailbox.send(message(answer)).await.map_err(|_| Stopped)?;
        wait.await.map_err(|_| Stopped)
    }

    fn fault(&self, doing: &str, error: &dyn std::error::Error) -> Fault {
        Fault::log(&self.tools.entropy, self.tools.clock.now(), doing, error)
    }
}
