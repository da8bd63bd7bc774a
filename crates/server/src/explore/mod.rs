//! The exploration of moves outside any match. It starts from a position or a written game and
//! allows every legal move. Nothing is stored, because each request contains the whole line of
//! moves.

mod line;
mod text;

use quadrex_protocol::RefusalCode;
use quadrex_protocol::explore::{Exploration, Explore, ExploreSetup};
use quadrex_rules::notation::{Playback, Tags};
use quadrex_rules::{Color, DrawPolicy, Game, Move, Rejection, Setup, SetupError};

use text::ParsedText;
pub use text::{is_position, read_position};

/// The reason for which a line of moves cannot be explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The text is neither a position nor a game.
    #[error("{0}")]
    Unreadable(String),
    /// The text is an invalid position.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// The line has too many moves.
    #[error("the line has {plies} moves, and at most {max} are followed")]
    TooLong {
        /// The number of moves in the line.
        plies: usize,
        /// The largest allowed number of moves.
        max: usize,
    },
    /// One of the moves is illegal.
    #[error("ply {number}, {color} {mv}: {why}")]
    Move {
        /// The number of the move in the whole line, from 1.
        number: usize,
        /// The color of the player to move.
        color: Color,
        /// The illegal move.
        mv: Move,
        /// The reason for which the move is illegal.
        why: Rejection,
    },
}

impl ExploreError {
    /// Returns the code of the refusal on the wire.
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

/// Explores a line of at most `max_plies` moves.
///
/// # Errors
/// Returns [`ExploreError`] if the line cannot be explored.
pub fn explore(request: &Explore, max_plies: usize) -> Result<Exploration, ExploreError> {
    play_line(&request.setup, &request.moves, max_plies).map(line::exploration_of)
}

/// Returns the game at the end of a line of at most `max_plies` moves.
///
/// # Errors
/// Returns [`ExploreError`] if the line cannot be explored.
pub fn game_after(setup: &ExploreSetup, moves: &[Move], max_plies: usize) -> Result<Game, ExploreError> {
    play_line(setup, moves, max_plies).map(|source| source.playback.game().clone())
}

fn play_line(setup: &ExploreSetup, moves: &[Move], max_plies: usize) -> Result<ParsedText, ExploreError> {
    let mut source = match setup {
        ExploreSetup::Start { variant } => ParsedText::of(Setup::start(*variant))?,
        ExploreSetup::Text { text, variant, plies } => text::parse(text, *variant, *plies, max_plies)?,
    };
    let text_plies = source.playback.plies().count();
    let plies = text_plies + moves.len();
    if plies > max_plies {
        return Err(ExploreError::TooLong { plies, max: max_plies });
    }
    for (number, &mv) in (text_plies + 1..).zip(moves) {
        let color = source.playback.game().position().turn();
        source.playback.play(mv, None).map_err(|why| ExploreError::Move { number, color, mv, why })?;
    }
    Ok(source)
}

impl ParsedText {
    /// Returns the content of a text that has only a start position.
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
