//! The server's own bots.

use quadrex_protocol::UserId;
use quadrex_protocol::bot::{BotLevel, BotView};
use quadrex_protocol::user::UserView;
use uuid::Uuid;

/// The id of level 0 of the server's own bots, to which the level is added: a UUID of the custom
/// form (RFC 9562, section 5.8).
const BUILT_IN: u128 = 0x7175_6164_7265_8078_8000_0000_0000_0000;

/// Returns the server's own bot of a level: the same user on every server and at every table.
#[must_use]
pub fn built_in(level: BotLevel) -> UserView {
    UserView {
        id: UserId(Uuid::from_u128(BUILT_IN + u128::from(level.number()))),
        name: format!("Quadrex {}", level.number()),
        bot: Some(BotView::BuiltIn { level }),
    }
}
