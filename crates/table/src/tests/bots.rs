//! Tests of bots: in seats of their own, and as substitutes of absent players.

use quadrex_protocol::bot::BotView;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Absence;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, RefusalCode, RequestAction};
use quadrex_rules::{AbortCause, Cause, Color, Variant};

use super::{FISCHER, Fixture, IDENTITY, draw, nonce, person, plain, sit, terms, terms_of};
use crate::view::may_move;
use crate::{
    Action, BotTask, BotTaskKind, History, PlayerCommand, Rejection, TableCommand, Viewer, built_in,
    legal_moves, table_view,
};

const ALL: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

fn bot(level: u8) -> UserView {
    built_in(level.try_into().unwrap())
}

fn add(seat: Option<Color>, level: u8) -> Action {
    Action::AddBot { seat, bot: bot(level), nonce: nonce("bot") }
}

/// Decides a bot's action for a color, and applies the events.
fn act(fixture: &mut Fixture, by: &UserView, color: Color, action: Action) -> Vec<Event> {
    let command = TableCommand::Player(PlayerCommand { by: by.clone(), seat: Some(color), action });
    let events = fixture.state().decide(&command, fixture.now()).unwrap();
    fixture.apply_events(&events);
    events
}

fn task(fixture: &Fixture) -> Option<BotTask> {
    fixture.state().bot_task(true, fixture.now())
}

fn moves(task: &BotTask) -> bool {
    matches!(task.kind, BotTaskKind::Move { .. })
}

/// Returns whether a replay of the log gives the same match.
fn replays_equally(fixture: &Fixture) -> bool {
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    again.state().seats() == fixture.state().seats() && again.entries() == fixture.history.entries()
}

fn code(fixture: &Fixture, by: &str, action: Action) -> RefusalCode {
    fixture.decide(by, action).unwrap_err().code()
}

#[test]
fn the_last_bot_the_host_adds_starts_the_match() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("host", sit(Some(Color::Red), None)).unwrap();
    assert_eq!(code(&fixture, "ben", add(None, 3)), RefusalCode::Forbidden);
    fixture.execute("host", add(Some(Color::Yellow), 3)).unwrap();
    assert_eq!(code(&fixture, "host", add(Some(Color::Yellow), 3)), RefusalCode::SeatTaken);
    fixture.execute("host", add(None, 3)).unwrap();
    assert!(task(&fixture).is_none(), "bots have no task before the start");
    let events = fixture.execute("host", add(None, 8)).unwrap();
    assert!(
        matches!(events[..], [Event::Seated { color: Color::Green, .. }, Event::Started { .. }]),
        "{events:?}"
    );
    assert_eq!(
        fixture.state().seats_of(bot(3).id),
        [Color::Blue, Color::Yellow],
        "a bot may have several seats"
    );
    assert_eq!(fixture.state().holder(Color::Green).unwrap().name, "Quadrex 8");
    assert_eq!(code(&fixture, "host", add(None, 3)), RefusalCode::AlreadyStarted);
    assert!(replays_equally(&fixture));
}

#[test]
fn a_bot_is_kicked_from_one_seat_and_can_be_added_again() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    for _ in 0..2 {
        fixture.execute("host", add(None, 3)).unwrap();
    }
    let kicked = fixture.execute("host", Action::Kick { color: Color::Red }).unwrap();
    assert!(matches!(kicked[..], [Event::Vacated { color: Color::Red, .. }]), "{kicked:?}");
    assert_eq!(fixture.state().seats_of(bot(3).id), [Color::Blue]);
    fixture.execute("host", add(Some(Color::Red), 3)).unwrap();
    assert!(replays_equally(&fixture));
}

#[test]
fn a_bot_does_not_become_host() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("host", sit(Some(Color::Red), None)).unwrap();
    fixture.execute("host", add(Some(Color::Blue), 3)).unwrap();
    fixture.execute("yellow", sit(Some(Color::Yellow), None)).unwrap();
    fixture.execute("host", Action::Leave).unwrap();
    assert_eq!(fixture.state().host().name, "yellow");
}

#[test]
fn bots_are_refused_at_rated_tables() {
    let fixture = Fixture::open(&terms_of(CreateTable {
        rated: Some(true),
        time: Some(FISCHER),
        ..plain(Variant::Dilkel)
    }));
    assert_eq!(code(&fixture, "host", add(None, 3)), RefusalCode::Forbidden);
}

#[test]
fn guests_and_programs_are_refused_at_rated_tables() {
    let guest = UserView { account: false, ..person("guest") };
    let program = UserView { bot: Some(BotView::Account {}), ..person("program") };
    let users = [
        (guest, Err(Rejection::GuestAtRated)),
        (program, Err(Rejection::BotAtRated)),
        (person("Ada"), Ok(())),
    ];
    for (by, expected) in users {
        for (rated, expected) in [(true, expected), (false, Ok(()))] {
            let terms = CreateTable { rated: Some(rated), time: Some(FISCHER), ..plain(Variant::Dilkel) };
            let fixture = Fixture::open(&terms_of(terms));
            let command = PlayerCommand { by: by.clone(), seat: None, action: sit(None, None) };
            let decided = fixture.state().decide(&TableCommand::Player(command), fixture.now());
            assert_eq!(decided.map(drop), expected, "{by:?}");
        }
    }
}

/// Returns a match of a person, White, against a bot.
fn against_a_bot(absence: Absence) -> Fixture {
    let mut fixture =
        Fixture::open(&terms_of(CreateTable { absence: Some(absence), ..plain(Variant::Classic) }));
    fixture.execute("host", sit(Some(Color::White), None)).unwrap();
    fixture.execute("host", add(Some(Color::Black), 5)).unwrap();
    fixture
}

#[test]
fn a_bot_has_a_task_on_its_turn_and_is_always_connected() {
    let mut fixture = against_a_bot(Absence::Eliminate);
    fixture.set_connected(&[Color::White]);
    assert!(task(&fixture).is_none(), "White begins");
    fixture.play("host", "e2e4").unwrap();
    let pending = task(&fixture).unwrap();
    assert!(moves(&pending) && pending.color == Color::Black && pending.bot == bot(5), "{pending:?}");
    assert_eq!(
        fixture.state().presence(Color::Black, fixture.now()).presence,
        quadrex_protocol::view::Presence::Connected
    );
    let due = fixture.state().next_deadline().unwrap();
    assert_eq!(due.timer, crate::Timer::MoveLimit, "no bank runs for a bot");
    fixture
        .execute(
            "host",
            Action::Request { request: quadrex_rules::Request::Draw, action: RequestAction::Ask },
        )
        .unwrap();
    assert!(
        matches!(task(&fixture).unwrap().kind, BotTaskKind::Answer { .. }),
        "an answer precedes the move"
    );
    act(&mut fixture, &bot(5), Color::Black, draw(RequestAction::Decline));
    assert!(task(&fixture).unwrap().is_same(&pending), "the task is unchanged");
    let mv = fixture.mv("e7e5");
    act(&mut fixture, &bot(5), Color::Black, mv);
    assert!(task(&fixture).is_none());
}

/// A bot with several seats answers for each of them separately.
#[test]
fn a_bot_with_several_seats_answers_for_each() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("host", sit(Some(Color::Red), None)).unwrap();
    for _ in 0..3 {
        fixture.execute("host", add(None, 3)).unwrap();
    }
    fixture.execute("host", draw(RequestAction::Ask)).unwrap();
    let colors = [Color::Blue, Color::Yellow, Color::Green];
    for color in colors {
        assert_eq!(task(&fixture).unwrap().color, color);
        let events = act(&mut fixture, &bot(3), color, draw(RequestAction::Accept));
        assert!(matches!(events[0], Event::Agreed { color: of, .. } if of == color), "{events:?}");
    }
    assert!(fixture.state().game().unwrap().is_over());
}

#[test]
fn a_bot_has_a_task_when_a_rematch_is_requested() {
    let mut fixture = against_a_bot(Absence::Eliminate);
    fixture.execute("host", Action::Resign).unwrap();
    assert!(task(&fixture).is_none());
    let next = quadrex_protocol::MatchId(uuid::Uuid::from_u128(77));
    let ask = Action::Rematch { action: RequestAction::Ask, nonce: nonce("again"), next };
    fixture.execute("host", ask).unwrap();
    assert!(matches!(task(&fixture).unwrap().kind, BotTaskKind::Rematch));
    let accept = Action::Rematch { action: RequestAction::Accept, nonce: nonce("bot"), next };
    let events = act(&mut fixture, &bot(5), Color::Black, accept);
    assert!(matches!(events[..], [Event::RematchAgreed { .. }, Event::Rematched { .. }]), "{events:?}");
    assert!(task(&fixture).is_none());
}

/// Returns a match of four people in which a bot has replaced Blue, whose reconnect bank is empty.
fn with_substitute_for_blue() -> Fixture {
    let mut fixture =
        Fixture::started(&terms_of(CreateTable { absence: Some(Absence::Bot), ..plain(Variant::Dilkel) }), 0);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11"), ("green", "m8l8")] {
        fixture.play(by, mv).unwrap();
    }
    fixture.set_connected(&[Color::Red, Color::Yellow, Color::Green]);
    fixture.play("red", "g2g4").unwrap();
    let due = fixture.state().next_deadline().unwrap();
    fixture.advance_ms(u64::try_from(due.at.since(fixture.now()).as_millis()).unwrap());
    let events = fixture.expire_deadlines();
    assert_eq!(events, [Event::Substituted { color: Color::Blue, bot: bot(4) }]);
    fixture
}

#[test]
fn a_bot_replaces_an_absent_player() {
    let mut fixture = with_substitute_for_blue();
    assert!(fixture.state().next_deadline().unwrap().timer == crate::Timer::MoveLimit, "no bank runs");
    let due = task(&fixture).unwrap();
    assert!(moves(&due) && due.color == Color::Blue && due.bot == bot(4), "{due:?}");
    let seat = &fixture.state().seats()[1];
    assert_eq!(
        (seat.holder.as_ref().unwrap().name.as_str(), seat.substitute.as_ref()),
        ("blue", Some(&bot(4)))
    );
    let mv = fixture.mv("b6c6");
    act(&mut fixture, &bot(4), Color::Blue, mv);
    fixture.play("yellow", "h13h11").unwrap();
    assert!(replays_equally(&fixture));
}

#[test]
fn a_returned_player_watches_until_it_takes_its_seat_again() {
    let mut fixture = with_substitute_for_blue();
    fixture.set_connected(&ALL);
    assert!(fixture.expire_deadlines().is_empty(), "reconnecting alone changes nothing");
    let (turn, _) = legal_moves(fixture.state()).unwrap();
    let blue = Viewer::User(fixture.state().holder(Color::Blue).unwrap().id);
    assert!(turn == Color::Blue && !may_move(fixture.state(), blue, turn));
    let shown = |fixture: &Fixture| {
        let view = table_view(
            fixture.state(),
            fixture.history.entries(),
            &Default::default(),
            vec![turn],
            fixture.now(),
        );
        view.legal_moves.is_some()
    };
    assert!(!shown(&fixture));
    for action in [fixture.mv("b6c6"), Action::Resign, draw(RequestAction::Ask)] {
        assert_eq!(code(&fixture, "blue", action), RefusalCode::Substituted);
    }
    assert_eq!(code(&fixture, "red", sit(Some(Color::Blue), None)), RefusalCode::AlreadySeated);
    assert_eq!(fixture.execute("blue", sit(None, None)).unwrap(), [Event::Returned { color: Color::Blue }]);
    assert!(task(&fixture).is_none() && shown(&fixture));
    let late = TableCommand::Player(PlayerCommand {
        by: bot(4),
        seat: Some(Color::Blue),
        action: fixture.mv("b6c6"),
    });
    let refused = fixture.state().decide(&late, fixture.now()).unwrap_err();
    assert_eq!(refused.code(), RefusalCode::NotSeated, "the bot has been replaced");
    fixture.play("blue", "b6c6").unwrap();
    assert_eq!(code(&fixture, "blue", sit(None, None)), RefusalCode::AlreadySeated);
    assert!(replays_equally(&fixture));
}

#[test]
fn a_player_who_leaves_again_is_replaced_at_once() {
    let mut fixture = with_substitute_for_blue();
    fixture.set_connected(&ALL);
    fixture.execute("blue", sit(None, None)).unwrap();
    fixture.set_connected(&[Color::Red, Color::Yellow, Color::Green]);
    assert_eq!(
        fixture.expire_deadlines(),
        [Event::Substituted { color: Color::Blue, bot: bot(4) }],
        "its bank is empty"
    );
}

#[test]
fn an_idle_substitute_is_eliminated() {
    let mut fixture = with_substitute_for_blue();
    fixture.advance_ms(300_000);
    let events = fixture.expire_deadlines();
    assert!(
        matches!(events[..], [Event::Eliminated { color: Color::Blue, cause: Cause::Absence, .. }]),
        "{events:?}"
    );
}

#[test]
fn a_player_without_a_first_move_is_not_replaced() {
    let mut fixture = against_a_bot(Absence::Bot);
    fixture.advance_ms(300_000);
    assert_eq!(fixture.expire_deadlines(), [Event::Aborted { cause: AbortCause::FirstMove }]);
}

/// After the end of the match, a seat belongs to its holder alone: the substitute answers no
/// requests.
#[test]
fn a_substitution_ends_with_the_match() {
    let mut fixture = with_substitute_for_blue();
    for by in ["red", "yellow", "green"] {
        fixture.execute(by, Action::Resign).unwrap();
    }
    let seat = &fixture.state().seats()[1];
    assert_eq!(seat.substitute.as_ref(), Some(&bot(4)), "the substitute is still shown");
    assert_eq!(fixture.state().player(Color::Blue), seat.holder.as_ref());
    let next = quadrex_protocol::MatchId(uuid::Uuid::from_u128(77));
    fixture
        .execute("red", Action::Rematch { action: RequestAction::Ask, nonce: nonce("again"), next })
        .unwrap();
    assert!(task(&fixture).is_none());
    fixture
        .execute("blue", Action::Rematch { action: RequestAction::Accept, nonce: nonce("again"), next })
        .unwrap();
}
