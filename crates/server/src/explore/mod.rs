//! Trying moves that are no match's: from any position or written game, by the rules and by nothing else. Pure, and
//! nothing is kept: each request tells the whole line.

mod line;
mod text;

use quadrex_protocol::RefusalCode;
use quadrex_protocol::explore::{Exploration, Explore, ExploreSetup};
use quadrex_rules::notation::{Playback, Tags};
use quadrex_rules::{Color, DrawPolicy, Game, Move, Rejection, Setup, SetupError};

use text::Source;
pub use text::{is_position, read_position};

/// Why a line is not explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The text is neither a position nor a game.
    #[error("{0}")]
    Unreadable(String),
    /// The text tells a position that makes no sense.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// There are more moves than are followed.
    #[error("the line has {plies} moves, and {most} at most are followed")]
    TooLong {
        /// How many it has.
        plies: usize,
        /// How many it may have.
        most: usize,
    },
    /// One of the moves cannot be made.
    #[error("ply {number}, {color} {mv}: {why}")]
    Move {
        /// Its number in the whole line, from 1.
        number: usize,
        /// Whose move it would be.
        color: Color,
        /// The move.
        mv: Move,
        /// Why it cannot be made.
        why: Rejection,
    },
}

impl ExploreError {
    /// Its kind on the wire.
    #[must_use]
    pub fn code(&self) -> RefusalCode {
        match self {
            Self::Unreadable(_) => RefusalCode::BadText,
            Self::Setup(_) => RefusalCode::BadSetup,
            Self::TooLong { .. } => RefusalCode::TooLarge,
            Self::Move { why: Rejection::MatchOver, .. } => RefusalCode::Ended,
            Self::Move { .. } => RefusalCode::IllegalMove,
        }
    }
}

/// Follows the line that is asked for, of `most` moves at most, and shows it.
///
/// # Errors
/// [`ExploreError`]
pub fn explore(request: &Explore, most: usize) -> Result<Exploration, ExploreError> {
    follow(&request.setup, &request.moves, most).map(line::shown)
}

/// The game at the end of a line of `most` moves at most.
///
/// # Errors
/// [`ExploreError`]
pub fn game_after(setup: &ExploreSetup, moves: &[Move], most: usize) -> Result<Game, ExploreError> {
    follow(setup, moves, most).map(|source| source.playback.game().clone())
}

fn follow(setup: &ExploreSetup, moves: &[Move], most: usize) -> Result<Source, ExploreError> {
    let mut source = match setup {
        ExploreSetup::Start { variant } => Source::of(Setup::start(*variant))?,
        ExploreSetup::Text { text, variant, plies } => text::read(text, *variant, *plies, most)?,
    };
    let written = source.playback.plies().count();
    let plies = written + moves.len();
    if plies > most {
        return Err(ExploreError::TooLong { plies, most });
    }
    for (number, &mv) in (written + 1..).zip(moves) {
        let color = source.playback.game().position().turn();
        source.playback.play(mv, None).map_err(|why| ExploreError::Move { number, color, mv, why })?;
    }
    Ok(source)
}

impl Source {
    /// A position alone.
    fn of(setup: Setup) -> Result<Self, SetupError> {
        Ok(Self {
            playback: Playback::new(setup, DrawPolicy::Claim)?,
            tags: Tags::new(),
            result: None,
            warnings: Vec::new(),
            stopped: None,
            more_games: 0,
        })
    }
}

#[cfg(test)]
mod tests;
