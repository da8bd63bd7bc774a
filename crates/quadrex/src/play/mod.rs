//! `quadrex play`: runs any UCI engine as a bot on a server, over the public protocol.
//!
//! `session` owns the connection and the timers, `bot` decides what to send, and `engine_task` runs
//! an engine for each table.

mod account;
mod address;
mod attendance;
mod bot;
mod connection;
mod engine_task;
mod http;
mod lobby;
mod pending_commands;
mod reply_policy;
mod session;
mod stream;
mod table_mirror;
mod target;
mod think_time;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_clock::{Clock, Entropy};
use quadrex_driver::{Description, Engine, Launch};
use quadrex_protocol::view::Phase;
use quadrex_server::config::{LogConfig, LogFormat};
use quadrex_server::telemetry;
use tokio::sync::mpsc;

use account::Identity;
use address::Address;
use bot::{Bot, BotSettings};
use engine_task::EngineSettings;
use reply_policy::ReplyPolicy;
use session::Session;
use target::{Target, TargetArgs};
use think_time::ThinkTimeArgs;

/// The time limit for an engine's start; large ones take a while to load.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The server, the engine and the behavior of the bot.
#[derive(Debug, clap::Args)]
#[command(after_help = "Without --table and --open, the bot joins public tables as they are opened.\n\n\
    Ctrl-C finishes the running matches, joins no more tables, and exits; a second Ctrl-C exits at once. The bot never \
    resigns: restarted with the same token, it continues its matches.\n\n\
    Examples:\n  quadrex play --server https://chess.example.org --engine stockfish --variant classic --token-file bot.token\n  \
    quadrex play --table 'https://chess.example.org/t/ID#invite=SECRET' --engine quadrex -- uci")]
pub(crate) struct Arguments {
    /// Server to play on, such as `https://chess.example.org` [default: the server of the --table link].
    #[arg(long, value_name = "URL", required_unless_present = "table")]
    server: Option<String>,
    /// Program of the engine: a path, or a name to find in PATH.
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// Arguments of the engine's program.
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// UCI option of the engine, such as Hash=64; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Number of restarts per match when the engine exits, hangs or sends an illegal move.
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    restarts: u32,
    /// Logs the communication with the engine.
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    identity: Identity,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    think_time: ThinkTimeArgs,
    #[command(flatten)]
    reply_policy: ReplyPolicy,
}

/// Plays until nothing is left to play, or until stopped.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let filter =
        if arguments.verbose { "warn,quadrex=debug,quadrex_driver=debug" } else { "warn,quadrex=info" };
    telemetry::init(&LogConfig { filter: filter.to_owned(), format: LogFormat::Text })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(play(arguments));
    // A hanging engine must not delay the exit.
    runtime.shutdown_background();
    result
}

async fn play(arguments: &Arguments) -> Result<()> {
    let launch = arguments.launch();
    let engine = arguments.engine.display();
    let description = describe(&launch).await.with_context(|| format!("--engine {engine}"))?;
    let target = arguments.target.target(&description)?;
    let server = arguments.address(&target)?;
    let account = arguments.identity.find(&server, description.name()).await?;
    let name = description.name().unwrap_or("an engine without a name");
    tracing::info!("{} plays on {server}, with {name}", account.me.user.name);

    let (clock, entropy) = (Clock::system(), Entropy::system());
    let engine_settings = EngineSettings { launch, restarts: arguments.restarts, clock: clock.clone() };
    let settings = BotSettings {
        target: target.clone(),
        seat: arguments.target.seat,
        games: arguments.target.games,
        at_once: arguments.target.at_once,
        reply_policy: arguments.reply_policy,
        think_time: arguments.think_time,
    };
    let (sender, results) = mpsc::channel(16);
    let me = account.me.user.id;
    let mut bot = Bot::new(me, settings, engine_settings, entropy.clone(), sender);
    for table in &account.me.tables {
        let sits = table.seats.iter().any(|seat| seat.user.as_ref().is_some_and(|user| user.id == me));
        if sits && table.phase != Phase::Ended {
            bot.attend(table.table, None);
        }
    }
    if let Target::At(address) = &target {
        bot.attend(address.table, address.invite.clone());
    }
    Session { server, account, target, bot, results, clock, entropy, next_table: None }.run().await
}

/// Starts the engine once, to check that it speaks UCI and accepts its options.
async fn describe(launch: &Launch) -> Result<Description> {
    let engine = Engine::start(launch).await?;
    for (name, value) in &launch.options {
        engine.description().check(name, value).with_context(|| format!("--option {name}={value}"))?;
    }
    Ok(engine.description().clone())
}

impl Arguments {
    fn launch(&self) -> Launch {
        Launch {
            command: self.engine.clone(),
            arguments: self.arguments.clone(),
            options: self.options.iter().cloned().collect::<BTreeMap<_, _>>(),
            reply_timeout: START_TIMEOUT,
            nice: None,
            inherit_stderr: true,
        }
    }

    /// Returns the server given by `--server` or by the link of a table.
    fn address(&self, target: &Target) -> Result<Address> {
        let given = self.server.as_deref().map(Address::parse).transpose().context("--server")?;
        let linked = match target {
            Target::At(address) => address.server.clone(),
            Target::Open(_) | Target::Seek(_) => None,
        };
        if let (Some(given), Some(linked)) = (&given, &linked) {
            ensure!(given == linked, "--table is on {linked}, and --server is {given}");
        }
        given.or(linked).context("--server is missing: --table is no link that names it")
    }
}

/// Parses `NAME=VALUE`; a button has no value.
fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let is_plain = !text.contains(char::is_control) && !name.trim().is_empty();
    is_plain
        .then(|| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| "it is NAME=VALUE".to_owned())
}
