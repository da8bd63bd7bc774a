//! Tests of matches that are replayed from their logs.

use quadrex_protocol::event::VacateReason;
use quadrex_protocol::{Event, RequestAction};
use quadrex_rules::{Cause, Color, Request, Timestamp, Variant};

use super::{Fixture, IDENTITY, MATCH, draw, nonce, opened, person, sit, takeback, terms, terms_from};
use crate::{Action, CorruptLog, History, NumberedEvent, state_view, summary, table_view};

fn replay(log: Vec<NumberedEvent>) -> Result<History, CorruptLog> {
    History::replay(IDENTITY, log)
}

/// Returns a match with every kind of event that takes few commands.
fn played() -> Fixture {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("ann", sit(Some(Color::Red), None)).unwrap();
    fixture.execute("ann", Action::Leave).unwrap();
    fixture.execute("ben", sit(Some(Color::Red), None)).unwrap();
    fixture.execute("host", Action::Kick { color: Color::Red }).unwrap();
    for color in [Color::Red, Color::Blue, Color::Yellow] {
        fixture.execute(color.name(), sit(Some(color), None)).unwrap();
    }
    fixture.sit_last(Color::Green, 0);
    fixture.play("red", "h2h4").unwrap();
    fixture.execute("yellow", draw(RequestAction::Ask)).unwrap();
    fixture.execute("red", draw(RequestAction::Decline)).unwrap();
    fixture.execute("red", takeback(RequestAction::Ask)).unwrap();
    for by in ["blue", "yellow", "green"] {
        fixture.execute(by, takeback(RequestAction::Accept)).unwrap();
    }
    fixture.play("red", "d2d3").unwrap();
    fixture.play("blue", "b7c7").unwrap();
    for by in ["green", "yellow", "red"] {
        fixture.execute(by, Action::Resign).unwrap();
    }
    fixture
}

#[test]
fn a_replayed_match_equals_the_played_match() {
    let fixture = played();
    for length in 1..=fixture.log.len() {
        let again = replay(fixture.log[..length].to_vec()).unwrap();
        assert_eq!(again.state().head(), length as u64);
        assert_eq!(again.entries(), &fixture.history.entries()[..length]);
    }
    let again = replay(fixture.log.clone()).unwrap();
    let view = |history: &History| {
        table_view(history.state(), history.entries(), &Default::default(), Vec::new(), fixture.now())
    };
    assert_eq!(view(&again), view(&fixture.history));
    assert_eq!(summary(again.state()), summary(fixture.state()));
}

#[test]
fn a_second_replay_gives_the_state_after_each_event() {
    let fixture = played();
    let mut visited = Vec::new();
    fixture.history.replay_from(3, |entry, state| {
        assert_eq!(entry.seq, state.head());
        visited.push(entry.clone());
        let then = replay(fixture.log[..visited.len() + 3].to_vec()).unwrap();
        assert_eq!(state_view(state, fixture.now()), state_view(then.state(), fixture.now()));
    });
    assert_eq!(visited, fixture.history.entries()[3..]);
}

/// Each of these logs is corrupt at its last event. The error contains the match and the number of
/// that event.
#[test]
fn the_error_for_a_corrupt_log_contains_the_match_and_the_event() {
    let played = played();
    let before_start = &played.log[..5];
    let running = &played.log[..11];
    let asked = &played.log[..12];
    let moved = |color, mv: &str| Event::Moved {
        color,
        mv: mv.parse().unwrap(),
        left_ms: None,
        away_ms: 0,
        lag_ms: 0,
    };
    let seated = |color| Event::Seated { color, user: person("ann"), nonce: nonce("n") };
    let started = played.log[9].event.clone();
    assert!(matches!(started, Event::Started { .. }), "{started:?}");
    let wrong = [
        (before_start, played.log[0].event.clone()),
        (before_start, Event::Vacated { color: Color::Red, reason: VacateReason::Left }),
        (before_start, seated(Color::White)),
        (before_start, started.clone()),
        (before_start, moved(Color::Red, "h2h4")),
        (before_start, played.log.last().unwrap().event.clone()),
        (running, seated(Color::Red)),
        (running, Event::Vacated { color: Color::Red, reason: VacateReason::Kicked }),
        (running, Event::HostChanged { host: person("red") }),
        (before_start, Event::HostChanged { host: person("ann") }),
        (running, Event::Closed { reason: None }),
        (running, started),
        (running, moved(Color::Red, "e2e4")),
        (running, moved(Color::Blue, "h2h4")),
        (running, moved(Color::Blue, "b7b9")),
        (running, Event::Requested { request: Request::Draw, color: Color::White }),
        (running, Event::Agreed { request: Request::Draw, color: Color::Blue }),
        (running, Event::Declined { request: Request::Takeback, color: Color::Blue }),
        (running, Event::TakenBack { plies: 0, left_ms: None, away_ms: 0 }),
        (running, Event::TakenBack { plies: 2, left_ms: None, away_ms: 0 }),
        (asked, Event::Requested { request: Request::Draw, color: Color::Blue }),
        (asked, Event::Agreed { request: Request::Draw, color: Color::Yellow }),
        (&played.log, Event::Eliminated { color: Color::Blue, cause: Cause::Resign, by: vec![] }),
        (&played.log, moved(Color::Blue, "b8c8")),
    ];
    for (log, event) in wrong {
        let seq = log.len() as u64 + 1;
        let mut log = log.to_vec();
        log.push(NumberedEvent { seq, at: Timestamp::from_millis(9_000_000), event: event.clone() });
        let error = replay(log).unwrap_err();
        assert_eq!((error.match_id, error.seq), (MATCH, seq), "{event:?}");
        assert!(error.to_string().contains(&MATCH.to_string()), "{error}");
    }
}

#[test]
fn a_log_without_its_first_event_is_corrupt() {
    assert_eq!(replay(Vec::new()).unwrap_err().seq, 1);
    let fixture = played();
    assert_eq!(replay(fixture.log[1..].to_vec()).unwrap_err().seq, 2, "the log does not begin with `opened`");
    let mut log = fixture.log[..1].to_vec();
    if let Event::Opened { settings, .. } = &mut log[0].event {
        settings.setup = Some("rubbish".to_owned());
    }
    assert_eq!(replay(log).unwrap_err().seq, 1);
}

/// S1: a start position in which the game is over is refused, by a new table and by a replay.
#[test]
fn a_start_position_of_a_finished_game_is_refused() {
    let stalemate = terms_from(Variant::Classic, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let log = vec![NumberedEvent { seq: 1, at: Timestamp::from_millis(0), event: opened(&stalemate) }];
    assert_eq!(replay(log).unwrap_err().seq, 1);
}
