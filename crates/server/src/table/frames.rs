//! A table's frames, encoded: once for all who see the same.

use quadrex_protocol::view::{Entry, StateView};
use quadrex_protocol::{MatchId, ServerFrame, StatePatch, TableId, UserId};
use quadrex_rules::{Move, Timestamp};
use serde::Serialize;

use super::history::History;
use super::presence::{Present, may_move, seats_of};
use super::state::TableState;
use super::view::{legal_moves, state_view, table_view};
use crate::bus::{Frame, Frames, News, Published, Viewer};
use quadrex_store::SecretHash;

/// A frame, encoded.
#[must_use]
pub fn encode(frame: &ServerFrame) -> Frame {
    text(frame).into()
}

fn text(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).expect("a frame is plain JSON")
}

/// An event frame's text without legal moves, with them: they are its last field. All else is not encoded again.
fn with_legal(event: &str, legal: &[Move]) -> String {
    let open = event.strip_suffix('}').expect("a frame is a JSON object");
    format!("{open},\"legal_moves\":{}}}", text(&legal))
}

/// Whether an event is the last of its command: only then does the player to move get its legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// More events of the same command follow at once.
    Inner,
    /// The table now waits for somebody.
    Last,
}

/// What the bus carries for an event that led to `state`; `told` is the state that all who watch hold, and holds the
/// new one after.
pub(super) fn event(
    entry: &Entry,
    told: &mut StateView,
    state: &TableState,
    place: Place,
    now: Timestamp,
) -> Published {
    let patch = step(told, state, now);
    let general = text(&EventFrame::new(entry, state, &patch));
    let own = (place == Place::Last).then(|| legal_moves(state)).flatten().map(|(color, legal)| {
        let player = state.player(color).expect("all seats of a running match are held");
        (player.id, with_legal(&general, &legal))
    });
    let mut to = Frames::general(general.into());
    if let Some((holder, own)) = own {
        to = to.with_own(holder, own.into());
    }
    for holder in state.kept_from(entry) {
        to = to.with_own(holder, encode(&skip_frame(entry, state)));
    }
    published(state, News::Event { seq: entry.seq, to })
}

/// The patch that leads from the state told last to this one, which is the one told last from now on.
fn step(told: &mut StateView, state: &TableState, now: Timestamp) -> StatePatch {
    let after = state_view(state, now);
    let patch = StatePatch::between(told, &after);
    *told = after;
    patch
}

fn published(state: &TableState, news: News) -> Published {
    Published { table: state.table(), match_id: state.match_id(), news }
}

/// What the bus carries when these users have ceased to sit here and are not host.
pub(super) fn parted(state: &TableState, users: Vec<UserId>) -> Published {
    published(state, News::Parted { users })
}

/// What the bus carries when the host has kicked these users.
pub(super) fn kicked(state: &TableState, users: Vec<UserId>) -> Published {
    published(state, News::Kicked { users })
}

/// What the bus carries when these links are no more.
pub(super) fn links_ended(state: &TableState, links: Vec<SecretHash>, party: Vec<UserId>) -> Published {
    published(state, News::LinksEnded { links, party })
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

/// What the bus carries when who is there has changed.
pub(super) fn presence(state: &TableState, present: &Present) -> Published {
    let to = Frames::general(encode(&presence_frame(state.table(), present)));
    published(state, News::Presence { to })
}

fn presence_frame(table: TableId, present: &Present) -> ServerFrame {
    ServerFrame::Presence { table, players: present.players.clone(), spectators: present.spectators }
}

/// The whole of a table for one viewer.
pub(super) fn snapshot(history: &History, present: &Present, viewer: Viewer, now: Timestamp) -> Frame {
    let state = history.state();
    let told = history.shown_to(viewer);
    encode(&ServerFrame::Snapshot {
        table: state.table(),
        match_id: state.match_id(),
        seq: state.head(),
        view: Box::new(table_view(state, told, present, seats_of(state, viewer), now)),
    })
}

/// What the bus carries when another match has begun at the table after `after`: all of it, for each who sits as that
/// seat sees it.
pub(super) fn next_match(history: &History, after: MatchId, present: &Present, now: Timestamp) -> Published {
    let state = history.state();
    let mut to = Frames::general(snapshot(history, present, Viewer::Anonymous, now));
    for seat in state.seats() {
        if let Some(holder) = &seat.holder {
            to = to.with_own(holder.id, snapshot(history, present, Viewer::User(holder.id), now));
        }
    }
    published(state, News::Next { after, seq: state.head(), to })
}

/// The answer to a viewer who can go on from what it has: [`missed`] follows.
pub(super) fn watching(state: &TableState) -> Frame {
    encode(&ServerFrame::Watching { table: state.table(), match_id: state.match_id(), seq: state.head() })
}

/// The events after the `after`-th, as one viewer gets them: the last that is told with the clocks of now and, if
/// it is this viewer's turn, the legal moves. The first patch is whole, since the viewer may hold the clocks of any
/// moment.
pub(super) fn missed(history: &History, after: u64, viewer: Viewer, now: Timestamp) -> Vec<Frame> {
    let state = history.state();
    let is_kept = |entry: &Entry| state.is_kept_from(entry, viewer);
    let last = history.entries().iter().rfind(|entry| !is_kept(entry)).map(|entry| entry.seq);
    let legal = legal_moves(state).filter(|(turn, _)| may_move(state, viewer, *turn));
    let mut told = None;
    let mut frames = Vec::new();
    let mut tell = |entry: &Entry, then: &TableState| {
        if is_kept(entry) {
            frames.push(encode(&skip_frame(entry, state)));
            return;
        }
        let is_last = Some(entry.seq) == last;
        let (shown, at) = if is_last { (state, now) } else { (then, Timestamp::from_millis(entry.at_ms)) };
        let patch = match &mut told {
            Some(told) => step(told, shown, at),
            None => StatePatch::whole(told.insert(state_view(shown, at))),
        };
        let frame = text(&EventFrame::new(entry, state, &patch));
        frames.push(Frame::from(match &legal {
            Some((_, moves)) if is_last => with_legal(&frame, moves),
            Some(_) | None => frame,
        }));
    };
    match history.entries().last() {
        // The last one needs no state but the present one.
        Some(entry) if entry.seq == after + 1 => tell(entry, state),
        _ => history.retell(after, tell),
    }
    frames
}
