//! A proxy for Postgres that breaks connections at a commit of a match's events: either before
//! Postgres receives the commit, or after Postgres has committed and before the server gets the
//! answer. The server cannot distinguish the two cases.

use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::rng::Rng;

/// The text by which the statement that appends to a log is recognized.
const APPEND: &[u8] = b"insert into match_event";

/// A proxy between a server and Postgres.
pub struct CommitProxy {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    accepting: JoinHandle<()>,
}

/// The numbers of connections that were broken at a commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Connections that were broken before Postgres received the commit, so nothing was written.
    pub before_commit: u64,
    /// Connections that were broken after Postgres had committed, before the server got the answer.
    pub after_commit: u64,
}

impl Cuts {
    /// Returns the sum of both numbers.
    pub fn all(self) -> u64 {
        self.before_commit + self.after_commit
    }
}

struct State {
    /// The average number of commits of which one breaks its connection; `None` if none breaks.
    one_in: Option<usize>,
    rng: Rng,
    cuts: Cuts,
}

/// The treatment of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommitFate {
    Pass,
    CutBefore,
    CutAfter,
}

impl CommitProxy {
    /// Starts a proxy on a free port for the Postgres server at `port`. At first no connection
    /// breaks.
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
                // Errors of a connection are ignored here, because its user notices them.
                carried.spawn(async move { relay(client, port, &state).await.ok() });
                while carried.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, state, accepting })
    }

    /// Returns the URL of a database through the proxy. `url` is its direct URL.
    ///
    /// # Errors
    /// If `url` contains no port.
    pub fn url(&self, url: &str) -> Result<String> {
        let (before, database) = url.rsplit_once('/').context("a database has a name")?;
        let (user, _) = before.rsplit_once('@').context("a database has a user")?;
        // The proxy cannot read encrypted connections.
        Ok(format!("{user}@{}/{database}?sslmode=disable", self.address))
    }

    /// Makes one of `commits` commits break its connection, in one of the two ways at random.
    pub fn cut_one_in(&self, commits: usize) {
        lock(&self.state).one_in = Some(commits);
    }

    /// Stops breaking connections.
    pub fn stop_cutting(&self) {
        lock(&self.state).one_in = None;
    }

    /// Returns the numbers of broken connections.
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
    fn fate(&mut self) -> CommitFate {
        match self.one_in {
            Some(commits) if self.rng.index(commits) == 0 => {
                if self.rng.index(2) == 0 {
                    CommitFate::CutBefore
                } else {
                    CommitFate::CutAfter
                }
            }
            _ => CommitFate::Pass,
        }
    }
}

/// Relays a connection until either side closes it or a commit breaks it.
async fn relay(client: TcpStream, port: u16, state: &Mutex<State>) -> Result<()> {
    let server = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, mut to_client) = client.into_split();
    let (from_server, mut to_server) = server.into_split();
    let (mut questions, mut answers) = (Messages::of_client(from_client), Messages::of_server(from_server));
    let mut talk = ProtocolState::default();
    loop {
        tokio::select! {
            question = questions.next() => {
                let Some(question) = question? else { return Ok(()) };
                if talk.commits(&question) {
                    let fate = lock(state).fate();
                    match fate {
                        CommitFate::Pass => {}
                        CommitFate::CutBefore => {
                            lock(state).cuts.before_commit += 1;
                            return Ok(());
                        }
                        CommitFate::CutAfter => talk.withhold(),
                    }
                }
                talk.count_query(&question);
                to_server.write_all(&question.0).await?;
            }
            answer = answers.next() => {
                let Some(answer) = answer? else { return Ok(()) };
                match talk.process_answer(answer) {
                    AnswerAction::Pass(bytes) => to_client.write_all(&bytes).await?,
                    AnswerAction::Keep => {}
                    AnswerAction::Cut => {
                        lock(state).cuts.after_commit += 1;
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// The protocol state of one connection, as far as it is needed here ("Frontend/Backend Protocol"
/// in Postgres' manual).
#[derive(Default)]
struct ProtocolState {
    /// The names of the prepared statements that append.
    appends: HashSet<Vec<u8>>,
    /// True if a transaction was begun explicitly, so that COMMIT ends it.
    has_begun: bool,
    /// The number of queries without a complete answer.
    open: usize,
    /// The commit whose answer is withheld from the server.
    withheld: Option<Withheld>,
}

struct Withheld {
    /// The number of earlier queries that must be answered first.
    before: usize,
    is_done: bool,
    withheld_bytes: Vec<u8>,
}

/// The treatment of an answer.
enum AnswerAction {
    Pass(Vec<u8>),
    Keep,
    Cut,
}

impl ProtocolState {
    /// Processes a query. Returns true if it commits events of a match.
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

    /// Withholds the answer to the next query.
    fn withhold(&mut self) {
        self.withheld = Some(Withheld { before: self.open, is_done: false, withheld_bytes: Vec::new() });
    }

    /// Counts a query that is passed on. In the extended protocol, only Sync gets the final answer.
    fn count_query(&mut self, question: &Message) {
        if matches!(question.kind(), Some(b'S' | b'Q')) {
            self.open += 1;
        }
    }

    fn process_answer(&mut self, answer: Message) -> AnswerAction {
        let kind = answer.kind();
        let is_end = kind == Some(b'Z');
        // The first ReadyForQuery ends the startup, which is not a query.
        self.open = self.open.saturating_sub(usize::from(is_end));
        let Some(withheld) = &mut self.withheld else { return AnswerAction::Pass(answer.0) };
        if withheld.before > 0 {
            withheld.before -= usize::from(is_end);
            return AnswerAction::Pass(answer.0);
        }
        // If the guard of an append changes no row, the answer is "INSERT 0 0" or "SELECT 0".
        withheld.is_done |= kind == Some(b'C') && !answer.body().ends_with(b" 0\0");
        withheld.is_done &= kind != Some(b'E');
        withheld.withheld_bytes.extend(answer.0);
        match (is_end, withheld.is_done) {
            (false, _) => AnswerAction::Keep,
            (true, true) => AnswerAction::Cut,
            // Postgres has refused the append, so there is nothing to withhold.
            (true, false) => {
                AnswerAction::Pass(self.withheld.take().map(|it| it.withheld_bytes).unwrap_or_default())
            }
        }
    }
}

fn does_end(query: &[u8]) -> bool {
    query.starts_with(b"COMMIT") || query.starts_with(b"ROLLBACK")
}

/// Splits bytes into a text that ends with a zero byte and the rest.
fn text(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}

/// A protocol message.
struct Message(Vec<u8>, Framing);

/// The framing of a message. Each message begins with a byte for its type, except the first one of
/// a client.
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

/// The messages of one direction of a connection.
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

    /// Returns the next complete message, or `None` at the end. It is cancel-safe.
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
