//! A proxy between clients and a server that injects connection faults: it resets connections after
//! any number of bytes, stalls them, or cuts one direction or both.

use std::net::SocketAddr;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::rng::Rng;

/// The numbers of connections by the reason why they ended.
#[derive(Default)]
struct Counts {
    resets: AtomicU64,
    half_open: AtomicU64,
    closed_by_server: AtomicU64,
}

/// The directions in which a proxy relays no data. It neither closes connections nor loses data, like
/// a network in which packets are lost: data arrives late if the cut ends in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Data flows in both directions.
    None,
    /// No data from clients reaches the server.
    ToServer,
    /// No data from the server reaches clients.
    ToClients,
    /// No data flows.
    Both,
}

/// A direction in which a proxy relays data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    ToServer,
    ToClients,
}

impl Cut {
    fn stops(self, direction: Direction) -> bool {
        match self {
            Self::None => false,
            Self::ToServer => direction == Direction::ToServer,
            Self::ToClients => direction == Direction::ToClients,
            Self::Both => true,
        }
    }
}

/// A proxy that relays connections to a server and injects faults.
pub struct Proxy {
    address: SocketAddr,
    cut: watch::Sender<Cut>,
    lost: watch::Sender<()>,
    counts: Arc<Counts>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy on a free port. Each connection is reset after a number of bytes from the
    /// server, which is chosen at random from `lasts`. Without `lasts`, no connection is reset.
    ///
    /// # Errors
    /// If no port is free.
    pub async fn start(to: SocketAddr, lasts: Option<Range<usize>>, seed: u64) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.context("listening for a proxy")?;
        let address = listener.local_addr()?;
        let (cut, lost) = (watch::Sender::new(Cut::None), watch::Sender::new(()));
        let counts = Arc::new(Counts::default());
        let (cuts, losing, counting) = (cut.subscribe(), lost.clone(), Arc::clone(&counts));
        let accepting = tokio::spawn(async move {
            let mut rng = Rng::new(seed);
            let mut carried = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let lasts = lasts.as_ref().map(|range| range.start + rng.index(range.len().max(1)));
                let faults = Faults { lasts, cut: cuts.clone(), lost: losing.subscribe() };
                carried.spawn(relay(client, to, faults, Arc::clone(&counting)));
                while carried.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, cut, lost, counts, accepting })
    }

    /// Returns the address on which the proxy listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the number of connections that the proxy has reset.
    pub fn resets(&self) -> u64 {
        self.counts.resets.load(Ordering::Relaxed)
    }

    /// Leaves all connections half open: the client's side is reset, but the server is not
    /// notified.
    pub fn abandon_all(&self) {
        self.lost.send_replace(());
    }

    /// Returns the number of connections that the proxy has left half open.
    pub fn half_open(&self) -> u64 {
        self.counts.half_open.load(Ordering::Relaxed)
    }

    /// Returns the number of half-open connections that the server has closed.
    pub fn closed_by_server(&self) -> u64 {
        self.counts.closed_by_server.load(Ordering::Relaxed)
    }

    /// Relays no data in these directions from now on, on all connections. A side that closes a
    /// connection meanwhile is not noticed by the other side.
    pub fn cut(&self, cut: Cut) {
        self.cut.send_replace(cut);
    }

    /// Relays no data in either direction for this time, without closing connections, and then
    /// continues.
    pub async fn stall(&self, for_time: Duration) {
        self.cut(Cut::Both);
        tokio::time::sleep(for_time).await;
        self.cut(Cut::None);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// The faults to inject into one connection.
struct Faults {
    /// The number of bytes from the server after which the connection is reset.
    lasts: Option<usize>,
    cut: watch::Receiver<Cut>,
    /// A signal that the client's side must be reset.
    lost: watch::Receiver<()>,
}

/// The reason why the relay of a connection ends.
enum End {
    Closed,
    UsedUp,
    Lost,
}

/// Relays a connection until either side closes it or a fault ends it.
async fn relay(client: TcpStream, to: SocketAddr, faults: Faults, counts: Arc<Counts>) {
    // If the server is down, the connection ends immediately.
    let Ok(server) = TcpStream::connect(to).await else { return };
    client.set_nodelay(true).ok();
    server.set_nodelay(true).ok();
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let Faults { lasts, cut, mut lost } = faults;
    let end = tokio::select! {
        end = forward(&mut from_client, &mut to_server, None, (Direction::ToServer, cut.clone())) => end,
        end = forward(&mut from_server, &mut to_client, lasts, (Direction::ToClients, cut)) => end,
        changed = lost.changed() => if changed.is_ok() { End::Lost } else { End::Closed },
    };
    match end {
        End::Closed => {}
        End::UsedUp => {
            counts.resets.fetch_add(1, Ordering::Relaxed);
            // The socket is closed without lingering, so pending data is discarded and the peer
            // sees a reset.
            to_client.as_ref().set_zero_linger().ok();
            to_server.as_ref().set_zero_linger().ok();
        }
        End::Lost => {
            to_client.as_ref().set_zero_linger().ok();
            drop((from_client, to_client));
            counts.half_open.fetch_add(1, Ordering::Relaxed);
            // All further data from the server is discarded.
            tokio::io::copy(&mut from_server, &mut tokio::io::sink()).await.ok();
            counts.closed_by_server.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Forwards bytes until the end, or until the number of bytes after which the connection is reset.
async fn forward(
    from: &mut OwnedReadHalf,
    to: &mut OwnedWriteHalf,
    mut lasts: Option<usize>,
    (direction, mut cut): (Direction, watch::Receiver<Cut>),
) -> End {
    let mut buffer = [0; 4 * 1024];
    loop {
        let read = from.read(&mut buffer).await;
        if cut.wait_for(|cut| !cut.stops(direction)).await.is_err() {
            return End::Closed;
        }
        let Ok(count @ 1..) = read else { return End::Closed };
        let passed = lasts.map_or(count, |left| left.min(count));
        if to.write_all(&buffer[..passed]).await.is_err() {
            return End::Closed;
        }
        if let Some(left) = &mut lasts {
            *left -= passed;
            if *left == 0 {
                return End::UsedUp;
            }
        }
    }
}
