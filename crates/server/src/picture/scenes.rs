//! The scenes of a match: its pictures, one for each position.

use quadrex_protocol::Event;
use quadrex_protocol::view::Phase;
use quadrex_rules::notation::Playback;
use quadrex_rules::{AnyPosition, Color, Game, GameEvent, Move, Timestamp};

use super::Picture;
use quadrex_table::{History, TableState};

/// The pictures of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenes {
    /// The start position, and the position after each move that was not taken back. The last one
    /// is the present position.
    pub plies: Vec<Picture>,
    /// The position in which the match was decided. This is the position before the last players
    /// were eliminated, because their pieces left the board at that moment. If the match has not
    /// ended, this is the present position.
    pub decisive: Picture,
}

impl Scenes {
    fn new(start: Picture) -> Self {
        Self { plies: vec![start.clone()], decisive: start }
    }

    /// Adds the position after a move.
    fn push(&mut self, mut scene: Picture, color: Color, mv: Move) {
        scene.last_moves.insert(color, mv);
        self.decisive = scene.clone();
        self.plies.push(scene);
    }

    /// Replaces the present position, after an elimination or the end of the match.
    fn replace_last(&mut self, scene: Picture) {
        if let Some(last) = self.plies.last_mut() {
            *last = scene;
        }
    }

    /// Removes the positions after the last `plies` moves.
    fn take_back(&mut self, plies: usize) {
        self.plies.truncate(self.plies.len().saturating_sub(plies).max(1));
    }

    /// Records that the match goes on after the last eliminations, so they did not decide it.
    fn continue_match(&mut self) {
        if let Some(last) = self.plies.last() {
            self.decisive.clone_from(last);
        }
    }

    /// Completes the pictures of a match.
    fn finish(mut self, is_over: bool) -> Self {
        if is_over {
            self.decisive.turn = None;
        } else {
            self.continue_match();
        }
        self
    }
}

/// Returns the pictures of a match.
#[must_use]
pub fn scenes(history: &History) -> Scenes {
    let mut scenes = Scenes::new(Picture::of(history.state().start()));
    history.replay_from(1, |entry, state| match &entry.event {
        Event::Started { .. } => scenes = Scenes::new(picture_of_state(state, None)),
        Event::Moved { color, mv, .. } => {
            scenes.push(picture_of_state(state, scenes.plies.last()), *color, *mv);
        }
        Event::Eliminated { .. } | Event::Ended { .. } | Event::Aborted { .. } => {
            scenes.replace_last(picture_of_state(state, scenes.plies.last()));
        }
        other => {
            if let Event::TakenBack { plies, .. } = other {
                scenes.take_back(usize::try_from(*plies).unwrap_or(usize::MAX));
            }
            scenes.continue_match();
        }
    });
    scenes.finish(history.state().phase() == Phase::Ended)
}

/// Returns the pictures of a replayed game.
#[must_use]
pub fn scenes_of_game(playback: &Playback) -> Scenes {
    let config = playback.game().config().clone();
    let no_time = Timestamp::from_millis(0);
    let mut game = Game::load(config, no_time).expect("it was played from there");
    let turn = |game: &Game| (!game.is_over()).then(|| game.position().turn());
    let mut scenes = Scenes::new(picture_of(game.position(), turn(&game), None));
    for event in playback.events() {
        game.apply(event, no_time);
        let scene = picture_of(game.position(), turn(&game), scenes.plies.last());
        match event {
            GameEvent::Moved { color, mv, .. } => scenes.push(scene, *color, *mv),
            GameEvent::Eliminated { .. } | GameEvent::Ended { .. } | GameEvent::Aborted { .. } => {
                scenes.replace_last(scene);
            }
            _ => scenes.continue_match(),
        }
    }
    scenes.finish(game.is_over())
}

fn picture_of_state(state: &TableState, before: Option<&Picture>) -> Picture {
    picture_of(state.position(), state.turn(), before)
}

/// Returns a picture of a position. The last moves are those of the previous picture, except the
/// moves of eliminated players.
fn picture_of(position: &AnyPosition, turn: Option<Color>, before: Option<&Picture>) -> Picture {
    let last_moves = before.map(|scene| scene.last_moves.clone()).unwrap_or_default();
    let mut scene = Picture { turn, last_moves, ..Picture::of(position) };
    scene.last_moves.retain(|&color, _| position.is_playing(color));
    scene
}
