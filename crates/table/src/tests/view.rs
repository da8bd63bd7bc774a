//! Tests of a table's views.

use quadrex_protocol::PieceCode;
use quadrex_protocol::view::Phase;
use quadrex_rules::{ByColor, CastlingRights, Color, Piece, Setup, Variant};

use super::{Fixture, person, terms, terms_from};
use crate::frames::BatchPosition;
use crate::{Action, Viewer, frames, legal_moves, state_view, summary, table_view};

fn squares(fixture: &Fixture) -> String {
    let entry = fixture.history.entries().last().unwrap();
    let square = |(square, piece): (&quadrex_rules::Square, &Option<PieceCode>)| {
        format!("{square}={}", piece.map_or("-".to_owned(), |piece| piece.to_string()))
    };
    entry.squares.iter().map(square).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_entry_contains_every_changed_square_and_the_move_text() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut fixture = Fixture::started(&terms_from(Variant::Classic, castling), 0);
    fixture.play("white", "e1g1").unwrap();
    assert_eq!(squares(&fixture), "e1=- f1=wR g1=wK h1=-");
    let entry = fixture.history.entries().last().unwrap();
    assert_eq!(entry.notation.as_deref(), Some("O-O"));
    fixture.play("black", "a8a1").unwrap();
    let entry = fixture.history.entries().last().unwrap();
    assert_eq!((entry.notation.as_deref(), squares(&fixture).as_str()), (Some("Rxa1"), "a1=bR a8=-"));
}

/// The summary in the table list contains the color to move.
#[test]
fn a_summary_contains_the_color_to_move_during_the_match() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    assert_eq!(summary(fixture.state()).turn, None);
    fixture = Fixture::started(&terms(Variant::Classic), 0);
    assert_eq!(summary(fixture.state()).turn, Some(Color::White));
    fixture.play("white", "e2e4").unwrap();
    assert_eq!(summary(fixture.state()).turn, Some(Color::Black));
    fixture.execute("black", Action::Resign).unwrap();
    assert_eq!(summary(fixture.state()).turn, None);
}

/// D11: an eliminated army leaves the board at once, and the entry contains all its squares.
#[test]
fn an_entry_contains_the_squares_of_an_eliminated_army() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    fixture.execute("blue", Action::Resign).unwrap();
    let entry = fixture.history.entries().last().unwrap();
    assert_eq!(entry.squares.len(), 16);
    assert!(entry.squares.iter().all(|(square, piece)| piece.is_none() && square.file() < 2));
    let view = state_view(fixture.state(), fixture.now());
    assert_eq!(view.active_players, [Color::Red, Color::Yellow, Color::Green]);
    assert_eq!(view.eliminated.len(), 1);
    assert!(!view.reserves.contains_key(&Color::Blue));
}

/// A client's board, made from the start by applying all changed squares, equals the board of the
/// rules.
#[test]
fn applying_all_changed_squares_to_the_start_gives_the_board() {
    let mut fixture = Fixture::started(&terms(Variant::Dilkel), 0);
    for step in 0..60 {
        let (color, moves) = legal_moves(fixture.state()).unwrap();
        let mv = moves[step * 7 % moves.len()].to_string();
        fixture.play(color.name(), &mv).unwrap();
        if fixture.state().turn().is_none() {
            break;
        }
    }
    let view = table_view(
        fixture.state(),
        fixture.history.entries(),
        &Default::default(),
        Vec::new(),
        fixture.now(),
    );
    let mut board = view.start;
    for (square, piece) in view.history.into_iter().flat_map(|entry| entry.squares) {
        match piece {
            Some(piece) => board.insert(square, piece),
            None => board.remove(&square),
        };
    }
    assert_eq!(board, view.pieces);
}

/// The player to move receives its legal moves with the last event of each command; nobody else
/// receives them.
#[test]
fn only_the_player_to_move_receives_legal_moves() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    let before = state_view(fixture.state(), fixture.now());
    fixture.play("white", "e2e4").unwrap();
    let entry = fixture.history.entries().last().unwrap();
    let text = |viewer, place| {
        let published =
            frames::event::<String>(entry, &mut before.clone(), fixture.state(), place, fixture.now());
        published.of(viewer).clone()
    };
    let viewer = |name| Viewer::User(person(name).id);
    let frame = text(viewer("black"), BatchPosition::Last);
    assert!(frame.contains("\"legal_moves\":["));
    let missed: Vec<String> =
        frames::missed::<String>(&fixture.history, entry.seq - 1, viewer("black"), fixture.now());
    let legal = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["legal_moves"].clone();
    assert_eq!(legal(&frame), legal(&missed[0]), "the same as after a reconnect");
    for (who, place) in [
        (viewer("white"), BatchPosition::Last),
        (viewer("stranger"), BatchPosition::Last),
        (Viewer::Anonymous, BatchPosition::Last),
        (viewer("black"), BatchPosition::Inner),
    ] {
        assert!(!text(who, place).contains("legal"), "{who:?} {place:?}");
    }
}

/// The facts about the turn accompany the legal moves: in an event, after a reconnect, and in a
/// snapshot. Nobody else receives them.
#[test]
fn only_the_player_to_move_receives_facts_about_the_turn() {
    let pinned = "4k3/4r3/8/8/8/8/4B3/4K3 b - - 0 1";
    let mut fixture = Fixture::started(&terms_from(Variant::Classic, pinned), 0);
    let before = state_view(fixture.state(), fixture.now());
    fixture.play("black", "e8f8").unwrap();
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let entry = fixture.history.entries().last().unwrap();
    let to = frames::event::<String>(
        entry,
        &mut before.clone(),
        fixture.state(),
        BatchPosition::Last,
        fixture.now(),
    );
    let (white, black) = (Viewer::User(person("white").id), Viewer::User(person("black").id));
    let hints = serde_json::json!({"pinned": ["e2"]});
    assert_eq!(read(to.of(white))["hints"], hints);
    let missed: Vec<String> = frames::missed(&fixture.history, entry.seq - 1, white, fixture.now());
    assert_eq!(read(&missed[0])["hints"], hints);
    let snapshot: String = frames::snapshot(&fixture.history, &Default::default(), white, fixture.now());
    assert_eq!(read(&snapshot)["view"]["hints"], hints);
    for other in [black, Viewer::Anonymous] {
        assert!(read(to.of(other)).get("hints").is_none(), "{other:?}");
        let snapshot: String = frames::snapshot(&fixture.history, &Default::default(), other, fixture.now());
        assert!(read(&snapshot)["view"].get("hints").is_none(), "{other:?}");
    }
}

/// D8, D9: the state shows a mate before the mated player's turn. It names the stalemated player
/// after the end.
#[test]
fn the_state_shows_the_mated_and_the_stalemated_player() {
    let stalemate = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";
    let mut fixture = Fixture::started(&terms_from(Variant::Classic, stalemate), 0);
    fixture.play("white", "g1g6").unwrap();
    assert_eq!(state_view(fixture.state(), fixture.now()).stalemated, Some(Color::Black));
    let mut setup = Setup::start(Variant::Dilkel).with_turn(Color::Blue);
    setup.castling = ByColor::from_fn(|_| CastlingRights::default());
    let words = ["rKg1", "bKa8", "yKh14", "gKn7", "bRd2", "bRk4"].map(|word| word.split_at(2));
    let piece = |(piece, square): (&str, &str)| {
        (square.parse().unwrap(), Piece::parse(Variant::Dilkel, piece).unwrap())
    };
    setup.pieces = words.into_iter().map(piece).collect();
    let mut fixture = Fixture::started(&terms_from(Variant::Dilkel, &setup.to_string()), 0);
    let facing = |fixture: &Fixture| state_view(fixture.state(), fixture.now()).facing_mate;
    assert_eq!(facing(&fixture), []);
    fixture.play("blue", "k4k1").unwrap();
    assert_eq!(facing(&fixture), [Color::Red]);
    fixture.execute("red", Action::Resign).unwrap();
    assert_eq!((facing(&fixture), state_view(fixture.state(), fixture.now()).stalemated), (vec![], None));
}

#[test]
fn a_returning_watcher_receives_each_missed_event_once() {
    let mut fixture = Fixture::started(&terms(Variant::Classic), 0);
    for (by, mv) in [("white", "e2e4"), ("black", "e7e5"), ("white", "g1f3")] {
        fixture.play(by, mv).unwrap();
    }
    let head = fixture.state().head();
    let seqs = |after, viewer| -> Vec<(u64, bool)> {
        let frames = frames::missed::<String>(&fixture.history, after, viewer, fixture.now());
        let read = |frame: &String| serde_json::from_str(frame).unwrap();
        let frames: Vec<serde_json::Value> = frames.iter().map(read).collect();
        frames
            .iter()
            .map(|frame| (frame["seq"].as_u64().unwrap(), frame.get("legal_moves").is_some()))
            .collect()
    };
    let black = Viewer::User(person("black").id);
    assert_eq!(seqs(head, black), []);
    assert_eq!(seqs(head - 1, black), [(head, true)]);
    assert_eq!(seqs(head - 3, black), [(head - 2, false), (head - 1, false), (head, true)]);
    assert_eq!(seqs(head - 1, Viewer::Anonymous), [(head, false)]);
    assert_eq!(seqs(0, Viewer::Anonymous).len() as u64, head);
}

#[test]
fn phases_are_shown_with_their_outcome() {
    let mut fixture = Fixture::open(&terms(Variant::Classic));
    let phase = |fixture: &Fixture| state_view(fixture.state(), fixture.now());
    assert_eq!((phase(&fixture).phase, phase(&fixture).turn), (Phase::Open, None));
    fixture = Fixture::started(&terms(Variant::Classic), 0);
    assert_eq!((phase(&fixture).phase, phase(&fixture).turn), (Phase::Running, Some(Color::White)));
    fixture.execute("white", Action::Resign).unwrap();
    let view = phase(&fixture);
    assert_eq!((view.phase, view.turn), (Phase::Ended, None));
    assert_eq!(view.outcome.unwrap().places, [(Color::White, 2), (Color::Black, 1)].into());
}
