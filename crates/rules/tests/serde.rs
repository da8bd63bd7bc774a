//! The shapes of serialized values on the wire and in databases.

use std::fmt::Debug;
use std::time::Duration;

use quadrex_rules::{
    AbortCause, Cause, Color, DrawPolicy, Elimination, Game, GameCommand, GameConfig, GameEvent, Move,
    Outcome, Reason, Request, Reserve, Setup, Square, TimeControl, Timestamp, Variant,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn assert_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, expected: &Value) {
    assert_eq!(&serde_json::to_value(value).expect("it can be written"), expected);
    assert_eq!(&serde_json::from_value::<T>(expected.clone()).expect("it can be read"), value);
    let text = expected.to_string();
    assert_eq!(&serde_json::from_str::<T>(&text).expect("it can be read"), value);
}

#[test]
fn words_are_serialised_as_their_text() {
    assert_json(&Color::Yellow, &json!("yellow"));
    assert_json(&Variant::DilkelCompact, &json!("dilkel-compact"));
    assert_json(&Square::new(13, 10), &json!("n11"));
    assert_json(&"b10a11n".parse::<Move>().ok(), &json!("b10a11n"));
    assert_json(&Cause::Absence, &json!("absence"));
    assert_json(&Reason::Material, &json!("material"));
    assert_json(&DrawPolicy::Automatic, &json!("automatic"));
    assert_json(&Timestamp::from_millis(1_234), &json!(1234));
    assert_json(
        &Reserve { knights: 1, bishops: 0, rooks: 2 },
        &json!({"knights": 1, "bishops": 0, "rooks": 2}),
    );
    assert!(serde_json::from_value::<Color>(json!("Red")).is_err());
    assert!(serde_json::from_value::<Square>(json!("a01")).is_err());
}

#[test]
fn time_controls_name_their_units() {
    assert_json(&TimeControl::None, &json!({"type": "none"}));
    let fischer =
        TimeControl::Fischer { base: Duration::from_secs(60), increment: Duration::from_millis(1500) };
    assert_json(&fischer, &json!({"type": "fischer", "base_ms": 60_000, "increment_ms": 1500}));
    let delay = TimeControl::Delay { base: Duration::from_secs(60), delay: Duration::from_secs(5) };
    assert_json(&delay, &json!({"type": "delay", "base_ms": 60_000, "delay_ms": 5000}));
    let days = TimeControl::Correspondence { per_turn: Duration::from_secs(86_400) };
    assert_json(&days, &json!({"type": "correspondence", "per_turn_ms": 86_400_000}));
}

/// The complete vocabulary of records: a change here changes stored data.
#[test]
fn events_are_tagged_by_their_type() {
    let color = Color::Red;
    let mv = "h2h4".parse().expect("a move");
    let mut game = Game::new(
        GameConfig {
            setup: Setup::start(Variant::Classic),
            draws: DrawPolicy::Claim,
            time: TimeControl::None,
        },
        Timestamp::default(),
    )
    .expect("the start is no end");
    let resigned = game.decide(&GameCommand::Resign { color: Color::White }, Timestamp::default());
    let ended = resigned.expect("anyone may resign").remove(0);
    game.apply(&ended, Timestamp::default());
    for (event, expected) in [
        (
            GameEvent::Moved { color, mv, left_ms: Some(5) },
            json!({"type": "moved", "color": "red", "mv": "h2h4", "left_ms": 5}),
        ),
        (
            GameEvent::Moved { color, mv, left_ms: None },
            json!({"type": "moved", "color": "red", "mv": "h2h4", "left_ms": null}),
        ),
        (
            GameEvent::Eliminated { color, cause: Cause::Mate, by: vec![Color::Blue] },
            json!({"type": "eliminated", "color": "red", "cause": "mate", "by": ["blue"]}),
        ),
        (
            GameEvent::Requested { request: Request::Draw, color },
            json!({"type": "requested", "request": "draw", "color": "red"}),
        ),
        (
            GameEvent::Agreed { request: Request::Takeback, color },
            json!({"type": "agreed", "request": "takeback", "color": "red"}),
        ),
        (
            GameEvent::Declined { request: Request::Draw, color },
            json!({"type": "declined", "request": "draw", "color": "red"}),
        ),
        (
            GameEvent::TakenBack { plies: 3, left_ms: None },
            json!({"type": "taken_back", "plies": 3, "left_ms": null}),
        ),
        (
            GameEvent::Aborted { cause: AbortCause::FirstMove },
            json!({"type": "aborted", "cause": "first_move"}),
        ),
        (ended, json!({"type": "ended", "reason": "resign", "places": {"white": 2, "black": 1}})),
    ] {
        assert_json(&event, &expected);
    }
    let outcome: &Outcome = game.outcome().expect("it is over");
    assert_json(outcome, &json!({"reason": "resign", "places": {"white": 2, "black": 1}}));
    let elimination = Elimination { color, cause: Cause::Time, by: Vec::new() };
    assert_json(&elimination, &json!({"color": "red", "cause": "time", "by": []}));
    assert!(
        serde_json::from_value::<GameEvent>(
            json!({"type": "requested", "request": "draw", "color": "red", "x": 1})
        )
        .is_err()
    );
}
