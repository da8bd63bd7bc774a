//! Conformance tests of concurrent appends to different matches, which share commits.

use futures_util::future::join_all;
use quadrex_protocol::http::Uses;
use quadrex_protocol::{Event, MatchId};
use quadrex_rules::{Color, Reason};
use quadrex_store::{Append, AppendError, Author, Epoch, Link, LinkPurpose, NextMatch, SecretHash, Store};

use crate::test_store::{
    NOW, TestStore, TestTable, after, assert_duplicate, assert_fenced, assert_link_used, command_id, holder,
    moved, numbers, opened, seated, started,
};

/// Starts all appends at the same time.
async fn append_concurrently(store: &Store, appends: &[Append]) -> Vec<Result<u64, AppendError>> {
    join_all(appends.iter().map(|append| store.append(append))).await
}

/// Hundreds of owners append to their matches, each as soon as its previous append is done.
pub(crate) async fn concurrent_appends_to_many_matches_are_durable_and_in_order(test: TestStore) {
    const APPENDS: usize = 6;
    let test_tables = test.tables(300).await;
    let owners = test_tables.iter().cloned().enumerate().map(|(number, mut test_table)| {
        let store = test.store.clone();
        tokio::spawn(async move {
            for turn in 0..APPENDS {
                // Some appends have several events, and one has more events than fit into a
                // statement.
                let count = if (number, turn) == (7, 3) { 1_500 } else { 1 + (number + turn) % 3 };
                let command = test_table.command(&test_table.host, &format!("m-{turn}"));
                let head = store.append(&Append { events: vec![moved(); count], ..command }).await.unwrap();
                assert_eq!(head, test_table.head + count as u64);
                test_table.head = head;
            }
            test_table
        })
    });
    let owners: Vec<_> = owners.collect();

    let mut heads = Vec::new();
    for owner in owners {
        heads.push(owner.await.unwrap().head);
    }
    // Another connection sees only durable data.
    let again = Store::connect(&test.location, 2).await.unwrap();
    for (test_table, head) in test_tables.iter().zip(heads) {
        let log = again.events(test_table.match_id, 0).await.unwrap();
        assert!(log.iter().map(|logged| logged.seq).eq(1..=head));
        assert!(log.iter().all(|logged| logged.epoch == Epoch::FIRST));
        let commands: Vec<_> = log.iter().filter_map(|logged| logged.command_id.clone()).collect();
        assert_eq!(commands, (0..APPENDS).map(|turn| command_id(&format!("m-{turn}"))).collect::<Vec<_>>());
        assert_eq!(again.table(test_table.table).await.unwrap().unwrap().head_seq, head);
    }
}

pub(crate) async fn a_fenced_append_in_a_group_is_refused_alone(test: TestStore) {
    let test_tables = test.tables(100).await;
    let mut appends: Vec<_> =
        test_tables.iter().map(|test_table| test_table.command(&test_table.host, "m")).collect();
    let is_wrong = |number: usize| number % 10 == 3;
    for (number, append) in appends.iter_mut().enumerate().filter(|(number, _)| is_wrong(*number)) {
        match number {
            13 => append.head_seq = 1,
            23 => append.head_seq = 3,
            33 => append.match_id = MatchId(test.entropy.uuid(NOW)),
            43 => append.epoch = Epoch(2),
            _ => drop(test.store.claim(append.match_id).await.unwrap().unwrap()),
        }
    }
    let outcomes = append_concurrently(&test.store, &appends).await;
    for (number, (test_table, outcome)) in test_tables.iter().zip(outcomes).enumerate() {
        let log = numbers(&test.store, test_table.match_id).await;
        if is_wrong(number) {
            assert_fenced(outcome);
            assert_eq!(log, [1, 2], "match {number}");
        } else {
            assert_eq!(outcome.unwrap(), 3);
            assert_eq!(log, [1, 2, 3], "match {number}");
        }
    }
}

pub(crate) async fn a_repeated_command_in_a_group_gets_its_first_answer(test: TestStore) {
    let mut test_tables = test.tables(60).await;
    let first: Vec<_> =
        test_tables.iter().map(|test_table| test_table.command(&test_table.host, "m-1")).collect();
    for (test_table, outcome) in test_tables.iter_mut().zip(append_concurrently(&test.store, &first).await) {
        test_table.head = outcome.unwrap();
    }
    let is_again = |number: usize| number % 7 == 2;
    let command = |(number, test_table): (usize, &TestTable)| {
        test_table.command(&test_table.host, if is_again(number) { "m-1" } else { "m-2" })
    };
    let appends: Vec<_> = test_tables.iter().enumerate().map(command).collect();
    let outcomes = append_concurrently(&test.store, &appends).await;
    for (number, outcome) in outcomes.into_iter().enumerate() {
        if is_again(number) {
            assert_duplicate(outcome, 3);
        } else {
            assert_eq!(outcome.unwrap(), 4);
        }
    }
    // The refused appends did not change the heads.
    let refused = test_tables.iter().enumerate().filter(|(number, _)| is_again(*number));
    let appends: Vec<_> =
        refused.map(|(_, test_table)| test_table.command(&test_table.host, "m-2")).collect();
    assert!(
        append_concurrently(&test.store, &appends).await.into_iter().all(|outcome| outcome.unwrap() == 4)
    );
}

/// If one row violates a constraint, the whole statement fails, but the appends of other matches
/// still succeed.
pub(crate) async fn an_append_in_a_group_that_violates_a_constraint_fails_alone(test: TestStore) {
    let test_tables = test.tables(40).await;
    let nobody = test.stranger("Swift Heron");
    let by = |number: usize, test_table: &TestTable| {
        if number == 17 { nobody.clone() } else { test_table.host.clone() }
    };
    let appends: Vec<_> = test_tables
        .iter()
        .enumerate()
        .map(|(number, test_table)| test_table.command(&by(number, test_table), "m"))
        .collect();
    for (number, outcome) in append_concurrently(&test.store, &appends).await.into_iter().enumerate() {
        if number == 17 {
            assert!(matches!(outcome, Err(AppendError::Fault(_))), "{outcome:?}");
        } else {
            assert_eq!(outcome.unwrap(), 3, "match {number}");
        }
    }
    assert_eq!(numbers(&test.store, test_tables[17].match_id).await, [1, 2]);
    assert_eq!(test.store.append(&test_tables[17].append(vec![moved()])).await.unwrap(), 3);
}

pub(crate) async fn of_two_appends_at_one_head_in_a_group_one_is_fenced(test: TestStore) {
    let test_tables = test.tables(40).await;
    let pairs = test_tables
        .iter()
        .flat_map(|test_table| ["m-1", "m-2"].map(|name| test_table.command(&test_table.host, name)));
    let outcomes = append_concurrently(&test.store, &pairs.collect::<Vec<_>>()).await;
    let mut outcomes = outcomes.into_iter();
    while let (Some(first), Some(second)) = (outcomes.next(), outcomes.next()) {
        assert_eq!(first.unwrap(), 3, "the first append succeeds");
        assert_fenced(second);
    }
    for test_table in &test_tables {
        let log = test.store.events(test_table.match_id, 2).await.unwrap();
        assert_eq!(
            log.into_iter().map(|logged| logged.command_id.unwrap()).collect::<Vec<_>>(),
            [command_id("m-1")]
        );
    }
}

pub(crate) async fn compound_appends_in_a_group_are_atomic(test: TestStore) {
    let test_tables = test.tables(30).await;
    let guest = test.user("Swift Heron").await;
    let secret = test.secret();
    let purpose = LinkPurpose::Invite { seat: None, uses: Uses::Single };
    let link = Link {
        secret,
        table: test_tables[5].table,
        purpose,
        created_at: NOW,
        expires_at: after(9),
        used_by: None,
    };
    test.store.add_link(&link, 100).await.unwrap();

    let mut appends: Vec<_> =
        test_tables.iter().map(|test_table| test_table.command(&test_table.host, "m")).collect();
    appends[5] = test_tables[5].redeem(&guest, "sit", secret);
    appends[6] = test_tables[6].redeem(&guest, "sit", SecretHash([9; 32]));
    appends[7] = rematch(&test_tables[7], MatchId(test.entropy.uuid(NOW)));
    appends[8] = rematch(&test_tables[8], test_tables[9].match_id);
    let outcomes = append_concurrently(&test.store, &appends).await;
    for (number, outcome) in outcomes.into_iter().enumerate() {
        match number {
            6 => assert_link_used(outcome),
            7 => assert_eq!(outcome.unwrap(), 5),
            8 => assert!(matches!(outcome, Err(AppendError::Fault(_))), "{outcome:?}"),
            _ => assert_eq!(outcome.unwrap(), 3, "match {number}"),
        }
    }
    assert_eq!(test.store.link(secret).await.unwrap().unwrap().used_by, Some(guest.id));
    let row = test.store.table(test_tables[7].table).await.unwrap().unwrap();
    assert_eq!((row.match_id, row.head_seq), (appends[7].next.as_ref().unwrap().match_id, 3));
    for refused in [6, 8] {
        assert_eq!(numbers(&test.store, test_tables[refused].match_id).await, [1, 2]);
    }
}

/// Returns an append that ends a match and starts the next one.
fn rematch(test_table: &TestTable, next: MatchId) -> Append {
    let host = &test_table.host;
    let events = vec![opened(host), seated(Color::Blue, host), started(Color::Red)];
    let holders = vec![holder(host, true)];
    let ended = Event::Ended { reason: Reason::Agreement, places: [(Color::Red, 1)].into() };
    let last = Event::Rematched { match_id: next };
    let by = Author { user: host.id, command_id: command_id("again"), redeem: None };
    let append = test_table.append(vec![started(Color::Red), ended, last]);
    Append { by: Some(by), next: Some(NextMatch { match_id: next, events, holders }), ..append }
}
