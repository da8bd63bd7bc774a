//! The bus, which publishes what happens at a table to the connections that watch it.
//!
//! An event is published only after the log has it. Presence is published too, although no log has
//! it. A subscriber that needs all events subscribes first and then reads the log. It drops the
//! events whose numbers it has read already.

mod channel;
mod frame;
mod local;

pub use channel::{Channel, Listener, Subscription};
pub use frame::{Frame, Frames, Publication, PublicationKind};
pub use local::{LocalBus, TableSubscription};
