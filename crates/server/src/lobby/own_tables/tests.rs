//! Tests of the changes that are published to users about their own tables.

use std::sync::Mutex;

use quadrex_cluster::message::OverviewUpdate;
use quadrex_protocol::MatchId;
use quadrex_protocol::http::{CreateTable, TableSummary};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Head;
use quadrex_rules::Variant;
use serde_json::Value;
use uuid::Uuid;

use super::*;

const NOW: Timestamp = Timestamp::from_millis(0);

/// A listener that keeps the kinds of the frames that it receives.
#[derive(Debug, Default)]
struct Kinds(Mutex<Vec<String>>);

impl Listener<Frame> for Kinds {
    fn notify(&self, frame: &Frame) {
        let frame: Value = serde_json::from_slice(frame.text()).unwrap();
        self.0.lock().unwrap().push(frame["t"].as_str().unwrap().to_owned());
    }
}

fn user(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

/// Returns a table whose host is user 1.
fn table(phase: Phase) -> TableOverview {
    let request = CreateTable::plain(Variant::Classic, Privacy::Public);
    let host = UserView { id: user(1), name: "Ann".to_owned(), account: false, bot: None, anonymous: false };
    let summary = TableSummary {
        table: TableId(Uuid::from_u128(7)),
        settings: quadrex_table::validate_settings(request).unwrap(),
        host,
        phase,
        seats: Vec::new(),
        turn: None,
        plies: 0,
        spectators: 0,
        created_at_ms: 0,
    };
    let update = OverviewUpdate {
        head: Head { match_id: MatchId(Uuid::from_u128(8)), seq: 1 },
        summary,
        kicked: Vec::new(),
        connected: Vec::new(),
        arrived: Vec::new(),
        is_host_present: true,
        open_turn: None,
    };
    TableOverview::from_update(&update, None)
}

#[test]
fn users_learn_of_tables_that_are_added_change_and_end() {
    let (open, running, ended) = (table(Phase::Open), table(Phase::Running), table(Phase::Ended));
    for (before, after, kinds) in [
        (None, Some(&open), vec!["own_table"]),
        (Some(&open), Some(&open), vec![]),
        (Some(&open), Some(&running), vec!["own_table"]),
        (Some(&running), Some(&ended), vec!["own_table_removed"]),
        (Some(&running), None, vec!["own_table_removed"]),
        (Some(&ended), None, vec![]),
        (None, Some(&ended), vec![]),
    ] {
        let mut own_tables = OwnTables::default();
        let [host, other] = [1, 2].map(|number| {
            let listener = Arc::new(Kinds::default());
            let subscription = own_tables.subscribe(user(number), Arc::<Kinds>::clone(&listener) as _);
            (listener, subscription)
        });
        own_tables.publish(before, after, NOW);
        let phases = (before.map(TableOverview::phase), after.map(TableOverview::phase));
        assert_eq!(*host.0.0.lock().unwrap(), kinds, "{phases:?}");
        assert!(other.0.0.lock().unwrap().is_empty(), "{phases:?}");
    }
}

/// Returns the kinds of the frames that the host receives when a table that was in the list, although the
/// lobby had no overview of it, is shown in this phase, twice.
fn after_sleep(phase: Phase, sleep: impl Fn(&mut OwnTables)) -> Vec<String> {
    let mut own_tables = OwnTables::default();
    let listener = Arc::new(Kinds::default());
    let _subscription = own_tables.subscribe(user(1), Arc::<Kinds>::clone(&listener) as _);
    sleep(&mut own_tables);
    own_tables.publish(None, Some(&table(phase)), NOW);
    own_tables.publish(None, Some(&table(Phase::Ended)), NOW);
    listener.0.lock().unwrap().clone()
}

#[test]
fn users_learn_that_a_table_that_no_server_had_in_memory_has_ended() {
    let listed = |own_tables: &mut OwnTables| own_tables.add_asleep(user(1), TableId(Uuid::from_u128(7)));
    let hibernates = |own_tables: &mut OwnTables| own_tables.fall_asleep(&table(Phase::Running));
    for sleep in [listed, hibernates] {
        assert_eq!(after_sleep(Phase::Ended, sleep), ["own_table_removed"]);
        assert_eq!(after_sleep(Phase::Running, sleep), ["own_table"], "the second frame needs an overview");
    }
}

#[test]
fn tables_of_users_without_a_subscription_are_forgotten() {
    let mut own_tables = OwnTables::default();
    own_tables.add_asleep(user(1), TableId(Uuid::from_u128(7)));
    assert!(own_tables.asleep.is_empty());
    let subscription = own_tables.subscribe(user(1), Arc::new(Kinds::default()));
    own_tables.add_asleep(user(1), TableId(Uuid::from_u128(7)));
    drop(subscription);
    let _subscription = own_tables.subscribe(user(2), Arc::new(Kinds::default()));
    assert!(own_tables.asleep.is_empty());
}
