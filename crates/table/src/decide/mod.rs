//! Decisions about commands. A `decide` function returns the events of a command, or the reason for
//! which the command is refused. The function does not change the state. A `check` function is used
//! when a log is replayed. It checks that an event is possible at its place in the log.

mod absence;
mod bots;
mod chat;
mod closing;
mod command;
mod moves;
mod outages;
mod rematch;
mod requests;
mod seat_selection;
mod seats;
mod start;
mod suspensions;
mod timers;
mod vacations;
mod validate;

pub use vacations::Vacation;
