//! Detection of running matches that no deadline would ever end.

use anyhow::{Context, Result};
use quadrex_protocol::MatchId;
use quadrex_server::actor::replay;
use quadrex_store::Store;
use quadrex_table::Stage;

/// Returns the running matches that have no deadline although no player is connected.
///
/// # Errors
/// If a match cannot be read.
pub async fn stuck_matches(store: &Store) -> Result<Vec<MatchId>> {
    let mut stuck_matches = Vec::new();
    for row in store.unfinished().await? {
        let read = replay(store, row.table, row.match_id).await;
        let mut history = read.with_context(|| format!("reading {}", row.match_id))?;
        history.set_connected(&[], history.last_at());
        let state = history.state();
        if matches!(state.stage(), Stage::Running(_)) && state.next_deadline().is_none() {
            stuck_matches.push(row.match_id);
        }
    }
    Ok(stuck_matches)
}
