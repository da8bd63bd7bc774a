//! The limits on what clients may do. Connections, requests of each kind, and matches in which only
//! bots play are counted for each address and each user.

mod admission;
mod bot_matches;
mod by_key;
mod client_addr;
mod clock;
mod rate_limits;

use std::fmt;
use std::time::Duration;

pub(crate) use admission::{Admission, DescriptorLimit, Permit};
pub(crate) use bot_matches::{BotMatchPermit, BotMatches};
pub(crate) use client_addr::{BadForwardedFor, TrustedProxies, network_text};
pub(crate) use clock::{DirectLimiter, direct_limiter};
pub(crate) use rate_limits::RateLimits;

use crate::telemetry::metrics::METRICS;

/// The refusal of a request that exceeds a limit, with a sentence for people.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct LimitExceeded {
    message: String,
    /// The time after which the request may be sent again, if it is known.
    pub(crate) retry_after: Option<Duration>,
}

impl LimitExceeded {
    /// Returns the refusal of a request that exceeds this limit, and counts it.
    fn new(limit: &'static str, message: impl fmt::Display) -> Self {
        METRICS.limited.inc(limit);
        Self { message: message.to_string(), retry_after: None }
    }

    fn until(limit: &'static str, message: impl fmt::Display, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..Self::new(limit, message) }
    }
}
