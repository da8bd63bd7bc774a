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

mod castling;
mod clock;
mod forecast;
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
mod written;

use alloc::string::String;

pub use castling::Wing;
pub use clock::{clock_comment, clock_of, parse_time_control, time_control_text};
pub use input::{Place, Source};
pub use playback::Playback;
pub use reader::{MAX_GAME_BYTES, MAX_VARIATION_DEPTH, ReadError, Reader, SyntaxError, SyntaxKind};
pub use replay::{BadEvent, Replay, ReplayError, Stop, Unfollowed};
pub use tags::Tags;
pub use written::{Line, MoveNumber, WrittenGame, WrittenPly};

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
