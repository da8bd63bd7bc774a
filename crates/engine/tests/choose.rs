//! What the engine must see.
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

/// A Dilkel board with Red to move and these ranks, from the last to the first.
fn dilkel(dead: &str, ranks: [&str; 14]) -> String {
    format!("R-{dead}-0,0,0,0-0,0,0,0-0,0,0,0-0-{}", ranks.join("/"))
}

#[test]
fn it_mates_rather_than_takes_a_queen() {
    assert_eq!(chosen(Variant::Classic, "6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1"), "d1d8");
}

#[test]
fn it_takes_what_hangs_and_leaves_what_is_guarded() {
    assert_eq!(chosen(Variant::Classic, "4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1"), "d1d5");
    let guarded = chosen(Variant::Classic, "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1");
    assert_ne!(guarded, "d1d5");
}

/// C4: with a queen more, a stalemate would throw the win away.
#[test]
fn it_shuns_stalemate_when_it_stands_better() {
    let mv = chosen(Variant::Classic, "7k/8/8/6Q1/8/8/8/K7 w - - 0 1");
    assert!(!["g5g6", "g5f7"].contains(&mv.as_str()), "{mv}");
}

/// D9: Blue's stalemate draws the whole game, which Red, far behind Yellow and Green, is glad of.
#[test]
fn it_stalemates_one_player_to_draw_the_whole_game_when_it_stands_worse() {
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
fn it_shuns_the_same_stalemate_when_it_stands_better() {
    let rows =
        ["14", "14", "14", "bK,13", "14", "5,rQ,8", "14", "14", "14", "14", "14", "14", "14", "6,rK,7"];
    assert_ne!(chosen(Variant::Dilkel, &dilkel("0,0,1,1", rows)), "f9b9");
}

/// D8: the next player is mated at once and goes out, which here wins.
#[test]
fn it_mates_on_the_cross() {
    let rows =
        ["14", "14", "14", "bK,1,rK,11", "14", "14", "14", "14", "14", "6,rQ,7", "14", "14", "14", "14"];
    let setup = Setup::parse(Variant::Dilkel, &dilkel("0,0,1,1", rows)).unwrap();
    let mut position = AnyPosition::new(&setup).unwrap();
    position.play(best(&position).unwrap());
    assert_eq!(position.players_in().collect::<Vec<_>>(), [Color::Red]);
}

/// A Dilkel match after ten rounds, without a mate near.
fn middle_game() -> AnyPosition {
    let mut position = AnyPosition::new(&Setup::start(Variant::Dilkel)).unwrap();
    for ply in 0..40 {
        let moves = position.legal_moves();
        position.play(moves[(84 * ply + 12) % moves.len()]);
    }
    position
}

/// One who looks far ahead and takes all others for one enemy sees everything dark, and plays on all the same where it
/// stands no worse than others: a move that repeats is not the best one.
#[test]
fn it_does_not_draw_because_it_looks_far() {
    let position = middle_game();
    let repeating = position.legal_moves()[0];
    let mut repeated = position.clone();
    repeated.play(repeating);
    assert_eq!(repeated.halfmove_clock(), position.halfmove_clock() + 1);
    let earlier = [repeated.hash()];
    let limits = Limits { nodes: Some(40_000), ..Limits::default() };
    let task = SearchRequest { earlier: &earlier, ..SearchRequest::new(&position, limits) };
    let found = Engine::new(4).search(&task, &Untimed, &mut |_| ());
    assert!(found.report.depth >= 6, "it looked far");
    assert_ne!(found.best, Some(repeating));
}

/// What the best of these moves leads to for the player to move, looked at so many plies ahead.
fn points(position: &AnyPosition, moves: &[Move], depth: u32) -> i32 {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let task = SearchRequest { moves, ..SearchRequest::new(position, limits) };
    let found = Engine::new(8).search(&task, &Untimed, &mut |_| ());
    let Score::Centipawns(points) = found.report.lines[0].score else { panic!("no mate is near") };
    points
}

/// A draw comes nearer with each move in which nothing happens: who stands well does not stand as well any more, unless it
/// moves a pawn or takes.
#[test]
fn among_four_an_advantage_fades_towards_the_draw() {
    let mut setup = Setup::start(Variant::Dilkel);
    setup.pieces.retain(|_, piece| piece.role != Role::Queen || piece.color == Color::Red);
    let mut after = |halfmove_clock, role| {
        setup.halfmove_clock = halfmove_clock;
        let position = AnyPosition::new(&setup).unwrap();
        let mut moves = position.legal_moves();
        moves.retain(|mv| position.piece_at(mv.from).is_some_and(|piece| piece.role == role));
        points(&position, &moves, 1)
    };
    let [fresh, soon, late] = [0, 40, 160].map(|clock| after(clock, Role::Knight));
    assert_eq!(fresh, soon, "the first moves cost nothing");
    assert!(fresh > 300 && late < fresh / 2, "{fresh} and {late}");
    assert_eq!(after(0, Role::Pawn), after(160, Role::Pawn));
}

/// None of three opponents gives up material so that the others gain by it: one who looks far against all of them need not
/// think itself lost.
#[test]
fn a_deep_look_among_four_is_not_much_darker_than_a_shallow_one() {
    let position = middle_game();
    let score = |depth| points(&position, &[], depth);
    let (shallow, deep) = (score(2), score(6));
    assert!(shallow - deep < 150, "{shallow} and {deep}");
}

#[test]
fn without_a_legal_move_it_chooses_none() {
    let mated = Setup::parse(Variant::Classic, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
    assert_eq!(best(&AnyPosition::new(&mated).unwrap()), None);
}

#[test]
fn a_deeper_look_sees_a_mate_in_two() {
    let text = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, text).unwrap()).unwrap();
    let mv = best(&position).unwrap().to_string();
    assert!(["a2a7", "b1b7", "a2g2", "b1g1"].contains(&mv.as_str()), "{mv}");
}

/// Against itself it brings every variant's game to an end, the same one each time.
#[test]
fn it_finishes_games() {
    for variant in Variant::ALL {
        assert_eq!(play(variant), play(variant));
    }
}

/// Plays a game of the engine against itself and tells its end.
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
