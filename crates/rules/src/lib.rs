//! The rules of Dilkel four-player chess and of classic chess, generic over the board.
//!
//! Pure: no input or output, no clock, no randomness; time is an argument. `no_std` with `alloc`, and nothing is
//! allocated while moves are generated and made. The numbers in these pages (`G5`, `D8`) are those of the project's
//! `docs/RULES.md`.
//!
//! # Where to start
//!
//! - [`Setup`] is what a FEN or FEN4 says, sense or nonsense. [`AnyPosition::new`] makes a position of it or says what
//!   is wrong.
//! - [`AnyPosition`] is a playable position of any variant: pieces, legal moves, checks. [`Position`] is the same for
//!   a variant known at compile time, which is what search and counting use.
//! - [`Game`] is a match as far as rules and clocks go: [`Game::decide`] says what a command brings about,
//!   [`Game::apply`] takes in what happened. The events are the record, and rebuild the game.
//! - [`notation`] reads and writes games as people do: SAN and PGN, PGN4.
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
//! Counting move sequences of a variant known at compile time:
//!
//! ```
//! use quadrex_rules::{Dilkel, Position};
//!
//! assert_eq!(Position::<Dilkel>::start().perft(3), 7_800);
//! ```
//!
//! # Guides
//!
//! [`guide`] has a page with examples for each thing one does with this crate: [positions](guide::positions),
//! [playing a game](guide::play_a_game), [reading and writing games](guide::read_and_write_games),
//! [generating moves](guide::generate_moves); and for what one adds to it: [a variant](guide::add_a_variant),
//! [a board](guide::add_a_board).
//!
//! # Features
//!
//! `serde`: the types that stand in records and messages can be serialised, those with a text form as that text. It
//! needs no standard library either.
#![no_std]

extern crate alloc;

mod any;
pub mod bits;
mod castling_side;
mod color;
mod game;
pub mod geometry;
pub mod guide;
pub mod movegen;
mod mv;
pub mod notation;
mod perft;
pub mod position;
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
pub use game::{
    AbortCause, AbortCauseError, Cause, CauseError, Clocks, DrawPolicy, Elimination, Game, GameCommand,
    GameConfig, GameEvent, OpenRequest, Outcome, Places, Reason, ReasonError, Rejection, Request, StartError,
    TimeControl,
};
pub use mv::{Move, MoveError};
pub use position::Position;
pub use reserve::Reserve;
pub use role::{Piece, PieceError, Role, RoleError};
pub use setup::{CastlingRights, DoubleStep, Dropped, Field, Setup, SetupError, SetupWarning};
pub use square::{BoardShape, Square, SquareError};
pub use timestamp::Timestamp;
pub use variant::{Classic, Dilkel, DilkelCompact, Variant, VariantError, VariantRules};
pub use verdict::Verdict;
