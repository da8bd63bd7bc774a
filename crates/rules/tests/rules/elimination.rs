//! G12, D1, D2, D8-D13: the first player, eliminations, and the end of the match.

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::{Cause, Elimination, GameCommand, GameEvent, Reason, Rejection, Request, Setup, Variant};

use crate::play::{Play, at, dilkel, fen, gone, mv, position};

/// D1 (D): the queen stands to the right of her king, and a quarter turn leaves the set-up
/// unchanged.
#[test]
fn the_set_up_turns_into_itself() {
    let start = Setup::start(Variant::Dilkel);
    assert_eq!(start.pieces.len(), 64);
    for (square, piece) in
        [("g1", "rK"), ("h1", "rQ"), ("a8", "bK"), ("a7", "bQ"), ("h14", "yK"), ("g14", "yQ")]
    {
        assert_eq!(start.pieces[&at(square)].to_string(), piece);
    }
    assert_eq!(
        (start.pieces[&at("n7")].to_string(), start.pieces[&at("n8")].to_string()),
        ("gK".into(), "gQ".into())
    );
    let colors = Variant::Dilkel.colors();
    for (square, piece) in &start.pieces {
        let turned = quadrex_rules::Square::new(square.rank(), 13 - square.file()).expect("on the board");
        let next = colors[(piece.color.index() + 1) % 4];
        assert_eq!(start.pieces[&turned], quadrex_rules::Piece { color: next, ..*piece }, "{square}");
    }
}

/// D2 (D): play goes clockwise from any first player: Red, Blue, Yellow, Green, skipping eliminated
/// players.
#[test]
fn play_goes_clockwise_from_any_beginner() {
    let moves = [(Red, "h2h4"), (Blue, "b7c7"), (Yellow, "g13g12"), (Green, "m8l8")];
    for beginner in 0..4 {
        let mut play = Play::new(Setup::start(Variant::Dilkel).with_turn(moves[beginner].0));
        for ply in 0..4 {
            let (color, text) = moves[(beginner + ply) % 4];
            assert_eq!(play.game.position().turn(), color);
            play.moves(text);
        }
        assert_eq!(play.game.position().turn(), moves[beginner].0);
    }
    let mut play = Play::start(Variant::Dilkel);
    play.resign(Blue);
    play.moves("h2h4");
    assert_eq!(play.game.position().turn(), Yellow);
    assert_eq!(play.refuse(&GameCommand::Resign { color: Blue }), Rejection::Eliminated { color: Blue });
}

/// G12 (F): a resignation ends the game for that player at once, on any player's turn.
#[test]
fn anyone_may_resign_at_any_time() {
    let mut play = Play::start(Variant::Classic);
    play.resign(Black);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Resign), vec![1, 2]));
    assert_eq!(play.refuse(&play.command("e2e4", false)), Rejection::MatchOver);
    let mut play = Play::start(Variant::Dilkel);
    play.resign(Yellow);
    assert_eq!((play.game.position().turn(), play.reason()), (Red, None));
    assert_eq!(play.game.position().pieces().count(), 48);
    assert_eq!(play.refuse(&GameCommand::Resign { color: White }), Rejection::UnknownColor { color: White });
}

/// Blue is about to checkmate Red: rooks on the second and, next, the first row. A Yellow knight
/// could capture the latter.
const NET: &str = "rKg1 bKa8 yKh14 gKn7 bRd2 bRk4 yNj3";

/// D8 (D): a player is not checkmated until its turn comes; another may save it before.
#[test]
fn a_third_player_may_save_a_king_before_its_turn() {
    let mut play = Play::new(dilkel(Blue, NET));
    play.moves("k4k1");
    assert_eq!(play.checks(), [Red]);
    play.moves("j3k1 n7n8");
    assert_eq!((play.game.position().turn(), play.game.eliminated().len()), (Red, 0));
}

/// D8 (D): in check without a legal move on its own turn, a player is eliminated, all its pieces
/// leave the board and the turn passes on.
#[test]
fn a_player_mated_on_its_turn_is_eliminated() {
    let mut play = Play::new(dilkel(Blue, &format!("{NET} rPd5")));
    play.moves("k4k1 h14h13");
    let events = play.moves("n7n8");
    assert_eq!(gone(&events), ["red=mate"]);
    assert_eq!(play.game.position().turn(), Blue);
    assert_eq!(
        (play.game.position().piece_at(at("g1")), play.game.position().piece_at(at("d5"))),
        (None, None)
    );
    assert_eq!(play.reason(), None);
}

/// D8 (D): the verdict on the next player uses the board after the elimination: one checkmate may
/// cause another.
#[test]
fn one_mate_may_bring_about_another() {
    let mut play = Play::new(dilkel(Blue, &format!("{NET} rNa6 gRa4 gRb11")));
    play.moves("k4k1 h14h13");
    assert_eq!(play.checks(), [Red]);
    let events = play.moves("n7n8");
    assert_eq!(gone(&events), ["red=mate", "blue=mate"]);
    assert_eq!(play.game.position().turn(), Yellow);
}

/// D8 (D): a move played on a position alone, without a game around it, eliminates the same
/// players.
#[test]
fn a_position_alone_takes_out_one_after_another() {
    let mut position = position(&dilkel(Blue, &format!("{NET} rNa6 gRa4 gRb11")));
    for text in ["k4k1", "h14h13", "n7n8"] {
        position.play(mv(text));
    }
    assert_eq!(position.active_players().collect::<Vec<_>>(), [Yellow, Green]);
    assert_eq!(position.turn(), Yellow);
}

/// D8 (D): a checkmate may also end a check, and the next player plays on.
#[test]
fn a_mate_may_end_anothers_check() {
    let mut play = Play::new(dilkel(Blue, &format!("{NET} rRa11 gNa9")));
    play.moves("k4k1 h14h13");
    let now = quadrex_rules::Timestamp::default();
    let events = play.game.decide(&play.command("a9c10", false), now).expect("the move is legal");
    assert_eq!(gone(&events), ["red=mate"]);
    play.game.apply(&events[0], now);
    assert_eq!(play.checks(), [Red, Blue]);
    play.game.apply(&events[1], now);
    assert!(play.checks().is_empty());
    assert_eq!(play.game.position().turn(), Blue);
}

/// D9 (D): no legal move and not in check: the whole game is drawn among the players still in the
/// match.
#[test]
fn stalemate_draws_the_whole_game() {
    let mut play = Play::new(dilkel(Green, "rKd1 bKa8 yKh14 gKn7 bQf3 gPm4"));
    play.resign(Yellow);
    play.moves("n7n8");
    assert_eq!(play.reason(), None);
    let mut play = Play::new(dilkel(Blue, "rKd1 bKa8 gKn7 bQf4 gPm4"));
    play.moves("f4f2 n7n8");
    assert_eq!((play.reason(), play.places()), (Some(Reason::Stalemate), vec![1, 1, 4, 1]));
}

/// D10 (D): the last player left wins; the reason is the cause of the last elimination.
#[test]
fn the_last_player_left_wins() {
    let mut play = Play::start(Variant::Dilkel);
    play.resign(Blue);
    play.resign(Red);
    let events = play.accept(&GameCommand::Remove { color: Green });
    assert_eq!(events.len(), 2);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Absence), vec![3, 4, 1, 2]));
    let mut play = Play::new(dilkel(Blue, "rKg1 bKa8 bRd2 bRk4"));
    play.moves("k4k1");
    assert_eq!((play.reason(), play.places()), (Some(Reason::Mate), vec![2, 1, 4, 3]));
}

/// D11 (D; F): a player who resigns or is removed is eliminated at once with all its pieces; if it
/// was its turn, the turn passes on.
#[test]
fn resigning_on_the_own_turn_passes_it_on() {
    let mut play = Play::start(Variant::Dilkel);
    let events = play.resign(Red);
    assert_eq!(gone(&events), ["red=resign"]);
    assert_eq!((play.game.position().turn(), play.game.position().pieces().count()), (Blue, 48));
    let events = play.accept(&GameCommand::Remove { color: Green });
    assert_eq!(gone(&events), ["green=absence"]);
    assert_eq!(play.game.position().turn(), Blue);
}

/// D11 (D; F): an elimination may checkmate the player to move.
#[test]
fn an_elimination_may_mate_the_player_to_move() {
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 yKh14 gKn7 gRd2 gRk1 bNh1"));
    assert!(play.checks().is_empty());
    let events = play.resign(Blue);
    assert_eq!(gone(&events), ["blue=resign", "red=mate"]);
    assert_eq!(play.game.position().turn(), Yellow);
}

/// D11 (D; F): an elimination may stalemate the player to move.
#[test]
fn an_elimination_may_stalemate_the_player_to_move() {
    let mut play = Play::new(dilkel(Red, "rKd1 bKa8 yKh14 gKn7 gQf2 rPg4 bNh5 gPg5"));
    assert!(!play.game.position().legal_moves().is_empty());
    play.resign(Blue);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Stalemate), vec![1, 4, 1, 1]));
}

/// D11 (D; F): an elimination may free the player to move.
#[test]
fn an_elimination_may_free_the_player_to_move() {
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 yKh14 gKn7 bRk1 rPg2"));
    assert_eq!(play.checks(), [Red]);
    let events = play.resign(Blue);
    assert_eq!(gone(&events), ["blue=resign"]);
    assert!(play.checks().is_empty());
    assert_eq!(play.game.position().turn(), Red);
}

/// D12 (decided): places run in reverse order of elimination, and a checkmate is recorded with the
/// players who attack the king.
#[test]
fn a_mate_is_recorded_with_the_attackers() {
    let mut play = Play::new(dilkel(Blue, NET));
    play.moves("k4k1 h14h13");
    let events = play.moves("n7n8");
    assert_eq!(gone(&events), ["red=mate"]);
    let Some(GameEvent::Eliminated { by, .. }) = events.get(1) else { panic!("{events:?}") };
    assert_eq!(by, &[Blue]);
    assert_eq!(play.game.eliminated(), [Elimination { color: Red, cause: Cause::Mate, by: vec![Blue] }]);
    let mut play = Play::new(dilkel(Blue, "rKg1 bKa8 yKh14 gKn7 bRd2 bRk4 gQi9"));
    play.moves("k4k1 h14h13 i9g9");
    assert_eq!(play.game.eliminated()[0].by, [Blue, Green]);
}

/// D12 (decided): in a drawn game the players still in the match share the best place left.
#[test]
fn a_drawn_end_shares_the_best_place() {
    let mut play = Play::start(Variant::Dilkel);
    play.resign(Yellow);
    play.accept(&GameCommand::Ask { request: Request::Draw, color: Red });
    play.accept(&GameCommand::Agree { request: Request::Draw, color: Green });
    play.accept(&GameCommand::Agree { request: Request::Draw, color: Blue });
    assert_eq!((play.reason(), play.places()), (Some(Reason::Agreement), vec![1, 1, 4, 1]));
}

/// D13 (O; decided): drawn at once if only kings are left, or by C5's material with two players
/// left.
#[test]
fn bare_kings_draw_and_a_minor_piece_only_with_two_left() {
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 yKh14 gPg2 gKn7"));
    play.moves("g1g2");
    assert_eq!((play.reason(), play.places()), (Some(Reason::Material), vec![1, 1, 1, 1]));
    let mut play = Play::new(dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rNd4 gPm4"));
    play.resign(Green);
    assert_eq!(play.reason(), None);
    play.resign(Yellow);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Material), vec![1, 1, 3, 4]));
}

/// C4, G12 (all sheets): with two players a defeated side leaves its pieces on the board.
#[test]
fn nobody_is_eliminated_in_classic() {
    let mut play = Play::new(fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
    let events = play.resign(White);
    assert!(gone(&events).is_empty());
    assert_eq!((play.places(), play.game.position().pieces().count()), (vec![2, 1], 3));
}
