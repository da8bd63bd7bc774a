//! A session that answers one line at a time.

use std::time::Duration;

use quadrex_engine::Untimed;

use super::command::Command;
use super::error::CommandError;
use super::job::{Job, MoveRelease};
use super::state::{Effect, State, error_line};

/// The node limit of a search. A search of this size takes some seconds, and nothing can interrupt
/// it.
const MAX_NODES: u64 = 200_000;

/// A session without threads or a clock, for deterministic callers.
///
/// Every search has a limit, and ends before the next line is read. So a session always gives the
/// same answers to the same lines. All other callers use [`run`](crate::run).
///
/// ```
/// let mut session = quadrex_uci::Session::new();
/// assert_eq!(session.answer("isready"), Some(vec!["readyok".to_owned()]));
/// assert_eq!(session.answer("position startpos moves e2e4"), Some(vec![]));
/// assert_eq!(session.answer("quit"), None);
/// ```
#[derive(Debug)]
pub struct Session {
    state: State,
    /// The answer of a search that waits for `stop` or `ponderhit`.
    pending: Option<(MoveRelease, Vec<String>)>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// Starts a session with classic chess from its start position and draws by claim.
    #[must_use]
    pub fn new() -> Self {
        Self { state: State::new(), pending: None }
    }

    /// Returns the answer to one line, or `None` for `quit`. The answer is a list of lines. Neither
    /// `line` nor the lines of the answer contain line breaks.
    ///
    /// If the answer is only `info string error: ...`, the line had no effect. If more lines
    /// follow, the error reports an ignored parameter of the `go`.
    ///
    /// `go perft N` has no time limit. Any other `go` takes some seconds at most.
    pub fn answer(&mut self, line: &str) -> Option<Vec<String>> {
        let answer = match Command::parse(line) {
            Ok(Some(Command::Quit)) => return None,
            Ok(Some(command)) => self.execute(command),
            Ok(None) => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        Some(answer.unwrap_or_else(|error| vec![error_line(&error)]))
    }

    fn execute(&mut self, command: Command) -> Result<Vec<String>, CommandError> {
        if let Some((release, _)) = &self.pending {
            match (&command, release) {
                (Command::Stop, _) | (Command::PonderHit, MoveRelease::OnPonderHit) => {
                    return Ok(self.pending.take().map(|(_, lines)| lines).unwrap_or_default());
                }
                _ => command.check_during_endless_search()?,
            }
        }
        match self.state.execute(command, Duration::ZERO)? {
            Effect::Lines(lines) => Ok(lines),
            Effect::Search(job) => Ok(self.search(*job)),
        }
    }

    fn search(&mut self, mut job: Job) -> Vec<String> {
        job.limits.nodes = Some(job.limits.nodes.unwrap_or(MAX_NODES).min(MAX_NODES));
        let release = job.release;
        let mut lines = std::mem::take(&mut job.faults);
        let (answer, engine) = job.run(&Untimed, || Duration::ZERO, |line| lines.push(line));
        self.state.return_engine(engine);
        match release {
            MoveRelease::WhenFound => lines.extend(answer),
            MoveRelease::OnStop | MoveRelease::OnPonderHit => self.pending = Some((release, answer)),
        }
        lines
    }
}
