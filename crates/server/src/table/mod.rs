//! Tables: where people sit, and the match that is played there.
//!
//! [`TableState`] is pure: it decides what a command brings about and takes in what happened, and
//! is a fold of the match's log. [`Table`] is the actor around it: the only task that writes this
//! match's log. [`TableHandle`] is the way to it. What others are shown is made from the state
//! ([`view`]) and encoded once for all who see the same.

mod acting;
mod actor;
mod attendance;
mod bot;
mod bot_task;
mod changed;
mod chat;
mod closing;
mod command;
mod deadlines;
mod decide;
mod export;
mod frames;
mod handle;
mod history;
mod illegal;
mod kept_away;
mod lag;
mod lot;
mod move_limit;
mod outage;
mod pause;
mod presence;
mod record;
mod rematch;
mod requests;
mod round_trip;
mod seating;
mod settings;
mod stall;
mod state;
pub mod view;

/// What comes over the bus, as watchers and the lobby speak of it.
pub use crate::bus::{Channel, Frame, Frames, Listener, LocalBus, News, Published, Subscription, Viewer};
pub use actor::{Table, Tools};
pub use attendance::Here;
pub use bot::built_in;
pub use bot_task::{Attention, BotRunner, BotTask, BotTaskKind};
pub use changed::ChangedTables;
pub use closing::CloseAfter;
pub use command::{Action, Invitation, Rejection, TableCommand};
pub use deadlines::{Deadline, Timer};
pub use export::{match_view, notation};
pub use frames::encode;
pub use handle::{
    Answer, CommandRequest, Gone, InitialFrames, ResumeFrom, TableHandle, TableOverview, WatchGuard,
};
pub use history::{Fact, History, Misfit, Unreadable};
pub use illegal::Why;
pub use lot::{Origin, make_nonce};
pub use outage::Outage;
pub use presence::{LinkRight, Present, WatchRight, WatcherInfo};
pub use record::{LoadError, facts, replay};
pub use round_trip::RoundTrip;
pub use seating::Seat;
pub use settings::{SettingError, Terms, settle};
pub use state::{Stage, TableState};

#[cfg(test)]
mod tests;
