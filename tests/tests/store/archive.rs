//! Conformance tests of the archive. It is derived from the logs, lists only what a user may see,
//! and can be rebuilt.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId};
use quadrex_rules::{AbortCause, Color, Reason, Variant};
use quadrex_server::archive::{Archive, ArchiveCursor, ArchiveQuery, NamePrefix};
use quadrex_store::{Append, Store, User};
use quadrex_table::validate_settings;

use crate::test_store::{TestStore, TestTable, after, moved, seated, secret, started};

/// A query for everything that is public.
const ALL: ArchiveQuery =
    ArchiveQuery { user: None, player: None, variant: None, before: None, seen_by: None, limit: 100 };

/// Creates a `dilkel` table with these two users. Its match has not started.
async fn table(test: &TestStore, privacy: Privacy, red: &User, blue: &User) -> TestTable {
    let settings = validate_settings(CreateTable::plain(Variant::Dilkel, privacy)).unwrap();
    let opened = Event::Opened {
        settings,
        host: red.view(),
        commitment: secret().commitment(),
        previous: None,
        kicked: Vec::new(),
    };
    let mut new = test.new_table(red, after(0));
    new.events = vec![opened, seated(Color::Red, red), seated(Color::Blue, blue)];
    let head = test.store.open_table(&new).await.unwrap();
    TestTable {
        table: new.table,
        match_id: new.match_id,
        host: red.clone(),
        epoch: quadrex_store::Epoch::FIRST,
        head,
    }
}

/// Appends events to a match. `at` is the number of milliseconds since the test began.
async fn append_events(test: &TestStore, test_table: &mut TestTable, at: u64, events: Vec<Event>) {
    let append = Append { at: after(at), ..test_table.append(events) };
    test_table.head = test.store.append(&append).await.unwrap();
}

fn ended(places: [(Color, u8); 2]) -> Event {
    Event::Ended { reason: Reason::Resign, places: BTreeMap::from(places) }
}

async fn listed(archive: &Archive, query: ArchiveQuery) -> Vec<MatchId> {
    archive.list(query).await.unwrap().matches.iter().map(|listed| listed.match_id).collect()
}

pub(crate) async fn a_match_is_listed_from_its_start_and_with_its_end(test: TestStore) {
    let (red, blue) = (test.user("Red").await, test.user("Blue").await);
    let archive = Archive::new(test.store.clone());
    let mut test_table = table(&test, Privacy::Public, &red, &blue).await;
    assert_eq!(listed(&archive, ALL).await, [], "it has not begun");
    append_events(&test, &mut test_table, 5, vec![started(Color::Red)]).await;
    let running = archive.list(ALL).await.unwrap().matches.pop().unwrap();
    assert_eq!((running.match_id, running.table), (test_table.match_id, test_table.table));
    assert_eq!((running.started_at_ms, running.ended_at_ms), (after(5).as_millis(), None));
    assert_eq!(running.seats.len(), 2);
    assert_eq!(running.move_limit_ms, Some(300_000), "a public table without clocks has a limit");
    assert_eq!(running.seats[1].user.as_ref(), Some(&blue.view()));

    append_events(
        &test,
        &mut test_table,
        7,
        vec![moved(), moved(), Event::TakenBack { plies: 1, left_ms: None, away_ms: 0 }],
    )
    .await;
    append_events(&test, &mut test_table, 9, vec![ended([(Color::Red, 2), (Color::Blue, 1)])]).await;
    let over = archive.list(ALL).await.unwrap().matches.pop().unwrap();
    assert_eq!((over.plies, over.ended_at_ms), (1, Some(after(9).as_millis())));
    assert_eq!(over.outcome.unwrap().places, BTreeMap::from([(Color::Red, 2), (Color::Blue, 1)]));

    let mut stopped = table(&test, Privacy::Public, &red, &blue).await;
    let aborted = Event::Aborted { cause: AbortCause::Agreement };
    append_events(&test, &mut stopped, 11, vec![started(Color::Blue), moved(), aborted.clone()]).await;
    let newest = archive.list(ALL).await.unwrap().matches.remove(0);
    assert_eq!((newest.match_id, newest.aborted), (stopped.match_id, Some(AbortCause::Agreement)));
    // A table that closes before its match starts has no match to list.
    let mut closed = table(&test, Privacy::Public, &red, &blue).await;
    append_events(&test, &mut closed, 12, vec![Event::Closed { reason: None }]).await;
    assert_eq!(listed(&archive, ALL).await, [stopped.match_id, test_table.match_id]);

    // A match that was aborted before its first move has nothing to replay.
    let mut empty = table(&test, Privacy::Public, &red, &blue).await;
    append_events(&test, &mut empty, 13, vec![started(Color::Blue)]).await;
    assert_eq!(listed(&archive, ALL).await, [empty.match_id, stopped.match_id, test_table.match_id]);
    append_events(&test, &mut empty, 14, vec![aborted]).await;
    let player: NamePrefix = "re".parse().unwrap();
    let (user, player) = (Some(red.id), Some(player));
    for query in [ALL, ArchiveQuery { user, ..ALL }, ArchiveQuery { player, ..ALL }] {
        assert_eq!(listed(&archive, query).await, [stopped.match_id, test_table.match_id]);
    }
    assert!(archive.find(empty.match_id).await.unwrap().is_some(), "it can still be found by its id");
}

/// The archive adds matches that another process wrote, or that a process did not archive before it
/// died. It can be rebuilt even if all its rows are lost.
pub(crate) async fn missing_matches_are_added_to_the_archive(test: TestStore) {
    let (red, blue) = (test.user("Red").await, test.user("Blue").await);
    let mut test_tables = Vec::new();
    for at in 0..70 {
        let mut test_table = table(&test, Privacy::Public, &red, &blue).await;
        append_events(&test, &mut test_table, at, vec![started(Color::Red)]).await;
        test_tables.push(test_table);
    }
    // An older server, which knows no queue in the database, leaves the matches like this.
    test.run("delete from archive_queue").await;
    let other = Store::connect(&test.location, 2).await.unwrap();
    let archive = Archive::new(other.clone());
    assert_eq!(listed(&archive, ALL).await, [], "it has only queued matches");
    archive.complete().await.unwrap();
    assert_eq!(listed(&archive, ALL).await.len(), 70);
    append_events(&test, &mut test_tables[3], 99, vec![ended([(Color::Red, 1), (Color::Blue, 2)])]).await;
    test.run("delete from archive_queue").await;
    assert_eq!(other.unarchived(None, 10).await.unwrap(), [test_tables[3].match_id]);
    archive.complete().await.unwrap();
    assert_eq!(other.unarchived(None, 10).await.unwrap(), []);
    let over = archive.list(ALL).await.unwrap().matches;
    assert_eq!(over.iter().filter(|listed| listed.ended_at_ms.is_some()).count(), 1);
    other.close().await;
}

/// Returns the matches in the queue of the database, sorted.
async fn queued(test: &TestStore) -> Vec<MatchId> {
    let store = Store::connect(&test.location, 1).await.unwrap();
    store.load_archive_queue().await.unwrap();
    let queued = store.take_archive_queue(usize::MAX);
    store.close().await;
    queued
}

/// Every start and end of a match is queued in the transaction of its events. The next server reads
/// the queue before it answers, and without a search for missing matches.
pub(crate) async fn a_server_archives_what_a_killed_server_has_queued(test: TestStore) {
    let (red, blue) = (test.user("Red").await, test.user("Blue").await);
    let mut over = table(&test, Privacy::Public, &red, &blue).await;
    assert_eq!(queued(&test).await, [], "an open match is not archived");
    append_events(&test, &mut over, 1, vec![started(Color::Red)]).await;
    assert_eq!(queued(&test).await, [over.match_id]);
    let archive = Archive::new(test.store.clone());
    assert_eq!(listed(&archive, ALL).await, [over.match_id]);
    assert_eq!(queued(&test).await, [], "it was archived");
    append_events(&test, &mut over, 2, vec![moved()]).await;
    assert_eq!(queued(&test).await, [], "a move changes no list");

    // These are all ways in which a match starts or ends. The server is killed before it archives.
    append_events(&test, &mut over, 3, vec![ended([(Color::Red, 1), (Color::Blue, 2)])]).await;
    let mut closed = table(&test, Privacy::Public, &red, &blue).await;
    append_events(&test, &mut closed, 4, vec![Event::Closed { reason: None }]).await;
    let first = table(&test, Privacy::Public, &red, &blue).await;
    let next = MatchId(test.entropy.uuid(after(5)));
    test.store.append(&Append { at: after(5), ..first.rematch(next) }).await.unwrap();
    let mut at_once = test.new_table(&red, after(6));
    at_once.events.extend([seated(Color::Blue, &blue), started(Color::Blue)]);
    test.store.open_table(&at_once).await.unwrap();
    let mut expected = [over.match_id, closed.match_id, first.match_id, next, at_once.match_id];
    expected.sort();
    assert_eq!(queued(&test).await, expected);

    let store = Store::connect(&test.location, 2).await.unwrap();
    let archive = Archive::new(store.clone());
    let [standing] = archive.standings(blue.id, None).await.unwrap()[..] else { panic!("one variant") };
    assert_eq!((standing.played, standing.won), (1, 0));
    let matches = archive.list(ALL).await.unwrap().matches;
    let listed: Vec<_> =
        matches.iter().map(|listed| (listed.match_id, listed.ended_at_ms.is_some())).collect();
    let all = [(at_once.match_id, false), (next, false), (first.match_id, true), (over.match_id, true)];
    assert!(listed.iter().all(|entry| all.contains(entry)) && listed.len() == all.len(), "{listed:?}");
    assert_eq!(queued(&test).await, []);

    // A server that takes over from another one while it runs reads the queue again.
    let aborted = Event::Aborted { cause: AbortCause::Agreement };
    let again = Append { at: after(8), match_id: next, head_seq: 3, ..over.append(vec![aborted]) };
    test.store.append(&again).await.unwrap();
    archive.take_over_queue().await;
    assert_eq!(store.archived_match(next).await.unwrap().unwrap().phase, Phase::Ended);
    assert_eq!(queued(&test).await, []);
    store.close().await;
}

/// Appends that share a commit queue the matches whose appends succeed, and only these.
pub(crate) async fn a_group_of_appends_queues_the_matches_that_start_or_end(test: TestStore) {
    let mut test_tables = test.tables(90).await;
    let mut expected = Vec::new();
    let mut appends = Vec::new();
    for (number, test_table) in test_tables.iter_mut().enumerate() {
        let events = match number % 3 {
            0 => vec![moved()],
            1 => vec![started(Color::Red)],
            _ => vec![started(Color::Red), ended([(Color::Red, 1), (Color::Blue, 2)])],
        };
        let is_fenced = number % 10 == 4;
        test_table.head += u64::from(is_fenced);
        if number % 3 > 0 && !is_fenced {
            expected.push(test_table.match_id);
        }
        // Some appends also change the seat holders, and some do not.
        let holders = (number % 2 == 0).then(Vec::new);
        appends.push(Append { holders, ..test_table.append(events) });
    }
    let outcomes = join_all(appends.iter().map(|append| test.store.append(append))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 81);
    expected.sort();
    assert_eq!(queued(&test).await, expected);
    for (number, test_table) in test_tables.iter().enumerate() {
        let holders = test.store.seat_holders(test_table.match_id).await.unwrap();
        let is_removed = number % 2 == 0 && number % 10 != 4;
        assert_eq!(holders.is_empty(), is_removed, "null leaves the seat holders as they are");
    }
}

/// A summary of a running match does not remove the match from the queue if it has ended meanwhile.
pub(crate) async fn a_match_that_ends_while_its_start_is_archived_stays_queued(test: TestStore) {
    let (red, blue) = (test.user("Red").await, test.user("Blue").await);
    let archive = Archive::new(test.store.clone());
    let mut test_table = table(&test, Privacy::Public, &red, &blue).await;
    append_events(&test, &mut test_table, 1, vec![started(Color::Red)]).await;
    let running = archive.find(test_table.match_id).await.unwrap().unwrap();
    append_events(&test, &mut test_table, 2, vec![ended([(Color::Red, 1), (Color::Blue, 2)])]).await;
    test.store.archive(&[running.into()], &[]).await.unwrap();
    assert_eq!(queued(&test).await, [test_table.match_id]);
    let over = archive.find(test_table.match_id).await.unwrap().unwrap();
    assert_eq!((over.phase, queued(&test).await), (Phase::Ended, vec![]));
}

pub(crate) async fn lists_are_sorted_by_age_and_have_pages(test: TestStore) {
    let (red, blue) = (test.user("Red").await, test.user("Blue").await);
    let archive = Archive::new(test.store.clone());
    let mut expected = Vec::new();
    // Three of them start at the same time.
    for at in [4, 2, 2, 2, 9] {
        let mut test_table = table(&test, Privacy::Public, &red, &blue).await;
        append_events(&test, &mut test_table, at, vec![started(Color::Red)]).await;
        expected.push((at, test_table.match_id));
    }
    expected.sort_by_key(|&entry| std::cmp::Reverse(entry));
    for user in [None, Some(red.id)] {
        let mut seen = Vec::new();
        let mut before: Option<ArchiveCursor> = None;
        loop {
            let page = archive.list(ArchiveQuery { user, before, limit: 2, ..ALL }).await.unwrap();
            assert!(page.matches.len() <= 2);
            seen.extend(page.matches.iter().map(|listed| listed.match_id));
            let Some(next) = page.next else { break };
            before = Some(next.parse().unwrap());
        }
        assert_eq!(seen, expected.iter().map(|(_, match_id)| *match_id).collect::<Vec<_>>());
    }
    assert_eq!(listed(&archive, ArchiveQuery { variant: Some(Variant::Classic), ..ALL }).await, []);
    let all = archive.list(ArchiveQuery { variant: Some(Variant::Dilkel), limit: 5, ..ALL }).await.unwrap();
    assert_eq!((all.matches.len(), all.next), (5, None), "there are no more pages");
}

pub(crate) async fn private_matches_are_listed_for_their_players_only(test: TestStore) {
    let (red, blue, other) = (test.user("Red").await, test.user("Blue").await, test.user("Other").await);
    let archive = Archive::new(test.store.clone());
    let mut private = table(&test, Privacy::Private, &red, &blue).await;
    append_events(
        &test,
        &mut private,
        1,
        vec![started(Color::Red), ended([(Color::Red, 1), (Color::Blue, 2)])],
    )
    .await;
    let mut public = table(&test, Privacy::Public, &red, &blue).await;
    append_events(
        &test,
        &mut public,
        2,
        vec![started(Color::Red), ended([(Color::Red, 1), (Color::Blue, 1)])],
    )
    .await;
    for user in [None, Some(red.id)] {
        for seen_by in [None, Some(other.id)] {
            assert_eq!(listed(&archive, ArchiveQuery { user, seen_by, ..ALL }).await, [public.match_id]);
        }
        let own = listed(&archive, ArchiveQuery { user, seen_by: Some(blue.id), ..ALL }).await;
        assert_eq!(own, [public.match_id, private.match_id]);
    }
    assert_eq!(listed(&archive, ArchiveQuery { user: Some(other.id), ..ALL }).await, []);

    let standing = async |seen_by| {
        let standings = archive.standings(red.id, seen_by).await.unwrap();
        let [standing] = standings.as_slice() else { panic!("{standings:?}") };
        (standing.played, standing.won, standing.drawn, standing.places)
    };
    assert_eq!(standing(None).await, (1, 0, 1, [1, 0, 0, 0]));
    assert_eq!(standing(Some(other.id)).await, (1, 0, 1, [1, 0, 0, 0]));
    assert_eq!(standing(Some(red.id)).await, (2, 1, 1, [2, 0, 0, 0]));
    let loser = archive.standings(blue.id, Some(blue.id)).await.unwrap();
    assert_eq!((loser[0].won, loser[0].drawn, loser[0].places), (0, 1, [1, 1, 0, 0]));
    assert_eq!(archive.standings(other.id, None).await.unwrap(), []);
}

/// A user who held both seats is listed once, and the match counts once for each seat.
pub(crate) async fn a_match_is_listed_once_for_a_user_with_several_seats(test: TestStore) {
    let both = test.user("Both").await;
    let archive = Archive::new(test.store.clone());
    let mut test_table = table(&test, Privacy::Public, &both, &both).await;
    append_events(
        &test,
        &mut test_table,
        1,
        vec![started(Color::Red), ended([(Color::Red, 1), (Color::Blue, 2)])],
    )
    .await;
    assert_eq!(listed(&archive, ArchiveQuery { user: Some(both.id), ..ALL }).await, [test_table.match_id]);
    let standings = archive.standings(both.id, None).await.unwrap();
    assert_eq!((standings[0].played, standings[0].places), (2, [1, 1, 0, 0]));
}

pub(crate) async fn matches_are_found_by_the_start_of_a_players_name(test: TestStore) {
    let names = ["Änne 100%", "ännchen", "Anna_b", "annab"];
    let mut users = Vec::new();
    for name in names {
        users.push(test.user(name).await);
    }
    let archive = Archive::new(test.store.clone());
    let mut matches = Vec::new();
    for (at, [red, blue], privacy) in [
        (1, [0, 1], Privacy::Public),
        (2, [2, 3], Privacy::Public),
        (3, [2, 2], Privacy::Public),
        (4, [1, 2], Privacy::Private),
    ] {
        let mut test_table = table(&test, privacy, &users[red], &users[blue]).await;
        append_events(&test, &mut test_table, at, vec![started(Color::Red)]).await;
        matches.push(test_table.match_id);
    }
    let found = async |start: &str, more: ArchiveQuery| {
        let query = ArchiveQuery { player: Some(start.parse().unwrap()), ..more };
        let list = listed(&archive, query).await;
        list.iter().map(|listed| matches.iter().position(|it| it == listed).unwrap() + 1).collect::<Vec<_>>()
    };
    for (start, expected) in [
        ("Änn", vec![1]),
        ("ÄNNE 100%", vec![1]),
        ("ännchen", vec![1]),
        ("  anna ", vec![3, 2]),
        ("anna_", vec![3, 2]),
        ("annab", vec![2]),
        ("a", vec![3, 2]),
        ("%", vec![]),
        ("nna", vec![]),
        ("annabella", vec![]),
    ] {
        assert_eq!(found(start, ALL).await, expected, "{start}");
    }
    assert_eq!(found("anna_b", ArchiveQuery { seen_by: Some(users[1].id), ..ALL }).await, [4, 3, 2]);
    assert_eq!(found("annab", ArchiveQuery { user: Some(users[2].id), ..ALL }).await, [2]);
    assert_eq!(found("a", ArchiveQuery { variant: Some(Variant::Classic), ..ALL }).await, [0; 0]);
    let player = || Some("anna".parse().unwrap());
    let first = archive.list(ArchiveQuery { player: player(), limit: 1, ..ALL }).await.unwrap();
    assert_eq!(first.matches[0].match_id, matches[2]);
    let before = Some(first.next.unwrap().parse().unwrap());
    assert_eq!(listed(&archive, ArchiveQuery { player: player(), before, ..ALL }).await, [matches[1]]);
    for wrong in ["", "   ", "1234567890123456789012345", "a\u{0}b"] {
        assert!(wrong.parse::<NamePrefix>().is_err(), "{wrong:?}");
    }
}

/// Entries that an older server wrote without names get names, including those of ended matches.
pub(crate) async fn names_are_added_to_entries_of_an_older_version(test: TestStore) {
    let (red, blue) = (test.user("Red").await, test.user("Blue").await);
    let archive = Archive::new(test.store.clone());
    let mut over = table(&test, Privacy::Public, &red, &blue).await;
    append_events(&test, &mut over, 1, vec![started(Color::Red), ended([(Color::Red, 1), (Color::Blue, 2)])])
        .await;
    let mut running = table(&test, Privacy::Public, &red, &blue).await;
    append_events(&test, &mut running, 2, vec![started(Color::Red)]).await;
    let player = || Some("re".parse().unwrap());
    let expected = [running.match_id, over.match_id];
    assert_eq!(listed(&archive, ArchiveQuery { player: player(), ..ALL }).await, expected);
    assert_eq!(test.store.unarchived(None, 10).await.unwrap(), []);
    test.run("delete from archived_names").await;
    assert_eq!(listed(&archive, ArchiveQuery { player: player(), ..ALL }).await, []);
    archive.complete().await.unwrap();
    assert_eq!(listed(&archive, ArchiveQuery { player: player(), ..ALL }).await, expected);
    assert_eq!(test.store.unarchived(None, 10).await.unwrap(), []);
}
