//! The notifications that a match has started or ended.

use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_protocol::UserId;
use quadrex_protocol::view::Phase;
use quadrex_rules::Timestamp;
use quadrex_store::{ArchivedMatch, NewNotification, NotificationKind};

/// The time after which nobody is notified any more that a match has started or ended. Matches that
/// are archived later, for example after an import, are not news.
const LIFETIME: Duration = Duration::from_secs(3_600);

/// The way to notify users of matches.
#[derive(Clone, Debug)]
pub(super) struct MatchNotices {
    pub(super) clock: Clock,
    /// The time after which the players are notified that a match has started.
    pub(super) delay: Duration,
}

impl MatchNotices {
    /// Returns the notifications of matches that are being archived: those of the players, and those
    /// of the creator of the table.
    pub(super) fn of(&self, matches: &[ArchivedMatch], now: Timestamp) -> Vec<NewNotification> {
        matches.iter().flat_map(|archived| self.of_match(archived, now)).collect()
    }

    fn of_match(&self, archived: &ArchivedMatch, now: Timestamp) -> Vec<NewNotification> {
        let summary = &archived.summary;
        let notification = |kind, user, at: u64, due| NewNotification {
            kind,
            user,
            table: summary.table,
            match_id: summary.match_id,
            ply: 0,
            due,
            expires: Timestamp::from_millis(at) + LIFETIME,
        };
        let mut new = Vec::new();
        match (archived.phase, summary.ended_at_ms) {
            (Phase::Ended, Some(ended_at)) => {
                new.push(notification(NotificationKind::Ended, None, ended_at, now));
            }
            _ => {
                let started_at = summary.started_at_ms;
                let started = |user: Option<UserId>, due| {
                    notification(NotificationKind::Started, user, started_at, due)
                };
                new.push(started(None, now));
                let users = summary.seats.iter().filter_map(|seat| seat.user.as_ref());
                let mut people: Vec<_> =
                    users.filter(|user| user.bot.is_none()).map(|user| user.id).collect();
                people.sort_unstable();
                people.dedup();
                new.extend(people.into_iter().map(|person| started(Some(person), now + self.delay)));
            }
        }
        new.retain(|notification| notification.expires > now);
        new
    }
}
