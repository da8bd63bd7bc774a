//! Time controls and the clocks of a match.

use core::time::Duration;

use crate::color::{ByColor, Color};
use crate::timestamp::Timestamp;

/// How thinking time is given. All durations count in whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)
)]
pub enum TimeControl {
    /// No clocks.
    None,
    /// A budget, and an increment after each own move.
    Fischer {
        /// The budget at the start.
        #[cfg_attr(feature = "serde", serde(rename = "base_ms", with = "millis"))]
        base: Duration,
        /// Added after each own move.
        #[cfg_attr(feature = "serde", serde(rename = "increment_ms", with = "millis"))]
        increment: Duration,
    },
    /// A budget that starts to run only after a delay on each own turn.
    Delay {
        /// The budget at the start.
        #[cfg_attr(feature = "serde", serde(rename = "base_ms", with = "millis"))]
        base: Duration,
        /// Free time on each own turn; what is not used is lost.
        #[cfg_attr(feature = "serde", serde(rename = "delay_ms", with = "millis"))]
        delay: Duration,
    },
}

/// Durations as whole milliseconds.
#[cfg(feature = "serde")]
mod millis {
    use core::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        super::whole_millis(*duration).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

impl TimeControl {
    /// The time each player starts with; none without clocks.
    #[must_use]
    pub const fn base(self) -> Option<Duration> {
        match self {
            Self::None => None,
            Self::Fischer { base, .. } | Self::Delay { base, .. } => Some(base),
        }
    }

    /// Free time before the budget runs.
    const fn delay(self) -> Duration {
        match self {
            Self::None | Self::Fischer { .. } => Duration::ZERO,
            Self::Delay { delay, .. } => delay,
        }
    }

    /// What a finished move adds.
    const fn increment(self) -> Duration {
        match self {
            Self::None | Self::Delay { .. } => Duration::ZERO,
            Self::Fischer { increment, .. } => increment,
        }
    }
}

/// Everybody's remaining time, and whose clock runs since when.
///
/// Without clocks there is still a player whose turn runs, but no times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    left: ByColor<Duration>,
    running: Option<(Color, Timestamp)>,
}

impl Clocks {
    /// Full clocks, with `color`'s running from `since`.
    pub(super) fn start(control: TimeControl, color: Color, since: Timestamp) -> Self {
        let base = control.base().unwrap_or_default();
        Self { control, left: ByColor::from_fn(|_| base), running: Some((color, since)) }
    }

    /// Whose clock runs: the player to move, until the match ends. `None` without clocks.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.control.base()?;
        self.running.map(|(color, _)| color)
    }

    /// The time `color` has left at `now`. `None` without clocks.
    #[must_use]
    pub fn remaining(&self, color: Color, now: Timestamp) -> Option<Duration> {
        self.control.base()?;
        let left = self.left[color];
        Some(match self.running {
            Some((running, since)) if running == color => {
                left.saturating_sub(now.since(since).saturating_sub(self.control.delay()))
            }
            _ => left,
        })
    }

    /// When the running clock falls if nothing happens before. `None` without clocks or after the end.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        self.control.base()?;
        let (color, since) = self.running?;
        Some(since + self.control.delay() + self.left[color])
    }

    /// Whose time is up at `now`.
    pub(super) fn fallen(&self, now: Timestamp) -> Option<Color> {
        (now >= self.deadline()?).then(|| self.running())?
    }

    /// What `color`, whose clock runs, has after moving at `now`, in milliseconds. `None` without clocks.
    pub(super) fn after_move(&self, color: Color, now: Timestamp) -> Option<u64> {
        let left = self.remaining(color, now)?;
        Some(whole_millis(left.saturating_add(self.control.increment())))
    }

    /// What the player whose clock runs has left at `now`, in milliseconds. `None` without clocks.
    pub(super) fn left_of_running(&self, now: Timestamp) -> Option<u64> {
        self.remaining(self.running()?, now).map(whole_millis)
    }

    /// Sets the running player's time as recorded and stops its clock.
    pub(super) fn settle(&mut self, left_ms: Option<u64>) {
        if let (Some((color, _)), Some(left_ms)) = (self.running.take(), left_ms) {
            self.left[color] = Duration::from_millis(left_ms);
        }
    }

    /// Lets `color`'s clock run from `since`; whoever's ran until then pays for it.
    pub(super) fn run(&mut self, color: Color, since: Timestamp) {
        self.charge(since);
        self.running = Some((color, since));
    }

    /// The player whose clock runs pays up to `until`.
    pub(super) fn charge(&mut self, until: Timestamp) {
        if let Some((color, since)) = self.running
            && let Some(left) = self.remaining(color, until)
        {
            self.left[color] = left;
            self.running = Some((color, since.max(until)));
        }
    }

    /// Stops the clocks for good.
    pub(super) fn stop(&mut self, at: Timestamp) {
        self.charge(at);
        self.running = None;
    }

    /// The running clock's time counts from `at` on only.
    pub(super) fn restart(&mut self, at: Timestamp) {
        if let Some((_, since)) = &mut self.running {
            *since = at;
        }
    }
}

fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
