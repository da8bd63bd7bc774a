//! The items that a table publishes.

use quadrex_protocol::view::{Entry, StateView};
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::SecretHash;
use quadrex_table::frames::{self, BatchPosition};
use quadrex_table::{History, PresenceView, TableState};

use crate::bus::{Frames, News, Published};

fn published(state: &TableState, news: News) -> Published {
    Published { table: state.table(), match_id: state.match_id(), news }
}

/// Returns the publication of an event that led to `state`. `known` is the state that all watchers
/// have, and becomes the new one.
pub(super) fn event(
    entry: &Entry,
    known: &mut StateView,
    state: &TableState,
    position: BatchPosition,
    now: Timestamp,
) -> Published {
    let to = frames::event(entry, known, state, position, now);
    published(state, News::Event { seq: entry.seq, to })
}

/// Returns the publication of another match at the table, which began after `after`.
pub(super) fn next_match(
    history: &History,
    after: MatchId,
    presence: &PresenceView,
    now: Timestamp,
) -> Published {
    let to = frames::next_match(history, presence, now);
    published(history.state(), News::Next { after, seq: history.state().head(), to })
}

/// Returns the publication of a change of presence.
pub(super) fn presence(state: &TableState, presence: &PresenceView) -> Published {
    let to = Frames::general(frames::presence(state.table(), presence));
    published(state, News::Presence { to })
}

/// Returns the publication that these users hold no seat here and are not host any more.
pub(super) fn parted(state: &TableState, users: Vec<UserId>) -> Published {
    published(state, News::Parted { users })
}

/// Returns the publication that the host has kicked these users.
pub(super) fn kicked(state: &TableState, users: Vec<UserId>) -> Published {
    published(state, News::Kicked { users })
}

/// Returns the publication that these links have ended.
pub(super) fn links_ended(state: &TableState, links: Vec<SecretHash>, party: Vec<UserId>) -> Published {
    published(state, News::LinksEnded { links, party })
}
