//! Decisions: the events that a command causes, or the reason for which it is refused. They change
//! nothing. Beside each decision is the check that a logged event of its kind can occur.

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
