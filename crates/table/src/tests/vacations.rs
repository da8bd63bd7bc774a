//! Tests of vacations in correspondence matches.

use std::time::Duration;

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::VacationView;
use quadrex_protocol::{Event, RequestAction};
use quadrex_rules::{Color, Reason, Timestamp, Variant};

use super::{Fixture, IDENTITY, pause, person, plain, terms, terms_of};
use crate::{Action, Deadline, History, TableCommand, Timer, Vacation, state_view};

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// A correspondence match with a day for each turn, in which White and Black have moved once.
fn correspondence() -> Fixture {
    let time = Some(TimeSetting::Correspondence { days: 1 });
    let mut fixture = Fixture::started(&terms_of(CreateTable { time, ..plain(Variant::Classic) }), 0);
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    fixture
}

fn advance(fixture: &mut Fixture, by: Duration) {
    fixture.advance_ms(u64::try_from(by.as_millis()).unwrap());
}

/// Lets the match look up the vacations of its players until nothing changes: those of these people, from
/// `since` on.
fn update(fixture: &mut Fixture, vacations: &[(&str, Timestamp, Timestamp)]) -> Vec<Event> {
    let vacation = |&(name, since, until): &(&str, Timestamp, Timestamp)| Vacation {
        user: person(name).id,
        since,
        until,
    };
    let command = TableCommand::UpdateVacations(vacations.iter().map(vacation).collect());
    let mut changes = Vec::new();
    while let Ok(events) = fixture.state().decide(&command, fixture.now()) {
        assert_eq!(events.len(), 1, "each change is a command of its own: {events:?}");
        fixture.apply_events(&events);
        changes.extend(events);
    }
    changes
}

fn left(fixture: &Fixture, color: Color) -> Duration {
    let clock = state_view(fixture.state(), fixture.now()).clock.unwrap();
    Duration::from_millis(clock.left_ms[&color])
}

/// The state after the log is read again is the same.
fn check_replay(fixture: &Fixture) {
    let replayed = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    let now = fixture.now();
    assert_eq!(state_view(replayed.state(), now), state_view(fixture.state(), now));
    assert_eq!(replayed.state().next_deadline(), fixture.state().next_deadline());
}

/// The clock of a player on vacation stands still until the vacation is over, and then runs on. The
/// end of the vacation is a deadline of the match.
#[test]
fn the_clock_of_a_player_on_vacation_stands_still() {
    let mut fixture = correspondence();
    advance(&mut fixture, 6 * HOUR);
    let (since, until) = (fixture.now(), fixture.now() + 3 * DAY);
    update(&mut fixture, &[("white", since, until)]);
    assert_eq!(fixture.state().next_deadline(), Some(Deadline { at: until, timer: Timer::VacationEnds }));
    let turn = fixture.state().open_turn().unwrap();
    assert_eq!(turn.deadline, Some(until + 18 * HOUR), "the rest of the turn comes after the vacation");
    let view = state_view(fixture.state(), fixture.now());
    assert_eq!(view.vacations, [VacationView { color: Color::White, until_ms: until.as_millis() }]);
    advance(&mut fixture, 2 * DAY);
    assert_eq!(left(&fixture, Color::White), 18 * HOUR);
    check_replay(&fixture);
    advance(&mut fixture, DAY);
    assert_eq!(fixture.expire_deadlines(), [Event::VacationEnded { color: Color::White }]);
    assert_eq!(state_view(fixture.state(), fixture.now()).vacations, []);
    advance(&mut fixture, 17 * HOUR);
    assert_eq!(left(&fixture, Color::White), HOUR);
    check_replay(&fixture);
    advance(&mut fixture, HOUR);
    let events = fixture.expire_deadlines();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Time, .. }]), "{events:?}");
}

/// The clocks of the others run. On vacation a player may move, and the next player's clock runs at
/// once.
#[test]
fn only_the_clock_of_the_player_on_vacation_stands_still() {
    let mut fixture = correspondence();
    let (since, until) = (fixture.now(), fixture.now() + 3 * DAY);
    update(&mut fixture, &[("white", since, until)]);
    advance(&mut fixture, DAY);
    fixture.play("white", "g1f3").unwrap();
    advance(&mut fixture, 2 * HOUR);
    assert_eq!(left(&fixture, Color::Black), 22 * HOUR);
    fixture.play("black", "b8c6").unwrap();
    advance(&mut fixture, 5 * HOUR);
    assert_eq!(left(&fixture, Color::White), DAY, "it is White's turn again");
    check_replay(&fixture);
    fixture.play("white", "f1b5").unwrap();
    advance(&mut fixture, DAY);
    let events = fixture.expire_deadlines();
    assert!(matches!(events[..], [Event::Ended { reason: Reason::Time, .. }]), "{events:?}");
}

/// A match that learns late of a vacation charges the player up to its beginning only, and nothing of
/// the turns that began later.
#[test]
fn a_late_event_charges_no_time_of_the_vacation() {
    let mut fixture = correspondence();
    advance(&mut fixture, 6 * HOUR);
    let (since, until) = (fixture.now(), fixture.now() + 3 * DAY);
    advance(&mut fixture, 2 * DAY);
    update(&mut fixture, &[("white", since, until)]);
    assert_eq!(left(&fixture, Color::White), 18 * HOUR, "the vacation has begun two days ago");
    check_replay(&fixture);
    assert_eq!(update(&mut fixture, &[("white", since, until)]), [], "nothing has changed");

    let mut fixture = correspondence();
    let (since, until) = (fixture.now(), fixture.now() + 3 * DAY);
    fixture.play("white", "g1f3").unwrap();
    fixture.play("black", "b8c6").unwrap();
    advance(&mut fixture, HOUR);
    update(&mut fixture, &[("white", since, until)]);
    assert_eq!(left(&fixture, Color::White), DAY, "the turn has begun in the vacation");
}

/// The clock of the server that has stored a vacation may be ahead of the one of the match.
#[test]
fn a_vacation_that_seems_to_begin_later_begins_now() {
    let mut fixture = correspondence();
    let (now, until) = (fixture.now(), fixture.now() + 3 * DAY);
    let events = update(&mut fixture, &[("white", now + HOUR, until)]);
    let (since_ms, until_ms) = (now.as_millis(), until.as_millis());
    assert_eq!(events, [Event::VacationStarted { color: Color::White, since_ms, until_ms }]);
    advance(&mut fixture, 2 * HOUR);
    assert_eq!(left(&fixture, Color::White), DAY);
    check_replay(&fixture);
}

/// A vacation that is ended early lets the clock run from then on. Its end may also be changed.
#[test]
fn a_vacation_may_end_early() {
    let mut fixture = correspondence();
    let (since, until) = (fixture.now(), fixture.now() + 3 * DAY);
    update(&mut fixture, &[("white", since, until), ("black", since, until)]);
    advance(&mut fixture, DAY);
    let events = update(&mut fixture, &[("white", since, until + DAY)]);
    let changed = Event::VacationStarted {
        color: Color::White,
        since_ms: since.as_millis(),
        until_ms: (until + DAY).as_millis(),
    };
    assert_eq!(events, [changed, Event::VacationEnded { color: Color::Black }]);
    assert_eq!(update(&mut fixture, &[]), [Event::VacationEnded { color: Color::White }]);
    advance(&mut fixture, HOUR);
    assert_eq!(left(&fixture, Color::White), 23 * HOUR);
    check_replay(&fixture);
}

/// A pause and a vacation do not end each other.
#[test]
fn a_pause_and_a_vacation_are_independent() {
    let mut fixture = correspondence();
    let (since, until) = (fixture.now(), fixture.now() + DAY);
    update(&mut fixture, &[("white", since, until)]);
    fixture.execute("white", pause(RequestAction::Ask)).unwrap();
    fixture.execute("black", pause(RequestAction::Accept)).unwrap();
    fixture.execute("white", Action::Resume).unwrap();
    advance(&mut fixture, Duration::from_secs(10));
    assert_eq!(fixture.expire_deadlines(), [Event::Resumed {}]);
    advance(&mut fixture, 2 * HOUR);
    assert_eq!(left(&fixture, Color::White), DAY, "the vacation goes on after the pause");
    check_replay(&fixture);
}

/// There are vacations only in running correspondence matches, and only of people who are still in.
#[test]
fn vacations_are_for_people_in_running_correspondence_matches() {
    let mut live = Fixture::started(&terms(Variant::Classic), 0);
    let (since, until) = (live.now(), live.now() + DAY);
    assert_eq!(update(&mut live, &[("white", since, until)]), []);
    let mut fixture = correspondence();
    let (since, until) = (fixture.now(), fixture.now() + DAY);
    assert_eq!(update(&mut fixture, &[("somebody", since, until)]), []);
    update(&mut fixture, &[("white", since, until)]);
    fixture.execute("black", Action::Resign).unwrap();
    assert_eq!(state_view(fixture.state(), fixture.now()).vacations, []);
    assert_eq!(fixture.state().next_deadline(), None);
    assert_eq!(fixture.state().vacationers(), []);
}
