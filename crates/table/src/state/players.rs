//! The people and bots at a table.

use quadrex_protocol::UserId;
use quadrex_protocol::chat::Room;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::user::UserView;
use quadrex_rules::Color;

use super::attendance::ConnectedPlayer;
use super::seating::Seat;
use super::table_state::{Stage, TableState};

impl TableState {
    /// Returns the seats that a user holds, in turn order.
    #[must_use]
    pub fn seats_of(&self, user: UserId) -> Vec<Color> {
        let holds = |seat: &&Seat| seat.holder.as_ref().is_some_and(|holder| holder.id == user);
        self.seats().iter().filter(holds).map(|seat| seat.color).collect()
    }

    /// Returns whether a user holds a seat.
    #[must_use]
    pub fn is_seated(&self, user: UserId) -> bool {
        self.seats().iter().any(|seat| seat.holder.as_ref().is_some_and(|holder| holder.id == user))
    }

    /// Returns the users who hold seats, and the host.
    #[must_use]
    pub fn members(&self) -> Vec<UserId> {
        let holders = self.seats().iter().filter_map(|seat| seat.holder.as_ref());
        holders.chain([self.host()]).map(|user| user.id).collect()
    }

    /// Returns the users that the host has kicked.
    pub fn kicked(&self) -> impl Iterator<Item = UserId> + '_ {
        self.seating.kicked()
    }

    /// Returns whether a color is still in the match. Returns false only if the match runs and the
    /// color was eliminated.
    pub(crate) fn is_playing(&self, color: Color) -> bool {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => true,
            Stage::Running(game) => game.position().is_playing(color),
        }
    }

    fn seat(&self, color: Color) -> Option<&Seat> {
        self.seats().iter().find(|seat| seat.color == color)
    }

    /// Returns the user who plays a color. This is the bot that replaces the holder of the seat, if
    /// a bot does, and otherwise the holder. When the color is eliminated or the match ends, the
    /// bot no longer replaces the holder.
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&UserView> {
        let seat = self.seat(color)?;
        if self.plays(color) { seat.player() } else { seat.holder.as_ref() }
    }

    /// Returns whether the match runs and the color is still in it.
    fn plays(&self, color: Color) -> bool {
        matches!(self.stage(), Stage::Running(game) if game.position().is_playing(color))
    }

    /// Returns the colors that a user plays, in turn order.
    pub(crate) fn played_by(&self, user: UserId) -> Vec<Color> {
        let colors = self.seats().iter().map(|seat| seat.color);
        colors.filter(|color| self.player(*color).is_some_and(|player| player.id == user)).collect()
    }

    /// Returns whether a bot that the server runs plays a color.
    pub(crate) fn is_played_by_bot(&self, color: Color) -> bool {
        self.player(color).is_some_and(UserView::is_server_bot)
    }

    /// Returns whether at least one of the remaining players is a person.
    pub(crate) fn is_played_by_people(&self) -> bool {
        match self.stage() {
            Stage::Open => false,
            Stage::Running(game) => {
                game.position().active_players().any(|color| !self.is_played_by_bot(color))
            }
            Stage::Ended(_) => self.seats().iter().any(|seat| !self.is_played_by_bot(seat.color)),
        }
    }

    /// Returns whether the match does not go on while nobody watches. This holds for a match
    /// without clocks in which only bots hold seats. If a person holds a seat, the match goes on,
    /// even if the person was eliminated or is absent, because the person waits for the result.
    #[must_use]
    pub fn sleeps_unwatched(&self) -> bool {
        let is_held_by_bot = |seat: &Seat| seat.holder.as_ref().is_some_and(UserView::is_server_bot);
        let has_clocks = self.terms().settings.time != TimeSetting::None {};
        matches!(self.stage(), Stage::Running(_)) && !has_clocks && self.seats().iter().all(is_held_by_bot)
    }

    /// Returns the connected players ([`set_connected`](Self::set_connected)).
    #[must_use]
    pub fn connected(&self) -> Vec<ConnectedPlayer> {
        let colors = self.seats().iter().map(|seat| seat.color);
        let connected = colors.filter(|color| self.attendance.is_connected(*color));
        connected.map(|color| ConnectedPlayer { color, round_trip: self.lag.round_trip(color) }).collect()
    }

    /// Returns whether the player of a color is present. A bot that the server runs is always
    /// present.
    pub(crate) fn is_attended(&self, color: Color) -> bool {
        self.attendance.is_connected(color) || self.is_played_by_bot(color)
    }

    /// Returns the named seat if a bot replaces this user in it. If no seat is named, returns the
    /// first seat in which a bot replaces this user.
    pub(crate) fn seat_of_substitute(&self, user: UserId, named_seat: Option<Color>) -> Option<Color> {
        let held_seats = self.seats_of(user).into_iter();
        held_seats
            .filter(|color| named_seat.is_none_or(|named_seat| named_seat == *color))
            .find(|color| self.is_substituted(*color))
    }

    /// Returns whether a bot replaces the holder of this seat.
    pub(crate) fn is_substituted(&self, color: Color) -> bool {
        self.plays(color) && self.seat(color).is_some_and(|seat| seat.substitute.is_some())
    }

    /// Returns the chat room of a user. A user with a seat that is still in the match is in the
    /// room of the seated users. Everybody else is in the room of the bystanders.
    pub(crate) fn room_of(&self, user: UserId) -> Room {
        let sits = self.seats_of(user).into_iter().any(|color| self.is_playing(color));
        if sits { Room::Seated } else { Room::Bystanders }
    }
}
