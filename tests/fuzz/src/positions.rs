//! Checks of positions in FEN and FEN4, and of moves from them.

use std::collections::BTreeSet;

use quadrex_rules::notation::{Playback, move_text};
use quadrex_rules::{AnyPosition, DrawPolicy, Move, Role, Setup, Square, Variant, Verdict};

/// The maximum number of moves played from a position.
const PLIES: usize = 6;

/// Parses the first line as a position of `variant` and plays from it. Each byte after the line
/// selects a legal move.
pub fn check(variant: Variant, data: &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let choices = data.get(end + 1..).unwrap_or_default();
    let Ok(text) = str::from_utf8(&data[..end]) else { return };
    let setup = match Setup::parse(variant, text) {
        Ok(setup) => setup,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    let written = setup.to_string();
    assert_eq!(Setup::parse(variant, &written), Ok(setup.clone()), "{written:?} does not read back");

    let position = match AnyPosition::new(&setup) {
        Ok(position) => position,
        Err(error) => {
            assert_eq!(Playback::new(setup, DrawPolicy::Claim).err(), Some(error));
            return;
        }
    };
    check_position(&position);
    let playback = Playback::new(setup, DrawPolicy::Automatic).expect("a position can be played from");
    let judged = playback.game().position();
    if judged.active_players().count() > 1 {
        assert_eq!(position.perft(1), judged.perft(1), "who is mated to begin with goes out first");
    }
    play(playback, choices);
}

/// Plays the same moves in the game and in its position.
fn play(mut playback: Playback, choices: &[u8]) {
    for &choice in choices.iter().take(PLIES) {
        if playback.game().outcome().is_some() {
            break;
        }
        let mut position = playback.game().position().clone();
        let moves = position.legal_moves();
        assert!(
            !moves.is_empty(),
            "the player to move can do nothing and the game goes on: {}",
            position.setup()
        );
        let mv = moves[usize::from(choice) % moves.len()];
        let _ = move_text(&position, mv);
        position.play(mv);
        playback.play(mv, None).expect("a legal move is played");
        let game = playback.game();
        assert_eq!(game.position(), &position, "{mv}: game and position differ");
        assert_eq!(game.position().hash(), position.hash(), "{mv}: the keys of game and position differ");
        check_position(&position);

        let setup = game.setup();
        assert_eq!(Setup::parse(setup.variant, &setup.to_string()), Ok(setup.clone()), "{setup}");
        let again = Playback::new(setup, DrawPolicy::Automatic).expect("a game's set-up is a position");
        assert_eq!(again.game().position(), &position);
    }
}

/// Checks that a position's text parses to the same position with the same key, and that its moves
/// are consistent.
fn check_position(position: &AnyPosition) {
    let setup = position.setup();
    let text = setup.to_string();
    let read = Setup::parse(position.variant(), &text).expect("what is written can be read");
    assert_eq!(read, setup, "{text}");
    let again = AnyPosition::new(&read).expect("a position's text is a position");
    assert_eq!(&again, position, "{text}");
    assert_eq!(again.hash(), position.hash(), "the key kept up to date is the key from nothing: {text}");
    assert_eq!(again.setup(), setup, "{text}");
    let _ = (position.verdict(), position.is_dead(), position.checks().count());
    for &color in position.variant().colors() {
        let kings = position.pieces().filter(|(_, piece)| piece.color == color && piece.role == Role::King);
        assert_eq!(kings.count(), usize::from(position.is_playing(color)), "{color}'s kings: {text}");
    }
    check_moves(position, &text);
}

fn check_moves(position: &AnyPosition, text: &str) {
    let moves = position.legal_moves();
    let distinct: BTreeSet<String> = moves.iter().map(Move::to_string).collect();
    assert_eq!(distinct.len(), moves.len(), "a move is listed twice: {text}");
    if position.verdict() != Verdict::Mated {
        assert_eq!(position.perft(1), moves.len() as u64, "{text}");
    }
    for (mv, written) in moves.iter().map(|mv| (*mv, mv.to_string())) {
        assert!(position.is_legal(mv), "{mv} is listed and not legal: {text}");
        assert_eq!(written.parse(), Ok(mv), "{text}");
        let taken = position.piece_at(mv.to).map(|piece| piece.role);
        assert_ne!(taken, Some(Role::King), "{mv} takes a king: {text}");
    }
    // Moves that are almost legal.
    for mv in moves.iter().take(8) {
        for promotion in [None, Some(Role::Queen), Some(Role::Rook)] {
            for to in [mv.from, mv.to, neighbor(mv.to)] {
                let other = Move { from: mv.from, to, promotion };
                assert_eq!(position.is_legal(other), moves.contains(&other), "{other}: {text}");
            }
        }
    }
}

fn neighbor(square: Square) -> Square {
    Square::new(square.file() + 1, square.rank()).unwrap_or(square)
}
