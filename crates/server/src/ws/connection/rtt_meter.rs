//! The measurement of a connection's round trips: pings with a random payload that only an honest
//! pong knows.

use std::collections::VecDeque;
use std::time::Duration;

use quadrex_rules::Timestamp;

use crate::actor::RttHandle;

/// The number of recent round trips that count; the shortest of them is the connection's.
const RECENT: usize = 5;

/// The payload of a ping.
pub(super) type Nonce = [u8; 8];

/// The round-trip meter of one connection.
#[derive(Debug)]
pub(super) struct RttMeter {
    /// The ping that is on its way, and the time it was sent.
    sent: Option<(Nonce, Timestamp)>,
    recent: VecDeque<Duration>,
    /// The published measurement, once a handle was requested.
    published: Option<RttHandle>,
}

impl RttMeter {
    pub(super) fn new() -> Self {
        Self { sent: None, recent: VecDeque::new(), published: None }
    }

    /// Returns whether the connection has been measured, or is being measured.
    pub(super) fn has_pinged(&self) -> bool {
        self.sent.is_some() || !self.recent.is_empty()
    }

    /// Records that a ping with this payload is sent now. A previous one still on its way is
    /// dropped.
    pub(super) fn ping(&mut self, nonce: Nonce, now: Timestamp) {
        self.sent = Some((nonce, now));
    }

    /// Records a pong. One that answers no ping of ours is ignored.
    pub(super) fn pong(&mut self, payload: &[u8], now: Timestamp) {
        let Some((_, sent)) = self.sent.take_if(|(nonce, _)| nonce == payload) else { return };
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(now.since(sent));
        self.publish();
    }

    /// Returns a handle to the measurement, now and later.
    pub(super) fn handle(&mut self) -> RttHandle {
        let handle = self.published.get_or_insert_with(RttHandle::measured).clone();
        self.publish();
        handle
    }

    fn publish(&self) {
        if let (Some(published), Some(shortest)) = (&self.published, self.recent.iter().min()) {
            published.publish(*shortest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    /// The shortest of the last five counts: one slow answer, or a slow start, is not the
    /// connection's lag.
    #[test]
    fn the_shortest_recent_round_trip_counts() {
        let mut meter = RttMeter::new();
        let handle = meter.handle();
        assert_eq!(handle.last(), Duration::ZERO);
        for (number, (took, expected)) in
            [(200, 200), (40, 40), (90, 40), (300, 40), (80, 40), (70, 40), (60, 60)].into_iter().enumerate()
        {
            let nonce = [u8::try_from(number).unwrap(); 8];
            meter.ping(nonce, at(1_000));
            meter.pong(&nonce, at(1_000 + took));
            assert_eq!(handle.last(), Duration::from_millis(expected), "after {took} ms");
        }
    }

    /// Only the answer to the last ping counts, and only once: a client can neither forge a pong
    /// nor send one early.
    #[test]
    fn a_pong_that_answers_no_ping_is_ignored() {
        let mut meter = RttMeter::new();
        let handle = meter.handle();
        meter.pong(&[], at(5));
        meter.ping([1; 8], at(1_000));
        meter.pong(&[2; 8], at(1_010));
        meter.ping([3; 8], at(2_000));
        meter.pong(&[1; 8], at(2_010));
        assert_eq!(handle.last(), Duration::ZERO);
        meter.pong(&[3; 8], at(2_020));
        meter.pong(&[3; 8], at(2_900));
        assert_eq!(handle.last(), Duration::from_millis(20));
    }
}
