//! Drives engines: programs that speak UCI, as chess has it and as `docs/UCI.md` tells it for four players, each a process
//! of its own.
//!
//! An [`Engine`] is started with what it is to be set to, and asked for one move at a time with [`Engine::search`]. Whatever
//! it does wrong is an [`EngineError`]; one that hangs is killed when it is dropped. Nothing is tried twice here: who asks
//! knows how much patience the game allows.
//!
//! What the engine thinks of its position also says what a bot does about draws ([`takes_draw`], [`claims_draw`]), whether
//! the engine is another's or, in the server, its own.

mod description;
mod go;
mod judgement;
mod lines;
mod process;
mod said;

pub use description::{Description, WrongOption};
pub use go::{Go, Hand, Time};
pub use judgement::{MATE, claims_draw, takes_draw};
pub use process::{Engine, EngineError, Launch};
pub use said::Answer;
