//! Tests of hotseat tables, where a user may hold several seats.

use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Privacy, Seating};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId, RefusalCode, RequestAction};
use quadrex_rules::{AbortCause, Color, Reason, Request, Variant};
use uuid::Uuid;

use super::{Fixture, IDENTITY, MATCH, draw, nonce, pause, person, plain, sit, sit_with, takeback, terms_of};
use crate::{
    Action, History, Invitation, NumberedEvent, Rejection, ReplayError, TableIdentity, Viewer, frames,
    legal_moves, seats_of, state_view, table_view,
};

const NEXT: MatchId = MatchId(Uuid::from_u128(3));
const INVITE: Option<Invitation> = Some(Invitation { seat: None });

fn hotseat(variant: Variant) -> CreateTable {
    CreateTable { hotseat: Some(true), ..CreateTable::plain(variant, Privacy::Private) }
}

/// Returns a match of four players in which Red begins. The users hold the seats in turn order.
fn started(people: [&str; 4]) -> Fixture {
    started_as(people, None)
}

fn started_as(people: [&str; 4], seating: Option<Seating>) -> Fixture {
    let seats = Variant::Dilkel.colors().iter().zip(people);
    for last in 0..1_000 {
        let mut fixture = Fixture::open(&terms_of(CreateTable { seating, ..hotseat(Variant::Dilkel) }));
        for (color, by) in seats.clone() {
            let nonce = nonce(&last.to_string());
            fixture
                .execute(by, Action::Sit { seat: Some(*color), invite: INVITE, nonce, rating: None })
                .unwrap();
        }
        if fixture.state().turn() == Some(Color::Red) {
            return fixture;
        }
    }
    panic!("Red never begins");
}

fn resign(fixture: &Fixture, by: &str, seat: Option<Color>) -> Result<Vec<Event>, Rejection> {
    fixture.decide_for(by, seat, Action::Resign)
}

fn rematch(action: RequestAction) -> Action {
    Action::Rematch { action, nonce: nonce("again"), next: NEXT }
}

fn words() -> ChatMessage {
    ChatMessage::Phrase(Phrase::Hello)
}

fn requested(request: Request, color: Color) -> Event {
    Event::Requested { request, color }
}

fn agreed(request: Request, color: Color) -> Event {
    Event::Agreed { request, color }
}

fn check_log(fixture: &Fixture) {
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!(again.entries(), fixture.history.entries());
}

/// A user's first seat needs an invite as usual; further seats need none. At other tables a second
/// seat is refused.
#[test]
fn only_hotseat_tables_let_a_user_hold_several_seats() {
    let mut fixture = Fixture::open(&terms_of(hotseat(Variant::Dilkel)));
    assert_eq!(fixture.decide("ann", sit(None, None)), Err(Rejection::InviteNeeded));
    fixture.execute("ann", sit(Some(Color::Blue), INVITE)).unwrap();
    fixture.execute("ann", sit(None, None)).unwrap();
    let own = fixture.decide("ann", sit(Some(Color::Blue), None));
    assert_eq!(own, Err(Rejection::SeatTaken { color: Color::Blue, holder: "ann".to_owned() }));
    assert_eq!(fixture.state().seats_of(person("ann").id), [Color::Red, Color::Blue], "in turn order");
    for seat in [Color::Green, Color::Yellow] {
        fixture.execute("host", sit(Some(seat), None)).unwrap();
    }
    assert!(fixture.state().turn().is_some(), "the last seat starts the match");
    check_log(&fixture);

    let private = CreateTable { hotseat: None, ..hotseat(Variant::Dilkel) };
    for request in [plain(Variant::Dilkel), private] {
        let mut fixture = Fixture::open(&terms_of(request));
        fixture.execute("ann", sit(Some(Color::Blue), INVITE)).unwrap();
        for (seat, invite) in [(None, None), (Some(Color::Red), INVITE)] {
            let refused = fixture.decide("ann", sit(seat, invite)).unwrap_err();
            assert_eq!(refused, Rejection::AlreadySeated { color: Color::Blue });
        }
        let twice = Event::Seated { color: Color::Red, user: person("ann"), nonce: nonce("n") };
        assert!(
            matches!(fixture.state().check_event(&twice), Err(ReplayError::Seat(Color::Red))),
            "not from a log either"
        );
    }
}

/// A command without a seat is for the seat to move, if the user holds it, or else for the user's
/// only remaining seat. Otherwise it is ambiguous.
#[test]
fn the_seat_of_a_command_is_named_or_unambiguous() {
    let mut fixture = started(["ann", "ben", "ann", "ann"]);
    let out = |color: Color| move |event: &Event| matches!(event, Event::Eliminated { color: of, .. } if *of == color);
    assert!(out(Color::Red)(&resign(&fixture, "ann", None).unwrap()[0]), "Red is to move");
    assert!(out(Color::Green)(&resign(&fixture, "ann", Some(Color::Green)).unwrap()[0]), "Green is named");
    assert!(out(Color::Blue)(&resign(&fixture, "ben", None).unwrap()[0]), "Ben has only Blue");
    fixture.play("ann", "h2h4").unwrap();
    let held = vec![Color::Red, Color::Yellow, Color::Green];
    let unclear = resign(&fixture, "ann", None).unwrap_err();
    assert_eq!(unclear, Rejection::WhichSeat { held });
    assert_eq!(unclear.code(), RefusalCode::WhichSeat);
    assert_eq!(
        unclear.to_string(),
        "you hold several seats here: say with seat whether this is for red or yellow or green"
    );
    assert_eq!(fixture.decide("ann", draw(RequestAction::Ask)).unwrap_err().code(), RefusalCode::WhichSeat);

    let others = resign(&fixture, "ann", Some(Color::Blue)).unwrap_err();
    assert_eq!(others, Rejection::NotYourSeat { color: Color::Blue });
    assert_eq!(
        (others.code(), others.to_string().as_str()),
        (RefusalCode::NotSeated, "you do not hold blue's seat")
    );
    let none = resign(&fixture, "ann", Some(Color::White)).unwrap_err();
    assert_eq!(none, Rejection::NoSuchSeat { color: Color::White });
    assert_eq!(
        resign(&fixture, "stranger", Some(Color::Red)),
        Err(Rejection::NotYourSeat { color: Color::Red })
    );

    for seat in [Color::Yellow, Color::Green] {
        fixture.execute_for("ann", Some(seat), Action::Resign).unwrap();
    }
    assert!(
        matches!(resign(&fixture, "ann", None).unwrap().last(), Some(Event::Ended { .. })),
        "only Red is left"
    );
    let again = resign(&fixture, "ann", Some(Color::Green)).unwrap_err();
    assert_eq!(again.code(), RefusalCode::Eliminated);
    check_log(&fixture);
}

/// Moves and claims need no seat, because they are always for the seat to move.
#[test]
fn moves_are_for_the_seat_to_move() {
    let mut fixture = started(["ann", "ann", "ben", "ann"]);
    fixture.play("ann", "h2h4").unwrap();
    let blue = fixture.mv("b7c7");
    let not_red = fixture.decide_for("ann", Some(Color::Red), blue.clone()).unwrap_err();
    assert_eq!(not_red.code(), RefusalCode::NotYourTurn);
    assert!(fixture.decide_for("ann", Some(Color::Blue), blue.clone()).is_ok());
    fixture.execute("ann", blue.clone()).unwrap();
    assert_eq!(fixture.decide("ann", blue).unwrap_err().code(), RefusalCode::Stale, "the same move again");
    for late in [fixture.mv("h4h5"), Action::ClaimDraw] {
        assert_eq!(
            fixture.decide("ann", late).unwrap_err().code(),
            RefusalCode::NotYourTurn,
            "it is Ben's turn"
        );
    }
}

/// Legal moves are sent to the holder of the seat to move only.
#[test]
fn the_holder_receives_the_legal_moves_of_each_seat() {
    let mut fixture = started(["ann", "ann", "ben", "ann"]);
    let shown = |fixture: &Fixture, name: &str| {
        let viewer = Viewer::User(person(name).id);
        let yours = seats_of(fixture.state(), viewer);
        table_view(fixture.state(), fixture.history.entries(), &Default::default(), yours, fixture.now())
    };
    assert_eq!(shown(&fixture, "ann").your_seats, [Color::Red, Color::Blue, Color::Green]);
    assert_eq!(shown(&fixture, "stranger").your_seats, []);
    for mv in ["h2h4", "b7c7", "g13g12", "m8l8"] {
        let (turn, legal) = legal_moves(fixture.state()).unwrap();
        let holder = fixture.state().holder(turn).unwrap().name.clone();
        let other = if holder == "ann" { "ben" } else { "ann" };
        assert_eq!(
            (shown(&fixture, &holder).legal_moves, shown(&fixture, other).legal_moves),
            (Some(legal), None),
            "{turn}"
        );
        fixture.play(&holder, mv).unwrap();
    }
}

/// A request of a user who holds all seats is agreed at once.
#[test]
fn a_request_is_agreed_by_all_seats_of_its_author() {
    let mut fixture = started(["ann"; 4]);
    fixture.play("ann", "h2h4").unwrap();
    let red_asks = |fixture: &Fixture, request| {
        fixture
            .decide_for("ann", Some(Color::Red), Action::Request { request, action: RequestAction::Ask })
            .unwrap()
    };
    for (request, then) in [
        (Request::Takeback, Event::TakenBack { plies: 1, left_ms: None, away_ms: 0 }),
        (Request::Pause, Event::Paused {}),
        (Request::Abort, Event::Aborted { cause: AbortCause::Agreement }),
    ] {
        let all = [
            requested(request, Color::Red),
            agreed(request, Color::Blue),
            agreed(request, Color::Yellow),
            agreed(request, Color::Green),
            then,
        ];
        assert_eq!(red_asks(&fixture, request), all);
    }
    fixture.execute_for("ann", Some(Color::Red), pause(RequestAction::Ask)).unwrap();
    assert!(fixture.state().is_suspended() && state_view(fixture.state(), fixture.now()).requests.is_empty());
    fixture.execute("ann", Action::Resume).unwrap();
    fixture.advance_ms(10_000);
    assert_eq!(fixture.expire_deadlines(), [Event::Resumed {}]);
    fixture.execute("ann", draw(RequestAction::Ask)).unwrap();
    let outcome = state_view(fixture.state(), fixture.now()).outcome.unwrap();
    assert_eq!(outcome.reason, Reason::Agreement);
    check_log(&fixture);
}

/// Two users hold two seats each. A request is agreed when both users agree, with any of their
/// seats.
#[test]
fn a_request_is_agreed_by_users_not_by_seats() {
    for named in [None, Some(Color::Blue), Some(Color::Green)] {
        let mut fixture = started(["ann", "ben", "ann", "ben"]);
        fixture.play("ann", "h2h4").unwrap();
        let asked = fixture.execute_for("ann", Some(Color::Yellow), draw(RequestAction::Ask)).unwrap();
        assert_eq!(asked, [requested(Request::Draw, Color::Yellow), agreed(Request::Draw, Color::Red)]);
        let again = fixture.decide("ann", draw(RequestAction::Accept)).unwrap_err();
        assert_eq!(again.code(), RefusalCode::NoOpenRequest, "Ann has already agreed");
        let accepted = fixture.execute_for("ben", named, draw(RequestAction::Accept)).unwrap();
        assert_eq!(accepted.len(), 3, "{accepted:?}");
        assert!(matches!(accepted[2], Event::Ended { reason: Reason::Agreement, .. }));
        check_log(&fixture);
    }
    let mut fixture = started(["ann", "ben", "ann", "ben"]);
    fixture.execute("ann", draw(RequestAction::Ask)).unwrap();
    let declined = fixture.execute("ben", draw(RequestAction::Decline)).unwrap();
    assert_eq!(declined, [Event::Declined { request: Request::Draw, color: Color::Blue }]);
}

/// An eliminated seat cannot agree to a request; its holder agrees with another seat.
#[test]
fn only_remaining_seats_agree() {
    let mut fixture = started(["ann", "ben", "ann", "ben"]);
    fixture.execute_for("ann", Some(Color::Yellow), Action::Resign).unwrap();
    fixture.play("ann", "h2h4").unwrap();
    let asked = fixture.execute("ben", takeback(RequestAction::Ask)).unwrap_err();
    assert_eq!(asked.code(), RefusalCode::RequestRefused, "Blue has not moved yet");
    fixture.play("ben", "b7c7").unwrap();
    let asked = fixture.execute_for("ben", Some(Color::Blue), takeback(RequestAction::Ask)).unwrap();
    assert_eq!(asked, [requested(Request::Takeback, Color::Blue), agreed(Request::Takeback, Color::Green)]);
    let out = fixture.decide_for("ann", Some(Color::Yellow), takeback(RequestAction::Accept)).unwrap_err();
    assert_eq!(out.code(), RefusalCode::Eliminated);
    let accepted = fixture.execute("ann", takeback(RequestAction::Accept)).unwrap();
    let taken_back = Event::TakenBack { plies: 1, left_ms: None, away_ms: 0 };
    assert_eq!(accepted, [agreed(Request::Takeback, Color::Red), taken_back]);
}

/// Leaving vacates the named seat, or all seats of the user. The host changes only after losing the
/// last seat.
#[test]
fn a_user_leaves_one_seat_or_all() {
    let mut fixture = Fixture::open(&terms_of(hotseat(Variant::Dilkel)));
    for seat in [Color::Red, Color::Yellow] {
        fixture.execute("host", sit(Some(seat), None)).unwrap();
    }
    fixture.execute("ann", sit(Some(Color::Green), INVITE)).unwrap();
    let left = |color| Event::Vacated { color, reason: VacateReason::Left };
    let one = fixture.decide_for("host", Some(Color::Red), Action::Leave).unwrap();
    assert_eq!(one, [left(Color::Red)], "still host");
    let all = fixture.execute("host", Action::Leave).unwrap();
    assert_eq!(all, [left(Color::Red), left(Color::Yellow), Event::HostChanged { host: person("ann") }]);
    let last = fixture.decide_for("ann", Some(Color::Green), Action::Leave).unwrap();
    assert_eq!(last, [left(Color::Green)], "no seated user remains who could become host");
    check_log(&fixture);
}

/// A kicked user loses all seats and cannot sit down again.
#[test]
fn a_kick_removes_a_user_from_all_seats() {
    let mut fixture = Fixture::open(&terms_of(hotseat(Variant::Dilkel)));
    fixture.execute("host", sit(Some(Color::Red), None)).unwrap();
    fixture.execute("ann", sit(Some(Color::Blue), INVITE)).unwrap();
    fixture.execute("ann", sit(Some(Color::Green), None)).unwrap();
    let kicked = |color| Event::Vacated { color, reason: VacateReason::Kicked };
    let decided = fixture.execute("host", Action::Kick { color: Color::Green }).unwrap();
    assert_eq!(decided, [kicked(Color::Blue), kicked(Color::Green)]);
    assert_eq!(fixture.decide("ann", sit(None, INVITE)), Err(Rejection::Kicked));
    let own = fixture.decide("host", Action::Kick { color: Color::Red });
    assert_eq!(own, Err(Rejection::OwnSeat { color: Color::Red }));
}

/// D15: a user with a remaining seat is a player in the chat, even if other seats of the user are
/// eliminated.
#[test]
fn a_user_with_a_remaining_seat_writes_as_a_player() {
    let mut fixture = started(["ann", "ben", "ann", "cat"]);
    let chat = |room| Action::Chat { room, message: words() };
    fixture.execute_for("ann", Some(Color::Yellow), Action::Resign).unwrap();
    let said = fixture.execute("ann", chat(Room::Seated)).unwrap();
    assert!(matches!(said[..], [Event::MessageSent { color: Some(Color::Red), .. }]), "{said:?}");
    assert_eq!(fixture.decide("ann", chat(Room::Bystanders)).unwrap_err().code(), RefusalCode::WrongRoom);
    fixture.execute("stranger", chat(Room::Bystanders)).unwrap();
    let entry = fixture.history.entries().last().unwrap().clone();
    let kept =
        |fixture: &Fixture, name: &str| fixture.state().is_hidden_from(&entry, Viewer::User(person(name).id));
    assert!(kept(&fixture, "ann") && kept(&fixture, "ben"));

    fixture.execute_for("ann", Some(Color::Red), Action::Resign).unwrap();
    assert!(!kept(&fixture, "ann") && kept(&fixture, "ben"));
    let said = fixture.execute_for("ann", Some(Color::Yellow), chat(Room::Bystanders)).unwrap();
    assert!(matches!(said[..], [Event::MessageSent { color: Some(Color::Yellow), .. }]), "{said:?}");
    let others = fixture.decide_for("ann", Some(Color::Blue), chat(Room::Bystanders));
    assert_eq!(others, Err(Rejection::NotYourSeat { color: Color::Blue }));
    let speaker =
        |color| Event::MessageSent { user: person("ann"), color, room: Room::Bystanders, message: words() };
    assert!(fixture.state().check_event(&speaker(Some(Color::Red))).is_ok());
    for wrong in [None, Some(Color::Blue)] {
        assert!(
            matches!(fixture.state().check_event(&speaker(wrong)), Err(ReplayError::Author)),
            "{wrong:?}"
        );
    }
    check_log(&fixture);
}

/// In a rematch every holder moves one seat further. A user agrees with one seat for all.
#[test]
fn a_rematch_is_agreed_by_users_and_rotates_their_seats() {
    for seating in [Seating::Chosen, Seating::Drawn] {
        let mut fixture = started_as(["ann", "ann", "ben", "ann"], Some(seating));
        let before: Vec<_> = fixture.state().seats().iter().map(|seat| seat.holder.clone()).collect();
        for color in Variant::Dilkel.colors().iter().skip(1) {
            let holder = fixture.state().holder(*color).unwrap().name.clone();
            fixture.execute_for(&holder, Some(*color), Action::Resign).unwrap();
        }
        let asked = fixture.execute("ann", rematch(RequestAction::Ask)).unwrap();
        assert_eq!(asked.len(), 3, "requested with one seat and agreed with two: {asked:?}");
        assert_eq!(fixture.decide("ann", rematch(RequestAction::Accept)), Err(Rejection::NoRematch));
        let agreed = fixture.execute("ben", rematch(RequestAction::Accept)).unwrap();
        assert_eq!(agreed[1..], [Event::Rematched { match_id: NEXT }]);
        check_log(&fixture);

        let next = fixture.state().next_match(fixture.now());
        let sat = next.entries().iter().filter_map(|entry| match &entry.event {
            Event::Seated { user, .. } => Some(Some(user.clone())),
            _ => None,
        });
        let turned: Vec<_> = (0..4).map(|index: usize| before[(index + 3) % 4].clone()).collect();
        assert_eq!(sat.collect::<Vec<_>>(), turned);
        let identity = TableIdentity { match_id: NEXT, ..IDENTITY };
        let events = next.entries().iter().map(|entry| NumberedEvent {
            seq: entry.seq,
            at: fixture.now(),
            event: entry.event.clone(),
        });
        assert!(History::replay(identity, events.collect()).is_ok());
        let published = frames::next_match::<String>(&next, &Default::default(), fixture.now());
        for name in ["ann", "ben", "stranger"] {
            let viewer = Viewer::User(person(name).id);
            let own = frames::snapshot::<String>(&next, &Default::default(), viewer, fixture.now());
            assert_eq!(published.of(viewer), &own, "{name} sees the own seats");
        }
    }
}

/// A user who holds all seats starts a rematch with one request. Declining with one seat declines
/// for all.
#[test]
fn a_user_with_all_seats_starts_a_rematch_at_once() {
    let mut fixture = started(["ann"; 4]);
    fixture.execute("ann", Action::Request { request: Request::Abort, action: RequestAction::Ask }).unwrap();
    let declined = fixture.decide_for("ann", Some(Color::Blue), Action::Leave).unwrap();
    assert_eq!(declined, [Event::RematchDeclined { color: Color::Blue }]);
    fixture.apply_events(&declined);
    for seat in [None, Some(Color::Blue), Some(Color::Red)] {
        assert_eq!(
            fixture.decide_for("ann", seat, Action::Leave),
            Err(Rejection::Ended),
            "a second decline is refused"
        );
    }
    let asked = fixture.execute_for("ann", Some(Color::Red), rematch(RequestAction::Ask)).unwrap();
    assert_eq!(asked.len(), 5, "the player who declined may ask, also with another seat: {asked:?}");
    assert_eq!(asked[4], Event::Rematched { match_id: NEXT });
    let next = fixture.state().next_match(fixture.now());
    assert_eq!(state_view(next.state(), fixture.now()).phase, Phase::Running);
    assert_ne!(next.state().match_id(), MATCH);
    check_log(&fixture);
}

/// Every seat of an absent user has its own reconnect bank.
#[test]
fn each_seat_has_its_own_reconnect_bank() {
    let mut fixture = started(["ann", "ben", "ann", "ben"]);
    fixture.set_connected(&[Color::Red, Color::Yellow]);
    fixture.play("ann", "h2h4").unwrap();
    fixture.advance_ms(100_000);
    let left = |fixture: &Fixture, color| fixture.state().presence(color, fixture.now()).bank_left_ms;
    assert_eq!((left(&fixture, Color::Blue), left(&fixture, Color::Green)), (Some(80_000), Some(180_000)));
}

/// Every seat of the same user contributes a nonce to the lot.
#[test]
fn every_seat_contributes_to_the_lot() {
    let beginner = |last: &str| {
        let mut fixture = Fixture::open(&terms_of(hotseat(Variant::Dilkel)));
        for _ in 0..3 {
            fixture.execute("host", sit_with(None, "n")).unwrap();
        }
        fixture.execute("host", sit_with(None, last)).unwrap();
        check_log(&fixture);
        fixture.state().turn().unwrap()
    };
    let beginners: std::collections::BTreeSet<Color> =
        (0..40).map(|number: u32| beginner(&number.to_string())).collect();
    assert_eq!(beginners.len(), 4);
}
