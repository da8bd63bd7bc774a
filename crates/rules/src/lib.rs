//! The rules of Dilkel four-player chess and of classic chess, generic over the board.
#![no_std]

extern crate alloc;

mod any;
pub mod bits;
mod color;
mod game;
pub mod geometry;
mod judge;
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
mod zobrist;

pub use any::AnyPosition;
pub use color::{ByColor, Color, ColorError, Side};
pub use game::{
    Cause, CauseError, Clocks, DrawPolicy, Elimination, Game, GameCommand, GameConfig, GameEvent, OpenOffer,
    Outcome, Places, Reason, ReasonError, Rejection, StartError, TimeControl,
};
pub use judge::Verdict;
pub use mv::{Move, MoveError};
pub use position::Position;
pub use reserve::Reserve;
pub use role::{Piece, PieceError, Role, RoleError};
pub use setup::{CastlingRights, DoubleStep, Field, Setup, SetupError};
pub use square::{BoardShape, Square, SquareError};
pub use timestamp::Timestamp;
pub use variant::{Classic, Dilkel, DilkelCompact, Variant, VariantError, VariantRules};
