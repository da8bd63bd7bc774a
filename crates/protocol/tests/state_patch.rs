//! Merge patches of a table's state.

use quadrex_protocol::StatePatch;
use quadrex_protocol::view::StateView;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn from_json<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("it is read as it was written")
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("states are plain JSON")
}

fn state(more: &Value) -> StateView {
    let mut text = json!({
        "phase": "running", "turn": "red", "active_players": ["red", "blue"], "eliminated": [], "checks": [],
        "can_claim_draw": false,
    });
    json_patch::merge(&mut text, more);
    from_json(text)
}

/// Returns the patch from one state to another, and the state of a client that merges the patch
/// into `held`.
fn merged(held: &StateView, before: &StateView, after: &StateView) -> (Value, Value) {
    let patch = StatePatch::between(before, after);
    let text = to_json(&patch);
    assert_eq!(from_json::<StatePatch>(text.clone()), patch);
    let mut typed = held.clone();
    typed.merge(patch);
    let mut value = to_json(held);
    json_patch::merge(&mut value, &text);
    assert_eq!(to_json(&typed), value, "{text}");
    (text, value)
}

/// Values that change with time are in every patch, even if they equal those in the previous event.
/// A spectator who joined in the middle of a turn has other clocks than the previous event
/// contained. An increment may have refilled a clock to its previous value.
#[test]
fn values_that_change_with_time_are_in_every_patch() {
    let clock = |running: &str, red: u64, free: u64| json!({"clock": {"left_ms": {"red": red, "blue": 60_000}, "running": running, "delay_left_ms": free}});
    let before = state(&clock("red", 60_000, 500));
    let held = state(&clock("red", 58_000, 0));
    let mut after = clock("blue", 60_000, 500);
    after["turn"] = json!("blue");
    let after = state(&after);
    let (_, value) = merged(&held, &before, &after);
    assert_eq!(value, serde_json::to_value(&after).unwrap());

    let timed = |left: u64| json!({"move_left_ms": left, "suspension": {"kind": "resuming", "color": "blue", "left_ms": left}});
    let (before, held) = (state(&timed(9_000)), state(&timed(4_000)));
    let (_, value) = merged(&held, &before, &state(&timed(9_000)));
    assert_eq!(value, serde_json::to_value(state(&timed(9_000))).unwrap());
}

/// Merging removes every member that a state lacks, and lists and objects keep no old contents.
#[test]
fn every_member_that_a_state_lacks_is_removed() {
    let full = state(&json!({
        "reserves": {"red": {"rooks": 1, "bishops": 0, "knights": 0}, "blue": {"rooks": 0, "bishops": 2, "knights": 0}},
        "clock": {"left_ms": {"red": 1, "blue": 2}, "running": "red", "delay_left_ms": 3, "first_move": true},
        "requests": [{"request": "draw", "by": "red", "agreed": ["red"]}], "can_claim_draw": true, "move_left_ms": 5,
        "suspension": {"kind": "waiting", "color": "red", "left_ms": 7}, "rematch": {"by": "red", "agreed": ["red"]},
        "checks": ["red", "blue"], "closed": true,
    }));
    let plain = state(&json!({"turn": null, "checks": ["blue"], "phase": "ended"}));
    let partly = state(&json!({
        "reserves": {"blue": {"rooks": 0, "bishops": 2, "knights": 1}},
        "clock": {"left_ms": {"red": 1, "blue": 2}, "delay_left_ms": 0},
        "suspension": {"kind": "paused", "left_ms": 7},
    }));
    let states = [&full, &plain, &partly];
    for before in states {
        for after in states {
            let expected = serde_json::to_value(after).unwrap();
            assert_eq!(merged(before, before, after).1, expected);
            // A full patch does not need the previous state.
            let mut held = before.clone();
            held.merge(StatePatch::full(after));
            assert_eq!(serde_json::to_value(&held).unwrap(), expected);
            let mut value = serde_json::to_value(before).unwrap();
            json_patch::merge(&mut value, &serde_json::to_value(StatePatch::full(after)).unwrap());
            assert_eq!(value, expected);
        }
    }
    let (text, _) = merged(&full, &full, &partly);
    assert_eq!(text["reserves"], json!({"red": null, "blue": {"rooks": 0, "bishops": 2, "knights": 1}}));
    let (text, _) = merged(&plain, &plain, &plain);
    assert_eq!(text, json!({}), "nothing has changed");
}
