//! Conformance tests of table requests with a command id.

use quadrex_store::{NewTable, RequestedTable, TableRequest};

use crate::test_store::{NOW, TestStore, after, command_id};

/// A day, after which a request is removed.
const DAY_MS: u64 = 86_400_000;

fn request(name: &str, hash: u8) -> TableRequest {
    TableRequest { command_id: command_id(name), hash: [hash; 32] }
}

fn made(new: &NewTable, hash: u8) -> RequestedTable {
    RequestedTable { table: new.table, match_id: new.match_id, hash: [hash; 32] }
}

pub(crate) async fn a_repeated_request_returns_its_table(test: TestStore) {
    let (ann, ben) = (test.user("Quiet Otter").await, test.user("Bold Wren").await);
    let store = &test.store;
    let first = test.new_table(&ann, NOW);
    assert_eq!(store.requested_table(ann.id, &command_id("c"), NOW).await.unwrap(), None);
    assert_eq!(store.open_table_once(&first, &request("c", 1)).await.unwrap(), None);
    for hash in [1, 2] {
        let again = test.new_table(&ann, after(5));
        let answer = store.open_table_once(&again, &request("c", hash)).await.unwrap();
        assert_eq!(answer, Some(made(&first, 1)), "the answer contains the request");
        assert_eq!(store.table(again.table).await.unwrap(), None);
    }
    let of_ben = test.new_table(&ben, NOW);
    assert_eq!(store.open_table_once(&of_ben, &request("c", 1)).await.unwrap(), None, "another user's");
    assert_eq!(store.requested_table(ann.id, &command_id("c"), NOW).await.unwrap(), Some(made(&first, 1)));
    assert_eq!(store.requested_table(ann.id, &command_id("d"), NOW).await.unwrap(), None);
    assert_eq!(store.unfinished().await.unwrap().len(), 2);
}

pub(crate) async fn a_request_is_removed_after_a_day(test: TestStore) {
    let host = test.user("Quiet Otter").await;
    let store = &test.store;
    let first = test.new_table(&host, NOW);
    store.open_table_once(&first, &request("c", 1)).await.unwrap();
    let known = async |at| store.requested_table(host.id, &command_id("c"), after(at)).await.unwrap();
    assert_eq!(known(DAY_MS - 1).await, Some(made(&first, 1)));
    assert_eq!(known(DAY_MS).await, None);
    let later = test.new_table(&host, after(DAY_MS));
    assert_eq!(store.open_table_once(&later, &request("c", 2)).await.unwrap(), None, "it is gone");
    assert_eq!(known(DAY_MS).await, Some(made(&later, 2)));
    assert!(store.table(first.table).await.unwrap().is_some(), "the table is not");
}

/// A table that cannot be created leaves no request behind.
pub(crate) async fn a_failed_request_is_not_stored(test: TestStore) {
    let test_table = test.table().await;
    let taken = NewTable { match_id: test_table.match_id, ..test.new_table(&test_table.host, NOW) };
    assert!(test.store.open_table_once(&taken, &request("c", 1)).await.is_err());
    assert_eq!(test.store.requested_table(test_table.host.id, &command_id("c"), NOW).await.unwrap(), None);
    let new = test.new_table(&test_table.host, NOW);
    assert_eq!(test.store.open_table_once(&new, &request("c", 1)).await.unwrap(), None);
}

pub(crate) async fn concurrent_equal_requests_create_one_table(test: TestStore) {
    const TIMES: usize = 12;
    let host = test.user("Quiet Otter").await;
    let tasks: Vec<_> = (0..TIMES)
        .map(|_| {
            let (test, new) = (test.clone(), test.new_table(&host, NOW));
            tokio::spawn(async move {
                let before = test.store.open_table_once(&new, &request("c", 1)).await.unwrap();
                (before.is_none(), before.unwrap_or(made(&new, 1)))
            })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    assert_eq!(answers.iter().filter(|(is_new, _)| *is_new).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|(_, made)| *made == answers[0].1), "{answers:?}");
    assert_eq!(test.store.unfinished().await.unwrap().len(), 1);
}
