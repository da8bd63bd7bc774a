//! The bus: tells those who watch a table what was committed there.
//!
//! It carries only what the log already holds, and what passes away (who is connected). Whoever wants all of a match
//! subscribes first, then reads the log, and drops what it has by `seq`.

mod channel;
mod frame;
mod local;

pub use channel::{Channel, Listener, Place};
pub use frame::{Frame, Frames, News, Published, Viewer};
pub use local::{LocalBus, Subscription};
