//! The owners of matches: only the owner answers, and every match finds one.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::{MatchId, ServerFrame};
use sqlx::SqliteConnection;
use tokio::time::Instant;
use uuid::Uuid;

use super::Auditor;

/// The time by which a server may answer with an earlier state of a match. Requests wait that long for a
/// lease that is late, and bytes are under way for a while.
const TOLERANCE: Duration = Duration::from_secs(12);

/// The last events of matches that any client has seen, and when.
#[derive(Debug, Default)]
pub(super) struct SeenHeads {
    /// The events by match, in the order of their numbers, with the time at which they were seen.
    seen: BTreeMap<MatchId, BTreeMap<u64, Instant>>,
}

impl SeenHeads {
    /// Records that a client has seen an event, in whatever frame.
    pub(super) fn add(&mut self, match_id: MatchId, seq: u64, now: Instant) {
        self.seen.entry(match_id).or_default().entry(seq).or_insert(now);
    }

    /// Returns an event that a client had seen long before a request, if the answer to the request does
    /// not show it. A server that has lost the match to another one without noticing answers so.
    pub(super) fn missing(&self, match_id: MatchId, shown: u64, asked_at: Instant) -> Option<u64> {
        let later = self.seen.get(&match_id)?.range(shown + 1..);
        later.into_iter().find(|(_, seen_at)| **seen_at + TOLERANCE < asked_at).map(|(seq, _)| *seq)
    }
}

impl Auditor {
    /// Checks that a server held its lease when it sent a frame. Without the lease, it only closes
    /// connections.
    pub(crate) fn frame_sent(&self, actor: &str, server: &str, frame: &ServerFrame, sent_at: Instant) {
        if matches!(frame, ServerFrame::Closing { .. }) {
            return;
        }
        if let Some(expired_for) = self.0.commits.leases(|leases| leases.expired_for(server, sent_at)) {
            let what = format_args!("{server} sends a frame, although its lease expired {expired_for:?} ago");
            self.violation(actor, what);
        }
    }
}

/// Returns the running matches without a living owner that holds its lease. Hibernating matches need
/// none.
pub(crate) async fn unowned(
    connection: &mut SqliteConnection,
    now_ms: i64,
) -> Result<Vec<MatchId>, sqlx::Error> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "select id from matches
         where status = 'running' and hibernated_epoch is not epoch
           and not exists (select 1 from nodes
                           where nodes.id = owner and state <> 'dead' and lease_until_ms > $1)
         order by id",
    )
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

#[cfg(test)]
mod tests;
