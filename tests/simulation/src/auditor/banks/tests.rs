//! Tests of the audit of reconnect banks by hand-made logs.

use quadrex_store::Epoch;
use serde_json::json;

use super::*;

const BASE_MS: u64 = 1_000_000;

fn user(number: u64) -> UserId {
    format!("00000000-0000-0000-0000-00000000000{number}").parse().unwrap()
}

/// Returns a log in which both players have moved once after the first 3 seconds. `more` follows,
/// with the times in milliseconds since the beginning.
fn log(time: serde_json::Value, left_ms: Option<u64>, more: &[(u64, serde_json::Value)]) -> Vec<LoggedEvent> {
    let settings = json!({
        "variant": "classic", "privacy": "public", "time": time, "draws": "claim",
        "absence": "eliminate", "watchers": "everybody", "chat": "on", "admission": "open",
        "rated": false, "seating": "chosen", "hotseat": false,
    });
    let secret = "0".repeat(64);
    let players = [1, 2].map(|number| json!({"id": user(number), "name": "Player"}));
    let [white, black] = &players;
    let mut rows = vec![
        (0, json!({"type": "opened", "settings": settings, "host": white, "commitment": secret})),
        (0, json!({"type": "seated", "color": "white", "user": white, "nonce": secret})),
        (0, json!({"type": "seated", "color": "black", "user": black, "nonce": secret})),
        (1_000, json!({"type": "started", "first_player": "white", "secret": secret})),
        (2_000, json!({"type": "moved", "color": "white", "move": "e2e4", "left_ms": left_ms, "away_ms": 0})),
        (3_000, json!({"type": "moved", "color": "black", "move": "e7e5", "left_ms": left_ms, "away_ms": 0})),
    ];
    rows.extend(more.iter().cloned());
    let row = |(seq, (at, event)): (u64, (u64, serde_json::Value))| LoggedEvent {
        seq,
        epoch: Epoch::FIRST,
        at: Timestamp::from_millis(BASE_MS + at),
        by: None,
        command_id: None,
        event: serde_json::from_value(event).unwrap(),
    };
    (1..).zip(rows).map(row).collect()
}

fn without_clocks(away_ms: u64, at: u64) -> Vec<LoggedEvent> {
    let moved = json!({"type": "moved", "color": "white", "move": "g1f3", "away_ms": away_ms});
    log(json!({"kind": "none"}), None, &[(at, moved)])
}

fn seconds(from: u64, to: u64) -> Vec<(Timestamp, Timestamp)> {
    let at = |seconds| Timestamp::from_millis(BASE_MS + 1_000 * seconds);
    vec![(at(from), at(to))]
}

/// Returns what is wrong if White was away and there at these times.
fn wrong(
    log: &[LoggedEvent],
    absences: Vec<(Timestamp, Timestamp)>,
    stays: Vec<(Timestamp, Timestamp)>,
) -> Vec<String> {
    let attendances = BTreeMap::from([(user(1), AttendanceTimes { stays, absences })]);
    BankCheck::check(log, &attendances, &Outages::default(), &Outages::default())
}

#[test]
fn a_takeback_logs_the_absence_of_the_player_to_move() {
    let log = |away_ms: u64| {
        let asked = json!({"type": "requested", "request": "takeback", "color": "black"});
        let agreed = json!({"type": "agreed", "request": "takeback", "color": "white"});
        let taken_back = json!({"type": "taken_back", "plies": 1, "away_ms": away_ms});
        log(json!({"kind": "none"}), None, &[(4_000, asked), (40_000, agreed), (40_000, taken_back)])
    };
    assert_eq!(wrong(&log(20_000), seconds(10, 30), vec![]), [""; 0]);
    let forgotten = wrong(&log(0), seconds(10, 30), vec![]);
    assert!(forgotten[0].contains("event 9 says that white was away for 0ns"), "{forgotten:?}");
}

#[test]
fn an_absence_in_an_outage_is_not_counted() {
    let log = without_clocks(5_000, 40_000);
    let times = AttendanceTimes { stays: vec![], absences: seconds(10, 30) };
    let attendances = BTreeMap::from([(user(1), times)]);
    let mut outages = Outages::default();
    outages.add(seconds(12, 25)[0].0, seconds(12, 25)[0].1);
    assert_eq!(BankCheck::check(&log, &attendances, &outages, &outages), [""; 0]);
    // A server may forget a part of an absence each time that it ends.
    let shorter = without_clocks(0, 40_000);
    assert_eq!(BankCheck::check(&shorter, &attendances, &outages, &outages), [""; 0]);
    let times = AttendanceTimes { stays: vec![], absences: seconds(5, 39) };
    let longer = BTreeMap::from([(user(1), times)]);
    let wrong = BankCheck::check(&shorter, &longer, &outages, &outages);
    assert!(wrong[0].contains("was away for 0ns, and it was 16s to 50s"), "{wrong:?}");
    let late = BankCheck::check(&log, &attendances, &Outages::default(), &Outages::default());
    assert!(late[0].contains("it was 20s to 37s"), "{late:?}");
}

#[test]
fn a_player_whose_server_does_not_work_may_be_counted_as_away() {
    let log = without_clocks(13_000, 40_000);
    let times = AttendanceTimes { stays: seconds(0, 40), absences: vec![] };
    let attendances = BTreeMap::from([(user(1), times)]);
    let (none, mut all) = (Outages::default(), Outages::default());
    all.add(seconds(12, 25)[0].0, seconds(12, 25)[0].1);
    assert_eq!(BankCheck::check(&log, &attendances, &none, &all), [""; 0]);
    let wrong = BankCheck::check(&log, &attendances, &none, &none);
    assert!(wrong[0].contains("was away for 13s, and it was 0ns to 0ns"), "{wrong:?}");
}

#[test]
fn an_absence_is_counted_as_long_as_it_was() {
    assert_eq!(wrong(&without_clocks(20_000, 40_000), seconds(10, 30), vec![]), [""; 0]);
    let forgotten = wrong(&without_clocks(0, 40_000), seconds(10, 30), vec![]);
    assert!(
        forgotten[0].contains("says that white was away for 0ns, and it was 20s to 37s"),
        "{forgotten:?}"
    );
    let invented = wrong(&without_clocks(20_000, 40_000), vec![], seconds(3, 40));
    assert!(invented[0].contains("and it was 0ns to 0ns"), "{invented:?}");
}

#[test]
fn a_player_whose_bank_is_used_up_is_removed() {
    let late = wrong(&without_clocks(200_000, 220_000), seconds(10, 210), vec![]);
    assert!(late[0].contains("white was away for at least 200s before event 7"), "{late:?}");
}

#[test]
fn a_player_whose_bank_is_not_used_up_is_not_removed() {
    let time = json!({"kind": "fischer", "base_ms": 60_000, "increment_ms": 0});
    let ended = |at| {
        let ended = json!({"type": "ended", "reason": "absence", "places": {"white": 2, "black": 1}});
        log(time.clone(), Some(60_000), &[(at, ended)])
    };
    assert_eq!(wrong(&ended(34_000), seconds(4, 34), vec![]), [""; 0]);
    let early = wrong(&ended(20_000), seconds(4, 20), vec![]);
    assert!(early[0].contains("was away for 30s, and it was at most 17s"), "{early:?}");
}

#[test]
fn the_banks_follow_from_the_time_control() {
    let fischer = |base_ms, increment_ms| full_bank(TimeSetting::Fischer { base_ms, increment_ms });
    assert_eq!(fischer(60_000, 0), Some(Duration::from_secs(30)));
    assert_eq!(fischer(600_000, 2_000), Some(Duration::from_secs(68)));
    assert_eq!(fischer(3_600_000, 60_000), Some(Duration::from_secs(180)));
    assert_eq!(full_bank(TimeSetting::None), Some(Duration::from_secs(180)));
    assert_eq!(full_bank(TimeSetting::Correspondence { days: 1 }), None);
}
