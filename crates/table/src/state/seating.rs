//! The seats of a table, and its host.

use std::collections::{BTreeMap, BTreeSet};

use quadrex_protocol::UserId;
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_rules::Color;

use crate::rejection::Rejection;

/// A seat: a color that plays in the match, and its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The color that is played from the seat.
    pub color: Color,
    /// The user who holds the seat; `None` while the seat is open.
    pub holder: Option<UserView>,
    /// The bot that replaces the holder, or that replaced the holder when the match ended.
    pub substitute: Option<UserView>,
}

impl Seat {
    /// Returns the user who plays from the seat while the match runs.
    pub(crate) fn player(&self) -> Option<&UserView> {
        self.substitute.as_ref().or(self.holder.as_ref())
    }
}

/// The seats of a table in turn order, the host, and the users whom the host has kicked.
#[derive(Clone, Debug)]
pub(crate) struct Seats {
    seats: Vec<Seat>,
    nonces: BTreeMap<Color, Nonce>,
    host: UserView,
    kicked: BTreeSet<UserId>,
}

impl Seats {
    /// Returns open seats for these colors. The kicked users may not take a seat.
    pub(crate) fn open(colors: impl Iterator<Item = Color>, host: UserView, kicked: &[UserId]) -> Self {
        let seats = colors.map(|color| Seat { color, holder: None, substitute: None }).collect();
        Self { seats, nonces: BTreeMap::new(), host, kicked: kicked.iter().copied().collect() }
    }

    pub(crate) fn all(&self) -> &[Seat] {
        &self.seats
    }

    /// Returns the users that the host has kicked.
    pub(crate) fn kicked(&self) -> impl Iterator<Item = UserId> + '_ {
        self.kicked.iter().copied()
    }

    /// Returns whether the host has kicked a user.
    pub(crate) fn is_kicked(&self, user: UserId) -> bool {
        self.kicked.contains(&user)
    }

    pub(crate) fn host(&self) -> &UserView {
        &self.host
    }

    /// Seats a user.
    pub(crate) fn seat(&mut self, color: Color, user: &UserView, nonce: &Nonce) {
        *self.holder_mut(color) = Some(user.clone());
        self.nonces.insert(color, nonce.clone());
    }

    /// Moves the users to the seats that the lot (the verifiable draw) has assigned to them.
    /// `seats` is empty if the lot assigned no seats.
    pub(crate) fn reseat(&mut self, seats: &BTreeMap<Color, UserView>) {
        for (color, user) in seats {
            *self.holder_mut(*color) = Some(user.clone());
        }
    }

    /// Returns the holders in turn order, each with the holder's nonce for the lot. Returns `None`
    /// while a seat is open.
    pub(crate) fn holders_with_nonces(&self) -> Option<Vec<(UserView, Nonce)>> {
        let sits = |seat: &Seat| Some((seat.holder.clone()?, self.nonces.get(&seat.color)?.clone()));
        self.seats.iter().map(sits).collect()
    }

    /// Returns the result that [`holders_with_nonces`](Self::holders_with_nonces) would have if the
    /// user took this seat.
    pub(crate) fn holders_with_nonces_after(
        &self,
        color: Color,
        user: &UserView,
        nonce: &Nonce,
    ) -> Option<Vec<(UserView, Nonce)>> {
        let mut seats = self.clone();
        seats.seat(color, user, nonce);
        seats.holders_with_nonces()
    }

    /// Opens a seat. If the reason is a kick, records the holder as kicked.
    pub(crate) fn vacate(&mut self, color: Color, reason: VacateReason) {
        let holder = self.holder_mut(color).take();
        // A kick does not exclude a bot, because only the host can seat it again.
        if let (VacateReason::Kicked, Some(holder)) =
            (reason, holder.filter(|holder| !holder.is_server_bot()))
        {
            self.kicked.insert(holder.id);
        }
    }

    /// Replaces the host.
    pub(crate) fn set_host(&mut self, to: &UserView) {
        self.host = to.clone();
    }

    /// Sets or removes the bot that replaces the holder of a seat.
    pub(crate) fn substitute(&mut self, color: Color, bot: Option<&UserView>) {
        self.seat_mut(color).substitute = bot.cloned();
    }

    fn holder_mut(&mut self, color: Color) -> &mut Option<UserView> {
        &mut self.seat_mut(color).holder
    }

    fn seat_mut(&mut self, color: Color) -> &mut Seat {
        let seat = self.seats.iter_mut().find(|seat| seat.color == color);
        seat.expect("the seat was found when the event was decided")
    }

    pub(crate) fn find(&self, color: Color) -> Result<&Seat, Rejection> {
        self.seats.iter().find(|seat| seat.color == color).ok_or(Rejection::NoSuchSeat { color })
    }

    /// Returns the holder of the next seat in turn order after a color. Skips the seats of the user
    /// `other_than` and of the bots that the server runs.
    pub(crate) fn next_person_after(&self, color: Color, other_than: UserId) -> Option<&UserView> {
        let index = self.seats.iter().position(|seat| seat.color == color)?;
        let (before, after) = self.seats.split_at(index);
        let mut holders = after.iter().chain(before).filter_map(|seat| seat.holder.as_ref());
        holders.find(|holder| holder.id != other_than && !holder.is_server_bot())
    }
}
