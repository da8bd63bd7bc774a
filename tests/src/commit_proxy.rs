//! A proxy for Postgres that breaks connections at a commit of a match's events: before Postgres
//! receives it, or after Postgres has committed and before the server knows. The server sees the
//! same in both cases.

use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::rng::Rng;

/// Text of the statement that appends to the log of a match.
const APPEND: &[u8] = b"insert into match_event";

/// Carries connections to Postgres and back.
pub struct CommitProxy {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    accepting: JoinHandle<()>,
}

/// Number of connections that were broken at a commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Before Postgres received it: nothing was written.
    pub undone: u64,
    /// After Postgres had said that it is done, to nobody: everything was written.
    pub unheard: u64,
}

impl Cuts {
    /// Both.
    pub fn all(self) -> u64 {
        self.undone + self.unheard
    }
}

struct State {
    /// One in so many commits breaks its connection; none without.
    one_in: Option<usize>,
    rng: Rng,
    cuts: Cuts,
}

/// Treatment of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Passes,
    Undone,
    Unheard,
}

impl CommitProxy {
    /// On a port of its own, to the Postgres at this port of the machine. Nothing breaks yet.
    ///
    /// # Errors
    /// If no port is free.
    pub async fn to(port: u16, seed: u64) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("listening for a proxy")?;
        let address = listener.local_addr()?;
        let state = State { one_in: None, rng: Rng::new(seed), cuts: Cuts::default() };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        let accepting = tokio::spawn(async move {
            let mut carried = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                // A connection that ends is none of ours to explain: who used it notices.
                carried.spawn(async move { carry(client, port, &state).await.ok() });
                while carried.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, state, accepting })
    }

    /// The address that leads to a database by this way, where `url` leads there directly.
    ///
    /// # Errors
    /// If `url` names no port.
    pub fn url(&self, url: &str) -> Result<String> {
        let (before, database) = url.rsplit_once('/').context("a database has a name")?;
        let (user, _) = before.rsplit_once('@').context("a database has a user")?;
        // What is encrypted cannot be read here.
        Ok(format!("{user}@{}/{database}?sslmode=disable", self.address))
    }

    /// From now on one commit in so many breaks its connection, the one way or the other by chance.
    pub fn cut_one_in(&self, commits: usize) {
        lock(&self.state).one_in = Some(commits);
    }

    /// From now on nothing breaks any more.
    pub fn mend(&self) {
        lock(&self.state).one_in = None;
    }

    /// Returns how often a connection was broken.
    pub fn cuts(&self) -> Cuts {
        lock(&self.state).cuts
    }
}

impl Drop for CommitProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl State {
    fn fate(&mut self) -> Fate {
        match self.one_in {
            Some(commits) if self.rng.below(commits) == 0 => {
                if self.rng.below(2) == 0 {
                    Fate::Undone
                } else {
                    Fate::Unheard
                }
            }
            _ => Fate::Passes,
        }
    }
}

/// Carries one connection until either side ends it, or a commit does.
async fn carry(client: TcpStream, port: u16, state: &Mutex<State>) -> Result<()> {
    let server = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, mut to_client) = client.into_split();
    let (from_server, mut to_server) = server.into_split();
    let (mut questions, mut answers) = (Messages::of_client(from_client), Messages::of_server(from_server));
    let mut talk = Talk::default();
    loop {
        tokio::select! {
            question = questions.next() => {
                let Some(question) = question? else { return Ok(()) };
                if talk.commits(&question) {
                    let fate = lock(state).fate();
                    match fate {
                        Fate::Passes => {}
                        Fate::Undone => {
                            lock(state).cuts.undone += 1;
                            return Ok(());
                        }
                        Fate::Unheard => talk.withhold(),
                    }
                }
                talk.asked(&question);
                to_server.write_all(&question.0).await?;
            }
            answer = answers.next() => {
                let Some(answer) = answer? else { return Ok(()) };
                match talk.answered(answer) {
                    Answered::Pass(bytes) => to_client.write_all(&bytes).await?,
                    Answered::Keep => {}
                    Answered::Cut => {
                        lock(state).cuts.unheard += 1;
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// State of one connection's conversation, as far as it must be known ("Frontend/Backend Protocol"
/// in Postgres' manual).
#[derive(Default)]
struct Talk {
    /// Names of the prepared statements that append.
    appends: HashSet<Vec<u8>>,
    /// Set if a transaction was begun explicitly, which its own COMMIT ends.
    has_begun: bool,
    /// Questions that were asked and not answered to their end.
    open: usize,
    /// The commit whose answer is withheld.
    withheld: Option<Withheld>,
}

struct Withheld {
    /// Questions before it that are answered first.
    before: usize,
    is_done: bool,
    kept: Vec<u8>,
}

/// Treatment of an answer.
enum Answered {
    Pass(Vec<u8>),
    Keep,
    Cut,
}

impl Talk {
    /// Takes note of a question; whether it commits events of a match.
    fn commits(&mut self, question: &Message) -> bool {
        let body = question.body();
        match question.kind() {
            Some(b'P') => {
                let (name, query) = text(body);
                if text(query).0.windows(APPEND.len()).any(|part| part == APPEND) {
                    self.appends.insert(name.to_vec());
                } else {
                    self.appends.remove(name);
                }
                false
            }
            Some(b'B') => {
                let (_portal, statement) = text(body);
                !self.has_begun && self.appends.contains(text(statement).0)
            }
            Some(b'Q') => {
                let query = text(body).0.to_ascii_uppercase();
                let does_commit = self.has_begun && query.starts_with(b"COMMIT");
                self.has_begun = query.starts_with(b"BEGIN") || (self.has_begun && !does_end(&query));
                does_commit
            }
            _ => false,
        }
    }

    /// The answer to the next question does not reach who asks.
    fn withhold(&mut self) {
        self.withheld = Some(Withheld { before: self.open, is_done: false, kept: Vec::new() });
    }

    /// A question is passed on. Of those in parts it is the last, Sync, that is answered to its end.
    fn asked(&mut self, question: &Message) {
        if matches!(question.kind(), Some(b'S' | b'Q')) {
            self.open += 1;
        }
    }

    fn answered(&mut self, answer: Message) -> Answered {
        let kind = answer.kind();
        let is_end = kind == Some(b'Z');
        // The first one ends the greeting, which was no question.
        self.open = self.open.saturating_sub(usize::from(is_end));
        let Some(withheld) = &mut self.withheld else { return Answered::Pass(answer.0) };
        if withheld.before > 0 {
            withheld.before -= usize::from(is_end);
            return Answered::Pass(answer.0);
        }
        // A guard that lets nothing pass is answered with "INSERT 0 0" or "SELECT 0".
        withheld.is_done |= kind == Some(b'C') && !answer.body().ends_with(b" 0\0");
        withheld.is_done &= kind != Some(b'E');
        withheld.kept.extend(answer.0);
        match (is_end, withheld.is_done) {
            (false, _) => Answered::Keep,
            (true, true) => Answered::Cut,
            // Postgres has refused it: there is no secret to keep.
            (true, false) => Answered::Pass(self.withheld.take().map(|it| it.kept).unwrap_or_default()),
        }
    }
}

fn does_end(query: &[u8]) -> bool {
    query.starts_with(b"COMMIT") || query.starts_with(b"ROLLBACK")
}

/// A text that ends with a zero, and what follows.
fn text(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}

/// A message as it goes over the line.
struct Message(Vec<u8>, Framing);

/// Framing of a message: all begin with a byte for their type, except a client's first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    Named,
    First,
}

impl Message {
    fn kind(&self) -> Option<u8> {
        self.0.first().copied().filter(|_| self.1 == Framing::Named)
    }

    fn body(&self) -> &[u8] {
        self.0.get(5..).unwrap_or_default()
    }
}

/// The messages that come over one half of a connection.
struct Messages<R> {
    from: R,
    bytes: Vec<u8>,
    framing: Framing,
}

impl<R: AsyncRead + Unpin> Messages<R> {
    fn of_client(from: R) -> Self {
        Self { from, bytes: Vec::new(), framing: Framing::First }
    }

    fn of_server(from: R) -> Self {
        Self { from, bytes: Vec::new(), framing: Framing::Named }
    }

    /// The next whole message; none at the end. What was read stays when this is given up.
    async fn next(&mut self) -> Result<Option<Message>> {
        loop {
            if let Some(message) = self.take() {
                return Ok(Some(message));
            }
            if self.from.read_buf(&mut self.bytes).await? == 0 {
                return Ok(None);
            }
        }
    }

    fn take(&mut self) -> Option<Message> {
        let name = usize::from(self.framing == Framing::Named);
        let length = self.bytes.get(name..name + 4)?.try_into().map(u32::from_be_bytes).ok()?;
        let whole = name + length as usize;
        if self.bytes.len() < whole {
            return None;
        }
        let rest = self.bytes.split_off(whole);
        let message = Message(std::mem::replace(&mut self.bytes, rest), self.framing);
        self.framing = Framing::Named;
        Some(message)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
