//! Conformance tests of conditional moves.

use quadrex_protocol::conditional::{ConditionalLine, ConditionalStep};
use quadrex_rules::Color;
use quadrex_store::{Epoch, StoredConditionalMoves};

use crate::test_store::{TestStore, TestTable};

fn line(color: Color, mv: &str) -> ConditionalLine {
    vec![ConditionalStep { color, mv: Some(mv.parse().unwrap()) }]
}

fn moves(table: &TestTable, after: u64, lines: Vec<ConditionalLine>) -> StoredConditionalMoves {
    StoredConditionalMoves { match_id: table.match_id, color: Color::Red, user: table.host.id, after, lines }
}

pub(crate) async fn conditional_moves_are_stored_only_by_the_owner_at_the_head(test: TestStore) {
    let (table, other) = (test.table().await, test.table().await);
    let store = &test.store;
    let stored = async || store.conditional_moves(table.match_id).await.unwrap();
    let new = moves(&table, table.head, vec![line(Color::Red, "h2h4")]);
    let earlier = moves(&table, table.head - 1, new.lines.clone());
    assert!(!store.set_conditional_moves(&earlier, table.epoch).await.unwrap(), "the log is longer");
    let later = moves(&table, table.head + 1, new.lines.clone());
    assert!(!store.set_conditional_moves(&later, table.epoch).await.unwrap(), "the log is shorter");
    let next_epoch = Epoch(table.epoch.0 + 1);
    assert!(!store.set_conditional_moves(&new, next_epoch).await.unwrap(), "another process owns the log");
    assert!(stored().await.is_empty());
    assert!(store.set_conditional_moves(&new, table.epoch).await.unwrap());
    assert_eq!(stored().await, std::slice::from_ref(&new));
    let replaced = moves(&table, table.head, vec![line(Color::Red, "h2h3"), line(Color::Red, "i2i3")]);
    assert!(store.set_conditional_moves(&replaced, table.epoch).await.unwrap());
    assert_eq!(stored().await, std::slice::from_ref(&replaced));

    // Each user and each match has its own.
    let of_other = moves(&other, other.head, new.lines.clone());
    assert!(store.set_conditional_moves(&of_other, other.epoch).await.unwrap());
    assert_eq!(stored().await, std::slice::from_ref(&replaced));
    assert_eq!(store.conditional_moves_of(table.host.id).await.unwrap(), [replaced]);
    assert_eq!(store.conditional_moves_of(other.host.id).await.unwrap(), [of_other]);
}

pub(crate) async fn lines_are_dropped_only_from_the_moves_that_were_read(test: TestStore) {
    let table = test.table().await;
    let store = &test.store;
    let stored = async || store.conditional_moves(table.match_id).await.unwrap();
    let new = moves(&table, table.head, vec![line(Color::Red, "h2h4"), line(Color::Red, "h2h3")]);
    assert!(store.set_conditional_moves(&new, table.epoch).await.unwrap());
    store.keep_conditional_lines(&moves(&table, table.head - 1, Vec::new())).await.unwrap();
    assert_eq!(stored().await, std::slice::from_ref(&new), "other moves were stored meanwhile");
    let kept = moves(&table, table.head, vec![new.lines[1].clone()]);
    store.keep_conditional_lines(&kept).await.unwrap();
    assert_eq!(stored().await, std::slice::from_ref(&kept));
    store.keep_conditional_lines(&moves(&table, table.head, Vec::new())).await.unwrap();
    assert!(stored().await.is_empty());
    assert!(store.set_conditional_moves(&new, table.epoch).await.unwrap());
    assert!(store.set_conditional_moves(&moves(&table, 0, Vec::new()), table.epoch).await.unwrap());
    assert!(stored().await.is_empty(), "without lines, the moves are removed");
}
