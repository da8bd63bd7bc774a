//! A match for somebody who does not watch its table, as a view or in notation.

use quadrex_protocol::archive::MatchView;
use quadrex_rules::notation::{Notation, Tags, pgn, pgn4};
use quadrex_rules::{GameEvent, Timestamp};

use super::present::PresenceView;
use super::table_view::table_view;
use super::viewer::{Viewer, seats_of};
use crate::history::History;

/// The title that marks bots in notation. Other chess sites use the same title.
const BOT_TITLE: &str = "BOT";

/// Returns the match as a snapshot would show it to this viewer, but without presence.
#[must_use]
pub fn match_view(history: &History, viewer: Viewer, now: Timestamp) -> MatchView {
    let state = history.state();
    let entries = history.visible_to(viewer);
    let mut view = table_view(state, entries, &PresenceView::default(), seats_of(state, viewer), now);
    state.hide_names_in(&mut view, viewer);
    MatchView { table: state.table(), match_id: state.match_id(), seq: state.head(), view }
}

/// Returns the match as PGN or PGN4, with these tags and with tags for the players. Returns `None`
/// if the match has not started.
#[must_use]
pub fn notation(history: &History, tags: &Tags) -> Option<String> {
    let state = history.state();
    let config = state.game()?.config();
    let events: Vec<GameEvent> =
        history.entries().iter().filter_map(|entry| entry.event.to_rules()).collect();
    let mut tags = tags.clone();
    for seat in state.seats() {
        if let Some(holder) = state.shown_holder(seat.color) {
            let (first, rest) = seat.color.name().split_at(1);
            let color = first.to_ascii_uppercase() + rest;
            tags.set(&color, &holder.name);
            if holder.bot.is_some() {
                tags.set(&format!("{color}Title"), BOT_TITLE);
            }
        }
    }
    let reason = "the log was replayed by the same rules";
    let mut text = String::new();
    match config.setup.variant.notation() {
        Notation::Pgn => pgn::write(config, &events, &tags).expect(reason).write_pgn(&mut text),
        Notation::Pgn4 => pgn4::write(config, &events, &tags).expect(reason).write_pgn4(&mut text),
    }
    .expect("writing to a string does not fail");
    Some(text)
}
