//! One line after the other, and nothing beside it.

use std::time::Duration;

use quadrex_engine::Untimed;

use super::command::{Command, CommandError};
use super::job::{Hold, Job};
use super::state::{Done, State, refusal};

/// Positions that a search may look at: some seconds' work at most, since nothing interrupts it.
const MOST_NODES: u64 = 200_000;

/// A talk without threads and time, for who has both in hand: every search is done before the next line is heard, within
/// a limit, and the same lines always get the same answers. [`run`](crate::run) is the talk for everybody else.
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
    /// The answer of a search that waits for `stop`, or `ponderhit`.
    held: Option<(Hold, Vec<String>)>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// Classic chess from its start, draws by claim.
    #[must_use]
    pub fn new() -> Self {
        Self { state: State::new(), held: None }
    }

    /// The lines that answer one line (without its end), none of which holds a line break; `None` when the line is
    /// `quit`. `info string error: ...` alone says why nothing has changed; before the answer of a search it says what of the `go` was left out.
    ///
    /// `go perft N` takes as long as its count needs, any other `go` some seconds at most.
    pub fn answer(&mut self, line: &str) -> Option<Vec<String>> {
        let answer = match Command::parse(line) {
            Ok(Some(Command::Quit)) => return None,
            Ok(Some(command)) => self.carry_out(command),
            Ok(None) => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        Some(answer.unwrap_or_else(|error| vec![refusal(&error)]))
    }

    fn carry_out(&mut self, command: Command) -> Result<Vec<String>, CommandError> {
        if let Some((hold, _)) = &self.held {
            match (&command, hold) {
                (Command::Stop, _) | (Command::PonderHit, Hold::UntilHit) => {
                    return Ok(self.held.take().map(|(_, lines)| lines).unwrap_or_default());
                }
                _ => command.refuse_in_endless_search()?,
            }
        }
        match self.state.carry_out(command, Duration::ZERO)? {
            Done::Told(lines) => Ok(lines),
            Done::Begun(job) => Ok(self.search(*job)),
        }
    }

    fn search(&mut self, mut job: Job) -> Vec<String> {
        job.limits.nodes = Some(job.limits.nodes.unwrap_or(MOST_NODES).min(MOST_NODES));
        let hold = job.hold;
        let mut told = std::mem::take(&mut job.faults);
        let (answer, engine) = job.run(&Untimed, || Duration::ZERO, |line| told.push(line));
        self.state.give_back(engine);
        match hold {
            Hold::No => told.extend(answer),
            Hold::UntilStop | Hold::UntilHit => self.held = Some((hold, answer)),
        }
        told
    }
}
