//! Many connections that request the animation of a long match, and a person who explores moves at
//! the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use quadrex_tests::rng::Rng;
use quadrex_tests::{Guest, Http, Server};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::json_client::JsonClient;
use super::{add_times, start, timed};
use crate::figures::Figures;

/// The number of timed explorations.
const EXPLORATIONS: usize = 20;

/// The results of the animation requests.
#[derive(Default)]
struct Animations {
    drawn: AtomicU64,
    refused: AtomicU64,
    is_over: AtomicBool,
}

/// Measures the times of an exploration and of a request for the match, without and with the
/// animations.
///
/// # Errors
/// If the match cannot be played.
pub(super) async fn measure(plies: usize, readers: usize, figures: &mut Figures) -> Result<()> {
    let quick = [("QUADREX_LIMITS__PLAYER_PER_SECOND", 100_000), ("QUADREX_LIMITS__PLAYER_BURST", 100_000)];
    let server = start(&quick).await?;
    let host = server.guest("Host").await?;
    let match_id = play(&server, &host, plies).await?;
    let http = server.http().as_guest(&host);
    let path = format!("/pictures/match/{match_id}.gif");
    let (time, film) = timed(http.get(&path)).await;
    figures.add("film: first drawing", time, "ms");
    figures.add("film: size", film?.bytes.len() as f64 / 1024.0, "KiB");
    measure_requests(&http, &match_id, "alone", figures).await;

    let films = Arc::new(Animations::default());
    let mut flood = JoinSet::new();
    for _ in 0..readers {
        let (http, path, films) = (http.clone(), path.clone(), films.clone());
        flood.spawn(async move {
            while !films.is_over.load(Ordering::Relaxed) {
                match http.get(&path).await.map(|answer| answer.status) {
                    Ok(200) => films.drawn.fetch_add(1, Ordering::Relaxed),
                    _ => films.refused.fetch_add(1, Ordering::Relaxed),
                };
            }
        });
    }
    measure_requests(&http, &match_id, "beside films", figures).await;
    films.is_over.store(true, Ordering::Relaxed);
    while flood.join_next().await.is_some() {}
    figures.add("films: answered", films.drawn.load(Ordering::Relaxed) as f64, "films");
    figures.add("films: refused or without an answer", films.refused.load(Ordering::Relaxed) as f64, "films");
    Ok(())
}

async fn measure_requests(http: &Http, match_id: &str, when: &str, figures: &mut Figures) {
    let start = json!({"setup": {"kind": "start", "variant": "classic"}, "moves": []}).to_string();
    let (mut explored, mut looked, mut failed) = (Vec::new(), Vec::new(), 0);
    for _ in 0..EXPLORATIONS {
        let (time, answer) = timed(http.request("POST", "/api/explore", Some(&start))).await;
        if answer.is_ok_and(|answer| answer.status == 200) {
            explored.push(time);
        } else {
            failed += 1;
        }
        let (time, answer) = timed(http.get(&format!("/api/matches/{match_id}"))).await;
        if answer.is_ok_and(|answer| answer.status == 200) { looked.push(time) } else { failed += 1 }
    }
    add_times(&format!("exploration, {when}"), explored, figures);
    add_times(&format!("look at a match, {when}"), looked, figures);
    figures.add(&format!("exploration or look, {when}: none in 30 s"), f64::from(failed), "requests");
}

/// Plays random moves at a hotseat table, and returns the match, which is still running.
async fn play(server: &Server, host: &Guest, plies: usize) -> Result<String> {
    let table =
        json!({"variant": "dilkel", "privacy": "private", "hotseat": true, "seat": "red"}).to_string();
    let made: Value =
        server.http().as_guest(host).request("POST", "/api/tables", Some(&table)).await?.json(201)?;
    let (table, match_id) = (&made["table"], made["match"].as_str().context("a table has a match")?);
    let mut person = JsonClient::connect(server, host).await?;
    person.send(&json!({"t": "watch", "table": table})).await?;
    for seat in ["blue", "yellow", "green"] {
        person.ask(json!({"t": "sit", "table": table, "seat": seat})).await?;
    }
    // A new snapshot contains the legal moves of the first player.
    person.send(&json!({"t": "watch", "table": table})).await?;
    let is_whole = |frame: &Value| frame["t"] == "snapshot" && frame["view"]["legal_moves"].is_array();
    let snapshot = person.find("the whole table", is_whole).await?;
    let (mut legal, mut head) = (snapshot["view"]["legal_moves"].clone(), snapshot["seq"].clone());
    let mut rng = Rng::new(1);
    for played in 0..plies {
        let moves = legal.as_array().context("legal moves are a list")?;
        let mv = rng.pick(moves).context("the player to move has a legal move")?;
        let mv = json!({"t": "move", "table": table, "cmd": format!("m{played}"), "after": head, "move": mv});
        person.send(&mv).await?;
        let is_next = |frame: &Value| frame["legal_moves"].is_array() || frame["event"]["type"] == "ended";
        let next = person.find("the next move", is_next).await?;
        ensure!(next["event"]["type"] != "ended", "the match is over after {} moves", played + 1);
        (legal, head) = (next["legal_moves"].clone(), next["seq"].clone());
    }
    Ok(match_id.to_owned())
}
