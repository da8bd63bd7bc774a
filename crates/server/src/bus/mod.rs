//! The bus: tells those who watch a table what was committed there.
//!
//! It carries only what the log already holds, and what passes away (who is connected). It may lose frames, never
//! invent them: a subscriber that lagged is told so and reads the log. Whoever wants all of a match subscribes
//! first, then reads the log, and drops what it has by `seq`.

mod frame;
mod local;

pub use frame::{Frame, Frames, News, Published, Viewer};
pub use local::{Delivery, LocalBus, Subscription};
