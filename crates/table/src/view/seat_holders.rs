//! The users of an unfinished match, for queries by user.

use std::collections::BTreeMap;

use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Timestamp;

use super::table_view::playing;
use crate::TableState;

/// Returns the users who hold seats, and the host. The value is true if the match runs and one of
/// the user's seats is still in it. The result is empty if the match has ended.
#[must_use]
pub fn seat_holders(state: &TableState) -> BTreeMap<UserId, bool> {
    if state.phase() == Phase::Ended {
        return BTreeMap::new();
    }
    let mut holders: BTreeMap<UserId, bool> = state.members().into_iter().map(|user| (user, false)).collect();
    holders.extend(playing(state).map(|user| (user, true)));
    holders
}

/// Returns the seat holders after these events, if the events change them. A move costs nothing
/// here.
#[must_use]
pub fn changed_seat_holders(
    state: &TableState,
    events: &[Event],
    at: Timestamp,
) -> Option<BTreeMap<UserId, bool>> {
    if !events.iter().any(may_change) {
        return None;
    }
    let mut after = state.clone();
    events.iter().for_each(|event| after.apply(event, at));
    let holders = seat_holders(&after);
    (holders != seat_holders(state)).then_some(holders)
}

/// Returns whether an event of this kind can change the seat holders.
fn may_change(event: &Event) -> bool {
    match event {
        Event::Opened { .. }
        | Event::Seated { .. }
        | Event::Vacated { .. }
        | Event::HostChanged { .. }
        | Event::Started { .. }
        | Event::Eliminated { .. }
        | Event::Aborted { .. }
        | Event::Ended { .. }
        | Event::Closed { .. } => true,
        // A takeback never goes back behind an elimination.
        Event::TakenBack { .. }
        | Event::Moved { .. }
        | Event::Requested { .. }
        | Event::Agreed { .. }
        | Event::Declined { .. }
        | Event::MessageSent { .. }
        | Event::Paused {}
        | Event::Waiting { .. }
        | Event::VacationStarted { .. }
        | Event::VacationEnded { .. }
        | Event::Resuming { .. }
        | Event::Resumed {}
        | Event::Substituted { .. }
        | Event::Returned { .. }
        | Event::Interrupted { .. }
        | Event::RematchRequested { .. }
        | Event::RematchAgreed { .. }
        | Event::RematchDeclined { .. }
        | Event::Rematched { .. } => false,
    }
}
