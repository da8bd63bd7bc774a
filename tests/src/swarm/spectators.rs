//! Many connections that watch one table, and measure when they receive its events.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use futures_util::{StreamExt, TryStreamExt};
use hdrhistogram::Histogram;
use quadrex_protocol::{ClientFrame, TableId};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::frames::Frame;
use super::tally::{LONGEST, LatencySummary, spread};
use super::{connection, now};
use crate::socket::Socket;

/// The number of connections that are opened at the same time.
const OPENING: usize = 64;

/// Connections without a user that watch one table. They are closed when this value is dropped.
pub struct Spectators {
    shared: Arc<Shared>,
    connections: JoinSet<Result<()>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    received: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    /// The time at which the cause of the next event was sent.
    sent: Option<Instant>,
    times: Histogram<u64>,
    /// The number of events that were received by all connections together.
    received: u64,
}

impl Spectators {
    /// Opens this number of connections, at one address after the other, and watches the table.
    ///
    /// # Errors
    /// If a connection is not accepted, or receives no snapshot.
    pub async fn watch(addresses: &[SocketAddr], count: usize, table: TableId) -> Result<Self> {
        let times = Histogram::new_with_max(LONGEST, 3).expect("three digits are allowed");
        let state = Mutex::new(State { sent: None, times, received: 0 });
        let shared = Arc::new(Shared { state, received: watch::Sender::new(0) });
        let opening = addresses.iter().cycle().take(count).map(|address| open(*address, table));
        let opened = futures_util::stream::iter(opening).buffer_unordered(OPENING);
        let add = |mut connections: JoinSet<_>, (socket, seq)| {
            connections.spawn(read(socket, seq, Arc::clone(&shared)));
            std::future::ready(Ok(connections))
        };
        let connections = opened.try_fold(JoinSet::new(), add).await.context("opening connections")?;
        Ok(Self { shared, connections })
    }

    /// Returns the number of connections.
    pub fn count(&self) -> usize {
        self.connections.len()
    }

    /// Returns the number of events that all connections together have received.
    pub fn received(&self) -> u64 {
        lock(&self.shared).received
    }

    /// Begins the measurement of an event, whose cause is sent now.
    pub fn begin(&self) {
        lock(&self.shared).sent = Some(now());
    }

    /// Waits until all connections together have received this number of events.
    ///
    /// # Errors
    /// If they do not receive them in this time, or a connection ends.
    pub async fn until_received(&mut self, count: u64, limit: Duration) -> Result<()> {
        let mut received = self.shared.received.subscribe();
        let wait = async {
            tokio::select! {
                reached = received.wait_for(|received| *received >= count) => {
                    reached.map(|_| ()).context("nobody receives")
                }
                Some(ended) = self.connections.join_next() => {
                    ended.context("the task of a connection")??;
                    bail!("a connection has ended")
                }
            }
        };
        let waited = timeout(limit, wait).await;
        let seen = lock(&self.shared).received;
        waited.with_context(|| format!("waiting for {count} events at all connections, {seen} arrived"))?
    }

    /// Returns the times from the cause of an event until a connection received the event.
    pub fn times(&self) -> LatencySummary {
        spread(&lock(&self.shared).times)
    }
}

/// Connects, and waits for the snapshot of the table. Returns the number of its last event.
async fn open(address: SocketAddr, table: TableId) -> Result<(Socket, u64)> {
    let mut socket = connection::greeted(address, None).await?;
    let watch = ClientFrame::Watch { table, match_id: None, after: None, secret: None, preview: false };
    connection::send(&mut socket, &watch).await?;
    while let Some(message) = socket.next().await {
        if let Message::Text(text) = message?
            && let Frame::Snapshot { seq, .. } = Frame::read(&text)?
        {
            return Ok((socket, seq));
        }
    }
    bail!("closed instead of a snapshot")
}

/// Reads events until the connection ends. Their numbers must have no gaps.
async fn read(mut socket: Socket, mut seq: u64, shared: Arc<Shared>) -> Result<()> {
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        match Frame::read(&text)? {
            Frame::Event { received, .. } => {
                ensure!(received.seq == seq + 1, "event {} comes after {seq}", received.seq);
                seq = received.seq;
                shared.record();
            }
            Frame::Snapshot { seq: at, .. } => bail!("a snapshot of {at} replaces {seq}"),
            _ => {}
        }
    }
    bail!("the connection was closed")
}

impl Shared {
    fn record(&self) {
        let mut state = lock(self);
        if let Some(sent) = state.sent {
            let took = u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX);
            state.times.saturating_record(took);
        }
        state.received += 1;
        // Nothing but the waiting task is subscribed, so this is cheap.
        self.received.send_replace(state.received);
    }
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}
