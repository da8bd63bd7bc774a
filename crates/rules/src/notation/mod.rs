//! Notation of moves and games: SAN and PGN for `classic`, the long moves of PGN4 for the cross
//! boards.
//!
//! A file of games is read in three layers, each of which can be used alone:
//!
//! 1. [`Reader`] turns bytes into [`WrittenGame`]s, one by one: tags, moves as written, comments,
//!    variations. It stores one game at a time and knows no rules, so it reads both PGN and PGN4.
//! 2. [`san`] and [`long`] find the move that a text means in a position, and write the text of a
//!    move.
//! 3. [`pgn`] and [`pgn4`] replay a written game up to the first word that our rules do not allow,
//!    and write a game from its events.
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
mod syntax;
mod tags;
mod typography;
mod warning;
mod written_game;

use alloc::string::String;

pub use clock::{clock_comment, clock_of, parse_time_control, time_control_text};
pub use input::{Location, Source};
pub use playback::{BadEvent, Playback};
pub use reader::{ReadError, Reader};
pub use replay::{Replay, ReplayError, Stop, StopReason};
pub use syntax::{MAX_GAME_BYTES, MAX_VARIATION_DEPTH, SyntaxError, SyntaxKind};
pub use tags::Tags;
pub use warning::{Warning, WarningKind};
pub use written_game::{Line, MoveNumber, WrittenGame, WrittenPly};

use crate::any::AnyPosition;
use crate::mv::Move;
pub use crate::variant::Notation;
use crate::variant::Variant;

/// Returns the text of a legal move: SAN in `classic`, the long form of PGN4 on the cross boards.
///
/// `position` is the position before the move.
///
/// # Panics
/// Panics if no piece stands on the move's first square.
#[must_use]
pub fn move_text(position: &AnyPosition, mv: Move) -> String {
    match position.variant().notation() {
        Notation::Pgn => san::text(position, mv),
        Notation::Pgn4 => long::text(position, mv),
    }
}

impl Notation {
    /// Returns the notation that a game's tags imply, or `None` if the tags imply no notation.
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
            Ok(variant) => Some(variant.notation()),
            Err(_) => matches!(name.as_str(), "ffa" | "teams" | "solo").then_some(Self::Pgn4),
        }
    }

    /// Replays a written game.
    ///
    /// # Errors
    /// Returns the errors of [`pgn::replay`] or [`pgn4::replay`].
    pub fn replay(self, game: &WrittenGame) -> Result<Replay, ReplayError> {
        match self {
            Self::Pgn => pgn::replay(game),
            Self::Pgn4 => pgn4::replay(game),
        }
    }
}
