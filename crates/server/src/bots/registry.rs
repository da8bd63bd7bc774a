//! The registry of the bots that a host can choose from.

use std::collections::BTreeMap;

use quadrex_protocol::UserId;
use quadrex_protocol::bot::{BotChoice, BotLevel, BotList, BotView, EloRange, EngineView};
use quadrex_protocol::user::UserView;
use quadrex_rules::{Timestamp, Variant};
use sha2::{Digest, Sha256};
use uuid::Builder;

use crate::config::EngineConfig;
use quadrex_store::User;
use quadrex_table::built_in;

/// The reason for which a requested bot does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownBot {
    /// The settings have no engine of this name.
    #[error("there is no engine called {0:?} on this server")]
    Engine(String),
    /// The engine does not play this variant.
    #[error("{engine} does not play {variant}")]
    Variant {
        /// The name of the engine.
        engine: String,
        /// The variant of the table.
        variant: Variant,
    },
    /// The engine cannot be limited to this strength.
    #[error("{engine} cannot be limited to {elo}")]
    Elo {
        /// The name of the engine.
        engine: String,
        /// The requested strength.
        elo: u16,
    },
}

/// Returns the users of the built-in bots. Their creation time is zero.
pub(super) fn built_in_users() -> impl Iterator<Item = User> {
    BotLevel::all().map(|level| user(built_in(level), Timestamp::from_millis(0)))
}

/// Returns a bot as a stored user.
pub(super) fn user(UserView { id, name, account, bot, .. }: UserView, created_at: Timestamp) -> User {
    User { id, name, created_at, account, bot }
}

/// Returns the bots that a host can choose from.
pub(super) fn list(engines: &BTreeMap<String, EngineConfig>) -> BotList {
    let view = |(engine, config): (&String, &EngineConfig)| EngineView {
        engine: engine.clone(),
        variants: config.variants.clone(),
        elo: config.elo.map(|[least, most]| EloRange { min: least, max: most }),
    };
    BotList { levels: BotLevel::all().collect(), engines: engines.iter().map(view).collect() }
}

/// Returns the bot that a host has chosen for a table of this variant.
pub(super) fn find(
    engines: &BTreeMap<String, EngineConfig>,
    choice: &BotChoice,
    variant: Variant,
) -> Result<UserView, UnknownBot> {
    let (engine, elo) = match choice {
        BotChoice::BuiltIn { level } => return Ok(built_in(*level)),
        BotChoice::Engine { engine, elo } => (engine.clone(), *elo),
    };
    let Some(config) = engines.get(&engine) else {
        return Err(UnknownBot::Engine(engine.chars().take(40).collect()));
    };
    if !config.variants.contains(&variant) {
        return Err(UnknownBot::Variant { engine, variant });
    }
    if let Some(elo) = elo.filter(|elo| config.elo.is_none_or(|[least, most]| !(least..=most).contains(elo)))
    {
        return Err(UnknownBot::Elo { engine, elo });
    }
    Ok(engine_user(engine, elo))
}

/// Returns the user that represents an engine at a strength. This user is the same at every table
/// and after every restart of the server.
fn engine_user(engine: String, elo: Option<u16>) -> UserView {
    let name = elo.map_or(engine.clone(), |elo| format!("{engine} {elo}"));
    let hash: [u8; 32] = Sha256::digest(format!("quadrex engine {name}")).into();
    let id = Builder::from_custom_bytes(*hash.first_chunk().expect("32 bytes contain 16")).into_uuid();
    UserView {
        id: UserId(id),
        name,
        account: false,
        bot: Some(BotView::Engine { engine, elo }),
        anonymous: false,
    }
}
