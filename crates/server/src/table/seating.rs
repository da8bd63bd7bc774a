//! Who sits where before the start, and who is host.

use std::collections::{BTreeMap, BTreeSet};

use quadrex_protocol::event::Vacating;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::Admission;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Color;

use super::command::{Invitation, Rejection};
use super::history::Misfit;
use super::state::{Stage, TableState};

/// A seat: a color that plays in this match, and who holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The color.
    pub color: Color,
    /// Who holds it.
    pub holder: Option<UserView>,
    /// The bot that plays in the holder's place, or did so when the match ended.
    pub stand_in: Option<UserView>,
}

/// The seats of a table in turn order, who is host, and who may not sit there again.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    seats: Vec<Seat>,
    nonces: BTreeMap<Color, Nonce>,
    host: UserView,
    kicked: BTreeSet<UserId>,
}

impl Seats {
    /// An open seat for each of these colors. The kicked users stay out.
    pub(super) fn open(colors: impl Iterator<Item = Color>, host: UserView, kicked: &[UserId]) -> Self {
        let seats = colors.map(|color| Seat { color, holder: None, stand_in: None }).collect();
        Self { seats, nonces: BTreeMap::new(), host, kicked: kicked.iter().copied().collect() }
    }

    pub(super) fn all(&self) -> &[Seat] {
        &self.seats
    }

    /// The users that the host has kicked.
    pub(super) fn kicked(&self) -> impl Iterator<Item = UserId> + '_ {
        self.kicked.iter().copied()
    }

    pub(super) fn host(&self) -> &UserView {
        &self.host
    }

    /// Takes in that somebody sat down.
    pub(super) fn seat(&mut self, color: Color, user: &UserView, nonce: &Nonce) {
        *self.holder_mut(color) = Some(user.clone());
        self.nonces.insert(color, nonce.clone());
    }

    /// Takes in that the seats were drawn; without any, all stay where they are.
    pub(super) fn sit_anew(&mut self, seats: &BTreeMap<Color, UserView>) {
        for (color, user) in seats {
            *self.holder_mut(*color) = Some(user.clone());
        }
    }

    /// Who sits, in turn order, each with what the seat adds to the lot; `None` while a seat is open.
    pub(super) fn sitting(&self) -> Option<Vec<(UserView, Nonce)>> {
        let sits = |seat: &Seat| Some((seat.holder.clone()?, self.nonces.get(&seat.color)?.clone()));
        self.seats.iter().map(sits).collect()
    }

    /// The same once somebody has taken this seat.
    fn sitting_with(&self, color: Color, user: &UserView, nonce: &Nonce) -> Option<Vec<(UserView, Nonce)>> {
        let mut then = self.clone();
        then.seat(color, user, nonce);
        then.sitting()
    }

    /// Takes in that a seat was given back.
    pub(super) fn vacate(&mut self, color: Color, why: Vacating) {
        let holder = self.holder_mut(color).take();
        // A bot comes only when the host asks for it.
        if let (Vacating::Kicked, Some(holder)) = (why, holder.filter(|holder| !holder.is_served())) {
            self.kicked.insert(holder.id);
        }
    }

    /// Takes in that somebody else is host.
    pub(super) fn pass_host(&mut self, to: &UserView) {
        self.host = to.clone();
    }

    /// Takes in that a bot plays in the holder's place, or that nobody does.
    pub(super) fn stand_in(&mut self, color: Color, bot: Option<&UserView>) {
        self.seat_mut(color).stand_in = bot.cloned();
    }

    fn holder_mut(&mut self, color: Color) -> &mut Option<UserView> {
        &mut self.seat_mut(color).holder
    }

    fn seat_mut(&mut self, color: Color) -> &mut Seat {
        let seat = self.seats.iter_mut().find(|seat| seat.color == color);
        seat.expect("the seat was looked up when it was decided")
    }

    fn find(&self, color: Color) -> Result<&Seat, Rejection> {
        self.seats.iter().find(|seat| seat.color == color).ok_or(Rejection::NoSuchSeat { color })
    }

    /// Who sits next in turn order after a color, other than this person and the server's bots.
    fn next_after(&self, color: Color, other_than: UserId) -> Option<&UserView> {
        let at = self.seats.iter().position(|seat| seat.color == color)?;
        let (before, after) = self.seats.split_at(at);
        let mut holders = after.iter().chain(before).filter_map(|seat| seat.holder.as_ref());
        holders.find(|holder| holder.id != other_than && !holder.is_served())
    }
}

impl TableState {
    /// Those who sit here, and the host.
    pub(super) fn party(&self) -> Vec<UserId> {
        let holders = self.seats().iter().filter_map(|seat| seat.holder.as_ref());
        holders.chain([self.host()]).map(|user| user.id).collect()
    }

    pub(super) fn decide_sit(
        &self,
        by: &UserView,
        asked: Option<Color>,
        invite: Option<Invitation>,
        nonce: &Nonce,
    ) -> Result<Vec<Event>, Rejection> {
        if let Stage::Ended(_) = self.stage() {
            return Err(Rejection::Ended);
        }
        if let Some(color) = self.stood_in_for(by.id, asked) {
            return Ok(vec![Event::Returned { color }]);
        }
        let held = self.seats_of(by.id).first().copied();
        if let Some(color) = held.filter(|_| !self.terms().settings.hotseat) {
            return Err(Rejection::AlreadySeated { color });
        }
        if self.seating.kicked.contains(&by.id) {
            return Err(Rejection::Kicked);
        }
        // Who sits was let in, and need not be once more for another seat.
        let is_in = by.id == self.host().id || held.is_some();
        if self.terms().settings.admission != Admission::Open && !is_in && invite.is_none() {
            return Err(Rejection::InviteNeeded);
        }
        let color = self.open_seat(seat_wanted(asked, invite)?)?;
        Ok(self.seated(color, by, nonce))
    }

    /// That somebody takes an open seat, and with the last one the match starts.
    pub(super) fn seated(&self, color: Color, user: &UserView, nonce: &Nonce) -> Vec<Event> {
        let mut events = vec![Event::Seated { color, user: user.clone(), nonce: nonce.clone() }];
        let sitting = self.seating.sitting_with(color, user, nonce);
        events.extend(sitting.map(|sitting| self.decide_start(&sitting)));
        events
    }

    /// The seat to be taken: the wanted one, or the first open one in turn order.
    pub(super) fn open_seat(&self, wanted: Option<Color>) -> Result<Color, Rejection> {
        let Some(color) = wanted else {
            let open = self.seats().iter().find(|seat| seat.holder.is_none());
            return open.map(|seat| seat.color).ok_or(Rejection::TableFull);
        };
        match &self.seating.find(color)?.holder {
            Some(holder) => Err(Rejection::SeatTaken { color, holder: holder.name.clone() }),
            None => Ok(color),
        }
    }

    /// Giving the own seat back, or all one holds if none is named. A host without a seat stays host only where nobody
    /// else sits.
    pub(super) fn decide_leave(&self, by: UserId, named: Option<Color>) -> Result<Vec<Event>, Rejection> {
        let color = self.any_seat(by, named)?;
        if let Stage::Ended(_) = self.stage() {
            return self.decide_leave_for_good(by, color);
        }
        self.seats_may_change()?;
        let held = self.seats_of(by);
        let left = if named.is_some() { vec![color] } else { held.clone() };
        let mut events = vacated(&left, Vacating::Left);
        if by == self.host().id && left == held {
            let next = self.seating.next_after(color, by).cloned();
            events.extend(next.map(|to| Event::HostChanged { host: to }));
        }
        Ok(events)
    }

    /// Putting somebody else out of a seat, and of all others the same person holds, or a bot out of this one: the
    /// host's right, before the start only.
    pub(super) fn decide_kick(&self, by: UserId, color: Color) -> Result<Vec<Event>, Rejection> {
        if by != self.host().id {
            return Err(Rejection::NotHost);
        }
        self.seats_may_change()?;
        match &self.seating.find(color)?.holder {
            None => Err(Rejection::SeatOpen { color }),
            Some(holder) if holder.id == by => Err(Rejection::OwnSeat { color }),
            Some(holder) if holder.is_served() => Ok(vacated(&[color], Vacating::Kicked)),
            Some(holder) => Ok(vacated(&self.seats_of(holder.id), Vacating::Kicked)),
        }
    }

    pub(super) fn seats_may_change(&self) -> Result<(), Rejection> {
        match self.stage() {
            Stage::Open => Ok(()),
            Stage::Running(_) => Err(Rejection::AlreadyStarted),
            Stage::Ended(_) => Err(Rejection::Ended),
        }
    }

    /// Whether a seat can have been taken here.
    pub(super) fn misfit_seated(&self, color: Color, by: &UserView) -> Result<(), Misfit> {
        let may_sit = self.terms().settings.hotseat || by.is_served() || !self.sits(by.id);
        self.misfit_seat(color, |holder| holder.is_none() && may_sit)
    }

    /// Whether a seat can have been given back here.
    pub(super) fn misfit_vacated(&self, color: Color) -> Result<(), Misfit> {
        self.misfit_seat(color, |holder| holder.is_some())
    }

    fn misfit_seat(&self, color: Color, fits: impl Fn(Option<&UserView>) -> bool) -> Result<(), Misfit> {
        let seat = self.seats().iter().find(|seat| seat.color == color);
        let is_open = matches!(self.stage(), Stage::Open);
        let fits = is_open && seat.is_some_and(|seat| fits(seat.holder.as_ref()));
        if fits { Ok(()) } else { Err(Misfit::Seat(color)) }
    }

    /// Whether somebody can have become host here: one who sits, before the start.
    pub(super) fn misfit_host(&self, to: &UserView) -> Result<(), Misfit> {
        let is_open = matches!(self.stage(), Stage::Open);
        if is_open && self.sits(to.id) { Ok(()) } else { Err(Misfit::Host(to.id)) }
    }
}

fn vacated(seats: &[Color], reason: Vacating) -> Vec<Event> {
    seats.iter().map(|&color| Event::Vacated { color, reason }).collect()
}

/// The seat asked for, or the one the invite is for.
fn seat_wanted(asked: Option<Color>, invite: Option<Invitation>) -> Result<Option<Color>, Rejection> {
    match (asked, invite.and_then(|invite| invite.seat)) {
        (Some(asked), Some(invited)) if asked != invited => Err(Rejection::OtherSeat { invited, asked }),
        (asked, invited) => Ok(asked.or(invited)),
    }
}
