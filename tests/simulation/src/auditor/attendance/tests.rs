use quadrex_runtime::simulation::listen;
use quadrex_store::NodeId;
use uuid::Uuid;

use super::super::samples::{ANN, BEN, auditor, match_id, table_id, user_id};
use super::*;
use crate::chance::Chance;

/// Lets a user come to a table.
fn attend(auditor: &Auditor, user: u128, table: u128) -> Attendance {
    auditor.attend(user_id(user), table_id(table), &Network::new(Chance::new(1), 1), "a client")
}

/// Shows a user as connected to table 1, and returns the violations.
fn shown(auditor: &Auditor, user: u128) -> Vec<String> {
    auditor.shown_as_connected("ben", user_id(user), table_id(1), match_id(1));
    auditor.violations()
}

/// Shows a user as away from a table, and returns the violations.
fn shown_away(auditor: &Auditor, user: u128, table: u128) -> Vec<String> {
    auditor.shown_as_away("ben", user_id(user), table_id(table));
    auditor.violations()
}

fn violation() -> String {
    format!("ben: {} is shown as connected, and is away for long", user_id(ANN))
}

#[tokio::test(start_paused = true)]
async fn a_user_who_is_there_for_long_must_not_be_shown_as_away() {
    let auditor = auditor();
    let mut attendance = attend(&auditor, ANN, 1);
    attendance.received(true);
    let shown = |user, table| shown_away(&auditor, user, table);
    tokio::time::advance(NOTICED_AFTER).await;
    attendance.received(false);
    assert!(shown(ANN, 1).is_empty(), "the server may need this time");
    tokio::time::advance(FRAME_ARRIVES).await;
    assert!(shown(ANN, 1).is_empty(), "the connection may be broken");
    attendance.received(false);
    assert!(shown(BEN, 1).is_empty() && shown(ANN, 2).is_empty());
    assert_eq!(
        shown(ANN, 1),
        [format!("ben: {} is shown as away, and has been there for long", user_id(ANN))]
    );
    drop(attendance);
    assert_eq!(shown(ANN, 1).len(), 1, "the user has just left");
}

#[tokio::test(start_paused = true)]
async fn while_nothing_fails_presence_is_right_after_some_seconds() {
    let auditor = auditor();
    let mut attendance = attend(&auditor, ANN, 1);
    attendance.received(true);
    tokio::time::advance(2 * LONGEST).await;
    auditor.set_calm(true);
    tokio::time::advance(LONGEST).await;
    attendance.received(false);
    assert!(shown_away(&auditor, ANN, 1).is_empty(), "it has just become calm");
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(shown_away(&auditor, ANN, 1).len(), 1);

    drop(attendance);
    tokio::time::advance(END_ARRIVES + LONGEST).await;
    assert_eq!(shown(&auditor, ANN).len(), 1, "the server may not know it yet");
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(shown(&auditor, ANN)[1..], [violation()]);
}

#[tokio::test(start_paused = true)]
async fn a_user_who_is_there_may_be_shown_as_away_while_servers_are_separated() {
    let auditor = auditor();
    let mut attendance = attend(&auditor, ANN, 1);
    attendance.received(true);
    tokio::time::advance(2 * NOTICED_AFTER).await;
    auditor.separate_servers_for(FRAME_ARRIVES);
    auditor.separate_servers_for(Duration::ZERO);
    tokio::time::advance(FRAME_ARRIVES + FOLLOWED_AGAIN - Duration::from_millis(1)).await;
    attendance.received(false);
    assert!(shown_away(&auditor, ANN, 1).is_empty());
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(shown_away(&auditor, ANN, 1).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_user_whose_connection_is_silent_may_be_shown_as_away() {
    let (auditor, network, begin) = (auditor(), Network::new(Chance::new(1), 1), virtual_now());
    let (connector, _listener) = listen();
    network.set_server(0, Some(connector));
    let mut attendance = auditor.attend(user_id(ANN), table_id(1), &network, "a client");
    attendance.received(true);
    tokio::time::advance(2 * NOTICED_AFTER).await;
    attendance.received(false);
    while !network.was_silenced("a client", begin) {
        let _socket = network.connect("a client", 1, 0).unwrap();
        network.break_one().unwrap();
    }
    assert!(shown_away(&auditor, ANN, 1).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_user_who_is_away_may_be_shown_as_connected_just_after_the_match_was_released() {
    let auditor = auditor();
    drop(attend(&auditor, ANN, 1));
    tokio::time::advance(NOTICED_AFTER).await;
    let now = auditor.0.trace.time_of_day();
    auditor.0.commits.owners(|owners| owners.release(match_id(1), NodeId(Uuid::from_u128(1)), now));
    tokio::time::advance(TAKEN_OVER - Duration::from_millis(1)).await;
    assert!(shown(&auditor, ANN).is_empty());
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(shown(&auditor, ANN), [violation()]);
}

#[tokio::test(start_paused = true)]
async fn a_user_who_is_away_for_long_must_not_be_shown_as_connected() {
    let auditor = auditor();
    let attendance = attend(&auditor, ANN, 1);
    tokio::time::advance(10 * NOTICED_AFTER).await;
    assert!(shown(&auditor, ANN).is_empty(), "the user is there");
    drop(attendance);
    tokio::time::advance(NOTICED_AFTER).await;
    assert!(shown(&auditor, ANN).is_empty(), "the server may need this time");
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(shown(&auditor, ANN), [violation()]);
}

#[tokio::test(start_paused = true)]
async fn a_user_is_there_as_long_as_one_connection_is() {
    let auditor = auditor();
    let first = attend(&auditor, ANN, 1);
    let second = attend(&auditor, ANN, 1);
    drop(first);
    tokio::time::advance(2 * NOTICED_AFTER).await;
    assert!(shown(&auditor, ANN).is_empty());
    drop(second);
    tokio::time::advance(NOTICED_AFTER / 2).await;
    let third = attend(&auditor, ANN, 1);
    drop(third);
    tokio::time::advance(NOTICED_AFTER).await;
    assert!(shown(&auditor, ANN).is_empty(), "the time begins again with each connection");
    tokio::time::advance(NOTICED_AFTER).await;
    assert_eq!(shown(&auditor, ANN), [violation()]);
}

#[tokio::test(start_paused = true)]
async fn users_and_tables_are_distinguished() {
    let auditor = auditor();
    drop(attend(&auditor, ANN, 1));
    let _elsewhere = attend(&auditor, ANN, 2);
    let _other = attend(&auditor, BEN, 1);
    tokio::time::advance(2 * NOTICED_AFTER).await;
    assert!(shown(&auditor, BEN).is_empty());
    assert!(shown(&auditor, 77).is_empty(), "nobody knows when this user came");
    assert_eq!(shown(&auditor, ANN), [violation()]);
}
