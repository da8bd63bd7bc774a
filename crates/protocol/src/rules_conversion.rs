//! Conversions between wire types and the corresponding types of the rules crate.

use std::time::Duration;

use quadrex_rules::{GameEvent, Places, TimeControl};

use crate::event::Event;
use crate::settings::TimeSetting;

/// A day of a correspondence match.
const DAY: Duration = Duration::from_secs(86_400);

impl Event {
    /// Returns the log event for an event of the rules.
    #[must_use]
    pub fn from_rules(event: GameEvent) -> Self {
        match event {
            GameEvent::Moved { color, mv, left_ms } => {
                Self::Moved { color, mv, left_ms, away_ms: 0, lag_ms: 0 }
            }
            GameEvent::Eliminated { color, cause, by } => Self::Eliminated { color, cause, by },
            GameEvent::Requested { request, color } => Self::Requested { request, color },
            GameEvent::Agreed { request, color } => Self::Agreed { request, color },
            GameEvent::Declined { request, color } => Self::Declined { request, color },
            GameEvent::TakenBack { plies, left_ms } => Self::TakenBack { plies, left_ms, away_ms: 0 },
            GameEvent::Aborted { cause } => Self::Aborted { cause },
            GameEvent::Ended { reason, places } => Self::Ended { reason, places: places.iter().collect() },
        }
    }

    /// Returns the corresponding event of the rules, or `None` if the rules have no such event.
    #[must_use]
    pub fn to_rules(&self) -> Option<GameEvent> {
        Some(match self {
            Self::Moved { color, mv, left_ms, .. } => {
                GameEvent::Moved { color: *color, mv: *mv, left_ms: *left_ms }
            }
            Self::Eliminated { color, cause, by } => {
                GameEvent::Eliminated { color: *color, cause: *cause, by: by.clone() }
            }
            Self::Requested { request, color } => GameEvent::Requested { request: *request, color: *color },
            Self::Agreed { request, color } => GameEvent::Agreed { request: *request, color: *color },
            Self::Declined { request, color } => GameEvent::Declined { request: *request, color: *color },
            Self::TakenBack { plies, left_ms, .. } => {
                GameEvent::TakenBack { plies: *plies, left_ms: *left_ms }
            }
            Self::Aborted { cause } => GameEvent::Aborted { cause: *cause },
            Self::Ended { reason, places } => {
                let places = Places::new(places.iter().map(|(color, place)| (*color, *place)).collect());
                GameEvent::Ended { reason: *reason, places }
            }
            Self::Opened { .. }
            | Self::Seated { .. }
            | Self::Vacated { .. }
            | Self::HostChanged { .. }
            | Self::Started { .. }
            | Self::MessageSent { .. }
            | Self::Interrupted { .. }
            | Self::VacationStarted { .. }
            | Self::VacationEnded { .. }
            | Self::Paused {}
            | Self::Waiting { .. }
            | Self::Resuming { .. }
            | Self::Resumed {}
            | Self::Substituted { .. }
            | Self::Returned { .. }
            | Self::RematchRequested { .. }
            | Self::RematchAgreed { .. }
            | Self::RematchDeclined { .. }
            | Self::Rematched { .. }
            | Self::Closed { .. } => return None,
        })
    }
}

impl TimeSetting {
    /// Returns the time control of the rules.
    #[must_use]
    pub fn to_rules(self) -> TimeControl {
        let ms = Duration::from_millis;
        match self {
            Self::None => TimeControl::None,
            Self::Fischer { base_ms, increment_ms } => {
                TimeControl::Fischer { base: ms(base_ms), increment: ms(increment_ms) }
            }
            Self::Delay { base_ms, delay_ms } => {
                TimeControl::Delay { base: ms(base_ms), delay: ms(delay_ms) }
            }
            Self::Correspondence { days } => TimeControl::Correspondence { per_turn: DAY * u32::from(days) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_setting_converts_to_the_same_time_control() {
        let ms = Duration::from_millis;
        assert_eq!(TimeSetting::None.to_rules(), TimeControl::None);
        assert_eq!(
            TimeSetting::Fischer { base_ms: 60_000, increment_ms: 2_000 }.to_rules(),
            TimeControl::Fischer { base: ms(60_000), increment: ms(2_000) }
        );
        assert_eq!(
            TimeSetting::Delay { base_ms: 60_000, delay_ms: 2_000 }.to_rules(),
            TimeControl::Delay { base: ms(60_000), delay: ms(2_000) }
        );
        assert_eq!(
            TimeSetting::Correspondence { days: 3 }.to_rules(),
            TimeControl::Correspondence { per_turn: Duration::from_secs(259_200) }
        );
    }
}
