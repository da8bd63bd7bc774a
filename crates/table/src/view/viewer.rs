//! The viewers of a table, and the entries that they may not see.

use quadrex_protocol::chat::Room;
use quadrex_protocol::view::Entry;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Color;

use crate::history::History;
use crate::state::{Stage, TableState};

/// The identity of a recipient of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The recipient is this user.
    User(UserId),
    /// The recipient is not signed in.
    Anonymous,
}

impl Viewer {
    /// Returns the user, unless the viewer is anonymous.
    #[must_use]
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::Anonymous => None,
        }
    }
}

/// Returns whether a viewer makes the moves of this color. The viewer must hold the seat, and no
/// bot may replace the viewer in it.
pub(crate) fn may_move(state: &TableState, viewer: Viewer, color: Color) -> bool {
    state.player(color).is_some_and(|player| viewer == Viewer::User(player.id))
}

/// Returns the seats that a viewer holds, in turn order.
#[must_use]
pub fn seats_of(state: &TableState, viewer: Viewer) -> Vec<Color> {
    viewer.user().map(|user| state.seats_of(user)).unwrap_or_default()
}

/// The largest number of messages of bystanders in a snapshot. If there are more, the snapshot
/// contains the latest ones.
const MAX_BYSTANDER_MESSAGES: usize = 200;

impl TableState {
    /// Returns whether an entry is hidden from the seated users now. While the match runs, this is
    /// true for the messages that bystanders have written since its start (RULES D15).
    pub(crate) fn is_for_bystanders(&self, entry: &Entry) -> bool {
        let is_running = matches!(self.stage(), Stage::Running(_));
        is_running
            && self.started_seq.is_some_and(|started_seq| entry.seq > started_seq)
            && matches!(entry.event, Event::MessageSent { room: Room::Bystanders, .. })
    }

    /// Returns the users from whom an entry is hidden now.
    pub(crate) fn hidden_from(&self, entry: &Entry) -> impl Iterator<Item = UserId> + '_ {
        let is_hidden = self.is_for_bystanders(entry);
        let holders = self.seats().iter().filter(move |_| is_hidden).filter_map(|seat| seat.holder.as_ref());
        holders.map(|holder| holder.id).filter(|&holder| self.room_of(holder) == Room::Seated)
    }

    /// Returns whether an entry is hidden from a viewer now.
    pub(crate) fn is_hidden_from(&self, entry: &Entry, viewer: Viewer) -> bool {
        self.hidden_from(entry).any(|holder| viewer == Viewer::User(holder))
    }
}

impl History {
    /// Returns the entries of a snapshot for a viewer. Hidden entries are left out. Of the
    /// bystanders' messages, only the last [`MAX_BYSTANDER_MESSAGES`] are included, so that chat
    /// does not make snapshots large.
    pub(crate) fn visible_to(&self, viewer: Viewer) -> impl Iterator<Item = &Entry> {
        let is_bystanders =
            |entry: &Entry| matches!(entry.event, Event::MessageSent { room: Room::Bystanders, .. });
        let count = self.entries().iter().filter(|entry| is_bystanders(entry)).count();
        let mut omitted = count.saturating_sub(MAX_BYSTANDER_MESSAGES);
        self.entries().iter().filter(move |entry| {
            let is_omitted = is_bystanders(entry) && omitted > 0;
            omitted -= usize::from(is_omitted);
            !is_omitted && !self.state().is_hidden_from(entry, viewer)
        })
    }
}
