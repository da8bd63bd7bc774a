//! A game driven by what stands written, where no clock runs.

use alloc::vec::Vec;

use super::replay::BadEvent;
use crate::color::Color;
use crate::game::{
    Cause, DrawPolicy, Game, GameCommand, GameConfig, GameEvent, Places, Reason, Rejection, Request,
    TimeControl,
};
use crate::mv::Move;
use crate::setup::{Setup, SetupError};
use crate::timestamp::Timestamp;

/// When everything happens in a game without clocks.
const NO_TIME: Timestamp = Timestamp::from_millis(0);

/// A game that is played over from its text, without clocks, and what happened in it.
#[derive(Clone, Debug)]
pub struct Playback {
    game: Game,
    events: Vec<GameEvent>,
}

impl Playback {
    /// Starts from a set-up, which may be over or put players out at once (S1).
    ///
    /// # Errors
    /// When the set-up is no position.
    pub fn new(setup: Setup, draws: DrawPolicy) -> Result<Self, SetupError> {
        let config = GameConfig { setup, draws, time: TimeControl::None };
        Ok(Self { game: Game::load(config, NO_TIME)?, events: Vec::new() })
    }

    /// The game as it stands.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Moves, goings-out and the end, in their order. Offers of draws are not among them.
    #[must_use]
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// The moves made, and by whom.
    pub fn plies(&self) -> impl Iterator<Item = (Color, Move)> {
        self.events.iter().filter_map(|event| match event {
            GameEvent::Moved { color, mv, .. } => Some((*color, *mv)),
            _ => None,
        })
    }

    /// The player to move makes a move, after which it has so many milliseconds left, if that is known.
    ///
    /// # Errors
    /// When the move is not legal or the match is over.
    pub fn play(&mut self, mv: Move, left_ms: Option<u64>) -> Result<(), Rejection> {
        let color = self.game.position().turn();
        let mut events = self.decide(&GameCommand::Move { color, mv, claim_draw: false })?;
        for event in &mut events {
            if let GameEvent::Moved { left_ms: left, .. } = event {
                *left = left_ms;
            }
        }
        self.apply(events);
        Ok(())
    }

    /// A player resigns, on its turn or another's (G12).
    ///
    /// # Errors
    /// When it does not play, or no more.
    pub fn resign(&mut self, color: Color) -> Result<(), Rejection> {
        self.run(&GameCommand::Resign { color })
    }

    /// A player is removed for absence (D11).
    ///
    /// # Errors
    /// When it does not play, or no more.
    pub fn remove(&mut self, color: Color) -> Result<(), Rejection> {
        self.run(&GameCommand::Remove { color })
    }

    /// A player's time has run out, as the text says: no clock is asked. Removal for absence counts as time
    /// (D11), so this is one under the other name.
    ///
    /// # Errors
    /// When it does not play, or no more.
    pub fn flag(&mut self, color: Color) -> Result<(), Rejection> {
        let mut events = self.decide(&GameCommand::Remove { color })?;
        for event in &mut events {
            match event {
                GameEvent::Eliminated { cause, .. } if *cause == Cause::Absence => *cause = Cause::Time,
                GameEvent::Ended { reason, .. } if *reason == Reason::Absence => *reason = Reason::Time,
                _ => {}
            }
        }
        self.apply(events);
        Ok(())
    }

    /// Every player still in agrees to a draw (G9).
    ///
    /// # Errors
    /// When the match is over.
    pub fn agree_draw(&mut self) -> Result<(), Rejection> {
        let by = self.game.position().turn();
        let others: Vec<Color> = self.game.position().players_in().filter(|&color| color != by).collect();
        self.run(&GameCommand::Ask { request: Request::Draw, color: by })?;
        for color in others {
            self.run(&GameCommand::Agree { request: Request::Draw, color })?;
        }
        Ok(())
    }

    /// Somebody ran out of time or was removed, and the game is drawn by it (C6), as its result says; nothing
    /// happens if nobody's going out would draw.
    pub(super) fn draw_on_time(&mut self, cause: Cause) -> Result<(), Rejection> {
        let players: Vec<Color> = self.game.position().players_in().collect();
        for color in players {
            let mut attempt = self.clone();
            match cause {
                Cause::Absence => attempt.remove(color)?,
                Cause::Time | Cause::Mate | Cause::Resign => attempt.flag(color)?,
            }
            if attempt.game.outcome().is_some_and(|outcome| outcome.places.is_draw()) {
                *self = attempt;
                break;
            }
        }
        Ok(())
    }

    /// The player to move claims a draw by repetition or move count (G11).
    ///
    /// # Errors
    /// When there is none to claim.
    pub fn claim_draw(&mut self) -> Result<(), Rejection> {
        self.run(&GameCommand::ClaimDraw { color: self.game.position().turn() })
    }

    /// Plays a record over: carries out what its events tell and compares what comes of it. Moves that were taken back
    /// are gone again (S4); requests, and the answers to them, are passed over.
    ///
    /// # Errors
    /// Names the first event that cannot have happened where it stands, or the number of events if others must follow.
    pub fn follow<'a>(&mut self, record: impl IntoIterator<Item = &'a GameEvent>) -> Result<(), BadEvent> {
        let mut told = self.events.len();
        let mut count = 0;
        for (index, event) in record.into_iter().enumerate() {
            count = index + 1;
            if let GameEvent::TakenBack { plies, .. } = event {
                let is_told = told == self.events.len();
                told = self.take_back(event, *plies).filter(|_| is_told).ok_or(BadEvent { index })?;
            }
            if !is_kept(event) {
                continue;
            }
            // What a move or a going-out brought about stands there already.
            if told == self.events.len() {
                self.bring_about(event).map_err(|_| BadEvent { index })?;
            }
            if self.events.get(told) != Some(event) {
                return Err(BadEvent { index });
            }
            told += 1;
        }
        if told == self.events.len() { Ok(()) } else { Err(BadEvent { index: count }) }
    }

    /// Takes moves back, as far as they reach back to the last going-out. Returns how many events are left.
    fn take_back(&mut self, event: &GameEvent, plies: u32) -> Option<usize> {
        let plies = usize::try_from(plies).ok()?;
        if self.game.is_over() || !(1..=self.game.moves().len()).contains(&plies) {
            return None;
        }
        self.game.apply(event, NO_TIME);
        self.events.truncate(self.events.len() - plies);
        Some(self.events.len())
    }

    /// Does what an event tells, if somebody can have done it: mates and the like are the rules' to find.
    fn bring_about(&mut self, event: &GameEvent) -> Result<(), Rejection> {
        match event {
            GameEvent::Moved { color, mv, left_ms } if self.game.position().turn() == *color => {
                self.play(*mv, *left_ms)
            }
            GameEvent::Eliminated { color, cause, .. } => self.leave(*color, *cause),
            GameEvent::Aborted { cause } => self.run(&GameCommand::Abort { cause: *cause }),
            GameEvent::Ended { reason, places } => match reason {
                Reason::Agreement => self.agree_draw(),
                Reason::Repetition | Reason::Moves => self.claim_draw(),
                Reason::Time if places.is_draw() => self.draw_on_time(Cause::Time),
                Reason::Absence if places.is_draw() => self.draw_on_time(Cause::Absence),
                Reason::Time => self.last_leaves(places, Cause::Time),
                Reason::Absence => self.last_leaves(places, Cause::Absence),
                Reason::Resign => self.last_leaves(places, Cause::Resign),
                Reason::Mate | Reason::Stalemate | Reason::Material => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn leave(&mut self, color: Color, cause: Cause) -> Result<(), Rejection> {
        match cause {
            Cause::Resign => self.resign(color),
            Cause::Time => self.flag(color),
            Cause::Absence => self.remove(color),
            Cause::Mate => Ok(()),
        }
    }

    /// In `classic` nobody goes out: the one whose place is the second leaves by the end itself.
    fn last_leaves(&mut self, places: &Places, cause: Cause) -> Result<(), Rejection> {
        let loser = self.game.position().players_in().find(|&color| places.get(color) == Some(2));
        loser.map_or(Ok(()), |color| self.leave(color, cause))
    }

    fn run(&mut self, command: &GameCommand) -> Result<(), Rejection> {
        let events = self.decide(command)?;
        self.apply(events);
        Ok(())
    }

    fn decide(&self, command: &GameCommand) -> Result<Vec<GameEvent>, Rejection> {
        self.game.decide(command, NO_TIME)
    }

    fn apply(&mut self, events: Vec<GameEvent>) {
        for event in events {
            self.game.apply(&event, NO_TIME);
            if is_kept(&event) {
                self.events.push(event);
            }
        }
    }
}

/// Whether an event is of the kind that [`Playback::events`] keeps.
fn is_kept(event: &GameEvent) -> bool {
    match event {
        GameEvent::Moved { .. }
        | GameEvent::Eliminated { .. }
        | GameEvent::Aborted { .. }
        | GameEvent::Ended { .. } => true,
        GameEvent::Requested { .. }
        | GameEvent::Agreed { .. }
        | GameEvent::Declined { .. }
        | GameEvent::TakenBack { .. } => false,
    }
}
