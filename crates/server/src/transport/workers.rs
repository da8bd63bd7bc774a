//! Work that takes a processor for milliseconds: beside the tasks that serve lines, and only so much at a time.

use std::num::NonZeroUsize;
use std::sync::Arc;

use tokio::sync::Semaphore;

use super::app::App;
use super::refuse::Refusal;

/// Lets in as much at a time as there are processors.
#[derive(Clone, Debug)]
pub(super) struct Workers(Arc<Semaphore>);

impl Workers {
    pub(super) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self(Arc::new(Semaphore::new(processors)))
    }
}

impl App {
    /// Does such work when there is a place for it.
    ///
    /// # Errors
    /// A fault of ours if the work breaks.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        doing: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = Arc::clone(&self.workers.0).acquire_owned().await.expect("it is never closed");
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        done.await.map_err(|error| self.fault(doing, &error))
    }
}
