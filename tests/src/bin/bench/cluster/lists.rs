//! The list of public tables at all nodes while many matches are played.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::ClientFrame;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, ClusterTap, Nodes, swarm};
use tokio::time::{sleep, timeout};

use super::load::{Load, Place};
use super::{Times, played};
use crate::figures::Figures;

/// The time for which the frames of the lobby are counted.
const WINDOW: Duration = Duration::from_secs(20);

/// The number of tables that are created to measure when the nodes list them.
const CREATED: usize = 10;

/// The interval between two requests for a list.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The maximum time until a table is listed, and until the matches have ended.
const LIMIT: Duration = Duration::from_secs(30);

/// Plays matches at all nodes, and measures their lists.
///
/// # Errors
/// If the matches do not start, or the lists of the nodes differ.
pub(super) async fn measure(
    nodes: &Nodes,
    tables: usize,
    pause: Duration,
    figures: &mut Figures,
) -> Result<()> {
    let addresses = nodes.addresses();
    let place = |owner| Place { name: "", owner, players: addresses.clone(), refuges: addresses.clone() };
    let places: Vec<Place> = addresses.iter().copied().map(place).collect();
    let load = Load::start(&places, tables.div_ceil(places.len()), pause).await?;
    let tap = ClusterTap::start(nodes).await?;
    let count = places.len() * tables.div_ceil(places.len());
    println!("  {count} tables are played");
    let (since, (messages, bytes)) = (swarm::now(), tap.messages());
    let watching = addresses.iter().map(|address| watch_lobby(*address));
    let watched = futures_util::future::try_join_all(watching).await?;
    let seconds = since.elapsed().as_secs_f64();
    let (messages_after, bytes_after) = tap.messages();
    for (index, Watched { first, bytes, frames }) in watched.into_iter().enumerate() {
        let name = format!("lists: lobby of node {index}");
        figures.add(&format!("{name}, first frame"), first as f64 / 1024.0, "KiB");
        let each = bytes as f64 / 1024.0 / WINDOW.as_secs_f64();
        figures.add(&format!("{name}, sent"), each, "KiB a second");
        figures.add(&format!("{name}, frames"), frames as f64 / WINDOW.as_secs_f64(), "a second");
    }
    let rate = |before: u64, after: u64| (after - before) as f64 / seconds;
    figures.add("lists: messages between nodes", rate(messages, messages_after), "a second");
    figures.add("lists: bytes between nodes", rate(bytes, bytes_after) / 1024.0, "KiB a second");
    listing(nodes, figures).await?;
    let lists =
        futures_util::future::try_join_all((0..addresses.len()).map(|index| ids(nodes, index))).await?;
    ensure!(lists.iter().all(|list| *list == lists[0]), "the lists of the nodes differ");
    ensure!(lists[0].len() >= count, "{} of {count} tables are listed", lists[0].len());
    figures.add("lists: tables listed at each node", lists[0].len() as f64, "");
    let (played, errors) = load.finish(LIMIT).await;
    ensure!(errors.is_empty(), "{} matches failed, the first by {:#}", errors.len(), errors[0]);
    figures.add("lists: moves", played.iter().map(|played| played.moves.len()).sum::<usize>() as f64, "");
    played::end_all(played).await
}

/// Creates tables, and measures when all nodes list them.
async fn listing(nodes: &Nodes, figures: &mut Figures) -> Result<()> {
    let count = nodes.addresses().len();
    let mut times = Vec::new();
    for number in 0..CREATED {
        let http = nodes.server(number % count)?.http();
        let host = http.guest("host").await?;
        // A table at which nobody sits is listed only while its host is present.
        let wish = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
        let TableCreated { table, .. } = http.as_guest(&host).create(&wish).await?;
        let since = swarm::now();
        let listed = async {
            for index in 0..count {
                while !ids(nodes, index).await?.contains(&table.to_string()) {
                    sleep(POLL_INTERVAL).await;
                }
            }
            anyhow::Ok(())
        };
        timeout(LIMIT, listed).await.with_context(|| format!("waiting for {table} in the lists"))??;
        times.push(since.elapsed());
    }
    Times::new(times).report("lists: creation until all nodes list the table", figures);
    Ok(())
}

async fn ids(nodes: &Nodes, index: usize) -> Result<BTreeSet<String>> {
    let tables = nodes.server(index)?.http().public_tables().await?;
    Ok(tables.iter().map(|listed| listed.table.to_string()).collect())
}

/// The frames that a watcher of the lobby has received.
struct Watched {
    /// The size of the first frame in bytes.
    first: usize,
    /// The number of bytes of all later frames.
    bytes: usize,
    frames: usize,
}

async fn watch_lobby(address: std::net::SocketAddr) -> Result<Watched> {
    let mut client = Client::open(address, None).await?;
    client.send(&ClientFrame::WatchLobby {}).await?;
    let next = async |client: &mut Client| match client.receive_text().await? {
        Ok(text) => Ok(text.len()),
        Err(end) => anyhow::bail!("the connection ended: {end:?}"),
    };
    let mut watched = Watched { first: next(&mut client).await?, bytes: 0, frames: 0 };
    let since = swarm::now();
    while let Some(left) = WINDOW.checked_sub(since.elapsed()) {
        let Ok(size) = timeout(left, next(&mut client)).await else { break };
        watched.bytes += size?;
        watched.frames += 1;
    }
    Ok(watched)
}
