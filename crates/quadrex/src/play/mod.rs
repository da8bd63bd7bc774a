//! `quadrex play`: any engine that speaks UCI as a bot on a server, over the wire that everybody uses.
//!
//! `session` owns the line and the time, `bot` decides what to say, `mind` runs an engine for each table.

mod account;
mod address;
mod allowance;
mod bot;
mod goal;
mod http;
mod line;
mod lobby;
mod manners;
mod mind;
mod place;
mod session;
mod stream;
mod unanswered;
mod visit;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_driver::{Description, Engine, Launch};
use quadrex_protocol::view::Phase;
use quadrex_server::clock::Clock;
use quadrex_server::config::{LogConfig, LogFormat};
use quadrex_server::entropy::Entropy;
use quadrex_server::telemetry;
use tokio::sync::mpsc;

use account::Identity;
use address::Address;
use allowance::Pace;
use bot::{Bot, Habits};
use goal::{Aim, Goal};
use manners::Manners;
use mind::Manner;
use session::Session;

/// How long an engine may take to get ready: large ones load for a while.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server, the engine and the behavior of the bot.
#[derive(Debug, clap::Args)]
#[command(after_help = "Without --table and --open, the bot joins public tables as they are opened.\n\n\
    Ctrl-C finishes the running matches, joins no more tables, and exits; a second Ctrl-C exits at once. The bot never \
    resigns: restarted with the same token, it continues its matches.\n\n\
    Examples:\n  quadrex play --server https://chess.example.org --engine stockfish --variant classic --token-file bot.token\n  \
    quadrex play --table 'https://chess.example.org/t/ID#invite=SECRET' --engine quadrex -- uci")]
pub(crate) struct Arguments {
    /// Server to play on, such as https://chess.example.org [default: the server of the --table link].
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
    aim: Aim,
    #[command(flatten)]
    pace: Pace,
    #[command(flatten)]
    manners: Manners,
}

/// Plays until there is nothing left to play, or it is told to end.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let filter =
        if arguments.verbose { "warn,quadrex=debug,quadrex_driver=debug" } else { "warn,quadrex=info" };
    telemetry::init(&LogConfig { filter: filter.to_owned(), format: LogFormat::Text })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(play(arguments));
    // An engine that hangs is not waited for.
    runtime.shutdown_background();
    done
}

async fn play(arguments: &Arguments) -> Result<()> {
    let launch = arguments.launch();
    let engine = arguments.engine.display();
    let description = describe(&launch).await.with_context(|| format!("--engine {engine}"))?;
    let goal = arguments.aim.goal(&description)?;
    let server = arguments.address(&goal)?;
    let account = arguments.identity.find(&server, description.name()).await?;
    let name = description.name().unwrap_or("an engine without a name");
    tracing::info!("{} plays on {server}, with {name}", account.me.user.name);

    let (clock, entropy) = (Clock::system(), Entropy::system());
    let manner = Manner { launch, restarts: arguments.restarts, clock: clock.clone() };
    let habits = Habits {
        goal: goal.clone(),
        seat: arguments.aim.seat,
        games: arguments.aim.games,
        at_once: arguments.aim.at_once,
        manners: arguments.manners,
        pace: arguments.pace,
    };
    let (sender, thoughts) = mpsc::channel(16);
    let me = account.me.user.id;
    let mut bot = Bot::new(me, habits, manner, entropy.clone(), sender);
    for table in &account.me.tables {
        let sits = table.seats.iter().any(|seat| seat.user.as_ref().is_some_and(|user| user.id == me));
        if sits && table.phase != Phase::Ended {
            bot.visit(table.table, None);
        }
    }
    if let Goal::At(spot) = &goal {
        bot.visit(spot.table, spot.invite.clone());
    }
    Session { server, account, goal, bot, thoughts, clock, entropy, next_table: None }.run().await
}

/// Starts the engine once, to see that it is one and takes its options.
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
            patience: PATIENCE,
            nice: None,
            shows_errors: true,
        }
    }

    /// The server, by `--server` or by the link of a table.
    fn address(&self, goal: &Goal) -> Result<Address> {
        let given = self.server.as_deref().map(Address::parse).transpose().context("--server")?;
        let linked = match goal {
            Goal::At(spot) => spot.server.clone(),
            Goal::Open(_) | Goal::Seek(_) => None,
        };
        if let (Some(given), Some(linked)) = (&given, &linked) {
            ensure!(given == linked, "--table is on {linked}, and --server is {given}");
        }
        given.or(linked).context("--server is missing: --table is no link that names it")
    }
}

/// `NAME=VALUE`; a button has no value.
fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let is_plain = !text.contains(char::is_control) && !name.trim().is_empty();
    is_plain
        .then(|| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| "it is NAME=VALUE".to_owned())
}
