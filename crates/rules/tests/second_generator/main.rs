//! The crate's positions compared with a slow generator that shares no code with them, move list by
//! move list.

mod positions;
#[path = "../random/mod.rs"]
mod random;
mod slow;
mod special;

use std::collections::BTreeMap;

use quadrex_rules::{
    AnyPosition, ByColor, CastlingRights, DrawPolicy, Game, GameCommand, GameConfig, Move, Piece, Role,
    Setup, Square, TimeControl, Timestamp, Variant, Verdict,
};
use random::Random;
use slow::{Kind, Slow};

/// Returns the crate's position in the text form of the slow generator.
fn describe(position: &AnyPosition) -> String {
    let setup = position.setup();
    let colors = setup.variant.colors();
    let owner = |color| colors.iter().position(|other| *other == color).expect("a color of the variant");
    let mut pieces: Vec<String> = position
        .pieces()
        .map(|(square, piece)| format!("{}{}{square}", owner(piece.color), piece.role.letter()))
        .collect();
    pieces.sort();
    let each = colors.iter().copied();
    let castle: Vec<_> =
        each.clone().map(|color| [setup.castling[color].short, setup.castling[color].long]).collect();
    // A FEN leaves out unusable rights; the slow generator does not.
    let passed: Vec<_> = each
        .clone()
        .map(|color| setup.double_steps[color].map(|step| format!("{}{}", step.passed, step.pawn)))
        .collect();
    let reserve: Vec<_> = each
        .clone()
        .map(|color| position.reserve(color))
        .map(|reserve| [reserve.bishops, reserve.knights, reserve.rooks].map(u32::from))
        .collect();
    let alive: Vec<bool> = each.clone().map(|color| position.is_playing(color)).collect();
    let checks: Vec<bool> = each.map(|color| position.checks().any(|other| other == color)).collect();
    let turn = owner(position.turn());
    slow::describe(&pieces, turn, &alive, &castle, &passed, &reserve, position.halfmove_clock(), &checks)
}

fn list(position: &AnyPosition) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

/// Plays random games from a set-up on both sides, with eliminations at any time, comparing
/// everything at each ply. Returns the number of moves of each kind.
fn compare_games(variant: Variant, text: &str, games: u64, plies: u32) -> BTreeMap<Kind, u32> {
    let mut seen = BTreeMap::new();
    for seed in 1..=games {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let setup = Setup::parse(variant, text).expect("the set-up can be read");
        let config = GameConfig { setup, draws: DrawPolicy::Claim, time: TimeControl::None };
        let mut game = Game::load(config, Timestamp::default()).expect("the set-up is a position");
        let mut slow = Slow::read(text);
        for ply in 0..plies {
            let position = game.position();
            let moves = list(position);
            assert_eq!(moves, slow.moves(), "game {seed} ply {ply}: {}", game.setup());
            if variant != Variant::Classic {
                assert_eq!(describe(position), slow.describe(), "game {seed} ply {ply}: {}", game.setup());
            }
            check_single_moves(position, &moves, &mut random);
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            if variant != Variant::Classic && random.below(150) == 0 {
                let players: Vec<_> = position.active_players().collect();
                let color = players[random.below(players.len())];
                decide(&mut game, &GameCommand::Resign { color });
                slow.go_out(variant.colors().iter().position(|other| *other == color).expect("a seat"));
                continue;
            }
            let mv = choose(&slow, &moves, &mut random);
            *seen.entry(slow.play(&mv)).or_insert(0) += 1;
            let color = position.turn();
            let mv = mv.parse().expect("the slow player writes moves");
            decide(&mut game, &GameCommand::Move { color, mv, claim_draw: false });
        }
    }
    seen
}

fn decide(game: &mut Game, command: &GameCommand) {
    let events = game.decide(command, Timestamp::default()).expect("both sides find it legal");
    for event in events {
        game.apply(&event, Timestamp::default());
    }
}

/// Returns a random move; sometimes one of a rare kind.
fn choose(slow: &Slow, moves: &[String], random: &mut Random) -> String {
    if random.below(3) == 0 {
        let rare: Vec<&String> = moves.iter().filter(|mv| slow.kind(mv) > Kind::DoubleStep).collect();
        if !rare.is_empty() {
            return rare[random.below(rare.len())].clone();
        }
    }
    moves[random.below(moves.len())].clone()
}

/// `is_legal` agrees with the list, for moves in it and others.
fn check_single_moves(position: &AnyPosition, moves: &[String], random: &mut Random) {
    let squares: Vec<Square> = (0..14)
        .flat_map(|file| (0..14).map(move |rank| (file, rank)))
        .filter_map(|(file, rank)| Square::new(file, rank))
        .collect();
    let mut tried: Vec<String> = moves.to_vec();
    for _ in 0..20 {
        let [from, to] = [0; 2].map(|_| squares[random.below(squares.len())]);
        let promotion = ["", "q", "r", "b", "n"][random.below(5)];
        tried.push(format!("{from}{to}{promotion}"));
    }
    for known in moves.iter().take(8) {
        tried.push(format!("{}q", known.trim_end_matches(['q', 'r', 'b', 'n'])));
        tried.push(known.trim_end_matches(['q', 'r', 'b', 'n']).to_owned());
    }
    for text in tried {
        let mv: Move = text.parse().expect("a move's text");
        assert_eq!(
            position.is_legal(mv),
            moves.binary_search(&text).is_ok(),
            "{text} in {}",
            position.setup()
        );
    }
}

const SITES: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,yN,yB,yK,yQ,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bK,bP,10,gP,gQ/bQ,bP,10,gP,gK/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/14/3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rQ,rK,rB,rN,rR,3";

/// Few pieces, ready to castle, and pawns about to make double steps, to meet and to promote.
const OPEN: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-{'reserve':('BNR','B','','RR')}-3,yR,3,yK,2,yR,3/3,yP,1,yP,2,yP,1,yP,3/5,rP,8/bR,bP,8,rP,1,gP,gR/14/2,yP,11/bK,bP,6,bP,3,gP,1/1,bP,2,gP,7,gP,gK/1,bP,10,gP,1/14/bR,bP,4,yP,5,gP,gR/7,bP,6/3,rP,1,rP,1,gP,rP,1,rP,3/3,rR,2,rK,3,rR,3";

fn assert_seen(seen: &BTreeMap<Kind, u32>, kinds: &[Kind]) {
    for kind in kinds {
        assert!(seen.contains_key(kind), "no {kind:?} came up: {seen:?}");
    }
}

const ALL: [Kind; 8] = [
    Kind::Quiet,
    Kind::Capture,
    Kind::DoubleStep,
    Kind::EnPassant,
    Kind::Short,
    Kind::Long,
    Kind::Queened,
    Kind::Underpromoted,
];

/// Returns a set-up with the kings and some other pieces on random squares, as text.
fn strewn(variant: Variant, random: &mut Random) -> String {
    let mut setup = Setup::start(variant).with_turn(variant.colors()[random.below(variant.player_count())]);
    setup.pieces.clear();
    setup.castling = ByColor::from_fn(|_| CastlingRights::default());
    let squares: Vec<Square> = variant.board().squares().collect();
    let mut free = || loop {
        let square = squares[random.below(squares.len())];
        if !setup.pieces.contains_key(&square) {
            return (square, random.below(5), random.below(variant.player_count()));
        }
    };
    let mut pieces = Vec::new();
    for &color in variant.colors() {
        pieces.push((free().0, Piece { color, role: Role::King }));
    }
    for _ in 0..squares.len() / 5 {
        let (square, role, color) = free();
        pieces.push((square, Piece { color: variant.colors()[color], role: Role::ALL[role] }));
    }
    setup.pieces.extend(pieces);
    setup.to_string()
}

/// Compares a few plies from each of many random set-ups.
fn compare_strewn(variant: Variant, wanted: usize) -> BTreeMap<Kind, u32> {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut seen = BTreeMap::new();
    let mut found = 0;
    while found < wanted {
        let text = strewn(variant, &mut random);
        let setup = Setup::parse(variant, &text).expect("the set-up can be read");
        let playable = AnyPosition::new(&setup).is_ok_and(|position| position.verdict() != Verdict::Mated);
        if playable {
            found += 1;
            for (kind, count) in compare_games(variant, &text, 1, 6) {
                *seen.entry(kind).or_insert(0) += count;
            }
        }
    }
    seen
}

#[test]
fn classic_agrees_from_the_start() {
    let start = Setup::start(Variant::Classic).to_string();
    assert_seen(&compare_games(Variant::Classic, &start, 150, 250), &ALL);
}

#[test]
fn dilkel_agrees_from_its_own_set_up() {
    let start = Setup::start(Variant::Dilkel).to_string();
    assert_seen(&compare_games(Variant::Dilkel, &start, 12, 400), &ALL[..3]);
}

#[test]
fn dilkel_agrees_from_the_set_up_of_the_sites() {
    assert_seen(&compare_games(Variant::Dilkel, SITES, 12, 300), &[Kind::Short, Kind::Long]);
}

#[test]
fn dilkel_agrees_where_all_is_about_to_happen() {
    assert_seen(&compare_games(Variant::Dilkel, OPEN, 60, 150), &ALL);
}

#[test]
fn dilkel_compact_agrees_from_its_own_set_up() {
    let start = Setup::start(Variant::DilkelCompact).to_string();
    assert_seen(
        &compare_games(Variant::DilkelCompact, &start, 12, 400),
        &[Kind::Capture, Kind::Queened, Kind::Underpromoted],
    );
}

#[test]
fn classic_agrees_where_pieces_are_strewn_about() {
    assert_seen(&compare_strewn(Variant::Classic, 1_000), &ALL[..3]);
}

#[test]
fn dilkel_agrees_where_pieces_are_strewn_about() {
    assert_seen(&compare_strewn(Variant::Dilkel, 250), &[Kind::Capture, Kind::Queened]);
}

#[test]
fn dilkel_compact_agrees_where_pieces_are_strewn_about() {
    assert_seen(&compare_strewn(Variant::DilkelCompact, 250), &[Kind::Capture, Kind::Queened]);
}

/// G1-G8, D2-D10, S5: each position has the features it is there for, and the crate gives the
/// written counts.
#[test]
fn positions_of_special_interest_hold_what_they_say() {
    assert_eq!(positions::all().count(), 47);
    for special in positions::all() {
        special.assert_facts();
        for (depth, count) in (1..).zip(special.counts) {
            assert_eq!(special.position().perft(depth), count, "depth {depth}: {}", special.holds);
        }
    }
}

/// Counts up to this limit are checked by the slow generator in every run; all of them if the
/// environment has `PERFT_ALL`, which takes minutes.
const SLOW_EVERY_RUN: u64 = 20_000;

/// G1-G8, D2-D10, S5: the slow generator gives the same counts, so that every number has two
/// sources.
#[test]
fn the_slow_player_counts_the_same_in_positions_of_special_interest() {
    let (most, expected) =
        if std::env::var_os("PERFT_ALL").is_some() { (u64::MAX, 4 * 47) } else { (SLOW_EVERY_RUN, 163) };
    let mut checked = 0;
    for special in positions::all() {
        for (depth, count) in (1..).zip(special.counts).filter(|(_, count)| *count <= most) {
            assert_eq!(Slow::read(special.fen4).perft(depth), count, "depth {depth}: {}", special.holds);
            checked += 1;
        }
    }
    assert_eq!(checked, expected);
}
