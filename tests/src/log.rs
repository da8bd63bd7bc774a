//! Logs that a process is still writing.

use std::time::Duration;

use anyhow::{Context, Result};
use tokio::time::{sleep, timeout};

use crate::PATIENCE;

/// The interval between two reads of a log.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until a log contains `what` at least `times` times.
///
/// # Errors
/// If the log does not contain it in time.
pub(crate) async fn until_logged(log: impl Fn() -> String, what: &str, times: usize) -> Result<()> {
    let logged = async {
        while log().matches(what).count() < times {
            sleep(POLL_INTERVAL).await;
        }
    };
    let waited = timeout(PATIENCE, logged).await;
    waited.with_context(|| format!("waiting for {what:?} in the log:\n{}", log()))
}
