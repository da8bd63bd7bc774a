//! Connections that send incomplete requests, or nothing but pings.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Result;
use futures_util::SinkExt;
use quadrex_tests::swarm;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::{FLOOD, add_times, start, timed};
use crate::figures::Figures;
use crate::load::process::Usage;

/// The time for which incomplete requests are observed.
const WATCHED: Duration = Duration::from_secs(35);

/// The length in bytes of a request head without an end.
const HALF_A_HEAD: usize = 300 * 1024;

/// The number of connections that send pings.
const PINGING: usize = 8;

/// The number of timed page requests.
const PAGES: usize = 20;

/// Measures how long incomplete requests stay open, their memory, and the memory that is not
/// released afterwards.
///
/// # Errors
/// If the server cannot be started.
pub(super) async fn half_requests(count: usize, figures: &mut Figures) -> Result<()> {
    let server = start(&[]).await?;
    let process = server.process()?;
    let before = Usage::of(process)?.resident_kib;
    let mib = |kib: u64| kib.saturating_sub(before) as f64 / 1024.0;
    let since = swarm::now();
    let mut held = Vec::new();
    for _ in 0..count {
        held.push(half_a_request(server.address()).await);
    }
    let (time, answer) = timed(server.http().get("/healthz")).await;
    figures.add("half requests: a page beside them", time, "ms");
    figures.add("half requests: page answered", f64::from(u8::from(answer.is_ok())), "of 1");
    figures.add("half requests: resident with all of them", mib(Usage::of(process)?.resident_kib), "MiB");
    tokio::time::sleep_until(since + WATCHED).await;
    let mut open = 0;
    for stream in held.iter_mut().flatten() {
        open += usize::from(is_open(stream).await);
    }
    figures.add("half requests: still open after 35 s", open as f64, "connections");
    drop(held);
    tokio::time::sleep(FLOOD).await;
    figures.add("half requests: resident after they left", mib(Usage::of(process)?.resident_kib), "MiB");
    let half = half_a_request(server.address()).await;
    let mut server = server;
    server.terminate().await?;
    let (time, _) = timed(server.ended()).await;
    figures.add("half request: exit after SIGTERM", time, "ms");
    drop(half);
    Ok(())
}

/// Opens a connection and sends a request head without an end. Returns `None` if the server does
/// not accept the connection.
async fn half_a_request(address: SocketAddr) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let head = format!("GET / HTTP/1.1\r\nHost: {address}\r\nX-Long: {}", "a".repeat(HALF_A_HEAD));
    // The server may close the connection before everything is sent.
    timeout(Duration::from_secs(2), stream.write_all(head.as_bytes())).await.ok();
    Some(stream)
}

/// Returns whether the server has kept a connection open.
async fn is_open(stream: &mut TcpStream) -> bool {
    let mut rest = [0; 4096];
    loop {
        match timeout(Duration::from_millis(10), stream.read(&mut rest)).await {
            Err(_) => return true,
            Ok(Ok(0) | Err(_)) => return false,
            Ok(Ok(_)) => {}
        }
    }
}

/// Measures the number of accepted pings, and the times of page requests beside them.
///
/// # Errors
/// If the server cannot be started.
pub(super) async fn pings(figures: &mut Figures) -> Result<()> {
    let server = start(&[]).await?;
    let process = server.process()?;
    let guest = server.guest("Pinging").await?;
    let usage = Usage::of(process)?;
    let since = swarm::now();
    let mut flood = tokio::task::JoinSet::new();
    for _ in 0..PINGING {
        flood.spawn(ping(server.address(), guest.token.clone()));
    }
    let mut times = Vec::new();
    for _ in 0..PAGES {
        times.push(timed(server.http().get("/api/bots")).await.0);
    }
    let mut sent = 0;
    while let Some(done) = flood.join_next().await {
        sent += done?;
    }
    let seconds = since.elapsed().as_secs_f64();
    figures.add("pings: taken", sent as f64 / seconds, "a second");
    figures.add("pings: server", Usage::of(process)?.cpu_since(&usage) / seconds, "cores");
    add_times("a page beside pings", times, figures);
    Ok(())
}

/// Sends pings until the flood ends or the server stops accepting them, and returns their number.
async fn ping(address: SocketAddr, token: String) -> u64 {
    let Ok(mut socket) = swarm::open(address).await else { return 0 };
    let hello = serde_json::json!({"t": "hello", "token": token}).to_string();
    if socket.send(Message::text(hello)).await.is_err() {
        return 0;
    }
    let (since, mut sent) = (swarm::now(), 0);
    while since.elapsed() < FLOOD {
        let ping = timeout(Duration::from_secs(1), socket.send(Message::Ping(b"flood".as_slice().into())));
        match ping.await {
            Ok(Ok(())) => sent += 1,
            _ => break,
        }
    }
    sent
}
