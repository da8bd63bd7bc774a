//! Written moves and games: SAN and PGN for `classic`, the long moves of PGN4 for the cross boards.
//!
//! A file of games is read in three layers, each usable alone:
//!
//! 1. [`Reader`] takes bytes and gives [`WrittenGame`]s one by one: tags, moves as they stand there, comments,
//!    variations. It holds one game at a time and knows no rules, so it reads both PGN and PGN4.
//! 2. [`san`] and [`long`] find the move that a text means in a position, and write a move's text.
//! 3. [`pgn`] and [`pgn4`] play a written game over by our rules, as far as they can be followed, and write one
//!    down from what happened in it.
//!
//! ```
//! use quadrex_rules::notation::{Reader, pgn};
//!
//! let text = b"[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
//! let game = Reader::new(&text[..]).next().expect("there is a game")?;
//! let replay = pgn::replay(&game)?;
//! assert_eq!(replay.stopped, None);
//! assert_eq!(replay.playback.plies().count(), 4);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod annotation;
mod castling;
mod check_suffix;
mod clock;
mod input;
mod lexer;
pub mod long;
pub mod pgn;
pub mod pgn4;
mod playback;
mod reader;
mod replay;
pub mod san;
mod tags;
mod typography;
mod warning;
mod written_game;

use alloc::string::String;

pub use clock::{clock_comment, clock_of, parse_time_control, time_control_text};
pub use input::{Location, Source};
pub use playback::Playback;
pub use reader::{MAX_GAME_BYTES, MAX_VARIATION_DEPTH, ReadError, Reader, SyntaxError, SyntaxKind};
pub use replay::{BadEvent, Replay, ReplayError, Stop, Unfollowed};
pub use tags::Tags;
pub use warning::{Warning, WarningKind};
pub use written_game::{Line, MoveNumber, WrittenGame, WrittenPly};

use crate::any::AnyPosition;
use crate::mv::Move;
use crate::variant::Variant;

/// A legal move as people write it: SAN in `classic`, the long form of PGN4 on the cross boards.
///
/// `position` is the one the move is made in.
///
/// # Panics
/// When no piece stands on the move's first square.
#[must_use]
pub fn move_text(position: &AnyPosition, mv: Move) -> String {
    match position.variant() {
        Variant::Classic => san::text(position, mv),
        Variant::Dilkel | Variant::DilkelCompact => long::text(position, mv),
    }
}

/// Which notation a game is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Two players.
    Pgn,
    /// Four players.
    Pgn4,
}

impl Notation {
    /// The notation of a variant's games.
    #[must_use]
    pub fn of_variant(variant: Variant) -> Self {
        match variant {
            Variant::Classic => Self::Pgn,
            Variant::Dilkel | Variant::DilkelCompact => Self::Pgn4,
        }
    }

    /// What a game's own tags say; `None` if they leave it open.
    #[must_use]
    pub fn of_tags(tags: &Tags) -> Option<Self> {
        let has = |name| tags.get(name).is_some();
        if has("StartFen4") || has("Red") || has("Green") {
            return Some(Self::Pgn4);
        }
        if has("FEN") || has("White") || has("Black") {
            return Some(Self::Pgn);
        }
        let name = tags.get("Variant")?.to_ascii_lowercase();
        match name.parse::<Variant>() {
            Ok(variant) => Some(Self::of_variant(variant)),
            Err(_) => matches!(name.as_str(), "ffa" | "teams" | "solo").then_some(Self::Pgn4),
        }
    }

    /// Plays a written game over.
    ///
    /// # Errors
    /// As [`pgn::replay`] and [`pgn4::replay`].
    pub fn replay(self, game: &WrittenGame) -> Result<Replay, ReplayError> {
        match self {
            Self::Pgn => pgn::replay(game),
            Self::Pgn4 => pgn4::replay(game),
        }
    }
}
