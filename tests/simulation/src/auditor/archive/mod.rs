//! The archive: summaries of matches and ratings, compared with what follows from the logs.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId, UserId};
use quadrex_rules::Color;
use quadrex_store::{LoggedEvent, RatedMatch, Recomputation, Store};

use super::Auditor;
use super::outline::{TableLogs, apply_seats, shown_holders};
use crate::trace::virtual_now;

/// The time within which the archive has the beginning and the end of a match. Players may begin or end
/// one at the last moment: they agree to a rematch, or take the seat back from a bot and resign.
const ARCHIVING: Duration = Duration::from_secs(5);

/// The result of a match that follows from its log.
#[derive(Debug, Default, PartialEq)]
struct Record {
    seats: BTreeMap<Color, UserId>,
    plies: u32,
    started_at_ms: Option<u64>,
    ended_at_ms: Option<u64>,
    places: Option<BTreeMap<Color, u8>>,
    is_aborted: bool,
}

impl Record {
    fn of_log(log: &[LoggedEvent]) -> Self {
        let mut result = Self::default();
        let mut holders = BTreeMap::new();
        for row in log {
            apply_seats(&mut holders, &row.event);
            let at_ms = row.at.as_millis();
            match &row.event {
                Event::Started { .. } => result.started_at_ms = Some(at_ms),
                Event::Moved { .. } => result.plies += 1,
                Event::TakenBack { plies, .. } => result.plies -= plies,
                Event::Ended { places, .. } => {
                    result.places = Some(places.clone());
                    result.ended_at_ms = Some(at_ms);
                }
                Event::Aborted { .. } => {
                    result.is_aborted = true;
                    result.ended_at_ms = Some(at_ms);
                }
                _ => {}
            }
        }
        result.seats = holders.into_iter().map(|(color, user)| (color, user.id)).collect();
        result
    }

    fn of_summary(summary: &MatchSummary) -> Self {
        Self {
            seats: shown_holders(&summary.seats),
            plies: summary.plies,
            started_at_ms: Some(summary.started_at_ms),
            ended_at_ms: summary.ended_at_ms,
            places: summary.outcome.as_ref().map(|outcome| outcome.places.clone()),
            is_aborted: summary.aborted.is_some(),
        }
    }
}

impl Auditor {
    /// Compares the archive with the logs. Returns the numbers of archived and of rated matches.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(super) async fn check_archive(&self, store: &Store, tables: &[TableLogs]) -> Result<(u64, u64)> {
        let (mut archived_count, mut rated_count) = (0, 0);
        for (match_id, log) in tables.iter().flat_map(|table| &table.matches) {
            let expected = Record::of_log(log);
            let archived = store.archived_match(*match_id).await?;
            match (&archived, expected.started_at_ms) {
                (None, Some(_))
                    if self.is_new(*match_id, log, |event| matches!(event, Event::Started { .. })) => {}
                (None, Some(_)) => self.wrong(*match_id, "it is not in the archive"),
                (Some(_), None) => self.wrong(*match_id, "it is in the archive, and has never started"),
                (None, None) => {}
                (Some(archived), Some(_)) => {
                    archived_count += 1;
                    let found = Record::of_summary(&archived.summary);
                    // A running match is archived when it begins, and not after each move.
                    let is_right = match (expected.ended_at_ms.is_some(), archived.phase == Phase::Ended) {
                        (true, true) => found == expected,
                        (true, false) => self.is_new(*match_id, log, is_end),
                        (false, is_archived_as_ended) => !is_archived_as_ended,
                    };
                    if !is_right {
                        self.wrong(*match_id, format_args!("the archive has {found:?}, not {expected:?}"));
                    }
                    let changes = store.rating_changes_of(*match_id).await?;
                    let rated = RatedMatch::of(&archived.summary).filter(|_| archived.phase == Phase::Ended);
                    let players = rated.map_or(0, |rated| rated.users().count());
                    if changes.len() != players {
                        let text = format_args!("{players} ratings must change, and {} did", changes.len());
                        self.wrong(*match_id, text);
                    }
                    rated_count += u64::from(players > 0);
                }
            }
        }
        let recomputed = store.recompute_ratings(Recomputation::Check).await?;
        if recomputed.different_changes + recomputed.different_ratings > 0
            || recomputed.matches != rated_count
        {
            self.violation(
                "the archive",
                format_args!("{rated_count} matches are rated, but {recomputed:?}"),
            );
        }
        Ok((archived_count, rated_count))
    }

    /// Returns whether the event of a match for which this is true was written a moment ago.
    fn is_new(&self, match_id: MatchId, log: &[LoggedEvent], is_it: impl Fn(&Event) -> bool) -> bool {
        let Some(row) = log.iter().find(|row| is_it(&row.event)) else { return false };
        match self.0.commits.committed_at(match_id, row.seq) {
            Some(at) => virtual_now().duration_since(at) < ARCHIVING,
            // The first events of a rematch are written with the last one of the match before.
            None => {
                let now = self.0.trace.time_of_day();
                row.at <= now && now.since(row.at) < ARCHIVING
            }
        }
    }

    fn wrong(&self, match_id: MatchId, what: impl std::fmt::Display) {
        self.violation("the archive", format_args!("{match_id}: {what}"));
    }
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::Ended { .. } | Event::Aborted { .. })
}

#[cfg(test)]
mod tests;
