//! Decisions about bots in open seats, and about bots that replace absent players.

use quadrex_protocol::bot::BotLevel;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::Color;

use crate::bot::built_in;
use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::TableState;

/// The level of a bot that replaces a player. At this level the bot does not lose at once, and it
/// does not beat the other players easily.
const SUBSTITUTE_LEVEL: u8 = 4;

impl TableState {
    /// Returns the event by which a bot replaces the holder of this seat.
    pub(crate) fn substituted_event(&self, color: Color) -> Event {
        let level = BotLevel::try_from(SUBSTITUTE_LEVEL).expect("the constant is a level");
        Event::Substituted { color, bot: built_in(level) }
    }

    /// Decides whether a user may give an open seat to a bot. Only the host may, and only before
    /// the start.
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

    /// Checks that a bot can replace the player at this point of the log.
    pub(crate) fn check_substituted(&self, color: Color, bot: &UserView) -> Result<(), ReplayError> {
        let fits = bot.is_server_bot() && !self.is_played_by_bot(color);
        if fits { Ok(()) } else { Err(ReplayError::Substitution(color)) }
    }

    /// Checks that the player can return to its seat at this point of the log.
    pub(crate) fn check_returned(&self, color: Color) -> Result<(), ReplayError> {
        if self.is_substituted(color) { Ok(()) } else { Err(ReplayError::Substitution(color)) }
    }
}
