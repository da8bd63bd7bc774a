//! The loop that answers the lines of one stream on another stream. One thread reads lines, and
//! another thread searches.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::command::Command;
use super::error::CommandError;
use super::job::{Job, MoveRelease};
use super::lines::Lines;
use super::state::{Effect, READY, State, error_line};
use super::stop_signal::StopSignal;

/// The state that the two threads share.
pub(super) struct SessionLoop<W, N> {
    shared: Mutex<Shared<W>>,
    /// Notified when the shared state or the stop signal changes.
    changed: Condvar,
    signal: StopSignal,
    /// Returns the time since some fixed moment.
    now: N,
}

/// The state behind the lock. No thread has the lock during a search.
struct Shared<W> {
    state: State,
    output: W,
    /// The error of the output. The session ends after such an error.
    failure: Option<io::Error>,
    /// The next search to run.
    job: Option<Box<Job>>,
    search: SearchState,
    /// Commands that wait for the end of a search.
    waiting: VecDeque<Result<Command, CommandError>>,
    ending: Option<Ending>,
}

/// The state of the search thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchState {
    /// No search runs.
    Idle,
    /// A search that ends by itself. Commands wait for its end.
    Finite,
    /// A search that ends only after `stop` or `ponderhit`. No command can wait for its end.
    Endless(MoveRelease),
}

/// The reason why no more lines are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// The end of the input. A search that ends by itself is completed.
    Input,
    /// The command `quit`. A running search is stopped.
    Quit,
}

impl<W: Write + Send, N: Fn() -> Duration + Sync> SessionLoop<W, N> {
    pub(super) fn new(output: W, now: N) -> Self {
        let shared = Shared {
            state: State::new(),
            output,
            failure: None,
            job: None,
            search: SearchState::Idle,
            waiting: VecDeque::new(),
            ending: None,
        };
        Self { shared: Mutex::new(shared), changed: Condvar::new(), signal: StopSignal::default(), now }
    }

    /// Runs the session until `quit`, the end of the input, or a failure of either stream.
    pub(super) fn run(self, input: impl BufRead) -> io::Result<()> {
        std::thread::scope(|scope| {
            scope.spawn(|| self.search());
            let ending = self.read_lines(input);
            self.end(ending.as_ref().copied().unwrap_or(Ending::Quit));
            ending.map(drop)
        })?;
        let shared = self.shared.into_inner().expect("no thread panics while it holds the lock");
        shared.failure.map_or(Ok(()), Err)
    }

    fn shared(&self) -> MutexGuard<'_, Shared<W>> {
        self.shared.lock().expect("no thread panics while it holds the lock")
    }

    fn read_lines(&self, input: impl BufRead) -> io::Result<Ending> {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next()? {
            let command = match line {
                Ok(line) => Command::parse(&line),
                Err(error) => Err(error.into()),
            };
            let mut shared = self.shared();
            match command.transpose() {
                None => {}
                Some(Ok(Command::Quit)) => return Ok(Ending::Quit),
                Some(command) => self.receive(&mut shared, command),
            }
            if shared.failure.is_some() {
                return Ok(Ending::Quit);
            }
        }
        Ok(Ending::Input)
    }

    /// Ends the session after the last command.
    fn end(&self, ending: Ending) {
        let mut shared = self.shared();
        shared.ending = Some(ending);
        match shared.search {
            SearchState::Idle => {}
            SearchState::Finite if ending == Ending::Input => {}
            SearchState::Finite | SearchState::Endless(_) => self.stop(&mut shared),
        }
        self.changed.notify_all();
    }

    fn receive(&self, shared: &mut Shared<W>, command: Result<Command, CommandError>) {
        match (shared.search, command) {
            (SearchState::Idle, command) => self.execute(shared, command),
            (_, Ok(Command::Stop)) => {
                self.stop(shared);
                // A command that waited before this one may have started an endless search.
                if !shared.waiting.is_empty() {
                    shared.waiting.push_back(Ok(Command::Stop));
                }
            }
            (SearchState::Endless(release), Ok(Command::PonderHit)) => {
                if release == MoveRelease::OnPonderHit {
                    shared.search = SearchState::Finite;
                    self.signal.ponder_hit((self.now)());
                    self.changed.notify_all();
                }
            }
            (SearchState::Endless(_), Ok(Command::IsReady)) => shared.write_lines([READY.to_owned()]),
            (SearchState::Finite, Ok(Command::IsReady))
                if shared.waiting.is_empty() && !self.signal.is_stopped() =>
            {
                shared.write_lines([READY.to_owned()]);
            }
            (SearchState::Finite, command) => shared.waiting.push_back(command),
            (SearchState::Endless(_), command) => {
                let checked = command.and_then(|command| {
                    command.check_during_endless_search()?;
                    Ok(command)
                });
                self.execute(shared, checked);
            }
        }
    }

    fn execute(&self, shared: &mut Shared<W>, command: Result<Command, CommandError>) {
        let now = (self.now)();
        match command.and_then(|command| shared.state.execute(command, now)) {
            Ok(Effect::Lines(lines)) => shared.write_lines(lines),
            Ok(Effect::Search(mut job)) => {
                shared.write_lines(std::mem::take(&mut job.faults));
                self.begin(shared, job, now);
            }
            Err(error) => shared.write_lines([error_line(&error)]),
        }
    }

    fn begin(&self, shared: &mut Shared<W>, job: Box<Job>, now: Duration) {
        self.signal.begin(job.release == MoveRelease::OnPonderHit, now);
        shared.search = if job.release == MoveRelease::WhenFound {
            SearchState::Finite
        } else {
            SearchState::Endless(job.release)
        };
        shared.job = Some(job);
        if shared.ending == Some(Ending::Quit) {
            self.signal.stop();
        }
        self.changed.notify_all();
    }

    fn stop(&self, shared: &mut Shared<W>) {
        shared.search = SearchState::Finite;
        self.signal.stop();
        self.changed.notify_all();
    }

    /// Runs one search after another until the session ends.
    fn search(&self) {
        let mut shared = self.shared();
        loop {
            if let Some(job) = shared.job.take() {
                drop(shared);
                shared = self.search_for(*job);
            } else if shared.ending.is_some() {
                return;
            } else {
                shared = self.changed.wait(shared).expect("no thread panics while it holds the lock");
            }
        }
    }

    fn search_for(&self, job: Job) -> MutexGuard<'_, Shared<W>> {
        let started = (self.now)();
        let control = self.signal.control(&self.now);
        let elapsed = || (self.now)().saturating_sub(started);
        let (lines, engine) = job.run(&control, elapsed, |line| self.shared().write_lines([line]));
        let mut shared = self.shared();
        while matches!(shared.search, SearchState::Endless(_)) && shared.failure.is_none() {
            shared = self.changed.wait(shared).expect("no thread panics while it holds the lock");
        }
        shared.state.return_engine(engine);
        shared.search = SearchState::Idle;
        shared.write_lines(lines);
        while shared.search != SearchState::Finite {
            let Some(command) = shared.waiting.pop_front() else { break };
            self.receive(&mut shared, command);
        }
        if shared.ending.is_some() && matches!(shared.search, SearchState::Endless(_)) {
            self.stop(&mut shared);
        }
        shared
    }
}

impl<W: Write> Shared<W> {
    /// Writes lines, and flushes the output after each.
    fn write_lines(&mut self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            if self.failure.is_none() {
                let written = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
                self.failure = written.err();
            }
        }
    }
}
