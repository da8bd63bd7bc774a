//! C1, C4, C5, C7: the start and the ends of `classic`.

use quadrex_rules::Color::{Black, White};
use quadrex_rules::{GameCommand, Reason, Rejection, Setup, Variant};

use crate::play::{Play, fen};

/// C1 (H, M): the standard set-up, White to move.
#[test]
fn classic_starts_from_the_standard_set_up() {
    let start = Setup::start(Variant::Classic);
    assert_eq!(start.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

/// C4 (all sheets): without a legal move and in check the player to move has lost.
#[test]
fn a_mated_side_loses_and_its_pieces_stay() {
    let mut play = Play::start(Variant::Classic);
    play.moves("f2f3 e7e5 g2g4 d8h4");
    assert_eq!((play.reason(), play.places()), (Some(Reason::Mate), vec![2, 1]));
    assert!(play.game.eliminated().is_empty());
    assert_eq!(play.game.position().pieces().count(), 32);
    assert_eq!(play.checks(), [White]);
    assert_eq!(play.refuse(&GameCommand::Resign { color: White }), Rejection::MatchOver);
}

/// C4 (all sheets): without a legal move and not in check the game is drawn.
#[test]
fn a_stalemated_side_draws() {
    let mut play = Play::new(fen("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"));
    play.moves("g1g6");
    assert_eq!((play.reason(), play.places()), (Some(Reason::Stalemate), vec![1, 1]));
}

/// C5 (O, F): the game is drawn as soon as nobody can checkmate any more.
#[test]
fn dead_positions_are_drawn_at_once() {
    for (text, dead) in [
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/3n4/4p3/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/4p3/3BK3 w - - 0 1", true),
        ("4k3/8/8/8/4b3/8/4p3/3BKB2 w - - 0 1", true),
        ("2b1k3/8/8/8/8/8/4p3/B3K1B1 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4p3/3NK1N1 w - - 0 1", false),
        ("4k3/8/8/8/8/3n4/4p3/4KB2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/P3p3/4K3 w - - 0 1", false),
    ] {
        let mut play = Play::new(fen(text));
        play.moves("e1e2");
        assert_eq!(play.reason(), dead.then_some(Reason::Material), "{text}");
        assert_eq!(play.places(), if dead { vec![1, 1] } else { vec![] });
    }
}

/// C7 (H): perpetual check ends through repetition.
#[test]
fn perpetual_check_is_a_draw_by_repetition() {
    let mut play = Play::new(fen("6k1/6p1/8/8/8/8/1q6/4Q1K1 w - - 0 1"));
    play.moves("e1e8 g8h7");
    let mut moves = ["e8h5", "h7g8", "h5e8", "g8h7"].into_iter().cycle();
    while play.reason().is_none() {
        play.moves(moves.next().expect("a cycle has no end"));
        assert_eq!(play.checks().contains(&Black), play.game.position().turn() == Black);
    }
    assert_eq!(play.reason(), Some(Reason::Repetition));
    assert_eq!(play.game.position().active_players().collect::<Vec<_>>(), [White, Black]);
}
