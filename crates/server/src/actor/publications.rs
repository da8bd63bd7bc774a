//! The publications of a table: what its actor sends to the subscribers.

use quadrex_protocol::view::{Entry, StateView};
use quadrex_protocol::{Event, MatchId, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::SecretHash;
use quadrex_table::frames::{self, BatchPosition};
use quadrex_table::{History, PresenceView, TableState, Viewer};

use crate::bus::{Frames, Publication, PublicationKind};

fn publication(state: &TableState, kind: PublicationKind) -> Publication {
    Publication { table: state.table(), match_id: state.match_id(), kind }
}

/// Returns the publication of an event that led from `published_state` to `state`. Updates
/// `published_state`, the state that all watchers have received.
pub(super) fn event(
    entry: &Entry,
    published_state: &mut StateView,
    state: &TableState,
    position: BatchPosition,
    now: Timestamp,
) -> Publication {
    let mut frames: Frames = frames::event(entry, published_state, state, position, now);
    if quadrex_runtime::has_planted!(LeakedBystandersChat) && matches!(entry.event, Event::MessageSent { .. })
    {
        frames = Frames::same_for_all(frames.general().clone());
    }
    publication(state, PublicationKind::Event { seq: entry.seq, frames })
}

/// Returns the publication of the table's next match, which follows the match `previous`.
pub(super) fn next_match(
    history: &History,
    previous: MatchId,
    presence: &PresenceView,
    now: Timestamp,
) -> Publication {
    let frames = frames::next_match(history, presence, now);
    publication(history.state(), PublicationKind::NextMatch { previous, seq: history.state().head(), frames })
}

/// Returns the publication of a snapshot for all watchers. `users` are those who watch here.
pub(super) fn snapshot(
    history: &History,
    presence: &PresenceView,
    users: impl IntoIterator<Item = UserId>,
    now: Timestamp,
) -> Publication {
    let state = history.state();
    let is_special =
        |user: &UserId| state.members().contains(user) || state.kicked().any(|kicked| kicked == *user);
    let snapshot = |viewer| frames::snapshot(history, presence, viewer, now);
    let general = Frames::same_for_all(snapshot(Viewer::Anonymous));
    let special = users.into_iter().filter(is_special);
    let frames =
        special.fold(general, |frames, user| frames.with_special(user, snapshot(Viewer::User(user))));
    publication(state, PublicationKind::Snapshot { seq: state.head(), frames })
}

/// Returns the publication of a change of presence.
pub(super) fn presence(state: &TableState, presence: &PresenceView) -> Publication {
    publication(state, PublicationKind::Presence { frames: frames::presence(state, presence) })
}

/// Returns the publication that these users have left the table: they no longer hold a seat, and
/// none of them is the host.
pub(super) fn left_table(state: &TableState, users: Vec<UserId>) -> Publication {
    publication(state, PublicationKind::LeftTable { users })
}

/// Returns the publication that the host has kicked these users.
pub(super) fn kicked(state: &TableState, users: Vec<UserId>) -> Publication {
    publication(state, PublicationKind::Kicked { users })
}

/// Returns the publication that these links have ended.
pub(super) fn links_ended(state: &TableState, links: Vec<SecretHash>, members: Vec<UserId>) -> Publication {
    publication(state, PublicationKind::LinksEnded { links, members })
}
