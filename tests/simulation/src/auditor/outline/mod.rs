//! The logs of a table, and its outline that follows from them.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Phase, SeatView};
use quadrex_protocol::{Event, MatchId, TableId, UserId};
use quadrex_rules::Color;
use quadrex_store::{LoggedEvent, Store};

/// The logs of all matches of a table, in their order.
#[derive(Debug)]
pub(super) struct TableLogs {
    pub(super) table: TableId,
    pub(super) matches: Vec<(MatchId, Vec<LoggedEvent>)>,
}

/// The facts about a table that lists show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    pub(super) match_id: MatchId,
    pub(super) is_public: bool,
    pub(super) phase: Phase,
    pub(super) host: UserId,
    pub(super) seats: BTreeMap<Color, UserId>,
    /// True if a person holds a seat.
    pub(super) has_people: bool,
}

impl TableLogs {
    /// Reads the logs of a table.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(super) async fn read(store: &Store, table: TableId, matches: &[MatchId]) -> Result<Self> {
        let mut logs = Vec::new();
        for match_id in matches {
            let log = store.events(*match_id, 0).await.with_context(|| format!("reading {match_id}"))?;
            logs.push((*match_id, log));
        }
        Ok(Self { table, matches: logs })
    }

    /// Returns the outline of the last match.
    pub(super) fn outline(&self) -> Option<Outline> {
        let (match_id, log) = self.matches.last()?;
        let Some(Event::Opened { settings, host, .. }) = log.first().map(|row| &row.event) else {
            return None;
        };
        let mut holders = BTreeMap::new();
        let (mut host, mut phase) = (host.id, Phase::Open);
        for row in log {
            apply_seats(&mut holders, &row.event);
            match &row.event {
                Event::HostChanged { host: next } => host = next.id,
                Event::Started { .. } => phase = Phase::Running,
                Event::Ended { .. } | Event::Aborted { .. } | Event::Closed { .. } => phase = Phase::Ended,
                _ => {}
            }
        }
        Some(Outline {
            match_id: *match_id,
            is_public: settings.privacy == Privacy::Public,
            phase,
            host,
            has_people: holders.values().any(|user| user.bot.is_none()),
            seats: holders.into_iter().map(|(color, user)| (color, user.id)).collect(),
        })
    }

    /// Returns the number of the last event of the last match that could change its outline. An outline
    /// may change, and then be the same as before.
    pub(super) fn last_change(&self) -> Option<u64> {
        let changes = |event: &Event| {
            !matches!(event, Event::Moved { .. } | Event::MessageSent { .. } | Event::Interrupted { .. })
        };
        let (_, log) = self.matches.last()?;
        log.iter().rfind(|row| changes(&row.event)).map(|row| row.seq)
    }

    /// Returns what is wrong about rematches: the log of a match names exactly the one next match, which
    /// has the same players.
    pub(super) fn check_rematches(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (index, (match_id, log)) in self.matches.iter().enumerate() {
            let named: Vec<MatchId> = log
                .iter()
                .filter_map(|row| match row.event {
                    Event::Rematched { match_id } => Some(match_id),
                    _ => None,
                })
                .collect();
            let next = self.matches.get(index + 1);
            let followers: Vec<MatchId> = next.iter().map(|(next, _)| *next).collect();
            if named != followers {
                wrong.push(format!(
                    "{match_id} names the next matches {named:?}, but there are {followers:?}"
                ));
            }
            if let Some((next, next_log)) = next {
                if let Some(Event::Opened { previous, .. }) = next_log.first().map(|row| &row.event)
                    && *previous != Some(*match_id)
                {
                    wrong.push(format!("{next} follows {previous:?}, and not {match_id}"));
                }
                if players(log) != players(next_log) {
                    wrong.push(format!("{next} has other players than {match_id} before it"));
                }
            }
        }
        wrong
    }

    /// Returns what is wrong about the hosts: when a host leaves the table, a seated person becomes the
    /// host.
    pub(super) fn check_hosts(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (match_id, log) in &self.matches {
            let mut holders = BTreeMap::new();
            let mut host = None;
            for (index, row) in log.iter().enumerate() {
                match &row.event {
                    Event::Opened { host: first, .. } => host = Some(first.id),
                    Event::HostChanged { host: next } => host = Some(next.id),
                    Event::Seated { color, user, .. } => drop(holders.insert(*color, user.clone())),
                    Event::Vacated { color, reason } => {
                        let Some(left) = holders.remove(color) else { continue };
                        let has_left = *reason == VacateReason::Left
                            && Some(left.id) == host
                            && row.by == Some(left.id)
                            && !holders.values().any(|user| user.id == left.id);
                        let is_passed_on = matches!(
                            log.get(index + 1).map(|next| &next.event),
                            Some(Event::HostChanged { .. })
                        );
                        if has_left && holders.values().any(|user| user.bot.is_none()) && !is_passed_on {
                            wrong.push(format!(
                                "{match_id}: the host left by event {} and stays host",
                                row.seq
                            ));
                        }
                    }
                    _ => {}
                }
            }
        }
        wrong
    }
}

/// Changes the holders of seats as an event does.
pub(super) fn apply_seats(holders: &mut BTreeMap<Color, UserView>, event: &Event) {
    match event {
        Event::Seated { color, user, .. } => drop(holders.insert(*color, user.clone())),
        Event::Vacated { color, .. } => drop(holders.remove(color)),
        Event::Started { seats, .. } => {
            holders.extend(seats.iter().map(|(color, user)| (*color, user.clone())));
        }
        _ => {}
    }
}

/// Returns the ids of the users who are shown on seats.
pub(super) fn shown_holders(seats: &[SeatView]) -> BTreeMap<Color, UserId> {
    seats.iter().filter_map(|seat| Some((seat.color, seat.user.as_ref()?.id))).collect()
}

/// Returns the users who hold seats at the end of a match, in a fixed order.
fn players(log: &[LoggedEvent]) -> Vec<UserId> {
    let mut holders = BTreeMap::new();
    for row in log {
        apply_seats(&mut holders, &row.event);
    }
    let mut players: Vec<UserId> = holders.into_values().map(|user| user.id).collect();
    players.sort_unstable();
    players
}

#[cfg(test)]
mod tests;
