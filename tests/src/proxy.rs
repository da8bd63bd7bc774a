//! A way through to a server that breaks: connections are reset at any byte, or go silent for a while.

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

use crate::policy::Dice;

/// Carries connections to a server and back, and troubles them.
pub struct Proxy {
    address: SocketAddr,
    is_silent: watch::Sender<bool>,
    resets: Arc<AtomicU64>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// On a port of its own. Each connection is reset once so many bytes have come from the server, a number that
    /// chance picks from the range; without a range none is.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn start(to: SocketAddr, lasts: Option<Range<usize>>, seed: u64) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.context("listening for a proxy")?;
        let address = listener.local_addr()?;
        let (is_silent, resets) = (watch::Sender::new(false), Arc::new(AtomicU64::new(0)));
        let (silence, count) = (is_silent.subscribe(), Arc::clone(&resets));
        let accepting = tokio::spawn(async move {
            let mut dice = Dice::new(seed);
            let mut carried = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let lasts = lasts.as_ref().map(|range| range.start + dice.below(range.len().max(1)));
                carried.spawn(carry(client, to, lasts, silence.clone(), Arc::clone(&count)));
                while carried.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, is_silent, resets, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many connections it has reset.
    pub fn resets(&self) -> u64 {
        self.resets.load(Ordering::Relaxed)
    }

    /// Carries nothing for so long, either way, and closes nothing; then goes on where it stopped.
    pub async fn be_silent(&self, for_time: Duration) {
        self.is_silent.send_replace(true);
        tokio::time::sleep(for_time).await;
        self.is_silent.send_replace(false);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Carries one connection until either side ends it, or its bytes are used up.
async fn carry(
    client: TcpStream,
    to: SocketAddr,
    lasts: Option<usize>,
    silence: watch::Receiver<bool>,
    resets: Arc<AtomicU64>,
) {
    // A server that is down is a connection that ends at once.
    let Ok(server) = TcpStream::connect(to).await else { return };
    client.set_nodelay(true).ok();
    server.set_nodelay(true).ok();
    let (from_client, mut to_client) = client.into_split();
    let (from_server, mut to_server) = server.into_split();
    let forth = pass(from_client, &mut to_server, None, silence.clone());
    let back = pass(from_server, &mut to_client, lasts, silence);
    let used_up = tokio::select! {
        used_up = forth => used_up,
        used_up = back => used_up,
    };
    if used_up {
        resets.fetch_add(1, Ordering::Relaxed);
        // Closed without lingering: what is on its way is thrown away, and the peer sees a reset.
        to_client.as_ref().set_zero_linger().ok();
        to_server.as_ref().set_zero_linger().ok();
    }
}

/// Passes bytes on until the end, or until there were as many as the connection lasts: whether that was it.
async fn pass(
    mut from: OwnedReadHalf,
    to: &mut OwnedWriteHalf,
    mut lasts: Option<usize>,
    mut silence: watch::Receiver<bool>,
) -> bool {
    let mut buffer = [0; 4 * 1024];
    loop {
        let Ok(count @ 1..) = from.read(&mut buffer).await else { return false };
        if silence.wait_for(|is_silent| !is_silent).await.is_err() {
            return false;
        }
        let passed = lasts.map_or(count, |left| left.min(count));
        if to.write_all(&buffer[..passed]).await.is_err() {
            return false;
        }
        if let Some(left) = &mut lasts {
            *left -= passed;
            if *left == 0 {
                return true;
            }
        }
    }
}
