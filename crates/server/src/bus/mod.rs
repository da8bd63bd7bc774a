//! The bus, which publishes events and presence of a table to the connections that watch the table.
//!
//! An event is published only after it was appended to the log. Presence is published too, but is
//! not in the log. A subscriber that needs all events first subscribes and then reads the log. Of
//! the published events it ignores those that it has read in the log already.

mod channel;
mod frame;
mod local;

pub use channel::{Channel, Listener, Subscription};
pub use frame::{Frame, Frames, Publication, PublicationKind};
pub use local::{LocalBus, TableSubscription};
