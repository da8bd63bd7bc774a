//! The client in Python, which was written from the protocol document alone, against the real
//! server.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::{Database, Launch, program};
use tokio::process::Command;

async fn plays(arguments: &[&str], ending: &str) -> Result<()> {
    let server = without_rate_limits(Launch::new(&Database::Sqlite)?).start().await?;
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let mut client = Command::new(python);
    client.arg(program::root().join("tests/python/quadrex_client.py"));
    client.arg(format!("http://{}", server.address())).args(arguments);
    client.stdin(Stdio::null()).kill_on_drop(true);
    let output = client.output().await.context("running python3: install Python 3.9 or newer (python3)")?;
    let (stdout, errors) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    ensure!(output.status.success(), "{}: {errors}", output.status);
    ensure!(stdout.contains(ending), "another end: {stdout}");
    print!("{stdout}");
    Ok(())
}

#[tokio::test]
async fn a_python_client_plays_a_match_to_an_agreed_draw() -> Result<()> {
    plays(&["--plies", "80", "--seed", "7"], "80 plies, agreement").await
}

#[tokio::test]
async fn a_python_client_plays_a_match_to_its_end() -> Result<()> {
    plays(&["--seed", "11"], " plies, ").await
}
