//! Decisions about seats: taking and leaving a seat, and kicking a user from a seat.

use quadrex_protocol::event::VacateReason;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::Admission;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Color;

use crate::command::Invitation;
use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::settings::check_player;
use crate::state::{Stage, TableState};

impl TableState {
    /// Decides whether a user may take an open seat, or return to a seat in which a bot replaces
    /// the user.
    pub(crate) fn decide_sit(
        &self,
        by: &UserView,
        requested_seat: Option<Color>,
        invite: Option<Invitation>,
        nonce: &Nonce,
        rating: Option<i32>,
    ) -> Result<Vec<Event>, Rejection> {
        if let Stage::Ended(_) = self.stage() {
            return Err(Rejection::Ended);
        }
        if let Some(color) = self.seat_of_substitute(by.id, requested_seat) {
            return Ok(vec![Event::Returned { color }]);
        }
        let held_seat = self.seats_of(by.id).first().copied();
        if let Some(color) = held_seat.filter(|_| !self.terms().settings.hotseat) {
            return Err(Rejection::AlreadySeated { color });
        }
        if self.seating.is_kicked(by.id) {
            return Err(Rejection::Kicked);
        }
        check_player(&self.terms().settings, by)?;
        // A seated user was admitted before and needs no second invite.
        let is_admitted = by.id == self.host().id || held_seat.is_some();
        if self.terms().settings.admission != Admission::Open && !is_admitted && invite.is_none() {
            return Err(Rejection::InviteNeeded);
        }
        let range = self.terms().settings.rating_range;
        if let Some(range) = range.filter(|_| !is_admitted && invite.is_none())
            && !rating.is_some_and(|rating| range.contains(rating))
        {
            return Err(Rejection::OutsideRatingRange { range });
        }
        let color = self.find_open_seat(seat_wanted(requested_seat, invite)?)?;
        Ok(self.seated(color, by, nonce))
    }

    /// Returns the events by which a user takes an open seat. If it is the last open seat, the
    /// match starts.
    pub(crate) fn seated(&self, color: Color, user: &UserView, nonce: &Nonce) -> Vec<Event> {
        let mut events = vec![Event::Seated { color, user: user.clone(), nonce: nonce.clone() }];
        let holders_with_nonces = self.seating.holders_with_nonces_after(color, user, nonce);
        events.extend(holders_with_nonces.map(|holders_with_nonces| self.decide_start(&holders_with_nonces)));
        events
    }

    /// Returns the wanted seat if it is open. If no seat is wanted, returns the first open seat in
    /// turn order.
    pub(crate) fn find_open_seat(&self, wanted: Option<Color>) -> Result<Color, Rejection> {
        let Some(color) = wanted else {
            let open = self.seats().iter().find(|seat| seat.holder.is_none());
            return open.map(|seat| seat.color).ok_or(Rejection::TableFull);
        };
        match &self.seating.find(color)?.holder {
            Some(holder) => Err(Rejection::SeatTaken { color, holder: holder.name.clone() }),
            None => Ok(color),
        }
    }

    /// Decides whether a user may leave the named seat, or all seats if none is named. If the user
    /// is the host and keeps no seat, another seated user becomes the host, if there is one.
    pub(crate) fn decide_leave(
        &self,
        by: UserId,
        named_seat: Option<Color>,
    ) -> Result<Vec<Event>, Rejection> {
        let color = self.named_or_first_seat(by, named_seat)?;
        if let Stage::Ended(_) = self.stage() {
            return self.decide_leave_for_good(by, color);
        }
        self.ensure_seats_may_change()?;
        let held_seats = self.seats_of(by);
        let seats_to_leave = if named_seat.is_some() { vec![color] } else { held_seats.clone() };
        let mut events = vacated(&seats_to_leave, VacateReason::Left);
        if by == self.host().id && seats_to_leave == held_seats {
            let next_host = self.seating.next_person_after(color, by).cloned();
            events.extend(next_host.map(|host| Event::HostChanged { host }));
        }
        Ok(events)
    }

    /// Decides whether a user may kick the holder of a seat. Only the host may, and only before the
    /// start. A kicked person loses all seats. A kicked bot that the server runs loses only this
    /// seat.
    pub(crate) fn decide_kick(&self, by: UserId, color: Color) -> Result<Vec<Event>, Rejection> {
        if by != self.host().id {
            return Err(Rejection::NotHost);
        }
        self.ensure_seats_may_change()?;
        match &self.seating.find(color)?.holder {
            None => Err(Rejection::SeatOpen { color }),
            Some(holder) if holder.id == by => Err(Rejection::OwnSeat { color }),
            Some(holder) if holder.is_server_bot() => Ok(vacated(&[color], VacateReason::Kicked)),
            Some(holder) => Ok(vacated(&self.seats_of(holder.id), VacateReason::Kicked)),
        }
    }

    /// Checks that seats may still change, because the match has not started.
    pub(crate) fn ensure_seats_may_change(&self) -> Result<(), Rejection> {
        match self.stage() {
            Stage::Open => Ok(()),
            Stage::Running(_) => Err(Rejection::AlreadyStarted),
            Stage::Ended(_) => Err(Rejection::Ended),
        }
    }

    /// Checks that a seat can be taken at this point of the log.
    pub(crate) fn check_seated(&self, color: Color, by: &UserView) -> Result<(), ReplayError> {
        let may_sit = self.terms().settings.hotseat || by.is_server_bot() || !self.is_seated(by.id);
        self.check_seat(color, |holder| holder.is_none() && may_sit)
    }

    /// Checks that a seat can be left at this point of the log.
    pub(crate) fn check_vacated(&self, color: Color) -> Result<(), ReplayError> {
        self.check_seat(color, |holder| holder.is_some())
    }

    fn check_seat(&self, color: Color, fits: impl Fn(Option<&UserView>) -> bool) -> Result<(), ReplayError> {
        let seat = self.seats().iter().find(|seat| seat.color == color);
        let is_open = matches!(self.stage(), Stage::Open);
        let fits = is_open && seat.is_some_and(|seat| fits(seat.holder.as_ref()));
        if fits { Ok(()) } else { Err(ReplayError::Seat(color)) }
    }

    /// Checks that a user can become the host at this point of the log. The user must be seated,
    /// and the match must not have started.
    pub(crate) fn check_host(&self, to: &UserView) -> Result<(), ReplayError> {
        let is_open = matches!(self.stage(), Stage::Open);
        if is_open && self.is_seated(to.id) { Ok(()) } else { Err(ReplayError::Host(to.id)) }
    }
}

fn vacated(seats: &[Color], reason: VacateReason) -> Vec<Event> {
    seats.iter().map(|&color| Event::Vacated { color, reason }).collect()
}

/// Returns the seat that the user asked for, or otherwise the seat to which the user is invited.
///
/// # Errors
/// Returns [`Rejection::OtherSeat`] if the user asked for another seat than that of the invite.
fn seat_wanted(asked: Option<Color>, invite: Option<Invitation>) -> Result<Option<Color>, Rejection> {
    match (asked, invite.and_then(|invite| invite.seat)) {
        (Some(asked), Some(invited)) if asked != invited => Err(Rejection::OtherSeat { invited, asked }),
        (asked, invited) => Ok(asked.or(invited)),
    }
}
