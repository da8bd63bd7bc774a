//! The actors of tables: the only writers of their matches' logs.
//!
//! A [`TableActor`] owns a match and its log. Other tasks send messages through a [`TableHandle`]
//! to the table's [`TableEndpoint`], which the actor serves, and which outlives the actor. A
//! connection makes a [`CommandRequest`] from a client's frame, and this value is passed on
//! unchanged until it is in the log. The crate `quadrex-table` decides the events of a command, and
//! the actor publishes the events on the [`bus`](crate::bus).

mod bot_notifier;
mod changed_tables;
mod claims;
mod commits;
mod conditional_moves;
mod endpoint;
mod followers;
mod handle;
mod hibernation;
mod load;
mod match_log;
mod outages;
mod proxy;
mod publications;
mod random_nonce;
mod restart;
mod rtt_handle;
mod seat_check;
mod seat_holders;
mod stall;
mod started_turns;
mod table_actor;
mod table_overview;
mod timers;
mod vacations;
mod watcher_list;
mod watching;

pub use bot_notifier::BotRunner;
pub use changed_tables::ChangedTables;
pub use conditional_moves::CONDITIONAL_COMMAND;
pub use endpoint::{ServeEnd, Served, TableEndpoint};
pub use handle::{
    ActorGone, Answer, CommandRequest, InitialFrames, NodeMessage, ResumeFrom, TableHandle, WatchGuard,
};
pub use hibernation::MIN_HIBERNATION;
pub use load::{LoadError, read_log, replay};
pub use outages::OutageRecord;
pub use proxy::ProxyServer;
pub use random_nonce::random_nonce;
pub use rtt_handle::RttHandle;
pub use seat_holders::seat_holders;
pub use started_turns::{StartedTurn, StartedTurns};
pub use table_actor::{TableActor, TableDeps};
pub use table_overview::TableOverview;
pub use watcher_list::{AccessLink, WatchRight, Watcher};
