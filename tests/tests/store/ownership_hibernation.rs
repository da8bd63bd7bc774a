//! Tests of the owners of hibernating matches in a cluster, on Postgres and on the database of
//! simulations.

use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_store::{
    ClaimedHibernation, ClaimedMatch, DEAD_AFTER, Epoch, Hibernation, Outcome, Statement, Store,
    StoredOutage, TableOwner,
};

use crate::hibernation::{hibernation, running};
use crate::ownership::{ClusterDatabase, TestNode, cluster_tests, millis};
use crate::test_store::{NOW, TestStore, TestTable, after};

cluster_tests![
    a_hibernating_match_of_a_dead_node_continues_to_hibernate,
    hibernating_matches_are_released_and_claimed,
    a_server_without_a_cluster_leaves_its_hibernating_matches_to_a_node,
    the_clock_of_a_server_without_a_cluster_may_be_ahead,
];

/// The grace period after a time without an owner.
const GRACE: Duration = Duration::from_millis(500);

/// Creates a match of a node that hibernates. Two people are at the table, which the lobby lists.
async fn hibernating(test: &TestStore, node: &TestNode) -> TestTable {
    let test = TestStore { store: test.store.clone().owned_by(node.id), ..test.clone() };
    let table = running(&test).await;
    let begin = Hibernation { at: NOW, listed_players: Some(2), ..hibernation(&table, Some(9_000_000)) };
    assert!(test.store.hibernate(&begin).await.unwrap());
    table
}

async fn claim(node: &TestNode, match_id: MatchId) -> (Vec<ClaimedMatch>, Vec<ClaimedHibernation>) {
    match node.execute(Statement::Claim { node: node.id, matches: vec![match_id] }).await {
        Outcome::Claimed { claimed, hibernating, .. } => (claimed, hibernating),
        other => panic!("{other:?}"),
    }
}

async fn outages(store: &Store, table: &TestTable) -> Vec<StoredOutage> {
    store.outages_of(table.match_id, NOW, GRACE).await.unwrap()
}

fn gap(from: u64, until: u64) -> StoredOutage {
    StoredOutage { alive_at: Some(after(from)), back_at: after(until), resumes_at: after(until) + GRACE }
}

/// A hibernating match of a dead node continues to hibernate at its next owner. The time without an
/// owner is not charged to the players.
async fn a_hibernating_match_of_a_dead_node_continues_to_hibernate(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let (first, second) =
        (database.registered(1, &test.store).await, database.registered(2, &test.store).await);
    let table = hibernating(&test, &first).await;
    let match_id = table.match_id;
    assert_eq!(claim(&second, match_id).await, (vec![], vec![]), "its owner lives");

    first.session.reset();
    database.wait_for_end_of_session(first.id).await;
    database.set_time(millis(DEAD_AFTER));
    second.renew().await;
    assert_eq!(second.mark_dead().await, [1]);
    assert_eq!(second.unowned(false).await, [match_id]);
    let claimed = ClaimedHibernation { match_id, table: table.table, listed_players: Some(2) };
    assert_eq!(claim(&second, match_id).await, (vec![], vec![claimed]));
    assert_eq!(second.unowned(true).await, []);
    let owner = TableOwner { match_id, owner: Some(second.id), is_hibernating: true };
    assert_eq!(test.store.table_owner(table.table).await.unwrap(), Some(owner));
    assert_eq!(second.execute(Statement::Owned { node: second.id }).await, Outcome::Owned(vec![]));
    assert_eq!(outages(&test.store, &table).await, [gap(0, millis(DEAD_AFTER))]);
    let due = test.store.due_hibernations(after(9_000_000), Some(second.id), 10).await.unwrap();
    assert_eq!(due, [(table.table, match_id)], "its deadline is kept");

    let (claimed, hibernating) = claim(&second, match_id).await;
    assert_eq!(hibernating, [], "its owner has woken it");
    assert_eq!(claimed, [ClaimedMatch { match_id, epoch: Epoch(3), unowned_since: None }]);
    assert!(!test.store.is_hibernating(match_id).await.unwrap());
    assert_eq!(outages(&test.store, &table).await, [gap(0, millis(DEAD_AFTER))]);
    let again = Hibernation { epoch: Epoch(3), ..hibernation(&table, None) };
    assert!(test.store.hibernate(&again).await.unwrap());
    assert_eq!(outages(&test.store, &table).await, [], "they were before");
}

/// A node that stops releases its hibernating matches without an actor. Outages of an owner count
/// from its claim on.
async fn hibernating_matches_are_released_and_claimed(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let (first, second) =
        (database.registered(1, &test.store).await, database.registered(2, &test.store).await);
    let table = hibernating(&test, &first).await;
    let match_id = table.match_id;
    let other = hibernating(&test, &second).await;
    let stall = |at: u64| StoredOutage { alive_at: None, back_at: after(at), resumes_at: after(at + 1) };
    test.store.add_outage(&stall(20), Some(second.id)).await.unwrap();

    database.set_time(100);
    let release = |limit| Statement::ReleaseHibernating { node: first.id, limit };
    assert_eq!(first.execute(release(0)).await, Outcome::Released(vec![]));
    assert_eq!(first.execute(release(10)).await, Outcome::Released(vec![match_id]));
    assert_eq!(first.execute(release(10)).await, Outcome::Released(vec![]));
    assert!(test.store.is_hibernating(match_id).await.unwrap());
    database.set_time(300);
    let (claimed, hibernating) = claim(&second, match_id).await;
    assert_eq!((claimed, hibernating.len()), (vec![], 1));
    test.store.add_outage(&stall(400), Some(second.id)).await.unwrap();
    assert_eq!(outages(&test.store, &table).await, [gap(100, 300), stall(400)]);
    assert_eq!(outages(&test.store, &other).await, [stall(20), stall(400)]);
}

/// The last sign of life of a server without a cluster is its heartbeat.
async fn a_server_without_a_cluster_leaves_its_hibernating_matches_to_a_node(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let alone = database.node(9, &test.store);
    let table = hibernating(&test, &alone).await;
    test.store.record_heartbeat(after(50)).await.unwrap();
    database.set_time(80);
    let node = database.registered(1, &test.store).await;
    assert_eq!(node.unowned(false).await, []);
    assert_eq!(node.unowned(true).await, [table.match_id]);
    assert_eq!(claim(&node, table.match_id).await.1.len(), 1);
    assert_eq!(outages(&test.store, &table).await, [gap(50, 80)]);
    assert_eq!(test.store.last_heartbeat().await.unwrap(), Some(after(80)), "the node has renewed its row");
}

/// The heartbeat has the time of the server, and the claim that of the database.
async fn the_clock_of_a_server_without_a_cluster_may_be_ahead(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let table = hibernating(&test, &database.node(9, &test.store)).await;
    test.store.record_heartbeat(after(100)).await.unwrap();
    database.set_time(80);
    let node = database.registered(1, &test.store).await;
    assert_eq!(claim(&node, table.match_id).await.1.len(), 1);
    assert_eq!(outages(&test.store, &table).await, [], "the match was without an owner for no time");
}
