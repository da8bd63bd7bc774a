//! Players: the engine of this build, and UCI engines that run as processes.

mod built_in;
mod uci;

pub use built_in::BuiltInPlayer;
pub use uci::{UciLaunch, UciPlayer};
