//! Conformance tests of the seat holders, which are stored with the log.

use futures_util::future::join_all;
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::{Color, Reason, Variant};
use quadrex_store::{Append, AppendError, Epoch, NextMatch, OwnMatch, SeatHolder, User};

use crate::test_store::{
    TestStore, TestTable, after, assert_duplicate, assert_fenced, assert_link_used, holder, moved, numbers,
    opened, seated, started,
};

/// Returns seat holders in the order in which the store returns them.
fn sorted<const N: usize>(mut holders: [SeatHolder; N]) -> Vec<SeatHolder> {
    holders.sort_by_key(|holder| holder.user);
    holders.into()
}

fn ended() -> Event {
    Event::Ended { reason: Reason::Agreement, places: [(Color::Red, 1)].into() }
}

/// Returns an append that also replaces the seat holders.
fn holding(test_table: &TestTable, events: Vec<Event>, holders: Vec<SeatHolder>) -> Append {
    Append { holders: Some(holders), ..test_table.append(events) }
}

pub(crate) async fn seat_holders_are_stored_with_the_events_that_change_them(test: TestStore) {
    let mut test_table = test.table().await;
    let (host, guest) = (test_table.host.clone(), test.user("Swift Heron").await);
    let variant = holder(&host, false).variant;
    let plays = async |user: &User| test.store.plays(user.id, variant).await.unwrap();
    assert_eq!(test.store.seat_holders(test_table.match_id).await.unwrap(), [holder(&host, false)]);

    let vacated = Event::Vacated { color: Color::Blue, reason: VacateReason::Left };
    let sit = || seated(Color::Blue, &guest);
    let steps = [
        (vec![sit()], sorted([holder(&host, false), holder(&guest, false)])),
        (vec![vacated], vec![holder(&host, false)]),
        (vec![sit(), started(Color::Red)], sorted([holder(&host, true), holder(&guest, true)])),
        (vec![moved()], sorted([holder(&host, true), holder(&guest, false)])),
    ];
    for (events, holders) in steps {
        // The order of the seat holders of an append has no meaning.
        let given = holders.iter().rev().copied().collect();
        test_table.head = test.store.append(&holding(&test_table, events, given)).await.unwrap();
        assert_eq!(test.store.seat_holders(test_table.match_id).await.unwrap(), holders);
        for user in [&host, &guest] {
            let is_playing = holders.iter().any(|holder| holder.user == user.id && holder.is_playing);
            assert_eq!(plays(user).await, is_playing, "{} in {holders:?}", user.name);
        }
    }
    assert!(variant != Variant::Classic && !test.store.plays(host.id, Variant::Classic).await.unwrap());
    test_table.head = test.store.append(&test_table.append(vec![moved(); 3])).await.unwrap();
    assert!(plays(&host).await, "a move changes nothing");

    test.store.append(&holding(&test_table, vec![ended()], Vec::new())).await.unwrap();
    assert_eq!(test.store.seat_holders(test_table.match_id).await.unwrap(), []);
    assert!(!plays(&host).await);
    assert_eq!(test.store.own_matches(host.id, None, 9).await.unwrap(), []);
}

/// The list contains the matches at which the user is seated or host, of the newest table first.
pub(crate) async fn own_matches_are_listed_in_pages(test: TestStore) {
    let (host, guest) = (test.user("Quiet Otter").await, test.user("Swift Heron").await);
    let mut own = Vec::new();
    for number in 0..5 {
        let new = test.new_table(&host, after(number));
        let head_seq = test.store.open_table(&new).await.unwrap();
        own.insert(0, OwnMatch { table: new.table, match_id: new.match_id, head_seq });
    }
    let list = async |user: &User, before: Option<TableId>, limit| {
        test.store.own_matches(user.id, before, limit).await.unwrap()
    };
    assert_eq!(list(&host, None, 9).await, own);
    assert_eq!(list(&host, None, 2).await, own[..2]);
    assert_eq!(list(&host, Some(own[1].table), 2).await, own[2..4]);
    assert_eq!(list(&host, Some(own[4].table), 2).await, []);
    assert_eq!(list(&guest, None, 9).await, []);

    let OwnMatch { table, match_id, head_seq: head } = own[1];
    let test_table = TestTable { table, match_id, host: host.clone(), epoch: Epoch::FIRST, head };
    let holders = vec![holder(&host, false), holder(&guest, false)];
    let head_seq =
        test.store.append(&holding(&test_table, vec![seated(Color::Blue, &guest)], holders)).await.unwrap();
    assert_eq!(list(&guest, None, 9).await, [OwnMatch { table, match_id, head_seq }]);
}

/// The next match at a table has its own seat holders from the first event on.
pub(crate) async fn a_rematch_has_seat_holders_from_its_start(test: TestStore) {
    let test_table = test.table().await;
    let host = &test_table.host;
    let events = vec![opened(host), seated(Color::Blue, host), started(Color::Red)];
    let match_id = MatchId(test.entropy.uuid(after(9)));
    let next = NextMatch { match_id, events, holders: vec![holder(host, true)] };
    let events = vec![started(Color::Red), ended(), Event::Rematched { match_id }];
    let append = Append { next: Some(next), ..holding(&test_table, events, Vec::new()) };
    test.store.append(&append).await.unwrap();
    assert_eq!(test.store.seat_holders(test_table.match_id).await.unwrap(), []);
    assert_eq!(test.store.seat_holders(match_id).await.unwrap(), [holder(host, true)]);
    assert!(test.store.plays(host.id, holder(host, true).variant).await.unwrap());
}

/// Appends that share a commit replace the seat holders of their own matches. Refused appends
/// change nothing.
pub(crate) async fn seat_holders_in_a_group_are_those_of_the_appends_that_succeeded(test: TestStore) {
    let guest = test.user("Swift Heron").await;
    let test_tables = test.tables(90).await;
    let append = |(number, test_table): (usize, &TestTable)| {
        let host = &test_table.host;
        let command = test_table.command(host, "m");
        let holders = match number % 4 {
            0 => None,
            1 => Some(vec![holder(host, true), holder(&guest, true)]),
            2 => Some(vec![holder(&guest, false)]),
            _ => Some(Vec::new()),
        };
        let head_seq = if number % 7 == 3 { 9 } else { command.head_seq };
        Append { holders, head_seq, ..command }
    };
    let appends: Vec<_> = test_tables.iter().enumerate().map(append).collect();
    let outcomes = join_all(appends.iter().map(|append| test.store.append(append))).await;
    for ((test_table, append), outcome) in test_tables.iter().zip(&appends).zip(outcomes) {
        let mut expected = vec![holder(&test_table.host, false)];
        match outcome {
            Ok(_) => expected = append.holders.clone().unwrap_or(expected),
            refused => assert_fenced(refused),
        }
        expected.sort_by_key(|holder| holder.user);
        assert_eq!(test.store.seat_holders(test_table.match_id).await.unwrap(), expected);
    }
}

pub(crate) async fn a_refused_append_changes_no_seat_holders(test: TestStore) {
    let mut test_table = test.table().await;
    let host = test_table.host.clone();
    test_table.head = test.store.append(&test_table.command(&host, "m-1")).await.unwrap();
    let none = |append| Append { holders: Some(Vec::new()), ..append };
    let ahead = TestTable { head: 9, ..test_table.clone() };
    assert_fenced(test.store.append(&none(ahead.append(vec![moved()]))).await);
    assert_duplicate(test.store.append(&none(test_table.command(&host, "m-1"))).await, 3);
    let secret = test.secret();
    assert_link_used(test.store.append(&none(test_table.redeem(&host, "m-2", secret))).await);
    assert_eq!(test.store.seat_holders(test_table.match_id).await.unwrap(), [holder(&host, false)]);

    // A holder that cannot be stored prevents the append.
    let stranger = test.stranger("Bold Wren");
    let impossible = holding(&test_table, vec![moved()], vec![holder(&stranger, true)]);
    assert!(matches!(test.store.append(&impossible).await, Err(AppendError::Fault(_))));
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2, 3]);
    assert_eq!(test.store.seat_holders(test_table.match_id).await.unwrap(), [holder(&host, false)]);
}

/// Without the table of the seat holders moves are still stored, alone and in groups, so no
/// statement of a move uses it. An append that changes the seat holders is not stored.
pub(crate) async fn a_move_does_not_use_the_seat_holders(test: TestStore) {
    let mut test_tables = test.tables(30).await;
    test.run("drop table seat_holders").await;
    for round in 0..2 {
        let appends: Vec<_> = test_tables
            .iter()
            .map(|test_table| test_table.command(&test_table.host, &format!("m-{round}")))
            .collect();
        let outcomes = join_all(appends.iter().map(|append| test.store.append(append))).await;
        for (test_table, outcome) in test_tables.iter_mut().zip(outcomes) {
            test_table.head = outcome.unwrap();
        }
    }
    let last = &mut test_tables[0];
    last.head = test.store.append(&last.command(&last.host, "alone")).await.unwrap();
    let end = holding(last, vec![ended()], Vec::new());
    assert!(matches!(test.store.append(&end).await, Err(AppendError::Fault(_))));
    assert_eq!(numbers(&test.store, last.match_id).await, [1, 2, 3, 4, 5]);
}

/// A server that does not know the table of the seat holders writes none. The next owner of a match
/// repairs them, and a former owner does not.
pub(crate) async fn seat_holders_are_repaired_by_the_owner_of_a_match(test: TestStore) {
    let (test_table, over) = (test.table().await, test.table().await);
    let (host, guest) = (test_table.host.clone(), test.user("Swift Heron").await);
    let holders = sorted([holder(&host, true), holder(&guest, true)]);
    let match_id = test_table.match_id;
    test.run("delete from seat_holders").await;
    let epoch = test.store.claim(match_id).await.unwrap().unwrap();
    test.store.repair_seat_holders(match_id, Epoch::FIRST, &holders).await.unwrap();
    assert_eq!(test.store.seat_holders(match_id).await.unwrap(), [], "another server has the match");
    test.store.repair_seat_holders(match_id, epoch, &holders).await.unwrap();
    assert_eq!(test.store.seat_holders(match_id).await.unwrap(), holders);
    let fewer = [holder(&host, false)];
    test.store.repair_seat_holders(match_id, epoch, &fewer).await.unwrap();
    assert_eq!(test.store.seat_holders(match_id).await.unwrap(), fewer);

    let epoch = test.store.claim(over.match_id).await.unwrap().unwrap();
    test.store.repair_seat_holders(over.match_id, epoch, &[holder(&guest, true)]).await.unwrap();
    let over = TestTable { epoch, ..over };
    test.store.append(&over.append(vec![ended()])).await.unwrap();
    assert_eq!(test.store.own_matches(guest.id, None, 9).await.unwrap(), [], "it has ended");
    test.store.remove_outdated_seat_holders().await.unwrap();
    assert_eq!(test.store.seat_holders(over.match_id).await.unwrap(), []);
    assert_eq!(test.store.seat_holders(match_id).await.unwrap(), fewer);
}
