//! The pictures of a whole match, one for each position.

use quadrex_protocol::Event;
use quadrex_protocol::view::Phase;
use quadrex_rules::notation::Playback;
use quadrex_rules::{AnyPosition, Color, Game, GameEvent, Move, Timestamp};

use super::Picture;
use quadrex_table::{History, TableState};

/// The pictures of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenes {
    /// The start, and the position after each move that was not taken back; the last one is the
    /// present position.
    pub plies: Vec<Picture>,
    /// The position in which the match was decided: before the last players were eliminated, whose
    /// pieces left the board with them. The present position of a match that has not ended.
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

    /// Replaces the present position, after an elimination or the end.
    fn replace_last(&mut self, scene: Picture) {
        if let Some(last) = self.plies.last_mut() {
            *last = scene;
        }
    }

    /// Removes the last moves.
    fn take_back(&mut self, plies: usize) {
        self.plies.truncate(self.plies.len().saturating_sub(plies).max(1));
    }

    /// Ends the run of eliminations by which a match may end.
    fn go_on(&mut self) {
        if let Some(last) = self.plies.last() {
            self.decisive.clone_from(last);
        }
    }

    /// Completes the pictures of a match.
    fn finish(mut self, is_over: bool) -> Self {
        if is_over {
            self.decisive.turn = None;
        } else {
            self.go_on();
        }
        self
    }
}

/// Returns the pictures of a match.
#[must_use]
pub fn scenes(history: &History) -> Scenes {
    let mut scenes = Scenes::new(Picture::of(history.state().start()));
    history.replay_from(1, |entry, state| match &entry.event {
        Event::Started { .. } => scenes = Scenes::new(now_of(state, None)),
        Event::Moved { color, mv, .. } => scenes.push(now_of(state, scenes.plies.last()), *color, *mv),
        Event::Eliminated { .. } | Event::Ended { .. } | Event::Aborted { .. } => {
            scenes.replace_last(now_of(state, scenes.plies.last()));
        }
        other => {
            if let Event::TakenBack { plies, .. } = other {
                scenes.take_back(usize::try_from(*plies).unwrap_or(usize::MAX));
            }
            scenes.go_on();
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
    let mut scenes = Scenes::new(now(game.position(), turn(&game), None));
    for event in playback.events() {
        game.apply(event, no_time);
        let scene = now(game.position(), turn(&game), scenes.plies.last());
        match event {
            GameEvent::Moved { color, mv, .. } => scenes.push(scene, *color, *mv),
            GameEvent::Eliminated { .. } | GameEvent::Ended { .. } | GameEvent::Aborted { .. } => {
                scenes.replace_last(scene);
            }
            _ => scenes.go_on(),
        }
    }
    scenes.finish(game.is_over())
}

fn now_of(state: &TableState, before: Option<&Picture>) -> Picture {
    now(state.position(), state.turn(), before)
}

/// Returns a picture of a position. The last moves come from the previous picture, without those of
/// eliminated players.
fn now(position: &AnyPosition, turn: Option<Color>, before: Option<&Picture>) -> Picture {
    let last_moves = before.map(|scene| scene.last_moves.clone()).unwrap_or_default();
    let mut scene = Picture { turn, last_moves, ..Picture::of(position) };
    scene.last_moves.retain(|&color, _| position.is_playing(color));
    scene
}
