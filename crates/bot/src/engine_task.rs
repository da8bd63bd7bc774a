//! A task that runs the engine process of one table, so that the connection never waits for the
//! engine.

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
    /// The number of the last event that changed the board or the turn.
    pub(crate) board_seq: u64,
    pub(crate) game: Game,
    pub(crate) think_time: ThinkTime,
}

/// The engine's answer to a request for a move.
#[derive(Debug)]
pub(crate) struct MoveResult {
    pub(crate) table: TableId,
    pub(crate) match_id: MatchId,
    pub(crate) board_seq: u64,
    pub(crate) answer: Result<BestMove, EngineFailed>,
}

/// The error of an engine that has failed and may not be restarted again.
#[derive(Debug, thiserror::Error)]
#[error("the engine gave no move {failures} times in one match; the last time {last_error}")]
pub(crate) struct EngineFailed {
    failures: u32,
    last_error: EngineError,
}

/// The settings of engine processes.
#[derive(Clone, Debug)]
pub(crate) struct EngineSettings {
    pub(crate) launch: Launch,
    /// The maximum number of restarts of a failed engine in one match.
    pub(crate) restarts: u32,
    pub(crate) clock: Clock,
}

/// A handle to the task of one table's engine. Dropping it ends the task and the engine.
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
            prepared_match: None,
            failures: 0,
            failures_match: None,
        };
        Self { sender, task: tokio::spawn(worker.run(requests, results)) }
    }

    /// Returns the match and the board of the current request. The board is given as the number of
    /// the last event that changed the board.
    pub(crate) fn requested_board(&self) -> Option<(MatchId, u64)> {
        self.sender.borrow().as_ref().map(|request| (request.match_id, request.board_seq))
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

/// The state of an engine's task.
struct Worker {
    settings: EngineSettings,
    table: TableId,
    engine: Option<Engine>,
    /// The match for which the engine was prepared.
    prepared_match: Option<MatchId>,
    /// The number of failures in the match `failures_match`.
    failures: u32,
    /// The match of the last request.
    failures_match: Option<MatchId>,
}

impl Worker {
    async fn run(
        mut self,
        mut requests: watch::Receiver<Option<Arc<MoveRequest>>>,
        results: mpsc::Sender<MoveResult>,
    ) {
        // The engine is started before the first request. If that fails, the first request starts
        // it again and reports a failure.
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
            let until_replaced = async { drop(replaced.wait_for(is_replaced).await) };
            let reply = self.search(&request, until_replaced).await;
            let Some(answer) = self.handle_reply(&request, reply) else { continue };
            let MoveRequest { match_id, board_seq, .. } = *request;
            let has_failed = answer.is_err();
            let result = MoveResult { table: self.table, match_id, board_seq, answer };
            if results.send(result).await.is_err() || has_failed {
                return;
            }
            if requests.wait_for(is_replaced).await.is_err() {
                return;
            }
        }
    }

    /// Lets the engine search for a move. Starts the engine if it does not run.
    async fn search(
        &mut self,
        request: &MoveRequest,
        stopped: impl Future<Output = ()>,
    ) -> Result<BestMove, EngineError> {
        if self.failures_match.replace(request.match_id) != Some(request.match_id) {
            self.failures = 0;
        }
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.prepared_match = None;
                Engine::start(&self.settings.launch).await?
            }
        };
        if self.prepared_match != Some(request.match_id) {
            engine.begin(request.game.position().variant()).await?;
        }
        self.prepared_match = Some(request.match_id);
        let go = request.think_time.go(self.settings.clock.now());
        let answer = engine.search(&request.game, &go, stopped).await?;
        self.engine = Some(engine);
        Ok(answer)
    }

    /// Returns the result for the bot, or `None` if the engine should try again.
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
            return Some(Err(EngineFailed { failures: self.failures, last_error: error }));
        }
        tracing::info!(table.id = %self.table, "restarting the engine ({} of {} restarts)", self.failures, self.settings.restarts);
        None
    }
}
