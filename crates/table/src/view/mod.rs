//! The views and the frames of a table for its viewers.

mod anonymous;
mod export;
pub mod frames;
mod present;
mod seat_holders;
mod table_view;
mod viewer;

pub use anonymous::{hide_names_in_log, hide_seats, hides_names, real_user, shown_summary};
pub use export::{match_view, notation};
pub use present::PresenceView;
pub use seat_holders::{changed_seat_holders, seat_holders};
pub use table_view::{is_outline_of, legal_moves, state_view, status, summary, table_view};
#[cfg(test)]
pub(crate) use viewer::may_move;
pub use viewer::{Viewer, seats_of};
