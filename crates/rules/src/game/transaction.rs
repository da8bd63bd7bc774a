//! Adjudication after a turn or an elimination (RULES, "What is judged when the turn passes"), and
//! the final places.

use alloc::vec::Vec;

use super::{DrawPolicy, Game, GameEvent, Places, Reason, Rejection};
use crate::color::Color;
use crate::elimination::Cause;
use crate::timestamp::Timestamp;
use crate::verdict::Verdict;

/// The limits at which the player to move may claim a draw: the number of occurrences of the
/// position, and the number of moves by each player (rule G11).
const CLAIM_LIMITS: (u32, u32) = (3, 50);

/// The limits at which the game is drawn without a claim: the number of occurrences of the
/// position, and the number of moves by each player (rule G11).
const AUTOMATIC_LIMITS: (u32, u32) = (5, 75);

/// The events of one command. Each event is applied to a copy of the game before the next event is
/// decided.
pub(super) struct Transaction {
    game: Game,
    now: Timestamp,
    events: Vec<GameEvent>,
}

impl Transaction {
    pub(super) fn of(game: Game, now: Timestamp) -> Self {
        Self { game, now, events: Vec::new() }
    }

    pub(super) fn into_game(self) -> Game {
        self.game
    }

    pub(super) fn into_events(self) -> Vec<GameEvent> {
        self.events
    }

    pub(super) fn push(&mut self, event: GameEvent) {
        self.game.apply(&event, self.now);
        self.events.push(event);
    }

    /// Adjudicates until the player to move can move, or the game is over.
    ///
    /// The checks are made in this order: one player left (rule D10), dead position (rules C5,
    /// D13), checkmate (rules C4, D8), stalemate (rules C4, D9), repetition, move count (rule G11).
    /// After a checkmate the checks begin again for the next player.
    pub(super) fn adjudicate(&mut self) {
        while self.game.outcome.is_none() {
            let position = &self.game.position;
            let turn = position.turn();
            if position.active_players().count() == 1 {
                return self.end_with_last_player();
            }
            if position.is_dead() {
                return self.end_shared(Reason::Material);
            }
            match position.verdict() {
                Verdict::Mated => {
                    let by = position.checked_by(turn).collect();
                    self.defeat(turn, Cause::Mate, by);
                }
                Verdict::Stalemated => return self.end_shared(Reason::Stalemate),
                Verdict::Plays => {
                    let limits = match self.game.config.draws {
                        DrawPolicy::Claim => AUTOMATIC_LIMITS,
                        DrawPolicy::Automatic => CLAIM_LIMITS,
                    };
                    if let Some(reason) = self.game.counted_draw(limits) {
                        self.end_shared(reason);
                    }
                    return;
                }
            }
        }
    }

    /// Ends the game with the draw that the player to move claims, if rule G11 allows the claim. If
    /// the game is already over, the claim has no effect.
    pub(super) fn claim(&mut self) -> Result<(), Rejection> {
        if self.game.outcome.is_none() {
            let reason = self.game.claimable_draw().ok_or_else(|| Rejection::NothingToClaim {
                occurrences: self.game.repetition(),
                plies: self.game.halfmove_clock(),
            })?;
            self.end_shared(reason);
        }
        Ok(())
    }

    /// Records a defeat: the player is eliminated, or with two players the match ends.
    pub(super) fn defeat(&mut self, color: Color, cause: Cause, by: Vec<Color>) {
        if self.game.position.goes_on_after_defeat() {
            self.push(GameEvent::Eliminated { color, cause, by });
        } else {
            let places = self.game.places(|player| player != color);
            self.push(GameEvent::Ended { reason: cause.into(), places });
        }
    }

    /// Ends the game with the victory of the last player (rule D10). The reason is the cause of the
    /// last elimination.
    fn end_with_last_player(&mut self) {
        let cause = self.game.eliminated.last().map(|last| last.cause);
        let cause = cause.expect("one player is left only after the others were eliminated");
        self.end_shared(cause.into());
    }

    /// Ends the game. All players still in the match share the best place.
    pub(super) fn end_shared(&mut self, reason: Reason) {
        let places = self.game.places(|_| true);
        self.push(GameEvent::Ended { reason, places });
    }
}

impl Game {
    /// Returns the draw that the player to move may claim in the present position (rule G11).
    pub(super) fn claimable_draw(&self) -> Option<Reason> {
        self.counted_draw(CLAIM_LIMITS)
    }

    /// Returns the draw by repetition or move count, if one of these limits is reached. Moves are
    /// counted in plies: moves times the number of players still in the match (rule D14).
    fn counted_draw(&self, (occurrences, moves): (u32, u32)) -> Option<Reason> {
        let players = self.position.active_players().count() as u32;
        if self.repetition() >= occurrences {
            Some(Reason::Repetition)
        } else if self.halfmove_clock() >= moves * players {
            Some(Reason::Moves)
        } else {
            None
        }
    }

    /// Returns the final places (rule D12).
    ///
    /// Undefeated players share the best place. Defeated players follow, and then eliminated
    /// players in reverse order of elimination. If several players share a place, the next places
    /// stay empty: one place fewer than the number of these players.
    fn places(&self, is_undefeated: impl Fn(Color) -> bool) -> Places {
        let players = self.config.setup.variant.colors();
        let is_playing = |color| self.position.is_playing(color);
        let best = players.iter().filter(|&&color| is_playing(color) && is_undefeated(color)).count();
        let place = |color| match self.eliminated.iter().position(|out| out.color == color) {
            Some(before) => players.len() - before,
            None if is_undefeated(color) => 1,
            None => best + 1,
        };
        Places::new(players.iter().map(|&color| (color, place(color) as u8)).collect())
    }
}
