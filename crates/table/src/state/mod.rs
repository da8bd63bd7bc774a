//! The state of a table, which follows from the log of its match. Each part of the state is a type
//! that guarantees its own invariants.

mod apply;
mod attendance;
mod chat;
mod deadlines;
mod lag;
mod move_timer;
mod players;
mod rematch;
mod seating;
mod suspension;
mod table_identity;
mod table_state;
mod terms;
mod vacations;

pub use attendance::ConnectedPlayer;
pub(crate) use rematch::OpenRematch;
pub use seating::Seat;
pub(crate) use suspension::Suspension;
pub use table_identity::TableIdentity;
pub use table_state::{Stage, TableState};
pub use terms::MatchTerms;
