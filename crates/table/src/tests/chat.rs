//! Tests of the chat: rooms, policies, rate limits and recipients (RULES D15).

use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Chat;
use quadrex_protocol::{Event, RefusalCode};
use quadrex_rules::{Color, Variant};
use serde_json::Value;

use super::{Fixture, IDENTITY, MATCH, TABLE, person, plain, terms, terms_of};
use crate::frames::BatchPosition;
use crate::{Action, History, Viewer, frames, state_view};

fn say(room: Room, text: &str) -> Action {
    Action::Chat { room, message: ChatMessage::Text(text.to_owned()) }
}

fn code(fixture: &Fixture, by: &str, action: Action) -> RefusalCode {
    fixture.decide(by, action).unwrap_err().code()
}

fn viewer(name: &str) -> Viewer {
    Viewer::User(person(name).id)
}

fn read(frame: &str) -> Value {
    serde_json::from_str(frame).unwrap()
}

/// Returns the type of a frame, and whether the frame contains these words.
fn contains(frame: &str, words: &str) -> (String, bool) {
    let text = frame.to_owned();
    (read(frame)["t"].as_str().unwrap().to_owned(), text.contains(words))
}

/// Returns the frame of the last event as this viewer receives it.
fn live(fixture: &Fixture, to: Viewer) -> String {
    let entry = fixture.history.entries().last().unwrap();
    let mut published_state = state_view(fixture.state(), fixture.now());
    let published = frames::event::<String>(
        entry,
        &mut published_state,
        fixture.state(),
        BatchPosition::Last,
        fixture.now(),
    );
    published.of(to).clone()
}

#[test]
fn each_user_writes_in_one_room() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    let belongs = |fixture: &Fixture, who: &str| {
        let may = |room| match fixture.decide(who, say(room, "x")) {
            Ok(_) => true,
            Err(refused) => {
                assert_eq!(refused.code(), RefusalCode::WrongRoom);
                false
            }
        };
        let rooms = [Room::Seated, Room::Bystanders].into_iter().filter(|&room| may(room));
        rooms.collect::<Vec<_>>()
    };
    fixture.execute("red", super::sit(Some(Color::Red), None)).unwrap();
    assert_eq!(belongs(&fixture, "red"), [Room::Seated], "a seated user before the start");
    assert_eq!(belongs(&fixture, "host"), [Room::Bystanders], "a host without a seat");
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("blue", Action::Resign).unwrap();
    assert_eq!(belongs(&fixture, "red"), [Room::Seated]);
    assert_eq!(belongs(&fixture, "blue"), [Room::Bystanders], "eliminated");
    assert_eq!(belongs(&fixture, "stranger"), [Room::Bystanders]);
    for by in ["green", "yellow"] {
        fixture.execute(by, Action::Resign).unwrap();
    }
    assert_eq!(belongs(&fixture, "blue"), [Room::Seated], "a player after the end");
    assert_eq!(belongs(&fixture, "stranger"), [Room::Bystanders]);
}

/// D15: during the match, remaining players receive no messages of bystanders: not live, not after
/// a reconnect, and not in a snapshot. Event numbers still have no gaps.
#[test]
fn remaining_players_receive_no_messages_of_bystanders() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.play("red", "h2h4").unwrap();
    fixture.execute("yellow", Action::Resign).unwrap();
    let before = fixture.state().head();
    fixture.execute("stranger", say(Room::Bystanders, "whisper")).unwrap();
    let expected = serde_json::json!({"t": "skip", "table": TABLE, "match": MATCH, "seq": before + 1});
    for seated in ["red", "blue", "green"] {
        assert_eq!(read(&live(&fixture, viewer(seated))), expected, "{seated}");
    }
    for other in [viewer("yellow"), viewer("stranger"), viewer("host"), Viewer::Anonymous] {
        assert_eq!(contains(&live(&fixture, other), "whisper"), ("event".into(), true), "{other:?}");
    }
    fixture.execute("yellow", say(Room::Bystanders, "a whisper of an eliminated player")).unwrap();
    assert_eq!(contains(&live(&fixture, viewer("red")), "whisper"), ("skip".into(), false));

    let missed = |fixture: &Fixture, to| {
        let frames = frames::missed::<String>(&fixture.history, before - 2, to, fixture.now());
        frames.iter().map(|frame| contains(frame, "whisper")).collect::<Vec<_>>()
    };
    let (event, skip) = (|is_visible| ("event".to_owned(), is_visible), || ("skip".to_owned(), false));
    assert_eq!(missed(&fixture, viewer("blue")), [event(false), event(false), skip(), skip()]);
    assert_eq!(missed(&fixture, viewer("yellow")), [event(false), event(false), event(true), event(true)]);
    let frames = frames::missed::<String>(&fixture.history, before - 2, viewer("blue"), fixture.now());
    let has_legal = |frame: &String| read(frame).get("legal_moves").is_some();
    let legal: Vec<_> = frames.iter().map(has_legal).collect();
    assert_eq!(legal, [false, true, false, false], "the last event that is visible has the legal moves");
    let single = frames::missed::<String>(&fixture.history, before + 1, viewer("blue"), fixture.now());
    assert_eq!(single.iter().map(|frame| contains(frame, "whisper")).collect::<Vec<_>>(), [skip()]);

    let snapshot = |fixture: &Fixture, to| {
        frames::snapshot::<String>(&fixture.history, &Default::default(), to, fixture.now())
    };
    assert!(!contains(&snapshot(&fixture, viewer("blue")), "whisper").1);
    assert_eq!(read(&snapshot(&fixture, viewer("blue")))["seq"], before + 2);
    assert!(contains(&snapshot(&fixture, viewer("yellow")), "whisper").1);
    assert!(contains(&snapshot(&fixture, Viewer::Anonymous), "whisper").1);

    fixture.execute("green", Action::Resign).unwrap();
    fixture.execute("blue", Action::Resign).unwrap();
    assert!(
        contains(&snapshot(&fixture, viewer("red")), "whisper").1,
        "everybody may read the chat after the end"
    );
    assert_eq!(missed(&fixture, viewer("red"))[2], event(true));
}

/// Messages sent before the start stay visible to those who sat at the open table. Messages of
/// seated users are visible to everybody.
#[test]
fn messages_before_the_start_and_of_seated_users_are_visible() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    fixture.execute("stranger", say(Room::Bystanders, "welcome")).unwrap();
    for color in ["white", "black"] {
        fixture.execute(color, super::sit(None, None)).unwrap();
    }
    let missed = frames::missed::<String>(&fixture.history, 1, viewer("white"), fixture.now());
    assert_eq!(contains(&missed[0], "welcome"), ("event".into(), true));
    fixture.execute("black", say(Room::Seated, "good luck")).unwrap();
    for to in [viewer("white"), viewer("black"), viewer("stranger"), Viewer::Anonymous] {
        assert_eq!(contains(&live(&fixture, to), "good luck"), ("event".into(), true), "{to:?}");
    }
    let frame = read(&live(&fixture, viewer("white")));
    assert_eq!(frame["event"]["color"], "black");
    assert!(frame.get("legal_moves").is_some(), "White is still to move");
}

/// D15: the host can disable the players' chat, or limit it to preset phrases. The bystanders' chat
/// stays enabled.
#[test]
fn the_host_sets_the_chat_of_the_players() {
    let phrase = |room| Action::Chat { room, message: ChatMessage::Phrase(Phrase::Oops) };
    for (chat, text, preset) in
        [(Chat::On, true, true), (Chat::Phrases, false, true), (Chat::Off, false, false)]
    {
        let terms = terms_of(CreateTable { chat: Some(chat), ..plain(Variant::Classic) });
        let fixture = Fixture::started(&terms, 0);
        for (action, may) in [(say(Room::Seated, "x"), text), (phrase(Room::Seated), preset)] {
            match fixture.decide("white", action) {
                Ok(_) => assert!(may, "{chat:?}"),
                Err(refused) => assert_eq!((refused.code(), may), (RefusalCode::ChatOff, false), "{chat:?}"),
            }
        }
        assert!(fixture.decide("stranger", say(Room::Bystanders, "x")).is_ok(), "{chat:?}");
        assert!(fixture.decide("stranger", phrase(Room::Bystanders)).is_ok(), "{chat:?}");
    }
}

/// A user may send five messages in ten seconds. The count comes from the log, so it survives a
/// restart.
#[test]
fn messages_are_rate_limited_per_user() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    for _ in 0..5 {
        fixture.execute("white", say(Room::Seated, "x")).unwrap();
    }
    assert_eq!(code(&fixture, "white", say(Room::Seated, "x")), RefusalCode::RateLimited);
    assert!(fixture.decide("black", say(Room::Seated, "x")).is_ok(), "each user has a separate count");
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    fixture.history = again;
    assert_eq!(code(&fixture, "white", say(Room::Seated, "x")), RefusalCode::RateLimited);
    // Every command advances the clock by a second, and the first message is five commands old.
    fixture.advance_and_flag(5_999).unwrap_err();
    assert_eq!(code(&fixture, "white", say(Room::Seated, "x")), RefusalCode::RateLimited);
    fixture.advance_and_flag(1).unwrap_err();
    fixture.execute("black", say(Room::Seated, "x")).unwrap();
    fixture.execute("white", say(Room::Seated, "x")).unwrap();
}

/// All bystanders share a rate limit, and a snapshot contains only their last messages, so they
/// cannot make a match large for others. The players' chat has its own limit.
#[test]
fn bystanders_share_a_rate_limit_and_snapshots_have_their_last_messages() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    let mut said = 0;
    let mut refused = 0;
    for guest in 0..500 {
        let name = format!("guest {guest}");
        // Every accepted command advances the clock by a second.
        for _ in 0..3 {
            let words = say(Room::Bystanders, &format!("words {said}"));
            match fixture.decide(&name, words) {
                Ok(events) => {
                    fixture.apply_events(&events);
                    said += 1;
                }
                Err(rejection) => {
                    assert_eq!(rejection.code(), RefusalCode::RateLimited);
                    refused += 1;
                }
            }
        }
        if said < 300 {
            fixture.advance_ms(500);
        }
    }
    assert!(said >= 300 && refused > 0, "{said} said, {refused} refused");
    assert!(fixture.decide("white", say(Room::Seated, "x")).is_ok());
    let words = |of: Viewer| {
        let shown = fixture.history.visible_to(of);
        shown
            .filter(|entry| matches!(entry.event, Event::MessageSent { .. }))
            .map(|entry| entry.seq)
            .collect::<Vec<_>>()
    };
    let shown = words(Viewer::Anonymous);
    assert_eq!(shown.len(), 200);
    assert_eq!(shown.last(), Some(&fixture.state().head()), "the last messages are shown");
    assert!(words(viewer("white")).is_empty(), "players receive none of them");
    assert_eq!(fixture.log.len() as u64, fixture.state().head(), "the log has all messages");
}

/// Messages are stored in the cleaned form that is displayed. The chat stays open after the end.
#[test]
fn messages_are_stored_cleaned_and_the_chat_stays_open_after_the_end() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    fixture.execute("white", Action::Resign).unwrap();
    let events = fixture.execute("white", say(Room::Seated, " good\u{202e} game\n")).unwrap();
    let [
        Event::MessageSent {
            user,
            color: Some(Color::White),
            room: Room::Seated,
            message: ChatMessage::Text(text),
        },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!((user, text.as_str()), (&person("white"), "good game"));
    assert_eq!(code(&fixture, "black", say(Room::Seated, "\u{202e}\u{7}")), RefusalCode::BadText);
    assert_eq!(code(&fixture, "black", say(Room::Seated, &"x".repeat(201))), RefusalCode::BadText);
    let again = History::replay(IDENTITY, fixture.log.clone()).unwrap();
    assert_eq!(again.entries(), fixture.history.entries());
}
