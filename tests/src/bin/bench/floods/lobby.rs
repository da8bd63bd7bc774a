//! Thousands of public tables, and the data that visitors of the lobby receive.

use anyhow::{Context, Result};
use quadrex_tests::swarm::{Pace, Swarm};
use quadrex_tests::{Http, Server, swarm};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::json_client::JsonClient;
use super::{FLOOD, start, timed};
use crate::figures::Figures;
use crate::load;

/// The number of tables that one guest creates.
const BY_ONE: usize = 50;

/// The number of tables with running matches.
const RUNNING: usize = 50;

/// Measures the list of public tables over HTTP and over a WebSocket.
///
/// # Errors
/// If the tables cannot be created.
pub(super) async fn measure(tables: usize, figures: &mut Figures) -> Result<()> {
    let server = start(&[]).await?;
    open_tables(&server, tables).await?;
    let guest = server.guest("Visitor").await?;
    let (time, list) = timed(server.http().get("/api/tables")).await;
    figures.add("GET /api/tables: size", list?.bytes.len() as f64 / 1024.0, "KiB");
    figures.add("GET /api/tables: time", time, "ms");
    let mut visitor = JsonClient::connect(&server, &guest).await?;
    visitor.send(&json!({"t": "watch_lobby"})).await?;
    let (frame, size) = visitor.receive().await?;
    figures.add(
        &format!("watch_lobby: {}", frame["t"].as_str().unwrap_or("no answer")),
        size as f64 / 1024.0,
        "KiB",
    );

    let swarm = Swarm::start(&load::plan(&server, RUNNING, 0, Pace::Every(FLOOD / 10))).await?;
    swarm.tally().until_up(RUNNING as u64 * 4).await;
    let (since, mut bytes, mut frames) = (swarm::now(), 0, 0);
    while let Some(left) = FLOOD.checked_sub(since.elapsed()) {
        let Ok(received) = timeout(left, visitor.receive()).await else { break };
        bytes += received?.1;
        frames += 1;
    }
    let seconds = since.elapsed().as_secs_f64();
    figures.add(
        &format!("lobby of {RUNNING} running tables: sent"),
        bytes as f64 / 1024.0 / seconds,
        "KiB a second",
    );
    figures.add(
        &format!("lobby of {RUNNING} running tables: frames"),
        f64::from(frames) / seconds,
        "a second",
    );
    swarm.finish().await?;
    Ok(())
}

/// Creates open public tables, with as many guests as needed.
async fn open_tables(server: &Server, count: usize) -> Result<()> {
    let table = json!({"variant": "dilkel", "privacy": "public", "seat": "red"}).to_string();
    let mut host: Option<Http> = None;
    for number in 0..count {
        if number % BY_ONE == 0 {
            host = Some(server.http().as_guest(&server.guest("Host").await?));
        }
        let http = host.as_ref().context("there is a host")?;
        let _: Value = http.request("POST", "/api/tables", Some(&table)).await?.json(201)?;
    }
    Ok(())
}
