//! Promises about appends of different matches at the same time, which share commits.

use futures_util::future::join_all;
use quadrex_protocol::http::Uses;
use quadrex_protocol::{Event, MatchId};
use quadrex_rules::{Color, Reason};
use quadrex_store::{Append, AppendError, Author, Epoch, Link, LinkPurpose, NextMatch, SecretHash, Store};

use crate::test_store::{
    NOW, TestStore, TestTable, after, assert_duplicate, assert_fenced, assert_link_used, command_id, moved,
    numbers, opened, seated, started,
};

/// Has all of them appended at once.
async fn at_once(store: &Store, appends: &[Append]) -> Vec<Result<u64, AppendError>> {
    join_all(appends.iter().map(|append| store.append(append))).await
}

/// Hundreds of owners, each with a match of its own, append as fast as they are answered.
pub(crate) async fn appends_of_many_matches_at_once_are_all_durable_and_in_order(test: TestStore) {
    const APPENDS: usize = 6;
    let places = test.tables(300).await;
    let owners = places.iter().cloned().enumerate().map(|(number, mut place)| {
        let store = test.store.clone();
        tokio::spawn(async move {
            for turn in 0..APPENDS {
                // Some bring several events, and one more than a statement has room for.
                let count = if (number, turn) == (7, 3) { 1_500 } else { 1 + (number + turn) % 3 };
                let command = place.command(&place.host, &format!("m-{turn}"));
                let head = store.append(&Append { events: vec![moved(); count], ..command }).await.unwrap();
                assert_eq!(head, place.head + count as u64);
                place.head = head;
            }
            place
        })
    });
    let owners: Vec<_> = owners.collect();

    let mut heads = Vec::new();
    for owner in owners {
        heads.push(owner.await.unwrap().head);
    }
    // Another connection sees what is durable and nothing else.
    let again = Store::connect(&test.location, 2).await.unwrap();
    for (place, head) in places.iter().zip(heads) {
        let log = again.events(place.match_id, 0).await.unwrap();
        assert!(log.iter().map(|logged| logged.seq).eq(1..=head));
        assert!(log.iter().all(|logged| logged.epoch == Epoch::FIRST));
        let commands: Vec<_> = log.iter().filter_map(|logged| logged.command_id.clone()).collect();
        assert_eq!(commands, (0..APPENDS).map(|turn| command_id(&format!("m-{turn}"))).collect::<Vec<_>>());
        assert_eq!(again.table(place.table).await.unwrap().unwrap().head_seq, head);
    }
}

pub(crate) async fn a_fenced_append_among_many_is_refused_alone(test: TestStore) {
    let places = test.tables(100).await;
    let mut appends: Vec<_> = places.iter().map(|place| place.command(&place.host, "m")).collect();
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
    let outcomes = at_once(&test.store, &appends).await;
    for (number, (place, outcome)) in places.iter().zip(outcomes).enumerate() {
        let log = numbers(&test.store, place.match_id).await;
        if is_wrong(number) {
            assert_fenced(outcome);
            assert_eq!(log, [1, 2], "match {number}");
        } else {
            assert_eq!(outcome.unwrap(), 3);
            assert_eq!(log, [1, 2, 3], "match {number}");
        }
    }
}

pub(crate) async fn a_command_sent_twice_among_many_gets_its_first_answer_alone(test: TestStore) {
    let mut places = test.tables(60).await;
    let first: Vec<_> = places.iter().map(|place| place.command(&place.host, "m-1")).collect();
    for (place, outcome) in places.iter_mut().zip(at_once(&test.store, &first).await) {
        place.head = outcome.unwrap();
    }
    let is_again = |number: usize| number % 7 == 2;
    let command = |(number, place): (usize, &TestTable)| {
        place.command(&place.host, if is_again(number) { "m-1" } else { "m-2" })
    };
    let appends: Vec<_> = places.iter().enumerate().map(command).collect();
    let outcomes = at_once(&test.store, &appends).await;
    for (number, outcome) in outcomes.into_iter().enumerate() {
        if is_again(number) {
            assert_duplicate(outcome, 3);
        } else {
            assert_eq!(outcome.unwrap(), 4);
        }
    }
    // The refused ones left their heads where they were.
    let refused = places.iter().enumerate().filter(|(number, _)| is_again(*number));
    let appends: Vec<_> = refused.map(|(_, place)| place.command(&place.host, "m-2")).collect();
    assert!(at_once(&test.store, &appends).await.into_iter().all(|outcome| outcome.unwrap() == 4));
}

/// A constraint that is broken by one row ends the statement of all; the others go through all the same.
pub(crate) async fn what_the_database_refuses_among_many_is_refused_alone(test: TestStore) {
    let places = test.tables(40).await;
    let nobody = test.stranger("Swift Heron");
    let by =
        |number: usize, place: &TestTable| if number == 17 { nobody.clone() } else { place.host.clone() };
    let appends: Vec<_> =
        places.iter().enumerate().map(|(number, place)| place.command(&by(number, place), "m")).collect();
    for (number, outcome) in at_once(&test.store, &appends).await.into_iter().enumerate() {
        if number == 17 {
            assert!(matches!(outcome, Err(AppendError::Fault(_))), "{outcome:?}");
        } else {
            assert_eq!(outcome.unwrap(), 3, "match {number}");
        }
    }
    assert_eq!(numbers(&test.store, places[17].match_id).await, [1, 2]);
    assert_eq!(test.store.append(&places[17].append(vec![moved()])).await.unwrap(), 3);
}

pub(crate) async fn of_two_at_one_head_among_many_one_is_fenced(test: TestStore) {
    let places = test.tables(40).await;
    let pairs = places.iter().flat_map(|place| ["m-1", "m-2"].map(|name| place.command(&place.host, name)));
    let outcomes = at_once(&test.store, &pairs.collect::<Vec<_>>()).await;
    let mut outcomes = outcomes.into_iter();
    while let (Some(first), Some(second)) = (outcomes.next(), outcomes.next()) {
        assert_eq!(first.unwrap(), 3, "who came first");
        assert_fenced(second);
    }
    for place in &places {
        let log = test.store.events(place.match_id, 2).await.unwrap();
        assert_eq!(
            log.into_iter().map(|logged| logged.command_id.unwrap()).collect::<Vec<_>>(),
            [command_id("m-1")]
        );
    }
}

pub(crate) async fn seats_by_invite_and_rematches_among_many_are_whole_or_not_at_all(test: TestStore) {
    let places = test.tables(30).await;
    let guest = test.user("Swift Heron").await;
    let secret = test.secret();
    let purpose = LinkPurpose::Invite { seat: None, uses: Uses::Single };
    let link = Link {
        secret,
        table: places[5].table,
        purpose,
        created_at: NOW,
        expires_at: after(9),
        used_by: None,
    };
    test.store.add_link(&link, 100).await.unwrap();

    let mut appends: Vec<_> = places.iter().map(|place| place.command(&place.host, "m")).collect();
    appends[5] = places[5].redeem(&guest, "sit", secret);
    appends[6] = places[6].redeem(&guest, "sit", SecretHash([9; 32]));
    appends[7] = rematch(&places[7], MatchId(test.entropy.uuid(NOW)));
    appends[8] = rematch(&places[8], places[9].match_id);
    let outcomes = at_once(&test.store, &appends).await;
    for (number, outcome) in outcomes.into_iter().enumerate() {
        match number {
            6 => assert_link_used(outcome),
            7 => assert_eq!(outcome.unwrap(), 5),
            8 => assert!(matches!(outcome, Err(AppendError::Fault(_))), "{outcome:?}"),
            _ => assert_eq!(outcome.unwrap(), 3, "match {number}"),
        }
    }
    assert_eq!(test.store.link(secret).await.unwrap().unwrap().used_by, Some(guest.id));
    let row = test.store.table(places[7].table).await.unwrap().unwrap();
    assert_eq!((row.match_id, row.head_seq), (appends[7].next.as_ref().unwrap().match_id, 3));
    for refused in [6, 8] {
        assert_eq!(numbers(&test.store, places[refused].match_id).await, [1, 2]);
    }
}

/// The end of a match, with the one that follows.
fn rematch(place: &TestTable, next: MatchId) -> Append {
    let host = &place.host;
    let events = vec![opened(host), seated(Color::Blue, host), started(Color::Red)];
    let ended = Event::Ended { reason: Reason::Agreement, places: [(Color::Red, 1)].into() };
    let last = Event::Rematched { match_id: next };
    let by = Author { user: host.id, command_id: command_id("again"), redeem: None };
    let append = place.append(vec![started(Color::Red), ended, last]);
    Append { by: Some(by), next: Some(NextMatch { match_id: next, events }), ..append }
}
