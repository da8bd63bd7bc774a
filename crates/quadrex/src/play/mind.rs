//! An engine at one table: a task that owns the process, so that the line never waits for it.

use std::sync::Arc;

use quadrex_driver::{Answer, Engine, EngineError, Launch};
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Game;
use quadrex_server::clock::Clock;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::allowance::Allowance;

/// What is to be thought about.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) match_id: MatchId,
    /// The number of the last event that changed the board.
    pub(super) board: u64,
    pub(super) game: Game,
    pub(super) allowance: Allowance,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Thought {
    pub(super) table: TableId,
    pub(super) match_id: MatchId,
    pub(super) board: u64,
    pub(super) answer: Result<Answer, Broken>,
}

/// Why the engine is of no more use: what it did last.
#[derive(Debug, thiserror::Error)]
#[error("the engine gave no move {failures} times in one match; the last time {last}")]
pub(super) struct Broken {
    failures: u32,
    last: EngineError,
}

/// How engines are run.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub(super) launch: Launch,
    /// How often in a match it is started anew.
    pub(super) restarts: u32,
    pub(super) clock: Clock,
}

/// The task. Dropped, it ends, and the engine with it.
#[derive(Debug)]
pub(super) struct Mind {
    wanted: watch::Sender<Option<Arc<Question>>>,
    task: JoinHandle<()>,
}

impl Mind {
    /// Starts the engine of a table.
    pub(super) fn start(manner: &Manner, table: TableId, thoughts: mpsc::Sender<Thought>) -> Self {
        let (wanted, asked) = watch::channel(None);
        let thinker =
            Thinker { manner: manner.clone(), table, engine: None, begun: None, failures: 0, counted: None };
        Self { wanted, task: tokio::spawn(thinker.run(asked, thoughts)) }
    }

    /// The board that is thought about.
    pub(super) fn board(&self) -> Option<(MatchId, u64)> {
        self.wanted.borrow().as_ref().map(|question| (question.match_id, question.board))
    }

    /// Has it think about this, in place of anything before; or about nothing.
    pub(super) fn think(&self, question: Option<Question>) {
        self.wanted.send_replace(question.map(Arc::new));
    }
}

impl Drop for Mind {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the task owns.
struct Thinker {
    manner: Manner,
    table: TableId,
    engine: Option<Engine>,
    /// The match that the engine was told of.
    begun: Option<MatchId>,
    /// How often it failed in the match that is counted.
    failures: u32,
    counted: Option<MatchId>,
}

impl Thinker {
    async fn run(
        mut self,
        mut asked: watch::Receiver<Option<Arc<Question>>>,
        thoughts: mpsc::Sender<Thought>,
    ) {
        // While nobody has begun it gets ready; if it does not, that is said when it is asked.
        if let Ok(engine) = Engine::start(&self.manner.launch).await {
            self.engine = Some(engine);
        }
        loop {
            let question = asked.borrow_and_update().clone();
            let Some(question) = question else {
                if asked.changed().await.is_err() {
                    return;
                }
                continue;
            };
            let is_other =
                |now: &Option<Arc<Question>>| !now.as_ref().is_some_and(|now| Arc::ptr_eq(now, &question));
            let mut watching = asked.clone();
            let stopped = async { drop(watching.wait_for(is_other).await) };
            let said = self.answer(&question, stopped).await;
            let Some(answer) = self.judge(&question, said) else { continue };
            let Question { match_id, board, .. } = *question;
            let is_broken = answer.is_err();
            let thought = Thought { table: self.table, match_id, board, answer };
            if thoughts.send(thought).await.is_err() || is_broken {
                return;
            }
            if asked.wait_for(is_other).await.is_err() {
                return;
            }
        }
    }

    /// Has the engine answer; one that is not there is started.
    async fn answer(
        &mut self,
        question: &Question,
        stopped: impl Future<Output = ()>,
    ) -> Result<Answer, EngineError> {
        if self.counted.replace(question.match_id) != Some(question.match_id) {
            self.failures = 0;
        }
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.begun = None;
                Engine::start(&self.manner.launch).await?
            }
        };
        if self.begun != Some(question.match_id) {
            engine.begin(question.game.position().variant()).await?;
        }
        self.begun = Some(question.match_id);
        let go = question.allowance.go(self.manner.clock.now());
        let answer = engine.search(&question.game, &go, stopped).await?;
        self.engine = Some(engine);
        Ok(answer)
    }

    /// What an answer means; nothing if the engine is to be asked again.
    fn judge(
        &mut self,
        question: &Question,
        said: Result<Answer, EngineError>,
    ) -> Option<Result<Answer, Broken>> {
        let error = match said {
            Ok(answer) => return Some(Ok(answer)),
            Err(error) => error,
        };
        self.failures += 1;
        let fen = question.game.position().setup();
        tracing::warn!(
            table.id = %self.table,
            match.id = %question.match_id,
            "the engine gave no move: {error}; the position is {fen}"
        );
        if self.failures > self.manner.restarts {
            return Some(Err(Broken { failures: self.failures, last: error }));
        }
        tracing::info!(table.id = %self.table, "the engine is started anew, {} of {} times", self.failures, self.manner.restarts);
        None
    }
}
