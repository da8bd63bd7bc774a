//! S1-S3, S5: loaded positions.

use quadrex_rules::Color::{Blue, Green, Red, Yellow};
use quadrex_rules::{
    AnyPosition, Cause, DoubleStep, DrawPolicy, Game, GameConfig, Reason, Reserve, Setup, StartError,
    TimeControl, Timestamp, Variant, Verdict,
};

use crate::play::{Play, at, dilkel, fen, mv, position, targets};

fn at_table(setup: Setup) -> Result<Game, StartError> {
    let config = GameConfig { setup, draws: DrawPolicy::Claim, time: TimeControl::None };
    Game::new(config, Timestamp::default())
}

/// S1 (decided): a loaded position is adjudicated as if the turn had just passed; a table refuses
/// one that is over.
#[test]
fn a_loaded_position_may_be_over() {
    for (text, reason) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Reason::Mate),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Reason::Stalemate),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Reason::Material),
        ("7k/8/6K1/8/8/8/8/R7 b - - 150 100", Reason::Moves),
    ] {
        assert_eq!(Play::new(fen(text)).reason(), Some(reason), "{text}");
        assert_eq!(at_table(fen(text)), Err(StartError::Over { reason }), "{text}");
    }
    let start = at_table(Setup::start(Variant::Classic)).expect("the start is no end");
    assert_eq!(start.outcome(), None);
}

/// S1 (decided): a loaded position may eliminate players at once; a table refuses it.
#[test]
fn a_loaded_position_may_put_players_out() {
    let setup = dilkel(Red, "rKg1 bKa8 yKh14 gKn7 bRd2 bRk1");
    let play = Play::new(setup.clone());
    assert_eq!((play.game.eliminated().len(), play.game.position().turn()), (1, Blue));
    assert_eq!(at_table(setup), Err(StartError::Eliminates { color: Red }));
}

/// S1, D8: perft from a loaded position continues without a player who is checkmated at the start,
/// though it has no move.
#[test]
fn a_count_continues_without_a_player_mated_at_the_start() {
    let setup = dilkel(Red, "rKg1 bKa8 yKh14 gKn7 bRd2 bRk1");
    let loaded = position(&setup);
    assert_eq!((loaded.verdict(), loaded.legal_moves()), (Verdict::Mated, vec![]));
    let judged = Play::new(setup).game.position().clone();
    assert_eq!((judged.turn(), judged.perft(1)), (Blue, judged.legal_moves().len() as u64));
    for depth in 1..=2 {
        assert_eq!(loaded.perft(depth), judged.perft(depth), "depth {depth}");
    }
    let alone = dilkel(Red, "rKg1 bKa8 bRd2 bRk1");
    assert_eq!(position(&alone).perft(1), 0, "nobody plays on alone");
    assert_eq!(position(&fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")).perft(1), 0, "mate ends the game");
}

/// S1, D12: a player eliminated before the set-up keeps its position in the order of elimination.
#[test]
fn those_out_before_the_set_up_are_placed_behind() {
    let mut setup = dilkel(Red, "rKg1 rRd4 bKa8 bRb4");
    setup.eliminated = vec![(Green, Cause::Time), (Yellow, Cause::Mate)];
    let mut play = Play::new(setup);
    play.resign(Blue);
    assert_eq!(play.places(), [1, 2, 3, 4]);
    assert_eq!(
        play.game.setup().eliminated,
        [(Green, Cause::Time), (Yellow, Cause::Mate), (Blue, Cause::Resign)]
    );
}

/// S2 (decided): a pawn on any baseline is refused.
#[test]
fn a_pawn_on_a_baseline_is_refused() {
    for (words, square) in [("rPd1", "d1"), ("rPa5", "a5"), ("gPf14", "f14"), ("bPn9", "n9")] {
        let error = AnyPosition::new(&dilkel(Red, &format!("rKg1 bKa8 yKh14 gKn7 {words}")));
        let message = error.expect_err("a pawn stands on a baseline").to_string();
        assert!(message.starts_with("board: ") && message.contains(square), "{message}");
    }
    assert!(AnyPosition::new(&fen("4k3/8/8/8/8/8/8/P3K3 w - - 0 1")).is_err());
    assert!(AnyPosition::new(&dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rPb11 yPd2")).is_ok());
}

/// S2 (decided): a pawn on its owner's second row may make a double step, however it came there.
#[test]
fn a_pawn_on_its_second_row_steps_twice() {
    let loaded = position(&dilkel(Red, "rKg1 bKa8 yKh14 gKn7 rPd2 rPe3"));
    assert_eq!(targets(&loaded, "d2"), ["d3", "d4"]);
    assert_eq!(targets(&loaded, "e3"), ["e4"]);
    assert!(loaded.is_legal(mv("d2d4")) && !loaded.is_legal(mv("e3e5")));
}

/// A king with fifteen knights and rooks, and the others' kings; Green is eliminated.
const ARMY: &str =
    "rKg1 rRd4 rRe4 rRf4 rRg4 rRh4 rRi4 rRj4 rNd5 rNe5 rNf5 rNg5 rNh5 rNi5 rNj5 rNk5 bKa8 yKh14";

/// S3 (decided): a missing reserve is empty; a given one is accepted up to ten of a kind, and
/// ignored for eliminated players.
#[test]
fn a_reserve_is_taken_as_given() {
    let mut setup = dilkel(Red, ARMY);
    assert_eq!(position(&setup).reserve(Red), Reserve::EMPTY);
    let ten = Reserve { knights: 10, bishops: 0, rooks: 10 };
    setup.reserves[Red] = ten;
    setup.reserves[Green] = Reserve { bishops: 200, ..ten };
    assert_eq!((position(&setup).reserve(Red), position(&setup).reserve(Green)), (ten, Reserve::EMPTY));
    for eleven in [
        Reserve { knights: 11, ..Reserve::EMPTY },
        Reserve { bishops: 11, ..Reserve::EMPTY },
        Reserve { rooks: 11, ..Reserve::EMPTY },
    ] {
        setup.reserves[Red] = eleven;
        let error = AnyPosition::new(&setup).expect_err("eleven are too many").to_string();
        assert!(error.starts_with("reserve: red's 11 "), "{error}");
        assert!(error.ends_with("s there and 16 pieces on the board are more than 26"), "{error}");
    }
}

/// S3, D5 (decided): reserves that a game from a set-up can reach are accepted too: one more of a
/// kind for each piece that is missing of sixteen. A set-up of more pieces has that much less,
/// unless its owner has no more than ten of the kind in all.
#[test]
fn what_a_game_brings_into_a_reserve_reads_back() {
    let mut setup = dilkel(Blue, &format!("{ARMY} bRd8"));
    setup.reserves[Red] = Reserve { knights: 10, bishops: 10, rooks: 10 };
    let mut play = Play::new(setup);
    for (blue, red, knights) in [("d8d5", "d4c4", 11), ("d5e5", "c4d4", 12), ("e5f5", "d4c4", 13)] {
        play.moves(&format!("{blue} {} {red}", if knights % 2 == 1 { "h14i14" } else { "i14h14" }));
        let text = play.game.setup().to_string();
        let read = Setup::parse(Variant::Dilkel, &text).expect("what is written can be read");
        assert_eq!(&position(&read), play.game.position(), "{text}");
        assert_eq!(position(&read).reserve(Red).knights, knights, "{text}");
    }
    let reserved = |words: &str, reserve| {
        let mut setup = dilkel(Red, words);
        setup.reserves[Red] = reserve;
        AnyPosition::new(&setup).is_ok()
    };
    let knights = |knights| Reserve { knights, ..Reserve::EMPTY };
    assert!(reserved("rKg1 bKa8 yKh14", knights(25)) && !reserved("rKg1 bKa8 yKh14", knights(26)));
    let queens = "rQd9 rQe9 rQf9 rQg9 rQh9 rQi9 rQj9 rQk9 rQd10 rQe10 rQf10";
    let many = format!("{ARMY} {queens}");
    assert!(!reserved(&many, knights(3)), "eleven knights, of which eight could be captured after others");
    assert!(reserved(&many, knights(2)) && reserved(&many, Reserve { bishops: 10, ..Reserve::EMPTY }));
}

/// S5 (decided): the compact cross has 128 squares, Red's back row from c1 to j1, and is otherwise
/// `dilkel`.
#[test]
fn the_compact_cross_plays_the_same_game() {
    let variant = Variant::DilkelCompact;
    assert_eq!(variant.board().squares().count(), 128);
    let start = Setup::start(variant);
    let row: String = ["c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1"]
        .iter()
        .map(|square| start.pieces[&square.parse().expect("a square")].role.letter())
        .collect();
    assert_eq!(row, "RNBKQBNR");
    let mut play = Play::new(start);
    play.moves("c2c4");
    assert!(play.game.setup().double_steps[Red].is_some());
    assert_eq!(play.game.position().turn(), Blue);
    let promoting = crate::play::pieces(variant, Red, "rKf1 bKa7 yKg12 gKl6 rPb7 bNa8 rPc11");
    let promoting = position(&promoting);
    assert!(promoting.is_legal(mv("b7a8q")) && promoting.is_legal(mv("c11c12q")));
    assert!(!promoting.is_legal(mv("c11c12r")));
}

/// G6, C1 (F): in `classic` the player who has just moved cannot be in check.
#[test]
fn the_last_mover_cannot_be_in_check_with_two_players() {
    let error = AnyPosition::new(&fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")).expect_err("black is in check");
    assert_eq!(error.to_string(), "board: black is in check but it is white's turn");
    let several = dilkel(Green, "rKg1 bKa8 yKh14 gKn7 rRd8 yRd1");
    assert_eq!(position(&several).checks().collect::<Vec<_>>(), [Red, Blue]);
}

/// D3 (decided): a set-up may not contain an en passant right if one of the two players is
/// eliminated, if the passed square is occupied or impossible, or if there is no such pawn.
#[test]
fn a_right_that_no_double_step_leaves_is_refused() {
    let error = |turn, words: &str, passed: &str, pawn: &str| {
        let mut setup = dilkel(turn, words);
        setup.double_steps[Red] = Some(DoubleStep { passed: at(passed), pawn: at(pawn) });
        AnyPosition::new(&setup).err().map(|error| error.to_string())
    };
    let kings = "rKg1 bKa8 yKh14 gKn7 rPe4 yPf4";
    assert_eq!(error(Blue, kings, "e3", "e4"), None);
    assert_eq!(error(Yellow, kings, "e3", "e4"), None);
    for (turn, words, passed, pawn, reason) in [
        (Blue, "rKg1 bKa8 gKn7 rPe4", "e3", "e4", "one of the two is eliminated"),
        (Green, kings, "e3", "e4", "it is not near the turn to capture it"),
        (Red, kings, "e3", "e4", "it is not near the turn to capture it"),
        (Blue, "rKg1 bKa8 yKh14 gKn7 rPe4 bNe3", "e3", "e4", "the passed square is occupied"),
        (Blue, "rKg1 bKa8 yKh14 gKn7 rPe4 rNe2", "e3", "e4", "the square it came from is occupied"),
        (Blue, kings, "f3", "f4", "no such pawn stands there"),
        (Blue, kings, "e3", "f4", "the pawn does not stand in front of the square it passed"),
        (Blue, kings, "e4", "e5", "no double step passes there"),
    ] {
        let expected = format!("en passant: red's {passed}:{pawn}: {reason}");
        assert_eq!(error(turn, words, passed, pawn), Some(expected));
    }
    let between = error(Yellow, "rKg1 bKa8 yKh14 gKn7 rPe4 yPf4 bNe2", "e3", "e4");
    assert_eq!(between, None, "Blue may have come to e2 in between");
}
