//! A match that counts for ratings, and the calculation of the ratings after it.

use std::collections::BTreeSet;

use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::rating::Speed;
use quadrex_protocol::{MatchId, UserId};
use quadrex_ratings::{Placed, Rating, rate};
use quadrex_rules::{Color, Timestamp};

use super::{RatingChange, RatingKind, UserRating};

/// A rated match that has ended with a result, between people with a seat each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMatch {
    /// The match.
    pub match_id: MatchId,
    /// The kind of ratings that the match changes.
    pub kind: RatingKind,
    /// The end of the match.
    pub at: Timestamp,
    /// The players in the order of their turns, with their final places.
    players: Vec<(Color, UserId, u8)>,
}

impl RatedMatch {
    /// Returns the rated match with this summary. Returns `None` if the match does not count for
    /// ratings: it is casual or has no result, a bot has played in it, or a user has several seats.
    #[must_use]
    pub fn of(summary: &MatchSummary) -> Option<Self> {
        let (Some(outcome), None, true) = (&summary.outcome, summary.aborted, summary.rated) else {
            return None;
        };
        let kind = RatingKind { variant: summary.variant, speed: Speed::of(summary.time)? };
        let player = |seat: &quadrex_protocol::view::SeatView| {
            let user = seat.user.as_ref().filter(|user| user.bot.is_none() && seat.substitute.is_none())?;
            Some((seat.color, user.id, *outcome.places.get(&seat.color)?))
        };
        let players: Vec<_> = summary.seats.iter().map(player).collect::<Option<_>>()?;
        let users: BTreeSet<UserId> = players.iter().map(|(_, user, _)| *user).collect();
        let at = Timestamp::from_millis(summary.ended_at_ms?);
        (users.len() == players.len() && players.len() > 1).then_some(Self {
            match_id: summary.match_id,
            kind,
            at,
            players,
        })
    }

    /// Returns the players in the order of their turns.
    pub fn users(&self) -> impl Iterator<Item = UserId> {
        self.players.iter().map(|(_, user, _)| *user)
    }

    /// Returns the changes of the players' ratings, each with the player's rating after the match.
    /// `known` returns the rating of a user after the user's last rated match of this kind, or `None`
    /// for the first one.
    pub fn changes(&self, known: impl Fn(UserId) -> Option<UserRating>) -> Vec<(RatingChange, UserRating)> {
        let known: Vec<Option<UserRating>> = self.users().map(known).collect();
        let before = |known: &Option<UserRating>| known.map_or(Rating::INITIAL, |known| known.at(self.at));
        let places = self.players.iter().map(|(_, _, place)| *place);
        let placed: Vec<Placed> =
            known.iter().zip(places).map(|(known, place)| Placed { rating: before(known), place }).collect();
        let mut changes = Vec::new();
        for (index, after) in rate(&placed).into_iter().enumerate() {
            let (color, user, _) = self.players[index];
            let (match_id, at, before) = (self.match_id, self.at, placed[index].rating);
            let matches = known[index].map_or(0, |known| known.matches) + 1;
            let change = RatingChange { match_id, color, user, at, before, after };
            changes.push((change, UserRating { rating: after, matches, updated_at: at }));
        }
        changes
    }
}
