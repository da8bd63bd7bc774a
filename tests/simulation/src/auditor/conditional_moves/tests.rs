use quadrex_rules::{GameCommand, Request as Wish, Timestamp};

use super::super::samples::{ANN, BEN, BLACK, Log, WHITE, auditor, correspondence, match_id, user_id};
use super::*;

/// The number of the last event before the first move.
const STARTED: u64 = 4;

/// Adds a move that a player sends some time after the last event.
fn played(log: Log, later_ms: u64, color: Color, mv: &str) -> Log {
    log.played(later_ms, color, mv).by(if color == WHITE { ANN } else { BEN }, mv)
}

/// Adds a conditional move of Ben.
fn made(log: Log, mv: &str) -> Log {
    log.played(100, BLACK, mv).by(BEN, &format!("conditional-{mv}"))
}

/// Returns a line of moves, of which the first one is White's.
fn line(moves: &[&str]) -> ConditionalLine {
    let colors = [WHITE, BLACK].into_iter().cycle();
    moves.iter().zip(colors).map(|(mv, color)| ConditionalStep { color, mv: mv.parse().ok() }).collect()
}

/// A request of Ben and its answer: whether the moves are stored, and the last event then.
type Sent<'a> = (u64, &'a [ConditionalLine], Option<(bool, u64)>);

/// Returns what is wrong about a log after requests of Ben that were answered one after the other.
fn check(log: &Log, requests: &[Sent]) -> Vec<String> {
    let mut moves = ConditionalMoves::default();
    for (index, (after, lines, answer)) in requests.iter().enumerate() {
        let answer = answer.map(|(is_stored, head)| Answer { is_stored, head, requests: index + 1 });
        let (user, match_id, sent_head) = (user_id(BEN), match_id(1), *after);
        moves.0.push(Request { user, match_id, after: *after, lines: lines.to_vec(), sent_head, answer });
    }
    moves.check(match_id(1), &log.0, Some(&Outages::default()))
}

fn unknown(seq: u64, mv: &str) -> Vec<String> {
    vec![format!("conditional-{mv} makes a move in event {seq} that is not stored")]
}

#[test]
fn only_moves_that_were_stored_are_made() {
    let lines = [line(&["d2d4", "d7d5"]), line(&["e2e4", "e7e5", "g1f3", "b8c6"]), line(&["e2e4", "c7c5"])];
    let stored = (STARTED, &lines[..], Some((true, STARTED)));
    let log = made(played(correspondence(), 1_000, WHITE, "e2e4"), "e7e5");
    assert_eq!(check(&log, &[]), unknown(6, "e7e5"));
    assert!(check(&log, &[stored]).is_empty());
    assert!(check(&log, &[(STARTED, &lines, None)]).is_empty(), "the answer may be lost");
    assert_eq!(check(&log, &[(STARTED, &lines, Some((false, STARTED)))]), unknown(6, "e7e5"));
    assert_eq!(
        check(&log, &[(5, &lines, Some((true, 5)))]),
        unknown(6, "e7e5"),
        "the first move came before"
    );
    let second = made(played(log, 1_000, WHITE, "g1f3"), "b8c6");
    assert!(check(&second, &[stored]).is_empty());
    let other = made(played(correspondence(), 1_000, WHITE, "e2e4"), "c7c5");
    assert_eq!(check(&other, &[stored])[..1], unknown(6, "c7c5"), "the first line counts");
    let of_other_match = ConditionalMoves(vec![Request {
        user: user_id(BEN),
        match_id: match_id(2),
        after: STARTED,
        lines: lines.to_vec(),
        sent_head: STARTED,
        answer: None,
    }]);
    assert_eq!(of_other_match.check(match_id(1), &other.0, None), unknown(6, "c7c5"));
}

#[test]
fn a_move_that_was_replaced_is_not_made() {
    let (first, second) = ([line(&["e2e4", "e7e5"])], [line(&["e2e4", "c7c5"])]);
    let log = made(played(correspondence(), 1_000, WHITE, "e2e4"), "e7e5");
    let stored = (STARTED, &first[..], Some((true, STARTED)));
    let replaced = |answer| check(&log, &[stored, (STARTED, &second[..], answer)]);
    assert_eq!(replaced(Some((true, STARTED)))[..1], unknown(6, "e7e5"));
    assert!(replaced(Some((true, 6))).is_empty(), "the answer arrived later");
    assert!(replaced(Some((false, STARTED))).is_empty());
    assert!(replaced(None).is_empty());
    let removed = check(&log, &[stored, (STARTED, &[], Some((true, STARTED)))]);
    assert_eq!(removed, unknown(6, "e7e5"));
}

#[test]
fn moves_end_with_a_takeback() {
    let lines = [line(&["e2e4", "e7e5"])];
    let stored = (STARTED, &lines[..], Some((true, STARTED)));
    let request = Wish::Takeback;
    let log = played(correspondence(), 1_000, WHITE, "e2e4");
    let log = log.decided(1_000, &GameCommand::Ask { request, color: WHITE });
    let log = log.decided(1_000, &GameCommand::Agree { request, color: BLACK });
    let log = made(played(log, 1_000, WHITE, "e2e4"), "e7e5");
    assert_eq!(check(&log, &[stored]), unknown(log.0.len() as u64, "e7e5"));
}

#[test]
fn a_move_whose_conditions_are_met_is_made_at_once() {
    let lines = [line(&["e2e4", "e7e5", "g1f3", "b8c6"])];
    let stored = (STARTED, &lines[..], Some((true, STARTED)));
    let late = |seq, mv, passed: u64| {
        let passed = Duration::from_millis(passed);
        vec![format!("black had stored {mv}, and nothing was played for {passed:?} after event {seq}")]
    };
    let open = || played(correspondence(), 1_000, WHITE, "e2e4");
    let other = |later_ms| open().played(later_ms, BLACK, "c7c5").by(BEN, "c7c5");
    assert_eq!(check(&other(10_001), &[stored]), late(5, "e7e5", 10_001));
    assert!(check(&other(10_000), &[stored]).is_empty(), "Ben was faster");
    assert!(check(&other(10_001), &[(STARTED, &lines, None)]).is_empty());
    assert!(check(&open(), &[stored]).is_empty(), "nothing has happened since");
    let second = played(made(open(), "e7e5"), 1_000, WHITE, "g1f3").played(10_001, BLACK, "d7d6");
    assert_eq!(check(&second.by(BEN, "d7d6"), &[stored]), late(7, "b8c6", 10_001));
    let differs = played(correspondence(), 1_000, WHITE, "d2d4").played(60_000, BLACK, "d7d5");
    assert!(check(&differs.by(BEN, "d7d5"), &[stored]).is_empty());
    let illegal = [line(&["e2e4", "e7e4"])];
    assert!(check(&other(10_001), &[(STARTED, &illegal, Some((true, STARTED)))]).is_empty());
    let request = Wish::Pause;
    let paused = open().decided(100, &GameCommand::Ask { request, color: BLACK });
    let paused = paused.decided(100, &GameCommand::Agree { request, color: WHITE });
    let paused = paused.after_ms(0, Event::Paused {}).after_ms(60_000, Event::Resumed {});
    assert!(check(&paused.played(1_000, BLACK, "c7c5").by(BEN, "c7c5"), &[stored]).is_empty());
}

#[test]
fn a_move_may_be_late_after_an_outage_or_if_others_may_be_stored() {
    let (lines, others) = ([line(&["e2e4", "e7e5"])], [line(&["d2d4", "d7d5"])]);
    let stored = (STARTED, &lines[..], Some((true, STARTED)));
    let log = played(correspondence(), 1_000, WHITE, "e2e4").played(20_000, BLACK, "c7c5").by(BEN, "c7c5");
    assert_eq!(check(&log, &[stored]).len(), 1);
    for later in [None, Some((true, STARTED))] {
        assert!(check(&log, &[stored, (STARTED, &others, later)]).is_empty(), "{later:?}");
    }
    assert_eq!(check(&log, &[stored, (STARTED, &others, Some((false, STARTED)))]).len(), 1);
    assert_eq!(check(&log, &[stored, (6, &others, None)]).len(), 1, "it was sent later");
    assert!(check(&log, &[(STARTED, &others, None), stored]).is_empty(), "it may be executed later");
    assert_eq!(check(&log, &[(STARTED, &others, Some((true, STARTED))), stored]).len(), 1);
    let at = |seq: usize, later_ms: u64| log.0[seq - 1].at + Duration::from_millis(later_ms);
    let check_with = |since: Timestamp, until: Timestamp| {
        let mut outages = Outages::default();
        outages.add(since, until);
        let answer = Some(Answer { is_stored: true, head: STARTED, requests: 1 });
        let (user, match_id, lines) = (user_id(BEN), match_id(1), lines.to_vec());
        let request = Request { user, match_id, after: STARTED, lines, sent_head: STARTED, answer };
        ConditionalMoves(vec![request]).check(match_id, &log.0, Some(&outages))
    };
    assert!(check_with(at(5, 0), at(5, 10_000)).is_empty());
    assert_eq!(check_with(at(5, 0), at(5, 9_999)).len(), 1);
}

#[test]
fn the_answers_to_requests_are_kept() {
    let auditor = auditor();
    let lines = [line(&["e2e4", "e7e5"])];
    let log = made(played(correspondence(), 1_000, WHITE, "e2e4"), "e7e5");
    let wrong = |auditor: &Auditor| auditor.check_correspondence(match_id(1), &log.0, None);
    assert_eq!(wrong(&auditor), unknown(6, "e7e5"));
    let request = auditor.conditional_moves_sent(user_id(BEN), match_id(1), STARTED, &lines);
    assert!(wrong(&auditor).is_empty());
    auditor.conditional_moves_answered(request, false);
    assert_eq!(wrong(&auditor), unknown(6, "e7e5"));
    let request = auditor.conditional_moves_sent(user_id(BEN), match_id(1), STARTED, &lines);
    auditor.conditional_moves_answered(request, true);
    assert!(wrong(&auditor).is_empty());
}
