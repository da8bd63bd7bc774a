//! Limits on what clients may do: connections, requests of a kind, and matches of bots alone, by address and by user.

mod admission;
mod bot_matches;
mod rate_limits;

pub(crate) use admission::{Admission, Descriptors, Permit};
pub(crate) use bot_matches::{Admitted, BotMatches};
pub(crate) use rate_limits::Visitors;
