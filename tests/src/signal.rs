//! Signals to processes, by the shell's own `kill`: the standard library has none.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// Sends a signal, named without its SIG.
///
/// # Errors
/// If one of the processes is not there any more.
pub fn send(name: &str, processes: &[u32]) -> Result<()> {
    let processes = processes.iter().map(u32::to_string);
    let status = Command::new("sh")
        .args(["-c", "kill -s \"$@\"", "kill", name])
        .args(processes)
        .stderr(Stdio::null())
        .status()
        .context("sh cannot be run")?;
    ensure!(status.success(), "signal {name} cannot be sent");
    Ok(())
}

/// Stops processes, and lets them go on so much later.
///
/// # Errors
/// If one of them is not there.
pub fn freeze(processes: &[u32], for_time: Duration) -> Result<()> {
    send("STOP", processes)?;
    thread::sleep(for_time);
    send("CONT", processes)
}
