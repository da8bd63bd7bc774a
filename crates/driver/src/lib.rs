//! A driver of engines: programs that speak UCI, with the extensions of `docs/UCI.md` for four
//! players, each in a process of its own.
//!
//! An [`Engine`] is started with its options and asked for one move at a time with
//! [`Engine::search`]. Every failure is an [`EngineError`]. A dropped engine is killed, even if it
//! hangs. The driver retries nothing, because only the caller knows how much time is left.
//!
//! The engine's score of its position also decides a bot's draws ([`accepts_draw`],
//! [`claims_draw`]), for external engines and for the server's built-in one.

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
