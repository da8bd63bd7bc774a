//! A cache of analyses, finished or under way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_protocol::analysis::Analysis;
use quadrex_rules::Variant;
use tokio::sync::OnceCell;

/// The key of an analysis: position and effort. Equal questions have the same answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub(super) variant: Variant,
    /// The position, FEN or FEN4.
    pub(super) fen: String,
    /// Keys of the positions that occurred before.
    pub(super) earlier: Vec<u64>,
    pub(super) lines: usize,
    pub(super) nodes: u64,
}

/// An answer, or an empty cell for it.
pub(super) type Answer = Arc<OnceCell<Arc<Analysis>>>;

/// A cache of a number of answers, from which the least recently used are evicted.
#[derive(Debug)]
pub(super) struct AnalysisCache {
    capacity: usize,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    answers: HashMap<Question, (Answer, u64)>,
    uses: u64,
}

impl AnalysisCache {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, entries: Mutex::default() }
    }

    /// Returns the answer to a question, or an empty cell for it, which all requests for the same
    /// question share.
    pub(super) fn answer(&self, question: Question) -> Answer {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.uses += 1;
        let uses = entries.uses;
        let entry = entries.answers.entry(question).or_default();
        entry.1 = uses;
        let answer = entry.0.clone();
        if entries.answers.len() > self.capacity.max(1) {
            let oldest = entries.answers.iter().min_by_key(|(_, (_, last))| *last);
            if let Some(oldest) = oldest.map(|(question, _)| question.clone()) {
                entries.answers.remove(&oldest);
            }
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(nodes: u64) -> Question {
        Question { variant: Variant::Classic, fen: "fen".to_owned(), earlier: Vec::new(), lines: 1, nodes }
    }

    fn analysis() -> Arc<Analysis> {
        let (variant, turn) = (Variant::Classic, quadrex_rules::Color::White);
        Arc::new(Analysis { variant, turn, depth: 1, nodes: 1, lines: Vec::new() })
    }

    #[test]
    fn the_least_recently_used_answer_is_evicted() {
        let cache = AnalysisCache::new(2);
        for nodes in [1, 2] {
            cache.answer(question(nodes)).set(analysis()).unwrap();
        }
        let has = |nodes| cache.answer(question(nodes)).get().is_some();
        assert!(has(1));
        assert!(!has(3), "nobody has answered it");
        assert!(has(1));
        assert!(!has(2), "it was evicted");
    }

    #[test]
    fn another_position_number_of_lines_or_effort_is_another_question() {
        let cache = AnalysisCache::new(10);
        cache.answer(question(1)).set(analysis()).unwrap();
        for other in [
            Question { variant: Variant::Dilkel, ..question(1) },
            Question { fen: "other".to_owned(), ..question(1) },
            Question { earlier: vec![1], ..question(1) },
            Question { lines: 2, ..question(1) },
            question(2),
        ] {
            assert!(cache.answer(other.clone()).get().is_none(), "{other:?}");
        }
        assert!(cache.answer(question(1)).get().is_some());
    }
}
