//! A driver of engines. Engines are programs that speak UCI, with the extensions of `docs/UCI.md`
//! for four players. Each engine runs in its own process.
//!
//! An [`Engine`] is started with its options and asked for one move at a time with
//! [`Engine::search`]. Every failure is an [`EngineError`]. A dropped engine is killed, even if it
//! hangs. The driver never tries again by itself, because only the caller knows how much time is
//! left.
//!
//! The crate also decides from an engine's score whether a bot accepts or claims a draw
//! ([`accepts_draw`], [`claims_draw`]). This applies to external engines and to the server's
//! built-in engine.

mod description;
mod draw_policy;
mod go;
mod lines;
mod process;
mod reply;

pub use description::{Description, OptionError};
pub use draw_policy::{MATE, accepts_draw, claims_draw};
pub use go::{Go, PlayerClock, Time};
pub use process::{Engine, EngineError, Launch};
pub use reply::BestMove;
