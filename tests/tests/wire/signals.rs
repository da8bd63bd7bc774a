//! Signals that stop the server, and signals that it ignores.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::ServerFrame;
use quadrex_tests::{Client, Database, Launch, Received, signal};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The maximum time for a shutdown. An endless request once delayed the shutdown for longer.
const END: Duration = Duration::from_secs(9);

/// Waits for the closing handshake, and returns the delay after which to reconnect.
async fn wait_for_close(client: &mut Client) -> Result<u64> {
    let retry = client.find("the close frame", |frame| match frame {
        ServerFrame::Closing { retry_after_ms, open_for_ms: None } => Some(retry_after_ms),
        _ => None,
    });
    let retry = retry.await?;
    let after = client.receive().await?;
    ensure!(after == Received::Closed(1012), "{after:?}");
    Ok(retry)
}

#[tokio::test]
async fn sighup_stops_the_server_like_sigterm() -> Result<()> {
    let mut server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut retries = Vec::new();
    let mut clients = Vec::new();
    for _ in 0..8 {
        clients.push(server.connect_as_nobody().await?);
    }
    signal::send("HUP", &[server.process()?])?;
    for client in &mut clients {
        retries.push(wait_for_close(client).await?);
    }
    ensure!(retries.iter().all(|retry| (1_000..=10_000).contains(retry)), "{retries:?}");
    ensure!(retries.iter().any(|retry| *retry != retries[0]), "all clients get the same delay: {retries:?}");
    ensure!(server.ended().await?.status.success());
    Ok(())
}

#[tokio::test]
async fn user_signals_are_ignored() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let server = launch.start().await?;
    for name in ["USR1", "USR2"] {
        signal::send(name, &[server.process()?])?;
        launch.until_logged(&format!("SIG{name} is ignored"), 1).await?;
    }
    ensure!(server.http().get("/readyz").await?.status == 200);
    Ok(())
}

#[tokio::test]
async fn a_stopping_server_is_not_ready_but_still_serves_requests() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_SERVER__LEAVE_SECONDS", 3);
    let mut server = launch.start().await?;
    let http = server.http();
    ensure!(http.get("/readyz").await?.status == 200);
    server.terminate().await?;
    let unready = http.until_status("/readyz", 503).await?;
    ensure!(unready.body.contains("about to stop"), "{unready:?}");
    ensure!(http.get("/api/tables").await?.status == 200, "it serves requests until the shutdown");
    ensure!(server.ended().await?.status.success());
    Ok(())
}

#[tokio::test]
async fn an_endless_request_does_not_delay_the_exit() -> Result<()> {
    let mut server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut half_open = TcpStream::connect(server.address()).await?;
    half_open.write_all(b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{").await?;
    server.terminate().await?;
    let ended = timeout(END, server.ended()).await.context("the server waits for a request")??;
    ensure!(ended.status.success(), "{ended:?}");
    Ok(())
}
