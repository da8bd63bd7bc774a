use std::time::Duration;

use quadrex_protocol::ServerFrame;
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::http::{Activity, LobbyCounts};
use quadrex_store::FaultPlan;
use serde_json::json;

use super::samples::{
    ANN, BEN, BLACK, Log, WHITE, appended, auditor, command, command_id, ended, match_id, moved, seated,
    started, table_id, user_id, vacated,
};
use super::stored::Stored;
use super::*;
use crate::chance::Chance;
use crate::network::Network;
use crate::trace::BEGIN;

/// Returns an entry of the first moves of match 1.
fn entry(seq: u64, at_ms: u64, mv: &str) -> Entry {
    samples::entry(seq, at_ms, moved(WHITE, mv))
}

#[test]
fn only_a_command_that_was_sent_is_answered() {
    let auditor = auditor();
    auditor.sent(user_id(ANN), &command("sit", json!({"t": "sit"})));
    auditor.answered("ann", user_id(ANN), &command_id("sit"), Answer::Ack(match_id(1), 2));
    assert!(auditor.violations().is_empty());
    auditor.answered("ben", user_id(BEN), &command_id("sit"), Answer::Ack(match_id(1), 2));
    auditor.answered("ann", user_id(ANN), &command_id("c2"), Answer::Ack(match_id(1), 2));
    let text = |actor, command| format!("{actor}: {command} is answered, but was never sent");
    assert_eq!(auditor.violations(), [text("ben", "sit"), text("ann", "c2")]);
}

/// Gives several answers to one command, and returns the violations.
fn answered(answers: &[Answer]) -> Vec<String> {
    let auditor = auditor();
    auditor.sent(user_id(ANN), &command("sit", json!({"t": "sit"})));
    answers.iter().for_each(|answer| auditor.answered("ann", user_id(ANN), &command_id("sit"), *answer));
    auditor.violations()
}

#[test]
fn a_command_that_was_accepted_has_always_the_same_answer() {
    let accepted = Answer::Ack(match_id(1), 2);
    let refused = |code| Answer::Refused(Some(match_id(1)), code);
    assert!(answered(&[accepted, accepted]).is_empty());
    assert!(answered(&[refused(RefusalCode::SeatTaken), accepted]).is_empty(), "it was sent again");
    for code in [RefusalCode::Internal, RefusalCode::RateLimited, RefusalCode::Closing] {
        assert!(answered(&[accepted, refused(code), accepted]).is_empty(), "{code:?} decides nothing");
    }
    let others = [Answer::Ack(match_id(1), 3), Answer::Ack(match_id(2), 2), refused(RefusalCode::SeatTaken)];
    for other in others {
        let text = format!("ann: sit was {accepted}, and now it is {other}");
        assert_eq!(answered(&[accepted, other]), [text]);
    }
}

#[test]
fn an_event_is_committed_before_it_is_received() {
    let commits = Arc::new(DatabaseFaults::new(Chance::new(1), Trace::new(false)));
    let auditor = Auditor::new(Trace::new(false), Arc::<DatabaseFaults>::clone(&commits));
    auditor.event("ann", match_id(1), &entry(1, 0, "e2e4"));
    commits.committed(&appended(match_id(1), 2));
    auditor.event("ann", match_id(1), &entry(2, 0, "e2e4"));
    auditor.event("ann", match_id(2), &entry(3, 0, "e2e4"));
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
    auditor.event("ann", match_id(1), &entry(3, 0, "e2e4"));
    assert_eq!(auditor.violations(), [format!("ann: event 3 of {} is not committed yet", match_id(1))]);
}

#[test]
fn all_clients_receive_the_same_events() {
    let differs = [format!("ben: event 5 of {} differs from the one received before", match_id(1))];
    for different in [entry(5, 1_000, "d2d4"), entry(5, 1_001, "e2e4")] {
        let auditor = auditor();
        auditor.event("ann", match_id(1), &entry(5, 1_000, "e2e4"));
        auditor.event("ben", match_id(1), &entry(5, 1_000, "e2e4"));
        auditor.event("ben", match_id(1), &entry(6, 1_000, "d2d4"));
        auditor.event("ben", match_id(2), &entry(5, 1_000, "d2d4"));
        assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
        auditor.event("ben", match_id(1), &different);
        assert_eq!(auditor.violations(), differs);
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_shows_what_was_seen_long_before() {
    let auditor = auditor();
    auditor.event("ann", match_id(1), &entry(5, 0, "e2e4"));
    tokio::time::advance(Duration::from_secs(5)).await;
    auditor.event("ann", match_id(1), &entry(5, 0, "e2e4"));
    auditor.event("ann", match_id(1), &entry(6, 0, "d2d4"));
    tokio::time::advance(Duration::from_secs(7)).await;
    let shown = |match_number, seq, asked_at| {
        auditor.shown("ben", match_id(match_number), seq, asked_at);
        auditor.violations()
    };
    assert!(shown(1, 4, virtual_now()).is_empty(), "it may be late");
    tokio::time::advance(Duration::from_millis(1)).await;
    assert!(shown(1, 5, virtual_now()).is_empty(), "a later event may be late");
    assert!(shown(1, 4, virtual_now() - Duration::from_secs(1)).is_empty(), "it was asked before");
    assert!(shown(2, 4, virtual_now()).is_empty(), "this is another match");
    let text = format!("ben: {} is shown up to event 4, but 5 was seen long before", match_id(1));
    assert_eq!(shown(1, 4, virtual_now()), [text]);
}

#[test]
fn not_all_violations_are_kept() {
    let auditor = auditor();
    (0..30).for_each(|number| auditor.violation("ann", number));
    let kept: Vec<String> = (0..20).map(|number| format!("ann: {number}")).collect();
    assert_eq!(auditor.violations(), kept);
}

/// A command of a user with its answer, which may have been lost.
type Sent = (u128, &'static str, serde_json::Value, Option<Answer>);

fn mv(mv: &str) -> serde_json::Value {
    json!({"t": "move", "move": mv, "after": 4})
}

/// Returns the log of a match of Ann against Ben with two moves, which Ben has resigned.
fn played() -> Log {
    let log = Log::opened().then(seated(WHITE, ANN)).by(ANN, "sit").then(seated(BLACK, BEN)).by(BEN, "sit");
    let log = log.then(started()).then(moved(WHITE, "e2e4")).by(ANN, "m1");
    log.then(moved(BLACK, "e7e5")).by(BEN, "m1").then(ended()).by(BEN, "resign")
}

/// Returns the commands of [`played`].
fn commands() -> Vec<Sent> {
    let ack = |seq| Some(Answer::Ack(match_id(1), seq));
    vec![
        (ANN, "sit", json!({"t": "sit"}), ack(2)),
        (BEN, "sit", json!({"t": "sit"}), ack(3)),
        (ANN, "m1", mv("e2e4"), ack(5)),
        (BEN, "m1", mv("e7e5"), ack(6)),
        (BEN, "resign", json!({"t": "resign"}), ack(7)),
    ]
}

/// Compares a log with these commands, and with the events of another log that were received.
async fn compared(log: &Log, sent: Vec<Sent>, received: &Log) -> (Audited, Vec<String>) {
    let auditor = auditor();
    for (by, id, fields, answer) in sent {
        auditor.sent(user_id(by), &command(id, fields));
        if let Some(answer) = answer {
            auditor.answered("a client", user_id(by), &command_id(id), answer);
        }
    }
    for row in &received.0 {
        let entry = samples::entry(row.seq, row.at.as_millis(), row.event.clone());
        auditor.event("a client", match_id(1), &entry);
    }
    let stored = Stored::with(log).await;
    let audited = auditor.compare(&stored.store, &[match_id(1)], None).await.unwrap();
    (audited, auditor.violations())
}

#[tokio::test(start_paused = true)]
async fn a_right_log_is_accepted() {
    let mut sent = commands();
    sent.push((BEN, "late", mv("d7d5"), Some(Answer::Refused(Some(match_id(1)), RefusalCode::Ended))));
    let (audited, violations) = compared(&played(), sent, &played()).await;
    assert!(violations.is_empty(), "{violations:?}");
    let expected = Audited {
        matches: 1,
        ended: 1,
        events: 7,
        acknowledged: 5,
        refused: 1,
        match_ms: 6_000,
        ..Audited::default()
    };
    assert_eq!(audited, expected);
}

#[tokio::test(start_paused = true)]
async fn a_log_without_observations_is_accepted() {
    let running = Log(played().0[..6].to_vec());
    let (audited, violations) = compared(&running, Vec::new(), &Log(Vec::new())).await;
    assert!(violations.is_empty(), "{violations:?}");
    assert_eq!((audited.matches, audited.ended, audited.acknowledged), (1, 0, 0));
}

/// Returns the violation of a log with these commands.
async fn violation(log: &Log, sent: Vec<Sent>) -> String {
    let (_, violations) = compared(log, sent, &Log(Vec::new())).await;
    let [violation] = violations.as_slice() else { panic!("{violations:?}") };
    violation.replace(&format!("the log: {}: ", match_id(1)), "")
}

#[tokio::test(start_paused = true)]
async fn an_acknowledged_command_is_in_the_log_under_its_number() {
    let ann = user_id(ANN);
    let with = |change: &dyn Fn(&mut Vec<Sent>)| {
        let mut sent = commands();
        change(&mut sent);
        sent
    };
    let lost = with(&|sent| sent.push((ANN, "m2", mv("d2d4"), Some(Answer::Ack(match_id(1), 8)))));
    assert_eq!(violation(&played(), lost).await, format!("m2 of {ann} was acknowledged and is lost"));
    let otherwise = with(&|sent| sent[2].3 = Some(Answer::Ack(match_id(1), 6)));
    let text = format!("m1 of {ann} was acknowledged as 6 and ends at 5");
    assert_eq!(violation(&played(), otherwise).await, text);
    let other_move = with(&|sent| sent[2].2 = mv("d2d4"));
    let text = format!("m1 of {ann} was acknowledged with another move");
    assert_eq!(violation(&played(), other_move).await, text);
}

#[tokio::test(start_paused = true)]
async fn a_refused_command_is_not_in_the_log() {
    let mut sent = commands();
    sent[2].3 = Some(Answer::Refused(Some(match_id(1)), RefusalCode::NotYourTurn));
    let text = format!("m1 of {} was refused as NotYourTurn and is there", user_id(ANN));
    assert_eq!(violation(&played(), sent.clone()).await, text);
    sent[2].3 = Some(Answer::Refused(Some(match_id(2)), RefusalCode::OtherMatch));
    let (_, violations) = compared(&played(), sent, &Log(Vec::new())).await;
    assert!(violations.is_empty(), "it was refused in another match: {violations:?}");
    let mut sent = commands();
    sent.push((ANN, "next", mv("d2d4"), Some(Answer::Ack(match_id(2), 5))));
    let (_, violations) = compared(&played(), sent, &Log(Vec::new())).await;
    assert!(violations.is_empty(), "it was accepted in another match: {violations:?}");
}

#[tokio::test(start_paused = true)]
async fn commands_in_the_log_were_sent() {
    let mut sent = commands();
    sent[2].3 = None;
    let (_, violations) = compared(&played(), sent.clone(), &Log(Vec::new())).await;
    assert!(violations.is_empty(), "the answer was lost: {violations:?}");
    sent.remove(2);
    let text = format!("m1 of {} is there and was never acknowledged", user_id(ANN));
    assert_eq!(violation(&played(), sent.clone()).await, text);
    sent.remove(0);
    let (_, violations) = compared(&played(), sent, &Log(Vec::new())).await;
    assert!(violations.is_empty(), "a user who sends nothing is a bot of the server: {violations:?}");
}

#[tokio::test(start_paused = true)]
async fn the_rules_allow_the_events_of_a_log() {
    let wrong = Log::started().then(moved(WHITE, "e2e5"));
    let found = violation(&wrong, Vec::new()).await;
    assert!(found.starts_with("the rules do not allow it: event 5"), "{found}");
}

#[tokio::test(start_paused = true)]
async fn the_stored_seat_holders_follow_from_the_log() {
    let stored = Stored::with(&Log::started()).await;
    let auditor = auditor();
    auditor.compare(&stored.store, &[match_id(1)], None).await.unwrap();
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
    stored.run("update seat_holders set is_playing = 0").await;
    auditor.compare(&stored.store, &[match_id(1)], None).await.unwrap();
    let violations = auditor.violations();
    let text = format!("the log: {}: the seat holders are ", match_id(1));
    assert!(violations.len() == 1 && violations[0].starts_with(&text), "{violations:?}");
}

#[tokio::test(start_paused = true)]
async fn the_log_has_the_events_that_were_received() {
    let received = |rows: usize| Log(played().0[..rows].to_vec());
    let (_, violations) = compared(&played(), commands(), &received(3)).await;
    assert!(violations.is_empty(), "{violations:?}");
    let (_, violations) = compared(&received(6), commands()[..4].to_vec(), &played()).await;
    let beyond = format!("the log: {}: event 7 was received, but the log ends at 6", match_id(1));
    assert_eq!(violations, [beyond]);
    let mut other = played();
    other.0[4].event = moved(WHITE, "d2d4");
    other.0[5].at = other.0[5].at + Duration::from_millis(1);
    let (_, violations) = compared(&played(), commands(), &other).await;
    let otherwise = |seq| format!("the log: {}: event {seq} was received otherwise", match_id(1));
    assert_eq!(violations, [otherwise(5), otherwise(6)]);
}

#[tokio::test(start_paused = true)]
async fn a_match_that_was_received_is_in_the_database() {
    let stored = Stored::with(&played()).await;
    let auditor = auditor();
    auditor.event("ann", match_id(1), &entry(1, 0, "e2e4"));
    auditor.event("ann", match_id(8), &entry(1, 0, "e2e4"));
    let _ = auditor.compare(&stored.store, &[], None).await.unwrap();
    let text = format!("the log: {} was received, but is not in the database", match_id(1));
    assert_eq!(auditor.violations(), [text]);
}

/// Gives Ann an empty lobby, and compares it with a table whose log becomes longer meanwhile.
async fn compared_lobby(before: &Log, after: &Log) -> (u64, Vec<String>) {
    let auditor = auditor();
    let mut mirror = ListMirror::default();
    let counts = LobbyCounts { open: 0, running: 0, players: 0 };
    let frame = ServerFrame::Lobby { tables: vec![], counts, activity: Activity::default() };
    mirror.apply(&frame).unwrap();
    auditor.set_lists("ann", user_id(ANN), Some(mirror));
    let mut stored = Stored::with(before).await;
    let (store, tables) = (stored.store.clone(), stored.tables());
    let later = async || {
        stored.write(1, after).await;
        Ok(stored.tables())
    };
    (auditor.compare_lists(&store, &tables, later).await.unwrap(), auditor.violations())
}

#[tokio::test(start_paused = true)]
async fn lists_are_compared_with_the_tables_that_do_not_change() {
    let (open, running) = (Log::opened().then(seated(WHITE, ANN)), Log::started());
    let (lists, violations) = compared_lobby(&running, &running).await;
    assert_eq!((lists, violations.len()), (1, 1), "{violations:?}");
    assert!(violations[0].starts_with(&format!("ann: the lobby lacks {}", table_id(1))), "{violations:?}");
    let (lists, violations) = compared_lobby(&open, &Log::started()).await;
    assert_eq!((lists, violations), (1, Vec::new()), "the table changes");
}

#[tokio::test(start_paused = true)]
async fn the_logs_of_tables_are_compared_with_what_users_could_do() {
    let kicked = Log::opened().then(seated(BLACK, BEN)).by(BEN, "sit");
    let kicked = kicked.then(vacated(BLACK, VacateReason::Kicked)).by(ANN, "kick");
    let kicked = kicked.then(seated(BLACK, BEN)).by(BEN, "sit-again");
    let host = Log::opened().then(seated(WHITE, ANN)).by(ANN, "sit").then(seated(BLACK, BEN)).by(BEN, "sit");
    let host = host.then(vacated(WHITE, VacateReason::Left)).by(ANN, "leave");
    let rematched = played().then(Event::Rematched { match_id: match_id(9) });
    let mut stored = Stored::empty().await;
    for (number, log) in (1..).zip([kicked, host, rematched]) {
        stored.write(number, &log).await;
    }
    let auditor = auditor();
    auditor.compare_tables(&stored.store, &stored.tables(), None, &mut Audited::default()).await.unwrap();
    let violations = auditor.violations();
    let expected = ["a kicked user sits again", "the host left by event", "names the next matches"];
    for (expected, table) in expected.into_iter().zip(1..) {
        let is_it = |text: &&String| text.contains(expected) && text.contains(&match_id(table).to_string());
        assert_eq!(violations.iter().filter(is_it).count(), 1, "{expected}: {violations:?}");
    }
}

/// White was there for five minutes, and the log of these minutes says otherwise.
#[tokio::test(start_paused = true)]
async fn absences_are_compared_by_the_time_of_the_server() {
    let away = Event::Moved {
        color: WHITE,
        mv: "e2e4".parse().unwrap(),
        left_ms: None,
        away_ms: 100_000,
        lag_ms: 0,
    };
    let stored = Stored::with(&Log::started().after_ms(150_000, away)).await;
    let hour = Duration::from_hours(1);
    let behind = Timestamp::from_millis(BEGIN.as_millis() - 3_600_000);
    for (shown, violations) in [(behind, 1), (BEGIN, 0)] {
        let auditor = auditor();
        auditor.add_start(shown, 0);
        tokio::time::advance(hour).await;
        let network = Network::new(Chance::new(1), 1);
        let mut attendance = auditor.attend(user_id(ANN), table_id(1), &network, "ann");
        attendance.received(true);
        tokio::time::advance(Duration::from_mins(5)).await;
        attendance.received(false);
        let (tables, service) = (stored.tables(), Some(Service::OneServer));
        auditor.compare_tables(&stored.store, &tables, service, &mut Audited::default()).await.unwrap();
        let invented = auditor.violations().into_iter().filter(|text| text.contains("was away for 100s"));
        assert_eq!(invented.count(), violations, "{shown:?}: {:?}", auditor.violations());
    }
}
