//! The baseline: axum's WebSockets with one broadcast channel per table, and nothing else. It has
//! no rules, no log and no refusals. Its frames are as large as the server's.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::any;
use futures_util::stream::SelectAll;
use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::SUBPROTOCOL;
use quadrex_tests::swarm;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite;

use super::process::Usage;
use super::{SERVER_CORE, WARM_UP};

/// The size of a frame in bytes, as for an event of the middle game.
const FRAME: usize = 700;

/// The number of players and watchers of a table.
const LINES: usize = 12;

type Tables = Arc<Mutex<HashMap<String, broadcast::Sender<Utf8Bytes>>>>;

/// Serves until the process is killed. The first line of output is the address.
///
/// # Errors
/// If no port is free.
pub(crate) async fn serve() -> Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let router = Router::new().route("/ws", any(upgrade)).with_state(Tables::default());
    axum::serve(listener, router).await.context("serving")
}

async fn upgrade(upgrade: WebSocketUpgrade, State(tables): State<Tables>) -> Response {
    upgrade
        .protocols([SUBPROTOCOL])
        .on_upgrade(|socket| async { serve_connection(socket, tables).await.unwrap_or(()) })
}

/// Serves one connection. The first message names a table, and each later message is sent to
/// everybody at that table.
async fn serve_connection(socket: WebSocket, tables: Tables) -> Option<()> {
    let (mut sender, mut receiver) = socket.split();
    let Some(Ok(Message::Text(table))) = receiver.next().await else { return None };
    let table = tables
        .lock()
        .expect("no holder of the lock panics")
        .entry(table.to_string())
        .or_insert_with(|| broadcast::Sender::new(256))
        .clone();
    let mut received = table.subscribe();
    loop {
        tokio::select! {
            message = receiver.next() => {
                // A send fails only if nobody is left at the table.
                if let Message::Text(text) = message?.ok()? { table.send(text).ok(); }
            }
            text = received.recv() => sender.send(Message::Text(text.ok()?)).await.ok()?,
        }
    }
}

/// Measures the deliveries per second of the server's processor time, with this number of tables in
/// closed loops.
///
/// # Errors
/// If the server does not start, or a connection breaks.
pub(super) async fn measure(tables: usize, window: Duration) -> Result<f64> {
    let program = std::env::current_exe().context("asking for the path of this program")?;
    let mut server = Command::new("taskset")
        .args(["-c", SERVER_CORE])
        .arg(program)
        .arg("bare")
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("starting the bare server")?;
    let mut address = String::new();
    let output = server.stdout.take().context("its output is a pipe")?;
    BufReader::new(output).read_line(&mut address).await?;
    let address: SocketAddr = address.trim().parse().context("the bare server prints no address")?;
    let received = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let mut playing = JoinSet::new();
    for table in 0..tables {
        playing.spawn(play(address, format!("table {table}"), Arc::clone(&received)));
    }
    tokio::time::sleep(WARM_UP).await;
    let process = server.id().context("it runs")?;
    let count = || received.load(std::sync::atomic::Ordering::Relaxed);
    let (before, usage, since) = (count(), Usage::of(process)?, swarm::now());
    tokio::time::sleep(window).await;
    let (delivered, used) = (count() - before, Usage::of(process)?.cpu_since(&usage));
    println!("  (bare: {:.0} deliveries a second)", delivered as f64 / since.elapsed().as_secs_f64());
    if let Some(ended) = playing.try_join_next() {
        ended.context("a table of the bare server")??;
    }
    server.kill().await?;
    Ok(delivered as f64 / used)
}

/// Plays at one table. Four players take turns, and each sends as soon as it has received the
/// previous message.
async fn play(address: SocketAddr, table: String, received: Arc<std::sync::atomic::AtomicU64>) -> Result<()> {
    let (mut senders, mut streams) = (Vec::new(), SelectAll::new());
    for line in 0..LINES {
        let (mut sender, receiver) = swarm::open(address).await?.split();
        sender.send(tungstenite::Message::text(table.clone())).await?;
        senders.push(sender);
        streams.push(receiver.map(move |message| (line, message)));
    }
    let frame = tungstenite::Message::text("x".repeat(FRAME));
    for mover in (0..4).cycle() {
        senders[mover].send(frame.clone()).await?;
        // The next player moves after receiving this message. No player waits for a watcher.
        loop {
            let (line, message) = streams.next().await.context("the bare server has exited")?;
            message?;
            received.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if line == mover {
                break;
            }
        }
    }
    Ok(())
}
