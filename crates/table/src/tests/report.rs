//! Tests of the moments that reports are about.

use quadrex_protocol::RequestAction;
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::http::ReportMoment;
use quadrex_rules::{Color, Variant};

use super::{Fixture, MATCH, person, sit, takeback, terms};
use crate::{Action, InvalidMoment, Viewer};

fn say(room: Room, text: &str) -> Action {
    Action::Chat { room, message: ChatMessage::Text(text.to_owned()) }
}

fn check(
    fixture: &Fixture,
    reported: &str,
    message: Option<u64>,
    reporter: Viewer,
) -> Result<(), InvalidMoment> {
    let moment = ReportMoment { match_id: MATCH, at: fixture.state().head(), message };
    fixture.history.check_report(person(reported).id, moment, reporter)
}

#[test]
fn only_somebody_who_took_part_can_be_reported() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    assert_eq!(check(&fixture, "host", None, Viewer::Anonymous), Ok(()));
    assert_eq!(check(&fixture, "white", None, Viewer::Anonymous), Err(InvalidMoment::NoPart));
    fixture.execute("white", sit(Some(Color::White), None)).unwrap();
    assert_eq!(check(&fixture, "white", None, Viewer::Anonymous), Ok(()));
    fixture.execute("white", Action::Leave).unwrap();
    assert_eq!(check(&fixture, "white", None, Viewer::Anonymous), Ok(()), "a former player");
    fixture.execute("fan", say(Room::Bystanders, "hello")).unwrap();
    assert_eq!(check(&fixture, "fan", None, Viewer::Anonymous), Ok(()));
    assert_eq!(check(&fixture, "stranger", None, Viewer::Anonymous), Err(InvalidMoment::NoPart));

    let head = fixture.state().head();
    for at in [0, head + 1] {
        let moment = ReportMoment { match_id: MATCH, at, message: None };
        let checked = fixture.history.check_report(person("host").id, moment, Viewer::Anonymous);
        assert_eq!(checked, Err(InvalidMoment::NoEvent { at }));
    }
}

/// A player cannot find out by reports what bystanders write (RULES D15).
#[test]
fn a_reported_message_is_one_that_the_reporter_may_read() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("red", say(Room::Seated, "hi")).unwrap();
    let open = fixture.state().head();
    fixture.execute("fan", say(Room::Bystanders, "whisper")).unwrap();
    let hidden = fixture.state().head();
    let blue = Viewer::User(person("blue").id);
    let no_message = |message| Err(InvalidMoment::NoMessage { message });
    assert_eq!(check(&fixture, "red", Some(open), blue), Ok(()));
    assert_eq!(check(&fixture, "green", Some(open), blue), no_message(open), "of another user");
    assert_eq!(check(&fixture, "red", Some(1), blue), no_message(1), "no message");
    assert_eq!(check(&fixture, "fan", Some(hidden), blue), no_message(hidden));
    assert_eq!(check(&fixture, "fan", None, blue), Err(InvalidMoment::NoPart));
    assert_eq!(check(&fixture, "fan", Some(hidden), Viewer::Anonymous), Ok(()));
}

#[test]
fn the_ply_of_a_moment_does_not_count_moves_that_were_taken_back() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    let start = fixture.state().head();
    fixture.play("white", "e2e4").unwrap();
    fixture.play("black", "e7e5").unwrap();
    let moved = fixture.state().head();
    fixture.execute("black", takeback(RequestAction::Ask)).unwrap();
    fixture.execute("white", takeback(RequestAction::Accept)).unwrap();
    let taken_back = fixture.state().head();
    fixture.play("black", "c7c5").unwrap();
    let plies = [start, moved - 1, moved, taken_back, taken_back + 1, 1_000];
    assert_eq!(plies.map(|seq| fixture.history.ply_at(seq)), [0, 1, 2, 1, 2, 2]);
}

#[test]
fn operators_see_the_messages_around_a_moment() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    let start = fixture.state().head();
    for number in 0..40 {
        let (by, room) = if number % 2 == 0 { ("red", Room::Seated) } else { ("fan", Room::Bystanders) };
        fixture.execute(by, say(room, &number.to_string())).unwrap();
        fixture.advance_ms(10_000);
    }
    let around = |seq| -> Vec<u64> {
        fixture.history.messages_around(seq).iter().map(|message| message.seq - start - 1).collect()
    };
    assert_eq!(around(start), (0..10).collect::<Vec<_>>());
    assert_eq!(around(start + 1 + 24), (5..35).collect::<Vec<_>>(), "20 until then and 10 after it");
    assert_eq!(around(start + 1 + 39), (20..40).collect::<Vec<_>>());
    let message = fixture.history.messages_around(start + 1).remove(0);
    assert_eq!((message.user.name.as_str(), message.color), ("red", Some(Color::Red)));
    assert_eq!((message.room, message.message), (Room::Seated, ChatMessage::Text("0".into())));
}
