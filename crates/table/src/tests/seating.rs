//! Tests of seats, kicks and the host.

use quadrex_protocol::event::VacateReason;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Admission, Privacy, RatingRange};
use quadrex_protocol::{Event, RefusalCode};
use quadrex_rules::{Color, Variant};

use super::{FISCHER, Fixture, nonce, person, plain, sit, terms, terms_of};
use crate::{Action, Invitation, Rejection, summary, table_view};

const KICK_BLUE: Action = Action::Kick { color: Color::Blue };

#[test]
fn a_kicked_user_may_not_sit_down_again() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("ann", sit(Some(Color::Blue), None)).unwrap();
    let decided = fixture.execute("host", KICK_BLUE).unwrap();
    assert_eq!(decided, [Event::Vacated { color: Color::Blue, reason: VacateReason::Kicked }]);
    assert_eq!(fixture.state().holder(Color::Blue), None);
    for seat in [None, Some(Color::Blue), Some(Color::Red)] {
        assert_eq!(fixture.decide("ann", sit(seat, None)), Err(Rejection::Kicked), "{seat:?}");
    }
    let invite = Some(Invitation { seat: None });
    assert_eq!(fixture.decide("ann", sit(None, invite)), Err(Rejection::Kicked), "not with an invite either");
    fixture.execute("ben", sit(Some(Color::Blue), None)).unwrap();
    let refused = fixture.decide("host", Action::Kick { color: Color::Green }).unwrap_err();
    assert_eq!(
        (refused.code(), refused.to_string().as_str()),
        (RefusalCode::NotSeated, "nobody holds green's seat")
    );
}

#[test]
fn a_range_of_ratings_restricts_seats_except_for_the_host_and_the_invited() {
    let range = RatingRange { min: Some(1_400), max: Some(1_600) };
    let fixture = Fixture::open(&terms_of(CreateTable {
        rated: Some(true),
        time: Some(FISCHER),
        rating_range: Some(range),
        ..plain(Variant::Dilkel)
    }));
    let sit = |invite, rating| Action::Sit { seat: None, invite, nonce: nonce("n"), rating };
    let outside = Rejection::OutsideRatingRange { range };
    assert_eq!(
        outside.to_string(),
        "the host has opened these seats for players with a rating of 1400 to 1600"
    );
    for rating in [1_400, 1_500, 1_600] {
        assert!(fixture.decide("ann", sit(None, Some(rating))).is_ok(), "{rating}");
    }
    for rating in [Some(1_399), Some(1_601), None] {
        assert_eq!(fixture.decide("ann", sit(None, rating)), Err(outside.clone()), "{rating:?}");
        assert!(fixture.decide("host", sit(None, rating)).is_ok(), "{rating:?}");
        assert!(fixture.decide("ann", sit(Some(Invitation { seat: None }), rating)).is_ok(), "{rating:?}");
    }
}

#[test]
fn a_user_who_left_may_return() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("ann", sit(None, None)).unwrap();
    fixture.execute("ann", Action::Leave).unwrap();
    assert!(fixture.execute("ann", sit(None, None)).is_ok());
}

#[test]
fn only_the_host_kicks_only_others_and_only_before_the_start() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("host", sit(Some(Color::Red), None)).unwrap();
    fixture.execute("ann", sit(Some(Color::Blue), None)).unwrap();
    for by in ["ann", "stranger"] {
        assert_eq!(fixture.decide(by, KICK_BLUE), Err(Rejection::NotHost), "{by}");
    }
    let own = fixture.decide("host", Action::Kick { color: Color::Red });
    assert_eq!(own, Err(Rejection::OwnSeat { color: Color::Red }));
    let none = fixture.decide("host", Action::Kick { color: Color::White });
    assert_eq!(none, Err(Rejection::NoSuchSeat { color: Color::White }));
    for name in ["ben", "cat"] {
        fixture.execute(name, sit(None, None)).unwrap();
    }
    assert_eq!(fixture.decide("host", KICK_BLUE), Err(Rejection::AlreadyStarted));
}

/// The host's seat is Yellow. The next seats in turn order are Green, Red and Blue.
#[test]
fn the_next_seated_user_becomes_host_when_the_host_leaves() {
    let seated = |others: &[(&str, Color)]| {
        let mut fixture = Fixture::open(&terms(Variant::Dilkel));
        fixture.execute("host", sit(Some(Color::Yellow), None)).unwrap();
        for (name, color) in others {
            fixture.execute(name, sit(Some(*color), None)).unwrap();
        }
        let decided = fixture.execute("host", Action::Leave).unwrap();
        assert_eq!(decided[0], Event::Vacated { color: Color::Yellow, reason: VacateReason::Left });
        (fixture, decided)
    };
    let (fixture, decided) = seated(&[("ann", Color::Red), ("ben", Color::Blue)]);
    assert_eq!(decided[1..], [Event::HostChanged { host: person("ann") }]);
    assert_eq!(fixture.state().host(), &person("ann"));
    assert_eq!(summary(fixture.state()).host, person("ann"));
    let view = table_view(
        fixture.state(),
        fixture.history.entries(),
        &Default::default(),
        Vec::new(),
        fixture.now(),
    );
    assert_eq!(view.host, person("ann"));
    assert_eq!(fixture.decide("host", KICK_BLUE), Err(Rejection::NotHost));
    assert!(fixture.decide("ann", KICK_BLUE).is_ok());

    let (_, decided) = seated(&[("ann", Color::Blue), ("ben", Color::Green)]);
    assert_eq!(decided[1..], [Event::HostChanged { host: person("ben") }]);
    let (fixture, decided) = seated(&[]);
    assert_eq!(decided.len(), 1);
    assert_eq!(fixture.state().host(), &person("host"), "no seated user could become host");
}

#[test]
fn the_host_stays_when_another_user_leaves() {
    let mut fixture = Fixture::open(&terms(Variant::Dilkel));
    fixture.execute("host", sit(None, None)).unwrap();
    fixture.execute("ann", sit(None, None)).unwrap();
    assert_eq!(fixture.execute("ann", Action::Leave).unwrap().len(), 1);
    assert_eq!(fixture.state().host(), &person("host"));
}

#[test]
fn a_public_table_can_require_invites() {
    let request = CreateTable { admission: Some(Admission::Invite), ..plain(Variant::Classic) };
    let mut fixture = Fixture::open(&terms_of(request));
    assert_eq!(fixture.decide("ann", sit(None, None)), Err(Rejection::InviteNeeded));
    fixture.execute("ann", sit(None, Some(Invitation { seat: None }))).unwrap();
    fixture.execute("host", sit(None, None)).unwrap();
    assert!(fixture.state().game().is_some());
}

/// A host who has left loses the host's rights, so returning to a private table needs an invite.
#[test]
fn a_former_host_needs_an_invite_to_return() {
    let mut fixture = Fixture::open(&terms_of(CreateTable::plain(Variant::Dilkel, Privacy::Private)));
    fixture.execute("host", sit(None, None)).unwrap();
    fixture.execute("ann", sit(None, Some(Invitation { seat: None }))).unwrap();
    fixture.execute("host", Action::Leave).unwrap();
    assert_eq!(fixture.decide("host", sit(None, None)), Err(Rejection::InviteNeeded));
}
