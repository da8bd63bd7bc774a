//! A cache of analyses, both finished ones and those that are still running.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_protocol::analysis::Analysis;
use quadrex_rules::Variant;
use tokio::sync::OnceCell;

/// The key of an analysis in the cache. Requests with equal keys get the same analysis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AnalysisKey {
    pub(super) variant: Variant,
    /// The position as FEN or FEN4.
    pub(super) fen: String,
    /// The hash keys of the earlier positions of the game. The search needs them to find
    /// repetitions.
    pub(super) earlier: Vec<u64>,
    /// The number of best moves to find.
    pub(super) lines: usize,
    /// The largest number of positions to search.
    pub(super) nodes: u64,
}

/// A cell that contains an analysis, or is empty while the analysis runs.
pub(super) type AnalysisCell = Arc<OnceCell<Arc<Analysis>>>;

/// A cache of analyses. When it is full, the least recently used analysis is evicted.
#[derive(Debug)]
pub(super) struct AnalysisCache {
    capacity: usize,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    /// The analyses, each with the value of `uses` at its last use.
    cells: HashMap<AnalysisKey, (AnalysisCell, u64)>,
    /// The number of all uses so far.
    uses: u64,
}

impl AnalysisCache {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, entries: Mutex::default() }
    }

    /// Returns the cell of an analysis. All requests with the same key share the cell.
    pub(super) fn cell(&self, key: AnalysisKey) -> AnalysisCell {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.uses += 1;
        let uses = entries.uses;
        let (cell, last_use) = entries.cells.entry(key).or_default();
        *last_use = uses;
        let cell = cell.clone();
        if entries.cells.len() > self.capacity.max(1) {
            let oldest = entries.cells.iter().min_by_key(|(_, (_, last_use))| *last_use);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                entries.cells.remove(&oldest);
            }
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(nodes: u64) -> AnalysisKey {
        AnalysisKey { variant: Variant::Classic, fen: "fen".to_owned(), earlier: Vec::new(), lines: 1, nodes }
    }

    fn analysis() -> Arc<Analysis> {
        let (variant, turn) = (Variant::Classic, quadrex_rules::Color::White);
        Arc::new(Analysis { variant, turn, depth: 1, nodes: 1, lines: Vec::new() })
    }

    #[test]
    fn the_least_recently_used_answer_is_evicted() {
        let cache = AnalysisCache::new(2);
        for nodes in [1, 2] {
            cache.cell(key(nodes)).set(analysis()).unwrap();
        }
        let has = |nodes| cache.cell(key(nodes)).get().is_some();
        assert!(has(1));
        assert!(!has(3), "nobody has answered it");
        assert!(has(1));
        assert!(!has(2), "it was evicted");
    }

    #[test]
    fn another_position_line_count_or_effort_is_another_entry() {
        let cache = AnalysisCache::new(10);
        cache.cell(key(1)).set(analysis()).unwrap();
        for other in [
            AnalysisKey { variant: Variant::Dilkel, ..key(1) },
            AnalysisKey { fen: "other".to_owned(), ..key(1) },
            AnalysisKey { earlier: vec![1], ..key(1) },
            AnalysisKey { lines: 2, ..key(1) },
            key(2),
        ] {
            assert!(cache.cell(other.clone()).get().is_none(), "{other:?}");
        }
        assert!(cache.cell(key(1)).get().is_some());
    }
}
