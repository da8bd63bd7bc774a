//! Conformance tests of tables and links.

use quadrex_protocol::http::Uses;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::{Color, Reason};
use quadrex_store::{Append, Epoch, Link, LinkPurpose, NewTable, NextMatch, TableRow};

use crate::test_store::{NOW, TestStore, TestTable, after, assert_duplicate, moved, numbers, started};

pub(crate) async fn an_opened_table_is_found_with_its_match(test: TestStore) {
    let host = test.user("Quiet Otter").await;
    let new = NewTable { privacy: Privacy::Private, ..test.new_table(&host, after(7)) };
    assert_eq!(test.store.open_table(&new).await.unwrap(), 2);
    let row = TableRow {
        table: new.table,
        host: host.id,
        privacy: Privacy::Private,
        created_at: after(7),
        match_id: new.match_id,
        head_seq: 2,
        phase: Phase::Open,
    };
    assert_eq!(test.store.table(new.table).await.unwrap(), Some(row));
    assert_eq!(test.store.lot_key(new.table).await.unwrap(), Some(new.lot_key));
    assert_eq!(test.store.table_of(new.match_id).await.unwrap(), Some(new.table));
    let nowhere = TableId(test.entropy.uuid(NOW));
    assert_eq!(test.store.table(nowhere).await.unwrap(), None);
    assert_eq!(test.store.lot_key(nowhere).await.unwrap(), None);
    assert_eq!(test.store.table_of(MatchId(test.entropy.uuid(NOW))).await.unwrap(), None);

    let log = test.store.events(new.match_id, 0).await.unwrap();
    assert_eq!(log.iter().map(|logged| logged.event.clone()).collect::<Vec<_>>(), new.events);
    assert!(
        log.iter()
            .all(|logged| logged.by == Some(host.id) && logged.command_id.is_none() && logged.at == after(7))
    );
}

pub(crate) async fn a_table_is_created_completely_or_not_at_all(test: TestStore) {
    let stranger = test.stranger("Quiet Otter");
    let new = test.new_table(&stranger, NOW);
    assert!(test.store.open_table(&new).await.is_err(), "its host does not exist");
    assert_eq!(test.store.table(new.table).await.unwrap(), None);

    let test_table = test.table().await;
    let taken = NewTable { match_id: test_table.match_id, ..test.new_table(&test_table.host, NOW) };
    assert!(test.store.open_table(&taken).await.is_err(), "its match belongs to another table");
    assert_eq!(test.store.table(taken.table).await.unwrap(), None);
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2]);
    assert_eq!(test.store.unfinished().await.unwrap().len(), 1);
}

pub(crate) async fn unfinished_tables_are_listed_oldest_first_until_they_end(test: TestStore) {
    let host = test.user("Quiet Otter").await;
    let mut test_tables = Vec::new();
    for at in [300, 100, 200] {
        let new = test.new_table(&host, after(at));
        let head = test.store.open_table(&new).await.unwrap();
        let epoch = Epoch::FIRST;
        test_tables.push(TestTable {
            table: new.table,
            match_id: new.match_id,
            host: host.clone(),
            epoch,
            head,
        });
    }
    let unfinished = async || {
        let rows = test.store.unfinished().await.unwrap();
        rows.iter().map(|row| (row.table, row.phase, row.head_seq)).collect::<Vec<_>>()
    };
    let [third, first, second] = [0, 1, 2].map(|index| &test_tables[index]);
    let open = |test_table: &TestTable| (test_table.table, Phase::Open, 2);
    assert_eq!(unfinished().await, [open(first), open(second), open(third)]);

    let started = started(Color::Yellow);
    let ended = Event::Ended { reason: Reason::Agreement, places: [(Color::Red, 1)].into() };
    test.store.append(&first.append(vec![started.clone()])).await.unwrap();
    assert_eq!(unfinished().await, [(first.table, Phase::Running, 3), open(second), open(third)]);
    test.store.append(&TestTable { head: 3, ..first.clone() }.append(vec![ended.clone()])).await.unwrap();
    test.store.append(&second.append(vec![started, ended])).await.unwrap();
    assert_eq!(unfinished().await, [open(third)]);
    let row = test.store.table(second.table).await.unwrap().unwrap();
    assert_eq!((row.phase, row.head_seq), (Phase::Ended, 4));
}

/// The next match starts in the same transaction as the last event of the previous match, with the
/// first epoch. From then on it is the match of the table. If it cannot start, nothing is written.
pub(crate) async fn a_rematch_is_stored_with_the_end_of_the_previous_match(test: TestStore) {
    let test_table = test.table().await;
    let append = test_table.rematch(MatchId(test.entropy.uuid(after(9))));
    let next = append.next.clone().unwrap();
    let last = append.events.last().unwrap().clone();
    let taken = NextMatch { match_id: test_table.match_id, ..next.clone() };
    let impossible = Append { next: Some(taken), ..append.clone() };
    assert!(test.store.append(&impossible).await.is_err(), "the match already exists");
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2]);

    assert_eq!(test.store.append(&append).await.unwrap(), 5);
    let row = test.store.table(test_table.table).await.unwrap().unwrap();
    assert_eq!((row.match_id, row.head_seq, row.phase), (next.match_id, 3, Phase::Running));
    assert_eq!(test.store.unfinished().await.unwrap(), [row]);
    assert_eq!(test.store.table_of(next.match_id).await.unwrap(), Some(test_table.table));
    let log = test.store.events(next.match_id, 0).await.unwrap();
    assert_eq!(log.into_iter().map(|logged| logged.event).collect::<Vec<_>>(), next.events);
    let log = test.store.events(test_table.match_id, 4).await.unwrap();
    assert_eq!(log.into_iter().map(|logged| logged.event).collect::<Vec<_>>(), [last]);
    let onward = Append {
        match_id: next.match_id,
        epoch: Epoch::FIRST,
        head_seq: 3,
        ..test_table.append(vec![moved()])
    };
    assert_eq!(test.store.append(&onward).await.unwrap(), 4);
    assert_duplicate(test.store.append(&Append { head_seq: 5, ..append }).await, 5);
}

pub(crate) async fn a_link_is_stored_unchanged(test: TestStore) {
    let test_table = test.table().await;
    let purposes = [
        LinkPurpose::Watch,
        LinkPurpose::Invite { seat: None, uses: Uses::Open },
        LinkPurpose::Invite { seat: None, uses: Uses::Single },
        LinkPurpose::Invite { seat: Some(Color::White), uses: Uses::Single },
        LinkPurpose::Invite { seat: Some(Color::Black), uses: Uses::Open },
        LinkPurpose::Invite { seat: Some(Color::Red), uses: Uses::Single },
        LinkPurpose::Invite { seat: Some(Color::Blue), uses: Uses::Single },
        LinkPurpose::Invite { seat: Some(Color::Yellow), uses: Uses::Single },
        LinkPurpose::Invite { seat: Some(Color::Green), uses: Uses::Single },
    ];
    let link = |purpose, table| Link {
        secret: test.secret(),
        table,
        purpose,
        created_at: NOW,
        expires_at: after(5),
        used_by: None,
    };
    for purpose in purposes {
        let link = link(purpose, test_table.table);
        test.store.add_link(&link, 100).await.unwrap();
        assert_eq!(test.store.link(link.secret).await.unwrap(), Some(link));
    }
    assert_eq!(test.store.link(test.secret()).await.unwrap(), None);

    // The number of links of a table is limited. Expired links do not count and are not listed.
    let listed = async |now| test.store.links(test_table.table, now).await.unwrap().len();
    assert_eq!((listed(NOW).await, listed(after(5)).await), (purposes.len(), 0));
    let most = u32::try_from(purposes.len()).unwrap();
    let one_more = link(LinkPurpose::Watch, test_table.table);
    assert!(
        !test.store.add_link(&one_more, most).await.unwrap(),
        "the table has the maximum number of links"
    );
    let later = Link { created_at: after(5), expires_at: after(9), ..one_more };
    assert!(test.store.add_link(&later, most).await.unwrap());
    assert_eq!(test.store.links(test_table.table, after(5)).await.unwrap(), std::slice::from_ref(&later));
    assert_eq!(listed(NOW).await, 1, "expired links were removed");
    let elsewhere = test.table().await;
    assert!(!test.store.remove_link(elsewhere.table, later.secret).await.unwrap(), "it is of another table");
    assert!(test.store.remove_link(test_table.table, later.secret).await.unwrap());
    assert!(!test.store.remove_link(test_table.table, later.secret).await.unwrap());
    assert_eq!(test.store.link(later.secret).await.unwrap(), None);

    let nowhere = link(LinkPurpose::Watch, TableId(test.entropy.uuid(NOW)));
    assert!(test.store.add_link(&nowhere, 100).await.is_err(), "there is no such table");
    let unknown = MatchId(test.entropy.uuid(NOW));
    assert_eq!(test.store.claim(unknown).await.unwrap(), None);
    assert_eq!(test.store.events(unknown, 0).await.unwrap(), []);
}
