//! Who is at a table: which seats have a line open, and how many only watch.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_protocol::view::{PlayerView, Presence};
use quadrex_rules::{Color, Timestamp};

use super::attendance::Here;
use super::round_trip::RoundTrip;
use super::seating::Seat;
use super::state::TableState;
use crate::bus::Viewer;
use quadrex_store::SecretHash;

/// One line's watching of one table, from `watch` to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Visit(u64);

impl Visit {
    /// Another one than all others of this process.
    pub(super) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

/// By what right a line watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// By one that lasts, whoever sits.
    Lasting,
    /// Only as one of those who sit, or as host.
    OfParty,
}

/// A link that a right to watch rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkRight {
    /// The hash of its secret.
    pub secret: SecretHash,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Who watches by a line.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// Who.
    pub viewer: Viewer,
    /// By what right.
    pub sight: Sight,
    /// The link without which it could not watch but as one of those who sit, or as host.
    pub link: Option<LinkRight>,
    /// Whether it may watch on after the host has kicked its user.
    pub outlasts_kick: bool,
    /// Whether it only glances from afar, and is not there as far as others are told.
    pub glances: bool,
    /// How long the line takes.
    pub round_trip: RoundTrip,
}

impl Visitor {
    /// Whether it may watch the table as it is now.
    pub(super) fn may_watch(&self, state: &TableState) -> bool {
        let is_of = |party: Vec<UserId>| self.viewer.user().is_some_and(|user| party.contains(&user));
        let is_kicked = !self.outlasts_kick && is_of(state.seating.kicked().collect());
        !is_kicked && (self.sight == Sight::Lasting || is_of(state.party()))
    }
}

/// Who is there, as all may know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// How those who hold seats are there, in turn order.
    pub players: Vec<PlayerView>,
    /// How many lines watch without a seat.
    pub spectators: u32,
}

impl Present {
    /// How many of the players have a line.
    pub(super) fn connected(&self) -> usize {
        self.players.iter().filter(|player| player.presence == Presence::Connected).count()
    }
}

/// Everybody who watches a table.
#[derive(Debug, Default)]
pub(super) struct Audience {
    visits: HashMap<Visit, Visitor>,
    /// When the first link ends that a visit rests on, or rested on.
    link_expiry: Option<Timestamp>,
}

impl Audience {
    /// A line began to watch.
    pub(super) fn enter(&mut self, visit: Visit, visitor: Visitor) {
        let ends = visitor.link.map(|link| link.expires_at);
        self.link_expiry = self.link_expiry.into_iter().chain(ends).min();
        self.visits.insert(visit, visitor);
    }

    /// A line ceased to watch.
    pub(super) fn leave(&mut self, visit: Visit) {
        self.visits.remove(&visit);
    }

    /// Forgets the lines that watched only as these users' who have parted.
    pub(super) fn part(&mut self, parted: &[UserId]) {
        let has_parted = |viewer: Viewer| viewer.user().is_some_and(|user| parted.contains(&user));
        self.visits.retain(|_, visitor| visitor.sight == Sight::Lasting || !has_parted(visitor.viewer));
    }

    /// Removes the visits that end with a kick of these users.
    pub(super) fn kick(&mut self, kicked: &[UserId]) {
        let is_kicked = |viewer: Viewer| viewer.user().is_some_and(|user| kicked.contains(&user));
        self.visits.retain(|_, visitor| visitor.outlasts_kick || !is_kicked(visitor.viewer));
    }

    /// Returns when the first link ends that a visit rests on.
    pub(super) fn link_expiry(&self) -> Option<Timestamp> {
        self.link_expiry
    }

    /// Ends the rights by some links, and returns those that somebody's right rested on. Of the visits of others than the
    /// party nothing is left; the party watches on for as long as it is that.
    pub(super) fn end_links(
        &mut self,
        has_ended: impl Fn(&LinkRight) -> bool,
        party: &[UserId],
    ) -> Vec<SecretHash> {
        let mut ended = Vec::new();
        self.visits.retain(|_, visitor| {
            let Some(link) = visitor.link.take_if(|link| has_ended(link)) else { return true };
            if !ended.contains(&link.secret) {
                ended.push(link.secret);
            }
            visitor.sight = Sight::OfParty;
            visitor.viewer.user().is_some_and(|user| party.contains(&user))
        });
        let links = self.visits.values().filter_map(|visitor| visitor.link);
        self.link_expiry = links.map(|link| link.expires_at).min();
        ended
    }

    /// Whether nobody watches.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.visits.is_empty()
    }

    /// The players who watch, with the seats as they are held now. Of several lines the shortest round trip counts.
    #[must_use]
    pub(super) fn players_here(&self, state: &TableState) -> Vec<Here> {
        let mut watching: HashMap<UserId, Duration> = HashMap::new();
        for visitor in self.visits.values().filter(|visitor| !visitor.glances) {
            if let Some(user) = visitor.viewer.user() {
                let round_trip = visitor.round_trip.now();
                let shortest = watching.entry(user).or_insert(round_trip);
                *shortest = round_trip.min(*shortest);
            }
        }
        let here = |seat: &Seat| {
            let round_trip = *watching.get(&seat.holder.as_ref()?.id)?;
            Some(Here { color: seat.color, round_trip })
        };
        state.seats().iter().filter_map(here).collect()
    }

    /// Who is there at `now`, of the players as the table has noticed it.
    #[must_use]
    pub(super) fn present(&self, state: &TableState, now: Timestamp) -> Present {
        let held = state.seats().iter().filter(|seat| seat.holder.is_some());
        let is_spectator =
            |visitor: &&Visitor| !visitor.glances && seats_of(state, visitor.viewer).is_empty();
        let spectators = self.visits.values().filter(is_spectator).count();
        Present {
            players: held.map(|seat| state.presence(seat.color, now)).collect(),
            spectators: u32::try_from(spectators).unwrap_or(u32::MAX),
        }
    }
}

/// Whether a viewer moves for this color: it holds the seat, and no bot plays in its place.
pub(super) fn may_move(state: &TableState, viewer: Viewer, color: Color) -> bool {
    state.player(color).is_some_and(|player| viewer == Viewer::User(player.id))
}

/// The seats a viewer holds, in turn order.
pub(super) fn seats_of(state: &TableState, viewer: Viewer) -> Vec<Color> {
    viewer.user().map(|user| state.seats_of(user)).unwrap_or_default()
}
