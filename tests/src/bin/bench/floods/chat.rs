//! Spectators who send as many messages as they may, and the snapshot of a new spectator.

use anyhow::Result;
use quadrex_tests::swarm;
use serde_json::{Value, json};

use super::json_client::JsonClient;
use super::start;
use crate::figures::Figures;

/// The number of messages of each spectator.
const MESSAGES: usize = 5;

/// The number of characters in a message, four bytes each.
const CHARACTERS: usize = 200;

/// Measures the snapshot of a match whose spectators have filled the chat.
///
/// # Errors
/// If the table cannot be created.
pub(super) async fn measure(talkers: usize, figures: &mut Figures) -> Result<()> {
    let server = start(&[]).await?;
    let host = server.guest("Host").await?;
    let bot = json!({"seat": "black", "bot": {"kind": "built_in", "level": 1}});
    let table =
        json!({"variant": "classic", "privacy": "public", "seat": "white", "bots": [bot]}).to_string();
    let made: Value =
        server.http().as_guest(&host).request("POST", "/api/tables", Some(&table)).await?.json(201)?;
    let table = &made["table"];
    let words = json!({"text": "\u{1f600}".repeat(CHARACTERS)});
    let (since, mut said) = (swarm::now(), 0);
    for _ in 0..talkers {
        let guest = server.guest("Talker").await?;
        let mut talker = JsonClient::connect(&server, &guest).await?;
        talker.send(&json!({"t": "watch", "table": table})).await?;
        for _ in 0..MESSAGES {
            let chat = json!({"t": "chat", "table": table, "room": "bystanders", "message": words});
            said += usize::from(talker.ask(chat).await?["t"] == "ack");
        }
    }
    figures.add("chat: messages taken", said as f64, "messages");
    figures.add("chat: time", since.elapsed().as_secs_f64(), "s");
    let newcomer = server.guest("Newcomer").await?;
    let mut newcomer = JsonClient::connect(&server, &newcomer).await?;
    newcomer.send(&json!({"t": "watch", "table": table})).await?;
    let (_, size) = newcomer.receive().await?;
    figures.add("chat: what a newcomer loads", size as f64 / 1024.0, "KiB");
    Ok(())
}
