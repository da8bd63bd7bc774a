//! The pauses between attempts to connect.

use std::time::Duration;

use quadrex_clock::Entropy;

/// The first pause. Each further pause is twice as long.
const MIN_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause. After a connection that lasted longer than this, the next pause is
/// [`MIN_PAUSE`] again.
pub(crate) const MAX_PAUSE: Duration = Duration::from_secs(30);

/// An exponential backoff with random pauses.
#[derive(Debug)]
pub(crate) struct Backoff {
    /// The average of the next pause.
    pause: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { pause: MIN_PAUSE }
    }
}

impl Backoff {
    /// Records the end of a connection, and returns the pause before the next attempt.
    pub(crate) fn disconnected(&mut self, lasted: Duration, entropy: &Entropy) -> Duration {
        if lasted > MAX_PAUSE {
            self.pause = MIN_PAUSE;
        }
        self.random_pause(entropy)
    }

    /// Records a failed attempt, and returns the pause before the next attempt.
    pub(crate) fn failed(&mut self, entropy: &Entropy) -> Duration {
        self.pause = (self.pause * 2).min(MAX_PAUSE);
        self.random_pause(entropy)
    }

    /// Returns a random pause between 0.5 and 1.5 times the average, so that many clients do not
    /// reconnect at the same time.
    fn random_pause(&self, entropy: &Entropy) -> Duration {
        let [byte] = entropy.bytes::<1>();
        self.pause.mul_f64(0.5 + f64::from(byte) / 255.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_maximum_and_a_long_connection_resets_them() {
        let entropy = Entropy::seeded(1);
        let mut backoff = Backoff::default();
        let is_about = |pause: Duration, of: Duration| (of / 2..=of * 3 / 2).contains(&pause);
        assert!(is_about(backoff.disconnected(Duration::ZERO, &entropy), MIN_PAUSE));
        assert!(is_about(backoff.failed(&entropy), MIN_PAUSE * 2));
        assert!(is_about(backoff.failed(&entropy), MIN_PAUSE * 4));
        for _ in 0..10 {
            backoff.failed(&entropy);
        }
        assert_eq!(backoff.pause, MAX_PAUSE);
        backoff.disconnected(MAX_PAUSE, &entropy);
        assert_eq!(backoff.pause, MAX_PAUSE, "the connection was short");
        backoff.disconnected(MAX_PAUSE * 2, &entropy);
        assert_eq!(backoff.pause, MIN_PAUSE);
    }
}
