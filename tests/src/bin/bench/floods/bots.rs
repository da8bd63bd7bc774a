//! Tables of bots without spectators, and a person who plays against a bot at the same time.

use anyhow::{Context, Result};
use quadrex_tests::{Guest, Server};
use serde_json::{Value, json};

use super::json_client::JsonClient;
use super::{add_times, start, timed};
use crate::figures::Figures;

/// The number of matches that the person starts. Each measures one move of the bot.
const MATCHES: usize = 8;

/// Measures the time until a bot answers a person's first move, without and with the tables of
/// bots.
///
/// # Errors
/// If a match cannot be started.
pub(super) async fn measure(tables: usize, figures: &mut Figures) -> Result<()> {
    let server = start(&[]).await?;
    let person = server.guest("JsonClient").await?;
    add_times("bot's answer, alone", answers(&server, &person, figures, "alone").await?, figures);
    let host = server.http().as_guest(&server.guest("Mallory").await?);
    let bot = json!({"bot": {"kind": "built_in", "level": 8}});
    let table = json!({"variant": "dilkel", "privacy": "public", "bots": [bot, bot, bot, bot]}).to_string();
    let mut made = 0;
    for _ in 0..tables {
        let answer = host.request("POST", "/api/tables", Some(&table)).await?;
        made += usize::from(answer.status == 201);
    }
    figures.add("tables of bots alone: made", made as f64, "tables");
    let times = answers(&server, &person, figures, "beside tables of bots").await?;
    add_times("bot's answer, beside tables of bots", times, figures);
    Ok(())
}

/// Measures the times from the person's move to the bot's move, in milliseconds. Missing moves are
/// counted separately.
async fn answers(server: &Server, guest: &Guest, figures: &mut Figures, when: &str) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for _ in 0..MATCHES {
        let bot = json!({"seat": "black", "bot": {"kind": "built_in", "level": 8}});
        let table = json!({"variant": "classic", "privacy": "private", "seat": "white", "bots": [bot]});
        let made =
            server.http().as_guest(guest).request("POST", "/api/tables", Some(&table.to_string())).await?;
        let made: Value = made.json(201)?;
        let table = &made["table"];
        let mut person = JsonClient::connect(server, guest).await?;
        person.send(&json!({"t": "watch", "table": table})).await?;
        let snapshot = person.find("the snapshot", |frame| frame["t"] == "snapshot").await?;
        let head = snapshot["seq"].as_u64().context("a snapshot has a seq")?;
        let ack = person.ask(json!({"t": "move", "table": table, "after": head, "move": "e2e4"})).await?;
        anyhow::ensure!(ack["t"] == "ack", "the move was refused: {ack}");
        let is_answer =
            |frame: &Value| frame["event"]["type"] == "moved" && frame["event"]["color"] == "black";
        let (time, answer) = timed(person.find("the bot's move", is_answer)).await;
        if answer.is_ok() {
            times.push(time);
        }
        person.ask(json!({"t": "resign", "table": table})).await.ok();
    }
    figures.add(&format!("bot's answer, {when}: none in 30 s"), (MATCHES - times.len()) as f64, "matches");
    Ok(times)
}
