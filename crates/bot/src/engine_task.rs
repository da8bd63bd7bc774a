//! A task that runs one table's engine process, so that the connection never waits for it.

use std::sync::Arc;

use quadrex_clock::Clock;
use quadrex_driver::{BestMove, Engine, EngineError, Launch};
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Game;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::think_time::ThinkTime;

/// A request for a move.
#[derive(Debug)]
pub(crate) struct MoveRequest {
    pub(crate) match_id: MatchId,
    /// The number of the last event that changed the board.
    pub(crate) board: u64,
    pub(crate) game: Game,
    pub(crate) think_time: ThinkTime,
}

/// The result of a request.
#[derive(Debug)]
pub(crate) struct MoveResult {
    pub(crate) table: TableId,
    pub(crate) match_id: MatchId,
    pub(crate) board: u64,
    pub(crate) answer: Result<BestMove, EngineFailed>,
}

/// The failure of an engine beyond its permitted restarts, with the last error.
#[derive(Debug, thiserror::Error)]
#[error("the engine gave no move {failures} times in one match; the last time {last}")]
pub(crate) struct EngineFailed {
    failures: u32,
    last: EngineError,
}

/// The settings of engine processes.
#[derive(Clone, Debug)]
pub(crate) struct EngineSettings {
    pub(crate) launch: Launch,
    /// The number of restarts per match.
    pub(crate) restarts: u32,
    pub(crate) clock: Clock,
}

/// A handle to the task. Dropping it ends the task and the engine.
#[derive(Debug)]
pub(crate) struct EngineTask {
    sender: watch::Sender<Option<Arc<MoveRequest>>>,
    task: JoinHandle<()>,
}

impl EngineTask {
    /// Starts the engine of a table.
    pub(crate) fn start(
        settings: &EngineSettings,
        table: TableId,
        results: mpsc::Sender<MoveResult>,
    ) -> Self {
        let (sender, requests) = watch::channel(None);
        let worker = Worker {
            settings: settings.clone(),
            table,
            engine: None,
            started_match: None,
            failures: 0,
            counted_match: None,
        };
        Self { sender, task: tokio::spawn(worker.run(requests, results)) }
    }

    /// Returns the match and board of the current request.
    pub(crate) fn board(&self) -> Option<(MatchId, u64)> {
        self.sender.borrow().as_ref().map(|request| (request.match_id, request.board))
    }

    /// Replaces the current request, or cancels it with `None`.
    pub(crate) fn set_request(&self, request: Option<MoveRequest>) {
        self.sender.send_replace(request.map(Arc::new));
    }
}

impl Drop for EngineTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The state of the task.
struct Worker {
    settings: EngineSettings,
    table: TableId,
    engine: Option<Engine>,
    /// The match that the engine has been set up for.
    started_match: Option<MatchId>,
    /// The number of failures in the counted match.
    failures: u32,
    counted_match: Option<MatchId>,
}

impl Worker {
    async fn run(
        mut self,
        mut requests: watch::Receiver<Option<Arc<MoveRequest>>>,
        results: mpsc::Sender<MoveResult>,
    ) {
        // The engine starts while it has nothing to do; a failure is reported with the first
        // request.
        if let Ok(engine) = Engine::start(&self.settings.launch).await {
            self.engine = Some(engine);
        }
        loop {
            let request = requests.borrow_and_update().clone();
            let Some(request) = request else {
                if requests.changed().await.is_err() {
                    return;
                }
                continue;
            };
            let is_replaced =
                |now: &Option<Arc<MoveRequest>>| !now.as_ref().is_some_and(|now| Arc::ptr_eq(now, &request));
            let mut replaced = requests.clone();
            let stopped = async { drop(replaced.wait_for(is_replaced).await) };
            let reply = self.search(&request, stopped).await;
            let Some(answer) = self.handle_reply(&request, reply) else { continue };
            let MoveRequest { match_id, board, .. } = *request;
            let has_failed = answer.is_err();
            let result = MoveResult { table: self.table, match_id, board, answer };
            if results.send(result).await.is_err() || has_failed {
                return;
            }
            if requests.wait_for(is_replaced).await.is_err() {
                return;
            }
        }
    }

    /// Searches for a move, starting the engine if necessary.
    async fn search(
        &mut self,
        request: &MoveRequest,
        stopped: impl Future<Output = ()>,
    ) -> Result<BestMove, EngineError> {
        if self.counted_match.replace(request.match_id) != Some(request.match_id) {
            self.failures = 0;
        }
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.started_match = None;
                Engine::start(&self.settings.launch).await?
            }
        };
        if self.started_match != Some(request.match_id) {
            engine.begin(request.game.position().variant()).await?;
        }
        self.started_match = Some(request.match_id);
        let go = request.think_time.go(self.settings.clock.now());
        let answer = engine.search(&request.game, &go, stopped).await?;
        self.engine = Some(engine);
        Ok(answer)
    }

    /// Returns the result to report, or `None` if the engine is to try again.
    fn handle_reply(
        &mut self,
        request: &MoveRequest,
        reply: Result<BestMove, EngineError>,
    ) -> Option<Result<BestMove, EngineFailed>> {
        let error = match reply {
            Ok(answer) => return Some(Ok(answer)),
            Err(error) => error,
        };
        self.failures += 1;
        let fen = request.game.position().setup();
        tracing::warn!(
            table.id = %self.table,
            match.id = %request.match_id,
            "the engine gave no move: {error}; the position is {fen}"
        );
        if self.failures > self.settings.restarts {
            return Some(Err(EngineFailed { failures: self.failures, last: error }));
        }
        tracing::info!(table.id = %self.table, "restarting the engine ({} of {} restarts)", self.failures, self.settings.restarts);
        None
    }
}
