//! The rules' events as facts of the log, and back.

use quadrex_protocol::Event;
use quadrex_rules::{GameEvent, Places};

/// What the rules decided, as a fact for the log.
///
/// # Panics
/// On an event of a takeback: no table asks the rules for one.
pub(super) fn from_rules(event: GameEvent) -> Event {
    match event {
        GameEvent::Moved { color, mv, left_ms } => Event::Moved { color, mv, left_ms },
        GameEvent::Eliminated { color, cause, by } => Event::Eliminated { color, cause, by },
        GameEvent::DrawOffered { color } => Event::DrawOffered { color },
        GameEvent::DrawAccepted { color } => Event::DrawAccepted { color },
        GameEvent::DrawDeclined { color } => Event::DrawDeclined { color },
        GameEvent::Ended { reason, places } => Event::Ended { reason, places: places.iter().collect() },
        GameEvent::TakebackRequested { .. }
        | GameEvent::TakebackAccepted { .. }
        | GameEvent::TakebackDeclined { .. }
        | GameEvent::TakenBack { .. } => unreachable!("no table asks for a takeback"),
    }
}

/// A fact of the log as the rules' event; `None` for those that only concern the table.
pub(super) fn to_rules(event: &Event) -> Option<GameEvent> {
    match event {
        Event::Opened { .. }
        | Event::Seated { .. }
        | Event::Vacated { .. }
        | Event::HostPassed { .. }
        | Event::Started { .. }
        | Event::Closed {} => None,
        Event::Moved { color, mv, left_ms } => {
            Some(GameEvent::Moved { color: *color, mv: *mv, left_ms: *left_ms })
        }
        Event::Eliminated { color, cause, by } => {
            Some(GameEvent::Eliminated { color: *color, cause: *cause, by: by.clone() })
        }
        Event::DrawOffered { color } => Some(GameEvent::DrawOffered { color: *color }),
        Event::DrawAccepted { color } => Some(GameEvent::DrawAccepted { color: *color }),
        Event::DrawDeclined { color } => Some(GameEvent::DrawDeclined { color: *color }),
        Event::Ended { reason, places } => Some(GameEvent::Ended {
            reason: *reason,
            places: Places::new(places.iter().map(|(&color, &place)| (color, place)).collect()),
        }),
    }
}
