//! A match as pictures.

use quadrex_protocol::Event;
use quadrex_rules::AnyPosition;

use super::Picture;
use crate::table::{History, TableState};

/// The start of a match, and how it stood after each of its moves that were not taken back.
#[must_use]
pub fn scenes(history: &History) -> Vec<Picture> {
    let mut scenes = vec![Picture::of(history.state().start())];
    history.retell(1, |entry, state| match &entry.event {
        Event::Started { .. } => scenes = vec![now(state, None)],
        Event::Moved { color, mv, .. } => {
            let mut scene = now(state, scenes.last());
            scene.last_moves.insert(*color, *mv);
            scenes.push(scene);
        }
        Event::TakenBack { plies, .. } => {
            let kept = scenes.len().saturating_sub(usize::try_from(*plies).unwrap_or(usize::MAX)).max(1);
            scenes.truncate(kept);
        }
        Event::Eliminated { .. } | Event::Ended { .. } | Event::Aborted { .. } => {
            let scene = now(state, scenes.last());
            if let Some(last) = scenes.last_mut() {
                *last = scene;
            }
        }
        _ => {}
    });
    scenes
}

/// How a match stands, with the last moves of the scene before as far as who made them is in.
fn now(state: &TableState, before: Option<&Picture>) -> Picture {
    let position: &AnyPosition = state.position();
    let last_moves = before.map(|scene| scene.last_moves.clone()).unwrap_or_default();
    let mut scene = Picture { turn: state.turn(), last_moves, ..Picture::of(position) };
    scene.last_moves.retain(|&color, _| position.is_in(color));
    scene
}
