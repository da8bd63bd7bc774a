//! The rate limit on the frames of a connection.

use governor::Quota;
use quadrex_protocol::RefusalCode;

use crate::config::LimitsConfig;
use crate::http::Refusal;
use crate::limits::{DirectLimiter, direct_limiter};
use crate::telemetry::metrics::METRICS;

/// The rate limit on the frames of one connection. Seated players may send more than spectators.
#[derive(Debug)]
pub(super) struct RateLimit {
    player_quota: Quota,
    limiter: DirectLimiter,
    is_player: bool,
}

impl RateLimit {
    /// Returns the rate limit of a connection without a seat.
    pub(super) fn new(limits: &LimitsConfig) -> Self {
        let watcher_quota = Quota::per_second(limits.watcher_per_second).allow_burst(limits.watcher_burst);
        let player_quota = Quota::per_second(limits.player_per_second).allow_burst(limits.player_burst);
        Self { player_quota, limiter: direct_limiter(watcher_quota), is_player: false }
    }

    /// Applies the limit for players from now on, because the connection's user has a seat.
    pub(super) fn use_player_limit(&mut self) {
        if !self.is_player {
            self.is_player = true;
            self.limiter = direct_limiter(self.player_quota);
        }
    }

    /// Counts a frame. Returns a refusal if the client has sent too many frames.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.limiter.check().map_err(|_| {
            METRICS.limited.inc("frames");
            Refusal::new(RefusalCode::RateLimited, "too many frames; wait a moment and send it again")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_may_send_more_at_once_than_spectators() {
        let config = crate::config::Config::load(None, [], &crate::config::Flags::default()).unwrap();
        let mut limit = RateLimit::new(&config.limits);
        let burst = |limit: &RateLimit| (0..1_000).take_while(|_| limit.check().is_ok()).count();
        let watching = burst(&limit);
        assert!((20..30).contains(&watching), "{watching} frames at once");
        limit.use_player_limit();
        let sitting = burst(&limit);
        assert!((30..45).contains(&sitting), "{sitting} frames at once");
        assert_eq!(limit.check().unwrap_err().code, RefusalCode::RateLimited);
    }
}
