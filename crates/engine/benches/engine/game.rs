//! One game, with the rules as referee.

use anyhow::{Context, Result};
use quadrex_rules::{Color, Game, Move, Reason, Variant};

use super::opening;

/// Who chooses moves for one seat.
pub(crate) trait Player {
    /// Prepares for a new game, in which chance comes from `seed`.
    fn begin(&mut self, variant: Variant, seed: u64) -> Result<()>;

    /// A move for the player whose turn it is in a game that has come so far by these moves.
    fn choose(&mut self, game: &Game, moves: &[Move]) -> Result<Move>;
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn begin(&mut self, variant: Variant, seed: u64) -> Result<()> {
        self.as_mut().begin(variant, seed)
    }

    fn choose(&mut self, game: &Game, moves: &[Move]) -> Result<Move> {
        self.as_mut().choose(game, moves)
    }
}

/// Why a game was not played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By the rules it was over.
    Over(Reason),
    /// It had come to the greatest length.
    Cut,
    /// Nobody on whom it depended had a part in it any more.
    Settled,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finished {
    /// The part of the first place that each seat has, in turn order: 1 for who is first alone, 1/2 for each of two
    /// who share it, 0 for all others. Together 1.
    pub shares: Vec<f64>,
    pub ending: Ending,
    /// Its length, opening included.
    pub plies: usize,
}

impl Finished {
    /// Whether the first place is shared.
    pub(crate) fn is_draw(&self) -> bool {
        self.ending != Ending::Settled && self.shares.iter().all(|&share| share < 1.0)
    }
}

/// Plays a game from an opening on. After `longest` plies, or when nobody that `counts` is in any more, those who are still
/// in share the first place.
///
/// # Errors
/// When a player has no answer, or chooses a move that is not legal.
pub(crate) fn play(
    variant: Variant,
    opening: &[Move],
    players: &mut [&mut dyn Player],
    counts: impl Fn(Color) -> bool,
    longest: usize,
) -> Result<Finished> {
    let mut playback = opening::start(variant);
    let mut moves = Vec::new();
    for &mv in opening {
        playback.play(mv, None).context("an opening")?;
        moves.push(mv);
    }
    let ending = loop {
        let game = playback.game();
        if let Some(outcome) = game.outcome() {
            break Ending::Over(outcome.reason);
        }
        if !game.position().players_in().any(&counts) {
            break Ending::Settled;
        }
        if moves.len() >= longest {
            break Ending::Cut;
        }
        let turn = game.position().turn();
        let mv = players[turn.index()].choose(game, &moves)?;
        playback.play(mv, None).with_context(|| format!("{turn} chose {mv} after {}", written(&moves)))?;
        moves.push(mv);
    };
    let game = playback.game();
    let firsts: Vec<_> = match game.outcome() {
        Some(outcome) => {
            outcome.places.iter().filter(|&(_, place)| place == 1).map(|(color, _)| color).collect()
        }
        None => game.position().players_in().collect(),
    };
    let share = 1.0 / firsts.len() as f64;
    let shares =
        variant.colors().iter().map(|color| if firsts.contains(color) { share } else { 0.0 }).collect();
    Ok(Finished { shares, ending, plies: moves.len() })
}

/// Moves as `position startpos moves` takes them.
pub(crate) fn written(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
