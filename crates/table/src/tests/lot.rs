//! Tests of the lot, which decides the first player and the seats.

use std::collections::BTreeMap;

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::{LotParts, Secret, draw};
use quadrex_protocol::settings::Seating;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, hex};
use quadrex_rules::{Color, Setup, Variant};

use super::{Fixture, IDENTITY, MATCH, person, plain, sit_with, terms, terms_from, terms_of};
use crate::{Action, History, TableIdentity};
use quadrex_protocol::LotKey;

const SEATS: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

/// The holders of drawn seats.
type Drawn = BTreeMap<Color, UserView>;

fn started(fixture: &Fixture) -> (Color, Secret, Drawn) {
    let starts = fixture.log.iter().find_map(|fact| match &fact.event {
        Event::Started { first_player, secret, seats } => Some((*first_player, *secret, seats.clone())),
        _ => None,
    });
    starts.unwrap()
}

/// D2: each of the four players can begin. The published function gives the same first player for
/// the nonces of the seats.
#[test]
fn nonces_and_secret_determine_the_first_player() {
    for (beginner, color) in SEATS.into_iter().enumerate() {
        let fixture = Fixture::started(&terms(Variant::Dilkel), beginner);
        let (started_seq, secret, seats) = started(&fixture);
        assert_eq!((started_seq, fixture.state().turn()), (color, Some(color)));
        assert!(seats.is_empty(), "the seats are not drawn");
        let nonces = fixture.log.iter().filter_map(|fact| match &fact.event {
            Event::Seated { nonce, .. } => Some(nonce.clone()),
            _ => None,
        });
        let drawn =
            draw(&secret, MATCH, &nonces.collect::<Vec<_>>(), LotParts { seats: false, first_player: true });
        assert_eq!(drawn.first_player, Some(beginner));
        let Event::Opened { commitment, .. } = &fixture.log[0].event else { panic!("{:?}", fixture.log[0]) };
        assert_eq!(secret.commitment(), *commitment);
    }
}

/// Only the nonces of users who sit at the start count.
#[test]
fn only_the_nonces_of_seated_users_count() {
    let begins = |nonces: [&str; 2]| {
        let mut fixture = Fixture::open(&terms(Variant::Dilkel));
        fixture.execute("ann", sit_with(Some(Color::Red), nonces[0])).unwrap();
        fixture.execute("ann", Action::Leave).unwrap();
        for color in &SEATS {
            let text = if *color == Color::Red { nonces[1] } else { "n" };
            fixture.execute(color.name(), sit_with(Some(*color), text)).unwrap();
        }
        started(&fixture).0
    };
    let outcomes: Vec<_> = (0..8).map(|number| begins(["x", &number.to_string()])).collect();
    assert!(outcomes.iter().any(|color| *color != outcomes[0]), "{outcomes:?}");
    assert!((0..8).all(|number| begins([&number.to_string(), "0"]) == outcomes[0]));
}

/// C1: White begins in classic, and a start position determines its first player, so the lot
/// decides only the seats.
#[test]
fn drawn_seats_are_assigned_at_the_start() {
    let request = CreateTable { seating: Some(Seating::Drawn), ..plain(Variant::Classic) };
    let mut whites = std::collections::BTreeSet::new();
    for number in 0..16 {
        let mut fixture = Fixture::open(&terms_of(request.clone()));
        fixture.execute("ann", sit_with(Some(Color::White), "n")).unwrap();
        fixture.execute("ben", sit_with(Some(Color::Black), &number.to_string())).unwrap();
        let (beginner, _, seats) = started(&fixture);
        assert_eq!(beginner, Color::White);
        assert_eq!(fixture.state().holder(Color::White), seats.get(&Color::White));
        assert_eq!(fixture.state().holder(Color::Black), seats.get(&Color::Black));
        let white = seats[&Color::White].name.clone();
        assert_eq!(fixture.state().seats_of(person(&white).id), [Color::White]);
        fixture.play(&white, "e2e4").unwrap();
        whites.insert(white);
    }
    assert_eq!(whites.len(), 2, "each user is White at least once");

    let black_to_move = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let fixture = Fixture::started(&terms_from(Variant::Classic, black_to_move), 0);
    assert_eq!(started(&fixture).0, Color::Black);

    let blue_to_move = Setup::start(Variant::Dilkel).with_turn(Color::Blue).to_string();
    for number in 0..16 {
        let mut fixture = Fixture::open(&terms_from(Variant::Dilkel, &blue_to_move));
        for color in SEATS {
            fixture.execute(color.name(), sit_with(Some(color), &number.to_string())).unwrap();
        }
        assert_eq!(started(&fixture).0, Color::Blue, "with the nonce {number}");
    }
}

#[test]
fn a_log_with_a_changed_lot_is_corrupt() {
    let request = CreateTable { seating: Some(Seating::Drawn), ..plain(Variant::Dilkel) };
    let fixture = Fixture::started(&terms_of(request), 1);
    let whole = fixture.log.clone();
    assert!(History::replay(IDENTITY, whole.clone()).is_ok());
    let start = whole.iter().position(|fact| matches!(fact.event, Event::Started { .. })).unwrap();
    let change = |index: usize, change: &dyn Fn(&mut Event)| {
        let mut log = whole.clone();
        change(&mut log[index].event);
        History::replay(IDENTITY, log).unwrap_err().seq
    };
    let seq = |index: usize| index as u64 + 1;
    let other = Secret::new([1; 32]);
    let tampered_start = |tamper: &dyn Fn(&mut Color, &mut Secret, &mut Drawn)| {
        change(start, &|event| {
            if let Event::Started { first_player, secret, seats } = event {
                tamper(first_player, secret, seats);
            }
        })
    };
    assert_eq!(tampered_start(&|first_player, _, _| *first_player = Color::Red), seq(start));
    assert_eq!(tampered_start(&|_, secret, _| *secret = other), seq(start));
    assert_eq!(tampered_start(&|_, _, seats| seats.clear()), seq(start));
    let with_nonce = change(2, &|event| {
        if let Event::Seated { nonce, .. } = event {
            *nonce = super::nonce("other");
        }
    });
    assert_eq!(with_nonce, seq(start), "another nonce gives another lot");
    let with_commitment = change(0, &|event| {
        if let Event::Opened { commitment, .. } = event {
            *commitment = other.commitment();
        }
    });
    assert_eq!(with_commitment, 1);
    let elsewhere = TableIdentity { lot_key: LotKey([8; 32]), ..IDENTITY };
    assert_eq!(History::replay(elsewhere, whole.clone()).unwrap_err().seq, 1, "another table's key");
}

/// Before the start the secret is in no view and in no debug output.
#[test]
fn the_secret_is_hidden_before_the_start() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    fixture.execute("ann", sit_with(None, "n")).unwrap();
    let secret = String::from(IDENTITY.lot_key.secret(MATCH));
    let key = hex::encode(&IDENTITY.lot_key.0);
    let view = crate::table_view(
        fixture.state(),
        fixture.history.entries(),
        &Default::default(),
        Vec::new(),
        fixture.now(),
    );
    for text in [serde_json::to_string(&view).unwrap(), format!("{:?}", fixture.state())] {
        assert!(!text.contains(&secret) && !text.contains(&key), "{text}");
    }
}
