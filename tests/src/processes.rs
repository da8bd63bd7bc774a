//! The processes of this machine, from `/proc`.

use std::fs;
use std::path::Path;

use anyhow::Result;

/// Returns the processes with this parent.
///
/// # Errors
/// If the processes cannot be listed.
pub fn children(parent: u32) -> Result<Vec<u32>> {
    let processes = fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Ok(processes.filter(|&process| status(process).is_some_and(|(_, of)| of == parent)).collect())
}

/// Returns whether a process runs.
pub fn is_alive(process: u32) -> bool {
    status(process).is_some_and(|(state, _)| state != "Z")
}

/// Returns a process's state and parent from /proc/ID/stat (proc(5)). Both follow the name, which
/// is in parentheses.
pub(crate) fn status(process: u32) -> Option<(String, u32)> {
    let stat = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
}
