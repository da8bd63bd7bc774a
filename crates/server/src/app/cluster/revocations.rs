//! The task that reads in the store which sessions have ended, so that the connections of a session
//! are closed at all nodes even if messages are lost.

use std::time::Duration;

use quadrex_store::Store;
use quadrex_store::error_chain::chain;

use crate::auth::Sessions;

/// The time between two reads.
const READ_INTERVAL: Duration = Duration::from_millis(500);

/// Closes the connections of the sessions that end after the revocation `last`. Never returns.
pub(super) async fn follow(store: Store, sessions: Sessions, mut last: u64) {
    loop {
        tokio::time::sleep(READ_INTERVAL).await;
        match store.revocations_after(last).await {
            Ok((ended, seq)) => {
                sessions.close(&ended);
                last = seq;
            }
            // The next read finds them.
            Err(error) => tracing::debug!("{}", chain(&error)),
        }
    }
}
