//! The measurement of a connection's round-trip time. The server sends pings with a random payload.
//! A client cannot answer too early, because it does not know the payload before the ping arrives.

use std::collections::VecDeque;
use std::time::Duration;

use quadrex_rules::Timestamp;

use crate::actor::RttHandle;

/// The number of latest measurements that are kept. The shortest of them is the round-trip time of
/// the connection.
const MEASUREMENTS: usize = 5;

/// The payload of a ping.
pub(super) type Nonce = [u8; 8];

/// The meter of one connection's round-trip time.
#[derive(Debug)]
pub(super) struct RttMeter {
    /// The payload of the ping whose pong is awaited, and the time at which it was sent.
    awaited: Option<(Nonce, Timestamp)>,
    /// The latest measurements.
    measurements: VecDeque<Duration>,
    /// The handle through which the round-trip time is published; `None` until a handle is
    /// requested.
    handle: Option<RttHandle>,
}

impl RttMeter {
    pub(super) fn new() -> Self {
        Self { awaited: None, measurements: VecDeque::new(), handle: None }
    }

    /// Returns whether a ping has been sent.
    pub(super) fn has_pinged(&self) -> bool {
        self.awaited.is_some() || !self.measurements.is_empty()
    }

    /// Records that a ping with this payload is sent at `now`. The pong of an earlier ping is no
    /// longer awaited.
    pub(super) fn ping(&mut self, nonce: Nonce, now: Timestamp) {
        self.awaited = Some((nonce, now));
    }

    /// Records a pong. A pong that was not awaited is ignored.
    pub(super) fn pong(&mut self, payload: &[u8], now: Timestamp) {
        let Some((_, sent_at)) = self.awaited.take_if(|(nonce, _)| nonce == payload) else { return };
        if self.measurements.len() == MEASUREMENTS {
            self.measurements.pop_front();
        }
        self.measurements.push_back(now.since(sent_at));
        self.publish();
    }

    /// Returns a handle that always returns the current round-trip time.
    pub(super) fn handle(&mut self) -> RttHandle {
        let handle = self.handle.get_or_insert_with(RttHandle::new_measured).clone();
        self.publish();
        handle
    }

    fn publish(&self) {
        if let (Some(handle), Some(shortest)) = (&self.handle, self.measurements.iter().min()) {
            handle.publish(*shortest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    /// The shortest of the last five round trips counts, so a single slow answer does not count as
    /// lag of the connection.
    #[test]
    fn the_shortest_recent_round_trip_counts() {
        let mut meter = RttMeter::new();
        let handle = meter.handle();
        assert_eq!(handle.round_trip_time(), Duration::ZERO);
        for (number, (took, expected)) in
            [(200, 200), (40, 40), (90, 40), (300, 40), (80, 40), (70, 40), (60, 60)].into_iter().enumerate()
        {
            let nonce = [u8::try_from(number).unwrap(); 8];
            meter.ping(nonce, at(1_000));
            meter.pong(&nonce, at(1_000 + took));
            assert_eq!(handle.round_trip_time(), Duration::from_millis(expected), "after {took} ms");
        }
    }

    /// Only the answer to the last ping counts, and only once. A client can neither forge a pong
    /// nor send it early.
    #[test]
    fn a_pong_that_answers_no_ping_is_ignored() {
        let mut meter = RttMeter::new();
        let handle = meter.handle();
        meter.pong(&[], at(5));
        meter.ping([1; 8], at(1_000));
        meter.pong(&[2; 8], at(1_010));
        meter.ping([3; 8], at(2_000));
        meter.pong(&[1; 8], at(2_010));
        assert_eq!(handle.round_trip_time(), Duration::ZERO);
        meter.pong(&[3; 8], at(2_020));
        meter.pong(&[3; 8], at(2_900));
        assert_eq!(handle.round_trip_time(), Duration::from_millis(20));
    }
}
