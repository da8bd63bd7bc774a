use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{Activity, LobbyCounts, TableStatus};
use quadrex_protocol::view::Phase;
use serde_json::json;

use super::super::samples::{
    ANN, BEN, BLACK, BOT, CAT, Log, WHITE, auditor, command, command_id, ended, entry, match_id, moved,
    own_table, seated, started, summary, table_id, user_id, vacated,
};
use super::*;

/// Returns an auditor that knows the private table 1 of Ann and Ben.
fn with_private_table() -> Auditor {
    let auditor = auditor();
    auditor.add_private_table(table_id(1), [ANN, BEN].map(user_id).into());
    auditor
}

/// Returns the frames that have something of a table.
fn frames_of(table: u128) -> Vec<ServerFrame> {
    let (table_id, match_id) = (table_id(table), match_id(table));
    let entry = entry(2, 0, seated(WHITE, ANN));
    vec![
        ServerFrame::OwnTable { table: own_table(summary(table, Phase::Open, &[])) },
        ServerFrame::Presence { table: table_id, players: Vec::new(), spectators: 0, link_visitors: vec![] },
        ServerFrame::Ack { table: table_id, match_id, cmd: command_id("c"), seq: 2 },
        ServerFrame::Watching { table: table_id, match_id, seq: 2 },
        ServerFrame::Skip { table: table_id, match_id, seq: 2 },
        ServerFrame::Event {
            table: table_id,
            match_id,
            entry,
            state: Default::default(),
            legal_moves: None,
            hints: None,
        },
    ]
}

#[test]
fn members_receive_the_frames_of_a_private_table_and_others_do_not() {
    for frame in frames_of(1) {
        let auditor = with_private_table();
        auditor.frame("ann", user_id(ANN), &frame);
        assert!(auditor.violations().is_empty(), "{frame:?}");
        auditor.frame("cat", user_id(CAT), &frame);
        let text = format!("cat: receives a frame of the private table {}", table_id(1));
        assert_eq!(auditor.violations(), [text], "{frame:?}");
    }
}

#[test]
fn everybody_receives_the_frames_of_a_public_table() {
    let auditor = with_private_table();
    frames_of(2).iter().for_each(|frame| auditor.frame("cat", user_id(CAT), frame));
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
}

#[test]
fn a_user_with_a_link_becomes_a_member_of_a_private_table() {
    let auditor = with_private_table();
    auditor.add_member(table_id(1), user_id(CAT));
    auditor.add_member(table_id(2), user_id(CAT));
    frames_of(1).iter().for_each(|frame| auditor.frame("cat", user_id(CAT), frame));
    frames_of(2).iter().for_each(|frame| auditor.frame("ben", user_id(BEN), frame));
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
}

#[test]
fn the_lobby_lists_no_private_table() {
    let summaries = || vec![summary(2, Phase::Open, &[]), summary(1, Phase::Open, &[])];
    let status = |table| TableStatus { table: table_id(table), turn: None, plies: 0, spectators: 0 };
    let counts = LobbyCounts { open: 0, running: 0, players: 0 };
    let listing = [
        ServerFrame::Lobby { tables: summaries(), counts, activity: Activity::default() },
        ServerFrame::LobbyTable { table: summary(1, Phase::Open, &[]) },
        ServerFrame::LobbyPreview { tables: vec![status(2), status(1)], counts: None, activity: None },
    ];
    for frame in listing {
        let auditor = auditor();
        auditor.frame("ann", user_id(ANN), &frame);
        assert!(auditor.violations().is_empty(), "the tables are public: {frame:?}");
        let auditor = with_private_table();
        auditor.frame("ann", user_id(ANN), &frame);
        let text = format!("ann: the lobby lists the private table {}", table_id(1));
        assert_eq!(auditor.violations(), [text], "{frame:?}");
    }
}

/// Returns the logs of table 1 with one match.
fn logs(log: Log) -> TableLogs {
    TableLogs { table: table_id(1), matches: vec![(match_id(1), log.0)] }
}

/// Lets Ann kick the player of Black, with this answer.
fn kick(auditor: &Auditor, answer: Answer) {
    auditor.sent(user_id(ANN), &command("kick", json!({"t": "kick", "color": "black"})));
    auditor.answered("ann", user_id(ANN), &command_id("kick"), answer);
}

/// Returns a log in which Ben has lost his seat by event 4.
fn kicked(reason: VacateReason) -> Log {
    let log = Log::opened().then(seated(WHITE, ANN)).by(ANN, "sit").then(seated(BLACK, BEN)).by(BEN, "sit");
    log.then(vacated(BLACK, reason)).by(ANN, "kick")
}

/// Lets a user receive an event.
fn receives(auditor: &Auditor, user: u128, match_number: u128, seq: u64) {
    let frame = ServerFrame::Skip { table: table_id(1), match_id: match_id(match_number), seq };
    auditor.frame("a client", user_id(user), &frame);
}

#[test]
fn a_kicked_user_does_not_sit_again() {
    for reason in [VacateReason::Kicked, VacateReason::Left] {
        let auditor = auditor();
        kick(&auditor, Answer::Ack(match_id(1), 4));
        auditor.check_kicks(&logs(kicked(reason).then(seated(BLACK, CAT)).then(started())));
        assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
        auditor.check_kicks(&logs(kicked(reason).then(seated(BLACK, BEN))));
        let text = format!("the log: {}: a kicked user sits again at event 5", match_id(1));
        assert_eq!(auditor.violations(), [text], "{reason:?}");
    }
}

#[test]
fn a_kicked_user_does_not_sit_in_the_next_match_either() {
    let auditor = auditor();
    let first = kicked(VacateReason::Kicked).then(seated(BLACK, CAT)).then(started()).then(ended());
    let next = Log::opened().then(seated(WHITE, ANN)).then(seated(BLACK, BEN));
    let matches = vec![(match_id(1), first.0), (match_id(2), next.0)];
    auditor.check_kicks(&TableLogs { table: table_id(1), matches });
    let text = format!("the log: {}: a kicked user sits again at event 3", match_id(2));
    assert_eq!(auditor.violations(), [text]);
}

#[test]
fn a_user_who_left_and_a_bot_may_sit_again() {
    let left = auditor();
    left.check_kicks(&logs(kicked(VacateReason::Left).then(seated(BLACK, BEN))));
    assert!(left.violations().is_empty(), "{:?}", left.violations());

    let refused = auditor();
    kick(&refused, Answer::Refused(Some(match_id(1)), RefusalCode::Forbidden));
    refused.check_kicks(&logs(kicked(VacateReason::Left).then(seated(BLACK, BEN))));
    assert!(refused.violations().is_empty(), "{:?}", refused.violations());

    let bot = auditor();
    let log = Log::opened().then(seated(BLACK, BOT)).then(vacated(BLACK, VacateReason::Kicked));
    bot.check_kicks(&logs(log.then(seated(BLACK, BOT))));
    assert!(bot.violations().is_empty(), "{:?}", bot.violations());
}

#[test]
fn a_kicked_user_receives_no_more_of_a_private_table() {
    let log = || kicked(VacateReason::Kicked).then(seated(BLACK, CAT)).then(started());
    let log = || log().then(moved(WHITE, "e2e4"));
    let auditor = with_private_table();
    auditor.add_member(table_id(1), user_id(CAT));
    receives(&auditor, BEN, 1, 4);
    receives(&auditor, CAT, 1, 7);
    auditor.check_kicks(&logs(log()));
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
    receives(&auditor, BEN, 1, 5);
    receives(&auditor, BEN, 1, 3);
    auditor.check_kicks(&logs(log()));
    let text = format!("the log: {}: a user kicked by event 4 has received event 5", match_id(1));
    assert_eq!(auditor.violations(), [text]);
}

#[test]
fn a_kicked_user_receives_nothing_of_the_next_match_of_a_private_table() {
    let auditor = with_private_table();
    receives(&auditor, BEN, 2, 1);
    let next = Log::opened().then(seated(WHITE, ANN));
    let matches = vec![(match_id(1), kicked(VacateReason::Kicked).0), (match_id(2), next.0)];
    auditor.check_kicks(&TableLogs { table: table_id(1), matches });
    let text = format!("the log: {}: a user kicked by event 4 has received event 1", match_id(2));
    assert_eq!(auditor.violations(), [text]);
}

#[test]
fn a_kicked_user_may_watch_a_public_table() {
    let auditor = auditor();
    receives(&auditor, BEN, 1, 5);
    auditor.check_kicks(&logs(kicked(VacateReason::Kicked).then(seated(BLACK, CAT))));
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
}
