//! The example bots in `docs/bots` against the real server.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::bot::BotView;
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::{Database, Launch, program};
use tempfile::TempDir;
use tokio::process::Command;

/// The maximum number of lines of an example, which should be easy to read.
const LINES: usize = 100;

/// Runs one bot for each seat. They find each other, play to the end, agree on the result, and are
/// marked as bots.
async fn play(variant: &str, seats: usize, bot: impl Fn() -> Command) -> Result<()> {
    let server = without_rate_limits(Launch::new(&Database::Sqlite)?).start().await?;
    let bots = (0..seats).map(|_| {
        let mut command = bot();
        command.arg(format!("http://{}", server.address())).arg(variant);
        command.stdin(Stdio::null()).kill_on_drop(true);
        async move { command.output().await.with_context(|| format!("running {command:?}")) }
    });
    let outputs = try_join_all(bots).await?;
    for output in &outputs {
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        ensure!(output.stdout == outputs[0].stdout, "the bots report different results: {outputs:?}");
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

/// Returns the command for the example in Python, which needs version 3.9 or newer.
fn in_python() -> Command {
    let mut command = Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
    command.arg(program::root().join("docs/bots/bot.py"));
    command
}

/// Compiles the example in TypeScript as described in `docs/bots/README.md`, and returns its
/// command for any supported Node.js.
async fn in_typescript(folder: &TempDir) -> Result<impl Fn() -> Command + use<>> {
    let compiler = program::root().join("crates/web/node_modules/.bin/tsc");
    ensure!(compiler.is_file(), "{} is not there: npm ci in crates/web", compiler.display());
    let mut compiling = Command::new(&compiler);
    compiling.arg("--project").arg(program::root().join("docs/bots")).arg("--outDir").arg(folder.path());
    let said = compiling.output().await.context("running the compiler")?;
    ensure!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
    let program = folder.path().join("docs/bots/bot.js");
    Ok(move || {
        let mut command = Command::new("node");
        command.arg("--experimental-websocket").arg(&program);
        command
    })
}

#[tokio::test]
async fn the_example_in_python_plays_classic() -> Result<()> {
    play("classic", 2, in_python).await
}

#[tokio::test]
async fn the_example_in_python_plays_dilkel() -> Result<()> {
    play("dilkel", 4, in_python).await
}

#[tokio::test]
async fn the_example_in_typescript_plays_classic() -> Result<()> {
    let folder = tempfile::tempdir()?;
    play("classic", 2, in_typescript(&folder).await?).await
}

#[tokio::test]
async fn the_example_in_typescript_plays_dilkel() -> Result<()> {
    let folder = tempfile::tempdir()?;
    play("dilkel", 4, in_typescript(&folder).await?).await
}

#[test]
fn the_examples_are_short() -> Result<()> {
    for name in ["bot.py", "bot.ts"] {
        let text = std::fs::read_to_string(program::root().join("docs/bots").join(name))?;
        let lines = text.lines().count();
        ensure!(lines <= LINES, "{name} has {lines} lines");
    }
    Ok(())
}
