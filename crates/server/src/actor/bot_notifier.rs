//! The notifier that passes the bots' tasks from a table's actor to the runner of the bots.

use std::fmt;
use std::sync::Arc;

use quadrex_table::BotTask;
use tokio::sync::watch;

use super::endpoint::TableEndpoint;
use super::handle::TableHandle;

/// A runner of the bots of tables.
pub trait BotRunner: fmt::Debug + Send + Sync {
    /// Starts the bots of a table and returns at once. The bots run until the table's actor ends.
    /// `tasks` holds the current task of the table's bots, or `None` if they have nothing to do.
    fn run_bots(&self, table: TableHandle, tasks: watch::Receiver<Option<Arc<BotTask>>>);
}

/// The notifier of a table's bots. It starts the bots when there is a first task for them. At a
/// table without bots it starts nothing.
#[derive(Debug, Default)]
pub(super) struct BotNotifier {
    /// The channel to the running bots; `None` until they are started. The channel holds the
    /// current task, if there is one.
    tasks: Option<watch::Sender<Option<Arc<BotTask>>>>,
    /// True if the bots have received the current task, and nothing has happened since then that
    /// may change it.
    is_up_to_date: bool,
}

impl BotNotifier {
    /// Records that something has happened that may change the current task.
    pub(super) fn mark_outdated(&mut self) {
        self.is_up_to_date = false;
    }

    /// Returns whether the current task has to be determined and sent again.
    pub(super) fn is_task_outdated(&self) -> bool {
        !self.is_up_to_date
    }

    /// Returns whether the bots have a task.
    pub(super) fn has_task(&self) -> bool {
        self.tasks.as_ref().is_some_and(|tasks| tasks.borrow().is_some())
    }

    /// Sends the current task to the bots. The first task makes the runner start them with a handle
    /// to the table.
    pub(super) fn send_task(
        &mut self,
        task: Option<BotTask>,
        runner: &dyn BotRunner,
        endpoint: &TableEndpoint,
    ) {
        self.is_up_to_date = true;
        match (&self.tasks, task.map(Arc::new)) {
            (Some(tasks), task) => drop(tasks.send_replace(task)),
            (None, Some(task)) => {
                let (tasks, receiver) = watch::channel(Some(task));
                runner.run_bots(endpoint.handle(), receiver);
                self.tasks = Some(tasks);
            }
            (None, None) => {}
        }
    }
}
