//! The summary of a match that lists show. It is created from the log of the match.

use std::collections::BTreeMap;

use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::settings::Watchers;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{OutcomeView, Phase, SeatView};
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::{Color, Timestamp};

use quadrex_store::{ArchivedMatch, LoggedEvent};
use quadrex_table::{hide_seats, hides_names};

/// Returns the summary of the match with this log. Returns `None` if the match has not started.
pub(super) fn of(table: TableId, match_id: MatchId, log: &[LoggedEvent]) -> Option<ArchivedMatch> {
    let Some(Event::Opened { settings, .. }) = log.first().map(|first| &first.event) else { return None };
    let mut holders: BTreeMap<Color, UserView> = BTreeMap::new();
    let mut substitutes: BTreeMap<Color, UserView> = BTreeMap::new();
    let mut started_at: Option<Timestamp> = None;
    let mut ended_at: Option<Timestamp> = None;
    let (mut outcome, mut aborted, mut plies) = (None, None, 0_u32);
    for LoggedEvent { at, event, .. } in log {
        match event {
            Event::Seated { color, user, .. } => drop(holders.insert(*color, user.clone())),
            Event::Vacated { color, .. } => drop(holders.remove(color)),
            Event::Started { seats, .. } => {
                holders.extend(seats.iter().map(|(color, user)| (*color, user.clone())));
                started_at = Some(*at);
            }
            Event::Substituted { color, bot } => drop(substitutes.insert(*color, bot.clone())),
            Event::Returned { color } => drop(substitutes.remove(color)),
            Event::Moved { .. } => plies += 1,
            Event::TakenBack { plies: back, .. } => plies = plies.saturating_sub(*back),
            Event::Ended { reason, places } => {
                outcome = Some(OutcomeView { reason: *reason, places: places.clone() });
                ended_at = Some(*at);
            }
            Event::Aborted { cause } => {
                aborted = Some(*cause);
                ended_at = Some(*at);
            }
            _ => {}
        }
    }
    let seat = |(color, user): (Color, UserView)| SeatView {
        color,
        side: color.side().into(),
        user: Some(user),
        substitute: substitutes.remove(&color),
    };
    Some(ArchivedMatch {
        phase: if ended_at.is_some() { Phase::Ended } else { Phase::Running },
        // A private table can never be watched by everybody.
        is_public: settings.watchers == Watchers::Everybody,
        summary: MatchSummary {
            match_id,
            table,
            variant: settings.variant,
            time: settings.time,
            move_limit_ms: settings.move_limit_ms,
            rated: settings.rated,
            seats: holders.into_iter().map(seat).collect(),
            started_at_ms: started_at?.as_millis(),
            ended_at_ms: ended_at.map(Timestamp::as_millis),
            plies,
            outcome,
            aborted,
        },
    })
}

/// Removes the names from the summary of an anonymous match that is not over.
pub(super) fn hide_names(archived: &mut ArchivedMatch, log: &[LoggedEvent]) {
    let Some(Event::Opened { settings, .. }) = log.first().map(|first| &first.event) else { return };
    if hides_names(settings, archived.phase) {
        hide_seats(&mut archived.summary.seats, archived.summary.table, None);
    }
}
