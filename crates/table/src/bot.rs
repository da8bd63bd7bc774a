//! The built-in bots, which are users with fixed ids.

use quadrex_protocol::UserId;
use quadrex_protocol::bot::{BotLevel, BotView};
use quadrex_protocol::user::UserView;
use uuid::Uuid;

/// The number to which a built-in bot's level is added to get the bot's id. The ids are UUIDs of
/// the custom form (RFC 9562, section 5.8).
const FIRST_ID: u128 = 0x7175_6164_7265_8078_8000_0000_0000_0000;

/// Returns the built-in bot of a level. It is the same user on every server and at every table.
#[must_use]
pub fn built_in(level: BotLevel) -> UserView {
    UserView {
        id: UserId(Uuid::from_u128(FIRST_ID + u128::from(level.number()))),
        name: format!("Quadrex {}", level.number()),
        account: false,
        bot: Some(BotView::BuiltIn { level }),
        anonymous: false,
    }
}
