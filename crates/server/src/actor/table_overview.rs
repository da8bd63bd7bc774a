//! The public state of a table, which its actor keeps up to date for all handles.

use std::sync::Arc;

use quadrex_cluster::PublishedState;
use quadrex_cluster::message::OverviewUpdate;
use quadrex_protocol::http::{TableStatus, TableSummary};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Head, Phase, SeatView};
use quadrex_protocol::{TableSettings, UserId};
use quadrex_table::{self as view, ConnectedPlayer, OpenTurn, TableState};

/// The public state of a table. Handles can read it without sending a message to the actor. Cheap
/// to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOverview {
    /// The current match and the number of its last event.
    pub head: Head,
    /// The summary that the lobby lists. It is replaced only when a field changes that `status`
    /// does not have. The other fields may be out of date here, and `status` has their present
    /// values.
    outline: Arc<TableSummary>,
    /// The fields of the summary that change with every move.
    pub status: TableStatus,
    /// True if the actor has claimed the match's log.
    pub is_claimed: bool,
    /// The users that the host has kicked.
    pub kicked: Arc<[UserId]>,
    /// The seated users who have a connection that watches the table.
    pub connected: Arc<[UserId]>,
    /// The seated users who have been connected since they took their seats.
    pub arrived: Arc<[UserId]>,
    /// True if a connection of the host watches the table.
    pub is_host_present: bool,
    /// The turn of the player who may move now.
    pub open_turn: Option<OpenTurn>,
}

impl TableOverview {
    pub(super) fn new(state: &TableState, spectators: u32, is_claimed: bool) -> Self {
        Self {
            head: Head { match_id: state.match_id(), seq: state.head() },
            outline: Arc::new(view::summary(state)),
            status: view::status(state, spectators),
            is_claimed,
            kicked: state.kicked().collect(),
            connected: Arc::default(),
            arrived: Arc::default(),
            is_host_present: false,
            open_turn: state.open_turn(),
        }
    }

    /// Updates the overview from the state. Copies only the parts that have changed.
    pub(super) fn update(&mut self, state: &TableState) {
        self.head = Head { match_id: state.match_id(), seq: state.head() };
        self.status = view::status(state, self.status.spectators);
        if !view::is_outline_of(&self.outline, state) {
            self.outline = Arc::new(view::summary(state));
        }
        if !state.kicked().eq(self.kicked.iter().copied()) {
            self.kicked = state.kicked().collect();
        }
        self.open_turn = state.open_turn();
    }

    /// Updates the connected players, the arrived users, the presence of the host and the open
    /// turn. Returns whether anything changed.
    pub(super) fn set_connected(
        &mut self,
        state: &TableState,
        players: &[ConnectedPlayer],
        is_host_present: bool,
    ) -> bool {
        let holder = |player: &ConnectedPlayer| {
            let seat = state.seats().iter().find(|seat| seat.color == player.color)?;
            seat.holder.as_ref().map(|holder| holder.id)
        };
        let connected: Vec<UserId> = players.iter().filter_map(holder).collect();
        let holders = state.seats().iter().filter_map(|seat| seat.holder.as_ref()).map(|holder| holder.id);
        let has_arrived = |user: &UserId| connected.contains(user) || self.arrived.contains(user);
        let arrived: Vec<UserId> = holders.filter(has_arrived).collect();
        let open_turn = state.open_turn();
        let is_same = *self.connected == *connected
            && *self.arrived == *arrived
            && self.is_host_present == is_host_present
            && self.open_turn == open_turn;
        if !is_same {
            (self.connected, self.arrived) = (connected.into(), arrived.into());
            (self.is_host_present, self.open_turn) = (is_host_present, open_turn);
        }
        !is_same
    }

    /// Returns whether the overviews differ at most in the fields that change with every move.
    #[must_use]
    pub(super) fn differs_in_state_only(&self, other: &Self) -> bool {
        self.has_outline_of(other)
            && self.kicked == other.kicked
            && self.connected == other.connected
            && self.arrived == other.arrived
            && self.is_host_present == other.is_host_present
    }

    /// Returns the overview for other nodes.
    #[must_use]
    pub fn to_update(&self) -> OverviewUpdate {
        OverviewUpdate {
            head: self.head,
            summary: self.full_summary(),
            kicked: self.kicked.to_vec(),
            connected: self.connected.to_vec(),
            arrived: self.arrived.to_vec(),
            is_host_present: self.is_host_present,
            open_turn: self.open_turn.map(Into::into),
        }
    }

    /// Returns the overview of a table that another node owns. If only its status differs from that
    /// of `before`, the two share one summary.
    #[must_use]
    pub fn from_update(update: &OverviewUpdate, before: Option<&Self>) -> Self {
        let OverviewUpdate { head, summary, kicked, connected, arrived, is_host_present, open_turn } = update;
        let TableSummary { table, turn, plies, spectators, .. } = *summary;
        let is_outline =
            |known: &&Self| TableSummary { turn, plies, spectators, ..(*known.outline).clone() } == *summary;
        Self {
            head: *head,
            outline: before
                .filter(is_outline)
                .map_or_else(|| Arc::new(summary.clone()), |known| Arc::clone(&known.outline)),
            status: TableStatus { table, turn, plies, spectators },
            is_claimed: false,
            kicked: kicked.as_slice().into(),
            connected: connected.as_slice().into(),
            arrived: arrived.as_slice().into(),
            is_host_present: *is_host_present,
            open_turn: open_turn.map(Into::into),
        }
    }

    /// Updates the fields that change with every move.
    pub(super) fn set_published_state(&mut self, state: PublishedState) {
        let PublishedState { head, status, open_turn } = state;
        (self.head, self.status, self.open_turn) = (head, status, open_turn.map(Into::into));
    }

    /// Returns the up-to-date summary that the lobby lists. It has no names if they are hidden.
    #[must_use]
    pub fn summary(&self) -> TableSummary {
        self.summary_for(None)
    }

    /// Returns the up-to-date summary for a viewer, who sees the own name although names are hidden.
    #[must_use]
    pub fn summary_for(&self, viewer: Option<UserId>) -> TableSummary {
        view::shown_summary(self.full_summary(), viewer)
    }

    /// Returns whether the names of the users at the table are hidden now.
    #[must_use]
    pub fn hides_names(&self) -> bool {
        view::hides_names(self.settings(), self.phase())
    }

    fn full_summary(&self) -> TableSummary {
        let TableStatus { turn, plies, spectators, .. } = self.status;
        TableSummary { turn, plies, spectators, ..(*self.outline).clone() }
    }

    /// Returns the summary with all names, without copying it. The fields that [`status`](Self::status) has too may
    /// be out of date in this summary.
    #[must_use]
    pub fn outline(&self) -> &TableSummary {
        &self.outline
    }

    /// Returns the table's settings.
    #[must_use]
    pub fn settings(&self) -> &TableSettings {
        &self.outline.settings
    }

    /// Returns the host, the user who decides about the table, even if names are hidden.
    #[must_use]
    pub fn host(&self) -> &UserView {
        &self.outline.host
    }

    /// Returns the phase of the match: open, running or ended.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.outline.phase
    }

    /// Returns the seats in turn order, with their users even if names are hidden.
    #[must_use]
    pub fn seats(&self) -> &[SeatView] {
        &self.outline.seats
    }

    /// Returns whether two overviews of a table share one summary. If so, their summaries differ at
    /// most in the fields of `status`.
    #[must_use]
    pub fn has_outline_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outline, &other.outline)
    }

    /// Returns the users who hold seats.
    pub fn seated(&self) -> impl Iterator<Item = UserId> + '_ {
        self.seats().iter().filter_map(|seat| seat.user.as_ref()).map(|user| user.id)
    }

    /// Returns the users who hold seats, and the host.
    #[must_use]
    pub fn members(&self) -> Vec<UserId> {
        self.seated().chain([self.host().id]).collect()
    }

    /// Returns the people who hold seats: all but the server's own bots.
    pub fn people(&self) -> impl Iterator<Item = UserId> + '_ {
        let users = self.seats().iter().filter_map(|seat| seat.user.as_ref());
        users.filter(|user| !user.is_server_bot()).map(|user| user.id)
    }
}
