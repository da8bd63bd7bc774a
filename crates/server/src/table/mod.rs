//! Tables: where people sit, and the match that is played there.
//!
//! [`TableState`] is pure: it decides what a command brings about and takes in what happened, and is a fold of the
//! match's log. [`Table`] is the actor around it: the only task that writes this match's log. [`TableHandle`] is the
//! way to it. What others are shown is made from the state ([`view`]) and encoded once for all who see the same.

mod acting;
mod actor;
mod attendance;
mod bot;
mod changed;
mod chat;
mod closing;
mod command;
mod deadlines;
mod decide;
mod downtime;
mod duty;
mod frames;
mod freeze;
mod handle;
mod history;
mod illegal;
mod kept_away;
mod lag;
mod lot;
mod move_limit;
mod presence;
mod record;
mod rematch;
mod requests;
mod round_trip;
mod seating;
mod settings;
mod state;
mod stuck;
mod told;
pub mod view;

/// What comes over the bus, as watchers and the lobby speak of it.
pub use crate::bus::{Channel, Frame, Frames, Listener, LocalBus, News, Place, Published, Viewer};
pub use actor::{Table, Tools};
pub use attendance::Here;
pub use bot::built_in;
pub use changed::ChangedTables;
pub use closing::CloseAfter;
pub use command::{Action, Invitation, Rejection, TableCommand};
pub use deadlines::{Deadline, Timer};
pub use downtime::Downtime;
pub use duty::{Attention, Duty, Errand, Steward};
pub use frames::encode;
pub use handle::{Answer, From, Glance, Gone, Order, Shown, TableHandle, Watching};
pub use history::{Fact, History, Misfit, Unreadable};
pub use illegal::Why;
pub use lot::{Origin, make_nonce};
pub use presence::{LinkRight, Present, Sight, Visitor};
pub use record::{LoadError, facts, replay};
pub use round_trip::RoundTrip;
pub use seating::Seat;
pub use settings::{SettingError, Terms, settle};
pub use state::{Stage, TableState};
pub use told::{match_view, notation};

#[cfg(test)]
mod tests;
