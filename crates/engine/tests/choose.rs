//! Positions with a move that the engine must find.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use quadrex_engine::{Engine, Limits, Score, SearchRequest, Untimed};
use quadrex_rules::{
    AnyPosition, Color, DrawPolicy, Game, GameCommand, GameConfig, Move, Role, Setup, TimeControl, Timestamp,
    Variant,
};

fn best(position: &AnyPosition) -> Option<Move> {
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    Engine::new(1).search(&SearchRequest::new(position, limits), &Untimed, &mut |_| ()).best
}

fn chosen(variant: Variant, text: &str) -> String {
    let position = AnyPosition::new(&Setup::parse(variant, text).unwrap()).unwrap();
    best(&position).unwrap().to_string()
}

/// Returns a Dilkel board with Red to move and these ranks, from the last to the first.
fn dilkel(dead: &str, ranks: [&str; 14]) -> String {
    format!("R-{dead}-0,0,0,0-0,0,0,0-0,0,0,0-0-{}", ranks.join("/"))
}

#[test]
fn it_mates_instead_of_capturing_a_queen() {
    assert_eq!(chosen(Variant::Classic, "6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1"), "d1d8");
}

#[test]
fn it_captures_a_hanging_piece_and_not_a_defended_one() {
    assert_eq!(chosen(Variant::Classic, "4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1"), "d1d5");
    let guarded = chosen(Variant::Classic, "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1");
    assert_ne!(guarded, "d1d5");
}

/// C4: with an extra queen, a stalemate would throw the win away.
#[test]
fn it_avoids_stalemate_when_it_is_better() {
    let mv = chosen(Variant::Classic, "7k/8/8/6Q1/8/8/8/K7 w - - 0 1");
    assert!(!["g5g6", "g5f7"].contains(&mv.as_str()), "{mv}");
}

/// D9: Blue's stalemate draws the whole game. This saves Red, who is far behind Yellow and Green.
#[test]
fn it_stalemates_one_player_to_draw_the_whole_game_when_it_is_worse() {
    let rows = [
        "7,yK,6",
        "5,yQ,yQ,7",
        "14",
        "bK,13",
        "14",
        "5,rQ,8",
        "14",
        "13,gK",
        "13,gQ",
        "13,gQ",
        "14",
        "14",
        "14",
        "10,rK,3",
    ];
    assert_eq!(chosen(Variant::Dilkel, &dilkel("0,0,0,0", rows)), "f9b9");
}

/// D9 again: alone against Blue's bare king, the same move would throw the win away.
#[test]
fn it_avoids_the_same_stalemate_when_it_is_better() {
    let rows =
        ["14", "14", "14", "bK,13", "14", "5,rQ,8", "14", "14", "14", "14", "14", "14", "14", "6,rK,7"];
    assert_ne!(chosen(Variant::Dilkel, &dilkel("0,0,1,1", rows)), "f9b9");
}

/// D8: the next player is mated at once and eliminated, which wins here.
#[test]
fn it_mates_on_the_cross() {
    let rows =
        ["14", "14", "14", "bK,1,rK,11", "14", "14", "14", "14", "14", "6,rQ,7", "14", "14", "14", "14"];
    let setup = Setup::parse(Variant::Dilkel, &dilkel("0,0,1,1", rows)).unwrap();
    let mut position = AnyPosition::new(&setup).unwrap();
    position.play(best(&position).unwrap());
    assert_eq!(position.active_players().collect::<Vec<_>>(), [Color::Red]);
}

/// Returns a Dilkel position after ten rounds, without a mate near.
fn middle_game() -> AnyPosition {
    let mut position = AnyPosition::new(&Setup::start(Variant::Dilkel)).unwrap();
    for ply in 0..40 {
        let moves = position.legal_moves();
        position.play(moves[(84 * ply + 12) % moves.len()]);
    }
    position
}

/// A deep search against all others as one side is pessimistic. If the engine is no worse than the
/// others, it plays on nevertheless, so a move that repeats the position is not the best.
#[test]
fn a_deep_search_does_not_prefer_a_draw() {
    let position = middle_game();
    let repeating = position.legal_moves()[0];
    let mut repeated = position.clone();
    repeated.play(repeating);
    assert_eq!(repeated.halfmove_clock(), position.halfmove_clock() + 1);
    let earlier = [repeated.hash()];
    let limits = Limits { nodes: Some(40_000), ..Limits::default() };
    let request = SearchRequest { earlier: &earlier, ..SearchRequest::new(&position, limits) };
    let result = Engine::new(4).search(&request, &Untimed, &mut |_| ());
    assert!(result.report.depth >= 6, "the search is deep");
    assert_ne!(result.best, Some(repeating));
}

/// Returns the score of the best of these moves at a depth.
fn centipawns(position: &AnyPosition, moves: &[Move], depth: u32) -> i32 {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let request = SearchRequest { root_moves: moves, ..SearchRequest::new(position, limits) };
    let result = Engine::new(8).search(&request, &Untimed, &mut |_| ());
    let Score::Centipawns(centipawns) = result.report.lines[0].score else { panic!("no mate is near") };
    centipawns
}

/// With each move without a capture or a pawn move the draw comes nearer, and an advantage counts
/// less.
#[test]
fn with_four_players_an_advantage_fades_towards_the_draw() {
    let mut setup = Setup::start(Variant::Dilkel);
    setup.pieces.retain(|_, piece| piece.role != Role::Queen || piece.color == Color::Red);
    let mut after = |halfmove_clock, role| {
        setup.halfmove_clock = halfmove_clock;
        let position = AnyPosition::new(&setup).unwrap();
        let mut moves = position.legal_moves();
        moves.retain(|mv| position.piece_at(mv.from).is_some_and(|piece| piece.role == role));
        centipawns(&position, &moves, 1)
    };
    let [fresh, soon, late] = [0, 40, 160].map(|clock| after(clock, Role::Knight));
    assert_eq!(fresh, soon, "the first moves cost nothing");
    assert!(fresh > 300 && late < fresh / 2, "{fresh} and {late}");
    assert_eq!(after(0, Role::Pawn), after(160, Role::Pawn));
}

/// None of three opponents sacrifices material for the others, so a deep search against all of them
/// is not too pessimistic.
#[test]
fn with_four_players_a_deep_score_is_close_to_a_shallow_one() {
    let position = middle_game();
    let score = |depth| centipawns(&position, &[], depth);
    let (shallow, deep) = (score(2), score(6));
    assert!(shallow - deep < 150, "{shallow} and {deep}");
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    let mated = Setup::parse(Variant::Classic, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
    assert_eq!(best(&AnyPosition::new(&mated).unwrap()), None);
}

#[test]
fn a_search_finds_a_mate_in_two() {
    let text = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let mv = best(&position).unwrap().to_string();
    assert!(["a2a7", "b1b7", "a2g2", "b1g1"].contains(&mv.as_str()), "{mv}");
}

/// A game of the engine against itself ends in every variant, and in the same way each time.
#[test]
fn it_finishes_games() {
    for variant in Variant::ALL {
        assert_eq!(play(variant), play(variant));
    }
}

/// Plays a game of the engine against itself and returns its result.
fn play(variant: Variant) -> String {
    let config =
        GameConfig { setup: Setup::start(variant), draws: DrawPolicy::Automatic, time: TimeControl::None };
    let now = Timestamp::from_millis(0);
    let mut game = Game::new(config, now).unwrap();
    let mut engine = Engine::new(1);
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let mut plies = 0;
    while game.outcome().is_none() {
        let color = game.position().turn();
        let mv = engine.search(&SearchRequest::of_game(&game, limits), &Untimed, &mut |_| ()).best.unwrap();
        let events = game.decide(&GameCommand::Move { color, mv, claim_draw: false }, now).unwrap();
        events.iter().for_each(|event| game.apply(event, now));
        plies += 1;
        assert!(plies < 5000, "{variant} does not end");
    }
    format!("{plies} plies, {:?}", game.outcome())
}
