//! Conformance tests of the log.

use std::time::Duration;

use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::http::Uses;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::{Event, MatchId, TableId, TableSettings};
use quadrex_rules::{Cause, Color, DrawPolicy, Reason, Request, Setup, Timestamp, Variant};
use quadrex_store::{Append, Author, Epoch, Link, LinkPurpose, SecretHash, Store, User};

use crate::test_store::{
    NOW, TestStore, TestTable, after, assert_duplicate, assert_fenced, assert_link_used, command_id, moved,
    nonce, numbers, opened, seated, secret, settings, started,
};

fn other_match() -> MatchId {
    "00000000-0000-7000-8000-000000000009".parse().unwrap()
}

fn all_events(user: &User) -> Vec<Event> {
    let color = Color::Green;
    let elaborate = TableSettings {
        variant: Variant::Classic,
        privacy: Privacy::Private,
        setup: Some(Setup::start(Variant::Classic).to_string()),
        draws: DrawPolicy::Automatic,
        time: TimeSetting::Fischer { base_ms: u64::from(u32::MAX), increment_ms: 0 },
        ..settings()
    };
    vec![
        opened(user),
        Event::Opened {
            settings: elaborate,
            host: user.view(),
            commitment: secret().commitment(),
            previous: Some(other_match()),
            kicked: vec![user.id],
        },
        seated(color, user),
        Event::Vacated { color, reason: VacateReason::Left },
        Event::Vacated { color, reason: VacateReason::Kicked },
        Event::HostChanged { host: user.view() },
        started(Color::White),
        Event::Started { first_player: Color::White, secret: secret(), seats: [(color, user.view())].into() },
        Event::Moved { color, mv: "b10a11n".parse().unwrap(), left_ms: None, away_ms: 0, lag_ms: 0 },
        moved(),
        Event::Eliminated { color, cause: Cause::Mate, by: vec![Color::Red, Color::Blue] },
        Event::Eliminated { color, cause: Cause::Absence, by: Vec::new() },
        Event::Requested { request: Request::Draw, color },
        Event::Agreed { request: Request::Draw, color },
        Event::Declined { request: Request::Takeback, color },
        Event::TakenBack { plies: 2, left_ms: Some(5), away_ms: 7 },
        Event::MessageSent {
            user: user.view(),
            color: None,
            room: Room::Bystanders,
            message: ChatMessage::Text("it's 王 \"here\"".to_owned()),
        },
        Event::Ended { reason: Reason::Mate, places: [(Color::Red, 1), (Color::Blue, 2)].into() },
        Event::RematchRequested {
            color,
            match_id: other_match(),
            commitment: secret().commitment(),
            nonce: nonce(),
        },
        Event::RematchAgreed { color, nonce: nonce() },
        Event::RematchDeclined { color },
        Event::Rematched { match_id: other_match() },
        Event::Closed { reason: None },
    ]
}

pub(crate) async fn every_kind_of_event_is_read_as_it_was_written(test: TestStore) {
    let test_table = test.table().await;
    // Quotes, a backslash and letters beyond ASCII must pass through SQL and JSON.
    let user = test.user(r#"O'N "\" Zoë 王 {},$1?"#).await;
    let events = all_events(&user);
    let head = test.store.append(&test_table.append(events.clone())).await.unwrap();
    assert_eq!(head, test_table.head + events.len() as u64);
    let log = test.store.events(test_table.match_id, test_table.head).await.unwrap();
    assert_eq!(log.into_iter().map(|logged| logged.event).collect::<Vec<_>>(), events);
}

pub(crate) async fn the_log_records_user_and_time_and_the_command_id_on_the_last_event(test: TestStore) {
    let mut test_table = test.table().await;
    let user = test.user("Swift Heron").await;
    let by = Some(Author { user: user.id, command_id: command_id("m-1"), redeem: None });
    let append = Append { at: after(5), by, ..test_table.append(vec![moved(), moved(), moved()]) };
    test_table.head = test.store.append(&append).await.unwrap();
    let by_clock = Append { at: Timestamp::from_millis(0), ..test_table.append(vec![moved()]) };
    test.store.append(&by_clock).await.unwrap();

    let log = test.store.events(test_table.match_id, 2).await.unwrap();
    let rows: Vec<_> = log
        .iter()
        .map(|logged| (logged.seq, logged.at, logged.by, logged.command_id.as_ref().map(ToString::to_string)))
        .collect();
    assert_eq!(
        rows,
        [
            (3, after(5), Some(user.id), None),
            (4, after(5), Some(user.id), None),
            (5, after(5), Some(user.id), Some("m-1".to_owned())),
            (6, Timestamp::from_millis(0), None, None),
        ]
    );
}

pub(crate) async fn reading_starts_after_a_given_number(test: TestStore) {
    let test_table = test.table().await;
    test.store.append(&test_table.append(vec![moved(); 10])).await.unwrap();
    let other = test.table().await;
    for after in 0..=12 {
        let log = test.store.events(test_table.match_id, after).await.unwrap();
        assert!(log.iter().map(|logged| logged.seq).eq(after + 1..=12), "after {after}");
    }
    assert_eq!(test.store.events(test_table.match_id, 99).await.unwrap(), []);
    assert_eq!(numbers(&test.store, other.match_id).await, [1, 2]);
}

pub(crate) async fn an_append_with_another_head_is_fenced(test: TestStore) {
    let test_table = test.table().await;
    let user = test_table.host.clone();
    for head in [0, 1, 3, 1_000] {
        let wrong = TestTable { head, ..test_table.clone() };
        assert_fenced(test.store.append(&wrong.command(&user, "m")).await);
    }
    let unknown = TestTable { match_id: MatchId(test.entropy.uuid(NOW)), ..test_table.clone() };
    assert_fenced(test.store.append(&unknown.command(&user, "m")).await);
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2]);
    assert_eq!(test.store.command_seq(test_table.match_id, user.id, &command_id("m")).await.unwrap(), None);
    assert_eq!(test.store.append(&test_table.command(&user, "m")).await.unwrap(), 3);
}

pub(crate) async fn a_claim_fences_the_previous_owner(test: TestStore) {
    let first = test.table().await;
    let epoch = test.store.claim(first.match_id).await.unwrap().unwrap();
    assert_eq!(epoch, Epoch(2));
    assert_fenced(test.store.append(&first.append(vec![moved()])).await);
    let second = TestTable { epoch, ..first.clone() };
    assert_eq!(test.store.append(&second.append(vec![moved()])).await.unwrap(), 3);
    let ahead = TestTable { epoch: Epoch(3), head: 3, ..first.clone() };
    assert_fenced(test.store.append(&ahead.append(vec![moved()])).await);
    assert_eq!(test.store.claim(first.match_id).await.unwrap(), Some(Epoch(3)));
    assert_eq!(test.store.append(&ahead.append(vec![moved()])).await.unwrap(), 4);
    assert_eq!(numbers(&test.store, first.match_id).await, [1, 2, 3, 4]);
}

pub(crate) async fn a_repeated_command_counts_once(test: TestStore) {
    let mut test_table = test.table().await;
    let (user, other) = (test_table.host.clone(), test.user("Swift Heron").await);
    test_table.head = test.store.append(&test_table.command(&user, "m-1")).await.unwrap();
    assert_duplicate(test.store.append(&test_table.command(&user, "m-1")).await, 3);
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2, 3]);

    test_table.head = test.store.append(&test_table.command(&user, "M-1")).await.unwrap();
    test_table.head = test.store.append(&test_table.command(&other, "m-1")).await.unwrap();
    assert_duplicate(test.store.append(&test_table.command(&user, "m-1")).await, 3);
    assert_duplicate(test.store.append(&test_table.command(&other, "m-1")).await, 5);
    let elsewhere = test.table().await;
    test.store.append(&elsewhere.command(&user, "m-1")).await.unwrap();

    let answer = async |user: &User, name| {
        test.store.command_seq(test_table.match_id, user.id, &command_id(name)).await
    };
    assert_eq!(answer(&user, "m-1").await.unwrap(), Some(3));
    assert_eq!(answer(&user, "M-1").await.unwrap(), Some(4));
    assert_eq!(answer(&other, "m-1").await.unwrap(), Some(5));
    assert_eq!(answer(&other, "M-1").await.unwrap(), None);
    // The refused appends did not change the head.
    assert_eq!(test.store.append(&test_table.append(vec![moved()])).await.unwrap(), 6);
}

async fn invite(test: &TestStore, table: TableId, purpose: LinkPurpose) -> SecretHash {
    let secret = test.secret();
    let link = Link { secret, table, purpose, created_at: NOW, expires_at: after(1_000), used_by: None };
    test.store.add_link(&link, 100).await.unwrap();
    secret
}

const SINGLE: LinkPurpose = LinkPurpose::Invite { seat: None, uses: Uses::Single };
const OPEN: LinkPurpose = LinkPurpose::Invite { seat: None, uses: Uses::Open };

pub(crate) async fn a_single_use_invite_serves_one_user(test: TestStore) {
    let mut test_table = test.table().await;
    let (first, second) = (test.user("Swift Heron").await, test.user("Bold Wren").await);
    let secret = invite(&test, test_table.table, SINGLE).await;
    test_table.head = test.store.append(&test_table.redeem(&first, "sit", secret)).await.unwrap();
    assert_eq!(used_by(&test.store, secret).await, Some(first.id));

    assert_link_used(test.store.append(&test_table.redeem(&second, "sit", secret)).await);
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2, 3], "nothing was written");
    assert_eq!(used_by(&test.store, secret).await, Some(first.id));

    // A user who left the seat may use the same invite again. The refused append did not change the
    // head.
    test_table.head = test.store.append(&test_table.redeem(&first, "again", secret)).await.unwrap();
    assert_eq!(test_table.head, 4);
    assert_duplicate(test.store.append(&test_table.redeem(&first, "sit", secret)).await, 3);
}

pub(crate) async fn an_open_invite_serves_many_users(test: TestStore) {
    let mut test_table = test.table().await;
    let secret = invite(&test, test_table.table, OPEN).await;
    for name in ["Swift Heron", "Bold Wren", "Calm Lynx"] {
        let user = test.user(name).await;
        test_table.head = test.store.append(&test_table.redeem(&user, "sit", secret)).await.unwrap();
        assert_eq!(used_by(&test.store, secret).await, Some(user.id));
    }
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2, 3, 4, 5]);
}

pub(crate) async fn an_invite_of_another_table_or_an_expired_invite_is_refused(test: TestStore) {
    let (test_table, elsewhere) = (test.table().await, test.table().await);
    let user = test.user("Swift Heron").await;
    let good = invite(&test, test_table.table, OPEN).await;
    let wrong = [
        test.secret(),
        invite(&test, elsewhere.table, OPEN).await,
        invite(&test, test_table.table, LinkPurpose::Watch).await,
    ];
    for secret in wrong {
        assert_link_used(test.store.append(&test_table.redeem(&user, "sit", secret)).await);
    }
    let late = Append { at: after(1_000), ..test_table.redeem(&user, "sit", good) };
    assert_link_used(test.store.append(&late).await);
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2]);
    let in_time = Append { at: after(999), ..test_table.redeem(&user, "sit", good) };
    assert_eq!(test.store.append(&in_time).await.unwrap(), 3);
}

pub(crate) async fn a_failed_append_does_not_use_its_invite(test: TestStore) {
    let mut test_table = test.table().await;
    let user = test.user("Swift Heron").await;
    let secret = invite(&test, test_table.table, SINGLE).await;
    let ahead = TestTable { head: 9, ..test_table.clone() };
    assert_fenced(test.store.append(&ahead.redeem(&user, "sit", secret)).await);
    test_table.head = test.store.append(&test_table.command(&user, "m")).await.unwrap();
    assert_duplicate(test.store.append(&test_table.redeem(&user, "m", secret)).await, 3);
    assert_eq!(used_by(&test.store, secret).await, None);
}

async fn used_by(store: &Store, secret: SecretHash) -> Option<quadrex_protocol::UserId> {
    store.link(secret).await.unwrap().unwrap().used_by
}

pub(crate) async fn written_data_is_there_after_a_restart(test: TestStore) {
    let test_table = test.table().await;
    test.store.append(&test_table.command(&test_table.host, "m-1")).await.unwrap();
    let before = test.store.events(test_table.match_id, 0).await.unwrap();
    let row = test.store.table(test_table.table).await.unwrap();
    tokio::time::timeout(Duration::from_secs(10), test.store.close()).await.expect("it closes");
    assert!(test.store.ping().await.is_err());

    let again = Store::connect(&test.location, 1).await.unwrap();
    again.ping().await.unwrap();
    assert_eq!(again.events(test_table.match_id, 0).await.unwrap(), before);
    assert_eq!(again.table(test_table.table).await.unwrap(), row);
    assert_eq!(again.claim(test_table.match_id).await.unwrap(), Some(Epoch(2)));
}
