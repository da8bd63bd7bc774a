//! The lobby's actor: which tables have one, and what those who watch the lobby are told of the
//! public ones.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::http::{QuickJoin, TableList, TableSummary};
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::{Timestamp, Variant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{self, JoinSet};
use tracing::Instrument;

use super::index::{Index, TablePage};
use super::quick::fitting;
use super::window::Window;
use crate::table::{Channel, Frame, Listener, Subscription, Table, TableHandle, Tools, encode};

/// How many messages may wait for the lobby.
pub(super) const MAILBOX: usize = 256;

/// How long tables that come, go and change hands are gathered before they are told.
const TABLES_PAUSE: Duration = Duration::from_millis(200);

/// The least time from one preview to the next: a busy table changes with every move.
const PREVIEW_PAUSE: Duration = Duration::from_secs(1);

/// What the lobby is asked.
#[derive(Debug)]
pub(super) enum Message {
    /// The way to a table that has an actor.
    Find { table: TableId, answer: oneshot::Sender<Option<TableHandle>> },
    /// To let a table's actor run, unless the table has one.
    Adopt { table: Box<Table>, answer: oneshot::Sender<TableHandle> },
    /// A page of the public tables.
    List { page: TablePage, answer: oneshot::Sender<TableList> },
    /// A page of the unfinished tables where somebody sits or is host, and what to go on from.
    Mine { user: UserId, page: TablePage, answer: oneshot::Sender<(Vec<TableSummary>, Option<TableId>)> },
    /// The tables where somebody may take a seat as wished, the best first.
    Fitting { wish: QuickJoin, user: UserId, answer: oneshot::Sender<Vec<TableId>> },
    /// Whether somebody plays a match of this variant that runs, and is not out of it.
    Plays { user: UserId, variant: Variant, answer: oneshot::Sender<bool> },
    /// The window, and to have a listener hear each change of it.
    Watch { listener: Arc<dyn Listener<Frame>>, answer: oneshot::Sender<(Frame, Subscription<Frame>)> },
    /// To stop all tables, and then itself.
    Stop { answer: oneshot::Sender<()> },
}

/// The lobby.
#[derive(Debug)]
pub(super) struct Lobby {
    tools: Tools,
    index: Index,
    actors: JoinSet<TableId>,
    /// Which table a task is for: all that is known of one that panicked.
    tasks: HashMap<task::Id, TableId>,
    window: Window,
    changes: Channel<Frame>,
    /// When those who watch are to be told of tables.
    tables_due: Option<Timestamp>,
    /// When they are to be sent a preview.
    preview_due: Option<Timestamp>,
    /// When they were sent the last.
    last_preview: Option<Timestamp>,
}

impl Lobby {
    pub(super) fn new(tools: Tools) -> Self {
        Self {
            tools,
            index: Index::default(),
            actors: JoinSet::new(),
            tasks: HashMap::new(),
            window: Window::default(),
            changes: Channel::default(),
            tables_due: None,
            preview_due: None,
            last_preview: None,
        }
    }

    pub(super) async fn run(mut self, mut mailbox: mpsc::Receiver<Message>) {
        let (changed, clock) = (self.tools.changed.clone(), self.tools.clock.clone());
        loop {
            let due = [self.tables_due, self.preview_due].into_iter().flatten().min();
            let wait = async {
                match due {
                    Some(due) => clock.sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
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
                () = changed.marked(), if self.tables_due.is_none() => self.tables_are_due(),
                () = wait => self.be_due(),
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
            Message::List { page, answer } => {
                self.take_changes();
                answer.send(self.index.public(page)).ok();
            }
            Message::Mine { user, page, answer } => {
                self.take_changes();
                answer.send(self.index.of_user(user, page)).ok();
            }
            Message::Fitting { wish, user, answer } => {
                self.take_changes();
                answer.send(fitting(self.index.open_outlines(), &wish, user)).ok();
            }
            Message::Plays { user, variant, answer } => {
                self.take_changes();
                let mut tables = self.index.handles_of(user);
                answer.send(tables.any(|table| table.played_by(user) == Some(variant))).ok();
            }
            Message::Watch { listener, answer } => {
                self.take_changes();
                if self.changes.is_empty() {
                    self.window.reset(&self.index);
                } else {
                    self.tell_tables();
                }
                answer.send((self.window.frame(), self.changes.subscribe(listener))).ok();
            }
            Message::Stop { .. } => unreachable!("the loop ends on it"),
        }
    }

    /// The way to a table whose actor still takes messages.
    fn running(&self, table: TableId) -> Option<&TableHandle> {
        self.index.handle(table).filter(|handle| !handle.is_gone())
    }

    fn adopt(&mut self, table: Table) -> TableHandle {
        if let Some(known) = self.running(table.id()) {
            return known.clone();
        }
        let span = tracing::info_span!("table", table.id = %table.id());
        let (handle, actor) = table.start();
        let task = self.actors.spawn(actor.instrument(span));
        self.tasks.insert(task.id(), handle.table());
        self.index.add(handle.clone());
        self.tables_are_due();
        handle
    }

    /// A table's task has ended: because nobody watches an ended match, or by a bug. In both cases
    /// the next one who asks for the table has it read from the store again.
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
            self.index.remove(table);
            self.tables_are_due();
        }
    }

    async fn stop(mut self) {
        for handle in self.index.handles() {
            handle.stop().await;
        }
        while self.actors.join_next().await.is_some() {}
    }

    /// Looks at the tables that have changed, and at no others.
    fn take_changes(&mut self) {
        for table in self.tools.changed.take() {
            if self.index.renew(table) {
                self.tables_are_due();
            }
            self.preview_is_due();
        }
    }

    fn tables_are_due(&mut self) {
        let now = self.tools.clock.now();
        self.tables_due = self.tables_due.or(Some(now + TABLES_PAUSE));
        self.preview_is_due();
    }

    fn preview_is_due(&mut self) {
        let now = self.tools.clock.now();
        let next = self.last_preview.map_or(now, |last| (last + PREVIEW_PAUSE).max(now));
        self.preview_due = self.preview_due.or(Some(next.max(self.tables_due.unwrap_or(now))));
    }

    /// Tells those who watch what is due.
    fn be_due(&mut self) {
        let now = self.tools.clock.now();
        let is_due = |due: Option<Timestamp>| due.is_some_and(|due| due <= now);
        let (tables, preview) = (is_due(self.tables_due), is_due(self.preview_due));
        self.take_changes();
        if preview {
            self.index.rank();
        }
        if tables || preview {
            self.tell_tables();
        }
        if preview {
            (self.preview_due, self.last_preview) = (None, Some(now));
            if !self.changes.is_empty()
                && let Some(preview) = self.window.preview(&self.index)
            {
                self.changes.publish(encode(&preview));
            }
        }
    }

    fn tell_tables(&mut self) {
        self.tables_due = None;
        if self.changes.is_empty() {
            return;
        }
        for change in self.window.tables(&self.index) {
            self.changes.publish(encode(&change));
        }
    }
}
