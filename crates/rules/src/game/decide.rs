//! Decisions: the events of a command, or the reason why the command is refused.

use alloc::vec::Vec;

use super::transaction::Transaction;
use super::{AbortCause, Game, GameCommand, GameEvent, OpenRequest, Reason, Rejection, Request};
use crate::color::Color;
use crate::elimination::Cause;
use crate::mv::Move;
use crate::timestamp::Timestamp;

type Decision = Result<Vec<GameEvent>, Rejection>;

impl Game {
    /// Returns the events of a command (at least one), or the reason why the command is refused.
    /// The game is not changed.
    ///
    /// # Errors
    /// Returns a [`Rejection`] if the command is refused.
    pub fn decide(&self, command: &GameCommand, now: Timestamp) -> Decision {
        if self.is_over() {
            return Err(Rejection::MatchOver);
        }
        match *command {
            GameCommand::Move { color, mv, claim_draw } => self.decide_move(color, mv, claim_draw, now),
            GameCommand::Resign { color } => self.decide_defeat(color, Cause::Resign, now),
            GameCommand::Flag => {
                let expired = self.clocks.expired_clock(now).ok_or(Rejection::TimeIsNotUp)?;
                if expired.has_moved {
                    self.decide_defeat(expired.color, Cause::Time, now)
                } else {
                    Ok(Vec::from([GameEvent::Aborted { cause: AbortCause::FirstMove }]))
                }
            }
            GameCommand::Abort { cause } => Ok(Vec::from([GameEvent::Aborted { cause }])),
            GameCommand::Remove { color } => self.decide_defeat(color, Cause::Absence, now),
            GameCommand::ClaimDraw { color } => self.decide_claim(color, now),
            GameCommand::Ask { request, color } => self.decide_ask(request, color),
            GameCommand::Agree { request, color } => self.decide_agree(request, color, now),
            GameCommand::Decline { request, color } => {
                self.check_player(color)?;
                self.open_request(request)?;
                Ok(Vec::from([GameEvent::Declined { request, color }]))
            }
        }
    }

    /// Returns whether the player to move may claim a draw at `now`, before moving (rule G11).
    #[must_use]
    pub fn may_claim_draw(&self, now: Timestamp) -> bool {
        !self.is_over() && self.clocks.expired_clock(now).is_none() && self.claimable_draw().is_some()
    }

    /// Decides a move, the adjudication after the move, and a claim made with the move. A wrong
    /// claim is refused together with the move (rule G11).
    fn decide_move(&self, color: Color, mv: Move, claim_draw: bool, now: Timestamp) -> Decision {
        self.check_turn(color, now)?;
        if !self.position.is_legal(mv) {
            return Err(Rejection::IllegalMove { mv });
        }
        let left_ms = self.clocks.left_ms_after_move(color, now);
        let mut transaction = Transaction::of(self.clone(), now);
        transaction.push(GameEvent::Moved { color, mv, left_ms });
        transaction.adjudicate();
        if claim_draw {
            transaction.claim()?;
        }
        Ok(transaction.into_events())
    }

    /// Decides resignation, expired time and absence (rules G12, D11). After expired time or
    /// absence the game is drawn if the only opponent has a bare king (rule C6).
    fn decide_defeat(&self, color: Color, cause: Cause, now: Timestamp) -> Decision {
        self.check_player(color)?;
        let mut transaction = Transaction::of(self.clone(), now);
        if cause != Cause::Resign && self.has_only_bare_king_opponent(color) {
            transaction.end_shared(Reason::from(cause));
        } else {
            transaction.defeat(color, cause, Vec::new());
            transaction.adjudicate();
        }
        Ok(transaction.into_events())
    }

    /// Returns whether only one opponent is left and this opponent has only its king (rule C6).
    fn has_only_bare_king_opponent(&self, color: Color) -> bool {
        let mut opponents = self.position.active_players().filter(|&player| player != color);
        match (opponents.next(), opponents.next()) {
            (Some(last), None) => self.position.has_bare_king(last),
            _ => false,
        }
    }

    fn decide_claim(&self, color: Color, now: Timestamp) -> Decision {
        self.check_turn(color, now)?;
        let mut transaction = Transaction::of(self.clone(), now);
        transaction.claim()?;
        Ok(transaction.into_events())
    }

    /// Decides a request. At most one request of each kind is open at a time. A player may make one
    /// request of each kind between two of its turns (rule G9).
    fn decide_ask(&self, request: Request, color: Color) -> Decision {
        self.check_player(color)?;
        if let Some(open) = self.request(request) {
            return Err(Rejection::RequestOpen { request, by: open.by });
        }
        if self.requests.is_used(request, color) {
            return Err(Rejection::AlreadyRequestedThisTurn { request, color });
        }
        if request == Request::Takeback {
            self.plies_to_take_back(color)?;
        }
        Ok(Vec::from([GameEvent::Requested { request, color }]))
    }

    /// Decides a player's agreement to a request. The request takes effect once every player still
    /// in the match agrees: the game is drawn (rule G9), returns to the position before the
    /// requesting player's last move (rule S4), or ends without a result. A pause has no effect on
    /// the game; the table starts it.
    fn decide_agree(&self, request: Request, color: Color, now: Timestamp) -> Decision {
        self.check_player(color)?;
        let open = self.open_request(request)?;
        if open.agreed.contains(&color) {
            return Err(Rejection::AlreadyAgreed { request, color });
        }
        let mut transaction = Transaction::of(self.clone(), now);
        transaction.push(GameEvent::Agreed { request, color });
        if open.is_completed_by(color, &self.position) {
            match request {
                Request::Draw => transaction.end_shared(Reason::Agreement),
                Request::Takeback => {
                    let plies = self.plies_to_take_back(open.by)?;
                    let left_ms = self.clocks.running_left_ms(now);
                    transaction.push(GameEvent::TakenBack { plies, left_ms });
                }
                Request::Pause => {}
                Request::Abort => transaction.push(GameEvent::Aborted { cause: AbortCause::Agreement }),
            }
        }
        Ok(transaction.into_events())
    }

    fn open_request(&self, request: Request) -> Result<&OpenRequest, Rejection> {
        self.request(request).ok_or(Rejection::NoRequest { request })
    }

    fn plies_to_take_back(&self, color: Color) -> Result<u32, Rejection> {
        let plies = self.history.plies_to_last_move_of(color, &self.position);
        plies.ok_or(Rejection::NothingToTakeBack { color })
    }

    /// Checks that the variant has the color, and that the color's player is still in the match.
    fn check_player(&self, color: Color) -> Result<(), Rejection> {
        if !self.config.setup.variant.colors().contains(&color) {
            Err(Rejection::UnknownColor { color })
        } else if !self.position.is_playing(color) {
            Err(Rejection::Eliminated { color })
        } else {
            Ok(())
        }
    }

    /// Checks that `color` is to move and that the time of `color` has not expired.
    fn check_turn(&self, color: Color, now: Timestamp) -> Result<(), Rejection> {
        self.check_player(color)?;
        let turn = self.position.turn();
        if turn != color {
            Err(Rejection::NotYourTurn { turn })
        } else if self.clocks.expired_clock(now).is_some() {
            Err(Rejection::TimeIsUp { color })
        } else {
            Ok(())
        }
    }
}
