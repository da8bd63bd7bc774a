//! Users as other users see them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::UserId;
use crate::bot::BotView;

/// A user as other users see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct UserView {
    /// The user's id.
    pub id: UserId,
    /// The display name.
    pub name: String,
    /// True for a user with an account; absent for a guest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub account: bool,
    /// The kind of bot; absent for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bot: Option<BotView>,
    /// True for a player, the host or a spectator of an anonymous match that is not over; absent for
    /// all other users. The id is made up: it stands for the seat or the role, and for no user. The
    /// name is the English name of the seat's color or of the role.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub anonymous: bool,
}

impl UserView {
    /// Returns true if the user is a bot that the server runs.
    #[must_use]
    pub fn is_server_bot(&self) -> bool {
        matches!(self.bot, Some(BotView::BuiltIn { .. } | BotView::Engine { .. }))
    }
}
