//! The watchers of a table. They show which players are connected, and how many spectators there
//! are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use quadrex_cluster::message::UserPresence;
use quadrex_protocol::UserId;
use quadrex_protocol::view::LinkVisitor;
use quadrex_rules::Timestamp;
use quadrex_store::SecretHash;
use quadrex_table::{ConnectedPlayer, PresenceView, Seat, TableState, Viewer, seats_of};

use super::rtt_handle::RttHandle;

/// The largest number of remembered users who opened the table through a link.
const MAX_VISITORS: usize = 20;

/// The id of one connection's subscription to one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WatcherId(u64);

impl WatcherId {
    /// Returns an id that is unique in this process.
    pub(super) fn new() -> Self {
        Self(quadrex_runtime::unique_number())
    }
}

/// The condition under which a connection may watch a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchRight {
    /// The connection may watch whether its user is a member or not.
    Unconditional,
    /// The connection may watch only while its user is a member: seated, or the host.
    MembersOnly,
}

/// An invite or a watch link by which a connection has access to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessLink {
    /// The hash of the link's secret.
    pub secret_hash: SecretHash,
    /// The time at which the link expires.
    pub expires_at: Timestamp,
}

/// A connection's subscription to a table.
#[derive(Clone, Debug)]
pub struct Watcher {
    /// The identity that decides which events the connection may see.
    pub viewer: Viewer,
    /// The condition under which the connection may watch.
    pub right: WatchRight,
    /// The link that gives the connection its right. When the link ends, `right` becomes
    /// `MembersOnly`.
    pub link: Option<AccessLink>,
    /// True if the user may still watch after the host has kicked it.
    pub may_stay_when_kicked: bool,
    /// True for a reduced preview or a suspended user, which do not count as presence.
    pub is_preview: bool,
    /// The link visit to remember, if the connection presented a link; `None` for the host.
    pub visitor: Option<LinkVisitor>,
    /// The measured round-trip time of the connection.
    pub round_trip: RttHandle,
}

impl Watcher {
    /// Returns whether the watcher may watch the table in this state.
    pub(super) fn may_watch(&self, state: &TableState) -> bool {
        let is_kicked = !self.may_stay_when_kicked && self.is_one_of(state.kicked());
        !is_kicked && (self.right == WatchRight::Unconditional || self.is_one_of(state.members()))
    }

    /// Returns whether the watcher's user is among these users.
    fn is_one_of(&self, users: impl IntoIterator<Item = UserId>) -> bool {
        self.viewer.user().is_some_and(|viewer| users.into_iter().any(|user| user == viewer))
    }
}

/// All subscriptions to a table.
#[derive(Debug, Default)]
pub(super) struct Watchers {
    by_id: HashMap<WatcherId, Watcher>,
    /// The earliest expiry of all links of the watchers. After a watcher has left, this time may be
    /// earlier than necessary.
    link_expiry: Option<Timestamp>,
    /// The last users who have opened the table through a link, in the order of their first visits.
    visitors: Vec<LinkVisitor>,
}

impl Watchers {
    /// Adds a watcher.
    pub(super) fn add(&mut self, watcher_id: WatcherId, mut watcher: Watcher) {
        if let Some(visitor) = watcher.visitor.take() {
            self.add_visitor(visitor);
        }
        let expiry = watcher.link.map(|link| link.expires_at);
        self.link_expiry = self.link_expiry.into_iter().chain(expiry).min();
        self.by_id.insert(watcher_id, watcher);
    }

    /// Adds a user who opened the table through a link. If the user comes again, perhaps with another
    /// link, the time of the first visit stays.
    pub(super) fn add_visitor(&mut self, visitor: LinkVisitor) {
        if let Some(earlier_visit) = self.visitors.iter_mut().find(|visit| visit.user.id == visitor.user.id) {
            *earlier_visit = LinkVisitor { opened_at_ms: earlier_visit.opened_at_ms, ..visitor };
            return;
        }
        if self.visitors.len() == MAX_VISITORS {
            self.visitors.remove(0);
        }
        self.visitors.push(visitor);
    }

    /// Removes a watcher.
    pub(super) fn remove(&mut self, watcher_id: WatcherId) {
        self.by_id.remove(&watcher_id);
    }

    /// Removes the watchers of these users, who are no longer members, if the watchers may watch only
    /// as members.
    pub(super) fn remove_former_members(&mut self, former: &[UserId]) {
        self.by_id.retain(|_, watcher| {
            watcher.right == WatchRight::Unconditional || !watcher.is_one_of(former.iter().copied())
        });
    }

    /// Removes the watchers of these users, who were kicked, unless the watchers may stay.
    pub(super) fn remove_kicked(&mut self, kicked: &[UserId]) {
        self.by_id
            .retain(|_, watcher| watcher.may_stay_when_kicked || !watcher.is_one_of(kicked.iter().copied()));
    }

    /// Returns the time at which the next link of a watcher expires.
    pub(super) fn link_expiry(&self) -> Option<Timestamp> {
        self.link_expiry
    }

    /// Revokes the watchers' links for which `is_revoked` returns true. A watcher with such a link is
    /// removed, unless its user is one of `members`. Returns the hashes of the links that were
    /// revoked.
    pub(super) fn revoke_links(
        &mut self,
        is_revoked: impl Fn(&AccessLink) -> bool,
        members: &[UserId],
    ) -> Vec<SecretHash> {
        let mut revoked = Vec::new();
        self.by_id.retain(|_, watcher| {
            let Some(link) = watcher.link.take_if(|link| is_revoked(link)) else { return true };
            if !revoked.contains(&link.secret_hash) {
                revoked.push(link.secret_hash);
            }
            watcher.right = WatchRight::MembersOnly;
            watcher.is_one_of(members.iter().copied())
        });
        let links = self.by_id.values().filter_map(|watcher| watcher.link);
        self.link_expiry = links.map(|link| link.expires_at).min();
        revoked
    }

    /// Returns whether nobody watches.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Returns whether a connection of this user watches the table.
    #[must_use]
    pub(super) fn is_present(&self, user: UserId) -> bool {
        self.by_id.values().any(|watcher| !watcher.is_preview && watcher.viewer.user() == Some(user))
    }

    /// Returns the users who watch the table, with the shortest round-trip time of each. Adds them to
    /// `round_trips`.
    fn round_trips(&self, mut round_trips: BTreeMap<UserId, Duration>) -> BTreeMap<UserId, Duration> {
        for watcher in self.by_id.values().filter(|watcher| !watcher.is_preview) {
            if let Some(user) = watcher.viewer.user() {
                let round_trip = watcher.round_trip.round_trip_time();
                let shortest = round_trips.entry(user).or_insert(round_trip);
                *shortest = round_trip.min(*shortest);
            }
        }
        round_trips
    }

    /// Returns the users for whom `is_named` returns true and who watch the table, and the number of
    /// all other watchers.
    pub(super) fn node_presence(&self, is_named: impl Fn(UserId) -> bool) -> (Vec<UserPresence>, u32) {
        let round_trips = self.round_trips(BTreeMap::new()).into_iter();
        let named = round_trips.filter(|(user, _)| is_named(*user)).map(|(user, round_trip)| UserPresence {
            user,
            round_trip_ms: u64::try_from(round_trip.as_millis()).unwrap_or(u64::MAX),
        });
        let is_other =
            |watcher: &&Watcher| !watcher.is_preview && !watcher.viewer.user().is_some_and(&is_named);
        let others = self.by_id.values().filter(is_other).count();
        (named.collect(), u32::try_from(others).unwrap_or(u32::MAX))
    }

    /// Returns the shortest round-trip time of a user's connections, if the user watches the table.
    pub(super) fn round_trip_of(&self, user: UserId) -> Option<Duration> {
        let watching = self.by_id.values().filter(|watcher| watcher.viewer.user() == Some(user));
        watching.map(|watcher| watcher.round_trip.round_trip_time()).min()
    }

    /// Returns the users of all watchers.
    pub(super) fn users(&self) -> BTreeSet<UserId> {
        self.by_id.values().filter_map(|watcher| watcher.viewer.user()).collect()
    }

    /// Returns the colors whose seat holders watch the table, here or `elsewhere`. If a holder has
    /// several connections, the shortest round-trip time counts.
    #[must_use]
    pub(super) fn connected_players(
        &self,
        state: &TableState,
        elsewhere: BTreeMap<UserId, Duration>,
    ) -> Vec<ConnectedPlayer> {
        let round_trips = self.round_trips(elsewhere);
        let connected = |seat: &Seat| {
            let round_trip = *round_trips.get(&seat.holder.as_ref()?.id)?;
            Some(ConnectedPlayer { color: seat.color, round_trip })
        };
        state.seats().iter().filter_map(connected).collect()
    }

    /// Returns the presence at `now`. Whether a player is connected is taken from `state`
    /// ([`TableState::set_connected`]). The spectators and the link visitors are taken from the
    /// watchers.
    #[must_use]
    pub(super) fn presence(&self, state: &TableState, now: Timestamp) -> PresenceView {
        let taken_seats = state.seats().iter().filter(|seat| seat.holder.is_some());
        let is_spectator =
            |watcher: &&Watcher| !watcher.is_preview && seats_of(state, watcher.viewer).is_empty();
        let spectators = self.by_id.values().filter(is_spectator).count();
        PresenceView {
            players: taken_seats.map(|seat| state.presence(seat.color, now)).collect(),
            spectators: u32::try_from(spectators).unwrap_or(u32::MAX),
            link_visitors: self.visitors.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::http::{CreateTable, LinkKind};
    use quadrex_protocol::settings::Privacy;
    use quadrex_protocol::user::UserView;
    use quadrex_protocol::{LotKey, MatchId, TableId};
    use quadrex_rules::{Color, Variant};
    use quadrex_table::{
        Action, History, MatchTerms, NumberedEvent, PlayerCommand, TableIdentity, validate_settings,
    };
    use uuid::Uuid;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn user(number: u128) -> UserView {
        UserView {
            id: UserId(Uuid::from_u128(number)),
            name: format!("user {number}"),
            account: false,
            bot: None,
            anonymous: false,
        }
    }

    /// Returns a running classic match of these users at a hotseat table.
    fn started(users: [u128; 2]) -> History {
        let table = TableId(Uuid::from_u128(1));
        let identity =
            TableIdentity { table, match_id: MatchId(Uuid::from_u128(2)), lot_key: LotKey([9; 32]) };
        let request =
            CreateTable { hotseat: Some(true), ..CreateTable::plain(Variant::Classic, Privacy::Private) };
        let terms = MatchTerms::new(validate_settings(request).unwrap(), user(users[0])).unwrap();
        let event = terms.opened_event(identity.lot_key.secret(identity.match_id).commitment());
        let mut history = History::replay(identity, vec![NumberedEvent { seq: 1, at: NOW, event }]).unwrap();
        for by in users {
            let invite = Some(quadrex_table::Invitation { seat: None });
            let action = Action::Sit { seat: None, invite, nonce: "n".parse().unwrap(), rating: None };
            let command = PlayerCommand { by: user(by), seat: None, action };
            for event in history.state().decide_player_command(&command, NOW).unwrap() {
                history.push(event, NOW);
            }
        }
        history
    }

    fn watcher(viewer: Viewer) -> Watcher {
        Watcher {
            viewer,
            right: WatchRight::Unconditional,
            link: None,
            may_stay_when_kicked: true,
            is_preview: false,
            visitor: None,
            round_trip: RttHandle::new_unmeasured(),
        }
    }

    fn connected(watchers: &Watchers, history: &History) -> Vec<Color> {
        watchers
            .connected_players(history.state(), BTreeMap::new())
            .iter()
            .map(|player| player.color)
            .collect()
    }

    #[test]
    fn presence_lists_connected_players_and_counts_spectators() {
        let history = started([1, 2]);
        let mut watchers = Watchers::default();
        let present = |watchers: &Watchers| {
            let presence = watchers.presence(history.state(), NOW);
            assert_eq!(presence.players.len(), 2, "every seated player has a presence");
            (connected(watchers, &history), presence.spectators)
        };
        assert!(watchers.is_empty());
        let black = Viewer::User(user(2).id);
        let (first, second, third) = (WatcherId::new(), WatcherId::new(), WatcherId::new());
        watchers.add(first, watcher(black));
        watchers.add(second, watcher(black));
        watchers.add(third, watcher(Viewer::Anonymous));
        assert_eq!(present(&watchers), (vec![Color::Black], 1), "two connections of one player");
        watchers.remove(first);
        assert_eq!(present(&watchers), (vec![Color::Black], 1));
        watchers.remove(second);
        watchers.add(WatcherId::new(), watcher(Viewer::User(user(3).id)));
        assert_eq!(present(&watchers), (vec![], 2));
        for viewer in [black, Viewer::Anonymous] {
            watchers.add(WatcherId::new(), Watcher { is_preview: true, ..watcher(viewer) });
        }
        assert_eq!(present(&watchers), (vec![], 2), "a preview is no presence");
    }

    #[test]
    fn the_latest_visitors_are_listed_with_their_first_visit() {
        let history = started([1, 2]);
        let mut watchers = Watchers::default();
        let mut visit = |number, seat, opened_at_ms| {
            let visitor = LinkVisitor { user: user(number), kind: LinkKind::Invite, seat, opened_at_ms };
            let visiting = Watcher { visitor: Some(visitor), ..watcher(Viewer::User(user(number).id)) };
            watchers.add(WatcherId::new(), visiting);
            watchers.presence(history.state(), NOW).link_visitors
        };
        visit(3, None, 1);
        let visitors = visit(3, Some(Color::Black), 2);
        assert_eq!(visitors.len(), 1);
        assert_eq!((visitors[0].seat, visitors[0].opened_at_ms), (Some(Color::Black), 1));
        let mut last = Vec::new();
        for number in 4..=24 {
            last = visit(number, None, 3);
        }
        assert_eq!(last.len(), MAX_VISITORS);
        assert_eq!((&last[0].user.name, &last[19].user.name), (&user(5).name, &user(24).name));
    }

    #[test]
    fn a_user_is_connected_in_all_its_seats() {
        let history = started([1, 1]);
        let mut watchers = Watchers::default();
        let watcher_id = WatcherId::new();
        watchers.add(watcher_id, watcher(Viewer::User(user(1).id)));
        assert_eq!(connected(&watchers, &history), [Color::White, Color::Black]);
        assert_eq!(watchers.presence(history.state(), NOW).spectators, 0);
        watchers.remove(watcher_id);
        assert_eq!(connected(&watchers, &history), []);
    }
}
