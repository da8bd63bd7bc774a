//! A bot that plays with any UCI engine on a server, over the public protocol.
//!
//! [`AccountSettings::open`] finds or creates the account, and [`run`] plays until nothing is left to
//! do. Inside, `session` owns the client and the timers, `bot` decides what to send, and
//! `engine_task` runs an engine for each table.

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
    /// The server.
    pub server: Address,
    /// The account on the server.
    pub account: Account,
    /// The command line and options of the engine.
    pub launch: Launch,
    /// The number of restarts per match when the engine fails.
    pub restarts: u32,
    /// The source of its matches.
    pub target: Target,
    /// The color to play; by default the first free seat.
    pub seat: Option<Color>,
    /// The number of matches to play before exiting.
    pub games: Option<u32>,
    /// The number of tables to play at simultaneously.
    pub at_once: u32,
    /// The answers to other players' requests.
    pub reply_policy: ReplyPolicy,
    /// The thinking time.
    pub think_time: ThinkTimeSettings,
}
