//! Bots at a table: those in seats of their own, and those that play in the place of somebody who stays away.

use quadrex_protocol::bot::{BotLevel, BotView};
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Color;
use uuid::Uuid;

use super::command::Rejection;
use super::history::Misfit;
use super::seating::Seat;
use super::state::{Stage, TableState};

/// How well the bot plays that takes somebody's place: neither a gift to the others nor a threat.
const STAND_IN_LEVEL: u8 = 4;

/// What the ids of the server's own bots begin with: a UUID of the form that is free to make up (RFC 9562, section 5.8).
const BUILT_IN: u128 = 0x7175_6164_7265_8078_8000_0000_0000_0000;

/// The server's own bot of a level: on every server and at every table the same user.
#[must_use]
pub fn built_in(level: BotLevel) -> UserView {
    UserView {
        id: UserId(Uuid::from_u128(BUILT_IN + u128::from(level.number()))),
        name: format!("Quadrex {}", level.number()),
        bot: Some(BotView::BuiltIn { level }),
    }
}

impl Seat {
    /// Who plays from it while the match runs.
    fn player(&self) -> Option<&UserView> {
        self.stand_in.as_ref().or(self.holder.as_ref())
    }
}

impl TableState {
    fn seat(&self, color: Color) -> Option<&Seat> {
        self.seats().iter().find(|seat| seat.color == color)
    }

    /// Who plays for a color: the bot in its place, or who holds the seat. Once it is out, or after the end, a seat is its
    /// holder's alone.
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&UserView> {
        let seat = self.seat(color)?;
        if self.plays(color) { seat.player() } else { seat.holder.as_ref() }
    }

    fn plays(&self, color: Color) -> bool {
        matches!(self.stage(), Stage::Running(game) if game.position().is_in(color))
    }

    /// The seats a user plays from, in turn order.
    pub(super) fn played_by(&self, user: UserId) -> Vec<Color> {
        let colors = self.seats().iter().map(|seat| seat.color);
        colors.filter(|color| self.player(*color).is_some_and(|player| player.id == user)).collect()
    }

    /// Whether one of the server's bots plays for a color.
    pub(super) fn is_played_by_bot(&self, color: Color) -> bool {
        self.player(color).is_some_and(UserView::is_served)
    }

    /// Whether a person plays who is still in.
    pub(super) fn is_played_by_people(&self) -> bool {
        match self.stage() {
            Stage::Open => false,
            Stage::Running(game) => game.position().players_in().any(|color| !self.is_played_by_bot(color)),
            Stage::Ended(_) => self.seats().iter().any(|seat| !self.is_played_by_bot(seat.color)),
        }
    }

    /// Whether the match stands still while nobody watches: it has no clocks, and no person holds a seat of it who would
    /// wait for its result. One in which people were eliminated, or are away, is played to its end.
    pub(super) fn sleeps_unwatched(&self) -> bool {
        let is_by_bots = |seat: &Seat| seat.holder.as_ref().is_some_and(UserView::is_served);
        let has_clocks = self.terms().settings.time != TimeSetting::None {};
        matches!(self.stage(), Stage::Running(_)) && !has_clocks && self.seats().iter().all(is_by_bots)
    }

    /// Whether somebody is there who can play for a color. Bots always are.
    pub(super) fn is_attended(&self, color: Color) -> bool {
        self.attendance.is_here(color) || self.is_played_by_bot(color)
    }

    /// The seat of a user's where a bot plays in its place: the one named, or the first.
    pub(super) fn stood_in_for(&self, user: UserId, named: Option<Color>) -> Option<Color> {
        let held = self.seats_of(user).into_iter();
        held.filter(|color| named.is_none_or(|named| named == *color)).find(|color| self.has_stand_in(*color))
    }

    /// Whether a bot plays in the place of who holds this seat.
    pub(super) fn has_stand_in(&self, color: Color) -> bool {
        self.plays(color) && self.seat(color).is_some_and(|seat| seat.stand_in.is_some())
    }

    /// That a bot takes the place of who holds this seat.
    pub(super) fn stood_in(&self, color: Color) -> Event {
        let level = BotLevel::try_from(STAND_IN_LEVEL).expect("it is a level");
        Event::Substituted { color, bot: built_in(level) }
    }

    /// Putting a bot into an open seat: the host's right, before the start only.
    pub(super) fn decide_add_bot(
        &self,
        by: UserId,
        seat: Option<Color>,
        bot: &UserView,
        nonce: &Nonce,
    ) -> Result<Vec<Event>, Rejection> {
        if by != self.host().id {
            return Err(Rejection::NotHost);
        }
        self.seats_may_change()?;
        if self.terms().settings.rated {
            return Err(Rejection::BotAtRated);
        }
        Ok(self.seated(self.open_seat(seat)?, bot, nonce))
    }

    /// Whether a bot can have taken somebody's place here.
    pub(super) fn misfit_stood_in(&self, color: Color, bot: &UserView) -> Result<(), Misfit> {
        let fits = bot.is_served() && !self.is_played_by_bot(color);
        if fits { Ok(()) } else { Err(Misfit::StandIn(color)) }
    }

    /// Whether a player can have taken its place back here.
    pub(super) fn misfit_returned(&self, color: Color) -> Result<(), Misfit> {
        if self.has_stand_in(color) { Ok(()) } else { Err(Misfit::StandIn(color)) }
    }
}
