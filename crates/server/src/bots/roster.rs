//! Which bots there are.

use quadrex_protocol::bot::{BotChoice, BotLevel, BotList};
use quadrex_protocol::view::UserView;
use quadrex_rules::{Timestamp, Variant};

use crate::store::User;
use crate::table::built_in;

/// There is no such bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownBot {
    /// The settings name no engine like that.
    #[error("there is no engine called {0:?} on this server")]
    Engine(String),
}

/// The users that the built-in bots are: of no time in particular.
pub(super) fn built_in_users() -> impl Iterator<Item = User> {
    BotLevel::all().map(built_in).map(|UserView { id, name, bot }| User {
        id,
        name,
        created_at: Timestamp::from_millis(0),
        bot,
    })
}

/// What can be chosen.
pub(super) fn list() -> BotList {
    BotList { levels: BotLevel::all().collect(), engines: Vec::new() }
}

/// The bot of a choice.
pub(super) fn find(choice: &BotChoice, _variant: Variant) -> Result<UserView, UnknownBot> {
    match choice {
        BotChoice::BuiltIn { level } => Ok(built_in(*level)),
        BotChoice::Engine { engine, .. } => Err(UnknownBot::Engine(engine.chars().take(40).collect())),
    }
}
