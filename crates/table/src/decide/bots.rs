//! Bots in open seats, and bots that replace absent players.

use quadrex_protocol::bot::BotLevel;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Color;

use crate::bot::built_in;
use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::TableState;

/// Level of a bot that replaces a player: neither a gift to the others nor a threat.
const STAND_IN_LEVEL: u8 = 4;

impl TableState {
    /// Returns the event by which a bot replaces the holder of this seat.
    pub(crate) fn stood_in(&self, color: Color) -> Event {
        let level = BotLevel::try_from(STAND_IN_LEVEL).expect("it is a level");
        Event::Substituted { color, bot: built_in(level) }
    }

    /// Decides a bot in an open seat: the host's right, before the start only.
    pub(crate) fn decide_add_bot(
        &self,
        by: UserId,
        seat: Option<Color>,
        bot: &UserView,
        nonce: &Nonce,
    ) -> Result<Vec<Event>, Rejection> {
        if by != self.host().id {
            return Err(Rejection::NotHost);
        }
        self.ensure_seats_may_change()?;
        if self.terms().settings.rated {
            return Err(Rejection::BotAtRated);
        }
        Ok(self.seated(self.find_open_seat(seat)?, bot, nonce))
    }

    /// Checks that a bot can replace a player here.
    pub(crate) fn check_stood_in(&self, color: Color, bot: &UserView) -> Result<(), ReplayError> {
        let fits = bot.is_server_bot() && !self.is_played_by_bot(color);
        if fits { Ok(()) } else { Err(ReplayError::StandIn(color)) }
    }

    /// Checks that a player can return to its seat here.
    pub(crate) fn check_returned(&self, color: Color) -> Result<(), ReplayError> {
        if self.has_stand_in(color) { Ok(()) } else { Err(ReplayError::StandIn(color)) }
    }
}
