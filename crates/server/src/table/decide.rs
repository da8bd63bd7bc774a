//! What a command brings about at a table, or why it is refused. Changes nothing.

use quadrex_protocol::http::Privacy;
use quadrex_protocol::view::UserView;
use quadrex_protocol::{DrawAct, Event, UserId};
use quadrex_rules::{Color, Game, GameCommand, Move, Timestamp};

use super::command::{Action, Invitation, Rejection, TableCommand};
use super::fact;
use super::illegal::Why;
use super::state::{Seat, Stage, TableState};

impl TableState {
    /// The events a command brings about at `now`; at least one.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(&self, command: &TableCommand, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        match command {
            TableCommand::Flag => self.ask_rules(&GameCommand::Flag, now),
            TableCommand::Person { by, action } => match action {
                Action::Sit { seat, invite, lot } => self.decide_sit(by, *seat, *invite, *lot),
                Action::Leave => self.decide_leave(by.id),
                Action::Move { at, mv, claim_draw } => self.decide_move(by.id, *at, *mv, *claim_draw, now),
                Action::Resign => self.ask_rules(&GameCommand::Resign { color: self.player(by.id)? }, now),
                Action::Draw(act) => self.decide_draw(by.id, *act, now),
            },
        }
    }

    fn decide_sit(
        &self,
        by: &UserView,
        asked: Option<Color>,
        invite: Option<Invitation>,
        lot: u64,
    ) -> Result<Vec<Event>, Rejection> {
        if let Stage::Ended(_) = self.stage {
            return Err(Rejection::Ended);
        }
        if let Some(color) = self.seat_of(by.id) {
            return Err(Rejection::AlreadySeated { color });
        }
        let may =
            self.terms().privacy == Privacy::Public || by.id == self.terms().host.id || invite.is_some();
        if !may {
            return Err(Rejection::InviteNeeded);
        }
        let color = self.open_seat(seat_wanted(asked, invite)?)?;
        let mut events = vec![Event::Seated { color, user: by.clone() }];
        let all_held = self.seats.iter().all(|seat| seat.color == color || seat.holder.is_some());
        if all_held {
            events.push(Event::Started { beginner: self.beginner(lot) });
        }
        Ok(events)
    }

    /// The seat to be taken: the wanted one, or the first open one in turn order.
    fn open_seat(&self, wanted: Option<Color>) -> Result<Color, Rejection> {
        let Some(color) = wanted else {
            let open = self.seats.iter().find(|seat| seat.holder.is_none());
            return open.map(|seat| seat.color).ok_or(Rejection::TableFull);
        };
        match self.seats.iter().find(|seat| seat.color == color) {
            None => Err(Rejection::NoSuchSeat { color }),
            Some(Seat { holder: Some(holder), .. }) => {
                Err(Rejection::SeatTaken { color, holder: holder.name.clone() })
            }
            Some(Seat { holder: None, .. }) => Ok(color),
        }
    }

    /// Who moves first (RULES D2): the set-up's turn if one was given, White in a two-player variant (RULES C1),
    /// else drawn: `lot` is any number, each seat as likely as the others.
    fn beginner(&self, lot: u64) -> Color {
        if self.terms().setup.is_some() || self.seats.len() == 2 {
            return self.start().turn();
        }
        let seats = u64::try_from(self.seats.len()).expect("a table has few seats");
        let index = usize::try_from(lot % seats).expect("smaller than the number of seats");
        self.seats[index].color
    }

    fn decide_leave(&self, by: UserId) -> Result<Vec<Event>, Rejection> {
        let color = self.seat_of(by).ok_or(Rejection::NotSeated)?;
        match self.stage {
            Stage::Open => Ok(vec![Event::Vacated { color }]),
            Stage::Running(_) => Err(Rejection::AlreadyStarted),
            Stage::Ended(_) => Err(Rejection::Ended),
        }
    }

    fn decide_move(
        &self,
        by: UserId,
        at: u64,
        mv: Move,
        claim_draw: bool,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let color = self.player(by)?;
        let game = self.running()?;
        if game.eliminated().iter().any(|elimination| elimination.color == color) {
            return Err(Rejection::Rules(quadrex_rules::Rejection::Eliminated { color }));
        }
        if at > self.head() {
            return Err(Rejection::Ahead { at, head: self.head() });
        }
        if at < self.changed() {
            return Err(Rejection::Stale { changed: self.changed(), at });
        }
        self.ask_rules(&GameCommand::Move { color, mv, claim_draw }, now)
    }

    fn decide_draw(&self, by: UserId, act: DrawAct, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let color = self.player(by)?;
        let command = match act {
            DrawAct::Offer => GameCommand::OfferDraw { color },
            DrawAct::Accept => GameCommand::AcceptDraw { color },
            DrawAct::Decline => GameCommand::DeclineDraw { color },
            DrawAct::Claim => GameCommand::ClaimDraw { color },
        };
        self.ask_rules(&command, now)
    }

    fn player(&self, by: UserId) -> Result<Color, Rejection> {
        self.seat_of(by).ok_or(Rejection::NotSeated)
    }

    fn running(&self) -> Result<&Game, Rejection> {
        match &self.stage {
            Stage::Open => Err(Rejection::NotStarted),
            Stage::Running(game) => Ok(game),
            Stage::Ended(_) => Err(Rejection::Ended),
        }
    }

    fn ask_rules(&self, command: &GameCommand, now: Timestamp) -> Result<Vec<Event>, Rejection> {
        let game = self.running()?;
        match game.decide(command, now) {
            Ok(events) => Ok(events.into_iter().map(fact::from_rules).collect()),
            Err(quadrex_rules::Rejection::IllegalMove { mv }) => {
                Err(Rejection::IllegalMove { mv, why: Why::of(game.position(), mv) })
            }
            Err(rejection) => Err(Rejection::Rules(rejection)),
        }
    }
}

/// The seat asked for, or the one the invite is for.
fn seat_wanted(asked: Option<Color>, invite: Option<Invitation>) -> Result<Option<Color>, Rejection> {
    match (asked, invite.and_then(|invite| invite.seat)) {
        (Some(asked), Some(invited)) if asked != invited => Err(Rejection::OtherSeat { invited, asked }),
        (asked, invited) => Ok(asked.or(invited)),
    }
}
