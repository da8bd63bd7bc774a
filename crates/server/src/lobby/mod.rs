//! The lobby: finds tables, makes them, lists the public ones.
//!
//! It runs the actors of all unfinished tables, and of those ended ones that somebody looks at.
//! Reading from the store is done by whoever asks, not by the lobby's own task: nobody waits for
//! another's table.

mod actor;
mod index;
mod once;
mod opening;
mod quick;
mod window;

use std::sync::Arc;

use futures_util::StreamExt;
use quadrex_protocol::http::{CreateTable, TableList, TableSummary};
use quadrex_protocol::record::RecordedEvent;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{CmdId, Event, MatchId, MatchRecord, TableId, UserId};
use quadrex_rules::{Color, Timestamp, Variant};
use tokio::sync::{Mutex, mpsc, oneshot};

use actor::{MAILBOX, Message};
use opening::Opening;

pub use index::TablePage;
pub use once::OpenedTable;
pub use opening::OpenError;

use crate::fault::Fault;
use crate::table::{
    self, Fact, Frame, Listener, LoadError, Origin, Outage, Subscription, Table, TableHandle, Tools,
    make_nonce,
};
use quadrex_store::error_chain::chain;
use quadrex_store::{LotKey, StoreError, TableRow};

/// How many matches are read at a time when the server starts.
const READ_AT_ONCE: usize = 8;

/// How many quick joins that name themselves may be under way.
const NAMED_TURNS: usize = 32;

/// The way to the lobby. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lobby {
    mailbox: mpsc::Sender<Message>,
    tools: Tools,
    /// Held by the one quick join that may be about to make a table; it guards no data.
    quick_turn: Arc<Mutex<()>>,
    /// One is held by a quick join that names itself, by its user: the same one sent again waits.
    /// They guard no data.
    named_turns: Arc<[Mutex<()>; NAMED_TURNS]>,
}

/// The lobby has stopped: the server is about to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the lobby has stopped")]
pub struct Stopped;

/// Why a table could not be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// The server is about to end.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The store could not say.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Lobby {
    /// Starts the lobby's task, without any table. It ends with [`stop`](Self::stop).
    #[must_use]
    pub fn start(tools: Tools) -> Self {
        let (mailbox, messages) = mpsc::channel(MAILBOX);
        tokio::spawn(actor::Lobby::new(tools.clone()).run(messages));
        Self { mailbox, tools, quick_turn: Arc::default(), named_turns: Arc::default() }
    }

    /// Takes up all unfinished matches, to be done once at the start; gives back how many there
    /// are. Running clocks are charged up to `alive`, the server's last sign of life, and go on
    /// `grace` from now. A match that cannot be read back is reported, and does not hold up the
    /// others.
    ///
    /// # Errors
    /// [`StoreError`] if the database itself gives no answer.
    pub async fn recover(
        &self,
        alive: Option<Timestamp>,
        grace: std::time::Duration,
    ) -> Result<usize, StoreError> {
        let rows = self.tools.store.unfinished().await?;
        let back = self.tools.clock.now();
        let outage = Outage { alive, back, resumes: back + grace };
        let claims = rows.into_iter().map(|row| {
            let tools = self.tools.clone();
            async move { (row.match_id, Table::claim(tools, row.table, row.match_id, outage).await) }
        });
        let mut claims = futures_util::stream::iter(claims).buffer_unordered(READ_AT_ONCE);
        let mut recovered = 0;
        while let Some((match_id, claimed)) = claims.next().await {
            match claimed {
                Ok(Some(table)) => {
                    // The lobby can only have stopped if the server is about to end.
                    self.adopt(table).await.ok();
                    recovered += 1;
                }
                Ok(None) => {}
                Err(LoadError::Store(error @ StoreError::Database { .. })) => return Err(error),
                Err(error) => {
                    tracing::error!(match.id = %match_id, "a match cannot be read back: {}", chain(&error));
                }
            }
        }
        Ok(recovered)
    }

    /// The way to a table; `None` if there is none. One without an actor is read from the store;
    /// nothing is claimed, since whoever asks may only look.
    ///
    /// # Errors
    /// [`FindError`] if the store could not say, or the server is about to end.
    pub async fn find(&self, table: TableId) -> Result<Option<TableHandle>, FindError> {
        let known = self.ask(|answer| Message::Find { table, answer }).await?;
        if known.is_some() {
            return Ok(known);
        }
        // A server without a lease answers nothing.
        if !self.tools.lease.is_regained().await {
            return Err(Stopped.into());
        }
        match self.load(table).await.map_err(|error| self.fault("read a table", &error))? {
            Some(table) => Ok(Some(self.adopt(table).await?)),
            None => Ok(None),
        }
    }

    /// The way to a table that has an actor; `None` for any other. Reads and claims nothing.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn running(&self, table: TableId) -> Result<Option<TableHandle>, Stopped> {
        self.ask(|answer| Message::Find { table, answer }).await
    }

    /// Whether a table has an actor that has claimed its match.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn runs(&self, table: TableId) -> Result<bool, Stopped> {
        Ok(self.running(table).await?.is_some_and(|table| table.overview().is_claimed))
    }

    /// Claims a table's match, whether it has an actor that only read it or none.
    ///
    /// # Errors
    /// [`FindError`] if the store could not say, or the server is about to end.
    pub async fn take_up(&self, table: TableId) -> Result<(), FindError> {
        if let Some(handle) = self.find(table).await? {
            handle.take_up().await.map_err(|_| Stopped)?;
        }
        Ok(())
    }

    /// Makes a table, with bots in these seats or in the first open ones: its first events are
    /// durable when this returns.
    ///
    /// # Errors
    /// [`OpenError`] if the host asks for what cannot be, or the store could not keep it.
    pub async fn open(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<TableHandle, OpenError> {
        self.keep(self.prepare(request, host, bots)?).await
    }

    /// Keeps a table that was prepared, and lets its actor run.
    async fn keep(&self, opening: Opening) -> Result<TableHandle, OpenError> {
        let opened = self.tools.store.open_table(&opening.row()).await;
        opened.map_err(|error| self.fault("make a table", &error))?;
        Ok(self.adopt(Table::opened(self.tools.clone(), opening.history())).await?)
    }

    /// Judges what a host asks for, and decides the first events of the table.
    fn prepare(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<Opening, OpenError> {
        let Tools { clock, entropy, .. } = &self.tools;
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

    /// The public tables that are open or running, newest first.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn list(&self, page: TablePage) -> Result<TableList, Stopped> {
        self.ask(|answer| Message::List { page, answer }).await
    }

    /// The unfinished tables where somebody sits or is host, newest first, and after which to go on
    /// if there are more.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn mine(
        &self,
        user: UserId,
        page: TablePage,
    ) -> Result<(Vec<TableSummary>, Option<TableId>), Stopped> {
        self.ask(|answer| Message::Mine { user, page, answer }).await
    }

    /// Whether somebody plays a match of this variant that runs, and is not out of it.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn plays(&self, user: UserId, variant: Variant) -> Result<bool, Stopped> {
        self.ask(|answer| Message::Plays { user, variant, answer }).await
    }

    /// The window of the public tables, and a place from where the listener hears each change of
    /// it.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn watch(
        &self,
        listener: Arc<dyn Listener<Frame>>,
    ) -> Result<(Frame, Subscription<Frame>), Stopped> {
        self.ask(|answer| Message::Watch { listener, answer }).await
    }

    /// The table of a match; `None` if there is no such match.
    ///
    /// # Errors
    /// [`Fault`] if the store could not say.
    pub async fn table_of(&self, match_id: MatchId) -> Result<Option<TableId>, Fault> {
        let table = self.tools.store.table_of(match_id).await;
        table.map_err(|error| self.fault("look up a match", &error))
    }

    /// A match as a record, without what was said there.
    ///
    /// # Errors
    /// [`Fault`] if the store could not say, or has no such match.
    pub async fn record(&self, match_id: MatchId) -> Result<MatchRecord, Fault> {
        let log = self.tools.store.events(match_id, 0).await;
        let log = log.map_err(|error| self.fault("read a match", &error))?;
        let events = log
            .into_iter()
            .filter(|logged| !matches!(logged.event, Event::Said { .. }))
            .map(|logged| RecordedEvent { at_ms: Some(logged.at.as_millis()), event: logged.event })
            .collect();
        MatchRecord::of_match(match_id, events).map_err(|error| self.fault("make a record", &error))
    }

    /// What a match is read back from.
    ///
    /// # Errors
    /// [`Fault`] if the store could not say.
    pub async fn facts(&self, table: TableId, match_id: MatchId) -> Result<(Origin, Vec<Fact>), Fault> {
        let read = table::facts(&self.tools.store, table, match_id).await;
        read.map_err(|error| self.fault("read a match", &error))
    }

    /// Stops all tables, each after the command it is at, and then the lobby.
    pub async fn stop(&self) {
        // An error says that it has stopped already.
        self.ask(|answer| Message::Stop { answer }).await.ok();
    }

    /// What a command of this user was answered in this match, if it was carried out there: the
    /// number of its last event.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot say.
    pub async fn answered_before(
        &self,
        match_id: MatchId,
        user: UserId,
        cmd: &CmdId,
    ) -> Result<Option<u64>, StoreError> {
        self.tools.store.command_answer(match_id, user, cmd).await
    }

    async fn load(&self, table: TableId) -> Result<Option<Table>, LoadError> {
        let Some(TableRow { match_id, .. }) = self.tools.store.table(table).await? else {
            return Ok(None);
        };
        Table::read(self.tools.clone(), table, match_id).await.map(Some)
    }

    async fn adopt(&self, table: Table) -> Result<TableHandle, Stopped> {
        let table = Box::new(table);
        self.ask(|answer| Message::Adopt { table, answer }).await
    }

    async fn ask<T>(&self, message: impl FnOnce(oneshot::Sender<T>) -> Message) -> Result<T, Stopped> {
        let (answer, wait) = oneshot::channel();
        self.mailbox.send(message(answer)).await.map_err(|_| Stopped)?;
        wait.await.map_err(|_| Stopped)
    }

    fn fault(&self, doing: &str, error: &dyn std::error::Error) -> Fault {
        Fault::log(&self.tools.entropy, self.tools.clock.now(), doing, error)
    }
}
