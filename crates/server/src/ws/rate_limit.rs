//! How fast one line may send frames.

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use quadrex_protocol::RefusalCode;

use crate::config::LimitsConfig;
use crate::http::Refusal;

/// Counts the frames of one line. Who sits may send more than who only watches.
#[derive(Debug)]
pub(super) struct Pace {
    player: Quota,
    limiter: DefaultDirectRateLimiter,
    sits: bool,
}

impl Pace {
    /// The pace of a line that nobody has sat down on yet.
    pub(super) fn new(limits: &LimitsConfig) -> Self {
        let watcher = Quota::per_second(limits.watcher_per_second).allow_burst(limits.watcher_burst);
        let player = Quota::per_second(limits.player_per_second).allow_burst(limits.player_burst);
        Self { player, limiter: RateLimiter::direct(watcher), sits: false }
    }

    /// The line's user holds a seat: from now on it goes by the players' pace.
    pub(super) fn sit(&mut self) {
        if !self.sits {
            self.sits = true;
            self.limiter = RateLimiter::direct(self.player);
        }
    }

    /// Counts a frame; refused if there were too many.
    pub(super) fn step(&self) -> Result<(), Refusal> {
        self.limiter.check().map_err(|_| {
            Refusal::new(RefusalCode::RateLimited, "too many frames; wait a moment and send it again")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sits_may_send_more_at_once_than_who_watches() {
        let config = crate::config::Config::load(None, [], &crate::config::Flags::default()).unwrap();
        let mut pace = Pace::new(&config.limits);
        let burst = |pace: &Pace| (0..1_000).take_while(|_| pace.step().is_ok()).count();
        let watching = burst(&pace);
        assert!((20..30).contains(&watching), "{watching} frames at once");
        pace.sit();
        let sitting = burst(&pace);
        assert!((30..45).contains(&sitting), "{sitting} frames at once");
        assert_eq!(pace.step().unwrap_err().code, RefusalCode::RateLimited);
    }
}
