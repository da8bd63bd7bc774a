//! A match as it is told to who asks once and does not watch: as a view, and in notation.

use quadrex_protocol::archive::MatchView;
use quadrex_rules::notation::{Notation, Tags, pgn, pgn4};
use quadrex_rules::{GameEvent, Timestamp};

use super::history::History;
use super::presence::{Present, seats_of};
use super::view::table_view;
use crate::bus::Viewer;

/// The title of bots in notation, as other sites write it.
const BOT_TITLE: &str = "BOT";

/// The match as a snapshot shows it to this viewer, without who is there.
#[must_use]
pub fn match_view(history: &History, viewer: Viewer, now: Timestamp) -> MatchView {
    let state = history.state();
    let told = history.shown_to(viewer);
    MatchView {
        table: state.table(),
        match_id: state.match_id(),
        seq: state.head(),
        view: table_view(state, told, &Present::default(), seats_of(state, viewer), now),
    }
}

/// The match as PGN or PGN4 with the players' names and these tags; nothing if it has not begun.
#[must_use]
pub fn notation(history: &History, tags: &Tags) -> Option<String> {
    let state = history.state();
    let config = state.game()?.config();
    let events: Vec<GameEvent> =
        history.entries().iter().filter_map(|entry| entry.event.to_rules()).collect();
    let mut tags = tags.clone();
    for seat in state.seats() {
        if let Some(holder) = &seat.holder {
            let (first, rest) = seat.color.name().split_at(1);
            let color = first.to_ascii_uppercase() + rest;
            tags.set(&color, &holder.name);
            if holder.bot.is_some() {
                tags.set(&format!("{color}Title"), BOT_TITLE);
            }
        }
    }
    let happened = "its log was read by the same rules";
    let mut text = String::new();
    match config.setup.variant.notation() {
        Notation::Pgn => pgn::write(config, &events, &tags).expect(happened).write_pgn(&mut text),
        Notation::Pgn4 => pgn4::write(config, &events, &tags).expect(happened).write_pgn4(&mut text),
    }
    .expect("a string takes all");
    Some(text)
}
