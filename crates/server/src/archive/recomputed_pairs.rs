//! The computation of the acts of all players from the logs, which a command of the program requests.

use quadrex_protocol::MatchId;
use quadrex_store::{PairActs, Recomputation, Store, StoreError};

use super::pair_acts;

/// The number of matches that are read at once.
const BATCH: u16 = 500;

/// The result of a computation of the acts of all players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecomputedPairs {
    /// The number of rated matches of more than two players.
    pub matches: u64,
    /// The number of these matches whose acts were different in the database.
    pub different: u64,
}

/// Computes the acts of the players of all rated matches from the logs, and compares them with those in
/// the database or replaces those.
///
/// # Errors
/// Returns [`StoreError`] if the database fails or a log cannot be read. The acts of some matches may
/// have been replaced.
pub async fn recompute_pairs(store: &Store, mode: Recomputation) -> Result<RecomputedPairs, StoreError> {
    let mut result = RecomputedPairs::default();
    let mut after: Option<MatchId> = None;
    loop {
        let matches = store.ended_rated_matches(after, BATCH).await?;
        let Some(last) = matches.last() else { return Ok(result) };
        after = Some(last.match_id);
        for summary in &matches {
            let mut computed = pair_acts::of(&store.events(summary.match_id, 0).await?);
            let users = computed.iter().map(|pair| pair.by).collect();
            let deleted = store.deleted_among(&users).await?;
            computed.retain(|pair| !deleted.contains(&pair.by) && !deleted.contains(&pair.on));
            computed.sort_unstable_by_key(|pair| (pair.by, pair.on));
            let stored: Vec<PairActs> = store.pair_acts_of(summary.match_id).await?;
            result.matches += u64::from(!computed.is_empty());
            if computed != stored {
                result.different += 1;
                if mode == Recomputation::Replace {
                    store.replace_pair_acts(summary, &computed).await?;
                }
            }
        }
    }
}
