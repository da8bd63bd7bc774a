//! The lobby's actor: which tables have one, and the list of the public ones.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::http::{Privacy, TableSummary};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ServerFrame, TableId, UserId};
use quadrex_rules::{Timestamp, Variant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{self, JoinSet};
use tracing::Instrument;

use crate::table::{Channel, Frame, Listener, Place, Table, TableHandle, Tools, encode};

/// How many messages may wait for the lobby.
pub(super) const MAILBOX: usize = 256;

/// How long changes of the list are gathered before they are told: a busy table changes with every move.
const LIST_PAUSE: Duration = Duration::from_millis(200);

/// What the lobby is asked.
#[derive(Debug)]
pub(super) enum Message {
    /// The way to a table that has an actor.
    Find { table: TableId, answer: oneshot::Sender<Option<TableHandle>> },
    /// To let a table's actor run, unless the table has one.
    Adopt { table: Box<Table>, answer: oneshot::Sender<TableHandle> },
    /// The public list.
    List { answer: oneshot::Sender<Vec<TableSummary>> },
    /// The unfinished tables where somebody sits or is host.
    Mine { user: UserId, answer: oneshot::Sender<Vec<TableSummary>> },
    /// Whether somebody plays a match of this variant that runs, and is not out of it.
    Plays { user: UserId, variant: Variant, answer: oneshot::Sender<bool> },
    /// The public list, and to have a listener hear each change of it.
    Watch { listener: Arc<dyn Listener<Frame>>, answer: oneshot::Sender<(Frame, Place<Frame>)> },
    /// To stop all tables, and then itself.
    Stop { answer: oneshot::Sender<()> },
}

/// The lobby.
#[derive(Debug)]
pub(super) struct Lobby {
    tools: Tools,
    tables: HashMap<TableId, TableHandle>,
    actors: JoinSet<TableId>,
    /// Which table a task is for: all that is known of one that panicked.
    tasks: HashMap<task::Id, TableId>,
    /// Public, open or running. UUIDv7: the order of ids is the order of making.
    list: BTreeMap<TableId, TableSummary>,
    changes: Channel<Frame>,
    list_due: Option<Timestamp>,
}

impl Lobby {
    pub(super) fn new(tools: Tools) -> Self {
        Self {
            tools,
            tables: HashMap::new(),
            actors: JoinSet::new(),
            tasks: HashMap::new(),
            list: BTreeMap::new(),
            changes: Channel::default(),
            list_due: None,
        }
    }

    pub(super) async fn run(mut self, mut mailbox: mpsc::Receiver<Message>) {
        let changed = self.tools.changed.clone();
        loop {
            let now = self.tools.clock.now();
            let pause = self.list_due.map_or(Duration::MAX, |due| due.since(now));
            tokio::select! {
                message = mailbox.recv() => match message {
                    None => return,
                    Some(Message::Stop { answer }) => {
                        self.stop().await;
                        answer.send(()).ok();
                        return;
                    }
                    Some(message) => self.receive(message),
                },
                Some(ended) = self.actors.join_next_with_id() => self.forget(ended),
                // What changes until then is seen then.
                () = changed.notified(), if self.list_due.is_none() => {
                    self.list_due = Some(self.tools.clock.now() + LIST_PAUSE);
                }
                () = tokio::time::sleep(pause) => self.renew_list(),
            }
        }
    }

    fn receive(&mut self, message: Message) {
        // Whoever asked may be gone by now; then nobody misses the answer.
        match message {
            Message::Find { table, answer } => {
                answer.send(self.running(table).cloned()).ok();
            }
            Message::Adopt { table, answer } => {
                answer.send(self.adopt(*table)).ok();
            }
            Message::List { answer } => {
                self.renew_list();
                answer.send(self.public()).ok();
            }
            Message::Mine { user, answer } => {
                answer.send(self.mine(user)).ok();
            }
            Message::Plays { user, variant, answer } => {
                answer.send(self.plays(user, variant)).ok();
            }
            Message::Watch { listener, answer } => {
                self.renew_list();
                let list = encode(&ServerFrame::Lobby { tables: self.public() });
                answer.send((list, self.changes.subscribe(listener))).ok();
            }
            Message::Stop { .. } => unreachable!("the loop ends on it"),
        }
    }

    /// The way to a table whose actor still takes messages.
    fn running(&self, table: TableId) -> Option<&TableHandle> {
        self.tables.get(&table).filter(|handle| !handle.is_gone())
    }

    fn adopt(&mut self, table: Table) -> TableHandle {
        if let Some(known) = self.running(table.id()) {
            return known.clone();
        }
        let span = tracing::info_span!("table", table.id = %table.id());
        let (handle, actor) = table.start();
        let task = self.actors.spawn(actor.instrument(span));
        self.tasks.insert(task.id(), handle.table());
        let (mut seen, id) = (handle.clone(), handle.table());
        let looks = Arc::unwrap_or_clone(seen.look().summary);
        self.tables.insert(id, seen);
        self.list_one(looks);
        handle
    }

    /// A table's task has ended: because nobody watches an ended match, or by a bug. In both cases the next one
    /// who asks for the table has it read from the store again.
    fn forget(&mut self, ended: Result<(task::Id, TableId), task::JoinError>) {
        let task = match &ended {
            Ok((task, _)) => *task,
            Err(error) => error.id(),
        };
        let Some(table) = self.tasks.remove(&task) else { return };
        if let Err(error) = ended {
            tracing::error!(table.id = %table, "the table's task broke: {error}");
        }
        // By now another actor may run for it.
        if self.running(table).is_none() {
            self.tables.remove(&table);
            self.unlist(table);
        }
    }

    async fn stop(mut self) {
        for handle in self.tables.values() {
            handle.stop().await;
        }
        while self.actors.join_next().await.is_some() {}
    }

    /// Newest first.
    fn public(&self) -> Vec<TableSummary> {
        self.list.values().rev().cloned().collect()
    }

    fn mine(&self, user: UserId) -> Vec<TableSummary> {
        let mut mine: Vec<_> = self
            .tables
            .values()
            .map(TableHandle::glance)
            .filter(|glance| glance.summary.phase != Phase::Ended)
            .filter(|glance| glance.summary.host.id == user || glance.seated().any(|seated| seated == user))
            .map(|glance| Arc::unwrap_or_clone(glance.summary))
            .collect();
        mine.sort_unstable_by_key(|summary| std::cmp::Reverse(summary.table));
        mine
    }

    fn plays(&self, user: UserId, variant: Variant) -> bool {
        self.tables.values().any(|table| table.played_by(user) == Some(variant))
    }

    /// Looks at all tables that have changed, and tells the watchers of the list.
    fn renew_list(&mut self) {
        self.list_due = None;
        let changed = self.tables.values_mut().filter(|handle| handle.changed());
        let looks: Vec<_> = changed.map(|handle| Arc::unwrap_or_clone(handle.look().summary)).collect();
        for summary in looks {
            self.list_one(summary);
        }
    }

    /// Puts one table on the list, or off it. Private ones never come on it.
    fn list_one(&mut self, summary: TableSummary) {
        match (summary.settings.privacy, summary.phase) {
            (Privacy::Private, _) => {}
            (Privacy::Public, Phase::Ended) => self.unlist(summary.table),
            (Privacy::Public, Phase::Open | Phase::Running) => {
                self.tell(|| ServerFrame::LobbyTable { table: summary.clone() });
                self.list.insert(summary.table, summary);
            }
        }
    }

    fn unlist(&mut self, table: TableId) {
        if self.list.remove(&table).is_some() {
            self.tell(|| ServerFrame::LobbyGone { table });
        }
    }

    fn tell(&self, change: impl FnOnce() -> ServerFrame) {
        if !self.changes.is_empty() {
            self.changes.tell(encode(&change()));
        }
    }
}
