//! Tests of hotseat tables, where a user may hold several seats.

use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Privacy, Seating};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId, RefusalCode, RequestAction};
use quadrex_rules::{AbortCause, Color, Reason, Request, Variant};
use uuid::Uuid;

use super::{Bench, MATCH, ORIGIN, draw, nonce, pause, person, plain, sit, sit_with, takeback, terms_of};
use crate::{
    Action, History, Invitation, NumberedEvent, Origin, Rejection, ReplayError, Viewer, frames, legal_moves,
    seats_of, state_view, table_view,
};

const NEXT: MatchId = MatchId(Uuid::from_u128(3));
const INVITE: Option<Invitation> = Some(Invitation { seat: None });

fn hotseat(variant: Variant) -> CreateTable {
    CreateTable { hotseat: Some(true), ..CreateTable::plain(variant, Privacy::Private) }
}

/// Returns a match of four players in which Red begins. The users hold the seats in turn order.
fn started(people: [&str; 4]) -> Bench {
    started_as(people, None)
}

fn started_as(people: [&str; 4], seating: Option<Seating>) -> Bench {
    let seats = Variant::Dilkel.colors().iter().zip(people);
    for last in 0..1_000 {
        let mut bench = Bench::open(&terms_of(CreateTable { seating, ..hotseat(Variant::Dilkel) }));
        for (color, by) in seats.clone() {
            let nonce = nonce(&last.to_string());
            bench.ask(by, Action::Sit { seat: Some(*color), invite: INVITE, nonce }).unwrap();
        }
        if bench.state().turn() == Some(Color::Red) {
            return bench;
        }
    }
    panic!("Red never begins");
}

fn resign(bench: &Bench, by: &str, seat: Option<Color>) -> Result<Vec<Event>, Rejection> {
    bench.decide_for(by, seat, Action::Resign)
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

fn check_log(bench: &Bench) {
    let again = History::replay(ORIGIN, bench.log.clone()).unwrap();
    assert_eq!(again.entries(), bench.history.entries());
}

/// A user's first seat needs an invite as usual; further seats need none. At other tables a second
/// seat is refused.
#[test]
fn only_hotseat_tables_let_a_user_hold_several_seats() {
    let mut bench = Bench::open(&terms_of(hotseat(Variant::Dilkel)));
    assert_eq!(bench.decide("ann", sit(None, None)), Err(Rejection::InviteNeeded));
    bench.ask("ann", sit(Some(Color::Blue), INVITE)).unwrap();
    bench.ask("ann", sit(None, None)).unwrap();
    let own = bench.decide("ann", sit(Some(Color::Blue), None));
    assert_eq!(own, Err(Rejection::SeatTaken { color: Color::Blue, holder: "ann".to_owned() }));
    assert_eq!(bench.state().seats_of(person("ann").id), [Color::Red, Color::Blue], "in turn order");
    for seat in [Color::Green, Color::Yellow] {
        bench.ask("host", sit(Some(seat), None)).unwrap();
    }
    assert!(bench.state().turn().is_some(), "the last seat starts the match");
    check_log(&bench);

    let private = CreateTable { hotseat: None, ..hotseat(Variant::Dilkel) };
    for request in [plain(Variant::Dilkel), private] {
        let mut bench = Bench::open(&terms_of(request));
        bench.ask("ann", sit(Some(Color::Blue), INVITE)).unwrap();
        for (seat, invite) in [(None, None), (Some(Color::Red), INVITE)] {
            let refused = bench.decide("ann", sit(seat, invite)).unwrap_err();
            assert_eq!(refused, Rejection::AlreadySeated { color: Color::Blue });
        }
        let twice = Event::Seated { color: Color::Red, user: person("ann"), nonce: nonce("n") };
        assert!(
            matches!(bench.state().check_event(&twice), Err(ReplayError::Seat(Color::Red))),
            "not from a log either"
        );
    }
}

/// A command without a seat is for the seat to move, if the user holds it, or else for the user's
/// only remaining seat. Otherwise it is ambiguous.
#[test]
fn the_seat_of_a_command_is_named_or_unambiguous() {
    let mut bench = started(["ann", "ben", "ann", "ann"]);
    let out = |color: Color| move |event: &Event| matches!(event, Event::Eliminated { color: of, .. } if *of == color);
    assert!(out(Color::Red)(&resign(&bench, "ann", None).unwrap()[0]), "Red is to move");
    assert!(out(Color::Green)(&resign(&bench, "ann", Some(Color::Green)).unwrap()[0]), "Green is named");
    assert!(out(Color::Blue)(&resign(&bench, "ben", None).unwrap()[0]), "Ben has only Blue");
    bench.play("ann", "h2h4").unwrap();
    let held = vec![Color::Red, Color::Yellow, Color::Green];
    let unclear = resign(&bench, "ann", None).unwrap_err();
    assert_eq!(unclear, Rejection::WhichSeat { held });
    assert_eq!(unclear.code(), RefusalCode::WhichSeat);
    assert_eq!(
        unclear.to_string(),
        "you hold several seats here: say with seat whether this is for red or yellow or green"
    );
    assert_eq!(bench.decide("ann", draw(RequestAction::Ask)).unwrap_err().code(), RefusalCode::WhichSeat);

    let others = resign(&bench, "ann", Some(Color::Blue)).unwrap_err();
    assert_eq!(others, Rejection::NotYourSeat { color: Color::Blue });
    assert_eq!(
        (others.code(), others.to_string().as_str()),
        (RefusalCode::NotSeated, "you do not hold blue's seat")
    );
    let none = resign(&bench, "ann", Some(Color::White)).unwrap_err();
    assert_eq!(none, Rejection::NoSuchSeat { color: Color::White });
    assert_eq!(
        resign(&bench, "stranger", Some(Color::Red)),
        Err(Rejection::NotYourSeat { color: Color::Red })
    );

    for seat in [Color::Yellow, Color::Green] {
        bench.ask_for("ann", Some(seat), Action::Resign).unwrap();
    }
    assert!(
        matches!(resign(&bench, "ann", None).unwrap().last(), Some(Event::Ended { .. })),
        "only Red is left"
    );
    let again = resign(&bench, "ann", Some(Color::Green)).unwrap_err();
    assert_eq!(again.code(), RefusalCode::Eliminated);
    check_log(&bench);
}

/// Moves and claims need no seat, because they are always for the seat to move.
#[test]
fn moves_are_for_the_seat_to_move() {
    let mut bench = started(["ann", "ann", "ben", "ann"]);
    bench.play("ann", "h2h4").unwrap();
    let blue = bench.mv("b7c7");
    let not_red = bench.decide_for("ann", Some(Color::Red), blue.clone()).unwrap_err();
    assert_eq!(not_red.code(), RefusalCode::NotYourTurn);
    assert!(bench.decide_for("ann", Some(Color::Blue), blue.clone()).is_ok());
    bench.ask("ann", blue.clone()).unwrap();
    assert_eq!(bench.decide("ann", blue).unwrap_err().code(), RefusalCode::Stale, "made a second time");
    for late in [bench.mv("h4h5"), Action::ClaimDraw] {
        assert_eq!(
            bench.decide("ann", late).unwrap_err().code(),
            RefusalCode::NotYourTurn,
            "it is Ben's turn"
        );
    }
}

/// Legal moves are sent to the holder of the seat to move only.
#[test]
fn the_holder_receives_the_legal_moves_of_each_seat() {
    let mut bench = started(["ann", "ann", "ben", "ann"]);
    let shown = |bench: &Bench, name: &str| {
        let viewer = Viewer::User(person(name).id);
        let yours = seats_of(bench.state(), viewer);
        table_view(bench.state(), bench.history.entries(), &Default::default(), yours, bench.now())
    };
    assert_eq!(shown(&bench, "ann").your_seats, [Color::Red, Color::Blue, Color::Green]);
    assert_eq!(shown(&bench, "stranger").your_seats, []);
    for mv in ["h2h4", "b7c7", "g13g12", "m8l8"] {
        let (turn, legal) = legal_moves(bench.state()).unwrap();
        let holder = bench.state().holder(turn).unwrap().name.clone();
        let other = if holder == "ann" { "ben" } else { "ann" };
        assert_eq!(
            (shown(&bench, &holder).legal_moves, shown(&bench, other).legal_moves),
            (Some(legal), None),
            "{turn}"
        );
        bench.play(&holder, mv).unwrap();
    }
}

/// A request of a user who holds all seats is agreed at once.
#[test]
fn a_request_is_agreed_by_all_seats_of_its_author() {
    let mut bench = started(["ann"; 4]);
    bench.play("ann", "h2h4").unwrap();
    let red_asks = |bench: &Bench, request| {
        bench
            .decide_for("ann", Some(Color::Red), Action::Request { request, action: RequestAction::Ask })
            .unwrap()
    };
    for (request, then) in [
        (Request::Takeback, Event::TakenBack { plies: 1, left_ms: None }),
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
        assert_eq!(red_asks(&bench, request), all);
    }
    bench.ask_for("ann", Some(Color::Red), pause(RequestAction::Ask)).unwrap();
    assert!(bench.state().is_suspended() && state_view(bench.state(), bench.now()).requests.is_empty());
    bench.ask("ann", Action::Resume).unwrap();
    bench.pass_ms(10_000);
    assert_eq!(bench.keep_time(), [Event::Resumed {}]);
    bench.ask("ann", draw(RequestAction::Ask)).unwrap();
    let outcome = state_view(bench.state(), bench.now()).outcome.unwrap();
    assert_eq!(outcome.reason, Reason::Agreement);
    check_log(&bench);
}

/// Two users hold two seats each. A request is agreed when both users agree, with any of their
/// seats.
#[test]
fn a_request_is_agreed_by_users_not_by_seats() {
    for named in [None, Some(Color::Blue), Some(Color::Green)] {
        let mut bench = started(["ann", "ben", "ann", "ben"]);
        bench.play("ann", "h2h4").unwrap();
        let asked = bench.ask_for("ann", Some(Color::Yellow), draw(RequestAction::Ask)).unwrap();
        assert_eq!(asked, [requested(Request::Draw, Color::Yellow), agreed(Request::Draw, Color::Red)]);
        let again = bench.decide("ann", draw(RequestAction::Accept)).unwrap_err();
        assert_eq!(again.code(), RefusalCode::NoOpenRequest, "Ann has agreed");
        let accepted = bench.ask_for("ben", named, draw(RequestAction::Accept)).unwrap();
        assert_eq!(accepted.len(), 3, "{accepted:?}");
        assert!(matches!(accepted[2], Event::Ended { reason: Reason::Agreement, .. }));
        check_log(&bench);
    }
    let mut bench = started(["ann", "ben", "ann", "ben"]);
    bench.ask("ann", draw(RequestAction::Ask)).unwrap();
    let declined = bench.ask("ben", draw(RequestAction::Decline)).unwrap();
    assert_eq!(declined, [Event::Declined { request: Request::Draw, color: Color::Blue }]);
}

/// An eliminated seat cannot agree to a request; its holder agrees with another seat.
#[test]
fn only_remaining_seats_agree() {
    let mut bench = started(["ann", "ben", "ann", "ben"]);
    bench.ask_for("ann", Some(Color::Yellow), Action::Resign).unwrap();
    bench.play("ann", "h2h4").unwrap();
    let asked = bench.ask("ben", takeback(RequestAction::Ask)).unwrap_err();
    assert_eq!(asked.code(), RefusalCode::RequestRefused, "Blue is to move, and has made none");
    bench.play("ben", "b7c7").unwrap();
    let asked = bench.ask_for("ben", Some(Color::Blue), takeback(RequestAction::Ask)).unwrap();
    assert_eq!(asked, [requested(Request::Takeback, Color::Blue), agreed(Request::Takeback, Color::Green)]);
    let out = bench.decide_for("ann", Some(Color::Yellow), takeback(RequestAction::Accept)).unwrap_err();
    assert_eq!(out.code(), RefusalCode::Eliminated);
    let accepted = bench.ask("ann", takeback(RequestAction::Accept)).unwrap();
    let taken_back = Event::TakenBack { plies: 1, left_ms: None };
    assert_eq!(accepted, [agreed(Request::Takeback, Color::Red), taken_back]);
}

/// Leaving vacates the named seat, or all seats of the user. The host changes only after losing the
/// last seat.
#[test]
fn a_user_leaves_one_seat_or_all() {
    let mut bench = Bench::open(&terms_of(hotseat(Variant::Dilkel)));
    for seat in [Color::Red, Color::Yellow] {
        bench.ask("host", sit(Some(seat), None)).unwrap();
    }
    bench.ask("ann", sit(Some(Color::Green), INVITE)).unwrap();
    let left = |color| Event::Vacated { color, reason: VacateReason::Left };
    let one = bench.decide_for("host", Some(Color::Red), Action::Leave).unwrap();
    assert_eq!(one, [left(Color::Red)], "still host");
    let all = bench.ask("host", Action::Leave).unwrap();
    assert_eq!(all, [left(Color::Red), left(Color::Yellow), Event::HostChanged { host: person("ann") }]);
    let last = bench.decide_for("ann", Some(Color::Green), Action::Leave).unwrap();
    assert_eq!(last, [left(Color::Green)], "nobody is left who could be host");
    check_log(&bench);
}

/// A kicked user loses all seats and cannot sit down again.
#[test]
fn a_kick_removes_a_user_from_all_seats() {
    let mut bench = Bench::open(&terms_of(hotseat(Variant::Dilkel)));
    bench.ask("host", sit(Some(Color::Red), None)).unwrap();
    bench.ask("ann", sit(Some(Color::Blue), INVITE)).unwrap();
    bench.ask("ann", sit(Some(Color::Green), None)).unwrap();
    let kicked = |color| Event::Vacated { color, reason: VacateReason::Kicked };
    let decided = bench.ask("host", Action::Kick { color: Color::Green }).unwrap();
    assert_eq!(decided, [kicked(Color::Blue), kicked(Color::Green)]);
    assert_eq!(bench.decide("ann", sit(None, INVITE)), Err(Rejection::Kicked));
    let own = bench.decide("host", Action::Kick { color: Color::Red });
    assert_eq!(own, Err(Rejection::OwnSeat { color: Color::Red }));
}

/// D15: a user with a remaining seat is a player in the chat, even if other seats of the user are
/// eliminated.
#[test]
fn a_user_with_a_remaining_seat_writes_as_a_player() {
    let mut bench = started(["ann", "ben", "ann", "cat"]);
    let chat = |room| Action::Chat { room, message: words() };
    bench.ask_for("ann", Some(Color::Yellow), Action::Resign).unwrap();
    let said = bench.ask("ann", chat(Room::Seated)).unwrap();
    assert!(matches!(said[..], [Event::MessageSent { color: Some(Color::Red), .. }]), "{said:?}");
    assert_eq!(bench.decide("ann", chat(Room::Bystanders)).unwrap_err().code(), RefusalCode::WrongRoom);
    bench.ask("stranger", chat(Room::Bystanders)).unwrap();
    let entry = bench.history.entries().last().unwrap().clone();
    let kept =
        |bench: &Bench, name: &str| bench.state().is_hidden_from(&entry, Viewer::User(person(name).id));
    assert!(kept(&bench, "ann") && kept(&bench, "ben"));

    bench.ask_for("ann", Some(Color::Red), Action::Resign).unwrap();
    assert!(!kept(&bench, "ann") && kept(&bench, "ben"));
    let said = bench.ask_for("ann", Some(Color::Yellow), chat(Room::Bystanders)).unwrap();
    assert!(matches!(said[..], [Event::MessageSent { color: Some(Color::Yellow), .. }]), "{said:?}");
    let others = bench.decide_for("ann", Some(Color::Blue), chat(Room::Bystanders));
    assert_eq!(others, Err(Rejection::NotYourSeat { color: Color::Blue }));
    let speaker =
        |color| Event::MessageSent { user: person("ann"), color, room: Room::Bystanders, message: words() };
    assert!(bench.state().check_event(&speaker(Some(Color::Red))).is_ok());
    for wrong in [None, Some(Color::Blue)] {
        assert!(matches!(bench.state().check_event(&speaker(wrong)), Err(ReplayError::Author)), "{wrong:?}");
    }
    check_log(&bench);
}

/// In a rematch every holder moves one seat further. A user agrees with one seat for all.
#[test]
fn a_rematch_is_agreed_by_users_and_rotates_their_seats() {
    for seating in [Seating::Chosen, Seating::Drawn] {
        let mut bench = started_as(["ann", "ann", "ben", "ann"], Some(seating));
        let before: Vec<_> = bench.state().seats().iter().map(|seat| seat.holder.clone()).collect();
        for color in Variant::Dilkel.colors().iter().skip(1) {
            let holder = bench.state().holder(*color).unwrap().name.clone();
            bench.ask_for(&holder, Some(*color), Action::Resign).unwrap();
        }
        let asked = bench.ask("ann", rematch(RequestAction::Ask)).unwrap();
        assert_eq!(asked.len(), 3, "asked with one seat, agreed with two: {asked:?}");
        assert_eq!(bench.decide("ann", rematch(RequestAction::Accept)), Err(Rejection::NoRematch));
        let agreed = bench.ask("ben", rematch(RequestAction::Accept)).unwrap();
        assert_eq!(agreed[1..], [Event::Rematched { match_id: NEXT }]);
        check_log(&bench);

        let next = bench.state().next_match(bench.now());
        let sat = next.entries().iter().filter_map(|entry| match &entry.event {
            Event::Seated { user, .. } => Some(Some(user.clone())),
            _ => None,
        });
        let turned: Vec<_> = (0..4).map(|index: usize| before[(index + 3) % 4].clone()).collect();
        assert_eq!(sat.collect::<Vec<_>>(), turned);
        let origin = Origin { match_id: NEXT, ..ORIGIN };
        let events = next.entries().iter().map(|entry| NumberedEvent {
            seq: entry.seq,
            at: bench.now(),
            event: entry.event.clone(),
        });
        assert!(History::replay(origin, events.collect()).is_ok());
        let published = frames::next_match::<String>(&next, &Default::default(), bench.now());
        for name in ["ann", "ben", "stranger"] {
            let viewer = Viewer::User(person(name).id);
            let own = frames::snapshot::<String>(&next, &Default::default(), viewer, bench.now());
            assert_eq!(published.of(viewer), &own, "{name} sees the own seats");
        }
    }
}

/// A user who holds all seats starts a rematch with one request. Declining with one seat declines
/// for all.
#[test]
fn a_user_with_all_seats_starts_a_rematch_at_once() {
    let mut bench = started(["ann"; 4]);
    bench.ask("ann", Action::Request { request: Request::Abort, action: RequestAction::Ask }).unwrap();
    let declined = bench.decide_for("ann", Some(Color::Blue), Action::Leave).unwrap();
    assert_eq!(declined, [Event::RematchDeclined { color: Color::Blue }]);
    bench.take_in(&declined);
    for seat in [None, Some(Color::Blue), Some(Color::Red)] {
        assert_eq!(bench.decide_for("ann", seat, Action::Leave), Err(Rejection::Ended), "once is enough");
    }
    let asked = bench.ask_for("ann", Some(Color::Red), rematch(RequestAction::Ask)).unwrap();
    assert_eq!(asked.len(), 5, "who declined may ask, with another seat too: {asked:?}");
    assert_eq!(asked[4], Event::Rematched { match_id: NEXT });
    let next = bench.state().next_match(bench.now());
    assert_eq!(state_view(next.state(), bench.now()).phase, Phase::Running);
    assert_ne!(next.state().match_id(), MATCH);
    check_log(&bench);
}

/// Every seat of an absent user has its own reconnect bank.
#[test]
fn each_seat_has_its_own_reconnect_bank() {
    let mut bench = started(["ann", "ben", "ann", "ben"]);
    bench.only_here(&[Color::Red, Color::Yellow]);
    bench.play("ann", "h2h4").unwrap();
    bench.pass_ms(100_000);
    let left = |bench: &Bench, color| bench.state().presence(color, bench.now()).bank_left_ms;
    assert_eq!((left(&bench, Color::Blue), left(&bench, Color::Green)), (Some(80_000), Some(180_000)));
}

/// Every seat of the same user contributes a nonce to the lot.
#[test]
fn every_seat_contributes_to_the_lot() {
    let beginner = |last: &str| {
        let mut bench = Bench::open(&terms_of(hotseat(Variant::Dilkel)));
        for _ in 0..3 {
            bench.ask("host", sit_with(None, "n")).unwrap();
        }
        bench.ask("host", sit_with(None, last)).unwrap();
        check_log(&bench);
        bench.state().turn().unwrap()
    };
    let beginners: std::collections::BTreeSet<Color> =
        (0..40).map(|number: u32| beginner(&number.to_string())).collect();
    assert_eq!(beginners.len(), 4);
}
