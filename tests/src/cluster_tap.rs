//! A listener to all messages between the nodes of a cluster, which counts them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use quadrex_cluster::message::PublicationContent;
use quadrex_cluster::{ClusterKey, ClusterMessage, MessageBody, NodeId, decode};
use quadrex_protocol::TableId;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::PATIENCE;
use crate::nodes::Nodes;

/// The subject of all messages.
const ALL: &str = "qx.>";

/// A listener to the messages between nodes. It ends when this value is dropped.
pub struct ClusterTap {
    counts: Arc<Mutex<Counts>>,
    listening: JoinHandle<Result<()>>,
}

/// The number of copies of an event for each node.
pub type Copies = BTreeMap<NodeId, u32>;

/// The messages so far.
#[derive(Default)]
struct Counts {
    messages: u64,
    bytes: u64,
    events: BTreeMap<TableId, BTreeMap<u64, Copies>>,
}

impl ClusterTap {
    /// Starts to listen to the messages of these nodes.
    ///
    /// # Errors
    /// If NATS does not accept the subscription, or the nodes' key cannot be read.
    pub async fn start(nodes: &Nodes) -> Result<Self> {
        let key = nodes.postgres()?.sql("postgres", "select encode(key, 'hex') from cluster_key")?;
        let key = parse_key(&key).with_context(|| format!("{key:?} is no key"))?;
        let mut socket = BufStream::new(TcpStream::connect(nodes.nats.address()).await?);
        let order = format!("CONNECT {{\"verbose\":false}}\r\nSUB {ALL} 1\r\nPING\r\n");
        socket.write_all(order.as_bytes()).await?;
        socket.flush().await?;
        let until_subscribed = async {
            let mut line = String::new();
            while !line.starts_with("PONG") {
                line.clear();
                ensure!(socket.read_line(&mut line).await? > 0, "NATS closed the connection");
                ensure!(!line.starts_with("-ERR"), "NATS: {line}");
            }
            anyhow::Ok(())
        };
        timeout(PATIENCE, until_subscribed).await.context("waiting for the subscription")??;
        let counts = Arc::new(Mutex::new(Counts::default()));
        let listening = tokio::spawn(listen(socket, key, Arc::clone(&counts)));
        Ok(Self { counts, listening })
    }

    /// Returns the number of messages so far, and the number of their bytes.
    pub fn messages(&self) -> (u64, u64) {
        let counts = lock(&self.counts);
        (counts.messages, counts.bytes)
    }

    /// Returns the copies of the events of a table so far, by the numbers of the events.
    ///
    /// # Errors
    /// If the listener has failed.
    pub fn copies(&self, table: TableId) -> Result<BTreeMap<u64, Copies>> {
        ensure!(!self.listening.is_finished(), "the listener has ended");
        Ok(lock(&self.counts).events.get(&table).cloned().unwrap_or_default())
    }
}

impl Drop for ClusterTap {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Counts messages without end.
async fn listen(mut socket: BufStream<TcpStream>, key: ClusterKey, counts: Arc<Mutex<Counts>>) -> Result<()> {
    let mut line = String::new();
    loop {
        line.clear();
        ensure!(socket.read_line(&mut line).await? > 0, "NATS closed the connection");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["PING"] => {
                socket.write_all(b"PONG\r\n").await?;
                socket.flush().await?;
            }
            ["MSG", subject, .., size] => {
                let receiver = receiver(subject);
                let mut payload = vec![0; size.parse::<usize>()? + 2];
                socket.read_exact(&mut payload).await?;
                payload.truncate(payload.len() - 2);
                let mut counts = lock(&counts);
                counts.messages += 1;
                counts.bytes += payload.len() as u64;
                if let Some(receiver) = receiver
                    && let Ok(message) = decode(&payload, &key, receiver)
                {
                    counts.add(receiver, &message);
                }
            }
            ["HMSG", .., size] => {
                let mut payload = vec![0; size.parse::<usize>()? + 2];
                socket.read_exact(&mut payload).await?;
            }
            ["-ERR", ..] => bail!("NATS: {line}"),
            _ => {}
        }
    }
}

impl Counts {
    fn add(&mut self, to: NodeId, message: &ClusterMessage) {
        if let MessageBody::Published(published) = &message.body
            && let Some(publication) = &published.publication
            && let PublicationContent::Event { seq, .. } = publication.content
        {
            *self
                .events
                .entry(published.table)
                .or_default()
                .entry(seq)
                .or_default()
                .entry(to)
                .or_default() += 1;
        }
    }
}

/// Returns the node to which messages with this subject are sent, unless they are for all nodes.
fn receiver(subject: &str) -> Option<NodeId> {
    subject.split('.').nth(2)?.parse().ok()
}

fn parse_key(hex: &str) -> Option<ClusterKey> {
    let byte = |index: usize| u8::from_str_radix(hex.get(2 * index..2 * index + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len() / 2).map(byte).collect();
    Some(ClusterKey::new(bytes?.try_into().ok()?))
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}
