//! A bot that plays with any UCI engine on a server, over the public protocol.
//!
//! [`AccountSettings::open`] finds or creates the account, and [`run`] plays until the bot has
//! nothing left to do. The module `session` owns the client and the timers, `bot` decides what to
//! send, and `engine_task` runs an engine for each table.

mod account;
mod attendance;
mod bot;
mod decide;
mod engine_task;
mod lobby_filter;
mod reply_policy;
mod session;
mod stop_signals;
mod target;
mod think_time;
mod updates;

use quadrex_client::Address;
use quadrex_driver::Launch;
use quadrex_rules::Color;

pub use account::{Account, AccountSettings};
pub use lobby_filter::LobbyFilter;
pub use reply_policy::{Draws, Rematches, ReplyPolicy, Takebacks};
pub use session::run;
pub use target::Target;
pub use think_time::ThinkTimeSettings;

/// The settings of a bot.
pub struct BotSettings {
    /// The address of the server to play on.
    pub server: Address,
    /// The account under which the bot plays.
    pub account: Account,
    /// The command line and options of the engine.
    pub launch: Launch,
    /// The maximum number of restarts of a failed engine in one match.
    pub restarts: u32,
    /// The tables at which the bot plays.
    pub target: Target,
    /// The color to play; `None` for the first open seat.
    pub seat: Option<Color>,
    /// The number of matches after which the bot exits; `None` for no limit.
    pub max_matches: Option<u32>,
    /// The largest number of tables at which the bot plays at the same time.
    pub max_tables: u32,
    /// The answers to other players' requests.
    pub reply_policy: ReplyPolicy,
    /// The limits of the thinking time.
    pub think_time: ThinkTimeSettings,
}
