//! A game that is replayed from its written moves, without clocks.

use alloc::vec::Vec;

use crate::color::Color;
use crate::elimination::Cause;
use crate::game::{
    DrawPolicy, Game, GameCommand, GameConfig, GameEvent, Places, Reason, Rejection, Request, TimeControl,
};
use crate::mv::Move;
use crate::setup::{Setup, SetupError};
use crate::timestamp::Timestamp;

/// An event that cannot have happened at its position in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {index} cannot have happened at its position")]
pub struct BadEvent {
    /// The index of the event among the events, from 0.
    pub index: usize,
}

/// The time of all events in a game without clocks.
const NO_TIME: Timestamp = Timestamp::from_millis(0);

/// A game that is replayed from its text without clocks, and the events of the game.
#[derive(Clone, Debug)]
pub struct Playback {
    game: Game,
    events: Vec<GameEvent>,
}

impl Playback {
    /// Starts a game from a set-up. The game may be over at once, or may begin with eliminations
    /// (rule S1).
    ///
    /// # Errors
    /// Returns a [`SetupError`] if the set-up is not a valid position.
    pub fn new(setup: Setup, draws: DrawPolicy) -> Result<Self, SetupError> {
        let config = GameConfig { setup, draws, time: TimeControl::None };
        Ok(Self { game: Game::load(config, NO_TIME)?, events: Vec::new() })
    }

    /// The game in its present state.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The moves, the eliminations and the end, in their order. Draw offers are left out.
    #[must_use]
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// The moves with their players.
    pub fn plies(&self) -> impl Iterator<Item = (Color, Move)> {
        self.events.iter().filter_map(|event| match event {
            GameEvent::Moved { color, mv, .. } => Some((*color, *mv)),
            _ => None,
        })
    }

    /// Plays a move of the player to move. `left_ms` is the player's time left after the move, if
    /// it is known.
    ///
    /// # Errors
    /// Returns an error if the move is not legal or the match is over.
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

    /// Resigns for a player, on any player's turn (rule G12).
    ///
    /// # Errors
    /// Returns an error if the player does not play in this game or is eliminated.
    pub fn resign(&mut self, color: Color) -> Result<(), Rejection> {
        self.run(&GameCommand::Resign { color })
    }

    /// Removes a player for absence (rule D11).
    ///
    /// # Errors
    /// Returns an error if the player does not play in this game or is eliminated.
    pub fn remove(&mut self, color: Color) -> Result<(), Rejection> {
        self.run(&GameCommand::Remove { color })
    }

    /// Eliminates a player whose time has expired according to the text, without reading a clock. A
    /// removal for absence counts like expired time (rule D11) and has the same effect.
    ///
    /// # Errors
    /// Returns an error if the player does not play in this game or is eliminated.
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

    /// Agrees to a draw for every player still in the match (rule G9).
    ///
    /// # Errors
    /// Returns an error if the match is over.
    pub fn agree_draw(&mut self) -> Result<(), Rejection> {
        let by = self.game.position().turn();
        let other_players: Vec<Color> =
            self.game.position().active_players().filter(|&color| color != by).collect();
        self.run(&GameCommand::Ask { request: Request::Draw, color: by })?;
        for color in other_players {
            self.run(&GameCommand::Agree { request: Request::Draw, color })?;
        }
        Ok(())
    }

    /// Eliminates the player whose expired time or removal draws the game (rule C6). If there is no
    /// such player, nothing happens.
    pub(super) fn draw_on_time(&mut self, cause: Cause) -> Result<(), Rejection> {
        let players: Vec<Color> = self.game.position().active_players().collect();
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

    /// Claims a draw by repetition or move count for the player to move (rule G11).
    ///
    /// # Errors
    /// Returns an error if there is no draw to claim.
    pub fn claim_draw(&mut self) -> Result<(), Rejection> {
        self.run(&GameCommand::ClaimDraw { color: self.game.position().turn() })
    }

    /// Replays a record: plays its events, and compares the events that follow by the rules with
    /// those of the record. Moves that were taken back are removed again (rule S4); requests and
    /// the answers to requests are skipped.
    ///
    /// # Errors
    /// Returns a [`BadEvent`] with the index of the first event that cannot have happened at its
    /// position. If events are missing at the end, the error contains the number of events.
    pub fn follow<'a>(&mut self, record: impl IntoIterator<Item = &'a GameEvent>) -> Result<(), BadEvent> {
        let mut matched = self.events.len();
        let mut count = 0;
        for (index, event) in record.into_iter().enumerate() {
            count = index + 1;
            if let GameEvent::TakenBack { plies, .. } = event {
                let is_settled = matched == self.events.len();
                matched = self.take_back(event, *plies).filter(|_| is_settled).ok_or(BadEvent { index })?;
            }
            if !is_recorded(event) {
                continue;
            }
            // The events that a move or an elimination has brought about are in the list already.
            if matched == self.events.len() {
                self.play_event(event).map_err(|_| BadEvent { index })?;
            }
            if self.events.get(matched) != Some(event) {
                return Err(BadEvent { index });
            }
            matched += 1;
        }
        if matched == self.events.len() { Ok(()) } else { Err(BadEvent { index: count }) }
    }

    /// Takes moves back, at most to the last elimination. Returns the number of remaining events.
    fn take_back(&mut self, event: &GameEvent, plies: u32) -> Option<usize> {
        let plies = usize::try_from(plies).ok()?;
        if self.game.is_over() || !(1..=self.game.moves().len()).contains(&plies) {
            return None;
        }
        self.game.apply(event, NO_TIME);
        self.events.truncate(self.events.len() - plies);
        Some(self.events.len())
    }

    /// Plays an event that a player has caused. Other events, such as checkmates, follow from the
    /// rules.
    fn play_event(&mut self, event: &GameEvent) -> Result<(), Rejection> {
        match event {
            GameEvent::Moved { color, mv, left_ms } if self.game.position().turn() == *color => {
                self.play(*mv, *left_ms)
            }
            GameEvent::Eliminated { color, cause, .. } => self.eliminate(*color, *cause),
            GameEvent::Aborted { cause } => self.run(&GameCommand::Abort { cause: *cause }),
            GameEvent::Ended { reason, places } => match reason {
                Reason::Agreement => self.agree_draw(),
                Reason::Repetition | Reason::Moves => self.claim_draw(),
                Reason::Time if places.is_draw() => self.draw_on_time(Cause::Time),
                Reason::Absence if places.is_draw() => self.draw_on_time(Cause::Absence),
                Reason::Time => self.end_with_loser(places, Cause::Time),
                Reason::Absence => self.end_with_loser(places, Cause::Absence),
                Reason::Resign => self.end_with_loser(places, Cause::Resign),
                Reason::Mate | Reason::Stalemate | Reason::Material => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn eliminate(&mut self, color: Color, cause: Cause) -> Result<(), Rejection> {
        match cause {
            Cause::Resign => self.resign(color),
            Cause::Time => self.flag(color),
            Cause::Absence => self.remove(color),
            Cause::Mate => Ok(()),
        }
    }

    /// Ends a game of `classic`. No player is eliminated in `classic`, so the player with the
    /// second place loses when the game ends.
    fn end_with_loser(&mut self, places: &Places, cause: Cause) -> Result<(), Rejection> {
        let loser = self.game.position().active_players().find(|&color| places.get(color) == Some(2));
        loser.map_or(Ok(()), |color| self.eliminate(color, cause))
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
            if is_recorded(&event) {
                self.events.push(event);
            }
        }
    }
}

/// Returns whether [`Playback::events`] stores an event of this kind.
fn is_recorded(event: &GameEvent) -> bool {
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
