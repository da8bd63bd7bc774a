//! The rules of Dilkel four-player chess and of classic chess, generic over the board.
//!
//! The crate is pure: it does no input or output, reads no clock and uses no randomness. Time is an
//! argument. It is `no_std` with `alloc`. Generating and making moves allocates nothing. The
//! numbers in these pages (`G5`, `D8`) are those of the project's `docs/RULES.md`.
//!
//! # Where to start
//!
//! - [`Setup`] is the content of a FEN or FEN4, valid or not. [`AnyPosition::new`] converts it to a
//!   position, or returns an error that names the wrong field.
//! - [`AnyPosition`] is a playable position of any variant: pieces, legal moves, checks.
//!   [`Position`] is the same for a variant known at compile time; search and perft use it.
//! - [`Game`] is a match with its clocks and requests: [`Game::decide`] returns the events of a
//!   command, [`Game::apply`] applies them. The events are the record and rebuild the game.
//! - [`notation`] reads and writes games in the usual formats: SAN and PGN, and PGN4.
//!
//! ```
//! use quadrex_rules::{DrawPolicy, Game, GameCommand, GameConfig, Reason, Setup, TimeControl, Timestamp, Variant};
//!
//! let setup = Setup::start(Variant::Classic);
//! let config = GameConfig { setup, draws: DrawPolicy::Claim, time: TimeControl::None };
//! let mut game = Game::new(config, Timestamp::default())?;
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     let color = game.position().turn();
//!     let command = GameCommand::Move { color, mv: text.parse()?, claim_draw: false };
//!     let now = Timestamp::default();
//!     for event in game.decide(&command, now)? {
//!         game.apply(&event, now);
//!     }
//! }
//! assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(Reason::Mate));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Perft of a variant known at compile time:
//!
//! ```
//! use quadrex_rules::{Dilkel, Position};
//!
//! assert_eq!(Position::<Dilkel>::start().perft(3), 7_800);
//! ```
//!
//! # Guides
//!
//! [`guide`] has a page with examples for each task: [positions](guide::positions), [playing a
//! game](guide::play_a_game), [reading and writing games](guide::read_and_write_games), [generating
//! moves](guide::generate_moves), adding [a variant](guide::add_a_variant) and adding [a
//! board](guide::add_a_board).
//!
//! # Features
//!
//! `serde`: serialization of the types that records and messages contain; types with a text form
//! are serialized as that text. It needs no standard library either.
#![no_std]

extern crate alloc;

mod any;
pub mod bits;
mod castling_side;
mod color;
mod elimination;
mod game;
pub mod geometry;
pub mod guide;
pub mod movegen;
mod mv;
pub mod notation;
mod perft;
pub mod position;
mod repair;
mod reserve;
mod role;
mod serde_text;
mod setup;
mod square;
mod timestamp;
pub mod variant;
mod verdict;
mod zobrist;

pub use any::AnyPosition;
pub use castling_side::CastlingSide;
pub use color::{ByColor, Color, ColorError, Side};
pub use elimination::{Cause, CauseError, Elimination};
pub use game::{
    AbortCause, AbortCauseError, Clocks, DrawPolicy, Game, GameCommand, GameConfig, GameEvent, OpenRequest,
    Outcome, Places, Reason, ReasonError, Rejection, Request, StartError, TimeControl,
};
pub use mv::{Move, MoveError};
pub use position::Position;
pub use reserve::Reserve;
pub use role::{Piece, Role, RoleError};
pub use setup::{CastlingRights, DoubleStep, Dropped, Field, PieceError, Setup, SetupError, SetupWarning};
pub use square::{BoardShape, Square, SquareError};
pub use timestamp::Timestamp;
pub use variant::types::*;
pub use variant::{Variant, VariantError, VariantRules};
pub use verdict::Verdict;
