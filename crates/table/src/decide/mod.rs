//! Decisions about commands: each function returns the events of a command, or the reason for its
//! refusal, and leaves the state unchanged. Next to each decision is the check, used in replay, that
//! its events are possible.

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
