//! The frames of a table, encoded once for all viewers who see the same.
//!
//! `F` is the form in which the caller sends text frames; the text itself will do.

use quadrex_protocol::view::{Entry, StateView};
use quadrex_protocol::{MatchId, ServerFrame, StatePatch, TableId, UserId};
use quadrex_rules::{Move, Timestamp};
use serde::Serialize;

use super::present::PresenceView;
use super::table_view::{legal_moves, state_view, table_view};
use super::viewer::{Viewer, may_move, seats_of};
use crate::history::History;
use crate::state::TableState;

/// The frames of one item, by viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames<F> {
    general: F,
    own: Vec<(UserId, F)>,
}

impl<F> Frames<F> {
    /// Returns the same frame for all viewers.
    pub fn general(general: F) -> Self {
        Self { general, own: Vec::new() }
    }

    /// Replaces the general frame for one user, such as the player to move, whose frame has the
    /// legal moves.
    #[must_use]
    pub fn with_own(mut self, user: UserId, frame: F) -> Self {
        self.own.retain(|(other, _)| *other != user);
        self.own.push((user, frame));
        self
    }

    /// Returns the viewer's own frame if there is one, else the general one.
    pub fn of(&self, viewer: Viewer) -> &F {
        let own = match viewer {
            Viewer::User(user) => self.own.iter().find(|(other, _)| *other == user),
            Viewer::Anonymous => None,
        };
        own.map_or(&self.general, |(_, frame)| frame)
    }
}

/// Encodes a frame.
#[must_use]
pub fn encode<F: From<String>>(frame: &ServerFrame) -> F {
    text(frame).into()
}

fn text(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).expect("a frame is plain JSON")
}

/// Adds the legal moves to the text of an event frame without them: they are its last field. Nothing
/// else is encoded again.
fn with_legal(event: &str, legal: &[Move]) -> String {
    let open = event.strip_suffix('}').expect("a frame is a JSON object");
    format!("{open},\"legal_moves\":{}}}", text(&legal))
}

/// The position of an event among those of its command. The last one has the legal moves of the player
/// to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchPosition {
    /// More events of the same command follow at once.
    Inner,
    /// The table now waits for a command or a deadline.
    Last,
}

/// Returns the frames of an event that led to `state`. `published` is the state that all watchers have,
/// and becomes the new one.
pub fn event<F: From<String>>(
    entry: &Entry,
    published: &mut StateView,
    state: &TableState,
    position: BatchPosition,
    now: Timestamp,
) -> Frames<F> {
    let patch = step(published, state, now);
    let general = text(&EventFrame::new(entry, state, &patch));
    let own =
        (position == BatchPosition::Last).then(|| legal_moves(state)).flatten().map(|(color, legal)| {
            let player = state.player(color).expect("all seats of a running match are held");
            (player.id, with_legal(&general, &legal))
        });
    let mut to = Frames::general(general.into());
    if let Some((player, own)) = own {
        to = to.with_own(player, own.into());
    }
    for holder in state.hidden_from(entry) {
        to = to.with_own(holder, encode(&skip_frame(entry, state)));
    }
    to
}

/// Returns the patch from the published state to the present one, which becomes the published one.
fn step(published: &mut StateView, state: &TableState, now: Timestamp) -> StatePatch {
    let after = state_view(state, now);
    let patch = StatePatch::between(published, &after);
    *published = after;
    patch
}

/// A [`ServerFrame::Event`] without legal moves, of borrowed parts.
#[derive(Serialize)]
#[serde(tag = "t", rename = "event")]
struct EventFrame<'a> {
    table: TableId,
    #[serde(rename = "match")]
    match_id: MatchId,
    #[serde(flatten)]
    entry: &'a Entry,
    state: &'a StatePatch,
}

impl<'a> EventFrame<'a> {
    fn new(entry: &'a Entry, state: &TableState, patch: &'a StatePatch) -> Self {
        Self { table: state.table(), match_id: state.match_id(), entry, state: patch }
    }
}

fn skip_frame(entry: &Entry, state: &TableState) -> ServerFrame {
    ServerFrame::Skip { table: state.table(), match_id: state.match_id(), seq: entry.seq }
}

/// Returns the frame of a change of presence.
#[must_use]
pub fn presence<F: From<String>>(table: TableId, presence: &PresenceView) -> F {
    let PresenceView { players, spectators } = presence.clone();
    encode(&ServerFrame::Presence { table, players, spectators })
}

/// Returns the snapshot of a table for one viewer.
#[must_use]
pub fn snapshot<F: From<String>>(
    history: &History,
    presence: &PresenceView,
    viewer: Viewer,
    now: Timestamp,
) -> F {
    let state = history.state();
    let entries = history.visible_to(viewer);
    encode(&ServerFrame::Snapshot {
        table: state.table(),
        match_id: state.match_id(),
        seq: state.head(),
        view: Box::new(table_view(state, entries, presence, seats_of(state, viewer), now)),
    })
}

/// Returns the frames of another match that has begun at the table: its snapshot, for each seated user
/// as that user sees it.
pub fn next_match<F: From<String>>(history: &History, presence: &PresenceView, now: Timestamp) -> Frames<F> {
    let mut to = Frames::general(snapshot(history, presence, Viewer::Anonymous, now));
    for seat in history.state().seats() {
        if let Some(holder) = &seat.holder {
            to = to.with_own(holder.id, snapshot(history, presence, Viewer::User(holder.id), now));
        }
    }
    to
}

/// Returns the answer to a viewer who can resume from what it has: [`missed`] follows.
#[must_use]
pub fn watching<F: From<String>>(state: &TableState) -> F {
    encode(&ServerFrame::Watching { table: state.table(), match_id: state.match_id(), seq: state.head() })
}

/// Returns the events after the `after`-th for one viewer. The last visible one has the present clocks
/// and, if it is this viewer's turn, the legal moves. The first patch is whole, since the viewer may
/// have the clocks of any moment.
pub fn missed<F: From<String>>(history: &History, after: u64, viewer: Viewer, now: Timestamp) -> Vec<F> {
    let state = history.state();
    let is_hidden = |entry: &Entry| state.is_hidden_from(entry, viewer);
    let last = history.entries().iter().rfind(|entry| !is_hidden(entry)).map(|entry| entry.seq);
    let legal = legal_moves(state).filter(|(turn, _)| may_move(state, viewer, *turn));
    let mut published = None;
    let mut frames = Vec::new();
    let mut push = |entry: &Entry, then: &TableState| {
        if is_hidden(entry) {
            frames.push(encode(&skip_frame(entry, state)));
            return;
        }
        let is_last = Some(entry.seq) == last;
        let (shown, at) = if is_last { (state, now) } else { (then, Timestamp::from_millis(entry.at_ms)) };
        let patch = match &mut published {
            Some(published) => step(published, shown, at),
            None => StatePatch::full(published.insert(state_view(shown, at))),
        };
        let frame = text(&EventFrame::new(entry, state, &patch));
        frames.push(F::from(match &legal {
            Some((_, moves)) if is_last => with_legal(&frame, moves),
            Some(_) | None => frame,
        }));
    };
    match history.entries().last() {
        // The last one needs no state but the present one.
        Some(entry) if entry.seq == after + 1 => push(entry, state),
        _ => history.replay_from(after, push),
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_viewer_gets_its_own_frame_or_the_general_one() {
        let (red, blue) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        let frames = Frames::general("all").with_own(red, "red's old").with_own(red, "red's");
        assert_eq!(frames.of(Viewer::User(red)), &"red's");
        assert_eq!(frames.of(Viewer::User(blue)), &"all");
        assert_eq!(frames.of(Viewer::Anonymous), &"all");
    }
}
