//! The pictures of a whole match, one for each position.

use quadrex_protocol::Event;
use quadrex_rules::notation::Playback;
use quadrex_rules::{AnyPosition, Color, Game, GameEvent, Timestamp};

use super::Picture;
use quadrex_table::{History, TableState};

/// Returns a picture of the start of a match, and one after each move that was not taken back.
#[must_use]
pub fn scenes(history: &History) -> Vec<Picture> {
    let mut scenes = vec![Picture::of(history.state().start())];
    history.replay_from(1, |entry, state| match &entry.event {
        Event::Started { .. } => scenes = vec![now_of(state, None)],
        Event::Moved { color, mv, .. } => {
            let mut scene = now_of(state, scenes.last());
            scene.last_moves.insert(*color, *mv);
            scenes.push(scene);
        }
        Event::TakenBack { plies, .. } => {
            let kept = scenes.len().saturating_sub(usize::try_from(*plies).unwrap_or(usize::MAX)).max(1);
            scenes.truncate(kept);
        }
        Event::Eliminated { .. } | Event::Ended { .. } | Event::Aborted { .. } => {
            let scene = now_of(state, scenes.last());
            if let Some(last) = scenes.last_mut() {
                *last = scene;
            }
        }
        _ => {}
    });
    scenes
}

/// Returns a picture of the start of a replayed game, and one after each of its moves.
#[must_use]
pub fn scenes_of_game(playback: &Playback) -> Vec<Picture> {
    let config = playback.game().config().clone();
    let no_time = Timestamp::from_millis(0);
    let mut game = Game::load(config, no_time).expect("it was played from there");
    let turn = |game: &Game| (!game.is_over()).then(|| game.position().turn());
    let mut scenes = vec![now(game.position(), turn(&game), None)];
    for event in playback.events() {
        game.apply(event, no_time);
        let mut scene = now(game.position(), turn(&game), scenes.last());
        if let GameEvent::Moved { color, mv, .. } = event {
            scene.last_moves.insert(*color, *mv);
            scenes.push(scene);
        } else if let Some(last) = scenes.last_mut() {
            *last = scene;
        }
    }
    scenes
}

fn now_of(state: &TableState, before: Option<&Picture>) -> Picture {
    now(state.position(), state.turn(), before)
}

/// Returns a picture of a position. The last moves come from the previous picture, without those of
/// eliminated players.
fn now(position: &AnyPosition, turn: Option<Color>, before: Option<&Picture>) -> Picture {
    let last_moves = before.map(|scene| scene.last_moves.clone()).unwrap_or_default();
    let mut scene = Picture { turn, last_moves, ..Picture::of(position) };
    scene.last_moves.retain(|&color, _| position.is_in(color));
    scene
}
