//! The task that reads in the store which sessions have ended, and which users have other rights, so
//! that their connections are closed at all nodes even if messages are lost.

use std::time::Duration;

use quadrex_store::error_chain::chain;
use quadrex_store::{Store, StoreError};

use crate::auth::Sessions;

/// The time between two reads.
const READ_INTERVAL: Duration = Duration::from_millis(500);

/// Closes the connections that the revocations after `last` concern. Never returns.
pub(super) async fn follow(store: Store, sessions: Sessions, mut last: u64) {
    loop {
        tokio::time::sleep(READ_INTERVAL).await;
        match apply(&store, &sessions, last).await {
            Ok(seq) => last = seq,
            // The next read finds them.
            Err(error) => tracing::debug!("{}", chain(&error)),
        }
    }
}

/// Closes the connections that the revocations after `last` concern. Returns the number of the last
/// revocation.
async fn apply(store: &Store, sessions: &Sessions, last: u64) -> Result<u64, StoreError> {
    let revocations = store.revocations_after(last).await?;
    sessions.close(&revocations.sessions);
    for user in revocations.users {
        sessions.close_user(user).await?;
    }
    Ok(revocations.last)
}
