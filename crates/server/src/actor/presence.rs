//! Presence at a table: the players who are connected, and the number of spectators.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::SecretHash;
use quadrex_table::{ConnectedPlayer, PresenceView, Seat, TableState, Viewer, seats_of};

use super::rtt_handle::RttHandle;

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
    /// True if its user may still watch after being kicked.
    pub outlasts_kick: bool,
    /// True for a reduced preview, which does not count as presence.
    pub is_preview: bool,
    /// The round-trip time of the connection.
    pub round_trip: RttHandle,
}

impl WatcherInfo {
    /// Returns whether it may watch the table in its present state.
    pub(super) fn may_watch(&self, state: &TableState) -> bool {
        let is_of = |members: Vec<UserId>| self.viewer.user().is_some_and(|user| members.contains(&user));
        let is_kicked = !self.outlasts_kick && is_of(state.kicked().collect());
        !is_kicked && (self.right == WatchRight::Lasting || is_of(state.members()))
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
    pub(super) fn part(&mut self, left_table: &[UserId]) {
        let has_parted = |viewer: Viewer| viewer.user().is_some_and(|user| left_table.contains(&user));
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

    /// Ends the rights by some links, and returns the links on which a right rested. Those watchers
    /// are removed, unless they are members (seated users or the host), who may watch as long as they are.
    pub(super) fn end_links(
        &mut self,
        has_ended: impl Fn(&LinkRight) -> bool,
        members: &[UserId],
    ) -> Vec<SecretHash> {
        let mut ended = Vec::new();
        self.watchers.retain(|_, watcher| {
            let Some(link) = watcher.link.take_if(|link| has_ended(link)) else { return true };
            if !ended.contains(&link.secret) {
                ended.push(link.secret);
            }
            watcher.right = WatchRight::OfParty;
            watcher.viewer.user().is_some_and(|user| members.contains(&user))
        });
        let links = self.watchers.values().filter_map(|watcher| watcher.link);
        self.link_expiry = links.map(|link| link.expires_at).min();
        ended
    }

    /// Returns whether nobody watches.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.watchers.is_empty()
    }

    /// Returns the players who watch, with the seats as they are held now. Of several connections
    /// the shortest round trip counts.
    #[must_use]
    pub(super) fn connected_players(&self, state: &TableState) -> Vec<ConnectedPlayer> {
        let mut watching: HashMap<UserId, Duration> = HashMap::new();
        for watcher in self.watchers.values().filter(|watcher| !watcher.is_preview) {
            if let Some(user) = watcher.viewer.user() {
                let round_trip = watcher.round_trip.last();
                let shortest = watching.entry(user).or_insert(round_trip);
                *shortest = round_trip.min(*shortest);
            }
        }
        let connected = |seat: &Seat| {
            let round_trip = *watching.get(&seat.holder.as_ref()?.id)?;
            Some(ConnectedPlayer { color: seat.color, round_trip })
        };
        state.seats().iter().filter_map(connected).collect()
    }

    /// Returns the presence at `now`, with the connected players as the table has them.
    #[must_use]
    pub(super) fn presence(&self, state: &TableState, now: Timestamp) -> PresenceView {
        let held = state.seats().iter().filter(|seat| seat.holder.is_some());
        let is_spectator =
            |watcher: &&WatcherInfo| !watcher.is_preview && seats_of(state, watcher.viewer).is_empty();
        let spectators = self.watchers.values().filter(is_spectator).count();
        PresenceView {
            players: held.map(|seat| state.presence(seat.color, now)).collect(),
            spectators: u32::try_from(spectators).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::http::CreateTable;
    use quadrex_protocol::settings::Privacy;
    use quadrex_protocol::user::UserView;
    use quadrex_protocol::{LotKey, MatchId, TableId};
    use quadrex_rules::{Color, Variant};
    use quadrex_table::{Action, Fact, History, Origin, PlayerCommand, Terms, validate_settings};
    use uuid::Uuid;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn user(number: u128) -> UserView {
        UserView { id: UserId(Uuid::from_u128(number)), name: format!("user {number}"), bot: None }
    }

    /// Returns a running classic match of these users, at a hotseat table.
    fn started(users: [u128; 2]) -> History {
        let table = TableId(Uuid::from_u128(1));
        let origin = Origin { table, match_id: MatchId(Uuid::from_u128(2)), lot_key: LotKey([9; 32]) };
        let request =
            CreateTable { hotseat: Some(true), ..CreateTable::plain(Variant::Classic, Privacy::Private) };
        let terms = Terms::new(validate_settings(request).unwrap(), user(users[0])).unwrap();
        let event = terms.opened(origin.lot_key.secret(origin.match_id).commitment());
        let mut history = History::replay(origin, vec![Fact { seq: 1, at: NOW, event }]).unwrap();
        for by in users {
            let invite = Some(quadrex_table::Invitation { seat: None });
            let action = Action::Sit { seat: None, invite, nonce: "n".parse().unwrap() };
            let command = PlayerCommand { by: user(by), seat: None, action };
            for event in history.state().decide_player(&command, NOW).unwrap() {
                history.push(event, NOW);
            }
        }
        history
    }

    fn watcher(viewer: Viewer) -> WatcherInfo {
        WatcherInfo {
            viewer,
            right: WatchRight::Lasting,
            link: None,
            outlasts_kick: true,
            is_preview: false,
            round_trip: RttHandle::unmeasured(),
        }
    }

    fn connected(audience: &Audience, history: &History) -> Vec<Color> {
        audience.connected_players(history.state()).iter().map(|player| player.color).collect()
    }

    #[test]
    fn presence_lists_connected_players_and_counts_spectators() {
        let history = started([1, 2]);
        let mut audience = Audience::default();
        let present = |audience: &Audience| {
            let presence = audience.presence(history.state(), NOW);
            assert_eq!(presence.players.len(), 2, "every seated player has a presence");
            (connected(audience, &history), presence.spectators)
        };
        assert!(audience.is_empty());
        let black = Viewer::User(user(2).id);
        let (first, second, third) = (WatchId::new(), WatchId::new(), WatchId::new());
        audience.enter(first, watcher(black));
        audience.enter(second, watcher(black));
        audience.enter(third, watcher(Viewer::Anonymous));
        assert_eq!(present(&audience), (vec![Color::Black], 1), "two connections of one player");
        audience.leave(first);
        assert_eq!(present(&audience), (vec![Color::Black], 1));
        audience.leave(second);
        audience.enter(WatchId::new(), watcher(Viewer::User(user(3).id)));
        assert_eq!(present(&audience), (vec![], 2));
        for viewer in [black, Viewer::Anonymous] {
            audience.enter(WatchId::new(), WatcherInfo { is_preview: true, ..watcher(viewer) });
        }
        assert_eq!(present(&audience), (vec![], 2), "a preview is no presence");
    }

    #[test]
    fn a_user_is_connected_with_every_seat_it_holds() {
        let history = started([1, 1]);
        let mut audience = Audience::default();
        let watch_id = WatchId::new();
        audience.enter(watch_id, watcher(Viewer::User(user(1).id)));
        assert_eq!(connected(&audience, &history), [Color::White, Color::Black]);
        assert_eq!(audience.presence(history.state(), NOW).spectators, 0);
        audience.leave(watch_id);
        assert_eq!(connected(&audience, &history), []);
    }
}
