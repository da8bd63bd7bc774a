use quadrex_protocol::view::Phase;
use quadrex_rules::notation::{Notation, Reader};
use quadrex_rules::{Cause, Reason, Variant};

use super::*;

const MOST: usize = 1_000;

fn text(text: &str) -> Explore {
    let setup = ExploreSetup::Text { text: text.to_owned(), variant: None, plies: None };
    Explore { setup, moves: Vec::new() }
}

fn start(variant: Variant, moves: &str) -> Explore {
    let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    Explore { setup: ExploreSetup::Start { variant }, moves }
}

fn read(from: &str) -> Exploration {
    explore(&text(from), MOST).unwrap()
}

/// Returns the games of a file in the test data, each as text.
fn own_games(file: &str) -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/games").join(file);
    let bytes = std::fs::read(path).unwrap();
    let games = Reader::new(&bytes[..]).map(|game| {
        let (game, mut text) = (game.unwrap(), String::new());
        match Notation::of_tags(&game.tags).unwrap() {
            Notation::Pgn => game.write_pgn(&mut text),
            Notation::Pgn4 => game.write_pgn4(&mut text),
        }
        .unwrap();
        text
    });
    games.collect()
}

#[test]
fn moves_from_a_start_are_shown_one_by_one() {
    let seen = explore(&start(Variant::Classic, "f2f3 e7e5 g2g4 d8h4"), MOST).unwrap();
    let texts: Vec<&str> = seen.line.iter().map(|ply| ply.notation.as_str()).collect();
    assert_eq!(texts, ["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(seen.line[3].checks, [Color::White]);
    let changed: Vec<String> = seen.line[0].squares.keys().map(ToString::to_string).collect();
    assert_eq!(changed, ["f2", "f3"]);
    assert_eq!(seen.state.phase, Phase::Ended);
    assert_eq!(seen.state.outcome.map(|outcome| outcome.reason), Some(Reason::Mate));
    assert!(seen.legal_moves.is_empty() && seen.notation.contains("2. g4 Qh4# 0-1"), "{}", seen.notation);
    assert_eq!(seen.start_fen, Setup::start(Variant::Classic).to_string());
    let seen = explore(&start(Variant::Dilkel, ""), MOST).unwrap();
    assert_eq!((seen.seats.len(), seen.board.holes.len(), seen.start.len()), (4, 36, 64));
    assert_eq!(seen.state.turn, Some(Color::Red));
    assert!(!seen.legal_moves.is_empty());
}

#[test]
fn the_refusal_of_an_illegal_move_contains_the_move() {
    let refused = explore(&start(Variant::Classic, "e2e4 e7e4"), MOST).unwrap_err();
    assert_eq!(refused.code(), RefusalCode::IllegalMove);
    assert_eq!(refused.to_string(), "ply 2, black e7e4: e7e4 is not legal here");
    let refused = explore(&start(Variant::Classic, "f2f3 e7e5 g2g4 d8h4 a2a3"), MOST).unwrap_err();
    assert_eq!(refused.code(), RefusalCode::Ended);
}

#[test]
fn the_format_of_a_text_is_recognized() {
    let dilkel = Setup::start(Variant::Dilkel).with_turn(Color::Yellow).to_string();
    let compact = Setup::start(Variant::DilkelCompact).to_string();
    for (given, variant, turn) in [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", Variant::Classic, Color::Black),
        ("\u{feff} 8/8/8/8/8/8/4k3/K6R w - -\n", Variant::Classic, Color::White),
        (dilkel.as_str(), Variant::Dilkel, Color::Yellow),
        (compact.as_str(), Variant::DilkelCompact, Color::Red),
        ("4PCo", Variant::Dilkel, Color::Red),
        ("1. e4 e5 2. Nf3", Variant::Classic, Color::Black),
        ("[White \"A\"]\n\n1. e4 *", Variant::Classic, Color::Black),
        ("1. h2-h4 .. b7-d7", Variant::Dilkel, Color::Yellow),
        ("h2-h4", Variant::Dilkel, Color::Blue),
    ] {
        let seen = read(given);
        assert_eq!((seen.variant, seen.state.turn), (variant, Some(turn)), "{given}");
        assert_eq!(seen.stopped, None, "{given}");
    }
    let given = Setup::start(Variant::Dilkel).to_string().replace("-{", " - {");
    assert_eq!(read(&format!("\n {given} \n")).variant, Variant::Dilkel);
    let setup = ExploreSetup::Text {
        text: "1. g2-g3".to_owned(),
        variant: Some(Variant::DilkelCompact),
        plies: None,
    };
    assert_eq!(explore(&Explore { setup, moves: vec![] }, MOST).unwrap().variant, Variant::DilkelCompact);
}

/// Reading the first plies of a game and adding the next move gives the same entry as reading the
/// whole game.
#[test]
fn the_first_plies_and_the_next_move_agree_with_the_game() {
    for game in own_games("own.pgn").into_iter().chain(own_games("own.pgn4")) {
        let whole = read(&game);
        assert_eq!(whole.stopped, None, "{game}");
        assert!(whole.result.is_some() && whole.state.phase == Phase::Ended, "{game}");
        for (plies, next) in whole.line.iter().enumerate().step_by(5) {
            let setup = ExploreSetup::Text {
                text: game.clone(),
                variant: None,
                plies: Some(u32::try_from(plies).unwrap()),
            };
            let seen = explore(&Explore { setup, moves: vec![next.mv] }, MOST).unwrap();
            assert_eq!(seen.line[..plies], whole.line[..plies]);
            let made = seen.line.last().unwrap();
            assert_eq!((made.color, &made.notation), (next.color, &next.notation));
            // The move alone does not tell that a player resigned after it.
            if next.eliminated.iter().all(|exit| exit.cause == Cause::Mate) {
                assert_eq!(made.squares, next.squares);
            }
        }
        let again = read(&whole.notation);
        assert_eq!((again.line, again.fen), (whole.line, whole.fen), "what is written reads back");
    }
}

#[test]
fn the_first_of_several_games_is_used_and_the_others_are_counted() {
    let games = own_games("own.pgn");
    let seen = read(&games.concat());
    assert_eq!(seen.more_games as usize, games.len() - 1);
    assert_eq!(seen.line, read(&games[0]).line);
}

#[test]
fn names_and_result_are_returned() {
    let seen = read("[White \"Ada\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    assert_eq!(seen.players.into_iter().collect::<Vec<_>>(), [(Color::White, "Ada".to_owned())]);
    assert_eq!(seen.result.as_deref(), Some("1-0"));
    assert!(seen.notation.contains("[White \"Ada\"]"), "{}", seen.notation);
}

#[test]
fn the_position_of_an_illegal_move_in_the_text_is_returned() {
    let seen = read("[White \"Ada\"]\n\n1. e4 e5\n2. Nf3 Nc9 3. Bb5 *");
    assert_eq!(seen.line.len(), 3);
    let stop = seen.stopped.unwrap();
    assert_eq!((stop.line, stop.column, stop.round, stop.color), (4, 8, 2, Color::Black));
    assert_eq!(stop.text, "Nc9");
    for (given, code, says) in [
        ("", RefusalCode::BadText, "empty"),
        (" \n\u{feff}", RefusalCode::BadText, "empty"),
        ("hello there", RefusalCode::BadText, "neither a position nor a game: \"hello\""),
        ("{", RefusalCode::BadText, "comment without an end"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", RefusalCode::BadSetup, "king"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", RefusalCode::BadSetup, "turn"),
    ] {
        let refused = explore(&text(given), MOST).unwrap_err();
        assert_eq!(refused.code(), code, "{given}: {refused}");
        assert!(refused.to_string().contains(says), "{given}: {refused}");
    }
}

#[test]
fn the_length_of_a_line_is_limited() {
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    let refused = explore(&start(Variant::Classic, &there_and_back), 15).unwrap_err();
    assert_eq!(refused, ExploreError::TooLong { plies: 16, max: 15 });
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(5_000);
    assert_eq!(explore(&text(&long), MOST).unwrap_err().code(), RefusalCode::TooLarge);
}

/// Any pasted text gets an answer. The test changes, removes and repeats characters of valid texts.
#[test]
fn invalid_text_never_panics() {
    let mut texts = own_games("own.pgn");
    texts.extend(own_games("own.pgn4"));
    texts.extend(Variant::ALL.map(|variant| Setup::start(variant).to_string()));
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        // Knuth's linear congruential generator (MMIX).
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let signs = "[]{}()\"-/,.#RTS0189x*\u{feff}\u{0}äKQ".chars().collect::<Vec<_>>();
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..400 {
        let mut letters: Vec<char> = texts[round % texts.len()].chars().take(1_500).collect();
        for _ in 0..=next(12) {
            let at = next(letters.len());
            match next(3) {
                0 => letters[at] = signs[next(signs.len())],
                1 => drop(letters.remove(at)),
                _ => letters.insert(at, signs[next(signs.len())]),
            }
        }
        let given = Explore {
            setup: ExploreSetup::Text {
                text: letters.into_iter().collect(),
                variant: Some(Variant::ALL[next(3)]),
                plies: Some(u32::try_from(next(80)).unwrap()),
            },
            moves: vec![],
        };
        match explore(&given, MOST) {
            Ok(_) => accepted += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} accepted, {refused} refused");
}
