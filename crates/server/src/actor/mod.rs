//! The actors of tables: the only writers of their matches' logs.
//!
//! [`TableActor`] owns a match and its log; [`TableHandle`] is the way to it. A command travels as one
//! [`CommandRequest`] from the connection's frame to the log. The state and its decisions are the crate
//! `quadrex-table`; what it shows is published on the [`bus`](crate::bus).

mod bot_notifier;
mod changed_tables;
mod handle;
mod load;
mod nonce;
mod presence;
mod publications;
mod record;
mod rtt_handle;
mod stall;
mod table_actor;
mod watchers;

pub use bot_notifier::BotRunner;
pub use changed_tables::ChangedTables;
pub use handle::{
    Answer, CommandRequest, Gone, InitialFrames, ResumeFrom, TableHandle, TableOverview, WatchGuard,
};
pub use load::{LoadError, facts, replay};
pub use nonce::make_nonce;
pub use presence::{LinkRight, WatchRight, WatcherInfo};
pub use rtt_handle::RttHandle;
pub use table_actor::{TableActor, TableDeps};
