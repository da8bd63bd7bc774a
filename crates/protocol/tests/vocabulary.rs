//! The JSON of all frames and events. If a test here fails, the protocol has changed.

use std::collections::BTreeMap;

use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::lot::Secret;
use quadrex_protocol::settings::{
    Absence, Admission, Chat, Privacy, Seating, TableSettings, TimeSetting, Watchers,
};
use quadrex_protocol::state_patch::{Change, StatePatch};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Entry, TurnHints};
use quadrex_protocol::{
    ClientFrame, CommandId, Event, MatchId, RefusalCode, RequestAction, ServerFrame, TableId, UserId, schema,
};
use quadrex_rules::{Color, DrawPolicy, Reason, Request, Variant};
use serde_json::{Value, json};

fn table() -> TableId {
    "00000000-0000-7000-8000-000000000001".parse().expect("a UUID")
}

fn cmd() -> CommandId {
    "c-1".parse().expect("a command id")
}

/// The JSON of every client frame.
#[test]
fn client_frames_round_trip_as_json() {
    let table = table();
    let frames = [
        (ClientFrame::Hello { token: None }, json!({"t": "hello"})),
        (ClientFrame::WatchLobby {}, json!({"t": "watch_lobby"})),
        (ClientFrame::UnwatchLobby {}, json!({"t": "unwatch_lobby"})),
        (ClientFrame::WatchOwnTables {}, json!({"t": "watch_own_tables"})),
        (ClientFrame::UnwatchOwnTables {}, json!({"t": "unwatch_own_tables"})),
        (
            ClientFrame::Watch { table, match_id: None, after: Some(3), secret: None, preview: false },
            json!({"t": "watch", "table": table, "after": 3}),
        ),
        (ClientFrame::Unwatch { table }, json!({"t": "unwatch", "table": table})),
        (
            ClientFrame::Sit {
                table,
                cmd: cmd(),
                seat: Some(Color::Blue),
                invite: None,
                nonce: None,
                match_id: None,
            },
            json!({"t": "sit", "table": table, "cmd": "c-1", "seat": "blue"}),
        ),
        (
            ClientFrame::Leave { table, cmd: cmd(), seat: None, match_id: None },
            json!({"t": "leave", "table": table, "cmd": "c-1"}),
        ),
        (
            ClientFrame::Kick { table, cmd: cmd(), color: Color::Blue, match_id: None },
            json!({"t": "kick", "table": table, "cmd": "c-1", "color": "blue"}),
        ),
        (
            ClientFrame::Move {
                table,
                cmd: cmd(),
                after: 9,
                mv: "b10a11n".parse().unwrap(),
                claim_draw: false,
                seat: None,
                match_id: None,
            },
            json!({"t": "move", "table": table, "cmd": "c-1", "after": 9, "move": "b10a11n"}),
        ),
        (
            ClientFrame::Resign { table, cmd: cmd(), seat: None, match_id: None },
            json!({"t": "resign", "table": table, "cmd": "c-1"}),
        ),
        (
            ClientFrame::Request {
                table,
                cmd: cmd(),
                request: Request::Takeback,
                action: RequestAction::Ask,
                seat: None,
                match_id: None,
            },
            json!({"t": "request", "table": table, "cmd": "c-1", "request": "takeback", "action": "ask"}),
        ),
        (
            ClientFrame::ClaimDraw { table, cmd: cmd(), seat: None, match_id: None },
            json!({"t": "claim_draw", "table": table, "cmd": "c-1"}),
        ),
        (
            ClientFrame::Chat {
                table,
                cmd: cmd(),
                room: Room::Bystanders,
                message: ChatMessage::Text("hm".into()),
                seat: None,
                match_id: None,
            },
            json!({"t": "chat", "table": table, "cmd": "c-1", "room": "bystanders", "message": {"text": "hm"}}),
        ),
        (
            ClientFrame::Chat {
                table,
                cmd: cmd(),
                room: Room::Seated,
                message: ChatMessage::Phrase(Phrase::OneMoment),
                seat: None,
                match_id: None,
            },
            json!({"t": "chat", "table": table, "cmd": "c-1", "room": "seated", "message": {"phrase": "one_moment"}}),
        ),
        (
            ClientFrame::Rematch {
                table,
                cmd: cmd(),
                action: RequestAction::Ask,
                nonce: None,
                seat: None,
                match_id: None,
            },
            json!({"t": "rematch", "table": table, "cmd": "c-1", "action": "ask"}),
        ),
        (
            ClientFrame::Leave { table, cmd: cmd(), seat: Some(Color::Red), match_id: None },
            json!({"t": "leave", "table": table, "cmd": "c-1", "seat": "red"}),
        ),
        (
            ClientFrame::Resign { table, cmd: cmd(), seat: Some(Color::Green), match_id: None },
            json!({"t": "resign", "table": table, "cmd": "c-1", "seat": "green"}),
        ),
        (ClientFrame::Ping {}, json!({"t": "ping"})),
    ];
    for (frame, text) in frames {
        assert_eq!(serde_json::to_value(&frame).unwrap(), text);
        assert_eq!(serde_json::from_value::<ClientFrame>(text).unwrap(), frame);
    }
}

/// The schema has exactly one `t` for each type in the list.
#[test]
fn client_frame_types_equal_the_types_in_the_schema() {
    let schemas = schema::json_schemas();
    let (_, schema) = schemas.iter().find(|(name, _)| *name == "client_frame.json").unwrap();
    let schema: Value = serde_json::from_str(schema).unwrap();
    let frames = schema["oneOf"].as_array().unwrap();
    let types: Vec<&str> =
        frames.iter().map(|frame| frame["properties"]["t"]["const"].as_str().unwrap()).collect();
    assert_eq!(types, ClientFrame::TYPES);
}

/// A client frame with an unknown field, or without a required field, is refused.
#[test]
fn a_malformed_client_frame_is_refused() {
    for wrong in [
        json!({"t": "hello", "tokens": "x"}),
        json!({"t": "ping", "x": 1}),
        json!({"t": "move", "table": table(), "cmd": "c", "move": "h2h4"}),
        json!({"t": "move", "table": table(), "cmd": "c", "after": -1, "move": "h2h4"}),
        json!({"t": "move", "table": table(), "cmd": "c", "after": 1, "move": "h02h4"}),
        json!({"t": "move", "table": table(), "cmd": "", "after": 1, "move": "h2h4"}),
        json!({"t": "request", "table": table(), "cmd": "c", "request": "draw", "action": "beg"}),
        json!({"t": "chat", "table": table(), "cmd": "c", "room": "seated", "message": {}}),
        json!({"t": "chat", "table": table(), "cmd": "c", "room": "seated", "message": {"text": "a", "phrase": "bye"}}),
        json!({"t": "chat", "table": table(), "cmd": "c", "room": "all", "message": {"text": "a"}}),
        json!({"t": "sit", "table": "x", "cmd": "c"}),
        json!({"t": "sit", "table": table(), "cmd": "c", "nonce": ""}),
        json!({"t": "sit", "table": table(), "cmd": "c", "nonce": "\n"}),
        json!({"table": table()}),
        json!([]),
    ] {
        assert!(serde_json::from_value::<ClientFrame>(wrong.clone()).is_err(), "{wrong} was taken");
    }
}

/// An `event` frame is flat: the fields of the entry are beside `t`, `table` and `state`, and
/// `state` is a merge patch.
#[test]
fn an_event_frame_is_flat() {
    let state =
        StatePatch { turn: Change::Set(Color::Black), requests: Change::Removed, ..Default::default() };
    let entry = Entry {
        seq: 7,
        at_ms: 1000,
        event: Event::Moved {
            color: Color::White,
            mv: "e2e4".parse().unwrap(),
            left_ms: None,
            away_ms: 0,
            lag_ms: 0,
        },
        notation: Some("e4".to_owned()),
        squares: BTreeMap::from([
            ("e2".parse().unwrap(), None),
            ("e4".parse().unwrap(), Some("wP".parse().unwrap())),
        ]),
        checks: vec![],
        attacks: vec![],
        reserves: BTreeMap::new(),
    };
    let legal = Some(vec!["e7e5".parse().unwrap()]);
    let hints = TurnHints { pinned: vec!["e7".parse().unwrap()], ..Default::default() };
    let frame = ServerFrame::Event {
        table: table(),
        match_id: next(),
        entry,
        state,
        legal_moves: legal,
        hints: Some(hints),
    };
    let text = json!({
        "t": "event", "table": table(), "match": next(), "seq": 7, "at_ms": 1000,
        "event": {"type": "moved", "color": "white", "move": "e2e4"},
        "notation": "e4", "squares": {"e2": null, "e4": "wP"},
        "state": {"turn": "black", "requests": null},
        "legal_moves": ["e7e5"],
        "hints": {"pinned": ["e7"]},
    });
    assert_eq!(serde_json::to_value(&frame).unwrap(), text);
    assert_eq!(serde_json::from_value::<ServerFrame>(text).unwrap(), frame);
}

/// The time for which a connection stays open is absent if the server closes it at once.
#[test]
fn a_closing_frame_may_say_how_long_the_connection_stays_open() {
    for (open_for_ms, text) in [
        (None, json!({"t": "closing", "retry_after_ms": 3_000})),
        (Some(40_000), json!({"t": "closing", "retry_after_ms": 3_000, "open_for_ms": 40_000})),
    ] {
        let frame = ServerFrame::Closing { retry_after_ms: 3_000, open_for_ms };
        assert_eq!(serde_json::to_value(&frame).unwrap(), text);
        assert_eq!(serde_json::from_value::<ServerFrame>(text).unwrap(), frame);
    }
}

fn next() -> MatchId {
    "00000000-0000-7000-8000-000000000009".parse().expect("a UUID")
}

fn secret() -> Secret {
    Secret::new([3; 32])
}

fn settings() -> TableSettings {
    TableSettings {
        variant: Variant::DilkelCompact,
        privacy: Privacy::Private,
        setup: None,
        time: TimeSetting::Fischer { base_ms: 60_000, increment_ms: 1_000 },
        draws: DrawPolicy::Claim,
        absence: Absence::Wait,
        watchers: Watchers::Link,
        chat: Chat::Phrases,
        admission: Admission::Invite,
        rated: false,
        rating_range: None,
        seating: Seating::Drawn,
        move_limit_ms: None,
        hotseat: true,
        group: None,
        anonymous: false,
    }
}

/// The JSON of every event in stored logs. Its meaning may never change.
#[test]
fn events_round_trip_as_json() {
    let host = UserView {
        id: UserId("00000000-0000-7000-8000-000000000002".parse().unwrap()),
        name: "Ada".into(),
        account: false,
        bot: None,
        anonymous: false,
    };
    let color = Color::Green;
    let events = [
        (
            Event::Opened {
                settings: settings(),
                host: host.clone(),
                commitment: secret().commitment(),
                previous: None,
                kicked: Vec::new(),
            },
            json!({"type": "opened", "host": host,
                   "commitment": "648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b", "settings": {
                "variant": "dilkel-compact", "privacy": "private", "draws": "claim",
                "time": {"kind": "fischer", "base_ms": 60_000, "increment_ms": 1_000},
                "absence": "wait", "watchers": "link", "chat": "phrases", "admission": "invite", "rated": false,
                "seating": "drawn", "hotseat": true,
            }}),
        ),
        (
            Event::Seated { color, user: host.clone(), nonce: "a nonce".parse().unwrap() },
            json!({"type": "seated", "color": "green", "user": host, "nonce": "a nonce"}),
        ),
        (
            Event::Vacated { color, reason: VacateReason::Kicked },
            json!({"type": "vacated", "color": "green", "reason": "kicked"}),
        ),
        (Event::HostChanged { host: host.clone() }, json!({"type": "host_changed", "host": host})),
        (
            Event::RematchRequested {
                color,
                match_id: next(),
                commitment: secret().commitment(),
                nonce: "n".parse().unwrap(),
            },
            json!({"type": "rematch_requested", "color": "green", "match": next(), "nonce": "n",
                   "commitment": "648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b"}),
        ),
        (
            Event::RematchAgreed { color, nonce: "n".parse().unwrap() },
            json!({"type": "rematch_agreed", "color": "green", "nonce": "n"}),
        ),
        (Event::RematchDeclined { color }, json!({"type": "rematch_declined", "color": "green"})),
        (Event::Rematched { match_id: next() }, json!({"type": "rematched", "match": next()})),
        (Event::Closed { reason: None }, json!({"type": "closed"})),
        (Event::Closed { reason: Some("spam".into()) }, json!({"type": "closed", "reason": "spam"})),
        (
            Event::Started { first_player: color, secret: secret(), seats: BTreeMap::new() },
            json!({"type": "started", "first_player": "green", "secret": "03".repeat(32)}),
        ),
        (
            Event::Started {
                first_player: color,
                secret: secret(),
                seats: [(Color::Red, host.clone())].into(),
            },
            json!({"type": "started", "first_player": "green", "secret": "03".repeat(32), "seats": {"red": host}}),
        ),
        (
            Event::Moved { color, mv: "n7n9".parse().unwrap(), left_ms: Some(5), away_ms: 0, lag_ms: 0 },
            json!({"type": "moved", "color": "green", "move": "n7n9", "left_ms": 5}),
        ),
        (
            Event::Moved { color, mv: "n7n9".parse().unwrap(), left_ms: None, away_ms: 7, lag_ms: 8 },
            json!({"type": "moved", "color": "green", "move": "n7n9", "away_ms": 7, "lag_ms": 8}),
        ),
        (
            Event::Interrupted { until_ms: 5, resumes_ms: 9, away_ms: 0 },
            json!({"type": "interrupted", "until_ms": 5, "resumes_ms": 9}),
        ),
        (
            Event::Interrupted { until_ms: 5, resumes_ms: 9, away_ms: 4 },
            json!({"type": "interrupted", "until_ms": 5, "resumes_ms": 9, "away_ms": 4}),
        ),
        (
            Event::VacationStarted { color, since_ms: 5, until_ms: 9 },
            json!({"type": "vacation_started", "color": "green", "since_ms": 5, "until_ms": 9}),
        ),
        (Event::VacationEnded { color }, json!({"type": "vacation_ended", "color": "green"})),
        (Event::Paused {}, json!({"type": "paused"})),
        (Event::Waiting { color }, json!({"type": "waiting", "color": "green"})),
        (
            Event::Resuming { color: Some(color), until_ms: 9 },
            json!({"type": "resuming", "color": "green", "until_ms": 9}),
        ),
        (Event::Resuming { color: None, until_ms: 9 }, json!({"type": "resuming", "until_ms": 9})),
        (Event::Resumed {}, json!({"type": "resumed"})),
        (
            Event::Eliminated { color, cause: quadrex_rules::Cause::Mate, by: vec![Color::Red] },
            json!({"type": "eliminated", "color": "green", "cause": "mate", "by": ["red"]}),
        ),
        (
            Event::Requested { request: Request::Draw, color },
            json!({"type": "requested", "request": "draw", "color": "green"}),
        ),
        (
            Event::Agreed { request: Request::Takeback, color },
            json!({"type": "agreed", "request": "takeback", "color": "green"}),
        ),
        (
            Event::Declined { request: Request::Draw, color },
            json!({"type": "declined", "request": "draw", "color": "green"}),
        ),
        (
            Event::MessageSent {
                user: host.clone(),
                color: Some(color),
                room: Room::Seated,
                message: ChatMessage::Text("hm".into()),
            },
            json!({"type": "message_sent", "user": host, "color": "green", "room": "seated", "message": {"text": "hm"}}),
        ),
        (
            Event::MessageSent {
                user: host.clone(),
                color: None,
                room: Room::Bystanders,
                message: ChatMessage::Phrase(Phrase::GoodGame),
            },
            json!({"type": "message_sent", "user": host, "room": "bystanders", "message": {"phrase": "good_game"}}),
        ),
        (
            Event::TakenBack { plies: 3, left_ms: Some(5), away_ms: 7 },
            json!({"type": "taken_back", "plies": 3, "left_ms": 5, "away_ms": 7}),
        ),
        (
            Event::Aborted { cause: quadrex_rules::AbortCause::FirstMove },
            json!({"type": "aborted", "cause": "first_move"}),
        ),
        (
            Event::Ended {
                reason: Reason::Moves,
                places: BTreeMap::from([(Color::Red, 1), (Color::Green, 1)]),
            },
            json!({"type": "ended", "reason": "moves", "places": {"red": 1, "green": 1}}),
        ),
    ];
    for (event, text) in events {
        assert_eq!(serde_json::to_value(&event).unwrap(), text);
        assert_eq!(serde_json::from_value::<Event>(text).unwrap(), event);
    }
}

/// The schema of client frames contains every frame, and the TypeScript contains every type that it
/// uses.
#[test]
fn the_generated_descriptions_are_complete() {
    let schemas: BTreeMap<_, _> = schema::json_schemas().into_iter().collect();
    let client: Value = serde_json::from_str(&schemas["client_frame.json"]).unwrap();
    assert_eq!(client["oneOf"].as_array().map(Vec::len), Some(19));
    let typescript = schema::typescript();
    for name in
        ["ClientFrame", "ServerFrame", "Event", "Color", "Square", "Piece", "TableView", "CreateTable"]
    {
        assert!(typescript.contains(&format!("export type {name} = ")), "{name} is missing in\n{typescript}");
    }
    let mut words = typescript.split(|character: char| !character.is_alphanumeric());
    assert!(!words.any(|word| word == "bigint" || word == "Text"), "{typescript}");
}

#[test]
fn refusal_codes_are_snake_case() {
    assert_eq!(serde_json::to_value(RefusalCode::NotYourTurn).unwrap(), json!("not_your_turn"));
}
