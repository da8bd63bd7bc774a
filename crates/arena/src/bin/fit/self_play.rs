//! Games of the engine against itself, and samples of their positions.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use quadrex_arena::opening;
use quadrex_engine::tuning::{self, TermCounts};
use quadrex_engine::{Engine, Limits, Rng, Score, SearchRequest, Untimed};
use quadrex_rules::{AnyPosition, Game, Move, Role, Variant};

use crate::Arguments;

/// A quiet position and the result of its game.
pub(crate) struct Sample {
    pub(crate) terms: TermCounts,
    /// True for each player still in.
    pub(crate) is_playing: [bool; 4],
    /// Each player's share of the first place.
    pub(crate) shares: [f32; 4],
}

/// One of every `SAMPLE_INTERVAL` quiet positions becomes a sample. More positions are not used,
/// because the positions of one game are similar.
const SAMPLE_INTERVAL: u64 = 4;

/// The maximum length of a game in plies; longer games have no result.
const MAX_PLIES: usize = 1_200;

/// Plays the games, several at the same time, and returns their samples.
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
                    let game = play_game(arguments, &mut engine, Rng::from_path(&[7, number]));
                    samples.lock().expect("no game panics").extend(game);
                }
            });
        }
    });
    samples.into_inner().expect("no game panics")
}

/// Plays a game and returns its samples.
fn play_game(arguments: &Arguments, engine: &mut Engine, mut rng: Rng) -> Vec<Sample> {
    let variant = arguments.variant;
    let mut playback = opening::start(variant);
    for mv in opening::random(variant, rng.clone()) {
        playback.play(mv, None).expect("an opening is legal");
    }
    let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
    let mut positions = Vec::new();
    while playback.game().outcome().is_none() && playback.plies().count() < MAX_PLIES {
        let game = playback.game();
        let result = engine.search(&SearchRequest::of_game(game, limits), &Untimed, &mut |_| ());
        let mv = result.best.expect("a game that goes on has a move");
        let is_mate =
            !matches!(result.report.lines.first(), Some(line) if matches!(line.score, Score::Centipawns(_)));
        if !is_mate && is_quiet(game.position(), mv) && rng.next_u64().is_multiple_of(SAMPLE_INTERVAL) {
            positions.push((tuning::count(game.position()), active_players(game)));
        }
        playback.play(mv, None).expect("the engine's moves are legal");
    }
    let Some(shares) = shares(variant, playback.game()) else { return Vec::new() };
    positions.into_iter().map(|(terms, is_playing)| Sample { terms, is_playing, shares }).collect()
}

/// Returns true if the player to move is not in check and neither captures nor promotes.
fn is_quiet(position: &AnyPosition, mv: Move) -> bool {
    let promotes = mv.promotion.is_some();
    let captures = position.piece_at(mv.to).is_some()
        || position.piece_at(mv.from).is_some_and(|piece| piece.role == Role::Pawn)
            && mv.from.file() != mv.to.file()
            && mv.from.rank() != mv.to.rank();
    !promotes && !captures && position.checked_by(position.turn()).next().is_none()
}

/// Returns true for each player still in.
fn active_players(game: &Game) -> [bool; 4] {
    let mut is_playing = [false; 4];
    game.position().active_players().for_each(|color| is_playing[color.index()] = true);
    is_playing
}

/// Returns each player's share of the first place; `None` for a game without a result.
fn shares(variant: Variant, game: &Game) -> Option<[f32; 4]> {
    let outcome = game.outcome()?;
    let mut shares = [0.0; 4];
    let winners = outcome.places.iter().filter(|&(_, place)| place == 1).count();
    for &color in variant.colors() {
        if outcome.places.get(color) == Some(1) {
            shares[color.index()] = 1.0 / winners as f32;
        }
    }
    Some(shares)
}
