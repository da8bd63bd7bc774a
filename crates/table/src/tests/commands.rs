//! Tests of each command, by sender and phase.

use std::fmt::Write;

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{Event, RefusalCode, RequestAction};
use quadrex_rules::{Cause, Color, Reason, Variant};

use super::{Fixture, draw, person, sit, takeback, terms, terms_from, terms_of};
use crate::{Action, Invitation, Rejection, Seat};

/// Formats an answer in words of the protocol: the types of the events, or the refusal's code.
fn word(answer: Result<Vec<Event>, Rejection>) -> String {
    let text = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    match answer {
        Ok(events) => {
            let types = events.iter().map(|event| text(serde_json::to_value(event).unwrap()["type"].take()));
            types.collect::<Vec<_>>().join("+")
        }
        Err(rejection) => format!("- {}", text(serde_json::to_value(rejection.code()).unwrap())),
    }
}

/// Every command of every kind of user in every phase of a classic match: White sits at the open
/// table, White has made the first move of the running match, and Black has resigned in the ended
/// match.
#[test]
fn every_command_of_every_user_in_every_phase() {
    let mut open = Fixture::open(&terms(Variant::Classic));
    open.execute("white", sit(Some(Color::White), None)).unwrap();
    let mut running = Fixture::started(&terms(Variant::Classic), 0);
    running.play("white", "e2e4").unwrap();
    let mut ended = Fixture::started(&terms(Variant::Classic), 0);
    ended.execute("black", Action::Resign).unwrap();

    let mut table = String::from("\n");
    for (phase, fixture) in [("open", &open), ("running", &running), ("ended", &ended)] {
        let stale = Action::Move { after: 1, mv: "e7e5".parse().unwrap(), claim_draw: false };
        let ahead = Action::Move { after: 99, mv: "e7e5".parse().unwrap(), claim_draw: false };
        let claimed =
            Action::Move { after: fixture.state().head(), mv: "e7e5".parse().unwrap(), claim_draw: true };
        let commands = [
            ("sit", sit(None, None)),
            ("sit white", sit(Some(Color::White), None)),
            ("sit black", sit(Some(Color::Black), None)),
            ("sit red", sit(Some(Color::Red), None)),
            ("leave", Action::Leave),
            ("kick white", Action::Kick { color: Color::White }),
            ("kick black", Action::Kick { color: Color::Black }),
            ("move", fixture.mv("e7e5")),
            ("illegal move", fixture.mv("e7e4")),
            ("stale move", stale),
            ("move ahead", ahead),
            ("move, claiming", claimed),
            ("resign", Action::Resign),
            ("ask draw", draw(RequestAction::Ask)),
            ("accept draw", draw(RequestAction::Accept)),
            ("decline draw", draw(RequestAction::Decline)),
            ("ask takeback", takeback(RequestAction::Ask)),
            ("claim draw", Action::ClaimDraw),
        ];
        writeln!(table, "{phase:<16}{:<20}{:<20}{:<20}black", "stranger", "host", "white").unwrap();
        for (name, action) in commands {
            let answers =
                ["stranger", "host", "white", "black"].map(|by| word(fixture.decide(by, action.clone())));
            let [stranger, host, white, black] = answers;
            writeln!(table, "{name:<16}{stranger:<20}{host:<20}{white:<20}{black}").unwrap();
        }
    }
    assert_eq!(table, EXPECTED, "got:{table}");
}

const EXPECTED: &str = "
open            stranger            host                white               black
sit             seated+started      seated+started      - already_seated    seated+started
sit white       - seat_taken        - seat_taken        - already_seated    - seat_taken
sit black       seated+started      seated+started      - already_seated    seated+started
sit red         - no_such_seat      - no_such_seat      - already_seated    - no_such_seat
leave           - not_seated        - not_seated        vacated             - not_seated
kick white      - forbidden         vacated             - forbidden         - forbidden
kick black      - forbidden         - not_seated        - forbidden         - forbidden
move            - not_seated        - not_seated        - not_started       - not_seated
illegal move    - not_seated        - not_seated        - not_started       - not_seated
stale move      - not_seated        - not_seated        - not_started       - not_seated
move ahead      - not_seated        - not_seated        - not_started       - not_seated
move, claiming  - not_seated        - not_seated        - not_started       - not_seated
resign          - not_seated        - not_seated        - not_started       - not_seated
ask draw        - not_seated        - not_seated        - not_started       - not_seated
accept draw     - not_seated        - not_seated        - not_started       - not_seated
decline draw    - not_seated        - not_seated        - not_started       - not_seated
ask takeback    - not_seated        - not_seated        - not_started       - not_seated
claim draw      - not_seated        - not_seated        - not_started       - not_seated
running         stranger            host                white               black
sit             - table_full        - table_full        - already_seated    - already_seated
sit white       - seat_taken        - seat_taken        - already_seated    - already_seated
sit black       - seat_taken        - seat_taken        - already_seated    - already_seated
sit red         - no_such_seat      - no_such_seat      - already_seated    - already_seated
leave           - not_seated        - not_seated        - already_started   - already_started
kick white      - forbidden         - already_started   - forbidden         - forbidden
kick black      - forbidden         - already_started   - forbidden         - forbidden
move            - not_seated        - not_seated        - not_your_turn     moved
illegal move    - not_seated        - not_seated        - not_your_turn     - illegal_move
stale move      - not_seated        - not_seated        - stale             - stale
move ahead      - not_seated        - not_seated        - stale             - stale
move, claiming  - not_seated        - not_seated        - not_your_turn     - no_draw_to_claim
resign          - not_seated        - not_seated        ended               ended
ask draw        - not_seated        - not_seated        requested           requested
accept draw     - not_seated        - not_seated        - no_open_request   - no_open_request
decline draw    - not_seated        - not_seated        - no_open_request   - no_open_request
ask takeback    - not_seated        - not_seated        requested           - request_refused
claim draw      - not_seated        - not_seated        - not_your_turn     - no_draw_to_claim
ended           stranger            host                white               black
sit             - ended             - ended             - ended             - ended
sit white       - ended             - ended             - ended             - ended
sit black       - ended             - ended             - ended             - ended
sit red         - ended             - ended             - ended             - ended
leave           - not_seated        - not_seated        rematch_declined    rematch_declined
kick white      - forbidden         - ended             - forbidden         - forbidden
kick black      - forbidden         - ended             - forbidden         - forbidden
move            - not_seated        - not_seated        - ended             - ended
illegal move    - not_seated        - not_seated        - ended             - ended
stale move      - not_seated        - not_seated        - ended             - ended
move ahead      - not_seated        - not_seated        - ended             - ended
move, claiming  - not_seated        - not_seated        - ended             - ended
resign          - not_seated        - not_seated        - ended             - ended
ask draw        - not_seated        - not_seated        - ended             - ended
accept draw     - not_seated        - not_seated        - ended             - ended
decline draw    - not_seated        - not_seated        - ended             - ended
ask takeback    - not_seated        - not_seated        - ended             - ended
claim draw      - not_seated        - not_seated        - ended             - ended
";

/// D15 (last line of the sheet): during the match, no command of a spectator or an eliminated
/// player becomes an event, so it cannot reach the remaining players. Chat is separate.
#[test]
fn commands_of_bystanders_do_not_reach_players() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("blue", Action::Resign).unwrap();
    let head = fixture.state().head();
    let mv = |text: &str| Action::Move { after: head, mv: text.parse().unwrap(), claim_draw: false };
    let asked = [
        sit(None, None),
        sit(Some(Color::Blue), None),
        Action::Leave,
        Action::Kick { color: Color::Red },
        mv("h2h4"),
        mv("b7c7"),
        Action::Resign,
        draw(RequestAction::Ask),
        draw(RequestAction::Accept),
        draw(RequestAction::Decline),
        takeback(RequestAction::Ask),
        Action::ClaimDraw,
    ];
    for action in asked {
        for bystander in ["stranger", "host", "blue"] {
            let decided = fixture.decide(bystander, action.clone());
            assert!(decided.is_err(), "{bystander}: {action:?} caused {decided:?}");
        }
    }
}

/// C1: White begins, regardless of the lot. A start position determines its own first player.
#[test]
fn white_or_the_start_position_determines_the_first_player() {
    let black_to_move = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for lot in 0..2 {
        assert_eq!(Fixture::started(&terms(Variant::Classic), lot).state().turn(), Some(Color::White));
        let set_up = terms_from(Variant::Classic, black_to_move);
        assert_eq!(Fixture::started(&set_up, lot).state().turn(), Some(Color::Black));
    }
}

#[test]
fn a_private_table_seats_only_its_host_and_invited_users() {
    let private = terms_of(CreateTable::plain(Variant::Dilkel, Privacy::Private));
    let mut fixture = Fixture::open(&private);
    let invite = |seat| Some(Invitation { seat });
    let code = |answer: Result<Vec<Event>, Rejection>| answer.unwrap_err().code();

    assert_eq!(code(fixture.decide("ben", sit(None, None))), RefusalCode::BadInvite);
    let blues = invite(Some(Color::Blue));
    assert_eq!(code(fixture.decide("ben", sit(Some(Color::Red), blues))), RefusalCode::BadInvite);
    fixture.execute("ben", sit(None, blues)).unwrap();
    assert_eq!(fixture.state().seats_of(person("ben").id), [Color::Blue], "the invite's own seat");
    assert_eq!(code(fixture.decide("cat", sit(None, blues))), RefusalCode::SeatTaken);
    fixture.execute("cat", sit(None, invite(None))).unwrap();
    fixture.execute("host", sit(None, None)).unwrap();
    assert_eq!(fixture.state().seats_of(person("host").id), [Color::Yellow], "the first open seat");
}

#[test]
fn a_vacated_seat_can_be_taken_by_another_user() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    fixture.execute("ann", sit(Some(Color::Black), None)).unwrap();
    fixture.execute("ann", Action::Leave).unwrap();
    assert_eq!(
        fixture.state().seats(),
        [Color::White, Color::Black].map(|color| Seat { color, holder: None, substitute: None })
    );
    fixture.execute("ben", sit(Some(Color::Black), None)).unwrap();
    assert_eq!(fixture.state().holder(Color::Black), Some(&person("ben")));
}

/// A color that is eliminated in the start position has no seat, and the match starts without it.
#[test]
fn an_eliminated_color_has_no_seat() {
    let three = "R-0,0,0,1-1,1,1,0-1,1,1,0-0,0,0,0-0-3,yR,yN,yB,yQ,yK,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/\
         bR,bP,12/bN,bP,12/bB,bP,12/bK,bP,12/bQ,bP,12/bB,bP,12/bN,bP,12/bR,bP,12/14/\
         3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rK,rQ,rB,rN,rR,3";
    let fixture = Fixture::started(&terms_from(Variant::Dilkel, three), 3);
    let seats: Vec<_> = fixture.state().seats().iter().map(|seat| seat.color).collect();
    assert_eq!(seats, [Color::Red, Color::Blue, Color::Yellow]);
    assert_eq!(fixture.state().turn(), Some(Color::Red));
    let refused =
        Fixture::open(&terms_from(Variant::Dilkel, three)).decide("ann", sit(Some(Color::Green), None));
    assert_eq!(refused, Err(Rejection::NoSuchSeat { color: Color::Green }));
}

/// D11: an eliminated player has no more commands; the others play on.
#[test]
fn an_eliminated_player_can_only_watch() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("blue", Action::Resign).unwrap();
    for action in [fixture.mv("b7c7"), Action::Resign, draw(RequestAction::Ask)] {
        assert_eq!(fixture.decide("blue", action).unwrap_err().code(), RefusalCode::Eliminated);
    }
    assert_eq!(
        fixture.decide("blue", Action::Leave),
        Err(Rejection::AlreadyStarted),
        "the seat stays its own"
    );
    fixture.play("red", "h2h4").unwrap();
    assert_eq!(fixture.state().turn(), Some(Color::Yellow), "Blue is skipped");
}

#[test]
fn a_move_is_stale_after_another_move_but_not_after_a_request() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    let thought_of = fixture.mv("h2h4");
    fixture.execute("green", draw(RequestAction::Ask)).unwrap();
    assert!(fixture.decide("red", thought_of.clone()).is_ok(), "a request does not change the board");
    fixture.execute("green", Action::Resign).unwrap();
    let refused = fixture.decide("red", thought_of).unwrap_err();
    assert_eq!(refused.code(), RefusalCode::Stale);
    assert_eq!(refused.to_string(), "the board changed at event 8, the move was made at event 6");
}

#[test]
fn the_refusal_of_an_illegal_move_contains_the_move_and_the_reason() {
    let fixture = Fixture::started(&terms(Variant::Classic), 0);
    let refused =
        |fixture: &Fixture, by: &str, mv: &str| fixture.decide(by, fixture.mv(mv)).unwrap_err().to_string();
    assert_eq!(refused(&fixture, "white", "e3e4"), "e3e4 is not legal here: no piece stands on e3");
    assert_eq!(refused(&fixture, "white", "e7e5"), "e7e5 is not legal here: the pawn on e7 is black's");
    assert_eq!(
        refused(&fixture, "white", "e2e5"),
        "e2e5 is not legal here: the pawn cannot go to e5, or its king would be left attacked"
    );
    assert_eq!(
        refused(&fixture, "white", "e2e4q"),
        "e2e4q is not legal here: no such piece is to be had on e4"
    );
    let pawn = terms_from(Variant::Classic, "4k3/P7/8/8/8/8/8/4K2r w - - 0 1");
    let fixture = Fixture::started(&pawn, 0);
    assert_eq!(
        refused(&fixture, "white", "a7a8q"),
        "a7a8q is not legal here: white is in check, and the pawn cannot answer it on a8"
    );
    let pawn = terms_from(Variant::Classic, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    let fixture = Fixture::started(&pawn, 0);
    assert_eq!(
        refused(&fixture, "white", "a7a8"),
        "a7a8 is not legal here: a pawn reaching a8 must say what it becomes"
    );
}

#[test]
fn one_command_can_have_many_events() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    for by in ["blue", "green"] {
        let events = fixture.execute(by, Action::Resign).unwrap();
        assert!(matches!(events[..], [Event::Eliminated { cause: Cause::Resign, .. }]), "{events:?}");
    }
    let events = fixture.execute("yellow", Action::Resign).unwrap();
    let [Event::Eliminated { color: Color::Yellow, .. }, Event::Ended { reason: Reason::Resign, places }] =
        &events[..]
    else {
        panic!("{events:?}")
    };
    let places: Vec<_> = places.iter().map(|(&color, &place)| (color, place)).collect();
    assert_eq!(places, [(Color::Red, 1), (Color::Blue, 4), (Color::Yellow, 2), (Color::Green, 3)]);
}
