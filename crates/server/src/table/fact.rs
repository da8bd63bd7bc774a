//! The rules' events as facts of the log, and back.

use quadrex_protocol::Event;
use quadrex_rules::{GameEvent, Places};

/// What the rules decided, as a fact for the log.
pub(super) fn from_rules(event: GameEvent) -> Event {
    match event {
        GameEvent::Moved { color, mv, left_ms } => Event::Moved { color, mv, left_ms, away_ms: 0, lag_ms: 0 },
        GameEvent::Eliminated { color, cause, by } => Event::Eliminated { color, cause, by },
        GameEvent::Requested { request, color } => Event::Requested { request, color },
        GameEvent::Agreed { request, color } => Event::Agreed { request, color },
        GameEvent::Declined { request, color } => Event::Declined { request, color },
        GameEvent::TakenBack { plies, left_ms } => Event::TakenBack { plies, left_ms },
        GameEvent::Aborted { cause } => Event::Aborted { cause },
        GameEvent::Ended { reason, places } => Event::Ended { reason, places: places.iter().collect() },
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
        | Event::Said { .. }
        | Event::Interrupted { .. }
        | Event::Paused {}
        | Event::Waiting { .. }
        | Event::Resuming { .. }
        | Event::Resumed {}
        | Event::RematchAsked { .. }
        | Event::RematchAgreed { .. }
        | Event::RematchDeclined { .. }
        | Event::Rematched { .. }
        | Event::Closed {} => None,
        Event::Moved { color, mv, left_ms, .. } => {
            Some(GameEvent::Moved { color: *color, mv: *mv, left_ms: *left_ms })
        }
        Event::Eliminated { color, cause, by } => {
            Some(GameEvent::Eliminated { color: *color, cause: *cause, by: by.clone() })
        }
        Event::Requested { request, color } => {
            Some(GameEvent::Requested { request: *request, color: *color })
        }
        Event::Agreed { request, color } => Some(GameEvent::Agreed { request: *request, color: *color }),
        Event::Declined { request, color } => Some(GameEvent::Declined { request: *request, color: *color }),
        Event::TakenBack { plies, left_ms } => {
            Some(GameEvent::TakenBack { plies: *plies, left_ms: *left_ms })
        }
        Event::Aborted { cause } => Some(GameEvent::Aborted { cause: *cause }),
        Event::Ended { reason, places } => Some(GameEvent::Ended {
            reason: *reason,
            places: Places::new(places.iter().map(|(&color, &place)| (color, place)).collect()),
        }),
    }
}
