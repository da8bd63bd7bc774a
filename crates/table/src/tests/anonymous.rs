//! Tests of anonymous matches.

use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::view::Phase;
use quadrex_rules::notation::Tags;
use quadrex_rules::{Color, Variant};

use super::{Fixture, TABLE, person, plain, sit, terms_of};
use crate::frames::{self, BatchPosition, Frames};
use crate::{
    Action, PresenceView, Viewer, hide_names_in_log, match_view, notation, real_user, shown_summary,
    state_view, summary,
};

fn anonymous() -> CreateTable {
    CreateTable { anonymous: Some(true), ..plain(Variant::Dilkel) }
}

/// Returns the frames of the last event.
fn last_frames(fixture: &Fixture) -> Frames<String> {
    let state = fixture.state();
    let mut published = state_view(state, fixture.now());
    let entry = fixture.history.entries().last().unwrap();
    frames::event(entry, &mut published, state, BatchPosition::Last, fixture.now())
}

/// Returns the id of a person in the form in which JSON has it.
fn id(name: &str) -> String {
    person(name).id.to_string()
}

#[test]
fn everybody_sees_the_color_of_a_player_and_only_the_player_the_own_name() {
    let mut fixture = Fixture::open(&terms_of(anonymous()));
    fixture.execute("ann", sit(Some(Color::Blue), None)).unwrap();
    let seated = last_frames(&fixture);
    assert!(seated.general().contains("\"name\":\"Blue\"") && !seated.general().contains(&id("ann")));
    assert!(seated.of(Viewer::User(person("ann").id)).contains("\"name\":\"ann\""));
    assert_eq!(seated.of(Viewer::User(person("host").id)), seated.general());
    let message = ChatMessage::Text("hello".to_owned());
    fixture.execute("ann", Action::Chat { room: Room::Seated, message }).unwrap();
    assert!(!last_frames(&fixture).general().contains(&id("ann")));

    let presence = PresenceView::default();
    let snapshot = |viewer| frames::snapshot::<String>(&fixture.history, &presence, viewer, fixture.now());
    let (ann, host) = (person("ann").id, person("host").id);
    for viewer in [Viewer::Anonymous, Viewer::User(person("spectator").id)] {
        let text = snapshot(viewer);
        assert!(!text.contains(&id("ann")) && !text.contains(&id("host")), "{text}");
        assert!(text.contains("\"name\":\"Blue\"") && text.contains("\"name\":\"Host\""), "{text}");
    }
    let of_ann = snapshot(Viewer::User(ann));
    assert!(of_ann.contains(&id("ann")) && !of_ann.contains(&id("host")), "{of_ann}");
    let of_host = snapshot(Viewer::User(host));
    assert!(of_host.contains(&id("host")) && !of_host.contains(&id("ann")), "{of_host}");
    for frame in frames::missed::<String>(&fixture.history, 0, Viewer::Anonymous, fixture.now()) {
        assert!(!frame.contains(&id("ann")) && !frame.contains(&id("host")), "{frame}");
    }
    for (_, frames) in frames::events_after::<String>(&fixture.history, 0, fixture.now()) {
        assert!(!frames.general().contains(&id("ann")) && !frames.general().contains(&id("host")));
    }

    let listed = summary(fixture.state());
    let shown = shown_summary(listed.clone(), None);
    assert!(shown.host.anonymous && shown.seats[1].user.as_ref().is_some_and(|user| user.anonymous));
    let own = shown_summary(listed.clone(), Some(ann));
    assert_eq!(own.seats[1].user, Some(person("ann")));
    assert!(own.host.anonymous);
    assert_eq!(real_user(&listed, shown.seats[1].user.as_ref().unwrap().id), Some(ann));
    assert_eq!(real_user(&listed, shown.host.id), Some(host));
    assert_eq!(real_user(&listed, ann), None, "a real id stands for nobody");
}

#[test]
fn names_appear_when_the_match_is_over() {
    let mut fixture = Fixture::started(&terms_of(anonymous()), 0);
    let logged = |fixture: &Fixture| {
        let mut events: Vec<_> = fixture.log.iter().map(|numbered| numbered.event.clone()).collect();
        hide_names_in_log(events.iter_mut().collect(), TABLE);
        serde_json::to_string(&events).unwrap()
    };
    let text = |fixture: &Fixture| {
        let view = match_view(&fixture.history, Viewer::Anonymous, fixture.now());
        let notation = notation(&fixture.history, &Tags::new()).unwrap();
        format!("{} {notation} {}", serde_json::to_string(&view).unwrap(), logged(fixture))
    };
    let hidden = text(&fixture);
    assert!(!hidden.contains(&id("red")) && hidden.contains("[Red \"Red\"]"), "{hidden}");
    for color in ["blue", "yellow", "green"] {
        fixture.execute(color, Action::Resign).unwrap();
    }
    assert_eq!(fixture.state().phase(), Phase::Ended);
    assert!(!shown_summary(summary(fixture.state()), None).host.anonymous);
    let shown = text(&fixture);
    assert!(shown.contains(&id("red")) && shown.contains("[Red \"red\"]"), "{shown}");
    assert!(!shown.contains("\"anonymous\":true}") || !shown.contains("\"name\":\"Red\""), "{shown}");
}
