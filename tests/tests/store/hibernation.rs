//! Conformance tests of hibernating matches and of outages.

use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_store::{Epoch, Hibernation, ListedHibernation, NodeId, StoredOutage};
use uuid::Uuid;

use crate::test_store::{NOW, TestStore, TestTable, after, moved, started};

pub(crate) fn hibernation(table: &TestTable, wake_at: Option<u64>) -> Hibernation {
    Hibernation {
        match_id: table.match_id,
        epoch: table.epoch,
        head_seq: table.head,
        at: after(10),
        wake_at: wake_at.map(after),
        listed_players: None,
    }
}

/// Creates a table whose match runs.
pub(crate) async fn running(test: &TestStore) -> TestTable {
    let mut table = test.table().await;
    table.head = test.store.append(&table.append(vec![started(quadrex_rules::Color::Red)])).await.unwrap();
    table
}

async fn awake(test: &TestStore) -> Vec<MatchId> {
    let mut matches: Vec<_> = test.store.awake().await.unwrap().iter().map(|row| row.match_id).collect();
    matches.sort();
    matches
}

pub(crate) async fn a_match_hibernates_until_it_is_claimed(test: TestStore) {
    let store = &test.store;
    let (mut table, open) = (running(&test).await, test.table().await);
    let mut both = [table.match_id, open.match_id];
    both.sort();
    assert_eq!(awake(&test).await, both);
    for wrong in [
        Hibernation { epoch: Epoch(2), ..hibernation(&table, None) },
        Hibernation { head_seq: table.head - 1, ..hibernation(&table, None) },
        hibernation(&open, None),
    ] {
        assert!(!store.hibernate(&wrong).await.unwrap(), "{wrong:?}");
    }
    assert_eq!(awake(&test).await, both);

    assert!(store.hibernate(&hibernation(&table, Some(500))).await.unwrap());
    assert!(store.is_hibernating(table.match_id).await.unwrap());
    assert!(!store.is_hibernating(open.match_id).await.unwrap());
    assert_eq!(awake(&test).await, [open.match_id]);
    assert_eq!(store.unfinished().await.unwrap().len(), 2, "it is unfinished all the same");
    let due = async |until| store.due_hibernations(after(until), None, 10).await.unwrap();
    assert_eq!(due(499).await, []);
    assert_eq!(due(500).await, [(table.table, table.match_id)]);

    // Any claim ends the hibernation, also by a program that does not know its columns.
    table.epoch = store.claim(table.match_id).await.unwrap().unwrap();
    assert!(!store.is_hibernating(table.match_id).await.unwrap());
    assert_eq!((awake(&test).await, due(9_999).await), (both.to_vec(), vec![]));
    table.head = store.append(&table.append(vec![moved()])).await.unwrap();
    assert!(store.hibernate(&hibernation(&table, None)).await.unwrap(), "it may hibernate again");
    assert_eq!(due(9_999).await, [], "it has no deadline any more");
}

pub(crate) async fn due_and_listed_hibernations_are_those_of_an_owner(test: TestStore) {
    let owners = [1, 2].map(|number| NodeId(Uuid::from_u128(number)));
    let mut tables = Vec::new();
    for (number, owner) in owners.into_iter().cycle().take(6).enumerate() {
        let test = TestStore { store: test.store.clone().owned_by(owner), ..test.clone() };
        let table = running(&test).await;
        let listed_players = (number > 1).then_some(number as u16);
        let hibernation = Hibernation { listed_players, ..hibernation(&table, Some(100 - number as u64)) };
        assert!(test.store.hibernate(&hibernation).await.unwrap());
        tables.push(table);
    }
    let due = async |owner, limit| {
        let due = test.store.due_hibernations(after(100), owner, limit).await.unwrap();
        let place = |match_id| tables.iter().position(|table| table.match_id == match_id).unwrap();
        due.into_iter().map(|(_, match_id)| place(match_id)).collect::<Vec<_>>()
    };
    assert_eq!(due(None, 10).await, [5, 4, 3, 2, 1, 0], "the earliest first");
    assert_eq!(due(None, 2).await, [5, 4]);
    assert_eq!(due(Some(owners[1]), 10).await, [5, 3, 1]);
    let listed = async |owner| {
        let mut listed = test.store.listed_hibernations(owner).await.unwrap();
        listed.sort_by_key(|listed| listed.players);
        listed
    };
    let entry = |place: usize| ListedHibernation { table: tables[place].table, players: place as u32 };
    assert_eq!(listed(None).await, [2, 3, 4, 5].map(entry));
    assert_eq!(listed(Some(owners[0])).await, [2, 4].map(entry));
    test.store.claim(tables[4].match_id).await.unwrap();
    assert_eq!(listed(Some(owners[0])).await, [2].map(entry));
}

/// The outages of a match are those since it began to hibernate, as long as it has had no event
/// since then, also after a claim.
pub(crate) async fn the_outages_since_a_hibernation_began_are_found(test: TestStore) {
    let outage = |back, alive: Option<u64>| StoredOutage {
        alive_at: alive.map(after),
        back_at: after(back),
        resumes_at: after(back + 3),
    };
    let node = NodeId(Uuid::from_u128(7));
    let store = test.store.clone().owned_by(node);
    let test = TestStore { store: store.clone(), ..test };
    let table = running(&test).await;
    let outages = |last_event_at| store.outages_of(table.match_id, last_event_at, Duration::ZERO);
    store.add_outage(&outage(10, Some(5)), None).await.unwrap();
    assert_eq!(outages(NOW).await.unwrap(), [], "it has never hibernated");
    assert!(store.hibernate(&hibernation(&table, None)).await.unwrap());
    assert_eq!(outages(NOW).await.unwrap(), [], "that was before");
    let (first, own, last) = (outage(20, Some(15)), outage(30, None), outage(40, Some(31)));
    store.add_outage(&last, None).await.unwrap();
    store.add_outage(&first, None).await.unwrap();
    store.add_outage(&own, Some(node)).await.unwrap();
    store.add_outage(&outage(35, None), Some(NodeId(Uuid::from_u128(8)))).await.unwrap();
    assert_eq!(outages(NOW).await.unwrap(), [first, own, last]);
    store.claim(table.match_id).await.unwrap();
    assert_eq!(outages(after(10)).await.unwrap(), [first, own, last]);
    assert_eq!(outages(after(20)).await.unwrap(), [], "an event has recorded one");
}
