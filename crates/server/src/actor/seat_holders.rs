//! The seat holders of a match in their form in the store.

use std::collections::BTreeMap;

use quadrex_protocol::{Event, UserId};
use quadrex_rules::{Timestamp, Variant};
use quadrex_store::SeatHolder;
use quadrex_table::{self as table, TableState};

/// Returns the seat holders of a match, ordered by the user's id.
#[must_use]
pub fn seat_holders(state: &TableState) -> Vec<SeatHolder> {
    stored(state.terms().settings.variant, table::seat_holders(state))
}

/// Returns the seat holders after these events, if the events change them.
pub(super) fn changed_seat_holders(
    state: &TableState,
    events: &[Event],
    at: Timestamp,
) -> Option<Vec<SeatHolder>> {
    let holders = table::changed_seat_holders(state, events, at)?;
    Some(stored(state.terms().settings.variant, holders))
}

fn stored(variant: Variant, holders: BTreeMap<UserId, bool>) -> Vec<SeatHolder> {
    holders.into_iter().map(|(user, is_playing)| SeatHolder { user, variant, is_playing }).collect()
}
