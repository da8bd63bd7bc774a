//! The frames of a table. A frame is encoded once for all viewers who see the same.
//!
//! The type `F` is the form in which the caller sends a frame. The caller creates it from the
//! frame's JSON text.

use quadrex_protocol::view::{Entry, LinkVisitor, StateView};
use quadrex_protocol::{MatchId, ServerFrame, StatePatch, TableId, UserId};
use quadrex_rules::{Color, Move, Timestamp};
use serde::Serialize;

use super::present::PresenceView;
use super::table_view::{hints_for, legal_moves, state_view, table_view};
use super::viewer::{Viewer, may_move, seats_of};
use crate::history::History;
use crate::state::TableState;

/// The frames of one publication. Most viewers receive the same frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames<F> {
    /// The frame for every viewer who is not in `special`.
    general: F,
    /// The frames for users who receive another frame than `general`.
    special: Vec<(UserId, F)>,
}

impl<F> Frames<F> {
    /// Returns frames in which all viewers receive the same frame.
    pub fn same_for_all(frame: F) -> Self {
        Self { general: frame, special: Vec::new() }
    }

    /// Adds a special frame for one user. The player to move, for example, receives a frame with
    /// the legal moves.
    #[must_use]
    pub fn with_special(mut self, user: UserId, frame: F) -> Self {
        self.special.retain(|(other, _)| *other != user);
        self.special.push((user, frame));
        self
    }

    /// Returns the frame for every viewer without a special frame.
    pub fn general(&self) -> &F {
        &self.general
    }

    /// Returns the users who receive another frame, with their frames.
    pub fn special(&self) -> &[(UserId, F)] {
        &self.special
    }

    /// Returns the frame for a viewer.
    pub fn of(&self, viewer: Viewer) -> &F {
        let special = match viewer {
            Viewer::User(user) => self.special.iter().find(|(other, _)| *other == user),
            Viewer::Anonymous => None,
        };
        special.map_or(&self.general, |(_, frame)| frame)
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

/// Returns the text of an event frame with two more fields at its end: the legal moves of the
/// player to move, and the hints about them. The rest of the text is not encoded again.
fn with_legal_moves(event_frame: &str, (turn, legal_moves): (Color, &[Move]), state: &TableState) -> String {
    let without_brace = event_frame.strip_suffix('}').expect("a frame is a JSON object");
    let hints = hints_for((turn, legal_moves), state);
    let hints = hints.map(|hints| format!(",\"hints\":{}", text(&hints))).unwrap_or_default();
    format!("{without_brace},\"legal_moves\":{}{hints}}}", text(&legal_moves))
}

/// The position of an event among the events of the same command. Of these events' frames, only the
/// last one contains the legal moves of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchPosition {
    /// More events of the same command follow at once.
    Inner,
    /// This is the last event of the command.
    Last,
}

/// Returns the frames of an event that led from the state `published` to `state`. All watchers have
/// received `published`. Replaces `published` with the new state.
pub fn event<F: From<String>>(
    entry: &Entry,
    published: &mut StateView,
    state: &TableState,
    position: BatchPosition,
    now: Timestamp,
) -> Frames<F> {
    let patch = update_published(published, state, now);
    event_with_patch(entry, &patch, state, position)
}

fn event_with_patch<F: From<String>>(
    entry: &Entry,
    patch: &StatePatch,
    state: &TableState,
    position: BatchPosition,
) -> Frames<F> {
    let frame_for = |viewer| text(&EventFrame::new(&state.shown_entry(entry, viewer), state, patch));
    let general = frame_for(Viewer::Anonymous);
    let for_player =
        (position == BatchPosition::Last).then(|| legal_moves(state)).flatten().map(|(color, legal)| {
            let player = state.player(color).expect("all seats of a running match are held");
            let frame = if state.hides_names() { &frame_for(Viewer::User(player.id)) } else { &general };
            (player.id, with_legal_moves(frame, (color, &legal), state))
        });
    let mut frames = Frames::same_for_all(general.into());
    for user in state.own_viewers(entry) {
        frames = frames.with_special(user, frame_for(Viewer::User(user)).into());
    }
    if let Some((player, frame)) = for_player {
        frames = frames.with_special(player, frame.into());
    }
    for holder in state.hidden_from(entry) {
        frames = frames.with_special(holder, encode(&skip_frame(entry, state)));
    }
    frames
}

/// Replaces the published state with the current one, and returns the patch between them.
fn update_published(published: &mut StateView, state: &TableState, now: Timestamp) -> StatePatch {
    let after = state_view(state, now);
    let patch = StatePatch::between(published, &after);
    *published = after;
    patch
}

/// A [`ServerFrame::Event`] without legal moves. It borrows its parts, so that they are not copied.
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

/// Returns the frames of a change of presence. Only the host's frame names the users who opened the
/// table through a link.
#[must_use]
pub fn presence<F: From<String>>(state: &TableState, presence: &PresenceView) -> Frames<F> {
    let general = Frames::same_for_all(presence_frame(state, presence, &[]));
    if presence.link_visitors.is_empty() || state.hides_names() {
        return general;
    }
    general.with_special(state.host().id, presence_frame(state, presence, &presence.link_visitors))
}

/// Returns a frame with the current presence, for a viewer who may have missed changes.
#[must_use]
pub fn presence_for<F: From<String>>(state: &TableState, presence: &PresenceView, viewer: Viewer) -> F {
    let is_host = viewer.user() == Some(state.host().id) && !state.hides_names();
    presence_frame(state, presence, if is_host { &presence.link_visitors } else { &[] })
}

fn presence_frame<F: From<String>>(
    state: &TableState,
    presence: &PresenceView,
    link_visitors: &[LinkVisitor],
) -> F {
    encode(&ServerFrame::Presence {
        table: state.table(),
        players: presence.players.clone(),
        spectators: presence.spectators,
        link_visitors: link_visitors.to_vec(),
    })
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
    let mut view = table_view(state, entries, presence, seats_of(state, viewer), now);
    if let Some(user) = viewer.user() {
        view.kicked = state.kicked().any(|kicked| kicked == user);
        if user == state.host().id {
            view.link_visitors.clone_from(&presence.link_visitors);
        }
    }
    state.hide_names_in(&mut view, viewer);
    encode(&ServerFrame::Snapshot {
        table: state.table(),
        match_id: state.match_id(),
        seq: state.head(),
        view: Box::new(view),
    })
}

/// Returns the frames by which a rematch begins. Each seated user receives a snapshot of what that
/// user may see. All other viewers receive the same snapshot.
pub fn next_match<F: From<String>>(history: &History, presence: &PresenceView, now: Timestamp) -> Frames<F> {
    let mut frames = Frames::same_for_all(snapshot(history, presence, Viewer::Anonymous, now));
    for seat in history.state().seats() {
        if let Some(holder) = &seat.holder {
            frames =
                frames.with_special(holder.id, snapshot(history, presence, Viewer::User(holder.id), now));
        }
    }
    frames
}

/// Returns the frame by which a subscription resumes without a snapshot. After it, the client is
/// sent the frames of [`missed`].
#[must_use]
pub fn watching<F: From<String>>(state: &TableState) -> F {
    encode(&ServerFrame::Watching { table: state.table(), match_id: state.match_id(), seq: state.head() })
}

/// Returns the frames of the events with numbers greater than `after`, for one viewer.
///
/// The frame of the last event that the viewer may see contains the current clocks and, if it is
/// the viewer's turn, the legal moves. The first patch contains the whole state, because it is
/// unknown at which moment the viewer's clock values were right.
pub fn missed<F: From<String>>(history: &History, after: u64, viewer: Viewer, now: Timestamp) -> Vec<F> {
    let state = history.state();
    let is_hidden = |entry: &Entry| state.is_hidden_from(entry, viewer);
    let last_visible = history.entries().iter().rfind(|entry| !is_hidden(entry)).map(|entry| entry.seq);
    let legal = legal_moves(state).filter(|(turn, _)| may_move(state, viewer, *turn));
    let mut published = None;
    let mut frames = Vec::new();
    let mut push = |entry: &Entry, state_after_entry: &TableState| {
        if is_hidden(entry) {
            frames.push(encode(&skip_frame(entry, state)));
            return;
        }
        let is_last = Some(entry.seq) == last_visible;
        let (shown, at) =
            if is_last { (state, now) } else { (state_after_entry, Timestamp::from_millis(entry.at_ms)) };
        let patch = match &mut published {
            Some(published) => update_published(published, shown, at),
            None => StatePatch::full(published.insert(state_view(shown, at))),
        };
        let frame = text(&EventFrame::new(&state.shown_entry(entry, viewer), state, &patch));
        frames.push(F::from(match &legal {
            Some((turn, moves)) if is_last => with_legal_moves(&frame, (*turn, moves), state),
            Some(_) | None => frame,
        }));
    };
    match history.entries().last() {
        // A single event needs no replay, because the state after it is the current one.
        Some(entry) if entry.seq == after + 1 => push(entry, state),
        _ => history.replay_from(after, push),
    }
    frames
}

/// Returns the frames of the events with numbers greater than `after`, for all viewers, each with its
/// number. Each event has the legal moves at its time. The first patch contains the whole state,
/// because it is unknown at which moment the viewers' clock values were right.
pub fn events_after<F: From<String>>(history: &History, after: u64, now: Timestamp) -> Vec<(u64, Frames<F>)> {
    let last = history.state().head();
    let mut published: Option<StateView> = None;
    let mut events = Vec::new();
    history.replay_from(after, |entry, state| {
        let at = if entry.seq == last { now } else { Timestamp::from_millis(entry.at_ms) };
        let patch = match &mut published {
            Some(published) => update_published(published, state, at),
            None => StatePatch::full(published.insert(state_view(state, at))),
        };
        events.push((entry.seq, event_with_patch(entry, &patch, state, BatchPosition::Last)));
    });
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_viewer_receives_its_own_frame_or_the_general_one() {
        let (red, blue) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        let frames = Frames::same_for_all("all").with_special(red, "red's old").with_special(red, "red's");
        assert_eq!(frames.of(Viewer::User(red)), &"red's");
        assert_eq!(frames.of(Viewer::User(blue)), &"all");
        assert_eq!(frames.of(Viewer::Anonymous), &"all");
    }
}
