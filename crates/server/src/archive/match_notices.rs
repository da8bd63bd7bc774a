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

/// A match that has started or ended.
#[derive(Clone, Debug)]
pub(super) struct MatchNews {
    pub(super) archived: ArchivedMatch,
    /// The people who hold seats.
    pub(super) players: Vec<UserId>,
    /// True if nobody was notified yet that the match has started.
    pub(super) is_new: bool,
}

impl MatchNotices {
    /// Returns the notifications of matches that are being archived: those of the players, and those
    /// of the creator of the table.
    pub(super) fn of(&self, news: &[MatchNews], now: Timestamp) -> Vec<NewNotification> {
        news.iter().flat_map(|news| self.of_match(news, now)).collect()
    }

    fn of_match(&self, news: &MatchNews, now: Timestamp) -> Vec<NewNotification> {
        let MatchNews { archived, players, is_new } = news;
        let summary = &archived.summary;
        let notification = |kind, user, at: u64, due| NewNotification {
            kind,
            user,
            table: summary.table,
            match_id: summary.match_id,
            ply: 0,
            due,
            mail_due: due,
            expires: Timestamp::from_millis(at) + LIFETIME,
        };
        let mut new = Vec::new();
        let started = |user: Option<UserId>, due| {
            notification(NotificationKind::Started, user, summary.started_at_ms, due)
        };
        if *is_new {
            new.push(started(None, now));
        }
        if let (Phase::Ended, Some(ended_at)) = (archived.phase, summary.ended_at_ms) {
            new.push(notification(NotificationKind::Ended, None, ended_at, now));
        } else {
            new.extend(players.iter().map(|player| started(Some(*player), now + self.delay)));
        }
        new.retain(|notification| notification.expires > now);
        new
    }
}
