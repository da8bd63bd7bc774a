//! The vacations of players of correspondence matches. The clock of a player on vacation does not run.

use quadrex_protocol::Event;
use quadrex_protocol::view::VacationView;
use quadrex_rules::{ByColor, Color, Timestamp};

/// The end of the vacation of each player who is on vacation.
#[derive(Clone, Debug)]
pub(crate) struct Vacations {
    ends: ByColor<Option<Timestamp>>,
}

impl Vacations {
    /// Returns the vacations at the start of a match: none.
    pub(crate) fn new() -> Self {
        Self { ends: ByColor::from_fn(|_| None) }
    }

    /// Applies an event that begins or ends a vacation. Other events change nothing.
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::VacationStarted { color, until_ms, .. } => {
                self.ends[*color] = Some(Timestamp::from_millis(*until_ms));
            }
            Event::VacationEnded { color } => self.ends[*color] = None,
            _ => {}
        }
    }

    /// Returns the end of a player's vacation, if the player is on vacation.
    pub(crate) fn end(&self, color: Color) -> Option<Timestamp> {
        self.ends[color]
    }

    /// Returns the players on vacation among these colors, in the same order.
    pub(crate) fn among(&self, colors: impl Iterator<Item = Color>) -> Vec<VacationView> {
        let view = |color| Some(VacationView { color, until_ms: self.ends[color]?.as_millis() });
        colors.filter_map(view).collect()
    }
}
