//! Presence at a table: the players who are connected, and the number of spectators.

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

/// The id of one connection's subscription to one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WatchId(u64);

impl WatchId {
    /// Returns an id that is unique in this process.
    pub(super) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The right by which a connection watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchRight {
    /// Independent of seats.
    Lasting,
    /// Only as a seated player or the host.
    OfParty,
}

/// The link that a right to watch rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkRight {
    /// The hash of its secret.
    pub secret: SecretHash,
    /// The time of its expiry.
    pub expires_at: Timestamp,
}

/// A subscription of one connection.
#[derive(Clone, Debug)]
pub struct WatcherInfo {
    /// The viewer.
    pub viewer: Viewer,
    /// The right to watch.
    pub right: WatchRight,
    /// The link without which only seated players and the host could watch.
    pub link: Option<LinkRight>,
    /// Whether its user may still watch after being kicked.
    pub outlasts_kick: bool,
    /// Whether it is a reduced preview, which does not count as presence.
    pub is_preview: bool,
    /// The round-trip time of the connection.
    pub round_trip: RoundTrip,
}

impl WatcherInfo {
    /// Returns whether it may watch the table in its present state.
    pub(super) fn may_watch(&self, state: &TableState) -> bool {
        let is_of = |party: Vec<UserId>| self.viewer.user().is_some_and(|user| party.contains(&user));
        let is_kicked = !self.outlasts_kick && is_of(state.seating.kicked().collect());
        !is_kicked && (self.right == WatchRight::Lasting || is_of(state.party()))
    }
}

/// The presence at a table, as everybody sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// The presence of each seated player, in turn order.
    pub players: Vec<PlayerView>,
    /// The number of connections that watch without a seat.
    pub spectators: u32,
}

impl Present {
    /// Returns the number of connected players.
    pub(super) fn connected(&self) -> usize {
        self.players.iter().filter(|player| player.presence == Presence::Connected).count()
    }
}

/// All subscriptions to a table.
#[derive(Debug, Default)]
pub(super) struct Audience {
    watchers: HashMap<WatchId, WatcherInfo>,
    /// The earliest expiry of a link that a subscription rests on, or rested on.
    link_expiry: Option<Timestamp>,
}

impl Audience {
    /// Adds a subscription.
    pub(super) fn enter(&mut self, watch_id: WatchId, watcher: WatcherInfo) {
        let ends = watcher.link.map(|link| link.expires_at);
        self.link_expiry = self.link_expiry.into_iter().chain(ends).min();
        self.watchers.insert(watch_id, watcher);
    }

    /// Removes a subscription.
    pub(super) fn leave(&mut self, watch_id: WatchId) {
        self.watchers.remove(&watch_id);
    }

    /// Removes the subscriptions of these users that rested on a seat or the host role.
    pub(super) fn part(&mut self, parted: &[UserId]) {
        let has_parted = |viewer: Viewer| viewer.user().is_some_and(|user| parted.contains(&user));
        self.watchers
            .retain(|_, watcher| watcher.right == WatchRight::Lasting || !has_parted(watcher.viewer));
    }

    /// Removes the subscriptions that end with a kick of these users.
    pub(super) fn kick(&mut self, kicked: &[UserId]) {
        let is_kicked = |viewer: Viewer| viewer.user().is_some_and(|user| kicked.contains(&user));
        self.watchers.retain(|_, watcher| watcher.outlasts_kick || !is_kicked(watcher.viewer));
    }

    /// Returns the earliest expiry of a link that a subscription rests on.
    pub(super) fn link_expiry(&self) -> Option<Timestamp> {
        self.link_expiry
    }

    /// Ends the rights by some links, and returns those that somebody's right rested on. Of the
    /// watchers of others than the party nothing is left; the party watches on for as long as it is
    /// that.
    pub(super) fn end_links(
        &mut self,
        has_ended: impl Fn(&LinkRight) -> bool,
        party: &[UserId],
    ) -> Vec<SecretHash> {
        let mut ended = Vec::new();
        self.watchers.retain(|_, watcher| {
            let Some(link) = watcher.link.take_if(|link| has_ended(link)) else { return true };
            if !ended.contains(&link.secret) {
                ended.push(link.secret);
            }
            watcher.right = WatchRight::OfParty;
            watcher.viewer.user().is_some_and(|user| party.contains(&user))
        });
        let links = self.watchers.values().filter_map(|watcher| watcher.link);
        self.link_expiry = links.map(|link| link.expires_at).min();
        ended
    }

    /// Whether nobody watches.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.watchers.is_empty()
    }

    /// The players who watch, with the seats as they are held now. Of several lines the shortest
    /// round trip counts.
    #[must_use]
    pub(super) fn players_here(&self, state: &TableState) -> Vec<Here> {
        let mut watching: HashMap<UserId, Duration> = HashMap::new();
        for watcher in self.watchers.values().filter(|watcher| !watcher.is_preview) {
            if let Some(user) = watcher.viewer.user() {
                let round_trip = watcher.round_trip.now();
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
            |watcher: &&WatcherInfo| !watcher.is_preview && seats_of(state, watcher.viewer).is_empty();
        let spectators = self.watchers.values().filter(is_spectator).count();
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
