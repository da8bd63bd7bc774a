//! Matches that nothing would ever end.

use anyhow::{Context, Result};
use quadrex_protocol::MatchId;
use quadrex_server::actor::replay;
use quadrex_store::Store;
use quadrex_table::Stage;

/// Running matches that wait for no moment, though nobody is there. An open one waits for people, and closes without.
///
/// # Errors
/// If a match cannot be read.
pub async fn endless(store: &Store) -> Result<Vec<MatchId>> {
    let mut endless = Vec::new();
    for row in store.unfinished().await? {
        let read = replay(store, row.table, row.match_id).await;
        let mut history = read.with_context(|| format!("reading {}", row.match_id))?;
        history.set_connected(&[], history.last_at());
        let state = history.state();
        if matches!(state.stage(), Stage::Running(_)) && state.next_deadline().is_none() {
            endless.push(row.match_id);
        }
    }
    Ok(endless)
}
