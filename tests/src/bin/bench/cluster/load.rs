//! Many matches that are played at the same time during a fault, such as the loss of their owner.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_tests::swarm::now;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use super::played::PlayedMatch;

/// The number of matches that are started at the same time.
const STARTED_AT_ONCE: usize = 8;

/// The multiples of the golden ratio, without their whole parts, are evenly spread.
const GOLDEN_RATIO: f64 = 0.618_033_988_75;

/// The interval between two looks at the number of matches.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The progress of the run.
#[derive(Clone, Copy)]
enum Stage {
    Running,
    /// The fault has begun. Every match tries a move at once, and goes on at its pace.
    Fault(Instant),
    Ended,
}

/// The node that owns matches, and the nodes of their players.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The name for figures.
    pub(super) name: &'static str,
    pub(super) owner: SocketAddr,
    /// The players connect to these nodes, one after the other.
    pub(super) players: Vec<SocketAddr>,
    /// Players whose connection ends connect to one of these nodes.
    pub(super) refuges: Vec<SocketAddr>,
}

/// Matches with one task each.
pub(super) struct Load {
    stage: watch::Sender<Stage>,
    matches: JoinSet<Result<PlayedMatch>>,
    /// The number of matches that have accepted a move which was sent during the fault, or have
    /// ended.
    recovered: Arc<AtomicUsize>,
}

impl Load {
    /// Starts this number of matches at each place.
    ///
    /// # Errors
    /// If a match does not start.
    pub(super) async fn start(places: &[Place], count: usize, pause: Duration) -> Result<Self> {
        let (stage, recovered) = (watch::Sender::new(Stage::Running), Arc::new(AtomicUsize::new(0)));
        let seeded = (0..).zip(places.iter().flat_map(|place| std::iter::repeat_n(place, count)));
        let starting = seeded.map(|(seed, place)| PlayedMatch::start(place, seed));
        let started = futures_util::stream::iter(starting).buffer_unordered(STARTED_AT_ONCE);
        let add = |mut matches: JoinSet<_>, started: PlayedMatch| {
            // The moves of any run of successive tables are spread evenly over the pause.
            let offset = pause.mul_f64((matches.len() as f64 * GOLDEN_RATIO).fract());
            matches.spawn(play(started, offset, pause, stage.subscribe(), Arc::clone(&recovered)));
            std::future::ready(Ok(matches))
        };
        let matches = started.try_fold(JoinSet::new(), add).await.context("starting the matches")?;
        Ok(Self { stage, matches, recovered })
    }

    /// Has every match try a move, because a fault is about to begin. Returns the present time.
    pub(super) fn begin_fault(&self) -> Instant {
        let at = now();
        self.stage.send_replace(Stage::Fault(at));
        at
    }

    /// Waits until every match has accepted a move that was sent after the beginning of the fault, or
    /// for this time. Then ends the play, and returns the matches and the errors of those that
    /// failed.
    pub(super) async fn finish(mut self, limit: Duration) -> (Vec<PlayedMatch>, Vec<anyhow::Error>) {
        let count = self.matches.len();
        let recovery = async {
            while self.recovered.load(Ordering::Relaxed) < count {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        };
        // A match that does not recover ends with an error.
        timeout(limit, recovery).await.ok();
        self.stage.send_replace(Stage::Ended);
        let (mut played, mut errors) = (Vec::new(), Vec::new());
        while let Some(ended) = self.matches.join_next().await {
            match ended.map_err(anyhow::Error::from).flatten() {
                Ok(ended) => played.push(ended),
                Err(error) => errors.push(error),
            }
        }
        (played, errors)
    }
}

/// Plays a match until the end of the run, and counts it when it has recovered or ended.
async fn play(
    mut played: PlayedMatch,
    offset: Duration,
    pause: Duration,
    mut stage: watch::Receiver<Stage>,
    recovered: Arc<AtomicUsize>,
) -> Result<PlayedMatch> {
    let mut due = now() + offset;
    let mut recovery = Recovery { count: recovered, is_counted: false };
    while !played.is_over()? {
        tokio::select! {
            () = sleep_until(due) => {}
            // An error means that the run was dropped.
            changed = stage.changed() => if changed.is_err() { break },
        }
        if matches!(*stage.borrow_and_update(), Stage::Ended) {
            break;
        }
        due = now() + pause;
        let sent = played.make_move().await?.sent;
        if let Stage::Fault(at) = *stage.borrow()
            && sent >= at
        {
            recovery.record();
        }
    }
    Ok(played)
}

/// The part of a match in the number of recovered matches. A match whose task ends is not waited
/// for.
struct Recovery {
    count: Arc<AtomicUsize>,
    is_counted: bool,
}

impl Recovery {
    fn record(&mut self) {
        if !std::mem::replace(&mut self.is_counted, true) {
            self.count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        self.record();
    }
}
