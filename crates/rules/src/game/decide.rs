//! What a command brings about, or why it is refused.

use alloc::vec::Vec;

use super::judgement::Course;
use super::{Cause, Game, GameCommand, GameEvent, OpenOffer, Reason, Rejection};
use crate::color::Color;
use crate::mv::Move;
use crate::timestamp::Timestamp;

type Decision = Result<Vec<GameEvent>, Rejection>;

impl Game {
    /// What a command brings about, or why it is refused. Changes nothing; what is brought about is never nothing.
    ///
    /// # Errors
    /// See [`Rejection`].
    pub fn decide(&self, command: &GameCommand, now: Timestamp) -> Decision {
        if self.outcome.is_some() {
            return Err(Rejection::MatchOver);
        }
        match *command {
            GameCommand::Move { color, mv, claim_draw } => self.decide_move(color, mv, claim_draw, now),
            GameCommand::Resign { color } => self.decide_defeat(color, Cause::Resign, now),
            GameCommand::Flag => {
                let color = self.clocks.fallen(now).ok_or(Rejection::TimeIsNotUp)?;
                self.decide_defeat(color, Cause::Time, now)
            }
            GameCommand::Remove { color } => self.decide_defeat(color, Cause::Absence, now),
            GameCommand::ClaimDraw { color } => self.decide_claim(color, now),
            GameCommand::OfferDraw { color } => self.decide_offer(color),
            GameCommand::AcceptDraw { color } => self.decide_accept(color, now),
            GameCommand::DeclineDraw { color } => {
                self.check_player(color)?;
                self.draw_offers.open.as_ref().ok_or(Rejection::NoOffer)?;
                Ok(Vec::from([GameEvent::DrawDeclined { color }]))
            }
            GameCommand::RequestTakeback { color } => self.decide_request(color),
            GameCommand::AcceptTakeback { color } => self.decide_agree(color, now),
            GameCommand::DeclineTakeback { color } => {
                self.check_player(color)?;
                self.takeback.as_ref().ok_or(Rejection::NoTakeback)?;
                Ok(Vec::from([GameEvent::TakebackDeclined { color }]))
            }
        }
    }

    /// A move, its judgement, and a claim made together with it (G11): a wrong claim is refused whole.
    fn decide_move(&self, color: Color, mv: Move, claim_draw: bool, now: Timestamp) -> Decision {
        self.check_turn(color, now)?;
        if !self.position.is_legal(mv) {
            return Err(Rejection::IllegalMove { mv });
        }
        let left_ms = self.clocks.after_move(color, now);
        let mut course = Course::of(self.clone(), now);
        course.push(GameEvent::Moved { color, mv, left_ms });
        course.judge();
        if claim_draw {
            course.claim()?;
        }
        Ok(course.into_events())
    }

    /// Resignation, time and absence (G12, D11), and the draw against a bare king (C6).
    fn decide_defeat(&self, color: Color, cause: Cause, now: Timestamp) -> Decision {
        self.check_player(color)?;
        let mut course = Course::of(self.clone(), now);
        if cause != Cause::Resign && self.only_a_bare_king_faces(color) {
            course.end_shared(Reason::from(cause));
        } else {
            course.defeat(color, cause, Vec::new());
            course.judge();
        }
        Ok(course.into_events())
    }

    /// C6: whether the one opponent left has nothing but its king.
    fn only_a_bare_king_faces(&self, color: Color) -> bool {
        let mut opponents = self.position.players_in().filter(|&player| player != color);
        match (opponents.next(), opponents.next()) {
            (Some(last), None) => self.position.has_bare_king(last),
            _ => false,
        }
    }

    fn decide_claim(&self, color: Color, now: Timestamp) -> Decision {
        self.check_turn(color, now)?;
        let mut course = Course::of(self.clone(), now);
        course.claim()?;
        Ok(course.into_events())
    }

    /// G9: one offer at a time, one per player per own turn.
    fn decide_offer(&self, color: Color) -> Decision {
        self.check_player(color)?;
        if let Some(offer) = &self.draw_offers.open {
            return Err(Rejection::OfferOpen { by: offer.by });
        }
        if self.draw_offers.is_spent(color) {
            return Err(Rejection::OfferSpent { color });
        }
        Ok(Vec::from([GameEvent::DrawOffered { color }]))
    }

    fn decide_accept(&self, color: Color, now: Timestamp) -> Decision {
        self.check_player(color)?;
        let offer = self.draw_offers.open.as_ref().ok_or(Rejection::NoOffer)?;
        check_not_agreed(offer, color)?;
        let mut course = Course::of(self.clone(), now);
        course.push(GameEvent::DrawAccepted { color });
        if offer.completed_by(color, &self.position) {
            course.end_shared(Reason::Agreement);
        }
        Ok(course.into_events())
    }

    fn decide_request(&self, color: Color) -> Decision {
        self.check_player(color)?;
        if let Some(request) = &self.takeback {
            return Err(Rejection::TakebackOpen { by: request.by });
        }
        self.plies_to_take_back(color)?;
        Ok(Vec::from([GameEvent::TakebackRequested { color }]))
    }

    /// S4: once everybody still in agrees, the game goes back to before the requester's last move.
    fn decide_agree(&self, color: Color, now: Timestamp) -> Decision {
        self.check_player(color)?;
        let request = self.takeback.as_ref().ok_or(Rejection::NoTakeback)?;
        check_not_agreed(request, color)?;
        let mut course = Course::of(self.clone(), now);
        course.push(GameEvent::TakebackAccepted { color });
        if request.completed_by(color, &self.position) {
            let plies = self.plies_to_take_back(request.by)?;
            let left_ms = course.game().clocks.left_of_running(now);
            course.push(GameEvent::TakenBack { plies, left_ms });
        }
        Ok(course.into_events())
    }

    fn plies_to_take_back(&self, color: Color) -> Result<u32, Rejection> {
        let plies = self.line.plies_to_last_move_of(color, &self.position);
        plies.ok_or(Rejection::NothingToTakeBack { color })
    }

    /// The color plays here and is still in.
    fn check_player(&self, color: Color) -> Result<(), Rejection> {
        if !self.config.setup.variant.colors().contains(&color) {
            Err(Rejection::UnknownColor { color })
        } else if !self.position.is_in(color) {
            Err(Rejection::Eliminated { color })
        } else {
            Ok(())
        }
    }

    /// It is the color's turn and its time is not up.
    fn check_turn(&self, color: Color, now: Timestamp) -> Result<(), Rejection> {
        self.check_player(color)?;
        let turn = self.position.turn();
        if turn != color {
            Err(Rejection::NotYourTurn { turn })
        } else if self.clocks.fallen(now).is_some() {
            Err(Rejection::TimeIsUp { color })
        } else {
            Ok(())
        }
    }
}

fn check_not_agreed(offer: &OpenOffer, color: Color) -> Result<(), Rejection> {
    if offer.accepted.contains(&color) { Err(Rejection::AlreadyAgreed { color }) } else { Ok(()) }
}
