//! Analyses that were made, or are being made, and may be asked for again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_protocol::analysis::Analysis;
use quadrex_rules::Variant;
use tokio::sync::OnceCell;

/// What an analysis is of, and how closely it looks. Equal questions have the same answer.
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

/// An answer, or the place where it will stand.
pub(super) type Answer = Arc<OnceCell<Arc<Analysis>>>;

/// Keeps so many answers: those asked for longest ago go first.
#[derive(Debug)]
pub(super) struct AnalysisCache {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    answers: HashMap<Question, (Answer, u64)>,
    asked: u64,
}

impl AnalysisCache {
    pub(super) fn new(most: usize) -> Self {
        Self { most, kept: Mutex::default() }
    }

    /// The answer to a question, or an empty place for it: all who ask the same meanwhile get the same one.
    pub(super) fn answer(&self, question: Question) -> Answer {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.asked += 1;
        let asked = kept.asked;
        let entry = kept.answers.entry(question).or_default();
        entry.1 = asked;
        let answer = entry.0.clone();
        if kept.answers.len() > self.most.max(1) {
            let oldest = kept.answers.iter().min_by_key(|(_, (_, last))| *last);
            if let Some(oldest) = oldest.map(|(question, _)| question.clone()) {
                kept.answers.remove(&oldest);
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
    fn what_was_asked_for_longest_ago_makes_room() {
        let shelf = AnalysisCache::new(2);
        for nodes in [1, 2] {
            shelf.answer(question(nodes)).set(analysis()).unwrap();
        }
        let has = |nodes| shelf.answer(question(nodes)).get().is_some();
        assert!(has(1));
        assert!(!has(3), "nobody has answered it");
        assert!(has(1));
        assert!(!has(2), "it made room");
    }

    #[test]
    fn another_position_number_of_lines_or_effort_is_another_question() {
        let shelf = AnalysisCache::new(10);
        shelf.answer(question(1)).set(analysis()).unwrap();
        for other in [
            Question { variant: Variant::Dilkel, ..question(1) },
            Question { fen: "other".to_owned(), ..question(1) },
            Question { earlier: vec![1], ..question(1) },
            Question { lines: 2, ..question(1) },
            question(2),
        ] {
            assert!(shelf.answer(other.clone()).get().is_none(), "{other:?}");
        }
        assert!(shelf.answer(question(1)).get().is_some());
    }
}
