//! Decisions about commands. A `decide` function returns the events of a command, or the reason for
//! which it is refused. It leaves the state unchanged. A `check` function beside it serves the
//! replay of a log. It checks that the same events are possible at their place in the log.

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
mod validate;
