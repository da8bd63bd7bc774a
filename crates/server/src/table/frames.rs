//! A table's frames, encoded: once for all who see the same.

use quadrex_protocol::view::Entry;
use quadrex_protocol::{ServerFrame, TableId};
use quadrex_rules::{Color, Timestamp};

use super::history::History;
use super::presence::Present;
use super::state::TableState;
use super::view::{legal_moves, state_view, table_view};
use crate::bus::{Frame, Frames, Published};

/// A frame as text.
#[must_use]
pub fn encode(frame: &ServerFrame) -> Frame {
    serde_json::to_string(frame).expect("a frame is plain JSON").into()
}

/// Whether an event is the last of its command: only then does the player to move get its legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// More events of the same command follow at once.
    Inner,
    /// The table now waits for somebody.
    Last,
}

/// What the bus carries for an event that led to `state`.
pub(super) fn event(entry: &Entry, state: &TableState, place: Place, now: Timestamp) -> Published {
    let mut frame = ServerFrame::Event {
        table: state.table(),
        entry: entry.clone(),
        state: state_view(state, now),
        legal: None,
    };
    let mut to = Frames::general(encode(&frame));
    if let (Place::Last, Some((color, moves))) = (place, legal_moves(state)) {
        let holder = state.holder(color).expect("all seats of a running match are held");
        let ServerFrame::Event { legal, .. } = &mut frame else { unreachable!("it was made an event above") };
        *legal = Some(moves);
        to = to.with_own(holder.id, encode(&frame));
    }
    Published { table: state.table(), match_id: state.match_id(), seq: Some(entry.seq), to }
}

/// What the bus carries when who is there has changed.
pub(super) fn presence(state: &TableState, present: &Present) -> Published {
    let to = Frames::general(encode(&presence_frame(state.table(), present)));
    Published { table: state.table(), match_id: state.match_id(), seq: None, to }
}

fn presence_frame(table: TableId, present: &Present) -> ServerFrame {
    ServerFrame::Presence { table, connected: present.connected.clone(), spectators: present.spectators }
}

/// The whole of a table for one viewer.
pub(super) fn snapshot(history: &History, present: &Present, you: Option<Color>, now: Timestamp) -> Frame {
    let state = history.state();
    encode(&ServerFrame::Snapshot {
        table: state.table(),
        match_id: state.match_id(),
        seq: state.head(),
        view: Box::new(table_view(state, history.entries(), present, you, now)),
    })
}

/// The events after the `after`-th, as one viewer gets them: the last with the clocks of now and, if it is this
/// viewer's turn, the legal moves.
pub(super) fn missed(
    history: &History,
    after: u64,
    viewer: crate::bus::Viewer,
    now: Timestamp,
) -> Vec<Frame> {
    let state = history.state();
    let mut frames = Vec::new();
    if state.head() > after + 1 {
        history.retell(after, |entry, state| {
            if entry.seq < history.state().head() {
                let published = event(entry, state, Place::Inner, Timestamp::from_millis(entry.at_ms));
                frames.push(published.to.of(viewer).clone());
            }
        });
    }
    if state.head() > after {
        let last = history.entries().last().expect("a match has its first event");
        frames.push(event(last, state, Place::Last, now).to.of(viewer).clone());
    }
    frames
}
