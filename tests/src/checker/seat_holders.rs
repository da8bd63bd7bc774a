//! Comparison of the stored seat holders of a match with its log.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Game;
use quadrex_store::{LoggedEvent, SeatHolder};

use super::Violation;
use crate::referee::Referee;

/// Compares the stored seat holders of a match with those that follow from its log. Reports nothing
/// if the log cannot be replayed, because that is a violation itself.
pub fn check_seat_holders(log: &[LoggedEvent], stored: &[SeatHolder]) -> Option<Violation> {
    let expected = expected_holders(log).ok()?;
    let stored: BTreeMap<UserId, (&str, bool)> =
        stored.iter().map(|holder| (holder.user, (holder.variant.name(), holder.is_playing))).collect();
    if stored == expected {
        return None;
    }
    Some(Violation::SeatHolders { expected: format!("{expected:?}"), stored: format!("{stored:?}") })
}

/// Returns the seat holders and the host of an unfinished match, each with the variant and whether
/// the user is still in the running match. An ended match has none.
fn expected_holders(log: &[LoggedEvent]) -> Result<BTreeMap<UserId, (&'static str, bool)>> {
    let mut referee = Referee::default();
    let (mut host, mut variant) = (None, None);
    for row in log {
        referee.observe(row.seq, row.at.as_millis(), &row.event)?;
        match &row.event {
            Event::Opened { settings, host: first, .. } => {
                (host, variant) = (Some(first.id), Some(settings.variant.name()));
            }
            Event::HostChanged { host: next } => host = Some(next.id),
            _ => {}
        }
    }
    let game = referee.game();
    if referee.is_closed() || game.is_some_and(Game::is_over) {
        return Ok(BTreeMap::new());
    }
    let variant = variant.context("the log begins with opened")?;
    let mut holders: BTreeMap<UserId, (&str, bool)> =
        host.into_iter().map(|host| (host, (variant, false))).collect();
    for (color, user) in referee.seats() {
        let is_in = game.is_some_and(|game| game.position().active_players().any(|player| player == *color));
        holders.entry(user.parse()?).or_insert((variant, false)).1 |= is_in;
    }
    Ok(holders)
}
