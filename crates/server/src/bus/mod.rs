//! The bus: publishes what was committed at a table to those who watch it.
//!
//! It carries only events that the log already has, and state that is not logged (presence). A
//! client that wants all of a match subscribes first, then reads the log, and drops duplicates by
//! `seq`.

mod channel;
mod frame;
mod local;

pub use channel::{Channel, Listener, Subscription};
pub use frame::{Frame, Frames, Publication, PublicationKind};
pub use local::{LocalBus, TableSubscription};
