//! The notifier of a table's bots.

use std::fmt;
use std::sync::Arc;

use quadrex_table::BotTask;
use tokio::sync::watch;

use super::handle::TableHandle;

/// The runner of bots.
pub trait BotRunner: fmt::Debug + Send + Sync {
    /// Starts to run the bots of a table, until the table's actor ends. Does not wait.
    fn drive(&self, table: TableHandle, tasks: watch::Receiver<Option<Arc<BotTask>>>);
}

/// The notifier of a table's bots, if it has any.
#[derive(Debug, Default)]
pub(super) struct BotNotifier {
    /// The channel to the runner, from the first task on.
    tasks: Option<watch::Sender<Option<Arc<BotTask>>>>,
    /// True if the runner knows of everything that has happened.
    is_flushed: bool,
}

impl BotNotifier {
    /// Marks that something has happened that may change the task.
    pub(super) fn mark(&mut self) {
        self.is_flushed = false;
    }

    /// Returns whether something was marked since the last flush.
    pub(super) fn has_news(&self) -> bool {
        !self.is_flushed
    }

    /// Sends the present task to the runner, which is started with the first task.
    pub(super) fn flush(
        &mut self,
        task: Option<BotTask>,
        runner: &dyn BotRunner,
        table: Option<TableHandle>,
    ) {
        self.is_flushed = true;
        match (&self.tasks, task.map(Arc::new)) {
            (Some(tasks), task) => drop(tasks.send_replace(task)),
            (None, Some(task)) => {
                let Some(table) = table else { return };
                let (tasks, receiver) = watch::channel(Some(task));
                runner.drive(table, receiver);
                self.tasks = Some(tasks);
            }
            (None, None) => {}
        }
    }
}
