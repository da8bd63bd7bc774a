//! Tests of the state: the frames that it handles and the frames that it sends.

use serde_json::json;

use super::*;

const TABLE: &str = "0192f0c1-2345-7000-8000-000000000001";
const MATCH: &str = "0192f0c1-2345-7000-8000-0000000000aa";

fn state() -> (ClientState<u8>, TableId, MatchId, Clock) {
    let clock = Clock::manual(Timestamp::from_millis(1_000_000));
    let state = ClientState::new(None, clock.clone(), Entropy::seeded(1));
    (state, TABLE.parse().unwrap(), MATCH.parse().unwrap(), clock)
}

fn outgoing(state: &mut ClientState<u8>) -> Vec<ClientFrame> {
    std::iter::from_fn(|| state.pop_outgoing()).collect()
}

fn resign(table: TableId) -> impl Fn(CommandId) -> ClientFrame {
    move |cmd| ClientFrame::Resign { table, cmd, seat: None, match_id: None }
}

fn refusal(cmd: &CommandId, table: TableId, code: RefusalCode) -> ServerFrame {
    let message = "no".to_owned();
    ServerFrame::Refused { cmd: Some(cmd.clone()), table: Some(table), match_id: None, code, message }
}

#[test]
fn a_command_is_sent_again_under_its_id_until_it_is_answered() {
    let (mut state, table, match_id, clock) = state();
    state.send(table, match_id, 7, resign(table));
    let sent = outgoing(&mut state);
    let cmd = sent[0].command_id().unwrap().clone();
    state.connected();
    assert_eq!(outgoing(&mut state), sent, "a new connection");
    let update = state.handle_frame(refusal(&cmd, table, RefusalCode::RateLimited)).unwrap();
    assert!(update.is_none() && state.is_pending(table, &7), "a temporary refusal is no answer");
    assert_eq!(state.temporary_refusals(), 1);
    state.tick();
    assert_eq!(outgoing(&mut state), []);
    clock.advance(Duration::from_secs(1));
    state.tick();
    assert_eq!(outgoing(&mut state), sent);
    let update = state.handle_frame(refusal(&cmd, table, RefusalCode::NotYourTurn)).unwrap();
    let Some(Update::Refused { command, .. }) = update else { panic!("{update:?}") };
    assert_eq!((command.purpose, state.has_pending()), (7, false));
    state.connected();
    assert_eq!(outgoing(&mut state), []);
}

#[test]
fn a_table_that_does_not_arrive_is_requested_again() {
    let (mut state, table, _, clock) = state();
    state.watch(table, Some("secret".to_owned()));
    let request = outgoing(&mut state);
    clock.advance(WATCH_TIMEOUT - Duration::from_millis(1));
    state.tick();
    assert_eq!(outgoing(&mut state), []);
    clock.advance(Duration::from_millis(1));
    state.tick();
    assert_eq!(outgoing(&mut state), request);
}

/// Returns a frame, with the table and the match in it.
fn frame(mut frame: serde_json::Value) -> ServerFrame {
    frame["table"] = TABLE.into();
    frame["match"] = MATCH.into();
    serde_json::from_value(frame).unwrap()
}

/// Returns the snapshot of a match that has started.
fn snapshot() -> ServerFrame {
    let start = json!({"type": "started", "first_player": "white", "secret": "0".repeat(64)});
    frame(json!({"t": "snapshot", "seq": 2, "view": {
        "settings": {
            "variant": "classic", "privacy": "public", "time": {"kind": "none"}, "draws": "claim",
            "absence": "eliminate", "watchers": "everybody", "chat": "on", "admission": "open", "rated": false,
            "seating": "chosen", "hotseat": false,
        },
        "host": {"id": "0192f0c1-2345-7000-8000-0000000000ff", "name": "Ada"},
        "board": {"files": 8, "ranks": 8, "holes": []},
        "start": {}, "pieces": {}, "your_seats": [], "players": [], "spectators": 0,
        "seats": [], "history": [{"seq": 2, "at_ms": 0, "event": start}],
        "state": {
            "phase": "running", "turn": "white", "active_players": ["white", "black"], "eliminated": [],
            "checks": [], "can_claim_draw": false,
        },
    }}))
}

fn moved(seq: u64, color: &str, mv: &str) -> ServerFrame {
    let event = json!({"type": "moved", "color": color, "move": mv});
    frame(json!({"t": "event", "seq": seq, "at_ms": 0, "event": event, "state": {}}))
}

fn plies(state: &ClientState<u8>, table: TableId) -> usize {
    state.table(table).and_then(TableMirror::game).map_or(0, |game| game.moves().len())
}

#[test]
fn missed_events_are_requested_and_known_ones_ignored() {
    let (mut state, table, match_id, _) = state();
    state.watch(table, None);
    outgoing(&mut state);
    let update = state.handle_frame(snapshot()).unwrap();
    assert!(matches!(update, Some(Update::Snapshot { .. })), "{update:?}");
    let update = state.handle_frame(moved(3, "white", "e2e4")).unwrap();
    assert!(matches!(update, Some(Update::Event { .. })), "{update:?}");
    assert!(state.handle_frame(moved(3, "white", "e2e4")).unwrap().is_none(), "it is known");
    assert_eq!((plies(&state, table), outgoing(&mut state)), (1, Vec::new()));

    let since = |after| ClientFrame::Watch {
        table,
        match_id: Some(match_id),
        after: Some(after),
        secret: None,
        preview: false,
    };
    assert!(state.handle_frame(moved(5, "white", "d2d4")).unwrap().is_none(), "event 4 is missing");
    assert_eq!((plies(&state, table), outgoing(&mut state)), (1, vec![since(3)]));
    state.handle_frame(moved(4, "black", "e7e5")).unwrap();
    let heads = json!({TABLE: {"match": MATCH, "seq": 4}});
    state.handle_frame(frame(json!({"t": "pong", "heads": heads}))).unwrap();
    assert_eq!((plies(&state, table), outgoing(&mut state)), (2, Vec::new()), "it is up to date");
    let heads = json!({TABLE: {"match": MATCH, "seq": 5}});
    state.handle_frame(frame(json!({"t": "pong", "heads": heads}))).unwrap();
    assert_eq!(outgoing(&mut state), [since(4)]);
    state.connected();
    assert_eq!(outgoing(&mut state), [since(4)]);

    let error = state.handle_frame(moved(5, "white", "e4e6")).unwrap_err();
    assert!(matches!(error.error, MirrorError::Event { seq: 5, .. }), "{error}");
}

#[test]
fn only_a_final_refusal_of_a_table_is_an_update() {
    let (mut state, table, _, _) = state();
    state.watch(table, None);
    let message = String::new;
    let refused = |code| ServerFrame::Refused {
        cmd: None,
        table: Some(table),
        match_id: None,
        code,
        message: message(),
    };
    assert!(state.handle_frame(refused(RefusalCode::RateLimited)).unwrap().is_none());
    let update = state.handle_frame(refused(RefusalCode::NotFound)).unwrap();
    assert!(matches!(update, Some(Update::TableRefused { .. })), "{update:?}");
    state.unwatch(table);
    assert!(state.handle_frame(refused(RefusalCode::NotFound)).unwrap().is_none(), "it is not watched");
}
