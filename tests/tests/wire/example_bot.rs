//! The example of a bot in `docs/bots`, against the real server.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::bot::BotView;
use quadrex_tests::contest::unhurried;
use quadrex_tests::{Database, Launch, program};
use tokio::process::Command;

/// As many of them as a table has seats find one another, play to the end, agree about it, and are marked as bots.
async fn play(variant: &str, seats: usize) -> Result<()> {
    let server = unhurried(Launch::new(&Database::Sqlite)?).start().await?;
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let bot = program::root().join("docs/bots/bot.py");
    let bots = (0..seats).map(|_| {
        let mut command = Command::new(&python);
        command.arg(&bot).arg(format!("http://{}", server.address())).arg(variant);
        command.stdin(Stdio::null()).kill_on_drop(true);
        async move { command.output().await.context("running python3: install Python 3.9 or newer (python3)") }
    });
    let outputs = try_join_all(bots).await?;
    for output in &outputs {
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        ensure!(output.stdout == outputs[0].stdout, "they saw different ends: {outputs:?}");
    }
    let MatchList { matches, .. } = server.http().get("/api/matches").await?.json(200)?;
    let [played] = &matches[..] else { anyhow::bail!("{matches:?}") };
    ensure!(played.seats.len() == seats && played.outcome.is_some(), "{played:?}");
    for seat in &played.seats {
        let user = seat.user.as_ref().context("a seat is open")?;
        ensure!(user.bot == Some(BotView::Account {}) && user.name == "Grabber", "{user:?}");
    }
    Ok(())
}

#[tokio::test]
async fn the_example_bot_plays_classic() -> Result<()> {
    play("classic", 2).await
}

#[tokio::test]
async fn the_example_bot_plays_dilkel() -> Result<()> {
    play("dilkel", 4).await
}
