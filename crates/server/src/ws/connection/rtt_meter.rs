//! Measures the round trips of a line: pings with a random payload that only an honest pong knows.

use std::collections::VecDeque;
use std::time::Duration;

use quadrex_rules::Timestamp;

use crate::table::RoundTrip;

/// How many of the last round trips count; the shortest of them is the line's.
const RECENT: usize = 5;

/// The payload of a ping.
pub(super) type Nonce = [u8; 8];

/// The measuring of one line.
#[derive(Debug)]
pub(super) struct Gauge {
    /// The ping that is on its way, and since when.
    sent: Option<(Nonce, Timestamp)>,
    recent: VecDeque<Duration>,
    /// What others may see of it, once somebody has asked.
    told: Option<RoundTrip>,
}

impl Gauge {
    pub(super) fn new() -> Self {
        Self { sent: None, recent: VecDeque::new(), told: None }
    }

    /// Whether the line has been measured, or is being measured.
    pub(super) fn has_asked(&self) -> bool {
        self.sent.is_some() || !self.recent.is_empty()
    }

    /// A ping with this payload leaves now. One still on its way is given up.
    pub(super) fn ping(&mut self, nonce: Nonce, now: Timestamp) {
        self.sent = Some((nonce, now));
    }

    /// A pong has come. One that answers no ping of ours says nothing.
    pub(super) fn pong(&mut self, payload: &[u8], now: Timestamp) {
        let Some((_, sent)) = self.sent.take_if(|(nonce, _)| nonce == payload) else { return };
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(now.since(sent));
        self.tell();
    }

    /// What others may see of it, now and later.
    pub(super) fn reading(&mut self) -> RoundTrip {
        let told = self.told.get_or_insert_with(RoundTrip::measured).clone();
        self.tell();
        told
    }

    fn tell(&self) {
        if let (Some(told), Some(shortest)) = (&self.told, self.recent.iter().min()) {
            told.tell(*shortest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    /// The shortest of the last five counts: one slow answer, or a slow start, is not the line's lag.
    #[test]
    fn the_shortest_recent_round_trip_counts() {
        let mut gauge = Gauge::new();
        let reading = gauge.reading();
        assert_eq!(reading.now(), Duration::ZERO);
        for (number, (took, shown)) in
            [(200, 200), (40, 40), (90, 40), (300, 40), (80, 40), (70, 40), (60, 60)].into_iter().enumerate()
        {
            let nonce = [u8::try_from(number).unwrap(); 8];
            gauge.ping(nonce, at(1_000));
            gauge.pong(&nonce, at(1_000 + took));
            assert_eq!(reading.now(), Duration::from_millis(shown), "after {took} ms");
        }
    }

    /// Only the answer to the last ping counts, and only once: nobody can make up a pong, or send one early.
    #[test]
    fn a_pong_that_answers_nothing_says_nothing() {
        let mut gauge = Gauge::new();
        let reading = gauge.reading();
        gauge.pong(&[], at(5));
        gauge.ping([1; 8], at(1_000));
        gauge.pong(&[2; 8], at(1_010));
        gauge.ping([3; 8], at(2_000));
        gauge.pong(&[1; 8], at(2_010));
        assert_eq!(reading.now(), Duration::ZERO);
        gauge.pong(&[3; 8], at(2_020));
        gauge.pong(&[3; 8], at(2_900));
        assert_eq!(reading.now(), Duration::from_millis(20));
    }
}
