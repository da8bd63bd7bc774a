//! The notifier through which a table's actor gives tasks to its bots.

use std::fmt;
use std::sync::Arc;

use quadrex_table::BotTask;
use tokio::sync::watch;

use super::handle::TableHandle;

/// The runner of bots.
pub trait BotRunner: fmt::Debug + Send + Sync {
    /// Starts to run the bots of a table, and returns at once. The bots run until the table's actor
    /// ends.
    fn run_bots(&self, table: TableHandle, tasks: watch::Receiver<Option<Arc<BotTask>>>);
}

/// The notifier of a table's bots. It starts the runner when the first task comes up, so that a
/// table without bots has none.
#[derive(Debug, Default)]
pub(super) struct BotNotifier {
    /// The channel to the runner, once it was started. It holds the current task, if there is one.
    tasks: Option<watch::Sender<Option<Arc<BotTask>>>>,
    /// True if nothing has happened since the runner received the current task.
    is_up_to_date: bool,
}

impl BotNotifier {
    /// Notes that something has happened that may change the current task.
    pub(super) fn mark_outdated(&mut self) {
        self.is_up_to_date = false;
    }

    /// Returns whether the current task has to be sent to the runner again.
    pub(super) fn is_outdated(&self) -> bool {
        !self.is_up_to_date
    }

    /// Sends the current task to the runner. The first task starts the runner with a handle to the
    /// table.
    pub(super) fn send_task(
        &mut self,
        task: Option<BotTask>,
        runner: &dyn BotRunner,
        table: Option<TableHandle>,
    ) {
        self.is_up_to_date = true;
        match (&self.tasks, task.map(Arc::new)) {
            (Some(tasks), task) => drop(tasks.send_replace(task)),
            (None, Some(task)) => {
                let Some(table) = table else { return };
                let (tasks, receiver) = watch::channel(Some(task));
                runner.run_bots(table, receiver);
                self.tasks = Some(tasks);
            }
            (None, None) => {}
        }
    }
}
