//! Tests of rematches.

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Seating;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId, RefusalCode, RequestAction};
use quadrex_rules::{Color, Request, Variant};
use uuid::Uuid;

use super::{Fixture, IDENTITY, MATCH, nonce, person, plain, sit, terms, terms_of};
use crate::{Action, History, NumberedEvent, Rejection, TableCommand, TableIdentity, state_view};

const NEXT: MatchId = MatchId(Uuid::from_u128(3));

fn rematch(action: RequestAction) -> Action {
    Action::Rematch { action, nonce: nonce("again"), next: NEXT }
}

/// Returns a match that ended because everybody but Red resigned.
fn over(request: CreateTable) -> Fixture {
    let mut fixture = Fixture::started(&terms_of(request), 0);
    for by in ["blue", "yellow", "green"] {
        fixture.execute(by, Action::Resign).unwrap();
    }
    fixture
}

/// Returns a match that was aborted by agreement of all four players.
fn aborted() -> Fixture {
    let abort = |action| Action::Request { request: Request::Abort, action };
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("red", abort(RequestAction::Ask)).unwrap();
    for by in ["blue", "yellow", "green"] {
        fixture.execute(by, abort(RequestAction::Accept)).unwrap();
    }
    fixture
}

fn code(answer: Result<Vec<Event>, Rejection>) -> RefusalCode {
    answer.unwrap_err().code()
}

#[test]
fn the_next_match_is_named_when_all_have_agreed() {
    let mut fixture = over(plain(Variant::Dilkel));
    let asked = fixture.execute("yellow", rematch(RequestAction::Ask)).unwrap();
    let commitment = IDENTITY.lot_key.secret(NEXT).commitment();
    let expected =
        Event::RematchRequested { color: Color::Yellow, match_id: NEXT, commitment, nonce: nonce("again") };
    assert_eq!(asked, [expected]);
    let view = state_view(fixture.state(), fixture.now()).rematch.unwrap();
    assert_eq!((view.by, view.agreed), (Color::Yellow, vec![Color::Yellow]));

    assert_eq!(code(fixture.decide("red", rematch(RequestAction::Ask))), RefusalCode::RequestRefused);
    assert_eq!(code(fixture.decide("yellow", rematch(RequestAction::Accept))), RefusalCode::NoOpenRequest);
    assert_eq!(fixture.decide("stranger", rematch(RequestAction::Accept)), Err(Rejection::NotSeated));
    for by in ["red", "green"] {
        let agreed = fixture.execute(by, rematch(RequestAction::Accept)).unwrap();
        assert!(matches!(agreed[..], [Event::RematchAgreed { .. }]), "{agreed:?}");
    }
    let agreed = fixture.execute("blue", rematch(RequestAction::Accept)).unwrap();
    assert_eq!(agreed[1..], [Event::Rematched { match_id: NEXT }]);
    for action in [RequestAction::Ask, RequestAction::Accept, RequestAction::Decline] {
        assert_eq!(fixture.decide("red", rematch(action)), Err(Rejection::Rematched));
    }
    assert_eq!(fixture.decide("red", Action::Leave), Err(Rejection::Rematched));
    let close = fixture.state().decide(&TableCommand::Close, fixture.now());
    assert_eq!(close, Err(Rejection::Rematched), "the table continues with the rematch");
    assert!(History::replay(IDENTITY, fixture.log.clone()).is_ok());
}

/// A rematch is possible after an aborted match, which has no eliminations and no places.
#[test]
fn an_aborted_match_may_have_a_rematch() {
    let mut fixture = aborted();
    assert!(state_view(fixture.state(), fixture.now()).aborted.is_some());
    fixture.execute("green", rematch(RequestAction::Ask)).unwrap();
    for by in ["red", "blue"] {
        fixture.execute(by, rematch(RequestAction::Accept)).unwrap();
    }
    let agreed = fixture.execute("yellow", rematch(RequestAction::Accept)).unwrap();
    assert_eq!(agreed[1..], [Event::Rematched { match_id: NEXT }]);
    let next = fixture.state().next_match(fixture.now());
    assert_eq!(next.state().seats_of(person("green").id), [Color::Red], "one seat further");
    let view = state_view(next.state(), fixture.now());
    assert_eq!((view.phase, view.aborted), (Phase::Running, None));
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!(again.entries(), fixture.history.entries());
}

/// Every player moves one seat clockwise, and the lot uses the committed secret.
#[test]
fn a_rematch_has_the_same_players_one_seat_further() {
    for seating in [Seating::Chosen, Seating::Drawn] {
        let mut fixture = over(CreateTable { seating: Some(seating), ..plain(Variant::Dilkel) });
        let before: Vec<_> =
            fixture.state().seats().iter().map(|seat| seat.holder.clone().unwrap()).collect();
        fixture.execute("red", rematch(RequestAction::Ask)).unwrap();
        for by in ["blue", "yellow"] {
            fixture.execute(by, rematch(RequestAction::Accept)).unwrap();
        }
        let last = Action::Rematch { action: RequestAction::Accept, nonce: nonce("last"), next: NEXT };
        fixture.execute("green", last).unwrap();
        let next = fixture.state().next_match(fixture.now());
        let events: Vec<_> = next.entries().iter().map(|entry| entry.event.clone()).collect();
        let Event::Opened { previous, commitment, .. } = &events[0] else { panic!("{:?}", events[0]) };
        assert_eq!((*previous, *commitment), (Some(MATCH), IDENTITY.lot_key.secret(NEXT).commitment()));
        let sat: Vec<_> = events[1..5]
            .iter()
            .map(|event| match event {
                Event::Seated { color, user, nonce } => (*color, user.clone(), nonce.as_str().to_owned()),
                other => panic!("{other:?}"),
            })
            .collect();
        for (index, (_, user, text)) in sat.iter().enumerate() {
            assert_eq!(*user, before[(index + 3) % 4], "the holder of the previous seat");
            assert_eq!(text, if user.name == "green" { "last" } else { "again" });
        }
        assert!(matches!(events[5], Event::Started { .. }) && events.len() == 6);
        let identity = TableIdentity { match_id: NEXT, ..IDENTITY };
        let events =
            (1..).zip(events).map(|(seq, event)| NumberedEvent { seq, at: fixture.now(), event }).collect();
        assert!(History::replay(identity, events).is_ok());
    }
}

/// A kick counts for the table, not for a single match.
#[test]
fn a_kicked_user_cannot_join_the_rematch() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("ann", sit(Some(Color::Blue), None)).unwrap();
    fixture.execute("host", Action::Kick { color: Color::Blue }).unwrap();
    for by in ["red", "blue", "yellow", "green"] {
        fixture.execute(by, sit(None, None)).unwrap();
    }
    for by in ["blue", "yellow", "green"] {
        fixture.execute(by, Action::Resign).unwrap();
    }
    fixture.execute("red", rematch(RequestAction::Ask)).unwrap();
    for by in ["blue", "yellow", "green"] {
        fixture.execute(by, rematch(RequestAction::Accept)).unwrap();
    }
    let next = fixture.state().next_match(fixture.now());
    let kicked = |history: &History| history.state().seating.kicked().collect::<Vec<_>>();
    assert_eq!(kicked(&next), [person("ann").id]);
    let events = next.entries().iter().map(|entry| entry.event.clone()).zip(1..);
    let events = events.map(|(event, seq)| NumberedEvent { seq, at: fixture.now(), event }).collect();
    let replayed = History::replay(TableIdentity { match_id: NEXT, ..IDENTITY }, events).unwrap();
    assert_eq!(kicked(&replayed), [person("ann").id], "the kick is in the log");
}

#[test]
fn declining_or_leaving_ends_a_rematch_and_only_that_player_may_ask_again() {
    for no in [rematch(RequestAction::Decline), Action::Leave] {
        let mut fixture = over(plain(Variant::Dilkel));
        fixture.execute("red", rematch(RequestAction::Ask)).unwrap();
        fixture.execute("blue", rematch(RequestAction::Accept)).unwrap();
        assert_eq!(fixture.execute("green", no).unwrap(), [Event::RematchDeclined { color: Color::Green }]);
        assert!(state_view(fixture.state(), fixture.now()).rematch.is_none());
        assert_eq!(
            code(fixture.decide("yellow", rematch(RequestAction::Accept))),
            RefusalCode::NoOpenRequest
        );
        assert_eq!(code(fixture.decide("red", rematch(RequestAction::Ask))), RefusalCode::RequestRefused);
        assert_eq!(
            fixture.decide("green", Action::Leave),
            Err(Rejection::Ended),
            "a second decline is refused"
        );
        fixture.execute("green", rematch(RequestAction::Ask)).unwrap();
        assert!(fixture.decide("red", rematch(RequestAction::Accept)).is_ok());
    }
}

#[test]
fn a_rematch_is_possible_between_the_end_and_the_closing() {
    let running = Fixture::started(&terms(Variant::Classic), 0);
    assert_eq!(running.decide("white", rematch(RequestAction::Ask)), Err(Rejection::NotOver));
    let mut open = Fixture::open(&terms(Variant::Classic));
    open.execute("ann", sit(None, None)).unwrap();
    assert_eq!(open.decide("ann", rematch(RequestAction::Ask)), Err(Rejection::NotStarted));
    let mut closed = over(plain(Variant::Dilkel));
    let events = closed.state().decide(&TableCommand::Close, closed.now()).unwrap();
    closed.apply_events(&events);
    assert_eq!(closed.decide("red", rematch(RequestAction::Ask)), Err(Rejection::Closed));
}

/// Each of these logs has a rematch event at a point where it cannot occur.
#[test]
fn a_log_with_an_impossible_rematch_is_corrupt() {
    let mut fixture = over(plain(Variant::Dilkel));
    let other = IDENTITY.lot_key.secret(MATCH).commitment();
    let agreed = |color| Event::RematchAgreed { color, nonce: nonce("n") };
    let wrong = |fixture: &Fixture, event: Event| fixture.state().check_event(&event).is_err();
    let asked =
        Event::RematchRequested { color: Color::Red, match_id: NEXT, commitment: other, nonce: nonce("n") };
    assert!(wrong(&fixture, asked), "the commitment is another match's");
    assert!(wrong(&fixture, agreed(Color::Red)));
    assert!(wrong(&fixture, Event::Rematched { match_id: NEXT }));
    fixture.execute("red", rematch(RequestAction::Ask)).unwrap();
    assert!(wrong(&fixture, agreed(Color::Red)) && wrong(&fixture, agreed(Color::White)));
    assert!(!wrong(&fixture, agreed(Color::Blue)));
    assert!(wrong(&fixture, Event::Rematched { match_id: NEXT }), "not all have agreed");
}
