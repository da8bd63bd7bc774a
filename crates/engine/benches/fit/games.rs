//! Games of the engine against itself, and positions from them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use quadrex_engine::tuning::{self, TermCounts};
use quadrex_engine::{Engine, Limits, Score, SearchRequest, Untimed};
use quadrex_rules::{AnyPosition, Game, Move, Role, Variant};

use super::Arguments;
use super::opening;
use super::random::Random;

/// A calm position, and the part of the first place that each player came to have.
pub(crate) struct Sample {
    pub counted: TermCounts,
    pub is_in: [bool; 4],
    pub shares: [f32; 4],
}

/// Of so many calm positions one is taken: those of one game are much alike.
const ONE_OF: u64 = 4;

/// The longest game; longer ones tell nothing.
const LONGEST: usize = 1_200;

/// Plays the games, several at once.
pub(crate) fn play(arguments: &Arguments) -> Vec<Sample> {
    let samples = Mutex::new(Vec::new());
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                let mut engine = Engine::new(4);
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= arguments.games {
                        return;
                    }
                    if number.is_multiple_of(500) {
                        eprintln!("game {number}");
                    }
                    engine.clear();
                    let game = one(arguments, &mut engine, Random::of(&[7, number]));
                    samples.lock().expect("no game panics").extend(game);
                }
            });
        }
    });
    samples.into_inner().expect("no game panics")
}

fn one(arguments: &Arguments, engine: &mut Engine, mut random: Random) -> Vec<Sample> {
    let variant = arguments.variant;
    let mut playback = opening::start(variant);
    for mv in opening::random(variant, random.clone()) {
        playback.play(mv, None).expect("an opening is legal");
    }
    let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
    let mut counted = Vec::new();
    while playback.game().outcome().is_none() && playback.plies().count() < LONGEST {
        let game = playback.game();
        let found = engine.search(&SearchRequest::of_game(game, limits), &Untimed, &mut |_| ());
        let mv = found.best.expect("a game that goes on has a move");
        let is_forced =
            !matches!(found.report.lines.first(), Some(line) if matches!(line.score, Score::Centipawns(_)));
        if !is_forced && is_calm(game.position(), mv) && random.next().is_multiple_of(ONE_OF) {
            counted.push((tuning::count(game.position()), who_is_in(game)));
        }
        playback.play(mv, None).expect("the engine's moves are legal");
    }
    let Some(shares) = shares(variant, playback.game()) else { return Vec::new() };
    counted.into_iter().map(|(counted, is_in)| Sample { counted, is_in, shares }).collect()
}

/// Nothing hangs in the air: the player to move is not in check, and neither takes nor promotes.
fn is_calm(position: &AnyPosition, mv: Move) -> bool {
    let promotes = mv.promotion.is_some();
    let takes = position.piece_at(mv.to).is_some()
        || position.piece_at(mv.from).is_some_and(|piece| piece.role == Role::Pawn)
            && mv.from.file() != mv.to.file()
            && mv.from.rank() != mv.to.rank();
    !promotes && !takes && position.checked_by(position.turn()).next().is_none()
}

fn who_is_in(game: &Game) -> [bool; 4] {
    let mut is_in = [false; 4];
    game.position().players_in().for_each(|color| is_in[color.index()] = true);
    is_in
}

/// The part of the first place that each player has; `None` for a game that was cut off.
fn shares(variant: Variant, game: &Game) -> Option<[f32; 4]> {
    let outcome = game.outcome()?;
    let mut shares = [0.0; 4];
    let firsts = outcome.places.iter().filter(|&(_, place)| place == 1).count();
    for &color in variant.colors() {
        if outcome.places.get(color) == Some(1) {
            shares[color.index()] = 1.0 / firsts as f32;
        }
    }
    Some(shares)
}
