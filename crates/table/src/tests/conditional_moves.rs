//! Tests of conditional moves.

use quadrex_protocol::conditional::{ConditionalLine, ConditionalStep};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{RefusalCode, RequestAction};
use quadrex_rules::{Color, Variant};

use super::{Fixture, pause, person, plain, takeback, terms, terms_of};
use crate::{Action, ConditionalMoves, Rejection};

/// Returns a line from steps such as `blue b7c7`, or `blue *` for any move.
fn line(steps: &[&str]) -> ConditionalLine {
    let step = |text: &&str| {
        let (color, mv) = text.split_once(' ').unwrap();
        let mv = (mv != "*").then(|| mv.parse().unwrap());
        ConditionalStep { color: color.parse().unwrap(), mv }
    };
    steps.iter().map(step).collect()
}

fn correspondence(variant: Variant) -> Fixture {
    let time = Some(TimeSetting::Correspondence { days: 3 });
    Fixture::started(&terms_of(CreateTable { time, ..plain(variant) }), 0)
}

fn entered(fixture: &Fixture, by: &str, lines: &[&[&str]]) -> Result<ConditionalMoves, Rejection> {
    let lines: Vec<ConditionalLine> = lines.iter().map(|steps| line(steps)).collect();
    let state = fixture.state();
    state.decide_conditional_moves(person(by).id, None, state.head(), &lines)
}

fn refused(fixture: &Fixture, by: &str, steps: &[&str]) -> (RefusalCode, String) {
    let rejection = entered(fixture, by, &[steps]).unwrap_err();
    (rejection.code(), rejection.to_string())
}

fn due(fixture: &Fixture, moves: &ConditionalMoves) -> Option<String> {
    fixture.history.due_conditional_move(moves).map(|mv| mv.to_string())
}

/// A move is due when the opponent has made the move of its condition, and the next move of the same
/// line after the next condition. After another move, nothing is due, and the line is impossible.
#[test]
fn a_move_is_due_when_its_condition_is_met() {
    let mut fixture = correspondence(Variant::Classic);
    let lines: &[&[&str]] = &[
        &["white e2e4", "black e7e5", "white g1f3", "black b8c6"],
        &["white e2e4", "black e7e5", "white b1c3", "black g8f6"],
        &["white d2d4", "black d7d5"],
    ];
    let moves = entered(&fixture, "black", lines).unwrap();
    assert_eq!(due(&fixture, &moves), None);
    fixture.play("white", "e2e4").unwrap();
    assert_eq!(due(&fixture, &moves).as_deref(), Some("e7e5"));
    assert_eq!(fixture.history.possible_lines(&moves).len(), 2);
    fixture.play("black", "e7e5").unwrap();
    assert_eq!(due(&fixture, &moves), None, "it is White's turn");
    let remaining = [line(&["white g1f3", "black b8c6"]), line(&["white b1c3", "black g8f6"])];
    assert_eq!(fixture.history.remaining_lines(&moves), remaining);
    fixture.play("white", "b1c3").unwrap();
    assert_eq!(due(&fixture, &moves).as_deref(), Some("g8f6"));
    fixture.play("black", "g8f6").unwrap();
    assert_eq!(fixture.history.possible_lines(&moves), Vec::<ConditionalLine>::new());
    let again = entered(&fixture, "black", &[&["white d2d4", "black e5d4"]]).unwrap();
    fixture.play("white", "f1c4").unwrap();
    assert_eq!(due(&fixture, &again), None);
    assert_eq!(fixture.history.possible_lines(&again), Vec::<ConditionalLine>::new());
}

/// In a match of four players, each condition is a certain move or any move of an opponent. Of
/// several lines that apply, the first one counts.
#[test]
fn conditions_of_four_players_are_certain_moves_or_any_moves() {
    let mut fixture = correspondence(Variant::Dilkel);
    let lines: &[&[&str]] = &[
        &["red h2h4", "blue *", "yellow g13g11", "green m7l7"],
        &["red *", "blue b7c7", "yellow *", "green m8l8"],
        &["red *", "blue *", "yellow *", "green m9l9"],
    ];
    let moves = entered(&fixture, "green", lines).unwrap();
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7")] {
        fixture.play(by, mv).unwrap();
        assert_eq!(due(&fixture, &moves), None);
    }
    let mut other = correspondence(Variant::Dilkel);
    for (by, mv) in [("red", "h2h4"), ("blue", "b7c7"), ("yellow", "h13h12")] {
        other.play(by, mv).unwrap();
    }
    assert_eq!(due(&other, &moves).as_deref(), Some("m8l8"));
    fixture.play("yellow", "g13g11").unwrap();
    assert_eq!(due(&fixture, &moves).as_deref(), Some("m7l7"));
}

/// Lines are checked when they are entered: turn order, legality, own moves, ends.
#[test]
fn impossible_lines_are_refused() {
    let fixture = correspondence(Variant::Dilkel);
    let legal = ["red h2h4", "blue b7c7", "yellow g13g11", "green m7l7"];
    entered(&fixture, "green", &[&legal]).unwrap();
    let cases: [(&[&str], RefusalCode, &str); 8] = [
        (&["red h2h5"], RefusalCode::IllegalMove, "line 1, step 1: h2h5 is not legal there"),
        (&["red *", "blue *", "yellow *", "green n11n9"], RefusalCode::IllegalMove, "step 4: n11n9"),
        (&["blue b7c7"], RefusalCode::BadSetting, "it is red's turn there, not blue's"),
        (&["red *", "blue *", "yellow *", "green *"], RefusalCode::BadSetting, "your own move is missing"),
        (&["red h2h4", "blue b7c7"], RefusalCode::BadSetting, "a line ends with a move of your own"),
        (&[], RefusalCode::BadSetting, "a line has 1 to"),
        (&["red *"; 41], RefusalCode::BadSetting, "a line has 1 to"),
        (&["red *", "red h2h4"], RefusalCode::BadSetting, "it is blue's turn there"),
    ];
    for (steps, code, text) in cases {
        let (found, message) = refused(&fixture, "green", steps);
        assert!(found == code && message.contains(text), "{steps:?}: {found:?}, {message}");
    }
    let (code, message) = refused(&fixture, "red", &["red h2h4"]);
    assert_eq!(
        (code, message.as_str()),
        (RefusalCode::RequestRefused, "it is your turn: make your move first")
    );
    assert_eq!(refused(&fixture, "nobody", &legal).0, RefusalCode::NotSeated);
    let many: Vec<&[&str]> = vec![&legal; 21];
    assert_eq!(entered(&fixture, "green", &many).unwrap_err().code(), RefusalCode::BadSetting);
    let two = correspondence(Variant::Classic);
    assert!(
        refused(&two, "black", &["white *", "black e7e5"]).1.contains("the move of the opponent is missing")
    );
    let live = Fixture::started(&terms(Variant::Classic), 0);
    assert_eq!(refused(&live, "black", &["white e2e4", "black e7e5"]).0, RefusalCode::RequestRefused);
}

/// Lines that were entered for an earlier board are refused. Removing all lines is always possible.
#[test]
fn lines_for_an_earlier_board_are_refused() {
    let mut fixture = correspondence(Variant::Classic);
    let known = fixture.state().head();
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    let black = person("black").id;
    let lines = [line(&["white e2e4", "black e7e5"])];
    let stale = fixture.state().decide_conditional_moves(black, None, known, &lines).unwrap_err();
    assert_eq!(stale.code(), RefusalCode::Stale);
    let removed = fixture.state().decide_conditional_moves(black, None, known, &[]).unwrap();
    assert_eq!(removed.lines, Vec::<ConditionalLine>::new());
    let action = Action::SetConditionalMoves { after: fixture.state().head(), lines: Vec::new() };
    assert_eq!(fixture.decide("black", action), Ok(Vec::new()));
}

/// A takeback and the elimination of a player change the board, so they end all lines. So does the
/// end of the match.
#[test]
fn takebacks_eliminations_and_the_end_drop_all_lines() {
    let steps: &[&str] = &["red *", "blue *", "yellow *", "green m7l7"];
    let mut fixture = correspondence(Variant::Dilkel);
    let moves = entered(&fixture, "green", &[steps]).unwrap();
    fixture.play("red", "h2h4").unwrap();
    assert_eq!(fixture.history.possible_lines(&moves).len(), 1);
    fixture.execute("red", takeback(RequestAction::Ask)).unwrap();
    for color in ["blue", "yellow", "green"] {
        fixture.execute(color, takeback(RequestAction::Accept)).unwrap();
    }
    assert_eq!(fixture.history.possible_lines(&moves), Vec::<ConditionalLine>::new());

    let moves = entered(&fixture, "green", &[steps]).unwrap();
    fixture.play("red", "h2h4").unwrap();
    fixture.execute("blue", Action::Resign).unwrap();
    assert_eq!(fixture.history.possible_lines(&moves), Vec::<ConditionalLine>::new());
    let of_blue = entered(&fixture, "blue", &[&["yellow *", "green *", "red *", "blue b7c7"]]).unwrap_err();
    assert_eq!(of_blue, Rejection::Rules(quadrex_rules::Rejection::Eliminated { color: Color::Blue }));

    let without_blue: &[&str] = &["yellow *", "green m7l7"];
    let moves = entered(&fixture, "green", &[without_blue]).unwrap();
    assert_eq!(fixture.history.possible_lines(&moves).len(), 1);
    fixture.execute("yellow", Action::Resign).unwrap();
    fixture.execute("red", Action::Resign).unwrap();
    assert_eq!(fixture.history.possible_lines(&moves), Vec::<ConditionalLine>::new());
}

/// During a pause nobody may move, so a move becomes due when the pause is over.
#[test]
fn no_move_is_due_during_a_pause() {
    let mut fixture = correspondence(Variant::Classic);
    let moves = entered(&fixture, "black", &[&["white e2e4", "black e7e5"]]).unwrap();
    fixture.play("white", "e2e4").unwrap();
    fixture.execute("white", pause(RequestAction::Ask)).unwrap();
    fixture.execute("black", pause(RequestAction::Accept)).unwrap();
    assert_eq!(due(&fixture, &moves), None);
    assert_eq!(fixture.history.possible_lines(&moves).len(), 1);
    fixture.execute("white", Action::Resume).unwrap();
    assert_eq!(due(&fixture, &moves), None);
    fixture.advance_ms(10_000);
    fixture.expire_deadlines();
    assert_eq!(due(&fixture, &moves).as_deref(), Some("e7e5"));
}

/// Nothing can follow a move that mates a player, because the pieces of this player leave the board.
#[test]
fn a_line_ends_with_an_elimination() {
    let fixture = correspondence(Variant::Classic);
    let mate = ["white f2f3", "black e7e5", "white g2g4", "black d8h4"];
    entered(&fixture, "black", &[&mate]).unwrap();
    let longer: Vec<&str> = mate.into_iter().chain(["white e1f2", "black h4e4"]).collect();
    let (code, message) = refused(&fixture, "black", &longer);
    assert!(code == RefusalCode::BadSetting && message.contains("step 5: the previous move"), "{message}");
}

/// The position of a line with steps of any move: the opponents have not moved, and the color of the
/// next step is to move.
#[test]
fn an_opponent_with_any_move_passes_in_the_position_of_a_line() {
    let fixture = correspondence(Variant::Dilkel);
    let steps = line(&["red h2h4", "blue *", "yellow *"]);
    let state = fixture.state();
    let position = state.conditional_position(state.head(), &steps).unwrap();
    assert_eq!(position.turn(), Color::Green);
    assert!(position.is_legal("m7l7".parse().unwrap()));
    assert_eq!(position.piece_at("h2".parse().unwrap()), None);
    let moved =
        state.position().pieces().filter(|(square, piece)| position.piece_at(*square) != Some(*piece));
    assert_eq!(moved.count(), 1, "only Red has moved");
}
