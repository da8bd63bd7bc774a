//! Work that takes a processor for milliseconds: beside the tasks that serve connections, and only so much at a time.
//!
//! Requests that people wait for (a line that is explored, a match that is looked at) and pictures each have workers of
//! their own, so that no number of pictures holds up anything else. Either queue is bounded.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use quadrex_protocol::RefusalCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::Refusal;
use super::state::App;

/// Requests that may wait for a worker.
const REQUESTS_WAITING: usize = 512;

/// Pictures that may wait for a worker: whoever comes later is better served by trying again.
const PICTURES_WAITING: usize = 32;

/// Workers for one kind of work, with a bounded queue.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    kind: &'static str,
    at_work: Arc<Semaphore>,
    /// Those at work and those that may wait.
    taken: Arc<Semaphore>,
}

/// A place in a queue, and then at a worker.
struct Place {
    _at_work: OwnedSemaphorePermit,
    _taken: OwnedSemaphorePermit,
}

impl Workers {
    /// As many workers as there are processors, for requests that people wait for.
    pub(crate) fn for_requests() -> Self {
        Self::new("requests", processors(), REQUESTS_WAITING)
    }

    /// Half as many workers as there are processors, for pictures.
    pub(crate) fn for_pictures() -> Self {
        Self::new("pictures", processors().div_ceil(2), PICTURES_WAITING)
    }

    fn new(kind: &'static str, workers: usize, waiting: usize) -> Self {
        Self {
            kind,
            at_work: Arc::new(Semaphore::new(workers)),
            taken: Arc::new(Semaphore::new(workers + waiting)),
        }
    }

    /// Waits for a worker; refused if too many wait already.
    async fn place(&self) -> Result<Place, Refusal> {
        let taken = Arc::clone(&self.taken).try_acquire_owned();
        let taken = taken.map_err(|_| Refusal::new(RefusalCode::Busy, TooManyWait { kind: self.kind }))?;
        let at_work = Arc::clone(&self.at_work).acquire_owned().await.expect("it is never closed");
        Ok(Place { _at_work: at_work, _taken: taken })
    }
}

/// More work waits than may.
struct TooManyWait {
    kind: &'static str,
}

impl fmt::Display for TooManyWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "too many {} are waiting; try again in a moment", self.kind)
    }
}

fn processors() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

impl App {
    /// Does work when there is a worker for it.
    ///
    /// # Errors
    /// `busy` if too much waits; a fault of ours if the work breaks.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        workers: &Workers,
        doing: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = workers.place().await?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        done.await.map_err(|error| self.fault(doing, &error))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn more_than_may_wait_are_refused_at_once_and_the_others_get_their_turn() {
        let workers = Workers::new("pictures", 2, 3);
        let mut at_work: Vec<_> = (0..2)
            .map(|_| workers.place().now_or_never().expect("a worker is free").unwrap_or_else(|_| panic!()))
            .collect();
        let mut waiting: Vec<_> = (0..3).map(|_| Box::pin(workers.place())).collect();
        for place in &mut waiting {
            assert!(place.as_mut().now_or_never().is_none(), "all workers are at work");
        }
        let refused = workers.place().now_or_never().expect("it does not wait").err();
        assert_eq!(refused.map(|refusal| refusal.code), Some(RefusalCode::Busy));
        at_work.pop();
        let first = waiting[0].as_mut().now_or_never();
        at_work.extend(first.expect("the first who waits is next"));
        assert!(waiting[1].as_mut().now_or_never().is_none());
        // Whoever no longer waits leaves the place to another.
        drop(waiting);
        at_work.pop();
        assert!(workers.place().now_or_never().is_some());
    }

    #[test]
    fn requests_never_wait_for_pictures() {
        let (requests, pictures) = (Workers::for_requests(), Workers::for_pictures());
        let mut drawing = Vec::new();
        while let Some(place) = pictures.place().now_or_never() {
            drawing.push(place.unwrap_or_else(|refusal| panic!("{refusal:?}")));
        }
        assert!(requests.place().now_or_never().is_some_and(|place| place.is_ok()));
    }
}
