//! A talk on a pair of streams: lines are heard while a search goes on in a thread of its own.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::command::{Command, CommandError};
use super::job::{Hold, Job};
use super::lines::Lines;
use super::signal::Signal;
use super::state::{Done, READY, State, refusal};

/// What the two threads share: who hears lines, and who searches.
pub(super) struct Talk<W, N> {
    desk: Mutex<Desk<W>>,
    /// Something on the desk, or the signal, has changed.
    changed: Condvar,
    signal: Signal,
    /// Tells the time since some moment.
    now: N,
}

/// What only one of the threads may have at a time. A search is done away from it.
struct Desk<W> {
    state: State,
    output: W,
    /// The output has failed: there is nobody to talk to.
    failure: Option<io::Error>,
    /// A search to be taken up.
    job: Option<Box<Job>>,
    search: Search,
    /// What waits for the end of a search.
    waiting: VecDeque<Result<Command, CommandError>>,
    ending: Option<Ending>,
}

/// Whether a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    No,
    /// One that ends by itself, or is about to end: everything waits for it.
    Ends,
    /// One that waits for `stop` or `ponderhit`: nothing can wait for it.
    Held(Hold),
}

/// Why no more lines come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// The input is at its end: searches that end by themselves do so.
    Input,
    /// `quit`: no search goes on.
    Quit,
}

impl<W: Write + Send, N: Fn() -> Duration + Sync> Talk<W, N> {
    pub(super) fn new(output: W, now: N) -> Self {
        let desk = Desk {
            state: State::new(),
            output,
            failure: None,
            job: None,
            search: Search::No,
            waiting: VecDeque::new(),
            ending: None,
        };
        Self { desk: Mutex::new(desk), changed: Condvar::new(), signal: Signal::default(), now }
    }

    /// Talks until `quit`, the end of the input, or a failure of either stream.
    pub(super) fn run(self, input: impl BufRead) -> io::Result<()> {
        std::thread::scope(|scope| {
            scope.spawn(|| self.search());
            let heard = self.listen(input);
            self.end(heard.as_ref().copied().unwrap_or(Ending::Quit));
            heard.map(drop)
        })?;
        let desk = self.desk.into_inner().expect("no thread ends while it holds the desk");
        desk.failure.map_or(Ok(()), Err)
    }

    fn desk(&self) -> MutexGuard<'_, Desk<W>> {
        self.desk.lock().expect("no thread ends while it holds the desk")
    }

    fn listen(&self, input: impl BufRead) -> io::Result<Ending> {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next()? {
            let heard = match line {
                Ok(line) => Command::parse(&line),
                Err(error) => Err(error.into()),
            };
            let mut desk = self.desk();
            match heard.transpose() {
                None => {}
                Some(Ok(Command::Quit)) => return Ok(Ending::Quit),
                Some(heard) => self.hear(&mut desk, heard),
            }
            if desk.failure.is_some() {
                return Ok(Ending::Quit);
            }
        }
        Ok(Ending::Input)
    }

    /// Nothing will be heard any more.
    fn end(&self, ending: Ending) {
        let mut desk = self.desk();
        desk.ending = Some(ending);
        match desk.search {
            Search::No => {}
            Search::Ends if ending == Ending::Input => {}
            Search::Ends | Search::Held(_) => self.stop(&mut desk),
        }
        self.changed.notify_all();
    }

    fn hear(&self, desk: &mut Desk<W>, heard: Result<Command, CommandError>) {
        match (desk.search, heard) {
            (Search::No, heard) => self.carry_out(desk, heard),
            (_, Ok(Command::Stop)) => {
                self.stop(desk);
                // What waits may have begun an endless search by the time it is heard.
                if !desk.waiting.is_empty() {
                    desk.waiting.push_back(Ok(Command::Stop));
                }
            }
            (Search::Held(hold), Ok(Command::PonderHit)) => {
                if hold == Hold::UntilHit {
                    desk.search = Search::Ends;
                    self.signal.hit((self.now)());
                    self.changed.notify_all();
                }
            }
            (Search::Held(_), Ok(Command::IsReady)) => desk.tell([READY.to_owned()]),
            (Search::Ends, Ok(Command::IsReady)) if desk.waiting.is_empty() && !self.signal.is_stopped() => {
                desk.tell([READY.to_owned()]);
            }
            (Search::Ends, heard) => desk.waiting.push_back(heard),
            (Search::Held(_), heard) => {
                let taken = heard.and_then(|command| {
                    command.refuse_in_endless_search()?;
                    Ok(command)
                });
                self.carry_out(desk, taken);
            }
        }
    }

    fn carry_out(&self, desk: &mut Desk<W>, heard: Result<Command, CommandError>) {
        let now = (self.now)();
        match heard.and_then(|command| desk.state.carry_out(command, now)) {
            Ok(Done::Told(lines)) => desk.tell(lines),
            Ok(Done::Begun(mut job)) => {
                desk.tell(std::mem::take(&mut job.faults));
                self.begin(desk, job, now);
            }
            Err(error) => desk.tell([refusal(&error)]),
        }
    }

    fn begin(&self, desk: &mut Desk<W>, job: Box<Job>, now: Duration) {
        self.signal.begin(job.hold == Hold::UntilHit, now);
        desk.search = if job.hold == Hold::No { Search::Ends } else { Search::Held(job.hold) };
        desk.job = Some(job);
        if desk.ending == Some(Ending::Quit) {
            self.signal.stop();
        }
        self.changed.notify_all();
    }

    fn stop(&self, desk: &mut Desk<W>) {
        desk.search = Search::Ends;
        self.signal.stop();
        self.changed.notify_all();
    }

    /// Does one search after the other until nothing is heard any more.
    fn search(&self) {
        let mut desk = self.desk();
        loop {
            if let Some(job) = desk.job.take() {
                drop(desk);
                desk = self.search_for(*job);
            } else if desk.ending.is_some() {
                return;
            } else {
                desk = self.changed.wait(desk).expect("no thread ends while it holds the desk");
            }
        }
    }

    fn search_for(&self, job: Job) -> MutexGuard<'_, Desk<W>> {
        let started = (self.now)();
        let watch = self.signal.watch(&self.now);
        let elapsed = || (self.now)().saturating_sub(started);
        let (lines, engine) = job.run(&watch, elapsed, |line| self.desk().tell([line]));
        let mut desk = self.desk();
        while matches!(desk.search, Search::Held(_)) && desk.failure.is_none() {
            desk = self.changed.wait(desk).expect("no thread ends while it holds the desk");
        }
        desk.state.give_back(engine);
        desk.search = Search::No;
        desk.tell(lines);
        while desk.search != Search::Ends {
            let Some(heard) = desk.waiting.pop_front() else { break };
            self.hear(&mut desk, heard);
        }
        if desk.ending.is_some() && matches!(desk.search, Search::Held(_)) {
            self.stop(&mut desk);
        }
        desk
    }
}

impl<W: Write> Desk<W> {
    /// Writes lines, each flushed.
    fn tell(&mut self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            if self.failure.is_none() {
                let written = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
                self.failure = written.err();
            }
        }
    }
}
