//! Signals to processes, sent with the shell's `kill`, because the standard library has no function
//! for this.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// Sends a signal, which is named without SIG.
///
/// # Errors
/// If one of the processes does not exist.
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

/// Stops processes with SIGSTOP and continues them after this time.
///
/// # Errors
/// If one of the processes does not exist.
pub fn freeze(processes: &[u32], for_time: Duration) -> Result<()> {
    send("STOP", processes)?;
    thread::sleep(for_time);
    send("CONT", processes)
}
