//! Tests of bots: in seats of their own, and as substitutes of absent players.

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Absence;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, RefusalCode, RequestAction};
use quadrex_rules::{AbortCause, Cause, Color, Variant};

use super::{Bench, ORIGIN, draw, nonce, plain, sit, terms, terms_of};
use crate::view::may_move;
use crate::{
    Action, BotTask, BotTaskKind, History, PlayerCommand, TableCommand, Viewer, built_in, legal_moves,
    table_view,
};

const ALL: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

fn bot(level: u8) -> UserView {
    built_in(level.try_into().unwrap())
}

fn add(seat: Option<Color>, level: u8) -> Action {
    Action::AddBot { seat, bot: bot(level), nonce: nonce("bot") }
}

/// Decides a bot's action for a color, and applies the events.
fn act(bench: &mut Bench, by: &UserView, color: Color, action: Action) -> Vec<Event> {
    let command = TableCommand::Player(PlayerCommand { by: by.clone(), seat: Some(color), action });
    let events = bench.state().decide(&command, bench.now()).unwrap();
    bench.take_in(&events);
    events
}

fn task(bench: &Bench) -> Option<BotTask> {
    bench.state().bot_task(true, bench.now())
}

fn moves(task: &BotTask) -> bool {
    matches!(task.kind, BotTaskKind::Move { .. })
}

/// Returns whether a replay of the log gives the same match.
fn reads_back(bench: &Bench) -> bool {
    let again = History::replay(ORIGIN, bench.log.clone()).unwrap();
    again.state().seats() == bench.state().seats() && again.entries() == bench.history.entries()
}

fn code(bench: &Bench, by: &str, action: Action) -> RefusalCode {
    bench.decide(by, action).unwrap_err().code()
}

#[test]
fn the_last_bot_the_host_adds_starts_the_match() {
    let mut bench = Bench::open(&terms(Variant::Dilkel));
    bench.ask("host", sit(Some(Color::Red), None)).unwrap();
    assert_eq!(code(&bench, "ben", add(None, 3)), RefusalCode::Forbidden);
    bench.ask("host", add(Some(Color::Yellow), 3)).unwrap();
    assert_eq!(code(&bench, "host", add(Some(Color::Yellow), 3)), RefusalCode::SeatTaken);
    bench.ask("host", add(None, 3)).unwrap();
    assert!(task(&bench).is_none(), "nothing is to be done before the start");
    let events = bench.ask("host", add(None, 8)).unwrap();
    assert!(
        matches!(events[..], [Event::Seated { color: Color::Green, .. }, Event::Started { .. }]),
        "{events:?}"
    );
    assert_eq!(bench.state().seats_of(bot(3).id), [Color::Blue, Color::Yellow], "one bot may sit twice");
    assert_eq!(bench.state().holder(Color::Green).unwrap().name, "Quadrex 8");
    assert_eq!(code(&bench, "host", add(None, 3)), RefusalCode::AlreadyStarted);
    assert!(reads_back(&bench));
}

#[test]
fn a_bot_is_kicked_from_one_seat_and_can_be_added_again() {
    let mut bench = Bench::open(&terms(Variant::Dilkel));
    for _ in 0..2 {
        bench.ask("host", add(None, 3)).unwrap();
    }
    let kicked = bench.ask("host", Action::Kick { color: Color::Red }).unwrap();
    assert!(matches!(kicked[..], [Event::Vacated { color: Color::Red, .. }]), "{kicked:?}");
    assert_eq!(bench.state().seats_of(bot(3).id), [Color::Blue]);
    bench.ask("host", add(Some(Color::Red), 3)).unwrap();
    assert!(reads_back(&bench));
}

#[test]
fn a_bot_does_not_become_host() {
    let mut bench = Bench::open(&terms(Variant::Dilkel));
    bench.ask("host", sit(Some(Color::Red), None)).unwrap();
    bench.ask("host", add(Some(Color::Blue), 3)).unwrap();
    bench.ask("yellow", sit(Some(Color::Yellow), None)).unwrap();
    bench.ask("host", Action::Leave).unwrap();
    assert_eq!(bench.state().host().name, "yellow");
}

#[test]
fn bots_are_refused_at_rated_tables() {
    let bench = Bench::open(&terms_of(CreateTable { rated: Some(true), ..plain(Variant::Dilkel) }));
    assert_eq!(code(&bench, "host", add(None, 3)), RefusalCode::Forbidden);
}

/// Returns a match of a person, White, against a bot.
fn against_a_bot(absence: Absence) -> Bench {
    let mut bench = Bench::open(&terms_of(CreateTable { absence: Some(absence), ..plain(Variant::Classic) }));
    bench.ask("host", sit(Some(Color::White), None)).unwrap();
    bench.ask("host", add(Some(Color::Black), 5)).unwrap();
    bench
}

#[test]
fn a_bot_has_a_task_on_its_turn_and_is_always_connected() {
    let mut bench = against_a_bot(Absence::Eliminate);
    bench.only_here(&[Color::White]);
    assert!(task(&bench).is_none(), "White begins");
    bench.play("host", "e2e4").unwrap();
    let pending = task(&bench).unwrap();
    assert!(moves(&pending) && pending.color == Color::Black && pending.bot == bot(5), "{pending:?}");
    assert_eq!(
        bench.state().presence(Color::Black, bench.now()).presence,
        quadrex_protocol::view::Presence::Connected
    );
    let due = bench.state().next_deadline().unwrap();
    assert_eq!(due.timer, crate::Timer::MoveLimit, "no bank runs for a bot");
    bench
        .ask("host", Action::Request { request: quadrex_rules::Request::Draw, action: RequestAction::Ask })
        .unwrap();
    assert!(matches!(task(&bench).unwrap().kind, BotTaskKind::Answer { .. }), "answers come first");
    act(&mut bench, &bot(5), Color::Black, draw(RequestAction::Decline));
    assert!(task(&bench).unwrap().is_same(&pending), "it is still the same move");
    let mv = bench.mv("e7e5");
    act(&mut bench, &bot(5), Color::Black, mv);
    assert!(task(&bench).is_none());
}

/// A bot with several seats answers for each of them separately.
#[test]
fn a_bot_with_several_seats_answers_for_each() {
    let mut bench = Bench::open(&terms(Variant::Dilkel));
    bench.ask("host", sit(Some(Color::Red), None)).unwrap();
    for _ in 0..3 {
        bench.ask("host", add(None, 3)).unwrap();
    }
    bench.ask("host", draw(RequestAction::Ask)).unwrap();
    let colors = [Color::Blue, Color::Yellow, Color::Green];
    for color in colors {
        assert_eq!(task(&bench).unwrap().color, color);
        let events = act(&mut bench, &bot(3), color, draw(RequestAction::Accept));
        assert!(matches!(events[0], Event::Agreed { color: of, .. } if of == color), "{events:?}");
    }
    assert!(bench.state().game().unwrap().is_over());
}

#[test]
fn a_bot_has_a_task_when_a_rematch_is_requested() {
    let mut bench = against_a_bot(Absence::Eliminate);
    bench.ask("host", Action::Resign).unwrap();
    assert!(task(&bench).is_none());
    let next = quadrex_protocol::MatchId(uuid::Uuid::from_u128(77));
    let ask = Action::Rematch { action: RequestAction::Ask, nonce: nonce("again"), next };
    bench.ask("host", ask).unwrap();
    assert!(matches!(task(&bench).unwrap().kind, BotTaskKind::Rematch));
    let accept = Action::Rematch { action: RequestAction::Accept, nonce: nonce("bot"), next };
    let events = act(&mut bench, &bot(5), Color::Black, accept);
    assert!(matches!(events[..], [Event::RematchAgreed { .. }, Event::Rematched { .. }]), "{events:?}");
    assert!(task(&bench).is_none());
}

/// Returns a match of four people in which a bot has replaced Blue, whose reconnect bank is empty.
fn blue_is_gone() -> Bench {
    let mut bench =
        Bench::started(&terms_of(CreateTable { absence: Some(Absence::Bot), ..plain(Variant::Dilkel) }), 0);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "g13g11"), ("green", "m8l8")] {
        bench.play(by, mv).unwrap();
    }
    bench.only_here(&[Color::Red, Color::Yellow, Color::Green]);
    bench.play("red", "g2g4").unwrap();
    let due = bench.state().next_deadline().unwrap();
    bench.pass_ms(u64::try_from(due.at.since(bench.now()).as_millis()).unwrap());
    let events = bench.keep_time();
    assert_eq!(events, [Event::Substituted { color: Color::Blue, bot: bot(4) }]);
    bench
}

#[test]
fn a_bot_replaces_an_absent_player() {
    let mut bench = blue_is_gone();
    assert!(bench.state().next_deadline().unwrap().timer == crate::Timer::MoveLimit, "no bank runs");
    let due = task(&bench).unwrap();
    assert!(moves(&due) && due.color == Color::Blue && due.bot == bot(4), "{due:?}");
    let seat = &bench.state().seats()[1];
    assert_eq!(
        (seat.holder.as_ref().unwrap().name.as_str(), seat.substitute.as_ref()),
        ("blue", Some(&bot(4)))
    );
    let mv = bench.mv("b6c6");
    act(&mut bench, &bot(4), Color::Blue, mv);
    bench.play("yellow", "h13h11").unwrap();
    assert!(reads_back(&bench));
}

#[test]
fn a_returned_player_watches_until_it_takes_its_seat_again() {
    let mut bench = blue_is_gone();
    bench.only_here(&ALL);
    assert!(bench.keep_time().is_empty(), "coming back alone changes nothing");
    let (turn, _) = legal_moves(bench.state()).unwrap();
    let blue = Viewer::User(bench.state().holder(Color::Blue).unwrap().id);
    assert!(turn == Color::Blue && !may_move(bench.state(), blue, turn));
    let shown = |bench: &Bench| {
        let view =
            table_view(bench.state(), bench.history.entries(), &Default::default(), vec![turn], bench.now());
        view.legal_moves.is_some()
    };
    assert!(!shown(&bench));
    for action in [bench.mv("b6c6"), Action::Resign, draw(RequestAction::Ask)] {
        assert_eq!(code(&bench, "blue", action), RefusalCode::Substituted);
    }
    assert_eq!(code(&bench, "red", sit(Some(Color::Blue), None)), RefusalCode::AlreadySeated);
    assert_eq!(bench.ask("blue", sit(None, None)).unwrap(), [Event::Returned { color: Color::Blue }]);
    assert!(task(&bench).is_none() && shown(&bench));
    let late =
        TableCommand::Player(PlayerCommand { by: bot(4), seat: Some(Color::Blue), action: bench.mv("b6c6") });
    let refused = bench.state().decide(&late, bench.now()).unwrap_err();
    assert_eq!(refused.code(), RefusalCode::NotSeated, "the bot plays no more");
    bench.play("blue", "b6c6").unwrap();
    assert_eq!(code(&bench, "blue", sit(None, None)), RefusalCode::AlreadySeated);
    assert!(reads_back(&bench));
}

#[test]
fn a_player_who_leaves_again_is_replaced_at_once() {
    let mut bench = blue_is_gone();
    bench.only_here(&ALL);
    bench.ask("blue", sit(None, None)).unwrap();
    bench.only_here(&[Color::Red, Color::Yellow, Color::Green]);
    assert_eq!(
        bench.keep_time(),
        [Event::Substituted { color: Color::Blue, bot: bot(4) }],
        "its bank is empty"
    );
}

#[test]
fn an_idle_substitute_is_eliminated() {
    let mut bench = blue_is_gone();
    bench.pass_ms(300_000);
    let events = bench.keep_time();
    assert!(
        matches!(events[..], [Event::Eliminated { color: Color::Blue, cause: Cause::Absence, .. }]),
        "{events:?}"
    );
}

#[test]
fn a_player_without_a_first_move_is_not_replaced() {
    let mut bench = against_a_bot(Absence::Bot);
    bench.pass_ms(300_000);
    assert_eq!(bench.keep_time(), [Event::Aborted { cause: AbortCause::FirstMove }]);
}

/// After the end of the match, a seat belongs to its holder alone: the substitute answers no
/// requests.
#[test]
fn a_substitution_ends_with_the_match() {
    let mut bench = blue_is_gone();
    for by in ["red", "yellow", "green"] {
        bench.ask(by, Action::Resign).unwrap();
    }
    let seat = &bench.state().seats()[1];
    assert_eq!(seat.substitute.as_ref(), Some(&bot(4)), "who played to the end stays to be seen");
    assert_eq!(bench.state().player(Color::Blue), seat.holder.as_ref());
    let next = quadrex_protocol::MatchId(uuid::Uuid::from_u128(77));
    bench.ask("red", Action::Rematch { action: RequestAction::Ask, nonce: nonce("again"), next }).unwrap();
    assert!(task(&bench).is_none());
    bench
        .ask("blue", Action::Rematch { action: RequestAction::Accept, nonce: nonce("again"), next })
        .unwrap();
}
